// SPDX-License-Identifier: MIT
// (5)-(13) on generic arms: torques, inertia matrices and accelerations of the literal equations beside those of
// other formulations, and what each correction is about.
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "grigorov2013.h"
#include "literal.h"
#include "math/lu.h"
#include "states.h"

enum
{
  STATES    = 20,  // of every arm
  LONG_ARM  = 20,  // joints from which on fewer states do
  FEW       = 2,
  SHORTEST  = 2,  // arms on which errata are compared
  LONGEST   = 10,
  MOST_ARMS = 8
};

// --- an arm, its states, and what is right

typedef struct Bed
{
  int n;
  lwModel* model;    // generic, modified DH
  lwModel* classic;  // the same numbers taken for standard DH
  lwWork *work, *classic_work;
  lwJointDef* joints;  // (n) of the classic one
  Ring ring;
  double wrench[6];
  double *tau, *truth;  // (n)
  double* matrix;       // (2 n n)
  int* pivots;          // (n)
} Bed;

static void make_classic(Bed* bed, Page* page)
{
  lwRobotDef robot = robot_copy(bed->model, bed->joints);
  for (int i = 0; i < bed->n; ++i) bed->joints[i].placement = LW_DH_STANDARD;
  page_check(page, lw_model_create(&robot, NULL, NULL, &bed->classic));
}

static void make_works(Bed* bed, Page* page)
{
  lwWorkDef def   = lw_work_def();
  lwRandom random = {13};
  def.forward     = "articulated-body";
  for (int k = 0; k < 6; ++k) bed->wrench[k] = lw_random_between(&random, -20, 20);
  page_check(page, lw_work_create(bed->model, &def, &bed->work));
  if (page->status == DONE)
    page_check(page, lw_work_create(bed->classic, &def, &bed->classic_work));
  if (page->status != DONE) return;
  lw_work_set_wrench(bed->work, bed->wrench);
  lw_work_set_wrench(bed->classic_work, bed->wrench);
}

static void bed_open(Bed* bed, Page* page, int n)
{
  size_t size = (size_t)n;
  *bed        = (Bed){.n      = n,
                      .joints = calloc(size, sizeof *bed->joints),
                      .tau    = calloc(size, sizeof *bed->tau),
                      .truth  = calloc(size, sizeof *bed->truth),
                      .matrix = calloc(2 * size * size, sizeof *bed->matrix),
                      .pivots = calloc(size, sizeof *bed->pivots)};
  if (!bed->joints || !bed->tau || !bed->truth || !bed->matrix || !bed->pivots)
    page_check(page, LW_ERROR_MEMORY);
  if (page->status == DONE) page_check(page, lw_model_create_generic(n, &bed->model));
  if (page->status == DONE) make_classic(bed, page);
  if (page->status == DONE) make_works(bed, page);
  if (page->status == DONE && !ring_fill(&bed->ring, bed->model, n < LONG_ARM ? STATES : FEW))
    page_check(page, LW_ERROR_MEMORY);
  for (int k = 0; k < bed->ring.count && page->status == DONE; ++k)
    bed->ring.states[k].wrench = bed->wrench;
}

static void bed_close(Bed* bed)
{
  ring_free(&bed->ring);
  lw_work_destroy(bed->work);
  lw_work_destroy(bed->classic_work);
  lw_model_destroy(bed->model);
  lw_model_destroy(bed->classic);
  free(bed->joints);
  free(bed->tau);
  free(bed->truth);
  free(bed->matrix);
  free(bed->pivots);
}

// --- torques

// The mean over the states of the largest error of a torque, relative to the largest torque.
static double torque_error(Bed* bed, Page* page, Equation equation, unsigned printed)
{
  bool classic         = (printed & PRINTED_FRAMES) != 0;
  const lwModel* model = classic ? bed->classic : bed->model;
  lwWork* work         = classic ? bed->classic_work : bed->work;
  Literal* literal     = NULL;
  double sum           = 0;
  page_check(page, literal_create(lw_model_robot(model), printed, &literal));
  for (int k = 0; k < bed->ring.count && page->status == DONE; ++k)
  {
    const lwStates* state = &bed->ring.states[k];
    literal_move(literal, state);
    for (int j = 0; j < bed->n; ++j) bed->tau[j] = literal_torque(literal, equation, j);
    lw_inverse_dynamics(model, work, state->q, state->qd, state->qdd, bed->truth);
    sum += relative_difference(bed->n, bed->truth, bed->tau);
  }
  literal_destroy(literal);
  return sum / bed->ring.count;
}

// --- inertia matrix and accelerations

typedef enum MatrixCheck
{
  MATRIX_VALUES,    // against composite bodies
  MATRIX_SYMMETRY,  // M - M^T
  MATRIX_SOLUTION,  // accelerations of (13) against articulated bodies
  MATRIX_CHECKS
} MatrixCheck;

