// SPDX-License-Identifier: MIT
// Clocks do not disturb each other: whatever times are recorded, a run has the same bits at common
// times, converters take exactly the samples that their period says, and the audit is the same.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm/arm_internal.h"
#include "base/clock.h"
#include "base/random.h"
#include "linkwork/fleet.h"
#include "linkwork/read.h"
#include "linkwork/scenario.h"
#include "support/arms.h"
#include "support/check.h"
#include "support/snakes.h"
#include "support/testing.h"

enum
{
#ifdef LW_TEST_SANITIZED
  PAIRS = 60,
  RICH  = 30,
#else
  PAIRS = 1000,
  RICH  = 300,
#endif
  MOST    = 8,   // numbers of a state that are compared
  COMMONS = 400  // times at which they are
};

// --- the clock itself

static void samples_are_counted(void** unused)
{
  (void)unused;
  lwRandom random = {5};
  for (int i = 0; i < 100000; ++i)
  {
    double period  = exp(lw_random_between(&random, -12, 3));
    double start   = i % 2 ? lw_random_between(&random, -5, 5) : 0;
    int64_t k      = (int64_t)lw_random_between(&random, 0, 1e6);
    double t       = start + (double)k * period;
    lwClock at     = lw_clock_at(start, period, t),
            before = lw_clock_at(start, period, nextafter(t, -1e9));
    assert_true(lw_clock_time(&at) == t);
    assert_true(lw_clock_time(&before) < t);
    ++at.k;
    ++before.k;
    assert_true(lw_clock_time(&at) > t && lw_clock_time(&before) == t);
  }
  lwClock finer = lw_clock_at(0, 1e-300, 1), none = lw_clock_at(0, 0, 1);
  assert_same(lw_clock_time(&finer), 1);
  assert_same(lw_clock_time(&none), 1);
}

static void records_end_at_the_end(void** unused)
{
  (void)unused;
  lwRandom random = {6};
  for (int i = 0; i < 10000; ++i)
  {
    double interval = lw_random_between(&random, 1e-3, 1);
    double end      = i % 2 ? interval * floor(lw_random_between(&random, 1, 50))
                            : lw_random_between(&random, 1e-3, 9);
    int64_t count   = lw_clock_records(end, interval);
    for (int64_t k = 1; k < count; ++k)
      assert_true(lw_clock_record(k, end, interval) > lw_clock_record(k - 1, end, interval));
    assert_same(lw_clock_record(count - 1, end, interval), end);
  }
}

// --- a run that records

// States at every third record and at the end, of a run that records them all or only these.
typedef struct Track
{
  int count, size;
  double t[COMMONS], y[COMMONS][MOST];
  double peak, worst;
  long samples, counts[LW_NOTE_KIND_COUNT];
  double notes;  // changes if a note, its time or its joint does
} Track;

static void keep_state(Track* track, double t, const double* a, const double* b, int each)
{
  assert_less(track->count, COMMONS);
  track->t[track->count] = t;
  track->size            = 2 * each;
  memcpy(track->y[track->count], a, (size_t)each * sizeof *a);
  memcpy(track->y[track->count] + each, b, (size_t)each * sizeof *b);
  ++track->count;
}

static void keep_audit(Track* track, const lwArmRun* run)
{
  lwAudit audit  = lw_arm_run_audit(run);
  track->peak    = audit.peak_kinetic;
  track->worst   = audit.worst_S;
  track->samples = audit.samples;
  memcpy(track->counts, audit.counts, sizeof audit.counts);
  for (int i = 0; i < audit.note_count; ++i)
    track->notes +=
        (audit.notes[i].t + 1) * (audit.notes[i].kind + 2) * (3 * audit.notes[i].which + 1);
}

// How tracks are made: without a break, or with one behind every few records, after which a new run
// of the same definition goes on from the saved state, or a copy of the run does.
typedef enum Breaks
{
  UNBROKEN,
  RESTORED,
  CLONED
} Breaks;

