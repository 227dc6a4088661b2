// SPDX-License-Identifier: MIT
// What a controller asks for in every cycle, from one outward and one inward pass: bias and gravity
// torques, dJ/dt qd, pose and Jacobian of a frame that a link carries, and the inertia matrix.
// O(n^2) for a chain.
//
// Everything is seen from the ground frame (kernels/derivatives/ground.h), where
//   M_ij = S_j . I_i S_i               of composite bodies, Walker & Orin 1982, method 3
//   c_i  = S_i . sum of the net wrenches of the links outward, at qdd = 0 and without weight
//   g_i  = -S_i . (h x g, m g)         of composite bodies;  b = c + g
//   J_i  = (v + w x p, w)              of S_i = (w, v), p being the origin of the frame
// Symbols are those of coriolis_matrix.c. In one frame, M is rounded to eps m L^2, L being the reach
// of the robot and m its mass: kernels/inertia/composite_body.c is more accurate for small links at
// the end of a long arm.
#include "kernels/derivatives/composites.h"
#include "kernels/motion/link_frames.h"

// Numbers of a joint, after those of composites.h.
enum
{
  AT_NET  = AT_BODY + 9,  // net wrench n, f, which is summed with the body
  AT_A    = AT_NET + 6,   // acceleration of the link
  SIZE    = AT_A + 6,
  AT_ROW  = 0,  // I S
  AT_BIAS = 6,
  AT_PULL = 7  // gravity torque
};

// Where the parts of the answer are, in the order of the table of questions.
typedef struct
{
  REAL *b, *g;  // (n)
  REAL* rate;   // (6) dJ/dt qd
  REAL* pose;   // (12)
  REAL* J;      // (6, n)
  REAL* M;      // (n, n)
} ControlParts;

INLINE ControlParts control_parts(size_t n, REAL* out)
{
  ControlParts to = {.b = out, .g = out + n, .rate = out + 2 * n};
  to.pose         = to.rate + 6;
  to.J            = to.pose + 12;
  to.M            = to.J + 6 * n;
  return to;
}

// A link by itself: its body and its net wrench.
INLINE void put_moving_body(REAL* joint)
{
  Solid body = solid_at(get_link(joint), get_frame(joint, AT_FRAME));
  Wrench net = net_wrench_solid(body, get_twist(joint, AT_V), get_twist(joint, AT_A));
  put3(joint, AT_BODY, body.h);
  put_symmetric(joint, AT_BODY + 3, body.P);
  put_twist(joint, AT_NET, (Twist){net.n, net.f});
}

// I S, and the torques of freedom i.
INLINE void meet_composite(REAL* joint, V3 gravity)
{
  Twist S = get_twist(joint, AT_S), net = get_twist(joint, AT_NET);
  Solid body = get_composite(joint);
  Wrench I_S = inertia_of(body, S);
  V3 moment  = cross(body.h, gravity);
  REAL pull  = r_neg(dot_add(S.w, moment, r_mul(body.mass, dot(S.v, gravity))));
  put_twist(joint, AT_ROW, (Twist){I_S.n, I_S.f});
  joint[AT_BIAS * JOINT_LANES] = r_add(dot6(S, net), pull);
  joint[AT_PULL * JOINT_LANES] = pull;
}

// Row i of M for a chain: both triangles, whose entries are the same products.
INLINE void inertia_row(const REAL* joints, int n, int i, REAL* to, size_t next)
{
  (void)next;
  const REAL* joint = in_known_block(joints, SIZE, i);
  Twist row = get_twist(joint, AT_ROW), S = get_twist(joint, AT_S);
  REAL entry[JOINT_LANES];
  for (int first = block_start(i + 1); first < n; first += JOINT_LANES)
  {
    const REAL* block           = in_known_block(joints, SIZE, first);
    EACH_JOINT_LANE(k) entry[k] = dot6(S, get_twist(block + k, AT_ROW));
    put_some(to + first, entry, JOINT_LANES);
  }
  for (int first = 0; first <= i; first += JOINT_LANES)
  {
    const REAL* block           = in_known_block(joints, SIZE, first);
    EACH_JOINT_LANE(k) entry[k] = dot6(get_twist(block + k, AT_S), row);
    put_some(to + first, entry, i + 1 - first);
  }
}

// M of a tree, entry by entry.
INLINE void inertia_of_tree(const lwModel* model, const REAL* joints, REAL* M)
{
  size_t n = (size_t)model->n;
  for (size_t k = 0; k < n * n; ++k) M[k] = zero();
  for (int i = 0; i < model->n; ++i)
  {
    Twist row = get_twist(in_known_block(joints, SIZE, i), AT_ROW);
    for (int j = i; j != LW_BASE; j = model->parent[j])
      M[(size_t)i * n + (size_t)j] = M[(size_t)j * n + (size_t)i] =
          dot6(get_twist(in_known_block(joints, SIZE, j), AT_S), row);
  }
}

