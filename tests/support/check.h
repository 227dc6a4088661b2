// SPDX-License-Identifier: MIT
// Compares answers; messages contain all that is needed to reproduce a failure.
#ifndef LW_TESTS_CHECK_H
#define LW_TESTS_CHECK_H

#include "linkwork/quad.h"
#include "support/robots.h"

// The case under test, for messages.
typedef struct Trial
{
  uint64_t seed;      // of the robot, or 0
  const char* robot;  // its name if there is no seed, or NULL
  int n;              // moving joints
  lwQuestion question;
  const char* method;     // or NULL
  const char* variant;    // "avx2, in lanes", or NULL
  const lwStates* state;  // or NULL
} Trial;

// Fails the test unless |got - expected| <= factor * size, entry by entry. size NULL: 1.
void check_close(const Trial* trial, const double* got, const double* expected, const double* size,
                 double factor, size_t count);

// Fails the test unless all entries have the same bits.
void check_equal(const Trial* trial, const double* got, const double* expected, size_t count);

// Fails the test unless the model gives the robot's answers in some random states, to factor times
// the size from the oracle, and the oracle's own. Skips questions that the oracle does not know,
// and reactions, which depend on the frames of links.
void check_same_answers(const Robot* robot, const lwModel* model, int count, double factor,
                        const char* what);

// The largest |got - expected| / (factor * size) in check_close() since the last call of this.
double check_worst(void);

// A workspace that uses method i of the registry for its question; i = -1: the defaults.
lwWorkspace* work_with(const lwModel* model, int i, lwPrecision precision);

// One answer in newly allocated memory.
double* answer(const lwModel* model, lwWorkspace* ws, lwQuestion question, const lwStates* state);

// count doubles, zeroed.
double* numbers(size_t count);

// The largest absolute value; 0 if there are none.
double largest_of(const double* values, size_t count);

// The name of method i, "-" for -1.
const char* method_name(int i);

// True if method i answers the question. Bias, gravity and Coriolis torques come from inverse
// dynamics; -1 stands for questions with a single method.
bool answers(int i, lwQuestion question);

// True if method i is O(n^4) and the robot has more than 10 joints. Such methods are tested on
// small robots and, in tests/kernels/test_agreement.c, on some larger ones.
bool too_slow(int i, const lwModel* model);

// --- derivatives by central differences of 8th order:
// df/dt = sum_k w_k (f(k h) - f(-k h)) / h + O(h^8 / 630).

typedef void Curve(const void* context, double t, double* out);

// d/dt of the count functions of a curve at t = 0. At most 12 of them.
void derivative(Curve* curve, const void* context, double h, size_t count, double* out);

// a - b for two close 113-bit numbers: the differences of their parts are exact.
double quad_difference(lwQuad a, lwQuad b);

#endif
