// SPDX-License-Identifier: MIT
// Forward dynamics of robots whose rows hold links together, by formulations side by side:
//
//   M qdd + h = tau + J^T f        J qdd + c = 0        c = dJ/dt qd
//
//   augmented.c           both equations at once, L D L^T
//   kane.c                speeds that fulfil the rows: the null space of J
//   range_space.c         forces first, with the factors of the tree
//   udwadia_kalaba.c      what the rows add to the accelerations of the tree, by a pseudo-inverse
//   popov_vereshchagin.c  Gauss' principle from the tips to the base, forces of rows carried along
//   operational_space.c   articulated bodies, and the rows' extended operational space inertia
//   proximal.c            rows as stiff springs, relaxed step by step; for redundant rows
//
// Each is a function of the same equations (equations.h), over every scalar: measured with one that
// counts, proven equal in a field, timed in double. src/loop/dynamics.c is what people are given.
#ifndef LW_KERNELS_CONSTRAINED_FORMULATION_H
#define LW_KERNELS_CONSTRAINED_FORMULATION_H

#include "kernels/kernel.h"
#include "model/loops.h"

// A row that is kept.
typedef struct lwHeldRow
{
  int row;              // of the model
  int loop;             // of lwConstraints.ends
  int carried;          // the end whose link the direction turns with: 0 or 1
  bool turns;           // an angle; else a length
  int first, second;    // freedoms that a gear couples; else -1
  double direction[3];  // in the axes of that end's frame; of a gear its ratio; of a wheel its axle
  double radius;        // of a wheel or disc, m; else 0
  bool across;          // the row across the heading of a disc
} lwHeldRow;

// The rows of a model whose freedoms are those of its kernels.
typedef struct lwConstraints
{
  int rows;
  const lwHeldRow* row;  // (rows)
  const lwView* ends;    // (2 loops) frames A and B
  const void* own;       // (rows, 3) directions in REAL, for kernels with LW_OWN_CONSTANTS
  int all;               // rows of the model
  const lwSpeedPlan* plan;
} lwConstraints;

// Accelerations (n) and forces of the rows (rows) of a state with q, qd, tau and rotors. force is
// also where proximal steps, state->refine of them, start from. work: aligned to 64 bytes,
// lw_formulation_numbers() REALs. Rows must be independent but for proximal steps.
typedef void lwFormulation(const lwModel* model, const lwConstraints* rows, void* work,
                           const lwState* state, void* qdd, void* force);

// N and e of the speeds of the plan, (n, lw_speed_width()) with e in column `count`, of a state with q
// and qd. work: as above.
typedef void lwNullMotion(const lwModel* model, const lwConstraints* rows, void* work,
                          const lwState* state, void* N);

// count + 1, and up to a multiple of 4
static inline size_t lw_speed_width(int count)
{
  return (size_t)count / 4 * 4 + 4;
}

// X(identifier, name, aliases, citation, order of growth)
#define LW_FORMULATIONS(X)                                                                         \
  X(augmented, "augmented", LW_ALIAS("kkt"), "nia2005 (27); L^T D L", "(n + m)^3")                 \
  X(kane_rows, "null-space", LW_ALIAS("kane"), "Kane & Levinson 1985; nia2005 (8)", "n^3")         \
  X(range_space, "range-space", LW_NO_ALIAS,                                                       \
    "Featherstone 2008, chapter 8; L^T D L: tables 6.3-6.5", "n m^2 + m^3")                        \
  X(udwadia_kalaba, "udwadia-kalaba", LW_NO_ALIAS, "Udwadia & Kalaba 1992", "n^3 + m^3")           \
  X(popov_vereshchagin, "popov-vereshchagin", LW_NO_ALIAS,                                         \
    "Popov, Vereshchagin & Zenkevich 1978, by the documentation of Orocos KDL", "n m^2 + m^3")     \
  X(operational_space, "operational-space", LW_NO_ALIAS, "Wensing, Featherstone & Orin 2012",      \
    "n m^2 + m^3")                                                                                 \
  X(proximal, "proximal", LW_NO_ALIAS, "Powell 1969; Carpentier, Budhiraja & Mansard 2021", "n^3")

#define LW_COUNT_FORMULATION(...) +1
enum
{
  LW_FORMULATION_COUNT = 0 LW_FORMULATIONS(LW_COUNT_FORMULATION)
};

typedef struct lwFormulationTable
{
  lwFormulation* run[LW_FORMULATION_COUNT];
  size_t real_size;
} lwFormulationTable;

// Numbers that any of them needs.
static inline size_t lw_formulation_numbers(int joints, const lwConstraints* rows)
{
  size_t n = (size_t)joints + 1, m = (size_t)rows->rows + 1, all = (size_t)rows->all + 1;
  return 128 * n + 24 * m + 12 * n * m + 4 * n * n + (n + m) * (n + m) + m * m + n * (all + 8) +
         4 * (n + m + all) + 512;
}

#endif
