// SPDX-License-Identifier: MIT
// Text to doubles: always the nearest one, ties to even.
//
// The first 19 significant digits, an integer below 2^64, times a power of ten of 128 bits give the
// answer with an error far below half a unit in the last place of a double. Only if the result is
// so close to the middle of two doubles that this error could decide, or is subnormal, the number
// is divided out with integers of 4096 bits.
#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 Product128;

enum
{
  SHORT_DIGITS = 19,   // any integer of that many is below 2^64
  LONG_DIGITS  = 800,  // more cannot decide between two doubles: the middle of two has at most 767
  STEP         = 28,  // between the exponents of COARSE_POWERS; powers of 5 below it fit in 64 bits
  COARSE_FIRST = -13,
  COARSE_LAST  = 11
};

// 5^k
static const uint64_t POWERS_OF_FIVE[STEP] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
    7450580596923828125u,
};

// (high 2^64 + low) 2^exponent
typedef struct Float128
{
  uint64_t high, low;
  int exponent;
} Float128;

// 10^(STEP j), j = COARSE_FIRST .. COARSE_LAST, rounded to 128 bits
static const Float128 COARSE_POWERS[] = {
    {0xE1AFA13AFBD14D6Du, 0x82189C09A3A1EC21u, -1337},
    {0xE3E27A444D8D98B7u, 0xFD1B1B2308169B25u, -1244},
    {0xE61ACF033D1A45DFu, 0x6FB92487298E33BEu, -1151},
    {0xE858AD248F5C22C9u, 0xD1B3400F8F9CFF69u, -1058},
    {0xEA9C227723EE8BCBu, 0x465E15A979C1CADCu, -965},
    {0xECE53CEC4A314EBDu, 0xA4F8BF5635246428u, -872},
    {0xEF340A98172AACE4u, 0x86FB897116C87C35u, -779},
    {0xF18899B1BC3F8CA1u, 0xDC44E6C3CB279AC2u, -686},
    {0xF3E2F893DEC3F126u, 0x5A89DBA3C3EFCCFBu, -593},
    {0xF64335BCF065D37Du, 0x4D4617B5FF4A16D6u, -500},
    {0xF8A95FCF88747D94u, 0x75A44C6397CE912Au, -407},
    {0xFB158592BE068D2Eu, 0xEED6E2F0F0D56713u, -314},
    {0xFD87B5F28300CA0Du, 0x8BCA9D6E188853FCu, -221},
    {0x8000000000000000u, 0x0000000000000000u, -127},
    {0x813F3978F8940984u, 0x4000000000000000u, -34},
    {0x82818F1281ED449Fu, 0xBFF8F10E7A8921A4u, 59},
    {0x83C7088E1AAB65DBu, 0x792667C6DA79E0FAu, 152},
    {0x850FADC09923329Eu, 0x03E2CF6BC604DDB0u, 245},
    {0x865B86925B9BC5C2u, 0x0B8A2392BA45A9B2u, 338},
    {0x87AA9AFF79042286u, 0x90FB44D2F05D0843u, 431},
    {0x88FCF317F22241E2u, 0x441FECE3BDF81F03u, 524},
    {0x8A5296FFE33CC92Fu, 0x82BD6B70D99AAA70u, 617},
    {0x8BAB8EEFB6409C1Au, 0x1AD089B6C2F7548Eu, 710},
    {0x8D07E33455637EB2u, 0xDB0B487B6423E1E8u, 803},
    {0x8E679C2F5E44FF8Fu, 0x570F09EAA7EA7648u, 896},
};

// --- what is written

// A decimal number: 0.d1 d2 d3 .. 10^point
typedef struct Decimal
{
  const char* digits;  // from the first that is not 0; a point may stand between them
  const char* end;     // behind the digits; behind the number once it is read
  int64_t point;
  int64_t count;  // significant digits
} Decimal;

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

// An exponent behind the digits; what does not fit is so large that the number is 0 or infinite.
static const char* read_exponent(const char* s, int64_t* exponent)
{
  if (*s != 'e' && *s != 'E') return s;
  const char* digits = s + 1;
  bool negative      = *digits == '-';
  if (*digits == '-' || *digits == '+') ++digits;
  if (!is_digit(*digits)) return s;
  int64_t value = 0;
  for (; is_digit(*digits); ++digits)
    if (value < 1000000000000) value = value * 10 + (*digits - '0');
  *exponent += negative ? -value : value;
  return digits;
}

