// SPDX-License-Identifier: MIT
// Internals of studies.
//
//   study.yaml --read_study.c--> lwStudy --design.c--> values of sample k
//     --patch_*.c--> robot, scenario --run_*.c--> columns over time --measure.c--> row
//     --store.c--> results database --> report
#ifndef LW_STUDY_STUDY_INTERNAL_H
#define LW_STUDY_STUDY_INTERNAL_H

#include "base/arena.h"
#include "drive/law.h"
#include "linkwork/scenario.h"
#include "linkwork/study.h"
#include "scenario/keep.h"
#include "study/distribution.h"
#include "study/sobol.h"

enum
{
  LW_STUDY_MAX_PARAMETERS = 1000,  // columns of a table
  LW_STUDY_MAX_MEASURES   = 1000,
  LW_STUDY_MAX_GROUP      = 64,          // parameters that depend on each other
  LW_STUDY_MAX_SAMPLES    = 2000000000,  // of 2^32 Sobol' points
  LW_STUDY_BLOCK          = 64,          // rows that an expression is computed for at once
  LW_STUDY_QUANTILES      = 7            // of bands
};

// --- what varies

typedef enum lwPatchOp
{
  LW_PATCH_SET,
  LW_PATCH_SCALE,
  LW_PATCH_ADD
} lwPatchOp;

typedef enum lwPatchWhere
{
  LW_PATCH_FIELD,          // a double in the lwJointDef of a joint; the payload is that of one more
  LW_PATCH_MASS,           // mass of a link, its inertia with it
  LW_PATCH_INERTIA,        // inertia of a link as a whole
  LW_PATCH_GRAVITY,        // gravity as a whole
  LW_PATCH_GRAVITY_ENTRY,  // x, y or z by `joint`
  LW_PATCH_TIME,           // of the trajectory
  LW_PATCH_TEXT,           // a number in the text of the scenario or snake
  LW_PATCH_WORDS           // {NAME} in the words of a command
} lwPatchWhere;

// One number of the robot, scenario or snake that a parameter changes.
typedef struct lwPatch
{
  int parameter;
  int choice;  // it acts where the parameter has this value, and puts `chosen` there; 0: always
  double chosen;
  lwPatchOp op;
  lwPatchWhere where;
  int joint;          // in the description; their number: the payload
  size_t offset;      // of the double; of the first byte in the text
  size_t length;      // bytes in the text
  double number;      // as the text has it
  const char* after;  // what stands behind the number in the text: a unit
  const char* form;   // text that replaces it, the value in place of $; NULL: a number does
} lwPatch;

typedef struct lwParameterDef
{
  const char* name;
  const char** choices;  // (distribution.count) names of the values 1, 2, ..; NULL: it is a number
  lwDistribution distribution;
  int levels;  // of a full factorial
  lwPlace place;
} lwParameterDef;

// Parameters that depend on each other.
typedef struct lwGroup
{
  int count;
  int* members;    // (count) parameters
  double* factor;  // (count, count) Cholesky factor of the correlation matrix
} lwGroup;

extern const char* const LW_DESIGN_WORDS[LW_DESIGN_COUNT + 1];  // ended by NULL

// --- what is measured

typedef enum lwStatistic
{
  LW_STATISTIC_VALUE,  // an expression of parameters and earlier measures
  LW_STATISTIC_PEAK,   // largest magnitude
  LW_STATISTIC_MAX,
  LW_STATISTIC_MIN,
  LW_STATISTIC_FIRST,
  LW_STATISTIC_FINAL,
  LW_STATISTIC_MEAN,
  LW_STATISTIC_RMS,
  LW_STATISTIC_INTEGRAL,
  LW_STATISTIC_QUANTILE,
  LW_STATISTIC_ROW,  // of one record
  LW_STATISTIC_COUNT
} lwStatistic;

typedef struct lwMeasureDef
{
  const char* name;
  lwStatistic kind;
  const lwLaw* law;
  int column;           // it is this column alone; -1: an expression
  double at;            // of a quantile; the number of a record, from 1
  double below, above;  // it passes within; infinite: no criterion
} lwMeasureDef;

// --- the study

typedef struct lwRunKind lwRunKind;