static Breaks breaks;

static bool is_broken(int64_t k)
{
  return breaks != UNBROKEN && k % 4 == 1;
}

static lwArmRun* other_arm(lwArmRun* run, const lwArmDef* def)
{
  size_t size = lw_arm_run_save(run, NULL, 0);
  void* state = malloc(size);
  lwArmRun* other;
  if (breaks == CLONED)
    assert_int_equal(lw_arm_run_clone(run, NULL, &other), LW_OK);
  else
  {
    assert_true(lw_arm_run_save(run, state, size) == size);
    assert_int_equal(lw_arm_run_create(def, NULL, &other), LW_OK);
    assert_int_equal(lw_arm_run_restore(other, state, size, NULL), LW_OK);
  }
  free(state);
  lw_arm_run_destroy(run);
  return other;
}

static Track* arm_track(const lwArmDef* def, double end, double interval, bool all)
{
  Track* track  = calloc(1, sizeof *track);
  lwArmRun* run = NULL;
  lwArmDef arm  = *def;
  assert_non_null(track);
  arm.integrator.end = end;
  assert_int_equal(lw_arm_run_create(&arm, NULL, &run), LW_OK);
  int64_t count     = lw_clock_records(end, interval);
  lwOutcome outcome = LW_OUTCOME_ARRIVED;
  for (int64_t k = 0; k < count && outcome == LW_OUTCOME_ARRIVED; ++k)
  {
    bool common = k % 3 == 0 || k == count - 1;
    if (!all && !common) continue;
    outcome            = lw_arm_run_advance(run, lw_clock_record(k, end, interval), NULL);
    lwArmSample sample = lw_arm_run_sample(run);
    if (common || outcome != LW_OUTCOME_ARRIVED)
      keep_state(track, sample.t, sample.q, sample.qd, lw_model_dof(def->model));
    if (all && is_broken(k) && outcome == LW_OUTCOME_ARRIVED) run = other_arm(run, &arm);
  }
  keep_audit(track, run);
  lw_arm_run_destroy(run);
  return track;
}

static bool same_rows(const Track* a, const Track* b)
{
  bool same = a->count == b->count;
  for (int i = 0; i < a->count && same; ++i)
    same = a->t[i] == b->t[i] && !memcmp(a->y[i], b->y[i], (size_t)a->size * sizeof(double));
  return same;
}

static void compare_tracks(const char* what, int number, Track* all, Track* few)
{
  if (!same_rows(all, few)) fail_msg("%s, case %d: records change the motion", what, number);
  if (all->peak != few->peak || all->worst != few->worst)
    fail_msg("%s, case %d: records change the audit: %.17g J and %.17g J, S %g and %g", what,
             number, all->peak, few->peak, all->worst, few->worst);
  if (memcmp(all->counts, few->counts, sizeof all->counts) || all->notes != few->notes)
    fail_msg("%s, case %d: records change the notes", what, number);
  assert_int_equal(all->samples, few->samples);
  free(all);
  free(few);
}

static lwModel* model_of(const char* text)
{
  lwModel* model = NULL;
  assert_int_equal(lw_robot_read_text("clocks.yaml", text, strlen(text), NULL, NULL, &model),
                   LW_OK);
  return model;
}

// --- converters

static const char WHEEL[] =
    "linkwork: 1\nname: wheel\ngravity: [0, 0, 0]\njoints:\n  - {name: w, type: revolute, axis: "
    "[0, "
    "0, 1], link: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}\n";

static lwIntegratorDef integrator_of(int m, double tolerance, double step)
{
  lwIntegratorDef def = lw_integrator_def();
  def.method          = lw_integrator_method(m)->name;
  def.step            = step;
  def.relative = def.absolute = tolerance;
  return def;
}

