// SPDX-License-Identifier: MIT
// Formats, as their sources define them:
//   semicolons, tabs  CSV of programs whose locale writes decimal commas; 1,5 is read as 1.5
//   JSON lines        one object per line; {"t": 0, "q": [1, 2]} has the columns t, q1, q2. The list
//                     of objects that --format json writes, one per line, is read as well
//   .npy              NumPy enhancement proposal 1: a structured array has named columns, a plain
//                     array of n columns holds q1 .. qn
#include "text/table_formats.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum
{
  MAX_FIELDS  = 1 << 14,  // of a JSON object or of an array
  NPY_VERSION = 8,        // bytes up to the version, it included; then the length of the header
  NPY_HEADER  = 1 << 15   // bytes
};

// A value of a JSON object, as it is written.
typedef struct JsonField
{
  const char *begin, *end;
  bool given;
} JsonField;

// A field of an array: its number type and where it begins in the row.
typedef struct NpyField
{
  char kind;  // f or i
  int bytes;  // 4 or 8
  size_t at;
} NpyField;

struct lwTableFormat
{
  lwStatus (*next)(lwLines* lines);  // lw_lines_next() of this format
  char* text;                        // the line in CSV, and its length
  size_t length, capacity;
  bool failed;  // out of memory
  char separator;
  // JSON: names of the columns one after the other, each ended by 0, and the fields of a row
  char* names;
  size_t names_length;
  int fields;
  JsonField* field;
  char* first;  // the first row, which the header was made from
  // .npy
  NpyField* npy;
  size_t row_bytes;
  double rows;  // still to come
};

void lw_table_format_free(lwTableFormat* format)
{
  if (!format) return;
  free(format->text);
  free(format->names);
  free(format->first);
  free(format->field);
  free(format->npy);
  free(format);
}

static lwTableFormat* format_create(lwLines* lines, lwStatus (*next)(lwLines* lines))
{
  lw_table_format_free(lines->format);
  lines->format = calloc(1, sizeof *lines->format);
  if (lines->format) lines->format->next = next;
  return lines->format;
}

static void append(lwTableFormat* format, const char* bytes, size_t count)
{
  if (format->length + count + 1 > format->capacity)
  {
    size_t capacity = 2 * (format->length + count + 1);
    char* grown     = format->failed ? NULL : realloc(format->text, capacity);
    if (!grown)
    {
      format->failed = true;
      return;
    }
    format->text     = grown;
    format->capacity = capacity;
  }
  memcpy(format->text + format->length, bytes, count);
  format->length += count;
  format->text[format->length] = 0;
}

static void append_text(lwTableFormat* format, const char* text)
{
  append(format, text, strlen(text));
}

// The collected line becomes the line of `lines`.
static lwStatus give_line(lwLines* lines)
{
  lwTableFormat* format = lines->format;
  if (format->failed) return lw_lines_fail(lines, lines->line, "out of memory");
  lines->line = format->text;
  return LW_OK;
}

// --- semicolons and tabs

// In place: separators outside quotes become commas, and decimal commas points.
static void separators_to_commas(const lwLines* lines)
{
  bool quoted = false;
  for (char* s = lines->line; s && *s; ++s)
  {
    if (*s == '"') quoted = !quoted;
    if (quoted) continue;
    if (*s == ',')
      *s = '.';
    else if (*s == lines->format->separator)
      *s = ',';
  }
}

static lwStatus separated_next(lwLines* lines)
{
  lwStatus status = lw_lines_take(lines);
  if (status == LW_OK) separators_to_commas(lines);
  return status;
}

// The sign between columns if it is none of CSV; 0: commas, or one column only.
static char other_separator(const char* line)
{
  bool quoted = false;
  char found  = 0;
  for (const char* s = line; *s; ++s)
  {
    if (*s == '"') quoted = !quoted;
    if (quoted) continue;
    if (*s == ',') return 0;
    if (*s == ';' || (*s == '\t' && !found)) found = *s;
  }
  return found;
}

// --- JSON

