// SPDX-License-Identifier: MIT
// Suspects with unknowns: gravity and joint terms by least squares, signs by search.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/names.h"
#include "compare/suspects.h"

enum
{
  UNKNOWNS     = 3,
  LEAST_ROWS   = 8,   // fewer would fit anything
  SEARCH_ROWS  = 32,  // that a search looks at
  SEARCH_JOINT = 10   // up to so many joints all sets of signs are tried, else those of one and two
};

// Normal equations of a . x = b.
typedef struct Least
{
  double AA[UNKNOWNS][UNKNOWNS];
  double Ab[UNKNOWNS];
} Least;

static void least_add(Least* least, const double a[UNKNOWNS], double b)
{
  for (int i = 0; i < UNKNOWNS; ++i)
  {
    for (int j = 0; j < UNKNOWNS; ++j) least->AA[i][j] += a[i] * a[j];
    least->Ab[i] += a[i] * b;
  }
}

// L D L^T; an unknown that does not matter beside the others is 0.
static void least_solve(Least* least, double x[UNKNOWNS])
{
  double L[UNKNOWNS][UNKNOWNS] = {{0}}, D[UNKNOWNS] = {0}, y[UNKNOWNS] = {0};
  for (int i = 0; i < UNKNOWNS; ++i)
  {
    double d = least->AA[i][i];
    y[i]     = least->Ab[i];
    for (int j = 0; j < i; ++j)
    {
      double sum = least->AA[i][j];
      for (int k = 0; k < j; ++k) sum -= L[i][k] * D[k] * L[j][k];
      L[i][j] = D[j] > 0 ? sum / D[j] : 0;
      d -= L[i][j] * L[i][j] * D[j];
      y[i] -= L[i][j] * y[j];
    }
    D[i] = d > 1e-10 * least->AA[i][i] ? d : 0;
  }
  for (int i = UNKNOWNS - 1; i >= 0; --i)
  {
    x[i] = D[i] > 0 ? y[i] / D[i] : 0;
    for (int j = i + 1; j < UNKNOWNS; ++j)
      if (D[i] > 0) x[i] -= L[j][i] * x[j];
  }
}

static int joints_of(const lwTrial* trial)
{
  return lw_model_dof(trial->original);
}

// --- terms of each joint: viscous qd + coulomb sign(qd) + rotor qdd

static void joint_terms(const lwTrial* trial, int row, int i, double a[UNKNOWNS])
{
  size_t k   = (size_t)row * joints_of(trial) + i;
  double qd  = trial->file.values[LW_LOG_QD][k];
  double qdd = trial->file.values[LW_LOG_QDD][k];
  a[0]       = qd;
  a[1]       = (qd > 0) - (qd < 0);
  a[2]       = qdd;
}

// Adds the terms of a joint that matter to the detail.
static void note_terms(lwTrial* trial, int i, const double x[UNKNOWNS], const double most[UNKNOWNS])
{
  static const char* const names[UNKNOWNS] = {"viscous", "Coulomb", "gear^2 rotor inertia"};
  bool begun                               = false;
  for (int k = 0; k < UNKNOWNS; ++k)
  {
    if (fabs(x[k]) * most[k] <= 1e-6 * trial->size[i]) continue;
    if (!begun)
      lw_trial_note(trial, "%s%s:", trial->detail[0] ? "; " : "",
                    lw_joint_name(trial->original, i));
    lw_trial_note(trial, "%s %s %.4g", begun ? "," : "", names[k], x[k]);
    begun = true;
  }
}

static void fit_one_joint(lwTrial* trial, int i)
{
  int n                 = joints_of(trial);
  Least least           = {0};
  double most[UNKNOWNS] = {0}, a[UNKNOWNS], x[UNKNOWNS];
  for (int row = 0; row < trial->file.count; ++row)
  {
    joint_terms(trial, row, i, a);
    least_add(&least, a, trial->rest[(size_t)row * n + i]);
    for (int k = 0; k < UNKNOWNS; ++k) most[k] = fmax(most[k], fabs(a[k]));
  }
  least_solve(&least, x);
  for (int row = 0; row < trial->file.count; ++row)
  {
    joint_terms(trial, row, i, a);
    for (int k = 0; k < UNKNOWNS; ++k) trial->rest[(size_t)row * n + i] -= a[k] * x[k];
  }
  note_terms(trial, i, x, most);
}

bool lw_fit_joint_terms(lwTrial* trial)
{
  if (trial->file.count < LEAST_ROWS) return false;
  for (int i = 0; i < joints_of(trial); ++i) fit_one_joint(trial, i);
  return true;
}

// --- gravity: torques are linear in it

// The torques that hold the robot in gravity along axis k, for all rows.
static bool torques_in_unit_gravity(lwTrial* trial, int k, double* torques)
{
  lwRobotDef robot        = trial->robot;
  lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  lwStates states         = {.q = trial->file.values[LW_LOG_Q]};
  lwModel* model          = NULL;
  lwWorkspace* ws         = NULL;
  for (int j = 0; j < 3; ++j) robot.gravity[j] = j == k;
  bool made = lw_trial_succeeds(trial, lw_model_create(&robot, &tolerate, NULL, &model)) &&
              lw_trial_succeeds(trial, lw_workspace_create(model, NULL, NULL, &ws));
  if (made) lw_answer_many(model, ws, LW_QUESTION_GRAVITY, trial->file.count, &states, torques);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  return made;
}

