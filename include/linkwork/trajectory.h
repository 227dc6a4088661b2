// SPDX-License-Identifier: MIT
/// @file trajectory.h  Trajectories over time that respect limits, and inverse kinematics. Not part of the core library.
///
/// SI units and radians, in the order of the robot's moving joints. Where a workspace is asked for, it is one of double
/// precision; it may have a wrench or another frame set, and everything said of the last link is then said of that frame.
#ifndef LINKWORK_TRAJECTORY_H
#define LINKWORK_TRAJECTORY_H

#include "linkwork/dynamics.h"

// --- trajectories

/// Positions, velocities and accelerations of all joints as functions of time, from t = 0 on.
typedef struct lwTrajectory lwTrajectory;

/// How cubic pieces are joined at points on the way. All pass them without stopping.
typedef enum lwJoin
{
  LW_JOIN_CLAMPED,  ///< velocity and acceleration are continuous, the ends have the given velocities (zero: at rest)
  LW_JOIN_NATURAL,  ///< velocity and acceleration are continuous, the ends have no acceleration; they are not at rest
  LW_JOIN_AVERAGE  ///< velocity is continuous: the mean of the slopes on both sides, zero where the joint turns back
} lwJoin;

/// Points to pass, and the limits on the way. Start from lw_waypoints_def(). Arrays are of the caller and are copied.
typedef struct lwWaypointsDef
{
  int count;        // of points, 2 or more
  const double* q;  // (count, dof) rad or m, the points in order
  const double* t;  // (count) s, increasing; NULL: chosen, as short as the limits allow
  double duration;  // s, of the whole where t is NULL; 0: as short as the limits allow
  lwJoin join;      // cubic only

  // at the ends, NULL: zeros
  const double* start_velocity;      // (dof) rad/s or m/s, cubic and quintic only
  const double* end_velocity;        // (dof) the same
  const double* start_acceleration;  // (dof) rad/s^2 or m/s^2, quintic only
  const double* end_acceleration;    // (dof) quintic only

  const double* velocity;      // (dof) limits besides those of the robot, above 0; NULL: none
  const double* acceleration;  // (dof) limits, rad/s^2 or m/s^2, above 0; NULL: none
  const double* jerk;          // (dof) limits, rad/s^3 or m/s^3, above 0; NULL: none
  /// Set by lw_waypoints_def(); leave it as it is.
  unsigned cookie;
} lwWaypointsDef;

LW_API lwWaypointsDef
lw_waypoints_def(void);  ///< no points, clamped, at rest at both ends, as short as the limits allow

/// Trajectories through points. Each checks that the trajectory stays within the limits of position and velocity of the robot and
/// within those given, exactly and not by samples, and names joint and time where it does not. LW_ERROR_INPUT with the
/// finding in diag; *motion is NULL unless the status is LW_OK. diag may be NULL. The model is not needed later.
///
/// cubic: third-order pieces, joined as way->join says. Times that are not given are in proportion to the time that the
///   slowest joint needs for each leg, and then scaled together until a limit is met.
LW_API lwStatus lw_trajectory_create_cubic(const lwModel* model, const lwWaypointsDef* waypoints,
                                           lwDiag* diag, lwTrajectory** trajectory);

/// quintic: fifth-order pieces with given velocities and accelerations at the ends; at points on the way those of the
///   clamped cubic, so that both are continuous. Times as for cubic.
LW_API lwStatus lw_trajectory_create_quintic(const lwModel* model, const lwWaypointsDef* waypoints,
                                             lwDiag* diag, lwTrajectory** trajectory);

/// trapezoid: in the shortest time that velocity and acceleration allow, at rest in every point. All joints begin and
///   end together: the slowest decides, the others are slowed down in proportion. Needs way->acceleration.
LW_API lwStatus lw_trajectory_create_trapezoid(const lwModel* model,
                                               const lwWaypointsDef* waypoints, lwDiag* diag,
                                               lwTrajectory** trajectory);

/// s-curve: the same with limited jerk. Needs way->jerk; without way->acceleration that is not limited.
LW_API lwStatus lw_trajectory_create_s_curve(const lwModel* model, const lwWaypointsDef* waypoints,
                                             lwDiag* diag, lwTrajectory** trajectory);

