// SPDX-License-Identifier: MIT
// The fastest motion along a path: backward and forward pass, bound, tightening.
//
//   backward  K_i  greatest x at node i from which the end can be reached
//   forward   x_i  greatest x below K_i that can be reached from x_i-1: the motion
//   bound     R_i  greatest x below K_i that can be reached from the beginning: no motion is above it
//   tighten   limits of intervals within which a limit is exceeded are lowered, and again
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "retime/retime_internal.h"

enum
{
  JERK_ROUNDS = 10  // of tightening, with limits of jerk
};

static const double KEPT = 5e-7;  // excess over LW_RETIME_SHARE of a limit that is accepted

const char* lw_limit_word(lwLimitKind kind)
{
  static const char* const words[LW_LIMIT_COUNT] = {
      "none", "velocity",   "acceleration",      "effort",  "voltage", "current", "force",
      "flow", "tool_speed", "tool_acceleration", "reaction"};
  return kind >= 0 && kind < LW_LIMIT_COUNT ? words[kind] : "none";
}

// --- passes

// The step of interval i whose unknown end is the left one (side 0) or the right one.
static lwStep step_of(const lwRetime* r, int i, int side)
{
  return (lwStep){.U      = lw_point_rows(r, lw_retime_end(r, i, side)),
                  .V      = lw_point_rows(r, lw_retime_end(r, i, !side)),
                  .lim    = lw_retime_limits(r, r->lim, i),
                  .rows   = r->rows,
                  .norms  = r->norms,
                  .lanes  = r->lanes,
                  .linear = r->linear[i],
                  .g      = (side ? -0.5 : 0.5) / r->h[i]};
}

// x at node i if the motion begins or ends there with a limit of speed itself, of which elsewhere only
// LW_RETIME_SHARE is used; otherwise -1.
static double cap_at_end(const lwRetime* r, int i)
{
  if (r->task.closed || (i > 0 && i < r->count)) return -1;
  double speed = i == 0 ? r->task.start : r->task.end, x = speed * speed;
  double cap  = lw_point_rows(r, lw_retime_end(r, i == 0 ? 0 : i - 1, i > 0)).cap;
  bool at_cap = x > cap && x * LW_RETIME_SHARE * LW_RETIME_SHARE <= cap * (1 + 1e-9);
  return at_cap ? x : -1;
}

static void find_caps(lwRetime* r)
{
  for (int i = 0; i <= r->count; ++i)
  {
    double left  = i < r->count ? lw_point_rows(r, lw_retime_end(r, i, 0)).cap : INFINITY;
    double right = i > 0 ? lw_point_rows(r, lw_retime_end(r, i - 1, 1)).cap : INFINITY;
    r->cap_x[i]  = fmax(fmin(left, right) * r->tight[i], cap_at_end(r, i));
  }
}

// Each returns -1, or the node where there is no x.
static int pass_backward(lwRetime* r, double end)
{
  r->K[r->count] = fmin(end, r->cap_x[r->count]);
  for (int i = r->count - 1; i >= 0; --i)
  {
    lwStep step = step_of(r, i, 0);
    r->K[i]     = lw_retime_greatest(&step, r->K[i + 1], r->cap_x[i]);
    if (!(r->K[i] >= 0)) return i;
  }
  return -1;
}

static int pass_reachable(lwRetime* r, double start)
{
  r->R[0] = fmin(start, r->K[0]);
  for (int i = 0; i < r->count; ++i)
  {
    lwStep step = step_of(r, i, 1);
    r->R[i + 1] = lw_retime_greatest(&step, r->R[i], r->K[i + 1]);
    if (!(r->R[i + 1] >= 0)) return i + 1;
  }
  return -1;
}

// The greatest x at node i + 1 that goes with x at node i; negative: none.
static double next_x(const lwRetime* r, int i, double x)
{
  lwStep step = step_of(r, i, 1);
  lwSpan span = lw_retime_sweep(&step, x, r->K[i + 1]);
  double top  = fmin(span.rising, span.falling);
  return top >= span.low - 1e-11 * (1e-6 + span.low) ? fmax(top, 0) : -1;
}

