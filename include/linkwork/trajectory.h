// SPDX-License-Identifier: MIT
/// @file trajectory.h Trajectories over time that respect limits, and inverse kinematics. Not part
/// of the core library.
///
/// SI units and radians, in the order of the robot's moving joints. Where a workspace is asked for,
/// it is one of double precision; it may have a wrench or another frame set; whatever is said about
/// the last link then applies to that frame.
#ifndef LINKWORK_TRAJECTORY_H
#define LINKWORK_TRAJECTORY_H

#include "linkwork/dynamics.h"

// --- trajectories

/// Positions, velocities and accelerations of all joints as functions of time, from t = 0 on.
typedef struct lwTrajectory lwTrajectory;

/// How cubic pieces are joined at waypoints. All pass them without stopping.
typedef enum lwJoin
{
  /// Velocity and acceleration are continuous; the ends have the given velocities (zero: at rest).
  LW_JOIN_CLAMPED,
  /// Velocity and acceleration are continuous; the ends have no acceleration and are not at rest.
  LW_JOIN_NATURAL,
  /// Velocity is continuous: the mean of the slopes on both sides, zero where the joint turns back.
  LW_JOIN_AVERAGE
} lwJoin;

/// Waypoints and limits. Start from lw_waypoints_def(). Arrays belong to the caller and are copied.
typedef struct lwWaypointsDef
{
  /// Number of waypoints, 2 or more.
  int count;
  /// (count, nq) Waypoints in order, rad or m; quaternions of ball and floating joints.
  const double* q;
  /// (count) Times of the waypoints, s, increasing. NULL: chosen, as short as the limits allow.
  const double* t;
  /// Duration of the whole where t is NULL, s. 0: as short as the limits allow.
  double duration;
  /// How pieces are joined; cubic only.
  lwJoin join;

  /// (dof) Velocity at the start, rad/s or m/s, cubic and quintic only. NULL: zeros.
  const double* start_velocity;
  /// (dof) Velocity at the end, rad/s or m/s, cubic and quintic only. NULL: zeros.
  const double* end_velocity;
  /// (dof) Acceleration at the start, rad/s^2 or m/s^2, quintic only. NULL: zeros.
  const double* start_acceleration;
  /// (dof) Acceleration at the end, rad/s^2 or m/s^2, quintic only. NULL: zeros.
  const double* end_acceleration;

  /// (dof) Velocity limits besides those of the robot, rad/s or m/s, above 0. NULL: none.
  const double* velocity;
  /// (dof) Acceleration limits, rad/s^2 or m/s^2, above 0. NULL: none.
  const double* acceleration;
  /// (dof) Jerk limits, rad/s^3 or m/s^3, above 0. NULL: none.
  const double* jerk;
  /// Set by lw_waypoints_def(); leave it as it is.
  unsigned cookie;
} lwWaypointsDef;

/// No waypoints, clamped, at rest at both ends, as short as the limits allow.
LW_API lwWaypointsDef lw_waypoints_def(void);

/// Trajectories through waypoints. Each is checked, exactly and not by sampling, to stay within the
/// robot's limits of position and velocity and within those given; if not, the error names joint
/// and time. LW_ERROR_INPUT with the finding in diag; *trajectory is NULL unless the status is
/// LW_OK. diag may be NULL. The model is not needed later.
///
/// Ball and floating joints follow profiles of their position and of the rotation vector from their
/// first waypoint to each waypoint: between two waypoints they turn about one axis. Limits apply to
/// these coordinates. Of the rotation vectors to a waypoint, the one nearest to that of the
/// waypoint before is taken. Velocities and accelerations at the ends are in body axes, as in qd.
/// Loops are not considered: the caller closes the joints that are not driven.
///
/// cubic: third-order pieces, joined as waypoints->join says. Times that are not given
/// are proportional to the time that the slowest joint needs for each leg, and are then
/// scaled together until a limit is met.
LW_API lwStatus lw_trajectory_create_cubic(const lwModel* model, const lwWaypointsDef* waypoints,
                                           lwDiag* diag, lwTrajectory** trajectory);

