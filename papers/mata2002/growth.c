// SPDX-License-Identifier: MIT
// How the counts of mata2002 grow with the number of joints: orders, polynomials, and crossovers.
#include <math.h>
#include <stdio.h>

#include "mata2002.h"
#include "report/polynomial.h"
#include "words.h"

typedef struct Grown
{
  const char* column;  // of the CSV file
  const char* title;
  lwQuestion question;
  const char* method;    // of the library; NULL: the equations as printed,
  LiteralKind literal;   // which of them
  const char* claim;     // about its order, or NULL
  const char* in_print;  // title of what is printed, or NULL
} Grown;

enum
{
  NEWTON_EULER,
  KANE,
  INVERSE_GIBBS_APPELL,
  INVERSE_PRINTED,
  BIAS_PRINTED,
  INVERSE_SUM,
  WALKER_ORIN,
  ORTHOGONAL_COMPLEMENT,
  INERTIA_GIBBS_APPELL,
  INERTIA_PRINTED,
  INERTIA_SUM,
  FORWARD_WALKER_ORIN,
  FORWARD_COMPOSITE,
  FORWARD_ARTICULATED,
  FORWARD_COMPLEMENT,
  FORWARD_GIBBS_APPELL,
  GROWN_COUNT
};

static const Grown GROWN[GROWN_COUNT] = {
    [NEWTON_EULER] = {"inverse_newton_euler", "Luh et al. (newton-euler)", LW_QUESTION_INVERSE,
                      "newton-euler", 0, NULL, "Luh et al., printed"},
    [KANE]         = {"inverse_kane", "Angeles et al. (kane)", LW_QUESTION_INVERSE, "kane", 0, NULL,
                      "Angeles et al., printed"},
    [INVERSE_GIBBS_APPELL] = {"inverse_gibbs_appell", "this work (gibbs-appell)",
                              LW_QUESTION_INVERSE, "gibbs-appell", 0, NULL, "this work, printed"},
    [INVERSE_PRINTED]      = {"inverse_as_printed", "this work, 4.1 run", LW_QUESTION_INVERSE, NULL,
                              LITERAL_INVERSE, "growth/inverse-as-printed", NULL},
    [BIAS_PRINTED] = {"bias_as_printed", "this work, 4.1 without accelerations", LW_QUESTION_BIAS,
                      NULL, LITERAL_BIAS, NULL, NULL},
    [INVERSE_SUM]  = {"inverse_sum_13", "this work, (13) (gibbs-appell-sum)", LW_QUESTION_INVERSE,
                      "gibbs-appell-sum", 0, "growth/sum-13", NULL},
    [WALKER_ORIN]  = {"inertia_walker_orin", "Walker & Orin (walker-orin-3)", LW_QUESTION_INERTIA,
                      "walker-orin-3", 0, "growth/composite-body", "Walker & Orin, printed"},
    [ORTHOGONAL_COMPLEMENT] = {"inertia_orthogonal_complement",
                               "Angeles & Ma (orthogonal-complement)", LW_QUESTION_INERTIA,
                               "orthogonal-complement", 0, "growth/orthogonal-complement",
                               "Angeles & Ma, printed"},
    [INERTIA_GIBBS_APPELL]  = {"inertia_gibbs_appell", "this work (gibbs-appell)",
                               LW_QUESTION_INERTIA, "gibbs-appell", 0, NULL, "this work, printed"},
    [INERTIA_PRINTED] = {"inertia_as_printed", "this work, 4.2 run", LW_QUESTION_INERTIA, NULL,
                         LITERAL_INERTIA, "growth/inertia-as-printed", NULL},
    [INERTIA_SUM] = {"inertia_sum_21", "this work, (21) (gibbs-appell-sum)", LW_QUESTION_INERTIA,
                     "gibbs-appell-sum", 0, "growth/sum-21", NULL},
    [FORWARD_WALKER_ORIN] = {"forward_walker_orin", "Walker & Orin (walker-orin-3)",
                             LW_QUESTION_FORWARD, "walker-orin-3", 0, NULL, NULL},
    [FORWARD_COMPOSITE]   = {"forward_composite_body", "composite bodies (composite-body)",
                             LW_QUESTION_FORWARD, "composite-body", 0, NULL, NULL},
    [FORWARD_ARTICULATED] = {"forward_articulated_body", "Featherstone (articulated-body)",
                             LW_QUESTION_FORWARD, "articulated-body", 0, "growth/articulated-body",
                             "Featherstone, printed"},
    [FORWARD_COMPLEMENT] = {"forward_orthogonal_complement", "Angeles & Ma (orthogonal-complement)",
                            LW_QUESTION_FORWARD, "orthogonal-complement", 0, NULL, NULL},
    [FORWARD_GIBBS_APPELL] = {"forward_gibbs_appell", "this work (gibbs-appell)",
                              LW_QUESTION_FORWARD, "gibbs-appell", 0, NULL, "this work, printed"},
};

