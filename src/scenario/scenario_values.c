// SPDX-License-Identifier: MIT
// Numbers and laws for each joint: one for all, a list, or by name.
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "drive/law.h"
#include "scenario/scenario_internal.h"

// Entries of q, or of qd.
static int entry_count(const lwScenarioReader* reader, bool positions)
{
  return positions ? lw_model_nq(reader->scenario->model) : reader->scenario->n;
}

static lwCoordinate entry_of(const lwScenarioReader* reader, bool positions, int k)
{
  const lwModel* model = reader->scenario->model;
  return positions ? lw_model_position(model, k) : lw_model_velocity(model, k);
}

static int find_entry(lwScenarioReader* reader, const lwNode* name, bool positions)
{
  lwNearest nearest = lw_nearest(name->kind == LW_NODE_SCALAR ? name->text : "");
  for (int k = 0; k < entry_count(reader, positions); ++k)
  {
    const char* known = entry_of(reader, positions, k).name;
    if (lw_node_is_word(name, known)) return k;
    lw_nearest_try(&nearest, known);
  }
  lw_document_error(&reader->document, name->place, LW_DID_YOU_MEAN(nearest),
                    "the robot has no moving joint %s", LW_FOUND(name));
  return -1;
}

int lw_scenario_joint(lwScenarioReader* reader, const lwNode* name)
{
  return find_entry(reader, name, false);
}

// --- what is given for each joint

// Reads the value of one joint, or of all of them (joint -1).
typedef void ReadOne(lwScenarioReader* reader, void* context, const lwNode* node, int joint,
                     int item);

static void read_value_list(lwScenarioReader* reader, const char* key, const lwNode* node,
                            bool positions, ReadOne* read, void* context)
{
  int n = entry_count(reader, positions), k = 0;
  if (node->count != n)
    lw_document_error(&reader->document, node->place,
                      "one for each moving joint; or by name, {elbow: ..}",
                      "'%s' must be a list of %d, found %d", key, n, node->count);
  for (const lwItem* item = node->items; item && node->count == n; item = item->next, ++k)
    read(reader, context, item->value, k, k + 1);
}

// Entries of q or qd that a name stands for.
typedef struct Entries
{
  int first, count;
} Entries;

// Entries of the joint of that name; none if there is no such joint.
static Entries entries_of_joint(const lwScenarioReader* reader, const lwNode* name, bool positions)
{
  const lwRobotDef* robot = lw_model_robot(reader->scenario->model);
  Entries found           = {0};
  for (int k = entry_count(reader, positions) - 1; k >= 0; --k)
    if (lw_node_is_word(name, robot->joints[entry_of(reader, positions, k).joint].name))
      found = (Entries){k, found.count + 1};
  return found;
}

// Entries that an item gives: the one of that name, or all of a ball or floating joint as a list.
static Entries item_entries(lwScenarioReader* reader, const lwItem* item, bool positions)
{
  Entries joint = entries_of_joint(reader, item->key, positions);
  if (joint.count < 2)
  {
    int k = find_entry(reader, item->key, positions);
    return k < 0 ? (Entries){0} : (Entries){k, 1};
  }
  if (item->value->kind == LW_NODE_LIST && item->value->count == joint.count) return joint;
  lw_document_error(&reader->document, item->value->place, NULL,
                    "joint '%s' needs a list of %d numbers", item->key->text, joint.count);
  return (Entries){0};
}

// Whether an item before this one gives one of its entries, too.
static bool is_given_twice(lwScenarioReader* reader, const lwNode* node, const lwItem* item,
                           Entries entries, bool positions)
{
  for (const lwItem* other = node->items; other != item; other = other->next)
  {
    Entries before = {0};
    if (other->key->kind == LW_NODE_SCALAR)
      before = entries_of_joint(reader, other->key, positions);
    for (int k = 0; k < entry_count(reader, positions) && before.count < 2; ++k)
      if (lw_node_is_word(other->key, entry_of(reader, positions, k).name))
        before = (Entries){k, 1};
    if (before.first >= entries.first + entries.count ||
        entries.first >= before.first + before.count)
      continue;
    lw_document_error(&reader->document, item->key->place, NULL,
                      "joint '%s' is given twice, first in line %d", item->key->text,
                      other->key->place.line);
    return true;
  }
  return false;
}

static void read_named(lwScenarioReader* reader, const lwNode* node, bool positions, ReadOne* read,
                       void* context)
{
  for (const lwItem* item = node->items; item; item = item->next)
  {
    Entries entries = item_entries(reader, item, positions);
    if (entries.count == 0 || is_given_twice(reader, node, item, entries, positions)) continue;
    if (entries.count == 1)
      read(reader, context, item->value, entries.first, 0);
    else
    {
      int k = 0;
      for (const lwItem* one = item->value->items; one; one = one->next, ++k)
        read(reader, context, one->value, entries.first + k, k + 1);
    }
  }
}

