// SPDX-License-Identifier: MIT
// The distance of two convex shapes by the algorithm of Gilbert, Johnson and Keerthi: A fast
// procedure for computing the distance between complex objects in three-dimensional space, IEEE
// Journal of Robotics and Automation 4 (1988). Shapes are known by their support points.
#ifndef LW_MATH_GJK_H
#define LW_MATH_GJK_H

// The point of the shape that is farthest in this direction, which need not have length 1.
typedef void lwSupport(const void* shape, const double direction[3], double point[3]);

typedef struct lwConvex
{
  const void* shape;
  lwSupport* support;
  double radius;  // of a ball around every point of it
} lwConvex;

// Distance, 0 if they overlap, and the nearest points of both (3 each).
double lw_gjk_distance(const lwConvex* a, const lwConvex* b, double on_a[3], double on_b[3]);

#endif
