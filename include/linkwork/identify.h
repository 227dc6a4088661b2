// SPDX-License-Identifier: MIT
/// @file identify.h From a log of a robot to its parameters: least squares on tau = Y(q, qd, qdd)
/// pi, and a robot that can exist. Not part of the core library; needs LAPACK.
///
/// SI units and radians, in the order of the robot's independent joints, which must have one
/// freedom each.
#ifndef LINKWORK_IDENTIFY_H
#define LINKWORK_IDENTIFY_H

#include "linkwork/model.h"

// --- logs

/// What was recorded. Arrays belong to whom they belonged before.
typedef struct lwLogDef
{
  /// Number of samples.
  long count;
  /// (count) Times in equal steps, s.
  const double* t;
  /// (count, dof) Positions, rad or m.
  const double* q;
  /// (count, dof) Velocities, rad/s or m/s. NULL: made from q.
  const double* qd;
  /// (count, dof) Accelerations, rad/s^2 or m/s^2. NULL: made from q.
  const double* qdd;
  /// (count, dof) Torques or forces of the drives, N m or N. NULL: not measured.
  const double* tau;
  /// (count, dof) Currents of the motors, A. NULL: not measured.
  const double* current;
} lwLogDef;

/// A log that was read from a file.
typedef struct lwLog lwLog;

/// Reads a CSV file, "-" for standard input: columns t, q1..qn or q.NAME, and tau1.. or i1..;
/// perhaps qd1.., qdd1... Everything wrong is in diag (or NULL) with file, line and column; *log is
/// NULL unless the status is LW_OK.
LW_API lwStatus lw_log_read_file(const char* path, const lwModel* model, lwDiag* diag, lwLog** log);

/// The same from memory; name stands for the file in diagnostics.
LW_API lwStatus lw_log_read_text(const char* name, const char* text, size_t length,
                                 const lwModel* model, lwDiag* diag, lwLog** log);

/// Frees a log. NULL is allowed.
LW_API void lw_log_destroy(lwLog* log);

/// What is in the log. It belongs to the log.
LW_API const lwLogDef* lw_log_data(const lwLog* log);

// --- identification

/// What to look for. Start from lw_identify_def().
typedef struct lwIdentifyDef
{
  /// Viscous friction of every joint that moved.
  bool viscous;
  /// Coulomb friction of every joint that moved.
  bool coulomb;
  /// A constant torque of every joint that moved: asymmetric friction, an offset of the sensor.
  bool offset;
  /// Inertia of the rotors, gear^2 rotor_inertia, of every joint that moved.
  bool rotors;
  /// The log has currents: tau = gear torque_constant i, and torque constants are looked for.
  /// Currents fix no scale: the mean of the ratios to the constants in the description is taken for
  /// 1.
  bool current;
  /// Of the zero-phase filter, Hz. 0: five times the frequency below which the motion lies.
  double cutoff;
  /// Part of the log, at its end, that is held back to test the result; 0 to 0.9.
  double held_back;
  /// Set by lw_identify_def(); leave it as it is.
  unsigned cookie;
} lwIdentifyDef;

/// Rigid bodies alone, cutoff by the motion, a quarter of the log held back.
LW_API lwIdentifyDef lw_identify_def(void);

/// What was found. It belongs to the caller.
typedef struct lwIdentified lwIdentified;

/// Identifies the parameters of the model from the log: base parameters and friction by weighted
/// least squares (QR), then link by link masses, centres of mass and inertias that a rigid body can
/// have, near those of the model where the log says nothing. LW_ERROR_INPUT, and why in diag (or
/// NULL), if the log cannot be of use: too short, nothing moves, unequal steps, degrees, without
/// LAPACK. LW_ERROR_NUMERICAL if it can, but does not determine the parameters or does not fit the
/// robot.
/// *identified is NULL unless the status is LW_OK.
LW_API lwStatus lw_identify(const lwModel* model, const lwLogDef* log, const lwIdentifyDef* def,
                            lwDiag* diag, lwIdentified** identified);

/// Frees it. NULL is allowed.
LW_API void lw_identified_destroy(lwIdentified* identified);

/// A number that the log determines.
typedef struct lwEstimate
{
  /// "upper_arm.xx - forearm.yy + ..": the combination of parameters that it is; "elbow.viscous".
  const char* name;
  /// Its unit.
  const char* unit;
  /// Its value by the description.
  double file;
  /// Its value by least squares.
  double value;
  /// The standard error of that.
  double error;
  /// Its value of the robot that can exist.
  double possible;
} lwEstimate;

/// Number of estimates: base parameters, then rotors, friction, offsets and motor constants.
LW_API int lw_identified_count(const lwIdentified* identified);

