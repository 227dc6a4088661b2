// SPDX-License-Identifier: MIT
// Equations for a text: what kernels compute, expanded and gathered as in a textbook.
#ifndef LW_GENERATE_LATEX_H
#define LW_GENERATE_LATEX_H

#include "generate/choose.h"
#include "generate/letters.h"

// --- equations (equation.c)

// What the variables of a series are: letters (none where NULL), then dof of q, of qd and of qdd.
typedef struct lwEquation
{
  lwLetters* letters;  // those that are written become used
  int dof;
} lwEquation;

// Writes a series, gathered as people write it: m_2 (l_1^2 + c_2^2 + 2 l_1 c_2 cos q_2).
void lw_equation_put(const lwEquation* equation, const lwSeries* series, lwOut* text);

// --- documents

// The series of a question's answer (lw_latex_outputs(..) of them), of letters or of numbers.
// `letters` NULL: numbers. Letters come first, then q, qd and qdd. LW_ERROR_INPUT, and in diag why,
// if it cannot be written.
lwStatus lw_latex_series(const lwChoice* choice, lwQuestion question, const lwLetters* letters,
                         lwDiag* diag, lwSeries** outputs);

// Entries of that answer; that of coriolis is a matrix.
int lw_latex_outputs(const lwModel* model, lwQuestion question);

// Begin and end of the document, with a table of the letters, and the equations of a question.
void lw_latex_open(const lwModel* model, const lwLetters* letters, lwOut* text);
lwStatus lw_latex_question(const lwChoice* choice, lwQuestion question, lwLetters* letters,
                           lwDiag* diag, lwOut* text);
void lw_latex_close(const lwModel* model, const lwLetters* letters, lwOut* text);

#endif
