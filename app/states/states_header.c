// SPDX-License-Identifier: MIT
// The header of a file of states: which column holds what.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "states.h"

enum
{
  LINE_BYTES      = 1 << 16,  // that a line may have, and
  BYTES_PER_FIELD = 64        // for every column that there can be, and the names in the header
};

const GroupInfo GROUPS[GROUP_ALL] = {{"q", LW_INPUT_Q, OPTION_Q},
                                     {"qd", LW_INPUT_QD, OPTION_QD},
                                     {"qdd", LW_INPUT_QDD, OPTION_QDD},
                                     {"tau", LW_INPUT_TAU, OPTION_TAU},
                                     {"wrench", LW_INPUT_WRENCH, OPTION_WRENCH},
                                     {"t", OF_MOTION, OPTION_COUNT}};

const char* const WRENCH_COLUMNS[6] = {"fx", "fy", "fz", "nx", "ny", "nz"};

int group_width(const lwModel* model, Group group)
{
  if (group == GROUP_T) return 1;
  return group == GROUP_WRENCH ? 6 : lw_model_dof(model);
}

// A moving joint by its name.
typedef struct JointName
{
  const char* name;
  int index;
} JointName;

// What is known while a header is read.
typedef struct HeaderReader
{
  const lwModel* model;
  unsigned inputs;    // of the question
  JointName* joints;  // (dof) sorted by name
  char* seen;         // (GROUP_ALL, dof or 6) true for a column that came
  int stride;         // of seen
  bool by_name;       // a column came that is named by joint
  Lines* lines;
  Header* header;
} HeaderReader;

static int compare_joints(const void* a, const void* b)
{
  return strcmp(((const JointName*)a)->name, ((const JointName*)b)->name);
}

static int joint_by_name(const HeaderReader* reader, const char* name)
{
  JointName key    = {name, -1};
  size_t dof       = (size_t)lw_model_dof(reader->model);
  JointName* found = bsearch(&key, reader->joints, dof, sizeof key, compare_joints);
  return found ? found->index : -1;
}

// "7" is joint 6; "07", "0", "8" of 7 joints are -1.
static int joint_by_number(const HeaderReader* reader, const char* digits)
{
  int number = 0;
  if (*digits == '0' || !*digits) return -1;
  for (; *digits; ++digits)
  {
    if (*digits < '0' || *digits > '9' || number > LW_MAX_JOINTS) return -1;
    number = number * 10 + (*digits - '0');
  }
  return number <= lw_model_dof(reader->model) ? number - 1 : -1;
}

// The value that a column of this name holds; false: there is none.
static bool find_target(const HeaderReader* reader, const char* name, Target* target)
{
  for (int k = 0; k < 6; ++k)
  {
    *target = (Target){GROUP_WRENCH, k};
    if (!strcmp(name, WRENCH_COLUMNS[k])) return true;
  }
  for (int g = 0; g < GROUP_WRENCH; ++g)
  {
    size_t length = strlen(GROUPS[g].name);
    if (strncmp(name, GROUPS[g].name, length) != 0) continue;
    const char* rest = name + length;
    int index = *rest == '.' ? joint_by_name(reader, rest + 1) : joint_by_number(reader, rest);
    *target   = (Target){g, index};
    if (index >= 0) return true;
  }
  *target = (Target){GROUP_T, 0};
  return !strcmp(name, GROUPS[GROUP_T].name);
}

static void column_name(int group, int index, char* buffer, size_t size)
{
  if (group == GROUP_WRENCH)
    snprintf(buffer, size, "%s", WRENCH_COLUMNS[index]);
  else if (group == GROUP_T)
    snprintf(buffer, size, "%s", GROUPS[group].name);
  else
    snprintf(buffer, size, "%s%d", GROUPS[group].name, index + 1);
}

