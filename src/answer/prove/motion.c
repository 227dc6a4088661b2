// SPDX-License-Identifier: MIT
// Identities about poses, velocities, energies and forces. Derivatives are exact: q moves with qd,
// and qd with qdd.
#include "answer/prove/prover.h"

// The part of a joint's reaction along its axis is the torque of its drive, the wrench included.
static void prove_reactions(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd, .wrench = prover->wrench};
  run_kernel(prover, LW_KERNEL_reactions, &state, prover->reactions, 6 * prover->arm.robot.count);
  for (int i = 0; i < n; ++i)
  {
    const Member* member = &prover->members[prover->arm.joint[i]];
    if (!carries_link(&prover->arm, i))  // a joint within another, which transmits the same
    {
      prover->left[i] = prover->tau[i];
      continue;
    }
    const REAL* r   = prover->reactions + 6 * prover->arm.joint[i];
    M3 R            = known_matrix(member->rotation);
    V3 f            = m3_apply(R, v3(r[0], r[1], r[2]));
    V3 moment       = m3_apply(R, v3(r[3], r[4], r[5]));
    moment          = cross_add(known_vector(member->position), f, moment);
    prover->left[i] = is_prismatic(&prover->arm, i) ? f.z : moment.z;
    if (!is_wide(&prover->arm, i)) continue;
    const lwWideJoint* wide = wide_joint(&prover->arm, i);
    wide_entries(wide, (Wrench){f, moment}, prover->left + wide->first);
  }
  prove_same(prover, "reactions", "along the joints", "newton-euler", n, prover->left, prover->tau);
}

// d(T + V)/dt = tau . qd
static void prove_power(Prover* prover)
{
  lwState state = {.q = prover->q, .qd = prover->qd};
  REAL power    = zero();
  set_slopes(prover, prover->q, prover->qd);
  set_slopes(prover, prover->qd, prover->qdd);
  run_kernel(prover, LW_KERNEL_energy, &state, prover->energy, 2);
  set_slopes(prover, prover->q, NULL);
  set_slopes(prover, prover->qd, NULL);
  REAL total = r_add(prover->energy[0], prover->energy[1]);
  for (int i = 0; i < prover->arm.n; ++i)
    power = mul_add(prover->free_tau[i], prover->qd[i], power);
  prove_slope(prover, "energy", "d(T + V)/dt", "tau . qd", 1, &total, &power);
}

// At qdd = 0, dT/dt = c . qd: the velocity torques c change the kinetic energy alone.
static void prove_coriolis(Prover* prover)
{
  int n         = prover->arm.n;
  REAL power    = zero();
  lwState state = {.q = prover->q, .qd = prover->qd, .weightless = true};
  run_kernel(prover, LW_KERNEL_newton_euler, &state, prover->left, n);
  for (int i = 0; i < n; ++i) power = mul_add(prover->left[i], prover->qd[i], power);
  set_slopes(prover, prover->q, prover->qd);
  run_kernel(prover, LW_KERNEL_energy, &state, prover->energy, 2);
  set_slopes(prover, prover->q, NULL);
  prove_slope(prover, "coriolis", "dT/dt at qdd = 0", "coriolis . qd", 1, prover->energy, &power);

  state = (lwState){.q = prover->q};
  run_kernel(prover, LW_KERNEL_gravity, &state, prover->right, n);
  for (int i = 0; i < n; ++i) prover->left[i] = r_add(prover->left[i], prover->right[i]);
  prove_same(prover, "bias", "coriolis + gravity", "newton-euler", n, prover->left, prover->bias);
}

// R R^T = 1
static void prove_pose(Prover* prover)
{
  const REAL* R = prover->pose + 3;
  REAL product[9], unit[9];
  for (int k = 0; k < 9; ++k)
  {
    product[k] = dot(known_vector(R + k / 3 * 3), known_vector(R + k % 3 * 3));
    unit[k]    = constant(k % 4 == 0);
  }
  prove_same(prover, "pose", "R R^T", "1", 9, product, unit);
}

// A (6, n) times qd
static void along_velocity(const Prover* prover, const REAL* A, REAL w[6])
{
  int n = prover->arm.n;
  for (int i = 0; i < 6; ++i)
  {
    w[i] = zero();
    for (int k = 0; k < n; ++k) w[i] = mul_add(A[i * n + k], prover->qd[k], w[i]);
  }
}

// d(p, R)/dt of a frame that moves with velocity v and angular velocity w: v, and w x R.
static void pose_rate(const REAL pose[12], const REAL velocity[6], REAL rate[12])
{
  const REAL* R = pose + 3;
  V3 w          = known_vector(velocity + 3);
  for (int k = 0; k < 3; ++k)
  {
    V3 turned   = cross(w, v3(R[k], R[3 + k], R[6 + k]));
    rate[k]     = velocity[k];
    rate[3 + k] = turned.x, rate[6 + k] = turned.y, rate[9 + k] = turned.z;
  }
}

