// SPDX-License-Identifier: MIT
// The arms of the reference data, tests/data/golden.
#ifndef LW_TESTS_GOLDEN_H
#define LW_TESTS_GOLDEN_H

#include "support/json.h"
#include "support/robots.h"

// The arm that a file describes; robot_free() ends it.
Robot* golden_robot(const Json* file);

#endif
