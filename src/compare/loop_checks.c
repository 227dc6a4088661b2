// SPDX-License-Identifier: MIT
// Checks of robots with closed loops, in states that keep them closed.
//
//   loops closed        the two frames of each loop meet, by poses of links alone
//   d row/dt            J v, and d(J v)/dt = dJ/dt v, for any v
//   J qd = 0            velocities that follow; J qdd + dJ/dt qd = 0
//   openings seen       lw_loops_check() accepts these states, and no others
//   projection          q and qd off the loops come back to them
//   tangent             the part of v that keeps the loops closed, and the bend of a motion
//   torques             qd . (tau of the tree - tau) = 0, and none where no drive is
//   forces in the cuts  tau of the tree - tau = J^T f
//   equation of motion  M qdd + bias = tau + J^T f and J qdd + dJ/dt qd = 0
//   forward after inverse
// and, about the questions in the speeds of driven joints, those of speed_checks.c.
//
// J is that of the loops themselves; the first two checks tie it to the poses of links.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/method_checks.h"
#include "loop/loop_workspace.h"
#include "math/elementary.h"

static const int HALVINGS = 8;     // on the way from a random position to that of the file
static const int BRANCHES = 256;   // of lw_loops_close_all() that are looked at
static const double ASIDE = 1e-3;  // rad or m that joints are moved off the loops

// --- states

// Part of the way from the file's position to a random one, and closed.
static bool close_part(lwMethodChecker* checker, const double* start, double part)
{
  int n        = checker->n;
  double* step = checker->scratch;
  lwLoops* all = checker->loops;
  double* q    = checker->state.q;
  lw_model_difference(checker->model, start, q, step);
  for (int i = 0; i < n; ++i) step[i] *= part;
  lw_model_integrate(checker->model, start, step, q);
  return lw_loops_close(all, q, NULL) == LW_OK &&
         lw_loops_velocity(all, q, checker->state.qd) == LW_OK &&
         lw_loops_acceleration(all, q, checker->state.qd, checker->state.qdd) == LW_OK;
}

void lw_checker_close_state(lwMethodChecker* checker)
{
  const lwRandomState* state = &checker->state;
  size_t n = (size_t)checker->n, nq = (size_t)state->nq;
  double *given = checker->wide, *start = checker->moved;
  memcpy(given, state->q, nq * sizeof *given);
  memcpy(given + nq, state->qd, n * sizeof *given);
  memcpy(given + nq + n, state->qdd, n * sizeof *given);
  lw_model_start(checker->model, start);
  for (int k = 0; k <= HALVINGS; ++k)
  {
    memcpy(state->q, given, nq * sizeof *given);
    memcpy(state->qd, given + nq, n * sizeof *given);
    memcpy(state->qdd, given + nq + n, n * sizeof *given);
    if (close_part(checker, start, k < HALVINGS ? ldexp(1, -k) : 0)) return;
  }
}

// --- rows of loops

// m, of all links of loops as they are placed; at least 1.
static double loop_reach(const lwLoops* loops)
{
  double reach = 1;
  for (int i = 0; i < loops->set->reach; ++i)
    reach = lw_gap_larger(reach, lw_largest_entry(3, loops->closer.motion.X[i].p));
  return reach;
}

// J x + more (rows, or NULL) of the first rows of loops as they are placed.
static lwGap first_residual(const lwLoops* loops, int rows, const double* x, const double* more)
{
  lwGap gap = {0};
  for (int r = 0; r < rows; ++r)
  {
    const double* row = loops->J + (size_t)r * (size_t)loops->dof;
    double rest       = more ? more[r] : 0;
    lw_gap_add(&gap, lw_dot_product(loops->dof, row, x) + rest,
               lw_dot_size(loops->dof, row, x) + fabs(rest));
  }
  return gap;
}

// Of all rows.
static lwGap row_residual(const lwLoops* loops, const double* x, const double* more)
{
  return first_residual(loops, loops->rows, x, more);
}

// Velocities that do not keep the loops closed.
static void any_velocity(const lwMethodChecker* checker, double* v)
{
  for (int i = 0; i < checker->n; ++i) v[i] = checker->state.qd[i] + lw_cos(1 + 1.7 * i) / 2;
}

static lwGap gap_beyond(lwLoops* loops, const double* q)
{
  double gap[2];
  lw_loops_gap(loops, q, gap);
  return (lwGap){lw_gap_larger(gap[0], gap[1]), 1};
}

