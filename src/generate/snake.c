// SPDX-License-Identifier: MIT
// Straight-line code for a snake: its kernels in the symbol scalar, as record.c does for arms.
//
//   theta (n), u (2), torque (n-1) --kernel--> every answer of lwSnakeAnswers
//   theta, u, udot (2) --> torques of least norm, T = G^T (G G^T)^-1 (M udot + bias)
//
// G_ik = d (omega_k+1 - omega_k) / d u_i, as in answer/snake_inverse.c.
#define LW_SCALAR_symbol
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/own_snake.h"
#include "base/diag.h"
#include "base/random.h"
#include "base/text.h"
#include "generate/choose.h"
#include "generate/make.h"
#include "generate/simplify.h"

enum
{
  TORQUES = -1  // the answer that is none of lwSnakeAnswers
};

// What can be asked, and how it is called in the code.
typedef struct SnakeQuestion
{
  const char* word;
  const char* name;
  int output;  // LW_SNAKE_OUT_.., or TORQUES
  int columns;
  const char* meaning;
} SnakeQuestion;

static const SnakeQuestion QUESTIONS[] = {
    {"forward", "udot", LW_SNAKE_OUT_UDOT, 1, "accelerations of V_1 and theta_1, m/s^2, rad/s^2"},
    {"inverse", "torques", TORQUES, 1, "torques of least norm that give udot, N m"},
    {"V", "V", LW_SNAKE_OUT_V, 1, "speed of each link along its direction, m/s"},
    {"omega", "omega", LW_SNAKE_OUT_OMEGA, 1, "angular velocities, rad/s"},
    {"theta_ddot", "theta_ddot", LW_SNAKE_OUT_THETA_DDOT, 1, "angular accelerations, rad/s^2"},
    {"lambda", "wheel_forces", LW_SNAKE_OUT_LAMBDA, 1, "forces of the wheels on the ground, N"},
    {"rates", "rates", LW_SNAKE_OUT_RATES, 1, "velocity of the middle of link 1, m/s"},
    {"rates_dot", "rates_dot", LW_SNAKE_OUT_RATES_DOT, 1, "its acceleration, m/s^2"},
    {"M", "M", LW_SNAKE_OUT_M, 2, "the mass matrix for u, kg, kg m, kg m^2"},
    {"bias", "bias", LW_SNAKE_OUT_BIAS, 1, "forces of velocity, N, N m"},
    {"force", "force", LW_SNAKE_OUT_FORCE, 1, "generalised force of the torques, N, N m"},
    {"partial", "partial", LW_SNAKE_OUT_PARTIAL, 2, "d omega / d u, 1/m and 1"},
    {"kinetic", "kinetic", LW_SNAKE_OUT_KINETIC, 1, "kinetic energy, J"},
    {"power", "power", LW_SNAKE_OUT_POWER, 1, "power of the torques, W"}};

enum
{
  QUESTION_COUNT = sizeof QUESTIONS / sizeof *QUESTIONS
};

// What one function answers.
typedef struct SnakeChoice
{
  const lwSnake* snake;
  int count;
  const SnakeQuestion* question[LW_QUESTIONS_AT_ONCE];
  bool split;  // no sines of sums
} SnakeChoice;

static int answer_size(const lwSnake* snake, int output)
{
  return output == TORQUES ? snake->n - 1 : (int)lw_snake_output_size(output, snake->n);
}

static bool asks_for(const SnakeChoice* choice, bool torques)
{
  for (int k = 0; k < choice->count; ++k)
    if ((choice->question[k]->output == TORQUES) == torques) return true;
  return false;
}

// --- recording

static void snake_inputs(lwGraph* graph, lwArgument argument, int count, REAL* to)
{
  for (int k = 0; k < count; ++k)
    to[k] = in_graph(graph, lw_graph_input(graph, lw_input_number(argument, k)));
}

static void known_reals(const double* from, size_t count, REAL* to)
{
  for (size_t k = 0; k < count; ++k) to[k] = constant(from[k]);
}

