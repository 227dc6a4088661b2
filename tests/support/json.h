// SPDX-License-Identifier: MIT
// A small reader of JSON, for reference data. Numbers are read by strtod,
// so doubles come back as they were printed.
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
  char* text;     // of a JSON_TEXT; of a number, its digits as they are written
  double number;  // of a JSON_NUMBER
  int count;      // of a list or object
  struct Json* items;
} Json;

// The document in a file. A file that is missing or malformed ends the test.
Json* json_read(const char* path);
void json_free(Json* json);

// NULL: it is not there.
const Json* json_find(const Json* object, const char* key);

// What must be there: anything else ends the test with the name of what is missing.
const Json* json_get(const Json* object, const char* key);
double json_number(const Json* object, const char* key);
const char* json_text(const Json* object, const char* key);

// Exactly size numbers of a list, or of lists of lists, one after the other.
void json_numbers(const Json* object, const char* key, size_t size, double* out);

#endif
