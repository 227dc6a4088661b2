// SPDX-License-Identifier: MIT
// Suspects that are searched for: signs, exchanged joints, rounding.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/torques/suspects.h"
#include "math/elementary.h"

static const int SEARCH_JOINT =
    10;  // joints up to which all sets of signs are tried, not only pairs

// --- two joints that are exchanged

// All that the file has of the two joints, or their torques alone.
static void swap_joints(lwTrial* trial, int i, int j, bool torques)
{
  int n = trial->n, rows = trial->file.count;
  lw_swap_columns(trial->size, n, 1, i, j);
  lw_swap_columns(trial->extra, n, rows, i, j);
  for (int g = torques ? LW_LOG_TAU : LW_LOG_Q; g <= LW_LOG_TAU; ++g)
    lw_swap_columns(trial->file.values[g], n, rows, i, j);
}

typedef struct Exchange
{
  int i, j;
  bool torques;
  double least;
} Exchange;

bool lw_search_exchange(lwTrial* trial)
{
  int n = trial->n, rows = trial->file.count;
  Exchange best = {.least = INFINITY};
  if (n < 2 || trial->nq != n) return false;
  trial->file.count = rows < LW_SEARCH_ROWS ? rows : LW_SEARCH_ROWS;
  for (int torques = 0; torques < 2; ++torques)
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
      {
        swap_joints(trial, i, j, torques);
        lw_trial_predict(trial);
        double left = lw_trial_misfit(trial).relative;
        swap_joints(trial, i, j, torques);
        if (left < 0.999 * best.least) best = (Exchange){i, j, torques, left};
      }
  trial->file.count = rows;
  if (!isfinite(best.least)) return false;
  swap_joints(trial, best.i, best.j, best.torques);
  lw_trial_predict(trial);
  lw_trial_note_joint(trial, best.i);
  lw_trial_note_joint(trial, best.j);
  if (best.torques) lw_trial_note(trial, ": their torques alone");
  return true;
}

// --- rounding

// x has no more than `digits` digits behind the point.
static bool has_decimals(double x, int digits)
{
  double scaled = fabs(x) * lw_pow(10, digits);
  return scaled < 1e12 && fabs(scaled - round(scaled)) <= 1e-9 * fmax(scaled, 1);
}

static bool has_significant(double x, int digits)
{
  char text[40];
  snprintf(text, sizeof text, "%.*e", digits - 1, x);
  return fabs(strtod(text, NULL) - x) <= 1e-14 * fabs(x);
}

// The fewest digits that write all torques of the file; -1: more than ten.
static int digits_of(const lwTrial* trial, bool (*has)(double, int), int least)
{
  size_t entries = lw_trial_entries(trial);
  bool any       = false;
  int digits     = least;
  for (size_t k = 0; k < entries && digits <= 10; ++k)
  {
    double tau = trial->file.values[LW_LOG_TAU][k];
    any        = any || tau != 0;
    while (digits <= 10 && !has(tau, digits)) ++digits;
  }
  return any && digits <= 10 ? digits : -1;
}

// The remainder is within half of the last digit, or one and a half if numbers that were
// fitted to rounded torques add their own.
static bool is_rounding(const lwTrial* trial, int digits, bool significant, double halves)
{
  size_t entries = lw_trial_entries(trial);
  for (size_t k = 0; k < entries; ++k)
  {
    double tau = fabs(trial->file.values[LW_LOG_TAU][k]);
    double unit =
        lw_pow(10, significant ? (tau > 0 ? floor(lw_log10(tau)) : 0) - digits + 1 : -digits);
    if (!(fabs(trial->rest[k]) <= halves * unit / 2 * (1 + 1e-6) + 1e-13 * tau)) return false;
  }
  return true;
}

bool lw_search_rounding(lwTrial* trial)
{
  size_t entries = lw_trial_entries(trial);
  int decimals = digits_of(trial, has_decimals, 0), digits = digits_of(trial, has_significant, 1);
  double halves    = trial->fitted ? 3 : 1;
  bool point       = decimals >= 0 && is_rounding(trial, decimals, false, halves);
  bool significant = !point && digits > 0 && is_rounding(trial, digits, true, halves);
  if (!point && !significant) return false;
  const char* more = trial->detail[0] ? "; " : "";
  if (point)
    lw_trial_note(trial, "%storques have %d decimal%s: differences up to %.1g N m or N", more,
                  decimals, decimals == 1 ? "" : "s", lw_pow(10, -decimals) / 2);
  else
    lw_trial_note(trial, "%storques have %d significant digits", more, digits);
  memset(trial->rest, 0, entries * sizeof *trial->rest);
  return true;
}

