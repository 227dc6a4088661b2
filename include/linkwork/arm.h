// SPDX-License-Identifier: MIT
/// @file arm.h An arm over time (drives, control,
/// friction, end stops, events), and a snake over time.
///
/// M(q) qdd + R qdd + C qd + g = tau + friction + stops + J^T w. R holds the inertias of the rotors
/// seen from the joints, tau is what the drives exert. Arrays have an entry for each moving joint.
/// Not part of the core library.
#ifndef LINKWORK_ARM_H
#define LINKWORK_ARM_H

#include "linkwork/cylinder.h"
#include "linkwork/drive.h"
#include "linkwork/dynamics.h"
#include "linkwork/ode.h"
#include "linkwork/snake.h"

// --- what drives the joints

/// Where the command of a drive comes from.
typedef enum lwSignal
{
  /// None: the joint is free, or only has its spring.
  LW_SIGNAL_NONE,
  /// A law in t, k, n, q, qd.
  LW_SIGNAL_LAW,
  /// A column of a schedule.
  LW_SIGNAL_SCHEDULE,
  /// The controller of the arm.
  LW_SIGNAL_CONTROL,
  /// The entry of the joint in lwArmDef.commands.
  LW_SIGNAL_INPUT
} lwSignal;

/// The drive of one joint: a command, which a converter may sample, as a torque or as a voltage on
/// the joint's motor; and optionally a spring. All zero: free.
typedef struct lwJointDrive
{
  /// Where the command comes from.
  lwSignal signal;
  /// The command is a voltage, V; else a torque or force, N m or N.
  bool voltage;
  /// The law of LW_SIGNAL_LAW.
  const lwLaw* law;
  /// The schedule of LW_SIGNAL_SCHEDULE.
  const lwSchedule* schedule;
  /// Column of the schedule, from 0.
  int column;
  /// dac samples the command; it must have a period.
  bool converted;
  /// The converter; its range is in the unit of the command.
  lwDac dac;
  /// There is a spring.
  bool sprung;
  /// The spring.
  lwSpring spring;
  /// The spring's rest is the position of the joint when the drive begins.
  bool rest_here;
  /// The spring's preload is the torque of the previous drive at that time.
  bool preload_here;
} lwJointDrive;

/// Writes further torques (n), which are added to those of the drives.
typedef void lwArmTorques(void* context, double t, const double* q, const double* qd, double* tau);

// --- control

/// Kinds of controllers.
typedef enum lwControl
{
  /// No controller.
  LW_CONTROL_NONE,
  /// kp (q* - q) + kd (qd* - qd) + g(q).
  LW_CONTROL_PD_GRAVITY,
  /// Inverse dynamics of qdd* + kp (q* - q) + kd (qd* - qd), rotors included.
  LW_CONTROL_COMPUTED_TORQUE,
  /// Inverse dynamics of the reference, plus kp (q* - q) + kd (qd* - qd).
  LW_CONTROL_FEED_FORWARD,
} lwControl;

/// The motion q*, qd*, qdd* (n each) that a controller follows, at time t. Allocates nothing.
typedef void lwReference(void* context, double t, double* q, double* qd, double* qdd);

/// What sensors tell a controller about the joints: scale q + offset, with noise, rounded to the
/// resolution, and likewise the velocity. All zero: the truth. Ball and floating joints have none.
typedef struct lwSensorsDef
{
  /// (n) Added to the position, rad or m. NULL: zeros.
  const double* offset;
  /// (n) Factor of the position. NULL: ones.
  const double* scale;
  /// (n) Added to the velocity, rad/s or m/s. NULL: zeros.
  const double* velocity_offset;
  /// (n) Factor of the velocity. NULL: ones.
  const double* velocity_scale;
  /// (n) Steps of the position, rad or m; 0: none. NULL: zeros. Needs commands that are sampled.
  const double* resolution;
  /// (n) Standard deviation of the position's normal noise, rad or m. NULL: zeros. Needs commands
  /// that are sampled; each sample has noise of its own.
  const double* noise;
  /// Chooses the noise.
  double seed;
} lwSensorsDef;

