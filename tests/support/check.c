// SPDX-License-Identifier: MIT
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/reference.h"
#include "support/testing.h"

static double worst;

static void print_row(const char* name, const double* row, int count)
{
  if (!row) return;
  print_error("  %s =", name);
  for (int i = 0; i < count; ++i) print_error(" %.17g", row[i]);
  print_error("\n");
}

static void print_trial(const Trial* trial)
{
  if (trial->robot)
    print_error("robot %s", trial->robot);
  else
    print_error("robot of seed %llu", (unsigned long long)trial->seed);
  print_error(", n = %d, %s by %s, %s\n", trial->n, lw_question_info(trial->question)->name,
              trial->method ? trial->method : "-", trial->variant ? trial->variant : "plain");
  if (!trial->state) return;
  print_row("q", trial->state->q, trial->n);
  print_row("qd", trial->state->qd, trial->n);
  print_row("qdd", trial->state->qdd, trial->n);
  print_row("tau", trial->state->tau, trial->n);
  print_row("wrench", trial->state->wrench, 6);
}

void check_close(const Trial* trial, const double* got, const double* expected, const double* size,
                 double factor, size_t count)
{
  for (size_t i = 0; i < count; ++i)
  {
    double bound = factor * (size ? size[i] : 1);
    double error = fabs(got[i] - expected[i]);
    if (error > worst * bound && bound > 0) worst = error / bound;
    if (error <= bound) continue;
    print_trial(trial);
    fail_msg("entry %zu is %.17g instead of %.17g: off by %.3g, allowed %.3g", i, got[i],
             expected[i], error, bound);
  }
}

void check_equal(const Trial* trial, const double* got, const double* expected, size_t count)
{
  for (size_t i = 0; i < count; ++i)
  {
    if (!memcmp(&got[i], &expected[i], sizeof *got)) continue;
    print_trial(trial);
    fail_msg("entry %zu is %a, not the same bits as %a", i, got[i], expected[i]);
  }
}

double check_worst(void)
{
  double seen = worst;
  worst       = 0;
  return seen;
}

lwWorkspace* work_with(const lwModel* model, int i, lwPrecision precision)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.precision      = precision;
  if (i >= 0) lw_workspace_def_set_method(&def, lw_method(i)->question, lw_method(i)->name);
  lwWorkspace* ws = NULL;
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
  return ws;
}

double* numbers(size_t count)
{
  double* memory = calloc(count ? count : 1, sizeof *memory);
  assert_non_null(memory);
  return memory;
}

double largest_of(const double* values, size_t count)
{
  double most = 0;
  for (size_t i = 0; i < count; ++i) most = fmax(most, fabs(values[i]));
  return most;
}

double* answer(const lwModel* model, lwWorkspace* ws, lwQuestion question, const lwStates* state)
{
  double* out = numbers(lw_question_outputs(model, question));
  lw_answer(model, ws, question, state, out);
  return out;
}

static void check_same_answer(const Robot* robot, const lwModel* model, lwWorkspace* const ws[2],
                              const Trial* trial, double factor)
{
  size_t outputs   = lw_question_outputs(robot->model, trial->question);
  double* expected = answer(robot->model, ws[0], trial->question, trial->state);
  double* got      = answer(model, ws[1], trial->question, trial->state);
  double* size     = numbers(outputs);
  double* oracle   = numbers(outputs);
  reference_answer(&robot->def, trial->question, trial->state, oracle, size);
  check_close(trial, got, expected, size, factor, outputs);
  check_close(trial, got, oracle, size, factor, outputs);
  free(expected);
  free(got);
  free(size);
  free(oracle);
}

void check_same_answers(const Robot* robot, const lwModel* model, int count, double factor,
                        const char* what)
{
  int n              = lw_model_dof(robot->model);
  lwWorkspace* ws[2] = {work_with(robot->model, -1, LW_PRECISION_DOUBLE),
                        work_with(model, -1, LW_PRECISION_DOUBLE)};
  States states      = random_states(robot->seed, robot->model, count);
  assert_int_equal(lw_model_dof(model), n);
  for (int k = 0; k < count * LW_QUESTION_COUNT; ++k)
  {
    lwQuestion question = (lwQuestion)(k / count);
    // answers about each link are in the frames of its own description
    bool by_link = question == LW_QUESTION_REACTIONS ||
                   (question >= LW_QUESTION_POSES && question <= LW_QUESTION_ACCELERATIONS);
    if (by_link || !reference_knows(question)) continue;
    lwStates state = state_row(&states, robot->model, k % count);
    Trial trial    = {robot->seed, NULL, n, question, NULL, what, &state};
    check_same_answer(robot, model, ws, &trial, factor);
  }
  states_free(&states);
  lw_workspace_destroy(ws[0]);
  lw_workspace_destroy(ws[1]);
}

const char* method_name(int i)
{
  return i < 0 ? "-" : lw_method(i)->name;
}

bool answers(int i, lwQuestion question)
{
  switch (question)
  {
    case LW_QUESTION_BIAS:
    case LW_QUESTION_GRAVITY:
    case LW_QUESTION_CORIOLIS:
      return i >= 0 && lw_method(i)->question == LW_QUESTION_INVERSE;
    case LW_QUESTION_ENERGY:
    case LW_QUESTION_POSE:
    case LW_QUESTION_JACOBIAN:
    case LW_QUESTION_REACTIONS:
    case LW_QUESTION_GIBBS:
    case LW_QUESTION_POSES:
    case LW_QUESTION_VELOCITIES:
    case LW_QUESTION_ACCELERATIONS:
    case LW_QUESTION_CONTROL:
      return i < 0;
    default:
      return i >= 0 && lw_method(i)->question == question;
  }
}

bool too_slow(int i, const lwModel* model)
{
  return i >= 0 && !strcmp(lw_method(i)->order, "n^4") && lw_model_dof(model) > 10;
}

void derivative(Curve* curve, const void* context, double h, size_t count, double* out)
{
  static const double weights[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double ahead[12], behind[12];
  assert_at_most(count, 12);
  for (size_t i = 0; i < count; ++i) out[i] = 0;
  for (int k = 1; k <= 4; ++k)
  {
    curve(context, k * h, ahead);
    curve(context, -k * h, behind);
    for (size_t i = 0; i < count; ++i) out[i] += weights[k - 1] * (ahead[i] - behind[i]) / h;
  }
}

double quad_difference(lwQuad a, lwQuad b)
{
  return (a.part[0] - b.part[0]) + (a.part[1] - b.part[1]) + (a.part[2] - b.part[2]);
}
