// SPDX-License-Identifier: MIT
// The equations of motion of a tree whose loops are cut, of one state: inertia matrix M, torques h
// of the motion without acceleration, rows J of the loops and their accelerations dJ/dt qd.
//
// Walker & Orin 1982, method 3 (composite bodies), and Luh, Walker & Paul 1980 (Newton-Euler), but
// in the axes of the base, where a vector is one register (math/vec4.h) and nothing is turned
// between links: one outward and one inward pass give everything.
//
//   here     meaning                                                        axes of the base, unit
//   x y z    axes of link i; z is that of its joint
//   p        its origin                                                     m
//   r        origin of the parent to that of the link                       m
//   w, wd    angular velocity and acceleration                              rad/s, rad/s^2
//   v, a     velocity and acceleration of the origin; a is more by -g       m/s, m/s^2
//   f, n     wrench that the joint transmits, moment about p                N, N m
//   mass h J composite body: link and all that it carries, first moment and
//            integral of r r^T dm about p; I = tr(J) 1 - J                  kg, kg m, kg m^2
//
// A row of a loop is a force along g at frame B of the loop, or a moment about g (model/loops.h).
#include "kernels/forward/loop_kernel.h"
#include "kernels/joints.h"
#include "math/vec4.h"
#include "model/ball.h"
#include "model/rolling.h"

typedef struct LoopBody
{
  Four3 axes;  // x y z
  Four p, r;
  Four w, wd, v, a;
  Four f, n;
  Four h;
  Four3 J;
  double mass;
} LoopBody;

// --- outward

// Axes a, b after a turn from a towards b.
INLINE void turn_base_axes(double c, double s, Four* a, Four* b)
{
  Four old = *a;
  *a       = four_scale_add(c, old, four_scale(s, *b));
  *b       = four_scale_add(c, *b, four_scale(-s, old));
}

// Link i on its parent: Rz(gamma) Rx(alpha) T(a, e, d) Rz(theta)
INLINE void place_body(const Link* link, bool skew, Turn theta, double d, const LoopBody* from,
                       LoopBody* body)
{
  Four3 axes = from->axes;
  Four r     = four_scale(link->span[0], axes.x);
  if (skew)
  {
    r = four_combine(&axes, link->span);
    turn_base_axes(link->cos_gamma, link->sin_gamma, &axes.x, &axes.y);
  }
  turn_base_axes(link->cos_alpha, link->sin_alpha, &axes.y, &axes.z);
  body->r = four_scale_add(d, axes.z, r);
  body->p = four_add(from->p, body->r);
  turn_base_axes(theta.c, theta.s, &axes.x, &axes.y);
  body->axes = axes;
}

// Velocities and, with joints that do not accelerate, accelerations.
INLINE void move_body(const LoopBody* from, bool slides, double rate, LoopBody* body)
{
  Four w = from->w, wd = from->wd, r = body->r, z = body->axes.z;
  Four wr = four_cross(w, r), wz = four_cross(w, z);
  body->v  = four_add(from->v, wr);
  body->a  = four_cross_add(w, wr, four_cross_add(wd, r, from->a));
  body->w  = slides ? w : four_scale_add(rate, z, w);
  body->wd = slides ? wd : four_scale_add(rate, wz, wd);
  if (!slides) return;
  body->v = four_scale_add(rate, z, body->v);
  body->a = four_scale_add(2 * rate, wz, body->a);
}

