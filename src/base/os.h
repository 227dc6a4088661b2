// SPDX-License-Identifier: MIT
// What the core needs of the system beyond C: os_posix.c and os_windows.c have it.
#ifndef BASE_OS_H
#define BASE_OS_H

#include <stdarg.h>
#include <stddef.h>

// Memory at a multiple of alignment, a power of two that divides size; NULL when there is none.
void* lw_os_take(size_t alignment, size_t size);
void lw_os_give(void* memory);

// vsnprintf() with a decimal point in every locale of the caller.
int lw_os_print(char* text, size_t size, const char* format, va_list arguments);

#endif
