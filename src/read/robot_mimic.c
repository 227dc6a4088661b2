// SPDX-License-Identifier: MIT
// Resolves names of leaders to joint indices, and fixes joints by name.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "read/robot_joints.h"

enum
{
  HINT_LENGTH   = 256,
  LONGEST_NAME  = 256,
  NEAREST_UP_TO = 100  // errors; later ones are dropped, so do not look for hints
};

// --- mimic

static void unknown_leader(lwDocument* document, const lwJointList* list, int joint)
{
  char hint[HINT_LENGTH];
  const char* name  = list->leader_names[joint];
  lwNearest nearest = {0};
  if (document->errors < NEAREST_UP_TO) nearest = lw_joints_nearest(list, name, false);
  snprintf(hint, sizeof hint, "%s%slwJointChoice.free_mimics lets it move by itself",
           nearest.best ? LW_DID_YOU_MEAN(nearest) : "", nearest.best ? " " : "");
  lw_document_error(document, list->places[(size_t)joint * LW_FIELD_COUNT + LW_FIELD_MIMIC], hint,
                    "joint '%.60s' mimics '%.60s': there is no such joint",
                    list->joints[joint].name ? list->joints[joint].name : "?", name);
}

lwStatus lw_mimics_resolve(lwDocument* document, lwJointList* list)
{
  lwNameMap names = {.arena = &document->arena};
  bool any        = false;
  for (int i = 0; i < list->count; ++i) any = any || list->leader_names[i];
  if (!any) return LW_OK;
  if (!lw_joints_map(list, &names)) return LW_ERROR_MEMORY;
  for (int i = 0; i < list->count; ++i)
  {
    lwMimic* mimic = &list->joints[i].mimic;
    if (!list->leader_names[i]) continue;
    mimic->leader = lw_name_map_find(&names, list->leader_names[i]);
    if (mimic->leader < 0) unknown_leader(document, list, i);
  }
  return LW_OK;
}

// --- fixed joints

// The next name of a list separated by commas, without spaces around it; NULL: there is no more.
static const char* next_name(const char** list, size_t* length)
{
  const char* name = *list;
  if (!name) return NULL;
  size_t size = strcspn(name, ",");
  *list       = name[size] == ',' ? name + size + 1 : NULL;
  while (size > 0 && *name == ' ') ++name, --size;
  while (size > 0 && name[size - 1] == ' ') --size;
  *length = size;
  return name;
}

bool lw_fix_names(const char* fix, const char* name)
{
  size_t length;
  for (const char* one; (one = next_name(&fix, &length));)
    if (strlen(name) == length && memcmp(one, name, length) == 0) return true;
  return false;
}

lwStatus lw_fix_check(lwDocument* document, const lwJointList* list, const char* fix)
{
  size_t length;
  lwNameMap names = {.arena = &document->arena};
  lwStatus status = LW_OK;
  if (!fix) return LW_OK;
  if (!lw_joints_map(list, &names)) return LW_ERROR_MEMORY;
  for (const char* one; (one = next_name(&fix, &length));)
  {
    char name[LONGEST_NAME];
    snprintf(name, sizeof name, "%.*s", (int)(length < LONGEST_NAME ? length : LONGEST_NAME), one);
    if (lw_name_map_find(&names, name) >= 0) continue;
    lwNearest nearest = lw_joints_nearest(list, name, false);
    lw_document_error(document, ((lwPlace){0, 0}), LW_DID_YOU_MEAN(nearest),
                      "lwReadOptions.fix: there is no joint '%.60s'", name);
    status = LW_ERROR_LOCK;
  }
  return status;
}

void lw_joints_fix(lwJointList* list, const char* fix)
{
  for (int i = 0; fix && i < list->count; ++i)
  {
    lwJointDef* joint = &list->joints[i];
    if (!joint->name || !lw_fix_names(fix, joint->name)) continue;
    lwJointDef plain      = lw_joint_def();
    joint->type           = LW_JOINT_FIXED;
    joint->limits         = plain.limits;
    joint->friction       = plain.friction;
    joint->motor          = plain.motor;
    joint->mimic          = plain.mimic;
    list->leader_names[i] = NULL;
  }
}
