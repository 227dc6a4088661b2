// SPDX-License-Identifier: MIT
#include "robot/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/number.h"
#include "io/lines.h"

static const double PI = 3.14159265358979323846;

bool quantity_read(const char* text, double* value, bool* angle)
{
  *angle = false;
  text   = skip_spaces(text);
  if (!lw_number_read(&text, value) || !isfinite(*value)) return false;
  text         = skip_spaces(text);
  bool degrees = !strncmp(text, "deg", 3);
  if (degrees || !strncmp(text, "rad", 3))
  {
    *angle = true;
    text += 3;
    if (degrees) *value = *value / 180 * PI;  // 90 deg is pi/2 exactly
  }
  return *skip_spaces(text) == 0;
}

static void trim_end(char* text)
{
  size_t length = strlen(text);
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) text[--length] = 0;
}

// "elbow = 30 deg": the value stands behind the last =.
static int take_value(const char* option, char* field, lwHold* value)
{
  char* equals = strrchr(field, '=');
  if (!equals || !quantity_read(equals + 1, &value->value, &value->angle))
    return fail(USAGE,
                "%s: '%s' is not NAME=VALUE with a finite number, like elbow=0.5 or "
                "elbow=30 deg",
                option, field);
  *equals = 0;
  trim_end(field);
  value->joint = field;
  return DONE;
}

static int take_field(NameList* list, const char* option, char** cursor)
{
  char* field = field_take(cursor);
  if (!field) return fail(USAGE, "%s: a quote that is not closed", option);
  if (list->values)
  {
    int status = take_value(option, field, &list->values[list->count]);
    if (status != DONE) return status;
  }
  if (!*field) return fail(USAGE, "%s: an empty name, expected that of a joint", option);
  list->names[list->count++] = field;
  return DONE;
}

int names_read(NameList* list, const char* option, const char* text, bool with_values)
{
  size_t most = 1;
  for (const char* s = text; *s; ++s) most += *s == ',';
  *list = (NameList){.text = strdup(text), .names = calloc(most, sizeof *list->names)};
  if (with_values) list->values = calloc(most, sizeof *list->values);
  if (!list->text || !list->names || (with_values && !list->values))
    return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  int status = DONE;
  for (char* cursor = list->text; cursor && status == DONE;)
    status = take_field(list, option, &cursor);
  return status;
}

void names_free(NameList* list)
{
  free(list->text);
  free(list->names);
  free(list->values);
  *list = (NameList){0};
}
