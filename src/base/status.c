// SPDX-License-Identifier: MIT
#include "linkwork/base.h"

#ifndef LW_VERSION
#error "the build gives LW_VERSION"
#endif

const char* lw_version(void)
{
  return LW_VERSION;
}

#define STATUS_TEXT(name, text) [name] = text,
static const char* const status_texts[] = {LW_STATUS_LIST(STATUS_TEXT)};

const char* lw_status_text(lwStatus status)
{
  size_t i = (size_t)status;
  return i < sizeof status_texts / sizeof *status_texts ? status_texts[i] : "unknown status";
}
