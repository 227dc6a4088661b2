// SPDX-License-Identifier: MIT
/// @file drive.h  What turns a joint: motors, friction, springs, schedules, converters. Both ways: from a motion to
/// voltages, and from voltages to torques. Not part of the core library; docs/drives.md has the equations.
///
/// SI units, radians, at the joint unless a comment says otherwise. Nothing here allocates but lw_schedule_create() and
/// the readers, and nothing keeps a state: what changes over time (a current) is the caller's.
#ifndef LINKWORK_DRIVE_H
#define LINKWORK_DRIVE_H

#include "linkwork/model.h"

// --- friction

/// viscous qd + coulomb sign(qd), what a drive must supply against friction; sign(0) = 0. N m or N.
LW_API double lw_friction_torque(const lwFriction* friction, double qd);

// --- DC motor behind a gear (swartz1982 (11), (12))
//
//   v = R i + L di/dt + K gear qd      tau_motor = K i      tau = gear tau_motor efficiency^s
//
// tau is what the motor's side gives to the joint, all of it: torque of the rigid bodies, of friction, and of its own
// rotor, gear^2 rotor_inertia qdd. s = 1 where power goes from the motor to the joint, -1 where the joint drives the
// motor. Between, where the joint is slower than LW_CREEP, s = sign(tau) qd / LW_CREEP, so that tau is continuous
// in qd: at rest the gear has no loss.

#define LW_CREEP 1e-3  ///< rad/s or m/s, of the joint

/// Limits that acted, or would have to: flags.
typedef enum lwMotorLimit
{
  LW_MOTOR_LIMIT_VOLTAGE = 1,
  LW_MOTOR_LIMIT_CURRENT = 2
} lwMotorLimit;

/// A motor at an instant.
typedef struct lwMotorPoint
{
  double joint_torque;  // N m or N, given to the joint
  double torque;        // N m, of the motor
  double speed;         // rad/s, of the motor
  double current;       // A
  double voltage;       // V, at its terminals
  double power;         // W, voltage times current; negative: given back to the supply
  unsigned limits;      // set of LW_MOTOR_LIMIT_..
} lwMotorPoint;

/// What a motor needs to give tau to a joint that moves with qd. current_rate (A/s) matters with inductance only.
/// Nothing is cut off: limits says what would have to be.
LW_API lwMotorPoint lw_motor_need(const lwMotor* motor, double qd, double tau, double current_rate);

/// What a voltage does to a joint that moves with qd, inductance neglected. The voltage is cut at its limit, then the
/// current at its own; with that, the voltage is what the motor has at its terminals.
LW_API lwMotorPoint lw_motor_drive(const lwMotor* motor, double qd, double voltage);

/// The same with inductance, where the current is a state: *rate is di/dt, A/s. A current beyond its limit counts as the
/// limit, and does not grow further. Without inductance this is lw_motor_drive(), and *rate is 0.
LW_API lwMotorPoint lw_motor_drive_current(const lwMotor* motor, double qd, double voltage,
                                           double current, double* rate);

// --- sizing: what a motion asks of the drive of one joint

/// A joint at a sample of a motion.
typedef struct lwJointSample
{
  double t;    // s
  double q;    // rad or m
  double qd;   // rad/s or m/s
  double qdd;  // rad/s^2 or m/s^2
  double tau;  // N m or N, of the rigid bodies: inverse dynamics
} lwJointSample;

/// What is measured. Torques are at the joint; the last three are 0 without a motor.
typedef enum lwLoad
{
  LW_LOAD_RIGID,     ///< N m or N, of the rigid bodies
  LW_LOAD_ROTOR,     ///< N m or N, gear^2 rotor_inertia qdd
  LW_LOAD_FRICTION,  ///< N m or N
  LW_LOAD_TORQUE,    ///< N m or N, the sum of the three: what the drive must supply
  LW_LOAD_SPEED,     ///< rad/s or m/s
  LW_LOAD_POWER,     ///< W, torque times speed
  LW_LOAD_CURRENT,   ///< A
  LW_LOAD_VOLTAGE,   ///< V
  LW_LOAD_ELECTRIC,  ///< W, voltage times current
  LW_LOAD_COUNT
} lwLoad;

