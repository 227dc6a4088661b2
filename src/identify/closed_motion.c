// SPDX-License-Identifier: MIT
#include "identify/closed_motion.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "loop/loop_workspace.h"

static const double APART = 0.1;   // of its range a joint may be off what closes the loops, rms,
static const double LEAST = 2e-3;  // and rad or m

bool lw_is_speed(const lwModel* model, int i)
{
  for (int a = 0; a < lw_model_mobility(model); ++a)
    if (lw_model_speed(model, a) == i) return true;
  return false;
}

lwStatus lw_log_refuse_open(const lwModel* model, long k, lwDiag* diag)
{
  return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                   "no motion of the other joints closes the loops of '%.60s' in sample %ld",
                   model->robot.name, k + 1);
}

// The joints that follow must be measured where they close the loops, but for noise and offsets.
static lwStatus check_closed(const lwEquations* equations, const lwLogDef* log, lwDiag* diag)
{
  const lwModel* model = equations->model;
  for (int at = 0; at < equations->nq; ++at)
  {
    double low = INFINITY, high = -INFINITY, square = 0;
    lwCoordinate entry = lw_model_position(model, at);
    for (long k = 0; k < equations->samples; ++k)
    {
      double closed = equations->q[k * equations->nq + at];
      double apart  = log->q[k * equations->nq + at] - closed;
      low           = fmin(low, closed);
      high          = fmax(high, closed);
      square += apart * apart;
    }
    double off = sqrt(square / (double)equations->samples);
    if (entry.other < 0 || off <= fmax(LEAST, APART * (high - low))) continue;
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "q%d of the log does not close the loops: joint '%s' is off by %.3g %s on "
                     "average",
                     at + 1, entry.name, off, entry.slides ? "m" : "rad");
  }
  return LW_OK;
}

lwStatus lw_equations_follow(lwEquations* equations, const lwLogDef* log, lwDiag* diag)
{
  lwLoops* loops = lw_regressor_loops(equations->regressor);
  size_t nq = (size_t)equations->nq, dof = (size_t)equations->n;
  size_t across = (size_t)lw_model_mobility(equations->model) * dof;
  if (!loops) return LW_OK;
  double* unit = lw_arena_take(&equations->arena, dof * dof, sizeof *unit);
  equations->spread =
      lw_arena_take(&equations->arena, (size_t)equations->samples * across, sizeof(double));
  if (!unit || !equations->spread) return LW_ERROR_MEMORY;
  for (size_t i = 0; i < dof; ++i) unit[i * dof + i] = 1;
  for (long k = 0; k < equations->samples; ++k)
  {
    double* q  = equations->q + (size_t)k * nq;
    double* qd = equations->qd + (size_t)k * dof;
    bool shut  = loops->set->shut == 0 || lw_loops_close_near(loops, loops->is_speed, q);
    if (!shut || lw_loops_follow_speeds(loops, q, qd, equations->qdd + (size_t)k * dof) != LW_OK ||
        lw_loops_to_speeds(loops, q, dof, unit, equations->spread + (size_t)k * across, NULL) !=
            LW_OK)
      return lw_log_refuse_open(equations->model, k, diag);
  }
  return check_closed(equations, log, diag);
}

void lw_equations_follow_rates(const lwEquations* equations, const double* q, double* qd,
                               double* qdd)
{
  lwLoops* loops = lw_regressor_loops(equations->regressor);
  if (loops) lw_loops_follow_speeds(loops, q, qd, qdd);
}

double lw_equations_share(const lwEquations* equations, long k, int joint, int i)
{
  int n = equations->n, m = lw_model_mobility(equations->model);
  for (int a = 0; a < m && equations->spread; ++a)
    if (lw_model_speed(equations->model, a) == i) return equations->spread[(k * m + a) * n + joint];
  return joint == i;
}

bool lw_equations_reaches(const lwEquations* equations, int joint, int i)
{
  return equations->spread ? lw_is_speed(equations->model, i) : joint == i;
}

void lw_equations_to_speeds(const lwEquations* equations, long k, double* x)
{
  const lwModel* model = equations->model;
  int n = equations->n, m = lw_model_mobility(model);
  const double* N = equations->spread + k * m * n;  // (m, n)
  double* forces  = equations->forces;
  if (!equations->spread) return;
  memset(forces, 0, (size_t)n * sizeof *forces);
  for (int a = 0; a < m; ++a)
    for (int i = 0; i < n; ++i) forces[lw_model_speed(model, a)] += N[a * n + i] * x[i];
  memcpy(x, forces, (size_t)n * sizeof *x);
}

void lw_equations_rows(const lwEquations* equations, const lwStates* state, double* Y)
{
  const lwModel* model = equations->model;
  size_t p = (size_t)equations->unknowns.count, m = (size_t)lw_model_mobility(model);
  bool tree    = !lw_regressor_loops(equations->regressor);
  double* rows = tree ? Y : equations->speed_rows;
  lw_regressor_rows(equations->regressor, &equations->unknowns, state, rows);
  if (tree) return;
  memset(Y, 0, (size_t)equations->n * p * sizeof *Y);
  for (size_t a = 0; a < m; ++a)
    memcpy(Y + (size_t)lw_model_speed(model, (int)a) * p, rows + a * p, p * sizeof *Y);
}
