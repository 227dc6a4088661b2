// SPDX-License-Identifier: MIT
// Centre of mass of all links, momentum about it, and the rate of that momentum; in the base frame,
// O(n).
//
// Orin, Goswami & Lee, "Centroidal dynamics of a humanoid robot", 2013. Sums over links are about
// the base; the moments of them about the centre of mass c are
//   k = L - c x p        dk/dt = N - c x f
// The rate is the sum of gravity and all other forces on the links. All links but the base count.
#include "kernels/derivatives/composites.h"

// The sums over links.
typedef struct
{
  REAL mass;
  V3 h;
  Wrench momentum, rate;
} MomentumSums;

INLINE void add_link(MomentumSums* sums, const Link* link, const GroundMotion* at)
{
  Solid body     = solid_at(own_solid(link), at->F);
  sums->mass     = r_add(sums->mass, body.mass);
  sums->h        = add(sums->h, body.h);
  sums->momentum = wrench_sum(sums->momentum, inertia_of(body, at->V));
  sums->rate     = wrench_sum(sums->rate, net_wrench_solid(body, at->V, at->A));
}

// Nothing has mass, and so there is no centre.
INLINE bool is_massless(const lwModel* model)
{
  for (int i = 0; i < model->robot.count; ++i)
    if (model->robot.joints[i].link.mass != 0) return false;
  return true;
}

// The centre of mass in the description's base frame. Links fixed to the base are part of the base.
INLINE V3 centre_of(const lwModel* model, const MomentumSums* sums)
{
  const Ends* ends = ENDS(model);
  M3 R             = known_matrix(ends->base_rotation);
  REAL mass        = sums->mass;
  V3 h             = scale_add(mass, known_vector(ends->base_position), m3_apply(R, sums->h));
  for (int l = 0; l < model->robot.count; ++l)
  {
    const Member* member = &MEMBERS(model)[l];
    if (model->carrier[l] != LW_BASE) continue;
    mass = r_add(mass, K(member->mass));
    h    = add(h, known_vector(member->first_moment));
  }
  if (is_massless(model)) return v3_zero();
  return scale(r_div(constant(1), mass), h);
}

// About c instead of the ground's origin, in base axes.
INLINE Wrench about_centre(const lwModel* model, V3 c, Wrench w)
{
  const Ends* ends = ENDS(model);
  M3 R             = known_matrix(ends->base_rotation);
  V3 f             = m3_apply(R, w.f);
  V3 r             = sub(c, known_vector(ends->base_position));
  return (Wrench){f, sub(m3_apply(R, w.n), cross(r, f))};
}

// any_wide: a constant, so that other robots do not look for wide joints.
INLINE void centroidal_passes(const lwModel* model, void* work, const lwState* state, void* out,
                              bool any_wide)
{
  Turn* turns          = take_turns(model, state->q, &work);
  GroundMotion* motion = (GroundMotion*)work + 1;  // motion[LW_BASE] is the base
  Wrench none          = {v3_zero(), v3_zero()};
  MomentumSums sums    = {zero(), v3_zero(), none, none};
  lwState floating     = *state;
  floating.weightless  = true;  // momentum changes whatever does it
  motion[LW_BASE]      = ground_at_rest(model, &floating);
  for (int i = 0; i < model->n; ++i)
  {
    Twist S, Sd;
    GroundMotion at = motion[model->parent[i]];
    if (any_wide && is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      at                      = ground_step_wide(model, &floating, turns, wide, true, at);
      i                       = wide->last;
    }
    else
      ground_step(model, &floating, turns, i, true, &at, &S, &Sd);
    add_link(&sums, &LINKS(model)[i], &at);
    motion[i] = at;
  }

  V3 c          = centre_of(model, &sums);
  REAL* results = out;
  results[0]    = c.x;
  results[1]    = c.y;
  results[2]    = c.z;
  wrench_store(results + 3, about_centre(model, c, sums.momentum));
  wrench_store(results + 9, about_centre(model, c, sums.rate));
}

APART void centroidal_native(const lwModel* model, void* work, const lwState* state, void* out)
{
  centroidal_passes(model, work, state, out, true);
}

static void centroidal(const lwModel* model, void* work, const lwState* state, void* out)
{
  if (model->wide_count > 0)
    centroidal_native(model, work, state, out);
  else
    centroidal_passes(model, work, state, out, false);
}

const lwKernel FN(centroidal) = {centroidal,
                                 sizeof(Turn) + sizeof(GroundMotion),
                                 0,
                                 {0},
                                 LW_KERNEL_NARROW | LW_KERNEL_READS_LINKS | LW_KERNEL_WIDE};