// False: there is no number.
static bool read_decimal(const char* s, Decimal* decimal)
{
  const char *begin = s, *point = NULL, *first = NULL;
  for (; is_digit(*s) || (*s == '.' && !point); ++s)
  {
    if (*s == '.')
      point = s;
    else if (*s != '0' && !first)
      first = s;
  }
  if (s - begin < (point ? 2 : 1)) return false;
  if (!point) point = s;
  if (!first) first = s;
  *decimal = (Decimal){.digits = first, .count = s - first};
  if (first < point) decimal->count -= point < s;
  decimal->point = point - first + (first > point);
  decimal->end   = read_exponent(s, &decimal->point);
  return true;
}

// True if not all of the next digits are 0.
static bool any_digit(const char* s, int64_t count)
{
  bool any = false;
  for (; count > 0 && !any; ++s)
  {
    any = *s != '0' && *s != '.';
    count -= *s != '.';
  }
  return any;
}

// The first `most` digits as an integer; *more: there are others that are not all 0.
static uint64_t leading_digits(const Decimal* decimal, int most, bool* more)
{
  uint64_t value = 0;
  const char* s  = decimal->digits;
  int64_t left   = decimal->count;
  for (; left > 0 && most > 0; ++s)
  {
    if (*s == '.') continue;
    value = value * 10 + (uint64_t)(*s - '0');
    --left, --most;
  }
  *more = any_digit(s, left);
  return value;
}

// --- by 128 bits

// a b, both with the highest bit set, without what is below the 128 bits of the result
static Float128 product_of_floats(Float128 a, Float128 b)
{
  Product128 low   = (Product128)a.low * b.low;
  Product128 left  = (Product128)a.high * b.low + (uint64_t)(low >> 64);  // no overflow: < 2^128
  Product128 right = (Product128)a.low * b.high + (uint64_t)left;
  Product128 high  = (Product128)a.high * b.high + (uint64_t)(left >> 64) + (uint64_t)(right >> 64);
  int exponent     = a.exponent + b.exponent + 128;
  if (!(high >> 127))
  {
    high = high << 1 | ((uint64_t)right >> 63);
    --exponent;
  }
  return (Float128){(uint64_t)(high >> 64), (uint64_t)high, exponent};
}

// mantissa 10^power, mantissa > 0; its error is below 4 units of the lowest bit.
static Float128 scaled(uint64_t mantissa, int power)
{
  int coarse        = (power - COARSE_FIRST * STEP) / STEP;
  int fine          = power - (COARSE_FIRST + coarse) * STEP;
  Product128 number = (Product128)mantissa * POWERS_OF_FIVE[fine];
  int zeros         = number >> 64 ? __builtin_clzll((uint64_t)(number >> 64))
                                   : 64 + __builtin_clzll((uint64_t)number);
  number <<= zeros;
  Float128 exact = {(uint64_t)(number >> 64), (uint64_t)number, fine - zeros};
  return product_of_floats(exact, COARSE_POWERS[coarse]);
}

// Rounds to a double; false if the error could decide, or the result is not a normal number.
static bool round_clearly(Float128 x, double* value)
{
  enum
  {
    ERROR_LIMIT = 8,  // units of the lowest bit, twice what is possible
    DROPPED     = 128 - 53
  };
  if (x.exponent < -1022 - 127 || x.exponent > 1024 - 128) return false;
  Product128 bits = (Product128)x.high << 64 | x.low;
  Product128 rest = bits & (((Product128)1 << DROPPED) - 1);
  Product128 half = (Product128)1 << (DROPPED - 1);
  Product128 away = rest > half ? rest - half : half - rest;
  if (away <= ERROR_LIMIT) return false;
  uint64_t kept = (uint64_t)(bits >> DROPPED) + (rest > half);
  *value        = ldexp((double)kept, x.exponent + DROPPED);
  return true;
}

static bool read_quickly(const Decimal* decimal, double* value)
{
  bool more;
  double above;
  int digits        = decimal->count < SHORT_DIGITS ? (int)decimal->count : SHORT_DIGITS;
  int64_t power     = decimal->point - digits;
  uint64_t mantissa = leading_digits(decimal, digits, &more);
  if (power < COARSE_FIRST * STEP || power >= (COARSE_LAST + 1) * STEP) return false;
  if (!round_clearly(scaled(mantissa, (int)power), value)) return false;
  return !more || (round_clearly(scaled(mantissa + 1, (int)power), &above) && above == *value);
}

// --- by division

enum
{
  WORDS = 128  // 10^1131 2^54 has 3812 bits, which is the largest
};

// An integer of any size, lowest word first.
typedef struct Big
{
  int count;  // words used
  uint32_t word[WORDS];
} Big;

