// SPDX-License-Identifier: MIT
// Answers about one state in a scalar with constants of its own (LW_OWN_CONSTANTS): 113-bit numbers
// and dual numbers. The file that includes this has chosen the scalar.
//
// Kernels have all n moving joints, users the independent ones, y: q = G y + o, as in reduction.c.
// A row of G has one entry, gain[i], in column leader[i], or none: then the joint is held at o.
// With virtual work,
//   tau_y = G^T tau      M_y = G^T M G      J_y = J G      M_y ydd = tau_y - G^T b(q, G yd)
// If no joint follows another, held joints get a rotor too heavy to move,
// so every forward method can be used.
#ifndef LW_ANSWER_OWN_H
#define LW_ANSWER_OWN_H

#include "answer/workspace.h"
#include "kernels/joints.h"
#include "math/dense_ldl.h"
#include "model/model_internal.h"

enum
{
  OWN_INPUTS = 5,  // q, qd, qdd, tau, wrench
  OWN_WRENCH = 4
};

typedef struct Own
{
  lwModel model;  // n, kinds, parents; links and ends in REAL
  const lwVariant* variant;
  lwWorkspace* settings;  // methods, refine, rotors
  lwView view;            // of pose and Jacobian
  View place;             // the same in REAL
  int dof;
  const int* leader;         // (n)
  const double* gain;        // (n)
  REAL* shift;               // (n)
  bool follows;              // a joint follows another
  REAL* inputs[OWN_INPUTS];  // (nq or dof), (6)
  REAL* all[OWN_WRENCH];     // (n) q, qd, qdd, tau of all moving joints
  REAL* answer;              // about all moving joints
  REAL* outputs;             // about the independent ones
  REAL* factors;             // (dof, dof)
  REAL* column;              // (dof)
  void* scratch;
  lwArena arena;
} Own;

// kg m^2 or kg: so much that a joint does not move, and its square does not overflow
static const double OWN_HELD = 1e150;

INLINE bool own_coupled(const Own* own)
{
  return own->dof < own->model.n;
}

// --- between the independent joints and all of them

INLINE void own_expand(const Own* own, const REAL* given_y, bool shifted, REAL* out)
{
  for (int i = 0; i < own->model.n; ++i)
  {
    int leader = own->leader[i];
    REAL moved = given_y && leader >= 0 ? given_y[leader] : zero();
    out[i]     = r_mul(constant(own->gain[i]), moved);
    if (shifted) out[i] = r_add(out[i], own->shift[i]);
  }
}

// G^T full
INLINE void own_gather(const Own* own, const REAL* full, REAL* out)
{
  for (int k = 0; k < own->dof; ++k) out[k] = zero();
  for (int i = 0; i < own->model.n; ++i)
  {
    int k = own->leader[i];
    if (k >= 0) out[k] = r_add(out[k], r_mul(constant(own->gain[i]), full[i]));
  }
}

// G^T M G
INLINE void own_gather_matrix(const Own* own, const REAL* M, REAL* out)
{
  int n = own->model.n, dof = own->dof;
  for (int k = 0; k < dof * dof; ++k) out[k] = zero();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
    {
      if (own->leader[i] < 0 || own->leader[j] < 0) continue;
      REAL* to   = &out[own->leader[i] * dof + own->leader[j]];
      REAL gains = r_mul(constant(own->gain[i]), constant(own->gain[j]));
      *to        = r_add(*to, r_mul(gains, M[i * n + j]));
    }
}

// Columns of one entry for each joint.
INLINE void own_gather_columns(const Own* own, size_t columns, const REAL* full, REAL* out)
{
  for (size_t k = 0; k < (size_t)own->dof * columns; ++k) out[k] = zero();
  for (int i = 0; i < own->model.n; ++i)
    for (size_t c = 0; c < columns && own->leader[i] >= 0; ++c)
    {
      REAL* to = &out[(size_t)own->leader[i] * columns + c];
      *to      = r_add(*to, r_mul(constant(own->gain[i]), full[(size_t)i * columns + c]));
    }
}

