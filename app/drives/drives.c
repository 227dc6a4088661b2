// SPDX-License-Identifier: MIT
// linkwork drives: what a motion demands of the motors, and how near it comes to the limits.
//
//   lines --lwCsvBlock--> inverse dynamics --> samples of the whole motion
//     --lwSizing of each joint--> table; sample by sample --> series
#include "drives.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/note.h"
#include "report/drive_report.h"

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
  lwModel* model;
  size_t dof;
  MotionFile* motion;  // its answers are torques
  lwDrives drives;
  CylinderMotion cylinders;
  lwRows* rows;            // of the series, or NULL
  SeriesColumn* columns;   // of the series, without t
  double* values;          // a row of it
  size_t count, capacity;  // samples of the motion
  lwJointSample* samples;  // (capacity, dof)
  char** lines;            // (capacity) of the file that they belong to, with --keep
} DrivesJob;

// --- the series

static void drive_column_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  const DrivesJob* job = context;
  if (k == 0)
    snprintf(name, LW_ROW_NAME, "t");
  else
    snprintf(name, LW_ROW_NAME, "%s%d", SERIES[job->columns[k - 1].kind].symbol,
             job->columns[k - 1].joint + 1);
}

static void open_series(DrivesJob* job, const char* path)
{
  size_t count = 0, most = job->dof * SERIES_COUNT;
  job->columns = allocate(most + 1, sizeof *job->columns);
  job->values  = allocate(most + 1, sizeof *job->values);
  for (int kind = 0; kind < SERIES_COUNT; ++kind)
    for (int i = 0; i < (int)job->dof; ++i)
      if (!SERIES[kind].motor || lw_drives_joint(&job->drives, i)->motor.given)
        job->columns[count++] = (SeriesColumn){kind, i};
  lwCsvFile* csv = job->motion->csv;
  job->rows      = rows_begin((lwRows){.out     = output(path),
                                       .format  = LW_FORMAT_CSV,
                                       .columns = count + 1,
                                       .name    = drive_column_name,
                                       .context = job,
                                       .kept    = csv->block.keep ? &csv->header : NULL});
}

// The sample that came into the sums last, number k.
static void add_series_row(DrivesJob* job, size_t k)
{
  if (!job->rows || job->dof == 0) return;
  job->values[0] = job->drives.sizing[0].end;
  for (size_t c = 1; c < job->rows->columns; ++c)
  {
    SeriesColumn column = job->columns[c - 1];
    job->values[c]      = job->drives.sizing[column.joint].loads[SERIES[column.kind].load];
  }
  lw_rows_add_kept(job->rows, job->lines ? job->lines[k] : NULL, job->values);
}

// --- the motion

static void drives_take_sample(void* context, int row)
{
  DrivesJob* job          = context;
  const lwCsvBlock* block = job->motion->block;
  size_t at               = (size_t)row * job->dof;
  const double* q         = block->values[GROUP_Q] + (size_t)row * (size_t)lw_model_nq(job->model);
  const double *qd = block->values[GROUP_QD] + at, *qdd = block->values[GROUP_QDD] + at;
  const double* tau = job->motion->answers + at;
  double t          = block->values[GROUP_T][row];
  if (job->count == job->capacity)
  {
    job->capacity = 2 * job->capacity + 256;
    job->samples  = reallocate(job->samples, job->capacity * job->dof + 1, sizeof *job->samples);
    if (block->keep) job->lines = reallocate(job->lines, job->capacity, sizeof *job->lines);
  }
  for (int i = 0; i < (int)job->dof; ++i)
  {
    int other = lw_model_velocity(job->model, i).other;  // -1: a quaternion has no limits
    job->samples[job->count * job->dof + (size_t)i] = (lwJointSample){
        .t = t, .q = other < 0 ? 0 : q[other], .qd = qd[i], .qdd = qdd[i], .tau = tau[i]};
    if (!isfinite(tau[i]))
      stop(NUMERICAL,
           "the torque of joint '%s' at t = %g s is not finite; the values of %s are too large",
           joint_name(job->model, i), t, job->motion->csv->lines.name);
  }
  cylinders_add(&job->cylinders, job->motion->loops, t, q, qd, tau, (int)job->dof);
  if (job->lines) job->lines[job->count] = text_copy(block->text[row]);
  ++job->count;
}