enum
{
  GROWN_FROM = 3  // joints: a shorter chain consists of its ends only
};

// [entry of GROWN][joints]
typedef struct GrowthCounts
{
  long mul[GROWN_COUNT][COUNTED_TO + 1];
  long add[GROWN_COUNT][COUNTED_TO + 1];
} GrowthCounts;

static long operations_at(const GrowthCounts* counts, int k, int n)
{
  return counts->mul[k][n] + counts->add[k][n];
}

static void count_grown(Page* page, const Chains* chains, GrowthCounts* counts)
{
  for (int k = 0; k < GROWN_COUNT; ++k)
    for (int n = GROWN_FROM; n <= COUNTED_TO; ++n)
    {
      const Grown* grown = &GROWN[k];
      Operations all     = grown->method
                               ? kernel_operations(page, chains, n, grown->question, grown->method)
                               : literal_of(page, chains, n, grown->literal).all;
      counts->mul[k][n]  = all.mul;
      counts->add[k][n]  = all.add;
    }
}

static lwPolynomial fit_counts(const long* counts)
{
  return lw_polynomial_fit(GROWN_FROM, COUNTED_TO + 1 - GROWN_FROM, counts + GROWN_FROM);
}

// The polynomials as a Markdown table; the claims are about their degrees.
static void find_polynomials(Page* page, const GrowthCounts* counts)
{
  PaperText note = {0};
  text_add(&note,
           "Counted on chains of %d to %d revolute joints without special angles, lengths or "
           "inertias, and fitted exactly; divisions count as multiplications:\n\n"
           "| question | algorithm | multiplications | additions |\n|---|---|---:|---:|\n",
           GROWN_FROM, COUNTED_TO);
  for (int k = 0; k < GROWN_COUNT; ++k)
  {
    char text[2][LW_POLYNOMIAL_TEXT];
    lwPolynomial mul = fit_counts(counts->mul[k]), add = fit_counts(counts->add[k]);
    lw_polynomial_text(&mul, text[0], sizeof text[0]);
    lw_polynomial_text(&add, text[1], sizeof text[1]);
    if (GROWN[k].claim) page_measure(page, GROWN[k].claim, 2, (double[]){mul.degree, add.degree});
    if (k == INVERSE_PRINTED) page_fact(page, "1-19", "counted: %s, %s", text[0], text[1]);
    if (k == BIAS_PRINTED) page_fact(page, "1-19", "bias: %s, %s", text[0], text[1]);
    text_add(&note, "| %s | %s | %s | %s |\n", lw_question_info(GROWN[k].question)->name,
             GROWN[k].title, text[0], text[1]);
  }
  text_note(page, "growth", &note);
}

// The number of joints from which b needs fewer operations than a, as far as counted; 0: never.
static int cheaper_from(const GrowthCounts* counts, int a, int b)
{
  int from = 0;
  for (int n = COUNTED_TO; n >= GROWN_FROM; --n)
  {
    if (operations_at(counts, b, n) >= operations_at(counts, a, n)) break;
    from = n;
  }
  return from;
}

// Printed multiplications and additions of an algorithm at n, added up; NAN: nothing is printed.
static double printed_operations(const Grown* grown, double n)
{
  int index                = grown->method ? lw_method_find(grown->question, grown->method) : -1;
  const lwPrinted* printed = index < 0 ? NULL : &lw_method(index)->printed;
  double sum               = 0;
  if (!printed || !printed->source) return NAN;
  for (int power = 3; power >= 0; --power)
    sum = sum * n + printed->mul[power] + printed->add[power];
  return sum;
}

// --- crossovers

// Walker and Orin's forward dynamics by the formulas that Table 4 is made of (erratum 1-21).
static double composite_formula(Page* page, double n)
{
  static const char* const parts[] = {"crba-matrix", "crba-bias", "crba-system"};
  double sum                       = 0;
  for (int k = 0; k < 3; ++k)
  {
    double values[2];
    formula_at(page, parts[k], n, values);
    sum += values[0] + values[1];
  }
  return sum;
}

