// SPDX-License-Identifier: MIT
// What a results database contains, without SQLite: its description, its rows and its bands. The
// writer (store.c) and the reader (store_read.c) share it, and report sees nothing else.
#ifndef LW_STUDY_CONTENTS_H
#define LW_STUDY_CONTENTS_H

#include "study/study_internal.h"

// A measure and its criterion.
typedef struct lwStoredMeasure
{
  const char* name;
  double below, above;  // infinite: no criterion
} lwStoredMeasure;

// One value of a parameter that is a choice.
typedef struct lwStoredChoice
{
  int parameter;
  int value;  // 1, 2, ..
  const char* name;
} lwStoredChoice;

// The description: everything but rows and bands. Texts and arrays are in an arena.
typedef struct lwContents
{
  const char *version, *name, *file, *text, *fingerprint, *design, *isa;
  long points, samples;  // of the design, and in all
  long commands;         // 1: the study runs programs
  int parameter_count, measure_count, choice_count;
  long band_count, band_steps;
  double band_end;  // s
  const char** parameters;
  lwStoredMeasure* measures;
  lwStoredChoice* choices;  // by parameter, then by value
  const char** bands;       // (band_count) columns
} lwContents;

// The rows of the table `about`.
typedef enum lwAboutKind
{
  LW_ABOUT_TEXT,   // const char*
  LW_ABOUT_WHOLE,  // long
  LW_ABOUT_REAL    // double
} lwAboutKind;

typedef struct lwAboutKey
{
  const char* name;
  lwAboutKind kind;
  size_t offset;     // in lwContents
  bool same;         // databases of one study agree in it
  const char* hint;  // if they do not
} lwAboutKey;

enum
{
  LW_ABOUT_KEYS = 13
};

extern const lwAboutKey LW_ABOUT[LW_ABOUT_KEYS];

// The description of a study that is going to be computed. False: out of memory.
bool lw_contents_of_study(const lwStudy* study, lwArena* arena, lwContents* contents);

// LW_OK if the databases of both are of one study; otherwise diag says what differs in `other`,
// the file at path: LW_ERROR_INPUT.
lwStatus lw_contents_compare(const lwContents* contents, const lwContents* other, const char* path,
                             lwDiag* diag);

// Reports that a file is of another version, with the id by which programs know it.
#define LW_REFUSE_VERSION(diag, hint, ...)                                                         \
  lw_diag_report_id(diag, LW_SEVERITY_ERROR, "other-version", NULL, (lwPlace){0, 0}, hint,         \
                    __VA_ARGS__)

// --- one time of a band

typedef struct lwBandCell
{
  double nominal;  // of the nominal run
  double low, high;
  uint64_t count;
  lwSketch sketch;  // of deviations from it
  uint64_t sum;     // checksum, as written
  bool changed;     // since it was written
} lwBandCell;

// Quantiles of a band that the table has columns for: 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99.
double lw_band_quantile(const lwBandCell* cell, int q);

static inline double lw_band_time(const lwContents* contents, long step)
{
  return contents->band_end * (double)step / (double)(contents->band_steps - 1);
}

// --- checksums, which do not depend on the machine: every step is a bijection of the sum, so a
// single changed number is always noticed

static inline uint64_t lw_sum_word(uint64_t sum, uint64_t word)
{
  sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return sum ^ sum >> 32;
}

uint64_t lw_sum_real(uint64_t sum, double value);
uint64_t lw_sum_text(uint64_t sum, const char* text);
uint64_t lw_contents_sum(const lwContents* contents);
uint64_t lw_row_sum(uint64_t sum, const lwContents* contents, const lwStudyRow* row);
uint64_t lw_cell_sum(long band, long step, const lwBandCell* cell);

// --- reading (store_read.c)

// Called in this order: the description and how many rows there are, every row by increasing
// sample, every cell by band and step. A status other than LW_OK ends the reading with it.
typedef struct lwReading
{
  void* context;
  lwStatus (*begin)(void* context, const lwContents* contents, long rows);
  lwStatus (*row)(void* context, const lwStudyRow* row);  // parameters and measures behind it
  lwStatus (*cell)(void* context, long band, long step, const lwBandCell* cell);
} lwReading;

// Reads a database that may come from anybody, and changes nothing: LW_OK means that its schema
// is ours, that SQLite finds its pages in order, that nothing is missing, that numbers are within
// their ranges, and that all checksums agree. Otherwise diag says why not; what was read until
// then must not be used. held: a descriptor of the file on which the caller holds the lock of the
// writer; -1: none. The contents live in the arena.
lwStatus lw_results_read(const char* path, int held, lwArena* arena, const lwReading* reading,
                         lwDiag* diag);

#endif