// --- closing

static void frame_pose(lwMethodChecker* checker, const lwFrame* frame, double pose[12])
{
  lw_workspace_set_frame(checker->reference, checker->model, frame, NULL);
  lw_checker_reference(checker, LW_QUESTION_POSE, pose);
  lw_workspace_set_frame(checker->reference, checker->model, NULL, NULL);
}

static double joint_position(const lwMethodChecker* checker, int joint)
{
  for (int i = 0; i < checker->state.nq; ++i)
    if (lw_model_position(checker->model, i).joint == joint) return checker->state.q[i];
  return 0;
}

static double axis_entry(const double* R, const lwLoopDef* loop, int k)
{
  return lw_dot_product(3, R + 3 * k, loop->axis) / sqrt(lw_dot_product(3, loop->axis, loop->axis));
}

static void add_loop_gap(lwMethodChecker* checker, const lwLoopDef* loop, double reach, lwGap* gap)
{
  double A[12], B[12], d[3], along = 0;
  if (loop->type >= LW_LOOP_SKATE) return;  // holds velocities
  if (loop->type == LW_LOOP_GEAR)
  {
    double q[2] = {joint_position(checker, loop->first.joint),
                   joint_position(checker, loop->second.joint)};
    return lw_gap_add(gap, q[1] - loop->ratio * q[0] - loop->offset, fabs(q[1]) + reach);
  }
  frame_pose(checker, &loop->first, A);
  frame_pose(checker, &loop->second, B);
  for (int k = 0; k < 3; ++k) d[k] = B[k] - A[k];
  for (int k = 0; k < 3; ++k) along += d[k] * axis_entry(A + 3, loop, k);
  for (int k = 0; k < 3; ++k)
  {
    double free = loop->type == LW_LOOP_LINE ? along * axis_entry(A + 3, loop, k) : 0;
    lw_gap_add(gap, d[k] - free, reach);
    if (loop->type == LW_LOOP_HINGE)
      lw_gap_add(gap, axis_entry(B + 3, loop, k) - axis_entry(A + 3, loop, k), 1);
  }
  for (int k = 3; k < 12 && loop->type == LW_LOOP_FIXED; ++k) lw_gap_add(gap, B[k] - A[k], 1);
}

// Every branch is closed, without whole turns, and the nearest one is where the joints are.
static lwGap branches_are_closed(lwMethodChecker* checker, double reach)
{
  size_t nq   = (size_t)checker->state.nq;
  double *all = malloc((size_t)BRANCHES * nq * sizeof *all), *step = checker->scratch;
  lwGap gap = {INFINITY, reach};
  int count = all ? lw_loops_close_all(checker->loops, checker->state.q, BRANCHES, all) : 0;
  for (int k = 0; k < count; ++k)
  {
    lwGap one = gap_beyond(checker->loops, all + (size_t)k * nq);
    if (k == 0) gap.difference = 0;
    lw_gap_add(&gap, one.difference, one.scale);
    lw_model_difference(checker->model, checker->state.q, all + (size_t)k * nq, step);
    for (int i = 0; i < checker->n; ++i)
    {
      bool turns = lw_model_joint_def(checker->model, i)->type == LW_JOINT_REVOLUTE;
      if (turns && fabs(step[i]) > 3.15) lw_gap_add(&gap, step[i], 1);  // more than half a turn
    }
  }
  if (count > 0) lw_model_difference(checker->model, checker->state.q, all, step);
  for (int i = 0; i < checker->n && count > 0; ++i) lw_gap_add(&gap, step[i] / 1000, reach);
  free(all);
  return gap;
}

static lwGap is_closed(lwMethodChecker* checker)
{
  const lwRobotDef* robot = lw_model_robot(checker->model);
  lw_loops_at(checker->loops, checker->state.q);
  double reach = loop_reach(checker->loops);
  lwGap gap    = {0};
  for (int k = 0; k < robot->loop_count; ++k) add_loop_gap(checker, &robot->loops[k], reach, &gap);
  if (checker->state.number > 1) return gap;
  return lw_gap_worse(gap, branches_are_closed(checker, reach));
}

