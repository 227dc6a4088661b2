// SPDX-License-Identifier: MIT
/// @file model.h  The robot: how it is described, and the immutable model made from the description.
///
/// SI units and radians. Inertia is about the centre of mass, in link axes, order xx yy zz xy xz yz, true tensor
/// elements. Gravity is the acceleration vector in the base frame.
#ifndef LINKWORK_MODEL_H
#define LINKWORK_MODEL_H

#include <stdbool.h>

#include "linkwork/base.h"

enum
{
  LW_BASE       = -1,     ///< the parent of a joint that stands on the base
  LW_MAX_JOINTS = 100000  ///< more is refused
};

typedef enum lwJointType
{
  LW_JOINT_REVOLUTE,
  LW_JOINT_PRISMATIC,
  LW_JOINT_FIXED
} lwJointType;

/// How the place of a joint is written.
typedef enum lwPlacement
{
  LW_PLACEMENT_DH_MODIFIED,  ///< Craig, Khalil: Rx(alpha) Tx(a) Rz(theta + q) Tz(d)
  LW_PLACEMENT_DH_STANDARD,  ///< Denavit-Hartenberg, Paul: Rz(theta + q) Tz(d) Tx(a) Rx(alpha)
  LW_PLACEMENT_ORIGIN_AXIS   ///< T(xyz) Rz(yaw) Ry(pitch) Rx(roll), then motion about or along axis
} lwPlacement;

/// Fields of a joint that a finding may point at; see lwRobotDef.places.
typedef enum lwField
{
  LW_FIELD_JOINT,
  LW_FIELD_NAME,
  LW_FIELD_PARENT,
  LW_FIELD_PLACEMENT,
  LW_FIELD_AXIS,
  LW_FIELD_LIMITS,
  LW_FIELD_FRICTION,
  LW_FIELD_MOTOR,
  LW_FIELD_MIMIC,
  LW_FIELD_LINK,
  LW_FIELD_MASS,
  LW_FIELD_COM,
  LW_FIELD_INERTIA,
  LW_FIELD_COUNT
} lwField;

/// Joint limits; a limit that is not given is infinite.
typedef struct lwLimits
{
  double lower;     // rad or m
  double upper;     // rad or m
  double velocity;  // rad/s or m/s
  double effort;    // N m or N
} lwLimits;

/// Friction at the joint, reported apart from the rigid-body torque.
typedef struct lwFriction
{
  double viscous;  // N m s/rad or N s/m
  double coulomb;  // N m or N
} lwFriction;

/// DC motor behind a gear. `given` is false when the description names none; the gear may be known all the same, from
/// a URDF transmission.
typedef struct lwMotor
{
  bool given;
  double resistance;       // ohm
  double torque_constant;  // N m/A = V s/rad
  double gear;             // motor turns per joint turn (rad/m for prismatic joints)
  double rotor_inertia;    // kg m^2, on the motor side
  double inductance;       // H, 0: none
  double efficiency;       // of the gear, 0 < efficiency <= 1
  double voltage;          // limit, V, infinite when not given
  double current;          // limit, A, infinite when not given
} lwMotor;

/// A joint that follows another one: q = multiplier times q of the leader + offset. It is then no degree of freedom of
/// its own: torques, inertia and accelerations are those of the leader, with what the followers add. A leader may be a
/// follower itself, but not of its own; one that is fixed stands at q = 0.
typedef struct lwMimic
{
  bool given;
  int leader;  // index of the joint, before or behind this one
  double multiplier;
  double offset;  // rad or m
} lwMimic;

typedef enum lwShapeKind
{
  LW_SHAPE_BOX,
  LW_SHAPE_CYLINDER,
  LW_SHAPE_SPHERE,
  LW_SHAPE_MESH
} lwShapeKind;

/// A piece of what a link looks like, with the origin in its middle and a cylinder along z. It has no part in the motion.
typedef struct lwShape
{
  lwShapeKind kind;
  bool visual;            // to be looked at; otherwise to collide
  double size[3];         // m: three sides; radius and length; radius. Of a mesh: scales of x, y, z
  double xyz[3], rpy[3];  // m, rad: its place in the frame of the link
  const char* mesh;       // the file, as it is written; NULL for the others
} lwShape;

/// What the shapes of a link fill, together: where they overlap, twice.
typedef struct lwBulk
{
  double volume;           // m^3; 0: not known
  double com[3];           // m, link frame
  double inertia[6];       // for 1 kg/m^3: m^5, about com
  double low[3], high[3];  // m, corners of the box around them, link frame
} lwBulk;

