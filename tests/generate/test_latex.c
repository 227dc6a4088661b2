// SPDX-License-Identifier: MIT
// Symbolic equations, evaluated with the values of their symbols, give the library's answers;
// textbook arms give the equations of the textbook.
#include <stdlib.h>
#include <string.h>

#include "robots.h"
#include "testing.h"

#include "answer/workspace.h"
#include "generate/latex.h"

#include "linkwork/generate.h"
#include "linkwork/read.h"
#include "trajectory/trajectory_arms.h"

static const lwQuestion QUESTIONS[] = {
    LW_QUESTION_INERTIA, LW_QUESTION_GRAVITY,  LW_QUESTION_BIAS,    LW_QUESTION_INVERSE,
    LW_QUESTION_POSE,    LW_QUESTION_JACOBIAN, LW_QUESTION_CORIOLIS};

// Values of symbols, q, qd and qdd in the order of a series
static void fill_variables(const lwLetters* letters, int dof, const States* states, double* values)
{
  int count = letters ? letters->count : 0;
  for (int k = 0; k < count; ++k) values[k] = letters->letter[k].value;
  for (int k = 0; k < dof; ++k)
  {
    values[count + k]           = states->q[k];
    values[count + dof + k]     = states->qd[k];
    values[count + 2 * dof + k] = states->qdd[k];
  }
}

// The value of a series for angles and letters.
static double series_value(const lwSeries* series, const double* angles, const double* variables)
{
  double sum = 0;
  for (int i = 0; i < series->count; ++i)
  {
    const lwSeriesTerm* term = &series->term[i];
    double angle = 0, product = term->coefficient;
    for (int k = 0; k < LW_SERIES_ANGLES; ++k)
      if (term->angle[k]) angle += term->angle[k] * angles[k];
    for (int k = 0; k < LW_SERIES_VARIABLES; ++k)
      for (int p = 0; p < term->power[k]; ++p) product *= variables[k];
    sum += product * (term->sine ? sin(angle) : cos(angle));
  }
  return sum;
}

// Coriolis torques are C qd.
static void find_answer(const lwModel* model, lwQuestion question, const lwSeries* series,
                        const States* states, const double* variables, double* found)
{
  int dof = model->dof, count = (int)lw_question_outputs(model, question);
  for (int k = 0; k < count; ++k)
  {
    found[k] = 0;
    for (int j = 0; j < (question == LW_QUESTION_CORIOLIS ? dof : 1); ++j)
      found[k] += question == LW_QUESTION_CORIOLIS
                      ? states->qd[j] * series_value(&series[k * dof + j], states->q, variables)
                      : series_value(&series[k], states->q, variables);
  }
}

// Rounding: a series sums up to a few thousand terms no larger than the parts of the answer.
static void expect_answer(const lwModel* model, lwQuestion question, const double* found,
                          const double* expected)
{
  double scale = 0;
  int count    = (int)lw_question_outputs(model, question);
  for (int k = 0; k < count; ++k) scale = fmax(scale, fabs(expected[k]));
  for (int k = 0; k < count; ++k)
    if (!(fabs(found[k] - expected[k]) <= 1e-11 * (1 + scale)))
      fail_msg("%s of %s, entry %d: %.17g, expected %.17g", lw_question_info(question)->name,
               lw_model_name(model), k, found[k], expected[k]);
}

// Returns the number of answers compared.
static int compare_equations(const lwModel* model, lwLetters* letters, uint64_t seed)
{
  int compared = 0;
  double variables[LW_SERIES_VARIABLES], found[64], expected[64];
  lwWorkspace* ws;
  States states  = random_states(seed, model, 1);
  lwStates state = state_row(&states, model, 0);
  state.wrench   = NULL;
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  lwChoice choice = {.model = model, .method = "best"};
  fill_variables(letters, model->dof, &states, variables);
  for (size_t i = 0; i < sizeof QUESTIONS / sizeof *QUESTIONS; ++i)
  {
    lwSeries* series = NULL;
    lwStatus status  = lw_latex_series(&choice, QUESTIONS[i], letters, NULL, &series);
    if (status == LW_ERROR_INPUT) continue;  // too long to be readable
    assert_int_equal(status, LW_OK);
    find_answer(model, QUESTIONS[i], series, &states, variables, found);
    lw_answer(model, ws, QUESTIONS[i], &state, expected);
    expect_answer(model, QUESTIONS[i], found, expected);
    ++compared;
    for (int k = 0; k < lw_latex_outputs(model, QUESTIONS[i]); ++k) lw_series_free(&series[k]);
    free(series);
  }
  lw_workspace_destroy(ws);
  states_free(&states);
  return compared;
}

