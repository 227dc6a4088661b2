// SPDX-License-Identifier: MIT
// A robot that can exist: every link has a positive mass and a positive definite pseudo-inertia
//
//   P = [ S  h ]   S = trace(I)/2 1 - I, h = m c, I about the origin (Wensing, Kim & Slotine 2018)
//       [ h' m ]
//
// P = C C^T, C lower triangular with exp() on its diagonal: ten unbounded numbers (Rucker & Wensing
// 2022). They are found by the method of Levenberg and Marquardt on
//
//   |R pi - z|^2 + sum over links |L^-1 P L^-T - 1|^2,   R and z by QR of the weighted equations.
//
// P has a margin, so that the robot still can exist when it is written and read, and forward
// dynamics finds its inertia: P = C C^T + LEAST_RADIUS^2 diag(1, 1, 1, 0) (C C^T)_44 + LEAST_PART
// of the pseudo-inertia of the description.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "identify/equations.h"
#include "linear/lapack.h"
#include "math/elementary.h"
#include "math/lu.h"
#include "math/symmetric.h"

enum
{
  TEN      = LW_LINK_PARAMETERS,
  MOST     = 200,  // iterations
  STAGES   = 5,    // of an approach
  LEAST_UP = 12    // times that a step is shortened before there is none
};

static const double LEAST_PART = 1e-3;  // of the description's pseudo-inertia is left
static const double LEAST_RADIUS =
    2e-3;  // m, of gyration: sqrt(second moment / mass) in every direction

typedef double M4[4][4];

// Where entry k of the ten stands in a lower triangle.
static const int ROW[TEN] = {0, 1, 2, 3, 1, 2, 2, 3, 3, 3};
static const int COL[TEN] = {0, 1, 2, 3, 0, 0, 1, 0, 1, 2};

typedef struct PossibleSearch
{
  const lwEquations* equations;
  int p;                   // unknowns
  int links;               // that are looked for
  int* link;               // (links) index in the description
  int free_count;          // variables: ten of each link, then those of the other unknowns
  double *R, *z;           // (p, p) column by column, (p)
  M4* P0;                  // (links) pseudo-inertia of the description
  M4* L;                   // (links) inverse of its triangle
  double* width;           // (p - inertial) how far other unknowns may lie from the description
  bool* held;              // (p - inertial) at zero
  double *x, *trial, *pi;  // variables, values
  double *J, *r;           // (rows, free_count) column by column, residuals (rows)
  double *normal, *step;   // (free_count, free_count), (free_count)
  int* pivots;
  int rows;
} PossibleSearch;

// --- pseudo-inertias

// P = C C^T; false if P is not positive definite.
static bool cholesky(M4 P, M4 C)
{
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) C[i][j] = j <= i ? P[i][j] : 0;
  return lw_cholesky(4, 4, C[0], 0) == 4;
}

static void invert_triangle(M4 C, M4 inverse)
{
  memset(inverse, 0, sizeof(M4));
  for (int j = 0; j < 4; ++j)
    for (int i = j; i < 4; ++i)
    {
      double sum = i == j;
      for (int k = j; k < i; ++k) sum -= C[i][k] * inverse[k][j];
      inverse[i][j] = sum / C[i][i];
    }
}

// The pseudo-inertia of the description, made positive definite where it is not: the second moments
// about the centre of mass are at least a hundredth of the largest, and above the margin. False: a
// link without mass and inertia, which stays so.
static bool described_inertia(const lwLinkDef* link, M4 P)
{
  double pi[TEN], S[3][3], V[3][3], most = 0, mass = link->mass;
  lwLinkDef centred = *link;
  for (int k = 0; k < 3; ++k) centred.com[k] = 0;
  lw_link_parameters(&centred, pi);
  lw_pseudo_inertia(pi, P);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) S[i][j] = P[i][j];
  lw_jacobi(3, S[0], V[0]);
  for (int k = 0; k < 3; ++k) most = fmax(most, S[k][k]);
  if (!(mass > 0) && !(most > 0)) return false;
  if (!(mass > 0)) mass = most / 0.01;  // as if it were 0.1 m across
  double least = fmax(0.01 * most, 4 * LEAST_RADIUS * LEAST_RADIUS * mass);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
    {
      P[i][j] = mass * link->com[i] * link->com[j];
      for (int k = 0; k < 3; ++k) P[i][j] += V[i][k] * fmax(S[k][k], least) * V[j][k];
    }
  for (int k = 0; k < 3; ++k) P[k][3] = P[3][k] = mass * link->com[k];
  P[3][3] = mass;
  return true;
}

