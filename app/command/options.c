// SPDX-License-Identifier: MIT
#include "command/options.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "app.h"
#include "io/files.h"
#include "io/note.h"

#define OPTION_ROW(name, letter, text, argument, help) {letter, text, argument, help},
const OptionInfo OPTIONS[OPTION_COUNT] = {OPTION_LIST(OPTION_ROW)};
#undef OPTION_ROW

// Names of earlier versions.
const OptionAlias OPTION_ALIASES[] = {
    {"--against", OPTION_IN, "check"},       {"--motion", OPTION_IN, "drives"},
    {"--through", OPTION_IN, "plan"},        {"--torques", OPTION_IN, "snake simulate"},
    {"--speed", OPTION_VELOCITY, "plan"},    {"--record", OPTION_DT, "simulate"},
    {"--trajectory", OPTION_IN, "simulate"}, {"--record", OPTION_DT, "snake simulate"},
    {"--trajectory", OPTION_IN, "loads"},    {"--data", OPTION_IN, "identify"},
};
const int OPTION_ALIAS_COUNT = sizeof OPTION_ALIASES / sizeof OPTION_ALIASES[0];

const char* first_given(const Options* options, const char* list)
{
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (options->value[i] && option_listed(list, OPTIONS[i].name)) return OPTIONS[i].name;
  return NULL;
}

// The option of a command whose name, or other name, is the first `length` characters; or -1.
static int find_option(const Command* command, const char* name, size_t length)
{
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (text_is(OPTIONS[i].name, name, length)) return i;
  for (int i = 0; i < OPTION_ALIAS_COUNT; ++i)
    if (text_is(OPTION_ALIASES[i].name, name, length) &&
        !strcmp(OPTION_ALIASES[i].command, command->name))
      return (int)OPTION_ALIASES[i].option;
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (length == 2 && OPTIONS[i].letter && name[0] == '-' && name[1] == OPTIONS[i].letter)
      return i;
  return -1;
}

static _Noreturn void unknown_option(const Command* command, const char* name, int length)
{
  int dashes      = (int)strspn(name, "-");  // all options have them: they do not make it near
  Nearest nearest = nearest_to(name + dashes, (size_t)(length - dashes));
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (command_takes(command, (Option)i)) nearest_offer(&nearest, OPTIONS[i].name + 2);
  if (length > 2 && nearest_found(&nearest))
    stop(USAGE, "unknown option '%.*s' of '%s'; did you mean '--%s'?", length, name, command->name,
         nearest.best);
  stop(USAGE, "unknown option '%.*s' of '%s'; see 'linkwork help %s'", length, name, command->name,
       command->name);
}

// An option that other commands have.
static _Noreturn void unused_option(const Command* command, int option)
{
  const char* name = OPTIONS[option].name;
  char uses[256]   = "";
  for (int i = 0; i < OPTION_COUNT && command->question >= 0; ++i)
    if (question_takes((lwQuestion)command->question, (Option)i))
      lw_text_append(uses, sizeof uses, uses[0] ? ", " : "", OPTIONS[i].name);
  bool input = option <= OPTION_WRENCH;
  if (input && uses[0]) stop(USAGE, "'%s' does not use %s, it uses %s", command->name, name, uses);
  if (option == OPTION_METHOD && uses[0])
    stop(USAGE, "'%s' has one method only and takes no %s", command->name, name);
  stop(USAGE, "'%s' takes no %s; see 'linkwork help %s'", command->name, name, command->name);
}

// "--q --qd 1": the value was forgotten. "--q -0.1" is a value.
static bool looks_like_option(const char* argument)
{
  return argument[0] == '-' && argument[1] == '-' && argument[2] != 0;
}

// Takes the option that arguments begin with; how many of them it is, 1 or 2.
static int take_option(Options* options, char** arguments)
{
  const Command* command = options->command;
  const char* argument   = arguments[0];
  size_t length          = strcspn(argument, "=");
  int option = find_option(command, argument, length), taken = 1;
  if (option < 0) unknown_option(command, argument, (int)length);
  const OptionInfo* info = &OPTIONS[option];
  const char* value      = argument[length] == '=' ? argument + length + 1 : NULL;
  if (!command_takes(command, (Option)option)) unused_option(command, option);
  bool many = option == OPTION_VIA || option == OPTION_WRENCH || option == OPTION_BOX ||
              option == OPTION_CONTACT;
  if (options->value[option] && !many) stop(USAGE, "%s is given twice", info->name);
  if (!info->argument && value) stop(USAGE, "%s takes no value", info->name);
  if (info->argument && !value)
  {
    if (!arguments[1] || looks_like_option(arguments[1]))
      stop(USAGE, "%s needs a value, %s %s", info->name, info->name, info->argument);
    value = arguments[1];
    taken = 2;
  }
  options->value[option] = value ? value : "";
  bool listed            = many && option != OPTION_WRENCH;  // no command has two of them
  if (listed && options->via_count == MAX_VIA)
    stop(USAGE, "%s is given more than %d times", info->name, MAX_VIA);
  if (option == OPTION_WRENCH && options->wrench_count == MAX_WRENCHES)
    stop(USAGE, "--wrench is given more than %d times", MAX_WRENCHES);
  if (listed) options->via[options->via_count++] = value;
  if (option == OPTION_WRENCH) options->wrenches[options->wrench_count++] = value;
  return taken;
}

static bool takes_two(const Command* command)
{
  return command->operand && strchr(command->operand, ' ');
}

