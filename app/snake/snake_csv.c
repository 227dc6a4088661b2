// SPDX-License-Identifier: MIT
#include "snake_csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  LINE_BYTES      = 1 << 16,  // that a line may have, and
  BYTES_PER_FIELD = 64        // for every column that there can be
};

static int total_width(const SnakeCsv* csv)
{
  int sum = 0;
  for (int g = 0; g < csv->groups; ++g) sum += csv->group[g].width;
  return sum;
}

// The place of column 0 of a group among all columns.
static int first_of(const SnakeCsv* csv, int group)
{
  int sum = 0;
  for (int g = 0; g < group; ++g) sum += csv->group[g].width;
  return sum;
}

// "7" is 6; "07", "0" and what is above width are -1.
static int index_of(const char* digits, int width)
{
  int number = 0;
  if (*digits == '0' || !*digits) return -1;
  for (; *digits; ++digits)
  {
    if (*digits < '0' || *digits > '9' || number > LW_MAX_SNAKE_LINKS) return -1;
    number = number * 10 + (*digits - '0');
  }
  return number <= width ? number - 1 : -1;
}

// The value that a column holds; false: there is no such column.
static bool find_target(const SnakeCsv* csv, const char* name, Target* target)
{
  for (int g = 0; g < csv->groups; ++g)
  {
    const SnakeGroup* group = &csv->group[g];
    size_t length           = strlen(group->name);
    if (strncmp(name, group->name, length) != 0) continue;
    *target = (Target){g, group->numbered ? index_of(name + length, group->width) : 0};
    if (group->numbered ? target->index >= 0 : name[length] == 0) return true;
  }
  *target = (Target){-1, 0};
  for (const char* const* known = csv->ignored; *known; ++known)
    if (!strcmp(name, *known)) return true;
  return false;
}

// "theta1..theta6, u1..u2, T1..T5"
static void list_columns(const SnakeCsv* csv, char* buffer, size_t size)
{
  size_t used = 0;
  for (int g = 0; g < csv->groups && used < size; ++g)
  {
    const SnakeGroup* group = &csv->group[g];
    const char* comma       = g > 0 ? ", " : "";
    if (group->numbered)
      used += (size_t)snprintf(buffer + used, size - used, "%s%s1..%s%d", comma, group->name,
                               group->name, group->width);
    else
      used += (size_t)snprintf(buffer + used, size - used, "%s%s", comma, group->name);
  }
}

static int take_column(SnakeCsv* csv, char* seen, char** cursor)
{
  Target target;
  char* at   = (char*)skip_spaces(*cursor);
  char* name = field_take(cursor);
  if (!name) return lines_fail(&csv->lines, at, "a quote that is not closed, expected \"name\"");
  if (!find_target(csv, name, &target))
  {
    char list[128];
    list_columns(csv, list, sizeof list);
    return lines_fail(&csv->lines, at, "unknown column '%.60s', expected %s", name, list);
  }
  char* came = target.group < 0 ? NULL : &seen[first_of(csv, target.group) + target.index];
  if (came && *came)
    return lines_fail(&csv->lines, at, "column '%.60s' comes twice, expected it once", name);
  if (came) *came = true;
  csv->header.names[csv->header.columns]     = strdup(name);
  csv->header.targets[csv->header.columns++] = target;
  if (csv->header.names[csv->header.columns - 1]) return DONE;
  return lines_fail(&csv->lines, at, "out of memory");
}

// A group must be complete, or absent if it is not needed.
static int check_group(SnakeCsv* csv, const char* seen, int g)
{
  const SnakeGroup* group = &csv->group[g];
  int count = 0, missing = -1;
  for (int k = group->width - 1; k >= 0; --k)
  {
    bool came = seen[first_of(csv, g) + k];
    count += came;
    if (!came) missing = k;
  }
  if (count > 0) csv->header.groups |= 1u << g;
  if (count == group->width || (count == 0 && !group->needed)) return DONE;
  if (!group->numbered)
    return lines_fail(&csv->lines, csv->lines.line, "column '%s' is missing", group->name);
  return lines_fail(&csv->lines, csv->lines.line,
                    "column '%s%d' is missing, expected all %d up to '%s%d'%s", group->name,
                    missing + 1, group->width, group->name, group->width,
                    group->needed ? "" : " or none of them");
}

static int read_columns(SnakeCsv* csv, char* seen)
{
  int status = DONE;
  char* at   = csv->lines.line;
  while (at && status == DONE) status = take_column(csv, seen, &at);
  for (int g = 0; g < csv->groups && status == DONE; ++g) status = check_group(csv, seen, g);
  return status;
}

static int read_header(SnakeCsv* csv)
{
  size_t fields = 1;
  int status    = lines_next(&csv->lines);
  if (status != DONE) return status;
  if (!csv->lines.line || !*skip_spaces(csv->lines.line))
    return lines_fail(&csv->lines, csv->lines.line, "nothing here, expected a header");
  for (const char* s = csv->lines.line; *s; ++s) fields += *s == ',';
  char* seen          = calloc((size_t)total_width(csv) + 1, 1);
  csv->header.targets = calloc(fields, sizeof *csv->header.targets);
  csv->header.names   = calloc(fields, sizeof *csv->header.names);
  if (seen && csv->header.targets && csv->header.names)
    status = read_columns(csv, seen);
  else
    status = lines_fail(&csv->lines, csv->lines.line, "out of memory");
  free(seen);
  return status;
}

static int make_block(SnakeCsv* csv, int capacity)
{
  csv->block = (Block){.capacity = capacity, .first = 1};
  for (int g = 0; g < csv->groups; ++g)
  {
    size_t count = (size_t)capacity * (size_t)csv->group[g].width;
    if (!(csv->header.groups >> g & 1)) continue;
    csv->block.values[g] = malloc((count + 1) * sizeof(double));
    if (!csv->block.values[g]) return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  }
  return DONE;
}

int snake_csv_open(SnakeCsv* csv, const char* path, int capacity)
{
  size_t longest = LINE_BYTES + BYTES_PER_FIELD * ((size_t)total_width(csv) + 8);
  int status     = lines_open(&csv->lines, path, longest);
  if (status != DONE) return status;
  status = read_header(csv);
  if (status != DONE) fprintf(stderr, "%s\n", csv->lines.message);
  return status == DONE ? make_block(csv, capacity) : status;
}

void snake_csv_close(SnakeCsv* csv)
{
  block_destroy(&csv->block);
  header_destroy(&csv->header);
  lines_close(&csv->lines);
}

int snake_csv_read(SnakeCsv* csv)
{
  int widths[GROUP_ALL] = {0};
  for (int g = 0; g < csv->groups; ++g) widths[g] = csv->group[g].width;
  return rows_read(&csv->header, &csv->lines, widths, &csv->block);
}