static void equations_give_the_answers(void** state)
{
  (void)state;
  int compared = 0;
  for (uint64_t seed = 1; seed <= 24; ++seed)
  {
    RobotStyle style = random_style(seed);
    style.dof        = 1 + (int)(seed % 4);
    style.special    = seed % 2 ? 0.9 : 0.5;
    Robot* robot     = random_robot(seed, &style);
    lwLetters letters;
    lw_letters_of(robot->model, &letters);
    compared += compare_equations(robot->model, &letters, seed);
    compared += compare_equations(robot->model, NULL, seed);
    robot_free(robot);
  }
  // out of 336; symbolic equations of general arms with 3 and 4 joints are too long
  assert_in_range(compared, 250, 336);
}

// --- textbooks

static char* equations_of(const char* file, const char* questions)
{
  lwModel* model    = shipped(file);
  lwGenerateDef def = lw_generate_def();
  def.language      = LW_LANGUAGE_LATEX;
  def.symbols       = true;
  def.questions     = questions;
  lwGenerated* generated;
  assert_int_equal(lw_generate(model, &def, NULL, &generated), LW_OK);
  char* text = strdup(lw_generated_text(generated, 0));
  assert_non_null(text);
  lw_generated_destroy(generated);
  lw_model_destroy(model);
  return text;
}

static void expect_lines(const char* file, const char* const* lines)
{
  char* text = equations_of(file, "inertia,coriolis,gravity");
  for (; *lines; ++lines)
    if (!strstr(text, *lines)) fail_msg("%s: no '%s' in\n%s", file, *lines, text);
  free(text);
}

// c are the centres of mass and l the lengths; Craig, "Introduction to Robotics", ch. 6, has point
// masses at l.
static void textbook_arms_look_like_it(void** state)
{
  (void)state;
  expect_lines("planar2r.yaml",
               (const char*[]){"M_{11} &= m_{1} c_{1}^{2} + m_{2} (l_{1}^{2} + c_{2}^{2} + 2 l_{1} "
                               "c_{2} \\cos q_{2}) + I_{1zz} + I_{2zz} \\\\\n",
                               "M_{12} &= m_{2} c_{2} (c_{2} + l_{1} \\cos q_{2}) + I_{2zz} \\\\\n",
                               "M_{22} &= m_{2} c_{2}^{2} + I_{2zz}\n",
                               "C_{12} &= -m_{2} l_{1} c_{2} (\\dot q_{1} + \\dot q_{2}) \\sin "
                               "q_{2} \\\\\n",
                               "g_{2} &= m_{2} g c_{2} \\cos(q_{1} + q_{2})\n", NULL});
  expect_lines("cart_pole.yaml", (const char*[]){"M_{11} &= m_{1} + m_{2} \\\\\n",
                                                 "M_{12} &= m_{2} c_{2} \\cos q_{2} \\\\\n",
                                                 "C_{12} &= -m_{2} c_{2} \\dot q_{2} \\sin q_{2}\n",
                                                 "g_{2} &= -m_{2} g c_{2} \\sin q_{2}\n", NULL});
  expect_lines(
      "scara.yaml",
      (const char*[]){"(m_{3} + m_{4}) (l_{1}^{2} + l_{2}^{2} + 2 l_{1} l_{2} \\cos q_{2})",
                      "M_{33} &= m_{3} + m_{4} \\\\\n", "g_{3} &= (m_{3} + m_{4}) g\n",
                      "All others are zero.", NULL});
}

static void names_are_no_commands(void** state)
{
  (void)state;
  Robot* robot      = robot_start();
  lwJointDef* slide = robot_add(robot, LW_JOINT_PRISMATIC, LW_BASE);
  slide->link.mass  = 1;
  robot->def.name   = "50% {\\input x}_1";
  robot_build(robot);
  lwGenerateDef def = lw_generate_def();
  def.language      = LW_LANGUAGE_LATEX;
  def.questions     = "inertia";
  lwGenerated* generated;
  assert_int_equal(lw_generate(robot->model, &def, NULL, &generated), LW_OK);
  assert_non_null(strstr(lw_generated_text(generated, 0),
                         "\\textbf{50\\% \\{\\textbackslash{}input x\\}\\_1}"));
  assert_contains(lw_generated_text(generated, 0), "M_{11} &= 1\n");
  lw_generated_destroy(generated);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations_give_the_answers),
      cmocka_unit_test(textbook_arms_look_like_it),
      cmocka_unit_test(names_are_no_commands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
