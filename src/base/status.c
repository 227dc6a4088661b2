// SPDX-License-Identifier: MIT
#include "linkwork/base.h"

#define TEXT_OF(number)             #number
#define DOTTED(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char* lw_version(void)
{
  return DOTTED(LW_VERSION_MAJOR, LW_VERSION_MINOR, LW_VERSION_PATCH);
}

#define STATUS_TEXT(name, text) [name] = text,
static const char* const status_texts[] = {LW_STATUS_LIST(STATUS_TEXT)};

const char* lw_status_text(lwStatus status)
{
  size_t i = (size_t)status;
  return i < sizeof status_texts / sizeof *status_texts ? status_texts[i] : "unknown status";
}
