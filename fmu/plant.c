// SPDX-License-Identifier: MIT
#include "plant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/state.h"
#include "linkwork/trajectory.h"

const char* const PLANT_INPUT_WORDS[PLANT_INPUTS + 1] = {"torque", "voltage", "reference", NULL};

// --- the list of variables

static PlantVariable* plant_add(Plant* plant, PlantKind kind, int index, const char* prefix,
                                const char* name)
{
  PlantVariable* variable = &plant->variables[plant->count++];
  *variable               = (PlantVariable){.kind = kind, .index = index};
  snprintf(variable->name, PLANT_NAME, kind == PLANT_RATE ? "der(%s%.150s)" : "%s%.150s", prefix,
           name);
  return variable;
}

// The same quantity of every freedom; units of those that turn and those that slide.
static void add_freedoms(Plant* plant, PlantKind kind, int first, const char* prefix,
                         const char* const units[2], const char* about)
{
  for (int k = 0; k < plant->n; ++k)
  {
    const lwCoordinate entry = lw_model_velocity(plant->run->model, k);
    PlantVariable* variable  = plant_add(plant, kind, first + k, prefix, entry.name);
    variable->unit           = units[entry.slides];
    variable->about          = about;
    variable->output         = kind == PLANT_ANSWER || kind == PLANT_STATE;
  }
}

static const char* const POSITION_UNITS[]     = {"rad", "m"};
static const char* const SPEED_UNITS[]        = {"rad/s", "m/s"};
static const char* const ACCELERATION_UNITS[] = {"rad/s2", "m/s2"};
static const char* const FORCE_UNITS[]        = {"N.m", "N"};

// Entries of q, which quaternions have more of than freedoms.
static void add_positions(Plant* plant, PlantKind kind, const char* prefix, const char* about)
{
  for (int i = 0; i < plant->nq; ++i)
  {
    const lwCoordinate entry = lw_model_position(plant->run->model, i);
    PlantVariable* variable  = plant_add(plant, kind, i, prefix, entry.name);
    const char* const* units = kind == PLANT_RATE ? SPEED_UNITS : POSITION_UNITS;
    variable->unit           = entry.quaternion && kind != PLANT_RATE ? NULL : units[entry.slides];
    if (entry.quaternion) variable->unit = kind == PLANT_RATE ? "1/s" : NULL;
    variable->about  = about;
    variable->output = kind == PLANT_STATE;
  }
}

static void add_state(Plant* plant, PlantKind kind)
{
  static const char* const works[] = {"drives", "friction", "loads"};
  bool rate                        = kind == PLANT_RATE;
  const lwArmRun* run              = plant->run;
  add_positions(plant, kind, "q.", rate ? "rate of a position" : "position of a joint");
  add_freedoms(plant, kind, plant->nq, "qd.", rate ? ACCELERATION_UNITS : SPEED_UNITS,
               rate ? "rate of a velocity" : "velocity of a joint");
  for (int i = 0; i < LW_WORK_COUNT; ++i)
  {
    PlantVariable* work = plant_add(plant, kind, plant->nq + plant->n + i, "work.", works[i]);
    work->unit          = rate ? "W" : "J";
    work->about         = rate ? "power" : "work since t = 0";
  }
  for (int k = 0; k < plant->n; ++k)
    if (run->current_at[k] >= 0)
    {
      PlantVariable* current = plant_add(plant, kind, run->current_at[k], "current.",
                                         lw_model_velocity(run->model, k).name);
      current->unit          = rate ? "A/s" : "A";
      current->about         = rate ? "rate of a current" : "current of a motor with inductance";
    }
}

// The inputs, which start at what the scenario has at t = 0.
static void add_inputs(Plant* plant)
{
  const lwModel* model = plant->run->model;
  if (plant->inputs == PLANT_REFERENCE)
  {
    for (int i = 0; i < plant->nq; ++i)
    {
      const lwCoordinate entry = lw_model_position(model, i);
      PlantVariable* variable  = plant_add(plant, PLANT_INPUT, i, "q_ref.", entry.name);
      variable->unit           = entry.quaternion ? NULL : POSITION_UNITS[entry.slides];
      variable->about          = "position that the controller follows";
    }
    add_freedoms(plant, PLANT_INPUT, plant->nq, "qd_ref.", SPEED_UNITS,
                 "velocity that the controller follows");
    add_freedoms(plant, PLANT_INPUT, plant->nq + plant->n, "qdd_ref.", ACCELERATION_UNITS,
                 "acceleration that the controller follows");
  }
  for (int k = 0; k < plant->n && plant->inputs != PLANT_REFERENCE; ++k)
  {
    const lwCoordinate entry = lw_model_velocity(model, k);
    bool voltage = plant->drives[k].voltage && plant->drives[k].signal == LW_SIGNAL_INPUT;
    PlantVariable* variable =
        plant_add(plant, PLANT_INPUT, k, voltage ? "voltage." : "torque.", entry.name);
    variable->unit  = voltage ? "V" : FORCE_UNITS[entry.slides];
    variable->about = voltage                         ? "voltage of the joint's motor"
                      : plant->inputs == PLANT_TORQUE ? "added to what the drive exerts"
                                                      : "of the drive";
  }
  for (int i = 0; i < plant->count; ++i)
    if (plant->variables[i].kind == PLANT_INPUT)
      plant->variables[i].start = plant->input[plant->variables[i].index];
}

