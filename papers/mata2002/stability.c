// SPDX-License-Identifier: MIT
// mata2002, 5.1: two links of very different length in single precision; figure 2 and Table 5.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/variants.h"
#include "linkwork/read.h"
#include "mata2002.h"
#include "papers.h"
#include "ways.h"
#include "words.h"

static const double DEGREE = 0.017453292519943295;  // rad

// --- a turn of the second link

enum
{
  ANGLE,
  ACCELERATION,
  CONDITION,
  FIRST_ERROR,
  COLUMNS = FIRST_ERROR + WAYS
};

// Double minus single precision, acceleration of joint 1 over a whole turn, rad/s^2.
typedef struct Errors
{
  double largest, absolute, mean;  // absolute: the mean of magnitudes; mean: with signs
} Errors;

typedef struct AxisTurn
{
  int steps;
  double step;              // rad
  double (*rows)[COLUMNS];  // (steps)
  Errors errors[WAYS];
} AxisTurn;

// Workspaces made from now on use this instruction set; NULL: the best of the machine.
static void use_instructions(const char* name)
{
  if (name)
    setenv("LINKWORK_ISA", name, 1);
  else
    unsetenv("LINKWORK_ISA");
}

// Largest over smallest eigenvalue of a symmetric matrix.
static double condition_of(const double D[4])
{
  double middle = (D[0] + D[3]) / 2, half = (D[0] - D[3]) / 2;
  double largest = middle + sqrt(half * half + D[1] * D[2]);
  return largest * largest / (D[0] * D[3] - D[1] * D[2]);
}

static void measure_way(const Rig* rig, int way, double angle, double* row)
{
  double q[2] = {0, angle + rig->links->twist}, exact[2], qdd[2], D[4];
  lw_forward_dynamics(rig->model, rig->exact, q, NULL, NULL, exact);
  lw_inertia_matrix(rig->model, rig->exact, q, D);
  WAY[way].solve(rig, q, qdd);
  row[ANGLE]             = angle / DEGREE;
  row[ACCELERATION]      = exact[0];
  row[CONDITION]         = condition_of(D);
  row[FIRST_ERROR + way] = exact[0] - qdd[0];
}

static Errors errors_of(const AxisTurn* turn, int way)
{
  Errors errors = {0};
  for (int i = 0; i < turn->steps; ++i)
  {
    double error = turn->rows[i][FIRST_ERROR + way];
    if (!(fabs(error) <= errors.largest)) errors.largest = fabs(error);
    errors.absolute += fabs(error) / turn->steps;
    errors.mean += error / turn->steps;
  }
  return errors;
}

// One variant over the whole turn.
static Errors go_around(Page* page, const TwoLinks* links, int way, AxisTurn* turn)
{
  Rig rig = {links, two_links_model(page, links), NULL, NULL};
  if (page->status == DONE && rig_open(page, &rig, &WAY[way]) == DONE)
    for (int i = 0; i < turn->steps; ++i) measure_way(&rig, way, i * turn->step, turn->rows[i]);
  rig_close(&rig);
  lw_model_destroy(rig.model);
  return errors_of(turn, way);
}

// --- the errors

static void measure_table(Page* page, const AxisTurn* turn)
{
  static const struct
  {
    const char *largest, *absolute, *mean;
    int way;
  } columns[] = {
      {"table-5/max-aba", "table-5/mean-aba", "table-5-signed/aba", ARTICULATED},
      {"table-5/max-crba", "table-5/mean-crba", "table-5-signed/crba", WALKER_ORIN},
      {"table-5/max-ga", "table-5/mean-ga", "table-5-signed/ga", GIBBS_APPELL},
  };
  const Errors* e = turn->errors;
  for (int k = 0; k < 3; ++k)
  {
    page_measure_one(page, columns[k].largest, e[columns[k].way].largest);
    page_measure_one(page, columns[k].absolute, e[columns[k].way].absolute);
    page_measure_one(page, columns[k].mean, fabs(e[columns[k].way].mean));
  }
  const Errors *aba = &e[ARTICULATED], *crba = &e[WALKER_ORIN], *ga = &e[GIBBS_APPELL];
  page_measure(page, "stability/crba-ga", 2,
               (double[]){crba->largest / ga->largest, crba->absolute / ga->absolute});
  page_measure(page, "stability/crba-aba", 2,
               (double[]){crba->largest / aba->largest, crba->absolute / aba->absolute});
  page_measure(page, "stability/ga-aba", 2,
               (double[]){ga->largest / aba->largest, ga->absolute / aba->absolute});
}

