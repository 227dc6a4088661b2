// SPDX-License-Identifier: MIT
// What a motion asks of the drives of a robot: the result of `linkwork drives`,
// and how it is written.
#ifndef LW_REPORT_DRIVE_REPORT_H
#define LW_REPORT_DRIVE_REPORT_H

#include "linkwork/drive.h"
#include "text/out.h"

// All moving joints along a motion.
typedef struct lwDrives
{
  const lwModel* model;
  lwSizing* sizing;  // (dof)
} lwDrives;

// What a joint is limited in.
typedef enum lwDriveLimit
{
  LW_DRIVE_LIMIT_POSITION,
  LW_DRIVE_LIMIT_EFFORT,
  LW_DRIVE_LIMIT_VELOCITY,
  LW_DRIVE_LIMIT_VOLTAGE,
  LW_DRIVE_LIMIT_CURRENT,
  LW_DRIVE_LIMIT_COUNT
} lwDriveLimit;

// How near a joint comes to one of its limits.
typedef struct lwLimitUse
{
  const char* name;
  // fraction of the limit that is left, negative beyond; of a position, of its range
  double headroom;
  double t;     // s, when it is least
  double peak;  // then
  double limit;
  const char* unit;
} lwLimitUse;

const lwJointDef* lw_drives_joint(const lwDrives* drives, int i);

// False: there is no such limit.
bool lw_drives_limit(const lwDrives* drives, int i, lwDriveLimit kind, lwLimitUse* use);

// The limit of joint i with the least headroom; false: it has none. A position near the end of its
// range does not concern the drive, and counts only beyond it.
bool lw_drives_tightest(const lwDrives* drives, int i, lwLimitUse* use);

// True for a limit that is passed by more than rounding,
// so that a motion planned along it is within.
bool lw_limit_is_passed(const lwLimitUse* use);

void lw_drives_write(lwOut* out, lwFormat format, const lwDrives* drives);

#endif
