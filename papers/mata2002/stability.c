// SPDX-License-Identifier: MIT
// mata2002, 5.1: two links of very different length in single precision; figure 2 and Table 5.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mata2002.h"
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

// Largest over smallest eigenvalue of a symmetric matrix.
static double condition_of(const double D[4])
{
  double middle = (D[0] + D[3]) / 2, half = (D[0] - D[3]) / 2;
  double largest = middle + sqrt(half * half + D[1] * D[2]);
  return largest * largest / (D[0] * D[3] - D[1] * D[2]);
}

static void measure_way(const Rig* rig, int way, double angle, double* row)
{
  double q[2] = {0, angle}, exact[2], qdd[2], D[4];
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

// The row of CRBA for other masses of body 2, to infer which one the authors used.
static void note_masses(Page* page, const TwoLinks* links, AxisTurn* turn)
{
  Values masses  = page_data(page, "mass-2-tried");
  PaperText note = {0};
  text_add(
      &note,
      "The mass of body 2 is taken as %g kg because both bodies then have %g kg/m. The error of "
      "CRBA (solved by Gauss-Jordan, as in the document) excludes the printed, nearly zero mass, "
      "and does not discriminate well between the others:\n\n| mass of body 2, kg | "
      "largest, rad/s² | mean of magnitudes, rad/s² |\n|---:|---:|---:|\n",
      links->mass[1], links->mass[0] / links->length[0]);
  for (int k = 0; k < masses.count; ++k)
  {
    TwoLinks other = *links;
    other.mass[1]  = masses.at[k];
    Errors errors  = go_around(page, &other, WALKER_ORIN, turn);
    text_add(&note, "| %g | %.3g | %.3g |\n", masses.at[k], errors.largest, errors.absolute);
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

void mata2002_stability(Page* page)
{
  TwoLinks links = two_links_data(page);
  AxisTurn turn  = {.steps = (int)page_number(page, "turn-steps"),
                    .step  = page_number(page, "turn-step") * DEGREE};
  if (page->status != DONE) return;
  turn.rows = calloc((size_t)turn.steps, sizeof *turn.rows);
  if (!turn.rows)
  {
    page_check(page, LW_ERROR_MEMORY);
    return;
  }
  for (int k = 0; k < WAYS && page->status == DONE; ++k)
    turn.errors[k] = go_around(page, &links, k, &turn);
  two_links_draw(page, &links, 40 * DEGREE);
  if (page->status == DONE)
  {
    measure_table(page, &turn);
    draw_figure2(page, &turn);
    note_ways(page, &turn);
    note_masses(page, &links, &turn);
  }
  free(turn.rows);
}
