// SPDX-License-Identifier: MIT
#include "report/manual_writer.h"

#include <stdio.h>
#include <string.h>

#include "linkwork/base.h"

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

static void out_operand(lwOut* out, const lwManualCommand* command)
{
  if (!command->operand) return;
  lw_out_format(out, command->operand_needed ? " %s" : " [%s]", command->operand);
}

// --- man pages

// Escapes text for a man page: dots and quotes that begin a line, backslashes and dashes.
static void out_roff(lwOut* out, const char* text)
{
  for (bool start = true; *text; start = *text++ == '\n')
  {
    if (start && (*text == '.' || *text == '\'')) lw_out_text(out, "\\&");
    lw_out_text(out, *text == '\\' ? "\\e" : *text == '-' ? "\\-" : (const char[]){*text, 0});
  }
}

static void out_roff_block(lwOut* out, const char* text)
{
  lw_out_text(out, ".PP\n.nf\n");
  out_roff(out, text);
  lw_out_text(out, ".fi\n");
}

static void out_roff_head(lwOut* out, const char* page, const char* summary)
{
  lw_out_format(out, ".TH \"%s\" 1 \"\" \"linkwork %s\" \"linkwork\"\n.SH NAME\n", page,
                lw_version());
  out_roff(out, page);
  lw_out_text(out, " \\- ");
  out_roff(out, summary);
  lw_out_text(out, "\n");
}

static void man_command(lwOut* out, const lwManual* manual, const lwManualCommand* command)
{
  char name[64], page[80];
  dashed(command->name, name);
  snprintf(page, sizeof page, "linkwork-%s", name);
  out_roff_head(out, page, command->summary);
  lw_out_format(out, ".SH SYNOPSIS\n.B linkwork %s\n", command->name);
  lw_out_text(out, "\\fR");
  out_operand(out, command);
  lw_out_text(out, " [options]\n.SH OPTIONS\n");
  for (int i = 0; i < command->options; ++i)
  {
    const lwManualOption* option = &command->option[i];
    const char* argument         = option->argument;
    lw_out_text(out, ".TP\n.B ");
    if (option->letter) lw_out_format(out, "\\-%c, ", option->letter);
    out_roff(out, option->name);
    if (argument) lw_out_format(out, " \\fI%s\\fR", argument);
    lw_out_text(out, "\n");
    out_roff(out, option->help);
    lw_out_text(out, "\n");
  }
  lw_out_text(out, ".SH DESCRIPTION\n");
  for (int i = 0; i < command->sections; ++i) out_roff_block(out, command->section[i]);
  lw_out_text(out, ".SH EXIT STATUS\n");
  out_roff_block(out, manual->exit_codes);
  lw_out_text(out, ".SH EXAMPLE\n");
  out_roff_block(out, command->example);
  lw_out_text(out, "\n.SH SEE ALSO\n.BR linkwork (1)\n");
}

static void man_page(lwOut* out, const lwManual* manual, const lwManualCommand* about)
{
  if (about) return man_command(out, manual, about);
  out_roff_head(out, "linkwork", "dynamics of robot arms and snake robots");
  lw_out_text(out, ".SH SYNOPSIS\n.B linkwork\n\\fICOMMAND\\fR [\\fIROBOT\\fR] [options]\n"
                   ".SH DESCRIPTION\n");
  out_roff(out, WHAT);
  lw_out_text(out, ".PP\n");
  out_roff(out, manual->conventions);
  lw_out_text(out, ".SH COMMANDS\n");
  for (int i = 0; i < manual->count; ++i)
  {
    lw_out_format(out, ".TP\n.B %s\n", manual->command[i].name);
    out_roff(out, manual->command[i].summary);
    lw_out_text(out, "\n");
  }
  lw_out_text(out, ".SH EXIT STATUS\n");
  out_roff_block(out, manual->exit_codes);
  lw_out_text(out, ".SH SEE ALSO\n.BR linkwork-COMMAND (1),\n.B linkwork help \\fICOMMAND\n");
}

// --- docs/commands.md

