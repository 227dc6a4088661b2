// SPDX-License-Identifier: MIT
// linkwork shell: the session.
#include "shell.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/run_loop.h"

static const int LONGEST_LINE = 1 << 20;  // bytes

// --- names: commands and variables in one list, commands first

static int name_count(void)
{
  return SHELL_COMMAND_COUNT + SHELL_VARIABLE_COUNT;
}

static const char* name_at(int i)
{
  return i < SHELL_COMMAND_COUNT ? SHELL_COMMANDS[i].name
                                 : SHELL_VARIABLES[i - SHELL_COMMAND_COUNT].name;
}

// sim has what swartz1982 lists under "Programs Available", and a way to leave.
static bool is_offered(const Shell* shell, int i)
{
  static const char* const later[] = {"force", "moment", "check", "count", "lint"};
  for (size_t k = 0; k < sizeof later / sizeof *later && shell && shell->sim; ++k)
    if (!strcmp(name_at(i), later[k])) return false;
  return true;
}

// Points of a name as sim has them, print.simulation, become those of the table.
static void underline_name(const Shell* shell, char* name)
{
  for (; shell->sim && (isalnum((unsigned char)*name) || *name == '_' || *name == '.'); ++name)
    if (*name == '.') *name = '_';
}

// A name as it is listed: inverse_arm, but print.simulation in sim.
static const char* listed_name(const Shell* shell, const char* name)
{
  char* text = text_copy(name);
  for (char* at = text; *at && shell->sim; ++at)
    if (*at == '_' && strcmp(at, "_arm") != 0) *at = '.';
  return text;
}

// The index of the variable whose columns are called so, among all names; -1: none.
static int find_alias(const char* name, size_t length)
{
  for (int i = 0; i < SHELL_VARIABLE_COUNT; ++i)
    if (text_is(SHELL_VARIABLES[i].alias, name, length)) return SHELL_COMMAND_COUNT + i;
  return -1;
}

// The index of a name, or of the only one that begins so; -1: none, -2: several.
static int find_name(const Shell* shell, const char* name, size_t length)
{
  int found = shell && shell->sim ? -1 : find_alias(name, length);
  if (found >= 0) return found;
  for (int i = 0; i < name_count(); ++i)
  {
    if (strncmp(name_at(i), name, length) != 0 || !is_offered(shell, i)) continue;
    if (strlen(name_at(i)) == length) return i;
    found = found == -1 ? i : -2;
  }
  return length > 0 ? found : -1;
}

// find_name(), or says why there is no such name.
static int need_name(Shell* shell, const char* name, size_t length)
{
  int i = find_name(shell, name, length);
  if (i >= 0) return i;
  char list[512] = "", word[61];
  snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
  const char* typed = listed_name(shell, word);
  Nearest nearest   = nearest_to(typed, strlen(typed));
  for (int k = 0; k < name_count(); ++k)
  {
    if (!is_offered(shell, k)) continue;
    nearest_offer(&nearest, listed_name(shell, name_at(k)));
    if (!strncmp(name_at(k), name, length))
      lw_text_append(list, sizeof list, list[0] ? ", " : "", listed_name(shell, name_at(k)));
  }
  if (i == -2) complain(shell, name, "'%s' may be each of %s", typed, list);
  for (int k = 0; k < COMMAND_COUNT && !shell->sim; ++k)
    if (shell_runs_program(&COMMANDS[k])) nearest_offer(&nearest, COMMANDS[k].name);
  complain(shell, name, "no command or variable '%s'; %s", typed,
           nearest_or(&nearest, "'help' lists them"));
}

// --- a line

// The length of NAME in NAME=VALUE, 0: there is none.
static size_t name_length(const char* word)
{
  size_t length = 0;
  while (isalnum((unsigned char)word[length]) || word[length] == '_') ++length;
  return word[length] == '=' ? length : 0;
}

static _Noreturn void wrong_argument(Shell* shell, const char* word)
{
  const ShellCommand* command = shell->command;
  size_t length               = name_length(word);
  Nearest nearest             = nearest_to(word, length);
  for (const ShellArgument* known = command->arguments; known->name; ++known)
    nearest_offer(&nearest, known->name);
  if (length > 0 && nearest_found(&nearest))
    complain(shell, word, "'%s' has no '%.*s'; did you mean '%s='?", command->name, (int)length,
             word, nearest.best);
  if (length > 0)
    complain(shell, word, "'%s' has no '%.*s'; see 'help %s'", command->name, (int)length, word,
             command->name);
  complain(shell, word, "'%s' is more than '%s' takes; see 'help %s'", word, command->name,
           command->name);
}

