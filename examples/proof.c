// SPDX-License-Identifier: MIT
// Proves that all formulations are the same function of any robot with this tree of joints: they
// are evaluated over the integers modulo 2^61 - 1, where nothing is rounded (Schwartz, Zippel).
#include <math.h>
#include <stdio.h>

#include "linkwork/linkwork.h"

int main(int argc, char** argv)
{
  lwModel* arm   = NULL;
  lwProof* proof = NULL;
  int held       = 0;
  double missed  = 0;
  if (lw_robot_read_file(argc > 1 ? argv[1] : "robots/planar2r.yaml", NULL, NULL, &arm) != LW_OK ||
      lw_proof_create(arm, NULL, &proof) != LW_OK)
    return 3;
  for (int i = 0; i < lw_proof_count(proof); ++i)
  {
    const lwIdentity* is = lw_proof_identity(proof, i);
    printf("%-20s %-26s = %-32s %s\n", is->about, is->left, is->right,
           is->holds ? "holds" : "FAILS");
    held += is->holds;
    missed = fmax(missed, is->probability);
  }
  printf("%d of %d hold; each is overlooked if false with a probability below %.0e\n", held,
         lw_proof_count(proof), missed);
  int all = held == lw_proof_count(proof);
  lw_proof_destroy(proof);
  lw_model_destroy(arm);
  return all ? 0 : 1;
}