/// All loads at a sample, into loads (LW_LOAD_COUNT). current_rate (A/s) matters with inductance only.
LW_API void lw_joint_loads(const lwJointDef* joint, const lwJointSample* sample,
                           double current_rate, double* loads);

/// One load over a motion. Integrals are by the trapezoidal rule over the samples.
typedef struct lwLoadSum
{
  double peak;       // the value of largest magnitude, with its sign
  double peak_time;  // s
  double integral;   // over time, of the load,
  double square;     // of its square,
  double positive;   // of the load where it is positive, 0 elsewhere,
  double negative;   // and of the rest; not above 0
} lwLoadSum;

/// The sums of one joint. Begin with all zero, lw_sizing_add() sample after sample, then lw_sizing_end().
typedef struct lwSizing
{
  lwLoadSum sums[LW_LOAD_COUNT];
  long count;         // of samples in the sums
  double begin, end;  // s, of the first and the last of them
  double margin;      // rad or m, of the position: its least distance from a limit, negative beyond
  double margin_q;    // rad or m, where that was,
  double margin_time;           // s, and when
  double loads[LW_LOAD_COUNT];  // at `end`

  int waiting;              // 1: the last sample is not yet in the sums
  lwJointSample window[2];  // the last two samples
  double currents[2];       // A, at these
} lwSizing;

/// Adds a sample of a later time. The sums then hold all samples but this one: its change of current, which inductance
/// asks for, is the slope of the parabola through it and its neighbours.
LW_API void lw_sizing_add(lwSizing* sizing, const lwJointDef* joint, const lwJointSample* sample);

/// Adds the last sample to the sums; its change of current is that of the last interval.
LW_API void lw_sizing_end(lwSizing* sizing, const lwJointDef* joint);

/// Root of the mean square, and mean over time, of a load; of a single sample its magnitude and itself.
LW_API double lw_sizing_rms(const lwSizing* sizing, lwLoad load);
LW_API double lw_sizing_mean(const lwSizing* sizing, lwLoad load);

/// The limit of a load: effort of the torque, velocity of the speed, and those of the motor; infinite if there is none.
LW_API double lw_joint_limit(const lwJointDef* joint, lwLoad load);

// --- spring and damper (grigorov2013 (14), with the sign that does not run away)

/// A piston behind a closed valve, or a spring: tau = preload - stiffness (q - rest) - damping qd.
typedef struct lwSpring
{
  double stiffness;  // N m/rad or N/m
  double damping;    // N m s/rad or N s/m
  double rest;       // rad or m, where the elastic torque is zero
  double preload;    // N m or N
} lwSpring;

LW_API double lw_spring_torque(const lwSpring* spring, double q, double qd);

/// What is stored in it, J: stiffness (q - rest)^2 / 2 - preload (q - rest).
LW_API double lw_spring_energy(const lwSpring* spring, double q);

// --- schedules: values over time

typedef enum lwBetween
{
  LW_BETWEEN_HELD,   ///< the value of the row before stays until the time of the next
  LW_BETWEEN_LINEAR  ///< on a straight line from row to row
} lwBetween;

/// What a schedule is about.
typedef struct lwScheduleDef
{
  const char* symbol;        // of the columns in a file: "v" of v1 and v.elbow
  int width;                 // values of a row, one for each joint
  const char* const* names;  // (width) of the joints, or NULL: columns are numbered only
  bool partial;              // in a file some columns may be missing
  lwBetween between;
} lwScheduleDef;

/// Rows of values, constant before the first and after the last. Immutable; any number of threads may share it.
typedef struct lwSchedule lwSchedule;

/// Makes a schedule of rows (at least 1): times (rows) in s, increasing, and values (rows, width), all finite; they are
/// copied. LW_ERROR_INPUT if they are not.
LW_API lwStatus lw_schedule_create(const lwScheduleDef* def, long rows, const double* times,
                                   const double* values, lwDiag* diag, lwSchedule** schedule);

/// Reads a schedule from a CSV file, "-" for standard input: columns t and, for symbol v, v1..vn or v.NAME, in any
/// order; others are not looked at. Everything wrong is in diag (or NULL) with file, line and column; *schedule is NULL
/// unless the status is LW_OK.
LW_API lwStatus lw_schedule_read_file(const char* path, const lwScheduleDef* def, lwDiag* diag,
                                      lwSchedule** schedule);

