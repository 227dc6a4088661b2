// SPDX-License-Identifier: MIT
// linkwork count: measured operations of every method, beside those printed in the literature.
#include "count.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "io/program_text.h"
#include "io/progress.h"
#include "io/sheet.h"
#include "linkwork/generate.h"

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

static void count_row(const void* context, int i, Cell* cells)
{
  const Counts* counts     = context;
  const Measured* measured = &counts->measured[i];
  const lwCount* count     = &measured->count;
  const long values[]      = {count->mul,  count->add,          count->div,
                              count->sqrt, count->executed_mul, count->executed_add};
  const lwMethod* method   = measured->method;
  cells[0] = cell_text(method ? lw_question_info(method->question)->name : measured->question);
  cells[1] = cell_text(method ? method->name : "generated");
  for (int k = 0; k < 6; ++k) cells[2 + k] = cell_number((double)values[k]);
  for (int k = 8; k < 11; ++k) cells[k] = cell_text(NULL);
  if (!method) return;
  const lwPrinted* printed = &method->printed;
  bool snake               = method->question == LW_QUESTION_SNAKE;
  if (!printed->source || !(snake || lw_model_is_serial(counts->model))) return;
  double n  = lw_model_dof(counts->model);
  cells[8]  = cell_number(printed_polynomial(printed->mul, n));
  cells[9]  = cell_number(printed_polynomial(printed->add, n));
  cells[10] = cell_text(printed->source);
}

static const SheetColumn COLUMNS[] = {{"question", NULL, NULL},
                                      {"method", NULL, NULL},
                                      {"mul", NULL, NULL},
                                      {"add", NULL, NULL},
                                      {"div", NULL, NULL},
                                      {"sqrt", NULL, NULL},
                                      {"executed_mul", NULL, NULL},
                                      {"executed_add", NULL, NULL},
                                      {"printed_mul", "printed", "mul"},
                                      {"printed_add", "printed", "add"},
                                      {"printed_source", "printed", "source"}};

static int make_robot(const Options* options, lwModel** model)
{
  const char* dof = options->value[OPTION_DOF];
  if (dof && options->operand) return fail(USAGE, "count: give ROBOT or --dof N, not both");
  Options alone             = *options;  // kernels know all moving joints, mimic or not
  alone.value[OPTION_MIMIC] = "independent";
  if (!dof) return robot_load(&alone, options->operand, model);
  const char* end = dof;
  double n        = 0;
  bool number     = lw_number_read(&end, &n) && *end == 0;
  if (!number || n < 1 || n > MAX_DOF || n != (int)n)
    return fail(USAGE, "--dof: '%s' is wrong, expected an integer from 1 to %d", dof, MAX_DOF);
  lwStatus status = lw_model_create_generic((int)n, model);
  return status == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(status));
}

// --method NAME must name a method of some question.
static int check_filter(const char* name)
{
  if (!name) return DONE;
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; i < lw_method_count(); ++i)
  {
    if (lw_method_is(lw_method(i), name)) return DONE;
    method_offer(&nearest, lw_method(i));
  }
  for (int i = 0; i < lw_snake_method_count(); ++i)
  {
    if (lw_method_is(lw_snake_method(i), name)) return DONE;
    method_offer(&nearest, lw_snake_method(i));
  }
  if (nearest_found(&nearest))
    return fail(USAGE, "--method: no method '%s', did you mean '%s'? 'linkwork methods' lists them",
                name, nearest.best);
  return fail(USAGE, "--method: no method '%s'; 'linkwork methods' lists them", name);
}

// The methods for snakes, on a generic one.
static int measure_snake(Counts* counts, const char* filter)
{
  int n           = lw_model_dof(counts->model);
  lwStatus status = n >= 2 ? lw_snake_create_generic(n, &counts->snake) : LW_OK;
  for (int i = 0; i < lw_snake_method_count() && counts->snake && status == LW_OK; ++i)
  {
    if (filter && !lw_method_is(lw_snake_method(i), filter)) continue;
    Measured* measured = &counts->measured[counts->size++];
    measured->method   = lw_snake_method(i);
    status             = lw_snake_method_measure(counts->snake, i, &measured->count);
  }
  return status == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(status));
}

