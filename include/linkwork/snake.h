// SPDX-License-Identifier: MIT
/// @file snake.h  Snake robots: links in a row on passive wheels that roll but do not slip sideways.
///
/// The snake of nia2005. Link k = 1..n has the direction e_k = (cos theta_k, sin theta_k) and the normal
/// n_k = (-sin theta_k, cos theta_k) in the plane of the ground; joint k joins the front of link k to the rear of link
/// k+1. The centre of mass is in the middle of the link. Its wheel stands wheel_offset ahead of the middle and does not
/// slip: the axle moves along e_k only. So n + 2 coordinates (theta_1..n, and x, y, the middle of link 1) have n
/// constraints, and two speeds are left: u_1 = V_1, of link 1 along e_1, and u_2 = theta_1 dot. Torque T_k of joint k
/// acts with +T_k on link k+1 and with -T_k on link k.
///
/// The equations of motion are M(theta) udot + bias(theta, u) = force(theta, T). SI units, radians.
#ifndef LINKWORK_SNAKE_H
#define LINKWORK_SNAKE_H

#include "linkwork/methods.h"

enum
{
  LW_MAX_SNAKE_LINKS = 100000  ///< more is refused
};

/// Fields of a link that a finding may point at; see lwSnakeDef.places.
typedef enum lwSnakeField
{
  LW_SNAKE_FIELD_LINK,
  LW_SNAKE_FIELD_LENGTH,
  LW_SNAKE_FIELD_MASS,
  LW_SNAKE_FIELD_INERTIA,
  LW_SNAKE_FIELD_WHEEL_OFFSET,
  LW_SNAKE_FIELD_FRICTION_LIMIT,
  LW_SNAKE_FIELD_COUNT
} lwSnakeField;

/// One link. Start from lw_snake_link().
typedef struct lwSnakeLink
{
  double length;          // m, > 0, from joint to joint
  double mass;            // kg, > 0
  double inertia;         // kg m^2, >= 0, about the centre of mass, axis vertical
  double wheel_offset;    // m, of the axle ahead of the middle, less than half the length
  double friction_limit;  // N, > 0, lateral force at which the wheel slips; infinite if not given
} lwSnakeLink;

/// A snake as a person describes it. Start from lw_snake_def().
typedef struct lwSnakeDef
{
  const char* name;
  const char* origin;        // where the numbers come from, or NULL
  int count;                 // of links, >= 2
  bool alike;                // links has one entry, which stands for all
  const lwSnakeLink* links;  // (count), or (1) if alike
  const char* file;          // for diagnostics, or NULL
  const char* text;          // the text of that file, for the source lines of diagnostics, or NULL
  const lwPlace* places;     // (entries of links * LW_SNAKE_FIELD_COUNT) or NULL
  lwPlace place;             // of the snake as a whole
  /// Set by lw_snake_def(); leave it as it is.
  unsigned cookie;
} lwSnakeDef;

/// An immutable snake; any number of threads may share it.
typedef struct lwSnake lwSnake;

LW_API lwSnakeLink lw_snake_link(void);  ///< all zero, no friction limit
LW_API lwSnakeDef lw_snake_def(void);    ///< no links

/// Checks the description, reports everything wrong or doubtful about it in diag, and makes the snake if no error was
/// found; *snake is NULL otherwise. Everything is copied. Of lint (NULL: all false) only strict matters. diag may
/// be NULL.
///
/// The mass matrix M is positive definite in every posture if all masses are positive and at least one link has an
/// inertia or a wheel offset; otherwise it is singular when the snake is straight. Both are required.
LW_API lwStatus lw_snake_create(const lwSnakeDef* def, const lwLint* lint, lwDiag* diag,
                                lwSnake** snake);
LW_API void lw_snake_destroy(lwSnake* snake);

/// n links without any special number: what operation counts and benchmarks are about. The same n gives the same snake
/// on every machine.
LW_API lwStatus lw_snake_create_generic(int n, lwSnake** snake);

LW_API int lw_snake_count(const lwSnake* snake);               ///< links, n
LW_API const char* lw_snake_name(const lwSnake* snake);        ///< never NULL
LW_API const char* lw_snake_origin(const lwSnake* snake);      ///< or NULL
LW_API lwSnakeLink lw_snake_get(const lwSnake* snake, int k);  ///< link k, 0 <= k < n
LW_API bool lw_snake_is_uniform(const lwSnake* snake);         ///< all links are alike
LW_API double lw_snake_length(const lwSnake* snake);           ///< m, from end to end

/// Where the snake is when the middle of link 1 is at (x, y): its rear end, its joints and its front end, (n + 1) rows
/// of x, y (m).
LW_API void lw_snake_points(const lwSnake* snake, const double* theta, double x, double y,
                            double* points);

// --- answers

/// One state, or many one after the other: row k of an array of m columns begins at k * m. NULL stands for zeros.
typedef struct lwSnakeStates
{
  const double* theta;   // (n) rad, absolute directions of the links
  const double* u;       // (2) m/s, rad/s: V_1, theta_1 dot
  const double* torque;  // (n-1) N m
} lwSnakeStates;

