// SPDX-License-Identifier: MIT
// Torques of another program: read, compared with ours.
#include "check_against.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum
{
  BLOCK_ROWS = 1024,     // read at once
  MAX_ROWS   = 5000000,  // more are refused
  TRIAL_ROWS = 1000      // that the suspects are tried on
};

static int open_file(Against* against)
{
  static const StateNeeds needs = {.inputs = LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD |
                                             LW_INPUT_TAU | LW_INPUT_WRENCH,
                                   .required = LW_INPUT_TAU};
  const char* path              = against->options->value[OPTION_IN];
  return states_open(&against->header, &against->lines, path, against->model, needs);
}

// Appends the part; groups that the file does not have are zeros, but a wrench stays absent.
static int append_rows(CsvBlock* all, const CsvBlock* part, const lwModel* model)
{
  if (all->count + part->count > MAX_ROWS) return fail(INPUT, "check: more than %d rows", MAX_ROWS);
  for (int g = 0; g < GROUP_COUNT; ++g)
  {
    size_t width = (size_t)group_width(model, (Group)g);
    size_t old = width * (size_t)all->count, added = width * (size_t)part->count;
    if (g == GROUP_WRENCH && !part->values[g]) continue;
    double* grown = realloc(all->values[g], (old + added + 1) * sizeof(double));
    if (!grown) return no_memory();
    all->values[g] = grown;
    if (part->values[g])
      memcpy(grown + old, part->values[g], added * sizeof(double));
    else
      memset(grown + old, 0, added * sizeof(double));
  }
  all->count += part->count;
  all->capacity = all->count;
  return DONE;
}

static int read_torque_rows(Against* against)
{
  CsvBlock part;
  int status = block_create(&part, against->model, against->header.present, BLOCK_ROWS);
  while (status == DONE)
  {
    status = states_next(&against->header, &against->lines, &part);
    if (status != DONE || part.count == 0) break;
    status = append_rows(&against->file, &part, against->model);
  }
  block_destroy(&part);
  if (status == DONE && against->file.count == 0)
    return fail(INPUT, "%s: no rows after the header", against->lines.name);
  return status;
}

// Rows that are evenly spread over the file.
static int take_rows_sample(Against* against)
{
  int count = against->file.count, rows = count < TRIAL_ROWS ? count : TRIAL_ROWS;
  unsigned groups = 0;
  for (int g = 0; g < GROUP_COUNT; ++g) groups |= (unsigned)(against->file.values[g] != NULL) << g;
  int status = block_create(&against->sample, against->model, groups, rows);
  for (int g = 0; g < GROUP_COUNT && status == DONE; ++g)
  {
    size_t width = (size_t)group_width(against->model, (Group)g);
    for (int k = 0; k < rows && against->file.values[g]; ++k)
    {
      size_t row = (size_t)((long long)k * count / rows);
      memcpy(against->sample.values[g] + (size_t)k * width, against->file.values[g] + row * width,
             width * sizeof(double));
    }
  }
  against->sample.count = rows;
  return status;
}

static int take_tolerance(Against* against)
{
  const char* text   = against->options->value[OPTION_TOLERANCE];
  const char* end    = text;
  against->tolerance = 1e-6;
  if (!text) return DONE;
  if (lw_number_read(&end, &against->tolerance) && !*end && against->tolerance > 0 &&
      isfinite(against->tolerance))
    return DONE;
  return fail(USAGE, "--tolerance: '%s' is wrong, expected a number above 0", text);
}

// The same rows as the library sees them. The groups of a block stand in the order of the log.
static lwTorqueLog log_of(const CsvBlock* block)
{
  lwTorqueLog torque_log = {.count = block->count};
  for (int g = 0; g < LW_LOG_COUNT; ++g) torque_log.values[g] = block->values[g];
  return torque_log;
}

static int compare_file(Against* against)
{
  static const lwSuspect* const none[LW_TRIAL_SUSPECTS] = {NULL};
  lwTorqueLog file                                      = log_of(&against->file);
  lwStatus tried = lw_trial_run(against->model, &file, none, &against->misfit, NULL);
  if (tried != LW_OK) return fail(INPUT, "%s", lw_status_text(tried));
  if (!isfinite(against->misfit.relative))
    return fail(NUMERICAL, "check: our torques of row %d of %s are not finite",
                against->misfit.row + 1, against->lines.name);
  if (against->misfit.relative <= against->tolerance) return DONE;
  int status = take_rows_sample(against);
  if (status != DONE) return status;
  lwTorqueLog sample = log_of(&against->sample);
  tried = lw_torques_explain(against->model, &sample, against->tolerance, &against->why);
  return tried == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(tried));
}

static void against_end(Against* against)
{
  free(against->why.candidates);
  block_destroy(&against->file);
  block_destroy(&against->sample);
  header_destroy(&against->header);
  lines_close(&against->lines);
}

int check_against(const Options* options, Format format, const lwModel* model)
{
  Against against = {.options = options, .format = format, .model = model};
  int status      = take_tolerance(&against);
  if (status != DONE) return status;
  status = open_file(&against);
  if (status == DONE) status = read_torque_rows(&against);
  if (status == DONE) status = compare_file(&against);
  if (status == DONE) status = against_print(&against);
  against_end(&against);
  return status;
}
