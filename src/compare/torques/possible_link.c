// SPDX-License-Identifier: MIT
// Whether a body can have these mass parameters: its pseudo-inertia (identify/regressor.h) is
// positive semidefinite. Torques may determine only some of the
// ten parameters; then a body is looked for among those with the same torques, by alternating
// projections on these and on the semidefinite matrices.
#include <float.h>
#include <math.h>
#include <string.h>

#include "compare/torques/causes.h"

enum
{
  TEN         = LW_LINK_PARAMETERS,
  PROJECTIONS = 100,
  MARGINS     = 3
};

static const double ROOT2           = 1.41421356237309504880;
static const double MARGIN[MARGINS] = {0.1, 1e-3, 0};  // of the mass
static const double NULLS = 1e-9;  // of the largest eigenvalue, below which torques do not change

// A pseudo-inertia as ten numbers whose squares sum up to those of its entries, in units of a mass
// and a length: xx yy zz xy xz yz of S, then h, then m.
typedef struct Units
{
  double mass, length;
} Units;

static const int ROW[TEN] = {0, 1, 2, 0, 0, 1, 0, 1, 2, 3};
static const int COL[TEN] = {0, 1, 2, 1, 2, 2, 3, 3, 3, 3};

static double length_power(const Units* units, int k)
{
  return k < 6 ? units->length * units->length : k < 9 ? units->length : 1;
}

static void parameters_to_entries(const Units* units, const double pi[TEN], double y[TEN])
{
  double P[4][4];
  lw_pseudo_inertia(pi, P);
  for (int k = 0; k < TEN; ++k)
    y[k] =
        P[ROW[k]][COL[k]] / (units->mass * length_power(units, k)) * (ROW[k] == COL[k] ? 1 : ROOT2);
}

static void entries_to_parameters(const Units* units, const double y[TEN], double pi[TEN])
{
  double P[4][4];
  for (int k = 0; k < TEN; ++k)
    P[ROW[k]][COL[k]] =
        y[k] * units->mass * length_power(units, k) / (ROW[k] == COL[k] ? 1 : ROOT2);
  lw_pseudo_parameters(P, pi);
}

// The least eigenvalue of y; where it is below `floor`, y becomes the nearest with that one.
static double raise_eigenvalues(double y[TEN], double floor)
{
  double S[16], V[16], least = INFINITY;
  for (int k = 0; k < TEN; ++k)
    S[4 * ROW[k] + COL[k]] = S[4 * COL[k] + ROW[k]] = y[k] / (ROW[k] == COL[k] ? 1 : ROOT2);
  lw_jacobi(4, S, V);
  for (int k = 0; k < 4; ++k) least = fmin(least, S[5 * k]);
  if (least >= floor) return least;
  for (int k = 0; k < TEN; ++k)
  {
    y[k] = 0;
    for (int j = 0; j < 4; ++j)
      y[k] += V[4 * ROW[k] + j] * fmax(S[5 * j], floor) * V[4 * COL[k] + j];
    if (ROW[k] != COL[k]) y[k] *= ROOT2;
  }
  return least;
}

// Directions of y in which torques do not change: rows of N (count, 10), orthonormal.
static int null_directions(const Units* units, const double* G, double N[TEN][TEN])
{
  double K[TEN][TEN], S[TEN * TEN] = {0}, V[TEN * TEN], most = 0;
  int count = 0;
  for (int k = 0; k < TEN; ++k)  // row k: parameters of unit vector k of y
  {
    double unit[TEN] = {0};
    unit[k]          = 1;
    entries_to_parameters(units, unit, K[k]);
  }
  for (int a = 0; a < TEN; ++a)
    for (int b = 0; b < TEN; ++b)
      for (int i = 0; i < TEN; ++i)
        for (int j = 0; j < TEN; ++j) S[a * TEN + b] += K[a][i] * G[i * TEN + j] * K[b][j];
  lw_jacobi(TEN, S, V);
  for (int k = 0; k < TEN; ++k) most = fmax(most, S[k * (TEN + 1)]);
  for (int k = 0; k < TEN; ++k)
  {
    if (S[k * (TEN + 1)] > NULLS * most) continue;
    for (int i = 0; i < TEN; ++i) N[count][i] = V[i * TEN + k];
    ++count;
  }
  return count;
}

// Back to y0 but for the null directions.
static void project(const double y0[TEN], int count, double N[TEN][TEN], double y[TEN])
{
  double moved[TEN];
  memcpy(moved, y0, sizeof moved);
  for (int c = 0; c < count; ++c)
  {
    double along = 0;
    for (int i = 0; i < TEN; ++i) along += N[c][i] * (y[i] - y0[i]);
    for (int i = 0; i < TEN; ++i) moved[i] += along * N[c][i];
  }
  memcpy(y, moved, sizeof moved);
}

static Units units_of(const double own[TEN], const double change[TEN])
{
  Units units = {fmax(fabs(own[0]), fabs(change[0])), 0.1};
  double h = 0, I = 0;
  for (int k = 1; k < 4; ++k) h = fmax(h, fmax(fabs(own[k]), fabs(change[k])));
  for (int k = 4; k < 7; ++k) I = fmax(I, fmax(fabs(own[k]), fabs(change[k])));
  if (!(units.mass > 0)) units.mass = fmax(I / 0.01, DBL_MIN);
  units.length = fmax(fmax(h / units.mass, sqrt(I / units.mass)), 1e-3);
  return units;
}

// Projects in turn on the matrices with eigenvalues above floor + margin, and on those with the
// torques of y0, until eigenvalues are above floor - slack. A margin ends this after a few turns
// where bodies are found that are not at the edge of what is possible.
static bool reach_body(const double y0[TEN], int count, double N[TEN][TEN], double floor,
                       double margin, double slack, double y[TEN])
{
  memcpy(y, y0, TEN * sizeof *y);
  for (int k = 0; k < PROJECTIONS; ++k)
  {
    double raised[TEN];
    memcpy(raised, y, sizeof raised);
    if (raise_eigenvalues(raised, floor + margin) >= floor - slack) return true;
    if (count == 0) return false;
    memcpy(y, raised, sizeof raised);
    project(y0, count, N, y);
  }
  return false;
}

bool lw_link_is_possible(const double own[TEN], double change[TEN], const double* G, bool free,
                         const double error[TEN])
{
  Units units = units_of(own, change);
  double N[TEN][TEN], y0[TEN], y[TEN], sum[TEN], slack = 0, size = 0, wide[TEN];
  parameters_to_entries(&units, own, y);
  double floor = fmin(raise_eigenvalues(y, -INFINITY), 0);
  for (int k = 0; k < TEN; ++k) sum[k] = own[k] + change[k];
  parameters_to_entries(&units, sum, y0);
  parameters_to_entries(&units, error, wide);
  for (int k = 0; k < TEN; ++k) slack = fmax(slack, 4 * fabs(wide[k]));
  for (int k = 0; k < TEN; ++k) size = fmax(size, fabs(y0[k]));
  slack += 1e-6 * fmax(size, 1);
  int count   = free ? null_directions(&units, G, N) : 0;
  bool exists = false;
  for (int m = 0; m < MARGINS && !exists; ++m)
    exists = reach_body(y0, count, N, floor, MARGIN[m], slack, y);
  raise_eigenvalues(y, floor);  // within the slack
  entries_to_parameters(&units, y, sum);
  for (int k = 0; k < TEN && exists; ++k) change[k] = sum[k] - own[k];
  return exists;
}
