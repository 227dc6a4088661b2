// SPDX-License-Identifier: MIT
// The table of commands. To add one: a section of commands.txt, its text in help.txt, and its
// function cmd_NAME in a file NAME.c, cmd_study_merge of two words. Options that it alone takes go
// into options.txt.
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "kernels/questions.h"

extern const char app_commands_text[];
extern const size_t app_commands_length;

// The functions of the commands of commands.txt, in its order.
#define COMMAND_FUNCTION(name) cmd_##name,
static int (*const FUNCTIONS[])(const Options* options) = {COMMAND_LIST(COMMAND_FUNCTION)};
#undef COMMAND_FUNCTION

// Commands that ask a question about states come before them.
enum
{
  OTHER_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS
};

static char* text;  // of commands.txt, cut into lines from the first section on
static Command commands[LW_QUESTION_COUNT + OTHER_COUNT];
const Command* const COMMANDS = commands;
const int COMMAND_COUNT       = LW_QUESTION_COUNT + OTHER_COUNT;

// --- commands.txt

// Ends a line; where the next one begins.
static char* end_line(char* line)
{
  char* end = strchr(line, '\n');
  *end      = 0;
  return end + 1;
}

// Takes a section apart: its heading behind "== ", what the command does, its options, an example.
static Command read_command(char* heading)
{
  char* summary = end_line(heading);
  char* options = end_line(summary);
  char* example = end_line(options);
  char* operand = strstr(heading, ": ");
  end_line(example);
  Command command = {
      .name = heading, .summary = summary, .options = options, .question = -1, .example = example};
  if (!operand) return command;
  *operand               = 0;
  command.operand_needed = operand[2] != '[';
  command.operand        = operand + (command.operand_needed ? 2 : 3);
  if (!command.operand_needed) operand[strlen(operand + 2) + 1] = 0;
  return command;
}

static void read_others(void)
{
  if (text) return;
  text = malloc(app_commands_length + 1);
  if (!text) exit(no_memory());
  memcpy(text, app_commands_text, app_commands_length + 1);
  char* next = strstr(text, "\n== ");
  for (int k = 0; k < OTHER_COUNT; ++k)
  {
    char* section    = next;
    next             = strstr(section + 1, "\n== ");
    *section         = 0;
    Command* command = &commands[LW_QUESTION_COUNT + k];
    *command         = read_command(section + strlen("\n== "));
    command->run     = FUNCTIONS[k];
    if (command->run == cmd_frames) command->question = LW_QUESTION_POSES;  // of named links
  }
}

void commands_open(void)
{
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    const lwQuestionInfo* info = lw_question_info((lwQuestion)k);
    commands[k] =
        (Command){info->name, info->summary, "ROBOT", true, "@state", k, info->example, cmd_state};
  }
  read_others();
}

const Command* command_find(const char* name)
{
  for (int i = 0; i < COMMAND_COUNT; ++i)
    if (!strcmp(COMMANDS[i].name, name)) return &COMMANDS[i];
  return NULL;
}

// --- options

// The line of commands.txt that a word "@name" stands for.
static const char* shared_options(const char* name, size_t length)
{
  const char* line = text;
  while ((line = strstr(line + 1, "\n@")))
    if (!strncmp(line + 1, name, length) && line[1 + length] == ' ') return line + 1 + length;
  return "";
}

bool option_listed(const char* list, const char* option)
{
  size_t length;
  for (const char* word = list; *word && *word != '\n'; word += length)
  {
    word += strspn(word, " ");
    length = strcspn(word, " \n");
    if (text_is(option, word, length)) return true;
    if (*word == '@' && option_listed(shared_options(word, length), option)) return true;
  }
  return false;
}

bool command_closes_loops(const Command* command)
{
  if (command->question < 0)
    return strstr(command->options, "@loops") || !command_takes(command, OPTION_OPEN_TREE);
  unsigned takes = lw_question_info((lwQuestion)command->question)->takes;
  return takes & (LW_TAKES_LOOPS | LW_TAKES_CLOSING);
}

// Whether one of the lists that go with the flags has the option.
static bool flags_list(unsigned flags, const char* const* lists, Option option)
{
  for (int i = 0; flags >> i; ++i)
    if (flags >> i & 1 && option_listed(lists[i], OPTIONS[option].name)) return true;
  return false;
}

bool question_takes(lwQuestion question, Option option)
{
  static const char* const inputs[] = {"--q", "--qd", "--qdd", "--tau", "--wrench"};
  return flags_list(lw_question_info(question)->inputs, inputs, option);
}

bool command_takes(const Command* command, Option option)
{
  static const char* const choices[] = {"--link --tool", "--axes", "--refine", "--rotors",
                                        "--rotors --friction"};
  if (option_listed(command->options, OPTIONS[option].name)) return true;
  if (command->question < 0) return false;
  lwQuestion question = (lwQuestion)command->question;
  bool inverse        = question == LW_QUESTION_INVERSE;
  if (option == OPTION_METHOD) return lw_question_has_methods(question);
  if (option == OPTION_CONTACT) return inverse || question == LW_QUESTION_FORWARD;
  if (option == OPTION_FRICTION && inverse) return true;  // of contacts
  return question_takes(question, option) ||
         flags_list(lw_question_info(question)->chooses, choices, option);
}
