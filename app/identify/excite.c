// SPDX-License-Identifier: MIT
// linkwork excite: a motion that makes identification well conditioned.
#include <math.h>
#include <stdio.h>

#include "io/note.h"
#include "states/states.h"
#include "trajectory/plan_command.h"

static const double MOST_SAMPLES = 1e7;

typedef struct ExciteJob
{
  const Options* options;
  double dt;
  lwExciteDef def;
  lwModel* model;
  lwExcitation* excitation;
} ExciteJob;

// identify needs 50 samples, and the joints need time to move.
static void check_duration(const ExciteJob* job)
{
  const double samples = 50;
  double duration = job->def.duration, least = (samples - 1) * job->dt;
  if (duration < least * (1 - 1e-9))
    stop(USAGE,
         "excite: %g s with --dt %g are fewer than the %g samples that identify needs; expected "
         "--duration %g at least",
         duration, job->dt, samples, least);
  int joint;
  least = lw_excite_least_duration(job->model, &job->def, &joint);
  if (duration < least)
    stop(USAGE,
         "excite: in %g s joint '%s' can swing less than 5 %% of its range to either side within "
         "its limits of speed and acceleration; expected --duration %.2f at least",
         duration, joint_name(job->model, joint), ceil(100 * least) / 100);
}

static void find_motion(ExciteJob* job)
{
  lwDiag* diag          = hold_messages();
  job->def.velocity     = limits_of(job->options, OPTION_VELOCITY, job->model);
  job->def.acceleration = limits_of(job->options, OPTION_ACCELERATION, job->model);
  check_duration(job);
  lwStatus found = lw_excite(job->model, &job->def, diag, &job->excitation);
  hold_excitation(job->excitation);
  need_made(found, job->options->operand, diag);
}

static void excite_column(const void* context, size_t k, char name[LW_ROW_NAME])
{
  const ExciteJob* job = context;
  if (k == 0)
    snprintf(name, LW_ROW_NAME, "t");
  else
    motion_column(job->model, k - 1, job->options->value[OPTION_NAMES], name);
}

static int write_motion(ExciteJob* job, lwFormat format)
{
  size_t n = (size_t)lw_model_dof(job->model), nq = (size_t)lw_model_nq(job->model);
  size_t columns = nq + 2 * n + 1;
  double* row    = allocate(columns, sizeof *row);
  lwOut* out     = output_of(job->options);
  lwRows* rows   = rows_begin((lwRows){
        .out = out, .format = format, .columns = columns, .name = excite_column, .context = job});
  long count     = (long)ceil(job->def.duration / job->dt - 1e-9);
  for (long k = 0; k <= count && !lw_out_stopped(out); ++k)
  {
    row[0] = k < count ? (double)k * job->dt : job->def.duration;
    lw_excitation_at(job->excitation, row[0], row + 1, row + 1 + nq, row + 1 + nq + n);
    lw_rows_add(rows, row);
  }
  rows_end(rows);
  return output_end(out, DONE);
}

int cmd_excite(const Options* options)
{
  ExciteJob* job    = allocate(1, sizeof *job);
  lwFormat format   = format_of(options);
  job->options      = options;
  job->def          = lw_excite_def();
  job->def.duration = positive_of(options, OPTION_DURATION, "s", job->def.duration);
  job->dt           = positive_of(options, OPTION_DT, "s", 0.01);
  job->def.seed     = (unsigned long long)integer_of(options, OPTION_SEED, 0, 1L << 53, 1);
  double samples    = job->def.duration / job->dt;
  if (samples > MOST_SAMPLES)
    stop(USAGE, "excite: %g samples are too many, expected at most %g", samples, MOST_SAMPLES);
  job->model = robot_of(options);
  find_motion(job);
  int status = write_motion(job, format);
  if (status != DONE) return status;
  lwExcitationSummary found = lw_excitation_summary(job->excitation);
  note("%d parameters, condition number %.4g before and %.4g after the search", found.parameters,
       found.before, found.after);
  if (found.effort > 0) note("largest torque %.0f %% of its limit", 100 * found.effort);
  if (isfinite(found.height)) note("the lowest shape is %.3g m above the floor", found.height);
  return DONE;
}
