// SPDX-License-Identifier: MIT
// The tables of linkwork bench.
#include <math.h>
#include <stdio.h>

#include "bench.h"

enum
{
  MAX_COLUMNS = 9  // chains in the growth table
};

void out_ns(lwOut* out, int width, double ns)
{
  int decimals = ns < 9.995 ? 2 : ns < 99.95 ? 1 : 0;
  if (isfinite(ns))
    lw_out_format(out, "%*.*f", width, decimals, ns);
  else
    lw_out_format(out, "%*s", width, "-");
}

static const char* question_name(const BenchTrial* trial)
{
  return lw_question_info(trial_question(trial))->name;
}

// The trial of a method on a robot, or NULL if it was skipped.
static const BenchTrial* find_result(const Bench* bench, const lwModel* model,
                                     const BenchTrial* like)
{
  for (int i = 0; i < bench->count; ++i)
  {
    const BenchTrial* trial = &bench->trials[i];
    if (trial->model == model && trial->method == like->method &&
        trial->precision == like->precision && trial->mode == like->mode &&
        trial->threads == like->threads && !trial->special == !like->special)
      return trial;
  }
  return NULL;
}

// Best, median and ratio of a trial in both precisions.
static void write_line(lwOut* out, const Bench* bench, const lwModel* model, BenchTrial like)
{
  for (int p = 0; p < 2; ++p)
  {
    like.precision          = (lwPrecision)p;
    const BenchTrial* trial = find_result(bench, model, &like);
    if (!bench->precisions[p]) continue;
    out_ns(out, 10, trial ? trial->best : NAN);
    out_ns(out, 10, trial ? trial->median : NAN);
    lw_out_format(out, "%8.2f", trial ? trial->best / fastest_ns(bench, trial) : NAN);
  }
  lw_out_text(out, "\n");
}

static void write_bench_head(lwOut* out, const Bench* bench, const BenchTrial* first)
{
  static const char* const titles[] = {"double precision", "single precision"};
  lw_out_format(out, "%s: ns per state, %s\n%49s", lw_model_name(first->model), first->isa, "");
  for (int p = 0; p < 2; ++p)
    if (bench->precisions[p]) lw_out_format(out, "%28s", titles[p]);
  lw_out_format(out, "\n%-9s %-24s %-6s %7s", "question", "method", "mode", "threads");
  for (int p = 0; p < 2; ++p)
    if (bench->precisions[p]) lw_out_format(out, "%10s%10s%8s", "best", "median", "ratio");
  lw_out_text(out, "\n");
}

void bench_write_robot(lwOut* out, const Bench* bench, const lwModel* model)
{
  const BenchTrial* last = NULL;  // the trial written before
  for (int i = 0; i < bench->count; ++i)
  {
    const BenchTrial* trial = &bench->trials[i];
    if (trial->model != model) continue;
    if (!last) write_bench_head(out, bench, trial);
    bool same_method = last && last->method == trial->method && !last->special == !trial->special;
    if (same_method && last->precision != trial->precision) continue;
    bool same_question = last && trial_question(last) == trial_question(trial);
    lw_out_format(out, "%-9s %-24s %-6s %7d", same_question ? "" : question_name(trial),
                  same_method ? "" : trial_method(trial),
                  trial->mode == TRIAL_SINGLE ? "single" : "batch", trial->threads);
    write_line(out, bench, model, *trial);
    last = trial;
  }
  if (last)
    lw_out_text(out, "mode: single asks about one state per call, batch about many; ratio: to the "
                     "fastest of the question\n\n");
}

// Chains for the columns of the growth table, each at least 1.5 times as long as the previous.
static int choose_columns(const Bench* bench, const lwModel* columns[MAX_COLUMNS])
{
  int count = 0;
  double n  = 0;
  for (int i = 0; i < bench->robots && count < MAX_COLUMNS; ++i)
  {
    if (lw_model_dof(bench->models[i]) < 1.5 * n) continue;
    n                = lw_model_dof(bench->models[i]);
    columns[count++] = bench->models[i];
  }
  return count;
}