struct lwStudy
{
  const char* name;
  const char* path;      // of the file
  const char* text;      // of the file
  uint64_t fingerprint;  // of the study and of all files that it reads

  lwDesign design;
  uint64_t seed;
  long base;     // samples asked for: points of the design
  long samples;  // in all
  lwSobol* sobol;

  int parameter_count;
  lwParameterDef* parameters;
  int group_count;
  lwGroup* groups;
  int patch_count;
  lwPatch* patches;

  const lwRunKind* run;  // NULL: measures of parameters alone
  void* job;             // what the run needs, read from the file
  bool commands;         // the run may start its program
  const char* linkwork;  // program for the word `linkwork`; NULL: as any other
  lwModel* robot;        // the robot as it is, or NULL
  int payload_joint;     // -1: no payload
  lwLinkDef payload;
  lwScenario* scenario;  // as it is, or NULL
  bool text_varies;      // numbers of the scenario or snake vary

  int column_count;
  const char** columns;  // (column_count) the first is t
  bool* used;            // (column_count) a measure or band asks for it

  int measure_count;
  lwMeasureDef* measures;

  int band_count;
  int* bands;       // (band_count) columns
  int band_steps;   // times of each
  double band_end;  // s, the last of these

  lwKeep keep;
};

// Doubles of a row: parameters, measures, then bands x steps.
static inline int lw_study_numbers(const lwStudy* study)
{
  return study->parameter_count + study->measure_count + study->band_count * study->band_steps;
}

// The numbers behind a row.
static inline double* lw_row_numbers(const lwStudyRow* row)
{
  return (double*)(row + 1);
}

// Whether a patch acts in a sample with these parameters.
static inline bool lw_patch_acts(const lwPatch* patch, const double* values)
{
  return patch->choice == 0 || values[patch->parameter] == patch->choice;
}

static inline double* lw_row_measures(const lwStudy* study, lwStudyRow* row)
{
  return lw_row_numbers(row) + study->parameter_count;
}

static inline double* lw_row_series(const lwStudy* study, lwStudyRow* row)
{
  return lw_row_numbers(row) + study->parameter_count + study->measure_count;
}

// --- a file while it is read (read_study.c)

typedef struct lwStudyReader
{
  lwDocument document;
  lwStudy* study;
  lwKeep* keep;  // of the study
  lwDiag* diag;
} lwStudyReader;

// Reports an error at a place, without a hint; the arguments behind are those of printf.
#define lw_study_error(reader, place, ...)                                                         \
  lw_document_error(&(reader)->document, place, NULL, __VA_ARGS__)

// --- read_study.c, read_vary.c, patch_find.c, read_measure.c

// How many of the nodes are given; *which: the last of these.
static inline int lw_nodes_given(lwNode* const* nodes, int count, int* which)
{
  int given = 0;
  for (int i = 0; i < count; ++i)
    if (nodes[i]) ++given, *which = i;
  return given;
}

// Reports a number that is not whole, or not from least to most.
void lw_study_check_whole(lwStudyReader* reader, const char* key, double value, double least,
                          double most, lwPlace place);

void lw_study_read_parameters(lwStudyReader* reader, lwNode* vary, lwNode* correlated);
// False, after reporting it, if the key is not a valid name of a parameter or measure, or is taken.
bool lw_study_new_name(lwStudyReader* reader, const lwNode* key);
void lw_study_read_sampling(lwStudyReader* reader, lwNode* node);
// Adds a patch like this one for every number that the node names.
void lw_study_find_target(lwStudyReader* reader, const lwPatch* like, const lwNode* node);

void lw_study_read_measures(lwStudyReader* reader, lwNode* measure, lwNode* bands);
void lw_study_read_run(lwStudyReader* reader, lwNode* node, lwNode* payload);

// Columns of a run: t is first. Names of n joints are numbered. Returns the first of them.
int lw_study_column(lwStudyReader* reader, const char* name);
int lw_study_columns(lwStudyReader* reader, const char* symbol, int n);
int lw_study_find_column(const lwStudy* study, const char* name);  // -1: none

// A text file that numbers are varied in.
typedef struct lwTextFile
{
  const char* path;
  const char* text;
  size_t length;
  lwNode* root;
} lwTextFile;

// Reads a file whose nodes live as long as the study. False after reporting what is wrong.
bool lw_study_text_file(lwStudyReader* reader, const char* path, lwPlace place, lwTextFile* file);

