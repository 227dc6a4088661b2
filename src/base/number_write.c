// SPDX-License-Identifier: MIT
// Doubles to text. A double is m 2^e with an integer m < 2^53, so where everything fits in 192 bits
// its digits come from integer arithmetic, exactly. Huge and tiny numbers are left to the C
// library, whose decimal mark is then replaced.
#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 Uint128;

enum
{
  FEWEST    = 15,  // significant digits that are tried first; every decimal of 15 is some double
  DIGITS    = 17,  // that are always enough
  MAX_POWER = 38   // the largest power of ten below 2^128
};

// 10^k, 0 <= k <= MAX_POWER, as a high and a low half
static const uint64_t POWER_OF_TEN[MAX_POWER + 1][2] = {
    {0, 1u},
    {0, 10u},
    {0, 100u},
    {0, 1000u},
    {0, 10000u},
    {0, 100000u},
    {0, 1000000u},
    {0, 10000000u},
    {0, 100000000u},
    {0, 1000000000u},
    {0, 10000000000u},
    {0, 100000000000u},
    {0, 1000000000000u},
    {0, 10000000000000u},
    {0, 100000000000000u},
    {0, 1000000000000000u},
    {0, 10000000000000000u},
    {0, 100000000000000000u},
    {0, 1000000000000000000u},
    {0, 10000000000000000000u},
    {5u, 7766279631452241920u},
    {54u, 3875820019684212736u},
    {542u, 1864712049423024128u},
    {5421u, 200376420520689664u},
    {54210u, 2003764205206896640u},
    {542101u, 1590897978359414784u},
    {5421010u, 15908979783594147840u},
    {54210108u, 11515845246265065472u},
    {542101086u, 4477988020393345024u},
    {5421010862u, 7886392056514347008u},
    {54210108624u, 5076944270305263616u},
    {542101086242u, 13875954555633532928u},
    {5421010862427u, 9632337040368467968u},
    {54210108624275u, 4089650035136921600u},
    {542101086242752u, 4003012203950112768u},
    {5421010862427522u, 3136633892082024448u},
    {54210108624275221u, 12919594847110692864u},
    {542101086242752217u, 68739955140067328u},
    {5421010862427522170u, 687399551400673280u},
};

// m 10^k / 2^shift, rounded to nearest, ties to even.
typedef struct ScaledInteger
{
  uint64_t integer;  // below 2^63
  bool exact;        // integer 2^shift / 10^k rounds to m, so these digits are enough
} ScaledInteger;

// The number is m / 2^shift, so integer / 10^k reads back as m if it is within half a unit of m:
// |integer 2^shift - m 10^k| <= 10^k / 2, with equality for an even m only, to which ties round.
// Below a power of two the units are half as large.
static ScaledInteger scaled_up(uint64_t m, int k, int shift)
{
  Uint128 low = (Uint128)m * POWER_OF_TEN[k][1];
  Uint128 high =
      (Uint128)m * POWER_OF_TEN[k][0] + (uint64_t)(low >> 64);  // product = high 2^64 + low
  Uint128 bottom   = high << 64 | (uint64_t)low;
  Uint128 whole    = (Uint128)1 << shift;
  Uint128 rest     = bottom & (whole - 1);
  Uint128 half     = whole >> 1;
  uint64_t integer = shift < 64 ? (uint64_t)(bottom >> shift) : (uint64_t)(high >> (shift - 64));
  bool up          = rest > half || (rest == half && (integer & 1));
  bool narrow      = !up && m == (uint64_t)1 << 52;
  Uint128 off      = up ? whole - rest : rest;
  Uint128 power    = (Uint128)POWER_OF_TEN[k][0] << 64 | POWER_OF_TEN[k][1];
  Uint128 capacity = power >> (narrow ? 2 : 1);
  return (ScaledInteger){integer + up, off < capacity || (off == capacity && !(m & 1))};
}

// v = digits 10^(exponent - count + 1), with `count` digits, for 1e-21 <= v < 2^45,
// where every step is exact.
typedef struct Decimals
{
  uint64_t digits;
  int count, exponent;
} Decimals;

static uint64_t ten_to(int k)
{
  return POWER_OF_TEN[k][1];
}

