// SPDX-License-Identifier: MIT
// Trajectories through waypoints: ends, continuity, limits respected and reached, times against
// closed forms.
#include "support/check.h"
#include "trajectory_arms.h"

enum
{
  MOTIONS = 60,
  SAMPLES = 20000,
  MOST    = 12  // joints
};

typedef lwStatus Make(const lwModel* model, const lwWaypointsDef* waypoints, lwDiag* diag,
                      lwTrajectory** trajectory);

typedef struct Kind
{
  const char* name;
  Make* make;
  lwJoin join;
  int smooth;    // number of continuous derivatives, within and between segments
  bool at_rest;  // at the ends
  bool stops;    // at every waypoint
} Kind;

static const Kind KINDS[] = {
    {"cubic", lw_trajectory_create_cubic, LW_JOIN_CLAMPED, 2, true, false},
    {"natural cubic", lw_trajectory_create_cubic, LW_JOIN_NATURAL, 2, false, false},
    {"average cubic", lw_trajectory_create_cubic, LW_JOIN_AVERAGE, 1, true, false},
    {"quintic", lw_trajectory_create_quintic, LW_JOIN_CLAMPED, 2, true, false},
    {"trapezoid", lw_trajectory_create_trapezoid, LW_JOIN_CLAMPED, 1, true, true},
    {"s-curve", lw_trajectory_create_s_curve, LW_JOIN_CLAMPED, 2, true, true},
};

enum
{
  KINDS_COUNT = sizeof KINDS / sizeof KINDS[0]
};

// A robot of n revolute and prismatic joints with velocity limits.
static Robot* limited(lwRandom* random, int n)
{
  Robot* robot = robot_start();
  for (int i = 0; i < n; ++i)
  {
    lwJointDef* joint =
        robot_add(robot, i % 3 == 2 ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1);
    joint->a               = 0.3;
    joint->alpha           = 0.7 * i;
    joint->limits.velocity = lw_random_between(random, 0.5, 3);
    random_link(random, &joint->link);
  }
  robot_build(robot);
  return robot;
}

// Random waypoints and limits.
typedef struct Trip
{
  Robot* robot;
  lwWaypointsDef waypoints;
  int n;
  double q[6 * MOST], acceleration[MOST], jerk[MOST];
} Trip;

static Trip* trip(uint64_t seed, const Kind* kind, int points)
{
  lwRandom random = {seed};
  Trip* trip      = calloc(1, sizeof *trip);
  trip->n         = 1 + (int)(seed % 5);
  trip->robot     = limited(&random, trip->n);
  trip->waypoints = lw_waypoints_def();
  for (int k = 0; k < points * trip->n; ++k) trip->q[k] = lw_random_between(&random, -2, 2);
  for (int i = 0; i < trip->n; ++i)
  {
    trip->acceleration[i] = lw_random_between(&random, 1, 20);
    trip->jerk[i]         = lw_random_between(&random, 10, 300);
  }
  trip->waypoints.count        = points;
  trip->waypoints.q            = trip->q;
  trip->waypoints.join         = kind->join;
  trip->waypoints.acceleration = trip->acceleration;
  if (kind->make == lw_trajectory_create_s_curve) trip->waypoints.jerk = trip->jerk;
  return trip;
}

static void trip_free(Trip* trip)
{
  robot_free(trip->robot);
  free(trip);
}

static lwTrajectory* made(const Kind* kind, const Trip* trip)
{
  lwTrajectory* trajectory;
  lwDiag* diag = lw_diag_create();
  if (kind->make(trip->robot->model, &trip->waypoints, diag, &trajectory) != LW_OK)
    fail_msg("%s: %s", kind->name, first_error(diag));
  lw_diag_destroy(diag);
  return trajectory;
}

static void near(const char* what, double got, double expected, double by)
{
  if (!(fabs(got - expected) <= by)) fail_msg("%s: %.17g, expected %.17g", what, got, expected);
}

// --- ends

