// SPDX-License-Identifier: MIT
// Which suspects explain a difference, the likeliest first.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "compare/torques/causes.h"

// A partial explanation leaves a hundredth of the difference, and of the torques.
static const double MUCH_BETTER = 100, SMALL = 0.01;

// By which the score of an explanation with noise must improve for each unit of freedom.
static const double FREEDOM = 4;

// Pairs of suspects that leave more than this part of the difference are not looked at for noise.
static const double BETTER = 0.5;

// The search under way.
typedef struct Trials
{
  const lwModel* model;
  const lwTorqueLog* log;
  double tolerance;
  int capacity;
  bool no_memory;  // for a suspect
  lwMisfit misfit;
  lwExplanation* found;
} Trials;

// A trial as it was before numbers were fitted.
typedef struct TrialState
{
  double *rest, *q, *breakaway;
  char detail[LW_TRIAL_DETAIL];
} TrialState;

bool lw_candidate_is_fit(const lwCandidate* candidate)
{
  for (int k = 0; k < LW_TRIAL_SUSPECTS; ++k)
    if (candidate->suspect[k] && (candidate->suspect[k]->cause || candidate->suspect[k]->search))
      return true;
  return false;
}

bool lw_candidate_is_pair(const lwCandidate* candidate)
{
  return candidate->suspect[1] && !candidate->suspect[1]->left;
}

bool lw_candidate_is_noise(const lwCandidate* candidate)
{
  for (int k = 0; k < LW_TRIAL_SUSPECTS; ++k)
    if (candidate->suspect[k] && candidate->suspect[k]->left == LW_LEFT_NOISE) return true;
  return false;
}

int lw_candidate_freedom(const lwCandidate* candidate)
{
  int sum = 0;
  for (int k = 0; k < LW_TRIAL_SUSPECTS; ++k)
    if (candidate->suspect[k]) sum += candidate->suspect[k]->freedom;
  return sum;
}

// Explanations come first, those without noise before others, which are in the order of their
// scores; among these, suspects without unknowns before fitted ones, one suspect before two, few
// unknowns before many, then the smallest remainder.
static int compare_candidates(const void* a, const void* b)
{
  const lwCandidate *x = a, *y = b;
  bool noise = lw_candidate_is_noise(x);
  if (x->explains != y->explains) return (int)x->explains - (int)y->explains;
  if (noise != lw_candidate_is_noise(y)) return noise - lw_candidate_is_noise(y);
  if (noise && x->score != y->score) return x->score < y->score ? -1 : 1;
  if (x->explains != LW_EXPLAINS_NOT && lw_candidate_is_fit(x) != lw_candidate_is_fit(y))
    return lw_candidate_is_fit(x) - lw_candidate_is_fit(y);
  if (x->explains != LW_EXPLAINS_NOT && lw_candidate_is_pair(x) != lw_candidate_is_pair(y))
    return lw_candidate_is_pair(x) - lw_candidate_is_pair(y);
  if (x->explains != LW_EXPLAINS_NOT && lw_candidate_freedom(x) != lw_candidate_freedom(y))
    return lw_candidate_freedom(x) - lw_candidate_freedom(y);
  if (x->after.relative != y->after.relative) return x->after.relative < y->after.relative ? -1 : 1;
  return x->tried - y->tried;
}

// Memory for one more candidate, behind those that are kept; NULL: out of memory.
static lwCandidate* new_candidate(Trials* all)
{
  lwExplanation* found = all->found;
  lwCandidate* grown =
      lw_array_grow(found->candidates, found->count + 1, &all->capacity, sizeof *grown);
  if (!grown) all->no_memory = true;
  if (!grown) return NULL;
  found->candidates = grown;
  return &found->candidates[found->count];
}

// Adds the suspects with what is left in the trial: single ones always, more only if they explain.
static lwExplains keep_candidate(Trials* all, const lwTrial* trial,
                                 const lwSuspect* const suspect[LW_TRIAL_SUSPECTS], double before,
                                 double score)
{
  lwCandidate* candidate = new_candidate(all);
  if (!candidate) return LW_EXPLAINS_NOT;
  *candidate = (lwCandidate){.after = lw_trial_misfit(trial), .tried = all->found->count};
  for (int k = 0; k < LW_TRIAL_SUSPECTS && suspect[k]; ++k)
  {
    size_t used           = strlen(candidate->name);
    candidate->suspect[k] = suspect[k];
    snprintf(candidate->name + used, sizeof candidate->name - used, "%s%s", k > 0 ? " and " : "",
             suspect[k]->name);
  }
  snprintf(candidate->detail, sizeof candidate->detail, "%s", trial->detail);
  double after        = candidate->after.relative;
  candidate->explains = after <= all->tolerance                           ? LW_EXPLAINS
                        : after * MUCH_BETTER <= before && after <= SMALL ? LW_EXPLAINS_IN_PART
                                                                          : LW_EXPLAINS_NOT;
  candidate->held     = lw_trial_held_rows(trial);
  candidate->score    = score + FREEDOM * lw_candidate_freedom(candidate);
  if (!suspect[1] || candidate->explains != LW_EXPLAINS_NOT) ++all->found->count;
  return candidate->explains;
}

