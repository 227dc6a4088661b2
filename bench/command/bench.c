// SPDX-License-Identifier: MIT
// linkwork bench: how long every method takes.
#include "bench.h"
#include "io/note.h"
#include "io/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "io/output.h"
#include "text/table_writer.h"

enum
{
  MAX_DOF = LW_MAX_JOINTS
};

static const int DEFAULT_CHAINS[] = {2, 4, 6, 7, 8, 10, 12, 14, 16, 30, 100, 300, 1000};
static const BenchLimits FULL     = {.seconds = 2.5, .call = 20e-3};
static const BenchLimits QUICK    = {.seconds = 0.25, .call = 2e-3};
static const char* const MODES[]  = {[TRIAL_SINGLE] = "single", [TRIAL_BATCH] = "batch"};
static const char* const REALS[]  = {
     [LW_PRECISION_DOUBLE] = "double", [LW_PRECISION_SINGLE] = "single"};
static const lwQuestion QUESTIONS[] = {LW_QUESTION_INVERSE, LW_QUESTION_INERTIA,
                                       LW_QUESTION_FORWARD};

static const lwMethod* trial_info(const BenchTrial* trial)
{
  static const lwMethod chosen = {.question = LW_QUESTION_FORWARD, .name = "auto"};
  if (trial->closed) return trial->method < 0 ? &chosen : lw_formulation(trial->method);
  return (trial->snake ? lw_snake_method : lw_method)(trial->method);
}

lwQuestion trial_question(const BenchTrial* trial)
{
  return trial_info(trial)->question;
}

const char* trial_method(const BenchTrial* trial)
{
  return trial->special ? "generated" : trial_info(trial)->name;
}

int trial_joints(const BenchTrial* trial)
{
  return trial->snake ? lw_snake_count(trial->snake) : lw_model_dof(trial->model);
}

double fastest_ns(const Bench* bench, const BenchTrial* trial)
{
  double fastest = trial->best;
  for (int i = 0; i < bench->count; ++i)
  {
    const BenchTrial* other = &bench->trials[i];
    bool same               = other->model == trial->model && other->snake == trial->snake &&
                trial_question(other) == trial_question(trial);
    if (same && trial->snake) same = other->mode == trial->mode;
    if (same && other->best < fastest) fastest = other->best;
  }
  return fastest;
}

// The first columns are also those of json; csv has all columns.
enum
{
  JSON_COLUMNS = 8
};

static const char COLUMNS[] =
    "robot,n,question,method,precision,mode,threads,ns,median_ns,ratio,rounds,isa";

typedef struct BenchSheet
{
  const Bench* bench;
  int columns;
} BenchSheet;

static void trial_row(const void* context, int i, lwCell* cells)
{
  const BenchSheet* sheet = context;
  const BenchTrial* trial = &sheet->bench->trials[i];
  const char* name = trial->snake ? lw_snake_name(trial->snake) : lw_model_name(trial->model);
  lwCell all[BENCH_COLUMNS] = {lw_cell_text(name),
                               lw_cell_number(trial_joints(trial)),
                               lw_cell_text(lw_question_info(trial_question(trial))->name),
                               lw_cell_text(trial_method(trial)),
                               lw_cell_text(REALS[trial->precision]),
                               lw_cell_text(MODES[trial->mode]),
                               lw_cell_number(trial->threads),
                               lw_cell_number(trial->best),
                               lw_cell_number(trial->median),
                               lw_cell_number(trial->best / fastest_ns(sheet->bench, trial)),
                               lw_cell_number(trial->rounds),
                               lw_cell_text(trial->isa)};
  memcpy(cells, all, (size_t)sheet->columns * sizeof *cells);
}

void bench_write_sheet(lwOut* out, const Bench* bench, lwFormat format, int columns)
{
  BenchSheet context = {bench, columns};
  lwSheet sheet      = {.columns = COLUMNS,
                        .most    = columns,
                        .rows    = bench->count,
                        .row     = trial_row,
                        .context = &context};
  lw_sheet_write(out, format, &sheet);
}

