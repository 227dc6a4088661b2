// SPDX-License-Identifier: MIT
// Answers in 113-bit arithmetic: the robot's canonical constants are computed anew in it, then the kernels run.
//
//   description --canonical frames in 113 bits--> links, ends --kernels--> lwQuad
#define LW_NUMBER_QUAD
#define LW_SCALAR_quad
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "linkwork/quad.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/workspace.h"
#include "base/diag.h"

static lwStatus refuse_quad(lwDiag* diag, const char* why)
{
  LW_REFUSE(diag, NULL, "%s", why);
  return LW_ERROR_QUAD;
}

#if LINKWORK_QUAD

#include "kernels/joints.h"
#include "model/canonical.h"

enum
{
  INPUTS = 5  // q, qd, qdd, tau, wrench
};

struct lwQuadWorkspace
{
  const lwModel* model;   // in double
  lwModel own;            // the same robot in canonical frames of 113 bits
  lwWorkspace* settings;  // methods, refine, rotors
  View tool;
  lwView view;
  REAL* inputs[INPUTS];
  REAL* outputs;
  void* scratch;
  lwArena arena;
};

bool lw_quad_available(void)
{
  return true;
}

// --- numbers

// What is left after the first part is exact, and so is what is left after the second.
static lwQuad split_number(REAL x)
{
  lwQuad out  = {{(double)x, 0, 0}};
  REAL left   = x - out.part[0];
  bool finite = isfinite(out.part[0]);
  out.part[1] = finite ? (double)left : 0;
  out.part[2] = finite ? (double)(left - out.part[1]) : 0;
  return out;
}

#if LDBL_MANT_DIG != 113
int strfromf128(char* text, size_t size, const char* format, __float128 x);
#endif

void lw_quad_text(lwQuad number, char text[LW_QUAD_TEXT])
{
  REAL x = (REAL)number.part[0] + number.part[1] + number.part[2];
#if LDBL_MANT_DIG == 113
  snprintf(text, LW_QUAD_TEXT, "%.33Lg", x);
#else
  strfromf128(text, LW_QUAD_TEXT, "%.33g", x);
#endif
}

// --- answers

static const REAL* widen(const double* from, size_t count, REAL* to)
{
  if (!from) return NULL;
  for (size_t i = 0; i < count; ++i) to[i] = from[i];
  return to;
}

void lw_quad_answer(lwQuadWorkspace* ws, lwQuestion question, const lwStates* state, lwQuad* out)
{
  size_t n               = (size_t)ws->own.n;
  unsigned needed        = lw_question_info(question)->inputs;
  const double* given[]  = {state->q, state->qd, state->qdd, state->tau, state->wrench};
  const REAL* in[INPUTS] = {NULL};
  for (int k = 0; k < INPUTS; ++k)
    if (needed & (1u << k)) in[k] = widen(given[k], k == INPUTS - 1 ? 6 : n, ws->inputs[k]);
  lwState asked = {.q          = in[0],
                   .qd         = in[1],
                   .qdd        = in[2],
                   .tau        = in[3],
                   .wrench     = in[4],
                   .weightless = question == LW_QUESTION_CORIOLIS,
                   .refine     = ws->settings->refine,
                   .view       = &ws->view,
                   .rotors     = ws->settings->rotors};
  int kernel    = ws->settings->kernel[question];
  lw_quad_variant()->kernels[kernel]->run(&ws->own, ws->scratch, &asked, ws->outputs);
  for (size_t i = 0; i < lw_kernel_outputs(ws->own.n, question); ++i)
    out[i] = split_number(ws->outputs[i]);
}

// --- life

lwStatus lw_quad_workspace_set_frame(lwQuadWorkspace* ws, const lwFrame* frame, lwDiag* diag)
{
  const lwFrame last = {.joint = ws->own.robot.count - 1};
  lwStatus status    = lw_workspace_set_frame(ws->settings, ws->model, frame, diag);
  if (status != LW_OK) return status;
  if (!frame) frame = &last;
  const lwSeat base  = {LW_BASE, lw_identity};
  const lwSeat* seat = frame->joint == LW_BASE ? &base : &ws->own.seat[frame->joint];
  lwTransform offset = lw_origin(frame->xyz, frame->rpy);
  lwTransform place  = lw_compose(&seat->place, &offset);
  ws->view           = (lwView){.carrier = seat->carrier, .own = &ws->tool};
  for (int k = 0; k < 9; ++k) ws->tool.rotation[k] = place.R[k / 3][k % 3];
  for (int k = 0; k < 3; ++k) ws->tool.position[k] = place.p[k];
  return LW_OK;
}

