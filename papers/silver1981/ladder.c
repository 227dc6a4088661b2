// SPDX-License-Identifier: MIT
// Sections 1.2 to 1.4 of the memo: counted operations of each rung of the ladder.
#include <math.h>
#include <stdio.h>

#include "formulations.h"
#include "report/polynomial.h"
#include "silver1981.h"

enum
{
  LONGEST    = 14,  // chains of 1 .. LONGEST joints give the polynomials
  FURTHER    = 2,   // longer ones verify them
  CHAINS     = LONGEST + FURTHER,
  LUH        = RUNG_COUNT,      // as written in 1979, in addition to the library's newton-euler
  SUMS       = RUNG_COUNT + 1,  // (3.12) without recursion
  RUNS       = RUNG_COUNT + 2,
  COLUMNS    = 1 + RUNS + RUNG_COUNT,
  NOTE_BYTES = 4096
};

static const int FURTHER_JOINTS[FURTHER] = {17, 24};

// One series of counts over the number of joints.
typedef struct LadderCounts
{
  lwCount at[RUNS][CHAINS];  // of LUH and SUMS only those executed
} LadderCounts;

static int rung_joints(int chain)
{
  return chain < LONGEST ? chain + 1 : FURTHER_JOINTS[chain - LONGEST];
}

static long executed(const lwCount* count)
{
  return count->executed_mul + count->executed_add;
}

static long folded(const lwCount* count)
{
  return count->mul + count->add;
}

// --- counting

// The rungs, on the chain that all counts use.
static void count_rungs(Page* page, LadderCounts* counts, int chain)
{
  lwModel* model = NULL;
  page_check(page, lw_model_create_generic(rung_joints(chain), &model));
  for (int r = 0; r < RUNG_COUNT && page->status == DONE; ++r)
    page_check(page, lw_method_measure(model, lw_method_find(LW_QUESTION_INVERSE, RUNGS[r]),
                                       &counts->at[r][chain]));
  lw_model_destroy(model);
}

// The others, on any revolute arm with as many joints: their operations do not depend on the arm.
static void count_arm(Page* page, LadderCounts* counts, int chain)
{
  Arm arm;
  FormulationTally luh, sums;
  double tau[ARM_JOINTS];
  lwRandom random = {(uint64_t)page_number(page, "seed")};
  arm_random(&arm, &random, rung_joints(chain), ARM_REVOLUTE);
  luh_torques(&arm, LUH_BASE_UP, tau, &luh);
  direct_torques(&arm, tau, &sums);
  counts->at[LUH][chain]  = (lwCount){.executed_mul = luh.mul, .executed_add = luh.add};
  counts->at[SUMS][chain] = (lwCount){.executed_mul = sums.mul, .executed_add = sums.add};
}

static PageSeries* make_series(Page* page, const LadderCounts* counts)
{
  static const char* const columns[COLUMNS] = {
      "n",
      "uicker_kahn",
      "hollerbach_4x4",
      "hollerbach_3x3",
      "lagrange_omega",
      "newton_euler",
      "luh",
      "omega_sums",
      "folded_uicker_kahn",
      "folded_hollerbach_4x4",
      "folded_hollerbach_3x3",
      "folded_lagrange_omega",
      "folded_newton_euler",
  };
  PageSeries* series = page_series(page, "operations", COLUMNS, columns);
  for (int c = 0; c < CHAINS && series; ++c)
  {
    double row[COLUMNS] = {rung_joints(c)};
    for (int r = 0; r < RUNS; ++r) row[1 + r] = (double)executed(&counts->at[r][c]);
    for (int r = 0; r < RUNG_COUNT; ++r) row[1 + RUNS + r] = (double)folded(&counts->at[r][c]);
    series_add(series, row);
  }
  return series;
}

// --- claims at six links

