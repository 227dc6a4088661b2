// SPDX-License-Identifier: MIT
// Derivatives of answers, by dual numbers.
//
//   description, lengths and angles --virtual joints--> canonical frames
//     --slopes of mass properties--> links in REAL
//   state and its slopes --kernels--> answer and its slopes
#define LW_SCALAR_dual
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "linkwork/slopes.h"

#include "answer/scalar_answer.h"
#include "base/diag.h"
#include "base/memory.h"
#include "model/canonical.h"
#include "model/derived.h"
#include "model/loops.h"
#include "model/native.h"
#include "model/virtual_joints.h"

struct lwDifferentiator
{
  const lwModel* model;   // without virtual joints
  const lwModel* native;  // the model with wide joints
  lwWorkspace* settings;  // of the model
  ScalarAnswer scalar;
  int count;                // parameters
  lwParameter* parameters;  // their joints as numbered in native->split
  int* carries;             // (joints) the piece of native->split that carries the joint's link
  double* rest;             // (nq) positions where none are given
  double* rates;            // (nq) of q along a direction
  lwVirtualJoints joints;
  int* slot;  // (count) the moving joint that stands for a length or an angle; or -1
  // (count) derivative of a link's mass properties, about its canonical origin
  lwInertial* inertial;
  lwInertial fixed;  // of all that never moves
  Link* links;       // (n)
  Ends* ends;
  Member* members;  // (joints) for reactions
  lwArena arena;
};

// kg: a massless link has no centre of mass to divide by, but may get a mass along a direction
static const double HARDLY_ANY = 1e-150;

// --- constants and their slopes

// Where the link of a parameter is: the moving joint that carries it, and its place there.
static const lwJointFrame* parameter_joint_frame(const lwDifferentiator* d, int p)
{
  return &d->scalar.model.joint_frame[d->joints.link[d->parameters[p].joint]];
}

// The derivative of mass, first moment and inertia about the origin of the link's frame,
// seen from its carrier.
static lwInertial inertial_slope(const lwDifferentiator* d, int p)
{
  const lwParameter* parameter    = &d->parameters[p];
  const lwLinkDef* link           = &d->native->split.joints[parameter->joint].link;
  const lwJointFrame* joint_frame = parameter_joint_frame(d, p);
  int k                           = parameter->entry;
  if (parameter->kind == LW_PARAMETER_COM)
  {
    // m (2 c_k 1 - e_k c^T - c e_k^T)
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    lwInertial body      = {0};
    body.first_moment[k] = link->mass;
    for (int i = 0; i < 6; ++i)
      body.inertia[i] =
          link->mass * ((i < 3 ? 2 * link->com[k] : 0) - (row[i] == k) * link->com[column[i]] -
                        (column[i] == k) * link->com[row[i]]);
    return lw_inertial_move(&body, &joint_frame->place);
  }
  lwLinkDef unit = {.com = {link->com[0], link->com[1], link->com[2]}};
  if (parameter->kind == LW_PARAMETER_MASS) unit.mass = 1;
  if (parameter->kind == LW_PARAMETER_INERTIA) unit.inertia[k] = 1;
  return lw_inertial_at(&unit, &joint_frame->place);
}

static bool is_inertial(const lwParameter* parameter)
{
  return parameter->kind == LW_PARAMETER_MASS || parameter->kind == LW_PARAMETER_COM ||
         parameter->kind == LW_PARAMETER_INERTIA;
}

static void add_slope(REAL* number, int k, double slope)
{
  lw_dual_set_slope(number, k, lw_dual_slope(number, k) + slope);
}

// The links with the values of the model and no slopes.
static void reset_links(lwDifferentiator* d)
{
  const size_t fields = sizeof(lwLink64) / sizeof(double);
  const double* from  = (const double*)d->scalar.model.link64;
  REAL* to            = (REAL*)d->links;
  for (size_t i = 0; i < (size_t)d->scalar.model.n * fields; ++i) to[i] = constant(from[i]);
  scalar_hold(&d->scalar, d->links);
}

