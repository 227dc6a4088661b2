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

/// All temporaries of one thread for one snake.
typedef struct lwQuadSnakeWorkspace lwQuadSnakeWorkspace;

/// The requested answers about a snake: every array that is not NULL is
/// written. lwSnakeAnswers says what each is.
typedef struct lwQuadSnakeAnswers
{
  /// (2) Accelerations, m/s^2 and rad/s^2.
  lwQuad* udot;
  /// (n) Speed of each link, m/s.
  lwQuad* V;
  /// (n) Angular velocities, rad/s.
  lwQuad* omega;
  /// (n) Angular accelerations, rad/s^2.
  lwQuad* theta_ddot;
  /// (n) Force of each wheel on the ground, N.
  lwQuad* lambda;
  /// (2) Velocity of the middle of link 1, m/s.
  lwQuad* rates;
  /// (2) Its acceleration, m/s^2.
  lwQuad* rates_dot;
  /// (2, 2) Mass matrix.
  lwQuad* M;
  /// (2) Bias, N and N m.
  lwQuad* bias;
  /// (2) Generalised force of the torques, N and N m.
  lwQuad* force;
  /// (n, 2) Partial velocities.
  lwQuad* partial;
  /// (1) Kinetic energy, J.
  lwQuad* kinetic;
  /// (1) Power of the torques, W.
  lwQuad* power;
} lwQuadSnakeAnswers;

/// Makes a workspace for the snake; of def (NULL: the defaults) the method matters.
/// LW_ERROR_QUAD where there is no such arithmetic; otherwise as lw_snake_workspace_create().
/// The snake must outlive the workspace.
LW_API lwStatus lw_quad_snake_workspace_create(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                               lwDiag* diag, lwQuadSnakeWorkspace** ws);

/// Frees it; NULL is allowed.
LW_API void lw_quad_snake_workspace_destroy(lwQuadSnakeWorkspace* ws);

/// Answers about one state of a snake. Allocates nothing and cannot fail.
LW_API void lw_quad_snake_answer(lwQuadSnakeWorkspace* ws, const lwSnakeStates* state,
                                 const lwQuadSnakeAnswers* answers);

#endif
