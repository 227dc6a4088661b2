// SPDX-License-Identifier: MIT
// The state of a snake's run as bytes, as arm_state.c does it for arms.
#include <string.h>

#include "arm/snake_run.h"
#include "base/diag.h"

static void pass_full(lwSnakeRun* run, lwStateBytes* state)
{
  lwSnakeFull* full = run->full;
  size_t n = (size_t)run->n, size = (size_t)full->size;
  lw_state_numbers(state, full->force, 2 * n);
  lw_state_numbers(state, full->qdd, size);
  lw_state_numbers(state, full->lambda, size);
  lw_state_numbers(state, &full->stop_loss, 1);
  lw_state_numbers(state, full->chatter.recent,
                   sizeof full->chatter.recent / sizeof full->chatter.recent[0]);
  lw_state_signs(state, full->wheel, 2 * n);  // and stops
  lw_state_signs(state, full->before, 2 * n);
  lw_state_flags(state, full->stuck, 2 * n);
}

static void pass_snake(void* context, lwStateBytes* state)
{
  lwSnakeRun* run = context;
  size_t n        = (size_t)run->n;
  lw_state_numbers(state, run->y, (size_t)run->integrator->size);
  lw_state_numbers(state, run->torque, n);
  if (run->lambda) lw_state_numbers(state, run->lambda, n);
  lw_state_flags(state, run->beyond, n);
  lw_state_flags(state, &run->begun, 1);
  lw_state_numbers(state, &run->S0, 1);
  lw_state_numbers(state, &run->work, 1);
  if (run->full) pass_full(run, state);
  lw_energy_state(&run->energy, state);
  lw_audit_state(&run->audit, run->notes, run->n - 1, state);
  lw_integrator_state(run->integrator, state);
}

// Everything that the definition fixes, but for the law and the drive.
static uint64_t snake_kind(const lwSnakeRun* run)
{
  const lwIntegrator* integrator = run->integrator;
  const int facts[] = {run->n,        integrator->size, (int)run->def.precision, run->def.stabilise,
                       run->def.slip, run->def.stops};
  const double steps[] = {integrator->def.step, run->def.integrator.longest};
  size_t bytes         = (size_t)integrator->size * sizeof(double);
  uint64_t hash        = lw_state_hash(LW_STATE_HASH, "snake", 5);
  hash = lw_state_hash(hash, integrator->method->name, strlen(integrator->method->name));
  hash = lw_state_hash(hash, facts, sizeof facts);
  hash = lw_state_hash(hash, steps, sizeof steps);
  hash = lw_state_hash(hash, integrator->relative, bytes);
  hash = lw_state_hash(hash, integrator->absolute, bytes);
  for (int k = 0; k < run->n; ++k)
  {
    lwSnakeLink link       = lw_snake_get(run->snake, k);
    const double numbers[] = {link.length,         link.mass,  link.inertia, link.wheel_offset,
                              link.friction_limit, link.lower, link.upper};
    hash                   = lw_state_hash(hash, numbers, sizeof numbers);
  }
  return hash;
}

size_t lw_snake_run_save(const lwSnakeRun* run, void* state, size_t capacity)
{
  return lw_state_save((lwSnakeRun*)run, pass_snake, snake_kind(run), state, capacity);
}

lwStatus lw_snake_run_restore(lwSnakeRun* run, const void* state, size_t size, lwDiag* diag)
{
  if (lw_state_restore(run, pass_snake, snake_kind(run), state, size)) return LW_OK;
  return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                   "this is no state of such a run: snake, integrator, slip and stops must be "
                   "those of the run that it was saved from");
}

lwStatus lw_snake_run_clone(const lwSnakeRun* run, lwDiag* diag, lwSnakeRun** copy)
{
  lwSnakeRunDef def        = run->def;
  lwArena arena            = {0};
  size_t size              = lw_snake_run_save(run, NULL, 0);
  void* state              = lw_arena_take(&arena, size, 1);
  def.integrator.relatives = run->integrator->relative;
  def.integrator.absolutes = run->integrator->absolute;
  *copy                    = NULL;
  lwStatus status          = state ? lw_snake_run_create(&def, diag, copy) : LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    lw_snake_run_save(run, state, size);
    status = lw_snake_run_restore(*copy, state, size, diag);
  }
  lw_arena_free(&arena);
  return status;
}
