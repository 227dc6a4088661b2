// SPDX-License-Identifier: MIT
// The robot of the command line, its names, and the method asked for.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "io/files.h"
#include "io/note.h"
#include "kernels/questions.h"

// Made of robots/ddarm.yaml and parts/ddarm.yaml by CMakeLists.txt.
extern const char app_ddarm_text[], app_ddarm_parts_text[];
extern const size_t app_ddarm_length, app_ddarm_parts_length;

bool all_finite(const double* values, size_t count)
{
  for (size_t k = 0; k < count; ++k)
    if (!isfinite(values[k])) return false;
  return true;
}

void message_print(const lwMessage* message, void (*print)(void* to, const char* text), void* to)
{
  size_t length = lw_message_format(message, NULL, 0) + 1;
  char* text    = malloc(2 * length);  // as the library says it, and with flags, which are shorter
  if (!text) return;
  lw_message_format(message, text, length);
  option_words(text, text + length, length);
  print(to, text + length);
  free(text);
}

void messages_print(const lwDiag* diag, bool warnings)
{
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    const lwMessage* message = lw_diag_message(diag, i);
    if (warnings || message->severity == LW_SEVERITY_ERROR)
      message_print(message, print_to_stderr, NULL);
  }
}

void errors_print(const lwDiag* diag)
{
  messages_print(diag, false);
}

// Where joints are held is a matter of the command line, not of the file, so each is reported.
static void warn_held(const lwDiag* diag)
{
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    const lwMessage* message = lw_diag_message(diag, i);
    if (message->id && !strcmp(message->id, "held-outside-limits")) warn("--at: %s", message->text);
  }
}

lwModelOptions robot_options(const Options* options)
{
  const char* mimic = options->value[OPTION_MIMIC];
  const char* base  = options->value[OPTION_BASE];
  return (lwModelOptions){
      .lint.strict            = options->value[OPTION_STRICT] != NULL,
      .lint.allow_bad_inertia = options->value[OPTION_ALLOW_BAD_INERTIA] != NULL,
      .lint.allow_inert       = options->value[OPTION_ALLOW_INERT] != NULL,
      .lint.accept            = options->accept,
      .joints.free            = options->joints.names,
      .joints.free_count      = options->joints.count,
      .joints.holds           = options->at.values,
      .joints.hold_count      = options->at.count,
      .joints.free_mimics     = mimic && !strcmp(mimic, "independent"),
      .mount.gravity          = options->value[OPTION_GRAVITY] ? options->gravity : NULL,
      .mount.base_rpy         = options->value[OPTION_BASE_RPY] ? options->base_rpy : NULL,
      .mount.floating         = base && !strcmp(base, "floating"),
      .mount.fixed            = base && !strcmp(base, "fixed"),
      .read.fix               = options->value[OPTION_FIX],
      .read.estimate_inertia  = options->value[OPTION_ESTIMATE_INERTIA] != NULL,
      .read.density           = options->density,
      .read.packages          = options->value[OPTION_PACKAGE_PATH],
  };
}

lwModelOptions robot_options_again(const Options* options)
{
  lwModelOptions tolerate = robot_options(options);
  tolerate.lint.strict = tolerate.read.estimate_inertia = false;
  tolerate.lint.allow_inert                             = true;
  tolerate.joints   = (lwJointChoice){.free_mimics = tolerate.joints.free_mimics};
  tolerate.mount    = (lwMount){0};
  tolerate.read.fix = NULL;
  return tolerate;
}

// Joints that cannot be held are a matter of the command line, a line each.
static void print_lock_errors(const lwDiag* diag, const char* path)
{
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    const lwMessage* message = lw_diag_message(diag, i);
    if (message->severity != LW_SEVERITY_ERROR) continue;
    fail(USAGE, "--joints, --at: %s: %s%s%s", path, message->text, message->hint ? "; " : "",
         message->hint ? message->hint : "");
  }
}

const char* first_error(const lwDiag* diag, lwStatus status)
{
  return lw_diag_size(diag) > 0 ? lw_diag_message(diag, 0)->text : lw_status_text(status);
}

int robot_refused(const lwDiag* diag, const char* path, lwStatus status)
{
  bool fixed = !strncmp(first_error(diag, status), "lwReadOptions.fix", 17);  // --fix, not --joints
  if (status == LW_ERROR_LOCK && !fixed)
    print_lock_errors(diag, path);
  else
    errors_print(diag);
  return exit_of(status);
}

lwStatus robot_parse(const char* path, const lwModelOptions* options, lwDiag* diag, lwModel** model)
{
  lwModelOptions with = *options;
  lwParts* parts      = NULL;
  if (strcmp(path, BUILT_IN_ARM) != 0) return lw_robot_read_file(path, options, diag, model);
  lwStatus status = lw_parts_read_text("built-in parts", app_ddarm_parts_text,
                                       app_ddarm_parts_length, NULL, diag, &parts);
  with.read.parts = parts;
  if (status == LW_OK)
    status = lw_robot_read_text(path, app_ddarm_text, app_ddarm_length, &with, diag, model);
  lw_parts_destroy(parts);
  return status;
}

// The table of commands says which of them can take loops; --open-tree leaves the loops out.
static lwModel* check_loops(const Options* options, const char* path, lwModel* model)
{
  const Command* command = options->command;
  int loops              = lw_model_loop_count(model);
  lwRobotDef tree        = *lw_model_robot(model);
  tree.loop_count        = 0;
  if (loops > 0 && options->value[OPTION_OPEN_TREE]) return robot_rebuild(options, &tree);
  if (loops == 0 || !command || command_closes_loops(command) || options->value[OPTION_PEERS])
    return model;
  const char* kind = lw_model_rolling_rows(model) > 0 ? "loop or rolling row" : "closed loop";
  stop(USAGE,
       "%s: '%s' treats every joint as free, and this robot has %d %s%s; --open-tree leaves %s out",
       path, command->name, loops, kind, loops == 1 ? "" : "s", loops == 1 ? "it" : "them");
}

