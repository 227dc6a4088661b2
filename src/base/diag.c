// SPDX-License-Identifier: MIT
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/os.h"
#include "base/text.h"
#include "linkwork/host.h"

enum
{
  SEVERITIES    = 2,
  KEPT_EACH     = 100,   // messages of one severity
  LONGEST_TEXT  = 1024,  // bytes of a sentence or a hint
  SOURCE_WIDTH  = 100,   // characters shown of a source line
  SOURCE_BEFORE = 60     // of these before the column, where the line is cut
};

// A file that was opened for reading.
typedef struct OpenedFile
{
  const char* path;
  struct OpenedFile* next;
} OpenedFile;

struct lwDiag
{
  lwArena arena;      // the strings of the messages
  OpenedFile* files;  // the last one first
  int file_count;
  int size;
  int counts[SEVERITIES];
  lwFinding* finding;  // called with each message, or NULL
  void* context;
  lwMessage messages[SEVERITIES * KEPT_EACH];
};

lwDiag* lw_diag_create(void)
{
  return lw_memory_zeros(1, sizeof(lwDiag));
}

void lw_diag_destroy(lwDiag* diag)
{
  if (!diag) return;
  lw_arena_free(&diag->arena);
  lw_memory_give(diag);
}

void lw_diag_watch(lwDiag* diag, lwFinding* finding, void* context)
{
  if (!diag) return;
  diag->finding = finding;
  diag->context = context;
}

int lw_diag_size(const lwDiag* diag)
{
  return diag ? diag->size : 0;
}

int lw_diag_count(const lwDiag* diag, lwSeverity severity)
{
  return diag ? diag->counts[severity] : 0;
}

const lwMessage* lw_diag_message(const lwDiag* diag, int i)
{
  return &diag->messages[i];
}

void lw_diag_opened(lwDiag* diag, const char* path)
{
  OpenedFile* file = diag ? lw_arena_take(&diag->arena, 1, sizeof *file) : NULL;
  if (!file) return;
  *file       = (OpenedFile){lw_arena_text(&diag->arena, path, strlen(path)), diag->files};
  diag->files = file;
  diag->file_count += file->path != NULL;
  if (!file->path) diag->files = file->next;
}

int lw_diag_file_count(const lwDiag* diag)
{
  return diag->file_count;
}

const char* lw_diag_file(const lwDiag* diag, int i)
{
  const OpenedFile* file = diag->files;
  for (int k = diag->file_count - 1; k > i; --k) file = file->next;
  return file->path;
}

// --- reporting

static void diag_print(char* text, size_t size, const char* format, va_list arguments)
{
  if (lw_os_print(text, size, format, arguments) < 0) text[0] = 0;
}

static const char* diag_keep_text(lwDiag* diag, const char* text)
{
  char clean[LONGEST_TEXT];
  size_t length = lw_text_printable(clean, sizeof clean, text, strlen(text));
  return lw_arena_text(&diag->arena, clean, length);
}

// The line that contains a place. For a long line, the part around the column,
// with "..." where something is left out.
static const char* keep_line(lwDiag* diag, const lwSource* source, lwPlace place)
{
  size_t length    = 0;
  const char* line = lw_text_line(source->text, source->length, place.line, &length);
  if (!line) return NULL;
  const char* end = line + length;
  bool whole      = lw_text_skip(line, length, SOURCE_WIDTH) == length;
  bool far        = !whole && place.column > SOURCE_BEFORE;
  if (far) line += lw_text_skip(line, length, (size_t)(place.column - SOURCE_BEFORE));
  size_t shown = lw_text_skip(line, (size_t)(end - line), SOURCE_WIDTH);

  char text[4 * SOURCE_WIDTH + 8] = "";  // a character has at most 4 bytes
  size_t used                     = far ? strlen(strcpy(text, "...")) : 0;
  used += lw_text_printable(text + used, sizeof text - 3 - used, line, shown);
  if (line + shown < end) used += strlen(strcpy(text + used, "..."));
  return lw_arena_text(&diag->arena, text, used);
}

