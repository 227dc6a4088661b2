// SPDX-License-Identifier: MIT
/// @file arm.h  An arm over time: drives, control, friction, end stops, events; and a snake over time.
///
/// M(q) qdd + R qdd + C qd + g = tau + friction + stops + J^T w. R holds the inertias of the rotors seen from the joints,
/// tau is what the drives exert. Arrays have an entry for each moving joint. Not part of the core library.
#ifndef LINKWORK_ARM_H
#define LINKWORK_ARM_H

#include "linkwork/drive.h"
#include "linkwork/dynamics.h"
#include "linkwork/ode.h"
#include "linkwork/snake.h"

// --- what drives the joints

/// Where the command of a drive comes from.
typedef enum lwSignal
{
  LW_SIGNAL_NONE,      ///< there is none: free, or the spring alone
  LW_SIGNAL_LAW,       ///< a law in t, k, n, q, qd
  LW_SIGNAL_SCHEDULE,  ///< a column of a schedule
  LW_SIGNAL_CONTROL    ///< the controller of the arm
} lwSignal;

/// The drive of one joint: a command, that a converter may sample, as a torque or as a voltage on the joint's motor; and
/// a spring beside it. All zero: free.
typedef struct lwJointDrive
{
  lwSignal signal;
  bool voltage;                // the command is a voltage, V; else a torque or force, N m or N
  const lwLaw* law;            // of LW_SIGNAL_LAW
  const lwSchedule* schedule;  // of LW_SIGNAL_SCHEDULE
  int column;                  // of the schedule
  bool converted;              // by dac, which has a period
  lwDac dac;                   // samples the command; its range is in the command's unit
  bool sprung;                 // there is a spring
  lwSpring spring;
  bool rest_here;     // its rest is the position that the joint has when the drive begins
  bool preload_here;  // its preload is the torque that the drive before had then
} lwJointDrive;

/// Further torques (n), added to those of the drives.
typedef void lwArmTorques(void* context, double t, const double* q, const double* qd, double* tau);

// --- control

typedef enum lwControl
{
  LW_CONTROL_NONE,
  LW_CONTROL_PD_GRAVITY,  ///< kp (q* - q) + kd (qd* - qd) + g(q)
  LW_CONTROL_COMPUTED_TORQUE,  ///< inverse dynamics of qdd* + kp (q* - q) + kd (qd* - qd), rotors included
  LW_CONTROL_FEED_FORWARD,  ///< inverse dynamics of the reference, and kp (q* - q) + kd (qd* - qd)
} lwControl;

/// The motion q*, qd*, qdd* (n each) that a controller follows, at time t. Allocates nothing.
typedef void lwReference(void* context, double t, double* q, double* qd, double* qdd);

typedef struct lwControllerDef
{
  lwControl kind;
  const double* kp;  // (n) N m/rad or N/m; of computed torque 1/s^2. NULL: zeros
  const double* kd;  // (n) N m s/rad or N s/m; of computed torque 1/s. NULL: zeros
  lwReference* reference;
  void* context;  // of the reference. NULL as reference: hold the initial position
} lwControllerDef;

// --- what acts from outside

/// A wrench on the last link from one time to another.
typedef struct lwLoadDef
{
  const lwLaw* component[6];  // fx fy fz nx ny nz over t, N and N m; NULL: 0
  bool in_base;     // in the axes of the base; else of the last link. At the origin of its frame
  double from, to;  // s; 0 and INFINITY: always
} lwLoadDef;

// --- what may happen

typedef enum lwFrictionModel
{
  LW_FRICTION_MODEL_NONE,
  LW_FRICTION_MODEL_VISCOUS,
  LW_FRICTION_MODEL_FULL  ///< viscous and Coulomb, with stiction
} lwFrictionModel;

