// SPDX-License-Identifier: MIT
/// @file core.h  Everything that the core library has: models, dynamics, loops, methods, snakes.
#ifndef LINKWORK_CORE_H
#define LINKWORK_CORE_H

#include "linkwork/base.h"
#include "linkwork/dynamics.h"
#include "linkwork/express.h"
#include "linkwork/host.h"
#include "linkwork/loop.h"
#include "linkwork/methods.h"
#include "linkwork/model.h"
#include "linkwork/proof.h"
#include "linkwork/quad.h"
#include "linkwork/slopes.h"
#include "linkwork/snake.h"

#endif
