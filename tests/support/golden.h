// SPDX-License-Identifier: MIT
// The arms of the reference data in tests/data/golden.
#ifndef LW_TESTS_GOLDEN_H
#define LW_TESTS_GOLDEN_H

#include "support/json.h"
#include "support/robots.h"

// Names of the files with states of serial arms.
enum
{
  GOLDEN_ARMS = 8
};
extern const char* const golden_arms[GOLDEN_ARMS];

// The arm described by a file. Free it with robot_free().
Robot* golden_robot(const Json* file);

#endif
