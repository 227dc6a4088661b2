// SPDX-License-Identifier: MIT
// Every method of inverse dynamics on one state: its year in the literature, what it costs, and how
// far it is from recursive Newton-Euler.
#include <math.h>
#include <stdio.h>

#include "linkwork/linkwork.h"

#define N 6  // joints

int main(int argc, char** argv)
{
  const double q[N]   = {0.1, -0.8, 0.6, 0.3, 0.9, -0.4};
  const double qd[N]  = {0.5, -0.2, 0.3, 0.4, -0.6, 0.1};
  const double qdd[N] = {1, 0.5, -0.7, 0.4, 0.9, -1.2};
  double first[N], tau[N], worst = 0, size = 0;
  lwModel* arm       = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE);
  if (lw_robot_read_file(argc > 1 ? argv[1] : "robots/puma560.yaml", NULL, NULL, &arm) != LW_OK ||
      lw_model_dof(arm) != N)
    return 3;
  for (int i = 0, done = 0; i < lw_method_count(); ++i)
  {
    const lwMethod* method = lw_method(i);
    lwWorkspace* ws        = NULL;
    lwCount count;
    double off  = 0;
    def.inverse = method->name;
    if (method->question != LW_QUESTION_INVERSE) continue;
    if (lw_workspace_create(arm, &def, NULL, &ws) != LW_OK ||
        lw_method_measure(arm, i, &count) != LW_OK)
      return 3;
    lw_inverse_dynamics(arm, ws, q, qd, qdd, done++ ? tau : first);
    for (int k = 0; k < N; ++k)
    {
      size = fmax(size, fabs(first[k]));
      off  = done > 1 ? fmax(off, fabs(tau[k] - first[k])) : 0;
    }
    printf("%-28s %7ld multiplications %7ld additions  %.0e N m  %s\n", method->name, count.mul,
           count.add, off, method->source);
    worst = fmax(worst, off);
    lw_workspace_destroy(ws);
  }
  lw_model_destroy(arm);
  return worst <= 1e-12 * size ? 0 : 1;
}