// dp/dt = J_v qd
static void prove_jacobian(Prover* prover)
{
  lwState state = {.q = prover->q, .view = &prover->view};
  set_slopes(prover, prover->q, prover->qd);
  run_kernel(prover, LW_KERNEL_pose, &state, prover->pose, 12);
  set_slopes(prover, prover->q, NULL);
  REAL w[6], rate[12];
  along_velocity(prover, prover->J, w);
  pose_rate(prover->pose, w, rate);
  prove_slope(prover, "jacobian", "dp/dt", "J_v qd", 3, prover->pose, rate);
  prove_slope(prover, "jacobian", "dR/dt", "(J_w qd) x R", 9, prover->pose + 3, rate + 3);
}

// The velocity is J qd, and the other half d(J qd)/dt where qd stays.
static void prove_jacobian_rate(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q, .qd = prover->qd, .view = &prover->view};
  REAL found[12], w[6];
  run_kernel(prover, LW_KERNEL_jacobian_rate, &state, found, 12);
  along_velocity(prover, prover->J, w);
  prove_same(prover, "jacobian-rate", "velocity", "J qd", 6, found, w);
  set_slopes(prover, prover->q, prover->qd);
  run_kernel(prover, LW_KERNEL_jacobian, &state, prover->left, 6 * n);
  set_slopes(prover, prover->q, NULL);
  along_velocity(prover, prover->left, w);
  prove_slope(prover, "jacobian-rate", "(dJ/dt) qd", "by kernel", 6, w, found + 6);
}

// Every part of control by the kernel of its own.
static void prove_control(Prover* prover)
{
  int n = prover->arm.n, count = n * n + 8 * n + 18;
  REAL *found = prover->controls, *expected = found + count, rate[12];
  lwState state = {.q = prover->q, .qd = prover->qd, .view = &prover->view};
  run_kernel(prover, LW_KERNEL_control, &state, found, count);
  run_kernel(prover, LW_KERNEL_newton_euler, &state, expected, n);
  run_kernel(prover, LW_KERNEL_gravity, &state, expected + n, n);
  run_kernel(prover, LW_KERNEL_jacobian_rate, &state, rate, 12);
  for (int k = 0; k < 6; ++k) expected[2 * n + k] = rate[6 + k];
  run_kernel(prover, LW_KERNEL_pose, &state, expected + 2 * n + 6, 12);
  run_kernel(prover, LW_KERNEL_jacobian, &state, expected + 2 * n + 18, 6 * n);
  run_kernel(prover, LW_KERNEL_composite_body, &state, expected + 8 * n + 18, n * n);
  prove_same(prover, "control", "all parts", "questions of their own", count, found, expected);
}

// The pose of link l, by the kernel of one pose.
static void find_link_pose(Prover* prover, lwState state, int l, REAL pose[12])
{
  View place  = {.rotation = {zero()}};
  lwView view = {.carrier = prover->arm.carrier[l], .own = &place};
  for (int k = 0; k < 9; ++k) place.rotation[k] = prover->members[l].rotation[k];
  for (int k = 0; k < 3; ++k) place.position[k] = prover->members[l].position[k];
  state.view = &view;
  run_kernel(prover, LW_KERNEL_pose, &state, pose, 12);
}

// Poses, velocities and accelerations of links, each the rate of the one before.
static void prove_links(Prover* prover)
{
  int count     = prover->arm.robot.count;
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd};
  REAL *poses = prover->links_moved, *rates = poses + 12 * count;
  REAL *velocities = rates + 12 * count, *accelerations = velocities + 6 * count;
  run_kernel(prover, LW_KERNEL_accelerations, &state, accelerations, 6 * count);
  set_slopes(prover, prover->q, prover->qd);
  set_slopes(prover, prover->qd, prover->qdd);
  run_kernel(prover, LW_KERNEL_poses, &state, poses, 12 * count);
  run_kernel(prover, LW_KERNEL_velocities, &state, velocities, 6 * count);
  set_slopes(prover, prover->q, NULL);
  set_slopes(prover, prover->qd, NULL);
  for (int l = 0; l < count; ++l) find_link_pose(prover, state, l, rates + 12 * l);
  prove_same(prover, "poses", "of all links", "pose", 12 * count, poses, rates);
  for (int l = 0; l < count; ++l) pose_rate(poses + 12 * l, velocities + 6 * l, rates + 12 * l);
  prove_slope(prover, "velocities", "d poses/dt", "v, w x R", 12 * count, poses, rates);
  prove_slope(prover, "accelerations", "d velocities/dt", "by kernel", 6 * count, velocities,
              accelerations);
}