static void reset_ends(lwDifferentiator* d)
{
  const double* from = (const double*)&d->scalar.model.ends64;
  REAL* to           = (REAL*)d->ends;
  for (size_t i = 0; i < sizeof(lwEnds64) / sizeof(double); ++i) to[i] = constant(from[i]);
}

// Parameter p changes along direction k at a rate.
static void add_inertial_slope(lwDifferentiator* d, int p, int k, double rate)
{
  const lwInertial* body = &d->inertial[p];
  int carrier            = parameter_joint_frame(d, p)->carrier;
  if (carrier == LW_BASE) return;
  Link* link = &d->links[carrier];
  add_slope(&link->mass, k, rate * body->mass);
  for (int i = 0; i < 3; ++i) add_slope(&link->first_moment[i], k, rate * body->first_moment[i]);
  for (int i = 0; i < 6; ++i) add_slope(&link->inertia[i], k, rate * body->inertia[i]);
}

// J = tr(I)/2 1 - I, which is linear
static void add_pseudo_slope(REAL pseudo[6], int k, double rate, const double I[6])
{
  double half = (I[0] + I[1] + I[2]) / 2;
  for (int i = 0; i < 6; ++i) add_slope(&pseudo[i], k, rate * ((i < 3 ? half : 0) - I[i]));
}

// The links of the description as parts of bodies.
static void set_members(lwDifferentiator* d, const lwTangent* directions, int count)
{
  const size_t fields = sizeof(lwMember64) / sizeof(double);
  const double* from  = (const double*)d->scalar.model.member64;
  REAL* to            = (REAL*)d->members;
  for (size_t i = 0; i < (size_t)d->joints.count * fields; ++i) to[i] = constant(from[i]);
  for (int p = 0; p < d->count; ++p)
    for (int k = 0; k < count && is_inertial(&d->parameters[p]); ++k)
    {
      Member* member         = &d->members[d->joints.link[d->parameters[p].joint]];
      const lwInertial* body = &d->inertial[p];
      double rate            = directions[k].parameters ? directions[k].parameters[p] : 0;
      add_slope(&member->mass, k, rate * body->mass);
      for (int i = 0; i < 3; ++i)
        add_slope(&member->first_moment[i], k, rate * body->first_moment[i]);
      add_pseudo_slope(member->pseudo, k, rate, body->inertia);
    }
}

// Gravity in canonical axes, and the energy of what never moves and of
// the base frame's displacement:
//   V = -g . h - m g . p, h: first moment of what never moves, m: what moves, p: canonical base
static void set_ends(lwDifferentiator* d, const lwTangent* directions, int count)
{
  const lwModel* model = &d->scalar.model;
  Ends* ends           = d->ends;
  V3 g = v3_zero(), h = v3_zero();
  REAL* of[3]     = {&g.x, &g.y, &g.z};
  REAL* moment[3] = {&h.x, &h.y, &h.z};
  reset_ends(d);
  for (int i = 0; i < 3; ++i)
  {
    of[i]->value     = model->robot.gravity[i];
    moment[i]->value = d->fixed.first_moment[i];
  }
  for (int p = 0; p < d->count; ++p)
    for (int k = 0; k < count; ++k)
    {
      double rate = directions[k].parameters ? directions[k].parameters[p] : 0;
      if (d->parameters[p].kind == LW_PARAMETER_GRAVITY)
        add_slope(of[d->parameters[p].entry], k, rate);
      else if (is_inertial(&d->parameters[p]) && parameter_joint_frame(d, p)->carrier == LW_BASE)
        for (int i = 0; i < 3; ++i) add_slope(moment[i], k, rate * d->inertial[p].first_moment[i]);
    }
  REAL moving = zero();
  for (int i = 0; i < model->n; ++i)
    if (model->parent[i] == LW_BASE) moving = r_add(moving, d->links[i].outboard_mass);
  for (int i = 0; i < 3; ++i)
  {
    const REAL* R    = ends->base_rotation;
    ends->gravity[i] = r_add(r_add(r_mul(R[i], g.x), r_mul(R[3 + i], g.y)), r_mul(R[6 + i], g.z));
  }
  REAL lifted     = r_mul(moving, dot(g, known_vector(ends->base_position)));
  ends->potential = r_neg(r_add(dot(g, h), lifted));
}

