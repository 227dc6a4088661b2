// SPDX-License-Identifier: MIT
// The results of a study, read from its database, and their statistics.
//
//   results.db --study_data.c--> columns of numbers
//     --study_statistics.c--> quantiles, indices, .. --study_plot.c--> picture
#ifndef LW_REPORT_STUDY_STUDY_DATA_H
#define LW_REPORT_STUDY_STUDY_DATA_H

#include <stdbool.h>

#include "study/contents.h"

enum
{
  LW_STUDY_BAND_LINES = 10,  // t, nominal, low, p01, p05, p25, p50, p75, p95, p99 and high follow t
  LW_STUDY_LINE_NOMINAL = 0,
  LW_STUDY_LINE_LOW,
  LW_STUDY_LINE_P05  = 3,
  LW_STUDY_LINE_P50  = 5,
  LW_STUDY_LINE_P95  = 7,
  LW_STUDY_LINE_HIGH = 9,
  LW_STUDY_BARS      = 12,  // of a tornado that is drawn, at most
  LW_STUDY_BINS      = 20,  // of a histogram
  LW_STUDY_TAIL      = 10   // a tenth of the samples is at either end of a tornado
};

// A parameter or measure: a column of the database.
typedef struct lwStudyColumn
{
  const char* name;
  double* values;       // (rows) NaN where there is none
  double below, above;  // criterion; infinite: none
} lwStudyColumn;

typedef struct lwStudyBand
{
  const char* name;
  int steps;
  double* t;  // (steps)
  // (steps) nominal, low, p01, p05, p25, p50, p75, p95, p99, high
  double* line[LW_STUDY_BAND_LINES];
} lwStudyBand;

// Samples that have no results for one reason.
typedef struct lwStudyFault
{
  const char *state, *why;
  long count, first;  // how many, and the first of them
} lwStudyFault;

typedef struct lwStudyData
{
  const char *name, *file, *design;
  long points, samples;  // of the design, and in all
  bool commands;         // the study runs programs
  long rows;             // in the database
  long passed, done;     // that meet all criteria; that have results
  long* sample;          // (rows) increasing
  int parameter_count, measure_count, band_count, fault_count, choice_count;
  lwStudyColumn *parameters, *measures;
  lwStudyBand* bands;
  lwStudyFault* faults;
  lwStoredChoice* choices;
  double* scratch;  // (2 (rows + 4)) for statistics
  lwArena arena;
} lwStudyData;

// Reads and validates a database, also while a study writes to it. What is wrong is in diag.
// To be freed in any case.
lwStatus lw_study_data_read(const char* path, lwDiag* diag, lwStudyData* data);
void lw_study_data_free(lwStudyData* data);

extern const char* const LW_STUDY_LINE_NAMES[LW_STUDY_BAND_LINES];

// --- study_statistics.c

typedef struct lwStudySummary
{
  long count;
  double mean, deviation;
  double low, p01, p05, p50, p95, p99, high;
  long lowest, highest;  // samples
  double pass, pass_low,
      pass_high;  // part that meets the criterion, with its 95 % interval (Wilson); NaN: none
} lwStudySummary;

lwStudySummary lw_study_summary(const lwStudyData* data, int measure);

// Of the first `rows` rows.
lwStudySummary lw_study_summary_of_first(const lwStudyData* data, int measure, long rows);

// How often criteria are met.
typedef struct lwStudyHold
{
  long count;              // samples with results
  double pass, low, high;  // part that meets them, with its 95 % interval (Wilson); NaN: none
} lwStudyHold;

// Of the criterion of a measure, or of all of them (-1), in the samples with a choice (NULL: all).
lwStudyHold lw_study_hold(const lwStudyData* data, int measure, const lwStoredChoice* choice);

// Whether a measure has a criterion.
bool lw_study_has_criterion(const lwStudyColumn* measure);

// Mean of the measure where the parameter is in its lowest and in its highest tenth.
void lw_study_tornado(const lwStudyData* data, int measure, int parameter, double ends[2]);

// A bar of a tornado chart: a parameter and what its ends do to the measure.
typedef struct lwStudyBar
{
  double size, ends[2];
  int parameter;
} lwStudyBar;

// The bars of all parameters, the largest first, which the caller frees. NULL: out of memory.
lwStudyBar* lw_study_bars(const lwStudyData* data, int measure);

// Counts in LW_STUDY_BINS equal parts from low to high.
void lw_study_histogram(const lwStudyData* data, int measure, double low, double high,
                        long counts[LW_STUDY_BINS]);

// A Sobol' index with its 95 % interval by bootstrap.
typedef struct lwStudyIndex
{
  double value, low, high;
} lwStudyIndex;

// First-order (Saltelli 2010) and total (Jansen 1999) index of a parameter; false: the design is
// another one, or there are too few complete blocks.
bool lw_study_indices(const lwStudyData* data, int measure, int parameter, lwStudyIndex* first,
                      lwStudyIndex* total);

#endif
