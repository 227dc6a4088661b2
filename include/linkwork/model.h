// SPDX-License-Identifier: MIT
/// @file model.h The robot: how it is described, and the immutable model made from the description.
///
/// SI units and radians. Inertia is about the centre of mass, in link axes, order xx yy zz xy xz
/// yz, true tensor elements. Gravity is the acceleration vector in the base frame.
#ifndef LINKWORK_MODEL_H
#define LINKWORK_MODEL_H

#include <stdbool.h>

#include "linkwork/base.h"

enum
{
  /// The parent of a joint that stands on the base.
  LW_BASE = -1,
  /// Robots with more joints are refused.
  LW_MAX_JOINTS = 100000
};

/// What a joint allows.
typedef enum lwJointType
{
  /// Rotation about an axis; q in rad.
  LW_JOINT_REVOLUTE,
  /// Motion along an axis; q in m.
  LW_JOINT_PRISMATIC,
  /// No motion: two links in one piece.
  LW_JOINT_FIXED
} lwJointType;

/// How the place of a joint is written.
typedef enum lwPlacement
{
  /// Modified Denavit-Hartenberg (Craig, Khalil): Rx(alpha) Tx(a) Rz(theta + q) Tz(d).
  LW_PLACEMENT_DH_MODIFIED,
  /// Standard Denavit-Hartenberg (Paul): Rz(theta + q) Tz(d) Tx(a) Rx(alpha).
  LW_PLACEMENT_DH_STANDARD,
  /// T(xyz) Rz(yaw) Ry(pitch) Rx(roll), then motion about or along axis, as in URDF.
  LW_PLACEMENT_ORIGIN_AXIS
} lwPlacement;

/// Fields of a joint that a finding may point at; see lwRobotDef.places.
typedef enum lwField
{
  /// The joint as a whole.
  LW_FIELD_JOINT,
  /// Its name.
  LW_FIELD_NAME,
  /// Its parent.
  LW_FIELD_PARENT,
  /// Its DH parameters, or its origin.
  LW_FIELD_PLACEMENT,
  /// Its axis.
  LW_FIELD_AXIS,
  /// Its limits.
  LW_FIELD_LIMITS,
  /// Its friction.
  LW_FIELD_FRICTION,
  /// Its motor.
  LW_FIELD_MOTOR,
  /// The joint that it follows.
  LW_FIELD_MIMIC,
  /// The link that it carries, as a whole.
  LW_FIELD_LINK,
  /// Mass of the link.
  LW_FIELD_MASS,
  /// Centre of mass of the link.
  LW_FIELD_COM,
  /// Inertia of the link.
  LW_FIELD_INERTIA,
  /// Number of these fields.
  LW_FIELD_COUNT
} lwField;

/// Joint limits; a limit that is not given is infinite.
typedef struct lwLimits
{
  /// Lowest position, rad or m.
  double lower;
  /// Highest position, rad or m.
  double upper;
  /// Highest speed in either direction, rad/s or m/s.
  double velocity;
  /// Largest torque or force in either direction, N m or N.
  double effort;
} lwLimits;

/// Friction at the joint, reported apart from the rigid-body torque.
typedef struct lwFriction
{
  /// Viscous coefficient, N m s/rad or N s/m.
  double viscous;
  /// Coulomb friction, N m or N.
  double coulomb;
} lwFriction;

/// DC motor behind a gear. `given` is false when the description names none; the gear may be known
/// all the same, from a URDF transmission.
typedef struct lwMotor
{
  /// The description names a motor.
  bool given;
  /// Winding resistance, ohm.
  double resistance;
  /// Torque constant, N m/A, which is also the back-EMF constant, V s/rad.
  double torque_constant;
  /// Gear ratio: motor turns per joint turn (rad/m for prismatic joints).
  double gear;
  /// Inertia of the rotor on the motor side of the gear, kg m^2.
  double rotor_inertia;
  /// Winding inductance, H. 0: none.
  double inductance;
  /// Efficiency of the gear, 0 < efficiency <= 1.
  double efficiency;
  /// Voltage limit, V; infinite if not given.
  double voltage;
  /// Current limit, A; infinite if not given.
  double current;
} lwMotor;

/// A joint that follows another one: q = multiplier times q of the leader + offset. It is then no
/// degree of freedom of its own: torques, inertia and accelerations are those of the leader, with
/// what the followers add. A leader may be a follower itself, but not of its own; one that is fixed
/// stands at q = 0.
typedef struct lwMimic
{
  /// The joint follows another one.
  bool given;
  /// Index of the joint that it follows, before or after this one.
  int leader;
  /// Factor of the leader's position.
  double multiplier;
  /// Position while the leader is at 0, rad or m.
  double offset;
} lwMimic;

/// The shapes that links are drawn with.
typedef enum lwShapeKind
{
  /// Box; size: lengths of the three sides.
  LW_SHAPE_BOX,
  /// Cylinder along z; size: radius and length.
  LW_SHAPE_CYLINDER,
  /// Sphere; size: radius.
  LW_SHAPE_SPHERE,
  /// Triangle mesh of a file; size: scale factors along x, y, z.
  LW_SHAPE_MESH
} lwShapeKind;

