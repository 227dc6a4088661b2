// SPDX-License-Identifier: MIT
#include "list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "base/number.h"
#include "base/units.h"
#include "command/ranges.h"
#include "io/lines.h"

enum
{
  VALUE_SIZE = 64  // of a value and its unit, as text
};

int list_count(const char* list)
{
  int count = *lw_skip_spaces(list) != 0;
  for (; *list; ++list) count += *list == ',';
  return count;
}

// A finite number that fills the text, with a unit after it if need be.
static bool value_read(const char* text, const char* unit, double* value)
{
  text = lw_skip_spaces(text);
  return lw_number_read(&text, value) && isfinite(*value) && lw_unit_apply(unit, text, value) &&
         isfinite(*value);
}

static int wrong_value(Option option, const char* which, const char* text, const char* unit)
{
  const char* example = lw_unit_example(unit);
  char expected[80]   = ", expected a finite number";
  if (unit) snprintf(expected, sizeof expected, ", expected a finite number in %s", unit);
  return fail(USAGE, "%s: %s, '%s', is wrong%s%s%s", OPTIONS[option].name, which, text, expected,
              example ? ", or like " : "", example ? example : "");
}

int list_take_named(Option option, const char* name, const char* text, const char* unit,
                    double* value)
{
  char which[120];
  if (value_read(text, unit, value)) return DONE;
  snprintf(which, sizeof which, "the value of '%.80s'", name);
  return wrong_value(option, which, text, unit);
}

int list_take(Option option, const char** cursor, int k, const char* unit, double* value)
{
  char text[VALUE_SIZE], which[32];
  const char* start = lw_skip_spaces(*cursor);
  size_t length     = strcspn(start, ",");
  bool fits         = length < sizeof text;
  snprintf(text, sizeof text, "%.*s", (int)(fits ? length : sizeof text - 1), start);
  *cursor = start[length] == ',' ? start + length + 1 : start + length;
  if (fits && value_read(text, unit, value)) return DONE;
  snprintf(which, sizeof which, "value %d", k + 1);
  return wrong_value(option, which, text, unit);
}

// The unit of value k, for options whose values do not depend on the robot.
static const char* unit_of_option(Option option, int k)
{
  switch (option)
  {
    case OPTION_WRENCH:
      return k < 3 ? "N" : "N m";
    case OPTION_POSITION:
      return "m";
    case OPTION_ARM_ANGLE:
    case OPTION_THETA:
    case OPTION_THETA0:
    case OPTION_VIEW:
    case OPTION_BASE_RPY:
      return "rad";
    case OPTION_U:
    case OPTION_U0:
      return k == 0 ? "m/s" : "rad/s";
    case OPTION_TORQUE:
      return "N m";
    case OPTION_GRAVITY:
      return "m/s^2";
    default:
      return NULL;
  }
}

int list_parse(Option option, const char* list, int needed, const char* each, double* values)
{
  int given  = list_count(list);
  int status = DONE;
  if (given != needed)
    return fail(USAGE, "%s: %d value%s given, expected %d, %s", OPTIONS[option].name, given,
                given == 1 ? "" : "s", needed, each);
  for (int k = 0; k < needed && status == DONE; ++k)
    status = list_take(option, &list, k, unit_of_option(option, k), &values[k]);
  const char* unit = unit_of_option(option, 0);
  if (status == DONE && unit && !strcmp(unit, "rad"))
    ranges_angles(OPTIONS[option].name, 0, values, needed, NULL, 1);
  return status;
}

int list_positive(const Options* options, Option option, const char* unit, double* value)
{
  const char* text = options->value[option];
  if (!text || (value_read(text, unit, value) && *value > 0)) return DONE;
  return fail(USAGE, "%s: '%s' is wrong, expected a positive number in %s", OPTIONS[option].name,
              text, unit);
}

int list_integer(const Options* options, Option option, long low, long high, long* value)
{
  const char* text = options->value[option];
  const char* end  = text;
  double number    = 0;
  if (!text) return DONE;
  if (!lw_number_read(&end, &number) || *end || number < low || number > high ||
      number != (double)(long)number)
    return fail(USAGE, "%s: '%s' is wrong, expected an integer from %ld to %ld",
                OPTIONS[option].name, text, low, high);
  *value = (long)number;
  return DONE;
}

int list_choice(const Options* options, Option option, const char* const* names, int* chosen)
{
  const char* name   = options->value[option];
  char expected[256] = "";
  for (int i = 0; name && names[i]; ++i)
  {
    if (!strcmp(name, names[i]))
    {
      *chosen = i;
      return DONE;
    }
    lw_text_append(expected, sizeof expected, i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
  }
  if (!name) return DONE;
  return fail(USAGE, "%s: unknown %s '%s'; expected %s", OPTIONS[option].name,
              OPTIONS[option].name + 2, name, expected);
}
