// SPDX-License-Identifier: MIT
// What is left of the torques: noise, if neither the columns of a regression nor the row before
// know anything about it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "compare/torques/causes.h"
#include "linear/vectors.h"
#include "math/elementary.h"

static const double CHANCE    = 5;     // standard deviations that chance may do
static const double MOST      = 0.05;  // of a joint's torques that may be noise,
static const double MOST_SIZE = 0.01;  // or of those of the strongest joint
static const double CAUSE     = 20;    // that a further cause has to improve the score by
static const double OUTLIER   = 15;    // standard deviations of a single torque

// Standard deviation of rest of joint i, N m or N; 0 if nothing of it decides.
static double deviation_of(const lwRegression* all, int i, int unknowns)
{
  double sum     = 0;
  long count     = 0;
  double freedom = (double)(all->equations - unknowns) / (double)all->equations;
  for (size_t k = (size_t)i; k < lw_trial_entries(all->trial); k += (size_t)all->n)
  {
    double left = all->trial->rest[k];
    if (!lw_trial_decides(all->trial, k)) continue;
    sum += left * left;
    ++count;
  }
  return count > 0 ? sqrt(sum / ((double)count * freedom)) : 0;
}

static bool joints_are_quiet(const lwRegression* all, int unknowns)
{
  const lwTrial* trial = all->trial;
  double strongest     = lw_largest_entry(all->n, trial->size);
  for (int i = 0; i < all->n; ++i)
  {
    double sigma = deviation_of(all, i, unknowns);
    if (!(sigma <= fmax(MOST * trial->size[i], MOST_SIZE * strongest))) return false;
    for (size_t k = (size_t)i; k < lw_trial_entries(trial); k += (size_t)all->n)
      if (lw_trial_decides(trial, k) && !(fabs(trial->rest[k]) <= OUTLIER * sigma)) return false;
  }
  return true;
}

// Rows are not like the rows before them: the correlation is that of chance.
static bool rows_differ(const lwRegression* all, int unknowns)
{
  const lwTrial* trial = all->trial;
  double square = 0, product = 0;
  size_t n = (size_t)all->n;
  for (size_t i = 0; i < n; ++i)
    for (size_t k = i; k < lw_trial_entries(trial); k += n)
    {
      if (!lw_trial_decides(trial, k)) continue;
      double w = all->weight[i] * all->weight[i], left = trial->rest[k];
      square += w * left * left;
      if (k >= n && lw_trial_decides(trial, k - n)) product += w * left * trial->rest[k - n];
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

bool lw_noise_is_left(lwRegression* all, const lwCauseFit* fit, double* score)
{
  lwTrial* trial = all->trial;
  if (fit->shifted) lw_regression_fill(all, ~0u, -1);
  if (fit->shifted) lw_regression_weigh(all);
  if (all->equations < 4 * all->rank || !(all->least > 0)) return false;
  if (!joints_are_quiet(all, fit->unknowns) || !rows_differ(all, fit->unknowns) ||
      !columns_know_nothing(all, fit))
    return false;
  *score = fit->terms * lw_log((double)all->equations) + 2 * lw_log(fmax(fit->choices, 1)) +
           CAUSE * fit->causes;
  for (int i = 0; i < all->n; ++i)
    *score += 2 * trial->file.count * lw_log(fmax(deviation_of(all, i, 0), DBL_MIN));
  lw_trial_note(trial, "%snoise, standard deviation in N m or N:", trial->detail[0] ? "; " : "");
  for (int i = 0; i < all->n; ++i)
    lw_trial_note(trial, "%s %s %.3g", i > 0 ? "," : "", lw_model_joint_name(trial->original, i),
                  deviation_of(all, i, fit->unknowns));
  memset(trial->rest, 0, lw_trial_entries(trial) * sizeof *trial->rest);
  return true;
}
