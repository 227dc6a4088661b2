// SPDX-License-Identifier: MIT
/// @file express.h The same robot written down in another way:
/// with origins and axes, or as a Denavit-Hartenberg table.
#ifndef LINKWORK_EXPRESS_H
#define LINKWORK_EXPRESS_H

#include "linkwork/model.h"

/// A description that owns its joints and names.
typedef struct lwExpressed lwExpressed;

/// Describes a robot again with every joint placed in the given form. Moving joints keep their
/// names, order, types, limits, friction, motors and the meaning of q. Link frames move to where
/// the form can describe them, and centres of mass and inertias with them; the frames of fixed
/// joints and of links at the end of a branch stay where they are. Where one joint of the form
/// cannot describe a place, fixed joints are added (lw_expressed_reason() says why).
/// docs/conventions.md has the rules. LW_ERROR_INPUT if no model can be made of the robot.
LW_API lwStatus lw_robot_express(const lwRobotDef* robot, lwPlacement form, lwDiag* diag,
                                 lwExpressed** expressed);

/// Frees a description. NULL is allowed.
LW_API void lw_expressed_destroy(lwExpressed* expressed);

/// The description. It belongs to expressed.
LW_API const lwRobotDef* lw_expressed_robot(const lwExpressed* expressed);

/// True if the frame of the link of joint i is where it was in the original.
LW_API bool lw_expressed_keeps_frame(const lwExpressed* expressed, int i);

/// Why joint i was added, in words; NULL for the others.
LW_API const char* lw_expressed_reason(const lwExpressed* expressed, int i);

#endif
