// SPDX-License-Identifier: MIT
// Base parameters by rules, joint by joint, for trees of turning, sliding and fixed joints.
//
// Gautier & Khalil 1990 move parameters of a link to the link before it where no torque notices;
// Wensing, Niemeyer & Slotine 2017 make that one rule for every kind of joint and every direction
// of gravity, exact because it needs no states:
//
//   V   motions that a link can have in its own frame, and the acceleration that gravity stands for
//   W   products s . I v of motions that torques consist of: linear in the parameters of the link
//   S   motion of the joint, A I = dI/dq what it does to an inertia as the parent sees it
//
//   V = all S x .. x V(parent), and S            W = all A^T .. A^T W(parent), and S . I V
//
// If S . I(n) v = 0 for all v of V, and w . A n = 0 for all w of W(parent), then parameters n of a
// link cause no torque in its joint, and the torques of the joints before cannot tell them from the
// same parameters fixed to the parent, so they move there. What stays are the base parameters.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "identify/base_parameters.h"
#include "linear/vectors.h"
#include "math/rotation.h"
#include "model/model_internal.h"

enum
{
  MOTION = 6,                  // angular, then linear, at the origin of the link's frame
  MOST   = LW_LINK_PARAMETERS  // the larger of the sizes of vectors here
};

static const double NONE      = 1e-9;   // what of a vector of length 1 counts as nothing
static const double PREFERRED = 0.3;    // of the longest column: what is kept in the usual order
static const double ROUNDING  = 1e-14;  // a factor that is 0, with lengths of about a metre

// Orthonormal vectors.
typedef struct Space
{
  int size, count;
  double of[MOST][MOST];
} Space;

// A joint, or a part of one with several freedoms, and its link.
typedef struct GroupedBody
{
  lwTransform place;                                    // in the frame of the parent
  double S[MOTION];                                     // 0: fixed
  double move[LW_LINK_PARAMETERS][LW_LINK_PARAMETERS];  // parameters into those of the parent
  double rate[LW_LINK_PARAMETERS][LW_LINK_PARAMETERS];  // A
  Space V, W;
  Space felt;  // rows that parameters must be 0 in to go to the parent
} GroupedBody;

// --- vectors

// Removes the part of x in the space; returns the length of what is left.
static double take_out(const Space* space, double* x)
{
  for (int pass = 0; pass < 2; ++pass)
    for (int j = 0; j < space->count; ++j)
    {
      double part = lw_dot_product(space->size, space->of[j], x);
      for (int k = 0; k < space->size; ++k) x[k] -= part * space->of[j][k];
    }
  return sqrt(lw_dot_product(space->size, x, x));
}

// Adds these to the space, longest remainder first, so that rounding is not amplified.
static void space_add(Space* space, const Space* more)
{
  Space left = *more;
  while (true)
  {
    int best       = -1;
    double longest = NONE;
    for (int j = 0; j < left.count; ++j)
    {
      double rest = take_out(space, left.of[j]);
      if (rest <= longest) continue;
      longest = rest;
      best    = j;
    }
    if (best < 0 || space->count == space->size) return;
    for (int k = 0; k < space->size; ++k) space->of[space->count][k] = left.of[best][k] / longest;
    ++space->count;
  }
}

// A vector for later, its length no more than 1.
static void list_add(Space* list, const double* vector)
{
  double length = fmax(1, sqrt(lw_dot_product(list->size, vector, vector)));
  for (int k = 0; k < list->size; ++k) list->of[list->count][k] = vector[k] / length;
  ++list->count;
}

// --- parameters

// The row of s . I v over the parameters of I.
static void product_row(const double s[MOTION], const double v[MOTION],
                        double row[LW_LINK_PARAMETERS])
{
  double first[3], second[3];
  lw_cross(v + 3, s, first);
  lw_cross(s + 3, v, second);
  row[0] = lw_dot(s + 3, v + 3);
  for (int k = 0; k < 3; ++k) row[1 + k] = first[k] + second[k];
  for (int k = 0; k < 3; ++k) row[4 + k] = s[k] * v[k];
  row[7] = s[0] * v[1] + s[1] * v[0];
  row[8] = s[0] * v[2] + s[2] * v[0];
  row[9] = s[1] * v[2] + s[2] * v[1];
}

