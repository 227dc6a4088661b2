// SPDX-License-Identifier: MIT
#include "bench_states.h"

#include <stdlib.h>

#include "base/random.h"

bool ring_fill(Ring* ring, const lwModel* model, int count)
{
  lwRandom random = {7};
  size_t n = (size_t)lw_model_dof(model), nq = (size_t)lw_model_nq(model);
  size_t all = n * (size_t)count, positions = nq * (size_t)count;
  *ring     = (Ring){.count  = count,
                     .values = malloc((positions + 3 * all) * sizeof *ring->values),
                     .states = malloc((size_t)count * sizeof *ring->states)};
  double* v = ring->values;
  if (!v || !ring->states) return false;
  double* rest = v + positions;
  for (size_t i = 0; i < positions; ++i) v[i] = lw_random_between(&random, -3.14, 3.14);
  for (size_t i = 0; i < 3 * all; ++i) rest[i] = lw_random_between(&random, -2, 2);
  for (size_t k = 0; k < (size_t)count; ++k) lw_model_normalize(model, v + k * nq);
  for (size_t k = 0; k < (size_t)count; ++k)
    ring->states[k] = (lwStates){.q   = v + k * nq,
                                 .qd  = rest + k * n,
                                 .qdd = rest + all + k * n,
                                 .tau = rest + 2 * all + k * n};
  return true;
}

void ring_free(Ring* ring)
{
  free(ring->values);
  free(ring->states);
  *ring = (Ring){0};
}
