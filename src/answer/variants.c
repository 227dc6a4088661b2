// SPDX-License-Identifier: MIT
#include "answer/variants.h"

#include <stdlib.h>
#include <string.h>

#ifdef LINKWORK_CORE_ONLY
#define DECLARE_FORMULATIONS(isa)
#define FORMULATIONS(isa) NULL
#else
#define DECLARE_FORMULATIONS(isa) extern const lwFormulationTable lw_formulations_f64_##isa;
#define FORMULATIONS(isa)         &lw_formulations_f64_##isa
#endif
#define DECLARE(isa)                                                                               \
  extern const lwVariant lw_variant_f64_##isa, lw_variant_f32_##isa, lw_variant_f64_lanes_##isa,   \
      lw_variant_f32_lanes_##isa;                                                                  \
  extern const lwKernel lw_articulated_body_f64_mixed_##isa, lw_pushed_torques_f64_mixed_##isa,    \
      lw_energy_f64_mixed_##isa;                                                                   \
  extern const lwLoopEquations lw_loop_equations_f64_##isa;                                        \
  extern const lwLoopElimination lw_loop_elimination_f64_##isa;                                    \
  extern const lwNullSpace lw_null_space_f64_##isa;                                                \
  DECLARE_FORMULATIONS(isa)
#define ISA(isa)                                                                                   \
  {                                                                                                \
#isa, {&lw_variant_f64_##isa, &lw_variant_f32_##isa },                                         \
           {&lw_variant_f64_lanes_##isa, &lw_variant_f32_lanes_##isa },                            \
            &lw_articulated_body_f64_mixed_##isa, &lw_pushed_torques_f64_mixed_##isa,              \
            &lw_energy_f64_mixed_##isa, &lw_loop_equations_f64_##isa,                              \
            &lw_loop_elimination_f64_##isa, &lw_null_space_f64_##isa, FORMULATIONS(isa)            \
  }

DECLARE(baseline)
#ifdef LINKWORK_AVX2
DECLARE(avx2)
#endif
#ifdef LINKWORK_AVX512
DECLARE(avx512)
#endif
#ifndef LINKWORK_CORE_ONLY
extern const lwVariant lw_variant_count_baseline, lw_variant_prime_baseline,
    lw_variant_dual_baseline;
extern const lwFormulationTable lw_formulations_count_baseline, lw_formulations_prime_baseline;
#endif

static const lwIsa isas[] = {
    ISA(baseline),
#ifdef LINKWORK_AVX2
    ISA(avx2),
#endif
#ifdef LINKWORK_AVX512
    ISA(avx512),
#endif
};

int lw_isa_count(void)
{
  return (int)(sizeof isas / sizeof isas[0]);
}

const lwIsa* lw_isa(int i)
{
  return &isas[i];
}

bool lw_isa_runs(const lwIsa* isa)
{
#ifdef LINKWORK_AVX2
  if (!strcmp(isa->name, "avx2"))
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#ifdef LINKWORK_AVX512
  if (!strcmp(isa->name, "avx512"))
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("fma");
#endif
  return !strcmp(isa->name, "baseline");
}

const lwIsa* lw_isa_choose(void)
{
  const char* wanted = getenv("LINKWORK_ISA");
  for (int i = lw_isa_count() - 1; i >= 0; --i)
    if ((!wanted || !*wanted || !strcmp(wanted, isas[i].name)) && lw_isa_runs(&isas[i]))
      return &isas[i];
  return NULL;
}

lwStatus lw_isa_refuse(lwDiag* diag)
{
  const char* wanted = getenv("LINKWORK_ISA");
  char known[64]     = "";
  for (int i = 0; i < lw_isa_count(); ++i)
    if (lw_isa_runs(&isas[i]))
    {
      if (known[0]) strcat(known, ", ");
      strcat(known, isas[i].name);
    }
  LW_REFUSE(diag, NULL,
            "LINKWORK_ISA names the instruction set '%.60s', expected one that this machine and "
            "build have: %s",
            wanted ? wanted : "", known);
  return LW_ERROR_ISA;
}

#ifndef LINKWORK_CORE_ONLY
const lwVariant* lw_count_variant(void)
{
  return &lw_variant_count_baseline;
}

const lwVariant* lw_dual_variant(void)
{
  return &lw_variant_dual_baseline;
}

const lwVariant* lw_prime_variant(void)
{
  return &lw_variant_prime_baseline;
}

const lwFormulationTable* lw_count_formulations(void)
{
  return &lw_formulations_count_baseline;
}

const lwFormulationTable* lw_prime_formulations(void)
{
  return &lw_formulations_prime_baseline;
}

#if LINKWORK_QUAD
extern const lwVariant lw_variant_quad_baseline;
#endif

const lwVariant* lw_quad_variant(void)
{
#if LINKWORK_QUAD
  return &lw_variant_quad_baseline;
#else
  return NULL;
#endif
}
#endif
