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

#include "answer/quad_number.h"
#include "answer/workspace.h"
#include "base/memory.h"
#include "kernels/questions.h"

#if LINKWORK_QUAD

#include "answer/scalar_answer.h"
#include "model/canonical.h"
#include "model/expand.h"

struct lwQuadWorkspace
{
  const lwModel* model;  // in double
  ScalarAnswer scalar;   // the same robot in canonical frames of 113 bits
  ScalarAnswer native;   // with wide joints, for kernels that take them
  REAL* R;               // (ball_count, 9) rotations of ball joints
  REAL* parent_axes[3];  // (dof) qd, qdd, tau between people's coordinates and those of pieces
};

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

// By a method that takes ball joints as chains of pieces: their angles are where these joints are
// shifted to.
static void answer_by_pieces(lwQuadWorkspace* ws, lwQuestion question, const REAL* const in[])
{
  const lwModel* model                   = ws->model;
  ScalarAnswer* scalar                   = &ws->scalar;
  const REAL* parent_axes[SCALAR_INPUTS] = {in[0], NULL, NULL, NULL, in[SCALAR_WRENCH]};
  REAL *qd = ws->parent_axes[0], *qdd = ws->parent_axes[1], *tau = ws->parent_axes[2];
  ball_rotations(model, in[0], ws->R);
  for (int k = 0; k < model->ball_count; ++k)
  {
    static const NUMBER none[4] = {0, 0, 0, 1};
    quaternion_angles(in[0] ? in[0] + model->balls[k].q : none,
                      scalar->shift + model->balls[k].body);
  }
  if (in[1]) to_parent_axes(model, ws->R, in[1], qd);
  if (in[1]) parent_axes[1] = qd;
  bool moves = in[2] || (in[1] && lw_question_is_moved(question));
  if (moves) accelerations_in_parent_axes(model, ws->R, in[1], in[2], qdd);
  if (moves) parent_axes[2] = qdd;
  if (in[3]) to_parent_axes(model, ws->R, in[3], tau);
  if (in[3]) parent_axes[3] = tau;
  scalar_answer(scalar, question, parent_axes, scalar->outputs);
  answer_back(ws, question, in[1]);
}

void lw_quad_answer(lwQuadWorkspace* ws, lwQuestion question, const lwStates* state, lwQuad* out)
{
  bool wide                     = lw_workspace_is_native(ws->scalar.settings, question);
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
    answer_by_pieces(ws, question, in);
  else
    scalar_answer(scalar, question, in, scalar->outputs);
  for (size_t i = 0; i < lw_question_outputs(ws->model, question); ++i)
    out[i] = split_number(scalar->outputs[i]);
}

// --- life

static void set_view(ScalarAnswer* scalar, const lwFrame* frame)
{
  const lwJointFrame base = {LW_BASE, lw_identity};
  const lwJointFrame* joint_frame =
      frame->joint == LW_BASE ? &base : &scalar->model.joint_frame[frame->joint];
  lwTransform offset = lw_origin(frame->xyz, frame->rpy);
  lwTransform place  = lw_compose(&joint_frame->place, &offset);
  scalar->view       = (lwView){.carrier = joint_frame->carrier, .own = &scalar->place};
  for (int k = 0; k < 9; ++k) scalar->place.rotation[k] = place.R[k / 3][k % 3];
  for (int k = 0; k < 3; ++k) scalar->place.position[k] = place.p[k];
}

lwStatus lw_quad_workspace_set_frame(lwQuadWorkspace* ws, const lwFrame* frame, lwDiag* diag)
{
  const lwFrame last = {.joint = ws->model->robot.count - 1};
  lwStatus status    = lw_workspace_set_frame(ws->scalar.settings, ws->model, frame, diag);
  if (status != LW_OK) return status;
  set_view(&ws->scalar, frame ? frame : &last);
  if (ws->native.settings) set_view(&ws->native, frame ? frame : &last);
  return LW_OK;
}

// The robot in canonical frames of 113 bits, for the questions of these settings.
static bool build_scalar(ScalarAnswer* scalar, const lwModel* model, lwWorkspace* settings)
{
  scalar->model       = *model;
  scalar->model.arena = (lwArena){0};
  scalar->model.n     = 0;  // counted again
  scalar->variant     = lw_quad_variant();
  scalar->settings    = settings;
  scalar->dof         = model->dof;
  scalar->leader      = model->leader;
  scalar->gain        = model->gain;
  scalar->follows     = model->coupled;
  scalar->shift       = lw_arena_take(&scalar->arena, (size_t)model->n, sizeof(REAL));
  for (int i = 0; i < model->n && scalar->shift; ++i) scalar->shift[i] = model->shift[i];
  return scalar->shift && lw_canonical_build(&scalar->model) && scalar_memory(scalar);
}

static lwStatus build_quad(lwQuadWorkspace* ws, const lwModel* model, lwDiag* diag)
{
  lwWorkspace* settings = ws->scalar.settings;
  lwArena* arena        = &ws->scalar.arena;
  ws->model             = model;
  ws->R                 = lw_arena_take(arena, 9 * (size_t)model->ball_count + 1, sizeof(REAL));
  bool enough           = ws->R;
  for (int k = 0; k < 3; ++k)
  {
    ws->parent_axes[k] = lw_arena_take(arena, (size_t)model->dof + 1, sizeof(REAL));
    enough             = enough && ws->parent_axes[k];
  }
  if (!enough || !build_scalar(&ws->scalar, model, settings)) return LW_ERROR_MEMORY;
  if (settings->native && !build_scalar(&ws->native, model->native, settings->native))
    return LW_ERROR_MEMORY;
  return lw_quad_workspace_set_frame(ws, NULL, diag);
}

lwStatus lw_quad_workspace_create(const lwModel* model, const lwWorkspaceDef* def, lwDiag* diag,
                                  lwQuadWorkspace** ws)
{
  *ws                   = NULL;
  lwQuadWorkspace* made = lw_memory_zeros(1, sizeof *made);
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
  lw_memory_give(ws);
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