// Gravity torques: those of the kernel of its own, of Newton-Euler at rest, and dV/dq.
static void prove_gravity(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q};
  run_kernel(prover, LW_KERNEL_newton_euler, &state, prover->right, n);
  run_kernel(prover, LW_KERNEL_gravity, &state, prover->left, n);
  prove_same(prover, "gravity", "outboard moments", "newton-euler", n, prover->left, prover->right);
  for (int k = 0; k < n; ++k)
  {
    set_unit_slope(prover, prover->q, k);
    run_kernel(prover, LW_KERNEL_energy, &state, prover->energy, 2);
    prover->left[k] = prover->energy[1];
  }
  set_slopes(prover, prover->q, NULL);
  prove_slope(prover, "gravity", "dV/dq", "newton-euler", n, prover->left, prover->right);
}

// --- momentum

// Of the state that moves; found: (15)
static void find_moving_momentum(Prover* prover, REAL* found)
{
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd};
  set_slopes(prover, prover->q, prover->qd);
  set_slopes(prover, prover->qd, prover->qdd);
  run_kernel(prover, LW_KERNEL_centroidal, &state, found, 15);
  set_slopes(prover, prover->q, NULL);
  set_slopes(prover, prover->qd, NULL);
}

static REAL whole_mass(const Prover* prover)
{
  REAL mass = zero();
  for (int j = 0; j < prover->arm.robot.count; ++j) mass = r_add(mass, prover->members[j].mass);
  return mass;
}

// At rest all links accelerate by -g: twice Gibbs' function is m g.g, also of links fixed to the
// base, on which its derivatives do not depend.
static void prove_gibbs_at_rest(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q};
  V3 g          = known_vector(prover->ends->gravity);
  REAL weight   = r_mul(whole_mass(prover), dot(g, g));
  run_kernel(prover, LW_KERNEL_gibbs, &state, prover->gibbs, 1 + n * n);
  REAL twice = r_add(prover->gibbs[0], prover->gibbs[0]);
  prove_same(prover, "gibbs", "2 G at rest", "m g.g", 1, &twice, &weight);
}

// Adds a wrench at p to the net force and moment about c.
static void add_at(V3 c, V3 p, V3 f, V3 n, REAL net[6])
{
  V3 moment         = cross_add(sub(p, c), f, n);
  const REAL more[] = {f.x, f.y, f.z, moment.x, moment.y, moment.z};
  for (int k = 0; k < 6; ++k) net[k] = r_add(net[k], more[k]);
}

// What the base exerts on the links that it carries, by the reactions of their joints.
static void add_support(Prover* prover, V3 c, REAL net[6])
{
  const lwModel* arm = &prover->arm;
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd, .wrench = prover->wrench};
  state.base_axes = true;
  run_kernel(prover, LW_KERNEL_reactions, &state, prover->reactions, 6 * arm->robot.count);
  for (int j = 0; j < arm->robot.count; ++j)
  {
    if (arm->robot.joints[j].parent != LW_BASE) continue;
    REAL pose[12];
    find_link_pose(prover, state, j, pose);
    const REAL* r = prover->reactions + 6 * j;
    add_at(c, known_vector(pose), known_vector(r), known_vector(r + 3), net);
  }
}

// Gravity at the centre of mass, the environment on the last link, and the base.
static void find_net_force(Prover* prover, V3 c, REAL net[6])
{
  const REAL* w = prover->wrench;
  M3 base = known_matrix(prover->ends->base_rotation), R = known_matrix(prover->pose + 3);
  V3 weight = scale(whole_mass(prover), m3_apply(base, known_vector(prover->ends->gravity)));
  for (int k = 0; k < 6; ++k) net[k] = zero();
  add_at(c, c, weight, v3_zero(), net);
  add_at(c, known_vector(prover->pose), m3_apply(R, known_vector(w)),
         m3_apply(R, known_vector(w + 3)), net);
  add_support(prover, c, net);
}

// p = m dc/dt; the rates are those of the momentum, and the net force and moment about c.
static void prove_centroidal(Prover* prover)
{
  REAL found[15], moved[3], net[6];
  find_moving_momentum(prover, found);
  REAL mass = whole_mass(prover);
  for (int k = 0; k < 3; ++k) moved[k] = r_mul(mass, found[k]);
  prove_slope(prover, "centroidal", "m dc/dt", "linear momentum", 3, moved, found + 3);
  prove_slope(prover, "centroidal", "d(p, k)/dt", "its rate", 6, found + 3, found + 9);
  find_net_force(prover, known_vector(found), net);
  prove_same(prover, "centroidal", "rate of momentum", "net force and moment", 6, found + 9, net);
}

void lw_prove_motion(Prover* prover)
{
  prove_pose(prover);
  prove_jacobian(prover);
  prove_jacobian_rate(prover);
  prove_control(prover);
  prove_links(prover);
  prove_gravity(prover);
  prove_coriolis(prover);
  prove_power(prover);
  prove_reactions(prover);
  prove_centroidal(prover);
  prove_gibbs_at_rest(prover);
}
