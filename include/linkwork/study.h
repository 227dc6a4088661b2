// SPDX-License-Identifier: MIT
/// @file study.h Studies: robots and tasks with uncertain numbers, sampled to give bands and
/// probabilities. Not part of the core library; docs/studies.md describes the file format.
#ifndef LINKWORK_STUDY_H
#define LINKWORK_STUDY_H

#include <signal.h>
#include <stdbool.h>

#include "linkwork/base.h"

/// How the samples of a study are chosen. Sample k does not
/// depend on which thread, process or restart computes it.
typedef enum lwDesign
{
  /// Sobol' sequence with Owen's scrambling.
  LW_DESIGN_SOBOL,
  /// Latin hypercube: in every parameter one sample in each of as many equal parts.
  LW_DESIGN_LATIN_HYPERCUBE,
  /// Independent random numbers.
  LW_DESIGN_MONTE_CARLO,
  /// Every combination of the levels of the parameters.
  LW_DESIGN_FACTORIAL,
  /// The corners of the box of the parameters.
  LW_DESIGN_CORNERS,
  /// Two Sobol' matrices and their mixtures (Saltelli 2010): for indices of sensitivity.
  LW_DESIGN_SALTELLI,
  /// Number of designs.
  LW_DESIGN_COUNT
} lwDesign;

/// The word for a design in files: "sobol", "latin-hypercube", ...
LW_API const char* lw_design_word(lwDesign design);

/// A study as its file describes it. Immutable while it runs; any number of threads may share it.
typedef struct lwStudy lwStudy;

/// Reads a study file and everything that it names, whose paths are relative to its folder. What is
/// wrong is in diag, with file, line and column; *study is NULL unless the status is LW_OK.
LW_API lwStatus lw_study_read_file(const char* path, lwDiag* diag, lwStudy** study);

/// Reads a study from memory; name stands for the file, and its folder for that of the file.
LW_API lwStatus lw_study_read_text(const char* name, const char* text, size_t length, lwDiag* diag,
                                   lwStudy** study);

/// Frees a study. NULL is allowed.
LW_API void lw_study_destroy(lwStudy* study);

/// Sets the number of points (0: as in the file) and the seed. LW_ERROR_INPUT, and why in diag (or
/// NULL), if the design does not let them be chosen.
LW_API lwStatus lw_study_set_samples(lwStudy* study, long points, lwDiag* diag);

/// The program that `run: command` starts, or NULL: the study starts none.
LW_API const char* lw_study_command(const lwStudy* study);

/// Lets a study start its program; without, no worker can be made for it (LW_ERROR_INPUT).
/// A study from a stranger can start any program with any arguments. linkwork, or NULL: the path
/// of the program that stands for the word `linkwork`; it is copied. LW_ERROR_MEMORY is possible.
LW_API lwStatus lw_study_allow_commands(lwStudy* study, const char* linkwork);

/// How many samples there are in all.
LW_API long lw_study_samples(const lwStudy* study);

/// Number of parameters that vary.
LW_API int lw_study_parameter_count(const lwStudy* study);

/// Name of parameter i.
LW_API const char* lw_study_parameter(const lwStudy* study, int i);

/// Number of measures.
LW_API int lw_study_measure_count(const lwStudy* study);

/// Name of measure i.
LW_API const char* lw_study_measure_name(const lwStudy* study, int i);

/// The parameters (lw_study_parameter_count()) of sample k.
/// Sample -1 is the nominal one, every parameter at its median.
LW_API void lw_study_draw(const lwStudy* study, long k, double* values);

// --- samples

/// What became of a sample.
typedef enum lwSampleState
{
  /// It was computed.
  LW_SAMPLE_STATE_DONE,
  /// There is no such robot: a mass below zero, an inertia that no body has.
  LW_SAMPLE_STATE_IMPOSSIBLE,
  /// Its run failed: not finite, ended by an error.
  LW_SAMPLE_STATE_FAILED,
  /// Number of states.
  LW_SAMPLE_STATE_COUNT
} lwSampleState;

/// The word for a state: "done", "impossible", "failed".
LW_API const char* lw_sample_word(lwSampleState state);

enum
{
  /// Bytes of the reason why a sample was not computed.
  LW_SAMPLE_WHY = 200
};

/// One sample and its results: plain bytes, lw_study_row_bytes() of them with the numbers that
/// follow, which can be sent from process to process on machines of one kind.
typedef struct lwStudyRow
{
  /// Its number, from 0; -1: nominal.
  long sample;
  /// What became of it, an lwSampleState.
  int state;
  /// 1 if every criterion is met.
  int pass;
  /// Why it was not computed, or "".
  char why[LW_SAMPLE_WHY];
} lwStudyRow;

