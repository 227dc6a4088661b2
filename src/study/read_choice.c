// SPDX-License-Identifier: MIT
// A parameter that is one of several named sets of numbers: motors of a catalogue, grippers.
//
//   choice: {small: {joints.elbow.gear: 50, joints.elbow.current: 4},
//            large: {joints.elbow.gear: 100}}
#include <math.h>

#include "study/study_internal.h"

void lw_study_read_choice(lwStudyReader* reader, lwNode* node, lwParameterDef* parameter)
{
  int count = node->kind == LW_NODE_MAPPING ? node->count : 0, i = 0;
  if (count < 1)
    return lw_document_error(
        &reader->document, node->place,
        "choice: {small: {joints.elbow.gear: 50}, large: {joints.elbow.gear: 100}}",
        "'choice' must be a mapping of names to numbers of the robot or scenario");
  double* values     = lw_keep_take(reader->keep, (size_t)count, sizeof *values);
  parameter->choices = lw_keep_take(reader->keep, (size_t)count, sizeof *parameter->choices);
  if (!values || !parameter->choices) return;
  for (const lwItem* item = node->items; item; item = item->next, ++i)
  {
    values[i]             = i + 1;
    parameter->choices[i] = lw_keep_text(reader->keep, item->key->text);
  }
  parameter->distribution = (lwDistribution){.kind   = LW_SPREAD_DISCRETE,
                                             .low    = -INFINITY,
                                             .high   = INFINITY,
                                             .values = values,
                                             .count  = count};
}

void lw_study_choice_targets(lwStudyReader* reader, int parameter, const lwNode* node)
{
  lwKey key      = {.name = "choice"};
  lwPatchDef def = {.parameter = parameter, .op = LW_PATCH_SET};
  for (const lwItem* set = node->items; set; set = set->next)
  {
    ++def.choice;
    if (set->value->kind != LW_NODE_MAPPING)
    {
      lw_document_error(&reader->document, set->value->place, NULL,
                        "choice '%s' must be a mapping of targets to numbers", set->key->text);
      continue;
    }
    for (const lwItem* item = set->value->items; item; item = item->next)
      if (lw_node_number(&reader->document, item->value, &key, 0, &def.chosen))
        lw_study_find_target(reader, &def, item->key);
  }
}