/// The rigid body that a joint moves.
typedef struct lwLinkDef
{
  const char* name;   // NULL: that of the joint
  double mass;        // kg
  double com[3];      // m, from the link's origin, link axes
  double inertia[6];  // kg m^2, about the centre of mass, xx yy zz xy xz yz
  int shape_count;
  const lwShape* shapes;  // (shape_count) or NULL
  const lwBulk* bulk;     // of the shapes, or NULL: not known
} lwLinkDef;

/// Of a joint that lw_joint_def_lock() has fixed: where.
typedef struct lwLocked
{
  bool given;   // false: not locked
  bool slides;  // it was prismatic
  double q;     // rad or m
} lwLocked;

/// A joint and the link it carries. Start from lw_joint_def().
typedef struct lwJointDef
{
  const char* name;
  lwJointType type;
  int parent;  // index of the joint whose link carries this one, less than the own index, or LW_BASE
  lwPlacement placement;
  double alpha, a, d, theta;  // DH: rad, m, m, rad; theta and d are offsets added to q
  double xyz[3], rpy[3];      // origin: m, rad
  double axis[3];             // of any length but 0
  lwLimits limits;
  lwFriction friction;
  lwMotor motor;
  lwMimic mimic;
  lwLinkDef link;
  lwLocked locked;
  int line;  // of the file where it is written, 0: not known
  /// Set by lw_joint_def(); leave it as it is.
  unsigned cookie;
} lwJointDef;

/// A robot as a person describes it. Start from lw_robot_def().
typedef struct lwRobotDef
{
  const char* name;
  const char* origin;        // where the numbers come from, or NULL
  double gravity[3];         // m/s^2
  int count;                 // of joints, fixed ones included
  const lwJointDef* joints;  // (count)
  lwLinkDef base;            // what the first joints stand on; name NULL: "base"
  const char* file;          // for diagnostics, or NULL
  const char* text;          // the text of that file, for the source lines of diagnostics, or NULL
  const lwPlace* places;     // (count * LW_FIELD_COUNT) or NULL
  const lwPlace* base_places;  // (LW_FIELD_COUNT), those of the base, or NULL
  const char* notes;           // what a reader left out and why, lines of text, or NULL
  /// Warnings that are known and not reported, or NULL. A line for each: its id (lwMessage.id), alone or followed by a
  /// space and the name of a joint or link.
  const char* accept;
  /// Set by lw_robot_def(); leave it as it is.
  unsigned cookie;
} lwRobotDef;

/// A frame that a link carries: of a tool, a camera, a fingertip. Start from {.joint = i}: the link's own frame.
typedef struct lwFrame
{
  int joint;      // index in the description of the joint whose link carries it, or LW_BASE
  double xyz[3];  // m, its origin, in the frame of that link
  double rpy[3];  // rad, Rz(yaw) Ry(pitch) Rx(roll): its axes in those of the link
} lwFrame;

/// A joint that is to be held at a position.
typedef struct lwHold
{
  const char* joint;  // its name
  double value;       // rad or m
  bool angle;         // the value was given as an angle, which a prismatic joint does not accept
} lwHold;

/// How strictly a description is judged. All false is the usual way.
typedef struct lwLint
{
  /// Every warning is an error.
  bool strict;
  /// What is merely unusual is reported too; readers look for mesh files and read them.
  bool pedantic;
  /// An inertia that is not positive semidefinite is a warning instead of an error.
  bool allow_bad_inertia;
  /// A moving joint that nothing resists is a warning instead of an error.
  bool allow_inert;
} lwLint;

/// Which joints move. All zero: every joint of the description, mimic joints with their leaders.
typedef struct lwJointChoice
{
  /// (free_count) Names of the joints that stay free while all others are held. NULL: all are free.
  const char* const* free;
  /// Number of names in `free`.
  int free_count;
  /// (hold_count) Where joints are held; those not named are held at zero. Only with `free`.
  const lwHold* holds;
  /// Number of entries in `holds`.
  int hold_count;
  /// Joints that mimic others move by themselves.
  bool free_mimics;
} lwJointChoice;

/// What a file reader fills in or changes. lw_model_create() does not look at it.
typedef struct lwReadOptions
{
  /// Names of joints to fix at zero, separated by commas, or NULL.
  const char* fix;
  /// Missing mass properties are estimated from the shapes of links.
  bool estimate_inertia;
  /// Density of links whose mass is estimated, kg/m^3. 0: 1000.
  double density;
  /// Folders with the packages of mesh files, separated by colons, or NULL.
  const char* packages;
  /// The parts that links refer to; parts files are then not opened. NULL: they are read.
  const struct lwParts* parts;
} lwReadOptions;

