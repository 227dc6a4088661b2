// SPDX-License-Identifier: MIT
#include "simulate/integrator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const lwIntegratorKind* const KINDS[] = {&lw_rk4, &lw_dopri};

enum
{
  KIND_COUNT = sizeof KINDS / sizeof KINDS[0]
};

lwIntegratorDef lw_integrator_def(void)
{
  return (lwIntegratorDef){.method = "rk4", .step = 1e-3, .relative = 1e-9, .absolute = 1e-9};
}

static const lwIntegratorKind* find(const char* name)
{
  for (int i = 0; i < KIND_COUNT; ++i)
    if (!strcmp(KINDS[i]->name, name)) return KINDS[i];
  return NULL;
}

static bool is_positive(double v)
{
  return isfinite(v) && v > 0;
}

// Whether the numbers that the method uses make sense.
static bool is_right(const lwIntegratorDef* def, const lwIntegratorKind* kind)
{
  if (kind == &lw_rk4) return is_positive(def->step);
  return is_positive(def->relative) && is_positive(def->absolute);
}

lwStatus lw_integrator_create(const lwIntegratorDef* def, int size, lwRates* rates, void* context,
                              lwIntegrator** integrator)
{
  lwIntegratorDef usual        = lw_integrator_def();
  const lwIntegratorDef* given = def ? def : &usual;
  const lwIntegratorKind* kind = find(given->method);
  *integrator                  = NULL;
  if (!kind) return LW_ERROR_METHOD;
  if (size < 1 || !is_right(given, kind)) return LW_ERROR_INPUT;
  lwIntegrator* made = calloc(1, sizeof *made);
  double* values     = calloc((size_t)size * (size_t)(kind->arrays + 1), sizeof *values);
  if (!made || !values)
  {
    free(made);
    free(values);
    return LW_ERROR_MEMORY;
  }
  *made = (lwIntegrator){
      .kind = kind, .def = *given, .size = size, .rates = rates, .context = context, .y = values};
  for (int i = 0; i < kind->arrays; ++i) made->array[i] = values + (size_t)(i + 1) * (size_t)size;
  *integrator = made;
  return LW_OK;
}

void lw_integrator_destroy(lwIntegrator* integrator)
{
  if (!integrator) return;
  free(integrator->y);
  free(integrator);
}

void lw_integrator_start(lwIntegrator* integrator, double t, const double* y)
{
  memcpy(integrator->y, y, (size_t)integrator->size * sizeof *y);
  integrator->t = integrator->reached = t;
  integrator->first                   = true;
  integrator->step = integrator->length = 0;
  integrator->kind->start(integrator);
}

lwProgress lw_integrator_advance(lwIntegrator* integrator, double t, double* y,
                                 const volatile int* stop)
{
  if (integrator->kind->advance(integrator, t, y, stop)) return LW_ARRIVED;
  return stop && *stop ? LW_STOPPED : LW_NOT_FINITE;
}

double lw_integrator_time(const lwIntegrator* integrator)
{
  return integrator->reached;
}

lwIntegratorStats lw_integrator_stats(const lwIntegrator* integrator)
{
  return (lwIntegratorStats){.steps = integrator->steps, .evaluations = integrator->evaluations};
}

// The sum of x - x is 0 for finite numbers and NaN otherwise.
bool lw_all_finite(const double* values, int count)
{
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i] - values[i];
  return sum == 0;
}
