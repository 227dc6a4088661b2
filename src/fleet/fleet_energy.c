// SPDX-License-Identifier: MIT
// The energy balance of every arm: whether its run is to be trusted (arm/energy.h). Works of
// torques, wrenches included, and of viscous friction are integrated with the motion; energies are
// computed in lanes, at every few steps.
#include <string.h>

#include "fleet/fleet_internal.h"
#include "ode/integrator.h"

void lw_fleet_powers(const lwFleetWorker* worker, const double* qd, double* rates)
{
  const lwFleet* fleet      = worker->fleet;
  const lwFleetGroup* group = worker->group;
  int lanes                 = fleet->lanes;
  double *torques = rates + 2 * fleet->n * lanes, *friction = torques + lanes;
  memset(torques, 0, LW_FLEET_WORKS * (size_t)lanes * sizeof *torques);
  for (int i = 0; i < fleet->n; ++i)
    for (int lane = 0; lane < lanes; ++lane)
    {
      int at      = i * lanes + lane;
      double loss = fleet->def.viscous ? group->viscous[at] * qd[at] * qd[at] : 0;
      friction[lane] -= loss;
      torques[lane] += worker->tau[at] * qd[at] + loss;
    }
}

// Kinetic and potential energy of a group in state y, into worker->energies.
static void find_energies(lwFleetWorker* worker, const lwFleetGroup* group, const double* y)
{
  const lwFleet* fleet = worker->fleet;
  int size             = fleet->n * fleet->lanes;
  lwState state        = {.q = y, .qd = y + size};
  fleet->energy->run(group->model, worker->scratch, &state, worker->energies);
  for (int i = 0; i < size && fleet->def.rotors; ++i)
    worker->energies[i % fleet->lanes] += 0.5 * group->rotors[i] * y[size + i] * y[size + i];
}

// Works of the arm in a lane, in state y.
static void read_works(const lwFleet* fleet, const double* y, int lane, double* works)
{
  const double* work = y + 2 * fleet->n * fleet->lanes + lane;
  for (int i = 0; i < LW_FLEET_WORKS; ++i) works[i] = work[i * fleet->lanes];
}

static void see_arm(const lwFleetWorker* worker, lwFleetGroup* group, int lane, const double* y)
{
  double kinetic   = worker->energies[lane],
         potential = worker->energies[worker->fleet->lanes + lane], works[LW_FLEET_WORKS];
  read_works(worker->fleet, y, lane, works);
  double S = kinetic + potential - group->S0[lane] - works[0] - works[1];
  lw_energy_see(&group->energy[lane], kinetic, potential, works, LW_FLEET_WORKS, S);
}

void lw_fleet_energy_start(lwFleetWorker* worker, lwFleetGroup* group)
{
  const lwFleet* fleet = worker->fleet;
  find_energies(worker, group, group->y);
  group->steps = 0;
  for (int lane = 0; lane < group->count; ++lane)
  {
    const lwModel* model = fleet->models[group->arm[lane]];
    group->energy[lane]  = (lwEnergyWatch){.weight = lw_energy_weight(&model->robot)};
    group->S0[lane]      = worker->energies[lane] + worker->energies[fleet->lanes + lane];
    see_arm(worker, group, lane, group->y);
  }
}

// NOLINTNEXTLINE(readability-non-const-parameter): an lwStepEnd
bool lw_fleet_step_end(void* context, double t, const double* y, double* moved)
{
  lwFleetWorker* worker = context;
  lwFleetGroup* group   = worker->group;
  double end            = worker->fleet->def.end;
  (void)moved;
  if (worker->peeks) return false;
  bool look = ++group->steps % LW_FLEET_LOOK == 0 || (end > 0 && t >= end);
  if (look) find_energies(worker, group, y);
  for (int lane = 0; lane < group->count; ++lane)
  {
    double works[LW_FLEET_WORKS];
    if (group->stopped[lane]) continue;
    read_works(worker->fleet, y, lane, works);
    if (look)
      see_arm(worker, group, lane, y);
    else
      lw_energy_see_works(&group->energy[lane], works, LW_FLEET_WORKS);
  }
  return false;
}
