// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "report/study/study_data.h"

static int by_value(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

// Linear between the order statistics.
static double sorted_quantile(const double* x, long count, double p)
{
  double at = p * (double)(count - 1);
  long low  = (long)at;
  if (low >= count - 1) return x[count - 1];
  return x[low] + (at - (double)low) * (x[low + 1] - x[low]);
}

// --- summaries

// E. B. Wilson, "Probable inference, the law of succession,
// and statistical inference", JASA 22 (1927).
static void wilson(double part, double count, double* low, double* high)
{
  const double z = 1.959963984540054;
  double middle = part + z * z / (2 * count), whole = 1 + z * z / count;
  double half = z * sqrt(part * (1 - part) / count + z * z / (4 * count * count));
  *low        = fmax((middle - half) / whole, 0);
  *high       = fmin((middle + half) / whole, 1);
}

bool lw_study_has_criterion(const lwStudyColumn* measure)
{
  return isfinite(measure->below) || isfinite(measure->above);
}

static bool meets_criterion(const lwStudyColumn* measure, long row)
{
  return measure->values[row] < measure->below && measure->values[row] > measure->above;
}

// All criteria; a sample without results has none of its measures.
static bool meets_all(const lwStudyData* data, long row)
{
  bool all = true;
  for (int m = 0; m < data->measure_count; ++m)
    if (lw_study_has_criterion(&data->measures[m]))
      all = all && meets_criterion(&data->measures[m], row);
  return all;
}

static bool has_results(const lwStudyData* data, long row)
{
  bool has = true;
  for (int m = 0; m < data->measure_count; ++m) has = has && !isnan(data->measures[m].values[row]);
  return has;
}

lwStudyHold lw_study_hold(const lwStudyData* data, int measure, const lwStoredChoice* choice)
{
  lwStudyHold hold = {.pass = NAN, .low = NAN, .high = NAN};
  long passed      = 0;
  for (long i = 0; i < data->rows; ++i)
  {
    bool chosen = !choice || data->parameters[choice->parameter].values[i] == choice->value;
    if (!chosen || !has_results(data, i)) continue;
    ++hold.count;
    passed += measure < 0 ? meets_all(data, i) : meets_criterion(&data->measures[measure], i);
  }
  if (hold.count == 0) return hold;
  hold.pass = (double)passed / (double)hold.count;
  wilson(hold.pass, (double)hold.count, &hold.low, &hold.high);
  return hold;
}

static void count_passed(const lwStudyColumn* measure, long rows, lwStudySummary* summary)
{
  long passed   = 0;
  summary->pass = summary->pass_low = summary->pass_high = NAN;
  if (!lw_study_has_criterion(measure)) return;
  for (long i = 0; i < rows; ++i) passed += meets_criterion(measure, i);
  summary->pass = (double)passed / (double)summary->count;
  wilson(summary->pass, (double)summary->count, &summary->pass_low, &summary->pass_high);
}

static void add_moments(const lwStudyData* data, const double* x, long rows, lwStudySummary* s)
{
  double sum = 0, squares = 0;
  for (long i = 0; i < rows; ++i)
    if (!isnan(x[i])) sum += x[i];
  s->mean = sum / (double)s->count;
  s->low  = INFINITY;
  s->high = -INFINITY;
  for (long i = 0; i < rows; ++i)
  {
    if (isnan(x[i])) continue;
    squares += (x[i] - s->mean) * (x[i] - s->mean);
    if (x[i] < s->low) s->lowest = data->sample[i];
    if (x[i] > s->high) s->highest = data->sample[i];
    s->low  = fmin(s->low, x[i]);
    s->high = fmax(s->high, x[i]);
  }
  s->deviation = s->count > 1 ? sqrt(squares / (double)(s->count - 1)) : 0;
}

lwStudySummary lw_study_summary_of_first(const lwStudyData* data, int measure, long rows)
{
  const double* x  = data->measures[measure].values;
  lwStudySummary s = {
      .mean = NAN, .deviation = NAN, .p01 = NAN, .p05 = NAN, .p50 = NAN, .p95 = NAN, .p99 = NAN};
  double* sorted = data->scratch;
  for (long i = 0; i < rows; ++i)
    if (!isnan(x[i])) sorted[s.count++] = x[i];
  s.low = s.high = s.pass = s.pass_low = s.pass_high = NAN;
  if (s.count > 0)
  {
    qsort(sorted, (size_t)s.count, sizeof *sorted, by_value);
    s.p01 = sorted_quantile(sorted, s.count, 0.01);
    s.p05 = sorted_quantile(sorted, s.count, 0.05);
    s.p50 = sorted_quantile(sorted, s.count, 0.5);
    s.p95 = sorted_quantile(sorted, s.count, 0.95);
    s.p99 = sorted_quantile(sorted, s.count, 0.99);
    add_moments(data, x, rows, &s);
    count_passed(&data->measures[measure], rows, &s);
  }
  return s;
}

lwStudySummary lw_study_summary(const lwStudyData* data, int measure)
{
  return lw_study_summary_of_first(data, measure, data->rows);
}

// --- what a parameter does

typedef struct RankedPair
{
  double x, y;
} RankedPair;

void lw_study_tornado(const lwStudyData* data, int measure, int parameter, double ends[2])
{
  const double *x = data->parameters[parameter].values, *y = data->measures[measure].values;
  RankedPair* pairs = (RankedPair*)data->scratch;
  long count        = 0;
  ends[0] = ends[1] = NAN;
  for (long i = 0; i < data->rows; ++i)
    if (!isnan(y[i])) pairs[count++] = (RankedPair){x[i], y[i]};
  if (count > 0)
  {
    qsort(pairs, (size_t)count, sizeof *pairs, by_value);  // by x, their first number
    long tail = count / LW_STUDY_TAIL > 0 ? count / LW_STUDY_TAIL : 1;
    // all samples with the value at the end of the tail belong to it: a discrete parameter has many
    for (int side = 0; side < 2; ++side)
    {
      double edge = side == 0 ? pairs[tail - 1].x : pairs[count - tail].x, sum = 0;
      long n = 0;
      for (long i = 0; i < count; ++i)
        if (side == 0 ? pairs[i].x <= edge : pairs[i].x >= edge)
        {
          sum += pairs[i].y;
          ++n;
        }
      ends[side] = sum / (double)n;
    }
  }
}

static int by_size_of_bar(const void* a, const void* b)
{
  const lwStudyBar *first = a, *second = b;
  return first->size < second->size ? 1 : first->size > second->size ? -1 : 0;
}

lwStudyBar* lw_study_bars(const lwStudyData* data, int measure)
{
  int count        = data->parameter_count;
  lwStudyBar* bars = calloc((size_t)count + 1, sizeof *bars);
  if (!bars) return NULL;
  for (int p = 0; p < count; ++p)
  {
    bars[p].parameter = p;
    lw_study_tornado(data, measure, p, bars[p].ends);
    bars[p].size = fabs(bars[p].ends[1] - bars[p].ends[0]);
  }
  qsort(bars, (size_t)count, sizeof *bars, by_size_of_bar);
  return bars;
}

void lw_study_histogram(const lwStudyData* data, int measure, double low, double high,
                        long counts[LW_STUDY_BINS])
{
  memset(counts, 0, LW_STUDY_BINS * sizeof *counts);
  for (long i = 0; i < data->rows; ++i)
  {
    double x = data->measures[measure].values[i];
    if (isnan(x)) continue;
    int bin = high > low ? (int)((x - low) / (high - low) * LW_STUDY_BINS) : 0;
    ++counts[bin < 0 ? 0 : bin >= LW_STUDY_BINS ? LW_STUDY_BINS - 1 : bin];
  }
}

// --- Sobol' indices

enum
{
  BOOTSTRAPS  = 400,
  LEAST_BLOCK = 8
};

// The runs of one point of the design: A, B, and A with one coordinate of B.
typedef struct DesignBlock
{
  double a, b, ab;
} DesignBlock;

static long complete_blocks(const lwStudyData* data, int measure, int parameter,
                            DesignBlock* blocks)
{
  long width = data->parameter_count + 2, count = 0;
  const double* y = data->measures[measure].values;
  for (long row = 0; row < data->rows;)
  {
    long point = data->sample[row] / width, end = row;
    while (end < data->rows && data->sample[end] / width == point) ++end;
    if (end - row == width)
    {
      DesignBlock block = {y[row], y[row + 1], y[row + 2 + parameter]};
      if (!isnan(block.a + block.b + block.ab)) blocks[count++] = block;
    }
    row = end;
  }
  return count;
}

// A. Saltelli et al., Comput. Phys. Comm. 181 (2010), 259-270, table 2: (b) for the first order,
// (f), by Jansen, for the total.
static void estimate(const DesignBlock* blocks, const long* choice, long count, double* first,
                     double* total)
{
  double sum = 0, squares = 0, product = 0, difference = 0;
  for (long i = 0; i < count; ++i)
  {
    const DesignBlock* block = &blocks[choice ? choice[i] : i];
    sum += block->a + block->b;
  }
  double mean = sum / (2 * (double)count);
  for (long i = 0; i < count; ++i)
  {
    const DesignBlock* block = &blocks[choice ? choice[i] : i];
    double a = block->a - mean, b = block->b - mean, ab = block->ab - mean;
    squares += a * a + b * b;
    product += b * (ab - a);
    difference += (a - ab) * (a - ab);
  }
  double variance = squares / (2 * (double)count);
  *first          = product / (double)count / variance;
  *total          = difference / (2 * (double)count) / variance;
}

static lwStudyIndex index_of(double value, double* boots)
{
  qsort(boots, BOOTSTRAPS, sizeof *boots, by_value);
  return (lwStudyIndex){value, sorted_quantile(boots, BOOTSTRAPS, 0.025),
                        sorted_quantile(boots, BOOTSTRAPS, 0.975)};
}

bool lw_study_indices(const lwStudyData* data, int measure, int parameter, lwStudyIndex* first,
                      lwStudyIndex* total)
{
  double firsts[BOOTSTRAPS], totals[BOOTSTRAPS], value, whole;
  if (strcmp(data->design, "saltelli") != 0) return false;
  size_t capacity     = (size_t)(data->rows / (data->parameter_count + 2)) + 1;
  DesignBlock* blocks = (DesignBlock*)data->scratch;  // a parameter at least: rows / 3 + 1
  long* choice        = (long*)(blocks + capacity);
  lwRandom random     = {1};
  long count          = complete_blocks(data, measure, parameter, blocks);
  if (count >= LEAST_BLOCK)
  {
    estimate(blocks, NULL, count, &value, &whole);
    for (int b = 0; b < BOOTSTRAPS; ++b)
    {
      for (long i = 0; i < count; ++i)
        choice[i] = (long)(lw_random_bits(&random) % (uint64_t)count);
      estimate(blocks, choice, count, &firsts[b], &totals[b]);
    }
    *first = index_of(value, firsts);
    *total = index_of(whole, totals);
  }
  return count >= LEAST_BLOCK;
}
