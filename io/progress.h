// SPDX-License-Identifier: MIT
// A progress bar for what takes more than a second. Its line is cleared before anything else is
// printed there; without a terminal, or with --quiet, there is none.
#ifndef IO_PROGRESS_H
#define IO_PROGRESS_H

// The fraction that is done, and in words, "t = 2 of 10 s". done < 0: the total is not known.
void progress_show(double done, const char* format, ...) __attribute__((format(printf, 2, 3)));

// For work that cannot say how far it is: after the first second the words and the seconds passed,
// drawn by a timer until progress_clear().
void progress_wait(const char* format, ...) __attribute__((format(printf, 1, 2)));

// For work that must not be interrupted: the words, at once, until progress_clear().
void progress_still(const char* words);

void progress_clear(void);

// The second in which nothing is shown begins again.
void progress_restart(void);

// Output is about to go to this file: if that is a terminal the line is cleared and stays so.
void progress_yield(int file);

double clock_now(void);  // s

#endif
