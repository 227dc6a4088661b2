// SPDX-License-Identifier: MIT
// What a motion asks of the drives of a robot: the result of `linkwork drives`, and how it is written.
#ifndef APP_DRIVES_DRIVES_H
#define APP_DRIVES_DRIVES_H

#include "app.h"
#include "io/output.h"
#include "linkwork/drive.h"

// All moving joints along a motion.
typedef struct Drives
{
  const lwModel* model;
  lwSizing* sizing;  // (dof)
} Drives;

// What a joint is limited in.
typedef enum LimitKind
{
  LIMIT_POSITION,
  LIMIT_EFFORT,
  LIMIT_VELOCITY,
  LIMIT_VOLTAGE,
  LIMIT_CURRENT,
  LIMIT_COUNT
} LimitKind;

// How near a joint comes to one of its limits.
typedef struct LimitUse
{
  const char* name;
  double
      headroom;  // fraction of the limit that is left, negative beyond; of a position, of its range
  double t;      // s, when it is least
  double peak;   // then
  double limit;
  const char* unit;
} LimitUse;

const lwJointDef* drives_joint(const Drives* drives, int i);

// False: there is no such limit.
bool drives_limit(const Drives* drives, int i, LimitKind kind, LimitUse* use);

// The limit of joint i with the least headroom; false: it has none. A position near the end of its range is no
// matter of the drive, and counts only beyond it.
bool drives_tightest(const Drives* drives, int i, LimitUse* use);

// True for a limit that is passed by more than rounding, so that a motion planned along it is within.
bool limit_is_passed(const LimitUse* use);

void drives_write(Out* out, Format format, const Drives* drives);

#endif