/// A controller. All zero: none.
typedef struct lwControllerDef
{
  /// What it computes.
  lwControl kind;
  /// (n) Position gains, N m/rad or N/m; of computed torque 1/s^2. NULL: zeros.
  const double* kp;
  /// (n) Velocity gains, N m s/rad or N s/m; of computed torque 1/s. NULL: zeros.
  const double* kd;
  /// The motion to follow. NULL: hold the initial position.
  lwReference* reference;
  /// Handed to the reference.
  void* context;
  /// What it knows about the state.
  lwSensorsDef sensors;
  /// The robot that it computes with, of as many positions and velocities as the arm; it must
  /// outlive the run. NULL: the arm itself.
  const lwModel* model;
} lwControllerDef;

// --- what acts from outside

/// A wrench on a link from one time to another.
typedef struct lwLoadDef
{
  /// (6) fx fy fz nx ny nz as laws in t, N and N m. NULL: 0.
  const lwLaw* component[6];
  /// (6) Constant part of these, N and N m, added to the laws.
  double constant[6];
  /// The frame on a link at whose origin it acts, and whose axes it has; it must outlive the run.
  /// NULL: that of the last link.
  const lwFrame* frame;
  /// True: in the axes of the base, false: in those of the frame.
  bool in_base;
  /// When it begins, s. 0: at once.
  double from;
  /// When it ends, s. INFINITY: never.
  double to;
} lwLoadDef;

// --- what may happen

/// Which joint friction is included.
typedef enum lwFrictionModel
{
  /// No friction.
  LW_FRICTION_MODEL_NONE,
  /// Viscous friction only.
  LW_FRICTION_MODEL_VISCOUS,
  /// Viscous and Coulomb friction, with stiction.
  LW_FRICTION_MODEL_FULL
} lwFrictionModel;

/// What reaching a position limit does. Other limits are noted at the samples that are asked for.
typedef enum lwLimitMode
{
  /// The motion goes on; it is noted.
  LW_LIMIT_MODE_NOTE,
  /// The run ends.
  LW_LIMIT_MODE_STOP,
  /// The joint hits an inelastic end stop.
  LW_LIMIT_MODE_HOLD
} lwLimitMode;

/// At a given time, or where a condition on the state of
/// a joint changes sign, drives change or the run ends.
typedef struct lwArmEventDef
{
  /// Its name, or NULL.
  const char* name;
  /// When it happens, s. NAN: when the condition says so.
  double at;
  /// The condition, a law in t, k, n, q, qd whose sign changes.
  const lwLaw* when;
  /// The joint whose state the condition is about, from 0.
  int joint;
  /// The run ends here.
  bool ends;
  /// (n) Which drives change. NULL: none.
  const bool* changes;
  /// (n) What they become.
  const lwJointDrive* drives;
  /// The valves of these cylinders close: the oil takes over what the drives exert at that time, as
  /// far as moment arms allow, and then acts beside the drives. Of the run's model, and of no other
  /// run at the same time. A stroke outside its cylinder ends the run as a limit does. NULL: none.
  lwCylinders* closes;
} lwArmEventDef;

// --- the run