// The forward pass came to a dead end at node i, below an island of speeds that K is above: finds
// the greatest x there with a way on, and K again before it. Returns the node to go on from, or -1.
static int leave_dead_end(lwRetime* r, int i)
{
  double high = r->x[i], low = high, step = 1e-9;
  while (next_x(r, i, low) < 0)
  {
    if (step > 1) return -1;
    high = low;
    low  = fmax(r->x[i] * (1 - step), 0);
    step *= 4;
  }
  for (int k = 0; k < 50 && high - low > 1e-12 * high; ++k)
  {
    double x = 0.5 * (low + high);
    if (next_x(r, i, x) < 0)
      high = x;
    else
      low = x;
  }
  r->K[i] = low;
  while (i > 0)
  {
    --i;
    lwStep back = step_of(r, i, 0);
    double x    = lw_retime_greatest(&back, r->K[i + 1], r->K[i]);
    if (x < 0) x = r->x[i] * (1 - 1e-6);
    r->K[i] = fmin(x, r->K[i]);
    if (r->K[i] >= r->x[i]) return i;
  }
  return r->K[0] >= r->x[0] ? 0 : -1;
}

static int pass_forward(lwRetime* r, double start)
{
  int repairs = 0;
  r->x[0]     = fmin(start, r->K[0]);
  for (int i = 0; i < r->count;)
  {
    double next = next_x(r, i, r->x[i]);
    if (next >= 0)
    {
      r->x[++i] = next;
      continue;
    }
    int from = ++repairs <= 10 * r->count ? leave_dead_end(r, i) : -1;
    if (from < 0) return i;
    i = from;
  }
  return -1;
}

static double artanh(double x)
{
  return 0.5 * lw_log1p(2 * x / (1 - x));
}

// Duration of interval i with these x at its ends.
static double interval_duration(const lwRetime* r, int i, const double* x)
{
  double a = sqrt(x[i]), b = sqrt(x[i + 1]), k = r->k[i], h = r->h[i];
  if (isnan(k)) return 3 * h / (a + b);
  double z = k * h * h / ((a + b) * (a + b)), root = sqrt(fabs(z));
  double stretch = root < 1e-4 ? 1 + z / 3
                   : z > 0     ? artanh(fmin(root, 1 - 1e-15)) / root
                               : lw_atan2(root, 1) / root;
  return 2 * h / (a + b) * stretch;
}

// s - s_i, w, u, du/dt a time dt after the beginning of interval i.
static void interval_state(const lwRetime* r, int i, double dt, double state[4])
{
  double w = sqrt(r->x[i]), u = r->u[i], k = r->k[i], h = r->h[i];
  if (isnan(k))  // j t^3 / 6, from rest or to rest
  {
    bool end = r->x[i] > 0;
    double T = interval_duration(r, i, r->x), j = 6 * h / (T * T * T), t = end ? T - dt : dt;
    double s = j * t * t * t / 6, sign = end ? -1 : 1;
    memcpy(state, (double[]){end ? h - s : s, 0.5 * j * t * t, sign * j * t, j}, 4 * sizeof *state);
    return;
  }
  double l = sqrt(fabs(k)), z = l * dt, c, s, v;  // cosine, sine / l, (cosine - 1) / k
  if (z < 1e-3)
  {
    c = 1 + 0.5 * k * dt * dt, s = dt * (1 + k * dt * dt / 6), v = 0.5 * dt * dt;
    v *= 1 + k * dt * dt / 12;
  }
  else
  {
    double grown = lw_exp(z);
    c            = k > 0 ? (grown + 1 / grown) / 2 : lw_cos(z);
    s            = (k > 0 ? (grown - 1 / grown) / 2 : lw_sin(z)) / l;
    v            = (c - 1) / k;
  }
  state[0] = w * s + u * v;
  state[1] = w * c + u * s;
  state[2] = u * c + w * k * s;
  state[3] = k * state[1];
}

