// SPDX-License-Identifier: MIT
#include "compare/torques/causes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

enum
{
  TEN         = LW_LINK_PARAMETERS,
  LEAST_EXTRA = 8,   // equations more than unknowns; fewer would fit anything
  BEST        = 4,   // choices that are looked at closely
  REFINED     = 3,   // solutions of normal equations, each for what the one before leaves
  ANGLES      = 24,  // of a turn that it tries
  ROUNDS      = 3,   // of a search over all joints
  STEPS       = 60   // of Gauss and Newton
};

static const double SIGMAS     = 4;     // standard errors that a fit may be wrong by
static const double FELT       = 3;     // standard errors, below which nothing has changed
static const double INVISIBLE  = 1e-6;  // of a joint's torques
static const double MOST_MASS  = 10;    // of the whole robot's, that a link or payload may have
static const double LONG_STEP  = 0.3;   // rad or m
static const double SHORT_STEP = 1e-11;

// A fit under way.
typedef struct CauseFit
{
  lwRegression* all;
  lwFitTerms terms;
  int first_of[3];            // terms of each cause, and their end
  bool payload;               // one of them is a body on the last link
  double *M, *x, *b, *error;  // (terms, terms), (terms)
  double* zero;               // (n) shift of each joint
  double* q;                  // positions of the file
} CauseFit;

// One way to choose the alternatives of two causes.
typedef struct Choice
{
  int alternative[2];
  double squares;
} Choice;

bool lw_cause_rubs(lwCause cause)
{
  return cause == LW_CAUSE_FRICTION || cause == LW_CAUSE_JOINT_TERMS;
}

// --- unknowns of a cause

// The columns that a cause is fitted to: all of the groups first to last, or `width` of them, as
// many alternatives as there are.
static const struct
{
  lwFitColumn first, last;
  int width;
} CAUSE_COLUMNS[LW_CAUSE_COUNT] = {[LW_CAUSE_GRAVITY]  = {LW_COLUMN_GRAVITY, LW_COLUMN_GRAVITY, 0},
                                   [LW_CAUSE_FRICTION] = {LW_COLUMN_VISCOUS, LW_COLUMN_COULOMB, 0},
                                   [LW_CAUSE_ROTORS]   = {LW_COLUMN_ROTOR, LW_COLUMN_ROTOR, 0},
                                   [LW_CAUSE_JOINT_TERMS] = {LW_COLUMN_VISCOUS, LW_COLUMN_ROTOR, 0},
                                   [LW_CAUSE_MASS]        = {LW_COLUMN_LINK, LW_COLUMN_LINK, TEN},
                                   [LW_CAUSE_PAYLOAD]     = {LW_COLUMN_LINK, LW_COLUMN_LINK, TEN},
                                   [LW_CAUSE_LINK]        = {LW_COLUMN_LINK, LW_COLUMN_LINK, TEN},
                                   [LW_CAUSE_ZERO]        = {LW_COLUMN_ZERO, LW_COLUMN_ZERO, 1},
                                   [LW_CAUSE_ZEROS]       = {LW_COLUMN_ZERO, LW_COLUMN_ZERO, 0}};

static int alternatives_of(const lwRegression* all, lwCause cause)
{
  int first = all->first[CAUSE_COLUMNS[cause].first], width = CAUSE_COLUMNS[cause].width;
  int end   = all->first[CAUSE_COLUMNS[cause].last + 1],
      count = width > 0 ? (end - first) / width : 1;
  // a mass with the same inertia, or with one that grows as the mass does
  return cause == LW_CAUSE_MASS ? 2 * count : count;
}

static lwFitTerm* add_term(lwFitTerms* terms, int first)
{
  lwFitTerm* term = &terms->of[terms->count++];
  *term           = (lwFitTerm){.first = first, .length = 1, .direction = {1}};
  return term;
}

static bool carries_joint(const lwTrial* trial, int link)
{
  for (int i = 0; i < trial->robot.count; ++i)
    if (trial->joints[i].parent == link) return true;
  return false;
}

static void add_mass(const lwRegression* all, lwFitTerms* terms, int link, bool whole)
{
  const lwLinkDef* own = &all->trial->joints[link].link;
  lwLinkDef point      = {.mass = 1, .com = {own->com[0], own->com[1], own->com[2]}};
  if (whole && !(own->mass > 0)) return;
  lwFitTerm* term = add_term(terms, all->first[LW_COLUMN_LINK] + TEN * link);
  term->length    = TEN;
  lw_link_parameters(whole ? own : &point, term->direction);
  for (int k = 0; k < TEN && whole; ++k) term->direction[k] /= own->mass;
}