static void record_links(OwnSnake* own)
{
  _Static_assert(sizeof(Part) / sizeof(REAL) == sizeof(lwSnakePart64) / sizeof(double), "fields");
  for (int k = 0; k < own->snake.n; ++k)
    known_reals((const double*)&own->snake.part64[k], sizeof(Part) / sizeof(REAL),
                (REAL*)&own->parts[k]);
  own->sums = (WholeSnake){constant(own->snake.sums.mass), constant(own->snake.sums.rolling)};
}

static void run_snake(OwnSnake* own, bool torques, lwSnakeOut* out)
{
  lwSnakeState state = {own->theta, own->u, torques ? own->torque : NULL};
  lw_symbol_variant()->snake[own->method]->run(&own->snake, own->scratch, &state, out);
}

// Torques of least norm; torque has room for them.
static void record_torques(OwnSnake* own, const REAL udot[2], REAL* torque)
{
  lwSnakeOut out = {{NULL}};
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    if (k == LW_SNAKE_OUT_UDOT || k == LW_SNAKE_OUT_M || k == LW_SNAKE_OUT_BIAS ||
        k == LW_SNAKE_OUT_PARTIAL)
      out.to[k] = own->out[k];
  run_snake(own, false, &out);
  const REAL *M = OUT(&out, M), *bias = OUT(&out, BIAS), *partial = OUT(&out, PARTIAL);
  REAL a = zero(), b = zero(), c = zero(), f[2];
  for (int i = 0; i < 2; ++i)
    f[i] = mul_add(M[2 * i], udot[0], mul_add(M[2 * i + 1], udot[1], bias[i]));
  for (int k = 0; k + 1 < own->snake.n; ++k)
  {
    REAL G0 = r_sub(partial[2 * k + 2], partial[2 * k]);
    REAL G1 = r_sub(partial[2 * k + 3], partial[2 * k + 1]);
    a = mul_add(G0, G0, a), b = mul_add(G0, G1, b), c = mul_add(G1, G1, c);
  }
  REAL over = r_div(constant(1), mul_sub(a, c, r_mul(b, b)));
  REAL y0   = r_mul(over, mul_sub(c, f[0], r_mul(b, f[1])));
  REAL y1   = r_mul(over, mul_sub(a, f[1], r_mul(b, f[0])));
  for (int k = 0; k + 1 < own->snake.n; ++k)
    torque[k] = mul_add(r_sub(partial[2 * k + 2], partial[2 * k]), y0,
                        r_mul(r_sub(partial[2 * k + 3], partial[2 * k + 1]), y1));
}

static void keep_answers(const SnakeChoice* choice, const OwnSnake* own, bool torques,
                         lwProgram* program)
{
  int first = 0;
  for (int k = 0; k < choice->count; ++k)
  {
    int output = choice->question[k]->output, size = answer_size(choice->snake, output);
    const REAL* from = output == TORQUES ? own->torque : own->out[output];
    for (int i = 0; i < size && (output == TORQUES) == torques; ++i)
      program->outputs[first + i] = expr_of(&program->graph, from[i]);
    first += size;
  }
}

static void record_answers(const SnakeChoice* choice, OwnSnake* own, lwProgram* program)
{
  int n          = choice->snake->n;
  lwSnakeOut out = {{NULL}};
  record_links(own);
  snake_inputs(&program->graph, LW_ARGUMENT_Q, n, own->theta);
  snake_inputs(&program->graph, LW_ARGUMENT_QD, 2, own->u);
  snake_inputs(&program->graph, LW_ARGUMENT_TAU, n - 1, own->torque);
  out.to[LW_SNAKE_OUT_UDOT] = own->out[LW_SNAKE_OUT_UDOT];
  for (int k = 0; k < choice->count; ++k)
    if (choice->question[k]->output != TORQUES)
      out.to[choice->question[k]->output] = own->out[choice->question[k]->output];
  if (asks_for(choice, false)) run_snake(own, true, &out);
  keep_answers(choice, own, false, program);
  if (!asks_for(choice, true)) return;
  REAL udot[2];
  snake_inputs(&program->graph, LW_ARGUMENT_QDD, 2, udot);
  record_torques(own, udot, own->torque);
  keep_answers(choice, own, true, program);
}

