// SPDX-License-Identifier: MIT
// Tables of Denavit-Hartenberg parameters, one line per joint.
//
//   name,type,alpha,a,d,theta,mass        # separated by commas, semicolons or tabs
//   shoulder,revolute,90 deg,0,0.3,q1,4.2
//
// Becomes a robot file in which line k of the table is line k, so that messages name it. What the
// numbers mean is checked by the reader of robot files.
#include "read/dh_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "text/out.h"

// Where a column goes: keys of a joint, of its limits and friction, of its link.
typedef enum DhGroup
{
  JOINT,
  LIMITS,
  FRICTION,
  LINK,
  COM,
  INERTIA,
  CONVENTION,
  IGNORED
} DhGroup;

typedef struct DhColumn
{
  const char* name;
  const char* key;  // in the robot file
  DhGroup group;
  bool word;  // else a number
} DhColumn;

static const DhColumn COLUMNS[] = {{"name", "name", JOINT, true},
                                   {"joint", "name", JOINT, true},
                                   {"type", "type", JOINT, true},
                                   {"parent", "parent", JOINT, true},
                                   {"alpha", "alpha", JOINT, false},
                                   {"a", "a", JOINT, false},
                                   {"d", "d", JOINT, false},
                                   {"theta", "theta", JOINT, false},
                                   {"lower", "lower", LIMITS, false},
                                   {"upper", "upper", LIMITS, false},
                                   {"velocity", "velocity", LIMITS, false},
                                   {"effort", "effort", LIMITS, false},
                                   {"viscous", "viscous", FRICTION, false},
                                   {"coulomb", "coulomb", FRICTION, false},
                                   {"mass", "mass", LINK, false},
                                   {"comx", "0", COM, false},
                                   {"comy", "1", COM, false},
                                   {"comz", "2", COM, false},
                                   {"ixx", "0", INERTIA, false},
                                   {"iyy", "1", INERTIA, false},
                                   {"izz", "2", INERTIA, false},
                                   {"ixy", "3", INERTIA, false},
                                   {"ixz", "4", INERTIA, false},
                                   {"iyz", "5", INERTIA, false},
                                   {"dh", "dh", CONVENTION, true},
                                   {"i", "", IGNORED, true},
                                   {"\xce\xb1", "alpha", JOINT, false},
                                   {"\xce\xb8", "theta", JOINT, false}};

enum
{
  COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS,
  MOST_CELLS   = 64,
  MOST_TEXT    = 200
};

typedef struct DhCell
{
  const char* begin;
  int length;
} DhCell;

typedef struct DhTable
{
  lwDocument* document;
  lwOut* out;
  char separator;
  int line, joints;
  const char* start;                   // of the line
  const DhColumn* column[MOST_CELLS];  // (columns)
  int columns;
  DhCell cell[MOST_CELLS];  // (cells) of the line
  int cells;
  char convention[MOST_TEXT];  // "": not given
  bool slides;                 // the line has d with its joint's q
} DhTable;

bool lw_dh_table_is(const char* path)
{
  size_t length = path ? strlen(path) : 0;
  return length > 4 && strcmp(path + length - 4, ".csv") == 0;
}

bool lw_dh_table_begins(const char* text)
{
  for (const char* s = text;; ++s)
  {
    size_t length = strcspn(s, ",;\t\r\n");
    if (length == 5 && (!strncmp(s, "alpha", 5) || !strncmp(s, "theta", 5))) return true;
    s += length;
    if (!*s || *s == '\r' || *s == '\n') return false;
  }
}

// --- lines and cells

static lwPlace cell_place(const DhTable* table, const DhCell* cell)
{
  return (lwPlace){table->line, (int)(cell->begin - table->start) + 1};
}

static void trim(DhCell* cell)
{
  while (cell->length > 0 && strchr(" \"\r", cell->begin[cell->length - 1])) --cell->length;
  for (; cell->length > 0 && strchr(" \"", *cell->begin); ++cell->begin) --cell->length;
}

static void split(DhTable* table, const char* line)
{
  table->start = line;
  table->cells = 0;
  for (const char* s = line;; ++s)
  {
    const char end[] = {table->separator, '\n', 0};
    int length       = (int)strcspn(s, end);
    if (table->cells < MOST_CELLS)
    {
      table->cell[table->cells] = (DhCell){s, length};
      trim(&table->cell[table->cells]);
    }
    ++table->cells;
    s += length;
    if (*s != table->separator) return;
  }
}

