// SPDX-License-Identifier: MIT
// Answers in 113-bit arithmetic: the robot's canonical constants are computed anew in it,
// then the kernels run.
//
//   description --canonical frames in 113 bits--> links, ends --kernels--> lwQuad
#if LINKWORK_QUAD
#define LW_NUMBER_QUAD
#define LW_SCALAR_quad
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#endif
#include "linkwork/quad.h"

#include <stdlib.h>

#include "answer/quad_number.h"
#include "answer/workspace.h"
#include "kernels/questions.h"

#if LINKWORK_QUAD

#include "answer/scalar_answer.h"
#include "model/canonical.h"
#include "model/expand.h"

struct lwQuadWorkspace
{
  const lwModel* model;  // in double
  ScalarAnswer scalar;   // the same robot in canonical frames of 113 bits
  REAL* R;               // (ball_count, 9) rotations of ball joints
  REAL* parent_axes[4];  // (dof) q, qd, qdd, tau between people's coordinates and those of kernels
  ScalarAnswer native;   // with wide joints, for questions that take no chains of pieces
};

// Whether a question is asked of the robot with wide joints. All others are asked of the chains,
// which kernels with wide joints are compared with.
static bool is_for_wide(const lwQuadWorkspace* ws, lwQuestion question)
{
  return ws->model->ball_count > 0 && lw_question_info(question)->takes & LW_TAKES_BALLS_ALONE;
}

bool lw_quad_available(void)
{
  return true;
}

// --- numbers

#if LDBL_MANT_DIG == 113
#define print_number(text, size, x) snprintf(text, size, "%.33Lg", x)
#elif LINKWORK_QUADMATH
int quadmath_snprintf(char* text, size_t size, const char* format, ...);
#define print_number(text, size, x) quadmath_snprintf(text, size, "%.33Qg", x)
#else
int strfromf128(char* text, size_t size, const char* format, __float128 x);
#define print_number(text, size, x) strfromf128(text, size, "%.33g", x)
#endif

void lw_quad_text(lwQuad number, char text[LW_QUAD_TEXT])
{
  print_number(text, LW_QUAD_TEXT, join_number(number) + 0);  // -0 + 0 is 0
}

void lw_quad_rotation(const lwQuad rotation[9], lwQuad rpy[3], lwQuad quaternion[4])
{
  lwTransform frame = lw_identity;
  NUMBER angles[3], turn[4];
  for (int k = 0; k < 9; ++k) frame.R[k / 3][k % 3] = join_number(rotation[k]);
  lw_rpy(&frame, angles);
  lw_quaternion(&frame, turn);
  for (int k = 0; k < 3; ++k) rpy[k] = split_number(angles[k] + 0.0);
  for (int k = 0; k < 4; ++k) quaternion[k] = split_number(turn[k]);
}

// --- answers

// The answer, NaN, to questions that the workspace has no memory for.
static void answer_nothing(const lwQuadWorkspace* ws, lwQuestion question, lwQuad* out)
{
  for (size_t i = 0; i < lw_question_outputs(ws->model, question); ++i)
    out[i] = (lwQuad){{(double)NAN, 0, 0}};
}

// Answers in the coordinates between those of users and of kernels
// (model/expand.h), converted back to the users'.
static void answer_back(lwQuadWorkspace* ws, lwQuestion question, const REAL* qd)
{
  const lwModel* model = ws->model;
  REAL* out            = ws->scalar.outputs;
  size_t dof           = (size_t)model->dof;
  if (question == LW_QUESTION_FORWARD) return accelerations_back(model, ws->R, qd, out);
  for (const lwQuantity* part = NULL; (part = lw_quantity_next(question, part));)
  {
    size_t size = lw_quantity_size(model, model->dof, part);
    if (part->shape == LW_QUANTITY_SHAPE_SQUARE)
      turn_matrix(model, ws->R, out);
    else if (part->shape == LW_QUANTITY_SHAPE_PARAMETERS)
      turn_columns(model, ws->R, size / dof, out);
    else if (part->shape == LW_QUANTITY_SHAPE_VECTOR || part->shape == LW_QUANTITY_SHAPE_ROWS)
      for (size_t row = 0; row < size / dof; ++row) from_parent_axes(model, ws->R, out + row * dof);
    out += size;
  }
}

