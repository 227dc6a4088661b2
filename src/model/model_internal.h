// SPDX-License-Identifier: MIT
// The robot in canonical form, as kernels see it. See docs/conventions.md.
//
// Moving joint i carries link i. Its frame has z along the joint axis. Seen from the parent's
// frame,
//   X_i = Rz(gamma) Rx(alpha) T(a, e, d) Rz(theta)
// theta = q + offset for a revolute joint, d = q + offset for a prismatic one. gamma = 0 and, where
// the common normal of the two axes is well conditioned, e = 0 for the first joint that a link
// carries. Fixed joints are gone: their links are part of the link that carries them. The canonical
// base frame is that of joint 0 at rest.
#ifndef LW_MODEL_MODEL_INTERNAL_H
#define LW_MODEL_MODEL_INTERNAL_H

#include "base/arena.h"
#include "linkwork/model.h"
#include "model/transform.h"

enum
{
  LW_KIND_PRISMATIC       = 1,   // slides along z instead of turning about it
  LW_KIND_SKEW            = 2,   // gamma or e is not 0, so span is a general vector
  LW_KIND_FORK            = 4,   // its link carries a joint that is not the next one, i + 1
  LW_KIND_MASSLESS        = 8,   // its link has no mass
  LW_KIND_CARRIES_NO_MASS = 16,  // nor has anything that its link carries
  LW_KIND_WIDE            = 32,  // one freedom of a ball or floating joint, see lwWideJoint
  LW_KIND_CONTINUES_RUN   = 64,  // revolute, not skew, and its parent is the joint before, i - 1
  LW_KIND_STORED          = 128  // its link carries a joint that does not continue its run
};

// Where the frame of a link is in the canonical frame of its carrier.
enum
{
  LW_PLACE_SAME,   // it is that frame
  LW_PLACE_MOVED,  // elsewhere, with the same axes
  LW_PLACE_TURNED
};

// Constants of one joint and its link, T being the type of a number.
#define LW_LINK_FIELDS(T)                                                                          \
  T cos_gamma, sin_gamma, cos_alpha, sin_alpha;                                                    \
  T span[3]; /* m, parent's frame: Rz(gamma) Rx(alpha) (a, e, 0); (a, 0, 0) if not skew */         \
  T d;       /* m, along z; the offset of a prismatic joint */                                     \
  T offset;  /* rad, added to q of a revolute joint */                                             \
  T cos_theta, sin_theta;    /* of a prismatic joint */                                            \
  T mass;                    /* kg */                                                              \
  T first_moment[3];         /* kg m, mass times centre of mass, link frame */                     \
  T inertia[6];              /* kg m^2, about the link's origin, xx yy zz xy xz yz */              \
  T pseudo[6];               /* kg m^2, integral of r r^T dm about the origin, the same order */   \
  T outboard_mass;           /* kg, of this link and all that it carries */                        \
  T rotor;                   /* kg m^2 or kg, gear^2 times the motor's rotor inertia */            \
  T grouped_mass;            /* kg, these three: grouped parameters (model/grouped.c) */           \
  T grouped_first_moment[3]; /* kg m */                                                            \
  T grouped_pseudo[6];       /* kg m^2 */

typedef struct lwLink64
{
  LW_LINK_FIELDS(double)
} lwLink64;

typedef struct lwLink32
{
  LW_LINK_FIELDS(float)
} lwLink32;

// Mass properties of N links side by side, a cache line for each number, for kernels that compute
// several links of one state in a vector. Behind the last link they are 0.
#define LW_BODIES_FIELDS(T, N)                                                                     \
  T mass[N];                                                                                       \
  T first_moment[3][N];                                                                            \
  T pseudo[6][N];                                                                                  \
  T grouped_first_moment[3][N];                                                                    \
  T grouped_pseudo[6][N];

enum
{
  LW_BODIES_64 = 8,  // links in a cache line
  LW_BODIES_32 = 16
};

