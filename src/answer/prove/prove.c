// SPDX-License-Identifier: MIT
// Formulations of arm dynamics proven equal. A point replaces the robot's numbers and its state by
// random elements of the field of integers modulo 2^61 - 1 (math/real_prime.h); every method is
// then evaluated exactly by its own kernel.
//
//   structure of the model --random constants--> links, ends
//     --kernels--> answers of all methods --compare--> lwProof
#include <string.h>

#include "answer/prove/prover.h"
#include "model/derived.h"

// --- random robots and states

static Turn random_turn(lwRandom* random)
{
  Turn turn;
  r_sincos(lw_prime_random(random), &turn.s, &turn.c);
  return turn;
}

// Rz Ry' Rx by three random angles, row by row: any rotation.
void lw_prover_rotation(lwRandom* random, REAL rotation[9])
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

// within: between the joints that stand for one of the description, where there is nothing.
static void random_link(lwRandom* random, unsigned kind, bool within, Link* link)
{
  *link = (Link){.mass = zero()};
  random_place(random, kind & LW_KIND_SKEW, link);
  if (!(kind & LW_KIND_MASSLESS))
  {
    link->mass = lw_prime_random(random);
    lw_proof_random_values(random, link->first_moment, 3);
  }
  if (!within) lw_proof_random_values(random, link->inertia, 6);
  link->rotor = kind & LW_KIND_WIDE ? zero() : lw_prime_random(random);
}

static void random_ends(lwRandom* random, Ends* ends)
{
  lw_proof_random_values(random, ends->gravity, 3);
  lw_prover_rotation(random, ends->base_rotation);
  lw_proof_random_values(random, ends->base_position, 3);
  lw_prover_rotation(random, ends->tool_rotation);
  lw_proof_random_values(random, ends->tool_position, 3);
  ends->potential = lw_prime_random(random);
}

// The body of joint i as a whole, or of the base, is the sum of the links of the description that
// it carries. Those on fixed joints have random mass properties if the description gives them mass;
// the link of the joint itself has the rest.
static void random_mass(lwRandom* random, Prover* prover, int j)
{
  const lwModel* arm = &prover->arm;
  Member* member     = &prover->members[j];
  int carrier        = arm->carrier[j];
  bool scalar        = carrier != LW_BASE && arm->joint[carrier] == j;
  if (scalar || arm->robot.joints[j].link.mass == 0) return;
  member->mass = lw_prime_random(random);
  lw_proof_random_values(random, member->first_moment, 3);
  lw_proof_random_values(random, member->pseudo, 6);
  if (carrier == LW_BASE) return;
  Member* rest = &prover->members[arm->joint[carrier]];
  rest->mass   = r_sub(rest->mass, member->mass);
  for (int k = 0; k < 3; ++k)
    rest->first_moment[k] = r_sub(rest->first_moment[k], member->first_moment[k]);
  for (int k = 0; k < 6; ++k) rest->pseudo[k] = r_sub(rest->pseudo[k], member->pseudo[k]);
}

// Links of the description. Their origins are random; their axes are those of the body, except for
// the last link, so that no further angles raise the degree.
static void random_members(lwRandom* random, Prover* prover)
{
  int count = prover->arm.robot.count;
  for (int j = 0; j < count; ++j)
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
  for (int j = 0; j < count; ++j) random_mass(random, prover, j);
  Member* last = &prover->members[count - 1];
  memcpy(last->rotation, prover->ends->tool_rotation, sizeof last->rotation);
  memcpy(last->position, prover->ends->tool_position, sizeof last->position);
}

// Every kernel divides by the squares of the quaternions, which are kept apart: all share them.
static void keep_norms(const Prover* prover)
{
  for (int k = 0; k < prover->arm.wide_count; ++k)
  {
    const lwWideJoint* wide = &prover->arm.wides[k];
    V3 x, y;
    quaternion_axes(prover->q + wide->q + (wide->floats ? 3 : 0), &x, &y);
  }
  lw_prime_keep();
}

void lw_prover_choose(Prover* prover, int point, int angles)
{
  int n           = prover->arm.n;
  lwRandom random = lw_proof_random(prover->proof, point);
  lw_prime_start(angles);
  for (int i = 0; i < n; ++i)
    random_link(&random, prover->arm.kind[i], !carries_link(&prover->arm, i), &prover->links[i]);
  derive_links(&prover->arm, prover->links);
  random_ends(&random, prover->ends);
  memcpy(prover->tool.rotation, prover->ends->tool_rotation, sizeof prover->tool.rotation);
  memcpy(prover->tool.position, prover->ends->tool_position, sizeof prover->tool.position);
  lw_proof_random_values(&random, prover->q, lw_kernel_positions(&prover->arm));
  lw_proof_random_values(&random, prover->qd, n);
  lw_proof_random_values(&random, prover->qdd, n);
  for (int i = 0; i < n; ++i)
    if (lw_joint_is_held(&prover->arm, i)) prover->qd[i] = prover->qdd[i] = zero();
  lw_proof_random_values(&random, prover->wrench, 6);
  random_members(&random, prover);
  keep_norms(prover);
}

