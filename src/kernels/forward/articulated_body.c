// SPDX-License-Identifier: MIT
// Forward dynamics by the articulated body algorithm, ABA, O(n).
// kernels/reference/articulated_body.c computes the same and is the text to read first.
//
// Featherstone, "The calculation of robot dynamics using articulated-body inertias", 1983; "Rigid
// Body Dynamics Algorithms", 2008, table 7.1.
//
//   book      here      meaning                                                frame, unit
//   I^A       I, H, M   articulated inertia,                                   link;
//                       n = I wd + H a, f = H^T wd + M a                       kg m^2, kg m, kg
//   p^A       n, f      its bias wrench: what it takes while no joint of the   link; N m, N
//                       robot accelerates
//   U         Un, Uf    wrench of unit joint acceleration                      joint
//   D, u      D, u      inertia seen by the joint, and the joint force less bias
//   U/D, u/D  Gn, Gf, g                                                        joint
//
// joint: the joint frame, which stands on the parent: that of the link before it turns by theta and
// shifts by d, both along z.
//
// Where it differs from the book:
// - Accelerations are those of material points at the link's origin, not spatial ones.
// - Inertial parameters are grouped (kernels/inverse/newton_euler_grouped.c), which leaves U, D and
//   u as they are. Mass, h.z and J.zz of a link behind a revolute joint are zero.
// - The bias is that of the whole robot with qdd = 0: velocities, accelerations and each link's
//   wrench go outward as in Newton-Euler, gravity included. So no velocity-dependent acceleration c
//   is multiplied by I^a inward, and what goes outward in the end is what the joints add to those
//   accelerations, which is zero on the base.
// - Joints are eliminated in joint frames, so that turning the body does not wait for 1/D.
// - The row and column of I^A along the joint vanish once the joint is eliminated. They are set to
//   zero, not computed: in single precision this is most of the accuracy.
// - Shifts and rotations are factored into those about z and about x.
// - U/D and u/D are kept instead of U, u and D. Without a rotor, U/D along the joint is 1, so
//   u/D - U/D . (wd, a) without that entry is the acceleration of the link along its joint, and qdd
//   its difference to that of the parent.
// - With rotors, D is the inertia seen by the joint plus that of the motor's rotor J. The row and
//   column of the joint are then U J/D instead of zero, and are written as that: the rotor keeps
//   its part of the wrench from going through.
// - A joint that is held has an infinite rotor inertia: 1/D = 0 and J/D = 1.
// - Wide joints are eliminated in the frame of their link, D being 3x3 or 6x6. A floating joint
// lets
//   nothing through but tau: its link's acceleration is D^-1 u, whatever the parent does.
//
// Along a chain everything goes from link to link in registers, as far as there are enough.
#include "kernels/forward/articulated_inertia.h"
#include "kernels/forward/wide_elimination.h"
#include "kernels/inverse/newton_euler_grouped.h"

// A link with everything outboard of it, free to move.
typedef struct
{
  Inertia A;
  V3 n, f;  // bias wrench
} Articulated;

// What the passes leave for each other of a link and its joint.
typedef struct
{
  union
  {
    Wrench bias;  // what the link itself takes while no joint accelerates: read inward, before
    Wrench G;     // U/D is written
  };
  REAL g;
} ArticulatedBody;

// What a link has for several joints; links that carry the next joint only do without.
typedef struct
{
  Motion motion;    // while no joint accelerates
  Articulated sum;  // of those that were handed over so far
  V3 wd, a;         // what the joints add to its acceleration
} Fork;

typedef struct
{
  const lwModel* model;
  const lwState* state;
  MaybeInput qd, tau;
  int tool;  // the link that the environment's wrench acts on, or LW_BASE
  Turn* turns;
  ArticulatedBody* body;
  Fork* fork;
} Walk;