static void offer_columns(const HeaderReader* reader, Nearest* nearest)
{
  char name[NEAREST_SIZE];
  nearest_offer(nearest, "t");
  for (int g = 0; g < GROUP_COUNT; ++g)
  {
    for (int k = 0; k < group_width(reader->model, (Group)g); ++k)
    {
      column_name(g, k, name, sizeof name);
      nearest_offer(nearest, name);
      if (g == GROUP_WRENCH) continue;
      snprintf(name, sizeof name, "%s.%s", GROUPS[g].name, joint_name(reader->model, k));
      nearest_offer(nearest, name);
    }
  }
}

// What the joint that a column names does instead of moving by itself; NULL: no joint is named.
static const char* idle_reason(const HeaderReader* reader, const char* name)
{
  const lwRobotDef* robot = lw_model_robot(reader->model);
  for (int g = 0; g < GROUP_WRENCH; ++g)
  {
    size_t length = strlen(GROUPS[g].name);
    if (strncmp(name, GROUPS[g].name, length) != 0 || name[length] != '.') continue;
    for (int i = 0; i < robot->count; ++i)
    {
      const lwJointDef* joint = &robot->joints[i];
      if (strcmp(joint->name, name + length + 1) != 0) continue;
      return joint->locked.given ? "is held" : joint->mimic.given ? "mimics another" : "is fixed";
    }
  }
  return NULL;
}

static int unknown_column(const HeaderReader* reader, const char* at, const char* name)
{
  const char* idle = idle_reason(reader, name);
  if (idle)
    return lines_fail(reader->lines, at,
                      "column '%.60s' is of a joint that %s, expected columns of joints that move "
                      "by themselves",
                      name, idle);
  Nearest nearest = nearest_to(name, strlen(name));
  offer_columns(reader, &nearest);
  const char* known = "q1.. qd1.. qdd1.. tau1.. fx fy fz nx ny nz t or q.NAME";
  bool found        = nearest_found(&nearest);
  return lines_fail(
      reader->lines, at,
      "unknown column '%.60s', expected one of %s; this robot has %d moving joints%s%s%s", name,
      known, lw_model_dof(reader->model), found ? "; did you mean '" : "", nearest.best,
      found ? "'?" : "");
}

// q1 and q.waist may be the same column.
static int doubled_column(const HeaderReader* reader, const char* at, const char* name,
                          Target target)
{
  const Header* header = reader->header;
  const char* first    = name;
  for (int k = 0; k < header->columns; ++k)
  {
    Target other;
    bool same = header->names[k] && find_target(reader, header->names[k], &other) &&
                other.group == target.group && other.index == target.index;
    if (same) first = header->names[k];
  }
  if (!strcmp(first, name))
    return lines_fail(reader->lines, at, "column '%.60s' comes twice, expected it once", name);
  return lines_fail(reader->lines, at,
                    "column '%.60s' comes twice, first as '%.60s', expected it once", name, first);
}

static int take_column(HeaderReader* reader, char** cursor)
{
  Header* header = reader->header;
  char* at       = *cursor;
  at             = (char*)skip_spaces(at);
  char* name     = field_take(cursor);
  if (!name) return lines_fail(reader->lines, at, "a quote that is not closed, expected \"name\"");
  if (!*name) return lines_fail(reader->lines, at, "an empty field, expected the name of a column");
  Target target;
  if (!find_target(reader, name, &target)) return unknown_column(reader, at, name);
  if (target.group >= 0)
  {
    char* seen = &reader->seen[target.group * reader->stride + target.index];
    if (*seen) return doubled_column(reader, at, name, target);
    *seen = true;
    reader->by_name |= target.group != GROUP_WRENCH && strchr(name, '.') != NULL;
    if (!(reader->inputs & GROUPS[target.group].input)) target.group = -1;
  }
  header->names[header->columns]     = strdup(name);
  header->targets[header->columns++] = target;
  return header->names[header->columns - 1] ? DONE : lines_fail(reader->lines, at, "out of memory");
}

