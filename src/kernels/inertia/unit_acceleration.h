// SPDX-License-Identifier: MIT
// The arm at rest, with one joint accelerated by 1: how the links that it carries accelerate, and
// their net wrenches. These are the partial derivatives of accelerations by qdd_j, mata2002 (7).
#ifndef LW_KERNELS_INERTIA_UNIT_ACCELERATION_H
#define LW_KERNELS_INERTIA_UNIT_ACCELERATION_H

#include "kernels/joints.h"

typedef struct
{
  V3 wd, a;  // angular acceleration, acceleration of the origin; link frame
} Unit;

// Of the link of the joint itself: its origin is on its axis.
INLINE Unit unit_own(bool prismatic)
{
  V3 z = v3(zero(), zero(), constant(1));
  return prismatic ? (Unit){v3_zero(), z} : (Unit){z, v3_zero()};
}

// Of a link further out, from that of its parent.
INLINE Unit unit_behind(Joint j, Unit parent)
{
  V3 wd = to_link(j, parent.wd);
  V3 a  = to_link(j, cross_span_add(j, parent.wd, parent.a));
  return (Unit){wd, cross_d_add(j, wd, a)};
}

// Unit acceleration of freedom k of a wide joint: along or about an axis of the link,
INLINE Unit unit_own_wide(const lwWideJoint* wide, int k)
{
  int axis   = (k - wide->first) % 3;
  V3 e       = v3(constant(axis == 0), constant(axis == 1), constant(axis == 2));
  bool along = wide->floats && k < wide->first + 3;
  return along ? (Unit){v3_zero(), e} : (Unit){e, v3_zero()};
}

// and of the link of a wide joint further out.
INLINE Unit unit_behind_wide(Frame F, Unit parent)
{
  return (Unit){rotate_back(F, parent.wd), rotate_back(F, cross_add(parent.wd, F.p, parent.a))};
}

// All freedoms of a wide joint have the acceleration of its link; those that carry it have no mass.
INLINE Unit unit_of_wide(const lwModel* model, int i, int k, const Turn* turns, const Unit* units)
{
  const lwWideJoint* wide = wide_joint(model, i);
  if (k >= wide->first) return i == k ? unit_own_wide(wide, k) : units[i - 1];
  if (i > wide->first) return units[i - 1];
  return unit_behind_wide(wide_frame(model, wide, turns), units[model->parent[i]]);
}

// All links that joint k carries; carried[i] says which. Entries before k are left as they are.
INLINE void unit_accelerations(const lwModel* model, int k, const Turn* turns, const Input* q,
                               Unit* units, bool* carried)
{
  for (int i = k; i < model->n; ++i)
  {
    int p      = model->parent[i];
    carried[i] = i == k || (p >= k && carried[p]);
    if (carried[i] && is_wide(model, i))
      units[i] = unit_of_wide(model, i, k, turns, units);
    else if (i == k)
      units[i] = unit_own(is_prismatic(model, i));
    else if (carried[i])
      units[i] = unit_behind(joint_at(model, i, turns, q), units[p]);
  }
}

// Their net force and moment: m a + wd x h, I wd + h x a
INLINE void unit_wrenches(const lwModel* model, int k, const Unit* units, const bool* carried,
                          Wrench* wrenches)
{
  for (int i = k; i < model->n; ++i)
  {
    const Link* link = &LINKS(model)[i];
    V3 h = known_vector(link->first_moment), wd = units[i].wd, a = units[i].a;
    if (!carried[i]) continue;
    wrenches[i] = (Wrench){cross_add(wd, h, scale(K(link->mass), a)),
                           cross_add(h, a, s3_apply(known_symmetric(link->inertia), wd))};
  }
}

#endif
