// SPDX-License-Identifier: MIT
// Tables of numbers: lines, quotes, blocks, and what is refused, with its place.
#include "text/csv_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testing.h"

enum
{
  T,
  Q
};

// A table in memory, its header read.
typedef struct Table
{
  lwCsvHeader header;
  lwLines lines;
  lwCsvBlock block;
} Table;

static const char* why_idle(const void* context, const char* name)
{
  (void)context;
  return strcmp(name, "grip") ? NULL : "mimics another";
}

static lwStatus table_open(Table* table, const char* text, int capacity)
{
  static const char* const joints[] = {"waist", "elbow"};
  *table                            = (Table){
                                 .header = {.groups     = 2,
                                            .increasing = T,
                                            .idle_joint = why_idle,
                                            .group = {[T] = lw_csv_time, [Q] = {.symbol = "q", .width = 2, .names = joints}}}};
  const int widths[LW_CSV_GROUPS] = {1, 2};
  assert_int_equal(lw_lines_open_text(&table->lines, "motion.csv", text, strlen(text)), LW_OK);
  lwStatus status = lw_csv_header_line(&table->lines);
  if (status == LW_OK) status = lw_csv_header_read(&table->header, &table->lines);
  if (status != LW_OK) return status;
  assert_true(lw_csv_block_allocate(&table->block, table->header.present, widths, capacity));
  return LW_OK;
}

static void table_close(Table* table)
{
  lw_csv_block_destroy(&table->block);
  lw_csv_header_destroy(&table->header);
  lw_lines_close(&table->lines);
}

// A byte order mark, ends of lines of other systems, quotes, spaces, columns in another order,
// unknown columns, blank lines at the end.
static void tables_are_read_in_blocks(void** state)
{
  (void)state;
  Table table;
  assert_int_equal(table_open(&table,
                              "\xEF\xBB\xBFq.elbow, t ,note,\"q.waist\"\r\n"
                              "1,0,\"a, \"\"b\"\"\",-2\r\n 3 , \"0.5\" ,,4e-1\n5,1,x,6\n\n \n",
                              2),
                   LW_OK);
  assert_true(lw_csv_header_has(&table.header, "note"));
  assert_false(lw_csv_header_has(&table.header, "noted"));
  assert_int_equal(lw_csv_rows(&table.header, &table.lines, &table.block), LW_OK);
  assert_int_equal(table.block.count, 2);
  assert_int_equal(table.block.first, 1);
  assert_memory_equal(table.block.values[Q], ((const double[]){-2, 1, 0.4, 3}), 4 * sizeof(double));
  assert_memory_equal(table.block.values[T], ((const double[]){0, 0.5}), 2 * sizeof(double));
  assert_int_equal(lw_csv_rows(&table.header, &table.lines, &table.block), LW_OK);
  assert_int_equal(table.block.count, 1);
  assert_int_equal(table.block.first, 3);
  assert_memory_equal(table.block.values[Q], ((const double[]){6, 5}), 2 * sizeof(double));
  assert_int_equal(lw_csv_rows(&table.header, &table.lines, &table.block), LW_OK);
  assert_int_equal(table.block.count, 0);
  table_close(&table);
}

static void the_text_of_rows_is_kept(void** state)
{
  (void)state;
  Table table;
  assert_int_equal(table_open(&table, "q1,q2\n1, 2\n\"3\",4\n", 5), LW_OK);
  assert_true(lw_csv_block_keep_text(&table.block));
  assert_int_equal(lw_csv_rows(&table.header, &table.lines, &table.block), LW_OK);
  assert_string_equal(table.block.text[0], "1, 2");
  assert_string_equal(table.block.text[1], "\"3\",4");
  table_close(&table);
}

static void expect_error(const char* text, const char* message)
{
  Table table;
  lwStatus status = table_open(&table, text, 10);
  if (status == LW_OK) status = lw_csv_rows(&table.header, &table.lines, &table.block);
  assert_int_equal(status, LW_ERROR_INPUT);
  assert_contains(table.lines.message, message);
  table_close(&table);
}