// The outboard links and the link itself, with grouped parameters: inertia about the origin,
// H = [h x], M = m 1, and the wrench that it takes. Its entry along the joint is replaced by u.
// What comes from outboard, such as a wrench on the tool, is subtracted from tau first: both may be
// much larger than u. Behind a revolute joint, m, h.z and J.zz are 0.
INLINE Articulated with_revolute(Articulated b, const Link* link, Wrench bias, REAL tau)
{
  S3 J   = known_symmetric(link->grouped_pseudo);
  REAL x = K(link->grouped_first_moment[0]), y = K(link->grouped_first_moment[1]);
  S3 I      = b.A.I;
  b.A.I     = (S3){r_add(I.xx, J.yy), r_add(I.yy, J.xx), r_add(I.zz, r_add(J.xx, J.yy)),
                   r_sub(I.xy, J.xy), r_sub(I.xz, J.xz), r_sub(I.yz, J.yz)};
  b.A.H.x.z = r_add(b.A.H.x.z, y);
  b.A.H.y.z = r_sub(b.A.H.y.z, x);
  b.A.H.z.x = r_sub(b.A.H.z.x, y);
  b.A.H.z.y = r_add(b.A.H.z.y, x);
  REAL u    = r_sub(r_sub(tau, b.n.z), bias.n.z);
  b.n       = v3(r_add(b.n.x, bias.n.x), r_add(b.n.y, bias.n.y), u);
  b.f       = add(b.f, bias.f);
  return b;
}

// As with_revolute(), for a prismatic joint, where J is 0.
INLINE Articulated with_prismatic(Articulated b, const Link* link, Wrench bias, REAL tau)
{
  V3 h     = known_vector(link->grouped_first_moment);
  REAL m   = K(link->grouped_mass);
  M3 H     = b.A.H;
  H.x      = v3(H.x.x, r_sub(H.x.y, h.z), r_add(H.x.z, h.y));
  H.y      = v3(r_add(H.y.x, h.z), H.y.y, r_sub(H.y.z, h.x));
  H.z      = v3(r_sub(H.z.x, h.y), r_add(H.z.y, h.x), H.z.z);
  b.A.H    = H;
  b.A.M.xx = r_add(b.A.M.xx, m);
  b.A.M.yy = r_add(b.A.M.yy, m);
  b.A.M.zz = r_add(b.A.M.zz, m);
  REAL u   = r_sub(r_sub(tau, b.f.z), bias.f.z);
  b.n      = add(b.n, bias.n);
  b.f      = v3(r_add(b.f.x, bias.f.x), r_add(b.f.y, bias.f.y), u);
  return b;
}

INLINE Articulated no_articulated_body(void)
{
  S3 none = {zero(), zero(), zero(), zero(), zero(), zero()};
  return (Articulated){{none, {v3_zero(), v3_zero(), v3_zero()}, none}, v3_zero(), v3_zero()};
}

INLINE Articulated both(Articulated a, Articulated b)
{
  return (Articulated){
      {add(a.A.I, b.A.I), add(a.A.H, b.A.H), add(a.A.M, b.A.M)}, add(a.n, b.n), add(a.f, b.f)};
}

// A joint and what it sees of the articulated body outboard of it, and of the rotor J of its motor.
typedef struct
{
  V3 Un, Uf;
  V3 Gn, Gf;
  REAL g;
  REAL passed;  // what goes to the parent along the joint: tau, less what accelerates the rotor
  REAL kept;    // J/D
} Opening;

// Returns 1/D. rotor NULL: there is none.
INLINE REAL aba_open_joint(Opening* o, REAL D, REAL u, REAL tau, const REAL* rotor)
{
  if (rotor) D = r_add(D, *rotor);
  REAL over_D = r_div(constant(1), D);
  o->g        = r_mul(u, over_D);
  o->passed   = rotor ? sub_mul(tau, *rotor, o->g) : tau;
  o->kept     = rotor ? r_mul(*rotor, over_D) : zero();
  return over_D;
}

INLINE Opening open_revolute(const Articulated* b, REAL tau, const REAL* rotor)
{
  V3 Un       = v3(b->A.I.xz, b->A.I.yz, b->A.I.zz);
  Opening o   = {.Un = Un, .Uf = b->A.H.z};
  REAL over_D = aba_open_joint(&o, Un.z, b->n.z, tau, rotor);
  REAL along  = rotor ? r_mul(over_D, Un.z) : constant(1);
  o.Gf        = scale(over_D, o.Uf);
  o.Gn        = v3(r_mul(over_D, Un.x), r_mul(over_D, Un.y), along);
  return o;
}