// Adds the unknowns of an alternative; none if there is no such one.
static void add_terms(const lwRegression* all, lwFitTerms* terms, lwCause cause, int alternative)
{
  int width = CAUSE_COLUMNS[cause].width;
  int from  = all->first[CAUSE_COLUMNS[cause].first] + width * alternative;
  int to    = width > 0 ? from + width : all->first[CAUSE_COLUMNS[cause].last + 1];
  if (cause == LW_CAUSE_NONE) return;
  if (cause == LW_CAUSE_MASS) return add_mass(all, terms, alternative / 2, alternative % 2);
  if (cause == LW_CAUSE_PAYLOAD && carries_joint(all->trial, alternative)) return;
  for (int column = from; column < to; ++column) add_term(terms, column);
}

// The link that an alternative is about; -1: none.
static int alternative_link(lwCause cause, int alternative)
{
  if (cause == LW_CAUSE_MASS) return alternative / 2;
  return CAUSE_COLUMNS[cause].width == TEN ? alternative : -1;
}

// Sets the terms; false if there are none, or two causes are about the same link.
static bool choose_terms(CauseFit* fit, const lwCause cause[2], const Choice* choice)
{
  int first  = alternative_link(cause[0], choice->alternative[0]),
      second = alternative_link(cause[1], choice->alternative[1]);
  if (cause[0] == cause[1] && choice->alternative[0] >= choice->alternative[1]) return false;
  if (first >= 0 && first == second) return false;
  fit->terms.count = 0;
  for (int k = 0; k < 2; ++k)
  {
    int before = fit->terms.count;
    add_terms(fit->all, &fit->terms, cause[k], choice->alternative[k]);
    fit->first_of[k]     = before;
    fit->first_of[k + 1] = fit->terms.count;
    if (cause[k] != LW_CAUSE_NONE && fit->terms.count == before) return false;
  }
  return fit->all->equations >= fit->terms.count + LEAST_EXTRA;
}

// --- least squares

// The joint whose zero term u is; negative: it is another term.
static int zero_joint(const CauseFit* fit, int u)
{
  return fit->terms.of[u].first - fit->all->first[LW_COLUMN_ZERO];
}

// What the terms leave, by the normal equations of all columns.
static double squares_left(CauseFit* fit)
{
  int p       = fit->terms.count;
  double left = fit->all->bb;
  lw_fit_terms_normal(fit->all, &fit->terms, fit->M, fit->b);
  memcpy(fit->x, fit->b, (size_t)p * sizeof *fit->x);
  lw_ldl_factor(p, fit->M, LW_FIT_DEPENDENT);
  lw_ldl_solve(p, fit->M, fit->x);
  for (int u = 0; u < p; ++u) left -= fit->b[u] * fit->x[u];
  return fmax(left, 0);
}

static void solve_now(CauseFit* fit)
{
  lw_fit_terms_normal_now(fit->all, &fit->terms, fit->M, fit->b);
  lw_ldl_factor(fit->terms.count, fit->M, LW_FIT_DEPENDENT);
  lw_ldl_solve(fit->terms.count, fit->M, fit->b);
}

static void refine(CauseFit* fit)
{
  int p = fit->terms.count;
  memset(fit->x, 0, (size_t)p * sizeof *fit->x);
  for (int k = 0; k < REFINED; ++k)
  {
    solve_now(fit);
    lw_fit_terms_subtract(fit->all, &fit->terms, fit->b);
    for (int u = 0; u < p; ++u) fit->x[u] += fit->b[u];
  }
  for (int u = 0; u < p; ++u)  // standard errors, from the factors of the last solution
  {
    memset(fit->b, 0, (size_t)p * sizeof *fit->b);
    fit->b[u] = 1;
    lw_ldl_solve(p, fit->M, fit->b);
    fit->error[u] = sqrt(fmax(fit->b[u], 0));
  }
}

// --- zeros of joints, which torques are not linear in

