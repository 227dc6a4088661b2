// SPDX-License-Identifier: MIT
#include "trajectory/samples.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "trajectory/trajectory.h"

// The last row that is not after t.
static long row_at(const lwSamples* samples, double t)
{
  long low = 0, high = samples->rows;
  while (low + 1 < high)
  {
    long middle = low + (high - low) / 2;
    if (samples->t[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// Position, velocity and acceleration of one joint at both ends of a piece; NAN: not given.
typedef struct Ends
{
  double q[2], qd[2], qdd[2];
} Ends;

// The polynomial in s = t - t0 through both ends of a piece of length h, into c.
static void polynomial(const Ends* e, double h, double c[6])
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

static Ends ends_of(const lwSamples* samples, long row, int k)
{
  Ends ends = {.qd = {NAN, NAN}, .qdd = {NAN, NAN}};
  for (int i = 0; i < 2; ++i)
  {
    size_t at = (size_t)(row + i) * (size_t)samples->n + (size_t)k;
    ends.q[i] = samples->q[at];
    if (samples->qd) ends.qd[i] = samples->qd[at];
    if (samples->qd && samples->qdd) ends.qdd[i] = samples->qdd[at];
  }
  return ends;
}

void lw_samples_at(const lwSamples* samples, double t, double* q, double* qd, double* qdd)
{
  long row    = row_at(samples, t);
  bool inside = row + 1 < samples->rows && t >= samples->t[0];
  for (int k = 0; k < samples->n; ++k)
  {
    double c[6] = {samples->q[(size_t)row * (size_t)samples->n + (size_t)k]};
    double s    = inside ? t - samples->t[row] : 0;
    if (inside)
    {
      Ends ends = ends_of(samples, row, k);
      polynomial(&ends, samples->t[row + 1] - samples->t[row], c);
    }
    if (q) q[k] = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
    if (qd) qd[k] = c[1] + s * (2 * c[2] + s * (3 * c[3] + s * (4 * c[4] + s * 5 * c[5])));
    if (qdd) qdd[k] = 2 * c[2] + s * (6 * c[3] + s * (12 * c[4] + s * 20 * c[5]));
  }
}

// --- as a trajectory

static const double* copy_values(lwArena* arena, const double* from, size_t count)
{
  double* to = lw_arena_take(arena, count + 1, sizeof *to);
  if (to) memcpy(to, from, count * sizeof *to);
  return to;
}

static bool are_finite(const double* values, size_t count)
{
  for (size_t i = 0; values && i < count; ++i)
    if (!isfinite(values[i])) return false;
  return true;
}

static bool are_sound(const lwSamplesDef* def)
{
  if (def->dof < 0 || def->count < 1 || !def->t || !def->q) return false;
  size_t size = (size_t)def->count * (size_t)def->dof;
  for (long i = 1; i < def->count; ++i)
    if (!(def->t[i] > def->t[i - 1])) return false;
  return are_finite(def->t, (size_t)def->count) && are_finite(def->q, size) &&
         are_finite(def->qd, size) && are_finite(def->qdd, size);
}

lwStatus lw_trajectory_create_samples(const lwSamplesDef* def, lwTrajectory** trajectory)
{
  *trajectory = NULL;
  if (!are_sound(def)) return LW_ERROR_INPUT;
  lwTrajectory* made = lw_trajectory_new(def->dof);
  if (!made) return LW_ERROR_MEMORY;
  size_t size        = (size_t)def->count * (size_t)def->dof;
  lwSamples* samples = lw_arena_take(&made->arena, 1, sizeof *samples);
  bool taken         = samples != NULL;
  if (taken)
  {
    *samples   = (lwSamples){.n = def->dof, .rows = def->count};
    samples->t = copy_values(&made->arena, def->t, (size_t)def->count);
    samples->q = copy_values(&made->arena, def->q, size);
    if (def->qd) samples->qd = copy_values(&made->arena, def->qd, size);
    if (def->qdd) samples->qdd = copy_values(&made->arena, def->qdd, size);
    taken = samples->t && samples->q && (!def->qd || samples->qd) && (!def->qdd || samples->qdd);
  }
  if (!taken)
  {
    lw_trajectory_destroy(made);
    return LW_ERROR_MEMORY;
  }
  made->samples  = samples;
  made->duration = fmax(def->t[def->count - 1], 0);
  lw_samples_at(samples, 0, made->ends, NULL, NULL);
  lw_samples_at(samples, made->duration, made->ends + def->dof, NULL, NULL);
  *trajectory = made;
  return LW_OK;
}