static void add_parameter(Plant* plant, const char* prefix, const char* name, const char* unit,
                          const char* about, double start)
{
  PlantVariable* variable = plant_add(plant, PLANT_PARAMETER, plant->parameter_count, prefix, name);
  variable->unit          = unit;
  variable->about         = about;
  variable->start = plant->parameter[plant->parameter_count++] = start;
}

// Masses cannot change under cylinders, which know the robot.
static void add_parameters(Plant* plant)
{
  static const char* const payload[] = {"mass", "x", "y", "z"};
  const lwRobotDef* robot            = lw_model_robot(plant->run->model);
  bool fixed    = lw_scenario_cylinders(plant->scenario) != NULL || robot->count == 0;
  plant->masses = plant->gains = -1;
  if (!fixed) plant->masses = 0;
  for (int i = 0; i < PLANT_PAYLOAD && !fixed; ++i)
    add_parameter(
        plant, "payload.", payload[i], i == 0 ? "kg" : "m",
        i == 0 ? "a point mass on the last link" : "where it is, in the axes of that link", 0);
  for (int i = 0; i < robot->count && !fixed; ++i)
    add_parameter(plant, "mass.",
                  robot->joints[i].link.name ? robot->joints[i].link.name : robot->joints[i].name,
                  "kg", "of a link; its inertia changes in proportion", robot->joints[i].link.mass);
  if (plant->def.controller.kind == LW_CONTROL_NONE) return;
  plant->gains = plant->parameter_count;
  for (int k = 0; k < 2 * plant->n; ++k)
    add_parameter(plant, k < plant->n ? "kp." : "kd.",
                  lw_model_velocity(plant->run->model, k % plant->n).name, NULL,
                  k < plant->n ? "position gain of the controller"
                               : "velocity gain of the controller",
                  (k < plant->n ? plant->run->kp : plant->run->kd)[k % plant->n]);
}

static void add_answers(Plant* plant)
{
  static const char* const pose[]     = {"x", "y", "z", "roll", "pitch", "yaw"};
  static const char* const energies[] = {"kinetic", "potential", "S"};
  add_freedoms(plant, PLANT_ANSWER, 0, "qdd.", ACCELERATION_UNITS, "acceleration of a joint");
  add_freedoms(plant, PLANT_ANSWER, plant->n, "tau.", FORCE_UNITS, "torque or force of a drive");
  for (int i = 0; i < PLANT_POSE; ++i)
  {
    PlantVariable* variable = plant_add(plant, PLANT_ANSWER, 2 * plant->n + i, "tool.", pose[i]);
    variable->unit          = POSITION_UNITS[i < 3];
    variable->about         = "pose of the last link in the base";
    variable->output        = true;
  }
  for (int i = 0; i < PLANT_ENERGIES; ++i)
  {
    PlantVariable* variable =
        plant_add(plant, PLANT_ANSWER, 2 * plant->n + PLANT_POSE + i, "energy.", energies[i]);
    variable->unit   = "J";
    variable->about  = i < 2 ? "energy" : "energy that the run cannot account for";
    variable->output = true;
  }
}

static void list_variables(Plant* plant)
{
  plant_add(plant, PLANT_TIME, 0, "", "time")->unit = "s";
  add_state(plant, PLANT_STATE);
  add_state(plant, PLANT_RATE);
  add_inputs(plant);
  add_parameters(plant);
  add_answers(plant);
  for (int i = 0; i < plant->count; ++i)
    if (plant->variables[i].kind == PLANT_STATE)
      plant->variables[i].start = plant->start[plant->variables[i].index];
}

// --- the run

