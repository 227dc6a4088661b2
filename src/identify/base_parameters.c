// SPDX-License-Identifier: MIT
#include "identify/base_parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/random.h"
#include "linear/vectors.h"
#include "loop/loop_workspace.h"
#include "model/model_internal.h"

// Likewise in one way to close loops: there rows may be redundant in every position, and positions
// known to the square root of rounding.
static const double CLOSED   = 1e-6;
static const double LEFT_OUT = 1e-7;   // a factor that names do not show
static const double NOTHING  = 1e-12;  // of the largest column: one that is zero but for rounding

const int LW_LINK_PARAMETER_ORDER[LW_LINK_PARAMETERS] = {6, 4, 7, 8, 9, 1, 2, 5, 3, 0};

// The unknowns in the order in which they become base parameters: base to tip, those of a link as
// the rules keep them.
static lwStatus base_order(const lwUnknowns* unknowns, int* order)
{
  lwBaseParameters base = {0};
  lwStatus status       = LW_OK;
  for (int c = 0; c < unknowns->count; ++c)
    order[c] = c < unknowns->inertial
                   ? c - c % LW_LINK_PARAMETERS + LW_LINK_PARAMETER_ORDER[c % LW_LINK_PARAMETERS]
                   : c;
  if (lw_base_has_rules(unknowns->model)) status = lw_base_by_rules(&base, unknowns->model, order);
  lw_base_free(&base);
  return status;
}

// Removes the part of x along the kept columns, twice because of rounding; adds it to along (kept).
static void project_out(const double* Q, int rows, int kept, double* x, double* along)
{
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < kept; ++k)
    {
      const double* q = Q + (size_t)k * (size_t)rows;
      double part     = lw_dot_product(rows, q, x);
      along[k] += part;
      for (int i = 0; i < rows; ++i) x[i] -= part * q[i];
    }
}

// Where a column depends on kept ones: R coefficients = along, solved from below.
static void note_dependence(lwBaseParameters* base, const double* R, double* along, int column)
{
  int kept = base->count, p = base->unknowns;
  for (int i = kept - 1; i >= 0; --i)
  {
    for (int j = i + 1; j < kept; ++j) along[i] -= R[(size_t)j * (size_t)p + (size_t)i] * along[j];
    along[i] /= R[(size_t)i * (size_t)p + (size_t)i];
    if (fabs(along[i]) > NOTHING) base->factor[(size_t)i * (size_t)p + (size_t)column] = along[i];
  }
}

// Columns of Q take the place of the kept columns of X; R (unknowns, unknowns) column by column.
static void sort_columns(lwBaseParameters* base, double* X, int rows, const int* order,
                         double depends, double* R, double* Q, double* along)
{
  int p          = base->unknowns;
  double largest = 0;
  for (int c = 0; c < p; ++c)
  {
    const double* x = X + (size_t)c * (size_t)rows;
    largest         = fmax(largest, sqrt(lw_dot_product(rows, x, x)));
  }
  for (int k = 0; k < p; ++k)
  {
    int column  = order[k];
    double* x   = X + (size_t)column * (size_t)rows;
    double size = sqrt(lw_dot_product(rows, x, x));
    memset(along, 0, (size_t)p * sizeof *along);
    if (size <= NOTHING * largest) continue;
    project_out(Q, rows, base->count, x, along);
    double rest = sqrt(lw_dot_product(rows, x, x));
    if (rest <= depends * size)
    {
      base->most_dropped = fmax(base->most_dropped, rest / size);
      note_dependence(base, R, along, column);
      continue;
    }
    int b            = base->count++;
    base->least_kept = b > 0 ? fmin(base->least_kept, rest / size) : rest / size;
    memcpy(R + (size_t)b * (size_t)p, along, (size_t)b * sizeof *R);
    R[(size_t)b * (size_t)p + (size_t)b] = rest;
    for (int i = 0; i < rows; ++i) Q[(size_t)b * (size_t)rows + (size_t)i] = x[i] / rest;
    base->kept[b]                                        = column;
    base->factor[(size_t)b * (size_t)p + (size_t)column] = 1;
  }
}

lwStatus lw_base_create(lwBaseParameters* base, size_t unknowns)
{
  *base        = (lwBaseParameters){.unknowns = (int)unknowns};
  base->kept   = calloc(unknowns + 1, sizeof *base->kept);
  base->factor = calloc(unknowns * unknowns + 1, sizeof(double));
  return base->kept && base->factor ? LW_OK : LW_ERROR_MEMORY;
}

