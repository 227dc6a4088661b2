// SPDX-License-Identifier: MIT
// Differences are relative to the largest size of a quantity in any of the states: for
// torques the largest sum of the parts |inertial| + |velocity| + |gravity| of one joint, for
// the inertia matrix its largest entry, for energies the kinetic energy and the potential
// energy of the whole robot at the end of its reach, for positions the reach. Rotations count
// as positions at the end of the reach.
//
// Both descriptions are exact to rounding, so every length and angle is off by a few eps; the sum
// over a chain of `count` joints stays below BASE + PER_JOINT count of them. The worst of 900
// random robots came to a tenth of that.
#include "compare/same_robot.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/names.h"
#include "compare/random_state.h"

enum
{
  MOST_FOR_INERTIA = 2000,   // moving joints; beyond, inertia matrices are not compared
  MOST_FRAMES      = 256,    // links whose poses are compared, evenly spread,
  MOST_STEPS       = 200000  // and with the joints below them no more than these
};

static const double BASE = 32, PER_JOINT = 8;  // of the bound, in eps

const char* const LW_SAME_NAMES[LW_SAME_COUNT] = {"torque", "inertia", "acceleration", "energy",
                                                  "pose"};

// One description at work, and a state in the order of its joints.
typedef struct RobotSide
{
  const lwModel* model;
  lwWorkspace* ws;
  double *q, *qd, *qdd, *tau;  // (n)
  double *torque, *part;       // (n) answers
  double* M;                   // (n, n) or NULL
} RobotSide;

// A link by its number in both.
typedef struct LinkPair
{
  int in, out;
} LinkPair;

typedef struct Run
{
  lwSameRobot* same;
  int n;
  RobotSide in, out;
  int* order;  // (n) of the joints of `in`, their numbers in `out`
  LinkPair* pairs;
  int pair_count;
  lwRandomState state;
  double* scale;   // (n)
  double* answer;  // (n) of `out` in the order of `in`
  double reach;    // m
  double mass;     // kg
} Run;

static lwStatus lacks(lwSameRobot* same, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

static lwStatus lacks(lwSameRobot* same, const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(same->message, sizeof same->message, format, arguments);
  va_end(arguments);
  return LW_ERROR_INPUT;
}

// --- both robots

static lwStatus side_create(RobotSide* side, const lwModel* model)
{
  size_t n        = (size_t)lw_model_dof(model);
  bool matrix     = n <= MOST_FOR_INERTIA;
  side->model     = model;
  lwStatus status = lw_workspace_create(model, NULL, NULL, &side->ws);
  if (status != LW_OK) return status;
  double* values = calloc(6 * n + 1, sizeof *values);
  side->q        = values;
  side->M        = matrix ? calloc(n * n + 1, sizeof *side->M) : NULL;
  if (!values || (matrix && !side->M)) return LW_ERROR_MEMORY;
  side->qd     = values + n;
  side->qdd    = values + 2 * n;
  side->tau    = values + 3 * n;
  side->torque = values + 4 * n;
  side->part   = values + 5 * n;
  return LW_OK;
}

static void side_destroy(RobotSide* side)
{
  lw_workspace_destroy(side->ws);
  free(side->q);
  free(side->M);
}

// The moving joint of this name, looked for from `hint` on; -1: none.
static int find_joint(const lwModel* model, const char* name, int hint)
{
  int n = lw_model_dof(model);
  for (int k = 0; k < n; ++k)
    if (!strcmp(lw_joint_name(model, (hint + k) % n), name)) return (hint + k) % n;
  return -1;
}

static lwStatus match_joints(Run* run)
{
  const lwModel *in = run->same->in, *out = run->same->out;
  if (lw_model_dof(out) != run->n)
    return lacks(run->same, "%d moving joints instead of %d", lw_model_dof(out), run->n);
  int hint = 0;
  for (int i = 0; i < run->n; ++i)
  {
    run->order[i] = find_joint(out, lw_joint_name(in, i), hint);
    if (run->order[i] < 0)
      return lacks(run->same, "no moving joint '%.100s'", lw_joint_name(in, i));
    if (run->order[i] != i) run->same->reordered = true;
    hint = run->order[i] + 1;
  }
  return LW_OK;
}

static int find_link(const lwRobotDef* robot, const char* name, int hint)
{
  for (int k = 0; k < robot->count; ++k)
  {
    int i = (hint + k) % robot->count;
    if (!strcmp(lw_link_name(&robot->joints[i]), name)) return i;
  }
  return -1;
}

// Links whose frames stay; the last one always, and others with even steps if there are too many.
static lwStatus match_links(Run* run)
{
  const lwSameRobot* same = run->same;
  const lwRobotDef* robot = same->written;
  int step = robot->count / MOST_FRAMES + 1, before_in = 0, before_out = 0;
  for (int k = robot->count - 1; k >= 0; --k)
  {
    bool wanted = (robot->count - 1 - k) % step == 0;
    if (!wanted || !same->keeps_frame[k]) continue;
    const char* name = lw_link_name(&robot->joints[k]);
    LinkPair pair    = {find_link(lw_model_robot(same->in), name, before_in),
                        find_link(lw_model_robot(same->out), name, before_out)};
    if (pair.in < 0 || pair.out < 0) return lacks(run->same, "no link '%.100s'", name);
    run->pairs[run->pair_count++] = pair;
    before_in                     = pair.in > 0 ? pair.in - 1 : 0;
    before_out                    = pair.out > 0 ? pair.out - 1 : 0;
  }
  run->same->frames = run->pair_count;
  return LW_OK;
}

// The stretched robot, and what it weighs.
static void compare_quantities(Run* run)
{
  const lwRobotDef* robot = lw_model_robot(run->same->in);
  run->mass               = robot->base.mass;
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    const double* p         = joint->xyz;
    bool axis               = joint->placement == LW_PLACEMENT_ORIGIN_AXIS;
    run->reach += axis ? hypot(hypot(p[0], p[1]), p[2]) : hypot(joint->a, joint->d);
    run->reach += hypot(hypot(joint->link.com[0], joint->link.com[1]), joint->link.com[2]);
    run->mass += joint->link.mass;
  }
}