/// quintic: fifth-order pieces with given velocities and accelerations at the ends; at waypoints in
/// between those of the clamped cubic, so that both are continuous. Times as for cubic.
LW_API lwStatus lw_trajectory_create_quintic(const lwModel* model, const lwWaypointsDef* waypoints,
                                             lwDiag* diag, lwTrajectory** trajectory);

/// trapezoid: the shortest time within the limits of velocity and acceleration, at rest at every
/// waypoint. All joints start and stop together: the slowest sets the time, the others slow down in
/// proportion. Needs waypoints->acceleration.
LW_API lwStatus lw_trajectory_create_trapezoid(const lwModel* model,
                                               const lwWaypointsDef* waypoints, lwDiag* diag,
                                               lwTrajectory** trajectory);

/// s-curve: a trapezoid with limited jerk. Needs waypoints->jerk;
/// without waypoints->acceleration, acceleration is not limited.
LW_API lwStatus lw_trajectory_create_s_curve(const lwModel* model, const lwWaypointsDef* waypoints,
                                             lwDiag* diag, lwTrajectory** trajectory);

/// The orientation along a line.
typedef enum lwOrientation
{
  /// It stays as at the beginning.
  LW_ORIENTATION_KEPT,
  /// It turns to the given one about one axis, in proportion to the distance covered.
  LW_ORIENTATION_TURNED,
  /// Only the position follows the line.
  LW_ORIENTATION_FREE
} lwOrientation;

/// A straight line of the last link's origin. Start from lw_line_def().
typedef struct lwLineDef
{
  /// (nq) Joint positions at the beginning, rad or m; loops closed.
  const double* q;
  /// (3) m, base frame, where the line ends.
  double position[3];
  /// The orientation along the line.
  lwOrientation orientation;
  /// (9) Rotation at the end, row by row; LW_ORIENTATION_TURNED only.
  double rotation[9];
  /// Highest speed along the line, m/s. 0: it follows from the duration.
  double speed;
  /// Duration of the whole, s. 0: it follows from the speed. One of the two is given.
  double duration;
  /// Largest acceleration along the line, m/s^2. Infinite: it begins and ends at full speed.
  double acceleration;
  /// Largest jerk along the line, m/s^3.
  double jerk;
  /// Set by lw_line_def(); leave it as it is.
  unsigned cookie;
} lwLineDef;

/// Orientation kept, no ramps.
LW_API lwLineDef lw_line_def(void);

/// line: the origin of the last link moves straight at constant speed (mata2002, 5.2), with ramps
/// if acceleration is finite. qd and qdd are exact, J qd = v and J qdd = a - Jdot qd, not
/// differences of q. A robot of fewer than six joints must be able to follow the line; one of more
/// takes the smallest joint velocities. Refused, with the position, if a limit is exceeded, the arm
/// becomes singular or the line is out of reach. The model and the workspace must live as long as
/// the trajectory; no other thread may use the workspace, and its frame must not change. For a
/// robot with closed loops, which the trajectory keeps closed, the workspace needs
/// lwWorkspaceDef.open_tree.
LW_API lwStatus lw_trajectory_create_line(const lwModel* model, lwWorkspace* ws,
                                          const lwLineDef* line, lwDiag* diag,
                                          lwTrajectory** trajectory);

/// Samples of a trajectory, as a recording or a plan has them. Arrays are copied.
typedef struct lwSamplesDef
{
  /// The robot, if it has ball or floating joints: q is then (count, nq). NULL: all joints have one
  /// position and one velocity each.
  const lwModel* model;
  /// Number of velocities.
  int dof;
  /// Number of samples, 1 or more.
  long count;
  /// (count) Times, s, increasing.
  const double* t;
  /// (count, dof) Positions, rad or m.
  const double* q;
  /// (count, dof) Velocities, rad/s or m/s. NULL: unknown.
  const double* qd;
  /// (count, dof) Accelerations, rad/s^2 or m/s^2. NULL: unknown.
  const double* qdd;
} lwSamplesDef;

