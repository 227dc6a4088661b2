// SPDX-License-Identifier: MIT
// Equations for a text: what kernels compute, expanded and gathered as in a textbook.
#ifndef LW_GENERATE_LATEX_H
#define LW_GENERATE_LATEX_H

#include "generate/choose.h"
#include "generate/letters.h"

// The series of a question's answer (lw_latex_outputs(..) of them), of letters or of numbers.
// `letters` NULL: numbers. Letters come first, then q, qd and qdd. LW_ERROR_INPUT, and in diag why,
// if it cannot be written.
lwStatus lw_latex_series(const lwChoice* choice, lwQuestion question, const lwLetters* letters,
                         lwDiag* diag, lwSeries** outputs);

// Entries of that answer; that of coriolis is a matrix.
int lw_latex_outputs(const lwModel* model, lwQuestion question);

// Begin and end of the document, with a table of the letters, and the equations of a question.
void lw_latex_open(const lwModel* model, const lwLetters* letters, lwCodeText* text);
lwStatus lw_latex_question(const lwChoice* choice, lwQuestion question, lwLetters* letters,
                           lwDiag* diag, lwCodeText* text);
void lw_latex_close(const lwModel* model, const lwLetters* letters, lwCodeText* text);

#endif
