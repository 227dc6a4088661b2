// SPDX-License-Identifier: MIT
#include "text/table_writer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "text/fields.h"
#include "text/text_width.h"

enum
{
  HELD_ROWS    = 1000,  // of a table, until its columns are sized
  NUMBER_WIDTH = 12,    // of -1.23457e-05, the longest number in a table
  MAX_COLUMNS  = 40,    // of a sheet
  NAME_SIZE    = 40,
  CELL_SIZE    = 32
};

// --- tables

static bool grid_begin(lwTextGrid* grid, int cells)
{
  *grid        = (lwTextGrid){.cells = cells, .held.in_memory = true};
  grid->widths = calloc(2 * (size_t)cells + 1, sizeof *grid->widths);
  return grid->widths != NULL;
}

static void put_cell(const lwTextGrid* grid, lwOut* out, int k, const char* text, bool last)
{
  int gap = k > 0 ? 2 : 0;
  if (!grid->widths[grid->cells + k]) return lw_out_padded(out, text, -grid->widths[k] - gap);
  lw_out_padded(out, "", gap);
  lw_out_padded(out, text, last ? 0 : grid->widths[k]);
}

// Holds the text back, or writes it into its column.
static void grid_cell(lwTextGrid* grid, lwOut* out, const char* text)
{
  int k = grid->cell++;
  if (grid->begun) return put_cell(grid, out, k, text, false);
  int width = lw_text_width(text);
  if (width > grid->widths[k]) grid->widths[k] = width;
  lw_out_bytes(&grid->held, text, strlen(text) + 1);
}

static void grid_end_row(lwTextGrid* grid, lwOut* out)
{
  grid->cell = 0;
  if (grid->begun)
    lw_out_text(out, "\n");
  else
    lw_out_bytes(&grid->held, "\n", 2);
}

// Writes what is held back; whatever comes later has to fit as well.
static void grid_release(lwTextGrid* grid, lwOut* out, bool more)
{
  if (grid->begun || grid->cells == 0) return;
  grid->begun = true;
  if (!lw_out_finish(&grid->held))
  {
    out->error = ENOMEM;
    return;
  }
  for (int k = 0; k < grid->cells && more; ++k)
    if (grid->widths[k] < NUMBER_WIDTH) grid->widths[k] = NUMBER_WIDTH;
  const char *next, *end = grid->held.text + grid->held.length;
  for (const char* text = grid->held.text; text < end; text = next)
  {
    next = text + strlen(text) + 1;
    if (*text == '\n')
      grid_end_row(grid, out);
    else
      put_cell(grid, out, grid->cell++, text, *next == '\n');
  }
}

static void grid_end(lwTextGrid* grid)
{
  free(grid->widths);
  lw_out_free(&grid->held);
  grid->widths = NULL;
}

// --- rows of numbers

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

static void out_kept(lwRows* rows, const KeptFields* fields, const char* name)
{
  if (rows->format == LW_FORMAT_CSV) return csv_kept(rows, &fields->span);
  // A copy of the text of a field, which the caller owns; NULL: out of memory.
  char* text = malloc((size_t)(fields->span.end - fields->span.begin) + 1);
  if (text) field_text(&fields->span, text);
  if (!text) return;
  if (rows->format == LW_FORMAT_TABLE) grid_cell(&rows->grid, rows->out, text);
  if (rows->format == LW_FORMAT_JSON)
    lw_json(rows->out, is_number(text) ? "$s: " : "$s: $s", name, text);
  if (rows->format == LW_FORMAT_JSON && is_number(text)) lw_out_text(rows->out, text);
  free(text);
}

// The kept fields of a row, each but the first behind `comma`; returns whether there was one.
static bool add_kept(lwRows* rows, const char* line, const char* comma)
{
  bool any          = false;
  KeptFields fields = (KeptFields){.rows = rows, .next = rows->kept ? line : NULL, .column = -1};
  for (; kept_next(&fields); any = true)
  {
    if (any) lw_out_text(rows->out, comma);
    out_kept(rows, &fields, rows->kept->columns.names[fields.column]);
  }
  return any;
}

