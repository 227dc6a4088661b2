// SPDX-License-Identifier: MIT
// Checks of questions about robots with loops, in the speeds u of lw_model_speed().
//
// N_k, the motion of all joints at unit speed k, is found anew: lw_loops_velocity() eliminates
// passive joints by the largest pivots, not by the plan of the model. With it the answers of the
// tree, which other checks are about, say what each answer must be.
#include <math.h>
#include <stdlib.h>

#include "compare/method_checks.h"
#include "linkwork/identify.h"

// What the checks of one state need; all in one piece of memory.
typedef struct SpeedCheck
{
  lwMethodChecker* checker;
  int count, n;
  bool found;        // N is; else the robot has speeds of passive joints, or memory is short
  double* N;         // (count, n)
  double* e;         // (n) accelerations at constant speeds
  double* full;      // an answer of the tree
  double* got;       // (the longest answer)
  double* other;     // (the longest answer)
  double* expected;  // (the longest answer)
} SpeedCheck;

static size_t longest_answer(const lwModel* model)
{
  size_t most = 0;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    size_t size = lw_question_outputs(model, (lwQuestion)k);
    if (size > most) most = size;
  }
  return most;
}

static bool find_motions(const SpeedCheck* check)
{
  const lwRandomState* state = &check->checker->state;
  lwLoops* loops             = check->checker->loops;
  for (int k = 0; k < check->count; ++k)
  {
    int entry = lw_model_speed(check->checker->model, k);
    if (!lw_model_is_driven(check->checker->model, entry)) return false;
    check->N[k * check->n + entry] = 1;
    if (lw_loops_velocity(loops, state->q, check->N + k * check->n) != LW_OK) return false;
  }
  return lw_loops_acceleration(loops, state->q, state->qd, check->e) == LW_OK;
}

static SpeedCheck begin_check(lwMethodChecker* checker)
{
  int count = lw_model_mobility(checker->model), n = checker->n;
  size_t longest = longest_answer(checker->model), motions = (size_t)(count + 1) * (size_t)n;
  SpeedCheck check = {.checker = checker, .count = count, .n = n};
  check.N          = calloc(motions + 4 * longest, sizeof(double));
  if (!check.N) return check;
  check.e        = check.N + (size_t)count * (size_t)n;
  check.full     = check.N + motions;
  check.got      = check.full + longest;
  check.other    = check.got + longest;
  check.expected = check.other + longest;
  check.found    = find_motions(&check);
  return check;
}

static lwGap end_check(const SpeedCheck* check, lwGap gap)
{
  free(check->N);
  return gap;
}

// The answer with closed loops. A position that is singular has none, and nothing is found wrong.
static bool ask_closed(SpeedCheck* check, lwQuestion question, const lwStates* given, double* out)
{
  lwStates states = given ? *given : lw_checker_states(check->checker);
  return check->found &&
         lw_loops_answer(check->checker->loops, question, &states, out, NULL) == LW_OK;
}

// got (count, columns) against N^T full (n, columns); beside: sizes (n) that full was made of.
static lwGap compare_projected(const SpeedCheck* check, const double* full, const double* beside,
                               int columns, const double* got)
{
  lwGap gap = {0};
  for (int k = 0; k < check->count; ++k)
    for (int c = 0; c < columns; ++c)
    {
      double sum = 0, size = 0;
      for (int i = 0; i < check->n; ++i)
      {
        double part = check->N[k * check->n + i] * full[i * columns + c];
        sum += part;
        size += fabs(part) + (beside ? fabs(check->N[k * check->n + i]) * beside[i] : 0);
      }
      lw_gap_add(&gap, got[k * columns + c] - sum, size);
    }
  return gap;
}

static lwGap compare_all(const double* got, const double* expected, int count, double size)
{
  lwGap gap = {0};
  size += lw_largest_entry(count, expected);
  for (int k = 0; k < count; ++k) lw_gap_add(&gap, got[k] - expected[k], size);
  return gap;
}

// --- torques

lwGap lw_check_closed_gravity(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  if (!ask_closed(&check, LW_QUESTION_GRAVITY, NULL, check.got))
    return end_check(&check, (lwGap){0});
  lw_checker_reference(checker, LW_QUESTION_GRAVITY, check.full);
  return end_check(&check, compare_projected(&check, check.full, checker->rest, 1, check.got));
}

lwGap lw_check_closed_bias(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  lwStates steady  = {checker->state.q, checker->state.qd, check.e, NULL, NULL};
  if (!ask_closed(&check, LW_QUESTION_BIAS, NULL, check.got)) return end_check(&check, (lwGap){0});
  lw_answer(checker->model, checker->reference, LW_QUESTION_INVERSE, &steady, check.full);
  return end_check(&check, compare_projected(&check, check.full, checker->rest, 1, check.got));
}

