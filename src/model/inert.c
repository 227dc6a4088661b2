// SPDX-License-Identifier: MIT
// What a joint feels of everything outboard of it, all other joints free, is its
// articulated inertia: D of kernels/forward/articulated_body.c, by which forward dynamics
// divides. It depends on the configuration, so it is evaluated in an arbitrary one: a D
// that is zero by construction is zero there too, any other is not. Plain 6x6 matrices,
// angular part first, are fast enough for this.
//
// A joint that follows another one is not released, because its leader holds it; the
// leader feels its D, and that is enough.
#include "model/inert.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/random.h"
#include "model/transform.h"

typedef struct
{
  double A[6]
          [6];  // moment and force about the link's origin from its angular and linear acceleration
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
  *body           = (CarriedBody){{{I[0], I[3], I[4], 0, -h[2], h[1]},
                                   {I[3], I[1], I[5], h[2], 0, -h[0]},
                                   {I[4], I[5], I[2], -h[1], h[0], 0},
                                   {0, h[2], -h[1], m, 0, 0},
                                   {-h[2], 0, h[0], 0, m, 0},
                                   {h[1], -h[0], 0, 0, 0, m}}};
}

// True if the joint feels inertia: of the links that it moves, or of its rotor.
static bool is_felt(const CarriedBody* body, bool prismatic, double rotor)
{
  int k        = prismatic ? 5 : 2;
  int first    = prismatic ? 3 : 0;
  double D     = fabs(body->A[k][k]);
  double scale = fabs(body->A[first][first]) + fabs(body->A[first + 1][first + 1]) + D;
  return D > ROUNDING * scale || rotor > 0;
}

// Lets the joint go: A - U U^T / D.
static void open_joint(CarriedBody* body, bool prismatic, double rotor)
{
  int k    = prismatic ? 5 : 2;
  double D = body->A[k][k] + rotor, U[6];
  for (int i = 0; i < 6; ++i) U[i] = body->A[i][k];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) body->A[i][j] -= U[i] * U[j] / D;
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
static void add_moved(CarriedBody* sum, const CarriedBody* body, const lwTransform* place)
{
  double X[6][6], AX[6][6] = {{0}};
  acceleration_map(place, X);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) AX[i][j] += body->A[i][k] * X[k][j];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) sum->A[i][j] += X[k][i] * AX[k][j];
}

// The last two joints of a ball always stand at zero.
static bool is_at_zero(const lwModel* model, int i)
{
  const lwJointPiece* piece = &model->piece[model->part[i]];
  lwJointType type          = model->robot.joints[piece->whole].type;
  int last                  = type == LW_JOINT_BALL ? 4 : type == LW_JOINT_FLOATING ? 7 : -1;
  return piece->part == last || piece->part == last - 1;
}

// Marks the joints that feel inertia, mimic joints taken as independent.
static void find_felt(const lwModel* model, bool rotors, CarriedBody* bodies, bool* felt)
{
  lwRandom random = {1};
  for (int i = 0; i < model->n; ++i) set_rigid(&bodies[i], &model->link64[i]);
  for (int i = model->n - 1; i >= 0; --i)
  {
    bool prismatic   = model->kind[i] & LW_KIND_PRISMATIC;
    bool independent = model->leader[i] >= 0 && model->independent[model->leader[i]] == i;
    double anywhere  = lw_random_between(&random, -1.5, 1.5);
    double q         = is_at_zero(model, i) ? model->link64[i].offset : anywhere;
    double rotor     = rotors ? model->link64[i].rotor : 0;
    felt[i]          = is_felt(&bodies[i], prismatic, rotor);
    if (felt[i] && independent) open_joint(&bodies[i], prismatic, rotor);
    if (model->parent[i] == LW_BASE) continue;
    lwTransform place = place_of_joint(&model->link64[i], prismatic, q);
    add_moved(&bodies[model->parent[i]], &bodies[i], &place);
  }
}

bool lw_model_find_inert(const lwModel* model, bool rotors, bool* inert)
{
  lwArena temporary   = {0};
  CarriedBody* bodies = lw_arena_take(&temporary, (size_t)model->n, sizeof *bodies);
  bool* felt          = lw_arena_take(&temporary, (size_t)model->n, sizeof *felt);
  bool enough         = bodies && felt;
  if (enough) find_felt(model, rotors, bodies, felt);
  for (int i = 0; enough && i < model->n; ++i) inert[i] = false;
  for (int k = 0; enough && k < model->dof; ++k) inert[model->independent[k]] = true;
  for (int i = 0; enough && i < model->n; ++i)
    if (felt[i] && model->leader[i] >= 0 && model->gain[i] != 0)
      inert[model->independent[model->leader[i]]] = false;
  lw_arena_free(&temporary);
  return enough;
}
