// SPDX-License-Identifier: MIT
// Lagrange's equations of a snake as nia2005 integrates them: the state is all n + 2 coordinates
// q = (x, y, theta_1 .. theta_n) and their rates, and wheels enter as differentiated
// constraints, A q'' = -A' q'. Nothing else keeps A q' at 0. (The method `lagrange` has theta
// and u as its state, so A q' is always 0.)
#ifndef LW_ARM_SNAKE_CHAIN_H
#define LW_ARM_SNAKE_CHAIN_H

#include "linkwork/snake.h"

typedef struct lwSnakeChain
{
  const lwSnake* snake;
  lwPrecision precision;  // of the arithmetic of the accelerations
  void* memory;           // of lw_snake_chain_bytes(), aligned to 64 bytes
} lwSnakeChain;

// M q'' + B = Q + forces, and the constraints of all wheels, A q' = 0. They belong to the chain
// until its next call.
typedef struct lwSnakeTerms
{
  double* M;            // (n+2 x n+2) lower triangle
  const double* A;      // (n x n+2) row k: sideways velocity of axle k; its first k + 3 entries
  const double* b;      // (n+2) Q - B
  const double* drift;  // (n) A' q'
} lwSnakeTerms;

size_t lw_snake_chain_bytes(int n);

// q'' (n + 2) and the forces of the wheels on the ground (n), no wheel slipping:
// (26) and (27) of nia2005, corrected.
void lw_snake_chain_accelerations(const lwSnakeChain* chain, const double* q, const double* qd,
                                  const double* torque, double* qdd, double* lambda);

// The terms, in double precision. torque NULL: zeros.
lwSnakeTerms lw_snake_chain_terms(const lwSnakeChain* chain, const double* q, const double* qd,
                                  const double* torque);

// The accelerations by one precision.
void lw_snake_chain_single(const lwSnakeChain* chain, const double* q, const double* qd,
                           const double* torque, double* qdd, double* lambda);
void lw_snake_chain_double(const lwSnakeChain* chain, const double* q, const double* qd,
                           const double* torque, double* qdd, double* lambda);

#endif
