// SPDX-License-Identifier: MIT
// Constant wrenches of --wrench, in addition to those of the scenario.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulate.h"
#include "states/wrench_options.h"

static void take_load(const Wrenches* wrenches, int k, lwFrame* frame, lwLoadDef* load)
{
  const lwWrenchPlace* place = &wrenches->places[k];
  *frame                     = (lwFrame){.joint = place->joint};
  memcpy(frame->xyz, place->xyz, sizeof frame->xyz);
  *load = (lwLoadDef){.frame = frame, .in_base = place->axes == LW_AXES_BASE, .to = INFINITY};
  memcpy(load->constant, wrenches->constants + 6 * (size_t)k, sizeof load->constant);
}

static void add_loads(Simulation* sim, const Wrenches* wrenches)
{
  size_t given = (size_t)sim->arm.load_count, count = (size_t)wrenches->count;
  lwLoadDef* loads = capacity(given + count, sizeof *loads);
  lwFrame* frames  = capacity(count, sizeof *frames);
  if (given) memcpy(loads, sim->arm.loads, given * sizeof *loads);
  for (int k = 0; k < wrenches->count; ++k)
    take_load(wrenches, k, &frames[k], &loads[given + (size_t)k]);
  sim->arm.loads = loads;
  sim->arm.load_count += wrenches->count;
}

int simulation_push(Simulation* sim)
{
  Wrenches wrenches;
  lwCsvBlock one = {.capacity = 1};
  int status     = wrenches_open(&wrenches, sim->options, sim->model, NULL, &one);
  if (status == DONE && wrenches.count > 0) add_loads(sim, &wrenches);
  wrenches_close(&wrenches);
  return status;
}
