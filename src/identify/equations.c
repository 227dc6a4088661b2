// SPDX-License-Identifier: MIT
//   q --filter, differentiate--> q, qd, qdd --Y--> columns --filter, thin out--> W
//                                              tau --filter, thin out--> b
// Both sides go through the same filter, so that it affects steps of friction on both sides alike.
#include "identify/equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/diag.h"
#include "base/units.h"
#include "identify/closed_motion.h"
#include "identify/filter.h"
#include "linear/vectors.h"
#include "math/elementary.h"
#include "model/model_internal.h"

enum
{
  WIDER = 2,   // times the cutoff is that of positions: what both sides have must pass unchanged
  FINE  = 40,  // times the cutoff is the rate at which columns of links are computed
  ENDS  = 3    // periods of the cutoff are left out at both ends
};

static const double AT_REST = 0.015;  // of a joint's rms speed: slower, it may be at rest
static const double LONG_REST =
    0.03;  // periods of the cutoff: rows near a longer rest are left out

// One joint of an array (samples, n) as a signal, and back.
static void take_signal(const double* all, long samples, int n, int i, double* x)
{
  for (long k = 0; k < samples; ++k) x[k] = all[k * n + i];
}

static void put_signal(double* all, long samples, int n, int i, const double* x)
{
  for (long k = 0; k < samples; ++k) all[k * n + i] = x[k];
}

// Whether freedom i is that of a joint with one: a quaternion's have no entry of q of their own.
static bool is_plain(const lwEquations* equations, int i)
{
  return lw_model_velocity(equations->model, i).other >= 0;
}

// The positions of the log, with quaternions that do not change their sign from one to the next.
static void take_positions(lwEquations* equations, const lwLogDef* log)
{
  const lwModel* model = equations->model;
  size_t nq            = (size_t)equations->nq;
  memcpy(equations->q, log->q, (size_t)equations->samples * nq * sizeof(double));
  for (long k = 1; k < equations->samples; ++k)
    for (int b = 0; b < model->ball_count; ++b)
    {
      double* now = equations->q + (size_t)k * nq + model->balls[b].q;
      double dot  = lw_dot_product(4, now, now - nq);
      for (int i = 0; i < 4 && dot < 0; ++i) now[i] = -now[i];
    }
}

// Filters entry `at` of q, with its rate into rates (samples, nq). What it moves alone gets its
// velocity and acceleration.
static bool filter_position(lwEquations* equations, int at, double* rates, double* x)
{
  long samples  = equations->samples;
  int i         = lw_model_position(equations->model, at).other;
  double *first = x + samples, *second = first + samples, dt = 1 / equations->rate;
  take_signal(equations->q, samples, equations->nq, at, x);
  bool done = lw_filter_zero_phase(x, samples, equations->rate, WIDER * equations->cutoff);
  lw_filter_derivatives(x, samples, dt, first, second);
  if (i >= 0 && !equations->moved[i]) memset(first, 0, 2 * (size_t)samples * sizeof *first);
  put_signal(equations->q, samples, equations->nq, at, x);
  put_signal(rates, samples, equations->nq, at, first);
  if (i >= 0) put_signal(equations->qdd, samples, equations->n, i, second);
  return done;
}

// Velocities, and of ball and floating joints accelerations, which are the rates of these.
static void find_velocities(lwEquations* equations, const double* rates, double* x)
{
  long samples = equations->samples;
  size_t n = (size_t)equations->n, nq = (size_t)equations->nq;
  for (size_t k = 0; k < (size_t)samples; ++k)
    lw_model_velocities(equations->model, equations->q + k * nq, rates + k * nq,
                        equations->qd + k * n);
  for (int i = 0; i < equations->n; ++i)
  {
    if (is_plain(equations, i)) continue;
    take_signal(equations->qd, samples, equations->n, i, x);
    lw_filter_derivatives(x, samples, 1 / equations->rate, x + samples, x + 2 * samples);
    put_signal(equations->qdd, samples, equations->n, i, x + samples);
  }
}

