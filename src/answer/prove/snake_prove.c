// SPDX-License-Identifier: MIT
// Formulations of snake dynamics proven equal, as in prove.c: the snake's numbers and its state are
// random elements of the field of integers modulo 2^61 - 1.
//
//   number of links --random constants--> parts
//     --kernels--> answers of all methods --compare--> lwProof
#define LW_SCALAR_prime
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "answer/prove/prove.h"
#include "answer/scalar_snake.h"

// What a point has for one method, entry by entry; NULL: not wanted.
typedef struct Found
{
  REAL* of[LW_SNAKE_OUTPUTS];
} Found;

typedef struct SnakeProver
{
  lwProof* proof;
  OwnSnake scalar;     // as many links, with parts of the field; out by kane-linear
  Found other;         // by the method that is compared with it
  Found along;         // kinetic, omega, rates whose slopes are wanted
  Found rate;          // of these: their time derivatives
  REAL *left, *right;  // (n)
} SnakeProver;

#define NAME_OF(NAME, field, per_link, further) #field,
static const char* const OUTPUT_NAMES[] = {LW_SNAKE_OUTPUT_LIST(NAME_OF)};

static const char REFERENCE[] = "kane-linear";

static int size_of(const SnakeProver* prover, int output)
{
  return (int)lw_snake_output_size(output, prover->scalar.snake.n);
}

// --- random snakes and states

static void choose_point(SnakeProver* prover, int point)
{
  int n           = prover->scalar.snake.n;
  lwRandom random = lw_proof_random(prover->proof, point);
  lw_prime_start(n);
  for (int k = 0; k < n; ++k)
  {
    Part* part = &prover->scalar.parts[k];
    *part      = (Part){.mass    = lw_prime_random(&random),
                        .inertia = lw_prime_random(&random),
                        .half    = lw_prime_random(&random)};
    if (!prover->scalar.snake.centred) part->offset = lw_prime_random(&random);
  }
  scalar_snake_derive(&prover->scalar);
  lw_prime_keep();
  lw_proof_random_values(&random, prover->scalar.theta, n);
  lw_proof_random_values(&random, prover->scalar.u, 2);
  lw_proof_random_values(&random, prover->scalar.torque, n - 1);
}

// --- kernels

static void run_snake(SnakeProver* prover, int method, REAL* const found[])
{
  lwSnakeState state = {prover->scalar.theta, prover->scalar.u, prover->scalar.torque};
  lwSnakeOut out;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k) out.to[k] = found[k];
  lw_prime_restart();
  lw_prime_variant()->snake[method]->run(&prover->scalar.snake, prover->scalar.scratch, &state,
                                         &out);
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    if (found[k]) lw_prime_settle(found[k], (size_t)size_of(prover, k));
}

// --- identities

static void compare_output(SnakeProver* prover, const char* method, int k)
{
  lw_proof_compare(prover->proof, OUTPUT_NAMES[k], method, REFERENCE, size_of(prover, k),
                   prover->other.of[k], prover->scalar.out[k]);
}

static void prove_methods(SnakeProver* prover)
{
  for (int i = 0; i < LW_SNAKE_METHOD_COUNT; ++i)
  {
    if (i == LW_KERNEL_snake_kane_linear) continue;
    run_snake(prover, i, prover->other.of);
    for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k) compare_output(prover, lw_snake_method(i)->name, k);
  }
}

// The ways that a kernel chooses between by the snake: forces from the first link on or from the
// last, and the equations for wheels off the middle, which hold for wheels in the middle as well.
static void prove_ways(SnakeProver* prover)
{
  lwSnake* snake  = &prover->scalar.snake;
  snake->from_tip = !snake->from_tip;
  run_snake(prover, LW_KERNEL_snake_kane_linear, prover->other.of);
  snake->from_tip = !snake->from_tip;
  compare_output(prover, "from the other end", LW_SNAKE_OUT_LAMBDA);
  if (!snake->centred) return;
  snake->centred = false;
  run_snake(prover, LW_KERNEL_snake_kane_linear, prover->other.of);
  snake->centred = true;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k) compare_output(prover, "any wheel offset", k);
}

// M udot + bias = force
static void prove_equation(SnakeProver* prover)
{
  REAL* const* of = prover->scalar.out;
  const REAL *M = of[LW_SNAKE_OUT_M], *udot = of[LW_SNAKE_OUT_UDOT];
  for (int i = 0; i < 2; ++i)
    prover->left[i] =
        mul_add(M[2 * i], udot[0], mul_add(M[2 * i + 1], udot[1], of[LW_SNAKE_OUT_BIAS][i]));
  lw_proof_compare(prover->proof, "equation", "M udot + bias", "force", 2, prover->left,
                   of[LW_SNAKE_OUT_FORCE]);
}

// V_k^2 + (h_k omega_k)^2 is the same for all links with wheels in the middle
static void prove_circle(SnakeProver* prover)
{
  const REAL* V = prover->scalar.out[LW_SNAKE_OUT_V];
  const REAL* w = prover->scalar.out[LW_SNAKE_OUT_OMEGA];
  for (int k = 0; k < prover->scalar.snake.n; ++k)
  {
    REAL W           = r_mul(prover->scalar.parts[k].half, w[k]);
    prover->left[k]  = mul_add(V[k], V[k], r_mul(W, W));
    prover->right[k] = prover->left[0];
  }
  lw_proof_compare(prover->proof, "circle", "V^2 + (h omega)^2", "that of link 1",
                   prover->scalar.snake.n, prover->left, prover->right);
}

