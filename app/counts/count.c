// SPDX-License-Identifier: MIT
// linkwork count: measured operations of every method, beside those printed in the literature.
#include "count.h"

#include <string.h>

#include "io/progress.h"
#include "linkwork/loop.h"

enum
{
  MAX_DOF = 1000
};

// A method and what it costs on the robot.
typedef struct Measured
{
  const lwMethod* method;  // NULL: generated code
  const char* question;
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

// Questions that are answered in one way only.
static const char* const NO_ALIAS[] = {NULL};
static const lwMethod ONLY[]        = {{LW_QUESTION_REACTIONS,
                                        "newton-euler",
                                        NO_ALIAS,
                                        "silver1981 step 4; swartz1982 (8), (9)",
                                        "n",
                                        {{0}, {0}, NULL}},
                                       {LW_QUESTION_GIBBS,
                                        "gibbs-appell",
                                        NO_ALIAS,
                                        "mata2002 (1), (7), (19)",
                                        "n^3",
                                        {{0}, {0}, NULL}}};
enum
{
  ONLY_COUNT = sizeof ONLY / sizeof *ONLY
};

static int tree_method_count(void)
{
  return lw_method_count() + ONLY_COUNT;
}

int any_method_count(void)
{
  return tree_method_count() + lw_snake_method_count() + lw_formulation_count();
}

MethodKind any_method_kind(int i)
{
  if (i < tree_method_count()) return OF_TREES;
  return i < tree_method_count() + lw_snake_method_count() ? OF_SNAKES : OF_LOOPS;
}

const char* any_method_question(int i)
{
  if (any_method_kind(i) == OF_LOOPS) return "forward with loops";
  return lw_question_info(any_method(i)->question)->name;
}

const lwMethod* any_method(int i)
{
  if (i < lw_method_count()) return lw_method(i);
  i -= lw_method_count();
  if (i < ONLY_COUNT) return &ONLY[i];
  i -= ONLY_COUNT;
  if (i < lw_snake_method_count()) return lw_snake_method(i);
  i -= lw_snake_method_count();
  return i < lw_formulation_count() ? lw_formulation(i) : NULL;
}

lwCount any_method_measure(int i, const lwModel* model, const lwSnake* snake)
{
  lwCount count             = {0};
  const lwMethod* method    = any_method(i);
  const int first_of_snakes = tree_method_count();
  const int first_of_loops  = first_of_snakes + lw_snake_method_count();
  if (i >= first_of_loops)
    need_ok(lw_formulation_measure(model, i - first_of_loops, &count));
  else if (i >= first_of_snakes)
    need_ok(lw_snake_method_measure(snake, i - first_of_snakes, &count));
  else if (i < lw_method_count())
    need_ok(lw_method_measure(model, i, &count));
  else
    need_ok(lw_question_measure(model, method->question, &count));
  return count;
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
  cells[0]                 = lw_cell_text(measured->question);
  cells[1]                 = lw_cell_text(method ? method->name : "generated");
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

// --method NAME must name a method of some question, of the kind that is counted.
static void check_filter(const char* name, bool loops)
{
  if (!name) return;
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; any_method(i); ++i)
  {
    bool of_loops = any_method_kind(i) == OF_LOOPS;
    if (!lw_method_is(any_method(i), name))
      method_offer(&nearest, any_method(i));
    else if (of_loops == loops)
      return;
    else if (!loops)
      stop(USAGE, "--method: '%s' is for robots with closed loops", name);
  }
  if (loops)
    stop(USAGE, "--method: '%s' is no formulation of closed loops; 'linkwork methods' lists them",
         name);
  if (nearest_found(&nearest))
    stop(USAGE, "--method: no method '%s', did you mean '%s'? 'linkwork methods' lists them", name,
         nearest.best);
  stop(USAGE, "--method: no method '%s'; 'linkwork methods' lists them", name);
}

// All methods, or those that --method names: of the robot, or for snakes, on a generic one.
static void count_methods(Counts* counts, const char* filter, MethodKind kind)
{
  for (int i = 0; any_method(i); ++i)
  {
    const lwMethod* method = any_method(i);
    if (any_method_kind(i) != kind || (filter && !lw_method_is(method, filter))) continue;
    progress_wait("counting %s by %s", any_method_question(i), method->name);
    counts->measured[counts->size++] =
        (Measured){.method   = method,
                   .question = any_method_question(i),
                   .count    = any_method_measure(i, counts->model, counts->snake)};
  }
}

// Formulations of closed loops do not take every robot.
static void check_formulations(const Options* options, const lwModel* model)
{
  lwFormulations* made = NULL;
  lwDiag* diag         = hold_messages();
  if (options->value[OPTION_GENERATED])
    stop(USAGE, "count: code is generated for trees; --open-tree leaves the loops out");
  lwStatus status = lw_formulations_create(model, false, diag, &made);
  lw_formulations_destroy(made);
  need_made(status, options->operand, diag);
}

static void add_generated(Counts* counts, const char* question, lwGenerated* generated)
{
  counts->measured[counts->size++] =
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

static int print_counts(const Counts* counts, const Options* options, lwFormat format)
{
  lwOut* out    = output_of(options);
  lwSheet sheet = {.columns = COLUMNS, .rows = counts->size, .row = count_row, .context = counts};
  if (format == LW_FORMAT_TABLE)
    lw_out_format(out, "%s: operations of one evaluation, %d moving joints\n",
                  lw_model_name(counts->model), lw_model_dof(counts->model));
  lw_sheet_write(out, format, &sheet);
  if (format == LW_FORMAT_TABLE)
    lw_out_text(
        out,
        "mul add div sqrt are folded: arithmetic among constants and with a structural 0 or +-1 is "
        "free, as in the papers; executed_ is every operation performed.\n");
  return output_end(out, DONE);
}

// Methods for snakes, on a generic one of as many links.
static void count_snake(Counts* counts, const char* filter, bool generate)
{
  lwGenerated* generated;
  lwGenerateDef def = lw_generate_def();
  int n             = lw_model_dof(counts->model);
  if (n < 2) return;
  need_ok(lw_snake_create_generic(n, &counts->snake));
  hold_snake(counts->snake);
  count_methods(counts, filter, OF_SNAKES);
  def.questions = "forward";
  if (!generate) return;
  need_ok(lw_generate_snake(counts->snake, &def, NULL, &generated));
  add_generated(counts, "snake", generated);
}

int cmd_count(const Options* options)
{
  const char* filter = options->value[OPTION_METHOD];
  bool generated     = options->value[OPTION_GENERATED];
  bool general       = !options->operand && !options->value[OPTION_DOF];
  size_t most        = (size_t)any_method_count() + GENERATED_COUNT + 1;
  lwFormat format    = format_of(options);
  if (general && generated)
    stop(USAGE, "count: --generated is about one robot; give ROBOT or --dof N");
  if (general) check_filter(filter, false);
  if (general) return count_general(options, format);
  Counts counts = {.model = counted_robot(options), .measured = allocate(most, sizeof(Measured))};
  bool loops    = lw_model_loop_count(counts.model) > 0;
  check_filter(filter, loops);
  if (loops) check_formulations(options, counts.model);
  count_methods(&counts, filter, loops ? OF_LOOPS : OF_TREES);
  if (generated) measure_generated(&counts);
  if (options->value[OPTION_DOF]) count_snake(&counts, filter, generated);
  return print_counts(&counts, options, format);
}