// The torque t, sampled every 0.05 s: after 1 s the speed is the sum of 0.05 (0.05 k), k < 20.
static void wheel_takes_every_sample(void** unused)
{
  (void)unused;
  static const double intervals[] = {0.05, 0.01, 0.015, 0.003, 1};
  lwModel* model                  = model_of(WHEEL);
  lwLaw* law                      = law_of("t");
  for (int m = 0; m < lw_integrator_method_count(); ++m)
    for (int i = 0; i < 5; ++i)
    {
      lwJointDrive drive = {.signal = LW_SIGNAL_LAW, .law = law, .converted = true};
      lwArmDef def       = lw_arm_def();
      drive.dac          = (lwDac){0.05, 0, 100};
      def.model          = model;
      def.drives         = &drive;
      def.integrator     = integrator_of(m, 1e-9, 1e-3);
      Track* track       = arm_track(&def, 1, intervals[i], true);
      assert_near(track->y[track->count - 1][1], 0.475, 1e-9);
      assert_int_equal(track->samples, 21);
      free(track);
    }
  lw_law_destroy(law);
  lw_model_destroy(model);
}

// Samples k period from 0 to the end.
static long samples_until(double end, double period)
{
  long count = 0;
  while ((double)count * period <= end) ++count;
  return count;
}

// Decimal periods, as people write them, and any others.
static double any_period(lwRandom* random, double low, double high)
{
  double period = lw_random_between(random, low, high);
  return lw_random_between(random, 0, 1) < 0.7 ? ceil(period * 1000) / 1000 : period;
}

static void pairs_of_periods(void** unused)
{
  (void)unused;
  lwModel* model  = model_of(WHEEL);
  lwLaw* law      = law_of("cos(3*t) - 2*q - 0.1*qd^3");
  lwRandom random = {7};
  for (int i = 0; i < PAIRS; ++i)
  {
    double period = any_period(&random, 0.005, 0.2), interval = any_period(&random, 0.004, 0.1);
    double end = i % 3 ? 0.5 : lw_random_between(&random, 0.3, 0.6);
    for (int m = 0; m < lw_integrator_method_count(); ++m)
    {
      lwJointDrive drive = {.signal = LW_SIGNAL_LAW, .law = law, .converted = i % 10 != 0};
      lwArmDef def       = lw_arm_def();
      drive.dac          = (lwDac){period, 0, 100};
      def.model          = model;
      def.drives         = &drive;
      def.integrator     = integrator_of(m, 1e-5, 0.01);
      Track* all         = arm_track(&def, end, interval, true);
      assert_int_equal(all->samples, drive.converted ? samples_until(end, period) : 0);
      compare_tracks(def.integrator.method, i, all, arm_track(&def, end, interval, false));
    }
  }
  lw_law_destroy(law);
  lw_model_destroy(model);
}

// --- everything at once: two rods with friction and stops

static const char RODS[] =
    "linkwork: 1\nname: rods\ngravity: [0, -9.81, 0]\ndh: standard\njoints:\n"
    "  - {name: first, type: revolute, a: 1, friction: {viscous: 0.1, coulomb: 0.8}, limits: "
    "{lower: "
    "-1.5, upper: 1.2, velocity: 2, effort: 4}, link: {mass: 3, com: [-0.5, 0, 0], inertia: [0.1, "
    "0.25, 0.25, "
    "0, "
    "0, 0]}}\n"
    "  - {name: second, type: revolute, a: 1, friction: {viscous: 0.1, coulomb: 0.3}, limits: "
    "{lower: "
    "-0.9, upper: 0.8, velocity: 3, effort: 2}, link: {mass: 2, com: [-0.5, 0, 0], inertia: [0.1, "
    "0.2, 0.2, "
    "0, "
    "0, 0]}}\n";

// What may be in a run, chosen by the seed.
typedef struct Rich
{
  lwJointDrive drives[2], later[2];
  lwArmEventDef events[3];
  lwLoadDef load;
  double kp[2], kd[2], q[2], qd[2], noise[2], resolution[2];
  lwArmDef def;
} Rich;

