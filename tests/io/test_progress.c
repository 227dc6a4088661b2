// SPDX-License-Identifier: MIT
// The progress line on a terminal: words with the seconds that a timer counts, and how it is
// cleared.
#include "io/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testing.h"

// A terminal as standard error; what is written there can be read from the result.
static int open_terminal(void)
{
  int terminal, side;
  if (openpty(&terminal, &side, NULL, NULL, NULL) != 0) skip();
  fflush(stderr);
  assert_true(dup2(side, STDERR_FILENO) >= 0);
  close(side);
  return terminal;
}

// Reads until the text ends with this, or for ten seconds.
static void expect_shown(int terminal, const char* end, char* text, size_t size)
{
  size_t length = 0, wanted = strlen(end);
  struct pollfd wait = {.fd = terminal, .events = POLLIN};
  text[0]            = 0;
  while (length + 1 < size && (length < wanted || strcmp(text + length - wanted, end) != 0))
  {
    int ready = poll(&wait, 1, 10000);
    if (ready < 0) continue;  // the timer's signal
    if (ready == 0) fail_msg("'%s' was not shown, but '%s'", end, text);
    ssize_t count = read(terminal, text + length, size - 1 - length);
    assert_true(count > 0);
    length += (size_t)count;
    text[length] = 0;
  }
}

// Nothing in the first second; then the words and the seconds, until it is cleared.
static void waiting_is_shown(void** state)
{
  int terminal = *(int*)*state;
  char text[200];
  progress_restart();
  double began = clock_now();
  progress_wait("making %d parts", 3);
  expect_shown(terminal, " s\033[K", text, sizeof text);
  double passed = clock_now() - began;
  assert_at_least(passed, 0.9);
  assert_contains(text, "\rmaking 3 parts, ");
  progress_clear();
  fflush(stderr);
  expect_shown(terminal, "\r\033[K", text, sizeof text);
  progress_clear();  // a second time there is nothing to clear
  fflush(stderr);
  struct pollfd quiet = {.fd = terminal, .events = POLLIN};
  assert_int_equal(poll(&quiet, 1, 50), 0);
}

// Without a timer the words are there at once.
static void still_words_are_shown(void** state)
{
  int terminal = *(int*)*state;
  char text[200];
  progress_restart();
  progress_still("writing the page");
  fflush(stderr);
  expect_shown(terminal, "writing the page", text, sizeof text);
  progress_clear();
  fflush(stderr);
  expect_shown(terminal, "\r\033[K", text, sizeof text);
}

// What cmocka says goes to the former standard error.
static int terminal_of_test, usual;

static int set_up(void** state)
{
  usual            = dup(STDERR_FILENO);
  terminal_of_test = open_terminal();
  *state           = &terminal_of_test;
  return 0;
}

static int tear_down(void** state)
{
  (void)state;
  fflush(stderr);
  assert_true(dup2(usual, STDERR_FILENO) >= 0);
  close(usual);
  close(terminal_of_test);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(waiting_is_shown, set_up, tear_down),
      cmocka_unit_test_setup_teardown(still_words_are_shown, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
