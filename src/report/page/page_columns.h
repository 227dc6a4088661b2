// SPDX-License-Identifier: MIT
// Columns of numbers as bytes that compress well, for the page,
// which decodes them with the same code.
//
//   numbers --integers--> second differences --zigzag--> 8 planes of bytes, the lowest first
//
// Smooth columns have small differences: their upper planes are zeros. With quantum 0 the integers
// are the bits of the numbers, in the order of their values, and nothing is lost; otherwise they
// count quanta from `first`.
#ifndef LW_REPORT_PAGE_PAGE_COLUMNS_H
#define LW_REPORT_PAGE_PAGE_COLUMNS_H

#include <stddef.h>

enum
{
  LW_PAGE_BYTES = 8,     // planes
  LW_PAGE_CHUNK = 65536  // rows that are encoded together, so that they can be decoded alone
};

// values (rows) at a distance of `stride` from each other; planes (8 rows).
void lw_page_column_encode(const double* values, size_t stride, size_t rows, double first,
                           double quantum, unsigned char* planes);
void lw_page_column_decode(const unsigned char* planes, size_t rows, double first, double quantum,
                           double* values);

// The quantum that keeps `bits` bits of the range of the column, a power of 2; 0: a value is not
// finite, or all are equal. *first becomes the least value.
double lw_page_column_quantum(const double* values, size_t stride, size_t rows, int bits,
                              double* first);

#endif
