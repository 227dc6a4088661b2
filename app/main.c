// SPDX-License-Identifier: MIT
// linkwork COMMAND [ROBOT] [options]
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "command/ranges.h"
#include "io/progress.h"

static int print_version(void)
{
  lwOut out;
  out_open(&out, NULL);
  lw_out_format(&out, "linkwork %s\n", lw_version());
  return out_close(&out, DONE, true);
}

// A standard stream that the parent closed must not become the number of a file that we open.
static void occupy_standard_streams(void)
{
  int file;
  do file = open("/dev/null", O_RDONLY);
  while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0) close(file);
}

// The command of the first arguments, "snake state" before "snake"; words:
// those used, the program's name included.
static const Command* find_command(int* words, int count, char** arguments)
{
  char two[64];
  if (count > 2)
  {
    snprintf(two, sizeof two, "%s %s", arguments[1], arguments[2]);
    const Command* command = command_find(two);
    *words                 = command ? 3 : 2;
    if (command) return command;
  }
  return command_find(arguments[1]);
}

// True if commands of two words begin with this one, and `word` is meant to be the second.
static bool needs_second_word(const Command* command, const char* word)
{
  size_t length = strlen(command->name);
  bool begins   = false;
  for (int i = 0; i < COMMAND_COUNT; ++i)
    begins = begins ||
             (!strncmp(COMMANDS[i].name, command->name, length) && COMMANDS[i].name[length] == ' ');
  return begins && word[0] != '-' && !command->operand;
}

// "help snake state" asks about one command, also if one of its words is misspelt.
static void join_help(int* count, char** arguments, char two[64])
{
  if (*count < 4 || strcmp(arguments[1], "help") != 0) return;
  if (arguments[2][0] == '-' || arguments[3][0] == '-') return;
  snprintf(two, 64, "%s %s", arguments[2], arguments[3]);
  arguments[2] = two;
  for (int i = 3; i < *count; ++i) arguments[i] = arguments[i + 1];  // ended by NULL
  --*count;
}

// An instruction set that is asked for and not there is refused before anything is read or timed.
static void check_instruction_set(void)
{
  lwModel* model  = NULL;
  lwWorkspace* ws = NULL;
  if (!getenv("LINKWORK_ISA")) return;
  lwDiag* diag  = hold_messages();
  lwStatus made = lw_model_create_generic(1, &model);
  if (made == LW_OK) made = lw_workspace_create(hold_model(model), NULL, diag, &ws);
  hold_workspace(ws);
  errors_print(diag);
  if (made != LW_OK) leave(INPUT);
}

static int run_checked(const Options* given)
{
  Options options = *given;
  progress_restart();
  check_instruction_set();
  kind_check(&options);
  int status = command_run(&options);
  ranges_report();
  return status;
}

int main(int count, char** arguments)
{
  commands_open();
  occupy_standard_streams();
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is seen as EPIPE
  lw_atomic_file_watch_signals(false);
  if (count < 2) return help_all() == DONE ? USAGE : INPUT;
  const char* name = arguments[1];
  if (!strcmp(name, "--help") || !strcmp(name, "-h")) return help_all();
  if (!strcmp(name, "--version")) return print_version();

  char two[64];
  join_help(&count, arguments, two);
  int words              = 2;
  const Command* command = find_command(&words, count, arguments);
  if (!command && name[0] == '-')
    return fail(USAGE, "unknown option '%s'; see 'linkwork --help'", name);
  if (!command) return unknown_command("", name);
  if (words == 2 && count > 2 && needs_second_word(command, arguments[2]))
  {
    snprintf(two, sizeof two, "%s %s", name, arguments[2]);
    return unknown_command("", two);
  }
  int status = command_line_run(command, count - words, arguments + words, run_checked);
  progress_clear();
  return status;
}
