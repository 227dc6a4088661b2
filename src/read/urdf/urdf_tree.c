// SPDX-License-Identifier: MIT
// Builds the tree from links and joints: finds the root, and the order of the joints.
//
// Depth first from the root, the joints of a link sorted by the bytes of their names, without
// recursion: files may have chains of many thousand joints.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "read/urdf/urdf.h"

enum
{
  NAMES_LENGTH = 240,
  NAMED        = 5  // links in a message
};

static const char* link_name(const lwUrdf* urdf, int link)
{
  return urdf->links[link].def.name ? urdf->links[link].def.name : "?";
}

static const char* joint_name(const lwUrdf* urdf, int joint)
{
  return urdf->joints[joint].def.name ? urdf->joints[joint].def.name : "?";
}

// --- parents

// A link is the child of at most one joint.
static bool claim_children(lwUrdf* urdf)
{
  bool sound = true;
  for (int i = 0; i < urdf->joint_count; ++i)
  {
    lwUrdfJoint* joint = &urdf->joints[i];
    if (joint->child < 0) continue;
    lwUrdfLink* link = &urdf->links[joint->child];
    if (link->joint < 0)
    {
      link->joint = i;
      continue;
    }
    lw_document_error(urdf->document, joint->places[LW_FIELD_JOINT],
                      "a link is carried by one joint; loops are not possible",
                      "joint '%.60s': its child '%.60s' is already that of joint '%.60s'",
                      joint_name(urdf, i), link->def.name, joint_name(urdf, link->joint));
    joint->child = -1;
    sound        = false;
  }
  return sound;
}

// True for a link that no joint carries.
static bool is_root(const lwUrdf* urdf, int link)
{
  return urdf->links[link].joint < 0 && !urdf->links[link].unnamed;
}

static int parent_of(const lwUrdf* urdf, int link)
{
  int joint = urdf->links[link].joint;
  return joint < 0 ? -1 : urdf->joints[joint].parent;
}

// The links of a cycle, beginning with one of them.
static void report_cycle(lwUrdf* urdf, int link)
{
  char names[NAMES_LENGTH] = "";
  size_t used              = 0;
  int count                = 0;
  int i                    = link;
  do
  {
    if (count++ < NAMED)
      used +=
          (size_t)snprintf(names + used, sizeof names - used, "'%.30s' on ", link_name(urdf, i));
    i = parent_of(urdf, i);
  } while (i != link);
  lw_document_error(urdf->document, urdf->joints[urdf->links[link].joint].places[LW_FIELD_JOINT],
                    "follow the parents from any link and the root must be reached",
                    "a cycle of links: %s%s'%.30s'", names, count > NAMED ? "... on " : "",
                    link_name(urdf, link));
}

// Walks from every link towards the root, over links that no earlier walk visited.
static bool find_cycles(lwUrdf* urdf, int* walks)
{
  bool found = false;
  for (int start = 0; start < urdf->link_count; ++start)
  {
    int i = start;
    while (i >= 0 && walks[i] == 0)
    {
      walks[i] = start + 1;
      i        = parent_of(urdf, i);
    }
    if (i < 0 || walks[i] != start + 1) continue;
    report_cycle(urdf, i);
    found = true;
  }
  return found;
}

// --- root

static void report_roots(lwUrdf* urdf, int second, int count)
{
  char names[NAMES_LENGTH] = "";
  size_t used              = 0;
  int named                = 0;
  for (int i = 0; i < urdf->link_count && named < NAMED; ++i)
  {
    if (!is_root(urdf, i)) continue;
    used += (size_t)snprintf(names + used, sizeof names - used, "%s'%.30s'", named ? ", " : "",
                             link_name(urdf, i));
    ++named;
  }
  lw_document_error(urdf->document, urdf->links[second].places[LW_FIELD_LINK],
                    "a robot has one root; connect the others by joints, fixed ones for example",
                    "%d links are the child of no joint: %s%s", count, names,
                    count > NAMED ? ", .." : "");
}

static bool find_root(lwUrdf* urdf)
{
  int count = 0, second = -1;
  urdf->root_link = -1;
  for (int i = 0; i < urdf->link_count; ++i)
  {
    if (!is_root(urdf, i)) continue;
    if (++count == 1) urdf->root_link = i;
    if (count == 2) second = i;
  }
  if (count > 1) report_roots(urdf, second, count);
  return count == 1;
}

// --- order

// A joint and its name, to be sorted.
typedef struct Named
{
  const char* name;
  int joint;
} Named;

static int compare_names(const void* a, const void* b)
{
  const Named* one = a;
  const Named* two = b;
  int by_name      = strcmp(one->name, two->name);
  return by_name ? by_name : (one->joint > two->joint) - (one->joint < two->joint);
}

// The joints of each link, last name first: behind[joint] is the next one of the same
// link, first[link] the first.
typedef struct Branches
{
  int* first;   // (links)
  int* behind;  // (joints)
  int* stack;   // (joints) joints still to be visited
} Branches;

static bool sort_branches(lwUrdf* urdf, Branches* branches)
{
  lwArena* arena   = &urdf->document->arena;
  size_t joints    = (size_t)urdf->joint_count;
  Named* named     = lw_arena_take(arena, joints, sizeof *named);
  branches->first  = lw_arena_take(arena, (size_t)urdf->link_count, sizeof(int));
  branches->behind = lw_arena_take(arena, joints, sizeof(int));
  branches->stack  = lw_arena_take(arena, joints, sizeof(int));
  if (lw_arena_failed(arena)) return false;
  for (int i = 0; i < urdf->joint_count; ++i) named[i] = (Named){joint_name(urdf, i), i};
  qsort(named, joints, sizeof *named, compare_names);
  for (int i = 0; i < urdf->link_count; ++i) branches->first[i] = -1;
  for (int k = 0; k < urdf->joint_count; ++k)  // each goes before those with smaller names
  {
    int joint               = named[k].joint;
    int parent              = urdf->joints[joint].parent;
    branches->behind[joint] = branches->first[parent];
    branches->first[parent] = joint;
  }
  return true;
}

// Puts the joints of a link onto the stack, so that the smallest name is on top.
static int push(const Branches* branches, int link, int size)
{
  for (int joint = branches->first[link]; joint >= 0; joint = branches->behind[joint])
    branches->stack[size++] = joint;
  return size;
}

bool lw_urdf_sort(lwUrdf* urdf, lwStatus* status)
{
  Branches branches;
  lwArena* arena = &urdf->document->arena;
  int* walks     = lw_arena_take(arena, (size_t)urdf->link_count, sizeof *walks);
  urdf->order    = lw_arena_take(arena, (size_t)urdf->joint_count, sizeof *urdf->order);
  *status        = walks && urdf->order ? LW_OK : LW_ERROR_MEMORY;
  if (*status != LW_OK) return false;
  for (int i = 0; i < urdf->joint_count; ++i) urdf->order[i] = i;
  bool known = true;
  for (int i = 0; i < urdf->joint_count; ++i)
    known = known && urdf->joints[i].parent >= 0 && urdf->joints[i].child >= 0;
  bool sound = claim_children(urdf);
  if (find_cycles(urdf, walks) || !known || !sound || !find_root(urdf)) return false;
  *status  = sort_branches(urdf, &branches) ? LW_OK : LW_ERROR_MEMORY;
  int done = 0, size = *status == LW_OK ? push(&branches, urdf->root_link, 0) : 0;
  while (size > 0)
  {
    int joint           = branches.stack[--size];
    urdf->order[done++] = joint;
    size                = push(&branches, urdf->joints[joint].child, size);
  }
  return *status == LW_OK;
}