// Names of all cells of a row in order, or their units.
static void table_heads(lwRows* rows, bool units)
{
  lwTextGrid* grid = &rows->grid;
  if (rows->numbered) grid_cell(grid, rows->out, units ? "" : "state");
  for (int c = 0; rows->kept && c < rows->kept->columns.columns; ++c)
  {
    const char* name = rows->kept->columns.names[c];
    if (rows->passed[c]) grid_cell(grid, rows->out, !units ? name : strcmp(name, "t") ? "" : "s");
  }
  for (size_t k = 0; k < rows->columns; ++k)
    if (is_shown(rows, k))
      grid_cell(grid, rows->out, units ? rows->unit(rows->context, k) : rows->names[k]);
  grid_end_row(grid, rows->out);
}

static bool table_begin(lwRows* rows)
{
  int cells = rows->numbered;
  for (int c = 0; rows->kept && c < rows->kept->columns.columns; ++c) cells += rows->passed[c];
  for (size_t k = 0; k < rows->columns; ++k) cells += is_shown(rows, k);
  if (!grid_begin(&rows->grid, cells)) return false;
  if (cells > 0) table_heads(rows, false);
  if (cells > 0 && rows->unit) table_heads(rows, true);
  return true;
}

static void table_row(lwRows* rows, const char* line, const double* values)
{
  char text[32];
  lwTextGrid* grid = &rows->grid;
  if (grid->cells == 0) return;
  if (rows->count == HELD_ROWS) grid_release(grid, rows->out, true);
  snprintf(text, sizeof text, "%ld", rows->count + 1);
  if (rows->numbered) grid_cell(grid, rows->out, text);
  add_kept(rows, line, "");
  for (size_t k = 0; k < rows->columns; ++k)
  {
    if (!is_shown(rows, k)) continue;
    snprintf(text, sizeof text, "%.6g", values[k] == 0 ? 0 : values[k]);  // no -0
    grid_cell(grid, rows->out, text);
  }
  grid_end_row(grid, rows->out);
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

size_t lw_groups_columns(const lwColumnGroup* groups)
{
  size_t count = 0;
  for (; groups->symbol; ++groups) count += (size_t)groups->width;
  return count;
}

// The group of column k, which becomes its number in it.
static const lwColumnGroup* group_with(const lwColumnGroup* groups, size_t* k)
{
  for (; *k >= (size_t)groups->width; ++groups) *k -= (size_t)groups->width;
  return groups;
}

void lw_groups_name(const void* groups, size_t k, char name[LW_ROW_NAME])
{
  const lwColumnGroup* group = group_with(groups, &k);
  int length                 = snprintf(name, LW_ROW_NAME, "%s", group->symbol);
  if (!group->single) snprintf(name + length, LW_ROW_NAME - (size_t)length, "%zu", k + 1);
}

const char* lw_groups_unit(const void* groups, size_t k)
{
  return group_with(groups, &k)->unit;
}

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
  if (rows->format == LW_FORMAT_TABLE) grid_release(&rows->grid, rows->out, false);
  if (rows->format == LW_FORMAT_JSON) lw_out_text(rows->out, rows->count > 0 ? "\n]\n" : "]\n");
  for (size_t k = 0; k < rows->columns; ++k) free(rows->names[k]);
  free(rows->names);
  free(rows->passed);
  grid_end(&rows->grid);
  rows->names  = NULL;
  rows->passed = NULL;
}

// --- lists of rows

lwCell lw_cell_text(const char* text)
{
  return (lwCell){.kind = text ? LW_CELL_TEXT : LW_CELL_NONE, .text = text};
}

lwCell lw_cell_number(double v)
{
  return (lwCell){.kind = isfinite(v) ? LW_CELL_NUMBER : LW_CELL_NONE, .number = v};
}

void lw_cells_numbers(lwCell* cells, const double* numbers, int count)
{
  for (int k = 0; k < count; ++k) cells[k] = lw_cell_number(numbers[k]);
}

lwCell lw_cell_limit(double v)
{
  lwCell cell = lw_cell_number(v);
  if (cell.kind == LW_CELL_NONE) cell.text = "unlimited";
  return cell;
}

lwCell lw_cell_flag(bool flag)
{
  return (lwCell){.kind = LW_CELL_FLAG, .number = flag};
}

