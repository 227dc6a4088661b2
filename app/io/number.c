// SPDX-License-Identifier: MIT
// A double is m 2^e with an integer m < 2^53, so both directions are integer arithmetic: where all
// of it fits in 192 bits it is done here, exactly; everything else (huge, tiny, or very long
// numbers) is left to the C library.
#include "number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 Wide;

enum
{
  DIGITS    = 17,  // significant ones printed
  MAX_POWER = 38   // the largest power of ten below 2^128
};

#define TEN_16 10000000000000000u

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

// The integer part of m 10^k / 2^shift, rounded to nearest, ties to even. The result must be below
// 2^63.
static uint64_t scaled(uint64_t m, int k, int shift)
{
  Wide low    = (Wide)m * POWER_OF_TEN[k][1];
  Wide high   = (Wide)m * POWER_OF_TEN[k][0] + (uint64_t)(low >> 64);  // product = high 2^64 + low
  Wide bottom = high << 64 | (uint64_t)low;
  Wide rest   = bottom & (((Wide)1 << shift) - 1);
  Wide half   = (Wide)1 << (shift - 1);
  uint64_t integer = shift < 64 ? (uint64_t)(bottom >> shift) : (uint64_t)(high >> (shift - 64));
  bool up          = rest > half || (rest == half && (integer & 1));
  return integer + up;
}

// v = digits 10^(exponent - 16), 10^16 <= digits < 10^17, for 1e-21 <= v < 2^52, where every step
// is exact.
static uint64_t significant_digits(double v, int* exponent)
{
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  uint64_t m      = (bits & 0xFFFFFFFFFFFFFu) | 0x10000000000000u;
  int shift       = 1075 - (int)(bits >> 52);                  // v = m / 2^shift
  int power       = (int)floor((52 - shift) * 0.30102999566);  // of ten, at most one too low
  uint64_t digits = scaled(m, DIGITS - 1 - power, shift);
  if (digits >= 10 * TEN_16) digits = scaled(m, DIGITS - 1 - ++power, shift);
  if (digits < 10 * TEN_16)
  {
    *exponent = power;
    return digits;
  }
  *exponent = power + 1;  // 9.99.. was rounded up
  return TEN_16;
}

// The digits as text, zeros at the end dropped; returns how many are left.
static int digits_text(uint64_t digits, char text[DIGITS])
{
  for (int i = DIGITS - 1; i >= 0; --i)
  {
    text[i] = (char)('0' + digits % 10);
    digits /= 10;
  }
  int count = DIGITS;
  while (count > 1 && text[count - 1] == '0') --count;
  return count;
}

static char* put(char* to, const char* from, int count)
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
    to    = put(to, text + 1, count - 1);
    *to++ = 'e';
    *to++ = '-';
    *to++ = (char)('0' + -exponent / 10);
    *to++ = (char)('0' + -exponent % 10);
    return to;
  }
  if (exponent < 0)
  {
    to = put(to, "0.000", 1 - exponent);
    return put(to, text, count);
  }
  int whole = exponent + 1;
  if (count <= whole) return put(put(to, text, count), "0000000000000000", whole - count);
  to    = put(to, text, whole);
  *to++ = '.';
  return put(to, text + whole, count - whole);
}

int number_format(double v, char buffer[NUMBER_SIZE])
{
  double size = fabs(v);
  if (v == 0)  // the number that files hold most
  {
    strcpy(buffer, signbit(v) ? "-0" : "0");
    return signbit(v) ? 2 : 1;
  }
  if (!(size >= 1e-21 && size < 0x1p52)) return snprintf(buffer, NUMBER_SIZE, "%.17g", v);
  char* to = buffer;
  if (v < 0) *to++ = '-';
  char text[DIGITS];
  int exponent;
  int count = digits_text(significant_digits(size, &exponent), text);
  to        = lay_out(to, text, count, exponent);
  *to       = 0;
  return (int)(to - buffer);
}

// A decimal number as written: mantissa 10^exponent, if `exact`.
typedef struct Decimal
{
  uint64_t mantissa;
  int exponent;
  bool exact;       // the mantissa has all the digits
  const char* end;  // NULL: not a number
} Decimal;

static int is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static const char* take_digits(const char* s, Decimal* decimal)
{
  for (; is_digit(*s); ++s)
  {
    if (decimal->mantissa >= 1000000000000000000u) decimal->exact = false;
    decimal->mantissa = decimal->mantissa * 10 + (uint64_t)(*s - '0');
  }
  return s;
}

static Decimal take_decimal(const char* s)
{
  Decimal decimal   = {0, 0, true, NULL};
  const char* point = take_digits(s, &decimal);
  const char* end   = point;
  if (*point == '.')
  {
    end              = take_digits(point + 1, &decimal);
    decimal.exponent = end - point < 100 ? -(int)(end - point - 1) : -100;
  }
  if (end - s < 1 + (*point == '.')) return decimal;  // not one digit
  decimal.end        = end;
  const char* digits = end + 1;
  if (*end != 'e' && *end != 'E') return decimal;
  bool negative = *digits == '-';
  if (*digits == '-' || *digits == '+') ++digits;
  if (!is_digit(*digits)) return decimal;
  int exponent = 0;
  for (; is_digit(*digits); ++digits)
    if (exponent < 100000) exponent = exponent * 10 + (*digits - '0');
  decimal.end = digits;
  decimal.exponent += negative ? -exponent : exponent;
  return decimal;
}

// mantissa / 10^k, 0 <= k <= 19, correctly rounded: a quotient of at least 63 bits whose last bit
// also stands for the rest is rounded once, by the conversion to double.
static double divided(uint64_t mantissa, int k)
{
  uint64_t divisor   = POWER_OF_TEN[k][1];
  int mantissa_zeros = __builtin_clzll(mantissa);
  int divisor_zeros  = __builtin_clzll(divisor);
  Wide dividend      = (Wide)(mantissa << mantissa_zeros) << 63;
  divisor <<= divisor_zeros;
  uint64_t quotient = (uint64_t)(dividend / divisor);
  quotient |= dividend % divisor != 0;
  return ldexp((double)quotient, divisor_zeros - mantissa_zeros - 63);
}

bool number_parse(const char** text, double* value)
{
  const char* s = *text;
  bool negative = *s == '-';
  if (*s == '-' || *s == '+') ++s;
  Decimal decimal = take_decimal(s);
  if (!decimal.end || *decimal.end == 'x' || *decimal.end == 'X') return false;
  double size;
  if (decimal.exact && decimal.mantissa == 0)
    size = 0;
  else if (decimal.exact && decimal.exponent <= 0 && decimal.exponent >= -19)
    size = divided(decimal.mantissa, -decimal.exponent);
  else
    size = strtod(s, NULL);
  *value = negative ? -size : size;
  *text  = decimal.end;
  return true;
}
