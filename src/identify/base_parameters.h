// SPDX-License-Identifier: MIT
// Base parameters: the combinations of unknowns that torques depend on.
#ifndef LW_IDENTIFY_BASE_PARAMETERS_H
#define LW_IDENTIFY_BASE_PARAMETERS_H

#include <stdint.h>

#include "identify/regressor.h"
#include "model/model_internal.h"

typedef struct lwBaseParameters
{
  int count;       // of them
  int unknowns;    // columns
  int* kept;       // (count) the unknown that each is named after
  double* factor;  // (count, unknowns) what each is in terms of the unknowns; 1 of its own
  // of columns that were sorted numerically, the part that does not depend on those before:
  double least_kept;    // the smallest that makes a parameter
  double most_dropped;  // the largest that makes none
} lwBaseParameters;

// The ten parameters of a link, first what is usually kept, so that combinations read as in the
// literature (Khalil & Dombre).
extern const int LW_LINK_PARAMETER_ORDER[LW_LINK_PARAMETERS];

// Memory for the most that there can be. LW_ERROR_MEMORY or LW_OK; to be freed in any case.
lwStatus lw_base_create(lwBaseParameters* base, size_t unknowns);
void lw_base_free(lwBaseParameters* base);

// Finds base parameters from a matrix X (rows, unknowns), column by column, which is overwritten. A
// column that depends on those before it in `order` (unknowns) to `depends` is not a base parameter.
lwStatus lw_base_sort(lwBaseParameters* base, double* X, int rows, int unknowns, const int* order,
                      double depends);

// For numbers that are exact but for rounding.
#define LW_BASE_DEPENDS 1e-8

// The states whose rows of Y base parameters are found from: random ones, or at random velocities
// and accelerations in positions of a log, of whose joints only those that moved have rows.
typedef struct lwBaseStates
{
  uint64_t seed;
  const double* q;    // (samples, nq) of the log; NULL: random positions
  long samples;       // of the log
  const bool* moved;  // (n) NULL: all
} lwBaseStates;

// Whether the rules hold: no joint follows another, and no loop is closed.
static inline bool lw_base_has_rules(const lwModel* model)
{
  return !model->coupled && !model->loops;
}

// Finds base parameters from such rows, with columns from base to tip, those of a link in the order
// in which the rules keep them; and the number of states for n joints that move.
// LW_ERROR_NUMERICAL: no states were found that close the loops.
lwStatus lw_base_at_random(lwBaseParameters* base, const lwUnknowns* unknowns,
                           lwRegressor* regressor, const lwBaseStates* states);
int lw_base_random_states(int unknowns, int n);

// Base parameters of the inertial unknowns, by rules and without states (rules.c), and the order
// (10 links) in which they were kept. The model must not be coupled.
lwStatus lw_base_by_rules(lwBaseParameters* base, const lwModel* model, int* order);

// "forearm.xx - hand.yy + 0.43 forearm.m", to be freed; NULL: out of memory.
char* lw_base_name(const lwBaseParameters* base, const lwUnknowns* unknowns, int b);

// Its value where the unknowns have these values (unknowns).
double lw_base_value(const lwBaseParameters* base, int b, const double* values);

#endif
