// SPDX-License-Identifier: MIT
// Internals of torque laws: a program for a stack machine.
#ifndef LW_DRIVE_LAW_H
#define LW_DRIVE_LAW_H

#include "base/diag.h"
#include "linkwork/drive.h"

enum
{
  LW_LAW_MAX_CODES = 256,  // numbers, names and operations of a law
  LW_LAW_MAX_DEPTH = 64,   // of nesting, and so of the stack
  LW_LAW_MAX_STACK = 3 * LW_LAW_MAX_DEPTH + 3,
  LW_LAW_USUAL     = 8  // a stack that is deep enough for usual laws
};

typedef enum lwLawOperation
{
  LW_LAW_NUMBER,
  LW_LAW_T,
  LW_LAW_K,
  LW_LAW_N,
  LW_LAW_Q,
  LW_LAW_QD,
  LW_LAW_NAME,  // one of lwLawText.names
  LW_LAW_NEGATE,
  LW_LAW_ADD,
  LW_LAW_SUBTRACT,
  LW_LAW_MULTIPLY,
  LW_LAW_DIVIDE,
  LW_LAW_POWER,
  LW_LAW_CALL
} lwLawOperation;

// A function of one number, and its first and second derivative where it has the value f.
typedef struct lwLawFunction
{
  const char* name;
  double (*of)(double);
  void (*slopes)(double u, double f, double* first, double* second);
} lwLawFunction;

extern const lwLawFunction LW_LAW_FUNCTIONS[];
extern const int LW_LAW_FUNCTION_COUNT;

// One step of the program.
typedef struct lwLawCode
{
  lwLawOperation operation;
  double number;                  // of a number; index of a name
  const lwLawFunction* function;  // of a call
  int length;                     // of the part of the program that computes this value
  bool varies;                    // with the joint
} lwLawCode;

struct lwLaw
{
  int count;
  int depth;  // of the stack that it needs
  lwLawCode code[LW_LAW_MAX_CODES];
};

// Where a law is written: findings point into that text.
typedef struct lwLawText
{
  lwSource source;
  lwPlace place;     // of the first character of the law
  const char* text;  // the law
  bool state;        // q and qd may be named
  const char* const*
      names;  // (name_count) these may be named instead of t, k, n; NULL: they may not
  int name_count;
} lwLawText;

// lw_law_create() for a law that is part of a file.
lwStatus lw_law_read(const lwLawText* from, lwDiag* diag, lwLaw** law);

// One step: takes its operands off the stack and puts its value there. Returns the new top.
double* lw_law_step(const lwLawCode* code, const lwLawPoint* p, double* top);

#endif
