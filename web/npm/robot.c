// SPDX-License-Identifier: MIT
// The functions that the npm package calls: a robot from a file, and answers about it.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../wasm/message.h"
#include "linkwork/dynamics.h"
#include "linkwork/methods.h"
#include "linkwork/read.h"

typedef struct Robot
{
  lwModel* model;
  lwWorkspace* ws;
} Robot;

// The readers ask for it, wasi-libc has none: files in memory have one name each.
char* realpath(const char* restrict path, char* restrict resolved)
{
  struct stat about;
  if (stat(path, &about)) return NULL;
  return resolved ? strcpy(resolved, path) : strdup(path);
}

void* EXPORT(take_memory)(size_t size)
{
  return malloc(size);
}

void EXPORT(give_memory)(void* memory)
{
  free(memory);
}

void EXPORT(robot_close)(Robot* robot)
{
  if (!robot) return;
  lw_workspace_destroy(robot->ws);
  lw_model_destroy(robot->model);
  free(robot);
}

// NULL: failed, see session_message(). A robot with closed loops is refused where it is asked, not
// here: its pose and energy have answers.
Robot* EXPORT(robot_open)(const char* path)
{
  Robot* robot       = calloc(1, sizeof *robot);
  lwDiag* diag       = lw_diag_create();
  lwStatus status    = LW_ERROR_MEMORY;
  lwWorkspaceDef def = lw_workspace_def();
  def.open_tree      = true;
  if (robot && diag) status = lw_robot_read_file(path, NULL, diag, &robot->model);
  if (status == LW_OK) status = lw_workspace_create(robot->model, &def, diag, &robot->ws);
  if (status != LW_OK)
  {
    message_keep(diag, status);
    robot_close(robot);
    robot = NULL;
  }
  lw_diag_destroy(diag);
  return robot;
}

int EXPORT(robot_dof)(const Robot* robot)
{
  return lw_model_dof(robot->model);
}

int EXPORT(robot_nq)(const Robot* robot)
{
  return lw_model_nq(robot->model);
}

const char* EXPORT(robot_name)(const Robot* robot)
{
  return lw_model_name(robot->model);
}

int EXPORT(robot_joints)(const Robot* robot)
{
  return lw_model_joint_count(robot->model);
}

const char* EXPORT(robot_joint_name)(const Robot* robot, int joint)
{
  return lw_model_joint_name(robot->model, joint);
}

int EXPORT(question_count)(void)
{
  return LW_QUESTION_COUNT;
}

const char* EXPORT(question_name)(int question)
{
  return lw_question_info((lwQuestion)question)->name;
}

// Entries of the answer; -1: it cannot be asked of this robot, see session_message().
int EXPORT(robot_outputs)(const Robot* robot, int question)
{
  lwDiag* diag    = lw_diag_create();
  lwStatus status = lw_question_check(robot->model, (lwQuestion)question, false, diag);
  if (status != LW_OK) message_keep(diag, status);
  lw_diag_destroy(diag);
  return status == LW_OK ? (int)lw_question_outputs(robot->model, (lwQuestion)question) : -1;
}

// state: q (nq), qd, qdd, tau (dof), wrench (6), one after the other.
void EXPORT(robot_answer)(Robot* robot, int question, const double* state, double* out)
{
  int nq = lw_model_nq(robot->model), dof = lw_model_dof(robot->model);
  const double* at = state + nq;
  lwStates states  = {state, at, at + dof, at + 2 * dof, at + 3 * dof};
  lw_answer(robot->model, robot->ws, (lwQuestion)question, &states, out);
}

// The neutral position, in which quaternions are those of no rotation.
void EXPORT(robot_neutral)(const Robot* robot, double* q)
{
  lw_model_neutral(robot->model, q);
}
