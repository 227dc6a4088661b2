// SPDX-License-Identifier: MIT
/// @file loop.h  Robots with closed loops: closing them, and their dynamics.
///
/// A model with loops (lwRobotDef.loops) is a tree of joints plus rows that hold links together.
/// lw_answer() and the other functions of dynamics.h treat every joint as free and therefore refuse
/// such a model unless lwWorkspaceDef.open_tree is set, except for pose and energy. This header is
/// about the robot with its loops closed,
///   M(q) qdd + C(q,qd) qd + g(q) = tau + J_w^T w + J(q)^T f,   J(q) qd = 0,
/// with a row of J for every row of every loop, and f the forces in the cuts.
#ifndef LINKWORK_LOOP_H
#define LINKWORK_LOOP_H

#include "linkwork/dynamics.h"
#include "linkwork/methods.h"

/// One row of a loop.
typedef struct lwLoopRowInfo
{
  /// Index of the loop in lwRobotDef.loops.
  int loop;
  /// What it holds, in the axes of the loop's first frame: "x", "about z", "gear".
  const char* name;
  /// An angle, rad, and a moment, N m; else a length, m, and a force, N.
  bool turns;
  /// It depends on the rows before it in the closed configuration of the file.
  bool redundant;
} lwLoopRowInfo;

/// The word for a type of loop: "fixed", "hinge", ... NULL if there is no such type.
LW_API const char* lw_loop_word(lwLoopType type);

/// Rows of a type of loop: 6, 3, 5, 2 or 1; 0 if there is no such type.
LW_API int lw_loop_type_rows(lwLoopType type);

/// Number of loops.
LW_API int lw_model_loop_count(const lwModel* model);

/// Rows of all loops together.
LW_API int lw_model_loop_rows(const lwModel* model);

/// How many of these rows, the last ones, hold velocities only: skates, wheels, discs, contacts. They
/// have no gap, and positions that keep them are not a surface: where the robot gets depends on the way.
LW_API int lw_model_rolling_rows(const lwModel* model);

/// Row i, 0 <= i < lw_model_loop_rows().
LW_API lwLoopRowInfo lw_model_loop_row(const lwModel* model, int i);

/// Degrees of freedom that the loops leave: dof less the rank of J
/// in the file's closed configuration.
LW_API int lw_model_mobility(const lwModel* model);

/// Whether velocity i belongs to a driven joint, one that is not passive. If the file marks no
/// joint as passive, as many joints as the loops determine follow the others: those without motors
/// first and, among these, the last ones. Without loops all are driven.
LW_API bool lw_model_is_driven(const lwModel* model, int i);

/// The speeds u that describe every motion of the robot: lw_model_mobility() of the velocities. With
/// loops, those of the driven joints in their order, as far as they are independent in the file's
/// closed configuration; if they do not determine the motion, others follow. Returns the velocity
/// that speed i is, 0 <= i < lw_model_mobility().
LW_API int lw_model_speed(const lwModel* model, int i);

/// q (nq): the configuration of the file, with its loops closed.
LW_API void lw_model_start(const lwModel* model, double* q);

/// Temporaries of one thread for the loops of one model.
typedef struct lwLoops lwLoops;

/// Makes the temporaries. def says how inverse dynamics and the inertia matrix of the tree are
/// computed, and whether rotors count; NULL: the defaults, with which forward dynamics computes
/// both in one pass. LW_ERROR_INPUT if the model has no loops, otherwise as lw_workspace_create().
/// The model must outlive them.
LW_API lwStatus lw_loops_create(const lwModel* model, const lwWorkspaceDef* def, lwDiag* diag,
                                lwLoops** loops);

/// Frees them. NULL is allowed.
LW_API void lw_loops_destroy(lwLoops* loops);

/// The workspace of the tree, to set the frame of pose and Jacobian. It belongs to loops.
LW_API lwWorkspace* lw_loops_workspace(lwLoops* loops);

/// How open the loops are at q (nq): gap[0] the largest length, m, gap[1] the largest angle, rad.
LW_API void lw_loops_gap(lwLoops* loops, const double* q, double gap[2]);

/// Checks a state: loops closed at q to within 1e-6 m and rad, and not opening by qd
/// (NULL: not checked) and qdd (NULL: likewise), to within 1e-6 of their size.
/// LW_ERROR_OPEN, with the amount in diag (or NULL).
LW_API lwStatus lw_loops_check(lwLoops* loops, const double* q, const double* qd, const double* qdd,
                               lwDiag* diag);

/// Closes the loops: driven joints stay, the others move from where they are in q (nq) to a
/// position nearby, by Newton's method with damping. LW_OK: the gaps are rounding. LW_ERROR_OPEN:
/// no such position was found, and q is the nearest one. gap (2, or NULL): the remaining gaps.
/// Joint limits are not checked.
LW_API lwStatus lw_loops_close(lwLoops* loops, double* q, double gap[2]);

/// All positions that close the loops while driven joints stay, found from many starts spread over
/// the joints that follow, the nearest to q first: (found, nq) into all, which has room for `most`.
/// Returns how many were found. Positions whose angles differ by whole turns count once. For a
/// four-bar these are its two branches; for others a search that may miss some.
LW_API int lw_loops_close_all(lwLoops* loops, const double* q, int most, double* all);

/// The velocities of joints that are not driven, from those of the driven ones: J(q) qd = 0.
/// LW_ERROR_OPEN if there are none.
LW_API lwStatus lw_loops_velocity(lwLoops* loops, const double* q, double* qd);

/// Passive accelerations that keep the loops closed: J(q) qdd + dJ/dt qd = 0.
LW_API lwStatus lw_loops_acceleration(lwLoops* loops, const double* q, const double* qd,
                                      double* qdd);

