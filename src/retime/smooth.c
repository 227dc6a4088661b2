// SPDX-License-Identifier: MIT
// Limits of jerk, and heat of motors: a motion that is locally optimal, by Newton's method with a
// logarithmic barrier.
//
// With w = s', joints have the jerk w (q' k + 3 q'' u + q''' x), where k = du/ds. x is a quadratic
// B-spline of s with coefficients d, so that u is continuous and k constant in an interval:
//   X_j  = (H_j d_j + H_j-1 d_j+1) / (H_j-1 + H_j)        x at the beginning of interval j
//   x    = (1-c)^2 X_j + 2 c (1-c) d_j+1 + c^2 X_j+1      c in 0..1 within interval j, of length H_j
// From rest, over a first interval S, s = j t^3 / 6: x = c^(4/3) d_0, u = c^(1/3) d_0 / (1.5 S), and
// u is continuous if d_1 = d_0 (1 + H_0 / (1.5 S)). All of it is linear in d, and each interval
// depends on three of them: the Hessian has five diagonals.
//
//   minimise  sum of H / sqrt(x) at Gauss points  -  mu sum log(slack of each limit at both ends)
//             + sum of weight H i^2 / sqrt(x) at six points of each interval, i: current of a motor
//
// The limit |q' k + 3 q'' u + q''' x| <= J / sqrt(x) is not convex; Newton's matrix leaves out what
// is negative, as if J / sqrt(x) were replaced by its tangent. It begins with a slow motion; where an arm
// cannot be slow, limits begin wide enough for it and shrink to their values before mu falls.
#include <math.h>
#include <string.h>

#include "base/arrays.h"
#include "math/elementary.h"
#include "retime/retime_internal.h"

enum
{
  BAND   = 3,
  CENTRE = 60  // steps of Newton's method for each mu, at most
};

static const double LEAST_MU = 1e-10;  // of the duration

static double jerk_limit(const lwRetime* r, int j)
{
  double limit = lw_model_joint_def(r->model, j)->limits.jerk;
  return r->def.jerk ? fmin(limit, r->def.jerk[j]) : limit;
}

// --- memory

bool lw_smooth_create(lwRetime* r)
{
  bool any = r->def.heat != NULL;
  for (int j = 0; j < r->dof; ++j) any = any || isfinite(jerk_limit(r, j));
  if (!any) return true;
  lwSmooth* m = lw_arena_take(&r->arena, 1, sizeof *m);
  if (!m) return false;
  size_t nodes = (size_t)r->most + 3, points = nodes * LW_SMOOTH_POINTS * (size_t)r->dof;
  double** each[] = {&m->d, &m->z, &m->step, &m->trial, &m->factor, &m->offset, &m->ease};
  for (size_t i = 0; i < sizeof each / sizeof *each; ++i)
    *each[i] = lw_arena_take(&r->arena, nodes, sizeof(double));
  m->variable = lw_arena_take(&r->arena, nodes, sizeof *m->variable);
  m->g        = lw_arena_take(&r->arena, nodes, sizeof *m->g);
  m->A        = lw_arena_take(&r->arena, BAND * nodes, sizeof *m->A);
  m->path     = lw_arena_take(&r->arena, 3 * points, sizeof *m->path);
  m->limit    = lw_arena_take(&r->arena, (size_t)r->dof, sizeof *m->limit);
  r->smooth   = m;
  return !lw_arena_failed(&r->arena);
}

// --- the path's derivatives at six points of each interval

static double share_of(int c)
{
  return (double)c / (LW_SMOOTH_POINTS - 1);
}

// q''' from q'' at the six points: exact for polynomials up to the fifth order.
static void third_derivatives(const double* q2, double h, size_t stride, double* q3)
{
  for (int c = 0; c < LW_SMOOTH_POINTS; ++c)
  {
    double sum = 0;  // of Lagrange's polynomials
    for (int a = 0; a < LW_SMOOTH_POINTS; ++a)
    {
      double slope = 0, size = 1;
      for (int b = 0; b < LW_SMOOTH_POINTS; ++b)
        if (b != a) size *= share_of(a) - share_of(b);
      for (int b = 0; b < LW_SMOOTH_POINTS; ++b)
      {
        double product = 1;
        for (int e = 0; e < LW_SMOOTH_POINTS && b != a; ++e)
          if (e != a && e != b) product *= share_of(c) - share_of(e);
        slope += b != a ? product : 0;
      }
      sum += q2[(size_t)a * stride] * slope / size;
    }
    q3[(size_t)c * stride] = sum / h;
  }
}

