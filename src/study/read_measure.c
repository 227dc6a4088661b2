// SPDX-License-Identifier: MIT
// What a study measures: statistics of columns over time, expressions, criteria, and bands.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/study_internal.h"

// --- columns

int lw_study_column(lwStudyReader* reader, const char* name)
{
  lwStudy* study = reader->study;
  if ((study->column_count & (study->column_count + 1)) == 0)
  {
    size_t capacity     = 2 * (size_t)study->column_count + 1;
    const char** larger = lw_keep_take(reader->keep, capacity, sizeof *larger);
    bool* used          = lw_keep_take(reader->keep, capacity, sizeof *used);
    if (!larger || !used) return 0;
    for (int i = 0; i < study->column_count; ++i) larger[i] = study->columns[i];
    study->columns = larger;
    study->used    = used;
  }
  study->columns[study->column_count] = lw_keep_text(reader->keep, name);
  return study->column_count++;
}

int lw_study_columns(lwStudyReader* reader, const char* symbol, int n)
{
  char name[40];
  int first = reader->study->column_count;
  for (int i = 0; i < n; ++i)
  {
    snprintf(name, sizeof name, "%.20s%d", symbol, i + 1);
    lw_study_column(reader, name);
  }
  return first;
}

int lw_study_find_column(const lwStudy* study, const char* name)
{
  for (int i = 0; i < study->column_count; ++i)
    if (!strcmp(study->columns[i], name)) return i;
  return -1;
}

// --- expressions: names are columns, then parameters, then measures

static const lwLaw* read_expression(lwStudyReader* reader, const lwNode* node, bool columns)
{
  lwStudy* study     = reader->study;
  int count          = study->column_count + study->parameter_count + study->measure_count;
  const char** names = lw_keep_take(reader->keep, (size_t)count + 1, sizeof *names);
  if (!names) return NULL;
  for (int i = 0; i < study->column_count; ++i) *names++ = columns ? study->columns[i] : "";
  for (int i = 0; i < study->parameter_count; ++i) *names++ = study->parameters[i].name;
  for (int i = 0; i < study->measure_count; ++i) *names++ = study->measures[i].name;
  const lwLaw* law = lw_keep_law(reader->keep, &reader->document, "an expression", node,
                                 (lwLawText){.names = names - count, .name_count = count});
  for (int i = 0; law && i < law->count; ++i)
    if (law->code[i].operation == LW_LAW_NAME && law->code[i].number < study->column_count)
      study->used[(int)law->code[i].number] = true;
  return law;
}

// --- measures

enum
{
  AT_AT = 1,
  AT_END
};

typedef struct MeasureText
{
  lwNode* of[LW_STATISTIC_COUNT];
  double at, below, above;
  lwPlace places[AT_END];
} MeasureText;

static const lwKey measure_keys[] = {
    LW_KEY_AS("value", MeasureText, of[LW_STATISTIC_VALUE], .kind = LW_VALUE_NODE),
    LW_KEY_AS("peak", MeasureText, of[LW_STATISTIC_PEAK], .kind = LW_VALUE_NODE),
    LW_KEY_AS("max", MeasureText, of[LW_STATISTIC_MAX], .kind = LW_VALUE_NODE),
    LW_KEY_AS("min", MeasureText, of[LW_STATISTIC_MIN], .kind = LW_VALUE_NODE),
    LW_KEY_AS("first", MeasureText, of[LW_STATISTIC_FIRST], .kind = LW_VALUE_NODE),
    LW_KEY_AS("final", MeasureText, of[LW_STATISTIC_FINAL], .kind = LW_VALUE_NODE),
    LW_KEY_AS("mean", MeasureText, of[LW_STATISTIC_MEAN], .kind = LW_VALUE_NODE),
    LW_KEY_AS("rms", MeasureText, of[LW_STATISTIC_RMS], .kind = LW_VALUE_NODE),
    LW_KEY_AS("integral", MeasureText, of[LW_STATISTIC_INTEGRAL], .kind = LW_VALUE_NODE),
    LW_KEY_AS("quantile", MeasureText, of[LW_STATISTIC_QUANTILE], .kind = LW_VALUE_NODE),
    LW_KEY_AS("row", MeasureText, of[LW_STATISTIC_ROW], .kind = LW_VALUE_NODE),
    LW_KEY(MeasureText, at, .kind = LW_VALUE_NUMBER, .slot = AT_AT),
    LW_KEY(MeasureText, below, .kind = LW_VALUE_NUMBER),
    LW_KEY(MeasureText, above, .kind = LW_VALUE_NUMBER),
};
static const lwTable measure_table = LW_TABLE("a measure", measure_keys);

