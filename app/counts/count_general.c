// SPDX-License-Identifier: MIT
// linkwork count for any number of joints: measured on generic chains of 1 to 14, a polynomial in n
// fitted exactly, and verified on chains of other lengths.
#include "count.h"

#include <stdlib.h>
#include <string.h>

#include "io/sheet.h"
#include "report/polynomial.h"

enum
{
  LONGEST    = 14,  // chains of 1 .. LONGEST joints give the polynomial
  FURTHER    = 2,   // more chains verify it
  QUANTITIES = 5
};

static const int FURTHER_JOINTS[FURTHER] = {17, 24};

// What a method costs as polynomials in n, and what is printed.
typedef struct GeneralCount
{
  const lwMethod* method;
  int from;  // the first n for which all of its polynomials hold; 0: some quantity has none
  char text[QUANTITIES][LW_POLYNOMIAL_TEXT];  // mul add div executed_mul executed_add
  char printed[2][LW_POLYNOMIAL_TEXT];        // mul add; empty: nothing is printed
} GeneralCount;

typedef struct Generals
{
  lwModel* chains[LONGEST + FURTHER];
  lwSnake* snakes[LONGEST + FURTHER];  // the first, of one link, is NULL
  int size;
  GeneralCount* general;  // (size)
} Generals;

static long count_quantity(const lwCount* count, int k)
{
  const long values[QUANTITIES] = {count->mul, count->add, count->div, count->executed_mul,
                                   count->executed_add};
  return values[k];
}

static int make_chains(Generals* generals)
{
  for (int i = 0; i < LONGEST + FURTHER; ++i)
  {
    int n           = i < LONGEST ? i + 1 : FURTHER_JOINTS[i - LONGEST];
    lwStatus status = lw_model_create_generic(n, &generals->chains[i]);
    if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
  }
  return DONE;
}

static int make_snakes(Generals* generals)
{
  for (int i = 1; i < LONGEST + FURTHER; ++i)
  {
    int n           = i < LONGEST ? i + 1 : FURTHER_JOINTS[i - LONGEST];
    lwStatus status = lw_snake_create_generic(n, &generals->snakes[i]);
    if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
  }
  return DONE;
}

// The polynomial through a quantity on all chains of at least `first` joints; none if a further
// chain does not meet it.
static lwPolynomial fit_counts(const lwCount counts[LONGEST + FURTHER], int k, int first)
{
  long value[LONGEST];
  for (int i = 0; i < LONGEST; ++i) value[i] = count_quantity(&counts[i], k);
  lwPolynomial polynomial = lw_polynomial_fit(first, LONGEST + 1 - first, value + first - 1);
  for (int i = 0; i < FURTHER; ++i)
    if (!lw_polynomial_meets(&polynomial, FURTHER_JOINTS[i],
                             count_quantity(&counts[LONGEST + i], k)))
      polynomial.degree = -1;
  return polynomial;
}

static void describe_count(GeneralCount* general, const lwCount counts[LONGEST + FURTHER])
{
  const lwPrinted* printed = &general->method->printed;
  bool all                 = true;
  for (int k = 0; k < QUANTITIES; ++k)
  {
    lwPolynomial polynomial =
        fit_counts(counts, k, general->method->question == LW_QUESTION_SNAKE ? 2 : 1);
    all = all && polynomial.degree >= 0;
    if (polynomial.from > general->from) general->from = polynomial.from;
    lw_polynomial_text(&polynomial, general->text[k], LW_POLYNOMIAL_TEXT);
  }
  if (!all) general->from = 0;
  if (!printed->source) return;
  lwPolynomial mul = lw_polynomial_from(printed->mul), add = lw_polynomial_from(printed->add);
  lw_polynomial_text(&mul, general->printed[0], LW_POLYNOMIAL_TEXT);
  lw_polynomial_text(&add, general->printed[1], LW_POLYNOMIAL_TEXT);
}

static int measure_snakes(Generals* generals, const char* filter)
{
  for (int m = 0; m < lw_snake_method_count(); ++m)
  {
    if (filter && !lw_method_is(lw_snake_method(m), filter)) continue;
    lwCount counts[LONGEST + FURTHER] = {{0}};
    for (int i = 1; i < LONGEST + FURTHER; ++i)
    {
      lwStatus status = lw_snake_method_measure(generals->snakes[i], m, &counts[i]);
      if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
    }
    GeneralCount* general = &generals->general[generals->size++];
    general->method       = lw_snake_method(m);
    describe_count(general, counts);
  }
  return DONE;
}