static void begins_and_ends_where_it_should(void** unused)
{
  (void)unused;
  for (int k = 0; k < KINDS_COUNT; ++k)
    for (uint64_t seed = 1; seed <= MOTIONS; ++seed)
    {
      double q[MOST], qd[MOST], qdd[MOST];
      int points               = 2 + (int)(seed % 4);
      Trip* t                  = trip(seed, &KINDS[k], points);
      lwTrajectory* trajectory = made(&KINDS[k], t);
      for (int end = 0; end < 2; ++end)
      {
        const double* at = t->q + end * (points - 1) * t->n;
        lw_trajectory_at(trajectory, end ? lw_trajectory_duration(trajectory) : 0, q, qd, qdd);
        for (int i = 0; i < t->n; ++i)
        {
          assert_same(q[i], at[i]);  // exactly
          if (KINDS[k].at_rest) near("velocity at an end", qd[i], 0, 1e-13);
          if (KINDS[k].join == LW_JOIN_NATURAL) near("acceleration at an end", qdd[i], 0, 1e-12);
          if (KINDS[k].make == lw_trajectory_create_quintic) near("acceleration", qdd[i], 0, 1e-11);
        }
        lw_trajectory_at(trajectory, end ? lw_trajectory_duration(trajectory) + 1e-9 : -1e-9, q, qd,
                         qdd);
        for (int i = 0; i < t->n; ++i)
        {
          assert_same(q[i], at[i]);
          assert_same(qd[i], 0);
          assert_same(qdd[i], 0);
        }
      }
      lw_trajectory_destroy(trajectory);
      trip_free(t);
    }
}

static void ends_have_given_rates(void** unused)
{
  (void)unused;
  static const double q[] = {0.1, -0.4, 1.3}, from_v[] = {0.3}, to_v[] = {-0.2}, from_a[] = {1.5},
                      to_a[] = {-2.5};
  lwRandom random            = {1};
  Robot* robot               = limited(&random, 1);
  lwWaypointsDef waypoints   = lw_waypoints_def();
  waypoints.count = 3, waypoints.q = q;
  waypoints.start_velocity = from_v, waypoints.end_velocity = to_v;
  for (int quintic = 0; quintic < 2; ++quintic)
  {
    lwTrajectory* trajectory;
    double v, a;
    if (quintic) waypoints.start_acceleration = from_a, waypoints.end_acceleration = to_a;
    Make* make = quintic ? lw_trajectory_create_quintic : lw_trajectory_create_cubic;
    assert_int_equal(make(robot->model, &waypoints, NULL, &trajectory), LW_OK);
    lw_trajectory_at(trajectory, 0, NULL, &v, &a);
    near("start velocity", v, 0.3, 1e-14);
    if (quintic) near("start acceleration", a, 1.5, 1e-13);
    lw_trajectory_at(trajectory, lw_trajectory_duration(trajectory), NULL, &v, &a);
    near("end velocity", v, -0.2, 1e-12);
    if (quintic) near("end acceleration", a, -2.5, 1e-10);
    lw_trajectory_destroy(trajectory);
  }
  robot_free(robot);
}

// The velocity at a waypoint is the mean of the slopes before and after it, and zero where the
// joint turns back or has been still.
static void average_velocities(void** unused)
{
  (void)unused;
  static const double q[] = {0, 1, 1.5, 0.5, -1, -1, -2}, t[] = {0, 10, 30, 40, 45, 50, 60};
  static const double v[] = {0.03, 0.0625, 0, -0.2, 0, 0, -0.02}, from[] = {0.03}, to[] = {-0.02};
  lwRandom random          = {1};
  Robot* robot             = limited(&random, 1);
  lwWaypointsDef waypoints = lw_waypoints_def();
  lwTrajectory* trajectory;
  waypoints.count = 7, waypoints.q = q, waypoints.t = t, waypoints.join = LW_JOIN_AVERAGE;
  waypoints.start_velocity = from, waypoints.end_velocity = to;
  assert_int_equal(lw_trajectory_create_cubic(robot->model, &waypoints, NULL, &trajectory), LW_OK);
  for (int k = 0; k < 7; ++k)
  {
    double at, rate;
    lw_trajectory_at(trajectory, t[k], &at, &rate, NULL);
    near("waypoint", at, q[k], 1e-14);
    near("velocity at a waypoint", rate, v[k], 1e-13);
  }
  lw_trajectory_destroy(trajectory);
  robot_free(robot);
}

// --- continuity, and qd and qdd are derivatives of q and qd

typedef struct At
{
  const lwTrajectory* trajectory;
  double t;
  int what;  // 0: q, 1: qd
} At;

static void curve(const void* context, double h, double* out)
{
  const At* at = context;
  lw_trajectory_at(at->trajectory, at->t + h, at->what ? NULL : out, at->what ? out : NULL, NULL);
}

