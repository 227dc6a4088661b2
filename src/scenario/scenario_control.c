// SPDX-License-Identifier: MIT
// The controller of a scenario, and the wrenches on links.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "arm/arm_internal.h"
#include "linkwork/read.h"
#include "scenario/scenario_internal.h"

// --- the controller

static const char* const kind_words[] = {"none", "pd-gravity", "computed-torque", "feed-forward",
                                         NULL};

typedef struct ControllerText
{
  int kind;
  const char* robot;
  lwNode *kp, *kd, *reference;
  lwPlace places[2];
} ControllerText;

static const lwKey controller_keys[] = {
    LW_KEY(ControllerText, kind, .required = true, .words = kind_words),
    LW_KEY(ControllerText, robot, .kind = LW_VALUE_NAME, .slot = 1),
    LW_NODE_KEY(ControllerText, kp),
    LW_NODE_KEY(ControllerText, kd),
    LW_NODE_KEY(ControllerText, reference),
};
static const lwTable controller_table = LW_TABLE("a controller", controller_keys);

static const double* read_gains(lwScenarioReader* reader, const char* key, lwNode* node)
{
  double* gains = lw_keep_take(reader->keep, (size_t)reader->scenario->n + 1, sizeof *gains);
  if (!gains || !node) return gains;
  lw_scenario_values(reader, key, node, LW_PER_JOINT_PLAIN, gains);
  for (int k = 0; k < reader->scenario->n; ++k)
  {
    if (gains[k] >= 0) continue;
    lw_document_error(&reader->document, node->place, NULL, "'%s' must not be negative, found %g",
                      key, gains[k]);
    break;
  }
  return gains;
}

static void destroy_believed(void* model)
{
  lw_model_destroy(model);
}

// The robot that the controller computes with, where it is not the arm itself.
static const lwModel* read_believed(lwScenarioReader* reader, const char* robot, lwPlace place)
{
  lwModel* model   = NULL;
  const char* path = lw_keep_path(reader->keep, &reader->document, robot);
  lwStatus status  = lw_robot_read_file(path, NULL, reader->document.diag, &model);
  lw_keep_file(reader->keep, &reader->document, status, path, place);
  if (status != LW_OK) return NULL;
  lw_keep_own(reader->keep, model, destroy_believed);
  int n = lw_model_dof(model);
  if (n == reader->scenario->n && lw_model_nq(model) == lw_model_nq(reader->scenario->model))
    return model;
  lw_document_error(&reader->document, place, NULL,
                    "'%s' has %d moving joints, expected the %d of the robot", path, n,
                    reader->scenario->n);
  return NULL;
}

void lw_scenario_controller(lwScenarioReader* reader, lwNode* node)
{
  ControllerText text         = {0};
  lwControllerDef* controller = &reader->scenario->arm.controller;
  if (!node || lw_node_is_word(node, "none")) return;
  lw_document_fill(&reader->document, node, &controller_table, &text, text.places);
  controller->kind = (lwControl)text.kind;
  if (text.robot) controller->model = read_believed(reader, text.robot, text.places[1]);
  controller->kp = read_gains(reader, "kp", text.kp);
  controller->kd = read_gains(reader, "kd", text.kd);
  if (text.reference) lw_scenario_reference(reader, text.reference);
}

// --- sensors

typedef struct SensorsText
{
  lwNode *offset, *scale, *velocity_offset, *velocity_scale, *resolution, *noise;
  double seed;
} SensorsText;

static const lwKey sensors_keys[] = {
    LW_NODE_KEY(SensorsText, offset),
    LW_NODE_KEY(SensorsText, scale),
    LW_NODE_KEY(SensorsText, velocity_offset),
    LW_NODE_KEY(SensorsText, velocity_scale),
    LW_NODE_KEY(SensorsText, resolution),
    LW_NODE_KEY(SensorsText, noise),
    LW_KEY(SensorsText, seed, .kind = LW_VALUE_NUMBER),
};
static const lwTable sensors_table = LW_TABLE("sensors", sensors_keys);

static const double* read_sensor(lwScenarioReader* reader, const char* key, lwNode* node,
                                 lwPerJoint kind, double otherwise)
{
  int n           = reader->scenario->n;
  double* numbers = node ? lw_keep_take(reader->keep, (size_t)n + 1, sizeof *numbers) : NULL;
  for (int k = 0; k < n && numbers; ++k) numbers[k] = otherwise;
  if (numbers) lw_scenario_values(reader, key, node, kind, numbers);
  return numbers;
}

