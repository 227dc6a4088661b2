// SPDX-License-Identifier: MIT
// Gaits from rest, steered gaits, the head on a path, rolling resistance.
#include <math.h>

#include "linkwork/arm.h"
#include "snakes.h"
#include "testing.h"

enum
{
  LINKS = 6
};

typedef struct GaitRig
{
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  lwSnakeRunDef def;
  lwSnakeRun* run;
  double theta[LINKS];
  lwSnakeSample sample;
} GaitRig;

static void gait_rig(GaitRig* rig, double offset)
{
  *rig                = (GaitRig){.snake = random_snake(2, LINKS, offset)};
  rig->ws             = snake_work_with(rig->snake, 0, LW_PRECISION_DOUBLE);
  rig->def            = lw_snake_run_def();
  rig->def.snake      = rig->snake;
  rig->def.ws         = rig->ws;
  rig->def.integrator = lw_integrator_def();
  rig->sample.theta   = rig->theta;
}

static void gait_begin(GaitRig* rig, lwSnakeDrive* drive, void* context)
{
  rig->def.drive   = drive;
  rig->def.context = context;
  assert_int_equal(lw_snake_run_create(&rig->def, NULL, &rig->run), LW_OK);
  lw_snake_run_start(rig->run, &rig->sample);
}

static void gait_to(GaitRig* rig, double t)
{
  assert_int_equal(lw_snake_run_to(rig->run, t, &rig->sample, NULL), LW_PROGRESS_ARRIVED);
}

static void gait_free(GaitRig* rig)
{
  lw_snake_run_destroy(rig->run);
  lw_snake_workspace_destroy(rig->ws);
  lw_snake_destroy(rig->snake);
}

// The mean direction turned over 10 s, and the mean distance of joint 1 from the wave after 5 s.
static double serpenoid_turn(const lwSerpenoid* gait, double* apart, double* first_torque)
{
  GaitRig rig;
  lwSerpenoidDrive* drive;
  double sum = 0, torque[LINKS], place[2] = {0, 0};
  gait_rig(&rig, 0);
  assert_int_equal(lw_serpenoid_create(rig.snake, rig.ws, gait, &drive), LW_OK);
  lw_serpenoid_start(drive, rig.theta, rig.sample.u);
  if (gait->rise > 0) assert_true(rig.sample.u[0] == 0 && rig.sample.u[1] == 0);
  lw_serpenoid_torques(drive, 0, rig.theta, rig.sample.u, place, torque);
  *first_torque = 0;
  for (int k = 0; k + 1 < LINKS; ++k) *first_torque = fmax(*first_torque, fabs(torque[k]));
  gait_begin(&rig, lw_serpenoid_torques, drive);
  *apart = 0;
  for (int i = 1; i <= 100; ++i)
  {
    gait_to(&rig, 0.1 * i);
    double t   = 0.1 * i - gait->rise / 2;
    double phi = gait->alpha * sin(gait->beta + gait->gamma * t) + gait->steer;
    if (i > 50) *apart += fabs(rig.theta[1] - rig.theta[0] - phi) / 50;
  }
  for (int k = 0; k < LINKS; ++k) sum += rig.theta[k] / LINKS;
  lw_serpenoid_destroy(drive);
  gait_free(&rig);
  return sum;
}

static void wave_from_rest_and_steered(void** unused)
{
  (void)unused;
  lwSerpenoid gait = {.alpha = 0.5, .beta = 1.05, .gamma = 2};
  double apart, moving, resting, start;
  serpenoid_turn(&gait, &moving, &start);
  gait.rise = 2;
  serpenoid_turn(&gait, &resting, &start);
  assert_at_most(fabs(resting - moving), 0.1);  // late by rise / 2, and then nearly the same wave
  assert_at_most(start, 1e-9);                  // its rate and acceleration begin at 0
  gait.steer   = 0.1;
  double left  = serpenoid_turn(&gait, &apart, &start);
  gait.steer   = -0.1;
  double right = serpenoid_turn(&gait, &apart, &start);
  assert_at_least(left, 0.5);
  assert_at_most(right, -0.5);
}

static lwSnakeGuideDrive* guide_of(const GaitRig* rig, const lwSnakeGuide* guide)
{
  lwSnakeGuideDrive* drive;
  assert_int_equal(lw_snake_guide_create(rig->snake, rig->ws, guide, NULL, &drive), LW_OK);
  return drive;
}