static double* path_at(const lwRetime* r, int i, int c)
{
  return r->smooth->path + ((size_t)i * LW_SMOOTH_POINTS + (size_t)c) * 3 * (size_t)r->dof;
}

static bool fill_path(lwRetime* r)
{
  int n = r->dof;
  for (int i = 0; i < r->count; ++i)
  {
    for (int c = 0; c < LW_SMOOTH_POINTS; ++c)
    {
      double* at = path_at(r, i, c);
      if (!lw_retime_path_at(r, r->s[i] + share_of(c) * r->h[i], r->q, at, at + n)) return false;
    }
    for (int j = 0; j < n; ++j)
      third_derivatives(path_at(r, i, 0) + n + j, r->h[i], 3 * (size_t)n,
                        path_at(r, i, 0) + 2 * n + j);
  }
  return true;
}

// --- x, u and k as linear functions of three coefficients

typedef struct Local
{
  double x[BAND], u[BAND], k[BAND];
  int first;  // coefficient
} Local;

static double length_of(const lwSmooth* m, const lwRetime* r, int j)
{
  return j < 0 || j >= m->intervals ? 0 : r->h[j + m->from_rest];
}

// In an interval at rest, at a share c of the way from rest.
static Local local_at_rest(double S, double c, bool end, int first)
{
  double tau = lw_cbrt(c), u = tau / (1.5 * S), sign = end ? -1 : 1;
  Local l                 = {.first = first};
  l.x[end ? BAND - 1 : 0] = tau * tau * tau * tau;
  l.u[end ? BAND - 1 : 0] = sign * u;
  l.k[end ? BAND - 1 : 0] = c > 0 ? 1 / (1.5 * S) / (3 * S * tau * tau) : 0;
  return l;
}

static Local local_at(const lwRetime* r, int i, double c)
{
  const lwSmooth* m = r->smooth;
  int j             = i - m->from_rest;
  if (j < 0) return local_at_rest(r->h[i], c, false, 0);
  if (j >= m->intervals) return local_at_rest(r->h[i], 1 - c, true, m->intervals - 1);
  double before = length_of(m, r, j - 1), H = length_of(m, r, j), after = length_of(m, r, j + 1);
  double a = H / (before + H), b = before / (before + H);          // X_j
  double e = after / (H + after), f = H / (H + after), v = 1 - c;  // X_j+1
  Local l        = {.first = j};
  double X[BAND] = {a, b, 0}, D[BAND] = {0, 1, 0}, Y[BAND] = {0, e, f};
  for (int p = 0; p < BAND; ++p)
  {
    l.x[p] = v * v * X[p] + 2 * c * v * D[p] + c * c * Y[p];
    l.u[p] = (v * (D[p] - X[p]) + c * (Y[p] - D[p])) / H;
    l.k[p] = (X[p] - 2 * D[p] + Y[p]) / (H * H);
  }
  return l;
}

static void values_at(const lwSmooth* m, const Local* l, double value[BAND])
{
  for (int v = 0; v < BAND; ++v) value[v] = 0;
  for (int p = 0; p < BAND; ++p)
  {
    double d = m->d[l->first + p];
    value[0] += l->x[p] * d;
    value[1] += l->u[p] * d;
    value[2] += l->k[p] * d;
  }
}

// --- the barrier

// Gradient and Hessian by x, u and k at a point.
typedef struct Sums
{
  double g[BAND], H[BAND][BAND], value, product;
  bool outside;
} Sums;

