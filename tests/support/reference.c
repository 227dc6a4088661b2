// SPDX-License-Identifier: MIT
#include "support/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/testing.h"
#include "support/world.h"

static double frobenius(const double (*A)[3])
{
  return sqrt(dot3(A[0], A[0]) + dot3(A[1], A[1]) + dot3(A[2], A[2]));
}

// --- torques

// f and n: the force at the centre of mass and the moment about it that the link's motion needs.
static void inertial_wrench(const Body* body, const double g[3], double f[3], double n[3])
{
  double Iw[3], gyroscopic[3];
  matvec3(body->I, body->w, Iw);
  matvec3(body->I, body->wd, n);
  cross3(body->w, Iw, gyroscopic);
  for (int i = 0; i < 3; ++i)
  {
    f[i] = body->mass * (body->a[i] - g[i]);
    n[i] += gyroscopic[i];
  }
}

static void add_body_torques(const World* world, int i, const double g[3], double* tau,
                             double* size)
{
  const Body* body = &world->bodies[i];
  double f[3], n[3];
  inertial_wrench(body, g, f, n);
  double f_size = body->mass * (body->push + norm3(g));
  double n_size = frobenius(body->I) * (body->spin + body->rate * body->rate);
  for (int k = i; k != LW_BASE; k = world->bodies[k].parent)
  {
    const Body* joint = &world->bodies[k];
    double Jv[3], Jw[3];
    if (joint->moving < 0) continue;
    point_jacobian(joint, body->c, Jv, Jw);
    tau[joint->moving] += dot3(Jv, f) + dot3(Jw, n);
    size[joint->moving] +=
        joint->slides ? f_size : f_size * (body->way_c - joint->way_point) + n_size;
  }
}

static void subtract_wrench(const World* world, const double* wrench, double* tau, double* size)
{
  int last         = world->robot->count - 1;
  const Body* body = &world->bodies[last];
  double f[3], n[3];
  matvec3(body->R, wrench, f);
  matvec3(body->R, wrench + 3, n);
  for (int k = last; k != LW_BASE; k = world->bodies[k].parent)
  {
    const Body* joint = &world->bodies[k];
    double Jv[3], Jw[3];
    if (joint->moving < 0) continue;
    point_jacobian(joint, body->p, Jv, Jw);
    tau[joint->moving] -= dot3(Jv, f) + dot3(Jw, n);
    size[joint->moving] +=
        joint->slides ? norm3(f) : norm3(f) * (body->way_origin - joint->way_point) + norm3(n);
  }
}

static void torques(const lwRobotDef* robot, const lwStates* state, bool weightless, double* tau,
                    double* size)
{
  static const double none[3] = {0, 0, 0};
  World world                 = world_create(robot, state->q, state->qd, state->qdd);
  memset(tau, 0, (size_t)world.n * sizeof *tau);
  memset(size, 0, (size_t)world.n * sizeof *size);
  for (int i = 0; i < robot->count; ++i)
    add_body_torques(&world, i, weightless ? none : robot->gravity, tau, size);
  if (state->wrench) subtract_wrench(&world, state->wrench, tau, size);
  world_free(&world);
}

// --- Gibbs' function

// Half the sum of mass times acceleration squared: that of the centre of mass, plus tr(U J U^T) for
// the rotation about it, with U = [wd x] + [w x][w x] and J the integral of r r^T dm about the
// centre of mass.
static double gibbs_of_body(const Body* body, const double g[3], double* size)
{
  double trace = body->I[0][0] + body->I[1][1] + body->I[2][2], sum = 0, a[3];
  const double *w = body->w, *wd = body->wd;
  double square        = dot3(w, w);
  const double U[3][3] = {{w[0] * w[0] - square, w[0] * w[1] - wd[2], w[0] * w[2] + wd[1]},
                          {w[0] * w[1] + wd[2], w[1] * w[1] - square, w[1] * w[2] - wd[0]},
                          {w[0] * w[2] - wd[1], w[1] * w[2] + wd[0], w[2] * w[2] - square}};
  for (int i = 0; i < 3; ++i)
  {
    double Iu[3];
    matvec3(body->I, U[i], Iu);
    sum += 0.5 * trace * dot3(U[i], U[i]) - dot3(U[i], Iu);
    a[i] = body->a[i] - g[i];
  }
  double push = body->push + norm3(g), spin = body->spin + body->rate * body->rate;
  *size += body->mass * push * push + frobenius(body->I) * spin * spin;
  return 0.5 * (body->mass * dot3(a, a) + sum);
}

