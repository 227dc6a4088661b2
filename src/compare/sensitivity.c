// SPDX-License-Identifier: MIT
#include "compare/sensitivity.h"

#include <math.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "base/diag.h"

static int block_count(const lwSensitivity* s)
{
  return (s->count + LW_SENSITIVITY_BLOCK - 1) / LW_SENSITIVITY_BLOCK;
}

static int block_size(const lwSensitivity* s, int block)
{
  int left = s->count - block * LW_SENSITIVITY_BLOCK;
  return left < LW_SENSITIVITY_BLOCK ? left : LW_SENSITIVITY_BLOCK;
}

// Loops, and the settings of the tree whose slopes are projected.
static lwStatus open_closed(lwSensitivity* s, lwWorkspaceDef* settings, lwDiag* diag)
{
  size_t dof = (size_t)lw_model_dof(s->model), outputs = (size_t)s->outputs;
  const lwArray arrays[] = {{&s->qdd, dof},
                            {&s->qdd_at, dof},
                            {&s->tree, LW_SENSITIVITY_BLOCK * dof},
                            {&s->rest, LW_SENSITIVITY_BLOCK * dof},
                            {&s->W, outputs * outputs},
                            {0}};
  for (int p = 0; p < s->count; ++p)
    if (s->parameters[p].kind == LW_PARAMETER_LENGTH || s->parameters[p].kind == LW_PARAMETER_ANGLE)
      return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                       "with closed loops lengths and angles move the joints that follow; "
                       "sensitivities are those to mass, com, inertia and gravity");
  if (!lw_arrays_take(NULL, arrays)) return LW_ERROR_MEMORY;
  lwWorkspaceDef closed = *settings;
  closed.questions      = LW_ASKS(s->question) | LW_ASKS(LW_QUESTION_INERTIA_INVERSE);
  settings->questions   = LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_GRAVITY);
  settings->open_tree   = true;
  return lw_loops_create(s->model, &closed, diag, &s->loops);
}

lwStatus lw_sensitivity_create(lwSensitivity* s, const lwModel* model, const lwWorkspaceDef* def,
                               lwQuestion question, const lwParameter* parameters,
                               const double* tolerances, int count, lwDiag* diag)
{
  size_t outputs         = lw_loops_outputs(model, question);
  *s                     = (lwSensitivity){.model      = model,
                                           .question   = question,
                                           .count      = count,
                                           .parameters = parameters,
                                           .tolerances = tolerances,
                                           .outputs    = (int)outputs};
  s->blocks              = calloc((size_t)block_count(s) + 1, sizeof(lwDifferentiator*));
  s->effects             = calloc((size_t)count * outputs + 1, sizeof *s->effects);
  s->bands               = calloc(outputs + 1, sizeof *s->bands);
  const lwArray arrays[] = {{&s->value, outputs},
                            {&s->width, outputs},
                            {&s->slopes, LW_SENSITIVITY_BLOCK * outputs},
                            {0}};
  if (!s->blocks || !s->effects || !s->bands || !lw_arrays_take(NULL, arrays))
    return LW_ERROR_MEMORY;
  lwWorkspaceDef settings = def ? *def : lw_workspace_def();
  lwStatus status         = LW_OK;
  settings.questions      = LW_ASKS(question);
  if (lw_model_loop_count(model) > 0 && !settings.open_tree)
    status = open_closed(s, &settings, diag);
  for (int b = 0; b < block_count(s) && status == LW_OK; ++b)
    status = lw_differentiator_create(model, &settings, parameters + b * LW_SENSITIVITY_BLOCK,
                                      block_size(s, b), diag, &s->blocks[b]);
  return status;
}

void lw_sensitivity_destroy(lwSensitivity* s)
{
  for (int b = 0; s->blocks && b < block_count(s); ++b) lw_differentiator_destroy(s->blocks[b]);
  free(s->blocks);
  free(s->effects);
  free(s->bands);
  free(s->value);
  free(s->qdd);
  lw_loops_destroy(s->loops);
}