// speed has the velocities of the positions for now.
static bool filter_motion(lwEquations* equations, const lwLogDef* log, double* x)
{
  size_t samples = (size_t)equations->samples, bytes = samples * (size_t)equations->n;
  double* rates = calloc(samples * (size_t)equations->nq + 1, sizeof *rates);
  bool done     = rates;
  if (done) take_positions(equations, log);
  for (int at = 0; at < equations->nq && done; ++at)
    done = filter_position(equations, at, rates, x);
  if (done) find_velocities(equations, rates, x);
  free(rates);
  bytes *= sizeof(double);
  memcpy(equations->speed, equations->qd, bytes);
  if (log->qd) memcpy(equations->qd, log->qd, bytes);
  if (log->qdd) memcpy(equations->qdd, log->qdd, bytes);
  return done;
}

// qd that is given must be the derivative of q, but for noise.
static lwStatus check_velocities(const lwEquations* equations, const lwLogDef* log, lwDiag* diag)
{
  for (int i = 0; log->qd && i < equations->n; ++i)
  {
    double given = 0, made = 0, both = 0;
    for (long k = 0; k < equations->samples; ++k)
    {
      double own = log->qd[k * equations->n + i], found = equations->speed[k * equations->n + i];
      given += own * own;
      made += found * found;
      both += own * found;
    }
    double ratio = both / made;
    if (!equations->moved[i] || (ratio > 0.7 && ratio < 1.4 && both * both > 0.5 * given * made))
      continue;
    if (!is_plain(equations, i) && given < 1e-6 && made < 1e-6) continue;  // one of several
    return lw_refuse(diag, LW_ERROR_INPUT,
                     ratio > 50 && ratio < 65 ? "it seems to be in degrees" : NULL,
                     "qd%d of the log is not the velocity of '%s': it is %.3g times that on "
                     "average",
                     i + 1, lw_model_velocity(equations->model, i).name, ratio);
  }
  return LW_OK;
}

static void take_torques(lwEquations* equations, const lwLogDef* log, bool current)
{
  for (long k = 0; k < equations->samples; ++k)
    for (int i = 0; i < equations->n; ++i)
    {
      long at              = k * equations->n + i;
      const lwMotor* motor = &lw_model_joint_def(equations->model, i)->motor;
      equations->tau[at] =
          current ? motor->gear * motor->torque_constant * log->current[at] : log->tau[at];
    }
  for (long k = 0; k < equations->samples && equations->spread; ++k)
    lw_equations_to_speeds(equations, k, equations->tau + k * equations->n);
}

// --- columns

typedef struct Thinning
{
  long fine;   // of the samples, every so many has Y
  long count;  // of those
  long every;  // of those, every so many is an equation
  long first;  // of those, the first that is one
} Thinning;

static Thinning choose_thinning(const lwEquations* equations)
{
  Thinning thin = {.fine = (long)(equations->rate / (FINE * equations->cutoff))};
  if (thin.fine < 1) thin.fine = 1;
  double rate = equations->rate / (double)thin.fine;
  thin.count  = (equations->samples - 1) / thin.fine + 1;
  thin.every  = (long)(rate / (2 * equations->cutoff));
  if (thin.every < 1) thin.every = 1;
  thin.first = (long)ceil(ENDS * rate / equations->cutoff);
  return thin;
}

// Gains of currents: Y pi - T d = T with T = gear K i;
// the last joint's d is minus the sum of the others.
double lw_equations_gain_column(const lwEquations* equations, int c, int joint, double tau)
{
  const lwUnknown* unknown = &equations->unknowns.of[c];
  int last                 = -1;
  for (int i = 0; i < equations->n; ++i)
    if (equations->moved[i]) last = i;
  if (joint == last) return tau;
  return joint == unknown->joint ? -tau : 0;
}

