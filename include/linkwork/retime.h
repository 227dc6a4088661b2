// SPDX-License-Identifier: MIT
/// @file retime.h The fastest motion along a given path within the limits of joints, motors,
/// cylinders, tool and bearings. Not part of the core library; docs/trajectories.md explains it.
///
/// The path is q(s); the motion is s(t) with s' = w, x = w^2 and s'' = u. Then qd = q' w and
/// qdd = q' u + q'' x, and every limit is an interval of u for given s and x. SI units, radians.
#ifndef LINKWORK_RETIME_H
#define LINKWORK_RETIME_H

#include "linkwork/cylinder.h"
#include "linkwork/loop.h"
#include "linkwork/trajectory.h"

/// What may limit a motion.
typedef enum lwLimitKind
{
  /// Nothing is near its limit.
  LW_LIMIT_NONE,
  /// Speed of a joint.
  LW_LIMIT_VELOCITY,
  /// Acceleration of a joint.
  LW_LIMIT_ACCELERATION,
  /// Torque or force of a joint: rigid bodies, rotor and friction.
  LW_LIMIT_EFFORT,
  /// Voltage of a motor, inductance neglected.
  LW_LIMIT_VOLTAGE,
  /// Current of a motor.
  LW_LIMIT_CURRENT,
  /// Force of a cylinder: pressure or buckling.
  LW_LIMIT_FORCE,
  /// Flow into a cylinder.
  LW_LIMIT_FLOW,
  /// Speed of the tool.
  LW_LIMIT_TOOL_SPEED,
  /// Acceleration of the tool.
  LW_LIMIT_TOOL_ACCELERATION,
  /// Force or moment that a joint transmits.
  LW_LIMIT_REACTION,
  /// Number of kinds.
  LW_LIMIT_COUNT
} lwLimitKind;

/// Its word in tables: "velocity", "tool_speed".
LW_API const char* lw_limit_word(lwLimitKind kind);

/// A limit of one joint, one cylinder or the tool.
typedef struct lwLimitPlace
{
  /// What is limited.
  lwLimitKind kind;
  /// Its velocity index, cylinder or (reaction) joint of the description; -1: the tool or none.
  int index;
} lwLimitPlace;

/// Largest force and moment that a joint may transmit, at its origin; infinite: no limit.
typedef struct lwReactionLimit
{
  /// Joint of the description.
  int joint;
  /// Length of the force, N.
  double force;
  /// Length of the moment, N m.
  double moment;
} lwReactionLimit;

/// What limits a motion, beside the robot's limits of velocity, acceleration and effort and its
/// motors. Start from lw_retime_def(). Arrays are copied.
typedef struct lwRetimeDef
{
  /// Intervals of the path, 2 or more; some are added at knots and where joints turn back.
  int grid;
  /// Parts of each of them, 1 or more: the error of the grid falls as 1 / (grid refine)^2, and next to
  /// places where a limit has little inertia to act on as 1 / (grid refine).
  int refine;
  /// (dof) Velocity limits besides those of the robot, rad/s or m/s, above 0. NULL: none.
  const double* velocity;
  /// (dof) Acceleration limits likewise, rad/s^2 or m/s^2. NULL: none.
  const double* acceleration;
  /// (dof) Jerk limits likewise, rad/s^3 or m/s^3. With any such limit, also of the robot, the motion
  /// is a local optimum: there may be faster ones. NULL: none.
  const double* jerk;
  /// (dof) Weights of the motors' heat, 1/A^2: what is least is then the duration plus the integrals of
  /// weight times current^2, and the motion is a local optimum. For limits of rms currents. NULL: none.
  const double* heat;
  /// Fraction of effort, voltage, current and cylinder force that is not used, 0 to below 1.
  double reserve;
  /// Largest speed of the tool, m/s; infinite: no limit.
  double tool_speed;
  /// Largest acceleration of the tool, m/s^2, gravity not included; infinite: no limit.
  double tool_acceleration;
  /// The point that counts as the tool. NULL: the origin of the last link.
  const lwFrame* tool;
  /// Number of limits of reactions.
  int reaction_count;
  /// (reaction_count) Limits of reactions.
  const lwReactionLimit* reactions;
  /// Cylinders that drive the robot, whose force and flow are limited; must outlive it. NULL: none.
  lwCylinders* cylinders;
  /// Rounds that lower limits where they are exceeded between grid points, 0 or more.
  int tightenings;
  /// Set by lw_retime_def(); leave it as it is.
  unsigned cookie;
} lwRetimeDef;