static lwStatus run_create(Run* run, lwSameRobot* same)
{
  size_t n        = (size_t)lw_model_dof(same->in);
  *run            = (Run){.same = same, .n = (int)n};
  lwStatus status = side_create(&run->in, same->in);
  if (status == LW_OK) status = side_create(&run->out, same->out);
  if (status == LW_OK) status = lw_random_state_create(&run->state, same->in);
  if (status != LW_OK) return status;
  run->order  = calloc(n + 1, sizeof *run->order);
  run->pairs  = calloc((size_t)same->written->count + 1, sizeof *run->pairs);
  run->scale  = calloc(n + 1, sizeof *run->scale);
  run->answer = calloc(n + 1, sizeof *run->answer);
  if (!run->order || !run->pairs || !run->scale || !run->answer) return LW_ERROR_MEMORY;
  compare_quantities(run);
  status = match_joints(run);
  if (status == LW_OK) status = match_links(run);
  return status;
}

static void run_destroy(Run* run)
{
  side_destroy(&run->in);
  side_destroy(&run->out);
  lw_random_state_destroy(&run->state);
  free(run->order);
  free(run->pairs);
  free(run->scale);
  free(run->answer);
}

// --- one state

static double vector_norm(const double* x, int count)
{
  double most = 0;
  for (int i = 0; i < count; ++i) most = isnan(x[i]) ? INFINITY : fmax(most, fabs(x[i]));
  return most;
}

// A difference in one state, and the size of the quantity there.
static void note_difference(Run* run, lwSameQuantity quantity, long number, double difference,
                            double size)
{
  lwSameRow* row = &run->same->rows[quantity];
  row->size      = fmax(row->size, size);
  if (!(difference > row->absolute)) return;
  row->absolute = difference;
  row->state    = number;
}

static void proof_finish(lwSameRobot* same)
{
  for (int k = 0; k < LW_SAME_COUNT; ++k)
  {
    lwSameRow* row = &same->rows[k];
    row->worst     = row->absolute == 0 ? 0 : row->absolute / row->size;
    if (isnan(row->worst)) row->worst = INFINITY;
  }
}

static void set_state(Run* run, long number)
{
  const lwRandomState* state = &run->state;
  lw_random_state_fill(&run->state, run->same->in, (uint64_t)run->same->seed, number, false);
  for (int i = 0; i < run->n; ++i)
  {
    int k        = run->order[i];
    run->in.q[i] = run->out.q[k] = state->q[i];
    run->in.qd[i] = run->out.qd[k] = state->qd[i];
    run->in.qdd[i] = run->out.qdd[k] = state->qdd[i];
  }
}

// Answer of `out` to a question of n numbers, in the order of `in`.
static const double* in_joint_order(Run* run, const double* answer)
{
  for (int i = 0; i < run->n; ++i) run->answer[i] = answer[run->order[i]];
  return run->answer;
}

static double largest_difference(const double* a, const double* b, int count)
{
  double most = 0;
  for (int i = 0; i < count; ++i)
  {
    double difference = fabs(a[i] - b[i]);
    if (isnan(difference)) return INFINITY;
    most = fmax(most, difference);
  }
  return most;
}

static void add_sizes(double* scale, const double* part, int n)
{
  for (int i = 0; i < n; ++i) scale[i] += fabs(part[i]);
}

// Torques of both, and the size of their parts.
static void compare_torques(Run* run, long number)
{
  RobotSide* in = &run->in;
  memset(run->scale, 0, (size_t)run->n * sizeof *run->scale);
  lw_inverse_dynamics(in->model, in->ws, in->q, in->qd, in->qdd, in->torque);
  lw_coriolis(in->model, in->ws, in->q, in->qd, in->part);
  add_sizes(run->scale, in->part, run->n);
  lw_gravity(in->model, in->ws, in->q, in->part);
  add_sizes(run->scale, in->part, run->n);
  lw_bias(in->model, in->ws, in->q, in->qd, in->part);
  for (int i = 0; i < run->n; ++i) in->part[i] -= in->torque[i];
  add_sizes(run->scale, in->part, run->n);
  lw_inverse_dynamics(run->out.model, run->out.ws, run->out.q, run->out.qd, run->out.qdd,
                      run->out.torque);
  note_difference(run, LW_SAME_TORQUE, number,
                  largest_difference(in->torque, in_joint_order(run, run->out.torque), run->n),
                  vector_norm(run->scale, run->n));
}

