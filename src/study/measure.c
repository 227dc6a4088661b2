// SPDX-License-Identifier: MIT
// Columns over time to measures and bands.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "study/study_internal.h"

// --- expressions, block by block

// Functions and powers, row by row.
static void other_block(const lwLawCode* code, int rows, int operands, double* first)
{
  lwLawPoint none = {0};
  for (int i = 0; i < rows; ++i)
  {
    double stack[3] = {operands > 0 ? first[i] : 0, operands > 1 ? first[i + LW_STUDY_BLOCK] : 0};
    lw_law_step(code, &none, stack + operands);
    first[i] = stack[0];
  }
}

// One step for a block of rows; the stack has LW_STUDY_BLOCK rows side by side.
static double* step_block(const lwLawCode* code, int rows, double* top)
{
  bool one     = code->operation == LW_LAW_NEGATE || code->operation == LW_LAW_CALL;
  int operands = code->operation == LW_LAW_NUMBER ? 0 : one ? 1 : 2;
  double *x = top - operands * LW_STUDY_BLOCK, *y = x + LW_STUDY_BLOCK;
  if (code->operation == LW_LAW_NUMBER)
    for (int i = 0; i < rows; ++i) x[i] = code->number;
  else if (code->operation == LW_LAW_ADD)
    for (int i = 0; i < rows; ++i) x[i] += y[i];
  else if (code->operation == LW_LAW_SUBTRACT)
    for (int i = 0; i < rows; ++i) x[i] -= y[i];
  else if (code->operation == LW_LAW_MULTIPLY)
    for (int i = 0; i < rows; ++i) x[i] *= y[i];
  else if (code->operation == LW_LAW_CALL && code->function->of == fabs)
    for (int i = 0; i < rows; ++i) x[i] = fabs(x[i]);
  else
    other_block(code, rows, operands, x);
  return x + LW_STUDY_BLOCK;
}

// Values of a law whose names are arrays, for `rows` rows; an array of one value serves all rows.
static void law_rows(const lwLaw* law, const double* const* names, const bool* scalar, long rows,
                     double* stack, double* out)
{
  for (long row = 0; row < rows; row += LW_STUDY_BLOCK)
  {
    int block   = rows - row < LW_STUDY_BLOCK ? (int)(rows - row) : LW_STUDY_BLOCK;
    double* top = stack;
    for (int c = 0; c < law->count; ++c)
    {
      const lwLawCode* code = &law->code[c];
      if (code->operation != LW_LAW_NAME)
      {
        top = step_block(code, block, top);
        continue;
      }
      int name = (int)code->number;
      for (int i = 0; i < block; ++i) top[i] = scalar[name] ? *names[name] : names[name][row + i];
      top += LW_STUDY_BLOCK;
    }
    memcpy(out + row, stack, (size_t)block * sizeof *out);
  }
}

// --- statistics

// Four at a time, as vectors are: each has its largest, and a sum that is NaN if any is not finite.
static double peak_of(const double* x, long rows)
{
  double most[4] = {0}, odd[4] = {0};
  long whole = rows - rows % 4;
  for (long i = 0; i < whole; i += 4)
    for (int k = 0; k < 4; ++k)
    {
      double size = fabs(x[i + k]);
      most[k]     = size > most[k] ? size : most[k];
      odd[k] += size - size;
    }
  for (long i = whole; i < rows; ++i)
  {
    most[0] = fabs(x[i]) > most[0] ? fabs(x[i]) : most[0];
    odd[0] += x[i] - x[i];
  }
  double a = fmax(most[0], most[1]), b = fmax(most[2], most[3]);
  return fmax(a, b) + (odd[0] + odd[1] + odd[2] + odd[3]);
}

static double largest_of(const double* x, long rows, double sign)
{
  double most = sign * x[0];
  for (long i = 1; i < rows; ++i) most = sign * x[i] > most ? sign * x[i] : most;
  return sign * most;
}

