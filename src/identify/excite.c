// SPDX-License-Identifier: MIT
// Motions that make identification well conditioned: Fourier series (Swevers et al. 1997),
// at rest at both ends. Position, speed and acceleration keep their limits by
// construction, torque and floor by a penalty.
//
//   q = middle + amplitude sum_h (a_h sin(h w t) + b_h cos(h w t))
//   sum h a_h = 0, sum h^2 b_h = 0
//
// With loops or rolling rows the series are those of the speeds that drives move, lw_model_speed();
// the other joints follow, and keep their limits by a penalty.
//
// A step is kept if it lowers log(condition) + penalty; step lengths adapt to
// the rate of success (Rechenberg 1973).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/diag.h"
#include "base/random.h"
#include "base/units.h"
#include "identify/base_parameters.h"
#include "linear/lapack.h"
#include "linear/vectors.h"
#include "linkwork/trajectory.h"
#include "loop/loop_workspace.h"
#include "math/elementary.h"

enum
{
  GRID       = 120,   // samples of a period that are looked at
  STARTS     = 20,    // random motions, the best of which is improved
  HARMONICS  = 20,    // at most
  STEPS      = 2,     // of the joints that follow, from a sample to the next
  APPROACH   = 10,    // steps, of these, from where the file closes the loops to the beginning
  NODES      = 2000,  // positions of a period that are kept where joints follow
  RANGE_TURN = 3,     // rad, and
  RANGE_MOVE = 1      // m: range of a joint without limits
};

static const double MARGIN     = 0.95;  // of every limit is used
static const double UNREACHED  = 1e6;   // score of a motion that joints cannot follow
static const double LEAST_PART = 0.05;  // of its range a joint must be able to swing to either side

// --- how high the shapes of the links are above the floor

typedef struct Floor
{
  const lwModel* model;
  lwWorkspace* ws;
  double up[3];   // in the base frame, against gravity; z without
  double height;  // of the floor along it, m
  bool known;     // a link that moves has a shape
} Floor;

// Half the sides of the box around a shape whose origin is in its middle; false: not known.
static bool half_box(const lwShape* shape, double half[3])
{
  const double* size = shape->size;
  switch (shape->kind)
  {
    case LW_SHAPE_BOX:
      for (int k = 0; k < 3; ++k) half[k] = size[k] / 2;
      return true;
    case LW_SHAPE_CYLINDER:
      half[0] = half[1] = size[0];
      half[2]           = size[1] / 2;
      return true;
    case LW_SHAPE_SPHERE:
      half[0] = half[1] = half[2] = size[0];
      return true;
    case LW_SHAPE_MESH:
    default:
      return false;
  }
}

// Lowest point along `up`, given in the axes of the link, of a link's shapes;
// infinite where none is known.
static double lowest_of(const lwLinkDef* link, const double up[3])
{
  double lowest = INFINITY;
  for (int s = 0; s < link->shape_count; ++s)
  {
    double half[3], R[9], height = 0;
    if (!half_box(&link->shapes[s], half)) continue;
    lw_rotation_rpy(link->shapes[s].rpy, R);
    for (int k = 0; k < 3; ++k)
    {
      double along = R[k] * up[0] + R[3 + k] * up[1] + R[6 + k] * up[2];
      height += up[k] * link->shapes[s].xyz[k] - fabs(along) * half[k];
    }
    lowest = fmin(lowest, height);
  }
  for (int corner = 0; link->bulk && corner < 8; ++corner)
  {
    double height = 0;
    for (int k = 0; k < 3; ++k)
      height += up[k] * (corner >> k & 1 ? link->bulk->high[k] : link->bulk->low[k]);
    lowest = fmin(lowest, height);
  }
  return lowest;
}

// Carried by a moving joint that does not stand on the base.
static bool may_collide(const lwRobotDef* robot, int i)
{
  int moving = 0;
  for (; i != LW_BASE; i = robot->joints[i].parent)
    moving += robot->joints[i].type != LW_JOINT_FIXED;
  return moving > 1;
}

