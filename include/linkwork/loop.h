// SPDX-License-Identifier: MIT
/// @file loop.h  Robots with closed loops: closing them, and their dynamics.
///
/// A model with loops (lwRobotDef.loops) is a tree of joints plus rows that hold links together.
/// The questions of dynamics.h, except pose and energy, treat every joint as free and therefore
/// refuse such a model unless lwWorkspaceDef.open_tree is set. This header is about the robot with
/// its loops closed,
///   M(q) qdd + C(q,qd) qd + g(q) = tau + J_w^T w + J(q)^T f,   J(q) qd = 0,
/// with a row of J for every row of every loop, and f the forces in the cuts.
#ifndef LINKWORK_LOOP_H
#define LINKWORK_LOOP_H

#include "linkwork/dynamics.h"

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

/// Row i, 0 <= i < lw_model_loop_rows().
LW_API lwLoopRowInfo lw_model_loop_row(const lwModel* model, int i);

/// Degrees of freedom that the loops leave: dof less the rank of J
/// in the file's closed configuration.
LW_API int lw_model_mobility(const lwModel* model);

/// Whether velocity i belongs to a driven joint, one that is not passive. If the file marks no
/// joint as passive, as many joints as the loops determine follow the others: those without motors
/// first and, among these, the last ones. Without loops all are driven.
LW_API bool lw_model_is_driven(const lwModel* model, int i);

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

/// The workspace of the tree, to set where wrenches act. It belongs to loops.
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

/// The same for accelerations: J(q) qdd + dJ/dt qd = 0.
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

/// Inverse dynamics with closed loops: tau (dof), zero at joints that are not driven, of a state
/// with q, qd, qdd and wrench. Where more joints are driven than the motion needs, the torques with
/// the least sum of squares; likewise the forces in the cuts (rows, or NULL). LW_ERROR_UNDRIVEN if
/// the driven joints cannot produce this motion.
LW_API lwStatus lw_loops_inverse(lwLoops* loops, const lwStates* state, double* tau,
                                 double* forces);

#endif
