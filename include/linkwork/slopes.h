// SPDX-License-Identifier: MIT
/// @file slopes.h  Derivatives of answers: along directions in the state, and in robot constants.
///
/// The same kernels as in dynamics.h and snake.h, with numbers that carry derivatives along several
/// directions: exact but for rounding, no step sizes. Masses, centres of mass, inertias and gravity
/// carry their derivatives directly. A length or an angle of the description becomes a joint that
/// does not move, placed where the number acts; its position carries the derivative. So any number
/// may vary, even where axes are parallel.
#ifndef LINKWORK_SLOPES_H
#define LINKWORK_SLOPES_H

#include "linkwork/dynamics.h"
#include "linkwork/snake.h"

/// Kinds of constants of a robot.
typedef enum lwParameterKind
{
  /// Mass of a link, kg.
  LW_PARAMETER_MASS,
  /// Centre of mass of a link in its frame, m; entry 0 to 2: x, y, z.
  LW_PARAMETER_COM,
  /// Inertia about the centre of mass, kg m^2; entry 0 to 5: xx, yy, zz, xy, xz, yz.
  LW_PARAMETER_INERTIA,
  /// Lengths, m. Of a Denavit-Hartenberg joint entry 0 and 1: a, d; of an origin 0 to 2: x, y, z.
  LW_PARAMETER_LENGTH,
  /// Angles, rad. Of a Denavit-Hartenberg joint entry 0 and 1: alpha, theta;
  /// of an origin 0 to 2: roll, pitch, yaw.
  LW_PARAMETER_ANGLE,
  /// Gravity in the base frame, m/s^2; entry 0 to 2: x, y, z.
  LW_PARAMETER_GRAVITY,
  /// Number of kinds.
  LW_PARAMETER_KIND_COUNT
} lwParameterKind;

/// A constant of a robot.
typedef struct lwParameter
{
  /// What it is.
  lwParameterKind kind;
  /// Index of the joint, or of the joint that carries the link,
  /// in the description; gravity: not used.
  int joint;
  /// Which of them, where the kind has several.
  int entry;
} lwParameter;

/// Word for a kind: "mass", "com", "inertia", "length", "angle", "gravity".
LW_API const char* lw_parameter_kind_name(lwParameterKind kind);

/// Number of parameters of a kind that the description of the model has,
/// those of fixed joints and their links included.
LW_API int lw_parameter_count(const lwModel* model, lwParameterKind kind);

/// Parameter i of a kind, 0 <= i < lw_parameter_count(), joint by joint.
LW_API lwParameter lw_parameter_get(const lwModel* model, lwParameterKind kind, int i);

/// True if the description has such a parameter.
LW_API bool lw_parameter_exists(const lwModel* model, lwParameter parameter);

/// Its value in the description.
LW_API double lw_parameter_value(const lwModel* model, lwParameter parameter);

/// Its name as files call it: "mass", "com.x", "inertia.xy", "a",
/// "alpha", "xyz.z", "rpy.yaw", "gravity.z".
LW_API const char* lw_parameter_name(const lwModel* model, lwParameter parameter);

/// True for masses, inertias and gravity, in which torques are linear.
LW_API bool lw_parameter_is_linear(lwParameterKind kind);

/// A direction: how fast everything changes along it. NULL stands for zeros.
typedef struct lwTangent
{
  /// (dof) Rates of q; of ball and floating joints in the tangent space, as velocities are.
  const double* q;
  /// (dof) Rates of qd.
  const double* qd;
  /// (dof) Rates of qdd.
  const double* qdd;
  /// (dof) Rates of tau.
  const double* tau;
  /// (6) Rates of the wrench.
  const double* wrench;
  /// (as many as lw_differentiator_create() was given) Rates of the parameters.
  const double* parameters;
} lwTangent;

/// All temporaries of one thread for one model and some of its parameters.
typedef struct lwDifferentiator lwDifferentiator;

/// Makes one for the model and a list of its parameters, which may be empty. Of def (NULL: the
/// defaults) methods, refine, rotors and questions matter. LW_ERROR_INPUT if the description has
/// no such parameter; otherwise as lw_workspace_create(). Lengths and angles make the robot larger:
/// few of them at a time are faster. The model must outlive it.
LW_API lwStatus lw_differentiator_create(const lwModel* model, const lwWorkspaceDef* def,
                                         const lwParameter* parameters, int count, lwDiag* diag,
                                         lwDifferentiator** differentiator);

/// Frees it; NULL is allowed.
LW_API void lw_differentiator_destroy(lwDifferentiator* differentiator);

/// The derivatives of the answer to a question along each of count directions: slopes
/// (count, lw_question_outputs()), row by row. value (lw_question_outputs()), if not NULL,
/// receives the answer. Allocates nothing and cannot fail; questions that
/// lwWorkspaceDef.questions left out give NaN, and for robots with ball or floating joints those
/// whose method takes them as chains of joints (printed methods).
LW_API void lw_differentiate(lwDifferentiator* differentiator, lwQuestion question,
                             const lwStates* state, const lwTangent* directions, int count,
                             double* value, double* slopes);

// --- snakes

/// Kinds of constants of a snake, one of each for every link.
typedef enum lwSnakeParameterKind
{
  /// Length, m.
  LW_SNAKE_PARAMETER_LENGTH,
  /// Mass, kg.
  LW_SNAKE_PARAMETER_MASS,
  /// Inertia about the centre of mass, kg m^2.
  LW_SNAKE_PARAMETER_INERTIA,
  /// Distance of the axle ahead of the middle, m.
  LW_SNAKE_PARAMETER_WHEEL_OFFSET,
  /// Number of kinds.
  LW_SNAKE_PARAMETER_KIND_COUNT
} lwSnakeParameterKind;

/// A direction in everything that a snake's motion depends on. NULL stands for zeros.
typedef struct lwSnakeTangent
{
  /// (n) Rates of theta.
  const double* theta;
  /// (2) Rates of u.
  const double* u;
  /// (n-1) Rates of the torques.
  const double* torque;
  /// (LW_SNAKE_PARAMETER_KIND_COUNT) Rates of the constants of all links, each (n).
  const double* parameters[LW_SNAKE_PARAMETER_KIND_COUNT];
} lwSnakeTangent;

/// The derivatives of all answers that are not NULL in slopes along each of count directions, row
/// by row. Of def (NULL: the defaults) the method matters. It takes its memory itself, and fails as
/// lw_snake_workspace_create().
LW_API lwStatus lw_snake_differentiate(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                       const lwSnakeStates* state, const lwSnakeTangent* directions,
                                       int count, const lwSnakeAnswers* slopes);

#endif
