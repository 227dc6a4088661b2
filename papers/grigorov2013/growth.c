// SPDX-License-Identifier: MIT
// Cost of (12) over the number of joints, counted and timed;
// and the introduction's statements about other methods.
#include <math.h>

#include "bench_states.h"
#include "grigorov2013.h"
#include "grigorov_literal.h"
#include "measure.h"
#include "report/polynomial.h"

enum
{
  LONGEST = 14,  // chains of 1 .. LONGEST joints give the polynomial
  FURTHER = 4
};

static const int FURTHER_JOINTS[FURTHER] = {17, 20, 24, 30};  // verify it

// --- counts

// What is counted on every chain.
enum
{
  LITERAL,  // (12) literally, in grigorov_literal.c
  CLOSED_INVERSE,
  CLOSED_INERTIA,
  NEWTON_EULER,
  ARTICULATED,
  COMPOSITE,
  WALKER_ORIN,
  COUNTED
};

typedef struct CountedTerm
{
  const char* column;
  const char* title;
  lwQuestion question;
  const char* method;  // of the registry; NULL: grigorov_literal.c
} CountedTerm;

static const CountedTerm COUNTED_METHODS[COUNTED] = {
    [LITERAL]        = {"ops_literal", "(12) literally, inverse", LW_QUESTION_INVERSE, NULL},
    [CLOSED_INVERSE] = {"ops_closed_form", "closed-form, inverse", LW_QUESTION_INVERSE,
                        "closed-form"},
    [CLOSED_INERTIA] = {"ops_closed_form_inertia", "closed-form, inertia", LW_QUESTION_INERTIA,
                        "closed-form"},
    [NEWTON_EULER]   = {"ops_newton_euler", "newton-euler, inverse", LW_QUESTION_INVERSE,
                        "newton-euler"},
    [ARTICULATED]    = {"ops_articulated_body", "articulated-body, forward", LW_QUESTION_FORWARD,
                        "articulated-body"},
    [COMPOSITE]      = {"ops_composite_body", "composite-body, inertia", LW_QUESTION_INERTIA,
                        "composite-body"},
    [WALKER_ORIN]    = {"ops_walker_orin_3", "walker-orin-3, inertia", LW_QUESTION_INERTIA,
                        "walker-orin-3"},
};

typedef struct ChainCounts
{
  lwCount of[LONGEST + FURTHER][COUNTED];
} ChainCounts;

static int chain_joints(int chain)
{
  return chain < LONGEST ? chain + 1 : FURTHER_JOINTS[chain - LONGEST];
}

static lwCount count_literal(Page* page, const lwModel* model)
{
  lwCount count       = {0};
  LiteralArm* literal = NULL;
  Ring ring           = {0};
  page_check(page, literal_create(lw_model_robot(model), 0, &literal));
  if (page->status == DONE && !ring_fill(&ring, model, 1)) page_check(page, LW_ERROR_MEMORY);
  if (page->status == DONE) count = literal_count(literal, &ring.states[0]);
  ring_free(&ring);
  literal_destroy(literal);
  return count;
}

static void count_methods(Page* page, int n, lwCount counts[COUNTED])
{
  lwModel* model = NULL;
  page_check(page, lw_model_create_generic(n, &model));
  for (int m = 0; m < COUNTED && page->status == DONE; ++m)
  {
    const CountedTerm* counted = &COUNTED_METHODS[m];
    if (!counted->method)
      counts[m] = count_literal(page, model);
    else
      page_check(page, lw_method_measure(model, lw_method_find(counted->question, counted->method),
                                         &counts[m]));
  }
  lw_model_destroy(model);
}

// The polynomial that fits all chains; degree -1: there is none.
static lwPolynomial fit_method(const ChainCounts* counts, int m, bool additions)
{
  long value[LONGEST + FURTHER];
  for (int i = 0; i < LONGEST + FURTHER; ++i)
    value[i] = additions ? counts->of[i][m].add : counts->of[i][m].mul;
  lwPolynomial polynomial = lw_polynomial_fit(1, LONGEST, value);
  for (int i = LONGEST; i < LONGEST + FURTHER; ++i)
    if (!lw_polynomial_meets(&polynomial, chain_joints(i), value[i])) polynomial.degree = -1;
  return polynomial;
}

static double method_operations(const ChainCounts* counts, int chain, int m)
{
  const lwCount* count = &counts->of[chain][m];
  return (double)(count->mul + count->add + count->div);
}

// d ln(operations) / d ln(n) between the neighbours of n.
static double local_order(const ChainCounts* counts, int n, int m)
{
  double ratio = method_operations(counts, n, m) /
                 method_operations(counts, n - 2, m);  // chain k has k + 1 joints
  return log(ratio) / log((n + 1.0) / (n - 1.0));
}

