// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "support/testing.h"

// --- UTF-8

static void characters_are_decoded(void** state)
{
  (void)state;
  const struct
  {
    const char* text;
    size_t bytes;
    uint32_t code;
  } cases[] = {
      {"a", 1, 'a'},
      {"\xC3\xBC", 2, 0xFC},
      {"\xE2\x82\xAC!", 3, 0x20AC},
      {"\xF0\x9F\xA4\x96", 4, 0x1F916},
      {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
      {"\xEF\xBF\xBF", 3, 0xFFFF},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    uint32_t code;
    assert_int_equal(lw_text_decode(cases[i].text, strlen(cases[i].text), &code), cases[i].bytes);
    assert_int_equal(code, cases[i].code);
  }
}

static void what_is_no_utf8_is_refused(void** state)
{
  (void)state;
  const char* const cases[] = {
      "\x80",              // a continuation alone
      "\xC3",              // cut short
      "\xE2\x82",          // cut short
      "\xC0\x80",          // overlong
      "\xC1\xBF",          // overlong
      "\xE0\x80\x80",      // overlong
      "\xF0\x80\x80\x80",  // overlong
      "\xED\xA0\x80",      // half of a surrogate pair
      "\xF4\x90\x80\x80",  // beyond Unicode
      "\xF5\x80\x80\x80",  // beyond Unicode
      "\xFF",
      "\xC3(",  // no continuation
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    uint32_t code;
    assert_int_equal(lw_text_decode(cases[i], strlen(cases[i]), &code), 0);
  }
  uint32_t code;
  assert_int_equal(lw_text_decode("", 0, &code), 0);
}

static void echoed_text_cannot_drive_a_terminal(void** state)
{
  (void)state;
  const char text[] = "a\tb\x1B[31mc\r\n\x7F\xC2\x9B\xE2\x80\xAE\xFF\xC3\xBC\0z";
  char out[64];
  size_t length = lw_text_printable(out, sizeof out, text, sizeof text - 1);
  assert_string_equal(out, "a b?[31mc??????\xC3\xBC?z");
  assert_int_equal(length, strlen(out));
}

static void a_short_buffer_gets_whole_characters(void** state)
{
  (void)state;
  char out[4];
  assert_int_equal(lw_text_printable(out, sizeof out, "ab\xC3\xBC", 4), 2);
  assert_string_equal(out, "ab");
  assert_int_equal(lw_text_printable(out, 1, "ab", 2), 0);
  assert_string_equal(out, "");
  assert_int_equal(lw_text_printable(out, 0, "ab", 2), 0);
}

static void columns_count_characters(void** state)
{
  (void)state;
  assert_int_equal(lw_text_skip("\xC3\xBC\xE2\x82\xACz", 6, 2), 5);
  assert_int_equal(lw_text_skip("\xFFz", 2, 1), 1);
  assert_int_equal(lw_text_skip("abc", 3, 9), 3);
  assert_int_equal(lw_text_skip("abc", 3, 0), 0);
}

static void lines_are_found(void** state)
{
  (void)state;
  const char text[]         = "one\r\ntwo\n\nfour";
  const char* const lines[] = {"one", "two", "", "four"};
  size_t length;
  for (int i = 0; i < 4; ++i)
  {
    const char* line = lw_text_line(text, strlen(text), i + 1, &length);
    assert_non_null(line);
    assert_int_equal(length, strlen(lines[i]));
    assert_memory_equal(line, lines[i], length);
  }
  assert_null(lw_text_line(text, strlen(text), 5, &length));
  assert_null(lw_text_line(text, strlen(text), 0, &length));
  assert_null(lw_text_line(text, strlen(text), -3, &length));
}

// --- the nearest word

static void the_nearest_word_is_found(void** state)
{
  (void)state;
  const char* const known[] = {
      "name",   "type",    "parent",        "alpha",          "a", "d", "theta",
      "limits", "inertia", "rotor_inertia", "torque_constant"};
  const struct
  {
    const char* word;
    const char* best;
  } cases[] = {
      {"naem", "name"},
      {"Name", "name"},
      {"tipe", "type"},
      {"paernt", "parent"},
      {"limit", "limits"},
      {"intertia", "inertia"},
      {"rotorinertia", "rotor_inertia"},
      {"torque_konst", "torque_constant"},
      {"b", NULL},
      {"colour", NULL},
      {"", NULL},
      {"thta", "theta"},
      {"al", NULL},
      {"torque", "torque_constant"},
      {"torqe", NULL},
      {"rot", "rotor_inertia"},
      {"parnet_", "parent"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    lwNearest nearest = lw_nearest(cases[i].word);
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k) lw_nearest_try(&nearest, known[k]);
    if (cases[i].best)
    {
      assert_non_null(nearest.best);
      assert_string_equal(nearest.best, cases[i].best);
    }
    else
      assert_null(nearest.best);
  }
}

static bool suggests(const char* word, const char* candidate)
{
  lwNearest nearest = lw_nearest(word);
  lw_nearest_try(&nearest, candidate);
  return nearest.best == candidate;
}

// Words that merely share some letters.
static void wild_suggestions_are_not_made(void** state)
{
  (void)state;
  assert_false(suggests("--quiet", "--out"));
  assert_false(suggests("hand", "base"));
  assert_false(suggests("inertia", "theta"));
  assert_false(suggests("rnea", "kane"));
  assert_true(suggests("rnae", "rnea"));
  assert_true(suggests("nwton-euller", "newton-euler"));
}

// The word is only the first part of a text.
static void parts_of_texts_are_words(void** state)
{
  (void)state;
  lwNearest nearest = lw_nearest_part("elbwo=90 deg", 5);
  lw_nearest_try(&nearest, "elbow");
  assert_non_null(nearest.best);
  assert_int_equal(nearest.distance, 1);
}

static void long_words_get_no_suggestion(void** state)
{
  (void)state;
  char word[200];
  memset(word, 'x', sizeof word - 1);
  word[sizeof word - 1] = 0;
  lwNearest nearest     = lw_nearest(word);
  lw_nearest_try(&nearest, word);
  assert_null(nearest.best);
  nearest = lw_nearest("name");
  lw_nearest_try(&nearest, word);
  assert_null(nearest.best);
}

// --- names to numbers

static void names_are_found_again(void** state)
{
  (void)state;
  enum
  {
    COUNT = 5000
  };
  static char names[COUNT][24];
  lwArena arena   = {0};
  lwNameMap map   = {.arena = &arena};
  lwRandom random = {7};
  assert_int_equal(lw_name_map_find(&map, "elbow"), -1);
  for (int i = 0; i < COUNT; ++i)
  {
    snprintf(names[i], sizeof names[i], "%x-%d", (unsigned)(lw_random_bits(&random) & 0xFFF), i);
    int* value = lw_name_map_put(&map, names[i]);
    assert_non_null(value);
    assert_int_equal(*value, -1);
    *value = i;
  }
  for (int i = 0; i < COUNT; ++i) assert_int_equal(lw_name_map_find(&map, names[i]), i);
  for (int i = 0; i < COUNT; ++i) assert_int_equal(*lw_name_map_put(&map, names[i]), i);
  assert_int_equal(lw_name_map_find(&map, "elbow"), -1);
  lw_arena_free(&arena);
}

static void names_that_begin_alike_are_apart(void** state)
{
  (void)state;
  const char* const names[] = {"", "a", "aa", "ab", "aaa", "b", "\xC3\xBC", "\xC3\xBD", "A"};
  int count                 = (int)(sizeof names / sizeof *names);
  lwArena arena             = {0};
  lwNameMap map             = {.arena = &arena};
  for (int i = count - 1; i >= 0; --i) *lw_name_map_put(&map, names[i]) = i;
  for (int i = 0; i < count; ++i) assert_int_equal(lw_name_map_find(&map, names[i]), i);
  assert_int_equal(lw_name_map_find(&map, "aaaa"), -1);
  assert_int_equal(lw_name_map_find(&map, "ac"), -1);
  lw_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(characters_are_decoded),
      cmocka_unit_test(what_is_no_utf8_is_refused),
      cmocka_unit_test(echoed_text_cannot_drive_a_terminal),
      cmocka_unit_test(a_short_buffer_gets_whole_characters),
      cmocka_unit_test(columns_count_characters),
      cmocka_unit_test(lines_are_found),
      cmocka_unit_test(the_nearest_word_is_found),
      cmocka_unit_test(wild_suggestions_are_not_made),
      cmocka_unit_test(parts_of_texts_are_words),
      cmocka_unit_test(long_words_get_no_suggestion),
      cmocka_unit_test(names_are_found_again),
      cmocka_unit_test(names_that_begin_alike_are_apart),
  };
  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
