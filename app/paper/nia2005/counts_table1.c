// SPDX-License-Identifier: MIT
// Table I of nia2005: operations at three numbers of links and in general, with linkwork's methods beside them.
#include <stdio.h>

#include "costs.h"
#include "io/text.h"
#include "nia2005.h"

enum
{
  SIZES     = 3,  // of Table I
  COLUMNS   = 2 * SIZES,
  TEXT_SIZE = 4096
};

// The numbers of links, as the table has them.
static bool sizes(Page* page, int n[SIZES])
{
  Values values = page_data(page, "links");
  if (values.count != SIZES) page_fail(page, INPUT, "data 'links' must have %d numbers", SIZES);
  for (int i = 0; i < SIZES && values.count == SIZES; ++i) n[i] = (int)values.at[i];
  return page->status == DONE;
}

// The printed formula, with its labels put right, at the three sizes.
static void formula_at(Page* page, const char* claim, const int n[SIZES], double row[COLUMNS])
{
  double values[2];
  for (int i = 0; i < SIZES; ++i)
  {
    page_registry(page, claim, n[i], values);
    row[2 * i]     = values[1];
    row[2 * i + 1] = values[0];
  }
}

static void measure_formula(Page* page, const char* claim, const int n[SIZES])
{
  double row[COLUMNS];
  formula_at(page, claim, n, row);
  page_measure(page, claim, COLUMNS, row);
}

// What is counted, beside what the formula says.
static void measure_counted(Page* page, const char* claim, const Costs* costs, const int n[SIZES])
{
  double row[COLUMNS];
  formula_at(page, claim, n, row);
  page_print(page, claim, COLUMNS, row);
  for (int i = 0; i < SIZES; ++i)
  {
    row[2 * i]     = costs_at(&costs->add, n[i]);
    row[2 * i + 1] = costs_at(&costs->mul, n[i]);
  }
  page_measure(page, claim, COLUMNS, row);
}

// A line of the table for people.
static void append_row(char text[TEXT_SIZE], const char* name, const Costs* costs,
                       const int n[SIZES])
{
  char mul[POLYNOMIAL_TEXT], add[POLYNOMIAL_TEXT], div[POLYNOMIAL_TEXT], line[512];
  polynomial_text(&costs->mul, mul, sizeof mul);
  polynomial_text(&costs->add, add, sizeof add);
  polynomial_text(&costs->div, div, sizeof div);
  snprintf(line, sizeof line, "| %s | %s | %s | %s |", name, add, mul, div);
  text_append(text, TEXT_SIZE, line, "");
  for (int i = 0; i < SIZES; ++i)
  {
    snprintf(line, sizeof line, " %.0f / %.0f |", costs_at(&costs->add, n[i]),
             costs_at(&costs->mul, n[i]));
    text_append(text, TEXT_SIZE, line, i + 1 < SIZES ? "" : "\n");
  }
}

static void append_head(char text[TEXT_SIZE], const int n[SIZES])
{
  char line[256];
  snprintf(line, sizeof line, "| counted | A | M | D | n = %d: A / M | n = %d | n = %d |\n", n[0],
           n[1], n[2]);
  text_append(text, TEXT_SIZE, line, "|---|---|---|---|---:|---:|---:|\n");
}

typedef struct Counted
{
  const char* name;    // for people
  const char* method;  // NULL: the steps as printed
  const char* claim;   // of table-1, or NULL
  const char* order;   // claim of section order, or NULL
} Counted;

static const Counted COUNTED[] = {
    {"Kane, (6)-(20) step by step", NULL, "table-1/kane-counted", "order/kane"},
    {"Kane, products shared (`kane`)", "kane", NULL, NULL},
    {"Kane in O(n) (`kane-linear`)", "kane-linear", NULL, NULL},
    {"Lagrange (`lagrange`)", "lagrange", "table-1/lagrange-counted", "order/lagrange"},
    {"Newton-Euler (`newton-euler`)", "newton-euler", "table-1/newton-euler-counted",
     "order/newton-euler"}};

enum
{
  COUNTED_COUNT = sizeof COUNTED / sizeof *COUNTED
};

static int costs_of(Page* page, const Counted* counted, Costs* costs)
{
  Costs steps[STEP_COUNT];
  if (counted->method) return costs_of_method(page, counted->method, costs);
  int status = costs_of_steps(page, steps);
  *costs     = costs_sum(steps, STEP_JACOBIAN);  // all of Kane's
  return status;
}

void nia2005_table1(Page* page)
{
  int n[SIZES];
  char text[TEXT_SIZE] = "";
  page_progress(page, "operations of the methods");
  if (!sizes(page, n)) return;
  measure_formula(page, "table-1/kane", n);
  measure_formula(page, "table-1/lagrange", n);
  measure_formula(page, "table-1/newton-euler", n);
  append_head(text, n);
  for (int i = 0; i < COUNTED_COUNT; ++i)
  {
    Costs costs;
    if (costs_of(page, &COUNTED[i], &costs) != DONE) return;
    append_row(text, COUNTED[i].name, &costs, n);
    if (COUNTED[i].claim) measure_counted(page, COUNTED[i].claim, &costs, n);
    if (COUNTED[i].order) page_measure_one(page, COUNTED[i].order, costs.mul.degree);
  }
  page_note(page, "table-1",
            "What the equations take, counted on generic snakes of %d to %d links; A additions, M "
            "multiplications, D divisions:\n\n%s",
            COSTS_FEWEST, COSTS_MOST, text);
}
