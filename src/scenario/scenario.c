// SPDX-License-Identifier: MIT
// Scenario files: an arm, what drives it, and for how long. Syntax and meaning are checked here;
// the robot's numbers are checked by the reader of its own file.
#include "linkwork/loop.h"
#include "scenario/scenario_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "linkwork/read.h"
#include "model/lint/lint.h"

// --- the keys of a scenario file

enum
{
  AT_ROBOT = 1,
  AT_GRAVITY,
  AT_DURATION,
  AT_RECORD,
  AT_METHOD,
  AT_STEP,
  AT_RTOL,
  AT_ATOL,
  AT_LONGEST,
  AT_BUDGET,
  AT_END
};

typedef struct ScenarioText
{
  const char *name, *source, *robot;
  lwNode *payload, *initial, *drives, *controller, *sensors, *wrench, *forces, *events;
  double gravity[3];
  double duration, record;
  int rotors, friction, limits;
  const char* method;
  double step, rtol, atol, longest, budget;
  lwPlace places[AT_END];
} ScenarioText;

static const char* const flag_words[]     = {"false", "true", NULL};
static const char* const friction_words[] = {"none", "viscous", "full", NULL};
static const char* const limit_words[]    = {"note", "stop", "hold", NULL};

static const lwKey integrator_keys[] = {
    LW_KEY(ScenarioText, method, .kind = LW_VALUE_NAME, .slot = AT_METHOD),
    LW_KEY(ScenarioText, step, .unit = "s", .slot = AT_STEP),
    LW_KEY(ScenarioText, rtol, .slot = AT_RTOL),
    LW_KEY(ScenarioText, atol, .slot = AT_ATOL),
    LW_KEY(ScenarioText, longest, .unit = "s", .slot = AT_LONGEST),
    LW_KEY(ScenarioText, budget, .slot = AT_BUDGET),
};
static const lwTable integrator_table = LW_TABLE("an integrator", integrator_keys);

static const lwKey scenario_keys[] = {
    {.name = "linkwork", .required = true, .read = lw_read_version},
    LW_KEY(ScenarioText, name, .kind = LW_VALUE_NAME),
    LW_KEY(ScenarioText, source, .kind = LW_VALUE_TEXT),
    LW_KEY(ScenarioText, robot, .kind = LW_VALUE_NAME, .required = true, .slot = AT_ROBOT),
    LW_NODE_KEY(ScenarioText, payload),
    LW_KEY(ScenarioText, gravity, .size = 3, .unit = "m/s^2", .slot = AT_GRAVITY),
    LW_NODE_KEY(ScenarioText, initial),
    LW_KEY(ScenarioText, duration, .unit = "s", .slot = AT_DURATION),
    LW_KEY(ScenarioText, record, .unit = "s", .slot = AT_RECORD),
    LW_CHOICE_KEY(ScenarioText, rotors, flag_words),
    LW_CHOICE_KEY(ScenarioText, friction, friction_words),
    LW_CHOICE_KEY(ScenarioText, limits, limit_words),
    LW_NODE_KEY(ScenarioText, drives),
    LW_NODE_KEY(ScenarioText, controller),
    LW_NODE_KEY(ScenarioText, sensors),
    LW_NODE_KEY(ScenarioText, wrench),
    LW_NODE_KEY(ScenarioText, forces),
    {.name = "integrator", .table = &integrator_table},
    LW_NODE_KEY(ScenarioText, events),
};
static const lwTable scenario_table = LW_TABLE("a scenario", scenario_keys);

const char* const* lw_scenario_names(lwScenarioReader* reader)
{
  lwScenario* scenario = reader->scenario;
  const char** names   = lw_keep_take(reader->keep, (size_t)scenario->n + 1, sizeof *names);
  for (int k = 0; k < scenario->n && names; ++k)
    names[k] = lw_model_velocity(scenario->model, k).name;
  return names;
}

void lw_scenario_destroy(lwScenario* scenario)
{
  if (!scenario) return;
  lw_model_destroy(scenario->model);
  lw_keep_free(&scenario->keep);
  free(scenario);
}

// --- the robot