/// What reaching a position limit does. Other limits are noted at the samples that are asked for.
typedef enum lwLimitMode
{
  LW_LIMIT_MODE_NOTE,  ///< nothing, it is noted
  LW_LIMIT_MODE_STOP,  ///< the run ends
  LW_LIMIT_MODE_HOLD   ///< the joint hits an end stop that gives nothing back
} lwLimitMode;

/// At a time, or where a condition in the state of a joint changes its sign, drives change or the run ends.
typedef struct lwArmEventDef
{
  const char* name;            // or NULL
  double at;                   // s; NAN: by the condition
  const lwLaw* when;           // in t, k, n, q, qd
  int joint;                   // whose state the condition is about
  bool ends;                   // the run ends here
  const bool* changes;         // (n) which drives change; NULL: none
  const lwJointDrive* drives;  // (n) what they become
} lwArmEventDef;

// --- the run

/// Everything about a run. Start from lw_arm_def(). Arrays are copied; the model, laws and contexts must outlive the run.
typedef struct lwArmDef
{
  const lwModel* model;
  lwWorkspaceDef ws;
  lwIntegratorDef integrator;
  bool rotors;  // reflected inertia of the motors' rotors takes part
  lwFrictionModel friction;
  lwLimitMode limits;
  const double* q;             // (n) at t = 0; NULL: zeros
  const double* qd;            // (n)
  const lwJointDrive* drives;  // (n) NULL: all free
  lwControllerDef controller;
  int load_count;
  const lwLoadDef* loads;
  int event_count;
  const lwArmEventDef* events;
  lwArmTorques* torques;  // or NULL
  void* context;          // of torques
  /// Set by lw_arm_def(); leave it as it is.
  unsigned cookie;
} lwArmDef;

typedef struct lwArmRun lwArmRun;

LW_API lwArmDef lw_arm_def(void);  ///< rk4, rotors, full friction, limits noted, all joints free

/// Makes a run at t = 0. LW_ERROR_METHOD, LW_ERROR_INPUT (a number that is not finite, a voltage without a motor,
/// an initial position beyond a limit that holds or ends the run) or LW_ERROR_MEMORY. All memory is taken here.
LW_API lwStatus lw_arm_run_create(const lwArmDef* def, lwDiag* diag, lwArmRun** run);
LW_API void lw_arm_run_destroy(lwArmRun* run);

/// How a call of lw_arm_run_advance() ended.
typedef enum lwOutcome
{
  LW_OUTCOME_ARRIVED,       ///< at the time asked for
  LW_OUTCOME_STOPPED,       ///< the flag told so
  LW_OUTCOME_CONDITION,     ///< an event of the definition ends the run
  LW_OUTCOME_LIMIT,         ///< a joint reached a limit that ends the run
  LW_OUTCOME_CHATTER,       ///< too many events in too short a time
  LW_OUTCOME_NOT_FINITE,    ///< the motion is not finite
  LW_OUTCOME_STEP_VANISHED  ///< no step is short enough, or t no longer advances
} lwOutcome;

/// Goes on to time t. stop: see lw_integrator_advance(). Allocates nothing.
LW_API lwOutcome lw_arm_run_advance(lwArmRun* run, double t, const volatile sig_atomic_t* stop);

LW_API double lw_arm_run_time(const lwArmRun* run);  ///< s, reached

/// What is known of the sample that was reached. Arrays (n) belong to the run and change with it.
typedef struct lwArmSample
{
  double t;
  const double *q, *qd, *qdd;
  const double* tau;       // N m or N, of the drives
  const double* voltage;   // V, at the motors that are driven by one; 0 elsewhere
  const double* current;   // A
  const double* friction;  // N m or N, that friction and end stops exert
  double kinetic;          // J, rotors included
  double potential;        // J
  double work;             // J, of drives, friction, stops and loads since t = 0
  double S;  // J, the energy not accounted for: kinetic + potential - work, less its value at t = 0
} lwArmSample;

/// The sample; also enters it into the audit.
LW_API lwArmSample lw_arm_run_sample(lwArmRun* run);

