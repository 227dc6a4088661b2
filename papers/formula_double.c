// SPDX-License-Identifier: MIT
// Formulas in doubles, against the library's answers.
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "formula_chain.h"
#include "linkwork/linkwork.h"
#include "linkwork/snake.h"

enum
{
  JOINTS = 6,
  STATES = 20
};

typedef struct DoubleAnswers
{
  double tau[JOINTS], M[JOINTS * JOINTS], V[JOINTS], w[JOINTS], ud[2];
} DoubleAnswers;

static double random_number(lwRandom* random)
{
  return lw_random_between(random, -2, 2);
}

static double kernel_entry(const DoubleAnswers* answers, const FormulaAnswer* answer, int i, int j)
{
  if (answer->matrix) return answers->M[i * JOINTS + j];
  if (answer->name[0] == 't') return answers->tau[i];  // tau, or a second form of it
  if (!strcmp(answer->name, "ud")) return answers->ud[i];
  return answer->name[0] == 'V' ? answers->V[i] : answers->w[i];
}

static void compare_double(FormulaValues* values, const FormulaAnswer* answer,
                           const DoubleAnswers* answers, FormulaTrial* trial)
{
  double largest = 0, worst = 0;
  int rows = strcmp(answer->name, "ud") != 0 ? JOINTS : 2;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= (answer->matrix ? i : 0); ++j)
    {
      int a = answer->upper ? j + 1 : i + 1, b = answer->upper ? i + 1 : j + 1;
      double truth = kernel_entry(answers, answer, i, j);
      double found = found_scalar(values, answer->name, a, answer->matrix ? b : 0);
      largest      = fmax(largest, fabs(truth));
      worst        = fmax(worst, fabs(found - truth));
    }
  trial->error = fmax(trial->error, worst / largest);
}

// What the states are of: a chain, or a snake.
typedef struct DoubleRig
{
  lwModel* model;
  lwWorkspace* ws;
  lwSnake* snake;
  lwSnakeWorkspace* snake_ws;
} DoubleRig;

static bool rig_make(DoubleRig* rig, FormulaFrames frames)
{
  *rig = (DoubleRig){NULL, NULL, NULL, NULL};
  if (frames != FRAMES_SNAKE)
    return lw_model_create_generic(JOINTS, &rig->model) == LW_OK &&
           lw_workspace_create(rig->model, NULL, NULL, &rig->ws) == LW_OK;
  return lw_snake_create_generic(JOINTS, &rig->snake) == LW_OK &&
         lw_snake_workspace_create(rig->snake, NULL, NULL, &rig->snake_ws) == LW_OK;
}

static void rig_free(DoubleRig* rig)
{
  lw_workspace_destroy(rig->ws);
  lw_model_destroy(rig->model);
  lw_snake_workspace_destroy(rig->snake_ws);
  lw_snake_destroy(rig->snake);
}

static void answer_chain(const DoubleRig* rig, lwRandom* random, FormulaValues* values,
                         FormulaFrames frames, DoubleAnswers* answers)
{
  double q[JOINTS], qd[JOINTS], qdd[JOINTS], bias[JOINTS];
  Turn turns[JOINTS];
  for (int i = 0; i < JOINTS; ++i)
  {
    q[i]   = random_number(random);
    qd[i]  = random_number(random);
    qdd[i] = random_number(random);
  }
  joint_turns(rig->model, q, turns);
  lw_inverse_dynamics(rig->model, rig->ws, q, qd, NULL, bias);
  FormulaChain chain = {rig->model, turns, q, qd, qdd, bias};
  (frames == FRAMES_MODIFIED ? give_modified : give_standard)(values, &chain);
  lw_inverse_dynamics(rig->model, rig->ws, q, qd, qdd, answers->tau);
  lw_inertia_matrix(rig->model, rig->ws, q, answers->M);
}

static void answer_snake(const DoubleRig* rig, lwRandom* random, FormulaValues* values,
                         DoubleAnswers* answers)
{
  double theta[JOINTS], u[2], torque[JOINTS];
  for (int i = 0; i < JOINTS; ++i)
  {
    lwSnakeLink link = lw_snake_get(rig->snake, i);
    theta[i]         = random_number(random);
    torque[i]        = random_number(random);
    formula_set(values, "m", i + 1, 0, scalar_value(link.mass));
    formula_set(values, "I", i + 1, 0, scalar_value(link.inertia));
    formula_set(values, "h", i + 1, 0, scalar_value(link.length / 2));
    formula_set(values, "T", i + 1, 0, scalar_value(torque[i]));
  }
  for (int i = 0; i + 1 < JOINTS; ++i)
  {
    formula_set(values, "C", i + 1, 0, scalar_value(cos(theta[i + 1] - theta[i])));
    formula_set(values, "S", i + 1, 0, scalar_value(sin(theta[i + 1] - theta[i])));
  }
  for (int k = 0; k < 2; ++k)
  {
    u[k] = random_number(random);
    formula_set(values, "u", k + 1, 0, scalar_value(u[k]));
  }
  formula_integer(values, "n", JOINTS);
  lwSnakeStates state  = {.theta = theta, .u = u, .torque = torque};
  lwSnakeAnswers found = {.udot = answers->ud, .V = answers->V, .omega = answers->w};
  lw_snake_answer(rig->snake, rig->snake_ws, &state, &found);
}

static double doubles_apart(double a, double b)
{
  return fabs(a - b) / fmax(1, fmax(fabs(a), fabs(b)));
}

bool formulas_try_double(const Formulas* formulas, FormulaFrames frames, int count,
                         const FormulaAnswer* answers, FormulaTrial* trial)
{
  lwRandom random      = {1};
  FormulaTrial sides   = {0};
  FormulaValues values = {.trial = &sides, .apart = doubles_apart};
  formula_begin(&values, formulas, JOINTS);
  values.array = malloc((size_t)(1 + values.directions) * VALUE_NAMES * sizeof(FormulaArray));
  DoubleRig rig;
  bool enough = rig_make(&rig, frames) && values.array;
  for (int k = 0; k < STATES && enough; ++k)
  {
    DoubleAnswers found;
    formula_begin(&values, formulas, JOINTS);
    if (frames == FRAMES_SNAKE)
      answer_snake(&rig, &random, &values, &found);
    else
      answer_chain(&rig, &random, &values, frames, &found);
    run_formulas(&values, formulas);
    for (int a = 0; a < count; ++a) compare_double(&values, &answers[a], &found, trial);
  }
  trial->error = fmax(trial->error, sides.error);
  if (values.wrong) trial->wrong = values.wrong;
  free(values.array);
  rig_free(&rig);
  return enough;
}