lwCell lw_cell_list(const char* const* words)
{
  return (lwCell){.kind = LW_CELL_LIST, .list = words};
}

static const char* list_joined(const lwCell* cell, char buffer[CELL_SIZE])
{
  buffer[0] = 0;
  for (const char* const* word = cell->list; *word; ++word)
    lw_text_append(buffer, CELL_SIZE, word == cell->list ? "" : " ", *word);
  return buffer;
}

// The cell as people read it, in the buffer or elsewhere.
static const char* shown(const lwCell* cell, char buffer[CELL_SIZE])
{
  if (cell->kind == LW_CELL_TEXT) return cell->text;
  if (cell->kind == LW_CELL_FLAG) return cell->number != 0 ? "yes" : "no";
  if (cell->kind == LW_CELL_LIST && cell->list[0]) return list_joined(cell, buffer);
  if (cell->kind != LW_CELL_NUMBER)
    return cell->kind == LW_CELL_NONE && cell->text ? cell->text : "-";
  bool whole = cell->number == floor(cell->number) && fabs(cell->number) < 1e15;
  snprintf(buffer, CELL_SIZE, whole ? "%.0f" : "%.6g", cell->number == 0 ? 0 : cell->number);
  return buffer;
}

// A column: its name, and where it stands in json.
typedef struct SheetColumn
{
  char name[NAME_SIZE], group[NAME_SIZE], key[NAME_SIZE];
} SheetColumn;

int lw_sheet_width(const char* columns)
{
  int width = 1;
  for (; *columns; ++columns) width += *columns == ',';
  return width;
}

static void read_column(const char* text, int length, SheetColumn* column)
{
  char key[NAME_SIZE] = "";
  snprintf(column->name, NAME_SIZE, "%.*s", (int)strcspn(text, ",="), text);
  const char* path = memchr(text, '=', (size_t)length);
  if (path) snprintf(key, NAME_SIZE, "%.*s", (int)(text + length - path - 1), path + 1);
  const char* point = strchr(key, '.');
  snprintf(column->group, NAME_SIZE, "%.*s", point ? (int)(point - key) : 0, key);
  snprintf(column->key, NAME_SIZE, "%.39s", point ? point + 1 : path ? key : column->name);
}

// The columns that are written; returns how many.
static int read_columns(const lwSheet* sheet, SheetColumn columns[MAX_COLUMNS])
{
  int count = lw_sheet_width(sheet->columns);
  if (sheet->most > 0 && sheet->most < count) count = sheet->most;
  const char* text = sheet->columns;
  for (int k = 0; k < count; ++k)
  {
    size_t length = strcspn(text, ",");
    read_column(text, (int)length, &columns[k]);
    text += length + 1;
  }
  return count;
}

static void read_cells(const lwSheet* sheet, int i, lwCell cells[MAX_COLUMNS])
{
  memset(cells, 0, MAX_COLUMNS * sizeof *cells);
  sheet->row(sheet->context, i, cells);
}

// Columns without numbers go to the left.
static void write_sheet_table(lwOut* out, const lwSheet* sheet, const SheetColumn* columns,
                              int count)
{
  char buffer[CELL_SIZE];
  lwTextGrid grid;
  int last = sheet->unit ? count - 1 : -1;
  if (!grid_begin(&grid, count))
  {
    out->error = ENOMEM;
    return;
  }
  for (int k = 0; k < count; ++k) grid_cell(&grid, out, columns[k].name);
  grid_end_row(&grid, out);
  while (last >= 0 && !*sheet->unit[last]) --last;
  for (int k = 0; k <= last; ++k) grid_cell(&grid, out, sheet->unit[k]);
  if (last >= 0) grid_end_row(&grid, out);
  for (int k = 0; k < count; ++k) grid.widths[count + k] = true;
  for (int i = 0; i < sheet->rows; ++i)
  {
    lwCell cells[MAX_COLUMNS];
    read_cells(sheet, i, cells);
    for (int k = 0; k < count; ++k)
    {
      grid_cell(&grid, out, shown(&cells[k], buffer));
      if (cells[k].kind == LW_CELL_NUMBER) grid.widths[count + k] = false;
    }
    grid_end_row(&grid, out);
  }
  grid_release(&grid, out, false);
  grid_end(&grid);
}

