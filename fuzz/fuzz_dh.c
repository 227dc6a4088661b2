// SPDX-License-Identifier: MIT
// The same as fuzz_robot.c for tables of Denavit-Hartenberg parameters.
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static const lwModelOptions options[] = {{.lint.strict = false}, {.lint.strict = true}};
  read_robot("fuzz.csv", data, size, &options[way_of(data, size, 2)]);
  return 0;
}
