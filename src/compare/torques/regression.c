// SPDX-License-Identifier: MIT
#include "compare/torques/regression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STEP    = 1e-5;   // rad or m, of differences
static const double ROUNDED = 1e-8;   // of a joint's torques, below which slopes are rounding
static const double NOTHING = 1e-12;  // of the largest entry
static const double EXACT   = 1e-7;   // of a joint's torques, below which nothing is noise

// --- columns

static size_t log_rows(const lwRegression* all)
{
  return (size_t)all->trial->file.count;
}

// Column c of a group in equation k.
static double* entry(const lwRegression* all, size_t k, lwFitColumn group, int c)
{
  return &all->A[k * (size_t)all->columns + (size_t)(all->first[group] + c)];
}

// The torques that hold the robot in gravity along each axis.
static void fill_gravity(lwRegression* all)
{
  lwTrial* trial          = all->trial;
  lwRobotDef robot        = trial->robot;
  lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  lwStates states         = {.q = trial->file.values[LW_LOG_Q]};
  for (int axis = 0; axis < 3; ++axis)
  {
    lwModel* model  = NULL;
    lwWorkspace* ws = NULL;
    for (int j = 0; j < 3; ++j) robot.gravity[j] = j == axis;
    bool made = lw_trial_succeeds(trial, lw_model_create(&robot, &tolerate, NULL, &model)) &&
                lw_trial_succeeds(trial, lw_workspace_create(model, NULL, NULL, &ws));
    if (made) lw_answer_many(model, ws, LW_QUESTION_GRAVITY, trial->file.count, &states, all->work);
    for (size_t k = 0; k < lw_trial_entries(trial); ++k)
      *entry(all, k, LW_COLUMN_GRAVITY, axis) = made ? all->work[k] : 0;
    lw_workspace_destroy(ws);
    lw_model_destroy(model);
  }
}

static void fill_joint_terms(lwRegression* all)
{
  const double *qd = all->trial->file.values[LW_LOG_QD], *qdd = all->trial->file.values[LW_LOG_QDD];
  for (size_t k = 0; k < lw_trial_entries(all->trial); ++k)
  {
    int i                                = (int)(k % (size_t)all->n);
    *entry(all, k, LW_COLUMN_VISCOUS, i) = qd[k];
    *entry(all, k, LW_COLUMN_COULOMB, i) = (qd[k] > 0) - (qd[k] < 0);
    *entry(all, k, LW_COLUMN_ROTOR, i)   = qdd[k];
  }
}

// Entries that are only rounding become 0: of a column of these alone, anything would be fitted.
// Entries are compared with those of the same parameter of other links.
static void clear_rounding(lwRegression* all)
{
  size_t entries = lw_trial_entries(all->trial);
  for (int p = 0; p < LW_LINK_PARAMETERS; ++p)
  {
    double most = 0;
    for (size_t k = 0; k < entries; ++k)
      for (int c = p; c < LW_LINK_PARAMETERS * all->links; c += LW_LINK_PARAMETERS)
        most = fmax(most, fabs(*entry(all, k, LW_COLUMN_LINK, c)));
    for (size_t k = 0; k < entries; ++k)
      for (int c = p; c < LW_LINK_PARAMETERS * all->links; c += LW_LINK_PARAMETERS)
        if (fabs(*entry(all, k, LW_COLUMN_LINK, c)) < NOTHING * most)
          *entry(all, k, LW_COLUMN_LINK, c) = 0;
  }
}