// --- order of growth

static void write_polynomials(Page* page, const ChainCounts* counts)
{
  PaperText lines = {0};
  text_add(&lines,
           "Operations of one evaluation, folded (arithmetic with constants, 0 and 1 is free), "
           "counted on "
           "generic arms of 1 to %d joints, verified up to %d:\n\n"
           "| method | multiplications | additions |\n|---|---|---|",
           LONGEST, FURTHER_JOINTS[FURTHER - 1]);
  for (int m = 0; m < COUNTED; ++m)
  {
    char mul[LW_POLYNOMIAL_TEXT], sum[LW_POLYNOMIAL_TEXT];
    lwPolynomial muls = fit_method(counts, m, false), sums = fit_method(counts, m, true);
    lw_polynomial_text(&muls, mul, sizeof mul);
    lw_polynomial_text(&sums, sum, sizeof sum);
    text_add(&lines, "\n| %s | %s | %s |", COUNTED_METHODS[m].title, mul, sum);
    if (m == LITERAL) page_fact(page, "4-13", "(12) as written takes M = %s, A = %s", mul, sum);
  }
  page_note(page, "growth", "%s", lines.at);
}

static void write_order(Page* page, const ChainCounts* counts)
{
  int n           = (int)page_number(page, "joints");
  double degree[] = {fit_method(counts, LITERAL, false).degree,
                     fit_method(counts, LITERAL, true).degree,
                     fit_method(counts, CLOSED_INVERSE, false).degree,
                     fit_method(counts, CLOSED_INERTIA, false).degree};
  page_measure(page, "growth/order", 4, degree);
  write_polynomials(page, counts);
  if (n < 2 || n >= LONGEST) return;
  page_note(
      page, "growth",
      "What \"close to\" may mean: around n = %d, the arm of the document, operations grow as "
      "n^%.2f with (12) as written and as n^%.2f in the library's closed form; around n = %d as "
      "n^%.2f and n^%.2f. At n = %d, (12) as written needs %.0f operations, the library's closed "
      "form %.0f, recursive Newton-Euler %.0f.",
      n, local_order(counts, n, LITERAL), local_order(counts, n, CLOSED_INVERSE), LONGEST - 1,
      local_order(counts, LONGEST - 1, LITERAL), local_order(counts, LONGEST - 1, CLOSED_INVERSE),
      n, method_operations(counts, n - 1, LITERAL),
      method_operations(counts, n - 1, CLOSED_INVERSE),
      method_operations(counts, n - 1, NEWTON_EULER));
}

static PageSeries* list_counts(Page* page, const ChainCounts* counts)
{
  const char* columns[COUNTED + 2] = {"n"};
  for (int m = 0; m < COUNTED; ++m) columns[m + 1] = COUNTED_METHODS[m].column;
  columns[COUNTED + 1] = "n_squared";
  PageSeries* series   = page_series(page, "growth", COUNTED + 2, columns);
  for (int i = 1; i < LONGEST + FURTHER; ++i)
  {
    double n                = chain_joints(i);
    double row[COUNTED + 2] = {n};
    for (int m = 0; m < COUNTED; ++m) row[m + 1] = method_operations(counts, i, m);
    row[COUNTED + 1] =
        method_operations(counts, 1, LITERAL) / 4 * n * n;  // through the literal count at n = 2
    series_add(series, row);
  }
  return series;
}

// --- time

enum
{
  TIMED = 2  // closed form, Newton-Euler
};

static const char* const TIMED_METHODS[TIMED] = {"closed-form", "newton-euler"};

static void time_chain(Page* page, int n, double ns[TIMED])
{
  lwModel* model           = NULL;
  BenchTrial trials[TIMED] = {{0}};
  BenchLimits limits       = {.seconds = page->quick ? 0.01 : 1, .call = 1};
  page_check(page, lw_model_create_generic(n, &model));
  for (int m = 0; m < TIMED; ++m)
    trials[m] = (BenchTrial){.model   = model,
                             .method  = lw_method_find(LW_QUESTION_INVERSE, TIMED_METHODS[m]),
                             .threads = 1};
  if (page->status == DONE) page_check(page, bench_run(&limits, TIMED, trials));
  for (int m = 0; m < TIMED; ++m) ns[m] = trials[m].best;
  lw_model_destroy(model);
}

