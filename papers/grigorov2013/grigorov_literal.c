// SPDX-License-Identifier: MIT
// (1)-(8): where the links are and how they move.
#include <math.h>
#include <stdlib.h>

#include "literal_body.h"

static M3 unit_matrix(void)
{
  REAL none = zero(), one = constant(1);
  return (M3){v3(one, none, none), v3(none, one, none), v3(none, none, one)};
}

static V3 constant_vector(const double v[3])
{
  return v3(constant(v[0]), constant(v[1]), constant(v[2]));
}

// A value of the state, unknown off-line.
static REAL state_value(const double* values, int i)
{
  return values ? (REAL){values[i], false} : zero();
}

// --- the robot

static void set_body(LiteralBody* body, const lwJointDef* joint, const double gravity[3])
{
  const lwLinkDef* link = &joint->link;
  const double* I       = link->inertia;
  body->joint           = joint;
  body->m               = constant(link->mass);
  body->PC              = constant_vector(link->com);
  body->I               = (M3){v3(constant(I[0]), constant(I[3]), constant(I[4])),
                               v3(constant(I[3]), constant(I[1]), constant(I[5])),
                               v3(constant(I[4]), constant(I[5]), constant(I[2]))};
  body->G               = scale(body->m, constant_vector(gravity));
}

lwStatus literal_create(const lwRobotDef* robot, unsigned printed, LiteralArm** literal)
{
  size_t n         = (size_t)robot->count;
  LiteralArm* made = calloc(1, sizeof *made);
  *literal         = made;
  if (!made) return LW_ERROR_MEMORY;
  made->n       = robot->count;
  made->printed = printed;
  made->body    = calloc(n, sizeof *made->body);
  made->seen    = calloc(n * n, sizeof *made->seen);
  if (!made->body || !made->seen) return LW_ERROR_MEMORY;
  for (int j = 0; j < made->n; ++j) set_body(&made->body[j], &robot->joints[j], robot->gravity);
  return LW_OK;
}

void literal_destroy(LiteralArm* literal)
{
  if (!literal) return;
  free(literal->body);
  free(literal->seen);
  free(literal);
}

// --- where the links are

// Modified DH: Rx(alpha) Tx(a) Rz(theta) Tz(d)
static void place_modified(LiteralBody* body, REAL c, REAL s)
{
  const lwJointDef* joint = body->joint;
  REAL ca = constant(cos(joint->alpha)), sa = constant(sin(joint->alpha));
  REAL d     = constant(joint->d);
  body->step = (M3){v3(c, r_neg(s), zero()), v3(r_mul(ca, s), r_mul(ca, c), r_neg(sa)),
                    v3(r_mul(sa, s), r_mul(sa, c), ca)};
  body->P    = v3(constant(joint->a), r_neg(r_mul(d, sa)), r_mul(d, ca));
}

// Standard DH, what "classical" means: Rz(theta) Tz(d) Tx(a) Rx(alpha)
static void place_standard(LiteralBody* body, REAL c, REAL s)
{
  const lwJointDef* joint = body->joint;
  REAL ca = constant(cos(joint->alpha)), sa = constant(sin(joint->alpha));
  REAL a     = constant(joint->a);
  body->step = (M3){v3(c, r_neg(r_mul(s, ca)), r_mul(s, sa)),
                    v3(s, r_mul(c, ca), r_neg(r_mul(c, sa))), v3(zero(), sa, ca)};
  body->P    = v3(r_mul(a, c), r_mul(a, s), constant(joint->d));
}

static void place_link(const LiteralArm* literal, LiteralBody* body, double q)
{
  double angle = q + body->joint->theta;
  REAL c = {cos(angle), false}, s = {sin(angle), false};
  if (as_printed(literal, PRINTED_FRAMES))
    place_standard(body, c, s);
  else
    place_modified(body, c, s);
}

// jR_i, jP_i, jP_Ci for all pairs: outward by (1), inward by inverting these.
static void see_all(LiteralArm* literal)
{
  for (int j = 0; j < literal->n; ++j)
  {
    *seen_from(literal, j, j) = (Seen){unit_matrix(), v3_zero(), literal->body[j].PC};
    for (int i = j + 1; i < literal->n; ++i)
    {
      const LiteralBody* body = &literal->body[i];
      const Seen* before      = seen_from(literal, j, i - 1);
      Seen* seen              = seen_from(literal, j, i);
      Seen* back              = seen_from(literal, i, j);
      seen->R                 = product(before->R, body->step);
      seen->p                 = add(before->p, m3_apply(before->R, body->P));
      seen->pc                = add(seen->p, m3_apply(seen->R, body->PC));
      back->R                 = transposed(seen->R);
      back->p                 = neg(m3_apply(back->R, seen->p));
      back->pc                = add(back->p, m3_apply(back->R, literal->body[j].PC));
    }
  }
}

// --- how they move

