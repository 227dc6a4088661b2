// SPDX-License-Identifier: MIT
// What is recorded of an arm over time, and how its run goes from record to record.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/note.h"
#include "simulate.h"
#include "states/states.h"

// --- columns

// Parts of a record: those of the joints, each with a column for every one of them or for
// some, then the others.
typedef enum RecordPart
{
  PART_Q,
  PART_QD,
  PART_QDD,
  PART_TAU,
  PART_V,
  PART_I,
  PART_REFERENCE,
  PART_VELOCITY_REFERENCE,
  PART_ERROR,
  PART_POSE,
  PART_ENERGY,
  PART_TIME,
  PART_COUNT
} RecordPart;

// option: what --columns calls it; symbol: of the columns of joints, or NULL.
static const struct
{
  const char *option, *symbol;
  Option like;       // the option of joints that has the same unit
  const char* unit;  // of all its columns; NULL: that of the option
} PARTS[PART_COUNT] = {[PART_Q]                  = {"q", "q", OPTION_Q, NULL},
                       [PART_QD]                 = {"qd", "qd", OPTION_QD, NULL},
                       [PART_QDD]                = {"qdd", "qdd", OPTION_QDD, NULL},
                       [PART_TAU]                = {"tau", "tau", OPTION_TAU, NULL},
                       [PART_V]                  = {"v", "v", OPTION_Q, "V"},
                       [PART_I]                  = {"i", "i", OPTION_Q, "A"},
                       [PART_ENERGY]             = {"energy", NULL, OPTION_Q, "J"},
                       [PART_REFERENCE]          = {"reference", "q_ref", OPTION_Q, NULL},
                       [PART_VELOCITY_REFERENCE] = {"reference", "qd_ref", OPTION_QD, NULL},
                       [PART_ERROR]              = {"error", "q_err", OPTION_Q, NULL},
                       [PART_POSE]               = {"pose", NULL, OPTION_Q, NULL},
                       [PART_TIME]               = {"t", NULL, OPTION_Q, "s"}};

static const char* const ENERGIES[] = {"kinetic", "potential", "work", "S"};
static const char* const POSE[]     = {"x", "y", "z", "roll", "pitch", "yaw"};

enum
{
  ENERGY_COUNT = sizeof ENERGIES / sizeof *ENERGIES,
  POSE_COUNT   = sizeof POSE / sizeof *POSE,
  // what the shell of swartz1982 records
  STATE_PARTS = ((1 << PART_REFERENCE) - 1) | 1 << PART_ENERGY,
  ALL_PARTS   = (1 << PART_TIME) - 1
};

static bool has_column(const Simulation* sim, int part, int k)
{
  bool controlled = sim->arm.controller.kind != LW_CONTROL_NONE;
  if (!(sim->parts >> part & 1)) return part == PART_TIME && k == 0;
  if (part == PART_V) return k < sim->n && lw_arm_run_has_voltage(sim->run, k);
  if (part == PART_I) return k < sim->n && lw_arm_run_has_current(sim->run, k);
  if (part == PART_ENERGY) return k < ENERGY_COUNT;
  if (part == PART_POSE) return k < POSE_COUNT && sim->n > 0;
  if (part >= PART_REFERENCE && part <= PART_ERROR && !controlled) return false;
  return k < (part == PART_Q || part == PART_REFERENCE ? lw_model_nq(sim->model) : sim->n);
}

// t first, then part by part; returns how many columns there are. columns may be NULL.
static size_t list_columns(const Simulation* sim, RecordColumn* columns)
{
  size_t count = 0;
  int nq = lw_model_nq(sim->model), most = nq > POSE_COUNT ? nq : POSE_COUNT;
  for (int p = -1; p < PART_TIME; ++p)
    for (int k = 0; k < (p < 0 ? 1 : most); ++k)
    {
      int part = p < 0 ? PART_TIME : p;
      if (!has_column(sim, part, k)) continue;
      if (columns) columns[count] = (RecordColumn){part, k};
      ++count;
    }
  return count;
}

