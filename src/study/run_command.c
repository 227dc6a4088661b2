// SPDX-License-Identifier: MIT
// Runs a program that writes CSV, with the values of a sample among its arguments.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "read/csv_series.h"
#include "study/study_internal.h"

extern char** environ;

enum
{
  MOST_OUTPUT = 64 << 20,  // bytes
  MOST_SAID   = 120        // of what it says about its failure
};

typedef struct CommandJob
{
  lwTextFile file;  // {file} in the words; root NULL: none
  int words;
  const char** word;  // (words)
} CommandJob;

typedef struct CommandOwn
{
  char path[64];  // of the file of a sample; "": none yet
  int said;  // descriptor of a file without a name, for what a command writes to stderr; -1: none
} CommandOwn;

// --- reading

typedef struct CommandText
{
  lwNode *words, *columns;
  const char* file;
  lwPlace places[2];
} CommandText;

static const lwKey command_keys[] = {
    {.name     = "words",
     .kind     = LW_VALUE_NODE,
     .required = true,
     .offset   = offsetof(CommandText, words)},
    {.name     = "columns",
     .kind     = LW_VALUE_NODE,
     .required = true,
     .offset   = offsetof(CommandText, columns)},
    {.name = "file", .kind = LW_VALUE_NAME, .offset = offsetof(CommandText, file), .slot = 1},
};
static const lwTable command_table = LW_TABLE("a command", command_keys);

static const char* list_word(lwStudyReader* reader, const char* name, const lwNode* node)
{
  lwKey key        = {.name = name, .kind = LW_VALUE_TEXT};
  const char* text = lw_node_text(&reader->document, node, &key);
  return text ? lw_study_copy(reader, text) : NULL;
}

static bool is_list(lwStudyReader* reader, const char* name, const lwNode* node)
{
  if (node->kind == LW_NODE_LIST && node->count > 0) return true;
  lw_document_error(&reader->document, node->place, NULL, "'%s' must be a list", name);
  return false;
}

static void read_command(lwStudyReader* reader, lwNode* node)
{
  CommandText text = {0};
  if (!lw_document_fill(&reader->document, node, &command_table, &text, text.places)) return;
  CommandJob* job = lw_study_take(reader, 1, sizeof *job);
  if (!job || !is_list(reader, "words", text.words) || !is_list(reader, "columns", text.columns))
    return;
  job->word = lw_study_take(reader, (size_t)text.words->count + 1, sizeof *job->word);
  if (!job->word) return;
  for (const lwItem* item = text.words->items; item; item = item->next)
    job->word[job->words++] = list_word(reader, "words", item->value);
  for (const lwItem* item = text.columns->items; item; item = item->next)
  {
    const char* name = list_word(reader, "columns", item->value);
    if (name && strcmp(name, "t") != 0) lw_study_column(reader, name);
  }
  if (text.file)
    lw_study_text_file(reader, lw_study_path(reader, text.file), text.places[1], &job->file);
  reader->study->job = job;
}

// --- words of a sample

static const char* name_value(const lwStudy* study, const CommandOwn* own, const lwStudyRow* row,
                              const char* name, size_t length, char number[LW_NUMBER_SIZE])
{
  if (length == 4 && !strncmp(name, "file", 4)) return own->path;
  for (int i = 0; i < study->parameter_count; ++i)
  {
    const char* known = study->parameters[i].name;
    if (strlen(known) != length || strncmp(known, name, length) != 0) continue;
    lw_number_write(lw_row_numbers(row)[i], number);
    return number;
  }
  return NULL;
}

