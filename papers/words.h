// SPDX-License-Identifier: MIT
// Shared by the documents: text built up piece by piece, and differences of arrays.
#ifndef PAPERS_WORDS_H
#define PAPERS_WORDS_H

#include "paper_page.h"

// Text that does not fit is cut off.
typedef struct PaperText
{
  size_t length;
  char at[4000];
} PaperText;

void text_add(PaperText* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void text_note(Page* page, const char* section, PaperText* text);  // as a remark of the section

// A NAN among the numbers makes these NAN.
double largest(int count, const double* values);                              // max |v|
double largest_difference(int count, const double* a, const double* b);       // max |a - b|
double relative_difference(int count, const double* truth, const double* v);  // by max |truth|

#endif
