// SPDX-License-Identifier: MIT
// The cost of the steps, by running them with a scalar that counts.
#define LW_SCALAR_count
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "steps_text.h"

#include <string.h>

#include "math/tree_ldl.h"

static _Thread_local lwCount* charged;  // (STEP_COUNT) of the running steps_count()

static void charge_step(PrintedStep step)
{
  charged[step].mul += lw_tally.executed_mul;
  charged[step].add += lw_tally.executed_add;
  charged[step].div += lw_tally.executed_div;
  lw_tally = (lwCount){0};
}

// Arbitrary numbers: counts do not depend on them.
static void fill_arbitrary(REAL* values, size_t count)
{
  for (size_t i = 0; i < count; ++i) values[i] = (REAL){0.3 + 0.01 * (double)(i % 97), false};
}

// (27): its matrix is taken as symmetric, which a triangular decomposition of that cost needs.
static bool solve_triangular(int n, lwArena* arena)
{
  size_t size = 2 * (size_t)n + 2;
  REAL* M     = arena_reals(arena, size * size);
  REAL* x     = arena_reals(arena, size);
  int* parent = lw_arena_take(arena, size, sizeof *parent);
  if (!M || !x || !parent) return false;
  fill_arbitrary(M, size * size);
  fill_arbitrary(x, size);
  for (size_t i = 0; i < size; ++i)
  {
    parent[i]             = (int)i - 1;
    M[i * size + i].value = (double)size;
  }
  tree_ldl_factor((int)size, parent, M);
  tree_ldl_solve((int)size, parent, M, x);
  charge_step(STEP_TRIANGULAR);
  return true;
}

// The relative angles, in place of the first n - 1 directions.
static void relative_angles(int n, REAL* theta)
{
  for (int i = 0; i + 1 < n; ++i) theta[i] = r_sub(theta[i + 1], theta[i]);
  charge_step(STEP_PHI);
}

static bool run_steps(const lwSnake* snake, lwArena* arena)
{
  size_t n = (size_t)snake->n;
  Kane k;
  REAL* state  = arena_reals(arena, 2 * n + 2 + TURNS_ROOM);  // u, torque, angles
  Turn* e      = lw_arena_take(arena, n + TURNS_ROOM, sizeof *e);
  REAL* matrix = arena_reals(arena, (n + 2) * (n + 2));
  Augmented a  = {.n     = snake->n,
                  .size  = snake->n + 2,
                  .b     = arena_reals(arena, n + 2),
                  .drift = arena_reals(arena, n)};
  if (!kane_make(snake, arena, &k) || !state || !e || !matrix || !a.b || !a.drift) return false;
  fill_arbitrary(state, 2 * n + 2);
  turns_of(state + n + 2, snake->n, e);
  lw_tally = (lwCount){0};
  relative_angles(snake->n, state + n + 2);
  turns_of(state + n + 2, snake->n - 1, k.turn);
  lw_tally = (lwCount){0};
  kane_run(&k, state, state + 2, false);
  fill_inertia(snake, e, matrix);
  if (!fill_bias(snake, e, &k, state + 2, arena, &a)) return false;
  fill_jacobian(&k, e, matrix);
  fill_jacobian_dot(&k, e, k.w, matrix);
  return solve_triangular(snake->n, arena);
}

lwStatus steps_count(const lwSnake* snake, lwCount counts[STEP_COUNT])
{
  lwArena arena = {0};
  charged       = counts;
  memset(counts, 0, STEP_COUNT * sizeof *counts);
  bool enough = run_steps(snake, &arena);
  lw_arena_free(&arena);
  return enough ? LW_OK : LW_ERROR_MEMORY;
}
