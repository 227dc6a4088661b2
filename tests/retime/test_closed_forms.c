// SPDX-License-Identifier: MIT
// Fastest motions whose duration is known: to 1e-3 with 1000 intervals, to 1e-4 with 4000.
#include "retime_paths.h"

static const double MASS = 2, FORCE = 10, LENGTH = 1.3;  // kg, N, m

static void takes(const lwModel* model, const lwTrajectory* path, lwRetimeEnds ends, double time)
{
  static const int grids[]       = {1000, 4000};
  static const double accuracy[] = {1e-3, 1e-4};
  for (int k = 0; k < 2; ++k)
  {
    lwRetimeDef def       = lw_retime_def();
    def.grid              = grids[k];
    lwRetimeResult result = retimed(model, &def, path, ends);
    assert_near(result.time, time, accuracy[k] * time);
    assert_at_most(result.excess, 1e-6);
    // constant u within intervals: the bound of the grid may be above the true minimum by as much
    assert_at_most(result.bound, result.time * (1 + 1e-9));
  }
}

static void moves_mass(lwJointDef joint, lwRetimeEnds ends, double time)
{
  lwModel* model     = robot_of_joints(&joint, 1);
  lwTrajectory* path = straight(1, (double[]){0.2}, (double[]){0.2 + LENGTH});
  ends.start /= LENGTH;
  ends.end /= LENGTH;
  takes(model, path, ends, time);
  lw_trajectory_destroy(path);
  lw_model_destroy(model);
}

static lwJointDef pushed_mass(void)
{
  lwJointDef joint    = slide("slide", LW_BASE, MASS);
  joint.limits.effort = FORCE;
  return joint;
}

static void force(void** state)
{
  (void)state;
  moves_mass(pushed_mass(), (lwRetimeEnds){0}, 2 * sqrt(LENGTH * MASS / FORCE));
}

static void force_and_speed(void** state)
{
  lwJointDef joint = pushed_mass();
  double v = 1.1, a = FORCE / MASS;
  (void)state;
  joint.limits.velocity = v;
  moves_mass(joint, (lwRetimeEnds){0}, 2 * v / a + (LENGTH - v * v / a) / v);
}

static void acceleration(void** state)
{
  lwJointDef joint = slide("slide", LW_BASE, MASS);
  (void)state;
  joint.limits.acceleration = 3;
  moves_mass(joint, (lwRetimeEnds){0}, 2 * sqrt(LENGTH / 3));
}

// v1: speed at which braking begins; accelerates by a, brakes by b.
static double ramps_over(double length, double a, double b, double v0, double v2)
{
  double v1 = sqrt((2 * length + v0 * v0 / a + v2 * v2 / b) / (1 / a + 1 / b));
  return (v1 - v0) / a + (v1 - v2) / b;
}

static double two_ramps(double a, double b, double v0, double v2)
{
  return ramps_over(LENGTH, a, b, v0, v2);
}

static void ends_not_at_rest(void** state)
{
  (void)state;
  moves_mass(pushed_mass(), (lwRetimeEnds){.start = 1.2, .end = 0.4}, two_ramps(5, 5, 1.2, 0.4));
  moves_mass(pushed_mass(), (lwRetimeEnds){.start = 0, .end = 2}, two_ramps(5, 5, 0, 2));
}

// Speeds at the ends may be the limit itself, of which 6e-7 are not used elsewhere.
static void ends_at_limit_of_speed(void** state)
{
  lwJointDef joint = pushed_mass();
  double v = 1.1, a = FORCE / MASS;
  (void)state;
  joint.limits.velocity = v;
  moves_mass(joint, (lwRetimeEnds){.start = v, .end = v}, LENGTH / v);
  moves_mass(joint, (lwRetimeEnds){.start = v}, v / a + (LENGTH - v * v / (2 * a)) / v);
  moves_mass(joint, (lwRetimeEnds){.end = v}, v / a + (LENGTH - v * v / (2 * a)) / v);
}

static void coulomb_friction(void** state)
{
  lwJointDef joint = pushed_mass();
  (void)state;
  joint.friction.coulomb = 4;
  moves_mass(joint, (lwRetimeEnds){0}, two_ramps(3, 7, 0, 0));
}

