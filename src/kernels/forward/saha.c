// SPDX-License-Identifier: MIT
// Forward dynamics by Gaussian elimination of the inertia matrix in symbols, O(n).
//
// Saha, "A decomposition of the manipulator inertia matrix", 1997. mata2002, section 1: he
// "performed symbolically the Gaussian elimination to obtain the decomposition of the generalized
// inertia matrix" and proposed "an O(n) forward dynamic algorithm with a computational complexity
// very similar to" that of articulated bodies. The inertia matrix of the natural orthogonal
// complement, T^T diag(M_i) T, is factored as U D U^T without being formed:
//
//   bar M_i = M_i + sum_children B^T (bar M - psi^ psi^T / m^) B    what the joint moves      (S1)
//   psi^_i = bar M_i p_i,   m^_i = p_i.psi^_i,   psi_i = psi^_i / m^_i                         (S2)
//   U D U^T qdd = phi = tau - bias, with entries of U that are psi_i and of D that are m^_i:
//   phi^_i = phi_i - p_i.eta~_i,  eta_i = psi_i phi^_i + eta~_i,  eta~ of the parent + B^T eta  (S3)
//   qdd_i = phi^_i / m^_i - psi_i.mu~_i,  mu~_i = B mu of the parent,  mu_i = p_i qdd_i + mu~_i (S4)
//
//   paper       here     meaning                                            frame, unit
//   bar M       A        inertia of the link and what it carries            link
//   p           -        twist of unit joint rate: along z
//   psi^, m^    U, D     its wrench, and the inertia that the joint sees    link
//   phi         qdd      first the bias, then what is left for the joints   N m, N
//   eta~        eta      wrench of the joints further out                   link, N, N m
//   mu          mu       acceleration that the joints so far add            link
//
// What differs: twists are about the origins of the links, not their mass centres; joints may slide,
// links may branch; rotors and joints that are held are part of m^; bar M along the joint is written
// as zero after the elimination. The bias is inverse dynamics with qdd = 0.
#include "kernels/forward/eliminated.h"

extern const lwKernel FN(newton_euler_grouped);

typedef struct
{
  Inertia A;
  Eliminated e;
  Wrench eta;
  JointTwist mu;
} SahaLink;

// (S1)-(S3), from the last joint inward; qdd has phi and gets phi^ / m^.
INLINE void decompose(const lwModel* model, const lwState* state, const Turn* turns, SahaLink* link,
                      Result* qdd)
{
  for (int i = model->n - 1; i >= 0; --i)
  {
    bool prismatic = is_prismatic(model, i);
    Joint j        = joint_at(model, i, turns, state->q);
    SahaLink *own = &link[i], *parent = &link[model->parent[i]];
    own->e   = eliminate(model, state, i, &own->A);  // (S2)
    REAL phi = r_mul(own->e.over_D, r_sub(qdd[i], wrench_along(own->eta, prismatic)));
    qdd[i]   = phi;
    if (model->parent[i] == LW_BASE) continue;
    Wrench eta = wrench_scale_add(phi, own->e.U, own->eta);  // (S3)
    wrench_to_parent(j, &eta.f, &eta.n);
    parent->eta = wrench_sum(parent->eta, eta);
    parent->A   = inertia_sum(
          parent->A, inertia_to_parent(j, inertia_without(own->A, own->e, prismatic)));  // (S1)
  }
}

static void saha(const lwModel* model, void* work, const lwState* state, void* out)
{
  Result* qdd  = out;
  lwState rest = *state;
  rest.qdd     = NULL;
  FN(newton_euler_grouped).run(model, work, &rest, qdd);
  for (int i = 0; i < model->n; ++i) qdd[i] = r_sub(given(state->tau, i), qdd[i]);

  Turn* turns      = take_turns(model, state->q, &work);
  SahaLink* link   = (SahaLink*)work + 1;  // link[LW_BASE] is the base
  link[LW_BASE].mu = (JointTwist){v3_zero(), v3_zero()};
  for (int i = 0; i < model->n; ++i)
  {
    link[i].A   = inertia_of_link(&LINKS(model)[i]);
    link[i].eta = (Wrench){v3_zero(), v3_zero()};
  }
  decompose(model, state, turns, link, qdd);
  for (int i = 0; i < model->n; ++i)  // (S4)
  {
    Joint j      = joint_at(model, i, turns, state->q);
    JointTwist t = twist_to_link(j, link[model->parent[i]].mu);
    qdd[i]       = sub_mul(qdd[i], link[i].e.over_D, wrench_dot(link[i].e.U, t));
    link[i].mu   = twist_add_joint(t, qdd[i], is_prismatic(model, i));
  }
}

const lwKernel FN(saha) = {
    saha, sizeof(Turn) + sizeof(SahaLink), 0, {&FN(newton_euler_grouped)}, 0};
