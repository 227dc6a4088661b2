// SPDX-License-Identifier: MIT
// The workspace of one thread.
#ifndef LW_BATCH_WORK_H
#define LW_BATCH_WORK_H

#include "answer/variants.h"
#include "base/arena.h"

// Who answers a question.
typedef struct lwAsked
{
  lwQuestion question;
  int kernel;
  bool in_lanes;
} lwAsked;

// What answers take about a robot whose kernels have other coordinates than people; see answer/coordinates.h.
typedef struct lwReduced
{
  lwAsked inertia;    // through which forward dynamics goes
  lwAsked bias;       // torques of a motion, for the same
  double* inputs[4];  // (lanes, n) q, qd, qdd, tau of all moving joints
  double* R;          // (lanes, ball_count, 9) rotations of ball joints
  double* full;       // (lanes, 6 joints or 12) an answer about all of them
  double* M;          // (lanes, n, n) or, where matrices are not answered in lanes, (n, n)
  double* factors;    // (dof, dof)
  double* rest;       // (dof)
  double* torque;     // (n)
  double* row;        // (nq + 3 dof + 6) a state, and
  double* answer;     // its answer, of arrays that are not by state
} lwReduced;

struct lwWorkspace
{
  const lwModel* model;  // the one it was made for; only compared
  const lwIsa* isa;
  lwPrecision precision;
  lwLayout layout;                   // of arrays of many states
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
  lwAxes axes;         // of reactions
  unsigned questions;  // LW_ASKS() of those that memory was taken for
  lwArena arena;
};

// Whether there is memory for a question.
static inline bool lw_workspace_answers(const lwWorkspace* ws, lwQuestion question)
{
  return ws->questions & LW_ASKS(question);
}

// Index of the kernel that answers a question by a method (NULL for questions with one way only), or -1.
int lw_kernel_index(const lwModel* model, lwQuestion question, const char* method);

// The frame of the model's last link.
lwView lw_last_view(const lwModel* model);

// Entries in the answer of a kernel to a question about so many joints of the model.
size_t lw_kernel_outputs(const lwModel* model, int joints, lwQuestion question);

// Some states of arrays with more.
typedef struct lwRange
{
  int total;         // states of the arrays
  int first, count;  // those to be answered
} lwRange;

// lw_answer_many() for a part of the states.
void lw_answer_range(const lwModel* model, lwWorkspace* ws, lwQuestion question, lwRange range,
                     const lwStates* states, double* out);

// Answers about count states of all moving joints as kernels know them, by state. Only what the question needs is given.
void lw_answer_rows(const lwModel* model, lwWorkspace* ws, lwAsked asked, int count,
                    const lwStates* states, double* out);

// Chooses kernels and takes memory for a model that is not direct, whose forward method is already found.
lwStatus lw_reduced_create(lwWorkspace* ws, const lwModel* model, lwDiag* diag);

// lw_answer_many() for such a model, by state.
void lw_reduced_answer(const lwModel* model, lwWorkspace* ws, lwQuestion question, int count,
                       const lwStates* states, double* out);

#endif
