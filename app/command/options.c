// SPDX-License-Identifier: MIT
#include "command/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "base/number.h"
#include "command/list.h"
#include "io/files.h"
#include "io/note.h"
#include "io/program_text.h"

#define OPTION_ROW(name, text, argument, help) {text, argument, help},
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

const char OPTION_LETTERS[OPTION_COUNT] = {
    [OPTION_OUT] = 'o', [OPTION_FORMAT] = 'f', [OPTION_METHOD] = 'm',
    [OPTION_IN] = 'i',  [OPTION_QUIET] = 'q',  [OPTION_HELP] = 'h',
};

// The arguments not yet read, and the options parsed from them.
typedef struct Parser
{
  const Command* command;
  int next, count;
  char** arguments;
  bool operands_only;  // after "--"
  Options* options;
} Parser;

static bool is_name(const char* known, const char* name, size_t length)
{
  return strlen(known) == length && !strncmp(known, name, length);
}

// The option of a command whose name, or other name, is the first `length` characters; or -1.
static int find_option(const Command* command, const char* name, size_t length)
{
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (is_name(OPTIONS[i].name, name, length)) return i;
  for (int i = 0; i < OPTION_ALIAS_COUNT; ++i)
    if (is_name(OPTION_ALIASES[i].name, name, length) &&
        !strcmp(OPTION_ALIASES[i].command, command->name))
      return (int)OPTION_ALIASES[i].option;
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (length == 2 && OPTION_LETTERS[i] && name[0] == '-' && name[1] == OPTION_LETTERS[i])
      return i;
  return -1;
}

static int unknown_option(const Parser* parser, const char* name, int length)
{
  int dashes      = (int)strspn(name, "-");  // all options have them: they do not make it near
  Nearest nearest = nearest_to(name + dashes, (size_t)(length - dashes));
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (command_options(parser->command) >> i & 1) nearest_offer(&nearest, OPTIONS[i].name + 2);
  const char* command = parser->command->name;
  if (length > 2 && nearest_found(&nearest))
    return fail(USAGE, "unknown option '%.*s' of '%s'; did you mean '--%s'?", length, name, command,
                nearest.best);
  return fail(USAGE, "unknown option '%.*s' of '%s'; see 'linkwork help %s'", length, name, command,
              command);
}

// An option that other commands have.
static int unused_option(const Command* command, int option)
{
  const char* name = OPTIONS[option].name;
  char uses[256]   = "";
  OptionSet inputs = command->question < 0 ? 0 : question_options((lwQuestion)command->question);
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (inputs >> i & 1) lw_text_append(uses, sizeof uses, uses[0] ? ", " : "", OPTIONS[i].name);
  bool input = option <= OPTION_WRENCH;
  if (input && inputs)
    return fail(USAGE, "'%s' does not use %s, it uses %s", command->name, name, uses);
  if (option == OPTION_METHOD && inputs)
    return fail(USAGE, "'%s' has one method only and takes no %s", command->name, name);
  return fail(USAGE, "'%s' takes no %s; see 'linkwork help %s'", command->name, name,
              command->name);
}

// "--q --qd 1": the value was forgotten. "--q -0.1" is a value.
static bool looks_like_option(const char* argument)
{
  return argument[0] == '-' && argument[1] == '-' && argument[2] != 0;
}

// Options that may come many times.
static int take_via(Options* options, const char* value)
{
  if (options->via_count == MAX_VIA)
    return fail(USAGE, "--via is given more than %d times; give the points by --in", MAX_VIA);
  options->via[options->via_count++] = value;
  return DONE;
}

static int take_wrench(Options* options, const char* value)
{
  if (options->wrench_count == MAX_WRENCHES)
    return fail(USAGE, "--wrench is given more than %d times", MAX_WRENCHES);
  options->wrenches[options->wrench_count++] = value;
  return DONE;
}

static int take_option(Parser* parser, const char* argument)
{
  size_t length = strcspn(argument, "=");
  int option    = find_option(parser->command, argument, length);
  if (option < 0) return unknown_option(parser, argument, (int)length);
  const OptionInfo* info = &OPTIONS[option];
  const char* value      = argument[length] == '=' ? argument + length + 1 : NULL;
  if (!(command_options(parser->command) >> option & 1))
    return unused_option(parser->command, option);
  if (parser->options->value[option] && option != OPTION_VIA && option != OPTION_WRENCH)
    return fail(USAGE, "%s is given twice", info->name);
  if (!info->argument && value) return fail(USAGE, "%s takes no value", info->name);
  if (info->argument && !value)
  {
    if (parser->next == parser->count || looks_like_option(parser->arguments[parser->next]))
      return fail(USAGE, "%s needs a value, %s %s", info->name, info->name, info->argument);
    value = parser->arguments[parser->next++];
  }
  parser->options->value[option] = value ? value : "";
  if (option == OPTION_WRENCH) return take_wrench(parser->options, value);
  return option == OPTION_VIA ? take_via(parser->options, value) : DONE;
}

