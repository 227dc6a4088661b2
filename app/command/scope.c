// SPDX-License-Identifier: MIT
#include "command/scope.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "command/list.h"
#include "io/files.h"
#include "io/lines.h"
#include "io/note.h"
#include "io/output.h"
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

void need_read(lwStatus status, const char* path, const lwDiag* diag)
{
  errors_print(diag);
  if (status != LW_OK && lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(INPUT, "%s: %s", path, lw_status_text(status));
  inputs_add(diag);
  if (status != LW_OK) leave(INPUT);
}

// --- memory and objects

void* capacity(size_t count, size_t size)
{
  void* memory = lw_arena_take(&scope->memory, count ? count : 1, size);
  if (!memory) leave(no_memory());
  return memory;
}

char* room_text(const char* text)
{
  return strcpy(capacity(strlen(text) + 1, 1), text);
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

void* regrown(void* memory, size_t count, size_t size)
{
  void* grown = realloc(memory, count * size + 1);
  if (!grown) leave(no_memory());
  if (!memory) return hold(grown, free);
  find_held(memory)->object = grown;
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

bool csv_more(lwCsvFile* csv)
{
  if (lw_csv_next_block(csv) != LW_OK) leave(lines_report(&csv->lines));
  return csv->block.count > 0;
}

lwOut* hold_file(void)
{
  lwOut* file     = hold_memory(capacity(1, sizeof *file));
  file->in_memory = true;
  return file;
}

void file_flush(lwOut* file)
{
  if (!lw_out_finish(file)) leave(no_memory());
}

lwPlotTable* plot_begin(const char* path, size_t columns)
{
  lwPlotTable* plot = hold_plot(capacity(1, sizeof *plot));
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
  lwFormat format;
  need(format_choose(options, &format));
  return format;
}

lwModel* robot_of(const Options* options)
{
  lwModel* model;
  need(robot_load(options, options->operand, &model));
  return hold_model(model);
}

lwWorkspace* tree_of(const lwModel* model)
{
  lwWorkspace* ws = NULL;
  need_ok(tree_workspace(model, &ws));
  return hold_workspace(ws);
}

lwFrame frame_of(const Options* options, const lwModel* model)
{
  lwFrame frame;
  need(frame_choose(options, model, &frame));
  return frame;
}

long integer_of(const Options* options, Option option, long low, long high, long usual)
{
  need(list_integer(options, option, low, high, &usual));
  return usual;
}

double positive_of(const Options* options, Option option, const char* unit, double usual)
{
  need(list_positive(options, option, unit, &usual));
  return usual;
}

int choice_of(const Options* options, Option option, const char* const* names, int usual)
{
  need(list_choice(options, option, names, &usual));
  return usual;
}

unsigned set_of(const Options* options, Option option, const char* const* names)
{
  unsigned set = 0;
  for (const char* list = options->value[option]; list;)
  {
    size_t length      = strcspn(list, ",");
    char expected[256] = "";
    int k              = 0;
    for (; names[k] && (strlen(names[k]) != length || strncmp(names[k], list, length) != 0); ++k)
      lw_text_append(expected, sizeof expected, k > 0 ? ", " : "", names[k]);
    if (!names[k])
      stop(USAGE, "%s: unknown part '%.*s'; expected %s", OPTIONS[option].name, (int)length, list,
           expected);
    set |= 1u << k;
    list = list[length] ? list + length + 1 : NULL;
  }
  return set;
}

// --- and end with

static void release_output(void* out)
{
  out_close(out, INPUT, false);
}

lwOut* output(const char* path)
{
  lwOut* out = capacity(1, sizeof *out);
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
  lwOut* out = capacity(1, sizeof *out);
  out->file  = dup(STDERR_FILENO);
  out->name  = "standard error";
  write(context, out);
  out_close(out, DONE, true);
}

static void release_rows(void* rows)
{
  lw_rows_end(rows);
}

lwRows* rows_begin(lwRows rows)
{
  lwRows* begun = capacity(1, sizeof *begun);
  *begun        = rows;
  hold(begun, release_rows);
  lw_rows_begin(begun);
  return begun;
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