// The columns; false after reporting what is wrong.
static bool read_header(DhTable* table)
{
  bool found       = false;
  int before       = table->document->errors;
  const char* line = table->start;
  size_t length    = strcspn(line, "\n");
  table->separator = memchr(line, ';', length) ? ';' : memchr(line, '\t', length) ? '\t' : ',';
  split(table, line);
  table->columns = table->cells;
  if (table->cells > MOST_CELLS)
    lw_document_error(table->document, cell_place(table, &table->cell[0]), NULL,
                      "a table has at most %d columns", MOST_CELLS);
  for (int k = 0; k < table->cells && k < MOST_CELLS; ++k)
  {
    const DhCell* cell = &table->cell[k];
    lwNearest nearest  = lw_nearest_part(cell->begin, (size_t)cell->length);
    table->column[k]   = NULL;
    for (int c = 0; c < COLUMN_COUNT; ++c)
    {
      bool same = strlen(COLUMNS[c].name) == (size_t)cell->length &&
                  strncmp(COLUMNS[c].name, cell->begin, (size_t)cell->length) == 0;
      if (same) table->column[k] = &COLUMNS[c];
      if (same) found = found || COLUMNS[c].group == JOINT;
      lw_nearest_try(&nearest, COLUMNS[c].name);
    }
    if (!table->column[k])
      lw_document_error(table->document, cell_place(table, cell), LW_DID_YOU_MEAN(nearest),
                        "unknown column '%.*s' of a table of Denavit-Hartenberg parameters",
                        cell->length > 40 ? 40 : cell->length, cell->begin);
  }
  if (!found && table->document->errors == before)
    lw_document_error(table->document, cell_place(table, &table->cell[0]),
                      "name,type,alpha,a,d,theta", "the first line names no parameters");
  return table->document->errors == before;
}

// --- values

static void copy_text(const DhCell* cell, char text[MOST_TEXT])
{
  int length = cell->length < MOST_TEXT - 1 ? cell->length : MOST_TEXT - 1;
  memcpy(text, cell->begin, (size_t)length);
  text[length] = 0;
}

static void put_word(DhTable* table, const DhCell* cell, const DhColumn* column)
{
  char text[MOST_TEXT];
  copy_text(cell, text);
  bool type = strcmp(column->key, "type") == 0;
  if (type && (strcmp(text, "R") == 0 || strcmp(text, "r") == 0)) strcpy(text, "revolute");
  if (type && (strcmp(text, "P") == 0 || strcmp(text, "p") == 0)) strcpy(text, "prismatic");
  lw_out_json(table->out, text);
}

// What is behind the joint's own variable: "+ 90 deg" of "q2 + 90 deg".
static const char* behind_variable(const char* text)
{
  if (*text != 'q') return text;
  text += 1 + strspn(text + 1, "0123456789");
  text += strspn(text, " ");
  return *text ? text : "0";
}

static void put_quantity(DhTable* table, const DhCell* cell, const DhColumn* column)
{
  char text[MOST_TEXT];
  double value = 0;
  copy_text(cell, text);
  for (char* c = text; *c && table->separator != ','; ++c)
    if (*c == ',') *c = '.';
  if (*text == 'q' && strcmp(column->key, "d") == 0) table->slides = true;
  const char* rest = behind_variable(text);
  bool minus       = *rest == '-';
  if (*rest == '+' || minus) rest += 1 + strspn(rest + 1, " ");
  bool number = lw_number_read(&rest, &value);
  rest += strspn(rest, " ");
  bool degrees = strcmp(rest, "deg") == 0 || strcmp(rest, "\xc2\xb0") == 0;
  if (!number || (*rest && !degrees && strcmp(rest, "rad") != 0))
    lw_document_error(table->document, cell_place(table, cell), NULL,
                      "'%s' must be a number, or one with deg, found '%.60s'", column->name, text);
  lw_out_number(table->out, minus ? -value : value);
  if (degrees) lw_out_text(table->out, " deg");
}

static const DhCell* cell_of(const DhTable* table, DhGroup group, const char* key)
{
  for (int k = 0; k < table->columns; ++k)
    if (table->column[k]->group == group && strcmp(table->column[k]->key, key) == 0 &&
        table->cell[k].length > 0)
      return &table->cell[k];
  return NULL;
}