/// One shape of a link, with the origin in its middle and a cylinder along z. It has no effect on
/// the motion.
typedef struct lwShape
{
  /// What shape it is.
  lwShapeKind kind;
  /// True if it is to be displayed, false if it is for collisions.
  bool visual;
  /// (3) m: three sides; radius and length; radius. Of a mesh the scale factors of x, y, z.
  double size[3];
  /// (3) m, its origin in the frame of the link.
  double xyz[3];
  /// (3) rad, its roll, pitch and yaw in the frame of the link.
  double rpy[3];
  /// The mesh file as written in the description; NULL for other shapes.
  const char* mesh;
} lwShape;

/// Volume and inertia of all shapes of a link together; where they overlap, the overlap counts
/// twice.
typedef struct lwBulk
{
  /// m^3. 0: not known.
  double volume;
  /// (3) m, centroid, link frame.
  double com[3];
  /// (6) m^5, inertia about com for a density of 1 kg/m^3, xx yy zz xy xz yz.
  double inertia[6];
  /// (3) m, lowest corner of the box around them, link frame.
  double low[3];
  /// (3) m, highest corner of that box, link frame.
  double high[3];
} lwBulk;

/// The rigid body that a joint moves.
typedef struct lwLinkDef
{
  /// Its name. NULL: that of the joint.
  const char* name;
  /// Mass, kg.
  double mass;
  /// (3) m, centre of mass from the link's origin, link axes.
  double com[3];
  /// (6) kg m^2, about the centre of mass, link axes, xx yy zz xy xz yz.
  double inertia[6];
  /// Number of shapes.
  int shape_count;
  /// (shape_count) What it looks like, or NULL.
  const lwShape* shapes;
  /// Volume and inertia of the shapes. NULL: not known.
  const lwBulk* bulk;
} lwLinkDef;

/// Where lw_joint_def_lock() has fixed a joint.
typedef struct lwLocked
{
  /// The joint was locked.
  bool given;
  /// It was prismatic.
  bool slides;
  /// The position that it is held at, rad or m.
  double q;
} lwLocked;

/// A joint and the link it carries. Start from lw_joint_def().
typedef struct lwJointDef
{
  /// Its name, which no other joint has.
  const char* name;
  /// Revolute, prismatic or fixed.
  lwJointType type;
  /// Index of the joint whose link carries this one, less than its own index, or LW_BASE.
  int parent;
  /// Which of the following numbers say where it is.
  lwPlacement placement;
  /// DH: link twist, rad.
  double alpha;
  /// DH: link length, m.
  double a;
  /// DH: link offset, m; added to q of a prismatic joint.
  double d;
  /// DH: joint angle, rad; added to q of a revolute joint.
  double theta;
  /// (3) Origin: m, in the frame of the parent link.
  double xyz[3];
  /// (3) Origin: roll, pitch and yaw in the frame of the parent link, rad.
  double rpy[3];
  /// (3) Origin: direction of the axis in the joint's own frame, of any length but 0.
  double axis[3];
  /// Its limits.
  lwLimits limits;
  /// Its friction.
  lwFriction friction;
  /// Its motor.
  lwMotor motor;
  /// The joint that it follows, if any.
  lwMimic mimic;
  /// The link that it carries.
  lwLinkDef link;
  /// Where lw_joint_def_lock() has fixed it, if it has.
  lwLocked locked;
  /// Line of the file that describes it. 0: not known.
  int line;
  /// Set by lw_joint_def(); leave it as it is.
  unsigned cookie;
} lwJointDef;

/// A robot as a person describes it. Start from lw_robot_def().
typedef struct lwRobotDef
{
  /// Its name.
  const char* name;
  /// Where the numbers come from, or NULL.
  const char* origin;
  /// (3) m/s^2, acceleration of gravity in the base frame.
  double gravity[3];
  /// Number of joints, fixed ones included.
  int count;
  /// (count) The joints, parents before children.
  const lwJointDef* joints;
  /// What the first joints stand on. Name NULL: "base".
  lwLinkDef base;
  /// The file, for diagnostics, or NULL.
  const char* file;
  /// The text of that file, for the source lines of diagnostics, or NULL.
  const char* text;
  /// (count, LW_FIELD_COUNT) Where in the file each field of each joint is, or NULL.
  const lwPlace* places;
  /// (LW_FIELD_COUNT) The same for the base, or NULL.
  const lwPlace* base_places;
  /// What a reader left out and why, lines of text, or NULL.
  const char* notes;
  /// Warnings that are known and not reported, or NULL. A line for each: its id (lwMessage.id),
  /// alone or followed by a space and the name of a joint or link.
  const char* accept;
  /// Set by lw_robot_def(); leave it as it is.
  unsigned cookie;
} lwRobotDef;