// --- variables to values

static void triangle_of(const double* x, M4 C)
{
  memset(C, 0, sizeof(M4));
  for (int k = 0; k < TEN; ++k) C[ROW[k]][COL[k]] = k < 4 ? lw_exp(x[k]) : x[k];
}

// The part of the margin that is linear in P, or with sign -1 P without it.
static void add_radius(M4 P, double sign)
{
  for (int k = 0; k < 3; ++k) P[k][k] += sign * LEAST_RADIUS * LEAST_RADIUS * P[3][3];
}

// C C^T and the margin.
static void square_of(M4 C, M4 P0, M4 P)
{
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
    {
      P[i][j] = 0;
      for (int k = 0; k < 4; ++k) P[i][j] += C[i][k] * C[j][k];
    }
  add_radius(P, 1);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) P[i][j] += LEAST_PART * P0[i][j];
}

// dP by variable v: dC C^T + C dC^T, and what the margin adds.
static void slope_of(M4 C, int v, M4 dP)
{
  double d = v < 4 ? C[ROW[v]][COL[v]] : 1;
  memset(dP, 0, sizeof(M4));
  for (int j = 0; j < 4; ++j)
  {
    dP[ROW[v]][j] += d * C[j][COL[v]];
    dP[j][ROW[v]] += d * C[j][COL[v]];
  }
  add_radius(dP, 1);
}

// The ten numbers of L^-1 P L^-T (less 1 where `less`), so weighted that the sum of their squares
// is that of the matrix.
static void prior_distance(M4 inverse, M4 P, bool less, double out[TEN])
{
  M4 half, all;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
    {
      half[i][j] = 0;
      for (int k = 0; k <= i; ++k) half[i][j] += inverse[i][k] * P[k][j];
    }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
    {
      all[i][j] = 0;
      for (int k = 0; k <= j; ++k) all[i][j] += half[i][k] * inverse[j][k];
    }
  for (int k = 0; k < TEN; ++k) out[k] = k < 4 ? all[k][k] - less : sqrt(2) * all[ROW[k]][COL[k]];
}

static void values_of(PossibleSearch* search, const double* x)
{
  int inertial = search->equations->unknowns.inertial;
  memset(search->pi, 0, (size_t)search->p * sizeof(double));
  for (int l = 0; l < search->links; ++l)
  {
    M4 C, P;
    triangle_of(x + l * TEN, C);
    square_of(C, search->P0[l], P);
    lw_pseudo_parameters(P, search->pi + search->link[l] * TEN);
  }
  for (int c = inertial; c < search->p; ++c)
    search->pi[c] = search->held[c - inertial] ? 0 : x[search->links * TEN + c - inertial];
}

// --- the sum of squares

static double find_residuals(PossibleSearch* search, const double* x)
{
  int p = search->p, inertial = search->equations->unknowns.inertial;
  double cost = 0;
  values_of(search, x);
  for (int i = 0; i < p; ++i)
  {
    search->r[i] = -search->z[i];
    for (int c = i; c < p; ++c)
      search->r[i] += search->R[(size_t)c * (size_t)p + (size_t)i] * search->pi[c];
  }
  for (int l = 0; l < search->links; ++l)
  {
    M4 P;
    lw_pseudo_inertia(search->pi + search->link[l] * TEN, P);
    prior_distance(search->L[l], P, true, search->r + p + l * TEN);
  }
  for (int c = inertial; c < p; ++c)
    search->r[p + search->links * TEN + c - inertial] =
        (search->pi[c] - search->equations->unknowns.of[c].value) / search->width[c - inertial];
  for (int i = 0; i < search->rows; ++i) cost += search->r[i] * search->r[i];
  return cost;
}

