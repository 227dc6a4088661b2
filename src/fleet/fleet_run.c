// SPDX-License-Identifier: MIT
// A fleet over time. Groups are independent, so it does not matter which thread moves which.
// Lanes do not mix: a number that is not finite stays in its lane. The integrator refuses a
// step that ends in such a number; the arms concerned are then stopped, and the others
// repeat the step from the same state.
#include <math.h>
#include <string.h>

#include "fleet/crew.h"
#include "fleet/fleet_internal.h"
#include "ode/integrator.h"

// --- rates

// An arm that is too fast gets torques that are not finite, which is how it is detected.
static void refuse_fast(const lwFleetHand* hand, const double* qd, double* tau)
{
  const lwFleet* fleet = hand->fleet;
  double fastest       = fleet->def.fastest;
  int size             = fleet->n * fleet->lanes;
  for (int i = 0; i < size; ++i) tau[i] = fabs(qd[i]) > fastest ? (double)NAN : tau[i];
}

static void add_law(const lwFleet* fleet, double t, const double* q, const double* qd, double* tau)
{
  for (int i = 0; i < fleet->n; ++i)
    for (int lane = 0; lane < fleet->lanes; ++lane)
    {
      int at = i * fleet->lanes + lane;
      tau[at] += lw_law_at(fleet->def.law, &(lwLawPoint){t, i + 1, fleet->n, q[at], qd[at]});
    }
}

static void find_torques(lwFleetHand* hand, double t, const double* q, const double* qd)
{
  const lwFleet* fleet      = hand->fleet;
  const lwFleetGroup* group = hand->group;
  const lwFleetDef* def     = &fleet->def;
  int size                  = fleet->n * fleet->lanes;
  memcpy(hand->tau, group->tau, (size_t)size * sizeof *hand->tau);
  if (fleet->push_count > 0) lw_fleet_push(hand, q, hand->tau);
  if (def->law) add_law(fleet, t, q, qd, hand->tau);
  if (def->torques)
    def->torques(def->context, &(lwFleetBlock){t, group->count, group->arm, fleet->n, fleet->lanes,
                                               q, qd, hand->tau});
  for (int i = 0; i < size && def->viscous; ++i) hand->tau[i] -= group->viscous[i] * qd[i];
  refuse_fast(hand, qd, hand->tau);
}

// Rates of arms that stand still become 0, also where they are not finite.
static void hold_still(const lwFleet* fleet, const lwFleetGroup* group, double* rates)
{
  for (int lane = 0; lane < fleet->lanes; ++lane)
    if (group->still[lane])
      for (int i = 0; i < 2 * fleet->n; ++i) rates[i * fleet->lanes + lane] = 0;
}

void lw_fleet_rates(void* context, double t, const double* y, double* rates)
{
  lwFleetHand* hand    = context;
  const lwFleet* fleet = hand->fleet;
  size_t size          = (size_t)fleet->n * (size_t)fleet->lanes;
  const double* qd     = y + size;
  find_torques(hand, t, y, qd);
  memcpy(rates, qd, size * sizeof *rates);
  lwState state = {.q = y, .qd = qd, .tau = hand->tau, .rotors = fleet->def.rotors};
  fleet->kernel->run(hand->group->model, hand->scratch, &state, rates + size);
  hold_still(fleet, hand->group, rates);
}

// --- from time to time

static void stop_arm(lwFleet* fleet, lwFleetGroup* group, int lane, lwFleetArm arm)
{
  if (group->still[lane]) return;
  group->still[lane]            = true;
  fleet->arms[group->arm[lane]] = arm;
}

// Stops the arms for which a refused step gives numbers that are not finite, or all
// if it was refused for another reason.
static void stop_arms(lwFleet* fleet, lwFleetHand* hand, lwProgress progress)
{
  lwFleetGroup* group = hand->group;
  const double* ahead = hand->integrator->ahead;
  double t            = lw_integrator_time(hand->integrator);
  for (int lane = 0; lane < fleet->lanes; ++lane)
  {
    bool finite = progress == LW_PROGRESS_NOT_FINITE;
    for (int i = 0; i < 2 * fleet->n && finite; ++i)
      finite = isfinite(ahead[i * fleet->lanes + lane]);
    if (!finite) stop_arm(fleet, group, lane, (lwFleetArm){progress, t});
  }
}

static bool all_still(const lwFleet* fleet, const lwFleetGroup* group)
{
  bool all = true;
  for (int lane = 0; lane < fleet->lanes; ++lane) all = all && group->still[lane];
  return all;
}

