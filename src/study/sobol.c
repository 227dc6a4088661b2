// SPDX-License-Identifier: MIT
// Sobol' points (Bratley & Fox 1988, with the direction numbers of Joe & Kuo 2008), scrambled as
// Owen (1995) does, and random numbers and permutations by counters.
#include "study/sobol.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

extern const char lw_sobol_text[];

// --- random bits by counter

static uint64_t mixed_bits(uint64_t x)
{
  lwRandom random = {x};
  return lw_random_bits(&random);
}

// Random bits that depend on the four numbers only.
static uint64_t hash_of(uint64_t seed, uint64_t stream, uint64_t k, uint64_t d)
{
  uint64_t h = mixed_bits(seed ^ mixed_bits(stream));
  h          = mixed_bits(h ^ k);
  return mixed_bits(h + 0xD1B54A32D192ED03u * (d + 1));
}

// 53 bits to the middle of their interval, which is never 0 and never 1.
static double to_unit(uint64_t bits53)
{
  return ((double)bits53 + 0.5) * 0x1p-53;
}

double lw_study_uniform(uint64_t seed, uint64_t stream, uint64_t k, uint64_t d)
{
  double u = to_unit(hash_of(seed, stream, k, d) >> 11);
  return u < 1 ? u : 1 - 0x1p-53;
}

// --- permutations: a Feistel network over the next even power of two; what falls outside walks on
// (Black & Rogaway 2002)

uint64_t lw_study_permuted(uint64_t seed, uint64_t stream, uint64_t n, uint64_t k)
{
  int half = 1;
  while (half < 31 && (UINT64_C(1) << 2 * half) < n) ++half;
  uint64_t mask = (UINT64_C(1) << half) - 1;
  do
  {
    uint64_t left = k >> half, right = k & mask;
    for (uint64_t round = 0; round < 6; ++round)
    {
      uint64_t next = left ^ (hash_of(seed, stream, right, round) & mask);
      left          = right;
      right         = next;
    }
    k = left << half | right;
  } while (k >= n);
  return k;
}

// --- Sobol' points

lwSobolRow lw_sobol_row(const char** at)
{
  char* next     = (char*)(*at ? *at : strstr(lw_sobol_text, "\n\n"));  // behind the heading
  lwSobolRow row = {.s = (unsigned char)strtoul(next, &next, 10)};
  row.a          = (unsigned short)strtoul(next, &next, 10);
  for (int i = 0; i < row.s && i < LW_SOBOL_DEGREE; ++i)
    row.m[i] = (unsigned short)strtoul(next, &next, 10);
  *at = next;
  return row;
}

static void first_dimension(uint32_t v[LW_SOBOL_BITS])
{
  for (int i = 0; i < LW_SOBOL_BITS; ++i) v[i] = UINT32_C(1) << (LW_SOBOL_BITS - 1 - i);
}

// v_i = a_1 v_(i-1) ^ .. ^ a_(s-1) v_(i-s+1) ^ v_(i-s) ^ v_(i-s) / 2^s
static void other_dimension(const lwSobolRow* row, uint32_t v[LW_SOBOL_BITS])
{
  int s = row->s;
  for (int i = 0; i < LW_SOBOL_BITS; ++i)
  {
    if (i < s)
    {
      v[i] = (uint32_t)row->m[i] << (LW_SOBOL_BITS - 1 - i);
      continue;
    }
    v[i] = v[i - s] ^ v[i - s] >> s;
    for (int j = 1; j < s; ++j)
      if (row->a >> (s - 1 - j) & 1) v[i] ^= v[i - j];
  }
}

void lw_sobol_init(lwSobol* sobol)
{
  first_dimension(sobol->v[0]);
  const char* at = NULL;
  for (int d = 1; d < LW_SOBOL_DIMENSIONS; ++d)
  {
    lwSobolRow row = lw_sobol_row(&at);
    other_dimension(&row, sobol->v[d]);
  }
}

uint32_t lw_sobol_bits(const lwSobol* sobol, uint32_t k, int d)
{
  uint32_t x = 0;
  for (int i = 0; k; ++i, k >>= 1)
    if (k & 1) x ^= sobol->v[d][i];
  return x;
}

// Every bit is flipped or not by a coin that belongs to the bits above it;
// what is below the last bit is random.
double lw_sobol_scrambled(const lwSobol* sobol, uint64_t seed, uint32_t k, int d)
{
  uint32_t x   = lw_sobol_bits(sobol, k, d);
  uint64_t out = 0, above = 1;  // the bits above, with a leading 1 that tells their number
  for (int i = LW_SOBOL_BITS - 1; i >= 0; --i)
  {
    uint64_t bit = x >> i & 1;
    out          = out << 1 | (bit ^ (hash_of(seed, 1, above, (uint64_t)d) & 1));
    above        = above << 1 | bit;
  }
  uint64_t below = hash_of(seed, 1, above, (uint64_t)d) >> (64 - 21);
  double u       = to_unit(out << 21 | below);
  return u < 1 ? u : 1 - 0x1p-53;
}