static const lwSuspect* suspect_of_left(lwLeft left)
{
  for (int i = 0; i < LW_SUSPECT_COUNT; ++i)
    if (LW_SUSPECTS[i].left == left) return &LW_SUSPECTS[i];
  return NULL;
}

// The suspects as they are, then with what may be left of the torques behind them: rounding, or
// with a regression noise. Both end the trial's rest.
static void keep_with_left(Trials* all, lwTrial* trial, const lwSuspect* first,
                           const lwSuspect* second, double before, lwRegression* regression,
                           const lwCauseFit* fit)
{
  const lwSuspect* suspect[LW_TRIAL_SUSPECTS] = {first, second};
  const lwSuspect** last                      = &suspect[(first != NULL) + (second != NULL)];
  double score                                = 0;
  if (first && keep_candidate(all, trial, suspect, before, 0) == LW_EXPLAINS) return;
  *last = suspect_of_left(LW_LEFT_ROUNDING);
  if (lw_search_rounding(trial))
    keep_candidate(all, trial, suspect, before, 0);
  else if (*last = suspect_of_left(LW_LEFT_NOISE),
           regression && lw_noise_is_left(regression, fit, &score))
    keep_candidate(all, trial, suspect, before, score);
}

// --- fits

static bool state_save(TrialState* state, const lwTrial* trial)
{
  size_t entries = lw_trial_entries(trial), n = (size_t)trial->n;
  size_t places          = (size_t)trial->file.count * (size_t)trial->nq;
  const lwArray arrays[] = {
      {&state->rest, entries}, {&state->q, places}, {&state->breakaway, n}, {0}};
  if (!lw_arrays_take(NULL, arrays)) return false;
  memcpy(state->breakaway, trial->breakaway, n * sizeof(double));
  memcpy(state->rest, trial->rest, entries * sizeof(double));
  memcpy(state->q, trial->file.values[LW_LOG_Q], places * sizeof(double));
  memcpy(state->detail, trial->detail, sizeof state->detail);
  return true;
}

static void state_restore(const TrialState* state, lwTrial* trial)
{
  size_t places = (size_t)trial->file.count * (size_t)trial->nq;
  memcpy(trial->rest, state->rest, lw_trial_entries(trial) * sizeof(double));
  memcpy(trial->file.values[LW_LOG_Q], state->q, places * sizeof(double));
  memcpy(trial->detail, state->detail, sizeof trial->detail);
  trial->fitted = false;
}

// What a candidate of this single suspect leaves; one that does not apply leaves everything.
static double left_by(const Trials* all, const lwSuspect* suspect)
{
  for (int i = 0; i < all->found->count && suspect; ++i)
    if (all->found->candidates[i].suspect[0] == suspect && !all->found->candidates[i].suspect[1])
      return fmin(all->found->candidates[i].after.relative, all->found->before);
  return all->found->before;
}

// A trial of suspects and its regression.
typedef struct FitTrial
{
  Trials* all;
  lwTrial* trial;
  lwRegression regression;
  TrialState state;
  bool held;  // standing joints do not decide, because friction is fitted
} FitTrial;

static long held_entries(const lwTrial* trial)
{
  long held = 0;
  for (size_t k = 0; k < lw_trial_entries(trial); ++k) held += !lw_trial_decides(trial, k);
  return held;
}

// With friction among the causes, joints that stand do not decide: the normal equations change.
static void hold_standing(FitTrial* fits, bool rubs)
{
  lwTrial* trial = fits->trial;
  long before    = held_entries(trial);
  if (rubs == fits->held) return;
  for (int i = 0; i < trial->n; ++i)
    trial->breakaway[i] = rubs ? INFINITY : fits->state.breakaway[i];
  fits->held = rubs;
  if (held_entries(trial) != before) lw_regression_weigh(&fits->regression);
}

