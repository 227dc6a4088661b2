// SPDX-License-Identifier: MIT
// How close a motion comes to the limits of the joints.
#include <math.h>

#include "report/drive_report.h"

static const double ROUNDING = 1e-9;  // of a limit

static const struct
{
  const char* name;
  lwLoad load;
  const char* units[2];  // of what turns, of what slides
} LIMITS[LW_DRIVE_LIMIT_COUNT] = {
    [LW_DRIVE_LIMIT_POSITION] = {"position", LW_LOAD_COUNT, {"rad", "m"}},
    [LW_DRIVE_LIMIT_EFFORT]   = {"effort", LW_LOAD_TORQUE, {"N m", "N"}},
    [LW_DRIVE_LIMIT_VELOCITY] = {"velocity", LW_LOAD_SPEED, {"rad/s", "m/s"}},
    [LW_DRIVE_LIMIT_VOLTAGE]  = {"voltage", LW_LOAD_VOLTAGE, {"V", "V"}},
    [LW_DRIVE_LIMIT_CURRENT]  = {"current", LW_LOAD_CURRENT, {"A", "A"}}};

const lwJointDef* lw_drives_joint(const lwDrives* drives, int i)
{
  return &lw_model_robot(drives->model)->joints[lw_model_joint(drives->model, i)];
}

// The distance from the nearer end, as a fraction of the range, or of the
// end itself if the other end is free.
static bool position_limit(const lwSizing* sizing, const lwLimits* limits, lwLimitUse* use)
{
  bool lower = isfinite(limits->lower), upper = isfinite(limits->upper);
  double range = lower && upper ? limits->upper - limits->lower : 0;
  if (!lower && !upper) return false;
  if (!(range > 0)) range = fmax(fabs(lower ? limits->lower : limits->upper), 1);
  bool at_upper = !lower || (upper && sizing->margin_q > 0.5 * (limits->lower + limits->upper));
  use->headroom = sizing->margin / range;
  use->t        = sizing->margin_time;
  use->peak     = sizing->margin_q;
  use->limit    = at_upper ? limits->upper : limits->lower;
  return true;
}

bool lw_drives_limit(const lwDrives* drives, int i, lwDriveLimit kind, lwLimitUse* use)
{
  const lwSizing* sizing  = &drives->sizing[i];
  const lwJointDef* joint = lw_drives_joint(drives, i);
  lwLoad load             = LIMITS[kind].load;
  bool slides             = lw_model_velocity(drives->model, i).slides;
  *use = (lwLimitUse){.name = LIMITS[kind].name, .unit = LIMITS[kind].units[slides]};
  if (kind == LW_DRIVE_LIMIT_POSITION) return position_limit(sizing, &joint->limits, use);
  use->limit    = lw_joint_limit(joint, load);
  use->t        = sizing->sums[load].peak_time;
  use->peak     = sizing->sums[load].peak;
  use->headroom = 1 - fabs(use->peak) / use->limit;
  return isfinite(use->limit);
}

bool lw_drives_tightest(const lwDrives* drives, int i, lwLimitUse* use)
{
  bool any = false;
  for (int kind = 0; kind < LW_DRIVE_LIMIT_COUNT; ++kind)
  {
    lwLimitUse other;
    if (!lw_drives_limit(drives, i, (lwDriveLimit)kind, &other)) continue;
    if (kind == LW_DRIVE_LIMIT_POSITION && !lw_limit_is_passed(&other)) continue;
    if (!any || other.headroom < use->headroom) *use = other;
    any = true;
  }
  return any;
}

bool lw_limit_is_passed(const lwLimitUse* use)
{
  return use->headroom < -ROUNDING;
}
