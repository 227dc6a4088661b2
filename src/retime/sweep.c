// SPDX-License-Identifier: MIT
// One interval of the grid: which values of x at one end go with a value y at the other.
//
// u = g (y - x) is constant within the interval, and every limit holds at both ends:
//   end of x:  sg (al u + be x + de sqrt x + ga) <= lim,   a quadratic in w = sqrt x
//   end of y:  sg (al u + be y + de sqrt y + ga) <= lim,   linear in x
// Both are solved exactly. If u is linear in s, it is v at the end of y, from a to b as limits allow
// there, and 2 g (y - x) - v at the end of x: the same quadratics, with b for v in limits of u from
// above and a in those from below. Upper bounds of x either rise or fall with y; they fall only next to
// places where a drive has no inertia to act on.
//
// Pham, Pham: A new approach to time-optimal path parameterization based on reachability analysis,
// IEEE Trans. Robotics 34 (2018), has the passes with linear programs and without sqrt x.
#include <math.h>

#include "retime/retime_internal.h"

static const double FAR      = 1e150;   // no bound
static const double TINY     = 1e-140;  // no slope
static const double ROUNDING = 1e-10;

static inline double lesser(double a, double b)
{
  return a < b ? a : b;
}

static inline double greater(double a, double b)
{
  return a > b ? a : b;
}

typedef struct Bounds
{
  double wI, wD, wl;  // of w at the end of x: rising, falling upper bounds, lower bound
  double xI, xD, xl;  // of x, from the end of y
  double bad;         // 1: a limit at the end of y cannot hold
  double holes;       // 1: a limit leaves a hole above y
} Bounds;

// The bounds of all rows on one side, sg. At the end of x, w lies between the roots of
// P w^2 + D w + Q, or beyond them. Without branches, so that rows are computed in lanes. With u linear
// in s, it is from v[0] to v[1] at the end of y, where limits are kept in this way; else v is NULL.
static inline __attribute__((always_inline)) void bound_rows(Bounds* b, const lwStep* step,
                                                             double sg, double y, const double* v)
{
  const double* restrict al = step->U.al, * restrict be = step->U.be, * restrict de = step->U.de;
  const double* restrict ga = step->U.ga, * restrict vl = step->V.al, * restrict ve = step->V.be;
  const double* restrict vd = step->V.de, * restrict vg = step->V.ga;
  const double* restrict lim = step->lim + (sg < 0 ? step->rows + step->norms : 0);
  double wI = b->wI, wD = b->wD, wl = b->wl, xI = b->xI, xD = b->xD, xl = b->xl, bad = b->bad;
  double holes = b->holes;
  double g = (v ? 2 : 1) * sg * step->g, wy = sqrt(y), half = 0.5 / greater(wy, 1e-9);
  double lowest = v ? sg * v[0] : 0, highest = v ? sg * v[1] : 0;
#pragma omp simd reduction(min : wI, wD, xI, xD) reduction(max : wl, xl, bad, holes)
  for (int r = 0; r < step->rows; ++r)
  {
    double A = g * al[r], P = sg * be[r] - A, D = sg * de[r], Q = sg * ga[r] + A * y - lim[r];
    if (v) Q -= al[r] * (sg * al[r] > 0 ? highest : lowest);
    double disc = D * D - 4 * P * Q, t = fabs(D) + sqrt(disc > 0 ? disc : 0);
    t         = t > TINY ? t : TINY;
    double p  = fabs(P) > TINY ? P : -TINY;
    double e1 = -2 * Q / t, e2 = t / (2 * p);  // without cancellation
    double r1 = D > 0 ? e1 : e2, r2 = D > 0 ? -e2 : -e1, held = disc >= 0 ? r1 : -1;
    // P <= 0 may leave a hole between r1 and r2
    double hole = ((P <= 0) & (Q <= 0) & (D > 0) & (disc > 0) & (r2 > wy)) ? 1 : 0;
    double up = P > 0 ? held : FAR, low = Q > 0 ? r2 : 0;
    holes       = hole > holes ? hole : holes;
    double rise = A <= 0 ? up : FAR, fall = A > 0 ? up : FAR;
    wI = rise < wI ? rise : wI;
    wD = fall < wD ? fall : wD;
    wl = low > wl ? low : wl;
    if (v) continue;

    double B = g * vl[r], C = B * y + sg * (ve[r] * y + vd[r] * wy + vg[r]) - lim[r];
    double size = fabs(B), q = C / (size > TINY ? B : TINY),
           slope = B + sg * (ve[r] + vd[r] * half);
    double least = B > TINY ? q : -FAR, top = B < -TINY ? q : FAR;
    double up_x = slope <= 0 ? top : FAR, down_x = slope > 0 ? top : FAR;
    double wrong = ((size <= TINY) & (C > 1e-12)) ? 1 : 0;
    xl           = least > xl ? least : xl;
    xI           = up_x < xI ? up_x : xI;
    xD           = down_x < xD ? down_x : xD;
    bad          = wrong > bad ? wrong : bad;
  }
  *b = (Bounds){wI, wD, wl, xI, xD, xl, bad, holes};
}