/// What becomes of the orientation along a line.
typedef enum lwOrientation
{
  LW_ORIENTATION_KEPT,    ///< it stays that of the beginning
  LW_ORIENTATION_TURNED,  ///< it turns to the given one about one axis, in proportion to the way
  LW_ORIENTATION_FREE     ///< only the position goes along the line
} lwOrientation;

/// A straight line of the last link's origin. Start from lw_line_def().
typedef struct lwLineDef
{
  const double* q;            // (dof) where it begins
  double position[3];         // m, base frame, where it ends
  lwOrientation orientation;  // on the way
  double rotation[9];         // row by row, where it ends; LW_ORIENTATION_TURNED only
  double speed;               // m/s along the line, at most; 0: by the duration
  double duration;            // s, of the whole; 0: by the speed. One of the two is given
  double acceleration;  // m/s^2 along the line, at most; infinite: it begins and ends at full speed
  double jerk;          // m/s^3, at most
  /// Set by lw_line_def(); leave it as it is.
  unsigned cookie;
} lwLineDef;

LW_API lwLineDef lw_line_def(void);  ///< orientation kept, no ramps

/// line: the origin of the last link goes straight at constant speed (mata2002, 5.2), with ramps if acceleration is
///   finite; qd and qdd are exact, J qd = v and J qdd = a - Jdot qd, not differences of q. A robot of fewer than six
///   joints must be able to do it, one of more goes by the least joint velocities. Refused with the place where a
///   limit is passed, the arm becomes singular or the line leaves its reach. The model and the workspace must live as long
///   as the trajectory, and the workspace must not be used by another thread, nor be given another frame.
LW_API lwStatus lw_trajectory_create_line(const lwModel* model, lwWorkspace* ws,
                                          const lwLineDef* line, lwDiag* diag,
                                          lwTrajectory** trajectory);

/// Samples of a trajectory, as a recording or a plan has them. Arrays are copied.
typedef struct lwSamplesDef
{
  int dof;            ///< joints
  long count;         ///< of samples, 1 or more
  const double* t;    ///< (count) s, increasing
  const double* q;    ///< (count, dof) rad or m
  const double* qd;   ///< (count, dof) rad/s or m/s; NULL: unknown
  const double* qdd;  ///< (count, dof) rad/s^2 or m/s^2; NULL: unknown
} lwSamplesDef;

/// samples: through given positions at given times, and there with the velocities and accelerations that are given: pieces
///   of fifth order with both, of third order with velocities, straight without. No limits are checked. It lasts until the
///   last sample, and stands still before the first. LW_ERROR_INPUT if a number is not finite or t does not increase.
LW_API lwStatus lw_trajectory_create_samples(const lwSamplesDef* samples,
                                             lwTrajectory** trajectory);

LW_API void lw_trajectory_destroy(lwTrajectory* trajectory);
LW_API double lw_trajectory_duration(const lwTrajectory* trajectory);  ///< s

/// The motion at time t, into q, qd, qdd (dof), any of which may be NULL. Before 0 and after the duration the arm stands
/// still at that end. Allocates nothing and cannot fail.
LW_API void lw_trajectory_at(const lwTrajectory* trajectory, double t, double* q, double* qd,
                             double* qdd);

// --- inverse kinematics

/// The rotation Rz(yaw) Ry(pitch) Rx(roll), row by row.
LW_API void lw_rotation_rpy(const double rpy[3], double rotation[9]);

/// The other way: roll, pitch and yaw of a rotation, rad, pitch within -pi/2 .. pi/2. Where the pitch is +-pi/2 they are
/// one choice of many that give the rotation back.
LW_API void lw_rotation_to_rpy(const double rotation[9], double rpy[3]);

/// The unit quaternion x y z w of a rotation; of the two, the one with w >= 0.
LW_API void lw_rotation_to_quaternion(const double rotation[9], double quaternion[4]);

/// Where the last link is to be. Start from lw_target_def(). The weights, of the error, are for position along x y z of the
/// base (1/m) and for rotation about x y z of the target (1/rad); what has weight 0 is free.
typedef struct lwTarget
{
  double position[3];  // m, base frame
  double rotation[9];  // row by row
  double weights[6];   // 1/m, 1/rad
} lwTarget;