static void rich_drives(Rich* rich, lwRandom* random, const lwLaw* law, const lwSchedule* schedule)
{
  for (int k = 0; k < 2; ++k)
  {
    lwJointDrive* drives[] = {&rich->drives[k], &rich->later[k]};
    for (int i = 0; i < 2; ++i)
    {
      int kind = (int)lw_random_between(random, 0, 4);
      *drives[i] =
          (lwJointDrive){.signal    = (lwSignal)kind,
                         .law       = law,
                         .schedule  = schedule,
                         .column    = k,
                         .converted = kind == LW_SIGNAL_CONTROL ||
                                      (kind != 0 && lw_random_between(random, 0, 1) < 0.5)};
      drives[i]->dac = (lwDac){any_period(random, 0.01, 0.1), 10, 50};
    }
    rich->kp[k]         = lw_random_between(random, 5, 60);
    rich->kd[k]         = lw_random_between(random, 1, 10);
    rich->q[k]          = lw_random_between(random, -0.8, 0.7);
    rich->qd[k]         = lw_random_between(random, -3, 3);
    rich->noise[k]      = 1e-3;
    rich->resolution[k] = 1e-4;
  }
}

static void rich_open(Rich* rich, uint64_t seed, const lwLaw* const laws[2],
                      const lwSchedule* schedule)
{
  static const bool both[] = {true, true};
  lwRandom random          = {seed};
  *rich                    = (Rich){.def = lw_arm_def()};
  rich_drives(rich, &random, laws[0], schedule);
  lwArmDef* def = &rich->def;
  rich->events[0] =
      (lwArmEventDef){.at = any_period(&random, 0.1, 0.8), .changes = both, .drives = rich->later};
  rich->events[1] =
      (lwArmEventDef){.at = (double)NAN, .when = laws[1], .joint = 0, .changes = both};
  rich->events[1].drives = rich->drives;
  rich->events[2]        = (lwArmEventDef){.at = any_period(&random, 0.1, 2)};
  rich->load         = (lwLoadDef){.constant = {5, 3}, .in_base = true, .from = 0.2, .to = 0.55};
  def->q             = rich->q;
  def->qd            = rich->qd;
  def->drives        = rich->drives;
  def->limits        = (lwLimitMode)(seed % 3);
  def->friction      = seed % 5 ? LW_FRICTION_MODEL_FULL : LW_FRICTION_MODEL_VISCOUS;
  def->events        = rich->events;
  def->event_count   = 3;
  def->loads         = &rich->load;
  def->load_count    = 1;
  def->controller    = (lwControllerDef){.kind = LW_CONTROL_COMPUTED_TORQUE};
  def->controller.kp = rich->kp;
  def->controller.kd = rich->kd;
  if (seed % 2) def->controller.sensors.noise = rich->noise;
  if (seed % 2) def->controller.sensors.resolution = rich->resolution;
  int m           = (int)(seed / 3 % (uint64_t)lw_integrator_method_count());
  def->integrator = integrator_of(m, exp(lw_random_between(&random, -18, -9)),
                                  any_period(&random, 0.0005, 0.004));
}

static void everything_at_once(void** unused)
{
  (void)unused;
  static const double times[]  = {0, 0.15, 0.3, 0.31, 0.7},
                      values[] = {3, 1, -2, 0, 5, 2, -4, 1, 0, 0};
  lwModel* model               = model_of(RODS);
  lwLaw* laws[2]               = {law_of("6*sin(5*t + k) - qd"), law_of("q - 0.3")};
  lwSchedule* schedule         = NULL;
  lwScheduleDef def            = {.symbol = "tau", .width = 2, .between = LW_BETWEEN_HELD};
  assert_int_equal(lw_schedule_create(&def, 5, times, values, NULL, &schedule), LW_OK);
  for (uint64_t seed = 0; seed < RICH; ++seed)
  {
    Rich rich;
    lwRandom random = {seed + 1000};
    rich_open(&rich, seed, (const lwLaw* const*)laws, schedule);
    rich.def.model  = model;
    double interval = any_period(&random, 0.004, 0.05);
    Track* all      = arm_track(&rich.def, 1, interval, true);
    Track* few      = arm_track(&rich.def, 1, interval, false);
    if (rich.def.limits == LW_LIMIT_MODE_STOP)  // the last record may be one that only one run has
      all->count = few->count = all->count < few->count ? all->count : few->count;
    compare_tracks(rich.def.integrator.method, (int)seed, all, few);
  }
  lw_schedule_destroy(schedule);
  for (int i = 0; i < 2; ++i) lw_law_destroy(laws[i]);
  lw_model_destroy(model);
}

