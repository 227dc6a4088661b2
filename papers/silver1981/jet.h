// SPDX-License-Identifier: MIT
// Numbers that carry derivatives: f(a, b) with df/da, df/db and d2f/da db at a = b = 0, exact up to
// rounding. The caller chooses a and b: time, a coordinate, a velocity. With a and b both time, ab
// is the second derivative.
#ifndef PAPERS_SILVER1981_JET_H
#define PAPERS_SILVER1981_JET_H

#include <math.h>

typedef struct PaperJet
{
  double f, a, b, ab;
} PaperJet;

typedef struct JetVector
{
  PaperJet at[3];
} JetVector;

typedef struct JetMatrix
{
  PaperJet at[3][3];
} JetMatrix;

static inline PaperJet jet(double f)
{
  return (PaperJet){f, 0, 0, 0};
}

static inline PaperJet jet_add(PaperJet x, PaperJet y)
{
  return (PaperJet){x.f + y.f, x.a + y.a, x.b + y.b, x.ab + y.ab};
}

static inline PaperJet jet_mul(PaperJet x, PaperJet y)
{
  return (PaperJet){x.f * y.f, x.a * y.f + x.f * y.a, x.b * y.f + x.f * y.b,
                    x.ab * y.f + x.a * y.b + x.b * y.a + x.f * y.ab};
}

static inline PaperJet jet_scale(double k, PaperJet x)
{
  return (PaperJet){k * x.f, k * x.a, k * x.b, k * x.ab};
}

// g(x) from g, g' and g'' at x.f
static inline PaperJet jet_apply(double g, double dg, double ddg, PaperJet x)
{
  return (PaperJet){g, dg * x.a, dg * x.b, dg * x.ab + ddg * x.a * x.b};
}

static inline PaperJet jet_sin(PaperJet x)
{
  return jet_apply(sin(x.f), cos(x.f), -sin(x.f), x);
}

static inline PaperJet jet_cos(PaperJet x)
{
  return jet_apply(cos(x.f), -sin(x.f), -cos(x.f), x);
}

// --- vectors and matrices

static inline JetVector jet_vector(const double v[3])
{
  return (JetVector){{jet(v[0]), jet(v[1]), jet(v[2])}};
}

static inline JetVector jet_vector_add(JetVector u, JetVector v)
{
  return (JetVector){
      {jet_add(u.at[0], v.at[0]), jet_add(u.at[1], v.at[1]), jet_add(u.at[2], v.at[2])}};
}

static inline JetVector jet_vector_scale(PaperJet k, JetVector v)
{
  return (JetVector){{jet_mul(k, v.at[0]), jet_mul(k, v.at[1]), jet_mul(k, v.at[2])}};
}

static inline JetVector jet_vector_sub(JetVector u, JetVector v)
{
  return jet_vector_add(u, jet_vector_scale(jet(-1), v));
}

static inline PaperJet jet_dot(JetVector u, JetVector v)
{
  return jet_add(jet_add(jet_mul(u.at[0], v.at[0]), jet_mul(u.at[1], v.at[1])),
                 jet_mul(u.at[2], v.at[2]));
}

static inline JetVector jet_cross(JetVector u, JetVector v)
{
  JetVector w;
  for (int i = 0; i < 3; ++i)
  {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    w.at[i] = jet_add(jet_mul(u.at[j], v.at[k]), jet_scale(-1, jet_mul(u.at[k], v.at[j])));
  }
  return w;
}

static inline JetVector jet_row(const JetMatrix* A, int i)
{
  return (JetVector){{A->at[i][0], A->at[i][1], A->at[i][2]}};
}

static inline JetVector jet_column(const JetMatrix* A, int j)
{
  return (JetVector){{A->at[0][j], A->at[1][j], A->at[2][j]}};
}

static inline JetVector jet_transform(const JetMatrix* A, JetVector v)
{
  return (JetVector){
      {jet_dot(jet_row(A, 0), v), jet_dot(jet_row(A, 1), v), jet_dot(jet_row(A, 2), v)}};
}

static inline JetMatrix jet_multiply(const JetMatrix* A, const JetMatrix* B)
{
  JetMatrix C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C.at[i][j] = jet_dot(jet_row(A, i), jet_column(B, j));
  return C;
}

static inline JetMatrix jet_transpose(const JetMatrix* A)
{
  JetMatrix B;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) B.at[i][j] = A->at[j][i];
  return B;
}

#endif
