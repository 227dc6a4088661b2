// SPDX-License-Identifier: MIT
// The round trip: motion --Inverse Arm--> torques --(11)--> voltages
//   --(12), Forward Arm, Kutta--> motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "swartz1982.h"

typedef struct Trip
{
  SwartzStudy* study;
  lwTrajectory* trajectory;
  double duration;  // s
} Trip;

// The voltages that the motion needs at time t, (1) to (11).
static void voltages_at(const Trip* trip, double t, double* voltage)
{
  const SwartzArm* arm = &trip->study->arm;
  double q[JOINTS], qd[JOINTS], qdd[JOINTS], tau[JOINTS];
  lw_trajectory_at(trip->trajectory, t, q, qd, qdd);
  lw_inverse_dynamics(arm->model, arm->ws, q, qd, qdd, tau);
  for (int k = 0; k < JOINTS; ++k)
    voltage[k] = lw_motor_need(arm_motor(arm, k), qd[k], tau[k], 0).voltage;
}

static double deviation(const Trip* trip, double t, const double* q)
{
  double wanted[JOINTS];
  lw_trajectory_at(trip->trajectory, t, wanted, NULL, NULL);
  return largest_difference(JOINTS, q, wanted);
}

// --- by the steps of the document

// How a step is taken: at which point of it voltages are sampled, and which c3.
typedef struct RoundTripWay
{
  double phase;  // 0: at its start, 0.5: at its middle
  bool c3_printed;
} RoundTripWay;

// The largest deviation from the motion, rad.
static double worst_deviation(const Trip* trip, RoundTripWay waypoints, double h)
{
  double q[JOINTS], qd[JOINTS], voltage[JOINTS], worst = 0;
  long steps = lround(trip->duration / h);
  lw_trajectory_at(trip->trajectory, 0, q, qd, NULL);
  for (long i = 0; i < steps; ++i)
  {
    voltages_at(trip, ((double)i + waypoints.phase) * h, voltage);
    kutta_step(&trip->study->arm, waypoints.c3_printed, h, voltage, q, qd);
    worst = fmax(worst, deviation(trip, (double)(i + 1) * h, q));
  }
  return worst;
}

// --- by the library

// Voltages every h seconds, those of `phase` behind the time of each row.
static lwSchedule* voltage_schedule(const Trip* trip, double h, double phase, lwBetween between)
{
  lwScheduleDef def    = {.symbol = "v", .width = JOINTS, .between = between};
  lwSchedule* schedule = NULL;
  long rows            = lround(trip->duration / h) + 1;
  double* times        = calloc((size_t)rows * (1 + JOINTS), sizeof *times);
  lwStatus status      = times ? LW_OK : LW_ERROR_MEMORY;
  for (long i = 0; i < rows && times; ++i)
  {
    times[i] = (double)i * h;
    voltages_at(trip, times[i] + phase * h, times + rows + i * JOINTS);
  }
  if (times) status = lw_schedule_create(&def, rows, times, times + rows, NULL, &schedule);
  page_check(trip->study->page, status);
  free(times);
  return schedule;
}

// The result of a run of the library.
typedef struct Return
{
  const Trip* trip;
  PageSeries* series;  // or NULL
  double worst;        // rad, deviation from the motion
  int count;
  double (*q)[JOINTS];  // of the samples: written, or compared with
  bool compares;
  double difference;  // rad, from q
} Return;

enum
{
  MOMENTS = 401,
  COLUMNS = 2 + 3 * JOINTS
};

static void bring_back(void* context, const lwArmSample* sample)
{
  Return* back        = context;
  double row[COLUMNS] = {sample->t}, off = deviation(back->trip, sample->t, sample->q);
  back->worst = fmax(back->worst, off);
  lw_trajectory_at(back->trip->trajectory, sample->t, row + 1, NULL, NULL);
  memcpy(row + 1 + JOINTS, sample->q, JOINTS * sizeof *row);
  memcpy(row + 1 + 2 * JOINTS, sample->voltage, JOINTS * sizeof *row);
  row[COLUMNS - 1] = off;
  if (back->count % 10 == 0) series_add(back->series, row);
  if (back->q && back->count < MOMENTS)
  {
    double* q = back->q[back->count];
    if (back->compares)
      back->difference = fmax(back->difference, largest_difference(JOINTS, sample->q, q));
    else
      memcpy(q, sample->q, JOINTS * sizeof *q);
  }
  ++back->count;
}

static void run_library(const Trip* trip, const lwModel* model, const lwSchedule* schedule,
                        double h, Return* back)
{
  double q[JOINTS];
  lwIntegratorDef integrator = lw_integrator_def();
  integrator.method          = "kutta3";
  integrator.step            = h;
  lw_trajectory_at(trip->trajectory, 0, q, NULL, NULL);
  SwartzRun run = {model, schedule, q, integrator, trip->duration, trip->duration / (MOMENTS - 1)};
  run_schedule(trip->study->page, &run, bring_back, back);
}

