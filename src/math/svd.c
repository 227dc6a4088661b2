// SPDX-License-Identifier: MIT
#include "math/svd.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "math/rotation.h"

static const int MOST_SWEEPS = 30;  // about 6 are needed

// (a, b) rotated by the angle with cosine c and sine s.
static void svd_rotate_columns(double* a, double* b, int count, double c, double s)
{
  for (int k = 0; k < count; ++k)
  {
    double x = a[k], y = b[k];
    a[k] = c * x - s * y;
    b[k] = s * x + c * y;
  }
}

// Makes rows i and k of B orthogonal; false if they are.
static bool svd_rotate_pair(lwSvd* svd, int i, int k)
{
  double* a   = svd->B + (long)i * svd->columns;
  double* b   = svd->B + (long)k * svd->columns;
  double aa   = lw_dot_product(svd->columns, a, a);
  double bb   = lw_dot_product(svd->columns, b, b);
  double ab   = lw_dot_product(svd->columns, a, b);
  double both = sqrt(aa) * sqrt(bb);
  if (!(fabs(ab) > DBL_EPSILON * both) || fabs(ab) < DBL_MIN) return false;
  double zeta = (bb - aa) / (2 * ab);
  double t    = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
  double c = 1 / sqrt(1 + t * t), s = c * t;
  svd_rotate_columns(a, b, svd->columns, c, s);
  for (int row = 0; row < svd->rows; ++row)
    svd_rotate_columns(&svd->V[row][i], &svd->V[row][k], 1, c, s);
  return true;
}

void lw_svd(lwSvd* svd)
{
  bool turned = true;
  for (int i = 0; i < svd->rows; ++i)
    for (int k = 0; k < svd->rows; ++k) svd->V[i][k] = i == k;
  for (int sweep = 0; sweep < MOST_SWEEPS && turned; ++sweep)
  {
    turned = false;
    for (int i = 0; i < svd->rows - 1; ++i)
      for (int k = i + 1; k < svd->rows; ++k) turned = svd_rotate_pair(svd, i, k) || turned;
  }
  for (int i = 0; i < svd->rows; ++i)
  {
    const double* row = svd->B + (long)i * svd->columns;
    svd->square[i]    = lw_dot_product(svd->columns, row, row);
  }
}

void lw_svd_solve(const lwSvd* svd, const double* b, double damping, double least, double* x)
{
  for (int j = 0; j < svd->columns; ++j) x[j] = 0;
  for (int i = 0; i < svd->rows; ++i)
  {
    double sum = 0, length = svd->square[i] + damping;
    const double* row = svd->B + (long)i * svd->columns;
    if (svd->square[i] <= least * least || !(length > 0)) continue;
    for (int k = 0; k < svd->rows; ++k) sum += svd->V[k][i] * b[k];
    for (int j = 0; j < svd->columns; ++j) x[j] += sum / length * row[j];
  }
}

double lw_svd_largest(const lwSvd* svd)
{
  double most = 0;
  for (int i = 0; i < svd->rows; ++i) most = fmax(most, svd->square[i]);
  return sqrt(most);
}

double lw_svd_smallest(const lwSvd* svd)
{
  double sorted[LW_SVD_ROWS];
  int size = svd->rows < svd->columns ? svd->rows : svd->columns;
  for (int i = 0; i < svd->rows; ++i)  // largest first
  {
    int k = i;
    for (; k > 0 && sorted[k - 1] < svd->square[i]; --k) sorted[k] = sorted[k - 1];
    sorted[k] = svd->square[i];
  }
  return size > 0 ? sqrt(sorted[size - 1]) : 0;
}
