// SPDX-License-Identifier: MIT
// Formulations of arm dynamics proven equal. A point replaces the robot's numbers and its state by
// random elements of the field of integers modulo 2^61 - 1 (math/real_prime.h); every method is
// then evaluated exactly by its own kernel.
//
//   structure of the model --random constants--> links, ends
//     --kernels--> answers of all methods --compare--> lwProof
#define LW_SCALAR_prime
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "answer/prove.h"

#include <string.h>

#include "answer/variants.h"
#include "kernels/joints.h"
#include "kernels/registry.h"
#include "model/derived.h"

// A robot and a state at one point, and room for answers.
typedef struct Prover
{
  lwProof* proof;
  lwModel arm;  // the model's structure with links and ends of the field
  Link* links;
  Ends* ends;
  Member* members;
  View tool;
  lwView view;
  REAL *q, *qd, *qdd;  // (n)
  REAL wrench[6];
  REAL *tau, *free_tau, *bias;  // (n) newton-euler with the wrench, without, and with qdd = 0
  REAL *M, *J;                  // (n, n), (6, n)
  REAL pose[12], energy[2];
  REAL *left, *right;  // (n, n) or (6, n)
  REAL* reactions;     // (joints of the description, 6)
  REAL* gibbs;         // (1 + n n)
  void* work;
} Prover;

// --- random robots and states

static Turn random_turn(lwRandom* random)
{
  Turn turn;
  r_sincos(lw_prime_random(random), &turn.s, &turn.c);
  return turn;
}

// Rz Ry' Rx by three random angles, row by row: any rotation.
static void random_rotation(lwRandom* random, REAL rotation[9])
{
  Turn a = random_turn(random), b = random_turn(random), c = random_turn(random);
  for (int k = 0; k < 3; ++k)
  {
    V3 axis     = v3(constant(k == 0), constant(k == 1), constant(k == 2));
    V3 x        = turn_z(a, turn_x(b, turn_z(c, axis)));
    rotation[k] = x.x, rotation[3 + k] = x.y, rotation[6 + k] = x.z;
  }
}

// A joint that is not skew keeps gamma = 0 and a span along x, as its kernels take for granted.
static void random_place(lwRandom* random, bool skew, Link* link)
{
  Turn gamma = {constant(1), zero()}, alpha = random_turn(random), theta = random_turn(random);
  if (skew) gamma = random_turn(random);
  lw_proof_random_values(random, link->span, skew ? 3 : 1);
  link->cos_gamma = gamma.c, link->sin_gamma = gamma.s;
  link->cos_alpha = alpha.c, link->sin_alpha = alpha.s;
  link->cos_theta = theta.c, link->sin_theta = theta.s;
  link->d = lw_prime_random(random);
}

// The link of the description rides on the last of the joints that stand for its own.
static bool carries_link(const lwModel* model, int i)
{
  return model->carrier[model->joint[i]] == i;
}

// within: between the joints that stand for one of the description, where there is nothing.
static void random_link(lwRandom* random, unsigned char kind, bool within, Link* link)
{
  *link = (Link){.mass = zero()};
  random_place(random, kind & LW_KIND_SKEW, link);
  if (!(kind & LW_KIND_MASSLESS))
  {
    link->mass = lw_prime_random(random);
    lw_proof_random_values(random, link->first_moment, 3);
  }
  if (!within) lw_proof_random_values(random, link->inertia, 6);
  link->rotor = lw_prime_random(random);
}

static void random_ends(lwRandom* random, Ends* ends)
{
  lw_proof_random_values(random, ends->gravity, 3);
  random_rotation(random, ends->base_rotation);
  lw_proof_random_values(random, ends->base_position, 3);
  random_rotation(random, ends->tool_rotation);
  lw_proof_random_values(random, ends->tool_position, 3);
  ends->potential = lw_prime_random(random);
}