// The inputs, beside the forces of the scenario.
static void input_torques(void* context, double t, const double* q, const double* qd, double* tau)
{
  const Plant* plant  = context;
  const lwArmDef* arm = lw_scenario_arm(plant->scenario);
  memset(tau, 0, (size_t)plant->n * sizeof *tau);
  if (arm->torques) arm->torques(arm->context, t, q, qd, tau);
  for (int k = 0; k < plant->n; ++k) tau[k] += plant->input[k];
}

static void input_reference(void* context, double t, double* q, double* qd, double* qdd)
{
  const Plant* plant = context;
  (void)t;
  memcpy(q, plant->input, (size_t)plant->nq * sizeof *q);
  memcpy(qd, plant->input + plant->nq, (size_t)plant->n * sizeof *qd);
  memcpy(qdd, plant->input + plant->nq + plant->n, (size_t)plant->n * sizeof *qdd);
}

static void take_voltages(Plant* plant)
{
  for (int k = 0; k < plant->n; ++k)
  {
    bool motor          = lw_model_joint_def(plant->def.model, k)->motor.given;
    lwJointDrive* drive = &plant->drives[k];
    *drive              = (lwJointDrive){.signal    = LW_SIGNAL_INPUT,
                                         .voltage   = motor,
                                         .sprung    = drive->sprung,
                                         .spring    = drive->spring,
                                         .rest_here = drive->rest_here};
  }
  plant->def.drives   = plant->drives;
  plant->def.commands = plant->input;
}

static lwStatus take_inputs(Plant* plant, lwDiag* diag)
{
  lwControllerDef* controller = &plant->def.controller;
  if (plant->def.drives)
    memcpy(plant->drives, plant->def.drives, (size_t)plant->n * sizeof *plant->drives);
  if (plant->inputs == PLANT_VOLTAGE) take_voltages(plant);
  if (plant->inputs == PLANT_TORQUE)
  {
    plant->def.torques = input_torques;
    plant->def.context = plant;
  }
  if (plant->inputs != PLANT_REFERENCE) return LW_OK;
  if (controller->kind == LW_CONTROL_NONE)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "inputs of a reference need a controller, and the scenario has none");
  double* in = plant->input;
  if (controller->reference)
    controller->reference(controller->context, 0, in, in + plant->nq, in + plant->nq + plant->n);
  else
    memcpy(in, plant->def.q, (size_t)plant->nq * sizeof *in);
  controller->reference = input_reference;
  controller->context   = plant;
  return LW_OK;
}

// The robot with the masses that the parameters say.
static lwStatus change_masses(Plant* plant, lwDiag* diag, lwModel** changed)
{
  const lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  const double* payload         = plant->parameter + plant->masses;
  lwRobotDef robot              = *lw_model_robot(lw_scenario_model(plant->scenario));
  lwJointDef* joints            = malloc((size_t)robot.count * sizeof *joints);
  if (!joints) return LW_ERROR_MEMORY;
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  for (int i = 0; i < robot.count; ++i)
  {
    lwLinkDef* link = &joints[i].link;
    double mass     = payload[PLANT_PAYLOAD + i];
    for (int j = 0; j < 6 && link->mass > 0; ++j) link->inertia[j] *= mass / link->mass;
    link->mass = mass;
  }
  lw_link_def_add(&joints[robot.count - 1].link, payload[0], payload + 1, (const double[6]){0});
  robot.joints    = joints;
  lwStatus status = lw_model_create(&robot, &tolerate, diag, changed);
  free(joints);
  return status;
}

static bool has_other_masses(const Plant* plant)
{
  if (plant->masses < 0) return false;
  const lwRobotDef* robot = lw_model_robot(lw_scenario_model(plant->scenario));
  const double* value     = plant->parameter + plant->masses;
  bool other              = value[0] != 0;
  for (int i = 0; i < robot->count; ++i)
    other = other || value[PLANT_PAYLOAD + i] != robot->joints[i].link.mass;
  return other;
}

// Puts a run into the state of another one whose robot has other masses: states know of which run
// they are.
static lwStatus take_over(lwArmRun* run, const lwArmRun* from, lwDiag* diag)
{
  lwStateHead head;
  size_t size = lw_arm_run_save(from, NULL, 0), least = lw_arm_run_save(run, NULL, 0);
  char* state = malloc(size > least ? size : least);
  if (!state) return LW_ERROR_MEMORY;
  lw_arm_run_save(run, state, least);
  memcpy(&head, state, sizeof head);
  uint64_t kind = head.kind;
  lw_arm_run_save(from, state, size);
  memcpy(&head, state, sizeof head);
  head.kind = kind;
  memcpy(state, &head, sizeof head);
  lwStatus status = lw_arm_run_restore(run, state, size, diag);
  free(state);
  return status;
}

