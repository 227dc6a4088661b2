// SPDX-License-Identifier: MIT
// Identities of the memo, tested on random arms: both sides of each, and their difference.
#ifndef PAPERS_SILVER1981_IDENTITIES_H
#define PAPERS_SILVER1981_IDENTITIES_H

#include "chain.h"

// One arm, seen along time and along coordinate and velocity of one joint.
typedef struct Views
{
  Chain time, place, rate;
  int joint;
} Views;

// Difference between the two sides of an identity, relative to the largest number on
// either side, arm by arm. Where both sides can be zero up to rounding, relative to the
// products that they consist of.
typedef struct Residual
{
  double difference, size;  // of this arm
  double worst;             // share, of all arms before
} Residual;

void residual_add(Residual* residual, double left, double right);
void residual_vector(Residual* residual, JetVector left, JetVector right);  // the values
void residual_matrix(Residual* residual, const JetMatrix* left, const JetMatrix* right);
void residual_size(Residual* residual, double size);  // of a product
void residual_next(Residual* residual);               // to the next arm

// A derivative, as a constant.
typedef enum IdentityPart
{
  PART_A,
  PART_B,
  PART_AB
} IdentityPart;

PaperJet part(PaperJet x, IdentityPart which);
double length(JetVector v);  // of its values
JetVector vector_part(JetVector v, IdentityPart which);
JetMatrix matrix_part(const JetMatrix* A, IdentityPart which);

// Compares both sides for a link. An identity of the whole arm does so for the first link only.
typedef void IdentityCheck(const Views* views, int link, Residual* residual);

typedef struct SilverIdentity
{
  const char* claim;  // of printed.yaml
  IdentityCheck* check;
} SilverIdentity;

extern const SilverIdentity ROTATION_IDENTITIES[];  // chapter 2
extern const int ROTATION_IDENTITY_COUNT;
extern const SilverIdentity LAGRANGE_IDENTITIES[];  // chapter 3 and appendix A
extern const int LAGRANGE_IDENTITY_COUNT;

// (3.6) without its second term, which the memo calls the tricky one.
void check_without_turning(const Views* views, int link, Residual* residual);

#endif