/// Everything about a run. Start from lw_arm_def(). Arrays are copied; the model, laws and contexts
/// must outlive the run.
typedef struct lwArmDef
{
  /// The arm.
  const lwModel* model;
  /// Methods and precision.
  lwWorkspaceDef ws;
  /// How to integrate.
  lwIntegratorDef integrator;
  /// Includes the inertia of the motors' rotors.
  bool rotors;
  /// Which friction is included.
  lwFrictionModel friction;
  /// What reaching a position limit does.
  lwLimitMode limits;
  /// (n) Positions at t = 0, rad or m. NULL: zeros.
  const double* q;
  /// (n) Velocities at t = 0, rad/s or m/s. NULL: zeros.
  const double* qd;
  /// (n) Currents at t = 0 of motors with inductance that a voltage drives, A. NULL: zeros.
  const double* current;
  /// (n) The drives at t = 0. NULL: all joints are free.
  const lwJointDrive* drives;
  /// The controller of drives with LW_SIGNAL_CONTROL.
  lwControllerDef controller;
  /// Number of loads.
  int load_count;
  /// (load_count) Wrenches on links.
  const lwLoadDef* loads;
  /// Number of events.
  int event_count;
  /// (event_count) What happens on the way.
  const lwArmEventDef* events;
  /// Torques added to those of the drives, or NULL.
  lwArmTorques* torques;
  /// Handed to torques.
  void* context;
  /// (n) Commands of drives with LW_SIGNAL_INPUT, N m, N or V: read whenever they are needed, so a
  /// caller that changes them must make rates jump there, as at an event. NULL: there are none.
  const double* commands;
  /// Set by lw_arm_def(); leave it as it is.
  unsigned cookie;
} lwArmDef;

/// An arm that moves, and everything that its run needs. For one thread.
typedef struct lwArmRun lwArmRun;

/// rk4, rotors, full friction, limits noted, all joints free.
LW_API lwArmDef lw_arm_def(void);

/// Makes a run at t = 0. LW_ERROR_METHOD, LW_ERROR_INPUT (a number that is not finite, a voltage
/// without a motor, an initial position beyond a limit that holds or ends the run) or
/// LW_ERROR_MEMORY. All memory is taken here.
LW_API lwStatus lw_arm_run_create(const lwArmDef* def, lwDiag* diag, lwArmRun** run);

/// Frees a run. NULL is allowed.
LW_API void lw_arm_run_destroy(lwArmRun* run);

/// How a call of lw_arm_run_advance() ended.
typedef enum lwOutcome
{
  /// It reached the time asked for.
  LW_OUTCOME_ARRIVED,
  /// The stop flag was set.
  LW_OUTCOME_STOPPED,
  /// An event of the definition ended the run.
  LW_OUTCOME_CONDITION,
  /// A joint reached a limit that ends the run.
  LW_OUTCOME_LIMIT,
  /// Too many events in too short a time.
  LW_OUTCOME_CHATTER,
  /// The motion is not finite.
  LW_OUTCOME_NOT_FINITE,
  /// No step is short enough, or t hardly advances.
  LW_OUTCOME_STEP_VANISHED,
  /// The budget of steps or seconds is used up.
  LW_OUTCOME_BUDGET
} lwOutcome;

/// Advances to time t. Neither steps nor later states depend on the times asked for. stop: see
/// lw_integrator_advance(). Allocates nothing.
LW_API lwOutcome lw_arm_run_advance(lwArmRun* run, double t, const volatile sig_atomic_t* stop);

/// The time reached, s.
LW_API double lw_arm_run_time(const lwArmRun* run);

/// The state that was reached. Arrays (n) belong to the run and change with it.
typedef struct lwArmSample
{
  /// Time, s.
  double t;
  /// (n) Positions, rad or m.
  const double* q;
  /// (n) Velocities, rad/s or m/s.
  const double* qd;
  /// (n) Accelerations, rad/s^2 or m/s^2.
  const double* qdd;
  /// (n) Torques or forces of the drives, N m or N.
  const double* tau;
  /// (n) Voltages at the motors that are driven by one, V; 0 elsewhere.
  const double* voltage;
  /// (n) Currents of these motors, A.
  const double* current;
  /// (n) Torques or forces that friction and end stops exert, N m or N.
  const double* friction;
  /// Kinetic energy, rotors included, J.
  double kinetic;
  /// Potential energy, J.
  double potential;
  /// Work of drives, friction, stops and loads since t = 0, J.
  double work;
  /// Energy not accounted for, J: kinetic + potential - work, less its value at t = 0.
  double S;
} lwArmSample;

