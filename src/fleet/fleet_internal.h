// SPDX-License-Identifier: MIT
// Many arms over time. Arms are taken in blocks of as many as a vector has lanes; a
// block is one system of differential equations to the integrator, its state (2 n + 2)
// REALs, positions, velocities, and the works of torques and of viscous friction, J.
#ifndef LW_BATCH_FLEET_INTERNAL_H
#define LW_BATCH_FLEET_INTERNAL_H

#include "answer/variants.h"
#include "arm/energy.h"
#include "base/arrays.h"
#include "base/clock.h"
#include "fleet/thread_pool.h"
#include "linkwork/fleet.h"
#include "model/model_internal.h"

enum
{
  LW_FLEET_WORKS = 2,
  LW_FLEET_LOOK  = 4  // steps from one look at the energy to the next; errors of S add up
};

// Arms that move together.
typedef struct lwFleetGroup
{
  const lwModel* model;   // of all lanes, or `mixed`
  lwModel mixed;          // the structure of all lanes, and their numbers
  int count;              // arms; lanes beyond repeat the last of them and do not move
  int* arm;               // (lanes) numbers in the fleet
  double* y;              // (2 n + 2, lanes) at the end of the last whole step
  double* seen;           // (2 n + 2, lanes) at the time of the fleet
  double* tau;            // (n, lanes) N m or N, from lw_fleet_set_torques()
  double* viscous;        // (n, lanes) N m s/rad or N s/m
  double* rotors;         // (n, lanes) kg m^2 or kg, reflected inertia
  bool* stopped;          // (lanes) the arm does not move any more
  lwEnergyWatch* energy;  // (lanes)
  double* S0;             // (lanes) J, kinetic + potential at the start
  long steps;             // whole ones since the start
  lwPush* pushes;         // (push_count of the fleet) where wrenches act
  double* wrench;         // (push_count 6, lanes) N, N m
} lwFleetGroup;

// What a thread needs.
typedef struct lwFleetWorker
{
  const lwFleet* fleet;
  lwFleetGroup* group;  // at which it works
  lwIntegrator* integrator;
  double* tau;       // (n, lanes)
  double* energies;  // (2, lanes) J, kinetic and potential
  bool peeks;        // its steps only serve to interpolate
  void* scratch;
} lwFleetWorker;

struct lwFleet
{
  lwFleetDef def;
  const lwKernel* kernel;
  const lwKernel* pusher;  // torques with those of wrenches
  const lwKernel* energy;  // kinetic and potential
  const lwModel** models;  // (count) of each arm
  int push_count;          // places of wrenches; 0: there are none
  int n;                   // joints
  int lanes;               // arms of a group
  lwThreadPool* pool;
  int threads;
  int group_count;
  lwFleetGroup* groups;
  lwFleetWorker* workers;  // (threads)
  lwFleetArm* arms;        // (count)
  size_t* place;           // (count) group * lanes + lane
  double t;                // s
  lwClock grid;            // of the end of the last whole step
  lwArena arena;
};

// Numbers of one lane, from a struct of doubles, to their places among those of all lanes.
static inline void lw_fleet_mix(const double* from, size_t size, size_t lanes, double* to)
{
  for (size_t i = 0; i < size; ++i) to[i * lanes] = from[i];
}

static inline const lwModel* lw_fleet_model(const lwFleetDef* def, int arm)
{
  return def->model ? def->model : def->models[arm];
}

static inline size_t lw_fleet_state_size(const lwFleet* fleet)
{
  return (2 * (size_t)fleet->n + LW_FLEET_WORKS) * (size_t)fleet->lanes;
}

// --- fleet_check.c

// Checks the definition and reports everything that is wrong.
lwStatus lw_fleet_check(const lwFleetDef* def, lwDiag* diag);

// --- fleet_push.c

// Adds the torques of wrenches in these positions (n, lanes) to tau.
void lw_fleet_push(const lwFleetWorker* worker, const double* q, double* tau);

// --- fleet_energy.c

// The energies of a group at the start, from which S is counted.
void lw_fleet_energy_start(lwFleetWorker* worker, lwFleetGroup* group);
lwStepEnd lw_fleet_step_end;  // the context is a worker

// Powers of torques and of friction into the last rows of the rates of a group, with the torques in
// worker->tau.
void lw_fleet_powers(const lwFleetWorker* worker, const double* qd, double* rates);

// --- fleet_run.c

lwRates lw_fleet_rates;  // of a group; the context is an lwFleetWorker

// Before torques or wrenches change: the state at the time of the fleet, by a shortened step if
// that is not the end of one. From there steps are counted anew.
void lw_fleet_restart_grid(lwFleet* fleet);

#endif
