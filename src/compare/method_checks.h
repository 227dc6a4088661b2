// SPDX-License-Identifier: MIT
// What must hold for every method in every state, and by how much it does not.
#ifndef LW_COMPARE_METHOD_CHECKS_H
#define LW_COMPARE_METHOD_CHECKS_H

#include "compare/gap.h"
#include "compare/random_state.h"
#include "linear/vectors.h"
#include "linkwork/loop.h"

// Everything that the checks of one state share.
typedef struct lwMethodChecker
{
  const lwModel* model;
  int n;
  double epsilon;          // of the precision
  double step;             // of the differences in the power balance, as an angle
  lwWorkspace* reference;  // newton-euler, else the default methods, in double
  lwWorkspace* plain;      // the default methods, in the precision
  lwWorkspace* in_base;    // as plain, with reactions in base axes
  lwWorkspace* pushed;     // as plain, with a wrench at lw_checker_place() of each link
  lwWorkspace* ws;         // of the method that is checked
  lwLoops* loops;          // of a robot with loops, by the method that is checked
  lwModel* filled;         // the robot, with links none of whose mass parameters is 0
  lwWorkspace* of_filled;  // as reference
  lwRandomState state;
  double* M;          // (n, n) and the others (n): what the reference says about the state
  double* tau;        // inverse dynamics
  double* bias;       // C qd + g - J^T w
  double* rest;       // |C qd| + |g| + |J^T w|
  double* answer;     // (n, n) of the method that is checked
  double* scratch;    // (10, n)
  double* moved;      // (4, n) the state a moment later
  double* wide;       // answers to any question
  double* rates;      // and their derivatives
  double* links;      // (joints of the description, LW_LINK_NUMBERS) poses and velocities
  double* loop_rows;  // (14, rows of loops)
} lwMethodChecker;

enum
{
  LW_LINK_NUMBERS = 21
};

// Of the differences in double, as the angle that all joints together turn.
#define LW_CHECKER_STEP_DOUBLE 0.03

// To be destroyed in any case.
lwStatus lw_method_checker_create(lwMethodChecker* checker, const lwModel* model,
                                  lwPrecision precision);
void lw_method_checker_destroy(lwMethodChecker* checker);

// Fills M .. rest for the state, and gives its torques the size of those of the
// motion. False: not finite.
bool lw_method_checker_refer(lwMethodChecker* checker);

// The state.
lwStates lw_checker_states(const lwMethodChecker* checker);

// Where link j of the description is pushed: off its origin, by turns in its own and in base axes.
lwWrenchPlace lw_checker_place(int j);

// The answer to a question about the state, by the method that is checked and by the reference.
void lw_checker_ask(lwMethodChecker* checker, lwQuestion question, double* out);
void lw_checker_reference(lwMethodChecker* checker, lwQuestion question, double* out);

// Row i of M x, and of |M| |x|.
double lw_checker_inertial(const lwMethodChecker* checker, int i, const double* x);
double lw_checker_inertial_size(const lwMethodChecker* checker, int i, const double* x);

// M (found - qdd), of accelerations found (n) for the torques of qdd; found becomes the difference.
lwGap lw_checker_undone(const lwMethodChecker* checker, double* found);

double lw_checker_energy_size(const lwMethodChecker* checker);  // J, for judging differences
double lw_checker_pace(const lwMethodChecker* checker);         // 1/s, of all joints together

// The time in which all joints together turn by an angle.
double lw_checker_step(const lwMethodChecker* checker, double angle);

// d/dt of an answer along the motion of the state, by differences over h: q moves with qd and qd
// with qdd; now says what else the question sees. Uses moved and wide.
void lw_checker_rate(lwMethodChecker* checker, lwWorkspace* ws, lwQuestion question,
                     const lwStates* now, double h, double* rate);

// Checks of questions with one answer; see question_checks.c.
typedef lwGap lwMethodGap(lwMethodChecker* checker);
lwMethodGap lw_check_bias, lw_check_gravity, lw_check_coriolis, lw_check_pose, lw_check_jacobian,
    lw_check_jacobian_rate, lw_check_poses, lw_check_velocities, lw_check_accelerations,
    lw_check_control, lw_check_reactions, lw_check_wrenches, lw_check_momentum, lw_check_net_force,
    lw_check_gibbs, lw_check_inertia_inverse, lw_check_coriolis_matrix, lw_check_regressor,
    lw_check_inverse_derivatives, lw_check_forward_derivatives;

// Those of robots with closed loops; see speed_checks.c.
lwMethodGap lw_check_closed_gravity, lw_check_closed_bias, lw_check_closed_coriolis,
    lw_check_closed_regressor, lw_check_closed_inertia, lw_check_closed_inverse,
    lw_check_closed_jacobian, lw_check_closed_rate, lw_check_closed_quadratic,
    lw_check_closed_slopes, lw_check_closed_reactions, lw_check_closed_gibbs;

// One property that methods must have.
typedef struct lwMethodCheck
{
  const char* name;
  lwQuestion question;  // whose methods, if it has any, are checked one by one
  lwMethodGap* gap;
  double base, per_joint;  // of the bound, in units of rounding: base + per_joint n
  int power;               // its cost grows with this power of the joints
  lwQuestion shown;        // the question that shows it to people
  const char* command;     // NULL: that of the question
} lwMethodCheck;

extern const lwMethodCheck LW_METHOD_CHECKS[];
extern const int LW_METHOD_CHECK_COUNT;

// Checks of robots with loops, of whose questions LW_METHOD_CHECKS has only those that take
// loops; see loop_checks.c. They find lwMethodChecker.loops and need no workspace.
extern const lwMethodCheck LW_LOOP_CHECKS[];
extern const int LW_LOOP_CHECK_COUNT;

// Moves a random state to one that keeps the loops closed.
void lw_checker_close_state(lwMethodChecker* checker);

#endif
