// SPDX-License-Identifier: MIT
// One sample of a study as it is looked at: its robot or snake, and its run.
//
//   study, sample K --rerun.c--> model or snake with the numbers of the sample, columns over time
#ifndef LW_STUDY_RERUN_H
#define LW_STUDY_RERUN_H

#include <stddef.h>

#include "linkwork/snake.h"
#include "linkwork/study.h"

typedef struct lwRerun
{
  lwModel* model;  // of the sample, or NULL
  lwSnake* snake;  // of the sample, or NULL
  size_t width, rows;
  const char** names;  // (width) of the columns, the first is t; texts of the study
  double* values;      // (rows, width)
} lwRerun;

// Computes a sample again. What is wrong is in diag. lw_rerun_free() in any case.
lwStatus lw_rerun_make(lwStudy* study, long sample, const volatile sig_atomic_t* stop, lwDiag* diag,
                       lwRerun* rerun);
void lw_rerun_free(lwRerun* rerun);

#endif
