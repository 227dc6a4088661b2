// SPDX-License-Identifier: MIT
// What must hold for every method in every state:
//
//   equation of motion   M udot + bias = force
//   speeds, wheel forces V, omega, lambda as by the default method
//   circle             V_k^2 + (h_k omega_k)^2 is the same for all links; wheels in the middle only
//   mass               M11 + M22 / h_1^2 = sum (m_k + I_k / h_k^2); wheels in the middle only
//   constraint         n_k . v_k + d_k omega_k = 0, v from the motion of link 1 and all omega
//   constraint rate    its derivative
//   kinetic energy     u^T M u / 2
//   energy balance     power of the torques = d kinetic / dt, differentiated numerically
#include "compare/snake_checks.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "answer/snake_workspace.h"
#include "base/arrays.h"
#include "base/random.h"
#include "base/units.h"
#include "math/elementary.h"

static const double STEP_DOUBLE = 0.03, STEP_SINGLE = 0.5;  // as in method_checks.c

// --- the state

lwStatus lw_snake_checker_create(lwSnakeChecker* checker, const lwSnake* snake,
                                 lwPrecision precision)
{
  size_t n = (size_t)lw_snake_count(snake);
  *checker = (lwSnakeChecker){.snake = snake, .n = (int)n, .centred = true, .shortest = INFINITY};
  checker->epsilon = precision == LW_PRECISION_SINGLE ? FLT_EPSILON : DBL_EPSILON;
  checker->step    = precision == LW_PRECISION_SINGLE ? STEP_SINGLE : STEP_DOUBLE;
  for (int k = 0; k < (int)n; ++k)
  {
    lwSnakeLink link  = lw_snake_get(snake, k);
    checker->centred  = checker->centred && link.wheel_offset == 0;
    checker->shortest = fmin(checker->shortest, link.length / 2 - fabs(link.wheel_offset));
  }
  lwSnakeAnswers* const answers[] = {&checker->expected, &checker->got};
  lwSnakeArrays arrays;
  for (int i = 0; i < 2; ++i)
  {
    lw_snake_arrays_take(&checker->arena, (int)n, sizeof(double), &arrays);
    memcpy(answers[i], arrays.out, sizeof *answers[i]);
  }
  checker->theta  = arrays.in[0];
  checker->torque = lw_arena_take(&checker->arena, n, sizeof(double));  // one more than joints
  checker->moved  = lw_arena_take(&checker->arena, n, sizeof(double));
  lwStatus status = lw_snake_workspace_create(snake, NULL, NULL, &checker->reference);
  return lw_arena_failed(&checker->arena) ? LW_ERROR_MEMORY : status;
}

void lw_snake_checker_destroy(lwSnakeChecker* checker)
{
  lw_arena_free(&checker->arena);
  lw_snake_workspace_destroy(checker->reference);
}

// Between -most and most.
static double random_up_to(lwRandom* random, double most)
{
  return most * ((double)(lw_random_bits(random) >> 11) * 0x1p-52 - 1);
}

void lw_snake_checker_fill(lwSnakeChecker* checker, uint64_t seed, long number)
{
  lwRandom random = {seed * 0xD1342543DE82EF95u + (uint64_t)number};
  double bend     = number % 4 == 0 ? 1e-3 : 1.5;  // rad, at most, from link to link
  bool single     = checker->epsilon > DBL_EPSILON;
  double theta    = random_up_to(&random, 3);
  for (int k = 0; k < checker->n; ++k)
  {
    theta += random_up_to(&random, bend);
    theta              = remainder(theta, 2 * LW_PI);
    checker->theta[k]  = single ? (float)theta : theta;
    double torque      = random_up_to(&random, 1);
    checker->torque[k] = single ? (float)torque : torque;
  }
  for (int i = 0; i < 2; ++i)
  {
    double u      = random_up_to(&random, i == 0 ? 1 : 2);
    checker->u[i] = single ? (float)u : u;
  }
  lwSnakeStates state = {checker->theta, checker->u, checker->torque};
  lw_snake_answer(checker->snake, checker->reference, &state, &checker->expected);
}

// --- gaps

static double half_length(const lwSnakeChecker* checker, int k)
{
  return lw_snake_get(checker->snake, k).length / 2;
}

// m/s, the largest speed of any part of a link, and the largest acceleration.
static double speed_size(const lwSnakeChecker* checker)
{
  const lwSnakeAnswers* is = &checker->expected;
  double most              = 0;
  for (int k = 0; k < checker->n; ++k)
    most = lw_gap_larger(most, fabs(is->V[k]) + fabs(half_length(checker, k) * is->omega[k]));
  return most;
}

