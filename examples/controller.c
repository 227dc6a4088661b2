// SPDX-License-Identifier: MIT
// A computed-torque controller in a 1 kHz loop with real deadlines, on a simulated arm.
// See docs/realtime.md.
//
//   desired      qs(t) = A (1 - cos(w t)) for each joint, from rest
//   controller   tau = M(q) u + C qd + g,   u = qsdd + 2 k (qsd - qd) + k^2 (qs - q)
//   arm          qdd = M(q)^-1 (tau - C qd - g), by four steps of semi-implicit Euler per period
//
// The arm starts 0.05 rad off. With an exact model the error e of each joint obeys
// edd + 2 k ed + k^2 e = 0.
// usage: controller [ROBOT [SECONDS]]
#define _GNU_SOURCE  // clock_nanosleep() and mlockall() are POSIX, not C
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "linkwork/linkwork.h"
#include "linkwork/read.h"

#define MOST 16  // joints; everything in the loop is on the stack or in the workspace

static const double A = 0.4, w = 6.283185307179586, k = 30, h = 1e-3;  // rad, rad/s, 1/s, s

typedef struct
{
  double q[MOST], qd[MOST];
} State;

// Timing of the loop.
typedef struct
{
  long law, late;  // ns, the longest control law and the latest wake-up
  long missed;     // periods whose work was not done in time
} Clock;

static long since(const struct timespec* start)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (t.tv_sec - start->tv_sec) * 1000000000 + t.tv_nsec - start->tv_nsec;
}

static void control(const lwModel* arm, lwWorkspace* ws, double t, const State* s, double* tau)
{
  double u[MOST], qs = A * (1 - cos(w * t)), qsd = A * w * sin(w * t),
                  qsdd = A * w * w * cos(w * t);
  for (int i = 0; i < lw_model_dof(arm); ++i)
    u[i] = qsdd + 2 * k * (qsd - s->qd[i]) + k * k * (qs - s->q[i]);
  lw_inverse_dynamics(arm, ws, s->q, s->qd, u, tau);
}

// Simulates the arm, in place of sensors and motors.
static void move(const lwModel* arm, lwWorkspace* ws, State* s, const double* tau)
{
  double qdd[MOST];
  for (int part = 0; part < 4; ++part)
  {
    lw_forward_dynamics(arm, ws, s->q, s->qd, tau, qdd);
    for (int i = 0; i < lw_model_dof(arm); ++i)
      s->qd[i] += h / 4 * qdd[i], s->q[i] += h / 4 * s->qd[i];
  }
}

// One period: sleep until its start, which earlier delays do not shift, then measure, compute, act.
static double period(const lwModel* arm, lwWorkspace* ws, const struct timespec* start, int i,
                     State* s, Clock* clock)
{
  double tau[MOST], error = 0, t = i * h;
  long begin           = 1000000L * i, before;
  struct timespec wake = {start->tv_sec + (start->tv_nsec + begin) / 1000000000,
                          (start->tv_nsec + begin) % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL);
  before = since(start);
  if (before - begin > clock->late) clock->late = before - begin;
  control(arm, ws, t, s, tau);
  long law = since(start) - before;
  if (law > clock->law) clock->law = law;
  for (int j = 0; j < lw_model_dof(arm); ++j)
    error = fmax(error, fabs(s->q[j] - A * (1 - cos(w * t))));
  move(arm, ws, s, tau);
  clock->missed += since(start) > begin + 1000000;
  return error;
}

int main(int argc, char** argv)
{
  lwModel* arm    = NULL;
  lwWorkspace* ws = NULL;
  State s         = {.q = {0.05, 0.05, 0.05, 0.05, 0.05, 0.05}};
  Clock clock     = {0};
  double seconds  = argc > 2 ? strtod(argv[2], NULL) : 3;
  if (!(seconds > 0 && seconds <= 1000)) return 2;
  if (lw_robot_read_file(argc > 1 ? argv[1] : "robots/puma560.yaml", NULL, NULL, &arm) != LW_OK)
    return 3;
  if (lw_model_dof(arm) > MOST || lw_workspace_create(arm, NULL, NULL, &ws) != LW_OK) return 3;
  int locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  int fifo   = sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){80}) == 0;
  printf("%s: memory %s, scheduling %s\n  t, s   largest error, rad\n", lw_model_name(arm),
         locked ? "locked" : "not locked", fifo ? "SCHED_FIFO" : "as usual, not permitted more");
  struct timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i <= seconds / h; ++i)
  {
    double error = period(arm, ws, &start, i, &s, &clock);
    if (i % 500 == 0) printf("%6.1f   %.2e\n", i * h, error);
  }
  printf("%.0f periods, %ld missed; longest control law %.1f us, latest wake-up %.1f us\n",
         seconds / h, clock.missed, 1e-3 * (double)clock.law, 1e-3 * (double)clock.late);
  lw_workspace_destroy(ws);
  lw_model_destroy(arm);
}
