// SPDX-License-Identifier: MIT
/// @file write.h Robots to text: the files that read.h reads. Not part of the core library.
#ifndef LINKWORK_WRITE_H
#define LINKWORK_WRITE_H

#include "linkwork/model.h"

/// The forms of robot files that are written; see docs/formats.md.
typedef enum lwRobotFormat
{
  /// YAML, joints placed as the description places them.
  LW_ROBOT_FORMAT_YAML,
  /// URDF, joints placed with origin and axis.
  LW_ROBOT_FORMAT_URDF,
  /// MJCF, the XML of MuJoCo: bodies without contacts and actuators.
  LW_ROBOT_FORMAT_MJCF
} lwRobotFormat;

/// A text that the library made.
typedef struct lwText lwText;

/// Writes a robot file into memory. Numbers have as few digits as give the same double again. Where
/// the format cannot hold the placement of a joint, or the conventions of the joints are mixed, the
/// robot is first expressed with origins and axes (express.h). LW_ERROR_INPUT, and why in diag (or
/// NULL), if no model can be made of the robot, or MJCF has no such joints; *text is NULL unless the status is LW_OK.
LW_API lwStatus lw_robot_text(const lwRobotDef* robot, lwRobotFormat format, lwDiag* diag,
                              lwText** text);

/// The bytes of the text, with a 0 behind them. They belong to it.
LW_API const char* lw_text_bytes(const lwText* text);

/// Number of bytes, without the 0.
LW_API size_t lw_text_length(const lwText* text);

/// Frees a text. NULL is allowed.
LW_API void lw_text_destroy(lwText* text);

#endif
