// SPDX-License-Identifier: MIT
// Answers about snakes in 113-bit arithmetic, constants of their links included.
//
//   links --derived in 113 bits--> parts, sums --kernels--> lwQuad
#if LINKWORK_QUAD
#define LW_SCALAR_quad
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#endif
#include <stdlib.h>

#include "answer/quad_number.h"
#include "answer/snake_workspace.h"

#if LINKWORK_QUAD

#include "answer/scalar_snake.h"

struct lwQuadSnakeWorkspace
{
  OwnSnake scalar;
};

void lw_quad_snake_answer(lwQuadSnakeWorkspace* ws, const lwSnakeStates* state,
                          const lwQuadSnakeAnswers* answers)
{
#define FIELD(NAME, field, per_link, further) answers->field,
  lwQuad* const wanted[] = {LW_SNAKE_OUTPUT_LIST(FIELD)};
#undef FIELD
  size_t n           = (size_t)ws->scalar.snake.n;
  lwSnakeState given = {widen_to_quad(state->theta, n, ws->scalar.theta),
                        widen_to_quad(state->u, 2, ws->scalar.u),
                        widen_to_quad(state->torque, n - 1, ws->scalar.torque)};
  lwSnakeOut out;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    out.to[k] = wanted[k] || k == LW_SNAKE_OUT_UDOT ? ws->scalar.out[k] : NULL;
  lw_quad_variant()->snake[ws->scalar.method]->run(&ws->scalar.snake, ws->scalar.scratch, &given,
                                                   &out);
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    for (size_t i = 0; wanted[k] && i < lw_snake_output_size(k, ws->scalar.snake.n); ++i)
      wanted[k][i] = split_number(ws->scalar.out[k][i]);
}

lwStatus lw_quad_snake_workspace_create(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                        lwDiag* diag, lwQuadSnakeWorkspace** ws)
{
  lwQuadSnakeWorkspace* made = calloc(1, sizeof *made);
  *ws                        = made;
  if (!made) return LW_ERROR_MEMORY;
  lwStatus status = scalar_snake_open(&made->scalar, lw_quad_variant(), snake, def, diag);
  if (status == LW_OK)
  {
    scalar_snake_links(&made->scalar);
    scalar_snake_derive(&made->scalar);
    return LW_OK;
  }
  lw_quad_snake_workspace_destroy(made);
  *ws = NULL;
  return status;
}

void lw_quad_snake_workspace_destroy(lwQuadSnakeWorkspace* ws)
{
  if (!ws) return;
  lw_arena_free(&ws->scalar.arena);
  free(ws);
}

#else

lwStatus lw_quad_snake_workspace_create(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                        lwDiag* diag, lwQuadSnakeWorkspace** ws)
{
  (void)snake;
  (void)def;
  *ws = NULL;
  return refuse_quad(diag);
}

void lw_quad_snake_workspace_destroy(lwQuadSnakeWorkspace* ws)
{
  (void)ws;
}

void lw_quad_snake_answer(lwQuadSnakeWorkspace* ws, const lwSnakeStates* state,
                          const lwQuadSnakeAnswers* answers)
{
  (void)ws;
  (void)state;
  (void)answers;
}

#endif
