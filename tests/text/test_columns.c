// SPDX-License-Identifier: MIT
// Headers of CSV tables: what is accepted, what is ignored, what is refused and with which hint.
#include "text/csv_columns.h"

#include <string.h>

#include "testing.h"

static const char* const JOINTS[] = {"waist", "elbow"};
static const char* const FORCES[] = {"fx", "fy"};

enum
{
  T,
  Q,
  QD,
  TAU,
  F,
  GROUPS
};

static const lwColumnGroup GROUP[GROUPS] = {
    [T]   = {.symbol = "t", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE},
    [Q]   = {.symbol = "q", .width = 2, .names = JOINTS},
    [QD]  = {.symbol = "qd", .width = 2, .names = JOINTS, .need = LW_COLUMNS_ALL_OR_NONE},
    [TAU] = {.symbol = "tau", .width = 2, .names = JOINTS, .need = LW_COLUMNS_UNUSED},
    [F]   = {.symbol = "fx and fy", .width = 2, .own = FORCES, .need = LW_COLUMNS_ALL_OR_NONE}};

// Reads a header of names separated by spaces up to the first error; the map stays valid until the
// arena is freed.
static lwColumnFinding read_header(lwColumns* columns, lwArena* arena, const char* header)
{
  lwColumnFinding finding = {.fault = LW_COLUMN_FINE};
  char text[512];
  assert_less(strlen(header), sizeof text);
  strcpy(text, header);
  assert_true(lw_columns_begin(columns, GROUP, GROUPS, 20, arena));
  for (char* name = strtok(text, " "); name && finding.fault == LW_COLUMN_FINE;
       name       = strtok(NULL, " "))
    assert_true(lw_columns_take(columns, name, &finding));
  for (int g = 0; g < GROUPS && finding.fault == LW_COLUMN_FINE; ++g)
    lw_columns_check(columns, g, &finding);
  return finding;
}

static void columns_go_where_they_belong(void** state)
{
  (void)state;
  lwArena arena = {0};
  lwColumns columns;
  lwColumnFinding finding =
      read_header(&columns, &arena, "kinetic q.elbow t x fy q1 fx tau7 v.elbow qx S");
  assert_int_equal(finding.fault, LW_COLUMN_FINE);
  static const lwColumnTarget expected[] = {{-1, 0}, {Q, 1},  {T, 0},  {-1, 0}, {F, 1}, {Q, 0},
                                            {F, 0},  {-1, 0}, {-1, 0}, {-1, 0}, {-1, 0}};
  assert_int_equal(columns.columns, 11);
  for (int c = 0; c < 11; ++c)
  {
    assert_int_equal(columns.targets[c].group, expected[c].group);
    assert_int_equal(columns.targets[c].index, expected[c].index);
  }
  assert_true(lw_columns_has(&columns, T));
  assert_false(lw_columns_has(&columns, QD));
  lw_arena_free(&arena);
}

static void faults_are_named(void** state)
{
  (void)state;
  static const struct
  {
    const char* header;
    lwColumnFault fault;
    int column;
    const char *text, *hint;
  } cases[] = {
      {"q1", LW_COLUMN_MISSING, -1, "column 'q2' is missing, expected columns q1 and q2", ""},
      {"q.waist", LW_COLUMN_MISSING, -1,
       "column 'q.elbow' is missing, expected those of all 2 moving joints", ""},
      {"q1 q2 qd2", LW_COLUMN_MISSING, -1,
       "column 'qd1' is missing, expected columns qd1 and qd2 or none of them", ""},
      {"q1 q2 fx", LW_COLUMN_MISSING, -1, "column 'fy' is missing, expected fx and fy", ""},
      {"q1 q2 q3", LW_COLUMN_NO_JOINT, 2,
       "unknown column 'q3', expected q1 to q2 or names of moving joints", ""},
      {"q.waits q2", LW_COLUMN_NO_JOINT, 0,
       "unknown column 'q.waits', expected q1 to q2 or names of moving joints",
       "did you mean 'q.waist'?"},
      {"q1 q2 q.waist", LW_COLUMN_TWICE, 2,
       "column 'q.waist' comes twice, first as 'q1', expected it once", ""},
      {"q_1 q2", LW_COLUMN_MISSPELT, 0, "unknown column 'q_1'", "did you mean 'q1'?"},
      {"q1 q2 QD1 QD2", LW_COLUMN_MISSPELT, 2, "unknown column 'QD1'", "did you mean 'qd1'?"},
      {"q1 Q2", LW_COLUMN_MISSPELT, 1, "unknown column 'Q2'", "did you mean 'q2'?"},
      {"Q.waist q2", LW_COLUMN_MISSPELT, 0, "unknown column 'Q.waist'", "did you mean 'q.waist'?"},
      {"q1 p2", LW_COLUMN_MISSING, -1, "column 'q2' is missing, expected columns q1 and q2", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    lwArena arena = {0};
    lwColumns columns;
    lwColumnFinding finding = read_header(&columns, &arena, cases[i].header);
    assert_int_equal(finding.fault, cases[i].fault);
    assert_int_equal(finding.column, cases[i].column);
    assert_string_equal(finding.text, cases[i].text);
    assert_string_equal(finding.hint, cases[i].hint);
    lw_arena_free(&arena);
  }
}

// Columns that commands write besides the state are never reported as misspelt.
static void columns_of_other_commands_are_ignored(void** state)
{
  (void)state;
  lwArena arena = {0};
  lwColumns columns;
  lwColumnFinding finding = read_header(
      &columns, &arena,
      "q1 q2 i1 v1 power1 kinetic potential work S x y z roll pitch yaw g1 b1 c1 M11 J11");
  assert_int_equal(finding.fault, LW_COLUMN_FINE);
  finding = read_header(&columns, &arena, "q1 q2 q_ref1 qd_ref1 q_err1 q_err.waist r11 qw i.elbow");
  assert_int_equal(finding.fault, LW_COLUMN_FINE);
  lw_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_go_where_they_belong),
                                     cmocka_unit_test(faults_are_named),
                                     cmocka_unit_test(columns_of_other_commands_are_ignored)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