// Links of the description: that of a moving joint has all of its body, those on fixed joints
// nothing. Their origins are random; their axes are those of the body, except for the last link, so
// that no further angles raise the degree.
static void random_members(lwRandom* random, Prover* prover)
{
  for (int j = 0; j < prover->arm.robot.count; ++j)
  {
    Member* member = &prover->members[j];
    *member        = (Member){.mass = zero()};
    for (int k = 0; k < 9; ++k) member->rotation[k] = constant(k % 4 == 0);
    lw_proof_random_values(random, member->position, 3);
  }
  for (int i = 0; i < prover->arm.n; ++i)
  {
    const Link* link = &prover->links[i];
    Member* member   = &prover->members[prover->arm.joint[i]];
    member->mass     = link->mass;
    memcpy(member->first_moment, link->first_moment, sizeof member->first_moment);
    memcpy(member->pseudo, link->pseudo, sizeof member->pseudo);
  }
  Member* last = &prover->members[prover->arm.robot.count - 1];
  memcpy(last->rotation, prover->ends->tool_rotation, sizeof last->rotation);
  memcpy(last->position, prover->ends->tool_position, sizeof last->position);
}

static void choose_point(Prover* prover, int point)
{
  int n           = prover->arm.n;
  lwRandom random = lw_proof_random(prover->proof, point);
  for (int i = 0; i < n; ++i)
    random_link(&random, prover->arm.kind[i], !carries_link(&prover->arm, i), &prover->links[i]);
  derive_links(&prover->arm, prover->links);
  random_ends(&random, prover->ends);
  memcpy(prover->tool.rotation, prover->ends->tool_rotation, sizeof prover->tool.rotation);
  memcpy(prover->tool.position, prover->ends->tool_position, sizeof prover->tool.position);
  lw_proof_random_values(&random, prover->q, n);
  lw_proof_random_values(&random, prover->qd, n);
  lw_proof_random_values(&random, prover->qdd, n);
  for (int i = 0; i < n; ++i)
    if (is_held(&prover->arm, i)) prover->qd[i] = prover->qdd[i] = zero();
  lw_proof_random_values(&random, prover->wrench, 6);
  random_members(&random, prover);
}

// --- kernels

static void run_kernel(Prover* prover, int kernel, const lwState* state, REAL* out, int count)
{
  lw_prime_restart();
  lw_prime_variant()->kernels[kernel]->run(&prover->arm, prover->work, state, out);
  lw_prime_settle(out, (size_t)count);
}

static void find_torques(Prover* prover, const REAL* qdd, const REAL* wrench, REAL* tau)
{
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = qdd, .wrench = wrench};
  run_kernel(prover, LW_KERNEL_newton_euler, &state, tau, prover->arm.n);
}

static void find_references(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q, .qd = prover->qd, .view = &prover->view};
  find_torques(prover, prover->qdd, prover->wrench, prover->tau);
  find_torques(prover, prover->qdd, NULL, prover->free_tau);
  find_torques(prover, NULL, NULL, prover->bias);
  run_kernel(prover, LW_KERNEL_composite_body, &state, prover->M, n * n);
  run_kernel(prover, LW_KERNEL_pose, &state, prover->pose, 12);
  run_kernel(prover, LW_KERNEL_jacobian, &state, prover->J, 6 * n);
}

// --- identities

static void prove_inverse(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd, .wrench = prover->wrench};
  for (int i = 0; i < LW_METHOD_COUNT; ++i)
  {
    const lwMethod* method = lw_method(i);
    if (method->question != LW_QUESTION_INVERSE || i == LW_KERNEL_newton_euler) continue;
    run_kernel(prover, i, &state, prover->left, n);
    lw_proof_compare(prover->proof, "inverse", method->name, "newton-euler", n, prover->left,
                     prover->tau);
  }
}

