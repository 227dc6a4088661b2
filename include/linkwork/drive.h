// SPDX-License-Identifier: MIT
/// @file drive.h What turns a joint: motors, friction, springs, schedules, converters. Both ways:
/// from a motion to voltages, and from voltages to torques. Not part of the core library;
/// docs/drives.md has the equations.
///
/// SI units, radians, at the joint unless a comment says otherwise. Nothing here allocates but
/// lw_schedule_create() and the readers, and nothing keeps a state: what changes over time (a
/// current) is the caller's.
#ifndef LINKWORK_DRIVE_H
#define LINKWORK_DRIVE_H

#include "linkwork/loop.h"
#include "linkwork/model.h"

// --- friction

/// viscous qd + coulomb sign(qd), what a drive must supply against friction; sign(0) = 0. N m or N.
LW_API double lw_friction_torque(const lwFriction* friction, double qd);

// --- DC motor behind a gear (swartz1982 (11), (12))
//
//   v = R i + L di/dt + K gear qd      tau_motor = K i      tau = gear tau_motor efficiency^s
//
// tau is the total torque that the motor supplies to the joint: for the rigid bodies, for
// friction, and for its own rotor, gear^2 rotor_inertia qdd. s = 1 where power flows from the
// motor to the joint, -1 where the joint drives the motor. If the joint is slower than
// LW_CREEP, s = sign(tau) qd / LW_CREEP, so that tau is continuous in qd: at rest the gear has
// no loss.

/// Joint speed below which the loss of the gear fades out, rad/s or m/s.
#define LW_CREEP 1e-3

/// Limits that were reached or exceeded: flags.
typedef enum lwMotorLimit
{
  /// The voltage limit.
  LW_MOTOR_LIMIT_VOLTAGE = 1,
  /// The current limit.
  LW_MOTOR_LIMIT_CURRENT = 2
} lwMotorLimit;

/// A motor at an instant.
typedef struct lwMotorPoint
{
  /// Torque or force given to the joint, N m or N.
  double joint_torque;
  /// Torque of the motor, N m.
  double torque;
  /// Speed of the motor, rad/s.
  double speed;
  /// Current, A.
  double current;
  /// Voltage at its terminals, V.
  double voltage;
  /// Voltage times current, W; negative: given back to the supply.
  double power;
  /// Sum of LW_MOTOR_LIMIT_..
  unsigned limits;
} lwMotorPoint;

/// What a motor needs to give tau to a joint that moves with qd. current_rate (A/s) matters with
/// inductance only. Nothing is clipped: limits says what is exceeded.
LW_API lwMotorPoint lw_motor_need(const lwMotor* motor, double qd, double tau, double current_rate);

/// What a voltage does to a joint that moves with qd, inductance neglected. The voltage is clipped
/// at its limit, then the current at its own; voltage is then the one at the motor's terminals.
LW_API lwMotorPoint lw_motor_drive(const lwMotor* motor, double qd, double voltage);

/// A motor with inductance, whose current is a state: *rate is di/dt, A/s. A current beyond
/// its limit counts as the limit, and does not grow further. Without inductance this is
/// lw_motor_drive(), and *rate is 0.
LW_API lwMotorPoint lw_motor_drive_current(const lwMotor* motor, double qd, double voltage,
                                           double current, double* rate);

// --- sizing: what a motion demands of the drive of one joint

/// A joint at a sample of a motion.
typedef struct lwJointSample
{
  /// Time, s.
  double t;
  /// Position, rad or m.
  double q;
  /// Velocity, rad/s or m/s.
  double qd;
  /// Acceleration, rad/s^2 or m/s^2.
  double qdd;
  /// Torque or force of the rigid bodies, from inverse dynamics, N m or N.
  double tau;
} lwJointSample;

/// Quantities that are measured. Torques are at the joint; the last three are 0 without a motor.
typedef enum lwLoad
{
  /// Torque of the rigid bodies, N m or N.
  LW_LOAD_RIGID,
  /// Torque that accelerates the rotor, gear^2 rotor_inertia qdd, N m or N.
  LW_LOAD_ROTOR,
  /// Torque against friction, N m or N.
  LW_LOAD_FRICTION,
  /// Sum of the three, what the drive must supply, N m or N.
  LW_LOAD_TORQUE,
  /// Speed of the joint, rad/s or m/s.
  LW_LOAD_SPEED,
  /// Torque times speed, W.
  LW_LOAD_POWER,
  /// Motor current, A.
  LW_LOAD_CURRENT,
  /// Motor voltage, V.
  LW_LOAD_VOLTAGE,
  /// Voltage times current, W.
  LW_LOAD_ELECTRIC,
  /// Number of loads.
  LW_LOAD_COUNT
} lwLoad;

