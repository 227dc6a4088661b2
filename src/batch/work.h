// SPDX-License-Identifier: MIT
// The workspace of one thread.
#ifndef LW_BATCH_WORK_H
#define LW_BATCH_WORK_H

#include "base/arena.h"
#include "batch/variants.h"

// Who answers a question.
typedef struct lwAsked
{
  lwQuestion question;
  int kernel;
  bool in_lanes;
} lwAsked;

// What answers about a robot with mimic joints take: kernels know all moving joints, people the independent ones.
typedef struct lwReduced
{
  lwAsked inertia;    // through which forward dynamics goes
  lwAsked bias;       // torques of a motion, for the same
  double* inputs[3];  // (lanes, n) q, qd, qdd of all moving joints
  double* full;       // (lanes, 6 n or 12) an answer about all of them
  double* M;          // (lanes, n, n) or, where matrices are not answered in lanes, (n, n)
  double* factors;    // (dof, dof)
  double* rest;       // (dof)
  double* torque;     // (n)
} lwReduced;

struct lwWork
{
  const lwIsa* isa;
  lwPrecision precision;
  int kernel[LW_QUESTION_COUNT];     // index in a variant's table
  bool in_lanes[LW_QUESTION_COUNT];  // many states are answered in lanes
  const char* method[LW_QUESTION_COUNT];
  void* scratch;     // of the kernels
  void* inputs;      // (4 n + 6) REAL of the widest variant
  void* outputs;     // REAL, the answer in lanes
  double wrench[6];  // N, N m
  bool has_wrench;
  int refine;
  lwView view;  // of pose and Jacobian
  lwReduced reduced;
  bool rotors;
  lwArena arena;
};

// Index of the kernel that answers a question by a method (NULL for questions with one way only), or -1.
int lw_kernel_index(const lwModel* model, lwQuestion question, const char* method);

// Entries in the answer of a kernel to a question about so many joints.
size_t lw_kernel_outputs(int joints, lwQuestion question);

// Answers about count states of all moving joints, mimic or not; rows as in lw_answer_many().
void lw_answer_rows(const lwModel* model, lwWork* work, lwAsked asked, int count,
                    const lwStates* states, double* out);

// Chooses kernels and takes memory for a model with mimic joints, whose forward method is already found.
lwStatus lw_reduced_create(lwWork* work, const lwModel* model);

// lw_answer_many() for such a model.
void lw_reduced_answer(const lwModel* model, lwWork* work, lwQuestion question, int count,
                       const lwStates* states, double* out);

#endif
