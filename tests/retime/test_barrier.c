// SPDX-License-Identifier: MIT
// An independent optimiser of the whole profile against the passes: Newton's method with a
// logarithmic barrier over all x_i at once, on the same rows.
//
//   minimise  sum 2 h / (sqrt x_i + sqrt x_i+1) - mu sum log(slack)
// Every slack depends on two neighbours, so that Hessians are tridiagonal. mu falls by halves.
#include "random_tasks.h"
#include "retime/retime_internal.h"

enum
{
  GRID =
      200,  // intervals, times 3; the forward pass is greedy, which costs less the finer they are
  PATHS = CASES(50, 8)
};

typedef struct Barrier
{
  const lwRetime* r;
  int n;  // intervals
  double mu;
  double *x, *g, *d, *e, *step, *trial;  // gradient, diagonal, its neighbour
} Barrier;

// Adds -mu log(slack) of one row and side at an end of interval i: value, and derivatives by x, y.
typedef struct Term
{
  double slack, dx, dy, dxx, dyy;
} Term;

static Term row_term(const lwPointRows* rows, int k, double sg, double lim, double h, double at,
                     double x, double y, bool left)
{
  double w = sqrt(at), u = (y - x) / (2 * h), a = rows->al[k] / (2 * h);
  double f   = rows->al[k] * u + rows->be[k] * at + rows->de[k] * w + rows->ga[k];
  double own = rows->be[k] + rows->de[k] / (2 * w), bend = -rows->de[k] / (4 * w * w * w);
  Term t = {.slack = lim - sg * f, .dx = sg * a, .dy = -sg * a};
  *(left ? &t.dx : &t.dy) -= sg * own;
  *(left ? &t.dxx : &t.dyy) = -sg * bend;
  return t;
}

static double add_term(Barrier* b, int i, const Term* t)
{
  double s = t->slack;
  if (!(s > 0)) return INFINITY;
  b->g[i] -= b->mu * t->dx / s;
  b->g[i + 1] -= b->mu * t->dy / s;
  b->d[i] += b->mu * (t->dx * t->dx / (s * s) - t->dxx / s);
  b->d[i + 1] += b->mu * (t->dy * t->dy / (s * s) - t->dyy / s);
  b->e[i] += b->mu * t->dx * t->dy / (s * s);
  return -b->mu * log(s);
}

static double add_interval(Barrier* b, int i, const double* x)
{
  const lwRetime* r = b->r;
  double h = r->h[i], v = sqrt(x[i]), w = sqrt(x[i + 1]), value = 2 * h / (v + w);
  const double* lim = r->lim + (size_t)i * 2 * (size_t)(r->rows + r->norms);
  double q          = (v + w) * (v + w);
  if (i > 0) b->g[i] -= h / (q * v);
  if (i + 1 < b->n) b->g[i + 1] -= h / (q * w);
  if (i > 0) b->d[i] += h / (q * v) * (1 / ((v + w) * v) + 1 / (2 * v * v));
  if (i + 1 < b->n) b->d[i + 1] += h / (q * w) * (1 / ((v + w) * w) + 1 / (2 * w * w));
  if (i > 0 && i + 1 < b->n) b->e[i] += h / (q * (v + w) * v * w);
  for (int end = 0; end < 2; ++end)
    for (int k = 0; k < r->rows; ++k)
      for (int side = 0; side < 2; ++side)
      {
        double limit = lim[side * (r->rows + r->norms) + k], at = fmax(x[i + end], 1e-300);
        lwPointRows rows = lw_point_rows(r, lw_retime_end(r, i, end));
        if (limit > 1e20) continue;
        Term t = row_term(&rows, k, side ? -1 : 1, limit, h, at, x[i], x[i + 1], end == 0);
        if (x[i + end] == 0) t.dxx = t.dyy = 0;
        value += add_term(b, i, &t);
      }
  return value;
}

// Value, gradient and Hessian at x; infinite outside.
static double evaluate(Barrier* b, const double* x)
{
  double value = 0;
  size_t size  = ((size_t)b->n + 1) * sizeof(double);
  memset(b->g, 0, size);
  memset(b->d, 0, size);
  memset(b->e, 0, size);
  for (int i = 0; i < b->n; ++i) value += add_interval(b, i, x);
  for (int i = 1; i < b->n; ++i)
  {
    double slack = b->r->cap_x[i] - x[i];
    if (!(slack > 0 && x[i] > 0)) return INFINITY;
    if (slack > 1e20) continue;
    value -= b->mu * log(slack);
    b->g[i] += b->mu / slack;
    b->d[i] += b->mu / (slack * slack);
  }
  return value;
}

