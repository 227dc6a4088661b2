// SPDX-License-Identifier: MIT
// Answers about snakes in 113-bit arithmetic, constants of their links included.
//
//   links --derived in 113 bits--> parts, sums --kernels--> three doubles each
#if LINKWORK_QUAD
#define LW_SCALAR_quad
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#endif
#include "answer/quad_number.h"

#if LINKWORK_QUAD

#include "answer/scalar_snake.h"

lwStatus lw_quad_snake_answer(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                              const lwSnakeStates* state, const lwSnakeAnswers parts[3],
                              lwDiag* diag)
{
  OwnSnake scalar = {.method = 0};
  size_t n        = (size_t)snake->n;
  bool wanted[LW_SNAKE_OUTPUTS];
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k) wanted[k] = lw_snake_answer_list(parts)[k];
  lwStatus status = scalar_snake_open(&scalar, lw_quad_variant(), snake, def, diag);
  if (status == LW_OK)
  {
    lwSnakeState given = {widen_to_quad(state->theta, n, scalar.theta),
                          widen_to_quad(state->u, 2, scalar.u),
                          widen_to_quad(state->torque, n - 1, scalar.torque)};
    scalar_snake_links(&scalar);
    scalar_snake_derive(&scalar);
    scalar_snake_run(&scalar, lw_quad_variant(), &given, wanted);
  }
  for (int k = 0; k < LW_SNAKE_OUTPUTS && status == LW_OK; ++k)
    for (size_t i = 0; wanted[k] && i < lw_snake_output_size(k, snake->n); ++i)
    {
      lwQuad number = split_number(scalar.out[k][i]);
      for (int part = 0; part < 3; ++part)
        lw_snake_answer_list(&parts[part])[k][i] = number.part[part];
    }
  lw_arena_free(&scalar.arena);
  return status;
}

#else

lwStatus lw_quad_snake_answer(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                              const lwSnakeStates* state, const lwSnakeAnswers parts[3],
                              lwDiag* diag)
{
  (void)snake;
  (void)def;
  (void)state;
  (void)parts;
  return refuse_quad(diag);
}

#endif
