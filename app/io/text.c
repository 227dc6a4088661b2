// SPDX-License-Identifier: MIT
#include "text.h"

#include <limits.h>
#include <string.h>

Nearest nearest_to(const char* wanted, size_t length)
{
  return (Nearest){.wanted = wanted, .length = length, .distance = INT_MAX};
}

static int min3(int a, int b, int c)
{
  int least = a < b ? a : b;
  return least < c ? least : c;
}

// Insertions, deletions and replacements that lead from a to b (Levenshtein), row by row.
static int edit_distance(const char* a, size_t a_length, const char* b)
{
  int row[NEAREST_SIZE];
  int b_length = (int)strlen(b);
  for (int j = 0; j <= b_length; ++j) row[j] = j;
  for (int i = 1; i <= (int)a_length; ++i)
  {
    int diagonal = row[0];
    row[0]       = i;
    for (int j = 1; j <= b_length; ++j)
    {
      int replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal     = row[j];
      row[j]       = min3(row[j] + 1, row[j - 1] + 1, replaced);
    }
  }
  return row[b_length];
}

void nearest_offer(Nearest* nearest, const char* candidate)
{
  if (strlen(candidate) >= NEAREST_SIZE || nearest->length >= NEAREST_SIZE) return;
  int distance = edit_distance(nearest->wanted, nearest->length, candidate);
  if (distance >= nearest->distance) return;
  nearest->distance = distance;
  strcpy(nearest->best, candidate);
}

bool nearest_found(const Nearest* nearest)
{
  return nearest->distance <= 2 + (int)nearest->length / 3;
}

void text_append(char* buffer, size_t size, const char* first, const char* second)
{
  strncat(buffer, first, size - strlen(buffer) - 1);
  strncat(buffer, second, size - strlen(buffer) - 1);
}

void text_one_line(char* text)
{
  for (; *text; ++text)
    if ((unsigned char)*text < ' ' || *text == 0x7F) *text = '?';
}

int utf8_length(const char* s)
{
  const unsigned char* u = (const unsigned char*)s;
  int length = u[0] < 0x80 ? 1 : u[0] < 0xC2 ? 0 : u[0] < 0xE0 ? 2 : u[0] < 0xF0 ? 3 : 4;
  for (int i = 1; i < length; ++i)
    if ((u[i] & 0xC0) != 0x80) return 0;
  bool overlong  = (u[0] == 0xE0 && u[1] < 0xA0) || (u[0] == 0xF0 && u[1] < 0x90);
  bool surrogate = u[0] == 0xED && u[1] >= 0xA0;
  bool too_large = u[0] > 0xF4 || (u[0] == 0xF4 && u[1] >= 0x90);
  return overlong || surrogate || too_large ? 0 : length;
}

int utf8_count(const char* s, size_t bytes)
{
  int count = 0;
  for (size_t i = 0; i < bytes; ++i) count += ((unsigned char)s[i] & 0xC0) != 0x80;
  return count;
}

int text_width(const char* s)
{
  return utf8_count(s, strlen(s));
}