static double profile_time(const lwRetime* r, const double* x, double* t)
{
  double time = 0;
  if (t) t[0] = 0;
  for (int i = 0; i < r->count; ++i)
  {
    time += interval_duration(r, i, x);
    if (t) t[i + 1] = time;
  }
  return time;
}

// Shares the u of linear intervals between their ends, as evenly as limits allow.
static void share_u(lwRetime* r, const double* x)
{
  for (int i = 0; i < r->count; ++i)
  {
    double u = 0.5 * (x[i + 1] - x[i]) / r->h[i], low[2], high[2], w = sqrt(x[i]) + sqrt(x[i + 1]);
    const double* lim = lw_retime_limits(r, r->lim, i);
    r->u[i]           = u;
    r->k[i]           = 0;
    if (!r->linear[i]) continue;
    for (int side = 0; side < 2; ++side)
    {
      lwPointRows rows = lw_point_rows(r, lw_retime_end(r, i, side));
      lw_retime_range(&rows, lim, r->rows, r->norms, x[i + side], &low[side], &high[side]);
    }
    double least = fmax(low[0], 2 * u - high[1]), most = fmin(high[0], 2 * u - low[1]);
    double left  = least <= most ? fmin(fmax(u, least), most) : 0.5 * (least + most);
    double slope = 2 * (u - left) / r->h[i];
    if (!(fabs(slope) * r->h[i] * r->h[i] < 0.5 * w * w)) continue;  // x would fall to 0 within
    r->u[i] = left;
    r->k[i] = slope;
  }
}

// No motion on this grid is above what can be reached from both ends.
static void find_bound(lwRetime* r, double start)
{
  if (r->bound != 0 || pass_reachable(r, start) >= 0) return;
  share_u(r, r->R);
  r->bound = profile_time(r, r->R, NULL);
}

// Both passes. Speeds at the ends must be met; -1, or the node where they or others cannot be.
static int find_profile(lwRetime* r, double start, double end)
{
  int stuck = pass_backward(r, end);
  if (stuck >= 0) return stuck;
  find_bound(r, start);
  if (r->K[0] < start * (1 - 1e-9)) return 0;
  stuck = pass_forward(r, start);
  if (stuck >= 0) return stuck;
  return r->x[r->count] < end * (1 - 1e-9) - 1e-300 ? r->count : -1;
}

// A closed path: the greatest profile with equal speeds at both ends, from above.
static int find_closed_profile(lwRetime* r)
{
  double speed = INFINITY;
  bool bounds  = r->bound == 0;
  for (int k = 0; k < 200; ++k)
  {
    int stuck = pass_backward(r, speed);
    if (bounds) r->bound = 0;
    if (stuck >= 0) return stuck;
    find_bound(r, speed);
    stuck = pass_forward(r, speed);
    if (stuck >= 0 && !(r->K[0] < r->x[0])) return stuck;
    double least = stuck < 0 ? fmin(r->x[0], r->x[r->count]) : r->K[0];  // or a slower beginning
    if (stuck < 0 && fmax(r->x[0], r->x[r->count]) - least <= 1e-12 * least) return -1;
    speed = least;
  }
  return 0;
}

static int run_passes(lwRetime* r, const lwRetimeEnds* ends)
{
  find_caps(r);
  int stuck = ends->closed ? find_closed_profile(r)
                           : find_profile(r, ends->start * ends->start, ends->end * ends->end);
  share_u(r, r->x);
  return stuck;
}

// --- between nodes

enum
{
  SAMPLES = LW_RETIME_INNER + 2  // the ends of an interval, and the points inside
};

// Rows at the samples of an interval, and where x and u are there.
typedef struct LoadSamples
{
  const double* at[SAMPLES];
  double x[SAMPLES], w[SAMPLES], u[SAMPLES];
} LoadSamples;

