// SPDX-License-Identifier: MIT
#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/testing.h"

static const lwPlace nowhere = {0, 0};

// The formatted first message of a report about one line of text.
static const char* shown(const char* text, lwPlace place, const char* hint)
{
  static char buffer[4096];
  lwDiag* diag    = lw_diag_create();
  lwSource source = {"arm.yaml", text, strlen(text)};
  lw_diag_report(diag, LW_SEVERITY_ERROR, &source, place, hint, "wrong");
  lw_message_format(lw_diag_message(diag, 0), buffer, sizeof buffer);
  lw_diag_destroy(diag);
  return buffer;
}

static void every_status_has_a_sentence(void** state)
{
  (void)state;
  assert_string_equal(lw_status_text(LW_OK), "done");
  assert_string_equal(lw_status_text(LW_ERROR_MEMORY), "out of memory");
  assert_string_equal(lw_status_text((lwStatus)99), "unknown status");
  assert_string_equal(lw_status_text((lwStatus)-1), "unknown status");
  int major, minor, patch;
  assert_int_equal(sscanf(lw_version(), "%d.%d.%d", &major, &minor, &patch), 3);
}

static void a_message_has_the_form_of_the_style_guide(void** state)
{
  (void)state;
  char text[2000] = "";
  for (int i = 1; i < 41; ++i) strcat(text, "#\n");
  strcat(text, "    inertia: [0.012, 0.011, 0.031, 0, 0, 0]\nnext: 1\n");
  lwSource source = {"arm.yaml", text, strlen(text)};
  lwDiag* diag    = lw_diag_create();
  lw_diag_report(diag, LW_SEVERITY_ERROR, &source, (lwPlace){41, 13},
                 "no rigid body has these principal moments", "link '%s': %g < %g", "wrist",
                 0.012 + 0.011, 0.031);
  const char* expected = "arm.yaml:41:13: error: link 'wrist': 0.023 < 0.031\n"
                         "   41 |     inertia: [0.012, 0.011, 0.031, 0, 0, 0]\n"
                         "  hint: no rigid body has these principal moments\n";
  char buffer[512];
  size_t length = lw_message_format(lw_diag_message(diag, 0), buffer, sizeof buffer);
  assert_string_equal(buffer, expected);
  assert_int_equal(length, strlen(expected));
  lw_diag_destroy(diag);
}

static void parts_that_are_not_known_are_left_out(void** state)
{
  (void)state;
  lwDiag* diag = lw_diag_create();
  char buffer[256];
  lw_diag_report(diag, LW_SEVERITY_WARNING, NULL, nowhere, NULL, "doubtful");
  lw_message_format(lw_diag_message(diag, 0), buffer, sizeof buffer);
  assert_string_equal(buffer, "warning: doubtful\n");

  lw_diag_report(diag, LW_SEVERITY_ERROR, &(lwSource){.file = "a.yaml"}, nowhere, NULL, "empty");
  lw_message_format(lw_diag_message(diag, 1), buffer, sizeof buffer);
  assert_string_equal(buffer, "a.yaml: error: empty\n");

  lw_diag_report(diag, LW_SEVERITY_ERROR, NULL, (lwPlace){3, 7}, "do", "x");
  lw_message_format(lw_diag_message(diag, 2), buffer, sizeof buffer);
  assert_string_equal(buffer, "3:7: error: x\n  hint: do\n");

  // a line beyond the end of the text
  lw_diag_report(diag, LW_SEVERITY_ERROR, &(lwSource){"a", "one\n", 4}, (lwPlace){9, 1}, NULL, "x");
  assert_null(lw_diag_message(diag, 3)->source);
  lw_diag_destroy(diag);
}

static void a_short_buffer_is_ended_and_the_length_told(void** state)
{
  (void)state;
  lwDiag* diag = lw_diag_create();
  lw_diag_report(diag, LW_SEVERITY_ERROR, NULL, nowhere, NULL, "0123456789");
  const lwMessage* message = lw_diag_message(diag, 0);
  size_t whole             = strlen("error: 0123456789\n");
  char buffer[64];
  for (size_t size = 0; size <= whole + 1; ++size)
  {
    memset(buffer, '#', sizeof buffer);
    assert_int_equal(lw_message_format(message, buffer, size), whole);
    assert_int_equal(buffer[size], '#');
    if (size > 0) assert_int_equal(strlen(buffer), size - 1);
  }
  assert_int_equal(lw_message_format(message, NULL, 0), whole);
  lw_diag_destroy(diag);
}

static void a_hundred_of_each_severity_are_kept(void** state)
{
  (void)state;
  lwDiag* diag = lw_diag_create();
  for (int i = 0; i < 250; ++i)
    lw_diag_report(diag, LW_SEVERITY_ERROR, NULL, nowhere, NULL, "error %d", i);
  for (int i = 0; i < 300; ++i)
    lw_diag_report(diag, LW_SEVERITY_WARNING, NULL, nowhere, NULL, "warning %d", i);
  assert_int_equal(lw_diag_size(diag), 200);
  assert_int_equal(lw_diag_count(diag, LW_SEVERITY_ERROR), 250);
  assert_int_equal(lw_diag_count(diag, LW_SEVERITY_WARNING), 300);
  assert_string_equal(lw_diag_message(diag, 99)->text, "error 99");
  assert_string_equal(lw_diag_message(diag, 199)->text, "warning 99");
  lw_diag_destroy(diag);
}