static void compare_inertias(Run* run, long number)
{
  if (!run->in.M) return;
  size_t n          = (size_t)run->n;
  double difference = 0;
  lw_inertia_matrix(run->in.model, run->in.ws, run->in.q, run->in.M);
  lw_inertia_matrix(run->out.model, run->out.ws, run->out.q, run->out.M);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
    {
      const double* M = run->out.M;
      double d = fabs(run->in.M[i * n + j] - M[(size_t)run->order[i] * n + (size_t)run->order[j]]);
      difference = isnan(d) ? INFINITY : fmax(difference, d);
    }
  note_difference(run, LW_SAME_INERTIA, number, difference, vector_norm(run->in.M, (int)(n * n)));
}

// Forward dynamics of the torque of `in`: the difference is measured by the torque that it takes,
// so that neither is blamed for a nearly singular inertia matrix.
static void compare_accelerations(Run* run, long number)
{
  RobotSide *in = &run->in, *out = &run->out;
  if (run->same->rows[LW_SAME_ACCELERATION].left_out) return;
  for (int i = 0; i < run->n; ++i) out->tau[run->order[i]] = in->torque[i];
  lw_forward_dynamics(in->model, in->ws, in->q, in->qd, in->torque, in->part);
  lw_forward_dynamics(out->model, out->ws, out->q, out->qd, out->tau, out->part);
  lw_inverse_dynamics(in->model, in->ws, in->q, in->qd, in->part, in->tau);
  lw_inverse_dynamics(in->model, in->ws, in->q, in->qd, in_joint_order(run, out->part), in->part);
  note_difference(run, LW_SAME_ACCELERATION, number, largest_difference(in->tau, in->part, run->n),
                  vector_norm(run->scale, run->n));
}

static void compare_energies(Run* run, long number)
{
  double a[2], b[2];
  const double* g = lw_model_robot(run->same->in)->gravity;
  lw_energy(run->in.model, run->in.ws, run->in.q, run->in.qd, &a[0], &a[1]);
  lw_energy(run->out.model, run->out.ws, run->out.q, run->out.qd, &b[0], &b[1]);
  note_difference(run, LW_SAME_ENERGY, number, largest_difference(a, b, 2),
                  fabs(a[0]) + fabs(a[1]) +
                      run->mass * run->reach * hypot(hypot(g[0], g[1]), g[2]));
}

// Where prismatic joints have slid to belongs to the size of positions.
static double joint_travel(const Run* run)
{
  double sum = 0;
  for (int i = 0; i < run->n; ++i)
    if (lw_model_velocity(run->same->in, i).slides) sum += fabs(run->in.q[i]);
  return sum;
}

static void compare_poses(Run* run, long number)
{
  double size = run->reach + joint_travel(run);
  for (int k = 0; k < run->pair_count; ++k)
  {
    lwFrame in_frame = {.joint = run->pairs[k].in}, out_frame = {.joint = run->pairs[k].out};
    double p[2][3], R[2][9];
    lw_workspace_set_frame(run->in.ws, run->in.model, &in_frame, NULL);
    lw_workspace_set_frame(run->out.ws, run->out.model, &out_frame, NULL);
    lw_pose(run->in.model, run->in.ws, run->in.q, p[0], R[0]);
    lw_pose(run->out.model, run->out.ws, run->out.q, p[1], R[1]);
    note_difference(run, LW_SAME_POSE, number, largest_difference(p[0], p[1], 3), size);
    note_difference(run, LW_SAME_POSE, number, largest_difference(R[0], R[1], 9) * size, size);
  }
}

lwStatus lw_same_robot_run(lwSameRobot* same)
{
  Run run;
  int joints                                = same->written->count;
  same->bound                               = (BASE + PER_JOINT * joints) * DBL_EPSILON;
  same->rows[LW_SAME_INERTIA].left_out      = lw_model_dof(same->in) > MOST_FOR_INERTIA;
  same->rows[LW_SAME_ACCELERATION].left_out = lw_model_inert(same->in) >= 0;
  lwStatus status                           = run_create(&run, same);
  for (long k = 1; k <= same->states && status == LW_OK; ++k)
  {
    set_state(&run, k);
    compare_torques(&run, k);
    compare_inertias(&run, k);
    compare_accelerations(&run, k);
    compare_energies(&run, k);
    compare_poses(&run, k);
  }
  proof_finish(same);
  run_destroy(&run);
  return status;
}

bool lw_same_robot_holds(const lwSameRobot* same)
{
  for (int k = 0; k < LW_SAME_COUNT; ++k)
    if (!(same->rows[k].worst <= same->bound)) return false;
  return true;
}
