// SPDX-License-Identifier: MIT
// Many arms over time. Arms are taken in blocks of as many as a vector has lanes; a
// block is one system of differential equations to the integrator, its state (2 n)
// REALs, first positions, then velocities.
#ifndef LW_BATCH_FLEET_INTERNAL_H
#define LW_BATCH_FLEET_INTERNAL_H

#include "answer/variants.h"
#include "base/arena.h"
#include "fleet/crew.h"
#include "linkwork/fleet.h"
#include "model/model_internal.h"

// Arms that move together.
typedef struct lwFleetGroup
{
  const lwModel* model;  // of all lanes, or `mixed`
  lwModel mixed;         // the structure of all lanes, and their numbers
  int count;             // arms; lanes beyond repeat the last of them and stand still
  int* arm;              // (lanes) numbers in the fleet
  double* y;             // (2 n, lanes)
  double* tau;           // (n, lanes) N m or N, from lw_fleet_set_torques()
  double* viscous;       // (n, lanes) N m s/rad or N s/m
  bool* still;           // (lanes) the arm stands still
  lwPush* pushes;        // (push_count of the fleet) where wrenches act
  double* wrench;        // (push_count 6, lanes) N, N m
} lwFleetGroup;

// What a thread needs.
typedef struct lwFleetHand
{
  const lwFleet* fleet;
  lwFleetGroup* group;  // at which it works
  lwIntegrator* integrator;
  double* tau;  // (n, lanes)
  void* scratch;
} lwFleetHand;

struct lwFleet
{
  lwFleetDef def;
  const lwKernel* kernel;
  const lwKernel* pusher;  // torques with those of wrenches
  const lwModel** models;  // (count) of each arm
  int push_count;          // places of wrenches; 0: there are none
  int n;                   // joints
  int lanes;               // arms of a group
  lwCrew* crew;
  int threads;
  int group_count;
  lwFleetGroup* groups;
  lwFleetHand* hands;  // (threads)
  lwFleetArm* arms;    // (count)
  size_t* place;       // (count) group * lanes + lane
  double t;            // s
  lwArena arena;
};

static inline const lwModel* lw_fleet_model(const lwFleetDef* def, int arm)
{
  return def->model ? def->model : def->models[arm];
}

// --- fleet_check.c

// Checks the definition and reports everything that is wrong.
lwStatus lw_fleet_check(const lwFleetDef* def, lwDiag* diag);

// --- fleet_push.c

// Adds the torques of wrenches in these positions (n, lanes) to tau.
void lw_fleet_push(const lwFleetHand* hand, const double* q, double* tau);

// --- fleet_run.c

lwRates lw_fleet_rates;  // of a group; the context is a hand

#endif