static void find_slopes(PossibleSearch* search, const double* x)
{
  int p = search->p, inertial = search->equations->unknowns.inertial;
  memset(search->J, 0, (size_t)search->rows * (size_t)search->free_count * sizeof(double));
  for (int l = 0; l < search->links; ++l)
  {
    M4 C, dP;
    triangle_of(x + l * TEN, C);
    for (int v = 0; v < TEN; ++v)
    {
      double slope[TEN], *column = search->J + (size_t)(l * TEN + v) * (size_t)search->rows;
      slope_of(C, v, dP);
      lw_pseudo_parameters(dP, slope);
      for (int k = 0; k < TEN; ++k)
      {
        const double* R = search->R + (size_t)(search->link[l] * TEN + k) * (size_t)p;
        for (int i = 0; i <= search->link[l] * TEN + k; ++i) column[i] += R[i] * slope[k];
      }
      prior_distance(search->L[l], dP, false, column + p + l * TEN);
    }
  }
  for (int c = inertial; c < p; ++c)
  {
    int v          = search->links * TEN + c - inertial;
    double* column = search->J + (size_t)v * (size_t)search->rows;
    if (search->held[c - inertial]) continue;
    for (int i = 0; i <= c; ++i) column[i] = search->R[(size_t)c * (size_t)p + (size_t)i];
    column[p + v] = 1 / search->width[c - inertial];
  }
}

// The step of (J^T J + damping D) step = -J^T r, D the diagonal; held variables stay.
static bool find_step(PossibleSearch* search, double damping)
{
  int f = search->free_count, rows = search->rows;
  for (int a = 0; a < f; ++a)
  {
    const double* ca = search->J + (size_t)a * (size_t)rows;
    for (int b = a; b < f; ++b)
    {
      const double* cb = search->J + (size_t)b * (size_t)rows;
      double sum       = 0;
      for (int i = 0; i < rows; ++i) sum += ca[i] * cb[i];
      search->normal[a * f + b] = search->normal[b * f + a] = sum;
    }
    double down = 0;
    for (int i = 0; i < rows; ++i) down -= ca[i] * search->r[i];
    search->step[a] = down;
  }
  for (int a = 0; a < f; ++a)
    search->normal[a * f + a] += damping * search->normal[a * f + a] + 1e-300;
  for (int a = 0; a < f; ++a)
    if (search->normal[a * f + a] <= 2e-300) search->normal[a * f + a] = 1;
  if (!lw_lu_factor(search->normal, f, search->pivots)) return false;
  lw_lu_solve(search->normal, f, search->pivots, search->step);
  return true;
}

static double descend(PossibleSearch* search)
{
  double cost = find_residuals(search, search->x), damping = 1e-3;
  for (int k = 0; k < MOST; ++k)
  {
    bool better = false;
    double next = cost;
    find_slopes(search, search->x);
    for (int up = 0; up < LEAST_UP && !better; ++up, damping *= 10)
    {
      find_residuals(search, search->x);
      if (!find_step(search, damping)) continue;
      for (int a = 0; a < search->free_count; ++a)
        search->trial[a] = search->x[a] + search->step[a];
      next   = find_residuals(search, search->trial);
      better = next < cost;
    }
    if (!better) break;
    memcpy(search->x, search->trial, (size_t)search->free_count * sizeof(double));
    damping     = fmax(damping / 1000, 1e-12);
    double gain = cost - next;
    cost        = next;
    if (gain <= 1e-10 * cost) break;
  }
  return find_residuals(search, search->x);
}

// Exact data make a narrow, curved valley, so they count little at first,
// and ten times as much in every stage.
static void approach_in_stages(PossibleSearch* search)
{
  size_t p = (size_t)search->p;
  for (int stage = STAGES; stage >= 0; --stage)
  {
    double factor = stage == STAGES ? lw_pow(10, -STAGES) : 10;
    for (size_t k = 0; k < p * p; ++k) search->R[k] *= factor;
    for (size_t k = 0; k < p; ++k) search->z[k] *= factor;
    descend(search);
  }
}

// Rotors and friction that came out negative are held at zero; false: there are none.
static bool hold_negative(PossibleSearch* search)
{
  int inertial = search->equations->unknowns.inertial;
  bool found   = false;
  for (int c = inertial; c < search->p; ++c)
  {
    lwUnknownKind kind = search->equations->unknowns.of[c].kind;
    bool positive =
        kind == LW_UNKNOWN_ROTOR || kind == LW_UNKNOWN_VISCOUS || kind == LW_UNKNOWN_COULOMB;
    if (!positive || search->held[c - inertial] || search->pi[c] >= 0) continue;
    search->held[c - inertial] = found = true;
  }
  return found;
}

// --- beginning

