// SPDX-License-Identifier: MIT
// Plans of robots that roll: of their driven joints, by positions or by speeds over time. The
// others follow from where the file starts, by Runge and Kutta's method.
#include <math.h>
#include <string.h>

#include "plan_command.h"
#include "states/states.h"

enum
{
  BLOCK       = 256,     // rows read at a time
  MOST_SPEEDS = 1000000  // rows
};

static const double LONGEST = 1e-3;  // s, of a step

struct Rolling
{
  const lwModel* model;
  const lwTrajectory* trajectory;
  lwLoops* loops;
  bool speeds;             // the trajectory is of speeds: its positions are velocities
  bool* driven;            // (dof)
  double t, *q;            // (nq) the position at t
  double *a, *b;           // (nq + 2 dof) of the trajectory
  double *rate[4], *step;  // (dof)
};

Rolling* rolling_open(const lwModel* model, lwLoops* loops, const lwTrajectory* trajectory,
                      bool speeds)
{
  size_t nq = (size_t)lw_model_nq(model), n = (size_t)lw_model_dof(model);
  Rolling* rolling = allocate(1, sizeof *rolling);
  *rolling         = (Rolling){.model = model, .trajectory = trajectory, .loops = loops};
  rolling->speeds  = speeds;
  rolling->driven  = allocate(n, sizeof *rolling->driven);
  rolling->q       = allocate(nq, sizeof(double));
  rolling->a       = allocate(nq + 2 * n, sizeof(double));
  rolling->b       = allocate(nq + 2 * n, sizeof(double));
  rolling->step    = allocate(n, sizeof(double));
  for (int k = 0; k < 4; ++k) rolling->rate[k] = allocate(n, sizeof(double));
  for (size_t i = 0; i < n; ++i) rolling->driven[i] = lw_model_is_driven(model, (int)i);
  for (int a = 0; a < lw_model_mobility(model); ++a)
    if (!rolling->driven[lw_model_speed(model, a)])
      stop(USAGE, "plan: the driven joints do not determine the motion: '%s' moves on its own",
           lw_model_velocity(model, lw_model_speed(model, a)).name);
  lw_model_start(model, rolling->q);
  return rolling;
}

// What the trajectory says of driven joints at time t: positions into q (unless they are speeds),
// velocities and accelerations (or NULL) into qd and qdd.
static void take_driven(const Rolling* rolling, double t, double* q, double* qd, double* qdd)
{
  int nq = lw_model_nq(rolling->model), n = lw_model_dof(rolling->model);
  double *at = rolling->a, *first = at + nq, *second = first + n;
  lw_trajectory_at(rolling->trajectory, t, at, first, second);
  for (int i = 0; i < n; ++i)
  {
    int entry = lw_model_velocity(rolling->model, i).other;
    bool own  = rolling->driven[i];
    qd[i]     = !own ? 0 : rolling->speeds ? at[i] : first[i];
    if (qdd) qdd[i] = !own ? 0 : rolling->speeds ? first[i] : second[i];
    if (own && !rolling->speeds && entry >= 0) q[entry] = at[entry];
  }
}

// Velocities of all joints at time t and q, whose driven entries are set.
static void find_rates(const Rolling* rolling, double t, double* q, double* qd)
{
  take_driven(rolling, t, q, qd, NULL);
  if (lw_loops_velocity(rolling->loops, q, qd) != LW_OK)
    stop(NO, "plan: no velocities roll at t = %.9g s", t);
}

// From `from`, along a rate for a time, with the driven joints of the trajectory at time t.
static void step_along(const Rolling* rolling, const double* from, const double* rate, double time,
                       double t, double* to)
{
  for (int i = 0; i < lw_model_dof(rolling->model); ++i) rolling->step[i] = rate[i] * time;
  lw_model_integrate(rolling->model, from, rolling->step, to);
  take_driven(rolling, t, to, rolling->step, NULL);
}

static void roll_step(Rolling* rolling, double h)
{
  double t = rolling->t, *q = rolling->q, *to = rolling->b, **k = rolling->rate;
  find_rates(rolling, t, q, k[0]);
  step_along(rolling, q, k[0], h / 2, t + h / 2, to);
  find_rates(rolling, t + h / 2, to, k[1]);
  step_along(rolling, q, k[1], h / 2, t + h / 2, to);
  find_rates(rolling, t + h / 2, to, k[2]);
  step_along(rolling, q, k[2], h, t + h, to);
  find_rates(rolling, t + h, to, k[3]);
  for (int i = 0; i < lw_model_dof(rolling->model); ++i)
    k[0][i] = (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) / 6;
  step_along(rolling, q, k[0], h, t + h, to);
  memcpy(q, to, (size_t)lw_model_nq(rolling->model) * sizeof *q);
  rolling->t = t + h;
}

void rolling_at(Rolling* rolling, double t, double* q)
{
  int nq = lw_model_nq(rolling->model), n = lw_model_dof(rolling->model);
  double *qd = q + nq, *qdd = qd + n, from = rolling->t;
  int steps = (int)ceil((t - from) / LONGEST - 1e-9);
  for (int k = 1; k <= steps; ++k) roll_step(rolling, from + (t - from) * k / steps - rolling->t);
  memcpy(q, rolling->q, (size_t)nq * sizeof *q);
  take_driven(rolling, t, q, qd, qdd);
  lwStatus moves = lw_loops_close(rolling->loops, q, NULL);
  if (moves == LW_OK) moves = lw_loops_velocity(rolling->loops, q, qd);
  if (moves == LW_OK) moves = lw_loops_acceleration(rolling->loops, q, qd, qdd);
  if (moves != LW_OK) stop(NO, "plan: no motion rolls at t = %.9g s", t);
  memcpy(rolling->q, q, (size_t)nq * sizeof *q);
}

// --- speeds over time

lwStatus rolling_speeds(const Options* options, const lwModel* model, lwDiag* diag,
                        lwTrajectory** trajectory)
{
  const char* other = first_given(options, "--from --to --via --duration --simulate");
  if (other) stop(USAGE, "--in and %s exclude each other for a robot that rolls", other);
  size_t n = (size_t)lw_model_dof(model), count = 0, capacity = 0;
  bool* follows = allocate(n, sizeof *follows);
  double *t = NULL, *speeds = NULL;
  for (size_t i = 0; i < n; ++i) follows[i] = !lw_model_is_driven(model, (int)i);
  const lwColumnGroup groups[] = {{.symbol = "t", .width = 1, .single = true},
                                  {.symbol   = "qd",
                                   .width    = (int)n,
                                   .names    = joint_names(model, GROUP_QD),
                                   .optional = follows}};
  lwCsvFile* file              = csv_of(options->value[OPTION_IN], groups, 2, BLOCK);
  const lwCsvBlock* block      = &file->block;
  while (csv_more(file))
  {
    size_t rows = (size_t)block->count;
    if (count + rows > MOST_SPEEDS)
      stop(USAGE, "%s: more than %d rows", file->lines.name, MOST_SPEEDS);
    if (count + rows > capacity || !t)
    {
      capacity = 2 * (count + rows);
      t        = reallocate(t, capacity, sizeof *t);
      speeds   = reallocate(speeds, capacity * n, sizeof *speeds);
    }
    memcpy(t + count, block->values[0], rows * sizeof *t);
    memcpy(speeds + count * n, block->values[1], rows * n * sizeof *speeds);
    count += rows;
  }
  lwSamplesDef def = {.dof = (int)n, .count = (long)count, .t = t, .q = speeds};
  return lw_trajectory_create_samples(&def, diag, trajectory);
}