// The robot of the file with payload and gravity of the scenario.
static lwStatus change_robot(lwScenarioReader* reader, const ScenarioText* text,
                             const lwModelOptions* options)
{
  lwScenario* scenario = reader->scenario;
  lwRobotDef robot     = *lw_model_robot(scenario->model);
  bool gravity         = !isnan(text->gravity[0]);
  lwJointDef* joints   = lw_keep_take(reader->keep, (size_t)robot.count + 1, sizeof *joints);
  lwModel* changed     = NULL;
  if (!joints) return LW_ERROR_MEMORY;
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  bool list         = text->payload && text->payload->kind == LW_NODE_LIST;
  const lwItem only = {.value = text->payload};
  for (const lwItem* item = list ? text->payload->items : &only; item && item->value;
       item               = item->next)
  {
    lwLinkDef load;
    int i;
    if (lw_node_payload(&reader->document, scenario->model, item->value, &i, &load))
      lw_link_def_add(&joints[i].link, load.mass, load.com, load.inertia);
  }
  robot.joints = joints;
  if (gravity) memcpy(robot.gravity, text->gravity, sizeof robot.gravity);
  if (reader->document.errors > 0) return LW_OK;                        // the model is not needed
  lwDiag* diag         = text->payload ? reader->document.diag : NULL;  // else nothing is new
  lwModelOptions again = options ? *options : (lwModelOptions){0};
  again.mount.floating = false;                                       // it floats already
  if (!gravity && !again.mount.gravity) again.mount.base_rpy = NULL;  // it is mounted already
  again.lint.accept = "density";  // a payload may be a point; that of the links is reported
  lwStatus status   = lw_model_create(&robot, &again, diag, &changed);
  if (status != LW_OK) return status;
  lw_model_destroy(scenario->model);
  scenario->model = changed;
  return LW_OK;
}

// Reads the robot and makes the model of the scenario.
static lwStatus read_scenario_robot(lwScenarioReader* reader, const ScenarioText* text,
                                    const lwModelOptions* options)
{
  lwScenario* scenario = reader->scenario;
  const char* path     = lw_keep_path(reader->keep, &reader->document, text->robot);
  reader->robot        = path;
  lwStatus status      = lw_robot_read_file(path, options, reader->document.diag, &scenario->model);
  lw_keep_file(reader->keep, &reader->document, status, path, text->places[AT_ROBOT]);
  if (status != LW_OK) return status == LW_ERROR_FILE ? LW_ERROR_INPUT : status;
  scenario->n  = lw_model_dof(scenario->model);
  bool changes = text->payload || !isnan(text->gravity[0]);
  return changes ? change_robot(reader, text, options) : LW_OK;
}

// --- the rest

typedef struct InitialText
{
  lwNode *q, *qd;
} InitialText;

static const lwKey initial_keys[] = {
    LW_NODE_KEY(InitialText, q),
    LW_NODE_KEY(InitialText, qd),
};
static const lwTable initial_table = LW_TABLE("an initial state", initial_keys);

// Finds joints that start beyond a limit which would hold them or end the run at once.
static void check_initial(lwScenarioReader* reader, const double* q, lwPlace place)
{
  const lwModel* model = reader->scenario->model;
  for (int k = 0; k < reader->scenario->n; ++k)
  {
    const lwJointDef* joint = lw_model_joint_def(model, k);
    int at                  = lw_model_velocity(model, k).other;
    if (at < 0 || (q[at] >= joint->limits.lower && q[at] <= joint->limits.upper)) continue;
    lw_document_error(&reader->document, place, "limits: note lets joints pass their limits",
                      "joint '%s' begins at %g, beyond its limits %g to %g", joint->name, q[at],
                      joint->limits.lower, joint->limits.upper);
  }
}

static void check_quaternions(lwScenarioReader* reader, const double* q, lwPlace place)
{
  lwDiag* diag = lw_diag_create();
  if (!diag)
    reader->keep->failed = true;
  else if (lw_model_check_positions(reader->scenario->model, q, diag) != LW_OK)
    lw_document_error(&reader->document, place, NULL, "%s", lw_diag_message(diag, 0)->text);
  lw_diag_destroy(diag);
}

static void read_initial(lwScenarioReader* reader, const ScenarioText* text)
{
  lwScenario* scenario = reader->scenario;
  InitialText initial  = {0};
  size_t nq            = (size_t)lw_model_nq(scenario->model);
  double* q            = lw_keep_take(reader->keep, nq + 1, sizeof *q);
  double* qd           = lw_keep_take(reader->keep, (size_t)scenario->n + 1, sizeof *qd);
  if (!q || !qd) return;
  if (lw_model_loop_count(scenario->model) > 0)
    lw_model_start(scenario->model, q);
  else
    lw_model_neutral(scenario->model, q);
  if (text->initial)
    lw_document_fill(&reader->document, text->initial, &initial_table, &initial, NULL);
  if (initial.q) lw_scenario_values(reader, "q", initial.q, LW_PER_JOINT_POSITION, q);
  if (initial.qd) lw_scenario_values(reader, "qd", initial.qd, LW_PER_JOINT_VELOCITY, qd);
  scenario->arm.q  = q;
  scenario->arm.qd = qd;
  if (reader->document.errors == 0)
    check_quaternions(reader, q, initial.q ? initial.q->place : reader->document.root->place);
  if (text->limits != LW_LIMIT_MODE_NOTE && reader->document.errors == 0)
    check_initial(reader, q, initial.q ? initial.q->place : reader->document.root->place);
}

