// SPDX-License-Identifier: MIT
// Which suspects explain a difference, the likeliest first.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/suspects.h"

// A partial explanation leaves a hundredth of the difference, and of the torques.
static const double MUCH_BETTER = 100, SMALL = 0.01;

// The search under way.
typedef struct Trials
{
  const lwModel* model;
  const lwTorqueLog* log;
  double tolerance;
  bool no_memory;  // for a suspect
  lwExplanation* found;
} Trials;

bool lw_candidate_is_fit(const lwCandidate* candidate)
{
  for (int k = 0; k < LW_TRIAL_SUSPECTS; ++k)
    if (candidate->suspect[k] && candidate->suspect[k]->fit) return true;
  return false;
}

bool lw_candidate_is_pair(const lwCandidate* candidate)
{
  return candidate->suspect[1] != NULL;
}

int lw_candidate_freedom(const lwCandidate* candidate)
{
  int sum = 0;
  for (int k = 0; k < LW_TRIAL_SUSPECTS; ++k)
    if (candidate->suspect[k]) sum += candidate->suspect[k]->freedom;
  return sum;
}

// Explanations come first; among these, suspects without unknowns before fitted ones, one suspect
// before two, few unknowns before many, then the smallest remainder.
static int compare_candidates(const void* a, const void* b)
{
  const lwCandidate *x = a, *y = b;
  if (x->explains != y->explains) return (int)x->explains - (int)y->explains;
  if (x->explains != LW_EXPLAINS_NOT && lw_candidate_is_fit(x) != lw_candidate_is_fit(y))
    return lw_candidate_is_fit(x) - lw_candidate_is_fit(y);
  if (x->explains != LW_EXPLAINS_NOT && lw_candidate_is_pair(x) != lw_candidate_is_pair(y))
    return lw_candidate_is_pair(x) - lw_candidate_is_pair(y);
  if (x->explains != LW_EXPLAINS_NOT && lw_candidate_freedom(x) != lw_candidate_freedom(y))
    return lw_candidate_freedom(x) - lw_candidate_freedom(y);
  return (x->after.relative > y->after.relative) - (x->after.relative < y->after.relative);
}

static lwExplains judge_misfit(const Trials* all, double after, double before)
{
  if (after <= all->tolerance) return LW_EXPLAINS;
  return after * MUCH_BETTER <= before && after <= SMALL ? LW_EXPLAINS_IN_PART : LW_EXPLAINS_NOT;
}

// Tries one or two suspects; `before` is what is left by the better one alone, or by none.
static void try_suspects(Trials* all, const lwSuspect* first, const lwSuspect* second,
                         double before)
{
  lwCandidate* candidate = &all->found->candidates[all->found->count];
  *candidate             = (lwCandidate){.suspect = {first, second}};
  snprintf(candidate->name, sizeof candidate->name, "%s%s%s", first->name, second ? " and " : "",
           second ? second->name : "");
  lwStatus status =
      lw_trial_run(all->model, all->log, candidate->suspect, &candidate->after, candidate->detail);
  if (status == LW_ERROR_MEMORY) all->no_memory = true;
  if (status != LW_OK) return;
  candidate->explains = judge_misfit(all, candidate->after.relative, before);
  if (!second || candidate->explains != LW_EXPLAINS_NOT) ++all->found->count;
}

// By a suspect without unknowns.
static bool is_explained(const Trials* all)
{
  for (int i = 0; i < all->found->count; ++i)
    if (all->found->candidates[i].explains == LW_EXPLAINS &&
        !lw_candidate_is_fit(&all->found->candidates[i]))
      return true;
  return false;
}

// What a suspect alone leaves; one that does not apply leaves everything.
static double left_by(const Trials* all, int singles, const lwSuspect* suspect)
{
  for (int i = 0; i < singles; ++i)
    if (all->found->candidates[i].suspect[0] == suspect)
      return fmin(all->found->candidates[i].after.relative, all->found->before);
  return all->found->before;
}

static void try_pairs(Trials* all)
{
  int singles = all->found->count;
  for (int i = 0; i < LW_SUSPECT_COUNT; ++i)
    for (int j = i + 1; j < LW_SUSPECT_COUNT; ++j)
    {
      const lwSuspect *first = &LW_SUSPECTS[i], *second = &LW_SUSPECTS[j];
      if (first->fit && second->fit && !second->last) continue;
      double alone = fmin(left_by(all, singles, first), left_by(all, singles, second));
      if (alone > all->tolerance) try_suspects(all, first, second, alone);
    }
}

lwStatus lw_torques_explain(const lwModel* model, const lwTorqueLog* log, double tolerance,
                            lwExplanation* explanation)
{
  static const lwSuspect* const none[LW_TRIAL_SUSPECTS] = {NULL};
  size_t most = (size_t)LW_SUSPECT_COUNT * (size_t)(LW_SUSPECT_COUNT + 1) / 2 + 1;
  Trials all  = {.model = model, .log = log, .tolerance = tolerance, .found = explanation};
  lwMisfit misfit;
  *explanation    = (lwExplanation){.candidates = calloc(most, sizeof *explanation->candidates)};
  lwStatus status = explanation->candidates ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_trial_run(model, log, none, &misfit, NULL);
  if (status != LW_OK) return status;
  explanation->before = misfit.relative;
  for (int i = 0; i < LW_SUSPECT_COUNT; ++i)
    try_suspects(&all, &LW_SUSPECTS[i], NULL, explanation->before);
  if (!is_explained(&all)) try_pairs(&all);
  if (all.no_memory) return LW_ERROR_MEMORY;
  qsort(explanation->candidates, (size_t)explanation->count, sizeof *explanation->candidates,
        compare_candidates);
  return LW_OK;
}