void simulation_column(const void* context, size_t c, char name[LW_ROW_NAME])
{
  const Simulation* sim = context;
  RecordColumn column   = sim->column[c];
  if (column.part == PART_TIME)
    snprintf(name, LW_ROW_NAME, "t");
  else if (column.part == PART_ENERGY)
    snprintf(name, LW_ROW_NAME, "%s", ENERGIES[column.index]);
  else if (column.part == PART_POSE)
    snprintf(name, LW_ROW_NAME, "%s", POSE[column.index]);
  else
    joint_column(sim->model, PARTS[column.part].symbol, column.index,
                 sim->timed.options->value[OPTION_NAMES], name);
}

const char* simulation_unit(const void* context, size_t c)
{
  const Simulation* sim = context;
  RecordColumn column   = sim->column[c];
  if (PARTS[column.part].unit) return PARTS[column.part].unit;
  if (column.part == PART_POSE) return column.index < 3 ? "m" : "rad";
  return joint_unit(sim->model, PARTS[column.part].like, column.index);
}

int simulation_joint(const Simulation* sim, size_t c)
{
  RecordColumn column = sim->column[c];
  bool positions      = column.part == PART_Q || column.part == PART_REFERENCE;
  if (positions) return lw_model_position(sim->model, column.index).other;
  return PARTS[column.part].symbol ? column.index : -1;
}

// Tables show positions and energies, or what was asked for.
bool simulation_column_shown(const void* context, size_t c)
{
  const Simulation* sim = context;
  RecordPart part       = (RecordPart)sim->column[c].part;
  return sim->timed.options->value[OPTION_COLUMNS] || part == PART_TIME || part == PART_Q ||
         part == PART_ENERGY;
}

static void take_part(Simulation* sim, const char* word, size_t length)
{
  unsigned found  = 0;
  Nearest nearest = nearest_to(word, length);
  for (int part = 0; part < PART_TIME; ++part)
  {
    nearest_offer(&nearest, PARTS[part].option);
    if (text_is(PARTS[part].option, word, length)) found |= 1u << part;
  }
  if (!found)
    stop(USAGE,
         "--columns: '%.*s' is unknown, expected some of q, qd, qdd, tau, v, i, energy, reference, "
         "error, pose%s%s",
         (int)length, word, nearest_found(&nearest) ? "; " : "", nearest_or(&nearest, ""));
  sim->parts |= found;
}

void simulation_choose_columns(Simulation* sim, const char* list)
{
  sim->parts = list ? 0 : ALL_PARTS;
  for (const char* word = list; word;)
  {
    size_t length = strcspn(word, ",");
    take_part(sim, word, length);
    word = word[length] ? word + length + 1 : NULL;
  }
}

// --- records

// q*, qd* and qdd* that the controller follows; without a reference it holds the initial position.
static void take_reference(Simulation* sim, double t)
{
  int nq    = lw_model_nq(sim->model);
  double *q = sim->reference, *qd = q + nq, *qdd = qd + sim->n;
  if (sim->arm.controller.reference)
    sim->arm.controller.reference(sim->arm.controller.context, t, q, qd, qdd);
  else
  {
    lw_model_neutral(sim->model, q);
    if (sim->arm.q) memcpy(q, sim->arm.q, (size_t)nq * sizeof *q);
    memset(qd, 0, (size_t)sim->n * sizeof *qd);
  }
}

static void take_pose(Simulation* sim, const double* q)
{
  double rotation[9];
  lw_pose(sim->model, sim->ws, q, sim->pose, rotation);
  lw_rotation_to_rpy(rotation, sim->pose + 3);
  for (int k = 0; k < POSE_COUNT; ++k) sim->pose[k] += 0.0;  // no -0
}

static double value_of(const Simulation* sim, const lwArmSample* sample, RecordColumn column)
{
  const double energies[] = {sample->kinetic, sample->potential, sample->work, sample->S};
  const double* velocity  = sim->reference + lw_model_nq(sim->model);
  const double* const values[PART_COUNT] = {
      [PART_Q] = sample->q,       [PART_QD] = sample->qd,
      [PART_QDD] = sample->qdd,   [PART_TAU] = sample->tau,
      [PART_V] = sample->voltage, [PART_I] = sample->current,
      [PART_ENERGY] = energies,   [PART_REFERENCE] = sim->reference,
      [PART_POSE] = sim->pose,    [PART_VELOCITY_REFERENCE] = velocity,
      [PART_ERROR] = sim->error,  [PART_TIME] = &sample->t};
  return values[column.part][column.index];
}