static void advance_group(lwFleet* fleet, lwFleetHand* hand, lwFleetGroup* group, double t)
{
  hand->group = group;
  lw_integrator_start(hand->integrator, fleet->t, group->y);
  while (!all_still(fleet, group))
  {
    lwProgress progress = lw_integrator_advance(hand->integrator, t, group->y, NULL);
    if (progress == LW_PROGRESS_ARRIVED) break;
    stop_arms(fleet, hand, progress);
  }
}

// The time to which all groups go.
typedef struct Advance
{
  lwFleet* fleet;
  double t;
} Advance;

static void advance_piece(void* context, int piece, int hand)
{
  const Advance* advance = context;
  lwFleet* fleet         = advance->fleet;
  advance_group(fleet, &fleet->hands[hand], &fleet->groups[piece], advance->t);
}

int lw_fleet_advance(lwFleet* fleet, double t)
{
  int running = 0;
  if (isfinite(t) && t > fleet->t)
  {
    lw_crew_run(fleet->crew, fleet->group_count, advance_piece, &(Advance){fleet, t});
    fleet->t = t;
  }
  for (int i = 0; i < fleet->def.count; ++i)
    running += fleet->arms[i].progress == LW_PROGRESS_ARRIVED;
  return running;
}

// --- states

// Rows of the caller into a half of the groups' states or torques, and back;
// lanes beyond the arms repeat the last.
static void to_lanes(const lwFleet* fleet, const lwFleetGroup* group, const double* rows,
                     double* lanes)
{
  size_t n = (size_t)fleet->n, width = (size_t)fleet->lanes;
  for (size_t lane = 0; lane < width; ++lane)
    for (size_t i = 0; i < n; ++i)
      lanes[i * width + lane] = rows ? rows[(size_t)group->arm[lane] * n + i] : 0;
}

static void to_row(const lwFleet* fleet, const double* lanes, double* row)
{
  for (int i = 0; i < fleet->n; ++i) row[i] = lanes[i * fleet->lanes];
}

static bool fleet_values_are_finite(const lwFleet* fleet, const double* rows)
{
  size_t count = (size_t)fleet->def.count * (size_t)fleet->n;
  bool finite  = true;
  for (size_t i = 0; rows && i < count; ++i) finite = finite && isfinite(rows[i]);
  return finite;
}

lwStatus lw_fleet_start(lwFleet* fleet, double t, const double* q, const double* qd)
{
  if (!isfinite(t) || !fleet_values_are_finite(fleet, q) || !fleet_values_are_finite(fleet, qd))
    return LW_ERROR_INPUT;
  size_t size = (size_t)fleet->n * (size_t)fleet->lanes;
  fleet->t    = t;
  for (int k = 0; k < fleet->group_count; ++k)
  {
    lwFleetGroup* group = &fleet->groups[k];
    to_lanes(fleet, group, q, group->y);
    to_lanes(fleet, group, qd, group->y + size);
    for (int lane = 0; lane < fleet->lanes; ++lane) group->still[lane] = lane >= group->count;
  }
  for (int i = 0; i < fleet->def.count; ++i) fleet->arms[i] = (lwFleetArm){LW_PROGRESS_ARRIVED, t};
  return LW_OK;
}

lwStatus lw_fleet_set_torques(lwFleet* fleet, const double* tau)
{
  if (!fleet_values_are_finite(fleet, tau)) return LW_ERROR_INPUT;
  for (int k = 0; k < fleet->group_count; ++k)
    to_lanes(fleet, &fleet->groups[k], tau, fleet->groups[k].tau);
  return LW_OK;
}

void lw_fleet_states(const lwFleet* fleet, double* q, double* qd)
{
  size_t n = (size_t)fleet->n, lanes = (size_t)fleet->lanes;
  for (int i = 0; i < fleet->def.count; ++i)
  {
    const double* y = fleet->groups[fleet->place[i] / lanes].y + fleet->place[i] % lanes;
    if (q) to_row(fleet, y, q + (size_t)i * n);
    if (qd) to_row(fleet, y + n * lanes, qd + (size_t)i * n);
  }
}

lwFleetArm lw_fleet_arm(const lwFleet* fleet, int i)
{
  lwFleetArm arm = fleet->arms[i];
  if (arm.progress == LW_PROGRESS_ARRIVED) arm.t = fleet->t;
  return arm;
}