static lwStatus record_snake(const SnakeChoice* choice, int method, lwProgram* program)
{
  int outputs = 0;
  for (int k = 0; k < choice->count; ++k)
    outputs += answer_size(choice->snake, choice->question[k]->output);
  if (!lw_program_open(program, outputs)) return LW_ERROR_MEMORY;
  OwnSnake own         = {.snake = *choice->snake, .method = method};
  program->graph.split = choice->split;
  bool enough          = own_snake_memory(&own, lw_symbol_variant());
  if (enough) record_answers(choice, &own, program);
  lw_arena_free(&own.arena);
  if (enough && !program->graph.failed) return LW_OK;
  lw_program_close(program);
  return LW_ERROR_MEMORY;
}

// --- the answers of the library

static void answer_snake(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                         int output, double* out)
{
  double* to[LW_SNAKE_OUTPUTS] = {NULL};
  lwSnakeAnswers answers;
  to[output] = out;
#define ANSWER_FIELD(NAME, field, per_link, further) answers.field = to[LW_SNAKE_OUT_##NAME];
  LW_SNAKE_OUTPUT_LIST(ANSWER_FIELD)
#undef ANSWER_FIELD
  lw_snake_answer(snake, ws, state, &answers);
}

lwStatus lw_snake_expected(const lwSnake* snake, const lwFunction* function,
                           const double* const* in, double* out)
{
  lwSnakeWorkspace* ws;
  lwStatus status = lw_snake_workspace_create(snake, NULL, NULL, &ws);
  if (status != LW_OK) return status;
  lwSnakeStates state = {in[LW_ARGUMENT_Q], in[LW_ARGUMENT_QD], in[LW_ARGUMENT_TAU]};
  for (int k = 0; k < function->results; ++k)
  {
    const lwResult* result = &function->result[k];
    if (result->output == TORQUES)
      lw_snake_torque(snake, ws, &state, in[LW_ARGUMENT_QDD], out, NULL);
    else
      answer_snake(snake, ws, &state, result->output, out);
    out += result->rows * result->columns;
  }
  lw_snake_workspace_destroy(ws);
  return LW_OK;
}

// Far above rounding, far below any mistake; as in choose.c.
static const double tolerance = 1e-8;

static double worst_of(const lwFunction* function, const double* found, const double* expected)
{
  double worst = 0;
  for (int k = 0; k < function->results; ++k)
  {
    int size   = function->result[k].rows * function->result[k].columns;
    double off = 0, scale = 0;
    for (int i = 0; i < size; ++i)
    {
      double difference = fabs(found[i] - expected[i]);
      scale             = fmax(scale, fabs(expected[i]));
      off               = isfinite(difference) ? fmax(off, difference) : INFINITY;
    }
    if (off > 0) worst = fmax(worst, off / scale);
    found += size, expected += size;
  }
  return worst;
}

// Whether a program gives the answers of the library.
static lwStatus compare_snake(const lwSnake* snake, const lwFunction* function,
                              const lwProgram* program, bool* agree)
{
  size_t n = (size_t)snake->n, outputs = (size_t)program->output_count;
  double* memory  = calloc(4 * n + 8 + 2 * outputs, sizeof *memory);
  lwRandom random = {17};
  *agree          = false;
  if (!memory) return LW_ERROR_MEMORY;
  for (size_t i = 0; i < 4 * n; ++i) memory[i] = lw_random_between(&random, -1, 1);
  const double* in[LW_ARGUMENT_COUNT] = {memory, memory + n, memory + 2 * n, memory + 3 * n};
  double *found = memory + 4 * n + 8, *expected = found + outputs;
  lwStatus status = lw_snake_expected(snake, function, in, expected);
  if (status == LW_OK && !lw_program_evaluate(program, in, found)) status = LW_ERROR_MEMORY;
  *agree = status == LW_OK && worst_of(function, found, expected) <= tolerance;
  free(memory);
  return status;
}

// --- methods

static bool is_tried(const lwGenerateDef* def, int method)
{
  return !strcmp(def->method, "best") || lw_method_is(lw_snake_method(method), def->method);
}

