// SPDX-License-Identifier: MIT
#include "exit.h"

#include "note.h"

int fail(int code, const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  say_line("linkwork: error: ", format, arguments);
  va_end(arguments);
  return code;
}

int no_memory(void)
{
  return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
}

int exit_of(lwStatus status)
{
  switch (status)
  {
    case LW_OK:
      return DONE;
    case LW_ERROR_NUMERICAL:
      return NUMERICAL;
    case LW_ERROR_METHOD:
    case LW_ERROR_FRAME:
    case LW_ERROR_LOCK:
    case LW_ERROR_QUAD:
      return USAGE;
    default:
      return INPUT;
  }
}