double lw_equations_gain(const lwEquations* equations, const double* values, int joint)
{
  const lwUnknowns* unknowns = &equations->unknowns;
  double sum                 = 0;
  bool any                   = false;
  for (int c = unknowns->inertial; c < unknowns->count; ++c)
  {
    if (unknowns->of[c].kind != LW_UNKNOWN_GAIN) continue;
    if (unknowns->of[c].joint == joint) return 1 + values[c];
    sum += values[c];
    any = true;
  }
  return any && equations->moved[joint] ? 1 - sum : 1;
}

// The columns of links at the fine samples, into fine (inertial, n, count).
static void fill_fine(lwEquations* equations, const Thinning* thin, double* Y, double* fine)
{
  size_t n = (size_t)equations->n, p = (size_t)equations->unknowns.count;
  for (long k = 0; k < thin->count; ++k)
  {
    size_t at      = (size_t)(k * thin->fine);
    lwStates state = {.q   = equations->q + at * (size_t)equations->nq,
                      .qd  = equations->qd + at * n,
                      .qdd = equations->qdd + at * n};
    lw_equations_rows(equations, &state, Y);
    for (size_t i = 0; i < n; ++i)
      for (size_t c = 0; c < (size_t)equations->unknowns.inertial; ++c)
        fine[(c * n + i) * (size_t)thin->count + (size_t)k] = Y[i * p + c];
  }
}

static bool thin_link_columns(lwEquations* equations, const Thinning* thin, double* fine)
{
  double rate = equations->rate / (double)thin->fine;
  for (long s = 0; s < (long)equations->unknowns.inertial * equations->n; ++s)
  {
    double* x = fine + (size_t)s * (size_t)thin->count;
    if (lw_largest_entry((int)thin->count, x) == 0)
      continue;  // a link that the joint does not carry
    if (!lw_filter_zero_phase(x, thin->count, rate, equations->cutoff)) return false;
    for (long k = 0; k < equations->rows; ++k)
      equations->W[(size_t)s * (size_t)equations->rows + (size_t)k] =
          x[thin->first + k * thin->every];
  }
  return true;
}

// What unknown c multiplies in the torque of its own joint, in sample k. Coulomb friction has the
// sign of the speed; at rest, where it is anything between, 0.
static double joint_term(const lwEquations* equations, int c, size_t k)
{
  const lwUnknown* unknown = &equations->unknowns.of[c];
  size_t at = k * (size_t)equations->n, i = (size_t)unknown->joint;
  lwStates state = {.qd = equations->qd + at, .qdd = equations->qdd + at};
  if (unknown->kind != LW_UNKNOWN_COULOMB) return lw_unknown_column(unknown, &state);
  return fmin(fmax(equations->speed[at + i] / equations->slow[i], -1), 1);
}

// Friction, rotors and gains at every sample: friction jumps where the log does, not where a
// coarser step would put it.
static bool thin_joint_columns(lwEquations* equations, const Thinning* thin, double* x)
{
  size_t n = (size_t)equations->n, rows = (size_t)equations->rows;
  for (int c = equations->unknowns.inertial; c < equations->unknowns.count; ++c)
    for (int i = 0; i < equations->n; ++i)
    {
      const lwUnknown* unknown = &equations->unknowns.of[c];
      bool gain                = unknown->kind == LW_UNKNOWN_GAIN;
      if (!gain && !lw_equations_reaches(equations, unknown->joint, i)) continue;
      for (size_t k = 0; k < (size_t)equations->samples; ++k)
        x[k] = gain ? lw_equations_gain_column(equations, c, i, equations->tau[k * n + (size_t)i])
                    : lw_equations_share(equations, (long)k, unknown->joint, i) *
                          joint_term(equations, c, k);
      if (!lw_filter_zero_phase(x, equations->samples, equations->rate, equations->cutoff))
        return false;
      for (long k = 0; k < equations->rows; ++k)
        equations->W[((size_t)c * n + (size_t)i) * rows + (size_t)k] =
            x[(thin->first + k * thin->every) * thin->fine];
    }
  return true;
}