static void note_ways(Page* page, const AxisTurn* turn)
{
  PaperText note = {0};
  text_add(&note, "All variants tried, rad/s², joint 1:\n\n| single precision | largest | mean "
                  "of magnitudes | signed mean |\n|---|---:|---:|---:|\n");
  for (int k = 0; k < WAYS; ++k)
    text_add(&note, "| %s | %.3g | %.3g | %.3g |\n", WAY[k].title, turn->errors[k].largest,
             turn->errors[k].absolute, turn->errors[k].mean);
  text_note(page, "stability", &note);
  page_note(
      page, "stability",
      "Storing the matrix costs the accuracy: an exact D rounded to single precision already has "
      "an "
      "error of %.3g at most and %.3g in the mean, so how it is computed matters less than "
      "that it is stored at all. One step of iterative refinement in single precision, with "
      "inverse dynamics as the residual, takes GA from %.3g to %.3g and costs O(n²); a second "
      "step to %.3g. The articulated-body method loses nothing if the frame of each link is at "
      "its joint, and as much as the others if all vectors are in the base frame.",
      turn->errors[ROUNDED].largest, turn->errors[ROUNDED].absolute,
      turn->errors[GIBBS_APPELL_FACTORED].largest, turn->errors[GIBBS_APPELL_REFINED].largest,
      turn->errors[GIBBS_APPELL_TWICE].largest);
}

// The base-frame variant of ABA: what "a little larger" would be with other frames.
static void note_frames(Page* page, const AxisTurn* turn)
{
  const Errors *base = &turn->errors[BASE_FRAME], *ga = &turn->errors[GIBBS_APPELL];
  page_note(page, "stability",
            "GA / ABA depends on the frames of ABA alone: with all vectors in the base frame it is "
            "%.2f of the largest differences and %.2f of the means.",
            ga->largest / base->largest, ga->absolute / base->absolute);
  const Errors* rounded = &turn->errors[ROUNDED];
  page_fact(page, "1-25", "here GA: signed %.2g, magnitudes %.2g", fabs(ga->mean), ga->absolute);
  page_fact(page, "1-25",
            "rounding an exact D to binary32 already costs %.3f in the mean, %.3f at most",
            rounded->absolute, rounded->largest);
  double worst = 0;
  for (int i = 0; i < turn->steps; ++i) worst = fmax(worst, fabs(turn->rows[i][ACCELERATION]));
  page_fact(page, "1-24", "both accelerate by up to %.0f rad/s^2", worst);
  Values aba = page_printed(page, "table-5/mean-aba"), mean = page_printed(page, "table-5/mean-ga");
  if (aba.count == 1 && mean.count == 1)
    page_fact(page, "1-29", "GA %.5f, ABA %.5f in the mean", mean.at[0], aba.at[0]);
}

// --- chance: the row of CRBA over all that the document does not say

enum
{
  FRAMES = 24,  // frames of body 2, evenly spaced
  MASSES = 3,
  ORDERS = 3
};

// Least and largest of the three errors over some runs.
typedef struct ChanceRange
{
  int runs;
  Errors least, most;
} ChanceRange;

