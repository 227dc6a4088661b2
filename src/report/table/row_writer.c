// SPDX-License-Identifier: MIT
#include "report/table/row_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "base/number.h"
#include "report/table/text_width.h"

enum
{
  HELD_ROWS    = 1000,  // of a table, until its columns are sized
  NUMBER_WIDTH = 12     // of -1.23457e-05, the longest number in a table
};

static bool is_shown(const lwRows* rows, size_t k)
{
  return !rows->shown || rows->shown(rows->context, k);
}

// --- names

static bool take_names(lwRows* rows)
{
  rows->names = calloc(rows->columns + 1, sizeof *rows->names);
  for (size_t k = 0; k < rows->columns && rows->names; ++k)
  {
    char name[LW_ROW_NAME];
    rows->name(rows->context, k, name);
    rows->names[k] = strdup(name);
    if (!rows->names[k]) return false;
  }
  return rows->names != NULL;
}

// A column of the input gives way to one of the answer that has its name.
static bool take_kept(lwRows* rows)
{
  rows->last = -1;
  if (!rows->kept) return true;
  const lwColumns* columns = &rows->kept->columns;
  rows->passed             = calloc((size_t)columns->columns + 1, sizeof *rows->passed);
  for (int c = 0; c < columns->columns && rows->passed; ++c)
  {
    rows->passed[c] = !rows->kept_time || !strcmp(columns->names[c], "t");
    for (size_t k = 0; k < rows->columns && rows->passed[c]; ++k)
      rows->passed[c] = strcmp(columns->names[c], rows->names[k]) != 0;
    if (rows->passed[c]) rows->last = c;
  }
  return rows->passed != NULL;
}

// --- columns that are passed through

// The fields of a line that are passed on, one after the other.
typedef struct KeptFields
{
  const lwRows* rows;
  const char* next;  // NULL: no more
  int column;
  lwFieldSpan span;
} KeptFields;

static KeptFields kept_fields(const lwRows* rows, const char* line)
{
  return (KeptFields){.rows = rows, .next = rows->kept ? line : NULL, .column = -1};
}

static bool kept_next(KeptFields* fields)
{
  while (fields->next && fields->column < fields->rows->last)
  {
    const char* end = fields->next + strlen(fields->next);
    if (!field_span(fields->next, end, &fields->span)) return false;
    fields->next = fields->span.next;
    if (fields->rows->passed[++fields->column]) return true;
  }
  return false;
}

// A copy of the text of a field, which the caller owns; NULL: out of memory.
static char* kept_text(const KeptFields* fields)
{
  char* text = malloc((size_t)(fields->span.end - fields->span.begin) + 1);
  if (text) field_text(&fields->span, text);
  return text;
}

static bool is_number(const char* text)
{
  double value;
  const char* end = text;
  return lw_number_read(&end, &value) && !*end && *text != '+' && *text != '.';
}

// As it stands in the input, with its quotes.
static void csv_kept(lwRows* rows, const lwFieldSpan* span)
{
  lw_out_bytes(rows->out, span->begin - span->quoted,
               (size_t)(span->end - span->begin) + 2 * (size_t)span->quoted);
}

static void table_cell(lwRows* rows, const char* text);

static void out_kept(lwRows* rows, const KeptFields* fields, const char* name)
{
  if (rows->format == LW_FORMAT_CSV) return csv_kept(rows, &fields->span);
  char* text = kept_text(fields);
  if (!text) return;
  if (rows->format == LW_FORMAT_TABLE) table_cell(rows, text);
  if (rows->format == LW_FORMAT_JSON)
  {
    lw_out_json(rows->out, name);
    lw_out_text(rows->out, ": ");
    if (is_number(text))
      lw_out_text(rows->out, text);
    else
      lw_out_json(rows->out, text);
  }
  free(text);
}

// The kept fields of a row, each but the first behind `comma`; returns whether there was one.
static bool add_kept(lwRows* rows, const char* line, const char* comma)
{
  bool any          = false;
  KeptFields fields = kept_fields(rows, line);
  for (; kept_next(&fields); any = true)
  {
    if (any) lw_out_text(rows->out, comma);
    out_kept(rows, &fields, rows->kept->columns.names[fields.column]);
  }
  return any;
}

// --- tables

// Names of all cells of a row in order, or their units.
static void table_heads(lwRows* rows, bool units)
{
  if (rows->numbered) table_cell(rows, units ? "" : "state");
  for (int c = 0; rows->kept && c < rows->kept->columns.columns; ++c)
  {
    const char* name = rows->kept->columns.names[c];
    if (rows->passed[c]) table_cell(rows, !units ? name : strcmp(name, "t") ? "" : "s");
  }
  for (size_t k = 0; k < rows->columns; ++k)
    if (is_shown(rows, k)) table_cell(rows, units ? rows->unit(rows->context, k) : rows->names[k]);
}

// Holds the text back, or writes it to the right of its column.
static void table_cell(lwRows* rows, const char* text)
{
  int k = rows->cell++;
  if (rows->begun)
  {
    lw_out_padded(rows->out, text, -rows->widths[k] - (k > 0 ? 2 : 0));
    if (rows->cell == rows->cells) lw_out_text(rows->out, "\n");
  }
  else
  {
    int width = lw_text_width(text);
    if (width > rows->widths[k]) rows->widths[k] = width;
    fputs(text, rows->held.file);
    fputc(0, rows->held.file);
  }
  rows->cell %= rows->cells;
}