// --- the PUMA

static lwScenario* scenario_of(const char* text)
{
  lwScenario* scenario = NULL;
  assert_int_equal(lw_scenario_read_text("run.yaml", text, strlen(text), NULL, NULL, &scenario),
                   LW_OK);
  return scenario;
}

// The last row of a run by its file, with records at this interval.
static Track* scenario_track(const lwScenario* scenario, double interval)
{
  lwArmRun* run = NULL;
  Track* track  = calloc(1, sizeof *track);
  double end    = lw_scenario_duration(scenario);
  assert_non_null(track);
  assert_int_equal(lw_arm_run_create(lw_scenario_arm(scenario), NULL, &run), LW_OK);
  for (int64_t k = 0; k < lw_clock_records(end, interval); ++k)
  {
    assert_int_equal(lw_arm_run_advance(run, lw_clock_record(k, end, interval), NULL),
                     LW_OUTCOME_ARRIVED);
    lw_arm_run_sample(run);
  }
  lwArmSample sample = lw_arm_run_sample(run);
  keep_state(track, sample.t, sample.q, sample.qd, 4);
  keep_audit(track, run);
  lw_arm_run_destroy(run);
  return track;
}

static void puma_by_a_digital_controller(void** unused)
{
  (void)unused;
  static const double intervals[] = {0.1, 0.015, 0.01, 2};
  lwScenario* scenario =
      scenario_of("linkwork: 1\nrobot: " LW_ROBOTS
                  "/puma560.yaml\nduration: 2\ninitial: {q: {shoulder: -1.57, elbow: 1.57}}\n"
                  "drives: {default: {control: voltage, dac: {period: 0.1, bits: 12, range: 40}}}\n"
                  "controller: {kind: computed-torque, kp: 100, kd: 20, reference: {q: [0.3*t^2, "
                  "-1.57, 1.57 - 0.2*t^2, "
                  "0, 0, 0]}}\nintegrator: {method: dormand-prince, rtol: 1e-8}\n");
  for (int i = 1; i < 4; ++i)
  {
    Track *one   = scenario_track(scenario, intervals[0]),
          *other = scenario_track(scenario, intervals[i]);
    assert_int_equal(one->samples, 6 * 21);
    compare_tracks("PUMA", i, one, other);
  }
  lw_scenario_destroy(scenario);
}

// It falls onto its stops, and friction holds it.
static void puma_at_its_stops(void** unused)
{
  (void)unused;
  static const char* const methods[] = {"rk4, step: 1e-3", "kutta3, step: 1e-3",
                                        "dormand-prince, rtol: 1e-7"};
  for (int m = 0; m < 3; ++m)
  {
    char text[400];
    snprintf(text, sizeof text,
             "linkwork: 1\nrobot: %s/puma560.yaml\nduration: 3\nlimits: hold\ninitial: {qd: 0.5}\n"
             "integrator: {method: %s}\n",
             LW_ROBOTS, methods[m]);
    lwScenario* scenario = scenario_of(text);
    Track* few           = scenario_track(scenario, 3);
    assert_at_least(few->peak, 5);  // J; at both records it is almost at rest
    compare_tracks(methods[m], 0, scenario_track(scenario, 0.01), few);
    lw_scenario_destroy(scenario);
  }
}

