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
#include <string.h>

#include "answer/scalar_snake.h"
#include "generate/choose.h"

enum
{
  TORQUES = -1  // the answer that is none of lwSnakeAnswers
};

// What can be asked, and how it is called in the code.
static const struct
{
  const char *word, *name;
  int output;  // LW_SNAKE_OUT_.., or TORQUES
  int columns;
  const char* meaning;
} SNAKE_QUESTIONS[] = {
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

int lw_snake_results(const lwSnake* snake, lwResult* results)
{
  const int count = sizeof SNAKE_QUESTIONS / sizeof *SNAKE_QUESTIONS;
  for (int k = 0; k < count; ++k)
  {
    int output = SNAKE_QUESTIONS[k].output, columns = SNAKE_QUESTIONS[k].columns;
    int size   = output == TORQUES ? snake->n - 1 : (int)lw_snake_output_size(output, snake->n);
    results[k] = (lwResult){.word     = SNAKE_QUESTIONS[k].word,
                            .name     = SNAKE_QUESTIONS[k].name,
                            .rows     = size / columns,
                            .columns  = columns,
                            .meaning  = SNAKE_QUESTIONS[k].meaning,
                            .question = LW_QUESTION_SNAKE,
                            .output   = output,
                            .cancels  = output == LW_SNAKE_OUT_BIAS || output == TORQUES};
  }
  return count;
}

static bool asks_for(const lwResult* results, int count, bool torques)
{
  for (int k = 0; k < count; ++k)
    if ((results[k].output == TORQUES) == torques) return true;
  return false;
}

// --- recording

static void snake_inputs(lwGraph* graph, lwArgument argument, int count, REAL* to)
{
  for (int k = 0; k < count; ++k)
    to[k] = in_graph(graph, lw_graph_input(graph, lw_input_number(argument, k)));
}

static void record_links(OwnSnake* own)
{
  _Static_assert(sizeof(Part) / sizeof(REAL) == sizeof(lwSnakePart64) / sizeof(double), "fields");
  const double* from = (const double*)own->snake.part64;
  REAL* to           = (REAL*)own->parts;
  for (size_t k = 0; k < (size_t)own->snake.n * (sizeof(Part) / sizeof(REAL)); ++k)
    to[k] = constant(from[k]);
  own->sums = (WholeSnake){constant(own->snake.sums.mass), constant(own->snake.sums.rolling)};
}

static void run_snake(OwnSnake* own, bool torques, lwSnakeOut* out)
{
  lwSnakeState state = {own->theta, own->u, torques ? own->torque : NULL};
  lw_symbol_variant()->snake[own->method]->run(&own->snake, own->scratch, &state, out);
}

// Torques of least norm; torque (n - 1).
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

static void keep_answers(const lwRecording* recording, const OwnSnake* own, bool torques,
                         lwProgram* program)
{
  int first = 0;
  for (int k = 0; k < recording->count; ++k)
  {
    int output = recording->result[k].output, size = lw_result_size(&recording->result[k]);
    const REAL* from = output == TORQUES ? own->torque : own->out[output];
    for (int i = 0; i < size && (output == TORQUES) == torques; ++i)
      program->outputs[first + i] = expr_of(&program->graph, from[i]);
    first += size;
  }
}

static void record_answers(const lwRecording* recording, OwnSnake* own, lwProgram* program)
{
  int n = recording->snake->n, count = recording->count;
  const lwResult* results = recording->result;
  lwSnakeOut out          = {{NULL}};
  record_links(own);
  snake_inputs(&program->graph, LW_ARGUMENT_Q, n, own->theta);
  snake_inputs(&program->graph, LW_ARGUMENT_QD, 2, own->u);
  snake_inputs(&program->graph, LW_ARGUMENT_TAU, n - 1, own->torque);
  out.to[LW_SNAKE_OUT_UDOT] = own->out[LW_SNAKE_OUT_UDOT];
  for (int k = 0; k < count; ++k)
    if (results[k].output != TORQUES) out.to[results[k].output] = own->out[results[k].output];
  if (asks_for(results, count, false)) run_snake(own, true, &out);
  keep_answers(recording, own, false, program);
  if (!asks_for(results, count, true)) return;
  REAL udot[2];
  snake_inputs(&program->graph, LW_ARGUMENT_QDD, 2, udot);
  record_torques(own, udot, own->torque);
  keep_answers(recording, own, true, program);
}

bool lw_record_snake(const lwRecording* recording, lwProgram* program)
{
  OwnSnake own = {.snake = *recording->snake, .method = recording->kernel[0]};
  bool enough  = scalar_snake_memory(&own, lw_symbol_variant());
  if (enough) record_answers(recording, &own, program);
  lw_arena_free(&own.arena);
  return enough;
}

// --- the answers of the library

void lw_snake_library_answer(const lwSnake* snake, lwSnakeWorkspace* ws, const lwResult* result,
                             const double* const* in, double* out)
{
  double* to[LW_SNAKE_OUTPUTS] = {NULL};
  lwSnakeStates state          = {in[LW_ARGUMENT_Q], in[LW_ARGUMENT_QD], in[LW_ARGUMENT_TAU]};
  lwSnakeAnswers answers;
  if (result->output == TORQUES)
  {
    lw_snake_torque(snake, ws, &state, in[LW_ARGUMENT_QDD], out, NULL);
    return;
  }
  to[result->output] = out;
  memcpy(&answers, to, sizeof answers);
  lw_snake_answer(snake, ws, &state, &answers);
}

// --- what is asked for

lwStatus lw_snake_check(const lwSnake* snake, const lwGenerateDef* def, lwDiag* diag)
{
  if (snake->n > LW_GENERATE_MAX_JOINTS)
    return lw_refuse(
        diag, LW_ERROR_INPUT,
        "lw_snake_answer() and lw_snake_answer_many() take snakes of any length",
        "'%.60s' has %d links; straight-line code is made for %d at most, beyond them the "
        "library's kernels are faster",
        snake->name, snake->n, LW_GENERATE_MAX_JOINTS);
  if (def->language == LW_LANGUAGE_LATEX)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "no equations of snakes are written: generate c or another language");
  if (def->arguments & ~(unsigned)LW_GENERATE_ARGUMENT_CASADI)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "snakes have no wrench, gravity or payload as arguments");
  if (strcmp(def->method, "best") != 0 && lw_snake_method_find(def->method) < 0)
    return lw_refuse(diag, LW_ERROR_METHOD, NULL, "no method '%.60s' for snakes", def->method);
  return LW_OK;
}