// m v' = +-F - b v: distance and time up to v1, and from v1 to rest.
static double viscous_time(double F, double b)
{
  double low = 0, high = F / b * (1 - 1e-12), T = 0;
  for (int k = 0; k < 200; ++k)
  {
    double v = 0.5 * (low + high), m = MASS;
    double t1 = -m / b * log1p(-b * v / F), t2 = m / b * log1p(b * v / F);
    double way                     = F / b * t1 - m / b * v + m / b * v - F / b * t2;
    T                              = t1 + t2;
    *(way > LENGTH ? &high : &low) = v;
  }
  return T;
}

static void viscous_friction(void** state)
{
  lwJointDef joint = pushed_mass();
  (void)state;
  joint.friction.viscous = 6;
  moves_mass(joint, (lwRetimeEnds){0}, viscous_time(FORCE, 6));
}

// The torque-speed line of a motor is a force KNV/R and a viscous friction (KN)^2/R.
static void voltage(void** state)
{
  lwJointDef joint = slide("slide", LW_BASE, MASS);
  (void)state;
  joint.motor = (lwMotor){.given           = true,
                          .resistance      = 2,
                          .torque_constant = 0.1,
                          .gear            = -40,
                          .efficiency      = 1,
                          .voltage         = 12,
                          .current         = INFINITY};
  moves_mass(joint, (lwRetimeEnds){0}, viscous_time(4 * 12 / 2.0, 16 / 2.0));
}

// On a coarse grid friction costs nothing but an error of second order: the mass goes 30 m, so that it
// nearly reaches the speed at which friction takes all of the force.
static void second_order(void** state)
{
  lwJointDef joint = pushed_mass();
  double b = 6, way = 30, v = FORCE / b, m = MASS, speed = v * (1 - 1e-15), t[2], length = 0;
  (void)state;
  joint.friction.viscous = b;
  lwModel* model         = robot_of_joints(&joint, 1);
  lwTrajectory* path     = straight(1, (double[]){0}, (double[]){way});
  // m v' = +-F - b v, and between them the rest of the way at the final speed
  t[1]        = m / b * log1p(1);
  t[0]        = -m / b * log1p(-speed / v);
  length      = v * t[0] - m / b * speed + m / b * speed - v * t[1];
  double time = t[0] + t[1] + (way - length) / v, errors[2];
  for (int k = 0; k < 2; ++k)
  {
    lwRetimeDef def       = lw_retime_def();
    def.grid              = k == 0 ? 150 : 600;
    lwRetimeResult result = retimed(model, &def, path, (lwRetimeEnds){0});
    errors[k]             = fabs(result.time / time - 1) - 6e-7;  // the share that is not used
    assert_at_most(result.excess, 1e-6);
  }
  print_message("errors %.3g %.3g\n", errors[0], errors[1]);
  assert_at_most(errors[0], 2e-4);
  assert_at_most(errors[1], errors[0] / 8);
  lw_trajectory_destroy(path);
  lw_model_destroy(model);
}

// A motion that does not rest at its ends is not limited there by what a gear holds at rest.
static void lossy_gear_without_rest(void** state)
{
  lwJointDef joint = slide("slide", LW_BASE, MASS);
  (void)state;
  joint.motor = (lwMotor){.given           = true,
                          .resistance      = 2,
                          .torque_constant = 0.1,
                          .gear            = 40,
                          .rotor_inertia   = 1e-3,
                          .efficiency      = 0.7,
                          .voltage         = INFINITY,
                          .current         = 8};
  double m = MASS + 1.6, a = 32 * 0.7 / m, b = 32 / 0.7 / m;
  // from LW_CREEP on the gain of the gear falls to none: it brakes by b 0.7^(1 - v/LW_CREEP)
  double creep          = LW_CREEP / b * (0.3 / (-log(0.7) * 0.7) - 1);
  lwModel* model        = robot_of_joints(&joint, 1);
  lwTrajectory* path    = straight(1, (double[]){0}, (double[]){LENGTH});
  lwRetimeDef def       = lw_retime_def();
  lwRetimeEnds ends     = {.start = 0.3 / LENGTH, .end = 0.2 / LENGTH};
  lwRetimeResult result = retimed(model, &def, path, ends);
  double time           = two_ramps(a, b, 0.3, 0.2);
  assert_near(result.time, time, 1e-5 * time);
  result = retimed(model, &def, path, (lwRetimeEnds){0});
  time   = two_ramps(a, b, 0, 0) + creep;
  assert_near(result.time, time, 5e-5 * time);  // an interval has the limit of its slower end
  lw_trajectory_destroy(path);
  lw_model_destroy(model);
}

