// SPDX-License-Identifier: MIT
// A run over time as people see it: records at equal intervals, progress on a terminal,
// signals that end it.
#ifndef IO_COURSE_H
#define IO_COURSE_H

#include "output.h"

#include <signal.h>
#include <stdbool.h>

typedef struct Course
{
  double duration, record;  // s
  double began;             // s, by the clock
} Course;

// The signal that came, 0: none.
extern volatile sig_atomic_t course_stop;

// From here on Ctrl-C and SIGTERM set course_stop.
void course_catch_signals(void);
void course_catch_interrupt(void);  // Ctrl-C alone

// Goes to time t and records it; DONE, or why the run ends.
typedef int CourseStep(void* context, double t);

// From record to record until the duration, a step that is not DONE, or an output that cannot be
// written. Ctrl-C and SIGTERM set course_stop from here on.
int course_run(Course* course, const Out* out, CourseStep* step, void* context);

double course_seconds(const Course* course);  // by the clock, since it began

#endif
