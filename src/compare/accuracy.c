// SPDX-License-Identifier: MIT
#include "compare/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "compare/gap.h"
#include "linkwork/methods.h"
#include "linkwork/quad.h"
#include "math/elementary.h"

// All methods of the registry, then the questions that have one way only.
static const lwQuestion SINGLE_WAY[] = {LW_QUESTION_ENERGY, LW_QUESTION_POSE, LW_QUESTION_JACOBIAN,
                                        LW_QUESTION_REACTIONS, LW_QUESTION_GIBBS};

static const double MOST_STEPS = 1e10;  // of a method, over all states

typedef struct Measurer
{
  const lwModel* model;
  const lwAccuracyDef* def;
  lwPrecision precision;
  lwRandomState state;
  lwQuadWorkspace* quad;
  lwWorkspace** works;               // (rows)
  lwAccuracy* rows;                  // (rows) of this precision
  int count;                         // rows
  double* errors;                    // (rows, states)
  lwQuad* truth[LW_QUESTION_COUNT];  // NULL: not asked
  double* answer;
  lwArena arena;
} Measurer;

static int ways(void)
{
  return lw_method_count() + (int)(sizeof SINGLE_WAY / sizeof *SINGLE_WAY);
}

int lw_accuracy_rows(void)
{
  return 2 * ways();
}

static lwQuestion way_question(int way)
{
  int methods = lw_method_count();
  return way < methods ? lw_method(way)->question : SINGLE_WAY[way - methods];
}

static bool is_wanted_method(const Measurer* measurer, int way)
{
  const lwAccuracyDef* def = measurer->def;
  lwQuestion question      = way_question(way);
  const lwMethod* method   = way < lw_method_count() ? lw_method(way) : NULL;
  if (def->question >= 0 && (lwQuestion)def->question != question) return false;
  if (def->method && (!method || !lw_method_is(method, def->method))) return false;
  bool solves = lw_question_info(question)->chooses & LW_CHOOSES_ROTORS;
  if (solves && lw_model_inert(measurer->model) >= 0) return false;
  const char* power = method ? strchr(method->order, '^') : NULL;
  double steps      = lw_pow(lw_model_dof(measurer->model), power ? atof(power + 1) : 1);
  return !method || steps * (double)def->states <= MOST_STEPS;
}

// --- states

static void fill_state(const lwModel* model, uint64_t seed, long number, lwPrecision precision,
                       lwRandomState* state, lwWorkspace* ws)
{
  bool single = precision == LW_PRECISION_SINGLE;
  lwStates in = {.q = state->q, .qd = state->qd, .qdd = state->qdd, .wrench = state->wrench};
  lw_random_state_fill(state, model, seed, number, single);
  lw_answer(model, ws, LW_QUESTION_INVERSE, &in, state->tau);
  for (int i = 0; i < state->n && single; ++i) state->tau[i] = (float)state->tau[i];
}

static lwStatus inverse_workspace(const lwModel* model, lwWorkspace** ws)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE);
  return lw_workspace_create(model, &def, NULL, ws);
}

bool lw_accuracy_state(const lwModel* model, uint64_t seed, long number, lwPrecision precision,
                       lwRandomState* state)
{
  lwWorkspace* ws;
  if (inverse_workspace(model, &ws) != LW_OK) return false;
  fill_state(model, seed, number, precision, state, ws);
  lw_workspace_destroy(ws);
  return true;
}

// --- errors

// The largest error, in units in the last place of the largest entry.
static double error_of(const double* got, const lwQuad* right, size_t count, lwPrecision precision,
                       int* entry)
{
  double most = 0, size = 0;
  for (size_t i = 0; i < count; ++i)
  {
    double gap = fabs(got[i] - right[i].part[0] - right[i].part[1]);
    size       = fmax(size, fabs(right[i].part[0]));
    if (!(gap <= most)) *entry = (int)i;
    most = lw_gap_larger(most, gap);
  }
  if (most == 0) return 0;
  int digits = precision == LW_PRECISION_SINGLE ? 23 : 52;
  return size > 0 ? most / ldexp(1, ilogb(size) - digits) : INFINITY;
}

static void measure_state(Measurer* measurer, long number)
{
  const lwRandomState* s = &measurer->state;
  lwStates state         = {s->q, s->qd, s->qdd, s->tau, s->wrench};
  for (int q = 0; q < LW_QUESTION_COUNT; ++q)
    if (measurer->truth[q])
      lw_quad_answer(measurer->quad, (lwQuestion)q, &state, measurer->truth[q]);
  for (int i = 0; i < measurer->count; ++i)
  {
    lwAccuracy* row = &measurer->rows[i];
    size_t size     = lw_question_outputs(measurer->model, row->question);
    int entry       = 0;
    lw_answer(measurer->model, measurer->works[i], row->question, &state, measurer->answer);
    double error =
        error_of(measurer->answer, measurer->truth[row->question], size, row->precision, &entry);
    measurer->errors[(long)i * measurer->def->states + number - 1] = error;
    if (!(error > row->worst) && number > 1) continue;
    row->worst       = error;
    row->worst_state = number;
    row->entry       = entry;
  }
}

