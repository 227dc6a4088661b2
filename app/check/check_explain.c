// SPDX-License-Identifier: MIT
// Which suspects explain a difference, the likeliest first.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check_against.h"

// What explains in part leaves a hundredth of the difference, and of the torques.
static const double MUCH_BETTER = 100, SMALL = 0.01;

bool candidate_is_fit(const Candidate* candidate)
{
  for (int k = 0; k < TRIAL_SUSPECTS; ++k)
    if (candidate->suspect[k] && candidate->suspect[k]->fit) return true;
  return false;
}

bool candidate_is_pair(const Candidate* candidate)
{
  return candidate->suspect[1] != NULL;
}

// What explains comes first; of that, without unknowns before fitted, one suspect before two, and
// what leaves less.
static int compare(const void* a, const void* b)
{
  const Candidate *x = a, *y = b;
  if (x->explains != y->explains) return (int)x->explains - (int)y->explains;
  if (x->explains != EXPLAINS_NOT && candidate_is_fit(x) != candidate_is_fit(y))
    return candidate_is_fit(x) - candidate_is_fit(y);
  if (x->explains != EXPLAINS_NOT && candidate_is_pair(x) != candidate_is_pair(y))
    return candidate_is_pair(x) - candidate_is_pair(y);
  return (x->after.relative > y->after.relative) - (x->after.relative < y->after.relative);
}

static Explains judge(const Against* against, double after, double before)
{
  if (after <= against->tolerance) return EXPLAINS;
  return after * MUCH_BETTER <= before && after <= SMALL ? EXPLAINS_IN_PART : EXPLAINS_NOT;
}

// Tries one or two suspects; `before` is what the better one of them alone, or nothing, leaves.
static void try_suspects(Against* against, const Suspect* first, const Suspect* second,
                         double before)
{
  Candidate* candidate = &against->candidates[against->count];
  *candidate           = (Candidate){.suspect = {first, second}};
  snprintf(candidate->name, sizeof candidate->name, "%s%s%s", first->name, second ? " and " : "",
           second ? second->name : "");
  lwStatus status = trial_run(against->model, &against->sample, candidate->suspect,
                              &candidate->after, candidate->detail);
  if (status == LW_ERROR_MEMORY) against->no_memory = true;
  if (status != LW_OK) return;
  candidate->explains = judge(against, candidate->after.relative, before);
  if (!second || candidate->explains != EXPLAINS_NOT) ++against->count;
}

// By a suspect without unknowns.
static bool is_explained(const Against* against)
{
  for (int i = 0; i < against->count; ++i)
    if (against->candidates[i].explains == EXPLAINS && !candidate_is_fit(&against->candidates[i]))
      return true;
  return false;
}

// What a suspect alone leaves; that it does not apply leaves everything.
static double left_by(const Against* against, int singles, const Suspect* suspect)
{
  for (int i = 0; i < singles; ++i)
    if (against->candidates[i].suspect[0] == suspect)
      return fmin(against->candidates[i].after.relative, against->before);
  return against->before;
}

static void try_pairs(Against* against)
{
  int singles = against->count;
  for (int i = 0; i < SUSPECT_COUNT; ++i)
    for (int j = i + 1; j < SUSPECT_COUNT; ++j)
    {
      const Suspect *first = &SUSPECTS[i], *second = &SUSPECTS[j];
      if (first->fit && second->fit) continue;
      double alone = fmin(left_by(against, singles, first), left_by(against, singles, second));
      if (alone > against->tolerance) try_suspects(against, first, second, alone);
    }
}

int against_explain(Against* against)
{
  size_t most         = (size_t)SUSPECT_COUNT * (size_t)(SUSPECT_COUNT + 1) / 2 + 1;
  against->candidates = calloc(most, sizeof *against->candidates);
  if (!against->candidates) return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  for (int i = 0; i < SUSPECT_COUNT; ++i)
    try_suspects(against, &SUSPECTS[i], NULL, against->before);
  if (!is_explained(against)) try_pairs(against);
  if (against->no_memory) return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  qsort(against->candidates, (size_t)against->count, sizeof *against->candidates, compare);
  return DONE;
}
