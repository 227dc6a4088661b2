// SPDX-License-Identifier: MIT
// Torques of another program: read, compared with ours.
#include "check_against.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  BLOCK_ROWS = 1024,     // read at once
  MAX_ROWS   = 5000000,  // more are refused
  TRIAL_ROWS = 400,      // that the suspects are tried on,
  LEAST_ROWS = 40        // fewer of large robots, so that
};

static const double TRIAL_VALUES = 4e6;  // is the most numbers that a regression has

// Appends the part; groups that the file does not have are zeros, but a wrench stays absent.
static void append_rows(lwCsvBlock* all, const lwCsvBlock* part, const lwModel* model)
{
  if (all->count + part->count > MAX_ROWS) stop(USAGE, "check: more than %d rows", MAX_ROWS);
  for (int g = 0; g < GROUP_COUNT; ++g)
  {
    size_t width = (size_t)group_width(model, (Group)g);
    size_t old = width * (size_t)all->count, added = width * (size_t)part->count;
    if (g == GROUP_WRENCH && !part->values[g]) continue;
    all->values[g] = reallocate(all->values[g], old + added + 1, sizeof(double));
    if (part->values[g])
      memcpy(all->values[g] + old, part->values[g], added * sizeof(double));
    else
      memset(all->values[g] + old, 0, added * sizeof(double));
  }
  all->count += part->count;
}

static void read_torque_rows(Against* against)
{
  static const StateNeeds needs = {.inputs = LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD |
                                             LW_INPUT_TAU | LW_INPUT_WRENCH,
                                   .required = LW_INPUT_TAU};
  lwCsvFile* csv                = states_file(against->options, against->model, needs, BLOCK_ROWS);
  against->name                 = csv->lines.name;
  while (states_more(csv)) append_rows(&against->file, &csv->block, against->model);
  if (against->file.count == 0) stop(INPUT, "%s: no rows after the header", against->name);
}

static int rows_to_try(const Against* against)
{
  double n = lw_model_dof(against->model), links = lw_model_joint_count(against->model);
  double rows = TRIAL_VALUES / (n * (10 * links + 4 * n + 3));
  rows        = rows < LEAST_ROWS ? LEAST_ROWS : rows > TRIAL_ROWS ? TRIAL_ROWS : rows;
  return against->file.count < (int)rows ? against->file.count : (int)rows;
}

// Rows that are evenly spread over the file.
static void take_rows_sample(Against* against)
{
  int count = against->file.count, rows = rows_to_try(against);
  for (int g = 0; g < GROUP_COUNT; ++g)
  {
    size_t width       = (size_t)group_width(against->model, (Group)g);
    const double* from = against->file.values[g];
    double* to         = from ? allocate((size_t)rows * width + 1, sizeof *to) : NULL;
    for (int k = 0; k < rows && from; ++k)
      memcpy(to + (size_t)k * width, from + (size_t)((long long)k * count / rows) * width,
             width * sizeof *to);
    against->sample.values[g] = to;
  }
  against->sample.count = rows;
}

// The same rows as the library sees them. The groups of a block stand in the order of the log.
static lwTorqueLog log_of(const lwCsvBlock* block)
{
  lwTorqueLog torque_log = {.count = block->count};
  for (int g = 0; g < LW_LOG_COUNT; ++g) torque_log.values[g] = block->values[g];
  return torque_log;
}

static void compare_file(Against* against)
{
  lwTorqueLog file = log_of(&against->file);
  need_ok(lw_torques_misfit(against->model, &file, &against->misfit));
  if (!isfinite(against->misfit.relative))
    stop(NUMERICAL, "check: our torques of row %d of %s are not finite", against->misfit.row + 1,
         against->name);
  if (against->misfit.relative <= against->tolerance) return;
  take_rows_sample(against);
  lwTorqueLog sample = log_of(&against->sample);
  lwStatus tried = lw_torques_explain(against->model, &sample, against->tolerance, &against->why);
  hold(against->why.candidates, free);
  need_ok(tried);
}

int check_against(const Options* options, lwFormat format, const lwModel* model)
{
  Against against = {.options = options, .model = model};
  against.tolerance =
      number_in(options, OPTION_TOLERANCE, DBL_TRUE_MIN, DBL_MAX, "a number above 0", 1e-6);
  read_torque_rows(&against);
  compare_file(&against);
  return against_print(&against, format);
}