// The argument of that name, or without one the next that is not given.
static void take_argument(Shell* shell, char* word)
{
  const ShellArgument* arguments = shell->command->arguments;
  size_t length                  = name_length(word);
  const char* value              = length > 0 ? word + length + 1 : word;
  int k                          = 0;
  while (arguments[k].name &&
         (length > 0 ? !text_is(arguments[k].name, word, length) : shell->given[k] != NULL))
    ++k;
  if (!arguments[k].name) wrong_argument(shell, word);
  if (shell->given[k]) complain(shell, word, "'%s' is given twice", arguments[k].name);
  if (!*value) complain(shell, word, "'%s' is empty", arguments[k].name);
  shell->given[k] = value;
}

static void run_command(Shell* shell, const ShellCommand* command, char* rest)
{
  shell->command = command = shell->sim && command->sim ? command->sim : command;
  memset(shell->given, 0, sizeof shell->given);
  for (char* word; (word = word_take(shell, &rest));) take_argument(shell, word);
  if (shell->terminal) run_loop_catch_signals();
  command->run(shell);
}

// --- one joint: theta.elbow, theta2

// The variable that a name with a joint begins with, and what of the line says which joint; NULL:
// it is none such.
static const ShellVariable* split_joint(const Shell* shell, const char* name, size_t length,
                                        const char** joint)
{
  size_t used = length;
  if (shell->sim) return NULL;
  if (name[length] != '.')
    while (used > 0 && isdigit((unsigned char)name[used - 1])) --used;
  *joint = name + used + (name[length] == '.');
  int i  = used < length || name[length] == '.' ? find_name(shell, name, used) : -1;
  if (i < SHELL_COMMAND_COUNT) return NULL;
  const ShellVariable* variable = &SHELL_VARIABLES[i - SHELL_COMMAND_COUNT];
  return variable->vector >= 0 ? variable : NULL;
}

// By its name, or by its number from 1.
static int find_joint(Shell* shell, int vector, const char* text, size_t length)
{
  Nearest nearest = nearest_to(text, length);
  char* end;
  long number = strtol(text, &end, 10);
  int width   = vector_width(shell, vector);
  for (int k = 0; k < width; ++k)
  {
    const char* name = vector_entry(shell, vector, k).name;
    nearest_offer(&nearest, name);
    if (text_is(name, text, length)) return k;
  }
  if (length > 0 && end == text + length && number >= 1 && number <= width) return (int)number - 1;
  complain(shell, text, "no moving joint '%.*s'; %s", length < 60 ? (int)length : 60, text,
           nearest_or(&nearest, "'theta' lists them"));
}

static void run_joint(Shell* shell, const ShellVariable* variable, const char* joint)
{
  size_t length      = strcspn(joint, "=");
  const char* values = joint[length] ? joint + length + 1 : NULL;
  while (length > 0 && (joint[length - 1] == ' ' || joint[length - 1] == '\t')) --length;
  int k = find_joint(shell, variable->vector, joint, length);
  if (values)
    variable_assign_joint(shell, variable, k, values);
  else
    variable_show(shell, variable, k);
}

// --- any line

// A command of the program: linkwork NAME .., or NAME .. where no name of the shell is the same.
// NULL: it is none.
static const Command* find_program(const Shell* shell, char** rest, const char* name, size_t length)
{
  char word[64];
  if (shell->sim) return NULL;
  if (text_is("linkwork", name, length))
  {
    name   = *rest;
    length = strcspn(name, " \t");
    *rest  = (char*)lw_skip_spaces(name + length);
  }
  else if (find_alias(name, length) >= 0)
    return NULL;
  else
    for (int i = 0; i < name_count(); ++i)
      if (text_is(name_at(i), name, length)) return NULL;
  if (length >= sizeof word) return NULL;
  snprintf(word, sizeof word, "%.*s", (int)length, name);
  const Command* command = command_find(word);
  return shell_runs_program(command) ? command : NULL;
}