// Prints the table of each robot named on the command line; by default only of those with 6 and 7
// joints, like most arms.
static void write_bench_table(lwOut* out, const Bench* bench, bool asked)
{
  if (bench->crossover) return bench_write_crossover(out, bench);
  for (int i = 0; i < bench->robots; ++i)
  {
    int n = lw_model_dof(bench->models[i]);
    if (asked || n == 6 || n == 7) bench_write_robot(out, bench, bench->models[i]);
  }
  if (bench->chains) bench_write_growth(out, bench);
  bench_write_generated(out, bench);
}

// Parses numbers separated by commas. Returns their count, 0 if the text is wrong.
static int parse_sizes(const char* text, int least, int most, int sizes[BENCH_ROBOTS])
{
  int count = 0;
  double n  = 0;
  while (count < BENCH_ROBOTS && lw_number_read(&text, &n) && n >= least && n <= most &&
         n == (int)n)
  {
    sizes[count++] = (int)n;
    if (*text == 0) return count;
    if (*text++ != ',') return 0;
  }
  return 0;
}

static int compare_integers(const void* a, const void* b)
{
  return *(const int*)a - *(const int*)b;
}

int bench_sizes(Option option, const char* text, int least, int most, int sizes[BENCH_ROBOTS],
                int* count)
{
  *count = parse_sizes(text, least, most, sizes);
  if (*count == 0)
    return fail(USAGE, "%s: '%s' is wrong, expected up to %d integers from %d to %d: 2,4,7",
                OPTIONS[option].name, text, BENCH_ROBOTS, least, most);
  qsort(sizes, (size_t)*count, sizeof *sizes, compare_integers);
  return DONE;
}

int bench_add_chains(Bench* bench, int count, const int* joints)
{
  bench->chains = true;
  for (int i = 0; i < count; ++i)
  {
    lwStatus status = lw_model_create_generic(joints[i], &bench->models[bench->robots]);
    if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
    ++bench->robots;
  }
  return DONE;
}

int bench_make_robots(const Options* options, Bench* bench)
{
  int joints[BENCH_ROBOTS];
  const char* dof = options->value[OPTION_DOF];
  bench->models   = calloc(BENCH_ROBOTS, sizeof(lwModel*));
  if (!bench->models) return no_memory();
  if (options->operand && (dof || bench->crossover))
    return fail(USAGE, "bench: give ROBOT or %s, not both", dof ? "--dof N" : "--crossover");
  if (options->operand)
  {
    bench->models[0] = robot_of(options);
    bench->robots    = 1;
    unhold(bench->models[0]);  // the bench owns it
    return DONE;
  }
  if (dof)
  {
    int count, status = bench_sizes(OPTION_DOF, dof, 1, MAX_DOF, joints, &count);
    return status == DONE ? bench_add_chains(bench, count, joints) : status;
  }
  if (!bench->crossover)
    return bench_add_chains(bench, sizeof DEFAULT_CHAINS / sizeof *DEFAULT_CHAINS, DEFAULT_CHAINS);
  for (int n = 2; n <= 20; ++n) joints[n - 2] = n;
  return bench_add_chains(bench, 19, joints);
}

static bool is_wanted(const Bench* bench, int method)
{
  const lwMethod* m = lw_method(method);
  if (bench->method && !lw_method_is(m, bench->method)) return false;
  if (bench->question >= 0 && (lwQuestion)bench->question != m->question) return false;
  if (!bench->crossover) return true;
  return m->question == LW_QUESTION_FORWARD &&
         (!strcmp(m->name, "articulated-body") || !strcmp(m->name, "composite-body"));
}

int bench_question(const Options* options, int* question)
{
  const char* name = options->value[OPTION_QUESTION];
  *question        = -1;
  if (!name) return DONE;
  for (int i = 0; i < lw_method_count(); ++i)
    if (!strcmp(name, lw_question_info(lw_method(i)->question)->name))
      *question = (int)lw_method(i)->question;
  if (*question >= 0) return DONE;
  return fail(USAGE,
              "--question: '%s' has no methods, expected inverse, inertia, forward or another of "
              "'linkwork methods'",
              name);
}