// Integral of x or of its square over time, by the trapezoidal rule.
static double integral_of(const double* t, const double* x, long rows, bool square)
{
  double sums[4] = {0};
  long whole     = rows < 5 ? 1 : rows - (rows - 1) % 4;
  if (square)
    for (long i = 1; i < whole; i += 4)
      for (int k = 0; k < 4; ++k)
        sums[k] += (t[i + k] - t[i + k - 1]) * (x[i + k] * x[i + k] + x[i + k - 1] * x[i + k - 1]);
  else
    for (long i = 1; i < whole; i += 4)
      for (int k = 0; k < 4; ++k) sums[k] += (t[i + k] - t[i + k - 1]) * (x[i + k] + x[i + k - 1]);
  for (long i = whole; i < rows; ++i)
    sums[0] += (t[i] - t[i - 1]) * (square ? x[i] * x[i] + x[i - 1] * x[i - 1] : x[i] + x[i - 1]);
  return 0.5 * (sums[0] + sums[1] + (sums[2] + sums[3]));
}

// A value that is probably near rank k of x[low .. high]: that of a few of them.
static double probable_value(const double* x, long low, long high, long k)
{
  enum
  {
    TRIED = 25
  };
  double tried[TRIED];
  long step = (high - low) / (TRIED - 1);
  if (step == 0) return x[low + (high - low) / 2];
  for (int i = 0; i < TRIED; ++i)
  {
    double value = x[low + i * step];
    int at       = i;
    for (; at > 0 && tried[at - 1] > value; --at) tried[at] = tried[at - 1];
    tried[at] = value;
  }
  return tried[(k - low) * (TRIED - 1) / (high - low)];
}

// Puts the value of rank k into its place, smaller ones before it,
// larger ones behind (Hoare's selection).
static double select_rank(double* x, long count, long k)
{
  long low = 0, high = count - 1;
  while (low < high)
  {
    double pivot = probable_value(x, low, high, k);
    long i = low, j = high;
    while (i <= j)
    {
      while (x[i] < pivot) ++i;
      while (x[j] > pivot) --j;
      if (i > j) break;
      double other = x[i];
      x[i++]       = x[j];
      x[j--]       = other;
    }
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      break;
  }
  return x[k];
}

// Orders the values, which are not needed any more.
static double quantile_of(double* x, long rows, double p)
{
  double at = p * (double)(rows - 1);
  long low  = (long)at;
  if (!lw_all_finite(x, (size_t)rows)) return NAN;
  double below = select_rank(x, rows, low);
  if (low >= rows - 1 || at <= (double)low) return below;
  double above = x[low + 1];
  for (long i = low + 2; i < rows; ++i) above = x[i] < above ? x[i] : above;
  return below + (at - (double)low) * (above - below);
}

static double statistic_of(lwStatistic kind, const double* t, const double* x, long rows)
{
  double duration = t[rows - 1] - t[0];
  if (kind == LW_STATISTIC_PEAK) return peak_of(x, rows);
  if (kind == LW_STATISTIC_MAX) return largest_of(x, rows, 1);
  if (kind == LW_STATISTIC_MIN) return largest_of(x, rows, -1);
  if (kind == LW_STATISTIC_FINAL) return x[rows - 1];
  if (kind == LW_STATISTIC_INTEGRAL) return integral_of(t, x, rows, false);
  if (kind == LW_STATISTIC_MEAN && duration > 0) return integral_of(t, x, rows, false) / duration;
  if (kind == LW_STATISTIC_RMS)
    return duration > 0 ? sqrt(integral_of(t, x, rows, true) / duration) : fabs(x[0]);
  return x[0];
}

// --- a row

static bool reserve_values(lwStudyWorker* worker, long rows)
{
  if (rows <= worker->values_capacity) return true;
  double* larger = realloc(worker->values, (size_t)rows * sizeof *larger);
  if (!larger) return false;
  worker->values          = larger;
  worker->values_capacity = rows;
  return true;
}

