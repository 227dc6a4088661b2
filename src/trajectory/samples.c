// SPDX-License-Identifier: MIT
#include "trajectory/samples.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/arrays.h"
#include "base/diag.h"
#include "base/number.h"
#include "trajectory/trajectory_internal.h"

// Position, velocity and acceleration of one joint at both ends of a piece; NAN: not given.
typedef struct SampleEnds
{
  double q[2], qd[2], qdd[2];
} SampleEnds;

// The polynomial in s = t - t0 through both ends of a piece of length h, into c.
static void polynomial(const SampleEnds* e, double h, double c[6])
{
  memset(c, 0, 6 * sizeof *c);
  c[0] = e->q[0];
  c[1] = (e->q[1] - e->q[0]) / h;
  if (isnan(e->qd[0])) return;
  c[1] = e->qd[0];
  if (isnan(e->qdd[0]))
  {
    double slope = (e->q[1] - e->q[0]) / h;
    c[2]         = (3 * slope - 2 * e->qd[0] - e->qd[1]) / h;
    c[3]         = (e->qd[0] + e->qd[1] - 2 * slope) / (h * h);
    return;
  }
  // what is missing at the end of the piece, in units of position
  double p  = e->q[1] - (e->q[0] + h * (e->qd[0] + 0.5 * h * e->qdd[0]));
  double pd = (e->qd[1] - (e->qd[0] + h * e->qdd[0])) * h;
  double a  = (e->qdd[1] - e->qdd[0]) * h * h;
  c[2]      = 0.5 * e->qdd[0];
  c[3]      = (10 * p - 4 * pd + 0.5 * a) / (h * h * h);
  c[4]      = (-15 * p + 7 * pd - a) / (h * h * h * h);
  c[5]      = (6 * p - 3 * pd + 0.5 * a) / (h * h * h * h * h);
}

static int positions_of(const lwSamples* samples)
{
  return samples->turns ? samples->turns->nq : samples->n;
}

// Both ends of the piece behind a row: velocity k, which is that of position `at`.
static SampleEnds ends_of(const lwSamples* samples, long row, int at, int k)
{
  SampleEnds ends = {.qd = {NAN, NAN}, .qdd = {NAN, NAN}};
  for (int i = 0; i < 2; ++i)
  {
    size_t line = (size_t)(row + i), n = (size_t)samples->n;
    ends.q[i] = samples->q[line * (size_t)positions_of(samples) + (size_t)at];
    if (samples->qd) ends.qd[i] = samples->qd[line * n + (size_t)k];
    if (samples->qd && samples->qdd) ends.qdd[i] = samples->qdd[line * n + (size_t)k];
  }
  return ends;
}

// Both ends of the piece behind a row, in the coordinates of a ball or floating joint.
static void ends_of_turn(const lwSamples* samples, const lwTurn* turn, long row,
                         SampleEnds ends[LW_TURN_WIDTH])
{
  double y[2][LW_TURN_WIDTH];
  for (int i = 0; i < 2; ++i)
  {
    double rate[LW_TURN_WIDTH], bend[LW_TURN_WIDTH];
    size_t line = (size_t)(row + i), n = (size_t)samples->n;
    const double* qd  = samples->qd ? samples->qd + line * n : NULL;
    const double* qdd = qd && samples->qdd ? samples->qdd + line * n : NULL;
    lw_turn_point(turn, samples->q + line * (size_t)samples->turns->nq, NULL, y[i]);
    if (qd) lw_turn_rates(turn, y[i], qd, qdd, rate, bend);
    for (int k = 0; k < LW_TURN_WIDTH; ++k)
    {
      ends[k].q[i]   = y[i][k];
      ends[k].qd[i]  = qd ? rate[k] : NAN;
      ends[k].qdd[i] = qdd ? bend[k] : NAN;
    }
  }
}

// Position, velocity and acceleration at s after the start of a
// piece of length h; h = 0: at rest there.
static void value_between(const SampleEnds* ends, double h, double s, double value[3])
{
  double c[6] = {ends->q[0]};
  if (h > 0) polynomial(ends, h, c);
  lw_segment_value(c, s, value);
}

static void turn_between(const lwSamples* samples, const lwTurn* given, long row, double h,
                         double s, double* q, double* qd, double* qdd)
{
  lwTurn turn = *given;
  SampleEnds ends[LW_TURN_WIDTH];
  double value[LW_TURN_WIDTH][3];
  const double* from = samples->q + (size_t)row * (size_t)samples->turns->nq;
  memcpy(turn.from, from + turn.q, sizeof turn.from);
  if (h > 0)
    ends_of_turn(samples, &turn, row, ends);
  else
    for (int k = 0; k < LW_TURN_WIDTH; ++k)
      ends[k] = (SampleEnds){.q = {k < 3 && turn.floats ? from[turn.q - 3 + k] : 0}};
  for (int k = 0; k < LW_TURN_WIDTH; ++k) value_between(&ends[k], h, s, value[k]);
  lw_turn_at(&turn, value, q, qd, qdd);
}