static void shift_positions(CauseFit* fit)
{
  lwTrial* trial = fit->all->trial;
  double* q      = trial->file.values[LW_LOG_Q];
  memcpy(q, fit->q, (size_t)trial->file.count * (size_t)trial->nq * sizeof *q);
  for (int j = 0; j < fit->all->n; ++j)
  {
    int at = lw_model_velocity(trial->original, j).other;
    if (at >= 0) lw_shift_joint(trial, at, fit->zero[j]);
  }
}

static double misfit_squares(CauseFit* fit)
{
  lwTrial* trial = fit->all->trial;
  double sum     = 0;
  shift_positions(fit);
  lw_trial_predict(trial);
  for (size_t k = 0; k < lw_trial_entries(trial); ++k)
  {
    double left = trial->rest[k] / trial->size[k % (size_t)trial->n];
    if (lw_trial_decides(trial, k)) sum += left * left;
  }
  return sum;
}

// The best of some angles for joint j, the others as they are; returns what it leaves.
static double search_angle(CauseFit* fit, int j)
{
  double before = fit->zero[j], best = before, least = misfit_squares(fit);
  bool turns = lw_model_joint_def(fit->all->trial->original, j)->type == LW_JOINT_REVOLUTE &&
               lw_model_velocity(fit->all->trial->original, j).other >= 0;
  for (int k = 1; k < ANGLES && turns; ++k)
  {
    double angle = before + 2 * LW_PI * k / ANGLES;
    fit->zero[j] = angle > LW_PI ? angle - 2 * LW_PI : angle;
    double left  = misfit_squares(fit);
    if (left < 0.999 * least) least = left, best = fit->zero[j];
  }
  fit->zero[j] = best;
  return least;
}

// Where the zeros may be, from a few rows.
static void search_zeros(CauseFit* fit)
{
  lwTrial* trial = fit->all->trial;
  int rows = trial->file.count, terms = fit->terms.count;
  trial->file.count = rows < LW_SEARCH_ROWS ? rows : LW_SEARCH_ROWS;
  for (int round = 0; round < (terms > 1 ? ROUNDS : 1); ++round)
    for (int u = 0; u < terms; ++u)
      if (zero_joint(fit, u) >= 0) search_angle(fit, zero_joint(fit, u));
  trial->file.count = rows;
}

// The joint whose zero is fitted; -1: several.
static int only_zero(const CauseFit* fit)
{
  int joint = -1, count = 0;
  for (int u = 0; u < fit->terms.count; ++u)
    if (zero_joint(fit, u) >= 0) joint = zero_joint(fit, u), ++count;
  return count == 1 ? joint : -1;
}

static unsigned groups_of(const CauseFit* fit)
{
  unsigned groups = 0;
  for (int u = 0; u < fit->terms.count; ++u)
    for (int g = 0; g < LW_COLUMN_GROUPS; ++g)
      if (fit->terms.of[u].first >= fit->all->first[g] &&
          fit->terms.of[u].first < fit->all->first[g + 1])
        groups |= 1u << g;
  return groups;
}

static int change_of(const CauseFit* fit, int link, double change[TEN], double error[TEN]);

// The robot with gravity and links as fitted so far; NULL: there is no such robot.
static lwModel* fitted_model(const CauseFit* fit)
{
  lwTrial* trial          = fit->all->trial;
  lwRobotDef robot        = trial->robot;
  lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  lwModel* model          = NULL;
  lwJointDef* joints      = malloc(((size_t)robot.count + 1) * sizeof *joints);
  if (!joints) trial->no_memory = true;
  if (!joints) return NULL;
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  robot.joints = joints;
  for (int u = 0; u < fit->terms.count; ++u)
    if (fit->terms.of[u].first < 3) robot.gravity[fit->terms.of[u].first] += fit->x[u];
  for (int link = 0; link < robot.count; ++link)
  {
    double change[TEN], error[TEN], pi[TEN];
    if (change_of(fit, link, change, error) == 0) continue;
    lw_link_parameters(&joints[link].link, pi);
    for (int k = 0; k < TEN; ++k) pi[k] += change[k];
    lw_link_from_parameters(pi, &joints[link].link);
  }
  lw_trial_succeeds(trial, lw_model_create(&robot, &tolerate, NULL, &model));
  free(joints);
  return model;
}

