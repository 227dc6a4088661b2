// SPDX-License-Identifier: MIT
// One trial of suspects: copy, change, compute, compare.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arrays.h"
#include "compare/torques/suspects.h"
#include "linear/vectors.h"
#include "linkwork/drive.h"

// Velocities that are only rounding have no direction of friction.
static void settle_log(lwTrial* trial)
{
  int entries = trial->file.count * trial->n, places = trial->file.count * trial->nq;
  double* qd  = trial->file.values[LW_LOG_QD];
  double rest = lw_rest_speed(lw_largest_entry(entries, qd),
                              lw_largest_entry(places, trial->file.values[LW_LOG_Q]), 0);
  for (int k = 0; k < entries; ++k)
    if (fabs(qd[k]) <= rest) qd[k] = 0;
}

static bool trial_begin(lwTrial* trial, const lwModel* model, const lwTorqueLog* file)
{
  const lwRobotDef* robot = lw_model_robot(model);
  size_t rows = (size_t)file->count, n = (size_t)lw_model_dof(model);
  *trial                 = (lwTrial){.original = model,
                                     .n        = (int)n,
                                     .nq       = lw_model_nq(model),
                                     .robot    = *robot,
                                     .file     = {.count = file->count}};
  const lwArray arrays[] = {{&trial->extra, rows * n},
                            {&trial->ours, rows * n},
                            {&trial->rest, rows * n},
                            {&trial->part, 3 * rows * n},
                            {&trial->size, n},
                            {&trial->breakaway, n},
                            {0}};
  trial->joints = lw_arena_take(&trial->arena, (size_t)robot->count + 1, sizeof *trial->joints);
  bool enough   = trial->joints && lw_arrays_take(&trial->arena, arrays);
  for (int g = 0; g < LW_LOG_COUNT && enough; ++g)
  {
    int width = g == LW_LOG_WRENCH ? 6 : g == LW_LOG_Q ? trial->nq : trial->n;
    if (!file->values[g]) continue;
    double* values = lw_arena_take(&trial->arena, rows * (size_t)width + 1, sizeof *values);
    enough         = values != NULL;
    if (enough) memcpy(values, file->values[g], rows * (size_t)width * sizeof *values);
    trial->file.values[g] = values;
  }
  if (!enough) return false;
  memcpy(trial->joints, robot->joints, (size_t)robot->count * sizeof *trial->joints);
  trial->robot.joints = trial->joints;
  settle_log(trial);
  return true;
}

void lw_trial_close(lwTrial* trial)
{
  lw_arena_free(&trial->arena);
  lw_workspace_destroy(trial->ws);
  lw_model_destroy(trial->model);
}

// The size of each joint's torques, at least a thousandth of the largest, so that noise in a joint
// without torque does not count; 1 if the file has no torques at all.
static void take_sizes(lwTrial* trial)
{
  int n             = trial->n;
  const double* tau = trial->file.values[LW_LOG_TAU];
  for (int i = 0; i < n; ++i) trial->size[i] = 0;
  for (size_t k = 0; k < lw_trial_entries(trial); ++k)
    trial->size[k % (size_t)n] = fmax(trial->size[k % (size_t)n], fabs(tau[k]));
  double largest = lw_largest_entry(n, trial->size);
  double least   = largest > 0 ? 1e-3 * largest : 1;
  for (int i = 0; i < n; ++i) trial->size[i] = fmax(trial->size[i], least);
}

// --- the torques

int lw_trial_parts(const lwTrial* trial)
{
  return trial->velocity == LW_VELOCITY_SQUARES ? trial->n + 2 : 1;
}

// With squares alone: accelerations and gravity; each joint moving by itself; gravity, which these
// have too often.
lwTrialPart lw_trial_part(lwTrial* trial, int k)
{
  int n            = trial->n;
  size_t entries   = lw_trial_entries(trial);
  const double *qd = trial->file.values[LW_LOG_QD], *qdd = trial->file.values[LW_LOG_QDD];
  double *alone = trial->part, *zeros = trial->part + 2 * entries;
  if (trial->velocity == LW_VELOCITY_ALL) return (lwTrialPart){qd, qdd, 1};
  if (trial->velocity == LW_VELOCITY_NONE || k == 0) return (lwTrialPart){zeros, qdd, 1};
  if (k > n) return (lwTrialPart){zeros, zeros, -n};
  for (size_t e = 0; e < entries; ++e) alone[e] = (int)(e % (size_t)n) == k - 1 ? qd[e] : 0;
  return (lwTrialPart){alone, zeros, 1};
}

