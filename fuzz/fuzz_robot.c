// SPDX-License-Identifier: MIT
// Arbitrary bytes through the robot reader: no crash, no leak, no message that breaks the form, and
// a model if and only if the status is LW_OK.
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  read_robot("fuzz.yaml", data, size, NULL);
  read_robot("fuzz.yaml", data, size, &(lwModelOptions){.lint.allow_bad_inertia = true});
  read_robot("fuzz.yaml", data, size, &(lwModelOptions){.lint.strict = true});
  return 0;
}
