// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <string.h>

#include "support/testing.h"

static void pieces_are_zeroed_aligned_and_apart(void** state)
{
  (void)state;
  lwArena arena = {0};
  unsigned char* pieces[200];
  for (int i = 0; i < 200; ++i)
  {
    size_t size = (size_t)(1 + 37 * i);
    pieces[i]   = lw_arena_take(&arena, size, 1);
    assert_non_null(pieces[i]);
    assert_int_equal((uintptr_t)pieces[i] % 64, 0);
    for (size_t k = 0; k < size; ++k) assert_int_equal(pieces[i][k], 0);
    memset(pieces[i], i + 1, size);
  }
  for (int i = 0; i < 200; ++i)
  {
    for (int k = 0; k < 1 + 37 * i; ++k) assert_int_equal(pieces[i][k], i + 1);
  }
  lw_arena_free(&arena);
}

static void a_large_piece_gets_a_block_of_its_own(void** state)
{
  (void)state;
  lwArena arena = {0};
  char* piece   = lw_arena_take(&arena, 1 << 20, 3);
  assert_non_null(piece);
  piece[3 * (1 << 20) - 1] = 1;
  assert_at_least(arena.total, 3u << 20);
  lw_arena_free(&arena);
  assert_null(arena.blocks);
  assert_int_equal(arena.total, 0);
}

static void memory_grows_in_proportion(void** state)
{
  (void)state;
  lwArena arena = {0};
  for (int i = 0; i < 100000; ++i) assert_non_null(lw_arena_take(&arena, 1, 64));
  assert_in_range(arena.total, 6400000, 4 * 6400000);
  lw_arena_free(&arena);
}

static void sizes_that_overflow_are_refused(void** state)
{
  (void)state;
  lwArena arena = {0};
  assert_null(lw_arena_take(&arena, SIZE_MAX, 2));
  assert_null(lw_arena_take(&arena, SIZE_MAX / 8, 16));
  assert_null(lw_arena_take(&arena, 1, SIZE_MAX));
  lw_arena_free(&arena);
}

static void text_is_copied_and_ended(void** state)
{
  (void)state;
  lwArena arena = {0};
  assert_string_equal(lw_arena_text(&arena, "elbow and more", 5), "elbow");
  assert_string_equal(lw_arena_text(&arena, NULL, 0), "");
  lw_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
      cmocka_unit_test(a_large_piece_gets_a_block_of_its_own),
      cmocka_unit_test(memory_grows_in_proportion),
      cmocka_unit_test(sizes_that_overflow_are_refused),
      cmocka_unit_test(text_is_copied_and_ended),
  };
  return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
