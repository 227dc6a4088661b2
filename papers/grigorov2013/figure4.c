// SPDX-License-Identifier: MIT
// Figure 4: driving torques of joints 2 to 4 along the trajectory of figure 3, by (13) solved for
// the torques, and by (12) with erratum 4-9 as printed.
#include <math.h>
#include <string.h>

#include "grigorov2013.h"
#include "grigorov_literal.h"

enum
{
  SAMPLES = 241,
  FIRST   = 1,  // joints 2 to 4
  SHOWN   = 3,
  COLUMNS = 1 + JOINTS + SHOWN  // t, tau, tau of (12) as printed
};

// The trajectory at a time, and its torques.
typedef struct Instant
{
  double t, q[JOINTS], qd[JOINTS], qdd[JOINTS];
  double tau[JOINTS];         // (13), closed form of the library
  double usual[JOINTS];       // recursive Newton-Euler
  double alone[JOINTS];       // (12) literally, corrected, each joint by itself
  double as_printed[JOINTS];  // (12) literally, as printed
} Instant;

typedef struct FigureTorques
{
  const Manipulator* manipulator;
  LiteralArm *corrected, *printed;
  double peak[JOINTS];              // N m
  double usual_error[JOINTS];       // N m, largest
  double alone_error[JOINTS];       // N m
  double as_printed_error[JOINTS];  // N m
  lwSizing sizing[JOINTS];
} FigureTorques;

static Instant instant_at(const FigureTorques* torques, double t)
{
  const Manipulator* manipulator = torques->manipulator;
  Instant at                     = {.t = t};
  lwStates state                 = {.q = at.q, .qd = at.qd, .qdd = at.qdd};
  lw_trajectory_at(manipulator->trajectory, t, at.q, at.qd, at.qdd);
  lw_answer(manipulator->model, manipulator->closed_form, LW_QUESTION_INVERSE, &state, at.tau);
  lw_answer(manipulator->model, manipulator->usual, LW_QUESTION_INVERSE, &state, at.usual);
  literal_move(torques->corrected, &state);
  literal_move(torques->printed, &state);
  for (int j = JOINTS - 1; j >= 0; --j)
  {
    at.alone[j]      = literal_torque(torques->corrected, EQUATION_12, j);
    at.as_printed[j] = literal_torque(torques->printed, EQUATION_12, j);
  }
  return at;
}

static void note_instant(FigureTorques* torques, const Instant* at)
{
  const lwRobotDef* robot = lw_model_robot(torques->manipulator->model);
  for (int j = 0; j < JOINTS; ++j)
  {
    lwJointSample sample = {at->t, at->q[j], at->qd[j], at->qdd[j], at->tau[j]};
    lw_sizing_add(&torques->sizing[j], &robot->joints[j], &sample);
    torques->peak[j]        = fmax(torques->peak[j], fabs(at->tau[j]));
    torques->usual_error[j] = fmax(torques->usual_error[j], fabs(at->usual[j] - at->tau[j]));
    torques->alone_error[j] = fmax(torques->alone_error[j], fabs(at->alone[j] - at->usual[j]));
    torques->as_printed_error[j] =
        fmax(torques->as_printed_error[j], fabs(at->as_printed[j] - at->usual[j]));
  }
}

static PageSeries* sample_torques(Page* page, FigureTorques* torques)
{
  static const char* const columns[COLUMNS] = {
      "t", "tau1", "tau2", "tau3", "tau4", "tau5", "tau2_printed", "tau3_printed", "tau4_printed"};
  PageSeries* series = page_series(page, "figure-4", COLUMNS, columns);
  double duration    = lw_trajectory_duration(torques->manipulator->trajectory);
  for (int k = 0; k < SAMPLES; ++k)
  {
    Instant at          = instant_at(torques, duration * k / (SAMPLES - 1));
    double row[COLUMNS] = {at.t};
    memcpy(row + 1, at.tau, sizeof at.tau);
    memcpy(row + 1 + JOINTS, at.as_printed + FIRST, SHOWN * sizeof *row);
    note_instant(torques, &at);
    series_add(series, row);
  }
  for (int j = 0; j < JOINTS; ++j)
    lw_sizing_end(&torques->sizing[j], &lw_model_robot(torques->manipulator->model)->joints[j]);
  return series;
}

// --- energy balance: the work of the torques is the gain of energy

static double power_at(const FigureTorques* torques, double t)
{
  Instant at   = instant_at(torques, t);
  double power = 0;
  for (int j = 0; j < JOINTS; ++j) power += at.tau[j] * at.qd[j];
  return power;
}

// Simpson's rule on one leg, where everything is smooth.
static double work_of_leg(const FigureTorques* torques, double from, double to)
{
  enum
  {
    INTERVALS = 200
  };
  double h = (to - from) / INTERVALS, sum = 0;
  for (int k = 0; k <= INTERVALS; ++k)
  {
    double weight = k == 0 || k == INTERVALS ? 1 : k % 2 ? 4 : 2;
    sum += weight * power_at(torques, from + k * h);
  }
  return sum * h / 3;
}

