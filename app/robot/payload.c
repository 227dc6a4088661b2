// SPDX-License-Identifier: MIT
// --payload LINK=MASS[,X,Y,Z]: point masses that links of the robot carry.
#include <math.h>
#include <string.h>

#include "app.h"
#include "base/number.h"
#include "base/units.h"

enum
{
  NUMBERS = 4  // mass, x, y, z
};

// One entry of the option.
typedef struct Payload
{
  const char* link;
  size_t length;  // of its name
  int count;      // of numbers given
  double numbers[NUMBERS];
} Payload;

static _Noreturn void payload_expected(const char* at)
{
  stop(USAGE,
       "--payload: expected LINK=MASS or LINK=MASS,X,Y,Z, in kg and m or like 500 g,0,0,100 mm, "
       "found '%s'",
       at);
}

// A number with or without a unit, up to a comma, '=' or the end.
static bool take_quantity(const char** s, const char* si, double* number)
{
  char unit[16];
  if (!lw_number_read(s, number)) return false;
  size_t length = strcspn(*s, ",=");
  if (length >= sizeof unit) return false;
  memcpy(unit, *s, length);
  unit[length] = 0;
  *s += length;
  return lw_unit_apply(si, unit, number);
}

// Takes the numbers at *text, behind the '=', up to the end or the name of the next link.
static void take_payload_numbers(const char** text, Payload* payload)
{
  const char* s = *text;
  for (bool more = true; more;)
  {
    double number;
    if (payload->count == NUMBERS ||
        !take_quantity(&s, payload->count == 0 ? "kg" : "m", &number) || *s == '=')
      payload_expected(*text);
    payload->numbers[payload->count++] = number;
    const char* next                   = s + 1;
    more = *s == ',' && lw_number_read(&next, &number) && next[strcspn(next, ",=")] != '=';
    if (more) ++s;
  }
  if (payload->count != 1 && payload->count != NUMBERS) payload_expected(*text);
  *text = *s == ',' ? s + 1 : s;
}

static Payload take_payload(const char** text)
{
  const char* equals = strchr(*text, '=');
  if (!equals || equals == *text) payload_expected(*text);
  Payload payload = {.link = *text, .length = (size_t)(equals - *text)};
  *text           = equals + 1;
  take_payload_numbers(text, &payload);
  bool sound = payload.numbers[0] > 0;
  for (int i = 0; i < NUMBERS; ++i) sound = sound && fabs(payload.numbers[i]) <= 1e30;
  if (!sound)
    stop(USAGE, "--payload: the mass of '%.*s' must be positive, and all numbers below 1e30",
         (int)payload.length, payload.link);
  return payload;
}

// The joint whose link is meant, by the name of the link or else of the joint.
static int find_payload_link(const lwRobotDef* robot, const Payload* payload)
{
  Nearest nearest = nearest_to(payload->link, payload->length);
  for (int i = 0; i < robot->count; ++i)
  {
    if (text_is(link_name(&robot->joints[i]), payload->link, payload->length)) return i;
    nearest_offer(&nearest, link_name(&robot->joints[i]));
  }
  for (int i = 0; i < robot->count; ++i)
    if (text_is(robot->joints[i].name, payload->link, payload->length)) return i;
  stop(USAGE, "--payload: the robot has no link '%.*s'; %s", (int)payload->length, payload->link,
       nearest_or(&nearest, "'linkwork info' lists them"));
}

lwModel* robot_rebuild(const Options* options, const lwRobotDef* robot)
{
  lwModel* made           = NULL;
  lwModelOptions tolerate = robot_options_again(options);
  tolerate.lint.strict    = options->value[OPTION_STRICT] != NULL;
  tolerate.lint.accept    = "density";  // a payload may be a point; that of the links is reported
  lwDiag* diag            = hold_messages();
  lwStatus status         = lw_model_create(robot, &tolerate, diag, &made);
  errors_print(diag);
  if (lw_diag_count(diag, LW_SEVERITY_ERROR) == 0) need_ok(status);
  if (status != LW_OK) leave(INPUT);
  return hold_model(made);
}

lwModel* payload_model(const Options* options, const lwModel* model)
{
  static const double point[6] = {0};
  const char* text             = options->value[OPTION_PAYLOAD];
  if (!text) return NULL;
  lwRobotDef robot   = *lw_model_robot(model);
  lwJointDef* joints = allocate((size_t)robot.count, sizeof *joints);
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  do
  {
    Payload payload = take_payload(&text);
    int joint       = find_payload_link(&robot, &payload);
    lw_link_def_add(&joints[joint].link, payload.numbers[0], payload.numbers + 1, point);
  } while (*text);
  robot.joints = joints;
  return robot_rebuild(options, &robot);
}
