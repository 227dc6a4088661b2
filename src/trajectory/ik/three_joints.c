// SPDX-License-Identifier: MIT
// The position of a point by three joints, in closed form (Pieper 1968, written for screws).
//
//   u    where joint 3 brings the point `from`, a function of q3      g   `to`
//   z_i  axis, a_i  point on it
// Whatever joint 1 does, it leaves two numbers of a point x as they are:
//   revolute   z1.x and |x - a1|^2        prismatic   m.x for two directions m across z1
// Two equations are left for q2 and q3. With joint 2 revolute, r = u - a2 and w the part
// of its turned r across z2, both read
//   m_i.w = F_i(q3)      |w| = |r across z2|
// If the m_i point in different directions across z2, w follows,
// and its length gives one equation for q3:
//   |F1 m2 - F2 m1|^2 = (m1 x m2)^2 |r|^2,
// of fourth order in tan(q3/2), or in q3 if joint 3 slides. If they do not (axes 1 and 2 meet, or
// are parallel), w can be eliminated at once; the equation for q3 is of second order, and w has two
// places on the circle. With joint 2 prismatic, q2 is eliminated instead of w.
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "math/elementary.h"
#include "math/roots.h"
#include "math/rotation.h"
#include "trajectory/ik/screws.h"

static const double PARALLEL = 1e-6;  // sine of an angle taken for none; whoever asked corrects it
static const double NARROW   = 1e-2;  // sine of an angle below which two directions hardly fix w
static const double TOUCHING = 1e-9;  // of an equation for q3, relative: perhaps a double root
static const double NOTHING =
    1e-12;                        // of an equation for q3, relative to its terms: it holds for all
static const double FREE = 1e-7;  // sizes of the arm from an axis: turning changes nothing

typedef struct Problem
{
  const lwScrew* screw;
  const double* from;
  const double* to;
  double size;          // m
  double a1[3], a2[3];  // points on axes 1 and 2, next to each other
  double m[2][3];       // of the two equations, the second in sizes of the arm
  double x[3], y[3];    // across z2, of length 1, if joint 2 is revolute
  double mu[2][2];      // m in (x, y)
  double cross;         // of mu[0] and mu[1]
  bool parallel;        // the cross is as good as 0
  bool narrow;          // the cross is small, so that w is better found by its length
  int first;            // the longer one of mu, or of |m.z2|
} Problem;

// --- the two equations

// The nearest points of two axes; for nearly parallel axes, whose nearest points are far away, the
// second's own point and the one next to it.
static void common_normal(const lwScrew* one, const lwScrew* two, double a1[3], double a2[3])
{
  double between[3], normal[3];
  double c = lw_dot(one->axis, two->axis), sine2;
  for (int k = 0; k < 3; ++k) between[k] = two->point[k] - one->point[k];
  lw_cross(one->axis, two->axis, normal);
  sine2     = lw_dot(normal, normal);
  double d1 = lw_dot(between, one->axis), d2 = lw_dot(between, two->axis);
  double t1 = d1, t2 = 0;
  if (sine2 > NARROW) t1 = (d1 - c * d2) / sine2, t2 = (c * d1 - d2) / sine2;
  for (int k = 0; k < 3; ++k)
  {
    a1[k] = one->point[k] + t1 * one->axis[k];
    a2[k] = two->point[k] + t2 * two->axis[k];
  }
}

static void set_up(Problem* p)
{
  const lwScrew *one = &p->screw[0], *two = &p->screw[1];
  memcpy(p->a1, one->point, sizeof p->a1);
  memcpy(p->a2, two->point, sizeof p->a2);
  if (!one->slides && !two->slides) common_normal(one, two, p->a1, p->a2);
  memcpy(p->m[0], one->axis, sizeof p->m[0]);
  for (int k = 0; k < 3; ++k) p->m[1][k] = (p->a2[k] - p->a1[k]) / p->size;
  if (one->slides) lw_across(one->axis, p->m[0], p->m[1]);
  lw_across(two->axis, p->x, p->y);
  double length[2];
  for (int i = 0; i < 2; ++i)
  {
    p->mu[i][0] = lw_dot(p->m[i], p->x);
    p->mu[i][1] = lw_dot(p->m[i], p->y);
    length[i] = two->slides ? fabs(lw_dot(p->m[i], two->axis)) : lw_hypot(p->mu[i][0], p->mu[i][1]);
  }
  p->cross    = p->mu[0][0] * p->mu[1][1] - p->mu[0][1] * p->mu[1][0];
  p->parallel = fabs(p->cross) <= PARALLEL * fmax(length[0], length[1]);
  p->narrow   = fabs(p->cross) <= NARROW * fmax(length[0], length[1]);
  p->first    = length[1] > length[0];
}

// Squared distance, in sizes of the arm.
static double distance2(const Problem* p, const double a[3], const double b[3])
{
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return lw_dot(d, d) / (p->size * p->size);
}

