// SPDX-License-Identifier: MIT
#include "study/contents.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linkwork/dynamics.h"

#define KEY(name, kind, field, same, hint)                                                         \
  {                                                                                                \
    name, kind, offsetof(lwContents, field), same, hint                                            \
  }

const lwAboutKey LW_ABOUT[LW_ABOUT_KEYS] = {
    KEY("linkwork", LW_ABOUT_TEXT, version, true, "one version computes all samples of a database"),
    KEY("name", LW_ABOUT_TEXT, name, true, NULL),
    KEY("file", LW_ABOUT_TEXT, file, false, NULL),
    KEY("study", LW_ABOUT_TEXT, text, false, NULL),
    KEY("fingerprint", LW_ABOUT_TEXT, fingerprint, true,
        "the study, or a file that it reads, has changed"),
    KEY("design", LW_ABOUT_TEXT, design, true, NULL),
    KEY("isa", LW_ABOUT_TEXT, isa, true, "LINKWORK_ISA chooses the instruction set"),
    KEY("points", LW_ABOUT_WHOLE, points, true, "give the same number of samples"),
    KEY("samples", LW_ABOUT_WHOLE, samples, true, NULL),
    KEY("commands", LW_ABOUT_WHOLE, commands, true, NULL),
    KEY("bands", LW_ABOUT_WHOLE, band_count, true, NULL),
    KEY("steps", LW_ABOUT_WHOLE, band_steps, true, NULL),
    KEY("end", LW_ABOUT_REAL, band_end, true, NULL),
};

// --- of a study

// A worker's instruction set decides about the last bits.
static const char* study_isa(const lwStudy* study, lwArena* arena)
{
  lwWorkspace* ws    = NULL;
  const char* isa    = "none";
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(LW_QUESTION_POSE);
  if (study->robot && lw_workspace_create(study->robot, &def, NULL, &ws) == LW_OK)
    isa = lw_workspace_isa(ws);
  const char* copy = lw_arena_text(arena, isa, strlen(isa));
  lw_workspace_destroy(ws);
  return copy;
}

static size_t choice_count(const lwStudy* study)
{
  size_t count = 0;
  for (int i = 0; i < study->parameter_count; ++i)
    if (study->parameters[i].choices) count += (size_t)study->parameters[i].distribution.count;
  return count;
}

bool lw_contents_of_study(const lwStudy* study, lwArena* arena, lwContents* contents)
{
  char fingerprint[20];
  snprintf(fingerprint, sizeof fingerprint, "%016llx", (unsigned long long)study->fingerprint);
  *contents = (lwContents){
      .version         = lw_version(),
      .name            = study->name,
      .file            = study->path,
      .text            = study->text,
      .fingerprint     = lw_arena_text(arena, fingerprint, strlen(fingerprint)),
      .design          = lw_design_word(study->design),
      .isa             = study_isa(study, arena),
      .points          = study->base,
      .samples         = study->samples,
      .commands        = study->run == &LW_RUN_COMMAND,
      .parameter_count = study->parameter_count,
      .measure_count   = study->measure_count,
      .band_count      = study->band_count,
      .band_steps      = study->band_steps,
      .band_end        = study->band_end,
      .parameters = lw_arena_take(arena, (size_t)study->parameter_count + 1, sizeof(const char*)),
      .measures   = lw_arena_take(arena, (size_t)study->measure_count + 1, sizeof(lwStoredMeasure)),
      .choices    = lw_arena_take(arena, choice_count(study) + 1, sizeof(lwStoredChoice)),
      .bands      = lw_arena_take(arena, (size_t)study->band_count + 1, sizeof(const char*))};
  if (!contents->fingerprint || !contents->isa || !contents->parameters || !contents->measures ||
      !contents->choices || !contents->bands)
    return false;
  for (int i = 0; i < study->parameter_count; ++i)
    contents->parameters[i] = study->parameters[i].name;
  for (int i = 0; i < study->measure_count; ++i)
  {
    const lwMeasureDef* measure = &study->measures[i];
    contents->measures[i]       = (lwStoredMeasure){measure->name, measure->below, measure->above};
  }
  for (int i = 0; i < study->band_count; ++i) contents->bands[i] = study->columns[study->bands[i]];
  for (int i = 0; i < study->parameter_count; ++i)
    for (int k = 0; study->parameters[i].choices && k < study->parameters[i].distribution.count;
         ++k)
      contents->choices[contents->choice_count++] =
          (lwStoredChoice){i, k + 1, study->parameters[i].choices[k]};
  return true;
}

// --- of one study or not

static void about_value(const lwContents* contents, const lwAboutKey* key, char value[80])
{
  const char* field = (const char*)contents + key->offset;
  if (key->kind == LW_ABOUT_TEXT)
    snprintf(value, 80, "%.60s", *(const char* const*)field);
  else if (key->kind == LW_ABOUT_WHOLE)
    snprintf(value, 80, "%ld", *(const long*)field);
  else
    snprintf(value, 80, "%.17g", *(const double*)field);
}

static bool same_about(const lwContents* a, const lwContents* b, const lwAboutKey* key)
{
  const char *x = (const char*)a + key->offset, *y = (const char*)b + key->offset;
  if (key->kind == LW_ABOUT_TEXT) return !strcmp(*(const char* const*)x, *(const char* const*)y);
  if (key->kind == LW_ABOUT_WHOLE) return *(const long*)x == *(const long*)y;
  return *(const double*)x == *(const double*)y;
}