// A robot with quaternions: the angles of its ball joints are where these joints are shifted to.
static void answer_with_balls(lwQuadWorkspace* ws, lwQuestion question, const REAL* const in[])
{
  const lwModel* model                   = ws->model;
  ScalarAnswer* scalar                   = &ws->scalar;
  const REAL* parent_axes[SCALAR_INPUTS] = {ws->parent_axes[0], NULL, NULL, NULL,
                                            in[SCALAR_WRENCH]};
  bool turns                             = in[1] && lw_question_is_moved(question);
  ball_rotations(model, in[0], ws->R);
  for (int k = 0; k < model->ball_count; ++k)
  {
    static const NUMBER none[4] = {0, 0, 0, 1};
    quaternion_angles(in[0] ? in[0] + model->balls[k].q : none,
                      scalar->shift + model->balls[k].body);
  }
  for (int i = 0; i < model->dof; ++i)
  {
    int at                = model->position[i];
    ws->parent_axes[0][i] = at >= 0 && in[0] ? in[0][at] : 0;
  }
  if (in[1]) to_parent_axes(model, ws->R, in[1], ws->parent_axes[1]);
  if (in[1]) parent_axes[1] = ws->parent_axes[1];
  if (in[2] || turns) accelerations_in_parent_axes(model, ws->R, in[1], in[2], ws->parent_axes[2]);
  if (in[2] || turns) parent_axes[2] = ws->parent_axes[2];
  if (in[3]) to_parent_axes(model, ws->R, in[3], ws->parent_axes[3]);
  if (in[3]) parent_axes[3] = ws->parent_axes[3];
  scalar_answer(scalar, question, parent_axes, scalar->outputs);
  answer_back(ws, question, in[1]);
}

void lw_quad_answer(lwQuadWorkspace* ws, lwQuestion question, const lwStates* state, lwQuad* out)
{
  bool wide                     = is_for_wide(ws, question);
  ScalarAnswer* scalar          = wide ? &ws->native : &ws->scalar;
  unsigned needed               = lw_question_info(question)->inputs;
  const double* of[]            = {state->q, state->qd, state->qdd, state->tau, state->wrench};
  const REAL* in[SCALAR_INPUTS] = {NULL};
  if (!lw_workspace_answers(ws->scalar.settings, question))
    return answer_nothing(ws, question, out);
  for (int k = 0; k < SCALAR_INPUTS; ++k)
  {
    size_t size = k == SCALAR_WRENCH ? 6 : (size_t)(k == 0 ? ws->model->nq : scalar->dof);
    if (needed & (1u << k)) in[k] = widen_to_quad(of[k], size, scalar->inputs[k]);
  }
  if (ws->model->ball_count > 0 && !wide)
    answer_with_balls(ws, question, in);
  else
    scalar_answer(scalar, question, in, scalar->outputs);
  for (size_t i = 0; i < lw_question_outputs(ws->model, question); ++i)
    out[i] = split_number(scalar->outputs[i]);
}

// --- life

lwStatus lw_quad_workspace_set_frame(lwQuadWorkspace* ws, const lwFrame* frame, lwDiag* diag)
{
  ScalarAnswer* scalar = &ws->scalar;
  const lwFrame last   = {.joint = scalar->model.robot.count - 1};
  lwStatus status      = lw_workspace_set_frame(scalar->settings, ws->model, frame, diag);
  if (status != LW_OK) return status;
  if (!frame) frame = &last;
  const lwJointFrame base = {LW_BASE, lw_identity};
  const lwJointFrame* joint_frame =
      frame->joint == LW_BASE ? &base : &scalar->model.joint_frame[frame->joint];
  lwTransform offset = lw_origin(frame->xyz, frame->rpy);
  lwTransform place  = lw_compose(&joint_frame->place, &offset);
  scalar->view       = (lwView){.carrier = joint_frame->carrier, .own = &scalar->place};
  for (int k = 0; k < 9; ++k) scalar->place.rotation[k] = place.R[k / 3][k % 3];
  for (int k = 0; k < 3; ++k) scalar->place.position[k] = place.p[k];
  return LW_OK;
}