#define BOUND_BOTH(name, ...)                                                                      \
  __VA_ARGS__ static void name(Bounds* b, const lwStep* step, double y, const double* v)           \
  {                                                                                                \
    for (int sg = 1; sg >= -1; sg -= 2)                                                            \
      if (v)                                                                                       \
        bound_rows(b, step, sg, y, v);                                                             \
      else                                                                                         \
        bound_rows(b, step, sg, y, NULL);                                                          \
  }

// The same values with wider registers, where the processor has them.
BOUND_BOTH(bound_narrow)
#if defined(__x86_64__)
BOUND_BOTH(bound_wide, __attribute__((target("avx2"))))
BOUND_BOTH(bound_widest, __attribute__((target("avx512f,avx512dq,avx512vl"))))
#endif

static void bound_both(Bounds* b, const lwStep* step, double y, const double* v)
{
#if defined(__x86_64__)
  if (step->lanes == 8) return bound_widest(b, step, y, v);
  if (step->lanes == 4) return bound_wide(b, step, y, v);
#endif
  bound_narrow(b, step, y, v);
}

// |p x + r| <= lim: x between the roots of a quadratic. slope(3): of p x + r by y.
static void take_norm(Bounds* b, const double p[3], const double r[3], const double slope[3],
                      double lim)
{
  double a = 0, h = 0, c = -lim * lim, turn = 0;
  for (int k = 0; k < 3; ++k)
  {
    a += p[k] * p[k];
    h += p[k] * r[k];
    c += r[k] * r[k];
  }
  double disc = h * h - a * c;
  if (!(a > TINY))
  {
    if (c > 1e-12) b->bad = 1;
    return;
  }
  if (!(disc >= 0))
  {
    b->bad = 1;
    return;
  }
  double t = fabs(h) + sqrt(disc), far = t / a, near = t > 0 ? c / t : 0;
  double up = h > 0 ? -near : far, down = h > 0 ? -far : near;
  for (int k = 0; k < 3; ++k) turn += (p[k] * up + r[k]) * slope[k];
  b->xl = greater(b->xl, down);
  if (turn <= 0)
    b->xI = lesser(b->xI, up);
  else
    b->xD = lesser(b->xD, up);
}

static void take_norms(Bounds* b, const lwStep* step, double y)
{
  for (int k = 0; k < step->norms; ++k)
  {
    const double *U = step->U.norm + 9 * k, *V = step->V.norm + 9 * k;
    double p[3], r[3], slope[3], lim = step->lim[step->rows + k];
    for (int i = 0; i < 3; ++i)
    {
      slope[i] = step->g * U[i];
      p[i]     = U[3 + i] - slope[i];
      r[i]     = slope[i] * y + U[6 + i];
    }
    take_norm(b, p, r, slope, lim);
    for (int i = 0; i < 3; ++i)
    {
      p[i]     = -step->g * V[i];
      slope[i] = step->g * V[i] + V[3 + i];
      r[i]     = slope[i] * y + V[6 + i];
    }
    take_norm(b, p, r, slope, lim);
  }
}

