// SPDX-License-Identifier: MIT
// Simulation with an arm in every lane: torques by laws, springs, viscous friction, fixed steps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/fleet.h"
#include "study/run_simulate.h"

// The arms of a batch.
typedef struct Lanes
{
  int room;
  lwScenario** scenarios;       // (room)
  const lwModel** models;       // (room)
  const lwModel** running;      // (room) those that can be run
  lwStudyRow** rows;            // (room) theirs
  const lwJointDrive** drives;  // (room) (n) theirs
  const double** start;         // (room) (n) positions at t = 0
  double *q, *qd, *tau;         // (room, n)
  double* recorded;             // (room, records, 3 n)
  size_t recorded_room;
  int n;
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

static double drive_torque(const lwJointDrive* drive, double start, double t, int k, int n,
                           double q, double qd)
{
  double tau = 0;
  if (drive->signal == LW_SIGNAL_LAW)
    tau = lw_law_at(drive->law, &(lwLawPoint){t, k + 1, n, q, qd});
  if (!drive->sprung) return tau;
  lwSpring spring = drive->spring;
  if (drive->rest_here) spring.rest = start;
  return tau + lw_spring_torque(&spring, q, qd);
}

static void lane_torques(void* context, const lwFleetBlock* block)
{
  const Lanes* own = context;
  for (int k = 0; k < block->joints; ++k)
    for (int lane = 0; lane < block->count; ++lane)
    {
      int arm = block->arm[lane], at = k * block->stride + lane;
      const lwJointDrive* drive = &own->drives[arm][k];
      if (drive->signal == LW_SIGNAL_NONE && !drive->sprung) continue;
      block->tau[at] += drive_torque(drive, own->start[arm][k], block->t, k, block->joints,
                                     block->q[at], block->qd[at]);
    }
}

static bool has_torques(const Lanes* own, int count)
{
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < own->n; ++k)
      if (own->drives[i][k].signal != LW_SIGNAL_NONE || own->drives[i][k].sprung) return true;
  return false;
}

// --- memory

void lw_lanes_end(lwStudyWorker* worker)
{
  Lanes* own = worker->own;
  free(own->scenarios);
  free(own->models);
  free(own->running);
  free(own->rows);
  free(own->drives);
  free(own->start);
  free(own->q);
  free(own->recorded);
  free(own);
  worker->own = NULL;
}

lwStatus lw_lanes_begin(lwStudyWorker* worker)
{
  Lanes* own = calloc(1, sizeof *own);
  if (!own) return LW_ERROR_MEMORY;
  worker->own    = own;
  own->n         = ((const lwSimulateJob*)worker->study->job)->n;
  own->room      = lw_study_worker_batch(worker);
  size_t room    = (size_t)own->room;
  own->scenarios = calloc(room, sizeof(void*));
  own->models    = calloc(room, sizeof(void*));
  own->running   = calloc(room, sizeof(void*));
  own->rows      = calloc(room, sizeof(void*));
  own->drives    = calloc(room, sizeof(void*));
  own->start     = calloc(room, sizeof(void*));
  own->q         = calloc(3 * room * (size_t)own->n, sizeof *own->q);
  if (!own->scenarios || !own->models || !own->running || !own->rows || !own->drives ||
      !own->start || !own->q)
    return LW_ERROR_MEMORY;
  own->qd  = own->q + room * (size_t)own->n;
  own->tau = own->qd + room * (size_t)own->n;
  return LW_OK;
}

static bool room_for_records(Lanes* own, long records)
{
  size_t size = (size_t)own->room * (size_t)records * 3 * (size_t)own->n;
  if (size <= own->recorded_room) return true;
  free(own->recorded);
  own->recorded      = malloc(size * sizeof *own->recorded);
  own->recorded_room = own->recorded ? size : 0;
  return own->recorded != NULL;
}

// --- a batch

