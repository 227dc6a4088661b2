// SPDX-License-Identifier: MIT
// Lines from a terminal: editing, history and completion by libedit, where it was there at build time.
#include "shell.h"

#ifdef LINKWORK_LIBEDIT

#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/course.h"

enum
{
  HISTORY_LINES = 1000
};

static EditLine* editor;
static History* past;
static const char* shown;  // the prompt

static char* prompt_of(EditLine* e)
{
  (void)e;
  return (char*)shown;
}

static const char* completion_candidate(int i)
{
  if (i < SHELL_COMMAND_COUNT) return SHELL_COMMANDS[i].name;
  i -= SHELL_COMMAND_COUNT;
  return i < SHELL_VARIABLE_COUNT ? SHELL_VARIABLES[i].name : NULL;
}

// What all names that begin with the word have in common; how many there are.
static int common_start(const char* word, size_t length, char common[64])
{
  int count = 0;
  for (int i = 0; completion_candidate(i); ++i)
  {
    if (strncmp(completion_candidate(i), word, length) != 0) continue;
    size_t same = 0;
    if (count++ == 0) snprintf(common, 64, "%s", completion_candidate(i));
    while (common[same] && common[same] == completion_candidate(i)[same]) ++same;
    common[same] = 0;
  }
  return count;
}

static void list_candidates(const char* word, size_t length)
{
  fputc('\n', stdout);
  for (int i = 0; completion_candidate(i); ++i)
    if (!strncmp(completion_candidate(i), word, length)) printf("  %s\n", completion_candidate(i));
  fflush(stdout);
}

// Names of commands and variables first and behind "help", names of files elsewhere.
static unsigned char complete_word(EditLine* e, int key)
{
  char common[64]      = "";
  const LineInfo* line = el_line(e);
  const char* word     = line->cursor;
  while (word > line->buffer && word[-1] != ' ' && word[-1] != '=') --word;
  bool first  = word == line->buffer;
  bool helped = line->cursor - line->buffer >= 5 && !strncmp(line->buffer, "help ", 5);
  if (!first && !helped) return _el_fn_complete(e, key);
  size_t length = (size_t)(line->cursor - word);
  int count     = common_start(word, length, common);
  if (count == 0) return CC_ERROR;
  if (count > 1 && strlen(common) == length)
  {
    list_candidates(word, length);
    return CC_REDISPLAY;
  }
  if (count == 1) strcat(common, " ");
  return el_insertstr(e, common + length) == 0 ? CC_REFRESH : CC_ERROR;
}

static bool edit_begin(void)
{
  HistEvent event;
  editor = el_init("linkwork", stdin, stdout, stderr);
  past   = history_init();
  if (!editor || !past) return false;
  history(past, &event, H_SETSIZE, HISTORY_LINES);
  history(past, &event, H_SETUNIQUE, 1);
  el_set(editor, EL_PROMPT, prompt_of);
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_HIST, history, past);
  el_set(editor, EL_SIGNAL, 1);
  el_set(editor, EL_ADDFN, "linkwork-complete", "complete a name", complete_word);
  el_set(editor, EL_BIND, "^I", "linkwork-complete", NULL);
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_source(editor, NULL);
  return true;
}

char* edit_line(const char* prompt)
{
  HistEvent event;
  int count = 0;
  shown     = prompt;
  if (!editor && !edit_begin()) return NULL;
  const char* typed = el_gets(editor, &count);
  if (!typed && course_stop) return strdup("");  // Ctrl-C drops the line
  if (!typed || count <= 0) return NULL;
  char* line = strdup(typed);
  if (!line) return NULL;
  line[strcspn(line, "\r\n")] = 0;
  if (line[0]) history(past, &event, H_ENTER, typed);
  return line;
}

void edit_end(void)
{
  if (past) history_end(past);
  if (editor) el_end(editor);
  past   = NULL;
  editor = NULL;
}

#else

char* edit_line(const char* prompt)
{
  (void)prompt;
  return NULL;
}

void edit_end(void)
{
}

#endif