static void set_constants(lwDifferentiator* d, const lwTangent* directions, int count)
{
  reset_links(d);
  for (int i = 0; i < d->scalar.model.n; ++i)
    for (int k = 0; k < LW_SLOPES; ++k) lw_dual_set_slope(&d->scalar.shift[i], k, 0);
  for (int p = 0; p < d->count; ++p)
    for (int k = 0; k < count; ++k)
    {
      double rate = directions[k].parameters ? directions[k].parameters[p] : 0;
      if (is_inertial(&d->parameters[p]))
        add_inertial_slope(d, p, k, rate);
      else if (d->slot[p] >= 0)
        lw_dual_set_slope(&d->scalar.shift[d->slot[p]], k, rate);
    }
  derive_links(&d->scalar.model, d->links);
  set_ends(d, directions, count);
}

// --- states and answers

static const double* direction_rates(const lwTangent* direction, int input)
{
  const double* all[] = {direction->q, direction->qd, direction->qdd, direction->tau,
                         direction->wrench};
  return all[input];
}

// Positions with their slopes, those of ball and floating joints in the tangent space.
static const REAL* dual_positions(lwDifferentiator* d, const double* q, const lwTangent* directions,
                                  int count)
{
  REAL* out = d->scalar.inputs[0];
  if (!q) q = d->rest;
  for (int i = 0; i < d->model->nq; ++i) out[i] = constant(q[i]);
  for (int k = 0; k < count; ++k)
  {
    if (!directions[k].q) continue;
    lw_model_rates(d->model, q, directions[k].q, d->rates);
    for (int i = 0; i < d->model->nq; ++i) lw_dual_set_slope(&out[i], k, d->rates[i]);
  }
  return out;
}

// Another input with its slopes; NULL if neither is there.
static const REAL* dual_input(lwDifferentiator* d, int input, const double* values,
                              const lwTangent* directions, int count)
{
  int size  = input == SCALAR_WRENCH ? 6 : d->scalar.dof;
  bool any  = values != NULL;
  REAL* out = d->scalar.inputs[input];
  for (int i = 0; i < size; ++i) out[i] = constant(values ? values[i] : 0);
  for (int k = 0; k < count; ++k)
  {
    const double* rates = direction_rates(&directions[k], input);
    any                 = any || rates;
    for (int i = 0; i < size && rates; ++i) lw_dual_set_slope(&out[i], k, rates[i]);
  }
  return any ? out : NULL;
}

static void dual_block(lwDifferentiator* d, lwQuestion question, const lwStates* state,
                       const lwTangent* directions, int count)
{
  unsigned needed               = lw_question_info(question)->inputs;
  const double* of[]            = {state->q, state->qd, state->qdd, state->tau, state->wrench};
  const REAL* in[SCALAR_INPUTS] = {dual_positions(d, state->q, directions, count)};
  for (int k = 1; k < SCALAR_INPUTS; ++k)
    if (needed & (1u << k)) in[k] = dual_input(d, k, of[k], directions, count);
  set_constants(d, directions, count);
  int kernel = d->scalar.settings->kernel[question];
  if (d->scalar.variant->kernels[kernel]->flags & LW_KERNEL_READS_LINKS)
    set_members(d, directions, count);
  scalar_answer(&d->scalar, question, in, d->scalar.outputs);
}

// The place of a joint's link among the joints of own.
static int link_place(const lwDifferentiator* d, int joint)
{
  return d->joints.link[d->carries[joint]];
}

