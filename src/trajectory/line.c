// SPDX-License-Identifier: MIT
// A straight line in space (mata2002, 5.2), at constant speed or with ramps: q(s(t)), the joint
// path over the distance along the line, and that distance over time.
//
//   qd  = q' sd              J qd  = v
//   qdd = q'' sd^2 + q' sdd  J qdd = a - Jdot qd
#include <math.h>

#include "base/diag.h"
#include "math/rotation.h"
#include "model/model_internal.h"
#include "trajectory/path.h"
#include "trajectory/ramps.h"
#include "trajectory/trajectory_internal.h"
#include "trajectory/waypoints.h"

enum
{
  LEAST_CHECKS = 1000,  // of limits, in time
  GOLDEN_STEPS = 40     // of the search for the worst time between two of them
};

static const double ROUNDING = 1e-9;  // beyond a limit, that is not
static const double NEAR_LIMIT =
    0.05;  // parts of a velocity, rad or m, from where on to look closer

struct lwLine
{
  lwPath path;
  lwSegments way;  // s(t), m
  double* values;  // (3, nq) q, q', q''
};

// What is known while a line is made.
typedef struct Maker
{
  const lwModel* model;
  lwWorkspace* ws;
  const lwLineDef* def;
  lwDiag* diag;
  lwTrajectory* trajectory;
  lwLine* line;
  double* q;  // (nq + n) q, qd while limits are checked
} Maker;

lwLineDef lw_line_def(void)
{
  return (lwLineDef){.rotation     = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                     .acceleration = INFINITY,
                     .jerk         = INFINITY,
                     .cookie       = LW_COOKIE};
}

void lw_line_at(const lwLine* line, double t, double* q, double* qd, double* qdd)
{
  int n = line->path.task.n, nq = line->path.nq;
  double* q0 = line->values;
  double s[3];
  lw_segments_at(&line->way, t, s);
  lw_path_at((lwPath*)&line->path, fmin(fmax(s[0], 0), line->path.length), q0, q0 + nq,
             q0 + 2 * nq);
  for (int i = 0; q && i < nq; ++i) q[i] = q0[i];
  for (int i = 0; i < n; ++i)
  {
    double q1 = q0[nq + i], q2 = q0[2 * nq + i];
    if (qd) qd[i] = q1 * s[1];
    if (qdd) qdd[i] = q2 * s[1] * s[1] + q1 * s[2];
  }
}

// --- the line in space

static bool is_rotation(const double R[9])
{
  double back[9], one[9];
  lw_rotation_transpose(R, back);
  lw_rotation_product(R, back, one);
  for (int k = 0; k < 9; ++k)
    if (!(fabs(one[k] - (k % 4 == 0)) < 1e-6)) return false;
  double cross[3];
  lw_cross(R, R + 3, cross);
  return lw_dot(cross, R + 6) > 0;
}

// The rate of the Jacobian assumes joints that move one thing each. With mimic joints one column
// combines several; if these move the last link, the rate differs from differences of the Jacobian.
static bool joints_are_coupled(Maker* maker)
{
  lwTask* task = &maker->line->path.task;
  size_t n     = (size_t)task->n;
  size_t nq    = (size_t)maker->line->path.nq;
  double h = 1e-5, *q = maker->line->values, *qd = q + nq, *step = qd + nq, most = 0;
  if (maker->model->direct) return false;
  for (size_t i = 0; i < n; ++i) qd[i] = 1 / (1.0 + (double)i);
  lw_task_jacobian(task, maker->def->q);
  lw_task_jacobian_rate(task, qd);
  for (size_t k = 0; k < 6 * n; ++k) task->svd.B[k] = task->Jd[k];
  for (int side = -1; side <= 1; side += 2)
  {
    for (size_t i = 0; i < n; ++i) step[i] = side * h * qd[i];
    lw_model_integrate(maker->model, maker->def->q, step, q);
    lw_task_jacobian(task, q);
    for (size_t k = 0; k < 6 * n; ++k) task->svd.B[k] -= side * task->J[k] / (2 * h);
  }
  for (size_t k = 0; k < 6 * n; ++k) most = fmax(most, fabs(task->svd.B[k]));
  return most > 1e-6 * (1 + lw_task_size(task, maker->def->q));
}