// Where P <= 0, w is below r1 or above r2. The greatest x is above such a hole if other bounds are
// higher, else below it.
static void settle_holes(lwSpan* span, const lwStep* step, double y)
{
  for (int k = 0; k < 2 * step->rows; ++k)
  {
    int r     = k / 2;
    double sg = k % 2 ? -1 : 1, lim = step->lim[k % 2 ? step->rows + step->norms + r : r];
    double A = sg * step->g * step->U.al[r], P = sg * step->U.be[r] - A, D = sg * step->U.de[r];
    double Q = sg * step->U.ga[r] + A * y - lim, disc = D * D - 4 * P * Q;
    if (P > 0 || Q > 0 || !(D > 0) || !(disc > 0)) continue;
    double t = D + sqrt(disc), r1 = -2 * Q / t, r2 = P < -TINY ? -t / (2 * P) : FAR;
    if (!(r2 > sqrt(y))) continue;
    if (r2 < 1e70 && r2 * r2 <= lesser(span->rising, span->falling))
      span->low = greater(span->low, r2 * r2);
    else if (A > 0)
      span->falling = lesser(span->falling, r1 * r1);
    else
      span->rising = lesser(span->rising, r1 * r1);
  }
}

// --- u linear in s

static double top_of(const lwSpan* span)
{
  double top = lesser(span->rising, span->falling);
  return top >= span->low ? top : -1;
}

// Narrows *low to *high to the u with |a u + b x + g| <= lim; false: there is none.
static bool narrow_to_norm(const double* v, double x, double lim, double* low, double* high)
{
  double aa = 0, ac = 0, cc = -lim * lim;
  for (int k = 0; k < 3; ++k)
  {
    double c = v[3 + k] * x + v[6 + k];
    aa += v[k] * v[k];
    ac += v[k] * c;
    cc += c * c;
  }
  double disc = ac * ac - aa * cc;
  if (!(aa > TINY)) return cc <= 1e-12;
  if (!(disc >= 0)) return false;
  double root = sqrt(disc);
  *low        = greater(*low, (-ac - root) / aa);
  *high       = lesser(*high, (-ac + root) / aa);
  return true;
}

bool lw_retime_range(const lwPointRows* at, const double* lim, int rows, int norms, double x,
                     double* low, double* high)
{
  double w = sqrt(x), least = -FAR, most = FAR, bad = 0;
  int other = rows + norms;
#pragma omp simd reduction(min : most) reduction(max : least, bad)
  for (int k = 0; k < rows; ++k)
  {
    double a = at->al[k], free = at->be[k] * x + at->de[k] * w + at->ga[k];
    double up = lim[k] - free, down = -lim[other + k] - free, size = fabs(a);
    double one = size > TINY ? a : 1, first = up / one, second = down / one;
    double top    = a > TINY ? first : a < -TINY ? second : FAR;
    double bottom = a > TINY ? second : a < -TINY ? first : -FAR;
    double wrong  = ((size <= TINY) & ((up < -1e-12) | (down > 1e-12))) ? 1 : 0;
    most          = top < most ? top : most;
    least         = bottom > least ? bottom : least;
    bad           = wrong > bad ? wrong : bad;
  }
  for (int k = 0; k < norms; ++k)
    if (!narrow_to_norm(at->norm + 9 * k, x, lim[rows + k], &least, &most)) bad = 1;
  *low  = least;
  *high = most;
  return bad == 0 && least - most <= ROUNDING * (fabs(least) + fabs(most));
}

static lwSpan sweep_constant(const lwStep* step, double y, double cap)
{
  Bounds b = {sqrt(cap), FAR, 0, FAR, FAR, -FAR, 0, 0};
  bound_both(&b, step, y, NULL);
  if (step->norms > 0) take_norms(&b, step, y);
  if (b.wI < 0 || b.wD < 0 || b.bad > 0) return (lwSpan){-1, -1, FAR};
  lwSpan span = {lesser(b.wI * b.wI, b.xI), lesser(b.wD < 1e70 ? b.wD * b.wD : FAR, b.xD),
                 greater(b.wl < 1e70 ? b.wl * b.wl : FAR, b.xl)};
  if (b.holes > 0) settle_holes(&span, step, y);
  return span;
}

// Whether x goes with y and some u from range[0] to range[1] there.
static bool goes_with(const lwStep* step, double y, const double range[2], double x)
{
  double low = 0, high = 0, twice = 2 * step->g * (y - x);
  return lw_retime_range(&step->U, step->lim, step->rows, step->norms, x, &low, &high) &&
         greater(low, twice - range[1]) <= lesser(high, twice - range[0]);
}

