// SPDX-License-Identifier: MIT
// Memory of the core: from the C library, or from an allocator of the program. See linkwork/host.h.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

// Zeroed memory for count elements of size bytes; NULL: out of memory.
void* lw_memory_zeros(size_t count, size_t size);

// Memory at a multiple of alignment, a power of 2 that divides size.
void* lw_memory_take(size_t alignment, size_t size);

// Frees what one of the above gave. NULL is allowed.
void lw_memory_give(void* memory);

// Frees what lw_memory_take() gave.
void lw_memory_give_aligned(void* memory);

#endif
