// SPDX-License-Identifier: MIT
// Seeded random numbers, the same on every machine: SplitMix64 (Steele, Lea & Flood 2014).
#ifndef LW_BASE_RANDOM_H
#define LW_BASE_RANDOM_H

#include <stdint.h>

typedef struct lwRandom
{
  uint64_t state;
} lwRandom;

static inline uint64_t lw_random_bits(lwRandom* random)
{
  uint64_t z = random->state += 0x9E3779B97F4A7C15u;
  z          = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z          = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Uniform in [low, high).
static inline double lw_random_between(lwRandom* random, double low, double high)
{
  return low + (high - low) * ((double)(lw_random_bits(random) >> 11) * 0x1p-53);
}

#endif