/// The current sample. Taking it changes neither the run nor its audit.
LW_API lwArmSample lw_arm_run_sample(lwArmRun* run);

/// True if joint k has, at any time, a motor that is driven by a voltage.
LW_API bool lw_arm_run_has_voltage(const lwArmRun* run, int k);

/// True if the current in the motor of joint k is a state.
LW_API bool lw_arm_run_has_current(const lwArmRun* run, int k);

/// Something that happened.
typedef enum lwNoteKind
{
  /// The lower limit was reached.
  LW_NOTE_LOWER,
  /// The upper limit was reached.
  LW_NOTE_UPPER,
  /// The speed limit was exceeded, at the end of a step or at an event; so for the next three.
  LW_NOTE_SPEED,
  /// The drive was clipped at the effort limit, or exceeds it.
  LW_NOTE_EFFORT,
  /// The command was clipped at the voltage limit.
  LW_NOTE_VOLTAGE,
  /// The command was clipped at the current limit.
  LW_NOTE_CURRENT,
  /// Friction holds the joint, or a wheel of a snake, from here on.
  LW_NOTE_STICK,
  /// The joint, or a wheel of a snake, slips from here on.
  LW_NOTE_SLIP,
  /// The joint left its end stop.
  LW_NOTE_LEAVE,
  /// An event of the definition happened.
  LW_NOTE_EVENT,
  /// A joint of a snake hit a stop.
  LW_NOTE_HIT,
  /// In a run without slip, a wheel of a snake begins to need more than its friction_limit, as seen
  /// at the ends of steps and at events.
  LW_NOTE_BEYOND,
  /// Number of kinds.
  LW_NOTE_KIND_COUNT
} lwNoteKind;

/// One thing that happened, and when.
typedef struct lwNote
{
  /// Time, s.
  double t;
  /// What happened.
  lwNoteKind kind;
  /// The joint, the event of the definition, or the wheel, from 0.
  int which;
} lwNote;

enum
{
  /// Notes that are kept; further ones are only counted.
  LW_MAX_NOTES = 1000
};

/// Summary of the run of an arm or of a snake so far.
typedef struct lwAudit
{
  /// What the integrator did.
  lwIntegratorStats steps;
  /// Number of events of any kind, noted or not.
  long events;
  /// (LW_NOTE_KIND_COUNT) Number of events of each kind.
  long counts[LW_NOTE_KIND_COUNT];
  /// (LW_NOTE_KIND_COUNT) When the first of each kind happened, s.
  double first[LW_NOTE_KIND_COUNT];
  /// Number of notes kept, at most LW_MAX_NOTES.
  int note_count;
  /// (note_count) The notes in order of time.
  const lwNote* notes;
  /// Largest kinetic energy at the ends of steps and at events, J.
  double peak_kinetic;
  /// S of largest magnitude there, J; for a snake its largest change since the run began.
  double worst_S;
  /// Energy turned over: largest kinetic energy, largest change of the potential energy and sum of
  /// all |work|, J.
  double turnover;
  /// S beyond this is not trusted, J: 1e4 times the relative tolerance, or 1e-3 with fixed steps,
  /// of the energy turned over; with a floor for what hardly moves.
  double bound;
  /// worst_S is within the bound. If not, steps are too long: the run may be complete, but is not
  /// to be trusted.
  bool trusted;
  /// Number of commands that converters sampled.
  long samples;
  /// Work of the drives, or of the torques of a snake, J.
  double drive_work;
  /// Work of friction, also of slipping wheels, J.
  double friction_work;
  /// Work of the end stops, J.
  double stop_work;
  /// Work of the loads, J.
  double load_work;
  /// Snakes in all coordinates: largest sideways speed of an axle, m/s.
  double worst_sideways;
} lwAudit;

