// SPDX-License-Identifier: MIT
// Creates a fleet: sorts arms into groups and takes all memory.
#include "fleet/fleet_internal.h"

#include <stdlib.h>
#include <string.h>

#include "fleet/thread_pool.h"

lwFleetDef lw_fleet_def(void)
{
  return (lwFleetDef){.method = "rk4", .step = 1e-3, .fastest = 1e9, .cookie = LW_COOKIE};
}

// --- groups

// An arm and what determines its group. All lanes take the same path through a kernel, which
// depends on the kinds of the joints, including those that dimensions make special. Arms with other
// kinds are in other groups: together they would have to take the general path, and an arm's last
// bits would depend on its neighbours.
typedef struct FleetEntry
{
  const unsigned char* kind;  // (n)
  size_t size;                // bytes of kind
  int arm;
} FleetEntry;

static int by_kind(const void* a, const void* b)
{
  const FleetEntry *first = a, *second = b;
  int order = first->kind == second->kind ? 0 : memcmp(first->kind, second->kind, first->size);
  return order != 0 ? order : first->arm < second->arm ? -1 : first->arm > second->arm;
}

static FleetEntry* sorted_entries(const lwFleetDef* def)
{
  size_t count        = (size_t)def->count;
  FleetEntry* entries = calloc(count, sizeof *entries);
  if (!entries) return NULL;
  for (int i = 0; i < def->count; ++i)
  {
    const lwModel* model = lw_fleet_model(def, i);
    entries[i]           = (FleetEntry){model->kind, (size_t)model->n * sizeof *model->kind, i};
  }
  if (!def->model) qsort(entries, count, sizeof *entries, by_kind);
  return entries;
}

// How many of the next entries make a group.
static int fleet_group_size(const FleetEntry* entries, int left, int lanes)
{
  int count = 1;
  while (count < left && count < lanes &&
         !memcmp(entries[count].kind, entries[0].kind, entries[0].size))
    ++count;
  return count;
}

// --- memory

static bool take_mixed(lwFleet* fleet, lwFleetGroup* group)
{
  enum
  {
    LINK = sizeof(lwLink64) / sizeof(double),
    ENDS = sizeof(lwEnds64) / sizeof(double)
  };
  size_t n = (size_t)fleet->n, lanes = (size_t)fleet->lanes;
  double* links = lw_arena_take(&fleet->arena, n * LINK * lanes, sizeof *links);
  double* ends  = lw_arena_take(&fleet->arena, ENDS * lanes, sizeof *ends);
  if (!links || !ends) return false;
  for (size_t lane = 0; lane < lanes; ++lane)
  {
    const lwModel* model = fleet->def.models[group->arm[lane]];
    lw_fleet_mix((const double*)model->link64, n * LINK, lanes, links + lane);
    lw_fleet_mix((const double*)&model->ends64, ENDS, lanes, ends + lane);
  }
  group->mixed              = *fleet->def.models[group->arm[0]];
  group->mixed.scalar_links = links;
  group->mixed.scalar_ends  = ends;
  group->model              = &group->mixed;
  return true;
}

static bool take_group(lwFleet* fleet, lwFleetGroup* group, const FleetEntry* entries)
{
  size_t size    = (size_t)fleet->n * (size_t)fleet->lanes;
  lwArena* arena = &fleet->arena;
  group->arm     = lw_arena_take(arena, (size_t)fleet->lanes, sizeof *group->arm);
  group->y       = lw_arena_take(arena, lw_fleet_state_size(fleet), sizeof *group->y);
  group->seen    = lw_arena_take(arena, lw_fleet_state_size(fleet), sizeof *group->seen);
  group->rotors  = lw_arena_take(arena, fleet->def.rotors ? size : 0, sizeof *group->rotors);
  group->energy  = lw_arena_take(arena, (size_t)fleet->lanes, sizeof *group->energy);
  group->S0      = lw_arena_take(arena, (size_t)fleet->lanes, sizeof *group->S0);
  group->tau     = lw_arena_take(arena, size, sizeof *group->tau);
  group->viscous = lw_arena_take(arena, fleet->def.viscous ? size : 0, sizeof *group->viscous);
  group->stopped = lw_arena_take(arena, (size_t)fleet->lanes, sizeof *group->stopped);
  if (lw_arena_failed(arena)) return false;
  for (int lane = 0; lane < fleet->lanes; ++lane)
    group->arm[lane] = entries[lane < group->count ? lane : group->count - 1].arm;
  for (int lane = 0; lane < group->count; ++lane)
    fleet->place[group->arm[lane]] =
        (size_t)(group - fleet->groups) * (size_t)fleet->lanes + (size_t)lane;
  for (int lane = 0; lane < fleet->lanes; ++lane)
    for (int i = 0; i < fleet->n; ++i)
    {
      const lwJointDef* joint =
          lw_model_joint_def(lw_fleet_model(&fleet->def, group->arm[lane]), i);
      size_t at = (size_t)i * (size_t)fleet->lanes + (size_t)lane;
      if (fleet->def.viscous) group->viscous[at] = joint->friction.viscous;
      if (fleet->def.rotors) group->rotors[at] = lw_joint_rotor(joint);
    }
  group->model = fleet->def.model;
  return group->model || take_mixed(fleet, group);
}