INLINE Opening open_prismatic(const Articulated* b, REAL tau, const REAL* rotor)
{
  V3 Uf       = v3(b->A.M.xz, b->A.M.yz, b->A.M.zz);
  Opening o   = {.Un = v3(b->A.H.x.z, b->A.H.y.z, b->A.H.z.z), .Uf = Uf};
  REAL over_D = aba_open_joint(&o, Uf.z, b->f.z, tau, rotor);
  REAL along  = rotor ? r_mul(over_D, Uf.z) : constant(1);
  o.Gn        = scale(over_D, o.Un);
  o.Gf        = v3(r_mul(over_D, Uf.x), r_mul(over_D, Uf.y), along);
  return o;
}

// A held joint is revolute, and everything goes through it.
INLINE Opening hold_revolute(const Articulated* b, REAL tau)
{
  V3 none = v3_zero();
  return (Opening){.Un     = v3(b->A.I.xz, b->A.I.yz, b->A.I.zz),
                   .Uf     = b->A.H.z,
                   .Gn     = none,
                   .Gf     = none,
                   .g      = zero(),
                   .passed = r_sub(tau, b->n.z),
                   .kept   = constant(1)};
}

// S - G U^T, G along U, and its xx, yy and xy alone.
INLINE S3 less_symmetric(S3 S, V3 G, V3 U)
{
  return (S3){sub_mul(S.xx, G.x, U.x), sub_mul(S.yy, G.y, U.y), sub_mul(S.zz, G.z, U.z),
              sub_mul(S.xy, G.x, U.y), sub_mul(S.xz, G.x, U.z), sub_mul(S.yz, G.y, U.z)};
}

INLINE S3 less_planar(S3 S, V3 G, V3 U)
{
  REAL none = zero();
  return (S3){
      sub_mul(S.xx, G.x, U.x), sub_mul(S.yy, G.y, U.y), none, sub_mul(S.xy, G.x, U.y), none, none};
}

// a - k b
INLINE V3 less(V3 a, REAL k, V3 b)
{
  return v3(sub_mul(a.x, k, b.x), sub_mul(a.y, k, b.y), sub_mul(a.z, k, b.z));
}

// I^a = I^A - U U^T/D and p^a = p^A + U u/D: inertia and bias wrench as a revolute joint transmits
// them, taken to the parent. Along the joint, I^a is zero and p^a is tau, apart from what a rotor
// keeps. leaf: nothing is outboard of the link, so M and Uf.z are zero.
INLINE Articulated through_revolute(const Articulated* b, const Opening* o, Joint j, bool rotors,
                                    bool leaf)
{
  V3 f = scale_add(o->g, o->Uf, b->f);
  V3 n = v3(mul_add(o->g, o->Un.x, b->n.x), mul_add(o->g, o->Un.y, b->n.y), o->passed);
  Inertia A;
  A.M = leaf ? less_planar(b->A.M, o->Gf, o->Uf) : less_symmetric(b->A.M, o->Gf, o->Uf);
  A.H = (M3){less(b->A.H.x, o->Gn.x, o->Uf), less(b->A.H.y, o->Gn.y, o->Uf), v3_zero()};
  A.I = less_planar(b->A.I, o->Gn, o->Un);
  if (leaf)
  {
    A.H.x.z = b->A.H.x.z;
    A.H.y.z = b->A.H.y.z;
  }
  if (rotors)
  {
    V3 row = scale(o->kept, o->Un);
    A.H.z  = scale(o->kept, o->Uf);
    A.I    = (S3){A.I.xx, A.I.yy, row.z, A.I.xy, row.x, row.y};
  }
  wrench_by_screw_x(j, &f, &n);
  return (Articulated){inertia_by_screw_x(j, A, !rotors, leaf), n, f};
}

// I^a of a prismatic joint. Here M and the columns of H lose an entry, which saves
// too little to be worth separate code.
INLINE Inertia without_prismatic(const Inertia* A, const Opening* o)
{
  REAL x = o->Gf.x, y = o->Gf.y;
  V3 Un = o->Un;
  return (Inertia){less_symmetric(A->I, o->Gn, Un),
                   {v3(sub_mul(A->H.x.x, x, Un.x), sub_mul(A->H.x.y, y, Un.x), zero()),
                    v3(sub_mul(A->H.y.x, x, Un.y), sub_mul(A->H.y.y, y, Un.y), zero()),
                    v3(sub_mul(A->H.z.x, x, Un.z), sub_mul(A->H.z.y, y, Un.z), zero())},
                   less_planar(A->M, o->Gf, o->Uf)};
}

