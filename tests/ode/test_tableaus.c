// SPDX-License-Identifier: MIT
// Checks the coefficients of every explicit method against its order conditions.
//
// A method has order p if for every rooted tree of at most p nodes (there are 200 of up to eight)
// the sum of b_i Phi_i is 1/gamma: Butcher's conditions, Hairer, Norsett & Wanner, "Solving
// Ordinary Differential Equations I", II.2. Its interpolation has order q if the weights b_i(s)
// give s^nodes / gamma, II.6. The weights of a difference of two results give 0 up to the lower
// order.
//
// Bounds: the terms of the sums are up to about 50 (dop853; up to 500 for interpolation), so 1e-14
// and 1e-13 are a few rounding errors. A violated condition is off by more than 1e-5.
#include <math.h>
#include <stdio.h>

#include "ode/tableau.h"
#include "support/testing.h"

enum
{
  MAX_TREES = 512,
  MAX_NODES = 9
};

typedef struct Tree
{
  int nodes;
  double gamma;                 // its density
  double phi[LW_MAX_STAGES];    // product over the branches at the root
  double grown[LW_MAX_STAGES];  // sum_j a_ij phi_j: its value as a branch
} Tree;

typedef struct Forest
{
  const lwTableau* tableau;
  Tree trees[MAX_TREES];  // smaller ones first
  int count;
} Forest;

static void finish(const lwTableau* tableau, Tree* tree)
{
  int n = tableau->stages;
  for (int i = 0; i < n; ++i)
  {
    tree->grown[i] = 0;
    for (int j = 0; j < i; ++j) tree->grown[i] += tableau->a[i * n + j] * tree->phi[j];
  }
}

// Adds all trees whose root has the branches chosen so far and `left` more nodes in branches from
// `first` on.
static void add_branches(Forest* forest, const Tree* so_far, int first, int left, int known)
{
  if (left == 0)
  {
    assert_less(forest->count, MAX_TREES);
    Tree* tree = &forest->trees[forest->count++];
    *tree      = *so_far;
    tree->gamma *= tree->nodes;
    finish(forest->tableau, tree);
  }
  for (int k = first; k < known && forest->trees[k].nodes <= left; ++k)
  {
    Tree more          = *so_far;
    const Tree* branch = &forest->trees[k];
    more.gamma *= branch->gamma;
    for (int i = 0; i < forest->tableau->stages; ++i) more.phi[i] *= branch->grown[i];
    add_branches(forest, &more, k, left - branch->nodes, known);
  }
}

static void grow(Forest* forest, const lwTableau* tableau)
{
  forest->tableau = tableau;
  forest->count   = 0;
  for (int nodes = 1; nodes <= MAX_NODES; ++nodes)
  {
    Tree root = {.nodes = nodes, .gamma = 1};
    for (int i = 0; i < LW_MAX_STAGES; ++i) root.phi[i] = 1;
    add_branches(forest, &root, 0, nodes - 1, forest->count);
  }
  assert_int_equal(forest->count, 1 + 1 + 2 + 4 + 9 + 20 + 48 + 115 + 286);
}

// The largest number of nodes up to which the weights give s^nodes / gamma (0 for s = 0).
static int order_of(const Forest* forest, const double* weights, double s, double bound)
{
  for (int k = 0; k < forest->count; ++k)
  {
    const Tree* tree = &forest->trees[k];
    double sum       = -pow(s, tree->nodes) / tree->gamma;
    for (int i = 0; i < forest->tableau->stages; ++i) sum += weights[i] * tree->phi[i];
    if (fabs(sum) > bound) return tree->nodes - 1;
  }
  return MAX_NODES;
}

static void rows_sum_to_their_times(void** unused)
{
  (void)unused;
  for (int m = 0; m < LW_TABLEAU_COUNT; ++m)
  {
    const lwTableau* tableau = &LW_TABLEAUS[m];
    int n                    = tableau->stages;
    assert_at_most(n, LW_MAX_STAGES);
    assert_same(tableau->c[tableau->end], 1);
    for (int i = 0; i < n; ++i)
    {
      double sum = -tableau->c[i];
      for (int j = 0; j < n; ++j) sum += tableau->a[i * n + j];
      if (fabs(sum) > 1e-14 * 50) fail_msg("%s: row %d is off by %g", tableau->about.name, i, sum);
      for (int j = i; j < n; ++j) assert_same(tableau->a[i * n + j], 0);
    }
  }
}

static void results_have_their_order(void** unused)
{
  (void)unused;
  static Forest forest;
  for (int m = 0; m < LW_TABLEAU_COUNT; ++m)
  {
    const lwTableau* tableau = &LW_TABLEAUS[m];
    grow(&forest, tableau);
    int order = order_of(&forest, tableau->a + tableau->end * tableau->stages, 1, 1e-14);
    if (order != tableau->about.order) fail_msg("%s has order %d", tableau->about.name, order);
  }
}

