// SPDX-License-Identifier: MIT
// Nodes along a path. Up to half of them go where the path bends, since blends are short; the others are
// evenly spaced. Where a motion rests, w grows like the square root of s, so nodes there are spaced like
// s ~ k^2, with limits of jerk s ~ k^3. Knots of the path and places where a joint turns back are nodes,
// too: derivatives and Coulomb friction jump there. Such nodes are inserted, others stay.
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "retime/retime_internal.h"
#include "trajectory/trajectory_internal.h"

// Parts of an interval within which a node is as good; with limits of jerk, for which lengths of
// neighbours must not differ much, it goes where the other one should be.
static const double CLOSE = 1e-6, BLUNT = 0.1;

// How nodes are graded near ends at rest: of all nodes the share `zone` like s ~ k^(power + 1).
typedef struct Grading
{
  double zone;
  int power;
} Grading;

// The integral from 0 to z of min(1, (z / zone)^power).
static double ramp(double z, Grading g)
{
  double part = z * lw_pow(z / g.zone, g.power) / (g.power + 1);
  return z < g.zone ? part : z - g.zone * g.power / (g.power + 1);
}

// The same at the ends at rest, the other one mirrored.
static double graded(double z, bool start, bool end, Grading g)
{
  double left = 1 - z, cut = g.zone * g.power / (g.power + 1) - (left - ramp(left, g));
  return (start ? ramp(z, g) : z) - (end ? cut : 0);
}

// By insertion: they nearly are in order, and qsort() may allocate.
static void sort_nodes(double* s, int count)
{
  for (int i = 1; i < count; ++i)
  {
    double value = s[i];
    int k        = i;
    for (; k > 0 && s[k - 1] > value; --k) s[k] = s[k - 1];
    s[k] = value;
  }
}

// Inserts r->extra (count) into the nodes, from the end on.
static void insert_nodes(lwRetime* r, int count)
{
  sort_nodes(r->extra, count);
  int kept = 0;
  for (int k = 0, i = 0; k < count; ++k)
  {
    double s = r->extra[k];
    while (i < r->count - 1 && r->s[i + 1] < s) ++i;
    double from = s - r->s[i], to = r->s[i + 1] - s,
           near = (r->smooth ? BLUNT : CLOSE) * (from + to);
    bool apart  = kept == 0 || s - r->extra[kept - 1] > near;
    if (from > near && to > near)
    {
      if (apart) r->extra[kept++] = s;
    }
    else if (r->smooth && from <= near && i > 0)
      r->s[i] = s;
    else if (r->smooth && from > near && i + 1 < r->count)
      r->s[i + 1] = s;
  }
  for (int from = r->count, to = r->count + kept, k = kept - 1; k >= 0; --to)
    r->s[to] = r->s[from] > r->extra[k] ? r->s[from--] : r->extra[k--];
  r->count += kept;
}

// Motors of gears with losses hold less at rest than next to it (rows.c), and an interval has its lowest
// limit all over: intervals next to rest are short.
static int nodes_near_rest(lwRetime* r, bool start, bool end)
{
  enum
  {
    HALVINGS = 16
  };
  double length = r->s[r->count], first = r->s[1], last = length - r->s[r->count - 1];
  int count = 0;
  for (int k = 0; k < HALVINGS && r->lossy && !r->smooth; ++k)
  {
    first *= 0.5, last *= 0.5;
    if (start) r->extra[count++] = first;
    if (end) r->extra[count++] = length - last;
  }
  return count;
}

// Polynomials of which the path consists.
static long pieces_of(const lwTrajectory* path)
{
  return path->samples ? path->samples->rows - 1 : path->joints ? path->joints[0].count : 1;
}

// Where piece k begins; the end of the path behind the last one.
static double knot_at(const lwTrajectory* path, long k)
{
  if (k >= pieces_of(path)) return lw_trajectory_duration(path);
  return path->samples ? path->samples->t[k] : path->joints ? path->joints[0].piece[k].start : 0;
}

static void insert_knots(lwRetime* r, bool start, bool end)
{
  int count = nodes_near_rest(r, start, end), room = r->most - r->grid - count;
  if (pieces_of(r->path) - 1 <= room / 2)
    for (long k = 1; k < pieces_of(r->path); ++k) r->extra[count++] = knot_at(r->path, k);
  for (int k = 0; k < r->task.speed_count && count < r->most - r->grid; ++k)
    if (r->task.speeds[2 * k] > 0 && r->task.speeds[2 * k] < r->s[r->count])
      r->extra[count++] = r->task.speeds[2 * k];
  insert_nodes(r, count);
}

static double slope_at(lwRetime* r, int j, double s)
{
  return lw_retime_path_at(r, s, r->q, r->q1, r->q2) ? r->q1[j] : NAN;
}

