// SPDX-License-Identifier: MIT
// Logs of robots with friction that stick and slip, sampled with 100 to 1,000 Hz, at four levels of
// noise: the automatic cutoff must leave little unexplained, and more samples of the same motion
// must not be worse.
//
// Without arguments, test_identify_logs runs a few cases. Its argument `all` runs every robot, rate
// and level, and prints the table of docs/identification.md.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arm_log.h"
#include "linkwork/linear.h"
#include "support/testing.h"

enum
{
  LEVELS = 4,
  RATES  = 4
};

static const char* const ROBOTS[]   = {"puma560", "data/ur10", "panda"};
static const ArmNoise NOISE[LEVELS] = {{0.001, 0.001}, {0.01, 0.01}, {0.03, 0.02}, {0.1, 0.05}};
static const int STEPS[RATES]       = {10, 5, 2, 1};  // of the samples at 1,000 Hz
static bool all;

static lwIdentified* fit(const lwModel* model, const ArmLog* log, const lwIdentifyDef* given)
{
  lwIdentifyDef def   = *given;
  lwLogDef data       = arm_log_def(log);
  lwIdentified* found = NULL;
  lwDiag* diag        = lw_diag_create();
  def.viscous = def.coulomb = true;
  def.rotors                = lw_model_joint_def(model, 0)->motor.given;
  lwStatus status           = lw_identify(model, &data, &def, diag, &found);
  if (status != LW_OK)
    fail_msg("%s", lw_diag_size(diag) > 0 ? lw_diag_message(diag, 0)->text : "refused");
  lw_diag_destroy(diag);
  return found;
}

// What the robot found leaves unexplained, beyond the noise of the torques, of the worst joint.
static double worst_joint(const lwIdentified* found, int n)
{
  double worst = 0;
  for (int i = 0; i < n; ++i) worst = fmax(worst, lw_identified_joint(found, i).unexplained);
  return worst;
}

// Geometric mean of the standard errors, in SI units.
static double mean_error(const lwIdentified* found)
{
  double sum = 0;
  int count  = lw_identified_count(found);
  for (int k = 0; k < count; ++k) sum += log(lw_identified_estimate(found, k).error) / count;
  return exp(sum);
}

typedef struct Case
{
  double cutoff, worst, error;
} Case;

static Case try_case(const lwModel* model, const ArmLog* whole, int step, ArmNoise noise)
{
  ArmLog log          = arm_log_measure(whole, step, noise, 7);
  lwIdentifyDef def   = lw_identify_def();
  lwIdentified* found = fit(model, &log, &def);
  Case one      = {lw_identified_fit(found).cutoff, worst_joint(found, log.n), mean_error(found)};
  double margin = arm_log_check_robot(found);
  printf("%4d Hz, %.3f deg, %.1f %%: cutoff %5.2f Hz, unexplained %.2f %%, mean error %.3g, margin "
         "%.1e\n",
         ARM_LOG_HERTZ / step, noise.encoder, 100 * noise.torque, one.cutoff, 100 * one.worst,
         one.error, margin);
  lw_identified_destroy(found);
  arm_log_free(&log);
  return one;
}

// Unexplained, beyond the noise of the measurement: at most 1 % and four times the noise of the
// torques, which is in per cent of the largest, not of the rms; and half of what is refused. A
// cutoff by the bandwidth of the positions leaves up to 48 %.
static void the_cutoff_suits_logs(void** unused)
{
  (void)unused;
  for (int r = 0; r < 3; ++r)
  {
    lwModel* model = arm_log_robot(ROBOTS[r]);
    ArmLog whole   = arm_log_simulate(model, 1, 20);
    printf("%s\n", lw_model_name(model));
    for (int level = 0; level < LEVELS; ++level)
    {
      double before = INFINITY;
      for (int k = 0; k < RATES; ++k)
      {
        if (!all && (level != (r + 1) % LEVELS || k % 2)) continue;
        Case one = try_case(model, &whole, STEPS[k], NOISE[level]);
        assert_at_most(one.worst, fmin(0.01 + 4 * NOISE[level].torque, 0.1));
        assert_at_most(one.error, 1.1 * before);  // errors of errors are a few per cent
        before = one.error;
      }
    }
    arm_log_free(&whole);
    lw_model_destroy(model);
  }
}

int main(int count, char** arguments)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_cutoff_suits_logs)};
  all                             = count > 1 && !strcmp(arguments[1], "all");
  if (!lw_lapack_available()) return 0;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
