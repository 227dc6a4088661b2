// SPDX-License-Identifier: MIT
// Torques of 100,000 states in vector lanes and on all threads, and that each is, to the last bit,
// what a call for that state alone gives.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/linkwork.h"

enum
{
  STATES = 100000
};

// Uniform in -1 to 1, the same on every machine.
static double uniform(unsigned long long* seed)
{
  *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(long long)(*seed >> 11) / 4503599627370496.0 - 1;
}

int main(int argc, char** argv)
{
  lwModel* arm            = NULL;
  lwBatch* batch          = NULL;
  unsigned long long seed = 1;
  int equal               = 0;
  double tau[64];
  if (lw_robot_read_file(argc > 1 ? argv[1] : "robots/panda.yaml", NULL, NULL, &arm) != LW_OK ||
      lw_model_dof(arm) > 64 || lw_batch_create(arm, NULL, 0, NULL, &batch) != LW_OK)
    return 3;
  size_t n        = (size_t)lw_model_dof(arm);
  double* numbers = malloc(4 * STATES * n * sizeof *numbers);
  if (!numbers) return 3;
  double *q = numbers, *qd = q + STATES * n, *qdd = qd + STATES * n, *all = qdd + STATES * n;
  for (size_t i = 0; i < 3 * STATES * n; ++i) numbers[i] = uniform(&seed);
  lw_batch_answer(batch, LW_QUESTION_INVERSE, STATES, &(lwStates){.q = q, .qd = qd, .qdd = qdd},
                  all);
  for (size_t k = 0; k < STATES; ++k)
  {
    lw_inverse_dynamics(arm, lw_batch_workspace(batch, 0), q + k * n, qd + k * n, qdd + k * n, tau);
    equal += !memcmp(tau, all + k * n, n * sizeof *tau);
  }
  printf("%d of %d equal to the last bit, %s, %d threads\n", equal, STATES,
         lw_workspace_isa(lw_batch_workspace(batch, 0)), lw_batch_threads(batch));
  free(numbers);
  lw_batch_destroy(batch);
  lw_model_destroy(arm);
  return equal == STATES ? 0 : 1;
}
