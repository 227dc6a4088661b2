// SPDX-License-Identifier: MIT
// Short names for report/answer_writer.h: answers to a question, written as a table, as csv or as
// json.
#ifndef APP_STATES_ANSWERS_H
#define APP_STATES_ANSWERS_H

#include "app.h"
#include "io/csv.h"
#include "report/answer_writer.h"

typedef lwAnswers Answers;

// DONE, or INPUT: out of memory, which is printed.
static inline int answers_begin(Answers* answers)
{
  return lw_answers_begin(answers) ? DONE : no_memory();
}

#define answers_row lw_answers_row
#define answers_end lw_answers_end

#endif
