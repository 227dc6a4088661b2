// SPDX-License-Identifier: MIT
// A snake of six links on passive wheels, in an arc: its acceleration by all methods (nia2005 (8)),
// the forces of its wheels, and the torques that would push it forward.
//
//   M(theta) udot + N(theta, u) omega = F,   u = (V1, theta1 dot)
#include <math.h>
#include <stdio.h>

#include "linkwork/linkwork.h"

#define N 6  // links

int main(int argc, char** argv)
{
  const double theta[N] = {0, 0.3, 0.5, 0.6, 0.5, 0.2}, u[2] = {0.4, 0.1};
  const double torque[N - 1] = {0.2, -0.1, 0.3, 0.1, -0.2}, wanted[2] = {0.5, 0};
  double udot[2], first[2] = {0}, lambda[N], push[N - 1], reached[2], worst = 0;
  lwSnake* snake      = NULL;
  lwSnakeWorkspace* w = NULL;
  lwSnakeStates state = {theta, u, torque};
  const char* path    = argc > 1 ? argv[1] : "robots/snakes/table2_n6.yaml";
  if (lw_snake_read_file(path, NULL, NULL, &snake) != LW_OK || lw_snake_count(snake) != N) return 3;
  for (int i = lw_snake_method_count() - 1; i >= 0; --i)
  {
    lwSnakeWorkspaceDef def = lw_snake_workspace_def();
    def.method              = lw_snake_method(i)->name;
    lw_snake_workspace_destroy(w);
    if (lw_snake_workspace_create(snake, &def, NULL, &w) != LW_OK) return 3;
    lw_snake_answer(snake, w, &state, &(lwSnakeAnswers){.udot = udot, .lambda = lambda});
    printf("%-16s V1 dot %.12f m/s^2, theta1 ddot %.12f rad/s^2\n", def.method, udot[0], udot[1]);
    for (int k = 0; k < 2; ++k)
    {
      if (i == lw_snake_method_count() - 1) first[k] = udot[k];
      worst = fmax(worst, fabs(udot[k] - first[k]));
    }
  }
  for (int k = 0; k < N; ++k) printf("wheel %d pushes with %8.4f N\n", k + 1, lambda[k]);
  int rank = lw_snake_torque(snake, w, &state, wanted, push, reached);
  printf("forward with %.1f m/s^2: rank %d, torques", reached[0], rank);
  for (int k = 0; k < N - 1; ++k) printf(" %.4f", push[k]);
  printf(" N m\n");
  lw_snake_workspace_destroy(w);
  lw_snake_destroy(snake);
  return worst < 1e-9 && fabs(reached[0] - wanted[0]) < 1e-9 ? 0 : 1;
}