typedef struct lwBodies64
{
  LW_BODIES_FIELDS(double, LW_BODIES_64)
} lwBodies64;

typedef struct lwBodies32
{
  LW_BODIES_FIELDS(float, LW_BODIES_32)
} lwBodies32;

// The two ends: where the base and the last link of the description are.
#define LW_ENDS_FIELDS(T)                                                                          \
  T gravity[3];       /* m/s^2, canonical base frame */                                            \
  T base_rotation[9]; /* canonical base axes in those of the description, row by row */            \
  T base_position[3]; /* m */                                                                      \
  T tool_rotation[9]; /* axes of the description's last link in those of its canonical link */     \
  T tool_position[3]; /* m */                                                                      \
  T potential;        /* J, of what never moves, and of the base frame's displacement */

typedef struct lwEnds64
{
  LW_ENDS_FIELDS(double)
} lwEnds64;

typedef struct lwEnds32
{
  LW_ENDS_FIELDS(float)
} lwEnds32;

// A link of the description as a part of the body that carries it: in the canonical frame of that
// body and about its origin; on the base, in the description's base frame.
#define LW_MEMBER_FIELDS(T)                                                                        \
  T rotation[9];     /* axes of the link's frame, row by row */                                    \
  T position[3];     /* m, its origin */                                                           \
  T mass;            /* kg */                                                                      \
  T first_moment[3]; /* kg m */                                                                    \
  T pseudo[6];       /* kg m^2, integral of r r^T dm, xx yy zz xy xz yz */

typedef struct lwMember64
{
  LW_MEMBER_FIELDS(double)
} lwMember64;

typedef struct lwMember32
{
  LW_MEMBER_FIELDS(float)
} lwMember32;

// Where a link of the description is. Kernels do not see it: its size depends on NUMBER.
typedef struct lwJointFrame
{
  int carrier;  // the moving joint whose link it is part of, or LW_BASE
  lwTransform
      place;  // in the canonical frame of that link; on the base, in the description's base frame
} lwJointFrame;

// One joint of the chain that stands for a joint of the description; see model/joint_types.h.
typedef struct lwJointPiece
{
  int whole;  // index in the description
  int part;   // which of its pieces, from 0
  bool held;
  bool wide;  // one of the freedoms of a wide joint
} lwJointPiece;

// A ball or floating joint as 3 or 6 consecutive freedoms, each standing on the one before without
// a place of its own. They share one frame, that of the link in the description, and only the last
// has a mass. The place of the first one is where the joint is at rest; see kernels/wide_joints.h.
typedef struct lwWideJoint
{
  int first, last;  // freedoms
  int q;            // index in the kernels' q of its position, or of its quaternion
  int given;        // the same in the users' q, which has no mimic joints
  bool floats;      // linear velocities come before the angular ones
} lwWideJoint;

// Consecutive freedoms of joints with one each: the q of freedom i is q[i + shift].
typedef struct lwFreedomRange
{
  int first, end, shift;
} lwFreedomRange;

// Where a ball joint, or the rotation of a floating one, has its numbers.
typedef struct lwBall
{
  int body;     // moving joint: the first of the two that are held; three that move follow
  int q;        // index in q of its quaternion
  int v;        // index in qd of its angular velocity
  bool floats;  // q - 3 is the position, v - 3 the linear velocity, and body - 3 slides along x
} lwBall;

typedef struct lwLoopSet lwLoopSet;