// tau = Y(q, qd, qdd) pi, with the velocity terms of the trial.
static void fill_links(lwRegression* all)
{
  lwTrial* trial = all->trial;
  size_t n = (size_t)all->n, nq = (size_t)trial->nq;
  int width = LW_LINK_PARAMETERS * all->links;
  for (size_t k = 0; k < lw_trial_entries(trial); ++k)
    memset(entry(all, k, LW_COLUMN_LINK, 0), 0, (size_t)width * sizeof(double));
  for (int k = 0; k < lw_trial_parts(trial); ++k)
  {
    lwTrialPart part = lw_trial_part(trial, k);
    for (size_t row = 0; row < log_rows(all); ++row)
    {
      lwStates state = {.q   = trial->file.values[LW_LOG_Q] + row * nq,
                        .qd  = part.qd + row * n,
                        .qdd = part.qdd + row * n};
      lw_regressor_rows(all->regressor, &all->unknowns, &state, all->Y);
      for (size_t i = 0; i < n; ++i)
        for (int c = 0; c < width; ++c)
          *entry(all, row * n + i, LW_COLUMN_LINK, c) +=
              part.weight * all->Y[i * (size_t)all->unknowns.count + (size_t)c];
    }
  }
  clear_rounding(all);
}

// Our torques in three parts, of each joint by itself: not a cause, but what noise knows nothing
// of.
static void fill_parts(lwRegression* all)
{
  lwTrial* trial = all->trial;
  size_t entries = lw_trial_entries(trial);
  double *qd = trial->file.values[LW_LOG_QD], *qdd = trial->file.values[LW_LOG_QDD];
  double *at_rest = all->work, *zeros = trial->part + 2 * entries;
  memcpy(all->keep, trial->rest, entries * sizeof *all->keep);
  for (int part = 2; part >= 0; --part)
  {
    trial->file.values[LW_LOG_QD]  = part == 1 ? qd : zeros;
    trial->file.values[LW_LOG_QDD] = part == 0 ? qdd : zeros;
    lw_trial_predict(trial);
    if (part == 2) memcpy(at_rest, trial->ours, entries * sizeof *at_rest);
    for (size_t k = 0; k < entries; ++k)
    {
      int i = (int)(k % (size_t)all->n);
      *entry(all, k, LW_COLUMN_PART, part * all->n + i) =
          part == 2 ? at_rest[k] : trial->ours[k] - at_rest[k];
    }
  }
  trial->file.values[LW_LOG_QD]  = qd;
  trial->file.values[LW_LOG_QDD] = qdd;
  lw_trial_predict(trial);
  memcpy(trial->rest, all->keep, entries * sizeof *all->keep);
}

// Differences of our torques in the position of a joint; 0 of joints whose positions are
// quaternions.
static void fill_zeros(lwRegression* all, int only)
{
  lwTrial* trial = all->trial;
  size_t entries = lw_trial_entries(trial);
  double *q = trial->file.values[LW_LOG_Q], *up = all->work;
  size_t places = log_rows(all) * (size_t)trial->nq;
  double* kept  = malloc((places + 1) * sizeof *kept);
  if (!kept) trial->no_memory = true;
  if (!kept) return;
  memcpy(kept, q, places * sizeof *q);
  memcpy(all->keep, trial->rest, entries * sizeof *all->keep);
  for (int j = 0; j < all->n; ++j)
  {
    int at = lw_model_velocity(trial->original, j).other;
    if (only >= 0 && j != only) continue;
    if (at >= 0)
    {
      lw_shift_joint(trial, at, STEP);
      lw_trial_predict(trial);
      memcpy(up, trial->ours, entries * sizeof *up);
      lw_shift_joint(trial, at, -2 * STEP);
      lw_trial_predict(trial);
      memcpy(q, kept, places * sizeof *q);
    }
    for (size_t k = 0; k < entries; ++k)
    {
      int i        = (int)(k % (size_t)all->n);
      double slope = at < 0 ? 0 : (up[k] - trial->ours[k]) / (2 * STEP);
      if (fabs(slope) < ROUNDED * trial->size[i]) slope = 0;
      *entry(all, k, LW_COLUMN_ZERO, j) = slope;
    }
  }
  free(kept);
  lw_trial_predict(trial);
  memcpy(trial->rest, all->keep, entries * sizeof *all->keep);
}

