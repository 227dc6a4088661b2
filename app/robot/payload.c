// SPDX-License-Identifier: MIT
// --payload LINK=MASS[,X,Y,Z]: point masses that links of the robot carry.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/number.h"
#include "io/program_text.h"

enum
{
  NUMBERS = 4  // mass, x, y, z
};

// One entry of the option.
typedef struct Payload
{
  const char* link;
  int length;  // of its name
  int count;   // of numbers given
  double numbers[NUMBERS];
} Payload;

static int payload_expected(const char* at)
{
  return fail(USAGE, "--payload: expected LINK=MASS or LINK=MASS,X,Y,Z, found '%s'", at);
}

// Takes the numbers behind the '=', up to the end or the name of the next link.
static int take_payload_numbers(const char** text, Payload* payload)
{
  const char* s = *text;
  for (bool more = true; more;)
  {
    double number;
    if (payload->count == NUMBERS || !lw_number_read(&s, &number)) return payload_expected(*text);
    payload->numbers[payload->count++] = number;
    const char* next                   = s + 1;
    if (*s != ',' && *s != 0) return payload_expected(*text);
    more = *s == ',' && lw_number_read(&next, &number) && *next != '=';
    if (more) ++s;
  }
  if (payload->count != 1 && payload->count != NUMBERS) return payload_expected(*text);
  *text = *s == ',' ? s + 1 : s;
  return DONE;
}

static int take_payload(const char** text, Payload* payload)
{
  const char* equals = strchr(*text, '=');
  if (!equals || equals == *text) return payload_expected(*text);
  *payload         = (Payload){.link = *text, .length = (int)(equals - *text)};
  const char* rest = equals + 1;
  int status       = take_payload_numbers(&rest, payload);
  *text            = rest;
  if (status != DONE) return status;
  bool sound = payload->numbers[0] > 0;
  for (int i = 0; i < NUMBERS; ++i) sound = sound && fabs(payload->numbers[i]) <= 1e30;
  if (sound) return DONE;
  return fail(USAGE, "--payload: the mass of '%.*s' must be positive, and all numbers below 1e30",
              payload->length, payload->link);
}

static bool is_named(const Payload* payload, const char* name)
{
  return name && (int)strlen(name) == payload->length &&
         !strncmp(name, payload->link, (size_t)payload->length);
}

// The joint whose link is meant, by the name of the link or else of the joint; -1: none.
static int find_payload_link(const lwRobotDef* robot, const Payload* payload)
{
  for (int i = 0; i < robot->count; ++i)
    if (is_named(payload, link_name(&robot->joints[i]))) return i;
  for (int i = 0; i < robot->count; ++i)
    if (is_named(payload, robot->joints[i].name)) return i;
  return -1;
}

static int unknown_link(const lwRobotDef* robot, const Payload* payload)
{
  Nearest nearest = nearest_to(payload->link, (size_t)payload->length);
  for (int i = 0; i < robot->count; ++i) nearest_offer(&nearest, link_name(&robot->joints[i]));
  if (nearest_found(&nearest))
    return fail(USAGE, "--payload: the robot has no link '%.*s'; did you mean '%s'?",
                payload->length, payload->link, nearest.best);
  return fail(USAGE, "--payload: the robot has no link '%.*s'; 'linkwork info' lists them",
              payload->length, payload->link);
}

static int load_links(const char* text, const lwRobotDef* robot, lwJointDef* joints)
{
  static const double point[6] = {0};
  int status                   = *text ? DONE : payload_expected(text);
  while (*text && status == DONE)
  {
    Payload payload = {0};
    status          = take_payload(&text, &payload);
    if (status != DONE || !payload.link) return status;
    int joint = find_payload_link(robot, &payload);
    if (joint < 0) return unknown_link(robot, &payload);
    lw_link_def_add(&joints[joint].link, payload.numbers[0], payload.numbers + 1, point);
  }
  return status;
}

int robot_rebuild(const Options* options, const lwRobotDef* robot, lwModel** model)
{
  lwModel* made           = NULL;
  lwModelOptions tolerate = robot_options_again(options);
  tolerate.lint.strict    = options->value[OPTION_STRICT] != NULL;
  tolerate.lint.accept    = "density";  // a payload may be a point; that of the links is reported
  lwDiag* diag            = lw_diag_create();
  lwStatus status         = diag ? lw_model_create(robot, &tolerate, diag, &made) : LW_ERROR_MEMORY;
  if (diag) errors_print(diag);
  if (status != LW_OK && (!diag || lw_diag_count(diag, LW_SEVERITY_ERROR) == 0))
    fail(INPUT, "%s", lw_status_text(status));
  lw_diag_destroy(diag);
  if (status != LW_OK) return INPUT;
  lw_model_destroy(*model);
  *model = made;
  return DONE;
}

int payload_model(const Options* options, const lwModel* model, lwModel** loaded)
{
  const char* text = options->value[OPTION_PAYLOAD];
  *loaded          = NULL;
  if (!text) return DONE;
  lwRobotDef robot   = *lw_model_robot(model);
  size_t size        = (size_t)robot.count * sizeof *robot.joints;
  lwJointDef* joints = malloc(size);
  if (!joints) return no_memory();
  memcpy(joints, robot.joints, size);
  int status   = load_links(text, &robot, joints);
  robot.joints = joints;
  if (status == DONE) status = robot_rebuild(options, &robot, loaded);
  free(joints);
  return status;
}