/// Estimate i, 0 <= i < lw_identified_count(). The text belongs to the result.
LW_API lwEstimate lw_identified_estimate(const lwIdentified* identified, int i);

/// Correlation of the errors of two estimates, -1 to 1.
LW_API double lw_identified_correlation(const lwIdentified* identified, int i, int j);

/// How the fit went.
typedef struct lwFit
{
  /// Condition number of the least squares, columns of equal length.
  double condition;
  /// Largest correlation of two different estimates, without its sign.
  double correlation;
  /// Cutoff of the zero-phase filter, Hz.
  double cutoff;
  /// Samples per second of the equations.
  double rate;
  /// Equations that were fitted.
  long equations;
  /// Samples that were fitted.
  long fitted;
  /// Samples that were held back.
  long held_back;
  /// Weighted sum of squares of the robot that can exist, over that of least squares.
  double cost;
} lwFit;

/// How the fit went.
LW_API lwFit lw_identified_fit(const lwIdentified* identified);

/// One joint: how well its torques are predicted in the part that was held back.
typedef struct lwJointFit
{
  /// It moved. What did not is left alone.
  bool moved;
  /// Root mean square of its torque, N m or N.
  double torque;
  /// The same of what the description as it was leaves unexplained.
  double before;
  /// The same of what least squares leaves.
  double residual;
  /// The same of what the robot that can exist leaves.
  double possible;
  /// Standard deviation of the residual in the part that was fitted, correlation in time included,
  /// N m or N.
  double noise;
} lwJointFit;

/// The fit of joint i, 0 <= i < lw_model_dof().
LW_API lwJointFit lw_identified_joint(const lwIdentified* identified, int i);

/// The robot that can exist, with its friction and motors. It belongs to the result.
LW_API const lwRobotDef* lw_identified_robot(const lwIdentified* identified);

/// Torques over time, filtered: (count) times, (count, dof) measured and predicted by the robot
/// that can exist. From sample `fitted` of lwFit on they were held back.
typedef struct lwFitSeries
{
  /// Number of samples.
  long count;
  /// (count) s.
  const double* t;
  /// (count, dof) N m or N.
  const double* measured;
  /// (count, dof) N m or N.
  const double* predicted;
} lwFitSeries;

/// The series. It belongs to the result.
LW_API lwFitSeries lw_identified_series(const lwIdentified* identified);

// --- excitation

/// A motion to record. Start from lw_excite_def(). Arrays belong to the caller.
typedef struct lwExciteDef
{
  /// How long it lasts, s.
  double duration;
  /// Sines and cosines of each joint.
  int harmonics;
  /// (dof) Speed limits, rad/s or m/s, besides those of the joints. NULL: none; 2 where a joint has
  /// none either.
  const double* velocity;
  /// (dof) Acceleration limits, rad/s^2 or m/s^2. NULL: 10 for all.
  const double* acceleration;
  /// Motions that are tried.
  int tries;
  /// Seed of these.
  unsigned long long seed;
  /// Set by lw_excite_def(); leave it as it is.
  unsigned cookie;
} lwExciteDef;

/// 20 s, 10 harmonics, 500 tries, seed 1.
LW_API lwExciteDef lw_excite_def(void);

/// A motion that makes identification well conditioned.
typedef struct lwExcitation lwExcitation;

/// Finds Fourier series for the joints that make the condition number of identification small, with
/// friction and, of motors,
/// rotors: at rest at both ends, within the limits of position, speed, acceleration and torque
/// (friction included), and with every shape of the links above the floor, which is where the
/// base's shapes end (or at the base's origin). The same seed gives the same motion.
/// LW_ERROR_INPUT, and why in diag (or NULL), for joints with several freedoms or without LAPACK;
/// LW_ERROR_NUMERICAL if no motion keeps the limits.
LW_API lwStatus lw_excite(const lwModel* model, const lwExciteDef* def, lwDiag* diag,
                          lwExcitation** excitation);

/// Frees it. NULL is allowed.
LW_API void lw_excitation_destroy(lwExcitation* excitation);

/// The motion at time t, into q, qd, qdd (dof).
LW_API void lw_excitation_at(const lwExcitation* excitation, double t, double* q, double* qd,
                             double* qdd);

/// What was found.
typedef struct lwExcitationSummary
{
  /// Condition number of the first motion tried, its columns of equal length.
  double before;
  /// That of the one that was found.
  double after;
  /// Base parameters, friction and rotors that it is about.
  int parameters;
  /// Largest torque over its limit, 0 where no joint has one.
  double effort;
  /// Least height of a shape above the floor, m; infinite where no shape is known.
  double height;
} lwExcitationSummary;

/// What was found.
LW_API lwExcitationSummary lw_excitation_summary(const lwExcitation* excitation);

#endif