static void restore_fits(FitTrial* fits, bool shifted)
{
  state_restore(&fits->state, fits->trial);
  if (!shifted) return;
  lw_trial_predict(fits->trial);
  state_restore(&fits->state, fits->trial);  // a search may have changed rest itself
  lw_regression_fill(&fits->regression, ~0u, -1);
  lw_regression_weigh(&fits->regression);
}

static void try_causes(FitTrial* fits, const lwSuspect* suspect, const lwSuspect* first,
                       const lwSuspect* second)
{
  Trials* all  = fits->all;
  bool rubs    = lw_cause_rubs(first->cause) || (second && lw_cause_rubs(second->cause));
  double alone = fmin(fmin(left_by(all, suspect), left_by(all, first)), left_by(all, second));
  lwCauseFit fit;
  if ((suspect || second) && alone <= all->tolerance) return;
  hold_standing(fits, rubs);
  bool found =
      lw_causes_fit(&fits->regression, first->cause, second ? second->cause : LW_CAUSE_NONE, &fit);
  fit.causes += suspect != NULL;
  if (found)
    keep_with_left(all, fits->trial, suspect ? suspect : first, suspect ? first : second, alone,
                   suspect ? NULL : &fits->regression, &fit);
  restore_fits(fits, fit.shifted);
}

// Two causes at once: not those that one of them contains.
static bool are_pair(const lwSuspect* first, const lwSuspect* second)
{
  bool joints[2] = {lw_cause_rubs(first->cause) || first->cause == LW_CAUSE_ROTORS,
                    lw_cause_rubs(second->cause) || second->cause == LW_CAUSE_ROTORS};
  bool zeros     = first->cause >= LW_CAUSE_ZERO && second->cause >= LW_CAUSE_ZERO;
  return first->cause && second->cause && !(joints[0] && joints[1]) && !zeros &&
         (first != second || first->cause == LW_CAUSE_MASS);
}

// Whether something explains the difference that has no unknowns, or whatever it has.
static bool is_explained(const Trials* all, bool anyhow)
{
  for (int i = 0; i < all->found->count; ++i)
  {
    const lwCandidate* candidate = &all->found->candidates[i];
    bool certain = !lw_candidate_is_noise(candidate) && !lw_candidate_is_fit(candidate);
    if (candidate->explains == LW_EXPLAINS && (anyhow || certain)) return true;
  }
  return false;
}

// The causes behind a suspect (or NULL), one by one, or in pairs. The zero of one joint is searched
// for behind a suspect, too; the zeros of all joints only without, which takes long enough. Noise
// is not looked for behind both a changed robot and a cause: the columns of a robot without
// gravity, say, do not know of what is wrong with gravity.
static void try_fits(FitTrial* fits, const lwSuspect* suspect, bool pairs)
{
  for (int i = 0; i < LW_SUSPECT_COUNT; ++i)
  {
    const lwSuspect* first = &LW_SUSPECTS[i];
    if (!first->cause || (suspect && first->cause == LW_CAUSE_ZEROS)) continue;
    if (!pairs) try_causes(fits, suspect, first, NULL);
    for (int j = i; j < LW_SUSPECT_COUNT && pairs; ++j)
      if (are_pair(first, &LW_SUSPECTS[j])) try_causes(fits, NULL, first, &LW_SUSPECTS[j]);
  }
}

// Noise behind the suspects of a trial, and the causes behind the first of them.
static void fit_behind(Trials* all, lwTrial* trial, const lwSuspect* const suspect[2], bool causes,
                       bool pairs)
{
  FitTrial fits      = {.all = all, .trial = trial};
  lwCauseFit nothing = {.causes = (suspect[0] != NULL) + (suspect[1] != NULL)};
  double score       = 0;
  lwStatus status    = lw_regression_open(&fits.regression, trial);
  if (status == LW_OK && state_save(&fits.state, trial))
  {
    const lwSuspect* with[LW_TRIAL_SUSPECTS]          = {suspect[0], suspect[1]};
    with[(suspect[0] != NULL) + (suspect[1] != NULL)] = suspect_of_left(LW_LEFT_NOISE);
    lw_regression_fill(&fits.regression, ~0u, -1);
    lw_regression_weigh(&fits.regression);
    bool exact = lw_trial_misfit(trial).relative <= all->tolerance;
    if (!pairs && !exact && lw_noise_is_left(&fits.regression, &nothing, &score))
      keep_candidate(all, trial, with, all->found->before, score);
    state_restore(&fits.state, trial);
    if (causes) try_fits(&fits, suspect[0], pairs);
  }
  else
    all->no_memory = true;
  free(fits.state.rest);
  lw_regression_close(&fits.regression);
}

// --- suspects