/// The audit so far. Its notes belong to the run.
LW_API lwAudit lw_arm_run_audit(const lwArmRun* run);

/// How often something happened to joint k (or event k of the definition), and when first.
typedef struct lwTally
{
  /// How often.
  long count;
  /// When first, s.
  double first;
} lwTally;

/// How often something of that kind happened to joint k, or to event k of the definition.
LW_API lwTally lw_arm_run_tally(const lwArmRun* run, lwNoteKind kind, int k);

/// Writes the state of a run into `state` (capacity bytes): everything from which it goes on, stick
/// and slip, currents, memory of the integrator and of converters, clocks, audit. Returns how many
/// bytes it takes; if that is more than capacity, nothing is written. What callbacks keep is theirs.
LW_API size_t lw_arm_run_save(const lwArmRun* run, void* state, size_t capacity);

/// Puts a run into a saved state, also that of another run of the same definition (only
/// lwIntegratorDef.end may differ), in another process and after a change of laws: from there it
/// goes on to the last bit as the run that was saved. LW_ERROR_INPUT, with the run unchanged and why
/// in diag (or NULL), if these are not the bytes of a state of such a run.
LW_API lwStatus lw_arm_run_restore(lwArmRun* run, const void* state, size_t size, lwDiag* diag);

/// Makes a copy of a run, in the same state, that goes on by itself. It shares model, laws and
/// contexts with the first one. LW_ERROR_INPUT if events of the run close cylinders; LW_ERROR_MEMORY.
LW_API lwStatus lw_arm_run_clone(const lwArmRun* run, lwDiag* diag, lwArmRun** copy);

/// After a failed run: the first joint affected, or -1, and in text one sentence that says why.
LW_API int lw_arm_run_why(lwArmRun* run, char* text, size_t size);

// --- a snake over time

/// The torques (n-1) of the joints at time t in a state; theta has n entries, place is x and y of the
/// middle of link 1.
typedef void lwSnakeDrive(void* context, double t, const double* theta, const double u[2],
                          const double place[2], double* torque);

/// A snake that moves: angles, speeds, place, and the work of its torques, integrated together.
typedef struct lwSnakeRun lwSnakeRun;

/// The state of a run at a time, and where a run begins. A run begins with t, theta, u or rates, x,
/// y, work and losses.
typedef struct lwSnakeSample
{
  /// Time, s.
  double t;
  /// (n) Directions of the links, rad.
  double* theta;
  /// (2) Speeds V_1 in m/s and theta_1 dot in rad/s.
  double u[2];
  /// x of the middle of link 1, m.
  double x;
  /// y of the middle of link 1, m.
  double y;
  /// Work of all torques since t = 0, J.
  double work;
  /// (n + 2) x dot, y dot and the angular velocities, of runs in all coordinates. NULL: begin with
  /// those that follow from u if no wheel slips, and write none.
  double* rates;
  /// Energy lost by slipping wheels since t = 0, J.
  double slip_loss;
  /// Energy lost in impacts at the stops of joints since t = 0, J.
  double stop_loss;
  /// Kinetic energy, J.
  double kinetic;
  /// Energy function of nia2005 with losses, J: kinetic - work +
  /// slip_loss + stop_loss. It stays constant up to integration error.
  double S;
  /// Largest sideways speed of an axle, m/s.
  double sideways;
} lwSnakeSample;

enum
{
  /// Most links of a run in all coordinates, which takes O(n^2) memory and O(n^3) operations.
  LW_MAX_SNAKE_FULL = 1000
};