static void rates_are_derivatives(void** unused)
{
  (void)unused;
  for (int k = 0; k < KINDS_COUNT; ++k)
    for (uint64_t seed = 1; seed <= MOTIONS; ++seed)
    {
      Trip* t                  = trip(seed, &KINDS[k], 2 + (int)(seed % 4));
      lwTrajectory* trajectory = made(&KINDS[k], t);
      double T = lw_trajectory_duration(trajectory), h = 1e-4 * T;
      int agreed = 0;
      for (int s = 1; s < 40; ++s)
      {
        double q[MOST], qd[MOST], qdd[MOST], dq[MOST], dqd[MOST];
        double time    = T * (s + 0.31) / 41;
        const At of_q  = {trajectory, time, 0};
        const At of_qd = {trajectory, time, 1};
        bool same      = true;
        lw_trajectory_at(trajectory, time, q, qd, qdd);
        derivative(curve, &of_q, h, (size_t)t->n, dq);
        derivative(curve, &of_qd, h, (size_t)t->n, dqd);
        // within a segment the differences are exact up to rounding, eps / h; across segments they
        // are not
        for (int i = 0; i < t->n; ++i)
          same = same && fabs(dq[i] - qd[i]) < 1e-10 / h && fabs(dqd[i] - qdd[i]) < 1e-9 / h;
        agreed += same;
      }
      if (agreed < 25) fail_msg("%s: %d of 39 times agree", KINDS[k].name, agreed);
      lw_trajectory_destroy(trajectory);
      trip_free(t);
    }
}

// A function changes by no more than its largest rate times a short time.
static void is_continuous(void** unused)
{
  (void)unused;
  for (int k = 0; k < KINDS_COUNT; ++k)
    for (uint64_t seed = 1; seed <= 10; ++seed)
    {
      Trip* t                  = trip(seed, &KINDS[k], 4);
      lwTrajectory* trajectory = made(&KINDS[k], t);
      double T = lw_trajectory_duration(trajectory), worst[3] = {0}, last[3 * MOST];
      const int steps = 200000;
      for (int s = 0; s <= steps; ++s)
      {
        double now[3 * MOST];
        lw_trajectory_at(trajectory, T * s / steps, now, now + MOST, now + 2 * MOST);
        for (int order = 0; order < 3 && s > 0; ++order)
          for (int i = 0; i < t->n; ++i)
            worst[order] = fmax(worst[order], fabs(now[order * MOST + i] - last[order * MOST + i]));
        memcpy(last, now, sizeof last);
      }
      // rates are at most 3, 1e2 and 1e4 here; a jump would be far larger than 1e-5 of them
      const double most[] = {3 * T / steps * 1.1, 1e2 * T / steps, 1e4 * T / steps};
      for (int order = 0; order <= KINDS[k].smooth; ++order)
        if (worst[order] > most[order])
          fail_msg("%s: derivative %d jumps by %g", KINDS[k].name, order, worst[order]);
      if (KINDS[k].smooth < 2) assert_greater(worst[2], 0.1);  // and qdd jumps where it may
      lw_trajectory_destroy(trajectory);
      trip_free(t);
    }
}

// --- limits

// Every sample is within the limits, and some joint reaches one of them: the motion is not slower
// than necessary.
static void limits_are_kept_and_met(void** unused)
{
  (void)unused;
  for (int k = 0; k < KINDS_COUNT; ++k)
    for (uint64_t seed = 1; seed <= MOTIONS; ++seed)
    {
      Trip* t                  = trip(seed, &KINDS[k], 2 + (int)(seed % 3));
      lwTrajectory* trajectory = made(&KINDS[k], t);
      double T = lw_trajectory_duration(trajectory), most = 0, before[MOST] = {0};
      for (int s = 0; s <= SAMPLES; ++s)
      {
        double qd[MOST], qdd[MOST];
        lw_trajectory_at(trajectory, T * s / SAMPLES, NULL, qd, qdd);
        for (int i = 0; i < t->n; ++i)
        {
          double part = fmax(fabs(qd[i]) / joint_of(t->robot->model, i)->limits.velocity,
                             fabs(qdd[i]) / t->acceleration[i]);
          if (t->waypoints.jerk && s > 0)
            part = fmax(part, fabs(qdd[i] - before[i]) * SAMPLES / T / t->jerk[i]);
          before[i] = qdd[i];
          most      = fmax(most, part);
        }
      }
      if (most > 1 + 1e-9) fail_msg("%s: %.12g of a limit", KINDS[k].name, most);
      if (most < 0.99) fail_msg("%s: no more than %.12g of any limit", KINDS[k].name, most);
      lw_trajectory_destroy(trajectory);
      trip_free(t);
    }
}