// Rows' errors, and J v, along q + v t at six times for lw_gap_derivative().
static lwGap rows_are_derivatives(lwMethodChecker* checker)
{
  lwLoops* loops = checker->loops;
  double *v = checker->scratch, *step = v + checker->n, *q = checker->moved;
  double h = lw_checker_step(checker, LW_CHECKER_STEP_DOUBLE);
  any_velocity(checker, v);
  lw_loops_at(loops, checker->state.q);
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof;
  double reach   = loop_reach(loops);
  double* sample = checker->loop_rows;  // (14, rows): errors and J v at six times, J v, dJ/dt v
  double *Jv = sample + 12 * rows, *bias = Jv + rows;
  double most = 0;
  for (size_t r = 0; r < rows; ++r)
  {
    Jv[r] = lw_dot_product(loops->dof, loops->J + r * dof, v);
    most  = lw_gap_larger(most, lw_dot_size(loops->dof, loops->J + r * dof, v));
  }
  lw_loop_bias(checker->model, &loops->closer.motion, v, bias);
  for (int k = 0; k < 6; ++k)
  {
    double t = (k % 2 ? -h : h) / (1 << k / 2), gap[2];
    for (int i = 0; i < checker->n; ++i) step[i] = t * v[i];
    lw_model_integrate(checker->model, checker->state.q, step, q);
    lw_loops_gap(loops, q, gap);
    lw_loops_at(loops, q);
    for (size_t r = 0; r < rows; ++r)
    {
      sample[r * 12 + (size_t)k]     = loops->closer.error[r];
      sample[r * 12 + 6 + (size_t)k] = lw_dot_product(loops->dof, loops->J + r * dof, v);
    }
  }
  lwGap first = {0}, second = {0};
  for (size_t r = 0; r < rows; ++r)
  {
    if ((int)r < loops->set->shut)
      lw_gap_add(&first, lw_gap_derivative(sample + r * 12, h) - Jv[r], most + reach / h);
    lw_gap_add(&second, lw_gap_derivative(sample + r * 12 + 6, h) - bias[r],
               fabs(bias[r]) + most / h);
  }
  return lw_gap_worse(first, second);
}

// --- following, projecting

// Places the loops at the state, with their bias dJ/dt qd.
static lwLoops* placed_loops(lwMethodChecker* checker)
{
  lwLoops* loops = checker->loops;
  lw_loops_at(loops, checker->state.q);
  lw_loop_bias(checker->model, &loops->closer.motion, checker->state.qd, loops->bias);
  return loops;
}

static lwGap velocities_follow(lwMethodChecker* checker)
{
  lwLoops* loops = placed_loops(checker);
  return lw_gap_worse(row_residual(loops, checker->state.qd, NULL),
                      row_residual(loops, checker->state.qdd, loops->bias));
}

// The state is accepted, and one whose velocities or accelerations open a loop is not.
static lwGap openings_are_seen(lwMethodChecker* checker)
{
  lwLoops* loops             = checker->loops;
  const lwRandomState* state = &checker->state;
  double* v                  = checker->scratch;
  any_velocity(checker, v);
  lw_loops_at(loops, state->q);
  lwGap opening = row_residual(loops, v, NULL);
  bool opens    = opening.difference > 1e-3 * (1 + opening.scale);
  bool right    = lw_loops_check(loops, state->q, state->qd, state->qdd, NULL) == LW_OK;
  right = right && (!opens || lw_loops_check(loops, state->q, v, NULL, NULL) == LW_ERROR_OPEN);
  for (int i = 0; i < checker->n; ++i) v[i] += state->qdd[i] - state->qd[i];
  bool bends = lw_loops_check(loops, state->q, state->qd, v, NULL) == LW_ERROR_OPEN;
  return (lwGap){right && (!opens || bends) ? 0 : INFINITY, 1};
}

static lwGap projection_closes(lwMethodChecker* checker)
{
  lwLoops* loops = checker->loops;
  double *v = checker->scratch, *step = v + checker->n, *q = checker->moved;
  double pace = lw_checker_pace(checker);
  any_velocity(checker, v);
  for (int i = 0; i < checker->n; ++i) step[i] = ASIDE * v[i] / pace;
  lw_model_integrate(checker->model, checker->state.q, step, q);
  lw_loops_project(loops, q, v);
  lwGap closed = gap_beyond(loops, q);
  lw_loops_at(loops, q);
  return lw_gap_worse(closed, row_residual(loops, v, NULL));
}