// The slopes of one block, which are in s->slopes.
static bool add_block(lwSensitivity* s, int first, int count, double t)
{
  for (int p = 0; p < count; ++p)
    for (int i = 0; i < s->outputs; ++i)
    {
      double slope     = s->slopes[p * s->outputs + i];
      lwEffect* effect = &s->effects[(first + p) * s->outputs + i];
      if (!isfinite(slope) || !isfinite(s->value[i])) return false;
      if (s->tolerances) s->width[i] += fabs(slope) * s->tolerances[first + p];
      if (s->states > 1 && fabs(slope) <= fabs(effect->slope)) continue;
      *effect = (lwEffect){first + p, i, slope, s->states, t};
    }
  return true;
}

// The answer, and the accelerations at which torques of the tree have its slopes: those of the state,
// those of constant speeds, or those that the torques give.
static lwStatus find_closed(lwSensitivity* s, const lwStates* state)
{
  size_t dof      = (size_t)lw_model_dof(s->model);
  lwStatus status = lw_loops_answer(s->loops, s->question, state, s->value, NULL);
  for (size_t i = 0; i < dof; ++i) s->qdd_at[i] = 0;
  if (status == LW_OK && s->question == LW_QUESTION_FORWARD)
  {
    lw_loops_forward(s->loops, state, s->qdd_at, NULL);
    return lw_loops_answer(s->loops, LW_QUESTION_INERTIA_INVERSE, state, s->W, NULL);
  }
  if (s->question == LW_QUESTION_INVERSE && state->qdd)
    for (size_t i = 0; i < dof; ++i) s->qdd_at[i] = state->qdd[i];
  else if (status == LW_OK && state->qd && s->question != LW_QUESTION_GRAVITY)
    status = lw_loops_acceleration(s->loops, state->q, state->qd, s->qdd_at);
  return status;
}

// slopes = -W slopes
static void solve_slopes(const lwSensitivity* s, double* slopes)
{
  for (int i = 0; i < s->outputs; ++i)
  {
    s->width[i] = 0;
    for (int k = 0; k < s->outputs; ++k) s->width[i] -= s->W[i * s->outputs + k] * slopes[k];
  }
  for (int i = 0; i < s->outputs; ++i) slopes[i] = s->width[i];
}

// As lw_differentiate(), projected: N^T of the torques' slopes, which are linear in parameters.
static bool differentiate_closed(lwSensitivity* s, int block, const lwStates* state,
                                 const lwTangent* directions, int size)
{
  int dof        = lw_model_dof(s->model);
  bool no_weight = s->question == LW_QUESTION_CORIOLIS, rests = s->question == LW_QUESTION_GRAVITY;
  lwStates moves  = {state->q, state->qd, s->qdd_at, NULL, state->wrench};
  lwStatus status = find_closed(s, state);
  if (status != LW_OK) return false;
  lw_differentiate(s->blocks[block], rests ? LW_QUESTION_GRAVITY : LW_QUESTION_INVERSE, &moves,
                   directions, size, NULL, s->tree);
  if (no_weight)
    lw_differentiate(s->blocks[block], LW_QUESTION_GRAVITY, &moves, directions, size, NULL,
                     s->rest);
  for (int k = 0; k < size * dof && no_weight; ++k) s->tree[k] -= s->rest[k];
  for (int p = 0; p < size && status == LW_OK; ++p)
    status = lw_loops_to_speeds(s->loops, state->q, 1, s->tree + p * dof,
                                s->slopes + p * s->outputs, NULL);
  double* kept = s->rest;  // free again: widths are summed up where solve_slopes() works
  for (int i = 0; i < s->outputs; ++i) kept[i] = s->width[i];
  for (int p = 0; p < size && s->question == LW_QUESTION_FORWARD; ++p)
    solve_slopes(s, s->slopes + p * s->outputs);
  for (int i = 0; i < s->outputs; ++i) s->width[i] = kept[i];
  return status == LW_OK;
}

