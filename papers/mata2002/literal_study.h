// SPDX-License-Identifier: MIT
// The data of the equations of mata2002, with a scalar that counts.
// Included first, by literal*.c only.
//
//   paper          here    meaning                                                  frame, unit
//   r_{i,i}        r       origin of the link to its centre of mass                 link, m
//   s_{i-1,i}      s       parent's origin to the link's                            parent, m
//   J, I           J, I    Euler's tensor and the inertia about the centre of mass  link, kg m^2
//   gamma, E       gamma, E  first moment and inertia of link i, with what it carries concentrated
//                            at the next joint                             link, kg m, kg m^2
//   the others as in src/kernels/inverse/gibbs_appell.c and src/kernels/inertia/gibbs_appell.c
//
// A vector passes a joint by two planar rotations, 8 multiplications and 4 additions,
// as the document says.
#ifndef PAPERS_MATA2002_LITERAL_STUDY_H
#define PAPERS_MATA2002_LITERAL_STUDY_H

#define LW_SCALAR_count
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/real.h"

#include "kernels/joints.h"
#include "mata_literal.h"
#include "model/model_internal.h"

typedef struct StudyBody
{
  V3 w, wd, a, f, t, phi, chi;  // a: of the origin
  M3 W;
} StudyBody;

typedef struct LiteralStudy
{
  const lwModel* chain;
  int n;
  Joint joint[LITERAL_MOST];
  REAL q[LITERAL_MOST], qd[LITERAL_MOST], qdd[LITERAL_MOST];
  Turn turns[LITERAL_MOST];
  V3 s[LITERAL_MOST];

  // of section 4.1
  StudyBody body[LITERAL_MOST + 1];

  // of section 4.2
  V3 gamma[LITERAL_MOST], phi[LITERAL_MOST];
  V3 turned[LITERAL_MOST];  // phi of link i + 1 in the frame of link i
  S3 E[LITERAL_MOST], psi[LITERAL_MOST];
  V3 step[LITERAL_MOST][LITERAL_MOST];  // [i][j] s_{i,i+1} in the frame of link j
  V3 span[LITERAL_MOST][LITERAL_MOST];  // [i][j] s_{i,j} in the frame of link j
  V3 z[LITERAL_MOST][LITERAL_MOST];     // [i][j] axis of joint i in the frame of link j

  REAL out[LITERAL_MOST * LITERAL_MOST];  // torques, or the inertia matrix row by row
} LiteralStudy;

// Counting begins here.
INLINE void count_start(Literal* literal)
{
  *literal = (Literal){0};
  lw_tally = (lwCount){0};
}

// Charges the operations since the last call, or count_start(), to this expression.
INLINE void mark(Literal* literal, int step)
{
  Operations now   = {lw_tally.mul + lw_tally.div + lw_tally.sqrt, lw_tally.add};
  Operations* most = &literal->each[step];
  if (now.mul > most->mul) most->mul = now.mul;
  if (now.add > most->add) most->add = now.add;
  literal->all.mul += now.mul;
  literal->all.add += now.add;
  lw_tally = (lwCount){0};
}

// Off-line.
INLINE V3 centre_of(const Link* link)
{
  return v3(K(link->first_moment[0] / link->mass), K(link->first_moment[1] / link->mass),
            K(link->first_moment[2] / link->mass));
}

// Answers, into out; their cost is in literal.
typedef void Answer(LiteralStudy* study, Literal* literal);
Answer study_inverse;
Answer study_inverse_wrong;
Answer study_inertia;
Answer study_gibbs;
Answer study_hessian;
Answer study_sum_22;
Answer study_sum_22_wrong;

// Parts of them: steps 1 and 2 of 4.1, steps 2 and 3 of 4.2.
void study_move(LiteralStudy* study, Literal* literal, V3 base_acceleration);
void study_see(LiteralStudy* study, Literal* literal);

#endif
