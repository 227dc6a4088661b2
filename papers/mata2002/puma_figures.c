// SPDX-License-Identifier: MIT
// Figures of mata2002, 5.2.
#include <string.h>

#include "block_diagram.h"
#include "puma.h"
#include "words.h"

static const char* const ANGLES[] = {"q1", "q2", "q3", "q4", "q5", "q6"};

// --- figure 3: initial and final position, trajectory

// Origin of the frame of joint i, m, base frame; i = 0 is the base.
static void origin_of(Page* page, const Puma* puma, int i, const double* q, double p[3])
{
  double R[9];
  lwFrame frame = {.joint = i > 0 ? i - 1 : LW_BASE};
  page_check(page, lw_workspace_set_frame(puma->ws, puma->model, &frame, NULL));
  lw_pose(puma->model, puma->ws, q, p, R);
  page_check(page, lw_workspace_set_frame(puma->ws, puma->model, NULL, NULL));
}

static PageSeries* tabulate_arm(Page* page, const Puma* puma)
{
  static const char* const columns[] = {"joint", "x_start", "y_start", "z_start",
                                        "x_end", "y_end",   "z_end"};
  const lwTrajectory* trajectory     = puma->trajectory[BY_DURATION];
  double end[PUMA_JOINTS];
  PageSeries* series = page_series(page, "puma-arm", 7, columns);
  lw_trajectory_at(trajectory, lw_trajectory_duration(trajectory), end, NULL, NULL);
  for (int i = 0; i <= PUMA_JOINTS && page->status == DONE; ++i)
  {
    double row[7] = {i};
    origin_of(page, puma, i, puma->q, row + 1);
    origin_of(page, puma, i, end, row + 4);
    series_add(series, row);
  }
  return series;
}

static PageSeries* tabulate_line(Page* page, const Puma* puma)
{
  static const char* const columns[] = {"x", "y", "z"};
  PageSeries* series                 = page_series(page, "puma-line", 3, columns);
  series_add(series, puma->from);
  series_add(series, puma->to);
  return series;
}

static Panel view(const PageSeries* arm, const PageSeries* line, int vertical, const char* title)
{
  return (Panel){.title   = title,
                 .equal   = true,
                 .x_label = "x (m)",
                 .y_label = vertical == 2 ? "z (m)" : "y (m)",
                 .count   = 3,
                 .curve   = {{arm, 1, 1 + vertical, "start", false},
                             {arm, 4, 4 + vertical, "end", false},
                             {line, 0, vertical, "path of the hand", false}}};
}

static void draw_arm(Page* page, const Puma* puma)
{
  const PageSeries* arm  = tabulate_arm(page, puma);
  const PageSeries* line = tabulate_line(page, puma);
  if (page->status != DONE) return;
  page_figure(page, "path",
              &(Figure){"puma-arm",
                        "Figure 3: the arm from joint to joint at the start and at the end, and "
                        "the path of the hand.",
                        2,
                        {view(arm, line, 2, "from the side"), view(arm, line, 1, "from above")}});
}

// The same as a drawing, with the links between the joints.
static void draw_puma(Page* page, const Puma* puma)
{
  const lwTrajectory* trajectory = puma->trajectory[BY_DURATION];
  double poses[2][PUMA_JOINTS], path[2][3];
  lw_trajectory_at(trajectory, lw_trajectory_duration(trajectory), poses[1], NULL, NULL);
  memcpy(poses[0], puma->q, sizeof poses[0]);
  memcpy(path[0], puma->from, sizeof path[0]);
  memcpy(path[1], puma->to, sizeof path[1]);
  page_drawing(
      page, "path", "figure-3",
      "Figure 3: the arm at the start (pale) and at the end of the "
      "line that its hand follows.",
      &(lwDrawing){
          .model = puma->model, .count = 2, .poses = poses[0], .path = path[0], .path_count = 2});
}

// --- the motion and its torques

enum
{
  MOTION_POINTS  = 100,
  MOTION_COLUMNS = 1 + 2 * PUMA_JOINTS
};

