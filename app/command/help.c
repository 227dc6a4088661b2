// SPDX-License-Identifier: MIT
// The help, made from the tables of commands and options.
#include "app.h"
#include "report/manual_writer.h"

#include <stdio.h>
#include <string.h>

// The commands by what people want to do; a command of two words stands where its first word does.
static const struct
{
  const char *title, *commands;
} HELP_GROUPS[] = {
    {"Torques, accelerations, energy and positions of states",
     "inverse forward inertia bias gravity coriolis energy pose jacobian reactions poses frames "
     "velocities "
     "accelerations centroidal gibbs control"},
    {"Derivatives and matrices of states",
     "inverse-derivatives forward-derivatives inertia-inverse coriolis-matrix jacobian-rate "
     "regressor "
     "linearise"},
    {"Motions: plan, reach, simulate", "plan ik close clearance simulate shell sim"},
    {"Motors, cylinders and structures for a motion", "drives cylinders loads parts"},
    {"Robot files", "info lint convert examples new export"},
    {"Pictures and pages", "page view plot draw"},
    {"Parameters: uncertain, unknown, identified", "study sensitivity excite parameters identify"},
    {"Methods: compared, proven, counted, timed", "methods check prove accuracy count bench paper"},
    {"Code for controllers and other programs", "generate"},
    {"Snake robots", "snake"},
    {"This program", "help doctor"},
};

enum
{
  GROUPS = sizeof HELP_GROUPS / sizeof *HELP_GROUPS
};

// The group of a command; GROUPS: in none of them.
static int group_of(const char* name)
{
  size_t length = strcspn(name, " ");
  for (int g = 0; g < GROUPS; ++g)
    for (const char* s = HELP_GROUPS[g].commands; *s; s += strcspn(s, " "), s += *s == ' ')
      if (strcspn(s, " ") == length && !strncmp(s, name, length)) return g;
  return GROUPS;
}

int help_all(void)
{
  lwOut out;
  out_open(&out, NULL);
  lw_out_text(&out, help_text("PROGRAM"));
  for (int g = 0; g <= GROUPS; ++g)
  {
    bool begun = false;
    for (int i = 0; i < COMMAND_COUNT; ++i)
    {
      if (group_of(COMMANDS[i].name) != g) continue;
      if (!begun) lw_out_format(&out, "%s:\n", g < GROUPS ? HELP_GROUPS[g].title : "Others");
      lw_out_format(&out, "  %-20s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
      begun = true;
    }
  }
  lw_out_format(&out, "\n%s\nexit codes:\n%s", help_text("CONVENTIONS"), help_text("EXIT_CODES"));
  return out_close(&out, DONE, true);
}

static void out_usage(lwOut* out, const Command* command)
{
  lw_out_format(out, "linkwork %s: %s\n\nusage: linkwork %s", command->name, command->summary,
                command->name);
  if (command->operand && command->operand_needed) lw_out_format(out, " %s", command->operand);
  if (command->operand && !command->operand_needed) lw_out_format(out, " [%s]", command->operand);
  lw_out_text(out, " [options]\n\noptions:\n");
}

static void out_options(lwOut* out, const Command* command)
{
  for (int i = 0; i < OPTION_COUNT; ++i)
  {
    char name[48], letter[8] = "    ";
    const char* argument = option_argument(command, (Option)i);
    if (!command_takes(command, (Option)i)) continue;
    if (OPTIONS[i].letter) snprintf(letter, sizeof letter, "-%c, ", OPTIONS[i].letter);
    snprintf(name, sizeof name, "%s%s %s", letter, OPTIONS[i].name, argument ? argument : "");
    lw_out_format(out, "  %-24s %s\n", name, option_help(command, (Option)i));
  }
}

// The text of a command; with it, for a question, what its wrench or its frame is.
static const char* details_of(const Command* command)
{
  const char* own = help_text(command->name);
  if (command->question < 0) return own;
  const lwQuestionInfo* info = lw_question_info((lwQuestion)command->question);
  const char* more           = info->inputs & LW_INPUT_WRENCH     ? help_text("WRENCH")
                               : info->chooses & LW_CHOOSES_FRAME ? help_text("FRAME")
                                                                  : "";
  size_t size                = strlen(own) + strlen(more) + 1;
  char* both                 = allocate(size, 1);
  snprintf(both, size, "%s%s", own, more);
  return both;
}

// The paragraphs that follow the options of a command, and how many there are.
static int help_sections(const Command* command, const char* sections[LW_MANUAL_SECTIONS])
{
  int count         = 0;
  sections[count++] = details_of(command);
  if (command->question >= 0) sections[count++] = help_text("STATES");
  if (command_takes(command, OPTION_JOINTS)) sections[count++] = help_text("JOINTS");
  if (command_takes(command, OPTION_FORMAT)) sections[count++] = help_text("FORMATS");
  return count;
}

int help_command(const Command* command)
{
  lwOut out;
  out_open(&out, NULL);
  out_usage(&out, command);
  out_options(&out, command);
  const char* sections[LW_MANUAL_SECTIONS];
  int count = help_sections(command, sections);
  for (int i = 0; i < count; ++i) lw_out_format(&out, "\n%s", sections[i]);
  lw_out_format(&out, "\nexample: %s\n", command->example);
  return out_close(&out, DONE, true);
}

int unknown_command(const char* before, const char* name)
{
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; i < COMMAND_COUNT; ++i) nearest_offer(&nearest, COMMANDS[i].name);
  return fail(USAGE, "%sunknown command '%s'; %s", before, name,
              nearest_or(&nearest, "'linkwork --help' lists them"));
}

// --- the manual in forms other than --help: man pages, docs/commands.md, shell completion

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
    if (command_takes(command, (Option)i))
      option[described.options++] =
          (lwManualOption){.name     = OPTIONS[i].name,
                           .letter   = OPTIONS[i].letter,
                           .argument = option_argument(command, (Option)i),
                           .help     = option_help(command, (Option)i)};
  return described;
}

// Of a command, NULL: of the program, in the form that --as names.
static int manual_print(const char* form, const Command* about)
{
  size_t count              = (size_t)COMMAND_COUNT;
  lwManualCommand* commands = allocate(count, sizeof *commands);
  lwManualOption* options   = allocate(count * OPTION_COUNT, sizeof *options);
  lwManual manual = {help_text("CONVENTIONS"), help_text("EXIT_CODES"), COMMAND_COUNT, commands};
  lwOut* out      = output(NULL);
  for (size_t i = 0; i < count; ++i)
    commands[i] = describe_command(&COMMANDS[i], options + i * OPTION_COUNT);
  if (!lw_manual_write(out, form, &manual, about ? &commands[about - COMMANDS] : NULL))
    stop(USAGE, "--as: unknown form '%s'; expected man, markdown, bash, zsh or fish", form);
  return output_end(out, DONE);
}

int cmd_help(const Options* options)
{
  const char* form     = options->value[OPTION_AS];
  const Command* about = options->operand ? command_find(options->operand) : NULL;
  if (form && (about || !options->operand)) return manual_print(form, about);
  if (!options->operand) return help_all();
  if (about) return help_command(about);
  return unknown_command("help: ", options->operand);
}
