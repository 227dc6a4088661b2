// SPDX-License-Identifier: MIT
// The equations of nia2005 as printed, step by step, sharing only what the document shares: to
// count the cost of each step, and to check its result.
//
//   steps_text.h --count scalar--> steps_count()
//     --double--> kane_equations(), multiplier_equations()
#ifndef PAPERS_NIA2005_STEPS_H
#define PAPERS_NIA2005_STEPS_H

#include "base/arena.h"
#include "linkwork/snake.h"

typedef enum PrintedStep
{
  STEP_PHI,           // phi_i = theta_i+1 - theta_i, which the document does not list
  STEP_V,             // (6)
  STEP_OMEGA,         // (7)
  STEP_V_U,           // (13)
  STEP_OMEGA_U,       // (14)
  STEP_V_Q,           // (15), (17), (19)
  STEP_OMEGA_Q,       // (16), (18), (20)
  STEP_TERMS,         // (9)-(11)
  STEP_PRODUCT,       // F - N omega, which the document does not list
  STEP_SOLVE,         // two equations
  STEP_INERTIA,       // M(q), with erratum 0-15
  STEP_BIAS,          // Q - B and A' q', as the library has them
  STEP_JACOBIAN,      // A
  STEP_JACOBIAN_DOT,  // A'
  STEP_TRIANGULAR,    // (27), 2 n + 2 equations with a symmetric matrix
  STEP_COUNT
} PrintedStep;

// The executed operations of each step for a snake. LW_ERROR_MEMORY is the only failure.
lwStatus steps_count(const lwSnake* snake, lwCount counts[STEP_COUNT]);

// Section III for one state. Row i is of link i, column j of q_j; both from 0.
typedef struct KaneValues
{
  double *V, *w;      // (n) m/s, rad/s
  double *V_q, *w_q;  // (n x n) derivatives by q_j at fixed u
  double M[3];        // M11, M12, M22
  double F[2];        // N, N m
  double udot[2];     // m/s^2, rad/s^2
} KaneValues;

// With `printed`, (17) and (18) use (21) for every link. False: no memory.
bool kane_equations(const lwSnake* snake, const lwSnakeStates* state, bool printed, lwArena* arena,
                    KaneValues* values);

// Section IV for one state: q = (x, y, theta_1 .. theta_n), size n + 2.
typedef struct MultiplierValues
{
  int size;
  double* qd;     // (size) q', by (6) and (7)
  double* M;      // (size x size) of (25), its lower triangle
  double* Q;      // (size) generalised forces
  double* Q_B;    // (size) Q - B
  double* A;      // (n x size)
  double* drift;  // (n) A' q'
} MultiplierValues;

bool multiplier_equations(const lwSnake* snake, const lwSnakeStates* state, lwArena* arena,
                          MultiplierValues* values);

#endif
