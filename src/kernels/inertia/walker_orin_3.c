// SPDX-License-Identifier: MIT
// Inertia matrix by composite bodies about their centres of mass, as printed, O(n^2).
//
// Walker & Orin, "Efficient dynamic computer simulation of robotic mechanisms", 1982, method 3;
// swartz1982 (16)-(26). composite_body.c is the fast form of the same idea.
//
//   paper     here    meaning                                                     frame, unit
//   m_j       mass    mass of link j                                              kg
//   s*_j      s       its origin to its centre of mass                            link, m
//   J*_j      J       its inertia about its centre of mass                        link, kg m^2
//   M_j       M       mass of the "hand": link j and all that it carries          kg
//   c*_j      c       origin to the hand's centre of mass                         link, m
//   E*_j      E       the hand's inertia about its centre of mass                 link, kg m^2
//   p_j       p       parent's origin to the link's                               parent, m
//   F_j, N_j  F, N    force on the hand and moment about its centre of mass that
//                     give unit joint acceleration, everything else at rest       link, N, N m
//   f_i, n_i  f, n    wrench that joint i transmits, about the link's origin      link, N, N m
//   H         H       inertia matrix                                              kg m^2, kg m, kg
//
// Where it differs from the paper:
// - The paper's frames are standard Denavit-Hartenberg, at the far end of a link. In canonical
//   frames the joint axis A Z0 of (19), (20), (23), (26) is z of the link's own frame (errata 3-12,
//   3-16: the printed indices are wrong), it goes through the link's origin, so that c* + p in
//   (19), (22) is c, and p is seen from the parent in (17), (18) and (25).
// - (16) is done when the model is built. Ranges are those of erratum 3-13; (18), (22) are read
//   by errata 3-11, 3-14.
// - (17) divides by the mass of the hand. One without mass has its centre at its origin: all
//   that its mass multiplies is zero, so any centre is right (erratum 2-9). An inertia
//   without mass is kept.
// - A link may carry more than one hand: (17) and (18) sum over them. Prismatic joints:
//   F = M z, N = 0, H = f.z.
#include "kernels/inertia/central.h"
#include "kernels/inertia/columns.h"

typedef struct
{
  V3 p;  // parent's frame
  V3 c;
  V3 R;  // parent's origin to the hand's centre of mass, parent's frame
  S3 E;
} OuterBody;

// Inward, tip to base: where the centre of mass of each hand is.
INLINE void find_centres(const lwModel* model, const Joint* joints, OuterBody* hand)
{
  for (int i = 0; i < model->n; ++i)
    hand[i].c = known_vector(joints[i].link->first_moment);  // m s*
  for (int i = model->n - 1; i >= 0; --i)
  {
    REAL M         = K(joints[i].link->outboard_mass);
    int j          = model->parent[i];
    REAL over_mass = inverse_mass(model, i, LW_KIND_CARRIES_NO_MASS, joints[i].link->outboard_mass);
    hand[i].c      = scale(over_mass, hand[i].c);  // (17)
    if (j == LW_BASE) continue;
    hand[i].p = origin_in_parent(joints[i]);
    hand[i].R = add(to_parent(joints[i], hand[i].c), hand[i].p);
    hand[j].c = scale_add(M, hand[i].R, hand[j].c);
  }
}

// Inward, tip to base: inertia of each hand about its centre of mass.
INLINE void find_inertias(const lwModel* model, const Joint* joints, OuterBody* hand)
{
  for (int i = 0; i < model->n; ++i)
  {
    const Link* link = joints[i].link;
    V3 s             = mass_centre(model, i);
    S3 J             = central_inertia(model, i);
    hand[i].E        = add(J, point_inertia(K(link->mass), sub(s, hand[i].c)));  // (18), own part
  }
  for (int i = model->n - 1; i >= 0; --i)
  {
    int j = model->parent[i];
    if (j == LW_BASE) continue;
    REAL M    = K(joints[i].link->outboard_mass);
    S3 E      = tensor_to_parent(joints[i], hand[i].E);
    S3 moved  = add(E, point_inertia(M, sub(hand[i].R, hand[j].c)));
    hand[j].E = add(hand[j].E, moved);  // (18), what is carried
  }
}

// The wrench at joint j that gives its hand unit acceleration.
INLINE void walker_orin_unit_wrench(const OuterBody* hand, Joint j, bool prismatic, V3* f, V3* n)
{
  V3 z = v3(zero(), zero(), constant(1));
  V3 a = prismatic ? z : cross(z, hand->c);             // of the centre of mass
  V3 F = scale(K(j.link->outboard_mass), a);            // (19)
  V3 N = prismatic ? v3_zero() : s3_apply(hand->E, z);  // (20)
  *f   = F;                                             // (21)
  *n   = cross_add(hand->c, F, N);                      // (22)
}

// Column j: the wrench of its hand, held by all joints down to the base.
INLINE void walker_orin_column(const lwModel* model, int j, const Joint* joints,
                               const OuterBody* hand, Result* H)
{
  V3 f, n;
  walker_orin_unit_wrench(&hand[j], joints[j], is_prismatic(model, j), &f, &n);
  for (int i = j;; i = model->parent[i])
  {
    set_entry(H, model->n, i, j, is_prismatic(model, i) ? f.z : n.z);  // (23), (26)
    if (model->parent[i] == LW_BASE) return;
    f = to_parent(joints[i], f);                           // (24)
    n = cross_add(hand[i].p, f, to_parent(joints[i], n));  // (25)
  }
}

static void walker_orin_3(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n           = model->n;
  Turn* turns     = take_turns(model, state->q, &work);
  Joint* joints   = take(&work, (size_t)n * sizeof *joints);
  OuterBody* hand = work;
  Result* H       = out;

  for (int i = 0; i < n; ++i) joints[i] = joint_at(model, i, turns, state->q);
  for (size_t k = 0; k < (size_t)n * (size_t)n; ++k) H[k] = zero();

  find_centres(model, joints, hand);
  find_inertias(model, joints, hand);
  for (int j = n - 1; j >= 0; --j) walker_orin_column(model, j, joints, hand, H);
}

const lwKernel FN(walker_orin_3) = {
    walker_orin_3, sizeof(Turn) + sizeof(Joint) + sizeof(OuterBody), 0, {0}, 0};