// NAME, NAME = VALUES, NAME.JOINT = VALUE, or COMMAND ARGUMENTS
static int run_line(void* context)
{
  Shell* shell  = context;
  char* name    = text_copy(shell->line);
  size_t length = 0;
  const char* joint;
  shell->line = name;
  underline_name(shell, name);
  while (isalnum((unsigned char)name[length]) || name[length] == '_') ++length;
  const ShellVariable* variable = split_joint(shell, name, length, &joint);
  if (variable)
  {
    run_joint(shell, variable, joint);
    return DONE;
  }
  char* rest = (char*)lw_skip_spaces(name + length);
  if (name[length] && rest == name + length && *rest != '=') length += strcspn(rest, " \t=");
  rest                   = (char*)lw_skip_spaces(name + length);
  const Command* program = *rest == '=' ? NULL : find_program(shell, &rest, name, length);
  if (program)
  {
    shell->program = program->name;
    shell_program(shell, program, rest);
    return DONE;
  }
  int i    = need_name(shell, name, length);
  variable = i < SHELL_COMMAND_COUNT ? NULL : &SHELL_VARIABLES[i - SHELL_COMMAND_COUNT];
  if (!variable && *rest == '=')
    complain(shell, rest, "'%s' is a command and takes no value", name_at(i));
  if (!variable)
    run_command(shell, &SHELL_COMMANDS[i], rest);
  else if (*rest == '=')
    variable_assign(shell, variable, rest + 1);
  else if (*rest)
    complain(shell, rest, "expected '%s = VALUES', or the name alone", name_at(i));
  else
    variable_show(shell, variable, -1);
  return DONE;
}

// --- the session

void shell_run_line(Shell* shell, char* line)
{
  shell->told    = false;
  shell->command = NULL;
  shell->program = NULL;
  shell->line    = line;
  shell->length  = strlen(line);
  int status     = scope_run(run_line, shell);
  shell->line    = NULL;
  lw_out_flush(&shell->screen);
  if (status != DONE && !shell->told && !shell->terminal)
    fprintf(stderr, "%s:%ld:1: error: '%s' failed\n", shell->lines.name, shell->lines.number,
            shell->command   ? shell->command->name
            : shell->program ? shell->program
                             : "the line");
  shell->failed = shell->failed || status != DONE;
}

static void run_prompt(Shell* shell)
{
  while (!shell->quit && !lw_out_stopped(&shell->screen))
  {
    char* line = NULL;
    lw_atomic_file_watch_signals(true);  // a command may have caught them
    int status = input_line(shell, shell->sim ? "sim> " : "linkwork> ", false, &line);
    if (status != DONE) shell->failed = true;
    if (status != DONE && shell->lines.at_end && !shell->terminal) return;
    if (status != DONE) continue;
    if (!line) return;
    if (*line && shell->sim && !shell->terminal)
      lw_out_format(&shell->screen, "sim> %s\n", line);  // a script reads as the session
    if (*line) shell_run_line(shell, line);
    if (run_loop_stop && (!shell->terminal || run_loop_stop != SIGINT)) return;
    run_loop_stop = 0;
  }
}

static int close_output_file(void* shell)
{
  shell_close_output_file(shell);
  return DONE;
}

static void release_shell(void* context)
{
  Shell* shell = context;
  lw_lines_close(&shell->lines);
  shell_unload(shell);
  free(shell->typed);
}

static int run_session(const Options* options, bool sim)
{
  Shell* shell    = hold(allocate(1, sizeof *shell), release_shell);
  const char* arm = options->operand ? options->operand : BUILT_IN_ARM;
  shell->options  = *options;
  shell->sim      = sim;
  if (!strcmp(arm, "-"))
    stop(USAGE, "shell: ROBOT cannot be standard input, where the commands come from");
  shell_load(shell, arm);
  shell->terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  need(lines_open(&shell->lines, "-", LONGEST_LINE));
  out_open(&shell->screen, NULL);
  out_divert(&shell->screen);
  if (shell->terminal)
    lw_out_format(&shell->screen,
                  "%s, %d moving joints; 'help' lists commands, 'quit' ends the session\n",
                  lw_model_name(shell->model), shell->n);
  run_prompt(shell);
  if (shell->file_name && scope_run(close_output_file, shell) != DONE) shell->failed = true;
  out_divert(NULL);
  edit_end();
  int status = shell->failed && !shell->terminal ? NO : DONE;
  if (run_loop_stop && (!shell->terminal || run_loop_stop == SIGTERM)) status = 128 + run_loop_stop;
  return out_close(&shell->screen, status, true);
}

