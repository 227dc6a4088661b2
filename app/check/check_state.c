// SPDX-License-Identifier: MIT
// States of the checks as people type them.
#include <string.h>

#include "check_command.h"

void check_list_write(lwOut* out, const char* option, const double* values, int count)
{
  lw_out_format(out, " %s ", option);
  for (int i = 0; i < count; ++i)
  {
    if (i > 0) lw_out_text(out, ",");
    lw_out_number(out, values[i]);
  }
}

void check_state_write(lwOut* out, const lwRandomState* state, unsigned inputs)
{
  bool wrench = state->wrench[0] != 0;
  if (inputs & LW_INPUT_Q) check_list_write(out, "--q", state->q, state->nq);
  if (inputs & LW_INPUT_QD) check_list_write(out, "--qd", state->qd, state->n);
  if (inputs & LW_INPUT_QDD) check_list_write(out, "--qdd", state->qdd, state->n);
  if (inputs & LW_INPUT_TAU) check_list_write(out, "--tau", state->tau, state->n);
  if ((inputs & LW_INPUT_WRENCH) && wrench) check_list_write(out, "--wrench", state->wrench, 6);
}

// In single quotes, a quote as '\''.
void check_path_write(lwOut* out, const char* path)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./";
  if (*path && path[strspn(path, plain)] == 0) return lw_out_text(out, path);
  lw_out_text(out, "'");
  for (; *path; ++path)
  {
    if (*path == '\'')
      lw_out_text(out, "'\\''");
    else
      lw_out_bytes(out, path, 1);
  }
  lw_out_text(out, "'");
}