// The floor is where the shapes of the base end, or at its origin. LW_ERROR_MEMORY or LW_OK.
static lwStatus floor_create(Floor* floor, const lwModel* model)
{
  const lwRobotDef* robot = lw_model_robot(model);
  const double* g         = robot->gravity;
  double size             = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  lwWorkspaceDef def      = lw_workspace_def();
  *floor                  = (Floor){.model = model, .up = {0, 0, 1}};
  for (int k = 0; k < 3 && size > 0; ++k) floor->up[k] = -g[k] / size;
  double lowest = lowest_of(&robot->base, floor->up);
  floor->height = isfinite(lowest) ? lowest : 0;
  for (int i = 0; i < robot->count; ++i)
    floor->known = floor->known || (may_collide(robot, i) &&
                                    isfinite(lowest_of(&robot->joints[i].link, floor->up)));
  def.questions = LW_ASKS(LW_QUESTION_POSE);
  return lw_workspace_create(model, &def, NULL, &floor->ws);
}

// Least height of the shapes of the links above the floor, m. Links of joints on the base do not
// count: they may stand in it.
static double floor_clearance(const Floor* floor, const double* q)
{
  const lwRobotDef* robot = lw_model_robot(floor->model);
  double least            = INFINITY;
  for (int i = 0; i < robot->count && floor->known; ++i)
  {
    double p[3], R[9], up[3];
    if (!may_collide(robot, i)) continue;
    if (lw_workspace_set_frame(floor->ws, floor->model, &(lwFrame){.joint = i}, NULL) != LW_OK)
      continue;
    lw_pose(floor->model, floor->ws, q, p, R);
    double height = -floor->height;
    for (int k = 0; k < 3; ++k)
    {
      height += floor->up[k] * p[k];
      up[k] = R[k] * floor->up[0] + R[3 + k] * floor->up[1] + R[6 + k] * floor->up[2];
    }
    least = fmin(least, height + lowest_of(&robot->joints[i].link, up));
  }
  return least;
}

// --- the motion

typedef struct Series
{
  double middle, amplitude;
  double a[HARMONICS], b[HARMONICS];
} Series;

struct lwExcitation
{
  const lwModel* model;
  lwExciteDef def;
  int n;
  int speeds;      // that have series; without loops n
  double w;        // rad/s, of the first harmonic
  double reach;    // part of the ranges of joints that series use; 1 without loops
  lwLoops* loops;  // NULL: a tree
  double* nodes;   // (NODES + 1, nq) positions of the best motion
  Series* series;  // (n) the best
  Series* trial;   // (n)
  lwExcitationSummary summary;
  // of the search:
  lwStatus failed;  // no memory, for LAPACK
  lwWorkspace* ws;
  lwRegressor* regressor;
  lwUnknowns unknowns;
  lwBaseParameters base;
  Floor floor;
  double *Y, *W;         // (n, unknowns), (n GRID, base) column by column
  double *q, *qd, *qdd;  // (nq), (n), (n)
  double* before;        // (nq)
  double *tau, *load;    // (n)
  double *x, *next;      // (n, 2 harmonics + 2) variables
};

lwExciteDef lw_excite_def(void)
{
  return (lwExciteDef){
      .duration = 20, .harmonics = 10, .tries = 500, .seed = 1, .cookie = LW_COOKIE};
}

// --- series

static void series_at(const lwExcitation* e, const Series* series, double t, double out[3])
{
  out[0] = series->middle;
  out[1] = out[2] = 0;
  for (int h = 0; h < e->def.harmonics; ++h)
  {
    double w = e->w * (h + 1), s = lw_sin(w * t), c = lw_cos(w * t);
    out[0] += series->amplitude * (series->a[h] * s + series->b[h] * c);
    out[1] += series->amplitude * w * (series->a[h] * c - series->b[h] * s);
    out[2] -= series->amplitude * w * w * (series->a[h] * s + series->b[h] * c);
  }
}

// sin(|d|/2) / |d| and its first two derivatives by s = d.d, as power series, |d| < 2 pi.
static void turn_factors(double s, double f[3])
{
  double term = 0.5, power[3] = {1, 0, 0};  // of s^k and its derivatives
  f[0] = f[1] = f[2] = 0;
  for (int k = 0; k < 20; ++k)
  {
    for (int d = 0; d < 3; ++d) f[d] += term * power[d];
    power[2] = s * power[2] + 2 * power[1];
    power[1] = s * power[1] + power[0];
    power[0] *= s;
    term /= -4.0 * (2 * k + 2) * (2 * k + 3);
  }
}