static bool thin_torques(lwEquations* equations, const Thinning* thin, double* x)
{
  for (int i = 0; i < equations->n; ++i)
  {
    take_signal(equations->tau, equations->samples, equations->n, i, x);
    if (!lw_filter_zero_phase(x, equations->samples, equations->rate, equations->cutoff))
      return false;
    for (long k = 0; k < equations->rows; ++k)
    {
      long at          = (thin->first + k * thin->every) * thin->fine;
      size_t to        = (size_t)i * (size_t)equations->rows + (size_t)k;
      equations->b[to] = equations->measured[to] = x[at];
      equations->times[k]                        = equations->t[at];
    }
  }
  return true;
}

// --- where friction has no sign

// The bandwidth (Hz) at which the noise of a speed, from positions (or speeds, `given`) with white
// noise of this standard deviation, is `bound`. What a filter leaves of white noise of variance s^2
// is its density 2 s^2 / rate times the cutoff, and differentiated times (2 pi)^2 cutoff^3 / 3.
static double speed_bandwidth(double noise, bool given, double rate, double bound)
{
  double ratio = bound * bound * rate / (2 * noise * noise);
  return given ? ratio : lw_cbrt(3 * ratio / (4 * LW_PI * LW_PI));
}

// Speed of joint i as sharp in time as noise allows, to see when it is at rest and which sign its
// friction has: the noise is a third of `slow`, below which the joint may be at rest.
static bool find_speed(lwEquations* equations, const lwLogDef* log, int i, double* x)
{
  long samples  = equations->samples;
  double *first = x + samples, *second = first + samples, rate = equations->rate, square = 0;
  bool given = log->qd != NULL;
  for (long k = 0; k < samples; ++k)
    square += equations->qd[k * equations->n + i] * equations->qd[k * equations->n + i];
  double slow        = AT_REST * sqrt(square / (double)samples) + 1e-300;
  int at             = lw_model_velocity(equations->model, i).other;
  equations->slow[i] = slow;
  if (at < 0) return true;  // no friction is estimated there
  take_signal(given ? log->qd : log->q, samples, given ? equations->n : equations->nq,
              given ? i : at, x);
  double noise = lw_filter_noise(x, samples, first);
  double band  = speed_bandwidth(noise + 1e-300, given, rate, slow / 3);
  if (band < equations->cutoff) slow *= lw_pow(equations->cutoff / band, given ? 0.5 : 1.5);
  band = fmin(fmax(band, equations->cutoff), rate / 4);
  if (!lw_filter_zero_phase(x, samples, rate, band)) return false;
  if (!given) lw_filter_derivatives(x, samples, 1 / rate, first, second);
  put_signal(equations->speed, samples, equations->n, i, given ? x : first);
  equations->slow[i] = slow;
  return true;
}

// Leaves out the rows of joint i that the filter mixes with samples `from` to `to`.
static void leave_out_near(lwEquations* equations, const Thinning* thin, int i, long from, long to)
{
  double reach = equations->rate / equations->cutoff, gap = (double)(thin->fine * thin->every);
  double start = (double)(thin->first * thin->fine);
  long first   = (long)ceil(((double)from - reach - start) / gap);
  long last    = (long)floor(((double)to + reach - start) / gap);
  for (long r = first < 0 ? 0 : first; r <= last && r < equations->rows; ++r)
    equations->left_out[(long)i * equations->rows + r] = true;
}

