// SPDX-License-Identifier: MIT
// What a joint feels of everything outboard of it, all other joints free, is its
// articulated inertia: D of kernels/forward/articulated_body.c, by which forward dynamics
// divides. It depends on the configuration, so it is evaluated in an arbitrary one: a D
// that is zero by construction is zero there too, any other is not. Plain 6x6 matrices,
// angular part first, are fast enough for this.
//
// A motion of several joints together may move no mass: four slides, four turns in one wrist, a rod
// between two balls. Then the last of these joints has a D that is left over from cancellation. So
// what rounding can leave is carried along, too: noise N, in units of eps,
//   D = A_kk + rotor   U = A_k   P = 1 - e_k U^T / D   A' = A - U U^T / D   N' = P^T N P + A
//
// A joint that follows another one is not released, because its leader holds it; the
// leader feels its D, and that is enough.
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "model/inert.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/random.h"
#include "math/dense_ldl.h"
#include "model/transform.h"

typedef struct
{
  double A[6][6];  // moment and force about the link's origin from its acceleration, wd and a
  double N[6][6];  // noise of A
} CarriedBody;

// Rounding of the largest entries on the diagonal; an inertia below is zero.
static const double ROUNDING = 1e-13;

static lwTransform place_of_joint(const lwLink64* link, bool prismatic, double q)
{
  lwTransform gamma = lw_identity, alpha = lw_identity, theta;
  gamma.R[0][0] = gamma.R[1][1] = link->cos_gamma;
  gamma.R[1][0]                 = link->sin_gamma;
  gamma.R[0][1]                 = -link->sin_gamma;
  alpha.R[1][1] = alpha.R[2][2] = link->cos_alpha;
  alpha.R[2][1]                 = link->sin_alpha;
  alpha.R[1][2]                 = -link->sin_alpha;
  for (int i = 0; i < 3; ++i) gamma.p[i] = link->span[i];
  theta = prismatic ? lw_screw_z(0, link->d + q) : lw_screw_z(q, link->d);
  if (prismatic)  // is turned, too, but not by q
  {
    theta.R[0][0] = theta.R[1][1] = link->cos_theta;
    theta.R[1][0]                 = link->sin_theta;
    theta.R[0][1]                 = -link->sin_theta;
  }
  alpha = lw_compose(&alpha, &theta);
  return lw_compose(&gamma, &alpha);
}

static void set_rigid(CarriedBody* body, const lwLink64* link)
{
  const double* I = link->inertia;
  const double* h = link->first_moment;
  double m        = link->mass;
  *body           = (CarriedBody){.A = {{I[0], I[3], I[4], 0, -h[2], h[1]},
                                        {I[3], I[1], I[5], h[2], 0, -h[0]},
                                        {I[4], I[5], I[2], -h[1], h[0], 0},
                                        {0, h[2], -h[1], m, 0, 0},
                                        {-h[2], 0, h[0], 0, m, 0},
                                        {h[1], -h[0], 0, 0, 0, m}}};
}

static int axis_row(bool prismatic)
{
  return prismatic ? 5 : 2;
}

// True if the joint feels inertia: of the links that it moves, or of its rotor.
static bool is_felt(const CarriedBody* body, bool prismatic, double rotor)
{
  int k        = axis_row(prismatic);
  double D     = fabs(body->A[k][k]);
  double scale = fabs(body->A[k - 2][k - 2]) + fabs(body->A[k - 1][k - 1]) + D + body->N[k][k];
  return D > ROUNDING * scale || rotor > 0;
}

// Lets the joint go. G = U / D: its acceleration is -G^T that of the link.
static void open_joint(CarriedBody* body, int k, double rotor, double G[6])
{
  double D = body->A[k][k] + rotor, Nk[6], Nkk = body->N[k][k];
  for (int i = 0; i < 6; ++i)
  {
    G[i]  = body->A[i][k] / D;
    Nk[i] = body->N[i][k];
  }
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
    {
      body->N[i][j] += body->A[i][j] + Nkk * G[i] * G[j] - G[i] * Nk[j] - Nk[i] * G[j];
      body->A[i][j] -= D * G[i] * G[j];
    }
}

// Acceleration of a link from that of its parent: wd = R^T wd_p, a = R^T (a_p - p x wd_p).
static void acceleration_map(const lwTransform* place, double X[6][6])
{
  const double* p       = place->p;
  const double px[3][3] = {{0, -p[2], p[1]}, {p[2], 0, -p[0]}, {-p[1], p[0], 0}};
  memset(X, 0, 36 * sizeof(double));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
    {
      X[i][j] = X[3 + i][3 + j] = place->R[j][i];
      for (int k = 0; k < 3; ++k) X[3 + i][j] -= place->R[k][i] * px[k][j];
    }
}

// sum += X^T A X
static void add_moved(double sum[6][6], const double A[6][6], const double X[6][6])
{
  double AX[6][6] = {{0}};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) AX[i][j] += A[i][k] * X[k][j];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) sum[i][j] += X[k][i] * AX[k][j];
}

