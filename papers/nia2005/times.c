// SPDX-License-Identifier: MIT
// Figures 2 and 3 of nia2005: how long a simulation takes by each method, over the number of links.
#include <math.h>
#include <stdlib.h>

#include "costs.h"
#include "nia2005.h"
#include "race.h"
#include "table2.h"

enum
{
  KANE_LINEAR,
  KANE,
  LAGRANGE,
  NEWTON_EULER,
  METHODS
};

static const char* const NAMES[METHODS] = {"kane-linear", "kane", "lagrange", "newton-euler"};

// Columns of times.csv behind n and METHODS times.
enum
{
  RATIO = 1 + METHODS,
  COUNTED_RATIO,
  PRINTED_RATIO,
  COLUMNS
};

static const char* const COLUMN_NAMES[COLUMNS] = {
    "n",          "us_kane_linear", "us_kane",      "us_lagrange", "us_newton_euler",
    "time_ratio", "counted_ratio",  "printed_ratio"};

#define SLOWEST_STEP 0.5  // s; slower methods are skipped
#define AGAIN        20   // s of simulated time, after which a run restarts

// A simulation by one method; the race calls it step by step.
typedef struct TimedRun
{
  const Table2* table;
  lwSnakeWorkspace* ws;
  lwSnakeRun* run;
  double step;  // s
  lwSnakeSample sample;
} TimedRun;

static void begin_again(TimedRun* runner)
{
  runner->sample.t    = 0;
  runner->sample.u[0] = runner->sample.u[1] = 0;
  table2_start(runner->table, runner->sample.theta);
  lw_snake_run_start(runner->run, &runner->sample);
}

static void take_steps(void* context, int calls)
{
  TimedRun* runner = context;
  for (int i = 0; i < calls; ++i)
  {
    if (runner->sample.t > AGAIN) begin_again(runner);
    lw_snake_run_to(runner->run, runner->sample.t + runner->step, &runner->sample, NULL);
  }
}

static lwStatus runner_make(TimedRun* runner, const char* method)
{
  lwSnakeWorkspaceDef how = lw_snake_workspace_def();
  how.method              = method;
  lwSnakeRunDef def       = lw_snake_run_def();
  def.integrator.method   = "rk4";
  def.integrator.step     = runner->step;
  runner->sample          = (lwSnakeSample){0};
  runner->sample.theta    = calloc((size_t)runner->table->n, sizeof(double));
  if (!runner->sample.theta) return LW_ERROR_MEMORY;
  lwStatus status = lw_snake_workspace_create(runner->table->snake, &how, NULL, &runner->ws);
  def.snake       = runner->table->snake;
  def.ws          = runner->ws;
  def.drive       = table2_drive;
  def.context     = (void*)runner->table;
  if (status == LW_OK) status = lw_snake_run_create(&def, NULL, &runner->run);
  if (status == LW_OK) begin_again(runner);
  return status;
}

static void runner_free(TimedRun* runner)
{
  lw_snake_run_destroy(runner->run);
  lw_snake_workspace_destroy(runner->ws);
  free(runner->sample.theta);
}

// Microseconds of one step with n links by each method; NAN:
// skipped, because `expected` (s) is too long or unknown.
static int race_methods(Page* page, int n, double seconds, const double expected[METHODS],
                        double us[METHODS])
{
  Table2 table;
  TimedRun runners[METHODS] = {{0}};
  Racer racers[METHODS]     = {{0}};
  int method[METHODS], count = 0;
  if (table2_make(page, n, &table) != DONE) return page->status;
  for (int m = 0; m < METHODS && page->status == DONE; ++m)
  {
    us[m] = NAN;
    if (!(expected[m] <= SLOWEST_STEP)) continue;  // or skipped before
    runners[m] = (TimedRun){.table = &table, .step = page_number(page, "step")};
    page_check(page, runner_make(&runners[m], NAMES[m]));
    method[count]   = m;
    racers[count++] = (Racer){.run = take_steps, .context = &runners[m], .states = 1};
  }
  if (page->status == DONE) page_check(page, race_run(seconds, count, racers));
  for (int i = 0; i < count && page->status == DONE; ++i) us[method[i]] = 1e-3 * racers[i].best;
  for (int m = 0; m < METHODS; ++m) runner_free(&runners[m]);
  table2_free(&table);
  return page->status;
}

// --- operations beside the times

static double all_operations(const Costs* costs, int n)
{
  return costs_at(&costs->mul, n) + costs_at(&costs->add, n);
}

// Lagrange's operations over Kane's, by the document's formulas.
static double printed_ratio(Page* page, int n)
{
  double kane[2], lagrange[2];
  page_registry(page, "table-1/kane", n, kane);
  page_registry(page, "table-1/lagrange", n, lagrange);
  return (lagrange[0] + lagrange[1]) / (kane[0] + kane[1]);
}

// How linear a column is in n: their squared correlation.
static double linearity(const PageSeries* series, int column)
{
  double n = (double)series->rows, sum_x = 0, sum_y = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < series->rows; ++i)
  {
    double x = series_value(series, i, 0), y = series_value(series, i, column);
    sum_x += x, sum_y += y;
    xx += x * x, yy += y * y, xy += x * y;
  }
  double cov = n * xy - sum_x * sum_y;
  return cov * cov / ((n * xx - sum_x * sum_x) * (n * yy - sum_y * sum_y));
}

static void add_time_row(Page* page, PageSeries* series, int n, const double us[METHODS],
                         const Costs costs[METHODS])
{
  double row[COLUMNS] = {n};
  for (int m = 0; m < METHODS; ++m) row[1 + m] = us[m];
  row[RATIO]         = us[LAGRANGE] / us[KANE];
  row[COUNTED_RATIO] = all_operations(&costs[LAGRANGE], n) / all_operations(&costs[KANE], n);
  row[PRINTED_RATIO] = printed_ratio(page, n);
  series_add(series, row);
}