int bench_choose(const Options* options, Bench* bench)
{
  bench->limits = options->value[OPTION_QUICK] ? QUICK : FULL;
  return bench_question(options, &bench->question);
}

static void choose_precisions(const Options* options, Bench* bench)
{
  lwPrecision only = precision_of(options);
  bool both        = !options->value[OPTION_PRECISION] && !bench->crossover;
  for (int k = 0; k < 2; ++k) bench->precisions[k] = both || k == (int)only;
}

// Reads from the command line what to measure.
static int choose_bench(const Options* options, Bench* bench)
{
  bench->method    = options->value[OPTION_METHOD];
  bench->crossover = options->value[OPTION_CROSSOVER] != NULL;
  bench->generated = options->value[OPTION_GENERATED] != NULL;
  if (bench->crossover && (bench->method || options->value[OPTION_QUESTION]))
    return fail(USAGE, "bench: --crossover compares two methods, it takes no --method or "
                       "--question");
  int status = bench_choose(options, bench);
  if (bench->crossover) bench->limits.seconds /= 2;
  if (status != DONE) return status;
  choose_precisions(options, bench);
  for (int i = 0; i < lw_method_count(); ++i)
    if (is_wanted(bench, i)) return bench_make_robots(options, bench);
  if (bench->method && bench_names_formulation(bench->method))
    return bench_make_robots(options, bench);
  return fail(USAGE, "--method: no method '%s'%s%s; 'linkwork methods' lists them", bench->method,
              bench->question >= 0 ? " answers " : "",
              bench->question >= 0 ? options->value[OPTION_QUESTION] : "");
}

// A method that was too slow on a shorter chain is not tried on a longer one.
bool bench_is_slow(Bench* bench, const lwModel* model, int method)
{
  int* from = &bench->slow_from[method];
  if (*from > 0) return true;
  *from = bench_too_slow_from(&bench->limits, model, method);
  if (*from == 0) return false;
  note("bench: %s by %s is skipped from %d joints on: one call takes more than %g ms",
       lw_question_info(lw_method(method)->question)->name, lw_method(method)->name, *from,
       1e3 * bench->limits.call);
  return true;
}

// One state per call, a batch by one thread, a batch by all.
static void add_modes(Bench* bench, BenchTrial trial)
{
  for (int mode = 0; mode < TRIAL_MODES; ++mode)
  {
    trial.mode                    = (TrialMode)mode;
    bench->trials[bench->count++] = trial;
  }
  trial.threads = bench->threads;
  if (trial.threads > 1) bench->trials[bench->count++] = trial;
}

static void add_trials(Bench* bench, const lwModel* model)
{
  for (int i = 0; i < lw_method_count(); ++i)
  {
    if (!is_wanted(bench, i) ||
        lw_question_check(model, lw_method(i)->question, false, NULL) != LW_OK)
      continue;
    if (bench_is_slow(bench, model, i)) continue;
    for (int p = 0; p < 2; ++p)
    {
      BenchTrial trial = {.model = model, .method = i, .precision = (lwPrecision)p, .threads = 1};
      if (bench->precisions[p]) add_modes(bench, trial);
    }
  }
}

// Adds generated code for every question, if it compiles and agrees with the kernels.
static void add_generated(Bench* bench, const lwModel* model, lwSpecialised* special)
{
  for (size_t k = 0; k < sizeof QUESTIONS / sizeof *QUESTIONS; ++k)
  {
    lwQuestion question = QUESTIONS[k];
    if (bench->question >= 0 && (lwQuestion)bench->question != question) continue;
    const char* reason = lw_specialised_reason(special, question);
    if (reason)
    {
      note("bench: no generated code for %s of %s: %s", lw_question_info(question)->name,
           lw_model_name(model), reason);
      continue;
    }
    int method = 0;
    while (lw_method(method)->question != question) ++method;
    for (int mode = 0; mode < TRIAL_MODES; ++mode)
      bench->trials[bench->count++] = (BenchTrial){.model   = model,
                                                   .method  = method,
                                                   .mode    = (TrialMode)mode,
                                                   .threads = 1,
                                                   .special = special};
  }
}

