// SPDX-License-Identifier: MIT
// The last link seen from its joints: where it is,
// how it differs from where it should be, how it moves.
#ifndef LW_TRAJECTORY_IK_TASK_H
#define LW_TRAJECTORY_IK_TASK_H

#include "base/arena.h"
#include "linkwork/trajectory.h"
#include "math/svd.h"

typedef struct lwTask
{
  const lwModel* model;
  lwWorkspace* ws;
  int n;
  double* J;   // (6, n) of the last lw_task_jacobian()
  double* Jd;  // (6, n) its rate, of the last lw_task_jacobian_rate()
  lwSvd svd;   // of the last lw_task_decompose()
} lwTask;

// Whether the workspace has what a task asks, also with closed loops. LW_ERROR_METHOD if not.
lwStatus lw_task_check(const lwModel* model, const lwWorkspace* ws, lwDiag* diag);

bool lw_task_take(lwTask* task, lwArena* arena, const lwModel* model,
                  lwWorkspace* ws);  // false: no memory

void lw_task_jacobian(lwTask* task, const double* q);  // task->J

// task->Jd for the Jacobian in task->J and joint velocities qd.
void lw_task_jacobian_rate(lwTask* task, const double* qd);

// Decomposes the first `rows` rows of a matrix (6, n), rows 3 or 6, into task->svd.
void lw_task_decompose(lwTask* task, const double* matrix, int rows);

// position - p in base axes, and the rotation vector that leads from R to rotation, in base axes.
void lw_pose_error(const double position[3], const double rotation[9], const double p[3],
                   const double R[9], double error[6]);

// A length of the arm, m: the largest distance of the last
// link's origin from the axes that turn it.
double lw_task_size(lwTask* task, const double* q);

#endif
