// SPDX-License-Identifier: MIT
// The cylinders of a robot file: what a description may be, and how it is read.
#include "read/robot_cylinders.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

enum
{
  FAULT_TEXT = 256  // bytes of the text of find_cylinder_fault()
};

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

// --- the keys of a cylinder

static const lwKey pin_keys[] = {
    LW_KEY(lwPin, link, .kind = LW_VALUE_NAME),
    LW_KEY(lwPin, at, .required = true, .size = 3, .measure = LW_MEASURE_LENGTH),
};
static const lwTable pin_table = LW_TABLE("a pin", pin_keys);

enum
{
  AT_NAME = 1,
  AT_FROM,
  AT_TO,
  AT_COUNT
};

#define LENGTH(member)     LW_KEY(lwCylinderDef, member, .required = true, .measure = LW_MEASURE_LENGTH)
#define NUMBER(member, si) LW_KEY(lwCylinderDef, member, .unit = si)
#define PIN(member, at)                                                                            \
  LW_KEY(lwCylinderDef, member, .required = true, .table = &pin_table, .slot = at)

static const lwKey cylinder_keys[] = {
    LW_KEY(lwCylinderDef, name, .kind = LW_VALUE_NAME, .required = true, .slot = AT_NAME),
    PIN(from, AT_FROM),
    PIN(to, AT_TO),
    LENGTH(bore),
    LENGTH(rod),
    LENGTH(stroke),
    LENGTH(closed_length),
    NUMBER(pressure, "Pa"),
    NUMBER(flow, "m^3/s"),
    NUMBER(bulk_modulus, "Pa"),
    NUMBER(dead_volume, "m^3"),
    NUMBER(hose_volume, "m^3"),
    NUMBER(hose_modulus, "Pa"),
    NUMBER(back_pressure, "Pa"),
    NUMBER(damping, "N s/m"),
    NUMBER(rod_modulus, "Pa"),
};
static const lwTable cylinder_table = LW_TABLE("a cylinder", cylinder_keys);

// --- what may be wrong

static double key_number(const lwCylinderDef* def, const lwKey* key)
{
  return *(const double*)(const void*)((const char*)def + key->offset);
}

// All numbers are positive; those that are 0 or infinite by default may be that, too. A dead volume
// below 0 stands for that of the default.
static bool number_fault(const lwCylinderDef* def, const lwKey* key, char text[FAULT_TEXT])
{
  const lwCylinderDef usual = lw_cylinder_def();
  double x = key_number(def, key), by_default = key_number(&usual, key);
  bool may_be_zero = by_default == 0 && !key->required;
  if (by_default < 0 || (x == 0 && may_be_zero) || (x > 0 && (isfinite(x) || isinf(by_default))))
    return false;
  snprintf(text, FAULT_TEXT, "%s must be %s (%g %s)", key->name,
           may_be_zero ? "0 or positive" : "positive", x, key->unit ? key->unit : "m");
  return true;
}

// True if a number of the description is impossible; text then says which and why.
static bool find_cylinder_fault(const lwCylinderDef* def, char text[FAULT_TEXT])
{
  bool wrong = false;
  for (int i = 0; i < cylinder_table.count && !wrong; ++i)
    wrong = cylinder_keys[i].kind == LW_VALUE_NUMBER && !cylinder_keys[i].table &&
            number_fault(def, &cylinder_keys[i], text);
  if (wrong) return true;
  if (!isfinite(def->dead_volume))
    snprintf(text, FAULT_TEXT, "dead_volume must be finite");
  else if (def->dead_volume == 0 && def->hose_volume == 0)
    snprintf(text, FAULT_TEXT,
             "dead_volume and hose_volume are both 0: a closed cylinder would be rigid where its "
             "piston is at an end");
  else if (!(def->rod < def->bore))
    snprintf(text, FAULT_TEXT, "rod must be thinner than the bore (%g is not less than %g m)",
             def->rod, def->bore);
  else
    return false;
  return true;
}

lwStatus lw_cylinder_check(const lwCylinderDef* def, lwDiag* diag)
{
  char text[FAULT_TEXT];
  lwStatus status = lw_def_check(def->cookie, "lw_cylinder_def()", diag);
  if (status != LW_OK || !find_cylinder_fault(def, text)) return status;
  return lw_refuse(diag, LW_ERROR_INPUT, NULL, "cylinder '%s': %s",
                   def->name ? def->name : "cylinder", text);
}

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
  char text[FAULT_TEXT];
  const lwCylinderDef* def = &list->defs[k];
  int before               = document->errors;
  if (find_cylinder_fault(def, text))
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
  int before = document->errors;
  *list      = (lwCylinderList){0};
  if (!node) return LW_OK;
  if (!lw_node_is_list(document, node, "cylinders", "")) return LW_ERROR_INPUT;
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
