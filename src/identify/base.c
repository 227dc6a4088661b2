// SPDX-License-Identifier: MIT
#include "identify/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEPENDS = 1e-8;

static double dot_product(const double* a, const double* b, int count)
{
  double sum = 0;
  for (int k = 0; k < count; ++k) sum += a[k] * b[k];
  return sum;
}

// Takes the part along the kept columns out of x, twice, as rounding asks for; adds what it was to
// along (kept).
static void project_out(const double* Q, int rows, int kept, double* x, double* along)
{
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < kept; ++k)
    {
      const double* q = Q + (size_t)k * (size_t)rows;
      double part     = dot_product(q, x, rows);
      along[k] += part;
      for (int i = 0; i < rows; ++i) x[i] -= part * q[i];
    }
}

// Where a column depends on kept ones: R coefficients = along, solved from below.
static void note_dependence(lwBaseParameters* base, const double* R, double* along, int column)
{
  int kept = base->count, p = base->unknowns;
  for (int i = kept - 1; i >= 0; --i)
  {
    for (int j = i + 1; j < kept; ++j) along[i] -= R[(size_t)j * (size_t)p + (size_t)i] * along[j];
    along[i] /= R[(size_t)i * (size_t)p + (size_t)i];
    if (fabs(along[i]) > 1e-7) base->factor[(size_t)i * (size_t)p + (size_t)column] = along[i];
  }
}

// Columns of Q take the place of the kept columns of X; R (unknowns, unknowns) column by column.
static void sort_columns(lwBaseParameters* base, double* X, int rows, const int* order, double* R,
                         double* Q, double* along)
{
  int p = base->unknowns;
  for (int k = 0; k < p; ++k)
  {
    int column  = order[k];
    double* x   = X + (size_t)column * (size_t)rows;
    double size = sqrt(dot_product(x, x, rows));
    memset(along, 0, (size_t)p * sizeof *along);
    if (size == 0) continue;
    project_out(Q, rows, base->count, x, along);
    double rest = sqrt(dot_product(x, x, rows));
    if (rest <= DEPENDS * size)
    {
      note_dependence(base, R, along, column);
      continue;
    }
    int b = base->count++;
    memcpy(R + (size_t)b * (size_t)p, along, (size_t)b * sizeof *R);
    R[(size_t)b * (size_t)p + (size_t)b] = rest;
    for (int i = 0; i < rows; ++i) Q[(size_t)b * (size_t)rows + (size_t)i] = x[i] / rest;
    base->kept[b]                                        = column;
    base->factor[(size_t)b * (size_t)p + (size_t)column] = 1;
  }
}

lwStatus lw_base_find(lwBaseParameters* base, double* X, int rows, int unknowns, const int* order)
{
  size_t p      = (size_t)unknowns;
  *base         = (lwBaseParameters){.unknowns = unknowns};
  base->kept    = calloc(p + 1, sizeof *base->kept);
  base->factor  = calloc(p * p + 1, sizeof(double));
  double* R     = calloc(p * p + p + 1, sizeof(double));
  double* Q     = calloc((size_t)rows * p + 1, sizeof(double));
  lwStatus made = base->kept && base->factor && R && Q ? LW_OK : LW_ERROR_MEMORY;
  if (made == LW_OK) sort_columns(base, X, rows, order, R, Q, R + p * p);
  free(R);
  free(Q);
  return made;
}

void lw_base_free(lwBaseParameters* base)
{
  free(base->kept);
  free(base->factor);
}

double lw_base_value(const lwBaseParameters* base, int b, const double* values)
{
  return dot_product(base->factor + (size_t)b * (size_t)base->unknowns, values, base->unknowns);
}

void lw_base_name(const lwBaseParameters* base, const lwUnknowns* unknowns, int b,
                  char name[LW_BASE_NAME])
{
  const double* factor = base->factor + (size_t)b * (size_t)base->unknowns;
  char one[LW_UNKNOWN_NAME];
  size_t used = 0;
  lw_unknown_name(unknowns, base->kept[b], one);
  used = (size_t)snprintf(name, LW_BASE_NAME, "%s", one);
  for (int c = 0; c < base->unknowns; ++c)
  {
    if (factor[c] == 0 || c == base->kept[b]) continue;
    char number[32] = "";
    double size     = fabs(factor[c]);
    lw_unknown_name(unknowns, c, one);
    if (fabs(size - 1) > 1e-7) snprintf(number, sizeof number, "%.6g ", size);
    int added = snprintf(name + used, LW_BASE_NAME - used, " %c %s%s", factor[c] < 0 ? '-' : '+',
                         number, one);
    if (added < 0 || (size_t)added >= LW_BASE_NAME - used) break;
    used += (size_t)added;
  }
}