// A gear with losses passes less torque from the motor, and holds more where it is driven.
static void current_and_efficiency(void** state)
{
  lwJointDef joint = slide("slide", LW_BASE, MASS);
  (void)state;
  joint.motor = (lwMotor){.given           = true,
                          .resistance      = 2,
                          .torque_constant = 0.1,
                          .gear            = 50,
                          .rotor_inertia   = 1e-3,
                          .efficiency      = 0.8,
                          .voltage         = INFINITY,
                          .current         = 3};
  double m = MASS + 2.5, F = 15;
  moves_mass(joint, (lwRetimeEnds){0}, two_ramps(F * 0.8 / m, F / 0.8 / m, 0, 0));
}

// --- two slides

static const double BEND = 4, ACROSS = 2;  // q2 = BEND s^2 / 2; its acceleration limit

static void parabola(double s, double value[3][MOST_JOINTS])
{
  value[0][0] = s, value[1][0] = 1, value[2][0] = 0;
  value[0][1] = 0.5 * BEND * s * s, value[1][1] = BEND * s, value[2][1] = BEND;
}

// At the vertex of a parabola joint 2 has no inertia to act on. There x <= ACROSS / BEND; d(s^2 x)
// <= 2 s ACROSS / BEND ds keeps the same cap everywhere, so the motion is a trapezoid.
static void zero_inertia(void** state)
{
  lwJointDef joints[2] = {slide("x", LW_BASE, 1), slide("y", 0, 1)};
  double A = 0.5, L = 0.8, w = sqrt(ACROSS / BEND);
  (void)state;
  joints[0].limits.acceleration = A;
  joints[1].limits.acceleration = ACROSS;
  lwModel* model                = robot_of_joints(joints, 2);
  lwTrajectory* path            = path_of_function(2, parabola, -L, L);
  takes(model, path, (lwRetimeEnds){0}, 2 * w / A + (2 * L - w * w / A) / w);
  lw_trajectory_destroy(path);
  lw_model_destroy(model);
}

static void steep(double s, double value[3][MOST_JOINTS])  // q2' = 1 / (1 + 8 s^2)
{
  double c = sqrt(8.0), d = 1 + 8 * s * s;
  value[0][0] = s, value[1][0] = 1, value[2][0] = 0;
  value[0][1] = atan(c * s) / c, value[1][1] = 1 / d, value[2][1] = -16 * s / (d * d);
}

// The speed of joint 2 allows w = v at s = 0 and more elsewhere: x = v^2 + 2 A |s| touches the cap
// v^2 (1 + 8 s^2)^2 at s = 0 only if the cap is above it, which it is not next to s = 0: there the
// motion follows the cap until its slope is 2 A, 32 v^2 s (1 + 8 s^2) = 2 A.
static void tangent(void** state)
{
  lwJointDef joints[2] = {slide("x", LW_BASE, 1), slide("y", 0, 1)};
  double A = 2, v = 0.6, L = 0.9, s1 = 0, T = 0;
  (void)state;
  joints[0].limits.acceleration = A;
  joints[1].limits.velocity     = v;
  lwModel* model                = robot_of_joints(joints, 2);
  lwTrajectory* path            = path_of_function(2, steep, -L, L);
  for (int k = 0; k < 100; ++k)
    s1 -= (32 * v * v * s1 * (1 + 8 * s1 * s1) - 2 * A) / (32 * v * v * (1 + 24 * s1 * s1));
  T        = atan(sqrt(8.0) * s1) / sqrt(8.0) / v;  // along the cap: integral of ds q2' / v
  double w = v * (1 + 8 * s1 * s1), top = sqrt(A * (L - s1) + w * w / 2);
  takes(model, path, (lwRetimeEnds){0}, 2 * (T + (2 * top - w) / A));
  lw_trajectory_destroy(path);
  lw_model_destroy(model);
}

// --- an island of speeds that no motion has

