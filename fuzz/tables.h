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

// The bytes as lines of a file that was read to its end; lines_close() frees the copy.
static inline Lines lines_of(const uint8_t* data, size_t size)
{
  Lines lines = {.name = "fuzz", .file = -1, .buffer = malloc(size + 1), .capacity = size + 1};
  require(lines.buffer != NULL);
  memcpy(lines.buffer, data, size);
  lines.end    = size;
  lines.at_end = true;
  return lines;
}

#endif