// The robot with wide joints, if a question is asked of it.
static bool build_native(lwQuadWorkspace* ws, const lwModel* model)
{
  ScalarAnswer* native = &ws->native;
  bool asked           = false;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    asked = asked || (lw_workspace_answers(ws->scalar.settings, (lwQuestion)k) &&
                      is_for_wide(ws, (lwQuestion)k));
  if (!asked) return true;
  native->model       = *model->native;
  native->model.arena = (lwArena){0};
  native->model.n     = 0;  // counted again
  native->variant     = lw_quad_variant();
  native->settings    = ws->scalar.settings->native;
  native->dof         = model->dof;
  return lw_canonical_build(&native->model) && scalar_memory(native);
}

static lwStatus build_quad(lwQuadWorkspace* ws, const lwModel* model, lwDiag* diag)
{
  ScalarAnswer* scalar = &ws->scalar;
  ws->model            = model;
  scalar->model        = *model;
  scalar->model.arena  = (lwArena){0};
  scalar->model.n      = 0;  // counted again
  scalar->variant      = lw_quad_variant();
  scalar->dof          = model->dof;
  scalar->leader       = model->leader;
  scalar->gain         = model->gain;
  scalar->follows      = model->coupled;
  scalar->shift        = lw_arena_take(&scalar->arena, (size_t)model->n, sizeof(REAL));
  ws->R       = lw_arena_take(&scalar->arena, 9 * (size_t)model->ball_count + 1, sizeof(REAL));
  bool enough = scalar->shift && ws->R;
  for (int k = 0; k < 4 && enough; ++k)
  {
    ws->parent_axes[k] = lw_arena_take(&scalar->arena, (size_t)model->dof + 1, sizeof(REAL));
    enough             = ws->parent_axes[k];
  }
  if (!enough || !lw_canonical_build(&scalar->model) || !scalar_memory(scalar))
    return LW_ERROR_MEMORY;
  if (!build_native(ws, model)) return LW_ERROR_MEMORY;
  for (int i = 0; i < model->n; ++i) scalar->shift[i] = model->shift[i];
  return lw_quad_workspace_set_frame(ws, NULL, diag);
}

lwStatus lw_quad_workspace_create(const lwModel* model, const lwWorkspaceDef* def, lwDiag* diag,
                                  lwQuadWorkspace** ws)
{
  *ws                   = NULL;
  lwQuadWorkspace* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  lwWorkspaceDef settings = def ? *def : lw_workspace_def();
  settings.precision      = LW_PRECISION_DOUBLE;
  lwStatus status         = lw_workspace_create(model, &settings, diag, &made->scalar.settings);
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
  lw_workspace_destroy(ws->scalar.settings);
  lw_arena_free(&ws->native.model.arena);
  lw_arena_free(&ws->native.arena);
  lw_arena_free(&ws->scalar.model.arena);
  lw_arena_free(&ws->scalar.arena);
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
  return refuse_quad(diag);
}

void lw_quad_workspace_destroy(lwQuadWorkspace* ws)
{
  (void)ws;
}

lwStatus lw_quad_workspace_set_frame(lwQuadWorkspace* ws, const lwFrame* frame, lwDiag* diag)
{
  (void)ws;
  (void)frame;
  return refuse_quad(diag);
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

void lw_quad_rotation(const lwQuad rotation[9], lwQuad rpy[3], lwQuad quaternion[4])
{
  (void)rotation;
  (void)rpy;
  (void)quaternion;
}

#endif
