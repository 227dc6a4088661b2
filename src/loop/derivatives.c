// SPDX-License-Identifier: MIT
// Derivatives of torques and accelerations of a robot with loops, and its Coriolis matrix, in the
// speeds u that people name, with qd = N u and qdd = N ud + e.
//
// D_b is the derivative along a change S_b of positions. Loops alone: S_b = N_b, the motion of speed
// b. Rows that roll leave more positions than speeds: S_b is then that of joint b, less what would
// open loops. D_b N_a has zeros in the named entries and keeps the rows: J D_b N_a = -(D_b J) N_a.
// With F = ID(q, qd, qdd) of the tree,
//   D_b (N_a . F) = N_a . (F_q S_b + F_qd D_b qd + M D_b qdd) + F . D_b N_a
// D_b qd = sum_a u_a D_b N_a, and D_b qdd from the rows in the same way.
#include <string.h>

#include "loop/loop_workspace.h"

// What is found of one state.
typedef struct SpeedSlopes
{
  lwLoops* loops;
  size_t dof, count, steps;
  const double *qd, *qdd;  // (dof)
  double* columns;         // (count, dof) N, speed by speed
  double* step;            // (steps, dof) S; columns, or more
  double* bends;           // (count, steps, dof) D_b N_a at [a][b]
  double* velocity;        // (rows)
  double* acceleration;    // (rows)
} SpeedSlopes;

// x (dof): J x = -right, zero in the named entries; N and e are overwritten.
static void keep_rows(const SpeedSlopes* slopes, const double* right, double* x)
{
  lwLoops* loops = slopes->loops;
  memcpy(loops->bias, right, (size_t)loops->rows * sizeof *right);
  lw_loops_named_speeds(loops, NULL);
  for (size_t i = 0; i < slopes->dof; ++i)
    x[i] = loops->speeds.N[i * loops->speeds.width + slopes->count];
}

static void take_columns(SpeedSlopes* slopes)
{
  const lwSpeedSystem* speeds = &slopes->loops->speeds;
  for (size_t a = 0; a < slopes->count; ++a)
    for (size_t i = 0; i < slopes->dof; ++i)
      slopes->columns[a * slopes->dof + i] = speeds->N[i * speeds->width + a];
}

static double* bend_of(const SpeedSlopes* slopes, size_t a, size_t b)
{
  return slopes->bends + (a * slopes->steps + b) * slopes->dof;
}

static void find_bends(SpeedSlopes* slopes)
{
  for (size_t a = 0; a < slopes->count; ++a)
    for (size_t b = 0; b < slopes->steps; ++b)
    {
      lwRowMotion motion = {.qd   = slopes->columns + a * slopes->dof,
                            .step = slopes->step + b * slopes->dof};
      lw_loops_row_slopes(slopes->loops, &motion, slopes->velocity, slopes->acceleration);
      keep_rows(slopes, slopes->velocity, bend_of(slopes, a, b));
    }
}

size_t lw_loops_slopes_size(const lwLoops* loops)
{
  size_t dof = (size_t)loops->dof, count = (size_t)loops->set->speeds.count;
  return (count + (count + 1) * lw_loops_steps(loops)) * dof + (size_t)loops->rows;
}

static void take_steps(const SpeedSlopes* slopes)
{
  lwLoops* loops = slopes->loops;
  memset(slopes->step, 0, slopes->dof * slopes->dof * sizeof *slopes->step);
  lw_loops_gram(loops, loops->set->shut);
  for (size_t b = 0; b < slopes->dof; ++b)
  {
    slopes->step[b * (slopes->dof + 1)] = 1;
    lw_loops_keep_tangent(loops, slopes->step + b * slopes->dof);
  }
}

// A state whose N has been found; its slopes into loops->slopes. all: by all positions of a robot
// that rolls, else along the motions of the speeds.
static SpeedSlopes begin_slopes(lwLoops* loops, const double* qd, const double* qdd, bool all)
{
  size_t dof = (size_t)loops->dof, count = (size_t)loops->speeds.count;
  size_t steps       = all ? lw_loops_steps(loops) : count;
  SpeedSlopes slopes = {.loops        = loops,
                        .dof          = dof,
                        .count        = count,
                        .steps        = steps,
                        .qd           = qd,
                        .qdd          = qdd,
                        .columns      = loops->slopes,
                        .velocity     = loops->slopes + count * dof,
                        .acceleration = loops->force};
  slopes.step        = steps == count ? slopes.columns : slopes.velocity + loops->rows;
  slopes.bends       = slopes.velocity + (size_t)loops->rows + steps * dof;
  take_columns(&slopes);
  if (steps > count) take_steps(&slopes);
  find_bends(&slopes);
  return slopes;
}

