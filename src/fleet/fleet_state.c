// SPDX-License-Identifier: MIT
// The state of a fleet as bytes, as arm/arm_state.c does it for one arm. Integrators of workers are
// started anew in every call, so they have no part in it.
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "fleet/fleet_internal.h"

static void pass_group(const lwFleet* fleet, lwFleetGroup* group, lwStateBytes* state)
{
  size_t lanes = (size_t)fleet->lanes, size = lw_fleet_state_size(fleet);
  lw_state_finites(state, group->y, size);  // an arm that is not finite would stop all others
  lw_state_finites(state, group->seen, size);
  lw_state_finites(state, group->tau, (size_t)fleet->n * lanes);
  lw_state_finites(state, group->wrench, 6 * (size_t)fleet->push_count * lanes);
  lw_state_numbers(state, group->S0, lanes);
  lw_state_flags(state, group->stopped, lanes);
  LW_STATE_INTEGER(state, group->steps, 0, LW_STATE_MOST);
  for (size_t lane = 0; lane < lanes; ++lane) lw_energy_state(&group->energy[lane], state);
}

static void pass_fleet(void* context, lwStateBytes* state)
{
  lwFleet* fleet = context;
  double t       = lw_state_finite(state, &fleet->t);
  lwClock grid   = lw_clock_state(&fleet->grid, state);
  // t is within the step that begins at the grid
  if (state->pass == LW_STATE_CHECK &&
      (grid.period != fleet->def.step || !(fabs(t - lw_clock_time(&grid)) <= 2 * grid.period)))
    state->wrong = true;
  for (int k = 0; k < fleet->group_count; ++k) pass_group(fleet, &fleet->groups[k], state);
  for (int i = 0; i < fleet->def.count; ++i)
  {
    LW_STATE_INTEGER(state, fleet->arms[i].progress, LW_PROGRESS_ARRIVED, LW_PROGRESS_BUDGET);
    lw_state_numbers(state, &fleet->arms[i].t, 1);
  }
}

// What the definition fixes, but for the law and the callback.
static uint64_t fleet_kind(const lwFleet* fleet)
{
  const int facts[]    = {fleet->n,          fleet->lanes,       fleet->def.count,
                          fleet->push_count, fleet->def.viscous, fleet->def.rotors};
  const double steps[] = {fleet->def.step, fleet->def.fastest};
  uint64_t hash        = lw_state_hash(LW_STATE_HASH, "fleet", 5);
  hash                 = lw_state_hash(hash, fleet->def.method, strlen(fleet->def.method));
  hash                 = lw_state_hash(hash, facts, sizeof facts);
  hash                 = lw_state_hash(hash, steps, sizeof steps);
  for (int i = 0; i < fleet->def.count; ++i)
    hash = lw_state_hash(hash, fleet->models[i]->link64, (size_t)fleet->n * sizeof(lwLink64));
  return hash;
}

size_t lw_fleet_save(const lwFleet* fleet, void* state, size_t capacity)
{
  return lw_state_save((lwFleet*)fleet, pass_fleet, fleet_kind(fleet), state, capacity);
}

lwStatus lw_fleet_restore(lwFleet* fleet, const void* state, size_t size, lwDiag* diag)
{
  if (lw_state_restore(fleet, pass_fleet, fleet_kind(fleet), state, size)) return LW_OK;
  return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                   "this is no state of such a fleet: arms, method, step, places of wrenches and "
                   "the instruction set must be those of the fleet that it was saved from");
}
