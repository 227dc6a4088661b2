// SPDX-License-Identifier: MIT
#include "command/manual.h"

#include <stdio.h>
#include <string.h>

#include "io/output.h"

static const char WHAT[] =
    "linkwork computes the dynamics of robot arms and snake robots: inverse dynamics (RNEA), the\n"
    "joint-space inertia matrix (CRBA), forward dynamics (ABA), poses, Jacobians, trajectories "
    "and\n"
    "simulations.\n";

// "snake state" as snake-state, for names of pages and anchors.
static void dashed(const char* name, char text[64])
{
  snprintf(text, 64, "%s", name);
  for (char* s = text; *s; ++s)
    if (*s == ' ') *s = '-';
}

static void out_operand(Out* out, const Command* command)
{
  if (!command->operand) return;
  out_format(out, command->operand_needed ? " %s" : " [%s]", command->operand);
}

// --- man pages

// Text of a man page: a dot or quote at the start of a line, backslashes and dashes mean something there.
static void out_roff(Out* out, const char* text)
{
  bool start = true;
  for (; *text; ++text)
  {
    if (start && (*text == '.' || *text == '\'')) out_text(out, "\\&");
    if (*text == '\\')
      out_text(out, "\\e");
    else if (*text == '-')
      out_text(out, "\\-");
    else
      out_bytes(out, text, 1);
    start = *text == '\n';
  }
}

static void out_roff_block(Out* out, const char* text)
{
  out_text(out, ".PP\n.nf\n");
  out_roff(out, text);
  out_text(out, ".fi\n");
}

static void out_roff_head(Out* out, const char* page, const char* summary)
{
  out_format(out, ".TH \"%s\" 1 \"\" \"linkwork %s\" \"linkwork\"\n.SH NAME\n", page, lw_version());
  out_roff(out, page);
  out_text(out, " \\- ");
  out_roff(out, summary);
  out_text(out, "\n");
}

static void out_roff_options(Out* out, const Command* command)
{
  for (int i = 0; i < OPTION_COUNT; ++i)
  {
    if (!(command_options(command) >> i & 1)) continue;
    const char* argument = option_argument(command, (Option)i);
    out_text(out, ".TP\n.B ");
    if (OPTION_LETTERS[i]) out_format(out, "\\-%c, ", OPTION_LETTERS[i]);
    out_roff(out, OPTIONS[i].name);
    if (argument) out_format(out, " \\fI%s\\fR", argument);
    out_text(out, "\n");
    out_roff(out, option_help(command, (Option)i));
    out_text(out, "\n");
  }
}

static void man_command(Out* out, const Command* command)
{
  char name[64], page[80];
  const char* sections[SECTIONS];
  dashed(command->name, name);
  snprintf(page, sizeof page, "linkwork-%s", name);
  out_roff_head(out, page, command->summary);
  out_format(out, ".SH SYNOPSIS\n.B linkwork %s\n", command->name);
  out_text(out, "\\fR");
  out_operand(out, command);
  out_text(out, " [options]\n.SH OPTIONS\n");
  out_roff_options(out, command);
  out_text(out, ".SH DESCRIPTION\n");
  int count = help_sections(command, sections);
  for (int i = 0; i < count; ++i) out_roff_block(out, sections[i]);
  out_text(out, ".SH EXIT STATUS\n");
  out_roff_block(out, EXIT_CODES);
  out_text(out, ".SH EXAMPLE\n");
  out_roff_block(out, command->example);
  out_text(out, "\n.SH SEE ALSO\n.BR linkwork (1)\n");
}

static void man_program(Out* out)
{
  out_roff_head(out, "linkwork", "dynamics of robot arms and snake robots");
  out_text(out, ".SH SYNOPSIS\n.B linkwork\n\\fICOMMAND\\fR [\\fIROBOT\\fR] [options]\n"
                ".SH DESCRIPTION\n");
  out_roff(out, WHAT);
  out_text(out, ".PP\n");
  out_roff(out, CONVENTIONS);
  out_text(out, ".SH COMMANDS\n");
  for (int i = 0; i < COMMAND_COUNT; ++i)
  {
    out_format(out, ".TP\n.B %s\n", COMMANDS[i].name);
    out_roff(out, COMMANDS[i].summary);
    out_text(out, "\n");
  }
  out_text(out, ".SH EXIT STATUS\n");
  out_roff_block(out, EXIT_CODES);
  out_text(out, ".SH SEE ALSO\n.BR linkwork-COMMAND (1),\n.B linkwork help \\fICOMMAND\n");
}

static void man_page(Out* out, const Command* about)
{
  if (about)
    man_command(out, about);
  else
    man_program(out);
}

// --- docs/commands.md

// A cell of a table: bars end it.
static void out_cell_text(Out* out, const char* text)
{
  for (; *text; ++text)
  {
    if (*text == '|' || *text == '<') out_text(out, "\\");
    out_bytes(out, text, 1);
  }
}

