// SPDX-License-Identifier: MIT
// The same for URDF files, with joints that are fixed and joints that do not follow.
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static const lwModelOptions options[] = {
      {.lint.strict = false},
      {.lint.strict = true},
      {.lint.allow_bad_inertia = true, .joints.free_mimics = true, .read.fix = "j, k"}};
  read_robot("fuzz.urdf", data, size, &options[way_of(data, size, 3)]);
  return 0;
}
