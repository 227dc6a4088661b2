// SPDX-License-Identifier: MIT
// linkwork count: measured operations of every method, beside those printed in the literature.
#include "count.h"

#include <string.h>

#include "io/output.h"
#include "io/program_text.h"
#include "io/progress.h"
#include "linkwork/generate.h"
#include "text/table_writer.h"

enum
{
  MAX_DOF = 1000
};

// A method and what it costs on the robot.
typedef struct Measured
{
  const lwMethod* method;  // NULL: generated code
  const char* question;    // of generated code
  lwCount count;
} Measured;

static const char* const GENERATED[] = {"inverse", "inertia",  "forward",     "bias",
                                        "gravity", "coriolis", "inertia+bias"};
enum
{
  GENERATED_COUNT = sizeof GENERATED / sizeof *GENERATED
};

typedef struct Counts
{
  const lwModel* model;
  int size;
  Measured* measured;  // (size)
  lwSnake* snake;      // of as many links as there are joints; NULL: for a robot file, or one joint
} Counts;

const lwMethod* only_method(int i)
{
  static const char* const none[] = {NULL};
  static const lwMethod only[]    = {{LW_QUESTION_REACTIONS,
                                      "newton-euler",
                                      none,
                                      "silver1981 step 4; swartz1982 (8), (9)",
                                      "n",
                                      {{0}, {0}, NULL}},
                                     {LW_QUESTION_GIBBS,
                                      "gibbs-appell",
                                      none,
                                      "mata2002 (1), (7), (19)",
                                      "n^3",
                                      {{0}, {0}, NULL}}};
  return i < (int)(sizeof only / sizeof *only) ? &only[i] : NULL;
}

static double printed_polynomial(const double c[4], double n)
{
  return c[0] + n * (c[1] + n * (c[2] + n * c[3]));
}

static void count_row(const void* context, int i, lwCell* cells)
{
  const Counts* counts     = context;
  const Measured* measured = &counts->measured[i];
  const lwCount* count     = &measured->count;
  const long values[]      = {count->mul,  count->add,          count->div,
                              count->sqrt, count->executed_mul, count->executed_add};
  const lwMethod* method   = measured->method;
  cells[0] = lw_cell_text(method ? lw_question_info(method->question)->name : measured->question);
  cells[1] = lw_cell_text(method ? method->name : "generated");
  for (int k = 0; k < 6; ++k) cells[2 + k] = lw_cell_number((double)values[k]);
  for (int k = 8; k < 11; ++k) cells[k] = lw_cell_text(NULL);
  if (!method) return;
  const lwPrinted* printed = &method->printed;
  bool snake               = method->question == LW_QUESTION_SNAKE;
  if (!printed->source || !(snake || lw_model_is_serial(counts->model))) return;
  double n  = lw_model_dof(counts->model);
  cells[8]  = lw_cell_number(printed_polynomial(printed->mul, n));
  cells[9]  = lw_cell_number(printed_polynomial(printed->add, n));
  cells[10] = lw_cell_text(printed->source);
}

static const char COLUMNS[] =
    "question,method,mul,add,div,sqrt,executed_mul,executed_add,"
    "printed_mul=printed.mul,printed_add=printed.add,printed_source=printed.source";

static lwModel* counted_robot(const Options* options)
{
  lwModel* model  = NULL;
  const char* dof = options->value[OPTION_DOF];
  if (dof && options->operand) stop(USAGE, "count: give ROBOT or --dof N, not both");
  Options alone             = *options;  // kernels know all moving joints, mimic or not
  alone.value[OPTION_MIMIC] = "independent";
  if (!dof) return robot_of(&alone);
  need_ok(lw_model_create_generic((int)integer_of(options, OPTION_DOF, 1, MAX_DOF, 1), &model));
  return hold_model(model);
}

// --method NAME must name a method of some question.
static void check_filter(const char* name)
{
  if (!name) return;
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; i < lw_method_count() + lw_snake_method_count(); ++i)
  {
    const lwMethod* method =
        i < lw_method_count() ? lw_method(i) : lw_snake_method(i - lw_method_count());
    if (lw_method_is(method, name)) return;
    method_offer(&nearest, method);
  }
  if (nearest_found(&nearest))
    stop(USAGE, "--method: no method '%s', did you mean '%s'? 'linkwork methods' lists them", name,
         nearest.best);
  stop(USAGE, "--method: no method '%s'; 'linkwork methods' lists them", name);
}