// Rest to rest over a distance with velocity v, acceleration a:
// d / v + v / a with cruise, 2 sqrt(d / a) without.
static void trapezoid_takes_the_least_time(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 200; ++seed)
  {
    Trip* t                  = trip(seed, &KINDS[4], 2);
    lwTrajectory* trajectory = made(&KINDS[4], t);
    double slowest           = 0;
    for (int i = 0; i < t->n; ++i)
    {
      double d = fabs(t->q[t->n + i] - t->q[i]), a = t->acceleration[i];
      double v = joint_of(t->robot->model, i)->limits.velocity;
      slowest  = fmax(slowest, d >= v * v / a ? d / v + v / a : 2 * sqrt(d / a));
    }
    near("duration", lw_trajectory_duration(trajectory), slowest, 1e-14 * slowest);
    lw_trajectory_destroy(trajectory);
    trip_free(t);
  }
}

static double s_curve_time(double distance, double v, double a, double j)
{
  lwRandom random          = {1};
  Robot* robot             = limited(&random, 1);
  const double q[]         = {0, distance};
  lwWaypointsDef waypoints = lw_waypoints_def();
  const double all[]       = {v, a, j};
  lwTrajectory* trajectory;
  waypoints.count = 2, waypoints.q = q, waypoints.velocity = &all[0],
  waypoints.acceleration = &all[1], waypoints.jerk = &all[2];
  assert_int_equal(lw_trajectory_create_s_curve(robot->model, &waypoints, NULL, &trajectory),
                   LW_OK);
  double T = lw_trajectory_duration(trajectory);
  lw_trajectory_destroy(trajectory);
  robot_free(robot);
  return T;
}

// The four shapes of an S-curve, computed by hand.
static void s_curve_takes_the_least_time(void** unused)
{
  (void)unused;
  near("all seven phases", s_curve_time(1, 0.4, 1, 10), 1 / 0.4 + 0.4 / 1 + 1 / 10.0, 1e-14);
  near("velocity, no steady acceleration", s_curve_time(1, 0.4, 100, 10),
       1 / 0.4 + 2 * sqrt(0.4 / 10), 1e-14);
  near("steady acceleration, no cruise", s_curve_time(0.1, 0.4, 1, 30),
       1 / 30.0 + sqrt(1 / 900.0 + 4 * 0.1), 1e-14);
  near("jerk alone", s_curve_time(0.01, 0.4, 100, 10), 4 * cbrt(0.01 / 20), 1e-14);
}

// With a huge jerk limit an S-curve becomes a trapezoid.
static void s_curve_tends_to_the_trapezoid(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 20; ++seed)
  {
    Trip* t            = trip(seed, &KINDS[5], 3);
    lwTrajectory* hard = made(&KINDS[4], t);
    for (int i = 0; i < t->n; ++i) t->jerk[i] = 1e9;
    t->waypoints.jerk  = t->jerk;
    lwTrajectory* soft = made(&KINDS[5], t);
    near("duration", lw_trajectory_duration(soft), lw_trajectory_duration(hard), 1e-6);
    lw_trajectory_destroy(hard);
    lw_trajectory_destroy(soft);
    trip_free(t);
  }
}

// The quintic from rest to rest peaks at 15/8 of the mean velocity and 10/sqrt(3) d/T^2; the cubic
// at 3/2 and 6 d/T^2.
static void peaks_by_hand(void** unused)
{
  (void)unused;
  lwRandom random  = {1};
  Robot* robot     = limited(&random, 1);
  const double q[] = {0.2, 1.2}, v[] = {0.3}, a[] = {0.05};
  lwWaypointsDef waypoints = lw_waypoints_def();
  lwTrajectory* trajectory;
  waypoints.count = 2, waypoints.q = q, waypoints.velocity = v;
  assert_int_equal(lw_trajectory_create_quintic(robot->model, &waypoints, NULL, &trajectory),
                   LW_OK);
  near("quintic by velocity", lw_trajectory_duration(trajectory), 15 / 8.0 / 0.3, 1e-13);
  lw_trajectory_destroy(trajectory);
  assert_int_equal(lw_trajectory_create_cubic(robot->model, &waypoints, NULL, &trajectory), LW_OK);
  near("cubic by velocity", lw_trajectory_duration(trajectory), 1.5 / 0.3, 1e-13);
  lw_trajectory_destroy(trajectory);
  waypoints.acceleration = a;
  assert_int_equal(lw_trajectory_create_quintic(robot->model, &waypoints, NULL, &trajectory),
                   LW_OK);
  near("quintic by acceleration", lw_trajectory_duration(trajectory), sqrt(10 / sqrt(3) / 0.05),
       1e-12);
  lw_trajectory_destroy(trajectory);
  robot_free(robot);
}