struct lwModel
{
  // canonical.c: the tree in canonical frames
  int n;              // moving joints
  int tool;           // the moving joint whose link the last link is part of, or LW_BASE
  const int* parent;  // (n) moving joint, or LW_BASE
  const int* end;     // (n) i and as many behind it as joint i carries, if depth_first: those
  bool depth_first;   // the joints of a subtree follow its root without a gap
  bool chain;         // every joint stands on the one before
  bool slides;        // some joint is prismatic
  // (n) sum of LW_KIND_..; a byte: loops over joints take 8 instructions more with wider numbers
  const unsigned char* kind;
  const lwLink64* link64;      // (n)
  const lwLink32* link32;      // (n) the same in float
  const lwBodies64* bodies64;  // (n / LW_BODIES_64, rounded up) mass properties of link64
  const lwBodies32* bodies32;  // (n / LW_BODIES_32, rounded up) the same in float
  const double* offsets;       // (n) rad, offsets of link64
  lwEnds64 ends64;
  lwEnds32 ends32;
  const lwMember64* member64;       // (robot.count)
  const lwMember32* member32;       // (robot.count) the same in float
  const int* joint;                 // (n) index in the description
  const int* part;                  // (n) index in split
  const lwJointFrame* joint_frame;  // (robot.count)
  const int* carrier;               // (robot.count) of joint_frame, whatever its NUMBER
  const unsigned char* place;       // (robot.count) LW_PLACE_..
  const int* by_carrier;            // (robot.count) links in the order of their carriers
  const void* scalar_links;         // (n) for kernels with LW_OWN_CONSTANTS: Link in their REAL
  const void* scalar_ends;          // for the same kernels: Ends in their REAL
  const void* scalar_members;       // (robot.count) for the same kernels: Member in their REAL

  // pieces.c: joints with several freedoms as chains of joints with one
  lwRobotDef split;           // robot, with a chain of joints for each that has several freedoms
  const lwJointPiece* piece;  // (split.count)

  // coordinates.c: q, qd and tau as people know them
  bool direct;          // they are those of the kernels: nq = dof = n
  bool coupled;         // some joint mimics another, or is a screw
  int nq;               // entries of q
  int dof;              // entries of qd and tau
  const int* position;  // (dof) index in q of what moves with this velocity; -1: a quaternion
  int ball_count;       // joints with a quaternion
  const lwBall* balls;  // (ball_count)
  const lwCoordinate* positions;   // (nq)
  const lwCoordinate* velocities;  // (dof)
  const lwCoordinate* efforts;     // (dof)

  // mimic.c
  const int* independent;  // (dof) moving joint
  const int* leader;       // (n) index in qd of the velocity that it follows; -1: a constant
  const double* gain;      // (n) q = gain y[leader] + shift, y of the independent joints
  const double* shift;     // (n)

  // loops.c
  const lwLoopSet* loops;  // see model/loops.h; NULL: none

  // inert.c
  int inert;         // description's index of the first inert joint, or -1
  int inert_driven;  // the same with the rotors of motors

  // native.c: the same robot with wide joints, for kernels that take them (LW_KERNEL_WIDE); NULL:
  // it has none. Unless it is coupled, its q, qd and tau are those that people know.
  const struct lwModel* native;
  bool keeps_wide;               // this is such a model
  int wide_count;                // 0 in all others
  const lwWideJoint* wides;      // (wide_count)
  const int* wide_of;            // (n) index in wides of a wide joint's freedoms
  int range_count;               // 0 in all others
  const lwFreedomRange* ranges;  // (range_count)
  const int* q_index;            // (n) index in q of joints with one freedom; NULL: i

  // model.c
  lwRobotDef robot;    // a copy, without places
  lwJointDef* joints;  // those of robot, to be changed while the model is made
  lwArena arena;
};

// The model whose ball and floating joints are wide, or the model itself if it has none.
static inline const lwModel* lw_model_native(const lwModel* model)
{
  return model->native ? model->native : model;
}

// Joint i is held where a quaternion puts it (model/joint_types.c): it has no velocity, no freedom.
static inline bool lw_joint_is_held(const lwModel* model, int i)
{
  return model->piece[model->part[i]].held;
}

// Entries of the q that kernels read: one for each freedom, and one more for each quaternion.
static inline int lw_kernel_positions(const lwModel* model)
{
  return model->n + model->wide_count;
}

#endif
