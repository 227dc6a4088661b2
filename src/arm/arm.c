// SPDX-License-Identifier: MIT
// Creates the run of an arm: checks and copies everything, and takes all memory.
#include "arm/arm_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

lwArmDef lw_arm_def(void)
{
  return (lwArmDef){.ws         = lw_workspace_def(),
                    .integrator = lw_integrator_def(),
                    .rotors     = true,
                    .friction   = LW_FRICTION_MODEL_FULL,
                    .cookie     = LW_COOKIE};
}

// --- memory

// count numbers, zeroed, or those given.
static double* arm_take(lwArmRun* run, size_t count, const double* given)
{
  double* numbers = lw_arena_take(&run->arena, count + 1, sizeof *numbers);
  if (numbers && given) memcpy(numbers, given, count * sizeof *numbers);
  return numbers;
}

static bool arm_take_memory(lwArmRun* run)
{
  lwArena* arena = &run->arena;
  size_t n = (size_t)run->n, nq = (size_t)run->nq;
  size_t loads = (size_t)run->load_count, events = (size_t)run->event_count;
  double** const plain[] = {&run->reflected, &run->slip,         &run->viscous,  &run->coulomb,
                            &run->tau,       &run->load,         &run->friction, &run->applied,
                            &run->qdd,       &run->further,      &run->control,  &run->gap,
                            &run->want_qd,   &run->want_qdd,     &run->right,    &run->low,
                            &run->high,      &run->trial,        &run->kept,     &run->voltage,
                            &run->current,   &run->current_rate, &run->incoming};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i) *plain[i] = arm_take(run, n, NULL);
  run->kp           = arm_take(run, n, run->def.controller.kp);
  run->kd           = arm_take(run, n, run->def.controller.kd);
  run->start_q      = arm_take(run, nq, NULL);
  run->want_q       = arm_take(run, nq, NULL);
  run->jacobian     = arm_take(run, 6 * n, NULL);
  run->M            = arm_take(run, n * n, NULL);
  run->L            = arm_take(run, n * n, NULL);
  run->y            = arm_take(run, nq + 2 * n + LW_WORK_COUNT, NULL);
  run->limits       = lw_arena_take(arena, n + 1, sizeof *run->limits);
  run->hold         = lw_arena_take(arena, n + 1, sizeof *run->hold);
  run->before       = lw_arena_take(arena, n + 1, sizeof *run->before);
  run->contact      = lw_arena_take(arena, n + 1, sizeof *run->contact);
  run->rests        = lw_arena_take(arena, n + 1, sizeof *run->rests);
  run->stuck        = lw_arena_take(arena, n + 1, sizeof *run->stuck);
  run->held_now     = lw_arena_take(arena, n + 1, sizeof *run->held_now);
  run->still        = lw_arena_take(arena, n + 1, sizeof *run->still);
  run->beyond       = lw_arena_take(arena, n + 1, sizeof *run->beyond);
  run->drives       = lw_arena_take(arena, n + 1, sizeof *run->drives);
  run->first_drives = lw_arena_take(arena, n + 1, sizeof *run->first_drives);
  run->drive_event  = lw_arena_take(arena, n + 1, sizeof *run->drive_event);
  run->clocks       = lw_arena_take(arena, n + 1, sizeof *run->clocks);
  run->motors       = lw_arena_take(arena, n + 1, sizeof *run->motors);
  run->cut          = lw_arena_take(arena, n + 1, sizeof *run->cut);
  run->current_at   = lw_arena_take(arena, n + 1, sizeof *run->current_at);
  run->chain        = lw_arena_take(arena, n + 1, sizeof *run->chain);
  int* at           = lw_arena_take(arena, n + 1, sizeof *at);
  for (int k = 0; k < run->n && at; ++k) at[k] = lw_model_velocity(run->model, k).other;
  run->at          = at;
  run->loads       = lw_arena_take(arena, loads + 1, sizeof *run->loads);
  run->acting      = lw_arena_take(arena, loads + 1, sizeof *run->acting);
  run->events      = lw_arena_take(arena, events + 1, sizeof *run->events);
  run->passed      = lw_arena_take(arena, events + 1, sizeof *run->passed);
  run->tally_width = (int)(n > events ? n : events) + 1;
  run->tallies =
      lw_arena_take(arena, LW_NOTE_KIND_COUNT * (size_t)run->tally_width, sizeof *run->tallies);
  run->notes = lw_arena_take(arena, LW_MAX_NOTES, sizeof *run->notes);
  return !lw_arena_failed(arena);
}

// --- what the definition says

// Whether a voltage drives joint k at any time.
static bool takes_voltage(const lwArmRun* run, int k)
{
  const lwArmDef* def = &run->def;
  bool takes          = def->drives && def->drives[k].voltage;
  for (int i = 0; i < def->event_count; ++i)
    takes = takes || (def->events[i].changes && def->events[i].changes[k] &&
                      def->events[i].drives[k].voltage);
  return takes;
}

