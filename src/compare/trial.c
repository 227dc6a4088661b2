// SPDX-License-Identifier: MIT
// One trial of suspects: copy, change, compute, compare.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/names.h"
#include "compare/suspects.h"

static int joints_of(const lwTrial* trial)
{
  return lw_model_dof(trial->original);
}

static lwStates states_of_log(const lwTorqueLog* log)
{
  return (lwStates){.q      = log->values[LW_LOG_Q],
                    .qd     = log->values[LW_LOG_QD],
                    .qdd    = log->values[LW_LOG_QDD],
                    .tau    = log->values[LW_LOG_TAU],
                    .wrench = log->values[LW_LOG_WRENCH]};
}

static bool copy_file(lwTrial* trial, const lwTorqueLog* file)
{
  trial->file.count = file->count;
  for (int g = 0; g < LW_LOG_COUNT; ++g)
  {
    if (!file->values[g]) continue;
    int width      = g == LW_LOG_WRENCH ? 6
                     : g == LW_LOG_Q    ? lw_model_nq(trial->original)
                                        : joints_of(trial);
    size_t bytes   = (size_t)file->count * (size_t)width * sizeof(double);
    double* values = malloc(bytes + sizeof(double));
    if (!values) return false;
    trial->file.values[g] = memcpy(values, file->values[g], bytes);
  }
  return true;
}

static bool trial_begin(lwTrial* trial, const lwModel* model, const lwTorqueLog* file)
{
  const lwRobotDef* robot = lw_model_robot(model);
  size_t entries          = (size_t)file->count * (size_t)lw_model_dof(model) + 1;
  *trial                  = (lwTrial){.original = model, .robot = *robot};
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

static void trial_end(lwTrial* trial)
{
  for (int g = 0; g < LW_LOG_COUNT; ++g) free(trial->file.values[g]);
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
static void take_sizes(lwTrial* trial)
{
  int n             = joints_of(trial);
  const double* tau = trial->file.values[LW_LOG_TAU];
  double largest    = 0;
  for (int i = 0; i < n; ++i) trial->size[i] = 0;
  for (int row = 0; row < trial->file.count; ++row)
    for (int i = 0; i < n; ++i)
      trial->size[i] = fmax(trial->size[i], fabs(tau[(size_t)row * n + i]));
  for (int i = 0; i < n; ++i) largest = fmax(largest, trial->size[i]);
  double least = largest > 0 ? 1e-3 * largest : 1;
  for (int i = 0; i < n; ++i) trial->size[i] = fmax(trial->size[i], least);
}

void lw_trial_predict(lwTrial* trial)
{
  lwStates states   = states_of_log(&trial->file);
  const double* tau = trial->file.values[LW_LOG_TAU];
  size_t entries    = (size_t)trial->file.count * (size_t)joints_of(trial);
  lw_answer_many(trial->model, trial->ws, LW_QUESTION_INVERSE, trial->file.count, &states,
                 trial->ours);
  for (size_t k = 0; k < entries; ++k) trial->rest[k] = tau[k] - trial->ours[k] - trial->extra[k];
}

lwMisfit lw_trial_misfit(const lwTrial* trial)
{
  int n         = joints_of(trial);
  lwMisfit most = {.relative = -1};
  for (int row = 0; row < trial->file.count; ++row)
    for (int i = 0; i < n; ++i)
    {
      double absolute = fabs(trial->rest[(size_t)row * n + i]);
      double relative = absolute == 0 ? 0 : absolute / trial->size[i];
      if (isnan(relative)) relative = INFINITY;
      if (relative > most.relative) most = (lwMisfit){relative, absolute, row, i};
    }
  if (most.relative < 0) most.relative = 0;
  return most;
}

static bool make_model(lwTrial* trial)
{
  lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  return lw_trial_succeeds(trial, lw_model_create(&trial->robot, &tolerate, NULL, &trial->model)) &&
         lw_trial_succeeds(trial, lw_workspace_create(trial->model, NULL, NULL, &trial->ws));
}

static bool try_suspects(lwTrial* trial, const lwSuspect* const suspect[LW_TRIAL_SUSPECTS])
{
  for (int k = 0; k < LW_TRIAL_SUSPECTS; ++k)
    if (suspect[k] && suspect[k]->apply && !suspect[k]->apply(trial)) return false;
  if (!make_model(trial)) return false;
  take_sizes(trial);
  lw_trial_predict(trial);
  for (int k = 0; k < LW_TRIAL_SUSPECTS; ++k)
  {
    if (suspect[k] && suspect[k]->fit && !suspect[k]->fit(trial)) return false;
    trial->fitted = trial->fitted || (suspect[k] && suspect[k]->fit);
  }
  return true;
}

bool lw_trial_succeeds(lwTrial* trial, lwStatus status)
{
  if (status == LW_ERROR_MEMORY) trial->no_memory = true;
  return status == LW_OK;
}

lwStatus lw_trial_run(const lwModel* model, const lwTorqueLog* file,
                      const lwSuspect* const suspect[LW_TRIAL_SUSPECTS], lwMisfit* misfit,
                      char* detail)
{
  lwTrial trial;
  bool begun = trial_begin(&trial, model, file), done = begun && try_suspects(&trial, suspect);
  *misfit = done ? lw_trial_misfit(&trial) : (lwMisfit){.relative = INFINITY};
  if (detail) snprintf(detail, LW_TRIAL_DETAIL, "%s", trial.detail);
  trial_end(&trial);
  return done ? LW_OK : !begun || trial.no_memory ? LW_ERROR_MEMORY : LW_ERROR_INPUT;
}

void lw_trial_note(lwTrial* trial, const char* format, ...)
{
  size_t used = strlen(trial->detail);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(trial->detail + used, LW_TRIAL_DETAIL - used, format, arguments);
  va_end(arguments);
}

void lw_trial_note_joint(lwTrial* trial, int joint)
{
  lw_trial_note(trial, "%s%d (%s)", trial->detail[0] ? ", " : "joint ", joint + 1,
                lw_joint_name(trial->original, joint));
}
