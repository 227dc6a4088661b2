// SPDX-License-Identifier: MIT
// linkwork excite: a motion that makes identification well conditioned.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "check/check_command.h"
#include "io/note.h"
#include "io/rows.h"
#include "linkwork/identify.h"
#include "simulate/integrator_option.h"
#include "states/states.h"
#include "trajectory/plan_command.h"

static const double MOST_SAMPLES = 1e7;

typedef struct ExciteJob
{
  const Options* options;
  Format format;
  double dt;
  lwExciteDef def;
  lwModel* model;
  lwExcitation* excitation;
  double* room;  // limits, then a row
  Rows rows;
  Out out;
} ExciteJob;

static int choose_excite(ExciteJob* job)
{
  const Options* options = job->options;
  long seed              = 1;
  job->dt                = 0.01;
  int status             = format_choose(options, &job->format);
  if (status == DONE) status = seconds_choose(options, OPTION_DURATION, &job->def.duration);
  if (status == DONE) status = seconds_choose(options, OPTION_DT, &job->dt);
  if (status == DONE) status = check_integer(options, OPTION_SEED, 0, 1L << 53, &seed);
  job->def.seed = (unsigned long long)seed;
  if (status == DONE && job->def.duration / job->dt > MOST_SAMPLES)
    status = fail(USAGE, "excite: %g samples are too many, expected at most %g",
                  job->def.duration / job->dt, MOST_SAMPLES);
  return status;
}

static int find_motion(ExciteJob* job)
{
  size_t n     = (size_t)lw_model_dof(job->model);
  lwDiag* diag = lw_diag_create();
  job->room    = calloc(5 * n + 2, sizeof *job->room);
  if (!diag || !job->room) return lw_diag_destroy(diag), no_memory();
  int status =
      limits_read(job->options, OPTION_VELOCITY, job->model, job->room, &job->def.velocity);
  if (status == DONE)
    status = limits_read(job->options, OPTION_ACCELERATION, job->model, job->room + n,
                         &job->def.acceleration);
  lwStatus found = LW_OK;
  if (status == DONE) found = lw_excite(job->model, &job->def, diag, &job->excitation);
  if (found != LW_OK)
    status = fail(found == LW_ERROR_NUMERICAL ? NUMERICAL : INPUT, "%s: %s", job->options->operand,
                  first_error(diag, found));
  lw_diag_destroy(diag);
  return status;
}

static void excite_column(const void* context, size_t k, char name[ROW_NAME])
{
  static const char* const symbols[] = {"q", "qd", "qdd"};
  const ExciteJob* job               = context;
  size_t n                           = (size_t)lw_model_dof(job->model);
  if (k == 0)
    snprintf(name, ROW_NAME, "t");
  else
    joint_column(job->model, symbols[(k - 1) / n], (int)((k - 1) % n),
                 job->options->value[OPTION_NAMES] != NULL, name);
}

static int write_motion(ExciteJob* job)
{
  size_t n    = (size_t)lw_model_dof(job->model);
  double* row = job->room + 2 * n;
  int status  = out_open(&job->out, job->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  job->rows = (Rows){.out     = &job->out,
                     .format  = job->format,
                     .columns = 3 * n + 1,
                     .name    = excite_column,
                     .context = job};
  rows_begin(&job->rows);
  long count = (long)ceil(job->def.duration / job->dt - 1e-9);
  for (long k = 0; k <= count && !out_stopped(&job->out); ++k)
  {
    row[0] = k < count ? (double)k * job->dt : job->def.duration;
    lw_excitation_at(job->excitation, row[0], row + 1, row + 1 + n, row + 1 + 2 * n);
    rows_add(&job->rows, row);
  }
  rows_end(&job->rows);
  return out_close(&job->out, DONE, false);
}

static void tell_conditions(const ExciteJob* job)
{
  lwExcitationSummary found = lw_excitation_summary(job->excitation);
  note("%d parameters, condition number %.4g before and %.4g after the search", found.parameters,
       found.before, found.after);
  if (found.effort > 0) note("largest torque %.0f %% of its limit", 100 * found.effort);
  if (isfinite(found.height)) note("the lowest shape is %.3g m above the floor", found.height);
}

int cmd_excite(const Command* command, const Options* options)
{
  (void)command;
  ExciteJob* job = calloc(1, sizeof *job);
  if (!job) return no_memory();
  job->options = options;
  job->def     = lw_excite_def();
  int status   = choose_excite(job);
  if (status == DONE) status = robot_load(options, options->operand, &job->model);
  if (status == DONE) status = needs_plain_joints(job->model, options->operand, "excite");
  if (status == DONE) status = find_motion(job);
  if (status == DONE) status = write_motion(job);
  if (status == DONE) tell_conditions(job);
  lw_excitation_destroy(job->excitation);
  lw_model_destroy(job->model);
  free(job->room);
  free(job);
  return status;
}