/// Whether joint k has, at any time, a motor that is driven by a voltage; and whether the current in it is a state.
LW_API bool lw_arm_run_has_voltage(const lwArmRun* run, int k);
LW_API bool lw_arm_run_has_current(const lwArmRun* run, int k);

/// Something that happened.
typedef enum lwNoteKind
{
  LW_NOTE_LOWER,    ///< the lower limit was reached
  LW_NOTE_UPPER,    ///< the upper limit was reached
  LW_NOTE_SPEED,    ///< the limit of speed was passed
  LW_NOTE_EFFORT,   ///< the limit of effort: the drive was cut there, or is beyond it
  LW_NOTE_VOLTAGE,  ///< the limit of voltage cut the command
  LW_NOTE_CURRENT,  ///< the limit of current cut it
  LW_NOTE_STICK,    ///< friction holds the joint from here on
  LW_NOTE_SLIP,     ///< it slips from here on
  LW_NOTE_LEAVE,    ///< it left its end stop
  LW_NOTE_EVENT,    ///< an event of the definition
  LW_NOTE_KIND_COUNT
} lwNoteKind;

typedef struct lwNote
{
  double t;
  lwNoteKind kind;
  int which;  // joint, or event of the definition
} lwNote;

enum
{
  LW_MAX_NOTES = 1000  ///< further ones are only counted
};

/// What a run was like so far.
typedef struct lwArmAudit
{
  lwIntegratorStats steps;
  long events;                       // of any kind, noted or not
  long counts[LW_NOTE_KIND_COUNT];   // by kind
  int note_count;                    // kept
  const lwNote* notes;               // (note_count) in the order of time
  double peak_kinetic, worst_S;      // J, over the samples that were asked for
  double drive_work, friction_work;  // J
  double stop_work, load_work;       // J, of end stops and of loads
} lwArmAudit;

LW_API lwArmAudit lw_arm_run_audit(const lwArmRun* run);

/// How often something happened to joint k (or event k of the definition), and when first.
typedef struct lwTally
{
  long count;
  double first;  // s
} lwTally;

LW_API lwTally lw_arm_run_tally(const lwArmRun* run, lwNoteKind kind, int k);

/// After a run that failed: the joint where it shows first, or -1, and one sentence that says why.
LW_API int lw_arm_run_why(lwArmRun* run, char* text, size_t size);

// --- a snake over time

/// The torques (n-1) of the joints at time t in a state; theta has n entries.
typedef void lwSnakeDrive(void* context, double t, const double* theta, const double u[2],
                          double* torque);

/// A snake that moves: angles, speeds, place, and the work of its torques, integrated together.
typedef struct lwSnakeRun lwSnakeRun;

/// Where a run begins and what is known of it at a time.
typedef struct lwSnakeSample
{
  double t;       // s
  double* theta;  // (n) rad
  double u[2];    // m/s, rad/s
  double x, y;    // m, the middle of link 1
  double work;    // J, of all torques since t = 0
} lwSnakeSample;

/// Makes a run. work computes and must live as long as the run, as must the drive's context. drive NULL: no torques.
LW_API lwStatus lw_snake_run_create(const lwSnake* snake, lwSnakeWorkspace* ws,
                                    const lwIntegratorDef* def, lwSnakeDrive* drive, void* context,
                                    lwDiag* diag, lwSnakeRun** run);
LW_API void lw_snake_run_destroy(lwSnakeRun* run);

LW_API void lw_snake_run_start(lwSnakeRun* run, const lwSnakeSample* sample);

/// Goes on to time t; see lw_integrator_advance(). sample->theta (n) is of the caller.
LW_API lwProgress lw_snake_run_to(lwSnakeRun* run, double t, lwSnakeSample* sample,
                                  const volatile sig_atomic_t* stop);
LW_API const lwIntegrator* lw_snake_run_integrator(const lwSnakeRun* run);

#endif
