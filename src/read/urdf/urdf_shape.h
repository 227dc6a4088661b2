// SPDX-License-Identifier: MIT
// Shapes of URDF links.
#ifndef LW_READ_URDF_URDF_SHAPE_H
#define LW_READ_URDF_URDF_SHAPE_H

#include "linkwork/parts.h"
#include "read/urdf/urdf.h"

#define LW_URDF_DENSITY                                                                            \
  1000.0  // kg/m^3, of links whose mass is estimated: about that of whole robot links

// Keeps the shapes of a link; warns about those that cannot be understood.
void lw_urdf_read_shapes(lwUrdf* urdf, lwUrdfLink* link);

// Measures the shapes of a link whose mass properties are read, and estimates those that are
// missing if that is asked for. Meshes are read only where the options ask for it.
void lw_urdf_measure(lwUrdf* urdf, lwUrdfLink* link);

// Notes how many links could not be measured.
void lw_urdf_note_measured(lwUrdf* urdf);

enum
{
  LW_URDF_LONGEST_PATH = 4096
};

// Where a mesh is that a URDF file names; packages: folders separated by colons, or NULL. False:
// there is no such file.
bool lw_urdf_find_mesh(const char* file, const char* packages, const char* name,
                       char path[LW_URDF_LONGEST_PATH]);

// The body of a mesh as it is written in the file, without its scale. NULL, or why there is none.
const char* lw_urdf_mesh(lwUrdf* urdf, const char* name, lwSolid* solid);

#endif
