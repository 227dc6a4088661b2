// SPDX-License-Identifier: MIT
// Lines from a terminal, with editing, history and completion by
// libedit if it was found at build time.
#include "shell.h"

#ifdef LINKWORK_LIBEDIT

#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/run_loop.h"

static const int HISTORY_LINES = 1000;

static EditLine* editor;
static History* past;
static const char* shown;  // the prompt
static bool asks_file;     // the line is the name of a file

static char* prompt_of(EditLine* e)
{
  (void)e;
  return (char*)shown;
}

static const char* completion_candidate(int i)
{
  if (i < SHELL_COMMAND_COUNT) return SHELL_COMMANDS[i].name;
  i -= SHELL_COMMAND_COUNT;
  if (i < SHELL_VARIABLE_COUNT) return SHELL_VARIABLES[i].name;
  i -= SHELL_VARIABLE_COUNT;
  for (int k = 0; k < COMMAND_COUNT; ++k)
    if (shell_runs_program(&COMMANDS[k]) && i-- == 0) return COMMANDS[k].name;
  return NULL;
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

// Names of commands and variables first and behind "help"; names of files elsewhere,
// and where one is asked for.
static unsigned char complete_word(EditLine* e, int key)
{
  char common[64]      = "";
  const LineInfo* line = el_line(e);
  const char* word     = line->cursor;
  while (word > line->buffer && word[-1] != ' ' && word[-1] != '=') --word;
  bool first  = word == line->buffer;
  bool helped = line->cursor - line->buffer >= 5 && !strncmp(line->buffer, "help ", 5);
  if (asks_file || (!first && !helped)) return _el_fn_complete(e, key);
  size_t length = (size_t)(line->cursor - word);
  int count     = common_start(word, length, common);
  if (count == 0) return CC_ERROR;
  if (count > 1 && strlen(common) == length)
  {
    fputc('\n', stdout);
    for (int i = 0; completion_candidate(i); ++i)
      if (!strncmp(completion_candidate(i), word, length))
        printf("  %s\n", completion_candidate(i));
    fflush(stdout);
    return CC_REDISPLAY;
  }
  if (count == 1) strcat(common, " ");
  return el_insertstr(e, common + length) == 0 ? CC_REFRESH : CC_ERROR;
}

// --- history, kept between sessions

// Where it is kept: LINKWORK_HISTORY, or linkwork/history in the folder for states. The caller
// frees it; NULL: nowhere.
static char* history_path(void)
{
  const char* own   = getenv("LINKWORK_HISTORY");
  const char* state = getenv("XDG_STATE_HOME");
  const char* home  = getenv("HOME");
  if (own) return *own ? strdup(own) : NULL;
  if (state && *state == '/') return text_joined(state, "/linkwork/history");
  return home && *home ? text_joined(home, "/.local/state/linkwork/history") : NULL;
}

// Makes the folders above a file, for the owner alone.
static void make_folders(char* path)
{
  for (char* s = strchr(path + 1, '/'); s; s = strchr(s + 1, '/'))
  {
    *s = 0;
    mkdir(path, 0700);
    *s = '/';
  }
}

// Written aside, then renamed: two sessions that end at once leave one whole file. It can be read
// by its owner only.
static void keep_history(void)
{
  HistEvent event;
  char* path  = past ? history_path() : NULL;
  char* aside = path ? text_joined(path, ".XXXXXX") : NULL;
  if (aside) make_folders(path);
  int file = aside ? mkstemp(aside) : -1;  // mode 0600
  if (file >= 0)
  {
    close(file);
    if (history(past, &event, H_SAVE, aside) < 0 || chmod(aside, 0600) != 0 ||
        rename(aside, path) != 0)
      unlink(aside);
  }
  free(aside);
  free(path);
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
  char* path = history_path();
  if (path) history(past, &event, H_LOAD, path);
  free(path);
  return true;
}

char* edit_line(const char* prompt, bool files)
{
  HistEvent event;
  int count = 0;
  shown     = prompt;
  asks_file = files;
  if (!editor && !edit_begin()) return NULL;
  const char* typed = el_gets(editor, &count);
  if (!typed && run_loop_stop) return strdup("");  // Ctrl-C drops the line
  if (!typed || count <= 0) return NULL;
  char* line = strdup(typed);
  if (!line) return NULL;
  line[strcspn(line, "\r\n")] = 0;
  if (line[0]) history(past, &event, H_ENTER, typed);
  return line;
}

void edit_end(void)
{
  keep_history();
  if (past) history_end(past);
  if (editor) el_end(editor);
  past   = NULL;
  editor = NULL;
}

#else

char* edit_line(const char* prompt, bool files)
{
  (void)files;
  (void)prompt;
  return NULL;
}

void edit_end(void)
{
}

#endif