static void read_per_joint(lwScenarioReader* reader, const char* key, lwNode* node, bool positions,
                           ReadOne* read, void* context)
{
  if (node->kind == LW_NODE_BROKEN)
    ++reader->document.errors;
  else if (node->kind == LW_NODE_LIST)
    read_value_list(reader, key, node, positions, read, context);
  else if (node->kind == LW_NODE_MAPPING)
    read_named(reader, node, positions, read, context);
  else
    for (int k = 0, before = reader->document.errors;
         k < entry_count(reader, positions) && reader->document.errors == before; ++k)
      read(reader, context, node, k, 0);
}

// --- numbers

typedef struct Numbers
{
  const char* key;
  lwPerJoint kind;
  double* values;
} Numbers;

static lwKey key_of(const Numbers* numbers, lwCoordinate entry)
{
  static const struct
  {
    lwMeasure measure;
    const char* unit;
  } turning[]       = {[LW_PER_JOINT_POSITION] = {LW_MEASURE_ANGLE, "rad"},
                       [LW_PER_JOINT_VELOCITY] = {LW_MEASURE_ANGULAR_SPEED, "rad/s"},
                       [LW_PER_JOINT_PLAIN]    = {LW_MEASURE_OTHER, NULL}},
    sliding[]       = {[LW_PER_JOINT_POSITION] = {LW_MEASURE_OTHER, "m"},
                       [LW_PER_JOINT_VELOCITY] = {LW_MEASURE_OTHER, "m/s"},
                       [LW_PER_JOINT_PLAIN]    = {LW_MEASURE_OTHER, NULL}};
  lwMeasure measure = entry.slides || entry.quaternion ? sliding[numbers->kind].measure
                                                       : turning[numbers->kind].measure;
  const char* unit  = entry.quaternion ? NULL
                      : entry.slides   ? sliding[numbers->kind].unit
                                       : turning[numbers->kind].unit;
  return (lwKey){.name = numbers->key, .measure = measure, .unit = unit};
}

static void read_scenario_number(lwScenarioReader* reader, void* context, const lwNode* node,
                                 int joint, int item)
{
  Numbers* numbers = context;
  bool positions   = numbers->kind == LW_PER_JOINT_POSITION;
  lwKey key        = key_of(numbers, entry_of(reader, positions, joint));
  lw_node_number(&reader->document, node, &key, item, &numbers->values[joint]);
}

void lw_scenario_values(lwScenarioReader* reader, const char* key, lwNode* node, lwPerJoint kind,
                        double* values)
{
  Numbers numbers = {.key = key, .kind = kind};
  numbers.values  = values;
  read_per_joint(reader, key, node, kind == LW_PER_JOINT_POSITION, read_scenario_number, &numbers);
}

// --- laws

const lwLaw* lw_scenario_law(lwScenarioReader* reader, const char* key, const lwNode* node,
                             bool state)
{
  return lw_keep_law(reader->keep, &reader->document, key, node, (lwLawText){.state = state});
}

typedef struct LawTexts
{
  const char* key;
  const lwLaw** laws;
} LawTexts;

static bool is_degrees(const lwNode* node)
{
  return node->kind == LW_NODE_SCALAR && node->count > 3 &&
         !strcmp(node->text + node->count - 3, "deg");
}

// An angle in degrees, as a law that is a number.
static const lwLaw* read_degrees(lwScenarioReader* reader, const char* name, const lwNode* node,
                                 int joint, int item)
{
  char text[LW_NUMBER_SIZE];
  double value    = 0;
  Numbers numbers = {name, LW_PER_JOINT_POSITION, &value};
  lwKey key       = key_of(&numbers, entry_of(reader, false, joint));
  if (!lw_node_number(&reader->document, node, &key, item, &value)) return NULL;
  lw_number_write(value, text);
  return lw_keep_law(reader->keep, &reader->document, name, node, (lwLawText){.text = text});
}

static void read_one_law(lwScenarioReader* reader, void* context, const lwNode* node, int joint,
                         int item)
{
  LawTexts* laws    = context;
  laws->laws[joint] = is_degrees(node) ? read_degrees(reader, laws->key, node, joint, item)
                                       : lw_scenario_law(reader, laws->key, node, false);
}

void lw_scenario_laws(lwScenarioReader* reader, const char* key, lwNode* node, const lwLaw** laws)
{
  LawTexts context = {key, laws};
  read_per_joint(reader, key, node, false, read_one_law, &context);
}