static void bend(double s, double value[3][MOST_JOINTS])  // q2 = s - s^2
{
  value[0][0] = s, value[1][0] = 1, value[2][0] = 0;
  value[0][1] = s - s * s, value[1][1] = 1 - 2 * s, value[2][1] = -2;
}

// Joint 2 needs the force q2' u - 2 x + 6 q2' w, at most 1: where u is small, slow motions have it,
// w < 0.17, and fast ones, w > 2.82, whose bend takes what friction needs. Others do not.
static void island(void** state)
{
  static const double starts[] = {0.1, 2.9};
  lwJointDef joints[2]         = {slide("x", LW_BASE, 1), slide("y", 0, 1)};
  double A = 0.1, L = 0.01;
  (void)state;
  joints[0].limits.acceleration = A;
  joints[1].limits.effort       = 1;
  joints[1].friction.viscous    = 6;
  lwModel* model                = robot_of_joints(joints, 2);
  lwTrajectory* path            = path_of_function(2, bend, 0, L);
  for (int k = 0; k < 2; ++k)
    takes(model, path, (lwRetimeEnds){.start = starts[k], .end = starts[k]},
          ramps_over(L, A, A, starts[k], starts[k]));
  lwRetimeDef def       = lw_retime_def();
  lwRetimeResult result = retimed(model, &def, path, (lwRetimeEnds){.start = 2.5, .end = 2.5});
  assert_infinite(result.time);
  assert_near(result.stuck, 0, L);
  lw_trajectory_destroy(path);
  lw_model_destroy(model);
}

// --- jerk

// From rest to rest with a speed that is not reached or reached: constant jerk, perhaps constant
// acceleration and constant speed between. The motion is a local optimum on its grid: to 1 %.
static void jerk(void** state)
{
  static const double speeds[] = {INFINITY, 0.5}, accelerations[] = {INFINITY, 1};
  double J        = 8,
         times[2] = {4 * cbrt(LENGTH / (2 * J)), 2 * (0.5 + 1 / J) + LENGTH / 0.5 - 0.5 - 1 / J};
  (void)state;
  for (int k = 0; k < 2; ++k)
  {
    lwJointDef joint          = slide("slide", LW_BASE, MASS);
    joint.limits.velocity     = speeds[k];
    joint.limits.acceleration = fmin(accelerations[k], 1e3);
    joint.limits.jerk         = J;
    lwModel* model            = robot_of_joints(&joint, 1);
    lwTrajectory* path        = straight(1, (double[]){0.2}, (double[]){0.2 + LENGTH});
    lwRetimeDef def           = lw_retime_def();
    lwRetimeResult result     = retimed(model, &def, path, (lwRetimeEnds){0});
    assert_true(result.local);
    assert_near(result.time, times[k], 0.01 * times[k]);
    assert_at_least(result.time, times[k]);
    assert_at_most(result.excess, 1e-6);
    // a path that never stops has no first motion to begin with
    assert_infinite(retimed(model, &def, path, (lwRetimeEnds){.closed = true}).time);
    lw_trajectory_destroy(path);
    lw_model_destroy(model);
  }
}

// From rest to a speed: jerk J for a time a, then -J for a time b.
static void jerk_to_a_speed(void** state)
{
  double J = 8, a = 0.8, b = 0.3, v = J * (a * a / 2 + a * b - b * b / 2);
  double way = J * (a * a * a / 6 + a * a * b / 2 + a * b * b / 2 - b * b * b / 6);
  (void)state;
  for (int k = 0; k < 2; ++k)  // and the same backward
  {
    lwJointDef joint      = slide("slide", LW_BASE, MASS);
    joint.limits.jerk     = J;
    joint.limits.effort   = 10 * MASS * J;
    lwModel* model        = robot_of_joints(&joint, 1);
    lwTrajectory* path    = straight(1, (double[]){0}, (double[]){way});
    lwRetimeDef def       = lw_retime_def();
    lwRetimeEnds ends     = {.start = k ? v / way : 0, .end = k ? 0 : v / way};
    lwRetimeResult result = retimed(model, &def, path, ends);
    assert_near(result.time, a + b, 0.01 * (a + b));
    assert_at_least(result.time, a + b);
    assert_at_most(result.excess, 1e-6);
    lw_trajectory_destroy(path);
    lw_model_destroy(model);
  }
}