static lwStatus lay_line(Maker* maker)
{
  const lwLineDef* def = maker->def;
  lwPath* path         = &maker->line->path;
  double back[9], turn[9];
  lw_pose(maker->model, maker->ws, def->q, path->p0, path->R0);
  for (int k = 0; k < 3; ++k) path->rate[k] = def->position[k] - path->p0[k];
  path->length = lw_length(path->rate);
  path->rows   = def->orientation == LW_ORIENTATION_FREE ? 3 : 6;
  path->size   = lw_task_size(&path->task, def->q);
  if (!(path->length > 1e-9 * path->size))
    return lw_refuse(
        maker->diag, LW_ERROR_INPUT, NULL,
        "the position at the end is that at the beginning; the move `rotate` of a cycle "
        "file turns in place");
  if (!isfinite(path->length))
    return lw_refuse(maker->diag, LW_ERROR_INPUT, NULL, "the end of the line is not finite");
  if (joints_are_coupled(maker))
    return lw_refuse(maker->diag, LW_ERROR_INPUT, NULL,
                     "joints that mimic others move the last link; a line cannot be planned");
  if (def->orientation == LW_ORIENTATION_TURNED)
  {
    if (!is_rotation(def->rotation))
      return lw_refuse(maker->diag, LW_ERROR_INPUT, NULL,
                       "the orientation at the end is no rotation");
    lw_rotation_transpose(path->R0, back);
    lw_rotation_product(def->rotation, back, turn);
    lw_rotation_log(turn, path->rate + 3);
  }
  for (int k = 0; k < 6; ++k) path->rate[k] /= path->length;
  return LW_OK;
}

static lwStatus follow_line(Maker* maker)
{
  const lwPath* path = &maker->line->path;
  double s;
  lwPathEnd end = lw_path_follow(&maker->line->path, &maker->trajectory->arena, maker->def->q, &s);
  if (end == LW_PATH_DONE) return LW_OK;
  if (end == LW_PATH_MEMORY) return LW_ERROR_MEMORY;
  const char* why = "the line leaves the reach of the arm, or the arm is singular there";
  if (end == LW_PATH_OFF && s == 0)
    why = "the arm cannot move in this direction: it is singular there, or has too few joints";
  return lw_refuse(maker->diag, LW_ERROR_INPUT, NULL,
                   "after %.6g of %.6g m, at (%.6g, %.6g, %.6g) m: %s", s, path->length,
                   path->p0[0] + s * path->rate[0], path->p0[1] + s * path->rate[1],
                   path->p0[2] + s * path->rate[2], why);
}

// --- the way over time

static double ramp_time(const Maker* maker, double speed)
{
  lwRamp ramp =
      lw_ramp(maker->line->path.length, speed, maker->def->acceleration, maker->def->jerk);
  return lw_ramp_duration(&ramp);
}

// The speed at which ramps and cruise take the given duration, by bisection: slower takes longer.
static double speed_for(const Maker* maker, double duration)
{
  double low = maker->line->path.length / duration, high = 2 * low;
  while (ramp_time(maker, high) > duration && high < 1e3 * low) high *= 2;
  for (int k = 0; k < 100; ++k)
  {
    double middle                                         = 0.5 * (low + high);
    *(ramp_time(maker, middle) > duration ? &low : &high) = middle;
  }
  return high;
}

static lwStatus lay_ramps(Maker* maker)
{
  const lwLineDef* def = maker->def;
  double length        = maker->line->path.length;
  double least         = def->duration > 0 ? ramp_time(maker, INFINITY) : 0;
  if (def->duration > 0 && def->duration < least * (1 - 1e-12))
    return lw_refuse(maker->diag, LW_ERROR_INPUT, NULL,
                     "%.6g s are too short for these ramps, expected at least %.6g s",
                     def->duration, least);
  double speed = def->duration > 0 ? speed_for(maker, def->duration) : def->speed;
  lwRamp ramp  = lw_ramp(length, speed, def->acceleration, def->jerk);
  double time  = def->duration > 0 ? def->duration : lw_ramp_duration(&ramp);
  lw_ramp_fill(&ramp, 0, length, 0, time, &maker->line->way);
  maker->trajectory->duration = time;
  return LW_OK;
}

static lwStatus lay_time(Maker* maker)
{
  const lwLineDef* def = maker->def;
  double length        = maker->line->path.length;
  lwSegments* way      = &maker->line->way;
  if (!lw_segments_take(way, &maker->trajectory->arena, LW_RAMP_PHASES)) return LW_ERROR_MEMORY;
  if (!isinf(def->acceleration) || !isinf(def->jerk)) return lay_ramps(maker);
  double time                 = def->duration > 0 ? def->duration : length / def->speed;
  way->piece[0]               = (lwSegment){0, time, {0, length / time}};
  way->count                  = 1;
  maker->trajectory->duration = time;
  return isfinite(time)
             ? LW_OK
             : lw_refuse(maker->diag, LW_ERROR_INPUT, NULL, "the duration is not finite");
}

// --- limits

static const lwLimits* limits_of(const Maker* maker, int i)
{
  return &lw_model_joint_def(maker->model, i)->limits;
}