// The columns of the terms at the shifted positions. Slopes of the torques in the zeros are those
// of the robot as fitted so far: that of ROBOT has another payload, and Newton's steps would not
// converge.
static void fill_shifted(CauseFit* fit)
{
  lwTrial* trial  = fit->all->trial;
  unsigned groups = groups_of(fit);
  shift_positions(fit);
  lw_trial_predict(trial);
  lw_regression_fill(fit->all, groups & ~(1u << LW_COLUMN_ZERO), -1);
  lwModel* model  = fitted_model(fit);
  lwWorkspace* ws = NULL;
  lwModel* own    = trial->model;
  lwWorkspace* of = trial->ws;
  if (model && lw_trial_succeeds(trial, lw_workspace_create(model, NULL, NULL, &ws)))
  {
    trial->model = model;
    trial->ws    = ws;
  }
  lw_regression_fill(fit->all, 1u << LW_COLUMN_ZERO, only_zero(fit));
  trial->model = own;
  trial->ws    = of;
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// Gauss and Newton; other terms are linear, and solved anew in every step.
static void refine_zeros(CauseFit* fit, bool search)
{
  memset(fit->zero, 0, (size_t)fit->all->n * sizeof *fit->zero);
  memset(fit->x, 0, (size_t)fit->terms.count * sizeof *fit->x);
  if (search) search_zeros(fit);
  double longest = INFINITY;
  for (int step = 0; step < STEPS && longest > SHORT_STEP; ++step)
  {
    fill_shifted(fit);
    solve_now(fit);
    memcpy(fit->x, fit->b, (size_t)fit->terms.count * sizeof *fit->x);
    longest = 0;
    for (int u = 0; u < fit->terms.count; ++u)
      if (zero_joint(fit, u) >= 0) longest = fmax(longest, fabs(fit->b[u]));
    if (!isfinite(longest)) break;
    for (int u = 0; u < fit->terms.count; ++u)
      if (zero_joint(fit, u) >= 0)
        fit->zero[zero_joint(fit, u)] += fmax(-LONG_STEP, fmin(LONG_STEP, fit->b[u]));
  }
  fill_shifted(fit);
  refine(fit);
  for (int u = 0; u < fit->terms.count; ++u)
    if (zero_joint(fit, u) >= 0) fit->x[u] += fit->zero[zero_joint(fit, u)];
}

// --- what no robot can have

// The largest entry of a joint's column.
static double largest_entry(const lwRegression* all, int column)
{
  double most = 0;
  for (size_t k = 0; k < lw_trial_entries(all->trial); ++k)
    most = fmax(most, fabs(all->A[k * (size_t)all->columns + (size_t)column]));
  return most;
}

// Friction and rotors of the file are not negative; a zero is within half a turn.
static bool joint_term_is_possible(const CauseFit* fit, int u)
{
  const lwRegression* all = fit->all;
  int column              = fit->terms.of[u].first;
  int j                   = zero_joint(fit, u);
  if (j >= 0)
    return lw_model_joint_def(all->trial->original, j)->type != LW_JOINT_REVOLUTE ||
           fabs(fit->x[u]) <= LW_PI * (1 + 1e-6);
  if (column < all->first[LW_COLUMN_VISCOUS] || column >= all->first[LW_COLUMN_LINK]) return true;
  int i         = (column - all->first[LW_COLUMN_VISCOUS]) % all->n;
  double torque = INVISIBLE * all->trial->size[i], most = largest_entry(all, column);
  return fit->x[u] * most >= -(SIGMAS * fit->error[u] * most + torque);
}

// The parameters of a link that the terms change; returns how many terms do.
static int change_of(const CauseFit* fit, int link, double change[TEN], double error[TEN])
{
  int first = fit->all->first[LW_COLUMN_LINK] + TEN * link, count = 0;
  memset(change, 0, TEN * sizeof *change);
  memset(error, 0, TEN * sizeof *error);
  for (int u = 0; u < fit->terms.count; ++u)
  {
    const lwFitTerm* term = &fit->terms.of[u];
    if (term->first < first || term->first >= first + TEN) continue;
    for (int k = 0; k < term->length; ++k)
    {
      change[term->first - first + k] += fit->x[u] * term->direction[k];
      error[term->first - first + k] += fit->error[u] * fabs(term->direction[k]);
    }
    ++count;
  }
  return count;
}

// A change of all ten parameters that leaves the torques as they are may be added to make a body of
// it: the terms take it over.
static bool link_is_possible(CauseFit* fit, int link)
{
  const lwRegression* all = fit->all;
  int first               = all->first[LW_COLUMN_LINK] + TEN * link;
  double change[TEN], error[TEN], own[TEN], nothing[TEN] = {0}, G[TEN * TEN];
  int count = change_of(fit, link, change, error);
  if (count == 0) return true;
  for (int k = 0; k < TEN * TEN; ++k)
    G[k] = all->G[(size_t)(first + k / TEN) * (size_t)all->columns + (size_t)(first + k % TEN)];
  lw_link_parameters(&all->trial->joints[link].link, own);
  bool adds     = fit->payload && change[0] > 0;
  bool possible = lw_link_is_possible(adds ? nothing : own, change, G, count == TEN, error);
  double mass   = 0;
  for (int i = 0; i < all->links; ++i) mass += fmax(all->trial->joints[i].link.mass, 0);
  if (!possible || fabs(change[0]) > MOST_MASS * fmax(mass, own[0])) return false;
  for (int u = 0; u < fit->terms.count && count < TEN; ++u)  // a mass: as small as it can be
    if (fit->terms.of[u].first == first) fit->x[u] = fmax(fit->x[u], -own[0]);
  for (int u = 0; u < fit->terms.count && count == TEN; ++u)
    if (fit->terms.of[u].first >= first && fit->terms.of[u].first < first + TEN)
      fit->x[u] = change[fit->terms.of[u].first - first];
  return true;
}

// Whether a cause with unknowns of their own (all but gravity and whole bodies) has one that is not
// zero: the mass of a link on a vertical axis, say, is anything, with an error as large.
static bool is_felt(const CauseFit* fit, lwCause cause, int k)
{
  if (cause == LW_CAUSE_NONE || cause == LW_CAUSE_GRAVITY || cause == LW_CAUSE_PAYLOAD ||
      cause == LW_CAUSE_LINK)
    return true;
  for (int u = fit->first_of[k]; u < fit->first_of[k + 1]; ++u)
    if (fabs(fit->x[u]) > FELT * fit->error[u]) return true;
  return false;
}

static bool is_possible(CauseFit* fit, const lwCause cause[2])
{
  if (!is_felt(fit, cause[0], 0) || !is_felt(fit, cause[1], 1)) return false;
  for (int u = 0; u < fit->terms.count; ++u)
    if (!isfinite(fit->x[u]) || !joint_term_is_possible(fit, u)) return false;
  for (int link = 0; link < fit->all->links; ++link)
    if (!link_is_possible(fit, link)) return false;
  return true;
}

// --- what was found

// The terms of joint i.
static void note_joint_terms(CauseFit* fit, int i)
{
  static const char* const names[] = {"viscous", "Coulomb", "gear^2 rotor inertia"};
  lwTrial* trial                   = fit->all->trial;
  int first = fit->all->first[LW_COLUMN_VISCOUS], n = fit->all->n;
  bool begun = false;
  for (int u = 0; u < fit->terms.count; ++u)
  {
    int k = fit->terms.of[u].first - first;
    if (k < 0 || k >= 3 * n || k % n != i) continue;
    double torque = fabs(fit->x[u]) * largest_entry(fit->all, fit->terms.of[u].first);
    if (!(torque > INVISIBLE * trial->size[i] && fit->x[u] > 2 * fit->error[u])) continue;
    if (!begun)
      lw_trial_note(trial, "%s%s:", trial->detail[0] ? "; " : "",
                    lw_model_joint_name(trial->original, i));
    lw_trial_note(trial, "%s %s %.4g", begun ? "," : "", names[k / n], fit->x[u]);
    begun = true;
  }
}

static void note_zero(CauseFit* fit, int u)
{
  lwTrial* trial = fit->all->trial;
  int j          = zero_joint(fit, u);
  if (!(fabs(fit->x[u]) > fmax(1e-9, 2 * fit->error[u]))) return;
  lw_trial_note(trial, "%sjoint %d (%s): q of ROBOT is that of the file ",
                trial->detail[0] ? "; " : "", j + 1, lw_model_joint_name(trial->original, j));
  if (lw_model_joint_def(trial->original, j)->type == LW_JOINT_REVOLUTE)
    lw_trial_note(trial, "%+.6g rad (%+.4g deg)", fit->x[u], fit->x[u] * 180 / LW_PI);
  else
    lw_trial_note(trial, "%+.6g m", fit->x[u]);
}

// Centre of mass and inertia about that.
static void note_body(lwTrial* trial, const double pi[TEN])
{
  static const char* const axes[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  double largest                  = 0;
  lwLinkDef body                  = {0};
  lw_link_from_parameters(pi, &body);
  for (int k = 0; k < 3; ++k)
    if (fabs(body.com[k]) < 1e-9) body.com[k] = 0;
  lw_trial_note(trial, ", at [%.4g, %.4g, %.4g] m of its frame", body.com[0], body.com[1],
                body.com[2]);
  for (int k = 0; k < 6; ++k) largest = fmax(largest, fabs(body.inertia[k]));
  if (largest <= 1e-6 * fabs(pi[0])) return;  // a point
  lw_trial_note(trial, ", inertia");
  for (int k = 0; k < 6; ++k)
    if (fabs(body.inertia[k]) > 1e-6 * largest)
      lw_trial_note(trial, " %s %.4g", axes[k], body.inertia[k]);
}

static void note_link(CauseFit* fit, int link)
{
  lwTrial* trial = fit->all->trial;
  double change[TEN], error[TEN], whole[TEN], own = trial->joints[link].link.mass;
  int count = change_of(fit, link, change, error);
  if (count == 0) return;
  lw_trial_note(trial, "%slink %s: ", trial->detail[0] ? "; " : "",
                lw_link_name(&trial->joints[link]));
  lw_link_parameters(&trial->joints[link].link, whole);
  for (int k = 0; k < TEN; ++k) whole[k] += change[k];
  double least = fmax(1e-9 + 1e-6 * own, 2 * error[0]);  // below it, no mass
  bool besides = fit->payload && fabs(change[0]) >= least;
  if (count < TEN)
    lw_trial_note(trial, "%.6g kg in the file, %.6g kg in ROBOT: %+.4g kg", whole[0], own,
                  change[0]);
  else if (!besides && (fit->payload || whole[0] < least))
    lw_trial_note(trial, "m c differs by [%.4g, %.4g, %.4g] kg m", change[1], change[2], change[3]);
  else
  {
    if (besides) lw_trial_note(trial, "%+.4g kg in the file", change[0]);
    if (!besides) lw_trial_note(trial, "%.4g kg in the file, %.4g kg in ROBOT", whole[0], own);
    note_body(trial, besides ? change : whole);
  }
}

static void note_fit(CauseFit* fit)
{
  lwTrial* trial = fit->all->trial;
  bool gravity   = fit->terms.of[0].first == fit->all->first[LW_COLUMN_GRAVITY];
  double g[3]    = {0};
  for (int k = 0; k < 3 && gravity; ++k)
  {
    g[k] = trial->robot.gravity[k] + fit->x[k];
    if (fabs(g[k]) < 1e-9) g[k] = 0;
  }
  if (gravity)
    lw_trial_note(trial, "%sgravity [%.6g, %.6g, %.6g]", trial->detail[0] ? "; " : "", g[0], g[1],
                  g[2]);
  for (int u = 0; u < fit->terms.count; ++u)
    if (zero_joint(fit, u) >= 0) note_zero(fit, u);
  for (int link = 0; link < fit->all->links; ++link) note_link(fit, link);
  for (int i = 0; i < fit->all->n; ++i) note_joint_terms(fit, i);
}

// --- the best choice

// The choices that leave least, in order, into best (most); returns how many there are.
static int rank_choices(CauseFit* fit, const lwCause cause[2], int most, Choice* best,
                        double* choices)
{
  int count = 0;
  *choices  = 0;
  for (int a = 0; a < alternatives_of(fit->all, cause[0]); ++a)
    for (int b = 0; b < alternatives_of(fit->all, cause[1]); ++b)
    {
      Choice choice = {.alternative = {a, b}};
      if (!choose_terms(fit, cause, &choice)) continue;
      choice.squares = squares_left(fit);
      ++*choices;
      int at = count < most ? count++ : most;
      for (; at > 0 && best[at - 1].squares > choice.squares; --at)
        if (at < most) best[at] = best[at - 1];
      if (at < most) best[at] = choice;
    }
  return count;
}

static void fit_choice(CauseFit* fit, const lwCause cause[2], const Choice* choice, bool zeros)
{
  choose_terms(fit, cause, choice);
  if (zeros)
    refine_zeros(fit, cause[1] == LW_CAUSE_NONE);
  else
    refine(fit);
}

// Restores what a choice has changed.
static void undo_choice(CauseFit* fit, const double* rest, bool zeros)
{
  lwTrial* trial  = fit->all->trial;
  unsigned groups = groups_of(fit);
  memset(fit->zero, 0, (size_t)fit->all->n * sizeof *fit->zero);
  if (zeros) shift_positions(fit);
  if (zeros) lw_trial_predict(trial);
  memcpy(trial->rest, rest, lw_trial_entries(trial) * sizeof *rest);
  if (zeros) lw_regression_fill(fit->all, groups, only_zero(fit));
}

// Fits the choices in turn; the best one that is possible stays. False: none is.
static bool take_best(CauseFit* fit, const lwCause cause[2], const Choice* choices, int count,
                      double* rest)
{
  bool zeros = cause[0] == LW_CAUSE_ZERO || cause[0] == LW_CAUSE_ZEROS ||
               cause[1] == LW_CAUSE_ZERO || cause[1] == LW_CAUSE_ZEROS;
  int best     = -1;
  double least = INFINITY;
  for (int k = 0; k < count; ++k)
  {
    fit_choice(fit, cause, &choices[k], zeros);
    double left = lw_regression_squares(fit->all);
    if (is_possible(fit, cause) && left < least) least = left, best = k;
    if (best == k && (k == count - 1 || !zeros)) return true;  // linear ones are in order
    undo_choice(fit, rest, zeros);
  }
  if (best < 0) return false;
  fit_choice(fit, cause, &choices[best], zeros);
  return is_possible(fit, cause);
}

// The zero of a joint alone is searched for, so every joint is looked at closely.
static bool fit_in_memory(CauseFit* fit, const lwCause cause[2], double* rest, lwCauseFit* result)
{
  lwTrial* trial = fit->all->trial;
  bool searched  = cause[0] == LW_CAUSE_ZERO && cause[1] == LW_CAUSE_NONE;
  int most       = searched ? fit->all->n : BEST;
  Choice* best   = calloc((size_t)most + 1, sizeof *best);
  if (!best) trial->no_memory = true;
  if (!best) return false;
  int count = rank_choices(fit, cause, most, best, &result->choices);
  memcpy(rest, trial->rest, lw_trial_entries(trial) * sizeof *rest);
  fit->payload = cause[0] == LW_CAUSE_PAYLOAD || cause[1] == LW_CAUSE_PAYLOAD;
  bool found   = take_best(fit, cause, best, count, rest);
  free(best);
  if (!found) return false;
  note_fit(fit);
  trial->fitted   = true;
  result->terms   = fit->terms.count;
  result->shifted = groups_of(fit) >> LW_COLUMN_ZERO & 1;
  for (int u = 0; u < fit->terms.count; ++u)
    result->unknowns += fit->M[(size_t)u * (size_t)fit->terms.count + (size_t)u] > 0;
  return true;
}

bool lw_causes_fit(lwRegression* all, lwCause first, lwCause second, lwCauseFit* result)
{
  const lwCause cause[2] = {first, second};
  lwTrial* trial         = all->trial;
  size_t P = (size_t)all->columns, places = (size_t)trial->file.count * (size_t)trial->nq;
  double* rest           = NULL;
  CauseFit fit           = {.all = all, .terms.of = calloc(P + 1, sizeof *fit.terms.of)};
  const lwArray arrays[] = {{&fit.M, P * P},
                            {&fit.x, P},
                            {&fit.b, P},
                            {&fit.error, P},
                            {&fit.zero, (size_t)all->n},
                            {&fit.q, places},
                            {&rest, lw_trial_entries(trial)},
                            {0}};
  *result   = (lwCauseFit){.causes = (first != LW_CAUSE_NONE) + (second != LW_CAUSE_NONE)};
  bool made = fit.terms.of && lw_arrays_take(NULL, arrays), found = false;
  if (made) memcpy(fit.q, trial->file.values[LW_LOG_Q], places * sizeof *fit.q);
  if (made) found = fit_in_memory(&fit, cause, rest, result);
  if (!made) trial->no_memory = true;
  free(fit.M);
  free(fit.terms.of);
  return found;
}
