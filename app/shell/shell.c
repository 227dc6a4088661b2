// SPDX-License-Identifier: MIT
// linkwork shell: the session.
#include "shell.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/program_text.h"
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

// The index of the variable whose columns are called so, among all names; -1: none.
static int find_alias(const char* name, size_t length)
{
  for (int i = 0; i < SHELL_VARIABLE_COUNT; ++i)
  {
    const char* alias = SHELL_VARIABLES[i].alias;
    if (alias && strlen(alias) == length && !strncmp(alias, name, length))
      return SHELL_COMMAND_COUNT + i;
  }
  return -1;
}

// The index of a name, or of the only one that begins so; -1: none, -2: several.
static int find_name(const char* name, size_t length)
{
  int found = find_alias(name, length);
  if (found >= 0) return found;
  for (int i = 0; i < name_count(); ++i)
  {
    if (strncmp(name_at(i), name, length) != 0) continue;
    if (strlen(name_at(i)) == length) return i;
    found = found == -1 ? i : -2;
  }
  return length > 0 ? found : -1;
}

static int ambiguous_name(Shell* shell, const char* name, size_t length)
{
  char list[512] = "";
  for (int i = 0; i < name_count(); ++i)
    if (!strncmp(name_at(i), name, length))
      lw_text_append(list, sizeof list, list[0] ? ", " : "", name_at(i));
  return complain(shell, name, "'%.*s' may be each of %s", (int)length, name, list);
}

static int unknown_name(Shell* shell, const char* name, size_t length)
{
  Nearest nearest = nearest_to(name, length);
  int shown       = length < 60 ? (int)length : 60;
  for (int i = 0; i < name_count(); ++i) nearest_offer(&nearest, name_at(i));
  for (int i = 0; i < COMMAND_COUNT; ++i)
    if (shell_runs_program(&COMMANDS[i])) nearest_offer(&nearest, COMMANDS[i].name);
  if (nearest_found(&nearest))
    return complain(shell, name, "no command or variable '%.*s'; did you mean '%s'?", shown, name,
                    nearest.best);
  return complain(shell, name, "no command or variable '%.*s'; 'help' lists them", shown, name);
}

// --- a line

// The length of NAME in NAME=VALUE, 0: there is none.
static size_t name_length(const char* word)
{
  size_t length = 0;
  while (isalnum((unsigned char)word[length]) || word[length] == '_') ++length;
  return word[length] == '=' ? length : 0;
}

static bool take_named(Shell* shell, char* word, const char** value, int* k)
{
  const ShellArgument* arguments = shell->command->arguments;
  size_t length                  = name_length(word);
  for (*k = 0; *k < MOST_ARGUMENTS && arguments[*k].name; ++*k)
    if (strlen(arguments[*k].name) == length && !strncmp(arguments[*k].name, word, length))
    {
      *value = word + length + 1;
      return true;
    }
  return false;
}

static int wrong_argument(Shell* shell, const char* word)
{
  size_t length   = name_length(word);
  Nearest nearest = nearest_to(word, length);
  for (int k = 0; k < MOST_ARGUMENTS && shell->command->arguments[k].name; ++k)
    nearest_offer(&nearest, shell->command->arguments[k].name);
  if (length > 0 && nearest_found(&nearest))
    return complain(shell, word, "'%s' has no '%.*s'; did you mean '%s='?", shell->command->name,
                    (int)length, word, nearest.best);
  if (length > 0)
    return complain(shell, word, "'%s' has no '%.*s'; see 'help %s'", shell->command->name,
                    (int)length, word, shell->command->name);
  return complain(shell, word, "'%s' is more than '%s' takes; see 'help %s'", word,
                  shell->command->name, shell->command->name);
}

static int take_argument(Shell* shell, char* word)
{
  const ShellArgument* arguments = shell->command->arguments;
  const char* value              = word;
  int k                          = 0;
  bool named                     = take_named(shell, word, &value, &k);
  if (!named && name_length(word) > 0) return wrong_argument(shell, word);
  if (!named)
    for (k = 0; k < MOST_ARGUMENTS && arguments[k].name && shell->given[k];) ++k;
  if (k == MOST_ARGUMENTS || !arguments[k].name) return wrong_argument(shell, word);
  if (shell->given[k]) return complain(shell, word, "'%s' is given twice", arguments[k].name);
  if (!*value) return complain(shell, word, "'%s' is empty", arguments[k].name);
  shell->given[k] = value;
  return DONE;
}

static int run_command(Shell* shell, const ShellCommand* command, char* rest)
{
  shell->command = command;
  memset(shell->given, 0, sizeof shell->given);
  while (*(rest = (char*)lw_skip_spaces(rest)))
  {
    char* at   = rest;
    char* word = word_take(&rest);
    if (!word) return complain(shell, at, "a quote that is not closed");
    int status = take_argument(shell, word);
    if (status != DONE) return status;
  }
  if (shell->terminal) run_loop_catch_signals();
  int status = command->run(shell);
  for (int k = 0; k < MOST_ARGUMENTS; ++k)
  {
    free(shell->answers[k]);
    shell->answers[k] = NULL;
  }
  return status;
}

