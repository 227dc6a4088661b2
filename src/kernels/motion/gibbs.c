// SPDX-License-Identifier: MIT
// Gibbs' function of a state and its Hessian in the accelerations, O(n^3).
//
// mata2002 (1), (19): half the sum of mass times acceleration squared, with the base accelerating
// upwards by gravity; then dG/dqdd_j is the torque of joint j, and d2G/dqdd_j dqdd_k the entry D_jk
// of the inertia matrix.
//
//   G    = sum over links of m a.a / 2 + a.U h + tr(U J U^T) / 2
//          a point at r accelerates with a + U r
//   D_jk = sum over links of da_j.(m da_k + dwd_k x h) + dwd_j.(I dwd_k + h x da_k)
//
// with the partial accelerations of mata2002 (7), da_j = da/dqdd_j. Nothing of the
// recursive methods is in it: no wrench is passed on, no composite body is formed. Where
// it differs from the paper:
// - (3) leaves out what does not depend on accelerations, f(w) of (2). Here it is in G, as in (1).
// - Sums are about the link's origin, so that links without mass need no centre of mass.
#include "kernels/inertia/columns.h"
#include "kernels/inertia/unit_acceleration.h"
#include "kernels/inverse/newton_euler.h"

// tr(U J U^T)
INLINE REAL gibbs_trace(M3 U, S3 J)
{
  return r_add(dot(U.x, s3_apply(J, U.x)),
               r_add(dot(U.y, s3_apply(J, U.y)), dot(U.z, s3_apply(J, U.z))));
}

// G of one link
INLINE REAL gibbs_of(const Link* link, const Motion* body)
{
  REAL squares = mul_add(K(link->mass), dot(body->a, body->a),
                         gibbs_trace(body->U, known_symmetric(link->pseudo)));
  V3 h         = known_vector(link->first_moment);
  return mul_add(constant((CONST)0.5), squares, dot(body->a, m3_apply(body->U, h)));
}

// G of the links that are fixed to the base, which accelerate with it. The base is no link.
INLINE REAL gibbs_at_rest(const lwModel* model, V3 a)
{
  bool none = true;
  REAL mass = zero();
  for (int l = 0; l < model->robot.count; ++l)
  {
    if (model->carrier[l] != LW_BASE) continue;
    none = false;
    mass = r_add(mass, K(MEMBERS(model)[l].mass));
  }
  return none ? zero() : r_mul(constant((CONST)0.5), r_mul(mass, dot(a, a)));
}

INLINE REAL gibbs_value(const lwModel* model, const lwState* state, const Turn* turns, Motion* body)
{
  body[LW_BASE] = rnea_base(gravity_of(model, state));
  REAL G        = gibbs_at_rest(model, body[LW_BASE].a);
  for (int i = 0; i < model->n; ++i)
  {
    const lwWideJoint* wide = is_wide(model, i) ? wide_joint(model, i) : NULL;
    if (wide) i = wide->last;
    body[i] = wide ? rnea_motion_wide(model, wide, turns, state, body)
                   : rnea_motion(model, i, joint_at(model, i, turns, state->q), state, body);
    G       = r_add(G, gibbs_of(&LINKS(model)[i], &body[i]));
  }
  return G;
}

static void gibbs(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n            = model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  Unit* units      = take(&work, (size_t)n * sizeof *units);
  Wrench* wrenches = take(&work, (size_t)n * sizeof *wrenches);
  Motion* body     = (Motion*)take(&work, ((size_t)n + 1) * sizeof *body) + 1;
  bool* carried    = take(&work, (size_t)n);
  bool* other      = work;
  Result* result   = out;
  Result* D        = result + 1;

  result[0] = gibbs_value(model, state, turns, body);
  clear_tree(model, D, false);
  for (int k = 0; k < n; ++k)
  {
    // net wrenches of the links that joint k accelerates
    unit_accelerations(model, k, turns, state->q, units, carried);
    unit_wrenches(model, k, units, carried, wrenches);

    // and how they are accelerated by every joint that carries joint k
    for (int j = k; j != LW_BASE; j = model->parent[j])
    {
      REAL sum = zero();
      unit_accelerations(model, j, turns, state->q, units, other);
      for (int i = k; i < n; ++i)
        if (carried[i])
          sum = dot_add(units[i].a, wrenches[i].f, dot_add(units[i].wd, wrenches[i].n, sum));
      set_entry(D, n, j, k, sum);
    }
  }
}

const lwKernel FN(gibbs) = {.run       = gibbs,
                            .per_joint = sizeof(Turn) + sizeof(Unit) + sizeof(Wrench) +
                                         sizeof(Motion) + 2 * sizeof(bool),
                            .flags = LW_KERNEL_READS_LINKS | LW_KERNEL_WIDE};