static void check_positive(lwScenarioReader* reader, const char* key, double value, lwPlace place)
{
  if (!(value > 0))
    lw_document_error(&reader->document, place, NULL, "'%s' must be above 0, found %g", key, value);
}

// This many steps or samples would take days at least.
static const double MOST_STEPS = 1e10;

void lw_scenario_check_steps(lwScenarioReader* reader, const char* key, double length,
                             lwPlace place)
{
  double duration = reader->scenario->duration, count = duration / length;
  if (!(length > 0) || !(duration > 0) || count <= MOST_STEPS) return;
  lw_document_error(&reader->document, place, NULL,
                    "'%s' of %g s takes %.3g steps for a duration of %g s, expected at most %g",
                    key, length, count, duration, MOST_STEPS);
}

static void check_gravity(lwScenarioReader* reader, const ScenarioText* text)
{
  for (int i = 0; i < 3; ++i)
  {
    const char* what = lw_number_fault(LW_RULE_FINITE, text->gravity[i]);
    if (what && !isnan(text->gravity[0]))
      lw_document_error(&reader->document, text->places[AT_GRAVITY], NULL,
                        "item %d of 'gravity' %s, found %g m/s^2", i + 1, what, text->gravity[i]);
  }
}

static void read_integrator(lwScenarioReader* reader, const ScenarioText* text)
{
  lwIntegratorDef* def             = &reader->scenario->arm.integrator;
  const lwIntegratorMethod* method = lw_integrator_method_find(text->method);
  const lwPlace* places            = text->places;
  if (!method)
  {
    lwNearest near = lw_nearest(text->method);
    for (int i = 0; i < lw_integrator_method_count(); ++i)
      lw_nearest_try(&near, lw_integrator_method(i)->name);
    return lw_document_error(&reader->document, places[AT_METHOD], LW_DID_YOU_MEAN(near),
                             "there is no integrator '%s'", text->method);
  }
  bool steps      = places[AT_STEP].line > 0,
       tolerances = places[AT_RTOL].line > 0 || places[AT_ATOL].line > 0;
  if (method->adaptive && steps)
    lw_document_error(&reader->document, places[AT_STEP], "give rtol, and atol if it differs",
                      "%s chooses its steps itself and takes no 'step'", method->name);
  if (!method->adaptive && tolerances)
    lw_document_error(&reader->document, places[places[AT_RTOL].line > 0 ? AT_RTOL : AT_ATOL],
                      "give step", "%s takes fixed steps and no tolerances", method->name);
  check_positive(reader, "step", text->step, places[AT_STEP]);
  check_positive(reader, "rtol", text->rtol, places[AT_RTOL]);
  check_positive(reader, "atol", places[AT_ATOL].line > 0 ? text->atol : 1, places[AT_ATOL]);
  check_positive(reader, "longest", places[AT_LONGEST].line > 0 ? text->longest : 1,
                 places[AT_LONGEST]);
  check_positive(reader, "budget", places[AT_BUDGET].line > 0 ? text->budget : 1,
                 places[AT_BUDGET]);
  if (!method->adaptive) lw_scenario_check_steps(reader, "step", text->step, places[AT_STEP]);
  if (method->adaptive)
    lw_scenario_check_steps(reader, "longest", text->longest, places[AT_LONGEST]);
  def->method     = method->name;
  def->step       = text->step;
  def->relative   = text->rtol;
  def->absolute   = places[AT_ATOL].line > 0 ? text->atol : text->rtol;
  def->longest    = text->longest;
  def->most_steps = text->budget;
  def->end        = reader->scenario->duration;
}

static void read_parts(lwScenarioReader* reader, const ScenarioText* text)
{
  lwScenario* scenario = reader->scenario;
  lwArmDef* arm        = &scenario->arm;
  arm->model           = scenario->model;
  arm->rotors          = text->rotors == 1;
  arm->friction        = (lwFrictionModel)text->friction;
  arm->limits          = (lwLimitMode)text->limits;
  read_initial(reader, text);
  read_integrator(reader, text);
  lw_scenario_controller(reader, text->controller);
  lwJointDrive* drives = lw_keep_take(reader->keep, (size_t)scenario->n + 1, sizeof *drives);
  for (int k = 0; k < scenario->n && drives; ++k)
    if (arm->controller.kind != LW_CONTROL_NONE) drives[k].signal = LW_SIGNAL_CONTROL;
  arm->drives = drives;
  if (drives && text->drives) lw_scenario_drives(reader, text->drives, drives, NULL);
  lw_scenario_loads(reader, text->wrench);
  lw_scenario_forces(reader, text->forces);
  lw_scenario_events(reader, text->events);
  lw_scenario_sensors(reader, text->sensors);
}