// Adds -mu log(slack); bent: the second derivative of the slack by x, where it is not positive.
static void add_slack(Sums* sums, double mu, double slack, const double by[BAND], double bent)
{
  if (!(slack > 0))
  {
    sums->outside = true;
    return;
  }
  double scale = mu / slack;
  sums->product *= slack;
  if (sums->product < 1e-200 || sums->product > 1e200)
  {
    sums->value -= mu * lw_log(sums->product);
    sums->product = 1;
  }
  for (int a = 0; a < BAND; ++a)
  {
    sums->g[a] -= scale * by[a];
    for (int b = 0; b < BAND; ++b) sums->H[a][b] += scale / slack * by[a] * by[b];
  }
  sums->H[0][0] -= scale * fmin(bent, 0);
}

// x of the lowest cap at an end of interval i.
static double cap_of(const lwRetime* r, int i, int c)
{
  return r->cap_x[c == 0 ? i : i + 1] * r->tight[c == 0 ? i : i + 1];
}

static const double* sample_rows(const lwRetime* r, int i, int c)
{
  return c == 0 ? lw_retime_end(r, i, 0)
         : c == LW_SMOOTH_POINTS - 1
             ? lw_retime_end(r, i, 1)
             : r->inner + ((size_t)i * LW_RETIME_INNER + (size_t)c - 1) * r->stride;
}

static void add_rows(const lwRetime* r, int i, const double* at, const double v[BAND], Sums* sums)
{
  const lwSmooth* m = r->smooth;
  lwPointRows rows  = lw_point_rows(r, at);
  const double* lim = lw_retime_limits(r, r->lim, i);
  double w = sqrt(v[0]), wide = m->wide;
  for (int k = 0; k < r->rows; ++k)
    for (int side = 0; side < 2; ++side)
    {
      double sg = side ? -1 : 1, limit = lim[side * (r->rows + r->norms) + k] * wide;
      double al = sg * rows.al[k], be = sg * rows.be[k], de = sg * rows.de[k];
      if (limit > 1e20 || (al == 0 && be == 0 && de == 0)) continue;
      double slack = limit - (al * v[1] + be * v[0] + de * w + sg * rows.ga[k]);
      add_slack(sums, m->mu, slack, (double[]){-be - 0.5 * de / w, -al, 0},
                0.25 * de / (w * w * w));
    }
  for (int k = 0; k < r->norms; ++k)
  {
    const double* p = rows.norm + 9 * k;
    double limit = lim[r->rows + k] * wide, sum = 0, by[BAND] = {0};
    for (int a = 0; a < 3; ++a)
    {
      double value = p[a] * v[1] + p[3 + a] * v[0] + p[6 + a];
      sum += value * value;
      by[0] -= 2 * value * p[3 + a];
      by[1] -= 2 * value * p[a];
    }
    add_slack(sums, m->mu, limit * limit - sum, by, 0);
  }
}

// The limit of a joint's jerk in interval i, for now.
static double room_of(const lwSmooth* m, int i, int j)
{
  return m->limit[j] * m->ease[i] * m->wide;
}

static void add_jerks(const lwRetime* r, int i, const double* path, const double v[BAND],
                      Sums* sums)
{
  const lwSmooth* m = r->smooth;
  double w          = sqrt(v[0]);
  for (int j = 0; j < r->dof; ++j)
  {
    const double *q1 = path + j, *q2 = q1 + r->dof, *q3 = q2 + r->dof;
    double all = room_of(m, i, j), room = all / w, f = *q1 * v[2] + 3 * *q2 * v[1] + *q3 * v[0];
    if (!isfinite(room) || (*q1 == 0 && *q2 == 0 && *q3 == 0)) continue;
    for (int side = -1; side <= 1; side += 2)
      add_slack(sums, m->mu, (room - side * f) * w / all,
                (double[]){(-0.5 * room / v[0] - side * *q3) * w / all, -side * 3 * *q2 * w / all,
                           -side * *q1 * w / all},
                0);
  }
}

