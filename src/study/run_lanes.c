// SPDX-License-Identifier: MIT
// Simulation with an arm in every lane: torques by laws, springs, viscous friction, fixed steps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "linkwork/fleet.h"
#include "study/run_simulate.h"

// One arm of a batch.
typedef struct LaneArm
{
  lwScenario* scenario;
  const lwArmDef* def;
  lwStudyRow* row;
} LaneArm;

// The arms of a batch, those that can be run.
typedef struct Lanes
{
  int n;
  long records;
  LaneArm* arms;           // (batch)
  const lwModel** models;  // (batch) theirs
  double *q, *qd;          // (batch, n)
  double* recorded;        // (batch, records, 3 n)
} Lanes;

bool lw_lanes_can(const lwScenario* scenario)
{
  const lwArmDef* arm              = lw_scenario_arm(scenario);
  const lwIntegratorMethod* method = lw_integrator_method_find(arm->integrator.method);
  const lwModel* model             = lw_scenario_model(scenario);
  bool can = method && !method->adaptive && arm->event_count == 0 && arm->load_count == 0 &&
             arm->controller.kind == LW_CONTROL_NONE && arm->friction != LW_FRICTION_MODEL_FULL &&
             arm->limits == LW_LIMIT_MODE_NOTE && lw_model_nq(model) == lw_model_dof(model);
  for (int k = 0; can && k < lw_model_dof(model); ++k)
  {
    const lwJointDrive* drive = &arm->drives[k];
    can                       = !drive->voltage && !drive->converted && !drive->preload_here &&
          drive->signal != LW_SIGNAL_SCHEDULE;  // which jumps within steps
  }
  lwFleetDef def = lw_fleet_def();
  lwFleet* fleet = NULL;
  def.count      = 1;
  def.model      = model;
  def.rotors     = arm->rotors;
  def.threads    = 1;
  if (can) can = lw_fleet_create(&def, NULL, &fleet) == LW_OK;
  lw_fleet_destroy(fleet);
  return can;
}

// --- torques

static double drive_torque(const lwArmDef* def, double t, int k, int n, double q, double qd)
{
  const lwJointDrive* drive = &def->drives[k];
  double tau                = 0;
  if (drive->signal == LW_SIGNAL_LAW)
    tau = lw_law_at(drive->law, &(lwLawPoint){t, k + 1, n, q, qd});
  if (!drive->sprung) return tau;
  lwSpring spring = drive->spring;
  if (drive->rest_here) spring.rest = def->q[k];
  return tau + lw_spring_torque(&spring, q, qd);
}

static void lane_torques(void* context, const lwFleetBlock* block)
{
  const Lanes* own = context;
  for (int k = 0; k < block->joints; ++k)
    for (int lane = 0; lane < block->count; ++lane)
    {
      int at                    = k * block->stride + lane;
      const lwArmDef* def       = own->arms[block->arm[lane]].def;
      const lwJointDrive* drive = &def->drives[k];
      if (drive->signal == LW_SIGNAL_NONE && !drive->sprung) continue;
      block->tau[at] += drive_torque(def, block->t, k, block->joints, block->q[at], block->qd[at]);
    }
}

static bool has_torques(const Lanes* own, int count)
{
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < own->n; ++k)
    {
      const lwJointDrive* drive = &own->arms[i].def->drives[k];
      if (drive->signal != LW_SIGNAL_NONE || drive->sprung) return true;
    }
  return false;
}

// --- a batch

void lw_lanes_begin(lwStudyWorker* worker)
{
  lwKeep* keep               = &worker->keep;
  const lwScenario* scenario = worker->study->scenario;
  size_t batch               = (size_t)lw_study_worker_batch(worker);
  Lanes* own = worker->own = lw_keep_take(keep, 1, sizeof *own);
  if (!own) return;
  own->n = ((const lwSimulateJob*)worker->study->job)->n;
  own->records =
      (long)lw_clock_records(lw_scenario_duration(scenario), lw_scenario_record(scenario));
  size_t size   = batch * (size_t)own->n;
  own->arms     = lw_keep_take(keep, batch, sizeof *own->arms);
  own->models   = lw_keep_take(keep, batch, sizeof(void*));
  own->q        = lw_keep_take(keep, size, sizeof *own->q);
  own->qd       = lw_keep_take(keep, size, sizeof *own->qd);
  own->recorded = lw_keep_take(keep, (size_t)own->records * 3 * size, sizeof *own->recorded);
  keep->failed  = !lw_record_room(worker, own->records) || keep->failed;
}

