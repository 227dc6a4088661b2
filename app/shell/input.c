// SPDX-License-Identifier: MIT
// Lines, words, and answers to questions.
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "io/run_loop.h"
#include "shell.h"

// --- lines

// Without spaces around; # begins a comment at the beginning and after a space,
// for names of files may have one.
static char* strip_spaces(char* line)
{
  bool open = false;
  line      = (char*)lw_skip_spaces(line);
  for (char* s = line; *s; ++s)
  {
    open = open != (*s == '"');
    if (*s != '#' || open || (s > line && s[-1] != ' ' && s[-1] != '\t')) continue;
    *s = 0;
    break;
  }
  size_t length = strlen(line);
  while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t')) line[--length] = 0;
  return line;
}

// From a pipe, or from a terminal without editing.
static int plain_line(Shell* shell, const char* prompt, char** line)
{
  lwLines* lines = &shell->lines;
  if (shell->terminal) lw_out_text(&shell->screen, prompt);
  lw_out_flush(&shell->screen);
  lines->line = NULL;
  int status  = exit_of(lw_lines_next(lines));
  *line       = lines->line;
  if (status == DONE) return DONE;
  lines_report(lines);
  bool too_long = lines->end - lines->begin == lines->capacity;
  bool readable = too_long ? exit_of(lw_lines_skip(lines)) == DONE : *line != NULL;
  if (!readable) lines->at_end = true;
  return status;
}

#ifdef LINKWORK_LIBEDIT
static int typed_line(Shell* shell, const char* prompt, bool files, char** line)
{
  lw_out_flush(&shell->screen);
  free(shell->typed);
  *line = shell->typed = edit_line(prompt, files);
  ++shell->lines.number;
  if (!*line || run_loop_stop) lw_out_text(&shell->screen, "\n");
  return DONE;
}
#endif

int input_line(Shell* shell, const char* prompt, bool files, char** line)
{
  int status;
  if (shell->terminal)
  {
    lw_atomic_file_watch_signals(true);
    run_loop_catch_interrupt();
  }
#ifdef LINKWORK_LIBEDIT
  status =
      shell->terminal ? typed_line(shell, prompt, files, line) : plain_line(shell, prompt, line);
#else
  (void)files;
  status = plain_line(shell, prompt, line);
#endif
  if (status == DONE && *line) *line = strip_spaces(*line);
  return status;
}

// --- what is wrong

enum
{
  ERROR_TEXT = 1024
};

static void print_error(Shell* shell, const char* at, char text[ERROR_TEXT])
{
  lw_text_one_line(text);
  lw_out_flush(&shell->screen);
  bool placed = shell->line && at && at >= shell->line && at <= shell->line + shell->length;
  int column  = placed ? (int)(at - shell->line) + 1 : 1;
  if (shell->terminal)
    fprintf(stderr, "error: %s\n", text);
  else
    fprintf(stderr, "%s:%ld:%d: error: %s\n", shell->lines.name, shell->lines.number, column, text);
  shell->told = true;
}

void complain(Shell* shell, const char* at, const char* format, ...)
{
  char text[ERROR_TEXT];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  print_error(shell, at, text);
  leave(USAGE);
}

// --- words

char* word_take(Shell* shell, char** cursor)
{
  char *word = (char*)lw_skip_spaces(*cursor), *to = word, *s = word;
  bool open = false;
  *cursor   = word;
  if (!*word) return NULL;
  for (; *s && (open || (*s != ' ' && *s != '\t')); ++s)
    if (*s == '"')
      open = !open;
    else
      *to++ = *s;
  if (open) complain(shell, word, "a quote that is not closed");
  *cursor = *s ? s + 1 : s;
  *to     = 0;
  return word;
}

// --- questions

// The answer from the same input. At its end, and after Ctrl-C, the command is cancelled.
static char* read_answer(Shell* shell, int k, const char* fallback)
{
  const ShellArgument* argument = &shell->command->arguments[k];
  char prompt[300];
  char* line = NULL;
  snprintf(prompt, sizeof prompt, "%s%s%.60s%s: ", argument->question, fallback ? " [" : "",
           fallback ? fallback : "", fallback ? "]" : "");
  bool files  = !strcmp(argument->name, "file") || !strcmp(argument->name, "schedule");
  int status  = input_line(shell, prompt, files, &line);
  shell->told = shell->told || status != DONE;
  need(status);
  if (run_loop_stop) complain(shell, NULL, "'%s' is given up", shell->command->name);
  if (!line)
    complain(shell, NULL, "the input ends before '%s' knows %s", shell->command->name,
             argument->name);
  if (!shell->terminal) lw_out_format(&shell->screen, "%s%s\n", prompt, line);
  return text_copy(line);
}

const char* ask(Shell* shell, int k, const char* fallback)
{
  if (shell->given[k]) return shell->given[k];
  char* cursor = read_answer(shell, k, fallback);
  if (!*cursor && fallback) return fallback;
  char* answer = word_take(shell, &cursor);
  if (!answer || *lw_skip_spaces(cursor))
    complain(shell, NULL, "%s: expected one answer", shell->command->arguments[k].name);
  return answer;
}

const char* ask_file(Shell* shell, int k, const char* fallback)
{
  while (true)
  {
    struct stat found;
    bool asked       = !shell->given[k];
    const char* path = ask(shell, k, fallback);
    if (path == fallback || !strcmp(path, fallback ? fallback : "") || !strcmp(path, "-"))
      return path;
    bool folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    if (!folder && access(path, R_OK) == 0) return path;
    if (!asked && !shell->terminal) return path;  // a script: the reader says what is wrong
    char text[ERROR_TEXT];
    snprintf(text, sizeof text, "cannot read %s: %s", path,
             folder ? "it is a folder" : strerror(errno));
    print_error(shell, path, text);
    shell->given[k] = NULL;
  }
}

bool ask_yes(Shell* shell, int k, bool fallback)
{
  const char* text = ask(shell, k, fallback ? "yes" : "no");
  if (strncmp("yes", text, strlen(text)) != 0 && strncmp("no", text, strlen(text)) != 0)
    complain(shell, text, "%s: unknown answer '%s'; expected yes or no",
             shell->command->arguments[k].name, text);
  return text[0] == 'y';
}

double ask_number(Shell* shell, int k, double least, double fallback)
{
  char shown[LW_NUMBER_SIZE];
  snprintf(shown, sizeof shown, "%.9g", fallback);
  double value     = fallback;
  const char* text = ask(shell, k, shown);
  const char* end  = text;
  if (text == shown) return fallback;
  bool number = lw_number_read(&end, &value) && !*end && isfinite(value);
  if (!number || !(least == 0 ? value > 0 : value >= least))
    complain(shell, text, "%s: '%s' is wrong, expected a %snumber",
             shell->command->arguments[k].name, text, least == 0 ? "positive " : "");
  return value;
}
