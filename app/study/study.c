// SPDX-License-Identifier: MIT
// linkwork study: samples a robot and tasks that are not known exactly, into a results database.
//
//   STUDY.yaml --lw_study_read_file()--> samples --lw_study_run()--> results.db
//                                                --sample K: that one alone
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "io/files.h"
#include "io/note.h"
#include "io/progress.h"
#include "io/run_loop.h"
#include "linkwork/study.h"
#include "study_command.h"

// --- what is asked

static long whole_of(const Options* options, Option option, long least, long usual)
{
  char expected[64];
  snprintf(expected, sizeof expected, "a whole number of at least %ld", least);
  double number = number_in(options, option, (double)least, INT_MAX, expected, (double)usual);
  if (number != floor(number))
    stop(USAGE, "%s: '%s' is wrong, expected %s", OPTIONS[option].name, options->value[option],
         expected);
  return (long)number;
}

// Prints what is wrong and returns the exit code of a status.
int study_refused(const lwDiag* diag, const char* path, lwStatus status)
{
  errors_print(diag);
  if (status != LW_OK && lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    return fail(INPUT, "%s: %s", path, lw_status_text(status));
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    const char* id = lw_diag_message(diag, i)->id;
    if (id && !strcmp(id, "other-version")) return USAGE;
  }
  return status == LW_OK ? DONE : INPUT;
}

lwStudy* study_of(const Options* options, const char* program)
{
  const char* path = options->operand;
  lwStudy* study   = NULL;
  lwDiag* diag     = hold_messages();
  long points      = whole_of(options, OPTION_SAMPLES, 1, 0);
  lwStatus read    = lw_study_read_file(path, diag, &study);
  hold_study(study);
  if (read == LW_OK && points > 0) read = lw_study_set_samples(study, points, diag);
  need(study_refused(diag, path, read));
  const char* command = lw_study_command(study);
  if (command && !options->value[OPTION_ALLOW_COMMANDS])
    stop(USAGE,
         "%s: 'run: command' would start the program '%s', with arguments that the file names; "
         "--allow-commands lets it",
         path, command);
  if (lw_study_allow_commands(study, program) != LW_OK) leave(no_memory());
  inputs_add(diag);
  need(output_check(options->value[OPTION_OUT]));
  return study;
}

// --- one sample

typedef struct One
{
  const lwStudy* study;
  const lwStudyRow* row;
} One;

static void one_cells(const void* context, int i, lwCell* cells)
{
  const One* one = context;
  int parameters = lw_study_parameter_count(one->study);
  cells[0]       = lw_cell_text(i < parameters ? "parameter" : "measure");
  cells[1]       = lw_cell_text(i < parameters ? lw_study_parameter(one->study, i)
                                               : lw_study_measure_name(one->study, i - parameters));
  cells[2]       = lw_cell_number(lw_study_row_numbers(one->row)[i]);
}

static int run_sample(const Options* options, const lwStudy* study, long k)
{
  static const char columns[] = "kind,name,value";
  lwStudyWorker* worker       = NULL;
  lwStudyRow* row             = allocate(1, lw_study_row_bytes(study));
  if (k >= lw_study_samples(study))
    stop(USAGE, "--sample: there is no sample %ld, expected 0 to %ld", k,
         lw_study_samples(study) - 1);
  run_loop_catch_signals();
  lwStatus made = lw_study_worker_create(study, &run_loop_stop, NULL, &worker);
  if (made == LW_OK) made = lw_study_work(hold_worker(worker), k, 1, row);
  if (run_loop_stop) leave(128 + run_loop_stop);
  need_ok(made);
  One one       = {study, row};
  lwSheet sheet = {.columns = columns,
                   .rows    = lw_study_parameter_count(study) + lw_study_measure_count(study),
                   .row     = one_cells,
                   .context = &one};
  int status    = sheet_print(options, format_of(options), &sheet);
  if (status == DONE && row->state != LW_SAMPLE_STATE_DONE)
    stop(NUMERICAL, "sample %ld: %s: %s", row->sample, lw_sample_word((lwSampleState)row->state),
         row->why);
  return status;
}