static void take_operand(Options* options, const char* argument)
{
  const Command* command = options->command;
  if (!command->operand)
    stop(USAGE, "'%s' takes no argument, '%s' is given", command->name, argument);
  bool many = strstr(command->operand, "..");
  if (many && options->operand_count == MAX_OPERANDS)
    stop(USAGE, "'%s': more than %d files", argument, MAX_OPERANDS);
  if (many) options->operands[options->operand_count++] = argument;
  if (!options->operand)
    options->operand = argument;
  else if (takes_two(command) && !options->second)
    options->second = argument;
  else if (!many)
    stop(USAGE, "'%s' takes %s%s, '%s' is one argument too many", command->name,
         takes_two(command) ? "" : "one ", command->operand, argument);
}

// Values of options that many commands take.
static void take_values(Options* options)
{
  const char* const* value = options->value;
  const char *base = value[OPTION_BASE], *mimic = value[OPTION_MIMIC];
  options->density = number_in(options, OPTION_DENSITY, DBL_TRUE_MIN, nextafter(1e6, 0),
                               "kg/m^3, above 0 and below 1e6", 0);
  if (value[OPTION_DENSITY] && !value[OPTION_ESTIMATE_INERTIA])
    stop(USAGE, "--density is for --estimate-inertia");
  if (value[OPTION_GRAVITY])
    list_parse(OPTION_GRAVITY, value[OPTION_GRAVITY], 3, "x,y,z", options->gravity);
  if (value[OPTION_BASE_RPY])
    list_parse(OPTION_BASE_RPY, value[OPTION_BASE_RPY], 3, "roll,pitch,yaw", options->base_rpy);
  if (base && strcmp(base, "floating") != 0 && strcmp(base, "fixed") != 0)
    stop(USAGE, "--base: '%s' is unknown, expected fixed or floating", base);
  if (mimic && strcmp(mimic, "follow") != 0 && strcmp(mimic, "independent") != 0)
    stop(USAGE, "--mimic: unknown choice '%s'; expected follow or independent", mimic);
}

// "no-limit, density forearm" to lines, each the id of a warning and perhaps a name.
static void take_accepted(Options* options)
{
  const char* list = options->value[OPTION_ACCEPT];
  if (!list) return;
  options->accept = allocate(strlen(list) + 2, 1);
  for (char* to = options->accept; list;)
  {
    list += strspn(list, " ");
    size_t size = strcspn(list, ","), id = strcspn(list, " ,");
    Nearest nearest = nearest_to(list, id);
    int i           = 0;
    for (; lw_warning_id(i) && !text_is(lw_warning_id(i), list, id); ++i)
      nearest_offer(&nearest, lw_warning_id(i));
    if (!lw_warning_id(i))
      stop(USAGE, "--accept: unknown warning '%.*s'; %s", (int)id, list,
           nearest_or(&nearest, "'linkwork lint' shows the ids in brackets"));
    memcpy(to, list, size);
    to += size;
    *to++ = '\n';
    list  = list[size] ? list + size + 1 : NULL;
  }
}

// No two inputs are standard input; every output is a different file, and none is an input.
static void check_files(const Options* options)
{
  static const Option outputs[] = {OPTION_OUT, OPTION_PLOT, OPTION_AUDIT, OPTION_SERIES};
  const char *operand = options->operand, *in = options->value[OPTION_IN];
  if (!strcmp(options->command->name, "paper")) return;  // --out is a folder
  if (operand && in && !strcmp(operand, "-") && !strcmp(in, "-"))
    stop(USAGE, "%s and --in cannot both be standard input", options->command->operand);
  input_add(operand);
  input_add(in);
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; ++i)
  {
    const char* path = options->value[outputs[i]];
    need(output_check(path));
    for (size_t k = 0; k < i; ++k)
      if (same_file(path, options->value[outputs[k]]))
        stop(USAGE, "%s and %s name the same file, %s", OPTIONS[outputs[k]].name,
             OPTIONS[outputs[i]].name, path);
    if (same_file(path, options->second))
      stop(USAGE, "OUT and %s name the same file, %s", OPTIONS[outputs[i]].name, path);
  }
  need(output_check(options->second));
}

// The joints that move, and where the others are.
static void take_joints(Options* options)
{
  const char* joints = options->value[OPTION_JOINTS];
  const char* at     = options->value[OPTION_AT];
  if (at && !joints)
    stop(USAGE, "--at without --joints: all joints move, expected --joints with those that do and "
                "--at for others");
  if (joints && !options->operand)
    stop(USAGE, "--joints needs a %s that has these joints", options->command->operand);
  if (joints) options->joints = names_of("--joints", joints, false);
  if (at) options->at = names_held("--at", at);
}

void options_parse(const Command* command, int count, char** arguments, Options* options)
{
  bool operands_only = false;  // after "--"
  options->arguments = arguments - 1;
  options->command   = command;
  for (int next = 0; next < count;)
  {
    const char* argument = arguments[next];
    bool option          = !operands_only && argument[0] == '-' && argument[1] != 0;
    if (option && strcmp(argument, "--") != 0)
    {
      next += take_option(options, arguments + next);
      continue;
    }
    if (option)
      operands_only = true;
    else
      take_operand(options, argument);
    ++next;
  }
  if (options->value[OPTION_QUIET]) notes_off();
  take_values(options);
  take_accepted(options);
  if (options->value[OPTION_PAYLOAD] && command->operand && !options->operand)
    stop(USAGE, "--payload needs a %s", command->operand);
  if (options->value[OPTION_HELP]) return;
  if ((command->operand_needed && !options->operand) || (takes_two(command) && !options->second))
    stop(USAGE, "'%s' needs %s%s; see 'linkwork help %s'", command->name,
         options->operand ? "" : "a ", command->operand, command->name);
  check_files(options);
  take_joints(options);
}