// --- times that differ by rounding only

// Two converters, a schedule and events at 0.15 and near it: 3 * 0.05 is one rounding later.
static void clocks_that_coincide(void** unused)
{
  (void)unused;
  lwModel* model = model_of(RODS);
  lwLaw* law     = law_of("t");
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    lwJointDrive drives[2] = {{.signal = LW_SIGNAL_LAW, .law = law, .converted = true}};
    lwArmEventDef events[] = {{.at = 0.15}, {.at = 3 * 0.05}, {.at = 15 * 0.01}};
    drives[1]              = drives[0];
    drives[0].dac          = (lwDac){0.05, 0, 100};
    drives[1].dac          = (lwDac){0.01, 0, 100};
    lwArmDef def           = lw_arm_def();
    def.model              = model;
    def.drives             = drives;
    def.events             = events;
    def.event_count        = 3;
    def.integrator         = integrator_of(m, 1e-7, 0.004);
    Track* all             = arm_track(&def, 1, 0.01, true);
    assert_int_equal(all->samples, samples_until(1, 0.05) + samples_until(1, 0.01));
    compare_tracks(def.integrator.method, 0, all, arm_track(&def, 1, 0.01, false));
  }
  lw_law_destroy(law);
  lw_model_destroy(model);
}

// --- snakes

static void wriggle(void* context, double t, const double* theta, const double u[2],
                    const double place[2], double* torque)
{
  (void)place;
  (void)theta, (void)u;
  for (int k = 0; k + 1 < *(const int*)context; ++k) torque[k] = 0.8 * sin(4 * t + k);
}

static lwSnakeRun* other_snake(lwSnakeRun* run, const lwSnakeRunDef* def)
{
  size_t size = lw_snake_run_save(run, NULL, 0);
  void* state = malloc(size);
  lwSnakeRun* other;
  if (breaks == CLONED)
    assert_int_equal(lw_snake_run_clone(run, NULL, &other), LW_OK);
  else
  {
    assert_true(lw_snake_run_save(run, state, size) == size);
    assert_int_equal(lw_snake_run_create(def, NULL, &other), LW_OK);
    assert_int_equal(lw_snake_run_restore(other, state, size, NULL), LW_OK);
  }
  free(state);
  lw_snake_run_destroy(run);
  return other;
}

static Track* snake_track(lwSnakeRun* run, const lwSnakeRunDef* def, double end, double interval,
                          bool all)
{
  int n                = lw_snake_count(def->snake);
  double theta[MOST]   = {0.1, -0.1, 0.05, 0};
  lwSnakeSample sample = {.theta = theta, .u = {0.3, 0}};
  Track* track         = calloc(1, sizeof *track);
  int64_t count        = lw_clock_records(end, interval);
  assert_non_null(track);
  lw_snake_run_start(run, &sample);
  for (int64_t k = 0; k < count; ++k)
  {
    bool common = k % 3 == 0 || k == count - 1;
    if (!all && !common) continue;
    assert_int_equal(lw_snake_run_to(run, lw_clock_record(k, end, interval), &sample, NULL),
                     LW_PROGRESS_ARRIVED);
    double others[] = {sample.u[0], sample.u[1], sample.x, sample.work};
    if (common) keep_state(track, sample.t, theta, others, n);
    if (all && is_broken(k)) run = other_snake(run, def);
  }
  lwAudit audit = lw_snake_run_audit(run);
  track->peak   = audit.peak_kinetic;
  track->worst  = audit.worst_S;
  memcpy(track->counts, audit.counts, sizeof audit.counts);
  for (int i = 0; i < audit.note_count; ++i)
    track->notes +=
        (audit.notes[i].t + 1) * (audit.notes[i].kind + 2) * (3 * audit.notes[i].which + 1);
  lw_snake_run_destroy(run);
  return track;
}

