// SPDX-License-Identifier: MIT
// Wheels that slip and joints that hit stops.
//
// Rows of C: for wheel k its sideways speed s_k, for joint k at its lower stop the rate of phi_k,
// at the upper one its negative. With W = C M^-1 C^T all rows that may hold are decided together:
//
//   a = W x + C M^-1 (Q - B + friction of slipping wheels) + C' q'
//   wheel: |x| <= limit, a = 0 unless x is at the limit against a     stop: x >= 0, a >= 0, x a = 0
//
// An impact is the same with rates in place of accelerations: a = C q'+ , x impulses. It lasts no
// time, so the limited force of a wheel with a friction_limit exerts no impulse; a wheel without
// one does. The change of q' is the least, by the kinetic energy, that stops and those wheels allow
// (Moreau 1988), so energy is never gained.
//
// The impact of one joint may throw another off its stop, which returns at once, and so on:
// infinitely many impacts in finite time. What would be back within REST_TIME or REST_DISTANCE, or
// within a distance that the integrator cannot tell, is left at rest, which takes energy as well.
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "arm/snake_run.h"

#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "math/tree_ldl.h"
#include "model/snake_internal.h"

static const double GAP      = 1e-12;  // rad, by which a joint may pass its stop before it hits
static const double NO_SPEED = 1e-12;  // m/s, sideways: no speed
static const double SLACK    = 1e-10;  // of a friction limit, within which a wheel may be held
static const double OVERLOAD =
    1e-9;  // of a limit, or of the torques about, beyond which the phase ends
static const double REST_TIME     = 1e-7;  // s
static const double REST_DISTANCE = 1e-9;  // rad or m

static double limit_of(const lwSnakeRun* run, int k)
{
  return run->def.slip ? run->snake->links[k].friction_limit : INFINITY;
}

// Sideways speed by which a wheel that slips may pass 0 before it stops. One that begins to slip
// does so more slowly than the tolerance can resolve: a tenth of it is an error of the step, not a
// stop.
static double creep_of(const lwSnakeRun* run)
{
  const lwIntegrator* integrator = run->integrator;
  double tolerance = integrator->method->adaptive ? integrator->absolute[run->full->size] : 0;
  return fmax(NO_SPEED, 0.1 * tolerance);
}

static void note_contact(lwSnakeRun* run, double t, lwNoteKind kind, int k)
{
  lw_audit_note(&run->audit, run->notes, (lwNote){t, kind, k});
}

static double phi_of(const double* y, int k)
{
  return y[k + 3] - y[k + 2];
}

static double gap_of(const lwSnakeRun* run, const double* y, int k, int side)
{
  const lwSnakeLink* link = &run->snake->links[k];
  return side > 0 ? phi_of(y, k) - link->lower : link->upper - phi_of(y, k);
}

// --- rows

// One row more, with M factored.
static void add_row(lwSnakeRun* run, const lwSnakeTerms* terms, int which, double low, double high)
{
  lwSnakeFull* full = run->full;
  int r = full->problem.n++, n = run->n, size = full->size;
  double *C = full->C + (size_t)r * (size_t)size, *Y = full->Y + (size_t)r * (size_t)size;
  memset(C, 0, (size_t)size * sizeof *C);
  if (which < n)
    memcpy(C, terms->A + (size_t)which * (size_t)size, ((size_t)which + 3) * sizeof *C);
  else
  {
    int k    = which - n;
    C[k + 2] = -full->stop[k];
    C[k + 3] = full->stop[k];
  }
  memcpy(Y, C, (size_t)size * sizeof *C);
  tree_ldl_solve(size, run->snake->chain, terms->M, Y);
  full->which[r]        = which;
  full->low[r]          = low;
  full->high[r]         = high;
  full->problem.side[r] = LW_BOUND_NONE;
}

// W, and c = C v + drift
static void fill_problem(lwSnakeRun* run, const double* v, const double* drift)
{
  lwSnakeFull* full  = run->full;
  lwBounded* problem = &full->problem;
  int rows = problem->n, size = full->size;
  for (int i = 0; i < rows; ++i)
  {
    const double* C = full->C + (size_t)i * (size_t)size;
    for (int j = 0; j <= i; ++j)
      full->W[i * rows + j] = full->W[j * rows + i] =
          lw_dot_product(size, C, full->Y + (size_t)j * (size_t)size);
    full->c[i] =
        lw_dot_product(size, C, v) + (drift && full->which[i] < run->n ? drift[full->which[i]] : 0);
  }
  problem->W     = full->W;
  problem->c     = full->c;
  problem->low   = full->low;
  problem->high  = full->high;
  problem->slack = SLACK;
}

