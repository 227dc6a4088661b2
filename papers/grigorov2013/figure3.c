// SPDX-License-Identifier: MIT
// Figure 3: positions, velocities and accelerations of all joints,
// polynomials of third order through three points.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grigorov2013.h"

enum
{
  SAMPLES = 241,
  COLUMNS = 1 + 3 * JOINTS + 1  // t, q, qd, qdd, tilt
};

// Tilt of the load: the angle between its z axis and the vertical.
static double tilt_of(const Manipulator* manipulator, const double* q)
{
  double p[3], R[9];
  lw_pose(manipulator->model, manipulator->usual, q, p, R);
  return atan2(hypot(R[2], R[5]), R[8]);
}

static double largest_tilt(const Manipulator* manipulator, const lwTrajectory* trajectory)
{
  double most = 0, q[JOINTS], duration = lw_trajectory_duration(trajectory);
  for (int k = 0; k < SAMPLES; ++k)
  {
    lw_trajectory_at(trajectory, duration * k / (SAMPLES - 1), q, NULL, NULL);
    most = fmax(most, tilt_of(manipulator, q));
  }
  return most;
}

static PageSeries* sample_trajectory(Page* page, const Manipulator* manipulator)
{
  static const char* const columns[COLUMNS] = {"t",    "q1",   "q2",   "q3",   "q4",  "q5",
                                               "qd1",  "qd2",  "qd3",  "qd4",  "qd5", "qdd1",
                                               "qdd2", "qdd3", "qdd4", "qdd5", "tilt"};
  PageSeries* series                        = page_series(page, "figure-3", COLUMNS, columns);
  for (int k = 0; k < SAMPLES; ++k)
  {
    double row[COLUMNS];
    row[0] = lw_trajectory_duration(manipulator->trajectory) * k / (SAMPLES - 1);
    lw_trajectory_at(manipulator->trajectory, row[0], row + 1, row + 1 + JOINTS,
                     row + 1 + 2 * JOINTS);
    row[COLUMNS - 1] = tilt_of(manipulator, row + 1);
    series_add(series, row);
  }
  return series;
}

// Speed of the load's centre of mass, m/s.
static double load_speed(const Manipulator* manipulator, double t)
{
  double q[JOINTS], qd[JOINTS], J[6 * JOINTS], v[3] = {0};
  lw_trajectory_at(manipulator->trajectory, t, q, qd, NULL);
  lw_jacobian(manipulator->model, manipulator->usual, q, J);
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < JOINTS; ++k) v[r] += J[r * JOINTS + k] * qd[k];
  return hypot(hypot(v[0], v[1]), v[2]);
}

static void measure_middle(Page* page, const Manipulator* manipulator)
{
  double mean = 0, duration = lw_trajectory_duration(manipulator->trajectory);
  for (int k = 0; k < SAMPLES; ++k)
    mean += load_speed(manipulator, duration * k / (SAMPLES - 1)) / SAMPLES;
  double middle = load_speed(manipulator, manipulator->t[1]);
  page_note(
      page, "figure-3",
      "The load passes the middle point at %.3f m/s; over the whole path it moves at %.3f m/s on "
      "average.",
      middle, mean);
}

static void measure_points(Page* page, const Manipulator* manipulator)
{
  double position = 0, angle = 0;
  for (int k = 0; k < POINTS; ++k)
  {
    position = fmax(position, manipulator->reached[k].position_error);
    angle    = fmax(angle, manipulator->reached[k].angle_error);
  }
  page_require(page, "inverse kinematics of the points, m", position, 1e-8);
  page_require(page, "inverse kinematics of the points, rad", angle, 1e-8);
}

// The load is horizontal where q2 + q3 + q4 = 0.
// A spline that is linear in its waypoints preserves this sum.
static void measure_tilt(Page* page, const Manipulator* manipulator)
{
  static const struct
  {
    lwJoin join;
    const char* name;
  } joins[]       = {{LW_JOIN_NATURAL, "natural ends (zero acceleration)"},
                     {LW_JOIN_AVERAGE, "mean slope at the middle point, "
                                             "zero where a joint reverses"}};
  PaperText lines = {0};
  page_measure_one(page, "figure-3/horizontal", largest_tilt(manipulator, manipulator->trajectory));
  text_add(
      &lines,
      "\"Third order\" does not say how the two pieces join. Here velocity and acceleration are "
      "continuous and the arm is at rest at both ends. Other choices tilt the load by at most:\n");
  for (size_t k = 0; k < sizeof joins / sizeof *joins; ++k)
  {
    lwTrajectory* trajectory = manipulator_move(manipulator, page, joins[k].join);
    if (trajectory)
      text_add(&lines, "\n- %s: %.2g degrees", joins[k].name,
               largest_tilt(manipulator, trajectory) * 180 / acos(-1));
    lw_trajectory_destroy(trajectory);
  }
  page_note(page, "figure-3", "%s", lines.at);
}

static void draw_figure3(Page* page, const PageSeries* series)
{
  static const char* const labels[3] = {"position (rad)", "velocity (rad/s)",
                                        "acceleration (rad/s^2)"};
  Figure figure                      = {
                           .name    = "figure-3",
                           .caption = "Figure 3 of the document with the invented dimensions: positions, velocities and "
                                                           "accelerations of the five joints",
                           .count   = 3};
  for (int p = 0; p < 3; ++p)
  {
    figure.panel[p] = (Panel){.x_label = "t (s)", .y_label = labels[p], .count = JOINTS};
    for (int k = 0; k < JOINTS; ++k)
      figure.panel[p].curve[k] = (Curve){series, 0, 1 + p * JOINTS + k, JOINT_TITLES[k], false};
  }
  page_figure(page, "figure-3", &figure);
}

void write_figure3(Page* page, const Manipulator* manipulator)
{
  const PageSeries* series = sample_trajectory(page, manipulator);
  measure_points(page, manipulator);
  measure_middle(page, manipulator);
  measure_tilt(page, manipulator);
  if (page->status == DONE) draw_figure3(page, series);
}