static double acceleration_size(const lwSnakeChecker* checker)
{
  const lwSnakeAnswers* is = &checker->expected;
  double most              = fabs(is->rates_dot[0]) + fabs(is->rates_dot[1]);
  for (int k = 0; k < checker->n; ++k)
  {
    double h = half_length(checker, k), w = is->omega[k];
    most = lw_gap_larger(most, fabs(h * is->theta_ddot[k]) + fabs(is->V[k] * w) + h * w * w);
  }
  return most;
}

// The forces of the wheels are among the terms: methods with multipliers cancel them.
static lwGap obeys_equation(lwSnakeChecker* checker)
{
  const lwSnakeAnswers *is = &checker->expected, *got = &checker->got;
  lwGap worst = {0, 1};
  for (int i = 0; i < 2; ++i)
  {
    double arm      = i == 0 ? 1 : half_length(checker, 0);
    double inertial = is->M[2 * i] * got->udot[0] + is->M[2 * i + 1] * got->udot[1];
    double size     = fabs(is->M[2 * i] * is->udot[0]) + fabs(is->M[2 * i + 1] * is->udot[1]) +
                  2 * *is->kinetic / checker->shortest * arm;
    for (int k = 0; k < checker->n; ++k) size += fabs(is->lambda[k]) * arm;
    for (int k = 0; k < checker->n - 1; ++k)
      size += 2 * fabs(checker->torque[k]) / checker->shortest * arm;
    worst = lw_gap_worse(
        worst, (lwGap){lw_gap_larger(fabs(inertial + is->bias[i] - is->force[i]), 0), size});
  }
  return worst;
}

static lwGap speeds_agree(lwSnakeChecker* checker)
{
  const lwSnakeAnswers *is = &checker->expected, *got = &checker->got;
  double most = 0;
  for (int k = 0; k < checker->n; ++k)
  {
    most = lw_gap_larger(most, fabs(got->V[k] - is->V[k]));
    most = lw_gap_larger(most, half_length(checker, k) * fabs(got->omega[k] - is->omega[k]));
  }
  return (lwGap){most, speed_size(checker)};
}

// The size is that of the forces which the wheels balance: inertia, torques, and their own.
static lwGap forces_agree(lwSnakeChecker* checker)
{
  const lwSnakeAnswers *is = &checker->expected, *got = &checker->got;
  double most = 0, size = 0, mass = 0;
  for (int k = 0; k < checker->n; ++k)
  {
    double torque = k < checker->n - 1 ? fabs(checker->torque[k]) : 0;
    mass          = lw_gap_larger(mass, lw_snake_get(checker->snake, k).mass);
    most          = lw_gap_larger(most, fabs(got->lambda[k] - is->lambda[k]));
    size          = lw_gap_larger(size, fabs(is->lambda[k]) + torque / checker->shortest);
  }
  return (lwGap){most, size + mass * acceleration_size(checker)};
}

static lwGap lies_on_circle(lwSnakeChecker* checker)
{
  const lwSnakeAnswers* got = &checker->got;
  double first = half_length(checker, 0) * checker->u[1], most = 0;
  double square = checker->u[0] * checker->u[0] + first * first;
  for (int k = 0; k < checker->n; ++k)
  {
    double side = half_length(checker, k) * got->omega[k];
    most        = lw_gap_larger(most, fabs(got->V[k] * got->V[k] + side * side - square));
  }
  return (lwGap){most, square};
}

static lwGap has_constant_mass(lwSnakeChecker* checker)
{
  const double* M = checker->got.M;
  double h1 = half_length(checker, 0), sum = 0;
  for (int k = 0; k < checker->n; ++k)
  {
    lwSnakeLink link = lw_snake_get(checker->snake, k);
    double h         = link.length / 2;
    sum += link.mass + link.inertia / (h * h);
  }
  return (lwGap){lw_gap_larger(fabs(M[0] + M[3] / (h1 * h1) - sum), 0), sum};
}