// Records every method, or the named one, and keeps the cheapest that is right.
static lwStatus choose_snake_method(const SnakeChoice* choice, const lwGenerateDef* def,
                                    lwFunction* function, lwDiag* diag)
{
  lwStatus status = LW_OK;
  bool found      = false;
  long least      = 0;
  for (int i = 0; i < lw_snake_method_count() && status == LW_OK; ++i)
  {
    lwProgram made;
    bool agree = false;
    if (!is_tried(def, i)) continue;
    status = record_snake(choice, i, &made);
    if (status != LW_OK) break;
    long cost = lw_simplify(&made) ? lw_program_cost(&made) : -1;
    if (cost < 0) status = LW_ERROR_MEMORY;
    if (status == LW_OK) status = compare_snake(choice->snake, function, &made, &agree);
    bool better = agree && (!found || cost < least);
    if (better && found) lw_program_close(&function->program);
    if (better) function->program = made, least = cost;
    if (better) snprintf(function->method, sizeof function->method, "%s", lw_snake_method(i)->name);
    if (!better) lw_program_close(&made);
    found = found || better;
  }
  if (status != LW_OK && found) lw_program_close(&function->program);
  if (status != LW_OK || found) return status;
  LW_REFUSE(diag, NULL, "no method gives the answers of the library to '%s'", function->name);
  return LW_ERROR_METHOD;
}

// --- what is asked for

static lwStatus refuse_snake_question(const char* word, size_t length, lwDiag* diag)
{
  lwNearest nearest = lw_nearest_part(word, length);
  for (int k = 0; k < QUESTION_COUNT; ++k) lw_nearest_try(&nearest, QUESTIONS[k].word);
  if (nearest.best)
    LW_REFUSE(diag, NULL, "no question '%.*s' about snakes, did you mean '%s'?",
              (int)(length < 60 ? length : 60), word, nearest.best);
  else
    LW_REFUSE(diag, NULL,
              "no question '%.*s' about snakes, expected forward, inverse, V, omega, theta_ddot, "
              "lambda, rates, rates_dot, M, bias, force, partial, kinetic or power",
              (int)(length < 60 ? length : 60), word);
  return LW_ERROR_INPUT;
}

static const SnakeQuestion* find_question(const char* word, size_t length)
{
  for (int k = 0; k < QUESTION_COUNT; ++k)
    if (strlen(QUESTIONS[k].word) == length && !strncmp(QUESTIONS[k].word, word, length))
      return &QUESTIONS[k];
  return NULL;
}

// "forward+lambda" up to a comma or the end; *word moves behind it.
static lwStatus read_snake_questions(const char** word, SnakeChoice* choice, lwDiag* diag)
{
  for (;;)
  {
    size_t length              = strcspn(*word, "+,");
    const SnakeQuestion* found = find_question(*word, length);
    if (!found) return refuse_snake_question(*word, length, diag);
    bool twice = false;
    for (int k = 0; k < choice->count; ++k) twice = twice || choice->question[k] == found;
    if (twice || choice->count == LW_QUESTIONS_AT_ONCE)
    {
      LW_REFUSE(diag, NULL, "one function answers %d questions at most, each once",
                LW_QUESTIONS_AT_ONCE);
      return LW_ERROR_INPUT;
    }
    choice->question[choice->count++] = found;
    *word += length;
    if (**word != '+') break;
    ++*word;
  }
  if (**word == ',') ++*word;
  return LW_OK;
}

static lwStatus check_snake(const lwSnake* snake, const lwGenerateDef* def, lwDiag* diag)
{
  lwStatus status = LW_ERROR_INPUT;
  if (snake->n > LW_GENERATE_MAX_JOINTS)
    LW_REFUSE(diag, "lw_snake_answer() and lw_snake_answer_many() take snakes of any length",
              "'%.60s' has %d links; straight-line code is made for %d at most, beyond them the "
              "library's kernels are faster",
              snake->name, snake->n, LW_GENERATE_MAX_JOINTS);
  else if (def->language == LW_LANGUAGE_LATEX)
    LW_REFUSE(diag, NULL, "no equations of snakes are written: generate c or another language");
  else if (def->arguments)
    LW_REFUSE(diag, NULL, "snakes have no wrench, gravity or payload as arguments");
  else if (strcmp(def->method, "best") != 0 && lw_snake_method_find(def->method) < 0)
  {
    LW_REFUSE(diag, NULL, "no method '%.60s' for snakes", def->method);
    status = LW_ERROR_METHOD;
  }
  else
    status = LW_OK;
  return status;
}

