// SPDX-License-Identifier: MIT
// Copies to arrays larger than the caches. A plain store reads its line from memory first, and the
// line pushes another one out of the caches; a streaming store of a whole line does neither.
#ifndef LW_MATH_STREAM_H
#define LW_MATH_STREAM_H

#include <stdint.h>
#include <string.h>

#include "math/fused.h"

enum
{
  LINE_DOUBLES = 64 / sizeof(double),
  PART_DOUBLES = LW_WIDE_BYTES / sizeof(double)  // of a line, by one store
};

static inline void stream_line(double* to, const double* from)
{
  for (int k = 0; k < LINE_DOUBLES; k += PART_DOUBLES)
  {
    Streamed part;
    memcpy(&part, from + k, sizeof part);
    STREAM_STORE(to + k, part);
  }
}

// Lines that it does not fill are stored as usual. Other threads may read it after STREAM_END().
static inline void stream_copy(double* to, const double* from, size_t count)
{
  size_t i = -((uintptr_t)to / sizeof *to) % LINE_DOUBLES;  // up to the next line
  if (i > count) i = count;
  memcpy(to, from, i * sizeof *to);
  for (; i + LINE_DOUBLES <= count; i += LINE_DOUBLES) stream_line(to + i, from + i);
  memcpy(to + i, from + i, (count - i) * sizeof *to);
}

#endif