static void measure_counts(Page* page, const lwCount six[RUNS], double cited[RUNS])
{
  static const struct
  {
    const char* claim;
    int run;
    bool registry;  // holds what is printed
  } rows[]             = {{"counts/uicker-kahn", RUNG_DIRECT, false},
                          {"counts/hollerbach-4x4", RUNG_4X4, true},
                          {"counts/hollerbach-3x3", RUNG_3X3, true},
                          {"counts/luh", LUH, true}};
  const double n       = page_number(page, "links");
  const int rows_count = sizeof rows / sizeof *rows;
  for (int k = 0; k < rows_count; ++k)
  {
    const lwCount* count = &six[rows[k].run];
    const double ours[]  = {(double)count->executed_mul, (double)count->executed_add};
    double printed[2]    = {NAN, NAN};
    if (rows[k].registry)
    {
      page_registry(page, rows[k].claim, n, printed);
      page_print(page, rows[k].claim, 2, printed);
    }
    Values values      = page_printed(page, rows[k].claim);
    cited[rows[k].run] = values.count == 2 ? values.at[0] + values.at[1] : NAN;
    page_measure(page, rows[k].claim, 2, ours);
  }
  page_measure_one(page, "direct/operations", (double)executed(&six[RUNG_DIRECT]));
}

// The memo's factors, from the counts that it cites and from ours.
static void measure_ratios(Page* page, const lwCount six[RUNS], const double cited[RUNS])
{
  static const struct
  {
    const char* claim;
    int more, fewer;
  } rows[] = {{"recursion-left", RUNG_4X4, LUH},
              {"recursion-gain", RUNG_DIRECT, RUNG_4X4},
              {"rotation-gain", RUNG_4X4, RUNG_3X3},
              {"rotation-left", RUNG_3X3, LUH}};
  double ours[sizeof rows / sizeof *rows];
  for (int k = 0; k < (int)(sizeof rows / sizeof *rows); ++k)
  {
    char claim[PAGE_NAME];
    snprintf(claim, sizeof claim, "cited/%s", rows[k].claim);
    page_measure_one(page, claim, cited[rows[k].more] / cited[rows[k].fewer]);
    ours[k] = (double)executed(&six[rows[k].more]) / (double)executed(&six[rows[k].fewer]);
  }
  page_note(page, "executed",
            "The factors above, from the operations that linkwork executes: recursion with 4x4 "
            "matrices / Luh's %.3g, direct evaluation / recursion %.3g, 4x4 / 3x3 matrices %.3g, "
            "3x3 matrices / Luh's %.3g. The second is larger than the memo's because our direct "
            "evaluation takes more operations than the cited one, and our recursion fewer.",
            ours[0], ours[1], ours[2], ours[3]);
  page_measure_one(page, "executed/omega-left",
                   (double)executed(&six[RUNG_OMEGA]) / (double)executed(&six[LUH]));
}

// The abstract's two factors, each with and without the other.
static void measure_factors(Page* page, const lwCount six[RUNS])
{
  double direct = (double)executed(&six[RUNG_DIRECT]), matrices = (double)executed(&six[RUNG_3X3]);
  double sums = (double)executed(&six[SUMS]), luh = (double)executed(&six[LUH]);
  const double gains[] = {direct / matrices, sums / luh, direct / sums, matrices / luh};
  page_measure(page, "factors/gain", 4, gains);
  page_note(page, "factors",
            "| operations, 6 links | Ẇ | ω |\n|---|---:|---:|\n"
            "| sums as printed | %.0f | %.0f |\n| recursion | %.0f | %.0f |",
            direct, sums, matrices, luh);
}

