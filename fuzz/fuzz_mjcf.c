// SPDX-License-Identifier: MIT
// The same as fuzz_robot.c for MJCF files, with some joints fixed and mimic joints set free.
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static const lwModelOptions options[] = {
      {.lint.strict = false},
      {.lint.strict = true},
      {.lint.allow_bad_inertia = true, .joints.free_mimics = true, .read.fix = "j, z"}};
  read_robot("fuzz.xml", data, size, &options[way_of(data, size, 3)]);
  return 0;
}