// Where entry i of an answer about the described robot stands in that about the one with virtual
// joints. What joint i transmits is what the link in its frame receives.
static size_t output_place(const lwDifferentiator* d, lwQuestion question, size_t i)
{
  const lwQuantity* part = lw_quantity_next(question, NULL);
  bool by_link           = part->shape == LW_QUANTITY_SHAPE_JOINTS ||
                 part->shape == LW_QUANTITY_SHAPE_LINKS ||
                 part->shape == LW_QUANTITY_SHAPE_PARAMETERS;
  size_t width = by_link ? (size_t)part->count : 0;
  if (!width) return i;
  size_t links = (size_t)d->model->robot.count, row = i / width / links, link = i / width % links;
  return (row * (size_t)d->scalar.model.robot.count + (size_t)link_place(d, (int)link)) * width +
         i % width;
}

static void fill_nan(size_t count, double* out)
{
  for (size_t i = 0; i < count && out; ++i) out[i] = (double)NAN;
}

void lw_differentiate(lwDifferentiator* d, lwQuestion question, const lwStates* state,
                      const lwTangent* directions, int count, double* value, double* slopes)
{
  size_t size = lw_question_outputs(d->model, question);
  if (!d->scalar.settings || !lw_workspace_answers(d->scalar.settings, question))
  {
    fill_nan(size, value);
    fill_nan(size * (size_t)count, slopes);
    return;
  }
  for (int done = 0; done == 0 || done < count; done += LW_SLOPES)
  {
    int next = count - done < LW_SLOPES ? count - done : LW_SLOPES;
    dual_block(d, question, state, directions + done, next);
    for (size_t i = 0; i < size; ++i)
    {
      const REAL* out = &d->scalar.outputs[output_place(d, question, i)];
      if (value) value[i] = out->value;
      for (int k = 0; k < next; ++k) slopes[(size_t)(done + k) * size + i] = lw_dual_slope(out, k);
    }
  }
}

// --- life

// Poses, Jacobians and wrenches are those of the last link.
static void set_frame(lwDifferentiator* d)
{
  ScalarAnswer* scalar = &d->scalar;
  const lwJointFrame* joint_frame =
      &scalar->model.joint_frame[link_place(d, d->model->robot.count - 1)];
  scalar->view = (lwView){.carrier = joint_frame->carrier, .own = &scalar->place};
  for (int k = 0; k < 9; ++k)
    scalar->place.rotation[k] = constant(joint_frame->place.R[k / 3][k % 3]);
  for (int k = 0; k < 3; ++k) scalar->place.position[k] = constant(joint_frame->place.p[k]);
}

// Which of the moving joints are independent, follow or are held:
// virtual joints are held where they are.
static bool couple_joints(lwDifferentiator* d)
{
  const lwModel* model = d->native;
  size_t n             = (size_t)d->scalar.model.n;
  int* leader          = lw_arena_take(&d->arena, n, sizeof *leader);
  double* gain         = lw_arena_take(&d->arena, n, sizeof *gain);
  d->scalar.shift      = lw_arena_take(&d->arena, n, sizeof *d->scalar.shift);
  if (!leader || !gain || !d->scalar.shift) return false;
  for (int i = 0, real = 0; i < d->scalar.model.n; ++i)
  {
    int joint = d->scalar.model.joint[i];
    bool held = d->joints.real[joint] < 0;
    leader[i] = held ? -1 : model->leader[real];
    gain[i]   = held ? 0 : model->gain[real];
    if (!held) d->scalar.shift[i] = constant(model->shift[real++]);
    if (held) d->slot[d->joints.parameter[joint]] = i;
  }
  d->scalar.leader  = leader;
  d->scalar.gain    = gain;
  d->scalar.dof     = model->dof;
  d->scalar.follows = model->coupled;
  return true;
}

