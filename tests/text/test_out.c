// SPDX-License-Identifier: MIT
// What is written: json by patterns, quoting, copies of an output, files that appear complete or
// not at all.
#include "text/out.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"

static void json_follows_its_pattern(void** state)
{
  (void)state;
  const double numbers[] = {1, -0.5, (double)NAN};
  lwOut out              = {.in_memory = true};
  lw_json(&out, "{'name': $s, 'none': $s, 'x': $n, 'y': $n, 'i': $d, 'big': $l, 'on': $b, ",
          "a \"b\"\\\n\x01", NULL, 0.1, (double)INFINITY, -3, LONG_MAX, 1);
  lw_json(&out, "'off': $b, 'list': $v, 'compact': $c}", 0, numbers, 3, numbers, 2);
  assert_true(lw_out_finish(&out));
  char expected[400];
  snprintf(expected, sizeof expected,
           "{\"name\": \"a \\\"b\\\"\\\\\\u000a\\u0001\", \"none\": null, \"x\": 0.1, \"y\": null, "
           "\"i\": "
           "-3, \"big\": %ld, \"on\": true, \"off\": false, \"list\": [1, -0.5, null], "
           "\"compact\": [1,-0.5]}",
           LONG_MAX);
  assert_string_equal(out.text, expected);
  lw_out_free(&out);
}

// Fields that a reader would take for something else are quoted.
static void csv_fields_are_quoted(void** state)
{
  (void)state;
  const char* const fields[][2] = {{"plain", "plain"},       {"", ""},
                                   {"a,b", "\"a,b\""},       {" left", "\" left\""},
                                   {"right ", "\"right \""}, {"a\"b", "\"a\"\"b\""},
                                   {"a\nb", "\"a\nb\""}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
  {
    lwOut out = {.in_memory = true};
    lw_out_csv(&out, fields[i][0]);
    assert_true(lw_out_finish(&out));
    assert_string_equal(out.text, fields[i][1]);
    lw_out_free(&out);
  }
}

static void padding_counts_characters(void** state)
{
  (void)state;
  lwOut out = {.in_memory = true};
  lw_out_padded(&out, "\xC3\xA9", 3);
  lw_out_text(&out, "|");
  lw_out_padded(&out, "\xC3\xA9", -3);
  lw_out_text(&out, "|");
  lw_out_padded(&out, "longer", 3);
  assert_true(lw_out_finish(&out));
  assert_string_equal(out.text, "\xC3\xA9  |  \xC3\xA9|longer");
  lw_out_free(&out);
}

// More than the buffer holds, in one piece and in many.
static void outputs_grow(void** state)
{
  (void)state;
  size_t size = (size_t)3 * LW_OUT_SIZE + 7;
  char* bytes = malloc(size);
  assert_non_null(bytes);
  for (size_t i = 0; i < size; ++i) bytes[i] = (char)('a' + i % 26);
  lwOut out = {.in_memory = true};
  lw_out_bytes(&out, bytes, size);
  for (size_t i = 0; i < size; ++i) lw_out_char(&out, bytes[i]);
  assert_int_equal(lw_out_length(&out), 2 * size);
  assert_true(lw_out_finish(&out));
  assert_memory_equal(out.text, bytes, size);
  assert_memory_equal(out.text + size, bytes, size);
  lw_out_free(&out);
  free(bytes);
}

static void outputs_are_copied(void** state)
{
  (void)state;
  lwOut first = {.in_memory = true}, second = {.in_memory = true};
  lwOut out = {.onto = &first, .also = &second};
  lw_out_text(&out, "both");
  lw_out_flush(&out);
  assert_true(lw_out_finish(&first));
  assert_true(lw_out_finish(&second));
  assert_string_equal(first.text, "both");
  assert_string_equal(second.text, "both");
  lw_out_free(&first);
  lw_out_free(&second);
}

// A closed descriptor: the error stays, and nothing more is tried.
static void write_errors_stay(void** state)
{
  (void)state;
  lwOut out = {.file = -1, .name = "nowhere"};
  assert_false(lw_out_stopped(&out));
  lw_out_text(&out, "lost");
  lw_out_flush(&out);
  assert_int_equal(out.error, EBADF);
  assert_true(lw_out_stopped(&out));
}

// --- files

static void folder_make(char folder[40])
{
  strcpy(folder, "/tmp/linkwork-out-XXXXXX");
  assert_non_null(mkdtemp(folder));
}

static void expect_file(const char* path, const char* expected)
{
  char text[64] = "";
  FILE* file    = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  assert_string_equal(text, expected);
}

static void write_through(lwAtomicFile* whole, const char* text)
{
  assert_int_equal(write(whole->file, text, strlen(text)), (ssize_t)strlen(text));
}

// The old file stays until the new one is kept; one that is dropped leaves no trace.
static void files_are_replaced_at_once(void** state)
{
  (void)state;
  char folder[40], path[60], partial[80];
  lwAtomicFile whole;
  folder_make(folder);
  snprintf(path, sizeof path, "%s/table.csv", folder);
  snprintf(partial, sizeof partial, "%s.partial", path);
  assert_int_equal(lw_atomic_file_open(&whole, path), 0);
  write_through(&whole, "old");
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_equal(lw_atomic_file_keep(&whole, ""), 0);
  expect_file(path, "old");
  assert_int_equal(lw_atomic_file_open(&whole, path), 0);
  write_through(&whole, "dropped");
  lw_atomic_file_drop(&whole);
  expect_file(path, "old");
  assert_int_equal(lw_atomic_file_open(&whole, path), 0);
  write_through(&whole, "half");
  assert_int_equal(lw_atomic_file_keep(&whole, ".partial"), 0);
  expect_file(path, "old");
  expect_file(partial, "half");
  assert_int_equal(remove(path), 0);
  assert_int_equal(remove(partial), 0);
  assert_int_equal(rmdir(folder), 0);  // fails if a temporary file is left
}

// A link stays a link, whether what it names exists or not.
static void links_are_followed(void** state)
{
  (void)state;
  char folder[40], link_path[60], path[60];
  struct stat is;
  lwAtomicFile whole;
  folder_make(folder);
  snprintf(link_path, sizeof link_path, "%s/link", folder);
  snprintf(path, sizeof path, "%s/target", folder);
  assert_int_equal(symlink("target", link_path), 0);
  assert_int_equal(lw_atomic_file_open(&whole, link_path), 0);
  write_through(&whole, "text");
  assert_int_equal(lw_atomic_file_keep(&whole, ""), 0);
  expect_file(path, "text");
  assert_int_equal(lstat(link_path, &is), 0);
  assert_true(S_ISLNK(is.st_mode));
  assert_int_equal(remove(link_path), 0);
  assert_int_equal(remove(path), 0);
  assert_int_equal(rmdir(folder), 0);
}

static void missing_folders_are_errors(void** state)
{
  (void)state;
  lwAtomicFile whole;
  assert_int_equal(lw_atomic_file_open(&whole, "/nonexistent-folder/table.csv"), ENOENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_follows_its_pattern),   cmocka_unit_test(csv_fields_are_quoted),
      cmocka_unit_test(padding_counts_characters),  cmocka_unit_test(outputs_grow),
      cmocka_unit_test(outputs_are_copied),         cmocka_unit_test(write_errors_stay),
      cmocka_unit_test(files_are_replaced_at_once), cmocka_unit_test(links_are_followed),
      cmocka_unit_test(missing_folders_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