typedef struct JsonReader
{
  lwLines* lines;
  const char* s;
  int next;     // column that the next value is expected for
  bool header;  // names are collected, not compared
} JsonReader;

static lwStatus json_fail(const JsonReader* json, const char* expected)
{
  return lw_lines_fail(json->lines, json->s, "'%.20s', expected %s", json->s, expected);
}

// Skips spaces, and the sign if it follows.
static bool json_skip(JsonReader* json, char sign)
{
  json->s = lw_skip_spaces(json->s);
  if (*json->s != sign) return false;
  json->s = lw_skip_spaces(json->s + 1);
  return true;
}

// A text in quotes: its span without them. False: it is not closed.
static bool json_text(JsonReader* json, const char** begin, const char** end)
{
  if (*json->s != '"') return false;
  const char* s = json->s + 1;
  while (*s && *s != '"') s += s[0] == '\\' && s[1] ? 2 : 1;
  if (!*s) return false;
  *begin  = json->s + 1;
  *end    = s;
  json->s = s + 1;
  return true;
}

// The column of a name; -1: there is none. Rows usually have the order of the first one.
static int json_column(const JsonReader* json, const char* name)
{
  const lwTableFormat* format = json->lines->format;
  const char* s               = format->names;
  int found                   = -1;
  for (int k = 0; k < format->fields && found < 0; ++k, s += strlen(s) + 1)
    if (!strcmp(s, name)) found = k;
  return found;
}

static bool json_add_column(lwTableFormat* format, const char* name)
{
  size_t length     = strlen(name) + 1;
  char* names       = realloc(format->names, format->names_length + length);
  JsonField* fields = realloc(format->field, ((size_t)format->fields + 1) * sizeof *fields);
  if (names) format->names = names;
  if (fields) format->field = fields;
  if (!names || !fields) return false;
  memcpy(names + format->names_length, name, length);
  format->names_length += length;
  fields[format->fields++] = (JsonField){0};
  return true;
}

// One value, a number, a word or a text, for the column of this name.
static lwStatus json_value(JsonReader* json, const char* name)
{
  lwTableFormat* format = json->lines->format;
  const char *at = json->s, *begin = at, *end = at;
  int column = json_column(json, name);
  if (column >= 0 ? format->field[column].given : !json->header)
    return lw_lines_fail(json->lines, at, "'%.60s' %s, expected the names of the first object once",
                         name, column >= 0 ? "comes twice" : "is new here");
  if (column < 0 && (format->fields == MAX_FIELDS || !json_add_column(format, name)))
    return lw_lines_fail(json->lines, at, "more than %d columns, or out of memory", MAX_FIELDS);
  if (column < 0) column = format->fields - 1;
  if (*at == '"' && !json_text(json, &begin, &end)) return json_fail(json, "a closing quote");
  if (*at != '"') json->s = end = at + strcspn(at, ",]} \t");
  if (begin == end && *at != '"') return json_fail(json, "a number or a text");
  format->field[column] = (JsonField){*at == '"' ? begin - 1 : begin, end, true};
  return LW_OK;
}

// A list of values for the columns name1, name2 ..
static lwStatus json_list(JsonReader* json, const char* name)
{
  lwStatus status = LW_OK;
  for (int k = 1; status == LW_OK; ++k)
  {
    char numbered[LW_LINES_NAME + 16];
    snprintf(numbered, sizeof numbered, "%s%d", name, k);
    status = json_value(json, numbered);
    if (status != LW_OK || json_skip(json, ']')) return status;
    if (!json_skip(json, ',')) return json_fail(json, "a comma or ']'");
  }
  return status;
}

// "name": value
static lwStatus json_member(JsonReader* json)
{
  char name[LW_LINES_NAME];
  const char *begin, *end;
  if (!json_text(json, &begin, &end)) return json_fail(json, "\"name\": value");
  if (end - begin >= LW_LINES_NAME || memchr(begin, '\\', (size_t)(end - begin)))
    return json_fail(json, "a short name without escapes");
  snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
  if (!json_skip(json, ':')) return json_fail(json, "':' and a value");
  if (*json->s == '{') return json_fail(json, "a number, a text or a list of them");
  return json_skip(json, '[') ? json_list(json, name) : json_value(json, name);
}