LW_API lwTarget lw_target_def(void);        ///< the origin, no rotation, all weights 1
LW_API lwTarget lw_target_position(void);   ///< the same, rotation free
LW_API lwTarget lw_target_direction(void);  ///< the same, free to turn about z of the target

/// How to search. Start from lw_ik_def().
typedef struct lwIkDef
{
  double position_tolerance;  // m, to count as reached
  double angle_tolerance;     // rad
  int iterations;             // of each try, at most
  int restarts;               // further tries from random positions
  unsigned long long seed;    // of these
  bool ignore_limits;         // joint limits are not kept
  /// Set by lw_ik_def(); leave it as it is.
  unsigned cookie;
} lwIkDef;

LW_API lwIkDef lw_ik_def(void);  ///< 1e-9 m, 1e-9 rad, 200 iterations, 50 restarts, seed 1

typedef struct lwIkResult
{
  bool reached;
  double position_error;  // m, of what is not free
  double angle_error;     // rad, of what is not free
  int iterations;         // over all tries
  int restarts;           // used
} lwIkResult;

/// A solver and its memory, for one thread.
typedef struct lwIk lwIk;

/// Makes a solver. The model and the workspace must live as long.
LW_API lwStatus lw_ik_create(const lwModel* model, lwWorkspace* ws, const lwIkDef* def,
                             lwDiag* diag, lwIk** ik);
LW_API void lw_ik_destroy(lwIk* ik);

/// Finds q (dof) for which the last link is at the target: damped least squares from q as given, then from random
/// positions, within the limits of the joints. If it is not reached, q is the nearest found. Allocates nothing.
LW_API lwIkResult lw_ik_solve(lwIk* ik, const lwTarget* target, double* q);

enum
{
  LW_MAX_IK_JOINTS = 7,  ///< of arms with a closed form
  LW_MAX_SOLUTIONS = 8   ///< of such an arm, and for seven joints of one arm angle
};

/// One of all solutions.
typedef struct lwIkSolution
{
  double q
      [LW_MAX_IK_JOINTS];  // rad or m; turns are chosen within the limits, then nearest to the guess
  bool inside;             // within the limits
  int free_joint;  // -1, or a joint of a one-parameter family of solutions, of which this one is an example
  double position_error;  // m
  double angle_error;     // rad
} lwIkSolution;

/// LW_OK if lw_ik_all() can answer. All joints are in a row, each moves the last link, and there are
///   six, the axes of the last three meeting in one point, the first three revolute or prismatic;
///   six revolute ones, axes 2, 3 and 4 parallel, axes 5 and 6 meeting (arms of Universal Robots); or
///   seven revolute ones, axes 1 to 3 meeting in a shoulder, axes 5 to 7 in a wrist (S-R-S).
/// LW_ERROR_INPUT if not, and diag (may be NULL) says why the arm is none of these.
LW_API lwStatus lw_ik_check_all(const lwIk* ik, lwDiag* diag);

/// All solutions in closed form, polished by Newton's method and verified by forward kinematics. guess (dof; NULL: zeros)
/// chooses among turns and within families; for seven joints the solutions have its arm angle. *count is how many there
/// are. LW_ERROR_INPUT as by lw_ik_check_all(). Weights are not used: the target is a full pose.
LW_API lwStatus lw_ik_all(lwIk* ik, const lwTarget* target, const double* guess, lwDiag* diag,
                          lwIkSolution solutions[LW_MAX_SOLUTIONS], int* count);

/// The same for seven joints with a given arm angle, rad: the angle from the plane of axis 1 to the plane of the elbow,
/// both through shoulder and wrist, turning about the direction from shoulder to wrist. LW_ERROR_INPUT for other arms.
LW_API lwStatus lw_ik_all_at(lwIk* ik, const lwTarget* target, double arm_angle,
                             const double* guess, lwDiag* diag,
                             lwIkSolution solutions[LW_MAX_SOLUTIONS], int* count);

/// The arm angle of positions q (7), -pi to pi rad. LW_ERROR_INPUT as by lw_ik_all_at(). If shoulder and wrist are in line
/// with axis 1 it counts from a fixed direction; of a straight arm it is that of the side to which joint 4 would bend it.
LW_API lwStatus lw_ik_arm_angle(const lwIk* ik, const double* q, lwDiag* diag, double* arm_angle);

#endif