// --- one joint: theta.elbow, theta2

// The variable that a name with a joint begins with, and what of the line says which joint; NULL:
// it is none such.
static const ShellVariable* split_joint(const char* name, size_t length, const char** joint)
{
  size_t own = length;
  if (name[length] != '.')
    while (own > 0 && isdigit((unsigned char)name[own - 1])) --own;
  *joint = name + own + (name[length] == '.');
  int i  = own < length || name[length] == '.' ? find_name(name, own) : -1;
  if (i < SHELL_COMMAND_COUNT) return NULL;
  const ShellVariable* variable = &SHELL_VARIABLES[i - SHELL_COMMAND_COUNT];
  return variable->vector >= 0 ? variable : NULL;
}

// By its name, or by its number from 1; -1: there is none, which is printed.
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
    if (strlen(name) == length && !strncmp(name, text, length)) return k;
  }
  if (length > 0 && end == text + length && number >= 1 && number <= width) return (int)number - 1;
  bool near = nearest_found(&nearest);
  complain(shell, text, "no moving joint '%.*s'; %s%s%s", length < 60 ? (int)length : 60, text,
           near ? "did you mean '" : "'theta' lists them", near ? nearest.best : "",
           near ? "'?" : "");
  return -1;
}

static int run_joint(Shell* shell, const ShellVariable* variable, const char* joint)
{
  size_t length      = strcspn(joint, "=");
  const char* values = joint[length] ? joint + length + 1 : NULL;
  while (length > 0 && (joint[length - 1] == ' ' || joint[length - 1] == '\t')) --length;
  int k = find_joint(shell, variable->vector, joint, length);
  if (k < 0) return USAGE;
  if (values) return variable_assign_joint(shell, variable, k, values);
  variable_show_joint(shell, variable, k);
  return DONE;
}

// --- any line

// A command of the program: linkwork NAME .., or NAME .. where no name of the shell is the same.
// NULL: it is none.
static const Command* find_program(char** rest, const char* name, size_t length)
{
  char word[64];
  if (length == 8 && !strncmp(name, "linkwork", length))
  {
    name   = *rest;
    length = strcspn(name, " \t");
    *rest  = (char*)lw_skip_spaces(name + length);
  }
  else if (find_alias(name, length) >= 0)
    return NULL;
  else
    for (int i = 0; i < name_count(); ++i)
      if (strlen(name_at(i)) == length && !strncmp(name_at(i), name, length)) return NULL;
  if (length >= sizeof word) return NULL;
  snprintf(word, sizeof word, "%.*s", (int)length, name);
  const Command* command = command_find(word);
  return shell_runs_program(command) ? command : NULL;
}

// NAME, NAME = VALUES, NAME.JOINT = VALUE, or COMMAND ARGUMENTS
static int run_line(Shell* shell)
{
  char* name    = shell->line;
  size_t length = 0;
  const char* joint;
  while (isalnum((unsigned char)name[length]) || name[length] == '_') ++length;
  const ShellVariable* of_joint = split_joint(name, length, &joint);
  if (of_joint) return run_joint(shell, of_joint, joint);
  char* rest = (char*)lw_skip_spaces(name + length);
  if (name[length] && rest == name + length && *rest != '=') length += strcspn(rest, " \t=");
  rest                   = (char*)lw_skip_spaces(name + length);
  const Command* program = *rest == '=' ? NULL : find_program(&rest, name, length);
  if (program) shell->program = program->name;
  if (program) return shell_program(shell, program, rest);
  int i = find_name(name, length);
  if (i == -2) return ambiguous_name(shell, name, length);
  if (i < 0) return unknown_name(shell, name, length);
  if (i < SHELL_COMMAND_COUNT && *rest == '=')
    return complain(shell, rest, "'%s' is a command and takes no value", name_at(i));
  if (i < SHELL_COMMAND_COUNT) return run_command(shell, &SHELL_COMMANDS[i], rest);
  const ShellVariable* variable = &SHELL_VARIABLES[i - SHELL_COMMAND_COUNT];
  if (*rest == '=') return variable_assign(shell, variable, rest + 1);
  if (*rest) return complain(shell, rest, "expected '%s = VALUES', or the name alone", name_at(i));
  variable_show(shell, variable);
  return DONE;
}

// --- the session

static int session_end(Shell* shell)
{
  if (!shell->terminal && run_loop_stop) return 128 + run_loop_stop;
  if (run_loop_stop == SIGTERM) return 128 + SIGTERM;
  return shell->failed && !shell->terminal ? NO : DONE;
}

void shell_run_line(Shell* shell, const char* line)
{
  shell->told    = false;
  shell->command = NULL;
  shell->program = NULL;
  shell->line    = strdup(line);
  shell->length  = strlen(line);
  int status     = shell->line ? run_line(shell) : no_memory();
  lw_out_flush(&shell->screen);
  if (status != DONE && !shell->told && !shell->terminal)
    fprintf(stderr, "%s:%ld:1: error: '%s' failed\n", shell->lines.name, shell->lines.number,
            shell->command   ? shell->command->name
            : shell->program ? shell->program
                             : "the line");
  shell->failed = shell->failed || status != DONE;
  free(shell->line);
  shell->line = NULL;
}