// a = a factor + term
static void multiply_add(Big* a, uint32_t factor, uint32_t term)
{
  uint64_t carry = term;
  for (int i = 0; i < a->count; ++i)
  {
    carry += (uint64_t)a->word[i] * factor;
    a->word[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) a->word[a->count++] = (uint32_t)carry;
}

static void times_power_of_ten(Big* a, int64_t power)
{
  for (; power >= 9; power -= 9) multiply_add(a, 1000000000, 0);
  for (; power > 0; --power) multiply_add(a, 10, 0);
}

static void shift_left(Big* a, int bits)
{
  int words = bits / 32;
  if (bits % 32) multiply_add(a, (uint32_t)1 << bits % 32, 0);
  if (words == 0 || a->count == 0) return;
  memmove(a->word + words, a->word, (size_t)a->count * sizeof *a->word);
  memset(a->word, 0, (size_t)words * sizeof *a->word);
  a->count += words;
}

static int bit_length(const Big* a)
{
  return a->count == 0 ? 0 : 32 * a->count - __builtin_clz(a->word[a->count - 1]);
}

// below 0, 0 or above 0
static int compare_bigs(const Big* a, const Big* b)
{
  if (a->count != b->count) return a->count - b->count;
  for (int i = a->count - 1; i >= 0; --i)
    if (a->word[i] != b->word[i]) return a->word[i] < b->word[i] ? -1 : 1;
  return 0;
}

// a = a - b, a >= b
static void subtract(Big* a, const Big* b)
{
  int64_t borrow = 0;
  for (int i = 0; i < a->count; ++i)
  {
    borrow += (int64_t)a->word[i] - (i < b->count ? b->word[i] : 0);
    a->word[i] = (uint32_t)borrow;
    borrow >>= 32;
  }
  while (a->count > 0 && a->word[a->count - 1] == 0) --a->count;
}

// All digits that can decide as an integer; what follows them counts as one digit more.
static int64_t take_digits(const Decimal* decimal, Big* number)
{
  int64_t taken = 0;
  const char* s = decimal->digits;
  number->count = 0;
  for (; taken < decimal->count && taken < LONG_DIGITS; ++s)
  {
    if (*s == '.') continue;
    multiply_add(number, 10, (uint32_t)(*s - '0'));
    ++taken;
  }
  bool more = any_digit(s, decimal->count - taken);
  if (more) multiply_add(number, 10, 1);
  return taken + more;
}

// numerator / (denominator 2^unit), rounded to an integer; it is below 2^54.
static uint64_t divide_bigs(Big numerator, Big denominator, int unit)
{
  enum
  {
    BITS = 54
  };
  uint64_t quotient = 0;
  shift_left(&numerator, unit < 0 ? -unit : 0);
  shift_left(&denominator, BITS + (unit > 0 ? unit : 0));
  for (int i = 0; i <= BITS; ++i)
  {
    bool fits = compare_bigs(&numerator, &denominator) >= 0;
    if (fits) subtract(&numerator, &denominator);
    quotient = quotient << 1 | fits;
    shift_left(&numerator, 1);
  }
  int half = compare_bigs(&numerator, &denominator);  // twice what is left against the divisor
  return quotient + (half > 0 || (half == 0 && (quotient & 1)));
}

static double read_exactly(const Decimal* decimal)
{
  enum
  {
    LOWEST_UNIT = -1074  // 2^-1074 is the smallest double
  };
  if (decimal->point > 310) return INFINITY;
  if (decimal->point < -330) return 0;
  Big numerator, denominator = {1, {1}};
  int64_t power = decimal->point - take_digits(decimal, &numerator);
  times_power_of_ten(&numerator, power);
  times_power_of_ten(&denominator, -power);
  int unit =
      bit_length(&numerator) - bit_length(&denominator) - 53;  // the quotient has 53 bits or 54
  if (unit < LOWEST_UNIT) unit = LOWEST_UNIT;
  uint64_t quotient = divide_bigs(numerator, denominator, unit);
  if (quotient >> 53) quotient = divide_bigs(numerator, denominator, ++unit);
  return ldexp((double)quotient, unit);
}

bool lw_number_read(const char** text, double* value)
{
  Decimal decimal;
  const char* s = *text;
  bool negative = *s == '-';
  double size   = 0;
  if (*s == '-' || *s == '+') ++s;
  if (!read_decimal(s, &decimal)) return false;
  if (decimal.count > 0 && !read_quickly(&decimal, &size)) size = read_exactly(&decimal);
  *value = negative ? -size : size;
  *text  = decimal.end;
  return true;
}
