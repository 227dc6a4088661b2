// SPDX-License-Identifier: MIT
/// @file dynamics.h  Questions about one state of a robot, and about many.
///
/// tau = M(q) qdd + C(q,qd) qd + g(q) - J(q)^T w. All arrays are of double, SI units and radians,
/// in the order of the robot's independent joints: those that move and mimic no other. q has
/// lw_model_nq() entries; qd, qdd and tau have lw_model_dof().
/// The environment exerts a wrench w = (fx fy fz nx ny nz) ON the last link, at the origin of
/// its frame and in that frame, or at the places of lw_workspace_set_wrench_places(). Results
/// are in the frames of the description.
#ifndef LINKWORK_DYNAMICS_H
#define LINKWORK_DYNAMICS_H

#include "linkwork/model.h"

/// What can be asked. lw_question_info() in methods.h says what each needs and gives.
typedef enum lwQuestion
{
  /// Inverse dynamics: tau (dof), N m or N.
  LW_QUESTION_INVERSE,
  /// Forward dynamics: qdd (dof), rad/s^2 or m/s^2.
  LW_QUESTION_FORWARD,
  /// Inertia matrix M(q) (dof, dof).
  LW_QUESTION_INERTIA,
  /// Bias torques C(q,qd) qd + g(q) (dof), without the wrench.
  LW_QUESTION_BIAS,
  /// Gravity torques g(q) (dof).
  LW_QUESTION_GRAVITY,
  /// Velocity torques C(q,qd) qd (dof).
  LW_QUESTION_CORIOLIS,
  /// Kinetic and potential energy (2), J.
  LW_QUESTION_ENERGY,
  /// Position and rotation of the last link (12).
  LW_QUESTION_POSE,
  /// Jacobian of the last link (6, dof).
  LW_QUESTION_JACOBIAN,
  /// Force and moment that every joint transmits (joints, 6), N and N m.
  LW_QUESTION_REACTIONS,
  /// Gibbs' function, half the sum of mass times acceleration squared, and its Hessian with respect
  /// to the accelerations, which is the inertia matrix (1 + dof dof), J/s^2 and as M.
  LW_QUESTION_GIBBS,
  /// Derivatives of inverse dynamics: d tau/dq (dof, dof), then d tau/dqd (dof, dof).
  /// d tau/dqdd is LW_QUESTION_INERTIA.
  LW_QUESTION_INVERSE_DERIVATIVES,
  /// Derivatives of forward dynamics: d qdd/dq, d qdd/dqd, d qdd/d tau (dof, dof each).
  LW_QUESTION_FORWARD_DERIVATIVES,
  /// Inverse of the inertia matrix (dof, dof).
  LW_QUESTION_INERTIA_INVERSE,
  /// Coriolis matrix C(q,qd) from Christoffel symbols (dof, dof): dM/dt - 2 C is antisymmetric.
  LW_QUESTION_CORIOLIS_MATRIX,
  /// Centre of mass of all links, momentum about it (linear, angular) and the rate of that
  /// momentum (15), base frame.
  LW_QUESTION_CENTROIDAL,
  /// Velocity of the last link (linear, angular) and dJ/dt qd of its Jacobian (12), base frame.
  LW_QUESTION_JACOBIAN_RATE,
  /// Regressor Y (dof, 10 joints): tau = Y pi with 10 parameters of the link of every
  /// joint of the description.
  LW_QUESTION_REGRESSOR,
  /// Position and rotation of the link of every joint of the description (joints, 12), base frame.
  LW_QUESTION_POSES,
  /// Velocity of the origin of each of these links, m/s, and its angular velocity, rad/s
  /// (joints, 6), base frame.
  LW_QUESTION_VELOCITIES,
  /// Acceleration of the origin of each of these links, m/s^2, and its angular acceleration,
  /// rad/s^2 (joints, 6), base frame; gravity is not part of it.
  LW_QUESTION_ACCELERATIONS,
  /// What a controller needs of one state, from one pass: bias b (dof), gravity torques g (dof),
  /// dJ/dt qd (6), position and rotation (12) and Jacobian (6, dof) of the last link, inertia matrix
  /// M (dof, dof).
  LW_QUESTION_CONTROL,
  /// Number of questions about arms.
  LW_QUESTION_COUNT,
  /// The motion of a snake; asked through snake.h.
  LW_QUESTION_SNAKE = LW_QUESTION_COUNT
} lwQuestion;

