// SPDX-License-Identifier: MIT
// What every integrator has, and what one adds.
#ifndef LW_SIMULATE_INTEGRATOR_H
#define LW_SIMULATE_INTEGRATOR_H

#include "linkwork/simulate.h"

// One way to integrate. advance() is lw_integrator_advance() without the stages around it.
typedef struct lwIntegratorKind
{
  const char* name;
  int arrays;  // (size) each, of workspace
  void (*start)(lwIntegrator* integrator);
  bool (*advance)(lwIntegrator* integrator, double t, double* y, const volatile int* stop);
} lwIntegratorKind;

extern const lwIntegratorKind lw_rk4, lw_dopri;

struct lwIntegrator
{
  const lwIntegratorKind* kind;
  lwIntegratorDef def;
  int size;
  lwRates* rates;
  void* context;
  double t;        // s, how far steps have gone
  double reached;  // s, of the state last written
  double step;     // s, that dopri tries next, and
  double length;   // of its last step
  double error;    // of that step, in units of the tolerance
  bool first;      // no step was taken yet
  long steps, evaluations;
  double* y;          // (size) state at t
  double* array[16];  // (size) each
};

// f(t, y) into rates, counted.
static inline void lw_integrator_rate(lwIntegrator* integrator, double t, const double* y,
                                      double* rates)
{
  integrator->rates(integrator->context, t, y, rates);
  ++integrator->evaluations;
}

// All numbers are finite.
bool lw_all_finite(const double* values, int count);

#endif