lwGap lw_check_closed_coriolis(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  lwGap gap        = {0};
  if (!ask_closed(&check, LW_QUESTION_CORIOLIS, NULL, check.got) ||
      !ask_closed(&check, LW_QUESTION_GRAVITY, NULL, check.other) ||
      !ask_closed(&check, LW_QUESTION_BIAS, NULL, check.expected))
    return end_check(&check, gap);
  double size = lw_largest_entry(check.count, check.other);
  for (int k = 0; k < check.count; ++k) check.expected[k] -= check.other[k];
  return end_check(&check, compare_all(check.got, check.expected, check.count, size));
}

lwGap lw_check_closed_regressor(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  size_t width     = lw_regressor_columns(checker->model, 0);
  double* pi       = calloc(width + 1, sizeof *pi);
  lwGap gap        = {0};
  lwStates moves   = lw_checker_states(checker);
  moves.wrench     = NULL;
  if (pi && ask_closed(&check, LW_QUESTION_REGRESSOR, NULL, check.got) &&
      ask_closed(&check, LW_QUESTION_INVERSE, &moves, check.expected))
  {
    lw_regressor_parameters(checker->model, 0, pi);
    for (int k = 0; k < check.count; ++k)
    {
      const double* row = check.got + (size_t)k * width;
      lw_gap_add(&gap, lw_dot_product((int)width, row, pi) - check.expected[k],
                 lw_dot_size((int)width, row, pi));
    }
  }
  free(pi);
  return end_check(&check, gap);
}

// --- matrices

lwGap lw_check_closed_inertia(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  int m = check.count, n = check.n;
  if (!ask_closed(&check, LW_QUESTION_INERTIA, NULL, check.got))
    return end_check(&check, (lwGap){0});
  for (int i = 0; i < n; ++i)
    for (int b = 0; b < m; ++b)
      check.full[i * m + b] = lw_checker_inertial(checker, i, check.N + b * n);
  return end_check(&check, compare_projected(&check, check.full, NULL, m, check.got));
}

lwGap lw_check_closed_gibbs(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  int m            = check.count;
  lwGap gap        = {0};
  if (ask_closed(&check, LW_QUESTION_GIBBS, NULL, check.got) &&
      ask_closed(&check, LW_QUESTION_INERTIA, NULL, check.expected))
    gap = compare_all(check.got + 1, check.expected, m * m, 0);
  return end_check(&check, gap);
}

lwGap lw_check_closed_inverse(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  int m            = check.count;
  lwGap gap        = {0};
  if (!ask_closed(&check, LW_QUESTION_INERTIA, NULL, check.got) ||
      !ask_closed(&check, LW_QUESTION_INERTIA_INVERSE, NULL, check.other))
    return end_check(&check, gap);
  for (int a = 0; a < m; ++a)
    for (int b = 0; b < m; ++b)
    {
      double sum = -(a == b), size = 1;
      for (int k = 0; k < m; ++k) sum += check.other[a * m + k] * check.got[k * m + b];
      for (int k = 0; k < m; ++k) size += fabs(check.other[a * m + k] * check.got[k * m + b]);
      lw_gap_add(&gap, sum, size);
    }
  return end_check(&check, gap);
}

lwGap lw_check_closed_jacobian(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  int m = check.count, n = check.n;
  if (!ask_closed(&check, LW_QUESTION_JACOBIAN, NULL, check.got))
    return end_check(&check, (lwGap){0});
  lw_checker_reference(checker, LW_QUESTION_JACOBIAN, check.full);
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < m; ++k)
      check.expected[r * m + k] = lw_dot_product(n, check.full + r * n, check.N + k * n);
  return end_check(&check, compare_all(check.got, check.expected, 6 * m, 1));
}

lwGap lw_check_closed_rate(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  double size      = 0;
  if (!ask_closed(&check, LW_QUESTION_JACOBIAN_RATE, NULL, check.got))
    return end_check(&check, (lwGap){0});
  lw_checker_reference(checker, LW_QUESTION_JACOBIAN, check.full);
  lw_checker_reference(checker, LW_QUESTION_JACOBIAN_RATE, check.expected);
  for (int r = 0; r < 6; ++r)
  {
    const double* row = check.full + r * check.n;
    check.expected[6 + r] += lw_dot_product(check.n, row, check.e);
    size = lw_gap_larger(size, lw_dot_size(check.n, row, check.e));
  }
  return end_check(&check, compare_all(check.got, check.expected, 12, size));
}

