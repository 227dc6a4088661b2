// SPDX-License-Identifier: MIT
// tau = M(q) qdd + C(q, qd) qd + g(q): the torques of a robot file's arm in a motion.
#include <stdio.h>

#include "linkwork/linkwork.h"
#include "linkwork/read.h"

int main(void)
{
  lwModel* arm    = NULL;
  lwWorkspace* ws = NULL;
  lwDiag* diag    = lw_diag_create();
  lwStatus status = lw_robot_read_file("robots/planar2r.yaml", NULL, diag, &arm);
  if (status == LW_OK) status = lw_workspace_create(arm, NULL, &ws);
  if (status != LW_OK)
  {
    for (int i = 0; i < lw_diag_size(diag); ++i)
      fprintf(stderr, "%s\n", lw_diag_message(diag, i)->text);
    return 1;
  }
  double q[] = {0.3, -0.5}, qd[] = {1, 2}, qdd[] = {0.1, 0.2}, tau[2];
  lw_inverse_dynamics(arm, ws, q, qd, qdd, tau);  // RNEA
  printf("%g %g N m\n", tau[0], tau[1]);
  lw_workspace_destroy(ws);
  lw_model_destroy(arm);
  lw_diag_destroy(diag);
}
