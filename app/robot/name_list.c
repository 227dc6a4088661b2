// SPDX-License-Identifier: MIT
#include "robot/name_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "base/number.h"
#include "base/units.h"

static _Noreturn void not_a_value(const char* option, const char* field)
{
  stop(USAGE, "%s: '%s' is not NAME=VALUE with a finite number, like elbow=0.5 or elbow=30 deg",
       option, field);
}

// Cuts the value off NAME=VALUE, and spaces before it.
static const char* split_value(const char* option, char* field)
{
  char* equals = strrchr(field, '=');  // a name may have one, too
  if (!equals) not_a_value(option, field);
  char* end = equals;
  while (end > field && (end[-1] == ' ' || end[-1] == '\t')) --end;
  *end = 0;
  return lw_skip_spaces(equals + 1);
}

NameList names_of(const char* option, const char* text, bool with_values)
{
  size_t most = 1;
  for (const char* s = text; *s; ++s) most += *s == ',';
  NameList list = {.names = allocate(most, sizeof *list.names)};
  if (with_values) list.texts = allocate(most, sizeof *list.texts);
  for (char* cursor = text_copy(text); cursor; ++list.count)
  {
    char* field = lw_field_take(&cursor);
    if (!field) stop(USAGE, "%s: a quote is not closed", option);
    if (with_values) list.texts[list.count] = split_value(option, field);
    if (!*field) stop(USAGE, "%s: a name is empty, expected that of a joint", option);
    list.names[list.count] = field;
  }
  return list;
}

NameList names_held(const char* option, const char* text)
{
  NameList list = names_of(option, text, true);
  list.values   = allocate((size_t)list.count, sizeof *list.values);
  for (int k = 0; k < list.count; ++k)
  {
    lwHold* hold      = &list.values[k];
    const char* value = list.texts[k];
    hold->joint       = list.names[k];
    if (!lw_number_read(&value, &hold->value) || !isfinite(hold->value) ||
        !lw_unit_apply("rad", value, &hold->value))
    {
      char field[200];
      snprintf(field, sizeof field, "%s=%s", list.names[k], list.texts[k]);
      not_a_value(option, field);
    }
    hold->angle = *lw_skip_spaces(value) != 0;
  }
  return list;
}