// What must not grow too large during a trajectory, for one joint; 0 is at the limit.
typedef enum Excess
{
  EXCESS_SPEED,  // parts of the limit of velocity, beyond it
  EXCESS_ABOVE,  // rad or m beyond the upper limit
  EXCESS_BELOW,  // rad or m beyond the lower limit
  EXCESS_COUNT
} Excess;

// Of velocity i at the position q (nq) and velocity qd (n).
static double excess_of(const Maker* maker, int i, Excess what, const double* q, const double* qd)
{
  const lwLimits* limits = limits_of(maker, i);
  int at                 = lw_model_velocity(maker->model, i).other;
  if (what == EXCESS_SPEED) return fabs(qd[i]) / limits->velocity - 1;
  if (at < 0) return -INFINITY;  // ball and floating joints have no limits
  return what == EXCESS_ABOVE ? q[at] - limits->upper : limits->lower - q[at];
}

static double excess_at(const Maker* maker, int i, Excess what, double t)
{
  double* q  = maker->q;
  double* qd = q + maker->line->path.nq;
  lw_line_at(maker->line, t, q, qd, NULL);
  return excess_of(maker, i, what, q, qd);
}

// The largest excess between a and b, by golden section.
static double worst_between(const Maker* maker, int i, Excess what, double a, double b,
                            double* when)
{
  const double golden = 0.61803398874989485;
  for (int k = 0; k < GOLDEN_STEPS; ++k)
  {
    double x = b - golden * (b - a), y = a + golden * (b - a);
    if (excess_at(maker, i, what, x) > excess_at(maker, i, what, y))
      b = y;
    else
      a = x;
  }
  *when = 0.5 * (a + b);
  return excess_at(maker, i, what, *when);
}

static bool complain(Maker* maker, int i, Excess what, double excess, double t)
{
  const lwLimits* limits = limits_of(maker, i);
  const char *unit       = lw_waypoints_unit(maker->model, i),
             *name       = lw_waypoints_joint(maker->model, i);
  double s[3];
  lw_segments_at(&maker->line->way, t, s);
  if (what == EXCESS_SPEED)
    LW_REFUSE(maker->diag, NULL,
              "joint '%s' needs a velocity of %.6g %s/s at t = %.6g s, after %.6g m at %.6g m/s, "
              "its limit is %.6g %s/s",
              name, (1 + excess) * limits->velocity, unit, t, s[0], s[1], limits->velocity, unit);
  else
    LW_REFUSE(maker->diag, NULL,
              "joint '%s' passes its %s limit of %.6g %s at t = %.6g s, after %.6g of %.6g m", name,
              what == EXCESS_ABOVE ? "upper" : "lower",
              what == EXCESS_ABOVE ? limits->upper : limits->lower, unit, t, s[0],
              maker->line->path.length);
  return false;
}

// The worst of the checks, and what is between its neighbours where it is near to the limit.
typedef struct Worst
{
  double excess;
  int check;
} Worst;

static bool is_kept_on_line(Maker* maker, int i, Excess what, const Worst* worst, int count)
{
  double step = maker->trajectory->duration / count, t = worst->check * step,
         excess = worst->excess;
  double from = fmax(t - step, 0), to = fmin(t + step, maker->trajectory->duration), when;
  if (excess > -NEAR_LIMIT && excess <= ROUNDING)
  {
    double between = worst_between(maker, i, what, from, to, &when);
    if (between > excess) excess = between, t = when;
  }
  return excess <= ROUNDING || complain(maker, i, what, excess, t);
}

// Checks time k of count; true: joint positions are within their limits.
static bool look(Maker* maker, int k, int count, Worst* worst)
{
  int n     = maker->trajectory->dof;
  double t  = maker->trajectory->duration * k / count;
  double* q = maker->q;
  bool kept = true;
  lw_line_at(maker->line, t, q, q + maker->line->path.nq, NULL);
  for (int i = 0; i < n; ++i)
    for (int what = 0; what < EXCESS_COUNT; ++what)
    {
      int at        = lw_model_velocity(maker->model, i).other;
      double excess = excess_of(maker, i, (Excess)what, q, q + maker->line->path.nq);
      Worst* most   = &worst[i * EXCESS_COUNT + what];
      if (k == 0 || excess > most->excess) *most = (Worst){excess, k};
      if (what != EXCESS_SPEED && excess > ROUNDING * (1 + fabs(q[at < 0 ? 0 : at])))
        kept = complain(maker, i, (Excess)what, excess, t);
    }
  return kept;
}

