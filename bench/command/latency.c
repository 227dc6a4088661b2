// SPDX-License-Identifier: MIT
// linkwork bench --latency: how long single calls take, typically and at worst.
#include "latency.h"

#include "allocations.h"
#include "base/number.h"
#include "bench.h"
#include "io/output.h"
#include "io/progress.h"
#include "text/table_writer.h"

enum
{
  QUESTIONS   = 2,
  COLUMNS     = 21,
  FULL_CALLS  = 10000000,
  QUICK_CALLS = 100000
};

#define MOST_CALLS 1e12

typedef struct Report
{
  LatencyClock clock;
  bool locked;  // all pages of the process are locked in memory
  int count;
  Latency rows[QUESTIONS];
} Report;

static const char COLUMN[] =
    "robot,n,question,method,precision,isa,calls,mean_ns,p50_ns,p99_ns,p9999_ns,"
    "max_ns,page_faults,allocations,preemptions,clock_ns,clock_resolution_ns,"
    "memory_locked,idle_p99_ns,idle_p9999_ns,idle_max_ns";

static void latency_row(const void* context, int i, lwCell* cells)
{
  const Report* report      = context;
  const Latency* l          = &report->rows[i];
  const lwCell all[COLUMNS] = {
      lw_cell_text(lw_model_name(l->model)),
      lw_cell_number(lw_model_dof(l->model)),
      lw_cell_text(lw_question_info(l->question)->name),
      lw_cell_text(l->method),
      lw_cell_text(l->precision == LW_PRECISION_DOUBLE ? "double" : "single"),
      lw_cell_text(l->isa),
      lw_cell_number((double)l->calls),
      lw_cell_number(l->mean),
      lw_cell_number(l->p50),
      lw_cell_number(l->p99),
      lw_cell_number(l->p9999),
      lw_cell_number(l->max),
      lw_cell_number((double)l->page_faults),
      l->allocations < 0 ? lw_cell_text(NULL) : lw_cell_number((double)l->allocations),
      lw_cell_number((double)l->preemptions),
      lw_cell_number(report->clock.cost),
      lw_cell_number(report->clock.resolution),
      lw_cell_flag(report->locked),
      lw_cell_number(l->idle_p99),
      lw_cell_number(l->idle_p9999),
      lw_cell_number(l->idle_max)};
  for (int k = 0; k < COLUMNS; ++k) cells[k] = all[k];
}

// The delays of an empty loop of the same length, for comparison.
static void write_idle(lwOut* out, const Latency* l)
{
  lw_out_format(out, "%-9s %-20s%8s%8.0f%8.0f%9.0f%10.0f\n", "", "  doing nothing", "", l->p50,
                l->idle_p99, l->idle_p9999, l->idle_max);
  lw_out_format(out, "%-9s %-20s%8s%8s%8.0f%9.0f%10.0f\n", "", "  difference", "", "",
                l->p99 - l->idle_p99, l->p9999 - l->idle_p9999, l->max - l->idle_max);
}

static void write_latency_table(lwOut* out, const Report* report)
{
  const Latency* first = &report->rows[0];
  lw_out_format(out, "%s: ns per call of %ld, one state each, %s, %s precision\n",
                lw_model_name(first->model), first->calls, first->isa,
                first->precision == LW_PRECISION_DOUBLE ? "double" : "single");
  lw_out_format(out, "%-9s %-20s%8s%8s%8s%9s%10s%8s%8s%8s\n", "question", "method", "mean", "p50",
                "p99", "p99.99", "max", "faults", "allocs", "preempt");
  for (int i = 0; i < report->count; ++i)
  {
    const Latency* l = &report->rows[i];
    lw_out_format(out, "%-9s %-20s%8.0f%8.0f%8.0f%9.0f%10.0f%8ld",
                  lw_question_info(l->question)->name, l->method, l->mean, l->p50, l->p99, l->p9999,
                  l->max, l->page_faults);
    if (l->allocations < 0)
      lw_out_format(out, "%8s", "-");
    else
      lw_out_format(out, "%8ld", l->allocations);
    lw_out_format(out, "%8ld\n", l->preemptions);
    write_idle(out, l);
  }
  lw_out_format(
      out,
      "times include one reading of the clock, %.0f ns; it counts in steps of %.0f ns\n"
      "faults: page faults; allocs: calls of the allocator%s; preempt: times that the system "
      "took the processor away\n"
      "doing nothing: as many stretches of p50 in which only the clock is read, so what the "
      "machine "
      "does; difference: what is left to the call\n"
      "memory: %s\n",
      report->clock.cost, report->clock.resolution,
      first->allocations < 0 ? ", not counted in this build"
                             : ", which is counted by "
                               "standing in its place",
      report->locked ? "locked (mlockall)" : "not locked, the system does not allow it");
}