// The introduction: from how many bodies on ABA needs fewer operations than CRBA.
static void compare_bodies(Page* page, const GrowthCounts* counts)
{
  int by_formula = COUNTED_TO;
  while (by_formula > GROWN_FROM &&
         printed_operations(&GROWN[FORWARD_ARTICULATED], by_formula - 1) <
             composite_formula(page, by_formula - 1))
    --by_formula;
  page_measure(page, "crossover/articulated-body", 3,
               (double[]){cheaper_from(counts, FORWARD_COMPOSITE, FORWARD_ARTICULATED), by_formula,
                          cheaper_from(counts, FORWARD_WALKER_ORIN, FORWARD_ARTICULATED)});
}

// The title: up to how many joints GA needs fewer operations than ABA.
static void compare_gibbs_appell(Page* page, const GrowthCounts* counts)
{
  int by_formula = GROWN_FROM;
  while (printed_operations(&GROWN[FORWARD_GIBBS_APPELL], by_formula + 1) <
         printed_operations(&GROWN[FORWARD_ARTICULATED], by_formula + 1))
    ++by_formula;
  int from = cheaper_from(counts, FORWARD_GIBBS_APPELL, FORWARD_ARTICULATED);
  page_measure(page, "title/joints", 2, (double[]){by_formula, from > 0 ? from - 1 : COUNTED_TO});
}

enum
{
  COUNTED       = 1,                      // first column of the counted operations,
  PRINTED       = COUNTED + GROWN_COUNT,  // of the printed ones
  TABLE_COLUMNS = PRINTED + GROWN_COUNT
};

// Operations of all algorithms over n, counted and printed.
static PageSeries* tabulate_growth(Page* page, const GrowthCounts* counts)
{
  char names[GROWN_COUNT][PAGE_NAME];
  const char* columns[TABLE_COLUMNS] = {"n"};
  for (int k = 0; k < GROWN_COUNT; ++k)
  {
    snprintf(names[k], sizeof names[k], "%s_printed", GROWN[k].column);
    columns[COUNTED + k] = GROWN[k].column;
    columns[PRINTED + k] = names[k];
  }
  PageSeries* series = page_series(page, "operations", TABLE_COLUMNS, columns);
  for (int n = GROWN_FROM; n <= COUNTED_TO; ++n)
  {
    double row[TABLE_COLUMNS] = {n};
    for (int k = 0; k < GROWN_COUNT; ++k)
    {
      row[COUNTED + k] = (double)operations_at(counts, k, n);
      row[PRINTED + k] = printed_operations(&GROWN[k], n);
    }
    series_add(series, row);
  }
  return series;
}

// Lines for counted operations, points for printed ones.
static Panel growth_panel(const PageSeries* series, lwQuestion question, const char* title)
{
  Panel panel = {.title = title, .x_label = "joints", .y_label = "multiplications and additions"};
  for (int k = 0; k < GROWN_COUNT; ++k)
    if (GROWN[k].question == question)
      panel.curve[panel.count++] = (Curve){series, 0, COUNTED + k, GROWN[k].title, false};
  for (int k = 0; k < GROWN_COUNT; ++k)
    if (GROWN[k].question == question && !isnan(printed_operations(&GROWN[k], GROWN_FROM)))
      panel.curve[panel.count++] = (Curve){series, 0, PRINTED + k, GROWN[k].in_print, true};
  return panel;
}

void mata2002_growth(Page* page, const Chains* chains)
{
  GrowthCounts counts;
  count_grown(page, chains, &counts);
  find_polynomials(page, &counts);
  compare_bodies(page, &counts);
  compare_gibbs_appell(page, &counts);
  const PageSeries* series = tabulate_growth(page, &counts);
  if (!series) return;
  page_figure(page, "growth",
              &(Figure){"operations",
                        "Operations over the number of joints, for inverse dynamics, the inertia "
                        "matrix and forward dynamics: lines are counted, points are printed.",
                        3,
                        {growth_panel(series, LW_QUESTION_INVERSE, "inverse dynamics"),
                         growth_panel(series, LW_QUESTION_INERTIA, "inertia matrix"),
                         growth_panel(series, LW_QUESTION_FORWARD, "forward dynamics")}});
}