static inline double greater_of(double a, double b)
{
  return a > b ? a : b;
}

// The vertex of the parabola through three samples, if it is between them and above; else the
// middle one.
static inline double vertex(double before, double f, double after)
{
  double bend = before - 2 * f + after, slope = 0.5 * (after - before);
  bool inside = (bend < 0) & (fabs(slope) <= -bend);
  return inside ? f - 0.5 * slope * slope / (inside ? bend : -1) : f;
}

// The largest of the samples and of the parabolas through three of them.
double lw_retime_peak(const double f[SAMPLES])
{
  double peak = greater_of(f[0], f[SAMPLES - 1]);
  for (int k = 1; k < SAMPLES - 1; ++k) peak = greater_of(peak, vertex(f[k - 1], f[k], f[k + 1]));
  return peak;
}

// The largest of all rows in lanes, on both sides: into r->peaks (2, rows).
static void peaks_of_rows(const lwRetime* r, const LoadSamples* p)
{
  int n      = r->rows;
  double *up = r->peaks, *down = up + n, *f = r->samples;
  for (int c = 0; c < SAMPLES; ++c)
  {
    lwPointRows rows = lw_point_rows(r, p->at[c]);
    double x = p->x[c], w = p->w[c], u = p->u[c], *to = f + c * n;
#pragma omp simd
    for (int k = 0; k < n; ++k)
      to[k] = rows.al[k] * u + rows.be[k] * x + rows.de[k] * w + rows.ga[k];
  }
#pragma omp simd
  for (int k = 0; k < n; ++k)
  {
    double first = f[k], last = f[(SAMPLES - 1) * n + k];
    up[k]   = greater_of(first, last);
    down[k] = greater_of(-first, -last);
  }
  for (int c = 1; c < SAMPLES - 1; ++c)
  {
    const double *before = f + (c - 1) * n, *at = f + c * n, *after = f + (c + 1) * n;
#pragma omp simd
    for (int k = 0; k < n; ++k)
    {
      up[k]   = greater_of(up[k], vertex(before[k], at[k], after[k]));
      down[k] = greater_of(down[k], vertex(-before[k], -at[k], -after[k]));
    }
  }
}

// Lowers a limit by its excess, and returns that in units of the limit.
static double lower_limit(const lwRetime* r, double* lim, double base, double peak)
{
  double excess = peak - base;
  if (excess > KEPT * base) *lim -= r->firm * excess + 1e-8 * base;
  return excess / base;
}

static double tighten_norm(lwRetime* r, int k, const LoadSamples* p, double* lim, double base)
{
  double f[SAMPLES];
  for (int c = 0; c < SAMPLES; ++c)
  {
    const double* v = lw_point_rows(r, p->at[c]).norm + 9 * k;
    double sum      = 0;
    for (int d = 0; d < 3; ++d)
    {
      double value = v[d] * p->u[c] + v[3 + d] * p->x[c] + v[6 + d];
      sum += value * value;
    }
    f[c] = sqrt(sum);
  }
  return lower_limit(r, lim, base, lw_retime_peak(f));
}

static double tighten_rows(lwRetime* r, int i, const LoadSamples* p)
{
  double* lim        = lw_retime_limits(r, r->lim, i);
  const double* base = lw_retime_limits(r, r->base, i);
  double worst       = -1;
  int other          = r->rows + r->norms;
  peaks_of_rows(r, p);
  for (int k = 0; k < r->rows; ++k)
  {
    worst = greater_of(worst, lower_limit(r, &lim[k], base[k], r->peaks[k]));
    worst =
        greater_of(worst, lower_limit(r, &lim[other + k], base[other + k], r->peaks[r->rows + k]));
  }
  for (int k = 0; k < r->norms; ++k)
    worst = greater_of(worst, tighten_norm(r, k, p, &lim[r->rows + k], base[r->rows + k]));
  return worst;
}

