// SPDX-License-Identifier: MIT
// Series of sines and letters: equal expressions have equal series, whatever way they are written.
#include "generate/series.h"

#include "testing.h"

static int letter_of(const void* context, const lwGraphNode* input)
{
  (void)context;
  return lw_input_index(input);
}

static lwExpr angle_input(lwGraph* graph, int k)
{
  return lw_graph_input(graph, lw_input_number(LW_ARGUMENT_Q, k));
}

static lwSeries one_output(lwProgram* program, lwExpr output)
{
  lwSeries series;
  program->outputs[0] = output;
  assert_int_equal(lw_series_of_program(program, letter_of, NULL, &series), LW_OK);
  return series;
}

// cos a cos b - sin a sin b, and the letter of input 0 of velocities
static void products_of_sines_become_sums(void** state)
{
  (void)state;
  lwProgram program;
  assert_true(lw_program_open(&program, 1));
  lwGraph* graph = &program.graph;
  graph->split   = true;
  lwExpr a = angle_input(graph, 0), b = angle_input(graph, 1);
  lwExpr x   = lw_graph_input(graph, lw_input_number(LW_ARGUMENT_QD, 0));
  lwExpr sum = lw_graph_add(
      graph, lw_graph_mul(graph, lw_graph_cos(graph, a), lw_graph_cos(graph, b)),
      lw_expr_negate(lw_graph_mul(graph, lw_graph_sin(graph, a), lw_graph_sin(graph, b))));
  lwSeries series = one_output(&program, lw_graph_mul(graph, x, sum));
  assert_int_equal(series.count, 1);
  assert_near(series.term[0].coefficient, 1, 1e-15);
  assert_int_equal(series.term[0].sine, 0);
  assert_int_equal(series.term[0].angle[0], 1);
  assert_int_equal(series.term[0].angle[1], 1);
  assert_int_equal(series.term[0].power[0], 1);
  lw_series_free(&series);
  lw_program_close(&program);
}

// sin^2 + cos^2 - 1 has no terms at all.
static void identities_vanish(void** state)
{
  (void)state;
  lwProgram program;
  assert_true(lw_program_open(&program, 1));
  lwGraph* graph = &program.graph;
  lwExpr s       = lw_graph_sin(graph, angle_input(graph, 2)),
         c       = lw_graph_cos(graph, angle_input(graph, 2));
  lwExpr squares =
      lw_graph_add(graph, lw_graph_mul(graph, s, s),
                   lw_graph_add(graph, lw_graph_mul(graph, c, c), lw_graph_constant(graph, -1)));
  lwSeries series = one_output(&program, squares);
  assert_int_equal(series.count, 0);
  lw_series_free(&series);
  lw_program_close(&program);
}

// d/dx of x^3 is 3 x^2, d/da of sin a is cos a.
static void slopes_of_letters_and_angles(void** state)
{
  (void)state;
  lwSeries x, square, cube, slope;
  assert_int_equal(lw_series_variable(4, &x), LW_OK);
  assert_int_equal(lw_series_multiply(&x, &x, &square), LW_OK);
  assert_int_equal(lw_series_multiply(&square, &x, &cube), LW_OK);
  assert_int_equal(lw_series_slope(&cube, -1, 4, &slope), LW_OK);
  assert_int_equal(slope.count, 1);
  assert_near(slope.term[0].coefficient, 3, 1e-15);
  assert_int_equal(slope.term[0].power[4], 2);
  lw_series_free(&slope);
  x.term[0].angle[1] = 1, x.term[0].sine = 1;
  assert_int_equal(lw_series_slope(&x, 1, -1, &slope), LW_OK);
  assert_int_equal(slope.term[0].sine, 0);
  assert_near(slope.term[0].coefficient, 1, 1e-15);
  lw_series_free(&slope), lw_series_free(&x), lw_series_free(&square), lw_series_free(&cube);
}

// Ratios of what is not a number have no series, half angles neither.
static void what_has_no_series_is_refused(void** state)
{
  (void)state;
  for (int k = 0; k < 2; ++k)
  {
    lwProgram program;
    lwSeries series;
    assert_true(lw_program_open(&program, 1));
    lwGraph* graph     = &program.graph;
    lwExpr a           = angle_input(graph, 0);
    lwExpr x           = lw_graph_input(graph, lw_input_number(LW_ARGUMENT_QD, 1));
    lwExpr half        = lw_graph_mul(graph, lw_graph_constant(graph, 0.5), a);
    program.outputs[0] = k == 0 ? lw_graph_div(graph, a, x) : lw_graph_sin(graph, half);
    assert_int_equal(lw_series_of_program(&program, letter_of, NULL, &series), LW_ERROR_METHOD);
    assert_null(series.term);
    lw_program_close(&program);
  }
}

// (x_0 + x_1 + ..)^2 of n letters has n (n + 1) / 2 terms: more than anyone would read.
static void long_series_are_refused(void** state)
{
  (void)state;
  lwSeries sum, x, more, square;
  assert_int_equal(lw_series_constant(0, &sum), LW_OK);
  for (int k = 0; k < 100; ++k)
  {
    assert_int_equal(lw_series_variable(k, &x), LW_OK);
    assert_int_equal(lw_series_add(&sum, 1, &x, &more), LW_OK);
    lw_series_free(&sum), lw_series_free(&x);
    sum = more;
  }
  assert_int_equal(sum.count, 100);
  assert_int_equal(lw_series_multiply(&sum, &sum, &square), LW_ERROR_INPUT);
  lw_series_free(&sum);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_of_sines_become_sums),
      cmocka_unit_test(identities_vanish),
      cmocka_unit_test(slopes_of_letters_and_angles),
      cmocka_unit_test(what_has_no_series_is_refused),
      cmocka_unit_test(long_series_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
