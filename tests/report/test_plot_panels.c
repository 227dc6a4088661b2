// SPDX-License-Identifier: MIT
// Which columns of a table are drawn in which panel, with which unit, colour, reference and limits.
#include "report/plot/plot_panels.h"

#include <stdio.h>
#include <string.h>

#include "support/robots.h"
#include "support/testing.h"

static lwPlotTable table;
static lwPlotPanels panels;
static char message[LW_PLOT_MESSAGE];

// A table with these columns, separated by spaces, and rows of zeros.
static void make_table(const char* names, const lwModel* model)
{
  char text[2000];
  size_t columns = 1;
  snprintf(text, sizeof text, "%s", names);
  for (const char* s = text; *s; ++s) columns += *s == ' ';
  assert_int_equal(lw_plot_table_create(&table, columns), LW_OK);
  size_t c = 0;
  for (char* name = strtok(text, " "); name; name = strtok(NULL, " "))
    assert_true(lw_plot_table_name(&table, c++, name, NULL));
  table.model       = model;
  double zeros[200] = {0};
  for (int i = 0; i < 3; ++i) lw_plot_table_add(&table, zeros);
}

static lwPlotFault find(const char* groups)
{
  return lw_plot_panels_find(&table, groups, false, &panels, message);
}

static void columns_belong_to_groups(void** unused)
{
  (void)unused;
  static const struct
  {
    const char *column, *group;
    bool is_in;
  } cases[] = {{"q1", "q", true},         {"q12", "q", true}, {"q.elbow", "q", true},
               {"qd1", "q", false},       {"q", "q", true},   {"q1", "q1", true},
               {"q10", "q1", false},      {"q.", "q", false}, {"q_ref1", "q", false},
               {"q.elbow", "q.e", false}, {"S", "S", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    if (lw_plot_column_is_in(cases[i].column, cases[i].group, strlen(cases[i].group)) !=
        cases[i].is_in)
      fail_msg("%s in %s", cases[i].column, cases[i].group);
}

static void a_panel_for_each_group_and_unit(void** unused)
{
  (void)unused;
  make_table("t q1 q2 q_ref1 q_ref2 tau1 kinetic potential x", NULL);
  assert_int_equal(find("q,tau,kinetic+potential+x"), LW_PLOT_FAULT_NONE);
  assert_int_equal(panels.count, 4);  // a length is no energy
  static const char* const labels[] = {"position q (rad or m)", "torque tau1 (N m or N)",
                                       "kinetic, potential (J)", "x (m)"};
  for (int p = 0; p < 4; ++p) assert_string_equal(panels.panel[p].label, labels[p]);
  assert_int_equal(panels.rows, 4);
  assert_int_equal(panels.places, 1);
  assert_false(panels.dense);
  const lwPlotCurve* q2 = &panels.curve[panels.panel[0].first + 1];
  assert_string_equal(table.names[q2->reference], "q_ref2");
  assert_int_equal(q2->joint, 1);
  assert_int_equal(q2->colour, 1);
  assert_infinite(q2->high);
  lw_plot_table_destroy(&table);
}

// With the robot, joints that turn and joints that slide have panels of their own, and limits.
static void joints_have_units_and_limits(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  for (int i = 0; i < 2; ++i)
  {
    lwJointDef* joint = robot_add(robot, i ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1);
    joint->limits     = (lwLimits){-1, 2, .velocity = 3, .effort = 4, .acceleration = 5, .jerk = 6};
    joint->link       = (lwLinkDef){.mass = 1, .com = {1, 0, 0}, .inertia = {1, 1, 1, 0, 0, 0}};
  }
  robot_build(robot);
  make_table("t q1 q2 qd1 qd2 tau2", robot->model);
  assert_int_equal(find("q,qd,tau"), LW_PLOT_FAULT_NONE);
  assert_int_equal(panels.count, 5);
  assert_string_equal(panels.curve[0].unit, "rad");
  assert_string_equal(panels.curve[1].unit, "m");
  assert_same(panels.curve[0].low, -1);
  assert_same(panels.curve[0].high, 2);
  assert_same(panels.curve[2].low, -3);
  assert_same(panels.curve[2].high, 3);
  assert_contains(panels.panel[4].label, "force tau of ");
  assert_contains(panels.panel[4].label, "(N)");
  assert_same(panels.curve[4].high, 4);
  lw_plot_table_destroy(&table);
  robot_free(robot);
}

// From nine joints on there is a grid of panels with a few joints each.
static void many_joints_make_a_grid(void** unused)
{
  (void)unused;
  char names[1000] = "t";
  for (int i = 1; i <= 60; ++i) sprintf(names + strlen(names), " q%d", i);
  make_table(names, NULL);
  assert_int_equal(find("q"), LW_PLOT_FAULT_NONE);
  assert_true(panels.dense);
  assert_int_equal(panels.left_out, 12);
  assert_int_equal(panels.count, 6);
  for (int p = 0; p < panels.count; ++p) assert_int_equal(panels.panel[p].count, 8);
  lw_plot_table_destroy(&table);
}

static void wrong_groups_are_refused(void** unused)
{
  (void)unused;
  make_table("t kinetic tau1", NULL);
  static const char* const cases[][2] = {
      {"kinetics", "no column 'kinetics', did you mean 'kinetic'?"},
      {"voltage", "no column 'voltage', nor one with a number or a name after it"},
      {"tau,,kinetic", "an empty name, expected groups like q,tau,S"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    assert_int_equal(find(cases[i][0]), LW_PLOT_FAULT_GROUPS);
    assert_string_equal(message, cases[i][1]);
  }
  assert_int_equal(lw_plot_panels_find(&table, "q,v", true, &panels, message),
                   LW_PLOT_FAULT_GROUPS);
  assert_string_equal(message, "nothing to draw");
  assert_int_equal(lw_plot_table_draw(&table, "x.svg", "time", "tau", false, message),
                   LW_PLOT_FAULT_X);
  assert_string_equal(message, "no column 'time'");
  lw_plot_table_destroy(&table);
}

// Of more rows than are kept every second stays, then every fourth.
static void long_tables_are_thinned(void** unused)
{
  (void)unused;
  assert_int_equal(lw_plot_table_create(&table, 1), LW_OK);
  assert_true(lw_plot_table_name(&table, 0, "t", "time"));
  for (int i = 0; i < 3 * LW_PLOT_ROWS; ++i) lw_plot_table_add(&table, (double[]){i});
  assert_int_equal(table.stride, 4);
  assert_at_most(table.rows, LW_PLOT_ROWS);
  for (size_t i = 0; i < table.rows; ++i) assert_same(table.values[i], 4.0 * (double)i);
  lw_plot_table_destroy(&table);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_belong_to_groups),
      cmocka_unit_test(a_panel_for_each_group_and_unit),
      cmocka_unit_test(joints_have_units_and_limits),
      cmocka_unit_test(many_joints_make_a_grid),
      cmocka_unit_test(wrong_groups_are_refused),
      cmocka_unit_test(long_tables_are_thinned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
