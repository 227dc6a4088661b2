// SPDX-License-Identifier: MIT
/// @file methods.h  The registry: every method with its source, and what it costs.
#ifndef LINKWORK_METHODS_H
#define LINKWORK_METHODS_H

#include "linkwork/dynamics.h"

/// Inputs of a question: flags.
typedef enum lwInput
{
  LW_INPUT_Q      = 1,
  LW_INPUT_QD     = 2,
  LW_INPUT_QDD    = 4,
  LW_INPUT_TAU    = 8,
  LW_INPUT_WRENCH = 16
} lwInput;

/// A question as the program and its files name it.
typedef struct lwQuestionInfo
{
  const char* name;     // "inverse"
  const char* symbol;   // of the output columns: "tau"
  unsigned inputs;      // set of LW_INPUT_..
  const char* unit;     // "N m, N"
  const char* summary;  // one sentence
} lwQuestionInfo;

LW_API const lwQuestionInfo* lw_question_info(lwQuestion question);

/// Operations of one evaluation. Folded: the papers' convention, arithmetic among off-line constants and with a
/// structural 0 or +-1 is free. Executed: every operation that the kernel performs. Trigonometry is not counted.
typedef struct lwCount
{
  long mul, add, div, sqrt;                                      // folded
  long executed_mul, executed_add, executed_div, executed_sqrt;  // executed
} lwCount;

/// A count printed in the literature, as polynomials in n: c[0] + c[1] n + c[2] n^2 + c[3] n^3.
typedef struct lwPrinted
{
  double mul[4];
  double add[4];
  const char* source;  // NULL: none is printed
} lwPrinted;

/// One method of the registry.
typedef struct lwMethod
{
  lwQuestion
      question;  // LW_QUESTION_INVERSE, LW_QUESTION_INERTIA or LW_QUESTION_FORWARD; LW_QUESTION_SNAKE in lw_snake_method()
  const char* name;            // "newton-euler"
  const char* const* aliases;  // other names of the literature, ended by NULL: "rnea"
  const char* source;          // citation
  const char* order;           // of growth, "n", "n^2"
  lwPrinted printed;
} lwMethod;

LW_API int lw_method_count(void);
LW_API const lwMethod* lw_method(int i);  ///< 0 <= i < lw_method_count()

/// True if this is the name of the method or one of its aliases.
LW_API bool lw_method_is(const lwMethod* method, const char* name);

/// Index of the method with this name or alias, or -1. Aliases: rnea (recursive Newton-Euler algorithm) is newton-euler,
/// crba (composite rigid body algorithm) is composite-body, aba (articulated body algorithm) is articulated-body, noc
/// (natural orthogonal complement) is orthogonal-complement. "auto" is resolved for a model by lw_workspace_create() and is not in the list.
LW_API int lw_method_find(lwQuestion question, const char* name);

/// The method that "auto" stands for, the fastest for this robot; NULL for questions that have no "auto".
/// LW_QUESTION_INERTIA: common-frame for chains of 60 joints and more, composite-body otherwise.
/// LW_QUESTION_FORWARD: articulated-body from 2 joints on; with mimic joints, which it cannot couple, as for LW_QUESTION_INERTIA.
LW_API const char* lw_method_auto(const lwModel* model, lwQuestion question);

/// Counts the operations of method i on this robot, without a wrench. LW_ERROR_MEMORY is the only failure.
LW_API lwStatus lw_method_measure(const lwModel* model, int i, lwCount* count);

#endif
