// SPDX-License-Identifier: MIT
/// @file linkwork.h  What the core library has: everything but the file readers (linkwork/read.h, linkwork/parts.h), threads
/// (linkwork/fleet.h), drives (linkwork/drive.h), motions (linkwork/trajectory.h) and simulation (linkwork/simulate.h).
#ifndef LINKWORK_LINKWORK_H
#define LINKWORK_LINKWORK_H

#include "linkwork/base.h"
#include "linkwork/dynamics.h"
#include "linkwork/express.h"
#include "linkwork/methods.h"
#include "linkwork/model.h"
#include "linkwork/snake.h"

#endif
