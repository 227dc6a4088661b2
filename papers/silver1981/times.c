// SPDX-License-Identifier: MIT
// Times of the ladder on this machine, and the figure of operations and times.
#include <math.h>
#include <stdio.h>

#include "measure.h"
#include "silver1981.h"

enum
{
  CHAINS     = 9,
  QUICK_LAST = 6,  // chains of so many joints at most
  COLUMNS    = 1 + RUNG_COUNT
};

static const int JOINTS[CHAINS] = {1, 2, 3, 4, 6, 8, 12, 16, 24};

static const char* const TITLES[RUNG_COUNT] = {
    "Uicker, Kahn (1.2)", "Hollerbach, 4x4", "Hollerbach, 3x3", "Lagrange, omega", "Newton-Euler"};

// ns per state of every rung on a chain, all measured in turn.
static void race_chain(Page* page, int n, double ns[RUNG_COUNT])
{
  const BenchLimits limits      = {.seconds = page->quick ? 0.02 : 1.5, .call = 1};
  BenchTrial trials[RUNG_COUNT] = {{.model = NULL}};
  lwModel* model                = NULL;
  page_check(page, lw_model_create_generic(n, &model));
  for (int r = 0; r < RUNG_COUNT; ++r)
    trials[r] = (BenchTrial){.model     = model,
                             .method    = lw_method_find(LW_QUESTION_INVERSE, RUNGS[r]),
                             .precision = LW_PRECISION_DOUBLE,
                             .mode      = TRIAL_SINGLE};
  if (page->status == DONE) page_check(page, bench_run(&limits, RUNG_COUNT, trials));
  for (int r = 0; r < RUNG_COUNT; ++r) ns[r] = trials[r].best;
  lw_model_destroy(model);
}

static void note_six(Page* page, const double ns[RUNG_COUNT])
{
  double rate   = page_number(page, "control-rate");
  double direct = 1e-9 * ns[RUNG_DIRECT];
  page_measure_one(page, "direct/seconds", direct);
  page_note(
      page, "direct",
      "On the machine of this run the direct evaluation takes %.3g ms for six links. The memo asks "
      "for %g Hz: the direct evaluation reaches %.0f times that rate, `newton-euler` %.0f times.",
      1e3 * direct, rate, 1 / (direct * rate), 1e9 / (ns[RUNG_NEWTON_EULER] * rate));
  page_note(
      page, "growth",
      "Six links take %.3g, %.3g, %.3g, %.3g and %.3g µs on the machine of this run, from the "
      "direct evaluation down to `newton-euler`.",
      1e-3 * ns[0], 1e-3 * ns[1], 1e-3 * ns[2], 1e-3 * ns[3], 1e-3 * ns[4]);
}

static Panel ladder_panel(const PageSeries* series, const char* title, const char* y_label)
{
  Panel panel = {.title   = title,
                 .x_label = "joints n",
                 .y_label = y_label,
                 .log_x   = true,
                 .log_y   = true,
                 .count   = RUNG_COUNT};
  for (int r = 0; r < RUNG_COUNT; ++r)
    panel.curve[r] = (Curve){.series = series, .x = 0, .y = 1 + r, .title = TITLES[r]};
  return panel;
}

static void draw_ladder(Page* page, const PageSeries* operations, const PageSeries* times)
{
  Figure figure = {
      .name    = "ladder",
      .caption = "Operations (multiplications and additions executed) and time of one evaluation "
                 "of all torques, over the number of joints",
      .count   = 2,
      .panel   = {ladder_panel(operations, "operations of one evaluation", "operations (1)"),
                  ladder_panel(times, "time of one evaluation, best of several", "time (ns)")}};
  Panel* counts = &figure.panel[0];
  counts->curve[counts->count++] =
      (Curve){.series = operations, .x = 0, .y = COLUMNS, .title = "Luh, as of 1979"};
  counts->curve[counts->count++] =
      (Curve){.series = operations, .x = 0, .y = COLUMNS + 1, .title = "(3.12), sums as printed"};
  page_figure(page, "growth", &figure);
}

void silver_times(Page* page, const PageSeries* operations)
{
  static const char* const columns[COLUMNS] = {"n",
                                               "ns_uicker_kahn",
                                               "ns_hollerbach_4x4",
                                               "ns_hollerbach_3x3",
                                               "ns_lagrange_omega",
                                               "ns_newton_euler"};
  PageSeries* times                         = page_series(page, "times", COLUMNS, columns);
  page_progress(page, "times");
  for (int c = 0; c < CHAINS && page->status == DONE; ++c)
  {
    double row[COLUMNS] = {JOINTS[c]};
    if (page->quick && JOINTS[c] > QUICK_LAST) break;
    race_chain(page, JOINTS[c], row + 1);
    series_add(times, row);
    if (JOINTS[c] == (int)page_number(page, "links")) note_six(page, row + 1);
  }
  if (operations && times) draw_ladder(page, operations, times);
}
