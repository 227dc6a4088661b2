// SPDX-License-Identifier: MIT
// Wrenches on the arms of a fleet: the same places on all of them. Where the models differ, these
// are at different points of their canonical frames, so every lane has its own view.
#include <string.h>

#include "answer/workspace.h"
#include "base/number.h"
#include "fleet/fleet_internal.h"

void lw_fleet_push(const lwFleetWorker* worker, const double* q, double* tau)
{
  const lwFleetGroup* group = worker->group;
  lwState state             = {.q          = q,
                               .tau        = tau,
                               .wrench     = group->wrench,
                               .pushes     = group->pushes,
                               .push_count = worker->fleet->push_count};
  worker->fleet->pusher->run(group->model, worker->scratch, &state, tau);
}

// The views of one place on all lanes, side by side.
static bool mix_views(lwFleet* fleet, const lwFleetGroup* group, const lwFrame* frame, lwPush* push)
{
  enum
  {
    VIEW = sizeof(lwView64) / sizeof(double)
  };
  size_t lanes  = (size_t)fleet->lanes;
  double* mixed = lw_arena_take(&fleet->arena, VIEW * lanes, sizeof *mixed);
  if (!mixed) return false;
  for (size_t lane = 0; lane < lanes; ++lane)
  {
    lwView view = lw_view_of(fleet->models[group->arm[lane]], frame);
    lw_fleet_mix((const double*)&view.view64, VIEW, lanes, mixed + lane);
  }
  push->view.own = mixed;
  return true;
}

static bool place_pushes(lwFleet* fleet, lwFleetGroup* group, int count,
                         const lwWrenchPlace* places, lwPush* pushes)
{
  bool enough = true;
  for (int k = 0; k < count && enough; ++k)
  {
    lwFrame frame = {.joint = places[k].joint};
    memcpy(frame.xyz, places[k].xyz, sizeof frame.xyz);
    pushes[k] = (lwPush){places[k].joint, places[k].axes == LW_AXES_BASE,
                         lw_view_of(fleet->models[group->arm[0]], &frame)};
    enough    = fleet->def.model || mix_views(fleet, group, &frame, &pushes[k]);
  }
  return enough;
}

static lwStatus check_wrenches(const lwFleet* fleet, int places, const lwWrenchPlace* place,
                               const double* wrenches, lwDiag* diag)
{
  lwStatus status = LW_OK;
  for (int arm = 0; arm < fleet->def.count && status == LW_OK; ++arm)
    status = lw_wrench_places_check(fleet->models[arm], places, place, diag);
  for (int arm = 0; arm < fleet->def.count && status == LW_OK; ++arm)
    for (int k = 0; k < places; ++k)
      if (fleet->models[arm]->joint_frame[place[k].joint].carrier !=
          fleet->models[0]->joint_frame[place[k].joint].carrier)
        status = LW_ERROR_FRAME;  // the link is not part of the same body on all arms
  size_t count = (size_t)fleet->def.count * 6 * (size_t)(places > 0 ? places : 0);
  return status == LW_OK && !lw_all_finite(wrenches, count) ? LW_ERROR_INPUT : status;
}

lwStatus lw_fleet_set_wrenches(lwFleet* fleet, int places, const lwWrenchPlace* place,
                               const double* wrenches, lwDiag* diag)
{
  lwStatus status = check_wrenches(fleet, places, place, wrenches, diag);
  size_t count = places > 0 ? (size_t)places : 0, lanes = (size_t)fleet->lanes;
  if (status == LW_OK) lw_fleet_restart_grid(fleet);
  for (int g = 0; g < fleet->group_count && count > 0 && status == LW_OK; ++g)
  {
    lwFleetGroup* group = &fleet->groups[g];
    lwPush* pushes      = lw_arena_take(&fleet->arena, count, sizeof *pushes);
    double* wrench      = lw_arena_take(&fleet->arena, 6 * count * lanes, sizeof *wrench);
    bool enough         = pushes && wrench && place_pushes(fleet, group, places, place, pushes);
    if (!enough) status = LW_ERROR_MEMORY;
    for (size_t i = 0; enough && i < 6 * count; ++i)
      for (size_t lane = 0; lane < lanes; ++lane)
        wrench[i * lanes + lane] = wrenches[(size_t)group->arm[lane] * 6 * count + i];
    if (!enough) continue;
    group->pushes = pushes;
    group->wrench = wrench;
  }
  fleet->push_count = status == LW_OK ? (int)count : 0;
  return status;
}