// The word with the value of every {NAME}; to be freed. NULL: out of memory.
static char* filled_word(const lwStudy* study, const CommandOwn* own, const lwStudyRow* row,
                         const char* word)
{
  char* text  = NULL;
  size_t size = 0;
  FILE* file  = open_memstream(&text, &size);
  if (!file) return NULL;
  while (*word)
  {
    char number[LW_NUMBER_SIZE];
    const char* close = *word == '{' ? strchr(word, '}') : NULL;
    const char* value =
        close ? name_value(study, own, row, word + 1, (size_t)(close - word - 1), number) : NULL;
    if (value)
      fputs(value, file);
    else
      fputc(*word, file);
    word = value ? close + 1 : word + 1;
  }
  if (fclose(file) != 0)
  {
    free(text);
    return NULL;
  }
  return text;
}

static void free_words(char** words)
{
  for (int i = 0; words && words[i]; ++i) free(words[i]);
  free(words);
}

// NULL: out of memory.
static char** filled_words(const lwStudy* study, const CommandOwn* own, const lwStudyRow* row)
{
  const CommandJob* job = study->job;
  char** words          = calloc((size_t)job->words + 1, sizeof *words);
  for (int i = 0; words && i < job->words; ++i)
  {
    words[i] = filled_word(study, own, row, job->word[i]);
    if (words[i]) continue;
    free_words(words);
    return NULL;
  }
  return words;
}

static bool write_own_file(lwStudyWorker* worker, const lwStudyRow* row)
{
  const CommandJob* job = worker->study->job;
  CommandOwn* own       = worker->own;
  size_t length;
  if (!job->file.root) return true;
  char* text = lw_study_patched_text(worker->study, &job->file, lw_row_numbers(row), &length);
  if (!text) return false;
  bool made = own->path[0] != 0;
  if (!made) snprintf(own->path, sizeof own->path, "/tmp/linkwork-study-XXXXXX.yaml");
  int number   = made ? -1 : mkstemps(own->path, 5);
  FILE* file   = made ? fopen(own->path, "w") : number >= 0 ? fdopen(number, "w") : NULL;
  bool written = file && fwrite(text, 1, length, file) == length;
  if (file) written = fclose(file) == 0 && written;
  free(text);
  return written;
}

// --- the program

static char* read_pipe(int from, size_t* length)
{
  size_t room = 1 << 16, size = 0;
  char* text  = malloc(room);
  ssize_t got = 1;
  while (text && got > 0)
  {
    if (size + 1 >= room)
    {
      char* larger = room < MOST_OUTPUT ? realloc(text, 2 * room) : NULL;
      if (!larger) break;
      text = larger;
      room *= 2;
    }
    got = read(from, text + size, room - size - 1);
    if (got < 0 && errno == EINTR)
      got = 1;
    else if (got > 0)
      size += (size_t)got;
  }
  if (text) text[size] = 0;
  *length = size;
  return text;
}

// The first line that the command wrote to stderr, without characters that are not text.
static void read_said(const CommandOwn* own, char said[MOST_SAID])
{
  ssize_t got               = own->said >= 0 ? pread(own->said, said, MOST_SAID - 1, 0) : 0;
  said[got > 0 ? got : 0]   = 0;
  said[strcspn(said, "\n")] = 0;
  for (char* s = said; *s; ++s)
    if ((unsigned char)*s < ' ') *s = ' ';
}

// Code 1 of linkwork itself is the answer "no", which it gives with its numbers.
static bool has_answered(const char* program, int code)
{
  const char* slash = strrchr(program, '/');
  return code == 0 || (code == 1 && !strcmp(slash ? slash + 1 : program, "linkwork"));
}

static void fail_command(const CommandOwn* own, const char* program, int status, lwStudyRow* row)
{
  char said[MOST_SAID];
  read_said(own, said);
  lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "'%.40s' ended with %d%s%s", program,
              WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), said[0] ? ": " : "",
              said);
}

