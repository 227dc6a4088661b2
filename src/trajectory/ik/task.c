// SPDX-License-Identifier: MIT
#include "trajectory/ik/task.h"

#include <math.h>
#include <string.h>

#include "answer/workspace.h"
#include "base/arrays.h"
#include "base/diag.h"
#include "math/rotation.h"
#include "model/model_internal.h"

bool lw_task_take(lwTask* task, lwArena* arena, const lwModel* model, lwWorkspace* ws)
{
  size_t size            = 6 * (size_t)lw_model_dof(model);
  const lwArray arrays[] = {{&task->J, size}, {&task->Jd, size}, {&task->svd.B, size}, {0}};
  *task                  = (lwTask){.model = model, .ws = ws, .n = lw_model_dof(model)};
  return lw_arrays_take(arena, arrays);
}

lwStatus lw_task_check(const lwModel* model, const lwWorkspace* ws, lwDiag* diag)
{
  if (lw_workspace_answers(ws, LW_QUESTION_JACOBIAN) && lw_workspace_answers(ws, LW_QUESTION_POSE))
    return LW_OK;
  return lw_refuse(diag, LW_ERROR_METHOD, "lwWorkspaceDef.open_tree, for a robot with closed loops",
                   "the workspace of '%.60s' does not answer pose and jacobian", model->robot.name);
}

void lw_task_jacobian(lwTask* task, const double* q)
{
  lw_jacobian(task->model, task->ws, q, task->J);
}

static void get_column(const double* J, int n, int i, double linear[3], double angular[3])
{
  for (int k = 0; k < 3; ++k)
  {
    linear[k]  = J[(size_t)k * (size_t)n + (size_t)i];
    angular[k] = J[(size_t)(k + 3) * (size_t)n + (size_t)i];
  }
}

// Velocities that begin to move axes together at velocity i: 1, those of a ball or floating joint
// at its first, and 0 at its others.
static int joint_width(const lwModel* model, int i)
{
  lwCoordinate entry = lw_model_velocity(model, i);
  int count          = 1;
  if (entry.other >= 0) return 1;
  if (i > 0 && lw_model_velocity(model, i - 1).joint == entry.joint) return 0;
  while (i + count < lw_model_dof(model) &&
         lw_model_velocity(model, i + count).joint == entry.joint)
    ++count;
  return count;
}

// Column i is (v_i, w_i): what joint i gives to the last link. Joints on the side of the base turn
// it along with W_i = sum over j <= i of w_j qd_j; joints farther out move the point that it turns
// about w_i by U_i = sum over j > i of v_j qd_j. So v_i' = W_i x v_i + w_i x U_i and w_i' = W_i x
// w_i, for revolute and prismatic joints alike. The axes of a ball or floating joint turn with all
// of its own motion: W_i has all of it, and U_i none.
void lw_task_jacobian_rate(lwTask* task, const double* qd)
{
  int n       = task->n;
  double W[3] = {0}, U[3] = {0};
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < n; ++j) U[k] += task->J[k * n + j] * qd[j];
  for (int i = 0; i < n; ++i)
  {
    double v[3], w[3], Wv[3], wU[3], Ww[3];
    for (int j = i; j < i + joint_width(task->model, i); ++j)
    {
      get_column(task->J, n, j, v, w);
      for (int k = 0; k < 3; ++k)
      {
        W[k] += w[k] * qd[j];
        U[k] -= v[k] * qd[j];
      }
    }
    get_column(task->J, n, i, v, w);
    lw_cross(W, v, Wv);
    lw_cross(w, U, wU);
    lw_cross(W, w, Ww);
    for (int k = 0; k < 3; ++k)
    {
      task->Jd[k * n + i]       = Wv[k] + wU[k];
      task->Jd[(k + 3) * n + i] = Ww[k];
    }
  }
}

void lw_task_decompose(lwTask* task, const double* matrix, int rows)
{
  task->svd.rows    = rows;
  task->svd.columns = task->n;
  memcpy(task->svd.B, matrix, (size_t)rows * (size_t)task->n * sizeof(double));
  lw_svd(&task->svd);
}

void lw_pose_error(const double position[3], const double rotation[9], const double p[3],
                   const double R[9], double error[6])
{
  double back[9], difference[9];
  for (int k = 0; k < 3; ++k) error[k] = position[k] - p[k];
  lw_rotation_transpose(R, back);
  lw_rotation_product(rotation, back, difference);
  lw_rotation_log(difference, error + 3);
}

double lw_task_size(lwTask* task, const double* q)
{
  double most = 0;
  lw_task_jacobian(task, q);
  for (int i = 0; i < task->n; ++i)
  {
    double v[3], w[3];
    get_column(task->J, task->n, i, v, w);
    if (lw_length(w) > 0) most = fmax(most, lw_length(v));
  }
  return most > 0 ? most : 1;
}
