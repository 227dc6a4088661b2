// SPDX-License-Identifier: MIT
// What is run for every sample: one of the kinds of runs, and what they share.
#include <string.h>

#include "base/text.h"
#include "study/study_internal.h"

typedef struct RunText
{
  lwNode *inverse, *simulate, *snake, *command;
} RunText;

#define NODE(key)                                                                                  \
  {                                                                                                \
    .name = #key, .kind = LW_VALUE_NODE, .offset = offsetof(RunText, key)                          \
  }
static const lwKey run_keys[]  = {NODE(inverse), NODE(simulate), NODE(snake), NODE(command)};
static const lwTable run_table = LW_TABLE("a run", run_keys);

// --- the payload

typedef struct StudyLoadText
{
  const char* link;
  lwLinkDef body;
  lwPlace places[3];
} StudyLoadText;

static const lwKey load_keys[] = {
    {.name     = "link",
     .kind     = LW_VALUE_NAME,
     .required = true,
     .offset   = offsetof(StudyLoadText, link),
     .slot     = 1},
    {.name     = "mass",
     .kind     = LW_VALUE_NUMBER,
     .required = true,
     .offset   = offsetof(StudyLoadText, body.mass),
     .measure  = LW_MEASURE_MASS,
     .unit     = "kg",
     .slot     = 2},
    {.name    = "com",
     .kind    = LW_VALUE_NUMBERS,
     .offset  = offsetof(StudyLoadText, body.com),
     .size    = 3,
     .measure = LW_MEASURE_LENGTH,
     .unit    = "m"},
    {.name   = "inertia",
     .kind   = LW_VALUE_NUMBERS,
     .offset = offsetof(StudyLoadText, body.inertia),
     .size   = 6,
     .unit   = "kg m^2"},
};
static const lwTable load_table = LW_TABLE("a payload", load_keys);

static void read_load(lwStudyReader* reader, lwNode* node)
{
  lwStudy* study     = reader->study;
  StudyLoadText text = {0};
  if (!lw_document_fill(&reader->document, node, &load_table, &text, text.places)) return;
  if (!study->robot)
  {
    lw_document_error(&reader->document, node->place, NULL,
                      "this run has no robot to carry a payload");
    return;
  }
  if (lw_model_find_link(study->robot, text.link, &study->payload_joint) != LW_OK ||
      study->payload_joint < 0)
    lw_document_error(&reader->document, text.places[1], NULL, "the robot has no link '%s'",
                      text.link);
  if (!(text.body.mass >= 0))
    lw_document_error(&reader->document, text.places[2], NULL,
                      "'mass' must not be negative, found %g kg", text.body.mass);
  study->payload = text.body;
}

// --- text files

static void free_document(void* document)
{
  lw_document_free(document);
}

bool lw_study_text_file(lwStudyReader* reader, const char* path, lwPlace place, lwTextFile* file)
{
  lwDocument* document = lw_study_take(reader, 1, sizeof *document);
  if (!document) return false;
  lwStatus status = lw_document_read_file(document, path, reader->diag);
  lw_study_own(reader, document, free_document);
  if (!lw_study_file_read(reader, status, path, place)) return false;
  *file = (lwTextFile){path, document->source.text, document->source.length, document->root};
  return true;
}

// --- any of them

void lw_study_read_run(lwStudyReader* reader, lwNode* node, lwNode* payload)
{
  RunText text = {0};
  if (!lw_document_fill(&reader->document, node, &run_table, &text, NULL)) return;
  const struct
  {
    lwNode* node;
    const lwRunKind* kind;
  } kinds[] = {{text.inverse, &LW_RUN_INVERSE},
               {text.simulate, &LW_RUN_SIMULATE},
               {text.snake, &LW_RUN_SNAKE},
               {text.command, &LW_RUN_COMMAND}};
  int given = 0, which = 0;
  for (int i = 0; i < 4; ++i)
  {
    if (!kinds[i].node) continue;
    ++given;
    which = i;
  }
  if (given != 1)
  {
    lw_document_error(&reader->document, node->place, NULL,
                      "'run' has %d kinds of runs, expected one of inverse, simulate, snake and "
                      "command",
                      given);
    return;
  }
  reader->study->run = kinds[which].kind;
  kinds[which].kind->read(reader, kinds[which].node);
  if (payload && reader->document.errors == 0) read_load(reader, payload);
}
