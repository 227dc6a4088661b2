// SPDX-License-Identifier: MIT
// silver1981: from the Lagrangian equations of Uicker and Kahn to those of Newton and
// Euler, rung by rung.
#include "silver1981.h"

#include "page_formulas.h"
#include "papers.h"
#include "random_arm.h"

const char* const RUNGS[RUNG_COUNT] = {"lagrange-uicker-kahn", "lagrange-hollerbach-4x4",
                                       "lagrange-hollerbach-3x3", "lagrange-omega", "newton-euler"};

int arms_to_try(Page* page)
{
  Values arms = page_data(page, "arms");
  return arms.count == 2 ? (int)arms.at[page->quick] : 0;
}

// Figure 3.1: how links and joints are numbered; one of the arms that the equations are tried on.
static void draw_chain(Page* page)
{
  lwRandom random = {(uint64_t)page_number(page, "seed")};
  lwModel* model  = NULL;
  Arm arm;
  arm_random(&arm, &random, (int)page_number(page, "links"), ARM_MIXED);
  if (page->status == DONE) page_check(page, arm_model(&arm, &model));
  if (page->status == DONE)
    page_drawing(
        page, "derivation", "figure-3-1",
        "Figure 3.1: link and joint numbering. Joint i connects links "
        "i - 1 and i and turns about, or slides along, z of frame "
        "i - 1; the base is link 0. A random arm.",
        &(lwDrawing){.model = model,
                     .count = 1,
                     .poses = arm.q,
                     .title = "Links and joints",
                     .shown = LW_SHOW_LINKS | LW_SHOW_JOINTS | LW_SHOW_NAMES | LW_SHOW_FRAMES});
  lw_model_destroy(model);
}

static void silver_formulas(Page* page)
{
  static const FormulaAnswer answers[] = {{"tau", false, false}, {"t12", false, false}};
  page_formulas(page,
                &(PageFormulas){"derivation", paper_silver1981_equations_text,
                                paper_silver1981_equations_length, FRAMES_MODIFIED, 2, answers});
}

void paper_silver1981(Page* page)
{
  silver_formulas(page);
  draw_chain(page);
  const PageSeries* operations = silver_ladder(page);
  silver_times(page, operations);
  silver_identities(page);
  silver_torques(page);
  silver_proof(page);
  silver_details(page);
}