// The row and column of the joint, U J/D, which are zero without a rotor.
INLINE void keep_prismatic(Inertia* A, const Opening* o)
{
  V3 row = scale(o->kept, o->Uf), column = scale(o->kept, o->Un);
  A->M.xz  = row.x;
  A->M.yz  = row.y;
  A->M.zz  = row.z;
  A->H.x.z = column.x;
  A->H.y.z = column.y;
  A->H.z.z = column.z;
}

INLINE Articulated through_prismatic(const Articulated* b, const Opening* o, Joint j, bool rotors)
{
  Inertia A = without_prismatic(&b->A, o);
  V3 n      = scale_add(o->g, o->Un, b->n);
  V3 f      = v3(mul_add(o->g, o->Uf.x, b->f.x), mul_add(o->g, o->Uf.y, b->f.y), o->passed);
  if (rotors) keep_prismatic(&A, o);
  wrench_by_screw_x(j, &f, &n);
  return (Articulated){inertia_by_screw_x(j, A, false, false), n, f};
}

// Link i itself, with the contributions of its other children and of the environment.
INLINE Articulated with_own(const Walk* walk, int i, Articulated b, bool prismatic)
{
  const Link* link = &LINKS(walk->model)[i];
  Wrench bias      = walk->body[i].bias;
  REAL tau         = input_of(walk->tau, i);
  if (is_fork(walk->model, i)) b = both(b, walk->fork[i].sum);
  if (i == walk->tool) subtract_tool(walk->model, walk->state, &b.f, &b.n);
  return prismatic ? with_prismatic(b, link, bias, tau) : with_revolute(b, link, bias, tau);
}

// An articulated body in the frame of its link, taken to where the joint stands on the parent.
INLINE Articulated by_screw_z(Joint j, Articulated b)
{
  wrench_by_screw_z(j, &b.f, &b.n);
  b.A = inertia_by_screw_z(j, b.A);
  return b;
}

// What joint i sees of its articulated body.
INLINE Opening aba_open(const Walk* walk, int i, const Articulated* b, bool prismatic, bool rotors)
{
  const lwModel* model = walk->model;
  REAL tau             = input_of(walk->tau, i);
  REAL rotor           = walk->state->rotors ? rotor_of(model, i) : zero();
  const REAL* J        = rotors ? &rotor : NULL;
  if (prismatic) return open_prismatic(b, tau, J);
  return rotors && lw_joint_is_held(model, i) ? hold_revolute(b, tau) : open_revolute(b, tau, J);
}

// aba_open() in the joint's frame before motion; stores what the outward pass needs.
INLINE Opening aba_take_out(const Walk* walk, int i, const Articulated* b, bool prismatic,
                            bool rotors)
{
  Opening o       = aba_open(walk, i, b, prismatic, rotors);
  walk->body[i].G = (Wrench){o.Gf, o.Gn};
  walk->body[i].g = o.g;
  return o;
}

// Joint i on the base, which rests: of U/D nothing is needed, so the body stays where it is.
INLINE void aba_take_off_base(const Walk* walk, int i, Articulated outboard, bool prismatic,
                              bool rotors)
{
  Articulated b   = with_own(walk, i, outboard, prismatic);
  walk->body[i].g = aba_open(walk, i, &b, prismatic, rotors).g;
}

// Joint i with link i and its subtree: the contribution to the parent.
INLINE Articulated aba_add_to_parent(const Walk* walk, int i, Articulated outboard, bool prismatic,
                                     bool rotors)
{
  Joint j       = joint_at(walk->model, i, walk->turns, walk->state->q);
  Articulated b = by_screw_z(j, with_own(walk, i, outboard, prismatic));
  Opening o     = aba_take_out(walk, i, &b, prismatic, rotors);
  return prismatic ? through_prismatic(&b, &o, j, rotors)
                   : through_revolute(&b, &o, j, rotors, false);
}

