// SPDX-License-Identifier: MIT
// Suspects with unknowns: gravity, joint terms and the parameters of links by least squares on the
// regressor that identification has; signs and exchanged joints by search; rounding.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/names.h"
#include "compare/suspects.h"
#include "identify/regressor.h"

enum
{
  MOST         = LW_LINK_PARAMETERS,  // unknowns
  LEAST_ROWS   = 8,                   // fewer would fit anything
  SEARCH_ROWS  = 32,                  // that a search looks at
  SEARCH_JOINT = 10,  // up to so many joints all sets of signs are tried, else those of one and two
  AXES         = 3,   // of gravity
  REFINEMENTS  = 2    // solutions of normal equations, the second for what the first leaves
};

// Normal equations of a . x = b.
typedef struct Least
{
  int count;  // unknowns
  double AA[MOST][MOST];
  double Ab[MOST];
  double bb;
} Least;

static void least_add(Least* least, const double* a, double b)
{
  for (int i = 0; i < least->count; ++i)
  {
    for (int j = 0; j < least->count; ++j) least->AA[i][j] += a[i] * a[j];
    least->Ab[i] += a[i] * b;
  }
  least->bb += b * b;
}

// L D L^T; an unknown that does not matter beside the others is 0. Returns what x leaves of bb.
static double least_solve(const Least* least, double x[MOST])
{
  double L[MOST][MOST] = {{0}}, D[MOST] = {0}, y[MOST] = {0}, left = least->bb;
  for (int i = 0; i < least->count; ++i)
  {
    double d = least->AA[i][i];
    y[i]     = least->Ab[i];
    for (int j = 0; j < i; ++j)
    {
      double sum = least->AA[i][j];
      for (int k = 0; k < j; ++k) sum -= L[i][k] * D[k] * L[j][k];
      L[i][j] = D[j] > 0 ? sum / D[j] : 0;
      d -= L[i][j] * L[i][j] * D[j];
      y[i] -= L[i][j] * y[j];
    }
    D[i] = d > 1e-10 * least->AA[i][i] ? d : 0;
    if (D[i] > 0) left -= y[i] * y[i] / D[i];
  }
  for (int i = least->count - 1; i >= 0; --i)
  {
    x[i] = D[i] > 0 ? y[i] / D[i] : 0;
    for (int j = i + 1; j < least->count; ++j)
      if (D[i] > 0) x[i] -= L[j][i] * x[j];
  }
  return left;
}

static int joints_of(const lwTrial* trial)
{
  return lw_model_dof(trial->original);
}

// --- terms of each joint: viscous qd + coulomb sign(qd) + rotor qdd

typedef struct JointTerms
{
  int count;
  lwUnknownKind kind[MOST];
} JointTerms;

static void joint_terms(const lwTrial* trial, const JointTerms* terms, int row, int i, double* a)
{
  size_t first   = (size_t)row * (size_t)joints_of(trial);
  lwStates state = {.qd  = trial->file.values[LW_LOG_QD] + first,
                    .qdd = trial->file.values[LW_LOG_QDD] + first};
  for (int k = 0; k < terms->count; ++k)
  {
    lwUnknown unknown = {.kind = terms->kind[k], .joint = i};
    a[k]              = lw_unknown_column(&unknown, &state);
  }
}

// Adds the terms of a joint that matter to the detail.
static void note_terms(lwTrial* trial, const JointTerms* terms, int i, const double* x,
                       const double* most)
{
  static const char* const names[] = {[LW_UNKNOWN_VISCOUS] = "viscous",
                                      [LW_UNKNOWN_COULOMB] = "Coulomb",
                                      [LW_UNKNOWN_ROTOR]   = "gear^2 rotor inertia"};
  bool begun                       = false;
  for (int k = 0; k < terms->count; ++k)
  {
    if (fabs(x[k]) * most[k] <= 1e-6 * trial->size[i]) continue;
    if (!begun)
      lw_trial_note(trial, "%s%s:", trial->detail[0] ? "; " : "",
                    lw_joint_name(trial->original, i));
    lw_trial_note(trial, "%s %s %.4g", begun ? "," : "", names[terms->kind[k]], x[k]);
    begun = true;
  }
}