// --- a pendulum whose motor cannot hold it

static void pendulum_swings_through(void** state)
{
  double m = 1.5, l = 0.7, g = 9.81, tau = 0.5 * m * g * l, to = 2.5, I = m * l * l, T = 0;
  lwJointDef joint = lw_joint_def();
  (void)state;
  joint.name          = "pivot";
  joint.placement     = LW_PLACEMENT_ORIGIN_AXIS;
  joint.axis[0]       = 0;
  joint.axis[1]       = 1;
  joint.axis[2]       = 0;
  joint.link.mass     = m;
  joint.link.com[2]   = -l;
  joint.limits.effort = tau;
  lwModel* model      = robot_of_joints(&joint, 1);
  lwTrajectory* path  = straight(1, (double[]){-to}, (double[]){to});
  // I x / 2 = tau (q + to) + m g l (cos q - cos to); q + to = z^2 removes the root at rest
  for (int k = 0; k < 20000; ++k)
  {
    double z = sqrt(to) * (k + 0.5) / 20000, q = z * z - to;
    double x = 2 / I * (tau * (q + to) + m * g * l * (cos(q) - cos(to)));
    T += 2 * z / sqrt(x) * sqrt(to) / 20000;
  }
  takes(model, path, (lwRetimeEnds){0}, 2 * T);
  lwRetimeDef def = lw_retime_def();
  assert_at_least(retimed(model, &def, path, (lwRetimeEnds){0}).cannot_hold, 0);
  // from a place where the motor cannot even keep it from falling there is no way up
  lwTrajectory* up      = straight(1, (double[]){0}, (double[]){to});
  lwRetimeResult result = retimed(model, &def, up, (lwRetimeEnds){0});
  assert_infinite(result.time);
  assert_greater(result.stuck, 0);
  lw_trajectory_destroy(up);
  lw_trajectory_destroy(path);
  lw_model_destroy(model);
}

// A closed path: a circle at the speed that the acceleration limits allow everywhere.
static void circle(double s, double value[3][MOST_JOINTS])
{
  for (int j = 0; j < 2; ++j)
  {
    double angle = s + (j ? -acos(-1) / 2 : 0);
    value[0][j] = cos(angle), value[1][j] = -sin(angle), value[2][j] = -cos(angle);
  }
}

static void closed_path(void** state)
{
  lwJointDef joints[2] = {slide("x", LW_BASE, 1), slide("y", 0, 1)};
  double turn          = 2 * acos(-1);
  (void)state;
  joints[0].limits.velocity = joints[1].limits.velocity = 0.5;
  joints[0].limits.acceleration = joints[1].limits.acceleration = 1e-3;
  lwModel* model                                                = robot_of_joints(joints, 2);
  lwTrajectory* path = path_of_function(2, circle, 0, turn);
  // at 1e-3 the acceleration limits: |cos a x + sin a u| <= A, whose greatest closed profile is
  // x = A where both axes bind; between them it may be faster. At most sqrt(2) A by the norm.
  lwRetimeDef def       = lw_retime_def();
  lwRetimeResult result = retimed(model, &def, path, (lwRetimeEnds){.closed = true});
  assert_at_most(result.time, turn / sqrt(1e-3));
  assert_at_least(result.time, turn / sqrt(1e-3 * sqrt(2)));
  assert_at_most(result.excess, 1e-6);
  lw_trajectory_destroy(path);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force),
      cmocka_unit_test(force_and_speed),
      cmocka_unit_test(acceleration),
      cmocka_unit_test(ends_not_at_rest),
      cmocka_unit_test(ends_at_limit_of_speed),
      cmocka_unit_test(coulomb_friction),
      cmocka_unit_test(viscous_friction),
      cmocka_unit_test(voltage),
      cmocka_unit_test(second_order),
      cmocka_unit_test(current_and_efficiency),
      cmocka_unit_test(lossy_gear_without_rest),
      cmocka_unit_test(zero_inertia),
      cmocka_unit_test(tangent),
      cmocka_unit_test(island),
      cmocka_unit_test(jerk),
      cmocka_unit_test(jerk_to_a_speed),
      cmocka_unit_test(pendulum_swings_through),
      cmocka_unit_test(closed_path),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