// Voltages on straight lines between the rows.
static double go_linear(const Trip* trip, double h)
{
  Return back          = {.trip = trip};
  lwSchedule* schedule = voltage_schedule(trip, h, 0, LW_BETWEEN_LINEAR);
  if (schedule) run_library(trip, trip->study->arm.model, schedule, h, &back);
  lw_schedule_destroy(schedule);
  return back.worst;
}

// --- over the step

// Columns of the series.
enum
{
  HELD_PRINTED = 1,
  HELD,
  MIDDLE_PRINTED,
  MIDDLE,
  LINEAR
};

static PageSeries* over_steps(const Trip* trip)
{
  static const char* const columns[] = {"h_ms",   "held_c3_printed", "held", "middle_c3_printed",
                                        "middle", "linear"};
  Page* page                         = trip->study->page;
  PageSeries* series                 = page_series(page, "round-trip-steps", 6, columns);
  double first                       = page_number(page, "first-step");
  for (int i = 0; i < (page->quick ? 4 : 7) && page->status == DONE; ++i)
  {
    double h      = first / (double)(1 << i);
    double row[6] = {1e3 * h,
                     worst_deviation(trip, (RoundTripWay){0, true}, h),
                     worst_deviation(trip, (RoundTripWay){0, false}, h),
                     worst_deviation(trip, (RoundTripWay){0.5, true}, h),
                     worst_deviation(trip, (RoundTripWay){0.5, false}, h),
                     go_linear(trip, h)};
    series_add(series, row);
  }
  return series;
}

static void draw_steps(Page* page, const PageSeries* series)
{
  Figure figure = {
      .name    = "round-trip-steps",
      .caption = "Largest deviation of the resulting motion, over the time for which voltages are "
                 "held, which is the integration step.",
      .count   = 1,
      .panel   = {
            {.x_label = "step (ms)",
             .y_label = "deviation (rad)",
             .log_x   = true,
             .log_y   = true,
             .count   = 5,
             .curve   = {{.series = series, .y = HELD_PRINTED, .title = "held, c3 as printed"},
                         {.series = series, .y = HELD, .title = "held"},
                         {.series = series, .y = MIDDLE_PRINTED, .title = "mid-step, c3 as printed"},
                         {.series = series, .y = MIDDLE, .title = "mid-step"},
                         {.series = series, .y = LINEAR, .title = "straight lines"}}}}};
  page_figure(page, "round-trip", &figure);
}

// How deviations fall with the step, and the cause of the first of them.
static void note_steps(const Trip* trip, const PageSeries* series)
{
  Page* page   = trip->study->page;
  double speed = 0, h = page_number(page, "step");
  for (long i = 0; i < lround(trip->duration / h); ++i)
  {
    double qd[JOINTS];
    lw_trajectory_at(trip->trajectory, (double)i * h, NULL, qd, NULL);
    speed = fmax(speed, largest(JOINTS, qd));
  }
  page_note(
      page, "round-trip",
      "A delay of half a step at the highest joint speed, %.3g rad/s, is %.3g rad: this explains "
      "the whole deviation with held voltages, c3 corrected. The deviations fall with the power "
      "%.2f of the step (held), %.2f (held, sampled at mid-step) and %.2f (straight lines between "
      "the voltages).",
      speed, speed * h / 2, order_of(series, HELD), order_of(series, MIDDLE),
      order_of(series, LINEAR));
}

// --- at the step of the document

static void draw_trip(Page* page, const PageSeries* series)
{
  static const char* const joints[JOINTS] = {"joint 1", "joint 2", "joint 3",
                                             "joint 4", "joint 5", "joint 6"};
  Figure figure                           = {.name    = "round-trip",
                                             .caption = "From the motion to voltages and back: the voltages of the Inverse "
                                                                                  "Arm, the desired motion (lines) and the resulting one (points), and "
                                                                                  "their difference.",
                                             .count   = 3,
                                             .panel   = {{.x_label = "t (s)", .y_label = "voltage (V)", .count = JOINTS},
                                                         {.x_label = "t (s)", .y_label = "theta (rad)", .count = 2 * JOINTS},
                                                         {.x_label = "t (s)",
                                                          .y_label = "deviation (rad)",
                                                          .count   = 1,
                                                          .curve   = {{series, 0, COLUMNS - 1, "largest", false}}}}};
  for (int k = 0; k < JOINTS; ++k)
  {
    figure.panel[0].curve[k]          = (Curve){series, 0, 1 + 2 * JOINTS + k, joints[k], false};
    figure.panel[1].curve[k]          = (Curve){series, 0, 1 + k, joints[k], false};
    figure.panel[1].curve[JOINTS + k] = (Curve){series, 0, 1 + JOINTS + k, "", true};
  }
  page_figure(page, "round-trip", &figure);
}