static lwStatus read_scenario(lwScenarioReader* reader, const lwModelOptions* options)
{
  lwScenario* scenario = reader->scenario;
  lwDocument* document = &reader->document;
  ScenarioText text    = {.gravity  = {NAN, 0, 0},
                          .duration = 10,
                          .record   = 0.01,
                          .rotors   = 1,
                          .friction = LW_FRICTION_MODEL_FULL,
                          .method   = "dormand-prince",
                          .step     = 1e-3,
                          .rtol     = 1e-9};
  lw_document_fill(document, document->root, &scenario_table, &text, text.places);
  check_positive(reader, "duration", text.duration, text.places[AT_DURATION]);
  check_positive(reader, "record", text.record, text.places[AT_RECORD]);
  const char* name   = text.name ? text.name : "scenario";
  scenario->name     = lw_keep_text(reader->keep, name);
  scenario->duration = text.duration;
  scenario->record   = text.record;
  check_gravity(reader, &text);
  if (!text.robot) return LW_ERROR_INPUT;
  lwStatus status = read_scenario_robot(reader, &text, options);
  if (status != LW_OK) return status;
  read_parts(reader, &text);
  if (reader->keep->failed) return LW_ERROR_MEMORY;
  return document->errors > 0 ? LW_ERROR_INPUT : LW_OK;
}

// --- files and texts

// From the file at path, or from a text that stands for it.
static lwStatus read_scenario_document(const char* path, const char* text, size_t length,
                                       const lwModelOptions* options, lwDiag* diag,
                                       lwScenario** scenario)
{
  lwScenarioReader reader = {.scenario = calloc(1, sizeof *reader.scenario)};
  lwStatus status         = text ? lw_document_read_text(&reader.document, path, text, length, diag)
                                 : lw_document_read_file(&reader.document, path, diag);
  if (!reader.scenario) status = LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    reader.scenario->arm = lw_arm_def();
    reader.keep          = &reader.scenario->keep;
    status               = read_scenario(&reader, options);
  }
  if (status != LW_OK) lw_scenario_destroy(reader.scenario);
  *scenario = status == LW_OK ? reader.scenario : NULL;
  lw_document_free(&reader.document);
  return status;
}

lwStatus lw_scenario_read_file(const char* path, const lwModelOptions* options, lwDiag* diag,
                               lwScenario** scenario)
{
  return read_scenario_document(path, NULL, 0, options, diag, scenario);
}

lwStatus lw_scenario_read_text(const char* name, const char* text, size_t length,
                               const lwModelOptions* options, lwDiag* diag, lwScenario** scenario)
{
  return read_scenario_document(name, text, length, options, diag, scenario);
}

// --- what it says

const char* lw_scenario_name(const lwScenario* scenario)
{
  return scenario->name;
}

const lwModel* lw_scenario_model(const lwScenario* scenario)
{
  return scenario->model;
}

const lwArmDef* lw_scenario_arm(const lwScenario* scenario)
{
  return &scenario->arm;
}

// The springs of drives (n) that change; changes NULL: all do.
static void take_springs(const lwScenario* scenario, const lwJointDrive* drives,
                         const bool* changes, lwSpring* springs)
{
  for (int i = 0; drives && i < scenario->n; ++i)
    if ((!changes || changes[i]) && drives[i].sprung) springs[i] = drives[i].spring;
}

int lw_scenario_springs(const lwScenario* scenario, lwSpring* springs)
{
  const lwArmDef* arm = &scenario->arm;
  int count           = 0;
  memset(springs, 0, (size_t)scenario->n * sizeof *springs);
  take_springs(scenario, arm->drives, NULL, springs);
  for (int e = 0; e < arm->event_count; ++e)
    take_springs(scenario, arm->events[e].drives, arm->events[e].changes, springs);
  for (int i = 0; i < scenario->n; ++i)
    count += springs[i].stiffness != 0 || springs[i].damping != 0;
  return count;
}

lwCylinders* lw_scenario_cylinders(const lwScenario* scenario)
{
  for (int e = 0; e < scenario->arm.event_count; ++e)
    if (scenario->arm.events[e].closes) return scenario->arm.events[e].closes;
  return NULL;
}

double lw_scenario_duration(const lwScenario* scenario)
{
  return scenario->duration;
}

lwStatus lw_scenario_set_model(lwScenario* scenario, lwModel* model)
{
  if (lw_model_dof(model) != scenario->n) return LW_ERROR_INPUT;
  lw_model_destroy(scenario->model);
  scenario->model     = model;
  scenario->arm.model = model;
  return LW_OK;
}

double lw_scenario_record(const lwScenario* scenario)
{
  return scenario->record;
}