static double asymmetry(int n, const double* M)
{
  double most = 0;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < j; ++k) most = fmax(most, fabs(M[j * n + k] - M[k * n + j]));
  return most / largest(n * n, M);
}

// (13): M th.. = tau - H + G, where H - G is what (12) asks for without accelerations. By the torque that the error of
// the accelerations takes.
static double solution_error(Bed* bed, Literal* literal, const lwStates* state, double* M)
{
  int n          = bed->n;
  double* qdd    = bed->tau;
  double* truth  = bed->truth;
  lwStates still = *state;
  still.qdd      = NULL;
  literal_move(literal, &still);
  for (int j = 0; j < n; ++j) qdd[j] = state->tau[j] - literal_torque(literal, EQUATION_12, j);
  if (!lw_lu_factor(M, n, bed->pivots)) return INFINITY;
  lw_lu_solve(M, n, bed->pivots, qdd);
  lw_forward_dynamics(bed->model, bed->work, state->q, state->qd, state->tau, truth);
  double size = 0, most = 0;
  double* true_M = bed->matrix + (size_t)n * (size_t)n;
  for (int j = 0; j < n; ++j)
  {
    double torque = 0, error = 0;
    for (int k = 0; k < n; ++k)
    {
      torque += true_M[j * n + k] * truth[k];
      error += true_M[j * n + k] * (qdd[k] - truth[k]);
    }
    size = fmax(size, fabs(torque));
    most = fmax(most, fabs(error));
  }
  return most / size;
}

static void check_matrix(Bed* bed, Page* page, double worst[MATRIX_CHECKS])
{
  Literal* literal = NULL;
  int n            = bed->n;
  double *M = bed->matrix, *truth = M + (size_t)n * (size_t)n;
  page_check(page, literal_create(lw_model_robot(bed->model), 0, &literal));
  for (int k = 0; k < bed->ring.count && page->status == DONE; ++k)
  {
    const lwStates* state = &bed->ring.states[k];
    literal_move(literal, state);
    literal_matrix(literal, M);
    lw_inertia_matrix(bed->model, bed->work, state->q, truth);
    double found[MATRIX_CHECKS] = {relative_difference(n * n, truth, M), asymmetry(n, M), 0};
    found[MATRIX_SOLUTION]      = solution_error(bed, literal, state, M);
    for (int c = 0; c < MATRIX_CHECKS; ++c) worst[c] = fmax(worst[c], found[c]);
  }
  literal_destroy(literal);
}

static void check_motions(Bed* bed, Page* page, double worst[LITERAL_MOTIONS])
{
  Literal* literal = NULL;
  page_check(page, literal_create(lw_model_robot(bed->model), 0, &literal));
  for (int k = 0; k < bed->ring.count && page->status == DONE; ++k)
  {
    double found[LITERAL_MOTIONS];
    literal_move(literal, &bed->ring.states[k]);
    literal_compare_motions(literal, found);
    for (int c = 0; c < LITERAL_MOTIONS; ++c) worst[c] = fmax(worst[c], found[c]);
  }
  literal_destroy(literal);
}

static void write_agreement(Page* page)
{
  static const char* const equations[] = {"equations/moments", "equations/vectors",
                                          "equations/matrices"};
  static const char* const matrix[] = {"forward/matrix", "forward/symmetric", "forward/solution"};
  Values arms                       = page_data(page, "arms");
  double torques[EQUATION_COUNT][MOST_ARMS], checks[MATRIX_CHECKS][MOST_ARMS] = {{0}};
  double motions[LITERAL_MOTIONS] = {0};
  int count                       = arms.count < MOST_ARMS ? arms.count : MOST_ARMS;
  for (int a = 0; a < count && page->status == DONE; ++a)
  {
    Bed bed;
    double worst[MATRIX_CHECKS] = {0};
    bed_open(&bed, page, (int)arms.at[a]);
    for (int e = 0; e < EQUATION_COUNT && page->status == DONE; ++e)
      torques[e][a] = torque_error(&bed, page, (Equation)e, 0);
    if (page->status == DONE) check_matrix(&bed, page, worst);
    if (page->status == DONE) check_motions(&bed, page, motions);
    for (int c = 0; c < MATRIX_CHECKS; ++c) checks[c][a] = worst[c];
    bed_close(&bed);
  }
  if (page->status != DONE) return;
  for (int e = 0; e < EQUATION_COUNT; ++e) page_measure(page, equations[e], count, torques[e]);
  for (int c = 0; c < MATRIX_CHECKS; ++c) page_measure(page, matrix[c], count, checks[c]);
  page_measure(page, "motions/closed-form", LITERAL_MOTIONS, motions);
}