// --- intermediate waypoints

static void passes_points_at_their_times(void** unused)
{
  (void)unused;
  for (int k = 0; k < KINDS_COUNT; ++k)
  {
    static const double t[]  = {3, 11, 29, 47};
    Trip* trip_              = trip(2, &KINDS[k], 4);
    trip_->waypoints.t       = t;
    lwTrajectory* trajectory = made(&KINDS[k], trip_);
    near("duration", lw_trajectory_duration(trajectory), 44, 0);
    for (int point = 0; point < 4; ++point)
    {
      double q[MOST], qd[MOST], speed = 0;
      lw_trajectory_at(trajectory, t[point] - 3, q, qd, NULL);
      for (int i = 0; i < trip_->n; ++i)
      {
        near("a point", q[i], trip_->q[point * trip_->n + i], 1e-14);
        speed = fmax(speed, fabs(qd[i]));
      }
      if (point == 0 || point == 3 || KINDS[k].join == LW_JOIN_AVERAGE) continue;
      if (KINDS[k].stops)
        assert_less(speed, 1e-13);
      else
        assert_greater(speed, 0.01);
    }
    lw_trajectory_destroy(trajectory);
    trip_free(trip_);
  }
}

// Two cubics through 0, 1, 3 at t = 0, 1, 2, at rest at the ends: the middle velocity is
// 3 (1 + 2) / 4 = 9/4.
static void three_points_by_hand(void** unused)
{
  (void)unused;
  lwRandom random  = {1};
  Robot* robot     = limited(&random, 1);
  const double q[] = {0, 1, 3}, t[] = {0, 10, 20};  // ten times slower
  const struct
  {
    lwJoin join;
    double velocity;
  } joins[] = {{LW_JOIN_CLAMPED, 0.225}, {LW_JOIN_NATURAL, 0.15}, {LW_JOIN_AVERAGE, 0.15}};
  for (int k = 0; k < 3; ++k)
  {
    lwWaypointsDef waypoints = lw_waypoints_def();
    lwTrajectory* trajectory;
    double v;
    waypoints.count = 3, waypoints.q = q, waypoints.t = t, waypoints.join = joins[k].join;
    assert_int_equal(lw_trajectory_create_cubic(robot->model, &waypoints, NULL, &trajectory),
                     LW_OK);
    lw_trajectory_at(trajectory, 10, NULL, &v, NULL);
    near("velocity in the middle", v, joins[k].velocity, 1e-15);
    lw_trajectory_destroy(trajectory);
  }
  robot_free(robot);
}

static void a_given_duration_is_kept(void** unused)
{
  (void)unused;
  for (int k = 0; k < KINDS_COUNT; ++k)
  {
    Trip* t                  = trip(3, &KINDS[k], 3);
    lwTrajectory* least      = made(&KINDS[k], t);
    double shortest          = lw_trajectory_duration(least);
    t->waypoints.duration    = 2.5 * shortest;
    lwTrajectory* trajectory = made(&KINDS[k], t);
    assert_same(lw_trajectory_duration(trajectory), 2.5 * shortest);
    lw_trajectory_destroy(least);
    lw_trajectory_destroy(trajectory);
    t->waypoints.duration = 0.99 * shortest;
    lwDiag* diag          = lw_diag_create();
    assert_int_equal(KINDS[k].make(t->robot->model, &t->waypoints, diag, &trajectory),
                     LW_ERROR_INPUT);
    assert_null(trajectory);
    assert_greater(lw_diag_size(diag), 0);
    const char* last = lw_diag_message(diag, lw_diag_size(diag) - 1)->text;
    if (!strstr(last, "too short") || !strstr(last, "expected at least")) fail_msg("%s", last);
    lw_diag_destroy(diag);
    trip_free(t);
  }
}

// --- refused trajectories

