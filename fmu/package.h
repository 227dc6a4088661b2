// SPDX-License-Identifier: MIT
// Writes a functional mock-up unit (FMI 2.0): a ZIP archive of modelDescription.xml, the sources of
// the simulator with the model as C data, a binary of the same sources, and the same data as
// resources of the binary.
#ifndef LW_FMU_PACKAGE_H
#define LW_FMU_PACKAGE_H

#include "plant.h"
#include "text/out.h"

// A file of the archive.
typedef struct Packed
{
  const char* name;  // in the archive, or of a resource
  const char* text;
  size_t length;
} Packed;

enum
{
  PACKAGE_MOST = 40  // files
};

// name: a C identifier. resources: "scenario", "robot" and what these name.
typedef struct PackageDef
{
  const char* name;
  const Plant* plant;
  const Packed* resources;
  int count;
  double duration, interval;  // s, of the scenario
} PackageDef;

// Writes the archive into out.
lwStatus package_write(const PackageDef* def, lwOut* out);

#endif
