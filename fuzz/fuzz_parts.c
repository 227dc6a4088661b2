// SPDX-License-Identifier: MIT
// Arbitrary bytes through the readers of parts files and of meshes: no crash, no leak, and a result
// that adds up if and only if the status is LW_OK.
#include <math.h>
#include <string.h>

#include "checks.h"
#include "linkwork/parts.h"
#include "parts/mesh.h"

static void check_link(const lwPartsLink* link)
{
  double mass = 0, size = 0;
  require(link->body.mass > 0 && isfinite(link->body.mass) && link->count > 0);
  for (int i = 0; i < link->count; ++i)
  {
    mass += link->pieces[i].mass;
    size += fabs(link->pieces[i].mass);
  }
  require(fabs(mass - link->body.mass) <= 1e-9 * size);
  for (int i = 0; i < 6; ++i) require(isfinite(link->body.inertia[i]));
}

static void read_parts(const uint8_t* data, size_t size, const lwLint* lint)
{
  lwDiag* diag   = lw_diag_create();
  lwParts* parts = NULL;
  if (!diag) return;
  lwStatus status = lw_parts_read_text("fuzz.yaml", (const char*)data, size, lint, diag, &parts);
  check_reading(status, parts != NULL, diag);
  for (int i = 0; parts && i < lw_parts_count(parts); ++i) check_link(lw_parts_link(parts, i));
  lw_parts_destroy(parts);
  lw_diag_destroy(diag);
}

// name: its ending says the format.
static void read_mesh(const char* name, const uint8_t* data, size_t size)
{
  lwDiag* diag = lw_diag_create();
  lwSolid solid;
  if (!diag) return;
  lwStatus status = lw_mesh_read_bytes(name, (const char*)data, size, 0.001, diag, &solid);
  check_reading(status, solid.volume > 0, diag);
  for (int i = 0; i < 6; ++i) require(isfinite(solid.inertia[i]));
  lw_diag_destroy(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  bool solid = size > 5 && !memcmp(data, "solid", 5);
  if (size > 4 && !memcmp(data, "obj\n", 4))
    read_mesh("fuzz.obj", data + 4, size - 4);
  else if (size > 0 && data[0] == '<')
    read_mesh("fuzz.dae", data, size);
  else if (solid || memchr(data, 0, size))  // otherwise the bytes cannot be a mesh
    read_mesh("fuzz.stl", data, size);
  else
    read_parts(data, size, &(lwLint){.strict = way_of(data, size, 2) != 0});
  return 0;
}
