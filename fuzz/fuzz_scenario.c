// SPDX-License-Identifier: MIT
// Arbitrary bytes through the reader of scenarios: no crash, no leak, and a scenario if and only if the status is LW_OK.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void require(int condition)
{
  if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  lwDiag* diag         = lw_diag_create();
  lwScenario* scenario = NULL;
  if (!diag) return 0;
  lwStatus status =
      lw_scenario_read_text("fuzz.yaml", (const char*)data, size, NULL, diag, &scenario);
  require((status == LW_OK) == (scenario != NULL));
  require(status == LW_OK || lw_diag_count(diag, LW_SEVERITY_ERROR) > 0);
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    char text[8192];
    size_t length = lw_message_format(lw_diag_message(diag, i), text, sizeof text);
    require(length < sizeof text && strlen(text) == length && text[length - 1] == '\n');
  }
  lw_scenario_destroy(scenario);
  lw_diag_destroy(diag);
  return 0;
}
