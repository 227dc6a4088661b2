// SPDX-License-Identifier: MIT
// Blocks of states, and the single state that the options give.
#include "states.h"
#include "report/joint_units.h"

#include <math.h>
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

void closed_check(const lwModel* model, const char* file, long first, const double* q, size_t rows)
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
      stop(INPUT, "%s: row %ld: %s; 'linkwork close' finds the passive joints", file,
           first + (long)row, first_error(diag, closed));
  }
}

// How far the point moves in the frame of each link, added to what it was.
static void note_carried(const double* poses, const double p[3], size_t links, double* first,
                         double* moved)
{
  for (size_t j = 0; j < links; ++j)
  {
    const double *at = poses + 12 * j, *R = at + 3;
    double away = 0;
    for (int k = 0; k < 3; ++k)
    {
      double local = 0;
      for (int i = 0; i < 3; ++i) local += R[3 * i + k] * (p[i] - at[i]);
      if (moved[j] < 0) first[3 * j + (size_t)k] = local;
      away = fmax(away, fabs(local - first[3 * j + (size_t)k]));
    }
    moved[j] = fmax(moved[j], away);
  }
}

void carried_check(const lwModel* model, const char* file, const char* robot, const double* q,
                   const double* xyz, size_t rows)
{
  enum
  {
    ROWS = 200  // that are looked at
  };
  static const double ROUNDED = 1e-3;  // of the distance, for files with few digits
  size_t links                = (size_t)lw_model_joint_count(model);
  double *poses = allocate(12 * links, sizeof *poses), *first = allocate(3 * links, sizeof *first);
  double *moved = allocate(links, sizeof *moved), size = 0;
  lwWorkspace* ws = tree_of(model);
  for (size_t j = 0; j < links; ++j) moved[j] = -1;
  for (size_t row = 0; row < rows; row += rows / ROWS + 1)
  {
    lwStates state = {.q = q + row * (size_t)lw_model_nq(model)};
    lw_answer(model, ws, LW_QUESTION_POSES, &state, poses);
    note_carried(poses, xyz + 3 * row, links, first, moved);
    for (int k = 0; k < 3; ++k) size = fmax(size, fabs(xyz[3 * row + (size_t)k]));
  }
  for (size_t j = 0; j < links; ++j)
    if (moved[j] <= ROUNDED * size) return;
  stop(USAGE, "%s is not a recording of %s: the point x, y, z is fixed to none of its links", file,
       robot);
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
  bool moves         = group == GROUP_QD || group == GROUP_QDD;
  for (int k = 0; k < lw_model_mobility(model) && moves; ++k)  // speeds that the driven joints lack
    if (lw_model_speed(model, k) == i) return true;
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

Follower* follower_of(lwCsvFile* csv, const lwModel* model)
{
  if (csv->user) return csv->user;
  lwWorkspaceDef def = lw_workspace_def();
  Follower* follower = allocate(1, sizeof *follower);
  follower->model    = model;
  follower->q        = allocate((size_t)lw_model_nq(model), sizeof *follower->q);
  follower->still    = allocate((size_t)lw_model_dof(model) + 1, sizeof *follower->still);
  follower->given    = allocate((size_t)lw_model_dof(model) + 1, sizeof *follower->given);
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE);
  need_ok(lw_loops_create(model, &def, NULL, &follower->loops));
  hold_loops(follower->loops);
  lw_model_start(model, follower->q);
  return csv->user = follower;
}

// Entries that are not driven: positions from the row before, others zero.
static void begin_followers(const Follower* follower, Group group, double* values)
{
  for (int i = 0; i < group_width(follower->model, group); ++i)
    if (!entry_is_driven(follower->model, group, i))
      values[i] = group == GROUP_Q ? follower->q[i] : 0;
}

// The first velocity or acceleration that was given and that rows leave no choice of, -1: none.
// Speeds that driven joints lack become followers in singular positions.
static int overruled(const Follower* follower, const double* given, const double* x)
{
  for (int i = 0; i < lw_model_dof(follower->model); ++i)
    if (entry_is_driven(follower->model, GROUP_QD, i) &&
        !(fabs(x[i] - given[i]) <= 1e-9 * (1 + fabs(given[i]))))
      return i;
  return -1;
}