static void widen_chance(ChanceRange* range, Errors e)
{
  Errors *a = &range->least, *b = &range->most;
  e.mean = fabs(e.mean);
  if (range->runs++ == 0) *a = *b = e;
  *a = (Errors){fmin(a->largest, e.largest), fmin(a->absolute, e.absolute), fmin(a->mean, e.mean)};
  *b = (Errors){fmax(b->largest, e.largest), fmax(b->absolute, e.absolute), fmax(b->mean, e.mean)};
}

// One frame, mass and order of operations away from the run of Table 5; 0, 1, 0 is that run.
static Errors crba_errors(Page* page, const TwoLinks* links, AxisTurn* turn, const int choice[3])
{
  static const double masses[MASSES] = {0.1, 1, 10};  // times the inferred one
  static const int orders[ORDERS]    = {WALKER_ORIN, WALKER_ORIN_FACTORED, COMPOSITE};
  TwoLinks varied                    = *links;
  varied.twist                       = choice[0] * 360.0 / FRAMES * DEGREE;
  varied.mass[1] *= masses[choice[1]];
  return go_around(page, &varied, orders[choice[2]], turn);
}

static void add_range(PaperText* note, const char* what, const ChanceRange* range)
{
  text_add(note, "| %s | %d | %.2f to %.2f | %.3f to %.3f | %.3f to %.3f |\n", what, range->runs,
           range->least.largest, range->most.largest, range->least.absolute, range->most.absolute,
           range->least.mean, range->most.mean);
}

// Over one choice, the others as in Table 5.
static ChanceRange range_over(Page* page, const TwoLinks* links, AxisTurn* turn, int which)
{
  static const int counts[3] = {FRAMES, MASSES, ORDERS};
  ChanceRange range          = {0};
  for (int i = 0; i < counts[which] && page->status == DONE; ++i)
  {
    int choice[3] = {0, 1, 0};
    choice[which] = i;
    widen_chance(&range, crba_errors(page, links, turn, choice));
  }
  return range;
}

static ChanceRange range_over_all(Page* page, const TwoLinks* links, AxisTurn* turn)
{
  ChanceRange range = {0};
  for (int i = 0; i < FRAMES * MASSES * ORDERS && page->status == DONE; ++i)
  {
    int choice[3] = {i % FRAMES, i / FRAMES % MASSES, i / FRAMES / MASSES};
    widen_chance(&range, crba_errors(page, links, turn, choice));
  }
  return range;
}

static void note_chance(Page* page, const TwoLinks* links, AxisTurn* turn)
{
  static const char* const titles[3] = {"frame of body 2", "mass of body 2", "order of operations"};
  static const int plain[3]          = {0, 1, 0};
  PaperText note                     = {0};
  ChanceRange instructions           = {0};
  text_add(
      &note,
      "CRBA's row over what the document does not say, rad/s²: %d frames of body 2, %g, %g and "
      "%g kg, `walker-orin-3` with Gauss-Jordan or L D Lᵀ and `composite-body`, and every "
      "instruction set of the machine that made this page.\n\n| varied | runs | largest | mean "
      "of magnitudes | signed mean, its magnitude |\n|---|---:|---:|---:|---:|\n",
      FRAMES, 0.1 * links->mass[1], links->mass[1], 10 * links->mass[1]);
  for (int which = 0; which < 3; ++which)
  {
    ChanceRange range = range_over(page, links, turn, which);
    add_range(&note, titles[which], &range);
  }
  ChanceRange all = range_over_all(page, links, turn);
  for (int i = 0; i < lw_isa_count(); ++i)
  {
    if (!lw_isa_runs(lw_isa(i))) continue;
    use_instructions(lw_isa(i)->name);
    widen_chance(&instructions, crba_errors(page, links, turn, plain));
  }
  use_instructions("baseline");
  add_range(&note, "instruction set", &instructions);
  add_range(&note, "frame, mass and order together", &all);
  text_add(&note, "\nA signed mean is what errors of both signs leave: chance.");
  text_note(page, "table-5-signed", &note);
  page_fact(page, "1-22",
            "over frames, masses of 1 to 100 kg and orders of operations CRBA gives %.1f to %.1f "
            "at most and %.2f to %.2f in the mean",
            all.least.largest, all.most.largest, all.least.absolute, all.most.absolute);
}

