// SPDX-License-Identifier: MIT
// Arbitrary bytes through the snake reader: no crash, no leak, and a usable snake if and only if
// the status is LW_OK.
#include <string.h>

#include "checks.h"
#include "linkwork/read.h"

static void read_with(const uint8_t* data, size_t size, const lwLint* lint)
{
  lwDiag* diag   = lw_diag_create();
  lwSnake* snake = NULL;
  if (!diag) return;
  lwStatus status = lw_snake_read_text("fuzz.yaml", (const char*)data, size, lint, diag, &snake);
  check_reading(status, snake != NULL, diag);
  if (snake) require(lw_snake_count(snake) >= 2 && lw_snake_length(snake) > 0);
  lw_snake_destroy(snake);
  lw_diag_destroy(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  read_with(data, size, &(lwLint){.strict = way_of(data, size, 2) != 0});
  return 0;
}
