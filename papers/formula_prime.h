// SPDX-License-Identifier: MIT
// Formulas over the integers modulo 2^61 - 1: what the files about arms and about snakes share.
#ifndef PAPERS_FORMULA_PRIME_H
#define PAPERS_FORMULA_PRIME_H

#define LW_SCALAR_prime
#define LW_ISA         baseline
#define LW_LANE_BYTES  0
#define FORMULA_EXTENT 6
#include <stdlib.h>

#include "answer/variants.h"
#include "formula_values.h"
#include "kernels/registry.h"
#include "linkwork/linkwork.h"

enum
{
  JOINTS = 4
};

typedef struct PrimeAnswers
{
  REAL tau[JOINTS], M[JOINTS * JOINTS], V[JOINTS], w[JOINTS], ud[2];
} PrimeAnswers;

static inline REAL prime_entry(const PrimeAnswers* answers, const FormulaAnswer* answer, int i,
                               int j)
{
  if (answer->matrix) return answers->M[i * JOINTS + j];
  if (answer->name[0] == 't') return answers->tau[i];  // tau, or a second form of it
  if (!strcmp(answer->name, "ud")) return answers->ud[i];
  return answer->name[0] == 'V' ? answers->V[i] : answers->w[i];
}

static inline void compare_prime(FormulaValues* values, const FormulaAnswer* answer,
                                 const PrimeAnswers* answers, FormulaTrial* trial)
{
  int rows = strcmp(answer->name, "ud") != 0 ? JOINTS : 2;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= (answer->matrix ? i : 0); ++j)
    {
      int a = answer->upper ? j + 1 : i + 1, b = answer->upper ? i + 1 : j + 1;
      REAL found = found_scalar(values, answer->name, a, answer->matrix ? b : 0);
      ++trial->entries;
      trial->different += found.value != prime_entry(answers, answer, i, j).value;
    }
}

static inline void random_numbers(lwRandom* random, REAL* values, int count)
{
  for (int k = 0; k < count; ++k) values[k] = lw_prime_random(random);
}

// The answers of the kernels at a random point, whose numbers the values get. False: no memory.
typedef bool PrimePoint(lwRandom* random, FormulaValues* values, FormulaFrames frames,
                        PrimeAnswers* answers);
PrimePoint prime_chain, prime_snake;

#endif
