// SPDX-License-Identifier: MIT
// Singular positions of loops: rows that hold the links no longer, or no longer by themselves.
#include <math.h>

#include "loop/loop_workspace.h"

// The least pivot of J J^T that the rank of the loops has a row for, and the row: about the square
// of the least singular value.
static double least_pivot(lwLoops* loops, const double* q, int* row)
{
  size_t rows = (size_t)loops->rows;
  int last    = loops->set->rank - 1;
  lw_loops_at(loops, q);
  lw_loops_fill_gram(loops, loops->rows);
  lw_psd_factor_by_rank(&loops->cut, 0);
  *row         = loops->cut.pivot[last];
  double pivot = loops->cut.A[(size_t)last * (rows + 1)];
  return last < loops->cut.rank ? pivot * pivot : 0;
}

double lw_loops_singular(lwLoops* loops, const double* q, int* row)
{
  int other;
  double usual = least_pivot(loops, loops->set->start, &other), here = least_pivot(loops, q, row);
  return sqrt(here / usual);
}
