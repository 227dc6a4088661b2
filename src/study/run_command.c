// SPDX-License-Identifier: MIT
// Runs a program that writes CSV, with the values of a sample among its arguments.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "read/csv_series.h"
#include "study/child.h"
#include "study/study_internal.h"

enum
{
  MAX_STDERR = 120  // of what it says about its failure
};

typedef struct CommandJob
{
  lwTextFile file;  // {file} in the words; root NULL: none
  int words;
  const char** word;  // (words)
} CommandJob;

typedef struct CommandState
{
  char* path;       // of the file of a sample; NULL: none yet
  int stderr_text;  // unlinked temporary file that captures the command's stderr; -1: none
} CommandState;

// --- reading

typedef struct CommandText
{
  lwNode *words, *columns;
  const char* file;
  lwPlace places[2];
} CommandText;

static const lwKey command_keys[] = {
    LW_KEY(CommandText, words, .kind = LW_VALUE_NODE, .required = true),
    LW_KEY(CommandText, columns, .kind = LW_VALUE_NODE, .required = true),
    LW_KEY(CommandText, file, .kind = LW_VALUE_NAME, .slot = 1),
};
static const lwTable command_table = LW_TABLE("a command", command_keys);

static const char* list_word(lwStudyReader* reader, const char* name, const lwNode* node)
{
  lwKey key        = {.name = name, .kind = LW_VALUE_TEXT};
  const char* text = lw_node_text(&reader->document, node, &key);
  return text ? lw_keep_text(reader->keep, text) : NULL;
}

static bool is_list(lwStudyReader* reader, const char* name, const lwNode* node)
{
  if (node->kind == LW_NODE_LIST && node->count > 0) return true;
  lw_study_error(reader, node->place, "'%s' must be a list", name);
  return false;
}

static void read_command(lwStudyReader* reader, lwNode* node)
{
  CommandText text = {0};
  if (!lw_document_fill(&reader->document, node, &command_table, &text, text.places)) return;
  CommandJob* job = lw_keep_take(reader->keep, 1, sizeof *job);
  if (!job || !is_list(reader, "words", text.words) || !is_list(reader, "columns", text.columns))
    return;
  job->word = lw_keep_take(reader->keep, (size_t)text.words->count + 1, sizeof *job->word);
  if (!job->word) return;
  for (const lwItem* item = text.words->items; item; item = item->next)
    job->word[job->words++] = list_word(reader, "words", item->value);
  for (const lwItem* item = text.columns->items; item; item = item->next)
  {
    const char* name = list_word(reader, "columns", item->value);
    if (name && strcmp(name, "t") != 0) lw_study_column(reader, name);
  }
  if (text.file)
    lw_study_text_file(reader, lw_keep_path(reader->keep, &reader->document, text.file),
                       text.places[1], &job->file);
  reader->study->job = job;
}

// --- words of a sample

static const char* name_value(const lwStudy* study, const CommandState* state,
                              const lwStudyRow* row, const char* name, size_t length,
                              char number[LW_NUMBER_SIZE])
{
  if (length == 4 && !strncmp(name, "file", 4)) return state->path ? state->path : "";
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
static char* filled_word(const lwStudy* study, const CommandState* state, const lwStudyRow* row,
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
        close ? name_value(study, state, row, word + 1, (size_t)(close - word - 1), number) : NULL;
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
static char** filled_words(const lwStudy* study, const CommandState* state, const lwStudyRow* row)
{
  const CommandJob* job = study->job;
  char** words          = calloc((size_t)job->words + 1, sizeof *words);
  for (int i = 0; words && i < job->words; ++i)
  {
    words[i] = filled_word(study, state, row, job->word[i]);
    if (words[i]) continue;
    free_words(words);
    return NULL;
  }
  return words;
}

// A path in the folder for temporary files, to be freed; NULL: out of memory.
static char* temporary_path(const char* name)
{
  const char* folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  size_t size = strlen(folder) + strlen(name) + 2;
  char* path  = malloc(size);
  if (path) snprintf(path, size, "%s/%s", folder, name);
  return path;
}

static FILE* open_sample_file(CommandState* state)
{
  if (state->path) return fopen(state->path, "we");
  char* path = temporary_path("linkwork-study-XXXXXX.yaml");
  int number = path ? mkstemps(path, 5) : -1;
  if (number < 0)
  {
    free(path);
    return NULL;
  }
  fcntl(number, F_SETFD, FD_CLOEXEC);
  state->path = path;
  FILE* file  = fdopen(number, "w");
  if (!file) close(number);
  return file;
}

static bool write_sample_file(lwStudyWorker* worker, const lwStudyRow* row)
{
  const CommandJob* job = worker->study->job;
  size_t length;
  if (!job->file.root) return true;
  char* text = lw_study_patched_text(worker->study, &job->file, lw_row_numbers(row), &length);
  if (!text) return false;
  FILE* file   = open_sample_file(worker->state);
  bool written = file && fwrite(text, 1, length, file) == length;
  if (file) written = fclose(file) == 0 && written;
  free(text);
  return written;
}

// --- the program

// Code 1 of linkwork itself is the answer "no", which it gives with its numbers.
static bool has_answered(const char* program, int code)
{
  const char* slash = strrchr(program, '/');
  return code == 0 || (code == 1 && !strcmp(slash ? slash + 1 : program, "linkwork"));
}

static void fail_command(const CommandState* state, const char* program, const lwChild* child,
                         lwStudyRow* row)
{
  char stderr_text[MAX_STDERR];
  // The first line that the command wrote to stderr, without characters that are not text.
  ssize_t got =
      state->stderr_text >= 0 ? pread(state->stderr_text, stderr_text, MAX_STDERR - 1, 0) : 0;
  stderr_text[got > 0 ? got : 0]          = 0;
  stderr_text[strcspn(stderr_text, "\n")] = 0;
  for (char* s = stderr_text; *s; ++s)
    if ((unsigned char)*s < ' ') *s = ' ';
  if (child->error)
    lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "'%.80s' cannot be started: %s", program,
                strerror(child->error));
  else if (child->too_long)
    lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "'%.80s' printed too much", program);
  else
    lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "'%.40s' ended with %d%s%s", program, child->code,
                stderr_text[0] ? ": " : "", stderr_text);
}

