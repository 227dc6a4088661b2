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

static lwStatus table_open_bytes(Table* table, const char* text, size_t length, int capacity)
{
  static const char* const joints[] = {"waist", "elbow"};
  *table                            = (Table){
                                 .header = {.groups     = 2,
                                            .increasing = T,
                                            .idle_joint = why_idle,
                                            .group = {[T] = lw_csv_time, [Q] = {.symbol = "q", .width = 2, .names = joints}}}};
  const int widths[LW_CSV_GROUPS] = {1, 2};
  assert_int_equal(lw_lines_open_text(&table->lines, "motion.csv", text, length), LW_OK);
  lwStatus status = lw_csv_header_line(&table->lines);
  if (status == LW_OK) status = lw_csv_header_read(&table->header, &table->lines);
  if (status != LW_OK) return status;
  assert_true(lw_csv_block_allocate(&table->block, table->header.present, widths, capacity));
  return LW_OK;
}

static lwStatus table_open(Table* table, const char* text, int capacity)
{
  return table_open_bytes(table, text, strlen(text), capacity);
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

// --- other formats

static void expect_rows(const char* text, size_t length)
{
  static const double q[] = {0.5, 1.5, 1, -2e3}, times[] = {0, 0.25};
  Table table;
  assert_int_equal(table_open_bytes(&table, text, length, 10), LW_OK);
  assert_int_equal(lw_csv_rows(&table.header, &table.lines, &table.block), LW_OK);
  assert_int_equal(table.block.count, 2);
  assert_memory_equal(table.block.values[Q], q, sizeof q);
  if (table.header.present & 1u << T)
    assert_memory_equal(table.block.values[T], times, sizeof times);
  table_close(&table);
}

// Semicolons with decimal commas, tabs, JSON objects line by line or as a list, with lists in them.
static void other_texts_are_read(void** state)
{
  (void)state;
  static const char* const texts[] = {
      "t;q1;note;q2\n0;0,5;\"a;b\";1,5\n0,25;1;x;-2e3\n",
      "t\tq1\tq.elbow\r\n0\t0.5\t1.5\r\n.25\t1\t-2e3\r\n",
      "{\"t\": 0, \"q1\": 0.5, \"q2\": 1.5}\n{\"q2\":-2000,\"t\":0.25,\"q1\":1}\n",
      ("{\"q\": [0.5, 1.5], \"t\": 0, \"note\": \"say \\\"no\\\", \\\\\"}\n"
       "{\"note\": null, \"q\":[1,-2e3] , \"t\": 25e-2}\n\n"),
      "[\n {\"t\": 0, \"q1\": 0.5, \"q2\": 1.5},\n {\"t\": 0.25, \"q1\": 1, \"q2\": -2000}\n]\n"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) expect_rows(texts[k], strlen(texts[k]));
}

// A .npy file in memory; returns its length.
static size_t write_array(char* to, int version, const char* dictionary, const void* data,
                          size_t bytes)
{
  size_t length = strlen(dictionary), at = 0;
  memcpy(to, "\x93NUMPY", 6);
  to[6] = (char)version;
  to[7] = 0;
  to[8] = (char)(length & 0xFF);
  to[9] = (char)(length >> 8);
  at    = 10;
  for (; version > 1 && at < 12; ++at) to[at] = 0;
  memcpy(to + at, dictionary, length);
  memcpy(to + at + length, data, bytes);
  return at + length + bytes;
}

static void arrays_are_read(void** state)
{
  (void)state;
  static const double named[] = {0, 0.5, 1.5, 0.25, 1, -2e3}, plain[] = {0.5, 1.5, 1, -2e3};
  static const float single[] = {0.5F, 1.5F, 1, -2e3F};
  char file[1000];
  expect_rows(file, write_array(file, 1,
                                "{'descr': [('t', '<f8'), ('q', '<f8', (2,))], 'fortran_order': "
                                "False, 'shape': (2,), }\n",
                                named, sizeof named));
  expect_rows(file, write_array(file, 2,
                                "{'descr': [('t', '<f8'), ('q1', '<f8'), ('q.elbow', '<f8')], "
                                "'fortran_order': False, 'shape': (2,), }\n",
                                named, sizeof named));
  expect_rows(file,
              write_array(file, 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n",
                          plain, sizeof plain));
  expect_rows(file,
              write_array(file, 3, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n",
                          single, sizeof single));
}

static void expect_array_error(const char* dictionary, size_t bytes, const char* message)
{
  static const char zeros[100];
  char file[1000];
  Table table;
  size_t length   = write_array(file, 1, dictionary, zeros, bytes);
  lwStatus status = table_open_bytes(&table, file, length, 10);
  if (status == LW_OK) status = lw_csv_rows(&table.header, &table.lines, &table.block);
  assert_int_equal(status, LW_ERROR_INPUT);
  assert_contains(table.lines.message, message);
  table_close(&table);
}

static void other_formats_are_refused_with_the_reason(void** state)
{
  (void)state;
  expect_error("{\"t\": 0, \"q1\": 1, \"q2\": 2}\n{\"t\": 1, \"q1\": 1}\n",
               "motion.csv:2:1: error: 'q2' is missing, expected the names of the first object");
  expect_error("{\"q1\": 1, \"q2\": 2}\n{\"q1\": 1, \"q3\": 1}\n",
               "motion.csv:2:17: error: 'q3' is new here");
  expect_error("{\"q1\": 1, \"q1\": 2}\n", "motion.csv:1:17: error: 'q1' comes twice");
  expect_error("{\"q1\": {\"x\": 1}}\n", "motion.csv:1:8: error: '{\"x\": 1}}', expected a number");
  expect_error("{\"q1\": 1, \"q2\": 2\n", "motion.csv:1:18: error: '', expected a comma or '}'");
  expect_error("{\"q1\": 1, \"q2\": 2} x\n", "expected the end of the line");
  expect_error("{\"q1\": true, \"q2\": 2}\n", "'true' is not a finite number");
  expect_error("{\"q\": [1 2]}\n", "expected a comma or ']'");
  expect_error("{q: 1}\n", "expected \"name\": value");
  expect_error("q1;q2\n1;x\n", "motion.csv:2:3: error: 'x' is not a finite number");
  expect_array_error("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }\n", 32,
                     "a NumPy array stored by columns, expected rows");
  expect_array_error("{'descr': '>f8', 'fortran_order': False, 'shape': (2, 2), }\n", 32,
                     "a NumPy array of a type that is not read");
  expect_array_error("{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }\n", 32,
                     "a NumPy array of a type that is not read");
  expect_array_error("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n", 31,
                     "motion.csv:3:1: error: a NumPy array that ends too early");
  expect_array_error("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", 48,
                     "unknown column 'q3'");
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
      cmocka_unit_test(tables_are_read_in_blocks),
      cmocka_unit_test(the_text_of_rows_is_kept),
      cmocka_unit_test(errors_have_a_place),
      cmocka_unit_test(long_lines_can_be_skipped),
      cmocka_unit_test(bytes_that_are_not_text),
      cmocka_unit_test(other_texts_are_read),
      cmocka_unit_test(arrays_are_read),
      cmocka_unit_test(other_formats_are_refused_with_the_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