static void markdown_command(Out* out, const Command* command)
{
  const char* sections[SECTIONS];
  out_format(out, "\n## %s\n\n%s: `linkwork %s", command->name, command->summary, command->name);
  out_operand(out, command);
  out_text(out, " [options]`\n\n| option | what it does |\n|---|---|\n");
  for (int i = 0; i < OPTION_COUNT; ++i)
  {
    if (!(command_options(command) >> i & 1)) continue;
    const char* argument = option_argument(command, (Option)i);
    out_text(out, "| ");
    if (OPTION_LETTERS[i]) out_format(out, "`-%c`, ", OPTION_LETTERS[i]);
    out_format(out, "`%s%s%s` | ", OPTIONS[i].name, argument ? " " : "", argument ? argument : "");
    out_cell_text(out, option_help(command, (Option)i));
    out_text(out, " |\n");
  }
  out_text(out, "\n```text\n");
  int count = help_sections(command, sections);
  for (int i = 0; i < (count < 1 ? count : 1); ++i) out_text(out, sections[i]);
  out_format(out, "```\n\nExample: `%s`\n", command->example);
}

static void markdown_page(Out* out, const Command* about)
{
  if (about) return markdown_command(out, about);
  out_text(out, "# The commands\n\n"
                "Made by `linkwork help --as markdown` from the table of commands; do not edit it. "
                "[program.md](program.md) explains states, names, frames and\n"
                "joints that several commands share.\n\n| command | what it does |\n|---|---|\n");
  for (int i = 0; i < COMMAND_COUNT; ++i)
  {
    char anchor[64];
    dashed(COMMANDS[i].name, anchor);
    out_format(out, "| [`%s`](#%s) | %s |\n", COMMANDS[i].name, anchor, COMMANDS[i].summary);
  }
  out_format(out, "\n```text\n%s```\n\nExit codes:\n\n```text\n%s```\n", CONVENTIONS, EXIT_CODES);
  for (int i = 0; i < COMMAND_COUNT; ++i) markdown_command(out, &COMMANDS[i]);
}

// --- completion

static void out_command_options(Out* out, const Command* command)
{
  bool first = true;
  for (int i = 0; i < OPTION_COUNT; ++i)
  {
    if (!(command_options(command) >> i & 1)) continue;
    out_format(out, "%s%s", first ? "" : " ", OPTIONS[i].name);
    first = false;
  }
}

// The words that may follow `prefix`: "" for the commands, "snake" for its own.
static void out_words(Out* out, const char* prefix)
{
  size_t length = strlen(prefix);
  bool first    = true;
  for (int i = 0; i < COMMAND_COUNT; ++i)
  {
    const char* name = COMMANDS[i].name;
    if (length > 0 && (strncmp(name, prefix, length) != 0 || name[length] != ' ')) continue;
    if (length > 0) name += length + 1;
    if (strchr(name, ' ')) continue;
    out_format(out, "%s%s", first ? "" : " ", name);
    first = false;
  }
}

