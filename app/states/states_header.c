// SPDX-License-Identifier: MIT
// Tables of states: what their columns are.
#include <stdio.h>
#include <string.h>

#include "states.h"

#include "command/ranges.h"

const GroupInfo GROUPS[GROUP_ALL] = {{"q", LW_INPUT_Q, OPTION_Q},
                                     {"qd", LW_INPUT_QD, OPTION_QD},
                                     {"qdd", LW_INPUT_QDD, OPTION_QDD},
                                     {"tau", LW_INPUT_TAU, OPTION_TAU},
                                     {"wrench", LW_INPUT_WRENCH, OPTION_WRENCH},
                                     {"t", INPUT_TIME, OPTION_COUNT},
                                     {"links", LW_INPUT_WRENCH, OPTION_COUNT}};

static const char* const WRENCH_COLUMNS[6] = {"fx", "fy", "fz", "nx", "ny", "nz"};

int group_width(const lwModel* model, Group group)
{
  if (group == GROUP_T) return 1;
  return group == GROUP_WRENCH ? 6 : group == GROUP_Q ? lw_model_nq(model) : lw_model_dof(model);
}

lwCoordinate coordinate(const lwModel* model, Group group, int i)
{
  if (group == GROUP_Q) return lw_model_position(model, i);
  return group == GROUP_TAU ? lw_model_effort(model, i) : lw_model_velocity(model, i);
}

static const char* idle_joint(const void* context, const char* name)
{
  const lwRobotDef* robot = lw_model_robot(context);
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    if (strcmp(joint->name, name) != 0) continue;
    return joint->locked.given ? "is held" : joint->mimic.given ? "mimics another" : "is fixed";
  }
  return NULL;
}

const char* const* joint_names(const lwModel* model, Group group)
{
  int width          = group_width(model, group);
  const char** names = allocate((size_t)width, sizeof *names);
  for (int i = 0; i < width; ++i) names[i] = coordinate(model, group, i).name;
  return names;
}

// Entries of a robot with loops that follow from those of driven joints; NULL: none.
static const bool* following(const lwModel* model, Group g)
{
  int width     = group_width(model, g);
  bool* follows = lw_model_loop_count(model) > 0 ? allocate((size_t)width, sizeof *follows) : NULL;
  for (int i = 0; i < width && follows; ++i) follows[i] = !entry_is_driven(model, g, i);
  return follows;
}

static lwColumnGroup group_of(const lwModel* model, Group g, lwColumnNeed need)
{
  lwColumnGroup group = {.symbol = GROUPS[g].name, .width = group_width(model, g), .need = need};
  if (g == GROUP_T && need == LW_COLUMNS_UNUSED) return lw_csv_time;  // passed on, and so looked at
  group.single = g == GROUP_T;
  if (g < GROUP_WRENCH) group.names = joint_names(model, g);
  if (g < GROUP_WRENCH) group.optional = following(model, g);
  if (g == GROUP_WRENCH) group.own = WRENCH_COLUMNS;
  if (g == GROUP_WRENCH) group.symbol = "all of fx, fy, fz, nx, ny, nz or none of them";
  return group;
}

// --- wrenches on links

// The link behind the point of fx.LINK; NULL: another column.
static const char* pushed_link(const char* column)
{
  bool axis = column[0] && column[1] >= 'x' && column[1] <= 'z' && column[2] == '.';
  return axis && (column[0] == 'f' || column[0] == 'n') ? column + 3 : NULL;
}

static int no_such_link(const lwModel* model, lwLines* lines, const char* at, const char* column)
{
  const lwRobotDef* robot = lw_model_robot(model);
  const char* link        = pushed_link(column);
  Nearest nearest         = nearest_to(link, strlen(link));
  for (int i = 0; i < robot->count; ++i) nearest_offer(&nearest, link_name(&robot->joints[i]));
  if (!nearest_found(&nearest))
    return exit_of(lw_lines_fail(lines, at,
                                 "column '%.60s' is of no link that moves, expected one of %.60s",
                                 column, lw_model_name(model)));
  return exit_of(lw_lines_fail(lines, at,
                               "column '%.60s' is of no link of %.60s; did you mean '%.3s%.60s'?",
                               column, lw_model_name(model), column, nearest.best));
}

// Notes the link of a column, unless it is noted already. True: it is new.
static bool note_link(lwCsvHeader* header, int joint)
{
  for (int k = 0; k < header->link_count; ++k)
    if (header->links[k] == joint) return false;
  header->links[header->link_count++] = joint;
  return true;
}

// Names of the six columns of every link that has one; the first
// column found gives the name of the link.
static int find_link_columns(lwCsvHeader* header, lwLines* lines, const lwModel* model)
{
  size_t fields = 1;
  for (const char* s = lines->line; *s; ++s) fields += *s == ',';
  char* copy         = text_copy(lines->line);
  header->links      = allocate(fields, sizeof *header->links);
  const char** names = allocate(6 * fields, sizeof *names);
  for (char* cursor = copy; cursor;)
  {
    const char* at   = lines->line + (cursor - copy);
    const char* name = lw_field_take(&cursor);
    const char* link = name ? pushed_link(name) : NULL;
    int joint;
    if (!name) break;  // which lw_csv_header_read() reports
    if (!link) continue;
    if (lw_model_find_link(model, link, &joint) != LW_OK || joint == LW_BASE)
      return no_such_link(model, lines, lw_skip_spaces(at), name);
    if (!note_link(header, joint)) continue;
    for (int k = 0; k < 6; ++k)
    {
      char* column = allocate(strlen(link) + 4, 1);
      sprintf(column, "%s.%s", WRENCH_COLUMNS[k], link);
      names[6 * (header->link_count - 1) + k] = column;
    }
  }
  lwColumnGroup* group = &header->group[GROUP_LINKS];
  group->symbol        = "all six of a link, fx. fy. fz. nx. ny. nz.";
  group->width         = 6 * header->link_count;
  group->own           = names;
  group->need          = header->link_count > 0 ? LW_COLUMNS_ALL : LW_COLUMNS_UNUSED;
  return DONE;
}