// Puts samples that can be run into lanes; returns how many there are.
static int gather_arms(lwStudyWorker* worker, int count, lwStudyRow* const* rows, lwStatus* status)
{
  Lanes* own  = worker->own;
  int running = 0;
  *status     = LW_OK;
  for (int i = 0; i < count && *status == LW_OK; ++i)
  {
    lwScenario* scenario = lw_sample_scenario(worker, rows[i], status);
    const lwModel* model = scenario ? lw_sample_model(worker, scenario, rows[i]) : NULL;
    if (!model) lw_sample_end(worker, scenario, NULL);
    if (!model) continue;
    const lwArmDef* arm  = lw_scenario_arm(scenario);
    own->arms[running]   = (LaneArm){scenario, arm, rows[i]};
    own->models[running] = model;
    memcpy(own->q + running * own->n, arm->q, (size_t)own->n * sizeof *own->q);
    memcpy(own->qd + running * own->n, arm->qd, (size_t)own->n * sizeof *own->qd);
    ++running;
  }
  return running;
}

static void keep_states(Lanes* own, lwFleet* fleet, int running, long k, double t)
{
  size_t n = (size_t)own->n;
  lw_fleet_states(fleet, own->q, own->qd);
  for (int i = 0; i < running; ++i)
  {
    double* to = own->recorded + ((size_t)i * (size_t)own->records + (size_t)k) * 3 * n;
    memcpy(to, own->q + (size_t)i * n, n * sizeof *to);
    memcpy(to + n, own->qd + (size_t)i * n, n * sizeof *to);
    for (int j = 0; j < own->n; ++j)
      to[2 * n + (size_t)j] =
          drive_torque(own->arms[i].def, t, j, own->n, to[j], to[n + (size_t)j]);
  }
}

static void record_arm(lwStudyWorker* worker, int i, double duration, double interval)
{
  const lwSimulateColumns* at = &((const lwSimulateJob*)worker->study->job)->at;
  const Lanes* own            = worker->own;
  lwRecord* record            = &worker->record;
  size_t n                    = (size_t)own->n;
  const double* from          = own->recorded + (size_t)i * (size_t)own->records * 3 * n;
  for (record->rows = 0; record->rows < own->records; ++record->rows, from += 3 * n)
  {
    lw_record_put(record, 0, lw_clock_record(record->rows, duration, interval));
    for (int j = 0; j < own->n; ++j)
    {
      lw_record_put(record, at->q + j, from[j]);
      lw_record_put(record, at->qd + j, from[n + (size_t)j]);
      lw_record_put(record, at->tau + j, from[2 * n + (size_t)j]);
    }
  }
}

static lwStatus run_fleet(lwStudyWorker* worker, const lwScenario* scenario, int running)
{
  Lanes* own          = worker->own;
  const lwArmDef* arm = lw_scenario_arm(scenario);
  lwFleetDef def      = lw_fleet_def();
  lwFleet* fleet      = NULL;
  double duration = lw_scenario_duration(scenario), interval = lw_scenario_record(scenario);
  def.count       = running;
  def.models      = own->models;
  def.method      = arm->integrator.method;
  def.step        = arm->integrator.step;
  def.end         = duration;
  def.threads     = 1;
  def.viscous     = arm->friction == LW_FRICTION_MODEL_VISCOUS;
  def.rotors      = arm->rotors;
  def.torques     = has_torques(own, running) ? lane_torques : NULL;
  def.context     = own;
  lwStatus status = lw_fleet_create(&def, NULL, &fleet);
  if (status == LW_OK) status = lw_fleet_start(fleet, 0, own->q, own->qd);
  for (long k = 0; k < own->records && status == LW_OK && !lw_study_stopped(worker); ++k)
  {
    double t = lw_clock_record(k, duration, interval);
    if (k > 0) lw_fleet_advance(fleet, t);
    keep_states(own, fleet, running, k, t);
  }
  for (int i = 0; i < running && status == LW_OK; ++i)
  {
    lwFleetArm end = lw_fleet_arm(fleet, i);
    if (end.progress != LW_PROGRESS_ARRIVED)
      lw_row_fail(own->arms[i].row, LW_SAMPLE_STATE_FAILED, "t = %.6g s: the motion is not finite",
                  end.t);
    else if (!end.trusted)
      lw_row_distrust(own->arms[i].row, end.worst_S, end.bound);
    record_arm(worker, i, duration, interval);
    lw_study_measure(worker, own->arms[i].row);
  }
  lw_fleet_destroy(fleet);
  return status;
}

lwStatus lw_lanes_run(lwStudyWorker* worker, int count, lwStudyRow* const* rows)
{
  Lanes* own = worker->own;
  lwStatus status;
  int running = gather_arms(worker, count, rows, &status);
  if (running > 0 && status == LW_OK) status = run_fleet(worker, worker->study->scenario, running);
  for (int i = 0; i < running; ++i) lw_sample_end(worker, own->arms[i].scenario, own->models[i]);
  return status;
}
