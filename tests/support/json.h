// SPDX-License-Identifier: MIT
// A small JSON reader for reference data. Numbers are read by strtod, so doubles keep all bits.
#ifndef LW_TESTS_JSON_H
#define LW_TESTS_JSON_H

#include <stddef.h>

typedef enum JsonKind
{
  JSON_NUMBER,
  JSON_TEXT,
  JSON_LIST,
  JSON_OBJECT
} JsonKind;

typedef struct Json
{
  JsonKind kind;
  char* key;      // in an object, else NULL
  char* text;     // of a JSON_TEXT; for a number, its digits as written
  double number;  // of a JSON_NUMBER
  int count;      // of a list or object
  struct Json* items;
} Json;

// Reads a file; fails the test if it is missing or malformed.
Json* json_read(const char* path);

// The same for tests/data/golden/NAME.json.
Json* json_read_golden(const char* name);

void json_free(Json* json);

// The value of a key, or NULL.
const Json* json_find(const Json* object, const char* key);

// The value of a key; fails the test with the name of the key if it is missing.
const Json* json_get(const Json* object, const char* key);
double json_number(const Json* object, const char* key);
const char* json_text(const Json* object, const char* key);

// Reads exactly size numbers from a list or nested lists.
void json_numbers(const Json* object, const char* key, size_t size, double* out);

#endif