static void errors_have_a_place(void** state)
{
  (void)state;
  expect_error("", "motion.csv:1:1: error: nothing here, expected a header");
  expect_error("\nq1,q2\n", "motion.csv:1:1: error: nothing here, expected a header");
  expect_error("q1,\"q2\n", "motion.csv:1:4: error: a quote that is not closed");
  expect_error("q1\n", "motion.csv:1:1: error: ");
  expect_error("q1,q2,q1\n", "motion.csv:1:7: error: ");
  expect_error("q1,q2,q.grip\n",
               "motion.csv:1:7: error: column 'q.grip' is of a joint that mimics another");
  expect_error("q1,q2\n1,2\n3\n", "motion.csv:3:2: error: 1 field, expected 2 as in the header");
  expect_error("q1,q2\n1,2,3\n", "motion.csv:2:5: error: more fields, expected 2");
  expect_error("q1,q2\n1,\n", "motion.csv:2:3: error: an empty field, expected a number");
  expect_error("q1,q2\n1,inf\n", "motion.csv:2:3: error: 'inf' is not a finite number");
  expect_error("q1,q2\n\"x\",2\n", "motion.csv:2:1: error: 'x' is not a finite number");
  expect_error("q1,q2\n\"1,2\n", "motion.csv:2:1: error: a quote that is not closed");
  expect_error("q1,q2,note\n1,2,\"x\n", "motion.csv:2:5: error: a quote that is not closed");
  expect_error("t,q1,q2\n0,1,2\n0,1,2\n",
               "motion.csv:3:1: error: t = 0 is not above that of the line before, 0");
  expect_error("q1,q2\n1,2\n\n3,4\n", "motion.csv:3:1: error: a blank line, expected numbers");
}

// --- files

static void write_file(char path[32], const char* text, size_t length)
{
  strcpy(path, "/tmp/linkwork-lines-XXXXXX");
  int file     = mkstemp(path);
  FILE* stream = file >= 0 ? fdopen(file, "w") : NULL;
  assert_non_null(stream);
  assert_int_equal(fwrite(text, 1, length, stream), length);
  assert_int_equal(fclose(stream), 0);
}

static int progress_calls;

static void count_progress(const lwLines* lines)
{
  (void)lines;
  ++progress_calls;
}

// A line beyond the limit is an error that can be skipped; the next one is read as usual.
static void long_lines_can_be_skipped(void** state)
{
  (void)state;
  char path[32];
  const char text[] = "short\n0123456789abcdef\nlast";
  lwLines lines;
  write_file(path, text, sizeof text - 1);
  assert_int_equal(lw_lines_open(&lines, path, 10, count_progress), LW_OK);
  assert_same(lines.size, sizeof text - 1);
  assert_int_equal(lw_lines_next(&lines), LW_OK);
  assert_string_equal(lines.line, "short");
  assert_int_equal(lw_lines_next(&lines), LW_ERROR_INPUT);
  assert_contains(lines.message, ":2:1: error: the line is too long, expected at most 10");
  assert_int_equal(lw_lines_skip(&lines), LW_OK);
  assert_int_equal(lw_lines_next(&lines), LW_OK);
  assert_string_equal(lines.line, "last");
  assert_int_equal(lw_lines_next(&lines), LW_OK);
  assert_null(lines.line);
  for (int i = 0; i < 40; ++i) assert_int_equal(lw_lines_next(&lines), LW_OK);
  assert_int_equal(progress_calls, 44 / 16);
  lw_lines_close(&lines);
  assert_int_equal(remove(path), 0);
}

static void bytes_that_are_not_text(void** state)
{
  (void)state;
  char path[32];
  lwLines lines;
  write_file(path, "ab\0c\n", 5);
  assert_int_equal(lw_lines_open(&lines, path, 100, NULL), LW_OK);
  assert_int_equal(lw_lines_next(&lines), LW_ERROR_INPUT);
  assert_contains(lines.message, ":1:3: error: a zero byte, expected text");
  lw_lines_close(&lines);
  assert_int_equal(remove(path), 0);
  assert_int_equal(lw_lines_open(&lines, path, 100, NULL), LW_ERROR_INPUT);
  assert_contains(lines.message, "cannot read /tmp/linkwork-lines-");
  assert_true(lines.unreadable);
  lw_lines_close(&lines);
  assert_int_equal(lw_lines_open(&lines, "/tmp", 100, NULL), LW_OK);  // a folder: opens, no lines
  assert_int_equal(lw_lines_next(&lines), LW_ERROR_INPUT);
  assert_true(lines.unreadable);
  lw_lines_close(&lines);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_are_read_in_blocks), cmocka_unit_test(the_text_of_rows_is_kept),
      cmocka_unit_test(errors_have_a_place),       cmocka_unit_test(long_lines_can_be_skipped),
      cmocka_unit_test(bytes_that_are_not_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
