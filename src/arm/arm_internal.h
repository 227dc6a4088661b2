// SPDX-License-Identifier: MIT
// Internals of the run of an arm.
//
//   y = (q of nq entries, qd of n, works of drives, friction and loads,
//        currents of motors with inductance)
//
//   arm.c         making a run
//   arm_drive.c   time and state to torques: drives, controller, loads
//   arm_sense.c   what the controller knows: sensors, and a robot that may differ from the arm
//   arm_rates.c   torques to accelerations: the right-hand side
//   arm_hold.c    which joints friction and end stops hold
//   arm_stops.c   which joints are at end stops; impacts
//   arm_events.c  what is watched, and what follows
//   arm_breaks.c  times at which rates jump
//   arm_loops.c   closed loops stay closed
//   arm_run.c     from break to break; samples and audit
//   arm_state.c   its state as bytes, to continue from
#ifndef LW_SIMULATE_ARM_INTERNAL_H
#define LW_SIMULATE_ARM_INTERNAL_H

#include "arm/energy.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "drive/closed_oil.h"
#include "linkwork/arm.h"
#include "linkwork/loop.h"
#include "ode/integrator.h"

// How a joint moves, as far as Coulomb friction and end stops are concerned.
typedef enum lwJointHold
{
  LW_JOINT_HOLD_NONE,   // nothing but viscous friction
  LW_JOINT_HOLD_PLUS,   // it slips, or is about to slip, in the positive direction
  LW_JOINT_HOLD_MINUS,  // in the negative direction
  LW_JOINT_HOLD_HELD    // it rests, held by friction or a stop
} lwJointHold;

// What a watched value is about.
typedef enum lwWatchKind
{
  LW_WATCH_HOLD,       // a joint that slips and stops, or rests and breaks away
  LW_WATCH_LOWER,      // its distance from its lower limit
  LW_WATCH_UPPER,      // and from its upper limit
  LW_WATCH_CONDITION,  // an event of the definition
} lwWatchKind;

typedef struct lwWatch
{
  lwWatchKind kind;
  int which;  // joint or event
} lwWatch;

enum
{
  LW_WORK_DRIVE,
  LW_WORK_FRICTION,
  LW_WORK_LOAD,
  LW_WORK_COUNT,

  LW_ARM_LIMIT_EFFORT = 4,  // besides LW_MOTOR_LIMIT_VOLTAGE, LW_MOTOR_LIMIT_CURRENT
  LW_ARM_LIMIT_SPEED  = 8,

  LW_AT_LOWER = 1,  // bits of a contact
  LW_AT_UPPER = 2
};

// While joints rest, nothing makes an integrator take short steps, but the torques that hold them
// may change: they are checked this often, in s.
#define LW_LOOK_TIME 0.01

// A time at which an event happens or a load begins or ends.
typedef struct lwBreak
{
  double t;   // s
  int event;  // or -1, then
  int load;   // it begins or ends
} lwBreak;

struct lwArmRun
{
  lwArmDef def;
  const lwModel* model;
  int n;          // degrees of freedom
  int nq;         // entries of q
  const int* at;  // (n) where the position of a freedom stands in q; -1: nowhere alone
  lwWorkspace* ws;
  lwLoops* loops;  // or NULL: the robot has none
  double* closed;  // (size) the state with closed loops
  lwIntegrator* integrator;
  double t;

  // of the joints, (n) each
  double* reflected;  // kg m^2 or kg, of the rotors
  double* viscous;    // N m s/rad or N s/m
  double* coulomb;    // N m or N
  lwLimits* limits;
  lwJointHold* hold;
  double* slip;            // N m or N, Coulomb friction of a joint that slips
  unsigned char* contact;  // stops at which the joint rests: LW_AT_LOWER, LW_AT_UPPER, both or none
  unsigned* beyond;        // limits that are passed: set of LW_MOTOR_LIMIT_..
  bool holds;              // some joint may be held
  int held;                // joints with LW_JOINT_HOLD_HELD
  lwJointDrive* drives;
  lwJointDrive* first_drives;  // (n) at t = 0
  int* drive_event;            // (n) event that gave the drive, -1: none
  int oil_event;               // event that closed the valves, -1: none
  lwMotor* motors;             // (n) of joints that a voltage drives at any time; else not given
  int* current_at;             // (n) where its current stands in the state; -1: it is none
  int size;                    // of the state
  lwClock* clocks;             // of converters
  double* kept;                // the command that is held