// Puts samples that can be run into lanes; returns how many there are.
static int gather_arms(lwStudyWorker* worker, int count, lwStudyRow* const* rows, lwStatus* status)
{
  Lanes* own  = worker->own;
  int running = 0;
  *status     = LW_OK;
  for (int i = 0; i < count; ++i)
  {
    own->scenarios[i] = NULL;
    own->models[i]    = NULL;
    if (*status != LW_OK) continue;
    own->scenarios[i] = lw_sample_scenario(worker, rows[i], status);
    own->models[i] = own->scenarios[i] ? lw_sample_model(worker, own->scenarios[i], rows[i]) : NULL;
    if (!own->models[i]) continue;
    const lwArmDef* arm   = lw_scenario_arm(own->scenarios[i]);
    own->running[running] = own->models[i];
    own->rows[running]    = rows[i];
    own->drives[running]  = arm->drives;
    own->start[running]   = arm->q;
    memcpy(own->q + running * own->n, arm->q, (size_t)own->n * sizeof *own->q);
    memcpy(own->qd + running * own->n, arm->qd, (size_t)own->n * sizeof *own->qd);
    ++running;
  }
  return running;
}

static void keep_states(Lanes* own, lwFleet* fleet, int running, long k, long records, double t)
{
  size_t n = (size_t)own->n;
  lw_fleet_states(fleet, own->q, own->qd);
  for (int i = 0; i < running; ++i)
  {
    double* to = own->recorded + ((size_t)i * (size_t)records + (size_t)k) * 3 * n;
    memcpy(to, own->q + (size_t)i * n, n * sizeof *to);
    memcpy(to + n, own->qd + (size_t)i * n, n * sizeof *to);
    for (int j = 0; j < own->n; ++j)
      to[2 * n + (size_t)j] = drive_torque(&own->drives[i][j], own->start[i][j], t, j, own->n,
                                           to[j], to[n + (size_t)j]);
  }
}

static void record_arm(lwStudyWorker* worker, int i, long records, double duration, double interval)
{
  const lwSimulateJob* job = worker->study->job;
  const Lanes* own         = worker->own;
  lwRecord* record         = &worker->record;
  size_t n                 = (size_t)own->n;
  record->rows             = 0;
  for (long k = 0; k < records; ++k)
  {
    const double* from = own->recorded + ((size_t)i * (size_t)records + (size_t)k) * 3 * n;
    lw_record_put(record, 0, lw_sample_time(k, records, duration, interval));
    for (int j = 0; j < own->n; ++j)
    {
      lw_record_put(record, job->at.q + j, from[j]);
      lw_record_put(record, job->at.qd + j, from[n + (size_t)j]);
      lw_record_put(record, job->at.tau + j, from[2 * n + (size_t)j]);
    }
    ++record->rows;
  }
}

static lwStatus run_fleet(lwStudyWorker* worker, const lwScenario* scenario, int running)
{
  Lanes* own          = worker->own;
  const lwArmDef* arm = lw_scenario_arm(scenario);
  lwFleetDef def      = lw_fleet_def();
  lwFleet* fleet      = NULL;
  double duration = lw_scenario_duration(scenario), interval = lw_scenario_record(scenario);
  long records    = lw_sample_records(duration, interval);
  def.count       = running;
  def.models      = own->running;
  def.method      = arm->integrator.method;
  def.step        = arm->integrator.step;
  def.threads     = 1;
  def.viscous     = arm->friction == LW_FRICTION_MODEL_VISCOUS;
  def.rotors      = arm->rotors;
  def.torques     = has_torques(own, running) ? lane_torques : NULL;
  def.context     = own;
  lwStatus status = lw_fleet_create(&def, NULL, &fleet);
  if (status == LW_OK && (!room_for_records(own, records) || !lw_record_room(worker, records)))
    status = LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_fleet_start(fleet, 0, own->q, own->qd);
  for (long k = 0; k < records && status == LW_OK && !(worker->stop && *worker->stop); ++k)
  {
    double t = lw_sample_time(k, records, duration, interval);
    if (k > 0) lw_fleet_advance(fleet, t);
    keep_states(own, fleet, running, k, records, t);
  }
  for (int i = 0; i < running && status == LW_OK; ++i)
  {
    lwFleetArm end = lw_fleet_arm(fleet, i);
    if (end.progress != LW_PROGRESS_ARRIVED)
      lw_row_fail(own->rows[i], LW_SAMPLE_STATE_FAILED, "t = %.6g s: the motion is not finite",
                  end.t);
    record_arm(worker, i, records, duration, interval);
    lw_study_measure(worker, own->rows[i]);
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
  for (int i = 0; i < count; ++i) lw_sample_end(worker, own->scenarios[i], own->models[i]);
  return status;
}
