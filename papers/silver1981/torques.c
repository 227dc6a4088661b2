// SPDX-License-Identifier: MIT
// All formulations give the torques of Lagrange's equation itself, differentiated on random arms.
#include <math.h>
#include <stdio.h>

#include "formulations.h"
#include "identities.h"
#include "silver1981.h"

// (1.1): tau_j = d/dt dL/dqd_j - dL/dq_j, L = K - P, for every joint
static void lagrange_equation(const Arm* arm, double* tau)
{
  Chain place, rate;
  for (int j = 0; j < arm->n; ++j)
  {
    chain_by_place(&place, arm, j);
    chain_by_rate(&rate, arm, j);
    tau[j] = chain_kinetic(&rate).ab - (chain_kinetic(&place).b - chain_potential(&place).b);
  }
}

static void compare_torques(Residual* residual, int n, const double* left, const double* right)
{
  for (int i = 0; i < n; ++i) residual_add(residual, left[i], right[i]);
  residual_next(residual);
}

// What is compared with newton-euler.
typedef struct SilverTorques
{
  Residual rung[RUNG_COUNT];
  Residual equation;  // (1.1), on arms of all kinds
  Residual wrist;     // the same on arms with links of zero mass and length
  Residual luh;
  Residual direct;  // (3.11)-(3.16) as written
  long bits, all;   // torques of lagrange-omega that are equal to the last bit, of all
} SilverTorques;

static void try_torques(Page* page, SilverTorques* torques, const Arm* arm, ArmKind kind)
{
  double reference[ARM_JOINTS], tau[ARM_JOINTS];
  FormulationTally tally;
  if (page_check(page, arm_torques(arm, RUNGS[RUNG_NEWTON_EULER], NULL, reference)) != DONE) return;
  for (int r = 0; r < RUNG_NEWTON_EULER; ++r)
  {
    if (page_check(page, arm_torques(arm, RUNGS[r], NULL, tau)) != DONE) return;
    compare_torques(&torques->rung[r], arm->n, tau, reference);
    for (int i = 0; i < arm->n && r == RUNG_OMEGA; ++i, ++torques->all)
      torques->bits += tau[i] == reference[i];
  }
  lagrange_equation(arm, tau);
  compare_torques(kind == ARM_WRIST ? &torques->wrist : &torques->equation, arm->n, tau, reference);
  luh_torques(arm, LUH_BASE_UP, tau, &tally);
  compare_torques(&torques->luh, arm->n, tau, reference);
  direct_torques(arm, tau, &tally);
  compare_torques(&torques->direct, arm->n, tau, reference);
}

void silver_torques(Page* page)
{
  static const char* const claims[] = {"torques/uicker-kahn", "torques/hollerbach-4x4",
                                       "torques/hollerbach-3x3", "torques/omega"};
  static const ArmKind kinds[]      = {ARM_REVOLUTE, ARM_MIXED, ARM_WRIST};
  lwRandom random                   = {(uint64_t)page_number(page, "seed")};
  SilverTorques torques             = {.bits = 0};
  page_progress(page, "torques of random arms");
  for (int k = 0; k < arms_to_try(page); ++k)
  {
    Arm arm;
    arm_random(&arm, &random, 3 + k % 4, kinds[k % 3]);
    try_torques(page, &torques, &arm, kinds[k % 3]);
  }
  for (int r = 0; r < RUNG_NEWTON_EULER; ++r)
    page_measure_one(page, claims[r], torques.rung[r].worst);
  page_measure_one(page, "torques/equation", torques.equation.worst);
  page_measure_one(page, "torques/luh", torques.luh.worst);
  page_measure_one(page, "torques/direct-omega", torques.direct.worst);
  page_measure_one(page, "details/wrist", torques.wrist.worst);
  page_note(
      page, "torques",
      "Of %ld torques of `lagrange-omega`, %ld equal those of `newton-euler` to the last bit; the "
      "others differ by rounding, because the kernels add in a different order: one uses moments "
      "of inertia and w x (I w), the other the acceleration matrix and J.",
      torques.all, torques.bits);
}