// The factors when products with zeros and ones do not count.
static void note_folded(Page* page, const lwCount six[RUNS])
{
  double ne = (double)folded(&six[RUNG_NEWTON_EULER]);
  page_note(
      page, "executed",
      "Much of this is multiplication by the zeros and ones of 4x4 matrices. Where these are "
      "free, as in code generated for one arm, the direct evaluation takes %ld "
      "operations, the recursion with 4x4 matrices %ld, with 3x3 matrices %ld, with the "
      "angular velocity %ld, and `newton-euler` %ld: factors of %.3g, %.3g, %.3g, %.3g and 1. "
      "The step from 4x4 to 3x3 matrices then saves almost nothing; recursion and angular velocity "
      "remain as the causes, which is the memo's point.",
      folded(&six[RUNG_DIRECT]), folded(&six[RUNG_4X4]), folded(&six[RUNG_3X3]),
      folded(&six[RUNG_OMEGA]), folded(&six[RUNG_NEWTON_EULER]),
      (double)folded(&six[RUNG_DIRECT]) / ne, (double)folded(&six[RUNG_4X4]) / ne,
      (double)folded(&six[RUNG_3X3]) / ne, (double)folded(&six[RUNG_OMEGA]) / ne);
}

// --- growth

// The polynomial that fits the executed operations exactly; none if a longer chain does not agree.
static lwPolynomial fit_executed(const lwCount* counts, bool additions)
{
  long value[CHAINS];
  for (int c = 0; c < CHAINS; ++c)
    value[c] = additions ? counts[c].executed_add : counts[c].executed_mul;
  lwPolynomial polynomial = lw_polynomial_fit(1, LONGEST, value);
  for (int c = LONGEST; c < CHAINS; ++c)
    if (!lw_polynomial_meets(&polynomial, rung_joints(c), value[c])) polynomial.degree = -1;
  return polynomial;
}

static void measure_growth(Page* page, const LadderCounts* counts)
{
  static const struct
  {
    const char* claim;  // or NULL: the memo says nothing
    const char* title;
  } rows[RUNS] = {{"growth/uicker-kahn", "`lagrange-uicker-kahn`"},
                  {"growth/hollerbach-4x4", "`lagrange-hollerbach-4x4`"},
                  {"growth/hollerbach-3x3", "`lagrange-hollerbach-3x3`"},
                  {"growth/lagrange-omega", "`lagrange-omega`"},
                  {"growth/newton-euler", "`newton-euler`"},
                  {"growth/luh", "Luh's as written in 1979"},
                  {NULL, "(3.12) with its sums as printed"}};
  char table[NOTE_BYTES];
  size_t used = (size_t)snprintf(table, sizeof table,
                                 "| formulation | multiplications | additions |\n|---|---|---|");
  for (int r = 0; r < RUNS; ++r)
  {
    lwPolynomial mul = fit_executed(counts->at[r], false), add = fit_executed(counts->at[r], true);
    char mul_text[LW_POLYNOMIAL_TEXT], add_text[LW_POLYNOMIAL_TEXT];
    lw_polynomial_text(&mul, mul_text, sizeof mul_text);
    lw_polynomial_text(&add, add_text, sizeof add_text);
    if (rows[r].claim)
      page_measure(page, rows[r].claim, 2, (const double[]){mul.degree, add.degree});
    used += (size_t)snprintf(table + used, sizeof table - used, "\n| %s | %s | %s |", rows[r].title,
                             mul_text, add_text);
  }
  page_note(page, "growth", "%s", table);
}

PageSeries* silver_ladder(Page* page)
{
  LadderCounts counts = {{{{0}}}};
  double cited[RUNS];
  lwCount six[RUNS];
  page_progress(page, "operations");
  for (int c = 0; c < CHAINS && page->status == DONE; ++c)
  {
    count_rungs(page, &counts, c);
    count_arm(page, &counts, c);
  }
  if (page->status != DONE) return NULL;
  for (int r = 0; r < RUNS; ++r) six[r] = counts.at[r][(int)page_number(page, "links") - 1];
  measure_counts(page, six, cited);
  measure_ratios(page, six, cited);
  measure_factors(page, six);
  note_folded(page, six);
  measure_growth(page, &counts);
  return make_series(page, &counts);
}
