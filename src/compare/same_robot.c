// SPDX-License-Identifier: MIT
// Differences are relative to the largest size of a quantity in any of the states: for
// torques the largest sum of the parts |inertial| + |velocity| + |gravity| of one joint, for
// the inertia matrix its largest entry, for energies the kinetic energy and the potential
// energy of the whole robot at the end of its reach, for positions the reach. Rotations count
// as positions at the end of the reach, and so do the angles by which loops are open.
//
// States are of the tree of joints; loops are compared by how open their rows are in them.
//
// Both descriptions are exact to rounding, so every length and angle is off by a few eps; the sum
// over a chain of `count` joints stays below BASE + PER_JOINT count of them. The worst of 900
// random robots came to a tenth of that.
#include "compare/same_robot.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arrays.h"
#include "compare/gap.h"
#include "compare/random_state.h"
#include "identify/regressor.h"
#include "linear/vectors.h"
#include "loop/loop_workspace.h"
#include "math/elementary.h"

enum
{
  MOST_FOR_INERTIA = 2000,   // moving joints; beyond, inertia matrices are not compared
  MOST_FRAMES      = 256,    // links whose poses are compared, evenly spread,
  MOST_STEPS       = 200000  // and with the joints below them no more than these
};

static const double BASE = 32, PER_JOINT = 8;  // of the bound, in eps

const char* const LW_SAME_NAMES[LW_SAME_COUNT] = {"torque", "inertia", "acceleration",
                                                  "energy", "pose",    "loops"};

// One description at work, and a state in the order of its joints.
typedef struct RobotSide
{
  const lwModel* model;
  lwWorkspace* ws;
  lwLoops* loops;          // or NULL
  double* q;               // (nq)
  double *qd, *qdd, *tau;  // (n)
  double *torque, *part;   // (n) answers
  double* M;               // (n, n) or NULL
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
  int* order;    // (n) of the velocities of `in`, their numbers in `out`
  int* q_order;  // (nq) likewise of the positions
  LinkPair* pairs;
  int pair_count;
  lwRandomState state;
  double* scale;   // (n)
  double* answer;  // (n) of `out` in the order of `in`
  double reach;    // m
  double mass;     // kg
  lwArena arena;
} Run;

__attribute__((format(printf, 2, 3))) static lwStatus lacks(lwSameRobot* same, const char* format,
                                                            ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(same->message, sizeof same->message, format, arguments);
  va_end(arguments);
  return LW_ERROR_INPUT;
}

// --- both robots

static lwStatus side_create(RobotSide* side, const lwModel* model, lwArena* arena)
{
  size_t n = (size_t)lw_model_dof(model), nq = (size_t)lw_model_nq(model);
  bool matrix        = n <= MOST_FOR_INERTIA;
  lwWorkspaceDef def = lw_workspace_def();
  def.open_tree      = true;
  side->model        = model;
  lwStatus status    = lw_workspace_create(model, &def, NULL, &side->ws);
  if (status == LW_OK && lw_model_loop_count(model) > 0)
    status = lw_loops_create(model, NULL, NULL, &side->loops);
  if (status != LW_OK) return status;
  const lwArray arrays[] = {{&side->qd, n},
                            {&side->qdd, n},
                            {&side->tau, n},
                            {&side->torque, n},
                            {&side->part, n},
                            {&side->q, nq},
                            {matrix ? &side->M : NULL, n * n},
                            {0}};
  return lw_arrays_take(arena, arrays) ? LW_OK : LW_ERROR_MEMORY;
}

// Names of what a robot has, by number; NULL behind the last.
typedef const char* NameOf(const lwModel* model, int i);

static const char* position_name(const lwModel* model, int i)
{
  return i < lw_model_nq(model) ? lw_model_position(model, i).name : NULL;
}

static const char* moving_joint_name(const lwModel* model, int i)
{
  return i < lw_model_dof(model) ? lw_model_joint_name(model, i) : NULL;
}

