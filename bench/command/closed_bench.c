// SPDX-License-Identifier: MIT
// linkwork bench for a robot with closed loops: forward dynamics by every formulation, beside that
// which people are given.
#include <stdlib.h>

#include "bench.h"

bool bench_names_formulation(const char* name)
{
  for (int i = 0; i < lw_formulation_count(); ++i)
    if (lw_method_is(lw_formulation(i), name)) return true;
  return false;
}

static void check_choices(const Options* options, const Bench* bench)
{
  const char* unused = first_given(options, "--crossover --generated --plot");
  if (unused) stop(USAGE, "bench: with closed loops there is no %s", unused);
  if (precision_of(options) != LW_PRECISION_DOUBLE)
    stop(USAGE, "--precision: formulations of closed loops are in double precision");
  if (bench->question >= 0 && bench->question != LW_QUESTION_FORWARD)
    stop(USAGE, "--question: formulations of closed loops are of forward dynamics");
  if (bench->method && !bench_names_formulation(bench->method))
    stop(USAGE, "--method: '%s' is no formulation of closed loops; 'linkwork methods' lists them",
         bench->method);
}

int bench_closed(const Options* options, Bench* bench, lwFormat format)
{
  const lwModel* model = bench->models[0];
  lwFormulations* made = NULL;
  lwDiag* diag         = hold_messages();
  check_choices(options, bench);
  lwStatus status = lw_formulations_create(model, false, diag, &made);
  lw_formulations_destroy(made);
  need_made(status, options->operand, diag);
  lwOut* out    = output_of(options);
  bench->trials = calloc((size_t)lw_formulation_count() + 1, sizeof *bench->trials);
  if (!bench->trials) leave(no_memory());
  for (int i = -1; i < lw_formulation_count(); ++i)
    if (!bench->method || (i >= 0 && lw_method_is(lw_formulation(i), bench->method)))
      bench->trials[bench->count++] =
          (BenchTrial){.model = model, .closed = true, .method = i, .threads = 1};
  need_ok(bench_run(&bench->limits, bench->count, bench->trials));
  bench_write_sheet(out, bench, format, format == LW_FORMAT_JSON ? 8 : BENCH_COLUMNS);
  return output_end(out, DONE);
}
