// SPDX-License-Identifier: MIT
// Blocks of states, and the single state that the options give.
#include "states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/list.h"
#include "io/text.h"
#include "robot/names.h"

int block_create(Block* block, const lwModel* model, unsigned groups, int capacity)
{
  int widths[CSV_GROUPS] = {0};
  for (int g = 0; g < GROUP_ALL; ++g) widths[g] = group_width(model, (Group)g);
  return block_allocate(block, groups, widths, capacity);
}

lwStates block_states(const Block* block)
{
  return (lwStates){.q      = block->values[GROUP_Q],
                    .qd     = block->values[GROUP_QD],
                    .qdd    = block->values[GROUP_QDD],
                    .tau    = block->values[GROUP_TAU],
                    .wrench = block->values[GROUP_WRENCH]};
}

lwStates block_state(const Block* block, const lwModel* model, int row)
{
  const double* at[GROUP_COUNT];
  for (int g = 0; g < GROUP_COUNT; ++g)
  {
    size_t width = (size_t)group_width(model, (Group)g);
    at[g]        = block->values[g] ? block->values[g] + (size_t)row * width : NULL;
  }
  return (lwStates){at[GROUP_Q], at[GROUP_QD], at[GROUP_QDD], at[GROUP_TAU], at[GROUP_WRENCH]};
}

static int wrong_count(const lwModel* model, Option option, int given)
{
  return fail(USAGE, "%s: %d value%s given, %s needs %d, one for each moving joint",
              OPTIONS[option].name, given, given == 1 ? "" : "s", lw_model_name(model),
              lw_model_dof(model));
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

// What an option gives for each joint.
static int joint_quantity(Option option)
{
  switch (option)
  {
    case OPTION_QD:
    case OPTION_FROM_QD:
    case OPTION_TO_QD:
    case OPTION_VELOCITY:
      return 1;
    case OPTION_QDD:
    case OPTION_FROM_QDD:
    case OPTION_TO_QDD:
    case OPTION_ACCELERATION:
      return 2;
    case OPTION_JERK:
      return 3;
    case OPTION_TAU:
      return 4;
    default:
      return 0;
  }
}

// Of a joint that turns, of one that slides, and of both.
static const char* const UNITS[][3] = {{"rad", "m", "rad|m"},
                                       {"rad/s", "m/s", "rad/s|m/s"},
                                       {"rad/s^2", "m/s^2", "rad/s^2|m/s^2"},
                                       {"rad/s^3", "m/s^3", "rad/s^3|m/s^3"},
                                       {"N m", "N", "N m|N"}};

const char* joint_unit(const lwModel* model, Option option, int i)
{
  return UNITS[joint_quantity(option)][joint_type(model, i) == LW_JOINT_PRISMATIC];
}

const char* joints_unit(const lwModel* model, Option option)
{
  int sliding = 0, dof = lw_model_dof(model);
  for (int i = 0; i < dof; ++i) sliding += joint_type(model, i) == LW_JOINT_PRISMATIC;
  return UNITS[joint_quantity(option)][sliding == 0 ? 0 : sliding == dof ? 1 : 2];
}

// Values by name; those not named are zero. seen: (dof) zeros.
static int place_values(const lwModel* model, Option option, const NameList* list, double* values,
                        bool* seen)
{
  for (int i = 0; i < lw_model_dof(model); ++i) values[i] = 0;
  for (int k = 0; k < list->count; ++k)
  {
    const char* name = list->names[k];
    int i            = joint_of_value(model, OPTIONS[option].name, name);
    if (i < 0) return USAGE;
    if (seen[i]) return fail(USAGE, "%s: joint '%s' is named twice", OPTIONS[option].name, name);
    if (list_take_named(option, name, list->texts[k], joint_unit(model, option, i), &values[i]) !=
        DONE)
      return USAGE;
    seen[i] = true;
  }
  return DONE;
}

// "waist=0.1, elbow=30 deg" to values.
static int parse_named(const lwModel* model, Option option, const char* text, double* values)
{
  NameList list;
  bool* seen = calloc((size_t)lw_model_dof(model) + 1, sizeof *seen);
  if (!seen) return no_memory();
  int status = names_read(&list, OPTIONS[option].name, text, true);
  if (status == DONE) status = place_values(model, option, &list, values, seen);
  names_free(&list);
  free(seen);
  return status;
}

int joint_values(const lwModel* model, Option option, const char* text, double* values)
{
  int given = list_count(text), status = DONE;
  if (strchr(text, '=')) return parse_named(model, option, text, values);
  if (given != lw_model_dof(model)) return wrong_count(model, option, given);
  for (int i = 0; i < given && status == DONE; ++i)
    status = list_take(option, &text, i, joint_unit(model, option, i), &values[i]);
  return status;
}

static int parse_values(const lwModel* model, Group group, const char* text, double* values)
{
  Option option = GROUPS[group].option;
  if (group == GROUP_WRENCH) return list_parse(option, text, 6, "fx,fy,fz,nx,ny,nz", values);
  return joint_values(model, option, text, values);
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
