// SPDX-License-Identifier: MIT
// What is run for every sample: one of the kinds of runs, and what they share.
#include <string.h>

#include "base/text.h"
#include "study/study_internal.h"

static const lwRunKind* const KINDS[] = {&LW_RUN_INVERSE, &LW_RUN_SIMULATE, &LW_RUN_SNAKE,
                                         &LW_RUN_COMMAND};

enum
{
  KIND_COUNT = sizeof KINDS / sizeof *KINDS
};

typedef struct RunText
{
  lwNode* of[KIND_COUNT];
} RunText;

static const lwKey run_keys[]  = {LW_KEY_AS("inverse", RunText, of[0], .kind = LW_VALUE_NODE),
                                  LW_KEY_AS("simulate", RunText, of[1], .kind = LW_VALUE_NODE),
                                  LW_KEY_AS("snake", RunText, of[2], .kind = LW_VALUE_NODE),
                                  LW_KEY_AS("command", RunText, of[3], .kind = LW_VALUE_NODE)};
static const lwTable run_table = LW_TABLE("a run", run_keys);

static void read_load(lwStudyReader* reader, lwNode* node)
{
  lwStudy* study = reader->study;
  if (!study->robot)
    lw_document_error(&reader->document, node->place, NULL,
                      "this run has no robot to carry a payload");
  else
    lw_node_payload(&reader->document, study->robot, node, &study->payload_joint, &study->payload);
}

// --- text files

static void free_document(void* document)
{
  lw_document_free(document);
}

bool lw_study_text_file(lwStudyReader* reader, const char* path, lwPlace place, lwTextFile* file)
{
  lwDocument* document = lw_keep_take(reader->keep, 1, sizeof *document);
  if (!document) return false;
  lwStatus status = lw_document_read_file(document, path, reader->diag);
  lw_keep_own(reader->keep, document, free_document);
  if (!lw_keep_file(reader->keep, &reader->document, status, path, place)) return false;
  *file = (lwTextFile){path, document->source.text, document->source.length, document->root};
  return true;
}

// --- any of them

void lw_study_read_run(lwStudyReader* reader, lwNode* node, lwNode* payload)
{
  RunText text = {0};
  if (!lw_document_fill(&reader->document, node, &run_table, &text, NULL)) return;
  int which = 0, given = lw_nodes_given(text.of, KIND_COUNT, &which);
  if (given != 1)
    return lw_document_error(
        &reader->document, node->place, NULL,
        "'run' has %d kinds of runs, expected one of inverse, simulate, snake and "
        "command",
        given);
  reader->study->run = KINDS[which];
  KINDS[which]->read(reader, text.of[which]);
  if (payload && reader->document.errors == 0) read_load(reader, payload);
}