// The greatest x up to `upper` that goes with y within limits of lengths, too, between that with
// constant u and upper. Such limits are convex: what goes with y is an interval. Negative: not known.
static double below_norms(const lwStep* step, double y, const double range[2], double upper)
{
  if (step->norms == 0 || goes_with(step, y, range, upper)) return upper;
  lwSpan constant = sweep_constant(step, y, upper);
  double low      = top_of(&constant);
  if (low < 0) return -1;
  for (int k = 0; k < 60 && upper - low > 1e-12 * upper; ++k)
  {
    double x                                        = 0.5 * (low + upper);
    *(goes_with(step, y, range, x) ? &low : &upper) = x;
  }
  return low;
}

// Only where the greatest x follows from y itself; false: where it does not.
static bool sweep_linear(const lwStep* step, double y, double cap, lwSpan* span)
{
  Bounds b = {.wI = sqrt(cap), .wD = FAR};
  double range[2], low, high;
  if (!lw_retime_range(&step->V, step->lim, step->rows, step->norms, y, &range[0], &range[1]))
    return false;
  bound_both(&b, step, y, range);
  if (b.wI < 0 || b.wD < b.wI || b.wl > b.wI * (1 + ROUNDING) || b.holes > 0) return false;
  double rising = below_norms(step, y, range, b.wI * b.wI);
  if (rising < 0) return false;
  *span = (lwSpan){rising, b.wD < 1e70 ? b.wD * b.wD : FAR, lesser(b.wl * b.wl, rising)};
  return lw_retime_range(&step->U, step->lim, step->rows, step->norms, rising, &low, &high);
}

lwSpan lw_retime_sweep(const lwStep* step, double y, double cap)
{
  lwSpan linear;
  if (step->linear && sweep_linear(step, y, cap, &linear)) return linear;
  return sweep_constant(step, y, cap);
}

// --- the greatest x

// Not above 0 while a larger y is of use: rising bounds are the lowest, and above the lower one.
static double excess_of(const lwSpan* span)
{
  return greater(span->low - span->rising, span->rising - span->falling);
}

// An interval of y, the excess at its ends, and the greatest x found so far.
typedef struct lwSearch
{
  double lo, hi, fl, fh, best;
} lwSearch;

// Goes down from (hi, fh), in growing steps, to the first y with an excess that is not positive, lo;
// *best is the greatest x seen. hi is then the last y above it. False: there is none. Where a closed
// path begins, upper may be without limit, so that the way is over orders of magnitude.
static bool find_bracket(const lwStep* step, double cap, lwSearch* at)
{
  for (double keep = 1 - 1.0 / 4096; at->hi > 0;
       keep        = keep > 0.5 ? fmax(1 - 1.5 * (1 - keep), 0.5) : keep * sqrt(keep))
  {
    double y = at->hi > 1e-100 ? at->hi * keep : 0;
    lwSpan b = lw_retime_sweep(step, y, cap);
    at->best = greater(at->best, top_of(&b));
    at->fl   = excess_of(&b);
    at->lo   = y;
    if (at->fl <= 0) return true;
    at->hi = y;
    at->fh = at->fl;
  }
  return false;
}

// Bracketed secant for the largest y whose excess is not positive.
static void close_bracket(const lwStep* step, double cap, lwSearch* at)
{
  int side = 0;
  for (int k = 0; k < 100 && at->hi - at->lo > 1e-13 * at->hi; ++k)
  {
    double y = (at->lo * at->fh - at->hi * at->fl) / (at->fh - at->fl);
    if (at->lo > 0 && at->hi > 4 * at->lo)
      y = sqrt(at->lo) * sqrt(at->hi);
    else if (k % 3 == 2 || !(y > at->lo && y < at->hi))
      y = 0.5 * (at->lo + at->hi);
    lwSpan c = lw_retime_sweep(step, y, cap);
    double f = excess_of(&c);
    at->best = greater(at->best, top_of(&c));
    if (f > 0)
    {
      at->hi = y;
      at->fh = f;
      at->fl *= side == 1 ? 0.5 : 1;
      side = 1;
    }
    else
    {
      at->lo = y;
      at->fl = f;
      at->fh *= side == -1 ? 0.5 : 1;
      side = -1;
      if (f > -1e-14 * (1e-6 + c.rising)) break;
    }
  }
}

double lw_retime_greatest(const lwStep* step, double upper, double cap)
{
  lwSpan top  = lw_retime_sweep(step, upper, cap);
  lwSearch at = {.hi = upper, .fh = excess_of(&top), .best = top_of(&top)};
  if (at.fh <= 0) return top.rising;
  if (upper > 0 && find_bracket(step, cap, &at)) close_bracket(step, cap, &at);
  return at.best;
}