/// A frame that a link carries: of a tool, a camera, a fingertip. Start from {.joint = i}: the
/// link's own frame.
typedef struct lwFrame
{
  /// Index in the description of the joint whose link carries it, or LW_BASE.
  int joint;
  /// (3) m, its origin in the frame of that link.
  double xyz[3];
  /// (3) rad, its axes in those of the link: Rz(yaw) Ry(pitch) Rx(roll).
  double rpy[3];
} lwFrame;

/// A joint that is to be held at a position.
typedef struct lwHold
{
  /// Name of the joint.
  const char* joint;
  /// Position, rad or m.
  double value;
  /// The value was given as an angle, which a prismatic joint does not accept.
  bool angle;
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

/// How the base is mounted: on a floor, a wall, a ceiling, the Moon. Results stay in the base
/// frame.
typedef struct lwMount
{
  /// (3) Gravity in m/s^2, in place of the robot's own; NULL: its own
  const double* gravity;
  /// (3) Roll, pitch and yaw of the base in the world, rad, Rz(yaw) Ry(pitch) Rx(roll). Gravity is
  /// then meant in the axes of the world and turned into those of the base. NULL: the axes of base
  /// and world agree
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

/// A revolute joint on the base: modified DH, all parameters zero, no limits, massless.
LW_API lwJointDef lw_joint_def(void);

/// A robot without joints; gravity is (0, 0, -9.81) m/s^2.
LW_API lwRobotDef lw_robot_def(void);

/// Makes a moving joint a fixed one, at position q (rad or m); limits, friction and motor are gone.
/// The axis of an LW_PLACEMENT_ORIGIN_AXIS joint must not be zero.
LW_API void lw_joint_def_lock(lwJointDef* joint, double q);

/// Makes a body a rigid part of the link: a payload, a tool. mass in kg; com in m, from the link's
/// origin, link axes; inertia in kg m^2 about the body's own centre of mass, link axes, xx yy zz xy
/// xz yz. If both are massless, the link's centre of mass stays.
LW_API void lw_link_def_add(lwLinkDef* link, double mass, const double com[3],
                            const double inertia[6]);

/// Checks the description, reports everything wrong or doubtful about it in diag, and makes the
/// model if no error was found; *model is NULL otherwise. Everything is copied. options NULL: all
/// zero. diag may be NULL. With options->joints.free the model is that of the robot whose other
/// joints are fixed, and so is its description. LW_ERROR_LOCK: that was asked for with unknown,
/// fixed or doubled names, or a position that cannot be.
LW_API lwStatus lw_model_create(const lwRobotDef* robot, const lwModelOptions* options,
                                lwDiag* diag, lwModel** model);

/// Frees a model. NULL is allowed.
LW_API void lw_model_destroy(lwModel* model);

/// gear^2 rotor_inertia, kg m^2 or kg: what a motor's rotor adds to the inertia that its joint
/// sees; 0 without a motor.
LW_API double lw_motor_rotor(const lwMotor* motor);

/// A serial chain of n revolute joints without any special angle, length or inertia, the first axis
/// vertical: what operation counts and benchmarks are about. The same n gives the same robot on
/// every machine.
LW_API lwStatus lw_model_create_generic(int n, lwModel** model);

/// Number of independent joints: those that move and mimic no other.
LW_API int lw_model_dof(const lwModel* model);

/// Number of all joints, fixed ones included.
LW_API int lw_model_joint_count(const lwModel* model);

/// Name of the robot, never NULL.
LW_API const char* lw_model_name(const lwModel* model);

/// The description that the model was made from. It belongs to the model.
LW_API const lwRobotDef* lw_model_robot(const lwModel* model);

/// Index in the description of independent joint i, 0 <= i < lw_model_dof().
LW_API int lw_model_joint(const lwModel* model, int i);

/// Name of independent joint i, 0 <= i < lw_model_dof(). Never NULL.
LW_API const char* lw_model_joint_name(const lwModel* model, int i);

/// Type of independent joint i: LW_JOINT_REVOLUTE or LW_JOINT_PRISMATIC.
LW_API lwJointType lw_model_joint_type(const lwModel* model, int i);

/// Description of independent joint i: limits, friction, motor, link.
LW_API const lwJointDef* lw_model_joint_def(const lwModel* model, int i);

/// The link of that name, else the base of that name, else the link of the joint of that name;
/// "base" is the base where nothing else is called so. *joint becomes the description's index of
/// the joint that carries it, or LW_BASE. LW_ERROR_FRAME: there is none.
LW_API lwStatus lw_model_find_link(const lwModel* model, const char* name, int* joint);

/// Description's index of the first moving joint that nothing resists, or -1. With one, which takes
/// lwLint.allow_inert, forward dynamics is impossible: its answers are not finite.
LW_API int lw_model_inert(const lwModel* model);

/// The same when the rotors of the motors count, as with lwWorkspaceDef.rotors.
LW_API int lw_model_inert_driven(const lwModel* model);

/// True if every moving joint is carried by the one before it.
LW_API bool lw_model_is_serial(const lwModel* model);

#endif
