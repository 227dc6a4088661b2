// SPDX-License-Identifier: MIT
#include "command/manual.h"

// The command in the form that the manual needs; its options go to `option`.
static lwManualCommand describe_command(const Command* command, lwManualOption* option)
{
  lwManualCommand described = {.name           = command->name,
                               .summary        = command->summary,
                               .operand        = command->operand,
                               .operand_needed = command->operand_needed,
                               .example        = command->example,
                               .option         = option};
  described.sections        = help_sections(command, described.section);
  for (int i = 0; i < OPTION_COUNT; ++i)
    if (command_options(command) >> i & 1)
      option[described.options++] =
          (lwManualOption){.name     = OPTIONS[i].name,
                           .letter   = OPTION_LETTERS[i],
                           .argument = option_argument(command, (Option)i),
                           .help     = option_help(command, (Option)i)};
  return described;
}

int manual_print(const char* form, const Command* about)
{
  size_t count              = (size_t)COMMAND_COUNT;
  lwManualCommand* commands = allocate(count, sizeof *commands);
  lwManualOption* options   = allocate(count * OPTION_COUNT, sizeof *options);
  lwManual manual           = {CONVENTIONS, EXIT_CODES, COMMAND_COUNT, commands};
  lwOut* out                = output(NULL);
  for (size_t i = 0; i < count; ++i)
    commands[i] = describe_command(&COMMANDS[i], options + i * OPTION_COUNT);
  if (!lw_manual_write(out, form, &manual, about ? &commands[about - COMMANDS] : NULL))
    stop(USAGE, "--as: unknown form '%s'; expected man, markdown, bash, zsh or fish", form);
  return output_end(out, DONE);
}