// The largest n_k . x_k + d_k rate_k along the snake, from x of link 1: velocities with the rates
// omega, x_k = x_k-1 + h_k-1 omega_k-1 n_k-1 + h_k omega_k n_k; or accelerations with the rates
// theta_ddot, of which n_k has omega_k V_k besides.
static double largest_slip(const lwSnakeChecker* checker, const double first[2], const double* rate,
                           bool accelerates)
{
  const lwSnakeAnswers* got = &checker->got;
  double x = first[0], y = first[1], most = 0;
  for (int k = 0; k < checker->n; ++k)
  {
    lwSnakeLink link = lw_snake_get(checker->snake, k);
    double c = lw_cos(checker->theta[k]), s = lw_sin(checker->theta[k]);
    double w    = accelerates ? got->omega[k] : 0;
    double turn = link.length / 2 * rate[k], pull = link.length / 2 * w * w;
    double bx = -turn * s - pull * c, by = turn * c - pull * s;
    if (k > 0) x += bx, y += by;
    double along = -x * s + y * c - w * got->V[k] + link.wheel_offset * rate[k];
    most         = lw_gap_larger(most, fabs(along));
    x += bx, y += by;
  }
  return most;
}

static lwGap does_not_slip(lwSnakeChecker* checker)
{
  const lwSnakeAnswers* got = &checker->got;
  return (lwGap){largest_slip(checker, got->rates, got->omega, false), speed_size(checker)};
}

static lwGap keeps_not_slipping(lwSnakeChecker* checker)
{
  const lwSnakeAnswers* got = &checker->got;
  return (lwGap){largest_slip(checker, got->rates_dot, got->theta_ddot, true),
                 acceleration_size(checker)};
}

static lwGap is_quadratic(lwSnakeChecker* checker)
{
  const double *M = checker->got.M, *u = checker->u;
  double parts[] = {M[0] * u[0] * u[0], M[1] * u[0] * u[1], M[2] * u[0] * u[1], M[3] * u[1] * u[1]};
  double sum = 0, size = 0;
  for (int i = 0; i < 4; ++i) sum += parts[i] / 2, size += fabs(parts[i]) / 2;
  return (lwGap){lw_gap_larger(fabs(*checker->got.kinetic - sum), 0), size};
}

// Kinetic energy where the motion leads within t, straight on.
static double kinetic_at(lwSnakeChecker* checker, double t)
{
  double kinetic = 0, u[2];
  for (int k = 0; k < checker->n; ++k)
    checker->moved[k] = checker->theta[k] + t * checker->got.omega[k];
  for (int i = 0; i < 2; ++i) u[i] = checker->u[i] + t * checker->got.udot[i];
  lwSnakeStates state    = {.theta = checker->moved, .u = u};
  lwSnakeAnswers answers = {.kinetic = &kinetic};
  lw_snake_answer(checker->snake, checker->ws, &state, &answers);
  return kinetic;
}

static lwGap energy_balances(lwSnakeChecker* checker)
{
  const lwSnakeAnswers* is = &checker->expected;
  double speed             = speed_size(checker);
  double pace =
      0.1 + fabs(is->udot[0]) / speed + half_length(checker, 0) * fabs(is->udot[1]) / speed;
  double size = 0;
  for (int k = 0; k < checker->n - 1; ++k)
  {
    double bend = fabs(is->omega[k + 1] - is->omega[k]);
    pace += bend;
    size += fabs(checker->torque[k]) * (fabs(is->omega[k + 1]) + fabs(is->omega[k]));
  }
  double h = checker->step / pace, T[6];
  for (int k = 0; k < 6; ++k) T[k] = kinetic_at(checker, (k % 2 ? -h : h) / (1 << k / 2));
  double gap = *checker->got.power - lw_gap_derivative(T, h);
  return (lwGap){lw_gap_larger(fabs(gap), 0), size + *is->kinetic / h};
}

// The bounds lie above what seeded states reach: up to 1000 of snakes of up to 20 links, 60 of 60
// and 100 links. Wheel forces are found from link to link, and lose a little on the way.
const lwSnakeCheck LW_SNAKE_CHECKS[] = {
    {"equation of motion", obeys_equation, false, 50, 5},
    {"speeds", speeds_agree, false, 50, 5},
    {"wheel forces", forces_agree, false, 100, 20},
    {"circle", lies_on_circle, true, 50, 5},
    {"mass", has_constant_mass, true, 50, 5},
    {"constraint", does_not_slip, false, 50, 5},
    {"constraint rate", keeps_not_slipping, false, 150, 10},
    {"kinetic energy", is_quadratic, false, 50, 5},
    {"energy balance", energy_balances, false, 500, 50},
};

const int LW_SNAKE_CHECK_COUNT = sizeof LW_SNAKE_CHECKS / sizeof LW_SNAKE_CHECKS[0];