// F_i of the equations m_i.w = F_i, in sizes of the arm, and (x, y) of r across z2.
static void right_sides(const Problem* p, const double u[3], double F[2], double r[2])
{
  double arm[3], goal[3];
  for (int k = 0; k < 3; ++k)
  {
    arm[k]  = (u[k] - p->a2[k]) / p->size;
    goal[k] = (p->to[k] - p->a2[k]) / p->size;
  }
  double along = lw_dot(p->screw[1].axis, arm);
  F[0]         = lw_dot(p->m[0], goal);
  F[1]         = lw_dot(p->m[1], goal);
  if (!p->screw[0].slides)
    F[1] = 0.5 * (distance2(p, p->to, p->a1) - lw_dot(arm, arm) - distance2(p, p->a2, p->a1));
  for (int i = 0; i < 2; ++i) F[i] -= lw_dot(p->m[i], p->screw[1].axis) * along;
  r[0] = lw_dot(arm, p->x);
  r[1] = lw_dot(arm, p->y);
}

// The equation for q3 with joint 2 revolute; *terms: the size of what it is the difference of.
static double turning_residual(const Problem* p, const double u[3], double* terms)
{
  double F[2], r[2];
  right_sides(p, u, F, r);
  if (p->parallel)
  {
    const double* t = p->mu[p->first];
    double length   = lw_hypot(t[0], t[1]);
    double a        = (p->mu[1][0] * t[0] + p->mu[1][1] * t[1]) / length;
    double b        = (p->mu[0][0] * t[0] + p->mu[0][1] * t[1]) / length;
    *terms          = fabs(F[0] * a) + fabs(F[1] * b);
    return F[0] * a - F[1] * b;
  }
  double x = F[0] * p->mu[1][0] - F[1] * p->mu[0][0], y = F[0] * p->mu[1][1] - F[1] * p->mu[0][1];
  double right = p->cross * p->cross * (r[0] * r[0] + r[1] * r[1]);
  *terms       = x * x + y * y + right;
  return x * x + y * y - right;
}

// That equation with joint 2 prismatic. Of a revolute joint 1 they are z1.x and |x - a1|^2.
static double sliding_residual(const Problem* p, const double u[3], double* terms)
{
  const double* z2 = p->screw[1].axis;
  double rest[3], moved[3];
  for (int k = 0; k < 3; ++k) rest[k] = (p->to[k] - u[k]) / p->size;
  double along = lw_dot(p->m[0], z2), left = lw_dot(p->m[0], rest);
  if (p->screw[0].slides)
  {
    double other = lw_dot(p->m[1], rest) * along;
    left *= lw_dot(p->m[1], z2);
    *terms = fabs(left) + fabs(other);
    return left - other;
  }
  *terms = fabs(left) + lw_length(rest);
  if (fabs(along) <= PARALLEL) return left;
  for (int k = 0; k < 3; ++k) moved[k] = u[k] + p->size * left / along * z2[k];
  double here = distance2(p, moved, p->a1), there = distance2(p, p->to, p->a1);
  *terms = here + there;
  return here - there;
}

static double residual(const Problem* p, double q3, double* terms)
{
  double u[3];
  lw_screw_move(&p->screw[2], q3, p->from, u);
  return p->screw[1].slides ? sliding_residual(p, u, terms) : turning_residual(p, u, terms);
}

// --- q3

// The equation as a sum of cosines and sines of q3 and 2 q3, from five values.
static int turning_candidates(const Problem* p, double* q3, bool* any)
{
  double f[5] = {0}, largest = 0, terms = 0;
  for (int k = 0; k < 5; ++k)
  {
    double x = k * 2 * LW_PI / 5, size, value = residual(p, x, &size);
    const double basis[5] = {0.5, lw_cos(x), lw_sin(x), lw_cos(2 * x), lw_sin(2 * x)};
    for (int i = 0; i < 5; ++i) f[i] += 0.4 * value * basis[i];
    largest = fmax(largest, fabs(value));
    terms   = fmax(terms, size);
  }
  *any = largest <= NOTHING * terms;
  return *any ? 0 : lw_trigonometric_roots(f, TOUCHING, q3);
}

// As a polynomial of fourth order in q3 over the size of the arm, through its values at -2 .. 2
// (Newton's divided differences, then powers).
static int sliding_candidates(const Problem* p, double* q3, bool* any)
{
  double c[5] = {0}, d[5], largest = 0, terms = 0, size;
  for (int k = 0; k < 5; ++k)
  {
    d[k]    = residual(p, (k - 2) * p->size, &size);
    largest = fmax(largest, fabs(d[k]));
    terms   = fmax(terms, size);
  }
  *any = largest <= NOTHING * terms;
  if (*any) return 0;
  for (int order = 1; order < 5; ++order)
    for (int k = 4; k >= order; --k) d[k] = (d[k] - d[k - 1]) / order;
  for (int k = 4; k >= 0; --k)  // c = c (x - x_k) + d_k
  {
    for (int i = 4; i > 0; --i) c[i] = c[i - 1] - (k - 2) * c[i];
    c[0] = d[k] - (k - 2) * c[0];
  }
  for (int i = 0; i < 5; ++i)
    if (fabs(c[i]) < 64 * NOTHING * 1e-3 * terms) c[i] = 0;  // rounding of a lower order
  int count = lw_quartic_roots(c, TOUCHING, q3);
  for (int k = 0; k < count; ++k) q3[k] *= p->size;
  return count;
}

