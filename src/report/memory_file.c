// SPDX-License-Identifier: MIT
#define _GNU_SOURCE  // fopencookie
#include "report/memory_file.h"

#include <stdlib.h>
#include <string.h>

enum
{
  FIRST_ROOM = 4096  // bytes
};

static bool make_room_for_text(lwMemoryFile* memory, size_t size)
{
  size_t room = memory->room ? memory->room : FIRST_ROOM;
  while (room < size) room *= 2;
  char* text = room > memory->room ? realloc(memory->text, room) : memory->text;
  if (!text) return false;
  memory->text = text;
  memory->room = room;
  return true;
}

static ssize_t take_bytes(void* context, const char* bytes, size_t count)
{
  lwMemoryFile* memory = context;
  memory->failed       = memory->failed || !make_room_for_text(memory, memory->length + count + 1);
  if (memory->failed) return 0;
  memcpy(memory->text + memory->length, bytes, count);
  memory->length += count;
  memory->text[memory->length] = 0;
  return (ssize_t)count;
}

// The position, for ftell(): always at the end.
static int tell_end(void* context, off64_t* position, int whence)
{
  const lwMemoryFile* memory = context;
  if (*position != 0 || whence == SEEK_SET) return -1;
  *position = (off64_t)memory->length;
  return 0;
}

bool lw_memory_file_open(lwMemoryFile* memory)
{
  *memory = (lwMemoryFile){0};
  if (!make_room_for_text(memory, 1)) return false;
  memory->text[0] = 0;
  memory->file =
      fopencookie(memory, "w", (cookie_io_functions_t){.write = take_bytes, .seek = tell_end});
  return memory->file != NULL;
}

bool lw_memory_file_flush(lwMemoryFile* memory)
{
  return fflush(memory->file) == 0 && !memory->failed;
}

void lw_memory_file_free(lwMemoryFile* memory)
{
  if (memory->file) fclose(memory->file);
  free(memory->text);
  *memory = (lwMemoryFile){0};
}