static void write_sheet_csv(lwOut* out, const lwSheet* sheet, const SheetColumn* columns, int count)
{
  for (int k = 0; k < count; ++k)
  {
    if (k > 0) lw_out_text(out, ",");
    lw_out_csv(out, columns[k].name);
  }
  lw_out_text(out, "\n");
  for (int i = 0; i < sheet->rows; ++i)
  {
    lwCell cells[MAX_COLUMNS];
    read_cells(sheet, i, cells);
    for (int k = 0; k < count; ++k)
    {
      if (k > 0) lw_out_text(out, ",");
      if (cells[k].kind == LW_CELL_TEXT) lw_out_csv(out, cells[k].text);
      if (cells[k].kind == LW_CELL_NUMBER) lw_out_number(out, cells[k].number);
      if (cells[k].kind == LW_CELL_FLAG) lw_out_text(out, cells[k].number != 0 ? "yes" : "no");
      char buffer[CELL_SIZE];
      if (cells[k].kind == LW_CELL_LIST) lw_out_csv(out, list_joined(&cells[k], buffer));
    }
    lw_out_text(out, "\n");
  }
}

static void json_cell(lwOut* out, const lwCell* cell)
{
  if (cell->kind != LW_CELL_LIST)
  {
    if (cell->kind == LW_CELL_FLAG)
      lw_json(out, "$b", cell->number != 0);
    else if (cell->kind == LW_CELL_NUMBER)
      lw_json(out, "$n", cell->number);
    else
      lw_out_json(out, cell->kind == LW_CELL_TEXT ? cell->text : NULL);
    return;
  }
  lw_out_text(out, "[");
  for (const char* const* word = cell->list; *word; ++word)
    lw_json(out, word != cell->list ? ", $s" : "$s", *word);
  lw_out_text(out, "]");
}

// Columns from the first that share its group, which may be none; *empty: they have no values.
static int group_size(const SheetColumn* columns, const lwCell* cells, int count, bool* empty)
{
  int k  = 0;
  *empty = true;
  do *empty = *empty && cells[k].kind == LW_CELL_NONE;
  while (++k < count && columns->group[0] && !strcmp(columns[k].group, columns->group));
  return k;
}

static void json_row_cells(lwOut* out, const SheetColumn* columns, const lwCell* cells, int count)
{
  for (int k = 0, size; k < count; k += size)
  {
    bool empty;
    const char* group = columns[k].group;
    size              = group_size(&columns[k], &cells[k], count - k, &empty);
    if (k > 0) lw_out_text(out, ", ");
    if (*group) lw_json(out, empty ? "$s: null" : "$s: {", group);
    for (int i = k; i < k + size && !(*group && empty); ++i)
    {
      lw_json(out, i > k ? ", $s: " : "$s: ", columns[i].key);
      json_cell(out, &cells[i]);
    }
    if (*group && !empty) lw_out_text(out, "}");
  }
}

static void write_sheet_json(lwOut* out, const lwSheet* sheet, const SheetColumn* columns,
                             int count)
{
  lw_out_text(out, "[");
  for (int i = 0; i < sheet->rows; ++i)
  {
    lwCell cells[MAX_COLUMNS];
    read_cells(sheet, i, cells);
    lw_out_text(out, i > 0 ? ",\n {" : "\n {");
    json_row_cells(out, columns, cells, count);
    lw_out_text(out, "}");
  }
  lw_out_text(out, sheet->rows > 0 ? "\n]\n" : "]\n");
}

void lw_sheet_write(lwOut* out, lwFormat format, const lwSheet* sheet)
{
  static void (*const writers[])(lwOut*, const lwSheet*, const SheetColumn*,
                                 int) = {[LW_FORMAT_TABLE] = write_sheet_table,
                                         [LW_FORMAT_CSV]   = write_sheet_csv,
                                         [LW_FORMAT_JSON]  = write_sheet_json};
  SheetColumn columns[MAX_COLUMNS];
  writers[format](out, sheet, columns, read_columns(sheet, columns));
}
