// SPDX-License-Identifier: MIT
// What the formulas of arms are given: a chain of revolute joints in one state, in the frames of the
// documents. The including source has chosen the scalar.
//
//   both       n, z, o (zero), E or one (identity), g (gravity), m[i], qd[i], qdd[i]; bias[i]: torque without
//              accelerations, by the kernels. With derivatives by time, q, qd and qdd
//   modified   Ru[i], Rd[i]: from frame i to i-1 and back; s[i]: origin i-1 to i, frame i-1; r[i]: mass
//              centre of link i from its origin; I[i], J[i]: inertia and Euler's tensor about it;
//              rp[i,k], dm[i,k], k = 1..3: points whose second moments about it are J[i]
//   standard   Au[i], Ad[i]: from frame i to i-1 and back; p[i]: origin i-1 to i, frame i; c[i]: mass
//              centre from origin i; K[i]: inertia about it; Rm[i], Kt[i]: resistance and constant of
//              a motor, any numbers
#ifndef PAPERS_FORMULA_CHAIN_H
#define PAPERS_FORMULA_CHAIN_H

#include "formula_values.h"
#include "kernels/inertia/central.h"

typedef struct FormulaChain
{
  const lwModel* model;
  const Turn* turns;
  const Input *q, *qd, *qdd, *bias;
} FormulaChain;

static inline M3 m3_transposed(M3 A)
{
  return (M3){v3(A.x.x, A.y.x, A.z.x), v3(A.x.y, A.y.y, A.z.y), v3(A.x.z, A.y.z, A.z.z)};
}

static inline M3 m3_of_symmetric(S3 S)
{
  return (M3){v3(S.xx, S.xy, S.xz), v3(S.xy, S.yy, S.yz), v3(S.xz, S.yz, S.zz)};
}

// tr(I)/2 1 - I
static inline M3 euler_tensor(S3 I)
{
  REAL half = r_mul(constant((CONST)0.5), r_add(I.xx, r_add(I.yy, I.zz)));
  S3 J      = {r_sub(half, I.xx), r_sub(half, I.yy), r_sub(half, I.zz),
               r_neg(I.xy),       r_neg(I.xz),       r_neg(I.yz)};
  return m3_of_symmetric(J);
}

// J = sum of dm r r^T, by elimination. Each stands for two points opposite each other.
static inline void give_points(FormulaValues* values, int i, M3 J)
{
  REAL o = zero(), l = constant(1);
  REAL a = r_div(J.x.y, J.x.x), b = r_div(J.x.z, J.x.x);
  REAL yy = r_sub(J.y.y, r_mul(a, J.x.y)), yz = r_sub(J.y.z, r_mul(a, J.x.z));
  REAL c = r_div(yz, yy), zz = r_sub(r_sub(J.z.z, r_mul(b, J.x.z)), r_mul(c, yz));
  V3 r[]    = {v3(l, a, b), v3(o, l, c), v3(o, o, l)};
  REAL dm[] = {J.x.x, yy, zz};
  for (int k = 0; k < 3; ++k)
  {
    formula_set(values, "rp", i, k + 1, vector_value(r[k]));
    formula_set(values, "dm", i, k + 1, scalar_value(dm[k]));
  }
}

static inline M3 m3_unit(void)
{
  REAL o = zero(), l = constant(1);
  return (M3){v3(l, o, o), v3(o, l, o), v3(o, o, l)};
}

static inline void give_both_ways(FormulaValues* values, const char* up, const char* down, int i,
                                  M3 R)
{
  formula_set(values, up, i, 0, matrix_value(R));
  formula_set(values, down, i, 0, matrix_value(m3_transposed(R)));
}

// The rotations of joint i, from frame i to i - 1 and back, with their derivatives by q_i and time,
// of which `slope` is that of the first.
static inline void give_turning(FormulaValues* values, const char* up, const char* down, int i,
                                M3 R, FormulaValue slope, REAL qd)
{
  FormulaValue back = transpose_value(slope);
  give_both_ways(values, up, down, i, R);
  formula_slope(values, up, i, 0, i, slope);
  formula_slope(values, down, i, 0, i, back);
  formula_slope(values, up, i, 0, 0, scale_value(qd, slope));
  formula_slope(values, down, i, 0, 0, scale_value(qd, back));
}

static inline FormulaValue tilde_of_z(void)
{
  return tilde_value(vector_value(v3(zero(), zero(), constant(1))));
}

