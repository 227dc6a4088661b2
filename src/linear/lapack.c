// SPDX-License-Identifier: MIT
#include "linear/lapack.h"

#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "linkwork/linear.h"

lwStatus lw_lapack_needed(const char* what, lwDiag* diag)
{
  if (lw_lapack_available()) return LW_OK;
  return lw_refuse(diag, LW_ERROR_INPUT,
                   "install LAPACK (Debian: liblapack-dev) and build linkwork again",
                   "%s needs LAPACK, and this build has none", what);
}

#ifdef LINKWORK_LAPACK

// Fortran: everything by address, lengths of texts behind the arguments.
void dgeev_(const char*, const char*, const int*, double*, const int*, double*, double*, double*,
            const int*, double*, const int*, double*, const int*, int*, size_t, size_t);
void dgesvd_(const char*, const char*, const int*, const int*, double*, const int*, double*,
             double*, const int*, double*, const int*, double*, const int*, int*, size_t, size_t);
void dgeqrf_(const int*, const int*, double*, const int*, double*, double*, const int*, int*);
void dormqr_(const char*, const char*, const int*, const int*, const int*, const double*,
             const int*, const double*, double*, const int*, double*, const int*, int*, size_t,
             size_t);

bool lw_lapack_available(void)
{
  return true;
}

lwStatus lw_lapack_eigen(int n, double* a, double* re, double* im, double* V)
{
  int failed = 0, one = 1, size = n * 34 + 1;
  double none  = 0;
  double* work = malloc((size_t)size * sizeof *work);
  if (!work) return LW_ERROR_MEMORY;
  if (n > 0) dgeev_("N", "V", &n, a, &n, re, im, &none, &one, V, &n, work, &size, &failed, 1, 1);
  free(work);
  return failed ? LW_ERROR_INPUT : LW_OK;
}

lwStatus lw_lapack_condition(int n, double* a, double* condition)
{
  int failed = 0, one = 1, size = 11 * n + 64;
  double none  = 0;
  double* work = malloc((size_t)(size + n) * sizeof *work);
  *condition   = INFINITY;
  if (!work) return LW_ERROR_MEMORY;
  double* values = work + size;
  if (n > 0)
    dgesvd_("N", "N", &n, &n, a, &n, values, &none, &one, &none, &one, work, &size, &failed, 1, 1);
  if (n > 0 && !failed && values[n - 1] > 0) *condition = values[0] / values[n - 1];
  free(work);
  return failed ? LW_ERROR_INPUT : LW_OK;
}

lwStatus lw_lapack_qr(int m, int n, double* a, int columns, double* b)
{
  int failed = 0, size = 64 * (n + columns + 1);
  double* work = malloc(((size_t)size + (size_t)n + 1) * sizeof *work);
  if (!work) return LW_ERROR_MEMORY;
  double* scalars = work + size;
  if (m > 0 && n > 0) dgeqrf_(&m, &n, a, &m, scalars, work, &size, &failed);
  if (m > 0 && n > 0 && columns > 0 && !failed)
    dormqr_("L", "T", &m, &columns, &n, a, &m, scalars, b, &m, work, &size, &failed, 1, 1);
  free(work);
  return failed ? LW_ERROR_INPUT : LW_OK;
}

#else

bool lw_lapack_available(void)
{
  return false;
}

lwStatus lw_lapack_eigen(int n, double* a, double* re, double* im, double* V)
{
  (void)n, (void)a, (void)re, (void)im, (void)V;
  return LW_ERROR_INPUT;
}

lwStatus lw_lapack_condition(int n, double* a, double* condition)
{
  (void)n, (void)a, (void)condition;
  return LW_ERROR_INPUT;
}

lwStatus lw_lapack_qr(int m, int n, double* a, int columns, double* b)
{
  (void)m, (void)n, (void)a, (void)columns, (void)b;
  return LW_ERROR_INPUT;
}

#endif