// Adds a point's sums to gradient and matrix of the variables.
static void scatter(lwSmooth* m, const Local* l, const Sums* sums)
{
  double g[BAND], H[BAND][BAND];
  const double* by[BAND] = {l->x, l->u, l->k};
  for (int p = 0; p < BAND; ++p)
  {
    g[p] = 0;
    for (int a = 0; a < BAND; ++a) g[p] += sums->g[a] * by[a][p];
    for (int o = 0; o < BAND; ++o)
    {
      H[p][o] = 0;
      for (int a = 0; a < BAND; ++a)
        for (int b = 0; b < BAND; ++b) H[p][o] += by[a][p] * sums->H[a][b] * by[b][o];
    }
  }
  for (int p = 0; p < BAND; ++p)
  {
    int k = l->first + p, v = m->variable[k];
    if (v < 0) continue;
    m->g[v] += g[p] * m->factor[k];
    for (int o = 0; o < BAND; ++o)
    {
      int other = m->variable[l->first + o];
      if (other >= v)
        m->A[BAND * v + other - v] += H[p][o] * m->factor[k] * m->factor[l->first + o];
    }
  }
}

// The time of an interval by Gauss' rule with three points; one at rest takes 3 S / sqrt(x).
static bool add_time(lwRetime* r, int i, double* value)
{
  static const double place[]  = {0.5 - 0.3872983346207417, 0.5, 0.5 + 0.3872983346207417};
  static const double weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  lwSmooth* m                  = r->smooth;
  bool start = i < m->from_rest, end = i - m->from_rest >= m->intervals, rest = start || end;
  for (int q = 0; q < (rest ? 1 : 3); ++q)
  {
    Local l = local_at(r, i, rest ? (double)start : place[q]);
    double v[BAND], share = rest ? 3 * r->h[i] : weight[q] * r->h[i];
    values_at(m, &l, v);
    if (!(v[0] > 0)) return false;
    double t  = share / sqrt(v[0]);
    Sums sums = {.g = {-0.5 * t / v[0]}, .H = {{0.75 * t / (v[0] * v[0])}}};
    *value += t;
    scatter(m, &l, &sums);
  }
  return true;
}

// Adds weight * i^2 / w at a point of interval i. i^2 / sqrt(x) is convex in i and x; of what friction
// bends i by x, Newton's matrix leaves out what is negative.
static void add_currents(const lwRetime* r, int i, const lwPointRows* rows, const double v[BAND],
                         double weight, Sums* sums)
{
  double x = v[0], w = sqrt(x);
  for (int j = 0; j < r->dof; ++j)
  {
    double unit, eff = lw_model_joint_def(r->model, j)->motor.efficiency;
    int k = lw_retime_current_row(r, j, &unit);
    if (k < 0 || !(r->def.heat[j] > 0)) continue;
    double a = rows->al[k], b = rows->be[k] + 0.5 * rows->de[k] / w;
    double f     = a * v[1] + rows->be[k] * x + rows->de[k] * w + rows->ga[k];
    double along = f * r->sign[(size_t)i * (size_t)r->dof + (size_t)j];
    double loss  = along > 0 ? 1 / eff : along < 0 ? eff : 1;
    double p     = weight * r->def.heat[j] * unit * unit * loss * loss / w;
    sums->value += p * f * f;
    sums->g[0] += p * f * (2 * b - 0.5 * f / x);
    sums->g[1] += p * 2 * f * a;
    sums->H[0][0] += p * (2 * b * b - 2 * f * b / x + 0.75 * f * f / (x * x) +
                          fmax(-0.5 * f * rows->de[k] / (x * w), 0));
    sums->H[0][1] += p * a * (2 * b - f / x);
    sums->H[1][1] += p * 2 * a * a;
  }
}

// The heat of an interval by Newton and Cotes' rule with six points; one at rest, which is short, has
// the currents of its other end for its 3 S / sqrt(x).
static bool add_heat(lwRetime* r, int i, double* value)
{
  static const double weight[LW_SMOOTH_POINTS] = {19. / 288, 75. / 288, 50. / 288,
                                                  50. / 288, 75. / 288, 19. / 288};
  lwSmooth* m                                  = r->smooth;
  bool start = i < m->from_rest, end = i - m->from_rest >= m->intervals;
  for (int c = start ? LW_SMOOTH_POINTS - 1 : 0; c < (end ? 1 : LW_SMOOTH_POINTS); ++c)
  {
    Local l = local_at(r, i, share_of(c));
    double v[BAND];
    Sums sums        = {0};
    lwPointRows rows = lw_point_rows(r, sample_rows(r, i, c));
    values_at(m, &l, v);
    if (!(v[0] > 0)) return false;
    add_currents(r, i, &rows, v, (start || end ? 3 : weight[c]) * r->h[i], &sums);
    sums.H[1][0] = sums.H[0][1];
    *value += sums.value;
    scatter(m, &l, &sums);
  }
  return true;
}

