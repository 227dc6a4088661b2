// SPDX-License-Identifier: MIT
// Studies from a text, and the numbers of their samples.
#ifndef LW_TESTS_STUDIES_H
#define LW_TESTS_STUDIES_H

#include "linkwork/study.h"

// The study of this text; fails the test, and prints why, if it is refused.
lwStudy* study_of(const char* text);

// Fails the test unless the text is refused with this part of a sentence in a message.
void study_refused(const char* text, const char* part);

// Rows of samples first .. first + count - 1, to be freed.
void* study_rows(const lwStudy* study, long first, int count);
const lwStudyRow* study_row(const lwStudy* study, const void* rows, int i);

// The measure of this name in a row; fails the test if there is none.
double study_measure(const lwStudy* study, const lwStudyRow* row, const char* name);

#endif