// Makes the run, at t = 0 or in the state of the one before it.
static lwStatus make_run(Plant* plant, lwDiag* diag)
{
  lwModel* changed = NULL;
  lwArmRun* run    = NULL;
  lwStatus status  = LW_OK;
  if (has_other_masses(plant)) status = change_masses(plant, diag, &changed);
  if (status != LW_OK) return status;
  plant->def.model = changed ? changed : lw_scenario_model(plant->scenario);
  if (plant->gains >= 0)
  {
    plant->def.controller.kp = plant->parameter + plant->gains;
    plant->def.controller.kd = plant->def.controller.kp + plant->n;
  }
  for (int k = 0; k < plant->n && plant->run; ++k)
    if (plant->run->current_at[k] >= 0) plant->current[k] = plant->start[plant->run->current_at[k]];
  status = lw_arm_run_create(&plant->def, diag, &run);
  if (status == LW_OK && plant->begun) status = take_over(run, plant->run, diag);
  if (status != LW_OK)
  {
    lw_arm_run_destroy(run);
    lw_model_destroy(changed);
    return status;
  }
  lw_arm_run_destroy(plant->run);
  lw_model_destroy(plant->changed);
  plant->run     = run;
  plant->changed = changed;
  return LW_OK;
}

static double balance(const lwArmRun* run, const double* y, double kinetic, double potential)
{
  double work = run->stop_work;
  for (int i = 0; i < LW_WORK_COUNT; ++i) work += lw_arm_works(run, y)[i];
  return kinetic + potential - run->S0 - work;
}

static double unaccounted(lwArmRun* run)
{
  double potential, kinetic = lw_arm_kinetic(run, run->y, &potential);
  return balance(run, run->y, kinetic, potential);
}

lwStatus plant_update(Plant* plant, lwDiag* diag)
{
  bool jumped = plant->begun && (plant->jumped || plant->rebuild || plant->tuned);
  double S    = plant->begun ? unaccounted(plant->run) : 0;
  if (plant->rebuild || !plant->begun)
  {
    lwStatus status =
        plant->rebuild || plant->tuned || plant->jumped ? make_run(plant, diag) : LW_OK;
    if (status != LW_OK) return status;
  }
  if (plant->tuned && plant->begun)
  {
    memcpy(plant->run->kp, plant->parameter + plant->gains, (size_t)plant->n * sizeof(double));
    memcpy(plant->run->kd, plant->parameter + plant->gains + plant->n,
           (size_t)plant->n * sizeof(double));
  }
  plant->stale   = plant->stale || plant->rebuild || plant->tuned || plant->jumped;
  plant->rebuild = plant->tuned = plant->jumped = false;
  if (!jumped) return LW_OK;
  plant->run->S0 += unaccounted(plant->run) - S;  // whoever changes a mass brings its energy
  lw_arm_go_on(plant->run, -1);
  return LW_OK;
}

// --- values

void plant_evaluate(Plant* plant, bool closed)
{
  lwArmRun* run = plant->run;
  double rotation[9], potential, *answer = plant->answer;
  if (closed) lw_arm_run_sample(run);
  lw_arm_rates(run, run->t, run->y, plant->rates);
  memcpy(answer, run->qdd, (size_t)plant->n * sizeof *answer);
  memcpy(answer + plant->n, run->tau, (size_t)plant->n * sizeof *answer);
  double* pose    = answer + 2 * plant->n;
  double* energy  = pose + PLANT_POSE;
  const double* y = lw_arm_closed(run, run->y);
  lw_pose(run->model, run->ws, y, pose, rotation);
  lw_rotation_to_rpy(rotation, pose + 3);
  energy[0]    = lw_arm_kinetic(run, y, &potential);
  energy[1]    = potential;
  energy[2]    = balance(run, y, energy[0], potential);
  plant->stale = false;
}

double plant_get(Plant* plant, int variable)
{
  const PlantVariable* v = &plant->variables[variable];
  if (plant->stale && (v->kind == PLANT_RATE || v->kind == PLANT_ANSWER))
    plant_evaluate(plant, false);
  switch (v->kind)
  {
    case PLANT_STATE:
      return plant->begun ? plant->run->y[v->index] : plant->start[v->index];
    case PLANT_RATE:
      return plant->rates[v->index];
    case PLANT_INPUT:
      return plant->input[v->index];
    case PLANT_PARAMETER:
      return plant->parameter[v->index];
    case PLANT_ANSWER:
      return plant->answer[v->index];
    default:
      return plant->run->t;
  }
}

