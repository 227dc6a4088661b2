// SPDX-License-Identifier: MIT
#include "command/scope.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "io/files.h"
#include "io/note.h"
#include "io/picture.h"

typedef struct Held Held;
struct Held
{
  void* object;  // NULL: it outlives the scope
  void (*release)(void* object);
  Held* before;
};

typedef struct Scope Scope;
struct Scope
{
  jmp_buf end;
  int code;
  Held* held;  // the newest first
  lwArena memory;
  Scope* outer;
};

static Scope* scope;

int scope_run(int (*work)(void* context), void* context)
{
  Scope* inner = calloc(1, sizeof *inner);
  if (!inner) return no_memory();
  inner->outer = scope;
  scope        = inner;
  if (setjmp(inner->end) == 0) inner->code = work(context);
  scope    = inner->outer;
  int code = inner->code;
  for (Held* held = inner->held; held; held = held->before)
    if (held->object) held->release(held->object);
  lw_arena_free(&inner->memory);
  free(inner);
  return code;
}

static int run_work(void* context)
{
  const Options* options = context;
  return options->command->run(options);
}

int command_run(const Options* options)
{
  return scope_run(run_work, (void*)options);
}

typedef struct CommandLine
{
  const Command* command;
  int count;
  char** arguments;
  int (*run)(const Options* options);
} CommandLine;

static int run_line(void* context)
{
  const CommandLine* line = context;
  Options* options        = allocate(1, sizeof *options);
  options_parse(line->command, line->count, line->arguments, options);
  return options->value[OPTION_HELP] ? help_command(line->command) : line->run(options);
}

int command_line_run(const Command* command, int count, char** arguments,
                     int (*run)(const Options* options))
{
  return scope_run(run_line, &(CommandLine){command, count, arguments, run});
}

// --- what is wrong

void leave(int code)
{
  scope->code = code;
  longjmp(scope->end, 1);
}

void stop(int code, const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  say_line("linkwork: error: ", format, arguments);
  va_end(arguments);
  leave(code);
}

void need(int code)
{
  if (code != DONE) leave(code);
}

void need_ok(lwStatus status)
{
  if (status != LW_OK) stop(INPUT, "%s", lw_status_text(status));
}

void need_made(lwStatus status, const char* about, const lwDiag* diag)
{
  if (status != LW_OK) stop(exit_of(status), "%s: %s", about, first_error(diag, status));
}

