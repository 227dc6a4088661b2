// SPDX-License-Identifier: MIT
// A robot and a state at one point of the field, and the kernels that answer there: what the files
// of identities about arms share. See prove.c.
#ifndef LW_ANSWER_PROVE_PROVER_H
#define LW_ANSWER_PROVE_PROVER_H

#define LW_SCALAR_prime
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/real.h"  // before the others, whose numbers are then of this scalar

#include "answer/prove/prove.h"
#include "answer/variants.h"
#include "kernels/joints.h"
#include "kernels/registry.h"

// A robot and a state at one point, and room for answers.
typedef struct Prover
{
  lwProof* proof;
  lwModel arm;  // the model's structure with links and ends of the field
  Link* links;
  Ends* ends;
  Member* members;
  View tool;
  lwView view;
  int first;           // its first identity in the proof
  REAL *q, *qd, *qdd;  // (lw_kernel_positions()), (n), (n)
  REAL* unit;          // (n) 1 in one entry
  REAL wrench[6];
  REAL *tau, *free_tau, *bias;  // (n) newton-euler with the wrench, without, and with qdd = 0
  REAL *M, *J;                  // (n, n), (6, n)
  REAL pose[12], energy[2];
  REAL *left, *right;  // (n, n) or (6, n)
  REAL* slopes;        // (3, n, n) derivatives of torques or accelerations
  REAL* regressor;     // (n, 10 joints of the description)
  REAL* reactions;     // (joints of the description, 6)
  REAL* gibbs;         // (1 + n n)
  REAL* links_moved;   // (joints of the description, 36) poses, their rates, velocities and theirs
  REAL* controls;      // (2, n n + 8 n + 18)
  void* work;
} Prover;

// The link of the description rides on the last of the joints that stand for its own.
INLINE bool carries_link(const lwModel* model, int i)
{
  return model->carrier[model->joint[i]] == i;
}

INLINE void run_kernel(Prover* prover, int kernel, const lwState* state, REAL* out, int count)
{
  lw_prime_restart();
  lw_prime_variant()->kernels[kernel]->run(&prover->arm, prover->work, state, out);
  lw_prime_settle(out, (size_t)count);
}

// What an identity is about, a literal: the same is proven of wide joints.
#define ABOUT(prover, text) ((prover)->arm.wide_count > 0 ? text ", wide joints" : text)

// Both sides of the next identity, and of one about derivatives; see prove.h.
#define prove_same(prover, about, ...)                                                             \
  lw_proof_compare((prover)->proof, ABOUT(prover, about), __VA_ARGS__)
#define prove_slope(prover, about, ...)                                                            \
  lw_proof_compare_slope((prover)->proof, ABOUT(prover, about), __VA_ARGS__)

// Whether a kernel takes the joints of the arm.
INLINE bool takes_arm(const Prover* prover, int kernel)
{
  return prover->arm.wide_count == 0 || lw_prime_variant()->kernels[kernel]->flags & LW_KERNEL_WIDE;
}

// The slope of a number becomes the value of another.
INLINE void set_slope(REAL* number, REAL rate)
{
  number->slope = rate.value;
}

// A wide joint moves in its tangent space: dp = R v and dQ = Q (w, 0) / 2 of its quaternion Q.
INLINE void set_wide_slopes(const lwWideJoint* wide, REAL* q, const REAL* rates)
{
  REAL *p = q + wide->q, *Q = p + (wide->floats ? 3 : 0), half = constant((CONST)0.5);
  const REAL *v = rates + wide->first, *w = rates + wide->last - 2;
  V3 e = v3(Q[0], Q[1], Q[2]), spin = scale(half, v3(w[0], w[1], w[2]));
  V3 turned = cross_add(e, spin, scale(Q[3], spin));
  set_slope(&Q[0], turned.x), set_slope(&Q[1], turned.y), set_slope(&Q[2], turned.z);
  set_slope(&Q[3], r_neg(dot(e, spin)));
  if (!wide->floats) return;
  V3 x, y;
  REAL still[4];
  for (int k = 0; k < 4; ++k)
  {
    still[k]       = Q[k];
    still[k].slope = 0;
  }
  quaternion_axes(still, &x, &y);
  V3 moved = scale_add(v[0], x, scale_add(v[1], y, scale(v[2], cross(x, y))));
  set_slope(&p[0], moved.x), set_slope(&p[1], moved.y), set_slope(&p[2], moved.z);
}

// The state moves: q with qd, and qd with qdd. NULL: it does not.
INLINE void set_slopes(const Prover* prover, REAL* values, const REAL* rates)
{
  const lwModel* arm = &prover->arm;
  bool positions     = values == prover->q;
  for (int i = 0; i < (positions ? lw_kernel_positions(arm) : arm->n); ++i) values[i].slope = 0;
  for (int i = 0; i < arm->n && rates; ++i)
  {
    int at = positions && arm->q_index ? arm->q_index[i] : i;
    if (at >= 0) set_slope(&values[at], rates[i]);
  }
  for (int k = 0; k < arm->wide_count && positions && rates; ++k)
    set_wide_slopes(&arm->wides[k], values, rates);
}

// Entry k of q, qd or qdd moves by itself; -1: none.
INLINE void set_unit_slope(const Prover* prover, REAL* values, int k)
{
  for (int i = 0; i < prover->arm.n; ++i) prover->unit[i] = constant(i == k);
  set_slopes(prover, values, prover->unit);
}

// prove.c: memory for a prover whose proof and arm are set, its robot and state at a point, a random
// rotation row by row, and the angles that all of them are made of.
bool lw_prover_take(Prover* prover);
void lw_prover_choose(Prover* prover, int point, int angles);
void lw_prover_rotation(lwRandom* random, REAL rotation[9]);

INLINE int lw_prover_angles(const lwModel* model)
{
  enum
  {
    END_ANGLES   = 6,  // of base and tool
    JOINT_ANGLES = 4   // gamma, alpha, offset and q
  };
  return JOINT_ANGLES * model->n + END_ANGLES;
}

// Formulations of dynamics with closed loops. LW_ERROR_METHOD: not of these joints or rows.
lwStatus lw_prove_constrained(lwProof* proof, const lwModel* model);

// The identities: motion.c is about poses, energies and forces, matrices.c about matrices and
// derivatives.
void lw_prove_motion(Prover* prover);
void lw_prove_matrices(Prover* prover);

#endif
