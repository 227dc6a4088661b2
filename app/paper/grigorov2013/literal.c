// SPDX-License-Identifier: MIT
// Written over the scalar that counts (math/real_count.h), which has a value as well.
//
//   paper          here         meaning                                               frame, unit
//   j-1R_j, P_j    step, P      frame of link j in that of link j - 1                 link j - 1, m
//   jR_i, jP_i     R, p         frame of link i in that of link j, any two            link j, m
//   jR_0           base         axes of the base                                      link j
//   P_Ci, jP_Ci    PC, pc       centre of mass of link i                              link i, link j, m
//   w, w., v., v.C w wd vd vdc  motion of the link                                    link
//   C_e C_V C_VC   Ce CV CVC    what is left of w., v., v.C where all th.. are zero   link
#define LW_SCALAR_count
#define LW_ISA page

#include "literal.h"

#include <math.h>
#include <stdlib.h>

#include "math/vec.h"

typedef struct Body
{
  const lwJointDef* joint;
  M3 step, base;
  V3 P, PC;
  REAL m;
  M3 I;  // about the centre of mass
  V3 G;  // weight, base axes, N
  V3 w, wd, vd, vdc;
  V3 Ce, CV, CVC;
  REAL thd, thdd;
} Body;

// How link i is seen from link j.
typedef struct Seen
{
  M3 R;
  V3 p, pc;
} Seen;

struct Literal
{
  int n;
  unsigned printed;
  Body* body;        // (n)
  Seen* seen;        // (n n) row j, column i
  V3 force, moment;  // on the last link, N and N m
};

// --- matrices

static M3 transposed(M3 A)
{
  return (M3){v3(A.x.x, A.y.x, A.z.x), v3(A.x.y, A.y.y, A.z.y), v3(A.x.z, A.y.z, A.z.z)};
}

static M3 product(M3 A, M3 B)
{
  M3 T = transposed(B);
  return (M3){m3_apply(T, A.x), m3_apply(T, A.y), m3_apply(T, A.z)};
}

static M3 scaled(REAL k, M3 A)
{
  return (M3){scale(k, A.x), scale(k, A.y), scale(k, A.z)};
}

// V of (11): V b = a x b
static M3 preproduct(V3 a)
{
  REAL none = zero();
  return (M3){v3(none, r_neg(a.z), a.y), v3(a.z, none, r_neg(a.x)), v3(r_neg(a.y), a.x, none)};
}

static M3 unit(void)
{
  REAL none = zero(), one = constant(1);
  return (M3){v3(one, none, none), v3(none, one, none), v3(none, none, one)};
}

static V3 known(const double v[3])
{
  return v3(constant(v[0]), constant(v[1]), constant(v[2]));
}

// (2): a vector along z
static V3 along_z(REAL x)
{
  return v3(zero(), zero(), x);
}

// A value of the state: not known before it is.
static REAL given(const double* values, int i)
{
  return values ? (REAL){values[i], false} : zero();
}

// --- the robot

static void set_body(Body* body, const lwJointDef* joint, const double gravity[3])
{
  const lwLinkDef* link = &joint->link;
  const double* I       = link->inertia;
  body->joint           = joint;
  body->m               = constant(link->mass);
  body->PC              = known(link->com);
  body->I               = (M3){v3(constant(I[0]), constant(I[3]), constant(I[4])),
                               v3(constant(I[3]), constant(I[1]), constant(I[5])),
                               v3(constant(I[4]), constant(I[5]), constant(I[2]))};
  body->G               = scale(body->m, known(gravity));
}

lwStatus literal_create(const lwRobotDef* robot, unsigned printed, Literal** made)
{
  size_t n         = (size_t)robot->count;
  Literal* literal = calloc(1, sizeof *literal);
  *made            = literal;
  if (!literal) return LW_ERROR_MEMORY;
  literal->n       = robot->count;
  literal->printed = printed;
  literal->body    = calloc(n, sizeof *literal->body);
  literal->seen    = calloc(n * n, sizeof *literal->seen);
  if (!literal->body || !literal->seen) return LW_ERROR_MEMORY;
  for (int j = 0; j < literal->n; ++j)
    set_body(&literal->body[j], &robot->joints[j], robot->gravity);
  return LW_OK;
}