INLINE void own_reduce(const Own* own, lwQuestion question, const REAL* full, REAL* out)
{
  lwForm form = lw_question_form(&own->model, question);
  size_t n = (size_t)own->model.n, dof = (size_t)own->dof;
  switch (form.kind)
  {
    case LW_FORM_SQUARES:
      for (size_t i = 0; i < form.before; ++i) out[i] = full[i];
      for (size_t k = 0; k < form.count; ++k)
        own_gather_matrix(own, full + form.before + k * n * n, out + form.before + k * dof * dof);
      break;
    case LW_FORM_FIXED:
      for (size_t i = 0; i < form.count; ++i) out[i] = full[i];
      break;
    case LW_FORM_ROWS:
      for (size_t row = 0; row < form.count; ++row)
        own_gather(own, full + row * n, out + row * dof);
      break;
    case LW_FORM_COLUMNS:
      own_gather_columns(own, form.count, full, out);
  }
}

// --- kernels

INLINE void own_run(const Own* own, lwQuestion question, int kernel, const REAL* const in[],
                    bool rotors, REAL* out)
{
  lwState state = {.q          = in[0],
                   .qd         = in[1],
                   .qdd        = in[2],
                   .tau        = in[3],
                   .wrench     = in[OWN_WRENCH],
                   .weightless = question == LW_QUESTION_CORIOLIS,
                   .refine     = own->settings->refine,
                   .view       = &own->view,
                   .rotors     = rotors,
                   .base_axes  = own->settings->axes == LW_AXES_BASE};
  own->variant->kernels[kernel]->run(&own->model, own->scratch, &state, out);
}

// The factors of M_y, with rotors if they are wanted.
INLINE void own_inertia(const Own* own, const REAL* q)
{
  const lwReduced* reduced   = &own->settings->reduced;
  const REAL* at[OWN_INPUTS] = {q};
  int dof                    = own->dof;
  own_run(own, LW_QUESTION_INERTIA, reduced->inertia.kernel, at, false, own->answer);
  own_gather_matrix(own, own->answer, own->factors);
  for (int i = 0; i < own->model.n && own->settings->rotors; ++i)
  {
    int k      = own->leader[i];
    REAL gain  = constant(own->gain[i]);
    REAL rotor = r_mul(r_mul(gain, gain), rotor_of(&own->model, i));
    if (k >= 0) own->factors[k * dof + k] = r_add(own->factors[k * dof + k], rotor);
  }
  dense_ldl_factor((size_t)dof, own->factors);
}

// M_y ydd = tau_y - G^T b. Refinement is for shorter numbers.
INLINE void own_forward(const Own* own, const REAL* const full[], const REAL* tau, REAL* out)
{
  const REAL* resting[] = {full[0], full[1], NULL, NULL, full[OWN_WRENCH]};
  own_inertia(own, full[0]);
  own_run(own, LW_QUESTION_INVERSE, own->settings->reduced.bias.kernel, resting, false,
          own->answer);
  own_gather(own, own->answer, out);
  for (int k = 0; k < own->dof; ++k) out[k] = r_sub(given(tau, k), out[k]);
  dense_ldl_solve((size_t)own->dof, own->factors, out);
}

// A = sign M_y^-1 A
INLINE void own_solve_matrix(const Own* own, double sign, REAL* A)
{
  int n = own->dof;
  for (int j = 0; j < n; ++j)
  {
    for (int i = 0; i < n; ++i) own->column[i] = r_mul(constant(sign), A[i * n + j]);
    dense_ldl_solve((size_t)n, own->factors, own->column);
    for (int i = 0; i < n; ++i) A[i * n + j] = own->column[i];
  }
}

INLINE void own_inverse(const Own* own, REAL* out)
{
  for (int i = 0; i < own->dof; ++i)
    for (int j = 0; j < own->dof; ++j) out[i * own->dof + j] = constant(i == j);
  own_solve_matrix(own, 1, out);
}

// Derivatives of ydd, from those of torques at that ydd.
INLINE void own_slopes(const Own* own, const REAL* const full[], const REAL* tau, REAL* out)
{
  const REAL* moves[] = {full[0], full[1], own->all[2], NULL, full[OWN_WRENCH]};
  size_t square       = (size_t)own->dof * (size_t)own->dof;
  own_forward(own, full, tau, out);
  own_expand(own, out, false, own->all[2]);
  own_run(own, LW_QUESTION_INVERSE_DERIVATIVES, own->settings->reduced.slopes.kernel, moves, false,
          own->answer);
  own_reduce(own, LW_QUESTION_INVERSE_DERIVATIVES, own->answer, out);
  own_solve_matrix(own, -1, out);
  own_solve_matrix(own, -1, out + square);
  own_inverse(own, out + 2 * square);
}