// Rows near a rest: how friction goes from one sign to the other there is not known.
static void leave_out_rests(lwEquations* equations, const Thinning* thin, int i)
{
  double least = LONG_REST * equations->rate / equations->cutoff;
  long since   = -1;
  for (long k = 0; k <= equations->samples; ++k)
  {
    bool rests = k < equations->samples &&
                 fabs(equations->speed[k * equations->n + i]) <= equations->slow[i];
    if (rests && since < 0) since = k;
    if (!rests && since >= 0 && (double)(k - since) > least)
      leave_out_near(equations, thin, i, since, k - 1);
    if (!rests) since = -1;
  }
}

static void leave_out_rows(lwEquations* equations, const Thinning* thin, bool coulomb)
{
  for (int i = 0; i < equations->n; ++i)
  {
    if (!equations->moved[i]) continue;
    if (coulomb && is_plain(equations, i)) leave_out_rests(equations, thin, i);
    for (long k = 0; k < equations->fitted; ++k)
      equations->used += !equations->left_out[(long)i * equations->rows + k];
  }
}

// Noise of the accelerations of freedom i, or of the position that they are made from. That of an
// angle is twice that of the quaternion's entry.
static double motion_noise(const lwEquations* equations, const lwLogDef* log, int i, double* x)
{
  const lwModel* model = equations->model;
  int at = lw_model_velocity(model, i).other, from = at, times = 1;
  for (int b = 0; b < model->ball_count && at < 0; ++b)
  {
    int k = i - model->balls[b].v;
    if (k >= 3 || k < (model->balls[b].floats ? -3 : 0)) continue;
    from  = model->balls[b].q + k;
    times = k < 0 ? 1 : 2;
  }
  if (log->qdd)
    take_signal(log->qdd, equations->samples, equations->n, i, x);
  else
    take_signal(log->q, equations->samples, equations->nq, from, x);
  return (log->qdd ? 1 : times) * lw_filter_noise(x, equations->samples, x + equations->samples);
}

// What the filter, whose impulse response is known, makes of white noise in torques and positions:
// how much is left of it, in accelerations as well, and how much more the mean of rows varies than
// if they were independent.
static bool find_noise_of_rows(lwEquations* equations, const Thinning* thin, const lwLogDef* log,
                               double* x)
{
  long half = (long)(ENDS * equations->rate / equations->cutoff), count = 2 * half + 1;
  double *h = calloc(3 * (size_t)count, sizeof *h), sum = 0, square = 0, second = 0;
  if (!h) return false;
  h[half]   = 1;
  bool done = lw_filter_zero_phase(h, count, equations->rate, equations->cutoff);
  lw_filter_derivatives(h, count, 1 / equations->rate, h + count, h + 2 * count);
  for (long k = 0; k < count; ++k)
  {
    sum += h[k];
    square += h[k] * h[k];
    second += h[k + 2 * count] * h[k + 2 * count];
  }
  equations->correlation = sum * sum / (square * (double)(thin->fine * thin->every));
  free(h);
  for (int i = 0; i < equations->n; ++i)
  {
    take_signal(equations->tau, equations->samples, equations->n, i, x);
    equations->noise[i] =
        sqrt(square) * lw_filter_noise(x, equations->samples, x + equations->samples);
    equations->shaking[i] = sqrt(log->qdd ? square : second) * motion_noise(equations, log, i, x);
  }
  return done;
}