// As aba_add_to_parent(), for a joint that continues a run.
INLINE Articulated aba_add_in_run(const Walk* walk, int i, Articulated outboard, bool rotors)
{
  Joint j       = joint_in_run(walk->model, i, walk->turns);
  REAL tau      = input_of(walk->tau, i);
  Articulated b = by_screw_z(j, with_revolute(outboard, j.link, walk->body[i].bias, tau));
  Opening o     = aba_take_out(walk, i, &b, false, rotors);
  return through_revolute(&b, &o, j, rotors, false);
}

// The bias wrench of a link without others outboard, less that of the environment, and u.
INLINE Wrench aba_leaf_wrench(const Walk* walk, int i)
{
  Wrench own = walk->body[i].bias;
  REAL tau   = input_of(walk->tau, i);
  if (i == walk->tool)
  {
    V3 f, moment;
    tool_wrench(walk->model, walk->state->wrench, &f, &moment);
    own.f = sub(own.f, f);
    own.n = v3(r_sub(own.n.x, moment.x), r_sub(own.n.y, moment.y), own.n.z);
    tau   = r_add(tau, moment.z);
  }
  own.n.z = r_sub(tau, own.n.z);
  return own;
}

// aba_add_in_run() for a link without others outboard, in half as many operations: M = 0,
// H = [h x] in the joint's frame before motion as well.
INLINE Articulated aba_add_leaf(const Walk* walk, int i, bool rotors)
{
  Joint j       = joint_in_run(walk->model, i, walk->turns);
  Articulated b = no_articulated_body();
  Wrench w      = aba_leaf_wrench(walk, i);
  wrench_by_screw_z(j, &w.f, &w.n);
  b.f = w.f;
  b.n = w.n;

  S3 J      = known_symmetric(j.link->grouped_pseudo);
  V3 h      = v3(K(j.link->grouped_first_moment[0]), K(j.link->grouped_first_moment[1]), zero());
  S3 I      = {J.yy, J.xx, r_add(J.xx, J.yy), r_neg(J.xy), r_neg(J.xz), r_neg(J.yz)};
  h         = turn_z(j.theta, h);
  I         = s3_spin_z(matrix_turn(j.theta), I);
  I.xz      = sub_mul(I.xz, j.d, h.x);
  I.yz      = sub_mul(I.yz, j.d, h.y);
  b.A.I     = I;
  b.A.H.x.z = h.y;
  b.A.H.y.z = r_neg(h.x);
  b.A.H.z   = v3(r_neg(h.y), h.x, zero());
  Opening o = aba_take_out(walk, i, &b, false, rotors);
  return through_revolute(&b, &o, j, rotors, true);
}

// Motion of link i, which does not continue a run, while no joint accelerates; link is that of the
// joint before.
INLINE Motion aba_motion(const Walk* walk, int i, Motion link, REAL qd)
{
  const lwModel* model = walk->model;
  Joint j              = joint_at(model, i, walk->turns, walk->state->q);
  int p                = model->parent[i];
  bool prismatic       = is_prismatic(model, i);
  if (p == LW_BASE)
    return rnea_move_on_base(gravity_of(model, walk->state), j, prismatic, qd, zero());
  if (p != i - 1) link = walk->fork[p].motion;
  return prismatic ? rnea_move_prismatic(link, j, qd, zero())
                   : rnea_move_revolute(link, j, qd, zero());
}

// As aba_motion(), behind a wide joint.
INLINE Motion aba_motion_wide(const Walk* walk, const lwWideJoint* wide, Motion link)
{
  const lwModel* model = walk->model;
  int i = wide->first, p = model->parent[i];
  Frame F        = wide_frame(model, wide, walk->turns);
  WideRates none = {v3_zero(), v3_zero()}, qd = wide_rates(wide, walk->state->qd);
  if (p == LW_BASE) return rnea_move_wide_on_base(gravity_of(model, walk->state), F, qd, none);
  return rnea_move_wide(p != i - 1 ? walk->fork[p].motion : link, F, qd, none);
}

