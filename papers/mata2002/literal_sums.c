// SPDX-License-Identifier: MIT
// mata2002, section 3: the inertia matrix as the sum (22), and Gibbs' function. The sums (13) and (21)
// are the library's gibbs-appell-sum.
#include "literal_study.h"

// Link i as the sums need it, seen from joint j, which carries it.
typedef struct LiteralView
{
  V3 z;  // axis of joint j, frame of link i
  V3 s;  // origin j to origin i, m
  V3 r;  // origin j to the centre of mass of link i, m
} LiteralView;

static LiteralView view_of(const LiteralStudy* study, int j, int i)
{
  V3 r = centre_of(study->joint[i].link);
  if (j == i) return (LiteralView){v3(zero(), zero(), constant(1)), v3_zero(), r};
  V3 s = study->span[j][i];
  return (LiteralView){study->z[j][i], s, add(s, r)};
}

// The inertia of link i about its centre of mass, off-line.
static S3 central_inertia(const Link* link)
{
  const double *h = link->first_moment, *I = link->inertia;
  double m  = link->mass;
  double xx = h[0] * h[0] / m, yy = h[1] * h[1] / m, zz = h[2] * h[2] / m;
  return (S3){K(I[0] - yy - zz),         K(I[1] - xx - zz),         K(I[2] - xx - yy),
              K(I[3] + h[0] * h[1] / m), K(I[4] + h[0] * h[2] / m), K(I[5] + h[1] * h[2] / m)};
}

// The contribution of link i to D_jk, seen from both joints.
typedef REAL Term(const Link* link, LiteralView j, LiteralView k);

// z_k . (I - m r_ii~ r_ji~ - m s_ki~ third~) z_j
static REAL term_22(const Link* link, LiteralView j, LiteralView k, V3 third)
{
  V3 r        = centre_of(link);
  V3 own      = s3_apply(central_inertia(link), j.z);
  V3 from_r   = cross(r, cross(j.r, j.z));
  V3 from_s   = cross(k.s, cross(third, j.z));
  V3 weighted = scale(K(link->mass), add(from_r, from_s));
  return dot(k.z, sub(own, weighted));
}

// erratum 1-11.
static REAL term_22_corrected(const Link* link, LiteralView j, LiteralView k)
{
  return term_22(link, j, k, j.r);
}

static REAL term_22_printed(const Link* link, LiteralView j, LiteralView k)
{
  return term_22(link, j, k, j.s);
}

// Entries with j outboard of k; D is symmetric (erratum 1-12).
static void sum_up(LiteralStudy* study, Literal* literal, Term* term)
{
  int n = study->n;
  count_start(literal);
  study_see(study, literal);
  for (int j = 0; j < n; ++j)
    for (int k = 0; k <= j; ++k)
    {
      REAL entry = zero();
      for (int i = j; i < n; ++i)
        entry =
            r_add(entry, term(study->joint[i].link, view_of(study, j, i), view_of(study, k, i)));
      study->out[j * n + k] = study->out[k * n + j] = entry;
    }
  mark(literal, 0);
}

void study_sum_22(LiteralStudy* study, Literal* literal)
{
  sum_up(study, literal, term_22_corrected);
}

void study_sum_22_wrong(LiteralStudy* study, Literal* literal)
{
  sum_up(study, literal, term_22_printed);
}

// --- Gibbs' function

// (3) of all links, (4), where joints a and b accelerate by x and y more than in the study.
// The base accelerates upwards.
static double gibbs_with(LiteralStudy* study, int a, double x, int b, double y)
{
  Literal unused;
  double sum    = 0;
  REAL kept[]   = {study->qdd[a], study->qdd[b]};
  study->qdd[a] = (REAL){study->qdd[a].value + x, false};
  study->qdd[b] = (REAL){study->qdd[b].value + y, false};
  count_start(&unused);
  study_move(study, &unused, neg(known_vector(study->chain->ends64.gravity)));
  for (int i = 0; i < study->n; ++i)
  {
    const StudyBody* body = &study->body[i];
    const Link* link      = study->joint[i].link;
    S3 I                  = central_inertia(link);
    sum += dot(body->f, body->f).value / (2 * link->mass);  // f is the mass times the acceleration
    sum += dot(body->wd, s3_apply(I, body->wd)).value / 2;
    sum += dot(body->wd, cross(body->w, s3_apply(I, body->w))).value;
  }
  study->qdd[b] = kept[1];
  study->qdd[a] = kept[0];
  return sum;
}

// (5). The function is quadratic, so that a central difference is its derivative.
void study_gibbs(LiteralStudy* study, Literal* literal)
{
  for (int j = 0; j < study->n; ++j)
  {
    double more = gibbs_with(study, j, 1, j, 0), less = gibbs_with(study, j, -1, j, 0);
    study->out[j] = (REAL){(more - less) / 2, false};
  }
  count_start(literal);
}

// (19), in the same way.
void study_hessian(LiteralStudy* study, Literal* literal)
{
  for (int j = 0; j < study->n; ++j)
    for (int k = 0; k < study->n; ++k)
    {
      double same  = gibbs_with(study, j, 1, k, 1) + gibbs_with(study, j, -1, k, -1);
      double other = gibbs_with(study, j, 1, k, -1) + gibbs_with(study, j, -1, k, 1);
      study->out[j * study->n + k] = (REAL){(same - other) / 4, false};
    }
  count_start(literal);
}
