// SPDX-License-Identifier: MIT
// Arbitrary bytes through the robot reader: no crash, no leak, no malformed message, and a model if
// and only if the status is LW_OK.
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static const lwModelOptions options[] = {
      {.lint.strict = false}, {.lint.allow_bad_inertia = true}, {.lint.strict = true}};
  read_robot("fuzz.yaml", data, size, &options[way_of(data, size, 3)]);
  return 0;
}
