// SPDX-License-Identifier: MIT
// A robot and a state at one point of the field, and the kernels that answer there: what the files
// of identities about arms share. See prove.c.
#ifndef LW_ANSWER_PROVE_PROVER_H
#define LW_ANSWER_PROVE_PROVER_H

#define LW_SCALAR_prime
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
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
  REAL *q, *qd, *qdd;  // (n)
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

INLINE void prove_same(Prover* prover, const char* about, const char* left, const char* right,
                       int entries, const REAL* a, const REAL* b)
{
  lw_proof_compare(prover->proof, about, left, right, entries, a, b);
}

INLINE void prove_slope(Prover* prover, const char* about, const char* left, const char* right,
                        int entries, const REAL* a, const REAL* b)
{
  lw_proof_compare_slope(prover->proof, about, left, right, entries, a, b);
}

// The state moves: q with qd, and qd with qdd. NULL: it does not.
INLINE void set_slopes(const Prover* prover, REAL* values, const REAL* rates)
{
  for (int i = 0; i < prover->arm.n; ++i) values[i].slope = rates ? rates[i].value : 0;
}

// The identities: motion.c is about poses, energies and forces, matrices.c about matrices and
// derivatives.
void lw_prove_motion(Prover* prover);
void lw_prove_matrices(Prover* prover);

#endif
