// SPDX-License-Identifier: MIT
// CSV tables: rows of numbers block by block, lines of any form, and where something is wrong.
#include "text/csv_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/testing.h"

enum
{
  T,
  Q,
  GROUPS
};

typedef struct Table
{
  lwCsvHeader header;
  lwLines lines;
  lwCsvBlock block;
} Table;

// Columns t, which increases, and q1 and q2; blocks of three rows.
static lwStatus open_table(Table* table, const char* text)
{
  static const int widths[LW_CSV_GROUPS] = {1, 2};
  *table                                 = (Table){.header = {.groups = GROUPS, .increasing = T}};
  table->header.group[T]                 = lw_csv_time;
  table->header.group[Q]                 = (lwColumnGroup){.symbol = "q", .width = 2};
  assert_int_equal(lw_lines_open_text(&table->lines, "x.csv", text, strlen(text)), LW_OK);
  lwStatus status = lw_csv_header_line(&table->lines);
  if (status == LW_OK) status = lw_csv_header_read(&table->header, &table->lines);
  if (status == LW_OK)
    assert_true(lw_csv_block_allocate(&table->block, table->header.present, widths, 3));
  return status;
}

static void close_table(Table* table)
{
  lw_csv_block_destroy(&table->block);
  lw_csv_header_destroy(&table->header);
  lw_lines_close(&table->lines);
}

static lwStatus next_block(Table* table)
{
  return lw_csv_rows(&table->header, &table->lines, &table->block);
}

static void rows_come_in_blocks(void** unused)
{
  (void)unused;
  Table table;
  assert_int_equal(open_table(&table,
                              "\xEF\xBB\xBFq2,note,t,q1\r\n2,x,0,1\r\n\"4\", \"a,b\" ,0.5,3\n"
                              "6,,1, 5\n8,y,2,7e0\n\n \n"),
                   LW_OK);
  assert_true(lw_csv_header_has(&table.header, "note"));
  assert_false(lw_csv_header_has(&table.header, "q3"));
  assert_true(lw_csv_block_keep_text(&table.block));
  assert_int_equal(next_block(&table), LW_OK);
  assert_int_equal(table.block.count, 3);
  assert_int_equal(table.block.first, 1);
  for (int i = 0; i < 3; ++i)
  {
    assert_same(table.block.values[T][i], 0.5 * i);
    for (int k = 0; k < 2; ++k) assert_same(table.block.values[Q][2 * i + k], 2 * i + k + 1);
  }
  assert_string_equal(table.block.text[1], "\"4\", \"a,b\" ,0.5,3");
  assert_int_equal(next_block(&table), LW_OK);
  assert_int_equal(table.block.count, 1);
  assert_int_equal(table.block.first, 4);
  assert_same(table.block.values[Q][0], 7);
  assert_int_equal(next_block(&table), LW_OK);
  assert_int_equal(table.block.count, 0);
  close_table(&table);
}

// Time may be missing; then it has no values.
static void a_group_may_be_absent(void** unused)
{
  (void)unused;
  Table table;
  assert_int_equal(open_table(&table, "q1,q2\n1,2\n"), LW_OK);
  assert_int_equal(table.header.present, 1u << Q);
  assert_null(table.block.values[T]);
  assert_int_equal(next_block(&table), LW_OK);
  assert_int_equal(table.block.count, 1);
  close_table(&table);
}