static void fit_one_joint(lwTrial* trial, const JointTerms* terms, int i)
{
  int n             = joints_of(trial);
  Least least       = {.count = terms->count};
  double most[MOST] = {0}, a[MOST], x[MOST];
  for (int row = 0; row < trial->file.count; ++row)
  {
    joint_terms(trial, terms, row, i, a);
    least_add(&least, a, trial->rest[(size_t)row * n + i]);
    for (int k = 0; k < terms->count; ++k) most[k] = fmax(most[k], fabs(a[k]));
  }
  least_solve(&least, x);
  for (int row = 0; row < trial->file.count; ++row)
  {
    joint_terms(trial, terms, row, i, a);
    for (int k = 0; k < terms->count; ++k) trial->rest[(size_t)row * n + i] -= a[k] * x[k];
  }
  note_terms(trial, terms, i, x, most);
}

static bool fit_terms(lwTrial* trial, const JointTerms* terms)
{
  if (trial->file.count < LEAST_ROWS) return false;
  for (int i = 0; i < joints_of(trial); ++i) fit_one_joint(trial, terms, i);
  return true;
}

bool lw_fit_rotors(lwTrial* trial)
{
  static const JointTerms terms = {1, {LW_UNKNOWN_ROTOR}};
  return fit_terms(trial, &terms);
}

bool lw_fit_friction(lwTrial* trial)
{
  static const JointTerms terms = {2, {LW_UNKNOWN_VISCOUS, LW_UNKNOWN_COULOMB}};
  return fit_terms(trial, &terms);
}

bool lw_fit_joint_terms(lwTrial* trial)
{
  static const JointTerms terms = {3, {LW_UNKNOWN_VISCOUS, LW_UNKNOWN_COULOMB, LW_UNKNOWN_ROTOR}};
  return fit_terms(trial, &terms);
}

// --- one link: torques are linear in its parameters

// Directions in the parameters of a link (count, 10) that are fitted.
typedef struct LinkFit
{
  int link;
  int count;
  double direction[MOST][LW_LINK_PARAMETERS];
  double x[MOST];
  double left;  // sum of squares
} LinkFit;

typedef struct LinkFits
{
  lwRegressor* regressor;
  lwUnknowns unknowns;
  double* Y;  // (n, 10 links)
  int count;
  LinkFit* fits;  // (count)
  Least* least;   // (count)
} LinkFits;

static void regressor_of_row(lwTrial* trial, LinkFits* all, int row)
{
  size_t first   = (size_t)row * (size_t)joints_of(trial);
  size_t place   = (size_t)row * (size_t)lw_model_nq(trial->original);
  lwStates state = {.q   = trial->file.values[LW_LOG_Q] + place,
                    .qd  = trial->file.values[LW_LOG_QD] + first,
                    .qdd = trial->file.values[LW_LOG_QDD] + first};
  lw_regressor_rows(all->regressor, &all->unknowns, &state, all->Y);
}

// What the torque of joint i has per unit of each direction.
static void link_row(const LinkFits* all, const LinkFit* fit, int i, double* a)
{
  const double* y =
      all->Y + (size_t)i * (size_t)all->unknowns.count + (size_t)fit->link * LW_LINK_PARAMETERS;
  for (int d = 0; d < fit->count; ++d)
  {
    a[d] = 0;
    for (int k = 0; k < LW_LINK_PARAMETERS; ++k) a[d] += y[k] * fit->direction[d][k];
  }
}

static void solve_links(lwTrial* trial, LinkFits* all)
{
  int n = joints_of(trial);
  double a[MOST];
  for (int f = 0; f < all->count; ++f) all->least[f] = (Least){.count = all->fits[f].count};
  for (int row = 0; row < trial->file.count; ++row)
  {
    regressor_of_row(trial, all, row);
    for (int f = 0; f < all->count; ++f)
      for (int i = 0; i < n; ++i)
      {
        link_row(all, &all->fits[f], i, a);
        for (int d = 0; d < all->fits[f].count; ++d) a[d] /= trial->size[i];
        least_add(&all->least[f], a, trial->rest[(size_t)row * n + i] / trial->size[i]);
      }
  }
  for (int f = 0; f < all->count; ++f)
    all->fits[f].left = least_solve(&all->least[f], all->fits[f].x);
}

static void take_off(lwTrial* trial, LinkFits* all, const LinkFit* fit)
{
  int n = joints_of(trial);
  double a[MOST];
  for (int row = 0; row < trial->file.count; ++row)
  {
    regressor_of_row(trial, all, row);
    for (int i = 0; i < n; ++i)
    {
      link_row(all, fit, i, a);
      for (int d = 0; d < fit->count; ++d) trial->rest[(size_t)row * n + i] -= a[d] * fit->x[d];
    }
  }
}