/// How the base is mounted: on a floor, a wall, a ceiling, the Moon. Results stay in the base frame.
typedef struct lwMount
{
  /// (3) Gravity in m/s^2, in place of the robot's own; NULL: its own
  const double* gravity;
  /// (3) Roll, pitch and yaw of the base in the world, rad, Rz(yaw) Ry(pitch) Rx(roll). Gravity is then meant in the
  /// axes of the world and turned into those of the base. NULL: the axes of base and world agree
  const double* base_rpy;
} lwMount;

/// How a model is made from a description or a file. All zero is the usual way.
typedef struct lwModelOptions
{
  /// What is an error, what is a warning.
  lwLint lint;
  /// Which joints move.
  lwJointChoice joints;
  /// How the base is mounted.
  lwMount mount;
  /// What readers do.
  lwReadOptions read;
} lwModelOptions;

/// An immutable robot in canonical form; any number of threads may share it.
typedef struct lwModel lwModel;

LW_API lwJointDef
lw_joint_def(void);  ///< revolute, modified DH, all zero, no limits, massless, parent LW_BASE
LW_API lwRobotDef lw_robot_def(void);  ///< no joints, gravity (0, 0, -9.81)

/// Makes a moving joint a fixed one, at position q (rad or m); limits, friction and motor are gone. The axis of an
/// LW_PLACEMENT_ORIGIN_AXIS joint must not be zero.
LW_API void lw_joint_def_lock(lwJointDef* joint, double q);

/// Makes a body a rigid part of the link: a payload, a tool. mass in kg; com in m, from the link's origin, link axes;
/// inertia in kg m^2 about the body's own centre of mass, link axes, xx yy zz xy xz yz. If both are massless, the
/// link's centre of mass stays.
LW_API void lw_link_def_add(lwLinkDef* link, double mass, const double com[3],
                            const double inertia[6]);

/// Checks the description, reports everything wrong or doubtful about it in diag, and makes the model if no error
/// was found; *model is NULL otherwise. Everything is copied. options NULL: all zero. diag may be NULL.
/// With options->joints.free the model is that of the robot whose other joints are fixed, and so is its description.
/// LW_ERROR_LOCK: that was asked for with unknown, fixed or doubled names, or a position that cannot be.
LW_API lwStatus lw_model_create(const lwRobotDef* robot, const lwModelOptions* options,
                                lwDiag* diag, lwModel** model);
LW_API void lw_model_destroy(lwModel* model);

/// gear^2 rotor_inertia, kg m^2 or kg: what a motor's rotor adds to the inertia that its joint sees; 0 without a motor.
LW_API double lw_motor_rotor(const lwMotor* motor);

/// A serial chain of n revolute joints without any special angle, length or inertia, the first axis vertical: what
/// operation counts and benchmarks are about. The same n gives the same robot on every machine.
LW_API lwStatus lw_model_create_generic(int n, lwModel** model);

LW_API int
lw_model_dof(const lwModel* model);  ///< independent joints: those that move and mimic no other
LW_API int lw_model_joint_count(const lwModel* model);   ///< all joints, fixed ones included
LW_API const char* lw_model_name(const lwModel* model);  ///< never NULL
LW_API const lwRobotDef*
lw_model_robot(const lwModel* model);  ///< the description it was made from
LW_API int lw_model_joint(const lwModel* model,
                          int i);  ///< description's index of independent joint i

/// Name of independent joint i, 0 <= i < lw_model_dof(). Never NULL.
LW_API const char* lw_model_joint_name(const lwModel* model, int i);

/// Type of independent joint i: LW_JOINT_REVOLUTE or LW_JOINT_PRISMATIC.
LW_API lwJointType lw_model_joint_type(const lwModel* model, int i);

/// Description of independent joint i: limits, friction, motor, link.
LW_API const lwJointDef* lw_model_joint_def(const lwModel* model, int i);

/// The link of that name, else the base of that name, else the link of the joint of that name; "base" is the base where
/// nothing else is called so. *joint becomes the description's index of the joint that carries it, or LW_BASE. LW_ERROR_FRAME:
/// there is none.
LW_API lwStatus lw_model_find_link(const lwModel* model, const char* name, int* joint);

/// Description's index of the first moving joint that nothing resists, or -1. With one, which takes
/// lwLint.allow_inert, forward dynamics is impossible: its answers are not finite.
LW_API int lw_model_inert(const lwModel* model);

/// The same when the rotors of the motors count, as with lwWorkspaceDef.rotors.
LW_API int lw_model_inert_driven(const lwModel* model);

LW_API bool
lw_model_is_serial(const lwModel* model);  ///< true if every moving joint rides on the one before

#endif