// The next row, of a method unless the filter leaves it out; NULL: it does.
static Measured* next_measured(Counts* counts, const lwMethod* method, const char* filter)
{
  if (method && filter && !lw_method_is(method, filter)) return NULL;
  Measured* measured = &counts->measured[counts->size++];
  measured->method   = method;
  return measured;
}

// The methods for snakes, on a generic one.
static void measure_snake(Counts* counts, const char* filter)
{
  int n = lw_model_dof(counts->model);
  if (n < 2) return;
  need_ok(lw_snake_create_generic(n, &counts->snake));
  hold_snake(counts->snake);
  for (int i = 0; i < lw_snake_method_count(); ++i)
  {
    Measured* measured = next_measured(counts, lw_snake_method(i), filter);
    if (measured) need_ok(lw_snake_method_measure(counts->snake, i, &measured->count));
  }
}

static void count_methods(Counts* counts, const char* filter)
{
  for (int i = 0; i < lw_method_count(); ++i)
  {
    Measured* measured = next_measured(counts, lw_method(i), filter);
    if (!measured) continue;
    progress_wait("counting %s by %s", lw_question_info(measured->method->question)->name,
                  measured->method->name);
    need_ok(lw_method_measure(counts->model, i, &measured->count));
  }
  for (int i = 0; only_method(i); ++i)
  {
    Measured* measured = next_measured(counts, only_method(i), filter);
    if (measured)
      need_ok(lw_question_measure(counts->model, only_method(i)->question, &measured->count));
  }
}

static void add_generated(Counts* counts, const char* question, lwGenerated* generated)
{
  *next_measured(counts, NULL, NULL) =
      (Measured){.question = question, .count = lw_generated_count(hold_generated(generated), 0)};
}

// Generated code by the best method; a robot without forward dynamics has the other questions.
static void measure_generated(Counts* counts)
{
  for (int k = 0; k < GENERATED_COUNT; ++k)
  {
    lwGenerated* generated;
    lwDiag* diag      = hold_messages();
    lwGenerateDef def = lw_generate_def();
    def.questions     = GENERATED[k];
    lwStatus status   = lw_generate(counts->model, &def, diag, &generated);
    if (strcmp(GENERATED[k], "forward") != 0) need_made(status, "count", diag);
    if (status == LW_OK) add_generated(counts, GENERATED[k], generated);
  }
}

static void measure_generated_snake(Counts* counts)
{
  lwGenerated* generated;
  lwGenerateDef def = lw_generate_def();
  def.questions     = "forward";
  need_ok(lw_generate_snake(counts->snake, &def, NULL, &generated));
  add_generated(counts, "snake", generated);
}

static int print_counts(const Counts* counts, const Options* options, lwFormat format)
{
  lwOut* out    = output_of(options);
  lwSheet sheet = {.columns = COLUMNS, .rows = counts->size, .row = count_row, .context = counts};
  if (format == FORMAT_TABLE)
    lw_out_format(out, "%s: operations of one evaluation, %d moving joints\n",
                  lw_model_name(counts->model), lw_model_dof(counts->model));
  lw_sheet_write(out, format, &sheet);
  if (format == FORMAT_TABLE)
    lw_out_text(
        out,
        "mul add div sqrt are folded: arithmetic among constants and with a structural 0 or +-1 is "
        "free, as in the papers; executed_ is every operation performed.\n");
  return output_end(out, DONE);
}

int cmd_count(const Options* options)
{
  const char* filter = options->value[OPTION_METHOD];
  bool generated     = options->value[OPTION_GENERATED];
  bool general       = !options->operand && !options->value[OPTION_DOF];
  size_t most     = (size_t)lw_method_count() + LW_QUESTION_COUNT + (size_t)lw_snake_method_count();
  lwFormat format = format_of(options);
  check_filter(filter);
  if (general && generated)
    stop(USAGE, "count: --generated is about one robot; give ROBOT or --dof N");
  if (general) return count_general(options, format);
  Counts counts = {.model = counted_robot(options), .measured = allocate(most, sizeof(Measured))};
  count_methods(&counts, filter);
  if (generated) measure_generated(&counts);
  if (options->value[OPTION_DOF]) measure_snake(&counts, filter);
  if (generated && counts.snake) measure_generated_snake(&counts);
  return print_counts(&counts, options, format);
}
