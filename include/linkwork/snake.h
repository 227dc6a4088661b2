// SPDX-License-Identifier: MIT
/// @file snake.h Snake robots: a chain of links on passive wheels that roll but do not slip
/// sideways.
///
/// The snake of nia2005. Link k = 1..n has the direction e_k = (cos theta_k, sin theta_k) and the
/// normal n_k = (-sin theta_k, cos theta_k) in the plane of the ground; joint k joins the front of
/// link k to the rear of link k+1. The centre of mass is in the middle of the link. Its wheel
/// stands wheel_offset ahead of the middle and does not slip: the axle moves along e_k only. So n +
/// 2 coordinates (theta_1..n, and x, y, the middle of link 1) have n constraints, and two speeds
/// are left: u_1 = V_1, of link 1 along e_1, and u_2 = theta_1 dot. Torque T_k of joint k acts with
/// +T_k on link k+1 and with -T_k on link k.
///
/// The equations of motion are M(theta) udot + bias(theta, u) = force(theta, T). SI units, radians.
#ifndef LINKWORK_SNAKE_H
#define LINKWORK_SNAKE_H

#include "linkwork/methods.h"

enum
{
  /// Snakes with more links are refused.
  LW_MAX_SNAKE_LINKS = 100000
};

/// Fields of a link that a finding may point at; see lwSnakeDef.places.
typedef enum lwSnakeField
{
  /// The link as a whole.
  LW_SNAKE_FIELD_LINK,
  /// Its length.
  LW_SNAKE_FIELD_LENGTH,
  /// Its mass.
  LW_SNAKE_FIELD_MASS,
  /// Its inertia.
  LW_SNAKE_FIELD_INERTIA,
  /// Where its wheel is.
  LW_SNAKE_FIELD_WHEEL_OFFSET,
  /// The force at which its wheel slips.
  LW_SNAKE_FIELD_FRICTION_LIMIT,
  /// The least angle of the joint ahead of it.
  LW_SNAKE_FIELD_LOWER,
  /// The greatest angle of the joint ahead of it.
  LW_SNAKE_FIELD_UPPER,
  /// Number of these fields.
  LW_SNAKE_FIELD_COUNT
} lwSnakeField;

/// One link. Start from lw_snake_link().
typedef struct lwSnakeLink
{
  /// Length from joint to joint, m, > 0.
  double length;
  /// Mass, kg, > 0.
  double mass;
  /// Inertia about the vertical axis through the centre of mass, kg m^2, >= 0.
  double inertia;
  /// Distance of the axle ahead of the middle, m, less than half the length.
  double wheel_offset;
  /// Lateral force at which the wheel slips, N, > 0; infinite if not given.
  double friction_limit;
  /// Least angle of the joint ahead, phi_k = theta_k+1 - theta_k, rad; -infinite if not given.
  double lower;
  /// Greatest angle of that joint, rad, > lower; infinite if not given, or if both are 0. The front
  /// link has no joint ahead.
  double upper;
} lwSnakeLink;

/// A snake as a person describes it. Start from lw_snake_def().
typedef struct lwSnakeDef
{
  /// Its name.
  const char* name;
  /// Where the numbers come from, or NULL.
  const char* origin;
  /// Number of links, 2 or more.
  int count;
  /// `links` has one entry, which stands for all.
  bool alike;
  /// (count) The links from rear to front; (1) if alike.
  const lwSnakeLink* links;
  /// Warnings that are known and not reported, or NULL; as lwRobotDef.accept, the name being that
  /// of the link, `link 3`.
  const char* accept;
  /// The file, for diagnostics, or NULL.
  const char* file;
  /// The text of that file, for the source lines of diagnostics, or NULL.
  const char* text;
  /// (entries of links, LW_SNAKE_FIELD_COUNT) Where in the file each field is, or NULL.
  const lwPlace* places;
  /// Where in the file the snake is.
  lwPlace place;
  /// Set by lw_snake_def(); leave it as it is.
  unsigned cookie;
} lwSnakeDef;

/// An immutable snake; any number of threads may share it.
typedef struct lwSnake lwSnake;

/// A link with all numbers zero, no friction limit and no limits of the joint ahead.
LW_API lwSnakeLink lw_snake_link(void);

/// A snake without links.
LW_API lwSnakeDef lw_snake_def(void);

