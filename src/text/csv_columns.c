// SPDX-License-Identifier: MIT
#include "text/csv_columns.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const int OWN_STRIDE = 1 << 16;  // of a group in the map of columns with names of their own

static bool put_name(lwNameMap* map, const char* name, int number)
{
  int* place = lw_name_map_put(map, name);
  if (place) *place = number;
  return place != NULL;
}

static bool begin_group(lwColumns* columns, int g)
{
  const lwColumnGroup* group = &columns->groups[g];
  columns->joints[g]         = (lwNameMap){.arena = columns->arena};
  columns->given[g] = lw_arena_take(columns->arena, (size_t)group->width + 1, sizeof(bool));
  if (!columns->given[g]) return false;
  for (int k = 0; k < group->width; ++k)
  {
    if (group->names && !put_name(&columns->joints[g], group->names[k], k)) return false;
    if (group->own && !put_name(&columns->own, group->own[k], g * OWN_STRIDE + k)) return false;
  }
  return true;
}

bool lw_columns_begin(lwColumns* columns, const lwColumnGroup* groups, int count, size_t fields,
                      lwArena* arena)
{
  *columns = (lwColumns){
      .groups = groups, .count = count, .arena = arena, .own = {.arena = arena}, .fields = fields};
  columns->joints  = lw_arena_take(arena, (size_t)count + 1, sizeof *columns->joints);
  columns->given   = lw_arena_take(arena, (size_t)count + 1, sizeof *columns->given);
  columns->names   = lw_arena_take(arena, fields + 1, sizeof *columns->names);
  columns->targets = lw_arena_take(arena, fields + 1, sizeof *columns->targets);
  if (!columns->joints || !columns->given || !columns->names || !columns->targets) return false;
  for (int g = 0; g < count; ++g)
    if (!begin_group(columns, g)) return false;
  return true;
}

// --- one column

// "7" is 6; "07", "0" and what is above width are -1.
static int index_of(const char* digits, int width)
{
  long number = 0;
  if (*digits == '0' || !*digits) return -1;
  for (; *digits; ++digits)
  {
    if (*digits < '0' || *digits > '9' || number > width) return -1;
    number = number * 10 + (*digits - '0');
  }
  return number <= width ? (int)number - 1 : -1;
}

// What follows the symbol of a group: a number, or a point and a name. NULL:
// the column belongs to another group.
static const char* behind_symbol(const lwColumnGroup* group, const char* name)
{
  size_t length = group->own ? 0 : strlen(group->symbol);
  if (group->own || strncmp(name, group->symbol, length) != 0) return NULL;
  const char* rest = name + length;
  if (group->single) return *rest ? NULL : rest;
  return *rest == '.' || (*rest >= '0' && *rest <= '9') ? rest : NULL;
}

// The value that a column holds; index -1: it is of this group, but of no joint.
static lwColumnTarget find_target(const lwColumns* columns, const char* name)
{
  int own = lw_name_map_find(&columns->own, name);
  if (own >= 0) return (lwColumnTarget){own / OWN_STRIDE, own % OWN_STRIDE};
  for (int g = 0; g < columns->count; ++g)
  {
    const lwColumnGroup* group = &columns->groups[g];
    const char* rest           = behind_symbol(group, name);
    if (!rest) continue;
    if (group->single) return (lwColumnTarget){g, 0};
    if (*rest != '.') return (lwColumnTarget){g, index_of(rest, group->width)};
    return (lwColumnTarget){g, lw_name_map_find(&columns->joints[g], rest + 1)};
  }
  return (lwColumnTarget){-1, 0};
}

// The name of column k of a group, by number or by joint.
static void column_full_name(const lwColumnGroup* group, int k, bool by_name, char* to, size_t size)
{
  if (group->own)
    snprintf(to, size, "%s", group->own[k]);
  else if (group->single)
    snprintf(to, size, "%s", group->symbol);
  else if (by_name && group->names)
    snprintf(to, size, "%s.%s", group->symbol, group->names[k]);
  else
    snprintf(to, size, "%s%d", group->symbol, k + 1);
}