// The rates of all currents (count, dof).
static double* current_rates(const DrivesJob* job)
{
  size_t dof = job->dof, count = job->count;
  double* rates        = allocate(count * dof + 1, sizeof *rates);
  lwJointSample* joint = allocate(count + 1, sizeof *joint);  // samples of one joint
  double* of_joint     = allocate(count + 1, sizeof *of_joint);
  for (size_t i = 0; i < dof; ++i)
  {
    for (size_t k = 0; k < count; ++k) joint[k] = job->samples[k * dof + i];
    lw_current_rates(lw_drives_joint(&job->drives, (int)i), (long)count, joint, of_joint);
    for (size_t k = 0; k < count; ++k) rates[k * dof + i] = of_joint[k];
  }
  return rates;
}

static void take_motion(DrivesJob* job)
{
  motion_settle(job->motion);
  motion_answer(job->motion, drives_take_sample, job);
  const double* rates = current_rates(job);
  for (size_t k = 0; k < job->count; ++k)
  {
    for (size_t i = 0; i < job->dof; ++i)
      lw_sizing_take(&job->drives.sizing[i], lw_drives_joint(&job->drives, (int)i),
                     &job->samples[k * job->dof + i], rates[k * job->dof + i]);
    add_series_row(job, k);
  }
}

// --- the answer

// Says on standard error what is beyond a limit.
static int check_drive_limits(const DrivesJob* job)
{
  int status = DONE;
  for (int i = 0; i < (int)job->dof; ++i)
    for (int kind = 0; kind < LW_DRIVE_LIMIT_COUNT; ++kind)
    {
      lwLimitUse use;
      if (!lw_drives_limit(&job->drives, i, (lwDriveLimit)kind, &use) || !lw_limit_is_passed(&use))
        continue;
      note("joint '%s': %s %.6g %s at t = %g s is beyond its limit, %.6g %s",
           joint_name(job->model, i), use.name, use.peak, use.unit, use.t, use.limit, use.unit);
      status = NO;
    }
  return status;
}

static int print_drives(const DrivesJob* job, lwFormat format)
{
  lwOut* out  = output_of(job->options);
  bool only   = job->options->value[OPTION_CYLINDERS] != NULL;
  bool beside = !only && format == LW_FORMAT_TABLE && job->cylinders.count > 0;
  if (!only) lw_drives_write(out, format, &job->drives);
  if (beside) lw_out_text(out, "\nhydraulic cylinders\n");
  if (only || beside)
    lw_cylinder_motion_write(out, format, job->cylinders.cylinders, job->cylinders.sizing);
  int joints = check_drive_limits(job), cylinders = cylinders_check(&job->cylinders);
  return output_end(out, joints != DONE ? joints : cylinders);
}

int cmd_drives(const Options* options)
{
  DrivesJob* job     = allocate(1, sizeof *job);
  lwWorkspaceDef def = lw_workspace_def();
  const char* series = options->value[OPTION_SERIES];
  job->options       = options;
  const char* out    = options->value[OPTION_OUT] ? options->value[OPTION_OUT] : "-";
  if (!options->value[OPTION_IN])
    stop(USAGE, "--in is missing: give a CSV file with t, q.., qd.., qdd..");
  if (series && !strcmp(series, out))
    stop(USAGE, "--series and the table cannot both go to %s",
         !strcmp(out, "-") ? "standard output" : out);
  if (options->value[OPTION_KEEP] && !series) stop(USAGE, "drives: --keep is for --series");
  lwFormat format = format_of(options);
  if (method_of(options, LW_QUESTION_INVERSE)) def.inverse = options->value[OPTION_METHOD];
  def.questions  = LW_ASKS(LW_QUESTION_INVERSE);
  job->model     = robot_of(options);
  job->cylinders = cylinders_open(options, job->model);
  if (options->value[OPTION_CYLINDERS] && job->cylinders.count == 0)
    stop(USAGE, "%s: the robot has no cylinders", options->operand);
  job->dof    = (size_t)lw_model_dof(job->model);
  job->motion = motion_open(options, job->model, &def, LW_QUESTION_INVERSE);
  job->drives = (lwDrives){job->model, allocate(job->dof + 1, sizeof(lwSizing))};
  if (options->value[OPTION_KEEP]) csv_keep_text(job->motion->csv);
  if (series) open_series(job, series);
  take_motion(job);
  if (series)
  {
    rows_end(job->rows);
    need(output_end(job->rows->out, DONE));
  }
  return print_drives(job, format);
}
