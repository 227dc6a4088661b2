// SPDX-License-Identifier: MIT
// Two neighbours in the rows of four states are transposed by shuffles, as in math/transpose.h;
// with the sizes known, the compiler leaves no loops over entries.
#include "generate/packed_rows.h"

const char lw_packed_rows_begin[] =
    "#include <string.h>\n"
    "#define ROWS_INLINE static inline __attribute__((always_inline))\n"
    "typedef double rows_lanes __attribute__((vector_size(32)));\n"
    "typedef double rows_pair __attribute__((vector_size(16)));\n"
    "ROWS_INLINE rows_pair rows_load(const double* at)\n"
    "{\n"
    "  rows_pair pair;\n"
    "  memcpy(&pair, at, sizeof pair);\n"
    "  return pair;\n"
    "}\n"
    "ROWS_INLINE void rows_store(rows_pair pair, double* at)\n"
    "{\n"
    "  memcpy(at, &pair, sizeof pair);\n"
    "}\n"
    "ROWS_INLINE void rows_pack(const double* rows, long size, rows_lanes* to)\n"
    "{\n"
    "  if (!rows) memset(to, 0, (size_t)size * sizeof *to);\n"
    "  for (long i = 0; rows && i + 1 < size; i += 2)\n"
    "  {\n"
    "    const rows_pair a = rows_load(rows + i), b = rows_load(rows + size + i);\n"
    "    const rows_pair c = rows_load(rows + 2 * size + i), d = rows_load(rows + 3 * size + i);\n"
    "    const rows_lanes ac = __builtin_shufflevector(a, c, 0, 1, 2, 3);\n"
    "    const rows_lanes bd = __builtin_shufflevector(b, d, 0, 1, 2, 3);\n"
    "    to[i] = __builtin_shufflevector(ac, bd, 0, 4, 2, 6);\n"
    "    to[i + 1] = __builtin_shufflevector(ac, bd, 1, 5, 3, 7);\n"
    "  }\n"
    "  const long last = size - 1;\n"
    "  if (rows && size % 2)\n"
    "    to[last] = (rows_lanes){rows[last], rows[size + last], rows[2 * size + last], "
    "rows[3 * size + last]};\n"
    "}\n"
    "ROWS_INLINE void rows_unpack(const rows_lanes* from, long size, double* rows)\n"
    "{\n"
    "  for (long i = 0; i + 1 < size; i += 2)\n"
    "  {\n"
    "    const rows_lanes ac = __builtin_shufflevector(from[i], from[i + 1], 0, 4, 2, 6);\n"
    "    const rows_lanes bd = __builtin_shufflevector(from[i], from[i + 1], 1, 5, 3, 7);\n"
    "    rows_store(__builtin_shufflevector(ac, ac, 0, 1), rows + i);\n"
    "    rows_store(__builtin_shufflevector(bd, bd, 0, 1), rows + size + i);\n"
    "    rows_store(__builtin_shufflevector(ac, ac, 2, 3), rows + 2 * size + i);\n"
    "    rows_store(__builtin_shufflevector(bd, bd, 2, 3), rows + 3 * size + i);\n"
    "  }\n"
    "  for (long lane = 0; size % 2 && lane < 4; ++lane)\n"
    "    rows[lane * size + size - 1] = from[size - 1][lane];\n"
    "}\n";

// The parameters of the function of lanes, with the size of each.
static const char* const PARAMETERS[LW_ROWS_PARAMETERS] = {"q", "qd", "third"};

void lw_emit_rows(const lwPackedRows* rows, lwOut* text)
{
  const int sizes[LW_ROWS_PARAMETERS] = {rows->nq, rows->dof, rows->dof};
  int count = rows->parameters < LW_ROWS_PARAMETERS ? rows->parameters : LW_ROWS_PARAMETERS;
  int used  = 0;
  lw_out_format(
      text,
      "void %s(long count, const double* q, const double* qd, const double* third, double* "
      "out, double* room)\n{\n",
      rows->name);
  for (int k = 0; k < count; ++k)
  {
    lw_out_format(text, "  rows_lanes* const %s_lanes = (rows_lanes*)room + %d;\n", PARAMETERS[k],
                  used);
    used += sizes[k];
  }
  lw_out_format(text, "  rows_lanes* const answers = (rows_lanes*)room + %d;\n", used);
  if (rows->parameters < 3) lw_out_text(text, "  (void)third;\n");
  if (rows->parameters < 2) lw_out_text(text, "  (void)qd;\n");
  lw_out_format(text, "  for (long i = 0; i < count; i += %d)\n  {\n", LW_ROWS_LANES);
  for (int k = 0; k < count; ++k)
    lw_out_format(text, "    rows_pack(%s ? %s + i * %d : 0, %d, %s_lanes);\n", PARAMETERS[k],
                  PARAMETERS[k], sizes[k], sizes[k], PARAMETERS[k]);
  lw_out_format(text, "    %s(", rows->lanes);
  for (int k = 0; k < count; ++k) lw_out_format(text, "%s_lanes, ", PARAMETERS[k]);
  lw_out_format(text, "answers);\n    rows_unpack(answers, %d, out + i * %d);\n  }\n}\n",
                rows->outputs, rows->outputs);
}