// The link alone as a composite body, and its net force and moment:
//   f = m a + wd x h + w x (w x h)      n = h x a + I wd + w x I w
INLINE void load_body(const Link* link, LoopBody* body)
{
  const double* J   = link->pseudo;  // xx yy zz xy xz yz
  const Four3* axes = &body->axes;
  Four w = body->w, wd = body->wd, h = four_combine(axes, link->first_moment);
  Four3 RJ   = {four_combine(axes, (double[]){J[0], J[3], J[4]}),
                four_combine(axes, (double[]){J[3], J[1], J[5]}),
                four_combine(axes, (double[]){J[4], J[5], J[2]})};
  Four3 rows = four_transpose(*axes);
  body->J    = (Four3){four_apply(&RJ, rows.x), four_apply(&RJ, rows.y), four_apply(&RJ, rows.z)};
  Four turns = four_sub(four_cross(four_apply(&body->J, w), w), four_apply(&body->J, wd));
  Four moves = four_cross_add(wd, h, four_cross(w, four_cross(w, h)));
  body->f    = four_scale_add(link->mass, body->a, moves);
  body->n    = four_cross_add(h, body->a, four_scale_add(J[0] + J[1] + J[2], wd, turns));
  body->h    = h;
  body->mass = link->mass;
}

INLINE void load_nothing(LoopBody* body)
{
  Four none = four_all(0);
  body->f = body->n = body->h = none;
  body->J                     = (Four3){none, none, none};
  body->mass                  = 0;
}

INLINE LoopBody base_body(const lwModel* model)
{
  const double* g = model->ends64.gravity;
  LoopBody base;
  load_nothing(&base);
  base.axes = (Four3){four_of(1, 0, 0), four_of(0, 1, 0), four_of(0, 0, 1)};
  base.p = base.r = base.w = base.wd = base.v = four_all(0);
  base.a                                      = four_of(-g[0], -g[1], -g[2]);
  return base;
}

// Rate of joint i: that of the velocity that it follows.
INLINE double rate_of(const lwModel* model, const double* yd, int i)
{
  int leader = model->leader[i];
  return leader < 0 ? 0 : model->gain[i] * yd[leader];
}

INLINE void loop_bodies_outward(const lwModel* model, const lwLoopState* state,
                                const lwLoopSystem* system, const LoopBody* base)
{
  LoopBody* bodies  = system->bodies;
  const Turn* turns = (const Turn*)(const void*)system->turns;
  for (int i = 0; i < model->n; ++i)
  {
    const Link* link     = &model->link64[i];
    const LoopBody* from = model->parent[i] == LW_BASE ? base : &bodies[model->parent[i]];
    bool slides          = is_prismatic(model, i);
    double d             = slides ? link->d + system->q[i] : link->d;
    place_body(link, model->kind[i] & LW_KIND_SKEW, turns[i], d, from, &bodies[i]);
    move_body(from, slides, rate_of(model, state->yd, i), &bodies[i]);
    if (model->kind[i] & LW_KIND_MASSLESS)
      load_nothing(&bodies[i]);
    else
      load_body(link, &bodies[i]);
  }
}

// --- inward

// The wrench that gives the composite body unit acceleration of its joint, everything else at rest.
INLINE void loop_unit_wrench(const LoopBody* body, bool slides, Four* f, Four* n)
{
  Four z         = body->axes.z;
  const Four3* J = &body->J;
  if (slides)
  {
    *f = four_scale(body->mass, z);
    *n = four_cross(body->h, z);
    return;
  }
  double sum = four_entry(J->x, 0) + four_entry(J->y, 1) + four_entry(J->z, 2);
  *f         = four_cross(z, body->h);
  *n         = four_sub(four_scale(sum, z), four_apply(J, z));
}

// Adds an entry of M_k between moving joints i and k <= i to M = G^T M_k G.
INLINE void add_inertia(const lwModel* model, int i, int k, double entry, double* M)
{
  int a = model->leader[i], b = model->leader[k];
  entry *= model->gain[i] * model->gain[k];
  if (a == b && i != k) entry += entry;
  if (a < b) a = model->leader[k], b = model->leader[i];
  M[(size_t)a * (size_t)model->dof + (size_t)b] += entry;
}