static const char* joint_name(const lwModel* model, int i)
{
  const lwRobotDef* robot = lw_model_robot(model);
  return i < robot->count ? robot->joints[i].name : NULL;
}

static const char* carried_link_name(const lwModel* model, int i)
{
  const lwRobotDef* robot = lw_model_robot(model);
  return i < robot->count ? lw_link_name(&robot->joints[i]) : NULL;
}

// The number of a name, looked for from `hint` on and then from the first; -1: none.
static int find_name(const lwModel* model, NameOf* name_of, const char* name, int hint)
{
  const char* at = NULL;
  int i          = hint;
  while ((at = name_of(model, i)) && strcmp(at, name) != 0) ++i;
  if (at) return i;
  for (i = 0; i < hint && strcmp(name_of(model, i), name) != 0;) ++i;
  return i < hint ? i : -1;
}

// Numbers in `out` of all names of `in`, into order.
static lwStatus match_names(Run* run, NameOf* name_of, const char* what, int* order)
{
  const char* name = NULL;
  for (int i = 0, hint = 0; (name = name_of(run->same->in, i)); ++i)
  {
    order[i] = find_name(run->same->out, name_of, name, hint);
    if (order[i] < 0) return lacks(run->same, "no %s '%.100s'", what, name);
    hint = order[i] + 1;
  }
  return LW_OK;
}

// Positions have the names of their joints, too; those of quaternions have names of their own.
static lwStatus match_joints(Run* run)
{
  const lwModel *in = run->same->in, *out = run->same->out;
  if (lw_model_dof(out) != run->n)
    return lacks(run->same, "%d moving joints instead of %d", lw_model_dof(out), run->n);
  lwStatus status = match_names(run, moving_joint_name, "moving joint", run->order);
  if (status != LW_OK) return status;
  for (int i = 0; i < run->n; ++i)
    if (run->order[i] != i) run->same->reordered = true;
  if (lw_model_nq(out) != lw_model_nq(in))
    return lacks(run->same, "%d positions instead of %d", lw_model_nq(out), lw_model_nq(in));
  return match_names(run, position_name, "position", run->q_order);
}

// --- what a description says besides geometry and masses

enum NumberKind
{
  NUMBER_LIMIT,
  NUMBER_MOTOR,
  NUMBER_OTHER
};

// A number of a joint that no form changes.
typedef struct JointNumber
{
  const char* name;
  size_t offset;
  enum NumberKind kind;
} JointNumber;

#define JOINT_NUMBER(name, field, kind)                                                            \
  {                                                                                                \
    name, offsetof(lwJointDef, field), kind                                                        \
  }

static const JointNumber NUMBERS[] = {
    JOINT_NUMBER("lower limit", limits.lower, NUMBER_LIMIT),
    JOINT_NUMBER("upper limit", limits.upper, NUMBER_LIMIT),
    JOINT_NUMBER("velocity limit", limits.velocity, NUMBER_LIMIT),
    JOINT_NUMBER("effort limit", limits.effort, NUMBER_LIMIT),
    JOINT_NUMBER("acceleration limit", limits.acceleration, NUMBER_LIMIT),
    JOINT_NUMBER("jerk limit", limits.jerk, NUMBER_LIMIT),
    JOINT_NUMBER("viscous friction", friction.viscous, NUMBER_OTHER),
    JOINT_NUMBER("Coulomb friction", friction.coulomb, NUMBER_OTHER),
    JOINT_NUMBER("armature", armature, NUMBER_MOTOR),
    JOINT_NUMBER("gear", motor.gear, NUMBER_MOTOR),
    JOINT_NUMBER("resistance", motor.resistance, NUMBER_MOTOR),
    JOINT_NUMBER("torque constant", motor.torque_constant, NUMBER_MOTOR),
    JOINT_NUMBER("rotor inertia", motor.rotor_inertia, NUMBER_MOTOR),
    JOINT_NUMBER("inductance", motor.inductance, NUMBER_MOTOR),
    JOINT_NUMBER("efficiency", motor.efficiency, NUMBER_MOTOR),
    JOINT_NUMBER("voltage limit", motor.voltage, NUMBER_MOTOR),
    JOINT_NUMBER("current limit", motor.current, NUMBER_MOTOR),
    JOINT_NUMBER("multiplier", mimic.multiplier, NUMBER_OTHER),
    JOINT_NUMBER("offset", mimic.offset, NUMBER_OTHER),
};

