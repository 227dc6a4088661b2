// SPDX-License-Identifier: MIT
// Operation counts: the expressions of section 4 one by one, and Tables 1 to 4.
#include <math.h>
#include <string.h>

#include "mata2002.h"
#include "words.h"

enum
{
  JOINTS = 6  // the tables have numbers for this many
};

// --- counting

Operations kernel_operations(Page* page, const Chains* chains, int n, lwQuestion question,
                             const char* method)
{
  lwCount count = {0};
  int index     = lw_method_find(question, method);
  page_check(page, index < 0 ? LW_ERROR_METHOD : LW_OK);
  if (page->status != DONE) return (Operations){0};
  page_check(page, lw_method_measure(chains->chain[n], index, &count));
  return (Operations){count.mul + count.div + count.sqrt, count.add};
}

Literal literal_of(Page* page, const Chains* chains, int n, LiteralKind kind)
{
  Literal literal = {0};
  if (page->status == DONE) page_check(page, literal_run(kind, chains->chain[n], &literal));
  return literal;
}

static void measure_operations(Page* page, const char* claim, Operations operations)
{
  page_measure(page, claim, 2, (double[]){(double)operations.mul, (double)operations.add});
}

static Operations operations_sum(Operations a, Operations b)
{
  return (Operations){a.mul + b.mul, a.add + b.add};
}

// --- expressions one by one

static const char* const INVERSE_CLAIMS[INVERSE_STEPS] = {
    [INVERSE_OMEGA_TURNED] = "steps-inverse/omega-turned",
    [INVERSE_OMEGA]        = "steps-inverse/omega",
    [INVERSE_OMEGA_DOT]    = "steps-inverse/omega-dot",
    [INVERSE_TENSOR]       = "steps-inverse/tensor",
    [INVERSE_ORIGIN]       = "steps-inverse/origin",
    [INVERSE_CENTRE]       = "steps-inverse/centre",
    [INVERSE_FORCE]        = "steps-inverse/force",
    [INVERSE_MOMENT]       = "steps-inverse/moment",
    [INVERSE_PHI]          = "steps-inverse/phi",
    [INVERSE_CHI]          = "steps-inverse/chi",
};

static const char* const INERTIA_CLAIMS[INERTIA_STEPS] = {
    [INERTIA_ARM]        = "steps-inertia/arm",
    [INERTIA_ARM_SUM]    = "steps-inertia/arm-sum",
    [INERTIA_AXIS_FIRST] = "steps-inertia/axis-first",
    [INERTIA_AXIS]       = "steps-inertia/axis",
    [INERTIA_PHI_TURNED] = "steps-inertia/phi-turned",
    [INERTIA_PHI]        = "steps-inertia/phi",
    [INERTIA_PSI]        = "steps-inertia/psi",
    [INERTIA_PSI_FIRST]  = "steps-inertia/psi-first",
    [INERTIA_ENTRY]      = "steps-inertia/entry",
};

// How often the loops of section 4.2 evaluate an expression.
static long times_done(InertiaStep step, long n)
{
  const long times[INERTIA_STEPS] = {
      [INERTIA_ARM]        = n * (n - 1) / 2,
      [INERTIA_ARM_SUM]    = (n - 1) * (n - 2) / 2,
      [INERTIA_AXIS_FIRST] = n - 1,
      [INERTIA_AXIS]       = (n - 1) * (n - 2) / 2,
      [INERTIA_PHI_TURNED] = n - 1,
      [INERTIA_PHI]        = n - 1,
      [INERTIA_PSI]        = n - 2,
      [INERTIA_PSI_FIRST]  = 1,
      [INERTIA_ENTRY]      = n * (n - 1) / 2,
  };
  return times[step];
}

// The sum of the printed counts of all expressions, each times the number of its loop passes.
static void sum_printed_steps(Page* page, const char* const* claims, int count, long n,
                              double sums[2])
{
  sums[0] = sums[1] = 0;
  for (int k = 0; k < count; ++k)
  {
    Values printed = page_printed(page, claims[k]);
    long times     = claims == INERTIA_CLAIMS ? times_done((InertiaStep)k, n) : 1;
    for (int c = 0; c < 2 && printed.count == 2; ++c) sums[c] += (double)times * printed.at[c];
  }
}

