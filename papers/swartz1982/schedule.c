// SPDX-License-Identifier: MIT
// "takes as input a voltage schedule": a run of the Forward Arm and its plots,
// and the error due to the step.
#include <math.h>
#include <string.h>

#include "papers.h"
#include "swartz1982.h"

int run_schedule(Page* page, const SwartzRun* run, RunMoment* sample, void* context)
{
  lwJointDrive drives[JOINTS] = {{0}};
  lwArmDef def                = lw_arm_def();
  lwArmRun* arm               = NULL;
  for (int k = 0; k < JOINTS; ++k)
    drives[k] = (lwJointDrive){
        .signal = LW_SIGNAL_SCHEDULE, .voltage = true, .schedule = run->schedule, .column = k};
  def.model      = run->model;
  def.integrator = run->integrator;
  def.ws.forward = "walker-orin-3";
  def.q          = run->q;
  def.drives     = drives;
  if (page_check(page, lw_arm_run_create(&def, NULL, &arm)) != DONE) return page->status;
  long records = lround(run->duration / run->record);
  for (long i = 0; i <= records && page->status == DONE; ++i)
  {
    if (i > 0 && lw_arm_run_advance(arm, (double)i * run->record, NULL) != LW_OUTCOME_ARRIVED)
      page_fail(page, NUMERICAL, "the run ended before its time");
    lwArmSample now = lw_arm_run_sample(arm);
    sample(context, &now);
  }
  lw_arm_run_destroy(arm);
  return page->status;
}

// --- recording

enum
{
  COLUMNS = 1 + 4 * JOINTS,
  Q       = 1,
  QD      = Q + JOINTS,
  QDD     = QD + JOINTS,
  VOLTAGE = QDD + JOINTS
};

typedef struct JumpRecorder
{
  PageSeries* series;
  Values jumps;  // s, of the voltages
} JumpRecorder;

// Every 25 ms, and every 2 ms around a jump: from 1 ms before it, so that edges are steep.
static bool is_recorded(const JumpRecorder* recorder, double t)
{
  long ms    = lround(1e3 * t);
  bool taken = ms % 25 == 0;
  for (int i = 0; i < recorder->jumps.count; ++i)
  {
    long since = ms - lround(1e3 * recorder->jumps.at[i]);
    taken      = taken || since == -1 || (since >= 0 && since <= 24 && since % 2 == 0);
  }
  return taken;
}

static void record(void* context, const lwArmSample* sample)
{
  const JumpRecorder* recorder = context;
  double row[COLUMNS]          = {sample->t};
  if (!is_recorded(recorder, sample->t)) return;
  memcpy(row + Q, sample->q, JOINTS * sizeof *row);
  memcpy(row + QD, sample->qd, JOINTS * sizeof *row);
  memcpy(row + QDD, sample->qdd, JOINTS * sizeof *row);
  memcpy(row + VOLTAGE, sample->voltage, JOINTS * sizeof *row);
  series_add(recorder->series, row);
}

static void add_panel(Figure* figure, const PageSeries* series, const char* label, int first)
{
  static const char* const joints[JOINTS] = {"joint 1", "joint 2", "joint 3",
                                             "joint 4", "joint 5", "joint 6"};
  Panel* panel                            = &figure->panel[figure->count++];
  *panel = (Panel){.x_label = "t (s)", .y_label = label, .count = JOINTS};
  for (int k = 0; k < JOINTS; ++k)
    panel->curve[k] = (Curve){series, 0, first + k, joints[k], false};
}

// The voltages as steps: each is held until the next row.
static PageSeries* held_voltages(Page* page, const PageSeries* series)
{
  static const char* const columns[] = {"t", "v1", "v2", "v3", "v4", "v5", "v6"};
  PageSeries* steps                  = page_series(page, "voltages", 1 + JOINTS, columns);
  for (size_t i = 0; i < series->rows && steps; ++i)
    for (size_t from = i > 0 ? i - 1 : 0; from <= i; ++from)
    {
      double row[1 + JOINTS] = {series_value(series, i, 0)};
      for (int k = 0; k < JOINTS; ++k) row[1 + k] = series_value(series, from, VOLTAGE + k);
      series_add(steps, row);
    }
  return steps;
}

