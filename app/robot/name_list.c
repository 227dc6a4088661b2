// SPDX-License-Identifier: MIT
#include "robot/name_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/number.h"
#include "base/units.h"
#include "io/lines.h"

static void trim_end(char* text)
{
  size_t length = strlen(text);
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) text[--length] = 0;
}

static int not_a_value(const char* option, const char* field)
{
  return fail(USAGE,
              "%s: '%s' is not NAME=VALUE with a finite number, like elbow=0.5 or elbow=30 deg",
              option, field);
}

static int take_field(NameList* list, const char* option, char** cursor)
{
  char* field = lw_field_take(cursor);
  if (!field) return fail(USAGE, "%s: a quote is not closed", option);
  if (list->texts)
  {
    char* equals = strrchr(field, '=');  // a name may have one, too
    if (!equals) return not_a_value(option, field);
    *equals                  = 0;
    list->texts[list->count] = lw_skip_spaces(equals + 1);
    trim_end(field);
  }
  if (!*field) return fail(USAGE, "%s: a name is empty, expected that of a joint", option);
  list->names[list->count++] = field;
  return DONE;
}

int names_read(NameList* list, const char* option, const char* text, bool with_values)
{
  size_t most = 1;
  for (const char* s = text; *s; ++s) most += *s == ',';
  *list = (NameList){.text = strdup(text), .names = calloc(most, sizeof *list->names)};
  if (with_values) list->texts = calloc(most, sizeof *list->texts);
  if (!list->text || !list->names || (with_values && !list->texts)) return no_memory();
  int status = DONE;
  for (char* cursor = list->text; cursor && status == DONE;)
    status = take_field(list, option, &cursor);
  return status;
}

int names_holds(NameList* list, const char* option)
{
  list->values = calloc((size_t)list->count + 1, sizeof *list->values);
  if (!list->values) return no_memory();
  for (int k = 0; k < list->count; ++k)
  {
    lwHold* hold     = &list->values[k];
    const char* text = list->texts[k];
    hold->joint      = list->names[k];
    if (!lw_number_read(&text, &hold->value) || !isfinite(hold->value) ||
        !lw_unit_apply("rad", text, &hold->value))
    {
      char field[200];
      snprintf(field, sizeof field, "%s=%s", list->names[k], list->texts[k]);
      return not_a_value(option, field);
    }
    hold->angle = *lw_skip_spaces(text) != 0;
  }
  return DONE;
}

void names_free(NameList* list)
{
  free(list->text);
  free(list->names);
  free(list->texts);
  free(list->values);
  *list = (NameList){0};
}

static void release_names(void* list)
{
  names_free(list);
}

NameList names_of(const char* option, const char* text, bool with_values)
{
  NameList* list = capacity(1, sizeof *list);
  hold(list, release_names);
  need(names_read(list, option, text, with_values));
  return *list;
}