// The mass parameters in another frame: a mass that stands at `place` in it.
static void move_parameters(const lwTransform* place, const double pi[LW_LINK_PARAMETERS],
                            double out[LW_LINK_PARAMETERS])
{
  lwInertial body = {.mass = pi[0]};
  memcpy(body.first_moment, pi + 1, sizeof body.first_moment);
  memcpy(body.inertia, pi + 4, sizeof body.inertia);
  body   = lw_inertial_move(&body, place);
  out[0] = body.mass;
  memcpy(out + 1, body.first_moment, sizeof body.first_moment);
  memcpy(out + 4, body.inertia, sizeof body.inertia);
}

// d/dq of the parameters, as the parent sees them, of a link that moves with S: the first moment h
// with w x h + m v, the inertia J with w x J - J w x + 2 (h . v) 1 - v h^T - h v^T.
static void rate_of_parameters(const double S[MOTION], const double pi[LW_LINK_PARAMETERS],
                               double out[LW_LINK_PARAMETERS])
{
  static const int at[3][3] = {{4, 7, 8}, {7, 5, 9}, {8, 9, 6}};
  const double *w = S, *v = S + 3, *h = pi + 1;
  double turned[3], J[3][3], hv       = lw_dot(h, v);
  lw_cross(w, h, turned);
  out[0] = 0;
  for (int k = 0; k < 3; ++k) out[1 + k] = turned[k] + pi[0] * v[k];
  for (int j = 0; j < 3; ++j)  // columns of w x J
  {
    const double column[3] = {pi[at[0][j]], pi[at[1][j]], pi[at[2][j]]};
    lw_cross(w, column, turned);
    for (int i = 0; i < 3; ++i) J[i][j] = turned[i];
  }
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      out[at[i][j]] = J[i][j] + J[j][i] + (i == j ? 2 * hv : 0) - v[i] * h[j] - h[i] * v[j];
}

// --- one joint

static void set_twist(const lwJointDef* joint, const lwTransform* after, double S[MOTION])
{
  lwTransform axis  = lw_invert(after);  // the joint's frame, seen from the link's
  const double z[3] = {axis.R[0][2], axis.R[1][2], axis.R[2][2]};
  memset(S, 0, MOTION * sizeof *S);
  if (joint->type == LW_JOINT_PRISMATIC) memcpy(S + 3, z, sizeof z);
  if (joint->type != LW_JOINT_REVOLUTE) return;
  memcpy(S, z, sizeof z);
  lw_cross(axis.p, z, S + 3);
}

static void set_matrices(GroupedBody* body)
{
  for (int j = 0; j < LW_LINK_PARAMETERS; ++j)
  {
    double unit[LW_LINK_PARAMETERS] = {0}, moved[LW_LINK_PARAMETERS], rate[LW_LINK_PARAMETERS];
    unit[j]                         = 1;
    move_parameters(&body->place, unit, moved);
    rate_of_parameters(body->S, unit, rate);
    for (int k = 0; k < LW_LINK_PARAMETERS; ++k)
    {
      body->move[k][j] = moved[k];
      body->rate[k][j] = rate[k];
    }
  }
}

// A motion of the parent's frame, at the origin and in the axes of the link's.
static void motion_in(const lwTransform* place, const double v[MOTION], double out[MOTION])
{
  double linear[3];
  lw_cross(v, place->p, linear);
  for (int k = 0; k < 3; ++k) linear[k] += v[3 + k];
  lw_rotate_back((const double*)place->R, v, out);
  lw_rotate_back((const double*)place->R, linear, out + 3);
}

static void motion_cross(const double S[MOTION], const double v[MOTION], double out[MOTION])
{
  double turned[3];
  lw_cross(S, v, out);
  lw_cross(S, v + 3, out + 3);
  lw_cross(S + 3, v, turned);
  for (int k = 0; k < 3; ++k) out[3 + k] += turned[k];
}

static void fill_motions(GroupedBody* body, const Space* before)
{
  double next[MOTION];
  Space list = {.size = MOTION};
  body->V    = list;
  for (int k = 0; k < before->count; ++k)
  {
    motion_in(&body->place, before->of[k], next);
    list_add(&list, next);
  }
  for (int had = -1; had < body->V.count;)  // S x of what S x gave
  {
    had = body->V.count;
    space_add(&body->V, &list);
    list.count = 0;
    for (int k = 0; k < body->V.count; ++k)
    {
      motion_cross(body->S, body->V.of[k], next);
      list_add(&list, next);
    }
  }
  list.count = 0;
  list_add(&list, body->S);
  space_add(&body->V, &list);
}

