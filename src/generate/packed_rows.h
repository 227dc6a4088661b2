// SPDX-License-Identifier: MIT
// Functions of lanes made into functions of rows, as text: states one after the other, as
// lw_answer_many() takes them.
#ifndef LW_GENERATE_PACKED_ROWS_H
#define LW_GENERATE_PACKED_ROWS_H

#include "text/out.h"

enum
{
  LW_ROWS_LANES      = 4,  // doubles side by side
  LW_ROWS_PARAMETERS = 3
};

typedef struct lwPackedRows
{
  const char* name;   // of the function that is written
  const char* lanes;  // of the function that it calls
  int parameters;     // of that one, 1 to 3: positions, velocities, and one more
  int nq, dof, outputs;
} lwPackedRows;

// The function that is written, for a multiple of LW_ROWS_LANES states. An array that is NULL is
// taken as zeros. capacity: for nq + 2 dof + outputs vectors of doubles, aligned as these.
typedef void lwPackedRowsFn(long count, const double* q, const double* qd, const double* third,
                            double* out, double* capacity);

// What all of them share, once at the begin of a file.
extern const char lw_packed_rows_begin[];

void lw_emit_rows(const lwPackedRows* rows, lwOut* text);

#endif