static int count_methods(Counts* counts, const char* filter)
{
  size_t most = (size_t)lw_method_count() + LW_QUESTION_COUNT + (size_t)lw_snake_method_count();
  counts->measured = calloc(most, sizeof *counts->measured);
  if (!counts->measured) return no_memory();
  for (int i = 0; i < lw_method_count(); ++i)
  {
    if (filter && !lw_method_is(lw_method(i), filter)) continue;
    Measured* measured = &counts->measured[counts->size++];
    measured->method   = lw_method(i);
    progress_wait("counting %s by %s", lw_question_info(measured->method->question)->name,
                  measured->method->name);
    lwStatus status = lw_method_measure(counts->model, i, &measured->count);
    if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
  }
  for (int i = 0; only_method(i); ++i)
  {
    if (filter && !lw_method_is(only_method(i), filter)) continue;
    Measured* measured = &counts->measured[counts->size++];
    measured->method   = only_method(i);
    lwStatus status =
        lw_question_measure(counts->model, measured->method->question, &measured->count);
    if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
  }
  return DONE;
}

// Generated code for the snake.
static int measure_generated_snake(Counts* counts)
{
  lwGenerated* generated;
  lwGenerateDef def = lw_generate_def();
  def.questions     = "forward";
  lwStatus status   = lw_generate_snake(counts->snake, &def, NULL, &generated);
  if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
  counts->measured[counts->size++] =
      (Measured){.question = "snake", .count = lw_generated_count(generated, 0)};
  lw_generated_destroy(generated);
  return DONE;
}

// Generated code by the best method; a robot without forward dynamics has the other questions.
static int measure_generated(Counts* counts)
{
  for (int k = 0; k < GENERATED_COUNT; ++k)
  {
    lwGenerated* generated;
    lwDiag* diag      = lw_diag_create();
    lwGenerateDef def = lw_generate_def();
    def.questions     = GENERATED[k];
    lwStatus status   = lw_generate(counts->model, &def, diag, &generated);
    if (status == LW_OK)
      counts->measured[counts->size++] =
          (Measured){.question = GENERATED[k], .count = lw_generated_count(generated, 0)};
    else if (strcmp(GENERATED[k], "forward") != 0)
    {
      fail(INPUT, "count: %s", first_error(diag, status));
      lw_diag_destroy(diag);
      return INPUT;
    }
    lw_generated_destroy(generated);
    lw_diag_destroy(diag);
  }
  return DONE;
}

static int print_counts(const Counts* counts, const Options* options, Format format)
{
  Out out;
  int status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  Sheet sheet = {.columns = sizeof COLUMNS / sizeof COLUMNS[0],
                 .column  = COLUMNS,
                 .rows    = counts->size,
                 .row     = count_row,
                 .context = counts};
  if (format == FORMAT_TABLE)
    out_format(&out, "%s: operations of one evaluation, %d moving joints\n",
               lw_model_name(counts->model), lw_model_dof(counts->model));
  sheet_write(&out, format, &sheet);
  if (format == FORMAT_TABLE)
    out_text(
        &out,
        "mul add div sqrt are folded: arithmetic among constants and with a structural 0 or +-1 is "
        "free, as in the papers; executed_ is every operation performed.\n");
  return out_close(&out, DONE, true);
}

int cmd_count(const Command* command, const Options* options)
{
  (void)command;
  Format format;
  lwModel* model = NULL;
  Counts counts  = {0};
  int status     = format_choose(options, &format);
  if (status == DONE) status = check_filter(options->value[OPTION_METHOD]);
  bool general = !options->operand && !options->value[OPTION_DOF];
  if (status == DONE && general && options->value[OPTION_GENERATED])
    return fail(USAGE, "count: --generated is about one robot; give ROBOT or --dof N");
  if (status == DONE && general) return count_general(options, format);
  if (status == DONE) status = make_robot(options, &model);
  counts.model = model;
  if (status == DONE) status = count_methods(&counts, options->value[OPTION_METHOD]);
  if (status == DONE && options->value[OPTION_GENERATED]) status = measure_generated(&counts);
  if (status == DONE && options->value[OPTION_DOF])
    status = measure_snake(&counts, options->value[OPTION_METHOD]);
  if (status == DONE && options->value[OPTION_GENERATED] && counts.snake)
    status = measure_generated_snake(&counts);
  if (status == DONE) status = print_counts(&counts, options, format);
  free(counts.measured);
  lw_snake_destroy(counts.snake);
  lw_model_destroy(model);
  return status;
}