// x and u at a share of interval i.
static void profile_inside(const lwRetime* r, int i, double share, double* x, double* u)
{
  double h = r->h[i], k = r->k[i];
  if (isnan(k))  // s = j t^3 / 6, from rest or to rest
  {
    bool end   = r->x[i] > 0;
    double tau = lw_cbrt(end ? 1 - share : share), far = end ? r->x[i] : r->x[i + 1];
    *x = far * tau * tau * tau * tau;
    *u = (end ? -1 : 1) * far * tau / (1.5 * h);
    return;
  }
  double at = share * h, from = 0.5 * (r->x[i + 1] - r->x[i]) / h - 0.5 * k * h;
  *x = r->x[i] + at * (2 * from + k * at);
  *u = from + k * at;
}

static double tighten_interval(lwRetime* r, int i)
{
  double f[SAMPLES];
  LoadSamples p;
  for (int c = 0; c < SAMPLES; ++c)
  {
    profile_inside(r, i, (double)c / (SAMPLES - 1), &p.x[c], &p.u[c]);
    p.x[c]  = greater_of(p.x[c], 0);
    p.w[c]  = sqrt(p.x[c]);
    p.at[c] = c == 0 ? lw_retime_end(r, i, 0)
              : c == SAMPLES - 1
                  ? lw_retime_end(r, i, 1)
                  : r->inner + ((size_t)i * LW_RETIME_INNER + (size_t)c - 1) * r->stride;
    f[c]    = p.w[c] / sqrt(p.at[c][r->stride - 1]);
  }
  if (cap_at_end(r, i) > 0) f[0] = 1;
  if (cap_at_end(r, i + 1) > 0) f[SAMPLES - 1] = 1;
  double excess = lw_retime_peak(f) - 1;
  if (excess > KEPT)
  {
    double factor = 1 / (1 + 2.2 * excess + 1e-8);
    r->tight[i] *= factor;
    r->tight[i + 1] *= factor;
  }
  return greater_of(excess, tighten_rows(r, i, &p));
}

// Lowers limits where they are exceeded between nodes; returns the largest excess.
static double tighten(lwRetime* r)
{
  double worst = -1;
  for (int i = 0; i < r->count; ++i) worst = greater_of(worst, tighten_interval(r, i));
  return worst;
}

// Takes back half of what was tightened around node i, where nothing is left.
static void relax_near(lwRetime* r, int i)
{
  int limits = 2 * (r->rows + r->norms), from = i > 4 ? i - 4 : 0;
  for (int k = from; k < r->count && k < i + 4; ++k)
  {
    double* lim        = lw_retime_limits(r, r->lim, k);
    const double* base = lw_retime_limits(r, r->base, k);
    for (int c = 0; c < limits; ++c) lim[c] = 0.5 * (lim[c] + base[c]);
    r->tight[k] = sqrt(r->tight[k]);
  }
}

// Whether u of interval i may be linear in s. Where a limit has little inertia to act on, or friction
// settles within the interval, such motions would swing about the limit.
static bool is_regular(const lwRetime* r, int i)
{
  enum
  {
    STEADY = 5
  };
  double h = r->h[i], x = fmin(r->x[i], r->x[i + 1]), w = sqrt(x);
  if (!(x > 0)) return false;
  for (int side = 0; side < 2; ++side)
  {
    lwPointRows rows = lw_point_rows(r, lw_retime_end(r, i, side));
    for (int k = 0; k < r->rows; ++k)
      if (fabs(rows.al[k]) < STEADY * h * (fabs(rows.be[k]) + 0.5 * fabs(rows.de[k]) / w))
        return false;
    for (int k = 0; k < r->norms; ++k)
    {
      const double *a = rows.norm + 9 * k, *b = a + 3;
      double most = STEADY * h;
      if (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] <
          most * most * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]))
        return false;
    }
  }
  return true;
}

