// SPDX-License-Identifier: MIT
#include "base/units.h"

#include <string.h>

// SI value = number / divisor * factor, so that 90 deg is pi/2 exactly.
static const struct
{
  const char* si;
  const char* name;
  double divisor, factor;
} UNITS[] = {
    {"rad", "deg", 180, LW_PI},
    {"rad/s", "deg/s", 180, LW_PI},
    {"rad/s", "rpm", 30, LW_PI},
    {"rad/s^2", "deg/s^2", 180, LW_PI},
    {"rad/s^3", "deg/s^3", 180, LW_PI},
    {"m", "cm", 100, 1},
    {"m", "mm", 1000, 1},
    {"m/s", "cm/s", 100, 1},
    {"m/s", "mm/s", 1000, 1},
    {"m/s^2", "mm/s^2", 1000, 1},
    {"kg", "g", 1000, 1},
    {"kg/m^3", "g/cm^3", 1, 1000},
    {"N m", "Nm", 1, 1},
    {"N m", "mN m", 1000, 1},
    {"N m", "kN m", 1, 1000},
    {"N", "kN", 1, 1000},
    {"s", "ms", 1000, 1},
    {"s", "min", 1, 60},
};

static const struct
{
  const char *si, *text;
} EXAMPLES[] = {
    {"rad", "90 deg"},         {"rad/s", "90 deg/s"}, {"rad/s^2", "90 deg/s^2"},
    {"rad/s^3", "90 deg/s^3"}, {"m", "120 mm"},       {"m/s", "120 mm/s"},
    {"m/s^2", "120 mm/s^2"},   {"kg", "250 g"},       {"kg/m^3", "2.7 g/cm^3"},
    {"N m", "1.5 kN m"},       {"N", "1.5 kN"},       {"s", "20 ms"},
};

bool lw_unit_apply(const char* si, const char* unit, double* number)
{
  while (*unit == ' ' || *unit == '\t') ++unit;
  size_t length = strlen(unit);
  while (length > 0 && (unit[length - 1] == ' ' || unit[length - 1] == '\t')) --length;
  if (length == 0) return true;
  if (!si) return false;
  if (strlen(si) == length && !strncmp(unit, si, length)) return true;
  for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; ++i)
  {
    if (strcmp(UNITS[i].si, si) != 0) continue;
    if (strlen(UNITS[i].name) != length || strncmp(unit, UNITS[i].name, length) != 0) continue;
    *number = *number / UNITS[i].divisor * UNITS[i].factor;
    return true;
  }
  return false;
}

const char* lw_unit_example(const char* si)
{
  for (size_t i = 0; si && i < sizeof EXAMPLES / sizeof *EXAMPLES; ++i)
    if (!strcmp(EXAMPLES[i].si, si)) return EXAMPLES[i].text;
  return NULL;
}
