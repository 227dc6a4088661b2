// SPDX-License-Identifier: MIT
// The sink of all output: texts, numbers, csv, json and XML, byte for byte.
#include "text/out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/testing.h"

// What was written since, which is freed at the next call.
static const char* written(lwOut* out)
{
  static char* last;
  free(last);
  assert_true(lw_out_finish(out));
  last = out->text ? out->text : strdup("");
  *out = (lwOut){.in_memory = true};
  return last;
}

static void texts_are_escaped(void** unused)
{
  (void)unused;
  static lwOut out = {.in_memory = true};
  lw_out_escaped(&out, "a|b<c", (const char*[]){"|\\|", "<\\<", NULL});
  assert_string_equal(written(&out), "a\\|b\\<c");
  lw_out_escaped(&out, "it's", (const char*[]){"''\\''", NULL});
  assert_string_equal(written(&out), "it'\\''s");
  lw_out_escaped(&out, "", (const char*[]){NULL});
  assert_string_equal(written(&out), "");
  lw_out_xml(&out, false, "<a b=\"1\">&\t\x7F</a>");
  assert_string_equal(written(&out), "&lt;a b=&quot;1&quot;&gt;&amp;  &lt;/a&gt;");
  lw_out_xml(&out, true, "a\tb\x7F\xC3\xA4");
  assert_string_equal(written(&out), "a&#9;b\x7F\xC3\xA4");
}

static void csv_is_quoted_if_need_be(void** unused)
{
  (void)unused;
  static lwOut out                    = {.in_memory = true};
  static const char* const cases[][2] = {
      {"q1", "q1"},     {"", ""},         {"a,b", "\"a,b\""}, {"say \"x\"", "\"say \"\"x\"\"\""},
      {" a", "\" a\""}, {"a ", "\"a \""}, {"a b", "a b"},     {"a\nb", "\"a\nb\""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    lw_out_csv(&out, cases[i][0]);
    assert_string_equal(written(&out), cases[i][1]);
  }
}

static void json_by_a_pattern(void** unused)
{
  (void)unused;
  static lwOut out       = {.in_memory = true};
  const double numbers[] = {1, -0.5, NAN};
  lw_json(&out, "{'a': $s, 'b': $n, 'c': $d, 'd': $l, 'e': $b, 'f': $v, 'g': $c}", "x\"y\n", 0.1,
          -3, 5000000000L, 1, numbers, 3, numbers, 2);
  assert_string_equal(written(&out), "{\"a\": \"x\\\"y\\u000a\", \"b\": 0.1, \"c\": -3, \"d\": "
                                     "5000000000, \"e\": true, \"f\": [1, -0.5, null], \"g\": "
                                     "[1,-0.5]}");
  lw_json(&out, "$s $n $n $v", NULL, INFINITY, NAN, numbers, 0);
  assert_string_equal(written(&out), "null null null []");
  lw_out_json(&out, "\xC3\xA4\xFF\\");  // a valid character, and a byte that is none
  assert_string_equal(written(&out), "\"\xC3\xA4\\ufffd\\\\\"");
}

static void numbers_and_widths(void** unused)
{
  (void)unused;
  static lwOut out = {.in_memory = true};
  lw_out_number(&out, -0.0);
  lw_out_char(&out, ' ');
  lw_out_number(&out, 0.1 + 0.2);
  assert_string_equal(written(&out), "0 0.30000000000000004");
  lw_out_padded(&out, "\xC3\xA4", 3);
  lw_out_padded(&out, "b", -3);
  lw_out_padded(&out, "long", 2);
  assert_string_equal(written(&out), "\xC3\xA4    blong");
}

// Larger than the buffer of the sink, and than that of one formatted text.
static void large_texts_arrive_whole(void** unused)
{
  (void)unused;
  static lwOut out, copy;
  static char text[3 * LW_OUT_SIZE];
  memset(text, 'x', sizeof text - 1);
  out = copy = (lwOut){.in_memory = true};
  lw_out_format(&out, "%s!", text);
  assert_int_equal(lw_out_length(&out), sizeof text);
  lw_out_text(&out, text);
  const char* all = written(&out);
  assert_int_equal(strlen(all), 2 * sizeof text - 1);
  assert_int_equal(all[sizeof text - 1], '!');
  static lwOut onto;  // passes everything on, to another one and to a copy
  onto = (lwOut){.onto = &out, .also = &copy};
  lw_out_text(&onto, text);
  lw_out_flush(&onto);
  assert_int_equal(strlen(written(&out)), sizeof text - 1);
  assert_int_equal(strlen(written(&copy)), sizeof text - 1);
}

static int writes;

static void count_write(int file)
{
  assert_greater(file, 2);
  ++writes;
}

static void files_get_what_is_flushed(void** unused)
{
  (void)unused;
  static lwOut out;
  char read_back[8] = "";
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  out = (lwOut){.file = ends[1], .before_write = count_write};
  lw_out_flush(&out);  // nothing, so nothing is called
  assert_int_equal(writes, 0);
  lw_out_text(&out, "abc");
  assert_false(lw_out_stopped(&out));
  lw_out_flush(&out);
  assert_int_equal(writes, 1);
  assert_int_equal(read(ends[0], read_back, sizeof read_back), 3);
  assert_string_equal(read_back, "abc");
  close(ends[0]);
  close(ends[1]);
  lw_out_text(&out, "more");
  lw_out_flush(&out);  // to a descriptor that is closed
  assert_true(lw_out_stopped(&out));
  assert_int_equal(out.error, EBADF);
  lw_out_text(&out, "ignored");
  assert_int_equal(out.used, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_are_escaped),        cmocka_unit_test(csv_is_quoted_if_need_be),
      cmocka_unit_test(json_by_a_pattern),        cmocka_unit_test(numbers_and_widths),
      cmocka_unit_test(large_texts_arrive_whole), cmocka_unit_test(files_get_what_is_flushed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
