// SPDX-License-Identifier: MIT
#include "model/transform.h"

#include <math.h>

const lwTransform lw_identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

static void apply(const NUMBER R[3][3], const NUMBER a[3], NUMBER out[3])
{
  for (int i = 0; i < 3; ++i) out[i] = R[i][0] * a[0] + R[i][1] * a[1] + R[i][2] * a[2];
}

void lw_transform_point(const lwTransform* a, const NUMBER x[3], NUMBER out[3])
{
  apply(a->R, x, out);
  for (int i = 0; i < 3; ++i) out[i] += a->p[i];
}

lwTransform lw_compose(const lwTransform* a, const lwTransform* b)
{
  lwTransform c;
  apply(a->R, b->p, c.p);
  for (int i = 0; i < 3; ++i)
  {
    c.p[i] += a->p[i];
    for (int j = 0; j < 3; ++j)
      c.R[i][j] = a->R[i][0] * b->R[0][j] + a->R[i][1] * b->R[1][j] + a->R[i][2] * b->R[2][j];
  }
  return c;
}

lwTransform lw_invert(const lwTransform* a)
{
  lwTransform b;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b.R[i][j] = a->R[j][i];
  apply(b.R, a->p, b.p);
  for (int i = 0; i < 3; ++i) b.p[i] = -b.p[i];
  return b;
}

NUMBER lw_snap(NUMBER x)
{
  const NUMBER rounding = 4 * NUM_EPSILON;
  if (num_abs(x) < rounding) return 0;
  if (num_abs(num_abs(x) - 1) < rounding) return x < 0 ? -1 : 1;
  return x;
}

lwTransform lw_screw_x(NUMBER angle, NUMBER distance)
{
  NUMBER c = lw_snap(num_cos(angle)), s = lw_snap(num_sin(angle));
  return (lwTransform){{{1, 0, 0}, {0, c, -s}, {0, s, c}}, {distance, 0, 0}};
}

lwTransform lw_screw_z(NUMBER angle, NUMBER distance)
{
  NUMBER c = lw_snap(num_cos(angle)), s = lw_snap(num_sin(angle));
  return (lwTransform){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, {0, 0, distance}};
}

lwTransform lw_origin(const double xyz[3], const double rpy[3])
{
  lwTransform roll = lw_screw_x(rpy[0], 0);
  NUMBER c = lw_snap(num_cos(rpy[1])), s = lw_snap(num_sin(rpy[1]));
  lwTransform pitch = {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}, {0, 0, 0}};
  lwTransform yaw   = lw_screw_z(rpy[2], 0);
  pitch             = lw_compose(&pitch, &roll);
  yaw               = lw_compose(&yaw, &pitch);
  for (int i = 0; i < 3; ++i) yaw.p[i] = xyz[i];
  return yaw;
}

// Near a pitch of +-90 deg roll and yaw are not well defined, but roll is found for whatever yaw
// was, so that the three give back the rotation to rounding everywhere.
void lw_rpy(const lwTransform* a, NUMBER rpy[3])
{
  NUMBER yaw = num_atan2(a->R[1][0], a->R[0][0]), c = num_cos(yaw), s = num_sin(yaw);
  rpy[0] = num_atan2(s * a->R[0][2] - c * a->R[1][2], c * a->R[1][1] - s * a->R[0][1]);
  rpy[1] = num_atan2(-a->R[2][0], c * a->R[0][0] + s * a->R[1][0]);
  rpy[2] = yaw;
}

// By the largest of the four components, so that nothing is divided by a small number. 4 q_i^2
// is 1 plus the diagonal with signs; the products of q_i with the others are sums and
// differences of the elements off it.
void lw_quaternion(const lwTransform* a, NUMBER quaternion[4])
{
  const NUMBER R[9]     = {a->R[0][0], a->R[0][1], a->R[0][2], a->R[1][0], a->R[1][1],
                           a->R[1][2], a->R[2][0], a->R[2][1], a->R[2][2]};
  NUMBER squares[4]     = {1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8],
                           1 + R[0] + R[4] + R[8]};
  NUMBER products[4][4] = {{squares[0], R[1] + R[3], R[2] + R[6], R[7] - R[5]},
                           {R[1] + R[3], squares[1], R[5] + R[7], R[2] - R[6]},
                           {R[2] + R[6], R[5] + R[7], squares[2], R[3] - R[1]},
                           {R[7] - R[5], R[2] - R[6], R[3] - R[1], squares[3]}};
  int largest           = 3;
  for (int i = 0; i < 3; ++i)
    if (squares[i] > squares[largest]) largest = i;
  NUMBER scale = 1 / (2 * num_sqrt(squares[largest]));
  if (products[largest][3] < 0) scale = -scale;
  for (int i = 0; i < 4; ++i) quaternion[i] = products[largest][i] * scale + 0.0;
}

