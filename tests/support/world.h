// SPDX-License-Identifier: MIT
// Where every link of a description is and how it moves, in world coordinates.
// Part of the oracle, reference.h.
#ifndef LW_TESTS_WORLD_H
#define LW_TESTS_WORLD_H

#include "linkwork/dynamics.h"

// One joint of the description and the link it carries, base axes.
typedef struct Body
{
  int moving;                  // its number among the moving joints, or -1
  int parent;                  // joint of the description, or LW_BASE
  bool slides;                 // prismatic
  double R[3][3], p[3];        // place of the link's frame
  double axis[3], point[3];    // of the joint: direction and a point of it, of the parent's link
  double c[3], I[3][3], mass;  // centre of mass, inertia about it
  double v[3], w[3];           // velocity of the centre of mass, angular velocity
  double a[3], wd[3];          // accelerations of them
  double way_origin, way_point, way_c;  // m, length of the way along the links from the base
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

// A frame that a link, or the base, carries: R, p and way_origin,
// and as parent the joint of that link.
Body world_frame(const World* world, const lwFrame* frame);

// Motion of the point x of the link of joint i, per unit of the speed of joint k, which carries it.
void point_jacobian(const Body* k, const double x[3], double linear[3], double angular[3]);

// 3-vectors
double dot3(const double a[3], const double b[3]);
void cross3(const double a[3], const double b[3], double out[3]);
double norm3(const double a[3]);
void matvec3(const double (*A)[3], const double x[3], double out[3]);

#endif
