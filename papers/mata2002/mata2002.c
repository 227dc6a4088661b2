// SPDX-License-Identifier: MIT
// mata2002: Gibbs-Appell for serial arms.
#include "mata2002.h"

#include "page_formulas.h"
#include "papers.h"

static void make_chains(Page* page, Chains* chains)
{
  for (int n = 1; n <= COUNTED_TO && page->status == DONE; ++n)
    page_check(page, lw_model_create_generic(n, &chains->chain[n]));
}

static void mata_formulas(Page* page)
{
  static const FormulaAnswer answers[] = {
      {"tau", false, false}, {"D", true, false}, {"D21", true, false}, {"D22", true, false}};
  page_formulas(page,
                &(PageFormulas){"equations", paper_mata2002_equations_text,
                                paper_mata2002_equations_length, FRAMES_MODIFIED, 4, answers});
}

void paper_mata2002(Page* page)
{
  Chains chains = {{NULL}};
  make_chains(page, &chains);
  if (page->status == DONE)
  {
    page_progress(page, "counting operations");
    mata_formulas(page);
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