void mata2002_steps(Page* page, const Chains* chains)
{
  double sums[2];
  Literal inverse = literal_of(page, chains, JOINTS, LITERAL_INVERSE);
  Literal inertia = literal_of(page, chains, JOINTS, LITERAL_INERTIA);
  for (int k = 0; k < INVERSE_STEPS; ++k)
    measure_operations(page, INVERSE_CLAIMS[k], inverse.each[k]);
  for (int k = 0; k < INERTIA_STEPS; ++k)
    measure_operations(page, INERTIA_CLAIMS[k], inertia.each[k]);
  Values printed   = page_printed(page, INERTIA_CLAIMS[INERTIA_ARM]);
  Operations first = inertia.each[INERTIA_ARM_FIRST];
  if (printed.count == 2 && first.add == 0)
    page_fact(page, "1-14", "%ld multiplications, not %.0f and %.0f additions", first.mul,
              printed.at[0], printed.at[1]);
  if (inertia.each[INERTIA_AXIS_FIRST].add == 0)
    page_fact(page, "1-15", "%ld multiplications per joint", inertia.each[INERTIA_AXIS_FIRST].mul);

  sum_printed_steps(page, INERTIA_CLAIMS, INERTIA_STEPS, JOINTS, sums);
  page_measure(page, "table-2/step-sum", 2, sums);
  sum_printed_steps(page, INVERSE_CLAIMS, INVERSE_STEPS, JOINTS, sums);
  page_measure(page, "table-1/step-sum", 2, sums);
}

// --- equations: do they hold?

static void check_equations(Page* page, const Chains* chains)
{
  static const struct
  {
    const char* claim;
    LiteralKind kind;
  } equations[] = {
      {"equations/gibbs", LITERAL_GIBBS},       {"equations/hessian", LITERAL_HESSIAN},
      {"equations/recursion", LITERAL_INVERSE}, {"equations/bias", LITERAL_BIAS},
      {"equations/sum-22", LITERAL_SUM_22},     {"equations/inertia", LITERAL_INERTIA},
  };
  for (size_t k = 0; k < sizeof equations / sizeof *equations; ++k)
    page_measure_one(page, equations[k].claim,
                     literal_of(page, chains, JOINTS, equations[k].kind).error);
  Literal gravity = literal_of(page, chains, JOINTS, LITERAL_INVERSE_WRONG);
  Literal matrix  = literal_of(page, chains, JOINTS, LITERAL_SUM_22_WRONG);
  page_fact(page, "1-6", "costs %.4g times the gravity torques", gravity.error / gravity.gravity);
  page_fact(page, "1-11", "costs %.2g of the largest entry", matrix.error);
  page_note(page, "equations",
            "As printed, step 1 of 4.1 gives torques that are wrong by %.4g times the gravity "
            "torques, and (22) a matrix that is wrong by %.3g of its largest entry.",
            gravity.error / gravity.gravity, matrix.error);
}

// --- Tables 1 to 4: formulas

void formula_at(Page* page, const char* datum, double n, double values[2])
{
  Values c  = page_data(page, datum);
  values[0] = values[1] = NAN;
  for (int k = 0; k < 2 && c.count == 8; ++k)
  {
    const double* of = c.at + (ptrdiff_t)4 * k;
    values[k]        = of[0] + n * (of[1] + n * (of[2] + n * of[3]));
  }
}

// The number in brackets against the formula beside it, from the registry or from `data`.
static void check_formula(Page* page, const char* claim, const char* datum)
{
  double values[2];
  if (datum)
    formula_at(page, datum, JOINTS, values);
  else
    page_registry(page, claim, JOINTS, values);
  page_measure(page, claim, 2, values);
}

static void check_formulas(Page* page)
{
  static const struct
  {
    const char *claim, *datum;
  } formulas[] = {
      {"table-1/luh", NULL},
      {"table-1/angeles", NULL},
      {"table-1/balafoutis", "balafoutis"},
      {"table-1/this-work", NULL},
      {"table-2/walker-orin", NULL},
      {"table-2/angeles-ma", NULL},
      {"table-2/this-work", NULL},
      {"table-3/matrix", NULL},
      {"table-3/bias", "bias"},
      {"table-3/cholesky", "cholesky"},
      {"table-3/system", "system"},
      {"table-4/articulated-body", NULL},
      {"table-4/this-work", NULL},
  };
  for (size_t k = 0; k < sizeof formulas / sizeof *formulas; ++k)
    check_formula(page, formulas[k].claim, formulas[k].datum);
}

// The sum of the printed numbers of other claims.
static void measure_sum(Page* page, const char* claim, int count, const char* const* parts)
{
  double sums[2] = {0, 0};
  for (int k = 0; k < count; ++k)
  {
    Values printed = page_printed(page, parts[k]);
    for (int c = 0; c < 2 && printed.count == 2; ++c) sums[c] += printed.at[c];
  }
  page_measure(page, claim, 2, sums);
}

