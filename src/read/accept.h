// SPDX-License-Identifier: MIT
// The key `accept` of robot, snake and parts files: known warnings that are not reported.
#ifndef LW_READ_ACCEPT_H
#define LW_READ_ACCEPT_H

#include "read/document/document.h"

// Puts the lines, as in lwRobotDef.accept, at the offset of the key;
// lw_accept_lost if there is no memory for them.
lwReadValue lw_read_accept;

extern const char lw_accept_lost[];

#endif