// Solves the tridiagonal system; the diagonal is raised where it is not positive definite.
static void newton_step(Barrier* b)
{
  double *pivot = b->trial, last = 0;
  for (int i = 1; i < b->n; ++i)
  {
    double off = i > 1 ? b->e[i - 1] : 0, least = 1e-9 * fabs(b->d[i]) + 1e-14;
    pivot[i] = b->d[i] - (i > 1 ? off * off / last : 0);
    if (!(pivot[i] > least)) pivot[i] = fabs(b->d[i]) + fabs(off) + 1e-9;
    b->step[i] = -b->g[i] - (i > 1 ? off / last * b->step[i - 1] : 0);
    last       = pivot[i];
  }
  for (int i = b->n - 1; i >= 1; --i)
    b->step[i] = (b->step[i] - (i + 1 < b->n ? b->e[i] * b->step[i + 1] : 0)) / pivot[i];
}

static void minimise(Barrier* b)
{
  for (int k = 0; k < 60; ++k)
  {
    double value = evaluate(b, b->x), slope = 0, length = 1;
    newton_step(b);
    for (int i = 1; i < b->n; ++i) slope += b->g[i] * b->step[i];
    if (!(slope < -1e-13)) return;
    for (int c = 0; c < 60; ++c, length *= 0.5)
    {
      b->trial[0] = b->x[0], b->trial[b->n] = b->x[b->n];
      for (int i = 1; i < b->n; ++i) b->trial[i] = b->x[i] + length * b->step[i];
      if (evaluate(b, b->trial) <= value + 1e-4 * length * slope) break;
    }
    if (length < 1e-15) return;
    for (int i = 1; i < b->n; ++i) b->x[i] += length * b->step[i];
  }
}

static double profile_duration(const Barrier* b)
{
  double time = 0;
  for (int i = 0; i < b->n; ++i) time += 2 * b->r->h[i] / (sqrt(b->x[i]) + sqrt(b->x[i + 1]));
  return time;
}

// The best time that the optimiser finds from a slower motion; negative: that one is not inside.
static double optimise(const lwRetime* r)
{
  size_t nodes    = (size_t)r->count + 1;
  double* all     = calloc(6 * nodes, sizeof *all);
  Barrier b       = {.r = r, .n = r->count, .mu = 1e-2};
  double** each[] = {&b.x, &b.g, &b.d, &b.e, &b.step, &b.trial};
  for (size_t k = 0; k < 6; ++k) *each[k] = all + k * nodes;
  for (size_t i = 0; i < nodes; ++i) b.x[i] = 0.5 * r->x[i];
  double time = isfinite(evaluate(&b, b.x)) ? 0 : -1;
  for (; b.mu > 1e-9 && time >= 0; b.mu *= 0.5) minimise(&b);
  if (time >= 0) time = profile_duration(&b);
  free(all);
  return time;
}

static void agrees_with_a_barrier(void** state)
{
  int compared = 0;
  double worst = 0, beaten = 0;
  (void)state;
  for (unsigned long long seed = 1; compared < PATHS && seed < 1000; ++seed)
  {
    lwRandom random   = {seed};
    lwRetimeEnds ends = {0};
    lwRetimeResult result;
    lwRetime* retime;
    Task task;
    task_make(&random, &task, TASK_SPLINE);
    lwRetimeDef def = lw_retime_def();  // rows and caps only
    def.grid        = GRID;
    def.tightenings = 0;
    assert_int_equal(lw_retime_create(task.model, &def, NULL, &retime), LW_OK);
    bool solved = lw_retime(retime, task.path, &ends, &result) == LW_OK;
    double time = solved ? optimise(retime) : -1;
    if (time > 0)
    {
      ++compared;
      worst  = fmax(worst, fabs(time / result.time - 1));
      beaten = fmax(beaten, result.bound / time - 1);
      if (fabs(time / result.time - 1) > 1e-3 || result.bound > time * (1 + 1e-7))
        print_message("seed %llu: %.9g s, the barrier %.9g s, bound %.9g s\n", seed, result.time,
                      time, result.bound);
    }
    lw_retime_destroy(retime);
    task_free(&task);
  }
  print_message("%d paths: largest difference %.3g, bound beaten by %.3g\n", compared, worst,
                beaten);
  assert_int_equal(compared, PATHS);
  assert_at_most(worst, 1e-3);
  assert_at_most(beaten, 1e-7);  // rounding, and the rest of the barrier
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_a_barrier)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
