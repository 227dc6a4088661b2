// SPDX-License-Identifier: MIT
// The sections of help.txt, which is part of the program.
#include <stdlib.h>
#include <string.h>

#include "app.h"

extern const char app_help_text[];
extern const size_t app_help_length;

#define START "\n== "  // of a section

typedef struct HelpSection
{
  const char *name, *option, *argument;  // option, argument: NULL without them
  const char* text;
} HelpSection;

static HelpSection* sections;
static int section_count;

// Takes a heading apart: "study report --plot FILE".
static HelpSection section_of(char* heading, const char* text)
{
  char* option   = strstr(heading, " --");
  char* argument = option ? strchr(option + 1, ' ') : NULL;
  if (option) *option++ = 0;
  if (argument) *argument++ = 0;
  return (HelpSection){heading, option, argument, text};
}

// Takes the whole text apart, when the first of it is asked for.
static void split_sections(void)
{
  static char* text;  // what the sections point into
  text          = malloc(app_help_length + 1);
  section_count = 0;
  size_t most   = 0;
  for (const char* s = app_help_text; (s = strstr(s, START)); ++s) ++most;
  sections = malloc(most * sizeof *sections);
  if (!text || !sections) exit(no_memory());
  memcpy(text, app_help_text, app_help_length + 1);
  for (char* at = strstr(text, START); at;)
  {
    char* heading = at + strlen(START);
    char* end     = heading + strcspn(heading, "\n");
    at            = strstr(end, START);
    *end          = 0;
    if (at) *at = 0;
    sections[section_count++] = section_of(heading, end + 1);
  }
}

static const HelpSection* find_section(const char* name, const char* option)
{
  if (!sections) split_sections();
  for (const HelpSection* s = sections; s < sections + section_count; ++s)
    if (!strcmp(s->name, name) && (option ? s->option && !strcmp(s->option, option) : !s->option))
      return s;
  return NULL;
}

const char* help_text(const char* name)
{
  const HelpSection* section = find_section(name, NULL);
  return section ? section->text : "";
}

static const HelpSection* find_special(const Command* command, Option option)
{
  const HelpSection* special = find_section(command->name, OPTIONS[option].name);
  if (special || command->question < 0) return special;
  return find_section("STATES", OPTIONS[option].name);
}

const char* option_help(const Command* command, Option option)
{
  const HelpSection* special = find_special(command, option);
  return special ? special->text : OPTIONS[option].help;
}

const char* option_argument(const Command* command, Option option)
{
  const HelpSection* special = find_special(command, option);
  return special && special->argument ? special->argument : OPTIONS[option].argument;
}
