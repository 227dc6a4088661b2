// SPDX-License-Identifier: MIT
#include "grigorov2013.h"

#include <string.h>

#include "page_formulas.h"
#include "papers.h"

const char* const JOINT_TITLES[JOINTS] = {"joint 1, slew", "joint 2, boom", "joint 3, arm",
                                          "joint 4, wrist", "joint 5, swivel"};

bool data_take(Page* page, const char* id, int count, double* numbers)
{
  Values values = page_data(page, id);
  if (page->status == DONE && values.count != count)
    page_fail(page, INPUT, "data '%s' has %d numbers, expected %d", id, values.count, count);
  if (page->status != DONE) return false;
  memcpy(numbers, values.at, (size_t)count * sizeof *numbers);
  return true;
}

// Figures 1 and 2, in the posture of the middle point.
static void draw_manipulator(Page* page, const Manipulator* manipulator)
{
  lwViewpoint front;
  lw_view_named("front", &front);
  lwCylinders* cylinders = NULL;
  page_check(page,
             lw_cylinders_read_text("robots/hydraulic5.yaml", paper_hydraulic5_text,
                                    paper_hydraulic5_length, manipulator->model, NULL, &cylinders));
  lwDrawing drawing = {
      .model = manipulator->model, .count = 1, .poses = manipulator->q[1], .cylinders = cylinders};
  page_drawing(page, "figure-3", "figure-2",
               "Figure 2: the manipulator with its load at the middle point; "
               "lengths between axes in m.",
               &drawing);
  drawing.view  = &front;
  drawing.shown = LW_SHOW_LINKS | LW_SHOW_JOINTS | LW_SHOW_FRAMES | LW_SHOW_MASSES | LW_SHOW_FORCES;
  page_drawing(page, "equations", "figure-1",
               "Figure 1: local frames, and the forces that act on each link "
               "at rest: its weight, and what the link before it exerts.",
               &drawing);
  lw_cylinders_destroy(cylinders);
}

static void grigorov_formulas(Page* page)
{
  static const FormulaAnswer answers[] = {{"tau", false, false}, {"M", true, false}};
  page_formulas(page,
                &(PageFormulas){"equations", paper_grigorov2013_equations_text,
                                paper_grigorov2013_equations_length, FRAMES_MODIFIED, 2, answers});
}

void paper_grigorov2013(Page* page)
{
  grigorov_formulas(page);
  Manipulator manipulator = {0};
  page_progress(page, "the equations as printed, and corrected");
  write_equations(page);
  write_errata(page);
  page_progress(page, "operation counts");
  write_growth(page);
  manipulator_open(&manipulator, page);
  if (page->status == DONE)
  {
    draw_manipulator(page, &manipulator);
    write_figure3(page, &manipulator);
    write_figure4(page, &manipulator);
    page_progress(page, "closing the valves");
    write_figure5(page, &manipulator);
    page_progress(page, "a study of load, stiffness and valve time");
    write_expected(page);
    write_integrators(page, &manipulator);
    write_packages(page, &manipulator);
  }
  manipulator_close(&manipulator);
}
