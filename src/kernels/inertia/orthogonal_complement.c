// SPDX-License-Identifier: MIT
// Inertia matrix by the natural orthogonal complement, NOC, of the joints' constraints, O(n^3).
//
// Angeles & Ma, "Dynamic simulation of n-axis serial robotic manipulators using a
// natural orthogonal complement", 1988.
//
//   paper     here     meaning                                               frame, unit
//   T         t        twist-shaping matrix, 6n x n: the links' twists per joint
//                      rates; block (i, j) is the twist of link i per unit rate
//                      of joint j, zero unless j is link i's or carries it
//   e_j       e        axis of joint j                                       link i, 1
//   r_ij      r        origin of joint j to the centre of mass of link i     link i, m
//   w, c dot  w, v     its angular velocity, velocity of the mass centre     link i, 1/s, m/s
//   M_i       I, mass  extended mass: inertia about the mass centre, mass    link i, kg m^2, kg
//   -         L, P     momenta M_i t_ij                                      kg m^2/s, kg m/s
//   I         M        inertia matrix T^T diag(M_i) T                        kg m^2, kg m, kg
//
// T is an orthogonal complement of the constraint matrix: twists T qd violate no
// joint, so constraint wrenches do no work on them and fall out of T^T (Newton and
// Euler's equations of all links).
//
// Where it differs from the paper:
// - The paper factors every extended mass off-line, M_i = H_i^T H_i (Cholesky), and sums P^T P with
//   P = H T: 9 multiplications per block of T. Here M_i t_ij is formed, 12, and then t_ij . M_i
//   t_ik: no square root, so that massless links, thin rods and inertias that are not quite
//   positive do not matter.
// - Frames are canonical; any tree, where a block exists for every joint on the way from the
//   base to the link.
// - A massless link's centre is put at its origin (erratum 2-9).
#include "kernels/seen_joints.h"

// A block of T, and its momentum.
typedef struct
{
  V3 w, v;
  V3 L, P;
} ComplementBlock;

// Row i of T: block (i, j) for all joints j on the way to the base, and M_i times it.
INLINE void shape_twists(const lwModel* model, int i, const SeenJoint* arms, ComplementBlock* block)
{
  const Link* link = &LINKS(model)[i];
  V3 centre        = mass_centre(model, i);
  S3 I             = central_inertia(model, i);
  for (int j = i; j != LW_BASE; j = model->parent[j])
  {
    UnitMotion u = unit_motion(model, j, arms[j], centre);
    block[j]     = (ComplementBlock){u.w, u.v, s3_apply(I, u.w), scale(K(link->mass), u.v)};
  }
}

// M_jk += t_ij . M_i t_ik for the joints on the way to the base
INLINE void noc_add_link(const lwModel* model, int i, const ComplementBlock* block, Result* M)
{
  size_t n = (size_t)model->n;
  for (int k = i; k != LW_BASE; k = model->parent[k])
    for (int j = k; j != LW_BASE; j = model->parent[j])
    {
      Result* entry = &M[(size_t)k * n + (size_t)j];
      *entry        = dot_add(block[j].w, block[k].L, dot_add(block[j].v, block[k].P, *entry));
    }
}

static void orthogonal_complement(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n               = (size_t)model->n;
  Turn* turns            = take_turns(model, state->q, &work);
  ComplementBlock* block = take(&work, n * sizeof *block);
  SeenJoint* arms        = work;
  Result* M              = out;

  for (size_t k = 0; k < n * n; ++k) M[k] = zero();

  // link by link: its row of T, and its share of T^T diag(M_i) T in the lower triangle
  for (int i = 0; i < model->n; ++i)
  {
    see_from_parent(model, i, joint_at(model, i, turns, state->q), arms);
    shape_twists(model, i, arms + (size_t)i * n, block);
    noc_add_link(model, i, block, M);
  }
  mirror_lower(M, n);
}

const lwKernel FN(orthogonal_complement) = {
    orthogonal_complement, sizeof(Turn) + sizeof(ComplementBlock), sizeof(SeenJoint), {0}, 0};
