// SPDX-License-Identifier: MIT
// Runs scenarios for a bounded number of evaluations: whatever the file says, the run ends, time
// goes forward, numbers are finite, and no joint is beyond a stop. Robots are in fuzz/robots.
#include <math.h>
#include <string.h>

#include "checks.h"
#include "linkwork/scenario.h"

enum
{
  MOST_EVALUATIONS = 1000,
  MOST_JOINTS      = 8,
  RECORDS          = 5
};

static const double BEYOND =
    1e-11;  // rad or m, or relative to the limit; as in docs/reliability.md

typedef struct Budget
{
  long left;  // evaluations
  volatile sig_atomic_t stop;
} Budget;

// Adds no torque; called at every evaluation to count it.
static void count_down(void* context, double t, const double* q, const double* qd, double* tau)
{
  Budget* budget = context;
  (void)t, (void)q, (void)qd, (void)tau;
  if (--budget->left < 0) budget->stop = 1;
}

static void check_stops(const lwModel* model, const double* q)
{
  const lwRobotDef* robot = lw_model_robot(model);
  for (int k = 0; k < lw_model_dof(model); ++k)
  {
    const lwLimits* limits = &robot->joints[lw_model_joint(model, k)].limits;
    double lower = limits->lower, upper = limits->upper;
    require(!isfinite(lower) || q[k] >= lower - BEYOND * fmax(1, fabs(lower)));
    require(!isfinite(upper) || q[k] <= upper + BEYOND * fmax(1, fabs(upper)));
  }
}

static void check_sample(const lwArmDef* def, lwArmRun* run, double before)
{
  lwArmSample at = lw_arm_run_sample(run);
  require(at.t >= before);
  for (int k = 0; k < lw_model_dof(def->model); ++k)
    require(isfinite(at.q[k]) && isfinite(at.qd[k]));
  if (def->limits == LW_LIMIT_MODE_HOLD) check_stops(def->model, at.q);
}

static void run_scenario(const lwScenario* scenario)
{
  Budget budget = {.left = MOST_EVALUATIONS};
  lwArmDef def  = *lw_scenario_arm(scenario);
  lwArmRun* run = NULL;
  lwDiag* diag  = lw_diag_create();
  if (!diag) return;
  def.torques     = count_down;
  def.context     = &budget;
  lwStatus status = lw_arm_run_create(&def, diag, &run);
  check_reading(status, run != NULL, diag);
  double end = lw_scenario_duration(scenario);
  for (int i = 1; run && i <= RECORDS; ++i)
  {
    double before     = lw_arm_run_time(run);
    lwOutcome outcome = lw_arm_run_advance(run, end * i / RECORDS, &budget.stop);
    if (outcome == LW_OUTCOME_NOT_FINITE) break;
    check_sample(&def, run, before);
    if (outcome != LW_OUTCOME_ARRIVED) break;
    require(lw_arm_run_time(run) == end * i / RECORDS);
  }
  lw_arm_run_destroy(run);
  lw_diag_destroy(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  lwDiag* diag         = lw_diag_create();
  lwScenario* scenario = NULL;
  if (!diag) return 0;
  lwStatus status = lw_scenario_read_text(FUZZ_FOLDER "/robots/fuzz.yaml", (const char*)data, size,
                                          NULL, diag, &scenario);
  check_reading(status, scenario != NULL, diag);
  if (scenario && lw_model_dof(lw_scenario_model(scenario)) <= MOST_JOINTS) run_scenario(scenario);
  lw_scenario_destroy(scenario);
  lw_diag_destroy(diag);
  return 0;
}
