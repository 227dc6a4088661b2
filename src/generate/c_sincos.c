// SPDX-License-Identifier: MIT
// The library's own sine and cosine (math/sincos.h) as text,
// for vectors of any width that GCC and clang can lower.
#include "generate/emit.h"

static const char DOUBLE_SINCOS[] =
    "/* Sines and cosines of a vector of angles: x - k pi/2 is reduced in parts whose products "
    "with k are exact, then\n"
    " * polynomials. Angles beyond 8e5 rad go to the C library. */\n"
    "static inline void %1$s_sincos(const %1$s_vector* angle, %1$s_vector* sine, %1$s_vector* "
    "cosine)\n"
    "{\n"
    "  const %1$s_vector x = *angle;\n"
    "  const %1$s_vector rounded = x * 0x1.45f306dc9c883p-1 + 0x1.8p52;\n"
    "  const %1$s_vector k = rounded - 0x1.8p52;\n"
    "  const %1$s_mask quadrant = (%1$s_mask)rounded;\n"
    "  const %1$s_vector y1 = x - k * 0x1.921fb544p+0;\n"
    "  const %1$s_vector p2 = k * 0x1.0b4611a6p-34, y2 = y1 - p2, b2 = y1 - y2;\n"
    "  const %1$s_vector e2 = (y1 - (y2 + b2)) + (b2 - p2);\n"
    "  const %1$s_vector rest = e2 - k * 0x1.3198a2e037073p-69;\n"
    "  const %1$s_vector r = y2 + rest, tail = (y2 - r) + rest;\n"
    "  const %1$s_vector z = r * r, half = 0.5 * z, head = 1.0 - half;\n"
    "  const %1$s_vector S = ((((z * 0x1.5da8754e15294p-33 - 0x1.ae5eb82fe16d9p-26) * z + "
    "0x1.71de35edb42bbp-19) * z -\n"
    "                        0x1.a01a019caed78p-13) * z + 0x1.111111110fe60p-7) * z - "
    "0x1.555555555554ep-3;\n"
    "  const %1$s_vector C = ((((0x1.1eeabf54d1112p-29 - z * 0x1.901ae5a700b39p-37) * z - "
    "0x1.27e4f9433949bp-22) * z +\n"
    "                        0x1.a01a019e640b1p-16) * z - 0x1.6c16c16c162bcp-10) * z + "
    "0x1.5555555555553p-5;\n"
    "  const %1$s_vector s = r + (z * r * S + tail * head);\n"
    "  const %1$s_vector c = head + (((1.0 - head) - half) + (z * z * C - r * tail));\n"
    "  const %1$s_mask odd = -(quadrant & 1), far = (%1$s_mask)(x > 8e5) | (%1$s_mask)(x < -8e5) | "
    "(%1$s_mask)(x != x);\n"
    "  *sine = (%1$s_vector)((((%1$s_mask)c & odd) | ((%1$s_mask)s & ~odd)) ^ ((quadrant & 2) << "
    "62));\n"
    "  *cosine = (%1$s_vector)((((%1$s_mask)s & odd) | ((%1$s_mask)c & ~odd)) ^ (((quadrant + 1) & "
    "2) << 62));\n"
    "  long long any = 0;\n"
    "  for (int i = 0; i < %2$d; ++i) any |= far[i];\n"
    "  for (int i = 0; any && i < %2$d; ++i)\n"
    "  {\n"
    "    (*sine)[i] = sin(x[i]);\n"
    "    (*cosine)[i] = cos(x[i]);\n"
    "  }\n"
    "}\n";

static const char FLOAT_SINCOS[] =
    "/* Sines and cosines of a vector of angles: x - k pi/2 is reduced in parts whose products "
    "with k are exact, then\n"
    " * polynomials. Angles beyond 8000 rad go to the C library. */\n"
    "static inline void %1$s_sincos(const %1$s_vector* angle, %1$s_vector* sine, %1$s_vector* "
    "cosine)\n"
    "{\n"
    "  const %1$s_vector x = *angle;\n"
    "  const %1$s_vector rounded = x * 0x1.45f306p-1f + 0x1.8p23f;\n"
    "  const %1$s_vector k = rounded - 0x1.8p23f;\n"
    "  const %1$s_mask quadrant = (%1$s_mask)rounded;\n"
    "  const %1$s_vector y1 = (x - k * 0x1.92p+0f) - k * 0x1.fb4p-12f;\n"
    "  const %1$s_vector r = (y1 - k * 0x1.444p-24f) - k * 0x1.68c234p-39f;\n"
    "  const %1$s_vector z = r * r;\n"
    "  const %1$s_vector S = (z * -0x1.996d66p-13f + 0x1.1107d2p-7f) * z - 0x1.555548p-3f;\n"
    "  const %1$s_vector C = (z * 0x1.9ac158p-16f - 0x1.6c0f58p-10f) * z + 0x1.55555p-5f;\n"
    "  const %1$s_vector s = r + z * r * S, c = (1.0f - 0.5f * z) + z * z * C;\n"
    "  const %1$s_mask odd = -(quadrant & 1), far = (%1$s_mask)(x > 8e3f) | (%1$s_mask)(x < -8e3f) "
    "| (%1$s_mask)(x != x);\n"
    "  *sine = (%1$s_vector)((((%1$s_mask)c & odd) | ((%1$s_mask)s & ~odd)) ^ ((quadrant & 2) << "
    "30));\n"
    "  *cosine = (%1$s_vector)((((%1$s_mask)s & odd) | ((%1$s_mask)c & ~odd)) ^ (((quadrant + 1) & "
    "2) << 30));\n"
    "  int any = 0;\n"
    "  for (int i = 0; i < %2$d; ++i) any |= far[i];\n"
    "  for (int i = 0; any && i < %2$d; ++i)\n"
    "  {\n"
    "    (*sine)[i] = sinf(x[i]);\n"
    "    (*cosine)[i] = cosf(x[i]);\n"
    "  }\n"
    "}\n";

int lw_emit_width(const lwGenerated* generated)
{
  int most = 0;
  if (generated->def.lanes > 1) return generated->def.lanes;
  for (int i = 0; i < generated->functions; ++i)
    if (generated->function[i].angles > most) most = generated->function[i].angles;
  return most > 4 ? 8 : 4;
}

void lw_emit_sincos(const lwGenerated* generated, lwCodeText* text)
{
  bool single = generated->def.precision == LW_PRECISION_SINGLE;
  int width   = lw_emit_width(generated);
  int bytes   = width * (single ? 4 : 8);
  lw_code_put(text, "\ntypedef %s %s_vector __attribute__((vector_size(%d)));\n",
              single ? "float" : "double", generated->name, bytes);
  lw_code_put(text, "typedef %s %s_mask __attribute__((vector_size(%d)));\n\n",
              single ? "int" : "long long", generated->name, bytes);
  // the formats are the two literals above
  if (single)
    lw_code_put(text, FLOAT_SINCOS, generated->name, width);
  else
    lw_code_put(text, DOUBLE_SINCOS, generated->name, width);
}
