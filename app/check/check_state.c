// SPDX-License-Identifier: MIT
// Random states for the checks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "check.h"

enum
{
  GROUPS_OF_STATE = 4  // q qd qdd tau
};

static const double PI = 3.14159265358979323846;

// SplitMix64 (Steele, Lea & Flood 2014).
static uint64_t random_bits(uint64_t* random)
{
  uint64_t z = *random += 0x9E3779B97F4A7C15u;
  z          = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z          = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static double random_between(uint64_t* random, double low, double high)
{
  double part = (double)(random_bits(random) >> 11) * 0x1p-53;
  return low * (1 - part) + high * part;
}

int check_state_create(CheckState* state, int n)
{
  double* values = calloc((size_t)n * GROUPS_OF_STATE + 1, sizeof *values);
  if (!values) return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  *state = (CheckState){.n   = n,
                        .q   = values,
                        .qd  = values + n,
                        .qdd = values + 2 * (size_t)n,
                        .tau = values + 3 * (size_t)n};
  return DONE;
}

void check_state_destroy(CheckState* state)
{
  free(state->q);
}

// Limits beyond are none: such numbers stand in files that must have some.
static const double FAR = 1e4;  // rad or m

// Within the limits; a turn, or a metre to both sides, where there are none.
static double random_position(uint64_t* random, const lwJointDef* joint)
{
  double span = joint->type == LW_JOINT_REVOLUTE ? 2 * PI : 2;
  double low = joint->limits.lower, high = joint->limits.upper;
  bool below = fabs(low) <= FAR, above = fabs(high) <= FAR;
  if (!below) low = above ? high - span : -span / 2;
  if (!above) high = low + span;
  return random_between(random, low, high);
}

static double random_velocity(uint64_t* random, const lwJointDef* joint)
{
  double usual = joint->type == LW_JOINT_REVOLUTE ? 2 : 1;
  double most  = joint->limits.velocity < usual ? joint->limits.velocity : usual;
  return random_between(random, -most, most);
}

static void round_to_float(double* values, int count)
{
  for (int i = 0; i < count; ++i) values[i] = (float)values[i];
}

void check_state_fill(CheckState* state, const lwModel* model, uint64_t seed, long number,
                      bool single)
{
  uint64_t random = seed;
  random          = random_bits(&random) + (uint64_t)number;
  random          = random_bits(&random);
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

static void write_list(Out* out, const char* name, const double* values, int count)
{
  out_format(out, " %s ", name);
  for (int i = 0; i < count; ++i)
  {
    if (i > 0) out_text(out, ",");
    out_number(out, values[i]);
  }
}

void check_state_write(Out* out, const CheckState* state, unsigned inputs)
{
  bool wrench = state->wrench[0] != 0;
  if (inputs & LW_INPUT_Q) write_list(out, "--q", state->q, state->n);
  if (inputs & LW_INPUT_QD) write_list(out, "--qd", state->qd, state->n);
  if (inputs & LW_INPUT_QDD) write_list(out, "--qdd", state->qdd, state->n);
  if (inputs & LW_INPUT_TAU) write_list(out, "--tau", state->tau, state->n);
  if ((inputs & LW_INPUT_WRENCH) && wrench) write_list(out, "--wrench", state->wrench, 6);
}

// In single quotes, a quote as '\''.
void check_path_write(Out* out, const char* path)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./";
  if (*path && path[strspn(path, plain)] == 0) return out_text(out, path);
  out_text(out, "'");
  for (; *path; ++path)
  {
    if (*path == '\'')
      out_text(out, "'\\''");
    else
      out_bytes(out, path, 1);
  }
  out_text(out, "'");
}
