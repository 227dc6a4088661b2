// SPDX-License-Identifier: MIT
// Study files: the keys of the file, creating and destroying a study.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study_internal.h"

struct lwStudyOwned
{
  void* thing;
  void (*destroy)(void* thing);
  lwStudyOwned* next;
};

typedef struct StudyText
{
  const char *name, *source;
  lwNode *sampling, *payload, *vary, *correlated, *run, *measure, *bands;
} StudyText;

#define NODE(key)                                                                                  \
  {                                                                                                \
    .name = #key, .kind = LW_VALUE_NODE, .offset = offsetof(StudyText, key)                        \
  }
static const lwKey study_keys[] = {
    {.name = "linkwork", .kind = LW_VALUE_CUSTOM, .required = true, .read = lw_read_version},
    {.name = "study", .kind = LW_VALUE_NAME, .required = true, .offset = offsetof(StudyText, name)},
    {.name = "source", .kind = LW_VALUE_TEXT, .offset = offsetof(StudyText, source)},
    NODE(sampling),
    NODE(payload),
    NODE(vary),
    NODE(correlated),
    NODE(run),
    NODE(measure),
    NODE(bands),
};
static const lwTable study_table = LW_TABLE("a study", study_keys);

// --- memory

void* lw_study_take(lwStudyReader* reader, size_t count, size_t size)
{
  void* memory = lw_arena_take(&reader->study->arena, count, size);
  if (!memory) reader->no_memory = true;
  return memory;
}

const char* lw_study_copy(lwStudyReader* reader, const char* text)
{
  const char* copy = lw_arena_text(&reader->study->arena, text, strlen(text));
  if (!copy) reader->no_memory = true;
  return copy ? copy : "";
}

void lw_study_own(lwStudyReader* reader, void* thing, void (*destroy)(void* thing))
{
  lwStudyOwned* owned = lw_study_take(reader, 1, sizeof *owned);
  if (!owned)
  {
    destroy(thing);
    return;
  }
  *owned               = (lwStudyOwned){thing, destroy, reader->study->owned};
  reader->study->owned = owned;
}

const char* lw_study_path(lwStudyReader* reader, const char* path)
{
  const char* folder = path[0] == '/' ? "" : reader->study->folder;
  size_t size        = strlen(folder) + strlen(path) + 1;
  char* whole        = lw_study_take(reader, size, 1);
  if (whole) snprintf(whole, size, "%s%s", folder, path);
  return whole ? whole : "";
}

bool lw_study_file_read(lwStudyReader* reader, lwStatus status, const char* path, lwPlace place)
{
  if (status == LW_ERROR_MEMORY) reader->no_memory = true;
  if (status == LW_ERROR_FILE)
    lw_document_error(&reader->document, place, "paths are relative to the folder of the study",
                      "'%s': %s", path, lw_status_text(status));
  else if (status != LW_OK)
    ++reader->document.errors;  // reported where it is
  return status == LW_OK;
}

void lw_study_destroy(lwStudy* study)
{
  if (!study) return;
  for (lwStudyOwned* owned = study->owned; owned; owned = owned->next) owned->destroy(owned->thing);
  lw_model_destroy(study->robot);
  lw_scenario_destroy(study->scenario);
  lw_arena_free(&study->arena);
  free(study);
}

// --- fingerprint of all input (FNV-1a, 64 bits): a study resumes only with the same numbers

static uint64_t print_bytes(uint64_t print, const char* bytes, size_t length)
{
  for (size_t i = 0; i < length; ++i) print = (print ^ (unsigned char)bytes[i]) * 0x100000001B3u;
  return print;
}

static uint64_t print_file(uint64_t print, const char* path)
{
  char block[4096];
  size_t length;
  FILE* file = fopen(path, "rb");
  if (!file) return print;
  while ((length = fread(block, 1, sizeof block, file)) > 0)
    print = print_bytes(print, block, length);
  fclose(file);
  return print;
}

static void take_print(lwStudyReader* reader)
{
  lwStudy* study = reader->study;
  study->print   = print_bytes(0xCBF29CE484222325u, study->text, strlen(study->text));
  for (int i = 0; i < lw_diag_file_count(reader->diag); ++i)
    if (strcmp(lw_diag_file(reader->diag, i), study->path) != 0)
      study->print = print_file(study->print, lw_diag_file(reader->diag, i));
}

// --- the whole

static lwStatus read_whole(lwStudyReader* reader)
{
  lwStudy* study = reader->study;
  StudyText text = {.name = "study"};
  lw_document_fill(&reader->document, reader->document.root, &study_table, &text, NULL);
  study->name          = lw_study_copy(reader, text.name);
  study->payload_joint = -1;
  lw_study_column(reader, "t");
  if (text.run) lw_study_read_run(reader, text.run, text.payload);
  if (reader->document.errors == 0) lw_study_read_parameters(reader, text.vary, text.correlated);
  if (reader->document.errors == 0) lw_study_read_sampling(reader, text.sampling);
  if (reader->document.errors == 0) lw_study_read_measures(reader, text.measure, text.bands);
  take_print(reader);
  if (reader->no_memory) return LW_ERROR_MEMORY;
  return reader->document.errors > 0 ? LW_ERROR_INPUT : LW_OK;
}

static lwStatus begin_study(lwStudyReader* reader, const char* path)
{
  lwStudy* study = reader->study = calloc(1, sizeof *study);
  if (!study) return LW_ERROR_MEMORY;
  const char* slash = strrchr(path, '/');
  study->path       = lw_study_copy(reader, path);
  study->folder     = lw_arena_text(&study->arena, path, slash ? (size_t)(slash - path) + 1 : 0);
  study->text =
      lw_arena_text(&study->arena, reader->document.source.text, reader->document.source.length);
  return study->folder && study->text && !reader->no_memory ? LW_OK : LW_ERROR_MEMORY;
}

static lwStatus end_study(lwStudyReader* reader, lwStatus status, const char* path, lwDiag* own,
                          lwStudy** study)
{
  if (status == LW_OK) status = begin_study(reader, path);
  if (status == LW_OK) status = read_whole(reader);
  if (status == LW_OK)
    *study = reader->study;
  else
    lw_study_destroy(reader->study);
  lw_document_free(&reader->document);
  lw_diag_destroy(own);
  return status;
}

lwStatus lw_study_read_file(const char* path, lwDiag* diag, lwStudy** study)
{
  lwDiag* own          = diag ? NULL : lw_diag_create();  // it knows which files were read
  lwStudyReader reader = {.diag = diag ? diag : own};
  *study               = NULL;
  lwStatus status      = lw_document_read_file(&reader.document, path, reader.diag);
  return end_study(&reader, status, path, own, study);
}

lwStatus lw_study_read_text(const char* name, const char* text, size_t length, lwDiag* diag,
                            lwStudy** study)
{
  lwDiag* own          = diag ? NULL : lw_diag_create();
  lwStudyReader reader = {.diag = diag ? diag : own};
  *study               = NULL;
  lwStatus status      = lw_document_read_text(&reader.document, name, text, length, reader.diag);
  return end_study(&reader, status, name, own, study);
}

const char* lw_study_name(const lwStudy* study)
{
  return study->name;
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