/// All loads at a sample, into loads (LW_LOAD_COUNT).
/// current_rate (A/s) matters with inductance only.
LW_API void lw_joint_loads(const lwJointDef* joint, const lwJointSample* sample,
                           double current_rate, double* loads);

/// The speed up to which joints of a motion stand, rad/s or m/s: what is below is rounding, not
/// motion, and has no direction of friction. The larger one of 1e-12 times the largest speed of all
/// joints, `fastest`, and of four units of rounding of the largest position, `farthest` (at least 1
/// rad or m), in the mean time between samples, `step` (s; not positive: 1 s).
LW_API double lw_rest_speed(double fastest, double farthest, double step);

/// The rates of the motor's current, A/s, into rates (count), at samples (count) of increasing
/// times: slopes of the parabola through a sample and its neighbours, at both ends of the one
/// through the three samples there. Two samples have the slope of a line, one has 0. All are 0
/// without inductance.
LW_API void lw_current_rates(const lwJointDef* joint, long count, const lwJointSample* samples,
                             double* rates);

/// One load over a motion. Integrals are by the trapezoidal rule over the samples.
typedef struct lwLoadSum
{
  /// The value of largest magnitude, with its sign.
  double peak;
  /// When that was, s.
  double peak_time;
  /// Integral of the load over time.
  double integral;
  /// Integral of its square.
  double square;
  /// Integral of the load where it is positive.
  double positive;
  /// Integral of the load where it is negative; not above 0.
  double negative;
} lwLoadSum;

/// The sums of one joint. Start with all zero, then call lw_sizing_take() for each sample; or
/// lw_sizing_add() for each sample, then lw_sizing_end().
typedef struct lwSizing
{
  /// (LW_LOAD_COUNT) Sums of each load.
  lwLoadSum sums[LW_LOAD_COUNT];
  /// Number of samples in the sums.
  long count;
  /// Time of the first sample in the sums, s.
  double begin;
  /// Time of the last sample in the sums, s.
  double end;
  /// Least distance of the position from a limit, rad or m; negative beyond it.
  double margin;
  /// Position where that was, rad or m.
  double margin_q;
  /// When that was, s.
  double margin_time;
  /// (LW_LOAD_COUNT) Loads at time `end`.
  double loads[LW_LOAD_COUNT];

  /// How many of the last samples are not yet in the sums.
  int waiting;
  /// (3) The last three samples.
  lwJointSample window[3];
} lwSizing;

/// Adds a sample of a later time to the sums. current_rate is that of lw_current_rates().
LW_API void lw_sizing_take(lwSizing* sizing, const lwJointDef* joint, const lwJointSample* sample,
                           double current_rate);

/// Adds a sample of a later time whose neighbours give the rate of its current, as
/// lw_current_rates() does: from the third sample on, the sums hold all samples but this one.
LW_API void lw_sizing_add(lwSizing* sizing, const lwJointDef* joint, const lwJointSample* sample);

/// Adds the samples that are left to the sums.
LW_API void lw_sizing_end(lwSizing* sizing, const lwJointDef* joint);

/// Root mean square of a load over time; of a single sample its magnitude.
LW_API double lw_sizing_rms(const lwSizing* sizing, lwLoad load);

/// Mean of a load over time; of a single sample the load itself.
LW_API double lw_sizing_mean(const lwSizing* sizing, lwLoad load);

/// The rigid-body torques tau (dof) of a robot with closed loops as its drives meet them, of a state
/// with q, qd, qdd and wrench: with friction and rotors of each joint those of driven joints are what
/// their drives must supply, also for passive joints, whose sums are 0. work: (2 dof). Otherwise as
/// lw_loops_inverse().
LW_API lwStatus lw_loops_drive_torques(lwLoops* loops, const lwStates* state, double* work,
                                       double* tau);

/// What acts on the joints, full (dof, or moment arms of a cylinder), as it acts on the speeds of a robot
/// with closed loops: N^T full at their entries of out (dof), 0 elsewhere. LW_ERROR_NUMERICAL as
/// lw_loops_answer(). out may be full.
LW_API lwStatus lw_loops_on_speeds(lwLoops* loops, const double* q, const double* full, double* out,
                                   lwDiag* diag);