void lw_regression_fill(lwRegression* all, unsigned groups, int joint)
{
  if (groups >> LW_COLUMN_GRAVITY & 1) fill_gravity(all);
  if (groups >> LW_COLUMN_VISCOUS & 1) fill_joint_terms(all);
  if (groups >> LW_COLUMN_LINK & 1) fill_links(all);
  if (groups >> LW_COLUMN_PART & 1) fill_parts(all);
  if (groups >> LW_COLUMN_ZERO & 1) fill_zeros(all, joint);
}

lwStatus lw_regression_open(lwRegression* all, lwTrial* trial)
{
  static const bool none    = false;
  const lwIdentifyDef links = lw_identify_def();
  int n = lw_model_dof(trial->original), count = trial->robot.count;
  const int width[] = {3, n, n, n, LW_LINK_PARAMETERS * count, 3 * n, n};
  *all              = (lwRegression){.trial = trial, .n = n, .links = count};
  for (int g = 0; g < LW_COLUMN_GROUPS; ++g) all->first[g + 1] = all->first[g] + width[g];
  all->columns   = all->first[LW_COLUMN_GROUPS];
  size_t entries = (size_t)trial->file.count * (size_t)n, P = (size_t)all->columns;
  const lwArray arrays[] = {{&all->A, entries * P},
                            {&all->weight, (size_t)n},
                            {&all->G, P * P},
                            {&all->Ab, P},
                            {&all->work, entries},
                            {&all->keep, entries},
                            {&all->Y, (size_t)n * P},
                            {&all->M, P * P},
                            {&all->x, P},
                            {0}};
  lwStatus status        = lw_unknowns_create(&all->unknowns, trial->model, &links, &none);
  if (status == LW_OK) status = lw_regressor_create(trial->model, &all->regressor);
  all->filled = calloc(P + 1, sizeof(int));
  return lw_arrays_take(NULL, arrays) && all->filled ? status : LW_ERROR_MEMORY;
}

void lw_regression_close(lwRegression* all)
{
  lw_regressor_destroy(all->regressor);
  lw_unknowns_free(&all->unknowns);
  free(all->A);
  free(all->filled);
}

// --- normal equations

// Most entries of a row are zero: links that a joint does not carry, terms of other joints.
static void add_equation(lwRegression* all, size_t k, double w)
{
  size_t P        = (size_t)all->columns;
  const double* a = all->A + k * P;
  double b        = all->trial->rest[k];
  int count       = 0;
  for (size_t i = 0; i < P; ++i)
    if (a[i] != 0) all->filled[count++] = (int)i;
  for (int u = 0; u < count; ++u)
  {
    int i     = all->filled[u];
    double wa = w * a[i], *row = all->G + (size_t)i * P;
    for (int v = 0; v <= u; ++v) row[all->filled[v]] += wa * a[all->filled[v]];
    all->Ab[i] += wa * b;
  }
  all->bb += w * b * b;
}

static void take_normal(lwRegression* all)
{
  size_t P = (size_t)all->columns;
  memset(all->G, 0, P * P * sizeof(double));
  memset(all->Ab, 0, P * sizeof(double));
  all->bb        = 0;
  all->equations = 0;
  for (size_t k = 0; k < lw_trial_entries(all->trial); ++k)
  {
    double w = all->weight[k % (size_t)all->n];
    if (!lw_trial_decides(all->trial, k)) continue;
    add_equation(all, k, w * w);
    ++all->equations;
  }
  for (size_t i = 0; i < P; ++i)
    for (size_t j = 0; j < i; ++j) all->G[j * P + i] = all->G[i * P + j];
}

// What x leaves of each joint; its sum of squares into all->least.
static void weigh_joints(lwRegression* all, bool set)
{
  size_t P       = (size_t)all->columns;
  double freedom = all->equations > all->rank
                       ? (double)(all->equations - all->rank) / (double)all->equations
                       : 1;
  all->least     = 0;
  for (int i = 0; i < all->n; ++i)
  {
    double sum = 0;
    long count = 0;
    for (size_t row = 0; row < log_rows(all); ++row)
    {
      size_t k    = row * (size_t)all->n + (size_t)i;
      double left = all->trial->rest[k];
      if (!lw_trial_decides(all->trial, k)) continue;
      for (size_t c = 0; c < P; ++c) left -= all->A[k * P + c] * all->x[c];
      sum += left * left;
      ++count;
    }
    all->least += all->weight[i] * all->weight[i] * sum;
    double noise = count > 0 ? sqrt(sum / ((double)count * freedom)) : 0;
    if (set) all->weight[i] = 1 / fmax(noise, EXACT * all->trial->size[i]);
  }
}

