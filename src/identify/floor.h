// SPDX-License-Identifier: MIT
// How high the shapes of a robot's links are above the floor.
#ifndef LW_IDENTIFY_FLOOR_H
#define LW_IDENTIFY_FLOOR_H

#include "linkwork/dynamics.h"

typedef struct lwFloor
{
  const lwModel* model;
  lwWorkspace* ws;
  double up[3];   // in the base frame, against gravity; z without
  double height;  // of the floor along it, m
  bool known;     // a link that moves has a shape
} lwFloor;

// The floor is where the shapes of the base end, or at its origin. LW_ERROR_MEMORY or LW_OK; to be
// freed in any case.
lwStatus lw_floor_create(lwFloor* floor, const lwModel* model);
void lw_floor_free(lwFloor* floor);

// Least height of the shapes of the links above the floor, m. Links of joints on the base do not
// count: they may stand in it.
double lw_floor_clearance(const lwFloor* floor, const double* q);

#endif