// Every freedom of a wide joint has a link here. All are parts of the body behind the last one, which
// is the only one that moves by itself.
static void join_wide_links(lwModel* scalar)
{
  int* carrier         = (int*)scalar->carrier;
  lwJointFrame* frames = (lwJointFrame*)scalar->joint_frame;
  for (int j = 0; j < scalar->robot.count; ++j)
    if (carrier[j] != LW_BASE && scalar->kind[carrier[j]] & LW_KIND_WIDE)
      carrier[j] = frames[j].carrier = scalar->wides[scalar->wide_of[carrier[j]]].last;
}

// The freedoms of a wide joint stay together: virtual joints stand before and behind them.
static bool build_robot(lwDifferentiator* d)
{
  lwModel* scalar = &d->scalar.model;
  *scalar         = *d->native;
  scalar->arena   = (lwArena){0};
  scalar->n       = 0;  // counted again
  if (!lw_virtual_joints_build(&d->native->split, d->parameters, d->count, &d->arena, &d->joints))
    return false;
  for (int p = 0; p < d->count; ++p)
  {
    if (d->parameters[p].kind != LW_PARAMETER_MASS) continue;
    lwLinkDef* link = &d->joints.joints[d->joints.link[d->parameters[p].joint]].link;
    if (link->mass == 0) link->mass = HARDLY_ANY;
  }
  scalar->robot.count  = d->joints.count;
  scalar->robot.joints = scalar->joints = d->joints.joints;
  scalar->split                         = scalar->robot;
  lwJointPiece* pieces = lw_arena_take(&d->arena, (size_t)d->joints.count, sizeof *pieces);
  for (int i = 0; i < d->joints.count && pieces; ++i)
  {
    int real  = d->joints.real[i];
    pieces[i] = (lwJointPiece){.whole = i, .wide = real >= 0 && d->native->piece[real].wide};
  }
  scalar->piece       = pieces;
  scalar->range_count = 0;
  if (!pieces || !lw_canonical_build(scalar)) return false;
  if (d->model->ball_count == 0) return true;
  if (!lw_freedoms_build(scalar, d->model)) return false;
  join_wide_links(scalar);
  return true;
}

static void build_slopes(lwDifferentiator* d)
{
  const lwModel* model = &d->scalar.model;
  d->fixed             = lw_inertial_at(&model->robot.base, &lw_identity);
  for (int i = 0; i < model->robot.count; ++i)
  {
    const lwJointFrame* joint_frame = &model->joint_frame[i];
    lwInertial part = lw_inertial_at(&model->robot.joints[i].link, &joint_frame->place);
    if (joint_frame->carrier == LW_BASE) lw_inertial_add(&d->fixed, &part);
  }
  for (int p = 0; p < d->count; ++p)
    if (is_inertial(&d->parameters[p])) d->inertial[p] = inertial_slope(d, p);
}

// Parameters of the joints of native->split: a link is on the last piece of its joint, its place
// is that of the first.
static void number_pieces(lwDifferentiator* d, const lwParameter* parameters)
{
  const lwModel* model = d->native;
  for (int i = 0; i < model->split.count; ++i) d->carries[model->piece[i].whole] = i;
  for (int p = 0; p < d->count; ++p)
  {
    d->parameters[p] = parameters[p];
    d->slot[p]       = -1;
    if (parameters[p].kind == LW_PARAMETER_GRAVITY) continue;
    int at = d->carries[parameters[p].joint];
    if (!is_inertial(&parameters[p])) at -= model->piece[at].part;
    d->parameters[p].joint = at;
  }
}

