// SPDX-License-Identifier: MIT
// Sections III, IV and V of nia2005: the cost of every step, and the sum of the steps.
#include <stdio.h>
#include <string.h>

#include "costs.h"
#include "nia2005.h"

enum
{
  PATH_SIZE = 64
};

// A step that the document gives a count for: claims SECTION/NAME-mul and SECTION/NAME-add.
typedef struct StepRow
{
  const char* section;
  const char* name;
  int step;  // Step, or -1: the document does not say how it is done
} StepRow;

static const StepRow ROWS[] = {{"kane-steps", "v", STEP_V},
                               {"kane-steps", "omega", STEP_OMEGA},
                               {"kane-steps", "v-u", STEP_V_U},
                               {"kane-steps", "omega-u", STEP_OMEGA_U},
                               {"kane-steps", "v-q", STEP_V_Q},
                               {"kane-steps", "omega-q", STEP_OMEGA_Q},
                               {"kane-steps", "terms", STEP_TERMS},
                               {"kane-steps", "solve", STEP_SOLVE},
                               {"lagrange-steps", "inertia", STEP_INERTIA},
                               {"lagrange-steps", "bias", STEP_BIAS},
                               {"lagrange-steps", "jacobian", STEP_JACOBIAN},
                               {"lagrange-steps", "jacobian-dot", STEP_JACOBIAN_DOT},
                               {"lagrange-steps", "triangular", STEP_TRIANGULAR},
                               {"newton-euler-steps", "inertia", -1},
                               {"newton-euler-steps", "bias", -1}};

enum
{
  ROW_COUNT = sizeof ROWS / sizeof *ROWS
};

static void measure_step(Page* page, const StepRow* row, const Costs* costs)
{
  char path[PATH_SIZE];
  double powers[COSTS_POWERS];
  snprintf(path, sizeof path, "%s/%s-mul", row->section, row->name);
  costs_powers(&costs->mul, powers);
  page_measure(page, path, COSTS_POWERS, powers);
  snprintf(path, sizeof path, "%s/%s-add", row->section, row->name);
  costs_powers(&costs->add, powers);
  page_measure(page, path, COSTS_POWERS, powers);
}

// --- totals

// A method with its total as the document labels it.
typedef struct Total
{
  const char* section;
  const char* method;  // of the registry, where the labels are right
  bool swapped;        // the document has them the other way round
} Total;

static const Total TOTALS[] = {{"kane-steps", "kane", true},
                               {"lagrange-steps", "lagrange", false},
                               {"newton-euler-steps", "newton-euler", true}};

// Does the step belong to the method? Newton-Euler shares the last steps with Lagrange.
static bool belongs(const StepRow* row, const Total* total)
{
  bool shared = row->step >= STEP_JACOBIAN && !strcmp(total->method, "newton-euler");
  return shared || !strcmp(row->section, total->section);
}

// The sum of the printed counts of the steps of a method, "mul" or "add".
static void sum_steps(Page* page, const Total* total, const char* kind, double sum[COSTS_POWERS])
{
  for (int i = 0; i < ROW_COUNT; ++i)
  {
    char path[PATH_SIZE];
    if (!belongs(&ROWS[i], total)) continue;
    snprintf(path, sizeof path, "%s/%s-%s", ROWS[i].section, ROWS[i].name, kind);
    Values printed = page_printed(page, path);
    for (int k = 0; k < printed.count && k < COSTS_POWERS; ++k) sum[k] += printed.at[k];
  }
}

// What Kane's equations take beside the listed steps: F - N omega and phi_i = theta_i+1 - theta_i.
static void add_unlisted(const Costs costs[STEP_COUNT], bool mul, double sum[COSTS_POWERS])
{
  static const PrintedStep unlisted[] = {STEP_PRODUCT, STEP_PHI};
  for (int i = 0; i < 2; ++i)
  {
    double powers[COSTS_POWERS];
    costs_powers(mul ? &costs[unlisted[i]].mul : &costs[unlisted[i]].add, powers);
    for (int k = 0; k < COSTS_POWERS; ++k) sum[k] += powers[k];
  }
}

// A polynomial from its coefficients of n^3 .. 1.
static void powers_text(const double powers[COSTS_POWERS], char text[LW_POLYNOMIAL_TEXT])
{
  double coefficient[COSTS_POWERS];
  for (int k = 0; k < COSTS_POWERS; ++k) coefficient[k] = powers[COSTS_POWERS - 1 - k];
  lwPolynomial polynomial = lw_polynomial_from(coefficient);
  lw_polynomial_text(&polynomial, text, LW_POLYNOMIAL_TEXT);
}

// Errata 0-7 to 0-9: what the printed steps add up to.
static void note_sums(Page* page, const Costs costs[STEP_COUNT])
{
  double mul[3][COSTS_POWERS] = {{0}}, add[3][COSTS_POWERS] = {{0}}, rest[COSTS_POWERS];
  char text[3][LW_POLYNOMIAL_TEXT];
  for (int i = 0; i < 3; ++i)
  {
    sum_steps(page, &TOTALS[i], "mul", mul[i]);
    sum_steps(page, &TOTALS[i], "add", add[i]);
  }
  const lwPrinted* kane = &lw_snake_method(lw_snake_method_find("kane"))->printed;
  powers_text(mul[0], text[0]);
  lw_polynomial_text(&costs[STEP_PRODUCT].mul, text[1], sizeof text[1]);
  add_unlisted(costs, true, mul[0]);
  for (int k = 0; k < COSTS_POWERS; ++k) rest[k] = kane->mul[COSTS_POWERS - 1 - k] - mul[0][k];
  powers_text(rest, text[2]);
  page_fact(page, "0-7",
            "the steps add up to M = %s, and F - N omega takes %s more: %s are unexplained",
            text[0], text[1], text[2]);
  page_fact(page, "0-8", "the steps give %.0f and %.0f", mul[1][COSTS_POWERS - 1],
            add[1][COSTS_POWERS - 1]);
  page_fact(page, "0-9", "the steps give %.0f", add[2][COSTS_POWERS - 1]);
  powers_text(add[0], text[0]);
  page_fact(page, "0-18", "the steps %s, with F - N omega and phi_i", text[0]);
}