// --- what the errata are about

typedef struct Effect
{
  const char* column;  // of the CSV
  const char* title;
  unsigned printed;
  Equation equation;
  bool harmless;  // changes no torque, which the table shows
} Effect;

static const Effect EFFECTS[] = {
    {"erratum_4_1", "4-1: classical frames", PRINTED_FRAMES, EQUATION_12, false},
    {"erratum_4_2", "4-2: m_j", PRINTED_MASS, EQUATION_5, false},
    {"erratum_4_3", "4-3: I_i jR_i", PRINTED_INERTIA, EQUATION_5, false},
    {"erratum_4_4", "4-4: R (w x thd)", PRINTED_TURN, EQUATION_12, false},
    {"erratum_4_6", "4-6: C_VC1 = 0", PRINTED_START, EQUATION_12, true},
    {"erratum_4_7", "4-7: sum from i = 1", PRINTED_BOUND, EQUATION_12, false},
    {"erratum_4_9", "4-9: C_VC without jR_i", PRINTED_ARM, EQUATION_12, false},
    {"all_of_5", "all as printed", PRINTED_MASS | PRINTED_INERTIA, EQUATION_5, false},
    {"all_of_12", "all as printed", PRINTED_BOUND | PRINTED_ARM, EQUATION_12, false},
    {"corrected_12", "corrected", 0, EQUATION_12, true},
};

enum
{
  EFFECTS_COUNT = sizeof EFFECTS / sizeof *EFFECTS
};

// The curves of a panel: those of one equation that show anything at all.
static Panel effects_of(const Series* series, Equation equation, const char* title)
{
  Panel panel = {.title   = title,
                 .x_label = "number of joints n",
                 .y_label = "relative error of a torque",
                 .log_y   = true};
  for (int e = 0; e < EFFECTS_COUNT; ++e)
    if (EFFECTS[e].equation == equation && !EFFECTS[e].harmless)
      panel.curve[panel.count++] =
          (Curve){.series = series, .x = 0, .y = e + 1, .title = EFFECTS[e].title};
  return panel;
}

static void draw_effects(Page* page, const Series* series)
{
  Figure figure   = {.name = "errata",
                     .caption =
                         "What the torques lose where something is taken as it is printed, over the "
                           "number of joints",
                     .count = 2};
  figure.panel[0] = effects_of(series, EQUATION_5, "torques by (5)");
  figure.panel[1] = effects_of(series, EQUATION_12, "torques by (12)");
  page_figure(page, "equations", &figure);
}

static void list_effects(Page* page, const Series* series)
{
  static const int arms[] = {2, 5, 8};
  Lines lines             = {0};
  lines_add(&lines,
            "What is lost where one thing is left as it is printed: the largest error of a torque, "
            "relative to "
            "the largest torque, mean of %d random states of a generic arm.\n\n| taken as printed",
            STATES);
  for (size_t a = 0; a < sizeof arms / sizeof *arms; ++a) lines_add(&lines, " | n = %d", arms[a]);
  lines_add(&lines, " |\n|---|---:|---:|---:|");
  for (int e = 0; e < EFFECTS_COUNT; ++e)
  {
    lines_add(&lines, "\n| (%s) %s", EFFECTS[e].equation == EQUATION_5 ? "5" : "12",
              EFFECTS[e].title);
    for (size_t a = 0; a < sizeof arms / sizeof *arms; ++a)
      lines_add(&lines, " | %.2g", series_value(series, (size_t)(arms[a] - SHORTEST), e + 1));
    lines_add(&lines, " |");
  }
  lines_add(&lines, "\n\n4-6 is about an acceleration, but about no torque: C_VC of the first link "
                    "points to the axis "
                    "of joint 1, which does not feel it.");
  page_note(page, "equations", "%s", lines.text);
}

static void write_effects(Page* page)
{
  const char* columns[EFFECTS_COUNT + 1] = {"n"};
  for (int e = 0; e < EFFECTS_COUNT; ++e) columns[e + 1] = EFFECTS[e].column;
  Series* series = page_series(page, "errata", EFFECTS_COUNT + 1, columns);
  for (int n = SHORTEST; n <= LONGEST && page->status == DONE; ++n)
  {
    Bed bed;
    double row[EFFECTS_COUNT + 1] = {n};
    bed_open(&bed, page, n);
    for (int e = 0; e < EFFECTS_COUNT && page->status == DONE; ++e)
      row[e + 1] = torque_error(&bed, page, EFFECTS[e].equation, EFFECTS[e].printed);
    bed_close(&bed);
    series_add(series, row);
  }
  if (page->status != DONE) return;
  list_effects(page, series);
  draw_effects(page, series);
}

void write_equations(Page* page)
{
  write_agreement(page);
  if (page->status == DONE) write_effects(page);
}
