// SPDX-License-Identifier: MIT
#include "compare/random_state.h"

#include <math.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "base/random.h"
#include "base/units.h"

static const int GROUPS_OF_STATE = 4;  // q qd qdd tau

// Both ends are met exactly, however far from each other they are.
static double random_between(lwRandom* random, double low, double high)
{
  double part = (double)(lw_random_bits(random) >> 11) * 0x1p-53;
  return low * (1 - part) + high * part;
}

lwStatus lw_random_state_create(lwRandomState* state, const lwModel* model)
{
  size_t n = (size_t)lw_model_dof(model), nq = (size_t)lw_model_nq(model);
  const lwArray arrays[] = {
      {&state->q, nq}, {&state->qd, n}, {&state->qdd, n}, {&state->tau, n}, {0}};
  *state = (lwRandomState){.n = (int)n, .nq = (int)nq};
  return lw_arrays_take(NULL, arrays) ? LW_OK : LW_ERROR_MEMORY;
}

void lw_random_state_destroy(lwRandomState* state)
{
  free(state->q);
}

// Larger limits count as none: such numbers are in files that must have some.
static const double FAR = 1e4;  // rad or m

// Within the limits; a turn, or a metre to both sides, where there are none.
static double random_position(lwRandom* random, const lwJointDef* joint, bool slides)
{
  double span = slides ? 2 : 2 * LW_PI;
  double low = joint->limits.lower, high = joint->limits.upper;
  bool below = fabs(low) <= FAR, above = fabs(high) <= FAR;
  if (!below) low = above ? high - span : -span / 2;
  if (!above) high = low + span;
  return random_between(random, low, high);
}

static void round_to_float(double* values, int count)
{
  for (int i = 0; i < count; ++i) values[i] = (float)values[i];
}

void lw_random_state_fill(lwRandomState* state, const lwModel* model, uint64_t seed, long number,
                          bool single)
{
  lwRandom random = {seed};
  state->number   = number;
  random.state    = lw_random_bits(&random) + (uint64_t)number;
  random.state    = lw_random_bits(&random);
  for (int i = 0; i < state->n; ++i)
  {
    const lwJointDef* joint = lw_model_joint_def(model, i);
    lwCoordinate entry      = lw_model_velocity(model, i);
    double position         = random_position(&random, joint, entry.slides);
    if (entry.other >= 0) state->q[entry.other] = position;
    double most   = fmin(joint->limits.velocity, entry.slides ? 1 : 2);
    state->qd[i]  = random_between(&random, -most, most);
    state->qdd[i] = random_between(&random, -5, 5);
    state->tau[i] = random_between(&random, -1, 1);
  }
  for (int i = 0; i < state->nq; ++i)  // of ball and floating joints
    if (lw_model_position(model, i).other < 0) state->q[i] = random_between(&random, -1, 1);
  lw_model_normalize(model, state->q);
  for (int k = 0; k < 6; ++k)
  {
    double most      = k < 3 ? 20 : 5;  // N, N m
    double value     = random_between(&random, -most, most);
    state->wrench[k] = number % 2 == 0 ? value : 0;
  }
  if (!single) return;
  round_to_float(state->q, state->nq + (GROUPS_OF_STATE - 1) * state->n);
  round_to_float(state->wrench, 6);
}