// With `count` digits; false: they do not read back to v.
static bool decimals_of(double v, int count, Decimals* decimals)
{
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  uint64_t m           = (bits & 0xFFFFFFFFFFFFFu) | 0x10000000000000u;
  int shift            = 1075 - (int)(bits >> 52);                  // v = m / 2^shift
  int power            = (int)floor((52 - shift) * 0.30102999566);  // of ten, at most one too low
  int places           = count - 1 - power;                         // behind the point
  ScaledInteger result = scaled_up(m, places, shift);
  if (result.integer >= ten_to(count))
  {
    ++power;
    result = scaled_up(m, --places, shift);
  }
  bool carried = result.integer >= ten_to(count);  // 9.99.. was rounded up
  *decimals    = (Decimals){carried ? ten_to(count - 1) : result.integer, count, power + carried};
  return result.exact;
}

static Decimals shortest_decimals(double v)
{
  Decimals decimals = {0, 0, 0};
  for (int count = FEWEST; count < DIGITS; ++count)
    if (decimals_of(v, count, &decimals)) return decimals;
  decimals_of(v, DIGITS, &decimals);
  return decimals;
}

// The digits as text, zeros at the end dropped; returns how many are left.
static int digits_text(Decimals decimals, char text[DIGITS])
{
  int count = decimals.count;
  for (int i = count - 1; i >= 0; --i)
  {
    text[i] = (char)('0' + decimals.digits % 10);
    decimals.digits /= 10;
  }
  while (count > 1 && text[count - 1] == '0') --count;
  return count;
}

static char* put_digits(char* to, const char* from, int count)
{
  memcpy(to, from, (size_t)count);
  return to + count;
}

// Lays the digits out as %g does: with an exponent below 1e-4, plain otherwise.
static char* lay_out(char* to, const char* text, int count, int exponent)
{
  if (exponent < -4)
  {
    *to++ = text[0];
    if (count > 1) *to++ = '.';
    to    = put_digits(to, text + 1, count - 1);
    *to++ = 'e';
    *to++ = '-';
    *to++ = (char)('0' + -exponent / 10);
    *to++ = (char)('0' + -exponent % 10);
    return to;
  }
  if (exponent < 0)
  {
    to = put_digits(to, "0.000", 1 - exponent);
    return put_digits(to, text, count);
  }
  int whole = exponent + 1;
  if (count <= whole)
    return put_digits(put_digits(to, text, count), "0000000000000000", whole - count);
  to    = put_digits(to, text, whole);
  *to++ = '.';
  return put_digits(to, text + whole, count - whole);
}

// The C library writes the decimal mark of the program's locale, which may have several bytes.
static int print_with_point(double v, int digits, char buffer[LW_NUMBER_SIZE])
{
  char text[2 * LW_NUMBER_SIZE], *to = buffer;
  snprintf(text, sizeof text, "%.*g", digits, v);
  for (const char* s = text; *s && to < buffer + LW_NUMBER_SIZE - 1; ++s)
  {
    bool mark = !strchr("0123456789+-einfa", *s);
    if (!mark)
      *to++ = *s;
    else if (to == buffer || to[-1] != '.')
      *to++ = '.';
  }
  *to = 0;
  return (int)(to - buffer);
}

// For the few numbers that integers of 192 bits cannot do.
static int write_slowly(double v, char buffer[LW_NUMBER_SIZE])
{
  int length = 0;
  for (int digits = FEWEST; digits <= DIGITS; ++digits)
  {
    double back      = 0;
    const char* text = buffer;
    length           = print_with_point(v, digits, buffer);
    if (!isfinite(v) || (lw_number_read(&text, &back) && back == v)) break;
  }
  return length;
}

int lw_number_write(double v, char buffer[LW_NUMBER_SIZE])
{
  double size = fabs(v);
  if (v == 0)  // the number that files hold most
  {
    strcpy(buffer, signbit(v) ? "-0" : "0");
    return signbit(v) ? 2 : 1;
  }
  if (!(size >= 1e-21 && size < 0x1p45)) return write_slowly(v, buffer);
  char* to = buffer;
  if (v < 0) *to++ = '-';
  char text[DIGITS];
  Decimals decimals = shortest_decimals(size);
  int count         = digits_text(decimals, text);
  to                = lay_out(to, text, count, decimals.exponent);
  *to               = 0;
  return (int)(to - buffer);
}
