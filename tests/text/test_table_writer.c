// SPDX-License-Identifier: MIT
// Tables as text, csv and json: widths and sides of columns, units, quoting, missing values, and
// columns of the input that are passed through.
#include "text/table_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testing.h"

static void expect_text(lwOut* out, const char* expected)
{
  assert_true(lw_out_finish(out));
  assert_string_equal(out->text, expected);
  lw_out_free(out);
}

// --- lists of rows

static const char* const WORDS[]   = {"rnea", "aba", NULL};
static const char* const NOTHING[] = {NULL};

static void joint_row(const void* context, int i, lwCell* cells)
{
  (void)context;
  cells[0] = lw_cell_text(i == 0 ? "waist" : "a,\"b\"");
  cells[1] = lw_cell_number(i == 0 ? -0.5 : 1.0 / 3);
  cells[2] = lw_cell_limit(i == 0 ? -1.5 : -INFINITY);
  cells[3] = lw_cell_limit(i == 0 ? 2 : INFINITY);
  cells[4] = lw_cell_flag(i == 0);
  cells[5] = lw_cell_list(i == 0 ? WORDS : NOTHING);
}

static const char* const UNITS[] = {"", "kg", "rad", "rad", "", ""};
static const lwSheet JOINTS      = {
         .columns = "joint,mass,lower=limits.lower,upper=limits.upper,held=is_held,methods",
         .unit    = UNITS,
         .rows    = 2,
         .row     = joint_row};

// Columns with numbers go to the right; the last column has no spaces behind it.
static void sheet_as_a_table(void** state)
{
  (void)state;
  lwOut out = {.in_memory = true};
  lw_sheet_write(&out, LW_FORMAT_TABLE, &JOINTS);
  expect_text(&out, "joint      mass      lower      upper  held  methods\n"
                    "             kg        rad        rad\n"
                    "waist      -0.5       -1.5          2  yes   rnea aba\n"
                    "a,\"b\"  0.333333  unlimited  unlimited  no    -\n");
}

static void sheet_as_csv(void** state)
{
  (void)state;
  lwOut out = {.in_memory = true};
  lw_sheet_write(&out, LW_FORMAT_CSV, &JOINTS);
  expect_text(&out, "joint,mass,lower,upper,held,methods\n"
                    "waist,-0.5,-1.5,2,yes,rnea aba\n"
                    "\"a,\"\"b\"\"\",0.3333333333333333,,,no,\n");
}

// Columns of one group are one object, which is null if all of them are missing.
static void sheet_as_json(void** state)
{
  (void)state;
  lwOut out = {.in_memory = true};
  lw_sheet_write(&out, LW_FORMAT_JSON, &JOINTS);
  expect_text(&out,
              "[\n {\"joint\": \"waist\", \"mass\": -0.5, \"limits\": {\"lower\": -1.5, \"upper\": "
              "2}, \"is_held\": true, \"methods\": [\"rnea\", \"aba\"]},\n"
              " {\"joint\": \"a,\\\"b\\\"\", \"mass\": 0.3333333333333333, \"limits\": null, "
              "\"is_held\": false, \"methods\": []}\n]\n");
}

static void sheet_without_rows(void** state)
{
  (void)state;
  lwSheet sheet = JOINTS;
  lwOut out     = {.in_memory = true};
  sheet.rows    = 0;
  sheet.most    = 2;
  sheet.unit    = NULL;
  lw_sheet_write(&out, LW_FORMAT_JSON, &sheet);
  lw_sheet_write(&out, LW_FORMAT_CSV, &sheet);
  lw_sheet_write(&out, LW_FORMAT_TABLE, &sheet);
  expect_text(&out, "[]\njoint,mass\njoint  mass\n");
  assert_int_equal(lw_sheet_width(JOINTS.columns), 6);
  assert_int_equal(lw_cell_text(NULL).kind, LW_CELL_NONE);
  assert_int_equal(lw_cell_number((double)NAN).kind, LW_CELL_NONE);
}

// --- rows of numbers

static void torque_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  (void)context;
  snprintf(name, LW_ROW_NAME, "tau%zu", k + 1);
}

static const char* torque_unit(const void* context, size_t k)
{
  (void)context;
  return k == 0 ? "N m" : "N";
}

static bool not_the_second(const void* context, size_t k)
{
  (void)context;
  return k != 1;
}

static lwRows torques(lwOut* out, lwFormat format)
{
  return (lwRows){.out = out, .format = format, .columns = 2, .name = torque_name};
}

static void rows_in_every_format(void** state)
{
  (void)state;
  const double values[2][2]    = {{1, -0.0}, {-2.5e-7, 1e300}};
  const char* const expected[] = {
      [LW_FORMAT_TABLE] =
          "state      tau1    tau2\n            N m       N\n    1         1       0\n"
          "    2  -2.5e-07  1e+300\n",
      [LW_FORMAT_CSV]  = "tau1,tau2\n1,0\n-2.5e-07,1e+300\n",
      [LW_FORMAT_JSON] = "[\n {\"tau1\": 1, \"tau2\": 0},\n {\"tau1\": -2.5e-07, \"tau2\": "
                         "1e+300}\n]\n"};
  for (int format = LW_FORMAT_TABLE; format <= LW_FORMAT_JSON; ++format)
  {
    lwOut out     = {.in_memory = true};
    lwRows rows   = torques(&out, (lwFormat)format);
    rows.unit     = torque_unit;
    rows.numbered = true;
    lw_rows_begin(&rows);
    for (int i = 0; i < 2; ++i) lw_rows_add(&rows, values[i]);
    lw_rows_end(&rows);
    expect_text(&out, expected[format]);
  }
}