// --- kernels

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

// Every other method gives the numbers of the reference.
static void prove_methods(Prover* prover, const char* about, const lwState* state, int reference,
                          int count, const REAL* right)
{
  for (int i = 0; i < LW_METHOD_COUNT; ++i)
  {
    if (lw_method(i)->question != lw_method(reference)->question || i == reference ||
        !takes_arm(prover, i))
      continue;
    run_kernel(prover, i, state, prover->left, count);
    lw_proof_compare(prover->proof, about, lw_method(i)->name, lw_method(reference)->name, count,
                     prover->left, right);
  }
}

static void prove_inverse(Prover* prover)
{
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd, .wrench = prover->wrench};
  prove_methods(prover, ABOUT(prover, "inverse"), &state, LW_KERNEL_newton_euler, prover->arm.n,
                prover->tau);
}

static void prove_inertia(Prover* prover)
{
  prove_methods(prover, ABOUT(prover, "inertia"), &(lwState){.q = prover->q},
                LW_KERNEL_composite_body, prover->arm.n * prover->arm.n, prover->M);
}

static void prove_symmetry(Prover* prover)
{
  int n = prover->arm.n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) prover->left[i * n + k] = prover->M[k * n + i];
  prove_same(prover, "inertia", "M", "M^T", n * n, prover->M, prover->left);
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
  prove_same(prover, "inverse", "M qdd + bias", "newton-euler", n, prover->left, prover->free_tau);
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
    if (method->question != LW_QUESTION_FORWARD || !takes_arm(prover, i)) continue;
    run_kernel(prover, i, &state, prover->left, n);
    prove_same(prover, "forward", method->name, "qdd of inverse", n, prover->left, prover->qdd);
    run_kernel(prover, i, &driven, prover->left, n);
    prove_same(prover, "forward, rotors", method->name, "qdd of inverse", n, prover->left,
               prover->qdd);
  }
}

static void wrench_in_base(const Prover* prover, REAL base[6])
{
  for (int i = 0; i < 6; ++i)
  {
    const REAL* row = prover->pose + 3 + 3 * (i % 3);
    const REAL* w   = prover->wrench + i / 3 * 3;
    base[i]         = mul_add(row[0], w[0], mul_add(row[1], w[1], r_mul(row[2], w[2])));
  }
}

// tau without the wrench - tau with it = J^T (R f, R n)
static void prove_wrench(Prover* prover)
{
  int n = prover->arm.n;
  REAL base[6];
  wrench_in_base(prover, base);
  for (int k = 0; k < n; ++k)
  {
    prover->left[k] = zero();
    for (int i = 0; i < 6; ++i)
      prover->left[k] = mul_add(prover->J[i * n + k], base[i], prover->left[k]);
    prover->right[k] = r_sub(prover->free_tau[k], prover->tau[k]);
  }
  prove_same(prover, "wrench", "J^T w", "newton-euler", n, prover->left, prover->right);
}

// Torques of a wrench on the last link, by the pass that takes wrenches on any link, equal J^T w:
// in the link's axes and in the base's.
static void prove_pushes(Prover* prover)
{
  int n         = prover->arm.n;
  lwPush push   = {prover->arm.robot.count - 1, false, prover->view};
  lwState state = {.q = prover->q, .wrench = prover->wrench, .pushes = &push, .push_count = 1};
  state.tau     = prover->tau;
  run_kernel(prover, LW_KERNEL_pushed_torques, &state, prover->left, n);
  prove_same(prover, "wrench", "newton-euler + J^T w", "newton-euler without", n, prover->left,
             prover->free_tau);
  REAL base[6];
  wrench_in_base(prover, base);
  push.base_axes = true;
  state.subtract = true;
  state.tau      = prover->free_tau;
  state.wrench   = base;
  run_kernel(prover, LW_KERNEL_pushed_torques, &state, prover->left, n);
  prove_same(prover, "wrench", "newton-euler - J^T w", "newton-euler, base axes", n, prover->left,
             prover->tau);
}