__attribute__((format(printf, 4, 5))) static void
find_fault(lwColumnFinding* finding, lwColumnFault kind, int column, const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->text, sizeof finding->text, format, arguments);
  va_end(arguments);
  finding->fault   = kind;
  finding->column  = column;
  finding->hint[0] = 0;
}

static void report_no_joint(const lwColumns* columns, int g, const char* name,
                            lwColumnFinding* finding)
{
  const lwColumnGroup* group = &columns->groups[g];
  lwNearest nearest          = lw_nearest(name);
  char candidate[LW_COLUMN_TEXT], best[LW_COLUMN_TEXT] = "";
  for (int k = 0; k < group->width && group->names; ++k)
  {
    column_full_name(group, k, true, candidate, sizeof candidate);
    lw_nearest_try(&nearest, candidate);
    if (nearest.best == candidate) memcpy(best, candidate, sizeof best);
    nearest.best = *best ? best : NULL;
  }
  find_fault(finding, LW_COLUMN_NO_JOINT, columns->columns,
             "unknown column '%.200s', expected %s1%s%s%.0d%s", name, group->symbol,
             group->width > 1 ? " to " : "", group->width > 1 ? group->symbol : "",
             group->width > 1 ? group->width : 0, group->names ? " or names of moving joints" : "");
  if (*best) snprintf(finding->hint, sizeof finding->hint, "did you mean '%.300s'?", best);
}

static void report_twice(const lwColumns* columns, lwColumnTarget target, const char* name,
                         lwColumnFinding* finding)
{
  const char* first = name;
  for (int k = 0; k < columns->columns; ++k)
    if (columns->targets[k].group == target.group && columns->targets[k].index == target.index)
      first = columns->names[k];
  bool same = !strcmp(first, name);
  find_fault(finding, LW_COLUMN_TWICE, columns->columns,
             "column '%.200s' comes twice%s%.200s%s, expected it once", name,
             same ? "" : ", first as '", same ? "" : first, same ? "" : "'");
}

// Other signs than the comma between columns. A space is usual within a name.
static const struct
{
  char sign;
  int alone, within;  // so many wanted columns must be among the words of the only name, of a name
  const char* name;
} SEPARATORS[] = {{';', 0, 2, "semicolons"},
                  {'\t', 0, 2, "tabs"},
                  {'|', 0, 2, "bars"},
                  {' ', 2, INT_MAX, "spaces"}};

// Wanted columns among the words of a name.
static int wanted_words(const lwColumns* columns, const char* name, char sign)
{
  int wanted = 0;
  for (const char* word = name; word;)
  {
    char text[LW_COLUMN_TEXT];
    const char* end = strchr(word, sign);
    size_t length   = end ? (size_t)(end - word) : strlen(word);
    for (; length > 0 && *word == ' '; --length) ++word;
    while (length > 0 && word[length - 1] == ' ') --length;
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : 0), word);
    lwColumnTarget target = find_target(columns, text);
    wanted += target.group >= 0 && target.index >= 0;
    word = end ? end + 1 : NULL;
  }
  return wanted;
}

// A header in which something else than a comma separates columns looks like one long name.
static bool report_separator(const lwColumns* columns, const char* name, lwColumnFinding* finding)
{
  for (size_t i = 0; i < sizeof SEPARATORS / sizeof *SEPARATORS; ++i)
  {
    char sign  = SEPARATORS[i].sign;
    int enough = columns->fields == 1 ? SEPARATORS[i].alone : SEPARATORS[i].within;
    if (!strchr(name, sign) || wanted_words(columns, name, sign) < enough) continue;
    find_fault(finding, LW_COLUMN_BAD_NAME, columns->columns,
               "the columns are separated by %s, expected commas, and points in numbers",
               SEPARATORS[i].name);
    return true;
  }
  return false;
}