/// What is wanted: every array that is not NULL is written, row by row like the states, link 1 first. The memory is the
/// caller's.
typedef struct lwSnakeAnswers
{
  double* udot;        // (2) m/s^2, rad/s^2
  double* V;           // (n) m/s, speed of each link along its direction
  double* omega;       // (n) rad/s, theta dot
  double* theta_ddot;  // (n) rad/s^2
  double* lambda;     // (n) N, of each wheel on the ground along n_k; it pushes back with -lambda_k
  double* rates;      // (2) m/s, velocity of the middle of link 1: x dot, y dot
  double* rates_dot;  // (2) m/s^2, its acceleration: x ddot, y ddot
  double* M;          // (2 x 2) kg, kg m, kg m^2, mass matrix of nia2005 (8)
  double* bias;       // (2) N, N m, N(theta, u) omega of (8)
  double* force;      // (2) N, N m, generalised force of the torques, F of (8)
  double* partial;    // (n x 2) 1/m, 1: d omega_k / d u_1, d omega_k / d u_2
  double* kinetic;    // (1) J
  double* power;      // (1) W, of the torques: sum T_k (omega_k+1 - omega_k) = d kinetic / dt
} lwSnakeAnswers;

/// How to compute. Start from lw_snake_workspace_def().
typedef struct lwSnakeWorkspaceDef
{
  const char* method;     // a name of lw_snake_method()
  lwPrecision precision;  // of the arithmetic; arrays stay double
  /// Set by lw_snake_workspace_def(); leave it as it is.
  unsigned cookie;
} lwSnakeWorkspaceDef;

/// All temporaries of one thread for one snake. O(n) memory for kane-linear and kane, O(n^2) for the others.
typedef struct lwSnakeWorkspace lwSnakeWorkspace;

LW_API lwSnakeWorkspaceDef lw_snake_workspace_def(void);  ///< kane-linear, double

/// Makes a workspace for the snake. NULL as def: the defaults. LW_ERROR_METHOD if the name is unknown.
LW_API lwStatus lw_snake_workspace_create(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                          lwDiag* diag, lwSnakeWorkspace** ws);
LW_API void lw_snake_workspace_destroy(lwSnakeWorkspace* ws);
LW_API const char* lw_snake_workspace_isa(const lwSnakeWorkspace* ws);
LW_API const char* lw_snake_workspace_method(const lwSnakeWorkspace* ws);

/// Answers about one state. What is asked for beyond udot costs O(n) more. Allocates nothing and cannot fail.
LW_API void lw_snake_answer(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                            const lwSnakeAnswers* answers);

/// The same for count states, in lanes of the widest vectors of the machine. Row k of every array is the answer to
/// state k, equal to the last bit to what lw_snake_answer() gives with the same workspace.
LW_API void lw_snake_answer_many(const lwSnake* snake, lwSnakeWorkspace* ws, int count,
                                 const lwSnakeStates* states, const lwSnakeAnswers* answers);

/// The accelerations alone: udot (2) and, if not NULL, omega (n), which is what an integrator of theta and u needs.
LW_API void lw_snake_motion(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                            double udot[2], double* omega);

/// Which wheels would slip: |lambda_k| > friction limit of link k. Writes slips (n) if it is not NULL; returns how
/// many slip.
LW_API int lw_snake_check_slip(const lwSnake* snake, const double* lambda, bool* slips);

// --- the inverse problem. Always in double precision by kane-linear, whatever the workspace is made for. theta and u of
// the state are read.

/// The joint torques (n-1) of least norm that give the wanted accelerations udot (2).
///
/// Two accelerations, n-1 torques: force = G T, G (2 x n-1) with G_ik = d (omega_k+1 - omega_k) / d u_i. Returns the
/// rank of G. Below 2 (two links; a straight snake, whose torques cannot push it forward; an arc of equal angles) not
/// every udot can be had: the torques are then the least that come nearest to it, measured by the kinetic energy of the
/// difference. reached (2), if not NULL, receives the udot that results.
LW_API int lw_snake_torque(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                           const double udot[2], double* torque, double reached[2]);

/// A gait at one instant: how the joint angles phi_k = theta_k+1 - theta_k are wanted to accelerate.
typedef struct lwSnakeGait
{
  const double* phi_ddot;  // (n-1) rad/s^2
  const double* weight;    // (n-1) >= 0, how much each joint matters; NULL: all 1
} lwSnakeGait;

/// The joint torques (n-1) that make the snake follow a gait as nearly as its wheels allow, and the udot that results.
///
/// What a gait can prescribe: with a wheel on every link the n-1 shape rates are given by two speeds,
/// phi dot = G^T u, so of all joints only two can be led; the rest follow on the wheels' tracks. The accelerations udot
/// with the least sum of weight_k (phi_k ddot - wanted_k)^2 are found first, then the torques of least norm that cause
/// them. With weights on two joints only, these two follow exactly wherever their columns of G are independent; with
/// weights on all, a gait that wheels can roll (a wave that travels along the body at its speed) is followed exactly
/// and any other as nearly as possible. Errors of position and rate are the caller's to feed back:
/// phi_ddot = wanted + kd (rate error) + kp (error).
///
/// udot may be NULL. Returns the rank with which the weighted joints determine udot; below 2 (a straight snake, an arc of
/// equal angles, weights on one joint) the direction that is left free is not pushed.
LW_API int lw_snake_gait(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                         const lwSnakeGait* wanted, double* torque, double udot[2]);

// --- the registry of snakes: methods with question LW_QUESTION_SNAKE, beside lw_method()

LW_API int lw_snake_method_count(void);
LW_API const lwMethod*
lw_snake_method(int i);  ///< 0 <= i < lw_snake_method_count(); 0 is the default
LW_API int lw_snake_method_find(const char* name);  ///< index, or -1

/// Counts the operations by which method i finds udot. LW_ERROR_MEMORY is the only failure.
LW_API lwStatus lw_snake_method_measure(const lwSnake* snake, int i, lwCount* count);

#endif
