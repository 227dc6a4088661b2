// SPDX-License-Identifier: MIT
// (5), (10), (11), (12): moments about a joint, and its torque.
#include "literal_body.h"

static M3 scaled_by(REAL k, M3 A)
{
  return (M3){scale(k, A.x), scale(k, A.y), scale(k, A.z)};
}

// V of (11): V b = a x b
static M3 preproduct(V3 a)
{
  REAL none = zero();
  return (M3){v3(none, r_neg(a.z), a.y), v3(a.z, none, r_neg(a.x)), v3(r_neg(a.y), a.x, none)};
}

// --- moments about joint j

static V3 gyroscopic_torque(const LiteralBody* body)
{
  return cross(body->w, m3_apply(body->I, body->w));
}

static V3 weight(const LiteralArm* literal, int j, int i)
{
  return cross(seen_from(literal, j, i)->pc, m3_apply(literal->body[j].base, literal->body[i].G));
}

// jN_Q of the wrench on the last link
static V3 external(const LiteralArm* literal, int j)
{
  const Seen* seen = seen_from(literal, j, literal->n - 1);
  return add(cross(seen->p, m3_apply(seen->R, literal->force)), m3_apply(seen->R, literal->moment));
}

// (5) without tau: all terms for link i
static V3 moment_5(const LiteralArm* literal, int j, int i)
{
  const LiteralBody* body = &literal->body[i];
  const Seen* seen        = seen_from(literal, j, i);
  REAL m                  = as_printed(literal, PRINTED_MASS) ? literal->body[j].m : body->m;
  V3 inertial             = scale(m, cross(seen->pc, m3_apply(seen->R, body->vdc)));
  V3 torque = as_printed(literal, PRINTED_INERTIA) ? m3_apply(body->I, m3_apply(seen->R, body->wd))
                                                   : m3_apply(seen->R, m3_apply(body->I, body->wd));
  V3 gyro   = m3_apply(seen->R, gyroscopic_torque(body));
  return sub(add(add(inertial, torque), gyro), weight(literal, j, i));
}

// The terms without joint accelerations for link i, the right side of (10) and (12),
// with the sign of the torque.
static V3 moment_of_speed(const LiteralArm* literal, Equation equation, int j, int i)
{
  const LiteralBody* body = &literal->body[i];
  const Seen* seen        = seen_from(literal, j, i);
  bool literally          = equation == EQUATION_12 && as_printed(literal, PRINTED_ARM);
  V3 CVC                  = literally ? body->CVC : m3_apply(seen->R, body->CVC);
  V3 gyro                 = m3_apply(seen->R, gyroscopic_torque(body));
  V3 turning_up           = m3_apply(seen->R, m3_apply(body->I, body->Ce));
  V3 inertial             = scale(body->m, cross(seen->pc, CVC));
  return sub(add(add(gyro, turning_up), inertial), weight(literal, j, i));
}

// A term of the double sum of (10): moment about joint j of link i when joint k accelerates
static V3 moment_of_acceleration(const LiteralArm* literal, int j, int k, int i)
{
  const LiteralBody* body = &literal->body[i];
  const Seen* seen        = seen_from(literal, j, i);
  const Seen* other       = seen_from(literal, i, k);
  V3 swing                = m3_apply(other->R, along_z(literal->body[k].thdd));
  V3 acceleration         = cross(sub(other->p, body->PC), swing);
  V3 inertial             = scale(body->m, cross(seen->pc, m3_apply(seen->R, acceleration)));
  return add(inertial, m3_apply(seen->R, m3_apply(body->I, swing)));
}

// The bracket of (12): m_i jV_Ci jR_i iV_k iR_k + jR_i I_i iR_k, products from left to right
static M3 bracket(const LiteralArm* literal, int j, int k, int i)
{
  const LiteralBody* body = &literal->body[i];
  const Seen* seen        = seen_from(literal, j, i);
  const Seen* other       = seen_from(literal, i, k);
  M3 Vk                   = preproduct(sub(other->p, body->PC));
  M3 inertial             = product(product(product(preproduct(seen->pc), seen->R), Vk), other->R);
  M3 turning_up           = product(product(seen->R, body->I), other->R);
  return add(scaled_by(body->m, inertial), turning_up);
}

// Where the sum over i begins: l of (10) and (12) (erratum 4-7), counted from 0
static int first_link(int j, int k)
{
  return j > k ? j : k;
}

// The sum over i of (12)
static M3 bracket_sum(const LiteralArm* literal, int j, int k)
{
  V3 none = v3_zero();
  M3 sum  = {none, none, none};
  for (int i = first_link(j, k); i < literal->n; ++i) sum = add(sum, bracket(literal, j, k, i));
  return sum;
}

static V3 acceleration_moment(const LiteralArm* literal, Equation equation, int j)
{
  V3 moment = v3_zero();
  for (int k = 0; k < literal->n; ++k)
    if (equation == EQUATION_12)
      moment = add(moment, m3_apply(bracket_sum(literal, j, k), along_z(literal->body[k].thdd)));
    else
      for (int i = first_link(j, k); i < literal->n; ++i)
        moment = add(moment, moment_of_acceleration(literal, j, k, i));
  return moment;
}

double literal_torque(const LiteralArm* literal, Equation equation, int j)
{
  bool whole = equation == EQUATION_5;
  V3 moment  = whole ? v3_zero() : acceleration_moment(literal, equation, j);
  for (int i = j; i < literal->n; ++i)
    moment =
        add(moment, whole ? moment_5(literal, j, i) : moment_of_speed(literal, equation, j, i));
  return sub(moment, external(literal, j)).z.value;
}

void literal_matrix(const LiteralArm* literal, double* M)
{
  int n = literal->n;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < n; ++k) *M++ = bracket_sum(literal, j, k).z.z.value;
}

lwCount literal_count(LiteralArm* literal, const lwStates* state)
{
  lw_tally = (lwCount){0};
  literal_move(literal, state);
  for (int j = 0; j < literal->n; ++j) literal_torque(literal, EQUATION_12, j);
  return lw_tally;
}