// The quaternion exp(d), and its first two derivatives by time, from those of d (3, 3).
static void turn_at(const double d[3][3], double Q[3][4])
{
  double s = lw_dot_product(3, d[0], d[0]), s1 = 2 * lw_dot_product(3, d[0], d[1]), f[3];
  double s2 = 2 * (lw_dot_product(3, d[1], d[1]) + lw_dot_product(3, d[0], d[2]));
  turn_factors(s, f);
  double f1 = f[1] * s1, f2 = f[2] * s1 * s1 + f[1] * s2;
  for (int k = 0; k < 3; ++k)
  {
    Q[0][k] = f[0] * d[0][k];
    Q[1][k] = f1 * d[0][k] + f[0] * d[1][k];
    Q[2][k] = f2 * d[0][k] + 2 * f1 * d[1][k] + f[0] * d[2][k];
  }
  Q[0][3] = lw_cos(sqrt(s) / 2);  // its derivative by s is -f / 4
  Q[1][3] = -f[0] * s1 / 4;
  Q[2][3] = -(f1 * s1 + f[0] * s2) / 4;
}

// 2 Q^-1 P of a unit quaternion Q: the angular velocity, if P is its rate, and its rate, if P is the
// second.
static void turn_rate(const double Q[4], const double P[4], double out[3])
{
  for (int k = 0; k < 3; ++k)
  {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    out[k] = 2 * (Q[3] * P[k] - P[3] * Q[k] - (Q[a] * P[b] - Q[b] * P[a]));
  }
}

// Whether freedom i has a series of its own: the others follow.
static bool has_series(const lwModel* model, int i)
{
  for (int a = 0; a < lw_model_mobility(model); ++a)
    if (lw_model_speed(model, a) == i) return true;
  return false;
}

// Series of freedoms are positions; those of a ball joint are a rotation vector. Positions of joints
// that follow stay as they are, their velocities are 0.
static void series_motion(const lwExcitation* e, const Series* series, double t, double* q,
                          double* qd, double* qdd)
{
  for (int i = 0; i < e->n; ++i)
  {
    double out[3] = {0};
    int at        = lw_model_velocity(e->model, i).other;
    bool follows  = e->loops && !e->loops->is_speed[i];
    if (!follows) series_at(e, &series[i], t, out);
    if (at >= 0 && !follows) q[at] = out[0];
    qd[i]  = out[1];
    qdd[i] = out[2];
  }
  for (int k = 0; k < e->model->ball_count; ++k)
  {
    int v = e->model->balls[k].v;
    double d[3][3], Q[3][4], out[3];
    if (e->loops && !e->loops->is_speed[v]) continue;
    for (int i = 0; i < 3; ++i)
    {
      series_at(e, &series[v + i], t, out);
      for (int order = 0; order < 3; ++order) d[order][i] = out[order];
    }
    turn_at(d, Q);
    memcpy(q + e->model->balls[k].q, Q[0], sizeof Q[0]);
    turn_rate(Q[0], Q[1], qd + v);
    turn_rate(Q[0], Q[2], qdd + v);
  }
}

// The motion at time t; with loops from the position e->before, at a time shortly before, where the
// other joints follow. False: they cannot.
static bool motion_at(const lwExcitation* e, const Series* series, double t, double* q, double* qd,
                      double* qdd)
{
  if (e->loops) memcpy(q, e->before, (size_t)e->model->nq * sizeof *q);
  series_motion(e, series, t, q, qd, qdd);
  return !e->loops || (lw_loops_follow_position(e->loops, e->before, q) == LW_OK &&
                       lw_loops_follow_speeds(e->loops, q, qd, qdd) == LW_OK);
}

// e->before at the beginning of a motion, from where the file closes the loops; what rolls begins
// there.
static bool begin_motion(const lwExcitation* e, const Series* series)
{
  size_t bytes = (size_t)e->model->nq * sizeof(double);
  if (!e->loops) return true;
  const double* start = e->loops->set->start;
  for (int k = 1; k <= APPROACH; ++k)
  {
    double part = (double)k / APPROACH;
    if (k == 1) memcpy(e->before, start, bytes);
    memcpy(e->q, e->before, bytes);
    series_motion(e, series, 0, e->q, e->qd, e->qdd);
    lw_model_difference(e->model, start, e->q, e->load);
    for (int i = 0; i < e->n; ++i) e->load[i] *= part;
    if (e->loops->set->shut > 0) lw_model_integrate(e->model, start, e->load, e->q);
    if (e->loops->set->shut > 0 && lw_loops_follow_position(e->loops, e->before, e->q) != LW_OK)
      return false;
    memcpy(e->before, e->q, bytes);
  }
  return true;
}

