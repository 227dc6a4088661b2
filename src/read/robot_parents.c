// SPDX-License-Identifier: MIT
// Names of parents to indices of joints.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "read/robot_joints.h"

enum
{
  NAMES_LENGTH   = 200,
  NAMED_IN_CYCLE = 5,
  NEAREST_UP_TO  = 100  // errors; later ones are not kept, so look for no hint
};

static lwPlace place_of(const lwJointList* list, int joint, lwField field)
{
  return list->places[(size_t)joint * LW_FIELD_COUNT + field];
}

static const char* name_of(const lwJointList* list, int joint)
{
  return list->joints[joint].name ? list->joints[joint].name : "?";
}

// --- names

// What may have been meant by a parent's name that no joint has.
static const char* parent_hint(const lwJointList* list, const char* name, char hint[LW_HINT_SIZE])
{
  lwNearest nearest = lw_nearest(name);
  lw_nearest_try(&nearest, "base");
  for (int i = 0; i < list->count; ++i)
  {
    const lwJointDef* joint = &list->joints[i];
    if (!joint->name) continue;
    lw_nearest_try(&nearest, joint->name);
    if (!joint->link.name || strcmp(joint->link.name, name) != 0) continue;
    snprintf(hint, LW_HINT_SIZE, "this is a link; name the joint that carries it: '%.60s'",
             joint->name);
    return hint;
  }
  return lw_nearest_hint(&nearest, hint);
}

static int unknown_parent(lwDocument* document, const lwJointList* list, int joint)
{
  char hint[LW_HINT_SIZE];
  const char* name = list->parent_names[joint];
  lw_document_error(document, place_of(list, joint, LW_FIELD_PARENT),
                    document->errors < NEAREST_UP_TO ? parent_hint(list, name, hint) : NULL,
                    "parent of joint '%.60s': there is no joint '%.60s'", name_of(list, joint),
                    name);
  return LW_BASE;
}

static int wanted_parent(lwDocument* document, const lwJointList* list, const lwNameMap* names,
                         int joint)
{
  const char* name = list->parent_names[joint];
  if (!name) return joint - 1;
  if (strcmp(name, "base") == 0) return LW_BASE;
  int parent = lw_name_map_find(names, name);
  return parent >= 0 ? parent : unknown_parent(document, list, joint);
}

bool lw_joints_map(const lwJointList* list, lwNameMap* names)
{
  for (int i = 0; i < list->count; ++i)
  {
    if (!list->joints[i].name) continue;
    int* index = lw_name_map_put(names, list->joints[i].name);
    if (!index) return false;
    if (*index < 0) *index = i;
  }
  return true;
}

// --- order

// Reports the cycle that joint is on, at its first joint in the file, and opens it: its joints
// stand on the base.
static void report_parent_cycle(lwDocument* document, const lwJointList* list, int* parents,
                                int joint)
{
  char names[NAMES_LENGTH] = "";
  size_t used              = 0;
  int first = joint, size = 0;
  for (int k = parents[joint]; k != joint; k = parents[k]) first = k < first ? k : first;
  int i = first;
  do
  {
    int next   = parents[i];
    parents[i] = LW_BASE;
    if (size++ < NAMED_IN_CYCLE)
      used += (size_t)snprintf(names + used, sizeof names - used, "'%.20s' on ", name_of(list, i));
    i = next;
  } while (i != first);
  lw_document_error(document, place_of(list, first, LW_FIELD_PARENT),
                    "follow the parents from any joint and the base must be reached",
                    "a cycle of parents: joint %s%s'%.20s'", names,
                    size > NAMED_IN_CYCLE ? "... on " : "", name_of(list, first));
}

// Walks from every joint towards the base, over joints that no earlier walk visited; one that
// meets itself is a cycle. Only named parents count: a joint that stands on the one before it by
// default is merely in the wrong place.
static void open_cycles(lwDocument* document, const lwJointList* list, int* parents, int* walks)
{
  for (int start = 0; start < list->count; ++start)
  {
    int i = start;
    while (i >= 0 && walks[i] == 0)
    {
      walks[i] = start + 1;
      i        = list->parent_names[i] ? parents[i] : LW_BASE;
    }
    if (i >= 0 && walks[i] == start + 1) report_parent_cycle(document, list, parents, i);
  }
}

static int earlier_parent(lwDocument* document, const lwJointList* list, int joint, int parent)
{
  if (parent < joint) return parent;
  lw_document_error(
      document, place_of(list, joint, LW_FIELD_PARENT), "parents come before children",
      "parent of joint '%.60s': '%.60s' is defined only in line %d", name_of(list, joint),
      name_of(list, parent), place_of(list, parent, LW_FIELD_JOINT).line);
  return LW_BASE;
}

lwStatus lw_parents_resolve(lwDocument* document, lwJointList* list)
{
  lwNameMap names = {.arena = &document->arena};
  int* parents    = lw_arena_take(&document->arena, (size_t)list->count, sizeof(int));
  int* walks      = lw_arena_take(&document->arena, (size_t)list->count, sizeof(int));
  if (!parents || !walks || !lw_joints_map(list, &names)) return LW_ERROR_MEMORY;
  for (int i = 0; i < list->count; ++i) parents[i] = wanted_parent(document, list, &names, i);
  open_cycles(document, list, parents, walks);
  for (int i = 0; i < list->count; ++i)
    list->joints[i].parent = earlier_parent(document, list, i, parents[i]);
  return LW_OK;
}
