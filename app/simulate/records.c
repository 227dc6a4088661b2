// SPDX-License-Identifier: MIT
// What is recorded of an arm over time, and how its run goes from record to record.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "simulate.h"

// --- records

// Groups of columns that have one for each joint, or for some.
typedef enum Part
{
  PART_Q,
  PART_QD,
  PART_QDD,
  PART_TAU,
  PART_V,
  PART_I,
  PART_COUNT
} Part;

static const char* const PARTS[PART_COUNT] = {"q", "qd", "qdd", "tau", "v", "i"};
static const char* const ENERGIES[]        = {"kinetic", "potential", "work", "S"};

static bool has(const Simulation* sim, int part, int k)
{
  if (part == PART_V) return lw_arm_run_has_voltage(sim->run, k);
  return part != PART_I || lw_arm_run_has_current(sim->run, k);
}

// The part and the joint of column c; PART_COUNT: the energies, by `joint`.
static Part part_of(const Simulation* sim, size_t c, int* joint)
{
  size_t next = 1;
  for (int part = 0; part < PART_COUNT; ++part)
    for (*joint = 0; *joint < sim->n; ++*joint)
      if (has(sim, part, *joint) && next++ == c) return (Part)part;
  *joint = (int)(c - next);
  return PART_COUNT;
}

static size_t count_columns(const Simulation* sim)
{
  size_t count = 5;  // t and the energies
  for (int part = 0; part < PART_COUNT; ++part)
    for (int k = 0; k < sim->n; ++k) count += has(sim, part, k);
  return count;
}

void simulation_column(const void* context, size_t c, char name[ROW_NAME])
{
  int joint = 0;
  Part part = c > 0 ? part_of(context, c, &joint) : PART_COUNT;
  if (c == 0)
    snprintf(name, ROW_NAME, "t");
  else if (part == PART_COUNT)
    snprintf(name, ROW_NAME, "%s", ENERGIES[joint]);
  else
    snprintf(name, ROW_NAME, "%s%d", PARTS[part], joint + 1);
}

bool simulation_record(Simulation* sim)
{
  const lwArmSample sample         = lw_arm_run_sample(sim->run);
  const double* arrays[PART_COUNT] = {sample.q,   sample.qd,      sample.qdd,
                                      sample.tau, sample.voltage, sample.current};
  double* to                       = sim->values;
  if (!isfinite(sample.S)) return false;
  *to++ = sample.t;
  for (int part = 0; part < PART_COUNT; ++part)
    for (int k = 0; k < sim->n; ++k)
      if (part < PART_V || has(sim, part, k)) *to++ = arrays[part][k];
  *to++ = sample.kinetic;
  *to++ = sample.potential;
  *to++ = sample.work;
  *to++ = sample.S;
  sim->keep(sim->to, sim->values);
  ++sim->kept;
  sim->reached = sample.t;
  return true;
}

// --- the run

static int interrupted(const Simulation* sim)
{
  fprintf(stderr, "linkwork: interrupted at t = %.9g of %g s; %ld records up to there are kept\n",
          sim->reached, sim->course.duration, sim->kept);
  return 128 + course_stop;
}

static int broke_down(const Simulation* sim)
{
  static const char* const what[] = {[LW_OUTCOME_CHATTER] = "too many events in too short a time",
                                     [LW_OUTCOME_NOT_FINITE] = "the motion is not finite",
                                     [LW_OUTCOME_STEP_VANISHED] =
                                         "steps became too short to go on"};
  char why[200];
  int joint        = lw_arm_run_why(sim->run, why, sizeof why);
  const char* name = joint < 0 ? "the arm" : joint_name(sim->model, joint);
  return fail(NUMERICAL, "simulate: %s after t = %.9g s, joint '%s': %s; %ld records are kept",
              what[sim->outcome], lw_arm_run_time(sim->run), name, why, sim->kept);
}

// A run that an event ends has its last record there.
static int ended_early(Simulation* sim)
{
  if (!simulation_record(sim)) return broke_down(sim);
  fprintf(stderr, "linkwork: the run ends at t = %.9g of %g s: %s\n", sim->reached,
          sim->course.duration,
          sim->outcome == LW_OUTCOME_LIMIT ? "a joint reached its limit" : "an event says so");
  return NO;
}

int simulation_step(void* context, double t)
{
  Simulation* sim = context;
  sim->outcome    = lw_arm_run_advance(sim->run, t, &course_stop);
  if (sim->outcome == LW_OUTCOME_STOPPED) return interrupted(sim);
  if (sim->outcome == LW_OUTCOME_CONDITION || sim->outcome == LW_OUTCOME_LIMIT)
    return ended_early(sim);
  if (sim->outcome == LW_OUTCOME_ARRIVED && !simulation_record(sim))
    sim->outcome = LW_OUTCOME_NOT_FINITE;
  if (sim->outcome != LW_OUTCOME_ARRIVED) return broke_down(sim);
  if (!course_stop || t >= sim->course.duration) return DONE;
  sim->outcome = LW_OUTCOME_STOPPED;
  return interrupted(sim);
}

// --- begin and end

int simulation_begin(Simulation* sim, const char* about)
{
  lwStatus made = lw_arm_run_create(&sim->arm, &sim->run);
  if (made != LW_OK) return fail(INPUT, "%s: %s", about, lw_status_text(made));
  sim->n       = lw_model_dof(sim->model);
  sim->columns = count_columns(sim);
  sim->values  = calloc(sim->columns, sizeof *sim->values);
  return sim->values ? DONE : fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
}

void simulation_end(Simulation* sim)
{
  free(sim->values);
  lw_arm_run_destroy(sim->run);
}

int simulation_part(const Simulation* sim, size_t c)
{
  int joint = 0;
  Part part = c > 0 ? part_of(sim, c, &joint) : PART_COUNT;
  return part < PART_COUNT ? (int)part : -1;
}

int simulation_joint(const Simulation* sim, size_t c)
{
  int joint = 0;
  return simulation_part(sim, c) >= 0 && part_of(sim, c, &joint) < PART_COUNT ? joint : -1;
}

bool simulation_plot_names(const Simulation* sim, PlotTable* plot)
{
  for (size_t c = 0; c < sim->columns; ++c)
  {
    char name[ROW_NAME];
    int joint = simulation_joint(sim, c);
    simulation_column(sim, c, name);
    if (!plot_table_name(plot, c, name, joint >= 0 ? joint_name(sim->model, joint) : NULL))
      return false;
  }
  return true;
}
