// SPDX-License-Identifier: MIT
// The joints of a robot file.
#ifndef LW_READ_ROBOT_JOINTS_H
#define LW_READ_ROBOT_JOINTS_H

#include "base/text.h"
#include "linkwork/model.h"
#include "read/document/document.h"
#include "read/robot_parts.h"

// The joints of a robot file while it is read.
typedef struct lwJointList
{
  int count;
  lwJointDef* joints;         // (count) name: NULL where it could not be read
  const char** parent_names;  // (count) NULL: the joint before
  const char** leader_names;  // (count) NULL: it mimics none
  lwPlace* places;            // (count * LW_FIELD_COUNT)
  bool* unread;               // (count) joints with errors
  lwPartsShelf shelf;         // the parts files of links
} lwJointList;

// Memory for the joints; false: out of memory.
bool lw_joints_take(lwJointList* list, lwArena* arena, int count);

// Reads joint i of the list, whose DH parameters are of the kind dh.
void lw_joint_read(lwDocument* document, lwNode* node, int dh, lwJointList* list, int i);

// Builds a model from a file without errors, and reports everything it can about one with errors.
lwStatus lw_joints_finish(lwDocument* document, const lwJointList* list, const lwRobotDef* robot,
                          const lwModelOptions* options, lwModel** model);

// The name of a joint, or of a link where that is asked for, that was probably meant.
lwNearest lw_joints_nearest(const lwJointList* list, const char* name, bool links);

// Sets the parent of every joint. Reports names that no joint has, parents that come later, and
// cycles, and mounts those joints on the base. LW_OK even then; LW_ERROR_MEMORY. O(n) times the
// length of the names.
lwStatus lw_parents_resolve(lwDocument* document, lwJointList* list);

// Adds every name with the index of the first joint that has it. False: out of memory.
bool lw_joints_map(const lwJointList* list, lwNameMap* names);

// Sets the leaders of joints that mimic others; reports names that no joint has.
// LW_OK also then; LW_ERROR_MEMORY.
lwStatus lw_mimics_resolve(lwDocument* document, lwJointList* list);

// Reads the loops of a robot whose joints and base are known, and its rows that roll (each or NULL);
// reports what is wrong. LW_OK also then; LW_ERROR_MEMORY.
lwStatus lw_loops_read(lwDocument* document, lwNode* loops, lwNode* rolling,
                       const lwJointList* list, lwRobotDef* robot);

// Fixes the joints whose names are in a list, separated by commas, at zero. NULL: none.
void lw_joints_fix(lwJointList* list, const char* fix);

// True if the list has this name.
bool lw_fix_names(const char* fix, const char* name);

// Reports names in the list that no joint has: LW_ERROR_LOCK. LW_ERROR_MEMORY.
lwStatus lw_fix_check(lwDocument* document, const lwJointList* list, const char* fix);

// A link as it is written, and where beyond lwField the place of a key of it goes.
enum
{
  LW_AT_PARTS = LW_FIELD_COUNT,
  LW_AT_START,
  LW_AT_LINK_COUNT
};
typedef struct lwLinkText
{
  lwLinkDef def;
  const char* parts;  // where its mass properties are computed, or NULL
  lwNode* payload;    // or NULL
  lwNode* shapes;     // or NULL
  int mounting;       // of the base: 0 fixed, 1 floating
  double start[7];    // of the base that floats
} lwLinkText;
extern const lwTable lw_link_table;  // lwLinkText, with LW_AT_LINK_COUNT places
extern const lwTable lw_base_table;  // lwLinkText with a type: how the base is mounted

// Reads `shapes` of a link, or NULL, into link; they live as long as the document.
void lw_shapes_read(lwDocument* document, const lwNode* list, lwLinkDef* link);

// Builds the link from its text: looks up parts and payload and adds them. owner: the name of the
// joint, for a link without a name, or NULL.
void lw_link_settle(lwDocument* document, const lwLinkText* text, const char* owner,
                    lwPlace* places, lwPartsShelf* shelf, lwLinkDef* link);

#endif