static void take_joint(lwArmRun* run, int k)
{
  const lwJointDef* joint = lw_model_joint_def(run->model, k);
  lwFrictionModel model   = run->def.friction;
  run->limits[k]          = joint->limits;
  run->viscous[k]         = model >= LW_FRICTION_MODEL_VISCOUS ? joint->friction.viscous : 0;
  run->coulomb[k]         = model == LW_FRICTION_MODEL_FULL ? joint->friction.coulomb : 0;
  run->reflected[k]       = run->def.rotors ? lw_joint_rotor(joint) : 0;
  run->chain[k]           = k - 1;
  run->current_at[k]      = -1;
  run->limited            = run->limited || isfinite(run->limits[k].effort);
  if (!takes_voltage(run, k)) return;
  run->limited   = true;
  run->motors[k] = joint->motor;
  if (joint->motor.inductance > 0) run->current_at[k] = run->size++;
}

static bool take_definition(lwArmRun* run)
{
  const lwArmDef* def = &run->def;
  int n               = run->n;
  run->size           = run->nq + n + LW_WORK_COUNT;
  for (int k = 0; k < n; ++k) take_joint(run, k);
  run->driven = def->torques != NULL;
  if (def->q)
    memcpy(lw_arm_q(run), def->q, (size_t)run->nq * sizeof(double));
  else
    lw_model_neutral(run->model, lw_arm_q(run));
  memcpy(run->start_q, lw_arm_q(run), (size_t)run->nq * sizeof(double));
  if (def->qd) memcpy(lw_arm_qd(run), def->qd, (size_t)n * sizeof(double));
  for (int i = 0; i < run->load_count; ++i) run->loads[i] = def->loads[i];
  for (int i = 0; i < run->event_count; ++i)
  {
    lwArmEventDef* event = &run->events[i];
    *event               = def->events[i];
    if (!event->changes) continue;
    event->changes = lw_arena_grow(&run->arena, event->changes, (size_t)n, (size_t)n + 1,
                                   sizeof *event->changes);
    event->drives =
        lw_arena_grow(&run->arena, event->drives, (size_t)n, (size_t)n + 1, sizeof *event->drives);
  }
  if (lw_arena_failed(&run->arena)) return false;
  run->oil_event = -1;
  for (int k = 0; k < n; ++k) run->drive_event[k] = -1;
  if (def->drives) memcpy(run->first_drives, def->drives, (size_t)n * sizeof *def->drives);
  for (int k = 0; k < n && def->drives; ++k) lw_arm_take_drive(run, k, &def->drives[k]);
  for (int k = 0; k < n && def->current; ++k)
    if (run->current_at[k] >= 0 && run->drives[k].voltage)
      run->y[run->current_at[k]] = def->current[k];
  return true;
}

// The law or the column of the schedule that the drive's signal comes from.
static bool check_signal(const lwJointDrive* drive, const char* name, lwDiag* diag)
{
  bool law = drive->signal != LW_SIGNAL_LAW || drive->law;
  bool schedule =
      drive->signal != LW_SIGNAL_SCHEDULE ||
      (drive->schedule && drive->column >= 0 && drive->column < lw_schedule_width(drive->schedule));
  if (!law) LW_REFUSE(diag, NULL, "joint '%s' is driven by a law and has none", name);
  if (!schedule) LW_REFUSE(diag, NULL, "joint '%s' is driven by a column of no schedule", name);
  return law && schedule;
}

// A source for every signal, a motor for every voltage, finite numbers, and no joint that begins
// beyond a limit that counts.
static bool check_arm_joint(const lwArmRun* run, int k, lwDiag* diag)
{
  const char* name = lw_model_joint_name(run->model, k);
  bool source      = check_signal(&run->drives[k], name, diag);
  double q         = lw_arm_position(run, run->y, k);
  bool motor       = run->motors[k].given || !takes_voltage(run, k);
  double current   = run->current_at[k] < 0 ? 0 : run->y[run->current_at[k]];
  bool finite      = isfinite(q + lw_arm_qd(run)[k] + run->kp[k] + run->kd[k] + current);
  bool within      = q >= run->limits[k].lower && q <= run->limits[k].upper;
  bool counts      = run->def.limits != LW_LIMIT_MODE_NOTE;
  bool clocked     = !run->drives[k].converted || run->drives[k].dac.period > 0;
  bool given       = run->drives[k].signal != LW_SIGNAL_INPUT || run->def.commands;
  if (!given) LW_REFUSE(diag, NULL, "joint '%s' is driven by lwArmDef.commands: NULL", name);
  if (!motor) LW_REFUSE(diag, NULL, "joint '%s' is driven by a voltage and has no motor", name);
  if (!clocked) LW_REFUSE(diag, NULL, "joint '%s': its converter needs a period", name);
  if (!finite) LW_REFUSE(diag, NULL, "joint '%s': q, qd, kp, kd and current must be finite", name);
  if (finite && counts && !within)
    LW_REFUSE(diag, NULL, "joint '%s' begins at %.6g, expected from %.6g to %.6g, its limits", name,
              q, run->limits[k].lower, run->limits[k].upper);
  return source && given && motor && clocked && finite && (within || !counts);
}

