// SPDX-License-Identifier: MIT
#include "states.h"

#include <stdlib.h>

#include "base/random.h"

bool ring_fill(Ring* ring, const lwModel* model, int count)
{
  lwRandom random = {7};
  size_t n        = (size_t)lw_model_dof(model);
  size_t all      = n * (size_t)count;
  *ring           = (Ring){.count  = count,
                           .values = malloc(4 * all * sizeof *ring->values),
                           .states = malloc((size_t)count * sizeof *ring->states)};
  double* v       = ring->values;
  if (!v || !ring->states) return false;
  for (size_t i = 0; i < all; ++i) v[i] = lw_random_between(&random, -3.14, 3.14);
  for (size_t i = all; i < 4 * all; ++i) v[i] = lw_random_between(&random, -2, 2);
  for (size_t k = 0; k < (size_t)count; ++k)
    ring->states[k] = (lwStates){.q   = v + k * n,
                                 .qd  = v + all + k * n,
                                 .qdd = v + 2 * all + k * n,
                                 .tau = v + 3 * all + k * n};
  return true;
}

void ring_free(Ring* ring)
{
  free(ring->values);
  free(ring->states);
  *ring = (Ring){0};
}
