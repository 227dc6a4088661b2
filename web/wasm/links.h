// SPDX-License-Identifier: MIT
// Where all links of a robot are, how they move, and what the joints carry. Everything is in the base frame.
#ifndef WEB_LINKS_H
#define WEB_LINKS_H

#include "linkwork/core.h"

// A joint and the link that it moves.
typedef struct LinkPlace
{
  double p[3], R[9];  // m; the frame of the link
  double axis[3];     // of the joint, of length 1
  double anchor[3];   // m, a point of the axis: the origin that the axis is written at
} LinkPlace;

// What the link before exerts on the link through the joint, the torque of the drive included, at the anchor.
typedef struct Reaction
{
  double force[3], torque[3];  // N, N m
} Reaction;

// Places of all joints of the description (count). ws: its frame is changed.
void links_place(const lwModel* model, lwWorkspace* ws, const double* q, LinkPlace* links);

// Reactions (count) of a motion; links (count) at this q, and work (count) for its temporaries.
typedef struct LinkMotion
{
  double w[3], wd[3], a[3];  // rad/s, rad/s^2, m/s^2 (of the origin, less gravity)
  double f[3], n[3];         // N, N m about the origin
} LinkMotion;
void links_react(const lwModel* model, const LinkPlace* links, const double* qd, const double* qdd,
                 LinkMotion* work, Reaction* reactions);

#endif
