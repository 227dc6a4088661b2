// SPDX-License-Identifier: MIT
// Joints that are held, as the options of a model request.
#ifndef LW_MODEL_LOCK_H
#define LW_MODEL_LOCK_H

#include "linkwork/model.h"

// Fixes joints, copies of those of a valid robot, as options->joints.free and
// options->joints.holds ask; does nothing if free is NULL. LW_OK, LW_ERROR_LOCK with the
// reason in diag, or LW_ERROR_MEMORY.
lwStatus lw_robot_lock(const lwRobotDef* robot, const lwModelOptions* options, lwDiag* diag,
                       lwJointDef* joints);

#endif