  // of the last evaluation, (n) each
  double* y;                                 // (size) the state
  double* tau;                               // of the drives
  double *voltage, *current, *current_rate;  // of the motors
  unsigned* cut;                             // limits of the motor that acted
  double* load;                              // of the wrenches
  double* friction;                          // that friction and stops exert
  double* applied;                           // what forward dynamics is asked with
  double* qdd;
  double* further;                      // of def.torques, and of closed cylinders
  lwCylinders* oil;                     // whose valves are closed, or NULL
  bool controlled;                      // a drive follows the controller all the time
  bool driven;                          // some joint has a drive
  bool timed;                           // the command of a drive may jump
  bool limited;                         // some drive has a limit of effort, voltage or current
  double* control;                      // of the controller, before limits
  double *want_q, *want_qd, *want_qdd;  // its reference, (nq), (n), (n)
  double* gap;                          // (n) from the position to that of the reference
  double *kp, *kd;
  lwSensorsDef sensors;        // (n) copies
  double* sensed;              // (nq + n) what the sensors say; NULL: the truth
  bool sampled_only;           // they round or have noise
  const lwModel* believed;     // the robot that the controller computes with
  lwWorkspace* believed_ws;    // of that robot; run->ws where it is the arm
  double* believed_reflected;  // (n) its rotor inertias
  double* start_q;             // (nq) at t = 0

  // for what is held
  double* M;            // (n, n) inertia, rotors included
  double* L;            // (n, n) its factors, joints that are held left out
  double* right;        // (n) right-hand side
  double *low, *high;   // (n) what the hold can exert
  double* trial;        // (n)
  double* incoming;     // (n) velocities before an impact
  bool* stuck;          // (n) the impact leaves the joint at rest
  bool* rests;          // (n) the joint rests and may be held
  bool* held_now;       // (n) LW_JOINT_HOLD_HELD
  bool* still;          // (n) it is held, or the loops hold it with others that are
  lwJointHold* before;  // (n)
  int* chain;           // (n) the one before: the matrix is full
  double* jacobian;     // (6, n)

  int load_count, event_count;
  lwLoadDef* loads;
  lwArmEventDef* events;
  lwOutcome begun;  // at t = 0
  bool* passed;     // (event_count) happened
  bool* acting;     // (load_count) acts now
  int break_count;
  int break_next;   // the first that lies ahead
  lwBreak* breaks;  // (break_count) in the order of time
  lwPace pace;      // of turns in lw_arm_run_advance()
  long turns;       // taken there

  int watch_count;
  lwWatch* watches;
  bool* guards;  // (watch_count) values that must stay positive

  double* seen;      // (size) state whose energy is computed
  double longest;    // s, of steps while all joints move
  double S0;         // J, kinetic + potential at t = 0
  double stop_work;  // J
  lwEnergyWatch energy;
  lwAudit audit;
  lwNote* notes;
  int tally_width;
  lwTally* tallies;  // (LW_NOTE_KIND_COUNT, tally_width)
  lwChatter chatter;
  lwArena arena;
};

static inline double* lw_arm_q(const lwArmRun* run)
{
  return run->y;
}

static inline double* lw_arm_qd(const lwArmRun* run)
{
  return run->y + run->nq;
}

// Position of freedom k, 0 where it has none of its own: ball and floating joints.
static inline double lw_arm_position(const lwArmRun* run, const double* y, int k)
{
  return run->at[k] >= 0 ? y[run->at[k]] : 0;
}

// Works of a state, LW_WORK_COUNT.
static inline const double* lw_arm_works(const lwArmRun* run, const double* y)
{
  return y + run->nq + run->n;
}

// --- arm_drive.c

// The torques of drives and loads at time t in state y, into run->tau and run->load.
void lw_arm_drive(lwArmRun* run, double t, const double* y);

// Samples the commands whose time has come.
void lw_arm_sample(lwArmRun* run);

// The next time at which the command of a drive may jump, INFINITY: none.
double lw_arm_next_command(const lwArmRun* run);

// Gives joint k another drive.
void lw_arm_take_drive(lwArmRun* run, int k, const lwJointDrive* drive);

// The value of a law of joint k's motion.
double lw_arm_law(const lwArmRun* run, const lwLaw* law, int k, double t, const double* y);

// --- arm_sense.c

// Takes the sensors and the robot of the controller; LW_ERROR_INPUT and why in diag.
lwStatus lw_arm_sense_create(lwArmRun* run, lwDiag* diag);