// --- all of them

static void tell_progress(void* context, const lwStudyProgress* progress)
{
  const double* began = context;
  double seconds      = clock_now() - *began;
  double rate         = seconds > 0 ? (double)progress->computed / seconds : 0;
  double left         = rate > 0 ? (double)(progress->samples - progress->done) / rate : 0;
  progress_show(-1, "%ld of %ld, %.4g/s, %.0f s left", progress->done, progress->samples, rate,
                left);
}

void part_of(const Options* options, int part[2])
{
  const char *text = options->value[OPTION_PART], *end = text;
  double k = 1, n = 1;
  bool right = !text || (lw_number_read(&end, &k) && *end++ == '/' && lw_number_read(&end, &n) &&
                         !*end && k >= 1 && k <= n && n <= INT_MAX);
  if (!right || k != floor(k) || n != floor(n))
    stop(USAGE, "--part: '%s' is wrong, expected K/N, for example 2/4", text);
  part[0] = (int)k;
  part[1] = (int)n;
}

void warn_faults(const lwResults* results, const char* path)
{
  long faults = lw_results_faults(results);
  if (faults > 0)
    note("warning: %ld of %ld samples have no results; 'linkwork study report %s --table "
         "impossible' says why",
         faults, lw_results_done(results), path);
}

static int end_run(const lwStudy* study, const lwResults* results, const char* path, double began,
                   long before)
{
  long done = lw_results_done(results);
  progress_clear();
  if (run_loop_stop)
  {
    if (done > 0)
      say("linkwork: stopped; %ld of %ld samples are in %s, --resume continues\n", done,
          lw_study_samples(study), path);
    else
      say("linkwork: stopped before the first sample; %s is not written\n", path);
    return 128 + run_loop_stop;
  }
  warn_faults(results, path);
  note("%ld samples in %s, %ld of them now, in %.3g s; 'linkwork study report %s' shows them", done,
       path, done - before, clock_now() - began, path);
  return DONE;
}

static int run_all(const Options* options, const lwStudy* study)
{
  const char* path   = options->value[OPTION_OUT];
  bool resume        = options->value[OPTION_RESUME] != NULL;
  lwResults* results = NULL;
  long threads       = whole_of(options, OPTION_THREADS, 1, 0);
  int part[2];
  part_of(options, part);
  lwDiag* diag  = hold_messages();
  double began  = clock_now();
  lwStatus made = lw_results_open(study, path, resume, diag, &results);
  hold_results(results);
  long before = made == LW_OK ? lw_results_done(results) : 0;
  if (made == LW_OK) made = lw_results_only(results, part[0], part[1], diag);
  run_loop_catch_signals();
  if (made == LW_OK)
    made = lw_study_run(study, results, (int)threads, &run_loop_stop, tell_progress, &began, diag);
  progress_clear();
  need(study_refused(diag, path, made));
  return end_run(study, results, path, began, before);
}

int cmd_study(const Options* options)
{
  const char* out = options->value[OPTION_OUT];
  long sample     = whole_of(options, OPTION_SAMPLE, 0, -1);
  char program[PATH_MAX];
  if (sample < 0 && (!out || !strcmp(out, "-")))
    stop(USAGE, "study: --out FILE names the database of the results");
  if (sample < 0 && !lw_results_possible())
    stop(INPUT, "study: this build has no SQLite, and so no results; build it with "
                "libsqlite3-dev. --sample K computes one sample");
  const lwStudy* study = study_of(options, own_program(program));
  return sample >= 0 ? run_sample(options, study, sample) : run_all(options, study);
}

int cmd_study_merge(const Options* options)
{
  const char* path = options->value[OPTION_OUT];
  if (!path || !strcmp(path, "-")) stop(USAGE, "study merge: --out FILE names the new database");
  lwDiag* diag = hold_messages();
  run_loop_catch_signals();
  int status = study_refused(
      diag, path,
      lw_results_merge(path, options->operand_count, options->operands, &run_loop_stop, diag));
  return status != DONE && run_loop_stop ? 128 + run_loop_stop : status;
}
