// SPDX-License-Identifier: MIT
// Blocks of states, and the single state that the options give.
#include "states.h"
#include "report/joint_units.h"

#include <string.h>

#include "command/ranges.h"
#include "linkwork/loop.h"

void block_create(lwCsvBlock* block, const lwModel* model, unsigned groups, int capacity)
{
  int widths[LW_CSV_GROUPS] = {0};
  for (int g = 0; g < GROUP_LINKS; ++g) widths[g] = group_width(model, (Group)g);
  if (!lw_csv_block_allocate(block, groups & ~(1u << GROUP_LINKS), widths, capacity))
    leave(no_memory());
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

static _Noreturn void wrong_count(const lwModel* model, Option option, int given)
{
  int nq = lw_model_nq(model), dof = lw_model_dof(model);
  bool positions = option_group(option) == GROUP_Q;
  if (nq != dof)
    stop(USAGE,
         "%s: %d value%s given, %s needs %d (its positions are %d, with quaternions, its "
         "velocities %d)",
         OPTIONS[option].name, given, given == 1 ? "" : "s", lw_model_name(model),
         positions ? nq : dof, nq, dof);
  stop(USAGE, "%s: %d value%s given, %s needs %d, one for each moving joint", OPTIONS[option].name,
       given, given == 1 ? "" : "s", lw_model_name(model), dof);
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
  stop(USAGE, "%s: %s has no moving joint '%s'%s%s", OPTIONS[option].name, lw_model_name(model),
       name, nearest_found(&nearest) ? ", " : "", nearest_or(&nearest, ""));
}

void positions_check(const lwModel* model, const char* where, int code, const double* q)
{
  if (lw_model_nq(model) == lw_model_dof(model)) return;
  lwDiag* diag   = hold_messages();
  lwStatus sound = lw_model_check_positions(model, q, diag);
  if (sound != LW_OK) stop(code, "%s: %s", where, first_error(diag, sound));
  unhold(diag);
  lw_diag_destroy(diag);
}

void closed_check(const lwModel* model, const char* file, const double* q, size_t rows)
{
  if (lw_model_loop_count(model) == 0) return;
  lwDiag* diag   = hold_messages();
  lwLoops* loops = NULL;
  lwStatus made  = lw_loops_create(model, NULL, NULL, &loops);
  hold_loops(loops);
  if (made != LW_OK) leave(no_memory());
  for (size_t row = 0; row < rows; ++row, q += lw_model_nq(model))
  {
    lwStatus closed = lw_loops_check(loops, q, NULL, NULL, diag);
    if (closed != LW_OK)
      stop(INPUT, "%s: row %zu: %s; 'linkwork close' finds the passive joints", file, row + 1,
           first_error(diag, closed));
  }
}

// "waist=0.1, elbow=30 deg" to values; those not named stay.
static void parse_named(const lwModel* model, Option option, const char* text, double* values)
{
  NameList list = names_of(OPTIONS[option].name, text, true);
  bool* seen    = allocate((size_t)lw_model_nq(model), sizeof *seen);
  for (int k = 0; k < list.count; ++k)
  {
    int i = entry_of_value(model, option, list.names[k]);
    if (seen[i]) stop(USAGE, "%s: joint '%s' is named twice", OPTIONS[option].name, list.names[k]);
    values[i] = list_take_named(option, list.names[k], list.texts[k], joint_unit(model, option, i));
    seen[i]   = true;
  }
}

static void check_ranges(const lwModel* model, Option option, const double* values)
{
  if (option_group(option) != GROUP_Q) return;
  ranges_positions(model, OPTIONS[option].name, 0, values, 1, false);
  positions_check(model, OPTIONS[option].name, USAGE, values);
}

static void joint_values_over(const lwModel* model, Option option, const char* text, double* values)
{
  int given = list_count(text);
  if (strchr(text, '='))
    parse_named(model, option, text, values);
  else if (given != group_width(model, option_group(option)))
    wrong_count(model, option, given);
  else
    for (int i = 0; i < given; ++i)
      values[i] = list_take(option, &text, i, joint_unit(model, option, i));
  check_ranges(model, option, values);
}

void joint_values(const lwModel* model, Option option, const char* text, double* values)
{
  if (option_group(option) != GROUP_Q)
    memset(values, 0, (size_t)lw_model_dof(model) * sizeof *values);
  else if (lw_model_loop_count(model) > 0)
    lw_model_start(model, values);
  else
    lw_model_neutral(model, values);
  joint_values_over(model, option, text, values);
}

bool entry_is_driven(const lwModel* model, Group group, int i)
{
  lwCoordinate entry = coordinate(model, group == GROUP_Q ? GROUP_Q : GROUP_QD, i);
  for (int k = 0; k < lw_model_dof(model); ++k)
    if (lw_model_velocity(model, k).joint == entry.joint) return lw_model_is_driven(model, k);
  return false;
}

void driven_values(const lwModel* model, Option option, const char* text, double* values)
{
  Group group = option_group(option);
  int width = group_width(model, group), driven = 0, given = list_count(text);
  bool named = strchr(text, '=');
  for (int i = 0; i < width; ++i) driven += entry_is_driven(model, group, i);
  if (!named && driven < width && given != driven && given != width)
    stop(USAGE, "%s: %d value%s given, %s needs %d, or %d of the driven joints",
         OPTIONS[option].name, given, given == 1 ? "" : "s", lw_model_name(model), width, driven);
  if (named || given != driven || driven == width)
    return joint_values_over(model, option, text, values);
  for (int i = 0, at = 0; i < width; ++i)
    if (entry_is_driven(model, group, i))
      values[i] = list_take(option, &text, at++, joint_unit(model, option, i));
  check_ranges(model, option, values);
}

lwCsvFile* state_of(const Options* options, const lwModel* model, unsigned inputs)
{
  unsigned groups = 0;
  lwCsvFile* csv  = hold_csv(allocate(1, sizeof *csv));
  double** values = csv->block.values;
  for (int g = 0; g < GROUP_COUNT; ++g)
    if ((inputs & GROUPS[g].input) && options->value[GROUPS[g].option]) groups |= 1u << g;
  bool placed = options->wrench_count > 0 && strpbrk(options->wrenches[0], "=@/");
  if (groups >> GROUP_WRENCH & 1 && (options->wrench_count > 1 || placed))
    stop(USAGE, "--wrench: '%s' takes one wrench, fx,fy,fz,nx,ny,nz on the last link",
         options->command->name);
  if (!(groups & 1u << GROUP_Q) && lw_model_dof(model) > 0)
    stop(USAGE, "--q is missing: give the %d joint positions of %s, or --in FILE",
         lw_model_nq(model), lw_model_name(model));
  block_create(&csv->block, model, groups, 1);
  csv->block.count = 1;
  for (int g = 0; g < GROUP_WRENCH; ++g)
    if (groups >> g & 1)
      joint_values(model, GROUPS[g].option, options->value[GROUPS[g].option], values[g]);
  if (groups >> GROUP_WRENCH & 1)
    list_parse(OPTION_WRENCH, options->value[OPTION_WRENCH], 6, "fx,fy,fz,nx,ny,nz",
               values[GROUP_WRENCH]);
  return csv;
}
