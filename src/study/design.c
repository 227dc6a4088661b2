// SPDX-License-Identifier: MIT
// The parameter values of sample k: the design gives a point of the unit cube,
// which the distributions map to values.
#include <math.h>

#include "study/study_internal.h"

const char* const LW_DESIGN_WORDS[LW_DESIGN_COUNT + 1] = {
    "sobol", "latin-hypercube", "monte-carlo", "factorial", "corners", "saltelli", NULL};

const char* lw_design_word(lwDesign design)
{
  return LW_DESIGN_WORDS[design];
}

// --- points

enum
{
  STREAM_MONTE_CARLO = 2,
  STREAM_LATIN       = 3,
  STREAM_CELL        = 4
};

static double latin_coordinate(const lwStudy* study, long k, int d)
{
  uint64_t n = (uint64_t)study->base;
  uint64_t cell =
      lw_study_permuted(study->seed, STREAM_LATIN + 16 * ((uint64_t)d + 1), n, (uint64_t)k);
  double u = ((double)cell + lw_study_uniform(study->seed, STREAM_CELL, (uint64_t)k, (uint64_t)d)) /
             (double)n;
  return fmin(u, 1 - 0x1p-53);
}

// In a block of d + 2 samples the first is row A, the second row B, and the
// others are A with one coordinate of B.
static double saltelli_coordinate(const lwStudy* study, long k, int d)
{
  int count = study->parameter_count, part = (int)(k % (count + 2));
  bool second = part == 1 || part == d + 2;
  return lw_sobol_scrambled(study->sobol, study->seed, (uint32_t)(k / (count + 2)),
                            second ? count + d : d);
}

static double point_coordinate(const lwStudy* study, long k, int d)
{
  if (study->design == LW_DESIGN_SOBOL)
    return lw_sobol_scrambled(study->sobol, study->seed, (uint32_t)k, d);
  if (study->design == LW_DESIGN_LATIN_HYPERCUBE) return latin_coordinate(study, k, d);
  if (study->design == LW_DESIGN_SALTELLI) return saltelli_coordinate(study, k, d);
  return lw_study_uniform(study->seed, STREAM_MONTE_CARLO, (uint64_t)k, (uint64_t)d);
}

// --- dependence: a Gaussian copula

static void correlate(const lwGroup* group, double* u)
{
  double z[LW_STUDY_MAX_GROUP];
  for (int i = 0; i < group->count; ++i) z[i] = lw_normal_quantile(u[group->members[i]]);
  for (int i = 0; i < group->count; ++i)
  {
    double sum = 0;
    for (int j = 0; j <= i; ++j) sum += group->factor[i * group->count + j] * z[j];
    u[group->members[i]] = fmin(fmax(lw_normal_cdf(sum), 0x1p-54), 1 - 0x1p-53);
  }
}

// --- levels

static double level_value(const lwParameterDef* parameter, int level, int levels)
{
  const lwDistribution* distribution = &parameter->distribution;
  double low, high;
  if (distribution->kind == LW_DISTRIBUTION_DISCRETE && levels == distribution->count)
    return distribution->values[level];
  lw_distribution_ends(distribution, &low, &high);
  if (levels == 1) return lw_distribution_quantile(distribution, 0.5);
  return level == levels - 1 ? high : low + (high - low) * level / (levels - 1);
}

// The first parameter changes fastest.
static void draw_levels(const lwStudy* study, long k, double* values)
{
  for (int d = 0; d < study->parameter_count; ++d)
  {
    const lwParameterDef* parameter = &study->parameters[d];
    int levels                      = study->design == LW_DESIGN_CORNERS ? 2 : parameter->levels;
    values[d]                       = level_value(parameter, (int)(k % levels), levels);
    k /= levels;
  }
}

void lw_study_draw(const lwStudy* study, long k, double* values)
{
  bool levels = study->design == LW_DESIGN_FACTORIAL || study->design == LW_DESIGN_CORNERS;
  if (levels && k >= 0) return draw_levels(study, k, values);
  for (int d = 0; d < study->parameter_count; ++d)
    values[d] = k < 0 ? 0.5 : point_coordinate(study, k, d);
  for (int g = 0; g < study->group_count && k >= 0; ++g) correlate(&study->groups[g], values);
  for (int d = 0; d < study->parameter_count; ++d)
    values[d] = lw_distribution_quantile(&study->parameters[d].distribution, values[d]);
}

// --- how many

long lw_study_samples(const lwStudy* study)
{
  return study->samples;
}

// Combinations of levels; 0: too many.
static long combinations(const lwStudy* study)
{
  double product = 1;
  for (int d = 0; d < study->parameter_count; ++d)
    product *= study->design == LW_DESIGN_CORNERS ? 2 : study->parameters[d].levels;
  return product <= LW_STUDY_MAX_SAMPLES ? (long)product : 0;
}

lwStatus lw_study_set_samples(lwStudy* study, long points, lwDiag* diag)
{
  bool levels = study->design == LW_DESIGN_FACTORIAL || study->design == LW_DESIGN_CORNERS;
  long each   = study->design == LW_DESIGN_SALTELLI ? study->parameter_count + 2 : 1;
  if (points < 0 || points > LW_STUDY_MAX_SAMPLES / each)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%ld samples, expected 1 to %ld", points,
                     LW_STUDY_MAX_SAMPLES / each);
  if (levels && points > 0)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "the parameters decide how many samples the design '%s' has, %ld",
                     lw_design_word(study->design), study->samples);
  if (points > 0) study->base = points;
  study->samples = levels ? combinations(study) : study->base * each;
  return LW_OK;
}
