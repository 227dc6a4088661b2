// SPDX-License-Identifier: MIT
// Tables of states: what their columns are.
#include <stdio.h>
#include <string.h>

#include "states.h"

const GroupInfo GROUPS[GROUP_ALL] = {{"q", LW_INPUT_Q, OPTION_Q},
                                     {"qd", LW_INPUT_QD, OPTION_QD},
                                     {"qdd", LW_INPUT_QDD, OPTION_QDD},
                                     {"tau", LW_INPUT_TAU, OPTION_TAU},
                                     {"wrench", LW_INPUT_WRENCH, OPTION_WRENCH},
                                     {"t", INPUT_TIME, OPTION_COUNT}};

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

const char* const* joint_names(const lwModel* model, Group group, lwArena* arena)
{
  int width          = group_width(model, group);
  const char** names = lw_arena_take(arena, (size_t)width + 1, sizeof *names);
  for (int i = 0; i < width && names; ++i) names[i] = coordinate(model, group, i).name;
  return names;
}

static lwColumnGroup group_of(const lwModel* model, Group g, lwColumnNeed need,
                              const char* const* names)
{
  lwColumnGroup group = {.symbol = GROUPS[g].name, .width = group_width(model, g), .need = need};
  if (g == GROUP_T && need == LW_COLUMNS_UNUSED) return CSV_TIME;  // passed on, and so looked at
  group.single = g == GROUP_T;
  if (g < GROUP_WRENCH) group.names = names;
  if (g == GROUP_WRENCH) group.own = WRENCH_COLUMNS;
  if (g == GROUP_WRENCH) group.symbol = "all of fx, fy, fz, nx, ny, nz or none of them";
  return group;
}

int states_header(Header* header, Lines* lines, const lwModel* model, StateNeeds needs)
{
  *header            = (Header){.groups = GROUP_ALL, .idle_joint = idle_joint, .context = model};
  bool enough        = true;
  header->increasing = needs.required & INPUT_TIME ? GROUP_T : -1;
  for (int g = 0; g < GROUP_ALL; ++g)
  {
    bool used         = needs.inputs & GROUPS[g].input;
    bool required     = needs.required & GROUPS[g].input || (used && g == GROUP_Q);
    lwColumnNeed need = required ? LW_COLUMNS_ALL
                        : used   ? LW_COLUMNS_ALL_OR_NONE
                                 : LW_COLUMNS_UNUSED;
    const char* const* names =
        g < GROUP_WRENCH ? joint_names(model, (Group)g, &header->arena) : NULL;
    header->group[g] = group_of(model, (Group)g, need, names);
    enough           = enough && (names || g >= GROUP_WRENCH);
  }
  if (!enough) return lines_fail(lines, lines->line, "out of memory");
  return header_read(header, lines);
}

void joint_column(const lwModel* model, const char* symbol, int i, bool names, char name[ROW_NAME])
{
  bool positions = symbol[0] == 'q' && (symbol[1] == 0 || !strcmp(symbol, "q_ref"));
  Group group    = positions ? GROUP_Q : symbol[0] == 'q' ? GROUP_QD : GROUP_TAU;
  if (names)
    snprintf(name, ROW_NAME, "%s.%s", symbol, coordinate(model, group, i).name);
  else
    snprintf(name, ROW_NAME, "%s%d", symbol, i + 1);
}

size_t states_line_bytes(const lwModel* model)
{
  size_t nq = (size_t)lw_model_nq(model), names = 0;
  for (size_t i = 0; i < nq; ++i) names += strlen(lw_model_position(model, (int)i).name);
  return csv_line_bytes(GROUP_WRENCH * nq + 7, GROUP_WRENCH * names);
}