static void refused(Make* make, const lwModel* model, const lwWaypointsDef* waypoints,
                    const char* part)
{
  lwTrajectory* trajectory;
  lwDiag* diag = lw_diag_create();
  assert_int_equal(make(model, waypoints, diag, &trajectory), LW_ERROR_INPUT);
  assert_null(trajectory);
  if (!strstr(first_error(diag), part)) fail_msg("'%s' does not say '%s'", first_error(diag), part);
  lw_diag_destroy(diag);
  assert_int_equal(make(model, waypoints, NULL, &trajectory), LW_ERROR_INPUT);
}

static void what_is_wrong_is_said(void** unused)
{
  (void)unused;
  lwModel* model = shipped("puma560.yaml");
  double q[18]   = {0};
  double some[6] = {1, 1, 1, 1, 1, 1}, bad[6] = {1, 0, 1, 1, 1, 1}, late[3] = {0, 2, 2};
  lwWaypointsDef waypoints = lw_waypoints_def();
  waypoints.q              = q;
  refused(lw_trajectory_create_cubic, model, &waypoints, "expected at least 2");
  waypoints.count = 3;
  refused(lw_trajectory_create_cubic, model, &waypoints, "start and goal are the same");
  refused(lw_trajectory_create_trapezoid, model, &waypoints, "acceleration is needed");
  refused(lw_trajectory_create_s_curve, model, &waypoints, "jerk is needed");
  for (int i = 0; i < 6; ++i)  // of one joint only
  {
    double steep[6]        = {1, 1, 1, 1, 1, 1};
    steep[i]               = INFINITY;
    waypoints.acceleration = waypoints.jerk = steep;
    refused(lw_trajectory_create_trapezoid, model, &waypoints, "acceleration is needed");
    refused(lw_trajectory_create_s_curve, model, &waypoints, "jerk is needed");
  }
  waypoints.acceleration = waypoints.jerk = NULL;
  q[12]                                   = 1;
  refused(lw_trajectory_create_cubic, model, &waypoints, "points 1 and 2 are the same");
  waypoints.t = late;
  refused(lw_trajectory_create_quintic, model, &waypoints, "point 3 is at t = 2 s");
  waypoints.t = NULL;
  q[7]        = 0.79;  // shoulder: up to 45 deg = 0.7854
  refused(lw_trajectory_create_cubic, model, &waypoints,
          "point 2: joint 'shoulder' is at 0.79 rad");
  q[7] = 0.78, q[13] = 0.78, q[12] = 1;  // both near the limit: the cubic between them exceeds it
  refused(lw_trajectory_create_cubic, model, &waypoints, "joint 'shoulder' reaches 0.8");
  q[7] = 0.5, q[13] = 0.2;
  waypoints.velocity = bad;
  refused(lw_trajectory_create_cubic, model, &waypoints,
          "joint 'shoulder': a limit of velocity of 0");
  waypoints.velocity = some;
  q[3]               = NAN;
  refused(lw_trajectory_create_cubic, model, &waypoints, "not finite");
  q[3]               = 0;
  waypoints.duration = -1;
  refused(lw_trajectory_create_cubic, model, &waypoints, "a duration of -1 s");
  waypoints.duration = 0.1;
  refused(lw_trajectory_create_quintic, model, &waypoints, "joint 'waist' needs a velocity of");
  lw_model_destroy(model);

  Robot* free_                                  = robot_start();  // no limits at all
  robot_add(free_, LW_JOINT_REVOLUTE, -1)->link = (lwLinkDef){.mass = 1, .com = {1, 0, 0}};
  robot_build(free_);
  waypoints = lw_waypoints_def();
  q[0] = 0, q[1] = 1;
  waypoints.count = 2, waypoints.q = q;
  refused(lw_trajectory_create_quintic, free_->model, &waypoints, "no limits of velocity");
  robot_free(free_);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(begins_and_ends_where_it_should),
      cmocka_unit_test(ends_have_given_rates),
      cmocka_unit_test(average_velocities),
      cmocka_unit_test(rates_are_derivatives),
      cmocka_unit_test(is_continuous),
      cmocka_unit_test(limits_are_kept_and_met),
      cmocka_unit_test(trapezoid_takes_the_least_time),
      cmocka_unit_test(s_curve_takes_the_least_time),
      cmocka_unit_test(s_curve_tends_to_the_trapezoid),
      cmocka_unit_test(peaks_by_hand),
      cmocka_unit_test(passes_points_at_their_times),
      cmocka_unit_test(three_points_by_hand),
      cmocka_unit_test(a_given_duration_is_kept),
      cmocka_unit_test(what_is_wrong_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
