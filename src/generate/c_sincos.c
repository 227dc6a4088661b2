// SPDX-License-Identifier: MIT
// The library's own sine and cosine (math/sincos.h) as text, for vectors of any width that GCC and
// clang can lower. The polynomials are summed in pairs, which takes less time where nothing else is
// left to do until the sines are known; error: below 0.78 ulp with fused multiply-adds, 0.85
// without. Angles beyond 64 rad are noticed for all vectors of a function at once, so that the code
// has one branch, and go to the C library one by one.
#include <stdio.h>
#include <string.h>

#include "generate/emit.h"

static const char SINCOS[] =
    "/* Sines and cosines of a vector of angles within 64 rad: x - k pi/2 is reduced in parts "
    "whose "
    "products with k are\n"
    " * exact, then polynomials. far: all ones where an angle is beyond, and the result means "
    "nothing. */\n"
    "static inline __attribute__((always_inline)) void %1$s_sincos(const %1$s_vector* angle, "
    "%1$s_vector* sine,\n"
    "    %1$s_vector* cosine, %1$s_mask* far)\n"
    "{\n"
    "  const %1$s_vector x = *angle;\n";

static const char DOUBLE_POLYNOMIALS[] =
    "  const %1$s_vector rounded = x * 0x1.45f306dc9c883p-1 + 0x1.8p52;\n"
    "  const %1$s_vector k = rounded - 0x1.8p52;\n"
    "  const %1$s_vector y = x - k * 0x1.921fb54442d00p+0;\n"
    "  const %1$s_vector r = y - k * 0x1.8469898cc5180p-48;\n"
    "  const %1$s_vector tail = ((y - r) - k * 0x1.8469898cc5180p-48) + k * "
    "0x1.fc8f8cbb5bf6cp-97;\n"
    "  const %1$s_vector z = r * r, zz = z * z, half = 0.5 * z, head = 1.0 - half;\n"
    "  const %1$s_vector S = ((z * 0x1.5da8754e15294p-33 - 0x1.ae5eb82fe16d9p-26) * zz +\n"
    "                         (z * 0x1.71de35edb42bbp-19 - 0x1.a01a019caed78p-13)) * zz +\n"
    "                        (z * 0x1.111111110fe60p-7 - 0x1.555555555554ep-3);\n"
    "  const %1$s_vector C = ((0x1.1eeabf54d1112p-29 - z * 0x1.901ae5a700b39p-37) * zz +\n"
    "                         (0x1.a01a019e640b1p-16 - z * 0x1.27e4f9433949bp-22)) * zz +\n"
    "                        (0x1.5555555555553p-5 - z * 0x1.6c16c16c162bcp-10);\n";

static const char FLOAT_POLYNOMIALS[] =
    "  const %1$s_vector rounded = x * 0x1.45f306p-1f + 0x1.8p23f;\n"
    "  const %1$s_vector k = rounded - 0x1.8p23f;\n"
    "  const %1$s_vector y = x - k * 0x1.921f8p+0f;\n"
    "  const %1$s_vector r = y - k * 0x1.aa22p-19f;\n"
    "  const %1$s_vector tail = ((y - r) - k * 0x1.aa22p-19f) - k * 0x1.68c234p-39f;\n"
    "  const %1$s_vector z = r * r, half = 0.5f * z, head = 1.0f - half;\n"
    "  const %1$s_vector S = (z * -0x1.996d66p-13f + 0x1.1107d2p-7f) * z - 0x1.555548p-3f;\n"
    "  const %1$s_vector C = (z * 0x1.9ac158p-16f - 0x1.6c0f58p-10f) * z + 0x1.55555p-5f;\n";

// 2: what numbers end with, 3: z squared, 4: the shift to the highest bit, 5: highest bits alone
static const char QUADRANTS[] =
    "  const %1$s_mask s = (%1$s_mask)(r + (z * r * S + tail * head));\n"
    "  const %1$s_mask c = (%1$s_mask)(head + (((1.0%2$s - head) - half) + (%3$s * C - r * "
    "tail)));\n"
    "  const %1$s_mask high = (%1$s_mask)rounded << %4$d, odd = high << 1;\n"
    "  const %1$s_mask swap = (s ^ c) & (odd < 0), sign = {%5$s};\n"
    "  *sine = (%1$s_vector)(s ^ swap ^ (high & sign));\n"
    "  *cosine = (%1$s_vector)(c ^ swap ^ ((high ^ odd) & sign));\n"
    "  *far |= ~(%1$s_mask)((%1$s_vector)((%1$s_mask)x & ~sign) < 64.0%2$s);\n"
    "}\n";

// Copies keep the vectors of the caller out of memory.
static const char FAR_SINCOS[] =
    "\n"
    "static __attribute__((noinline)) void %1$s_each(const %1$s_vector* angle, %1$s_vector* sine, "
    "%1$s_vector* cosine)\n"
    "{\n"
    "  for (int i = 0; i < %2$d; ++i)\n"
    "  {\n"
    "    const %3$s x = (*angle)[i];\n"
    "    if (x > -64 && x < 64) continue;\n"
    "    (*sine)[i] = sin%4$s(x);\n"
    "    (*cosine)[i] = cos%4$s(x);\n"
    "  }\n"
    "}\n"
    "\n"
    "/* Angles beyond 64 rad, by the C library. */\n"
    "static inline __attribute__((always_inline)) void %1$s_far(const %1$s_vector* angle, "
    "%1$s_vector* sine,\n"
    "    %1$s_vector* cosine)\n"
    "{\n"
    "  const %1$s_vector x = *angle;\n"
    "  %1$s_vector s = *sine, c = *cosine;\n"
    "  %1$s_each(&x, &s, &c);\n"
    "  *sine = s;\n"
    "  *cosine = c;\n"
    "}\n";

int lw_emit_width(const lwGenerated* generated)
{
  return generated->def.lanes > 1                          ? generated->def.lanes
         : generated->def.precision == LW_PRECISION_SINGLE ? 8
                                                           : 4;
}

void lw_emit_sincos(const lwGenerated* generated, lwOut* text)
{
  bool single      = generated->def.precision == LW_PRECISION_SINGLE;
  const char* name = generated->name;
  const char* end  = single ? "f" : "";
  int width        = lw_emit_width(generated);
  int bytes        = width * (single ? 4 : 8);
  char signs[512]  = "";  // the highest bit of a number, as often as a vector is wide
  for (int i = 0; i < width; ++i)
    snprintf(signs + strlen(signs), sizeof signs - strlen(signs), "%s%s", i ? ", " : "",
             single ? "-0x7fffffff - 1" : "-0x7fffffffffffffff - 1");
  lw_out_format(text, "\ntypedef %s %s_vector __attribute__((vector_size(%d)));\n",
                single ? "float" : "double", name, bytes);
  lw_out_format(text, "typedef %s %s_mask __attribute__((vector_size(%d)));\n\n",
                single ? "int" : "long long", name, bytes);
  // the formats are the literals above
  lw_out_format(text, SINCOS, name);
  lw_out_format(text, single ? FLOAT_POLYNOMIALS : DOUBLE_POLYNOMIALS, name);
  lw_out_format(text, QUADRANTS, name, end, single ? "z * z" : "zz", single ? 30 : 62, signs);
  lw_out_format(text, FAR_SINCOS, name, width, single ? "float" : "double", end);
}
