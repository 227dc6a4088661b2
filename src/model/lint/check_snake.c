// SPDX-License-Identifier: MIT
// Everything that can be wrong or doubtful about a snake, whoever described it.
//
// M = sum_k m_k p_k p_k^T + (I_k + m_k d_k^2) q_k q_k^T, with p_k, q_k the partial rates of V_k and
// omega_k. A motion u without kinetic energy has V_k = 0 for every link with mass: u_1 = 0, and by
// (6) of nia2005 u_2 sin phi_1 = 0, and so on along the snake; if u_2 is not 0 then all sin phi_k
// are 0, and by (7) every omega_k is not 0. So with all m_k > 0, M is positive definite in every
// posture if and only if one I_k + m_k d_k^2 is.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "model/lint/lint.h"
#include "model/snake_internal.h"

typedef struct SnakeLint
{
  const lwSnakeDef* def;
  lwFindings found;
} SnakeLint;

typedef struct SnakeNumber
{
  const char* name;
  const char* unit;
  size_t offset;  // in lwSnakeLink
  lwSnakeField field;
  lwNumberRule rule;
} SnakeNumber;

#define AT(member) offsetof(lwSnakeLink, member)
static const SnakeNumber numbers[] = {
    {"length", "m", AT(length), LW_SNAKE_FIELD_LENGTH, LW_RULE_NORMAL},
    {"mass", "kg", AT(mass), LW_SNAKE_FIELD_MASS, LW_RULE_NORMAL},
    {"inertia", "kg m^2", AT(inertia), LW_SNAKE_FIELD_INERTIA, LW_RULE_NOT_NEGATIVE},
    {"wheel_offset", "m", AT(wheel_offset), LW_SNAKE_FIELD_WHEEL_OFFSET, LW_RULE_FINITE},
    {"friction_limit", "N", AT(friction_limit), LW_SNAKE_FIELD_FRICTION_LIMIT,
     LW_RULE_POSITIVE_OR_INFINITE},
    {"lower", "rad", AT(lower), LW_SNAKE_FIELD_LOWER, LW_RULE_LIMIT},
    {"upper", "rad", AT(upper), LW_SNAKE_FIELD_UPPER, LW_RULE_LIMIT},
};

// --- reporting

static lwPlace place_of_link(const SnakeLint* check, int k, lwSnakeField field)
{
  if (!check->def->places) return check->def->place;
  const lwPlace* places = &check->def->places[(size_t)k * LW_SNAKE_FIELD_COUNT];
  return places[field].line > 0 ? places[field] : places[LW_SNAKE_FIELD_LINK];
}

// "link 3", or "every link"
static const char* subject_of(const SnakeLint* check, int k, char buffer[24])
{
  if (check->def->alike) return "every link";
  snprintf(buffer, 24, "link %d", k + 1);
  return buffer;
}

#define report_link(check, k, field, hint, format, ...)                                            \
  lw_find(&(check)->found, LW_SEVERITY_ERROR, place_of_link(check, k, field), hint, "%s: " format, \
          subject_of(check, k, (char[24]){0}), __VA_ARGS__)

#define report_snake(check, hint, ...)                                                             \
  lw_find(&(check)->found, LW_SEVERITY_ERROR, (check)->def->place, hint, __VA_ARGS__)

// --- links

static bool check_numbers(SnakeLint* check, int k)
{
  bool sound      = true;
  const char* def = (const char*)&check->def->links[k];
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
  {
    double x;
    memcpy(&x, def + numbers[i].offset, sizeof x);
    const char* what = lw_number_fault(numbers[i].rule, x);
    if (!what) continue;
    report_link(check, k, numbers[i].field, NULL, "%s %s (%g %s)", numbers[i].name, what, x,
                numbers[i].unit);
    sound = false;
  }
  return sound;
}

// The axle must be between the joints: at a joint, (7) divides by 0;
// 1 - 1e-6 of the way leaves room for rounding.
static void check_axle(SnakeLint* check, int k)
{
  const lwSnakeLink* link = &check->def->links[k];
  double half             = link->length / 2;
  if (fabs(link->wheel_offset) <= (1 - 1e-6) * half) return;
  report_link(
      check, k, LW_SNAKE_FIELD_WHEEL_OFFSET,
      "the offset counts from the middle of the link, forwards",
      "wheel_offset must leave the wheel between the joints (|%g| is not less than half the "
      "length, %g m)",
      link->wheel_offset, half);
}