// Time and barrier with gradient and matrix at the coefficients d; infinite: outside.
static double evaluate(lwRetime* r, double* time)
{
  lwSmooth* m  = r->smooth;
  double value = *time = 0;
  memset(m->g, 0, (size_t)m->variables * sizeof *m->g);
  memset(m->A, 0, (size_t)m->variables * BAND * sizeof *m->A);
  for (int i = 0; i < r->count; ++i)
  {
    if (!add_time(r, i, time) || (r->def.heat && !add_heat(r, i, time))) return INFINITY;
    for (int c = 0; c < LW_SMOOTH_POINTS; c += LW_SMOOTH_POINTS - 1)
    {
      Local l = local_at(r, i, share_of(c));
      double v[BAND];
      Sums sums = {.product = 1};
      values_at(m, &l, v);
      if ((i == 0 && c == 0) || (i == r->count - 1 && c == LW_SMOOTH_POINTS - 1)) continue;
      if (!(v[0] > 0)) return INFINITY;
      const double* at = sample_rows(r, i, c);
      double cap       = cap_of(r, i, c) * m->wide;
      if (cap < 1e30) add_slack(&sums, m->mu, 1 - v[0] / cap, (double[]){-1 / cap, 0, 0}, 0);
      add_rows(r, i, at, v, &sums);
      add_jerks(r, i, path_at(r, i, c), v, &sums);
      if (sums.outside) return INFINITY;
      value += sums.value - m->mu * lw_log(sums.product);
      scatter(m, &l, &sums);
    }
  }
  return value + *time;
}

// --- Newton's method

// Solves A step = -g; pivots that are not positive are replaced.
static void solve_band(lwSmooth* m)
{
  int n     = m->variables;
  double* A = m->A;
  for (int i = 0; i < n; ++i)
  {
    double size = fabs(A[BAND * i]) + 1e-300;
    for (int k = 1; k < BAND && k <= i; ++k)
    {
      double off = A[BAND * (i - k) + k], scaled = off / A[BAND * (i - k)];
      A[BAND * i] -= off * scaled;
      if (k == 1 && i + 1 < n) A[BAND * i + 1] -= scaled * A[BAND * (i - 1) + 2];
    }
    if (!(A[BAND * i] > 1e-14 * size)) A[BAND * i] = size;
  }
  for (int i = 0; i < n; ++i)
  {
    m->step[i] = -m->g[i];
    for (int k = 1; k < BAND && k <= i; ++k)
      m->step[i] -= A[BAND * (i - k) + k] / A[BAND * (i - k)] * m->step[i - k];
  }
  for (int i = n - 1; i >= 0; --i)
  {
    m->step[i] /= A[BAND * i];
    for (int k = 1; k < BAND && i + k < n; ++k)
      m->step[i] -= A[BAND * i + k] / A[BAND * i] * m->step[i + k];
  }
}

static void set_coefficients(lwSmooth* m, const double* z)
{
  for (int k = 0; k < m->intervals + 2; ++k)
    m->d[k] = m->offset[k] + (m->variable[k] < 0 ? 0 : m->factor[k] * z[m->variable[k]]);
}

// Steps towards the minimum for the present mu; false: the motion is outside its limits.
static bool centre_profile(lwRetime* r)
{
  lwSmooth* m = r->smooth;
  double time, value = evaluate(r, &time);
  if (!isfinite(value)) return false;
  for (int k = 0; k < CENTRE; ++k)
  {
    double slope = 0, length = 1;
    solve_band(m);
    for (int i = 0; i < m->variables; ++i) slope += m->g[i] * m->step[i];
    if (!(slope < -1e-3 * m->mu)) return true;
    bool better = false;
    for (int c = 0; c < 40 && !better; ++c, length *= 0.6)
    {
      for (int i = 0; i < m->variables; ++i) m->trial[i] = m->z[i] + length * m->step[i];
      set_coefficients(m, m->trial);
      double next = evaluate(r, &time);
      better      = next <= value + 1e-4 * length * slope;
      if (better) value = next;
    }
    if (better) memcpy(m->z, m->trial, (size_t)m->variables * sizeof *m->z);
    set_coefficients(m, m->z);
    if (!better) return isfinite(evaluate(r, &time));
  }
  return true;
}

