// SPDX-License-Identifier: MIT
// The run of an arm from break to break, its samples and its audit.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arm/arm_internal.h"
#include "model/loops.h"

static const double HUGE_TORQUE   = 1e9;   // N m or N, that no drive of a machine exerts
static const double NEAR_SINGULAR = 0.01;  // of the hold that loops have in the file's position

// --- limits of speed and of drives

// The limits that joint k and its drive pass.
static unsigned passed_limits(const lwArmRun* run, int k, const double* qd)
{
  const lwJointDrive* drive = &run->drives[k];
  bool follows              = drive->signal == LW_SIGNAL_CONTROL && !drive->voltage;
  double wanted             = fabs(follows ? run->control[k] : run->tau[k]);
  return (drive->voltage ? run->cut[k] : 0) |
         (wanted > run->limits[k].effort ? LW_ARM_LIMIT_EFFORT : 0) |
         (fabs(qd[k]) > run->limits[k].velocity ? LW_ARM_LIMIT_SPEED : 0);
}

// Notes where joints and drives begin to exceed limits of speed, effort, voltage and current: at
// ends of steps and at events, so that records have no part in it.
static void note_limits(lwArmRun* run, double t, const double* y)
{
  static const struct
  {
    unsigned limit;
    lwNoteKind kind;
  } kinds[] = {{LW_ARM_LIMIT_SPEED, LW_NOTE_SPEED},
               {LW_ARM_LIMIT_EFFORT, LW_NOTE_EFFORT},
               {LW_MOTOR_LIMIT_VOLTAGE, LW_NOTE_VOLTAGE},
               {LW_MOTOR_LIMIT_CURRENT, LW_NOTE_CURRENT}};
  if (run->limited && run->driven) lw_arm_drive(run, t, y);
  for (int k = 0; k < run->n; ++k)
  {
    unsigned passed = passed_limits(run, k, y + run->nq);
    for (int i = 0; i < 4; ++i)
      if (passed & ~run->beyond[k] & kinds[i].limit) lw_arm_note(run, t, kinds[i].kind, k);
    run->beyond[k] = passed;
  }
}

// --- going on

// Commands jump here, so their limits may be passed from here on.
static lwOutcome pass_break(lwArmRun* run)
{
  lwOutcome outcome = lw_arm_breaks(run);
  note_limits(run, run->t, lw_arm_closed(run, run->y));
  return outcome;
}

#ifndef NDEBUG

static void assert_joint(const lwArmRun* run, int k)
{
  assert(run->hold[k] <= LW_JOINT_HOLD_HELD);
  assert(!(run->contact[k] & ~(LW_AT_LOWER | LW_AT_UPPER)));
  assert(run->coulomb[k] >= 0 && run->viscous[k] >= 0 && run->reflected[k] >= 0);
  assert(!(run->limits[k].lower > run->limits[k].upper));
  assert(run->at[k] >= -1 && run->at[k] < run->nq);
  assert(run->current_at[k] == -1 || run->current_at[k] >= run->nq + run->n + LW_WORK_COUNT);
  assert(run->current_at[k] < run->size);
  assert(run->drive_event[k] >= -1 && run->drive_event[k] < run->event_count);
  assert(run->drives[k].signal >= LW_SIGNAL_NONE && run->drives[k].signal <= LW_SIGNAL_INPUT);
  assert(run->drives[k].signal != LW_SIGNAL_LAW || run->drives[k].law);
  assert(run->drives[k].signal != LW_SIGNAL_SCHEDULE || run->drives[k].schedule);
  assert(!run->drives[k].converted || run->drives[k].dac.period > 0);
  assert(run->holds || run->hold[k] != LW_JOINT_HOLD_HELD);
}

