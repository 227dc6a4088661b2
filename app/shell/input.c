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
#include "io/program_text.h"
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

int complain(Shell* shell, const char* at, const char* format, ...)
{
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  lw_text_one_line(text);
  lw_out_flush(&shell->screen);
  bool placed = shell->line && at && at >= shell->line && at <= shell->line + shell->length;
  int column  = placed ? (int)(at - shell->line) + 1 : 1;
  if (shell->terminal)
    fprintf(stderr, "error: %s\n", text);
  else
    fprintf(stderr, "%s:%ld:%d: error: %s\n", shell->lines.name, shell->lines.number, column, text);
  shell->told = true;
  return USAGE;
}

// --- words

char* word_take(char** cursor)
{
  char* word = *cursor;
  char* to   = word;
  bool open  = false;
  char* s    = word;
  for (; *s && (open || (*s != ' ' && *s != '\t')); ++s)
    if (*s == '"')
      open = !open;
    else
      *to++ = *s;
  if (open) return NULL;
  *cursor = *s ? s + 1 : s;
  *to     = 0;
  return word;
}

// --- questions

// The answer from the same input. At its end, and after Ctrl-C, the command is cancelled.
static int read_answer(Shell* shell, int k, const char* fallback)
{
  char prompt[300];
  char* line = NULL;
  snprintf(prompt, sizeof prompt, "%s%s%.60s%s: ", shell->command->arguments[k].question,
           fallback ? " [" : "", fallback ? fallback : "", fallback ? "]" : "");
  const char* name = shell->command->arguments[k].name;
  bool files       = !strcmp(name, "file") || !strcmp(name, "schedule");
  int status       = input_line(shell, prompt, files, &line);
  if (status != DONE)
  {
    shell->told = true;
    return status;
  }
  if (run_loop_stop) return complain(shell, NULL, "'%s' is given up", shell->command->name);
  if (!line)
    return complain(shell, NULL, "the input ends before '%s' knows %s", shell->command->name,
                    shell->command->arguments[k].name);
  if (!shell->terminal) lw_out_format(&shell->screen, "%s%s\n", prompt, line);
  shell->answers[k] = strdup(line);
  return shell->answers[k] ? DONE : no_memory();
}

int ask(Shell* shell, int k, const char* fallback, const char** text)
{
  *text = shell->given[k];
  if (*text) return DONE;
  int status = read_answer(shell, k, fallback);
  if (status != DONE) return status;
  char* cursor = shell->answers[k];
  *text        = *cursor ? word_take(&cursor) : fallback;
  if (*text && !*lw_skip_spaces(*text == fallback ? "" : cursor)) return DONE;
  return complain(shell, NULL, "%s: expected one answer", shell->command->arguments[k].name);
}

int ask_file(Shell* shell, int k, const char* fallback, const char** path)
{
  while (true)
  {
    struct stat found;
    bool asked = !shell->given[k];
    int status = ask(shell, k, fallback, path);
    bool none  = status == DONE && *path == fallback;
    if (status != DONE || none || !strcmp(*path, fallback ? fallback : "") || !strcmp(*path, "-"))
      return status;
    bool folder = stat(*path, &found) == 0 && S_ISDIR(found.st_mode);
    if (!folder && access(*path, R_OK) == 0) return DONE;
    if (!asked && !shell->terminal) return DONE;  // a script: the reader says what is wrong
    complain(shell, *path, "cannot read %s: %s", *path,
             folder ? "it is a folder" : strerror(errno));
    free(shell->answers[k]);
    shell->answers[k] = NULL;
    shell->given[k]   = NULL;
  }
}

int ask_yes(Shell* shell, int k, bool fallback, bool* yes)
{
  const char* text;
  int status = ask(shell, k, fallback ? "yes" : "no", &text);
  if (status != DONE) return status;
  *yes = text[0] == 'y';
  if (!strncmp("yes", text, strlen(text)) || !strncmp("no", text, strlen(text))) return DONE;
  return complain(shell, text, "%s: unknown answer '%s'; expected yes or no",
                  shell->command->arguments[k].name, text);
}

int ask_number(Shell* shell, int k, double least, double fallback, double* value)
{
  const char* text;
  char shown[LW_NUMBER_SIZE];
  snprintf(shown, sizeof shown, "%.9g", fallback);
  int status = ask(shell, k, shown, &text);
  if (status != DONE) return status;
  if (text == shown)
  {
    *value = fallback;
    return DONE;
  }
  const char* end = text;
  bool number     = lw_number_read(&end, value) && !*end && isfinite(*value);
  if (number && (least == 0 ? *value > 0 : *value >= least)) return DONE;
  return complain(shell, text, "%s: '%s' is wrong, expected a %snumber",
                  shell->command->arguments[k].name, text, least == 0 ? "positive " : "");
}