static const char* leader_of(const lwRobotDef* robot, const lwJointDef* joint)
{
  return joint->mimic.given ? robot->joints[joint->mimic.leader].name : "";
}

static lwStatus compare_joint(Run* run, const lwJointDef* in, const lwJointDef* out)
{
  lwSameRobot* same = run->same;
  for (size_t k = 0; k < sizeof NUMBERS / sizeof *NUMBERS; ++k)
  {
    double a, b;
    memcpy(&a, (const char*)in + NUMBERS[k].offset, sizeof a);
    memcpy(&b, (const char*)out + NUMBERS[k].offset, sizeof b);
    bool skipped = (NUMBERS[k].kind == NUMBER_LIMIT && !same->limits) ||
                   (NUMBERS[k].kind == NUMBER_MOTOR && !same->motors);
    if (a != b && !skipped)
      return lacks(same, "at joint '%.100s' the %s %g instead of %g", in->name, NUMBERS[k].name, b,
                   a);
  }
  const char* leader = leader_of(lw_model_robot(same->in), in);
  if (strcmp(leader, leader_of(lw_model_robot(same->out), out)) != 0)
    return lacks(same, "joint '%.100s' mimic another joint", in->name);
  if (same->motors && in->motor.given != out->motor.given)
    return lacks(same, "%s motor at joint '%.100s'", in->motor.given ? "no" : "a", in->name);
  bool start = true;
  for (size_t k = 0; k < sizeof in->start / sizeof *in->start; ++k)
    start = start && in->start[k] == out->start[k];
  bool loops = same->loops && lw_model_loop_count(same->in) > 0;
  if (loops && (in->passive != out->passive || !start))
    return lacks(same, "another passive or start at joint '%.100s'", in->name);
  return LW_OK;
}

static lwStatus compare_loop_lists(Run* run)
{
  const lwRobotDef* in  = lw_model_robot(run->same->in);
  const lwRobotDef* out = lw_model_robot(run->same->out);
  if (in->loop_count != out->loop_count)
    return lacks(run->same, "%d loops instead of %d", out->loop_count, in->loop_count);
  // Rolling rows are named after links, and a link may have its frame on an added one.
  for (int k = 0; k < in->loop_count; ++k)
    if ((in->loops[k].type < LW_LOOP_SKATE && strcmp(in->loops[k].name, out->loops[k].name) != 0) ||
        in->loops[k].type != out->loops[k].type)
      return lacks(run->same, "no loop '%.100s' of its type", in->loops[k].name);
  if (lw_model_mobility(run->same->in) != lw_model_mobility(run->same->out))
    return lacks(run->same, "mobility %d instead of %d", lw_model_mobility(run->same->out),
                 lw_model_mobility(run->same->in));
  return LW_OK;
}

// Joints that conversion adds are fixed; those of `in` keep their names.
static lwStatus compare_descriptions(Run* run)
{
  const lwRobotDef* in  = lw_model_robot(run->same->in);
  const lwRobotDef* out = lw_model_robot(run->same->out);
  lwStatus status       = run->same->loops ? compare_loop_lists(run) : LW_OK;
  for (int i = 0, next = 0; i < in->count && status == LW_OK; ++i)
  {
    if (in->joints[i].type == LW_JOINT_FIXED) continue;
    int k = find_name(run->same->out, joint_name, in->joints[i].name, next);
    if (k < 0) return lacks(run->same, "no joint '%.100s'", in->joints[i].name);
    status = compare_joint(run, &in->joints[i], &out->joints[k]);
    next   = k + 1;
  }
  return status;
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
    LinkPair pair    = {find_name(same->in, carried_link_name, name, before_in),
                        find_name(same->out, carried_link_name, name, before_out)};
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
    run->reach += axis ? lw_hypot(lw_hypot(p[0], p[1]), p[2]) : lw_hypot(joint->a, joint->d);
    run->reach += lw_hypot(lw_hypot(joint->link.com[0], joint->link.com[1]), joint->link.com[2]);
    run->mass += joint->link.mass;
  }
}