// The column of joint i, from the joint to the base.
INLINE void loop_column(const lwModel* model, const LoopBody* bodies, int i, double* M)
{
  Four f, n;
  loop_unit_wrench(&bodies[i], is_prismatic(model, i), &f, &n);
  for (int k = i;; k = model->parent[k])
  {
    if (model->leader[k] >= 0)
      add_inertia(model, i, k, four_dot(is_prismatic(model, k) ? f : n, bodies[k].axes.z), M);
    if (model->parent[k] == LW_BASE) return;
    n = four_cross_add(bodies[k].r, f, n);
  }
}

// J + h r^T + r (h + m r)^T, a column
INLINE Four shifted_column(Four J, Four h, Four r, double r_k, double after_k)
{
  return four_scale_add(r_k, h, four_scale_add(after_k, r, J));
}

// Wrench and composite body of a link to its parent.
INLINE void loop_carry(const LoopBody* body, LoopBody* to)
{
  Four r = body->r, h = body->h, after = four_scale_add(body->mass, r, h);
  to->f = four_add(to->f, body->f);
  to->n = four_add(to->n, four_cross_add(r, body->f, body->n));
  to->mass += body->mass;
  to->h = four_add(to->h, after);
  to->J.x =
      four_add(to->J.x, shifted_column(body->J.x, h, r, four_entry(r, 0), four_entry(after, 0)));
  to->J.y =
      four_add(to->J.y, shifted_column(body->J.y, h, r, four_entry(r, 1), four_entry(after, 1)));
  to->J.z =
      four_add(to->J.z, shifted_column(body->J.z, h, r, four_entry(r, 2), four_entry(after, 2)));
}

// M, and tau - h in the last column of Y.
INLINE void loop_bodies_inward(const lwModel* model, const lwLoopState* state,
                               const lwLoopSystem* system)
{
  LoopBody* bodies = system->bodies;
  size_t width     = (size_t)system->width;
  double* last     = system->Y + system->rows;
  memset(system->M, 0, (size_t)system->dof * (size_t)system->dof * sizeof *system->M);
  for (int i = 0; i < system->dof; ++i) last[(size_t)i * width] = state->tau[i];
  for (int i = model->n - 1; i >= 0; --i)
  {
    const LoopBody* body = &bodies[i];
    int leader           = model->leader[i];
    if (leader >= 0)
    {
      loop_column(model, bodies, i, system->M);
      last[(size_t)leader * width] -=
          model->gain[i] * four_dot(is_prismatic(model, i) ? body->f : body->n, body->axes.z);
    }
    if (model->parent[i] != LW_BASE) loop_carry(body, &bodies[model->parent[i]]);
  }
}

// --- rows of loops

// Directions of up to three rows, side by side: entry k of x is component x of that of row k.
typedef struct LoopRows
{
  int count;
  Four3 g;
} LoopRows;

// The next rows of a loop, of which `left` are left, that turn, or that do not.
INLINE LoopRows loop_directions(const lwLoopRow* row, int left, bool turns, const LoopBody* A)
{
  LoopRows rows = {.count = 0};
  Four g[3]     = {four_all(0), four_all(0), four_all(0)};
  for (; rows.count < left && rows.count < 3 && row[rows.count].turns == turns; ++rows.count)
    g[rows.count] = four_combine(&A->axes, row[rows.count].carried);
  rows.g = four_transpose((Four3){g[0], g[1], g[2]});
  return rows;
}

// What two links do at the point where frame B is, B relative to A and seen from A.
typedef struct LoopMeeting
{
  Four at;        // m
  Four bend;      // m/s^2
  Four twisting;  // rad/s^2
} LoopMeeting;

// a, and v in *v, of the point of a link that is `arm` from its origin
INLINE Four point_acceleration(const LoopBody* body, Four arm, Four* v)
{
  Four turned = four_cross(body->w, arm);
  *v          = four_add(body->v, turned);
  return four_cross_add(body->w, turned, four_cross_add(body->wd, arm, body->a));
}

