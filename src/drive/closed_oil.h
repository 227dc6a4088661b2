// SPDX-License-Identifier: MIT
// The oil behind closed valves, as a part of the state of a run.
#ifndef LW_DRIVE_CLOSED_OIL_H
#define LW_DRIVE_CLOSED_OIL_H

#include "base/state.h"
#include "linkwork/cylinder.h"

void lw_cylinders_state(lwCylinders* set, lwStateBytes* state);

#endif
