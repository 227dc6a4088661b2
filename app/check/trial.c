// SPDX-License-Identifier: MIT
// One trial of suspects: copy, change, compute, compare.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suspects.h"

static int joints_of(const Trial* trial)
{
  return lw_model_dof(trial->original);
}

static bool copy_file(Trial* trial, const Block* file)
{
  unsigned groups = 0;
  for (int g = 0; g < GROUP_COUNT; ++g) groups |= (unsigned)(file->values[g] != NULL) << g;
  if (block_create(&trial->file, trial->original, groups, file->count) != DONE) return false;
  trial->file.count = file->count;
  for (int g = 0; g < GROUP_COUNT; ++g)
  {
    size_t count = (size_t)file->count * (size_t)group_width(trial->original, (Group)g);
    if (file->values[g]) memcpy(trial->file.values[g], file->values[g], count * sizeof(double));
  }
  return true;
}

static bool begin(Trial* trial, const lwModel* model, const Block* file)
{
  const lwRobotDef* robot = lw_model_robot(model);
  size_t entries          = (size_t)file->count * (size_t)lw_model_dof(model) + 1;
  *trial                  = (Trial){.original = model, .robot = *robot};
  if (!copy_file(trial, file)) return false;
  trial->joints = malloc(((size_t)robot->count + 1) * sizeof *trial->joints);
  trial->extra  = calloc(entries, sizeof(double));
  trial->ours   = calloc(entries, sizeof(double));
  trial->rest   = calloc(entries, sizeof(double));
  trial->size   = calloc((size_t)lw_model_dof(model) + 1, sizeof(double));
  if (!trial->joints || !trial->extra || !trial->ours || !trial->rest || !trial->size) return false;
  memcpy(trial->joints, robot->joints, (size_t)robot->count * sizeof *trial->joints);
  trial->robot.joints = trial->joints;
  return true;
}

static void end(Trial* trial)
{
  block_destroy(&trial->file);
  free(trial->joints);
  free(trial->extra);
  free(trial->ours);
  free(trial->rest);
  free(trial->size);
  lw_workspace_destroy(trial->ws);
  lw_model_destroy(trial->model);
}

// The size of each joint's torques, at least a thousandth of the largest, so that noise in a joint
// without torque does not count; 1 if the file has no torques at all.
static void take_sizes(Trial* trial)
{
  int n             = joints_of(trial);
  const double* tau = trial->file.values[GROUP_TAU];
  double largest    = 0;
  for (int i = 0; i < n; ++i) trial->size[i] = 0;
  for (int row = 0; row < trial->file.count; ++row)
    for (int i = 0; i < n; ++i)
      trial->size[i] = fmax(trial->size[i], fabs(tau[(size_t)row * n + i]));
  for (int i = 0; i < n; ++i) largest = fmax(largest, trial->size[i]);
  double least = largest > 0 ? 1e-3 * largest : 1;
  for (int i = 0; i < n; ++i) trial->size[i] = fmax(trial->size[i], least);
}

void trial_predict(Trial* trial)
{
  lwStates states   = block_states(&trial->file);
  const double* tau = trial->file.values[GROUP_TAU];
  size_t entries    = (size_t)trial->file.count * (size_t)joints_of(trial);
  lw_answer_many(trial->model, trial->ws, LW_QUESTION_INVERSE, trial->file.count, &states,
                 trial->ours);
  for (size_t k = 0; k < entries; ++k) trial->rest[k] = tau[k] - trial->ours[k] - trial->extra[k];
}

Misfit trial_misfit(const Trial* trial)
{
  int n       = joints_of(trial);
  Misfit most = {.relative = -1};
  for (int row = 0; row < trial->file.count; ++row)
    for (int i = 0; i < n; ++i)
    {
      double absolute = fabs(trial->rest[(size_t)row * n + i]);
      double relative = absolute == 0 ? 0 : absolute / trial->size[i];
      if (isnan(relative)) relative = INFINITY;
      if (relative > most.relative) most = (Misfit){relative, absolute, row, i};
    }
  if (most.relative < 0) most.relative = 0;
  return most;
}

static bool make_model(Trial* trial)
{
  lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  return trial_succeeds(trial, lw_model_create(&trial->robot, &tolerate, NULL, &trial->model)) &&
         trial_succeeds(trial, lw_workspace_create(trial->model, NULL, NULL, &trial->ws));
}

static bool run(Trial* trial, const Suspect* const suspect[TRIAL_SUSPECTS])
{
  for (int k = 0; k < TRIAL_SUSPECTS; ++k)
    if (suspect[k] && suspect[k]->apply && !suspect[k]->apply(trial)) return false;
  if (!make_model(trial)) return false;
  take_sizes(trial);
  trial_predict(trial);
  for (int k = 0; k < TRIAL_SUSPECTS; ++k)
    if (suspect[k] && suspect[k]->fit && !suspect[k]->fit(trial)) return false;
  return true;
}

bool trial_succeeds(Trial* trial, lwStatus status)
{
  if (status == LW_ERROR_MEMORY) trial->no_memory = true;
  return status == LW_OK;
}

lwStatus trial_run(const lwModel* model, const Block* file,
                   const Suspect* const suspect[TRIAL_SUSPECTS], Misfit* misfit, char* detail)
{
  Trial trial;
  bool begun = begin(&trial, model, file), done = begun && run(&trial, suspect);
  *misfit = done ? trial_misfit(&trial) : (Misfit){.relative = INFINITY};
  if (detail) snprintf(detail, TRIAL_DETAIL, "%s", trial.detail);
  end(&trial);
  return done ? LW_OK : !begun || trial.no_memory ? LW_ERROR_MEMORY : LW_ERROR_INPUT;
}

void trial_note(Trial* trial, const char* format, ...)
{
  size_t used = strlen(trial->detail);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(trial->detail + used, TRIAL_DETAIL - used, format, arguments);
  va_end(arguments);
}

void trial_note_joint(Trial* trial, int joint)
{
  trial_note(trial, "%s%d (%s)", trial->detail[0] ? ", " : "joint ", joint + 1,
             joint_name(trial->original, joint));
}