// All members of the object that the line holds.
static lwStatus json_object(JsonReader* json)
{
  lwTableFormat* format = json->lines->format;
  for (int k = 0; k < format->fields; ++k) format->field[k].given = false;
  if (!json_skip(json, '{')) return json_fail(json, "an object, {\"q1\": ..}");
  lwStatus status = LW_OK;
  do status = json_member(json);
  while (status == LW_OK && json_skip(json, ','));
  if (status != LW_OK) return status;
  if (!json_skip(json, '}')) return json_fail(json, "a comma or '}'");
  json_skip(json, ',');  // of a list with one object per line
  return *json->s ? json_fail(json, "the end of the line") : LW_OK;
}

// A value in CSV: a text keeps its quotes, with those inside it doubled.
static void json_append(lwTableFormat* format, const JsonField* field)
{
  for (const char* s = field->begin; s < field->end; ++s)
  {
    bool escape = *s == '\\' && (s[1] == '"' || s[1] == '\\');
    if (escape && s[1] == '"') append_text(format, "\"");
    s += escape;
    append(format, s, 1);
  }
  if (*field->begin == '"') append_text(format, "\"");
}

static lwStatus json_row(JsonReader* json)
{
  lwTableFormat* format = json->lines->format;
  lwStatus status       = json_object(json);
  const char* name      = format->names;
  format->length        = 0;
  for (int k = 0; k < format->fields && status == LW_OK; ++k, name += strlen(name) + 1)
  {
    if (!format->field[k].given)
      return lw_lines_fail(json->lines, json->lines->line,
                           "'%.60s' is missing, expected the names of the first object", name);
    if (k > 0) append_text(format, ",");
    json_append(format, &format->field[k]);
  }
  return status;
}

// The next object; blank lines at the end and the bracket that closes a list of objects give none.
static lwStatus json_next(lwLines* lines)
{
  lwTableFormat* format = lines->format;
  if (format->first)  // the row that the header was made from
  {
    free(format->text);
    lines->line = format->text = format->first;
    format->first              = NULL;
    format->capacity           = 0;
    return LW_OK;
  }
  lwStatus status = lw_lines_take(lines);
  if (status != LW_OK || !lines->line) return status;
  char* line = lines->line + strspn(lines->line, " \t");
  if (!strcmp(line, "]")) *line = 0;
  if (!*line) return LW_OK;
  JsonReader json = {.lines = lines, .s = line};
  status          = json_row(&json);
  return status == LW_OK ? give_line(lines) : status;
}

// The names of the first object as header; its values wait in `first`.
static lwStatus json_header(lwLines* lines)
{
  lwStatus status       = LW_OK;
  lwTableFormat* format = format_create(lines, json_next);
  if (!format) return LW_ERROR_MEMORY;
  if (!strcmp(lw_skip_spaces(lines->line), "[")) status = lw_lines_take(lines);
  if (status != LW_OK || !lines->line) return status;
  JsonReader json = {.lines = lines, .s = lw_skip_spaces(lines->line), .header = true};
  status          = json_row(&json);
  if (status != LW_OK) return status;
  format->first    = format->text;
  format->text     = NULL;
  format->capacity = format->length = 0;
  const char* name                  = format->names;
  for (int k = 0; k < format->fields; ++k, name += strlen(name) + 1)
  {
    append_text(format, k > 0 ? ",\"" : "\"");
    append_text(format, name);
    append_text(format, "\"");
  }
  return give_line(lines);
}

// --- .npy

static const char NPY_MAGIC[] = "\x93NUMPY";

static lwStatus npy_fail(lwLines* lines, const char* what)
{
  lines->line = NULL;
  return lw_lines_fail(lines, NULL, "a NumPy array %s", what);
}