// The same voltages on motors with an inductance: the electrical time constant in s, the change of
// the motion in rad.
static double with_inductance(const Trip* trip, const lwSchedule* schedule, double constant,
                              Return* back)
{
  Page* page       = trip->study->page;
  lwRobotDef robot = *arm_robot(&trip->study->arm);
  lwModel* model   = NULL;
  lwJointDef joints[JOINTS];
  for (int k = 0; k < JOINTS; ++k)
  {
    joints[k]                  = robot.joints[k];
    joints[k].motor.inductance = constant * joints[k].motor.resistance;
  }
  robot.joints = joints;
  robot.places = NULL;
  back->count = 0, back->compares = true, back->difference = 0, back->series = NULL;
  if (page_check(page, lw_model_create(&robot, NULL, NULL, &model)) == DONE)
    run_library(trip, model, schedule, page_number(page, "step") / 4, back);
  lw_model_destroy(model);
  return back->difference;
}

static void note_inductance(const Trip* trip, const lwSchedule* schedule, Return* back)
{
  static const double constants[] = {0.3e-3, 1e-3, 3e-3};
  PaperText text                  = {.length = 0};
  text_add(&text, "The document neglects the inductance of the motors and prints none. With "
                  "inductance, the same voltages change the motion by:\n\n"
                  "| electrical time constant, ms | largest change of an angle, rad |\n"
                  "|---:|---:|\n");
  for (int i = 0; i < 3; ++i)
    text_add(&text, "| %g | %.2g |\n", 1e3 * constants[i],
             with_inductance(trip, schedule, constants[i], back));
  text_note(trip->study->page, "round-trip", &text);
}

static void at_the_step(const Trip* trip)
{
  static const char* const columns[COLUMNS] = {
      "t",      "wanted1", "wanted2", "wanted3", "wanted4", "wanted5",  "wanted6",
      "theta1", "theta2",  "theta3",  "theta4",  "theta5",  "theta6",   "v1",
      "v2",     "v3",      "v4",      "v5",      "v6",      "deviation"};
  Page* page = trip->study->page;
  double h   = page_number(page, "step");
  double q[MOMENTS][JOINTS];
  double held[2]   = {worst_deviation(trip, (RoundTripWay){0, true}, h),
                      worst_deviation(trip, (RoundTripWay){0, false}, h)};
  double middle[2] = {worst_deviation(trip, (RoundTripWay){0.5, true}, h),
                      worst_deviation(trip, (RoundTripWay){0.5, false}, h)};
  page_measure(page, "round-trip/held", 2, held);
  page_measure(page, "round-trip/middle", 2, middle);

  Return back          = {.trip = trip, .q = q};
  lwSchedule* schedule = voltage_schedule(trip, h, 0.5, LW_BETWEEN_HELD);
  back.series          = page_series(page, "round-trip", COLUMNS, columns);
  if (schedule) run_library(trip, trip->study->arm.model, schedule, h, &back);
  page_require(page, "the library's round trip against this one", fabs(back.worst - middle[1]),
               1e-9);
  if (back.series) draw_trip(page, back.series);
  if (schedule && page->status == DONE) note_inductance(trip, schedule, &back);
  lw_schedule_destroy(schedule);
}

static lwStatus make_motion(Trip* trip)
{
  Page* page   = trip->study->page;
  Values times = page_data(page, "motion-times"), points = page_data(page, "motion-points");
  lwWaypointsDef waypoints = lw_waypoints_def();
  waypoints.count          = times.count;
  waypoints.t              = times.at;
  waypoints.q              = points.at;
  if (points.count != JOINTS * times.count) return LW_ERROR_INPUT;
  lwDiag* diag = lw_diag_create();
  lwStatus status =
      lw_trajectory_create_quintic(trip->study->arm.model, &waypoints, diag, &trip->trajectory);
  if (diag) errors_print(diag);
  lw_diag_destroy(diag);
  if (status == LW_OK) trip->duration = lw_trajectory_duration(trip->trajectory);
  return status;
}

void report_round_trip(SwartzStudy* study)
{
  Trip trip = {.study = study};
  page_progress(study->page, "round trip");
  if (page_check(study->page, make_motion(&trip)) == DONE)
  {
    at_the_step(&trip);
    PageSeries* series = over_steps(&trip);
    if (study->page->status == DONE) note_steps(&trip, series);
    if (study->page->status == DONE) draw_steps(study->page, series);
  }
  lw_trajectory_destroy(trip.trajectory);
}
