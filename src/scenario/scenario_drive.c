// SPDX-License-Identifier: MIT
// The drives of a scenario.
#include <math.h>
#include <stddef.h>

#include "drive/dac.h"
#include "scenario/scenario_internal.h"

// --- one drive

static const char* const quantity_words[] = {"torque", "voltage", NULL};
static const char* const between_words[]  = {"hold", "linear", NULL};

typedef struct ScheduleText
{
  const char* file;
  int quantity, between;
  lwPlace places[2];
} ScheduleText;

typedef struct DriveText
{
  lwNode *torque, *voltage, *schedule, *spring, *dac;
  int control;  // index of the quantity; -1: not given
} DriveText;

typedef struct SpringText
{
  lwSpring spring;
  lwNode *rest, *preload;
} SpringText;

typedef struct DacText
{
  double period, bits, range;
} DacText;

static const lwKey drive_keys[] = {
    LW_NODE_KEY(DriveText, torque),   LW_NODE_KEY(DriveText, voltage),
    LW_NODE_KEY(DriveText, schedule), LW_NODE_KEY(DriveText, spring),
    LW_NODE_KEY(DriveText, dac),      LW_CHOICE_KEY(DriveText, control, quantity_words),
};
static const lwTable drive_table = LW_TABLE("a drive", drive_keys);

static const lwKey schedule_keys[] = {
    LW_KEY(ScheduleText, file, .kind = LW_VALUE_NAME, .required = true, .slot = 1),
    LW_CHOICE_KEY(ScheduleText, quantity, quantity_words),
    LW_CHOICE_KEY(ScheduleText, between, between_words),
};
static const lwTable schedule_table = LW_TABLE("a schedule", schedule_keys);

static const lwKey spring_keys[] = {
    LW_KEY_AS("stiffness", SpringText, spring.stiffness, .required = true,
              .unit = "N m/rad or N/m"),
    LW_KEY_AS("damping", SpringText, spring.damping, .unit = "N m s/rad or N s/m"),
    LW_NODE_KEY(SpringText, rest),
    LW_NODE_KEY(SpringText, preload),
};
static const lwTable spring_table = LW_TABLE("a spring", spring_keys);

static const lwKey dac_keys[] = {
    LW_KEY(DacText, period, .required = true, .unit = "s"),
    LW_KEY(DacText, bits, .kind = LW_VALUE_NUMBER),
    LW_KEY(DacText, range, .kind = LW_VALUE_NUMBER),
};
static const lwTable dac_table = LW_TABLE("a dac", dac_keys);

static void destroy_schedule(void* schedule)
{
  lw_schedule_destroy(schedule);
}

static void read_schedule(lwScenarioReader* reader, lwNode* node, lwJointDrive* drive)
{
  ScheduleText text    = {0};
  lwSchedule* schedule = NULL;
  if (!lw_document_fill(&reader->document, node, &schedule_table, &text, text.places)) return;
  const char* path  = lw_keep_path(reader->keep, &reader->document, text.file);
  lwScheduleDef def = {.symbol  = text.quantity == 1 ? "v" : "tau",
                       .width   = reader->scenario->n,
                       .names   = lw_scenario_names(reader),
                       .partial = true,
                       .between = text.between == 1 ? LW_BETWEEN_LINEAR : LW_BETWEEN_HELD};
  if (!def.names) return;
  lwStatus status = lw_schedule_read_file(path, &def, reader->document.diag, &schedule);
  lw_keep_file(reader->keep, &reader->document, status, path, text.places[1]);
  if (!schedule) return;
  lw_keep_own(reader->keep, schedule, destroy_schedule);
  drive->signal   = LW_SIGNAL_SCHEDULE;
  drive->schedule = schedule;
  drive->voltage  = text.quantity == 1;
}

// A number, or the word `here`.
static bool read_here(lwScenarioReader* reader, const char* key, const lwNode* node,
                      lwMeasure measure, double* value)
{
  lwKey number = {.name = key, .measure = measure, .unit = ""};
  if (!node) return false;
  if (lw_node_is_word(node, "here")) return true;
  lw_node_number(&reader->document, node, &number, 0, value);
  return false;
}

static void read_spring(lwScenarioReader* reader, lwNode* node, lwJointDrive* drive)
{
  SpringText text = {0};
  if (!lw_document_fill(&reader->document, node, &spring_table, &text, NULL)) return;
  drive->rest_here = read_here(reader, "rest", text.rest, LW_MEASURE_ANGLE, &text.spring.rest);
  drive->preload_here =
      read_here(reader, "preload", text.preload, LW_MEASURE_OTHER, &text.spring.preload);
  drive->sprung = true;
  drive->spring = text.spring;
  if (text.spring.stiffness < 0 || text.spring.damping < 0)
    lw_document_error(&reader->document, node->place, NULL,
                      "stiffness and damping of a spring must not be negative, found %g and %g",
                      text.spring.stiffness, text.spring.damping);
}

