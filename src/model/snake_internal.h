// SPDX-License-Identifier: MIT
// The snake as kernels see it. include/linkwork/snake.h says what a snake is.
#ifndef LW_MODEL_SNAKE_INTERNAL_H
#define LW_MODEL_SNAKE_INTERNAL_H

#include "base/arena.h"
#include "linkwork/snake.h"

// Constants of link k, T being the type of a number. h is half its length, d the wheel's offset.
#define LW_SNAKE_PART_FIELDS(T)                                                                    \
  T mass;         /* kg, m */                                                                      \
  T inertia;      /* kg m^2, I, about the centre of mass */                                        \
  T axle_inertia; /* kg m^2, I + m d^2, about the axle */                                          \
  T half;         /* m, h */                                                                       \
  T offset;       /* m, d */                                                                       \
  T first_moment; /* kg m, m d */                                                                  \
  T front;        /* m, h - d, from the axle to the joint ahead */                                 \
  T rear;         /* m, h + d, from the joint behind to the axle */                                \
  T over_front;   /* 1/m */                                                                        \
  T over_rear;    /* 1/m */                                                                        \
  T front_over_rear;                                                                               \
  T rolling;       /* kg, J = (I + m d^2) / rear^2 */                                              \
  T mass_less_J;   /* kg, m - J */                                                                 \
  T reach;         /* m, from the middle of link 1 or the joint behind to the joint ahead */       \
  T carried;       /* kg m, h m + reach (mass of all links ahead); without h m for link 1 */       \
  T own;           /* kg m^2, d^2 K / d omega^2: I + h^2 m + reach^2 (mass of all links ahead) */  \
  T ahead;         /* kg, mass of this link and all ahead of it */                                 \
  T ahead_share;   /* mass of all links ahead of it / ahead */                                     \
  T ahead_reduced; /* kg, m * ahead_share */

// Sums over all links.
#define LW_SNAKE_SUM_FIELDS(T)                                                                     \
  T mass;    /* kg, of m */                                                                        \
  T rolling; /* kg, of J */

typedef struct lwSnakeSums64
{
  LW_SNAKE_SUM_FIELDS(double)
} lwSnakeSums64;

typedef struct lwSnakeSums32
{
  LW_SNAKE_SUM_FIELDS(float)
} lwSnakeSums32;

typedef struct lwSnakePart64
{
  LW_SNAKE_PART_FIELDS(double)
} lwSnakePart64;

typedef struct lwSnakePart32
{
  LW_SNAKE_PART_FIELDS(float)
} lwSnakePart32;

struct lwSnake
{
  int n;          // links
  bool uniform;   // all alike
  bool centred;   // every wheel is in the middle of its link
  bool from_tip;  // forces between links lose less precision from the last link to the first
  const lwSnakePart64* part64;  // (n)
  const lwSnakePart32* part32;  // (n)
  lwSnakeSums64 sums;
  lwSnakeSums32 sums32;
  const void* scalar_parts;  // (n) for kernels with LW_OWN_CONSTANTS: Part in their REAL
  const void* scalar_sums;   // for the same kernels: Sums in their REAL
  const int* chain;          // (n + 2) i - 1: the parent of coordinate i in a factorisation
  const lwSnakeLink* links;  // (n)
  const char* name;
  const char* origin;  // or NULL
  lwArena arena;
};

// Reports all findings about a description; see lw_robot_validate().
lwStatus lw_snake_validate(const lwSnakeDef* def, const lwLint* lint, lwDiag* diag);

// Validation where some entries of links could not be read: reports nothing about
// those, nor about the snake as a whole.
lwStatus lw_snake_validate_rest(const lwSnakeDef* def, const bool* unread, const lwLint* lint,
                                lwDiag* diag);

#endif