/// samples: through given positions at given times, with the velocities and accelerations given
/// there: pieces of fifth order with both, of third order with velocities only, straight lines
/// without. Limits are not checked. It ends at the last sample, and stands still before the first.
/// LW_ERROR_INPUT, and why in diag (or NULL), if a number is not finite, t does not increase or a
/// quaternion is not of length 1.
LW_API lwStatus lw_trajectory_create_samples(const lwSamplesDef* samples, lwDiag* diag,
                                             lwTrajectory** trajectory);

/// The samples of a CSV file ("-": standard input) with columns t, q1.., and perhaps qd1.. and
/// qdd1.., or q.NAME.. with names of joints; other columns are ignored. A ball joint has four
/// columns of q, its quaternion, a floating joint seven. As lw_trajectory_create_samples().
/// LW_ERROR_FILE if the file cannot be read, LW_ERROR_INPUT if it is wrong; diag (or NULL) has the
/// line and the column.
LW_API lwStatus lw_trajectory_read_file(const char* path, const lwModel* model, lwDiag* diag,
                                        lwTrajectory** trajectory);

/// The samples that a trajectory was made from; the arrays belong to it. Its count is 0 if it was
/// made from something else.
LW_API lwSamplesDef lw_trajectory_samples(const lwTrajectory* trajectory);

/// Frees a trajectory. NULL is allowed.
LW_API void lw_trajectory_destroy(lwTrajectory* trajectory);

/// Duration, s.
LW_API double lw_trajectory_duration(const lwTrajectory* trajectory);

/// The motion at time t, into q (nq), qd and qdd (dof), any of which may be NULL. Before 0 and
/// after the duration the arm stands still at that end. Allocates nothing and cannot fail.
LW_API void lw_trajectory_at(const lwTrajectory* trajectory, double t, double* q, double* qd,
                             double* qdd);

// --- inverse kinematics

/// The rotation Rz(yaw) Ry(pitch) Rx(roll), row by row.
LW_API void lw_rotation_rpy(const double rpy[3], double rotation[9]);

/// The inverse: roll, pitch and yaw of a rotation, rad, pitch within -pi/2 .. pi/2. If the pitch is
/// +-pi/2, they are one of many choices that give this rotation.
LW_API void lw_rotation_to_rpy(const double rotation[9], double rpy[3]);

/// The unit quaternion x y z w of a rotation; of the two, the one with w >= 0.
LW_API void lw_rotation_to_quaternion(const double rotation[9], double quaternion[4]);

/// The pose that the last link should reach. Start from lw_target_pose(), lw_target_position() or
/// lw_target_direction(). The weights of the error
/// are for position along x y z of the base (1/m) and for rotation about x y z of the target
/// (1/rad); a component of weight 0 is free.
typedef struct lwTarget
{
  /// (3) Desired position, m, base frame.
  double position[3];
  /// (9) Desired rotation, row by row, base frame.
  double rotation[9];
  /// (6) Weights of the position error, 1/m, and of the rotation error, 1/rad.
  double weights[6];
} lwTarget;

/// The origin of the base without rotation, all weights 1: position and orientation count.
LW_API lwTarget lw_target_pose(void);

/// A target position; the rotation is free.
LW_API lwTarget lw_target_position(void);

/// A target position and direction of z; free to turn about it.
LW_API lwTarget lw_target_direction(void);

/// How to search. Start from lw_ik_def().
typedef struct lwIkDef
{
  /// Position error below which the target counts as reached, m.
  double position_tolerance;
  /// Angle error below which the target counts as reached, rad.
  double angle_tolerance;
  /// Most iterations of each try.
  int iterations;
  /// Further tries from random positions.
  int restarts;
  /// Seed of these random positions.
  unsigned long long seed;
  /// Joint limits are ignored.
  bool ignore_limits;
  /// Set by lw_ik_def(); leave it as it is.
  unsigned cookie;
} lwIkDef;

/// 1e-9 m, 1e-9 rad, 200 iterations, 50 restarts, seed 1, within the joint limits.
LW_API lwIkDef lw_ik_def(void);

