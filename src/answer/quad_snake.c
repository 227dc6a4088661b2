// SPDX-License-Identifier: MIT
// Answers about snakes in 113-bit arithmetic, constants of their links included.
//
//   links --derived in 113 bits--> parts, sums --kernels--> lwQuad
#define LW_SCALAR_quad
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include <stdlib.h>

#include "answer/quad_number.h"
#include "answer/snake_workspace.h"

#if LINKWORK_QUAD

#include "answer/own_snake.h"
#include "model/snake_derived.h"

struct lwQuadSnakeWorkspace
{
  OwnSnake own;
};

void lw_quad_snake_answer(lwQuadSnakeWorkspace* ws, const lwSnakeStates* state,
                          const lwQuadSnakeAnswers* answers)
{
#define FIELD(NAME, field, per_link, further) answers->field,
  lwQuad* const wanted[] = {LW_SNAKE_OUTPUT_LIST(FIELD)};
#undef FIELD
  size_t n           = (size_t)ws->own.snake.n;
  lwSnakeState given = {widen_to_quad(state->theta, n, ws->own.theta),
                        widen_to_quad(state->u, 2, ws->own.u),
                        widen_to_quad(state->torque, n - 1, ws->own.torque)};
  lwSnakeOut out;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    out.to[k] = wanted[k] || k == LW_SNAKE_OUT_UDOT ? ws->own.out[k] : NULL;
  lw_quad_variant()->snake[ws->own.method]->run(&ws->own.snake, ws->own.scratch, &given, &out);
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    for (size_t i = 0; wanted[k] && i < lw_snake_output_size(k, ws->own.snake.n); ++i)
      wanted[k][i] = split_number(ws->own.out[k][i]);
}

static void build_parts(lwQuadSnakeWorkspace* ws)
{
  int n       = ws->own.snake.n;
  Part* parts = ws->own.parts;
  for (int k = 0; k < n; ++k)
  {
    const lwSnakeLink* link = &ws->own.snake.links[k];
    parts[k]                = (Part){.mass    = link->mass,
                                     .inertia = link->inertia,
                                     .half    = (REAL)link->length / 2,
                                     .offset  = link->wheel_offset};
  }
  ws->own.sums.mass    = derive_parts(parts, n);
  ws->own.sums.rolling = zero();
  for (int k = 0; k < n; ++k) ws->own.sums.rolling += parts[k].rolling;
}

lwStatus lw_quad_snake_workspace_create(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                        lwDiag* diag, lwQuadSnakeWorkspace** ws)
{
  *ws = NULL;
  lwSnakeWorkspace* settings;
  lwStatus status = lw_snake_workspace_create(snake, def, diag, &settings);
  if (status != LW_OK) return status;
  lwQuadSnakeWorkspace* made = calloc(1, sizeof *made);
  if (made)
  {
    made->own.snake  = *snake;
    made->own.method = settings->method;
  }
  lw_snake_workspace_destroy(settings);
  if (made && own_snake_memory(&made->own, lw_quad_variant()))
  {
    build_parts(made);
    *ws = made;
    return LW_OK;
  }
  lw_quad_snake_workspace_destroy(made);
  return LW_ERROR_MEMORY;
}

void lw_quad_snake_workspace_destroy(lwQuadSnakeWorkspace* ws)
{
  if (!ws) return;
  lw_arena_free(&ws->own.arena);
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
