// SPDX-License-Identifier: MIT
// Inverse dynamics by the recursive Newton-Euler algorithm, RNEA, O(n).
//
// Luh, Walker & Paul, "On-line computational scheme for mechanical manipulators", 1980; swartz1982
// (1)-(10).
//
//   paper     here    meaning                                              frame, unit
//   w         w       angular velocity of the link                         link, rad/s
//   w dot     wd      angular acceleration                                 link, rad/s^2
//   v dot     a       acceleration of the link's origin, less gravity      link, m/s^2
//   -         U       a point at r accelerates with a + U r:
//                     U = [wd x] + [w x][w x]                              link, 1/s^2
//   F*        F       force that sustains the link's motion                link, N
//   N*        N       moment of it about the link's origin                 link, N m
//   f, n      f, n    wrench that the joint transmits, at the origin       link, N, N m
//   p*        span, d parent's origin to the link's, before and along z    parent, z, m
//   J*        J       integral of r r^T dm about the origin                link, kg m^2
//
// Where it differs from the paper:
// - Frames are canonical (model/model_internal.h), z along the link's joint, so (10) reads n.z; any
// tree.
// - Velocities (3) of the origins are not needed for torques and are left out.
// - Sums are about the link's origin instead of its centre of mass: with first moment h = m c, (5)
//   and (6) become F = m a + U h, and (7) with the shift of (9) becomes N = sum r x U r dm + h x a,
//   where the sum needs U and J only (the pseudo-inertia of Uicker and Kahn; silver1981 (2.11)):
//   15 multiplications where J* wd + w x J* w takes 24.
// - A point on a revolute axis belongs to both links, so the part of p* along z uses the link's U.
// - Prismatic joints are added: 2 w x z qd + z qdd. swartz1982 covers revolute ones.
// - The environment exerts the wrench on the last link (erratum 3-7: the paper has the other sign).
#include "kernels/inverse/newton_euler.h"

typedef struct
{
  REAL mass;  // kg
  V3 h;       // kg m
  S3 J;       // kg m^2
} MassProperties;

// The wrench that sustains a link's own motion.
INLINE Wrench rnea_sustain(M3 U, V3 a, MassProperties link)
{
  return (Wrench){scale_add(link.mass, a, m3_apply(U, link.h)),   // (5), (6)
                  cross_add(link.h, a, rnea_moment(U, link.J))};  // (7)
}

INLINE MassProperties known_properties(const Link* link)
{
  return (MassProperties){K(link->mass), known_vector(link->first_moment),
                          known_symmetric(link->pseudo)};
}

#if defined(LW_FLOATING) && !LW_LANE_BYTES

#if defined(LW_SCALAR_f32)
#define BODIES_BESIDE        LW_BODIES_32
#define BODIES(model, first) (&(model)->bodies32[(first) / LW_BODIES_32])
typedef lwBodies32 BodyLine;
#else
#define BODIES_BESIDE        LW_BODIES_64
#define BODIES(model, first) (&(model)->bodies64[(first) / LW_BODIES_64])
typedef lwBodies64 BodyLine;
#endif

INLINE MassProperties properties_at(const BodyLine* b, int k)
{
  return (MassProperties){b->mass[k],
                          v3(b->first_moment[0][k], b->first_moment[1][k], b->first_moment[2][k]),
                          {b->pseudo[0][k], b->pseudo[1][k], b->pseudo[2][k], b->pseudo[3][k],
                           b->pseudo[4][k], b->pseudo[5][k]}};
}

// (5)-(7) for all links, a block at a time.
APART void rnea_sustain_all(const lwModel* model, const RneaMemory* memory)
{
  for (int first = 0; first < model->n; first += BESIDE)
  {
    const REAL* moving = beside(memory->motion, MOTION_NUMBERS, first);
    REAL* wrench       = beside(memory->wrench, WRENCH_NUMBERS, first);
    const BodyLine* b  = BODIES(model, first);
    int place          = first % BODIES_BESIDE;
    EACH_BESIDE(k)
    {
      M3 U     = acceleration_matrix(get3(moving + k, 0), get3(moving + k, 3));
      Wrench w = rnea_sustain(U, get3(moving + k, 6), properties_at(b, place + k));
      put3(wrench + k, 0, w.f);
      put3(wrench + k, 3, w.n);
    }
  }
}

#else

INLINE void rnea_sustain_all(const lwModel* model, const RneaMemory* memory)
{
  (void)model, (void)memory;
}

#endif

static void newton_euler(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns       = take(&work, (size_t)block_end(model->n) * sizeof *turns);
  RneaMemory memory = rnea_memory(model, work);
  const Input none  = zero();
  MaybeInput qd = maybe_input(state->qd, &none), qdd = maybe_input(state->qdd, &none);

  joint_turns(model, state->q, turns);

  // outward, base to tip, run by run: motion of each link (1)-(4) and the wrench that sustains it
  // (5)-(7), of a block of links at a time where blocks have several
  for (int i = 0; i < model->n;)
  {
    Joint j     = joint_at(model, i, turns, state->q);
    Motion link = rnea_motion_after(model, i, j, state, &memory, next_input(&qd), next_input(&qdd));
    while (true)
    {
      rnea_keep(&memory, model, i, link);
      if (BESIDE == 1)
        rnea_set_wrench(&memory, i, rnea_sustain(link.U, link.a, known_properties(j.link)));
      if (++i == model->n || !continues_run(model, i)) break;
      j    = joint_in_run(model, i, turns);
      link = rnea_move_revolute(link, j, next_input(&qd), next_input(&qdd));
    }
  }
  if (BESIDE > 1) rnea_sustain_all(model, &memory);

  // inward, tip to base: wrenches of the joints (8)-(10)
  rnea_transmit(model, turns, state, &memory, out);
}

const lwKernel FN(newton_euler) = {newton_euler, RNEA_PER_JOINT, 0, {0}};
