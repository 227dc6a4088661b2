// SPDX-License-Identifier: MIT
// Blocks of states, and the single state that the options give.
#include "states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"
#include "io/text.h"
#include "names.h"

int block_create(Block* block, const lwModel* model, unsigned groups, int capacity)
{
  *block = (Block){.capacity = capacity, .first = 1, .time = -INFINITY};
  for (int g = 0; g < GROUP_ALL; ++g)
  {
    size_t count = (size_t)group_width(model, (Group)g) * (size_t)capacity;
    if (!(groups >> g & 1)) continue;
    block->values[g] = malloc((count + 1) * sizeof(double));
    if (!block->values[g]) return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  }
  return DONE;
}

void block_destroy(Block* block)
{
  for (int g = 0; g < GROUP_ALL; ++g) free(block->values[g]);
}

lwStates block_states(const Block* block)
{
  return (lwStates){.q      = block->values[GROUP_Q],
                    .qd     = block->values[GROUP_QD],
                    .qdd    = block->values[GROUP_QDD],
                    .tau    = block->values[GROUP_TAU],
                    .wrench = block->values[GROUP_WRENCH]};
}

static int count_values(const char* list)
{
  int count = *skip_spaces(list) != 0;
  for (; *list; ++list) count += *list == ',';
  return count;
}

static int wrong_count(const lwModel* model, Group group, int given)
{
  const char* name = OPTIONS[GROUPS[group].option].name;
  int needed       = group_width(model, group);
  if (group == GROUP_WRENCH)
    return fail(USAGE, "%s: %d value%s given, expected 6: fx,fy,fz,nx,ny,nz", name, given,
                given == 1 ? "" : "s");
  return fail(USAGE, "%s: %d value%s given, %s needs %d, one for each moving joint", name, given,
              given == 1 ? "" : "s", lw_model_name(model), needed);
}

// "0.1, -0.2" to values.
static int parse_list(const lwModel* model, Group group, const char* list, double* values)
{
  int needed = group_width(model, group);
  int given  = count_values(list);
  if (given != needed) return wrong_count(model, group, given);
  const char* s = list;
  for (int k = 0; k < needed; ++k)
  {
    const char* start = s = skip_spaces(s);
    bool number           = number_parse(&s, &values[k]);
    s                     = skip_spaces(s);
    if (number && *s == (k < needed - 1 ? ',' : 0) && isfinite(values[k]))
    {
      ++s;
      continue;
    }
    return fail(USAGE, "%s: value %d, '%.*s', is not a finite number",
                OPTIONS[GROUPS[group].option].name, k + 1, (int)strcspn(start, ","), start);
  }
  return DONE;
}

static int joint_of_value(const lwModel* model, const char* option, const char* name)
{
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    if (!strcmp(joint_name(model, i), name)) return i;
    nearest_offer(&nearest, joint_name(model, i));
  }
  if (nearest_found(&nearest))
    fail(USAGE, "%s: %s has no moving joint '%s', did you mean '%s'?", option, lw_model_name(model),
         name, nearest.best);
  else
    fail(USAGE, "%s: %s has no moving joint '%s'", option, lw_model_name(model), name);
  return -1;
}

// Values by name; those not named are zero. seen: (dof) zeros.
static int place_values(const lwModel* model, Group group, const NameList* list, double* values,
                        bool* seen)
{
  const char* option = OPTIONS[GROUPS[group].option].name;
  for (int i = 0; i < lw_model_dof(model); ++i) values[i] = 0;
  for (int k = 0; k < list->count; ++k)
  {
    const lwHold* given = &list->values[k];
    int i               = joint_of_value(model, option, given->joint);
    if (i < 0) return USAGE;
    if (seen[i]) return fail(USAGE, "%s: joint '%s' is named twice", option, given->joint);
    if (given->angle && (group != GROUP_Q || joint_type(model, i) != LW_REVOLUTE))
      return fail(USAGE, "%s: the value of '%s' is no angle, expected a number without a unit",
                  option, given->joint);
    values[i] = given->value;
    seen[i]   = true;
  }
  return DONE;
}

// "waist=0.1, elbow=30 deg" to values.
static int parse_named(const lwModel* model, Group group, const char* text, double* values)
{
  NameList list;
  bool* seen = calloc((size_t)lw_model_dof(model) + 1, sizeof *seen);
  int status = names_read(&list, OPTIONS[GROUPS[group].option].name, text, true);
  if (!seen)
    status = fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  else if (status == DONE)
    status = place_values(model, group, &list, values, seen);
  names_free(&list);
  free(seen);
  return status;
}

static int parse_values(const lwModel* model, Group group, const char* text, double* values)
{
  bool named = group != GROUP_WRENCH && strchr(text, '=') != NULL;
  return (named ? parse_named : parse_list)(model, group, text, values);
}

int state_from_options(const Options* options, const lwModel* model, unsigned inputs, Block* block)
{
  unsigned groups = 0;
  for (int g = 0; g < GROUP_COUNT; ++g)
    if ((inputs & GROUPS[g].input) && options->value[GROUPS[g].option]) groups |= 1u << g;
  if (!(groups & 1u << GROUP_Q) && lw_model_dof(model) > 0)
    return fail(USAGE, "--q is missing: give the %d joint positions of %s, or --in FILE",
                lw_model_dof(model), lw_model_name(model));
  int status = block_create(block, model, groups, 1);
  for (int g = 0; g < GROUP_COUNT && status == DONE; ++g)
    if (groups >> g & 1)
      status = parse_values(model, (Group)g, options->value[GROUPS[g].option], block->values[g]);
  block->count = 1;
  return status;
}
