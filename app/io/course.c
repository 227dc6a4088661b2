// SPDX-License-Identifier: MIT
#include "course.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "app.h"
#include "io/note.h"

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

static double clock_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double course_seconds(const Course* course)
{
  return clock_now() - course->began;
}

enum
{
  BAR = 30  // characters
};

static void show_progress(Course* course, double t)
{
  if (!course->progress) return;
  double now = clock_now(), part = t / course->duration;
  if (now - course->shown < 0.2) return;
  char bar[BAR + 1];
  for (int i = 0; i < BAR; ++i) bar[i] = i < part * BAR ? '#' : '.';
  bar[BAR]      = 0;
  course->shown = now;
  fprintf(stderr, "\r[%s] t = %.4g of %g s, %.0f s left   ", bar, t, course->duration,
          part > 0 ? (now - course->began) * (1 - part) / part : 0.0);
}

static void clear_progress(const Course* course)
{
  if (course->progress && course->shown > 0) fprintf(stderr, "\r%*s\r", BAR + 60, "");
}

int course_run(Course* course, const Out* out, CourseStep* step, void* context)
{
  double count     = ceil(course->duration / course->record - 1e-9);
  bool visible     = out->file == STDOUT_FILENO && isatty(STDOUT_FILENO);
  int status       = DONE;
  course->progress = isatty(STDERR_FILENO) && !visible && notes_on();
  course->began    = clock_now();
  course_catch_signals();
  for (double i = 0; i <= count && status == DONE && !out_stopped(out); ++i)
  {
    double t = i < count ? i * course->record : course->duration;
    status   = step(context, t);
    show_progress(course, t);
  }
  clear_progress(course);
  return status;
}
