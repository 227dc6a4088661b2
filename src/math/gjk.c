// SPDX-License-Identifier: MIT
#include "math/gjk.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/rotation.h"

enum
{
  MOST_STEPS = 200
};

// Corners of the difference of both shapes, and the points of the shapes that they come from.
typedef struct Simplex
{
  int count;
  double w[4][3], a[4][3], b[4][3];
  double weight[4];
} Simplex;

// Solves G l = (1, .., 1) for the chosen corners, G_ij = w_i . w_j: the weights of the point of
// their affine hull that is nearest to the origin, up to a factor. False: they are degenerate.
static bool nearest_weights(const Simplex* s, const int* chosen, int count, double* weight)
{
  double M[4][5], sum = 0;
  for (int i = 0; i < count; ++i)
  {
    for (int j = 0; j < count; ++j)
      M[i][j] = lw_dot(s->w[chosen[i]], s->w[chosen[j]]) + 1;  // + 1: defined at the origin, too
    M[i][count] = 1;
  }
  for (int i = 0; i < count; ++i)
  {
    int pivot = i;
    for (int r = i + 1; r < count; ++r)
      if (fabs(M[r][i]) > fabs(M[pivot][i])) pivot = r;
    if (fabs(M[pivot][i]) < 1e-14) return false;
    for (int c = 0; c <= count; ++c)
    {
      double t    = M[i][c];
      M[i][c]     = M[pivot][c];
      M[pivot][c] = t;
    }
    for (int r = 0; r < count; ++r)
      for (int c = count; r != i && c >= i; --c) M[r][c] -= M[i][c] * M[r][i] / M[i][i];
  }
  for (int i = 0; i < count; ++i) sum += weight[i] = M[i][count] / M[i][i];
  for (int i = 0; i < count; ++i) weight[i] /= sum;
  return sum > 0;
}

// The point of the simplex that is nearest to the origin: the best of all its faces. Corners that
// are not needed are dropped.
static void nearest_point(Simplex* s, double v[3])
{
  double best = INFINITY, weights[4], kept[4] = {0};
  int face = 0;
  for (int set = 1; set < 1 << s->count; ++set)
  {
    int chosen[4], count = 0;
    double p[3] = {0}, least = 0;
    for (int i = 0; i < s->count; ++i)
      if (set >> i & 1) chosen[count++] = i;
    if (!nearest_weights(s, chosen, count, weights)) continue;
    for (int i = 0; i < count; ++i)
    {
      least = fmin(least, weights[i]);
      for (int k = 0; k < 3; ++k) p[k] += weights[i] * s->w[chosen[i]][k];
    }
    if (least < -1e-12 || lw_dot(p, p) >= best) continue;
    best = lw_dot(p, p);
    face = set;
    memcpy(v, p, 3 * sizeof *v);
    memcpy(kept, weights, sizeof kept);
  }
  int to = 0;
  for (int i = 0; i < s->count; ++i)
  {
    if (!(face >> i & 1)) continue;
    if (to < i)
    {
      memcpy(s->w[to], s->w[i], sizeof s->w[i]);
      memcpy(s->a[to], s->a[i], sizeof s->a[i]);
      memcpy(s->b[to], s->b[i], sizeof s->b[i]);
    }
    s->weight[to] = kept[to];
    ++to;
  }
  s->count = to;
}

static void add_corner(Simplex* s, const lwConvex* a, const lwConvex* b, const double v[3])
{
  double back[3] = {-v[0], -v[1], -v[2]};
  int i          = s->count++;
  a->support(a->shape, back, s->a[i]);
  b->support(b->shape, v, s->b[i]);
  for (int k = 0; k < 3; ++k) s->w[i][k] = s->a[i][k] - s->b[i][k];
}

double lw_gjk_distance(const lwConvex* a, const lwConvex* b, double on_a[3], double on_b[3])
{
  Simplex s   = {0};
  double v[3] = {1, 0, 0};
  for (int step = 0; step < MOST_STEPS && s.count < 4; ++step)
  {
    add_corner(&s, a, b, v);
    const double* w = s.w[s.count - 1];
    bool done       = step > 0 && lw_dot(v, v) - lw_dot(v, w) <= 1e-13 * lw_dot(v, v) + 1e-26;
    if (done) --s.count;
    nearest_point(&s, v);
    if (done || lw_dot(v, v) < 1e-24) break;
  }
  double core = lw_length(v), gap = core - a->radius - b->radius;
  for (int k = 0; k < 3; ++k)
  {
    on_a[k] = on_b[k] = 0;
    for (int i = 0; i < s.count; ++i)
    {
      on_a[k] += s.weight[i] * s.a[i][k];
      on_b[k] += s.weight[i] * s.b[i][k];
    }
    double unit = core > 0 ? v[k] / core : 0;
    on_a[k] -= a->radius * unit;
    on_b[k] += b->radius * unit;
  }
  return fmax(gap, 0);
}