// What holds of a run whenever it has come to a time.
static void assert_run(const lwArmRun* run)
{
  int held = 0;
  for (int k = 0; k < run->n; ++k)
  {
    assert_joint(run, k);
    held += run->hold[k] == LW_JOINT_HOLD_HELD;
  }
  assert(held == run->held);
  assert(run->size >= run->nq + run->n + LW_WORK_COUNT);
  assert(run->nq >= run->n && isfinite(run->t));
  assert(run->break_next >= 0 && run->break_next <= run->break_count);
  int next = run->break_next < run->break_count ? run->break_next : run->break_count - 1;
  for (int i = next > 0 ? next - 1 : 0; i <= next; ++i)  // there may be many
  {
    assert(i == 0 || run->breaks[i - 1].t <= run->breaks[i].t);
    assert(run->breaks[i].event >= -1 && run->breaks[i].event < run->event_count);
    assert(run->breaks[i].event >= 0 || run->breaks[i].load < run->load_count);
  }
  for (int i = 0; i < run->watch_count; ++i)
  {
    const lwWatch* watch = &run->watches[i];
    assert(watch->kind <= LW_WATCH_CONDITION && watch->which >= 0);
    assert(watch->which < (watch->kind == LW_WATCH_CONDITION ? run->event_count : run->n));
  }
  assert(run->oil_event >= -1 && run->oil_event < run->event_count);
  assert(run->audit.events >= 0 && run->audit.samples >= 0);
  assert(run->audit.note_count >= 0 && run->audit.note_count <= LW_MAX_NOTES);
  for (int i = 0; i < LW_NOTE_KIND_COUNT; ++i) assert(run->audit.counts[i] >= 0);
}

#else

static void assert_run(const lwArmRun* run)
{
  (void)run;
}

#endif

lwOutcome lw_arm_run_advance(lwArmRun* run, double t, const volatile sig_atomic_t* stop)
{
  static const lwOutcome failed[] = {[LW_PROGRESS_STOPPED]       = LW_OUTCOME_STOPPED,
                                     [LW_PROGRESS_NOT_FINITE]    = LW_OUTCOME_NOT_FINITE,
                                     [LW_PROGRESS_STEP_VANISHED] = LW_OUTCOME_STEP_VANISHED,
                                     [LW_PROGRESS_BUDGET]        = LW_OUTCOME_BUDGET};
  lwOutcome outcome               = run->begun;
  while (outcome == LW_OUTCOME_ARRIVED && run->t < t)
  {
    double jump = lw_arm_next_break(run);
    lw_integrator_bound(run->integrator, jump);
    lwProgress progress = lw_integrator_advance(run->integrator, fmin(jump, t), run->y, stop);
    run->t              = lw_integrator_time(run->integrator);
    assert_run(run);
    if (progress == LW_PROGRESS_EVENT)
      outcome = lw_arm_event(run, lw_integrator_event(run->integrator),
                             lw_integrator_event_rising(run->integrator));
    else if (progress != LW_PROGRESS_ARRIVED)
      return failed[progress];
    else if (run->t == jump)
      outcome = pass_break(run);
    else
      return LW_OUTCOME_ARRIVED;
    if (lw_progress_is_lost(&run->pace, ++run->turns, run->t, t, run->def.integrator.end))
      return LW_OUTCOME_STEP_VANISHED;
  }
  return outcome;
}

double lw_arm_run_time(const lwArmRun* run)
{
  return run->t;
}

// --- samples

// Energies of a state with closed loops and unit quaternions.
static void take_energies(lwArmRun* run, const double* y, lwArmSample* sample)
{
  const double* works = lw_arm_works(run, y);
  sample->work        = run->stop_work;
  for (int i = 0; i < LW_WORK_COUNT; ++i) sample->work += works[i];
  sample->kinetic = lw_arm_kinetic(run, y, &sample->potential);
  sample->S       = (sample->kinetic + sample->potential - run->S0) - sample->work;
}

void lw_arm_audit_state(lwArmRun* run, double t, const double* y)
{
  lwArmSample sample;
  if (run->loops || run->nq != run->n)
  {
    memcpy(run->seen, y, (size_t)run->size * sizeof *y);
    lw_model_normalize(run->model, run->seen);
    lw_arm_project(run, run->seen);
    y = run->seen;
  }
  take_energies(run, y, &sample);
  double works[LW_WORK_COUNT + 1];
  memcpy(works, lw_arm_works(run, y), LW_WORK_COUNT * sizeof *works);
  works[LW_WORK_COUNT] = run->stop_work;
  lw_energy_see(&run->energy, sample.kinetic, sample.potential, works, LW_WORK_COUNT + 1, sample.S);
  note_limits(run, t, y);
}

