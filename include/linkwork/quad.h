// SPDX-License-Identifier: MIT
/// @file quad.h  Reference answers in 113-bit arithmetic, about arms and snakes.
///
/// The same kernels as in dynamics.h, with numbers of 113 bits (34 digits), show the rounding
/// errors of answers in double. The numbers of the description and the state are taken as the
/// doubles that they are: 90 degrees is the double nearest to pi/2, while models in double treat
/// such an angle as exactly a right one.
///
/// It needs 128-bit floating point and its functions in libm or libquadmath; lw_quad_available()
/// says whether this build has it.
#ifndef LINKWORK_QUAD_H
#define LINKWORK_QUAD_H

#include "linkwork/dynamics.h"
#include "linkwork/snake.h"

/// A number of 113 bits: the sum of its parts, exactly. The first part is the nearest double.
typedef struct lwQuad
{
  /// (3) From large to small.
  double part[3];
} lwQuad;

enum
{
  /// Room for lw_quad_text().
  LW_QUAD_TEXT = 48
};

/// All temporaries of one thread for one model.
typedef struct lwQuadWorkspace lwQuadWorkspace;

/// True if this build has 113-bit arithmetic.
LW_API bool lw_quad_available(void);

/// Makes a workspace for the model; of def (NULL: the defaults) methods, refine, rotors and
/// questions matter. LW_ERROR_QUAD where there is no such arithmetic; otherwise as
/// lw_workspace_create(). The model must outlive the workspace.
LW_API lwStatus lw_quad_workspace_create(const lwModel* model, const lwWorkspaceDef* def,
                                         lwDiag* diag, lwQuadWorkspace** ws);

/// Frees it; NULL is allowed.
LW_API void lw_quad_workspace_destroy(lwQuadWorkspace* ws);

/// As lw_workspace_set_frame().
LW_API lwStatus lw_quad_workspace_set_frame(lwQuadWorkspace* ws, const lwFrame* frame,
                                            lwDiag* diag);

/// Answers one question about one state. out has lw_question_outputs() entries.
/// Allocates nothing and cannot fail.
LW_API void lw_quad_answer(lwQuadWorkspace* ws, lwQuestion question, const lwStates* state,
                           lwQuad* out);

/// Writes the number with 33 significant digits.
LW_API void lw_quad_text(lwQuad number, char text[LW_QUAD_TEXT]);

/// Roll, pitch and yaw (rad) and the quaternion x y z w of a rotation, row by row, as
/// lw_rotation_to_rpy() and lw_rotation_to_quaternion() give them in double.
LW_API void lw_quad_rotation(const lwQuad rotation[9], lwQuad rpy[3], lwQuad quaternion[4]);

/// Answers about one state of a snake, as by lw_snake_answer(): the sum of the three parts of each
/// is its answer in 113 bits, and the first is the nearest double. Of def (NULL: the defaults) the
/// method matters. It takes its memory itself. LW_ERROR_QUAD where there is no such arithmetic;
/// otherwise as lw_snake_workspace_create().
LW_API lwStatus lw_quad_snake_answer(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                     const lwSnakeStates* state, const lwSnakeAnswers parts[3],
                                     lwDiag* diag);

#endif