void lw_regression_weigh(lwRegression* all)
{
  size_t P = (size_t)all->columns;
  for (int i = 0; i < all->n; ++i) all->weight[i] = 1 / all->trial->size[i];
  for (int pass = 0; pass < 2; ++pass)
  {
    take_normal(all);
    memcpy(all->M, all->G, P * P * sizeof *all->M);
    memcpy(all->x, all->Ab, P * sizeof *all->x);
    all->rank = lw_ldl_factor(all->columns, all->M, LW_FIT_DEPENDENT);
    lw_ldl_solve(all->columns, all->M, all->x);
    weigh_joints(all, pass == 0);
  }
}

// --- terms

void lw_fit_terms_normal(const lwRegression* all, const lwFitTerms* terms, double* M, double* b)
{
  size_t P = (size_t)all->columns, p = (size_t)terms->count;
  for (size_t u = 0; u < p; ++u)
  {
    const lwFitTerm* x = &terms->of[u];
    b[u]               = 0;
    for (int i = 0; i < x->length; ++i) b[u] += x->direction[i] * all->Ab[x->first + i];
    for (size_t v = 0; v < p; ++v)
    {
      const lwFitTerm* y = &terms->of[v];
      double sum         = 0;
      for (int i = 0; i < x->length; ++i)
        for (int j = 0; j < y->length; ++j)
          sum += x->direction[i] * y->direction[j] *
                 all->G[(size_t)(x->first + i) * P + (size_t)(y->first + j)];
      M[u * p + v] = sum;
    }
  }
}

static double term_entry(const lwRegression* all, const lwFitTerm* term, size_t k)
{
  const double* a = all->A + k * (size_t)all->columns + term->first;
  double sum      = 0;
  for (int i = 0; i < term->length; ++i) sum += a[i] * term->direction[i];
  return sum;
}

void lw_fit_terms_normal_now(const lwRegression* all, const lwFitTerms* terms, double* M, double* b)
{
  size_t p = (size_t)terms->count;
  memset(M, 0, p * p * sizeof *M);
  memset(b, 0, p * sizeof *b);
  for (size_t k = 0; k < lw_trial_entries(all->trial); ++k)
  {
    size_t i = k % (size_t)all->n;
    if (!lw_trial_decides(all->trial, k)) continue;
    double w = all->weight[i] * all->weight[i], *a = all->Y;
    for (size_t u = 0; u < p; ++u) a[u] = term_entry(all, &terms->of[u], k);
    for (size_t u = 0; u < p; ++u)
    {
      if (a[u] == 0) continue;
      b[u] += w * a[u] * all->trial->rest[k];
      for (size_t v = 0; v <= u; ++v) M[u * p + v] += w * a[u] * a[v];
    }
  }
  for (size_t u = 0; u < p; ++u)
    for (size_t v = 0; v < u; ++v) M[v * p + u] = M[u * p + v];
}

void lw_fit_terms_subtract(const lwRegression* all, const lwFitTerms* terms, const double* x)
{
  for (size_t k = 0; k < lw_trial_entries(all->trial); ++k)
    for (int u = 0; u < terms->count; ++u)
      all->trial->rest[k] -= term_entry(all, &terms->of[u], k) * x[u];
}

double lw_regression_squares(const lwRegression* all)
{
  double sum = 0;
  for (size_t k = 0; k < lw_trial_entries(all->trial); ++k)
  {
    double left = all->weight[k % (size_t)all->n] * all->trial->rest[k];
    if (lw_trial_decides(all->trial, k)) sum += left * left;
  }
  return sum;
}