static void markdown_command(lwOut* out, const lwManualCommand* command)
{
  lw_out_format(out, "\n## %s\n\n%s: `linkwork %s", command->name, command->summary, command->name);
  out_operand(out, command);
  lw_out_text(out, " [options]`\n\n| option | what it does |\n|---|---|\n");
  for (int i = 0; i < command->options; ++i)
  {
    const lwManualOption* option = &command->option[i];
    const char* argument         = option->argument;
    lw_out_text(out, "| ");
    if (option->letter) lw_out_format(out, "`-%c`, ", option->letter);
    lw_out_format(out, "`%s%s%s` | ", option->name, argument ? " " : "", argument ? argument : "");
    lw_out_escaped(out, option->help, (const char*[]){"|\\|", "<\\<", NULL});  // bars end a cell
    lw_out_text(out, " |\n");
  }
  lw_out_text(out, "\n```text\n");
  if (command->sections > 0) lw_out_text(out, command->section[0]);
  lw_out_format(out, "```\n\nExample: `%s`\n", command->example);
}

static void markdown_page(lwOut* out, const lwManual* manual, const lwManualCommand* about)
{
  if (about) return markdown_command(out, about);
  lw_out_text(out,
              "# The commands\n\n"
              "Made by `linkwork help --as markdown` from the table of commands; do not edit it. "
              "[program.md](program.md) explains states, names, frames and\n"
              "joints that several commands share.\n\n| command | what it does |\n|---|---|\n");
  for (int i = 0; i < manual->count; ++i)
  {
    char anchor[64];
    dashed(manual->command[i].name, anchor);
    lw_out_format(out, "| [`%s`](#%s) | %s |\n", manual->command[i].name, anchor,
                  manual->command[i].summary);
  }
  lw_out_format(out, "\n```text\n%s```\n\nExit codes:\n\n```text\n%s```\n", manual->conventions,
                manual->exit_codes);
  for (int i = 0; i < manual->count; ++i) markdown_command(out, &manual->command[i]);
}

// --- completion

// The words that may follow `prefix`: "" for the commands, "snake" for its own.
static void out_words(lwOut* out, const lwManual* manual, const char* prefix)
{
  size_t length = strlen(prefix);
  bool first    = true;
  for (int i = 0; i < manual->count; ++i)
  {
    const char* name = manual->command[i].name;
    if (length > 0 && (strncmp(name, prefix, length) != 0 || name[length] != ' ')) continue;
    if (length > 0) name += length + 1;
    if (strchr(name, ' ')) continue;
    lw_out_format(out, "%s%s", first ? "" : " ", name);
    first = false;
  }
}

