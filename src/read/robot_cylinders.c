// SPDX-License-Identifier: MIT
// The cylinders of a robot file: what a description may be, and how it is read.
#include "read/robot_cylinders.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

lwCylinderDef lw_cylinder_def(void)
{
  return (lwCylinderDef){.pressure     = INFINITY,
                         .flow         = INFINITY,
                         .bulk_modulus = 1.4e9,
                         .dead_volume  = -1,
                         .hose_modulus = 3e8,
                         .rod_modulus  = 2.1e11,
                         .cookie       = LW_COOKIE};
}

// --- what may be wrong

static const struct
{
  const char *name, *unit;
  size_t offset;
  bool may_be_zero, may_be_infinite;
} NUMBERS[] = {
    {"bore", "m", offsetof(lwCylinderDef, bore), false, false},
    {"rod", "m", offsetof(lwCylinderDef, rod), false, false},
    {"stroke", "m", offsetof(lwCylinderDef, stroke), false, false},
    {"closed_length", "m", offsetof(lwCylinderDef, closed_length), false, false},
    {"pressure", "Pa", offsetof(lwCylinderDef, pressure), false, true},
    {"flow", "m^3/s", offsetof(lwCylinderDef, flow), false, true},
    {"bulk_modulus", "Pa", offsetof(lwCylinderDef, bulk_modulus), false, false},
    {"hose_volume", "m^3", offsetof(lwCylinderDef, hose_volume), true, false},
    {"hose_modulus", "Pa", offsetof(lwCylinderDef, hose_modulus), false, false},
    {"back_pressure", "Pa", offsetof(lwCylinderDef, back_pressure), true, false},
    {"damping", "N s/m", offsetof(lwCylinderDef, damping), true, false},
    {"rod_modulus", "Pa", offsetof(lwCylinderDef, rod_modulus), false, false},
};

static bool cylinder_is_wrong(char text[LW_CYLINDER_FAULT], const char* format, ...)
    __attribute__((format(printf, 2, 3)));

static bool cylinder_is_wrong(char text[LW_CYLINDER_FAULT], const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, LW_CYLINDER_FAULT, format, arguments);
  va_end(arguments);
  return true;
}

bool lw_cylinder_fault(const lwCylinderDef* def, char text[LW_CYLINDER_FAULT])
{
  for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; ++i)
  {
    double x   = *(const double*)(const void*)((const char*)def + NUMBERS[i].offset);
    bool large = isinf(x) ? NUMBERS[i].may_be_infinite && x > 0 : x > 0;
    if (!large && !(x == 0 && NUMBERS[i].may_be_zero))
      return cylinder_is_wrong(text, "%s must be %s (%g %s)", NUMBERS[i].name,
                               NUMBERS[i].may_be_zero ? "0 or positive" : "positive", x,
                               NUMBERS[i].unit);
  }
  if (!isfinite(def->dead_volume)) return cylinder_is_wrong(text, "dead_volume must be finite");
  if (def->dead_volume == 0 && def->hose_volume == 0)
    return cylinder_is_wrong(
        text, "dead_volume and hose_volume are both 0: a closed cylinder would be rigid where "
              "its piston is at an end");
  if (!(def->rod < def->bore))
    return cylinder_is_wrong(text, "rod must be thinner than the bore (%g is not less than %g m)",
                             def->rod, def->bore);
  return false;
}

lwStatus lw_cylinder_check(const lwCylinderDef* def, lwDiag* diag)
{
  char text[LW_CYLINDER_FAULT];
  lwStatus status = lw_def_check(def->cookie, "lw_cylinder_def()", diag);
  if (status != LW_OK || !lw_cylinder_fault(def, text)) return status;
  LW_REFUSE(diag, NULL, "cylinder '%s': %s", def->name ? def->name : "cylinder", text);
  return LW_ERROR_INPUT;
}

// --- the keys of a cylinder

static const lwKey pin_keys[] = {
    {.name = "link", .kind = LW_VALUE_NAME, .offset = offsetof(lwPin, link)},
    {.name     = "at",
     .kind     = LW_VALUE_NUMBERS,
     .required = true,
     .offset   = offsetof(lwPin, at),
     .size     = 3,
     .measure  = LW_MEASURE_LENGTH,
     .unit     = "m"},
};
static const lwTable pin_table = LW_TABLE("a pin", pin_keys);

#define NUMBER(key, member, needed, quantity, si)                                                  \
  {                                                                                                \
    .name = key, .kind = LW_VALUE_NUMBER, .required = needed,                                      \
    .offset = offsetof(lwCylinderDef, member), .measure = quantity, .unit = si                     \
  }
