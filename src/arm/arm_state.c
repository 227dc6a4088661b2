// SPDX-License-Identifier: MIT
// The state of a run as bytes: everything that a later call may read before it is computed anew, so
// that a run continues from it to the last bit. Drives are known by the event that gave them.
#include <string.h>

#include "arm/arm_internal.h"
#include "model/model_internal.h"

// --- what runs of arms and snakes share

static void pass_notes(lwNote* notes, int count, int most_which, lwStateBytes* state)
{
  for (int i = 0; i < count; ++i)
  {
    lw_state_numbers(state, &notes[i].t, 1);
    LW_STATE_INTEGER(state, notes[i].kind, 0, LW_NOTE_KIND_COUNT - 1);
    LW_STATE_INTEGER(state, notes[i].which, 0, most_which);
  }
}

void lw_audit_state(lwAudit* audit, lwNote* notes, int most_which, lwStateBytes* state)
{
  double* const single[] = {&audit->drive_work, &audit->friction_work, &audit->stop_work,
                            &audit->load_work, &audit->worst_sideways};
  for (size_t i = 0; i < sizeof single / sizeof *single; ++i) lw_state_numbers(state, single[i], 1);
  LW_STATE_INTEGER(state, audit->events, 0, LW_STATE_MOST);
  LW_STATE_INTEGER(state, audit->samples, 0, LW_STATE_MOST);
  for (int i = 0; i < LW_NOTE_KIND_COUNT; ++i)
    LW_STATE_INTEGER(state, audit->counts[i], 0, LW_STATE_MOST);
  lw_state_numbers(state, audit->first, LW_NOTE_KIND_COUNT);
  int64_t count = lw_state_whole(state, audit->note_count, 0, LW_MAX_NOTES);
  if (state->pass == LW_STATE_READ) audit->note_count = (int)count;
  if (!state->wrong) pass_notes(notes, (int)count, most_which, state);
}

void lw_energy_state(lwEnergyWatch* watch, lwStateBytes* state)
{
  double* const single[] = {&watch->potential, &watch->change, &watch->work, &watch->kinetic,
                            &watch->S};
  for (size_t i = 0; i < sizeof single / sizeof *single; ++i) lw_state_numbers(state, single[i], 1);
  lw_state_numbers(state, watch->works, LW_ENERGY_WORKS);
  lw_state_flags(state, &watch->begun, 1);
}

// --- arms

// The drive of joint k that event `from` gave it, or the first one.
static const lwJointDrive* drive_from(const lwArmRun* run, int k, int from)
{
  return from < 0 ? &run->first_drives[k] : &run->events[from].drives[k];
}

static void pass_drive(lwArmRun* run, int k, lwStateBytes* state)
{
  int from = (int)lw_state_whole(state, run->drive_event[k], -1, run->event_count - 1);
  if (state->pass == LW_STATE_CHECK && !state->wrong && from >= 0 &&
      !(run->events[from].changes && run->events[from].changes[k]))
    state->wrong = true;
  if (state->pass == LW_STATE_READ)
  {
    run->drive_event[k] = from;
    run->drives[k]      = *drive_from(run, k, from);
  }
  lw_state_numbers(state, &run->drives[k].spring.rest, 1);
  lw_state_numbers(state, &run->drives[k].spring.preload, 1);
  lw_clock_state(&run->clocks[k], state);
}

// The oil of the cylinders whose valves an event closed.
static void pass_oil(lwArmRun* run, lwStateBytes* state)
{
  int event = (int)lw_state_whole(state, run->oil_event, -1, run->event_count - 1);
  if (state->wrong) return;
  lwCylinders* oil = event < 0 ? NULL : run->events[event].closes;
  if (event >= 0 && !oil) state->wrong = true;
  if (oil) lw_cylinders_state(oil, state);
  if (state->pass != LW_STATE_READ) return;
  run->oil_event = event;
  run->oil       = oil;
}

// Returns how many joints are held.
static int pass_joints(lwArmRun* run, lwStateBytes* state)
{
  int held = 0, most = run->holds ? LW_JOINT_HOLD_HELD : LW_JOINT_HOLD_MINUS;
  size_t n               = (size_t)run->n;
  double* const arrays[] = {
      run->slip,         run->kept,     run->tau,     run->voltage, run->current, run->load,
      run->current_rate, run->friction, run->applied, run->qdd,     run->control, run->want_qd,
      run->want_qdd,     run->gap,      run->kp,      run->kd,      run->right};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) lw_state_numbers(state, arrays[i], n);
  lw_state_numbers(state, run->want_q, (size_t)run->nq);
  lw_state_flags(state, run->still, n);
  for (size_t k = 0; k < n; ++k)
  {
    int64_t hold = lw_state_whole(state, run->hold[k], LW_JOINT_HOLD_NONE, most);
    if (state->pass == LW_STATE_READ) run->hold[k] = (__typeof__(run->hold[k]))hold;
    held += hold == LW_JOINT_HOLD_HELD;
    LW_STATE_INTEGER(state, run->contact[k], 0, LW_AT_LOWER | LW_AT_UPPER);
    LW_STATE_INTEGER(state, run->beyond[k], 0, 15);
    LW_STATE_INTEGER(state, run->cut[k], 0, 15);
    pass_drive(run, (int)k, state);
  }
  return held;
}