// "mass: 2, ", every entry of a group that the line has.
static void put_entries(DhTable* table, DhGroup group)
{
  for (int k = 0; k < table->columns; ++k)
  {
    const DhColumn* column = table->column[k];
    if (column->group != group || table->cell[k].length == 0) continue;
    lw_out_format(table->out, "%s: ", column->key);
    if (column->word)
      put_word(table, &table->cell[k], column);
    else
      put_quantity(table, &table->cell[k], column);
    lw_out_text(table->out, ", ");
  }
}

// "com: [0, 0, 0.1], "
static void put_list(DhTable* table, DhGroup group, const char* name, int count)
{
  lw_out_format(table->out, "%s: [", name);
  for (int i = 0; i < count; ++i)
  {
    const char key[]       = {(char)('0' + i), 0};
    const DhCell* cell     = cell_of(table, group, key);
    const DhColumn* column = NULL;
    for (int k = 0; k < table->columns; ++k)
      if (cell == &table->cell[k]) column = table->column[k];
    lw_out_text(table->out, i > 0 ? ", " : "");
    if (column)
      put_quantity(table, cell, column);
    else
      lw_out_text(table->out, "0");
  }
  lw_out_text(table->out, "], ");
}

// --- joints

static void read_convention(DhTable* table)
{
  char word[MOST_TEXT];
  const DhCell* cell = cell_of(table, CONVENTION, "dh");
  if (!cell) return;
  copy_text(cell, word);
  bool known = strcmp(word, "modified") == 0 || strcmp(word, "standard") == 0;
  if (!known || (table->convention[0] && strcmp(word, table->convention) != 0))
    lw_document_error(table->document, cell_place(table, cell), NULL,
                      "'dh' must be modified or standard, the same in all lines");
  else
    strcpy(table->convention, word);
}

static void put_joint(DhTable* table)
{
  lwOut* out = table->out;
  if (table->cells != table->columns)
    return lw_document_error(table->document, cell_place(table, &table->cell[0]), NULL,
                             "expected %d cells as in the first line, found %d", table->columns,
                             table->cells);
  ++table->joints;
  table->slides = false;
  read_convention(table);
  lw_out_text(out, "{");
  put_entries(table, JOINT);
  if (!cell_of(table, JOINT, "name")) lw_out_format(out, "name: joint%d, ", table->joints);
  if (!cell_of(table, JOINT, "type"))
    lw_out_format(out, "type: %s, ", table->slides ? "prismatic" : "revolute");
  lw_out_text(out, "limits: {");
  put_entries(table, LIMITS);
  lw_out_text(out, "}, friction: {");
  put_entries(table, FRICTION);
  lw_out_text(out, "}, link: {");
  put_entries(table, LINK);
  put_list(table, COM, "com", 3);
  put_list(table, INERTIA, "inertia", 6);
  lw_out_text(out, "}},");
}

static bool is_empty(const char* line)
{
  line += strspn(line, " \t\r");
  return *line == '#' || *line == '\n' || !*line;
}

static lwStatus write_rows_as_robot(lwDocument* document, lwOut* robot)
{
  DhTable table    = {.document = document, .out = robot};
  const char* line = document->source.text;
  bool begun       = false;
  lw_out_text(robot, "{linkwork: 1, joints: [");
  for (table.line = 1; *line; ++table.line)
  {
    table.start = line;
    if (!is_empty(line) && !begun && !read_header(&table)) return LW_ERROR_INPUT;
    if (!is_empty(line) && begun) split(&table, line);
    if (!is_empty(line) && begun) put_joint(&table);
    begun = begun || !is_empty(line);
    line += strcspn(line, "\n");
    if (*line) lw_out_text(robot, "\n"), ++line;
  }
  lw_out_format(robot, "], dh: %s}\n", table.convention[0] ? table.convention : "modified");
  if (table.joints == 0)
    lw_document_error(document, (lwPlace){1, 1}, "name,type,alpha,a,d,theta",
                      "a table of Denavit-Hartenberg parameters needs a line for each joint");
  if (document->errors > 0) return LW_ERROR_INPUT;
  return lw_out_finish(robot) ? LW_OK : LW_ERROR_MEMORY;
}

lwStatus lw_dh_table_open(lwDocument* document, const char* path, lwDiag* diag, char** text)
{
  lwOut* robot    = calloc(1, sizeof *robot);
  lwStatus status = LW_ERROR_MEMORY;
  if (robot)
  {
    robot->in_memory = true;
    status           = write_rows_as_robot(document, robot);
    lw_document_free(document);
    *text = robot->text;
    if (status == LW_OK) status = lw_document_open_text(document, path, *text, robot->length, diag);
  }
  free(robot);
  return status;
}