static void prove_inertia(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q};
  for (int i = 0; i < LW_METHOD_COUNT; ++i)
  {
    const lwMethod* method = lw_method(i);
    if (method->question != LW_QUESTION_INERTIA || i == LW_KERNEL_composite_body) continue;
    run_kernel(prover, i, &state, prover->left, n * n);
    lw_proof_compare(prover->proof, "inertia", method->name, "composite-body", n * n, prover->left,
                     prover->M);
  }
}

static void prove_symmetry(Prover* prover)
{
  int n = prover->arm.n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) prover->left[i * n + k] = prover->M[k * n + i];
  lw_proof_compare(prover->proof, "inertia", "M", "M^T", n * n, prover->M, prover->left);
}

// tau = M qdd + bias
static void prove_split(Prover* prover)
{
  int n = prover->arm.n;
  for (int i = 0; i < n; ++i)
  {
    prover->left[i] = prover->bias[i];
    for (int k = 0; k < n; ++k)
      prover->left[i] = mul_add(prover->M[i * n + k], prover->qdd[k], prover->left[i]);
  }
  lw_proof_compare(prover->proof, "inverse", "M qdd + bias", "newton-euler", n, prover->left,
                   prover->free_tau);
}

// Forward dynamics of the torques of inverse dynamics gives the accelerations back,
// without and with rotors.
static void prove_forward(Prover* prover)
{
  int n = prover->arm.n;
  for (int i = 0; i < n; ++i)
    prover->right[i] = mul_add(prover->links[i].rotor, prover->qdd[i], prover->tau[i]);
  lwState state  = {.q = prover->q, .qd = prover->qd, .tau = prover->tau, .wrench = prover->wrench};
  lwState driven = state;
  driven.tau     = prover->right;
  driven.rotors  = true;
  for (int i = 0; i < LW_METHOD_COUNT; ++i)
  {
    const lwMethod* method = lw_method(i);
    if (method->question != LW_QUESTION_FORWARD) continue;
    run_kernel(prover, i, &state, prover->left, n);
    lw_proof_compare(prover->proof, "forward", method->name, "qdd of inverse", n, prover->left,
                     prover->qdd);
    run_kernel(prover, i, &driven, prover->left, n);
    lw_proof_compare(prover->proof, "forward, rotors", method->name, "qdd of inverse", n,
                     prover->left, prover->qdd);
  }
}

// tau without the wrench - tau with it = J^T (R f, R n)
static void prove_wrench(Prover* prover)
{
  int n         = prover->arm.n;
  const REAL* R = prover->pose + 3;
  REAL base[6];
  for (int i = 0; i < 6; ++i)
  {
    const REAL* row = R + 3 * (i % 3);
    const REAL* w   = prover->wrench + i / 3 * 3;
    base[i]         = mul_add(row[0], w[0], mul_add(row[1], w[1], r_mul(row[2], w[2])));
  }
  for (int k = 0; k < n; ++k)
  {
    prover->left[k] = zero();
    for (int i = 0; i < 6; ++i)
      prover->left[k] = mul_add(prover->J[i * n + k], base[i], prover->left[k]);
    prover->right[k] = r_sub(prover->free_tau[k], prover->tau[k]);
  }
  lw_proof_compare(prover->proof, "wrench", "J^T w", "newton-euler", n, prover->left,
                   prover->right);
}