// The error estimate is the difference of two results of different orders: it vanishes up to the
// lower order.
static void errors_have_their_order(void** unused)
{
  (void)unused;
  static Forest forest;
  for (int m = 0; m < LW_TABLEAU_COUNT; ++m)
  {
    const lwTableau* tableau = &LW_TABLEAUS[m];
    int expected             = (int)fmin(tableau->about.order, tableau->about.error_order);
    if (!tableau->e) continue;
    grow(&forest, tableau);
    int order = order_of(&forest, tableau->e, 0, 1e-14);
    if (order != expected) fail_msg("%s: its error has order %d", tableau->about.name, order);
    if (tableau->e3) assert_int_equal(order_of(&forest, tableau->e3, 0, 1e-14), 3);
  }
}

// fehlberg45: result minus error has order five. kutta-merson: result minus five times the error
// (the argument of its fifth stage) has order three.
static void other_results_have_theirs(void** unused)
{
  (void)unused;
  static Forest forest;
  for (int m = 0; m < LW_TABLEAU_COUNT; ++m)
  {
    const lwTableau* tableau = &LW_TABLEAUS[m];
    if (!tableau->e || tableau->e3) continue;
    const double* result = tableau->a + tableau->end * tableau->stages;
    bool merson          = tableau->e == LW_TABLEAUS[3].e;
    double other[LW_MAX_STAGES];
    grow(&forest, tableau);
    for (int i = 0; i < tableau->stages; ++i)
      other[i] = result[i] - (merson ? 5 : 1) * tableau->e[i];
    assert_int_equal(order_of(&forest, other, 1, 1e-14), tableau->about.error_order);
  }
}

// For y' = A y the estimate is the error of Merson's result: after adding it, the coefficients of
// h^p A^p are 1/p! up to p = 5.
static void merson_is_right_for_linear_equations(void** unused)
{
  (void)unused;
  const lwTableau* tableau = &LW_TABLEAUS[3];
  assert_string_equal(tableau->about.name, "kutta-merson");
  double tall[LW_MAX_STAGES], next[LW_MAX_STAGES], factorial = 1;
  int n = tableau->stages;
  for (int i = 0; i < n; ++i) tall[i] = 1;
  for (int power = 1; power <= 5; ++power)
  {
    double result = 0, error = 0;
    factorial *= power;
    for (int i = 0; i < n; ++i)
    {
      result += tableau->a[tableau->end * n + i] * tall[i];
      error += tableau->e[i] * tall[i];
      next[i] = 0;
      for (int j = 0; j < i; ++j) next[i] += tableau->a[i * n + j] * tall[j];
    }
    assert_closer(result + error, 1 / factorial, 1e-15);
    for (int i = 0; i < n; ++i) tall[i] = next[i];
  }
}

static void interpolations_have_their_order(void** unused)
{
  (void)unused;
  static Forest forest;
  for (int m = 0; m < LW_TABLEAU_COUNT; ++m)
  {
    const lwTableau* tableau = &LW_TABLEAUS[m];
    grow(&forest, tableau);
    for (double s = 0.1; s < 0.95; s += 0.2)
    {
      double weights[LW_MAX_STAGES];
      lw_tableau_weights(tableau, s, weights);
      int order = order_of(&forest, weights, s, 1e-13);
      if (order != tableau->about.dense_order)
        fail_msg("%s: order %d at %g", tableau->about.name, order, s);
    }
  }
}

// At both ends of a step an interpolation is exactly the state there.
static void interpolations_meet_the_ends(void** unused)
{
  (void)unused;
  for (int m = 0; m < LW_TABLEAU_COUNT; ++m)
  {
    const lwTableau* tableau = &LW_TABLEAUS[m];
    double weights[LW_MAX_STAGES];
    lw_tableau_weights(tableau, 0, weights);
    for (int i = 0; i < tableau->stages; ++i) assert_same(weights[i], 0);
    lw_tableau_weights(tableau, 1, weights);
    for (int i = 0; i < tableau->stages; ++i)
      assert_same(weights[i], tableau->a[tableau->end * tableau->stages + i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_sum_to_their_times),
      cmocka_unit_test(results_have_their_order),
      cmocka_unit_test(errors_have_their_order),
      cmocka_unit_test(other_results_have_theirs),
      cmocka_unit_test(merson_is_right_for_linear_equations),
      cmocka_unit_test(interpolations_have_their_order),
      cmocka_unit_test(interpolations_meet_the_ends),
  };
  return cmocka_run_group_tests_name("tableaus", tests, NULL, NULL);
}
