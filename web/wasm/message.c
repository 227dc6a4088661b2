// SPDX-License-Identifier: MIT
#include "message.h"

#include <stdio.h>

static char message[4096];  // why the last file, law or run was refused

const char* EXPORT(session_message)(void)
{
  return message;
}

void message_keep(const lwDiag* diag, lwStatus status)
{
  size_t used = 0;
  snprintf(message, sizeof message, "%s", lw_status_text(status));
  for (int i = 0; diag && i < lw_diag_size(diag) && used < sizeof message; ++i)
    if (lw_diag_message(diag, i)->severity == LW_SEVERITY_ERROR)
      used += lw_message_format(lw_diag_message(diag, i), message + used, sizeof message - used);
}