// How the base is mounted.
static int take_mounting(Options* options)
{
  const char* gravity = options->value[OPTION_GRAVITY];
  const char* rpy     = options->value[OPTION_BASE_RPY];
  const char* base    = options->value[OPTION_BASE];
  int status          = DONE;
  if (gravity) status = list_parse(OPTION_GRAVITY, gravity, 3, "x,y,z", options->gravity);
  if (rpy && status == DONE)
    status = list_parse(OPTION_BASE_RPY, rpy, 3, "roll,pitch,yaw", options->base_rpy);
  if (base && status == DONE && strcmp(base, "floating") != 0 && strcmp(base, "fixed") != 0)
    status = fail(USAGE, "--base: '%s' is unknown, expected fixed or floating", base);
  return status;
}

// No two inputs are standard input; every output is a different file, and none is an input.
static int check_files(const Command* command, const Options* options)
{
  static const Option outputs[] = {OPTION_OUT, OPTION_PLOT, OPTION_AUDIT, OPTION_SERIES};
  enum
  {
    COUNT = sizeof outputs / sizeof outputs[0]
  };
  if (!strcmp(command->name, "paper")) return DONE;  // --out is a folder
  const char *operand = options->operand, *in = options->value[OPTION_IN];
  if (operand && in && !strcmp(operand, "-") && !strcmp(in, "-"))
    return fail(USAGE, "%s and --in cannot both be standard input", command->operand);
  input_add(operand);
  input_add(in);
  for (int i = 0; i < COUNT; ++i)
  {
    const char* path = options->value[outputs[i]];
    if (output_check(path) != DONE) return USAGE;
    for (int k = 0; k < i; ++k)
      if (same_file(path, options->value[outputs[k]]))
        return fail(USAGE, "%s and %s name the same file, %s", OPTIONS[outputs[k]].name,
                    OPTIONS[outputs[i]].name, path);
    if (same_file(path, options->second))
      return fail(USAGE, "OUT and %s name the same file, %s", OPTIONS[outputs[i]].name, path);
  }
  return output_check(options->second);
}

// Values of options that many commands take.
static int check_values(const Options* options)
{
  const char *density = options->value[OPTION_DENSITY], *end = density;
  double value = 1;
  if (density && (!lw_number_read(&end, &value) || *end || !(value > 0) || !(value < 1e6)))
    return fail(USAGE, "--density: '%s' is wrong, expected kg/m^3, above 0 and below 1e6", density);
  if (density && !options->value[OPTION_ESTIMATE_INERTIA])
    return fail(USAGE, "--density is for --estimate-inertia");
  return DONE;
}

static bool takes_two(const Command* command)
{
  return command->operand && strchr(command->operand, ' ');
}

static bool takes_many(const Command* command)
{
  return command->operand && strstr(command->operand, "..");
}

static int take_one_of_many(Options* options, const char* argument)
{
  if (options->operand_count == MAX_OPERANDS)
    return fail(USAGE, "'%s': more than %d files", argument, MAX_OPERANDS);
  if (!options->operand) options->operand = argument;
  options->operands[options->operand_count++] = argument;
  return DONE;
}

static int take_operand(Parser* parser, const char* argument)
{
  const Command* command = parser->command;
  if (takes_many(command)) return take_one_of_many(parser->options, argument);
  if (!command->operand)
    return fail(USAGE, "'%s' takes no argument, '%s' is given", command->name, argument);
  if (parser->options->operand && takes_two(command) && !parser->options->second)
  {
    parser->options->second = argument;
    return DONE;
  }
  if (parser->options->operand)
    return fail(USAGE, "'%s' takes %s%s, '%s' is one argument too many", command->name,
                takes_two(command) ? "" : "one ", command->operand, argument);
  parser->options->operand = argument;
  return DONE;
}

// The joints that move, and where the others are.
static int take_joints(const Command* command, Options* options)
{
  const char* joints = options->value[OPTION_JOINTS];
  const char* at     = options->value[OPTION_AT];
  if (at && !joints)
    return fail(USAGE, "--at without --joints: all joints move, expected --joints with those that "
                       "do and --at for others");
  if (joints && !options->operand)
    return fail(USAGE, "--joints needs a %s that has these joints", command->operand);
  int status = DONE;
  if (joints) status = names_read(&options->joints, "--joints", joints, false);
  if (status == DONE && at) status = names_read(&options->at, "--at", at, true);
  if (status == DONE && at) status = names_holds(&options->at, "--at");
  return status;
}