// Parameters, measures, criteria, choices and columns of bands; the numbers of bands agree.
static bool same_columns(const lwContents* a, const lwContents* b)
{
  bool same = a->parameter_count == b->parameter_count && a->measure_count == b->measure_count &&
              a->choice_count == b->choice_count;
  for (int i = 0; same && i < a->parameter_count; ++i)
    same = !strcmp(a->parameters[i], b->parameters[i]);
  for (int i = 0; same && i < a->measure_count; ++i)
    same = !strcmp(a->measures[i].name, b->measures[i].name) &&
           a->measures[i].below == b->measures[i].below &&
           a->measures[i].above == b->measures[i].above;
  for (int i = 0; same && i < a->choice_count; ++i)
    same = a->choices[i].parameter == b->choices[i].parameter &&
           a->choices[i].value == b->choices[i].value &&
           !strcmp(a->choices[i].name, b->choices[i].name);
  for (long i = 0; same && i < a->band_count; ++i) same = !strcmp(a->bands[i], b->bands[i]);
  return same;
}

lwStatus lw_contents_compare(const lwContents* contents, const lwContents* other, const char* path,
                             lwDiag* diag)
{
  for (int i = 0; i < LW_ABOUT_KEYS; ++i)
  {
    const lwAboutKey* key = &LW_ABOUT[i];
    char here[80], there[80];
    if (!key->same || same_about(contents, other, key)) continue;
    about_value(contents, key, here);
    about_value(other, key, there);
    if (key->offset == offsetof(lwContents, version))
    {
      LW_REFUSE_VERSION(diag, key->hint, "%s: these are results of linkwork %s, expected %s", path,
                        there, here);
      return LW_ERROR_INPUT;
    }
    return lw_refuse(diag, LW_ERROR_INPUT, key->hint,
                     "%s: these are results of another study: '%s' is %s, expected %s", path,
                     key->name, there, here);
  }
  if (same_columns(contents, other)) return LW_OK;
  return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                   "%s: these are results of another study: its columns differ", path);
}

// --- checksums

// SQLite keeps NaN as NULL, and -0 as 0.
uint64_t lw_sum_real(uint64_t sum, double value)
{
  uint64_t bits = UINT64_C(0x7FF8000000000000);
  if (value == 0) value = 0;
  if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
  return lw_sum_word(sum, bits);
}

uint64_t lw_sum_text(uint64_t sum, const char* text)
{
  for (const char* s = text; *s; ++s) sum = lw_sum_word(sum, (unsigned char)*s);
  return lw_sum_word(sum, UINT64_MAX);  // its end
}

uint64_t lw_contents_sum(const lwContents* contents)
{
  uint64_t sum = 0;
  for (int i = 0; i < LW_ABOUT_KEYS; ++i)
  {
    const char* field = (const char*)contents + LW_ABOUT[i].offset;
    if (LW_ABOUT[i].kind == LW_ABOUT_TEXT)
      sum = lw_sum_text(sum, *(const char* const*)field);
    else if (LW_ABOUT[i].kind == LW_ABOUT_WHOLE)
      sum = lw_sum_word(sum, (uint64_t) * (const long*)field);
    else
      sum = lw_sum_real(sum, *(const double*)field);
  }
  for (int i = 0; i < contents->parameter_count; ++i)
    sum = lw_sum_text(sum, contents->parameters[i]);
  for (int i = 0; i < contents->measure_count; ++i)
  {
    sum = lw_sum_text(sum, contents->measures[i].name);
    sum = lw_sum_real(lw_sum_real(sum, contents->measures[i].below), contents->measures[i].above);
  }
  for (int i = 0; i < contents->choice_count; ++i)
  {
    sum = lw_sum_word(sum, (uint64_t)contents->choices[i].parameter);
    sum = lw_sum_word(sum, (uint64_t)contents->choices[i].value);
    sum = lw_sum_text(sum, contents->choices[i].name);
  }
  for (long i = 0; i < contents->band_count; ++i) sum = lw_sum_text(sum, contents->bands[i]);
  return sum;
}

uint64_t lw_row_sum(uint64_t sum, const lwContents* contents, const lwStudyRow* row)
{
  int count = contents->parameter_count + contents->measure_count;
  sum       = lw_sum_word(sum, (uint64_t)row->sample);
  sum       = lw_sum_word(sum, (uint64_t)row->state * 2 + (uint64_t)row->pass);
  sum       = lw_sum_text(sum, row->why);
  for (int i = 0; i < count; ++i) sum = lw_sum_real(sum, lw_row_numbers(row)[i]);
  return sum;
}

uint64_t lw_cell_sum(long band, long step, const lwBandCell* cell)
{
  uint64_t sum = lw_sum_word(lw_sum_word(0, (uint64_t)band), (uint64_t)step);
  sum          = lw_sum_word(lw_sum_real(sum, cell->nominal), cell->count);
  if (cell->count > 0) sum = lw_sum_real(lw_sum_real(sum, cell->low), cell->high);
  for (int i = 0; i < cell->sketch.count; ++i)
    sum = lw_sum_word(lw_sum_word(sum, (uint64_t)cell->sketch.key[i]), cell->sketch.times[i]);
  return sum;
}