// Torques of a wrench on the last link, by the pass that takes wrenches on any link, equal J^T w:
// in the link's axes and in the base's.
static void prove_pushes(Prover* prover)
{
  int n         = prover->arm.n;
  const REAL* R = prover->pose + 3;
  lwPush push   = {prover->arm.robot.count - 1, false, prover->view};
  lwState state = {.q = prover->q, .wrench = prover->wrench, .pushes = &push, .push_count = 1};
  state.tau     = prover->tau;
  run_kernel(prover, LW_KERNEL_pushed_torques, &state, prover->left, n);
  lw_proof_compare(prover->proof, "wrench", "newton-euler + J^T w", "newton-euler without", n,
                   prover->left, prover->free_tau);
  REAL base[6];
  for (int i = 0; i < 6; ++i)
  {
    const REAL* row = R + 3 * (i % 3);
    const REAL* w   = prover->wrench + i / 3 * 3;
    base[i]         = mul_add(row[0], w[0], mul_add(row[1], w[1], r_mul(row[2], w[2])));
  }
  push.base_axes = true;
  state.subtract = true;
  state.tau      = prover->free_tau;
  state.wrench   = base;
  run_kernel(prover, LW_KERNEL_pushed_torques, &state, prover->left, n);
  lw_proof_compare(prover->proof, "wrench", "newton-euler - J^T w", "newton-euler, base axes", n,
                   prover->left, prover->tau);
}

// Gibbs' function: its Hessian is M, its gradient along any accelerations e,
// here by its derivative, is tau.
static void prove_gibbs(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd};
  run_kernel(prover, LW_KERNEL_gibbs, &state, prover->gibbs, 1 + n * n);
  lw_proof_compare(prover->proof, "gibbs", "d2G/dqdd dqdd", "composite-body", n * n,
                   prover->gibbs + 1, prover->M);
  for (int k = 0; k < n; ++k)
  {
    prover->qdd[k].slope = 1;
    run_kernel(prover, LW_KERNEL_gibbs, &state, prover->gibbs, 1 + n * n);
    prover->qdd[k].slope = 0;
    prover->left[k]      = prover->gibbs[0];
  }
  lw_proof_compare_slope(prover->proof, "gibbs", "dG/dqdd", "newton-euler", n, prover->left,
                         prover->free_tau);
}

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
  }
  lw_proof_compare(prover->proof, "reactions", "along the joints", "newton-euler", n, prover->left,
                   prover->tau);
}

// --- identities with derivatives: q moves with qd, and qd with qdd

static void set_slopes(const Prover* prover, REAL* values, const REAL* rates)
{
  for (int i = 0; i < prover->arm.n; ++i) values[i].slope = rates ? rates[i].value : 0;
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
  lw_proof_compare_slope(prover->proof, "power", "d(T + V)/dt", "tau . qd", 1, &total, &power);
}

// dp/dt = J_v qd
static void prove_jacobian(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q, .view = &prover->view};
  set_slopes(prover, prover->q, prover->qd);
  run_kernel(prover, LW_KERNEL_pose, &state, prover->pose, 12);
  set_slopes(prover, prover->q, NULL);
  REAL w[6];
  for (int i = 0; i < 6; ++i)
  {
    w[i] = zero();
    for (int k = 0; k < n; ++k) w[i] = mul_add(prover->J[i * n + k], prover->qd[k], w[i]);
  }
  lw_proof_compare_slope(prover->proof, "jacobian", "dp/dt", "J_v qd", 3, prover->pose, w);

  // dR/dt = w x R, column by column
  const REAL* R = prover->pose + 3;
  REAL spin[9];
  for (int k = 0; k < 3; ++k)
  {
    V3 turned = cross(v3(w[3], w[4], w[5]), v3(R[k], R[3 + k], R[6 + k]));
    spin[k] = turned.x, spin[3 + k] = turned.y, spin[6 + k] = turned.z;
  }
  lw_proof_compare_slope(prover->proof, "jacobian", "dR/dt", "(J_w qd) x R", 9, R, spin);
}

// Gravity torques: those of the kernel of its own, of Newton-Euler at rest, and dV/dq.
static void prove_gravity(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q};
  run_kernel(prover, LW_KERNEL_newton_euler, &state, prover->right, n);
  run_kernel(prover, LW_KERNEL_gravity, &state, prover->left, n);
  lw_proof_compare(prover->proof, "gravity", "outboard moments", "newton-euler", n, prover->left,
                   prover->right);
  for (int k = 0; k < n; ++k)
  {
    prover->q[k].slope = 1;
    run_kernel(prover, LW_KERNEL_energy, &state, prover->energy, 2);
    prover->q[k].slope = 0;
    prover->left[k]    = prover->energy[1];
  }
  lw_proof_compare_slope(prover->proof, "gravity", "dV/dq", "newton-euler", n, prover->left,
                         prover->right);
}

