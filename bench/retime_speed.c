// SPDX-License-Identifier: MIT
// How long the fastest motion along a path takes: one parameterisation with 1000 intervals of random
// splines of a 7-joint arm with friction and motors, under limits of velocity, acceleration, torque
// and voltage; tightened to 1e-6; beside it inverse dynamics in lanes at the same points, and the
// published algorithm, which solves a linear program of two variables in each interval and pass and
// cannot take the terms in w: Pham, Pham, IEEE Trans. Robotics 34 (2018), on the same rows without.
// usage: retime_speed [PATHS]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "linkwork/linkwork.h"
#include "retime/retime_internal.h"

enum
{
  JOINTS = 7,
  POINTS = 1000,
  MOST   = 7,  // waypoints
  REPEAT = 7   // the median of so many runs counts
};

static double cpu_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(lwStatus status, const char* what)
{
  if (status == LW_OK) return;
  fprintf(stderr, "retime_speed: %s: %s\n", what, lw_status_text(status));
  exit(1);
}

// The size of a Panda: masses 4 to 1 kg, links of 0.3 m, motors behind gears of 100.
static lwModel* arm(void)
{
  static const char* const names[] = {"a", "b", "c", "d", "e", "f", "g"};
  lwJointDef joints[JOINTS];
  lwRobotDef robot = lw_robot_def();
  lwModel* model   = NULL;
  for (int j = 0; j < JOINTS; ++j)
  {
    lwJointDef* joint = &joints[j];
    double m = 4 - 0.4 * j, tau = j < 4 ? 87 : 12;
    *joint           = lw_joint_def();
    joint->name      = names[j];
    joint->parent    = j - 1;
    joint->alpha     = (j % 2 ? -1 : 1) * acos(-1) / 2;
    joint->d         = j % 2 ? 0 : 0.3;
    joint->a         = j == 3 || j == 4 ? 0.08 : 0;
    joint->link.mass = m;
    for (int k = 0; k < 3; ++k) joint->link.com[k] = 0.03 * (k + 1);
    for (int k = 0; k < 3; ++k) joint->link.inertia[k] = 0.01 * m;
    joint->friction            = (lwFriction){0.5, 0.5};
    joint->limits.velocity     = 2.2;
    joint->limits.acceleration = 12;
    joint->limits.effort       = tau;
    joint->motor               = (lwMotor){.given           = true,
                                           .resistance      = 1,
                                           .torque_constant = 0.1,
                                           .gear            = 100,
                                           .rotor_inertia   = 1e-5,
                                           .efficiency      = 1,
                                           .voltage         = j < 4 ? 28 : 24,
                                           .current         = INFINITY};
  }
  robot.name   = "seven joints";
  robot.joints = joints;
  robot.count  = JOINTS;
  must(lw_model_create(&robot, NULL, NULL, &model), "model");
  return model;
}

static lwTrajectory* spline(const lwModel* model, unsigned long long seed)
{
  lwRandom random = {seed};
  int count       = 3 + (int)lw_random_between(&random, 0, 5);
  double q[MOST * JOINTS], t[MOST] = {0};
  lwWaypointsDef def = lw_waypoints_def();
  lwTrajectory* path = NULL;
  for (int k = 0; k < count; ++k)
  {
    double way = 0;
    for (int j = 0; j < JOINTS; ++j) q[k * JOINTS + j] = lw_random_between(&random, -1.5, 1.5);
    for (int j = 0; j < JOINTS && k > 0; ++j)
      way += pow(q[k * JOINTS + j] - q[(k - 1) * JOINTS + j], 2);
    if (k > 0) t[k] = t[k - 1] + sqrt(way);
  }
  def.count = count;
  def.q     = q;
  def.t     = t;
  def.join  = LW_JOIN_NATURAL;
  must(lw_trajectory_create_cubic(model, &def, NULL, &path), "path");
  return path;
}

// --- the published algorithm: linear programs in (u, x)

