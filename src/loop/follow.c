// SPDX-License-Identifier: MIT
// Motions of all joints from those of the speeds that have names.
#include <string.h>

#include "loop/loop_workspace.h"

// x = N x of the entries that speeds have in it, + by times e.
static void spread_speeds(lwLoops* loops, double by, double* x)
{
  const lwSpeedSystem* speeds = &loops->speeds;
  size_t count                = (size_t)speeds->count;
  for (size_t a = 0; a < count; ++a) loops->other[a] = x[loops->set->speeds.named[a]];
  for (size_t i = 0; i < (size_t)loops->dof; ++i)
  {
    const double* N = speeds->N + i * speeds->width;
    double sum      = by * N[count];
    for (size_t a = 0; a < count; ++a) sum += N[a] * loops->other[a];
    x[i] = sum;
  }
}

// As lw_loops_follow_speeds() of velocities alone.
static lwStatus follow_velocities(lwLoops* loops, const double* q, double* qd)
{
  lw_loops_at(loops, q);
  memset(loops->bias, 0, (size_t)loops->rows * sizeof *loops->bias);
  lwStatus status = lw_loops_named_speeds(loops, NULL);
  if (status == LW_OK) spread_speeds(loops, 0, qd);
  return status;
}

lwStatus lw_loops_follow_speeds(lwLoops* loops, const double* q, double* qd, double* qdd)
{
  lwStatus status = follow_velocities(loops, q, qd);
  if (status != LW_OK || !qdd) return status;
  lw_loops_at(loops, q);
  lw_loop_bias(loops->model, &loops->closer.motion, qd, loops->bias);
  status = lw_loops_named_speeds(loops, NULL);
  if (status == LW_OK) spread_speeds(loops, 1, qdd);
  return status;
}

lwStatus lw_loops_follow_position(lwLoops* loops, const double* from, double* q)
{
  const lwModel* model    = loops->model;
  const lwSpeedPlan* plan = &loops->set->speeds;
  double *step = loops->step, *middle = loops->trial;
  size_t dof = (size_t)loops->dof;
  lw_model_difference(model, from, q, loops->along);
  for (int half = 1; half >= 0;
       --half)  // to the middle, with N at its beginning; all, with N there
  {
    memset(step, 0, dof * sizeof *step);
    for (int a = 0; a < plan->count; ++a)
      step[plan->named[a]] = loops->along[plan->named[a]] * (half ? 0.5 : 1);
    lwStatus status = follow_velocities(loops, half ? from : middle, step);
    if (status != LW_OK) return status;
    lw_model_integrate(model, from, step, half ? middle : q);
  }
  return loops->set->shut == 0 || lw_loops_close_near(loops, loops->is_speed, q) ? LW_OK
                                                                                 : LW_ERROR_OPEN;
}

// --- over time

void lw_model_followers(const lwModel* model, bool* velocities, bool* positions)
{
  for (int i = 0; i < model->dof; ++i) velocities[i] = !lw_model_is_driven(model, i);
  for (int a = 0; a < lw_model_mobility(model); ++a) velocities[lw_model_speed(model, a)] = false;
  for (int at = 0; at < model->nq; ++at)
  {
    positions[at] = true;
    for (int i = 0; i < model->dof; ++i)
      if (model->velocities[i].joint == model->positions[at].joint && !velocities[i])
        positions[at] = false;
  }
}

static bool lacks_some(const bool* given, int count)
{
  for (int i = 0; given && i < count; ++i)
    if (!given[i]) return true;
  return false;
}

// The position of a sample, from that before (NULL: from where the file closes the loops).
static lwStatus follow_sample(lwLoops* loops, const bool* given, const double* before, double* q)
{
  const double* near = before ? before : loops->set->start;
  for (int i = 0; i < loops->model->nq; ++i)
    if (!given[i]) q[i] = near[i];
  if (before) return lw_loops_follow_position(loops, before, q);
  return loops->set->shut == 0 || lw_loops_close_near(loops, loops->is_speed, q) ? LW_OK
                                                                                 : LW_ERROR_OPEN;
}

static void put_followers(int dof, const bool* given, const double* from, double* to)
{
  for (int i = 0; i < dof; ++i)
    if (!given[i]) to[i] = from[i];
}

// Rates of sample k. x: (2, dof) that is overwritten.
static lwStatus follow_rates(lwLoops* loops, const lwLoopSeries* series, size_t k, double* x)
{
  size_t dof = (size_t)loops->dof;
  double *qd = series->qd + k * dof, *more = x + dof;
  double* qdd = series->qdd ? series->qdd + k * dof : NULL;
  memcpy(x, qd, dof * sizeof *x);
  if (qdd) memcpy(more, qdd, dof * sizeof *more);
  lwStatus status =
      lw_loops_follow_speeds(loops, series->q + k * (size_t)loops->model->nq, x, qdd ? more : NULL);
  if (status != LW_OK) return status;
  put_followers(loops->dof, series->given_qd, x, qd);
  if (qdd) put_followers(loops->dof, series->given_qdd, more, qdd);
  return LW_OK;
}

lwStatus lw_loops_follow_series(const lwModel* model, const lwLoopSeries* series, long* at)
{
  size_t nq          = (size_t)model->nq;
  bool lacks         = lacks_some(series->given_q, model->nq);
  bool moves         = series->qd && (lacks_some(series->given_qd, model->dof) ||
                              (series->qdd && lacks_some(series->given_qdd, model->dof)));
  lwWorkspaceDef def = lw_workspace_def();
  lwLoops* loops     = NULL;
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE);
  *at                = 0;
  if (!lacks && !moves) return LW_OK;
  lwStatus status = lw_loops_create(model, &def, NULL, &loops);
  double* x =
      status == LW_OK ? lw_arena_take(&loops->arena, 2 * (size_t)model->dof, sizeof *x) : NULL;
  if (status == LW_OK && !x) status = LW_ERROR_MEMORY;
  for (long k = 0; k < series->count && status == LW_OK; ++k)
  {
    double* q = series->q + (size_t)k * nq;
    *at       = k;
    if (lacks) status = follow_sample(loops, series->given_q, k > 0 ? q - nq : NULL, q);
    if (status == LW_OK && moves) status = follow_rates(loops, series, (size_t)k, x);
  }
  lw_loops_destroy(loops);
  return status;
}
