// SPDX-License-Identifier: MIT
// Blocks of states, and the single state that the options give.
#include "states.h"
#include "report/joint_units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/list.h"
#include "command/ranges.h"
#include "io/program_text.h"
#include "linkwork/loop.h"
#include "robot/name_list.h"

int block_create(lwCsvBlock* block, const lwModel* model, unsigned groups, int capacity)
{
  int widths[LW_CSV_GROUPS] = {0};
  for (int g = 0; g < GROUP_LINKS; ++g) widths[g] = group_width(model, (Group)g);
  return block_allocate(block, groups & ~(1u << GROUP_LINKS), widths, capacity);
}

lwStates block_states(const lwCsvBlock* block)
{
  return (lwStates){.q      = block->values[GROUP_Q],
                    .qd     = block->values[GROUP_QD],
                    .qdd    = block->values[GROUP_QDD],
                    .tau    = block->values[GROUP_TAU],
                    .wrench = block->values[GROUP_WRENCH]};
}

lwStates block_state(const lwCsvBlock* block, const lwModel* model, int row)
{
  const double* at[GROUP_COUNT];
  for (int g = 0; g < GROUP_COUNT; ++g)
  {
    size_t width = (size_t)group_width(model, (Group)g);
    at[g]        = block->values[g] ? block->values[g] + (size_t)row * width : NULL;
  }
  return (lwStates){at[GROUP_Q], at[GROUP_QD], at[GROUP_QDD], at[GROUP_TAU], at[GROUP_WRENCH]};
}

// What an option gives for each joint.
static lwJointQuantity joint_quantity(Option option)
{
  switch (option)
  {
    case OPTION_QD:
    case OPTION_FROM_QD:
    case OPTION_TO_QD:
    case OPTION_VELOCITY:
      return LW_JOINT_QUANTITY_VELOCITY;
    case OPTION_QDD:
    case OPTION_FROM_QDD:
    case OPTION_TO_QDD:
    case OPTION_ACCELERATION:
      return LW_JOINT_QUANTITY_ACCELERATION;
    case OPTION_JERK:
      return LW_JOINT_QUANTITY_JERK;
    case OPTION_TAU:
      return LW_JOINT_QUANTITY_EFFORT;
    default:
      return LW_JOINT_QUANTITY_POSITION;
  }
}

static Group option_group(Option option)
{
  lwJointQuantity quantity = joint_quantity(option);
  if (quantity == LW_JOINT_QUANTITY_POSITION) return GROUP_Q;
  return quantity == LW_JOINT_QUANTITY_EFFORT ? GROUP_TAU : GROUP_QD;
}

const char* joint_unit(const lwModel* model, Option option, int i)
{
  return lw_joint_unit(model, joint_quantity(option), i);
}

const char* joints_unit(const lwModel* model, Option option)
{
  return lw_joints_unit(model, joint_quantity(option));
}

static int wrong_count(const lwModel* model, Option option, int given)
{
  int nq = lw_model_nq(model), dof = lw_model_dof(model);
  bool positions = option_group(option) == GROUP_Q;
  if (nq != dof)
    return fail(USAGE,
                "%s: %d value%s given, %s needs %d (its positions are %d, with quaternions, its "
                "velocities %d)",
                OPTIONS[option].name, given, given == 1 ? "" : "s", lw_model_name(model),
                positions ? nq : dof, nq, dof);
  return fail(USAGE, "%s: %d value%s given, %s needs %d, one for each moving joint",
              OPTIONS[option].name, given, given == 1 ? "" : "s", lw_model_name(model), dof);
}

static int entry_of_value(const lwModel* model, Option option, const char* name)
{
  Nearest nearest = nearest_to(name, strlen(name));
  Group group     = option_group(option);
  for (int i = 0; i < group_width(model, group); ++i)
  {
    const char* known = coordinate(model, group, i).name;
    if (!strcmp(known, name)) return i;
    nearest_offer(&nearest, known);
  }
  if (nearest_found(&nearest))
    fail(USAGE, "%s: %s has no moving joint '%s', did you mean '%s'?", OPTIONS[option].name,
         lw_model_name(model), name, nearest.best);
  else
    fail(USAGE, "%s: %s has no moving joint '%s'", OPTIONS[option].name, lw_model_name(model),
         name);
  return -1;
}

int positions_check(const lwModel* model, const char* where, int code, const double* q)
{
  lwDiag* diag = lw_diag_create();
  if (!diag) return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  int status     = DONE;
  lwStatus sound = lw_model_check_positions(model, q, diag);
  if (sound != LW_OK) status = fail(code, "%s: %s", where, first_error(diag, sound));
  lw_diag_destroy(diag);
  return status;
}

static int check_closed_rows(lwLoops* loops, const lwModel* model, const char* file,
                             const double* q, size_t rows, lwDiag* diag)
{
  for (size_t row = 0; row < rows; ++row, q += lw_model_nq(model))
  {
    lwStatus closed = lw_loops_check(loops, q, NULL, NULL, diag);
    if (closed != LW_OK)
      return fail(INPUT, "%s: row %zu: %s; 'linkwork close' finds the passive joints", file,
                  row + 1, first_error(diag, closed));
  }
  return DONE;
}