// From time `from` to `to` in steps; e->before becomes the position there, e->q and so on the motion.
static bool follow_motion(const lwExcitation* e, const Series* series, double from, double to,
                          int steps)
{
  for (int k = e->loops ? 1 : steps; k <= steps; ++k)
  {
    if (!motion_at(e, series, from + (to - from) * k / steps, e->q, e->qd, e->qdd)) return false;
    if (e->loops) memcpy(e->before, e->q, (size_t)e->model->nq * sizeof *e->q);
  }
  return true;
}

// Positions of the joints that follow, so that the motion can be had at any time.
static bool keep_nodes(lwExcitation* e)
{
  size_t nq   = (size_t)e->model->nq;
  double step = e->def.duration / NODES;
  if (!begin_motion(e, e->series)) return false;
  for (int k = 0; k <= NODES; ++k)
  {
    if (k > 0 && !follow_motion(e, e->series, (k - 1) * step, k * step, 1)) return false;
    memcpy(e->nodes + (size_t)k * nq, e->before, nq * sizeof *e->nodes);
  }
  return true;
}

void lw_excitation_at(const lwExcitation* excitation, double t, double* q, double* qd, double* qdd)
{
  const lwExcitation* e = excitation;
  size_t nq             = (size_t)e->model->nq;
  double at             = fmin(fmax(t / e->def.duration, 0), 1) * NODES;
  if (e->loops) memcpy(e->before, e->nodes + (size_t)at * nq, nq * sizeof *e->before);
  motion_at(e, e->series, t, q, qd, qdd);
}

// Removes from the coefficients what would move at t = 0: the parts along h and along h^2.
static void rest_at_start(Series* series, int harmonics)
{
  double va = 0, vb = 0, hh = 0, h4 = 0;
  for (int h = 0; h < harmonics; ++h)
  {
    double k = h + 1;
    va += k * series->a[h];
    vb += k * k * series->b[h];
    hh += k * k;
    h4 += k * k * k * k;
  }
  for (int h = 0; h < harmonics; ++h)
  {
    double k = h + 1;
    series->a[h] -= va * k / hh;
    series->b[h] -= vb * k * k / h4;
  }
}

static void joint_range(const lwModel* model, int i, double* low, double* high)
{
  const lwLimits* limits = &lw_model_joint_def(model, i)->limits;
  double usual           = lw_model_velocity(model, i).slides ? RANGE_MOVE : RANGE_TURN;
  *low                   = limits->lower;
  *high                  = limits->upper;
  if (!isfinite(*low) && !isfinite(*high)) *low = -usual / 2, *high = usual / 2;
  if (!isfinite(*low)) *low = *high - usual;
  if (!isfinite(*high)) *high = *low + usual;
}

// Where the series of freedom i may go: with loops a part of its range, about where the file closes
// them.
static void series_range(const lwExcitation* e, int i, double* low, double* high)
{
  joint_range(e->model, i, low, high);
  int at = lw_model_velocity(e->model, i).other;
  if (!e->loops || at < 0) return;
  const lwLimits* limits = &lw_model_joint_def(e->model, i)->limits;
  double start = e->loops->set->start[at], half = (*high - *low) / 2;
  if (!isfinite(limits->lower)) *low = start - half;
  if (!isfinite(limits->upper)) *high = start + half;
  *low  = start + e->reach * (*low - start);
  *high = start + e->reach * (*high - start);
}

// The angular velocity of a ball joint is not longer than the rate of its rotation vector, so that
// every entry of it keeps the limit if those of the rate stay below 1 / sqrt(3) of it.
static double speed_limit(const lwExcitation* e, int i)
{
  double limit = lw_model_joint_def(e->model, i)->limits.velocity;
  bool plain   = lw_model_velocity(e->model, i).other >= 0;
  if (e->def.velocity) limit = fmin(limit, e->def.velocity[i]);
  return (isfinite(limit) ? limit : 2) * (plain ? 1 : sqrt(1.0 / 3));
}

