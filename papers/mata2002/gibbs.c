// SPDX-License-Identifier: MIT
// (1) to (3): Gibbs' function of particles, of bodies in the axes of the base, and of bodies
// in their own axes; (10) to (12): the moment of a link by Euler's tensor. Links are made of
// point masses, so that (1) is a sum, and accelerations are second time derivatives of
// positions, exact up to rounding.
#include <math.h>

#include "mata2002.h"
#include "math/rotation.h"
#include "random_arm.h"
#include "silver1981/chain.h"

enum
{
  ARMS = 40
};

// A link as (2) needs it, base axes: acceleration of its centre of mass without gravity,
// angular velocity and acceleration.
typedef struct GibbsMotion
{
  double a[3], w[3], wd[3], W[9];
} GibbsMotion;

static GibbsMotion motion_of(const Chain* chain, int i)
{
  GibbsMotion motion;
  for (int c = 0; c < 3; ++c)
  {
    motion.a[c]  = chain->r[i].at[c].ab - chain->arm->gravity[c];
    motion.w[c]  = chain->w[i].at[c].f;
    motion.wd[c] = chain->w[i].at[c].a;
    for (int k = 0; k < 3; ++k) motion.W[3 * c + k] = chain->W[i].at[c][k].f;
  }
  return motion;
}

static void full_inertia(const double I[6], double out[9])
{
  const double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  for (int k = 0; k < 9; ++k) out[k] = full[k];
}

// (1): half the sum of m a^2 over all points of all links
static double gibbs_of_points(const Chain* chain)
{
  double sum = 0;
  for (int i = 0; i < chain->arm->n; ++i)
    for (int p = 0; p < ARM_POINTS; ++p)
    {
      const ArmPoint* point = &chain->arm->point[i][p];
      double a[3];
      for (int c = 0; c < 3; ++c)
      {
        a[c] = chain->r[i].at[c].ab - chain->arm->gravity[c];
        for (int k = 0; k < 3; ++k)
          a[c] += chain->W[i].at[c][k].ab * (point->at[k] - chain->arm->joint[i].link.com[k]);
      }
      sum += point->mass * lw_dot(a, a) / 2;
    }
  return sum;
}

// The three terms of (2) and (3), in whatever axes
static double gibbs_of_body(double m, const double I[9], const double a[3], const double w[3],
                            const double wd[3])
{
  double Iwd[3], Iw[3], turning[3];
  lw_rotate(I, wd, Iwd);
  lw_rotate(I, w, Iw);
  lw_cross(w, Iw, turning);
  return m * lw_dot(a, a) / 2 + lw_dot(wd, Iwd) / 2 + lw_dot(wd, turning);
}

// (2), rotated into the base, and (3), in the axes of the links; summed up by (4)
static void gibbs_of_bodies(const Chain* chain, double* in_base, double* in_links)
{
  *in_base = *in_links = 0;
  for (int i = 0; i < chain->arm->n; ++i)
  {
    const lwLinkDef* link = &chain->arm->joint[i].link;
    GibbsMotion m         = motion_of(chain, i);
    double I[9], half[9], back[9], turned[9], a[3], w[3], wd[3];
    full_inertia(link->inertia, I);
    lw_rotation_transpose(m.W, back);
    lw_rotation_product(m.W, I, half);
    lw_rotation_product(half, back, turned);
    *in_base += gibbs_of_body(link->mass, turned, m.a, m.w, m.wd);
    lw_rotate_back(m.W, m.a, a);
    lw_rotate_back(m.W, m.w, w);
    lw_rotate_back(m.W, m.wd, wd);
    *in_links += gibbs_of_body(link->mass, I, a, w, wd);
  }
}

// (1) less (2) is f(w), which no acceleration changes: its change from one motion to another,
// of the same state.
static double rest_error(const Arm* arm, lwRandom* random)
{
  Arm other = *arm;
  Chain one, two;
  double first, second, unused;
  for (int i = 0; i < arm->n; ++i) other.qdd[i] = lw_random_between(random, -3, 3);
  chain_in_time(&one, arm);
  chain_in_time(&two, &other);
  gibbs_of_bodies(&one, &first, &unused);
  gibbs_of_bodies(&two, &second, &unused);
  double a = gibbs_of_points(&one), b = gibbs_of_points(&two);
  return fabs((a - first) - (b - second)) / fmax(fabs(a), fabs(b));
}

static double library_error(Page* page, const Arm* arm)
{
  Chain chain;
  lwModel* model                             = NULL;
  lwWorkspace* ws                            = NULL;
  double answer[1 + ARM_JOINTS * ARM_JOINTS] = {0};
  chain_in_time(&chain, arm);
  page_check(page, arm_model(arm, &model));
  if (page->status == DONE) page_check(page, lw_workspace_create(model, NULL, NULL, &ws));
  if (page->status == DONE) lw_gibbs(model, ws, arm->q, arm->qd, arm->qdd, answer);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  double points = gibbs_of_points(&chain);
  return fabs(points - answer[0]) / points;
}

// (10) to (12) against I wd + w x (I w), relative to the largest entry
static double moment_error(const double inertia[6], const double w[3], const double wd[3])
{
  double I[9], J[9], product[9], Iw[3], Iwd[3], turning[3], worst = 0, size = 0;
  const double tilde[9]    = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
  const double wd_tilde[9] = {0, -wd[2], wd[1], wd[2], 0, -wd[0], -wd[1], wd[0], 0};
  double square[9], Omega[9];
  full_inertia(inertia, I);
  lw_rotation_product(tilde, tilde, square);
  for (int k = 0; k < 9; ++k)
  {
    J[k]     = (k % 4 == 0 ? (I[0] + I[4] + I[8]) / 2 : 0) - I[k];  // (11)
    Omega[k] = wd_tilde[k] + square[k];                             // (12)
  }
  lw_rotation_product(Omega, J, product);
  lw_rotate(I, w, Iw);
  lw_rotate(I, wd, Iwd);
  lw_cross(w, Iw, turning);
  static const int row[3] = {2, 0, 1}, column[3] = {1, 2, 0};  // of t in its tensor
  for (int c = 0; c < 3; ++c)
  {
    double t = product[3 * row[c] + column[c]] - product[3 * column[c] + row[c]];  // (10)
    worst    = fmax(worst, fabs(t - Iwd[c] - turning[c]));
    size     = fmax(size, fabs(Iwd[c]) + fabs(turning[c]));
  }
  return worst / size;
}

void mata2002_gibbs(Page* page)
{
  lwRandom random = {19};
  double points = 0, axes = 0, rest = 0, moments = 0;
  for (int k = 0; k < ARMS && page->status == DONE; ++k)
  {
    Arm arm;
    Chain chain;
    double in_base, in_links;
    arm_random(&arm, &random, 2 + k % 6, k % 2 ? ARM_MIXED : ARM_REVOLUTE);
    chain_in_time(&chain, &arm);
    gibbs_of_bodies(&chain, &in_base, &in_links);
    points        = fmax(points, library_error(page, &arm));
    axes          = fmax(axes, fabs(in_base - in_links) / fabs(in_links));
    rest          = fmax(rest, rest_error(&arm, &random));
    GibbsMotion m = motion_of(&chain, arm.n - 1);
    moments       = fmax(moments, moment_error(arm.joint[arm.n - 1].link.inertia, m.w, m.wd));
  }
  page_measure_one(page, "equations/particles", points);
  page_measure_one(page, "equations/rest", rest);
  page_measure_one(page, "equations/axes", axes);
  page_measure_one(page, "equations/moments", moments);
}
