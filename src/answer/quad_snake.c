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

#include "kernels/registry.h"
#include "kernels/snake/links.h"
#include "model/snake_derived.h"

struct lwQuadSnakeWorkspace
{
  lwSnake snake;  // parts and sums in 113 bits
  WholeSnake sums;
  int method;
  REAL *theta, *u, *torque;     // (n), (2), (n-1)
  REAL* out[LW_SNAKE_OUTPUTS];  // as many as lw_snake_output_size() says
  void* scratch;
  lwArena arena;
};

void lw_quad_snake_answer(lwQuadSnakeWorkspace* ws, const lwSnakeStates* state,
                          const lwQuadSnakeAnswers* answers)
{
#define FIELD(NAME, field, per_link, further) answers->field,
  lwQuad* const wanted[] = {LW_SNAKE_OUTPUT_LIST(FIELD)};
#undef FIELD
  size_t n           = (size_t)ws->snake.n;
  lwSnakeState given = {widen_to_quad(state->theta, n, ws->theta),
                        widen_to_quad(state->u, 2, ws->u),
                        widen_to_quad(state->torque, n - 1, ws->torque)};
  lwSnakeOut out;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    out.to[k] = wanted[k] || k == LW_SNAKE_OUT_UDOT ? ws->out[k] : NULL;
  lw_quad_variant()->snake[ws->method]->run(&ws->snake, ws->scratch, &given, &out);
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    for (size_t i = 0; wanted[k] && i < lw_snake_output_size(k, ws->snake.n); ++i)
      wanted[k][i] = split_number(ws->out[k][i]);
}

static bool build_parts(lwQuadSnakeWorkspace* ws)
{
  int n       = ws->snake.n;
  Part* parts = lw_arena_take(&ws->arena, (size_t)n, sizeof *parts);
  if (!parts) return false;
  for (int k = 0; k < n; ++k)
  {
    const lwSnakeLink* link = &ws->snake.links[k];
    parts[k]                = (Part){.mass    = link->mass,
                                     .inertia = link->inertia,
                                     .half    = (REAL)link->length / 2,
                                     .offset  = link->wheel_offset};
  }
  ws->sums.mass    = derive_parts(parts, n);
  ws->sums.rolling = zero();
  for (int k = 0; k < n; ++k) ws->sums.rolling += parts[k].rolling;
  ws->snake.own_parts = parts;
  ws->snake.own_sums  = &ws->sums;
  return true;
}

static bool quad_snake_memory(lwQuadSnakeWorkspace* ws)
{
  size_t n    = (size_t)ws->snake.n;
  ws->theta   = lw_arena_take(&ws->arena, n, sizeof(REAL));
  ws->u       = lw_arena_take(&ws->arena, 2, sizeof(REAL));
  ws->torque  = lw_arena_take(&ws->arena, n, sizeof(REAL));
  ws->scratch = lw_arena_take(
      &ws->arena, lw_snake_kernel_bytes(lw_quad_variant()->snake[ws->method], ws->snake.n), 1);
  bool enough = ws->theta && ws->u && ws->torque && ws->scratch;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
  {
    ws->out[k] = lw_arena_take(&ws->arena, lw_snake_output_size(k, ws->snake.n), sizeof(REAL));
    enough     = enough && ws->out[k];
  }
  return enough && build_parts(ws);
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
    made->snake  = *snake;
    made->method = settings->method;
  }
  lw_snake_workspace_destroy(settings);
  if (made && quad_snake_memory(made))
  {
    *ws = made;
    return LW_OK;
  }
  lw_quad_snake_workspace_destroy(made);
  return LW_ERROR_MEMORY;
}

void lw_quad_snake_workspace_destroy(lwQuadSnakeWorkspace* ws)
{
  if (!ws) return;
  lw_arena_free(&ws->arena);
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