static lwStatus specialise_robot(Bench* bench, int robot)
{
  const lwModel* model = bench->models[robot];
  if (!bench->generated || !bench->precisions[LW_PRECISION_DOUBLE]) return LW_OK;
  lwStatus status = lw_model_specialise(model, 0, NULL, &bench->specials[robot]);
  if (status == LW_OK) add_generated(bench, model, bench->specials[robot]);
  return status;
}

void bench_show_progress(const Bench* bench, int robot)
{
  if (robot < bench->robots)
    progress_wait("timing robot %d of %d, %s", robot + 1, bench->robots,
                  lw_model_name(bench->models[robot]));
  else
    progress_clear();
}

static int time_methods(Bench* bench)
{
  size_t methods   = (size_t)lw_method_count();
  bench->threads   = bench->crossover ? 1 : bench_threads();
  bench->slow_from = calloc(methods, sizeof *bench->slow_from);
  bench->trials    = calloc((size_t)bench->robots * (methods + 1) * 6, sizeof *bench->trials);
  bench->specials  = calloc((size_t)bench->robots + 1, sizeof(lwSpecialised*));
  lwStatus status  = bench->slow_from && bench->trials && bench->specials ? LW_OK : LW_ERROR_MEMORY;
  for (int i = 0; i < bench->robots && status == LW_OK; ++i)
  {
    int first = bench->count;
    bench_show_progress(bench, i);
    add_trials(bench, bench->models[i]);
    status = specialise_robot(bench, i);
    if (status == LW_OK)
      status = bench_run(&bench->limits, bench->count - first, bench->trials + first);
  }
  bench_show_progress(bench, bench->robots);
  return status == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(status));
}

void bench_free(void* context)
{
  Bench* bench = context;
  for (int i = 0; i < bench->robots && bench->specials; ++i)
    lw_specialised_destroy(bench->specials[i]);
  free(bench->specials);
  for (int i = 0; i < bench->robots; ++i) lw_model_destroy(bench->models[i]);
  free(bench->models);
  free(bench->slow_from);
  free(bench->trials);
}

static int bench_methods(const Options* options)
{
  lwFormat format  = format_of(options);
  Bench* bench     = hold(allocate(1, sizeof *bench), bench_free);
  const char* plot = options->value[OPTION_PLOT];
  need(choose_bench(options, bench));
  if (lw_model_loop_count(bench->models[0]) > 0) return bench_closed(options, bench, format);
  if (bench->method && bench_names_formulation(bench->method))
    stop(USAGE, "--method: '%s' is for robots with closed loops", bench->method);
  lwOut* out = output_of(options);
  need(time_methods(bench));
  if (format != LW_FORMAT_TABLE)
    bench_write_sheet(out, bench, format, format == LW_FORMAT_JSON ? JSON_COLUMNS : BENCH_COLUMNS);
  else
    write_bench_table(out, bench, options->operand || options->value[OPTION_DOF]);
  int status = output_end(out, DONE);
  return status == DONE && plot ? bench_plot(bench, plot) : status;
}

// Refuses options that this part of the command does not use.
static int refuse_option(const Options* options, Option part, const char* list)
{
  const char* unused = first_given(options, list);
  return unused ? fail(USAGE, "bench: %s takes no %s", OPTIONS[part].name, unused) : DONE;
}

int cmd_bench(const Options* options)
{
  int status = DONE;
  if (options->value[OPTION_TRUTH])
  {
    status = refuse_option(options, OPTION_TRUTH,
                           "--method --crossover --peers --plot --latency --calls --dof "
                           "--question --precision --generated --quick");
    return status == DONE ? bench_truth(options) : status;
  }
  if (options->value[OPTION_LATENCY])
  {
    status = refuse_option(options, OPTION_LATENCY, "--method --crossover --peers --plot");
    return status == DONE ? bench_latency(options) : status;
  }
  if (options->value[OPTION_CALLS]) return fail(USAGE, "bench: --calls is for --latency");
  if (!options->value[OPTION_PEERS]) return bench_methods(options);
  status = refuse_option(options, OPTION_PEERS, "--method --crossover --precision");
  return status == DONE ? bench_peers(options) : status;
}
