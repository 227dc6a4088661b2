// SPDX-License-Identifier: MIT
// mata2002, section 4.1: inverse dynamics.
#include "literal_study.h"

#include "kernels/inverse/gibbs_appell.h"

static REAL cross_z(V3 a, V3 b)
{
  return mul_sub(a.x, b.y, r_mul(a.y, b.x));
}

// Off-line.
static S3 euler_of(const Link* link)
{
  const double *h = link->first_moment, *J = link->pseudo;
  double m = link->mass;
  return (S3){K(J[0] - h[0] * h[0] / m), K(J[1] - h[1] * h[1] / m), K(J[2] - h[2] * h[2] / m),
              K(J[3] - h[0] * h[1] / m), K(J[4] - h[0] * h[2] / m), K(J[5] - h[1] * h[2] / m)};
}

// Steps 1 and 2 for joint i.
static void move_link(LiteralStudy* study, Literal* literal, int i, const StudyBody* parent)
{
  StudyBody* body = &study->body[i];
  Joint j         = study->joint[i];
  V3 r            = centre_of(j.link);
  REAL qd         = study->qd[i];
  V3 w            = to_link(j, parent->w);
  mark(literal, INVERSE_OMEGA_TURNED);
  body->w = v3(w.x, w.y, r_add(w.z, qd));
  mark(literal, INVERSE_OMEGA);
  V3 wd    = to_link(j, parent->wd);
  body->wd = v3(mul_add(w.y, qd, wd.x), sub_mul(wd.y, w.x, qd), r_add(wd.z, study->qdd[i]));
  mark(literal, INVERSE_OMEGA_DOT);
  body->W = acceleration_matrix(body->w, body->wd);  // (12)
  mark(literal, INVERSE_TENSOR);
  body->a = to_link(j, add(parent->a, m3_apply(parent->W, study->s[i])));
  mark(literal, INVERSE_ORIGIN);
  V3 centre = add(body->a, m3_apply(body->W, r));
  mark(literal, INVERSE_CENTRE);
  body->f = scale(K(j.link->mass), centre);  // (9)
  mark(literal, INVERSE_FORCE);
  body->t = moment_of(body->W, euler_of(j.link));  // (10)
  mark(literal, INVERSE_MOMENT);
}

// Step 3: chi of joint i; the first joint needs its z only.
static void take_chi(LiteralStudy* study, Literal* literal, int i)
{
  bool last       = i == study->n - 1;
  V3 r            = centre_of(study->joint[i].link);
  StudyBody *body = &study->body[i], *next = body + 1;
  if (i > 0)
  {
    V3 chi = add(cross(r, body->f), body->t);  // (15)
    if (!last) chi = add(chi, cross(study->s[i + 1], body->phi));
    body->chi = last ? chi : add(chi, to_parent(study->joint[i + 1], next->chi));
  }
  else
  {
    REAL z = r_add(cross_z(r, body->f), body->t.z);
    if (!last) z = r_add(z, cross_z(study->s[1], body->phi));
    body->chi.z = last ? z : r_add(z, z_in_parent(study->joint[1], next->chi));
  }
  mark(literal, INVERSE_CHI);
}

void study_move(LiteralStudy* study, Literal* literal, V3 base_acceleration)
{
  V3 none        = v3_zero();
  StudyBody base = {.w = none, .wd = none, .a = base_acceleration, .W = {none, none, none}};
  for (int i = 0; i < study->n; ++i)
    move_link(study, literal, i, i > 0 ? &study->body[i - 1] : &base);
}

static void answer(LiteralStudy* study, Literal* literal, V3 base_acceleration)
{
  StudyBody* body = study->body;
  count_start(literal);
  study_move(study, literal, base_acceleration);
  body[study->n - 1].phi = v3_zero();
  for (int i = study->n - 2; i >= 0; --i)
  {
    body[i].phi = to_parent(study->joint[i + 1], add(body[i + 1].f, body[i + 1].phi));  // (16)
    mark(literal, INVERSE_PHI);
  }
  for (int i = study->n - 1; i >= 0; --i)
  {
    take_chi(study, literal, i);
    study->out[i] = body[i].chi.z;  // (14)
  }
}

// The base accelerates upwards. erratum 1-6.
void study_inverse(LiteralStudy* study, Literal* literal)
{
  answer(study, literal, neg(known_vector(study->chain->ends64.gravity)));
}

// As printed: -g z, g being the magnitude of gravity.
void study_inverse_wrong(LiteralStudy* study, Literal* literal)
{
  answer(study, literal, known_vector(study->chain->ends64.gravity));
}
