// SPDX-License-Identifier: MIT
// linkwork count, in two parts: for a robot (count.c) and for any number of joints.
#ifndef APP_COUNTS_COUNT_H
#define APP_COUNTS_COUNT_H

#include "app.h"

// All methods: of the registry, then of questions that are answered in one way only, then of
// snakes, then formulations of closed loops; NULL from the end on.
typedef enum MethodKind
{
  OF_TREES,
  OF_SNAKES,
  OF_LOOPS
} MethodKind;

const lwMethod* any_method(int i);
int any_method_count(void);
MethodKind any_method_kind(int i);

// "forward", and of formulations "forward with loops".
const char* any_method_question(int i);

// The operations of one of them, for a robot or for a snake.
lwCount any_method_measure(int i, const lwModel* model, const lwSnake* snake);

// Counts as polynomials in the number of joints; --method and the output options are used.
int count_general(const Options* options, lwFormat format);

#endif
