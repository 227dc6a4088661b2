// SPDX-License-Identifier: MIT
// The equations of nia2005, evaluated as printed and corrected in random states of generic snakes.
#include <math.h>

#include "base/random.h"
#include "math/lu.h"
#include "nia2005.h"
#include "steps.h"
#include "words.h"

enum
{
  STATES     = 6,  // of every snake
  MOST_LINKS = 12
};

static const int LINKS[] = {2, 3, 6, MOST_LINKS};

// How wrong udot is with equations as printed, over all states.
typedef struct EquationLiteral
{
  double sum, most;
  int count;
} EquationLiteral;

// The largest differences over all states, each relative to the size of what is compared.
typedef struct Gaps
{
  double velocities;   // (3)-(7)
  double partials;     // (9), (11)-(14)
  double derivatives;  // (15)-(20)
  double kane;         // (8)
  double inertia;      // (25)
  double constraints;  // A q' = 0
  double augmented;    // (27)
  EquationLiteral kane_printed, augmented_printed;
} Gaps;

// A state of a snake, and memory for everything about it.
typedef struct EquationTrial
{
  const lwSnake* snake;
  int n;
  double theta[MOST_LINKS], u[2], torque[MOST_LINKS];
  lwSnakeStates state;
  lwArena* arena;
  KaneValues kane;
} EquationTrial;

static void widen_gap(double* gap, double difference, double size)
{
  *gap = fmax(*gap, fabs(difference) / size);
}

// The velocity of link i + 1 by (4) from that of link i by (3).
static void check_velocities(const EquationTrial* trial, Gaps* gaps)
{
  const KaneValues* kane = &trial->kane;
  double size            = largest(trial->n, kane->V);
  for (int i = 0; i + 1 < trial->n; ++i)
  {
    double h = lw_snake_get(trial->snake, i).length / 2, w = h * kane->w[i];
    double h_next = lw_snake_get(trial->snake, i + 1).length / 2, w_next = h_next * kane->w[i + 1];
    double c = cos(trial->theta[i]), s = sin(trial->theta[i]);
    double c_next = cos(trial->theta[i + 1]), s_next = sin(trial->theta[i + 1]);
    double x = kane->V[i] * c - w * s - w_next * s_next,
           y = kane->V[i] * s + w * c + w_next * c_next;
    widen_gap(&gaps->velocities, x - kane->V[i + 1] * c_next, size);
    widen_gap(&gaps->velocities, y - kane->V[i + 1] * s_next, size);
  }
}

static double kinetic_energy(const EquationTrial* trial)
{
  double twice = 0;
  for (int i = 0; i < trial->n; ++i)
  {
    lwSnakeLink link = lw_snake_get(trial->snake, i);
    twice += link.mass * trial->kane.V[i] * trial->kane.V[i] +
             link.inertia * trial->kane.w[i] * trial->kane.w[i];
  }
  return twice / 2;
}

// u^T M u / 2 is the kinetic energy, and u^T F the power of the torques.
static void check_partials(const EquationTrial* trial, Gaps* gaps)
{
  const KaneValues* kane = &trial->kane;
  const double* u        = trial->u;
  double kinetic = kinetic_energy(trial), power = 0, size = 0;
  double by_M =
      (kane->M[0] * u[0] * u[0] + kane->M[2] * u[1] * u[1]) / 2 + kane->M[1] * u[0] * u[1];
  for (int k = 0; k + 1 < trial->n; ++k)
  {
    double part = trial->torque[k] * (kane->w[k + 1] - kane->w[k]);
    power += part;
    size = fmax(size, fabs(part));
  }
  widen_gap(&gaps->partials, by_M - kinetic, kinetic);
  widen_gap(&gaps->partials, u[0] * kane->F[0] + u[1] * kane->F[1] - power, size);
}

