// SPDX-License-Identifier: MIT
// How near a motion comes to the limits of the joints.
#include <math.h>

#include "drives.h"

static const double ROUNDING = 1e-9;  // of a limit

static const struct
{
  const char* name;
  lwLoad load;
  const char* units[2];  // revolute, prismatic
} LIMITS[LIMIT_COUNT] = {[LIMIT_POSITION] = {"position", LW_LOAD_COUNT, {"rad", "m"}},
                         [LIMIT_EFFORT]   = {"effort", LW_LOAD_TORQUE, {"N m", "N"}},
                         [LIMIT_VELOCITY] = {"velocity", LW_LOAD_SPEED, {"rad/s", "m/s"}},
                         [LIMIT_VOLTAGE]  = {"voltage", LW_LOAD_VOLTAGE, {"V", "V"}},
                         [LIMIT_CURRENT]  = {"current", LW_LOAD_CURRENT, {"A", "A"}}};

const lwJointDef* drives_joint(const Drives* drives, int i)
{
  return &lw_model_robot(drives->model)->joints[lw_model_joint(drives->model, i)];
}

// The distance from the nearer end, as a part of the range; of the end itself where the other end is free.
static bool position_limit(const lwSizing* sizing, const lwLimits* limits, LimitUse* use)
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

bool drives_limit(const Drives* drives, int i, LimitKind kind, LimitUse* use)
{
  const lwSizing* sizing  = &drives->sizing[i];
  const lwJointDef* joint = drives_joint(drives, i);
  lwLoad load             = LIMITS[kind].load;
  *use = (LimitUse){.name = LIMITS[kind].name, .unit = LIMITS[kind].units[joint->type]};
  if (kind == LIMIT_POSITION) return position_limit(sizing, &joint->limits, use);
  use->limit    = lw_joint_limit(joint, load);
  use->t        = sizing->sums[load].peak_time;
  use->peak     = sizing->sums[load].peak;
  use->headroom = 1 - fabs(use->peak) / use->limit;
  return isfinite(use->limit);
}

bool drives_tightest(const Drives* drives, int i, LimitUse* use)
{
  bool any = false;
  for (int kind = 0; kind < LIMIT_COUNT; ++kind)
  {
    LimitUse other;
    if (!drives_limit(drives, i, (LimitKind)kind, &other)) continue;
    if (kind == LIMIT_POSITION && !limit_is_passed(&other)) continue;
    if (!any || other.headroom < use->headroom) *use = other;
    any = true;
  }
  return any;
}

bool limit_is_passed(const LimitUse* use)
{
  return use->headroom < -ROUNDING;
}
