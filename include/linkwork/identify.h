// SPDX-License-Identifier: MIT
/// @file identify.h Parameters pi in which torques are linear, tau = Y(q, qd, qdd) pi: their
/// least-squares estimates from a log, and a physically possible robot. Not part of the core
/// library; lw_identify() and lw_excite() need LAPACK.
///
/// SI units and radians, in the order of the robot's independent joints. Friction, rotors and
/// offsets are those of joints with one degree of freedom.
#ifndef LINKWORK_IDENTIFY_H
#define LINKWORK_IDENTIFY_H

#include "linkwork/dynamics.h"
#include "linkwork/model.h"

// --- parameters

/// What the drive of a joint must supply besides moving the links, each with its own parameter.
typedef enum lwTerm
{
  /// gear^2 rotor_inertia, times qdd.
  LW_TERM_ROTOR,
  /// Viscous friction, times qd.
  LW_TERM_VISCOUS,
  /// Coulomb friction, times the sign of qd.
  LW_TERM_COULOMB,
  /// A constant torque.
  LW_TERM_OFFSET,
  /// Number of terms.
  LW_TERM_COUNT
} lwTerm;

/// A set of terms is the sum of these.
#define LW_HAS_TERM(term) (1u << (term))

/// "rotor", "viscous", "coulomb" or "offset".
LW_API const char* lw_term_name(lwTerm term);

/// Columns of the regressor with these terms: 10 for each link of the description, then dof for
/// each term, in the order of lwTerm.
LW_API size_t lw_regressor_columns(const lwModel* model, unsigned terms);

/// Adds terms to a regressor: Y (dof, 10 links), the answer to LW_QUESTION_REGRESSOR in this state,
/// into extended (dof, lw_regressor_columns()), row by row, at another address.
LW_API void lw_regressor_extend(const lwModel* model, unsigned terms, const lwStates* state,
                                const double* Y, double* extended);

/// The parameters pi (lw_regressor_columns()) that the description
/// gives: with them, the torques of the drives are extended pi.
LW_API void lw_regressor_parameters(const lwModel* model, unsigned terms, double* pi);

/// The combinations of the links' parameters that torques depend on.
typedef struct lwParameters lwParameters;

/// Finds them by rules (Gautier & Khalil 1990 in the form of Wensing, Niemeyer & Slotine 2017) and
/// as the numerical rank of the regressor at random states. With loops: of the torques of the speeds,
/// lw_model_speed(), in states that close them. LW_ERROR_INPUT, and why in diag (or NULL), for more than 200 links, or if nothing moves.
/// *parameters is NULL unless the status is LW_OK.
LW_API lwStatus lw_parameters_create(const lwModel* model, lwDiag* diag, lwParameters** parameters);

/// Frees them. NULL is allowed.
LW_API void lw_parameters_destroy(lwParameters* parameters);

/// How many there are.
typedef struct lwParameterCount
{
  /// Parameters of all links, 10 each.
  int all;
  /// Base parameters by the rules; -1 where the rules do not hold: a mimic joint, a screw joint or a
  /// loop.
  int by_rules;
  /// The numerical rank of the regressor.
  int by_rank;
  /// Random states at which the rank was taken.
  int states;
  /// Smallest part of a regressor column that is independent of the columns before it and still
  /// counts.
  double least_kept;
  /// The largest such part that does not count: rounding.
  double most_dropped;
  /// Largest difference between the factors of the two ways; 0 without rules.
  double difference;
} lwParameterCount;

/// How many there are.
LW_API lwParameterCount lw_parameters_count(const lwParameters* parameters);

/// A base parameter.
typedef struct lwBaseParameter
{
  /// "upper_arm.xx - forearm.yy + 0.43 forearm.m".
  const char* name;
  /// Its unit.
  const char* unit;
  /// Its value by the description.
  double value;
  /// The column of the regressor that it multiplies.
  int column;
  /// (10 links) Its factors in terms of all parameters.
  const double* factors;
} lwBaseParameter;

/// Base parameter i, by the rules where these hold, 0 <= i < by_rules or by_rank. Torque is the sum
/// of these columns of the regressor times their values. The text belongs to the parameters.
LW_API lwBaseParameter lw_parameters_base(const lwParameters* parameters, int i);

/// The parameter of a column by name, "forearm.xx", for columns below 10 links.
/// The text belongs to the parameters.
LW_API const char* lw_parameters_name(const lwParameters* parameters, int column);

/// True if no torque depends on the parameter of a column.
LW_API bool lw_parameters_idle(const lwParameters* parameters, int column);

// --- logs