void lw_trial_predict(lwTrial* trial)
{
  const double* tau = trial->file.values[LW_LOG_TAU];
  size_t entries    = lw_trial_entries(trial);
  double* torques   = trial->part + entries;
  memset(trial->ours, 0, entries * sizeof *trial->ours);
  for (int k = 0; k < lw_trial_parts(trial); ++k)
  {
    lwTrialPart part = lw_trial_part(trial, k);
    lwStates states  = {.q      = trial->file.values[LW_LOG_Q],
                        .qd     = part.qd,
                        .qdd    = part.qdd,
                        .wrench = trial->file.values[LW_LOG_WRENCH]};
    lw_answer_many(trial->model, trial->ws, LW_QUESTION_INVERSE, trial->file.count, &states,
                   torques);
    for (size_t e = 0; e < entries; ++e) trial->ours[e] += part.weight * torques[e];
  }
  for (size_t e = 0; e < entries; ++e) trial->rest[e] = tau[e] - trial->ours[e] - trial->extra[e];
}

// --- the difference

bool lw_trial_decides(const lwTrial* trial, size_t k)
{
  return trial->file.values[LW_LOG_QD][k] != 0 || trial->breakaway[k % (size_t)trial->n] == 0;
}

int lw_trial_held_rows(const lwTrial* trial)
{
  int rows = 0;
  size_t k = 0;
  for (int row = 0; row < trial->file.count; ++row)
  {
    bool decides = true;
    for (int i = 0; i < trial->n; ++i, ++k) decides = decides && lw_trial_decides(trial, k);
    rows += !decides;
  }
  return rows;
}

// Of a joint that friction may hold, only what is beyond its break-away torque counts.
lwMisfit lw_trial_misfit(const lwTrial* trial)
{
  lwMisfit most = {.relative = -1};
  for (size_t k = 0; k < lw_trial_entries(trial); ++k)
  {
    int row = (int)(k / (size_t)trial->n), i = (int)(k % (size_t)trial->n);
    double absolute = fabs(trial->rest[k]);
    if (!lw_trial_decides(trial, k)) absolute = fmax(absolute - trial->breakaway[i], 0);
    double relative = absolute == 0 ? 0 : absolute / trial->size[i];
    if (isnan(relative)) relative = INFINITY;
    if (relative > most.relative) most = (lwMisfit){relative, absolute, row, i};
  }
  if (most.relative < 0) most.relative = 0;
  return most;
}

// --- the trial

bool lw_trial_succeeds(lwTrial* trial, lwStatus status)
{
  if (status == LW_ERROR_MEMORY) trial->no_memory = true;
  return status == LW_OK;
}

static bool change_trial(lwTrial* trial, const lwSuspect* const suspect[2])
{
  lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  for (int k = 0; k < 2; ++k)
    if (suspect[k] && suspect[k]->apply && !suspect[k]->apply(trial, suspect[k]->by)) return false;
  if (!lw_trial_succeeds(trial, lw_model_create(&trial->robot, &tolerate, NULL, &trial->model)) ||
      !lw_trial_succeeds(trial, lw_workspace_create(trial->model, NULL, NULL, &trial->ws)))
    return false;
  take_sizes(trial);
  lw_trial_predict(trial);
  for (int k = 0; k < 2; ++k)
    if (suspect[k] && suspect[k]->search && !suspect[k]->search(trial)) return false;
  return true;
}

lwStatus lw_trial_open(lwTrial* trial, const lwModel* model, const lwTorqueLog* file,
                       const lwSuspect* first, const lwSuspect* second)
{
  bool begun = trial_begin(trial, model, file);
  if (begun && change_trial(trial, (const lwSuspect* const[2]){first, second})) return LW_OK;
  return !begun || trial->no_memory ? LW_ERROR_MEMORY : LW_ERROR_INPUT;
}

void lw_shift_joint(lwTrial* trial, int at, double shift)
{
  double* q = trial->file.values[LW_LOG_Q] + at;
  for (int row = 0; row < trial->file.count; ++row, q += trial->nq) *q += shift;
}

void lw_swap_columns(double* values, int n, int rows, int i, int j)
{
  for (int row = 0; row < rows; ++row, values += n)
  {
    double kept = values[i];
    values[i]   = values[j];
    values[j]   = kept;
  }
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
                lw_model_joint_name(trial->original, joint));
}