static void draw_motion(Page* page, const Puma* puma)
{
  static const char* const columns[MOTION_COLUMNS] = {
      "t", "q1", "q2", "q3", "q4", "q5", "q6", "tau1", "tau2", "tau3", "tau4", "tau5", "tau6"};
  double duration    = lw_trajectory_duration(puma->trajectory[BY_DURATION]);
  PageSeries* series = page_series(page, "puma-motion", MOTION_COLUMNS, columns);
  for (int k = 0; k < MOTION_POINTS; ++k)
  {
    double row[MOTION_COLUMNS] = {duration * k / MOTION_POINTS};
    lw_trajectory_at(puma->trajectory[BY_DURATION], row[0], row + 1, NULL, NULL);
    puma_torques(puma, BY_DURATION, row[0], row + 1 + PUMA_JOINTS);
    series_add(series, row);
  }
  Panel angles  = {.title = "inverse kinematics", .x_label = "t (s)", .y_label = "q (rad)"};
  Panel torques = {.title = "inverse dynamics", .x_label = "t (s)", .y_label = "tau (N m)"};
  Panel small   = torques;  // of the joints that carry no weight
  for (int i = 0; i < PUMA_JOINTS; ++i)
  {
    Panel* panel                 = i == 1 || i == 2 ? &torques : &small;
    angles.curve[angles.count++] = (Curve){series, 0, 1 + i, NULL, false};
    panel->curve[panel->count++] = (Curve){series, 0, 1 + PUMA_JOINTS + i, NULL, false};
  }
  if (!series) return;
  page_figure(
      page, "path",
      &(Figure){"puma-motion",
                "Joint angles along the line in the printed time, and the torques of this "
                "motion for the arm of Armstrong, Khatib and Burdick: joints 2 and 3, which "
                "carry the weight, and the others.",
                3,
                {angles, torques, small}});
}

// --- differences

static PageSeries* tabulate_errors(Page* page, const char* name, double interval,
                                   const PumaRun* run)
{
  const char* columns[1 + PUMA_JOINTS] = {"t"};
  for (int i = 0; i < PUMA_JOINTS; ++i) columns[1 + i] = ANGLES[i];
  PageSeries* series = page_series(page, name, 1 + PUMA_JOINTS, columns);
  for (int k = 0; k < run->samples; ++k)
  {
    double row[1 + PUMA_JOINTS] = {(k + 1) * interval};
    memcpy(row + 1, run->error[k], PUMA_JOINTS * sizeof *row);
    series_add(series, row);
  }
  return series;
}

static Panel difference_panel(const PageSeries* series, const char* title)
{
  Panel panel = {.title   = title,
                 .x_label = "t (s)",
                 .y_label = "difference of q (rad)",
                 .log_y   = true,
                 .scale   = 1};
  for (int i = 0; i < PUMA_JOINTS; ++i)
    panel.curve[panel.count++] = (Curve){series, 0, 1 + i, NULL, false};
  return panel;
}

static void draw_errors(Page* page, const Puma* puma, const PumaRun* by_duration,
                        const PumaRun* by_speed)
{
  const PageSeries* slow = tabulate_errors(page, "puma-errors-time", puma->interval, by_duration);
  const PageSeries* fast = tabulate_errors(page, "puma-errors-speed", puma->interval, by_speed);
  if (page->status != DONE) return;
  page_figure(page, "table-6",
              &(Figure){"puma-errors",
                        "Difference between the integrated angles and those of inverse kinematics.",
                        2,
                        {difference_panel(slow, "in the printed time"),
                         difference_panel(fast, "with the printed speed")}});
}

// --- other tolerances