// Runs the words and gives what they print; NULL: the row says why not.
static char* run_words(const CommandOwn* own, char** words, lwStudyRow* row, size_t* length)
{
  int ends[2], status = 0;
  posix_spawn_file_actions_t actions;
  pid_t child = 0;
  if (!words || !words[0] || pipe(ends) != 0)
  {
    lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "no pipe to the command");
    return NULL;
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
  if (own->said >= 0 && ftruncate(own->said, 0) == 0 && lseek(own->said, 0, SEEK_SET) == 0)
    posix_spawn_file_actions_adddup2(&actions, own->said, STDERR_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  int failed = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char* text = failed ? NULL : read_pipe(ends[0], length);
  close(ends[0]);
  if (!failed)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  if (failed)
    lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "'%.80s' cannot be started: %s", words[0],
                strerror(failed));
  else if (!WIFEXITED(status) || !has_answered(words[0], WEXITSTATUS(status)))
    fail_command(own, words[0], status, row);
  else
    return text;
  free(text);
  return NULL;
}

// Takes the columns out of the text.
static void take_printed(lwStudyWorker* worker, const char* text, size_t length, lwStudyRow* row)
{
  const lwStudy* study = worker->study;
  lwRecord* record     = &worker->record;
  lwArena arena        = {0};
  int width            = study->column_count - 1;
  long rows            = 0;
  lwCsvGroup groups[]  = {
       {.columns = {.symbol = "t", .single = true, .width = 1, .need = LW_COLUMNS_ALL_OR_NONE}},
       {.columns = {
            .symbol = "column", .width = width, .need = LW_COLUMNS_ALL, .own = study->columns + 1}}};
  lwDocument document;
  lwDiag* diag    = lw_diag_create();
  lwStatus status = lw_document_open_text(&document, "output", text, length, diag);
  if (status == LW_OK) status = lw_csv_read(&document, groups, 2, &arena, &rows);
  if (status != LW_OK)
    lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "output: %s",
                lw_diag_size(diag) > 0 ? lw_diag_message(diag, 0)->text : lw_status_text(status));
  else if (lw_record_room(worker, rows + 1))
  {
    for (long k = 0; k < rows; ++k, ++record->rows)
    {
      lw_record_put(record, 0, groups[0].values ? groups[0].values[k] : (double)k);
      for (int c = 0; c < width; ++c) lw_record_put(record, 1 + c, groups[1].values[k * width + c]);
    }
    lw_study_measure(worker, row);
  }
  lw_document_free(&document);
  lw_arena_free(&arena);
  lw_diag_destroy(diag);
}

static lwStatus run_commands(lwStudyWorker* worker, int count, lwStudyRow* const* rows)
{
  for (int i = 0; i < count; ++i)
  {
    size_t length;
    if (!write_own_file(worker, rows[i]))
    {
      lw_row_fail(rows[i], LW_SAMPLE_STATE_FAILED,
                  "the file of the sample cannot be written to /tmp");
      continue;
    }
    char** words = filled_words(worker->study, worker->own, rows[i]);
    char* text   = run_words(worker->own, words, rows[i], &length);
    if (text) take_printed(worker, text, length, rows[i]);
    free(text);
    free_words(words);
  }
  return LW_OK;
}

static lwStatus begin_command(lwStudyWorker* worker)
{
  CommandOwn* own = worker->own = calloc(1, sizeof *own);
  if (!own) return LW_ERROR_MEMORY;
  char path[] = "/tmp/linkwork-study-XXXXXX";
  own->said   = mkstemp(path);
  if (own->said >= 0) unlink(path);
  if (own->said >= 0) fcntl(own->said, F_SETFD, FD_CLOEXEC);
  return LW_OK;
}

static void end_command(lwStudyWorker* worker)
{
  CommandOwn* own = worker->own;
  if (own->path[0]) unlink(own->path);
  if (own->said >= 0) close(own->said);
  free(own);
  worker->own = NULL;
}

const lwRunKind LW_RUN_COMMAND = {.name  = "command",
                                  .read  = read_command,
                                  .begin = begin_command,
                                  .run   = run_commands,
                                  .end   = end_command};