static double npy_number(const NpyField* field, const char* row)
{
  int64_t i8;
  int32_t i4;
  double f8;
  float f4;
  const char* at = row + field->at;
  if (field->kind == 'f' && field->bytes == 8) return memcpy(&f8, at, sizeof f8), f8;
  if (field->kind == 'f') return memcpy(&f4, at, sizeof f4), (double)f4;
  if (field->bytes == 8) return memcpy(&i8, at, sizeof i8), (double)i8;
  return memcpy(&i4, at, sizeof i4), (double)i4;
}

static lwStatus npy_next(lwLines* lines)
{
  lwTableFormat* format = lines->format;
  const char* row;
  lines->line = NULL;
  if (format->rows-- < 1) return LW_OK;
  ++lines->number;
  lwStatus status = lw_lines_bytes(lines, format->row_bytes, &row);
  if (status != LW_OK) return status;
  if (!row) return npy_fail(lines, "that ends too early, expected all rows of its shape");
  format->length = 0;
  for (int k = 0; k < format->fields; ++k)
  {
    char text[LW_NUMBER_SIZE];
    double v = npy_number(&format->npy[k], row);
    if (k > 0) append_text(format, ",");
    if (isfinite(v)) lw_number_write(v, text);
    append_text(format, isfinite(v) ? text : "nan");
  }
  return give_line(lines);
}

// Skips spaces and commas, and the sign if it follows.
static bool npy_skip(const char** s, char sign)
{
  *s += strspn(*s, " ,");
  if (**s != sign) return false;
  ++*s;
  return true;
}

// 'text', without its quotes
static bool npy_text(const char** s, const char** begin, int* length)
{
  if (!npy_skip(s, '\'')) return false;
  const char* end = strchr(*s, '\'');
  if (!end) return false;
  *begin  = *s;
  *length = (int)(end - *s);
  *s      = end + 1;
  return true;
}

// A number type, '<f8': little-endian float or int of 4 or 8 bytes. False: another one.
static bool npy_type(const char** s, NpyField* type)
{
  int length;
  const char* text;
  if (!npy_text(s, &text, &length) || length != 3) return false;
  *type = (NpyField){.kind = text[1], .bytes = text[2] - '0'};
  return text[0] == '<' && strchr("fi", text[1]) && strchr("48", text[2]);
}

// Adds `count` fields of a type to the row: the column `name`, or name1 .. where they are a list.
static bool npy_add(lwTableFormat* format, const char* name, NpyField type, int count, bool list)
{
  if (count < 1 || count > MAX_FIELDS - format->fields) return false;
  NpyField* grown = realloc(format->npy, ((size_t)format->fields + (size_t)count) * sizeof *grown);
  if (!grown) return false;
  format->npy = grown;
  for (int k = 0; k < count; ++k)
  {
    char column[LW_LINES_NAME + 24];
    snprintf(column, sizeof column, list ? "%s\"%s%d\"" : "%s\"%s\"", format->fields > 0 ? "," : "",
             name, k + 1);
    append_text(format, column);
    type.at                       = format->row_bytes;
    format->npy[format->fields++] = type;
    format->row_bytes += (size_t)type.bytes;
  }
  return !format->failed;
}

// ('t', '<f8') or ('q', '<f8', (6,)): a field of a structured array.
static bool npy_tuple(lwTableFormat* format, const char** s)
{
  char name[LW_LINES_NAME];
  const char* text;
  int length, count = 1;
  NpyField type;
  if (!npy_skip(s, '(') || !npy_text(s, &text, &length) || length >= LW_LINES_NAME) return false;
  snprintf(name, sizeof name, "%.*s", length, text);
  if (strpbrk(name, "\",\\") || !npy_type(s, &type)) return false;
  bool list = npy_skip(s, '(');
  if (list && (sscanf(*s, "%d", &count) != 1 || !(*s = strchr(*s, ',')) || !npy_skip(s, ')')))
    return false;
  return npy_skip(s, ')') && npy_add(format, name, type, count, list);
}

