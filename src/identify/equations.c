// SPDX-License-Identifier: MIT
//   q --filter, differentiate--> q, qd, qdd --Y--> columns --filter, thin out--> W
//                                              tau --filter, thin out--> b
// Both sides go through the same filter, so that it affects steps of friction on both sides alike.
#include "identify/equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "identify/filter.h"

static const double PI = 3.14159265358979323846;

enum
{
  ABOVE_BAND = 5,   // times the bandwidth is the cutoff
  FINE       = 40,  // times the cutoff is the rate at which columns of links are computed
  ENDS       = 3    // periods of the cutoff are left out at both ends
};

// One joint of an array (samples, n) as a signal, and back.
static void take_signal(const double* all, long samples, int n, int i, double* x)
{
  for (long k = 0; k < samples; ++k) x[k] = all[k * n + i];
}

static void put_signal(double* all, long samples, int n, int i, const double* x)
{
  for (long k = 0; k < samples; ++k) all[k * n + i] = x[k];
}

static void choose_cutoff(lwEquations* equations, const lwLogDef* log, double asked, double* x)
{
  double band = 0, highest = equations->rate / 4;
  for (int i = 0; i < equations->n && asked == 0; ++i)
  {
    if (!equations->moved[i]) continue;
    take_signal(log->q, log->count, equations->n, i, x);
    band = fmax(band, lw_filter_bandwidth(x, log->count, equations->rate, highest / ABOVE_BAND));
  }
  equations->cutoff = asked > 0 ? asked : ABOVE_BAND * band;
  double least      = 10 / (log->t[log->count - 1] - log->t[0]);
  equations->cutoff = fmin(fmax(equations->cutoff, least), highest);
}

static bool filter_motion(lwEquations* equations, const lwLogDef* log, double* x)
{
  long samples  = equations->samples;
  double *first = x + samples, *second = first + samples, dt = 1 / equations->rate;
  bool done = true;
  for (int i = 0; i < equations->n && done; ++i)
  {
    take_signal(log->q, samples, equations->n, i, x);
    done = lw_filter_zero_phase(x, samples, equations->rate, equations->cutoff);
    lw_filter_derivatives(x, samples, dt, first, second);
    if (!equations->moved[i]) memset(first, 0, 2 * (size_t)samples * sizeof *first);
    put_signal(equations->q, samples, equations->n, i, x);
    put_signal(equations->qd, samples, equations->n, i, first);
    put_signal(equations->qdd, samples, equations->n, i, second);
  }
  size_t bytes = (size_t)samples * (size_t)equations->n * sizeof(double);
  if (log->qd) memcpy(equations->qd, log->qd, bytes);
  if (log->qdd) memcpy(equations->qdd, log->qdd, bytes);
  return done;
}