int closed_check(const lwModel* model, const char* file, const double* q, size_t rows)
{
  lwLoops* loops = NULL;
  if (lw_model_loop_count(model) == 0) return DONE;
  lwDiag* diag = lw_diag_create();
  int status   = diag && lw_loops_create(model, NULL, NULL, &loops) == LW_OK
                     ? check_closed_rows(loops, model, file, q, rows, diag)
                     : no_memory();
  lw_loops_destroy(loops);
  lw_diag_destroy(diag);
  return status;
}

// Values by name; those not named stay. seen: zeros, one for each.
static int place_values(const lwModel* model, Option option, const NameList* list, double* values,
                        bool* seen)
{
  for (int k = 0; k < list->count; ++k)
  {
    const char* name = list->names[k];
    int i            = entry_of_value(model, option, name);
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
  bool* seen = calloc((size_t)lw_model_nq(model) + 1, sizeof *seen);
  if (!seen) return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  int status = names_read(&list, OPTIONS[option].name, text, true);
  if (status == DONE) status = place_values(model, option, &list, values, seen);
  names_free(&list);
  free(seen);
  return status;
}

int joint_values(const lwModel* model, Option option, const char* text, double* values)
{
  if (option_group(option) != GROUP_Q)
    memset(values, 0, (size_t)lw_model_dof(model) * sizeof *values);
  else if (lw_model_loop_count(model) > 0)
    lw_model_start(model, values);
  else
    lw_model_neutral(model, values);
  return joint_values_over(model, option, text, values);
}

int joint_values_over(const lwModel* model, Option option, const char* text, double* values)
{
  int given = list_count(text), status = DONE;
  Group group = option_group(option);
  if (strchr(text, '='))
    status = parse_named(model, option, text, values);
  else if (given != group_width(model, group))
    return wrong_count(model, option, given);
  else
    for (int i = 0; i < given && status == DONE; ++i)
      status = list_take(option, &text, i, joint_unit(model, option, i), &values[i]);
  if (status != DONE || group != GROUP_Q) return status;
  ranges_positions(model, OPTIONS[option].name, 0, values, 1, false);
  return positions_check(model, OPTIONS[option].name, USAGE, values);
}

bool entry_is_driven(const lwModel* model, Group group, int i)
{
  lwCoordinate entry = group == GROUP_Q ? lw_model_position(model, i) : lw_model_velocity(model, i);
  for (int k = 0; k < lw_model_dof(model); ++k)
    if (lw_model_velocity(model, k).joint == entry.joint) return lw_model_is_driven(model, k);
  return false;
}

int driven_values(const lwModel* model, Option option, const char* text, double* values)
{
  Group group = option_group(option);
  int width = group_width(model, group), driven = 0, status = DONE;
  for (int i = 0; i < width; ++i) driven += entry_is_driven(model, group, i);
  int given = list_count(text);
  if (!strchr(text, '=') && driven < width && given != driven && given != width)
    return fail(USAGE, "%s: %d value%s given, %s needs %d, or %d of the driven joints",
                OPTIONS[option].name, given, given == 1 ? "" : "s", lw_model_name(model), width,
                driven);
  if (strchr(text, '=') || given != driven || driven == width)
    return joint_values_over(model, option, text, values);
  for (int i = 0, at = 0; i < width && status == DONE; ++i)
    if (entry_is_driven(model, group, i))
      status = list_take(option, &text, at++, joint_unit(model, option, i), &values[i]);
  if (status == DONE && group == GROUP_Q)
    ranges_positions(model, OPTIONS[option].name, 0, values, 1, false);
  return status;
}

static int read_group(const lwModel* model, Group group, const char* text, double* values)
{
  Option option = GROUPS[group].option;
  if (group == GROUP_WRENCH) return list_parse(option, text, 6, "fx,fy,fz,nx,ny,nz", values);
  return joint_values(model, option, text, values);
}

int state_from_options(const Options* options, const lwModel* model, unsigned inputs,
                       lwCsvBlock* block)
{
  unsigned groups = 0;
  for (int g = 0; g < GROUP_COUNT; ++g)
    if ((inputs & GROUPS[g].input) && options->value[GROUPS[g].option]) groups |= 1u << g;
  bool placed = options->wrench_count > 0 && strpbrk(options->wrenches[0], "=@/");
  if (groups >> GROUP_WRENCH & 1 && (options->wrench_count > 1 || placed))
    return fail(USAGE, "--wrench: '%s' takes one wrench, fx,fy,fz,nx,ny,nz on the last link",
                options->command->name);
  if (!(groups & 1u << GROUP_Q) && lw_model_dof(model) > 0)
    return fail(USAGE, "--q is missing: give the %d joint positions of %s, or --in FILE",
                lw_model_nq(model), lw_model_name(model));
  int status = block_create(block, model, groups, 1);
  for (int g = 0; g < GROUP_COUNT && status == DONE; ++g)
    if (groups >> g & 1)
      status = read_group(model, (Group)g, options->value[GROUPS[g].option], block->values[g]);
  block->count = 1;
  return status;
}