static void check_column_name(lwColumns* columns, const char* name, lwColumnTarget target,
                              lwColumnFinding* finding)
{
  bool used = target.group >= 0 && columns->groups[target.group].need != LW_COLUMNS_UNUSED;
  find_fault(finding, LW_COLUMN_FINE, columns->columns, "%s", "");
  if (!*name)
    find_fault(finding, LW_COLUMN_BAD_NAME, columns->columns,
               "an empty field, expected the name of a column");
  else if (target.index < 0 || target.group < 0)
  {
    if (!report_separator(columns, name, finding) && used)
      report_no_joint(columns, target.group, name, finding);
  }
  else if (used && columns->given[target.group][target.index])
    report_twice(columns, target, name, finding);
  else if (used)
    columns->given[target.group][target.index] = true;
}

bool lw_columns_take(lwColumns* columns, const char* name, lwColumnFinding* finding)
{
  size_t length         = strlen(name);
  lwColumnTarget target = {-1, 0};
  if (length > LW_COLUMN_NAME && !report_separator(columns, name, finding))
    find_fault(finding, LW_COLUMN_BAD_NAME, columns->columns,
               "the name of a column is longer than %d bytes", LW_COLUMN_NAME);
  else if (length <= LW_COLUMN_NAME)
  {
    target = find_target(columns, name);
    check_column_name(columns, name, target, finding);
  }
  char* copy = lw_arena_text(columns->arena, name, length);
  if (!copy) return false;
  bool used = target.group >= 0 && target.index >= 0 &&
              columns->groups[target.group].need != LW_COLUMNS_UNUSED;
  bool joint = used && !columns->groups[target.group].single && !columns->groups[target.group].own;
  columns->by_name |= joint && strchr(name, '.') != NULL;
  columns->names[columns->columns]     = copy;
  columns->targets[columns->columns++] = used ? target : (lwColumnTarget){-1, 0};
  return true;
}

// --- all of them

static const int FAR = 1000;  // a distance that no name has

static int distance_to(lwNearest nearest, const char* wanted)
{
  lw_nearest_try(&nearest, wanted);
  return nearest.best ? nearest.distance : FAR;
}

// Q1 for q1: the only misspelling of a short name that is recognised.
static bool differs_by_case(lwNearest nearest, const char* wanted)
{
  return distance_to(nearest, wanted) == 0;
}

// The number of edits if it may be a typo, else FAR: close as a whole or, for columns named by
// joint, in one of the two parts only, so that v.elbow is not taken for qd.elbow.
static int slip_between(const char* name, const char* wanted)
{
  const char *point = strchr(name, '.'), *other = strchr(wanted, '.');
  size_t symbol = point ? (size_t)(point - name) : 0, known = other ? (size_t)(other - wanted) : 0;
  if (strlen(name) < 3) return differs_by_case(lw_nearest(name), wanted) ? 0 : FAR;
  if (point && other && !strcmp(point, other))
  {
    char text[LW_COLUMN_TEXT];
    snprintf(text, sizeof text, "%.*s", (int)known, wanted);
    lwNearest written = lw_nearest_part(name, symbol);
    return symbol >= 3 ? distance_to(written, text) : differs_by_case(written, text) ? 0 : FAR;
  }
  bool same = !point || !other || (symbol == known && !strncmp(name, wanted, symbol));
  return same ? distance_to(lw_nearest(name), wanted) : FAR;
}

// The number of edits from a name to column k of a group, by number or by joint, if that is
// requested and missing; else FAR.
static int slip_from(const lwColumns* columns, const char* name, int g, int k)
{
  const lwColumnGroup* group = &columns->groups[g];
  int least                  = FAR;
  if (group->need == LW_COLUMNS_UNUSED || k >= group->width || columns->given[g][k]) return FAR;
  for (int form = 0; form < 2; ++form)
  {
    char wanted[LW_COLUMN_TEXT];
    column_full_name(group, k, form == 1, wanted, sizeof wanted);
    int distance = slip_between(name, wanted);
    if (distance < least) least = distance;
  }
  return least;
}