// Derivatives with respect to q_j against finite differences of the velocities.
static void check_derivatives(const EquationTrial* trial, Gaps* gaps)
{
  const double step = 1e-5;  // rad: the error of the difference is about 1e-10
  int n             = trial->n;
  double size_V = largest(n * n, trial->kane.V_q), size_w = largest(n * n, trial->kane.w_q);
  for (int j = 0; j < n; ++j)
  {
    KaneValues side[2];
    EquationTrial moved = *trial;
    moved.state.theta   = moved.theta;
    for (int k = 0; k < 2; ++k)
    {
      moved.theta[j] = trial->theta[j] + (k == 0 ? step : -step);
      if (!kane_equations(trial->snake, &moved.state, false, trial->arena, &side[k])) return;
    }
    for (int i = 0; i < n; ++i)
    {
      double V = (side[0].V[i] - side[1].V[i]) / (2 * step);
      double w = (side[0].w[i] - side[1].w[i]) / (2 * step);
      widen_gap(&gaps->derivatives, trial->kane.V_q[i * n + j] - V, size_V);
      widen_gap(&gaps->derivatives, trial->kane.w_q[i * n + j] - w, size_w);
    }
  }
}

// q'' and lambda of (27) into x (2 n + 2); with `printed` as in the document, except that the lower
// A^T, which does not fit, is replaced by A. False if the matrix is singular.
static bool solve_augmented(const MultiplierValues* values, int n, bool printed, double* x)
{
  enum
  {
    MOST = 2 * MOST_LINKS + 2
  };
  double matrix[MOST * MOST] = {0};
  int pivots[MOST], size = values->size, all = size + n;
  double sign = printed ? -1 : 1;
  for (int i = 0; i < size; ++i)
  {
    x[i] = printed ? values->Q[i] : values->Q_B[i];
    for (int j = 0; j <= i; ++j)
      matrix[i * all + j] = matrix[j * all + i] = values->M[i * size + j];
  }
  for (int k = 0; k < n; ++k)
  {
    x[size + k] = -sign * values->drift[k];
    for (int i = 0; i < size; ++i)
    {
      matrix[(size + k) * all + i] = values->A[k * size + i];
      matrix[i * all + size + k]   = sign * values->A[k * size + i];
    }
  }
  if (!lw_lu_factor(matrix, all, pivots)) return false;
  lw_lu_solve(matrix, all, pivots, x);
  return true;
}

// udot from q'': the acceleration along link 1, and its angular acceleration.
static void first_link_rates(const EquationTrial* trial, const double* qdd, double udot[2])
{
  udot[0] = cos(trial->theta[0]) * qdd[0] + sin(trial->theta[0]) * qdd[1];
  udot[1] = qdd[2];
}

static double udot_gap(const double a[2], const double b[2])
{
  double size = fmax(fabs(b[0]), fabs(b[1]));
  return fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1])) / size;
}

static void add_literal(EquationLiteral* literal, double gap)
{
  literal->sum += gap;
  literal->most = fmax(literal->most, gap);
  literal->count += 1;
}

static void check_multipliers(const EquationTrial* trial, const MultiplierValues* values,
                              Gaps* gaps)
{
  double kinetic = 0, size = largest(trial->n, trial->kane.V);
  for (int i = 0; i < values->size; ++i)
    for (int j = 0; j <= i; ++j)
      kinetic += values->M[i * values->size + j] * values->qd[i] * values->qd[j] / (i == j ? 2 : 1);
  widen_gap(&gaps->inertia, kinetic - kinetic_energy(trial), kinetic_energy(trial));
  for (int k = 0; k < trial->n; ++k)
  {
    double sideways = 0;
    for (int i = 0; i < values->size; ++i)
      sideways += values->A[k * values->size + i] * values->qd[i];
    widen_gap(&gaps->constraints, sideways, size);
  }
}

