// SPDX-License-Identifier: MIT
#include "compare/random_state.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"

enum
{
  GROUPS_OF_STATE = 4  // q qd qdd tau
};

static const double PI = 3.14159265358979323846;

// Both ends are met exactly, however far from each other they are.
static double random_between(lwRandom* random, double low, double high)
{
  double part = (double)(lw_random_bits(random) >> 11) * 0x1p-53;
  return low * (1 - part) + high * part;
}

lwStatus lw_random_state_create(lwRandomState* state, int n)
{
  double* values = calloc((size_t)n * GROUPS_OF_STATE + 1, sizeof *values);
  *state         = (lwRandomState){0};
  if (!values) return LW_ERROR_MEMORY;
  *state = (lwRandomState){.n   = n,
                           .q   = values,
                           .qd  = values + n,
                           .qdd = values + 2 * (size_t)n,
                           .tau = values + 3 * (size_t)n};
  return LW_OK;
}

void lw_random_state_destroy(lwRandomState* state)
{
  free(state->q);
}

// Limits beyond are none: such numbers stand in files that must have some.
static const double FAR = 1e4;  // rad or m

// Within the limits; a turn, or a metre to both sides, where there are none.
static double random_position(lwRandom* random, const lwJointDef* joint)
{
  double span = joint->type == LW_JOINT_REVOLUTE ? 2 * PI : 2;
  double low = joint->limits.lower, high = joint->limits.upper;
  bool below = fabs(low) <= FAR, above = fabs(high) <= FAR;
  if (!below) low = above ? high - span : -span / 2;
  if (!above) high = low + span;
  return random_between(random, low, high);
}

static double random_velocity(lwRandom* random, const lwJointDef* joint)
{
  double usual = joint->type == LW_JOINT_REVOLUTE ? 2 : 1;
  double most  = joint->limits.velocity < usual ? joint->limits.velocity : usual;
  return random_between(random, -most, most);
}

static void round_to_float(double* values, int count)
{
  for (int i = 0; i < count; ++i) values[i] = (float)values[i];
}

void lw_random_state_fill(lwRandomState* state, const lwModel* model, uint64_t seed, long number,
                          bool single)
{
  lwRandom random = {seed};
  random.state    = lw_random_bits(&random) + (uint64_t)number;
  random.state    = lw_random_bits(&random);
  for (int i = 0; i < state->n; ++i)
  {
    const lwJointDef* joint = &lw_model_robot(model)->joints[lw_model_joint(model, i)];
    state->q[i]             = random_position(&random, joint);
    state->qd[i]            = random_velocity(&random, joint);
    state->qdd[i]           = random_between(&random, -5, 5);
    state->tau[i]           = random_between(&random, -1, 1);
  }
  for (int k = 0; k < 6; ++k)
  {
    double most      = k < 3 ? 20 : 5;  // N, N m
    double value     = random_between(&random, -most, most);
    state->wrench[k] = number % 2 == 0 ? value : 0;
  }
  if (!single) return;
  round_to_float(state->q, GROUPS_OF_STATE * state->n);
  round_to_float(state->wrench, 6);
}
