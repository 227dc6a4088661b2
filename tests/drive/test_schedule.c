// SPDX-License-Identifier: MIT
// Schedules from memory and from files, and converters.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drive/dac.h"
#include "linkwork/drive.h"
#include "support/check.h"
#include "support/testing.h"

static const char* const names[] = {"waist", "elbow", "q1"};

static lwScheduleDef def_of(lwBetween between)
{
  return (lwScheduleDef){.symbol = "v", .width = 3, .names = names, .between = between};
}

static lwSchedule* read_text(const char* text, const lwScheduleDef* def)
{
  lwSchedule* schedule;
  assert_int_equal(lw_schedule_read_text("s.csv", text, strlen(text), def, NULL, &schedule), LW_OK);
  return schedule;
}

static void held_and_linear(void** unused)
{
  (void)unused;
  const double times[] = {1, 2, 4}, values[] = {1, 10, 2, 20, -2, 0};
  for (int between = LW_BETWEEN_HELD; between <= LW_BETWEEN_LINEAR; ++between)
  {
    lwSchedule* schedule;
    lwScheduleDef def = {.width = 2, .between = (lwBetween)between};
    bool linear       = between == LW_BETWEEN_LINEAR;
    assert_int_equal(lw_schedule_create(&def, 3, times, values, NULL, &schedule), LW_OK);
    assert_int_equal(lw_schedule_rows(schedule), 3);
    assert_int_equal(lw_schedule_width(schedule), 2);
    const double expected[][3] = {
        {-5, 1, 10},
        {1, 1, 10},
        {1.25, linear ? 1.25 : 1, linear ? 12.5 : 10},
        {2, 2, 20},
        {3, linear ? 0 : 2, linear ? 10 : 20},
        {4, -2, 0},
        {1e9, -2, 0},
    };
    for (size_t k = 0; k < sizeof expected / sizeof *expected; ++k)
    {
      double got[2];
      lw_schedule_values(schedule, expected[k][0], got);
      assert_same(got[0], expected[k][1]);
      assert_same(got[1], expected[k][2]);
      assert_same(lw_schedule_value(schedule, 1, expected[k][0]), got[1]);
    }
    assert_same(lw_schedule_next(schedule, 0), 1);
    assert_same(lw_schedule_next(schedule, 1), 2);
    assert_same(lw_schedule_next(schedule, 3.5), 4);
    assert_infinite(lw_schedule_next(schedule, 4));
    lw_schedule_destroy(schedule);
  }
}

// Every row of a long schedule is found.
static void search(void** unused)
{
  (void)unused;
  enum
  {
    ROWS = 1000
  };
  double times[ROWS], values[ROWS];
  for (int k = 0; k < ROWS; ++k) times[k] = 0.1 * k * k, values[k] = k;
  lwSchedule* schedule;
  lwScheduleDef def = {.width = 1};
  assert_int_equal(lw_schedule_create(&def, ROWS, times, values, NULL, &schedule), LW_OK);
  for (int k = 0; k < ROWS; ++k)
  {
    assert_same(lw_schedule_value(schedule, 0, times[k]), k);
    assert_same(lw_schedule_value(schedule, 0, times[k] + 0.05), k);
  }
  lw_schedule_destroy(schedule);
}

static void refused_from_memory(void** unused)
{
  (void)unused;
  lwSchedule* schedule;
  lwScheduleDef def = {.width = 1};
  double times[] = {0, 1}, values[] = {0, 1};
  assert_int_equal(lw_schedule_create(&def, 0, times, values, NULL, &schedule), LW_ERROR_INPUT);
  times[1] = 0;
  assert_int_equal(lw_schedule_create(&def, 2, times, values, NULL, &schedule), LW_ERROR_INPUT);
  times[1]  = 1;
  values[1] = NAN;
  assert_int_equal(lw_schedule_create(&def, 2, times, values, NULL, &schedule), LW_ERROR_INPUT);
  assert_null(schedule);
}