void lw_scenario_sensors(lwScenarioReader* reader, lwNode* node)
{
  SensorsText text           = {0};
  const lwScenario* scenario = reader->scenario;
  lwSensorsDef* sensors      = &reader->scenario->arm.controller.sensors;
  if (!node || !lw_document_fill(&reader->document, node, &sensors_table, &text, NULL)) return;
  if (lw_model_nq(scenario->model) != scenario->n)
    return lw_document_error(&reader->document, node->place, NULL,
                             "sensors are for hinges and sliders; this robot has other joints");
  if (scenario->arm.controller.kind == LW_CONTROL_NONE)
    lw_document_error(&reader->document, node->place, "controller: {kind: pd-gravity, kp: 100}",
                      "sensors tell a controller about the joints, and there is none");
  sensors->seed   = text.seed;
  sensors->offset = read_sensor(reader, "offset", text.offset, LW_PER_JOINT_POSITION, 0);
  sensors->scale  = read_sensor(reader, "scale", text.scale, LW_PER_JOINT_PLAIN, 1);
  sensors->velocity_offset =
      read_sensor(reader, "velocity_offset", text.velocity_offset, LW_PER_JOINT_VELOCITY, 0);
  sensors->velocity_scale =
      read_sensor(reader, "velocity_scale", text.velocity_scale, LW_PER_JOINT_PLAIN, 1);
  sensors->resolution =
      read_sensor(reader, "resolution", text.resolution, LW_PER_JOINT_POSITION, 0);
  sensors->noise  = read_sensor(reader, "noise", text.noise, LW_PER_JOINT_POSITION, 0);
  lwNode* sampled = text.noise ? text.noise : text.resolution;
  if (sampled && lw_arm_controls_always(&scenario->arm))
    lw_document_error(&reader->document, sampled->place,
                      "drives: {default: {control: torque, dac: {period: 0.001, bits: 0}}}",
                      "resolution and noise need a controller whose commands are sampled");
}

// --- wrenches on links

static const char* const frame_words[] = {"hand", "base", "link", NULL};

typedef struct LoadText
{
  lwNode *force, *moment, *link;
  double point[3];
  int frame;
  double from, to;
} LoadText;

enum
{
  AT_TO = 1,
  AT_POINT,
  AT_END
};

static const lwKey load_keys[] = {
    LW_NODE_KEY(LoadText, force),
    LW_NODE_KEY(LoadText, moment),
    LW_NODE_KEY(LoadText, link),
    LW_KEY(LoadText, point, .size = 3, .measure = LW_MEASURE_LENGTH, .slot = AT_POINT),
    LW_CHOICE_KEY(LoadText, frame, frame_words),
    LW_KEY(LoadText, from, .unit = "s"),
    LW_KEY(LoadText, to, .unit = "s", .slot = AT_TO),
};
static const lwTable load_table = LW_TABLE("a wrench", load_keys);

static void read_components(lwScenarioReader* reader, const char* key, const lwNode* node,
                            const lwLaw** laws)
{
  int i = 0;
  if (!node) return;
  if (node->kind != LW_NODE_LIST || node->count != 3)
    lw_document_error(&reader->document, node->place, "its components along x, y, z: [0, 0, -10]",
                      "'%s' must be a list of 3 numbers or laws, found %s", key, LW_FOUND(node));
  else
    for (const lwItem* item = node->items; item; item = item->next)
      laws[i++] = lw_scenario_law(reader, key, item->value, false);
}

// The point of a link where a wrench acts; NULL: the origin of the last one.
static const lwFrame* read_place(lwScenarioReader* reader, const LoadText* text, bool point)
{
  const lwModel* model = reader->scenario->model;
  lwFrame* frame       = NULL;
  int joint            = lw_model_robot(model)->count - 1;
  if (!text->link && !point) return NULL;
  if (text->link) joint = lw_node_link(&reader->document, model, text->link);
  if (joint >= 0) frame = lw_keep_take(reader->keep, 1, sizeof *frame);
  if (!frame) return NULL;
  *frame = (lwFrame){.joint = joint};
  memcpy(frame->xyz, text->point, sizeof frame->xyz);
  return frame;
}

static void read_load(lwScenarioReader* reader, lwNode* node, lwLoadDef* load)
{
  lwPlace places[AT_END] = {{0, 0}};
  LoadText text          = {.to = INFINITY};
  lw_document_fill(&reader->document, node, &load_table, &text, places);
  read_components(reader, "force", text.force, load->component);
  read_components(reader, "moment", text.moment, load->component + 3);
  load->frame   = read_place(reader, &text, places[AT_POINT].line > 0);
  load->in_base = text.frame == 1;
  load->from    = text.from;
  load->to      = text.to;
  if (!(text.to > text.from))
    lw_document_error(&reader->document, places[AT_TO], NULL,
                      "'to' must be above 'from', found %g and %g s", text.to, text.from);
}

void lw_scenario_loads(lwScenarioReader* reader, lwNode* node)
{
  if (!node) return;
  bool list         = node->kind == LW_NODE_LIST;
  const lwItem only = {.value = node};
  int count         = list ? node->count : 1;
  lwLoadDef* loads  = lw_keep_take(reader->keep, (size_t)count + 1, sizeof *loads);
  if (!loads) return;
  reader->scenario->arm.load_count = count;
  reader->scenario->arm.loads      = loads;
  for (const lwItem* item = list ? node->items : &only; item; item = item->next)
    read_load(reader, item->value, loads++);
}