void literal_destroy(Literal* literal)
{
  if (!literal) return;
  free(literal->body);
  free(literal->seen);
  free(literal);
}

static bool as_printed(const Literal* literal, unsigned what)
{
  return (literal->printed & what) != 0;
}

static Seen* seen_from(const Literal* literal, int j, int i)
{
  return &literal->seen[(size_t)j * (size_t)literal->n + (size_t)i];
}

// --- where the links are

// Modified DH: Rx(alpha) Tx(a) Rz(theta) Tz(d)
static void place_modified(Body* body, REAL c, REAL s)
{
  const lwJointDef* joint = body->joint;
  REAL ca = constant(cos(joint->alpha)), sa = constant(sin(joint->alpha));
  REAL d     = constant(joint->d);
  body->step = (M3){v3(c, r_neg(s), zero()), v3(r_mul(ca, s), r_mul(ca, c), r_neg(sa)),
                    v3(r_mul(sa, s), r_mul(sa, c), ca)};
  body->P    = v3(constant(joint->a), r_neg(r_mul(d, sa)), r_mul(d, ca));
}

// Standard DH, what "classical" means: Rz(theta) Tz(d) Tx(a) Rx(alpha)
static void place_standard(Body* body, REAL c, REAL s)
{
  const lwJointDef* joint = body->joint;
  REAL ca = constant(cos(joint->alpha)), sa = constant(sin(joint->alpha));
  REAL a     = constant(joint->a);
  body->step = (M3){v3(c, r_neg(r_mul(s, ca)), r_mul(s, sa)),
                    v3(s, r_mul(c, ca), r_neg(r_mul(c, sa))), v3(zero(), sa, ca)};
  body->P    = v3(r_mul(a, c), r_mul(a, s), constant(joint->d));
}

static void place(const Literal* literal, Body* body, double q)
{
  double angle = q + body->joint->theta;
  REAL c = {cos(angle), false}, s = {sin(angle), false};
  if (as_printed(literal, PRINTED_FRAMES))
    place_standard(body, c, s);
  else
    place_modified(body, c, s);
}

// jR_i, jP_i, jP_Ci for all pairs: forwards by (1), backwards by turning those round.
static void see_all(Literal* literal)
{
  for (int j = 0; j < literal->n; ++j)
  {
    *seen_from(literal, j, j) = (Seen){unit(), v3_zero(), literal->body[j].PC};
    for (int i = j + 1; i < literal->n; ++i)
    {
      const Body* body   = &literal->body[i];
      const Seen* before = seen_from(literal, j, i - 1);
      Seen* seen         = seen_from(literal, j, i);
      Seen* back         = seen_from(literal, i, j);
      seen->R            = product(before->R, body->step);
      seen->p            = add(before->p, m3_apply(before->R, body->P));
      seen->pc           = add(seen->p, m3_apply(seen->R, body->PC));
      back->R            = transposed(seen->R);
      back->p            = neg(m3_apply(back->R, seen->p));
      back->pc           = add(back->p, m3_apply(back->R, literal->body[j].PC));
    }
  }
}

// --- how they move

// jR_j-1 w x thd, (6) and (8)
static V3 turning(const Literal* literal, M3 back, V3 w, V3 thd)
{
  if (as_printed(literal, PRINTED_TURN)) return m3_apply(back, cross(w, thd));
  return cross(m3_apply(back, w), thd);
}