// v += M^-1 C^T x
static void apply_rows(const lwSnakeRun* run, double* v)
{
  const lwSnakeFull* full = run->full;
  for (int r = 0; r < full->problem.n; ++r)
    for (int i = 0; i < full->size; ++i)
      v[i] += full->problem.x[r] * full->Y[(size_t)r * (size_t)full->size + (size_t)i];
}

// The rows that hold, as far as they may.
static void add_holding_rows(lwSnakeRun* run, const lwSnakeTerms* terms)
{
  const lwSnakeFull* full = run->full;
  run->full->problem.n    = 0;
  for (int k = 0; k < run->n; ++k)
    if (!full->wheel[k]) add_row(run, terms, k, -limit_of(run, k), limit_of(run, k));
  for (int k = 0; k + 1 < run->n; ++k)
    if (full->stop[k]) add_row(run, terms, run->n + k, 0, INFINITY);
}

// --- accelerations

// decide: which rows hold is found; otherwise every row does.
static void solve_accelerations(lwSnakeRun* run, double t, const double* y, bool decide)
{
  lwSnakeFull* full = run->full;
  int size          = full->size;
  lw_snake_full_drive(run, t, y);
  lwSnakeTerms terms = lw_snake_chain_terms(&full->chain, y, y + size, run->torque);
  memcpy(full->free, terms.b, (size_t)size * sizeof(double));
  for (int k = 0; k < run->n; ++k)
    for (int i = 0; i < k + 3 && full->wheel[k]; ++i)
      full->free[i] -= full->wheel[k] * limit_of(run, k) * terms.A[k * size + i];
  tree_ldl_factor(size, run->snake->chain, terms.M);
  tree_ldl_solve(size, run->snake->chain, terms.M, full->free);
  add_holding_rows(run, &terms);
  fill_problem(run, full->free, terms.drift);
  if (!decide) lw_bounded_equal(&full->problem);
  if (decide) lw_bounded_solve(&full->problem);
  memset(full->force, 0, 2 * (size_t)run->n * sizeof(double));
  for (int r = 0; r < full->problem.n; ++r) full->force[full->which[r]] = full->problem.x[r];
  memcpy(full->qdd, full->free, (size_t)size * sizeof(double));
  apply_rows(run, full->qdd);
}

void lw_snake_contact_accelerations(lwSnakeRun* run, double t, const double* y)
{
  solve_accelerations(run, t, y, false);
}

// Wheels and joints that could not be held are let go.
static void decide_phase(lwSnakeRun* run, double t)
{
  lwSnakeFull* full = run->full;
  solve_accelerations(run, t, run->y, true);
  for (int r = 0; r < full->problem.n; ++r)
  {
    int k        = full->which[r];
    lwBound side = full->problem.side[r];
    if (side == LW_BOUND_NONE) continue;
    if (k < run->n)
      full->wheel[k] = side == LW_BOUND_LOW ? 1 : -1;
    else
      full->stop[k - run->n] = 0;
  }
}

static void note_changes(lwSnakeRun* run, double t)
{
  const lwSnakeFull* full = run->full;
  for (int k = 0; k < run->n; ++k)
  {
    const signed char *wheel = full->before, *stop = full->before + run->n;
    if (!wheel[k] && full->wheel[k]) note_contact(run, t, LW_NOTE_SLIP, k);
    if (wheel[k] && !full->wheel[k]) note_contact(run, t, LW_NOTE_STICK, k);
    if (stop[k] && !full->stop[k]) note_contact(run, t, LW_NOTE_LEAVE, k);
  }
}

// --- rates

// M is that of the state, factored; the rates of the terms are not used.
static lwSnakeTerms factored_terms(lwSnakeRun* run)
{
  lwSnakeFull* full  = run->full;
  lwSnakeTerms terms = lw_snake_chain_terms(&full->chain, run->y, lw_snake_qd(run), NULL);
  tree_ldl_factor(full->size, run->snake->chain, terms.M);
  return terms;
}

// Turns the links ahead of joint k until it is at its stop.
static void put_to_stop(lwSnakeRun* run, int k, int side)
{
  double gap = gap_of(run, run->y, k, side);
  for (int j = k + 1; j < run->n; ++j) lw_snake_theta(run)[j] -= side * gap;
}

void lw_snake_project(lwSnakeRun* run)
{
  for (int k = 0; k + 1 < run->n; ++k)  // joints at rest: integrated rates leave them nearly there
    if (run->full->stop[k]) put_to_stop(run, k, run->full->stop[k]);
  double* qd         = lw_snake_qd(run);
  lwSnakeTerms terms = factored_terms(run);
  add_holding_rows(run, &terms);
  fill_problem(run, qd, NULL);
  lw_bounded_equal(&run->full->problem);
  apply_rows(run, qd);
}