static void read_statistic(lwStudyReader* reader, const lwItem* item, const MeasureText* text,
                           lwMeasureDef* measure)
{
  int kind = 0, kinds = lw_nodes_given(text->of, LW_STATISTIC_COUNT, &kind);
  if (kinds != 1)
    return lw_study_error(reader, item->value->place,
                          "measure '%s' has %d statistics, expected one of value, peak, max, min, "
                          "first, final, mean, rms, integral, quantile and row",
                          item->key->text, kinds);
  measure->kind = (lwStatistic)kind;
  bool given = text->places[AT_AT].line > 0, right = !given;
  if (measure->kind == LW_STATISTIC_QUANTILE) right = given && text->at >= 0 && text->at <= 1;
  if (measure->kind == LW_STATISTIC_ROW)
    right = given && text->at >= 1 && text->at <= 1e9 && text->at == floor(text->at);
  if (!right)
    lw_study_error(reader, given ? text->places[AT_AT] : item->value->place,
                   "'at' is from 0 to 1 of a quantile, and the number of a row, from 1; other "
                   "measures have none");
  measure->law    = read_expression(reader, text->of[kind], measure->kind != LW_STATISTIC_VALUE);
  measure->column = -1;
  if (measure->law && measure->law->count == 1 && measure->law->code[0].operation == LW_LAW_NAME &&
      measure->law->code[0].number < reader->study->column_count)
    measure->column = (int)measure->law->code[0].number;
}

static void read_one_measure(lwStudyReader* reader, const lwItem* item)
{
  lwStudy* study   = reader->study;
  MeasureText text = {.below = INFINITY, .above = -INFINITY};
  if (!lw_study_new_name(reader, item->key)) return;
  if (!lw_document_fill(&reader->document, item->value, &measure_table, &text, text.places)) return;
  lwMeasureDef* measure = &study->measures[study->measure_count];
  *measure              = (lwMeasureDef){.at = text.at, .below = text.below, .above = text.above};
  measure->name         = lw_keep_text(reader->keep, item->key->text);
  read_statistic(reader, item, &text, measure);
  ++study->measure_count;
}

// --- bands

typedef struct BandsText
{
  lwNode* columns;
  double steps;
  lwPlace places[2];
} BandsText;

static const lwKey bands_keys[] = {
    LW_KEY(BandsText, columns, .kind = LW_VALUE_NODE, .required = true),
    LW_KEY(BandsText, steps, .kind = LW_VALUE_NUMBER, .slot = 1),
};
static const lwTable bands_table = LW_TABLE("bands", bands_keys);

static void read_bands(lwStudyReader* reader, lwNode* node)
{
  lwStudy* study = reader->study;
  BandsText text = {.steps = 50};
  if (!lw_document_fill(&reader->document, node, &bands_table, &text, text.places)) return;
  lw_study_check_whole(reader, "steps", text.steps, 1, 10000, text.places[1]);
  if (text.columns->kind != LW_NODE_LIST)
    return lw_study_error(reader, text.columns->place, "'columns' must be a list");
  study->bands = lw_keep_take(reader->keep, (size_t)text.columns->count + 1, sizeof *study->bands);
  if (!study->bands) return;
  for (const lwItem* item = text.columns->items; item; item = item->next)
  {
    char found[LW_DESCRIPTION_SIZE];
    bool scalar = item->value->kind == LW_NODE_SCALAR;
    int column  = scalar ? lw_study_find_column(study, item->value->text) : -1;
    if (column < 0)
      lw_study_error(reader, item->value->place, "the run has no column %s",
                     lw_node_describe(item->value, found));
    else
      study->used[column] = true;
    study->bands[study->band_count++] = column;
  }
  study->band_steps = (int)fmin(text.steps, 10000) + 1;
}

void lw_study_read_measures(lwStudyReader* reader, lwNode* measure, lwNode* bands)
{
  lwStudy* study = reader->study;
  bool few = measure && measure->kind == LW_NODE_MAPPING && measure->count <= LW_STUDY_MAX_MEASURES;
  if (!few)
    return lw_document_error(
        &reader->document, measure ? measure->place : reader->document.root->place,
        "measure: {peak2: {peak: torque2}}",
        "a study has 'measure', a mapping of at most %d measures by name", LW_STUDY_MAX_MEASURES);
  study->measures = lw_keep_take(reader->keep, (size_t)measure->count + 1, sizeof *study->measures);
  if (!study->measures) return;
  study->used[0] = true;
  for (const lwItem* item = measure->items; item; item = item->next) read_one_measure(reader, item);
  if (bands) read_bands(reader, bands);
}
