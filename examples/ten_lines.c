// SPDX-License-Identifier: MIT
// The torques tau = M(q) qdd + C(q, qd) qd + g(q) of an arm read from a file.
#include <stdio.h>

#include "linkwork/linkwork.h"
#include "linkwork/read.h"

int main(void)
{
  const char* path = "robots/planar2r.yaml";
  double q[] = {0.3, -0.5}, qd[] = {1, 2}, qdd[] = {0.1, 0.2}, tau[2];
  lwModel* arm    = NULL;
  lwWorkspace* ws = NULL;
  lwDiag* diag    = lw_diag_create();
  lwStatus status = lw_robot_read_file(path, NULL, diag, &arm);
  if (status == LW_OK) status = lw_workspace_create(arm, NULL, diag, &ws);
  if (status == LW_OK) lw_inverse_dynamics(arm, ws, q, qd, qdd, tau);  // by RNEA
  if (status == LW_OK) printf("%g %g N m\n", tau[0], tau[1]);
  for (int i = 0; i < lw_diag_size(diag); ++i)
    fprintf(stderr, "%s: %s\n", path, lw_diag_message(diag, i)->text);
  lw_workspace_destroy(ws);
  lw_model_destroy(arm);
  lw_diag_destroy(diag);
  return status == LW_OK ? 0 : 1;
}