/// A set of questions is the sum of these.
#define LW_ASKS(question) (1u << (question))

/// Floating-point type of the computation.
typedef enum lwPrecision
{
  /// double.
  LW_PRECISION_DOUBLE,
  /// float.
  LW_PRECISION_SINGLE
} lwPrecision;

/// The axes of reactions.
typedef enum lwAxes
{
  /// Those of the frame of the joint's link in the description.
  LW_AXES_LINK,
  /// Those of the base frame.
  LW_AXES_BASE
} lwAxes;

/// How arrays about many states lie in memory.
typedef enum lwLayout
{
  /// [state][entry]: with m entries per state, entry i of state k is at k * m + i.
  LW_LAYOUT_BY_STATE,
  /// [entry][state]: with count states, entry i of state k is at i * count + k.
  LW_LAYOUT_BY_ENTRY
} lwLayout;

/// One state, or many. What a question does not need is not read. NULL stands for zeros, and for
/// lw_model_neutral() in place of q.
typedef struct lwStates
{
  /// (nq) Positions, rad or m, and quaternions.
  const double* q;
  /// (dof) Velocities, rad/s or m/s.
  const double* qd;
  /// (dof) Accelerations, rad/s^2 or m/s^2.
  const double* qdd;
  /// (dof) Torques or forces, N m or N.
  const double* tau;
  /// (6) Wrench on the last link: force in N, moment in N m. With
  /// lw_workspace_set_wrench_places(): (places, 6).
  const double* wrench;
} lwStates;

/// How to compute. Start from lw_workspace_def().
typedef struct lwWorkspaceDef
{
  /// Method for inverse, bias, gravity and coriolis, or "auto" (lw_method_auto() in methods.h).
  const char* inverse;
  /// Method for inertia, or "auto".
  const char* inertia;
  /// Method for forward, or "auto".
  const char* forward;
  /// Method for inertia-inverse, or "auto".
  const char* inertia_inverse;
  /// Method for inverse-derivatives and forward-derivatives.
  const char* derivatives;
  /// Precision of the computation; arrays stay double.
  lwPrecision precision;
  /// Steps of iterative refinement after a factorisation, for forward.
  int refine;
  /// Layout of the arrays of lw_answer_many().
  lwLayout layout;
  /// Axes of reactions.
  lwAxes axes;
  /// Forward dynamics solves with M + diag(gear^2 rotor_inertia) of the motors.
  bool rotors;
  /// For a robot with closed loops: answers may be those of the open tree of its joints, in which
  /// every joint is free. Without it only pose and energy can be asked of such a robot.
  bool open_tree;
  /// Sum of LW_ASKS(question) over the questions that will be asked. 0: all.
  /// Memory is taken for these only.
  unsigned questions;
  /// Set by lw_workspace_def(); leave it as it is.
  unsigned cookie;
} lwWorkspaceDef;

/// All temporaries of one thread for one model.
typedef struct lwWorkspace lwWorkspace;

/// The defaults: "auto" for all methods but that of derivatives, singh-russell-wensing; double, no
/// refinement, arrays by state, reactions in link axes, no rotors, no open tree, all questions.
LW_API lwWorkspaceDef lw_workspace_def(void);

/// Sets the method of a question in def. The name is not copied; lw_workspace_create() checks it.
/// False, and nothing changes, for questions that have only one method.
LW_API bool lw_workspace_def_set_method(lwWorkspaceDef* def, lwQuestion question,
                                        const char* method);