static double acceleration_limit(const lwExcitation* e, int i)
{
  return e->def.acceleration ? e->def.acceleration[i] : 10;
}

// The sine of the first harmonic, amplitude A, has the speed A w and the acceleration A w^2.
double lw_excite_least_duration(const lwModel* model, const lwExciteDef* def, int* joint)
{
  lwExcitation e = {.model = model, .def = *def, .n = lw_model_dof(model)};
  double least   = 0;
  *joint         = 0;
  for (int i = 0; i < e.n; ++i)
  {
    double low, high;
    if (!has_series(model, i)) continue;
    joint_range(model, i, &low, &high);
    double swing = LEAST_PART * (high - low);
    double duration =
        2 * LW_PI * fmax(swing / speed_limit(&e, i), sqrt(swing / acceleration_limit(&e, i)));
    if (duration > least) least = duration, *joint = i;
  }
  return least;
}

// The series of joint i that its variables stand for: coefficients,
// amplitude and middle, within limits.
static void shape_series(const lwExcitation* e, int i, const double* x, Series* series)
{
  int harmonics = e->def.harmonics;
  double low, high, most[3] = {0}, period = 2 * LW_PI / e->w;
  *series = (Series){.amplitude = 1};
  for (int h = 0; h < harmonics; ++h)
  {
    series->a[h] = x[2 * h] / (h + 1);
    series->b[h] = x[2 * h + 1] / (h + 1);
  }
  rest_at_start(series, harmonics);
  for (int k = 0; k < 4 * GRID; ++k)
  {
    double out[3];
    series_at(e, series, period * k / (4 * GRID), out);
    for (int d = 0; d < 3; ++d) most[d] = fmax(most[d], fabs(out[d]));
  }
  series_range(e, i, &low, &high);
  double acceleration = acceleration_limit(e, i);
  double part = 0.1 + 0.9 / (1 + lw_exp(-x[2 * harmonics])), half = MARGIN * (high - low) / 2;
  double amplitude = fmin(
      half / most[0], fmin(MARGIN * speed_limit(e, i) / most[1], MARGIN * acceleration / most[2]));
  series->amplitude = part * amplitude;
  series->middle    = (low + high) / 2 + (1 - 2 / (lw_exp(2 * x[2 * harmonics + 1]) + 1)) *
                                          (half - series->amplitude * most[0]);
}

// --- how good a motion is

// The torque of each drive, friction and rotors included, into e->tau.
static void exciting_torques(lwExcitation* e)
{
  lwWorkspace* ws = e->loops ? lw_loops_workspace(e->loops) : e->ws;
  lw_inverse_dynamics(e->model, ws, e->q, e->qd, e->qdd, e->load);
  for (int i = 0; i < e->n; ++i)
  {
    const lwJointDef* joint = lw_model_joint_def(e->model, i);
    double qd               = e->qd[i];
    e->tau[i] = e->load[i] + joint->friction.viscous * qd + joint->friction.coulomb * (qd > 0) -
                joint->friction.coulomb * (qd < 0) + lw_joint_rotor(joint) * e->qdd[i];
  }
  if (!e->loops) return;
  memcpy(e->load, e->tau, (size_t)e->n * sizeof *e->load);
  lw_loops_balance(e->loops, e->q, e->load, e->tau, NULL);
}

// The amount by which a joint that follows is beyond its limits.
static double follower_excess(const lwExcitation* e, int i)
{
  const lwLimits* limits = &lw_model_joint_def(e->model, i)->limits;
  double excess =
      fmax(fabs(e->qd[i]) / speed_limit(e, i), fabs(e->qdd[i]) / acceleration_limit(e, i));
  int at       = lw_model_velocity(e->model, i).other;
  double range = limits->upper - limits->lower;
  excess       = fmax(0, excess - MARGIN);
  if (at < 0 || !isfinite(range)) return excess;
  double beyond = fmax(limits->lower - e->q[at], e->q[at] - limits->upper) / range;
  return fmax(excess, beyond + 0.01);
}