// Once more with u linear in s in regular intervals, whose error is of second order.
static void make_linear(lwRetime* r, const lwRetimeEnds* ends)
{
  bool any = false;
  for (int i = 0; i < r->count && !r->smooth; ++i) any = (r->linear[i] = is_regular(r, i)) || any;
  if (!any) return;
  double bound = r->bound;
  r->bound     = 0;
  if (run_passes(r, ends) < 0) return;
  memset(r->linear, 0, (size_t)r->count * sizeof *r->linear);
  r->bound = bound;
  run_passes(r, ends);
}

static void keep_between(lwRetime* r, const lwRetimeEnds* ends, lwRetimeResult* result)
{
  if (r->def.tightenings == 0 || !lw_retime_fill_inner(r)) return;
  make_linear(r, ends);
  for (int round = 0;; ++round)
  {
    r->firm = 1.1 + 0.2 * round;  // more than the excess, which limits between two others need
    if (!lw_retime_lower_creeping(r)) return;
    double excess  = tighten(r);
    result->excess = (1 + excess) * LW_RETIME_SHARE - 1;
    result->rounds = round;
    if (excess <= KEPT || round == r->def.tightenings) return;
    int stuck = run_passes(r, ends);
    for (int k = 0; stuck >= 0 && k < 30; ++k)
    {
      relax_near(r, stuck);
      stuck = run_passes(r, ends);
    }
    if (stuck >= 0) return;
  }
}

// --- the result

// What limits leave of u, from low to high, and which do so.
typedef struct Room
{
  double low, high;
  lwLimitPlace place[2];
} Room;

static void narrow_room(Room* room, double low, double high, lwLimitPlace place)
{
  if (high < room->high) room->high = high, room->place[1] = place;
  if (low > room->low) room->low = low, room->place[0] = place;
}

// |a u + c| <= lim; where that holds for no u, low is above high by as much as it is missed.
static void narrow_by_norm(Room* room, const double* v, double x, double lim, lwLimitPlace place)
{
  double aa = 1e-140, ac = 0, cc = -lim * lim;
  for (int k = 0; k < 3; ++k)
  {
    double c = v[3 + k] * x + v[6 + k];
    aa += v[k] * v[k];
    ac += v[k] * c;
    cc += c * c;
  }
  double disc = ac * ac - aa * cc, half = copysign(sqrt(fabs(disc)) / aa, disc);
  narrow_room(room, -ac / aa - half, -ac / aa + half, place);
}

static Room room_at(const lwRetime* r, const lwPointRows* rows, const double* base, double x)
{
  Room room = {-1e99, 1e99, {{LW_LIMIT_NONE, -1}, {LW_LIMIT_NONE, -1}}};
  double w  = sqrt(x);
  for (int c = 0; c < r->rows; ++c)
  {
    double free = rows->be[c] * x + rows->de[c] * w + rows->ga[c], a = rows->al[c];
    double up = base[c] - free, down = -base[r->rows + r->norms + c] - free;
    if (fabs(a) < 1e-140 && (up < 0 || down > 0))  // no u helps
      narrow_room(&room, 1e100, -1e100, r->row[c]);
    else if (fabs(a) >= 1e-140)
      narrow_room(&room, a > 0 ? down / a : up / a, a > 0 ? up / a : down / a, r->row[c]);
  }
  for (int k = 0; k < r->norms; ++k)
    narrow_by_norm(&room, rows->norm + 9 * k, x, base[r->rows + k], r->norm[k]);
  return room;
}

// The two limits that leave the least room at node i, for the x where they come nearest.
static void name_clash(lwRetime* r, int i, lwRetimeResult* result)
{
  int interval       = i < r->count ? i : i - 1;
  lwPointRows rows   = lw_point_rows(r, lw_retime_end(r, interval, i < r->count ? 0 : 1));
  const double* base = lw_retime_limits(r, r->base, interval);
  double best = INFINITY, cap = fmin(r->cap_x[i], 1e30);
  result->stuck = r->s[i];
  for (int k = 0; k <= 200; ++k)
  {
    double x  = k == 0 ? 0 : cap * lw_pow(10, -(k - 1) / 8.0);
    Room room = room_at(r, &rows, base, x);
    if (room.low - room.high >= best) continue;
    best = room.low - room.high;
    memcpy(result->clash, room.place, sizeof room.place);
  }
}