// The last two joints of a ball always stand at zero.
static bool is_at_zero(const lwModel* model, int i)
{
  const lwJointPiece* piece = &model->piece[model->part[i]];
  lwJointType type          = model->robot.joints[piece->whole].type;
  int last                  = type == LW_JOINT_BALL ? 4 : type == LW_JOINT_FLOATING ? 7 : -1;
  return piece->part == last || piece->part == last - 1;
}

typedef struct
{
  CarriedBody body;
  double X[6][6];  // acceleration of the link from that of its parent, its own joint at rest
  double G[6];     // of the joint, if it is let go
  double a[6];     // acceleration of the link in a motion that moves no mass
  bool felt, open, outboard;
} FeltJoint;

// Finds the joints that feel inertia, mimic joints taken as independent.
static void find_felt(const lwModel* model, bool rotors, FeltJoint* joints)
{
  lwRandom random = {1};
  for (int i = 0; i < model->n; ++i) set_rigid(&joints[i].body, &model->link64[i]);
  for (int i = model->n - 1; i >= 0; --i)
  {
    FeltJoint* joint  = &joints[i];
    bool prismatic    = model->kind[i] & LW_KIND_PRISMATIC;
    bool independent  = model->leader[i] >= 0 && model->independent[model->leader[i]] == i;
    double anywhere   = lw_random_between(&random, -1.5, 1.5);
    double q          = is_at_zero(model, i) ? model->link64[i].offset : anywhere;
    double rotor      = rotors ? model->link64[i].rotor : 0;
    lwTransform place = place_of_joint(&model->link64[i], prismatic, q);
    joint->felt       = is_felt(&joint->body, prismatic, rotor);
    joint->open       = joint->felt && independent;
    if (joint->open) open_joint(&joint->body, axis_row(prismatic), rotor, joint->G);
    acceleration_map(&place, joint->X);
    if (model->parent[i] == LW_BASE) continue;
    add_moved(joints[model->parent[i]].body.A, joint->body.A, joint->X);
    add_moved(joints[model->parent[i]].body.N, joint->body.N, joint->X);
  }
}

// The joints that accelerate with joint k when no mass does, into moves (n).
static void find_companions(const lwModel* model, int k, FeltJoint* joints, bool* moves)
{
  for (int i = 0; i < model->n; ++i)
  {
    FeltJoint *joint = &joints[i], *parent = &joints[model->parent[i] < 0 ? 0 : model->parent[i]];
    double qdd = i == k;
    moves[i]   = false;
    memset(joint->a, 0, sizeof joint->a);
    joint->outboard = i == k || (model->parent[i] >= k && parent->outboard);
    if (!joint->outboard) continue;
    for (int r = 0; r < 6 && i != k; ++r)
      for (int c = 0; c < 6; ++c) joint->a[r] += joint->X[r][c] * parent->a[c];
    for (int c = 0; c < 6 && i != k && joint->open; ++c) qdd -= joint->G[c] * joint->a[c];
    joint->a[axis_row(model->kind[i] & LW_KIND_PRISMATIC)] += qdd;
    moves[i] = fabs(qdd) > 1e-6;
  }
}

bool lw_model_find_inert(const lwModel* model, bool rotors, bool* inert, bool* moves)
{
  lwArena temporary = {0};
  FeltJoint* joints = lw_arena_take(&temporary, (size_t)model->n, sizeof *joints);
  if (joints) find_felt(model, rotors, joints);
  for (int i = 0; joints && i < model->n; ++i) inert[i] = false;
  for (int k = 0; joints && k < model->dof; ++k) inert[model->independent[k]] = true;
  for (int i = 0; joints && i < model->n; ++i)
    if (joints[i].felt && model->leader[i] >= 0 && model->gain[i] != 0)
      inert[model->independent[model->leader[i]]] = false;
  int first = 0;
  while (joints && first < model->n && !inert[first]) ++first;
  if (joints && first < model->n) find_companions(model, first, joints, moves);
  lw_arena_free(&temporary);
  return joints;
}

// --- singular positions

// Whether the first n rows of an inertia are positive definite beyond rounding.
static bool is_definite(const CarriedBody* body, size_t n)
{
  double A[36], diagonal[6];
  bool definite = true;
  for (size_t k = 0; k < n; ++k)
  {
    memcpy(A + k * n, body->A[k], n * sizeof *A);
    diagonal[k] = A[k * n + k];
  }
  dense_ldl_factor(n, A);
  for (size_t k = 0; k < n; ++k) definite = definite && 1 / A[k * n + k] > ROUNDING * diagonal[k];
  return definite;
}

// Of all joints that move, one stands on links at rest, so its own link moves by that joint alone.
bool lw_model_may_be_singular(const lwModel* model)
{
  for (int i = 0; i < model->n; ++i)
  {
    CarriedBody body;
    bool single = (i == 0 || model->joint[i - 1] != model->joint[i]);
    if (i + 1 < model->n && model->joint[i + 1] == model->joint[i]) continue;
    set_rigid(&body, &model->link64[i]);
    lwJointType type = model->robot.joints[model->joint[i]].type;
    bool felt        = single ? is_felt(&body, model->kind[i] & LW_KIND_PRISMATIC, 0)
                              : is_definite(&body, type == LW_JOINT_BALL ? 3 : 6);
    if (!felt) return true;
  }
  return false;
}
