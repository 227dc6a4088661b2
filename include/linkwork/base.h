// SPDX-License-Identifier: MIT
/// @file base.h  Version, status codes and diagnostics.
///
/// How errors are reported, everywhere: a function that can fail returns an lwStatus, and on
/// failure writes NULL to what it would have made, or leaves it alone. Where more than one
/// thing can be wrong it also takes an lwDiag, which may be NULL, and says there what was
/// wrong and what was expected. Functions that search by name return -1 or NULL if there is
/// no such name. All other functions cannot fail: whatever could be wrong was refused when
/// the model, workspace or run was made.
///
/// A struct whose name ends with Def and that has a function lw_..._def() must start from it; a
/// create function refuses any other with LW_ERROR_DEF.
#ifndef LINKWORK_BASE_H
#define LINKWORK_BASE_H

#include <stddef.h>

/// Marks a declaration as part of the API: exported from the shared libraries, with C linkage.
#if defined(_MSC_VER) && defined(__cplusplus)  // MSVC links with the static library
#define LW_API extern "C"
#elif defined(_MSC_VER)
#define LW_API extern
#elif defined(__cplusplus)
#define LW_API extern "C" __attribute__((visibility("default")))
#else
#define LW_API __attribute__((visibility("default")))
#endif

#define LW_VERSION_MAJOR 1  ///< Of the headers: it changes when programs have to be adapted.
#define LW_VERSION_MINOR 0  ///< It changes with additions.
#define LW_VERSION_PATCH 0  ///< It changes with corrections.
/// Version of the library that runs, "major.minor.patch". It may be newer than that of the headers.
LW_API const char* lw_version(void);

/// All status codes, each with the sentence that lw_status_text() returns.
#define LW_STATUS_LIST(X)                                                                          \
  X(LW_OK, "done")                                                                                 \
  X(LW_ERROR_MEMORY, "out of memory")                                                              \
  X(LW_ERROR_FILE, "the file cannot be read")                                                      \
  X(LW_ERROR_INPUT, "the input is wrong; the diagnostics say where")                               \
  X(LW_ERROR_METHOD, "no method answers this question, or none for this robot")                    \
  X(LW_ERROR_ISA, "LINKWORK_ISA names an instruction set that this machine or build lacks")        \
  X(LW_ERROR_FRAME, "the frame is on no link of this robot, or is not finite")                     \
  X(LW_ERROR_LOCK, "these joints cannot be held; the diagnostics say why")                         \
  X(LW_ERROR_DEF, "a definition was not made by its lw_..._def() function")                        \
  X(LW_ERROR_QUAD, "no 113-bit arithmetic for this; the diagnostics say why")                      \
  X(LW_ERROR_OPEN, "the loops of the robot are not closed in this state, or cannot be")            \
  X(LW_ERROR_UNDRIVEN, "no torques of the driven joints produce this motion")                      \
  X(LW_ERROR_NUMERICAL, "the numbers determine no answer; the diagnostics say why")

/// An enumerator of the list; undefined again below.
#define LW_STATUS_ENUMERATOR(name, text) name,

/// How a constructor or a reader ended: the enumerators of LW_STATUS_LIST.
typedef enum lwStatus
{
  LW_STATUS_LIST(LW_STATUS_ENUMERATOR)
} lwStatus;
#undef LW_STATUS_ENUMERATOR

/// The sentence of a status, never NULL.
LW_API const char* lw_status_text(lwStatus status);

/// How bad a finding is.
typedef enum lwSeverity
{
  /// Nothing is made from the input.
  LW_SEVERITY_ERROR,
  /// Doubtful, but accepted.
  LW_SEVERITY_WARNING
} lwSeverity;

/// A place in a text file, counted from 1. Line 0: no place is known.
typedef struct lwPlace
{
  /// Line, from 1. 0: no place is known.
  int line;
  /// Column in bytes, from 1.
  int column;
} lwPlace;

/// One finding. Strings belong to the lwDiag and live as long as it does.
typedef struct lwMessage
{
  /// Whether it is an error or a warning.
  lwSeverity severity;
  /// The file as the caller named it, or NULL.
  const char* file;
  /// Where in the file.
  lwPlace place;
  /// One sentence: what is wrong and what was expected.
  const char* text;
  /// The line of the file, or NULL.
  const char* source;
  /// What to do about it, or NULL. Options are named by their fields: "lwReadOptions.fix".
  const char* hint;
  /// Name by which a robot file can accept the warning, "triangle-rule", or NULL.
  const char* id;
} lwMessage;

/// A growing list of findings.
typedef struct lwDiag lwDiag;

/// Makes an empty list; NULL when out of memory. Every function accepts NULL instead of a list and
/// then reports nothing.
LW_API lwDiag* lw_diag_create(void);
/// Frees the list and its messages. NULL is allowed.
LW_API void lw_diag_destroy(lwDiag* diag);

/// Number of messages kept, of any severity.
/// After the first 100 errors further ones are only counted.
LW_API int lw_diag_size(const lwDiag* diag);

/// Number of findings of one severity, kept or not.
LW_API int lw_diag_count(const lwDiag* diag, lwSeverity severity);

/// Message i, 0 <= i < lw_diag_size().
LW_API const lwMessage* lw_diag_message(const lwDiag* diag, int i);

/// How many files were opened for reading while this diag collected findings: a robot, the parts
/// and meshes it refers to.
LW_API int lw_diag_file_count(const lwDiag* diag);

/// The path of file i of these, 0 <= i < lw_diag_file_count(), as it was opened.
/// It lives as long as the diag.
LW_API const char* lw_diag_file(const lwDiag* diag, int i);

/// The message as people read it, `file:line:column: error: text`, the source line and the hint,
/// each line ended by a newline. Writes at most size bytes including the final 0 and returns the
/// length of the whole text.
LW_API size_t lw_message_format(const lwMessage* message, char* buffer, size_t size);

#endif
