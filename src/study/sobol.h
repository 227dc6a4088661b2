// SPDX-License-Identifier: MIT
// Points in the unit cube, each computed from its number alone: point k is the
// same for every thread, rank or restart.
#ifndef LW_STUDY_SOBOL_H
#define LW_STUDY_SOBOL_H

#include <stdint.h>

enum
{
  LW_SOBOL_DIMENSIONS = 128,
  LW_SOBOL_DEGREE     = 10,  // of the polynomials
  LW_SOBOL_BITS       = 32   // so there are 2^32 points
};

// A primitive polynomial of degree s, x^s + a_1 x^(s-1) + .. + 1 with the bits a_1 .. a_(s-1) in a,
// and the first s direction numbers.
typedef struct lwSobolRow
{
  unsigned char s;
  unsigned short a;
  unsigned short m[LW_SOBOL_DEGREE];
} lwSobolRow;

// The row of sobol.txt at *at, which moves on to the next; at first *at is NULL.
lwSobolRow lw_sobol_row(const char** at);

// Direction numbers of all dimensions, bit by bit.
typedef struct lwSobol
{
  uint32_t v[LW_SOBOL_DIMENSIONS][LW_SOBOL_BITS];
} lwSobol;

void lw_sobol_init(lwSobol* sobol);

// Coordinate d of point k before scrambling, as a fraction of 2^32.
uint32_t lw_sobol_bits(const lwSobol* sobol, uint32_t k, int d);

// Coordinate d of point k after Owen's nested uniform scrambling, in (0, 1).
double lw_sobol_scrambled(const lwSobol* sobol, uint64_t seed, uint32_t k, int d);

// A random number in (0, 1) that depends on the four numbers only.
double lw_study_uniform(uint64_t seed, uint64_t stream, uint64_t k, uint64_t d);

// Where k goes in a random permutation of 0 .. n - 1 that seed and stream choose.
uint64_t lw_study_permuted(uint64_t seed, uint64_t stream, uint64_t n, uint64_t k);

#endif