/// The same from memory; name stands for the file in diagnostics. The text need not end with a 0.
LW_API lwStatus lw_schedule_read_text(const char* name, const char* text, size_t length,
                                      const lwScheduleDef* def, lwDiag* diag,
                                      lwSchedule** schedule);
LW_API void lw_schedule_destroy(lwSchedule* schedule);

LW_API int lw_schedule_width(const lwSchedule* schedule);
LW_API long lw_schedule_rows(const lwSchedule* schedule);
LW_API lwBetween lw_schedule_between(const lwSchedule* schedule);

/// False for a column that a partial file does not have; its values are 0.
LW_API bool lw_schedule_has(const lwSchedule* schedule, int k);

/// Value k, or all (width), at time t: O(log rows). At the time of a row it is that row's.
LW_API double lw_schedule_value(const lwSchedule* schedule, int k, double t);
LW_API void lw_schedule_values(const lwSchedule* schedule, double t, double* values);

/// The time of the first row after t, where values may jump or turn; infinite if there is none.
LW_API double lw_schedule_next(const lwSchedule* schedule, double t);

// --- torque laws: what a person writes, T_k(t) = sin(t)/(n-k)

/// An expression in t (s), k (joint, from 1) and n (links): numbers, pi, + - * / ^, unary minus, parentheses, and the
/// functions sin cos tan exp sqrt abs. ^ binds strongest and to the right: -2^2 = -4, 2^3^2 = 2^9. Immutable; any
/// number of threads may share it.
typedef struct lwLaw lwLaw;

/// Reads a law; name stands for the file in diagnostics. LW_ERROR_INPUT with line and column in diag if it is none, or
/// is nested too deeply or too long. *law is NULL unless the status is LW_OK. diag may be NULL.
LW_API lwStatus lw_law_create(const char* name, const char* text, lwDiag* diag, lwLaw** law);
LW_API void lw_law_destroy(lwLaw* law);

/// The values at time t for k = 1..count of n links, into values (count). What does not depend on k is computed once.
LW_API void lw_law_values(const lwLaw* law, double t, int n, int count, double* values);

/// lw_law_create() for a law that may also name q and qd, position and velocity of joint k.
LW_API lwStatus lw_law_create_joint(const char* name, const char* text, lwDiag* diag, lwLaw** law);

/// What the names in a law stand for.
typedef struct lwLawPoint
{
  double t;      // s
  double k, n;   // joint, from 1, and how many there are
  double q, qd;  // rad or m, rad/s or m/s
} lwLawPoint;

/// The value at a point.
LW_API double lw_law_at(const lwLaw* law, const lwLawPoint* point);

/// The value at a point with its first and second derivative in t, everything else held: exact but for rounding.
LW_API void lw_law_jet(const lwLaw* law, const lwLawPoint* point, double jet[3]);

// --- converter: what a computer's output does to a voltage (swartz1982: DACTimePeriod, DACOut)

/// Digital to analog: samples at multiples of the period and holds, saturates, and rounds to one of 2^bits levels.
typedef struct lwDac
{
  double period;  // s from sample to sample; 0: continuous
  int bits;       // 1 to 32; 0: no rounding
  double range;   // V, from -range to range less one level; infinite: no saturation
} lwDac;

LW_API lwDac lw_dac_def(void);  ///< continuous, no rounding, no saturation

/// LW_OK, or LW_ERROR_INPUT and what is wrong with the converter in diag (or NULL).
LW_API lwStatus lw_dac_check(const lwDac* dac, lwDiag* diag);

/// The level that a value comes out as: range 2^(1 - bits) times the nearest integer (halves to the even one).
LW_API double lw_dac_level(const lwDac* dac, double value);

/// When the output at time t was sampled: the last multiple of the period, t itself without one. A multiple that is
/// nearer than a billionth of the period counts as reached, so that rounding of t does not decide.
LW_API double lw_dac_sampled(const lwDac* dac, double t);

/// When the output may change next, after lw_dac_sampled(t); infinite without a period.
LW_API double lw_dac_next(const lwDac* dac, double t);

#endif
