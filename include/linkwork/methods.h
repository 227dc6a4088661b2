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

/// Kinds of robot that a question can be asked of, besides trees of joints of any type: flags.
typedef enum lwTakes
{
  /// Closed loops: the answer about a state that keeps them closed is right.
  LW_TAKES_LOOPS = 2,
  /// Closed loops, through loop.h.
  LW_TAKES_CLOSING = 4
} lwTakes;

/// What can be chosen about an answer besides its method: flags.
typedef enum lwChooses
{
  /// The frame: lw_workspace_set_frame().
  LW_CHOOSES_FRAME = 1,
  /// The axes: lwWorkspaceDef.axes.
  LW_CHOOSES_AXES = 2,
  /// Steps of refinement: lwWorkspaceDef.refine.
  LW_CHOOSES_REFINEMENT = 4,
  /// Rotors: lwWorkspaceDef.rotors. The inertia matrix is solved with and must be regular.
  LW_CHOOSES_ROTORS = 8,
  /// Terms of the drives: lw_regressor_extend() in identify.h.
  LW_CHOOSES_TERMS = 16
} lwChooses;

/// How the numbers of a quantity are arranged; n: degrees of freedom.
typedef enum lwQuantityShape
{
  /// (count) Numbers with names.
  LW_QUANTITY_SHAPE_NUMBERS,
  /// (n) One for each degree of freedom.
  LW_QUANTITY_SHAPE_VECTOR,
  /// (n, n) Row by row.
  LW_QUANTITY_SHAPE_SQUARE,
  /// (count, n) Rows with names.
  LW_QUANTITY_SHAPE_ROWS,
  /// (joints of the description, count) Components with names.
  LW_QUANTITY_SHAPE_JOINTS,
  /// (joints of the description, count) Components with names, of the joints' links.
  LW_QUANTITY_SHAPE_LINKS,
  /// (n, joints of the description, count) Parameters of the joints' links, with names.
  LW_QUANTITY_SHAPE_PARAMETERS
} lwQuantityShape;

/// A part of an answer.
typedef struct lwQuantity
{
  /// Symbol of its columns, "tau"; "": its numbers have names. NULL: the end of the list.
  const char* symbol;
  /// How its numbers are arranged.
  lwQuantityShape shape;
  /// Numbers, rows or components with names.
  int count;
  /// (count) Their names. NULL: they are counted.
  const char* const* names;
  /// Units. Numbers: (1). Vector and rows: (2), of joints that turn and of joints that slide.
  /// Square: (4), both turn, the column slides, the row slides, both slide. Joints and links:
  /// (count).
  /// Parameters: (count, 2) as a vector.
  const char* const* units;
  /// What it is: "centre of mass of all links".
  const char* meaning;
  /// Label of its numbers in a table for people. NULL: the names of its columns.
  const char* label;
  /// Of a derivative: the input that it is taken by, "qd". Else NULL.
  const char* by;
  /// Rows are named as velocities are, else as torques.
  bool is_motion;
  /// Another form of the quantity before it, which only tables, csv and json have.
  bool is_form;
} lwQuantity;

/// A question as the program and its files name it: the row that headers, units, help, generated
/// comments and the methods of the Python package are made from.
typedef struct lwQuestionInfo
{
  /// Its name, "inverse".
  const char* name;
  /// Name of the answer as one array, "tau".
  const char* symbol;
  /// Sum of the LW_INPUT_.. that it reads.
  unsigned inputs;
  /// Sum of the LW_TAKES_.. of the robots that it can be asked of.
  unsigned takes;
  /// Sum of the LW_CHOOSES_.. of what can be chosen.
  unsigned chooses;
  /// The question whose methods answer it: mostly itself.
  lwQuestion methods;
  /// What it is, in a few words.
  const char* summary;
  /// What the answer is, with units: "torques or forces, N m or N".
  const char* answer;
  /// Its definition, "tau = M(q) qdd + C(q, qd) qd + g(q) - J^T w", or NULL.
  const char* formula;
  /// An example of the program's command.
  const char* example;
  /// What the answer consists of, in order; ended by one without a symbol.
  const lwQuantity* quantities;
} lwQuestionInfo;

/// What is known about a question. Constant, and never NULL for 0 <= question < LW_QUESTION_COUNT.
LW_API const lwQuestionInfo* lw_question_info(lwQuestion question);

/// LW_OK if the question can be asked of this robot, else LW_ERROR_METHOD and why in diag (or
/// NULL). inverse-derivatives, forward-derivatives and coriolis-matrix take ball and floating
/// joints only where no joint mimics another or is a screw. With closed loops only pose, poses and
/// energy can be asked, unless open_tree says that the answer may treat every joint as free; loop.h
/// has forward and inverse dynamics with closed loops.
LW_API lwStatus lw_question_check(const lwModel* model, lwQuestion question, bool open_tree,
                                  lwDiag* diag);

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

/// Operation count of a question with one method only: energy, pose, jacobian, reactions.
LW_API lwStatus lw_question_measure(const lwModel* model, lwQuestion question, lwCount* count);

#endif