// Checks the whole motion, in steps that are fine compared with the curvature of the path. After
// the first joint that passes a position limit, nothing else matters.
static lwStatus check_line_limits(Maker* maker)
{
  int n = maker->trajectory->dof, count = 4 * (int)maker->line->path.knots.rows;
  if (count < LEAST_CHECKS) count = LEAST_CHECKS;
  lwArena* arena = &maker->trajectory->arena;
  maker->q       = lw_arena_take(arena, 2 * (size_t)maker->line->path.nq + 1, sizeof *maker->q);
  Worst* worst   = lw_arena_take(arena, EXCESS_COUNT * (size_t)n + 1, sizeof *worst);
  bool kept      = true;
  if (!maker->q || !worst) return LW_ERROR_MEMORY;
  for (int k = 0; k <= count && kept; ++k) kept = look(maker, k, count, worst);
  for (int i = 0; i < EXCESS_COUNT * n && kept; ++i)
    kept = is_kept_on_line(maker, i / EXCESS_COUNT, (Excess)(i % EXCESS_COUNT), &worst[i], count);
  return kept ? LW_OK : LW_ERROR_INPUT;
}

// --- all of it

static lwStatus check_def(Maker* maker)
{
  const lwLineDef* def = maker->def;
  bool speed = def->speed > 0, duration = def->duration > 0;
  for (int i = 0; i < maker->line->path.nq; ++i)
    if (!isfinite(def->q[i]))
      return lw_refuse(maker->diag, LW_ERROR_INPUT, NULL, "where the line begins is not finite");
  if (speed == duration || !isfinite(def->speed + def->duration))
    return lw_refuse(maker->diag, LW_ERROR_INPUT, NULL,
                     "a line needs a speed or a duration, more than 0, one of the two");
  if (!(def->acceleration > 0) || !(def->jerk > 0))
    return lw_refuse(maker->diag, LW_ERROR_INPUT, NULL,
                     "acceleration and jerk of a line must be more than 0");
  if (lw_model_check_positions(maker->model, def->q, maker->diag) != LW_OK) return LW_ERROR_INPUT;
  if (maker->line->path.loops &&
      lw_loops_check(maker->line->path.loops, def->q, NULL, NULL, maker->diag) != LW_OK)
    return LW_ERROR_INPUT;
  return lw_waypoints_inside(maker->model, maker->diag, def->q, "the start") ? LW_OK
                                                                             : LW_ERROR_INPUT;
}

static lwStatus line_take_memory(Maker* maker)
{
  maker->trajectory = lw_trajectory_new(maker->model, lw_model_dof(maker->model));
  if (!maker->trajectory) return LW_ERROR_MEMORY;
  lwArena* arena = &maker->trajectory->arena;
  size_t nq      = (size_t)lw_model_nq(maker->model);
  lwLine* line = maker->line = lw_arena_take(arena, 1, sizeof *line);
  if (!line || !lw_task_take(&line->path.task, arena, maker->model, maker->ws))
    return LW_ERROR_MEMORY;
  line->values            = lw_arena_take(arena, 3 * nq + 1, sizeof(double));
  line->path.nq           = (int)nq;
  maker->trajectory->line = line;
  if (!line->values) return LW_ERROR_MEMORY;
  if (lw_model_loop_count(maker->model) == 0) return LW_OK;
  if (lw_model_rolling_rows(maker->model) > 0)
    return lw_refuse(maker->diag, LW_ERROR_METHOD, NULL,
                     "lines are planned by position, and where a robot that rolls gets depends on "
                     "the way");
  lwStatus status  = lw_loops_create(maker->model, NULL, maker->diag, &maker->trajectory->loops);
  line->path.loops = maker->trajectory->loops;
  return status;
}

lwStatus lw_trajectory_create_line(const lwModel* model, lwWorkspace* ws, const lwLineDef* line,
                                   lwDiag* diag, lwTrajectory** trajectory)
{
  Maker maker     = {.model = model, .ws = ws, .def = line, .diag = diag};
  *trajectory     = NULL;
  lwStatus status = lw_def_check(line->cookie, "lw_line_def()", diag);
  if (status == LW_OK) status = lw_task_check(model, ws, diag);
  if (status == LW_OK) status = line_take_memory(&maker);
  if (status == LW_OK) status = check_def(&maker);
  if (status == LW_OK) status = lay_line(&maker);
  if (status == LW_OK) status = follow_line(&maker);
  if (status == LW_OK) status = lay_time(&maker);
  if (status == LW_OK) status = check_line_limits(&maker);
  if (status != LW_OK)
  {
    lw_trajectory_destroy(maker.trajectory);
    return status;
  }
  double *start = maker.trajectory->ends, *goal = start + maker.line->path.nq;
  lw_line_at(maker.line, 0, start, NULL, NULL);
  lw_line_at(maker.line, maker.trajectory->duration, goal, NULL, NULL);
  *trajectory = maker.trajectory;
  return LW_OK;
}