// The least change of v, and the bend, are across the motions of the loops. A bend may be 0: its
// size is that of any acceleration at this pace.
static lwGap tangents_stay(lwMethodChecker* checker)
{
  lwLoops* loops   = checker->loops;
  const double* qd = checker->state.qd;
  double *v = checker->scratch, *x = v + checker->n, *bend = x + checker->n;
  double pace = lw_checker_pace(checker);
  any_velocity(checker, v);
  memcpy(x, v, (size_t)checker->n * sizeof *x);
  lw_loops_tangent(loops, checker->state.q, NULL);
  lw_loops_keep_tangent(loops, x);
  lwGap stays = first_residual(loops, loops->set->shut, x, NULL);
  lw_loops_tangent(loops, checker->state.q, loops->set->driven);
  memcpy(bend, v, (size_t)checker->n * sizeof *bend);
  lw_loops_keep_tangent(loops, bend);
  for (int i = 0; i < checker->n; ++i)
    if (loops->set->driven[i]) lw_gap_add(&stays, bend[i] - v[i], v[i]);
  for (int i = 0; i < checker->n; ++i) v[i] -= x[i];
  lwGap least = {fabs(lw_dot_product(checker->n, v, qd)), pace * pace};
  lw_loops_bend(loops, checker->state.q, qd, bend);
  lwGap across = {fabs(lw_dot_product(checker->n, bend, qd)), pace * pace * pace};
  placed_loops(checker);
  lwGap bent = first_residual(loops, loops->set->shut, bend, loops->bias);
  bent.scale += loop_reach(loops) * pace * pace;
  return lw_gap_worse(lw_gap_worse(stays, least), lw_gap_worse(across, bent));
}

// --- dynamics

// The state without a wrench of zeros, so that forward dynamics may find all at once.
static lwStates loop_states(const lwMethodChecker* checker)
{
  lwStates states = lw_checker_states(checker);
  if (checker->state.wrench[0] == 0) states.wrench = NULL;
  return states;
}

// Motion that the drives cannot hold: joints move while all driven ones stand.
static bool moves_undriven(lwMethodChecker* checker, double* v)
{
  for (int i = 0; i < checker->n; ++i)
    v[i] = lw_model_is_driven(checker->model, i) ? 0 : lw_cos(1 + i);
  if (lw_loops_velocity(checker->loops, checker->state.q, v) != LW_OK) return false;
  return lw_largest_entry(checker->n, v) > 1e-9;
}

// Inverse dynamics into tau (n) and f (rows); false: the drives cannot, and rightly so.
static bool inverse_into(lwMethodChecker* checker, double* tau, double* f)
{
  lwStates states = loop_states(checker);
  if (lw_loops_inverse(checker->loops, &states, tau, f) == LW_OK) return true;
  if (moves_undriven(checker, tau)) return false;
  for (int i = 0; i < checker->n; ++i) tau[i] = NAN;
  return true;
}

// M a + bias - tau - J^T f, with a = 0 if NULL: b is then what stands for M a + bias
static lwGap motion_residual(lwMethodChecker* checker, const double* a, const double* b,
                             const double* tau, const double* f)
{
  const lwLoops* loops = checker->loops;
  size_t dof           = (size_t)loops->dof;
  lwGap gap            = {0};
  for (int i = 0; i < checker->n; ++i)
  {
    double rest = b[i] - tau[i], size = fabs(tau[i]) + checker->rest[i] + fabs(b[i]);
    if (a) rest += lw_checker_inertial(checker, i, a);
    if (a) size += lw_checker_inertial_size(checker, i, a);
    for (size_t r = 0; r < (size_t)loops->rows; ++r)
    {
      rest -= loops->J[r * dof + (size_t)i] * f[r];
      size += fabs(loops->J[r * dof + (size_t)i] * f[r]);
    }
    lw_gap_add(&gap, rest, size);
  }
  return gap;
}

static lwGap torques_do_the_work(lwMethodChecker* checker)
{
  const double* qd = checker->state.qd;
  double *tau = checker->answer, power = 0, size = 0, idle = 0, most = 0;
  if (!inverse_into(checker, tau, NULL)) return (lwGap){0};
  for (int i = 0; i < checker->n; ++i)
  {
    power += qd[i] * (checker->tau[i] - tau[i]);
    size += fabs(qd[i] * checker->tau[i]) + fabs(qd[i] * tau[i]) + fabs(qd[i]) * checker->rest[i];
    most = lw_gap_larger(most, fabs(tau[i]));
    if (!lw_model_is_driven(checker->model, i)) idle = lw_gap_larger(idle, fabs(tau[i]));
  }
  return lw_gap_worse((lwGap){fabs(power), size}, (lwGap){idle, most});
}

