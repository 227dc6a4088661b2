// SPDX-License-Identifier: MIT
// Formulas of a document, written once: papers/NAME/equations.txt. They are set as a picture for
// the page, and evaluated, in doubles and in a prime field, so that the page is the test.
//
//   equations.txt --read--> Formulas --draw--> equations.svg
//                                     --run(REAL)--> values --> the kernels' answers
//
// A line of the file is
//   symbol NAME LOOK        how a name is set: \omega, \dot\omega, d(V/u), u<R (formulas_draw.c)
//   NUMBER: LEFT = RIGHT, RANGES      (6): V[i+1] = V[i]*C[i] + w[i]*h[i]*S[i], i = 1..n-1
//   mark ERRATUM            the next equation is corrected by this erratum, and is set in red
//   text WORDS              a line of text between equations
// RIGHT has + - * / (a product of scalars, matrices and vectors), × (cross), · (dot), ' (transposed),
// sum(i, FIRST, LAST, TERM), trace(matrix), tilde(vector) and axial(skew matrix), its inverse; for
// arms also the derivatives dt(TERM) by time and d(TERM, x[j]) by x = q, qd or qdd
// of a joint, exact. Ranges run outward; with `down` after them, inward.
//   NUMBER: LEFT == RIGHT, RANGES     what must hold, where = finds the value of a name; the number
//                                     "check": not in the picture
#ifndef PAPERS_FORMULAS_H
#define PAPERS_FORMULAS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum
{
  FORMULA_INDICES = 3,
  FORMULA_RANGES  = 2
};

typedef enum TermKind
{
  TERM_NUMBER,
  TERM_NAME,  // with indices, which are terms of integers
  TERM_ADD,
  TERM_SUBTRACT,
  TERM_MULTIPLY,
  TERM_DIVIDE,
  TERM_CROSS,
  TERM_DOT,
  TERM_NEGATE,
  TERM_TRANSPOSE,
  TERM_TILDE,
  TERM_AXIAL,
  TERM_TRACE,
  TERM_RATE,     // of `left`, by time
  TERM_PARTIAL,  // of `left`, by `right`: a name with one index
  TERM_BRACKET,
  TERM_SUM  // of `left`, over `name` from index[0] to index[1]
} TermKind;

typedef struct FormulaTerm
{
  TermKind kind;
  double number;
  const char* name;
  int indices;
  struct FormulaTerm* index[FORMULA_INDICES];
  struct FormulaTerm *left, *right;
} FormulaTerm;

typedef struct FormulaRange
{
  const char* name;
  FormulaTerm *first, *last;
} FormulaRange;

typedef struct Formula
{
  const char* number;  // "(6)", "check", or NULL: a line of text
  const char* text;
  const char* erratum;  // or NULL
  FormulaTerm *left, *right;
  bool holds;  // the sides are equal; otherwise left is a name that gets its value here
  int ranges;
  FormulaRange range[FORMULA_RANGES];
  bool down;
  int line;
} Formula;

typedef struct FormulaSymbol
{
  const char *name, *look;
} FormulaSymbol;

typedef struct Formulas
{
  lwArena arena;
  int count, symbols;
  Formula* equation;      // (count)
  FormulaSymbol* symbol;  // (symbols)
  bool derivatives;       // some equation has them
  char wrong[200];        // what is wrong with the file, "" if nothing is
} Formulas;

// False: what is wrong is in formulas->wrong. Must be freed either way.
bool formulas_read(Formulas* formulas, const char* name, const char* text, size_t length);
void formulas_free(Formulas* formulas);

// The picture as SVG; the caller frees it. NULL: no memory.
char* formulas_svg(const Formulas* formulas);

// --- evaluated

// How frames are laid in the equations of arms; or a snake.
typedef enum FormulaFrames
{
  FRAMES_MODIFIED,
  FRAMES_STANDARD,
  FRAMES_SNAKE
} FormulaFrames;

// What the equations find and the kernels answer: torques "tau", or the lower triangle of the inertia
// matrix; of a snake "V", "w" and "ud".
typedef struct FormulaAnswer
{
  const char* name;
  bool matrix, upper;  // upper: H[i,j] for i <= j
} FormulaAnswer;

typedef struct FormulaTrial
{
  double error;       // in doubles: largest difference, relative to the largest answer; of two
                      // sides that must be equal, to the larger one or 1
  int entries;        // compared in the prime field,
  int different;      // and not equal there
  const char* wrong;  // a name without a value, or NULL
} FormulaTrial;

// Evaluates the equations for chains of a few joints, or snakes, at random states, in doubles and in
// integers modulo 2^61 - 1, and compares them with the kernels. False: no memory.
bool formulas_try_double(const Formulas* formulas, FormulaFrames frames, int count,
                         const FormulaAnswer* answers, FormulaTrial* trial);
bool formulas_try_prime(const Formulas* formulas, FormulaFrames frames, int count,
                        const FormulaAnswer* answers, FormulaTrial* trial);

#endif