// M^T of every vector.
static Space transposed_list(const double M[][LW_LINK_PARAMETERS], const Space* of)
{
  Space list = {.size = LW_LINK_PARAMETERS};
  for (int v = 0; v < of->count; ++v)
  {
    double next[LW_LINK_PARAMETERS] = {0};
    for (int j = 0; j < LW_LINK_PARAMETERS; ++j)
      for (int k = 0; k < LW_LINK_PARAMETERS; ++k) next[j] += M[k][j] * of->of[v][k];
    list_add(&list, next);
  }
  return list;
}

static void fill_products(GroupedBody* body, const Space* before)
{
  double next[LW_LINK_PARAMETERS];
  Space list = transposed_list(body->move, before);
  body->W = body->felt = (Space){.size = LW_LINK_PARAMETERS};
  for (int had = -1; had < body->W.count;)
  {
    had = body->W.count;
    space_add(&body->W, &list);
    list = transposed_list(body->rate, &body->W);
  }
  space_add(&body->felt, &list);
  list.count = 0;
  for (int k = 0; k < body->V.count; ++k)
  {
    product_row(body->S, body->V.of[k], next);
    list_add(&list, next);
  }
  space_add(&body->felt, &list);
  space_add(&body->W, &list);
}

static void fill_bodies(const lwModel* model, GroupedBody* bodies)
{
  const lwRobotDef* robot = &model->split;
  Space base_motion = {.size = MOTION}, none = {.size = LW_LINK_PARAMETERS};
  double gravity[MOTION] = {0}, length = lw_length(robot->gravity);
  for (int k = 0; k < 3 && length > 0; ++k) gravity[3 + k] = robot->gravity[k] / length;
  if (length > 0) list_add(&base_motion, gravity);
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint   = &robot->joints[i];
    const GroupedBody* parent = joint->parent == LW_BASE ? NULL : &bodies[joint->parent];
    lwTransform before, after;
    lw_joint_place(joint, &before, &after);
    bodies[i].place = lw_compose(&before, &after);
    set_twist(joint, &after, bodies[i].S);
    set_matrices(&bodies[i]);
    fill_motions(&bodies[i], parent ? &parent->V : &base_motion);
    fill_products(&bodies[i], parent ? &parent->W : &none);
    // parts of one joint of the description have no links between them: what goes to the parent
    // must pass through all of them
    if (!parent || model->piece[joint->parent].whole != model->piece[i].whole) continue;
    Space list = transposed_list(bodies[i].move, &parent->felt);
    space_add(&bodies[i].felt, &list);
  }
}

// --- all links

// Regrouping under way: G (unknowns, unknowns), the current
// parameters in terms of the original ones.
typedef struct Regrouping
{
  const lwModel* model;
  const GroupedBody* bodies;  // (split.count)
  size_t unknowns;
  double* G;
  bool* kept;  // (unknowns)
  int* order;  // (unknowns) in which they are kept
} Regrouping;

static void add_row(const Regrouping* all, size_t to, double factor, size_t from)
{
  double* row = all->G + to * all->unknowns;
  for (size_t k = 0; k < all->unknowns && factor != 0; ++k)
    row[k] += factor * all->G[from * all->unknowns + k];
}

// The parameters n of the body's link go to the link before: its index, or LW_BASE.
static int parent_parameters(const Regrouping* all, int body, double n[LW_LINK_PARAMETERS])
{
  const lwJointPiece* piece = all->model->piece;
  int whole                 = piece[body].whole;
  while (body != LW_BASE && piece[body].whole == whole)
  {
    double moved[LW_LINK_PARAMETERS];
    move_parameters(&all->bodies[body].place, n, moved);
    memcpy(n, moved, sizeof moved);
    body = all->model->split.joints[body].parent;
  }
  return body == LW_BASE ? LW_BASE : piece[body].whole;
}

// Parameter c of the link, which depends on what stays, goes where it belongs.
static void regroup_one(const Regrouping* all, int body, const lwBaseParameters* stays, int c)
{
  size_t first                 = (size_t)all->model->piece[body].whole * LW_LINK_PARAMETERS;
  double n[LW_LINK_PARAMETERS] = {0};
  n[c]                         = 1;
  for (int b = 0; b < stays->count; ++b)
  {
    double factor     = stays->factor[b * LW_LINK_PARAMETERS + c];
    n[stays->kept[b]] = -factor;
    add_row(all, first + (size_t)stays->kept[b], factor, first + (size_t)c);
  }
  int parent = parent_parameters(all, body, n);
  for (int k = 0; k < LW_LINK_PARAMETERS && parent != LW_BASE; ++k)
    add_row(all, (size_t)parent * LW_LINK_PARAMETERS + (size_t)k, n[k], first + (size_t)c);
}

