// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of the state equations.
#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "linear/lapack.h"
#include "linkwork/linear.h"
#include "math/elementary.h"

// What dgeev gives, column by column.
typedef struct Eigen
{
  int n;
  double *a, *V;    // (n, n)
  double *re, *im;  // (n)
  int* order;       // (n) of the eigenvalues, slowest first
} Eigen;

static bool eigen_begin(Eigen* eigen, int n, const double* A)
{
  size_t size  = (size_t)n;
  *eigen       = (Eigen){.n = n, .a = calloc(2 * size * size + 2 * size + 1, sizeof(double))};
  eigen->order = calloc(size + 1, sizeof(int));
  if (!eigen->a || !eigen->order) return false;
  eigen->V  = eigen->a + size * size;
  eigen->re = eigen->V + size * size;
  eigen->im = eigen->re + size;
  for (size_t i = 0; i < size; ++i)
    for (size_t j = 0; j < size; ++j) eigen->a[j * size + i] = A[i * size + j];
  return true;
}

// Slowest first; one of each pair, that with im > 0, which dgeev puts first.
static int sort_eigenvalues(Eigen* eigen)
{
  int count = 0;
  for (int j = 0; j < eigen->n; ++j)
  {
    if (eigen->im[j] < 0) continue;
    double size = lw_hypot(eigen->re[j], eigen->im[j]);
    int place   = count++;
    for (; place > 0; --place)
    {
      int other = eigen->order[place - 1];
      if (lw_hypot(eigen->re[other], eigen->im[other]) <= size) break;
      eigen->order[place] = other;
    }
    eigen->order[place] = j;
  }
  return count;
}

static void take_mode(const Eigen* eigen, int j, lwMode* mode, double* shape)
{
  size_t n    = (size_t)eigen->n;
  double size = lw_hypot(eigen->re[j], eigen->im[j]);
  *mode       = (lwMode){.re        = eigen->re[j],
                         .im        = eigen->im[j],
                         .frequency = size,
                         .damping   = size > 0 ? -eigen->re[j] / size : 0};
  for (size_t i = 0; i < n; ++i)
  {
    shape[2 * i]     = eigen->V[(size_t)j * n + i];
    shape[2 * i + 1] = eigen->im[j] > 0 ? eigen->V[((size_t)j + 1) * n + i] : 0;
  }
}

lwStatus lw_modes(int n, const double* A, lwDiag* diag, lwMode* modes, double* shapes, int* count)
{
  Eigen eigen;
  *count          = 0;
  lwStatus status = lw_lapack_needed("finding eigenvalues", diag);
  if (status != LW_OK) return status;
  status = eigen_begin(&eigen, n, A) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_lapack_eigen(n, eigen.a, eigen.re, eigen.im, eigen.V);
  if (status == LW_ERROR_INPUT) lw_refuse(diag, status, NULL, "the eigenvalues do not converge");
  if (status == LW_OK) *count = sort_eigenvalues(&eigen);
  for (int m = 0; m < *count; ++m)
    take_mode(&eigen, eigen.order[m], &modes[m], shapes + 2 * (size_t)m * (size_t)n);
  free(eigen.a);
  free(eigen.order);
  return status;
}

// Rounding splits the double eigenvalue 0 of a motion that nothing holds into a pair, one growing
// as fast as the other decays: about sqrt(2e-16) of the largest.
static bool is_split_zero(const lwMode* modes, int count, int m, double largest)
{
  bool mirrored = false;
  for (int k = 0; k < count; ++k)
    mirrored = mirrored || fabs(modes[k].re + modes[m].re) <= 0.01 * fabs(modes[m].re);
  return modes[m].im == 0 && fabs(modes[m].re) <= 1e-7 * largest && mirrored;
}

lwStability lw_modes_stability(const lwMode* modes, int count)
{
  double largest        = 0;
  lwStability stability = LW_STABILITY_STABLE;
  for (int m = 0; m < count; ++m) largest = fmax(largest, modes[m].frequency);
  for (int m = 0; m < count; ++m)
  {
    bool none = fabs(modes[m].re) <= 1e-9 * largest || is_split_zero(modes, count, m, largest);
    if (modes[m].re > 0 && !none) return LW_STABILITY_UNSTABLE;
    if (none) stability = LW_STABILITY_MARGINAL;
  }
  return stability;
}

const char* lw_stability_name(lwStability stability)
{
  static const char* const names[] = {"stable", "marginal", "unstable"};
  return names[stability];
}
