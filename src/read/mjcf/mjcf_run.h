// SPDX-License-Identifier: MIT
// A scenario of an MJCF file: what drives the robot there.
#ifndef LW_READ_MJCF_MJCF_RUN_H
#define LW_READ_MJCF_MJCF_RUN_H

#include "linkwork/model.h"
#include "text/out.h"

// Writes a scenario of the MJCF file at `path`, which names it `robot`: its springs, fixed tendons,
// actuators, gravity compensation and start. What is left out is in comments.
lwStatus lw_mjcf_scenario(const char* path, const char* robot, const lwModelOptions* options,
                          lwDiag* diag, lwOut* text);

#endif