// Gibbs' function: its Hessian is M, its gradient along any accelerations e,
// here by its derivative, is tau.
static void prove_gibbs(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd};
  run_kernel(prover, LW_KERNEL_gibbs, &state, prover->gibbs, 1 + n * n);
  prove_same(prover, "gibbs", "d2G/dqdd dqdd", "composite-body", n * n, prover->gibbs + 1,
             prover->M);
  for (int k = 0; k < n; ++k)
  {
    set_unit_slope(prover, prover->qdd, k);
    run_kernel(prover, LW_KERNEL_gibbs, &state, prover->gibbs, 1 + n * n);
    prover->left[k] = prover->gibbs[0];
  }
  set_slopes(prover, prover->qdd, NULL);
  prove_slope(prover, "gibbs", "dG/dqdd", "newton-euler", n, prover->left, prover->free_tau);
}

static void prove_point(Prover* prover, int point)
{
  prover->proof->point = point;
  prover->proof->next  = prover->first;
  lw_prover_choose(prover, point, lw_prover_angles(&prover->arm));
  find_references(prover);
  prove_inverse(prover);
  prove_split(prover);
  prove_wrench(prover);
  prove_pushes(prover);
  prove_inertia(prover);
  prove_symmetry(prover);
  prove_forward(prover);
  prove_gibbs(prover);
  lw_prove_motion(prover);
  lw_prove_matrices(prover);
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

bool lw_prover_take(Prover* prover)
{
  size_t n = (size_t)prover->arm.n, entries = n * (n > 6 ? n : 6);
  size_t count    = (size_t)prover->arm.robot.count;
  lwArena* arena  = &prover->proof->arena;
  prover->links   = lw_arena_take(arena, n, sizeof *prover->links);
  prover->ends    = lw_arena_take(arena, 1, sizeof *prover->ends);
  prover->members = lw_arena_take(arena, count, sizeof *prover->members);
  prover->work    = lw_arena_take(arena, most_work(prover->arm.n), 1);
  bool enough     = prover->links && prover->ends && prover->members && prover->work;
  const struct
  {
    REAL** at;
    size_t size;
  } arrays[] = {{&prover->q, (size_t)lw_kernel_positions(&prover->arm)},
                {&prover->unit, n},
                {&prover->qd, n},
                {&prover->qdd, n},
                {&prover->tau, n},
                {&prover->free_tau, n},
                {&prover->bias, n},
                {&prover->M, entries},
                {&prover->J, entries},
                {&prover->left, entries},
                {&prover->right, entries},
                {&prover->reactions, 6 * count},
                {&prover->gibbs, 1 + n * n},
                {&prover->links_moved, 36 * count},
                {&prover->controls, 2 * (n * n + 8 * n + 18)},
                {&prover->slopes, 3 * n * n},
                {&prover->regressor, 10 * n * count}};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
  {
    *arrays[i].at = lw_arena_take(arena, arrays[i].size, sizeof(REAL));
    enough        = enough && *arrays[i].at;
  }
  prover->arm.scalar_links   = prover->links;
  prover->arm.scalar_ends    = prover->ends;
  prover->arm.scalar_members = prover->members;
  prover->view               = (lwView){.carrier = prover->arm.tool, .own = &prover->tool};
  return enough;
}

enum
{
  MOST_OF_METHOD   = 3,  // identities of one method
  OTHER_IDENTITIES = 40  // besides these
};

// The identities of one model at all points. False: out of memory.
static bool prove_arm(lwProof* proof, const lwModel* model)
{
  Prover prover = {.proof = proof, .arm = *model, .first = proof->count};
  if (!lw_prover_take(&prover)) return false;
  for (int point = 0; point < proof->def.points; ++point) prove_point(&prover, point);
  return true;
}

// Ball and floating joints are proven as chains of joints, by every method, and as wide ones. With
// loops, the formulations of constrained dynamics are proven.
lwStatus lw_proof_create(const lwModel* model, const lwProofDef* def, lwProof** proof)
{
  lwProof* made;
  *proof = NULL;
  lwStatus status =
      lw_proof_open(def, 2 * (MOST_OF_METHOD * LW_METHOD_COUNT + OTHER_IDENTITIES), &made);
  if (status != LW_OK) return status;
  if (model->loops)
    status = lw_prove_constrained(made, model);
  else
    status = prove_arm(made, model) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK && model->native && !model->loops)
  {
    made->substitute = 2 + 2 * model->ball_count;
    status           = prove_arm(made, model->native) ? LW_OK : LW_ERROR_MEMORY;
  }
  if (status == LW_OK)
    *proof = made;
  else
    lw_proof_destroy(made);
  return status;
}
