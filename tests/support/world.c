// SPDX-License-Identifier: MIT
#include "support/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/testing.h"

// --- 3-vectors and matrices

double dot3(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cross3(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

double norm3(const double a[3])
{
  return sqrt(dot3(a, a));
}

void matvec3(const double (*A)[3], const double x[3], double out[3])
{
  for (int i = 0; i < 3; ++i) out[i] = dot3(A[i], x);
}

static void product3(const double (*A)[3], const double (*B)[3], double (*out)[3])
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
}

// out += k a
static void accumulate_motion(double k, const double a[3], double out[3])
{
  for (int i = 0; i < 3; ++i) out[i] += k * a[i];
}

// Rotation by an angle about a unit vector (Rodrigues): u u^T + cos (1 - u u^T) + sin [u x]
static void rotation_about(const double u[3], double angle, double (*R)[3])
{
  double c = cos(angle), s = sin(angle);
  double skew[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      R[i][j] = u[i] * u[j] + c * ((i == j) - u[i] * u[j]) + s * skew[i][j];
}

static const double X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1};

// --- poses

// Moves the frame by a vector given in its own axes.
static void translate(Body* body, double distance, const double direction[3])
{
  double step[3];
  matvec3(body->R, direction, step);
  accumulate_motion(distance, step, body->p);
  body->way_origin += fabs(distance) * norm3(direction);
}

static void rotate(Body* body, double angle, const double direction[3])
{
  double R[3][3], old[3][3];
  memcpy(old, body->R, sizeof old);
  rotation_about(direction, angle, R);
  product3(old, R, body->R);
}

static void set_joint(Body* body, const double direction[3])
{
  matvec3(body->R, direction, body->axis);
  memcpy(body->point, body->p, sizeof body->point);
  body->way_point = body->way_origin;
}

static void place_origin_axis(Body* body, const lwJointDef* joint, double turn, double slide)
{
  double unit[3];
  for (int i = 0; i < 3; ++i) unit[i] = joint->axis[i] / norm3(joint->axis);
  translate(body, 1, joint->xyz);
  rotate(body, joint->rpy[2], Z);
  rotate(body, joint->rpy[1], Y);
  rotate(body, joint->rpy[0], X);
  if (joint->type == LW_JOINT_FIXED) return;
  set_joint(body, unit);
  rotate(body, turn, unit);
  translate(body, slide, unit);
}

// From the parent's frame, given in body->R and p, to the link's own. turn and slide: the joint's
// angle and displacement.
static void place_body(Body* body, const lwJointDef* joint, double turn, double slide)
{
  switch (joint->placement)
  {
    case LW_PLACEMENT_DH_MODIFIED:
      rotate(body, joint->alpha, X);
      translate(body, joint->a, X);
      set_joint(body, Z);
      rotate(body, joint->theta + turn, Z);
      translate(body, joint->d + slide, Z);
      break;
    case LW_PLACEMENT_DH_STANDARD:
      set_joint(body, Z);
      rotate(body, joint->theta + turn, Z);
      translate(body, joint->d + slide, Z);
      translate(body, joint->a, X);
      rotate(body, joint->alpha, X);
      break;
    case LW_PLACEMENT_ORIGIN_AXIS:
      place_origin_axis(body, joint, turn, slide);
      break;
  }
}

static void set_mass(Body* body, const lwLinkDef* link)
{
  const double* I   = link->inertia;
  double own[3][3]  = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  double half[3][3] = {{0}};
  matvec3(body->R, link->com, body->c);
  accumulate_motion(1, body->p, body->c);
  body->way_c = body->way_origin + norm3(link->com);
  body->mass  = link->mass;
  product3(body->R, own, half);
  for (int i = 0; i < 3; ++i) matvec3(body->R, half[i], body->I[i]);  // rows of (R I) R^T
}

// --- motion

void point_jacobian(const Body* k, const double x[3], double linear[3], double angular[3])
{
  double arm[3] = {x[0] - k->point[0], x[1] - k->point[1], x[2] - k->point[2]};
  if (k->slides)
  {
    memcpy(linear, k->axis, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    return;
  }
  cross3(k->axis, arm, linear);
  memcpy(angular, k->axis, 3 * sizeof *angular);
}

// Velocity of the point x of link i: the sum over the joints that carry it.
static void point_velocity(const World* world, int i, const double x[3], const double* qd,
                           double v[3], double w[3])
{
  memset(v, 0, 3 * sizeof *v);
  memset(w, 0, 3 * sizeof *w);
  for (; i != LW_BASE && qd; i = world->bodies[i].parent)
  {
    double linear[3], angular[3];
    const Body* k = &world->bodies[i];
    if (k->moving < 0) continue;
    point_jacobian(k, x, linear, angular);
    accumulate_motion(qd[k->moving], linear, v);
    accumulate_motion(qd[k->moving], angular, w);
  }
}

// Adds d/dt (J_k) qd_k for the centre of mass of `body` and joint k: the axis turns with the link
// that carries it, and for a revolute joint both ends of the lever arm move.
static void add_velocity_terms(const World* world, Body* body, const Body* k, const double* qd)
{
  double v[3], w[3], turned[3], arm[3], closing[3], part[3];
  double rate = qd[k->moving];
  point_velocity(world, k->parent, k->point, qd, v, w);
  cross3(w, k->axis, turned);
  double carried = k->parent == LW_BASE ? 0 : world->bodies[k->parent].rate;
  if (k->slides)
  {
    accumulate_motion(rate, turned,
                      body->a);  // the other half of Coriolis' 2 w x v is in `closing` below
    body->push += 2 * fabs(rate) * carried;
    return;
  }
  for (int i = 0; i < 3; ++i) arm[i] = body->c[i] - k->point[i];
  for (int i = 0; i < 3; ++i) closing[i] = body->v[i] - v[i];
  cross3(turned, arm, part);
  accumulate_motion(rate, part, body->a);
  cross3(k->axis, closing, part);
  accumulate_motion(rate, part, body->a);
  accumulate_motion(rate, turned, body->wd);
  body->push += 2 * fabs(rate) * (carried + fabs(rate)) * (body->way_c - k->way_point);
  body->spin += fabs(rate) * carried;
}

static void set_velocity(const World* world, int i, const double* qd)
{
  Body* body = &world->bodies[i];
  point_velocity(world, i, body->c, qd, body->v, body->w);
  for (int k = i; k != LW_BASE && qd; k = world->bodies[k].parent)
  {
    const Body* joint = &world->bodies[k];
    if (joint->moving < 0) continue;
    double rate = fabs(qd[joint->moving]);
    body->rate += joint->slides ? 0 : rate;
    body->speed += joint->slides ? rate : rate * (body->way_c - joint->way_point);
  }
}

static void set_acceleration(const World* world, int i, const double* qd, const double* qdd)
{
  Body* body = &world->bodies[i];
  for (int k = i; k != LW_BASE; k = world->bodies[k].parent)
  {
    const Body* joint = &world->bodies[k];
    if (joint->moving < 0) continue;
    if (qd) add_velocity_terms(world, body, joint, qd);
    if (!qdd) continue;
    double linear[3], angular[3], rate = qdd[joint->moving];
    point_jacobian(joint, body->c, linear, angular);
    accumulate_motion(rate, linear, body->a);
    accumulate_motion(rate, angular, body->wd);
    body->push += fabs(rate) * (joint->slides ? 1 : body->way_c - joint->way_point);
    body->spin += joint->slides ? 0 : fabs(rate);
  }
}

World world_create(const lwRobotDef* robot, const double* q, const double* qd, const double* qdd)
{
  World world = {robot, 0, calloc((size_t)robot->count, sizeof(Body))};
  assert_non_null(world.bodies);
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    Body* body              = &world.bodies[i];
    bool moves              = joint->type != LW_JOINT_FIXED;
    body->R[0][0] = body->R[1][1] = body->R[2][2] = 1;
    if (joint->parent != LW_BASE)
    {
      const Body* parent = &world.bodies[joint->parent];
      memcpy(body->R, parent->R, sizeof body->R);
      memcpy(body->p, parent->p, sizeof body->p);
      body->way_origin = parent->way_origin;
    }
    body->parent  = joint->parent;
    body->slides  = joint->type == LW_JOINT_PRISMATIC;
    body->moving  = moves ? world.n++ : -1;
    double motion = moves && q ? q[body->moving] : 0;
    place_body(body, joint, body->slides ? 0 : motion, body->slides ? motion : 0);
    set_mass(body, &joint->link);
    set_velocity(&world, i, qd);
    set_acceleration(&world, i, qd, qdd);
  }
  return world;
}

Body world_frame(const World* world, const lwFrame* frame)
{
  Body body = {.moving = -1, .R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  if (frame->joint != LW_BASE) body = world->bodies[frame->joint];
  body.parent = frame->joint;
  translate(&body, 1, frame->xyz);
  rotate(&body, frame->rpy[2], Z);
  rotate(&body, frame->rpy[1], Y);
  rotate(&body, frame->rpy[0], X);
  return body;
}

void world_free(World* world)
{
  free(world->bodies);
}
