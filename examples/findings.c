// SPDX-License-Identifier: MIT
// What is wrong or doubtful in a robot file, as an editor or a build would show it: the place, a
// sentence, the source line and what to do. The text is a robot with two mistakes.
#include <stdio.h>
#include <string.h>

#include "linkwork/linkwork.h"

static const char TEXT[] =
    "linkwork: 1\n"
    "name: doubtful\n"
    "dh: modified\n"
    "joints:\n"
    "  - name: shoulder\n"
    "    type: revolut\n"
    "    link: {mass: 1, com: [0.5, 0, 0], inertia: [0.02, 0.02, 0.02, 0, 0, 0]}\n"
    "  - name: elbow\n"
    "    type: revolute\n"
    "    a: 1\n"
    "    link: {mass: -2, com: [0.5, 0, 0], inertia: [0.02, 0.02, 0.02, 0, 0, 0]}\n";

int main(void)
{
  char text[2000];
  lwModel* arm    = NULL;
  lwDiag* diag    = lw_diag_create();
  lwStatus status = lw_robot_read_text("doubtful.yaml", TEXT, strlen(TEXT), NULL, diag, &arm);
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    lw_message_format(lw_diag_message(diag, i), text, sizeof text);
    fputs(text, stdout);
  }
  printf("%d errors: %s\n", lw_diag_count(diag, LW_SEVERITY_ERROR), lw_status_text(status));
  lw_diag_destroy(diag);
  lw_model_destroy(arm);
  return status == LW_ERROR_INPUT ? 0 : 1;
}