// Walker and Orin's row of Table 4: inertia matrix and bias as nia2005 prints
// them, factorisation and solution.
static void measure_composite_body(Page* page)
{
  static const char* const parts[] = {"crba-matrix", "crba-bias", "crba-system"};
  double sums[2]                   = {0, 0}, values[3][2];
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
  {
    formula_at(page, parts[k], JOINTS, values[k]);
    for (int c = 0; c < 2; ++c) sums[c] += values[k][c];
  }
  page_measure(page, "table-4/walker-orin", 2, sums);
  page_fact(page, "1-21", "%.0f + %.0f + %.0f = %.0f and %.0f + %.0f + %.0f = %.0f", values[0][0],
            values[1][0], values[2][0], sums[0], values[0][1], values[1][1], values[2][1], sums[1]);
  page_note(page, "table-4",
            "Walker and Orin: %.0f + %.0f + %.0f = %.0f multiplications and %.0f + %.0f + %.0f = "
            "%.0f additions.",
            values[0][0], values[1][0], values[2][0], sums[0], values[0][1], values[1][1],
            values[2][1], sums[1]);
}

static void check_sums(Page* page)
{
  static const char* const total[] = {"table-3/matrix", "table-3/bias", "table-3/cholesky",
                                      "table-3/system"};
  static const char* const noc[]   = {"table-2/angeles-ma", "table-1/angeles", "table-3/cholesky",
                                      "table-3/system"};
  measure_sum(page, "table-3/total", 4, total);
  measure_composite_body(page);
  measure_sum(page, "table-4/angeles-ma", 4, noc);
}

// --- Tables 1 to 4: counted

// Enters as printed the growth of the registry's formula from n - 1 to n joints.
static void print_growth(Page* page, const char* claim, int n)
{
  double at[2], before[2];
  page_registry(page, claim, n, at);
  page_registry(page, claim, n - 1, before);
  page_print(page, claim, 2, (double[]){at[0] - before[0], at[1] - before[1]});
}

// Coefficients of n^2: half the second differences of what the registry prints,
// and of what is counted.
static void compare_squares(Page* page, const Chains* chains, const char* claim)
{
  double printed[2], measured[2];
  double formula[3][2];
  Operations counted[3];
  for (int k = 0; k < 3; ++k)
  {
    page_registry(page, claim, JOINTS - 1 + k, formula[k]);
    counted[k] = literal_of(page, chains, JOINTS - 1 + k, LITERAL_INERTIA).all;
  }
  for (int c = 0; c < 2; ++c) printed[c] = (formula[0][c] - 2 * formula[1][c] + formula[2][c]) / 2;
  measured[0] = (double)(counted[0].mul - 2 * counted[1].mul + counted[2].mul) / 2;
  measured[1] = (double)(counted[0].add - 2 * counted[1].add + counted[2].add) / 2;
  page_print(page, claim, 2, printed);
  page_measure(page, claim, 2, measured);
}

// The kernels of the library in a row of a note: they are other implementations, so their counts
// are no test of the printed ones.
typedef struct Kernel
{
  const char* section;
  lwQuestion question;
  const char* method;
} Kernel;

static const Kernel KERNELS[] = {
    {"table-1-counted", LW_QUESTION_INVERSE, "newton-euler"},
    {"table-1-counted", LW_QUESTION_INVERSE, "kane"},
    {"table-1-counted", LW_QUESTION_INVERSE, "gibbs-appell"},
    {"table-2-counted", LW_QUESTION_INERTIA, "walker-orin-3"},
    {"table-2-counted", LW_QUESTION_INERTIA, "composite-body"},
    {"table-2-counted", LW_QUESTION_INERTIA, "orthogonal-complement"},
    {"table-2-counted", LW_QUESTION_INERTIA, "gibbs-appell"},
    {"table-4-counted", LW_QUESTION_FORWARD, "walker-orin-3"},
    {"table-4-counted", LW_QUESTION_FORWARD, "composite-body"},
    {"table-4-counted", LW_QUESTION_FORWARD, "articulated-body"},
    {"table-4-counted", LW_QUESTION_FORWARD, "orthogonal-complement"},
    {"table-4-counted", LW_QUESTION_FORWARD, "gibbs-appell"},
};

static void note_kernels(Page* page, const Chains* chains, const char* section)
{
  PaperText note = {0};
  text_add(&note,
           "The library's kernels for six joints, which implement the same methods in another "
           "form:\n\n| kernel | multiplications | additions |\n|---|---:|---:|\n");
  for (size_t k = 0; k < sizeof KERNELS / sizeof *KERNELS; ++k)
  {
    if (strcmp(KERNELS[k].section, section) != 0) continue;
    Operations all =
        kernel_operations(page, chains, JOINTS, KERNELS[k].question, KERNELS[k].method);
    text_add(&note, "| `%s` | %ld | %ld |\n", KERNELS[k].method, all.mul, all.add);
  }
  text_note(page, section, &note);
}