// The part of the energy removed by a projection that friction did in the last moment of a slip.
static void stop_wheel(lwSnakeRun* run, int k)
{
  lwSnakeFull* full = run->full;
  const double* qd  = lw_snake_qd(run);
  double before     = lw_snake_full_kinetic(run->snake, lw_snake_theta(run), qd, NULL);
  full->wheel[k]    = 0;
  lw_snake_project(run);
  run->y[2 * full->size + 1] +=
      before - lw_snake_full_kinetic(run->snake, lw_snake_theta(run), qd, NULL);
}

// --- impacts

// Joints beyond a stop are put to it.
static void put_to_stops(lwSnakeRun* run)
{
  for (int k = 0; k + 1 < run->n; ++k)
    for (int side = -1; side <= 1; side += 2)
      if (gap_of(run, run->y, k, side) < 0) put_to_stop(run, k, side);
}

static int contact_of(const lwSnakeRun* run, int k)
{
  return gap_of(run, run->y, k, 1) <= GAP ? 1 : gap_of(run, run->y, k, -1) <= GAP ? -1 : 0;
}

// Rates after the impact from those before it.
static void solve_impact(lwSnakeRun* run)
{
  lwSnakeFull* full  = run->full;
  int n              = run->n;
  double* qd         = lw_snake_qd(run);
  lwSnakeTerms terms = factored_terms(run);
  full->problem.n    = 0;
  memcpy(qd, full->incoming, (size_t)full->size * sizeof *qd);
  for (int k = 0; k < n; ++k)
    if (full->stuck[k] || isinf(limit_of(run, k))) add_row(run, &terms, k, -INFINITY, INFINITY);
  for (int k = 0; k + 1 < n; ++k)
  {
    full->stop[k] = (signed char)contact_of(run, k);
    if (full->stop[k]) add_row(run, &terms, n + k, full->stuck[n + k] ? -INFINITY : 0, INFINITY);
  }
  fill_problem(run, qd, NULL);
  lwBounded* problem = &full->problem;
  if (!lw_bounded_solve(problem))  // all come to rest, which is always possible
  {
    memset(problem->side, 0, (size_t)problem->n * sizeof *problem->side);
    lw_bounded_equal(problem);
  }
  apply_rows(run, qd);
  for (int r = 0; r < problem->n; ++r)
    if (full->which[r] >= n && problem->side[r] != LW_BOUND_NONE)
      full->stop[full->which[r] - n] = 0;
}

// Wheels by their sideways speed: those with a limit may have got one.
static void sort_wheels(lwSnakeRun* run)
{
  lwSnakeFull* full = run->full;
  lw_snake_full_kinetic(run->snake, lw_snake_theta(run), lw_snake_qd(run), full->lambda);
  for (int k = 0; k < run->n; ++k)
  {
    double s       = full->lambda[k];
    bool holds     = isinf(limit_of(run, k)) || full->stuck[k] || fabs(s) <= NO_SPEED;
    full->wheel[k] = (signed char)(holds ? 0 : s > 0 ? 1 : -1);
  }
}

// How far joint k has to leave its stop. A first step, which is accurate to about this part of the
// tolerance, may otherwise end beyond the stop although the joint returns much later.
static double rest_distance(const lwSnakeRun* run, int k)
{
  const lwIntegrator* integrator = run->integrator;
  if (!integrator->method->adaptive) return REST_DISTANCE;
  double angle     = fmax(fabs(run->y[k + 2]), fabs(run->y[k + 3]));
  double tolerance = integrator->absolute[k + 2] + integrator->relative[k + 2] * angle;
  return fmax(REST_DISTANCE, 0.01 * tolerance);
}

static bool rests_at_once(double speed, double against, double distance)
{
  if (speed == 0 || !(against > 0)) return false;
  return speed * speed <= 2 * against * distance || speed <= against * REST_TIME;
}

