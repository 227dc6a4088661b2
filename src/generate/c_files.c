// SPDX-License-Identifier: MIT
// Files beside generated C: a header, and a program that tests the
// code against the library's answers.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "generate/choose.h"
#include "generate/emit.h"
#include "math/elementary.h"
#include "model/model_internal.h"

// --- header

// For C and C++, which has no restrict; the definitions have it, and neither callers nor linkers
// see it.
void lw_emit_header(lwGenerated* generated, lwOut* text)
{
  char guard[sizeof generated->name];
  for (size_t k = 0; k < sizeof guard; ++k)
    guard[k] = (char)toupper((unsigned char)generated->name[k]);
  lw_emit_form(generated, NULL,
               "/* $t: made by linkwork $v, to be made again rather than edited. */\n", text);
  lw_out_format(text, "#ifndef %s_H\n#define %s_H\n", guard, guard);
  if (generated->def.lanes > 1) lw_emit_lanes(generated, text);
  lw_out_text(text, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
  for (int i = 0; i < generated->functions; ++i)
    lw_emit_form(generated, &generated->function[i],
                 "\n/**\n$A */\nvoid $n($pconst $T* $n$;, $r$T* $n$;);\n", text);
  lw_out_text(text, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

// --- test program

// One function's states and the answers to them.
typedef struct Tested
{
  const lwGenerated* generated;
  const lwFunction* function;
  int number;                        // of the function, from 1
  double* in[LW_ARGUMENT_SINE + 1];  // (states, size)
  double* out;                       // (states, outputs)
} Tested;

// Positions up to half a turn and more, large speeds, gravity in any direction, a payload that a
// body can have. In single precision the numbers are those that the program has.
static void fill_state(const lwGenerated* generated, lwRandom* random, const lwTaken* parameter,
                       double* to)
{
  static const double half[LW_ARGUMENT_COUNT] = {3, 2, 3, 5, 4, 9, 0.3};
  bool single                                 = generated->def.precision == LW_PRECISION_SINGLE;
  for (int i = 0; i < parameter->size; ++i)
    to[i] = lw_random_between(random, -half[parameter->argument], half[parameter->argument]);
  if (parameter->argument == LW_ARGUMENT_PAYLOAD)
  {
    to[0] = lw_random_between(random, 0.1, 2);
    for (int i = 4; i < 7; ++i) to[i] = lw_random_between(random, 0.02, 0.03);
    for (int i = 7; i < 10; ++i) to[i] = lw_random_between(random, -0.002, 0.002);
  }
  for (int i = 0; single && i < parameter->size; ++i) to[i] = (double)(float)to[i];
}

// Quaternions of length 1, to rounding of what the program has.
static void fill_quaternions(const Tested* tested, double* q)
{
  const lwModel* model = tested->generated->model;
  bool single          = tested->generated->def.precision == LW_PRECISION_SINGLE;
  for (int k = 0; model && k < model->ball_count; ++k)
  {
    double *turn = q + model->balls[k].q, length2 = 0;
    for (int i = 0; i < 4; ++i) length2 += turn[i] * turn[i];
    for (int i = 0; i < 4; ++i) turn[i] /= sqrt(length2);
    for (int i = 0; i < 4 && single; ++i) turn[i] = (double)(float)turn[i];
  }
}

static bool fill_states(Tested* tested)
{
  const lwFunction* function = tested->function;
  int states                 = tested->generated->def.test_states;
  const lwTaken angles       = {LW_ARGUMENT_Q, "q", tested->generated->nq, NULL};
  lwRandom random            = {2026};
  for (int argument = 0; argument <= LW_ARGUMENT_SINE; ++argument)
  {
    const lwTaken* parameter = argument == LW_ARGUMENT_Q  // always: sines are made of them
                                   ? &angles
                                   : lw_function_parameter(function, (lwArgument)argument);
    if (!parameter) continue;
    size_t size          = (size_t)parameter->size;
    tested->in[argument] = calloc((size_t)states * size + 1, sizeof(double));
    if (!tested->in[argument]) return false;
    for (int row = 0; row < states && argument < LW_ARGUMENT_COUNT; ++row)
      fill_state(tested->generated, &random, parameter, tested->in[argument] + (size_t)row * size);
    for (int row = 0; row < states && argument == LW_ARGUMENT_Q; ++row)
      fill_quaternions(tested, tested->in[argument] + (size_t)row * size);
  }
  const lwModel* model = tested->generated->model;
  for (int row = 0; row < states && model && model->loops; ++row)
  {
    double *q = tested->in[LW_ARGUMENT_Q], *qd = tested->in[LW_ARGUMENT_QD];
    if (lw_close_state(model, q + row * model->nq, qd ? qd + row * model->dof : NULL) != LW_OK)
      return false;
  }
  for (int i = 0; tested->in[LW_ARGUMENT_SINE] && i < states * angles.size; ++i)
  {
    tested->in[LW_ARGUMENT_SINE][i]   = lw_sin(tested->in[LW_ARGUMENT_Q][i]);
    tested->in[LW_ARGUMENT_COSINE][i] = lw_cos(tested->in[LW_ARGUMENT_Q][i]);
  }
  tested->out = calloc((size_t)states * (size_t)function->program.output_count + 1, sizeof(double));
  return tested->out != NULL;
}

// Row `row` of an argument, or NULL.
static const double* state_row(const Tested* tested, lwArgument argument, int row)
{
  const lwTaken* parameter = lw_function_parameter(tested->function, argument);
  if (argument == LW_ARGUMENT_Q) return tested->in[argument] + row * tested->generated->nq;
  return parameter ? tested->in[argument] + row * parameter->size : NULL;
}

// The robot with the gravity and payload of one state.
static lwStatus changed_robot(const Tested* tested, const lwModel* model, int row, lwModel** out)
{
  const double* gravity  = state_row(tested, LW_ARGUMENT_GRAVITY, row);
  const double* payload  = state_row(tested, LW_ARGUMENT_PAYLOAD, row);
  lwModelOptions options = {.lint = {.allow_bad_inertia = true, .allow_inert = true}};
  lwRobotDef robot       = model->robot;
  size_t bytes           = (size_t)robot.count * sizeof *robot.joints;
  lwJointDef* joints     = malloc(bytes);
  *out                   = NULL;
  if (!joints) return LW_ERROR_MEMORY;
  memcpy(joints, robot.joints, bytes);
  robot.joints = joints;
  if (gravity) memcpy(robot.gravity, gravity, sizeof robot.gravity);
  if (payload) lw_link_def_add(&joints[robot.count - 1].link, payload[0], payload + 1, payload + 4);
  lwStatus status = lw_model_create(&robot, &options, NULL, out);
  free(joints);
  return status;
}

static lwStatus answer_row(const Tested* tested, int row)
{
  const lwFunction* function = tested->function;
  const lwSnake* snake       = tested->generated->snake;
  lwModel* changed           = NULL;
  double* to                 = tested->out + (size_t)row * (size_t)function->program.output_count;
  lwStatus status = snake ? LW_OK : changed_robot(tested, tested->generated->model, row, &changed);
  const double* in[LW_ARGUMENT_COUNT];
  for (int k = 0; k < LW_ARGUMENT_COUNT; ++k) in[k] = state_row(tested, (lwArgument)k, row);
  if (status == LW_OK)
    status = lw_library_answers(changed, snake, function->result, function->results, in, to);
  lw_model_destroy(changed);
  return status;
}

static void put_array(const Tested* tested, const char* name, const double* values, int columns,
                      bool exact, lwOut* text)
{
  const lwGenerated* generated = tested->generated;
  const lwDialect* dialect     = lw_dialect(LW_LANGUAGE_C);
  bool single                  = !exact && generated->def.precision == LW_PRECISION_SINGLE;
  lw_out_format(text, "static const %s %s_%d[STATES][%d] = {\n", dialect->scalar[single], name,
                tested->number, columns);
  for (int row = 0; row < generated->def.test_states; ++row)
  {
    lw_out_text(text, "    {");
    for (int i = 0; i < columns; ++i)
    {
      lw_out_text(text, !i ? "" : i % 4 ? ", " : ",\n     ");
      lw_emit_number(dialect, single, values[row * columns + i], text);
    }
    lw_out_format(text, "}%s\n", row + 1 < generated->def.test_states ? "," : "");
  }
  lw_out_text(text, "};\n");
}

// Errors are judged relative to the largest entry of an answer. Forward dynamics, and all that is
// about the speeds of closed loops, solves equations, so it loses digits.
static double bound_of(const lwGenerated* generated, const lwResult* result)
{
  bool loops  = generated->model && generated->model->loops;
  bool solved = result->question == LW_QUESTION_FORWARD || result->cancels || loops;
  if (generated->def.precision == LW_PRECISION_SINGLE) return solved ? 5e-2 : 1e-4;
  return solved ? 1e-9 : 1e-12;
}

static const char ONE_STATE[] = "    $m($P$n_$#[i], $;$r$n$;);\n";

// State i is in lane i % N, between others.
static const char STATE_IN_LANES[] =
    "$P    $T $n_lanes[$s];\n"
    "    for (int k = 0; k < $s; ++k)\n"
    "      for (int lane = 0; lane < $N; ++lane)\n"
    "        $n_lanes[k][lane] = $n_$#[i - i % $N + lane][k];\n$;"
    "$R    $T $n_lanes[$s];\n$;"
    "    $m($P$n_lanes, $;$r$n_lanes$;);\n"
    "$R    for (int k = 0; k < $s; ++k) $n[k] = $n_lanes[k][i % $N];\n$;";

static void put_test(const Tested* tested, lwOut* text)
{
  const lwGenerated* generated = tested->generated;
  const lwFunction* function   = tested->function;
  lw_out_text(text, "\n");
  for (int k = 0; k < function->parameters; ++k)
    put_array(tested, function->parameter[k].name, tested->in[function->parameter[k].argument],
              function->parameter[k].size, false, text);
  put_array(tested, "expected", tested->out, function->program.output_count, true, text);
  lw_emit_form(generated, function,
               "\nstatic int test_$#(void)\n{\n  int wrong = 0;\n$R  double worst_$n = 0;\n$;"
               "  for (int i = 0; i < STATES; ++i)\n  {\n$R    $S $n[$s];\n$;",
               text);
  lw_emit_form(generated, function, generated->def.lanes > 1 ? STATE_IN_LANES : ONE_STATE, text);
  lw_emit_form(generated, function,
               "$R    worst_$n = larger(worst_$n, error_of($n, expected_$#[i] + $i, $s));\n$;"
               "  }\n",
               text);
  for (int k = 0; k < function->results; ++k)
    lw_out_format(text, "  wrong += report(\"%s %s\", worst_%s, %g);\n", function->name,
                  function->result[k].name, function->result[k].name,
                  bound_of(generated, &function->result[k]));
  lw_out_text(text, "  return wrong;\n}\n");
}

extern const char lw_test_begin_text[];  // test_begin.c.txt

static bool put_tests(const lwGenerated* generated, lwOut* text)
{
  bool done = true;
  for (int i = 0; i < generated->functions && done; ++i)
  {
    Tested tested = {generated, &generated->function[i], i + 1, {0}, NULL};
    done          = fill_states(&tested);
    for (int row = 0; row < generated->def.test_states && done; ++row)
      done = answer_row(&tested, row) == LW_OK;
    if (done) put_test(&tested, text);
    for (int k = 0; k <= LW_ARGUMENT_SINE; ++k) free(tested.in[k]);
    free(tested.out);
  }
  return done;
}

bool lw_emit_test(const lwGenerated* generated, lwOut* text)
{
  lw_out_format(text, "/* Tests %s.c against answers of linkwork %s. Exit 0: all agree. */\n",
                generated->def.file, lw_version());
  lw_out_format(text, "#include \"%s.h\"\n\n", generated->def.file);
  lw_out_format(text, "enum\n{\n  STATES = %d\n};\n\n", generated->def.test_states);
  lw_out_format(text, lw_test_begin_text, lw_emit_scalar(generated));
  bool done = put_tests(generated, text);
  lw_out_text(text, "\nint main(void)\n{\n  int wrong = 0;\n");
  for (int i = 0; i < generated->functions; ++i)
    lw_out_format(text, "  wrong += test_%d();\n", i + 1);
  lw_out_text(text, "  return wrong ? 1 : 0;\n}\n");
  return done;
}
