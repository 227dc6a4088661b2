// SPDX-License-Identifier: MIT
// A snake over time, in theta and u (snake_run.c) or in all coordinates (snake_full.c).
//
// In all coordinates y = (x, y, theta_1..n; their rates; work; slip loss). Every wheel holds, or
// slips to one side; every joint is free, or rests at a stop. While nothing of this changes,
//
//   M q'' + B = Q + C^T x     C q'' = -C' q' for the rows of C that hold
//
// with a row of A for each wheel that holds, x the force of the ground on it, and a row of +-1 for
// each joint at a stop, x the torque of the stop. A wheel that slips is pushed with its friction
// limit against its motion (Coulomb, no difference between static and sliding friction). Events end
// such a phase, and snake_contacts.c decides what comes next.
#ifndef LW_ARM_SNAKE_RUN_H
#define LW_ARM_SNAKE_RUN_H

#include "arm/energy.h"
#include "arm/snake_chain.h"
#include "base/arena.h"
#include "linkwork/arm.h"
#include "math/bounded.h"
#include "ode/integrator.h"

// What a simulation in all coordinates needs besides.
typedef struct lwSnakeFull
{
  int size;  // of q, n + 2
  lwSnakeChain chain;
  bool contacts;        // wheels may slip, or joints have stops
  signed char* wheel;   // (n) 0: holds, +-1: slips to that side
  signed char* stop;    // (n) of the joint ahead: 0 free, 1 at its lower stop, -1 at the upper
  signed char* before;  // (2 n) of both, to find what is new
  bool* stuck;          // (2 n) of wheels and joints: stays at rest in this impact
  double* force;        // (2 n) x of wheels and stops that hold, N and N m
  double* incoming;     // (n + 2) rates before an impact
  double *qdd, *free;   // (n + 2)
  double* lambda;       // (n)
  int* which;           // (2 n) the row of C: wheel k, or n + joint k
  double *C, *Y, *W;    // rows of constraints; M^-1 C^T; C M^-1 C^T
  double *c, *low, *high;
  lwBounded problem;
  double stop_loss;  // J
  lwChatter chatter;
} lwSnakeFull;

struct lwSnakeRun
{
  lwSnakeRunDef def;
  const lwSnake* snake;
  int n;
  double offset;  // m, of the wheel of link 1 ahead of its middle
  lwIntegrator* integrator;
  lwSnakeWorkspace* ws;  // of the definition; its own in all coordinates
  lwSnakeFull* full;     // NULL: in theta and u
  double* torque;        // (n) N m, the last 0
  double* y;
  double* lambda;   // (n) N; NULL: no wheel has a limit, or they slip
  bool* beyond;     // (n) lambda is beyond the limit
  double* rolling;  // (2, n) speeds of the wheels for unit u, m/s
  lwArena arena;
  bool begun;       // S0 is known
  double S0, work;  // J
  lwEnergyWatch energy;
  lwAudit audit;
  lwNote* notes;  // (LW_MAX_NOTES)
};

// Where things are in y of all coordinates.
static inline double* lw_snake_theta(lwSnakeRun* run)
{
  return run->y + 2;
}

static inline double* lw_snake_qd(lwSnakeRun* run)
{
  return run->y + run->full->size;
}

// Enters the energy of a state into the audit, and the wheels that would slip.
void lw_snake_audit_state(lwSnakeRun* run, double t, const double* y);
lwStepEnd lw_snake_step_end;

// Torques of the law or the drive, if there is one.
void lw_snake_drive(lwSnakeRun* run, double t, const double* theta, const double u[2],
                    const double place[2]);

// Torques of the drive in a state of all coordinates.
void lw_snake_full_drive(lwSnakeRun* run, double t, const double* y);

// Sideways forces of the wheels in a state of all coordinates, into run->lambda.
void lw_snake_full_forces(lwSnakeRun* run, double t, const double* y);

// Kinetic energy (22) of nia2005; sideways speeds of the axles (n) if not NULL.
double lw_snake_full_kinetic(const lwSnake* snake, const double* theta, const double* qd,
                             double* sideways);
// --- snake_full.c, for snake_run.c

lwStatus lw_snake_full_check(const lwSnakeRunDef* def, lwDiag* diag);
lwStatus lw_snake_full_create(lwSnakeRun* run, lwDiag* diag);
void lw_snake_full_start(lwSnakeRun* run, const lwSnakeSample* sample);
lwProgress lw_snake_full_advance(lwSnakeRun* run, double t, const volatile sig_atomic_t* stop);
void lw_snake_full_sample(lwSnakeRun* run, lwSnakeSample* sample);
// --- snake_contacts.c

// q'' at t in a state whose phase is decided, and the forces that hold.
void lw_snake_contact_accelerations(lwSnakeRun* run, double t, const double* y);

// The nearest rates, by the kinetic energy of the difference,
// that satisfy the constraints which hold.
void lw_snake_project(lwSnakeRun* run);

// Begins a phase in state y: which wheels slip, which joints rest at stops.
void lw_snake_contacts_begin(lwSnakeRun* run, double t);

// Values to watch: one for each wheel, then one for each joint;
// each is positive as long as the phase lasts.
void lw_snake_contact_values(void* context, double t, const double* y, double* values);

// Value i reached 0. False: too many events in too short a time.
bool lw_snake_contact_event(lwSnakeRun* run, double t, int i);

#endif