bool lw_sensitivity_add(lwSensitivity* s, const lwStates* state, double t)
{
  double unit[LW_SENSITIVITY_BLOCK * LW_SENSITIVITY_BLOCK] = {0};
  lwTangent directions[LW_SENSITIVITY_BLOCK]               = {{0}};
  ++s->states;
  for (int i = 0; i < s->outputs; ++i) s->width[i] = 0;
  for (int b = 0; b < block_count(s); ++b)
  {
    int size = block_size(s, b);
    for (int p = 0; p < size; ++p)
    {
      for (int k = 0; k < size; ++k) unit[p * size + k] = p == k;
      directions[p].parameters = unit + p * size;
    }
    if (s->loops && !differentiate_closed(s, b, state, directions, size)) return false;
    if (!s->loops)
      lw_differentiate(s->blocks[b], s->question, state, directions, size, s->value, s->slopes);
    if (!add_block(s, b * LW_SENSITIVITY_BLOCK, size, t)) return false;
  }
  for (int i = 0; i < s->outputs; ++i)
    if (s->states == 1 || s->width[i] > s->bands[i].width)
      s->bands[i] = (lwBand){s->value[i], s->width[i], s->states, t};
  return true;
}

bool lw_sensitivity_is_exact(const lwSensitivity* s)
{
  bool bodies = false, gravity = false;
  bool linear = s->question != LW_QUESTION_FORWARD;
  for (int p = 0; p < s->count && s->tolerances; ++p)
  {
    lwParameterKind kind = s->parameters[p].kind;
    if (s->tolerances[p] == 0) continue;
    if (!lw_parameter_is_linear(kind)) linear = false;
    if (kind == LW_PARAMETER_GRAVITY)
      gravity = true;
    else
      bodies = true;
  }
  return linear && !(bodies && gravity);
}

double lw_effect_per_cent(const lwSensitivity* s, const lwEffect* effect)
{
  return effect->slope * lw_parameter_value(s->model, s->parameters[effect->parameter]) / 100 + 0.0;
}

double lw_effect_of_tolerance(const lwSensitivity* s, const lwEffect* effect)
{
  return s->tolerances ? fabs(effect->slope) * s->tolerances[effect->parameter] : 0;
}

// What effects are sorted by, before sorting; qsort() has no context, so it is kept beside them.
typedef struct RankedSlope
{
  double first, second, third;
  int place;
  lwEffect effect;
} RankedSlope;

static int compare_ranked(const void* left, const void* right)
{
  const RankedSlope *a = left, *b = right;
  const double keys[][2] = {{a->first, b->first}, {a->second, b->second}, {a->third, b->third}};
  for (int k = 0; k < 3; ++k)
    if (keys[k][0] != keys[k][1]) return keys[k][0] < keys[k][1] ? 1 : -1;
  return a->place - b->place;
}

int lw_sensitivity_sort(lwSensitivity* s)
{
  int all = s->count * s->outputs, kept = 0;
  RankedSlope* ranked = calloc((size_t)all + 1, sizeof *ranked);
  for (int i = 0; i < all && ranked; ++i)
  {
    const lwEffect* effect = &s->effects[i];
    if (effect->slope == 0) continue;
    ranked[kept++] =
        (RankedSlope){lw_effect_of_tolerance(s, effect), fabs(lw_effect_per_cent(s, effect)),
                      fabs(effect->slope), i, *effect};
  }
  if (!ranked) return -1;
  qsort(ranked, (size_t)kept, sizeof *ranked, compare_ranked);
  for (int i = 0; i < kept; ++i) s->effects[i] = ranked[i].effect;
  free(ranked);
  return kept;
}
