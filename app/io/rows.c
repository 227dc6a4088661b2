// SPDX-License-Identifier: MIT
#include "rows.h"

enum
{
  TABLE_WIDTH = 14
};

static bool is_shown(const Rows* rows, size_t k)
{
  return !rows->shown || rows->shown(rows->context, k);
}

static void table_begin(Rows* rows)
{
  for (size_t k = 0; k < rows->columns; ++k)
  {
    char name[ROW_NAME];
    if (!is_shown(rows, k)) continue;
    rows->name(rows->context, k, name);
    out_format(rows->out, " %*s", TABLE_WIDTH, name);
  }
  out_text(rows->out, "\n");
}

static void table_row(Rows* rows, const double* values)
{
  for (size_t k = 0; k < rows->columns; ++k)
    if (is_shown(rows, k)) out_format(rows->out, " %*.6g", TABLE_WIDTH, values[k]);
  out_text(rows->out, "\n");
}

static void csv_begin(Rows* rows)
{
  for (size_t k = 0; k < rows->columns; ++k)
  {
    char name[ROW_NAME];
    rows->name(rows->context, k, name);
    if (k > 0) out_bytes(rows->out, ",", 1);
    out_text(rows->out, name);
  }
  out_text(rows->out, "\n");
}

static void csv_row(Rows* rows, const double* values)
{
  for (size_t k = 0; k < rows->columns; ++k)
  {
    if (k > 0) out_bytes(rows->out, ",", 1);
    out_number(rows->out, values[k]);
  }
  out_bytes(rows->out, "\n", 1);
}

static void json_row(Rows* rows, const double* values)
{
  out_text(rows->out, rows->count > 0 ? ",\n {" : "\n {");
  for (size_t k = 0; k < rows->columns; ++k)
  {
    char name[ROW_NAME];
    rows->name(rows->context, k, name);
    out_format(rows->out, "%s\"%s\": ", k > 0 ? ", " : "", name);
    out_number(rows->out, values[k]);
  }
  out_text(rows->out, "}");
}

void rows_begin(Rows* rows)
{
  if (rows->format == FORMAT_TABLE) table_begin(rows);
  if (rows->format == FORMAT_CSV) csv_begin(rows);
  if (rows->format == FORMAT_JSON) out_text(rows->out, "[");
}

void rows_add(Rows* rows, const double* values)
{
  static void (*const writers[])(Rows*, const double*) = {
      [FORMAT_TABLE] = table_row, [FORMAT_CSV] = csv_row, [FORMAT_JSON] = json_row};
  writers[rows->format](rows, values);
  ++rows->count;
}

void rows_end(Rows* rows)
{
  if (rows->format == FORMAT_JSON) out_text(rows->out, rows->count > 0 ? "\n]\n" : "]\n");
}