/// Changes q (nq) and then qd (dof, or NULL) as little as possible so that the loops are closed and
/// stay closed: all joints move. For states that are nearly closed.
LW_API void lw_loops_project(lwLoops* loops, double* q, double* qd);

/// Forward dynamics with closed loops: qdd (dof) and the forces in the cuts (rows, or NULL),
/// of a state with q, qd, tau and wrench that lw_loops_check() accepts. A force of a row
/// acts on the loop's second link, its opposite on the first. LDL^T of M in the order of the
/// tree, then the Schur complement of the rows; where rows are redundant, the forces with
/// the least sum of squares.
LW_API void lw_loops_forward(lwLoops* loops, const lwStates* state, double* qdd, double* forces);

/// Numbers in the answer to a question of a robot with loops, lw_loops_answer().
LW_API size_t lw_loops_outputs(const lwModel* model, lwQuestion question);

/// Answers a question about the robot with its loops closed, of a state that lw_loops_check()
/// accepts: q (nq), qd, qdd and tau (dof) of all joints. Torques, matrices and Jacobians are about
/// the speeds u of lw_model_speed(), with qd = N(q) u: gravity N^T g, inertia N^T M N, Jacobian J N,
/// regressor N^T Y; bias and coriolis are what u needs while it is constant, jacobian-rate the
/// acceleration of the frame then; inverse and forward relate forces of the speeds and their
/// accelerations. Reactions include the forces in the cuts. What is about the links themselves
/// (energy, pose, poses, velocities, accelerations, centroidal) does not depend on the choice.
/// out has lw_loops_outputs() entries. LW_ERROR_METHOD if lwWorkspaceDef.questions left the question
/// out, or it has no answer with loops; LW_ERROR_UNDRIVEN as lw_loops_inverse(), of reactions;
/// LW_ERROR_NUMERICAL, and why in diag (or NULL), where the speeds do not determine the motion.
/// Derivatives by position of robots with rows that roll are by the positions of all joints,
/// (lw_model_mobility(), dof): the change along any step that keeps the loops closed is that matrix
/// times the step.
LW_API lwStatus lw_loops_answer(lwLoops* loops, lwQuestion question, const lwStates* state,
                                double* out, lwDiag* diag);

/// out (lw_model_mobility(), columns) = N(q)^T full, full (dof, columns): torques of all joints, or
/// what they are linear in, as forces of the speeds. LW_ERROR_NUMERICAL as lw_loops_answer().
LW_API lwStatus lw_loops_to_speeds(lwLoops* loops, const double* q, size_t columns,
                                   const double* full, double* out, lwDiag* diag);

/// lw_workspace_set_wrench_places() for all answers with closed loops.
LW_API lwStatus lw_loops_set_wrench_places(lwLoops* loops, int count, const lwWrenchPlace* places,
                                           lwDiag* diag);

/// tau (dof), zero at joints that are not driven, that balances a load (dof), torques that a motion
/// needs of all joints, and the forces in the cuts (rows, or NULL), as lw_loops_inverse() does for
/// the load of inverse dynamics. For loads with more parts than that: friction, rotors.
LW_API lwStatus lw_loops_balance(lwLoops* loops, const double* q, const double* load, double* tau,
                                 double* forces);

/// Inverse dynamics with closed loops: tau (dof), zero at joints that are not driven, of a state
/// with q, qd, qdd and wrench. Where more joints are driven than the motion needs, the torques with
/// the least sum of squares; likewise the forces in the cuts (rows, or NULL). LW_ERROR_UNDRIVEN if
/// the driven joints cannot produce this motion.
LW_API lwStatus lw_loops_inverse(lwLoops* loops, const lwStates* state, double* tau,
                                 double* forces);

/// Formulations of forward dynamics with closed loops, side by side: the augmented system, the null
/// space of the rows, their range space and others (docs/loops.md). lw_loops_forward() is the one to
/// use; these are for comparing, and have every row of their text counted, proven and timed.
LW_API int lw_formulation_count(void);

/// Formulation i, 0 <= i < lw_formulation_count(). Its question is LW_QUESTION_FORWARD, and it is no
/// method of an open tree.
LW_API const lwMethod* lw_formulation(int i);

/// Whether formulation i takes rows that depend on others, and then finds the forces with the least
/// sum of squares; the others leave such rows out.
LW_API bool lw_formulation_takes_redundant(int i);

/// Counts the operations of formulation i, its equations of motion and rows included. As
/// lw_formulations_create().
LW_API lwStatus lw_formulation_measure(const lwModel* model, int i, lwCount* count);

/// Temporaries of one thread for the formulations of one model.
typedef struct lwFormulations lwFormulations;

/// Makes the temporaries. LW_ERROR_METHOD, and why in diag (or NULL), for robots with mimic or screw
/// joints; LW_ERROR_INPUT without loops. The model must outlive them.
LW_API lwStatus lw_formulations_create(const lwModel* model, bool rotors, lwDiag* diag,
                                       lwFormulations** formulations);

/// Frees them. NULL is allowed.
LW_API void lw_formulations_destroy(lwFormulations* formulations);

/// qdd (dof) and the forces of the rows (rows, or NULL; those that are left out have none) by
/// formulation i, of a closed state with q, qd and tau. Without wrenches. Allocates nothing.
LW_API void lw_formulations_forward(lwFormulations* formulations, int i, const lwStates* state,
                                    double* qdd, double* forces);

/// How near q (nq) is to a singular position, in which a row of the loops no longer holds by itself
/// and forces in it grow without bound: about its least singular value over that of the position in
/// the file, and in *row the row; 0: singular.
LW_API double lw_loops_singular(lwLoops* loops, const double* q, int* row);

#endif