static int unknown_warning(const char* id, size_t length)
{
  Nearest nearest = nearest_to(id, length);
  for (int i = 0; lw_warning_id(i); ++i) nearest_offer(&nearest, lw_warning_id(i));
  bool near = nearest_found(&nearest);
  return fail(USAGE, "--accept: unknown warning '%.*s'; %s%s%s", (int)length, id,
              near ? "did you mean '" : "'linkwork lint' shows the ids in brackets",
              near ? nearest.best : "", near ? "'?" : "");
}

// "no-limit, density forearm" to lines, each the id of a warning and perhaps a name.
static int take_accepted(Options* options)
{
  const char* list = options->value[OPTION_ACCEPT];
  if (!list) return DONE;
  options->accept = calloc(strlen(list) + 2, 1);
  if (!options->accept) return no_memory();
  for (char* to = options->accept; list;)
  {
    list += strspn(list, " ");
    size_t size = strcspn(list, ","), id = strcspn(list, " ,");
    int i = 0;
    while (lw_warning_id(i) &&
           (strlen(lw_warning_id(i)) != id || strncmp(lw_warning_id(i), list, id) != 0))
      ++i;
    if (!lw_warning_id(i)) return unknown_warning(list, id);
    memcpy(to, list, size);
    to += size;
    *to++ = '\n';
    list  = list[size] ? list + size + 1 : NULL;
  }
  return DONE;
}

void options_free(Options* options)
{
  free(options->accept);
  names_free(&options->joints);
  names_free(&options->at);
}

int options_parse(const Command* command, int count, char** arguments, Options* options)
{
  Parser parser = {.command = command, .count = count, .arguments = arguments, .options = options};
  options->arguments = arguments - 1;
  options->command   = command;
  while (parser.next < count)
  {
    const char* argument = arguments[parser.next++];
    bool option          = !parser.operands_only && argument[0] == '-' && argument[1] != 0;
    int status           = DONE;
    if (option && !strcmp(argument, "--"))
      parser.operands_only = true;
    else if (option)
      status = take_option(&parser, argument);
    else
      status = take_operand(&parser, argument);
    if (status != DONE) return status;
  }
  if (options->value[OPTION_QUIET]) notes_off();
  if (check_values(options) != DONE || take_mounting(options) != DONE ||
      take_accepted(options) != DONE)
    return USAGE;
  const char* mimic = options->value[OPTION_MIMIC];
  if (mimic && strcmp(mimic, "follow") != 0 && strcmp(mimic, "independent") != 0)
    return fail(USAGE, "--mimic: unknown choice '%s'; expected follow or independent", mimic);
  if (options->value[OPTION_PAYLOAD] && command->operand && !options->operand)
    return fail(USAGE, "--payload needs a %s", command->operand);
  if (command->operand_needed && !options->operand && !options->value[OPTION_HELP])
    return fail(USAGE, "'%s' needs a %s; see 'linkwork help %s'", command->name, command->operand,
                command->name);
  if (takes_two(command) && !options->second && !options->value[OPTION_HELP])
    return fail(USAGE, "'%s' needs %s; see 'linkwork help %s'", command->name, command->operand,
                command->name);
  if (options->value[OPTION_HELP]) return DONE;
  int status = check_files(command, options);
  return status == DONE ? take_joints(command, options) : status;
}

int precision_choose(const Options* options, lwPrecision* precision)
{
  const char* name = options->value[OPTION_PRECISION];
  *precision       = name && !strcmp(name, "single") ? LW_PRECISION_SINGLE : LW_PRECISION_DOUBLE;
  if (!name || !strcmp(name, "single") || !strcmp(name, "double")) return DONE;
  return fail(USAGE, "--precision: unknown precision '%s'; expected double or single", name);
}

int precision_or_quad(const Options* options, lwPrecision* precision, bool* quad)
{
  const char* name = options->value[OPTION_PRECISION];
  *quad            = name && !strcmp(name, "quad");
  *precision       = LW_PRECISION_DOUBLE;
  if (*quad && !lw_quad_available())
    return fail(USAGE, "--precision quad: this build has no 113-bit arithmetic; use double");
  if (*quad || !name || !strcmp(name, "single") || !strcmp(name, "double"))
    return *quad ? DONE : precision_choose(options, precision);
  return fail(USAGE, "--precision: unknown precision '%s'; expected double, single or quad", name);
}

int format_choose(const Options* options, Format* format)
{
  static const char* const names[] = {"table", "csv", "json"};
  const char* name                 = options->value[OPTION_FORMAT];
  const char* out                  = options->value[OPTION_OUT];
  bool terminal                    = (!out || !strcmp(out, "-")) && isatty(STDOUT_FILENO);
  *format                          = terminal ? FORMAT_TABLE : FORMAT_CSV;
  if (!name) return DONE;
  for (int i = 0; i < 3; ++i)
  {
    if (strcmp(name, names[i]) != 0) continue;
    *format = (Format)i;
    return DONE;
  }
  return fail(USAGE, "--format: unknown format '%s'; expected table, csv or json", name);
}
