// SPDX-License-Identifier: MIT
// The results of the steps, in double precision.
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "steps_text.h"

static void charge_step(PrintedStep step)
{
  (void)step;
}

bool kane_equations(const lwSnake* snake, const lwSnakeStates* state, bool printed, lwArena* arena,
                    KaneValues* values)
{
  Kane k;
  REAL* phi = arena_reals(arena, (size_t)snake->n + TURNS_ROOM);
  if (!kane_make(snake, arena, &k) || !phi) return false;
  joint_turns(state->theta, snake->n, phi, k.turn);
  kane_run(&k, state->u, state->torque, printed);
  *values = (KaneValues){.V    = k.V,
                         .w    = k.w,
                         .V_q  = k.V_q,
                         .w_q  = k.w_q,
                         .M    = {k.M[0], k.M[1], k.M[2]},
                         .F    = {k.F[0], k.F[1]},
                         .udot = {k.udot[0], k.udot[1]}};
  return true;
}

// A and A' q' as the document has them, q' and Q.
static bool constraints(const lwSnake* snake, const lwSnakeStates* state, const Kane* k,
                        const Turn* e, MultiplierValues* values, lwArena* arena)
{
  size_t n = (size_t)snake->n, size = n + 2;
  REAL* A_dot = arena_reals(arena, n * size);
  if (!A_dot) return false;
  values->qd[0] = k->V[0] * e[0].c;
  values->qd[1] = k->V[0] * e[0].s;
  for (size_t i = 0; i < n; ++i)
  {
    values->qd[i + 2] = k->w[i];
    values->Q[i + 2]  = net_torque(state->torque, (int)i, snake->n);
  }
  fill_jacobian(k, e, values->A);
  fill_jacobian_dot(k, e, k->w, A_dot);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < size; ++j) values->drift[i] += A_dot[i * size + j] * values->qd[j];
  return true;
}

bool multiplier_equations(const lwSnake* snake, const lwSnakeStates* state, lwArena* arena,
                          MultiplierValues* values)
{
  Kane k;
  size_t n = (size_t)snake->n, size = n + 2;
  REAL* theta = arena_reals(arena, n + TURNS_ROOM);
  REAL* phi   = arena_reals(arena, n + TURNS_ROOM);
  Turn* e     = lw_arena_take(arena, n + TURNS_ROOM, sizeof *e);
  *values     = (MultiplierValues){.size  = (int)size,
                                   .qd    = arena_reals(arena, size),
                                   .M     = arena_reals(arena, size * size),
                                   .Q     = arena_reals(arena, size),
                                   .Q_B   = arena_reals(arena, size),
                                   .A     = arena_reals(arena, n * size),
                                   .drift = arena_reals(arena, n)};
  if (!kane_make(snake, arena, &k) || !theta || !phi || !e || !values->qd || !values->M ||
      !values->Q || !values->Q_B || !values->A || !values->drift)
    return false;
  copy_reals(theta, state->theta, snake->n);
  turns_of(theta, snake->n, e);
  joint_turns(state->theta, snake->n, phi, k.turn);
  kane_velocities(&k, state->u);
  Augmented a = {
      .n = snake->n, .size = snake->n + 2, .b = values->Q_B, .drift = arena_reals(arena, n)};
  fill_inertia(snake, e, values->M);
  return a.drift && fill_bias(snake, e, &k, state->torque, arena, &a) &&
         constraints(snake, state, &k, e, values, arena);
}