// Section 5.1 solves by Gauss-Jordan elimination, Table 3 counts Cholesky's method.
static void note_elimination(Page* page, const Chains* chains, Operations cholesky)
{
  Literal elimination = {0};
  if (page->status == DONE)
    page_check(page, literal_gauss_jordan(chains->chain[JOINTS], &elimination));
  page_require(page, "residual of Gauss-Jordan elimination", elimination.error, 1e-12);
  page_note(page, "table-3-counted",
            "Section 5.1 solves by Gauss-Jordan elimination instead. With one right-hand side and "
            "six joints it takes %ld multiplications and divisions and %ld additions, against %ld "
            "and %ld of Cholesky's decomposition with both substitutions.",
            elimination.all.mul, elimination.all.add, cholesky.mul, cholesky.add);
}

static void count_literals(Page* page, const Chains* chains)
{
  Literal inverse = literal_of(page, chains, JOINTS, LITERAL_INVERSE);
  Literal before  = literal_of(page, chains, JOINTS - 1, LITERAL_INVERSE);
  Literal matrix  = literal_of(page, chains, JOINTS, LITERAL_INERTIA);
  Literal bias    = literal_of(page, chains, JOINTS, LITERAL_BIAS);
  Literal factor = {0}, system = {0};
  if (page->status == DONE)
    page_check(page, literal_cholesky(chains->chain[JOINTS], &factor, &system));
  page_require(page, "residual of Cholesky's factors", factor.error, 1e-12);
  print_growth(page, "table-1-counted/growth", JOINTS);
  measure_operations(
      page, "table-1-counted/growth",
      (Operations){inverse.all.mul - before.all.mul, inverse.all.add - before.all.add});
  measure_operations(page, "table-1-counted/as-printed", inverse.all);
  measure_operations(page, "table-2-counted/as-printed", matrix.all);
  measure_operations(page, "table-3-counted/bias", bias.all);
  measure_operations(page, "table-3-counted/cholesky", factor.all);
  measure_operations(page, "table-3-counted/system", system.all);
  measure_operations(
      page, "table-3-counted/total",
      operations_sum(operations_sum(matrix.all, bias.all), operations_sum(factor.all, system.all)));
  page_fact(page, "1-20",
            "counted for six joints: %ld multiplications, divisions and roots, %ld "
            "additions",
            factor.all.mul, factor.all.add);
  note_elimination(page, chains, operations_sum(factor.all, system.all));
}

// Ratio of the cheapest of the other methods of Table 4 to the Gibbs-Appell one.
static void compare_forward(Page* page, const Chains* chains)
{
  static const char* const others[] = {"walker-orin-3", "articulated-body",
                                       "orthogonal-complement"};
  Operations own  = kernel_operations(page, chains, JOINTS, LW_QUESTION_FORWARD, "gibbs-appell");
  double least[2] = {INFINITY, INFINITY};
  for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
  {
    Operations other = kernel_operations(page, chains, JOINTS, LW_QUESTION_FORWARD, others[k]);
    least[0]         = fmin(least[0], (double)other.mul / (double)own.mul);
    least[1]         = fmin(least[1], (double)other.add / (double)own.add);
  }
  page_measure(page, "table-4-counted/cheapest", 2, least);
  Operations today = kernel_operations(page, chains, JOINTS, LW_QUESTION_FORWARD, "composite-body");
  page_note(
      page, "table-4-counted",
      "Composite bodies as implemented today (`composite-body`: screws instead of general "
      "displacements) need %ld multiplications and %ld additions, %s than the %ld and %ld of "
      "`gibbs-appell`: the ranking of Table 4 depends on the implementation, not on the principle.",
      today.mul, today.add, today.mul + today.add < own.mul + own.add ? "fewer" : "no fewer",
      own.mul, own.add);
}

void mata2002_tables(Page* page, const Chains* chains)
{
  check_equations(page, chains);
  mata2002_methods(page);
  mata2002_gibbs(page);
  mata2002_loops(page);
  print_growth(page, "table-1/step-sum", JOINTS);
  check_formulas(page);
  check_sums(page);
  note_kernels(page, chains, "table-1-counted");
  note_kernels(page, chains, "table-2-counted");
  note_kernels(page, chains, "table-4-counted");
  count_literals(page, chains);
  compare_squares(page, chains, "table-2-counted/growth");
  compare_forward(page, chains);
}
