// SPDX-License-Identifier: MIT
// linkwork bench --plot: how the time of every method grows with the number of joints.
#include "bench.h"
#include "io/picture.h"
#include "report/plot/method_plot.h"

// Points of the plot: one state per call, in the first precision measured.
static bool time_point(const void* context, int i, int method, double* joints, double* value)
{
  const Bench* bench      = context;
  const BenchTrial* trial = &bench->trials[i];
  lwPrecision precision =
      bench->precisions[LW_PRECISION_DOUBLE] ? LW_PRECISION_DOUBLE : LW_PRECISION_SINGLE;
  if (trial->special || trial->method != method || trial->precision != precision ||
      trial->mode != TRIAL_SINGLE)
    return false;
  *joints = trial_joints(trial);
  *value  = trial->best;
  return true;
}

int bench_plot(const Bench* bench, const char* path)
{
  char message[LW_PLOT_MESSAGE];
  lwMethodPlot plot = {.label    = "ns per state, one core",
                       .question = bench->question,
                       .points   = bench->count,
                       .point    = time_point,
                       .context  = bench};
  picture_wait(path);
  return lw_method_plot_draw(&plot, path, message) ? DONE : picture_failed(path, message);
}
