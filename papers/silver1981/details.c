// SPDX-License-Identifier: MIT
// "A few minor points", the end of section 3.2: gravity by the base or by weights,
// and the wrench on the hand.
#include <math.h>
#include <string.h>

#include "formulations.h"
#include "identities.h"
#include "linkwork/drive.h"
#include "math/lu.h"
#include "silver1981.h"

// --- gravity

typedef struct Gravity
{
  Residual up;  // base up against weights
  // (torques with the base down - those with it up) / torques of gravity, the farthest from 2
  double down;
  FormulationTally base, weights;  // operations of both for six joints
} Gravity;

static void try_gravity(Gravity* gravity, const Arm* arm)
{
  double up[ARM_JOINTS], down[ARM_JOINTS], weights[ARM_JOINTS], without[ARM_JOINTS];
  Arm floating = *arm;
  memset(floating.gravity, 0, sizeof floating.gravity);
  FormulationTally tally;
  luh_torques(arm, LUH_BASE_DOWN, down, &tally);
  luh_torques(&floating, LUH_BASE_UP, without, &tally);
  luh_torques(arm, LUH_BASE_UP, up, &gravity->base);
  luh_torques(arm, LUH_WEIGHTS, weights, &gravity->weights);
  double wrong = 0, held = 0;
  for (int i = 0; i < arm->n; ++i)
  {
    residual_add(&gravity->up, up[i], weights[i]);
    wrong = fmax(wrong, fabs(down[i] - up[i]));
    held  = fmax(held, fabs(up[i] - without[i]));
  }
  residual_next(&gravity->up);
  if (fabs(wrong / held - 2) >= fabs(gravity->down - 2)) gravity->down = wrong / held;
}

static void measure_gravity(Page* page)
{
  lwRandom random = {(uint64_t)page_number(page, "seed")};
  Gravity gravity = {.down = 2};
  int n           = (int)page_number(page, "links");
  for (int k = 0; k < arms_to_try(page); ++k)
  {
    Arm arm;
    arm_random(&arm, &random, n, ARM_REVOLUTE);
    try_gravity(&gravity, &arm);
  }
  double base = (double)(gravity.base.mul + gravity.base.add);
  page_measure_one(page, "details/gravity", gravity.up.worst);
  page_measure_one(page, "details/gravity-once",
                   (double)(gravity.weights.mul + gravity.weights.add) / base);
  page_fact(page, "2-6", "costs %.4g times the gravity torques", gravity.down);
  page_note(
      page, "details",
      "If the base is accelerated as the text says, by the gravity vector instead of its negative, "
      "the torques are wrong by %.6g times the gravity torques (erratum 2-6).",
      gravity.down);
}

// --- axes of the links, or of the base

static void measure_axes(Page* page)
{
  lwRandom random   = {(uint64_t)page_number(page, "seed")};
  Residual residual = {0};
  double least      = INFINITY;
  int n             = (int)page_number(page, "links");
  for (int k = 0; k < arms_to_try(page) && page->status == DONE; ++k)
  {
    Arm arm;
    FormulationTally own, fixed;
    double tau[ARM_JOINTS], other[ARM_JOINTS];
    arm_random(&arm, &random, n, ARM_REVOLUTE);
    luh_torques(&arm, LUH_BASE_UP, tau, &own);
    fixed_torques(&arm, other, &fixed);
    for (int i = 0; i < arm.n; ++i) residual_add(&residual, other[i], tau[i]);
    residual_next(&residual);
    least = fmin(least, (double)(fixed.mul + fixed.add) / (double)(own.mul + own.add));
  }
  page_measure_one(page, "details/axes", residual.worst);
  page_measure_one(page, "details/axes-gain", least);
}

// --- friction

