// SPDX-License-Identifier: MIT
// The checks of robots with loops hold for the mechanisms of the distribution, and notice states
// that are off the loops.
#include <string.h>

#include "compare/method_checks.h"
#include "linkwork/read.h"
#include "testing.h"

enum
{
  STATES = 3
};

typedef struct Machine
{
  lwModel* model;
  lwLoops* loops;
  lwMethodChecker checker;
} Machine;

static void machine_open(Machine* machine, const char* path)
{
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &machine->model), LW_OK);
  assert_int_equal(lw_loops_create(machine->model, NULL, NULL, &machine->loops), LW_OK);
  assert_int_equal(lw_method_checker_create(&machine->checker, machine->model, LW_PRECISION_DOUBLE),
                   LW_OK);
  machine->checker.loops = machine->loops;
  machine->checker.ws    = machine->checker.plain;
}

static void machine_close(Machine* machine)
{
  lw_method_checker_destroy(&machine->checker);
  lw_loops_destroy(machine->loops);
  lw_model_destroy(machine->model);
}

static void closed_state(Machine* machine, long number)
{
  lw_random_state_fill(&machine->checker.state, machine->model, 5, number, false);
  lw_checker_close_state(&machine->checker);
  assert_true(lw_method_checker_refer(&machine->checker));
}

static double check_units(Machine* machine, const lwMethodCheck* check)
{
  return lw_gap_units(check->gap(&machine->checker), machine->checker.epsilon);
}

static void checks_hold_on_closed_loops(void** state)
{
  (void)state;
  static const char* const files[] = {LW_ROBOTS "/four_bar.yaml", LW_ROBOTS "/delta.yaml",
                                      LW_ROBOTS "/palletizer.yaml", LW_ROBOTS "/stewart.yaml"};
  for (size_t f = 0; f < sizeof files / sizeof *files; ++f)
  {
    Machine machine;
    machine_open(&machine, files[f]);
    for (long number = 1; number <= STATES; ++number)
    {
      closed_state(&machine, number);
      for (int k = 0; k < LW_LOOP_CHECK_COUNT; ++k)
      {
        const lwMethodCheck* check = &LW_LOOP_CHECKS[k];
        double bound               = check->base + check->per_joint * machine.checker.n;
        double units               = check_units(&machine, check);
        if (!(units <= bound))
          fail_msg("%s, state %ld, %s is %g, bound %g", files[f], number, check->name, units,
                   bound);
      }
    }
    machine_close(&machine);
  }
}

static const lwMethodCheck* check_named(const char* name)
{
  for (int k = 0; k < LW_LOOP_CHECK_COUNT; ++k)
    if (!strcmp(LW_LOOP_CHECKS[k].name, name)) return &LW_LOOP_CHECKS[k];
  fail_msg("no check '%s'", name);
  return NULL;
}

static void open_loops_are_noticed(void** state)
{
  (void)state;
  Machine machine;
  machine_open(&machine, LW_ROBOTS "/four_bar.yaml");
  closed_state(&machine, 2);
  machine.checker.state.q[0] += 1e-3;
  assert_greater(check_units(&machine, check_named("loops closed")), 1e8);
  closed_state(&machine, 2);
  machine.checker.state.qd[0] += 1e-3;
  assert_greater(check_units(&machine, check_named("J qd = 0")), 1e8);
  assert_infinite(check_units(&machine, check_named("openings seen")));
  machine_close(&machine);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checks_hold_on_closed_loops),
      cmocka_unit_test(open_loops_are_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