// A rotation that takes z to the axis; x is the coordinate axis that is most nearly
// perpendicular, made exactly so.
static lwTransform axis_frame(const double axis[3])
{
  // scaled first, so that no length overflows or underflows
  double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
  NUMBER z[3], x[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) z[i] = (NUMBER)axis[i] / largest;
  NUMBER length = num_sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
  for (int i = 0; i < 3; ++i) z[i] = lw_snap(z[i] / length);

  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (num_abs(z[i]) < num_abs(z[k])) k = i;
  NUMBER norm = num_sqrt(1 - z[k] * z[k]);
  for (int i = 0; i < 3; ++i) x[i] = ((i == k) - z[k] * z[i]) / norm;
  NUMBER y[3] = {z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]};

  lwTransform frame = lw_identity;
  for (int i = 0; i < 3; ++i)
  {
    frame.R[i][0] = x[i];
    frame.R[i][1] = y[i];
    frame.R[i][2] = z[i];
  }
  return frame;
}

void lw_joint_place(const lwJointDef* joint, lwTransform* before, lwTransform* after)
{
  lwTransform x = lw_screw_x(joint->alpha, joint->a);
  lwTransform z = lw_screw_z(joint->theta, joint->d);
  switch (joint->placement)
  {
    case LW_PLACEMENT_DH_MODIFIED:
      *before = lw_compose(&x, &z);
      *after  = lw_identity;
      break;
    case LW_PLACEMENT_DH_STANDARD:
      *before = z;
      *after  = x;
      break;
    case LW_PLACEMENT_ORIGIN_AXIS:
    {
      lwTransform origin = lw_origin(joint->xyz, joint->rpy);
      lwTransform axis   = joint->type == LW_JOINT_FIXED ? lw_identity : axis_frame(joint->axis);
      *before            = lw_compose(&origin, &axis);
      *after             = lw_invert(&axis);
      break;
    }
  }
}

void lw_inertia_rotate(const NUMBER R[3][3], const NUMBER I[6], NUMBER out[6])
{
  const NUMBER full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; ++k)
  {
    out[k] = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out[k] += R[row[k]][i] * full[i][j] * R[column[k]][j];
  }
}

// I += (p.k) 1 - (p k^T + k p^T)/2 with k = h + h', h' = h + m p: the origin moves by -p.
static void shift(lwInertial* body, const NUMBER p[3])
{
  NUMBER k[3];
  for (int i = 0; i < 3; ++i)
  {
    k[i] = 2 * body->first_moment[i] + body->mass * p[i];
    body->first_moment[i] += body->mass * p[i];
  }
  body->inertia[0] += p[1] * k[1] + p[2] * k[2];
  body->inertia[1] += p[0] * k[0] + p[2] * k[2];
  body->inertia[2] += p[0] * k[0] + p[1] * k[1];
  body->inertia[3] -= 0.5 * (p[0] * k[1] + p[1] * k[0]);
  body->inertia[4] -= 0.5 * (p[0] * k[2] + p[2] * k[0]);
  body->inertia[5] -= 0.5 * (p[1] * k[2] + p[2] * k[1]);
}

lwInertial lw_inertial_move(const lwInertial* body, const lwTransform* place)
{
  lwInertial moved = {.mass = body->mass};
  apply(place->R, body->first_moment, moved.first_moment);
  lw_inertia_rotate(place->R, body->inertia, moved.inertia);
  shift(&moved, place->p);
  return moved;
}

lwInertial lw_inertial_at(const lwLinkDef* link, const lwTransform* place)
{
  lwInertial body = {.mass = link->mass};
  lwTransform com = *place;
  NUMBER at[3]    = {link->com[0], link->com[1], link->com[2]};
  lw_transform_point(place, at, com.p);
  for (int i = 0; i < 6; ++i) body.inertia[i] = link->inertia[i];
  return lw_inertial_move(&body, &com);
}

void lw_inertial_add(lwInertial* sum, const lwInertial* part)
{
  sum->mass += part->mass;
  for (int i = 0; i < 3; ++i) sum->first_moment[i] += part->first_moment[i];
  for (int i = 0; i < 6; ++i) sum->inertia[i] += part->inertia[i];
}

#if !defined(LW_NUMBER_QUAD)  // descriptions are in double
void lw_link_in(const lwLinkDef* link, const lwTransform* frame, lwLinkDef* out)
{
  lwTransform to = lw_invert(frame);
  out->mass      = link->mass;
  apply(to.R, link->com, out->com);
  for (int i = 0; i < 3; ++i) out->com[i] += to.p[i];
  lw_inertia_rotate(to.R, link->inertia, out->inertia);
}
#endif
