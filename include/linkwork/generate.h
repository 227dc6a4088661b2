// SPDX-License-Identifier: MIT
/// @file generate.h  Straight-line code for one robot: no library, no allocation, no loop.
///
/// The kernels of the library run with a scalar that builds a graph of expressions instead of
/// computing numbers. The graph is simplified for this robot and written as the source of a
/// function in one of several languages. docs/generate.md shows examples, counts and times.
#ifndef LINKWORK_GENERATE_H
#define LINKWORK_GENERATE_H

#include "linkwork/methods.h"
#include "linkwork/snake.h"

/// Languages of generated code.
typedef enum lwLanguage
{
  /// C99.
  LW_LANGUAGE_C,
  /// Python 3, standard library only.
  LW_LANGUAGE_PYTHON,
  /// MATLAB and Octave.
  LW_LANGUAGE_MATLAB,
  /// JavaScript.
  LW_LANGUAGE_JAVASCRIPT,
  /// Rust, standard library only.
  LW_LANGUAGE_RUST,
  /// LaTeX equations, expanded and collected as in a textbook; for small arms.
  LW_LANGUAGE_LATEX,
  /// Number of languages.
  LW_LANGUAGE_COUNT
} lwLanguage;

/// The language of that name ("c", "python", "matlab", "javascript", "rust", "latex"), or -1.
LW_API int lw_language_find(const char* name);

/// The name of a language, NULL outside 0 <= language < LW_LANGUAGE_COUNT.
LW_API const char* lw_language_name(lwLanguage language);

/// What a generated function takes beside the state: flags.
typedef enum lwGenerateArgument
{
  /// The wrench on the last link (6), N and N m, for inverse and forward.
  LW_GENERATE_ARGUMENT_WRENCH = 1,
  /// Gravity (3), m/s^2, in the base frame, instead of the robot's own.
  LW_GENERATE_ARGUMENT_GRAVITY = 2,
  /// A body (10) that the last link carries: mass, centre of mass, inertia about it, xx yy zz xy xz
  /// yz, in the frame of that link.
  LW_GENERATE_ARGUMENT_PAYLOAD = 4,
  /// No argument: writes beside every function, which is then named PREFIX_question_values, those
  /// that CasADi's external("PREFIX_question") calls, with sparsity and Jacobian. C, double, one
  /// lane, sines not given.
  LW_GENERATE_ARGUMENT_CASADI = 8
} lwGenerateArgument;

/// Where sines and cosines come from.
typedef enum lwSines
{
  /// The mathematical library of the language.
  LW_SINES_MATH,
  /// The caller, who passes the cosines and sines of q.
  LW_SINES_GIVEN,
  /// The library's own, all angles of a state in one or two vectors. C only.
  LW_SINES_VECTOR
} lwSines;

/// Robots with more moving joints are refused: the code would be larger than the caches, and slower
/// than the kernels long before.
#define LW_GENERATE_MAX_JOINTS 64

/// What to generate. Start from lw_generate_def().
typedef struct lwGenerateDef
{
  /// Questions, "inverse,inertia+bias": one function for each word between commas; questions that
  /// are joined by + are answered by one function, which shares work.
  const char* questions;
  /// A method of the questions, or "best": the one with the fewest operations for this robot.
  const char* method;
  /// Language.
  lwLanguage language;
  /// Type of all numbers in C and Rust; LW_PRECISION_SINGLE: float, f32.
  lwPrecision precision;
  /// States that one call answers side by side, in vectors; 1, 2, 4, 8 or 16. C only.
  int lanes;
  /// Sum of LW_GENERATE_ARGUMENT_..
  unsigned arguments;
  /// Prefix of the function names. An identifier.
  const char* name;
  /// Base name of the files, with which the C code includes its header. NULL: there is no header.
  const char* file;
  /// Where sines and cosines come from.
  lwSines sines;
  /// The robot's numbers as letters, m_1, l_1, I_1zz. LaTeX only.
  bool symbols;
  /// Writes products that are added as fused multiply-adds, rounded once: fma() in C, mul_add() in
  /// Rust. For targets that have the instruction; elsewhere they are slow. Not with lanes.
  bool fused;
  /// States of the test program; 0: none is made. C only.
  int test_states;
  /// Set by lw_generate_def(); leave it as it is.
  unsigned cookie;
} lwGenerateDef;

