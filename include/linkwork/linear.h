// SPDX-License-Identifier: MIT
/// @file linear.h Linear models: the state equations of an arm around a motion, xdot = A x + B u,
/// their eigenvalues and modes. Not part of the core library; eigenvalues need LAPACK.
///
/// With a motion q, qd, qdd and the torques tau that sustain it,
///
///   (M + R) qdd = u - (dtau/dq + K) q - (dtau/dqd + D + viscous) qd
///
/// for small changes q, qd, u, those of ball and floating joints in the tangent space: K and D are stiffness and damping of springs, R the inertia of the
/// rotors. A motor makes u a voltage: its back-EMF acts as a damper, and with inductance its
/// current is a state.
#ifndef LINKWORK_LINEAR_H
#define LINKWORK_LINEAR_H

#include "linkwork/arm.h"
#include "linkwork/cylinder.h"
#include "linkwork/drive.h"
#include "linkwork/dynamics.h"

/// What a linear model includes. Start from lw_linear_def().
typedef struct lwLinearDef
{
  /// (dof) Springs and dampers between the links, or compressed oil; only
  /// stiffness and damping count. NULL: none.
  const lwSpring* springs;
  /// Cylinders with closed valves: they add the stiffness of their oil, under the forces that the
  /// motion needs, and the damping of their pistons. Must outlive the linear model. NULL: none.
  lwCylinders* cylinders;
  /// Includes the inertia of the motors' rotors.
  bool rotors;
  /// Includes the viscous friction of the joints.
  bool friction;
  /// The inputs of joints with a motor are its voltage. Efficiency is that of the motion.
  bool motors;
  /// Set by lw_linear_def(); leave it as it is.
  unsigned cookie;
} lwLinearDef;

/// A linear model and its memory, for one thread.
typedef struct lwLinear lwLinear;

/// Rigid bodies alone; the inputs are torques.
LW_API lwLinearDef lw_linear_def(void);

/// Makes one for the model, which must outlive it. LW_ERROR_INPUT, and why in diag
/// (or NULL), if a joint has no inertia, a number of a spring is not finite, or a ball or floating
/// joint has one with stiffness. With closed loops, q and qd are those of the speeds of
/// lw_model_speed(), and B is by their forces; springs of passive joints are refused.
/// Of a robot that rolls, q are the positions of all joints, with dq/dt = N(q) qd; loops and cylinders
/// beside that are refused.
LW_API lwStatus lw_linear_create(const lwModel* model, const lwLinearDef* def, lwDiag* diag,
                                 lwLinear** linear);

/// Frees it. NULL is allowed.
LW_API void lw_linear_destroy(lwLinear* linear);

/// Number of states: q (lw_model_mobility(), of a robot that rolls lw_model_dof()), qd
/// (lw_model_mobility()), then the current of every motor with inductance.
LW_API int lw_linear_states(const lwLinear* linear);

/// Name of state i in columns: q1.., qd1.., i1.., with loops q.JOINT..; it belongs to the model.
LW_API const char* lw_linear_state_name(const lwLinear* linear, int i);

/// True if input k, 0 <= k < lw_model_mobility(), is a voltage; otherwise it is a torque or force.
LW_API bool lw_linear_is_voltage(const lwLinear* linear, int k);

/// A (states, states) and B (states, lw_model_mobility()), row by row, around a motion: q, qd, qdd
/// and the wrench of the point; tau is not read. Allocates nothing. LW_ERROR_INPUT if M + R is
/// singular there or a number is not finite; LW_ERROR_OPEN and LW_ERROR_NUMERICAL as lw_loops_check()
/// and lw_loops_answer().
LW_API lwStatus lw_linear_at(lwLinear* linear, const lwStates* point, double* A, double* B);

/// True if this library was built with LAPACK.
LW_API bool lw_lapack_available(void);

/// A mode: a solution exp(lambda t) v of xdot = A x.
typedef struct lwMode
{
  /// Real part of lambda, 1/s.
  double re;
  /// Imaginary part of lambda, rad/s. Of a pair only the one with im > 0 is listed.
  double im;
  /// |lambda|, rad/s: the undamped natural frequency of a pair.
  double frequency;
  /// -re / |lambda|; 0 where lambda is 0.
  double damping;
} lwMode;

/// How the motion around a point evolves.
typedef enum lwStability
{
  /// Every mode decays.
  LW_STABILITY_STABLE,
  /// Some modes neither decay nor grow, up to rounding.
  LW_STABILITY_MARGINAL,
  /// Some mode grows.
  LW_STABILITY_UNSTABLE
} lwStability;

/// The eigenvalues and eigenvectors of A (n, n), by LAPACK's dgeev, slowest first: modes
/// (n) and shapes (n, n, 2), row m the vector of mode m with real and imaginary parts;
/// *count of them, pairs once. LW_ERROR_INPUT, and why in diag (or NULL), without LAPACK or
/// if it does not converge; LW_ERROR_MEMORY.
LW_API lwStatus lw_modes(int n, const double* A, lwDiag* diag, lwMode* modes, double* shapes,
                         int* count);

/// Whether modes (count) are stable; a real part below 1e-9 of the largest |lambda| counts as 0.
LW_API lwStability lw_modes_stability(const lwMode* modes, int count);

/// The word for it: "stable", "marginal", "unstable".
LW_API const char* lw_stability_name(lwStability stability);

/// A mode shape in words, "elbow, with shoulder in phase (0.41) and waist opposed (0.12)": which
/// joints take part, the most active first, by share of kinetic energy at the last lw_linear_at().
/// Shares below 0.05 are left out. Writes at most size bytes, the final 0 included.
LW_API void lw_linear_mode_text(const lwLinear* linear, const double* shape, char* text,
                                size_t size);

/// What the linear model of a run says about its fixed steps.
typedef struct lwStableStep
{
  /// The longest stable step, s. INFINITY: the steps of the run are stable as far as the model
  /// tells.
  double step;
  /// The mode that needs it.
  lwMode mode;
  /// The joint that moves most in it, or -1.
  int joint;
} lwStableStep;

/// Whether the fixed steps of a run are beyond the stability limit of its method in the state that
/// it has reached: some mode would grow from step to step and does not in truth. Changes nothing.
/// INFINITY also for adaptive steps, without LAPACK and for more than 600 states. LW_ERROR_MEMORY.
LW_API lwStatus lw_arm_run_stable_step(lwArmRun* run, lwStableStep* found);

#endif