// Runs the words and gives what they print; NULL: the row says why not.
static char* run_words(lwStudyWorker* worker, char** words, lwStudyRow* row, size_t* length)
{
  const CommandState* state = worker->state;
  if (!words || !words[0])
  {
    lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "out of memory");
    return NULL;
  }
  if (state->stderr_text >= 0 &&
      (ftruncate(state->stderr_text, 0) != 0 || lseek(state->stderr_text, 0, SEEK_SET) != 0))
  {
    lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "no file for what the command writes to stderr");
    return NULL;
  }
  const char* linkwork = strcmp(words[0], "linkwork") == 0 ? worker->study->linkwork : NULL;
  lwChild child        = {.program     = linkwork ? linkwork : words[0],
                          .words       = words,
                          .stderr_text = state->stderr_text,
                          .stop        = worker->stop};
  char* text           = lw_child_run(&child, length);
  if (text && has_answered(words[0], child.code)) return text;
  fail_command(state, words[0], &child, row);
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
  else if (lw_record_reserve(worker, rows + 1))
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

static lwStatus run_command_sample(lwStudyWorker* worker, lwStudyRow* row)
{
  size_t length;
  if (!write_sample_file(worker, row))
  {
    lw_row_fail(row, LW_SAMPLE_STATE_FAILED,
                "the file of the sample cannot be written to the folder for temporary files");
    return LW_OK;
  }
  char** words = filled_words(worker->study, worker->state, row);
  char* text   = run_words(worker, words, row, &length);
  if (text) take_printed(worker, text, length, row);
  free(text);
  free_words(words);
  return LW_OK;
}

static void begin_command(lwStudyWorker* worker)
{
  CommandState* state = worker->state = lw_keep_take(&worker->keep, 1, sizeof *state);
  if (!state) return;
  char* path         = temporary_path("linkwork-study-XXXXXX");
  int file           = path ? mkstemp(path) : -1;
  state->stderr_text = file >= 0 ? fcntl(file, F_DUPFD_CLOEXEC, LW_CHILD_ABOVE) : -1;
  if (file >= 0) unlink(path);
  if (file >= 0) close(file);
  free(path);
}

static void end_command(lwStudyWorker* worker)
{
  const CommandState* state = worker->state;
  if (state->path) unlink(state->path);
  if (state->stderr_text >= 0) close(state->stderr_text);
  free(state->path);
}

const lwRunKind LW_RUN_COMMAND = {.text  = "file.",
                                  .read  = read_command,
                                  .begin = begin_command,
                                  .run   = run_command_sample,
                                  .end   = end_command};

// --- permission

const char* lw_study_command(const lwStudy* study)
{
  const CommandJob* job = study->run == &LW_RUN_COMMAND ? study->job : NULL;
  return job ? job->word[0] : NULL;
}

lwStatus lw_study_allow_commands(lwStudy* study, const char* linkwork)
{
  study->commands = true;
  study->linkwork = linkwork ? lw_arena_text(&study->keep.arena, linkwork, strlen(linkwork)) : NULL;
  return linkwork && !study->linkwork ? LW_ERROR_MEMORY : LW_OK;
}

lwStatus lw_study_check_commands(const lwStudy* study, lwDiag* diag)
{
  const char* program = lw_study_command(study);
  if (!program || study->commands) return LW_OK;
  return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                   "%s: this study would start the program '%s', which was not allowed",
                   study->path, program);
}