// --- limits

static double jerk_of(const lwRetime* r, const double* path, int j, const double v[BAND])
{
  int n = r->dof;
  return sqrt(v[0]) * fabs(path[j] * v[2] + 3 * path[n + j] * v[1] + path[2 * n + j] * v[0]);
}

// The largest load over its limit at the ends of intervals, 1 being the limit.
static double largest_load(const lwRetime* r)
{
  const lwSmooth* m = r->smooth;
  double worst      = 0;
  for (int i = 0; i < r->count; ++i)
    for (int c = 0; c < LW_SMOOTH_POINTS; c += LW_SMOOTH_POINTS - 1)
    {
      if ((i == 0 && c == 0) || (i == r->count - 1 && c == LW_SMOOTH_POINTS - 1)) continue;
      Local l = local_at(r, i, share_of(c));
      double v[BAND];
      values_at(m, &l, v);
      if (!(v[0] > 0)) return INFINITY;
      const double *at = sample_rows(r, i, c), *path = path_at(r, i, c);
      worst = fmax(worst, v[0] / cap_of(r, i, c));
      worst = fmax(worst, lw_retime_load(r, at, lw_retime_limits(r, r->lim, i), v[0], v[1], NULL));
      for (int j = 0; j < r->dof; ++j)
        worst = fmax(worst, jerk_of(r, path, j, v) / (m->limit[j] * m->ease[i]));
    }
  return worst;
}

// Shrinks limits from what the motion needs to their values; false: it cannot get inside.
static bool get_inside(lwRetime* r)
{
  lwSmooth* m = r->smooth;
  int stalled = 0;
  m->wide     = fmax(1.05 * largest_load(r), 1);
  while (m->wide > 1 && isfinite(m->wide) && stalled < 12)
  {
    double time = 0;
    m->mu       = 0;
    evaluate(r, &time);
    m->mu = 1e-4 * time;
    if (!centre_profile(r)) return false;
    double load = largest_load(r), need = load < 1 ? 1 : 1.01 * load;
    stalled = need > 0.99 * m->wide ? stalled + 1 : 0;
    m->wide = fmax(fmin(need, m->wide), 1);
  }
  return m->wide <= 1;
}

// --- the first motion: of the fastest one, smoothed, or slow

static void set_variables(lwRetime* r)
{
  lwSmooth* m  = r->smooth;
  int last     = m->intervals + 1;
  m->variables = 0;
  for (int k = 0; k <= last; ++k)
  {
    m->factor[k] = 1;
    m->offset[k] = 0;
    bool tied    = (k == 1 && m->from_rest) || (k == last && m->to_rest);
    bool fixed   = (k == 0 && !m->from_rest) || (k == last && !m->to_rest);
    if (fixed) m->offset[k] = k == 0 ? r->x[0] : r->x[r->count];
    m->variable[k] = fixed ? -1 : tied ? m->variables - 1 : m->variables++;
  }
  if (m->from_rest) m->factor[1] = 1 + length_of(m, r, 0) / (1.5 * r->h[0]);
  if (m->to_rest)
    m->factor[last - 1] = 1 + length_of(m, r, m->intervals - 1) / (1.5 * r->h[r->count - 1]);
}

// x goes from one end to the other, like a^(4/3) from rest, and is larger by `top` between them, like
// (ab)^(4/3) near rest.
static void first_motion(lwRetime* r, double top)
{
  lwSmooth* m  = r->smooth;
  double whole = r->s[r->count];
  for (int k = 0; k < m->intervals + 2; ++k)
  {
    int node = k + m->from_rest;  // d_k is about x in the middle of interval k - 1
    double s = 0.5 * (r->s[node > 0 ? node - 1 : 0] + r->s[node < r->count ? node : r->count]);
    double a = s / whole, b = 1 - a;
    double from = r->x[0] * (m->to_rest ? lw_pow(b, 4.0 / 3) : b);
    double to   = r->x[r->count] * (m->from_rest ? lw_pow(a, 4.0 / 3) : a);
    double x    = from + to + top * lw_pow(4 * a * b, 4.0 / 3);
    bool tied   = k == m->intervals + 1 && m->to_rest;  // to the one before
    if (m->variable[k] >= 0 && !tied) m->z[m->variable[k]] = x / m->factor[k];
  }
  set_coefficients(m, m->z);
}

