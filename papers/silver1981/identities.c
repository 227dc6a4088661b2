// SPDX-License-Identifier: MIT
#include "identities.h"

#include <math.h>

#include "math/svd.h"
#include "silver1981.h"

// --- residuals

void residual_add(Residual* residual, double left, double right)
{
  residual->difference = fmax(residual->difference, fabs(left - right));
  residual->size       = fmax(residual->size, fmax(fabs(left), fabs(right)));
}

void residual_size(Residual* residual, double size)
{
  residual->size = fmax(residual->size, size);
}

void residual_vector(Residual* residual, JetVector left, JetVector right)
{
  for (int i = 0; i < 3; ++i) residual_add(residual, left.at[i].f, right.at[i].f);
}

void residual_matrix(Residual* residual, const JetMatrix* left, const JetMatrix* right)
{
  for (int i = 0; i < 3; ++i) residual_vector(residual, jet_row(left, i), jet_row(right, i));
}

void residual_next(Residual* residual)
{
  double share = residual->size > 0 ? residual->difference / residual->size : 0;
  *residual    = (Residual){.worst = fmax(residual->worst, share)};
}

// --- parts

PaperJet part(PaperJet x, IdentityPart which)
{
  return jet(which == PART_A ? x.a : which == PART_B ? x.b : x.ab);
}

double length(JetVector v)
{
  return sqrt(jet_dot(v, v).f);
}

JetVector vector_part(JetVector v, IdentityPart which)
{
  return (JetVector){{part(v.at[0], which), part(v.at[1], which), part(v.at[2], which)}};
}

JetMatrix matrix_part(const JetMatrix* A, IdentityPart which)
{
  JetMatrix B;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) B.at[i][j] = part(A->at[i][j], which);
  return B;
}

// --- all of them on many arms

enum
{
  MOST_IDENTITIES = 32
};

// Tests the arm with respect to each of its joints.
static void try_identities(const Arm* arm, Views* views, const SilverIdentity* identities,
                           int count, Residual* residuals)
{
  chain_in_time(&views->time, arm);
  for (int j = 0; j < arm->n; ++j)
  {
    views->joint = j;
    chain_by_place(&views->place, arm, j);
    chain_by_rate(&views->rate, arm, j);
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < arm->n; ++i) identities[k].check(views, i, &residuals[k]);
  }
  for (int k = 0; k < count; ++k) residual_next(&residuals[k]);
}

static void try_arms(Page* page, const SilverIdentity* identities, int count, Residual* residuals)
{
  lwRandom random = {(uint64_t)page_number(page, "seed")};
  int arms        = arms_to_try(page);
  for (int k = 0; k < arms; ++k)
  {
    Arm arm;
    Views views;
    arm_random(&arm, &random, 2 + k % 5, ARM_MIXED);
    try_identities(&arm, &views, identities, count, residuals);
  }
}

static void measure_identities(Page* page, const SilverIdentity* identities, int count)
{
  Residual residuals[MOST_IDENTITIES] = {{0}};
  try_arms(page, identities, count, residuals);
  for (int k = 0; k < count; ++k) page_measure_one(page, identities[k].claim, residuals[k].worst);
}

// --- orientation has three degrees of freedom

enum
{
  FREEDOM_JOINTS = LW_SVD_ROWS,
  COMPONENTS     = 9  // of W and of its derivatives
};

// The number of independent derivatives of W of the last link with respect to the joints.
static int independent_components(const Arm* arm)
{
  double B[FREEDOM_JOINTS][COMPONENTS];
  lwSvd svd = {.rows = FREEDOM_JOINTS, .columns = COMPONENTS, .B = &B[0][0]};
  Chain place;
  for (int j = 0; j < FREEDOM_JOINTS; ++j)
  {
    chain_by_place(&place, arm, j);
    for (int k = 0; k < COMPONENTS; ++k) B[j][k] = place.W[arm->n - 1].at[k / 3][k % 3].b;
  }
  lw_svd(&svd);
  int rank     = 0;
  double least = 1e-10 * lw_svd_largest(&svd);  // far above rounding, far below the others
  for (int j = 0; j < FREEDOM_JOINTS; ++j) rank += svd.square[j] > least * least;
  return rank;
}

static void measure_freedom(Page* page)
{
  lwRandom random = {(uint64_t)page_number(page, "seed")};
  int most        = 0;
  for (int k = 0; k < arms_to_try(page); ++k)
  {
    Arm arm;
    arm_random(&arm, &random, FREEDOM_JOINTS, ARM_REVOLUTE);
    int rank = independent_components(&arm);
    if (rank > most) most = rank;
  }
  page_measure_one(page, "rotation/components", most);
}

void silver_identities(Page* page)
{
  static const SilverIdentity without = {NULL, check_without_turning};
  Residual residual                   = {0};
  page_progress(page, "identities on random arms");
  measure_freedom(page);
  measure_identities(page, ROTATION_IDENTITIES, ROTATION_IDENTITY_COUNT);
  measure_identities(page, LAGRANGE_IDENTITIES, LAGRANGE_IDENTITY_COUNT);
  try_arms(page, &without, 1, &residual);
  page_fact(page, "2-5", "leaving it out costs %s",
            residual.worst > 0.5 ? "more than half of the larger side" : "less than that");
  page_note(
      page, "derivation",
      "Both sides are computed on %d random arms with 2 to 6 revolute and prismatic joints, for "
      "every joint and every link. The second term of (3.6) matters (erratum 2-5): without it "
      "the two sides differ by %.2g of the larger one.",
      arms_to_try(page), residual.worst);
}
