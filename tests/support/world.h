// SPDX-License-Identifier: MIT
// Pose and motion of every link of a description, in world coordinates. Part of the oracle,
// reference.h.
#ifndef LW_TESTS_WORLD_H
#define LW_TESTS_WORLD_H

#include "linkwork/dynamics.h"

// One joint of the description and the link it carries, in base axes.
typedef struct Body
{
  int moving;                  // its number among the moving joints, or -1
  int parent;                  // joint of the description, or LW_BASE
  bool slides;                 // prismatic
  double R[3][3], p[3];        // pose of the link's frame
  double axis[3], point[3];    // joint axis: its direction and a point on it, fixed to the parent
  double c[3], I[3][3], mass;  // centre of mass, inertia about it
  double v[3], w[3];           // velocity of the centre of mass, angular velocity
  double a[3], wd[3];          // their accelerations
  double way_origin, way_point, way_c;  // m, path length along the links from the base
  double speed, rate, push, spin;       // sums of absolute values of the terms of v, w, a, wd
} Body;

typedef struct World
{
  const lwRobotDef* robot;
  int n;  // moving joints
  Body* bodies;
} World;

// qd and qdd may be NULL: zeros.
World world_create(const lwRobotDef* robot, const double* q, const double* qd, const double* qdd);
void world_free(World* world);

// A frame fixed to a link or the base: sets R, p and way_origin, and as parent the joint of that
// link.
Body world_frame(const World* world, const lwFrame* frame);

// Velocity of the point x of a link per unit speed of joint k, which carries the link.
void point_jacobian(const Body* k, const double x[3], double linear[3], double angular[3]);

// 3-vectors
double dot3(const double a[3], const double b[3]);
void cross3(const double a[3], const double b[3], double out[3]);
double norm3(const double a[3]);
void matvec3(const double (*A)[3], const double x[3], double out[3]);

#endif
