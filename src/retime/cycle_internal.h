// SPDX-License-Identifier: MIT
// A program while it is made.
#ifndef LW_RETIME_CYCLE_INTERNAL_H
#define LW_RETIME_CYCLE_INTERNAL_H

#include "base/arena.h"
#include "base/diag.h"
#include "linkwork/cycle.h"
#include "read/document/document.h"

enum
{
  LW_CYCLE_MOST = 10000  // sections
};

struct lwCycle
{
  const char* name;
  const lwModel* model;  // without what it carries
  lwModel* named;        // that of the file, to be freed; NULL: another one was given
  lwRetimeDef limits;
  int count, capacity;
  lwCycleSection* sections;  // (capacity)
  int model_count;
  lwModel** models;  // (model_count) with bodies, to be freed
  lwArena arena;
};

lwCycle* lw_cycle_new(const lwModel* model);

// A section at the end of the program; NULL: out of memory.
lwCycleSection* lw_cycle_add(lwCycle* cycle);

// Knots of a path: s, and (count, n) of q, q', q''.
typedef struct lwKnots
{
  int count, capacity, n;
  double *s, *q, *q1, *q2;
} lwKnots;

// Adds a knot; false: out of memory. Free with lw_knots_free().
bool lw_knots_add(lwKnots* knots, double s, const double* q, const double* q1, const double* q2);
void lw_knots_free(lwKnots* knots);

// The path through the knots, fifth order between them; LW_OK or LW_ERROR_MEMORY.
lwStatus lw_knots_path(const lwKnots* knots, const lwModel* model, const lwTrajectory** path);

// --- a cycle file

typedef struct lwCyclePoint
{
  const char* name;
  double* q;  // (n) or NULL: a pose
  double position[3], rotation[9];
} lwCyclePoint;

typedef enum lwMoveKind
{
  LW_MOVE_JOINT,
  LW_MOVE_LINE,
  LW_MOVE_ARC,
  LW_MOVE_ROTATE,
  LW_MOVE_GRIP,
  LW_MOVE_RELEASE,
  LW_MOVE_DWELL
} lwMoveKind;

enum
{
  LW_BRANCH_KEEP,
  LW_BRANCH_FASTEST = -1  // above 0: that of lw_ik_all()
};

typedef struct lwMoveDef
{
  lwMoveKind kind;
  int target, through, body;  // of points and bodies, -1: none
  int branch;
  double rpy[3];
  double offset;  // m that it ends before the point, along -z of the tool
  double blend, speed, dwell;
  lwPlace place, blend_place;
} lwMoveDef;

// Everything that a cycle file says.
typedef struct lwCycleText
{
  lwDocument* document;
  const lwModel* model;
  lwArena* arena;
  const char* name;
  lwFrame tool;
  bool closed;
  lwPlace closed_place;
  double position_tolerance, angle_tolerance;  // m, rad
  double tool_speed, tool_acceleration;
  int reaction_count, point_count, body_count, move_count, start;
  lwReactionLimit* reactions;
  lwCyclePoint* points;
  const char** body_names;
  lwLinkDef* bodies;
  lwMoveDef* moves;
} lwCycleText;

// Reads the document; false after reporting what is wrong.
bool lw_program_read(lwCycleText* program);

// Makes the sections. LW_ERROR_INPUT: the file is wrong; LW_ERROR_NUMERICAL: there is no such
// motion; both with places in the document's diag.
lwStatus lw_program_build(const lwCycleText* program, lwCycle* cycle);

#endif
