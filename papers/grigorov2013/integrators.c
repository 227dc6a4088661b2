// SPDX-License-Identifier: MIT
// The same oscillation by the integrators that the document names:
// accuracy and number of evaluations of each.
#include <math.h>
#include <string.h>

#include "valves.h"

enum
{
  SAMPLES = 40,  // at which motions are compared
  LEVELS  = 7,   // of accuracy
  QUICK   = 5
};

typedef struct IntegratorTrack
{
  double q[SAMPLES][JOINTS];  // rad
  long evaluations;
} IntegratorTrack;

// An integrator, and the accuracies requested from it.
typedef struct IntegratorWay
{
  const char* method;
  const char* title;
  double first;   // tolerance or step (s) of the first level
  double factor;  // from each level to the next
} IntegratorWay;

static const IntegratorWay WAYS[] = {
    {"bogacki-shampine", "Bogacki-Shampine (ODE23)", 1e-3, 0.1},
    {"rk4", "Runge-Kutta, order 4", 1e-2, 0.4},
    {"kutta-merson", "Kutta-Merson", 1e-3, 0.1},
    {"dormand-prince", "Dormand-Prince (ODE45)", 1e-3, 0.1},
    {"bdf", "BDF (ODE15s)", 1e-3, 0.1},
};

enum
{
  WAYS_COUNT = sizeof WAYS / sizeof *WAYS
};

static lwIntegratorDef definition(const IntegratorWay* way, int level)
{
  lwIntegratorDef def = lw_integrator_def();
  double value        = way->first * pow(way->factor, level);
  def.method          = way->method;
  def.step            = value;
  def.relative        = value;
  def.absolute        = 1e-3 * value;  // of the relative tolerance, as ODE23 has it by default
  return def;
}

static bool follow_oscillation(Page* page, const Manipulator* manipulator, const Valves* valves,
                               const lwIntegratorDef* def, IntegratorTrack* track)
{
  lwArmRun* run = valves_close(valves, page, manipulator, SIGN_CORRECTED, def);
  for (int k = 0; k < SAMPLES && page->status == DONE; ++k)
    if (valves_advance(run, page, valves->duration * (k + 1) / SAMPLES))
      memcpy(track->q[k], lw_arm_run_sample(run).q, sizeof track->q[k]);
  if (page->status == DONE) track->evaluations = lw_arm_run_audit(run).steps.evaluations;
  lw_arm_run_destroy(run);
  return page->status == DONE;
}

// The largest error of a position, relative to the largest swing of its joint.
static double track_error(const IntegratorTrack* track, const IntegratorTrack* truth,
                          const Valves* valves)
{
  double most = 0;
  for (int j = 0; j < JOINTS; ++j)
  {
    double swing = 0, error = 0;
    for (int k = 0; k < SAMPLES; ++k)
    {
      swing = fmax(swing, fabs(truth->q[k][j] - valves->q[j]));
      error = fmax(error, fabs(truth->q[k][j] - track->q[k][j]));
    }
    most = fmax(most, error / swing);
  }
  return most;
}

// With the default tolerances of ODE23.
static void measure_default(Page* page, const Manipulator* manipulator, const Valves* valves,
                            const IntegratorTrack* truth)
{
  IntegratorTrack track = {0};
  lwIntegratorDef def   = lw_integrator_def();
  def.method            = "bogacki-shampine";
  def.relative          = page_number(page, "ode23-relative");
  def.absolute          = page_number(page, "ode23-absolute");
  if (page->status != DONE || !follow_oscillation(page, manipulator, valves, &def, &track)) return;
  page_measure_one(page, "integrators/ode23-default", track_error(&track, truth, valves));
  page_note(page, "integrators",
            "With the default tolerances of ODE23 the run takes %ld evaluations of (13).",
            track.evaluations);
}

// Columns 2 w and 2 w + 1 of a row: evaluations and error of integrator w at this level.
static void run_levels(Page* page, const Manipulator* manipulator, const Valves* valves,
                       const IntegratorTrack* truth, PageSeries* series)
{
  double best[WAYS_COUNT];
  int levels = page->quick ? QUICK : LEVELS;
  for (int level = 0; level < levels && page->status == DONE; ++level)
  {
    double row[2 * WAYS_COUNT];
    for (int w = 0; w < WAYS_COUNT && page->status == DONE; ++w)
    {
      IntegratorTrack track = {0};
      lwIntegratorDef def   = definition(&WAYS[w], level);
      follow_oscillation(page, manipulator, valves, &def, &track);
      row[2 * w]     = (double)track.evaluations;
      row[2 * w + 1] = best[w] = track_error(&track, truth, valves);
    }
    series_add(series, row);
  }
  for (int w = 0; w < WAYS_COUNT && page->status == DONE; ++w)
    page_require(page, WAYS[w].title, best[w], 1e-5);
}

static void draw_integrators(Page* page, const PageSeries* series)
{
  Figure figure = {
      .name = "integrators",
      .caption =
          "The oscillation of figure 5 by five integrators: error over the number of evaluations",
      .count = 1};
  figure.panel[0] = (Panel){.x_label = "evaluations of (13)",
                            .y_label = "error, relative to the largest swing",
                            .log_x   = true,
                            .log_y   = true,
                            .count   = WAYS_COUNT};
  for (int w = 0; w < WAYS_COUNT; ++w)
    figure.panel[0].curve[w] = (Curve){series, 2 * w, 2 * w + 1, WAYS[w].title, false};
  page_figure(page, "integrators", &figure);
}

void write_integrators(Page* page, const Manipulator* manipulator)
{
  static const char* const columns[2 * WAYS_COUNT] = {"evaluations_bogacki_shampine",
                                                      "error_bogacki_shampine",
                                                      "evaluations_rk4",
                                                      "error_rk4",
                                                      "evaluations_kutta_merson",
                                                      "error_kutta_merson",
                                                      "evaluations_dormand_prince",
                                                      "error_dormand_prince",
                                                      "evaluations_bdf",
                                                      "error_bdf"};
  Valves valves;
  IntegratorTrack truth = {0};
  lwIntegratorDef def   = lw_integrator_def();
  def.method            = "dop853";
  def.relative = def.absolute = 1e-13;
  if (!valves_read(&valves, page, manipulator) ||
      !follow_oscillation(page, manipulator, &valves, &def, &truth))
    return;
  measure_default(page, manipulator, &valves, &truth);
  PageSeries* series = page_series(page, "integrators", 2 * WAYS_COUNT, columns);
  run_levels(page, manipulator, &valves, &truth, series);
  if (page->status == DONE) draw_integrators(page, series);
}
