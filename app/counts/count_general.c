// SPDX-License-Identifier: MIT
// linkwork count for any number of joints: measured on generic chains of 1 to 14, a polynomial in n
// fitted exactly, and verified on chains of other lengths.
#include "count.h"

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

// Chains of all lengths, and snakes of at least two links.
static void make_chains(Generals* generals)
{
  for (int i = 0; i < LONGEST + FURTHER; ++i)
  {
    int n = i < LONGEST ? i + 1 : FURTHER_JOINTS[i - LONGEST];
    need_ok(lw_model_create_generic(n, &generals->chains[i]));
    hold_model(generals->chains[i]);
    if (n > 1) need_ok(lw_snake_create_generic(n, &generals->snakes[i]));
    hold_snake(generals->snakes[i]);
  }
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

static void count_chains(Generals* generals, const char* filter)
{
  for (int m = 0; any_method(m); ++m)
  {
    lwCount counts[LONGEST + FURTHER] = {{0}};
    const lwMethod* method            = any_method(m);
    if (any_method_kind(m) == OF_LOOPS || (filter && !lw_method_is(method, filter))) continue;
    for (int i = method->question == LW_QUESTION_SNAKE; i < LONGEST + FURTHER; ++i)
      counts[i] = any_method_measure(m, generals->chains[i], generals->snakes[i]);
    GeneralCount* general = &generals->general[generals->size++];
    general->method       = method;
    describe_count(general, counts);
  }
}

static const char COLUMNS[] =
    "question,method,mul,add,div,from_n,executed_mul,executed_add,"
    "printed_mul=printed.mul,printed_add=printed.add,printed_source=printed.source";

static void general_row(const void* context, int i, lwCell* cells)
{
  const GeneralCount* general = &((const Generals*)context)->general[i];
  const lwPrinted* printed    = &general->method->printed;
  cells[0]                    = lw_cell_text(lw_question_info(general->method->question)->name);
  cells[1]                    = lw_cell_text(general->method->name);
  for (int k = 0; k < 3; ++k) cells[2 + k] = lw_cell_text(general->text[k]);
  cells[5] = general->from > 0 ? lw_cell_number(general->from) : lw_cell_text(NULL);
  for (int k = 3; k < QUANTITIES; ++k) cells[3 + k] = lw_cell_text(general->text[k]);
  for (int k = 0; k < 2; ++k)
    cells[8 + k] = lw_cell_text(printed->source ? general->printed[k] : NULL);
  cells[10] = lw_cell_text(printed->source);
}

static void write_count_notes(lwOut* out, const Generals* generals)
{
  lw_out_format(
      out,
      "measured on generic chains of 1 to %d revolute joints (snakes: 2 to %d links), "
      "verified on %d and %d; a "
      "polynomial holds from from_n joints on.\n"
      "mul add div are folded: arithmetic among constants and with a structural 0 or +-1 is "
      "free, as in the papers; executed_ is every operation performed.\n",
      LONGEST, LONGEST, FURTHER_JOINTS[0], FURTHER_JOINTS[1]);
  for (int i = 0; i < generals->size; ++i)
    if (generals->general[i].from == 0)
      lw_out_format(out, "%s %s: 'none' where no polynomial up to degree %d fits.\n",
                    lw_question_info(generals->general[i].method->question)->name,
                    generals->general[i].method->name, LW_POLYNOMIAL_DEGREE);
}

int count_general(const Options* options, lwFormat format)
{
  size_t most       = (size_t)any_method_count();
  Generals generals = {.general = allocate(most, sizeof *generals.general)};
  make_chains(&generals);
  count_chains(&generals, options->value[OPTION_METHOD]);
  lwOut* out    = output_of(options);
  lwSheet sheet = {
      .columns = COLUMNS, .rows = generals.size, .row = general_row, .context = &generals};
  if (format == LW_FORMAT_TABLE)
    lw_out_text(out, "operations of one evaluation for n joints, a generic serial chain\n");
  lw_sheet_write(out, format, &sheet);
  if (format == LW_FORMAT_TABLE) write_count_notes(out, &generals);
  return output_end(out, DONE);
}