// The row of CRBA for other masses of body 2: which are excluded.
static void note_masses(Page* page, const TwoLinks* links, AxisTurn* turn)
{
  Values masses  = page_data(page, "mass-2-tried");
  PaperText note = {0};
  text_add(
      &note,
      "The mass of body 2 is taken as %g kg because both bodies then have %g kg/m. The error of "
      "CRBA (solved by Gauss-Jordan, as in the document) excludes the printed, nearly zero mass, "
      "but does not tell the others apart: they differ by less than the scatter shown with the "
      "signed means.\n\n| mass of body 2, kg | "
      "largest, rad/s² | mean of magnitudes, rad/s² |\n|---:|---:|---:|\n",
      links->mass[1], links->mass[0] / links->length[0]);
  for (int k = 0; k < masses.count; ++k)
  {
    TwoLinks other = *links;
    other.mass[1]  = masses.at[k];
    Errors errors  = go_around(page, &other, WALKER_ORIN, turn);
    text_add(&note, "| %g | %.3g | %.3g |\n", masses.at[k], errors.largest, errors.absolute);
    if (k == 0)
      page_fact(page, "1-22", "a mass of %g kg is excluded (%.2g at most)", masses.at[k],
                errors.largest);
  }
  text_note(page, "table-5", &note);
}

// --- figure 2

enum
{
  DRAWN         = 3,        // ABA, CRBA, GA
  FIRST_SINGLE  = COLUMNS,  // column of their accelerations in single precision
  TABLE_COLUMNS = COLUMNS + DRAWN
};

static PageSeries* tabulate_turn(Page* page, const AxisTurn* turn)
{
  const char* columns[TABLE_COLUMNS]     = {"q2_deg", "qdd1_double", "condition"};
  static const char* const single[DRAWN] = {"qdd1_single_aba", "qdd1_single_crba",
                                            "qdd1_single_ga"};
  for (int k = 0; k < WAYS; ++k) columns[FIRST_ERROR + k] = WAY[k].column;
  for (int k = 0; k < DRAWN; ++k) columns[FIRST_SINGLE + k] = single[k];
  PageSeries* series = page_series(page, "two-links", TABLE_COLUMNS, columns);
  for (int i = 0; i < turn->steps; ++i)
  {
    double row[TABLE_COLUMNS];
    memcpy(row, turn->rows[i], sizeof turn->rows[i]);
    for (int k = 0; k < DRAWN; ++k)
      row[FIRST_SINGLE + k] = row[ACCELERATION] - row[FIRST_ERROR + k];
    series_add(series, row);
  }
  return series;
}

static Panel acceleration_panel(const PageSeries* series, int way)
{
  return (Panel){.title   = WAY[way].title,
                 .x_label = "q2 (deg)",
                 .y_label = "qdd1 (rad/s^2)",
                 .scale   = 1,
                 .count   = 2,
                 .curve   = {{series, ANGLE, FIRST_SINGLE + way, "single", false},
                             {series, ANGLE, ACCELERATION, "double", false}}};
}

static Panel precision_panel(const PageSeries* series, const char* title, int count,
                             const int* ways)
{
  Panel panel = {.title     = title,
                 .x_label   = "q2 (deg)",
                 .y_label   = "|difference| (rad/s^2)",
                 .log_y     = true,
                 .magnitude = true,
                 .scale     = 1};
  for (int k = 0; k < count; ++k)
    panel.curve[panel.count++] =
        (Curve){series, ANGLE, FIRST_ERROR + ways[k], WAY[ways[k]].title, false};
  return panel;
}

