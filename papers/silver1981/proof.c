// SPDX-License-Identifier: MIT
// The rungs proven equal: all methods evaluated exactly at random points of a finite field
// (docs/proof.md), for the structures of random arms.
#include <math.h>
#include <string.h>

#include "linkwork/proof.h"
#include "random_arm.h"
#include "silver1981.h"

typedef struct Rungs
{
  int identities;          // evaluated
  int failed[RUNG_COUNT];  // those that do not hold, by rung
  double overlooked;       // probability that a false one was overlooked, at most
} Rungs;

static void add_identity(Rungs* rungs, const lwIdentity* identity)
{
  if (strcmp(identity->about, "inverse") != 0) return;
  for (int r = 0; r < RUNG_NEWTON_EULER; ++r)
  {
    if (strcmp(identity->left, RUNGS[r]) != 0) continue;
    ++rungs->identities;
    rungs->failed[r] += !identity->holds;
    rungs->overlooked = fmax(rungs->overlooked, identity->probability);
  }
}

static void prove_arm(Page* page, Rungs* rungs, const Arm* arm, int seed)
{
  lwModel* model = NULL;
  lwProof* proof = NULL;
  lwProofDef def = lw_proof_def();
  def.seed       = (unsigned long long)seed;
  if (page_check(page, arm_model(arm, &model)) == DONE &&
      page_check(page, lw_proof_create(model, &def, &proof)) == DONE)
    for (int i = 0; i < lw_proof_count(proof); ++i)
      add_identity(rungs, lw_proof_identity(proof, i));
  lw_proof_destroy(proof);
  lw_model_destroy(model);
}

void silver_proof(Page* page)
{
  static const char* const claims[] = {"proof/uicker-kahn", "proof/hollerbach-4x4",
                                       "proof/hollerbach-3x3", "proof/omega"};
  lwRandom random                   = {(uint64_t)page_number(page, "seed")};
  int count                         = (int)page_number(page, "structures");
  Rungs rungs                       = {.identities = 0};
  page_progress(page, "proofs for random structures");
  for (int k = 0; k < count; ++k)
  {
    Arm arm;
    arm_random(&arm, &random, 2 + k % 5, ARM_MIXED);
    prove_arm(page, &rungs, &arm, k);
  }
  if (rungs.identities != count * RUNG_NEWTON_EULER) rungs.failed[0] = -1;  // a rung was not tried
  for (int r = 0; r < RUNG_NEWTON_EULER; ++r) page_measure_one(page, claims[r], rungs.failed[r]);
  page_note(
      page, "proof",
      "%d identities were evaluated exactly. The probability that a false one was overlooked is at "
      "most %.1e for each.",
      rungs.identities, rungs.overlooked);
}