int states_header(lwCsvHeader* header, lwLines* lines, const lwModel* model, StateNeeds needs)
{
  *header = (lwCsvHeader){.groups = GROUP_ALL, .idle_joint = idle_joint, .context = model};
  header->increasing = needs.required & INPUT_TIME ? GROUP_T : -1;
  for (int g = 0; g < GROUP_LINKS; ++g)
  {
    bool used         = needs.inputs & GROUPS[g].input;
    bool required     = needs.required & GROUPS[g].input || (used && g == GROUP_Q);
    lwColumnNeed need = required ? LW_COLUMNS_ALL
                        : used   ? LW_COLUMNS_ALL_OR_NONE
                                 : LW_COLUMNS_UNUSED;
    header->group[g]  = group_of(model, (Group)g, need);
  }
  header->group[GROUP_LINKS] = (lwColumnGroup){.symbol = "links", .need = LW_COLUMNS_UNUSED};
  int status                 = exit_of(lw_csv_header_line(lines));
  if (status == DONE && needs.links) status = find_link_columns(header, lines, model);
  return status == DONE ? exit_of(lw_csv_header_read(header, lines)) : status;
}

void joint_column(const lwModel* model, const char* symbol, int i, bool names,
                  char name[LW_ROW_NAME])
{
  bool positions = symbol[0] == 'q' && (symbol[1] == 0 || !strcmp(symbol, "q_ref"));
  Group group    = positions ? GROUP_Q : symbol[0] == 'q' ? GROUP_QD : GROUP_TAU;
  if (names)
    snprintf(name, LW_ROW_NAME, "%s.%s", symbol, coordinate(model, group, i).name);
  else
    snprintf(name, LW_ROW_NAME, "%s%d", symbol, i + 1);
}

void motion_column(const lwModel* model, size_t k, bool names, char name[LW_ROW_NAME])
{
  size_t n = (size_t)lw_model_dof(model), nq = (size_t)lw_model_nq(model);
  if (k < nq)
    joint_column(model, "q", (int)k, names, name);
  else
    joint_column(model, k - nq < n ? "qd" : "qdd", (int)((k - nq) % n), names, name);
}

lwCsvFile* states_file(const Options* options, const lwModel* model, StateNeeds needs, int rows)
{
  lwCsvFile* csv = hold_csv(allocate(1, sizeof *csv));
  size_t nq = (size_t)lw_model_nq(model), names = 0;
  for (size_t i = 0; i < nq; ++i) names += strlen(lw_model_position(model, (int)i).name);
  size_t bytes = lw_csv_line_bytes(GROUP_WRENCH * nq + 7, GROUP_WRENCH * names);
  need(lines_open(&csv->lines, options->value[OPTION_IN], bytes));
  if (states_header(&csv->header, &csv->lines, model, needs) != DONE)
    leave(lines_report(&csv->lines));
  block_create(&csv->block, model, csv->header.present, rows);
  for (int g = 0; g < GROUP_WRENCH; ++g)
    if (lw_columns_lack_optional(&csv->header.columns, g)) follower_of(csv, model)->lacks[g] = true;
  return csv;
}

lwCsvFile* states_of(const Options* options, const lwModel* model, unsigned inputs, int rows)
{
  if (!options->value[OPTION_IN]) return state_of(options, model, inputs);
  return states_file(options, model, (StateNeeds){.inputs = inputs | INPUT_TIME}, rows);
}

void states_check_options(const Options* options)
{
  for (int g = 0; g < GROUP_COUNT; ++g)
    if (options->value[OPTION_IN] && options->value[GROUPS[g].option])
      stop(USAGE, "%s and --in exclude each other", OPTIONS[GROUPS[g].option].name);
}

int states_read(lwCsvFile* csv)
{
  const lwCsvBlock* block = &csv->block;
  int status              = exit_of(lw_csv_next_block(csv));
  for (int row = 0; row < block->count && csv->user; ++row) complete_state(csv, row);
  const lwModel* model = csv->header.context;
  const double* q      = block->values[GROUP_Q];
  for (int row = 0; row < block->count && q; ++row)
  {
    char where[LW_ROW_NAME];
    snprintf(where, sizeof where, "%s:%ld", csv->lines.name, block->first + row + 1);
    positions_check(model, where, INPUT, q + (size_t)row * (size_t)lw_model_nq(model));
  }
  if (q)
    ranges_positions(model, csv->lines.name, block->first + 1, q, block->count,
                     lw_csv_header_has(&csv->header, "t"));
  return status;
}

bool states_more(lwCsvFile* csv)
{
  if (states_read(csv) != DONE) leave(lines_report(&csv->lines));
  return csv->block.count > 0;
}