// kind 0: in theta and u; 1: all coordinates; 2: stabilised; 3: with slip and stops.
static Track* any_snake_track(int kind, const lwIntegratorDef* integrator, double interval,
                              bool all)
{
  int n = 4;
  lwSnakeLink links[4];
  lwSnakeWorkspace* ws = NULL;
  lwSnakeRun* run      = NULL;
  lwSnakeRunDef def    = lw_snake_run_def();
  for (int k = 0; k < n; ++k)
  {
    links[k]                = lw_snake_link();
    links[k].length         = 0.2;
    links[k].mass           = 1;
    links[k].inertia        = 0.004;
    links[k].friction_limit = 1.5;
    if (k + 1 < n) links[k].lower = -0.3, links[k].upper = 0.35;
  }
  lwSnake* snake = snake_of(links, n);
  def.snake      = snake;
  def.integrator = *integrator;
  def.drive      = wriggle;
  def.context    = &n;
  def.stabilise  = kind >= 2;
  def.slip = def.stops = kind == 3;
  lwStatus status      = lw_snake_workspace_create(snake, NULL, NULL, &ws);
  if (kind == 0) def.ws = ws;
  if (status == LW_OK) status = lw_snake_run_create(&def, NULL, &run);
  assert_int_equal(status, LW_OK);
  Track* track = snake_track(run, &def, 1, interval, all);
  lw_snake_workspace_destroy(ws);
  lw_snake_destroy(snake);
  return track;
}

static void snakes(void** unused)
{
  (void)unused;
  lwRandom random = {8};
  for (int i = 0; i < 6; ++i)
    for (int m = 0; m < lw_integrator_method_count(); ++m)
      for (int kind = 0; kind < 4; ++kind)
      {
        lwIntegratorDef def = integrator_of(m, 1e-6, 0.003);
        double interval     = any_period(&random, 0.01, 0.08);
        def.end             = 1;
        compare_tracks(def.method, kind, any_snake_track(kind, &def, interval, true),
                       any_snake_track(kind, &def, interval, false));
      }
}

// --- fleets

static lwFleet* other_fleet(lwFleet* fleet, const lwFleetDef* def)
{
  size_t size = lw_fleet_save(fleet, NULL, 0);
  void* state = malloc(size);
  lwFleet* other;
  assert_true(lw_fleet_save(fleet, state, size) == size);
  assert_int_equal(lw_fleet_create(def, NULL, &other), LW_OK);
  assert_int_equal(lw_fleet_restore(other, state, size, NULL), LW_OK);
  free(state);
  lw_fleet_destroy(fleet);
  return other;
}

static Track* fleet_track(const lwFleetDef* def, double end, double interval, bool all)
{
  static const double q[]   = {0.1, 0.2, -0.3, 0.4, 0.5, -0.6};
  static const double qd[]  = {1, 2, -1, 0, 0.5, 1};
  static const double tau[] = {0.5, 0, 0, 0.2, 1, -1};
  double q_now[6], qd_now[6];
  Track* track   = calloc(1, sizeof *track);
  lwFleet* fleet = NULL;
  assert_non_null(track);
  assert_int_equal(lw_fleet_create(def, NULL, &fleet), LW_OK);
  assert_int_equal(lw_fleet_start(fleet, 0, q, qd), LW_OK);
  int64_t count = lw_clock_records(end, interval);
  for (int64_t k = 0; k < count; ++k)
  {
    bool common = k % 3 == 0 || k == count - 1;
    if (!all && !common) continue;
    assert_int_equal(lw_fleet_advance(fleet, lw_clock_record(k, end, interval)), 3);
    lw_fleet_states(fleet, q_now, qd_now);
    if (common) keep_state(track, lw_fleet_time(fleet), q_now, qd_now, 4);
    if (all && is_broken(k)) fleet = other_fleet(fleet, def);
    if (k == 3) assert_int_equal(lw_fleet_set_torques(fleet, tau), LW_OK);
  }
  lw_fleet_destroy(fleet);
  return track;
}