// The link that leaves least, and its solution, refined: into best.
static void fit_best_link(lwTrial* trial, LinkFits* all, LinkFit* best)
{
  solve_links(trial, all);
  int first = 0;
  for (int f = 1; f < all->count; ++f)
    if (all->fits[f].left < all->fits[first].left) first = f;
  *best        = all->fits[first];
  all->fits[0] = *best;
  all->count   = 1;
  take_off(trial, all, best);
  for (int k = 1; k < REFINEMENTS; ++k)
  {
    solve_links(trial, all);
    take_off(trial, all, &all->fits[0]);
    for (int d = 0; d < best->count; ++d) best->x[d] += all->fits[0].x[d];
  }
}

static bool begin_links(lwTrial* trial, LinkFits* all)
{
  static const bool none    = false;
  const lwIdentifyDef links = lw_identify_def();
  size_t most               = 2 * (size_t)trial->robot.count + 1;
  *all = (LinkFits){.fits = calloc(most, sizeof *all->fits), .least = calloc(most, sizeof(Least))};
  lwStatus status = lw_unknowns_create(&all->unknowns, trial->model, &links, &none);
  if (status == LW_OK) status = lw_regressor_create(trial->model, &all->regressor);
  all->Y = calloc(lw_question_outputs(trial->model, LW_QUESTION_REGRESSOR) + 1, sizeof(double));
  if (!all->fits || !all->least || !all->Y) status = LW_ERROR_MEMORY;
  return lw_trial_succeeds(trial, status);
}

static void end_links(LinkFits* all)
{
  lw_regressor_destroy(all->regressor);
  lw_unknowns_free(&all->unknowns);
  free(all->Y);
  free(all->fits);
  free(all->least);
}

static const char* link_name_of(const lwTrial* trial, int link)
{
  const lwJointDef* joint = &trial->joints[link];
  return joint->link.name ? joint->link.name : joint->name;
}

// A link of another mass: with the same inertia, or with one that grows as the mass does.
static void add_mass_fits(const lwTrial* trial, LinkFits* all)
{
  for (int link = 0; link < trial->robot.count; ++link)
  {
    const lwLinkDef* own = &trial->joints[link].link;
    lwLinkDef point      = {.mass = 1, .com = {own->com[0], own->com[1], own->com[2]}};
    LinkFit* alone       = &all->fits[all->count++];
    *alone               = (LinkFit){.link = link, .count = 1};
    lw_link_parameters(&point, alone->direction[0]);
    if (!(own->mass > 0)) continue;
    LinkFit* whole = &all->fits[all->count++];
    *whole         = (LinkFit){.link = link, .count = 1};
    lw_link_parameters(own, whole->direction[0]);
    for (int k = 0; k < LW_LINK_PARAMETERS; ++k) whole->direction[0][k] /= own->mass;
  }
}

bool lw_fit_link_mass(lwTrial* trial)
{
  LinkFits all;
  LinkFit best;
  bool made = begin_links(trial, &all) && trial->file.count * joints_of(trial) >= LEAST_ROWS;
  if (made)
  {
    add_mass_fits(trial, &all);
    fit_best_link(trial, &all, &best);
    double own = trial->joints[best.link].link.mass;
    lw_trial_note(trial, "link %s: %.6g kg in the file, %.6g kg in ROBOT: %+.4g kg",
                  link_name_of(trial, best.link), own + best.x[0], own, best.x[0]);
  }
  end_links(&all);
  return made;
}

static bool carries_joint(const lwTrial* trial, int link)
{
  for (int i = 0; i < trial->robot.count; ++i)
    if (trial->joints[i].parent == link) return true;
  return false;
}

static void add_link_fits(const lwTrial* trial, LinkFits* all, bool tips)
{
  for (int link = 0; link < trial->robot.count; ++link)
  {
    if (tips && carries_joint(trial, link)) continue;
    LinkFit* fit = &all->fits[all->count++];
    *fit         = (LinkFit){.link = link, .count = LW_LINK_PARAMETERS};
    for (int k = 0; k < LW_LINK_PARAMETERS; ++k) fit->direction[k][k] = 1;
  }
}