// One method of the registry, or with m = -1 of a question that has only this one.
static int count_chain(Generals* generals, int m, const lwMethod* method)
{
  lwCount counts[LONGEST + FURTHER];
  for (int i = 0; i < LONGEST + FURTHER; ++i)
  {
    const lwModel* chain = generals->chains[i];
    lwStatus status      = m >= 0 ? lw_method_measure(chain, m, &counts[i])
                                  : lw_question_measure(chain, method->question, &counts[i]);
    if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
  }
  GeneralCount* general = &generals->general[generals->size++];
  general->method       = method;
  describe_count(general, counts);
  return DONE;
}

static int count_chains(Generals* generals, const char* filter)
{
  size_t most = (size_t)lw_method_count() + LW_QUESTION_COUNT + (size_t)lw_snake_method_count();
  generals->general = calloc(most, sizeof *generals->general);
  if (!generals->general) return no_memory();
  int status = DONE;
  for (int m = 0; m < lw_method_count() && status == DONE; ++m)
    if (!filter || lw_method_is(lw_method(m), filter))
      status = count_chain(generals, m, lw_method(m));
  for (int m = 0; only_method(m) && status == DONE; ++m)
    if (!filter || lw_method_is(only_method(m), filter))
      status = count_chain(generals, -1, only_method(m));
  return status;
}

static const SheetColumn COLUMNS[] = {{"question", NULL, NULL},
                                      {"method", NULL, NULL},
                                      {"mul", NULL, NULL},
                                      {"add", NULL, NULL},
                                      {"div", NULL, NULL},
                                      {"from_n", NULL, NULL},
                                      {"executed_mul", NULL, NULL},
                                      {"executed_add", NULL, NULL},
                                      {"printed_mul", "printed", "mul"},
                                      {"printed_add", "printed", "add"},
                                      {"printed_source", "printed", "source"}};

static void general_row(const void* context, int i, Cell* cells)
{
  const GeneralCount* general = &((const Generals*)context)->general[i];
  const lwPrinted* printed    = &general->method->printed;
  cells[0]                    = cell_text(lw_question_info(general->method->question)->name);
  cells[1]                    = cell_text(general->method->name);
  for (int k = 0; k < 3; ++k) cells[2 + k] = cell_text(general->text[k]);
  cells[5] = general->from > 0 ? cell_number(general->from) : cell_text(NULL);
  for (int k = 3; k < QUANTITIES; ++k) cells[3 + k] = cell_text(general->text[k]);
  for (int k = 0; k < 2; ++k)
    cells[8 + k] = cell_text(printed->source ? general->printed[k] : NULL);
  cells[10] = cell_text(printed->source);
}

static void write_count_notes(Out* out, const Generals* generals)
{
  out_format(out,
             "measured on generic chains of 1 to %d revolute joints (snakes: 2 to %d links), "
             "verified on %d and %d; a "
             "polynomial holds from from_n joints on.\n"
             "mul add div are folded: arithmetic among constants and with a structural 0 or +-1 is "
             "free, as in the papers; executed_ is every operation performed.\n",
             LONGEST, LONGEST, FURTHER_JOINTS[0], FURTHER_JOINTS[1]);
  for (int i = 0; i < generals->size; ++i)
    if (generals->general[i].from == 0)
      out_format(out, "%s %s: 'none' where no polynomial up to degree %d fits.\n",
                 lw_question_info(generals->general[i].method->question)->name,
                 generals->general[i].method->name, LW_POLYNOMIAL_DEGREE);
}

static int print_polynomials(const Generals* generals, const Options* options, Format format)
{
  Out out;
  int status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  Sheet sheet = {.columns = sizeof COLUMNS / sizeof COLUMNS[0],
                 .column  = COLUMNS,
                 .rows    = generals->size,
                 .row     = general_row,
                 .context = generals};
  if (format == FORMAT_TABLE)
    out_text(&out, "operations of one evaluation for n joints, a generic serial chain\n");
  sheet_write(&out, format, &sheet);
  if (format == FORMAT_TABLE) write_count_notes(&out, generals);
  return out_close(&out, DONE, true);
}

int count_general(const Options* options, Format format)
{
  Generals generals = {0};
  int status        = make_chains(&generals);
  if (status == DONE) status = make_snakes(&generals);
  if (status == DONE) status = count_chains(&generals, options->value[OPTION_METHOD]);
  if (status == DONE) status = measure_snakes(&generals, options->value[OPTION_METHOD]);
  if (status == DONE) status = print_polynomials(&generals, options, format);
  free(generals.general);
  for (int i = 0; i < LONGEST + FURTHER; ++i) lw_model_destroy(generals.chains[i]);
  for (int i = 1; i < LONGEST + FURTHER; ++i) lw_snake_destroy(generals.snakes[i]);
  return status;
}
