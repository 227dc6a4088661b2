// SPDX-License-Identifier: MIT
#include "run_loop.h"

#include <signal.h>

#include "base/clock.h"
#include "exit.h"
#include "progress.h"

volatile sig_atomic_t run_loop_stop;

static void on_signal(int number)
{
  run_loop_stop = number;
}

// A signal that the parent told us to ignore stays ignored.
static void catch_signal(int number)
{
  struct sigaction old, action = {.sa_handler = on_signal};
  sigemptyset(&action.sa_mask);
  sigaction(number, NULL, &old);
  if (old.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void run_loop_catch_interrupt(void)
{
  catch_signal(SIGINT);
}

void run_loop_catch_signals(void)
{
  catch_signal(SIGINT);
  catch_signal(SIGQUIT);
  catch_signal(SIGTERM);
}

double run_loop_seconds(const RunLoop* run_loop)
{
  return clock_now() - run_loop->began;
}

int run_loop_run(RunLoop* run_loop, const lwOut* out, RunLoopStep* step, void* context)
{
  int64_t count   = lw_clock_records(run_loop->duration, run_loop->record);
  int status      = DONE;
  run_loop->began = clock_now();
  run_loop_catch_signals();
  progress_restart();
  for (int64_t k = 0; k < count && status == DONE && !lw_out_stopped(out); ++k)
  {
    double t = lw_clock_record(k, run_loop->duration, run_loop->record);
    if (run_loop->from > 0 && t <= run_loop->from) continue;
    status = step(context, t);
    progress_show(t / run_loop->duration, "t = %.4g of %g s", t, run_loop->duration);
  }
  progress_clear();
  return status;
}