// The number type or types of a row, and how many rows there are.
static bool npy_layout(lwTableFormat* format, const char* descr, const char* shape)
{
  NpyField type;
  int columns = 0;
  if (sscanf(shape, "(%lf", &format->rows) != 1) return false;
  if (npy_skip(&descr, '['))
  {
    while (!npy_skip(&descr, ']'))
      if (!npy_tuple(format, &descr)) return false;
    const char* comma = strchr(shape, ',');
    return format->fields > 0 && comma && !strncmp(comma, ",)", 2);
  }
  return npy_type(&descr, &type) && sscanf(shape, "(%*d, %d)", &columns) == 1 &&
         npy_add(format, "q", type, columns, true);
}

// The dictionary of the file: {'descr': .., 'fortran_order': False, 'shape': (rows, columns), }
static lwStatus npy_dictionary(lwLines* lines, const char* text)
{
  static const char expected[] = "of a type that is not read, expected (rows, n) numbers '<f8', "
                                 "'<f4', '<i8' or '<i4' for q1 to "
                                 "qn, or a structured array of them";
  const char* descr            = strstr(text, "'descr':");
  const char* order            = strstr(text, "'fortran_order': False");
  const char* shape            = strstr(text, "'shape': (");
  if (!descr || !shape) return npy_fail(lines, "without a type and a shape");
  if (!order) return npy_fail(lines, "stored by columns, expected rows; numpy.ascontiguousarray");
  if (!npy_layout(lines->format, descr + strlen("'descr':"), shape + strlen("'shape': ")))
    return npy_fail(lines, expected);
  if (lines->format->row_bytes > lines->capacity)
    return npy_fail(lines, "whose rows are longer than any table of this robot");
  return give_line(lines);
}

static lwStatus npy_header(lwLines* lines)
{
  const char* bytes = NULL;
  char text[NPY_HEADER + 1];
  if (!format_create(lines, npy_next)) return LW_ERROR_MEMORY;
  lwStatus status = lw_lines_bytes(lines, NPY_VERSION, &bytes);
  if (status != LW_OK || !bytes) return status;
  size_t wide = bytes[NPY_VERSION - 2] == 1 ? 2 : 4, length = 0;
  status = lw_lines_bytes(lines, wide, &bytes);
  for (size_t k = 0; status == LW_OK && bytes && k < wide; ++k)
    length |= (size_t)(unsigned char)bytes[k] << 8 * k;
  if (status == LW_OK && (!bytes || length > NPY_HEADER || length > lines->capacity))
    return npy_fail(lines, "without a header, or with one of more than 32768 bytes");
  if (status == LW_OK) status = lw_lines_bytes(lines, length, &bytes);
  if (status != LW_OK) return status;
  if (!bytes) return npy_fail(lines, "that ends within its header");
  memcpy(text, bytes, length);
  text[length] = 0;
  ++lines->number;
  return npy_dictionary(lines, text);
}

// --- all of them

double lw_table_rows(const lwLines* lines)
{
  return lines->format && lines->format->npy ? lines->format->rows : -1;
}

bool lw_table_is_binary(const char* text, size_t length)
{
  return length >= strlen(NPY_MAGIC) && !memcmp(text, NPY_MAGIC, strlen(NPY_MAGIC));
}

lwStatus lw_table_next(lwLines* lines)
{
  return lines->format->next(lines);
}

lwStatus lw_table_header(lwLines* lines)
{
  bool npy        = false;
  lwStatus status = lw_lines_begins(lines, NPY_MAGIC, &npy);
  if (status != LW_OK) return status;
  if (npy) return npy_header(lines);
  status = lw_lines_take(lines);
  if (status != LW_OK || !lines->line) return status;
  const char* line = lw_skip_spaces(lines->line);
  if (*line == '{' || !strcmp(line, "[")) return json_header(lines);
  char separator = other_separator(line);
  if (!separator) return LW_OK;
  if (!format_create(lines, separated_next)) return LW_ERROR_MEMORY;
  lines->format->separator = separator;
  separators_to_commas(lines);
  return LW_OK;
}