static void move_body(const Literal* literal, Body* body, const Body* before)
{
  M3 back   = transposed(body->step);  // jR_j-1
  V3 thd    = along_z(body->thd);
  V3 thdd   = along_z(body->thdd);
  V3 turn   = turning(literal, back, before->w, thd);
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

void literal_move(Literal* literal, const lwStates* state)
{
  V3 none           = v3_zero();
  const Body ground = {.w = none, .wd = none, .vd = none, .Ce = none, .CV = none};
  for (int j = 0; j < literal->n; ++j)
  {
    Body* body         = &literal->body[j];
    const Body* before = j > 0 ? body - 1 : &ground;
    body->thd          = given(state->qd, j);
    body->thdd         = given(state->qdd, j);
    place(literal, body, state->q[j]);
    move_body(literal, body, before);
    body->base = j > 0 ? product(transposed(body->step), before->base) : transposed(body->step);
  }
  if (as_printed(literal, PRINTED_START)) literal->body[0].CVC = none;
  see_all(literal);
  literal->force  = v3(given(state->wrench, 0), given(state->wrench, 1), given(state->wrench, 2));
  literal->moment = v3(given(state->wrench ? state->wrench + 3 : NULL, 0),
                       given(state->wrench ? state->wrench + 3 : NULL, 1),
                       given(state->wrench ? state->wrench + 3 : NULL, 2));
}

// (7): sums over the joints that carry link j, thd and thdd along z
static void motions_in_closed_form(const Literal* literal, int j, V3 motion[LITERAL_MOTIONS])
{
  const Body* body    = &literal->body[j];
  motion[LITERAL_W]   = v3_zero();
  motion[LITERAL_WD]  = body->Ce;
  motion[LITERAL_VD]  = body->CV;
  motion[LITERAL_VDC] = body->CVC;
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

static double length(V3 a)
{
  return sqrt(a.x.value * a.x.value + a.y.value * a.y.value + a.z.value * a.z.value);
}

void literal_compare_motions(const Literal* literal, double difference[LITERAL_MOTIONS])
{
  double size[LITERAL_MOTIONS] = {0};
  for (int k = 0; k < LITERAL_MOTIONS; ++k) difference[k] = 0;
  for (int j = 0; j < literal->n; ++j)
  {
    const Body* body                    = &literal->body[j];
    const V3 recursion[LITERAL_MOTIONS] = {body->w, body->wd, body->vd, body->vdc};
    V3 closed[LITERAL_MOTIONS];
    motions_in_closed_form(literal, j, closed);
    for (int k = 0; k < LITERAL_MOTIONS; ++k)
    {
      difference[k] = fmax(difference[k], length(sub(closed[k], recursion[k])));
      size[k]       = fmax(size[k], length(recursion[k]));
    }
  }
  for (int k = 0; k < LITERAL_MOTIONS; ++k)
    if (size[k] > 0) difference[k] /= size[k];
}

// --- moments about joint j

static V3 gyroscopic(const Body* body)
{
  return cross(body->w, m3_apply(body->I, body->w));
}

static V3 weight(const Literal* literal, int j, int i)
{
  return cross(seen_from(literal, j, i)->pc, m3_apply(literal->body[j].base, literal->body[i].G));
}

// jN_Q of the wrench on the last link
static V3 external(const Literal* literal, int j)
{
  const Seen* seen = seen_from(literal, j, literal->n - 1);
  return add(cross(seen->p, m3_apply(seen->R, literal->force)), m3_apply(seen->R, literal->moment));
}

// (5) without tau: all terms for link i
static V3 moment_5(const Literal* literal, int j, int i)
{
  const Body* body = &literal->body[i];
  const Seen* seen = seen_from(literal, j, i);
  REAL m           = as_printed(literal, PRINTED_MASS) ? literal->body[j].m : body->m;
  V3 inertial      = scale(m, cross(seen->pc, m3_apply(seen->R, body->vdc)));
  V3 torque = as_printed(literal, PRINTED_INERTIA) ? m3_apply(body->I, m3_apply(seen->R, body->wd))
                                                   : m3_apply(seen->R, m3_apply(body->I, body->wd));
  V3 gyro   = m3_apply(seen->R, gyroscopic(body));
  return sub(add(add(inertial, torque), gyro), weight(literal, j, i));
}

// The terms without accelerations of joints, right side of (10) and (12), for link i, as the torque has to meet them.
static V3 moment_of_speed(const Literal* literal, Equation equation, int j, int i)
{
  const Body* body = &literal->body[i];
  const Seen* seen = seen_from(literal, j, i);
  bool literally   = equation == EQUATION_12 && as_printed(literal, PRINTED_ARM);
  V3 CVC           = literally ? body->CVC : m3_apply(seen->R, body->CVC);
  V3 gyro          = m3_apply(seen->R, gyroscopic(body));
  V3 turning_up    = m3_apply(seen->R, m3_apply(body->I, body->Ce));
  V3 inertial      = scale(body->m, cross(seen->pc, CVC));
  return sub(add(add(gyro, turning_up), inertial), weight(literal, j, i));
}

// A term of the double sum of (10): what joint j feels of link i when joint k accelerates
static V3 moment_of_acceleration(const Literal* literal, int j, int k, int i)
{
  const Body* body  = &literal->body[i];
  const Seen* seen  = seen_from(literal, j, i);
  const Seen* other = seen_from(literal, i, k);
  V3 swing          = m3_apply(other->R, along_z(literal->body[k].thdd));
  V3 acceleration   = cross(sub(other->p, body->PC), swing);
  V3 inertial       = scale(body->m, cross(seen->pc, m3_apply(seen->R, acceleration)));
  return add(inertial, m3_apply(seen->R, m3_apply(body->I, swing)));
}

// The bracket of (12): m_i jV_Ci jR_i iV_k iR_k + jR_i I_i iR_k, products from left to right
static M3 bracket(const Literal* literal, int j, int k, int i)
{
  const Body* body  = &literal->body[i];
  const Seen* seen  = seen_from(literal, j, i);
  const Seen* other = seen_from(literal, i, k);
  M3 Vk             = preproduct(sub(other->p, body->PC));
  M3 inertial       = product(product(product(preproduct(seen->pc), seen->R), Vk), other->R);
  M3 turning_up     = product(product(seen->R, body->I), other->R);
  return add(scaled(body->m, inertial), turning_up);
}

// Where the sum over i begins: l of (10) and (12), counted from 0
static int first_link(const Literal* literal, int j, int k)
{
  if (as_printed(literal, PRINTED_BOUND)) return 0;
  return j > k ? j : k;
}

// The sum over i of (12)
static M3 bracket_sum(const Literal* literal, int j, int k)
{
  V3 none = v3_zero();
  M3 sum  = {none, none, none};
  for (int i = first_link(literal, j, k); i < literal->n; ++i)
    sum = add(sum, bracket(literal, j, k, i));
  return sum;
}

static V3 accelerations(const Literal* literal, Equation equation, int j)
{
  V3 moment = v3_zero();
  for (int k = 0; k < literal->n; ++k)
    if (equation == EQUATION_12)
      moment = add(moment, m3_apply(bracket_sum(literal, j, k), along_z(literal->body[k].thdd)));
    else
      for (int i = first_link(literal, j, k); i < literal->n; ++i)
        moment = add(moment, moment_of_acceleration(literal, j, k, i));
  return moment;
}

double literal_torque(const Literal* literal, Equation equation, int j)
{
  bool whole = equation == EQUATION_5;
  V3 moment  = whole ? v3_zero() : accelerations(literal, equation, j);
  for (int i = j; i < literal->n; ++i)
    moment =
        add(moment, whole ? moment_5(literal, j, i) : moment_of_speed(literal, equation, j, i));
  return sub(moment, external(literal, j)).z.value;
}

void literal_matrix(const Literal* literal, double* M)
{
  int n = literal->n;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < n; ++k) *M++ = bracket_sum(literal, j, k).z.z.value;
}

lwCount literal_count(Literal* literal, const lwStates* state)
{
  lw_tally = (lwCount){0};
  literal_move(literal, state);
  for (int j = 0; j < literal->n; ++j) literal_torque(literal, EQUATION_12, j);
  return lw_tally;
}
