// SPDX-License-Identifier: MIT
// Takes choices and numbers from the bytes of an input; behind their end all are 0.
#ifndef FUZZ_BYTES_H
#define FUZZ_BYTES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct Bytes
{
  const uint8_t* at;
  size_t left;
} Bytes;

static inline uint8_t take_byte(Bytes* bytes)
{
  if (bytes->left == 0) return 0;
  --bytes->left;
  return *bytes->at++;
}

// From low to high.
static inline int take_int(Bytes* bytes, int low, int high)
{
  return low + take_byte(bytes) % (high - low + 1);
}

static inline bool take_flag(Bytes* bytes)
{
  return take_byte(bytes) & 1;
}

// Mostly numbers of the size that robots have; now and then any bits at all.
static inline double take_number(Bytes* bytes)
{
  static const double odd[] = {
      0,   -0.0,     1,         -1,   1e-300, -1e-300,           1e300, -1e300, 5e-324,
      NAN, INFINITY, -INFINITY, 1e-9, 1e9,    3.141592653589793, 0.5};
  uint8_t kind = take_byte(bytes);
  if (kind < 200) return (kind - 100) / 50.0;
  if (kind < 248) return odd[kind % 16];
  uint8_t raw[8];
  double number;
  for (int i = 0; i < 8; ++i) raw[i] = take_byte(bytes);
  memcpy(&number, raw, sizeof number);
  return number;
}

// A number from 0 to 1.
static inline double take_share(Bytes* bytes)
{
  return take_byte(bytes) / 255.0;
}

#endif