// Where q' of joint j is 0 between two nodes of different signs, by regula falsi with halving.
static double turning_point(lwRetime* r, int j, double a, double b, const double at[2])
{
  double fa = at[0], fb = at[1];
  for (int k = 0; k < 60 && b - a > 1e-15 * fabs(b); ++k)
  {
    double s = k % 3 == 2 ? 0.5 * (a + b) : (a * fb - b * fa) / (fb - fa);
    if (!(s > a && s < b)) s = 0.5 * (a + b);
    double f = slope_at(r, j, s);
    if (f == 0) return s;
    if ((f > 0) == (fa > 0))
      a = s, fa = f;
    else
      b = s, fb = f;
  }
  return 0.5 * (a + b);
}

static bool insert_turns(lwRetime* r)
{
  size_t n = (size_t)r->dof;
  int room = r->most - r->count, count = 0;
  for (int i = 0; i <= r->count; ++i)
  {
    double* slope = r->jacobian + (i % 2 ? n : 0);
    double* last  = r->jacobian + (i % 2 ? 0 : n);
    if (!lw_retime_path_at(r, r->s[i], r->q, r->q1, r->q2)) return false;
    memcpy(slope, r->q1, n * sizeof *slope);
    for (int j = 0; i > 0 && j < r->dof && count < room; ++j)
      if (slope[j] * last[j] < 0)
        r->extra[count++] =
            turning_point(r, j, r->s[i - 1], r->s[i], (double[]){last[j], slope[j]});
  }
  insert_nodes(r, count);
  return true;
}

static bool find_signs(lwRetime* r)
{
  for (int i = 0; i < r->count; ++i)
  {
    double most = 0;
    r->h[i]     = r->s[i + 1] - r->s[i];
    if (!lw_retime_path_at(r, r->s[i] + 0.5 * r->h[i], r->q, r->q1, r->q2)) return false;
    for (int j = 0; j < r->dof; ++j) most = fmax(most, fabs(r->q1[j]));
    for (int j = 0; j < r->dof; ++j)
      r->sign[(size_t)i * (size_t)r->dof + (size_t)j] =
          fabs(r->q1[j]) > 1e-12 * most ? (r->q1[j] > 0) - (r->q1[j] < 0) : 0;
  }
  return true;
}

// Cells of the path, from r->K[c] to r->K[c + 1], and the part of the nodes before them, r->R[c], of
// r->R[cells]: by length, and as much by the angle through which the path turns, if that is more than 1 rad.
static bool share_nodes(lwRetime* r, int* cells)
{
  enum
  {
    PARTS = 4  // of a piece
  };
  double *edge = r->K, *part = r->R, way = 0, turned = 0;
  long pieces = pieces_of(r->path) * PARTS > r->most || r->smooth ? 0 : pieces_of(r->path);
  *cells      = pieces > 0 ? (int)pieces * PARTS : 1;
  edge[0] = part[0] = part[1] = 0;
  edge[*cells]                = lw_trajectory_duration(r->path);
  if (!lw_retime_path_at(r, 0, r->q, r->q1, r->q2)) return false;  // where loops begin
  for (int c = 0; c < pieces * PARTS; ++c)
  {
    double from = knot_at(r->path, c / PARTS), to = knot_at(r->path, c / PARTS + 1), slope = 0,
           bend = 0;
    double h    = (to - from) / PARTS;
    edge[c]     = from + c % PARTS * h;
    if (!lw_retime_path_at(r, edge[c] + 0.5 * h, r->q, r->q1, r->q2)) return false;
    for (int j = 0; j < r->dof; ++j) slope += r->q1[j] * r->q1[j], bend += r->q2[j] * r->q2[j];
    way += sqrt(slope) * h;
    part[c + 1] = sqrt(bend) * h;
  }
  edge[0] = 0;
  for (int c = 1; c <= *cells; ++c) turned += part[c];
  double length = edge[*cells], mean = way / length;  // of |q'|
  for (int c = 1; c <= *cells; ++c)
    part[c] = part[c - 1] + (edge[c] - edge[c - 1]) / length +
              (turned > 0 ? part[c] / fmax(turned, mean) : 0);
  return true;
}

lwStatus lw_retime_lay_grid(lwRetime* r, const lwRetimeEnds* ends)
{
  bool start = !ends->closed && ends->start == 0, end = !ends->closed && ends->end == 0;
  double length = lw_trajectory_duration(r->path), whole;
  Grading g     = r->smooth ? (Grading){0.3, 2} : (Grading){0.1, 1};  // s ~ t^3 or t^2
  whole         = graded(1, start, end, g);
  r->count      = r->grid;
  int cells     = 1;
  if (!(length > 0 && isfinite(length))) return LW_ERROR_INPUT;
  if (!share_nodes(r, &cells)) return LW_ERROR_OPEN;
  for (int i = 0, c = 0; i <= r->grid; ++i)
  {
    double part = r->R[cells] * graded((double)i / r->grid, start, end, g) / whole;
    while (c + 1 < cells && part > r->R[c + 1]) ++c;
    r->s[i] = r->K[c] + (part - r->R[c]) / (r->R[c + 1] - r->R[c]) * (r->K[c + 1] - r->K[c]);
  }
  r->s[0]       = 0;  // not its rounding
  r->s[r->grid] = length;
  insert_knots(r, start, end);
  if (!insert_turns(r) || !find_signs(r)) return LW_ERROR_OPEN;
  return LW_OK;
}