// The file with the numbers of a sample, to be freed; NULL: out of memory.
char* lw_study_patched_text(const lwStudy* study, const lwTextFile* file, const double* values,
                            size_t* length);

// --- running

// Columns over time of one sample.
typedef struct lwRecord
{
  long rows, capacity;
  double** column;  // (columns) each (capacity), NULL where it is not used
} lwRecord;

struct lwStudyWorker
{
  const lwStudy* study;
  lwKeep keep;
  void* state;  // of the run
  lwRecord record;
  double* stack;   // for expressions
  double* values;  // (values_capacity) of an expression
  long values_capacity;
  const double** names;  // of an expression: columns, parameters, measures
  bool* scalar;          // of these, which are one number
  lwJointDef* joints;    // of the robot of a sample
  const volatile sig_atomic_t* stop;
};

static inline bool lw_study_stopped(const lwStudyWorker* worker)
{
  return worker->stop && *worker->stop;
}

struct lwRunKind
{
  const char* text;  // what targets in the text of its job, an lwTextFile, begin with; NULL: none
  void (*read)(lwStudyReader* reader, lwNode* node);
  void (*begin)(lwStudyWorker* worker);  // takes memory from worker->keep
  // Runs the sample whose parameters are in the row; lw_study_measure() ends it.
  lwStatus (*run)(lwStudyWorker* worker, lwStudyRow* row);
  // Runs `count` samples together.
  lwStatus (*run_batch)(lwStudyWorker* worker, int count, lwStudyRow* const* rows);
  void (*end)(lwStudyWorker* worker);  // or NULL
  int (*batch)(const lwStudy* study);  // samples together; NULL: 1
};

extern const lwRunKind LW_RUN_INVERSE, LW_RUN_SIMULATE, LW_RUN_SNAKE, LW_RUN_COMMAND;

// Memory for this many rows in all columns that are used; false: out of memory.
bool lw_record_reserve(lwStudyWorker* worker, long rows);

// Puts a value into the last row but `back`.
static inline void lw_record_put(lwRecord* record, int column, double value)
{
  if (record->column[column]) record->column[column][record->rows] = value;
}

// Measures of the record, and bands, into the row.
void lw_study_measure(lwStudyWorker* worker, lwStudyRow* row);

// The row of a sample that could not be computed.
void lw_row_fail(lwStudyRow* row, lwSampleState state, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// The sample failed because the energy of its run does not balance.
void lw_row_distrust(lwStudyRow* row, double S, double bound);

// The row of a sample whose robot or file is wrong, by the first error in diag.
void lw_row_refuse(lwStudyRow* row, const lwDiag* diag);

// Reads a text with the numbers of a sample.
typedef lwStatus lwReadSample(const char* name, const char* text, size_t length, lwDiag* diag,
                              void** made);

// What the file becomes in a sample; NULL: the row says why, or the status is not LW_OK.
void* lw_sample_read(const lwStudyWorker* worker, const lwTextFile* file, lwStudyRow* row,
                     lwReadSample* read, lwStatus* status);

// The robot of a sample from another one; NULL: there is none, and the row says why.
lwModel* lw_study_model(lwStudyWorker* worker, const lwRobotDef* base, lwStudyRow* row);

// Whether a patch is of these kinds.
bool lw_study_varies(const lwStudy* study, lwPatchWhere first, lwPatchWhere last);

// Factor of the trajectory's time.
double lw_study_time(const lwStudy* study, const double* values);

// LW_OK, or LW_ERROR_INPUT and in diag that the study would start a program and may not.
lwStatus lw_study_check_commands(const lwStudy* study, lwDiag* diag);

// --- bands (sketch.c): how often a deviation from the nominal run came, by its leading bits

typedef struct lwSketch
{
  int count, capacity;
  int32_t* key;  // increasing
  uint64_t* times;
} lwSketch;

int32_t lw_sketch_key(double deviation);
double lw_sketch_value(int32_t key);
bool lw_sketch_add(lwSketch* sketch, int32_t key, uint64_t times);  // false: out of memory
double lw_sketch_quantile(const lwSketch* sketch, double p);        // of the deviations
void lw_sketch_free(lwSketch* sketch);

#endif