static void prove_point(Prover* prover, int point)
{
  prover->proof->point = point;
  prover->proof->next  = 0;
  choose_point(prover, point);
  find_references(prover);
  prove_inverse(prover);
  prove_split(prover);
  prove_wrench(prover);
  prove_pushes(prover);
  prove_reactions(prover);
  prove_inertia(prover);
  prove_symmetry(prover);
  prove_forward(prover);
  prove_power(prover);
  prove_gravity(prover);
  prove_gibbs(prover);
  prove_jacobian(prover);
}

// --- life

static size_t most_work(int n)
{
  size_t most = 0;
  for (int i = 0; i < LW_KERNEL_COUNT; ++i)
  {
    size_t bytes = lw_kernel_bytes(lw_prime_variant()->kernels[i], n);
    if (bytes > most) most = bytes;
  }
  return most;
}

static REAL* take_prime_numbers(Prover* prover, size_t count)
{
  return lw_arena_take(&prover->proof->arena, count, sizeof(REAL));
}

static bool take_prover(Prover* prover)
{
  size_t n = (size_t)prover->arm.n, entries = n * (n > 6 ? n : 6);
  lwArena* arena  = &prover->proof->arena;
  prover->links   = lw_arena_take(arena, n, sizeof *prover->links);
  prover->ends    = lw_arena_take(arena, 1, sizeof *prover->ends);
  prover->members = lw_arena_take(arena, (size_t)prover->arm.robot.count, sizeof *prover->members);
  prover->work    = lw_arena_take(arena, most_work(prover->arm.n), 1);
  REAL** arrays[] = {&prover->q,   &prover->qd,       &prover->qdd,
                     &prover->tau, &prover->free_tau, &prover->bias};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
  {
    *arrays[i] = take_prime_numbers(prover, n);
    if (!*arrays[i]) return false;
  }
  prover->M         = take_prime_numbers(prover, entries);
  prover->J         = take_prime_numbers(prover, entries);
  prover->left      = take_prime_numbers(prover, entries);
  prover->right     = take_prime_numbers(prover, entries);
  prover->reactions = take_prime_numbers(prover, 6 * (size_t)prover->arm.robot.count);
  prover->gibbs     = take_prime_numbers(prover, 1 + n * n);
  return prover->links && prover->ends && prover->members && prover->reactions && prover->gibbs &&
         prover->work && prover->M && prover->J && prover->left && prover->right;
}

enum
{
  OTHER_IDENTITIES = 14,  // besides one or two of every method
  END_ANGLES       = 6,   // of base and tool
  JOINT_ANGLES     = 4    // gamma, alpha, offset and q
};

lwStatus lw_proof_create(const lwModel* model, const lwProofDef* def, lwProof** proof)
{
  lwProof* made;
  *proof          = NULL;
  lwStatus status = lw_proof_open(def, 2 * LW_METHOD_COUNT + OTHER_IDENTITIES, &made);
  if (status != LW_OK) return status;
  Prover prover = {.proof = made, .arm = *model};
  if (!take_prover(&prover))
  {
    lw_proof_destroy(made);
    return LW_ERROR_MEMORY;
  }
  prover.arm.own_links   = prover.links;
  prover.arm.own_ends    = prover.ends;
  prover.arm.own_members = prover.members;
  prover.view            = (lwView){.carrier = model->tool, .own = &prover.tool};
  lw_prime_start(JOINT_ANGLES * model->n + END_ANGLES);
  for (int point = 0; point < made->def.points; ++point) prove_point(&prover, point);
  *proof = made;
  return LW_OK;
}