// qd that is given must be the derivative of q, but for noise.
static lwStatus check_velocities(const lwEquations* equations, const lwLogDef* log, double* x,
                                 lwDiag* diag)
{
  long samples  = equations->samples;
  double *first = x + samples, *second = first + samples;
  for (int i = 0; log->qd && i < equations->n; ++i)
  {
    double given = 0, made = 0, both = 0;
    take_signal(equations->q, samples, equations->n, i, x);
    lw_filter_derivatives(x, samples, 1 / equations->rate, first, second);
    for (long k = 0; k < samples; ++k)
    {
      double own = log->qd[k * equations->n + i];
      given += own * own;
      made += first[k] * first[k];
      both += own * first[k];
    }
    double ratio = both / made;
    if (!equations->moved[i] || (ratio > 0.7 && ratio < 1.4 && both * both > 0.5 * given * made))
      continue;
    LW_REFUSE(diag, ratio > 50 && ratio < 65 ? "it seems to be in degrees" : NULL,
              "qd%d of the log is not the velocity of q%d: it is %.3g times that on average", i + 1,
              i + 1, ratio);
    return LW_ERROR_INPUT;
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
static double gain_column(const lwEquations* equations, int c, int joint, const double* tau)
{
  const lwUnknown* unknown = &equations->unknowns.of[c];
  int last                 = -1;
  for (int i = 0; i < equations->n; ++i)
    if (equations->moved[i]) last = i;
  if (joint == last) return tau[last];
  return joint == unknown->joint ? -tau[joint] : 0;
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
    size_t at      = (size_t)(k * thin->fine) * n;
    lwStates state = {.q = equations->q + at, .qd = equations->qd + at, .qdd = equations->qdd + at};
    lw_regressor_rows(equations->regressor, &equations->unknowns, &state, Y);
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
    if (!lw_filter_zero_phase(x, thin->count, rate, equations->cutoff)) return false;
    for (long k = 0; k < equations->rows; ++k)
      equations->W[(size_t)s * (size_t)equations->rows + (size_t)k] =
          x[thin->first + k * thin->every];
  }
  return true;
}

// Friction, rotors and gains at every sample: friction jumps where the log does,
// not where a coarser step would put it.
static bool thin_joint_columns(lwEquations* equations, const Thinning* thin, double* x)
{
  size_t n = (size_t)equations->n, rows = (size_t)equations->rows;
  for (int c = equations->unknowns.inertial; c < equations->unknowns.count; ++c)
    for (int i = 0; i < equations->n; ++i)
    {
      bool gain = equations->unknowns.of[c].kind == LW_UNKNOWN_GAIN;
      if (!gain && equations->unknowns.of[c].joint != i) continue;
      for (long k = 0; k < equations->samples; ++k)
      {
        size_t at      = (size_t)k * n;
        lwStates state = {.qd = equations->qd + at, .qdd = equations->qdd + at};
        x[k]           = gain ? gain_column(equations, c, i, equations->tau + at)
                              : lw_unknown_column(&equations->unknowns.of[c], &state);
      }
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
      long at = (thin->first + k * thin->every) * thin->fine;
      equations->b[(size_t)i * (size_t)equations->rows + (size_t)k] = x[at];
      equations->times[k]                                           = equations->t[at];
    }
  }
  return true;
}

// --- where friction has no sign

// Standard deviation of the noise in qd: of the differences that the filter takes away. What is
// left of white noise in positions of variance s^2, differentiated, is (2 pi)^2 cutoff^3 / 3 times
// its density 2 s^2 / rate.
static double speed_noise(const lwEquations* equations, const lwLogDef* log, int i, double* x)
{
  const double* from = log->qd ? log->qd : log->q;
  double square = 0, f = equations->cutoff;
  take_signal(from, equations->samples, equations->n, i, x);
  if (!lw_filter_zero_phase(x, equations->samples, equations->rate, f)) return 0;
  for (long k = 0; k < equations->samples; ++k)
  {
    double rest = from[k * equations->n + i] - x[k];
    square += rest * rest / (double)equations->samples;
  }
  if (log->qd) return sqrt(square);
  return sqrt(square * 8 * PI * PI * f * f * f / (3 * equations->rate));
}

// Rows of joint i that are affected by a slow passage through standstill: more than one sample
// within three standard deviations of zero.
static void leave_out_slow(lwEquations* equations, const Thinning* thin, int i, double noise)
{
  double reach = 1 / equations->cutoff;
  long slow    = 0;
  for (long k = 0; k < equations->samples; ++k)
  {
    slow = fabs(equations->qd[k * equations->n + i]) <= 3 * noise ? slow + 1 : 0;
    if (slow < 2) continue;
    double gap = (double)(thin->fine * thin->every) / equations->rate;
    double row =
        ((double)k / equations->rate - (double)(thin->first * thin->fine) / equations->rate) / gap;
    long first = (long)ceil(row - reach / gap), last = (long)floor(row + reach / gap);
    for (long r = first < 0 ? 0 : first; r <= last && r < equations->rows; ++r)
      equations->left_out[(long)i * equations->rows + r] = true;
  }
}