/// A run in theta and u, or in all coordinates, x, y, theta_1..n and their rates, by Lagrange's
/// equations with multipliers: what sections IV and VI of nia2005 integrate. Start from
/// lw_snake_run_def().
typedef struct lwSnakeRunDef
{
  /// The snake; it must outlive the run.
  const lwSnake* snake;
  /// Of a run in theta and u: what computes it; it must outlive the run. NULL: in all coordinates.
  lwSnakeWorkspace* ws;
  /// In all coordinates: precision of the accelerations; single only without slip and stops.
  lwPrecision precision;
  /// How to integrate. With slip or stops the longest step is 0.01 s unless it is given.
  lwIntegratorDef integrator;
  /// The torques of the joints by a law of t, k (joint, 1 to n-1) and n (links), or NULL.
  const lwLaw* law;
  /// The torques of the joints without a law. NULL: none.
  lwSnakeDrive* drive;
  /// Handed to the drive.
  void* context;
  /// Of a run in theta and u: rolling resistance of each wheel, N s/m, a force against its speed along
  /// its link. Its work is part of lwSnakeSample.work. 0: wheels roll freely.
  double rolling_resistance;
  /// In all coordinates, as what follows: projects the rates onto the constraints of the wheels, to the nearest ones in kinetic energy:
  /// after every step, and in samples. Otherwise only the differentiated constraints keep wheels
  /// from moving sideways, and they drift.
  bool stabilise;
  /// A wheel slips, braked by its friction_limit, as long as holding would need a larger force.
  bool slip;
  /// The joints hit inelastic stops at lower and upper.
  bool stops;
  /// Set by lw_snake_run_def(); leave it as it is.
  unsigned cookie;
} lwSnakeRunDef;

/// rk4, double precision, not stabilised, no slip, no stops.
LW_API lwSnakeRunDef lw_snake_run_def(void);

/// Makes a run. With slip or stops it is always stabilised. LW_ERROR_INPUT in all coordinates for
/// too many links, with rolling resistance, or for single precision with slip or stops.
LW_API lwStatus lw_snake_run_create(const lwSnakeRunDef* def, lwDiag* diag, lwSnakeRun** run);

/// Frees a run. NULL is allowed.
LW_API void lw_snake_run_destroy(lwSnakeRun* run);

/// Begins at the time and in the state of the sample. With stops,
/// theta must be within the limits; see lw_snake_find_beyond().
LW_API void lw_snake_run_start(lwSnakeRun* run, const lwSnakeSample* sample);

/// Advances to time t; see lw_integrator_advance(). The caller owns sample->theta (n) and rates.
/// LW_PROGRESS_STEP_VANISHED also if too many events happen in too
/// short a time.
LW_API lwProgress lw_snake_run_to(lwSnakeRun* run, double t, lwSnakeSample* sample,
                                  const volatile sig_atomic_t* stop);

/// The audit so far. Its notes belong to the run.
LW_API lwAudit lw_snake_run_audit(const lwSnakeRun* run);

/// The time reached, s.
LW_API double lw_snake_run_time(const lwSnakeRun* run);

/// Writes the state of a run into `state`, as lw_arm_run_save().
LW_API size_t lw_snake_run_save(const lwSnakeRun* run, void* state, size_t capacity);

/// Puts a run into a saved state, as lw_arm_run_restore().
LW_API lwStatus lw_snake_run_restore(lwSnakeRun* run, const void* state, size_t size, lwDiag* diag);

/// Makes a copy of a run, in the same state, that goes on by itself. A run in theta and u shares its
/// workspace with the copy, so both are for one thread.
LW_API lwStatus lw_snake_run_clone(const lwSnakeRun* run, lwDiag* diag, lwSnakeRun** copy);

/// Why a run that made this progress ended early: "the torques are not finite".
LW_API const char* lw_snake_run_why(lwSnakeRun* run, lwProgress progress);

// --- what drives a snake: a serpenoid gait, or the path of its head