// What excludes the speed that is asked for at an end of the path, x there: a limit of speed, two limits
// that leave no acceleration, or the one that keeps the motion from braking from it or getting to it.
static void name_end(lwRetime* r, int i, double x, lwRetimeResult* result)
{
  int interval = i < r->count ? i : i - 1;
  if (!lw_retime_fill_point(r, interval, r->s[i])) return;
  lwPointRows rows = lw_point_rows(r, r->point);
  Room room        = room_at(r, &rows, r->point_base, x);
  if (x > rows.cap)
    room.place[0] = room.place[1] = r->nearest;
  else if (room.low <= room.high)
    room.place[i == 0] = room.place[i > 0];
  memcpy(result->clash, room.place, sizeof room.place);
}

static void name_stuck(lwRetime* r, int i, const lwRetimeEnds* ends, lwRetimeResult* result)
{
  double speed = i == 0 ? ends->start : ends->end;
  name_clash(r, i, result);
  if (!ends->closed && speed > 0 && (i == 0 || i == r->count))
    name_end(r, i, speed * speed, result);
}

static void reset_limits(lwRetime* r)
{
  size_t limits = (size_t)r->count * 2 * (size_t)(r->rows + r->norms);
  memcpy(r->lim, r->base, limits * sizeof *r->lim);
  for (int i = 0; i <= r->count; ++i) r->tight[i] = 1;
}

// Once more within the limits of jerk. All limits are lowered where they are exceeded between points.
static lwStatus limit_jerk(lwRetime* r, lwRetimeResult* result)
{
  double time     = 0;
  lwStatus status = lw_smooth_begin(r);
  result->local   = true;
  reset_limits(r);
  find_caps(r);
  for (int round = 0; status == LW_OK; ++round)
  {
    status = lw_smooth(r, &time);
    if (status != LW_OK) return status;
    r->firm        = 1.1 + 0.2 * round;
    double excess  = greater_of(tighten(r), lw_smooth_tighten(r, KEPT));
    result->excess = (1 + excess) * LW_RETIME_SHARE - 1;
    result->rounds = round;
    if (excess <= KEPT || round >= JERK_ROUNDS || r->def.tightenings == 0) return LW_OK;
  }
  return status;
}

lwStatus lw_retime(lwRetime* r, const lwTrajectory* path, const lwRetimeEnds* ends,
                   lwRetimeResult* result)
{
  *result        = (lwRetimeResult){.stuck = -1, .cannot_hold = -1, .excess = -1};
  r->path        = path;
  r->task        = *ends;
  r->cannot_hold = -1;
  r->rests       = !ends->closed && ends->end == 0;
  lwStatus laid  = lw_retime_lay_grid(r, ends);
  if (laid != LW_OK) return laid;
  if (!lw_retime_fill_ends(r)) return LW_ERROR_OPEN;
  reset_limits(r);
  memset(r->linear, 0, (size_t)r->count * sizeof *r->linear);
  r->bound  = 0;
  int stuck = run_passes(r, ends);
  if (stuck >= 0)
  {
    name_stuck(r, stuck, ends, result);
    return LW_ERROR_INPUT;
  }
  keep_between(r, ends, result);
  if (r->smooth)
  {
    lwStatus limited = limit_jerk(r, result);
    if (limited != LW_OK) return limited;
  }
  result->time        = profile_time(r, r->x, r->t);
  result->bound       = fmin(r->bound, result->time);
  result->cannot_hold = r->cannot_hold;
  result->hold        = r->hold;
  for (int i = 0; i <= r->count; ++i)
    if (r->x[i] > 1e50) return LW_ERROR_NUMERICAL;
  return isfinite(result->time) ? LW_OK : LW_ERROR_INPUT;
}