// The column of freedom i in base axes: velocity at p, angular velocity.
INLINE void put_jacobian_column(const Frame* base, V3 p, const REAL* joint, REAL column[6])
{
  Twist S     = get_twist(joint, AT_S);
  V3 v        = rotate(*base, cross_add(S.w, p, S.v));
  V3 w        = rotate(*base, S.w);
  REAL all[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
  for (int r = 0; r < 6; ++r) column[r * JOINT_LANES] = all[r];
}

// Columns of a chain, up to that of the carrier.
INLINE void jacobian_of_chain(const Frame* base, V3 p, const REAL* joints, int carrier, int n,
                              REAL* J)
{
  REAL column[6 * JOINT_LANES];
  for (int first = 0; first <= carrier; first += JOINT_LANES)
  {
    const REAL* block = in_known_block(joints, SIZE, first);
    EACH_JOINT_LANE(k) put_jacobian_column(base, p, block + k, column + k);
    for (int r = 0; r < 6; ++r)
      put_some(J + r * n + first, column + r * JOINT_LANES, carrier + 1 - first);
  }
}

// Jacobian of a tree: columns of the joints between the base and the carrier.
INLINE void jacobian_of_tree(const lwModel* model, const Frame* base, V3 p, const REAL* joints,
                             int carrier, REAL* J)
{
  REAL column[6 * JOINT_LANES];
  for (int i = carrier; i != LW_BASE; i = model->parent[i])
  {
    put_jacobian_column(base, p, in_known_block(joints, SIZE, i), column);
    for (int r = 0; r < 6; ++r) J[r * model->n + i] = column[r * JOINT_LANES];
  }
}

// Pose, Jacobian and its rate, of the frame that is asked about.
INLINE void put_seen(const lwModel* model, const lwState* state, const REAL* joints,
                     ControlParts to)
{
  const Ends* ends = ENDS(model);
  Frame base       = known_frame(ends->base_rotation, ends->base_position);
  Frame seen       = known_frame(VIEW(state->view)->rotation, VIEW(state->view)->position);
  int carrier      = state->view->carrier;
  for (int k = 0; k < 6 * model->n; ++k) to.J[k] = zero();
  for (int k = 0; k < 6; ++k) to.rate[k] = zero();
  if (carrier != LW_BASE)
  {
    const REAL* joint = in_known_block(joints, SIZE, carrier);
    Twist V = get_twist(joint, AT_V), A = get_twist(joint, AT_A);
    Frame F = compose(get_frame(joint, AT_FRAME), seen);
    V3 v    = cross_add(V.w, F.p, V.v);
    V3 a    = cross_add(V.w, v, cross_add(A.w, F.p, A.v));
    wrench_store(to.rate, (Wrench){rotate(base, a), rotate(base, A.w)});
    if (model->chain)
      jacobian_of_chain(&base, F.p, joints, carrier, model->n, to.J);
    else
      jacobian_of_tree(model, &base, F.p, joints, carrier, to.J);
    seen = compose(base, F);
  }
  pose_store(to.pose, seen);
}

static void control(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n            = model->n;
  size_t end       = (size_t)block_end(n);
  ControlParts to  = control_parts((size_t)n, out);
  REAL* joints     = take(&work, end * SIZE * sizeof *joints);
  REAL* spare      = take(&work, end * sizeof *spare);
  Turn* turns      = work;
  V3 gravity       = gravity_of(model, state);
  lwState moves    = *state;
  moves.qdd        = model->ball_count > 0 ? state->qdd : NULL;  // as in jacobian_rate.c
  moves.weightless = true;

  joint_turns(model, state->q, turns);
  ground_outward(model, &moves, turns, joints, SIZE, AT_A);
  put_seen(model, state, joints, to);
  for (int first = 0; first < n; first += JOINT_LANES)
    EACH_JOINT_LANE(k) put_moving_body(joints + first * SIZE + k);
  gather_inward(model, joints, SIZE, AT_BODY, AT_A - AT_BODY);
  for (int first = 0; first < n; first += JOINT_LANES)
  {
    REAL* block = joints + first * SIZE;
    EACH_JOINT_LANE(k) meet_composite(block + k, gravity);
    put_some(to.b + first, block + AT_BIAS * JOINT_LANES, n - first);
    put_some(to.g + first, block + AT_PULL * JOINT_LANES, n - first);
  }
  if (model->chain)
    rows_of_chain(joints, n, spare, inertia_row, 1, to.M);
  else
    inertia_of_tree(model, joints, to.M);
}

const lwKernel FN(control) = {
    control, sizeof(Turn) + (SIZE + 1) * sizeof(REAL), 0, {0}, LW_KERNEL_NARROW | LW_KERNEL_WIDE};
