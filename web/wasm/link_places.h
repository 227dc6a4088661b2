// SPDX-License-Identifier: MIT
// Poses of all links of a robot, and the reactions at its joints, all in the base frame.
#ifndef WEB_LINK_PLACES_H
#define WEB_LINK_PLACES_H

#include "linkwork/core.h"

// A joint and the link that it moves.
typedef struct LinkPlace
{
  double p[3], R[9];  // m; the frame of the link
  double axis[3];     // unit vector along the joint axis
  double anchor[3];   // m, a point on the axis: the origin of the joint's description
} LinkPlace;

// The wrench that the parent link exerts on this one at the anchor, including the drive torque.
typedef struct Reaction
{
  double force[3], torque[3];  // N, N m
} Reaction;

// Poses of all joints of the description (count). Changes the frame of ws.
void links_place(const lwModel* model, lwWorkspace* ws, const double* q, LinkPlace* links);

// Reactions (count) for a motion; links (count) are the poses at this q. ws must use base axes.
void links_react(const lwModel* model, lwWorkspace* ws, const LinkPlace* links, const double* q,
                 const double* qd, const double* qdd, Reaction* reactions);

#endif
