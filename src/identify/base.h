// SPDX-License-Identifier: MIT
// Base parameters: the combinations of unknowns that torques depend on.
#ifndef LW_IDENTIFY_BASE_H
#define LW_IDENTIFY_BASE_H

#include "identify/regressor.h"

enum
{
  LW_BASE_NAME = 1000
};

typedef struct lwBaseParameters
{
  int count;       // of them
  int unknowns;    // columns
  int* kept;       // (count) the unknown that each is named after
  double* factor;  // (count, unknowns) what each is in terms of the unknowns; 1 of its own
} lwBaseParameters;

// Of a matrix X (rows, unknowns), column by column, that is overwritten: a column that depends on
// those before it in `order` (unknowns) to a part of 1e-8 is no parameter of its own.
lwStatus lw_base_find(lwBaseParameters* base, double* X, int rows, int unknowns, const int* order);
void lw_base_free(lwBaseParameters* base);

// "forearm.xx - hand.yy + 0.43 forearm.m"
void lw_base_name(const lwBaseParameters* base, const lwUnknowns* unknowns, int b,
                  char name[LW_BASE_NAME]);

// Its value where the unknowns have these values (unknowns).
double lw_base_value(const lwBaseParameters* base, int b, const double* values);

#endif