// The order in which a link's parameters are kept: the usual one, but skipping any whose column
// nearly depends on those before, so that factors stay small whatever the axes of the link.
static void keep_order(const Space* felt, int order[LW_LINK_PARAMETERS])
{
  double left[LW_LINK_PARAMETERS][LW_LINK_PARAMETERS] = {{0}};  // columns
  Space chosen                                        = {.size = felt->count};
  for (int c = 0; c < LW_LINK_PARAMETERS; ++c)
  {
    order[c] = LW_LINK_PARAMETER_ORDER[c];
    for (int k = 0; k < felt->count; ++k) left[c][k] = felt->of[k][c];
  }
  for (int at = 0; at < felt->count; ++at)
  {
    double rest[LW_LINK_PARAMETERS], longest = 0;
    for (int k = at; k < LW_LINK_PARAMETERS; ++k)
    {
      rest[k] = take_out(&chosen, left[order[k]]);
      longest = fmax(longest, rest[k]);
    }
    int best = at;
    while (rest[best] < PREFERRED * longest) ++best;
    int column = order[best];
    memmove(order + at + 1, order + at, (size_t)(best - at) * sizeof *order);
    order[at] = column;
    for (int k = 0; k < felt->count; ++k) chosen.of[chosen.count][k] = left[column][k] / rest[best];
    ++chosen.count;
  }
}

static lwStatus regroup_link(const Regrouping* all, int body)
{
  const Space* felt = &all->bodies[body].felt;
  int order[LW_LINK_PARAMETERS];
  size_t first = (size_t)all->model->piece[body].whole * LW_LINK_PARAMETERS;
  double X[LW_LINK_PARAMETERS * LW_LINK_PARAMETERS] = {0};
  lwBaseParameters stays;
  for (int c = 0; c < LW_LINK_PARAMETERS; ++c)
    for (int k = 0; k < felt->count; ++k) X[c * felt->count + k] = felt->of[k][c];
  keep_order(felt, order);
  memcpy(all->order + first, order, sizeof order);
  for (int c = 0; c < LW_LINK_PARAMETERS; ++c) all->order[first + (size_t)c] += (int)first;
  lwStatus status =
      lw_base_sort(&stays, X, felt->count, LW_LINK_PARAMETERS, order, LW_BASE_DEPENDS);
  for (int b = 0; status == LW_OK && b < stays.count; ++b)
    all->kept[first + (size_t)stays.kept[b]] = true;
  for (int c = 0; status == LW_OK && c < LW_LINK_PARAMETERS; ++c)
    if (!all->kept[first + (size_t)c]) regroup_one(all, body, &stays, c);
  lw_base_free(&stays);
  return status;
}

static void take_kept(const Regrouping* all, lwBaseParameters* base)
{
  for (size_t k = 0; k < all->unknowns * all->unknowns; ++k)
    if (fabs(all->G[k]) < ROUNDING) all->G[k] = 0;
  for (size_t k = 0; k < all->unknowns; ++k)
  {
    size_t column = (size_t)all->order[k];
    if (!all->kept[column]) continue;
    memcpy(base->factor + (size_t)base->count * all->unknowns, all->G + column * all->unknowns,
           all->unknowns * sizeof *all->G);
    base->kept[base->count++] = (int)column;
  }
}

lwStatus lw_base_by_rules(lwBaseParameters* base, const lwModel* model, int* order)
{
  size_t p            = LW_LINK_PARAMETERS * (size_t)lw_model_joint_count(model);
  lwStatus status     = lw_base_create(base, p);
  GroupedBody* bodies = calloc((size_t)model->split.count + 1, sizeof *bodies);
  Regrouping all      = {.model    = model,
                         .bodies   = bodies,
                         .unknowns = p,
                         .G        = calloc(p * p + 1, sizeof(double)),
                         .kept     = calloc(p + 1, sizeof(bool))};
  all.order           = order;
  if (!bodies || !all.G || !all.kept) status = LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    for (size_t k = 0; k < p; ++k) all.G[k * p + k] = 1;
    fill_bodies(model, bodies);
    // from the tips to the base: the last part of each joint has its link
    for (int i = model->split.count - 1; i >= 0 && status == LW_OK; --i)
      if (i + 1 == model->split.count || model->piece[i + 1].whole != model->piece[i].whole)
        status = regroup_link(&all, i);
  }
  if (status == LW_OK) take_kept(&all, base);
  free(bodies);
  free(all.G);
  free(all.kept);
  return status;
}
