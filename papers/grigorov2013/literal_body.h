// SPDX-License-Identifier: MIT
// Shared by grigorov_literal.c, which moves the links, and literal_torque.c, which sums their
// moments.
//
// Written over the scalar that counts (math/real_count.h), which has a value as well.
//
//   paper          here         meaning                                           frame, unit
//   j-1R_j, P_j    step, P      frame of link j in that of link j - 1             link j - 1, m
//   jR_i, jP_i     R, p         frame of link i in that of link j, any two        link j, m
//   jR_0           base         axes of the base                                  link j
//   P_Ci, jP_Ci    PC, pc       centre of mass of link i                          link i, link j, m
//   w, w., v., v.C w wd vd vdc  motion of the link                                link
//   C_e C_V C_VC   Ce CV CVC    parts of w., v., v.C that do not depend on th..   link
#ifndef PAPERS_GRIGOROV2013_LITERAL_BODY_H
#define PAPERS_GRIGOROV2013_LITERAL_BODY_H

#define LW_SCALAR_count
#define LW_ISA page

#include "grigorov_literal.h"
#include "math/vec.h"

typedef struct LiteralBody
{
  const lwJointDef* joint;
  M3 step, base;
  V3 P, PC;
  REAL m;
  M3 I;  // about the centre of mass
  V3 G;  // weight, base axes, N
  V3 w, wd, vd, vdc;
  V3 Ce, CV, CVC;
  REAL thd, thdd;
} LiteralBody;

// How link i is seen from link j.
typedef struct Seen
{
  M3 R;
  V3 p, pc;
} Seen;

struct LiteralArm
{
  int n;
  unsigned printed;
  LiteralBody* body;  // (n)
  Seen* seen;         // (n n) row j, column i
  V3 force, moment;   // on the last link, N and N m
};

// --- matrices

INLINE M3 transposed(M3 A)
{
  return (M3){v3(A.x.x, A.y.x, A.z.x), v3(A.x.y, A.y.y, A.z.y), v3(A.x.z, A.y.z, A.z.z)};
}

INLINE M3 product(M3 A, M3 B)
{
  M3 T = transposed(B);
  return (M3){m3_apply(T, A.x), m3_apply(T, A.y), m3_apply(T, A.z)};
}

// (2): a vector along z
INLINE V3 along_z(REAL x)
{
  return v3(zero(), zero(), x);
}

// --- the arm

INLINE bool as_printed(const LiteralArm* literal, unsigned what)
{
  return (literal->printed & what) != 0;
}

INLINE Seen* seen_from(const LiteralArm* literal, int j, int i)
{
  return &literal->seen[(size_t)j * (size_t)literal->n + (size_t)i];
}

#endif
