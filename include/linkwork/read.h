// SPDX-License-Identifier: MIT
/// @file read.h Robot and snake files to models. Needs libyaml and libxml2;
/// not part of the core library.
#ifndef LINKWORK_READ_H
#define LINKWORK_READ_H

#include "linkwork/model.h"
#include "linkwork/snake.h"

/// Reads a robot file (YAML, JSON or URDF, see docs/formats.md) and makes the model. Everything
/// wrong or doubtful is in diag, with file, line and column; *model is NULL unless the status is
/// LW_OK. options NULL: all false. A file is URDF if its name ends with .urdf or .xml, or it begins
/// with '<'. In URDF files a moving joint without inertia is always a warning: call
/// lw_model_inert() before forward dynamics.
LW_API lwStatus lw_robot_read_file(const char* path, const lwModelOptions* options, lwDiag* diag,
                                   lwModel** model);

/// Reads it from memory; name stands for the file in diagnostics. The text needs no final 0.
LW_API lwStatus lw_robot_read_text(const char* name, const char* text, size_t length,
                                   const lwModelOptions* options, lwDiag* diag, lwModel** model);

/// Reads a snake file and makes the snake, in the same way. Of lint only strict matters.
LW_API lwStatus lw_snake_read_file(const char* path, const lwLint* lint, lwDiag* diag,
                                   lwSnake** snake);

/// Reads it from memory; name stands for the file in diagnostics. The text needs no final 0.
LW_API lwStatus lw_snake_read_text(const char* name, const char* text, size_t length,
                                   const lwLint* lint, lwDiag* diag, lwSnake** snake);

#endif