static double energy_at(const FigureTorques* torques, double t)
{
  const Manipulator* manipulator = torques->manipulator;
  double q[JOINTS], qd[JOINTS], kinetic, potential;
  lw_trajectory_at(manipulator->trajectory, t, q, qd, NULL);
  lw_energy(manipulator->model, manipulator->usual, q, qd, &kinetic, &potential);
  return kinetic + potential;
}

// Up to the middle point, where the arm is moving, so that kinetic energy counts as well.
static void measure_energy(Page* page, const FigureTorques* torques)
{
  const double* t = torques->manipulator->t;
  double work     = work_of_leg(torques, t[0], t[1]);
  double gain     = energy_at(torques, t[1]) - energy_at(torques, t[0]);
  page_measure_one(page, "verification/energy", fabs(work - gain) / fabs(gain));
  page_note(page, "verification",
            "Up to the middle point the torques do %.6g J of work; kinetic and potential energy "
            "increase by %.6g J.",
            work, gain);
}

// --- the page

static void write_claims(Page* page, const FigureTorques* torques)
{
  double agreement[SHOWN], alone[SHOWN];
  PaperText lines = {0};
  for (int k = 0; k < SHOWN; ++k)
  {
    int j        = FIRST + k;
    agreement[k] = torques->usual_error[j] / torques->peak[j];
    alone[k]     = torques->alone_error[j] / torques->peak[j];
    text_add(&lines, "%s%.0f %% of the largest for joint %d", k ? ", " : "",
             100 * torques->as_printed_error[j] / torques->peak[j], j + 1);
  }
  page_measure(page, "figure-4/torques", SHOWN, agreement);
  page_measure(page, "figure-4/alone", SHOWN, alone);
  page_note(
      page, "figure-4",
      "As printed, (12) misses the torques by up to %s: C_VC is not turned into the frame of "
      "the joint (erratum 4-9). The lower bound of its sums is read as l, not as the 1 of our "
      "copy (erratum 4-7).",
      lines.at);
}

static void write_sizing(Page* page, const FigureTorques* torques)
{
  PaperText lines = {0};
  text_add(&lines,
           "The document mentions the design of drives as a use of figure 4. For the invented "
           "dimensions:\n\n"
           "| joint | peak torque (N m) | at t (s) | rms torque (N m) | peak power (W) "
           "|\n|---|---:|---:|---:|---:|");
  for (int j = 0; j < JOINTS; ++j)
  {
    const lwSizing* sizing = &torques->sizing[j];
    text_add(&lines, "\n| %d, %s | %.0f | %.2f | %.0f | %.0f |", j + 1,
             joint_name(torques->manipulator->model, j), sizing->sums[LW_LOAD_TORQUE].peak,
             sizing->sums[LW_LOAD_TORQUE].peak_time, lw_sizing_rms(sizing, LW_LOAD_TORQUE),
             sizing->sums[LW_LOAD_POWER].peak);
  }
  page_note(page, "figure-4", "%s", lines.at);
}

static void draw_figure4(Page* page, const PageSeries* series)
{
  Figure figure = {
      .name    = "figure-4",
      .caption = "Figure 4 of the document with the invented dimensions: driving torques of joints "
                 "2 to 4 by the corrected equations, and by (12) without the rotation of C_VC "
                 "(erratum 4-9)",
      .count   = SHOWN};
  for (int p = 0; p < SHOWN; ++p)
  {
    figure.panel[p]          = (Panel){.title   = JOINT_TITLES[FIRST + p],
                                       .x_label = "t (s)",
                                       .y_label = "torque (N m)",
                                       .count   = 2};
    figure.panel[p].curve[0] = (Curve){series, 0, 1 + FIRST + p, "corrected", false};
    figure.panel[p].curve[1] = (Curve){series, 0, 1 + JOINTS + p, "C_VC as printed", false};
  }
  page_figure(page, "figure-4", &figure);
}

void write_figure4(Page* page, const Manipulator* manipulator)
{
  FigureTorques torques   = {.manipulator = manipulator};
  const lwRobotDef* robot = lw_model_robot(manipulator->model);
  page_check(page, literal_create(robot, 0, &torques.corrected));
  page_check(page, literal_create(robot, PRINTED_ARM, &torques.printed));
  if (page->status == DONE)
  {
    const PageSeries* series = sample_torques(page, &torques);
    write_claims(page, &torques);
    write_sizing(page, &torques);
    measure_energy(page, &torques);
    if (page->status == DONE) draw_figure4(page, series);
  }
  literal_destroy(torques.corrected);
  literal_destroy(torques.printed);
}
