// SPDX-License-Identifier: MIT
// Study files: the keys of the file, creating and destroying a study.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/state.h"
#include "study/study_internal.h"

typedef struct StudyText
{
  const char *name, *source;
  lwNode *sampling, *payload, *vary, *correlated, *run, *measure, *bands;
} StudyText;

static const lwKey study_keys[] = {
    {.name = "linkwork", .required = true, .read = lw_read_version},
    LW_KEY_AS("study", StudyText, name, .kind = LW_VALUE_NAME, .required = true),
    LW_KEY(StudyText, source, .kind = LW_VALUE_TEXT),
    LW_NODE_KEY(StudyText, sampling),
    LW_NODE_KEY(StudyText, payload),
    LW_NODE_KEY(StudyText, vary),
    LW_NODE_KEY(StudyText, correlated),
    LW_NODE_KEY(StudyText, run),
    LW_NODE_KEY(StudyText, measure),
    LW_NODE_KEY(StudyText, bands),
};
static const lwTable study_table = LW_TABLE("a study", study_keys);

void lw_study_destroy(lwStudy* study)
{
  if (!study) return;
  lw_model_destroy(study->robot);
  lw_scenario_destroy(study->scenario);
  lw_keep_free(&study->keep);
  free(study);
}

// --- fingerprint of all input: a study resumes only with the same numbers

static uint64_t hash_file(uint64_t fingerprint, const char* path)
{
  char block[4096];
  size_t length;
  FILE* file = fopen(path, "rb");
  if (!file) return fingerprint;
  while ((length = fread(block, 1, sizeof block, file)) > 0)
    fingerprint = lw_state_hash(fingerprint, block, length);
  fclose(file);
  return fingerprint;
}

// --- the whole

static lwStatus read_whole(lwStudyReader* reader)
{
  lwStudy* study = reader->study;
  StudyText text = {.name = "study"};
  lw_document_fill(&reader->document, reader->document.root, &study_table, &text, NULL);
  study->name          = lw_keep_text(reader->keep, text.name);
  study->payload_joint = -1;
  lw_study_column(reader, "t");
  if (text.run) lw_study_read_run(reader, text.run, text.payload);
  if (reader->document.errors == 0) lw_study_read_parameters(reader, text.vary, text.correlated);
  if (reader->document.errors == 0) lw_study_read_sampling(reader, text.sampling);
  if (reader->document.errors == 0) lw_study_read_measures(reader, text.measure, text.bands);
  study->fingerprint = lw_state_hash(LW_STATE_HASH, study->text, strlen(study->text));
  for (int i = 0; i < lw_diag_file_count(reader->diag); ++i)
    if (strcmp(lw_diag_file(reader->diag, i), study->path) != 0)
      study->fingerprint = hash_file(study->fingerprint, lw_diag_file(reader->diag, i));
  if (reader->keep->failed) return LW_ERROR_MEMORY;
  return reader->document.errors > 0 ? LW_ERROR_INPUT : LW_OK;
}

static lwStatus begin_study(lwStudyReader* reader, const char* path)
{
  lwStudy* study = reader->study = calloc(1, sizeof *study);
  if (!study) return LW_ERROR_MEMORY;
  reader->keep = &study->keep;
  study->path  = lw_keep_text(reader->keep, path);
  study->text  = lw_keep_text(reader->keep, reader->document.source.text);
  return study->keep.failed ? LW_ERROR_MEMORY : LW_OK;
}

// From the file at path, or from a text that stands for it.
static lwStatus read_study(const char* path, const char* text, size_t length, lwDiag* diag,
                           lwStudy** study)
{
  lwDiag* created      = diag ? NULL : lw_diag_create();  // it knows which files were read
  lwStudyReader reader = {.diag = diag ? diag : created};
  lwStatus status = text ? lw_document_read_text(&reader.document, path, text, length, reader.diag)
                         : lw_document_read_file(&reader.document, path, reader.diag);
  if (status == LW_OK) status = begin_study(&reader, path);
  if (status == LW_OK) status = read_whole(&reader);
  if (status != LW_OK) lw_study_destroy(reader.study);
  *study = status == LW_OK ? reader.study : NULL;
  lw_document_free(&reader.document);
  lw_diag_destroy(created);
  return status;
}

lwStatus lw_study_read_file(const char* path, lwDiag* diag, lwStudy** study)
{
  return read_study(path, NULL, 0, diag, study);
}

lwStatus lw_study_read_text(const char* name, const char* text, size_t length, lwDiag* diag,
                            lwStudy** study)
{
  return read_study(name, text, length, diag, study);
}

int lw_study_parameter_count(const lwStudy* study)
{
  return study->parameter_count;
}

const char* lw_study_parameter(const lwStudy* study, int i)
{
  return study->parameters[i].name;
}

int lw_study_measure_count(const lwStudy* study)
{
  return study->measure_count;
}

const char* lw_study_measure_name(const lwStudy* study, int i)
{
  return study->measures[i].name;
}

size_t lw_study_row_bytes(const lwStudy* study)
{
  return sizeof(lwStudyRow) + (size_t)lw_study_numbers(study) * sizeof(double);
}

const double* lw_study_row_numbers(const lwStudyRow* row)
{
  return lw_row_numbers(row);
}

const char* lw_sample_word(lwSampleState state)
{
  static const char* const words[] = {"done", "impossible", "failed"};
  return words[state];
}

enum
{
  KIND_COUNT = 4
};

static const lwRunKind* const KINDS[KIND_COUNT] = {&LW_RUN_INVERSE, &LW_RUN_SIMULATE, &LW_RUN_SNAKE,
                                                   &LW_RUN_COMMAND};

typedef struct RunText
{
  lwNode* of[KIND_COUNT];
} RunText;

static const lwKey run_keys[]  = {LW_KEY_AS("inverse", RunText, of[0], .kind = LW_VALUE_NODE),
                                  LW_KEY_AS("simulate", RunText, of[1], .kind = LW_VALUE_NODE),
                                  LW_KEY_AS("snake", RunText, of[2], .kind = LW_VALUE_NODE),
                                  LW_KEY_AS("command", RunText, of[3], .kind = LW_VALUE_NODE)};
static const lwTable run_table = LW_TABLE("a run", run_keys);

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
    return lw_study_error(
        reader, node->place,
        "'run' has %d kinds of runs, expected one of inverse, simulate, snake and "
        "command",
        given);
  reader->study->run = KINDS[which];
  KINDS[which]->read(reader, text.of[which]);
  if (payload && reader->document.errors == 0)
  {
    lwStudy* study = reader->study;
    if (!study->robot)
      lw_study_error(reader, payload->place, "this run has no robot to carry a payload");
    else
      lw_node_payload(&reader->document, study->robot, payload, &study->payload_joint,
                      &study->payload);
  }
}
