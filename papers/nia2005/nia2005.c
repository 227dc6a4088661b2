// SPDX-License-Identifier: MIT
// Nia, Pishkenari & Meghdari, "A recursive approach for the analysis of snake robots
// using Kane's equations", regenerated.
#include "nia2005.h"

#include <math.h>
#include <stdio.h>

#include "page_formulas.h"
#include "papers.h"
#include "table2.h"

// phi_i at the joints, with the direction of the link before prolonged, and (x, y).
static void name_angles(lwScene* scene, int n, const double* pose, const lwSnake* snake)
{
  double at[3] = {pose[n], pose[n + 1], 0};
  lw_scene_mark(scene, LW_MARK_NAMES, LW_MARK_LABEL, "n", at, NULL, "(x, y)");
  for (int i = 0; i + 1 < n; ++i)
  {
    double h = lw_snake_get(snake, i).length / 2, next = lw_snake_get(snake, i + 1).length / 2;
    double joint[3] = {at[0] + h * cos(pose[i]), at[1] + h * sin(pose[i]), 0};
    double ahead[3] = {joint[0] + 0.9 * h * cos(pose[i]), joint[1] + 0.9 * h * sin(pose[i]), 0};
    double between  = 0.8 * pose[i] + 0.2 * pose[i + 1];  // beside the names of the directions
    double label[3] = {joint[0] + h * cos(between), joint[1] + h * sin(between), 0};
    char text[LW_MARK_TEXT];
    snprintf(text, sizeof text, "φ%d", i + 1);
    lw_scene_mark(scene, LW_MARK_DIMENSIONS, LW_MARK_LINE, "d", joint, ahead, NULL);
    lw_scene_mark(scene, LW_MARK_NAMES, LW_MARK_CAPTION, "n", label, NULL, text);
    at[0] = joint[0] + next * cos(pose[i + 1]);
    at[1] = joint[1] + next * sin(pose[i + 1]);
  }
}

// Figure 1: the model, in a posture that shows its angles.
static void draw_model(Page* page)
{
  enum
  {
    LINKS = 4
  };
  static const double pose[LINKS + 2] = {0.35, 1.0, 0.3, -0.5, 0.1, 0.05};
  Table2 table;
  lwScene scene = {0};
  if (table2_make(page, LINKS, &table) == DONE)
  {
    lwDrawing snake = {.snake = table.snake, .count = 1, .poses = pose};
    page_check(page, lw_compose_snake(&snake, &scene));
    name_angles(&scene, LINKS, pose, table.snake);
    page_drawing(page, "equations", "figure-1",
                 "Figure 1: the snake of n links (here 4, those of Table II), its wheels, the "
                 "directions theta of its links, the angles phi between them, and the position (x, "
                 "y) of the first.",
                 &(lwDrawing){.scene = &scene, .title = "The model"});
  }
  lw_scene_free(&scene);
  table2_free(&table);
}

static void nia_formulas(Page* page)
{
  static const FormulaAnswer answers[] = {
      {"V", false, false}, {"w", false, false}, {"ud", false, false}};
  page_formulas(page, &(PageFormulas){"equations", paper_nia2005_equations_text,
                                      paper_nia2005_equations_length, FRAMES_SNAKE, 3, answers});
}

void paper_nia2005(Page* page)
{
  nia_formulas(page);
  draw_model(page);
  nia2005_equations(page);
  nia2005_energy(page);
  nia2005_steps(page);
  nia2005_table1(page);
  nia2005_times(page);
  nia2005_responses(page);
  nia2005_drift(page);
}
