// SPDX-License-Identifier: MIT
#include "base/arrays.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

enum
{
  ALIGNMENT   = 64,  // a cache line, and the widest vector
  FIRST_BLOCK = 4096
};

struct lwArenaBlock
{
  lwArenaBlock* next;
  size_t size;
  _Alignas(ALIGNMENT) unsigned char bytes[];
};

static size_t round_up(size_t size)
{
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// Blocks double in size, so that n small takes cost O(log n) calls of the system.
static lwArenaBlock* add_block(lwArena* arena, size_t size)
{
  size_t wanted = arena->blocks ? 2 * arena->blocks->size : FIRST_BLOCK;
  if (wanted < size) wanted = size;
  lwArenaBlock* block = lw_memory_take(ALIGNMENT, round_up(sizeof *block + wanted));
  if (!block) return NULL;
  memset(block->bytes, 0, wanted);
  block->next   = arena->blocks;
  block->size   = wanted;
  arena->blocks = block;
  arena->used   = 0;
  if (!lw_arena_failed(arena)) arena->total += wanted;
  return block;
}

void* lw_arena_take(lwArena* arena, size_t count, size_t size)
{
  bool fits           = !size || count <= (SIZE_MAX / 4) / size;
  size_t bytes        = fits ? round_up(count * size) : 0;
  lwArenaBlock* block = arena->blocks;
  if (fits && (!block || block->size - arena->used < bytes)) block = add_block(arena, bytes);
  if (!fits || !block) arena->total = SIZE_MAX;
  if (!fits || !block) return NULL;
  void* taken = block->bytes + arena->used;
  arena->used += bytes;
  assert(arena->used <= block->size);
  assert((uintptr_t)taken % ALIGNMENT == 0);
  return taken;
}

char* lw_arena_text(lwArena* arena, const char* text, size_t length)
{
  char* copy = lw_arena_take(arena, length + 1, 1);
  if (copy && length) memcpy(copy, text, length);
  return copy;
}

void lw_arena_free(lwArena* arena)
{
  while (arena->blocks)
  {
    lwArenaBlock* next = arena->blocks->next;
    lw_memory_give_aligned(arena->blocks);
    arena->blocks = next;
  }
  *arena = (lwArena){0};
}
