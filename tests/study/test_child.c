// SPDX-License-Identifier: MIT
// Programs that a study starts: what they print, how they end, and that they end with the study.
#include "study/child.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/testing.h"

static char* run(lwChild* child, const char* script, size_t* length)
{
  static char* words[] = {"sh", "-c", NULL, NULL};
  words[2]             = (char*)script;
  *child = (lwChild){.program = "sh", .words = words, .stderr_text = -1, .stop = child->stop};
  return lw_child_run(child, length);
}

static void output_and_exit_codes(void** unused)
{
  (void)unused;
  lwChild child = {0};
  size_t length = 0;
  char* text    = run(&child, "echo one; echo two >&2; exit 3", &length);
  assert_non_null(text);
  assert_string_equal(text, "one\n");  // stderr goes elsewhere
  assert_int_equal(length, 4);
  assert_int_equal(child.code, 3);
  free(text);
  text = run(&child, "kill -9 $$", &length);
  assert_int_equal(child.code, 128 + SIGKILL);
  free(text);
}

// More than one buffer.
static void long_output_is_whole(void** unused)
{
  (void)unused;
  lwChild child = {0};
  size_t length = 0;
  char* text =
      run(&child, "i=0; while [ $i -lt 30000 ]; do echo line $i; i=$((i + 1)); done", &length);
  assert_non_null(text);
  assert_int_equal(length, strlen(text));
  assert_int_equal(length, 5 * 30000 + 10 + 2 * 90 + 3 * 900 + 4 * 9000 + 5 * 20000 + 30000);
  assert_contains(text, "line 29999\n");
  free(text);
}

static void descriptors_and_input_are_not_inherited(void** unused)
{
  (void)unused;
  lwChild child = {0};
  size_t length = 0;
  char* text    = run(&child, "cat; ls /proc/self/fd 2>/dev/null | wc -l", &length);
  assert_non_null(text);
  assert_at_most(atoi(text), 4);  // 0, 1, 2 and the folder itself
  free(text);
}

static void programs_that_do_not_exist(void** unused)
{
  (void)unused;
  char* words[] = {"no-such-program", NULL};
  size_t length;
  lwChild child = {.program = words[0], .words = words, .stderr_text = -1};
  assert_null(lw_child_run(&child, &length));
  assert_int_equal(child.error, ENOENT);
}

// A study that is stopped ends its program and what that has started.
static void stopping_ends_it(void** unused)
{
  (void)unused;
  volatile sig_atomic_t stop = 1;
  lwChild child              = {.stop = &stop};
  size_t length              = 0;
  time_t begin               = time(NULL);
  assert_null(run(&child, "sleep 60", &length));
  assert_int_equal(child.error, 0);
  assert_false(child.too_long);
  assert_less(time(NULL) - begin, 30);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(output_and_exit_codes),
      cmocka_unit_test(long_output_is_whole),
      cmocka_unit_test(descriptors_and_input_are_not_inherited),
      cmocka_unit_test(programs_that_do_not_exist),
      cmocka_unit_test(stopping_ends_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
