// SPDX-License-Identifier: MIT
// linkwork drives: what a motion demands of the motors, and how near it comes to the limits.
//
//   lines --CsvBlock--> inverse dynamics --lwSizing of each joint--> table
//                                     --sample by sample--------> series
#include "drives.h"
#include "cylinders.h"
#include "io/note.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/rows.h"
#include "motion.h"

// What the series has of each joint, after t.
static const struct
{
  const char* symbol;
  lwLoad load;
  bool motor;  // only of joints that have one
} SERIES[] = {{"tau", LW_LOAD_TORQUE, false},
              {"v", LW_LOAD_VOLTAGE, true},
              {"i", LW_LOAD_CURRENT, true},
              {"power", LW_LOAD_POWER, false}};

enum
{
  SERIES_COUNT = sizeof SERIES / sizeof SERIES[0]
};

// A column of the series.
typedef struct SeriesColumn
{
  int kind;  // in SERIES
  int joint;
} SeriesColumn;

typedef struct DrivesJob
{
  const Options* options;
  Format format;
  lwWorkspaceDef def;
  lwModel* model;
  lwWorkspace* ws;
  MotionFile motion;  // its answers are torques
  Drives drives;
  CylinderMotion cylinders;
  Out out, series;
  Rows rows;
  SeriesColumn* columns;  // of the series, without t
  double* values;         // a row of it
  char* kept_line;        // the line of the file that it belongs to, with --keep
} DrivesJob;

// --- the series

static void drive_column_name(const void* context, size_t k, char name[ROW_NAME])
{
  const DrivesJob* job = context;
  if (k == 0)
    snprintf(name, ROW_NAME, "t");
  else
    snprintf(name, ROW_NAME, "%s%d", SERIES[job->columns[k - 1].kind].symbol,
             job->columns[k - 1].joint + 1);
}

static int open_series(DrivesJob* job)
{
  const char* path = job->options->value[OPTION_SERIES];
  int dof          = lw_model_dof(job->model);
  if (!path) return DONE;
  size_t count = 0, most = (size_t)dof * SERIES_COUNT;
  job->columns = calloc(most + 1, sizeof *job->columns);
  job->values  = calloc(most + 1, sizeof *job->values);
  if (!job->columns || !job->values) return no_memory();
  for (int kind = 0; kind < SERIES_COUNT; ++kind)
    for (int i = 0; i < dof; ++i)
      if (!SERIES[kind].motor || drives_joint(&job->drives, i)->motor.given)
        job->columns[count++] = (SeriesColumn){kind, i};
  int status = out_open(&job->series, path);
  if (status != DONE) return status;
  job->rows = (Rows){.out     = &job->series,
                     .format  = FORMAT_CSV,
                     .columns = count + 1,
                     .name    = drive_column_name,
                     .context = job};
  if (job->motion.block.keep) job->rows.kept = &job->motion.header;
  rows_begin(&job->rows);
  return DONE;
}

// The sample that came into the sums last.
static void add_series_row(DrivesJob* job)
{
  if (!job->rows.out || lw_model_dof(job->model) == 0) return;
  job->values[0] = job->drives.sizing[0].end;
  for (size_t k = 1; k < job->rows.columns; ++k)
  {
    SeriesColumn column = job->columns[k - 1];
    job->values[k]      = job->drives.sizing[column.joint].loads[SERIES[column.kind].load];
  }
  rows_add_kept(&job->rows, job->kept_line, job->values);
}

static int close_series(DrivesJob* job, int status)
{
  if (!job->rows.out) return status;
  rows_end(&job->rows);
  job->rows.out = NULL;
  return out_close(&job->series, status, false);
}

// --- the motion

static int open_motion(DrivesJob* job)
{
  size_t dof = (size_t)lw_model_dof(job->model);
  job->motion =
      (MotionFile){.options = job->options, .model = job->model, .ws = job->ws, .outputs = dof};
  int status  = motion_open(&job->motion);
  job->drives = (Drives){job->model, calloc(dof + 1, sizeof(lwSizing))};
  if (status == DONE && !job->drives.sizing) status = no_memory();
  if (status == DONE && job->options->value[OPTION_KEEP])
    status = block_keep_text(&job->motion.block);
  return status;
}

static void sample_at(const DrivesJob* job, int row, int i, lwJointSample* sample)
{
  const CsvBlock* block = &job->motion.block;
  size_t k              = (size_t)row * (size_t)lw_model_dof(job->model) + (size_t)i;
  int at                = lw_model_velocity(job->model, i).other;  // -1: a quaternion has no limits
  const double* q       = block->values[GROUP_Q] + (size_t)row * (size_t)lw_model_nq(job->model);
  *sample               = (lwJointSample){.t   = block->values[GROUP_T][row],
                                          .q   = at < 0 ? 0 : q[at],
                                          .qd  = block->values[GROUP_QD][k],
                                          .qdd = block->values[GROUP_QDD][k],
                                          .tau = job->motion.answers[k]};
}

// The row of a sample is written when the next sample arrives, which may be in another block.
static int keep_line(DrivesJob* job, const char* line)
{
  free(job->kept_line);
  job->kept_line = strdup(line);
  return job->kept_line ? DONE : no_memory();
}