static void add_message(lwDiag* diag, lwMessage message, const lwSource* source, const char* hint,
                        const char* text)
{
  message.text = diag_keep_text(diag, text);
  if (source && source->file)
    message.file = lw_arena_text(&diag->arena, source->file, strlen(source->file));
  if (source && source->text && message.place.line > 0)
    message.source = keep_line(diag, source, message.place);
  if (hint) message.hint = diag_keep_text(diag, hint);
  if (!message.text) message.text = lw_status_text(LW_ERROR_MEMORY);
  diag->messages[diag->size++] = message;
  if (diag->finding) diag->finding(diag->context, &diag->messages[diag->size - 1]);
}

static void report(lwDiag* diag, lwMessage message, const lwSource* source, const char* hint,
                   const char* format, va_list arguments)
{
  char text[LONGEST_TEXT];
  if (!diag || ++diag->counts[message.severity] > KEPT_EACH) return;
  diag_print(text, sizeof text, format, arguments);
  add_message(diag, message, source, hint, text);
}

void lw_diag_report(lwDiag* diag, lwSeverity severity, const lwSource* source, lwPlace place,
                    const char* hint, const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  report(diag, (lwMessage){.severity = severity, .place = place}, source, hint, format, arguments);
  va_end(arguments);
}

void lw_diag_report_id(lwDiag* diag, lwSeverity severity, const char* id, const lwSource* source,
                       lwPlace place, const char* hint, const char* format, ...)
{
  lwMessage message = {.severity = severity, .place = place, .id = id};
  va_list arguments;
  va_start(arguments, format);
  report(diag, message, source, hint, format, arguments);
  va_end(arguments);
}

lwStatus lw_refuse(lwDiag* diag, lwStatus status, const char* hint, const char* format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  report(diag, (lwMessage){.severity = LW_SEVERITY_ERROR}, NULL, hint, format, arguments);
  va_end(arguments);
  return status;
}

// --- showing

// A text that is written as far as there is room, with its full length counted.
typedef struct Output
{
  char* buffer;
  size_t size;
  size_t length;
} Output;

static void diag_put(Output* output, const char* text)
{
  size_t length = strlen(text);
  if (output->length < output->size)
  {
    size_t capacity = output->size - output->length;
    memcpy(output->buffer + output->length, text, length < capacity ? length : capacity);
  }
  output->length += length;
}

static void put_file(Output* output, const char* file)
{
  char clean[LONGEST_TEXT];
  lw_text_printable(clean, sizeof clean, file, strlen(file));
  diag_put(output, clean);
  diag_put(output, ":");
}

static void put_place(Output* output, const lwMessage* message)
{
  char number[48] = "";
  if (message->file) put_file(output, message->file);
  if (message->place.line > 0)
    snprintf(number, sizeof number, "%d:%d:", message->place.line, message->place.column);
  diag_put(output, number);
  if (output->length > 0) diag_put(output, " ");
}

static void put_source(Output* output, const lwMessage* message)
{
  char number[32];
  snprintf(number, sizeof number, "%5d | ", message->place.line);
  diag_put(output, number);
  diag_put(output, message->source);
  diag_put(output, "\n");
}

size_t lw_message_format(const lwMessage* message, char* buffer, size_t size)
{
  Output output = {buffer, size, 0};
  put_place(&output, message);
  diag_put(&output, message->severity == LW_SEVERITY_ERROR ? "error: " : "warning: ");
  diag_put(&output, message->text);
  if (message->id)
  {
    diag_put(&output, " [");
    diag_put(&output, message->id);
    diag_put(&output, "]");
  }
  diag_put(&output, "\n");
  if (message->source) put_source(&output, message);
  if (message->hint)
  {
    diag_put(&output, "  hint: ");
    diag_put(&output, message->hint);
    diag_put(&output, "\n");
  }
  if (size > 0) buffer[output.length < size ? output.length : size - 1] = 0;
  return output.length;
}

lwStatus lw_def_check(unsigned cookie, const char* maker, lwDiag* diag)
{
  if (cookie == LW_COOKIE) return LW_OK;
  char hint[80];
  snprintf(hint, sizeof hint, "start from %s, then set its fields", maker);
  LW_REFUSE(diag, hint, "the definition was not made by %s", maker);
  return LW_ERROR_DEF;
}