static void bash_completion(Out* out, const Command* about)
{
  (void)about;
  out_text(out, "# bash completion for linkwork, made by 'linkwork help --as bash'\n"
                "_linkwork()\n{\n"
                "  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options\n"
                "  COMPREPLY=()\n"
                "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                "    COMPREPLY=($(compgen -W \"");
  out_words(out, "");
  out_text(out, " --help --version\" -- \"$word\"))\n    return\n  fi\n"
                "  if [ \"$command\" = snake ]; then\n"
                "    if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
                "      COMPREPLY=($(compgen -W \"");
  out_words(out, "snake");
  out_text(out, "\" -- \"$word\"))\n      return\n    fi\n"
                "    command=\"snake ${COMP_WORDS[2]}\"\n  fi\n"
                "  case $command in\n");
  for (int i = 0; i < COMMAND_COUNT; ++i)
  {
    out_format(out, "    '%s') options='", COMMANDS[i].name);
    out_command_options(out, &COMMANDS[i]);
    out_text(out, "' ;;\n");
  }
  out_text(out, "  esac\n"
                "  case $word in\n"
                "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                "    *) [ \"$command\" = help ] && COMPREPLY=($(compgen -W \"");
  out_words(out, "");
  out_text(out, "\" -- \"$word\")) || COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
                "  esac\n}\n"
                "complete -o filenames -F _linkwork linkwork\n");
}

// Text within single quotes.
static void out_single_quoted(Out* out, const char* text, const char* also)
{
  for (; *text; ++text)
  {
    if (*text == '\'')
      out_text(out, "'\\''");
    else
    {
      if (strchr(also, *text)) out_text(out, "\\");
      out_bytes(out, text, 1);
    }
  }
}

static void zsh_options(Out* out, const Command* command)
{
  out_format(out, "    '%s')\n      _arguments -s \\\n", command->name);
  for (int i = 0; i < OPTION_COUNT; ++i)
  {
    if (!(command_options(command) >> i & 1)) continue;
    const char* argument = option_argument(command, (Option)i);
    bool file            = argument && (!strcmp(argument, "FILE") || !strcmp(argument, "DIR"));
    out_format(out, "        '%s[", OPTIONS[i].name);
    out_single_quoted(out, option_help(command, (Option)i), "[]\\");
    out_text(out, "]");
    if (argument) out_format(out, ":%s:%s", argument, file ? "_files" : "");
    out_text(out, "' \\\n");
  }
  out_text(out, "        '*:file:_files' ;;\n");
}

static void zsh_completion(Out* out, const Command* about)
{
  (void)about;
  out_text(out,
           "#compdef linkwork\n# zsh completion for linkwork, made by 'linkwork help --as zsh'\n"
           "_linkwork()\n{\n  local command=${words[2]}\n"
           "  if (( CURRENT == 2 )); then\n    local -a commands=(\n");
  for (int i = 0; i < COMMAND_COUNT; ++i)
  {
    if (strchr(COMMANDS[i].name, ' ')) continue;
    out_format(out, "      '%s:", COMMANDS[i].name);
    out_single_quoted(out, COMMANDS[i].summary, ":\\");
    out_text(out, "'\n");
  }
  out_text(out, "    )\n    _describe command commands\n    return\n  fi\n"
                "  if [[ $command == snake ]]; then\n"
                "    if (( CURRENT == 3 )); then\n      compadd ");
  out_words(out, "snake");
  out_text(out,
           "\n      return\n    fi\n    command=\"snake ${words[3]}\"\n    shift words\n"
           "    (( CURRENT-- ))\n  fi\n  shift words\n  (( CURRENT-- ))\n  case $command in\n");
  for (int i = 0; i < COMMAND_COUNT; ++i) zsh_options(out, &COMMANDS[i]);
  out_text(out, "  esac\n}\n[ \"$funcstack[1]\" = _linkwork ] && _linkwork \"$@\" || "
                "compdef _linkwork linkwork\n");
}

// Text within the single quotes of fish, where a backslash hides a quote.
static void out_fish_quoted(Out* out, const char* text)
{
  for (; *text; ++text)
  {
    if (*text == '\'' || *text == '\\') out_text(out, "\\");
    out_bytes(out, text, 1);
  }
}

static void fish_options(Out* out, const Command* command)
{
  const char* second = strchr(command->name, ' ');
  for (int i = 0; i < OPTION_COUNT; ++i)
  {
    if (!(command_options(command) >> i & 1)) continue;
    const char* argument = option_argument(command, (Option)i);
    if (second)
      out_format(out,
                 "complete -c linkwork -n '__fish_seen_subcommand_from snake; and "
                 "__fish_seen_subcommand_from %s'",
                 second + 1);
    else
      out_format(out,
                 "complete -c linkwork -n '__fish_seen_subcommand_from %s; and not "
                 "__fish_seen_subcommand_from snake'",
                 command->name);
    out_format(out, " -l %s", OPTIONS[i].name + 2);
    if (OPTION_LETTERS[i]) out_format(out, " -s %c", OPTION_LETTERS[i]);
    if (argument) out_text(out, " -r");
    out_text(out, " -d '");
    out_fish_quoted(out, option_help(command, (Option)i));
    out_text(out, "'\n");
  }
}

static void fish_completion(Out* out, const Command* about)
{
  (void)about;
  out_text(out, "# fish completion for linkwork, made by 'linkwork help --as fish'\n");
  for (int i = 0; i < COMMAND_COUNT; ++i)
  {
    const char* second = strchr(COMMANDS[i].name, ' ');
    out_format(out, "complete -c linkwork -n '%s' -a %s -d '",
               second ? "__fish_seen_subcommand_from snake" : "__fish_use_subcommand",
               second ? second + 1 : COMMANDS[i].name);
    out_fish_quoted(out, COMMANDS[i].summary);
    out_text(out, "'\n");
  }
  out_text(out, "complete -c linkwork -f -n '__fish_seen_subcommand_from help' -a '");
  out_words(out, "");
  out_text(out, "'\n");
  for (int i = 0; i < COMMAND_COUNT; ++i) fish_options(out, &COMMANDS[i]);
}

// ---

int manual_print(const char* form, const Command* about)
{
  static const struct
  {
    const char* name;
    void (*print)(Out*, const Command*);
  } forms[] = {{"man", man_page},
               {"markdown", markdown_page},
               {"bash", bash_completion},
               {"zsh", zsh_completion},
               {"fish", fish_completion}};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i)
  {
    if (strcmp(form, forms[i].name) != 0) continue;
    Out out;
    out_open(&out, NULL);
    forms[i].print(&out, about);
    return out_close(&out, DONE, true);
  }
  return fail(USAGE, "--as: unknown form '%s'; expected man, markdown, bash, zsh or fish", form);
}
