// SPDX-License-Identifier: MIT
// The energy function S of nia2005, section VI.3: kinetic energy minus the work of the torques,
// which must stay constant.
#include <math.h>
#include <stdlib.h>

#include "nia2005.h"
#include "table2.h"

enum
{
  RECORDS = 50
};

// A snake in motion.
typedef struct Journey
{
  Table2 table;
  lwSnakeWorkspace* ws;
  lwSnakeRun* run;
  lwSnakeSample sample;
} Journey;

static int journey_start(Page* page, Journey* journey)
{
  lwSnakeRunDef def       = lw_snake_run_def();
  def.integrator.method   = "dop853";
  def.integrator.relative = def.integrator.absolute = 1e-13;  // only rounding remains
  if (table2_make(page, (int)page_number(page, "response-links"), &journey->table) != DONE)
    return page->status;
  journey->sample.theta = calloc((size_t)journey->table.n, sizeof(double));
  if (!journey->sample.theta) return page_check(page, LW_ERROR_MEMORY);
  table2_start(&journey->table, journey->sample.theta);
  lwStatus status = lw_snake_workspace_create(journey->table.snake, NULL, NULL, &journey->ws);
  def.snake       = journey->table.snake;
  def.ws          = journey->ws;
  def.drive       = table2_drive;
  def.context     = &journey->table;
  if (status == LW_OK) status = lw_snake_run_create(&def, NULL, &journey->run);
  if (status == LW_OK) lw_snake_run_start(journey->run, &journey->sample);
  return page_check(page, status);
}

static double kinetic_energy(const Journey* journey)
{
  double kinetic         = NAN;
  lwSnakeStates state    = {.theta = journey->sample.theta, .u = journey->sample.u};
  lwSnakeAnswers answers = {.kinetic = &kinetic};
  lw_snake_answer(journey->table.snake, journey->ws, &state, &answers);
  return kinetic;
}

// Largest change of S from its initial value 0, relative to the largest kinetic energy.
static double follow_energy(Page* page, Journey* journey, double seconds)
{
  double peak = 0, worst = 0;
  for (int i = 1; i <= RECORDS; ++i)
  {
    double t = seconds * i / RECORDS;
    if (lw_snake_run_to(journey->run, t, &journey->sample, NULL) != LW_PROGRESS_ARRIVED)
      page_fail(page, NUMERICAL, "the motion is not finite at t = %g s", t);
    double kinetic = kinetic_energy(journey);
    peak           = fmax(peak, kinetic);
    worst          = fmax(worst, fabs(kinetic - journey->sample.work));
  }
  return worst / peak;
}

void nia2005_energy(Page* page)
{
  Journey journey = {0};
  page_progress(page, "energy function");
  if (journey_start(page, &journey) == DONE)
    page_measure_one(page, "equations/energy",
                     follow_energy(page, &journey, page_number(page, "energy-duration")));
  lw_snake_run_destroy(journey.run);
  lw_snake_workspace_destroy(journey.ws);
  free(journey.sample.theta);
  table2_free(&journey.table);
}