// The amount beyond torque limits or below the floor, and of joints that follow beyond any.
static double excess_at(lwExcitation* e, lwExcitationSummary* summary)
{
  double excess = 0;
  exciting_torques(e);
  for (int i = 0; i < e->n; ++i)
  {
    double effort = lw_model_joint_def(e->model, i)->limits.effort, tau = e->tau[i];
    if (e->loops && !e->loops->is_speed[i])
      excess = fmax(excess, follower_excess(e, i));
    else if (lw_model_velocity(e->model, i).other < 0)  // its limit is that of the rotation vector
      excess = fmax(excess, fabs(e->qdd[i]) / acceleration_limit(e, i) - 1);
    if (!isfinite(effort) || !(effort > 0)) continue;
    summary->effort = fmax(summary->effort, fabs(tau) / effort);
    excess          = fmax(excess, fabs(tau) / effort - MARGIN);
  }
  if (!e->floor.known) return excess;
  double height   = floor_clearance(&e->floor, e->q);
  summary->height = fmin(summary->height, height);
  return fmax(excess, (0.01 - height) * 10);
}

static double condition_of(lwExcitation* e)
{
  size_t m = (size_t)e->speeds * GRID, count = (size_t)e->base.count;
  for (size_t c = 0; c < count; ++c)
  {
    double square = 0;
    for (size_t k = 0; k < m; ++k) square += e->W[c * m + k] * e->W[c * m + k];
    for (size_t k = 0; k < m && square > 0; ++k) e->W[c * m + k] /= sqrt(square);
  }
  lwStatus status = lw_lapack_qr((int)m, (int)count, e->W, 0, NULL);
  if (status == LW_ERROR_MEMORY) e->failed = status;
  if (status != LW_OK) return INFINITY;
  for (size_t j = 0; j < count; ++j)  // R alone, packed in place: column j begins at j count <= j m
    for (size_t i = 0; i < count; ++i) e->W[j * count + i] = i <= j ? e->W[j * m + i] : 0;
  double condition = INFINITY;
  if (lw_lapack_condition((int)count, e->W, &condition) == LW_ERROR_MEMORY)
    e->failed = LW_ERROR_MEMORY;
  return condition;
}

// log10 of the condition number of the trial, and ten for every unit of excess.
static double judge_motion(lwExcitation* e, lwExcitationSummary* summary)
{
  size_t m = (size_t)e->speeds * GRID, p = (size_t)e->unknowns.count;
  double excess = 0, period = 2 * LW_PI / e->w;
  summary->effort = 0;
  summary->height = INFINITY;
  summary->after  = 1;
  bool moves      = begin_motion(e, e->trial);
  for (int k = 0; k < GRID; ++k)
  {
    lwStates state = {.q = e->q, .qd = e->qd, .qdd = e->qdd};
    int before     = k > 0 ? k - 1 : 0;
    moves = moves && follow_motion(e, e->trial, period * before / GRID, period * k / GRID, STEPS);
    if (moves) excess = fmax(excess, excess_at(e, summary));
    if (!moves || !lw_regressor_rows(e->regressor, &e->unknowns, &state, e->Y)) return UNREACHED;
    for (size_t c = 0; c < (size_t)e->base.count; ++c)
      for (size_t i = 0; i < (size_t)e->speeds; ++i)
        e->W[c * m + i * GRID + (size_t)k] = e->Y[i * p + (size_t)e->base.kept[c]];
  }
  summary->after = condition_of(e);
  return lw_log10(summary->after) + (excess > 0 ? 1 + 10 * excess : 0);
}

// --- the search

static double normal_number(lwRandom* random)
{
  double u = lw_random_between(random, 1e-300, 1);
  return sqrt(-2 * lw_log(u)) * lw_cos(2 * LW_PI * lw_random_between(random, 0, 1));
}

// False: no motion within the limits was found.
static bool search_motion(lwExcitation* e)
{
  int width       = 2 * e->def.harmonics + 2;
  lwRandom random = {e->def.seed};
  double best = INFINITY, length = 0.5;
  for (int k = 0; k < e->def.tries && e->failed == LW_OK; ++k)
  {
    lwExcitationSummary summary = {.parameters = e->base.count};
    bool start                  = k < STARTS;
    int chosen = lw_model_speed(e->model, (int)lw_random_between(&random, 0, e->speeds));
    for (int v = 0; v < e->n * width; ++v)
    {
      bool moves = start || v / width == chosen || e->speeds < 3;
      e->next[v] =
          (start ? 0 : e->x[v]) + (moves ? (start ? 1 : length) * normal_number(&random) : 0);
    }
    for (int a = 0; a < e->speeds; ++a)
    {
      int i = lw_model_speed(e->model, a);
      shape_series(e, i, e->next + i * width, &e->trial[i]);
    }
    double score = judge_motion(e, &summary);
    if (!(e->summary.before > 0) && score < UNREACHED) e->summary.before = summary.after;
    summary.before = e->summary.before;
    bool better    = score < best;
    if (better)
    {
      best       = score;
      e->summary = summary;
      memcpy(e->series, e->trial, (size_t)e->n * sizeof *e->series);
      memcpy(e->x, e->next, (size_t)(e->n * width) * sizeof *e->x);
    }
    if (!start) length = fmin(fmax(length * (better ? 1.5 : 0.92), 0.02), 2);
  }
  return best <= lw_log10(e->summary.after) + 1e-9;
}

