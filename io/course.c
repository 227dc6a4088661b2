// SPDX-License-Identifier: MIT
#include "course.h"

#include <math.h>
#include <signal.h>

#include "exit.h"
#include "progress.h"

volatile sig_atomic_t course_stop;

static void on_signal(int number)
{
  course_stop = number;
}

// A signal that the parent told us to ignore stays ignored.
static void catch_signal(int number)
{
  struct sigaction old, action = {.sa_handler = on_signal};
  sigemptyset(&action.sa_mask);
  sigaction(number, NULL, &old);
  if (old.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void course_catch_interrupt(void)
{
  catch_signal(SIGINT);
}

void course_catch_signals(void)
{
  catch_signal(SIGINT);
  catch_signal(SIGQUIT);
  catch_signal(SIGTERM);
}

double course_seconds(const Course* course)
{
  return clock_now() - course->began;
}

int course_run(Course* course, const Out* out, CourseStep* step, void* context)
{
  double count  = ceil(course->duration / course->record - 1e-9);
  int status    = DONE;
  course->began = clock_now();
  course_catch_signals();
  progress_restart();
  for (double i = 0; i <= count && status == DONE && !out_stopped(out); ++i)
  {
    double t = i < count ? i * course->record : course->duration;
    status   = step(context, t);
    progress_show(t / course->duration, "t = %.4g of %g s", t, course->duration);
  }
  progress_clear();
  return status;
}
