// SPDX-License-Identifier: MIT
// Programs as text. One walk over the statements serves all languages; a
// dialect says how each writes things.
#ifndef LW_GENERATE_EMIT_H
#define LW_GENERATE_EMIT_H

#include "generate/function.h"

typedef struct lwDialect lwDialect;
struct lwDialect
{
  const char* suffix;     // of the file
  const char* comment;    // that a line begins with
  const char* constant;   // (name, number) the definition of a constant
  const char* local;      // (name) what the definition of a variable begins with
  const char* end;        // of a statement
  const char* element;    // (array, index) an entry of an array
  int first;              // index of the first entry
  const char* sine;       // (angle)
  const char* cosine;     // (angle)
  const char* root;       // (radicand)
  const char* fused;      // (a, b, c) of a b + c rounded once; NULL: the language has none
  const char* float_end;  // of a number in single precision
  bool point;             // numbers need a decimal point or an exponent
  void (*open)(const lwGenerated* generated, lwCodeText* text);  // begin of the file
  void (*begin)(const lwGenerated* generated, const lwFunction* function, lwCodeText* text);
  void (*finish)(const lwGenerated* generated, const lwFunction* function, lwCodeText* text);
  void (*close)(const lwGenerated* generated, lwCodeText* text);
};

// The dialect of a language; NULL for LaTeX.
const lwDialect* lw_dialect(lwLanguage language, lwPrecision precision);

// All functions into the first file.
void lw_emit(lwGenerated* generated);

// What people should know about a function: robot, method, counts,
// units and order of arguments, as comment lines.
void lw_emit_about(const lwGenerated* generated, const lwFunction* function, const char* comment,
                   lwCodeText* text);

// A number as the dialect writes it.
void lw_emit_number(const lwGenerated* generated, const lwDialect* dialect, double value,
                    lwCodeText* text);

// Entries of the vectors whose sines are computed at once: the lanes, or as many angles of one
// state as 32 bytes hold. Wider vectors are slow where the machine's are not as wide.
int lw_emit_width(const lwGenerated* generated);

// Whether C has vectors: lanes, or sines of all angles at once.
static inline bool lw_emit_has_vectors(const lwGenerated* generated)
{
  return generated->def.lanes > 1 || generated->def.sines == LW_SINES_VECTOR;
}

// The type of vectors of states.
void lw_emit_lanes(const lwGenerated* generated, lwCodeText* text);

// The types of vectors and their sine and cosine.
void lw_emit_sincos(const lwGenerated* generated, lwCodeText* text);

// Header and test program of C.
void lw_emit_header(lwGenerated* generated, lwCodeText* text);
// False if memory ran out.
bool lw_emit_test(const lwGenerated* generated, lwCodeText* text);

// The type of a number that goes in or out: `double`, `float`, or a vector of them (PREFIX_lanes).
const char* lw_emit_type(const lwGenerated* generated);

// `double` or `float`
const char* lw_emit_scalar(const lwGenerated* generated);

// "const double* restrict q, ..., double* restrict tau"
void lw_emit_c_parameters(const lwGenerated* generated, const lwFunction* function,
                          lwCodeText* text);

#endif
