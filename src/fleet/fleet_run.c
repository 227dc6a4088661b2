// SPDX-License-Identifier: MIT
// A fleet over time. Groups are independent, so it does not matter which thread moves which.
// Lanes do not mix: a number that is not finite stays in its lane. The integrator refuses a
// step that ends in such a number; the arms concerned are then stopped, and the others
// repeat the step from the same state.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "fleet/fleet_internal.h"
#include "fleet/thread_pool.h"
#include "ode/integrator.h"

// --- rates

static void find_torques(lwFleetWorker* worker, double t, const double* q, const double* qd)
{
  const lwFleet* fleet      = worker->fleet;
  const lwFleetGroup* group = worker->group;
  const lwFleetDef* def     = &fleet->def;
  int size                  = fleet->n * fleet->lanes;
  memcpy(worker->tau, group->tau, (size_t)size * sizeof *worker->tau);
  if (fleet->push_count > 0) lw_fleet_push(worker, q, worker->tau);
  for (int i = 0; i < fleet->n && def->law; ++i)
    for (int lane = 0; lane < fleet->lanes; ++lane)
    {
      int at = i * fleet->lanes + lane;
      worker->tau[at] += lw_law_at(def->law, &(lwLawPoint){t, i + 1, fleet->n, q[at], qd[at]});
    }
  if (def->torques)
    def->torques(def->context, &(lwFleetBlock){t, group->count, group->arm, fleet->n, fleet->lanes,
                                               q, qd, worker->tau});
  for (int i = 0; i < size && def->viscous; ++i) worker->tau[i] -= group->viscous[i] * qd[i];
  // an arm that is too fast gets torques that are not finite, which is how it is detected
  for (int i = 0; i < size; ++i)
    worker->tau[i] = fabs(qd[i]) > def->fastest ? (double)NAN : worker->tau[i];
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
  for (int lane = 0; lane < fleet->lanes; ++lane)  // also where rates are not finite
    for (int i = 0; i < 2 * fleet->n + LW_FLEET_WORKS && worker->group->stopped[lane]; ++i)
      rates[i * fleet->lanes + lane] = 0;
}

// --- from time to time

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
    if (finite || group->stopped[lane]) continue;
    group->stopped[lane]          = true;
    fleet->arms[group->arm[lane]] = (lwFleetArm){.progress = progress, .t = t};
  }
}

static bool all_stopped(const lwFleet* fleet, const lwFleetGroup* group)
{
  bool all = true;
  for (int lane = 0; lane < fleet->lanes; ++lane) all = all && group->stopped[lane];
  return all;
}

// To time t, and the state there into y.
static void advance_arms(lwFleet* fleet, lwFleetWorker* worker, double t, double* y)
{
  while (!all_stopped(fleet, worker->group))
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
static void advance_group(void* context, int task, int number)
{
  const Advance* advance   = context;
  lwFleet* fleet           = advance->fleet;
  lwFleetGroup* group      = &fleet->groups[task];
  lwFleetWorker* worker    = &fleet->workers[number];
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

static void advance_groups(lwFleet* fleet, double t, bool lands)
{
  Advance advance = {fleet, t, fleet->grid, lands};
  double rounding = fmin(4 * DBL_EPSILON * fabs(t), 1e-6 * fleet->def.step);
  lwClock grid    = lw_clock_at(fleet->grid.start, fleet->grid.period, t + rounding);
  if (grid.k > fleet->grid.k) advance.grid = grid;
  lw_pool_run(fleet->pool, fleet->group_count, advance_group, &advance);
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

static bool fleet_values_are_finite(const lwFleet* fleet, const double* rows)
{
  return !rows || lw_all_finite(rows, (size_t)fleet->def.count * (size_t)fleet->n);
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
    for (int lane = 0; lane < fleet->lanes; ++lane) group->stopped[lane] = lane >= group->count;
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
    for (size_t k = 0; k < n && q; ++k) q[(size_t)i * n + k] = y[k * lanes];
    for (size_t k = 0; k < n && qd; ++k) qd[(size_t)i * n + k] = y[(n + k) * lanes];
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