static lwStatus run_create(Run* run, lwSameRobot* same)
{
  size_t n        = (size_t)lw_model_dof(same->in);
  *run            = (Run){.same = same, .n = (int)n};
  lwStatus status = side_create(&run->in, same->in, &run->arena);
  if (status == LW_OK) status = side_create(&run->out, same->out, &run->arena);
  if (status == LW_OK) status = lw_random_state_create(&run->state, same->in);
  if (status != LW_OK) return status;
  size_t nq = (size_t)lw_model_nq(same->in), links = (size_t)same->written->count;
  run->order             = lw_arena_take(&run->arena, n + 1, sizeof *run->order);
  run->q_order           = lw_arena_take(&run->arena, nq + 1, sizeof *run->q_order);
  run->pairs             = lw_arena_take(&run->arena, links + 1, sizeof *run->pairs);
  const lwArray arrays[] = {{&run->scale, n}, {&run->answer, n}, {0}};
  if (!run->order || !run->q_order || !run->pairs || !lw_arrays_take(&run->arena, arrays))
    return LW_ERROR_MEMORY;
  compare_quantities(run);
  status = match_joints(run);
  if (status == LW_OK) status = match_links(run);
  if (status == LW_OK) status = compare_descriptions(run);
  return status;
}

static void run_destroy(Run* run)
{
  lw_workspace_destroy(run->in.ws);
  lw_workspace_destroy(run->out.ws);
  lw_loops_destroy(run->in.loops);
  lw_loops_destroy(run->out.loops);
  lw_random_state_destroy(&run->state);
  lw_arena_free(&run->arena);
}

// --- one state

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

static void set_state(Run* run, long number)
{
  const lwRandomState* state = &run->state;
  lw_random_state_fill(&run->state, run->same->in, (uint64_t)run->same->seed, number, false);
  for (int i = 0; i < lw_model_nq(run->same->in); ++i)
    run->in.q[i] = run->out.q[run->q_order[i]] = state->q[i];
  for (int i = 0; i < run->n; ++i)
  {
    int k         = run->order[i];
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
  for (int i = 0; i < count; ++i) most = lw_gap_larger(most, fabs(a[i] - b[i]));
  return most;
}

static void add_sizes(Run* run)
{
  for (int i = 0; i < run->n; ++i) run->scale[i] += fabs(run->in.part[i]);
}

// Torques of both, and the size of their parts.
static void compare_torques(Run* run, long number)
{
  RobotSide* in = &run->in;
  memset(run->scale, 0, (size_t)run->n * sizeof *run->scale);
  lw_inverse_dynamics(in->model, in->ws, in->q, in->qd, in->qdd, in->torque);
  lw_coriolis(in->model, in->ws, in->q, in->qd, in->part);
  add_sizes(run);
  lw_gravity(in->model, in->ws, in->q, in->part);
  add_sizes(run);
  lw_bias(in->model, in->ws, in->q, in->qd, in->part);
  for (int i = 0; i < run->n; ++i) in->part[i] -= in->torque[i];
  add_sizes(run);
  lw_inverse_dynamics(run->out.model, run->out.ws, run->out.q, run->out.qd, run->out.qdd,
                      run->out.torque);
  note_difference(run, LW_SAME_TORQUE, number,
                  largest_difference(in->torque, in_joint_order(run, run->out.torque), run->n),
                  lw_largest_entry(run->n, run->scale));
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
      difference = lw_gap_larger(difference, d);
    }
  note_difference(run, LW_SAME_INERTIA, number, difference,
                  lw_largest_entry((int)(n * n), run->in.M));
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
                  lw_largest_entry(run->n, run->scale));
}

