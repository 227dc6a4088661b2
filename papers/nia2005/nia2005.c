// SPDX-License-Identifier: MIT
// Nia, Pishkenari & Meghdari, "A recursive approach for the analysis of snake robots
// using Kane's equations", regenerated.
#include "nia2005.h"

#include "papers.h"
#include "table2.h"

// Figure 1: the model, in a posture that shows its angles.
static void draw_model(Page* page)
{
  enum
  {
    LINKS = 4
  };
  static const double pose[LINKS + 2] = {0.35, 1.0, 0.3, -0.5, 0.1, 0.05};
  Table2 table;
  if (table2_make(page, LINKS, &table) == DONE)
    page_drawing(
        page, "equations", "figure-1",
        "Figure 1: the snake of n links (here 4, those of Table II), its wheels, and the "
        "directions theta of its links.",
        &(lwDrawing){.snake = table.snake, .count = 1, .poses = pose, .title = "The model"});
  table2_free(&table);
}

void paper_nia2005(Page* page)
{
  draw_model(page);
  nia2005_equations(page);
  nia2005_energy(page);
  nia2005_steps(page);
  nia2005_table1(page);
  nia2005_times(page);
  nia2005_responses(page);
  nia2005_drift(page);
}
