// SPDX-License-Identifier: MIT
/// @file linkwork.h  The whole library. Programs that link only the core include linkwork/core.h.
#ifndef LINKWORK_LINKWORK_H
#define LINKWORK_LINKWORK_H

#include "linkwork/arm.h"
#include "linkwork/core.h"
#include "linkwork/cycle.h"
#include "linkwork/cylinder.h"
#include "linkwork/drive.h"
#include "linkwork/fleet.h"
#include "linkwork/generate.h"
#include "linkwork/identify.h"
#include "linkwork/linear.h"
#include "linkwork/ode.h"
#include "linkwork/page.h"
#include "linkwork/parts.h"
#include "linkwork/read.h"
#include "linkwork/retime.h"
#include "linkwork/scenario.h"
#include "linkwork/study.h"
#include "linkwork/trajectory.h"
#include "linkwork/write.h"

#endif