// What is on the link besides: mass, centre of mass and inertia about that.
static void note_body(lwTrial* trial, const LinkFit* fit)
{
  static const char* const axes[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
  double largest = 0, m = fit->x[0];
  lwLinkDef body = {0};
  lw_trial_note(trial, "link %s: ", link_name_of(trial, fit->link));
  if (fabs(m) < 1e-9)
  {
    lw_trial_note(trial, "m c differs by [%.4g, %.4g, %.4g] kg m", fit->x[1], fit->x[2], fit->x[3]);
    return;
  }
  lw_link_from_parameters(fit->x, &body);
  lw_trial_note(trial, "%+.4g kg in the file, at [%.4g, %.4g, %.4g] m of its frame", m,
                body.com[0] + 0.0, body.com[1] + 0.0, body.com[2] + 0.0);
  for (int k = 0; k < 6; ++k) largest = fmax(largest, fabs(body.inertia[k]));
  if (largest <= 1e-6 * fabs(m)) return;  // a point
  lw_trial_note(trial, ", inertia");
  for (int k = 0; k < 6; ++k)
    if (fabs(body.inertia[k]) > 1e-6 * largest)
      lw_trial_note(trial, " %s %.4g", axes[k], body.inertia[k]);
}

static bool fit_body(lwTrial* trial, bool tips)
{
  LinkFits all;
  LinkFit best;
  bool made = begin_links(trial, &all) && trial->file.count >= LEAST_ROWS;
  if (made) add_link_fits(trial, &all, tips);
  if (made && all.count > 0)
  {
    fit_best_link(trial, &all, &best);
    for (int k = 0; k < LW_LINK_PARAMETERS; ++k)
      if (fabs(best.x[k]) < 1e-9) best.x[k] = 0;
    note_body(trial, &best);
  }
  end_links(&all);
  return made;
}

bool lw_fit_payload(lwTrial* trial)
{
  return fit_body(trial, true);
}

bool lw_fit_link(lwTrial* trial)
{
  return fit_body(trial, false);
}

// --- gravity: torques are linear in it

// The torques that hold the robot in gravity along axis k, for all rows.
static bool torques_in_unit_gravity(lwTrial* trial, int k, double* torques)
{
  lwRobotDef robot        = trial->robot;
  lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  lwStates states         = {.q = trial->file.values[LW_LOG_Q]};
  lwModel* model          = NULL;
  lwWorkspace* ws         = NULL;
  for (int j = 0; j < 3; ++j) robot.gravity[j] = j == k;
  bool made = lw_trial_succeeds(trial, lw_model_create(&robot, &tolerate, NULL, &model)) &&
              lw_trial_succeeds(trial, lw_workspace_create(model, NULL, NULL, &ws));
  if (made) lw_answer_many(model, ws, LW_QUESTION_GRAVITY, trial->file.count, &states, torques);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  return made;
}

static void fit_three(lwTrial* trial, const double* columns, double x[MOST])
{
  size_t n       = (size_t)joints_of(trial);
  size_t entries = n * (size_t)trial->file.count;
  Least least    = {.count = AXES};
  for (size_t k = 0; k < entries; ++k)
  {
    double size    = trial->size[k % n] > 0 ? trial->size[k % n] : 1;
    double a[AXES] = {columns[k] / size, columns[entries + k] / size,
                      columns[2 * entries + k] / size};
    least_add(&least, a, trial->rest[k] / size);
  }
  least_solve(&least, x);
  for (size_t k = 0; k < entries; ++k)
    for (size_t j = 0; j < AXES; ++j) trial->rest[k] -= columns[j * entries + k] * x[j];
}

bool lw_fit_gravity(lwTrial* trial)
{
  size_t entries  = (size_t)joints_of(trial) * (size_t)trial->file.count;
  double* columns = calloc(AXES * entries + 1, sizeof(double));
  bool made =
      lw_trial_succeeds(trial, columns ? LW_OK : LW_ERROR_MEMORY) && columns && entries > AXES;
  for (int k = 0; k < AXES && made; ++k)
    made = torques_in_unit_gravity(trial, k, columns + (size_t)k * entries);
  double x[MOST] = {0}, g[AXES];
  if (made) fit_three(trial, columns, x);
  free(columns);
  for (int k = 0; k < 3; ++k)
  {
    g[k] = trial->robot.gravity[k] + x[k];
    if (fabs(g[k]) < 1e-9) g[k] = 0;
  }
  lw_trial_note(trial, "gravity [%.6g, %.6g, %.6g]", g[0], g[1], g[2]);
  return made;
}

// --- two joints that are exchanged

static void swap_entries(double* values, int n, int rows, int i, int j)
{
  for (int row = 0; row < rows; ++row)
  {
    double *a = &values[(size_t)row * n + i], *b = &values[(size_t)row * n + j], kept = *a;
    *a = *b;
    *b = kept;
  }
}

// All that the file has of the two joints, or their torques alone.
static void swap_joints(lwTrial* trial, int i, int j, bool torques)
{
  int n = joints_of(trial), rows = trial->file.count;
  swap_entries(trial->size, n, 1, i, j);
  swap_entries(trial->extra, n, rows, i, j);
  for (int g = torques ? LW_LOG_TAU : LW_LOG_Q; g <= LW_LOG_TAU; ++g)
    swap_entries(trial->file.values[g], n, rows, i, j);
}

typedef struct Exchange
{
  int i, j;
  bool torques;
  double least;
} Exchange;

static Exchange search_exchange(lwTrial* trial)
{
  int n         = joints_of(trial);
  Exchange best = {.least = INFINITY};
  for (int torques = 0; torques < 2; ++torques)
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
      {
        swap_joints(trial, i, j, torques);
        lw_trial_predict(trial);
        double left = lw_trial_misfit(trial).relative;
        swap_joints(trial, i, j, torques);
        if (left < 0.999 * best.least) best = (Exchange){i, j, torques, left};
      }
  return best;
}

bool lw_fit_exchange(lwTrial* trial)
{
  int rows = trial->file.count;
  if (joints_of(trial) < 2 || lw_model_nq(trial->original) != joints_of(trial)) return false;
  trial->file.count = rows < SEARCH_ROWS ? rows : SEARCH_ROWS;
  Exchange best     = search_exchange(trial);
  trial->file.count = rows;
  if (!isfinite(best.least)) return false;
  swap_joints(trial, best.i, best.j, best.torques);
  lw_trial_predict(trial);
  lw_trial_note_joint(trial, best.i);
  lw_trial_note_joint(trial, best.j);
  if (best.torques) lw_trial_note(trial, ": their torques alone");
  return true;
}

// --- rounding

// x has no more than `digits` digits behind the point.
static bool has_decimals(double x, int digits)
{
  double scaled = fabs(x) * pow(10, digits);
  return scaled < 1e12 && fabs(scaled - round(scaled)) <= 1e-9 * fmax(scaled, 1);
}

static bool has_significant(double x, int digits)
{
  char text[40];
  snprintf(text, sizeof text, "%.*e", digits - 1, x);
  return fabs(strtod(text, NULL) - x) <= 1e-14 * fabs(x);
}

// The fewest digits that write all torques of the file; -1: more than ten.
static int digits_of(const lwTrial* trial, bool (*has)(double, int), int least)
{
  size_t entries = (size_t)joints_of(trial) * (size_t)trial->file.count;
  bool any       = false;
  int digits     = least;
  for (size_t k = 0; k < entries && digits <= 10; ++k)
  {
    double tau = trial->file.values[LW_LOG_TAU][k];
    any        = any || tau != 0;
    while (digits <= 10 && !has(tau, digits)) ++digits;
  }
  return any && digits <= 10 ? digits : -1;
}

// The remainder is within half of the last digit, or one and a half if numbers that were
// fitted to rounded torques add their own.
static bool is_rounding(const lwTrial* trial, int digits, bool significant, double halves)
{
  size_t entries = (size_t)joints_of(trial) * (size_t)trial->file.count;
  for (size_t k = 0; k < entries; ++k)
  {
    double tau  = fabs(trial->file.values[LW_LOG_TAU][k]);
    double unit = pow(10, significant ? (tau > 0 ? floor(log10(tau)) : 0) - digits + 1 : -digits);
    if (!(fabs(trial->rest[k]) <= halves * unit / 2 * (1 + 1e-6) + 1e-13 * tau)) return false;
  }
  return true;
}

bool lw_fit_rounding(lwTrial* trial)
{
  size_t entries = (size_t)joints_of(trial) * (size_t)trial->file.count;
  int decimals = digits_of(trial, has_decimals, 0), digits = digits_of(trial, has_significant, 1);
  double halves    = trial->fitted ? 3 : 1;
  bool point       = decimals >= 0 && is_rounding(trial, decimals, false, halves);
  bool significant = !point && digits > 0 && is_rounding(trial, digits, true, halves);
  if (!point && !significant) return false;
  const char* more = trial->detail[0] ? "; " : "";
  if (point)
    lw_trial_note(trial, "%storques have %d decimal%s: differences up to %.1g N m or N", more,
                  decimals, decimals == 1 ? "" : "s", pow(10, -decimals) / 2);
  else
    lw_trial_note(trial, "%storques have %d significant digits", more, digits);
  memset(trial->rest, 0, entries * sizeof *trial->rest);
  return true;
}

// --- signs

// Ball and floating joints have no direction to reverse.
static void flip_joint(lwTrial* trial, int joint)
{
  lwTorqueLog* file = &trial->file;
  size_t n = (size_t)joints_of(trial), nq = (size_t)lw_model_nq(trial->original);
  int at = lw_model_velocity(trial->original, joint).other;
  for (int row = 0; row < file->count && at >= 0; ++row)
  {
    size_t k        = (size_t)row * n + (size_t)joint;
    double* q       = file->values[LW_LOG_Q] + (size_t)row * nq + (size_t)at;
    *q              = -*q;
    trial->extra[k] = -trial->extra[k];
    for (int g = LW_LOG_Q + 1; g <= LW_LOG_TAU; ++g) file->values[g][k] = -file->values[g][k];
  }
}

static void flip_set(lwTrial* trial, const bool* set)
{
  for (int i = 0; i < joints_of(trial); ++i)
    if (set[i]) flip_joint(trial, i);
}

// The misfit of the first rows with a set of joints reversed.
static double misfit_of(lwTrial* trial, const bool* set)
{
  flip_set(trial, set);
  lw_trial_predict(trial);
  double relative = lw_trial_misfit(trial).relative;
  flip_set(trial, set);
  return relative;
}

typedef struct FitSearch
{
  double least;
  bool *set, *best;  // (n)
} FitSearch;

static void search_try(lwTrial* trial, FitSearch* search)
{
  double relative = misfit_of(trial, search->set);
  if (!(relative < 0.999 * search->least)) return;
  search->least = relative;
  memcpy(search->best, search->set, (size_t)joints_of(trial) * sizeof(bool));
}

// All sets for a few joints, those of up to two joints for many; small sets first.
static void search_sets(lwTrial* trial, FitSearch* search)
{
  int n = joints_of(trial);
  for (int first = 0; first < n; ++first)
    for (int second = first; second < n; ++second)
    {
      memset(search->set, 0, (size_t)n);
      search->set[first] = search->set[second] = true;
      search_try(trial, search);
    }
  if (n > SEARCH_JOINT) return;
  for (unsigned bits = 1; bits < 1u << n; ++bits)
  {
    if (__builtin_popcount(bits) < 3) continue;
    for (int i = 0; i < n; ++i) search->set[i] = bits >> i & 1;
    search_try(trial, search);
  }
}

bool lw_fit_joint_signs(lwTrial* trial)
{
  size_t n         = (size_t)joints_of(trial);
  int rows         = trial->file.count;
  bool* sets       = calloc(2 * n + 1, sizeof(bool));
  FitSearch search = {INFINITY, sets, sets + n};
  if (!lw_trial_succeeds(trial, sets ? LW_OK : LW_ERROR_MEMORY) || !sets)
  {
    free(sets);
    return false;
  }
  trial->file.count = rows < SEARCH_ROWS ? rows : SEARCH_ROWS;
  search_sets(trial, &search);
  trial->file.count = rows;
  flip_set(trial, search.best);
  lw_trial_predict(trial);
  for (int i = 0; i < (int)n; ++i)
    if (search.best[i]) lw_trial_note_joint(trial, i);
  free(sets);
  return isfinite(search.least);
}

// Changes the sign of a joint whose torque fits better that way.
bool lw_fit_torque_signs(lwTrial* trial)
{
  int n        = joints_of(trial);
  bool changed = false;
  for (int i = 0; i < n; ++i)
  {
    double as_is = 0, turned = 0;
    const double* tau = trial->file.values[LW_LOG_TAU];
    for (int row = 0; row < trial->file.count; ++row)
    {
      size_t k = (size_t)row * n + i;
      as_is    = fmax(as_is, fabs(trial->rest[k]));
      turned   = fmax(turned, fabs(2 * tau[k] - trial->rest[k]));
    }
    if (!(turned < 0.01 * as_is)) continue;
    changed = true;
    lw_trial_note_joint(trial, i);
    for (int row = 0; row < trial->file.count; ++row)
    {
      size_t k       = (size_t)row * n + i;
      trial->rest[k] = trial->rest[k] - 2 * tau[k];
    }
  }
  return changed;
}
