// SPDX-License-Identifier: MIT
// Canonical frames: conventions are resolved here, once, so that kernels know only one form.
//
// 1. Each joint's place becomes `before`, motion, `after` (transform.h); fixed joints become part
//    of what carries them.
// 2. The frame of a moving joint may be turned about its axis by phi and slid along it by h without
//    changing the motion. Both are chosen so that the first joint on the link has gamma = 0, e = 0.
// 3. What is left between neighbours is Rz(gamma) Rx(alpha) T(a, e, d) Rz(theta).
#include "model/canonical.h"

#include <math.h>

#include "model/common_normal.h"
#include "model/transform.h"

// Tables by joint of the description, and by moving joint.
typedef struct
{
  lwJointFrame*
      joint_frame;  // (count) of the model; places in the carrier's joint frame until it is adjusted
  lwTransform* relative;  // (n) joint frame at rest in the parent's joint frame
  lwTransform* adjust;    // (n) canonical frame in the joint frame: Rz(phi) Tz(h)
  int* first_child;       // (n) or -1
  NUMBER* phi;            // (n) rad
  bool* on_normal;        // (n) the origin is on the common normal with the first child: its e is 0
} Scratch;

// How far the foot of the common normal may be from the origin, in sizes of the link. Beyond that,
// axes count as nearly parallel and the origin stays where it is.
static const double MAX_SLIDE = 2;

static lwCommonNormal take_apart(const lwTransform* T, bool gamma_is_zero)
{
  lwCommonNormal screw = {.cos_gamma = 1};
  if (!gamma_is_zero) lw_common_normal_find(T, &screw);
  lw_common_normal_split(T, &screw);
  return screw;
}

static bool take_scratch(lwArena* arena, int count, Scratch* scratch)
{
  size_t size          = (size_t)count;
  scratch->relative    = lw_arena_take(arena, size, sizeof(lwTransform));
  scratch->adjust      = lw_arena_take(arena, size, sizeof(lwTransform));
  scratch->first_child = lw_arena_take(arena, size, sizeof(int));
  scratch->phi         = lw_arena_take(arena, size, sizeof(NUMBER));
  scratch->on_normal   = lw_arena_take(arena, size, sizeof(bool));
  return scratch->relative && scratch->adjust && scratch->first_child && scratch->phi &&
         scratch->on_normal;
}

// Step 1. Joints that move get numbers, links get carriers.
static void merge_fixed(lwModel* model, int* parent, int* part, Scratch* scratch)
{
  const lwRobotDef* robot = &model->split;
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* def = &robot->joints[i];
    bool on_base          = def->parent == LW_BASE;
    lwJointFrame above =
        on_base ? (lwJointFrame){LW_BASE, lw_identity} : scratch->joint_frame[def->parent];
    lwTransform before, after;
    lw_joint_place(def, &before, &after);
    before = lw_compose(&above.place, &before);
    if (def->type == LW_JOINT_FIXED)
    {
      scratch->joint_frame[i] = (lwJointFrame){above.carrier, lw_compose(&before, &after)};
      continue;
    }
    int moving                = model->n++;
    parent[moving]            = above.carrier;
    part[moving]              = i;
    scratch->relative[moving] = before;
    scratch->joint_frame[i]   = (lwJointFrame){moving, after};
  }
}

