// SPDX-License-Identifier: MIT
#include "report/page/page_columns.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const uint64_t SIGN = UINT64_C(1) << 63;

// Bits of doubles as integers in the order of their values.
static uint64_t ordered(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits & SIGN ? ~bits : bits | SIGN;
}

static double of_ordered(uint64_t code)
{
  uint64_t bits = code & SIGN ? code & ~SIGN : ~code;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void lw_page_column_encode(const double* values, size_t stride, size_t rows, double first,
                           double quantum, unsigned char* planes)
{
  uint64_t last = 0, slope = 0;  // differences wrap around, and back
  for (size_t i = 0; i < rows; ++i)
  {
    double value  = values[i * stride];
    uint64_t code = quantum > 0 ? (uint64_t)llround((value - first) / quantum) : ordered(value);
    uint64_t rest = code - last - slope;
    uint64_t bits = rest << 1 ^ (rest & SIGN ? ~UINT64_C(0) : 0);
    for (int k = 0; k < LW_PAGE_BYTES; ++k)
      planes[(size_t)k * rows + i] = (unsigned char)(bits >> 8 * k);
    slope = i > 0 ? code - last : 0;
    last  = code;
  }
}

void lw_page_column_decode(const unsigned char* planes, size_t rows, double first, double quantum,
                           double* values)
{
  uint64_t last = 0, slope = 0;
  for (size_t i = 0; i < rows; ++i)
  {
    uint64_t bits = 0;
    for (int k = 0; k < LW_PAGE_BYTES; ++k) bits |= (uint64_t)planes[(size_t)k * rows + i] << 8 * k;
    uint64_t code = (bits >> 1 ^ (bits & 1 ? ~UINT64_C(0) : 0)) + last + slope;
    slope         = i > 0 ? code - last : 0;
    last          = code;
    values[i]     = quantum > 0 ? first + quantum * (double)(int64_t)code : of_ordered(code);
  }
}

double lw_page_column_quantum(const double* values, size_t stride, size_t rows, int bits,
                              double* first)
{
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < rows; ++i)
  {
    double value = values[i * stride];
    if (!isfinite(value)) return 0;
    low  = fmin(low, value);
    high = fmax(high, value);
  }
  *first = low;
  if (!(high > low)) return 0;
  int exponent;
  int power = frexp(high - low, &exponent) == 0.5;
  return ldexp(1, exponent - power - bits);
}