static int reference_inertia(const lwRobotDef* robot, const double* q, double* M, double* size);

static void gibbs(const lwRobotDef* robot, const lwStates* state, double* out, double* size)
{
  World world = world_create(robot, state->q, state->qd, state->qdd);
  out[0] = size[0] = 0;
  for (int i = 0; i < robot->count; ++i)
    out[0] += gibbs_of_body(&world.bodies[i], robot->gravity, size);
  world_free(&world);
  reference_inertia(robot, state->q, out + 1, size + 1);
}

// --- reactions

// Adds a wrench at x to the reaction of a joint, in base axes about the origin of its link.
static void add_at(const Body* joint, const double x[3], const double f[3], const double n[3],
                   double sign, double out[6])
{
  double arm[3], moment[3];
  for (int i = 0; i < 3; ++i) arm[i] = x[i] - joint->p[i];
  cross3(arm, f, moment);
  for (int i = 0; i < 3; ++i) out[i] += sign * f[i];
  for (int i = 0; i < 3; ++i) out[3 + i] += sign * (n[i] + moment[i]);
}

// The longest lever arm of a moment: the path from `way` back to the joint axis, and on to the
// link's origin.
static double moment_way(const Body* joint, double way)
{
  return way - joint->way_point + (joint->way_origin - joint->way_point);
}

// Free body: everything beyond the joint.
static void add_free_body(const World* world, int i, const double g[3], double* out, double* size)
{
  const Body* body = &world->bodies[i];
  double f[3], n[3];
  inertial_wrench(body, g, f, n);
  double f_size = body->mass * (body->push + norm3(g));
  double n_size = frobenius(body->I) * (body->spin + body->rate * body->rate);
  for (int k = i; k != LW_BASE; k = world->bodies[k].parent)
  {
    const Body* joint = &world->bodies[k];
    add_at(joint, body->c, f, n, 1, out + 6 * k);
    for (int row = 0; row < 3; ++row) size[6 * k + row] += f_size;
    for (int row = 3; row < 6; ++row)
      size[6 * k + row] += f_size * moment_way(joint, body->way_c) + n_size;
  }
}

static void add_hand_wrench(const World* world, const double* wrench, double* out, double* size)
{
  int last         = world->robot->count - 1;
  const Body* body = &world->bodies[last];
  double f[3], n[3];
  matvec3(body->R, wrench, f);
  matvec3(body->R, wrench + 3, n);
  for (int k = last; k != LW_BASE; k = world->bodies[k].parent)
  {
    const Body* joint = &world->bodies[k];
    add_at(joint, body->p, f, n, -1, out + 6 * k);
    for (int row = 0; row < 3; ++row) size[6 * k + row] += norm3(f);
    for (int row = 3; row < 6; ++row)
      size[6 * k + row] += norm3(f) * moment_way(joint, body->way_origin) + norm3(n);
  }
}

// From base axes to link axes.
static void to_link_axes(const Body* body, double v[3])
{
  const double base[3] = {v[0], v[1], v[2]};
  for (int i = 0; i < 3; ++i)
    v[i] = body->R[0][i] * base[0] + body->R[1][i] * base[1] + body->R[2][i] * base[2];
}

static void reactions(const lwRobotDef* robot, const lwStates* state, double* out, double* size)
{
  World world = world_create(robot, state->q, state->qd, state->qdd);
  memset(out, 0, 6 * (size_t)robot->count * sizeof *out);
  memset(size, 0, 6 * (size_t)robot->count * sizeof *size);
  for (int i = 0; i < robot->count; ++i) add_free_body(&world, i, robot->gravity, out, size);
  if (state->wrench) add_hand_wrench(&world, state->wrench, out, size);
  for (int i = 0; i < 2 * robot->count; ++i) to_link_axes(&world.bodies[i / 2], out + 3 * i);
  world_free(&world);
}

// --- inertia

static void add_body_inertia(const World* world, int i, double* M, double* size)
{
  const Body* body = &world->bodies[i];
  size_t n         = (size_t)world->n;
  for (int j = i; j != LW_BASE; j = world->bodies[j].parent)
  {
    const Body* a = &world->bodies[j];
    double av[3], aw[3], Iw[3];
    if (a->moving < 0) continue;
    point_jacobian(a, body->c, av, aw);
    matvec3(body->I, aw, Iw);
    for (int k = i; k != LW_BASE; k = world->bodies[k].parent)
    {
      const Body* b = &world->bodies[k];
      double bv[3], bw[3];
      if (b->moving < 0) continue;
      point_jacobian(b, body->c, bv, bw);
      size_t at    = (size_t)a->moving * n + (size_t)b->moving;
      double a_arm = a->slides ? 1 : body->way_c - a->way_point;
      double b_arm = b->slides ? 1 : body->way_c - b->way_point;
      bool slides  = a->slides || b->slides;
      M[at] += body->mass * dot3(av, bv) + dot3(Iw, bw);
      size[at] += body->mass * a_arm * b_arm + (slides ? 0 : frobenius(body->I));
    }
  }
}