static inline void give_common(FormulaValues* values, const FormulaChain* chain)
{
  int n = chain->model->n;
  formula_integer(values, "n", n);
  formula_set(values, "o", 0, 0, vector_value(v3_zero()));
  formula_set(values, "z", 0, 0, vector_value(v3(zero(), zero(), constant(1))));
  formula_set(values, "E", 0, 0, matrix_value(m3_unit()));
  formula_set(values, "one", 0, 0, matrix_value(m3_unit()));
  for (int i = 0; i < n; ++i)
  {
    formula_set(values, "m", i + 1, 0, scalar_value(K(LINKS(chain->model)[i].mass)));
    formula_set(values, "qd", i + 1, 0, scalar_value(chain->qd[i]));
    formula_set(values, "qdd", i + 1, 0, scalar_value(chain->qdd[i]));
    formula_set(values, "bias", i + 1, 0, scalar_value(chain->bias[i]));
    formula_slope(values, "qd", i + 1, 0, 0, scalar_value(chain->qdd[i]));
    formula_slope(values, "qd", i + 1, 0, n + i + 1, scalar_value(constant(1)));
    formula_slope(values, "qdd", i + 1, 0, 2 * n + i + 1, scalar_value(constant(1)));
  }
}

static inline void give_modified(FormulaValues* values, const FormulaChain* chain)
{
  int n = chain->model->n;
  give_common(values, chain);
  formula_set(values, "g", 0, 0, vector_value(known_vector(ENDS(chain->model)->gravity)));
  for (int i = 0; i < n; ++i)
  {
    Joint j = joint_at(chain->model, i, chain->turns, chain->q);
    REAL o = zero(), l = constant(1);
    M3 columns = {to_parent(j, v3(l, o, o)), to_parent(j, v3(o, l, o)), to_parent(j, v3(o, o, l))};
    S3 I       = central_inertia(chain->model, i);
    M3 R       = m3_transposed(columns);  // turns about z of frame i
    give_turning(values, "Ru", "Rd", i + 1, R, multiply_values(matrix_value(R), tilde_of_z()),
                 chain->qd[i]);
    formula_set(values, "s", i + 1, 0, vector_value(origin_in_parent(j)));
    formula_set(values, "r", i + 1, 0, vector_value(mass_centre(chain->model, i)));
    formula_set(values, "I", i + 1, 0, matrix_value(m3_of_symmetric(I)));
    formula_set(values, "J", i + 1, 0, matrix_value(euler_tensor(I)));
    give_points(values, i + 1, euler_tensor(I));
  }
  give_both_ways(values, "Ru", "Rd", n + 1, m3_unit());
  formula_set(values, "s", n + 1, 0, vector_value(v3_zero()));
}

// Frame i of the standard convention is that of link i, shifted and turned about x to the next
// joint; frame 0 is the base, shifted and turned to the first.
static inline void give_standard(FormulaValues* values, const FormulaChain* chain)
{
  int n            = chain->model->n;
  const Link* link = LINKS(chain->model);
  REAL o           = zero();
  give_common(values, chain);
  V3 g = turn_back_x(alpha_turn(&link[0]), known_vector(ENDS(chain->model)->gravity));
  formula_set(values, "g", 0, 0, vector_value(g));
  for (int i = 0; i < n; ++i)
  {
    bool last  = i + 1 == n;
    Turn alpha = last ? (Turn){constant(1), o} : alpha_turn(&link[i + 1]), theta = chain->turns[i];
    REAL a = last ? o : K(link[i + 1].span[0]), d = K(link[i].d);
    V3 x = v3(theta.c, theta.s, o), y = turn_z(theta, v3(o, alpha.c, alpha.s));
    V3 z = turn_z(theta, v3(o, r_neg(alpha.s), alpha.c));
    S3 I = s3_turn_x(turn_back(alpha), central_inertia(chain->model, i));
    V3 c = turn_back_x(alpha, sub(mass_centre(chain->model, i), v3(a, o, o)));
    M3 R = m3_transposed((M3){x, y, z});  // turns about z of frame i - 1
    give_turning(values, "Au", "Ad", i + 1, R, multiply_values(tilde_of_z(), matrix_value(R)),
                 chain->qd[i]);
    formula_set(values, "p", i + 1, 0, vector_value(v3(a, r_mul(d, alpha.s), r_mul(d, alpha.c))));
    formula_set(values, "c", i + 1, 0, vector_value(c));
    formula_set(values, "K", i + 1, 0, matrix_value(m3_of_symmetric(I)));
    formula_set(values, "Rm", i + 1, 0, scalar_value(constant(i + 2)));
    formula_set(values, "Kt", i + 1, 0, scalar_value(constant(i + 3)));
  }
  give_both_ways(values, "Au", "Ad", n + 1, m3_unit());
}

#endif
