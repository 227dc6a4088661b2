// SPDX-License-Identifier: MIT
// The events of a scenario: when, and what changes then.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scenario/scenario_internal.h"

static const char* const flag_words[] = {"false", "true", NULL};

typedef struct EventText
{
  const char* name;
  double at;
  lwNode *joint, *when, *drives;
  int stop;
  int valves;  // 1: they close
} EventText;

static const char* const valve_words[] = {"keep", "close", NULL};

static const lwKey event_keys[] = {
    LW_KEY(EventText, name, .kind = LW_VALUE_NAME),
    LW_KEY(EventText, at, .unit = "s"),
    LW_NODE_KEY(EventText, joint),
    LW_NODE_KEY(EventText, when),
    LW_NODE_KEY(EventText, drives),
    LW_CHOICE_KEY(EventText, stop, flag_words),
    LW_CHOICE_KEY(EventText, valves, valve_words),
};
static const lwTable event_table = LW_TABLE("an event", event_keys);

static void read_changes(lwScenarioReader* reader, lwNode* node, lwArmEventDef* event)
{
  size_t n             = (size_t)reader->scenario->n + 1;
  lwJointDrive* drives = lw_keep_take(reader->keep, n, sizeof *drives);
  bool* changes        = lw_keep_take(reader->keep, n, sizeof *changes);
  if (!drives || !changes) return;
  lw_scenario_drives(reader, node, drives, changes);
  event->drives  = drives;
  event->changes = changes;
}

// --- closing valves

static void destroy_cylinders(void* cylinders)
{
  lw_cylinders_destroy(cylinders);
}

static bool load_cylinders(lwScenarioReader* reader, const lwNode* node)
{
  const lwScenario* scenario = reader->scenario;
  if (reader->cylinders) return true;
  lwStatus status = lw_cylinders_read_file(reader->robot, scenario->model, reader->document.diag,
                                           &reader->cylinders);
  if (status == LW_ERROR_MEMORY) reader->keep->failed = true;
  if (!reader->cylinders) return false;
  lw_keep_own(reader->keep, reader->cylinders, destroy_cylinders);
  if (lw_cylinders_count(reader->cylinders) > 0) return true;
  return lw_document_reject(&reader->document, node->place, "the key 'cylinders' of the robot file",
                            "valves can close only on a robot with cylinders");
}

// Joints that cylinders turn are driven by their oil alone, unless the event says otherwise.
static void close_valves(lwScenarioReader* reader, const lwNode* node, lwArmEventDef* event)
{
  int n = reader->scenario->n;
  if (!reader->scenario->model || !load_cylinders(reader, node)) return;
  size_t count = (size_t)lw_cylinders_count(reader->cylinders), joints = (size_t)n;
  lwJointDrive* drives = lw_keep_take(reader->keep, joints + 1, sizeof *drives);
  bool* changes        = lw_keep_take(reader->keep, joints + 1, sizeof *changes);
  double* values       = lw_keep_take(reader->keep, count * (joints + 1) + 1, sizeof *values);
  double* q =
      lw_keep_take(reader->keep, (size_t)lw_model_nq(reader->scenario->model) + 1, sizeof *q);
  if (!drives || !changes || !values || !q) return;
  if (reader->scenario->arm.q)
    memcpy(q, reader->scenario->arm.q, (size_t)lw_model_nq(reader->scenario->model) * sizeof *q);
  else
    lw_model_neutral(reader->scenario->model, q);
  lw_cylinders_pose(reader->cylinders, q, values, values + count, NULL);
  for (size_t i = 0; i < count * joints; ++i)
    if (fabs(values[count + i]) > 1e-12) changes[i % joints] = true;
  for (int k = 0; k < n && event->changes; ++k)
    if (event->changes[k]) changes[k] = true, drives[k] = event->drives[k];
  event->changes = changes;
  event->drives  = drives;
  event->closes  = reader->cylinders;
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
  if (!text->drives && !text->stop && !text->valves)
    lw_document_error(&reader->document, node->place, "drives: {..}, valves: close or stop: true",
                      "the event does nothing");
}

static void read_event(lwScenarioReader* reader, lwNode* node, lwArmEventDef* event)
{
  EventText text = {.at = NAN};
  if (!lw_document_fill(&reader->document, node, &event_table, &text, NULL)) return;
  check_event(reader, &text, node);
  if (text.name) event->name = lw_keep_text(reader->keep, text.name);
  event->at   = text.at;
  event->ends = text.stop == 1;
  if (text.when) event->when = lw_scenario_law(reader, "when", text.when, true);
  if (text.joint) event->joint = lw_scenario_joint(reader, text.joint);
  if (text.drives) read_changes(reader, text.drives, event);
  if (text.valves == 1) close_valves(reader, node, event);
}

void lw_scenario_events(lwScenarioReader* reader, lwNode* node)
{
  if (!node) return;
  if (!lw_node_is_list(&reader->document, node, "events", "")) return;
  lwArmEventDef* events = lw_keep_take(reader->keep, (size_t)node->count + 1, sizeof *events);
  if (!events) return;
  reader->scenario->arm.event_count = node->count;
  reader->scenario->arm.events      = events;
  for (lwItem* item = node->items; item; item = item->next)
    read_event(reader, item->value, events++);
}