#define PIN(key, member, at_slot)                                                                  \
  {                                                                                                \
    .name = key, .kind = LW_VALUE_MAPPING, .required = true,                                       \
    .offset = offsetof(lwCylinderDef, member), .table = &pin_table, .slot = at_slot                \
  }

enum
{
  AT_NAME = 1,
  AT_FROM,
  AT_TO,
  AT_COUNT
};

static const lwKey cylinder_keys[] = {
    {.name     = "name",
     .kind     = LW_VALUE_NAME,
     .required = true,
     .offset   = offsetof(lwCylinderDef, name),
     .slot     = AT_NAME},
    PIN("from", from, AT_FROM),
    PIN("to", to, AT_TO),
    NUMBER("bore", bore, true, LW_MEASURE_LENGTH, "m"),
    NUMBER("rod", rod, true, LW_MEASURE_LENGTH, "m"),
    NUMBER("stroke", stroke, true, LW_MEASURE_LENGTH, "m"),
    NUMBER("closed_length", closed_length, true, LW_MEASURE_LENGTH, "m"),
    NUMBER("pressure", pressure, false, LW_MEASURE_OTHER, "Pa"),
    NUMBER("flow", flow, false, LW_MEASURE_OTHER, "m^3/s"),
    NUMBER("bulk_modulus", bulk_modulus, false, LW_MEASURE_OTHER, "Pa"),
    NUMBER("dead_volume", dead_volume, false, LW_MEASURE_OTHER, "m^3"),
    NUMBER("hose_volume", hose_volume, false, LW_MEASURE_OTHER, "m^3"),
    NUMBER("hose_modulus", hose_modulus, false, LW_MEASURE_OTHER, "Pa"),
    NUMBER("back_pressure", back_pressure, false, LW_MEASURE_OTHER, "Pa"),
    NUMBER("damping", damping, false, LW_MEASURE_OTHER, "N s/m"),
    NUMBER("rod_modulus", rod_modulus, false, LW_MEASURE_OTHER, "Pa"),
};
static const lwTable cylinder_table = LW_TABLE("a cylinder", cylinder_keys);

// --- the list

static int pin_joint(lwDocument* document, const lwModel* model, const lwPin* pin, lwPlace place)
{
  int joint = LW_BASE;
  if (pin->link && lw_model_find_link(model, pin->link, &joint) != LW_OK)
    lw_document_error(document, place, "a link, its joint, or leave it out for the base",
                      "there is no link '%s' in this robot", pin->link);
  return joint;
}

static void check_cylinder(lwDocument* document, const lwModel* model, const lwCylinderList* list,
                           int k, const lwPlace places[AT_COUNT], lwPlace whole)
{
  char text[LW_CYLINDER_FAULT];
  const lwCylinderDef* def = &list->defs[k];
  int before               = document->errors;
  if (lw_cylinder_fault(def, text))
    lw_document_error(document, whole, NULL, "cylinder '%s': %s", def->name, text);
  int from = pin_joint(document, model, &def->from, places[AT_FROM]);
  int to   = pin_joint(document, model, &def->to, places[AT_TO]);
  if (from == to && document->errors == before)
    lw_document_error(document, places[AT_TO], "it moves nothing",
                      "cylinder '%s': both pins are on the same link", def->name);
  for (int i = 0; i < k; ++i)
    if (list->defs[i].name && !strcmp(list->defs[i].name, def->name))
      lw_document_error(document, places[AT_NAME], NULL, "two cylinders are called '%s'",
                        def->name);
}

lwStatus lw_cylinder_list_read(lwDocument* document, lwNode* node, const lwModel* model,
                               lwCylinderList* list)
{
  char found[LW_DESCRIPTION_SIZE];
  int before = document->errors;
  *list      = (lwCylinderList){0};
  if (!node) return LW_OK;
  if (node->kind != LW_NODE_LIST)
  {
    lw_document_error(document, node->place, NULL, "'cylinders' must be a list, found %s",
                      lw_node_describe(node, found));
    return LW_ERROR_INPUT;
  }
  list->defs = lw_arena_take(&document->arena, (size_t)node->count + 1, sizeof *list->defs);
  if (!list->defs) return LW_ERROR_MEMORY;
  for (lwItem* item = node->items; item; item = item->next)
  {
    lwPlace places[AT_COUNT] = {{0}};
    lwCylinderDef* def       = &list->defs[list->count];
    *def                     = lw_cylinder_def();
    if (lw_document_fill(document, item->value, &cylinder_table, def, places))
      check_cylinder(document, model, list, list->count, places, item->value->place);
    ++list->count;
  }
  return document->errors == before ? LW_OK : LW_ERROR_INPUT;
}
