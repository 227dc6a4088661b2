// SPDX-License-Identifier: MIT
// Letters for the numbers of a robot: m_1, l_1, I_{1zz}. What is zero has none, so that it drops
// out of the equations.
//
// Letters are those of the canonical frames (docs/conventions.md): z along the joint's
// axis, x along the common normal to the next axis. A length between two joints is then
// one letter, as in textbooks.
#ifndef LW_GENERATE_LETTERS_H
#define LW_GENERATE_LETTERS_H

#include "generate/series.h"
#include "model/model_internal.h"

// What may be a letter, of each link; then of the two ends
enum
{
  LW_LETTER_MASS,
  LW_LETTER_CENTRE,         // 3
  LW_LETTER_INERTIA  = 4,   // 6, about the centre of mass
  LW_LETTER_SPAN     = 10,  // 3
  LW_LETTER_D        = 13,
  LW_LETTER_ROTOR    = 14,
  LW_LETTERS_OF_LINK = 15,
  LW_LETTER_GRAVITY  = 0,  // 3
  LW_LETTER_TOOL     = 3,  // 3
  LW_LETTERS_OF_ENDS = 6
};

typedef struct lwLetter
{
  char name[16];  // LaTeX
  double value;   // that of the robot is sign times it
  double sign;
  const char* unit;
  const char* meaning;
  int link;   // moving joint that it belongs to, or LW_BASE
  bool used;  // some equation has it
} lwLetter;

typedef struct lwLetters
{
  int count;
  lwLetter letter[LW_SERIES_VARIABLES];
  int of_link[LW_SERIES_ANGLES][LW_LETTERS_OF_LINK];  // number of a letter, -1: the number is zero
  int of_ends[LW_LETTERS_OF_ENDS];
} lwLetters;

// Of a robot with at most LW_SERIES_ANGLES moving joints.
void lw_letters_of(const lwModel* model, lwLetters* letters);

#endif