// --- signs

// Ball and floating joints have no direction to reverse.
static void flip_joint(lwTrial* trial, int joint)
{
  lwTorqueLog* file = &trial->file;
  size_t n = (size_t)trial->n, nq = (size_t)trial->nq;
  int at = lw_model_velocity(trial->original, joint).other;
  for (int row = 0; row < file->count && at >= 0; ++row)
  {
    size_t k        = (size_t)row * n + (size_t)joint;
    double* q       = file->values[LW_LOG_Q] + (size_t)row * nq + (size_t)at;
    *q              = -*q;
    trial->extra[k] = -trial->extra[k];
    for (int g = LW_LOG_Q + 1; g <= LW_LOG_TAU; ++g) file->values[g][k] = -file->values[g][k];
  }
}

static void flip_set(lwTrial* trial, const bool* set)
{
  for (int i = 0; i < trial->n; ++i)
    if (set[i]) flip_joint(trial, i);
}

typedef struct FitSearch
{
  double least;
  bool *set, *best;  // (n)
} FitSearch;

// Keeps a set of reversed joints with which the first rows fit better.
static void search_try(lwTrial* trial, FitSearch* search)
{
  flip_set(trial, search->set);
  lw_trial_predict(trial);
  double relative = lw_trial_misfit(trial).relative;
  flip_set(trial, search->set);
  if (!(relative < 0.999 * search->least)) return;
  search->least = relative;
  memcpy(search->best, search->set, (size_t)trial->n * sizeof(bool));
}

// All sets for a few joints, those of up to two joints for many; small sets first.
static void search_sets(lwTrial* trial, FitSearch* search)
{
  int n = trial->n;
  for (int first = 0; first < n; ++first)
    for (int second = first; second < n; ++second)
    {
      memset(search->set, 0, (size_t)n);
      search->set[first] = search->set[second] = true;
      search_try(trial, search);
    }
  if (n > SEARCH_JOINT) return;
  for (unsigned bits = 1; bits < 1u << n; ++bits)
  {
    if (__builtin_popcount(bits) < 3) continue;
    for (int i = 0; i < n; ++i) search->set[i] = bits >> i & 1;
    search_try(trial, search);
  }
}

bool lw_search_joint_signs(lwTrial* trial)
{
  size_t n         = (size_t)trial->n;
  int rows         = trial->file.count;
  bool* sets       = calloc(2 * n + 1, sizeof(bool));
  FitSearch search = {INFINITY, sets, sets + n};
  if (!sets) trial->no_memory = true;
  if (!sets) return false;
  trial->file.count = rows < LW_SEARCH_ROWS ? rows : LW_SEARCH_ROWS;
  search_sets(trial, &search);
  trial->file.count = rows;
  flip_set(trial, search.best);
  lw_trial_predict(trial);
  for (int i = 0; i < (int)n; ++i)
    if (search.best[i]) lw_trial_note_joint(trial, i);
  free(sets);
  return isfinite(search.least);
}

// Changes the sign of the torques of a joint that fit much better that way.
bool lw_search_torque_signs(lwTrial* trial)
{
  int n        = trial->n;
  bool changed = false;
  double* tau  = trial->file.values[LW_LOG_TAU];
  for (int i = 0; i < n; ++i)
  {
    double as_is = 0, turned = 0;
    for (int row = 0; row < trial->file.count; ++row)
    {
      size_t k    = (size_t)row * n + i;
      double flip = trial->rest[k] - 2 * tau[k];
      as_is += trial->rest[k] * trial->rest[k];
      turned += flip * flip;
    }
    if (!(turned < 0.01 * as_is)) continue;
    changed = true;
    lw_trial_note_joint(trial, i);
    for (int row = 0; row < trial->file.count; ++row) tau[(size_t)row * n + i] *= -1;
  }
  if (changed) lw_trial_predict(trial);
  return changed;
}
