// SPDX-License-Identifier: MIT
// The drives of a scenario, and the events that change them.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "simulate/scenario.h"

// --- one drive

typedef struct DriveText
{
  lwNode *torque, *voltage;
} DriveText;

#define NODE(key, type)                                                                            \
  {                                                                                                \
    .name = #key, .kind = LW_VALUE_CUSTOM, .offset = offsetof(type, key), .read = lw_read_node     \
  }
static const lwKey drive_keys[] = {
    NODE(torque, DriveText),
};
static const lwTable drive_table = LW_TABLE("a drive", drive_keys);

static void read_word(lwScenarioReader* reader, const lwNode* node, lwJointDrive* drive)
{
  char found[LW_DESCRIPTION_SIZE];
  if (lw_node_is_word(node, "free")) return;
  if (lw_node_is_word(node, "control"))
    drive->signal = LW_SIGNAL_CONTROL;
  else
    lw_document_error(&reader->document, node->place, "or a mapping: {torque: 2*sin(t)}",
                      "a drive must be free or control, found %s", lw_node_describe(node, found));
}

static lwJointDrive read_drive(lwScenarioReader* reader, lwNode* node)
{
  lwJointDrive drive = {0};
  DriveText text     = {0};
  if (node->kind == LW_NODE_SCALAR)
  {
    read_word(reader, node, &drive);
    return drive;
  }
  if (!lw_document_fill(&reader->document, node, &drive_table, &text, NULL)) return drive;
  if (text.torque)
  {
    drive.signal = LW_SIGNAL_LAW;
    drive.law    = lw_scenario_law(reader, "torque", text.torque, true);
  }
  return drive;
}

// --- all of them

void lw_scenario_drives(lwScenarioReader* reader, lwNode* node, lwJointDrive* drives, bool* changed)
{
  char found[LW_DESCRIPTION_SIZE];
  int n = reader->scenario->n;
  if (node->kind != LW_NODE_MAPPING)
  {
    lw_document_error(&reader->document, node->place, "{default: free, elbow: {torque: sin(t)}}",
                      "'drives' must be a mapping of joints to drives, found %s",
                      lw_node_describe(node, found));
    return;
  }
  const lwNode* usual = lw_node_find(node, "default");
  for (const lwItem* item = node->items; item && usual; item = item->next)
  {
    if (item->value != usual) continue;
    lwJointDrive drive = read_drive(reader, item->value);
    for (int k = 0; k < n; ++k) drives[k] = drive;
    for (int k = 0; k < n && changed; ++k) changed[k] = true;
  }
  for (const lwItem* item = node->items; item; item = item->next)
  {
    if (lw_node_is_word(item->key, "default")) continue;
    int k = lw_scenario_joint(reader, item->key);
    if (k >= 0) drives[k] = read_drive(reader, item->value);
    if (k >= 0 && changed) changed[k] = true;
  }
}

// --- events

static const char* const flag_words[] = {"false", "true", NULL};

typedef struct EventText
{
  const char* name;
  double at;
  lwNode *joint, *when, *drives;
  int stop;
} EventText;

static const lwKey event_keys[] = {
    {.name = "name", .kind = LW_VALUE_NAME, .offset = offsetof(EventText, name)},
    {.name = "at", .kind = LW_VALUE_NUMBER, .offset = offsetof(EventText, at), .unit = "s"},
    NODE(joint, EventText),
    NODE(when, EventText),
    NODE(drives, EventText),
    {.name   = "stop",
     .kind   = LW_VALUE_CHOICE,
     .offset = offsetof(EventText, stop),
     .words  = flag_words},
};
static const lwTable event_table = LW_TABLE("an event", event_keys);

static void read_changes(lwScenarioReader* reader, lwNode* node, lwArmEventDef* event)
{
  size_t n             = (size_t)reader->scenario->n + 1;
  lwJointDrive* drives = lw_scenario_take(reader, n, sizeof *drives);
  bool* changes        = lw_scenario_take(reader, n, sizeof *changes);
  if (!drives || !changes) return;
  lw_scenario_drives(reader, node, drives, changes);
  event->drives  = drives;
  event->changes = changes;
}

static void check_event(lwScenarioReader* reader, const EventText* text, const lwNode* node)
{
  bool timed = !isnan(text->at);
  if (timed == (text->when != NULL))
    lw_document_error(&reader->document, node->place, "at: 2.5, or joint: elbow and when: q - 1.2",
                      timed ? "an event has either 'at' or 'when', not both"
                            : "an event needs 'at', a time, or 'when', a condition");
  else if (timed && !(text->at >= 0))
    lw_document_error(&reader->document, node->place, NULL, "'at' must not be negative, found %g s",
                      text->at);
  if (!timed && text->when && !text->joint)
    lw_document_error(&reader->document, node->place, "q and qd in 'when' are those of that joint",
                      "an event with 'when' needs the key 'joint'");
  if (!text->drives && !text->stop)
    lw_document_error(&reader->document, node->place, "drives: {..} or stop: true",
                      "the event does nothing");
}

static void read_event(lwScenarioReader* reader, lwNode* node, lwArmEventDef* event)
{
  EventText text = {.at = NAN};
  if (!lw_document_fill(&reader->document, node, &event_table, &text, NULL)) return;
  check_event(reader, &text, node);
  if (text.name)
    event->name = lw_arena_text(&reader->scenario->arena, text.name, strlen(text.name));
  event->at   = text.at;
  event->ends = text.stop == 1;
  if (text.when) event->when = lw_scenario_law(reader, "when", text.when, true);
  if (text.joint) event->joint = lw_scenario_joint(reader, text.joint);
  if (text.drives) read_changes(reader, text.drives, event);
}

void lw_scenario_events(lwScenarioReader* reader, lwNode* node)
{
  char found[LW_DESCRIPTION_SIZE];
  if (!node) return;
  if (node->kind != LW_NODE_LIST)
  {
    lw_document_error(&reader->document, node->place, NULL, "'events' must be a list, found %s",
                      lw_node_describe(node, found));
    return;
  }
  lwArmEventDef* events = lw_scenario_take(reader, (size_t)node->count + 1, sizeof *events);
  if (!events) return;
  reader->scenario->arm.event_count = node->count;
  reader->scenario->arm.events      = events;
  for (lwItem* item = node->items; item; item = item->next)
    read_event(reader, item->value, events++);
}
