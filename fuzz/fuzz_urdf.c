// SPDX-License-Identifier: MIT
// The same for URDF files, with joints that are fixed and joints that do not follow.
#include "reading.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  read_robot("fuzz.urdf", data, size, NULL);
  read_robot("fuzz.urdf", data, size, &(lwModelOptions){.lint.strict = true});
  read_robot("fuzz.urdf", data, size,
             &(lwModelOptions){
                 .lint.allow_bad_inertia = true, .joints.free_mimics = true, .read.fix = "j, k"});
  return 0;
}
