// SPDX-License-Identifier: MIT
#include "report/table/sheet_writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/table/text_width.h"

enum
{
  MAX_COLUMNS = 40,
  CELL_SIZE   = 32
};

lwCell lw_cell_text(const char* text)
{
  return (lwCell){.kind = text ? LW_CELL_TEXT : LW_CELL_NONE, .text = text};
}

lwCell lw_cell_number(double v)
{
  return (lwCell){.kind = isfinite(v) ? LW_CELL_NUMBER : LW_CELL_NONE, .number = v};
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

// Widths of all columns, negative where the column holds numbers.
static void measure_columns(const lwSheet* sheet, int width[MAX_COLUMNS])
{
  char buffer[CELL_SIZE];
  bool numbers[MAX_COLUMNS] = {false};
  for (int k = 0; k < sheet->columns; ++k)
  {
    int unit = sheet->unit ? lw_text_width(sheet->unit[k]) : 0;
    width[k] = lw_text_width(sheet->column[k].name);
    if (unit > width[k]) width[k] = unit;
  }
  for (int i = 0; i < sheet->rows; ++i)
  {
    lwCell cells[MAX_COLUMNS];
    sheet->row(sheet->context, i, cells);
    for (int k = 0; k < sheet->columns; ++k)
    {
      int needed = lw_text_width(shown(&cells[k], buffer));
      if (needed > width[k]) width[k] = needed;
      if (cells[k].kind == LW_CELL_NUMBER) numbers[k] = true;
    }
  }
  for (int k = 0; k < sheet->columns; ++k)
    if (numbers[k]) width[k] = -width[k];
}

// One cell and the gap after it; nothing follows the last one.
static void out_cell(lwOut* out, const char* text, int width, bool last)
{
  lw_out_padded(out, text, last && width > 0 ? 0 : width);
  lw_out_text(out, last ? "\n" : "  ");
}

static void write_sheet_table(lwOut* out, const lwSheet* sheet)
{
  int width[MAX_COLUMNS] = {0};
  char buffer[CELL_SIZE];
  measure_columns(sheet, width);
  for (int k = 0; k < sheet->columns; ++k)
    out_cell(out, sheet->column[k].name, width[k], k == sheet->columns - 1);
  int last = sheet->unit ? sheet->columns - 1 : -1;
  while (last >= 0 && !*sheet->unit[last]) --last;
  for (int k = 0; k <= last; ++k) out_cell(out, sheet->unit[k], width[k], k == last);
  for (int i = 0; i < sheet->rows; ++i)
  {
    lwCell cells[MAX_COLUMNS];
    sheet->row(sheet->context, i, cells);
    for (int k = 0; k < sheet->columns; ++k)
      out_cell(out, shown(&cells[k], buffer), width[k], k == sheet->columns - 1);
  }
}

static void csv_cell(lwOut* out, const lwCell* cell)
{
  if (cell->kind == LW_CELL_TEXT) lw_out_csv(out, cell->text);
  if (cell->kind == LW_CELL_NUMBER) lw_out_number(out, cell->number);
  if (cell->kind == LW_CELL_FLAG) lw_out_text(out, cell->number != 0 ? "yes" : "no");
  char buffer[CELL_SIZE];
  if (cell->kind == LW_CELL_LIST) lw_out_csv(out, list_joined(cell, buffer));
}

static void write_csv(lwOut* out, const lwSheet* sheet)
{
  for (int k = 0; k < sheet->columns; ++k)
  {
    if (k > 0) lw_out_text(out, ",");
    lw_out_csv(out, sheet->column[k].name);
  }
  lw_out_text(out, "\n");
  for (int i = 0; i < sheet->rows; ++i)
  {
    lwCell cells[MAX_COLUMNS];
    sheet->row(sheet->context, i, cells);
    for (int k = 0; k < sheet->columns; ++k)
    {
      if (k > 0) lw_out_text(out, ",");
      csv_cell(out, &cells[k]);
    }
    lw_out_text(out, "\n");
  }
}

static void json_list(lwOut* out, const char* const* words)
{
  lw_out_text(out, "[");
  for (const char* const* word = words; *word; ++word)
  {
    if (word != words) lw_out_text(out, ", ");
    lw_out_json(out, *word);
  }
  lw_out_text(out, "]");
}

static void json_member(lwOut* out, const lwSheetColumn* column, const lwCell* cell)
{
  lw_out_json(out, column->key ? column->key : column->name);
  lw_out_text(out, ": ");
  if (cell->kind == LW_CELL_NONE) lw_out_text(out, "null");
  if (cell->kind == LW_CELL_TEXT) lw_out_json(out, cell->text);
  if (cell->kind == LW_CELL_NUMBER) lw_out_number(out, cell->number);
  if (cell->kind == LW_CELL_FLAG) lw_out_text(out, cell->number != 0 ? "true" : "false");
  if (cell->kind == LW_CELL_LIST) json_list(out, cell->list);
}

// Columns from `first` that share its group.
static int group_size(const lwSheet* sheet, int first)
{
  const char* group = sheet->column[first].group;
  int last          = first + 1;
  while (group && last < sheet->columns && sheet->column[last].group &&
         !strcmp(sheet->column[last].group, group))
    ++last;
  return last - first;
}

static void json_group(lwOut* out, const lwSheetColumn* columns, const lwCell* cells, int count)
{
  bool empty = true;
  for (int k = 0; k < count; ++k) empty = empty && cells[k].kind == LW_CELL_NONE;
  lw_out_json(out, columns[0].group);
  lw_out_text(out, empty ? ": null" : ": {");
  for (int k = 0; k < count && !empty; ++k)
  {
    if (k > 0) lw_out_text(out, ", ");
    json_member(out, &columns[k], &cells[k]);
  }
  if (!empty) lw_out_text(out, "}");
}

static void json_row(lwOut* out, const lwSheet* sheet, const lwCell* cells)
{
  lw_out_text(out, "{");
  for (int k = 0; k < sheet->columns;)
  {
    int count = group_size(sheet, k);
    if (k > 0) lw_out_text(out, ", ");
    if (sheet->column[k].group)
      json_group(out, &sheet->column[k], &cells[k], count);
    else
      json_member(out, &sheet->column[k], &cells[k]);
    k += count;
  }
  lw_out_text(out, "}");
}

static void write_json(lwOut* out, const lwSheet* sheet)
{
  lw_out_text(out, "[");
  for (int i = 0; i < sheet->rows; ++i)
  {
    lwCell cells[MAX_COLUMNS];
    sheet->row(sheet->context, i, cells);
    lw_out_text(out, i > 0 ? ",\n " : "\n ");
    json_row(out, sheet, cells);
  }
  lw_out_text(out, sheet->rows > 0 ? "\n]\n" : "]\n");
}

void lw_sheet_write(lwOut* out, lwFormat format, const lwSheet* sheet)
{
  static void (*const writers[])(lwOut*, const lwSheet*) = {[LW_FORMAT_TABLE] = write_sheet_table,
                                                            [LW_FORMAT_CSV]   = write_csv,
                                                            [LW_FORMAT_JSON]  = write_json};
  writers[format](out, sheet);
}