/// What was recorded. The caller keeps the arrays.
typedef struct lwLogDef
{
  /// Number of samples.
  long count;
  /// (count) Times in equal steps, s.
  const double* t;
  /// (count, nq) Positions, rad or m; of ball and floating joints as measured, with quaternions.
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
/// optionally qd1.., qdd1... Everything wrong is in diag (or NULL) with file, line and column; *log
/// is NULL unless the status is LW_OK.
LW_API lwStatus lw_log_read_file(const char* path, const lwModel* model, lwDiag* diag, lwLog** log);

/// Frees a log. NULL is allowed.
LW_API void lw_log_destroy(lwLog* log);

/// What is in the log. It belongs to the log.
LW_API const lwLogDef* lw_log_data(const lwLog* log);

// --- identification

/// What to identify. Start from lw_identify_def().
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
  /// The log has currents: tau = gear torque_constant i, and torque constants are
  /// estimated. Currents cannot fix the scale, so the mean ratio to the constants
  /// in the description is taken to be 1.
  bool current;
  /// Cutoff of the zero-phase filter, Hz. 0: the one with the smallest standard errors.
  double cutoff;
  /// Largest part of a joint's torque, rms, that may stay unexplained in what was held back; noise
  /// of the measurement does not count. Infinite: any.
  double unexplained;
  /// Part of the log, at its end, that is held back to test the result; 0 to 0.9.
  double held_back;
  /// Set by lw_identify_def(); leave it as it is.
  unsigned cookie;
} lwIdentifyDef;

/// Rigid bodies alone, cutoff by standard errors, 20 % unexplained, a quarter of the log held back.
LW_API lwIdentifyDef lw_identify_def(void);

/// The result of an identification.
typedef struct lwIdentified lwIdentified;

/// Identifies the parameters of the model from the log: base parameters and friction by weighted
/// least squares (QR), then for each link a physically consistent mass, centre of mass and inertia,
/// near those of the model where the log does not determine them. LW_ERROR_INPUT, and why in diag
/// (or NULL), if the log cannot be used (too short, nothing moves, unequal steps, degrees) or
/// LAPACK is missing. LW_ERROR_NUMERICAL if the log does not determine the parameters or leaves
/// more of a joint's torque unexplained than def allows, as a log of another robot does.
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
  /// Standard error of the estimate.
  double error;
  /// Its value in the physically consistent robot.
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
  /// Weighted sum of squares of the physically consistent robot, divided by that of least squares.
  double cost;
} lwFit;

/// How the fit went.
LW_API lwFit lw_identified_fit(const lwIdentified* identified);

/// One joint: how well its torques are predicted in the part that was held back.
typedef struct lwJointFit
{
  /// The joint moved. Joints that did not are not identified.
  bool moved;
  /// Root mean square of its torque, N m or N.
  double torque;
  /// Rms of the torque that the original description leaves unexplained, N m or N.
  double before;
  /// Rms of the torque that least squares leaves unexplained, N m or N.
  double residual;
  /// Rms of the torque that the physically consistent robot leaves unexplained, N m or N.
  double possible;
  /// Standard deviation of the residual in the part that was fitted, correlation in time included,
  /// N m or N.
  double noise;
  /// Rms of the noise that passes the filter, N m or N: of measured torques, and of positions,
  /// which becomes noise of accelerations. By differences of neighbouring samples of the log.
  double measured;
  /// What is unexplained, of the torque: the larger of residual and possible without the noise of
  /// the measurement, divided by the rms torque. lwIdentifyDef.unexplained bounds it.
  double unexplained;
} lwJointFit;

/// The fit of joint i, 0 <= i < lw_model_dof().
LW_API lwJointFit lw_identified_joint(const lwIdentified* identified, int i);

/// The physically consistent robot, with its friction and motors. It belongs to the result.
LW_API const lwRobotDef* lw_identified_robot(const lwIdentified* identified);

/// Torques over time, filtered: (count) times, (count, dof) measured and predicted by the
/// physically consistent robot. Samples from number `fitted` of lwFit on were held back.
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
  /// (dof) Speed limits, rad/s or m/s, besides those of the
  /// joints. NULL: none; a joint without any limit gets 2.
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

/// The shortest duration, s, that can excite the robot: one oscillation in which every joint swings
/// 5 % of its range to either side within its limits of speed and acceleration. *joint: the joint
/// that takes longest. For robots and limits that lw_excite() takes.
LW_API double lw_excite_least_duration(const lwModel* model, const lwExciteDef* def, int* joint);

/// A motion that makes identification well conditioned.
typedef struct lwExcitation lwExcitation;

/// Finds Fourier series for the joints that make the condition number of identification small, with
/// friction and, for motors, rotors: at rest at both ends, within the limits of position, speed,
/// acceleration and torque (friction included), and with every shape of the links above the floor:
/// the lowest point of the base's shapes, or the base's origin without shapes. The same seed gives
/// the same motion. LW_ERROR_INPUT, and why in diag (or NULL), for joints with several freedoms, a
/// duration below lw_excite_least_duration(), or without LAPACK; LW_ERROR_NUMERICAL if no motion
/// stays within the limits.
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
  /// Condition number of the motion that was found.
  double after;
  /// Number of base parameters, friction and rotor terms.
  int parameters;
  /// Largest torque over its limit, 0 where no joint has one.
  double effort;
  /// Least height of a shape above the floor, m; infinite where no shape is known.
  double height;
} lwExcitationSummary;

/// What was found.
LW_API lwExcitationSummary lw_excitation_summary(const lwExcitation* excitation);

#endif
