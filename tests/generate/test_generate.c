// SPDX-License-Identifier: MIT
// Generated code gives the library's answers, with the stated number of operations, and no more
// than docs/generate.md promises.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "robots.h"
#include "testing.h"

#include "generate/choose.h"
#include "linkwork/generate.h"
#include "linkwork/read.h"
#include "model/model_internal.h"

static const char ALL[] =
    "inverse,forward,inertia,bias,gravity,coriolis,energy,pose,jacobian,reactions,inertia+bias";

static lwGenerated* generate(const lwModel* model, const char* questions)
{
  lwGenerated* generated;
  lwDiag* diag      = lw_diag_create();
  lwGenerateDef def = lw_generate_def();
  def.questions     = questions;
  lwStatus status   = lw_generate(model, &def, diag, &generated);
  if (status != LW_OK && lw_diag_size(diag) > 0) fail_msg("%s", lw_diag_message(diag, 0)->text);
  assert_int_equal(status, LW_OK);
  lw_diag_destroy(diag);
  return generated;
}

// Evaluates the graph behind the generated text and compares it with the library. Allows rounding
// of some hundred operations per answer; forward dynamics loses more digits if the inertia matrix
// is ill-conditioned.
static void compare_turned(const lwModel* model, const lwFunction* function, uint64_t seed,
                           const double* quaternion)
{
  double in[LW_ARGUMENT_COUNT][64];
  const double* arguments[LW_ARGUMENT_COUNT] = {in[0], in[1], in[2], in[3]};
  lwRandom random                            = {seed};
  lwWorkspace* ws;
  double* out = calloc((size_t)function->program.output_count, sizeof *out);
  double expected[64 * 64];
  for (int k = 0; k < LW_ARGUMENT_COUNT; ++k)
    for (int i = 0; i < 64; ++i) in[k][i] = lw_random_between(&random, -2, 2);
  for (int k = 0; k < model->ball_count && quaternion; ++k)
    memcpy(in[0] + model->balls[k].q, quaternion, 4 * sizeof *quaternion);
  lwStates state = {in[0], in[1], in[2], in[3], NULL};
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  assert_true(lw_program_evaluate(&function->program, arguments, out));
  const double* found = out;
  for (int k = 0; k < function->results; ++k)
  {
    lwQuestion question = function->result[k].question;
    size_t size         = lw_question_outputs(model, question);
    double scale = 0, bound = question == LW_QUESTION_FORWARD ? 1e-7 : 1e-12;
    lw_answer(model, ws, question, &state, expected);
    for (size_t i = 0; i < size; ++i) scale = fmax(scale, fabs(expected[i]));
    for (size_t i = 0; i < size; ++i)
      if (!(fabs(found[i] - expected[i]) <= bound * scale))
        fail_msg("seed %d, %s, entry %d: %.17g, expected %.17g", (int)seed, function->name, (int)i,
                 found[i], expected[i]);
    found += size;
  }
  lw_workspace_destroy(ws);
  free(out);
}

static void compare_function(const lwModel* model, const lwFunction* function, uint64_t seed)
{
  compare_turned(model, function, seed, NULL);
}

static bool can_accelerate(const lwModel* model)
{
  return model->inert < 0;
}

static void compare_robot(const lwModel* model, uint64_t seed)
{
  lwGenerated* generated = generate(model, can_accelerate(model) ? ALL : "inverse,inertia,gravity");
  for (int i = 0; i < lw_generated_functions(generated); ++i)
    compare_function(model, &generated->function[i], seed);
  lw_generated_destroy(generated);
}

// Two robots for each number of joints; fewer with sanitizers, which slow simplification tenfold.
enum
{
#if defined(LW_TEST_SANITIZED)
  JOINTS = 4,
  SEEDS  = JOINTS
#else
  JOINTS = 6,
  SEEDS  = 2 * JOINTS
#endif
};

static void random_robots_agree(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; ++seed)
  {
    RobotStyle style = random_style(seed);
    style.dof        = 1 + (int)(seed % JOINTS);
    Robot* robot     = random_robot(seed, &style);
    compare_robot(robot->model, seed);
    if (seed % 3 == 0 && style.dof > 2)
    {
      robot_couple(robot, seed);
      compare_robot(robot->model, seed);
    }
    robot_free(robot);
  }
}

