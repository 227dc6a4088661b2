// SPDX-License-Identifier: MIT
// Arbitrary bytes through the snake reader: no crash, no leak, and a snake that can be asked if and only if the status
// is LW_OK.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/read.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void require(int condition)
{
  if (!condition) abort();
}

static void read_with(const uint8_t* data, size_t size, const lwLint* lint)
{
  lwDiag* diag   = lw_diag_create();
  lwSnake* snake = NULL;
  if (!diag) return;
  lwStatus status = lw_snake_read_text("fuzz.yaml", (const char*)data, size, lint, diag, &snake);
  require((status == LW_OK) == (snake != NULL));
  require(status == LW_OK || lw_diag_count(diag, LW_SEVERITY_ERROR) > 0);
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    char text[8192];
    size_t length = lw_message_format(lw_diag_message(diag, i), text, sizeof text);
    require(length < sizeof text && strlen(text) == length && text[length - 1] == '\n');
  }
  if (snake) require(lw_snake_count(snake) >= 2 && lw_snake_length(snake) > 0);
  lw_snake_destroy(snake);
  lw_diag_destroy(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  read_with(data, size, NULL);
  read_with(data, size, &(lwLint){.strict = true});
  return 0;
}