bool plant_set(Plant* plant, int variable, double value)
{
  const PlantVariable* v = &plant->variables[variable];
  bool gain              = plant->gains >= 0 && v->index >= plant->gains;
  bool begins            = v->kind == PLANT_STATE && !plant->begun &&
                !(v->index >= plant->nq + plant->n &&
                  v->index < plant->nq + plant->n + LW_WORK_COUNT && value != 0);
  if (!isfinite(value) || !(v->kind == PLANT_INPUT || v->kind == PLANT_PARAMETER || begins))
    return false;
  bool place = v->kind == PLANT_PARAMETER && plant->masses >= 0 && v->index > plant->masses &&
               v->index < plant->masses + PLANT_PAYLOAD;
  if (v->kind == PLANT_PARAMETER && value < 0 && !place) return false;
  double* at = (v->kind == PLANT_INPUT       ? plant->input
                : v->kind == PLANT_PARAMETER ? plant->parameter
                                             : plant->start) +
               v->index;
  if (*at == value) return true;
  *at = value;
  if (v->kind == PLANT_INPUT)
    plant->jumped = true;
  else if (v->kind == PLANT_PARAMETER && gain)
    plant->tuned = true;
  else
    plant->rebuild = true;
  plant->stale = true;
  return true;
}

// --- life

static lwStatus plant_fill(Plant* plant, lwDiag* diag)
{
  lwArena* arena   = &plant->arena;
  plant->def       = *lw_scenario_arm(plant->scenario);
  size_t n         = (size_t)(plant->n = lw_model_dof(plant->def.model)),
         nq        = (size_t)(plant->nq = lw_model_nq(plant->def.model));
  size_t joints    = (size_t)lw_model_robot(plant->def.model)->count;
  size_t size      = nq + 2 * n + LW_WORK_COUNT;  // at most
  size_t answers   = 2 * n + PLANT_POSE + PLANT_ENERGIES;
  size_t most      = 1 + 2 * size + nq + 2 * n + PLANT_PAYLOAD + joints + 2 * n + answers;
  plant->variables = lw_arena_take(arena, most, sizeof *plant->variables);
  plant->input     = lw_arena_take(arena, nq + 2 * n + 1, sizeof(double));
  plant->parameter = lw_arena_take(arena, PLANT_PAYLOAD + joints + 2 * n, sizeof(double));
  plant->start     = lw_arena_take(arena, size, sizeof(double));
  plant->rates     = lw_arena_take(arena, size, sizeof(double));
  plant->answer    = lw_arena_take(arena, answers, sizeof(double));
  plant->current   = lw_arena_take(arena, n + 1, sizeof(double));
  plant->drives    = lw_arena_take(arena, n + 1, sizeof *plant->drives);
  if (lw_arena_failed(arena)) return LW_ERROR_MEMORY;
  plant->input_count  = (int)(plant->inputs == PLANT_REFERENCE ? nq + 2 * n : n);
  plant->answer_count = (int)answers;
  plant->gains = plant->masses = -1;
  lwStatus status              = take_inputs(plant, diag);
  if (status == LW_OK) status = make_run(plant, diag);
  if (status != LW_OK) return status;
  plant->size = plant->run->size;
  memcpy(plant->start, plant->run->y, (size_t)plant->size * sizeof(double));
  list_variables(plant);
  plant->def.q       = plant->start;
  plant->def.qd      = plant->start + nq;
  plant->def.current = plant->current;
  plant->stale       = true;
  return LW_OK;
}

lwStatus plant_create(lwScenario* scenario, PlantInputs inputs, lwDiag* diag, Plant** plant)
{
  Plant* made     = calloc(1, sizeof *made);
  lwStatus status = made ? LW_OK : LW_ERROR_MEMORY;
  if (made) *made = (Plant){.scenario = scenario, .inputs = inputs};
  if (!made) lw_scenario_destroy(scenario);
  if (made) status = plant_fill(made, diag);
  if (status != LW_OK) plant_destroy(made);
  *plant = status == LW_OK ? made : NULL;
  return status;
}

void plant_destroy(Plant* plant)
{
  if (!plant) return;
  lw_arm_run_destroy(plant->run);
  lw_model_destroy(plant->changed);
  lw_scenario_destroy(plant->scenario);
  lw_arena_free(&plant->arena);
  free(plant);
}
