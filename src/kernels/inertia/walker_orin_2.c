// SPDX-License-Identifier: MIT
// Inertia matrix column by column, each from the links that its joint moves, O(n^2).
//
// Walker & Orin, "Efficient dynamic computer simulation of robotic mechanisms", 1982, method 2: as
// method 1, torques of unit accelerations by Newton-Euler, but without what is known beforehand. At
// rest only the links beyond joint j move, so velocity terms and gravity are left out and column j
// starts at link j; and since H is symmetric, it ends at row j. The paper was not at hand:
// swartz1982, which describes methods 1 and 3, says that the first three differ only in how they
// find H, and mata2002 prints counts of the third; this puts together what the second is known for.
//
//   paper     here    meaning                                              frame, unit
//   H         M       inertia matrix                                       kg m^2, kg m, kg
//   w dot     wd      angular acceleration by joint j                      link, rad/s^2
//   v dot     a       acceleration of the link's origin by joint j         link, m/s^2
//   f, n      f, n    wrench that the joint transmits, at the origin       link, N, N m
//
// Where it differs from the paper:
// - Frames are canonical, any tree, prismatic joints too. Sums are about the link's
//   origin as in newton_euler.c.
#include "kernels/inertia/columns.h"
#include "kernels/inertia/unit_acceleration.h"

static void walker_orin_2(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n            = model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  Unit* units      = take(&work, (size_t)n * sizeof *units);
  Wrench* wrenches = take(&work, (size_t)n * sizeof *wrenches);
  bool* carried    = work;
  Result* M        = out;

  clear_tree(model, M, false);
  for (int k = 0; k < n; ++k)
  {
    // outward from joint k: accelerations of the links that it carries, their net wrenches
    unit_accelerations(model, k, turns, state->q, units, carried);
    unit_wrenches(model, k, units, carried, wrenches);

    // inward to joint k: the part of each joint's wrench along it
    for (int i = n - 1; i >= k; --i)
    {
      if (!carried[i]) continue;
      Wrench w = wrenches[i];
      set_entry(M, n, i, k, is_prismatic(model, i) ? w.f.z : w.n.z);
      if (i == k) continue;
      Wrench* parent = &wrenches[model->parent[i]];
      wrench_to_parent_add(joint_at(model, i, turns, state->q), &w.f, &w.n, parent->f, parent->n);
      *parent = w;
    }
  }
}

const lwKernel FN(walker_orin_2) = {
    walker_orin_2, sizeof(Turn) + sizeof(Unit) + sizeof(Wrench) + sizeof(bool), 0, {0}, 0};
