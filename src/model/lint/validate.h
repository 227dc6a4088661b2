// SPDX-License-Identifier: MIT
// Everything that can be wrong or doubtful about a description, whoever filled it in.
#ifndef LW_MODEL_LINT_VALIDATE_H
#define LW_MODEL_LINT_VALIDATE_H

#include "linkwork/model.h"

// Reports all findings. LW_OK: no errors (there may be warnings); LW_ERROR_INPUT; LW_ERROR_MEMORY.
// options and diag may be NULL.
lwStatus lw_robot_validate(const lwRobotDef* robot, const lwModelOptions* options, lwDiag* diag);

// Reports about a robot of which some joints could not be read, but nothing about those, (count)
// unread, nor about the robot as a whole.
lwStatus lw_robot_validate_rest(const lwRobotDef* robot, const bool* unread,
                                const lwModelOptions* options, lwDiag* diag);

#endif