static int drives_take_sample(void* context, int row)
{
  DrivesJob* job = context;
  for (int i = 0; i < lw_model_dof(job->model); ++i)
  {
    lwJointSample sample;
    sample_at(job, row, i, &sample);
    if (!isfinite(sample.tau))
      return fail(NUMERICAL,
                  "the torque of joint '%s' at t = %g s is not finite; the values of %s "
                  "are too large",
                  joint_name(job->model, i), sample.t, job->motion.lines.name);
    lw_sizing_add(&job->drives.sizing[i], drives_joint(&job->drives, i), &sample);
  }
  size_t dof = (size_t)lw_model_dof(job->model), at = (size_t)row * dof;
  const CsvBlock* block = &job->motion.block;
  const double* q       = block->values[GROUP_Q] + (size_t)row * (size_t)lw_model_nq(job->model);
  cylinders_add(&job->cylinders, block->values[GROUP_T][row], q, block->values[GROUP_QD] + at,
                job->motion.answers + at, (int)dof);
  if (block->first + row > 1) add_series_row(job);
  return block->keep ? keep_line(job, block->text[row]) : DONE;
}

static int take_motion(DrivesJob* job)
{
  int status = motion_answer(&job->motion, LW_QUESTION_INVERSE, drives_take_sample, job);
  if (status != DONE) return status;
  for (int i = 0; i < lw_model_dof(job->model); ++i)
    lw_sizing_end(&job->drives.sizing[i], drives_joint(&job->drives, i));
  add_series_row(job);
  return DONE;
}

// --- the answer

// Says on standard error what is beyond a limit.
static int check_drive_limits(const DrivesJob* job)
{
  int status = DONE;
  for (int i = 0; i < lw_model_dof(job->model); ++i)
    for (int kind = 0; kind < LIMIT_COUNT; ++kind)
    {
      LimitUse use;
      if (!drives_limit(&job->drives, i, (LimitKind)kind, &use) || !limit_is_passed(&use)) continue;
      note("joint '%s': %s %.6g %s at t = %g s is beyond its limit, %.6g %s",
           joint_name(job->model, i), use.name, use.peak, use.unit, use.t, use.limit, use.unit);
      status = NO;
    }
  return status;
}

static int print(DrivesJob* job)
{
  int status = out_open(&job->out, job->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  bool only = job->options->value[OPTION_CYLINDERS] != NULL;
  if (!only) drives_write(&job->out, job->format, &job->drives);
  if (!only && job->format == FORMAT_TABLE && job->cylinders.count > 0)
    out_text(&job->out, "\nhydraulic cylinders\n");
  if (only || (job->format == FORMAT_TABLE && job->cylinders.count > 0))
    lw_cylinder_motion_write(&job->out, job->format, job->cylinders.cylinders,
                             job->cylinders.sizing);
  int joints = check_drive_limits(job), cylinders = cylinders_check(&job->cylinders);
  return out_close(&job->out, joints != DONE ? joints : cylinders, true);
}

static int choose_drives(DrivesJob* job)
{
  const Options* options = job->options;
  const char* name       = NULL;
  const char* motion     = options->value[OPTION_IN];
  if (!motion) return fail(USAGE, "--in is missing: give a CSV file with t, q.., qd.., qdd..");
  const char* series = options->value[OPTION_SERIES];
  const char* out    = options->value[OPTION_OUT] ? options->value[OPTION_OUT] : "-";
  if (series && !strcmp(series, out))
    return fail(USAGE, "--series and the table cannot both go to %s",
                !strcmp(out, "-") ? "standard output" : out);
  if (options->value[OPTION_KEEP] && !series) return fail(USAGE, "drives: --keep is for --series");
  int status = format_choose(options, &job->format);
  if (status == DONE) status = method_choose(options, LW_QUESTION_INVERSE, &name);
  if (name) job->def.inverse = name;
  return status;
}

static int drives_load(DrivesJob* job)
{
  int status = robot_load(job->options, job->options->operand, &job->model);
  if (status != DONE) return status;
  lwStatus made = lw_workspace_create(job->model, &job->def, NULL, &job->ws);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  status = cylinders_open(&job->cylinders, job->options, job->model);
  if (status == DONE && job->options->value[OPTION_CYLINDERS] && job->cylinders.count == 0)
    status = fail(INPUT, "%s: the robot has no cylinders", job->options->operand);
  return status;
}

static void drives_end(DrivesJob* job)
{
  free(job->columns);
  free(job->values);
  free(job->kept_line);
  free(job->drives.sizing);
  cylinders_close(&job->cylinders);
  motion_close(&job->motion);
  lw_workspace_destroy(job->ws);
  lw_model_destroy(job->model);
}

int cmd_drives(const Command* command, const Options* options)
{
  (void)command;
  DrivesJob* job = calloc(1, sizeof *job);
  if (!job) return no_memory();
  job->options = options;
  job->def     = lw_workspace_def();
  int status   = choose_drives(job);
  if (status == DONE) status = drives_load(job);
  if (status == DONE) status = open_motion(job);
  if (status == DONE) status = open_series(job);
  if (status == DONE) status = take_motion(job);
  status = close_series(job, status);
  if (status == DONE) status = print(job);
  drives_end(job);
  free(job);
  return status;
}