/// The numbers behind a row: parameters, then measures (NaN
/// where there is none), then the series of the bands.
LW_API const double* lw_study_row_numbers(const lwStudyRow* row);

/// Bytes of a row.
LW_API size_t lw_study_row_bytes(const lwStudy* study);

/// Computes samples, on one thread.
typedef struct lwStudyWorker lwStudyWorker;

/// Makes a worker; the study must live as long. stop, or NULL: once it is not 0 runs end early,
/// and programs that they started are ended.
LW_API lwStatus lw_study_worker_create(const lwStudy* study, const volatile sig_atomic_t* stop,
                                       lwDiag* diag, lwStudyWorker** worker);

/// Frees a worker. NULL is allowed.
LW_API void lw_study_worker_destroy(lwStudyWorker* worker);

/// How many samples it computes side by side, in lanes.
LW_API int lw_study_worker_batch(const lwStudyWorker* worker);

/// Computes samples first .. first + count - 1 into rows, lw_study_row_bytes() apart.
/// LW_ERROR_MEMORY is the only failure; what is wrong with a sample is in its row.
LW_API lwStatus lw_study_work(lwStudyWorker* worker, long first, int count, void* rows);

// --- results

/// The database with the results of a study, open for writing by this process alone.
typedef struct lwResults lwResults;

/// False: this library was built without SQLite, and there are no databases.
LW_API bool lw_results_possible(void);

/// Opens the database of a study. With resume it continues an existing one, which must be of
/// the same study and the same files, and is validated before it is changed; without, there must
/// be none. LW_ERROR_FILE or LW_ERROR_INPUT with the reason in diag; the id of
/// the message is "other-version" if another version wrote the file.
LW_API lwStatus lw_results_open(const lwStudy* study, const char* path, bool resume, lwDiag* diag,
                                lwResults** results);

/// Closes the database, and removes one that was new and has no rows. NULL is allowed.
LW_API void lw_results_close(lwResults* results);

/// Samples that are in the database.
LW_API long lw_results_done(const lwResults* results);

/// Samples that have no results: impossible or failed.
LW_API long lw_results_faults(const lwResults* results);

/// Only part k of n, from 1, is computed: one of n ranges of samples of about the same length. The
/// databases of all parts can be merged. LW_ERROR_INPUT, and why in diag, if there is no such part.
LW_API lwStatus lw_results_only(lwResults* results, int k, int n, lwDiag* diag);

/// How many samples the database will have when lw_study_run() has computed what is missing.
LW_API long lw_results_goal(const lwResults* results);

/// The next samples that are neither in the database nor handed out before, at most `most` in a
/// row: returns how many, 0 if none is left.
LW_API int lw_results_next(lwResults* results, int most, long* first);

/// Puts count rows into the database, all or none: once this returns LW_OK they are safe.
/// LW_ERROR_FILE with the reason in diag, for example a full disk; earlier rows are kept.
LW_API lwStatus lw_results_put(lwResults* results, const void* rows, int count, lwDiag* diag);

/// Progress of a study, reported from time to time.
typedef struct lwStudyProgress
{
  /// Samples in the database.
  long done;
  /// Samples that it will have in the end.
  long samples;
  /// Samples that this run has computed.
  long computed;
} lwStudyProgress;

/// Called by one thread at a time.
typedef void lwStudyTell(void* context, const lwStudyProgress* progress);

/// Computes everything that is missing, on threads (0: as many as the machine has), and
/// stores it in the database chunk by chunk. stop, or NULL: once it is not 0 the run ends,
/// and stored rows are kept. tell may be NULL.
LW_API lwStatus lw_study_run(const lwStudy* study, lwResults* results, int threads,
                             const volatile sig_atomic_t* stop, lwStudyTell* tell, void* context,
                             lwDiag* diag);

/// Puts the rows of several databases of one study and one version into a new one, which appears
/// when it is whole. They may come from anybody: each is validated. stop, or NULL: once it is not 0
/// nothing is written. LW_ERROR_FILE or LW_ERROR_INPUT with the reason in diag; the id of
/// the message is "other-version" if another version wrote the file.
LW_API lwStatus lw_results_merge(const char* path, int count, const char* const* from,
                                 const volatile sig_atomic_t* stop, lwDiag* diag);

#endif