// Marks wheels and joints that would be at rest again at once. False: there is none.
static bool mark_stuck(lwSnakeRun* run, double t)
{
  lwSnakeFull* full = run->full;
  bool any          = false;
  const double *qd = lw_snake_qd(run), *qdd = full->qdd;
  decide_phase(run, t);
  lwSnakeTerms terms = lw_snake_chain_terms(&full->chain, run->y, qd, NULL);
  lw_snake_full_kinetic(run->snake, lw_snake_theta(run), qd, full->lambda);
  for (int k = 0; k < run->n; ++k)
  {
    double a =
        lw_dot_product(k + 3, terms.A + (size_t)k * (size_t)full->size, qdd) + terms.drift[k];
    if (full->stuck[k] || !full->wheel[k] || isinf(limit_of(run, k)) ||
        fabs(full->lambda[k]) <= NO_SPEED)
      continue;
    full->stuck[k] = rests_at_once(fabs(full->lambda[k]), -full->wheel[k] * a, REST_DISTANCE);
    any            = any || full->stuck[k];
  }
  for (int k = 0; k + 1 < run->n; ++k)
  {
    int side = contact_of(run, k), at = run->n + k;
    if (!side || full->stop[k] || full->stuck[at]) continue;
    full->stuck[at] = rests_at_once(side * (qd[k + 3] - qd[k + 2]),
                                    -side * (qdd[k + 3] - qdd[k + 2]), rest_distance(run, k));
    any             = any || full->stuck[at];
  }
  return any;
}

// Joints that come to a stop; those that rest at one already do not.
static void note_hits(lwSnakeRun* run, double t)
{
  const lwSnakeFull* full = run->full;
  for (int k = 0; k + 1 < run->n; ++k)
  {
    double rate = contact_of(run, k) * (full->incoming[k + 3] - full->incoming[k + 2]);
    if (rate < 0 && !full->before[run->n + k]) note_contact(run, t, LW_NOTE_HIT, k);
  }
}

static void impact(lwSnakeRun* run, double t)
{
  lwSnakeFull* full = run->full;
  double* qd        = lw_snake_qd(run);
  double before     = lw_snake_full_kinetic(run->snake, lw_snake_theta(run), qd, NULL);
  put_to_stops(run);
  memcpy(full->incoming, qd, (size_t)full->size * sizeof *qd);
  memset(full->stuck, 0, 2 * (size_t)run->n * sizeof *full->stuck);
  note_hits(run, t);
  do
  {
    solve_impact(run);
    sort_wheels(run);
  } while (mark_stuck(run, t));
  full->stop_loss += before - lw_snake_full_kinetic(run->snake, lw_snake_theta(run), qd, NULL);
}

// --- phases

void lw_snake_contacts_begin(lwSnakeRun* run, double t)
{
  lwSnakeFull* full = run->full;
  memset(full->stuck, 0, 2 * (size_t)run->n * sizeof *full->stuck);
  memset(full->wheel, 0, 2 * (size_t)run->n);
  sort_wheels(run);
  bool hits = false;
  for (int k = 0; k + 1 < run->n && run->def.stops; ++k) hits = hits || contact_of(run, k);
  memset(full->before, 0, 2 * (size_t)run->n);
  if (hits)
    impact(run, t);
  else
    decide_phase(run, t);
  note_changes(run, t);
}

static double stop_value(const lwSnakeRun* run, const double* y, int k)
{
  const lwSnakeFull* full = run->full;
  if (!run->def.stops) return 1;
  if (full->stop[k])
  {
    double about = 0;
    for (int i = 0; i + 1 < run->n; ++i)
      about = fmax(about, fmax(fabs(full->force[run->n + i]), fabs(run->torque[i])));
    return full->force[run->n + k] + OVERLOAD * about + 1e-30;
  }
  double gap = fmin(gap_of(run, y, k, 1), gap_of(run, y, k, -1));
  return isinf(gap) ? 1 : gap + GAP;
}

void lw_snake_contact_values(void* context, double t, const double* y, double* values)
{
  lwSnakeRun* run   = context;
  lwSnakeFull* full = run->full;
  solve_accelerations(run, t, y, false);
  lw_snake_full_kinetic(run->snake, y + 2, y + full->size, full->lambda);
  double creep = creep_of(run);
  for (int k = 0; k < run->n; ++k)
  {
    double limit = limit_of(run, k);
    values[k]    = isinf(limit)     ? 1
                   : full->wheel[k] ? full->wheel[k] * full->lambda[k] + creep
                                    : limit * (1 + OVERLOAD) - fabs(full->force[k]);
  }
  for (int k = 0; k + 1 < run->n; ++k) values[run->n + k] = stop_value(run, y, k);
}

bool lw_snake_contact_event(lwSnakeRun* run, double t, int i)
{
  lwSnakeFull* full = run->full;
  int n             = run->n;
  if (lw_chatters(&full->chatter, t, &run->audit.events)) return false;
  memcpy(full->before, full->wheel, 2 * (size_t)n);
  lw_snake_project(run);
  if (i < n && full->wheel[i]) stop_wheel(run, i);
  if (i >= n && !full->stop[i - n])
    impact(run, t);  // which decides as well
  else
    decide_phase(run, t);
  note_changes(run, t);
  return true;
}