static int compare_numbers(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// --- life

// A workspace for every way, except those that the robot does not allow.
static lwStatus make_works(Measurer* measurer)
{
  lwStatus status = LW_OK;
  for (int way = 0; way < ways() && status == LW_OK; ++way)
  {
    bool method        = way < lw_method_count();
    lwWorkspaceDef def = lw_workspace_def();
    def.precision      = measurer->precision;
    def.questions      = LW_ASKS(way_question(way));
    if (!is_wanted_method(measurer, way)) continue;
    if (method) lw_workspace_def_set_method(&def, way_question(way), lw_method(way)->name);
    status = lw_workspace_create(measurer->model, &def, NULL, &measurer->works[measurer->count]);
    if (status == LW_ERROR_METHOD) status = LW_OK;
    if (status != LW_OK || !measurer->works[measurer->count]) continue;
    measurer->rows[measurer->count++] = (lwAccuracy){.question  = way_question(way),
                                                     .method    = method ? way : -1,
                                                     .precision = measurer->precision};
  }
  return status;
}

static lwStatus measurer_memory(Measurer* measurer)
{
  const lwModel* model = measurer->model;
  size_t states        = (size_t)measurer->def->states;
  measurer->works      = lw_arena_take(&measurer->arena, (size_t)ways() + 1, sizeof(lwWorkspace*));
  measurer->errors     = lw_arena_take(&measurer->arena, (size_t)ways() * states, sizeof(double));
  if (!measurer->works || !measurer->errors) return LW_ERROR_MEMORY;
  lwStatus status = lw_random_state_create(&measurer->state, model);
  if (status == LW_OK) status = make_works(measurer);
  size_t largest     = 1;
  lwWorkspaceDef def = lw_workspace_def();
  for (int i = 0; i < measurer->count; ++i) def.questions |= LW_ASKS(measurer->rows[i].question);
  for (int q = 0; q < LW_QUESTION_COUNT && status == LW_OK; ++q)
  {
    if (!(def.questions & LW_ASKS(q))) continue;
    size_t size        = lw_question_outputs(model, (lwQuestion)q);
    measurer->truth[q] = lw_arena_take(&measurer->arena, size, sizeof(lwQuad));
    if (size > largest) largest = size;
    if (!measurer->truth[q]) status = LW_ERROR_MEMORY;
  }
  measurer->answer = lw_arena_take(&measurer->arena, largest, sizeof(double));
  if (status == LW_OK && !measurer->answer) status = LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_quad_workspace_create(model, &def, NULL, &measurer->quad);
  return status;
}

static lwStatus measure_precision(Measurer* measurer)
{
  lwWorkspace* motion = NULL;
  long states         = measurer->def->states;
  lwStatus status     = measurer_memory(measurer);
  if (status == LW_OK) status = inverse_workspace(measurer->model, &motion);
  for (long k = 1; status == LW_OK && k <= states; ++k)
  {
    fill_state(measurer->model, measurer->def->seed, k, measurer->precision, &measurer->state,
               motion);
    measure_state(measurer, k);
  }
  for (int i = 0; status == LW_OK && i < measurer->count; ++i)
  {
    double* errors = measurer->errors + (long)i * states;
    qsort(errors, (size_t)states, sizeof *errors, compare_numbers);
    measurer->rows[i].median = (errors[(states - 1) / 2] + errors[states / 2]) / 2;
  }
  lw_workspace_destroy(motion);
  for (int i = 0; i < measurer->count; ++i) lw_workspace_destroy(measurer->works[i]);
  lw_quad_workspace_destroy(measurer->quad);
  lw_random_state_destroy(&measurer->state);
  lw_arena_free(&measurer->arena);
  return status;
}

lwStatus lw_accuracy_measure(const lwModel* model, const lwAccuracyDef* def, lwAccuracy* rows,
                             int* count)
{
  lwStatus status = lw_quad_available() ? LW_OK : LW_ERROR_QUAD;
  *count          = 0;
  for (int p = 0; p < 2 && status == LW_OK; ++p)
  {
    Measurer measurer = {
        .model = model, .def = def, .precision = (lwPrecision)p, .rows = rows + *count};
    status = measure_precision(&measurer);
    *count += measurer.count;
  }
  return status;
}
