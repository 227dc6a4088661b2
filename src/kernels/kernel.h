// SPDX-License-Identifier: MIT
// How the rest of the library sees a kernel.
#ifndef LW_KERNELS_KERNEL_H
#define LW_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/lanes.h"
#include "model/model_internal.h"

// A frame that a link carries, for pose and Jacobian.
#define LW_VIEW_FIELDS(T)                                                                          \
  T rotation[9]; /* its axes in those of the link's canonical frame (on the base: of the base) */  \
  T position[3]; /* m */

typedef struct lwView64
{
  LW_VIEW_FIELDS(double)
} lwView64;

typedef struct lwView32
{
  LW_VIEW_FIELDS(float)
} lwView32;

typedef struct lwView
{
  int carrier;  // the moving joint whose link carries it, or LW_BASE
  lwView64 view64;
  lwView32 view32;  // the same in float
  const void* own;  // the same in REAL, for kernels with LW_OWN_CONSTANTS
} lwView;

// A place where the environment pushes: a point of a link,
// and the axes that the wrench is given in.
typedef struct lwPush
{
  int joint;       // of the description: its link is pushed
  bool base_axes;  // the wrench is in the axes of the base, else in those of the view
  lwView view;     // of the point and the link's axes
} lwPush;

// One state in the kernel's own scalar (a vector of states for lanes), but in double for one
// state in single precision. NULL stands for zeros.
typedef struct lwState
{
  const void* q;       // (n), or (nq) of a model with wide joints
  const void* qd;      // (n)
  const void* qdd;     // (n)
  const void* tau;     // (n)
  const void* wrench;  // (6), or with pushes (push_count, 6)
  bool weightless;     // without gravity
  int refine;          // steps of iterative refinement after a factorisation
  const lwView* view;  // the frame of pose and Jacobian, which others do not read
  bool rotors;         // forward: with the inertia of the motors' rotors
  bool base_axes;      // reactions: in the axes of the base, not of the joints' frames
  // reactions, pushed torques: where the wrenches act; NULL: on the last link
  const lwPush* pushes;
  int push_count;
  bool subtract;  // pushed torques: tau less them, not tau and them
  bool packed;    // inertia: only the upper triangle, row by row; for kernels that pack
  // in lanes: where the states' own answers go instead, or NULL. Kernels that store rows know rows
  // (by_entry 1), those that store entries also states side by side (by_state 1).
  const lwGrid* rows;
  // kernels that store entries, on a chain and by entry: the number of states, at most
  // LW_STREAM_STATES. q has one vector of states after the other; the last one may be partly
  // unused. If there is more than one vector, answers are written past the caches, and work has
  // room for the joints of all.
  int states;
} lwState;

enum
{
  LW_STREAM_STATES = 64,
  LW_STREAM_TILE   = 4,  // rows and columns of a matrix that are written together
  // numbers of two tiles, which out has instead of an answer
  LW_STREAM_DOUBLES = 2 * LW_STREAM_TILE * LW_STREAM_TILE * LW_STREAM_STATES
};

// Reads the state, writes the answer in the kernel's scalar, but torques, accelerations and inertia
// matrices of one state in double; out has room for doubles in any case. work has at least the
// bytes that the kernel asks for and is aligned to 64 bytes. Allocates nothing, cannot fail.
typedef void lwKernelFn(const lwModel* model, void* work, const lwState* state, void* out);

// What a kernel does otherwise than most: lwKernel.flags.
enum
{
  LW_KERNEL_NARROW         = 1,   // in single precision, writes one state's answer in float, too
  LW_KERNEL_PACKS          = 2,   // writes packed triangles: lwState.packed
  LW_KERNEL_STORES_ROWS    = 4,   // in lanes, stores right into arrays by state: lwState.rows
  LW_KERNEL_STORES_ENTRIES = 8,   // and into arrays by entry
  LW_KERNEL_TAKES_PUSHES   = 16,  // reads lwState.pushes
  LW_KERNEL_READS_LINKS    = 32,  // reads the links of the description, lwModel.scalar_members
  LW_KERNEL_WIDE           = 64   // takes models with wide joints, lwModel.native
};

typedef struct lwKernel
{
  lwKernelFn* run;
  size_t per_joint;  // bytes of workspace per joint; the base counts as one
  size_t per_pair;   // bytes of workspace per pair of joints
  // kernels that it calls, one at a time, with the rest of the work
  const struct lwKernel* uses[4];
  unsigned flags;  // sum of LW_KERNEL_..
} lwKernel;

// Bytes of workspace that a kernel needs for n joints, in whole cache lines.
size_t lw_kernel_bytes(const lwKernel* kernel, int n);

// Bytes of an array of count entries in whole cache lines: where workspace is cut.
static inline size_t lw_lines(size_t count, size_t size)
{
  return (count * size + 63) / 64 * 64;
}

#endif