// Base to tip: what the links take while no joint accelerates. Along a run the motion of the parent
// is at hand.
INLINE void outward_bias(const Walk* walk)
{
  const lwModel* model = walk->model;
  Motion link          = rnea_base(v3_zero());
  for (int i = 0; i < model->n;)
  {
    if (is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      link                    = aba_motion_wide(walk, wide, link);
      i                       = wide->last;
      walk->body[i].bias      = grouped_net_wrench_wide(link, &LINKS(model)[i]);
    }
    else
    {
      link               = aba_motion(walk, i, link, input_of(walk->qd, i));
      walk->body[i].bias = grouped_net_wrench(model, i, link);
    }
    if (is_fork(model, i))
    {
      walk->fork[i].motion = link;
      walk->fork[i].sum    = no_articulated_body();
    }
    while (++i < model->n && continues_plainly(model, i))
    {
      Joint j            = joint_in_run(model, i, walk->turns);
      link               = rnea_move_revolute(link, j, input_of(walk->qd, i), zero());
      walk->body[i].bias = grouped_net_wrench_revolute(link, j.link);
    }
  }
}

// Joint i continues a run, and nothing else acts on its link than what the run hands on.
INLINE bool runs_inward(const Walk* walk, int i)
{
  return continues_plainly(walk->model, i) && i != walk->tool;
}

// Articulated bodies along a run, from link i inward. Returns the first joint that is not of the
// run; *outboard is what it sees then. leaf: nothing is outboard of link i, and *outboard not read.
INLINE int aba_run(const Walk* walk, int i, bool leaf, bool rotors, Articulated* outboard)
{
  Articulated b = leaf ? aba_add_leaf(walk, i--, rotors) : *outboard;
  for (; runs_inward(walk, i); --i) b = aba_add_in_run(walk, i, b, rotors);
  *outboard = b;
  return i;
}

// Compiled twice, so that rotors and held joints cost nothing where there are none, and apart, so
// that runs, which take most of the time, have all registers for themselves.
APART int run_plain(const Walk* walk, int i, bool leaf, Articulated* outboard)
{
  return aba_run(walk, i, leaf, false, outboard);
}

APART int run_rotors(const Walk* walk, int i, bool leaf, Articulated* outboard)
{
  return aba_run(walk, i, leaf, true, outboard);
}

// Link i of a wide joint with what is outboard, its torques less the bias wrench: u.
INLINE Articulated with_wide(const Walk* walk, const lwWideJoint* wide, Articulated b)
{
  const lwModel* model = walk->model;
  const Link* link     = &LINKS(model)[wide->last];
  Wrench bias          = walk->body[wide->last].bias;
  WideRates tau        = wide_rates(wide, walk->state->tau);
  if (is_fork(model, wide->last)) b = both(b, walk->fork[wide->last].sum);
  if (wide->last == walk->tool) subtract_tool(model, walk->state, &b.f, &b.n);
  inertia_add_body(&b.A, K(link->grouped_mass), known_vector(link->grouped_first_moment),
                   known_symmetric(link->grouped_pseudo));
  b.n = sub(sub(tau.w, b.n), bias.n);
  b.f = wide->floats ? sub(sub(tau.v, b.f), bias.f) : add(b.f, bias.f);
  return b;
}

// Takes a wide joint out; the contribution to its parent, in the frame of its link, is left in b.
INLINE void aba_open_wide(const Walk* walk, const lwWideJoint* wide, Articulated* b)
{
  ArticulatedBody* body = &walk->body[wide->first];
  WideRates tau         = wide_rates(wide, walk->state->tau);
  if (wide->floats)
  {
    body->G = solve_floating(&b->A, b->f, b->n);
    *b      = no_articulated_body();
    b->f    = tau.v;
  }
  else
  {
    BallElimination ball = eliminate_ball(&b->A, b->n);
    body[0].G            = (Wrench){ball.G.x, ball.G.y};
    body[1].G            = (Wrench){ball.G.z, ball.g};
    V3 f                 = add(b->f, apply_transposed(b->A.H, ball.g));
    S3 M                 = ball.M;
    *b                   = no_articulated_body();
    b->f                 = f;
    b->A.M               = M;
  }
  b->n = tau.w;
}

// The wide joint with its link and subtree: the contribution to the parent.
APART void aba_add_wide(const Walk* walk, const lwWideJoint* wide, Articulated* outboard)
{
  Articulated b = with_wide(walk, wide, *outboard);
  aba_open_wide(walk, wide, &b);
  if (walk->model->parent[wide->first] == LW_BASE) return;
  Frame F  = wide_frame(walk->model, wide, walk->turns);
  Wrench w = wide_wrench_to_parent(F, (Wrench){b.f, b.n});
  b.f      = w.f;
  b.n      = w.n;
  b.A.M    = tensor_by_frame(F, b.A.M);
  shift(&b.A, F.p);
  *outboard = b;
}

