// SPDX-License-Identifier: MIT
// Programs as text. One walk over the statements serves all languages of numbers; a dialect says how each writes what.
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
  const char* float_end;  // of a number in single precision
  bool point;             // numbers need a decimal point or an exponent
  void (*open)(const lwGenerated* generated, lwText* text);  // begin of the file
  void (*begin)(const lwGenerated* generated, const lwFunction* function, lwText* text);
  void (*finish)(const lwGenerated* generated, const lwFunction* function, lwText* text);
  void (*close)(const lwGenerated* generated, lwText* text);
};

// The dialect of a language; NULL for LaTeX.
const lwDialect* lw_dialect(lwLanguage language, lwPrecision precision);

// All functions into the first file.
void lw_emit(lwGenerated* generated);

// What people should know about a function: robot, method, counts, units and order of arguments, as comment lines.
void lw_emit_about(const lwGenerated* generated, const lwFunction* function, const char* comment,
                   lwText* text);

// A number as the dialect writes it.
void lw_emit_number(const lwGenerated* generated, const lwDialect* dialect, double value,
                    lwText* text);

// Header and test program of C.
void lw_emit_header(lwGenerated* generated, lwText* text);
// False if memory ran out.
bool lw_emit_test(const lwGenerated* generated, const lwModel* model, lwText* text);

// `double` or `float`
const char* lw_emit_type(const lwGenerated* generated);

// "const double* restrict q, ..., double* restrict tau"
void lw_emit_c_parameters(const lwGenerated* generated, const lwFunction* function, lwText* text);

#endif