typedef struct HalfPlane
{
  double a, b, c;  // a u + b x <= c
} HalfPlane;

// Maximises o u + p x by Seidel's incremental method; false: infeasible.
static bool maximise(const HalfPlane* planes, int count, double o, double p, double best[2])
{
  const double far = 1e12;
  best[0] = o > 0 ? far : -far, best[1] = p > 0 ? far : p < 0 ? 0 : far;
  for (int i = 0; i < count; ++i)
  {
    const HalfPlane* h = &planes[i];
    if (h->a * best[0] + h->b * best[1] <= h->c + 1e-12 * (1 + fabs(h->c))) continue;
    double size = h->a * h->a + h->b * h->b, low = -far, high = far;
    if (size < 1e-24) return false;
    double at[2] = {h->a * h->c / size, h->b * h->c / size}, along[2] = {-h->b, h->a};
    for (int k = 0; k < i; ++k)
    {
      double slope = planes[k].a * along[0] + planes[k].b * along[1];
      double room  = planes[k].c - planes[k].a * at[0] - planes[k].b * at[1];
      if (slope > 1e-14)
        high = fmin(high, room / slope);
      else if (slope < -1e-14)
        low = fmax(low, room / slope);
      else if (room < -1e-10)
        return false;
    }
    if (low > high + 1e-10) return false;
    double gain = o * along[0] + p * along[1], by = gain > 0 ? high : low;
    for (int k = 0; k < 2; ++k) best[k] = at[k] + by * along[k];
  }
  return true;
}

static int planes_at(const lwRetime* r, int i, double upper, double lower, HalfPlane* planes)
{
  int interval = i < r->count ? i : i - 1, n = 0;
  lwPointRows rows = lw_point_rows(r, lw_retime_end(r, interval, i == r->count));
  double h         = r->h[interval];
  planes[n++]      = (HalfPlane){0, 1, r->cap_x[i]};
  planes[n++]      = (HalfPlane){0, -1, 0};
  planes[n++]      = (HalfPlane){2 * h, 1, upper};
  planes[n++]      = (HalfPlane){-2 * h, -1, -lower};
  for (int k = 0; k < r->rows; ++k)
  {
    if (rows.al[k] == 0 && rows.be[k] == 0) continue;
    planes[n++] = (HalfPlane){rows.al[k], rows.be[k], 1 - rows.ga[k]};
    planes[n++] = (HalfPlane){-rows.al[k], -rows.be[k], 1 + rows.ga[k]};
  }
  return n;
}

// Controllable sets backward, then the greatest u forward; s.
static double by_linear_programs(const lwRetime* r, double* high, double* low)
{
  HalfPlane planes[256];
  double best[2], time = 0, x = 0;
  high[r->count] = low[r->count] = 0;
  for (int i = r->count - 1; i >= 0; --i)
  {
    int n = planes_at(r, i, high[i + 1], low[i + 1], planes);
    if (!maximise(planes, n, 0, 1, best)) return NAN;
    high[i] = best[1];
    if (!maximise(planes, n, 0, -1, best)) return NAN;
    low[i] = fmax(best[1], 0);
  }
  for (int i = 0; i < r->count; ++i)
  {
    int n       = planes_at(r, i, high[i + 1], low[i + 1], planes);
    planes[n++] = (HalfPlane){0, 1, x};
    planes[n++] = (HalfPlane){0, -1, -x};
    if (!maximise(planes, n, 1, 0, best)) return NAN;
    double next = fmax(x + 2 * r->h[i] * best[0], 0);
    time += 2 * r->h[i] / (sqrt(x) + sqrt(next));
    x = next;
  }
  return time;
}

// --- times

typedef struct Timing
{
  double sum, worst;
} Timing;

static int by_value(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values)
{
  qsort(values, REPEAT, sizeof *values, by_value);
  return values[REPEAT / 2];
}

static void add_time(Timing* timing, double* took)
{
  double t = median(took);
  timing->sum += t;
  timing->worst = fmax(timing->worst, t);
}