static void fit_three(lwTrial* trial, const double* columns, double x[UNKNOWNS])
{
  size_t n       = (size_t)joints_of(trial);
  size_t entries = n * (size_t)trial->file.count;
  Least least    = {0};
  for (size_t k = 0; k < entries; ++k)
  {
    double size        = trial->size[k % n] > 0 ? trial->size[k % n] : 1;
    double a[UNKNOWNS] = {columns[k] / size, columns[entries + k] / size,
                          columns[2 * entries + k] / size};
    least_add(&least, a, trial->rest[k] / size);
  }
  least_solve(&least, x);
  for (size_t k = 0; k < entries; ++k)
    for (size_t j = 0; j < UNKNOWNS; ++j) trial->rest[k] -= columns[j * entries + k] * x[j];
}

bool lw_fit_gravity(lwTrial* trial)
{
  size_t entries  = (size_t)joints_of(trial) * (size_t)trial->file.count;
  double* columns = calloc(UNKNOWNS * entries + 1, sizeof(double));
  bool made =
      lw_trial_succeeds(trial, columns ? LW_OK : LW_ERROR_MEMORY) && columns && entries > UNKNOWNS;
  for (int k = 0; k < UNKNOWNS && made; ++k)
    made = torques_in_unit_gravity(trial, k, columns + (size_t)k * entries);
  double x[UNKNOWNS] = {0}, g[3];
  if (made) fit_three(trial, columns, x);
  free(columns);
  for (int k = 0; k < 3; ++k)
  {
    g[k] = trial->robot.gravity[k] + x[k];
    if (fabs(g[k]) < 1e-9) g[k] = 0;
  }
  lw_trial_note(trial, "gravity [%.6g, %.6g, %.6g]", g[0], g[1], g[2]);
  return made;
}

// --- signs

static void flip_joint(lwTorqueLog* file, double* extra, int n, int joint)
{
  for (int row = 0; row < file->count; ++row)
  {
    size_t k = (size_t)row * n + joint;
    extra[k] = -extra[k];
    for (int g = LW_LOG_Q; g <= LW_LOG_TAU; ++g) file->values[g][k] = -file->values[g][k];
  }
}

static void flip_set(lwTrial* trial, const bool* set)
{
  for (int i = 0; i < joints_of(trial); ++i)
    if (set[i]) flip_joint(&trial->file, trial->extra, joints_of(trial), i);
}

// The misfit of the first rows with a set of joints turned round.
static double misfit_of(lwTrial* trial, const bool* set)
{
  flip_set(trial, set);
  lw_trial_predict(trial);
  double relative = lw_trial_misfit(trial).relative;
  flip_set(trial, set);
  return relative;
}

typedef struct FitSearch
{
  double least;
  bool *set, *best;  // (n)
} FitSearch;

static void search_try(lwTrial* trial, FitSearch* search)
{
  double relative = misfit_of(trial, search->set);
  if (!(relative < 0.999 * search->least)) return;
  search->least = relative;
  memcpy(search->best, search->set, (size_t)joints_of(trial) * sizeof(bool));
}

// All sets for a few joints, those of up to two joints for many; small sets first.
static void search_sets(lwTrial* trial, FitSearch* search)
{
  int n = joints_of(trial);
  for (int first = 0; first < n; ++first)
    for (int second = first; second < n; ++second)
    {
      memset(search->set, 0, (size_t)n);
      search->set[first] = search->set[second] = true;
      search_try(trial, search);
    }
  if (n > SEARCH_JOINT) return;
  for (unsigned bits = 1; bits < 1u << n; ++bits)
  {
    if (__builtin_popcount(bits) < 3) continue;
    for (int i = 0; i < n; ++i) search->set[i] = bits >> i & 1;
    search_try(trial, search);
  }
}

bool lw_fit_joint_signs(lwTrial* trial)
{
  size_t n         = (size_t)joints_of(trial);
  int rows         = trial->file.count;
  bool* sets       = calloc(2 * n + 1, sizeof(bool));
  FitSearch search = {INFINITY, sets, sets + n};
  if (!lw_trial_succeeds(trial, sets ? LW_OK : LW_ERROR_MEMORY) || !sets)
  {
    free(sets);
    return false;
  }
  trial->file.count = rows < SEARCH_ROWS ? rows : SEARCH_ROWS;
  search_sets(trial, &search);
  trial->file.count = rows;
  flip_set(trial, search.best);
  lw_trial_predict(trial);
  for (int i = 0; i < (int)n; ++i)
    if (search.best[i]) lw_trial_note_joint(trial, i);
  free(sets);
  return isfinite(search.least);
}

// A joint whose torque fits better the other way round has its sign changed.
bool lw_fit_torque_signs(lwTrial* trial)
{
  int n        = joints_of(trial);
  bool changed = false;
  for (int i = 0; i < n; ++i)
  {
    double as_is = 0, turned = 0;
    const double* tau = trial->file.values[LW_LOG_TAU];
    for (int row = 0; row < trial->file.count; ++row)
    {
      size_t k = (size_t)row * n + i;
      as_is    = fmax(as_is, fabs(trial->rest[k]));
      turned   = fmax(turned, fabs(2 * tau[k] - trial->rest[k]));
    }
    if (!(turned < 0.01 * as_is)) continue;
    changed = true;
    lw_trial_note_joint(trial, i);
    for (int row = 0; row < trial->file.count; ++row)
    {
      size_t k       = (size_t)row * n + i;
      trial->rest[k] = trial->rest[k] - 2 * tau[k];
    }
  }
  return changed;
}
