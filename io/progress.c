// SPDX-License-Identifier: MIT
#include "progress.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "note.h"
#include "program_text.h"

enum
{
  BAR        = 24,  // characters
  MOST_WORDS = 38,
  WORDS_SIZE = 200
};

static const double FIRST = 1, NEXT = 0.2;  // s until the bar appears, and until it changes

static struct
{
  double began, due;            // s by the clock; began 0: not yet
  bool ended;                   // the terminal shows the output, or there is none
  volatile sig_atomic_t shown;  // the bar stands on its line
  bool timed;                   // a timer draws it
  char words[WORDS_SIZE];       // beside it
} bar;

double clock_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void set_timer(double first, double next)
{
  struct itimerval timer = {.it_value = {(time_t)first, (suseconds_t)(1e6 * (first - (int)first))},
                            .it_interval = {(time_t)next, (suseconds_t)(1e6 * (next - (int)next))}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

void progress_clear(void)
{
  if (bar.timed) set_timer(0, 0);
  bar.timed = false;
  if (bar.shown) fputs("\r\033[K", stderr);
  bar.shown = 0;
}

void progress_restart(void)
{
  progress_clear();
  bar.began = clock_now();
  bar.due   = bar.began + FIRST;
  bar.ended = !isatty(STDERR_FILENO) || !notes_on();
}

void progress_yield(int file)
{
  if (bar.began <= 0 || bar.ended || !isatty(file)) return;
  progress_clear();
  bar.ended = true;
}

static void print_bar(double done)
{
  char text[BAR + 1];
  for (int i = 0; i < BAR; ++i) text[i] = i < done * BAR ? '#' : '.';
  text[BAR] = 0;
  fprintf(stderr, "[%s] ", text);
}

// Words that stay on the line: one that is longer than the terminal is wide would not be cleared.
static void put_words(const char* format, va_list arguments)
{
  vsnprintf(bar.words, sizeof bar.words - 2, format, arguments);
  lw_text_one_line(bar.words);
  bar.words[lw_text_skip(bar.words, strlen(bar.words), MOST_WORDS)] = 0;
}

void progress_show(double done, const char* format, ...)
{
  if (bar.began <= 0) progress_restart();
  if (bar.ended) return;
  double now = clock_now();
  if (now < bar.due) return;
  bar.due   = now + NEXT;
  bar.shown = 1;
  fputs("\r", stderr);
  if (done >= 0) print_bar(done);
  va_list arguments;
  va_start(arguments, format);
  put_words(format, arguments);
  va_end(arguments);
  fputs(bar.words, stderr);
  if (done > 0) fprintf(stderr, ", %.0f s left", (now - bar.began) * (1 - done) / done);
  fputs("\033[K", stderr);
}

// Draws "words, 12 s". A signal handler may call only a few functions.
static void on_timer(int number)
{
  (void)number;
  int before = errno, count = 0;
  long seconds               = (long)(clock_now() - bar.began);
  char line[WORDS_SIZE + 40] = "\r", digits[20];
  do digits[count++] = (char)('0' + seconds % 10);
  while ((seconds /= 10) > 0);
  strcat(line, bar.words);
  char* end = line + strlen(line);
  while (count > 0) *end++ = digits[--count];
  strcpy(end, " s\033[K");
  bar.shown = write(STDERR_FILENO, line, strlen(line)) > 0;
  errno     = before;
}

void progress_wait(const char* format, ...)
{
  struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
  if (bar.began <= 0) progress_restart();
  progress_clear();
  if (bar.ended) return;
  va_list arguments;
  va_start(arguments, format);
  put_words(format, arguments);
  va_end(arguments);
  strcat(bar.words, ", ");
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  double first = bar.began + FIRST - clock_now();
  bar.timed    = true;
  set_timer(first > NEXT ? first : NEXT, NEXT);
}

void progress_still(const char* words)
{
  if (bar.began <= 0) progress_restart();
  if (bar.ended) return;
  fputs(words, stderr);
  bar.shown = 1;
}
