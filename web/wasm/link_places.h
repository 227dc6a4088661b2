// SPDX-License-Identifier: MIT
// Where all links of a robot are, and what the joints carry. Everything is in the base frame.
#ifndef WEB_LINK_PLACES_H
#define WEB_LINK_PLACES_H

#include "linkwork/core.h"

// A joint and the link that it moves.
typedef struct LinkPlace
{
  double p[3], R[9];  // m; the frame of the link
  double axis[3];     // of the joint, of length 1
  double anchor[3];   // m, a point of the axis: the origin that the axis is written at
} LinkPlace;

// The wrench of the previous link on this one through the joint,
// at the anchor, drive torque included.
typedef struct Reaction
{
  double force[3], torque[3];  // N, N m
} Reaction;

// Places of all joints of the description (count). ws: its frame is changed.
void links_place(const lwModel* model, lwWorkspace* ws, const double* q, LinkPlace* links);

// Reactions (count) of a motion; links (count) at this q. ws answers in base axes.
void links_react(const lwModel* model, lwWorkspace* ws, const LinkPlace* links, const double* q,
                 const double* qd, const double* qdd, Reaction* reactions);

#endif