// A group that the question uses must be complete or absent; q must be there, all but the wrench of a motion.
static int check_group(HeaderReader* reader, int group)
{
  const char* seen = &reader->seen[group * reader->stride];
  int width = group_width(reader->model, (Group)group), count = 0, missing = -1;
  if (!(reader->inputs & GROUPS[group].input) || width == 0) return DONE;
  for (int k = width - 1; k >= 0; --k)
  {
    count += seen[k];
    if (!seen[k]) missing = k;
  }
  if (count > 0) reader->header->groups |= 1u << group;
  bool needed = group == GROUP_Q || (reader->inputs & OF_MOTION && group != GROUP_WRENCH);
  if (count == width || (count == 0 && !needed)) return DONE;
  char name[NEAREST_SIZE], last[NEAREST_SIZE];
  if (reader->by_name && group < GROUP_WRENCH)
    return lines_fail(reader->lines, reader->lines->line,
                      "column '%s.%.60s' is missing, expected those of all %d moving joints%s",
                      GROUPS[group].name, joint_name(reader->model, missing), width,
                      group == GROUP_Q ? "" : " or none of them");
  column_name(group, missing, name, sizeof name);
  column_name(group, width - 1, last, sizeof last);
  if (width == 1 && needed)
    return lines_fail(reader->lines, reader->lines->line, "column '%s' is missing", name);
  return lines_fail(reader->lines, reader->lines->line,
                    "column '%s' is missing, expected all %d columns up to '%s'%s", name, width,
                    last, needed ? "" : " or none of them");
}

size_t states_line_bytes(const lwModel* model)
{
  size_t dof = (size_t)lw_model_dof(model), names = 0;
  for (size_t i = 0; i < dof; ++i) names += 2 * strlen(joint_name(model, (int)i));  // all quotes
  return LINE_BYTES + BYTES_PER_FIELD * (GROUP_WRENCH * dof + 7) + GROUP_WRENCH * names;
}

static int count_fields(const char* line)
{
  int count = 1;
  for (; *line; ++line) count += *line == ',';
  return count;
}

static bool allocate(HeaderReader* reader, Header* header, const char* line)
{
  int dof         = lw_model_dof(reader->model);
  size_t fields   = (size_t)count_fields(line);
  reader->stride  = dof > 6 ? dof : 6;
  reader->seen    = calloc((size_t)reader->stride, GROUP_ALL);
  reader->joints  = calloc((size_t)dof + 1, sizeof *reader->joints);
  header->targets = calloc(fields, sizeof *header->targets);
  header->names   = calloc(fields, sizeof *header->names);
  if (!reader->seen || !reader->joints || !header->targets || !header->names) return false;
  for (int i = 0; i < dof; ++i) reader->joints[i] = (JointName){joint_name(reader->model, i), i};
  qsort(reader->joints, (size_t)dof, sizeof *reader->joints, compare_joints);
  return true;
}

static int read_columns(HeaderReader* reader)
{
  int status = DONE;
  char* at   = reader->lines->line;
  while (at && status == DONE) status = take_column(reader, &at);
  for (int g = 0; g < GROUP_ALL && status == DONE; ++g) status = check_group(reader, g);
  return status;
}

int header_read(Header* header, Lines* lines, const lwModel* model, unsigned inputs)
{
  *header             = (Header){0};
  HeaderReader reader = {.model = model, .inputs = inputs, .lines = lines, .header = header};
  int status          = lines_next(lines);
  if (status != DONE) return status;
  if (!lines->line || !*skip_spaces(lines->line))
    return lines_fail(lines, lines->line,
                      "nothing here, expected a header naming columns q1,q2,..");
  if (allocate(&reader, header, lines->line))
    status = read_columns(&reader);
  else
    status = lines_fail(lines, lines->line, "out of memory");
  free(reader.seen);
  free(reader.joints);
  return status;
}

void header_destroy(Header* header)
{
  for (int k = 0; k < header->columns; ++k) free(header->names[k]);
  free(header->names);
  free(header->targets);
}
