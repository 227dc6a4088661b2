// SPDX-License-Identifier: MIT
// Arbitrary bytes through the reader of laws: no crash, no leak, and a law that can be evaluated if
// and only if the status is LW_OK.
#include <string.h>

#include "checks.h"
#include "drive/law.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  char text[1024];
  if (size >= sizeof text) return 0;
  memcpy(text, data, size);
  text[size]     = 0;
  lwDiag* diag   = lw_diag_create();
  lwLaw* law     = NULL;
  lwLawText from = {.source = {.file = "law", .text = text, .length = strlen(text)},
                    .text   = text,
                    .place  = {1, 1},
                    .state  = size % 2 == 0};
  if (!diag) return 0;
  lwStatus status = lw_law_read(&from, diag, &law);
  check_reading(status, law != NULL, diag);
  for (int k = 0; law && k < 3; ++k) lw_law_at(law, &(lwLawPoint){0.5 * k, k + 1, 3, 0.1, -0.2});
  lw_law_destroy(law);
  lw_diag_destroy(diag);
  return 0;
}