static lwGap forces_close(lwMethodChecker* checker)
{
  double *tau = checker->answer, *f = checker->loop_rows;
  if (!inverse_into(checker, tau, f)) return (lwGap){0};
  lw_loops_at(checker->loops, checker->state.q);
  return motion_residual(checker, NULL, checker->tau, tau, f);
}

static lwGap loops_obey_equation(lwMethodChecker* checker)
{
  lwLoops* loops  = checker->loops;
  lwStates states = loop_states(checker);
  double *qdd = checker->answer, *f = checker->loop_rows;
  lw_loops_forward(loops, &states, qdd, f);
  placed_loops(checker);
  return lw_gap_worse(motion_residual(checker, qdd, checker->bias, checker->state.tau, f),
                      row_residual(loops, qdd, loops->bias));
}

static lwGap loops_undo_inverse(lwMethodChecker* checker)
{
  lwStates states = loop_states(checker);
  double *tau = checker->answer, *found = checker->scratch;
  if (!inverse_into(checker, tau, NULL)) return (lwGap){0};
  states.tau = tau;
  lw_loops_forward(checker->loops, &states, found, NULL);
  return lw_checker_undone(checker, found);
}

#define CHECK(name, question, gap, base, per_joint, command, shown)                                \
  {                                                                                                \
    name, LW_QUESTION_##question, gap, base, per_joint, 2, LW_QUESTION_##shown, command            \
  }
const lwMethodCheck LW_LOOP_CHECKS[] = {
    CHECK("loops closed", POSE, is_closed, 50000, 0, "close", POSE),
    CHECK("d row/dt", POSE, rows_are_derivatives, 500, 50, "close", POSE),
    CHECK("J qd = 0", POSE, velocities_follow, 500, 50, "close", ENERGY),
    CHECK("openings seen", POSE, openings_are_seen, 1, 0, "close", ENERGY),
    CHECK("projection", POSE, projection_closes, 500, 50, "close", ENERGY),
    CHECK("tangent", POSE, tangents_stay, 500, 50, "close", ENERGY),
    CHECK("work of torques", INVERSE, torques_do_the_work, 500, 50, "inverse", INVERSE),
    CHECK("forces in the cuts", INVERSE, forces_close, 500, 50, "inverse", INVERSE),
    CHECK("equation of motion", INERTIA, loops_obey_equation, 3000, 300, "forward", FORWARD),
    CHECK("forward after inverse", INERTIA, loops_undo_inverse, 3000, 300, "forward", FORWARD),
    CHECK("N^T g", GRAVITY, lw_check_closed_gravity, 300, 30, "gravity", GRAVITY),
    CHECK("N^T tau, u constant", BIAS, lw_check_closed_bias, 300, 30, "bias", BIAS),
    CHECK("bias - gravity", CORIOLIS, lw_check_closed_coriolis, 300, 30, "coriolis", CORIOLIS),
    CHECK("N^T Y pi", REGRESSOR, lw_check_closed_regressor, 300, 30, "regressor", REGRESSOR),
    CHECK("N^T M N", INERTIA, lw_check_closed_inertia, 300, 30, "inertia", INERTIA),
    CHECK("H = M", GIBBS, lw_check_closed_gibbs, 300, 30, "gibbs", GIBBS),
    CHECK("W M = 1", INERTIA_INVERSE, lw_check_closed_inverse, 300, 30, "inertia-inverse",
          INERTIA_INVERSE),
    CHECK("J N", JACOBIAN, lw_check_closed_jacobian, 300, 30, "jacobian", JACOBIAN),
    CHECK("rate, u constant", JACOBIAN_RATE, lw_check_closed_rate, 300, 30, "jacobian-rate",
          JACOBIAN_RATE),
    CHECK("quadratic in u", CORIOLIS_MATRIX, lw_check_closed_quadratic, 3000, 300,
          "coriolis-matrix", CORIOLIS_MATRIX),
    CHECK("dqdd = -W dtau", FORWARD_DERIVATIVES, lw_check_closed_slopes, 3000, 300,
          "forward-derivatives", FORWARD_DERIVATIVES),
    CHECK("along axes", REACTIONS, lw_check_closed_reactions, 300, 30, "reactions", REACTIONS),
};

const int LW_LOOP_CHECK_COUNT = sizeof LW_LOOP_CHECKS / sizeof LW_LOOP_CHECKS[0];
