// SPDX-License-Identifier: MIT
#include "list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "base/number.h"
#include "base/units.h"
#include "command/ranges.h"

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

static _Noreturn void wrong_value(Option option, const char* which, const char* text,
                                  const char* unit)
{
  const char* example = lw_unit_example(unit);
  stop(USAGE, "%s: %s, '%s', is wrong, expected a finite number%s%s%s%s", OPTIONS[option].name,
       which, text, unit ? " in " : "", unit ? unit : "", example ? ", or like " : "",
       example ? example : "");
}

double list_take_named(Option option, const char* name, const char* text, const char* unit)
{
  char which[120];
  double value = 0;
  if (value_read(text, unit, &value)) return value;
  snprintf(which, sizeof which, "the value of '%.80s'", name);
  wrong_value(option, which, text, unit);
}

double list_take(Option option, const char** cursor, int k, const char* unit)
{
  char text[VALUE_SIZE], which[32];
  const char* start = lw_skip_spaces(*cursor);
  size_t length     = strcspn(start, ",");
  bool fits         = length < sizeof text;
  double value      = 0;
  snprintf(text, sizeof text, "%.*s", (int)(fits ? length : sizeof text - 1), start);
  *cursor = start[length] == ',' ? start + length + 1 : start + length;
  if (fits && value_read(text, unit, &value)) return value;
  snprintf(which, sizeof which, "value %d", k + 1);
  wrong_value(option, which, text, unit);
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

void list_parse(Option option, const char* list, int needed, const char* each, double* values)
{
  int given = list_count(list);
  if (given != needed)
    stop(USAGE, "%s: %d value%s given, expected %d, %s", OPTIONS[option].name, given,
         given == 1 ? "" : "s", needed, each);
  for (int k = 0; k < needed; ++k)
    values[k] = list_take(option, &list, k, unit_of_option(option, k));
  const char* unit = unit_of_option(option, 0);
  if (unit && !strcmp(unit, "rad")) ranges_angles(OPTIONS[option].name, 0, values, needed, NULL, 1);
}

double number_in(const Options* options, Option option, double low, double high,
                 const char* expected, double usual)
{
  const char *text = options->value[option], *end = text;
  double number = usual;
  if (text && (!lw_number_read(&end, &number) || *end || !(number >= low && number <= high)))
    stop(USAGE, "%s: '%s' is wrong, expected %s", OPTIONS[option].name, text, expected);
  return number;
}

long integer_of(const Options* options, Option option, long low, long high, long usual)
{
  char expected[80];
  snprintf(expected, sizeof expected, "an integer from %ld to %ld", low, high);
  if (!options->value[option]) return usual;
  double number = number_in(options, option, (double)low, (double)high, expected, 0);
  if (number != floor(number))
    stop(USAGE, "%s: '%s' is wrong, expected %s", OPTIONS[option].name, options->value[option],
         expected);
  return (long)number;
}

double positive_of(const Options* options, Option option, const char* unit, double usual)
{
  const char* text = options->value[option];
  if (text && !(value_read(text, unit, &usual) && usual > 0))
    stop(USAGE, "%s: '%s' is wrong, expected a positive number%s%s", OPTIONS[option].name, text,
         unit ? " in " : "", unit ? unit : "");
  return usual;
}

int choice_of(const Options* options, Option option, const char* const* names, int usual)
{
  const char* name   = options->value[option];
  char expected[256] = "";
  if (!name) return usual;
  for (int i = 0; names[i]; ++i)
  {
    if (!strcmp(name, names[i])) return i;
    lw_text_append(expected, sizeof expected, i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
  }
  stop(USAGE, "%s: unknown %s '%s'; expected %s", OPTIONS[option].name, OPTIONS[option].name + 2,
       name, expected);
}

unsigned set_of(const Options* options, Option option, const char* const* names, bool guess)
{
  unsigned set = 0;
  for (const char* list = options->value[option]; list;)
  {
    size_t length      = strcspn(list, ",");
    char expected[256] = "expected ";
    Nearest nearest    = nearest_to(list, length);
    int k              = 0;
    for (; names[k] && !text_is(names[k], list, length); ++k)
    {
      nearest_offer(&nearest, names[k]);
      lw_text_append(expected, sizeof expected, k > 0 ? ", " : "", names[k]);
    }
    if (!names[k])
      stop(USAGE, "%s: unknown part '%.*s'; %s", OPTIONS[option].name, (int)length, list,
           guess ? nearest_or(&nearest, expected) : expected);
    set |= 1u << k;
    list = list[length] ? list + length + 1 : NULL;
  }
  return set;
}

// --- names

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