bool simulation_record(Simulation* sim)
{
  const lwArmSample sample = lw_arm_run_sample(sim->run);
  if (!isfinite(sample.S)) return false;
  if (sim->arm.controller.kind != LW_CONTROL_NONE) take_reference(sim, sample.t);
  if (sim->arm.controller.kind != LW_CONTROL_NONE)
    lw_model_difference(sim->model, sample.q, sim->reference, sim->error);
  if (sim->ws) take_pose(sim, sample.q);
  for (size_t c = 0; c < sim->columns; ++c) sim->values[c] = value_of(sim, &sample, sim->column[c]);
  sim->keep(sim->to, sim->values);
  ++sim->kept;
  sim->reached = sample.t;
  return true;
}

// --- the run

static int broke_down(const Simulation* sim)
{
  static const char* const what[] = {[LW_OUTCOME_CHATTER] = "too many events in too short a time",
                                     [LW_OUTCOME_NOT_FINITE]    = "the motion is not finite",
                                     [LW_OUTCOME_STEP_VANISHED] = "steps became too short to go on",
                                     [LW_OUTCOME_BUDGET]        = "the budget is used up"};
  char why[300];
  int joint        = lw_arm_run_why(sim->run, why, sizeof why);
  const char* name = joint < 0 ? "the arm" : joint_name(sim->model, joint);
  return fail(NUMERICAL, "simulate: %s after t = %.9g s, joint '%s': %s; %ld records are kept",
              what[sim->outcome], lw_arm_run_time(sim->run), name, why, sim->kept);
}

int simulation_step(void* context, double t)
{
  Simulation* sim = context;
  sim->outcome    = lw_arm_run_advance(sim->run, t, &run_loop_stop);
  if (sim->outcome == LW_OUTCOME_STOPPED)
    return run_interrupted(&sim->timed.loop, sim->reached, sim->kept);
  if (sim->outcome == LW_OUTCOME_CONDITION || sim->outcome == LW_OUTCOME_LIMIT)
  {
    if (!simulation_record(sim)) return broke_down(sim);  // the last record is there
    say("linkwork: the run ends at t = %.9g of %g s: %s\n", sim->reached, sim->timed.loop.duration,
        sim->outcome == LW_OUTCOME_LIMIT ? "a joint reached its limit" : "an event says so");
    return NO;
  }
  if (sim->outcome == LW_OUTCOME_ARRIVED && !simulation_record(sim))
    sim->outcome = LW_OUTCOME_NOT_FINITE;
  if (sim->outcome != LW_OUTCOME_ARRIVED) return broke_down(sim);
  if (!run_loop_stop || t >= sim->timed.loop.duration) return DONE;
  sim->outcome = LW_OUTCOME_STOPPED;
  return run_interrupted(&sim->timed.loop, sim->reached, sim->kept);
}

void simulation_begin(Simulation* sim, const char* about)
{
  const RunLoop* loop     = &sim->timed.loop;
  sim->arm.integrator.end = loop->end > 0 ? loop->end : loop->duration;
  lwDiag* diag            = hold_messages();
  lwStatus made           = lw_arm_run_create(&sim->arm, diag, &sim->run);
  hold_arm_run(sim->run);
  need_made(made, about, diag);
  sim->n = lw_model_dof(sim->model);
  if (sim->parts == 0) sim->parts = STATE_PARTS;
  sim->columns = list_columns(sim, NULL);
  sim->column  = allocate(sim->columns, sizeof *sim->column);
  sim->values  = allocate(sim->columns, sizeof *sim->values);
  size_t n = (size_t)sim->n, nq = (size_t)lw_model_nq(sim->model);
  sim->reference = allocate(nq + 3 * n, sizeof *sim->reference);
  sim->error     = sim->reference + nq + 2 * n;
  list_columns(sim, sim->column);
  if (!(sim->parts >> PART_POSE & 1) || sim->n == 0) return;
  lwFrame frame = frame_of(sim->timed.options, sim->model);
  sim->ws       = tree_of(sim->model);
  need_ok(lw_workspace_set_frame(sim->ws, sim->model, &frame, NULL));
}