lwStatus lw_base_sort(lwBaseParameters* base, double* X, int rows, int unknowns, const int* order,
                      double depends)
{
  size_t p  = (size_t)unknowns;
  double *R = NULL, *Q = NULL, *along = NULL;
  const lwArray arrays[] = {{&R, p * p}, {&along, p}, {&Q, (size_t)rows * p}, {0}};
  lwStatus status        = lw_base_create(base, p);
  if (status == LW_OK && !lw_arrays_take(NULL, arrays)) status = LW_ERROR_MEMORY;
  if (status == LW_OK) sort_columns(base, X, rows, order, depends, R, Q, along);
  free(R);
  return status;
}

// --- random states

static bool joint_moves(const lwBaseStates* states, size_t i)
{
  return !states->moved || states->moved[i];
}

// q (nq), qd (dof), qdd (dof), one behind the other; q of a log stay where they are.
static lwStates random_state(const lwModel* model, const lwBaseStates* states, lwRandom* random,
                             double* q)
{
  int nq = lw_model_nq(model), n = lw_model_dof(model);
  double *qd = q + nq, *qdd = qd + n;
  lwStates state = {.q = q, .qd = qd, .qdd = qdd};
  if (states->q)
    state.q = states->q + (long)lw_random_between(random, 0, (double)states->samples) * nq;
  for (int i = 0; i < nq && !states->q; ++i)
  {
    lwCoordinate position = lw_model_position(model, i);
    double range          = position.slides || position.quaternion ? 1 : 3;
    q[i]                  = lw_random_between(random, -range, range);
  }
  if (!states->q) lw_model_normalize(model, q);
  for (int i = 0; i < n; ++i)
  {
    qd[i]  = joint_moves(states, (size_t)i) ? lw_random_between(random, -2, 2) : 0;
    qdd[i] = joint_moves(states, (size_t)i) ? lw_random_between(random, -5, 5) : 0;
  }
  return state;
}

static const int HALVINGS = 8;  // on the way from a random position to that of the file

// A random state that closes the loops: its position that of a log, or random joints part of the way
// from where the file closes them, closed in any way; the speeds are random. False: none was found.
static bool close_state(lwLoops* loops, const lwModel* model, const lwBaseStates* states,
                        lwRandom* random, lwStates* state, double* q)
{
  int nq = lw_model_nq(model), n = lw_model_dof(model);
  double *qd = q + nq, *qdd = qd + n, *step = qdd + n, *start = step + n;
  if (states->q) return lw_loops_follow_speeds(loops, state->q, qd, qdd) == LW_OK;
  lw_model_start(model, start);
  for (int half = 0; half < HALVINGS; ++half)
  {
    double part = ldexp(1, -half);
    for (int i = 0; i < n; ++i) step[i] = lw_random_between(random, -part, part);
    lw_model_integrate(model, start, step, q);
    if (lw_loops_close_near(loops, loops->is_speed, q) &&
        lw_loops_follow_speeds(loops, q, qd, qdd) == LW_OK)
      return true;
  }
  return false;
}

// False: after many tries there is no state in which the loops are closed and speeds say the motion.
static bool rows_of_state(const lwUnknowns* unknowns, lwRegressor* regressor,
                          const lwBaseStates* states, lwRandom* random, double* Y, double* q)
{
  lwLoops* loops = lw_regressor_loops(regressor);
  for (int k = 0; k < 100; ++k)
  {
    lwStates state = random_state(unknowns->model, states, random, q);
    bool closed    = !loops || close_state(loops, unknowns->model, states, random, &state, q);
    if (closed && lw_regressor_rows(regressor, unknowns, &state, Y)) return true;
  }
  return false;
}

// rows of the n that a state has
static bool fill_random(const lwUnknowns* unknowns, lwRegressor* regressor,
                        const lwBaseStates* states, size_t n, size_t rows, double* X, double* Y,
                        double* q)
{
  size_t p = (size_t)unknowns->count, row = 0;
  lwRandom random = {states->seed};
  while (row < rows)
  {
    if (!rows_of_state(unknowns, regressor, states, &random, Y, q)) return false;
    for (size_t i = 0; i < n; ++i)
    {
      if (!joint_moves(states, (size_t)lw_model_speed(unknowns->model, (int)i))) continue;
      for (size_t c = 0; c < p; ++c)
        X[c * rows + row] = unknowns->of[c].kind == LW_UNKNOWN_GAIN
                                ? lw_random_between(&random, -1, 1)
                                : Y[i * p + c];
      ++row;
    }
  }
  return true;
}

