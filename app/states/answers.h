// SPDX-License-Identifier: MIT
// Answers to a question, written as a table, as csv or as json.
#ifndef APP_STATES_ANSWERS_H
#define APP_STATES_ANSWERS_H

#include "app.h"
#include "io/rows.h"

typedef struct Answers
{
  Out* out;
  Format format;
  const lwModel* model;
  const lwWorkspace* ws;
  lwQuestion question;
  bool single;         // precision
  bool quad;           // the same: 113 bits
  bool rotors;         // forward dynamics with their inertia
  bool many;           // states, from a file
  bool names;          // columns are named by joint
  const Header* kept;  // whose columns are passed on; or NULL
  bool kept_time;      // of these only t
  size_t columns;      // values of one answer
  const char* frame;   // that pose and Jacobian are about
  bool base_axes;      // of reactions
  int cuts;            // rows of loops, whose forces follow
  char* label;         // room for any answers_column()
  Rows rows;
} Answers;

// The name of output column k, which lives until the next call: tau1, M12, or M1_12 when there are more than
// 9 joints; with `names` tau.elbow, M.waist.elbow, J.vx.elbow.
const char* answers_column(const Answers* answers, size_t k);

const char* answers_unit(const void* context, size_t k);

// DONE, or INPUT: out of memory, which is printed.
int answers_begin(Answers* answers);
extern const char* const JACOBIAN_ROWS[6];

// line: of the state, if columns are passed on. exact: the values in 113 bits, or NULL.
void answers_row(Answers* answers, const char* line, const double* values, const lwQuad* exact);
void answers_end(Answers* answers);

// One answer as people read it, with names and units.
void answer_table(const Answers* answers, const double* values);

#endif