// tau qd of every formulation, friction added to its torques, less what friction takes, is the rate
// of K + P.
static void measure_friction(Page* page)
{
  lwRandom random   = {(uint64_t)page_number(page, "seed")};
  Residual residual = {0};
  for (int k = 0; k < arms_to_try(page) && page->status == DONE; ++k)
  {
    Arm arm;
    Chain chain;
    arm_random(&arm, &random, 2 + k % 5, ARM_MIXED);
    chain_in_time(&chain, &arm);
    double rate = chain_kinetic(&chain).a + chain_potential(&chain).a;
    for (int r = 0; r < RUNG_COUNT && page->status == DONE; ++r)
    {
      double tau[ARM_JOINTS], power = 0, lost = 0;
      page_check(page, arm_torques(&arm, RUNGS[r], NULL, tau));
      for (int i = 0; i < arm.n; ++i)
      {
        double loads[LW_LOAD_COUNT], b = 0.5 + i, c = 2.0 + i;
        lwJointDef joint     = arm.joint[i];
        lwJointSample sample = {.q = arm.q[i], .qd = arm.qd[i], .qdd = arm.qdd[i], .tau = tau[i]};
        joint.friction       = (lwFriction){.viscous = b, .coulomb = c};
        lw_joint_loads(&joint, &sample, 0, loads);
        power += loads[LW_LOAD_TORQUE] * arm.qd[i];
        lost += b * arm.qd[i] * arm.qd[i] + c * fabs(arm.qd[i]);
      }
      residual_add(&residual, power, rate + lost);
      residual_size(&residual, lost);
    }
    residual_next(&residual);
  }
  page_measure_one(page, "details/friction", residual.worst);
}

// --- the hand

enum
{
  EXTRA = 6  // joints of the additional link: it slides along x, y, z and turns about x, y, z
};

// Adds a link with six degrees of freedom: five links of zero mass and length, and one with mass.
static Arm with_additional_link(const Arm* arm, lwRandom* random)
{
  Arm more, body;
  arm_random(&body, random, 1, ARM_REVOLUTE);
  more = *arm;
  for (int e = 0; e < EXTRA; ++e)
  {
    lwJointDef* joint  = &more.joint[more.n];
    *joint             = lw_joint_def();
    joint->parent      = more.n - 1;
    joint->type        = e < 3 ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE;
    joint->placement   = LW_PLACEMENT_ORIGIN_AXIS;
    joint->axis[0]     = e % 3 == 0;
    joint->axis[1]     = e % 3 == 1;
    joint->axis[2]     = e % 3 == 2;
    more.q[more.n]     = 0;
    more.qd[more.n]    = 0;
    more.qdd[more.n++] = 0;
  }
  more.joint[more.n - 1].link = body.joint[0].link;
  return more;
}

// Accelerates the additional link so that it exerts the wrench on the hand:
// its joints must supply the negative.
static int pull(Page* page, Arm* more, const double wrench[EXTRA])
{
  int n = more->n - EXTRA, pivots[EXTRA];
  double rest[ARM_JOINTS], tau[ARM_JOINTS], M[EXTRA * EXTRA], qdd[EXTRA];
  const char* method = RUNGS[RUNG_OMEGA];
  page_check(page, arm_torques(more, method, NULL, rest));
  for (int c = 0; c < EXTRA && page->status == DONE; ++c)
  {
    more->qdd[n + c] = 1;
    page_check(page, arm_torques(more, method, NULL, tau));
    more->qdd[n + c] = 0;
    for (int r = 0; r < EXTRA; ++r) M[r * EXTRA + c] = tau[n + r] - rest[n + r];
    qdd[c] = -wrench[c] - rest[n + c];
  }
  if (page->status != DONE) return page->status;
  if (!lw_lu_factor(M, EXTRA, pivots))
    return page_fail(page, NUMERICAL, "the additional link has no inertia");
  lw_lu_solve(M, EXTRA, pivots, qdd);
  memcpy(more->qdd + n, qdd, sizeof qdd);
  return DONE;
}

static void measure_hand(Page* page)
{
  lwRandom random   = {(uint64_t)page_number(page, "seed")};
  Residual residual = {0};
  for (int k = 0; k < arms_to_try(page) && page->status == DONE; ++k)
  {
    Arm arm;
    double held[ARM_JOINTS], tau[ARM_JOINTS], wrench[EXTRA];
    arm_random(&arm, &random, 2 + k % 5, ARM_MIXED);
    for (int i = 0; i < EXTRA; ++i) wrench[i] = lw_random_between(&random, -20, 20);
    Arm more = with_additional_link(&arm, &random);
    if (pull(page, &more, wrench) != DONE) return;
    page_check(page, arm_torques(&more, RUNGS[RUNG_OMEGA], NULL, tau));
    page_check(page, arm_torques(&arm, RUNGS[RUNG_NEWTON_EULER], wrench, held));
    for (int i = 0; i < arm.n && page->status == DONE; ++i)
      residual_add(&residual, tau[i], held[i]);
    residual_next(&residual);
  }
  page_measure_one(page, "details/hand", residual.worst);
}

void silver_details(Page* page)
{
  page_progress(page, "gravity and the hand");
  measure_axes(page);
  measure_friction(page);
  measure_gravity(page);
  measure_hand(page);
}