static void draw_schedule(Page* page, const PageSeries* series)
{
  const PageSeries* voltages = held_voltages(page, series);
  if (!voltages) return;
  Figure figure = {.name    = "schedule",
                   .caption = "The Forward Arm under the voltage schedule: what plot_simulation "
                              "of the document would draw."};
  add_panel(&figure, voltages, "voltage (V)", 1);
  add_panel(&figure, series, "theta (rad)", Q);
  add_panel(&figure, series, "omega (rad/s)", QD);
  add_panel(&figure, series, "alpha (rad/s^2)", QDD);
  page_figure(page, "schedule", &figure);
}

// --- errors of the angles against a run with tolerances

typedef struct SchedulePath
{
  int count;
  double q[400][JOINTS];
  double S;  // J, the energy not accounted for, largest
} SchedulePath;

static void follow_schedule(void* context, const lwArmSample* sample)
{
  SchedulePath* path = context;
  if (path->count < (int)(sizeof path->q / sizeof *path->q))
    memcpy(path->q[path->count++], sample->q, sizeof *path->q);
  path->S = fmax(path->S, fabs(sample->S));
}

static double path_error(const SchedulePath* a, const SchedulePath* b)
{
  double worst = 0;
  for (int i = 0; i < a->count && i < b->count; ++i)
    worst = fmax(worst, largest_difference(JOINTS, a->q[i], b->q[i]));
  return worst;
}

static void measure_schedule(Page* page, SwartzRun run)
{
  SchedulePath fixed = {.count = 0}, truth = {.count = 0};
  run.record = 0.01;
  run_schedule(page, &run, follow_schedule, &fixed);
  run.integrator.method   = "dop853";
  run.integrator.relative = run.integrator.absolute = 1e-12;
  run_schedule(page, &run, follow_schedule, &truth);
  page_measure_one(page, "schedule/accuracy", path_error(&fixed, &truth));
  page_note(
      page, "schedule",
      "Largest energy error along the run (kinetic and potential energy minus the work of the "
      "motors): %.2g J with Kutta's method, %.2g J with tolerances of 1e-12.",
      fixed.S, truth.S);
}

// The schedule of ddarm_voltage.csv, which ddarm_voltage.yaml runs as well; NULL after a failure.
static lwSchedule* make_schedule(Page* page)
{
  lwScheduleDef def    = {.symbol = "v", .width = JOINTS, .between = LW_BETWEEN_HELD};
  lwSchedule* schedule = NULL;
  page_check(page, lw_schedule_read_text("ddarm_voltage.csv", paper_ddarm_voltage_text,
                                         paper_ddarm_voltage_length, &def, NULL, &schedule));
  return schedule;
}

void report_schedule(SwartzStudy* study)
{
  static const char* const columns[COLUMNS] = {
      "t",      "theta1", "theta2", "theta3", "theta4", "theta5", "theta6", "omega1", "omega2",
      "omega3", "omega4", "omega5", "omega6", "alpha1", "alpha2", "alpha3", "alpha4", "alpha5",
      "alpha6", "v1",     "v2",     "v3",     "v4",     "v5",     "v6"};
  Page* page            = study->page;
  double rest[JOINTS]   = {0};
  lwSchedule* schedule  = make_schedule(page);
  JumpRecorder recorder = {NULL, page_data(page, "schedule-jumps")};
  SwartzRun run         = {study->arm.model,
                           schedule,
                           rest,
                           lw_integrator_def(),
                           page_number(page, "schedule-duration"),
                           1e-3};
  run.integrator.method = "kutta3";
  run.integrator.step   = page_number(page, "step");
  page_progress(page, "voltage schedule");
  if (!schedule) return;
  recorder.series = page_series(page, "schedule", COLUMNS, columns);
  run_schedule(page, &run, record, &recorder);
  if (page->status == DONE) measure_schedule(page, run);
  if (page->status == DONE) draw_schedule(page, recorder.series);
  lw_schedule_destroy(schedule);
}