static int reference_inertia(const lwRobotDef* robot, const double* q, double* M, double* size)
{
  World world = world_create(robot, q, NULL, NULL);
  size_t n    = (size_t)world.n;
  memset(M, 0, n * n * sizeof *M);
  memset(size, 0, n * n * sizeof *size);
  for (int i = 0; i < robot->count; ++i) add_body_inertia(&world, i, M, size);
  world_free(&world);
  return (int)n;
}

bool cholesky(int n, double* A)
{
  for (int j = 0; j < n; ++j)
  {
    double* row = &A[j * n];
    for (int i = 0; i <= j; ++i)
    {
      double sum = row[i];
      for (int k = 0; k < i; ++k) sum -= row[k] * A[i * n + k];
      if (i == j && !(sum > 0)) return false;
      row[i] = i == j ? sqrt(sum) : sum / A[i * n + i];
    }
  }
  return true;
}

void cholesky_solve(int n, const double* L, double* x)
{
  for (int i = 0; i < n; ++i)
  {
    for (int k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i)
  {
    for (int k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

// --- accelerations

static int count_moving(const lwRobotDef* robot)
{
  int n = 0;
  for (int i = 0; i < robot->count; ++i) n += robot->joints[i].type != LW_JOINT_FIXED;
  return n;
}

// tau - bias, and the size of its terms
static void right_hand_side(const lwRobotDef* robot, const lwStates* state, int n, double* rhs,
                            double* size)
{
  lwStates at_rest = *state;
  at_rest.qdd      = NULL;
  torques(robot, &at_rest, false, rhs, size);
  for (int i = 0; i < n; ++i)
  {
    double tau = state->tau ? state->tau[i] : 0;
    rhs[i]     = tau - rhs[i];
    size[i] += fabs(tau);
  }
}

// Errors of a factorisation in row i are of the size of sqrt(M_ii M_jj), however small M_ij is.
static void add_matrix_size(int n, const double* M_size, const double* qdd, double* size)
{
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      size[i] += sqrt(M_size[i * n + i] * M_size[j * n + j]) * fabs(qdd[j]);
}

void reference_residual(const lwRobotDef* robot, const lwStates* state, const double* qdd,
                        double* residual, double* size)
{
  int n          = count_moving(robot);
  double* M      = numbers((size_t)n * (size_t)n);
  double* M_size = numbers((size_t)n * (size_t)n);
  right_hand_side(robot, state, n, residual, size);
  reference_inertia(robot, state->q, M, M_size);
  for (int i = 0; i < n; ++i)
  {
    residual[i] = -residual[i];
    for (int j = 0; j < n; ++j) residual[i] += M[i * n + j] * qdd[j];
  }
  add_matrix_size(n, M_size, qdd, size);
  free(M);
  free(M_size);
}

// size := |M^-1| size
static void through_inverse(int n, const double* L, double* size)
{
  double* column = numbers((size_t)n);
  double* sum    = numbers((size_t)n);
  for (int j = 0; j < n; ++j)
  {
    for (int i = 0; i < n; ++i) column[i] = i == j;
    cholesky_solve(n, L, column);
    for (int i = 0; i < n; ++i) sum[i] += fabs(column[i]) * size[j];
  }
  memcpy(size, sum, (size_t)n * sizeof *size);
  free(column);
  free(sum);
}

static void reference_accelerations(const lwRobotDef* robot, const lwStates* state, double* qdd,
                                    double* size)
{
  int n          = count_moving(robot);
  double* L      = numbers((size_t)n * (size_t)n);
  double* M_size = numbers((size_t)n * (size_t)n);
  right_hand_side(robot, state, n, qdd, size);
  reference_inertia(robot, state->q, L, M_size);
  if (!cholesky(n, L)) fail_msg("the reference's inertia matrix is not positive definite");
  cholesky_solve(n, L, qdd);
  add_matrix_size(n, M_size, qdd, size);
  through_inverse(n, L, size);
  free(L);
  free(M_size);
}

// --- energy, pose, Jacobian

static void energies(const lwRobotDef* robot, const lwStates* state, double out[2], double size[2])
{
  World world = world_create(robot, state->q, state->qd, NULL);
  out[0] = out[1] = size[0] = size[1] = 0;
  for (int i = 0; i < robot->count; ++i)
  {
    const Body* body = &world.bodies[i];
    double Iw[3];
    matvec3(body->I, body->w, Iw);
    out[0] += 0.5 * (body->mass * dot3(body->v, body->v) + dot3(body->w, Iw));
    out[1] -= body->mass * dot3(robot->gravity, body->c);
    size[0] += 0.5 * (body->mass * body->speed * body->speed +
                      frobenius(body->I) * body->rate * body->rate);
    size[1] += body->mass * norm3(robot->gravity) * body->way_c;
  }
  world_free(&world);
}

// The library works relative to the first moving joint, so the path to it and back adds to the
// size.
static void pose(const lwRobotDef* robot, const double* q, double out[12], double size[12])
{
  World world      = world_create(robot, q, NULL, NULL);
  const Body* last = &world.bodies[robot->count - 1];
  int first        = 0;
  while (first < robot->count - 1 && robot->joints[first].type == LW_JOINT_FIXED) ++first;
  for (int i = 0; i < 3; ++i)
  {
    out[i]  = last->p[i];
    size[i] = last->way_origin + 2 * world.bodies[first].way_origin;
  }
  for (int i = 0; i < 9; ++i)
  {
    out[3 + i]  = last->R[i / 3][i % 3];
    size[3 + i] = 1;
  }
  world_free(&world);
}

// The library works relative to other origins than those of the links, so the path to them and back
// adds to the size.
static double longest_way(const World* world)
{
  double way = 0;
  for (int i = 0; i < world->robot->count; ++i) way = fmax(way, world->bodies[i].way_origin);
  return way;
}

static void poses(const lwRobotDef* robot, const double* q, double* out, double* size)
{
  World world = world_create(robot, q, NULL, NULL);
  double way  = longest_way(&world);
  for (int k = 0; k < 12 * robot->count; ++k)
  {
    const Body* body = &world.bodies[k / 12];
    int i            = k % 12;
    out[k]           = i < 3 ? body->p[i] : body->R[i / 3 - 1][i % 3];
    size[k]          = i < 3 ? body->way_origin + 2 * way : 1;
  }
  world_free(&world);
}

// Velocity of the origin of a link's frame, from that of its centre of mass, and w; with rates,
// the accelerations. size: the same of the absolute values of all terms.
static void link_motion(const Body* body, bool rates, double way, double out[6], double size[6])
{
  double r[3], swing[3], inward[3] = {0};
  for (int i = 0; i < 3; ++i) r[i] = body->p[i] - body->c[i];
  cross3(rates ? body->wd : body->w, r, swing);
  if (rates)
  {
    double turned[3];
    cross3(body->w, r, turned);
    cross3(body->w, turned, inward);
  }
  double arm = body->way_c + body->way_origin + 2 * way;
  for (int i = 0; i < 3; ++i)
  {
    out[i]      = (rates ? body->a : body->v)[i] + swing[i] + inward[i];
    out[3 + i]  = (rates ? body->wd : body->w)[i];
    size[i]     = rates ? body->push + (body->spin + body->rate * body->rate) * arm
                        : body->speed + body->rate * arm;
    size[3 + i] = rates ? body->spin + body->rate * body->rate : body->rate;
  }
}

static void link_motions(const lwRobotDef* robot, const lwStates* state, bool rates, double* out,
                         double* size)
{
  World world = world_create(robot, state->q, state->qd, state->qdd);
  for (int i = 0; i < robot->count; ++i)
    link_motion(&world.bodies[i], rates, longest_way(&world), out + 6 * i, size + 6 * i);
  world_free(&world);
}

static void jacobian(const lwRobotDef* robot, const double* q, double* J, double* size)
{
  World world      = world_create(robot, q, NULL, NULL);
  size_t n         = (size_t)world.n;
  const Body* last = &world.bodies[robot->count - 1];
  memset(J, 0, 6 * n * sizeof *J);
  memset(size, 0, 6 * n * sizeof *size);
  for (int k = robot->count - 1; k != LW_BASE; k = world.bodies[k].parent)
  {
    const Body* joint = &world.bodies[k];
    double column[6];
    if (joint->moving < 0) continue;
    point_jacobian(joint, last->p, column, column + 3);
    for (size_t row = 0; row < 6; ++row)
    {
      size_t at = row * n + (size_t)joint->moving;
      bool arm  = row < 3 && !joint->slides;
      J[at]     = column[row];
      size[at]  = arm ? last->way_origin : 1;  // a difference of two positions
    }
  }
  world_free(&world);
}

// In one common frame, the arm of a joint is a difference of two places that are as far away as the
// robot reaches. Joints that do not carry the last link have no size and no column.
static void add_arms(const World* world, double* size)
{
  int n = world->n;
  for (int k = 0; k < world->robot->count; ++k)
  {
    const Body* joint = &world->bodies[k];
    bool arm          = joint->moving >= 0 && !joint->slides && size[3 * n + joint->moving] > 0;
    for (int row = 0; row < 3 && arm; ++row)
      size[row * n + joint->moving] += 2 * longest_way(world);
  }
}

// All mass as far away as the robot reaches: what entries of M are made of in one common frame.
static void add_reach(const World* world, double* size)
{
  const lwRobotDef* robot = world->robot;
  double way = longest_way(world), mass = 0;
  for (int k = 0; k < robot->count; ++k) mass += robot->joints[k].link.mass;
  for (int k = 0; k < robot->count * robot->count; ++k)
  {
    const Body *row = &world->bodies[k / robot->count], *column = &world->bodies[k % robot->count];
    if (row->moving < 0 || column->moving < 0) continue;
    size[row->moving * world->n + column->moving] +=
        mass * (row->slides ? 1 : way) * (column->slides ? 1 : way);
  }
}

// Each part from its own definition; dJ/dt qd is the acceleration of the last link at qdd = 0. The
// library sums all of it in one frame.
static void control(const lwRobotDef* robot, const lwStates* moving, double* out, double* size)
{
  const lwStates rest = {.q = moving->q};
  World world         = world_create(robot, moving->q, moving->qd, NULL);
  size_t n = (size_t)world.n, last = 6 * ((size_t)robot->count - 1);
  double *motion = calloc(2 * last + 12, sizeof *motion), *motion_size = motion + last + 6;
  torques(robot, moving, false, out, size);
  torques(robot, &rest, false, out + n, size + n);
  link_motions(robot, moving, true, motion, motion_size);
  memcpy(out + 2 * n, motion + last, 6 * sizeof *out);
  memcpy(size + 2 * n, motion_size + last, 6 * sizeof *size);
  pose(robot, moving->q, out + 2 * n + 6, size + 2 * n + 6);
  jacobian(robot, moving->q, out + 2 * n + 18, size + 2 * n + 18);
  reference_inertia(robot, moving->q, out + 8 * n + 18, size + 8 * n + 18);
  add_arms(&world, size + 2 * n + 18);
  add_reach(&world, size + 8 * n + 18);
  free(motion);
  world_free(&world);
}

void reference_answer(const lwRobotDef* robot, lwQuestion question, const lwStates* state,
                      double* out, double* size)
{
  const lwStates rest = {.q = state->q}, moving = {.q = state->q, .qd = state->qd};
  switch (question)
  {
    case LW_QUESTION_INVERSE:
      torques(robot, state, false, out, size);
      break;
    case LW_QUESTION_BIAS:
      torques(robot, &moving, false, out, size);
      break;
    case LW_QUESTION_GRAVITY:
      torques(robot, &rest, false, out, size);
      break;
    case LW_QUESTION_CORIOLIS:
      torques(robot, &moving, true, out, size);
      break;
    case LW_QUESTION_FORWARD:
      reference_accelerations(robot, state, out, size);
      break;
    case LW_QUESTION_INERTIA:
      reference_inertia(robot, state->q, out, size);
      break;
    case LW_QUESTION_ENERGY:
      energies(robot, state, out, size);
      break;
    case LW_QUESTION_POSE:
      pose(robot, state->q, out, size);
      break;
    case LW_QUESTION_JACOBIAN:
      jacobian(robot, state->q, out, size);
      break;
    case LW_QUESTION_GIBBS:
      gibbs(robot, state, out, size);
      break;
    case LW_QUESTION_POSES:
      poses(robot, state->q, out, size);
      break;
    case LW_QUESTION_VELOCITIES:
    case LW_QUESTION_ACCELERATIONS:
      link_motions(robot, state, question == LW_QUESTION_ACCELERATIONS, out, size);
      break;
    case LW_QUESTION_REACTIONS:
      reactions(robot, state, out, size);
      break;
    case LW_QUESTION_CONTROL:
      control(robot, &moving, out, size);
      break;
    default:
      fail();
  }
}

bool reference_knows(lwQuestion question)
{
  return question <= LW_QUESTION_GIBBS ||
         (question >= LW_QUESTION_POSES && question <= LW_QUESTION_CONTROL);
}