static void write_growth(lwOut* out, const Bench* bench, BenchTrial like, int count,
                         const lwModel* const columns[])
{
  lw_out_format(out, "growth: ns per joint, %s precision, %s\n%-34s",
                like.precision == LW_PRECISION_DOUBLE ? "double" : "single",
                like.mode == TRIAL_SINGLE ? "one state per call" : "batch", "n");
  for (int k = 0; k < count; ++k) lw_out_format(out, "%7d", lw_model_dof(columns[k]));
  lw_out_text(out, "\n");
  for (like.method = 0; like.method < lw_method_count(); ++like.method)
  {
    bool begun = false;
    for (int k = 0; k < count; ++k)
    {
      const BenchTrial* trial = find_result(bench, columns[k], &like);
      if (!begun && !trial) break;
      if (!begun) lw_out_format(out, "%-9s %-24s", question_name(&like), trial_method(&like));
      begun = true;
      out_ns(out, 7, trial ? trial->best / trial_joints(trial) : NAN);
    }
    if (begun) lw_out_text(out, "\n");
  }
  lw_out_text(out, "\n");
}

void bench_write_growth(lwOut* out, const Bench* bench)
{
  const lwModel* columns[MAX_COLUMNS];
  int count = choose_columns(bench, columns);
  if (count < 3) return;
  for (int p = 0; p < 2; ++p)
    for (int mode = 0; mode < TRIAL_MODES && bench->precisions[p]; ++mode)
      write_growth(out, bench,
                   (BenchTrial){.precision = (lwPrecision)p, .mode = (TrialMode)mode, .threads = 1},
                   count, columns);
}

// --- generated code compared with the fastest kernel

static double fastest_kernel(const Bench* bench, const BenchTrial* generated)
{
  double fastest = INFINITY;
  for (int i = 0; i < bench->count; ++i)
  {
    const BenchTrial* other = &bench->trials[i];
    bool same               = other->model == generated->model && other->mode == generated->mode &&
                other->precision == generated->precision && other->threads == 1;
    if (same && !other->special && trial_question(other) == trial_question(generated))
      fastest = fmin(fastest, other->best);
  }
  return fastest;
}

// Time of generated code relative to the fastest kernel; NaN if there is no such code.
static double generated_ratio(const Bench* bench, const lwModel* model, lwQuestion question,
                              TrialMode mode)
{
  for (int i = 0; i < bench->count; ++i)
  {
    const BenchTrial* trial = &bench->trials[i];
    if (trial->special && trial->model == model && trial->mode == mode &&
        trial_question(trial) == question)
      return trial->best / fastest_kernel(bench, trial);
  }
  return NAN;
}

static const lwQuestion RACED[] = {LW_QUESTION_INVERSE, LW_QUESTION_INERTIA, LW_QUESTION_FORWARD};

enum
{
  RACED_COUNT = sizeof RACED / sizeof *RACED
};

static void write_paying(lwOut* out, const Bench* bench, int k)
{
  static const char* const modes[] = {"one state per call", "batch"};
  lw_out_format(out, "%-9s", lw_question_info(RACED[k])->name);
  for (int mode = 0; mode < TRIAL_MODES; ++mode)
  {
    int longest = 0;
    for (int i = 0; i < bench->robots; ++i)
    {
      double ratio = generated_ratio(bench, bench->models[i], RACED[k], (TrialMode)mode);
      if (ratio < 1) longest = lw_model_dof(bench->models[i]);
    }
    lw_out_format(out, "%s %s up to n = %d", mode ? ";" : " pays,", modes[mode], longest);
  }
  lw_out_text(out, "\n");
}

