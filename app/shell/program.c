// SPDX-License-Identifier: MIT
// Commands of the program within a session: the same commands, with the robot of the session and
// the state of its variables for whatever the line does not say.
//
//   pose --link forearm  --> linkwork pose ROBOT --q theta.. --format table --link forearm
#include <stdio.h>
#include <string.h>

#include "command/ranges.h"
#include "shell.h"

enum
{
  MOST_WORDS = 256
};

// A command line under way.
typedef struct ShellCall
{
  Shell* shell;
  const Command* command;
  bool given[OPTION_COUNT];  // by the line
  int count;
  char* words[MOST_WORDS + 1];  // ended by NULL
} ShellCall;

bool shell_runs_program(const Command* command)
{
  return command && command->operand && !strncmp(command->operand, "ROBOT", 5) &&
         command->run != cmd_shell;
}

static void add_word(ShellCall* call, const char* word)
{
  if (call->count < MOST_WORDS) call->words[call->count++] = (char*)word;
}

static bool takes(const ShellCall* call, Option option)
{
  return command_takes(call->command, option) && !call->given[option];
}

// What the session began with: --joints, --payload and so on.
static void add_session(ShellCall* call)
{
  const Options* options = &call->shell->options;
  for (int option = 0; option < OPTION_COUNT; ++option)
  {
    bool turned = option == OPTION_GRAVITY || option == OPTION_BASE_RPY;
    if (!options->value[option] || !takes(call, (Option)option)) continue;
    if (turned && call->shell->gravity_set) continue;
    add_word(call, OPTIONS[option].name);
    if (OPTIONS[option].argument) add_word(call, options->value[option]);
  }
}

static void add_numbers(ShellCall* call, Option option, const double* values, int count)
{
  if (!takes(call, option)) return;
  size_t size = 32 * (size_t)count + 1, used = 0;
  char* text = allocate(size, 1);
  for (int k = 0; k < count; ++k)
    used += (size_t)snprintf(text + used, size - used, "%s%.17g", k > 0 ? "," : "", values[k]);
  add_word(call, OPTIONS[option].name);
  add_word(call, text);
}

// The variables, unless the states come from a file.
static void add_state(ShellCall* call)
{
  Shell* shell = call->shell;
  if (shell->gravity_set) add_numbers(call, OPTION_GRAVITY, shell->gravity, 3);
  if (call->given[OPTION_IN]) return;
  for (int v = 0; v < VECTOR_VOLTAGE; ++v)
    add_numbers(call, GROUPS[v].option, shell->vectors[v], vector_width(shell, v));
  add_numbers(call, OPTION_FROM, shell->vectors[VECTOR_THETA], shell->nq);
  bool pushed = false;
  for (int k = 0; k < 6; ++k) pushed = pushed || shell->wrench[k] != 0;
  if (pushed) add_numbers(call, OPTION_WRENCH, shell->wrench, 6);
}

static int run_call(const Options* options)
{
  int status = command_run(options);
  ranges_report();
  return status;
}

void shell_program(Shell* shell, const Command* command, char* rest)
{
  ShellCall* call = allocate(1, sizeof *call);
  call->shell     = shell;
  call->command   = command;
  add_word(call, command->name);
  add_word(call, shell->path);
  for (char* word; (word = word_take(shell, &rest));)
  {
    if (call->count == MOST_WORDS / 2) complain(shell, word, "too many words");
    if (call->count == 2 && !strcmp(word, "--help")) --call->count;  // needs no robot
    for (int option = 0; option < OPTION_COUNT; ++option)  // the command reports wrong ones
      if (text_is(OPTIONS[option].name, word, strcspn(word, "="))) call->given[option] = true;
    add_word(call, word);
  }
  if (takes(call, OPTION_FORMAT)) add_word(call, "--format");
  if (takes(call, OPTION_FORMAT)) add_word(call, "table");
  add_session(call);
  add_state(call);
  lw_out_flush(&shell->screen);
  need(command_line_run(command, call->count - 1, call->words + 1, run_call));
}