static bool table_begin(lwRows* rows)
{
  rows->cells = rows->numbered;
  for (int c = 0; rows->kept && c < rows->kept->columns.columns; ++c)
    rows->cells += rows->passed[c];
  for (size_t k = 0; k < rows->columns; ++k) rows->cells += is_shown(rows, k);
  rows->widths = calloc((size_t)rows->cells + 1, sizeof *rows->widths);
  if (!rows->widths || !lw_memory_file_open(&rows->held)) rows->cells = 0;
  if (rows->cells == 0) return rows->held.file != NULL;
  table_heads(rows, false);
  if (rows->unit) table_heads(rows, true);
  return true;
}

// Writes what is held back; whatever comes later has to fit as well.
static void table_release(lwRows* rows, bool more)
{
  if (rows->begun || rows->cells == 0) return;
  rows->begun = true;
  if (!lw_memory_file_flush(&rows->held))
  {
    rows->out->error = ENOMEM;
    return;
  }
  for (int k = 0; k < rows->cells && more; ++k)
    if (rows->widths[k] < NUMBER_WIDTH) rows->widths[k] = NUMBER_WIDTH;
  const char* end = rows->held.text + rows->held.length;
  for (const char* text = rows->held.text; text < end; text += strlen(text) + 1)
    table_cell(rows, text);
}

static void table_row(lwRows* rows, const char* line, const double* values)
{
  char text[32];
  if (rows->cells == 0) return;
  if (rows->count == HELD_ROWS) table_release(rows, true);
  snprintf(text, sizeof text, "%ld", rows->count + 1);
  if (rows->numbered) table_cell(rows, text);
  add_kept(rows, line, "");
  for (size_t k = 0; k < rows->columns; ++k)
  {
    if (!is_shown(rows, k)) continue;
    snprintf(text, sizeof text, "%.6g", values[k] == 0 ? 0 : values[k]);  // no -0
    table_cell(rows, text);
  }
}

// --- csv and json

static void csv_begin(lwRows* rows)
{
  bool any = false;
  for (int c = 0; rows->kept && c < rows->kept->columns.columns; ++c)
  {
    if (!rows->passed[c]) continue;
    if (any) lw_out_bytes(rows->out, ",", 1);
    lw_out_csv(rows->out, rows->kept->columns.names[c]);
    any = true;
  }
  for (size_t k = 0; k < rows->columns; ++k)
  {
    if (any) lw_out_bytes(rows->out, ",", 1);
    lw_out_csv(rows->out, rows->names[k]);
    any = true;
  }
  lw_out_text(rows->out, "\n");
}

static void out_value(lwRows* rows, const double* values, size_t k)
{
  char text[LW_QUAD_TEXT];
  if (!rows->exact) return lw_out_number(rows->out, values[k]);
  lw_quad_text(rows->exact[k], text);
  lw_out_text(rows->out, text);
}

static void csv_row(lwRows* rows, const char* line, const double* values)
{
  bool any = add_kept(rows, line, ",");
  for (size_t k = 0; k < rows->columns; ++k)
  {
    if (any || k > 0) lw_out_bytes(rows->out, ",", 1);
    out_value(rows, values, k);
  }
  lw_out_bytes(rows->out, "\n", 1);
}

static void json_row(lwRows* rows, const char* line, const double* values)
{
  lw_out_text(rows->out, rows->count > 0 ? ",\n {" : "\n {");
  bool any = add_kept(rows, line, ", ");
  for (size_t k = 0; k < rows->columns; ++k)
  {
    if (any || k > 0) lw_out_text(rows->out, ", ");
    lw_out_json(rows->out, rows->names[k]);
    lw_out_text(rows->out, ": ");
    out_value(rows, values, k);
  }
  lw_out_text(rows->out, "}");
}

// --- all of it

bool lw_rows_keep(lwRows* rows, lwCsvFile* csv, bool all)
{
  if (!all && !lw_csv_header_has(&csv->header, "t")) return true;
  rows->kept      = &csv->header;
  rows->kept_time = !all;
  return lw_csv_block_keep_text(&csv->block);
}

void lw_rows_begin(lwRows* rows)
{
  if (!take_names(rows) || !take_kept(rows) ||
      (rows->format == LW_FORMAT_TABLE && !table_begin(rows)))
  {
    lw_rows_end(rows);
    rows->out->error = ENOMEM;
    return;
  }
  if (rows->format == LW_FORMAT_CSV) csv_begin(rows);
  if (rows->format == LW_FORMAT_JSON) lw_out_text(rows->out, "[");
}

void lw_rows_add_kept(lwRows* rows, const char* line, const double* values)
{
  static void (*const writers[])(lwRows*, const char*, const double*) = {
      [LW_FORMAT_TABLE] = table_row, [LW_FORMAT_CSV] = csv_row, [LW_FORMAT_JSON] = json_row};
  if (!rows->names) return;
  writers[rows->format](rows, line, values);
  ++rows->count;
}

void lw_rows_add(lwRows* rows, const double* values)
{
  lw_rows_add_kept(rows, NULL, values);
}

void lw_rows_end(lwRows* rows)
{
  if (!rows->names) return;  // it has not begun
  if (rows->format == LW_FORMAT_TABLE) table_release(rows, false);
  if (rows->format == LW_FORMAT_JSON) lw_out_text(rows->out, rows->count > 0 ? "\n]\n" : "]\n");
  for (size_t k = 0; k < rows->columns; ++k) free(rows->names[k]);
  free(rows->names);
  free(rows->widths);
  free(rows->passed);
  lw_memory_file_free(&rows->held);
  rows->names  = NULL;
  rows->widths = NULL;
  rows->passed = NULL;
}
