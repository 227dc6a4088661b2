// SPDX-License-Identifier: MIT
// The library's own sine and cosine (math/sincos.h) as text, for vectors of any width that GCC and
// clang can lower. The polynomials are summed in pairs, which takes less time where nothing else is
// left to do until the sines are known; error: below 0.78 ulp with fused multiply-adds, 0.85
// without. Angles beyond 64 rad are noticed for all vectors of a function at once, so that the code
// has one branch, and go to the C library one by one.
#include <stdio.h>
#include <string.h>

#include "generate/emit.h"

// sincos_begin.c.txt .. sincos_end.c.txt: formats of lw_out_format(). 1: the name of the code; 2: what
// numbers end with, 3: z squared, 4: the shift to the highest bit, 5: highest bits alone, 6: how wide
// vectors are, 7: their scalar. Copies of far angles keep the vectors of the caller out of memory.
extern const char lw_sincos_begin_text[], lw_sincos_double_text[], lw_sincos_float_text[];
extern const char lw_sincos_end_text[];

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
  lw_out_format(text, lw_sincos_begin_text, name);
  lw_out_format(text, single ? lw_sincos_float_text : lw_sincos_double_text, name);
  lw_out_format(text, lw_sincos_end_text, name, end, single ? "z * z" : "zz", single ? 30 : 62,
                signs, width, single ? "float" : "double");
}