/// The stiffness out (dof, dof) of torques tau (dof) of joints against motions of the speeds, at their
/// entries, from that against motions of all joints, K (dof, dof) = -d tau/dq: N^T K N less what N's own
/// change makes of tau. For robots with loops that do not roll, and workspaces that answer
/// inverse-derivatives. Otherwise as lw_loops_on_speeds().
LW_API lwStatus lw_loops_stiffness(lwLoops* loops, const double* q, const double* tau,
                                   const double* K, double* out, lwDiag* diag);

/// The limit of a load: effort of the torque, velocity of the speed, and those of the motor;
/// infinite if there is none.
LW_API double lw_joint_limit(const lwJointDef* joint, lwLoad load);

// --- spring and damper (grigorov2013 (14), with the sign corrected: docs/errata.md, 4-12)

/// A piston behind a closed valve, or a spring: tau = preload - stiffness (q - rest) - damping qd.
typedef struct lwSpring
{
  /// Stiffness, N m/rad or N/m.
  double stiffness;
  /// Damping, N m s/rad or N s/m.
  double damping;
  /// Position where the elastic torque is zero, rad or m.
  double rest;
  /// Constant torque or force, N m or N.
  double preload;
} lwSpring;

/// Torque or force on the joint at position q and velocity qd, N m or N.
LW_API double lw_spring_torque(const lwSpring* spring, double q, double qd);

// --- schedules: values over time

/// Values between two rows of a schedule.
typedef enum lwBetween
{
  /// The value of a row stays until the time of the next.
  LW_BETWEEN_HELD,
  /// On a straight line from row to row.
  LW_BETWEEN_LINEAR
} lwBetween;

/// What a schedule is about.
typedef struct lwScheduleDef
{
  /// Symbol of the columns in a file: "v" of v1 and v.elbow.
  const char* symbol;
  /// Values in a row, one for each joint.
  int width;
  /// (width) Names of the joints. NULL: columns are numbered only.
  const char* const* names;
  /// Some columns may be missing in a file.
  bool partial;
  /// Values between rows.
  lwBetween between;
} lwScheduleDef;

/// Rows of values, constant before the first and after the last. Immutable;
/// any number of threads may share it.
typedef struct lwSchedule lwSchedule;

/// Makes a schedule of rows (at least 1): times (rows) in s, increasing, and values (rows, width),
/// all finite; they are copied. LW_ERROR_INPUT if they are not.
LW_API lwStatus lw_schedule_create(const lwScheduleDef* def, long rows, const double* times,
                                   const double* values, lwDiag* diag, lwSchedule** schedule);

/// Reads a schedule from a CSV file, "-" for standard input: columns t and, for symbol v, v1..vn or
/// v.NAME, in any order; others are ignored. Everything wrong is in diag (or NULL) with file,
/// line and column; *schedule is NULL unless the status is LW_OK.
LW_API lwStatus lw_schedule_read_file(const char* path, const lwScheduleDef* def, lwDiag* diag,
                                      lwSchedule** schedule);

/// Reads a schedule from memory; name stands for the file in diagnostics. No final 0 is needed.
LW_API lwStatus lw_schedule_read_text(const char* name, const char* text, size_t length,
                                      const lwScheduleDef* def, lwDiag* diag,
                                      lwSchedule** schedule);

/// Frees a schedule. NULL is allowed.
LW_API void lw_schedule_destroy(lwSchedule* schedule);

/// Values in a row.
LW_API int lw_schedule_width(const lwSchedule* schedule);

/// Number of rows.
LW_API long lw_schedule_rows(const lwSchedule* schedule);

/// Values between rows.
LW_API lwBetween lw_schedule_between(const lwSchedule* schedule);

/// False for a column that a partial file does not have; its values are 0.
LW_API bool lw_schedule_has(const lwSchedule* schedule, int k);

/// Value k at time t: O(log rows). At the time of a row it is that row's.
LW_API double lw_schedule_value(const lwSchedule* schedule, int k, double t);

/// All values (width) at time t, as by lw_schedule_value().
LW_API void lw_schedule_values(const lwSchedule* schedule, double t, double* values);

/// The time of the first row after t, where values may jump or turn; infinite if there is none.
LW_API double lw_schedule_next(const lwSchedule* schedule, double t);

// --- torque laws: what a person writes, T_k(t) = sin(t)/(n-k)

