// SPDX-License-Identifier: MIT
/// @file cycle.h Work cycles: what a robot does between its stops, as paths of its joints that
/// lw_retime() makes as fast as its limits allow. Not part of the core library; docs/formats.md has
/// the file, docs/trajectories.md explains it.
#ifndef LINKWORK_CYCLE_H
#define LINKWORK_CYCLE_H

#include "linkwork/retime.h"

/// A program: sections between stops, one after the other.
typedef struct lwCycle lwCycle;

/// Where a move of the program begins.
typedef struct lwCycleMove
{
  /// Path parameter of the section.
  double s;
  /// Number of the move in the file, from 1.
  int move;
  /// Largest speed of the tool from here on, m/s; infinite: no limit.
  double tool_speed;
} lwCycleMove;

/// From one stop to the next. Everything belongs to the cycle.
typedef struct lwCycleSection
{
  /// The robot with what it carries.
  const lwModel* model;
  /// The path of its joints, with the path parameter as time.
  const lwTrajectory* path;
  /// Speeds along the path at its ends.
  lwRetimeEnds ends;
  /// How long the arm stands before it, s.
  double wait;
  /// How long the arm stands at its end, s.
  double dwell;
  /// Number of moves.
  int move_count;
  /// (move_count) Moves of which it consists.
  const lwCycleMove* moves;
} lwCycleSection;

/// How joints go from waypoint to waypoint.
typedef enum lwCycleShape
{
  /// Straight in joint space, with a stop wherever the direction changes.
  LW_CYCLE_SHAPE_STRAIGHT,
  /// Along a cubic spline over the distance in joint space, without stops.
  LW_CYCLE_SHAPE_SPLINE
} lwCycleShape;

/// A program through waypoints: count, q and the velocities at the ends of the def are used, which must
/// be along the path; a spline begins and ends in their direction, and is natural at an end at rest.
/// LW_ERROR_INPUT, and why in diag (or NULL), if a waypoint or the path is beyond a joint's limits,
/// or the path has no length. What may surprise is a note in diag: how far a spline goes beyond its
/// waypoints. The model must outlive it.
LW_API lwStatus lw_cycle_create_waypoints(const lwModel* model, const lwWaypointsDef* waypoints,
                                          lwCycleShape shape, lwDiag* diag, lwCycle** cycle);

/// Reads a cycle file and plans the paths of its moves for a robot. Wherever the file is wrong is in
/// diag (or NULL) with line and column, LW_ERROR_INPUT; LW_ERROR_NUMERICAL: a point is out of reach,
/// or a path comes to a singular place, which diag names. The model must outlive it; NULL: the robot
/// of the file's key 'robot', which the program keeps.
LW_API lwStatus lw_cycle_read_file(const char* path, const lwModel* model, lwDiag* diag,
                                   lwCycle** cycle);

/// The same from memory; name stands for the file in diagnostics.
LW_API lwStatus lw_cycle_read_text(const char* name, const char* text, size_t length,
                                   const lwModel* model, lwDiag* diag, lwCycle** cycle);

/// Frees a program. NULL is allowed.
LW_API void lw_cycle_destroy(lwCycle* cycle);

/// Its name; "" without a file.
LW_API const char* lw_cycle_name(const lwCycle* cycle);

/// Number of sections.
LW_API int lw_cycle_count(const lwCycle* cycle);

/// Section k, 0 <= k < lw_cycle_count().
LW_API const lwCycleSection* lw_cycle_section(const lwCycle* cycle, int k);

/// Limits of the program beside those of the robot: tool, its speed and acceleration, reactions.
/// The other fields are the defaults; arrays belong to the cycle.
LW_API lwRetimeDef lw_cycle_limits(const lwCycle* cycle);

#endif
