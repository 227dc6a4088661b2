// SPDX-License-Identifier: MIT
// mata2002, section 4.2: the inertia matrix.
#include "literal_study.h"

#include "kernels/inertia/gibbs_appell_inertia.h"

// Step 1, off-line. erratum 1-13.
static void compose(LiteralStudy* study)
{
  for (int i = 0; i < study->n; ++i)
  {
    const Link* link = study->joint[i].link;
    study->gamma[i]  = known_vector(link->first_moment);
    study->E[i]      = known_symmetric(link->inertia);  // H
    if (i == study->n - 1) continue;
    REAL M          = K(study->joint[i + 1].link->outboard_mass);
    V3 s            = study->s[i + 1];
    V3 h            = scale(M, s);
    S3 points       = {dot(v3(zero(), h.y, h.z), s), dot(v3(h.x, zero(), h.z), s),
                       dot(v3(h.x, h.y, zero()), s), r_neg(r_mul(h.x, s.y)),
                       r_neg(r_mul(h.x, s.z)),       r_neg(r_mul(h.y, s.z))};
    study->gamma[i] = add(study->gamma[i], h);
    study->E[i]     = add(study->E[i], points);
  }
}

// s_{j-1,j} in the frame of link j: rotated by alpha it is (a, 0, d). erratum 1-14.
static V3 own_step(Joint j)
{
  return turn_back_z(j.theta, v3(K(j.link->span[0]), zero(), j.d));
}

// Step 2.
static void see_arms(LiteralStudy* study, Literal* literal)
{
  for (int i = 0; i < study->n - 1; ++i)
    for (int j = i + 1; j < study->n; ++j)
    {
      Joint joint       = study->joint[j];
      study->step[i][j] = j == i + 1 ? own_step(joint) : to_link(joint, study->step[i][j - 1]);
      mark(literal, j == i + 1 ? INERTIA_ARM_FIRST : INERTIA_ARM);
    }
  for (int i = 0; i < study->n - 1; ++i) study->span[i][i + 1] = study->step[i][i + 1];
  for (int i = study->n - 3; i >= 0; --i)
    for (int j = study->n - 1; j >= i + 2; --j)
    {
      study->span[i][j] = add(study->step[i][j], study->span[i + 1][j]);
      mark(literal, INERTIA_ARM_SUM);
    }
}

// Step 3. erratum 1-15.
static void see_axes(LiteralStudy* study, Literal* literal)
{
  for (int i = 0; i < study->n - 1; ++i)
  {
    study->z[i][i + 1] = to_link(study->joint[i + 1], v3(zero(), zero(), constant(1)));
    mark(literal, INERTIA_AXIS_FIRST);
    for (int j = i + 2; j < study->n; ++j)
    {
      study->z[i][j] = to_link(study->joint[j], study->z[i][j - 1]);
      mark(literal, INERTIA_AXIS);
    }
  }
}

// Step 4. erratum 1-16.
static void sum_moments(LiteralStudy* study, Literal* literal)
{
  int n             = study->n;
  study->phi[n - 1] = study->gamma[n - 1];
  for (int i = n - 2; i >= 0; --i)
  {
    study->turned[i] = to_parent(study->joint[i + 1], study->phi[i + 1]);
    mark(literal, INERTIA_PHI_TURNED);
    study->phi[i] = add(study->gamma[i], study->turned[i]);
    mark(literal, INERTIA_PHI);
  }
}

// Step 5: psi takes phi before gamma is added (erratum 1-17). The first link needs zz only.
static void sum_inertias(LiteralStudy* study, Literal* literal)
{
  int n             = study->n;
  study->psi[n - 1] = study->E[n - 1];
  for (int i = n - 2; i >= 1; --i)
  {
    Joint j       = study->joint[i + 1];
    S3 turned     = s3_turn_x(alpha_turn(j.link), s3_turn_z(j.theta, study->psi[i + 1]));
    study->psi[i] = add(cross_terms(study->E[i], study->s[i + 1], study->turned[i]), turned);
    mark(literal, INERTIA_PSI);
  }
  if (n < 2) return;
  V3 s             = study->s[1];
  REAL shift       = mul_add(s.x, study->turned[0].x, r_mul(s.y, study->turned[0].y));
  REAL carried     = r_add(about(study->z[0][1], study->psi[1]), r_add(shift, shift));
  study->psi[0].zz = r_add(study->E[0].zz, carried);
  mark(literal, INERTIA_PSI_FIRST);
}

// Steps 6 and 7: (psi - s~ phi~) z is the third column of psi and four products.
static void fill_matrix(LiteralStudy* study, Literal* literal)
{
  int n = study->n;
  for (int j = n - 1; j >= 0; --j)
  {
    V3 phi                = study->phi[j];
    S3 psi                = study->psi[j];
    study->out[j * n + j] = psi.zz;
    for (int k = j - 1; k >= 0; --k)
    {
      V3 s = study->span[k][j];
      V3 shift =
          v3(r_mul(s.z, phi.x), r_mul(s.z, phi.y), r_neg(mul_add(s.x, phi.x, r_mul(s.y, phi.y))));
      V3 felt               = sub(v3(psi.xz, psi.yz, psi.zz), shift);
      study->out[j * n + k] = study->out[k * n + j] =
          dot(study->z[k][j], felt);  // (22), erratum 1-18
      mark(literal, INERTIA_ENTRY);
    }
  }
}

void study_see(LiteralStudy* study, Literal* literal)
{
  see_arms(study, literal);
  see_axes(study, literal);
}

void study_inertia(LiteralStudy* study, Literal* literal)
{
  compose(study);
  count_start(literal);  // step 1 is done off-line
  study_see(study, literal);
  sum_moments(study, literal);
  sum_inertias(study, literal);
  fill_matrix(study, literal);
}