static lwStatus check_joints(const lwArmRun* run, lwDiag* diag)
{
  bool right = run->def.controller.kind <= LW_CONTROL_FEED_FORWARD;
  if (!right)
    LW_REFUSE(diag, NULL, "unknown kind of controller, %d", (int)run->def.controller.kind);
  for (int k = 0; k < run->n; ++k) right = check_arm_joint(run, k, diag) && right;
  for (int i = 0; i < run->event_count; ++i)
    for (int k = 0; k < run->n && run->events[i].changes; ++k)
      if (run->events[i].changes[k])
        right = check_signal(&run->events[i].drives[k], lw_model_joint_name(run->model, k), diag) &&
                right;
  if (right && run->nq != run->n)
    right = lw_model_check_positions(run->model, run->y, diag) == LW_OK;
  return right ? LW_OK : LW_ERROR_INPUT;
}

static lwStatus take_workers(lwArmRun* run, lwDiag* diag)
{
  lwWorkspaceDef ws = run->def.ws;
  ws.rotors         = run->def.rotors;
  ws.open_tree      = run->loops != NULL;  // which keep the loops closed
  lwStatus status   = lw_workspace_create(run->model, &ws, diag, &run->ws);
  if (status != LW_OK) return status;
  status = lw_integrator_create(&run->def.integrator, run->size, lw_arm_rates, run, diag,
                                &run->integrator);
  if (status != LW_OK) return status;
  run->seen             = lw_arena_take(&run->arena, (size_t)run->size, sizeof *run->seen);
  run->longest          = run->integrator->longest;
  run->integrator->hops = run->loops != NULL;
  lw_integrator_on_step(run->integrator, lw_arm_step_end, run);
  return run->seen ? LW_OK : LW_ERROR_MEMORY;
}

// The arm at t = 0: a joint that begins at its stop rests there or moves away from it.
static void begin_at_stops(lwArmRun* run)
{
  double potential;
  bool hits = false;
  for (int k = 0; k < run->n; ++k)
  {
    unsigned at = lw_arm_at_stops(run, k);
    double qd   = lw_arm_qd(run)[k];
    hits        = hits || (at & LW_AT_LOWER && qd < 0) || (at & LW_AT_UPPER && qd > 0);
  }
  if (hits) lw_arm_impact(run);
  run->stop_work = 0;
  run->S0        = lw_arm_kinetic(run, run->y, &potential);
  run->S0 += potential;
  run->energy.weight = lw_energy_weight(lw_model_robot(run->model));
  run->begun         = lw_arm_breaks(run);
  lw_arm_audit_state(run, 0, run->y);
}

static lwStatus arm_fill(lwArmRun* run, lwDiag* diag)
{
  if (!arm_take_memory(run) || !take_definition(run)) return LW_ERROR_MEMORY;
  lwStatus status = check_joints(run, diag);
  if (status == LW_OK) status = lw_arm_loops_create(run, diag);
  if (status == LW_OK) status = take_workers(run, diag);
  if (status == LW_OK) status = lw_arm_sense_create(run, diag);
  for (int i = 0; i < run->load_count && status == LW_OK; ++i)
    status = lw_workspace_set_frame(run->ws, run->model, run->loads[i].frame, diag);
  if (status == LW_OK) status = lw_workspace_set_frame(run->ws, run->model, NULL, diag);
  if (status != LW_OK) return status;
  if (!lw_arm_watch_create(run) || !lw_arm_breaks_create(run)) return LW_ERROR_MEMORY;
  begin_at_stops(run);
  return LW_OK;
}

lwStatus lw_arm_run_create(const lwArmDef* def, lwDiag* diag, lwArmRun** run)
{
  *run            = NULL;
  lwStatus status = lw_def_check(def->cookie, "lw_arm_def()", diag);
  if (status != LW_OK) return status;
  lwArmRun* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  made->def         = *def;
  made->model       = def->model;
  made->n           = lw_model_dof(def->model);
  made->nq          = lw_model_nq(def->model);
  made->load_count  = def->load_count;
  made->event_count = def->event_count;
  status            = arm_fill(made, diag);
  if (status == LW_OK)
    *run = made;
  else
    lw_arm_run_destroy(made);
  return status;
}

void lw_arm_run_destroy(lwArmRun* run)
{
  if (!run) return;
  lw_integrator_destroy(run->integrator);
  if (run->believed_ws != run->ws) lw_workspace_destroy(run->believed_ws);
  lw_workspace_destroy(run->ws);
  lw_loops_destroy(run->loops);
  lw_arena_free(&run->arena);
  free(run);
}