void lw_samples_at(const lwSamples* samples, double t, double* q, double* qd, double* qdd)
{
  long until = lw_count_until(samples->t, samples->rows, t), row = until > 0 ? until - 1 : 0;
  bool inside = until > 0 && until < samples->rows;
  double h    = inside ? samples->t[row + 1] - samples->t[row] : 0,
         s    = inside ? t - samples->t[row] : 0;
  for (int k = 0; k < samples->n; ++k)
  {
    int at = samples->turns ? samples->turns->position[k] : k;
    double value[3];
    if (at < 0) continue;
    SampleEnds ends = {.q = {samples->q[(size_t)row * (size_t)positions_of(samples) + (size_t)at]}};
    if (inside) ends = ends_of(samples, row, at, k);
    value_between(&ends, h, s, value);
    if (q) q[at] = value[0];
    if (qd) qd[k] = value[1];
    if (qdd) qdd[k] = value[2];
  }
  for (int k = 0; samples->turns && k < samples->turns->count; ++k)
    turn_between(samples, &samples->turns->turn[k], row, h, s, q, qd, qdd);
}

// --- as a trajectory

static bool are_finite(const double* values, size_t count)
{
  return !values || lw_all_finite(values, count);
}

static size_t samples_width(const lwSamplesDef* def)
{
  return (size_t)(def->model ? lw_model_nq(def->model) : def->dof);
}

static lwStatus check_samples(const lwSamplesDef* def, lwDiag* diag)
{
  if (def->dof < 0 || def->count < 1 || !def->t || !def->q)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "a trajectory needs at least one sample, with t and q");
  if (def->model && lw_model_dof(def->model) != def->dof)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "the samples have another number of joints than the robot");
  size_t size = (size_t)def->count * (size_t)def->dof, width = samples_width(def);
  for (long i = 0; i < def->count; ++i)
    if (!isfinite(def->t[i]) || (i > 0 && !(def->t[i] > def->t[i - 1])))
      return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                       "t of sample %ld is not finite, or not later than the one before", i + 1);
  if (!are_finite(def->q, (size_t)def->count * width) || !are_finite(def->qd, size) ||
      !are_finite(def->qdd, size))
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "a position, velocity or acceleration is not finite");
  for (long i = 0; def->model && i < def->count; ++i)
    if (lw_model_check_positions(def->model, def->q + (size_t)i * width, diag) != LW_OK)
      return LW_ERROR_INPUT;
  return LW_OK;
}

// The samples as the motion of a trajectory; without them it is destroyed.
static lwStatus finish_samples(lwTrajectory* made, const lwSamples* samples, lwStatus status,
                               lwTrajectory** trajectory)
{
  if (status != LW_OK)
  {
    lw_trajectory_destroy(made);
    return status;
  }
  made->samples  = samples;
  made->duration = fmax(samples->t[samples->rows - 1], 0);
  lw_samples_at(samples, 0, made->ends, NULL, NULL);
  lw_samples_at(samples, made->duration, made->ends + made->turns.nq, NULL, NULL);
  *trajectory = made;
  return LW_OK;
}

lwStatus lw_trajectory_create_samples(const lwSamplesDef* def, lwDiag* diag,
                                      lwTrajectory** trajectory)
{
  *trajectory     = NULL;
  lwStatus status = check_samples(def, diag);
  if (status != LW_OK) return status;
  lwTrajectory* made = lw_trajectory_new(def->model, def->dof);
  if (!made) return LW_ERROR_MEMORY;
  size_t size        = (size_t)def->count * (size_t)def->dof;
  lwArena* arena     = &made->arena;
  lwSamples* samples = lw_arena_take(arena, 1, sizeof *samples);
  if (samples)
  {
    *samples   = (lwSamples){.n = def->dof, .turns = &made->turns, .rows = def->count};
    samples->t = lw_arena_copy(arena, def->t, (size_t)def->count);
    samples->q = lw_arena_copy(arena, def->q, (size_t)def->count * samples_width(def));
    if (def->qd) samples->qd = lw_arena_copy(arena, def->qd, size);
    if (def->qdd) samples->qdd = lw_arena_copy(arena, def->qdd, size);
  }
  bool taken = samples && !lw_arena_failed(arena);
  return finish_samples(made, samples, taken ? LW_OK : LW_ERROR_MEMORY, trajectory);
}

lwStatus lw_trajectory_read_file(const char* path, const lwModel* model, lwDiag* diag,
                                 lwTrajectory** trajectory)
{
  *trajectory        = NULL;
  lwTrajectory* made = lw_trajectory_new(model, lw_model_dof(model));
  lwSamples* samples = made ? lw_arena_take(&made->arena, 1, sizeof *samples) : NULL;
  lwStatus status    = LW_ERROR_MEMORY;
  if (samples) status = lw_samples_read(path, model, &made->arena, diag, samples);
  return finish_samples(made, samples, status, trajectory);
}

lwSamplesDef lw_trajectory_samples(const lwTrajectory* trajectory)
{
  const lwSamples* samples = trajectory->samples;
  if (!samples) return (lwSamplesDef){.dof = trajectory->dof};
  return (lwSamplesDef){.dof   = samples->n,
                        .count = samples->rows,
                        .t     = samples->t,
                        .q     = samples->q,
                        .qd    = samples->qd,
                        .qdd   = samples->qdd};
}
