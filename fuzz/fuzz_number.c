// SPDX-License-Identifier: MIT
// Arbitrary bytes through the reader of numbers: value and end agree with strtod() in the C locale,
// and a number that is written reads back as the same number.
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "checks.h"

// strtod() also accepts hexadecimal numbers, infinities, NaN and leading spaces.
static int is_decimal(const char* s)
{
  if (*s == '+' || *s == '-') ++s;
  if (s[0] == '0' && (s[1] | 0x20) == 'x') return 0;
  return (*s >= '0' && *s <= '9') || *s == '.';
}

static void read_back(double value, int length, const char* text)
{
  double again    = 0;
  const char* end = text;
  require(length == (int)strlen(text) && length < LW_NUMBER_SIZE);
  require(lw_number_read(&end, &again) && *end == 0 && memcmp(&again, &value, sizeof value) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  char text[2048], written[LW_NUMBER_SIZE];
  if (size >= sizeof text) return 0;
  memcpy(text, data, size);
  text[size]      = 0;
  char* wanted    = text;
  const char* end = text;
  double value = 0, expected = is_decimal(text) ? strtod(text, &wanted) : 0;
  int read = lw_number_read(&end, &value);
  if (!is_decimal(text) && text[0] != '+' && text[0] != '-' && text[0] != '0') require(!read);
  if (!is_decimal(text)) return 0;
  require(read == (wanted > text) && (!read || end == wanted));
  if (!read) return 0;
  require(memcmp(&value, &expected, sizeof value) == 0);
  if (isfinite(value)) read_back(value, lw_number_write(value, written), written);
  return 0;
}