static void leave_out_rows(lwEquations* equations, const Thinning* thin, const lwLogDef* log,
                           bool coulomb, double* x)
{
  for (int i = 0; i < equations->n; ++i)
  {
    if (!equations->moved[i]) continue;
    if (coulomb) leave_out_slow(equations, thin, i, speed_noise(equations, log, i, x));
    for (long k = 0; k < equations->fitted; ++k)
      equations->used += !equations->left_out[(long)i * equations->rows + k];
  }
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
  {
    LW_REFUSE(diag, NULL, "the log lasts %.3g s, too short for a filter with a cutoff of %.3g Hz",
              equations->t[equations->samples - 1] - equations->t[0], equations->cutoff);
    return LW_ERROR_INPUT;
  }
  equations->W        = lw_arena_take(&equations->arena, p * n * (size_t)equations->rows, 8);
  equations->b        = lw_arena_take(&equations->arena, n * (size_t)equations->rows, 8);
  equations->times    = lw_arena_take(&equations->arena, (size_t)equations->rows, 8);
  equations->left_out = lw_arena_take(&equations->arena, n * (size_t)equations->rows, sizeof(bool));
  double* fine        = malloc(p * n * (size_t)thin.count * sizeof *fine);
  double* Y           = malloc(p * n * sizeof *Y);
  bool done = equations->W && equations->b && equations->times && equations->left_out && fine && Y;
  if (done) fill_fine(equations, &thin, Y, fine);
  done = done && thin_link_columns(equations, &thin, fine) &&
         thin_joint_columns(equations, &thin, x) && thin_torques(equations, &thin, x);
  if (done) leave_out_rows(equations, &thin, log, def->coulomb, x);
  free(fine);
  free(Y);
  return done ? LW_OK : LW_ERROR_MEMORY;
}

static bool take_motion_memory(lwEquations* equations)
{
  size_t size    = (size_t)equations->samples * (size_t)equations->n;
  equations->q   = lw_arena_take(&equations->arena, size, sizeof(double));
  equations->qd  = lw_arena_take(&equations->arena, size, sizeof(double));
  equations->qdd = lw_arena_take(&equations->arena, size, sizeof(double));
  equations->tau = lw_arena_take(&equations->arena, size, sizeof(double));
  return equations->q && equations->qd && equations->qdd && equations->tau;
}

static lwStatus filter_log(lwEquations* equations, const lwLogDef* log, const lwIdentifyDef* def,
                           lwDiag* diag)
{
  double* x = calloc(3 * (size_t)log->count, sizeof *x);
  if (!x || !take_motion_memory(equations))
  {
    free(x);
    return LW_ERROR_MEMORY;
  }
  choose_cutoff(equations, log, def->cutoff, x);
  lwStatus status = filter_motion(equations, log, x) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = check_velocities(equations, log, x, diag);
  take_torques(equations, log, def->current);
  if (status == LW_OK) status = make_equations(equations, log, def, x, diag);
  free(x);
  return status;
}

lwStatus lw_equations_create(lwEquations* equations, const lwModel* model, const lwLogDef* log,
                             const lwIdentifyDef* def, lwDiag* diag)
{
  *equations       = (lwEquations){.model = model, .n = lw_model_dof(model), .t = log->t};
  equations->moved = lw_arena_take(&equations->arena, (size_t)equations->n + 1, sizeof(bool));
  if (!equations->moved) return LW_ERROR_MEMORY;
  lwStatus status = lw_log_check(model, log, def, equations->moved, diag);
  if (status != LW_OK) return status;
  equations->samples = log->count;
  equations->rate    = (double)(log->count - 1) / (log->t[log->count - 1] - log->t[0]);
  status             = lw_unknowns_create(&equations->unknowns, model, def, equations->moved);
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