/// Checks the description, reports everything wrong or doubtful about it in diag, and makes the
/// snake if no error was found; *snake is NULL otherwise. Everything is copied. Of lint (NULL: all
/// false) only strict matters. diag may be NULL.
///
/// The mass matrix M is positive definite in every posture if all masses are positive and at
/// least one link has an inertia or a wheel offset; otherwise it is singular when the snake is
/// straight. Both are required.
LW_API lwStatus lw_snake_create(const lwSnakeDef* def, const lwLint* lint, lwDiag* diag,
                                lwSnake** snake);

/// Frees a snake. NULL is allowed.
LW_API void lw_snake_destroy(lwSnake* snake);

/// n links without any special number, for operation counts and benchmarks. The same n
/// gives the same snake on every machine.
LW_API lwStatus lw_snake_create_generic(int n, lwSnake** snake);

/// Number of links, n.
LW_API int lw_snake_count(const lwSnake* snake);

/// Its name, never NULL.
LW_API const char* lw_snake_name(const lwSnake* snake);

/// Where the numbers come from, or NULL.
LW_API const char* lw_snake_origin(const lwSnake* snake);

/// Link k, 0 <= k < n.
LW_API lwSnakeLink lw_snake_get(const lwSnake* snake, int k);

/// True if all links are alike.
LW_API bool lw_snake_is_uniform(const lwSnake* snake);

/// Length from end to end, m.
LW_API double lw_snake_length(const lwSnake* snake);

/// Where the snake is when the middle of link 1 is at (x, y): its rear end, its joints and its
/// front end, (n + 1) rows of x, y (m).
LW_API void lw_snake_points(const lwSnake* snake, const double* theta, double x, double y,
                            double* points);

/// The first joint (0 <= k < n-1) whose angle theta_k+1 - theta_k is beyond a limit, or -1.
LW_API int lw_snake_find_beyond(const lwSnake* snake, const double* theta);

// --- answers

/// One state, or many one after the other: row k of an array of m columns begins at k * m.
/// NULL stands for zeros.
typedef struct lwSnakeStates
{
  /// (n) rad, absolute directions of the links.
  const double* theta;
  /// (2) Speeds V_1 in m/s and theta_1 dot in rad/s.
  const double* u;
  /// (n-1) Torques of the joints, N m.
  const double* torque;
} lwSnakeStates;

/// The requested answers: every array that is not NULL is written, row by row like the states, link
/// 1 first. The caller owns the memory.
typedef struct lwSnakeAnswers
{
  /// (2) Accelerations, m/s^2 and rad/s^2.
  double* udot;
  /// (n) Speed of each link along its direction, m/s.
  double* V;
  /// (n) Angular velocities theta dot, rad/s.
  double* omega;
  /// (n) Angular accelerations, rad/s^2.
  double* theta_ddot;
  /// (n) Force of each wheel on the ground along n_k, N; the ground pushes back with -lambda_k.
  double* lambda;
  /// (2) Velocity of the middle of link 1, x dot and y dot, m/s.
  double* rates;
  /// (2) Its acceleration, x ddot and y ddot, m/s^2.
  double* rates_dot;
  /// (2, 2) Mass matrix of nia2005 (8), kg, kg m, kg m^2.
  double* M;
  /// (2) N(theta, u) omega of (8), N and N m.
  double* bias;
  /// (2) Generalised force of the torques, F of (8), N and N m.
  double* force;
  /// (n, 2) Partial velocities d omega_k / d u_1 (1/m) and d omega_k / d u_2 (1).
  double* partial;
  /// (1) Kinetic energy, J.
  double* kinetic;
  /// (1) Power of the torques, W: sum T_k (omega_k+1 - omega_k) = d kinetic / dt.
  double* power;
} lwSnakeAnswers;

/// How to compute. Start from lw_snake_workspace_def().
typedef struct lwSnakeWorkspaceDef
{
  /// A name of lw_snake_method().
  const char* method;
  /// Precision of the computation; arrays stay double.
  lwPrecision precision;
  /// Set by lw_snake_workspace_def(); leave it as it is.
  unsigned cookie;
} lwSnakeWorkspaceDef;

/// All temporaries of one thread for one snake. O(n) memory for kane-linear and kane,
/// O(n^2) for the others.
typedef struct lwSnakeWorkspace lwSnakeWorkspace;

/// The defaults: kane-linear, double.
LW_API lwSnakeWorkspaceDef lw_snake_workspace_def(void);