// Two links have one joint, whose torque cannot give two accelerations.
lwStatus lw_snake_check_choice(const lwChoice* choice, lwDiag* diag)
{
  if (choice->snake->n > 2 || !asks_for(choice->result, choice->count, true)) return LW_OK;
  return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                   "torques of a snake of two links do not give every acceleration, and no "
                   "code is generated for what comes nearest");
}

void lw_snake_parameters(const lwChoice* choice, bool given_sines, lwFunction* function)
{
  int n                        = choice->snake->n;
  bool moves                   = asks_for(choice->result, choice->count, false);
  bool torques                 = asks_for(choice->result, choice->count, true);
  const lwOptionalTaken list[] = {
      {!given_sines, {LW_ARGUMENT_Q, "theta", n, "directions, rad"}},
      {given_sines, {LW_ARGUMENT_COSINE, "cosine", n, "cosines of theta"}},
      {given_sines, {LW_ARGUMENT_SINE, "sine", n, "sines of theta"}},
      {true, {LW_ARGUMENT_QD, "u", 2, "speeds V_1 and d theta_1/dt, m/s, rad/s"}},
      {torques,
       {LW_ARGUMENT_QDD, moves ? "wanted" : "udot", 2,
        "wanted accelerations of them, m/s^2, rad/s^2"}},
      {moves, {LW_ARGUMENT_TAU, "torque", n - 1, "torques of the joints, N m"}}};
  lw_function_take(function, list, sizeof list / sizeof *list);
}