static void fleets(void** unused)
{
  (void)unused;
  lwRandom random = {9};
  lwModel* model  = model_of(RODS);
  lwLaw* law      = law_of("sin(7*t)*k - 0.2*qd");
  for (int i = 0; i < 100; ++i)
  {
    lwFleetDef def  = lw_fleet_def();
    double interval = any_period(&random, 0.002, 0.03);
    def.model       = model;
    def.count       = 3;
    def.threads     = 1;
    def.method      = i % 2 ? "rk4" : "kutta3";
    def.step        = any_period(&random, 0.001, 0.01);
    def.end         = i % 3 ? 0.3 : 0;
    def.law         = law;
    compare_tracks("fleet", i, fleet_track(&def, 0.3, interval, true),
                   fleet_track(&def, 0.3, interval, false));
  }
  lw_law_destroy(law);
  lw_model_destroy(model);
}

// --- states: the same runs, broken off and continued, have the same bits

static void run_broken(void (*test)(void**))
{
  for (breaks = RESTORED; breaks <= CLONED; ++breaks) test(NULL);
  breaks = UNBROKEN;
}

static void broken_arms(void** unused)
{
  (void)unused;
  run_broken(everything_at_once);
  run_broken(puma_by_a_digital_controller);
  run_broken(puma_at_its_stops);
  run_broken(clocks_that_coincide);
}

static void broken_snakes(void** unused)
{
  (void)unused;
  run_broken(snakes);
}

static void broken_fleets(void** unused)
{
  (void)unused;
  run_broken(fleets);
}

// Bytes of a state that were changed are refused, or read to a state that runs; none of another run
// is taken.
static void damaged_states_are_refused(void** unused)
{
  (void)unused;
  lwModel* model  = model_of(RODS);
  lwArmDef def    = lw_arm_def();
  lwRandom random = {35};
  lwArmRun *run, *other;
  def.model             = model;
  def.integrator.method = "bdf";
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_OK);
  assert_int_equal(lw_arm_run_advance(run, 0.3, NULL), LW_OUTCOME_ARRIVED);
  size_t size          = lw_arm_run_save(run, NULL, 0);
  unsigned char* state = malloc(size);
  lw_arm_run_save(run, state, size);
  assert_int_equal(lw_arm_run_restore(run, state, size - 1, NULL), LW_ERROR_INPUT);
  def.integrator.method = "rk4";
  assert_int_equal(lw_arm_run_create(&def, NULL, &other), LW_OK);
  assert_int_equal(lw_arm_run_restore(other, state, size, NULL), LW_ERROR_INPUT);
  for (int i = 0; i < 2000; ++i)
  {
    size_t at          = lw_random_bits(&random) % size;
    unsigned char kept = state[at];
    state[at] ^= (unsigned char)(1u << (lw_random_bits(&random) % 8));
    assert_int_equal(lw_arm_run_restore(run, state, size, NULL), LW_ERROR_INPUT);
    state[at] = kept;
  }
  assert_int_equal(lw_arm_run_restore(run, state, size, NULL), LW_OK);
  lw_arm_run_destroy(run);
  lw_arm_run_destroy(other);
  lw_model_destroy(model);
  free(state);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_are_counted),
      cmocka_unit_test(records_end_at_the_end),
      cmocka_unit_test(wheel_takes_every_sample),
      cmocka_unit_test(pairs_of_periods),
      cmocka_unit_test(everything_at_once),
      cmocka_unit_test(puma_by_a_digital_controller),
      cmocka_unit_test(puma_at_its_stops),
      cmocka_unit_test(clocks_that_coincide),
      cmocka_unit_test(snakes),
      cmocka_unit_test(fleets),
      cmocka_unit_test(broken_arms),
      cmocka_unit_test(broken_snakes),
      cmocka_unit_test(broken_fleets),
      cmocka_unit_test(damaged_states_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