// The answer to a question about the state `in`, absent inputs NULL.
INLINE void own_answer(const Own* own, lwQuestion question, const REAL* const in[], REAL* out)
{
  int kernel = own->settings->kernel[question];
  if (!own_coupled(own)) return own_run(own, question, kernel, in, own->settings->rotors, out);
  const REAL* full[OWN_INPUTS] = {own->all[0], NULL, NULL, NULL, in[OWN_WRENCH]};
  for (int k = 0; k < OWN_WRENCH; ++k)
  {
    if (k > 0 && !in[k]) continue;
    own_expand(own, in[k], k == 0, own->all[k]);
    full[k] = own->all[k];
  }
  if (question == LW_QUESTION_FORWARD && own->follows) return own_forward(own, full, in[3], out);
  if (question == LW_QUESTION_FORWARD_DERIVATIVES && own->follows)
    return own_slopes(own, full, in[3], out);
  if (question == LW_QUESTION_INERTIA_INVERSE && own->follows)
  {
    own_inertia(own, full[0]);
    return own_inverse(own, out);
  }
  own_run(own, question, kernel, full, true, own->answer);
  own_reduce(own, question, own->answer, out);
}

// --- life

// The rotors that forward methods see: those of the description if asked for, and for held joints
// one too heavy to move. links: of the model.
INLINE void own_hold(const Own* own, Link* links)
{
  for (int i = 0; i < own->model.n && own_coupled(own); ++i)
  {
    if (own->leader[i] < 0) links[i].rotor = constant(OWN_HELD);
    if (own->leader[i] >= 0 && !own->settings->rotors) links[i].rotor = zero();
  }
}

INLINE void own_need(const Own* own, int kernel, size_t* scratch)
{
  size_t bytes = lw_kernel_bytes(own->variant->kernels[kernel], own->model.n);
  if (bytes > *scratch) *scratch = bytes;
}

// Memory for the questions of the settings; model, variant, settings, dof, leader and follows are
// set. False: out of memory.
static inline __attribute__((unused)) bool own_memory(Own* own)
{
  size_t n = (size_t)own->model.n, dof = (size_t)own->dof, scratch = 0, outputs = 1;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    if (!lw_workspace_answers(own->settings, (lwQuestion)k)) continue;
    size_t size = lw_kernel_outputs(&own->model, own->model.n, (lwQuestion)k);
    if (size > outputs) outputs = size;
    own_need(own, own->settings->kernel[k], &scratch);
  }
  bool slopes = lw_workspace_answers(own->settings, LW_QUESTION_FORWARD_DERIVATIVES);
  bool solves =
      own->follows && (slopes || lw_workspace_answers(own->settings, LW_QUESTION_FORWARD) ||
                       lw_workspace_answers(own->settings, LW_QUESTION_INERTIA_INVERSE));
  if (own->follows && slopes) own_need(own, own->settings->reduced.slopes.kernel, &scratch);
  if (solves) own_need(own, own->settings->reduced.inertia.kernel, &scratch);
  if (solves) own_need(own, own->settings->reduced.bias.kernel, &scratch);
  if (solves && n * n > outputs) outputs = n * n;
  bool enough = true;
  for (int k = 0; k < OWN_INPUTS; ++k)
  {
    own->inputs[k] =
        lw_arena_take(&own->arena, k == OWN_WRENCH ? 6 : (size_t)own->model.nq + 1, sizeof(REAL));
    enough = enough && own->inputs[k];
  }
  for (int k = 0; k < OWN_WRENCH; ++k)
  {
    own->all[k] = lw_arena_take(&own->arena, n, sizeof(REAL));
    enough      = enough && own->all[k];
  }
  own->scratch = lw_arena_take(&own->arena, scratch, 1);
  own->answer  = lw_arena_take(&own->arena, outputs, sizeof(REAL));
  own->outputs = lw_arena_take(&own->arena, outputs, sizeof(REAL));
  own->factors = lw_arena_take(&own->arena, solves ? dof * dof : 1, sizeof(REAL));
  own->column  = lw_arena_take(&own->arena, dof + 1, sizeof(REAL));
  enough       = enough && own->column;
  return enough && own->scratch && own->answer && own->outputs && own->factors;
}

#endif