/// 1000 intervals in 3 parts, nothing limited beside the robot's own limits, the last link, 40 rounds.
LW_API lwRetimeDef lw_retime_def(void);

/// The memory for motions along paths with a given grid. For one thread.
typedef struct lwRetime lwRetime;

/// Takes the memory. The model must outlive it. LW_ERROR_INPUT, with the reason in diag (or NULL),
/// if a limit is not positive, or the robot has ball or floating joints, which have no such path.
LW_API lwStatus lw_retime_create(const lwModel* model, const lwRetimeDef* def, lwDiag* diag,
                                 lwRetime** retime);

/// Frees it. NULL is allowed.
LW_API void lw_retime_destroy(lwRetime* retime);

/// How a motion begins and ends: s' there, 1/s times the unit of s. Zeros: at rest.
typedef struct lwRetimeEnds
{
  /// Speed at the beginning.
  double start;
  /// Speed at the end.
  double end;
  /// The path is closed: both speeds are equal and as high as possible; start and end are not used.
  bool closed;
  /// Number of sections with tool speeds of their own.
  int speed_count;
  /// (speed_count, 2) Path parameter from which on a tool speed, m/s, must not be exceeded; matters
  /// only if lwRetimeDef.tool_speed is finite. NULL: none. Must live as long as the path.
  const double* speeds;
} lwRetimeEnds;

/// How well it went, or why there is no such motion.
typedef struct lwRetimeResult
{
  /// Duration, s.
  double time;
  /// No motion on this grid is faster, s.
  double bound;
  /// Largest (load - limit) / limit on a grid five times as fine; below 0: none is reached.
  double excess;
  /// Rounds of tightening.
  int rounds;
  /// Limits of jerk were kept: the motion is a local optimum, and bound is that without them.
  bool local;
  /// Where no speed keeps all limits, in units of the path; negative: there is a motion.
  double stuck;
  /// Two limits that exclude each other there.
  lwLimitPlace clash[2];
  /// First place where the drives cannot hold the arm at rest; negative: they can everywhere.
  double cannot_hold;
  /// What is missing there.
  lwLimitPlace hold;
} lwRetimeResult;

/// The fastest motion along a path: a trajectory whose time is the path's parameter s. For a robot
/// with closed loops, driven joints follow the path and the others follow them. LW_OK; or
/// LW_ERROR_INPUT: there is no motion within the limits, and result says where, or result->local is
/// set: none was found within those of jerk, which closed paths cannot have; LW_ERROR_NUMERICAL:
/// nothing limits the motion; LW_ERROR_OPEN: loops cannot be closed along the path. Allocates
/// nothing; the path must live as long as the motion is used.
LW_API lwStatus lw_retime(lwRetime* retime, const lwTrajectory* path, const lwRetimeEnds* ends,
                          lwRetimeResult* result);

/// The last motion slowed down: it takes `factor` times as long, 1 or more. LW_OK; or
/// LW_ERROR_INPUT: a limit is exceeded by more than 1e-6 of it, as that of an arm that must swing
/// through a place where its drives cannot hold it. result->stuck and clash[0] then say where.
/// Speeds at the ends are divided by the factor, too.
LW_API lwStatus lw_retime_slow(lwRetime* retime, double factor, lwRetimeResult* result);

/// Number of grid points of the last motion.
LW_API int lw_retime_points(const lwRetime* retime);

/// Time of grid point i, s.
LW_API double lw_retime_time(const lwRetime* retime, int i);

/// An instant of the motion. Arrays belong to the caller.
typedef struct lwRetimePoint
{
  /// Path parameter.
  double s;
  /// Its rate, 1/s times its unit.
  double sd;
  /// The rate of that.
  double sdd;
  /// (dof) Positions, rad or m; may be NULL.
  double* q;
  /// (dof) Velocities; may be NULL.
  double* qd;
  /// (dof) Accelerations; may be NULL.
  double* qdd;
  /// (dof) Torque or force of the drives: rigid bodies, rotor and friction; may be NULL.
  double* tau;
  /// The limit that is nearest.
  lwLimitPlace limit;
  /// 1 - load / limit of it.
  double margin;
} lwRetimePoint;

/// The motion at time t, s, from 0 to the duration. At a grid point, accelerations are those
/// after it; at the end of a motion that ends at rest, the arm stands.
LW_API void lw_retime_at(lwRetime* retime, double t, lwRetimePoint* point);

#endif