// --- time derivatives: d/dt = sum omega_k d/dtheta_k + sum udot_i d/du_i

// Adds the derivative by one variable, which changes at this rate.
static void add_rates(SnakeProver* prover, REAL* variable, REAL rate)
{
  variable->slope = 1;
  run_snake(prover, LW_KERNEL_snake_kane_linear, prover->along.of);
  variable->slope = 0;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    for (int i = 0; prover->rate.of[k] && i < size_of(prover, k); ++i)
      prover->rate.of[k][i] =
          mul_add(lw_prime_slope(prover->along.of[k][i]), rate, prover->rate.of[k][i]);
}

static void prove_rates(SnakeProver* prover)
{
  REAL* const* of   = prover->scalar.out;
  REAL* const* rate = prover->rate.of;
  int n             = prover->scalar.snake.n;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    for (int i = 0; rate[k] && i < size_of(prover, k); ++i) rate[k][i] = zero();
  for (int k = 0; k < n; ++k)
    add_rates(prover, &prover->scalar.theta[k], of[LW_SNAKE_OUT_OMEGA][k]);
  for (int i = 0; i < 2; ++i) add_rates(prover, &prover->scalar.u[i], of[LW_SNAKE_OUT_UDOT][i]);
  lw_prime_restart();
  lw_proof_compare(prover->proof, "energy S", "d kinetic/dt", "power", 1,
                   rate[LW_SNAKE_OUT_KINETIC], of[LW_SNAKE_OUT_POWER]);
  lw_proof_compare(prover->proof, "theta_ddot", "d omega/dt", REFERENCE, n,
                   rate[LW_SNAKE_OUT_OMEGA], of[LW_SNAKE_OUT_THETA_DDOT]);
  lw_proof_compare(prover->proof, "rates_dot", "d rates/dt", REFERENCE, 2, rate[LW_SNAKE_OUT_RATES],
                   of[LW_SNAKE_OUT_RATES_DOT]);
}

static void prove_snake_point(SnakeProver* prover, int point)
{
  prover->proof->point = point;
  prover->proof->next  = 0;
  choose_point(prover, point);
  run_snake(prover, LW_KERNEL_snake_kane_linear, prover->scalar.out);
  prove_methods(prover);
  prove_ways(prover);
  prove_equation(prover);
  if (prover->scalar.snake.centred) prove_circle(prover);
  prove_rates(prover);
}

// --- life

static REAL* take_snake_numbers(SnakeProver* prover, size_t count)
{
  return lw_arena_take(&prover->scalar.arena, count, sizeof(REAL));
}

static bool take_found(SnakeProver* prover, Found* found)
{
  lwSnakeArrays arrays;
  bool enough =
      lw_snake_arrays_take(&prover->scalar.arena, prover->scalar.snake.n, sizeof(REAL), &arrays);
  memcpy(found->of, arrays.out, sizeof arrays.out);
  return enough;
}

// Those of another that are differentiated.
static Found differentiated(const Found* found, bool udot)
{
  Found some                 = {{NULL}};
  some.of[LW_SNAKE_OUT_UDOT] = udot ? found->of[LW_SNAKE_OUT_UDOT] : NULL;
  const int wanted[]         = {LW_SNAKE_OUT_KINETIC, LW_SNAKE_OUT_OMEGA, LW_SNAKE_OUT_RATES};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i)
    some.of[wanted[i]] = found->of[wanted[i]];
  return some;
}

static bool take_snake_prover(SnakeProver* prover)
{
  size_t n = (size_t)prover->scalar.snake.n, bytes = 0;
  for (int i = 0; i < LW_SNAKE_METHOD_COUNT; ++i)
  {
    size_t one = lw_snake_kernel_bytes(lw_prime_variant()->snake[i], (int)n);
    if (one > bytes) bytes = one;
  }
  Found rate;
  if (!scalar_snake_memory(&prover->scalar, lw_prime_variant())) return false;
  prover->scalar.scratch = lw_arena_take(&prover->scalar.arena, bytes, 1);
  prover->left           = take_snake_numbers(prover, n);
  prover->right          = take_snake_numbers(prover, n);
  if (!take_found(prover, &prover->other) || !take_found(prover, &rate)) return false;
  prover->along = differentiated(&prover->other, true);
  prover->rate  = differentiated(&rate, false);
  return prover->scalar.scratch && prover->left && prover->right;
}

static const int OTHER_SNAKE_IDENTITIES = 6;  // besides those of every method and output

lwStatus lw_proof_create_snake(const lwSnake* snake, const lwProofDef* def, lwProof** proof)
{
  lwProof* made;
  *proof          = NULL;
  int capacity    = LW_SNAKE_METHOD_COUNT * LW_SNAKE_OUTPUTS + OTHER_SNAKE_IDENTITIES;
  lwStatus status = lw_proof_open(def, capacity, &made);
  if (status != LW_OK) return status;
  SnakeProver prover = {.proof = made, .scalar = {.snake = *snake}};
  bool enough        = take_snake_prover(&prover);
  for (int point = 0; point < made->def.points && enough; ++point)
    prove_snake_point(&prover, point);
  lw_arena_free(&prover.scalar.arena);
  if (enough) *proof = made;
  if (!enough) lw_proof_destroy(made);
  return enough ? LW_OK : LW_ERROR_MEMORY;
}