static void compare_energies(Run* run, long number)
{
  double a[2], b[2];
  const double* g = lw_model_robot(run->same->in)->gravity;
  lw_energy(run->in.model, run->in.ws, run->in.q, run->in.qd, &a[0], &a[1]);
  lw_energy(run->out.model, run->out.ws, run->out.q, run->out.qd, &b[0], &b[1]);
  note_difference(run, LW_SAME_ENERGY, number, largest_difference(a, b, 2),
                  fabs(a[0]) + fabs(a[1]) +
                      run->mass * run->reach * lw_hypot(lw_hypot(g[0], g[1]), g[2]));
}

// Where prismatic joints have slid to belongs to the size of positions.
static double joint_travel(const Run* run)
{
  double sum = 0;
  for (int i = 0; i < lw_model_nq(run->same->in); ++i)
    if (lw_model_position(run->same->in, i).slides) sum += fabs(run->in.q[i]);
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

// Largest difference of the rows that roll, which have no gap.
static double rolling_difference(Run* run)
{
  lwLoops *in = run->in.loops, *out = run->out.loops;
  double most = 0;
  lw_loops_at(in, run->in.q);
  lw_loops_at(out, run->out.q);
  for (int k = in->set->shut * in->dof; k < in->rows * in->dof && in->dof == out->dof; ++k)
    most = lw_gap_larger(most, fabs(in->J[k] - out->J[k]));
  return most;
}

// How open the rows of all loops are.
static void compare_loops(Run* run, long number)
{
  double size = run->reach + joint_travel(run), gap[2], most;
  if (run->same->rows[LW_SAME_LOOPS].left_out) return;
  lw_loops_gap(run->in.loops, run->in.q, gap);
  lw_loops_gap(run->out.loops, run->out.q, gap);
  most = rolling_difference(run);
  for (int r = 0; r < lw_model_loop_rows(run->same->in); ++r)
  {
    double d = fabs(run->in.loops->closer.error[r] - run->out.loops->closer.error[r]);
    if (lw_model_loop_row(run->same->in, r).turns) d *= size;
    most = lw_gap_larger(most, d);
  }
  note_difference(run, LW_SAME_LOOPS, number, most, size);
}

lwStatus lw_same_robot_run(lwSameRobot* same)
{
  Run run;
  int joints                                = same->written->count;
  same->bound                               = (BASE + PER_JOINT * joints) * DBL_EPSILON;
  same->rows[LW_SAME_INERTIA].left_out      = lw_model_dof(same->in) > MOST_FOR_INERTIA;
  same->rows[LW_SAME_ACCELERATION].left_out = lw_model_inert(same->in) >= 0;
  same->rows[LW_SAME_LOOPS].left_out        = !same->loops || lw_model_loop_count(same->in) == 0;
  lwStatus status                           = run_create(&run, same);
  for (long k = 1; k <= same->states && status == LW_OK; ++k)
  {
    set_state(&run, k);
    compare_torques(&run, k);
    compare_inertias(&run, k);
    compare_accelerations(&run, k);
    compare_energies(&run, k);
    compare_poses(&run, k);
    compare_loops(&run, k);
  }
  for (int k = 0; k < LW_SAME_COUNT; ++k)
  {
    lwSameRow* row = &same->rows[k];
    row->worst     = row->absolute == 0 ? 0 : row->absolute / row->size;
    if (isnan(row->worst)) row->worst = INFINITY;
  }
  run_destroy(&run);
  return status;
}

bool lw_same_robot_holds(const lwSameRobot* same)
{
  for (int k = 0; k < LW_SAME_COUNT; ++k)
    if (!(same->rows[k].worst <= same->bound)) return false;
  return true;
}
