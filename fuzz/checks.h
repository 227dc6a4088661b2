// SPDX-License-Identifier: MIT
// Shared by the fuzz targets: assertions, checks of messages, and a choice among several code paths
// by the input's bytes.
#ifndef FUZZ_CHECKS_H
#define FUZZ_CHECKS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/base.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static inline void require(int condition)
{
  if (!condition) abort();
}

// The text has no control characters except newlines.
static inline void require_text(const char* text, size_t length)
{
  for (size_t i = 0; i < length; ++i) require((unsigned char)text[i] >= ' ' || text[i] == '\n');
}

// Every message can be formatted into a buffer of any size and has no control characters.
static inline void show_message(const lwMessage* message)
{
  char small[16], text[8192];
  size_t length = lw_message_format(message, text, sizeof text);
  require(length == lw_message_format(message, small, sizeof small));
  require(strlen(small) < sizeof small && strncmp(small, text, strlen(small)) == 0);
  require(length < sizeof text && strlen(text) == length && text[length - 1] == '\n');
  require_text(text, length);
  require(message->place.line >= 0 && (message->place.line == 0 || message->place.column > 0));
}

// There is a result if and only if the status is LW_OK; otherwise an error was reported.
static inline void check_reading(lwStatus status, int made, const lwDiag* diag)
{
  require((status == LW_OK) == (made != 0));
  require(status == LW_OK || lw_diag_count(diag, LW_SEVERITY_ERROR) > 0);
  for (int i = 0; i < lw_diag_size(diag); ++i) show_message(lw_diag_message(diag, i));
}

// Chooses one of `count` code paths by a hash of the bytes: always the same for the same input,
// different for similar inputs.
static inline int way_of(const uint8_t* data, size_t size, int count)
{
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ data[i]) * 16777619u;
  return (int)(hash % (uint32_t)count);
}

#endif