static void columns(void** unused)
{
  (void)unused;
  lwScheduleDef def    = def_of(LW_BETWEEN_HELD);
  lwSchedule* schedule = read_text("\xEF\xBB\xBFv3, \"v.elbow\" ,note,t,v1,vx,volume\r\n"
                                   "3, \" 2 \",\"a \"\"b\"\", c\", 0,1,,x\r\n"
                                   "33,22,,1.5e0,11,,\r\n\r\n  \n",
                                   &def);
  assert_int_equal(lw_schedule_rows(schedule), 2);
  double got[3];
  lw_schedule_values(schedule, 1, got);
  assert_same(got[0], 1);
  assert_same(got[1], 2);
  assert_same(got[2], 3);
  lw_schedule_values(schedule, 1.5, got);
  assert_same(got[0], 11);
  assert_same(got[1], 22);
  assert_same(got[2], 33);
  lw_schedule_destroy(schedule);

  def.partial = true;
  schedule    = read_text("t,v.elbow\n0,7", &def);
  assert_false(lw_schedule_has(schedule, 0));
  assert_true(lw_schedule_has(schedule, 1));
  assert_same(lw_schedule_value(schedule, 1, 0), 7);
  assert_same(lw_schedule_value(schedule, 0, 0), 0);
  lw_schedule_destroy(schedule);
}

// A column name that matches the name of a joint belongs to that joint.
static void names_of_joints(void** unused)
{
  (void)unused;
  lwScheduleDef def    = def_of(LW_BETWEEN_HELD);
  lwSchedule* schedule = read_text("t,v.q1,v.waist,v.elbow\n0,3,1,2\n", &def);
  assert_same(lw_schedule_value(schedule, 2, 0), 3);
  assert_same(lw_schedule_value(schedule, 0, 0), 1);
  lw_schedule_destroy(schedule);
}

static void wrong_files(void** unused)
{
  static const struct
  {
    const char* text;
    int errors;
    lwPlace first;
    const char* message;
  } wrong[] = {
      {"", 1, {1, 1}, "expected a header"},
      {"\n", 1, {1, 1}, "expected a header"},
      {"t,v1,v2,v3\n", 1, {1, 1}, "no values"},
      {"v1,v2,v3\n0,0,0\n", 1, {1, 1}, "'t' is missing"},
      {"t,v1,v3\n0,0,0\n", 1, {1, 1}, "'v2' is missing"},
      {"t,v1,v2,v3,v4\n", 1, {1, 12}, "unknown column 'v4'"},
      {"t,v1,v.ebow,v3\n", 1, {1, 6}, "unknown column 'v.ebow'"},
      {"t,v1,v2,v3,v.elbow\n", 1, {1, 12}, "twice"},
      {"t,v1,,v2,v3\n", 1, {1, 6}, "an empty field"},
      {"t,\"v1,v2,v3\n", 1, {1, 3}, "quote"},
      {"t,v1,v2,v3\n0,0,x,0\n1,nan,0,0\n2,2,3\n3,2,3,4,5\n",
       4,
       {2, 5},
       "'x' is not a finite number"},
      {"t,v1,v2,v3\n1,0,0,0\n1,0,0,0\n", 1, {3, 1}, "t = 1 is not above"},
      {"t,v1,v2,v3\n1,0,0,1e999\n", 1, {2, 7}, "finite"},
      {"t,v1,v2,v3\n1,0,0,0x10\n", 1, {2, 7}, "finite"},
      {"t,v1,v2,v3\n1,0,0,\n", 1, {2, 7}, "an empty field"},
      {"t,v1,v2,v3\n1,0,0,\"1\n", 1, {2, 7}, "quote"},
      {"t,v1,v2,v3\n\n1,0,0,0\n", 1, {2, 1}, "blank"},
      {"t,v1,v2,v3,\xC3\xA4\n1,0,0\n", 1, {2, 6}, "3 fields"},
      {"t,v1,\xFF\n", 1, {1, 6}, "UTF-8"},
  };
  (void)unused;
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
  {
    lwDiag* diag         = lw_diag_create();
    lwSchedule* schedule = NULL;
    lwScheduleDef def    = def_of(LW_BETWEEN_LINEAR);
    const char* text     = wrong[k].text;
    assert_int_equal(lw_schedule_read_text("s.csv", text, strlen(text), &def, diag, &schedule),
                     LW_ERROR_INPUT);
    assert_null(schedule);
    assert_int_equal(lw_diag_count(diag, LW_SEVERITY_ERROR), wrong[k].errors);
    const lwMessage* first = lw_diag_message(diag, 0);
    if (!strstr(first->text, wrong[k].message) || first->place.line != wrong[k].first.line ||
        first->place.column != wrong[k].first.column)
      fail_msg("case %zu: %d:%d: %s", k, first->place.line, first->place.column, first->text);
    lw_diag_destroy(diag);
  }
  lwSchedule* schedule;
  lwScheduleDef def = def_of(LW_BETWEEN_HELD);
  assert_int_equal(lw_schedule_read_file("/nonexistent/s.csv", &def, NULL, &schedule),
                   LW_ERROR_FILE);
}