static void wrong_headers_are_refused(void** unused)
{
  (void)unused;
  static const char* const cases[][2] = {
      {"", "x.csv:1:1: error: nothing here, expected a header with names of columns"},
      {" \n1\n", "x.csv:1:1: error: nothing here, expected a header with names of columns"},
      {"t,q1\n", "x.csv:1:1: error: column 'q2' is missing, expected columns q1 and q2"},
      {"t, q1,\"q2\n", "x.csv:1:7: error: a quote that is not closed"},
      {"q1,q2,q1\n", "x.csv:1:7: error: column 'q1' comes twice, expected it once"},
      {"q1;q2\n", "x.csv:1:1: error: the columns are separated by semicolons, expected commas"},
      {"q1,q2,\n", "x.csv:1:7: error: an empty field, expected the name of a column"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    Table table;
    assert_int_equal(open_table(&table, cases[i][0]), LW_ERROR_INPUT);
    assert_contains(table.lines.message, cases[i][1]);
    close_table(&table);
  }
}

static void wrong_rows_are_refused(void** unused)
{
  (void)unused;
  static const char* const cases[][2] = {
      {"0,1\n", "x.csv:2:4: error: 2 fields, expected 3 as in the header"},
      {"0,1,2,3\n", "x.csv:2:7: error: more fields, expected 3 as in the header"},
      {"0,,2\n", "x.csv:2:3: error: an empty field, expected a number for column 'q1'"},
      {"0,one,2\n", "x.csv:2:3: error: 'one' is not a finite number, expected one for column 'q1'"},
      {"0,1e999,2\n", "x.csv:2:3: error: '1e999' is not a finite number"},
      {"0,\"one\",2\n", "x.csv:2:3: error: 'one' is not a finite number"},
      {"0,\"1,2\n", "x.csv:2:3: error: a quote that is not closed, expected a number"},
      {"1,1,2\n1,1,2\n", "x.csv:3:1: error: t = 1 is not above that of the line before, 1"},
      {"0,1,2\n\n1,1,2\n", "x.csv:3:1: error: a blank line, expected numbers or the end"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    char text[200];
    Table table;
    snprintf(text, sizeof text, "t,q1,q2\n%s", cases[i][0]);
    assert_int_equal(open_table(&table, text), LW_OK);
    assert_int_equal(next_block(&table), LW_ERROR_INPUT);
    assert_contains(table.lines.message, cases[i][1]);
    assert_false(table.lines.unreadable);
    close_table(&table);
  }
}

static void lines_have_a_longest(void** unused)
{
  (void)unused;
  char path[] = "/tmp/linkwork-lines-XXXXXX";
  int file    = mkstemp(path);
  FILE* out   = fdopen(file, "w");
  lwLines lines;
  assert_non_null(out);
  fputs("short\nmuch longer than the others\nlast", out);
  fclose(out);
  assert_int_equal(lw_lines_open(&lines, path, 10, NULL), LW_OK);
  assert_int_equal(lw_lines_next(&lines), LW_OK);
  assert_string_equal(lines.line, "short");
  assert_int_equal(lw_lines_next(&lines), LW_ERROR_INPUT);
  assert_contains(lines.message, ":2:1: error: the line is too long, expected at most 10");
  assert_int_equal(lw_lines_skip(&lines), LW_OK);
  assert_int_equal(lw_lines_next(&lines), LW_OK);
  assert_string_equal(lines.line, "last");
  assert_int_equal(lines.number, 3);
  assert_int_equal(lw_lines_next(&lines), LW_OK);
  assert_null(lines.line);
  lw_lines_close(&lines);
  remove(path);
  assert_int_equal(lw_lines_open(&lines, path, 10, NULL), LW_ERROR_INPUT);
  assert_true(lines.unreadable);
  assert_contains(lines.message, "cannot read /tmp/linkwork-lines-");
}

static void zero_bytes_are_no_text(void** unused)
{
  (void)unused;
  lwLines lines;
  assert_int_equal(lw_lines_open_text(&lines, "x", "a\0b\n", 4), LW_OK);
  assert_int_equal(lw_lines_next(&lines), LW_ERROR_INPUT);
  assert_string_equal(lines.message, "x:1:2: error: a zero byte, expected text");
  lw_lines_close(&lines);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_come_in_blocks),       cmocka_unit_test(a_group_may_be_absent),
      cmocka_unit_test(wrong_headers_are_refused), cmocka_unit_test(wrong_rows_are_refused),
      cmocka_unit_test(lines_have_a_longest),      cmocka_unit_test(zero_bytes_are_no_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
