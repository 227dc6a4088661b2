// SPDX-License-Identifier: MIT
// The audit of a simulation: how it went, and whether to believe it.
#include <errno.h>

#include "simulate.h"

bool simulation_is_partial(const Simulation* sim)
{
  return sim->output_error != 0 ||
         (sim->outcome != LW_OUTCOME_ARRIVED && sim->outcome != LW_OUTCOME_CONDITION &&
          sim->outcome != LW_OUTCOME_LIMIT);
}

static lwRunFacts simulation_facts(const Simulation* sim)
{
  const char* failed = sim->output_error == EPIPE ? "ended: reader closed" : "ended: output failed";
  return (lwRunFacts){.source     = {"scenario", sim->name},
                      .robot      = {"robot", lw_model_name(sim->model)},
                      .integrator = sim->arm.integrator.method,
                      .outcome    = sim->output_error ? failed : lw_outcome_text(sim->outcome),
                      .partial    = simulation_is_partial(sim),
                      .reached    = sim->reached,
                      .seconds    = sim->seconds};
}

void audit_text(const Simulation* sim, lwPrint* print, void* to)
{
  const lwRunFacts facts       = simulation_facts(sim);
  const lwAuditPrinter printer = {print, to};
  lw_arm_audit_text(&facts, &sim->arm, sim->run, &printer);
}

// Like its table, the audit of a run that was interrupted or failed does not replace an older one.
// If only the table could not be written, the audit says so under its own name.
int audit_write(const Simulation* sim, const char* path)
{
  const lwRunFacts facts = simulation_facts(sim);
  bool part              = facts.partial && sim->output_error == 0;
  lwOut out;
  int status = out_open(&out, path);
  if (status != DONE) return status;
  lw_arm_audit_json(&facts, &sim->arm, sim->run, &out);
  return part ? out_close_partial(&out, DONE) : out_close(&out, DONE, false);
}