static double beside_path(const GaitRig* rig, const lwSnakeGuideDrive* drive)
{
  const double place[2] = {rig->sample.x, rig->sample.y};
  return lw_snake_guide_error(drive, rig->theta, place);
}

// Beside the path at first; then on it, at its speed, wherever the wheels are on the links.
static void head_finds_its_path(void** unused)
{
  (void)unused;
  static const double curvatures[] = {0, 0.5, -0.3}, offsets[] = {0, 0.3};
  for (int c = 0; c < 3; ++c)
    for (int o = 0; o < 2; ++o)
    {
      GaitRig rig;
      gait_rig(&rig, offsets[o]);
      double length            = lw_snake_length(rig.snake);
      const lwSnakeGuide guide = {.speed      = 0.2 * length,
                                  .winding    = 0.8,
                                  .wavelength = 0.7 * length,
                                  .curvature  = curvatures[c] / length,
                                  .x          = 1,
                                  .y          = -2,
                                  .direction  = 2};
      lwSnakeGuideDrive* drive = guide_of(&rig, &guide);
      double place[2];
      lw_snake_guide_start(drive, rig.theta, place);
      rig.sample.x = place[0];
      rig.sample.y = place[1];
      assert_near(beside_path(&rig, drive), 0, 1e-12);
      rig.sample.y += 0.1 * length;
      double before = fabs(beside_path(&rig, drive));
      assert_at_least(before, 0.02 * length);
      gait_begin(&rig, lw_snake_guide_torques, drive);
      double worst = 0;
      for (int i = 1; i <= 40; ++i)
      {
        gait_to(&rig, 0.5 * i);
        double e = fabs(beside_path(&rig, drive));
        if (i > 20) worst = fmax(worst, e);
      }
      assert_at_most(worst, 0.01 * length);
      double went = hypot(rig.sample.x - 1, rig.sample.y + 2);
      assert_at_least(went, length);  // 20 s at 0.2 lengths per second, less the windings
      lw_snake_guide_destroy(drive);
      gait_free(&rig);
    }
}

static void guide_refuses(void** unused)
{
  (void)unused;
  static const lwSnakeGuide wrong[] = {{.speed = 0, .winding = 1, .wavelength = 1},
                                       {.speed = 1, .winding = 0.01, .wavelength = 1},
                                       {.speed = 1, .winding = 3, .wavelength = 1},
                                       {.speed = 1, .winding = 1, .wavelength = 0},
                                       {.speed = 1, .winding = NAN, .wavelength = 1},
                                       {.speed = 1, .winding = 1, .wavelength = 1, .curvature = 4}};
  GaitRig rig;
  gait_rig(&rig, 0);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
  {
    lwSnakeGuideDrive* drive;
    assert_int_equal(lw_snake_guide_create(rig.snake, rig.ws, &wrong[k], NULL, &drive),
                     LW_ERROR_INPUT);
    assert_null(drive);
  }
  lw_snake_guide_destroy(NULL);
  rig.def.ws                 = NULL;
  rig.def.rolling_resistance = 1;
  assert_int_equal(lw_snake_run_create(&rig.def, NULL, &rig.run), LW_ERROR_INPUT);
  gait_free(&rig);
}

// A straight snake: V' = -(n c / m) V; and energy is lost, never gained.
static void wheels_slow_down(void** unused)
{
  (void)unused;
  GaitRig rig;
  gait_rig(&rig, 0.2);
  double mass = 0;
  for (int k = 0; k < LINKS; ++k) mass += lw_snake_get(rig.snake, k).mass;
  rig.def.rolling_resistance = 0.3;
  rig.sample.u[0]            = 1;
  gait_begin(&rig, NULL, NULL);
  gait_to(&rig, 2);
  assert_near(rig.sample.u[0], exp(-2 * 0.3 * LINKS / mass), 1e-9);
  assert_near(rig.sample.work, rig.sample.kinetic - mass / 2, 1e-9 * mass);
  assert_near(rig.sample.S, mass / 2, 1e-9 * mass);
  gait_free(&rig);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wave_from_rest_and_steered), cmocka_unit_test(head_finds_its_path),
      cmocka_unit_test(guide_refuses), cmocka_unit_test(wheels_slow_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