// Articulated bodies from link i, which carries nothing that is not at its fork already, inward to
// one whose parent is not the link before. Returns the joint of that link.
INLINE int aba_limb(const Walk* walk, int i, bool rotors)
{
  const lwModel* model = walk->model;
  bool leaf            = continues_plainly(model, i);
  Articulated b;
  if (!leaf) b = no_articulated_body();
  for (;; --i, leaf = false)
  {
    if (leaf || runs_inward(walk, i))
      i = rotors ? run_rotors(walk, i, leaf, &b) : run_plain(walk, i, leaf, &b);
    const lwWideJoint* wide = is_wide(model, i) ? wide_joint(model, i) : NULL;
    if (wide)
    {
      aba_add_wide(walk, wide, &b);
      i = wide->first;
    }
    int p          = model->parent[i];
    bool prismatic = is_prismatic(model, i);
    if (p == LW_BASE)
    {
      if (wide) return i;
      if (prismatic)
        aba_take_off_base(walk, i, b, true, rotors);
      else
        aba_take_off_base(walk, i, b, false, rotors);
      return i;
    }
    if (!wide)
      b = prismatic ? aba_add_to_parent(walk, i, b, true, rotors)
                    : aba_add_to_parent(walk, i, b, false, rotors);
    if (p == i - 1) continue;
    walk->fork[p].sum = both(walk->fork[p].sum, b);
    return i;
  }
}

// Tip to base: articulated bodies. Along a run what goes to the parent stays at hand.
INLINE void aba_inward(const Walk* walk, bool rotors)
{
  for (int i = walk->model->n - 1; i >= 0; --i) i = aba_limb(walk, i, rotors);
}

APART void inward_plain(const Walk* walk)
{
  aba_inward(walk, false);
}

APART void inward_rotors(const Walk* walk)
{
  aba_inward(walk, true);
}

// Acceleration of a joint, and of its link along the joint, from the link's other accelerations.
INLINE REAL accelerate_revolute(const ArticulatedBody* body, V3* wd, V3 a, bool rotors)
{
  V3 Gn = body->G.n, Gf = body->G.f;
  REAL rest = sub_mul(sub_mul(sub_mul(body->g, Gf.z, a.z), Gn.y, wd->y), Gn.x, wd->x);
  rest      = r_sub(rest, mul_add(Gf.x, a.x, r_mul(Gf.y, a.y)));
  REAL qdd  = rotors ? sub_mul(rest, Gn.z, wd->z) : r_sub(rest, wd->z);
  wd->z     = rotors ? r_add(wd->z, qdd) : rest;
  return qdd;
}

INLINE REAL accelerate_prismatic(const ArticulatedBody* body, V3 wd, V3* a, bool rotors)
{
  V3 Gn = body->G.n, Gf = body->G.f;
  REAL rest = sub_mul(sub_mul(sub_mul(body->g, Gn.z, wd.z), Gn.y, wd.y), Gn.x, wd.x);
  rest      = sub_mul(sub_mul(rest, Gf.y, a->y), Gf.x, a->x);
  REAL qdd  = rotors ? sub_mul(rest, Gf.z, a->z) : r_sub(rest, a->z);
  a->z      = rotors ? r_add(a->z, qdd) : rest;
  return qdd;
}

// A vector of the parent's frame in that where the joint stands on it.
INLINE V3 to_joint_frame(Joint j, V3 a)
{
  if (j.skew) a = turn_back_z(gamma_turn(j.link), a);
  return turn_back_x(alpha_turn(j.link), a);
}

// Acceleration of a joint; wd and a are those of its parent before, and of its link after.
INLINE REAL aba_accelerate(const ArticulatedBody* body, Joint j, bool prismatic, bool rotors,
                           V3* wd, V3* a)
{
  *a       = to_joint_frame(j, cross_span_add(j, *wd, *a));
  *wd      = to_joint_frame(j, *wd);
  REAL qdd = prismatic ? accelerate_prismatic(body, *wd, a, rotors)
                       : accelerate_revolute(body, wd, *a, rotors);
  *a       = turn_back_z(j.theta, cross_d_add(j, *wd, *a));
  *wd      = turn_back_z(j.theta, *wd);
  return qdd;
}