static lwStatus build_differentiator(lwDifferentiator* d, const lwParameter* parameters, int count)
{
  const lwModel* model = d->model;
  size_t size          = (size_t)count + 1;
  d->count             = count;
  d->parameters        = lw_arena_take(&d->arena, size, sizeof *d->parameters);
  d->slot              = lw_arena_take(&d->arena, size, sizeof *d->slot);
  d->inertial          = lw_arena_take(&d->arena, size, sizeof *d->inertial);
  d->carries = lw_arena_take(&d->arena, (size_t)model->robot.count + 1, sizeof *d->carries);
  d->rest    = lw_arena_take(&d->arena, (size_t)model->nq + 1, sizeof *d->rest);
  d->rates   = lw_arena_take(&d->arena, (size_t)model->nq + 1, sizeof *d->rates);
  if (!d->parameters || !d->slot || !d->inertial || !d->carries || !d->rest || !d->rates)
    return LW_ERROR_MEMORY;
  lw_model_neutral(model, d->rest);
  number_pieces(d, parameters);
  d->scalar.variant = lw_dual_variant();
  if (!build_robot(d) || !couple_joints(d) || !scalar_memory(&d->scalar)) return LW_ERROR_MEMORY;
  d->links   = lw_arena_take(&d->arena, (size_t)d->scalar.model.n, sizeof *d->links);
  d->ends    = lw_arena_take(&d->arena, 1, sizeof *d->ends);
  d->members = lw_arena_take(&d->arena, (size_t)d->joints.count, sizeof *d->members);
  if (!d->links || !d->ends || !d->members) return LW_ERROR_MEMORY;
  d->scalar.model.scalar_links   = d->links;
  d->scalar.model.scalar_ends    = d->ends;
  d->scalar.model.scalar_members = d->members;
  build_slopes(d);
  set_frame(d);
  return LW_OK;
}

// Ball and floating joints are wide in dual numbers, which methods that take them as chains do not
// take.
static lwStatus choose_settings(lwDifferentiator* d, const lwWorkspaceDef* def, lwDiag* diag)
{
  d->scalar.settings = d->model->native ? d->settings->native : d->settings;
  for (int k = 0; k < LW_QUESTION_COUNT && d->model->native && def; ++k)
  {
    bool asked = def->questions & LW_ASKS(k);
    if (!asked || lw_workspace_is_native(d->settings, (lwQuestion)k)) continue;
    LW_REFUSE(diag, NULL,
              "derivatives of '%s' by '%s' take no ball or floating joints, and '%.60s' has some",
              lw_question_info((lwQuestion)k)->name, d->settings->method[k], d->model->robot.name);
    return LW_ERROR_METHOD;
  }
  return LW_OK;
}

lwStatus lw_differentiator_create(const lwModel* model, const lwWorkspaceDef* def,
                                  const lwParameter* parameters, int count, lwDiag* diag,
                                  lwDifferentiator** differentiator)
{
  *differentiator = NULL;
  for (int p = 0; p < count; ++p)
    if (!lw_parameter_exists(model, parameters[p]))
    {
      LW_REFUSE(diag, NULL, "parameter %d is none of '%s'", p + 1, model->robot.name);
      return LW_ERROR_INPUT;
    }
  lwDifferentiator* made = lw_memory_zeros(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  lwWorkspaceDef settings = def ? *def : lw_workspace_def();
  settings.precision      = LW_PRECISION_DOUBLE;
  made->model             = model;
  made->native            = lw_model_native(model);
  lwStatus status         = settings.open_tree ? LW_OK : lw_tree_check(model, "derivatives", diag);
  if (status == LW_OK) status = lw_workspace_create(model, &settings, diag, &made->settings);
  if (status == LW_OK) status = choose_settings(made, def, diag);
  if (status == LW_OK && made->scalar.settings)
    status = build_differentiator(made, parameters, count);
  if (status == LW_OK)
    *differentiator = made;
  else
    lw_differentiator_destroy(made);
  return status;
}

void lw_differentiator_destroy(lwDifferentiator* d)
{
  if (!d) return;
  lw_workspace_destroy(d->settings);
  lw_arena_free(&d->scalar.model.arena);
  lw_arena_free(&d->scalar.arena);
  lw_arena_free(&d->arena);
  lw_memory_give(d);
}
