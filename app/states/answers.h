// SPDX-License-Identifier: MIT
// Answers to a question, written as a table, as csv or as json.
#ifndef APP_STATES_ANSWERS_H
#define APP_STATES_ANSWERS_H

#include "app.h"
#include "io/output.h"

typedef struct Answers
{
  Out* out;
  Format format;
  const lwModel* model;
  const lwWork* work;
  lwQuestion question;
  bool single;     // precision
  bool rotors;     // forward dynamics with their inertia
  bool many;       // states, from a file
  size_t columns;  // values of one answer
  long count;      // of answers written
} Answers;

enum
{
  COLUMN_SIZE = 32  // room for any answers_column()
};

// The name of output column k: tau1, M12, or M1_12 when there are more than 9 joints. Returns its
// length.
int answers_column(const Answers* answers, size_t k, char name[COLUMN_SIZE]);

void answers_begin(Answers* answers);
void answers_row(Answers* answers, const double* values);
void answers_end(Answers* answers);

// One answer as people read it, with names and units.
void answer_table(const Answers* answers, const double* values);

#endif
