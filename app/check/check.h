// SPDX-License-Identifier: MIT
// linkwork check: all formulations against each other, or a file of torques against ours.
//
//   seed --check_state.c--> states --checks.c--> gaps in units of rounding --check_methods.c--> table
//   torques.csv --check_against.h--> difference, and what explains it
#ifndef APP_CHECK_CHECK_H
#define APP_CHECK_CHECK_H

#include <stdint.h>

#include "app.h"
#include "io/output.h"

// One state of the motion, and how to say it.
typedef struct CheckState
{
  int n;
  double* q;         // (n) within the limits; rad or m
  double* qd;        // (n) rad/s or m/s
  double* qdd;       // (n) rad/s^2 or m/s^2
  double* tau;       // (n) torques of no particular motion, N m or N
  double wrench[6];  // zeros in every second state
} CheckState;

int check_state_create(CheckState* state, int n);
void check_state_destroy(CheckState* state);

// State `number`, counted from 1, of a seed: the same on every machine, however many are asked for.
// With `single` all numbers are floats, so that rounding the input is not blamed on a method.
void check_state_fill(CheckState* state, const lwModel* model, uint64_t seed, long number,
                      bool single);

// The arguments `--q .. --qd ..` that give the inputs of a question.
void check_state_write(Out* out, const CheckState* state, unsigned inputs);
void check_path_write(Out* out, const char* path);  // quoted for the shell if need be

// What was found out about a disagreement: how large, and the size of the terms that make up the
// answer. |difference| / (eps scale) is its size in units of rounding.
typedef struct Gap
{
  double difference;
  double scale;
} Gap;

// Everything that the checks of one state share.
typedef struct Checker
{
  const lwModel* model;
  int n;
  double epsilon;          // of the precision
  double step;             // of the differences in the power balance, as an angle
  lwWorkspace* reference;  // the default methods, in double
  lwWorkspace* plain;      // the default methods, in the precision
  CheckState state;
  double* M;        // (n, n) and the others (n): what the reference says about the state
  double* tau;      // inverse dynamics
  double* bias;     // C qd + g - J^T w
  double* rest;     // |C qd| + |g| + |J^T w|
  double* answer;   // (n, n) of the method that is checked
  double* scratch;  // (4, n)
} Checker;

int checker_create(Checker* checker, const lwModel* model, lwPrecision precision);
void checker_destroy(Checker* checker);

// Fills M .. rest for the state, and gives its torques the size of those of the motion. False: not
// finite.
bool checker_refer(Checker* checker);

// One property that methods must have.
typedef struct Check
{
  const char* name;
  lwQuestion question;  // whose methods are checked one by one, unless it is LW_QUESTION_ENERGY
  Gap (*gap)(Checker* checker, lwWorkspace* ws);
  double base, per_joint;  // of the bound, in units of rounding: base + per_joint n
  lwQuestion shown;        // the command that shows it to people
} Check;

extern const Check CHECKS[];
extern const int CHECK_COUNT;

// The whole number of an option; *value stays if it is not given. Prints what is wrong and returns
// USAGE, or DONE.
int check_integer(const Options* options, Option option, long low, long high, long* value);

int check_methods(const Options* options, Format format, const lwModel* model);
int check_against(const Options* options, Format format, const lwModel* model);

#endif
