// SPDX-License-Identifier: MIT
// Short names for what a motion demands of the drives: report/drive_report.h.
#ifndef APP_DRIVES_DRIVES_H
#define APP_DRIVES_DRIVES_H

#include "app.h"
#include "io/output.h"
#include "report/drive_report.h"

typedef lwDrives Drives;
typedef lwDriveLimit LimitKind;
typedef lwLimitUse LimitUse;

#define LIMIT_POSITION  LW_DRIVE_LIMIT_POSITION
#define LIMIT_EFFORT    LW_DRIVE_LIMIT_EFFORT
#define LIMIT_VELOCITY  LW_DRIVE_LIMIT_VELOCITY
#define LIMIT_VOLTAGE   LW_DRIVE_LIMIT_VOLTAGE
#define LIMIT_CURRENT   LW_DRIVE_LIMIT_CURRENT
#define LIMIT_COUNT     LW_DRIVE_LIMIT_COUNT
#define drives_joint    lw_drives_joint
#define drives_limit    lw_drives_limit
#define drives_tightest lw_drives_tightest
#define limit_is_passed lw_limit_is_passed
#define drives_write    lw_drives_write

#endif
