// SPDX-License-Identifier: MIT
// What a motion demands of the joints' bearings: peaks and root mean squares of their reactions.
#include <stdlib.h>

#include "drive/load_sum.h"
#include "math/rotation.h"

typedef struct JointLoads
{
  lwLoadSum sums[LW_REACTION_COUNT];
  double last[LW_REACTION_COUNT];  // at the end of the span
} JointLoads;

struct lwLoads
{
  int count;
  lwLoadSpan span;
  JointLoads joints[];
};

const char* lw_reaction_name(lwReaction component)
{
  static const char* const names[] = {"rfx", "rfy", "rfz", "rnx", "rny", "rnz", "rf", "rn"};
  return names[component];
}

const char* lw_reaction_unit(lwReaction component)
{
  bool moment =
      component == LW_REACTION_N || (component >= LW_REACTION_NX && component <= LW_REACTION_NZ);
  return moment ? "N m" : "N";
}

lwStatus lw_loads_create(const lwModel* model, lwLoads** loads)
{
  int count = lw_model_joint_count(model);
  *loads    = calloc(1, sizeof **loads + (size_t)count * sizeof(JointLoads));
  if (!*loads) return LW_ERROR_MEMORY;
  (*loads)->count = count;
  return LW_OK;
}

void lw_loads_destroy(lwLoads* loads)
{
  free(loads);
}

void lw_loads_add(lwLoads* loads, double t, const double* reactions)
{
  lwLoadSpan* span = &loads->span;
  for (int i = 0; i < loads->count; ++i)
  {
    JointLoads* joint                      = &loads->joints[i];
    const double* r                        = reactions + 6 * (size_t)i;
    const double values[LW_REACTION_COUNT] = {r[0], r[1], r[2],         r[3],
                                              r[4], r[5], lw_length(r), lw_length(r + 3)};
    for (int k = 0; k < LW_REACTION_COUNT; ++k)
    {
      lw_load_sum_add(&joint->sums[k], span, joint->last[k], values[k], t);
      joint->last[k] = values[k];
    }
  }
  if (span->count++ == 0) span->begin = t;
  span->end = t;
}

const lwLoadSum* lw_loads_sum(const lwLoads* loads, int joint, lwReaction component)
{
  return &loads->joints[joint].sums[component];
}

double lw_loads_rms(const lwLoads* loads, int joint, lwReaction component)
{
  const JointLoads* of = &loads->joints[joint];
  return lw_load_sum_rms(&of->sums[component], &loads->span, of->last[component]);
}