static void pass_arm(void* context, lwStateBytes* state)
{
  lwArmRun* run          = context;
  double* const single[] = {&run->pace.t, &run->S0, &run->stop_work};
  bool* const flags[]    = {&run->controlled, &run->driven, &run->timed};
  double t               = lw_state_number(state, &run->t);
  for (size_t i = 0; i < sizeof single / sizeof *single; ++i) lw_state_numbers(state, single[i], 1);
  lw_state_numbers(state, run->y, (size_t)run->size);
  int held = pass_joints(run, state);
  pass_oil(run, state);
  for (int i = 0; i < 3; ++i) lw_state_flags(state, flags[i], 1);
  lw_state_flags(state, run->passed, (size_t)run->event_count);
  lw_state_flags(state, run->acting, (size_t)run->load_count);
  LW_STATE_INTEGER(state, run->held, held, held);
  LW_STATE_INTEGER(state, run->break_next, 0, run->break_count);
  LW_STATE_INTEGER(state, run->turns, 0, LW_STATE_MOST);
  LW_STATE_INTEGER(state, run->pace.turns, 0, LW_STATE_MOST);
  LW_STATE_INTEGER(state, run->begun, LW_OUTCOME_ARRIVED, LW_OUTCOME_BUDGET);
  lw_energy_state(&run->energy, state);
  lw_audit_state(&run->audit, run->notes, run->tally_width - 1, state);
  for (int i = 0; i < LW_NOTE_KIND_COUNT * run->tally_width; ++i)
  {
    LW_STATE_INTEGER(state, run->tallies[i].count, 0, LW_STATE_MOST);
    lw_state_numbers(state, &run->tallies[i].first, 1);
  }
  lw_state_numbers(state, run->chatter.recent,
                   sizeof run->chatter.recent / sizeof run->chatter.recent[0]);
  double reached = lw_integrator_state(run->integrator, state);
  if (state->pass == LW_STATE_CHECK && t != reached) state->wrong = true;
}

// Everything that the definition fixes and a continued run depends on, but for laws and callbacks:
// numbers of the robot, the integrator, and how many of everything there are.
static uint64_t arm_kind(const lwArmRun* run)
{
  const lwIntegrator* integrator = run->integrator;
  size_t n                       = (size_t)run->n;
  const int counts[]             = {run->n,
                                    run->nq,
                                    run->size,
                                    run->load_count,
                                    run->event_count,
                                    run->break_count,
                                    run->watch_count,
                                    (int)run->def.friction,
                                    (int)run->def.limits,
                                    (int)run->def.controller.kind};
  const double steps[]           = {integrator->def.step, run->longest};
  uint64_t hash                  = lw_state_hash(LW_STATE_HASH, "arm", 3);
  hash = lw_state_hash(hash, integrator->method->name, strlen(integrator->method->name));
  hash = lw_state_hash(hash, counts, sizeof counts);
  hash = lw_state_hash(hash, steps, sizeof steps);
  hash = lw_state_hash(hash, integrator->relative, (size_t)run->size * sizeof(double));
  hash = lw_state_hash(hash, integrator->absolute, (size_t)run->size * sizeof(double));
  hash = lw_state_hash(hash, run->coulomb, n * sizeof(double));
  hash = lw_state_hash(hash, run->viscous, n * sizeof(double));
  hash = lw_state_hash(hash, run->reflected, n * sizeof(double));
  return lw_state_hash(hash, run->model->link64, (size_t)run->model->n * sizeof(lwLink64));
}

size_t lw_arm_run_save(const lwArmRun* run, void* state, size_t capacity)
{
  return lw_state_save((lwArmRun*)run, pass_arm, arm_kind(run), state, capacity);
}

lwStatus lw_arm_run_restore(lwArmRun* run, const void* state, size_t size, lwDiag* diag)
{
  if (lw_state_restore(run, pass_arm, arm_kind(run), state, size)) return LW_OK;
  return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                   "this is no state of such a run: robot, integrator, friction, limits, loads and "
                   "events must be those of the run that it was saved from");
}

// --- copies

// The definition of a run, by its own copies of all arrays.
static lwArmDef own_def(const lwArmRun* run)
{
  lwArmDef def             = run->def;
  def.q                    = run->start_q;
  def.qd                   = NULL;
  def.current              = NULL;
  def.drives               = run->first_drives;
  def.loads                = run->loads;
  def.events               = run->events;
  def.controller.kp        = run->kp;
  def.controller.kd        = run->kd;
  def.controller.sensors   = run->sensors;
  def.integrator.relatives = run->integrator->relative;
  def.integrator.absolutes = run->integrator->absolute;
  return def;
}

lwStatus lw_arm_run_clone(const lwArmRun* run, lwDiag* diag, lwArmRun** copy)
{
  lwArmDef def  = own_def(run);
  lwArena arena = {0};
  *copy         = NULL;
  for (int i = 0; i < run->event_count; ++i)
    if (run->events[i].closes)
      return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                       "cylinders whose valves close belong to one run: it cannot be copied");
  size_t size     = lw_arm_run_save(run, NULL, 0);
  void* state     = lw_arena_take(&arena, size, 1);
  lwStatus status = state ? lw_arm_run_create(&def, diag, copy) : LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    lw_arm_run_save(run, state, size);
    status = lw_arm_run_restore(*copy, state, size, diag);
  }
  if (status != LW_OK)
  {
    lw_arm_run_destroy(*copy);
    *copy = NULL;
  }
  lw_arena_free(&arena);
  return status;
}