/// A wave that travels along the body (Hirose 1993): the joint angles phi_k = theta_k+1 - theta_k, k =
/// 1..n-1, should follow phi_k(t) = alpha sin(beta k + gamma t) + steer. From rest, t is replaced by
/// a time that starts slowly and is rise / 2 behind after `rise` seconds.
typedef struct lwSerpenoid
{
  /// Amplitude, rad.
  double alpha;
  /// Phase from joint to joint, rad.
  double beta;
  /// Angular frequency, rad/s.
  double gamma;
  /// Added to every joint angle, rad: the snake turns, to the left if steer > 0 and it goes forwards.
  double steer;
  /// How long the wave takes to get up to speed, s. 0: the gait starts at speed.
  double rise;
} lwSerpenoid;

/// Torques that pull the joints towards a serpenoid gait like critically damped springs, as nearly
/// as the wheels allow; see lw_snake_gait().
typedef struct lwSerpenoidDrive lwSerpenoidDrive;

/// Makes the drive. It keeps snake and ws, which must live as long, and may be those of the run.
LW_API lwStatus lw_serpenoid_create(const lwSnake* snake, lwSnakeWorkspace* ws,
                                    const lwSerpenoid* gait, lwSerpenoidDrive** drive);

/// Frees a drive. NULL is allowed.
LW_API void lw_serpenoid_destroy(lwSerpenoidDrive* drive);

/// Where the gait begins: writes its posture theta (n) at t = 0, with a mean direction of zero, and
/// the speeds u (2) whose joint rates are nearest to those of the wave.
LW_API void lw_serpenoid_start(lwSerpenoidDrive* drive, double* theta, double u[2]);

/// The torques of the gait: an lwSnakeDrive whose context is the lwSerpenoidDrive.
LW_API void lw_serpenoid_torques(void* drive, double t, const double* theta, const double u[2],
                                 const double place[2], double* torque);

/// A path for the head, the axle of link n, which wheels let go only where its link points to: path
/// and attitude are one. The path winds about a line or circle, so that the snake never is straight,
/// where torques cannot push it forward:
/// y(s) = winding wavelength / 2 pi sin(2 pi s / wavelength) beside it at arc length s.
typedef struct lwSnakeGuide
{
  /// Of the head along its winding path, m/s, > 0.
  double speed;
  /// Largest slope of the path against the line, 0.05 to 2.
  double winding;
  /// Of the windings, m, > 0.
  double wavelength;
  /// Of the line, 1/m: 0 is straight, > 0 turns left. The windings must fit into the circle: the line
  /// must be at least twice as far from its centre as they reach.
  double curvature;
  /// Where the line begins, m.
  double x;
  /// Its second coordinate, m.
  double y;
  /// Direction of the line there, rad.
  double direction;
} lwSnakeGuide;

/// Drives the head of a snake along its path.
typedef struct lwSnakeGuideDrive lwSnakeGuideDrive;

/// Makes the drive. It keeps snake and ws, which must live as long, and may be those of the run.
/// LW_ERROR_INPUT if the guide is not as described there.
LW_API lwStatus lw_snake_guide_create(const lwSnake* snake, lwSnakeWorkspace* ws,
                                      const lwSnakeGuide* guide, lwDiag* diag,
                                      lwSnakeGuideDrive** drive);

/// Frees a drive. NULL is allowed.
LW_API void lw_snake_guide_destroy(lwSnakeGuideDrive* drive);

/// Where the path begins: the posture theta (n) of a snake that lies on it, with its head at s = 0, and
/// the place (2) of the middle of link 1. At rest.
LW_API void lw_snake_guide_start(lwSnakeGuideDrive* drive, double* theta, double place[2]);

/// The torques of least norm that guide the head: an lwSnakeDrive whose context is the
/// lwSnakeGuideDrive. The head turns towards the path like a critically damped spring.
LW_API void lw_snake_guide_torques(void* drive, double t, const double* theta, const double u[2],
                                   const double place[2], double* torque);

/// How far the head is beside its path, m, to the left > 0.
LW_API double lw_snake_guide_error(const lwSnakeGuideDrive* drive, const double* theta,
                                   const double place[2]);

#endif
