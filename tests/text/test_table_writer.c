// SPDX-License-Identifier: MIT
// Tables for people, csv and json: widths, units, groups of json, columns that are passed through.
#include "text/table_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/testing.h"

static lwOut out = {.in_memory = true};

static void expect(const char* text)
{
  assert_true(lw_out_finish(&out));
  assert_string_equal(out.text ? out.text : "", text);
  lw_out_free(&out);
  out = (lwOut){.in_memory = true};
}

// --- sheets

static void sheet_row(const void* context, int i, lwCell* cells)
{
  static const char* const words[] = {"fast", "exact", NULL};
  static const char* const none[]  = {NULL};
  (void)context;
  cells[0] = lw_cell_text(i == 0 ? "waist" : "a, b");
  if (i == 0) lw_cells_numbers(cells + 1, (double[]){-1.5, 1e-9}, 2);
  if (i == 1) cells[2] = lw_cell_limit(INFINITY);
  cells[3] = lw_cell_flag(i == 0);
  cells[4] = lw_cell_list(i == 0 ? words : none);
  cells[5] = lw_cell_number(i == 0 ? -0.0 : NAN);
}

static const lwSheet SHEET = {.columns =
                                  "name,lower=limits.lower,upper=limits.upper,ok,words,n=count",
                              .rows = 2,
                              .row  = sheet_row};

static void sheets_in_three_forms(void** unused)
{
  (void)unused;
  static const char* const units[] = {"", "rad", "rad", "", "", ""};
  lwSheet sheet                    = SHEET;
  lw_sheet_write(&out, LW_FORMAT_TABLE, &sheet);
  expect("name   lower      upper  ok   words       n\n"
         "waist   -1.5      1e-09  yes  fast exact  0\n"
         "a, b       -  unlimited  no   -           -\n");
  sheet.unit = units;
  sheet.most = 3;
  lw_sheet_write(&out, LW_FORMAT_TABLE, &sheet);
  expect("name   lower      upper\n"
         "         rad        rad\n"
         "waist   -1.5      1e-09\n"
         "a, b       -  unlimited\n");
  lw_sheet_write(&out, LW_FORMAT_CSV, &SHEET);
  expect("name,lower,upper,ok,words,n\nwaist,-1.5,1e-09,yes,fast exact,0\n\"a, b\",,,no,,\n");
  lw_sheet_write(&out, LW_FORMAT_JSON, &SHEET);
  expect("[\n {\"name\": \"waist\", \"limits\": {\"lower\": -1.5, \"upper\": 1e-09}, \"ok\": true, "
         "\"words\": [\"fast\", \"exact\"], \"count\": 0},\n"
         " {\"name\": \"a, b\", \"limits\": null, \"ok\": false, \"words\": [], \"count\": "
         "null}\n]\n");
  assert_int_equal(lw_sheet_width(SHEET.columns), 6);
}

static void empty_sheets_have_a_header(void** unused)
{
  (void)unused;
  lwSheet sheet = SHEET;
  sheet.rows    = 0;
  lw_sheet_write(&out, LW_FORMAT_JSON, &sheet);
  expect("[]\n");
  lw_sheet_write(&out, LW_FORMAT_CSV, &sheet);
  expect("name,lower,upper,ok,words,n\n");
}

// --- rows of numbers

static void column_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  (void)context;
  snprintf(name, LW_ROW_NAME, "tau%zu", k + 1);
}

static const char* column_unit(const void* context, size_t k)
{
  (void)context;
  return k == 0 ? "N m" : "N";
}

static void write_rows(lwRows rows, lwFormat format, const char* line)
{
  static const double values[][2] = {{1, -0.0}, {2.5, 1e-7}};
  rows.out                        = &out;
  rows.format                     = format;
  rows.columns                    = 2;
  rows.name                       = column_name;
  lw_rows_begin(&rows);
  for (int i = 0; i < 2; ++i)
    if (line)
      lw_rows_add_kept(&rows, line, values[i]);
    else
      lw_rows_add(&rows, values[i]);
  lw_rows_end(&rows);
}

static void rows_in_three_forms(void** unused)
{
  (void)unused;
  write_rows((lwRows){.numbered = true, .unit = column_unit}, LW_FORMAT_TABLE, NULL);
  expect("state  tau1   tau2\n"
         "        N m      N\n"
         "    1     1      0\n"
         "    2   2.5  1e-07\n");
  write_rows((lwRows){0}, LW_FORMAT_CSV, NULL);
  expect("tau1,tau2\n1,0\n2.5,1e-07\n");
  write_rows((lwRows){0}, LW_FORMAT_JSON, NULL);
  expect("[\n {\"tau1\": 1, \"tau2\": 0},\n {\"tau1\": 2.5, \"tau2\": 1e-07}\n]\n");
}

// Columns of the input pass through in front, except one that the answer has itself.
static void columns_pass_through(void** unused)
{
  (void)unused;
  static const char header[] = "t,note,tau2\n", line[] = "0.5,\"a \"\"b\"\"\",7";
  lwCsvFile csv = {.header = {.increasing = -1}};
  assert_int_equal(lw_lines_open_text(&csv.lines, "x", header, strlen(header)), LW_OK);
  assert_int_equal(lw_csv_header_line(&csv.lines), LW_OK);
  assert_int_equal(lw_csv_header_read(&csv.header, &csv.lines), LW_OK);
  assert_true(lw_csv_block_allocate(&csv.block, 0, (int[LW_CSV_GROUPS]){0}, 1));
  lwRows rows = {0};
  assert_true(lw_rows_keep(&rows, &csv, true));
  write_rows(rows, LW_FORMAT_CSV, line);
  expect("t,note,tau1,tau2\n0.5,\"a \"\"b\"\"\",1,0\n0.5,\"a \"\"b\"\"\",2.5,1e-07\n");
  write_rows(rows, LW_FORMAT_JSON, line);
  expect("[\n {\"t\": 0.5, \"note\": \"a \\\"b\\\"\", \"tau1\": 1, \"tau2\": 0},\n"
         " {\"t\": 0.5, \"note\": \"a \\\"b\\\"\", \"tau1\": 2.5, \"tau2\": 1e-07}\n]\n");
  rows.kept_time = true;
  write_rows(rows, LW_FORMAT_TABLE, line);
  expect("  t  tau1   tau2\n"
         "0.5     1      0\n"
         "0.5   2.5  1e-07\n");
  lw_csv_close(&csv);
}

// Of a long table the first rows decide how wide columns are; every number fits in them.
static void long_tables_keep_their_columns(void** unused)
{
  (void)unused;
  lwRows rows = {.out = &out, .format = LW_FORMAT_TABLE, .columns = 1, .name = column_name};
  lw_rows_begin(&rows);
  for (int i = 0; i < 1500; ++i) lw_rows_add(&rows, (double[]){i < 1000 ? 1 : -1.23457e-05});
  lw_rows_end(&rows);
  assert_true(lw_out_finish(&out));
  assert_int_equal(out.length, 1501 * 13);
  assert_int_equal(strncmp(out.text, "        tau1\n           1\n", 26), 0);
  assert_non_null(strstr(out.text, "\n-1.23457e-05\n"));
  lw_out_free(&out);
  out = (lwOut){.in_memory = true};
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sheets_in_three_forms),
      cmocka_unit_test(empty_sheets_have_a_header),
      cmocka_unit_test(rows_in_three_forms),
      cmocka_unit_test(columns_pass_through),
      cmocka_unit_test(long_tables_keep_their_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
