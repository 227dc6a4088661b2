// SPDX-License-Identifier: MIT
// How each language writes a straight line of arithmetic.
#include "generate/emit.h"

// --- C

const char* lw_emit_scalar(const lwGenerated* generated)
{
  bool single = generated->def.precision == LW_PRECISION_SINGLE;
  return lw_dialect(generated->def.language)->scalar[single];
}

const char* lw_emit_type(const lwGenerated* generated)
{
  return generated->def.lanes > 1 ? generated->lanes : lw_emit_scalar(generated);
}

void lw_emit_lanes(const lwGenerated* generated, lwOut* text)
{
  bool single = generated->def.precision == LW_PRECISION_SINGLE;
  lw_out_format(text, "\n/* The same number of %d states. */\n", generated->def.lanes);
  lw_out_format(text, "typedef %s %s __attribute__((vector_size(%d)));\n",
                lw_emit_scalar(generated), generated->lanes,
                generated->def.lanes * (single ? 4 : 8));
}

void lw_emit_c_includes(const lwGenerated* generated, lwOut* text)
{
  const lwGenerateDef* def = &generated->def;
  bool given = def->sines == LW_SINES_GIVEN, turns = false;
  for (int i = 0; i < generated->functions; ++i) turns = turns || generated->function[i].angles > 0;
  if (def->file) lw_out_format(text, "#include \"%s.h\"\n\n", def->file);
  if (!given || def->fused) lw_out_text(text, "#include <math.h>\n");
  if (!def->file && def->lanes > 1) lw_emit_lanes(generated, text);
  if (turns && !given && lw_emit_has_vectors(generated)) lw_emit_sincos(generated, text);
}

// --- the table

#define MADE "$t: made by linkwork $v, to be made again rather than edited."

static const lwDialect dialects[LW_LANGUAGE_LATEX] = {
    [LW_LANGUAGE_C] = {.suffix    = ".c",
                       .scalar    = {"double", "float"},
                       .float_end = "f",
                       .point     = true,
                       .element   = "%s[%d]",
                       .about     = " * ",
                       .constant  = "  static const $S $x = $=;\n",
                       .local     = "  const $T $x = $=;\n",
                       .output    = "  $y = $1;\n",
                       .sine      = "sin$f($1)",
                       .cosine    = "cos$f($1)",
                       .root      = "sqrt$f($1)",
                       .fused     = "fma$f($1, $2, $3)",
                       .open      = "/* " MADE " */\n$I",
                       .begin     = "\n/**\n$A */\nvoid $n($pconst $T* restrict $n$;, "
                                    "$r$T* restrict $n$;)\n{\n$u  (void)$n;\n$;",
                       .finish    = "}\n"},
    [LW_LANGUAGE_PYTHON] =
        {.suffix    = ".py",
         .float_end = "",
         .element   = "%s[%d]",
         .about     = "    ",
         .constant  = "    $x = $=\n",
         .local     = "    $x = $=\n",
         .output    = "    $y = $1\n",
         .sine      = "sin($1)",
         .cosine    = "cos($1)",
         .root      = "sqrt($1)",
         .open      = "# " MADE "\nfrom math import cos, sin, sqrt  # noqa: F401\n",
         .begin     = "\n\ndef $n($p$n$;):\n    \"\"\"\n$A    \"\"\"\n$R    $n = [0.0] * $s\n$;",
         .finish    = "    return $r$n$;\n"},
    // With several functions, the first chooses by name: a file has one entry. Entries of results
    // are numbered row by row, but MATLAB numbers them column by column.
    [LW_LANGUAGE_MATLAB] =
        {.suffix    = ".m",
         .float_end = "",
         .element   = "%s(%d)",
         .first     = 1,
         .about     = "% ",
         .constant  = "  $x = $=;\n",
         .local     = "  $x = $=;\n",
         .output    = "  $y = $1;\n",
         .sine      = "sin($1)",
         .cosine    = "cos($1)",
         .root      = "sqrt($1)",
         .open      = "$+function varargout = $o(what, varargin)\n% " MADE "\n"
                      "% [out, ..] = $o('QUESTION', arguments ..)\n  switch what\n"
                      "$G    case '$q'\n      [varargout{1:$k}] = $n(varargin{:});\n$;"
                      "    otherwise\n      error('no question %s', what);\n  end\nend\n\n",
         .begin     = "function [$r$n$;] = $n($p$n$;)\n$A$R  $n = zeros($s, 1);\n$;",
         .finish    = "$M  $n = reshape($n, $c, $w).';\n$;end\n\n"},
    [LW_LANGUAGE_JAVASCRIPT] =
        {.suffix    = ".js",
         .float_end = "",
         .element   = "%s[%d]",
         .about     = " * ",
         .constant  = "  const $x = $=;\n",
         .local     = "  const $x = $=;\n",
         .output    = "  $y = $1;\n",
         .sine      = "Math.sin($1)",
         .cosine    = "Math.cos($1)",
         .root      = "Math.sqrt($1)",
         .open      = "// " MADE "\n\"use strict\";\n",
         .close     = "\nif (typeof module !== \"undefined\") module.exports = { $g$n$; };\n",
         .begin     = "\n/**\n$A */\nfunction $n($p$n$;) {\n"
                      "$R  const $n = new Float64Array($s);\n$;",
         .finish    = "  return $<$r$n$;$>;\n}\n"},
    [LW_LANGUAGE_RUST] = {.suffix    = ".rs",
                          .scalar    = {"f64", "f32"},
                          .float_end = "",
                          .point     = true,
                          .element   = "%s[%d]",
                          .about     = "/// ",
                          .constant  = "    const $x: $S = $=;\n",
                          .local     = "    let $x = $=;\n",
                          .output    = "    $y = $1;\n",
                          .sine      = "($1).sin()",
                          .cosine    = "($1).cos()",
                          .root      = "($1).sqrt()",
                          .fused     = "($1).mul_add($2, $3)",
                          .open      = "// " MADE "\n$e#![allow(clippy::excessive_precision)]\n$;",
                          .begin  = "\n$A#[allow(unused_variables, unused_parens, non_snake_case, "
                                    "non_upper_case_globals, dead_code)]\n"
                                    "pub fn $n($P$n: &[$S; $s], $;$r$n: &mut [$S; $s]$;) {\n",
                          .finish = "}\n"},
};

const lwDialect* lw_dialect(lwLanguage language)
{
  return language < LW_LANGUAGE_LATEX ? &dialects[language] : NULL;
}