static void check_snake_radius(SnakeLint* check, int k)
{
  const lwSnakeLink* link = &check->def->links[k];
  double radius           = sqrt(link->inertia / link->mass);
  char buffer[24];
  const char* name = subject_of(check, k, buffer);
  if (radius > 3 * link->length)
    lw_find_warning(&check->found, "gyration-radius", name, NULL,
                    place_of_link(check, k, LW_SNAKE_FIELD_INERTIA),
                    "inertia is in kg m^2, about the centre of mass; check the units",
                    "%s: radius of gyration %.4g m is more than 3 times the length, %.4g m (moment "
                    "%.4g kg m^2, mass %.4g kg)",
                    name, radius, link->length, link->inertia, link->mass);
}

static bool is_written(const SnakeLint* check, int k, lwSnakeField field)
{
  const lwPlace* places = check->def->places;
  return places && places[(size_t)k * LW_SNAKE_FIELD_COUNT + (size_t)field].line > 0;
}

static void check_stops(SnakeLint* check, int k)
{
  const lwSnakeLink* link = &check->def->links[k];
  bool limited            = isfinite(link->lower) || isfinite(link->upper);
  lwSnakeField field      = isfinite(link->upper) ? LW_SNAKE_FIELD_UPPER : LW_SNAKE_FIELD_LOWER;
  if (link->lower == 0 && link->upper == 0 && !is_written(check, k, field)) return;
  if (limited && !check->def->alike && k == check->def->count - 1)
    report_link(check, k, field, "limits belong to the link behind the joint; leave them out here",
                "%s is the limit of a joint ahead, and the last link has none",
                field == LW_SNAKE_FIELD_UPPER ? "upper" : "lower");
  if (!(link->lower < link->upper))
    report_link(check, k, field, NULL,
                "upper must be greater than lower (%g is not greater than %g rad)", link->upper,
                link->lower);
}

static void check_link(SnakeLint* check, int k)
{
  if (!check_numbers(check, k)) return;
  check_stops(check, k);
  check_axle(check, k);
  check_snake_radius(check, k);
}

// --- the snake

static bool check_count(SnakeLint* check)
{
  const lwSnakeDef* def = check->def;
  if (def->count < 2)
    report_snake(check, NULL, "a snake has at least 2 links, this one has %d", def->count);
  else if (def->count > LW_MAX_SNAKE_LINKS)
    report_snake(check, NULL, "the snake has %d links; at most %d are possible", def->count,
                 LW_MAX_SNAKE_LINKS);
  else if (!def->links)
    report_snake(check, NULL, "the snake has no links");
  else
    return true;
  return false;
}

static void check_definite(SnakeLint* check)
{
  int entries = check->def->alike ? 1 : check->def->count;
  for (int k = 0; k < entries; ++k)
    if (check->def->links[k].inertia > 0 || check->def->links[k].wheel_offset != 0) return;
  report_snake(
      check, "a thin uniform rod has inertia = mass * length^2 / 12",
      "no link has an inertia: a straight snake could turn without kinetic energy, and its "
      "acceleration is not determined");
}

// unread: entries of links that could not be read, or NULL: all could.
static SnakeLint check_links(const lwSnakeDef* def, const bool* unread, const lwLint* lint,
                             lwDiag* diag)
{
  SnakeLint check = {.def   = def,
                     .found = lw_findings(def->file, def->text, def->accept, lint, diag)};
  if (!unread && !check_count(&check)) return check;
  int entries = def->alike ? 1 : def->count;
  for (int k = 0; k < entries; ++k)
    if (!unread || !unread[k]) check_link(&check, k);
  return check;
}

lwStatus lw_snake_validate_rest(const lwSnakeDef* def, const bool* unread, const lwLint* lint,
                                lwDiag* diag)
{
  return check_links(def, unread, lint, diag).found.errors > 0 ? LW_ERROR_INPUT : LW_OK;
}

lwStatus lw_snake_validate(const lwSnakeDef* def, const lwLint* lint, lwDiag* diag)
{
  if (!def) return LW_ERROR_INPUT;
  lwStatus made = lw_def_check(def->cookie, "lw_snake_def()", diag);
  if (made != LW_OK) return made;
  SnakeLint check = check_links(def, NULL, lint, diag);
  if (check.found.errors == 0) check_definite(&check);
  return check.found.errors > 0 ? LW_ERROR_INPUT : LW_OK;
}
