// SPDX-License-Identifier: MIT
/// @file methods.h  The registry: every method with its source, and what it costs.
#ifndef LINKWORK_METHODS_H
#define LINKWORK_METHODS_H

#include "linkwork/dynamics.h"

/// Inputs of a question: flags.
typedef enum lwInput
{
  /// Positions q.
  LW_INPUT_Q = 1,
  /// Velocities qd.
  LW_INPUT_QD = 2,
  /// Accelerations qdd.
  LW_INPUT_QDD = 4,
  /// Torques tau.
  LW_INPUT_TAU = 8,
  /// The wrench on the last link.
  LW_INPUT_WRENCH = 16
} lwInput;

/// A question as the program and its files name it.
typedef struct lwQuestionInfo
{
  /// Its name, "inverse".
  const char* name;
  /// Symbol of its output columns, "tau".
  const char* symbol;
  /// Sum of the LW_INPUT_.. that it reads.
  unsigned inputs;
  /// Unit of the answer, "N m, N".
  const char* unit;
  /// One sentence that says what it is.
  const char* summary;
} lwQuestionInfo;

/// What is known about a question. Constant, and never NULL for 0 <= question < LW_QUESTION_COUNT.
LW_API const lwQuestionInfo* lw_question_info(lwQuestion question);

/// False if the question cannot be answered for this robot: inverse-derivatives,
/// forward-derivatives and coriolis-matrix are not available with ball and floating joints.
/// lw_workspace_create() refuses such a question if it is named in lwWorkspaceDef.questions;
/// otherwise its answer is NaN.
LW_API bool lw_question_takes(const lwModel* model, lwQuestion question);

/// Operations of one evaluation. Folded: the papers' convention, in which arithmetic among off-line
/// constants and with a structural 0 or +-1 is free. Executed: every operation that the kernel
/// performs. Trigonometry is not counted.
typedef struct lwCount
{
  /// Multiplications, folded.
  long mul;
  /// Additions and subtractions, folded.
  long add;
  /// Divisions, folded.
  long div;
  /// Square roots, folded.
  long sqrt;
  /// Multiplications, executed.
  long executed_mul;
  /// Additions and subtractions, executed.
  long executed_add;
  /// Divisions, executed.
  long executed_div;
  /// Square roots, executed.
  long executed_sqrt;
} lwCount;

/// A count printed in the literature, as polynomials in n: c[0] + c[1] n + c[2] n^2 + c[3] n^3.
typedef struct lwPrinted
{
  /// (4) Coefficients c of the multiplications.
  double mul[4];
  /// (4) Coefficients c of the additions.
  double add[4];
  /// Where it is printed. NULL: no count is printed.
  const char* source;
} lwPrinted;

/// One method of the registry.
typedef struct lwMethod
{
  /// LW_QUESTION_INVERSE, LW_QUESTION_INERTIA or
  /// LW_QUESTION_FORWARD; LW_QUESTION_SNAKE in lw_snake_method().
  lwQuestion question;
  /// Its name, "newton-euler".
  const char* name;
  /// Other names in the literature, ended by NULL: "rnea".
  const char* const* aliases;
  /// The paper that it is from.
  const char* source;
  /// How the cost grows with the joints, "n", "n^2".
  const char* order;
  /// The count that the literature gives.
  lwPrinted printed;
} lwMethod;

/// Number of methods for arms.
LW_API int lw_method_count(void);

/// Method i, 0 <= i < lw_method_count().
LW_API const lwMethod* lw_method(int i);

/// True if this is the name of the method or one of its aliases.
LW_API bool lw_method_is(const lwMethod* method, const char* name);

/// Index of the method with this name or alias, or -1. Aliases: rnea (recursive
/// Newton-Euler algorithm) is newton-euler, crba (composite rigid body algorithm) is
/// composite-body, aba (articulated body algorithm) is articulated-body, noc (natural
/// orthogonal complement) is orthogonal-complement. "auto" is resolved for a model by
/// lw_workspace_create() and is not in the list.
LW_API int lw_method_find(lwQuestion question, const char* name);

/// The method that "auto" stands for, the fastest for this robot; NULL for questions that have no
/// "auto". LW_QUESTION_INVERSE, LW_QUESTION_BIAS, LW_QUESTION_CORIOLIS: newton-euler-grouped from 2
/// joints on, newton-euler otherwise. LW_QUESTION_GRAVITY: newton-euler, which has a faster kernel
/// for a robot at rest.
/// LW_QUESTION_INERTIA: common-frame for chains of 24 joints and more, composite-body
/// otherwise. LW_QUESTION_FORWARD: articulated-body from 2 joints on; with mimic joints, which it
/// cannot couple, as for LW_QUESTION_INERTIA.
LW_API const char* lw_method_auto(const lwModel* model, lwQuestion question);

/// Counts the operations of method i on this robot, without a wrench.
/// LW_ERROR_MEMORY is the only failure.
LW_API lwStatus lw_method_measure(const lwModel* model, int i, lwCount* count);

/// The same for a question that is answered in one way only: energy, pose, jacobian, reactions.
LW_API lwStatus lw_question_measure(const lwModel* model, lwQuestion question, lwCount* count);

#endif