// --- ball and floating joints

static lwJointDef* add_any_joint(Robot* robot, lwRandom* random, lwJointType type, int parent)
{
  lwJointDef* joint = robot_add(robot, type, parent);
  joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  joint->pitch      = 0.3;
  for (int i = 0; i < 3; ++i)
  {
    joint->xyz[i]  = lw_random_between(random, -0.3, 0.3);
    joint->rpy[i]  = lw_random_between(random, -1, 1);
    joint->axis[i] = lw_random_between(random, -1, 1);
  }
  random_link(random, &joint->link);
  return joint;
}

// Three joints on a fixed one, the last on the second or on the first.
static Robot* robot_with_quaternions(uint64_t seed, const lwJointType kinds[3])
{
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  add_any_joint(robot, &random, LW_JOINT_FIXED, LW_BASE);
  for (int i = 0; i < 3; ++i)
    add_any_joint(robot, &random, kinds[i], i == 2 && seed % 2 ? i - 1 : i);
  robot_build(robot);
  return robot;
}

// Quaternions of any length, and turns by half a turn.
static void quaternions_agree(void** state)
{
  (void)state;
  static const lwJointType kinds[][3] = {{LW_JOINT_FLOATING, LW_JOINT_REVOLUTE, LW_JOINT_PRISMATIC},
                                         {LW_JOINT_BALL, LW_JOINT_REVOLUTE, LW_JOINT_REVOLUTE},
                                         {LW_JOINT_REVOLUTE, LW_JOINT_BALL, LW_JOINT_REVOLUTE},
                                         {LW_JOINT_PRISMATIC, LW_JOINT_FLOATING, LW_JOINT_REVOLUTE},
                                         {LW_JOINT_REVOLUTE, LW_JOINT_BALL, LW_JOINT_SCREW}};
  static const double units[][4]      = {{0, 0, 0, 1}, {0, 0, 1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
  {
    Robot* robot = robot_with_quaternions(k + 1, kinds[k]);
    lwGenerated* generated =
        generate(robot->model, k ? "inverse,forward,inertia+bias,energy,pose+jacobian,"
                                   "inverse-derivatives,coriolis-matrix,gibbs,centroidal"
                                 : ALL);
    for (int i = 0; i < lw_generated_functions(generated); ++i)
    {
      compare_function(robot->model, &generated->function[i], k + 1);
      for (size_t u = 0; u < 4; ++u)
        compare_turned(robot->model, &generated->function[i], k + 1, units[u]);
    }
    lw_generated_destroy(generated);
    robot_free(robot);
  }
}

// --- snakes

static const char SNAKE[] =
    "forward,V,omega,theta_ddot,lambda,rates,rates_dot,M,force,partial,kinetic,power,"
    "forward+lambda,inverse";

static void compare_snake_function(const lwSnake* snake, const lwFunction* function)
{
  double in[LW_ARGUMENT_COUNT][16], expected[64], found[64];
  const double* arguments[LW_ARGUMENT_COUNT] = {in[0], in[1], in[2], in[3]};
  lwRandom random                            = {3};
  int outputs                                = function->program.output_count;
  for (int k = 0; k < LW_ARGUMENT_COUNT; ++k)
    for (int i = 0; i < 16; ++i) in[k][i] = lw_random_between(&random, -1, 1);
  assert_in_range(outputs, 1, 64);
  assert_int_equal(
      lw_library_answers(NULL, snake, function->result, function->results, arguments, expected),
      LW_OK);
  assert_true(lw_program_evaluate(&function->program, arguments, found));
  double scale = 0;
  for (int i = 0; i < outputs; ++i) scale = fmax(scale, fabs(expected[i]));
  for (int i = 0; i < outputs; ++i)
    if (!(fabs(found[i] - expected[i]) <= 1e-12 * scale))
      fail_msg("%d links, %s, entry %d: %.17g, expected %.17g", lw_snake_count(snake),
               function->name, i, found[i], expected[i]);
}

// Wheels in the middle and elsewhere.
static void snakes_agree(void** state)
{
  (void)state;
  for (int n = 3; n <= 6; n += 3)
  {
    lwSnake* snake;
    lwGenerated* generated;
    lwGenerateDef def = lw_generate_def();
    def.questions     = SNAKE;
    if (n == 3)
      assert_int_equal(lw_snake_read_file(LW_ROBOTS "/snakes/table2_n3.yaml", NULL, NULL, &snake),
                       LW_OK);
    else
      assert_int_equal(lw_snake_create_generic(n, &snake), LW_OK);
    assert_int_equal(lw_generate_snake(snake, &def, NULL, &generated), LW_OK);
    for (int i = 0; i < lw_generated_functions(generated); ++i)
      compare_snake_function(snake, &generated->function[i]);
    lw_generated_destroy(generated);
    lw_snake_destroy(snake);
  }
}

static void expect_snake_refusal(const lwSnake* snake, const lwGenerateDef* def, lwStatus status,
                                 const char* part)
{
  lwDiag* diag           = lw_diag_create();
  lwGenerated* generated = (lwGenerated*)1;
  assert_int_equal(lw_generate_snake(snake, def, diag, &generated), status);
  assert_null(generated);
  assert_int_equal(lw_diag_size(diag), 1);
  assert_contains(lw_diag_message(diag, 0)->text, part);
  lw_diag_destroy(diag);
}

static void wrong_options_of_snakes_are_refused(void** state)
{
  (void)state;
  lwSnake *two, *many;
  assert_int_equal(lw_snake_create_generic(2, &two), LW_OK);
  assert_int_equal(lw_snake_create_generic(LW_GENERATE_MAX_JOINTS + 1, &many), LW_OK);
  lwGenerateDef def = lw_generate_def();
  expect_snake_refusal(two, &def, LW_ERROR_INPUT, "torques of a snake of two links");
  def.questions = "forward";
  expect_snake_refusal(many, &def, LW_ERROR_INPUT, "has 65 links; straight-line code is made for");
  def.questions = "lamda";
  expect_snake_refusal(two, &def, LW_ERROR_INPUT, "did you mean 'lambda'");
  def.questions = "";
  expect_snake_refusal(two, &def, LW_ERROR_INPUT, "expected forward, inverse");
  def.questions = "V+V";
  expect_snake_refusal(two, &def, LW_ERROR_INPUT, "asked twice");
  def.questions = "V";
  def.method    = "aba";
  expect_snake_refusal(two, &def, LW_ERROR_METHOD, "no method 'aba' for snakes");
  def          = lw_generate_def();
  def.language = LW_LANGUAGE_LATEX;
  expect_snake_refusal(two, &def, LW_ERROR_INPUT, "no equations of snakes");
  def           = lw_generate_def();
  def.arguments = LW_GENERATE_ARGUMENT_GRAVITY;
  expect_snake_refusal(two, &def, LW_ERROR_INPUT, "snakes have no wrench");
  lw_snake_destroy(two);
  lw_snake_destroy(many);
}

// --- counts

// Counts of operators in the body of the first function: * and / between operands, + and - with
// spaces around.
typedef struct Operators
{
  long mul, add, div;
} Operators;

static Operators count_operators(const char* text)
{
  Operators count  = {0};
  const char* body = strstr(text, ")\n{\n");
  assert_non_null(body);
  for (const char* c = body; *c && strncmp(c, "\n}", 2) != 0; ++c)
  {
    if (c[0] != ' ' || c[2] != ' ') continue;
    count.mul += c[1] == '*';
    count.div += c[1] == '/';
    count.add += c[1] == '+' || c[1] == '-';
  }
  return count;
}

static lwCount expect_text_count(const lwModel* model, const char* question)
{
  lwGenerated* generated = generate(model, question);
  Operators found        = count_operators(lw_generated_text(generated, 0));
  lwCount count          = lw_generated_count(generated, 0);
  assert_int_equal(found.mul, count.mul);
  assert_int_equal(found.add, count.add);
  assert_int_equal(found.div, count.div);
  lw_generated_destroy(generated);
  return count;
}

typedef struct Promise
{
  const char* question;
  long generic_mul, generic_add, puma_mul, puma_add;
} Promise;

// Upper bounds promised in docs/generate.md.
static const Promise PROMISES[] = {{"inverse", 406, 342, 192, 154},
                                   {"inertia", 383, 333, 110, 103},
                                   {"inertia+bias", 780, 660, 288, 234},
                                   {"gravity", 85, 51, 28, 12}};

static void counts_are_those_of_the_text(void** state)
{
  (void)state;
  lwModel *generic, *puma;
  assert_int_equal(lw_model_create_generic(6, &generic), LW_OK);
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/puma560.yaml", NULL, NULL, &puma), LW_OK);
  for (size_t k = 0; k < sizeof PROMISES / sizeof *PROMISES; ++k)
  {
    const Promise* promise = &PROMISES[k];
    lwCount count          = expect_text_count(generic, promise->question);
    assert_at_most(count.mul, promise->generic_mul);
    assert_at_most(count.add, promise->generic_add);
    count = expect_text_count(puma, promise->question);
    assert_at_most(count.mul, promise->puma_mul);
    assert_at_most(count.add, promise->puma_add);
  }
  expect_text_count(puma, "forward");
  lw_model_destroy(generic);
  lw_model_destroy(puma);
}

// For small robots, ways that cost more before they are simplified are tried, too: those of two
// joints are cheapest by equations in closed form.
static void small_robots_try_more_ways(void** state)
{
  (void)state;
  lwModel *two, *stanford;
  assert_int_equal(lw_model_create_generic(2, &two), LW_OK);
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/stanford.yaml", NULL, NULL, &stanford), LW_OK);
  lwCount inverse  = expect_text_count(two, "inverse"),
          coriolis = expect_text_count(two, "coriolis");
  lwCount both     = expect_text_count(stanford, "inertia+bias");
  assert_at_most(inverse.mul, 29);
  assert_at_most(inverse.add, 21);
  assert_at_most(coriolis.mul, 21);
  assert_at_most(coriolis.add, 11);
  assert_at_most(both.mul, 156);
  assert_at_most(both.add, 104);
  lw_model_destroy(two);
  lw_model_destroy(stanford);
}

static void the_same_robot_gives_the_same_text(void** state)
{
  (void)state;
  Robot* robot       = any_robot(5);
  lwGenerated* first = generate(robot->model, "inverse,inertia");
  lwGenerated* again = generate(robot->model, "inverse,inertia");
  assert_string_equal(lw_generated_text(first, 0), lw_generated_text(again, 0));
  lw_generated_destroy(first);
  lw_generated_destroy(again);
  robot_free(robot);
}

// --- order

// Whether an expression needs the value of node `of`.
static bool needs_node(const lwFunction* function, lwExpr expr, int32_t of, bool top)
{
  int32_t number          = lw_expr_number(expr);
  const lwGraphNode* node = &function->program.graph.nodes[number];
  if (!top && number == of) return true;
  if (!top && function->plan.name[number]) return false;
  bool binary = node->kind == LW_GRAPH_NODE_ADD || node->kind == LW_GRAPH_NODE_MUL ||
                node->kind == LW_GRAPH_NODE_DIV;
  bool leaf = node->kind == LW_GRAPH_NODE_CONSTANT || node->kind == LW_GRAPH_NODE_INPUT;
  return !leaf && (needs_node(function, node->a, of, false) ||
                   (binary && needs_node(function, node->b, of, false)));
}

// Statements come after those that they need, and few directly after, where they would have to
// wait.
static void statements_do_not_wait_for_the_one_before(void** state)
{
  (void)state;
  lwModel* model;
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/panda.yaml", NULL, NULL, &model), LW_OK);
  lwGenerated* generated     = generate(model, "forward");
  const lwFunction* function = &generated->function[0];
  const lwPlan* plan         = &function->plan;
  int waiting                = 0;
  for (int k = 0; k < plan->count; ++k)
  {
    lwExpr expr = plan->statements[k].node >= 0
                      ? 2 * plan->statements[k].node
                      : function->program.outputs[plan->statements[k].output];
    bool top    = plan->statements[k].node >= 0;
    for (int later = k + 1; later < plan->count; ++later)
      if (plan->statements[later].node >= 0 &&
          needs_node(function, expr, plan->statements[later].node, top))
        fail_msg("statement %d needs statement %d", k, later);
    waiting += k > 0 && plan->statements[k - 1].node >= 0 &&
               needs_node(function, expr, plan->statements[k - 1].node, top);
  }
  assert_at_most(waiting, plan->count / 20);
  lw_generated_destroy(generated);
  lw_model_destroy(model);
}

// --- refusals

static void expect_refusal(const lwModel* model, const lwGenerateDef* def, lwStatus status,
                           const char* part)
{
  lwDiag* diag           = lw_diag_create();
  lwGenerated* generated = (lwGenerated*)1;
  assert_int_equal(lw_generate(model, def, diag, &generated), status);
  assert_null(generated);
  assert_int_equal(lw_diag_size(diag), 1);
  assert_contains(lw_diag_message(diag, 0)->text, part);
  lw_diag_destroy(diag);
}

static void wrong_options_are_refused(void** state)
{
  (void)state;
  lwModel *large, *small;
  assert_int_equal(lw_model_create_generic(LW_GENERATE_MAX_JOINTS + 1, &large), LW_OK);
  assert_int_equal(lw_model_create_generic(2, &small), LW_OK);
  lwGenerateDef def = lw_generate_def();
  expect_refusal(large, &def, LW_ERROR_INPUT, "65 moving joints");
  def.questions = "inverze";
  expect_refusal(small, &def, LW_ERROR_INPUT, "did you mean 'inverse'");
  def.questions = "inertia+bias+inertia";
  expect_refusal(small, &def, LW_ERROR_INPUT, "twice");
  def.questions = "inertia,inertia";
  expect_refusal(small, &def, LW_ERROR_INPUT, "twice");
  def      = lw_generate_def();
  def.name = "2arms";
  expect_refusal(small, &def, LW_ERROR_INPUT, "'2arms' cannot begin");
  def.name = "while";
  expect_refusal(small, &def, LW_ERROR_INPUT, "'while' cannot begin");
  def        = lw_generate_def();
  def.method = "crba";
  expect_refusal(small, &def, LW_ERROR_METHOD, "no method 'crba'");
  def       = lw_generate_def();
  def.lanes = 3;
  expect_refusal(small, &def, LW_ERROR_INPUT, "lanes");
  def = (lwGenerateDef){.questions = "inverse"};
  expect_refusal(small, &def, LW_ERROR_DEF, "lw_generate_def()");
  lw_model_destroy(large);
  lw_model_destroy(small);
}

// --- fused multiply-adds

static int count_of(const char* text, const char* word)
{
  int count = 0;
  for (const char* at = strstr(text, word); at; at = strstr(at + 1, word)) ++count;
  return count;
}

// Every fma() replaces one * and one +, and nothing else changes.
static void fused_operations_replace_two(void** state)
{
  (void)state;
  lwModel* model;
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/panda.yaml", NULL, NULL, &model), LW_OK);
  lwGenerateDef def = lw_generate_def();
  def.fused         = true;
  lwGenerated* generated;
  assert_int_equal(lw_generate(model, &def, NULL, &generated), LW_OK);
  const char* text  = lw_generated_text(generated, 0);
  lwCount count     = lw_generated_count(generated, 0);
  Operators written = count_operators(text);
  int fused         = count_of(text, "fma(");
  assert_in_range(fused, count.add / 2, count.add);
  assert_int_equal(written.mul + fused, count.mul);
  assert_int_equal(written.add + fused, count.add);
  lw_generated_destroy(generated);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_robots_agree),
      cmocka_unit_test(quaternions_agree),
      cmocka_unit_test(snakes_agree),
      cmocka_unit_test(wrong_options_of_snakes_are_refused),
      cmocka_unit_test(counts_are_those_of_the_text),
      cmocka_unit_test(small_robots_try_more_ways),
      cmocka_unit_test(the_same_robot_gives_the_same_text),
      cmocka_unit_test(statements_do_not_wait_for_the_one_before),
      cmocka_unit_test(fused_operations_replace_two),
      cmocka_unit_test(wrong_options_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
