// SPDX-License-Identifier: MIT
// Text: UTF-8, lines, the nearest known word, and a map from names to numbers.
#ifndef LW_BASE_TEXT_H
#define LW_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

// Bytes of the UTF-8 character that text begins with, and its code point; 0 if there is none.
size_t lw_text_decode(const char* text, size_t length, uint32_t* code);

// How many characters of UTF-8 begin in the first `bytes` bytes.
int lw_text_characters(const char* text, size_t bytes);

// True for characters that may move the cursor or change the direction of writing.
bool lw_text_is_control(uint32_t code);

// Copies characters so that a terminal can show them: a tab becomes a space, controls and bytes
// that are not UTF-8 become '?', one for one. Writes at most size bytes including the final 0,
// whole characters; returns their length.
size_t lw_text_printable(char* out, size_t size, const char* text, size_t length);

// Bytes of the first `characters` characters of text; a byte that is not UTF-8 counts as one.
size_t lw_text_skip(const char* text, size_t length, size_t characters);

// Start of a line, counted from 1, without its line feed or CR LF; NULL if there is no such line.
const char* lw_text_line(const char* text, size_t length, int line, size_t* line_length);

// The search for the known name that was probably meant: the fewest insertions, deletions,
// replacements and swaps of neighbouring letters, at most a third of the word; or a name that
// begins with the word. Upper and lower case are alike.
typedef struct lwNearest
{
  const char* word;  // as written
  size_t length;     // of word, bytes
  const char* best;  // the candidate itself; NULL: none is near
  int distance;      // edits from word to best; without one, the first distance that is too far
} lwNearest;

lwNearest lw_nearest(const char* word);
lwNearest lw_nearest_part(const char* text, size_t length);  // the word is the beginning of a text
void lw_nearest_try(lwNearest* nearest, const char* candidate);

// "did you mean 'x'?", or NULL if no name is near.
enum
{
  LW_HINT_SIZE = 200
};
const char* lw_nearest_hint(const lwNearest* nearest, char hint[LW_HINT_SIZE]);
#define LW_DID_YOU_MEAN(nearest) lw_nearest_hint(&(nearest), (char[LW_HINT_SIZE]){""})

// A map from names to numbers, a crit-bit tree: a look-up costs O(length of the name),
// whatever the names are.
typedef struct lwNameNode lwNameNode;

typedef struct lwNameMap
{
  lwArena* arena;
  lwNameNode* root;
} lwNameMap;

// Where the number of a name is kept, added as -1 if it is new; NULL when out of memory.
// The name is not copied.
int* lw_name_map_put(lwNameMap* map, const char* name);

// The number of a name, or -1.
int lw_name_map_find(const lwNameMap* map, const char* name);

#endif
