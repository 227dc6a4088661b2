// SPDX-License-Identifier: MIT
// linkwork loads: what the joints carry along a trajectory.
//
//   lines --lwCsvBlock--> reactions --lwLoads--> table; sample by sample --> picture
#include "drives.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/picture.h"

typedef struct LoadsJob
{
  lwModel* model;
  lwLoads* loads;
  MotionFile* motion;  // its answers are reactions
  double* row;         // (1 + outputs) of the picture
  lwPlotTable* plot;
} LoadsJob;

static const char* joint_of(const LoadsJob* job, size_t k)
{
  return lw_model_robot(job->model)->joints[k / 6].name;
}

static void name_curves(const LoadsJob* job)
{
  char name[LW_ROW_NAME];
  job->plot->title = lw_model_name(job->model);
  job->plot->model = job->model;
  plot_name(job->plot, 0, "t", NULL);
  for (size_t k = 0; k < job->motion->outputs; ++k)
  {
    snprintf(name, sizeof name, "%s.%s", lw_reaction_name((lwReaction)(k % 6)), joint_of(job, k));
    plot_name(job->plot, 1 + k, name, joint_of(job, k));
  }
}

static void loads_take_sample(void* context, int row)
{
  LoadsJob* job            = context;
  const MotionFile* motion = job->motion;
  const double* r          = motion->answers + (size_t)row * motion->outputs;
  double t                 = motion->block->values[GROUP_T][row];
  for (size_t k = 0; k < motion->outputs; ++k)
    if (!isfinite(r[k]))
      stop(NUMERICAL,
           "the reaction of joint '%s' at t = %g s is not finite; the values of %s are too large",
           joint_of(job, k), t, motion->csv->lines.name);
  lw_loads_add(job->loads, t, r);
  job->row[0] = t;
  memcpy(job->row + 1, r, motion->outputs * sizeof *r);
  lw_plot_table_add(job->plot, job->row);
}

static void load_row(const void* context, int i, lwCell* cells)
{
  const LoadsJob* job     = context;
  int joint               = i / LW_REACTION_COUNT;
  lwReaction component    = (lwReaction)(i % LW_REACTION_COUNT);
  const lwLoadSum* sum    = lw_loads_sum(job->loads, joint, component);
  const lwRobotDef* robot = lw_model_robot(job->model);
  cells[0]                = lw_cell_text(robot->joints[joint].name);
  cells[1]                = lw_cell_text(lw_reaction_name(component));
  cells[2]                = lw_cell_number(sum->peak == 0 ? 0 : sum->peak);
  cells[3]                = lw_cell_number(sum->peak_time);
  cells[4]                = lw_cell_number(lw_loads_rms(job->loads, joint, component));
  cells[5]                = lw_cell_text(lw_reaction_unit(component));
}

int cmd_loads(const Options* options)
{
  static const char columns[] = "joint,component,peak,time,rms,unit";
  const char* path            = options->value[OPTION_PLOT];
  lwWorkspaceDef def          = lw_workspace_def();
  LoadsJob job                = {0};
  if (!options->value[OPTION_IN])
    stop(USAGE, "--trajectory is missing: give a CSV file with t, q.., qd.., qdd..");
  lwFormat format = format_of(options);
  def.axes        = axes_of(options);
  job.model       = robot_of(options);
  def.questions   = LW_ASKS(LW_QUESTION_REACTIONS);
  lwStatus made   = lw_loads_create(job.model, &job.loads);
  hold_loads(job.loads);
  need_ok(made);
  job.motion     = motion_open(options, job.model, &def, LW_QUESTION_REACTIONS);
  size_t outputs = job.motion->outputs;
  job.row        = allocate(outputs + 1, sizeof *job.row);
  job.plot       = plot_begin(path, 1 + outputs);
  if (path) name_curves(&job);
  motion_answer(job.motion, loads_take_sample, &job);
  lwSheet sheet = {.columns = columns,
                   .rows    = LW_REACTION_COUNT * lw_model_joint_count(job.model),
                   .row     = load_row,
                   .context = &job};
  int status    = sheet_print(options, format, &sheet);
  if (status != DONE || !path) return status;
  return picture_draw(job.plot, path, "t", "rfx,rfy,rfz,rnx,rny,rnz", true);
}