// jR_j-1 w x thd, (6) and (8)
static V3 turning_acceleration(const LiteralArm* literal, M3 back, V3 w, V3 thd)
{
  if (as_printed(literal, PRINTED_TURN)) return m3_apply(back, cross(w, thd));
  return cross(m3_apply(back, w), thd);
}

static void move_body(const LiteralArm* literal, LiteralBody* body, const LiteralBody* before)
{
  M3 back   = transposed(body->step);  // jR_j-1
  V3 thd    = along_z(body->thd);
  V3 thdd   = along_z(body->thdd);
  V3 turn   = turning_acceleration(literal, back, before->w, thd);
  V3 swing  = cross(before->w, cross(before->w, body->P));
  body->w   = add(m3_apply(back, before->w), thd);                                      // (6)
  body->wd  = add(add(m3_apply(back, before->wd), turn), thdd);                         // (6)
  body->vd  = m3_apply(back, add(add(cross(before->wd, body->P), swing), before->vd));  // (6)
  body->Ce  = add(m3_apply(back, before->Ce), turn);                                    // (8)
  body->CV  = m3_apply(back, add(add(cross(before->Ce, body->P), swing), before->CV));  // (8)
  V3 round  = cross(body->w, cross(body->w, body->PC));
  body->vdc = add(add(cross(body->wd, body->PC), round), body->vd);  // (6)
  body->CVC = add(add(cross(body->Ce, body->PC), round), body->CV);  // (8)
}

void literal_move(LiteralArm* literal, const lwStates* state)
{
  V3 none                  = v3_zero();
  const LiteralBody ground = {.w = none, .wd = none, .vd = none, .Ce = none, .CV = none};
  for (int j = 0; j < literal->n; ++j)
  {
    LiteralBody* body         = &literal->body[j];
    const LiteralBody* before = j > 0 ? body - 1 : &ground;
    body->thd                 = state_value(state->qd, j);
    body->thdd                = state_value(state->qdd, j);
    place_link(literal, body, state->q[j]);
    move_body(literal, body, before);
    body->base = j > 0 ? product(transposed(body->step), before->base) : transposed(body->step);
  }
  if (as_printed(literal, PRINTED_START)) literal->body[0].CVC = none;
  see_all(literal);
  literal->force  = v3(state_value(state->wrench, 0), state_value(state->wrench, 1),
                       state_value(state->wrench, 2));
  literal->moment = v3(state_value(state->wrench ? state->wrench + 3 : NULL, 0),
                       state_value(state->wrench ? state->wrench + 3 : NULL, 1),
                       state_value(state->wrench ? state->wrench + 3 : NULL, 2));
}

// (7): sums over the joints that carry link j, thd and thdd along z
static void motions_in_closed_form(const LiteralArm* literal, int j, V3 motion[LITERAL_MOTIONS])
{
  const LiteralBody* body = &literal->body[j];
  motion[LITERAL_W]       = v3_zero();
  motion[LITERAL_WD]      = body->Ce;
  motion[LITERAL_VD]      = body->CV;
  motion[LITERAL_VDC]     = body->CVC;
  for (int i = 0; i <= j; ++i)
  {
    const Seen* seen    = seen_from(literal, j, i);
    V3 swing            = m3_apply(seen->R, along_z(literal->body[i].thdd));
    motion[LITERAL_W]   = add(motion[LITERAL_W], m3_apply(seen->R, along_z(literal->body[i].thd)));
    motion[LITERAL_WD]  = add(motion[LITERAL_WD], swing);
    motion[LITERAL_VD]  = add(motion[LITERAL_VD], cross(swing, neg(seen->p)));
    motion[LITERAL_VDC] = add(motion[LITERAL_VDC], cross(swing, sub(body->PC, seen->p)));
  }
}

static double vector_length(V3 a)
{
  return sqrt(a.x.value * a.x.value + a.y.value * a.y.value + a.z.value * a.z.value);
}

void literal_compare_motions(const LiteralArm* literal, double difference[LITERAL_MOTIONS])
{
  double size[LITERAL_MOTIONS] = {0};
  for (int k = 0; k < LITERAL_MOTIONS; ++k) difference[k] = 0;
  for (int j = 0; j < literal->n; ++j)
  {
    const LiteralBody* body             = &literal->body[j];
    const V3 recursion[LITERAL_MOTIONS] = {body->w, body->wd, body->vd, body->vdc};
    V3 closed[LITERAL_MOTIONS];
    motions_in_closed_form(literal, j, closed);
    for (int k = 0; k < LITERAL_MOTIONS; ++k)
    {
      difference[k] = fmax(difference[k], vector_length(sub(closed[k], recursion[k])));
      size[k]       = fmax(size[k], vector_length(recursion[k]));
    }
  }
  for (int k = 0; k < LITERAL_MOTIONS; ++k)
    if (size[k] > 0) difference[k] /= size[k];
}
