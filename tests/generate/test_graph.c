// SPDX-License-Identifier: MIT
// The graph of expressions: equal expressions share one node, and constants are folded.
#include "testing.h"

#include "math/graph.h"

static lwGraph open_graph(void)
{
  lwGraph graph;
  assert_true(lw_graph_open(&graph));
  return graph;
}

static void equal_expressions_are_one_node(void** state)
{
  (void)state;
  lwGraph graph = open_graph();
  lwExpr a = lw_graph_input(&graph, 0), b = lw_graph_input(&graph, 1);
  lwExpr minus_a = lw_expr_negate(a), minus_b = lw_expr_negate(b);
  assert_int_equal(lw_graph_add(&graph, a, b), lw_graph_add(&graph, b, a));
  assert_int_equal(lw_graph_mul(&graph, a, b), lw_graph_mul(&graph, b, a));
  assert_int_equal(lw_graph_add(&graph, a, minus_b),
                   lw_expr_negate(lw_graph_add(&graph, b, minus_a)));
  assert_int_equal(lw_graph_mul(&graph, minus_a, b), lw_expr_negate(lw_graph_mul(&graph, a, b)));
  assert_int_equal(lw_graph_mul(&graph, minus_a, minus_b), lw_graph_mul(&graph, a, b));
  assert_int_equal(lw_graph_sin(&graph, minus_a), lw_expr_negate(lw_graph_sin(&graph, a)));
  assert_int_equal(lw_graph_cos(&graph, minus_a), lw_graph_cos(&graph, a));
  lw_graph_close(&graph);
}

static void known_arithmetic_is_done(void** state)
{
  (void)state;
  lwGraph graph = open_graph();
  lwExpr a = lw_graph_input(&graph, 0), two = lw_graph_constant(&graph, 2);
  lwExpr one = lw_graph_constant(&graph, 1), minus_one = lw_graph_constant(&graph, -1);
  assert_int_equal(lw_graph_add(&graph, a, 0), a);
  assert_int_equal(lw_graph_mul(&graph, a, 0), 0);
  assert_int_equal(lw_graph_mul(&graph, a, one), a);
  assert_int_equal(lw_graph_mul(&graph, minus_one, a), lw_expr_negate(a));
  assert_int_equal(lw_graph_add(&graph, a, lw_expr_negate(a)), 0);
  assert_int_equal(lw_graph_add(&graph, a, a), lw_graph_mul(&graph, two, a));
  assert_int_equal(lw_graph_mul(&graph, two, lw_graph_mul(&graph, two, a)),
                   lw_graph_mul(&graph, lw_graph_constant(&graph, 4), a));
  assert_int_equal(lw_graph_div(&graph, a, two),
                   lw_graph_mul(&graph, lw_graph_constant(&graph, 0.5), a));
  assert_same(lw_expr_value(&graph, lw_graph_mul(&graph, two, minus_one)), -2);
  lw_graph_close(&graph);
}

static void quarter_turns_are_taken_out(void** state)
{
  (void)state;
  lwGraph graph = open_graph();
  lwExpr a = lw_graph_input(&graph, 0), s = lw_graph_sin(&graph, a), c = lw_graph_cos(&graph, a);
  const lwExpr sine[]   = {c, lw_expr_negate(s), lw_expr_negate(c), s};
  const lwExpr cosine[] = {lw_expr_negate(s), lw_expr_negate(c), s, c};
  for (int k = 0; k < 4; ++k)
  {
    lwExpr angle = lw_graph_add(&graph, a, lw_graph_constant(&graph, (k + 1) * acos(0)));
    assert_int_equal(lw_graph_sin(&graph, angle), sine[k]);
    assert_int_equal(lw_graph_cos(&graph, angle), cosine[k]);
  }
  lw_graph_close(&graph);
}

// After rewinding, removed nodes are no longer found, and their numbers are reused.
static void a_graph_can_be_rewound(void** state)
{
  (void)state;
  lwGraph graph = open_graph();
  lwExpr a = lw_graph_input(&graph, 0), b = lw_graph_input(&graph, 1);
  int32_t count = graph.count;
  for (int k = 2; k < 3000; ++k) lw_graph_mul(&graph, a, lw_graph_input(&graph, k));
  lw_graph_rewind(&graph, count);
  assert_int_equal(graph.count, count);
  assert_int_equal(lw_graph_find_mul(&graph, a, b), -1);
  lwExpr product = lw_graph_mul(&graph, a, b);
  assert_int_equal(lw_expr_number(product), count);
  assert_int_equal(lw_graph_find_mul(&graph, b, a), product);
  assert_int_equal(lw_graph_input(&graph, 1), b);
  lw_graph_close(&graph);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_expressions_are_one_node),
      cmocka_unit_test(known_arithmetic_is_done),
      cmocka_unit_test(quarter_turns_are_taken_out),
      cmocka_unit_test(a_graph_can_be_rewound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