static void a_long_line_is_cut_around_the_column(void** state)
{
  (void)state;
  char line[1001];
  memset(line, 'x', 1000);
  line[1000] = 0;
  memcpy(line + 500, "HERE", 4);
  const char* text = shown(line, (lwPlace){1, 501}, NULL);
  const char* part = strstr(text, "    1 | ...");
  assert_non_null(part);
  assert_contains(part, "HERE");
  assert_string_equal(part + strlen(part) - 5, "x...\n");
  assert_int_equal(strlen(part), strlen("    1 | ...") + 100 + strlen("...\n"));

  assert_contains(shown(line, (lwPlace){1, 3}, NULL), "    1 | xxx");
  assert_contains(shown(line, (lwPlace){1, 1000}, NULL), "xxx\n");
  line[100] = 0;
  assert_null(strstr(shown(line, (lwPlace){1, 99}, NULL), "..."));
}

static void cutting_counts_characters(void** state)
{
  (void)state;
  char line[1001] = "";
  for (int i = 0; i < 300; ++i) strcat(line, "\xC3\xBC");
  strcat(line, "HERE");
  const char* part = strstr(shown(line, (lwPlace){1, 301}, NULL), " | ...\xC3\xBC");
  assert_non_null(part);
  assert_contains(part, "HERE\n");
  assert_null(strchr(part, '?'));
}

static void echoes_are_harmless(void** state)
{
  (void)state;
  const char* text = shown("a\tb\x1B[2Jc\xFF\r\nd", (lwPlace){1, 1}, "x\x1B\ny");
  assert_contains(text, "    1 | a b?[2Jc?\n");
  assert_contains(text, "  hint: x??y\n");

  lwDiag* diag = lw_diag_create();
  lw_diag_report(diag, LW_SEVERITY_ERROR, &(lwSource){.file = "a\x1B\nb"}, nowhere, NULL, "%s",
                 "\x1B]0;title\x07");
  char buffer[256];
  lw_message_format(lw_diag_message(diag, 0), buffer, sizeof buffer);
  assert_string_equal(buffer, "a??b: error: ?]0;title?\n");
  assert_string_equal(lw_diag_message(diag, 0)->file, "a\x1B\nb");
  lw_diag_destroy(diag);
}

static void a_very_long_sentence_is_cut(void** state)
{
  (void)state;
  char* word = malloc(100001);
  memset(word, 'x', 100000);
  word[100000] = 0;
  lwDiag* diag = lw_diag_create();
  lw_diag_report(diag, LW_SEVERITY_ERROR, &(lwSource){word, NULL, 0}, nowhere, word, "%s", word);
  assert_int_equal(strlen(lw_diag_message(diag, 0)->text), 1023);
  assert_int_equal(strlen(lw_diag_message(diag, 0)->hint), 1023);
  assert_in_range(lw_message_format(lw_diag_message(diag, 0), NULL, 0), 3000, 4000);
  lw_diag_destroy(diag);
  free(word);
}

static void strings_are_copied(void** state)
{
  (void)state;
  char file[] = "a.yaml", text[] = "mass: 1", hint[] = "hint";
  lwDiag* diag = lw_diag_create();
  lw_diag_report(diag, LW_SEVERITY_ERROR, &(lwSource){file, text, strlen(text)}, (lwPlace){1, 1},
                 hint, "wrong");
  file[0] = text[0] = hint[0] = '!';
  assert_string_equal(lw_diag_message(diag, 0)->file, "a.yaml");
  assert_string_equal(lw_diag_message(diag, 0)->source, "mass: 1");
  assert_string_equal(lw_diag_message(diag, 0)->hint, "hint");
  lw_diag_destroy(diag);
}

static void reporting_to_nobody_is_allowed(void** state)
{
  (void)state;
  lw_diag_report(NULL, LW_SEVERITY_ERROR, NULL, nowhere, NULL, "nobody hears %d", 1);
  lw_diag_destroy(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_status_has_a_sentence),
      cmocka_unit_test(a_message_has_the_form_of_the_style_guide),
      cmocka_unit_test(parts_that_are_not_known_are_left_out),
      cmocka_unit_test(a_short_buffer_is_ended_and_the_length_told),
      cmocka_unit_test(a_hundred_of_each_severity_are_kept),
      cmocka_unit_test(a_long_line_is_cut_around_the_column),
      cmocka_unit_test(cutting_counts_characters),
      cmocka_unit_test(echoes_are_harmless),
      cmocka_unit_test(a_very_long_sentence_is_cut),
      cmocka_unit_test(strings_are_copied),
      cmocka_unit_test(reporting_to_nobody_is_allowed),
  };
  return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