// Two links have one joint, whose torque cannot give two accelerations.
static lwStatus check_torques(const SnakeChoice* choice, lwDiag* diag)
{
  if (choice->snake->n > 2 || !asks_for(choice, true)) return LW_OK;
  LW_REFUSE(diag, NULL,
            "torques of a snake of two links do not give every acceleration, and no "
            "code is generated for what comes nearest");
  return LW_ERROR_INPUT;
}

// --- functions

static void set_snake_arrays(const SnakeChoice* choice, bool given_sines, lwFunction* function)
{
  int n = choice->snake->n;
  if (!given_sines) lw_function_take(function, LW_ARGUMENT_Q, "theta", n, "directions, rad");
  if (given_sines)
  {
    lw_function_take(function, LW_ARGUMENT_COSINE, "cosine", n, "cosines of theta");
    lw_function_take(function, LW_ARGUMENT_SINE, "sine", n, "sines of theta");
  }
  lw_function_take(function, LW_ARGUMENT_QD, "u", 2, "speeds V_1 and d theta_1/dt, m/s, rad/s");
  if (asks_for(choice, true))
    lw_function_take(function, LW_ARGUMENT_QDD, asks_for(choice, false) ? "wanted" : "udot", 2,
                     "wanted accelerations of them, m/s^2, rad/s^2");
  if (asks_for(choice, false))
    lw_function_take(function, LW_ARGUMENT_TAU, "torque", n - 1, "torques of the joints, N m");
  for (int k = 0; k < choice->count; ++k)
  {
    const SnakeQuestion* question = choice->question[k];
    int size = answer_size(choice->snake, question->output), columns = question->columns;
    function->result[function->results++] =
        (lwResult){question->name,
                   size / columns,
                   columns,
                   question->meaning,
                   LW_QUESTION_SNAKE,
                   question->output,
                   question->output == LW_SNAKE_OUT_BIAS || question->output == TORQUES};
  }
}

static lwStatus make_snake_function(lwGenerated* made, const char* words, const SnakeChoice* choice,
                                    lwDiag* diag)
{
  lwFunction* function;
  lwStatus status = lw_function_open(made, words, diag, &function);
  if (status != LW_OK) return status;
  set_snake_arrays(choice, made->def.sines == LW_SINES_GIVEN, function);
  status = choose_snake_method(choice, &made->def, function, diag);
  return status == LW_OK ? lw_function_finish(made, function, choice->snake->n, diag) : status;
}

static lwStatus make_snake_functions(lwGenerated* made, const lwSnake* snake, lwDiag* diag)
{
  const char* word = made->def.questions;
  lwStatus status  = *word ? LW_OK : refuse_snake_question(word, 0, diag);
  while (*word && status == LW_OK)
  {
    SnakeChoice choice = {.snake = snake, .split = made->def.sines == LW_SINES_GIVEN};
    const char* words  = word;
    status             = read_snake_questions(&word, &choice, diag);
    if (status == LW_OK) status = check_torques(&choice, diag);
    if (status == LW_OK) status = make_snake_function(made, words, &choice, diag);
  }
  return status;
}

lwStatus lw_generate_snake(const lwSnake* snake, const lwGenerateDef* def, lwDiag* diag,
                           lwGenerated** generated)
{
  *generated      = NULL;
  lwStatus status = lw_check_wishes(def, diag);
  if (status == LW_OK) status = check_snake(snake, def, diag);
  if (status != LW_OK) return status;
  lwGenerated* made = lw_generated_open(def, snake->name);
  if (!made) return LW_ERROR_MEMORY;
  made->snake  = snake;
  made->joints = made->nq = snake->n;
  status                  = make_snake_functions(made, snake, diag);
  if (status == LW_OK) status = lw_write_sources(made);
  if (status == LW_OK)
    *generated = made;
  else
    lw_generated_destroy(made);
  return status;
}