static void run_prompt(Shell* shell)
{
  while (!shell->quit && !lw_out_stopped(&shell->screen))
  {
    char* line = NULL;
    lw_atomic_file_watch_signals(true);  // a command may have caught them
    int status = input_line(shell, "linkwork> ", false, &line);
    if (status != DONE) shell->failed = true;
    if (status != DONE && shell->lines.at_end && !shell->terminal) return;
    if (status != DONE) continue;
    if (!line) return;
    if (*line) shell_run_line(shell, line);
    if (run_loop_stop && (!shell->terminal || run_loop_stop != SIGINT)) return;
    run_loop_stop = 0;
  }
}

static int session_begin(Shell* shell, const Options* options)
{
  shell->options  = *options;
  const char* arm = options->operand ? options->operand : BUILT_IN_ARM;
  if (!strcmp(arm, "-"))
    return fail(USAGE, "shell: ROBOT cannot be standard input, where the commands come from");
  int status = shell_load(shell, arm);
  if (status != DONE) return status;
  shell->terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  return lines_open(&shell->lines, "-", LONGEST_LINE);
}

static int run_session(Shell* shell)
{
  out_open(&shell->screen, NULL);
  out_divert(&shell->screen);
  if (shell->terminal)
    lw_out_format(&shell->screen,
                  "%s, %d moving joints; 'help' lists commands, 'quit' ends the session\n",
                  lw_model_name(shell->model), shell->n);
  run_prompt(shell);
  if (shell->screen.also && shell_close_output_file(shell) != DONE) shell->failed = true;
  out_divert(NULL);
  edit_end();
  int status = session_end(shell);
  return out_close(&shell->screen, status, true);
}

int cmd_shell(const Options* options)
{
  Shell* shell = calloc(1, sizeof *shell);
  if (!shell) return no_memory();
  int status = session_begin(shell, options);
  if (status == DONE) status = run_session(shell);
  lw_lines_close(&shell->lines);
  shell_unload(shell);
  free(shell->typed);
  free(shell);
  return status;
}

const ShellCommand* shell_command_named(const char* name, size_t length)
{
  int i = find_name(name, length);
  return i >= 0 && i < SHELL_COMMAND_COUNT ? &SHELL_COMMANDS[i] : NULL;
}

// --- help

static void help_list(Shell* shell)
{
  lwOut* out = &shell->screen;
  lw_out_text(
      out, "variables: NAME shows one, NAME = V1 V2 .. sets it, one value for each moving joint;\n"
           "NAME.JOINT = V sets one joint\n");
  for (int i = 0; i < SHELL_VARIABLE_COUNT; ++i)
  {
    const ShellVariable* variable = &SHELL_VARIABLES[i];
    lw_out_format(out, "  %-18s %s%s%s\n", variable->name, variable->summary,
                  variable->alias ? "; also " : "", variable->alias ? variable->alias : "");
  }
  lw_out_text(out, "commands: NAME, or NAME with arguments; the shell asks for what is missing\n");
  for (int i = 0; i < SHELL_COMMAND_COUNT; ++i)
    lw_out_format(out, "  %-18s %s\n", SHELL_COMMANDS[i].name, SHELL_COMMANDS[i].summary);
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

static void help_command_of(lwOut* out, const ShellCommand* command)
{
  lw_out_format(out, "%s", command->name);
  for (int k = 0; k < MOST_ARGUMENTS && command->arguments[k].name; ++k)
    lw_out_format(out, " [%s=]", command->arguments[k].name);
  lw_out_format(out, ": %s\n%s", command->summary, command->help);
  for (int k = 0; k < MOST_ARGUMENTS && command->arguments[k].question; ++k)
    lw_out_format(out, "  %-10s %s; the shell asks if it is missing\n", command->arguments[k].name,
                  command->arguments[k].question);
}

int shell_help(Shell* shell)
{
  const char* name = shell->given[0];
  if (!name)
  {
    help_list(shell);
    return DONE;
  }
  char* rest             = (char*)name;
  const Command* program = find_program(&rest, name, strlen(name));
  if (program)
  {
    lw_out_flush(&shell->screen);
    return help_command(program);
  }
  int i = find_name(name, strlen(name));
  if (i == -2) return ambiguous_name(shell, name, strlen(name));
  if (i < 0) return unknown_name(shell, name, strlen(name));
  if (i < SHELL_COMMAND_COUNT)
    help_command_of(&shell->screen, &SHELL_COMMANDS[i]);
  else
    lw_out_format(&shell->screen, "%s: %s\n%s", name_at(i),
                  SHELL_VARIABLES[i - SHELL_COMMAND_COUNT].summary,
                  SHELL_VARIABLES[i - SHELL_COMMAND_COUNT].help);
  return DONE;
}

int shell_quit(Shell* shell)
{
  shell->quit = true;
  return DONE;
}
