// SPDX-License-Identifier: MIT
// Arbitrary bytes through the reader of scenarios: no crash, no leak, and a scenario if and only if
// the status is LW_OK.
#include <string.h>

#include "checks.h"
#include "linkwork/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  lwDiag* diag         = lw_diag_create();
  lwScenario* scenario = NULL;
  if (!diag) return 0;
  lwStatus status =
      lw_scenario_read_text("fuzz.yaml", (const char*)data, size, NULL, diag, &scenario);
  check_reading(status, scenario != NULL, diag);
  lw_scenario_destroy(scenario);
  lw_diag_destroy(diag);
  return 0;
}