// A random motion within reach into e->trial, and its positions at the samples into e->nodes. False:
// joints cannot follow it.
static bool follow_random(lwExcitation* e, lwRandom* random)
{
  int width     = 2 * e->def.harmonics + 2;
  size_t nq     = (size_t)e->model->nq;
  double period = 2 * LW_PI / e->w;
  for (int v = 0; v < e->n * width; ++v) e->next[v] = normal_number(random);
  for (int a = 0; a < e->speeds; ++a)
  {
    int i = lw_model_speed(e->model, a);
    shape_series(e, i, e->next + i * width, &e->trial[i]);
  }
  if (!begin_motion(e, e->trial)) return false;
  for (int k = 0; k < GRID; ++k)
  {
    int before = k > 0 ? k - 1 : 0;
    if (!follow_motion(e, e->trial, period * before / GRID, period * k / GRID, STEPS)) return false;
    memcpy(e->nodes + (size_t)k * nq, e->before, nq * sizeof *e->nodes);
  }
  return true;
}

// How far joints may swing so that the others can follow: halves the ranges until a quarter of some
// random motions can be followed. e->nodes has positions of one of them, or LW_ERROR_NUMERICAL.
static lwStatus find_reach(lwExcitation* e)
{
  lwRandom random = {e->def.seed};
  for (e->reach = 1; e->reach > LEAST_PART; e->reach /= 2)
  {
    int followed = 0, tries = 0;
    while (tries < STARTS && 4 * followed < STARTS) followed += follow_random(e, &random), ++tries;
    if (4 * followed >= STARTS) return LW_OK;
  }
  return LW_ERROR_NUMERICAL;
}

// --- beginning

static lwStatus begin_search(lwExcitation* e)
{
  lwIdentifyDef def = lw_identify_def();
  size_t n = (size_t)e->n, width = 2 * (size_t)e->def.harmonics + 2;
  bool* all   = malloc(n + 1);
  def.viscous = def.coulomb = true;
  for (int i = 0; i < e->n; ++i)
    def.rotors = def.rotors || lw_joint_rotor(lw_model_joint_def(e->model, i)) > 0;
  if (all) memset(all, 1, n + 1);
  lwStatus status = all ? lw_unknowns_create(&e->unknowns, e->model, &def, all) : LW_ERROR_MEMORY;
  free(all);
  if (status != LW_OK) return status;
  size_t p               = (size_t)e->unknowns.count;
  e->series              = calloc(n + 1, sizeof *e->series);
  e->trial               = calloc(n + 1, sizeof *e->trial);
  const lwArray arrays[] = {{&e->Y, n * p},
                            {&e->W, n * GRID * p},
                            {&e->q, (size_t)lw_model_nq(e->model)},
                            {&e->qd, n},
                            {&e->qdd, n},
                            {&e->tau, n},
                            {&e->x, n * width},
                            {&e->next, n * width},
                            {&e->before, (size_t)lw_model_nq(e->model)},
                            {&e->load, n},
                            {0}};
  return e->series && e->trial && lw_arrays_take(NULL, arrays) ? LW_OK : LW_ERROR_MEMORY;
}

