// SPDX-License-Identifier: MIT
// Which combinations of the links' parameters torques depend on: by rules and by numerical rank.
#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "identify/base_parameters.h"
#include "model/model_internal.h"

static const int MOST_LINKS = 200;
static const uint64_t SEED  = 1;

struct lwParameters
{
  lwUnknowns unknowns;
  lwBaseParameters ruled, ranked;
  const lwBaseParameters* base;  // the one that is told of
  lwParameterCount count;
  char** names;                      // (base->count)
  char (*columns)[LW_UNKNOWN_NAME];  // (unknowns)
  double* values;                    // (unknowns) by the description
};

static lwStatus check_parameters(const lwModel* model, lwDiag* diag)
{
  const char* name = lw_model_name(model);
  if (lw_model_mobility(model) == 0)
    return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                     "no joint of '%s' moves, so torques say nothing about it", name);
  if (lw_model_joint_count(model) > MOST_LINKS)
    return lw_refuse(diag, LW_ERROR_METHOD, NULL, "'%s' has %d links, expected at most %d", name,
                     lw_model_joint_count(model), MOST_LINKS);
  return LW_OK;
}

static lwStatus find_both(lwParameters* parameters, const lwModel* model)
{
  static const bool none    = false;
  const lwIdentifyDef links = {.cookie = LW_COOKIE};
  const lwBaseStates states = {.seed = SEED};
  lwRegressor* regressor    = NULL;
  lwStatus status           = lw_unknowns_create(&parameters->unknowns, model, &links, &none);
  if (status == LW_OK) status = lw_regressor_create(model, &regressor);
  if (status == LW_OK)
    status = lw_base_at_random(&parameters->ranked, &parameters->unknowns, regressor, &states);
  lw_regressor_destroy(regressor);
  int* order = calloc((size_t)parameters->unknowns.count + 1, sizeof *order);
  if (status == LW_OK && !order) status = LW_ERROR_MEMORY;
  if (status == LW_OK && lw_base_has_rules(model))
    status = lw_base_by_rules(&parameters->ruled, model, order);
  free(order);
  parameters->base = lw_base_has_rules(model) ? &parameters->ruled : &parameters->ranked;
  return status;
}

// How far the two results are apart, relative to the largest factor.
static double compare_factors(const lwBaseParameters* a, const lwBaseParameters* b)
{
  double gap = 0, largest = 1;
  if (a->count != b->count) return INFINITY;
  for (int i = 0; i < a->count; ++i)
  {
    if (a->kept[i] != b->kept[i]) return INFINITY;
    for (int c = 0; c < a->unknowns; ++c)
    {
      double own = a->factor[(size_t)i * (size_t)a->unknowns + (size_t)c];
      largest    = fmax(largest, fabs(own));
      gap        = fmax(gap, fabs(own - b->factor[(size_t)i * (size_t)a->unknowns + (size_t)c]));
    }
  }
  return gap / largest;
}

static lwStatus name_parameters(lwParameters* parameters)
{
  size_t p            = (size_t)parameters->unknowns.count;
  parameters->names   = calloc((size_t)parameters->base->count + 1, sizeof *parameters->names);
  parameters->columns = calloc(p + 1, sizeof *parameters->columns);
  parameters->values  = calloc(p + 1, sizeof *parameters->values);
  if (!parameters->names || !parameters->columns || !parameters->values) return LW_ERROR_MEMORY;
  for (int c = 0; c < parameters->unknowns.count; ++c)
  {
    lw_unknown_name(&parameters->unknowns, c, parameters->columns[c]);
    parameters->values[c] = parameters->unknowns.of[c].value;
  }
  for (int b = 0; b < parameters->base->count; ++b)
  {
    parameters->names[b] = lw_base_name(parameters->base, &parameters->unknowns, b);
    if (!parameters->names[b]) return LW_ERROR_MEMORY;
  }
  return LW_OK;
}

lwStatus lw_parameters_create(const lwModel* model, lwDiag* diag, lwParameters** parameters)
{
  *parameters     = NULL;
  lwStatus status = check_parameters(model, diag);
  if (status != LW_OK) return status;
  lwParameters* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  status = find_both(made, model);
  if (status == LW_OK)
    made->count = (lwParameterCount){
        .all          = made->unknowns.count,
        .by_rules     = lw_base_has_rules(model) ? made->ruled.count : -1,
        .by_rank      = made->ranked.count,
        .states       = lw_base_random_states(made->unknowns.count, lw_model_mobility(model)),
        .least_kept   = made->ranked.least_kept,
        .most_dropped = made->ranked.most_dropped,
        .difference = lw_base_has_rules(model) ? compare_factors(&made->ruled, &made->ranked) : 0};
  if (status == LW_OK) status = name_parameters(made);
  if (status == LW_OK)
    *parameters = made;
  else
    lw_parameters_destroy(made);
  return status;
}

void lw_parameters_destroy(lwParameters* parameters)
{
  if (!parameters) return;
  for (int b = 0; parameters->names && b < parameters->base->count; ++b) free(parameters->names[b]);
  free(parameters->names);
  free(parameters->columns);
  free(parameters->values);
  lw_base_free(&parameters->ruled);
  lw_base_free(&parameters->ranked);
  lw_unknowns_free(&parameters->unknowns);
  free(parameters);
}

lwParameterCount lw_parameters_count(const lwParameters* parameters)
{
  return parameters->count;
}

lwBaseParameter lw_parameters_base(const lwParameters* parameters, int i)
{
  const lwBaseParameters* base = parameters->base;
  return (lwBaseParameter){.name    = parameters->names[i],
                           .unit    = lw_unknown_unit(&parameters->unknowns, base->kept[i]),
                           .value   = lw_base_value(base, i, parameters->values),
                           .column  = base->kept[i],
                           .factors = base->factor + (size_t)i * (size_t)base->unknowns};
}

const char* lw_parameters_name(const lwParameters* parameters, int column)
{
  return parameters->columns[column];
}

bool lw_parameters_idle(const lwParameters* parameters, int column)
{
  const lwBaseParameters* base = parameters->base;
  for (int b = 0; b < base->count; ++b)
    if (base->factor[(size_t)b * (size_t)base->unknowns + (size_t)column] != 0) return false;
  return true;
}