// Suspects that change the robot or the file, up to two, alone or with causes behind them.
static void try_changes(Trials* all, const lwSuspect* first, const lwSuspect* second, bool causes,
                        bool pairs)
{
  lwTrial trial;
  const lwSuspect* const suspect[2] = {first, second};
  lwCauseFit nothing                = {0};
  double alone                      = fmin(left_by(all, first), left_by(all, second));
  lwStatus status                   = lw_trial_open(&trial, all->model, all->log, first, second);
  bool better = status == LW_OK && first && lw_trial_misfit(&trial).relative < BETTER * alone;
  if (status == LW_OK && (causes || better)) fit_behind(all, &trial, suspect, causes, pairs);
  if (status == LW_OK && !causes) keep_with_left(all, &trial, first, second, alone, NULL, &nothing);
  if (status == LW_ERROR_MEMORY || trial.no_memory) all->no_memory = true;
  lw_trial_close(&trial);
}

// Every suspect that changes something, or every two of them of which at most one is searched for.
static void try_suspects(Trials* all, bool causes, bool pairs)
{
  for (int i = 0; i < LW_SUSPECT_COUNT; ++i)
  {
    const lwSuspect* first = &LW_SUSPECTS[i];
    if (!first->apply && !first->search) continue;
    if (!pairs) try_changes(all, first, NULL, causes, false);
    for (int j = i + 1; j < LW_SUSPECT_COUNT && pairs; ++j)
    {
      const lwSuspect* second = &LW_SUSPECTS[j];
      if ((second->apply || (second->search && !first->search)) &&
          fmin(left_by(all, first), left_by(all, second)) > all->tolerance)
        try_changes(all, first, second, false, false);
    }
  }
}

// Whether `more` has all suspects of `less`, and others.
static bool has_more(const lwCandidate* more, const lwCandidate* less)
{
  int count[2] = {0, 0};
  for (int k = 0; k < LW_TRIAL_SUSPECTS; ++k)
  {
    bool found = !less->suspect[k];
    for (int j = 0; j < LW_TRIAL_SUSPECTS; ++j) found |= more->suspect[j] == less->suspect[k];
    if (!found) return false;
    count[0] += more->suspect[k] != NULL;
    count[1] += less->suspect[k] != NULL;
  }
  return count[0] > count[1];
}

// Drops candidates with noise whose further suspects explain no more than chance: the same without
// them is likelier.
static void drop_chance(lwExplanation* found)
{
  int kept = 0;
  for (int i = 0; i < found->count; ++i) found->candidates[i].chance = false;
  for (int i = 0; i < found->count; ++i)
    for (int j = 0; j < found->count; ++j)
    {
      lwCandidate *one = &found->candidates[i], *other = &found->candidates[j];
      if (lw_candidate_is_noise(one) && lw_candidate_is_noise(other) && has_more(one, other) &&
          one->explains == other->explains && one->score >= other->score)
        one->chance = true;
    }
  for (int i = 0; i < found->count; ++i)
    if (!found->candidates[i].chance) found->candidates[kept++] = found->candidates[i];
  found->count = kept;
}

lwStatus lw_torques_explain(const lwModel* model, const lwTorqueLog* log, double tolerance,
                            lwExplanation* explanation)
{
  Trials all      = {.model = model, .log = log, .tolerance = tolerance, .found = explanation};
  *explanation    = (lwExplanation){0};
  lwStatus status = lw_torques_misfit(model, log, &all.misfit);
  if (status != LW_OK) return status;
  explanation->before = all.misfit.relative;
  try_changes(&all, NULL, NULL, false, false);
  try_suspects(&all, false, false);
  try_changes(&all, NULL, NULL, true, false);
  if (!is_explained(&all, false)) try_suspects(&all, false, true);
  if (!is_explained(&all, true)) try_changes(&all, NULL, NULL, true, true);
  if (!is_explained(&all, true)) try_suspects(&all, true, false);
  if (all.no_memory) return LW_ERROR_MEMORY;
  drop_chance(explanation);
  qsort(explanation->candidates, (size_t)explanation->count, sizeof *explanation->candidates,
        compare_candidates);
  return LW_OK;
}

lwStatus lw_torques_misfit(const lwModel* model, const lwTorqueLog* log, lwMisfit* misfit)
{
  lwTrial trial;
  lwStatus status = lw_trial_open(&trial, model, log, NULL, NULL);
  *misfit         = status == LW_OK ? lw_trial_misfit(&trial) : (lwMisfit){.relative = INFINITY};
  lw_trial_close(&trial);
  return status;
}