static void read_dac(lwScenarioReader* reader, lwNode* node, lwJointDrive* drive)
{
  DacText text = {.range = INFINITY};
  if (!lw_document_fill(&reader->document, node, &dac_table, &text, NULL)) return;
  bool whole        = text.bits == floor(text.bits) && fabs(text.bits) < 1000;
  drive->converted  = true;
  drive->dac        = (lwDac){text.period, whole ? (int)text.bits : -1, text.range};
  const char* fault = lw_dac_fault(&drive->dac);
  if (!fault && !(text.period > 0)) fault = "the period must be above 0";
  if (fault) lw_document_error(&reader->document, node->place, NULL, "dac: %s", fault);
  if (!fault) lw_scenario_check_steps(reader, "period", text.period, node->place);
}

// At most one command.
static void check_commands(lwScenarioReader* reader, const DriveText* text, const lwNode* node)
{
  int commands = (text->torque != NULL) + (text->voltage != NULL) + (text->schedule != NULL) +
                 (text->control >= 0);
  if (commands > 1)
    lw_document_error(&reader->document, node->place, NULL,
                      "a drive has one of torque, voltage, schedule and control, found %d",
                      commands);
  else if (commands == 0 && text->dac)
    lw_document_error(&reader->document, text->dac->place, NULL,
                      "there is nothing for the dac to convert");
  else if (commands == 0 && !text->spring)
    lw_document_error(&reader->document, node->place, "a joint that nothing drives is 'free'",
                      "the drive is empty");
}

static lwJointDrive read_drive(lwScenarioReader* reader, lwNode* node)
{
  lwJointDrive drive = {0};
  DriveText text     = {.control = -1};
  if (node->kind == LW_NODE_SCALAR)
  {
    if (lw_node_is_word(node, "control"))
      drive.signal = LW_SIGNAL_CONTROL;
    else if (!lw_node_is_word(node, "free"))
      lw_document_error(&reader->document, node->place, "or a mapping: {torque: 2*sin(t)}",
                        "a drive must be free or control, found %s", LW_FOUND(node));
    return drive;
  }
  if (!lw_document_fill(&reader->document, node, &drive_table, &text, NULL)) return drive;
  check_commands(reader, &text, node);
  lwNode* law = text.voltage ? text.voltage : text.torque;
  if (law)
  {
    drive.signal  = LW_SIGNAL_LAW;
    drive.voltage = text.voltage != NULL;
    drive.law     = lw_scenario_law(reader, text.voltage ? "voltage" : "torque", law, true);
  }
  if (text.control >= 0) drive.signal = LW_SIGNAL_CONTROL;
  if (text.control == 1) drive.voltage = true;
  if (text.schedule) read_schedule(reader, text.schedule, &drive);
  if (text.spring) read_spring(reader, text.spring, &drive);
  if (text.dac) read_dac(reader, text.dac, &drive);
  return drive;
}

// --- all of them

// Joint k must have what the drive needs.
static void check_driven_joint(lwScenarioReader* reader, const lwJointDrive* drive, int k,
                               lwPlace place)
{
  const lwScenario* scenario = reader->scenario;
  const lwJointDef* joint    = lw_model_joint_def(scenario->model, k);
  if (drive->voltage && !joint->motor.given)
    lw_document_error(&reader->document, place, "give it one in the robot file, or a torque here",
                      "joint '%s' has no motor that a voltage could drive", joint->name);
  if (drive->signal == LW_SIGNAL_CONTROL && scenario->arm.controller.kind == LW_CONTROL_NONE)
    lw_document_error(&reader->document, place, "controller: {kind: pd-gravity, kp: 100, kd: 20}",
                      "joint '%s' is to be controlled, but there is no controller", joint->name);
  if (drive->signal == LW_SIGNAL_SCHEDULE && !lw_schedule_has(drive->schedule, k))
    lw_document_error(&reader->document, place, NULL,
                      "the schedule has no column for joint '%s' (%s%d or %s.%s)", joint->name,
                      drive->voltage ? "v" : "tau", k + 1, drive->voltage ? "v" : "tau",
                      joint->name);
}

void lw_scenario_drives(lwScenarioReader* reader, lwNode* node, lwJointDrive* drives, bool* changed)
{
  int n           = reader->scenario->n;
  lwPlace* places = lw_keep_take(reader->keep, (size_t)n + 1, sizeof *places);
  if (!places) return;
  if (node->kind != LW_NODE_MAPPING)
    return lw_document_error(
        &reader->document, node->place, "{default: free, elbow: {torque: sin(t)}}",
        "'drives' must be a mapping of joints to drives, found %s", LW_FOUND(node));
  int before = reader->document.errors;
  for (int pass = 0; pass < 2; ++pass)  // the default first, wherever it is
    for (const lwItem* item = node->items; item; item = item->next)
    {
      bool usual = lw_node_is_word(item->key, "default");
      if (usual != (pass == 0)) continue;
      int only = usual ? -1 : lw_scenario_joint(reader, item->key);
      if (!usual && only < 0) continue;
      lwJointDrive drive = read_drive(reader, item->value);
      for (int k = usual ? 0 : only; k < (usual ? n : only + 1); ++k)
      {
        drives[k]        = drive;
        drives[k].column = k;
        places[k]        = item->value->place;
        if (changed) changed[k] = true;
      }
    }
  for (int k = 0; k < n && reader->document.errors == before; ++k)
    if (places[k].line > 0) check_driven_joint(reader, &drives[k], k, places[k]);
}
