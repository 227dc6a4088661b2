// SPDX-License-Identifier: MIT
// Memory that is taken bit by bit and freed all at once.
#ifndef LW_BASE_ARENA_H
#define LW_BASE_ARENA_H

#include <stddef.h>

typedef struct lwArenaBlock lwArenaBlock;

typedef struct lwArena
{
  lwArenaBlock* blocks;  // the newest first
  size_t used;           // bytes taken from the newest
  size_t total;          // bytes taken from the system; SIZE_MAX once there was not enough
} lwArena;

// Zeroed memory for count elements, aligned to 64 bytes,
// or NULL when there is none (or count * size overflows).
void* lw_arena_take(lwArena* arena, size_t count, size_t size);

// A copy of the first length bytes of text, ended by a 0, or NULL.
char* lw_arena_text(lwArena* arena, const char* text, size_t length);

void lw_arena_free(lwArena* arena);

#endif
