// SPDX-License-Identifier: MIT
// Programs as text. One walk over the statements serves all languages; a dialect says how each
// writes things, in forms: texts in which a $ and the character behind it stand for
//
//   $t $v      the robot's name; the version of the library
//   $o         the prefix of all names
//   $T $S      the type of a number, with lanes a vector; the type of one number
//   $f         what names of C's functions end with in single precision
//   $N         lanes
//   $m $q $#   a function: its name, without the prefix; its number, from 1
//   $n $s      an array of a loop, or the function: its name, and its size
//   $w $c $i   an array of a loop: rows, columns, where it begins among all results
//   $A $I      comment lines about a function; what the begin of a C file includes
//   $k $< $>   the number of results; braces around several of them
//   $x $=      a variable: its name, and the expression that it stands for
//   $y $1 $2   an entry of an array; operands
//
// Loops end with $; and are about parameters ($P, with commas between them $p; only those that the
// function does not use: $u), results ($R, $r; only matrices: $M) or functions ($G, $g). A form
// that begins with $+ is for several functions only; $e begins what is for single precision only.
#ifndef LW_GENERATE_EMIT_H
#define LW_GENERATE_EMIT_H

#include "generate/function.h"

typedef struct lwDialect
{
  const char* suffix;     // of the file
  const char* scalar[2];  // types of a number in double and single precision
  const char* float_end;  // of a number in single precision
  bool point;             // numbers need a decimal point or an exponent
  const char* element;    // (array, index) an entry of an array, no form
  int first;              // index of the first entry
  const char* about;      // what comment lines about a function begin with, no form
  // forms: of definitions of constants and variables, of writing a result
  const char *constant, *local, *output;
  const char *sine, *cosine, *root;
  const char* fused;           // $1 $2 + $3 rounded once; NULL: the language has none
  const char *open, *close;    // begin and end of the file
  const char *begin, *finish;  // of a function
} lwDialect;

// The dialect of a language; NULL for LaTeX.
const lwDialect* lw_dialect(lwLanguage language);

// Writes a form of the language. function: NULL where it is about no function.
void lw_emit_form(const lwGenerated* generated, const lwFunction* function, const char* form,
                  lwOut* text);

// One function.
void lw_emit_function(const lwGenerated* generated, const lwFunction* function, lwOut* text);

// All functions into the first file.
void lw_emit(lwGenerated* generated);

// A number as the dialect writes it, in single or double precision.
void lw_emit_number(const lwDialect* dialect, bool single, double value, lwOut* text);

// Entries of the vectors whose sines are computed at once: the lanes, or as many angles of one
// state as 32 bytes hold. Wider vectors are slow where the machine's are not as wide.
int lw_emit_width(const lwGenerated* generated);

// Whether C has vectors: lanes, or sines of all angles at once.
static inline bool lw_emit_has_vectors(const lwGenerated* generated)
{
  return generated->def.lanes > 1 || generated->def.sines == LW_SINES_VECTOR;
}

// The type of vectors of states.
void lw_emit_lanes(const lwGenerated* generated, lwOut* text);

// The types of vectors and their sine and cosine.
void lw_emit_sincos(const lwGenerated* generated, lwOut* text);

// What a C file includes, types of vectors and their sines.
void lw_emit_c_includes(const lwGenerated* generated, lwOut* text);

// Header and test program of C.
void lw_emit_header(lwGenerated* generated, lwOut* text);
// False if memory ran out.
bool lw_emit_test(const lwGenerated* generated, lwOut* text);

// The type of a number that goes in or out: `double`, `float`, or a vector of them (PREFIX_lanes).
const char* lw_emit_type(const lwGenerated* generated);

// `double` or `float`
const char* lw_emit_scalar(const lwGenerated* generated);

#endif
