// SPDX-License-Identifier: MIT
// A function to be written: its program, and what its arguments and results are.
#ifndef LW_GENERATE_FUNCTION_H
#define LW_GENERATE_FUNCTION_H

#include "generate/plan.h"
#include "generate/record.h"
#include "text/out.h"

enum
{
  LW_FUNCTION_NAME   = 256,  // a prefix and the longest questions, LW_QUESTIONS_AT_ONCE of them
  LW_FUNCTION_METHOD = 256,
  LW_FUNCTION_TITLE  = 200
};

// An array that goes in.
typedef struct lwTaken
{
  lwArgument argument;
  const char* name;  // "qd"
  int size;
  const char* meaning;  // with its unit
} lwTaken;

// The angle of a sine and a cosine.
typedef struct lwAngle
{
  lwExpr expr;
  char name[24];  // "23" for q2 + q3
} lwAngle;

typedef struct lwFunction
{
  char name[LW_FUNCTION_NAME];
  char method[LW_FUNCTION_METHOD];
  lwProgram program;
  lwPlan plan;
  lwTaken parameter[LW_ARGUMENT_COUNT + 2];
  int parameters;
  lwResult result[LW_QUESTIONS_AT_ONCE];
  int results;
  lwAngle* angle;  // (angles) those of sines and cosines
  int angles;
} lwFunction;

typedef struct lwGeneratedFile
{
  const char* suffix;
  lwOut text;
} lwGeneratedFile;

enum
{
  LW_GENERATED_FILES = 3
};

struct lwGenerated
{
  lwGenerateDef def;
  char name[LW_FUNCTION_NAME];
  char lanes[LW_FUNCTION_NAME + 8];  // the type of vectors of states, "arm_lanes"
  char title[LW_FUNCTION_TITLE];     // the robot's name, as comments of all languages take it
  const lwModel* model;              // of an arm, while code is made
  const lwSnake* snake;              // or of a snake
  int joints;                        // that move
  int nq;                            // entries of q
  lwFunction* function;
  int functions;
  lwGeneratedFile file[LW_GENERATED_FILES];
  int files;
};

// Which result an output belongs to, and its index there.
const lwResult* lw_function_result(const lwFunction* function, int output, int* index);

const lwAngle* lw_function_angle(const lwFunction* function, lwExpr angle);

// The array of an argument, or NULL.
const lwTaken* lw_function_parameter(const lwFunction* function, lwArgument argument);

// Whether the text has an entry of an argument: angles are not read where their sines are given.
bool lw_function_reads(const lwFunction* function, bool given_sines, lwArgument argument);

// Finds the angles of a program that is planned; false if memory ran out.
bool lw_function_find_angles(lwFunction* function, int joints);
void lw_function_free(lwFunction* function);

#endif