static lwStatus make_equations(lwEquations* equations, const lwLogDef* log,
                               const lwIdentifyDef* def, double* x, lwDiag* diag)
{
  Thinning thin = choose_thinning(equations);
  size_t n = (size_t)equations->n, p = (size_t)equations->unknowns.count;
  equations->rows         = (thin.count - 2 * thin.first - 1) / thin.every + 1;
  equations->thinned_rate = equations->rate / (double)(thin.fine * thin.every);
  equations->fitted       = (long)((double)equations->rows * (1 - def->held_back));
  if (thin.count - 2 * thin.first < 2 || equations->fitted < 10)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "the log lasts %.3g s, too short for a filter with a cutoff of %.3g Hz",
                     equations->t[equations->samples - 1] - equations->t[0], equations->cutoff);
  size_t rows  = (size_t)equations->rows;
  double *fine = NULL, *Y = NULL;
  const lwArray kept[]    = {{&equations->W, p * n * rows},
                             {&equations->b, n * rows},
                             {&equations->measured, n * rows},
                             {&equations->times, rows},
                             {0}};
  const lwArray scratch[] = {{&fine, p * n * (size_t)thin.count}, {&Y, p * n}, {0}};
  equations->left_out     = lw_arena_take(&equations->arena, n * rows, sizeof(bool));
  bool done               = equations->left_out && lw_arrays_take(&equations->arena, kept) &&
              lw_arrays_take(NULL, scratch);
  if (done) fill_fine(equations, &thin, Y, fine);
  done = done && thin_link_columns(equations, &thin, fine) &&
         thin_joint_columns(equations, &thin, x) && thin_torques(equations, &thin, x) &&
         find_noise_of_rows(equations, &thin, log, x);
  if (done) leave_out_rows(equations, &thin, def->coulomb);
  free(fine);
  return done ? LW_OK : LW_ERROR_MEMORY;
}

static lwStatus filter_log(lwEquations* equations, const lwLogDef* log, const lwIdentifyDef* def,
                           lwDiag* diag)
{
  size_t n = (size_t)equations->n, size = (size_t)equations->samples * n;
  const lwArray arrays[] = {{&equations->q, (size_t)equations->samples * (size_t)equations->nq},
                            {&equations->qd, size},
                            {&equations->qdd, size},
                            {&equations->tau, size},
                            {&equations->speed, size},
                            {&equations->slow, n},
                            {&equations->noise, n},
                            {&equations->shaking, n},
                            {&equations->forces, n},
                            {&equations->speed_rows, n * (size_t)equations->unknowns.count},
                            {0}};
  double* x              = calloc(3 * (size_t)log->count, sizeof *x);
  bool done = x && lw_arrays_take(&equations->arena, arrays) && filter_motion(equations, log, x);
  lwStatus status = done ? check_velocities(equations, log, diag) : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_equations_follow(equations, log, diag);
  for (int i = 0; i < equations->n && status == LW_OK; ++i)
    if (!find_speed(equations, log, i, x)) status = LW_ERROR_MEMORY;
  if (status == LW_OK) take_torques(equations, log, def->current);
  if (status == LW_OK) status = make_equations(equations, log, def, x, diag);
  free(x);
  return status;
}

lwStatus lw_equations_create(lwEquations* equations, const lwModel* model, const lwLogDef* log,
                             const lwIdentifyDef* def, lwDiag* diag)
{
  *equations = (lwEquations){
      .model = model, .n = lw_model_dof(model), .nq = lw_model_nq(model), .t = log->t};
  equations->moved = lw_arena_take(&equations->arena, (size_t)equations->n + 1, sizeof(bool));
  if (!equations->moved) return LW_ERROR_MEMORY;
  lwStatus status = lw_log_check(model, log, def, equations->moved, diag);
  if (status != LW_OK) return status;
  equations->samples = log->count;
  equations->rate    = (double)(log->count - 1) / (log->t[log->count - 1] - log->t[0]);
  equations->cutoff  = fmin(def->cutoff, equations->rate / 4);
  status             = lw_unknowns_create(&equations->unknowns, model, def, equations->moved);
  for (int i = 0; i < equations->n; ++i)  // the torques of other joints are 0, or shared by these
    equations->moved[i] = equations->moved[i] && lw_is_speed(model, i);
  if (status == LW_OK) status = lw_regressor_create(model, &equations->regressor);
  if (status == LW_OK) status = filter_log(equations, log, def, diag);
  return status;
}

void lw_equations_free(lwEquations* equations)
{
  lw_unknowns_free(&equations->unknowns);
  lw_regressor_destroy(equations->regressor);
  lw_arena_free(&equations->arena);
}