// R and z of the weighted equations of all unknowns; zero rows are added where there are too few.
static lwStatus triangular(PossibleSearch* search, const lwLeastSquares* least)
{
  const lwEquations* equations = search->equations;
  size_t n = (size_t)equations->n, rows = (size_t)equations->rows, p = (size_t)search->p;
  size_t m  = (size_t)least->equations > p ? (size_t)least->equations : p;
  double* A = calloc(m * (p + 1) + 1, sizeof *A);
  double* b = A ? A + m * p : NULL;
  if (!A) return LW_ERROR_MEMORY;
  for (size_t c = 0; c <= p; ++c)
    lw_equations_weigh(equations, least->noise, c == p ? equations->b : equations->W + c * n * rows,
                       A + c * m);
  lwStatus status = lw_lapack_qr((int)m, (int)p, A, 1, b);
  for (size_t c = 0; c < p; ++c)
    for (size_t i = 0; i <= c; ++i) search->R[c * p + i] = A[c * m + i];
  memcpy(search->z, b, p * sizeof *b);
  free(A);
  return status;
}

// The links that have mass, beginning where the description is.
static void begin_links(PossibleSearch* search)
{
  const lwRobotDef* robot = lw_model_robot(search->equations->model);
  for (int i = 0; i < robot->count; ++i)
  {
    M4 C, inside, *P = &search->P0[search->links];
    double* x = search->x + search->links * TEN;
    if (!described_inertia(&robot->joints[i].link, *P) || !cholesky(*P, C)) continue;
    invert_triangle(C, search->L[search->links]);
    for (int k = 0; k < 16; ++k) inside[k / 4][k % 4] = (1 - LEAST_PART) * (*P)[k / 4][k % 4];
    add_radius(inside, -1);
    if (!cholesky(inside, C)) continue;  // without the margin
    for (int k = 0; k < TEN; ++k) x[k] = k < 4 ? lw_log(C[k][k]) : C[ROW[k]][COL[k]];
    search->link[search->links++] = i;
  }
}

// How far other unknowns may be from the description: by their own size, or by
// what the least squares of others allow.
static void begin_others(PossibleSearch* search)
{
  const lwUnknowns* unknowns = &search->equations->unknowns;
  double largest             = 0;
  for (int c = 0; c < unknowns->inertial; ++c)
    if (unknowns->of[c].entry >= 4) largest = fmax(largest, fabs(unknowns->of[c].value));
  for (int c = unknowns->inertial; c < unknowns->count; ++c)
  {
    double value                          = unknowns->of[c].value;
    bool rotor                            = unknowns->of[c].kind == LW_UNKNOWN_ROTOR;
    search->width[c - unknowns->inertial] = !rotor      ? 1e6
                                            : value > 0 ? value
                                                        : fmax(0.1 * largest, 1e-6);
    search->x[search->links * TEN + c - unknowns->inertial] = value;
  }
  search->free_count = search->links * TEN + unknowns->count - unknowns->inertial;
  search->rows       = search->p + search->free_count;
}

lwStatus lw_possible_robot(const lwEquations* equations, const lwLeastSquares* least,
                           double* values, double* cost)
{
  PossibleSearch search = {.equations = equations, .p = equations->unknowns.count};
  lwArena arena         = {0};
  size_t p = (size_t)search.p, f = p + 1, rows = 2 * p + 1;
  const lwArray arrays[] = {{&search.R, p * p},
                            {&search.J, rows * f},
                            {&search.normal, f * f},
                            {&search.z, f},
                            {&search.width, f},
                            {&search.x, f},
                            {&search.trial, f},
                            {&search.pi, f},
                            {&search.step, f},
                            {&search.r, rows},
                            {0}};
  search.link            = lw_arena_take(&arena, f, sizeof(int));
  search.pivots          = lw_arena_take(&arena, f, sizeof(int));
  search.P0              = lw_arena_take(&arena, f, sizeof(M4));
  search.L               = lw_arena_take(&arena, f, sizeof(M4));
  search.held            = lw_arena_take(&arena, f, sizeof(bool));
  bool made              = search.link && search.pivots && search.P0 && search.L && search.held &&
              lw_arrays_take(&arena, arrays);
  lwStatus status = made ? triangular(&search, least) : LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    begin_links(&search);
    begin_others(&search);
    do approach_in_stages(&search);
    while (hold_negative(&search));
    memcpy(values, search.pi, (size_t)search.p * sizeof(double));
    *cost = least->cost;
    for (int i = 0; i < search.p; ++i) *cost += search.r[i] * search.r[i];
  }
  lw_arena_free(&arena);
  return status;
}