// Whether a drive follows the controller without being sampled, at the start or after an event.
bool lw_arm_controls_always(const lwArmDef* def);

// The state as the sensors report it at time t: y itself, or run->sensed.
const double* lw_arm_sense(lwArmRun* run, double t, const double* y);

// --- arm_rates.c

// Torques, friction and accelerations at time t in state y, into the arrays of the run.
void lw_arm_evaluate(lwArmRun* run, double t, const double* given);
lwRates lw_arm_rates;
double lw_arm_kinetic(lwArmRun* run, const double* y, double* potential);

// --- arm_loops.c

// Takes what loops need and closes them at the start; LW_OK also without loops.
lwStatus lw_arm_loops_create(lwArmRun* run, lwDiag* diag);

// Projects q and qd of a state onto closed loops; joints that are held stay.
void lw_arm_project(const lwArmRun* run, double* y);

// The state y, its loops closed, in run->closed; y itself without loops.
const double* lw_arm_closed(lwArmRun* run, const double* y);

// Adds to the rates of y what pulls it to run->closed.
void lw_arm_pull(const lwArmRun* run, const double* y, double* rates);

// The torques of the driven joints, into run->control, for a motion whose driven joints accelerate
// by qdd; fills in the accelerations of the others.
void lw_arm_loops_control(lwArmRun* run, const double* q, const double* qd, double* qdd);

// The first freedom of the joint that entry i of q belongs to.
int lw_arm_first_freedom(const lwArmRun* run, int i);

// Closes the loops of the reference near the state y; joints that are not driven have no gains.
void lw_arm_close_reference(lwArmRun* run, const double* y);

// --- arm_hold.c

// M, rotors included, into run->M. With loops, lw_arm_solve_held() is then about accelerations at
// the velocities qd, or, with NULL, about velocities after an impulse.
void lw_arm_inertia(lwArmRun* run, const double* q, const double* qd);

// M v with the M in run->M.
void lw_arm_momentum(const lwArmRun* run, const double* v, double* momentum);

// Joint k, which is about to stop, stops.
void lw_arm_stop_joint(lwArmRun* run, int k);

// Solves M x = right + f where joints with LW_JOINT_HOLD_HELD have x = 0 and the others f = 0; f of
// the held ones into hold.
void lw_arm_solve_held(lwArmRun* run, const double* right, double* x, double* hold);

// Finds f with low <= f <= high at the joints that rest (run->rests), and x, so that M x = right +
// f; see arm_hold.c. Starts from run->hold, which is changed. False: it was not found.
bool lw_arm_settle(lwArmRun* run, const double* right, double* x, double* f);

// Finds what every resting joint does, and all accelerations, from the state of the run. loosened:
// a joint that friction or a stop can no longer hold, or -1.
void lw_arm_rest(lwArmRun* run, int loosened);

// lw_arm_rest(), and notes about what has changed.
void lw_arm_decide(lwArmRun* run, int loosened);

// --- arm_stops.c

// How far beyond a limit a joint may be before it counts, rad or m.
double lw_arm_stop_tolerance(double limit);

// The end stops that joint k touches: LW_AT_LOWER, LW_AT_UPPER; 0 if limits are not stops.
unsigned char lw_arm_at_stops(const lwArmRun* run, int k);

// Joints that are at stops and move into them hit them: velocities jump.
void lw_arm_impact(lwArmRun* run);

// --- arm_events.c

bool lw_arm_watch_create(lwArmRun* run);
lwEventValues lw_arm_watched;
lwOutcome lw_arm_event(lwArmRun* run, int index, bool rising);

// After a change of the state or of what acts: decides what rests, and starts the integrator anew.
lwOutcome lw_arm_go_on(lwArmRun* run, int loosened);

// Changes that an event of the definition makes. LW_OUTCOME_CONDITION if it ends the run.
lwOutcome lw_arm_apply(lwArmRun* run, int event);

void lw_arm_note(lwArmRun* run, double t, lwNoteKind kind, int which);

// --- arm_run.c

// Enters the energy of a state into the audit, and the limits of speed and of drives that it
// passes.
void lw_arm_audit_state(lwArmRun* run, double t, const double* y);
lwStepEnd lw_arm_step_end;

// --- arm_breaks.c

bool lw_arm_breaks_create(lwArmRun* run);

// The next time at which rates may jump, INFINITY: none.
double lw_arm_next_break(const lwArmRun* run);
lwOutcome lw_arm_breaks(lwArmRun* run);  // what happens at the time reached

#endif