// Columns that are only what closing the loops leaves of rounding become 0.
static void clear_columns(double* X, size_t rows, size_t unknowns)
{
  double largest = 0;
  for (size_t c = 0; c < unknowns; ++c)
    largest = fmax(largest, sqrt(lw_dot_product((int)rows, X + c * rows, X + c * rows)));
  for (size_t c = 0; c < unknowns; ++c)
    if (sqrt(lw_dot_product((int)rows, X + c * rows, X + c * rows)) <= CLOSED * largest)
      memset(X + c * rows, 0, rows * sizeof *X);
}

int lw_base_random_states(int unknowns, int n)
{
  return 2 * unknowns / n + 20;
}

lwStatus lw_base_at_random(lwBaseParameters* base, const lwUnknowns* unknowns,
                           lwRegressor* regressor, const lwBaseStates* states)
{
  int n = lw_model_dof(unknowns->model), p = unknowns->count, moving = 0;
  int m = lw_model_mobility(unknowns->model);
  for (int i = 0; i < m; ++i)
    moving += joint_moves(states, (size_t)lw_model_speed(unknowns->model, i));
  if (moving == 0) return LW_ERROR_INPUT;  // lw_log_check() refuses such a log
  int rows  = moving * lw_base_random_states(p, moving);
  double *X = NULL, *Y = NULL, *q = NULL;
  const lwArray arrays[] = {{&X, (size_t)rows * (size_t)p},
                            {&Y, (size_t)n * (size_t)p},
                            {&q, 2 * (size_t)lw_model_nq(unknowns->model) + 3 * (size_t)n},
                            {0}};
  int* order             = calloc((size_t)p + 1, sizeof *order);
  lwStatus status        = lw_arrays_take(NULL, arrays) && order ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = base_order(unknowns, order);
  if (status == LW_OK &&
      !fill_random(unknowns, regressor, states, (size_t)m, (size_t)rows, X, Y, q))
    status = LW_ERROR_NUMERICAL;
  bool closes = lw_regressor_loops(regressor) && states->q;
  if (status == LW_OK && closes) clear_columns(X, (size_t)rows, (size_t)p);
  if (status == LW_OK)
    status = lw_base_sort(base, X, rows, p, order, closes ? CLOSED : LW_BASE_DEPENDS);
  free(X);
  free(order);
  return status;
}

void lw_base_free(lwBaseParameters* base)
{
  free(base->kept);
  free(base->factor);
}

double lw_base_value(const lwBaseParameters* base, int b, const double* values)
{
  return lw_dot_product(base->unknowns, base->factor + (size_t)b * (size_t)base->unknowns, values);
}

// --- names

// " - 0.43 forearm.m" or, of the first term, "forearm.m"; only counted where text is NULL.
static size_t write_base_term(char* text, const lwUnknowns* unknowns, int c, double factor,
                              bool first)
{
  char one[LW_UNKNOWN_NAME], term[LW_UNKNOWN_NAME + 40], number[32] = "";
  lw_unknown_name(unknowns, c, one);
  if (fabs(fabs(factor) - 1) > LEFT_OUT) snprintf(number, sizeof number, "%.6g ", fabs(factor));
  snprintf(term, sizeof term, "%s%s%s", first ? "" : factor < 0 ? " - " : " + ", number, one);
  size_t length = strlen(term);
  if (text) memcpy(text, term, length + 1);
  return length;
}

static size_t write_base_terms(char* text, const lwBaseParameters* base, const lwUnknowns* unknowns,
                               int b)
{
  const double* factor = base->factor + (size_t)b * (size_t)base->unknowns;
  size_t used          = write_base_term(text, unknowns, base->kept[b], 1, true);
  for (int c = 0; c < base->unknowns; ++c)
    if (c != base->kept[b] && fabs(factor[c]) > LEFT_OUT)
      used += write_base_term(text ? text + used : NULL, unknowns, c, factor[c], false);
  return used;
}

char* lw_base_name(const lwBaseParameters* base, const lwUnknowns* unknowns, int b)
{
  char* name = malloc(write_base_terms(NULL, base, unknowns, b) + 1);
  if (name) write_base_terms(name, base, unknowns, b);
  return name;
}
