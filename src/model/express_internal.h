// SPDX-License-Identifier: MIT
// What rewriting a description needs in every form: the list of joints so far, and their names.
#ifndef LW_MODEL_EXPRESS_INTERNAL_H
#define LW_MODEL_EXPRESS_INTERNAL_H

#include "base/arrays.h"
#include "base/text.h"
#include "linkwork/express.h"
#include "model/transform.h"

struct lwExpressed
{
  lwRobotDef robot;
  const lwRobotDef* original;
  lwJointDef* joints;   // (capacity)
  const char** reason;  // (capacity) or NULL
  bool* keeps_frame;    // (capacity)
  int* row;             // (original count) index of each original joint in the new list
  int capacity;
  lwArena arena;  // of all of it; once it has failed, nothing more is added
  lwNameMap joint_names, link_names;
};

// Adds the joint that represents joint i of the original, on the new joint `parent` or LW_BASE; the
// caller fills in its place. Only the name of its link is kept. The result is valid until the next
// joint is added; NULL when out of memory.
lwJointDef* lw_express_joint(lwExpressed* expressed, int i, int parent);

// Adds a massless fixed joint near joint i of the original, named after it.
// The reason is not copied.
lwJointDef* lw_express_extra(lwExpressed* expressed, int i, int parent, const char* reason);

// Adds a fixed joint that carries the link of joint i, as it is in the original,
// because joint i could not.
lwJointDef* lw_express_end(lwExpressed* expressed, int i, int parent);

// Index of the joint added last.
int lw_express_last(const lwExpressed* expressed);

// Mass properties and shapes of a link in another frame,
// which is at `frame` in its old one. The name stays.
void lw_express_link(lwExpressed* expressed, const lwLinkDef* link, const lwTransform* frame,
                     lwLinkDef* out);

// Writes a place as origin, which together with the placement is all that a fixed joint needs.
void lw_express_origin(lwJointDef* joint, const lwTransform* place);

// The forms. All of them set what they add to; memory is checked at the end.
void lw_express_with_axes(lwExpressed* expressed);
void lw_express_with_dh(lwExpressed* expressed, lwPlacement form);

#endif
