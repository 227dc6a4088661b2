// SPDX-License-Identifier: MIT
// The table of questions about arms. To add one: an enumerator of lwQuestion, a row here and a
// kernel.
#ifndef LW_KERNELS_QUESTIONS_H
#define LW_KERNELS_QUESTIONS_H

#include "linkwork/methods.h"

typedef struct lwQuestionRow
{
  lwQuestionInfo info;
  int kernel;            // index of the kernel that answers it; 0: that of a method
  const char* replaced;  // the method whose kernel it replaces; NULL: there is one way only
  const char* (*automatic)(const lwModel* model);  // the method "auto"; NULL: it has none
  bool weightless;                                 // it is about a robot without weight
} lwQuestionRow;

const lwQuestionRow* lw_question_row(lwQuestion question);

// A method can be named.
bool lw_question_has_methods(lwQuestion question);

// Columns of a matrix about this many degrees of freedom: as many. Derivatives by position of a robot
// that rolls, in its speeds, are by the positions of all joints.
int lw_quantity_columns(const lwModel* model, int joints, const lwQuantity* quantity);

// Numbers of a quantity about this many degrees of freedom of the model.
size_t lw_quantity_size(const lwModel* model, int joints, const lwQuantity* quantity);

// A part of an answer that kernels compute: the first one (quantity NULL), or the one after it.
const lwQuantity* lw_quantity_next(lwQuestion question, const lwQuantity* quantity);

// Name of joint j of the description, or of its link: whose components of the quantity these are.
const char* lw_quantity_owner(const lwModel* model, const lwQuantity* quantity, int j);

// The answer depends on accelerations, which are zero where they are not given.
static inline bool lw_question_is_moved(lwQuestion question)
{
  unsigned inputs = lw_question_info(question)->inputs;
  return inputs & LW_INPUT_QD && !(inputs & LW_INPUT_TAU);
}

#endif