static void draw_tolerances(Page* page, Puma* puma)
{
  static const char* const columns[] = {"tolerance", "evaluations", "mean_difference"};
  Values tried                       = page_data(page, "tolerances-tried");
  PageSeries* series                 = page_series(page, "puma-tolerance", 3, columns);
  for (int k = 0; k < tried.count && page->status == DONE; ++k)
  {
    PumaRun run;
    RunDef def = {BY_DURATION, "gibbs-appell", tried.at[k], TORQUES_EXACT};
    puma_run(page, puma, &def, &run);
    series_add(series,
               (double[]){tried.at[k], (double)run.evaluations, largest(PUMA_JOINTS, run.mean[0])});
  }
  if (page->status != DONE || !series || series->rows == 0) return;
  size_t last = series->rows - 1;
  page_note(page, "table-6",
            "A tighter tolerance helps: with %.0e the largest average difference is %.1e rad after "
            "%.0f evaluations.",
            series_value(series, last, 0), series_value(series, last, 2),
            series_value(series, last, 1));
  page_figure(page, "table-6",
              &(Figure){"puma-tolerance",
                        "Effect of the integration tolerance: the average difference of the "
                        "worst joint, and the number of evaluations.",
                        2,
                        {{.x_label = "tolerance",
                          .y_label = "average difference of q (rad)",
                          .log_x   = true,
                          .log_y   = true,
                          .count   = 1,
                          .curve   = {{series, 0, 2, "largest of six", false}}},
                         {.x_label = "tolerance",
                          .y_label = "evaluations",
                          .log_x   = true,
                          .log_y   = true,
                          .count   = 1,
                          .curve   = {{series, 0, 1, "forward dynamics", false}}}}});
}

// Figure 4: what drives the simulation, and what is compared.
static void draw_procedure(Page* page)
{
  static const double start[][2] = {{-1.4, 0}, {0, 0}}, motion[][2] = {{3, 0}, {5.2, 0}},
                      torque[][2] = {{8.2, 0}, {10.1, 0}}, run[][2] = {{13.1, 0}, {15.8, 0}},
                      compared[][2] = {{4.8, 0}, {4.8, -1.7}, {10.1, -1.7}},
                      found[][2]    = {{15.4, 0}, {15.4, -1.7}, {13.1, -1.7}},
                      out[][2]      = {{11.6, -2.1}, {11.6, -3}};
  static const struct
  {
    double at[3];
    const char* text;
  } labels[]    = {{{-1.4, 0.2, 0}, "line"},
                   {{3.1, 0.2, 0}, "q, qd, qdd"},
                   {{8.3, 0.2, 0}, "torque"},
                   {{13.2, 0.2, 0}, "q*, qd*, qdd*"},
                   {{11.8, -2.9, 0}, "Table 6"}};
  lwScene scene = {.plain = true};
  lw_view_named("top", &scene.view);
  draw_block(&scene, 1.5, 0, 3, "inverse kinematics");
  draw_block(&scene, 6.7, 0, 3, "inverse dynamics");
  draw_block(&scene, 11.6, 0, 3, "D, bias, integration");
  draw_block(&scene, 11.6, -1.7, 3, "difference");
  draw_signal(&scene, start, 2, NULL);
  draw_signal(&scene, motion, 2, NULL);
  draw_signal(&scene, torque, 2, NULL);
  draw_signal(&scene, run, 2, NULL);
  draw_signal(&scene, compared, 3, NULL);
  draw_signal(&scene, found, 3, NULL);
  draw_signal(&scene, out, 2, NULL);
  for (size_t k = 0; k < sizeof labels / sizeof *labels; ++k)
    lw_scene_mark(&scene, LW_MARK_NAMES, LW_MARK_LABEL, "n", labels[k].at, NULL, labels[k].text);
  if (scene.failed) page_check(page, LW_ERROR_MEMORY);
  page_drawing(page, "table-6", "figure-4",
               "Figure 4: the procedure. The star marks what the integration finds; no measured "
               "motion is fed back.",
               &(lwDrawing){.scene = &scene, .title = "Block diagram of the procedure"});
  lw_scene_free(&scene);
}

void puma_figures(Page* page, Puma* puma, const PumaRun* by_duration, const PumaRun* by_speed)
{
  draw_procedure(page);
  draw_puma(page, puma);
  draw_arm(page, puma);
  draw_motion(page, puma);
  draw_errors(page, puma, by_duration, by_speed);
  draw_tolerances(page, puma);
}
