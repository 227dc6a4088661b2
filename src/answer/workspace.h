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

// What answers need about a robot whose kernels have other coordinates
// than its users; see model/expand.h.
typedef struct lwReduced
{
  lwAsked inertia;    // through which forward dynamics goes
  lwAsked bias;       // torques of a motion, for the same
  lwAsked slopes;     // derivatives of torques, through which those of accelerations go
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

enum
{
  LW_MOST_ROWS = 8  // of which entries are written side by side: a cache line of doubles
};

struct lwWorkspace
{
  const lwModel* model;  // the one it was made for; only compared
  const lwIsa* isa;
  lwPrecision precision;
  lwLayout layout;                         // of arrays of many states
  int kernel[LW_QUESTION_COUNT];           // index in a variant's table
  bool in_lanes[LW_QUESTION_COUNT];        // many states are answered in lanes
  size_t output_count[LW_QUESTION_COUNT];  // numbers of a kernel's answer
  const char* method[LW_QUESTION_COUNT];
  void* scratch;  // of the kernels
  void* inputs;   // (lw_input_bytes()) of the widest variant
  void* outputs;  // REAL, the answer in lanes
  double* rows;  // (row_count, outputs) answers one by one on their way to arrays by entry, or NULL
  int row_count;
  double* wrench;  // (lw_wrench_size()) N, N m
  bool has_wrench;
  int refine;
  lwView view;  // of pose and Jacobian
  lwReduced reduced;
  struct lwWorkspace*
      native;  // of model->native, for questions whose kernels take wide joints; or NULL
  struct lwWorkspace* inertia;  // for robots whose inertia matrix may be singular, or NULL
  double* pivots;               // (dof + 1, dof) its factors and diagonal
  double* pivot_q;              // (nq)
  bool rotors;
  lwAxes axes;           // of reactions
  const lwPush* pushes;  // (push_count) where wrenches act; NULL: on the last link
  int push_count;
  void* pushed;         // (n) REAL of the widest variant: torques with those of wrenches
  unsigned questions;   // LW_ASKS() of those that memory was taken for
  unsigned direct;      // of those that a kernel answers about the users' own coordinates
  unsigned weightless;  // of those about a robot without weight
  lwArena arena;
};

// Whether there is memory for a question.
static inline bool lw_workspace_answers(const lwWorkspace* ws, lwQuestion question)
{
  return ws->questions & LW_ASKS(question);
}

// Whether a question is answered by the workspace of the model with wide joints.
static inline bool lw_workspace_is_native(const lwWorkspace* ws, lwQuestion question)
{
  return ws->native && ws->native->questions & LW_ASKS(question);
}

// Numbers of a state's wrenches.
static inline size_t lw_wrench_size(const lwWorkspace* ws)
{
  return ws->pushes ? 6 * (size_t)ws->push_count : 6;
}

// Bytes that a number of a state or an answer may take: in lanes those of the variant's scalar,
// otherwise those of a double, in single precision, too.
static inline size_t lw_number_size(const lwVariant* variant)
{
  return variant->lanes == 1 ? sizeof(double) : variant->real_size;
}

// Bytes that the inputs of one vector of states take.
static inline size_t lw_input_bytes(const lwVariant* variant, const lwModel* model, size_t wrench)
{
  size_t quaternions = (size_t)model->wide_count;  // have one entry more than freedoms
  return (4 * (size_t)model->n + quaternions + wrench) * lw_number_size(variant);
}

// Runs the kernel of a question on a state of the variant's scalar,
// with wrenches where state->pushes says.
void lw_run_pushed(const lwModel* model, lwWorkspace* ws, const lwVariant* variant, lwAsked asked,
                   const lwState* state, void* out);

// A valid frame, as kernels see it.
lwView lw_view_of(const lwModel* model, const lwFrame* frame);

// LW_ERROR_FRAME if a wrench cannot act there, and why in diag.
lwStatus lw_wrench_places_check(const lwModel* model, int count, const lwWrenchPlace* places,
                                lwDiag* diag);

// LW_ERROR_FRAME if there is no such frame, and why in diag.
lwStatus lw_frame_check(const lwModel* model, const lwFrame* frame, lwDiag* diag);

// Index of the kernel that answers a question by a method (NULL: auto, and for
// questions with only one method), or -1.
int lw_kernel_index(const lwModel* model, lwQuestion question, const char* method);

// The frame of the model's last link.
lwView lw_last_view(const lwModel* model);

// The answer grows faster than the joints.
bool lw_question_is_matrix(lwQuestion question);

// Entries of a kernel's answer to a question about this many joints of the model.
size_t lw_kernel_outputs(const lwModel* model, int joints, lwQuestion question);

// Some states of arrays with more.
typedef struct lwRange
{
  int total;         // states of the arrays
  int first, count;  // those to be answered
} lwRange;

// LW_KERNEL_.. of a kernel in lanes.
unsigned lw_kernel_flags(const lwWorkspace* ws, int kernel);

// Whether an answer is solved for with the inertia matrix.
bool lw_workspace_solves(const lwWorkspace* ws);

// Whether answers in lanes go right into arrays by entry, without a matrix of all lanes in between.
bool lw_workspace_streams(const lwWorkspace* ws, const lwModel* model, lwQuestion question);

// Whether answers for large arrays by state are computed in the workspace and then copied. The
// workspace has room for a whole matrix, also if a triangle is wanted; it must fit into a
// second-level cache.
bool lw_workspace_copies(const lwWorkspace* ws, const lwModel* model, lwQuestion question);

// lw_answer_many() for a part of the states.
void lw_answer_range(const lwModel* model, lwWorkspace* ws, lwQuestion question, lwRange range,
                     const lwStates* states, double* out);

// Answers about count states of all moving joints as kernels know them, by state. Only what the
// question needs is given.
void lw_answer_rows(const lwModel* model, lwWorkspace* ws, lwAsked asked, int count,
                    const lwStates* states, double* out);

// Takes what lw_refuse_singular() needs, if the robot and the questions of the workspace need it.
lwStatus lw_pivots_create(lwWorkspace* ws, const lwModel* model, const lwWorkspaceDef* def,
                          lwDiag* diag);

// Makes answers NaN that are solved for with an inertia matrix that is singular, by whatever
// method: a pivot keeps nothing but rounding of its diagonal entry. size: entries of an answer.
void lw_refuse_singular(const lwModel* model, lwWorkspace* ws, int count, lwGrid q, size_t size,
                        lwGrid out);

// M_y += G^T diag(rotors) G
void lw_add_rotors(const lwModel* model, double* M);

// Chooses kernels and takes memory for a model that is not direct,
// whose forward method is already found.
lwStatus lw_reduced_create(lwWorkspace* ws, const lwModel* model, lwDiag* diag);

// lw_answer_many() for such a model, by state.
void lw_reduced_answer(const lwModel* model, lwWorkspace* ws, lwQuestion question, int count,
                       const lwStates* states, double* out);

#endif
