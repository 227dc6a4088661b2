// SPDX-License-Identifier: MIT
// Commands of the program within a session: the same commands, with the robot of the session and
// the state of its variables for whatever the line does not say.
//
//   pose --link forearm  --> linkwork pose ROBOT --q theta.. --format table --link forearm
#include <stdio.h>
#include <stdlib.h>
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
  OptionSet given;  // by the line
  int count;
  char* words[MOST_WORDS];
  int owned_count;
  char* owned[OPTION_COUNT];  // texts made for it
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
  return command_options(call->command) >> option & 1 && !(call->given >> option & 1);
}

// The options that the line gives; the command reports those that are wrong.
static void note_given(ShellCall* call, const char* word)
{
  size_t length = strcspn(word, "=");
  for (int option = 0; option < OPTION_COUNT; ++option)
    if (strlen(OPTIONS[option].name) == length && !strncmp(OPTIONS[option].name, word, length))
      call->given |= (OptionSet)1 << option;
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

static int add_numbers(ShellCall* call, Option option, const double* values, int count)
{
  if (!takes(call, option)) return DONE;
  size_t capacity = 32 * (size_t)count + 1, used = 0;
  char* text = malloc(capacity);
  if (!text) return no_memory();
  text[0] = 0;
  for (int k = 0; k < count; ++k)
    used += (size_t)snprintf(text + used, capacity - used, "%s%.17g", k > 0 ? "," : "", values[k]);
  call->owned[call->owned_count++] = text;
  add_word(call, OPTIONS[option].name);
  add_word(call, text);
  return DONE;
}

// The variables, unless the states come from a file.
static int add_state(ShellCall* call)
{
  static const struct
  {
    Option option;
    Vector vector;
  } parts[]    = {{OPTION_Q, VECTOR_THETA},
                  {OPTION_QD, VECTOR_OMEGA},
                  {OPTION_QDD, VECTOR_ALPHA},
                  {OPTION_TAU, VECTOR_TORQUE},
                  {OPTION_FROM, VECTOR_THETA}};
  Shell* shell = call->shell;
  int status   = DONE;
  if (shell->gravity_set) status = add_numbers(call, OPTION_GRAVITY, shell->gravity, 3);
  if (call->given >> OPTION_IN & 1) return status;
  for (size_t i = 0; i < sizeof parts / sizeof *parts && status == DONE; ++i)
    status = add_numbers(call, parts[i].option, shell->vectors[parts[i].vector],
                         vector_width(shell, parts[i].vector));
  bool pushed = false;
  for (int k = 0; k < 6; ++k) pushed = pushed || shell->hand[k] != 0;
  return status == DONE && pushed ? add_numbers(call, OPTION_WRENCH, shell->hand, 6) : status;
}

static int run_call(ShellCall* call)
{
  Options options = {0};
  int status      = options_parse(call->command, call->count - 1, call->words + 1, &options);
  lw_out_flush(&call->shell->screen);
  if (status == DONE && options.value[OPTION_HELP])
    status = help_command(call->command);
  else if (status == DONE)
    status = command_run(&options);
  ranges_report();
  options_free(&options);
  return status;
}

int shell_program(Shell* shell, const Command* command, char* rest)
{
  ShellCall* call = calloc(1, sizeof *call);
  if (!call) return no_memory();
  *call = (ShellCall){.shell = shell, .command = command};
  add_word(call, command->name);
  add_word(call, shell->path);
  int status = DONE, first = call->count;
  while (*(rest = (char*)lw_skip_spaces(rest)) && status == DONE)
  {
    char* at   = rest;
    char* word = word_take(&rest);
    if (!word) status = complain(shell, at, "a quote that is not closed");
    if (!word) break;
    if (call->count == MOST_WORDS / 2) status = complain(shell, at, "too many words");
    if (call->count == first && !strcmp(word, "--help")) --call->count;  // needs no robot
    note_given(call, word);
    add_word(call, word);
  }
  if (status == DONE && takes(call, OPTION_FORMAT))
  {
    add_word(call, "--format");
    add_word(call, "table");
  }
  add_session(call);
  if (status == DONE) status = add_state(call);
  if (status == DONE) status = run_call(call);
  for (int k = 0; k < call->owned_count; ++k) free(call->owned[k]);
  free(call);
  return status;
}
