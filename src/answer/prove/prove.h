// SPDX-License-Identifier: MIT
// What the proofs about arms and snakes share; see prove.c.
#ifndef LW_ANSWER_PROVE_H
#define LW_ANSWER_PROVE_H

#include "base/arena.h"
#include "base/diag.h"
#include "linkwork/proof.h"
#include "math/prime.h"

struct lwProof
{
  lwProofDef def;
  int count, capacity;
  lwIdentity* identities;
  int next;        // identity that comes next at the current point
  int point;       // the current one
  int substitute;  // degree that slopes of positions add, which are not variables of their own
  lwArena arena;
};

lwStatus lw_proof_open(const lwProofDef* def, int capacity, lwProof** proof);

// The random numbers of a point: different for every seed and point.
lwRandom lw_proof_random(const lwProof* proof, int point);

void lw_proof_random_values(lwRandom* random, lwPrime* values, int count);

// Compares both sides of the next identity at the current point:
// left[i] = right[i], 0 <= i < entries.
void lw_proof_compare(lwProof* proof, const char* about, const char* left, const char* right,
                      int entries, const lwPrime* a, const lwPrime* b);

// Compares derivatives along the direction of the point: slope of left[i] = value of right[i].
void lw_proof_compare_slope(lwProof* proof, const char* about, const char* left, const char* right,
                            int entries, const lwPrime* a, const lwPrime* b);

#endif