/// An expression in t (s), k (joint, from 1) and n (links): numbers, pi, + - * / ^, unary minus,
/// parentheses, and the functions sin cos tan exp sqrt abs. ^ binds strongest and to the right:
/// -2^2 = -4, 2^3^2 = 2^9. Immutable; any number of threads may share it.
typedef struct lwLaw lwLaw;

/// Reads a law; name stands for the file in diagnostics. LW_ERROR_INPUT with line and column in
/// diag if it is not a law, or is nested too deeply or too long. *law is NULL unless the status is
/// LW_OK. diag may be NULL.
LW_API lwStatus lw_law_create(const char* name, const char* text, lwDiag* diag, lwLaw** law);

/// Frees a law. NULL is allowed.
LW_API void lw_law_destroy(lwLaw* law);

/// The values at time t for k = 1..count of n links, into values (count).
/// What does not depend on k is computed once.
LW_API void lw_law_values(const lwLaw* law, double t, int n, int count, double* values);

/// lw_law_create() for a law that may also name q and qd, position and velocity of joint k.
LW_API lwStatus lw_law_create_joint(const char* name, const char* text, lwDiag* diag, lwLaw** law);

/// What the names in a law stand for.
typedef struct lwLawPoint
{
  /// Time, s.
  double t;
  /// Joint, from 1.
  double k;
  /// Number of joints.
  double n;
  /// Position of the joint, rad or m.
  double q;
  /// Velocity of the joint, rad/s or m/s.
  double qd;
} lwLawPoint;

/// The value at a point.
LW_API double lw_law_at(const lwLaw* law, const lwLawPoint* point);

/// The value at a point with its first and second derivative in t, everything else held:
/// exact but for rounding.
LW_API void lw_law_jet(const lwLaw* law, const lwLawPoint* point, double jet[3]);

// --- converter: what a computer's output does to a voltage (swartz1982: DACTimePeriod, DACOut)

/// Digital to analog: samples at k period, k = 0, 1, .., and holds, saturates,
/// and rounds to one of 2^bits levels.
typedef struct lwDac
{
  /// Time from sample to sample, s. 0: continuous.
  double period;
  /// Resolution, 1 to 32 bits. 0: no rounding.
  int bits;
  /// Output from -range to range less one level, V. Infinite: no saturation.
  double range;
} lwDac;

/// An ideal converter: continuous, no rounding, no saturation.
LW_API lwDac lw_dac_ideal(void);

/// The output for a value: range 2^(1 - bits) times the nearest integer (halves to the even one).
LW_API double lw_dac_level(const lwDac* dac, double value);

// --- what the joints transmit

/// The components of a joint's reaction, as lw_reactions() gives them, and their resultants.
typedef enum lwReaction
{
  /// Force along x, N.
  LW_REACTION_FX,
  /// Force along y, N.
  LW_REACTION_FY,
  /// Force along z, N.
  LW_REACTION_FZ,
  /// Moment about x, N m.
  LW_REACTION_NX,
  /// Moment about y, N m.
  LW_REACTION_NY,
  /// Moment about z, N m.
  LW_REACTION_NZ,
  /// Length of the force, N.
  LW_REACTION_F,
  /// Length of the moment, N m.
  LW_REACTION_N,
  /// Number of these.
  LW_REACTION_COUNT
} lwReaction;

/// Name of a component in columns: "rfx" .. "rnz", "rf", "rn".
LW_API const char* lw_reaction_name(lwReaction component);

/// Its unit, "N" or "N m".
LW_API const char* lw_reaction_unit(lwReaction component);

/// The reactions of all joints over a motion: peaks and integrals,
/// sample by sample, in constant memory.
typedef struct lwLoads lwLoads;

/// Empty sums for all joints of the model's description. LW_ERROR_MEMORY is the only failure.
LW_API lwStatus lw_loads_create(const lwModel* model, lwLoads** loads);

/// Frees the sums. NULL is allowed.
LW_API void lw_loads_destroy(lwLoads* loads);

/// Adds the reactions (6 lw_model_joint_count(), of lw_reactions()) at a later time, s.
LW_API void lw_loads_add(lwLoads* loads, double t, const double* reactions);

/// The sums of a component of joint i of the description, 0 <= i < lw_model_joint_count().
LW_API const lwLoadSum* lw_loads_sum(const lwLoads* loads, int joint, lwReaction component);

/// Root mean square over the motion; of a single sample its magnitude.
LW_API double lw_loads_rms(const lwLoads* loads, int joint, lwReaction component);

#endif
