// SPDX-License-Identifier: MIT
// The joints of a robot file.
#ifndef LW_READ_ROBOT_JOINTS_H
#define LW_READ_ROBOT_JOINTS_H

#include "linkwork/model.h"
#include "read/document.h"
#include "read/robot_parts.h"

// The joints of a robot file while it is read.
typedef struct lwJointList
{
  int count;
  lwJointDef* joints;         // (count) name: NULL where it could not be read
  const char** parent_names;  // (count) NULL: the joint before
  lwPlace* places;            // (count * LW_FIELD_COUNT)
  lwPartsShelf shelf;         // the parts files of links
} lwJointList;

// Reads joint i of the list, whose DH parameters are of the kind dh; false if it is wrong.
bool lw_joint_read(lwDocument* document, lwNode* node, int dh, lwJointList* list, int i);

// Sets the parent of every joint. Reports names that no joint has, parents that come later, and
// cycles, and lets those joints stand on the base. LW_OK also then; LW_ERROR_MEMORY. O(n) times the
// length of the names.
lwStatus lw_parents_resolve(lwDocument* document, lwJointList* list);

#endif