static void bash_completion(lwOut* out, const lwManual* manual, const lwManualCommand* about)
{
  (void)about;
  lw_out_text(out, "# bash completion for linkwork, made by 'linkwork help --as bash'\n"
                   "_linkwork()\n{\n"
                   "  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options\n"
                   "  COMPREPLY=()\n"
                   "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                   "    COMPREPLY=($(compgen -W \"");
  out_words(out, manual, "");
  lw_out_text(out, " --help --version\" -- \"$word\"))\n    return\n  fi\n"
                   "  if [ \"$command\" = snake ]; then\n"
                   "    if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
                   "      COMPREPLY=($(compgen -W \"");
  out_words(out, manual, "snake");
  lw_out_text(out, "\" -- \"$word\"))\n      return\n    fi\n"
                   "    command=\"snake ${COMP_WORDS[2]}\"\n  fi\n"
                   "  case $command in\n");
  for (int i = 0; i < manual->count; ++i)
  {
    lw_out_format(out, "    '%s') options='", manual->command[i].name);
    for (int k = 0; k < manual->command[i].options; ++k)
      lw_out_format(out, "%s%s", k > 0 ? " " : "", manual->command[i].option[k].name);
    lw_out_text(out, "' ;;\n");
  }
  lw_out_text(out, "  esac\n"
                   "  case $word in\n"
                   "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                   "    *) [ \"$command\" = help ] && COMPREPLY=($(compgen -W \"");
  out_words(out, manual, "");
  lw_out_text(out, "\" -- \"$word\")) || COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
                   "  esac\n}\n"
                   "complete -o filenames -F _linkwork linkwork\n");
}

static void zsh_options(lwOut* out, const lwManualCommand* command)
{
  lw_out_format(out, "    '%s')\n      _arguments -s \\\n", command->name);
  for (int i = 0; i < command->options; ++i)
  {
    const lwManualOption* option = &command->option[i];
    const char* argument         = option->argument;
    bool file = argument && (!strcmp(argument, "FILE") || !strcmp(argument, "DIR"));
    lw_out_format(out, "        '%s[", option->name);
    lw_out_escaped(out, option->help, (const char*[]){"''\\''", "[\\[", "]\\]", "\\\\\\", NULL});
    lw_out_text(out, "]");
    if (argument) lw_out_format(out, ":%s:%s", argument, file ? "_files" : "");
    lw_out_text(out, "' \\\n");
  }
  lw_out_text(out, "        '*:file:_files' ;;\n");
}

static void zsh_completion(lwOut* out, const lwManual* manual, const lwManualCommand* about)
{
  (void)about;
  lw_out_text(out,
              "#compdef linkwork\n# zsh completion for linkwork, made by 'linkwork help --as zsh'\n"
              "_linkwork()\n{\n  local command=${words[2]}\n"
              "  if (( CURRENT == 2 )); then\n    local -a commands=(\n");
  for (int i = 0; i < manual->count; ++i)
  {
    if (strchr(manual->command[i].name, ' ')) continue;
    lw_out_format(out, "      '%s:", manual->command[i].name);
    lw_out_escaped(out, manual->command[i].summary,
                   (const char*[]){"''\\''", ":\\:", "\\\\\\", NULL});
    lw_out_text(out, "'\n");
  }
  lw_out_text(out, "    )\n    _describe command commands\n    return\n  fi\n"
                   "  if [[ $command == snake ]]; then\n"
                   "    if (( CURRENT == 3 )); then\n      compadd ");
  out_words(out, manual, "snake");
  lw_out_text(out,
              "\n      return\n    fi\n    command=\"snake ${words[3]}\"\n    shift words\n"
              "    (( CURRENT-- ))\n  fi\n  shift words\n  (( CURRENT-- ))\n  case $command in\n");
  for (int i = 0; i < manual->count; ++i) zsh_options(out, &manual->command[i]);
  lw_out_text(out, "  esac\n}\n[ \"$funcstack[1]\" = _linkwork ] && _linkwork \"$@\" || "
                   "compdef _linkwork linkwork\n");
}

// Text within the single quotes of fish, where a backslash hides a quote.
static const char* const fish_escapes[] = {"'\\'", "\\\\\\", NULL};

static void fish_options(lwOut* out, const lwManualCommand* command)
{
  const char* second = strchr(command->name, ' ');
  for (int i = 0; i < command->options; ++i)
  {
    const lwManualOption* option = &command->option[i];
    const char* argument         = option->argument;
    if (second)
      lw_out_format(out,
                    "complete -c linkwork -n '__fish_seen_subcommand_from snake; and "
                    "__fish_seen_subcommand_from %s'",
                    second + 1);
    else
      lw_out_format(out,
                    "complete -c linkwork -n '__fish_seen_subcommand_from %s; and not "
                    "__fish_seen_subcommand_from snake'",
                    command->name);
    lw_out_format(out, " -l %s", option->name + 2);
    if (option->letter) lw_out_format(out, " -s %c", option->letter);
    if (argument) lw_out_text(out, " -r");
    lw_out_text(out, " -d '");
    lw_out_escaped(out, option->help, fish_escapes);
    lw_out_text(out, "'\n");
  }
}

static void fish_completion(lwOut* out, const lwManual* manual, const lwManualCommand* about)
{
  (void)about;
  lw_out_text(out, "# fish completion for linkwork, made by 'linkwork help --as fish'\n");
  for (int i = 0; i < manual->count; ++i)
  {
    const char* second = strchr(manual->command[i].name, ' ');
    lw_out_format(out, "complete -c linkwork -n '%s' -a %s -d '",
                  second ? "__fish_seen_subcommand_from snake" : "__fish_use_subcommand",
                  second ? second + 1 : manual->command[i].name);
    lw_out_escaped(out, manual->command[i].summary, fish_escapes);
    lw_out_text(out, "'\n");
  }
  lw_out_text(out, "complete -c linkwork -f -n '__fish_seen_subcommand_from help' -a '");
  out_words(out, manual, "");
  lw_out_text(out, "'\n");
  for (int i = 0; i < manual->count; ++i) fish_options(out, &manual->command[i]);
}

// ---

bool lw_manual_write(lwOut* out, const char* form, const lwManual* manual,
                     const lwManualCommand* about)
{
  static const struct
  {
    const char* name;
    void (*write)(lwOut*, const lwManual*, const lwManualCommand*);
  } forms[] = {{"man", man_page},
               {"markdown", markdown_page},
               {"bash", bash_completion},
               {"zsh", zsh_completion},
               {"fish", fish_completion}};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; ++i)
  {
    if (strcmp(form, forms[i].name) != 0) continue;
    forms[i].write(out, manual, about);
    return true;
  }
  return false;
}