lwModel* robot_read(const Options* options, const char* path)
{
  lwModel* model          = NULL;
  lwDiag* diag            = hold_messages();
  lwModelOptions tolerate = robot_options(options);
  lwStatus status         = robot_parse(path, &tolerate, diag, &model);
  hold_model(model);
  int code = robot_refused(diag, path, status);
  if (status == LW_OK)
  {
    warn_held(diag);
    int count = lw_diag_count(diag, LW_SEVERITY_WARNING);  // so that they do not bury the answer
    if (count > 0)
      note("%s: %d warning%s; 'linkwork lint %s'%s shows %s", path, count, count == 1 ? "" : "s",
           path, options->joints.count > 0 ? " with the same --joints and --at" : "",
           count == 1 ? "it" : "them");
  }
  else if (lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(INPUT, "%s: %s", path, lw_status_text(status));
  inputs_add(diag);
  need(code);
  lwModel* loaded = payload_model(options, model);
  if (loaded) model = loaded;
  lwModel* stands = contacts_model(options, model);
  return check_loops(options, path, stands ? stands : model);
}

bool question_solves(lwQuestion question)
{
  return lw_question_info(question)->chooses & LW_CHOOSES_ROTORS;
}

static bool has_auto(lwQuestion question)
{
  return lw_question_row(question)->automatic;
}

void method_offer(Nearest* nearest, const lwMethod* method)
{
  nearest_offer(nearest, method->name);
  for (const char* const* alias = method->aliases; *alias; ++alias) nearest_offer(nearest, *alias);
}

void unknown_method(lwQuestion question, const char* name, const lwMethod* (*method)(int index),
                    int count)
{
  char list[1024]   = "";
  Nearest nearest   = nearest_to(name, strlen(name));
  const char* asked = lw_question_info(question)->name;
  if (has_auto(question)) lw_text_append(list, sizeof list, "auto", "");
  for (int i = 0; i < count; ++i)
  {
    if (method(i)->question != question) continue;
    method_offer(&nearest, method(i));
    lw_text_append(list, sizeof list, list[0] ? ", " : "", method(i)->name);
  }
  if (nearest_found(&nearest))
    stop(USAGE, "--method: no '%s' among the %s methods, did you mean '%s'? There are: %s", name,
         asked, nearest.best, list);
  stop(USAGE, "--method: no '%s' among the %s methods: %s", name, asked, list);
}

const char* method_of(const Options* options, lwQuestion question)
{
  const char* name      = options->value[OPTION_METHOD];
  lwQuestion registered = lw_question_info(question)->methods;
  if (name && lw_method_find(registered, name) < 0 &&
      !(has_auto(registered) && !strcmp(name, "auto")))
    unknown_method(registered, name, lw_method, lw_method_count());
  return name;
}

const char* joint_name(const lwModel* model, int i)
{
  return lw_model_velocity(model, i).name;
}

bool joint_slides(const lwModel* model, int i)
{
  return lw_model_velocity(model, i).slides;
}

void needs_plain_joints(const lwModel* model, const char* path, const char* what)
{
  for (int i = 0; i < lw_model_nq(model); ++i)
  {
    if (!lw_model_position(model, i).quaternion) continue;
    const lwJointDef* joint = &lw_model_robot(model)->joints[lw_model_position(model, i).joint];
    bool base               = !strcmp(joint->name, "base");
    stop(USAGE,
         "%s: joint '%s' is %s, and %s cannot be asked of robots with ball or floating joints; "
         "'--%s%s' holds it",
         path, joint->name, lw_joint_word(joint->type), what, base ? "base fixed" : "fix ",
         base ? "" : joint->name);
  }
}

const char* method_text(const lwWorkspace* ws, lwQuestion question)
{
  return lw_question_has_methods(question) ? lw_workspace_method(ws, question) : NULL;
}

// --- names of the options of the library, as in its headers, to flags of the command line

static const struct
{
  const char* field;
  const char* flag;
} words[] = {
    {"lwLint.allow_bad_inertia", "--allow-bad-inertia"},
    {"lwJointChoice.free_mimics", "--mimic independent"},
    {"lwReadOptions.estimate_inertia", "--estimate-inertia"},
    {"lwReadOptions.density", "--density"},
    {"lwReadOptions.packages", "--package-path"},
    {"lwReadOptions.fix", "--fix"},
};

static size_t append_word(char* buffer, size_t size, size_t used, const char* text, size_t length)
{
  for (size_t i = 0; i < length && used + i + 1 < size; ++i) buffer[used + i] = text[i];
  return used + length;
}

size_t option_words(const char* text, char* buffer, size_t size)
{
  size_t used = 0;
  while (*text)
  {
    size_t i = 0, count = sizeof words / sizeof *words;
    while (i < count && strncmp(text, words[i].field, strlen(words[i].field)) != 0) ++i;
    const char* shown = i < count ? words[i].flag : text;
    used              = append_word(buffer, size, used, shown, i < count ? strlen(shown) : 1);
    text += i < count ? strlen(words[i].field) : 1;
  }
  if (size > 0) buffer[used < size ? used : size - 1] = 0;
  return used;
}