// u from qd
static double speed_of(const SpeedCheck* check, int k)
{
  return check->checker->state.qd[lw_model_speed(check->checker->model, k)];
}

// Numbers of derivatives by position, which those by speed stand behind.
static int numbers_by_position(const SpeedCheck* check)
{
  bool rolls = lw_model_rolling_rows(check->checker->model) > 0;
  return check->count * (rolls ? check->n : check->count);
}

// C u = coriolis, and (dtau/dqd) u = 2 C u: torques are quadratic in speeds.
lwGap lw_check_closed_quadratic(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  int m            = check.count;
  lwGap gap        = {0};
  if (!ask_closed(&check, LW_QUESTION_CORIOLIS, NULL, check.expected) ||
      !ask_closed(&check, LW_QUESTION_CORIOLIS_MATRIX, NULL, check.got) ||
      !ask_closed(&check, LW_QUESTION_INVERSE_DERIVATIVES, NULL, check.other))
    return end_check(&check, gap);
  const double* by_speed = check.other + numbers_by_position(&check);
  double fastest = 0, largest = lw_largest_entry(m * m, by_speed);
  for (int b = 0; b < m; ++b) fastest = lw_gap_larger(fastest, fabs(speed_of(&check, b)));
  for (int a = 0; a < m; ++a)
  {
    double sums[2] = {0};
    for (int b = 0; b < m; ++b)
    {
      sums[0] += check.got[a * m + b] * speed_of(&check, b);
      sums[1] += by_speed[a * m + b] * speed_of(&check, b) / 2;
    }
    for (int k = 0; k < 2; ++k)
      lw_gap_add(&gap, sums[k] - check.expected[a], m * largest * fastest);
  }
  return end_check(&check, gap);
}

// d qdd = -M^-1 d tau of the motion that the torques give.
lwGap lw_check_closed_slopes(lwMethodChecker* checker)
{
  SpeedCheck check = begin_check(checker);
  int m            = check.count;
  lwGap gap        = {0};
  lwStates states  = lw_checker_states(checker);
  if (!check.found || lw_loops_inverse(checker->loops, &states, check.full, NULL) != LW_OK)
    return end_check(&check, gap);
  lwStates driven = {states.q, states.qd, NULL, check.full, states.wrench};
  if (!ask_closed(&check, LW_QUESTION_FORWARD_DERIVATIVES, &driven, check.got) ||
      !ask_closed(&check, LW_QUESTION_INVERSE_DERIVATIVES, NULL, check.other) ||
      !ask_closed(&check, LW_QUESTION_INERTIA, NULL, check.expected))
    return end_check(&check, gap);
  int first = numbers_by_position(&check);
  for (int part = 0; part < 2; ++part)
  {
    const double *dtau = check.other + part * first, *dqdd = check.got + part * first;
    int across = part ? m : first / (m > 0 ? m : 1);
    for (int a = 0; a < m; ++a)
      for (int b = 0; b < across; ++b)
      {
        double sum = dtau[a * across + b], size = 0;
        for (int k = 0; k < m; ++k)
        {
          double one = check.expected[a * m + k] * dqdd[k * across + b];
          sum += one;
          size += fabs(one);
        }
        lw_gap_add(&gap, sum, size + lw_largest_entry(first + m * m, check.other));
      }
  }
  return end_check(&check, gap);
}

// --- reactions

// What a joint transmits along its axis is the torque of its drive.
lwGap lw_check_closed_reactions(lwMethodChecker* checker)
{
  const lwRobotDef* robot = lw_model_robot(checker->model);
  SpeedCheck check        = begin_check(checker);
  lwStates states         = lw_checker_states(checker);
  lwGap gap               = {0};
  if (!ask_closed(&check, LW_QUESTION_REACTIONS, NULL, check.got) ||
      lw_loops_inverse(checker->loops, &states, check.full, NULL) != LW_OK)
    return end_check(&check, gap);
  double size = lw_largest_entry(6 * robot->count, check.got);
  for (int i = 0; i < check.n; ++i)
  {
    lwCoordinate entry      = lw_model_velocity(checker->model, i);
    const lwJointDef* joint = &robot->joints[entry.joint];
    bool plain              = joint->type == LW_JOINT_REVOLUTE || joint->type == LW_JOINT_PRISMATIC;
    const double* wrench    = check.got + 6 * entry.joint + (entry.slides ? 0 : 3);
    double length           = sqrt(lw_dot_product(3, joint->axis, joint->axis));
    if (!plain || joint->placement != LW_PLACEMENT_ORIGIN_AXIS || !(length > 0)) continue;
    lw_gap_add(&gap, lw_dot_product(3, wrench, joint->axis) / length - check.full[i], size);
  }
  return end_check(&check, gap);
}
