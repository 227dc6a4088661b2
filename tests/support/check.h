// SPDX-License-Identifier: MIT
// Comparison of answers, with everything in the message that is needed to see a failure again.
#ifndef LW_TESTS_CHECK_H
#define LW_TESTS_CHECK_H

#include "support/robots.h"

// What is being tried.
typedef struct Trial
{
  uint64_t seed;      // of the robot, or 0
  const char* robot;  // its name where there is no seed, or NULL
  int n;              // moving joints
  lwQuestion question;
  const char* method;     // or NULL
  const char* variant;    // "avx2, in lanes", or NULL
  const lwStates* state;  // or NULL
} Trial;

// |got - expected| <= factor * size, entry by entry; ends the test otherwise. size NULL: 1.
void check_close(const Trial* trial, const double* got, const double* expected, const double* size,
                 double factor, size_t count);

// The same bits, entry by entry.
void check_equal(const Trial* trial, const double* got, const double* expected, size_t count);

// The largest |got - expected| / (factor * size) in check_close() since the last call of this.
double check_worst(void);

// A workspace in which method i of the registry answers its question; i = -1: the defaults.
lwWorkspace* work_with(const lwModel* model, int i, lwPrecision precision);

// One answer in newly allocated memory.
double* answer(const lwModel* model, lwWorkspace* ws, lwQuestion question, const lwStates* state);

// count doubles, zeroed.
double* numbers(size_t count);

// The name of method i, "-" for -1.
const char* method_name(int i);

// Can method i answer the question? Bias, gravity and Coriolis torques come from inverse dynamics;
// -1 stands for the questions that have one way only.
bool answers(int i, lwQuestion question);

// Does method i grow with n^4, and has the robot more than 10 joints? Such methods are tried on
// small robots and, in tests/kernels/test_agreement.c, on some larger ones.
bool too_slow(int i, const lwModel* model);

#endif
