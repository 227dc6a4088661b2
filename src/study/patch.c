// SPDX-License-Identifier: MIT
// Numbers of a sample, put into the robot and into the text of a scenario or snake.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "study/study_internal.h"

static double patched(const lwPatch* patch, double number, const double* values)
{
  double value = patch->choice > 0 ? patch->chosen : values[patch->parameter];
  return patch->op == LW_PATCH_SET     ? value
         : patch->op == LW_PATCH_SCALE ? number * value
                                       : number + value;
}

// --- the robot

static void scale_all(double* numbers, int count, double factor)
{
  for (int i = 0; i < count; ++i) numbers[i] *= factor;
}

// The factor of an inertia or of gravity as a whole; 'add' is relative.
static double patched_factor(const lwPatch* patch, const double* values)
{
  double value = values[patch->parameter];
  return patch->op == LW_PATCH_ADD ? 1 + value : value;
}

static void patch_robot(const lwStudy* study, const double* values, double gravity[3],
                        lwJointDef* joints)
{
  for (int k = 0; k < study->patch_count; ++k)
  {
    const lwPatch* patch = &study->patches[k];
    if (!lw_patch_acts(patch, values)) continue;
    bool entry        = patch->where == LW_PATCH_GRAVITY_ENTRY;
    lwJointDef* joint = &joints[patch->joint];
    double* number    = entry ? &gravity[patch->joint] : (double*)((char*)joint + patch->offset);
    if (entry || patch->where == LW_PATCH_FIELD) *number = patched(patch, *number, values);
    // Another mass of the same body: its inertia changes in proportion, and stays possible.
    if (patch->where == LW_PATCH_MASS)
    {
      double mass = patched(patch, joint->link.mass, values);
      if (joint->link.mass > 0) scale_all(joint->link.inertia, 6, mass / joint->link.mass);
      joint->link.mass = mass;
    }
    if (patch->where == LW_PATCH_INERTIA)
      scale_all(joint->link.inertia, 6, patched_factor(patch, values));
    if (patch->where == LW_PATCH_GRAVITY) scale_all(gravity, 3, patched_factor(patch, values));
  }
}

lwModel* lw_study_model(lwStudyWorker* worker, const lwRobotDef* base, lwStudyRow* row)
{
  const lwStudy* study    = worker->study;
  lwRobotDef robot        = *base;
  lwLinkDef* payload      = &worker->joints[base->count].link;
  lwModel* model          = NULL;
  lwModelOptions tolerant = {.lint.accept = "density"};  // a payload may be a point
  robot.file = robot.text = NULL;                        // what is wrong comes from the study
  robot.places = robot.base_places = NULL;
  robot.joints                     = worker->joints;
  memcpy(worker->joints, base->joints, (size_t)base->count * sizeof *worker->joints);
  *payload = study->payload;
  patch_robot(study, lw_row_numbers(row), robot.gravity, worker->joints);
  if (study->payload_joint >= 0)
  {
    if (!(payload->mass >= 0))
    {
      lw_row_fail(row, LW_SAMPLE_STATE_IMPOSSIBLE, "the payload has a mass of %g kg",
                  payload->mass);
      return NULL;
    }
    lw_link_def_add(&worker->joints[study->payload_joint].link, payload->mass, payload->com,
                    payload->inertia);
  }
  if (lw_model_create(&robot, &tolerant, NULL, &model) == LW_OK) return model;
  lwDiag* diag = lw_diag_create();  // once more, to tell the first thing that is wrong
  lw_model_create(&robot, NULL, diag, &model);
  lw_model_destroy(model);
  lw_row_refuse(row, diag);
  lw_diag_destroy(diag);
  return NULL;
}

bool lw_study_varies(const lwStudy* study, lwPatchWhere first, lwPatchWhere last)
{
  bool varies = false;
  for (int k = 0; k < study->patch_count; ++k)
    varies = varies || (study->patches[k].where >= first && study->patches[k].where <= last);
  return varies;
}

double lw_study_time(const lwStudy* study, const double* values)
{
  double factor = 1;
  for (int k = 0; k < study->patch_count; ++k)
    if (study->patches[k].where == LW_PATCH_TIME && lw_patch_acts(&study->patches[k], values))
      factor = patched(&study->patches[k], factor, values);
  return factor;
}

// --- texts

typedef struct Piece
{
  const lwPatch* patch;
  char text[256];
} Piece;

static int by_offset(const void* a, const void* b)
{
  const Piece *first = a, *second = b;
  size_t x = first->patch->offset, y = second->patch->offset;
  return x < y ? -1 : x > y;
}

static char* splice(const lwTextFile* file, const Piece* pieces, int count, size_t* length)
{
  char* text = malloc(file->length + (size_t)count * sizeof pieces[0].text + 1);
  size_t at = 0, to = 0;
  for (int i = 0; i < count && text; ++i)
  {
    const lwPatch* patch = pieces[i].patch;
    size_t bytes         = strlen(pieces[i].text);
    if (patch->offset < at) continue;  // the same number once more
    memcpy(text + to, file->text + at, patch->offset - at);
    to += patch->offset - at;
    memcpy(text + to, pieces[i].text, bytes);
    to += bytes;
    at = patch->offset + patch->length;
  }
  if (!text) return NULL;
  memcpy(text + to, file->text + at, file->length - at);
  *length       = to + file->length - at;
  text[*length] = 0;
  return text;
}

char* lw_study_patched_text(const lwStudy* study, const lwTextFile* file, const double* values,
                            size_t* length)
{
  Piece* pieces = calloc((size_t)study->patch_count + 1, sizeof *pieces);
  int count     = 0;
  if (!pieces) return NULL;
  for (int k = 0; k < study->patch_count; ++k)
    if (study->patches[k].where == LW_PATCH_TEXT && lw_patch_acts(&study->patches[k], values))
      pieces[count++].patch = &study->patches[k];
  for (int i = 0; i < count; ++i)
  {
    const lwPatch* patch = pieces[i].patch;
    char number[LW_NUMBER_SIZE];
    lw_number_write(patched(patch, patch->number, values), number);
    const char* form   = patch->form ? patch->form : "$";
    const char* dollar = strchr(form, '$');
    int before         = dollar ? (int)(dollar - form) : (int)strlen(form);
    snprintf(pieces[i].text, sizeof pieces[i].text, "%.*s%s%s%s", before, form,
             dollar ? number : "", dollar ? dollar + 1 : "", patch->after);
  }
  qsort(pieces, (size_t)count, sizeof *pieces, by_offset);
  char* text = splice(file, pieces, count, length);
  free(pieces);
  return text;
}

void* lw_sample_read(const lwStudyWorker* worker, const lwTextFile* file, lwStudyRow* row,
                     lwReadSample* read, lwStatus* status)
{
  size_t length;
  void* made   = NULL;
  char* text   = lw_study_patched_text(worker->study, file, lw_row_numbers(row), &length);
  lwDiag* diag = lw_diag_create();
  *status      = text && diag ? read(file->path, text, length, diag, &made) : LW_ERROR_MEMORY;
  if (*status != LW_OK && *status != LW_ERROR_MEMORY)
  {
    lw_row_refuse(row, diag);
    *status = LW_OK;
  }
  free(text);
  lw_diag_destroy(diag);
  return made;
}