/// Makes a workspace for the snake. NULL as def: the defaults.
/// LW_ERROR_METHOD if the name is unknown.
LW_API lwStatus lw_snake_workspace_create(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                          lwDiag* diag, lwSnakeWorkspace** ws);

/// Frees a workspace. NULL is allowed.
LW_API void lw_snake_workspace_destroy(lwSnakeWorkspace* ws);

/// The instruction set the workspace computes with: "baseline", "avx2" or "avx512".
LW_API const char* lw_snake_workspace_isa(const lwSnakeWorkspace* ws);

/// Name of the method the workspace computes with.
LW_API const char* lw_snake_workspace_method(const lwSnakeWorkspace* ws);

/// Answers about one state. Answers other than udot cost O(n) more. Allocates nothing and cannot
/// fail.
LW_API void lw_snake_answer(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                            const lwSnakeAnswers* answers);

/// Answers about count states, in lanes of the widest vectors of the machine. Row k of
/// every array is the answer to state k, equal to the last bit to what lw_snake_answer()
/// gives with the same workspace.
LW_API void lw_snake_answer_many(const lwSnake* snake, lwSnakeWorkspace* ws, int count,
                                 const lwSnakeStates* states, const lwSnakeAnswers* answers);

/// Which wheels would slip: |lambda_k| > friction limit of link k. Writes slips (n) if it is not
/// NULL; returns how many slip.
LW_API int lw_snake_check_slip(const lwSnake* snake, const double* lambda, bool* slips);

// --- the inverse problem. Always in double precision by kane-linear, whatever the workspace
// is made for. It reads theta and u of the state.

/// The joint torques (n-1) of least norm that give the desired accelerations udot (2).
///
/// Two accelerations, n-1 torques: force = G T, G (2 x n-1) with G_ik = d (omega_k+1 - omega_k) / d
/// u_i. Returns the rank of G. Below 2 (two links; a straight snake, whose torques cannot push it
/// forward; an arc of equal angles) not every udot is possible: the result is then the smallest
/// torques that come nearest to it, measured by the kinetic energy of the difference. reached (2),
/// if not NULL, receives the udot that results.
LW_API int lw_snake_torque(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                           const double udot[2], double* torque, double reached[2]);

/// A gait at one instant: the desired accelerations of the joint angles phi_k = theta_k+1 -
/// theta_k.
typedef struct lwSnakeGait
{
  /// (n-1) Desired accelerations of the joint angles, rad/s^2.
  const double* phi_ddot;
  /// (n-1) How much each joint matters, >= 0. NULL: all 1.
  const double* weight;
} lwSnakeGait;

/// The joint torques (n-1) that make the snake follow a gait as nearly as its wheels allow,
/// and the udot that results.
///
/// What a gait can prescribe: with a wheel on every link, two speeds determine the n-1 shape rates,
/// phi dot = G^T u, so only two joints can be controlled; the others follow in the tracks of the
/// wheels. The accelerations udot with the least sum of weight_k (phi_k ddot - wanted_k)^2 are
/// found first, then the torques of least norm that cause them. With weights on two joints only,
/// these two follow exactly wherever their columns of G are independent. With weights on all, a
/// gait that wheels can roll (a wave that travels along the body at its speed) is followed exactly
/// and any other as nearly as possible. The caller feeds back errors of position and rate: phi_ddot
/// = wanted + kd (rate error) + kp (error).
///
/// udot may be NULL. Returns the rank with which the weighted joints determine udot; below 2 (a
/// straight snake, an arc of equal angles, weights on one joint) no torque acts in the direction
/// that is left free.
LW_API int lw_snake_gait(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                         const lwSnakeGait* wanted, double* torque, double udot[2]);

// --- the registry of snakes: methods with question LW_QUESTION_SNAKE, beside lw_method()

/// Number of methods for snakes.
LW_API int lw_snake_method_count(void);

/// Method i, 0 <= i < lw_snake_method_count(); 0 is the default.
LW_API const lwMethod* lw_snake_method(int i);

/// Index of the method with this name, or -1.
LW_API int lw_snake_method_find(const char* name);

/// Counts the operations by which method i finds udot. LW_ERROR_MEMORY is the only failure.
LW_API lwStatus lw_snake_method_measure(const lwSnake* snake, int i, lwCount* count);

#endif
