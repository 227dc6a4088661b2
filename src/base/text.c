// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum
{
  LONGEST_WORD       = 64,  // longer words get no suggestion
  SHORTEST_BEGINNING = 3    // so many letters of a name suggest it
};

// Smallest code point that needs a sequence of that many bytes: less is "overlong".
static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};

static size_t sequence_length(unsigned char lead)
{
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

size_t lw_text_decode(const char* text, size_t length, uint32_t* code)
{
  *code = 0xFFFD;
  if (length == 0) return 0;
  const unsigned char* byte = (const unsigned char*)text;
  size_t size               = sequence_length(byte[0]);
  if (size == 0 || size > length) return 0;
  uint32_t value = size == 1 ? byte[0] : byte[0] & (0xFFu >> (size + 1));
  for (size_t i = 1; i < size; ++i)
  {
    if ((byte[i] & 0xC0) != 0x80) return 0;
    value = value << 6 | (byte[i] & 0x3F);
  }
  bool surrogate = value >= 0xD800 && value < 0xE000;
  if (value < smallest[size] || value > 0x10FFFF || surrogate) return 0;
  *code = value;
  return size;
}

int lw_text_characters(const char* text, size_t bytes)
{
  int count = 0;
  for (size_t i = 0; i < bytes; ++i) count += ((unsigned char)text[i] & 0xC0) != 0x80;
  return count;
}

bool lw_text_is_control(uint32_t code)
{
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return true;
  return (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

size_t lw_text_printable(char* out, size_t size, const char* text, size_t length)
{
  size_t used = 0;
  for (size_t i = 0; i < length;)
  {
    uint32_t code;
    size_t bytes = lw_text_decode(text + i, length - i, &code);
    bool keep    = bytes > 0 && !lw_text_is_control(code);
    size_t want  = keep ? bytes : 1;
    if (used + want + 1 > size) break;
    if (keep)
      memcpy(out + used, text + i, bytes);
    else
      out[used] = code == '\t' ? ' ' : '?';
    used += want;
    i += bytes ? bytes : 1;
  }
  if (size) out[used] = 0;
  return used;
}

size_t lw_text_skip(const char* text, size_t length, size_t characters)
{
  size_t i = 0;
  while (i < length && characters-- > 0)
  {
    uint32_t code;
    size_t bytes = lw_text_decode(text + i, length - i, &code);
    i += bytes ? bytes : 1;
  }
  return i;
}

const char* lw_text_line(const char* text, size_t length, int line, size_t* line_length)
{
  const char* end = text + length;
  while (line > 1 && text)
  {
    text = memchr(text, '\n', (size_t)(end - text));
    if (text) ++text;
    --line;
  }
  if (!text || line < 1) return NULL;
  const char* feed = memchr(text, '\n', (size_t)(end - text));
  size_t size      = (size_t)((feed ? feed : end) - text);
  if (size > 0 && text[size - 1] == '\r') --size;
  *line_length = size;
  return text;
}

// --- the nearest word

static int lower(char c)
{
  return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

static int least(int a, int b)
{
  return a < b ? a : b;
}

// Optimal string alignment distance. Only the rows of the current and the two earlier letters
// of a are kept.
static int edit_distance(const char* a, int na, const char* b, int nb)
{
  int rows[3][LONGEST_WORD + 1];
  for (int j = 0; j <= nb; ++j) rows[0][j] = j;
  for (int i = 1; i <= na; ++i)
  {
    int* row          = rows[i % 3];
    const int* before = rows[(i + 2) % 3];
    const int* early  = rows[(i + 1) % 3];
    row[0]            = i;
    for (int j = 1; j <= nb; ++j)
    {
      int replace = before[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
      row[j]      = least(replace, 1 + least(before[j], row[j - 1]));
      bool swap   = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                  lower(a[i - 2]) == lower(b[j - 1]);
      if (swap) row[j] = least(row[j], early[j - 2] + 1);
    }
  }
  return rows[na % 3][nb];
}

static bool starts_with(const char* text, const char* word, int length)
{
  int i = 0;
  while (i < length && lower(text[i]) == lower(word[i])) ++i;
  return i == length;
}

// A suggestion is worth making if about two thirds of the word are right:
// no hint is better than a wild one.
lwNearest lw_nearest_part(const char* text, size_t length)
{
  int allowed = length < 3 ? 1 : (int)(length + 1) / 3;
  if (length == 0 || length > LONGEST_WORD) allowed = -1;
  return (lwNearest){.word = text, .length = length, .distance = least(allowed, 4) + 1};
}

lwNearest lw_nearest(const char* word)
{
  return lw_nearest_part(word, strnlen(word, LONGEST_WORD + 1));
}

void lw_nearest_try(lwNearest* nearest, const char* candidate)
{
  if (nearest->length == 0 || nearest->length > LONGEST_WORD) return;
  int na = (int)nearest->length;
  int nb = (int)strnlen(candidate, LONGEST_WORD + 1);
  if (nb == 0 || nb > LONGEST_WORD) return;
  bool begins = na >= SHORTEST_BEGINNING && nb > na && starts_with(candidate, nearest->word, na);
  if (begins && !nearest->best && nearest->distance > 0) nearest->best = candidate;
  int apart = na < nb ? nb - na : na - nb;
  if (apart >= nearest->distance) return;
  int d = edit_distance(nearest->word, na, candidate, nb);
  if (d >= nearest->distance || d >= nb) return;  // nothing of the candidate was written
  nearest->best     = candidate;
  nearest->distance = d;
}

const char* lw_nearest_hint(const lwNearest* nearest, char hint[LW_HINT_SIZE])
{
  if (nearest->best) snprintf(hint, LW_HINT_SIZE, "did you mean '%.100s'?", nearest->best);
  return nearest->best ? hint : NULL;
}

// --- names to numbers

// A leaf holds a name. An inner node holds the first bit in which the names below it differ.
struct lwNameNode
{
  const char* name;  // NULL: inner
  int value;
  size_t byte;              // inner: index of the byte that decides
  unsigned char mask;       // inner: its bit that decides
  lwNameNode* children[2];  // inner
};

static lwNameNode* leaf_add(lwNameMap* map, const char* name)
{
  lwNameNode* leaf = lw_arena_take(map->arena, 1, sizeof *leaf);
  if (leaf) *leaf = (lwNameNode){.name = name, .value = -1};
  return leaf;
}

static int side(const lwNameNode* node, const char* name, size_t length)
{
  return node->byte < length && ((unsigned char)name[node->byte] & node->mask);
}

// The only leaf that can hold the name.
static lwNameNode* candidate(lwNameNode* node, const char* name, size_t length)
{
  while (!node->name) node = node->children[side(node, name, length)];
  return node;
}

// Puts a leaf into the tree at the first bit where it differs from the leaf it meets there.
static bool leaf_insert(lwNameMap* map, lwNameNode* leaf, const char* met, size_t length)
{
  lwNameNode* inner = lw_arena_take(map->arena, 1, sizeof *inner);
  if (!inner) return false;
  const char* name = leaf->name;
  while (name[inner->byte] == met[inner->byte]) ++inner->byte;
  unsigned differ = (unsigned char)name[inner->byte] ^ (unsigned char)met[inner->byte];
  inner->mask     = 0x80;
  while (!(differ & inner->mask)) inner->mask >>= 1;

  lwNameNode** place = &map->root;
  for (lwNameNode* node = *place; !node->name; node = *place)
  {
    bool below =
        node->byte < inner->byte || (node->byte == inner->byte && node->mask > inner->mask);
    if (!below) break;
    place = &node->children[side(node, name, length)];
  }
  int own                  = side(inner, name, length);
  inner->children[own]     = leaf;
  inner->children[1 - own] = *place;
  *place                   = inner;
  return true;
}

int* lw_name_map_put(lwNameMap* map, const char* name)
{
  size_t length   = strlen(name);
  lwNameNode* met = map->root ? candidate(map->root, name, length) : NULL;
  if (met && strcmp(met->name, name) == 0) return &met->value;
  lwNameNode* leaf = leaf_add(map, name);
  if (!leaf) return NULL;
  if (!met)
    map->root = leaf;
  else if (!leaf_insert(map, leaf, met->name, length))
    return NULL;
  return &leaf->value;
}

int lw_name_map_find(const lwNameMap* map, const char* name)
{
  if (!map->root) return -1;
  const lwNameNode* met = candidate(map->root, name, strlen(name));
  return strcmp(met->name, name) == 0 ? met->value : -1;
}
