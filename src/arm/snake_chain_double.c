// SPDX-License-Identifier: MIT
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#define CHAIN         lw_snake_chain_double
#include "arm/snake_chain_text.h"

size_t lw_snake_chain_bytes(int n)
{
  lwSnakeKernel most = {.per_link = AUGMENTED_PER_LINK + 8 * sizeof(REAL) + 3 * sizeof(Turn),
                        .per_pair = AUGMENTED_PER_PAIR};
  return lw_snake_kernel_bytes(&most, n);
}

void lw_snake_chain_accelerations(const lwSnakeChain* chain, const double* q, const double* qd,
                                  const double* torque, double* qdd, double* lambda)
{
  bool single = chain->precision == LW_PRECISION_SINGLE;
  (single ? lw_snake_chain_single : lw_snake_chain_double)(chain, q, qd, torque, qdd, lambda);
}

lwSnakeTerms lw_snake_chain_terms(const lwSnakeChain* chain, const double* q, const double* qd,
                                  const double* torque)
{
  ChainParts c = fill_chain(chain, q, qd, torque);
  return (lwSnakeTerms){.M = c.a.M, .A = c.a.A, .b = c.a.b, .drift = c.a.drift};
}