// A column may be left out of tables, never of csv.
static void tables_may_show_less(void** state)
{
  (void)state;
  const double values[2] = {3, 4};
  lwOut out              = {.in_memory = true};
  for (int format = LW_FORMAT_TABLE; format <= LW_FORMAT_CSV; ++format)
  {
    lwRows rows = torques(&out, (lwFormat)format);
    rows.shown  = not_the_second;
    lw_rows_begin(&rows);
    lw_rows_add(&rows, values);
    lw_rows_end(&rows);
  }
  expect_text(&out, "tau1\n   3\ntau1,tau2\n3,4\n");
}

// After a thousand rows the columns keep their widths, wide enough for any number.
static void long_tables_are_not_held_back(void** state)
{
  (void)state;
  lwOut out   = {.in_memory = true};
  lwRows rows = torques(&out, LW_FORMAT_TABLE);
  lw_rows_begin(&rows);
  for (int i = 0; i < 1000; ++i) lw_rows_add(&rows, (const double[]){1, 2});
  assert_int_equal(lw_out_length(&out), 0);
  lw_rows_add(&rows, (const double[]){-1.23456e-105, 2});
  assert_greater(lw_out_length(&out), 1000);
  lw_rows_end(&rows);
  assert_true(lw_out_finish(&out));
  assert_memory_equal(out.text, "        tau1          tau2\n           1             2\n", 54);
  assert_string_equal(out.text + out.length - 29, "\n-1.23456e-105             2\n");
  lw_out_free(&out);
}

// --- columns of the input

static lwCsvFile open_table(char path[32], const char* text)
{
  lwCsvFile csv = {.header = {.groups = 1, .increasing = -1}};
  strcpy(path, "/tmp/linkwork-table-XXXXXX");
  int file = mkstemp(path);
  assert_true(file >= 0);
  FILE* stream = fdopen(file, "w");
  assert_non_null(stream);
  fputs(text, stream);
  assert_int_equal(fclose(stream), 0);
  csv.header.group[0] = (lwColumnGroup){.symbol = "q", .width = 1};
  return csv;
}

static void pass_through(lwOut* out, lwFormat format, bool all)
{
  char path[32];
  lwCsvFile csv = open_table(path, "t,q1,note,tau1\n0.10,1,\"a \"\"b\"\"\",9\n0.2,2,+5,9\n");
  assert_int_equal(lw_csv_open(&csv, path, 10, NULL), LW_OK);
  lwRows rows = torques(out, format);
  rows.unit   = torque_unit;
  assert_true(lw_rows_keep(&rows, &csv, all));
  assert_int_equal(lw_csv_next_block(&csv), LW_OK);
  assert_int_equal(csv.block.count, 2);
  lw_rows_begin(&rows);
  for (int i = 0; i < 2; ++i)
    lw_rows_add_kept(&rows, csv.block.text[i], (const double[]){csv.block.values[0][i], 0.5});
  lw_rows_end(&rows);
  lw_csv_close(&csv);
  assert_int_equal(remove(path), 0);
}

// As they were written; a column of the answer replaces one of its name, here tau1.
static void columns_are_passed_through(void** state)
{
  (void)state;
  lwOut out = {.in_memory = true};
  pass_through(&out, LW_FORMAT_CSV, true);
  expect_text(&out, "t,q1,note,tau1,tau2\n0.10,1,\"a \"\"b\"\"\",1,0.5\n0.2,2,+5,2,0.5\n");
  out = (lwOut){.in_memory = true};
  pass_through(&out, LW_FORMAT_JSON, true);
  expect_text(
      &out, "[\n {\"t\": 0.10, \"q1\": 1, \"note\": \"a \\\"b\\\"\", \"tau1\": 1, \"tau2\": 0.5},\n"
            " {\"t\": 0.2, \"q1\": 2, \"note\": \"+5\", \"tau1\": 2, \"tau2\": 0.5}\n]\n");
  out = (lwOut){.in_memory = true};
  pass_through(&out, LW_FORMAT_TABLE, false);
  expect_text(&out, "   t  tau1  tau2\n   s   N m     N\n0.10     1   0.5\n 0.2     2   0.5\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sheet_as_a_table),
      cmocka_unit_test(sheet_as_csv),
      cmocka_unit_test(sheet_as_json),
      cmocka_unit_test(sheet_without_rows),
      cmocka_unit_test(rows_in_every_format),
      cmocka_unit_test(tables_may_show_less),
      cmocka_unit_test(long_tables_are_not_held_back),
      cmocka_unit_test(columns_are_passed_through),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