/// The defaults: inverse, by the best method, in C, double, one lane, "arm", no test program.
LW_API lwGenerateDef lw_generate_def(void);

/// Generated code.
typedef struct lwGenerated lwGenerated;

/// Generates code for a robot; with closed loops, for the open tree of its joints. With ball and
/// floating joints, q has lw_model_nq() entries, and only the direction of quaternions matters, as
/// in lw_answer(). LW_ERROR_INPUT, with the reason in diag, for unknown questions, a name that is
/// not an identifier, a robot that is too large or an option that the language does not have;
/// LW_ERROR_METHOD if no method of that name answers a question.
LW_API lwStatus lw_generate(const lwModel* model, const lwGenerateDef* def, lwDiag* diag,
                            lwGenerated** generated);

/// Generates code for a snake. Questions are forward (udot), inverse (torques of lw_snake_torque(),
/// for three links or more) and the other names of lwSnakeAnswers; functions take theta (n), u (2)
/// and torque (n-1), or udot (2) for inverse. No LaTeX, no arguments. A posture in which
/// lw_snake_torque() has a rank below 2 divides by zero.
LW_API lwStatus lw_generate_snake(const lwSnake* snake, const lwGenerateDef* def, lwDiag* diag,
                                  lwGenerated** generated);

/// Frees generated code. NULL is allowed.
LW_API void lw_generated_destroy(lwGenerated* generated);

/// Number of files: one, and in C a header and, if asked for, a test program.
LW_API int lw_generated_files(const lwGenerated* generated);

/// What the name of file i ends with, ".c", ".h", "_test.c".
LW_API const char* lw_generated_suffix(const lwGenerated* generated, int i);

/// The text of file i.
LW_API const char* lw_generated_text(const lwGenerated* generated, int i);

/// Number of functions.
LW_API int lw_generated_functions(const lwGenerated* generated);

/// Operations of function i; executed and folded counts are equal. Sines are not counted.
LW_API lwCount lw_generated_count(const lwGenerated* generated, int i);

/// Pairs of a sine and a cosine that function i computes.
LW_API int lw_generated_sines(const lwGenerated* generated, int i);

/// A robot whose code was generated, compiled and loaded while the program runs.
typedef struct lwSpecialised lwSpecialised;

/// Generates C for the robot and the questions (sum of LW_ASKS(); 0: inverse, forward and inertia),
/// compiles it for this machine with $CC, clang, gcc or cc, loads it, and compares its answers with
/// those of the kernels. Takes a second or so. If that fails (no compiler, the robot is too large,
/// the answers differ), the kernels answer instead, and lw_specialised_reason() says why.
/// LW_ERROR_MEMORY is the only failure.
LW_API lwStatus lw_model_specialise(const lwModel* model, unsigned questions, lwDiag* diag,
                                    lwSpecialised** specialised);

/// Unloads the code. NULL is allowed.
LW_API void lw_specialised_destroy(lwSpecialised* specialised);

/// NULL if generated code answers the question; else why the kernels do.
LW_API const char* lw_specialised_reason(const lwSpecialised* specialised, lwQuestion question);

/// As lw_answer() without a wrench. One thread at a time.
LW_API void lw_specialised_answer(lwSpecialised* specialised, lwQuestion question,
                                  const lwStates* state, double* out);

/// As lw_answer_many() by state, without a wrench. One thread at a time.
LW_API void lw_specialised_answer_many(lwSpecialised* specialised, lwQuestion question, int count,
                                       const lwStates* states, double* out);

#endif