lwStatus lw_retime_slow(lwRetime* r, double factor, lwRetimeResult* result)
{
  double worst = -1, square = factor * factor;
  for (int i = 0; i <= r->count; ++i) r->x[i] /= square;
  for (int i = 0; i < r->count; ++i)
  {
    r->u[i] /= square;
    r->k[i] /= square;
  }
  result->time = profile_time(r, r->x, r->t);
  for (int k = 0; k < 2 * r->count; ++k)
  {
    int i = k / 2, node = i + k % 2;
    double x, u;
    lwLimitPlace place;
    profile_inside(r, i, k % 2, &x, &u);
    double load = lw_retime_load(r, lw_retime_end(r, i, k % 2), lw_retime_limits(r, r->base, i),
                                 r->x[node], u, &place);
    if (load - 1 <= worst) continue;
    worst            = load - 1;
    result->stuck    = r->s[node];
    result->clash[0] = place;
  }
  if (r->def.tightenings > 0) worst = fmax(worst, tighten(r));
  result->excess = (1 + worst) * LW_RETIME_SHARE - 1;
  if (result->excess > 1e-6) return LW_ERROR_INPUT;
  result->stuck = -1;
  return LW_OK;
}

// --- the motion

int lw_retime_points(const lwRetime* r)
{
  return r->count + 1;
}

double lw_retime_time(const lwRetime* r, int i)
{
  return r->t[i];
}

static int interval_at(const lwRetime* r, double t)
{
  int low = 0, high = r->count;
  while (high - low > 1)
  {
    int middle                          = (low + high) / 2;
    *(r->t[middle] <= t ? &low : &high) = middle;
  }
  return low;
}

static void joint_values(lwRetime* r, int i, lwRetimePoint* p, bool stands)
{
  double x = p->sd * p->sd;
  for (int j = 0; j < r->dof; ++j)
  {
    const lwJointDef* joint = lw_model_joint_def(r->model, j);
    const double* tau       = r->answers;
    int n                   = r->dof;
    double sign             = stands ? 0 : r->sign[(size_t)i * (size_t)n + (size_t)j];
    double qd = r->q1[j] * p->sd, qdd = r->q1[j] * p->sdd + r->q2[j] * x;
    double rigid = tau[j] + (tau[n + j] - tau[j]) * p->sdd + (tau[2 * n + j] - tau[j]) * x;
    double own   = lw_model_is_driven(r->model, j)
                       ? joint->friction.viscous * qd + joint->friction.coulomb * sign
                       : 0;
    if (p->q) p->q[j] = r->q[j];
    if (p->qd) p->qd[j] = qd;
    if (p->qdd) p->qdd[j] = qdd;
    if (p->tau) p->tau[j] = rigid + lw_joint_rotor(joint) * qdd + own;
  }
}

void lw_retime_at(lwRetime* r, double t, lwRetimePoint* p)
{
  double end = r->t[r->count], state[4];
  int i      = interval_at(r, fmin(fmax(t, 0), end));
  interval_state(r, i, fmin(fmax(t, 0), end) - r->t[i], state);
  bool stands = (t >= end && r->rests) || (t < 0 && r->x[0] == 0);
  p->s        = fmin(r->s[i] + state[0], r->s[i + 1]);
  p->sd       = t >= end ? sqrt(r->x[r->count]) : fmax(state[1], 0);
  p->sdd      = stands ? 0 : state[2];
  if (t >= end) p->s = r->s[r->count];
  lw_retime_fill_point(r, i, p->s);
  joint_values(r, i, p, stands);
  double load  = lw_retime_load(r, r->point, r->point_base, p->sd * p->sd, p->sdd, &p->limit);
  double speed = p->sd / sqrt(r->point[r->stride - 1]);
  if (speed > load)
  {
    p->limit = r->nearest;
    load     = speed;
  }
  p->margin = 1 - load * LW_RETIME_SHARE;
  if (load < 0.999) p->limit = (lwLimitPlace){LW_LIMIT_NONE, -1};
}