// How long a step with n links will take, from one with fewer: `us` (us). Cubic but for Kane.
static void expect_times(double growth, const double us[METHODS], double expected[METHODS])
{
  for (int m = 0; m < METHODS; ++m)
    expected[m] = 1e-6 * us[m] * growth * growth * (m == KANE_LINEAR || m == KANE ? 1 : growth);
}

// One race for every n, of which `best` (us) keeps the shorter times. With --quick only a few are
// raced; the others have no times.
static void race_links(Page* page, Values links, double best[][METHODS])
{
  double expected[METHODS] = {0}, us[METHODS] = {0}, before = 0;
  for (int i = 0; i < links.count && page->status == DONE; ++i)
  {
    int n = (int)links.at[i];
    if (page->quick && i % 5 != 0 && i + 1 < links.count) continue;
    if (before > 0) expect_times(n / before, us, expected);
    if (race_methods(page, n, page->quick ? 0.01 : 0.2, expected, us) != DONE) return;
    for (int m = 0; m < METHODS; ++m) best[i][m] = fmin(best[i][m], us[m]);
    before = n;
  }
}

// A row for every n of the data `id`. All are raced several times, so that other load on the
// machine does not distort a single n.
static PageSeries* measure_links(Page* page, const char* id, const char* name,
                                 const Costs costs[METHODS])
{
  enum
  {
    MOST_LINKS = 64,
    PASSES     = 3
  };
  double best[MOST_LINKS][METHODS];
  Values links       = page_data(page, id);
  PageSeries* series = page_series(page, name, COLUMNS, COLUMN_NAMES);
  if (links.count > MOST_LINKS) page_fail(page, INPUT, "data '%s' has too many numbers", id);
  for (int i = 0; i < MOST_LINKS * METHODS; ++i) best[i / METHODS][i % METHODS] = NAN;
  for (int pass = 0; pass < (page->quick ? 1 : PASSES) && page->status == DONE; ++pass)
    race_links(page, links, best);
  for (int i = 0; i < links.count && page->status == DONE; ++i)
    add_time_row(page, series, (int)links.at[i], best[i], costs);
  return page->status == DONE ? series : NULL;
}

// --- the figures

static void draw_times(Page* page, const PageSeries* near, const PageSeries* far)
{
  Figure figure = {.name    = "figure-2",
                   .caption = "CPU time of one step of rk4 (four evaluations) over the number of "
                              "links, Table II, double precision.",
                   .count   = far ? 2 : 1};
  for (int p = 0; p < figure.count; ++p)
  {
    figure.panel[p] = (Panel){.title   = p == 0 ? "as in figure 2" : "longer snakes",
                              .x_label = "links n",
                              .y_label = "time of a step (us)",
                              .log_x   = p == 1,
                              .log_y   = p == 1,
                              .count   = METHODS};
    for (int m = 0; m < METHODS; ++m)
      figure.panel[p].curve[m] = (Curve){p == 0 ? near : far, 0, 1 + m, NAMES[m], false};
  }
  page_figure(page, "figure-2", &figure);
}

static void draw_ratios(Page* page, const PageSeries* near)
{
  Figure figure   = {.name    = "figure-3",
                     .caption = "Lagrange / Kane: measured times, operations counted in "
                                  "linkwork's kernels, and operations by the formulas of Table I.",
                     .count   = 1};
  figure.panel[0] = (Panel){.x_label = "links n",
                            .y_label = "ratio Lagrange / Kane",
                            .count   = 3,
                            .curve   = {{near, 0, RATIO, "time", true},
                                        {near, 0, COUNTED_RATIO, "counted", false},
                                        {near, 0, PRINTED_RATIO, "printed", false}}};
  page_figure(page, "figure-3", &figure);
}

static void measure_races(Page* page, const PageSeries* near)
{
  size_t last = near->rows - 1;
  page_measure_one(page, "figure-2/time", series_value(near, last, RATIO));
  page_measure_one(page, "figure-3/linear", linearity(near, COUNTED_RATIO));
  page_note(page, "figure-2", "In operations of linkwork's kernels the ratio there is %.3g.",
            series_value(near, last, COUNTED_RATIO));
  page_note(page, "figure-3",
            "The ratio by the formulas of Table I has a squared correlation of %.3g with n.",
            linearity(near, PRINTED_RATIO));
  if (!page->quick)
    page_note(page, "figure-3",
              "The ratio of the measured times has a squared correlation of %.3g with n.",
              linearity(near, RATIO));
}

static void note_far(Page* page, const PageSeries* far)
{
  const double* row = far->values + (far->rows - 1) * COLUMNS;
  page_note(
      page, "figure-2",
      "With %.0f links a step takes %.3g ms by Kane's equations as in the document and %.3g "
      "us by `kane-linear`, which solves the same equations in O(n). Methods that need more than "
      "%.1f s per step are skipped.",
      row[0], 1e-3 * row[1 + KANE], row[1 + KANE_LINEAR], SLOWEST_STEP);
}

void nia2005_times(Page* page)
{
  Costs costs[METHODS];
  for (int m = 0; m < METHODS; ++m)
    if (costs_of_method(page, NAMES[m], &costs[m]) != DONE) return;
  page_progress(page, "times over the number of links");
  const PageSeries* near = measure_links(page, "time-links", "times", costs);
  const PageSeries* far =
      near && !page->quick ? measure_links(page, "long-links", "times-long", costs) : NULL;
  if (!near || page->status != DONE) return;
  measure_races(page, near);
  draw_times(page, near, far);
  if (far) note_far(page, far);
  draw_ratios(page, near);
}
