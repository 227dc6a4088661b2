// SPDX-License-Identifier: MIT
// Arithmetic that is counted, every product in full.
#ifndef PAPERS_SILVER1981_COUNTED_H
#define PAPERS_SILVER1981_COUNTED_H

#include <math.h>

#include "formulations.h"

typedef struct CountedVector
{
  double x, y, z;
} CountedVector;

typedef struct Matrix
{
  CountedVector row[3];
} Matrix;

static inline CountedVector add(FormulationTally* tally, CountedVector a, CountedVector b)
{
  tally->add += 3;
  return (CountedVector){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline CountedVector scale(FormulationTally* tally, double k, CountedVector a)
{
  tally->mul += 3;
  return (CountedVector){k * a.x, k * a.y, k * a.z};
}

static inline CountedVector cross(FormulationTally* tally, CountedVector a, CountedVector b)
{
  tally->mul += 6;
  tally->add += 3;
  return (CountedVector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double dot(FormulationTally* tally, CountedVector a, CountedVector b)
{
  tally->mul += 3;
  tally->add += 2;
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline CountedVector apply(FormulationTally* tally, const Matrix* A, CountedVector b)
{
  return (CountedVector){dot(tally, A->row[0], b), dot(tally, A->row[1], b),
                         dot(tally, A->row[2], b)};
}

// A^T b
static inline CountedVector apply_transposed(FormulationTally* tally, const Matrix* A,
                                             CountedVector b)
{
  const CountedVector* r = A->row;
  Matrix transposed      = {
           {{r[0].x, r[1].x, r[2].x}, {r[0].y, r[1].y, r[2].y}, {r[0].z, r[1].z, r[2].z}}};
  return apply(tally, &transposed, b);
}

// a + k z
static inline CountedVector add_z(FormulationTally* tally, CountedVector a, double k)
{
  tally->add += 1;
  return (CountedVector){a.x, a.y, a.z + k};
}

// a x k z
static inline CountedVector cross_z(FormulationTally* tally, CountedVector a, double k)
{
  tally->mul += 2;
  return (CountedVector){a.y * k, -a.x * k, 0};
}

// Rz(theta) Rx(alpha); sines and cosines are not counted.
static inline Matrix axes(FormulationTally* tally, double theta, double alpha)
{
  double c = cos(theta), s = sin(theta), ca = cos(alpha), sa = sin(alpha);
  tally->mul += 4;
  return (Matrix){{{c, -s * ca, s * sa}, {s, c * ca, -c * sa}, {0, sa, ca}}};
}

static inline CountedVector sub(FormulationTally* tally, CountedVector a, CountedVector b)
{
  return add(tally, a, (CountedVector){-b.x, -b.y, -b.z});
}

static inline Matrix multiply(FormulationTally* tally, const Matrix* A, const Matrix* B)
{
  Matrix C;
  for (int i = 0; i < 3; ++i) C.row[i] = apply_transposed(tally, B, A->row[i]);
  return C;
}

static inline Matrix inertia_of(const lwLinkDef* link)
{
  const double* I = link->inertia;
  return (Matrix){{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
}

#endif