static lwStatus check_excite(const lwModel* model, const lwExciteDef* def, lwDiag* diag)
{
  lwStatus status = lw_def_check(def->cookie, "lw_excite_def()", diag);
  if (status == LW_OK) status = lw_lapack_needed("finding an exciting motion", diag);
  if (status != LW_OK) return status;
  for (int a = 0; a < lw_model_mobility(model); ++a)
    if (!lw_model_is_driven(model, lw_model_speed(model, a)))
      return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                       "joint '%s' moves on its own: no drive moves it along an exciting motion",
                       lw_model_velocity(model, lw_model_speed(model, a)).name);
  if (lw_model_dof(model) < 1)
    return lw_refuse(diag, LW_ERROR_METHOD, NULL, "no joint of '%.60s' moves", model->robot.name);
  for (int k = 0; k < model->ball_count; ++k)
    if (model->balls[k].floats && has_series(model, model->balls[k].v))
      return lw_refuse(diag, LW_ERROR_METHOD, "hold it, and excite the joints that drives move",
                       "joint '%.60s' floats: no drive moves it along an exciting motion",
                       model->robot.joints[model->positions[model->balls[k].q].joint].name);
  const char* fault = NULL;
  if (!(def->duration > 0) || !isfinite(def->duration))
    fault = "the duration of an exciting motion must be above 0";
  else if (def->duration < lw_excite_least_duration(model, def, &(int){0}))
    fault = "the duration is too short: a joint could move less than 5 % of its range either way";
  else if (def->harmonics < 2 || def->harmonics > HARMONICS || def->tries < 1)
    fault = "an exciting motion needs 2 to 20 harmonics and at least one try";
  return fault ? lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s", fault) : LW_OK;
}

// Base parameters: with loops those of positions of a motion, as others may close the loops in
// another way.
static lwStatus open_search(lwExcitation* e, lwDiag* diag)
{
  const lwModel* model = e->model;
  lwBaseStates states  = {.seed = 1};
  lwStatus status      = begin_search(e);
  if (status == LW_OK) status = lw_regressor_create(model, &e->regressor);
  if (status != LW_OK) return status;
  e->loops = lw_regressor_loops(e->regressor);
  if (e->loops)
  {
    e->nodes = calloc((NODES + 1) * (size_t)lw_model_nq(model), sizeof *e->nodes);
    status   = e->nodes ? find_reach(e) : LW_ERROR_MEMORY;
    states   = (lwBaseStates){.seed = 1, .q = e->nodes, .samples = GRID};
  }
  else
    status = lw_workspace_create(model, NULL, diag, &e->ws);
  if (status == LW_OK) status = floor_create(&e->floor, model);
  if (status == LW_OK) status = lw_base_at_random(&e->base, &e->unknowns, e->regressor, &states);
  return status;
}

lwStatus lw_excite(const lwModel* model, const lwExciteDef* def, lwDiag* diag,
                   lwExcitation** excitation)
{
  lwExciteDef usual = lw_excite_def();
  *excitation       = NULL;
  if (!def) def = &usual;
  lwStatus status = check_excite(model, def, diag);
  if (status != LW_OK) return status;
  lwExcitation* e = calloc(1, sizeof *e);
  if (!e) return LW_ERROR_MEMORY;
  e->model   = model;
  e->def     = *def;
  e->n       = lw_model_dof(model);
  e->w       = 2 * LW_PI / def->duration;
  e->speeds  = lw_model_mobility(model);
  e->reach   = 1;
  status     = open_search(e, diag);
  bool found = status == LW_OK && search_motion(e) && (!e->loops || keep_nodes(e));
  if (e->failed != LW_OK) status = e->failed;
  if (!found && (status == LW_OK || status == LW_ERROR_NUMERICAL))
    status =
        lw_refuse(diag, LW_ERROR_NUMERICAL, "allow less speed or acceleration, or another seed",
                  "no motion within the limits of torque%s was found in %d tries",
                  e->floor.known ? " and above the floor" : "", def->tries);
  e->def.velocity = e->def.acceleration = NULL;  // of the caller
  if (status == LW_OK)
    *excitation = e;
  else
    lw_excitation_destroy(e);
  return status;
}

void lw_excitation_destroy(lwExcitation* excitation)
{
  if (!excitation) return;
  free(excitation->series);
  free(excitation->trial);
  free(excitation->Y);
  free(excitation->nodes);
  lw_regressor_destroy(excitation->regressor);
  lw_workspace_destroy(excitation->ws);
  lw_unknowns_free(&excitation->unknowns);
  lw_base_free(&excitation->base);
  lw_workspace_destroy(excitation->floor.ws);
  free(excitation);
}

lwExcitationSummary lw_excitation_summary(const lwExcitation* excitation)
{
  return excitation->summary;
}