// The total as printed, with its labels put right, and the sum of the steps that it should be.
static void measure_total(Page* page, const Total* total, const Costs costs[STEP_COUNT], bool mul)
{
  const lwPrinted* printed  = &lw_snake_method(lw_snake_method_find(total->method))->printed;
  const double* right       = mul ? printed->mul : printed->add;
  const double* coefficient = mul != total->swapped ? printed->mul : printed->add;
  const char* kind          = mul ? "mul" : "add";
  double labelled[COSTS_POWERS], corrected[COSTS_POWERS], sum[COSTS_POWERS] = {0};
  char path[PATH_SIZE];
  for (int k = 0; k < COSTS_POWERS; ++k)
  {
    labelled[k]  = coefficient[COSTS_POWERS - 1 - k];
    corrected[k] = right[COSTS_POWERS - 1 - k];
  }
  sum_steps(page, total, kind, sum);
  if (!strcmp(total->method, "kane")) add_unlisted(costs, mul, sum);
  snprintf(path, sizeof path, "%s/total-%s", total->section, kind);
  page_print(page, path, COSTS_POWERS, labelled);
  if (total->swapped) page_correct(page, path, COSTS_POWERS, corrected);
  page_measure(page, path, COSTS_POWERS, sum);
}

// --- Newton-Euler: Walker and Orin's spatial chains of n joints

static int chain_costs(Page* page, lwQuestion question, const char* method, Costs* costs)
{
  lwCount counts[COSTS_SNAKES] = {{0}};
  int index                    = lw_method_find(question, method);
  for (int i = 0; i < COSTS_SNAKES && page->status == DONE; ++i)
  {
    lwModel* model;
    if (page_check(page, lw_model_create_generic(COSTS_FEWEST + i, &model)) != DONE) break;
    page_check(page, lw_method_measure(model, index, &counts[i]));
    lw_model_destroy(model);
  }
  *costs = costs_fit(counts);
  return page->status;
}

static void measure_walker_orin(Page* page)
{
  static const StepRow inertia = {"newton-euler-steps", "inertia", -1};
  static const StepRow bias    = {"newton-euler-steps", "bias", -1};
  Costs costs;
  if (chain_costs(page, LW_QUESTION_INERTIA, "walker-orin-3", &costs) == DONE)
    measure_step(page, &inertia, &costs);
  if (chain_costs(page, LW_QUESTION_INVERSE, "newton-euler", &costs) == DONE)
    measure_step(page, &bias, &costs);
}

// Errata 0-7 and 0-18: what the equations take when run, and what the printed steps add up to.
static void note_literal(Page* page, const Costs costs[STEP_COUNT])
{
  Costs run = costs_sum(costs, STEP_INERTIA);  // all of Kane's
  char mul[LW_POLYNOMIAL_TEXT], add[LW_POLYNOMIAL_TEXT];
  lw_polynomial_text(&run.mul, mul, sizeof mul);
  lw_polynomial_text(&run.add, add, sizeof add);
  page_fact(page, "0-7", "run literally they take M = %s, A = %s", mul, add);
  lw_polynomial_text(&costs[STEP_PRODUCT].add, mul, sizeof mul);
  lw_polynomial_text(&costs[STEP_PHI].add, add, sizeof add);
  page_fact(page, "0-18", "F - N omega takes %s additions, phi %s", mul, add);
}

void nia2005_steps(Page* page)
{
  Costs costs[STEP_COUNT];
  page_progress(page, "operations of every step");
  if (costs_of_steps(page, costs) != DONE) return;
  for (int i = 0; i < ROW_COUNT; ++i)
    if (ROWS[i].step >= 0) measure_step(page, &ROWS[i], &costs[ROWS[i].step]);
  measure_walker_orin(page);
  for (int i = 0; i < 3; ++i)
  {
    measure_total(page, &TOTALS[i], costs, true);
    measure_total(page, &TOTALS[i], costs, false);
  }
  char mul[LW_POLYNOMIAL_TEXT], add[LW_POLYNOMIAL_TEXT], div[LW_POLYNOMIAL_TEXT];
  lw_polynomial_text(&costs[STEP_PRODUCT].mul, mul, sizeof mul);
  lw_polynomial_text(&costs[STEP_PRODUCT].add, add, sizeof add);
  page_note(page, "kane-steps",
            "No step of the list contains the right side F - N omega of (8), which takes %s "
            "multiplications and %s additions, and none the relative angles phi_i = theta_i+1 - "
            "theta_i, which take n - 1 additions. With both, the printed steps give the printed "
            "additions exactly; the printed multiplications are n + 21 more than that.",
            mul, add);
  note_sums(page, costs);
  note_literal(page, costs);
  lw_polynomial_text(&costs[STEP_TRIANGULAR].div, div, sizeof div);
  page_note(page, "lagrange-steps",
            "The solution of (27) also takes %s divisions, which the document does not count.",
            div);
}