int cmd_shell(const Options* options)
{
  return run_session(options, false);
}

int cmd_sim(const Options* options)
{
  return run_session(options, true);
}

const ShellCommand* shell_command_named(const char* name, size_t length)
{
  int i = find_name(NULL, name, length);
  return i >= 0 && i < SHELL_COMMAND_COUNT ? &SHELL_COMMANDS[i] : NULL;
}

// --- help

static void help_list(Shell* shell)
{
  lwOut* out = &shell->screen;
  lw_out_text(
      out, "variables: NAME shows one, NAME = V1 V2 .. sets it, one value for each moving joint\n");
  if (!shell->sim) lw_out_text(out, "NAME.JOINT = V sets one joint\n");
  for (int i = 0; i < SHELL_VARIABLE_COUNT; ++i)
  {
    const ShellVariable* variable = &SHELL_VARIABLES[i];
    if (!is_offered(shell, SHELL_COMMAND_COUNT + i)) continue;
    lw_out_format(out, "  %-18s %s%s%s\n", variable->name, variable->summary,
                  variable->alias && !shell->sim ? "; also " : "",
                  variable->alias && !shell->sim ? variable->alias : "");
  }
  lw_out_text(out, "commands: NAME, or NAME with arguments; the shell asks for what is missing\n");
  for (int i = 0; i < SHELL_COMMAND_COUNT; ++i)
    if (is_offered(shell, i))
      lw_out_format(out, "  %-18s %s\n", listed_name(shell, SHELL_COMMANDS[i].name),
                    SHELL_COMMANDS[i].summary);
  if (shell->sim) return;
  lw_out_text(
      out,
      "commands of the program, with the robot and the variables of the session, and with "
      "options as\nin 'linkwork help NAME'; 'linkwork NAME' if the shell uses the name itself\n");
  for (int i = 0; i < COMMAND_COUNT; ++i)
    if (shell_runs_program(&COMMANDS[i]))
      lw_out_format(out, "  %-18s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
  lw_out_text(
      out, "'help NAME' explains one name. Names may be abbreviated as long as they are unique.\n"
           "# begins a comment. Quote file names that contain spaces. A command that fails does\n"
           "not end the session; a script in which one failed ends with exit 1. Ctrl-C ends the\n"
           "current command, and a script, but not a session at a terminal.\n");
}

// A name that the shell has of its own, and its text in help.txt.
static void help_name(lwOut* out, const char* name, const char* summary)
{
  char section[64];
  snprintf(section, sizeof section, "shell %s", name);
  lw_out_format(out, ": %s\n%s", summary, help_text(section));
}

static void help_command_of(lwOut* out, const ShellCommand* command)
{
  lw_out_format(out, "%s", command->name);
  for (const ShellArgument* argument = command->arguments; argument->name; ++argument)
    lw_out_format(out, " [%s=]", argument->name);
  help_name(out, command->name, command->summary);
  for (const ShellArgument* argument = command->arguments; argument->question; ++argument)
    lw_out_format(out, "  %-10s %s; the shell asks if it is missing\n", argument->name,
                  argument->question);
}

void shell_help(Shell* shell)
{
  const char* name = shell->given[0];
  if (!name) return help_list(shell);
  char* rest             = (char*)name;
  const Command* program = find_program(shell, &rest, name, strlen(name));
  underline_name(shell, rest);
  lw_out_flush(&shell->screen);
  if (program) leave(help_command(program));
  int i = need_name(shell, name, strlen(name));
  if (i < SHELL_COMMAND_COUNT) return help_command_of(&shell->screen, &SHELL_COMMANDS[i]);
  const ShellVariable* variable = &SHELL_VARIABLES[i - SHELL_COMMAND_COUNT];
  lw_out_text(&shell->screen, variable->name);
  help_name(&shell->screen, variable->name, variable->summary);
}

void shell_quit(Shell* shell)
{
  shell->quit = true;
}
