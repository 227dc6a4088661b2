// SPDX-License-Identifier: MIT
// The explicit Runge-Kutta methods, as numbers; tableau.h says what they mean.
// tests/ode/test_tableaus.c checks every one of them against the conditions of its
// order, all rooted trees.
#include "ode/tableau.h"

// --- Kutta 1901, third order, as in swartz1982 with c3 corrected
// (erratum 3-18): weights 1/6, 4/6, 1/6
static const double KUTTA3_C[4]    = {0, 1.0 / 2, 1, 1};
static const double KUTTA3_A[4][4] = {{0}, {1.0 / 2}, {-1, 2}, {1.0 / 6, 2.0 / 3, 1.0 / 6}};

// --- Kutta 1901, fourth order: "the" Runge-Kutta method
static const double RK4_C[5]    = {0, 1.0 / 2, 1.0 / 2, 1, 1};
static const double RK4_A[5][5] = {
    {0}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

// --- Bogacki & Shampine 1989, 3(2)
static const double BS_C[4]    = {0, 1.0 / 2, 3.0 / 4, 1};
static const double BS_A[4][4] = {{0}, {1.0 / 2}, {0, 3.0 / 4}, {2.0 / 9, 1.0 / 3, 4.0 / 9}};
static const double BS_E[4]    = {-5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8};

// --- Merson 1957. The fifth stage's argument is a second result; a fifth of the difference
// estimates the error, correctly for linear equations with constant coefficients. In general
// that result is of third order, and the error of the fourth-order one is overestimated.
// Interpolation of fourth order by one more stage at a fifth of the step: its argument is from
// Hermite's cubic, and its rate gives the quartic.
static const double MERSON_C[7]    = {0, 1.0 / 3, 1.0 / 3, 1.0 / 2, 1, 1, 1.0 / 5};
static const double MERSON_A[7][7] = {{0},
                                      {1.0 / 3},
                                      {1.0 / 6, 1.0 / 6},
                                      {1.0 / 8, 0, 3.0 / 8},
                                      {1.0 / 2, 0, -3.0 / 2, 2},
                                      {1.0 / 6, 0, 0, 2.0 / 3, 1.0 / 6},
                                      {109.0 / 750, 0, 0, 26.0 / 375, 13.0 / 750, -4.0 / 125}};
static const double MERSON_E[7]    = {-1.0 / 15, 0, 3.0 / 10, -4.0 / 15, 1.0 / 30};
static const double MERSON_D[1][7] = {{-5.0 / 2, 0, 0, -10.0 / 3, -5.0 / 6, 35.0 / 24, 125.0 / 24}};

// --- Fehlberg 1969, 4(5). The result is the fourth-order one, as he meant it (no local
// extrapolation), so the estimate is that of its own error. Interpolation as above.
static const double FEHLBERG_C[8]    = {0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2, 1, 1.0 / 5};
static const double FEHLBERG_A[8][8] = {
    {0},
    {1.0 / 4},
    {3.0 / 32, 9.0 / 32},
    {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
    {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
    {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
    {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5},
    {3781.0 / 27000, 0, 18304.0 / 320625, 28561.0 / 513000, -13.0 / 625, 0, -4.0 / 125}};
static const double FEHLBERG_E[8]    = {-1.0 / 360,     0,         128.0 / 4275,
                                        2197.0 / 75240, -1.0 / 50, -2.0 / 55};
static const double FEHLBERG_D[1][8] = {
    {-485.0 / 216, 0, -1408.0 / 513, -10985.0 / 4104, 1, 0, 35.0 / 24, 125.0 / 24}};

// --- Dormand & Prince 1980, 5(4); interpolation of fourth order after Shampine, in Hairer, Norsett
// & Wanner, "Solving
// Ordinary Differential Equations I", II.6
static const double DOPRI_C[7]    = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double DOPRI_A[7][7] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
static const double DOPRI_E[7]    = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                     -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
static const double DOPRI_D[1][7] = {{-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799,
                                      -10690763975.0 / 1880347072, 701980252875.0 / 199316789632,
                                      -1453857185.0 / 822651844, 69997945.0 / 29380423}};

// --- dop853.txt
extern const double lw_dop853_c[], lw_dop853_a[], lw_dop853_e[], lw_dop853_e3[], lw_dop853_d[];

const lwTableau LW_TABLEAUS[] = {
    {.about  = {"kutta3", NULL, "Kutta 1901; swartz1982", false, 3, 0, 3, 3},
     .end    = 3,
     .stages = 4,
     .c      = KUTTA3_C,
     .a      = KUTTA3_A[0],
     .looks  = 1},
    {.about  = {"rk4", NULL, "Kutta 1901", false, 4, 0, 3, 4},
     .end    = 4,
     .stages = 5,
     .c      = RK4_C,
     .a      = RK4_A[0],
     .looks  = 1},
    {.about    = {"bogacki-shampine", NULL, "Bogacki & Shampine 1989", true, 3, 2, 3, 3},
     .end      = 3,
     .stages   = 4,
     .c        = BS_C,
     .a        = BS_A[0],
     .e        = BS_E,
     .exponent = 3,
     .looks    = 1},
    {.about    = {"kutta-merson", NULL, "Merson 1957", true, 4, 3, 4, 5},
     .end      = 5,
     .stages   = 7,
     .c        = MERSON_C,
     .a        = MERSON_A[0],
     .e        = MERSON_E,
     .d        = MERSON_D[0],
     .further  = 1,
     .exponent = 4,
     .looks    = 2},
    {.about    = {"fehlberg45", NULL, "Fehlberg 1969", true, 4, 5, 4, 6},
     .end      = 6,
     .stages   = 8,
     .c        = FEHLBERG_C,
     .a        = FEHLBERG_A[0],
     .e        = FEHLBERG_E,
     .d        = FEHLBERG_D[0],
     .further  = 1,
     .exponent = 5,
     .looks    = 2},
    {.about    = {"dormand-prince", "dopri", "Dormand & Prince 1980", true, 5, 4, 4, 6},
     .end      = 6,
     .stages   = 7,
     .c        = DOPRI_C,
     .a        = DOPRI_A[0],
     .e        = DOPRI_E,
     .d        = DOPRI_D[0],
     .further  = 1,
     .exponent = 5,
     .looks    = 2},
    {.about    = {"dop853", NULL, "Hairer, Norsett & Wanner 1993", true, 8, 5, 7, 12},
     .end      = 12,
     .stages   = 16,
     .c        = lw_dop853_c,
     .a        = lw_dop853_a,
     .e        = lw_dop853_e,
     .e3       = lw_dop853_e3,
     .d        = lw_dop853_d,
     .further  = 4,
     .exponent = 8,
     .looks    = 4},
};
const int LW_TABLEAU_COUNT = sizeof LW_TABLEAUS / sizeof LW_TABLEAUS[0];

void lw_tableau_weights(const lwTableau* tableau, double s, double* weights)
{
  const double* b = tableau->a + tableau->end * tableau->stages;
  for (int j = 0; j < tableau->stages; ++j)
  {
    double first = j == 0, last = j == tableau->end, r = 1 - s, sum = 0;
    for (int m = tableau->further - 1; m >= 0; --m)
      sum = tableau->d[m * tableau->stages + j] + (m % 2 ? r : s) * sum;
    sum        = 2 * b[j] - first - last + r * sum;
    sum        = first - b[j] + s * sum;
    weights[j] = s * (b[j] + r * sum);
  }
}

lwStageTerms lw_stage_terms(const double* weights, int count)
{
  lwStageTerms terms = {0};
  for (int j = 0; j < count; ++j)
  {
    if (weights[j] == 0) continue;
    terms.stage[terms.count]    = j;
    terms.weight[terms.count++] = weights[j];
  }
  if (terms.count == 0) terms.count = 1;  // 0 times the first
  return terms;
}