void need_read(lwStatus status, const char* path, const lwDiag* diag, bool warnings)
{
  messages_print(diag, warnings);
  inputs_add(diag);
  if (status == LW_OK) return;
  if (lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(INPUT, "%s: %s", path, lw_status_text(status));
  leave(INPUT);
}

// --- memory and objects

void* allocate(size_t count, size_t size)
{
  void* memory = lw_arena_take(&scope->memory, count ? count : 1, size);
  if (!memory) leave(no_memory());
  return memory;
}

char* text_copy(const char* text)
{
  return strcpy(allocate(strlen(text) + 1, 1), text);
}

void* hold(void* object, void (*release)(void* object))
{
  if (!object) return NULL;
  Held* held = lw_arena_take(&scope->memory, 1, sizeof *held);
  if (!held)
  {
    release(object);
    leave(no_memory());
  }
  *held       = (Held){object, release, scope->held};
  scope->held = held;
  return object;
}

static Held* find_held(const void* object)
{
  Held* held = scope->held;
  while (held && held->object != object) held = held->before;
  return held;
}

void unhold(const void* object)
{
  Held* held = find_held(object);
  if (held) held->object = NULL;
}

void* reallocate(void* memory, size_t count, size_t size)
{
  Held* held  = memory ? find_held(memory) : NULL;
  void* grown = realloc(memory, count * size + 1);
  if (!grown) leave(no_memory());
  if (!held) return hold(grown, free);
  held->object = grown;
  return grown;
}

#define HELD_DEFINITION(name, type, destroy)                                                       \
  static void release_##name(void* object)                                                         \
  {                                                                                                \
    destroy(object);                                                                               \
  }                                                                                                \
  type* hold_##name(type* object)                                                                  \
  {                                                                                                \
    return hold(object, release_##name);                                                           \
  }
HELD_LIST(HELD_DEFINITION)

lwDiag* hold_messages(void)
{
  lwDiag* diag = hold_diag(lw_diag_create());
  if (!diag) leave(no_memory());
  return diag;
}

lwCsvFile* csv_of(const char* path, const lwColumnGroup* groups, int count, int rows)
{
  lwCsvFile* csv = hold_csv(allocate(1, sizeof *csv));
  csv->header    = (lwCsvHeader){.groups = count, .increasing = -1};
  memcpy(csv->header.group, groups, (size_t)count * sizeof *groups);
  input_add(path);
  lwStatus status = lw_csv_open(csv, path, rows, lines_show);
  if (status == LW_ERROR_MEMORY) leave(no_memory());
  if (status != LW_OK) leave(lines_report(&csv->lines));
  return csv;
}

void csv_keep_text(lwCsvFile* csv)
{
  if (!lw_csv_block_keep_text(&csv->block)) leave(no_memory());
}

bool csv_more(lwCsvFile* csv)
{
  if (lw_csv_next_block(csv) != LW_OK) leave(lines_report(&csv->lines));
  return csv->block.count > 0;
}

lwOut* hold_file(void)
{
  lwOut* file     = hold_memory(allocate(1, sizeof *file));
  file->in_memory = true;
  return file;
}

void file_flush(lwOut* file)
{
  if (!lw_out_finish(file)) leave(no_memory());
}

unsigned char* file_bytes(const char* path, size_t* size)
{
  enum
  {
    PART = 1 << 16
  };
  unsigned char* bytes = allocate(1, 1);
  FILE* file           = fopen(path, "rb");
  size_t got           = PART;
  if (!file && errno == ENOMEM) leave(no_memory());
  if (!file) stop(INPUT, "%s: %s", path, strerror(errno));
  for (*size = 0; got == PART; *size += got)
  {
    unsigned char* more = allocate(*size + PART + 1, 1);
    memcpy(more, bytes, *size);
    bytes = more;
    got   = fread(bytes + *size, 1, PART, file);
  }
  bool bad = ferror(file);
  fclose(file);
  if (bad) stop(INPUT, "%s: it cannot be read", path);
  return bytes;
}

lwPlotTable* plot_begin(const char* path, size_t columns)
{
  lwPlotTable* plot = hold_plot(allocate(1, sizeof *plot));
  need(picture_begin(plot, path, columns));
  return plot;
}

void plot_name(lwPlotTable* plot, size_t c, const char* name, const char* label)
{
  if (!lw_plot_table_name(plot, c, name, label)) leave(no_memory());
}

// --- what commands begin with

lwFormat format_of(const Options* options)
{
  static const char* const names[] = {"table", "csv", "json", NULL};
  const char* out                  = options->value[OPTION_OUT];
  bool terminal                    = (!out || !strcmp(out, "-")) && isatty(STDOUT_FILENO);
  return (lwFormat)choice_of(options, OPTION_FORMAT, names,
                             terminal ? LW_FORMAT_TABLE : LW_FORMAT_CSV);
}

lwModel* robot_of(const Options* options)
{
  return robot_read(options, options->operand);
}

lwWorkspace* tree_of(const lwModel* model)
{
  lwWorkspace* ws    = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  def.open_tree      = true;
  need_ok(lw_workspace_create(model, &def, NULL, &ws));
  return hold_workspace(ws);
}

lwPrecision precision_of(const Options* options)
{
  static const char* const names[] = {"double", "single", NULL};
  return (lwPrecision)choice_of(options, OPTION_PRECISION, names, LW_PRECISION_DOUBLE);
}

lwPrecision precision_or_quad(const Options* options, bool* quad)
{
  static const char* const names[] = {"double", "single", "quad", NULL};
  int chosen = choice_of(options, OPTION_PRECISION, names, LW_PRECISION_DOUBLE);
  *quad      = chosen == 2;
  if (*quad && !lw_quad_available())
    stop(USAGE, "--precision quad: this build has no 113-bit arithmetic; use double");
  return *quad ? LW_PRECISION_DOUBLE : (lwPrecision)chosen;
}

// --- and end with

static void release_output(void* out)
{
  out_close(out, INPUT, false);
}

lwOut* output(const char* path)
{
  lwOut* out = allocate(1, sizeof *out);
  need(out_open(out, path));
  return hold(out, release_output);
}

lwOut* output_of(const Options* options)
{
  return output(options->value[OPTION_OUT]);
}

int output_end(lwOut* out, int code)
{
  unhold(out);
  return out_close(out, code, true);
}

void output_bytes(const char* path, const char* bytes, size_t length)
{
  lwOut* out = output(path);
  lw_out_bytes(out, bytes, length);
  need(output_end(out, DONE));
}

void notes_aside(void (*write)(void* context, lwOut* out), void* context)
{
  lwOut* out = allocate(1, sizeof *out);
  out->file  = dup(STDERR_FILENO);
  out->name  = "standard error";
  write(context, out);
  out_close(out, DONE, true);
}

lwRows* rows_begin(lwRows rows)
{
  lwRows* begun = allocate(1, sizeof *begun);
  *begun        = rows;
  return rows_hold(begun);
}

lwRows* rows_hold(lwRows* rows)
{
  hold_rows(rows);
  lw_rows_begin(rows);
  return rows;
}

void rows_keep(lwRows* rows, lwCsvFile* csv, bool all)
{
  if (!lw_rows_keep(rows, csv, all)) leave(no_memory());
}

void rows_end(lwRows* rows)
{
  unhold(rows);
  lw_rows_end(rows);
}

int sheet_print(const Options* options, lwFormat format, const lwSheet* sheet)
{
  lwOut* out = output_of(options);
  lw_sheet_write(out, format, sheet);
  return output_end(out, DONE);
}
