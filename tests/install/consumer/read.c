// SPDX-License-Identifier: MIT
// A program outside linkwork: reads a robot file and prints the torques that hold the arm at rest.
#include <math.h>
#include <stdio.h>

#include <linkwork/linkwork.h>
#include <linkwork/read.h>

static void print_messages(const lwDiag* diag)
{
  char text[1000];
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    lw_message_format(lw_diag_message(diag, i), text, sizeof text);
    fputs(text, stderr);
  }
}

int main(int count, char** words)
{
  if (count != 2) return 2;
  lwDiag* diag    = lw_diag_create();
  lwModel* model  = NULL;
  lwWorkspace* ws = NULL;
  if (lw_robot_read_file(words[1], NULL, diag, &model) != LW_OK ||
      lw_workspace_create(model, NULL, NULL, &ws) != LW_OK || lw_model_dof(model) > 100)
  {
    print_messages(diag);
    return 1;
  }
  double q[100] = {0}, gravity[100];
  lw_gravity(model, ws, q, gravity);
  printf("%s:", lw_model_name(model));
  int wrong = 0;
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    printf(" %.15g", gravity[i]);
    wrong |= !isfinite(gravity[i]);
  }
  printf(" N m\n");
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  lw_diag_destroy(diag);
  return wrong;
}