static void write_report(lwOut* out, lwFormat format, const Report* report)
{
  const lwSheet sheet = {
      .columns = COLUMN, .rows = report->count, .row = latency_row, .context = report};
  if (format == LW_FORMAT_TABLE)
    write_latency_table(out, report);
  else
    lw_sheet_write(out, format, &sheet);
}

static int choose_calls(const Options* options, long* calls)
{
  const char *text = options->value[OPTION_CALLS], *rest = text;
  double n = options->value[OPTION_QUICK] ? QUICK_CALLS : FULL_CALLS;
  if (text &&
      (!lw_number_read(&rest, &n) || *rest || !(n >= 1 && n <= MOST_CALLS) || n != (double)(long)n))
    return fail(USAGE, "--calls: '%s' is wrong, expected an integer from 1 to %g", text,
                MOST_CALLS);
  *calls = (long)n;
  return DONE;
}

static int choose_robot(const Options* options, Bench* bench)
{
  if (!options->operand && !options->value[OPTION_DOF])
    return fail(USAGE, "bench: --latency needs ROBOT, or --dof N");
  int status = bench_make_robots(options, bench);
  if (status == DONE && bench->robots > 1)
    return fail(USAGE, "bench: --latency takes one number of joints, --dof N");
  return status;
}

static int time_calls(const Bench* bench, Latency like, Report* report)
{
  static const lwQuestion questions[QUESTIONS] = {LW_QUESTION_INVERSE, LW_QUESTION_FORWARD};
  report->locked                               = latency_lock_memory();
  report->clock                                = latency_clock();
  for (int i = 0; i < QUESTIONS; ++i)
  {
    if (bench->question >= 0 && (lwQuestion)bench->question != questions[i]) continue;
    Latency* latency  = &report->rows[report->count++];
    *latency          = like;
    latency->question = questions[i];
    progress_still("timing single calls, undisturbed");
    lwStatus status = latency_run(latency);
    progress_clear();
    if (status != LW_OK) return fail(INPUT, "%s", lw_status_text(status));
  }
  return DONE;
}

// The answer is "no" if a call allocated memory.
static int latency_verdict(const Report* report)
{
  for (int i = 0; i < report->count; ++i)
    if (report->rows[i].allocations > 0)
      return fail(NO, "bench: %s dynamics called the allocator %ld times",
                  lw_question_info(report->rows[i].question)->name, report->rows[i].allocations);
  return DONE;
}

static void choose_latency(const Options* options, Bench* bench, Latency* like)
{
  lwWorkspaceDef def = lw_workspace_def();
  need(bench_choose(options, bench));
  if (bench->question == LW_QUESTION_INERTIA)
    stop(USAGE, "bench: --latency is about inverse and forward");
  like->precision = precision_of(options);
  need(choose_calls(options, &like->calls));
  need(choose_robot(options, bench));
  like->model = bench->models[0];
  if (lw_model_loop_count(like->model) > 0)
    stop(USAGE, "bench: --latency is about open trees; --open-tree leaves the loops out");
  if (bench->question != LW_QUESTION_INVERSE) forward_check(like->model, options->operand, &def);
}

int bench_latency(const Options* options)
{
  Latency like  = {0};
  Report report = {0};
  if (allocation_calls() < 0) run_companion("linkwork-bench", options->arguments - 1);
  lwFormat format = format_of(options);
  Bench* bench    = hold(allocate(1, sizeof *bench), bench_free);
  choose_latency(options, bench, &like);
  lwOut* out = output_of(options);
  need(time_calls(bench, like, &report));
  write_report(out, format, &report);
  int status = output_end(out, DONE);
  return status == DONE ? latency_verdict(&report) : status;
}
