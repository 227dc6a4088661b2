// SPDX-License-Identifier: MIT
// Formulas of arms over the integers modulo 2^61 - 1, against the kernels there: equal, or not.
#include "formula_prime.h"

#include "formula_chain.h"
#include "model/derived.h"

// A link of the field; the chain's own lies along x and is not skew.
static void random_prime_link(lwRandom* random, Link* link)
{
  *link = (Link){.mass = lw_prime_random(random)};
  r_sincos(lw_prime_random(random), &link->sin_alpha, &link->cos_alpha);
  r_sincos(lw_prime_random(random), &link->sin_theta, &link->cos_theta);
  link->cos_gamma = constant(1);
  random_numbers(random, link->span, 1);
  link->d = lw_prime_random(random);
  random_numbers(random, link->first_moment, 3);
  random_numbers(random, link->inertia, 6);
}

static void run_prime(const lwModel* arm, int kernel, void* work, const lwState* state, REAL* out,
                      int count)
{
  lw_prime_restart();
  lw_prime_variant()->kernels[kernel]->run(arm, work, state, out);
  lw_prime_settle(out, (size_t)count);
}

bool prime_chain(lwRandom* random, FormulaValues* values, FormulaFrames frames,
                 PrimeAnswers* answers)
{
  lwModel* chain = NULL;
  Link links[JOINTS];
  Ends ends = {0};
  REAL q[JOINTS], qd[JOINTS], qdd[JOINTS], bias[JOINTS];
  Turn turns[JOINTS];
  if (lw_model_create_generic(JOINTS, &chain) != LW_OK) return false;
  lwModel arm      = *chain;
  arm.scalar_links = links;
  arm.scalar_ends  = &ends;
  lw_prime_start(4 * JOINTS);
  for (int i = 0; i < JOINTS; ++i) random_prime_link(random, &links[i]);
  derive_links(&arm, links);
  random_numbers(random, ends.gravity, 3);
  random_numbers(random, q, JOINTS);
  random_numbers(random, qd, JOINTS);
  random_numbers(random, qdd, JOINTS);
  lw_prime_keep();
  size_t bytes = lw_kernel_bytes(lw_prime_variant()->kernels[LW_KERNEL_newton_euler], JOINTS) +
                 lw_kernel_bytes(lw_prime_variant()->kernels[LW_KERNEL_composite_body], JOINTS);
  void* work    = aligned_alloc(64, (bytes + 63) / 64 * 64);
  lwState state = {.q = q, .qd = qd, .qdd = qdd};
  if (work)
  {
    run_prime(&arm, LW_KERNEL_newton_euler, work, &state, answers->tau, JOINTS);
    state.qdd = NULL;
    run_prime(&arm, LW_KERNEL_newton_euler, work, &state, bias, JOINTS);
    run_prime(&arm, LW_KERNEL_composite_body, work, &state, answers->M, JOINTS * JOINTS);
    lw_prime_restart();
    joint_turns(&arm, q, turns);
    FormulaChain given = {&arm, turns, q, qd, qdd, bias};
    (frames == FRAMES_MODIFIED ? give_modified : give_standard)(values, &given);
  }
  free(work);
  lw_model_destroy(chain);
  return work != NULL;
}

static double primes_apart(REAL a, REAL b)
{
  return a.value != b.value;
}

bool formulas_try_prime(const Formulas* formulas, FormulaFrames frames, int count,
                        const FormulaAnswer* answers, FormulaTrial* trial)
{
  lwRandom random      = {61};
  FormulaTrial sides   = {0};
  FormulaValues values = {.trial = &sides, .apart = primes_apart};
  formula_begin(&values, formulas, JOINTS);
  values.array = malloc((size_t)(1 + values.directions) * VALUE_NAMES * sizeof(FormulaArray));
  PrimeAnswers* found = malloc(sizeof *found);
  bool enough         = values.array && found;
  PrimePoint* point   = frames == FRAMES_SNAKE ? prime_snake : prime_chain;
  if (enough) enough = point(&random, &values, frames, found);
  if (enough) run_formulas(&values, formulas);
  for (int a = 0; a < count && enough; ++a) compare_prime(&values, &answers[a], found, trial);
  trial->entries += sides.entries;
  trial->different += sides.different;
  if (values.wrong) trial->wrong = values.wrong;
  free(found);
  free(values.array);
  return enough;
}