/// Makes a workspace for the model. NULL as def: the defaults. LW_ERROR_METHOD if a question named
/// in def->questions cannot be asked of the robot (lw_question_check() in methods.h). If none is
/// named, the answers to such questions are NaN with ball and floating joints, and a robot with
/// closed loops is refused unless def->open_tree is set. LW_ERROR_METHOD if a name is unknown, or
/// if the robot has mimic joints and the forward method forms no inertia matrix (articulated-body,
/// walker-orin-4) and so cannot couple joints. Questions whose answer or method is not a matrix
/// take memory in proportion to the joints. Matrices of n x n are held for inertia and gibbs in
/// single precision or by entry, for methods that use one, and for mimic joints: where n is large,
/// name in def->questions only what is asked.
LW_API lwStatus lw_workspace_create(const lwModel* model, const lwWorkspaceDef* def, lwDiag* diag,
                                    lwWorkspace** ws);

/// Frees a workspace. NULL is allowed.
LW_API void lw_workspace_destroy(lwWorkspace* ws);

/// The instruction set the workspace computes with: "baseline", "avx2" or "avx512".
LW_API const char* lw_workspace_isa(const lwWorkspace* ws);

/// The method that answers a question, after "auto" was resolved for this model.
LW_API const char* lw_workspace_method(const lwWorkspace* ws, lwQuestion question);

/// The wrench on the last link for all later calls with this workspace; NULL: none. With
/// lw_workspace_set_wrench_places() it has 6 entries for each place.
LW_API void lw_workspace_set_wrench(lwWorkspace* ws, const double* wrench);

/// Where a wrench acts: a point of a link, and the axes that it is given in. Start from {.joint =
/// i}: at the origin and in the axes of the link's own frame.
typedef struct lwWrenchPlace
{
  /// Index in the description of the joint whose link is pushed, moving, mimic or fixed.
  int joint;
  /// (3) m, the point in the frame of that link.
  double xyz[3];
  /// Axes of force and moment.
  lwAxes axes;
} lwWrenchPlace;

/// The places of wrenches for all later calls with this workspace: lwStates.wrench then has 6
/// entries for each place, one place after the other; several may be on one link. The places are
/// copied. 0 places: the wrench is again that on the last link. Every method supports them. The
/// wrench of lw_workspace_set_wrench() is dropped. LW_ERROR_FRAME, and nothing changes, if a joint
/// is not an index of the model's description or a number is not finite. LW_ERROR_MEMORY.
LW_API lwStatus lw_workspace_set_wrench_places(lwWorkspace* ws, const lwModel* model, int count,
                                               const lwWrenchPlace* places, lwDiag* diag);

/// The frame that pose, Jacobian, its rate and control are about, for all later calls with this workspace;
/// NULL: that of the last link. The wrench stays on the last link. LW_ERROR_FRAME, and
/// nothing changes, if frame->joint is neither LW_BASE nor an index of the model's
/// description, or a number is not finite.
LW_API lwStatus lw_workspace_set_frame(lwWorkspace* ws, const lwModel* model, const lwFrame* frame,
                                       lwDiag* diag);

/// Answers one question about one state. out has lw_question_outputs() entries.
/// Allocates nothing and cannot fail: whatever could be wrong was refused when the model was built.
/// The answer to a question that lwWorkspaceDef.questions left out is NaN.
LW_API void lw_answer(const lwModel* model, lwWorkspace* ws, lwQuestion question,
                      const lwStates* state, double* out);

/// Answers for count states, in lanes of the machine's widest vectors; all arrays are in the
/// layout of the workspace. The answer to a state equals that of lw_answer() with the same
/// workspace to the last bit, whatever its position and the number of states.
LW_API void lw_answer_many(const lwModel* model, lwWorkspace* ws, lwQuestion question, int count,
                           const lwStates* states, double* out);

/// Entries in an answer: dof, dof^2 for inertia (row by row), 2 for energy (kinetic, potential, J),
/// 12 for pose (x y z, then the rotation row by row), 6 dof for jacobian (row by row, linear rows
/// first), 6 lw_model_joint_count() for reactions (fx fy fz nx ny nz of each joint), 1 +
/// dof^2 for gibbs (the function, then the Hessian row by row), 2 dof^2 for inverse-derivatives, 3
/// dof^2 for forward-derivatives, dof^2 for inertia-inverse and coriolis-matrix, 15 for centroidal
/// (x y z, px py pz, kx ky kz, then the rates of p and k), 12 for jacobian-rate, 10 dof
/// lw_model_joint_count() for regressor (row by row; m, mx my mz, xx yy zz xy xz yz of each link),
/// dof^2 + 8 dof + 18 for control.
LW_API size_t lw_question_outputs(const lwModel* model, lwQuestion question);