static void draw_figure2(Page* page, const AxisTurn* turn)
{
  static const int plain[]   = {WALKER_ORIN, GIBBS_APPELL, ARTICULATED};
  static const int refined[] = {GIBBS_APPELL_REFINED, GIBBS_APPELL_TWICE, ARTICULATED};
  const PageSeries* series   = tabulate_turn(page, turn);
  if (!series) return;
  Panel condition = {.title   = "inertia matrix",
                     .x_label = "q2 (deg)",
                     .y_label = "condition number",
                     .count   = 1,
                     .curve   = {{series, ANGLE, CONDITION, "in 2-norm", false}}};
  page_figure(
      page, "stability",
      &(Figure){"two-links",
                "Figure 2: the acceleration of joint 1 over a turn of body 2 in single "
                "and in double precision, and the condition number of the inertia matrix.",
                4,
                {acceleration_panel(series, ARTICULATED), acceleration_panel(series, WALKER_ORIN),
                 acceleration_panel(series, GIBBS_APPELL), condition}});
  page_figure(page, "stability",
              &(Figure){"two-links-difference",
                        "Size of the error of single precision, and of the error after refinement.",
                        2,
                        {precision_panel(series, "double minus single precision", 3, plain),
                         precision_panel(series, "the same with refinement", 3, refined)}});
}

// two_links.yaml, for those who want to change it, is the arm of this page.
static void check_robot_file(Page* page, const TwoLinks* links)
{
  lwModel *own = two_links_model(page, links), *file = NULL;
  lwWorkspace *a = NULL, *b = NULL;
  double q[2] = {0, 1}, M[2][4], bias[2][2];
  if (page->status == DONE)
    page_check(page, lw_robot_read_text("two_links.yaml", paper_two_links_text,
                                        paper_two_links_length, NULL, NULL, &file));
  if (page->status == DONE) page_check(page, lw_workspace_create(own, NULL, NULL, &a));
  if (page->status == DONE) page_check(page, lw_workspace_create(file, NULL, NULL, &b));
  if (page->status == DONE)
  {
    lw_inertia_matrix(own, a, q, M[0]);
    lw_inertia_matrix(file, b, q, M[1]);
    lw_bias(own, a, q, NULL, bias[0]);
    lw_bias(file, b, q, NULL, bias[1]);
    page_require(page, "two_links.yaml against the arm of 5.1, inertia matrix",
                 relative_difference(4, M[0], M[1]), 1e-14);
    page_require(page, "two_links.yaml against the arm of 5.1, bias",
                 relative_difference(2, bias[0], bias[1]), 1e-14);
  }
  lw_workspace_destroy(a);
  lw_workspace_destroy(b);
  lw_model_destroy(own);
  lw_model_destroy(file);
}

void mata2002_stability(Page* page)
{
  TwoLinks links     = two_links_data(page);
  AxisTurn turn      = {.steps = (int)page_number(page, "turn-steps"),
                        .step  = page_number(page, "turn-step") * DEGREE};
  const char* before = getenv("LINKWORK_ISA");
  if (page->status != DONE) return;
  use_instructions("baseline");  // the same numbers on every machine
  turn.rows = calloc((size_t)turn.steps, sizeof *turn.rows);
  if (!turn.rows)
  {
    page_check(page, LW_ERROR_MEMORY);
    return;
  }
  for (int k = 0; k < WAYS && page->status == DONE; ++k)
    turn.errors[k] = go_around(page, &links, k, &turn);
  check_robot_file(page, &links);
  two_links_draw(page, &links, 40 * DEGREE);
  if (page->status == DONE)
  {
    measure_table(page, &turn);
    draw_figure2(page, &turn);
    note_ways(page, &turn);
    note_frames(page, &turn);
    note_masses(page, &links, &turn);
    note_chance(page, &links, &turn);
  }
  use_instructions(before);
  free(turn.rows);
}