//   u = v_B - v_A    bend = a_B - a_A - 2 w_A x u    twisting = wd_B - wd_A - w_A x (w_B - w_A)
// v and a of the points of both links that are where frame B is
INLINE LoopMeeting loop_meeting(const double place[3], const LoopBody* A, const LoopBody* B)
{
  Four arm = four_combine(&B->axes, place), at = four_add(B->p, arm), v[2];
  Four aB   = point_acceleration(B, arm, &v[1]);
  Four aA   = point_acceleration(A, four_sub(at, A->p), &v[0]);
  Four u    = four_sub(v[1], v[0]);
  Four wide = four_cross(A->w, four_add(u, u)), w = four_cross(A->w, four_sub(B->w, A->w));
  return (LoopMeeting){.at       = at,
                       .bend     = four_sub(four_sub(aB, aA), wide),
                       .twisting = four_sub(four_sub(B->wd, A->wd), w)};
}

INLINE void add_to_rows(double* y, Four entries)
{
  four_store(y, four_add(four_load(y), entries));  // entries beyond the loop's rows are 0
}

// Columns of Y and the bias of one loop. Positions come before angles.
INLINE void loop_rows(const lwModel* model, const lwLoopPair* pair, const LoopBody* base,
                      const lwLoopSystem* system)
{
  const LoopBody* bodies = system->bodies;
  const LoopBody* A      = pair->carrier[0] == LW_BASE ? base : &bodies[pair->carrier[0]];
  const LoopBody* B      = pair->carrier[1] == LW_BASE ? base : &bodies[pair->carrier[1]];
  const lwLoopRow* row   = model->loops->row + pair->first_row;
  LoopMeeting meeting    = loop_meeting(pair->place[1].p, A, B);
  LoopRows slide         = loop_directions(row, pair->rows, false, A);
  LoopRows turn          = loop_directions(row + slide.count, pair->rows - slide.count, true, A);
  double* bias           = system->bias + pair->first_row;
  four_store(bias, four_apply(&slide.g, meeting.bend));
  if (turn.count > 0) four_store(bias + slide.count, four_apply(&turn.g, meeting.twisting));
  for (int s = 0; s < pair->step_count; ++s)
  {
    int i = pair->steps[s].body, leader = model->leader[i];
    if (leader < 0) continue;
    bool slides = is_prismatic(model, i);
    double* y   = system->Y + (size_t)leader * (size_t)system->width + pair->first_row;
    Four z      = four_scale(pair->steps[s].sign * model->gain[i], bodies[i].axes.z);
    Four v      = slides ? z : four_cross(z, four_sub(meeting.at, bodies[i].p));
    add_to_rows(y, four_apply(&slide.g, v));
    if (turn.count > 0 && !slides) add_to_rows(y + slide.count, four_apply(&turn.g, z));
  }
}

// The frame of a place on a link, and the motion of its origin, in plain vectors.
INLINE lwTransform frame_on_body(const LoopBody* body, const lwTransform* place, Four* arm)
{
  lwTransform frame;
  double column[3][4], p[4];
  for (int k = 0; k < 3; ++k)
    four_store(column[k], four_combine(&body->axes,
                                       (double[]){place->R[0][k], place->R[1][k], place->R[2][k]}));
  *arm = four_combine(&body->axes, place->p);
  four_store(p, four_add(body->p, *arm));
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) frame.R[i][k] = column[k][i];
  memcpy(frame.p, p, sizeof frame.p);
  return frame;
}

INLINE void store_three(double out[3], Four v)
{
  double four[4];
  four_store(four, v);
  memcpy(out, four, 3 * sizeof *out);
}