static bool take_groups(lwFleet* fleet, const FleetEntry* entries)
{
  int count = fleet->def.count, groups = 0;
  for (int i = 0; i < count; i += fleet_group_size(entries + i, count - i, fleet->lanes)) ++groups;
  fleet->groups = lw_arena_take(&fleet->arena, (size_t)groups, sizeof *fleet->groups);
  fleet->place  = lw_arena_take(&fleet->arena, (size_t)count, sizeof *fleet->place);
  fleet->arms   = lw_arena_take(&fleet->arena, (size_t)count, sizeof *fleet->arms);
  // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers to models are what is kept
  fleet->models = lw_arena_take(&fleet->arena, (size_t)count, sizeof *fleet->models);
  bool enough   = !lw_arena_failed(&fleet->arena);
  for (int i = 0; i < count && enough; ++i) fleet->models[i] = lw_fleet_model(&fleet->def, i);
  for (int i = 0; i < count && enough; ++fleet->group_count)
  {
    lwFleetGroup* group = &fleet->groups[fleet->group_count];
    group->count        = fleet_group_size(entries + i, count - i, fleet->lanes);
    enough              = take_group(fleet, group, entries + i);
    i += group->count;
  }
  return enough;
}

static lwStatus take_worker(lwFleet* fleet, lwFleetWorker* worker)
{
  lwIntegratorDef def = lw_integrator_def();
  int size            = fleet->n * fleet->lanes;
  worker->fleet       = fleet;
  worker->tau         = lw_arena_take(&fleet->arena, (size_t)size, sizeof *worker->tau);
  size_t bytes        = lw_kernel_bytes(fleet->kernel, fleet->n);
  size_t pushes       = lw_kernel_bytes(fleet->pusher, fleet->n);
  size_t energy       = lw_kernel_bytes(fleet->energy, fleet->n);
  if (bytes < pushes) bytes = pushes;
  if (bytes < energy) bytes = energy;
  worker->scratch  = lw_arena_take(&fleet->arena, bytes, 1);
  worker->energies = lw_arena_take(&fleet->arena, 2 * (size_t)fleet->lanes, sizeof(double));
  if (!worker->tau || !worker->scratch || !worker->energies) return LW_ERROR_MEMORY;
  def.method      = fleet->def.method;
  def.step        = fleet->def.step;
  def.end         = fleet->def.end;
  lwStatus status = lw_integrator_create(&def, (int)lw_fleet_state_size(fleet), lw_fleet_rates,
                                         worker, NULL, &worker->integrator);
  if (status == LW_OK) lw_integrator_on_step(worker->integrator, lw_fleet_step_end, worker);
  return status;
}

static lwStatus take_workers(lwFleet* fleet)
{
  int threads     = lw_thread_count(fleet->def.threads);
  lwStatus status = LW_OK;
  if (threads > fleet->group_count) threads = fleet->group_count;
  fleet->pool = lw_pool_create(threads);
  if (!fleet->pool) return LW_ERROR_MEMORY;
  threads        = lw_pool_size(fleet->pool);
  fleet->workers = lw_arena_take(&fleet->arena, (size_t)threads, sizeof *fleet->workers);
  if (!fleet->workers) return LW_ERROR_MEMORY;
  while (fleet->threads < threads && status == LW_OK)
    status = take_worker(fleet, &fleet->workers[fleet->threads++]);
  return status;
}

static lwStatus fleet_memory(lwFleet* fleet)
{
  FleetEntry* entries = sorted_entries(&fleet->def);
  bool enough         = entries && take_groups(fleet, entries);
  lwStatus status     = enough ? take_workers(fleet) : LW_ERROR_MEMORY;
  free(entries);
  return status;
}

// --- life

lwStatus lw_fleet_create(const lwFleetDef* def, lwDiag* diag, lwFleet** fleet)
{
  *fleet           = NULL;
  const lwIsa* isa = lw_isa_choose();
  if (!isa) return lw_isa_refuse(diag);
  lwStatus status = lw_fleet_check(def, diag);
  if (status != LW_OK) return status;
  lwFleet* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  const lwVariant* lanes = isa->lanes[LW_PRECISION_DOUBLE];
  made->def              = *def;
  made->kernel           = def->model ? lanes->kernels[LW_KERNEL_articulated_body] : isa->mixed;
  made->pusher     = def->model ? lanes->kernels[LW_KERNEL_pushed_torques] : isa->mixed_pushes;
  made->energy     = def->model ? lanes->kernels[LW_KERNEL_energy] : isa->mixed_energy;
  made->lanes      = lanes->lanes;
  made->n          = lw_fleet_model(def, 0)->n;
  status           = fleet_memory(made);
  made->def.models = NULL;  // of the caller
  if (status == LW_OK) status = lw_fleet_start(made, 0, NULL, NULL);
  if (status == LW_OK)
    *fleet = made;
  else
    lw_fleet_destroy(made);
  return status;
}

void lw_fleet_destroy(lwFleet* fleet)
{
  if (!fleet) return;
  lw_pool_destroy(fleet->pool);
  for (int i = 0; i < fleet->threads; ++i) lw_integrator_destroy(fleet->workers[i].integrator);
  lw_arena_free(&fleet->arena);
  free(fleet);
}

int lw_fleet_lanes(const lwFleet* fleet)
{
  return fleet->lanes;
}

int lw_fleet_threads(const lwFleet* fleet)
{
  return fleet->threads;
}

double lw_fleet_time(const lwFleet* fleet)
{
  return fleet->t;
}
