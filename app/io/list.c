// SPDX-License-Identifier: MIT
#include "list.h"

#include <math.h>
#include <string.h>

#include "app.h"
#include "base/number.h"
#include "lines.h"

int list_count(const char* list)
{
  int count = *skip_spaces(list) != 0;
  for (; *list; ++list) count += *list == ',';
  return count;
}

int list_values(Option option, const char* list, int count, double* values)
{
  const char* s = list;
  for (int k = 0; k < count; ++k)
  {
    const char* start = s = skip_spaces(s);
    bool number           = lw_number_read(&s, &values[k]);
    s                     = skip_spaces(s);
    if (!number || *s != (k < count - 1 ? ',' : 0) || !isfinite(values[k]))
      return fail(USAGE, "%s: value %d, '%.*s', is not a finite number", OPTIONS[option].name,
                  k + 1, (int)strcspn(start, ","), start);
    ++s;
  }
  return DONE;
}

int list_parse(Option option, const char* list, int needed, const char* each, double* values)
{
  int given = list_count(list);
  if (given != needed)
    return fail(USAGE, "%s: %d value%s given, expected %d, %s", OPTIONS[option].name, given,
                given == 1 ? "" : "s", needed, each);
  return list_values(option, list, needed, values);
}

int list_positive(const Options* options, Option option, const char* unit, double* value)
{
  const char* text = options->value[option];
  const char* end  = text;
  if (!text || (lw_number_read(&end, value) && !*end && *value > 0 && isfinite(*value)))
    return DONE;
  return fail(USAGE, "%s: '%s' is wrong, expected a positive number of %s", OPTIONS[option].name,
              text, unit);
}