// Columns of Y and the bias of what rolls, skates or stands: model/rolling.h
INLINE void rolling_rows(const lwModel* model, const lwLoopPair* pair, const LoopBody* base,
                         const lwLoopSystem* system)
{
  const LoopBody* body  = &((const LoopBody*)system->bodies)[pair->carrier[1]];
  lwRollingMotion moves = {0};
  Four arm, v, a;
  lwTransform frames[2]  = {pair->place[0], frame_on_body(body, &pair->place[1], &arm)};
  lwRollingPlace touches = lw_rolling_place(pair, frames);
  a                      = four_sub(point_acceleration(body, arm, &v), base->a);
  store_three(moves.v.is, v);
  store_three(moves.a.is, a);
  store_three(moves.w.is, body->w);
  store_three(moves.wd.is, body->wd);
  lwRollingRates rates = lw_rolling_rates(pair, frames, &moves);
  Four at =
      four_add(four_of(touches.arm[0], touches.arm[1], touches.arm[2]), four_add(body->p, arm));
  for (int r = 0; r < pair->rows; ++r) system->bias[pair->first_row + r] = rates.acceleration[r].is;
  for (int s = 0; s < pair->step_count; ++s)
  {
    int i = pair->steps[s].body, leader = model->leader[i];
    if (leader < 0) continue;
    const LoopBody* joint = &((const LoopBody*)system->bodies)[i];
    Four moved =
        is_prismatic(model, i) ? joint->axes.z : four_cross(joint->axes.z, four_sub(at, joint->p));
    double u[3], *y = system->Y + (size_t)leader * (size_t)system->width + pair->first_row;
    store_three(u, moved);
    for (int r = 0; r < pair->rows; ++r) y[r] += model->gain[i] * lw_dot(touches.g[r], u);
  }
}

INLINE void loop_gear_row(const lwLoopPair* pair, const lwLoopSystem* system)
{
  double* Y                     = system->Y + pair->first_row;
  size_t width                  = (size_t)system->width;
  system->bias[pair->first_row] = 0;
  if (pair->velocity[0] >= 0) Y[(size_t)pair->velocity[0] * width] -= pair->ratio;
  if (pair->velocity[1] >= 0) Y[(size_t)pair->velocity[1] * width] += 1;
}

// --- all of them

// Positions of moving joints, and the turns of those that turn.
static void loop_positions(const lwModel* model, const double* q, lwLoopSystem* system)
{
  Turn* turns = (Turn*)(void*)system->turns;
  for (int i = 0; i < model->n; ++i)
  {
    int v        = model->leader[i];
    bool free    = v >= 0 && model->position[v] >= 0;
    system->q[i] = (free ? model->gain[i] * q[model->position[v]] : 0) + model->shift[i];
  }
  joint_turns(model, system->q, turns);
  for (int k = 0; k < model->ball_count; ++k)
  {
    const lwBall* ball = &model->balls[k];
    double turn[3][2];
    quaternion_turns(q + ball->q, turn);
    for (int i = 0; i < 3; ++i)
    {
      const Link* link = &model->link64[ball->body + i];
      turns[ball->body + i] =
          turn_compose((Turn){turn[i][0], turn[i][1]}, (Turn){link->cos_theta, link->sin_theta});
    }
  }
}

static void write_loop_equations(const lwModel* model, const lwLoopState* state,
                                 lwLoopSystem* system)
{
  LoopBody base = base_body(model);
  loop_positions(model, state->q, system);
  loop_bodies_outward(model, state, system, &base);
  memset(system->Y, 0, (size_t)system->dof * (size_t)system->width * sizeof *system->Y);
  for (int k = 0; k < model->loops->count; ++k)
    if (model->loops->pairs[k].type == LW_LOOP_GEAR)
      loop_gear_row(&model->loops->pairs[k], system);
    else if (lw_loop_rolls(model->loops->pairs[k].type))
      rolling_rows(model, &model->loops->pairs[k], &base, system);
    else
      loop_rows(model, &model->loops->pairs[k], &base, system);
  loop_bodies_inward(model, state, system);
}

extern const lwLoopEquations FN(loop_equations);
const lwLoopEquations FN(loop_equations) = {sizeof(LoopBody), write_loop_equations};
