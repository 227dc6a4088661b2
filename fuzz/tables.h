// SPDX-License-Identifier: MIT
// Shared by the targets of the program: a robot that is built once, and lines read from memory.
#ifndef FUZZ_TABLES_H
#define FUZZ_TABLES_H

#include "checks.h"
#include "io/lines.h"
#include "linkwork/read.h"

// A robot with a prismatic and a revolute joint, kept for the lifetime of the target.
static inline lwModel* small_robot(void)
{
  static const char text[] = "linkwork: 1\n"
                             "name: small\n"
                             "joints:\n"
                             "  - {name: rail, type: prismatic, axis: [1, 0, 0],\n"
                             "     link: {name: cart, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n"
                             "  - {name: elbow, type: revolute, axis: [0, 0, 1],\n"
                             "     link: {name: hand, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n";
  static lwModel* model;
  if (!model) lw_robot_read_text("small.yaml", text, sizeof text - 1, NULL, NULL, &model);
  require(model != NULL);
  return model;
}

// The bytes as lines of a file that was read to its end; lw_lines_close() frees the copy.
static inline lwLines lines_of(const uint8_t* data, size_t size)
{
  lwLines lines;
  require(lw_lines_open_text(&lines, "fuzz", (const char*)data, size) == LW_OK);
  return lines;
}

#endif
