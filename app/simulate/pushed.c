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

static int add_loads(Simulation* sim, const Wrenches* wrenches)
{
  size_t given = (size_t)sim->arm.load_count, count = (size_t)wrenches->count;
  sim->loads  = calloc(given + count, sizeof *sim->loads);
  sim->frames = calloc(count, sizeof *sim->frames);
  if (!sim->loads || !sim->frames) return no_memory();
  if (given) memcpy(sim->loads, sim->arm.loads, given * sizeof *sim->loads);
  for (int k = 0; k < wrenches->count; ++k)
    take_load(wrenches, k, &sim->frames[k], &sim->loads[given + (size_t)k]);
  sim->arm.loads = sim->loads;
  sim->arm.load_count += wrenches->count;
  return DONE;
}

int simulation_push(Simulation* sim)
{
  Wrenches wrenches;
  CsvBlock one = {.capacity = 1};
  int status   = wrenches_open(&wrenches, sim->options, sim->model, NULL, &one);
  if (status == DONE && wrenches.count > 0) status = add_loads(sim, &wrenches);
  wrenches_close(&wrenches);
  return status;
}
