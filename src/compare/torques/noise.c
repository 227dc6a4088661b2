// SPDX-License-Identifier: MIT
// What is left of the torques: noise, if neither the columns of a regression nor the row before
// know anything about it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "compare/names.h"
#include "compare/torques/causes.h"

static const double CHANCE    = 5;     // standard deviations that chance may do
static const double MOST      = 0.05;  // of a joint's torques that may be noise,
static const double MOST_SIZE = 0.01;  // or of those of the strongest joint
static const double CAUSE     = 20;    // that a further cause has to improve the score by
static const double OUTLIER   = 15;    // standard deviations of a single torque

static size_t entry_at(const lwRegression* all, int row, int i)
{
  return (size_t)row * (size_t)all->n + (size_t)i;
}

// Standard deviation of rest of joint i, N m or N; 0 if nothing of it decides.
static double deviation_of(const lwRegression* all, int i, int unknowns)
{
  double sum     = 0;
  long count     = 0;
  double freedom = (double)(all->equations - unknowns) / (double)all->equations;
  for (int row = 0; row < all->trial->file.count; ++row)
  {
    double left = all->trial->rest[entry_at(all, row, i)];
    if (!lw_trial_decides(all->trial, row, i)) continue;
    sum += left * left;
    ++count;
  }
  return count > 0 ? sqrt(sum / ((double)count * freedom)) : 0;
}

static bool joints_are_quiet(const lwRegression* all, int unknowns)
{
  const lwTrial* trial = all->trial;
  double strongest     = 0;
  for (int i = 0; i < all->n; ++i) strongest = fmax(strongest, trial->size[i]);
  for (int i = 0; i < all->n; ++i)
  {
    double sigma = deviation_of(all, i, unknowns);
    if (!(sigma <= fmax(MOST * trial->size[i], MOST_SIZE * strongest))) return false;
    for (int row = 0; row < trial->file.count; ++row)
      if (lw_trial_decides(trial, row, i) &&
          !(fabs(trial->rest[entry_at(all, row, i)]) <= OUTLIER * sigma))
        return false;
  }
  return true;
}

// Rows are not like the rows before them: the correlation is that of chance.
static bool rows_differ(const lwRegression* all, int unknowns)
{
  double square = 0, product = 0;
  for (int i = 0; i < all->n; ++i)
    for (int row = 0; row < all->trial->file.count; ++row)
    {
      if (!lw_trial_decides(all->trial, row, i)) continue;
      double w = all->weight[i] * all->weight[i], left = all->trial->rest[entry_at(all, row, i)];
      square += w * left * left;
      if (row > 0 && lw_trial_decides(all->trial, row - 1, i))
        product += w * left * all->trial->rest[entry_at(all, row - 1, i)];
    }
  double equations = (double)all->equations;
  return fabs(product) <= square * (CHANCE + unknowns / sqrt(equations)) / sqrt(equations);
}

// All columns together fit no more of it than of any noise: an F test.
static bool columns_know_nothing(const lwRegression* all, const lwCauseFit* fit)
{
  double freedom = fmax(all->rank - fit->unknowns, 0);
  double unit    = all->least / (double)(all->equations - all->rank);
  double fitted  = lw_regression_squares(all) - all->least;
  return fitted <= unit * (freedom + CHANCE * sqrt(2 * freedom) + CHANCE);
}

static void note_noise(lwTrial* trial, const lwRegression* all, int unknowns)
{
  lw_trial_note(trial, "%snoise, standard deviation in N m or N:", trial->detail[0] ? "; " : "");
  for (int i = 0; i < all->n; ++i)
    lw_trial_note(trial, "%s %s %.3g", i > 0 ? "," : "", lw_joint_name(trial->original, i),
                  deviation_of(all, i, unknowns));
}

bool lw_noise_is_left(lwRegression* all, const lwCauseFit* fit, double* score)
{
  lwTrial* trial = all->trial;
  if (fit->shifted) lw_regression_fill(all, ~0u, -1);
  if (fit->shifted) lw_regression_weigh(all);
  if (all->equations < 4 * all->rank || !(all->least > 0)) return false;
  if (!joints_are_quiet(all, fit->unknowns) || !rows_differ(all, fit->unknowns) ||
      !columns_know_nothing(all, fit))
    return false;
  *score = fit->terms * log((double)all->equations) + 2 * log(fmax(fit->choices, 1)) +
           CAUSE * fit->causes;
  for (int i = 0; i < all->n; ++i)
    *score += 2 * trial->file.count * log(fmax(deviation_of(all, i, 0), DBL_MIN));
  note_noise(trial, all, fit->unknowns);
  memset(trial->rest, 0, (size_t)trial->file.count * (size_t)all->n * sizeof *trial->rest);
  return true;
}