// The ignored column that was probably meant to be column k of a group, and of no other; -1: none.
static int misspelt(const lwColumns* columns, int g, int k)
{
  for (int c = 0; c < columns->columns; ++c)
  {
    const char* name = columns->names[c];
    if (columns->targets[c].group >= 0 || find_target(columns, name).group >= 0) continue;
    int distance = slip_from(columns, name, g, k);
    for (int other = 0; other < columns->count && distance < FAR; ++other)
      if (slip_from(columns, name, other, k) < distance) distance = FAR;
    if (distance < FAR) return c;
  }
  return -1;
}

static void report_missing(const lwColumns* columns, const lwColumnGroup* group, int missing,
                           lwColumnFinding* finding)
{
  char name[LW_COLUMN_TEXT], first[LW_COLUMN_TEXT], last[LW_COLUMN_TEXT];
  const char* or_none = group->need == LW_COLUMNS_ALL_OR_NONE ? " or none of them" : "";
  column_full_name(group, missing, columns->by_name, name, sizeof name);
  column_full_name(group, 0, false, first, sizeof first);
  column_full_name(group, group->width - 1, false, last, sizeof last);
  if (group->need == LW_COLUMNS_SOME)
    find_fault(finding, LW_COLUMN_MISSING, -1,
               "no column of %.100s to %.100s, expected at least one", first, last);
  else if (group->own)
    find_fault(finding, LW_COLUMN_MISSING, -1, "column '%.200s' is missing, expected %.200s", name,
               group->symbol);
  else if (group->single || group->width == 1)
    find_fault(finding, LW_COLUMN_MISSING, -1, "column '%.200s' is missing", name);
  else if (columns->by_name && group->names)
    find_fault(finding, LW_COLUMN_MISSING, -1,
               "column '%.200s' is missing, expected those of all %d moving joints%s", name,
               group->width, or_none);
  else
    find_fault(finding, LW_COLUMN_MISSING, -1,
               "column '%.200s' is missing, expected columns %.100s %s %.100s%s", name, first,
               group->width == 2 ? "and" : "to", last, or_none);
}

bool lw_columns_has(const lwColumns* columns, int g)
{
  for (int k = 0; k < columns->groups[g].width; ++k)
    if (columns->given[g][k]) return true;
  return false;
}

bool lw_columns_lack_optional(const lwColumns* columns, int g)
{
  const lwColumnGroup* group = &columns->groups[g];
  bool lacks                 = group->optional && columns->by_name && lw_columns_has(columns, g);
  for (int k = 0; k < group->width && lacks; ++k)
    lacks = !(group->optional[k] && columns->given[g][k]);
  return lacks;
}

// If time is not needed, it is not missing, even if another column has nearly its name.
lwColumnFault lw_columns_check(const lwColumns* columns, int g, lwColumnFinding* finding)
{
  const lwColumnGroup* group = &columns->groups[g];
  int found = 0, missing = -1;
  bool lacks = lw_columns_lack_optional(columns, g);
  find_fault(finding, LW_COLUMN_FINE, -1, "%s", "");
  for (int k = group->width - 1; k >= 0; --k)
  {
    bool there = columns->given[g][k] || (lacks && group->optional[k]);
    found += there;
    if (!there) missing = k;
  }
  bool optional = group->need == LW_COLUMNS_ALL_OR_NONE;
  bool enough   = found == group->width || (found == 0 && optional) ||
                (found > 0 && group->need == LW_COLUMNS_SOME);
  if (group->need == LW_COLUMNS_UNUSED || found == group->width) return LW_COLUMN_FINE;
  int slip = group->single && optional ? -1 : misspelt(columns, g, missing);
  if (slip < 0 && enough) return LW_COLUMN_FINE;
  if (slip < 0)
  {
    report_missing(columns, group, missing, finding);
    return LW_COLUMN_MISSING;
  }
  char wanted[LW_COLUMN_TEXT];
  bool by_name = strchr(columns->names[slip], '.') != NULL;
  column_full_name(group, missing, by_name, wanted, sizeof wanted);
  find_fault(finding, LW_COLUMN_MISSPELT, slip, "unknown column '%.200s'", columns->names[slip]);
  snprintf(finding->hint, sizeof finding->hint, "did you mean '%.300s'?", wanted);
  return LW_COLUMN_MISSPELT;
}