void complete_state(lwCsvFile* csv, int row)
{
  Follower* follower = csv->user;
  lwLoops* loops     = follower->loops;
  lwStatus closed    = LW_OK;
  double* at[GROUP_WRENCH];
  const char* name = csv->lines.name;
  for (int g = 0; g < GROUP_WRENCH; ++g)
  {
    size_t width = (size_t)group_width(follower->model, (Group)g);
    at[g]        = csv->block.values[g] ? csv->block.values[g] + (size_t)row * width : NULL;
    if (follower->lacks[g] && at[g]) begin_followers(follower, (Group)g, at[g]);
  }
  if (follower->begins_only) return;
  if (follower->lacks[GROUP_Q]) closed = lw_loops_close(loops, at[GROUP_Q], NULL);
  size_t bytes = (size_t)lw_model_dof(follower->model) * sizeof(double);
  int other    = -1;
  if (closed == LW_OK && follower->lacks[GROUP_QD])
  {
    memcpy(follower->given, at[GROUP_QD], bytes);
    closed = lw_loops_velocity(loops, at[GROUP_Q], at[GROUP_QD]);
    other  = overruled(follower, follower->given, at[GROUP_QD]);
  }
  if (closed == LW_OK && other < 0 && follower->lacks[GROUP_QDD])
  {
    memcpy(follower->given, at[GROUP_QDD], bytes);
    closed = lw_loops_acceleration(loops, at[GROUP_Q],
                                   at[GROUP_QD] ? at[GROUP_QD] : follower->still, at[GROUP_QDD]);
    other  = overruled(follower, follower->given, at[GROUP_QDD]);
  }
  if (closed == LW_OK && other >= 0)
    stop(
        name ? INPUT : USAGE,
        "%s: the position is singular: the speed of '%s' cannot be chosen there; give those of all "
        "joints",
        name ? name : "--q", lw_model_velocity(follower->model, other).name);
  if (closed != LW_OK)
  {
    static const char why[] = "no motion of the passive joints closes the loops with these values "
                              "of the driven ones";
    if (!name) stop(USAGE, "%s", why);
    stop(INPUT, "%s:%ld: %s", name, csv->block.first + row + 1, why);
  }
  memcpy(follower->q, at[GROUP_Q], (size_t)lw_model_nq(follower->model) * sizeof *follower->q);
}

// Whether a list gives driven joints alone, by number or by name.
static bool only_driven(const lwModel* model, Option option, const char* text)
{
  Group group = option_group(option);
  int width = group_width(model, group), driven = 0;
  for (int i = 0; i < width; ++i) driven += entry_is_driven(model, group, i);
  if (driven == width) return false;
  if (!strchr(text, '=')) return list_count(text) == driven;
  NameList list = names_of(OPTIONS[option].name, text, true);
  for (int k = 0; k < list.count; ++k)
    if (!entry_is_driven(model, group, entry_of_value(model, option, list.names[k]))) return false;
  return true;
}

// The values of an option for a robot with loops.
static void closed_values(lwCsvFile* csv, const lwModel* model, Group g, const char* text)
{
  Option option = GROUPS[g].option;
  double* to    = csv->block.values[g];
  memset(to, 0, (size_t)group_width(model, g) * sizeof *to);
  if (g == GROUP_Q) lw_model_start(model, to);
  driven_values(model, option, text, to);
  if (only_driven(model, option, text)) follower_of(csv, model)->lacks[g] = true;
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
  bool closed      = lw_model_loop_count(model) > 0;
  for (int g = 0; g < GROUP_WRENCH; ++g)
    if (groups >> g & 1 && closed)
      closed_values(csv, model, (Group)g, options->value[GROUPS[g].option]);
    else if (groups >> g & 1)
      joint_values(model, GROUPS[g].option, options->value[GROUPS[g].option], values[g]);
  if (csv->user) complete_state(csv, 0);
  if (groups >> GROUP_WRENCH & 1)
    list_parse(OPTION_WRENCH, options->value[OPTION_WRENCH], 6, "fx,fy,fz,nx,ny,nz",
               values[GROUP_WRENCH]);
  return csv;
}