// A file truncated anywhere is read or refused, without a crash.
static void truncated(void** unused)
{
  static const char text[] = "t,\"v1\",v2,v3\r\n0,1,\"2\",3\r\n1,-1.5e-3,2,3\r\n\r\n";
  (void)unused;
  for (size_t length = 0; length < sizeof text; ++length)
  {
    lwSchedule* schedule;
    lwScheduleDef def = def_of(LW_BETWEEN_HELD);
    char* piece       = malloc(length + 1);
    assert_non_null(piece);
    memcpy(piece, text, length);
    lwStatus status = lw_schedule_read_text("s.csv", piece, length, &def, NULL, &schedule);
    assert_int_equal(status == LW_OK, schedule != NULL);
    lw_schedule_destroy(schedule);
    free(piece);
  }
}

// --- converters

static void levels(void** unused)
{
  (void)unused;
  lwDac dac = {.period = 0.01, .bits = 3, .range = 10};  // levels -10 -7.5 .. 7.5
  static const double expected[][2] = {
      {0, 0},     {1.2, 0},    {1.3, 2.5},  {-1.3, -2.5}, {1.25, 0},  {3.75, 5},    {9.9, 7.5},
      {100, 7.5}, {-8.8, -10}, {-100, -10}, {-1.25, 0.0}, {7.5, 7.5}, {-3.75, -5.0}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; ++k)
    assert_same(lw_dac_level(&dac, expected[k][0]), expected[k][1]);
  dac.bits = 16;
  for (int k = -500; k <= 500; ++k)
  {
    double v = 9.99 * k / 500;
    assert_near(lw_dac_level(&dac, v), v, 10 / 65536.0 * (1 + 1e-12));
  }
  dac = lw_dac_ideal();
  assert_same(lw_dac_level(&dac, 1e6), 1e6);
  dac.range = 5;
  assert_same(lw_dac_level(&dac, 7), 5);
  assert_same(lw_dac_level(&dac, -7), -5);
}

static void faults(void** unused)
{
  (void)unused;
  lwDac dac = lw_dac_ideal();
  assert_null(lw_dac_fault(&dac));
  assert_null(lw_dac_fault(&(lwDac){0.001, 12, 10}));
  assert_non_null(lw_dac_fault(&(lwDac){-1, 0, 1}));
  assert_non_null(lw_dac_fault(&(lwDac){NAN, 0, 1}));
  assert_non_null(lw_dac_fault(&(lwDac){0, 33, 1}));
  assert_non_null(lw_dac_fault(&(lwDac){0, 8, INFINITY}));
  assert_non_null(lw_dac_fault(&(lwDac){0, 8, 0}));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(held_and_linear),
      cmocka_unit_test(search),
      cmocka_unit_test(refused_from_memory),
      cmocka_unit_test(columns),
      cmocka_unit_test(names_of_joints),
      cmocka_unit_test(wrong_files),
      cmocka_unit_test(truncated),
      cmocka_unit_test(levels),
      cmocka_unit_test(faults),
  };
  return cmocka_run_group_tests_name("schedules and converters", tests, NULL, NULL);
}