void bench_write_generated(lwOut* out, const Bench* bench)
{
  if (!bench->generated || !bench->chains || bench->robots < 2) return;
  lw_out_text(out,
              "generated code: time as a part of that of the fastest kernel, double precision\n");
  lw_out_format(out, "%5s", "n");
  for (int k = 0; k < RACED_COUNT; ++k)
    lw_out_format(out, "%10s%8s", lw_question_info(RACED[k])->name, "batch");
  for (int i = 0; i < bench->robots; ++i)
  {
    lw_out_format(out, "\n%5d", lw_model_dof(bench->models[i]));
    for (int k = 0; k < RACED_COUNT; ++k)
      for (int mode = 0; mode < TRIAL_MODES; ++mode)
      {
        double ratio = generated_ratio(bench, bench->models[i], RACED[k], (TrialMode)mode);
        if (isnan(ratio))
          lw_out_format(out, "%*s", mode ? 8 : 10, "-");
        else
          lw_out_format(out, "%*.2f", mode ? 8 : 10, ratio);
      }
  }
  lw_out_text(out, "\n");
  for (int k = 0; k < RACED_COUNT; ++k)
    if (bench->question < 0 || (lwQuestion)bench->question == RACED[k]) write_paying(out, bench, k);
}

// Writes the times of composite-body and articulated-body on a robot. Returns their ratio: above 1
// if articulated-body is faster.
static double write_pair(lwOut* out, const Bench* bench, const lwModel* model, BenchTrial like)
{
  like.method                   = lw_method_find(LW_QUESTION_FORWARD, "composite-body");
  const BenchTrial* composite   = find_result(bench, model, &like);
  like.method                   = lw_method_find(LW_QUESTION_FORWARD, "articulated-body");
  const BenchTrial* articulated = find_result(bench, model, &like);
  double ratio = composite && articulated ? composite->best / articulated->best : NAN;
  out_ns(out, 12, composite ? composite->best : NAN);
  out_ns(out, 12, articulated ? articulated->best : NAN);
  lw_out_format(out, "%9.3f", ratio);
  return ratio;
}

static void write_conclusion(lwOut* out, const char* mode, int from)
{
  if (from > 0)
    lw_out_format(out, "%s: articulated-body is faster from n = %d on\n", mode, from);
  else
    lw_out_format(out, "%s: composite-body is faster for the longest chain\n", mode);
}

static void write_crossover(lwOut* out, const Bench* bench, lwPrecision precision)
{
  static const char* const modes[] = {"one state per call", "batch"};
  int from[TRIAL_MODES]            = {0};
  lw_out_format(out,
                "forward dynamics by composite-body and by articulated-body: ns per state, %s "
                "precision, %s\n"
                "     %33s%33s\n%5s",
                precision == LW_PRECISION_DOUBLE ? "double" : "single",
                bench->count > 0 ? bench->trials[0].isa : "", modes[0], modes[1], "n");
  for (int mode = 0; mode < TRIAL_MODES; ++mode)
    lw_out_format(out, "%12s%12s%9s", "composite", "articulated", "ratio");
  for (int i = 0; i < bench->robots; ++i)
  {
    lw_out_format(out, "\n%5d", lw_model_dof(bench->models[i]));
    for (int mode = 0; mode < TRIAL_MODES; ++mode)
    {
      BenchTrial like = {.precision = precision, .mode = (TrialMode)mode, .threads = 1};
      double ratio    = write_pair(out, bench, bench->models[i], like);
      if (!(ratio > 1)) from[mode] = 0;
      if (ratio > 1 && from[mode] == 0) from[mode] = lw_model_dof(bench->models[i]);
    }
  }
  lw_out_text(out, "\n");
  for (int mode = 0; mode < TRIAL_MODES; ++mode) write_conclusion(out, modes[mode], from[mode]);
}

void bench_write_crossover(lwOut* out, const Bench* bench)
{
  for (int p = 0; p < 2; ++p)
    if (bench->precisions[p]) write_crossover(out, bench, (lwPrecision)p);
}
