// SPDX-License-Identifier: MIT
// What the controller knows: sensors with errors, and a robot that may differ from the arm.
#include <math.h>
#include <string.h>

#include "arm/arm_internal.h"
#include "base/random.h"
#include "base/units.h"
#include "math/elementary.h"

// --- creating

static bool follows_always(const lwJointDrive* drive)
{
  return drive->signal == LW_SIGNAL_CONTROL && !drive->converted;
}

bool lw_arm_controls_always(const lwArmDef* def)
{
  int n       = lw_model_dof(def->model);
  bool always = false;
  for (int k = 0; k < n && def->drives; ++k) always = always || follows_always(&def->drives[k]);
  for (int i = 0; i < def->event_count; ++i)
    for (int k = 0; k < n && def->events[i].changes; ++k)
      always = always || (def->events[i].changes[k] && follows_always(&def->events[i].drives[k]));
  return always;
}

// (n) copies of the numbers, or others where none are given; NULL: out of memory.
static const double* take_sensor(lwArmRun* run, const double* given, double otherwise)
{
  double* numbers = lw_arena_take(&run->arena, (size_t)run->n + 1, sizeof *numbers);
  for (int k = 0; k < run->n && numbers; ++k) numbers[k] = given ? given[k] : otherwise;
  return numbers;
}

static bool take_sensors(lwArmRun* run)
{
  const lwSensorsDef* def = &run->def.controller.sensors;
  lwSensorsDef* copies    = &run->sensors;
  copies->seed            = def->seed;
  run->sensed    = lw_arena_take(&run->arena, (size_t)(run->nq + run->n) + 1, sizeof *run->sensed);
  copies->offset = take_sensor(run, def->offset, 0);
  copies->scale  = take_sensor(run, def->scale, 1);
  copies->velocity_offset = take_sensor(run, def->velocity_offset, 0);
  copies->velocity_scale  = take_sensor(run, def->velocity_scale, 1);
  copies->resolution      = take_sensor(run, def->resolution, 0);
  copies->noise           = take_sensor(run, def->noise, 0);
  return !lw_arena_failed(&run->arena);
}

static lwStatus check_sensors(lwArmRun* run, lwDiag* diag)
{
  const lwSensorsDef* s = &run->sensors;
  for (int k = 0; k < run->n; ++k)
  {
    bool finite = isfinite(s->offset[k] + s->scale[k] + s->velocity_offset[k] +
                           s->velocity_scale[k] + s->resolution[k] + s->noise[k] + s->seed);
    if (finite && s->resolution[k] >= 0 && s->noise[k] >= 0)
    {
      run->sampled_only = run->sampled_only || s->resolution[k] > 0 || s->noise[k] > 0;
      continue;
    }
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "sensor of joint '%s': expected finite numbers, resolution and noise not "
                     "negative",
                     lw_model_joint_name(run->model, k));
  }
  if (run->nq != run->n)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "sensors are for hinges and sliders; this robot has other joints");
  if (!run->sampled_only || !lw_arm_controls_always(&run->def)) return LW_OK;
  return lw_refuse(diag, LW_ERROR_INPUT, "give the drives dac: {period: 0.001}",
                   "resolution and noise of sensors need a controller whose commands are sampled");
}

static lwStatus take_believed(lwArmRun* run, lwDiag* diag)
{
  const lwModel* model    = run->def.controller.model;
  run->believed           = model ? model : run->model;
  run->believed_ws        = run->ws;
  run->believed_reflected = run->reflected;
  if (!model) return LW_OK;
  bool same = lw_model_dof(model) == run->n && lw_model_nq(model) == run->nq;
  if (run->loops)
    LW_REFUSE(diag, NULL, "a robot with loops is controlled by its copies model only");
  else if (!same)
    LW_REFUSE(diag, NULL, "the controller's robot has %d moving joints, expected %d as the arm",
              lw_model_dof(model), run->n);
  if (run->loops || !same) return LW_ERROR_INPUT;
  lwWorkspaceDef ws       = run->def.ws;
  run->believed_ws        = NULL;
  run->believed_reflected = lw_arena_take(&run->arena, (size_t)run->n + 1, sizeof(double));
  if (!run->believed_reflected) return LW_ERROR_MEMORY;
  for (int k = 0; k < run->n; ++k)
    run->believed_reflected[k] = run->def.rotors ? lw_joint_rotor(lw_model_joint_def(model, k)) : 0;
  return lw_workspace_create(model, &ws, diag, &run->believed_ws);
}

lwStatus lw_arm_sense_create(lwArmRun* run, lwDiag* diag)
{
  const lwSensorsDef* s = &run->def.controller.sensors;
  bool given =
      s->offset || s->scale || s->velocity_offset || s->velocity_scale || s->resolution || s->noise;
  lwStatus status = take_believed(run, diag);
  if (status != LW_OK || !given) return status;
  return take_sensors(run) ? check_sensors(run, diag) : LW_ERROR_MEMORY;
}

// --- reading

// Standard normal noise that depends only on time, joint and seed (Box & Muller
// 1958): asking twice gives the same value.
static double sensor_noise(double seed, double t, int k)
{
  const double two_pi = 2 * LW_PI;
  lwRandom random     = {0};
  uint64_t bits;
  memcpy(&bits, &seed, sizeof bits);
  random.state = bits;
  random.state = lw_random_bits(&random);
  memcpy(&bits, &t, sizeof bits);
  random.state ^= bits;
  random.state = lw_random_bits(&random) + (uint64_t)k;
  double u     = lw_random_between(&random, 0x1p-54, 1);
  return sqrt(-2 * lw_log(u)) * lw_cos(two_pi * lw_random_between(&random, 0, 1));
}

const double* lw_arm_sense(lwArmRun* run, double t, const double* y)
{
  const lwSensorsDef* s = &run->sensors;
  if (!run->sensed) return y;
  for (int k = 0; k < run->n; ++k)
  {
    double q = s->scale[k] * y[k] + s->offset[k];
    if (s->noise[k] > 0) q += s->noise[k] * sensor_noise(s->seed, t, k);
    if (s->resolution[k] > 0) q = s->resolution[k] * nearbyint(q / s->resolution[k]);
    run->sensed[k]           = q;
    run->sensed[run->nq + k] = s->velocity_scale[k] * y[run->nq + k] + s->velocity_offset[k];
  }
  return run->sensed;
}