/// How a search ended.
typedef struct lwIkResult
{
  /// Both errors are within the tolerances.
  bool reached;
  /// Position error in the directions that are not free, m.
  double position_error;
  /// Angle error about the axes that are not free, rad.
  double angle_error;
  /// Iterations of all tries.
  int iterations;
  /// Restarts that were used.
  int restarts;
} lwIkResult;

/// A solver and its memory, for one thread.
typedef struct lwIk lwIk;

/// Makes a solver. The model and the workspace must live as long. For a robot with closed loops,
/// which the solver keeps closed, the workspace needs lwWorkspaceDef.open_tree.
LW_API lwStatus lw_ik_create(const lwModel* model, lwWorkspace* ws, const lwIkDef* def,
                             lwDiag* diag, lwIk** ik);

/// Frees a solver. NULL is allowed.
LW_API void lw_ik_destroy(lwIk* ik);

/// Finds q (lw_model_nq()) for which the last link is at the target: damped least squares from q as
/// given, then from random positions, within the limits of the joints. If it is not reached, q is
/// the nearest found. Allocates nothing.
LW_API lwIkResult lw_ik_solve(lwIk* ik, const lwTarget* target, double* q);

enum
{
  /// Most joints of an arm that lw_ik_all() can solve.
  LW_MAX_IK_JOINTS = 7,
  /// Most solutions of such an arm; with seven joints, at one arm angle.
  LW_MAX_SOLUTIONS = 8
};

/// One of all solutions.
typedef struct lwIkSolution
{
  /// (dof) rad or m; full turns are chosen within the limits, then nearest to the guess.
  double q[LW_MAX_IK_JOINTS];
  /// It is within the joint limits.
  bool inside;
  /// -1, or a joint of a one-parameter family of solutions, of which this one is an example.
  int free_joint;
  /// Position error, m.
  double position_error;
  /// Angle error, rad.
  double angle_error;
} lwIkSolution;

/// LW_OK if lw_ik_all() can answer. The joints must form a serial chain in which each moves the
/// last link, and the arm must be one of these:
///   six joints, axes of the last three meeting in a point, the first three revolute or prismatic;
///   six revolute, axes 2, 3 and 4 parallel, axes 5 and 6 meeting (arms of Universal Robots);
///   seven revolute, axes 1 to 3 meeting in a shoulder, axes 5 to 7 in a wrist (S-R-S).
/// LW_ERROR_INPUT if not, and diag (may be NULL) says why the arm is none of these.
LW_API lwStatus lw_ik_check_all(const lwIk* ik, lwDiag* diag);

/// All solutions in closed form, polished by Newton's method and verified by forward kinematics.
/// guess (dof; NULL: zeros) chooses among turns and within families; for seven joints the solutions
/// have its arm angle. *count is how many there are. LW_ERROR_INPUT as by lw_ik_check_all().
/// Weights are not used: the target is a full pose.
LW_API lwStatus lw_ik_all(lwIk* ik, const lwTarget* target, const double* guess, lwDiag* diag,
                          lwIkSolution solutions[LW_MAX_SOLUTIONS], int* count);

/// All solutions for seven joints with a given arm angle, rad: from the plane of axis 1 to the
/// plane of the elbow, both through shoulder and wrist, turning about the direction from shoulder
/// to wrist. LW_ERROR_INPUT for other arms.
LW_API lwStatus lw_ik_all_at(lwIk* ik, const lwTarget* target, double arm_angle,
                             const double* guess, lwDiag* diag,
                             lwIkSolution solutions[LW_MAX_SOLUTIONS], int* count);

/// The arm angle of positions q (7), -pi to pi rad. LW_ERROR_INPUT as by lw_ik_all_at(). If
/// shoulder and wrist are in line with axis 1 it counts from a fixed direction; of a straight arm
/// it is that of the side to which joint 4 would bend it.
LW_API lwStatus lw_ik_arm_angle(const lwIk* ik, const double* q, lwDiag* diag, double* arm_angle);

#endif