static double one_measure(lwStudyWorker* worker, const lwMeasureDef* measure, lwStudyRow* row)
{
  const lwStudy* study = worker->study;
  lwRecord* record     = &worker->record;
  bool value           = measure->kind == LW_STATISTIC_VALUE;
  long rows            = value ? 1 : record->rows;
  bool quantile        = measure->kind == LW_STATISTIC_QUANTILE;
  const double* x      = measure->column >= 0 ? record->column[measure->column] : NULL;
  if (rows < 1) return NAN;
  if (!x || quantile)
  {
    if (!reserve_values(worker, rows)) return NAN;
    for (int i = 0; i < study->column_count; ++i) worker->names[i] = record->column[i];
    for (int i = 0; i < study->parameter_count + study->measure_count; ++i)
      worker->names[study->column_count + i] = &lw_row_numbers(row)[i];
    law_rows(measure->law, worker->names, worker->scalar, rows, worker->stack, worker->values);
    x = worker->values;
  }
  if (value) return x[0];
  if (quantile) return quantile_of(worker->values, rows, measure->at);
  if (measure->kind == LW_STATISTIC_ROW)
    return measure->at <= (double)rows ? x[(long)measure->at - 1] : (double)NAN;
  return statistic_of(measure->kind, record->column[0], x, rows);
}

// The column at a time, on a straight line between its rows; NaN outside.
static double column_at(const lwRecord* record, int column, double at, long* from)
{
  const double *t = record->column[0], *x = record->column[column];
  long i = *from;
  if (record->rows == 0 || at < t[0] || at > t[record->rows - 1]) return NAN;
  while (i + 1 < record->rows - 1 && t[i + 1] < at) ++i;
  *from = i;
  if (i + 1 >= record->rows || at <= t[i]) return x[i];
  double part = (at - t[i]) / (t[i + 1] - t[i]);
  return part >= 1 ? x[i + 1] : x[i] + part * (x[i + 1] - x[i]);
}

void lw_study_measure(lwStudyWorker* worker, lwStudyRow* row)
{
  const lwStudy* study = worker->study;
  double* measures     = lw_row_measures(study, row);
  if (row->state != LW_SAMPLE_STATE_DONE) return;
  row->pass = 1;
  for (int i = 0; i < study->measure_count; ++i)
  {
    const lwMeasureDef* measure = &study->measures[i];
    measures[i]                 = one_measure(worker, measure, row);
    if (!isfinite(measures[i]))
      lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "'%s' is not a finite number", measure->name);
    if (!(measures[i] < measure->below) || !(measures[i] > measure->above)) row->pass = 0;
  }
  double* series = lw_row_series(study, row);
  for (int b = 0; b < study->band_count; ++b)
  {
    long from = 0;
    for (int k = 0; k < study->band_steps; ++k)
    {
      double t                          = study->band_end * k / (study->band_steps - 1);
      series[b * study->band_steps + k] = column_at(&worker->record, study->bands[b], t, &from);
    }
  }
}

void lw_row_distrust(lwStudyRow* row, double S, double bound)
{
  lw_row_fail(row, LW_SAMPLE_STATE_FAILED,
              "not to be trusted: S moved by %.3g J, beyond its bound of %.3g J", S, bound);
}

void lw_row_fail(lwStudyRow* row, lwSampleState state, const char* format, ...)
{
  va_list arguments;
  if (row->state != LW_SAMPLE_STATE_DONE) return;  // the first reason stays
  row->state = (int)state;
  row->pass  = 0;
  va_start(arguments, format);
  vsnprintf(row->why, sizeof row->why, format, arguments);
  va_end(arguments);
}

void lw_row_refuse(lwStudyRow* row, const lwDiag* diag)
{
  for (int i = 0; i < lw_diag_size(diag); ++i)
    if (lw_diag_message(diag, i)->severity == LW_SEVERITY_ERROR)
      lw_row_fail(row, LW_SAMPLE_STATE_IMPOSSIBLE, "%s", lw_diag_message(diag, i)->text);
  lw_row_fail(row, LW_SAMPLE_STATE_IMPOSSIBLE, "there is no such robot");
}