/// Inverse dynamics, tau = M(q) qdd + C(q,qd) qd + g(q) - J^T w. O(n) for the default method.
LW_API void lw_inverse_dynamics(const lwModel* model, lwWorkspace* ws, const double* q,
                                const double* qd, const double* qdd, double* tau);

/// Forward dynamics, qdd = M(q)^-1 (tau - C(q,qd) qd - g(q) + J^T w).
LW_API void lw_forward_dynamics(const lwModel* model, lwWorkspace* ws, const double* q,
                                const double* qd, const double* tau, double* qdd);

/// Inertia matrix M(q), dof x dof, row by row, both triangles.
LW_API void lw_inertia_matrix(const lwModel* model, lwWorkspace* ws, const double* q, double* M);

/// Inertia matrix as a packed triangle, half the memory: rows of M from the diagonal on, one after
/// the other, dof (dof + 1) / 2 entries. M_ij with i <= j is at i dof - i (i + 1) / 2 + j. This is
/// also the lower triangle column by column, LAPACK's packed storage with uplo = 'L'. Every entry
/// equals that of lw_inertia_matrix() to the last bit. composite-body and common-frame, which
/// "auto" stands for, write nothing else; other methods compute the whole matrix first.
LW_API void lw_inertia_matrix_packed(const lwModel* model, lwWorkspace* ws, const double* q,
                                     double* packed);

/// Packed triangles of count states, in lanes as lw_answer_many(). q and packed have the layout of
/// the workspace, with dof (dof + 1) / 2 entries for each state.
LW_API void lw_inertia_matrix_packed_many(const lwModel* model, lwWorkspace* ws, int count,
                                          const double* q, double* packed);

/// Bias C(q,qd) qd + g(q), without the wrench.
LW_API void lw_bias(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                    double* bias);

/// Torques that hold the arm at rest, g(q) = dV/dq.
LW_API void lw_gravity(const lwModel* model, lwWorkspace* ws, const double* q, double* gravity);

/// Velocity torques C(q,qd) qd.
LW_API void lw_coriolis(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                        double* coriolis);

/// Kinetic and potential energy, J; the potential is zero at the origin of the base frame
/// and counts every link.
LW_API void lw_energy(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                      double* kinetic, double* potential);

/// Pose of the last link's frame, or of that of lw_workspace_set_frame(), in the base frame:
/// position p and rotation R, row by row.
LW_API void lw_pose(const lwModel* model, lwWorkspace* ws, const double* q, double p[3],
                    double R[9]);

/// Jacobian of the same frame, 6 x dof, row by row: velocity of its origin,
/// then angular velocity, base frame.
LW_API void lw_jacobian(const lwModel* model, lwWorkspace* ws, const double* q, double* J);

/// What each joint transmits in a motion: force and moment that the parent exerts on the link of
/// the joint, fx fy fz nx ny nz, 6 lw_model_joint_count(), for every joint of the description in
/// its order: moving, mimic and fixed ones. The moment is about the origin of that link's frame
/// (the frame of lw_pose() on that link); the axes are those of the frame or, by
/// lwWorkspaceDef.axes, of the base. It includes everything that goes through the joint: the torque
/// of the actuator, the weight and the inertia of everything beyond the joint, less the wrench of
/// lw_workspace_set_wrench(). Rotors of motors count only as part of the masses of links. O(n).
LW_API void lw_reactions(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                         const double* qdd, double* reactions);

/// Gibbs' function G = 1/2 sum of m a^2 of a motion over all links but the base, those fixed to it
/// included, with the base accelerating by minus gravity;
/// then its second derivatives with respect to qdd, row by row, which are M(q): 1 + dof dof
/// numbers. Its gradient with respect to qdd is the torque of inverse dynamics. O(n^3).
LW_API void lw_gibbs(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                     const double* qdd, double* gibbs);

#endif
