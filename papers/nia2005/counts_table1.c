// SPDX-License-Identifier: MIT
// Table I of nia2005: operations at three numbers of links and in general,
// with linkwork's methods beside them.
#include <math.h>
#include <stdio.h>

#include "costs.h"
#include "io/program_text.h"
#include "nia2005.h"

enum
{
  SIZES     = 3,  // numbers of links in Table I
  COLUMNS   = 2 * SIZES,
  METHODS   = 3,
  TEXT_SIZE = 4096
};

// Additions and multiplications at every size, as a row of the table has them.
typedef struct CountsRow
{
  double at[COLUMNS];
} CountsRow;

// The methods of the table, Kane first, with their claims.
typedef struct Method
{
  const char* formula;
  const char* counted;
  const char* order;
} Method;

static const Method METHOD[METHODS] = {
    {"table-1/kane", "table-1/kane-counted", "order/kane"},
    {"table-1/lagrange", "table-1/lagrange-counted", "order/lagrange"},
    {"table-1/newton-euler", "table-1/newton-euler-counted", "order/newton-euler"}};

// What is counted.
typedef struct Counted
{
  const char* name;     // for people
  const char* library;  // its name there; NULL: the steps as printed
  int method;           // of the table, -1: none
} Counted;

static const Counted COUNTED[] = {{"Kane, (6)-(20) step by step", NULL, 0},
                                  {"Kane, products shared (`kane`)", "kane", -1},
                                  {"Kane in O(n) (`kane-linear`)", "kane-linear", -1},
                                  {"Lagrange (`lagrange`)", "lagrange", 1},
                                  {"Newton-Euler (`newton-euler`)", "newton-euler", 2}};

enum
{
  COUNTED_COUNT = sizeof COUNTED / sizeof *COUNTED
};

static bool read_sizes(Page* page, int n[SIZES])
{
  Values values = page_data(page, "links");
  if (values.count != SIZES) page_fail(page, INPUT, "data 'links' must have %d numbers", SIZES);
  for (int i = 0; i < SIZES && values.count == SIZES; ++i) n[i] = (int)values.at[i];
  return page->status == DONE;
}

// The printed formula, with its labels corrected.
static CountsRow formula_row(Page* page, const char* claim, const int n[SIZES])
{
  CountsRow row;
  for (int i = 0; i < SIZES; ++i)
  {
    double values[2];
    page_registry(page, claim, n[i], values);
    row.at[2 * i]     = values[1];
    row.at[2 * i + 1] = values[0];
  }
  return row;
}

static CountsRow counted_row(const Costs* costs, const int n[SIZES])
{
  CountsRow row;
  for (int i = 0; i < SIZES; ++i)
  {
    row.at[2 * i]     = costs_at(&costs->add, n[i]);
    row.at[2 * i + 1] = costs_at(&costs->mul, n[i]);
  }
  return row;
}

static int count_costs(Page* page, const Counted* counted, Costs* costs)
{
  Costs steps[STEP_COUNT];
  if (counted->library) return costs_of_method(page, counted->library, costs);
  int status = costs_of_steps(page, steps);
  *costs     = costs_sum(steps, STEP_INERTIA);  // all of Kane's
  return status;
}

// Ratio of the better of Lagrange and Newton-Euler to Kane, all operations.
static void compare_methods(const CountsRow rows[METHODS], double ratio[SIZES])
{
  for (int i = 0; i < SIZES; ++i)
  {
    double all[METHODS];
    for (int m = 0; m < METHODS; ++m) all[m] = rows[m].at[2 * i] + rows[m].at[2 * i + 1];
    ratio[i] = fmin(all[1], all[2]) / all[0];
  }
}

static void measure_conclusion(Page* page, const CountsRow counted[METHODS],
                               const CountsRow formula[METHODS])
{
  double ratio[SIZES];
  compare_methods(counted, ratio);
  page_measure(page, "conclusion/counted", SIZES, ratio);
  compare_methods(formula, ratio);
  page_note(page, "conclusion",
            "By the formulas of Table I, with errata 0-5 and 0-6, the ratios are %.3g, %.3g and "
            "%.3g.",
            ratio[0], ratio[1], ratio[2]);
}

// --- the table for people

static void append_head(char text[TEXT_SIZE], const int n[SIZES])
{
  char line[256];
  snprintf(line, sizeof line, "| counted | A | M | D | n = %d: A / M | n = %d | n = %d |\n", n[0],
           n[1], n[2]);
  lw_text_append(text, TEXT_SIZE, line, "|---|---|---|---|---:|---:|---:|\n");
}

static void append_row(char text[TEXT_SIZE], const char* name, const Costs* costs,
                       const CountsRow* row)
{
  char mul[LW_POLYNOMIAL_TEXT], add[LW_POLYNOMIAL_TEXT], div[LW_POLYNOMIAL_TEXT], line[512];
  lw_polynomial_text(&costs->mul, mul, sizeof mul);
  lw_polynomial_text(&costs->add, add, sizeof add);
  lw_polynomial_text(&costs->div, div, sizeof div);
  snprintf(line, sizeof line, "| %s | %s | %s | %s |", name, add, mul, div);
  lw_text_append(text, TEXT_SIZE, line, "");
  for (int i = 0; i < SIZES; ++i)
  {
    snprintf(line, sizeof line, " %.0f / %.0f |", row->at[2 * i], row->at[2 * i + 1]);
    lw_text_append(text, TEXT_SIZE, line, i + 1 < SIZES ? "" : "\n");
  }
}

void nia2005_table1(Page* page)
{
  int n[SIZES] = {0};
  CountsRow formula[METHODS], counted[METHODS] = {{{0}}};
  char text[TEXT_SIZE] = "";
  page_progress(page, "operations of the methods");
  if (!read_sizes(page, n)) return;
  for (int m = 0; m < METHODS; ++m)
  {
    formula[m] = formula_row(page, METHOD[m].formula, n);
    page_measure(page, METHOD[m].formula, COLUMNS, formula[m].at);
  }
  append_head(text, n);
  for (int i = 0; i < COUNTED_COUNT; ++i)
  {
    Costs costs;
    int m = COUNTED[i].method;
    if (count_costs(page, &COUNTED[i], &costs) != DONE) return;
    CountsRow row = counted_row(&costs, n);
    append_row(text, COUNTED[i].name, &costs, &row);
    if (m < 0) continue;
    counted[m] = row;
    page_print(page, METHOD[m].counted, COLUMNS, formula[m].at);
    page_measure(page, METHOD[m].counted, COLUMNS, row.at);
    page_measure_one(page, METHOD[m].order, costs.mul.degree);
  }
  measure_conclusion(page, counted, formula);
  page_note(
      page, "table-1",
      "Operations of the equations, counted on generic snakes of %d to %d links; A additions, M "
      "multiplications, D divisions:\n\n%s",
      COSTS_FEWEST, COSTS_MOST, text);
}