// A slow motion within the limits, or else the one that comes nearest, from where limits shrink.
static bool begin_inside(lwRetime* r)
{
  double top = 0, best = INFINITY, best_top = 0;
  for (int i = 0; i <= r->count; ++i) top = fmax(top, r->x[i]);
  for (int k = 0; k < 60; ++k, top *= 0.5)
  {
    first_motion(r, top);
    double load = largest_load(r);
    if (load < best) best = load, best_top = top;
    r->smooth->wide = 1;
    if (load < 0.9) return true;
  }
  first_motion(r, best_top);
  return get_inside(r);
}

// --- the result

static void store_profile(lwRetime* r)
{
  lwSmooth* m = r->smooth;
  for (int i = 0; i < r->count; ++i)
  {
    bool start = i < m->from_rest, end = i - m->from_rest >= m->intervals;
    Local l = local_at(r, i, 0), right = local_at(r, i, 1);
    double v[BAND], w[BAND];
    values_at(m, &l, v);
    values_at(m, &right, w);
    r->x[i]     = start ? 0 : v[0];
    r->x[i + 1] = end ? 0 : w[0];
    r->u[i]     = start ? 0 : v[1];
    r->k[i]     = start ? NAN : end ? NAN : v[2];
  }
}

// Lowers limits of jerk where they are exceeded, by parabolas through three of the six points;
// returns the largest excess.
double lw_smooth_tighten(lwRetime* r, double kept)
{
  lwSmooth* m  = r->smooth;
  double worst = -1;
  for (int i = 0; i < r->count; ++i)
  {
    double peak = 0;
    for (int j = 0; j < r->dof; ++j)
    {
      double f[LW_SMOOTH_POINTS];
      for (int c = 0; c < LW_SMOOTH_POINTS; ++c)
      {
        Local l = local_at(r, i, c == 0 && i == 0 ? 1e-9 : share_of(c));
        if (c == LW_SMOOTH_POINTS - 1 && i == r->count - 1) l = local_at(r, i, 1 - 1e-9);
        double v[BAND];
        values_at(m, &l, v);
        f[c] = jerk_of(r, path_at(r, i, c), j, v) / m->limit[j];
      }
      peak = fmax(peak, lw_retime_peak(f));
    }
    if (peak > 1 + kept) m->ease[i] /= 1 + r->firm * (peak - 1) + 1e-8;
    worst = fmax(worst, peak - 1);
  }
  return worst;
}

lwStatus lw_smooth(lwRetime* r, double* time)
{
  lwSmooth* m = r->smooth;
  if (!begin_inside(r)) return LW_ERROR_INPUT;
  m->mu = 0;
  evaluate(r, time);
  double part = 1e-4;
  while (part >= LEAST_MU)
  {
    m->mu = part * *time;
    if (!centre_profile(r)) return LW_ERROR_INPUT;
    double mu = m->mu;
    m->mu     = 0;
    evaluate(r, time);
    m->mu = mu;
    part *= 0.1;
  }
  store_profile(r);
  return LW_OK;
}

lwStatus lw_smooth_begin(lwRetime* r)
{
  lwSmooth* m = r->smooth;
  if (r->task.closed || r->count < 4) return LW_ERROR_INPUT;
  for (int i = 0; i < r->count; ++i) m->ease[i] = 1;
  m->from_rest = r->x[0] == 0;
  m->to_rest   = r->x[r->count] == 0;
  m->intervals = r->count - m->from_rest - m->to_rest;
  for (int j = 0; j < r->dof; ++j) m->limit[j] = jerk_limit(r, j) * LW_RETIME_SHARE;
  if (!lw_retime_fill_inner(r) || !fill_path(r)) return LW_ERROR_OPEN;
  set_variables(r);
  return LW_OK;
}
