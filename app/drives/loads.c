// SPDX-License-Identifier: MIT
// linkwork loads: what the joints carry along a trajectory.
//
//   lines --CsvBlock--> reactions --lwLoads--> table; sample by sample --> picture
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/picture.h"
#include "io/sheet.h"
#include "linkwork/drive.h"
#include "motion.h"

typedef struct LoadsJob
{
  const Options* options;
  Format format;
  lwWorkspaceDef def;
  lwModel* model;
  lwWorkspace* ws;
  lwLoads* loads;
  MotionFile motion;  // its answers are reactions
  double* row;        // (1 + outputs) of the picture
  lwPlotTable plot;
  Out out;
} LoadsJob;

static const char* joint_of(const LoadsJob* job, size_t k)
{
  return lw_model_robot(job->model)->joints[k / 6].name;
}

// --- the picture

static int open_plot(LoadsJob* job)
{
  const char* path = job->options->value[OPTION_PLOT];
  int status       = picture_begin(&job->plot, path, 1 + job->motion.outputs);
  if (status != DONE || !path) return status;
  job->plot.title = lw_model_name(job->model);
  job->plot.model = job->model;
  if (!lw_plot_table_name(&job->plot, 0, "t", NULL)) return no_memory();
  for (size_t k = 0; k < job->motion.outputs; ++k)
  {
    char name[ROW_NAME];
    snprintf(name, sizeof name, "%s.%s", lw_reaction_name((lwReaction)(k % 6)), joint_of(job, k));
    if (!lw_plot_table_name(&job->plot, 1 + k, name, joint_of(job, k))) return no_memory();
  }
  return DONE;
}

static int draw_plot(const LoadsJob* job)
{
  const char* path = job->options->value[OPTION_PLOT];
  if (!path) return DONE;
  return picture_draw(&job->plot, path, "t", "rfx,rfy,rfz,rnx,rny,rnz", true);
}

// --- the trajectory

static int open_trajectory(LoadsJob* job)
{
  size_t outputs = lw_question_outputs(job->model, LW_QUESTION_REACTIONS);
  job->motion =
      (MotionFile){.options = job->options, .model = job->model, .ws = job->ws, .outputs = outputs};
  int status = motion_open(&job->motion);
  job->row   = calloc(outputs + 1, sizeof *job->row);
  return status == DONE && !job->row ? no_memory() : status;
}

static int loads_take_sample(void* context, int row)
{
  LoadsJob* job   = context;
  const double* r = job->motion.answers + (size_t)row * job->motion.outputs;
  double t        = job->motion.block.values[GROUP_T][row];
  for (size_t k = 0; k < job->motion.outputs; ++k)
    if (!isfinite(r[k]))
      return fail(NUMERICAL,
                  "the reaction of joint '%s' at t = %g s is not finite; the values of %s are too "
                  "large",
                  joint_of(job, k), t, job->motion.lines.name);
  lw_loads_add(job->loads, t, r);
  job->row[0] = t;
  memcpy(job->row + 1, r, job->motion.outputs * sizeof *r);
  lw_plot_table_add(&job->plot, job->row);
  return DONE;
}

// --- the answer

static void load_row(const void* context, int i, Cell* cells)
{
  const LoadsJob* job     = context;
  int joint               = i / LW_REACTION_COUNT;
  lwReaction component    = (lwReaction)(i % LW_REACTION_COUNT);
  const lwLoadSum* sum    = lw_loads_sum(job->loads, joint, component);
  const lwRobotDef* robot = lw_model_robot(job->model);
  cells[0]                = cell_text(robot->joints[joint].name);
  cells[1]                = cell_text(lw_reaction_name(component));
  cells[2]                = cell_number(sum->peak == 0 ? 0 : sum->peak);
  cells[3]                = cell_number(sum->peak_time);
  cells[4]                = cell_number(lw_loads_rms(job->loads, joint, component));
  cells[5]                = cell_text(lw_reaction_unit(component));
}

static int print_loads(LoadsJob* job)
{
  static const SheetColumn columns[] = {{"joint", NULL, NULL}, {"component", NULL, NULL},
                                        {"peak", NULL, NULL},  {"time", NULL, NULL},
                                        {"rms", NULL, NULL},   {"unit", NULL, NULL}};
  int rows                           = LW_REACTION_COUNT * lw_model_joint_count(job->model);
  Sheet sheet                        = {.columns = (int)(sizeof columns / sizeof *columns),
                                        .column  = columns,
                                        .rows    = rows,
                                        .row     = load_row,
                                        .context = job};
  int status                         = out_open(&job->out, job->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  sheet_write(&job->out, job->format, &sheet);
  return out_close(&job->out, DONE, false);
}

static int choose_loads(LoadsJob* job)
{
  const Options* options = job->options;
  const char* motion     = options->value[OPTION_IN];
  if (!motion)
    return fail(USAGE, "--trajectory is missing: give a CSV file with t, q.., qd.., qdd..");
  int status = format_choose(options, &job->format);
  if (status == DONE) status = axes_choose(options, &job->def.axes);
  return status;
}

static int loads_load(LoadsJob* job)
{
  int status = robot_load(job->options, job->options->operand, &job->model);
  if (status != DONE) return status;
  job->def.questions = LW_ASKS(LW_QUESTION_REACTIONS);
  lwStatus made      = lw_workspace_create(job->model, &job->def, NULL, &job->ws);
  if (made == LW_OK) made = lw_loads_create(job->model, &job->loads);
  return made == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(made));
}

static void job_end(LoadsJob* job)
{
  free(job->row);
  lw_plot_table_destroy(&job->plot);
  motion_close(&job->motion);
  lw_loads_destroy(job->loads);
  lw_workspace_destroy(job->ws);
  lw_model_destroy(job->model);
}

int cmd_loads(const Command* command, const Options* options)
{
  (void)command;
  LoadsJob* job = calloc(1, sizeof *job);
  if (!job) return no_memory();
  job->options = options;
  job->def     = lw_workspace_def();
  int status   = choose_loads(job);
  if (status == DONE) status = loads_load(job);
  if (status == DONE) status = open_trajectory(job);
  if (status == DONE) status = open_plot(job);
  if (status == DONE)
    status = motion_answer(&job->motion, LW_QUESTION_REACTIONS, loads_take_sample, job);
  if (status == DONE) status = print_loads(job);
  if (status == DONE) status = draw_plot(job);
  job_end(job);
  free(job);
  return status;
}
