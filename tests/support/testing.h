// SPDX-License-Identifier: MIT
// cmocka and what it wants included before it.
#ifndef LW_TESTS_TESTING_H
#define LW_TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
