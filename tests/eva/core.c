// SPDX-License-Identifier: MIT
// What `tools/eva` lets Frama-C's Eva analyse: functions of src/math and src/base, called with any
// numbers, infinite ones and NaN too, or any bytes. Each eva_NAME() is the beginning of the analysis of NAME.c. Sizes are taken one
// by one where Eva would have to know relations between two variables.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "__fc_builtin.h"
#include "base/text.h"
#include "math/bounded.h"
#include "math/bracket.h"
#include "math/lu.h"
#include "math/psd.h"
#include "math/rotation.h"
#include "math/svd.h"
#include "math/symmetric.h"

enum
{
  ORDER = 3  // of matrices
};

static double numbers[2 * LW_SVD_ROWS * LW_SVD_ROWS], more[64], places[16];

static void any_numbers(void)
{
  Frama_C_make_unknown((char*)numbers, sizeof numbers);
  Frama_C_make_unknown((char*)more, sizeof more);
}

void eva_lu(void)
{
  for (int n = 1; n <= ORDER; ++n)
  {
    int pivots[ORDER];
    any_numbers();
    if (lw_lu_factor(numbers, n, pivots)) lw_lu_solve(numbers, n, pivots, more);
  }
}

void eva_symmetric(void)
{
  int n = Frama_C_interval(1, ORDER);
  any_numbers();
  lw_cholesky(n, ORDER, numbers, more[0]);
  lw_cholesky_solve(n, ORDER, numbers, more);
  lw_ldl_factor(n, numbers, more[0]);
  lw_ldl_solve(n, numbers, more);
  lw_jacobi(n, numbers, more);
}

void eva_psd(void)
{
  static int pivot[ORDER];
  static double work[2 * ORDER], factor[ORDER * ORDER];
  lwPsd psd = {.n = Frama_C_interval(1, ORDER), .A = numbers, .K = factor, .pivot = pivot};
  psd.work  = work;
  any_numbers();
  if (Frama_C_interval(0, 1))
    lw_psd_factor(&psd, more[0]);
  else
    lw_psd_factor_by_rank(&psd, more[0]);
  lw_psd_solve(&psd, more);
}

void eva_svd(void)
{
  any_numbers();
  lwSvd svd = {.rows = Frama_C_interval(1, LW_SVD_ROWS), .columns = 4, .B = numbers};
  lw_svd(&svd);
  lw_svd_solve(&svd, more, more[10], more[11], places);
  lw_svd_smallest(&svd);
  lw_svd_largest(&svd);
}

void eva_rotation(void)
{
  any_numbers();
  lw_length(more);
  lw_rotate(numbers, more, places);
  lw_rotate_back(numbers, more, places);
  lw_rotation_product(numbers, more, places);
  lw_rotation_transpose(numbers, places);
  lw_rotation_exp(more, places);
  lw_rotation_log(numbers, places);
  lw_rotation_log_rate(more, places);
}

static double any_value(void* context, double x)
{
  (void)context, (void)x;
  any_numbers();
  return numbers[0];
}

void eva_bracket(void)
{
  any_numbers();
  lwBracket bracket = {more[0], more[1], more[2], more[3], more[4], more[5]};
  lw_bracket_close(&bracket, any_value, NULL);
}

static void any_bounded(int n)
{
  static lwBound side[ORDER];
  static double memory[256];
  any_numbers();
  for (int i = 0; i < ORDER; ++i) side[i] = (lwBound)Frama_C_interval(0, LW_BOUND_HIGH);
  lwBounded problem = {.n = n, .W = numbers, .c = more};
  problem.low       = more + ORDER;
  problem.high      = more + 2 * ORDER;
  problem.slack     = more[3 * ORDER];
  problem.side      = side;
  problem.x         = places;
  problem.memory    = memory;
  lw_bounded_equal(&problem);
  lw_bounded_solve(&problem);
}

void eva_bounded(void)
{
  any_bounded(0);
  any_bounded(1);
  any_bounded(2);
}

// --- src/base

enum
{
  BYTES = 5  // of a text
};

void eva_text(void)
{
  char text[BYTES + 1], out[4];
  for (size_t length = 1; length <= BYTES; ++length)
  {
    uint32_t code = 0;
    Frama_C_make_unknown(text, sizeof text);
    text[BYTES] = 0;
    lw_text_decode(text, length, &code);
    lw_text_characters(text, length);
    lw_text_printable(out, sizeof out, text, length);
    lw_text_skip(text, length, 2);
  }
}