static lwRetime* retime_for(const lwModel* model, int rounds)
{
  lwRetimeDef def  = lw_retime_def();
  lwRetime* retime = NULL;
  def.grid         = POINTS;
  def.refine       = 1;
  def.tightenings  = rounds;
  must(lw_retime_create(model, &def, NULL, &retime), "retime");
  return retime;
}

static void time_path(lwRetime* const retimes[2], const lwTrajectory* path, Timing timing[3],
                      int* failed, double* scratch)
{
  lwRetimeEnds ends = {0};
  lwRetimeResult result;
  double took[REPEAT];
  for (int kind = 0; kind < 2; ++kind)
  {
    for (int k = 0; k < REPEAT; ++k)
    {
      double begin = cpu_seconds();
      must(lw_retime(retimes[kind], path, &ends, &result), "motion");
      took[k] = cpu_seconds() - begin;
    }
    add_time(&timing[kind], took);
  }
  for (int k = 0; k < REPEAT; ++k)
  {
    double begin = cpu_seconds(),
           time  = by_linear_programs(retimes[0], scratch, scratch + 2 * POINTS);
    took[k]      = cpu_seconds() - begin;
    if (!(time > 0)) took[k] = NAN;  // it found no motion
  }
  if (isnan(took[0]))
    ++*failed;
  else
    add_time(&timing[2], took);
}

// Seconds of three calls of inverse dynamics at each point, in lanes.
static double time_dynamics(const lwModel* model)
{
  enum
  {
    STATES = 3 * (POINTS + 1)
  };
  size_t size     = (size_t)JOINTS * STATES;
  double* numbers = malloc(4 * size * sizeof *numbers);
  lwWorkspace* ws = NULL;
  double took[REPEAT];
  must(lw_workspace_create(model, NULL, NULL, &ws), "workspace");
  for (size_t i = 0; i < 3 * size; ++i) numbers[i] = 1e-3 * (double)(i % 1000);
  lwStates states = {.q = numbers, .qd = numbers + size, .qdd = numbers + 2 * size};
  for (int k = 0; k < REPEAT; ++k)
  {
    double begin = cpu_seconds();
    lw_answer_many(model, ws, LW_QUESTION_INVERSE, STATES, &states, numbers + 3 * size);
    took[k] = cpu_seconds() - begin;
  }
  lw_workspace_destroy(ws);
  free(numbers);
  return median(took);
}

int main(int argc, char** argv)
{
  int paths            = argc > 1 ? atoi(argv[1]) : 60;
  lwModel* model       = arm();
  lwRetime* retimes[2] = {retime_for(model, 0), retime_for(model, lw_retime_def().tightenings)};
  double* scratch      = calloc(6 * POINTS, sizeof *scratch);
  Timing timing[3]     = {{0}};
  int failed           = 0;  // paths for which the linear programs find no motion
  for (int k = 0; k < paths; ++k)
  {
    lwTrajectory* path = spline(model, (unsigned long long)k + 1);
    time_path(retimes, path, timing, &failed, scratch);
    lw_trajectory_destroy(path);
  }
  static const char* const names[] = {"one parameterisation", "limits kept between points to 1e-6",
                                      "linear programs alone, without rows"};
  printf("%d paths of %d joints, %d intervals\n%-40s %8s %8s\n", paths, JOINTS, POINTS, "",
         "mean ms", "worst ms");
  for (int k = 0; k < 3; ++k)
    printf("%-40s %8.3f %8.3f\n", names[k], 1e3 * timing[k].sum / (k < 2 ? paths : paths - failed),
           1e3 * timing[k].worst);
  if (failed) printf("(the linear programs find no motion along %d paths)\n", failed);
  printf("%-40s %8.3f\n", "inverse dynamics, 3 calls per point", 1e3 * time_dynamics(model));
  free(scratch);
  for (int k = 0; k < 2; ++k) lw_retime_destroy(retimes[k]);
  lw_model_destroy(model);
  return 0;
}
