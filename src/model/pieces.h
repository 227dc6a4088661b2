// SPDX-License-Identifier: MIT
// Joints with several freedoms as chains of joints with one.
#ifndef LW_MODEL_PIECES_H
#define LW_MODEL_PIECES_H

#include "model/model_internal.h"

// Fills split and piece of a model whose robot is set and valid. False: out of memory.
bool lw_pieces_build(lwModel* model);

// Fills nq, position, balls and the names of coordinates of a model whose dof and leaders are
// known. False: out of memory.
bool lw_coordinates_build(lwModel* model);

// The robot with a floating joint "base" before its other joints, in the memory of the arena.
// NULL: out of memory.
const lwRobotDef* lw_robot_float(lwArena* arena, const lwRobotDef* robot);

#endif