static bool quad_memory(lwQuadWorkspace* ws)
{
  size_t n = (size_t)ws->own.n, scratch = 0, outputs = 0;
  for (int question = 0; question < LW_QUESTION_COUNT; ++question)
  {
    int kernel   = ws->settings->kernel[question];
    size_t bytes = lw_kernel_bytes(lw_quad_variant()->kernels[kernel], ws->own.n);
    size_t size  = lw_kernel_outputs(ws->own.n, (lwQuestion)question);
    if (bytes > scratch) scratch = bytes;
    if (size > outputs) outputs = size;
  }
  bool enough = true;
  for (int k = 0; k < INPUTS; ++k)
  {
    ws->inputs[k] = lw_arena_take(&ws->arena, k == INPUTS - 1 ? 6 : n, sizeof(REAL));
    enough        = enough && ws->inputs[k];
  }
  ws->scratch = lw_arena_take(&ws->arena, scratch, 1);
  ws->outputs = lw_arena_take(&ws->arena, outputs, sizeof(REAL));
  return enough && ws->scratch && ws->outputs;
}

static lwStatus build_quad(lwQuadWorkspace* ws, const lwModel* model, lwDiag* diag)
{
  ws->model     = model;
  ws->own       = *model;
  ws->own.arena = (lwArena){0};
  ws->own.n     = 0;  // counted again
  if (!lw_canonical_build(&ws->own) || !quad_memory(ws)) return LW_ERROR_MEMORY;
  return lw_quad_workspace_set_frame(ws, NULL, diag);
}

lwStatus lw_quad_workspace_create(const lwModel* model, const lwWorkspaceDef* def, lwDiag* diag,
                                  lwQuadWorkspace** ws)
{
  *ws = NULL;
  if (model->dof < model->n)
    return refuse_quad(diag, "joints that mimic others are not answered in 113 bits");
  lwQuadWorkspace* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  lwWorkspaceDef settings = def ? *def : lw_workspace_def();
  settings.questions      = 0;
  settings.precision      = LW_PRECISION_DOUBLE;
  lwStatus status         = lw_workspace_create(model, &settings, diag, &made->settings);
  if (status == LW_OK) status = build_quad(made, model, diag);
  if (status == LW_OK)
    *ws = made;
  else
    lw_quad_workspace_destroy(made);
  return status;
}

void lw_quad_workspace_destroy(lwQuadWorkspace* ws)
{
  if (!ws) return;
  lw_workspace_destroy(ws->settings);
  lw_arena_free(&ws->own.arena);
  lw_arena_free(&ws->arena);
  free(ws);
}

#else

bool lw_quad_available(void)
{
  return false;
}

lwStatus lw_quad_workspace_create(const lwModel* model, const lwWorkspaceDef* def, lwDiag* diag,
                                  lwQuadWorkspace** ws)
{
  (void)model;
  (void)def;
  *ws = NULL;
  return refuse_quad(diag, "this build has no 113-bit arithmetic");
}

void lw_quad_workspace_destroy(lwQuadWorkspace* ws)
{
  (void)ws;
}

lwStatus lw_quad_workspace_set_frame(lwQuadWorkspace* ws, const lwFrame* frame, lwDiag* diag)
{
  (void)ws;
  (void)frame;
  return refuse_quad(diag, "this build has no 113-bit arithmetic");
}

void lw_quad_answer(lwQuadWorkspace* ws, lwQuestion question, const lwStates* state, lwQuad* out)
{
  (void)ws;
  (void)question;
  (void)state;
  (void)out;
}

void lw_quad_text(lwQuad number, char text[LW_QUAD_TEXT])
{
  snprintf(text, LW_QUAD_TEXT, "%.17g", number.part[0]);
}

#endif