// --- q2 and q1

// q2 for a q3, at most two, with joint 2 revolute; *free: any will do.
static int turn_second(const Problem* p, const double u[3], double q2[2], bool* free)
{
  double F[2], r[2], w[2][2];
  right_sides(p, u, F, r);
  double length2 = r[0] * r[0] + r[1] * r[1];
  int count      = 1;
  *free          = length2 < FREE * FREE;
  if (*free) return 1;
  if (p->narrow)
  {
    const double* t = p->mu[p->first];
    double size     = lw_hypot(t[0], t[1]);
    double along    = F[p->first] / size;
    double side     = sqrt(fmax(length2 - along * along, 0));
    if (!(along * along <= length2 * (1 + 1e-6) + 1e-12)) return 0;
    count = 2;
    for (int k = 0; k < 2; ++k)
    {
      w[k][0] = (along * t[0] - side * t[1]) / size;
      w[k][1] = (along * t[1] + side * t[0]) / size;
      side    = -side;
    }
  }
  else
  {
    w[0][0] = (F[0] * p->mu[1][1] - F[1] * p->mu[0][1]) / p->cross;
    w[0][1] = (p->mu[0][0] * F[1] - p->mu[1][0] * F[0]) / p->cross;
  }
  for (int k = 0; k < count; ++k)
    q2[k] = lw_atan2(r[0] * w[k][1] - r[1] * w[k][0], r[0] * w[k][0] + r[1] * w[k][1]);
  return count;
}

// q2 for a q3 with joint 2 prismatic.
static int slide_second(const Problem* p, const double u[3], double q2[2])
{
  const double* z2 = p->screw[1].axis;
  double rest[3], arm[3];
  for (int k = 0; k < 3; ++k)
  {
    rest[k] = p->to[k] - u[k];
    arm[k]  = u[k] - p->a1[k];
  }
  int i        = p->screw[0].slides ? p->first : 0;
  double along = lw_dot(p->m[i], z2);
  if (fabs(along) > PARALLEL)
  {
    q2[0] = lw_dot(p->m[i], rest) / along;
    return 1;
  }
  if (p->screw[0].slides) return 0;
  double half  = lw_dot(z2, arm);
  double under = half * half - lw_dot(arm, arm) + p->size * p->size * distance2(p, p->to, p->a1);
  if (!(under >= -1e-9 * p->size * p->size)) return 0;
  q2[0] = -half + sqrt(fmax(under, 0));
  q2[1] = -half - sqrt(fmax(under, 0));
  return 2;
}

// q1 that brings x to the goal; *free: any will do.
static double find_first(const Problem* p, const double x[3], bool* free)
{
  const lwScrew* one = &p->screw[0];
  double from[3], to[3], size;
  for (int k = 0; k < 3; ++k)
  {
    from[k] = x[k] - p->a1[k];
    to[k]   = p->to[k] - p->a1[k];
  }
  *free = false;
  if (one->slides) return lw_dot(one->axis, to) - lw_dot(one->axis, from);
  double angle = lw_angle_about(one->axis, from, to, &size);
  *free        = size < FREE * FREE * p->size * p->size;
  return angle;
}

// All candidates with this q3.
static int complete(const Problem* p, double q3, const double guess[3], lwThree* found)
{
  double u[3], q2[2] = {0};
  bool free2 = false, free1;
  lw_screw_move(&p->screw[2], q3, p->from, u);
  int count = p->screw[1].slides ? slide_second(p, u, q2) : turn_second(p, u, q2, &free2);
  if (free2) q2[0] = guess[1];
  for (int k = 0; k < count; ++k)
  {
    double x[3];
    lw_screw_move(&p->screw[1], q2[k], u, x);
    double q1 = find_first(p, x, &free1);
    found[k]  = (lwThree){{free1 ? guess[0] : q1, q2[k], q3}, free1 ? 0 : free2 ? 1 : -1};
  }
  return count;
}

int lw_three_joints(const lwScrew screw[3], const double from[3], const double to[3], double size,
                    const double guess[3], lwThree found[LW_MAX_THREE])
{
  Problem p = {.screw = screw, .from = from, .to = to, .size = size};
  double q3[LW_QUARTIC_ROOTS];
  bool any;
  set_up(&p);
  int count = 0;
  int candidates =
      screw[2].slides ? sliding_candidates(&p, q3, &any) : turning_candidates(&p, q3, &any);
  if (any) q3[candidates++] = guess[2];
  for (int k = 0; k < candidates; ++k)
  {
    int more = complete(&p, q3[k], guess, found + count);
    for (int i = count; i < count + more && any; ++i) found[i].free_joint = 2;
    count += more;
  }
  return count;
}