// aba_accelerate() for a joint that does not continue a run.
INLINE REAL aba_accelerate_after(const Walk* walk, int i, bool prismatic, bool rotors, V3* wd,
                                 V3* a)
{
  Joint j = joint_at(walk->model, i, walk->turns, walk->state->q);
  int p   = walk->model->parent[i];
  if (p == LW_BASE)
  {
    V3 along = v3(zero(), zero(), walk->body[i].g);
    *wd      = prismatic ? v3_zero() : along;
    *a       = prismatic ? along : v3_zero();
    return along.z;
  }
  if (p != i - 1)
  {
    *wd = walk->fork[p].wd;
    *a  = walk->fork[p].a;
  }
  return aba_accelerate(&walk->body[i], j, prismatic, rotors, wd, a);
}

// Accelerations of a wide joint; wd and a as in aba_accelerate().
INLINE void aba_accelerate_wide(const Walk* walk, const lwWideJoint* wide, V3* wd, V3* a,
                                Result* qdd)
{
  const ArticulatedBody* body = &walk->body[wide->first];
  int i = wide->first, p = walk->model->parent[i];
  V3 wd_p = *wd, a_p = *a;
  if (p != LW_BASE && p != i - 1)
  {
    wd_p = walk->fork[p].wd;
    a_p  = walk->fork[p].a;
  }
  if (p == LW_BASE)
    wd_p = a_p = v3_zero();
  else
  {
    Frame F = wide_frame(walk->model, wide, walk->turns);
    a_p     = rotate_back(F, cross_add(wd_p, F.p, a_p));
    wd_p    = rotate_back(F, wd_p);
  }
  M3 G = {body[0].G.f, body[0].G.n, body[1].G.f};
  *a   = wide->floats ? body->G.f : a_p;
  *wd  = wide->floats ? body->G.n : sub(body[1].G.n, m3_apply(G, a_p));
  store_wide(wide, (Wrench){sub(*a, a_p), sub(*wd, wd_p)}, qdd);
}

// Base to tip: accelerations.
INLINE void outward_accelerations(const Walk* walk, bool rotors, Result* qdd)
{
  const lwModel* model = walk->model;
  V3 wd = v3_zero(), a = v3_zero();
  for (int i = 0; i < model->n;)
  {
    if (is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      aba_accelerate_wide(walk, wide, &wd, &a, qdd);
      i = wide->last;
    }
    else
      qdd[i] = is_prismatic(model, i) ? aba_accelerate_after(walk, i, true, rotors, &wd, &a)
                                      : aba_accelerate_after(walk, i, false, rotors, &wd, &a);
    if (is_fork(model, i))
    {
      walk->fork[i].wd = wd;
      walk->fork[i].a  = a;
    }
    while (++i < model->n && continues_plainly(model, i))
    {
      Joint j = joint_in_run(model, i, walk->turns);
      qdd[i]  = aba_accelerate(&walk->body[i], j, false, rotors, &wd, &a);
    }
  }
}

static void articulated_body(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n         = (size_t)model->n;
  const Input none = zero();
  Walk walk        = {.model = model, .state = state};
  walk.qd          = maybe_input(state->qd, &none);
  walk.tau         = maybe_input(state->tau, &none);
  walk.tool        = state->wrench ? model->tool : LW_BASE;
  walk.turns       = take(&work, n * sizeof *walk.turns);
  walk.body        = take(&work, n * sizeof *walk.body);
  walk.fork        = work;

  joint_turns(model, state->q, walk.turns);
  outward_bias(&walk);
  if (state->rotors || model->ball_count > 0)
  {
    inward_rotors(&walk);
    outward_accelerations(&walk, true, out);
  }
  else
  {
    inward_plain(&walk);
    outward_accelerations(&walk, false, out);
  }
}

const lwKernel FN(articulated_body) = {articulated_body,
                                       sizeof(Turn) + sizeof(ArticulatedBody) + sizeof(Fork),
                                       0,
                                       {0},
                                       LW_KERNEL_WIDE};