// NOLINTNEXTLINE(readability-non-const-parameter): an lwStepEnd
bool lw_arm_step_end(void* context, double t, const double* y, double* moved)
{
  (void)moved;
  lw_arm_audit_state(context, t, y);
  return false;
}

lwArmSample lw_arm_run_sample(lwArmRun* run)
{
  lw_model_normalize(run->model, run->y);
  lw_arm_project(run, run->y);
  lw_arm_evaluate(run, run->t, run->y);
  lwArmSample sample = {.t        = run->t,
                        .q        = lw_arm_q(run),
                        .qd       = lw_arm_qd(run),
                        .qdd      = run->qdd,
                        .tau      = run->tau,
                        .voltage  = run->voltage,
                        .current  = run->current,
                        .friction = run->friction};
  take_energies(run, run->y, &sample);
  return sample;
}

bool lw_arm_run_has_voltage(const lwArmRun* run, int k)
{
  return run->motors[k].given;
}

bool lw_arm_run_has_current(const lwArmRun* run, int k)
{
  return run->current_at[k] >= 0;
}

lwAudit lw_arm_run_audit(const lwArmRun* run)
{
  const double* works = lw_arm_works(run, run->y);
  lwAudit audit       = lw_audit_judged(&run->audit, run->notes, &run->energy, run->integrator);
  audit.drive_work    = works[LW_WORK_DRIVE];
  audit.friction_work = works[LW_WORK_FRICTION];
  audit.load_work     = works[LW_WORK_LOAD];
  audit.stop_work     = run->stop_work;
  return audit;
}

lwTally lw_arm_run_tally(const lwArmRun* run, lwNoteKind kind, int k)
{
  return run->tallies[(int)kind * run->tally_width + k];
}

// --- what went wrong

// The joint whose value is not finite, or else the largest.
static int worst_of(const double* values, int n)
{
  int worst = 0;
  for (int k = 0; k < n; ++k)
  {
    if (!isfinite(values[k])) return k;
    if (fabs(values[k]) > fabs(values[worst])) worst = k;
  }
  return worst;
}

// The row of a loop that is near a singular position, in text; or -1.
static int singular_loop(const lwArmRun* run, char* text, size_t size)
{
  int row;
  if (!run->loops) return -1;
  double left = lw_loops_singular(run->loops, lw_arm_q(run), &row);
  if (!(left < NEAR_SINGULAR)) return -1;
  const lwLoopRow* info = &run->model->loops->row[row];
  snprintf(text, size,
           "row '%s' of loop '%.60s' is near a singular position (%.2g of its usual hold), and the "
           "motion through it is not determined to the tolerance",
           info->name, lw_model_robot(run->model)->loops[info->loop].name, left);
  return worst_of(run->qdd, run->n);
}

int lw_arm_run_why(lwArmRun* run, char* text, size_t size)
{
  static const char* const names[] = {"torque", "position", "velocity", "acceleration"};
  const double* values[]           = {run->tau, lw_arm_q(run), lw_arm_qd(run), run->qdd};
  int n                            = run->n;
  snprintf(text, size, "nothing is known about it");
  if (n == 0) return -1;
  lw_arm_evaluate(run, run->t, run->y);
  for (int i = 0; i < 4; ++i)
  {
    int k = worst_of(values[i], i == 1 ? run->nq : n);
    if (isfinite(values[i][k])) continue;
    snprintf(text, size, "its %s is not finite", names[i]);
    return i == 1 ? lw_arm_first_freedom(run, k) : k;
  }
  int k = worst_of(run->tau, n);
  if (fabs(run->tau[k]) > HUGE_TORQUE)
  {
    snprintf(text, size, "its torque is huge, %.3g", run->tau[k]);
    return k;
  }
  k = singular_loop(run, text, size);
  if (k >= 0) return k;
  k = worst_of(run->qdd, n);
  snprintf(text, size, "it moves with %.3g per s and accelerates with %.3g per s^2",
           lw_arm_qd(run)[k], run->qdd[k]);
  return k;
}