// sum_a u_a D_b N_a
static void velocity_bend(const SpeedSlopes* slopes, size_t b, double* out)
{
  const int* named = slopes->loops->set->speeds.named;
  memset(out, 0, slopes->dof * sizeof *out);
  for (size_t a = 0; a < slopes->count && slopes->qd; ++a)
    for (size_t i = 0; i < slopes->dof; ++i)
      out[i] += slopes->qd[named[a]] * bend_of(slopes, a, b)[i];
}

// The change of qdd (dof) while position and velocity change along step and qd_step and named
// accelerations stay.
static void acceleration_bend(const SpeedSlopes* slopes, const double* step, const double* qd_step,
                              double* out)
{
  lwRowMotion motion = {slopes->qd, slopes->qdd, step, qd_step};
  lw_loops_row_slopes(slopes->loops, &motion, slopes->velocity, slopes->acceleration);
  keep_rows(slopes, slopes->acceleration, out);
}

// out[a * across] += N_a . (A x), A (dof, dof) by rows
static void add_projected(const SpeedSlopes* slopes, const double* A, const double* x,
                          size_t across, double* out)
{
  for (size_t i = 0; i < slopes->dof; ++i)
  {
    double sum = 0;
    for (size_t j = 0; j < slopes->dof; ++j) sum += A[i * slopes->dof + j] * x[j];
    for (size_t a = 0; a < slopes->count; ++a)
      out[a * across] += slopes->columns[a * slopes->dof + i] * sum;
  }
}

void lw_loops_torque_slopes(lwLoops* loops, const double* qd, const double* qdd, const double* F,
                            const double* F_q, double* out, double* bent)
{
  SpeedSlopes slopes = begin_slopes(loops, qd, qdd, true);
  size_t dof = slopes.dof, count = slopes.count, steps = slopes.steps;
  double *rate = loops->trial, *bend = loops->other, *by_speed = out + count * steps;
  memset(out, 0, count * (steps + count) * sizeof *out);
  for (size_t b = 0; b < steps; ++b)
  {
    const double* step = slopes.step + b * dof;
    velocity_bend(&slopes, b, rate);
    add_projected(&slopes, F_q, step, steps, out + b);
    add_projected(&slopes, F_q + dof * dof, rate, steps, out + b);
    acceleration_bend(&slopes, step, rate, bend);
    add_projected(&slopes, loops->M, bend, steps, out + b);
    for (size_t a = 0; a < count; ++a)
      for (size_t i = 0; i < dof; ++i) out[a * steps + b] += F[i] * bend_of(&slopes, a, b)[i];
    for (size_t i = 0; i < dof && bent; ++i) bent[i * steps + b] = rate[i];
  }
  for (size_t b = 0; b < count; ++b)
  {
    const double* N = slopes.columns + b * dof;
    add_projected(&slopes, F_q + dof * dof, N, count, by_speed + b);
    acceleration_bend(&slopes, NULL, N, bend);
    add_projected(&slopes, loops->M, bend, count, by_speed + b);
  }
}

// C = N^T (C N + M dN/dt)
void lw_loops_coriolis_matrix(lwLoops* loops, const double* qd, const double* C, double* out)
{
  SpeedSlopes slopes = begin_slopes(loops, qd, NULL, false);
  const int* named   = loops->set->speeds.named;
  size_t dof = slopes.dof, count = slopes.count;
  double* rate = loops->trial;
  memset(out, 0, count * count * sizeof *out);
  for (size_t b = 0; b < count; ++b)
  {
    memset(rate, 0, dof * sizeof *rate);
    for (size_t c = 0; c < count && qd; ++c)
      for (size_t i = 0; i < dof; ++i) rate[i] += qd[named[c]] * bend_of(&slopes, b, c)[i];
    add_projected(&slopes, C, slopes.columns + b * dof, count, out + b);
    add_projected(&slopes, loops->M, rate, count, out + b);
  }
}