static NUMBER norm(const NUMBER v[3])
{
  return num_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Step 2 for the joint that carries `child` first.
static void choose_frame(const lwModel* model, Scratch* scratch, int i, int child)
{
  const lwTransform* T  = &scratch->relative[child];
  const double* at      = model->split.joints[model->part[i]].link.com;
  const NUMBER com[3]   = {at[0], at[1], at[2]};
  lwCommonNormal screw  = take_apart(T, false);
  NUMBER size           = norm(T->p) + norm(com);
  NUMBER slide          = screw.sin_alpha == 0 ? 0 : screw.e / screw.sin_alpha;
  scratch->on_normal[i] = num_abs(slide) <= MAX_SLIDE * size;
  if (!scratch->on_normal[i]) slide = 0;
  scratch->phi[i]    = num_atan2(screw.sin_gamma, screw.cos_gamma);
  scratch->adjust[i] = (lwTransform){
      {{screw.cos_gamma, -screw.sin_gamma, 0}, {screw.sin_gamma, screw.cos_gamma, 0}, {0, 0, 1}},
      {0, 0, slide}};
}

static void choose_frames(const lwModel* model, Scratch* scratch)
{
  for (int i = 0; i < model->n; ++i)
  {
    scratch->first_child[i] = -1;
    scratch->adjust[i]      = lw_identity;
  }
  for (int i = 0; i < model->n; ++i)
  {
    int p     = model->parent[i];
    bool wide = p != LW_BASE && model->kind[p] & LW_KIND_WIDE;  // keeps the frame of its link
    if (p == LW_BASE || wide || scratch->first_child[p] >= 0) continue;
    scratch->first_child[p] = i;
    choose_frame(model, scratch, p, i);
  }
}

// Step 3 for one joint: constants of its place.
static void set_place(const lwModel* model, const Scratch* scratch, const lwTransform* base, int i,
                      CanonicalLink* link)
{
  int p                    = model->parent[i];
  bool prismatic           = model->kind[i] & LW_KIND_PRISMATIC;
  const lwTransform* frame = p == LW_BASE ? base : &scratch->adjust[p];
  lwTransform inverse      = lw_invert(frame);
  lwTransform T            = lw_compose(&inverse, &scratch->relative[i]);
  bool first               = p == LW_BASE ? i == 0 : scratch->first_child[p] == i;
  lwCommonNormal s = i == 0 ? (lwCommonNormal){1, 0, 1, 0, 1, 0, 0, 0, 0} : take_apart(&T, first);
  const lwTransform* adjust = &scratch->adjust[i];
  if (p != LW_BASE && first && scratch->on_normal[p]) s.e = 0;

  link->cos_gamma = s.cos_gamma;
  link->sin_gamma = s.sin_gamma;
  link->cos_alpha = s.cos_alpha;
  link->sin_alpha = s.sin_alpha;
  link->span[0]   = s.cos_gamma * s.a - s.sin_gamma * s.cos_alpha * s.e;
  link->span[1]   = s.sin_gamma * s.a + s.cos_gamma * s.cos_alpha * s.e;
  link->span[2]   = s.sin_alpha * s.e;
  link->d         = s.d + adjust->p[2];
  link->cos_theta = s.cos_theta * adjust->R[0][0] - s.sin_theta * adjust->R[1][0];
  link->sin_theta = s.sin_theta * adjust->R[0][0] + s.cos_theta * adjust->R[1][0];
  if (!prismatic) link->offset = num_atan2(s.sin_theta, s.cos_theta) + scratch->phi[i];
}

static bool is_skew(const CanonicalLink* link)
{
  return link->sin_gamma != 0 || link->cos_gamma != 1 || link->span[1] != 0 || link->span[2] != 0;
}

// Places of links from joint frames to canonical ones.
static void adjust_joint_frames(const lwModel* model, Scratch* scratch)
{
  for (int i = 0; i < model->split.count; ++i)
  {
    lwJointFrame* joint_frame = &scratch->joint_frame[i];
    if (joint_frame->carrier == LW_BASE) continue;
    lwTransform inverse = lw_invert(&scratch->adjust[joint_frame->carrier]);
    joint_frame->place  = lw_compose(&inverse, &joint_frame->place);
  }
}

static void set_frame(const lwTransform* T, NUMBER rotation[9], NUMBER position[3])
{
  for (int i = 0; i < 3; ++i)
  {
    position[i] = T->p[i];
    for (int j = 0; j < 3; ++j) rotation[3 * i + j] = T->R[i][j];
  }
}

// Sums the links that ride on each moving joint, about its canonical origin. static_part: what
// stands on the base.
static void sum_inertials(const lwModel* model, lwInertial* bodies, lwInertial* static_part)
{
  *static_part = lw_inertial_at(&model->robot.base, &lw_identity);
  for (int i = 0; i < model->split.count; ++i)
  {
    const lwJointFrame* joint_frame = &model->joint_frame[i];
    lwInertial part = lw_inertial_at(&model->split.joints[i].link, &joint_frame->place);
    lw_inertial_add(joint_frame->carrier == LW_BASE ? static_part : &bodies[joint_frame->carrier],
                    &part);
  }
}

// Each link by itself, in the frame of the body that carries it.
static void set_member(const lwModel* model, int i, CanonicalMember* member)
{
  const lwJointFrame* joint_frame = &model->joint_frame[i];
  lwInertial part = lw_inertial_at(&model->robot.joints[i].link, &joint_frame->place);
  NUMBER half     = (part.inertia[0] + part.inertia[1] + part.inertia[2]) / 2;
  set_frame(&joint_frame->place, member->rotation, member->position);
  member->mass = part.mass;
  for (int k = 0; k < 3; ++k)
  {
    member->first_moment[k] = part.first_moment[k];
    member->pseudo[k]       = half - part.inertia[k];
    member->pseudo[3 + k]   = -part.inertia[3 + k];
  }
}

static unsigned char kind_of_place(const lwTransform* place)
{
  bool moved = false, turned = false;
  for (int i = 0; i < 3; ++i)
  {
    moved = moved || place->p[i] != 0;
    for (int k = 0; k < 3; ++k) turned = turned || place->R[i][k] != (i == k);
  }
  return turned ? LW_PLACE_TURNED : moved ? LW_PLACE_MOVED : LW_PLACE_SAME;
}

static void set_inertial(CanonicalLink* link, const lwInertial* body)
{
  link->mass = body->mass;
  for (int k = 0; k < 3; ++k) link->first_moment[k] = body->first_moment[k];
  for (int k = 0; k < 6; ++k) link->inertia[k] = body->inertia[k];
}

static NUMBER dot(const NUMBER a[3], const NUMBER b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void set_ends(lwModel* model, const CanonicalLink* links, const lwTransform* base,
                     const lwInertial* static_part, CanonicalEnds* ends)
{
  const lwJointFrame* last = &model->joint_frame[model->split.count - 1];
  const double* of         = model->robot.gravity;
  const NUMBER g[3]        = {of[0], of[1], of[2]};
  model->tool              = last->carrier;
  set_frame(&last->place, ends->tool_rotation, ends->tool_position);
  set_frame(base, ends->base_rotation, ends->base_position);

  NUMBER moving = 0;
  for (int i = 0; i < model->n; ++i)
    if (model->parent[i] == LW_BASE) moving += links[i].outboard_mass;
  for (int i = 0; i < 3; ++i)
    ends->gravity[i] = base->R[0][i] * g[0] + base->R[1][i] * g[1] + base->R[2][i] * g[2];
  ends->potential = -dot(g, static_part->first_moment) - moving * dot(g, base->p);
}

// Where the constants go: of double, into the model, and into floats as well.
#if defined(LW_NUMBER_QUAD)

static bool keep_constants(lwModel* model, const CanonicalLink* links, const CanonicalEnds* ends,
                           const CanonicalMember* members)
{
  model->scalar_links   = links;
  model->scalar_ends    = ends;
  model->scalar_members = members;
  return true;
}

#else

static void to_float(const double* from, float* to, size_t count)
{
  for (size_t i = 0; i < count; ++i) to[i] = (float)from[i];
}

enum
{
  BODY_NUMBERS = sizeof(lwBodies64) / sizeof(double) / LW_BODIES_64
};

// In the order of LW_BODIES_FIELDS.
static void body_numbers(const lwLink64* link, double numbers[BODY_NUMBERS])
{
  *numbers++ = link->mass;
  for (int k = 0; k < 3; ++k) *numbers++ = link->first_moment[k];
  for (int k = 0; k < 6; ++k) *numbers++ = link->pseudo[k];
  for (int k = 0; k < 3; ++k) *numbers++ = link->grouped_first_moment[k];
  for (int k = 0; k < 6; ++k) *numbers++ = link->grouped_pseudo[k];
}

static void set_bodies(const lwLink64* links, int n, lwBodies64* bodies64, lwBodies32* bodies32)
{
  for (int i = 0; i < n; ++i)
  {
    double numbers[BODY_NUMBERS];
    double* doubles = (double*)&bodies64[i / LW_BODIES_64] + i % LW_BODIES_64;
    float* floats   = (float*)&bodies32[i / LW_BODIES_32] + i % LW_BODIES_32;
    body_numbers(&links[i], numbers);
    for (int k = 0; k < BODY_NUMBERS; ++k)
    {
      doubles[k * LW_BODIES_64] = numbers[k];
      floats[k * LW_BODIES_32]  = (float)numbers[k];
    }
  }
}

// What kernels read of several links at once.
static bool keep_side_by_side(lwModel* model, const lwLink64* links)
{
  size_t n          = (size_t)model->n;
  lwBodies64* all64 = lw_arena_take(&model->arena, n / LW_BODIES_64 + 1, sizeof *all64);
  lwBodies32* all32 = lw_arena_take(&model->arena, n / LW_BODIES_32 + 1, sizeof *all32);
  double* offsets   = lw_arena_take(&model->arena, n + 1, sizeof *offsets);
  if (!all64 || !all32 || !offsets) return false;
  set_bodies(links, model->n, all64, all32);
  for (size_t i = 0; i < n; ++i) offsets[i] = links[i].offset;
  model->bodies64 = all64;
  model->bodies32 = all32;
  model->offsets  = offsets;
  return true;
}

static bool keep_constants(lwModel* model, const lwLink64* links, const lwEnds64* ends,
                           const lwMember64* members)
{
  size_t count      = (size_t)model->robot.count;
  size_t fields     = sizeof(lwLink64) / sizeof(double);
  lwLink32* floats  = lw_arena_take(&model->arena, (size_t)model->split.count, sizeof *floats);
  lwMember32* parts = lw_arena_take(&model->arena, count, sizeof *parts);
  if (!floats || !parts) return false;
  to_float((const double*)links, (float*)floats, (size_t)model->n * fields);
  to_float((const double*)members, (float*)parts, count * sizeof(lwMember64) / sizeof(double));
  model->member64 = members;
  model->member32 = parts;
  to_float((const double*)ends, (float*)&model->ends32, sizeof(lwEnds64) / sizeof(double));
  model->link64 = links;
  model->link32 = floats;
  model->ends64 = *ends;
  return keep_side_by_side(model, links);
}

#endif

static void set_kinds(lwModel* model, unsigned char* kind)
{
  for (int i = 0; i < model->n; ++i)
  {
    int p = model->parent[i];
    if (model->split.joints[model->part[i]].type == LW_JOINT_PRISMATIC) kind[i] = LW_KIND_PRISMATIC;
    if (model->piece[model->part[i]].wide) kind[i] |= LW_KIND_WIDE;
    if (p != LW_BASE && p != i - 1) kind[p] |= LW_KIND_FORK;
    if (kind[i] & LW_KIND_PRISMATIC) model->slides = true;
  }
}

// Runs of plain joints, along which kernels keep motions in registers.
static void set_runs(const lwModel* model, unsigned char* kind)
{
  for (int i = 0; i < model->n; ++i)
  {
    int p = model->parent[i];
    if (p == LW_BASE) continue;
    bool plain = !(kind[i] & (LW_KIND_SKEW | LW_KIND_PRISMATIC | LW_KIND_WIDE));
    if (p == i - 1 && plain && !(kind[p] & LW_KIND_WIDE))
      kind[i] |= LW_KIND_CONTINUES_RUN;
    else
      kind[p] |= LW_KIND_STORED;
  }
}

// A chain is depth first, and so is a tree whose branches stand one after the other.
static void set_ends_of_branches(lwModel* model, int* end)
{
  for (int i = 0; i < model->n; ++i) end[i] = 1;
  for (int i = model->n - 1; i >= 0; --i)
    if (model->parent[i] != LW_BASE) end[model->parent[i]] += end[i];
  for (int i = 0; i < model->n; ++i) end[i] += i;
  model->end         = end;
  model->depth_first = true;
  model->chain       = true;
  for (int i = 0; i < model->n; ++i)
  {
    int p = model->parent[i];
    if (p != LW_BASE && end[i] > end[p]) model->depth_first = false;
    if (p != i - 1) model->chain = false;
  }
}

// Seats of the chain become those of the description: a link rides on the last piece of its joint.
static void keep_whole_joint_frames(const lwModel* model, lwJointFrame* joint_frame, int* carrier)
{
  for (int i = 0; i < model->split.count; ++i) joint_frame[model->piece[i].whole] = joint_frame[i];
  for (int i = 0; i < model->robot.count; ++i) carrier[i] = joint_frame[i].carrier;
}

// Links in the order of their carriers; first: (n + 2) zeros.
static void order_by_carrier(const lwModel* model, int* first, int* order)
{
  for (int i = 0; i < model->robot.count; ++i) ++first[model->carrier[i] + 2];
  for (int k = 1; k < model->n + 2; ++k) first[k] += first[k - 1];
  for (int i = 0; i < model->robot.count; ++i) order[first[model->carrier[i] + 1]++] = i;
}

// What is built: arrays of the model, and temporaries.
typedef struct Canonical
{
  Scratch scratch;
  lwInertial* bodies;
  int *parent, *end, *joint, *part, *carrier, *first, *by_carrier;
  unsigned char *place, *kind;
  CanonicalLink* links;
  CanonicalEnds* ends;
  CanonicalMember* members;
} Canonical;

// False if memory ran out.
static bool take_canonical(lwModel* model, lwArena* temporary, Canonical* c)
{
  size_t count           = (size_t)model->split.count;
  bool enough            = take_scratch(temporary, model->split.count, &c->scratch);
  c->bodies              = lw_arena_take(temporary, count, sizeof *c->bodies);
  c->first               = lw_arena_take(temporary, count + 2, sizeof *c->first);
  c->scratch.joint_frame = lw_arena_take(&model->arena, count, sizeof *c->scratch.joint_frame);
  c->parent              = lw_arena_take(&model->arena, count, sizeof *c->parent);
  c->end                 = lw_arena_take(&model->arena, count, sizeof *c->end);
  c->joint               = lw_arena_take(&model->arena, count, sizeof *c->joint);
  c->part                = lw_arena_take(&model->arena, count, sizeof *c->part);
  c->carrier             = lw_arena_take(&model->arena, count, sizeof *c->carrier);
  c->by_carrier          = lw_arena_take(&model->arena, count, sizeof *c->by_carrier);
  c->place               = lw_arena_take(&model->arena, count, sizeof *c->place);
  c->kind                = lw_arena_take(&model->arena, count, sizeof *c->kind);
  c->links               = lw_arena_take(&model->arena, count, sizeof *c->links);
  c->ends                = lw_arena_take(&model->arena, 1, sizeof *c->ends);
  c->members             = lw_arena_take(&model->arena, count, sizeof *c->members);
  return enough && c->bodies && c->scratch.joint_frame && c->parent && c->end && c->joint &&
         c->part && c->carrier && c->first && c->by_carrier && c->place && c->kind && c->links &&
         c->ends && c->members;
}

// The tree of moving joints, and their frames.
static void build_frames(lwModel* model, Canonical* c)
{
  model->parent      = c->parent;
  model->joint       = c->joint;
  model->part        = c->part;
  model->kind        = c->kind;
  model->joint_frame = c->scratch.joint_frame;
  merge_fixed(model, c->parent, c->part, &c->scratch);
  for (int i = 0; i < model->n; ++i) c->joint[i] = model->piece[c->part[i]].whole;
  set_ends_of_branches(model, c->end);
  set_kinds(model, c->kind);
  choose_frames(model, &c->scratch);
  adjust_joint_frames(model, &c->scratch);
}

// Places and mass properties of the links in these frames.
static void build_links(lwModel* model, Canonical* c)
{
  lwInertial static_part  = {0};
  const lwTransform* base = &c->scratch.relative[0];
  sum_inertials(model, c->bodies, &static_part);
  for (int i = 0; i < model->n; ++i)
  {
    set_place(model, &c->scratch, base, i, &c->links[i]);
    set_inertial(&c->links[i], &c->bodies[i]);
    c->links[i].rotor = lw_joint_rotor(&model->split.joints[c->part[i]]);
    if (is_skew(&c->links[i])) c->kind[i] |= LW_KIND_SKEW;
  }
  set_runs(model, c->kind);
  lw_derive_links(model, c->links);
  for (int i = 0; i < model->n; ++i)
  {
    if (c->links[i].mass == 0) c->kind[i] |= LW_KIND_MASSLESS;
    if (c->links[i].outboard_mass == 0) c->kind[i] |= LW_KIND_CARRIES_NO_MASS;
  }
  set_ends(model, c->links, base, &static_part, c->ends);
}

// The links of the description, and which moving link carries each.
static void build_members(lwModel* model, Canonical* c)
{
  keep_whole_joint_frames(model, c->scratch.joint_frame, c->carrier);
  model->carrier = c->carrier;
  order_by_carrier(model, c->first, c->by_carrier);
  model->by_carrier = c->by_carrier;
  model->place      = c->place;
  for (int i = 0; i < model->robot.count; ++i)
  {
    set_member(model, i, &c->members[i]);
    c->place[i] = kind_of_place(&model->joint_frame[i].place);
  }
}

bool lw_canonical_build(lwModel* model)
{
  lwArena temporary = {0};
  Canonical c       = {0};
  bool enough       = take_canonical(model, &temporary, &c);
  if (enough)
  {
    build_frames(model, &c);
    build_links(model, &c);
    build_members(model, &c);
    enough = keep_constants(model, c.links, c.ends, c.members);
  }
  lw_arena_free(&temporary);
  return enough;
}