static PageSeries* list_times(Page* page)
{
  static const int joints[]          = {2, 3, 5, 7, 10, 14, 20, 30};
  static const char* const columns[] = {"n", "ns_closed_form", "ns_newton_euler"};
  PageSeries* series                 = page_series(page, "time", TIMED + 1, columns);
  int arm                            = (int)page_number(page, "joints");
  for (size_t i = 0; i < sizeof joints / sizeof *joints && page->status == DONE; ++i)
  {
    double row[TIMED + 1] = {joints[i]};
    time_chain(page, joints[i], row + 1);
    series_add(series, row);
    if (joints[i] == arm)
      page_note(
          page, "growth",
          "Time: inverse dynamics of an arm with %d joints takes %.2g µs in closed form and %.2g "
          "µs "
          "by recursive Newton-Euler, one state per call on one core of the machine that made this "
          "page. Both are fast enough for real-time control; times are not part of a verdict.",
          arm, 1e-3 * row[1], 1e-3 * row[2]);
  }
  return series;
}

static void draw_growth(Page* page, const PageSeries* counts, const PageSeries* times)
{
  static const int shown[] = {LITERAL, CLOSED_INVERSE, CLOSED_INERTIA, NEWTON_EULER};
  Figure figure            = {.name    = "growth",
                              .caption = "Operations and time of one evaluation over the number of joints",
                              .count   = 2};
  Panel* panel             = &figure.panel[0];
  *panel                   = (Panel){.title   = "operations of one evaluation",
                                     .x_label = "number of joints n",
                                     .y_label = "multiplications and additions",
                                     .log_x   = true,
                                     .log_y   = true};
  for (size_t k = 0; k < sizeof shown / sizeof *shown; ++k)
    panel->curve[panel->count++] =
        (Curve){counts, 0, shown[k] + 1, COUNTED_METHODS[shown[k]].title, false};
  panel->curve[panel->count++] = (Curve){counts, 0, COUNTED + 1, "n^2, for comparison", false};
  figure.panel[1]              = (Panel){.title   = "time of one evaluation, inverse dynamics",
                                         .x_label = "number of joints n",
                                         .y_label = "time (ns)",
                                         .log_x   = true,
                                         .log_y   = true,
                                         .count   = TIMED};
  for (int m = 0; m < TIMED; ++m)
    figure.panel[1].curve[m] = (Curve){times, 0, m + 1, TIMED_METHODS[m], false};
  page_figure(page, "growth", &figure);
}

// --- the introduction's statements about other methods

static double compare_formulations(Page* page)
{
  lwModel* model     = NULL;
  lwWorkspace *usual = NULL, *other = NULL;
  Ring ring   = {0};
  double most = 0, truth[LONGEST], tau[LONGEST];
  page_check(page, lw_model_create_generic(LONGEST, &model));
  if (page->status == DONE) page_check(page, lw_workspace_create(model, NULL, NULL, &usual));
  if (page->status == DONE && !ring_fill(&ring, model, 5)) page_check(page, LW_ERROR_MEMORY);
  for (int m = 0; m < lw_method_count() && page->status == DONE; ++m)
  {
    lwWorkspaceDef def = lw_workspace_def();
    def.inverse        = lw_method(m)->name;
    if (lw_method(m)->question != LW_QUESTION_INVERSE) continue;
    page_check(page, lw_workspace_create(model, &def, NULL, &other));
    for (int k = 0; k < ring.count && page->status == DONE; ++k)
    {
      lw_answer(model, usual, LW_QUESTION_INVERSE, &ring.states[k], truth);
      lw_answer(model, other, LW_QUESTION_INVERSE, &ring.states[k], tau);
      most = fmax(most, relative_difference(LONGEST, truth, tau));
    }
    lw_workspace_destroy(other);
    other = NULL;
  }
  ring_free(&ring);
  lw_workspace_destroy(usual);
  lw_model_destroy(model);
  return most;
}

static void write_others(Page* page, const ChainCounts* counts)
{
  int n = (int)page_number(page, "joints-of-counts");
  page_measure_one(page, "others/silver", compare_formulations(page));
  page_measure_one(page, "others/featherstone-order",
                   fit_method(counts, ARTICULATED, false).degree);
  if (n < 1 || n > LONGEST) return;
  double composite = method_operations(counts, n - 1, COMPOSITE);
  double before    = method_operations(counts, n - 1, WALKER_ORIN);
  page_measure_one(page, "others/featherstone-inertia", 100 * (1 - composite / before));
  page_note(
      page, "others",
      "The inertia matrix of an arm with %d joints takes %.0f operations by composite bodies in "
      "link "
      "coordinates and %.0f by Walker and Orin's method 3, both as implemented in this library.",
      n, composite, before);
}

void write_growth(Page* page)
{
  ChainCounts counts = {0};
  for (int i = 0; i < LONGEST + FURTHER && page->status == DONE; ++i)
    count_methods(page, chain_joints(i), counts.of[i]);
  if (page->status != DONE) return;
  write_order(page, &counts);
  const PageSeries* counted = list_counts(page, &counts);
  const PageSeries* timed   = list_times(page);
  if (page->status == DONE) draw_growth(page, counted, timed);
  write_others(page, &counts);
}
