// SPDX-License-Identifier: MIT
// A fleet over time. Groups are independent, so it does not matter which thread moves which.
// Lanes do not mix: a number that is not finite stays in its lane. The integrator refuses a
// step that ends in such a number; the arms concerned are then stopped, and the others
// repeat the step from the same state.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fleet/fleet_internal.h"
#include "fleet/thread_pool.h"
#include "ode/integrator.h"

// --- rates

// An arm that is too fast gets torques that are not finite, which is how it is detected.
static void refuse_fast(const lwFleetWorker* worker, const double* qd, double* tau)
{
  const lwFleet* fleet = worker->fleet;
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

static void find_torques(lwFleetWorker* worker, double t, const double* q, const double* qd)
{
  const lwFleet* fleet      = worker->fleet;
  const lwFleetGroup* group = worker->group;
  const lwFleetDef* def     = &fleet->def;
  int size                  = fleet->n * fleet->lanes;
  memcpy(worker->tau, group->tau, (size_t)size * sizeof *worker->tau);
  if (fleet->push_count > 0) lw_fleet_push(worker, q, worker->tau);
  if (def->law) add_law(fleet, t, q, qd, worker->tau);
  if (def->torques)
    def->torques(def->context, &(lwFleetBlock){t, group->count, group->arm, fleet->n, fleet->lanes,
                                               q, qd, worker->tau});
  for (int i = 0; i < size && def->viscous; ++i) worker->tau[i] -= group->viscous[i] * qd[i];
  refuse_fast(worker, qd, worker->tau);
}

// Rates of arms that stand still become 0, also where they are not finite.
static void hold_still(const lwFleet* fleet, const lwFleetGroup* group, double* rates)
{
  for (int lane = 0; lane < fleet->lanes; ++lane)
    if (group->still[lane])
      for (int i = 0; i < 2 * fleet->n + LW_FLEET_WORKS; ++i) rates[i * fleet->lanes + lane] = 0;
}

void lw_fleet_rates(void* context, double t, const double* y, double* rates)
{
  lwFleetWorker* worker = context;
  const lwFleet* fleet  = worker->fleet;
  size_t size           = (size_t)fleet->n * (size_t)fleet->lanes;
  const double* qd      = y + size;
  find_torques(worker, t, y, qd);
  memcpy(rates, qd, size * sizeof *rates);
  lwState state = {.q = y, .qd = qd, .tau = worker->tau, .rotors = fleet->def.rotors};
  fleet->kernel->run(worker->group->model, worker->scratch, &state, rates + size);
  lw_fleet_powers(worker, qd, rates);
  hold_still(fleet, worker->group, rates);
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
static void stop_arms(lwFleet* fleet, lwFleetWorker* worker, lwProgress progress)
{
  lwFleetGroup* group = worker->group;
  const double* ahead = worker->integrator->ahead;
  double t            = lw_integrator_time(worker->integrator);
  for (int lane = 0; lane < fleet->lanes; ++lane)
  {
    bool finite = progress == LW_PROGRESS_NOT_FINITE;
    for (int i = 0; i < 2 * fleet->n + LW_FLEET_WORKS && finite; ++i)
      finite = isfinite(ahead[i * fleet->lanes + lane]);
    if (!finite) stop_arm(fleet, group, lane, (lwFleetArm){.progress = progress, .t = t});
  }
}

static bool all_still(const lwFleet* fleet, const lwFleetGroup* group)
{
  bool all = true;
  for (int lane = 0; lane < fleet->lanes; ++lane) all = all && group->still[lane];
  return all;
}

// To time t, and the state there into y.
static void advance_arms(lwFleet* fleet, lwFleetWorker* worker, double t, double* y)
{
  while (!all_still(fleet, worker->group))
  {
    lwProgress progress = lw_integrator_advance(worker->integrator, t, y, NULL);
    if (progress == LW_PROGRESS_ARRIVED) break;
    stop_arms(fleet, worker, progress);
  }
}

// Where all groups go.
typedef struct Advance
{
  lwFleet* fleet;
  double t;      // s
  lwClock grid;  // the last whole step ends here, after t by rounding only
  bool lands;    // a shortened step ends at t; otherwise the state there is interpolated
} Advance;

// Whole steps first: their end is where the next call goes on, so that the times asked for do not
// change the motion.
static void advance_group(const Advance* advance, lwFleetWorker* worker, lwFleetGroup* group)
{
  lwFleet* fleet           = advance->fleet;
  lwIntegrator* integrator = worker->integrator;
  size_t bytes             = lw_fleet_state_size(fleet) * sizeof(double);
  worker->group            = group;
  lw_integrator_start(integrator, lw_clock_time(&fleet->grid), group->y);
  integrator->grid = fleet->grid;
  lw_integrator_bound(integrator, INFINITY);
  worker->peeks = false;
  advance_arms(fleet, worker, lw_clock_time(&advance->grid), group->y);
  memcpy(group->seen, group->y, bytes);
  if (advance->lands) lw_integrator_bound(integrator, advance->t);
  worker->peeks = !advance->lands;
  advance_arms(fleet, worker, advance->t, group->seen);
  if (advance->lands) memcpy(group->y, group->seen, bytes);
}

static void advance_piece(void* context, int task, int worker)
{
  const Advance* advance = context;
  lwFleet* fleet         = advance->fleet;
  advance_group(advance, &fleet->workers[worker], &fleet->groups[task]);
}

static void advance_groups(lwFleet* fleet, double t, bool lands)
{
  Advance advance = {fleet, t, fleet->grid, lands};
  double rounding = fmin(4 * DBL_EPSILON * fabs(t), 1e-6 * fleet->def.step);
  lwClock grid    = lw_clock_at(fleet->grid.start, fleet->grid.period, t + rounding);
  if (grid.k > fleet->grid.k) advance.grid = grid;
  lw_pool_run(fleet->pool, fleet->group_count, advance_piece, &advance);
  fleet->grid = advance.grid;
  fleet->t    = t;
}

void lw_fleet_restart_grid(lwFleet* fleet)
{
  if (lw_clock_time(&fleet->grid) != fleet->t) advance_groups(fleet, fleet->t, true);
  fleet->grid = (lwClock){fleet->t, fleet->def.step, 0};
}

int lw_fleet_advance(lwFleet* fleet, double t)
{
  int running = 0;
  if (isfinite(t) && t > fleet->t) advance_groups(fleet, t, false);
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
  fleet->grid = (lwClock){t, fleet->def.step, 0};
  for (int k = 0; k < fleet->group_count; ++k)
  {
    lwFleetGroup* group = &fleet->groups[k];
    to_lanes(fleet, group, q, group->y);
    to_lanes(fleet, group, qd, group->y + size);
    memset(group->y + 2 * size, 0, LW_FLEET_WORKS * (size_t)fleet->lanes * sizeof *group->y);
    memcpy(group->seen, group->y, lw_fleet_state_size(fleet) * sizeof *group->y);
    lw_fleet_energy_start(&fleet->workers[0], group);
    for (int lane = 0; lane < fleet->lanes; ++lane) group->still[lane] = lane >= group->count;
  }
  for (int i = 0; i < fleet->def.count; ++i)
    fleet->arms[i] = (lwFleetArm){.progress = LW_PROGRESS_ARRIVED, .t = t};
  return LW_OK;
}

lwStatus lw_fleet_set_torques(lwFleet* fleet, const double* tau)
{
  if (!fleet_values_are_finite(fleet, tau)) return LW_ERROR_INPUT;
  lw_fleet_restart_grid(fleet);
  for (int k = 0; k < fleet->group_count; ++k)
    to_lanes(fleet, &fleet->groups[k], tau, fleet->groups[k].tau);
  return LW_OK;
}

void lw_fleet_states(const lwFleet* fleet, double* q, double* qd)
{
  size_t n = (size_t)fleet->n, lanes = (size_t)fleet->lanes;
  for (int i = 0; i < fleet->def.count; ++i)
  {
    const double* y = fleet->groups[fleet->place[i] / lanes].seen + fleet->place[i] % lanes;
    if (q) to_row(fleet, y, q + (size_t)i * n);
    if (qd) to_row(fleet, y + n * lanes, qd + (size_t)i * n);
  }
}

lwFleetArm lw_fleet_arm(const lwFleet* fleet, int i)
{
  lwFleetArm arm = fleet->arms[i];
  if (arm.progress == LW_PROGRESS_ARRIVED) arm.t = fleet->t;
  const lwFleetGroup* group  = &fleet->groups[fleet->place[i] / (size_t)fleet->lanes];
  const lwEnergyWatch* watch = &group->energy[fleet->place[i] % (size_t)fleet->lanes];
  lwVerdict verdict          = lw_energy_judge(watch, fleet->workers[0].integrator);
  arm.worst_S                = watch->S;
  arm.bound                  = verdict.bound;
  arm.trusted                = verdict.trusted;
  return arm;
}
