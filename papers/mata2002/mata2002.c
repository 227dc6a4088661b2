// SPDX-License-Identifier: MIT
// mata2002: Gibbs-Appell for serial arms.
#include "mata2002.h"

#include "papers.h"

static void make_chains(Page* page, Chains* chains)
{
  for (int n = 1; n <= COUNTED_TO && page->status == DONE; ++n)
    page_check(page, lw_model_create_generic(n, &chains->chain[n]));
}

void paper_mata2002(Page* page)
{
  Chains chains = {{NULL}};
  make_chains(page, &chains);
  if (page->status == DONE)
  {
    page_progress(page, "counting operations");
    mata2002_steps(page, &chains);
    mata2002_tables(page, &chains);
    mata2002_growth(page, &chains);
    page_progress(page, "two links in single precision");
    mata2002_stability(page);
    page_progress(page, "the PUMA on its line");
    mata2002_puma(page, &chains);
  }
  for (int n = 1; n <= COUNTED_TO; ++n) lw_model_destroy(chains.chain[n]);
}
