// SPDX-License-Identifier: MIT
// Vectors, matrices and planar rotations against full products of 3x3 matrices.
//
// Bound: 8 eps times the largest product of the arguments' entries; each result is a sum of at most
// nine products.
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/vec.h"

#include <float.h>
#include <math.h>

#include "base/random.h"
#include "support/testing.h"

typedef struct
{
  double m[3][3];
} Full;

static double any(lwRandom* random)
{
  return lw_random_between(random, -2, 2);
}

static V3 any_vector(lwRandom* random)
{
  return v3(any(random), any(random), any(random));
}

static M3 any_matrix(lwRandom* random)
{
  return (M3){any_vector(random), any_vector(random), any_vector(random)};
}

static S3 any_symmetric(lwRandom* random)
{
  return (S3){any(random), any(random), any(random), any(random), any(random), any(random)};
}

static Full full_of_matrix(M3 A)
{
  return (Full){{{A.x.x, A.x.y, A.x.z}, {A.y.x, A.y.y, A.y.z}, {A.z.x, A.z.y, A.z.z}}};
}

static Full full_of_symmetric(S3 A)
{
  return (Full){{{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}}};
}

static Full rotation_z(Turn t)
{
  return (Full){{{t.c, -t.s, 0}, {t.s, t.c, 0}, {0, 0, 1}}};
}

static Full rotation_x(Turn t)
{
  return (Full){{{1, 0, 0}, {0, t.c, -t.s}, {0, t.s, t.c}}};
}

static Full times(Full A, Full B)
{
  Full P = {{{0}}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) P.m[i][j] += A.m[i][k] * B.m[k][j];
  return P;
}

static Full transposed(Full A)
{
  Full T;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) T.m[i][j] = A.m[j][i];
  return T;
}

// R A R^T
static Full turned(Full R, Full A)
{
  return times(R, times(A, transposed(R)));
}

static V3 apply(Full A, V3 b)
{
  const double(*m)[3] = A.m;
  return v3(m[0][0] * b.x + m[0][1] * b.y + m[0][2] * b.z,
            m[1][0] * b.x + m[1][1] * b.y + m[1][2] * b.z,
            m[2][0] * b.x + m[2][1] * b.y + m[2][2] * b.z);
}

static void same(double a, double b)
{
  const double largest = 12;  // three products of numbers up to 2
  if (!(fabs(a - b) <= 8 * DBL_EPSILON * largest)) fail_msg("%.17g instead of %.17g", a, b);
}

static void same_vector(V3 a, V3 b)
{
  same(a.x, b.x);
  same(a.y, b.y);
  same(a.z, b.z);
}

static void same_full(Full A, Full B)
{
  for (int i = 0; i < 9; ++i) same(A.m[i / 3][i % 3], B.m[i / 3][i % 3]);
}

// Random angles, and those whose sine or cosine is 0.
static Turn any_turn(lwRandom* random, int i)
{
  static const Turn right[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  if (i % 5 == 0) return right[i / 5 % 4];
  double angle = lw_random_between(random, -4, 4);
  return (Turn){cos(angle), sin(angle)};
}

enum
{
  TIMES = 1000
};

static void rotations(void** unused)
{
  (void)unused;
  lwRandom random = {31};
  for (int i = 0; i < TIMES; ++i)
  {
    Turn t  = any_turn(&random, i);
    V3 a    = any_vector(&random);
    S3 S    = any_symmetric(&random);
    M3 A    = any_matrix(&random);
    Full Rz = rotation_z(t), Rx = rotation_x(t);
    same_vector(turn_z(t, a), apply(Rz, a));
    same_vector(turn_x(t, a), apply(Rx, a));
    same_vector(turn_z(turn_back(t), a), apply(transposed(Rz), a));
    same_vector(turn_x(turn_back(t), a), apply(transposed(Rx), a));
    same_full(full_of_symmetric(s3_turn_z(t, S)), turned(Rz, full_of_symmetric(S)));
    same_full(full_of_symmetric(s3_turn_x(t, S)), turned(Rx, full_of_symmetric(S)));
    same_full(full_of_matrix(m3_turn_z(t, A)), turned(Rz, full_of_matrix(A)));
    same_full(full_of_matrix(m3_turn_x(t, A)), turned(Rx, full_of_matrix(A)));
  }
}

static void products(void** unused)
{
  (void)unused;
  lwRandom random = {32};
  for (int i = 0; i < TIMES; ++i)
  {
    V3 a = any_vector(&random), b = any_vector(&random), c = any_vector(&random);
    M3 A      = any_matrix(&random);
    S3 S      = any_symmetric(&random);
    REAL k    = any(&random);
    Full skew = {{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
    same(dot(a, b), a.x * b.x + a.y * b.y + a.z * b.z);
    same(dot_add(a, b, k), dot(a, b) + k);
    same_vector(cross(a, b), apply(skew, b));
    same_vector(cross_add(a, b, c), v3_add(apply(skew, b), c));
    same_vector(m3_apply(A, b), apply(full_of_matrix(A), b));
    same_vector(m3_apply_add(A, b, c), v3_add(apply(full_of_matrix(A), b), c));
    same_vector(s3_apply(S, b), apply(full_of_symmetric(S), b));
    same_vector(scale(k, a), v3(k * a.x, k * a.y, k * a.z));
    same_vector(scale_add(k, a, b), v3(k * a.x + b.x, k * a.y + b.y, k * a.z + b.z));
  }
}

static void sums(void** unused)
{
  (void)unused;
  lwRandom random = {33};
  V3 a = any_vector(&random), b = any_vector(&random);
  S3 S = any_symmetric(&random), T = any_symmetric(&random);
  M3 A = any_matrix(&random), B = any_matrix(&random);
  same_vector(add(a, b), v3(a.x + b.x, a.y + b.y, a.z + b.z));
  same_vector(sub(a, b), v3(a.x - b.x, a.y - b.y, a.z - b.z));
  same_vector(neg(a), v3(-a.x, -a.y, -a.z));
  Full S_T = full_of_symmetric(add(S, T)), A_B = full_of_matrix(add(A, B));
  for (int i = 0; i < 9; ++i)
  {
    int r = i / 3, c = i % 3;
    same(S_T.m[r][c], full_of_symmetric(S).m[r][c] + full_of_symmetric(T).m[r][c]);
    same(A_B.m[r][c], full_of_matrix(A).m[r][c] + full_of_matrix(B).m[r][c]);
  }
}

// mul_add, mul_sub and sub_mul, compiled with or without FMA.
static void fused_forms(void** unused)
{
  (void)unused;
  lwRandom random = {34};
  for (int i = 0; i < TIMES; ++i)
  {
    REAL a = any(&random), b = any(&random), c = any(&random);
    same(mul_add(a, b, c), a * b + c);
    same(mul_sub(a, b, c), a * b - c);
    same(sub_mul(c, a, b), c - a * b);
    same(r_div(a, b), a / b);
    same(r_sqrt(a * a), fabs(a));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(rotations), cmocka_unit_test(products),
                                     cmocka_unit_test(sums), cmocka_unit_test(fused_forms)};
  return cmocka_run_group_tests_name("vectors and rotations", tests, NULL, NULL);
}
