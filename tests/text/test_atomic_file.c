// SPDX-License-Identifier: MIT
// Files that appear complete or not at all.
#include "text/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/testing.h"

static char folder[] = "/tmp/linkwork-atomic-XXXXXX";

static int enter_folder(void** unused)
{
  (void)unused;
  return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void** unused)
{
  (void)unused;
  return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;  // nothing is left in it
}

static void put(lwAtomicFile* file, const char* path, const char* text)
{
  assert_int_equal(lw_atomic_file_open(file, path), 0);
  assert_int_equal(write(file->file, text, strlen(text)), (int)strlen(text));
}

static void expect_text(const char* path, const char* text)
{
  char found[64] = "";
  int file       = open(path, O_RDONLY);
  assert_at_least(file, 0);
  assert_at_least(read(file, found, sizeof found - 1), 0);
  close(file);
  assert_string_equal(found, text);
}

static void a_file_appears_when_it_is_kept(void** unused)
{
  (void)unused;
  lwAtomicFile file;
  struct stat is;
  put(&file, "a.txt", "one");
  assert_int_not_equal(access("a.txt", F_OK), 0);
  assert_int_equal(lw_atomic_file_keep(&file, ""), 0);
  expect_text("a.txt", "one");
  assert_int_equal(chmod("a.txt", 0640), 0);
  put(&file, "a.txt", "two");
  expect_text("a.txt", "one");  // until the new one is complete
  assert_int_equal(lw_atomic_file_keep(&file, ""), 0);
  expect_text("a.txt", "two");
  assert_int_equal(stat("a.txt", &is), 0);
  assert_int_equal(is.st_mode & 0777, 0640);  // as before
  put(&file, "a.txt", "three");
  lw_atomic_file_drop(&file);
  expect_text("a.txt", "two");
  put(&file, "a.txt", "part");
  assert_int_equal(lw_atomic_file_keep(&file, ".partial"), 0);
  expect_text("a.txt.partial", "part");
  unlink("a.txt.partial");
  unlink("a.txt");
}

static void links_are_followed_and_stay(void** unused)
{
  (void)unused;
  lwAtomicFile file;
  struct stat is;
  assert_int_equal(symlink("target.txt", "link.txt"), 0);  // dangling
  put(&file, "link.txt", "one");
  assert_int_equal(lw_atomic_file_keep(&file, ""), 0);
  expect_text("target.txt", "one");
  assert_int_equal(lstat("link.txt", &is), 0);
  assert_true(S_ISLNK(is.st_mode));
  unlink("link.txt");
  unlink("target.txt");
  assert_int_equal(symlink("b", "a"), 0);
  assert_int_equal(symlink("a", "b"), 0);
  assert_int_equal(lw_atomic_file_open(&file, "a"), ELOOP);
  unlink("a");
  unlink("b");
}

static void what_cannot_be_written_is_refused(void** unused)
{
  (void)unused;
  lwAtomicFile file, files[9];
  assert_int_equal(lw_atomic_file_open(&file, "no-folder/a.txt"), ENOENT);
  char name[] = "0.txt";
  for (int i = 0; i < 8; ++i)
  {
    name[0] = (char)('0' + i);
    put(&files[i], name, "");
  }
  assert_int_equal(lw_atomic_file_open(&files[8], "8.txt"), EMFILE);
  for (int i = 0; i < 8; ++i) lw_atomic_file_drop(&files[i]);
  assert_int_equal(lw_atomic_file_open(&files[8], "8.txt"), 0);
  lw_atomic_file_drop(&files[8]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_appears_when_it_is_kept),
      cmocka_unit_test(links_are_followed_and_stay),
      cmocka_unit_test(what_cannot_be_written_is_refused),
  };
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