// Three ways to udot: Kane as in section III, the multipliers of section IV,
// and the closed form of the library.
static bool check_accelerations(const EquationTrial* trial, lwSnakeWorkspace* ws, Gaps* gaps)
{
  double x[2 * MOST_LINKS + 2], by_multipliers[2], by_library[2], udot[2];
  MultiplierValues values;
  KaneValues literal;
  if (!multiplier_equations(trial->snake, &trial->state, trial->arena, &values) ||
      !kane_equations(trial->snake, &trial->state, true, trial->arena, &literal))
    return false;
  check_multipliers(trial, &values, gaps);
  lw_snake_answer(trial->snake, ws, &trial->state, &(lwSnakeAnswers){.udot = by_library});
  if (!solve_augmented(&values, trial->n, false, x)) return true;
  first_link_rates(trial, x, by_multipliers);
  gaps->augmented = fmax(gaps->augmented, udot_gap(by_multipliers, by_library));
  gaps->kane      = fmax(gaps->kane, udot_gap(trial->kane.udot, by_multipliers));
  add_literal(&gaps->kane_printed, udot_gap(literal.udot, by_multipliers));
  if (!solve_augmented(&values, trial->n, true, x)) return true;
  first_link_rates(trial, x, udot);
  add_literal(&gaps->augmented_printed, udot_gap(udot, by_multipliers));
  return true;
}

static void draw_state(EquationTrial* trial, lwRandom* random)
{
  for (int k = 0; k < trial->n; ++k)
  {
    trial->theta[k]  = lw_random_between(random, -1, 1);
    trial->torque[k] = lw_random_between(random, -1, 1);
  }
  for (int i = 0; i < 2; ++i) trial->u[i] = lw_random_between(random, 0.5, 1.5);
  trial->state = (lwSnakeStates){trial->theta, trial->u, trial->torque};
}

static lwStatus check_snake(const lwSnake* snake, lwSnakeWorkspace* ws, lwRandom* random,
                            Gaps* gaps)
{
  lwArena arena       = {0};
  EquationTrial trial = {.snake = snake, .n = lw_snake_count(snake), .arena = &arena};
  bool enough         = true;
  for (int s = 0; s < STATES && enough; ++s)
  {
    draw_state(&trial, random);
    KaneValues kane;
    enough = kane_equations(snake, &trial.state, false, &arena, &kane);
    if (!enough) break;
    trial.kane = kane;
    check_velocities(&trial, gaps);
    check_partials(&trial, gaps);
    check_derivatives(&trial, gaps);
    enough = check_accelerations(&trial, ws, gaps);
  }
  lw_arena_free(&arena);
  return enough ? LW_OK : LW_ERROR_MEMORY;
}

static void check_all(Page* page, Gaps* gaps)
{
  lwRandom random = {2005};
  for (size_t i = 0; i < sizeof LINKS / sizeof *LINKS && page->status == DONE; ++i)
  {
    lwSnake* snake;
    lwSnakeWorkspace* ws = NULL;
    if (page_check(page, lw_snake_create_generic(LINKS[i], &snake)) != DONE) return;
    page_check(page, lw_snake_workspace_create(snake, NULL, NULL, &ws));
    if (ws) page_check(page, check_snake(snake, ws, &random, gaps));
    lw_snake_workspace_destroy(ws);
    lw_snake_destroy(snake);
  }
}

void nia2005_equations(Page* page)
{
  Gaps gaps = {0};
  page_progress(page, "equations");
  check_all(page, &gaps);
  page_measure_one(page, "equations/velocities", gaps.velocities);
  page_measure_one(page, "equations/partials", gaps.partials);
  page_measure_one(page, "equations/derivatives", gaps.derivatives);
  page_measure_one(page, "equations/kane", gaps.kane);
  page_measure_one(page, "equations/inertia", gaps.inertia);
  page_measure_one(page, "equations/constraints", gaps.constraints);
  page_measure_one(page, "equations/augmented", gaps.augmented);
  const EquationLiteral *kane = &gaps.kane_printed, *augmented = &gaps.augmented_printed;
  page_fact(page, "0-4", "costs %.2g of udot on average", kane->sum / kane->count);
  page_fact(page, "0-11", "costs %.2g of udot on average", augmented->sum / augmented->count);
  page_note(
      page, "equations",
      "Effect of the errata, as error of udot relative to its size: with (21) as printed, for "
      "every link, %.2g on average and %.2g at most; with (27) as printed, which leaves out B and "
      "has the wrong sign of A' q', %.2g on average and %.2g at most (the lower A^T, which does "
      "not "
      "fit, is replaced by A).",
      kane->sum / kane->count, kane->most, augmented->sum / augmented->count, augmented->most);
}
