// SPDX-License-Identifier: MIT
#include "sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

enum
{
  MAX_COLUMNS = 40,
  CELL_SIZE   = 32
};

Cell cell_text(const char* text)
{
  return (Cell){.kind = text ? CELL_TEXT : CELL_NONE, .text = text};
}

Cell cell_number(double v)
{
  return (Cell){.kind = isfinite(v) ? CELL_NUMBER : CELL_NONE, .number = v};
}

Cell cell_limit(double v)
{
  Cell cell = cell_number(v);
  if (cell.kind == CELL_NONE) cell.text = "unlimited";
  return cell;
}

Cell cell_flag(bool flag)
{
  return (Cell){.kind = CELL_FLAG, .number = flag};
}

Cell cell_list(const char* const* words)
{
  return (Cell){.kind = CELL_LIST, .list = words};
}

static const char* list_joined(const Cell* cell, char buffer[CELL_SIZE])
{
  buffer[0] = 0;
  for (const char* const* word = cell->list; *word; ++word)
    text_append(buffer, CELL_SIZE, word == cell->list ? "" : " ", *word);
  return buffer;
}

// The cell as people read it, in the buffer or elsewhere.
static const char* shown(const Cell* cell, char buffer[CELL_SIZE])
{
  if (cell->kind == CELL_TEXT) return cell->text;
  if (cell->kind == CELL_FLAG) return cell->number != 0 ? "yes" : "no";
  if (cell->kind == CELL_LIST && cell->list[0]) return list_joined(cell, buffer);
  if (cell->kind != CELL_NUMBER) return cell->kind == CELL_NONE && cell->text ? cell->text : "-";
  bool whole = cell->number == floor(cell->number) && fabs(cell->number) < 1e15;
  snprintf(buffer, CELL_SIZE, whole ? "%.0f" : "%.6g", cell->number == 0 ? 0 : cell->number);
  return buffer;
}

// Widths of all columns, negative where the column holds numbers.
static void measure_columns(const Sheet* sheet, int width[MAX_COLUMNS])
{
  char buffer[CELL_SIZE];
  bool numbers[MAX_COLUMNS] = {false};
  for (int k = 0; k < sheet->columns; ++k)
  {
    int unit = sheet->unit ? text_width(sheet->unit[k]) : 0;
    width[k] = text_width(sheet->column[k].name);
    if (unit > width[k]) width[k] = unit;
  }
  for (int i = 0; i < sheet->rows; ++i)
  {
    Cell cells[MAX_COLUMNS];
    sheet->row(sheet->context, i, cells);
    for (int k = 0; k < sheet->columns; ++k)
    {
      int needed = text_width(shown(&cells[k], buffer));
      if (needed > width[k]) width[k] = needed;
      if (cells[k].kind == CELL_NUMBER) numbers[k] = true;
    }
  }
  for (int k = 0; k < sheet->columns; ++k)
    if (numbers[k]) width[k] = -width[k];
}

// One cell and the gap behind it; nothing is put behind the last one.
static void out_cell(Out* out, const char* text, int width, bool last)
{
  out_padded(out, text, last && width > 0 ? 0 : width);
  out_text(out, last ? "\n" : "  ");
}

static void write_sheet_table(Out* out, const Sheet* sheet)
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
    Cell cells[MAX_COLUMNS];
    sheet->row(sheet->context, i, cells);
    for (int k = 0; k < sheet->columns; ++k)
      out_cell(out, shown(&cells[k], buffer), width[k], k == sheet->columns - 1);
  }
}

static void csv_cell(Out* out, const Cell* cell)
{
  if (cell->kind == CELL_TEXT) out_csv(out, cell->text);
  if (cell->kind == CELL_NUMBER) out_number(out, cell->number);
  if (cell->kind == CELL_FLAG) out_text(out, cell->number != 0 ? "yes" : "no");
  char buffer[CELL_SIZE];
  if (cell->kind == CELL_LIST) out_csv(out, list_joined(cell, buffer));
}

static void write_csv(Out* out, const Sheet* sheet)
{
  for (int k = 0; k < sheet->columns; ++k)
  {
    if (k > 0) out_text(out, ",");
    out_csv(out, sheet->column[k].name);
  }
  out_text(out, "\n");
  for (int i = 0; i < sheet->rows; ++i)
  {
    Cell cells[MAX_COLUMNS];
    sheet->row(sheet->context, i, cells);
    for (int k = 0; k < sheet->columns; ++k)
    {
      if (k > 0) out_text(out, ",");
      csv_cell(out, &cells[k]);
    }
    out_text(out, "\n");
  }
}

static void json_list(Out* out, const char* const* words)
{
  out_text(out, "[");
  for (const char* const* word = words; *word; ++word)
  {
    if (word != words) out_text(out, ", ");
    out_json(out, *word);
  }
  out_text(out, "]");
}

static void json_member(Out* out, const SheetColumn* column, const Cell* cell)
{
  out_json(out, column->key ? column->key : column->name);
  out_text(out, ": ");
  if (cell->kind == CELL_NONE) out_text(out, "null");
  if (cell->kind == CELL_TEXT) out_json(out, cell->text);
  if (cell->kind == CELL_NUMBER) out_number(out, cell->number);
  if (cell->kind == CELL_FLAG) out_text(out, cell->number != 0 ? "true" : "false");
  if (cell->kind == CELL_LIST) json_list(out, cell->list);
}

// Columns from `first` that share its group.
static int group_size(const Sheet* sheet, int first)
{
  const char* group = sheet->column[first].group;
  int last          = first + 1;
  while (group && last < sheet->columns && sheet->column[last].group &&
         !strcmp(sheet->column[last].group, group))
    ++last;
  return last - first;
}

static void json_group(Out* out, const SheetColumn* columns, const Cell* cells, int count)
{
  bool empty = true;
  for (int k = 0; k < count; ++k) empty = empty && cells[k].kind == CELL_NONE;
  out_json(out, columns[0].group);
  out_text(out, empty ? ": null" : ": {");
  for (int k = 0; k < count && !empty; ++k)
  {
    if (k > 0) out_text(out, ", ");
    json_member(out, &columns[k], &cells[k]);
  }
  if (!empty) out_text(out, "}");
}

static void json_row(Out* out, const Sheet* sheet, const Cell* cells)
{
  out_text(out, "{");
  for (int k = 0; k < sheet->columns;)
  {
    int count = group_size(sheet, k);
    if (k > 0) out_text(out, ", ");
    if (sheet->column[k].group)
      json_group(out, &sheet->column[k], &cells[k], count);
    else
      json_member(out, &sheet->column[k], &cells[k]);
    k += count;
  }
  out_text(out, "}");
}

static void write_json(Out* out, const Sheet* sheet)
{
  out_text(out, "[");
  for (int i = 0; i < sheet->rows; ++i)
  {
    Cell cells[MAX_COLUMNS];
    sheet->row(sheet->context, i, cells);
    out_text(out, i > 0 ? ",\n " : "\n ");
    json_row(out, sheet, cells);
  }
  out_text(out, sheet->rows > 0 ? "\n]\n" : "]\n");
}

void sheet_write(Out* out, Format format, const Sheet* sheet)
{
  static void (*const writers[])(Out*, const Sheet*) = {
      [FORMAT_TABLE] = write_sheet_table, [FORMAT_CSV] = write_csv, [FORMAT_JSON] = write_json};
  writers[format](out, sheet);
}
