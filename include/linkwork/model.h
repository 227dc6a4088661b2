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
  /// What a base that floats moves against, for frames of loops; LW_BASE if the base does not float.
  LW_WORLD = -2,
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
  LW_JOINT_FIXED,
  /// Any rotation about a point; q is a quaternion x y z w,
  /// qd the angular velocity in the axes of the moved link.
  LW_JOINT_BALL,
  /// Any motion; q is the position of the moved frame x y z, then a quaternion x y z w; qd the
  /// linear and then the angular velocity, both in the axes of the moved link; torques are the
  /// force and then the moment at the link's origin, in the same axes.
  LW_JOINT_FLOATING,
  /// Motion in the plane perpendicular to the axis and rotation about it: along the
  /// joint frame's x axis projected into the plane (y where the axis is x), along
  /// the axis times this, and the angle.
  LW_JOINT_PLANAR,
  /// Rotation about an axis and motion along it.
  LW_JOINT_CYLINDRICAL,
  /// Rotation about `axis`, then about `axis2`, which turns with it.
  LW_JOINT_UNIVERSAL,
  /// Rotation about an axis, which moves along it by `pitch` per turn; q in rad.
  LW_JOINT_SCREW,
  /// Number of these types.
  LW_JOINT_TYPE_COUNT
} lwJointType;

/// Number of entries in q and qd of a type of joint.
typedef struct lwJointSize
{
  /// Positions.
  int nq;
  /// Velocities: the degrees of freedom.
  int dof;
} lwJointSize;

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
  /// Largest acceleration in either direction, rad/s^2 or m/s^2.
  double acceleration;
  /// Largest jerk in either direction, rad/s^3 or m/s^3.
  double jerk;
} lwLimits;

/// Friction at the joint, reported separately from the rigid-body torque.
typedef struct lwFriction
{
  /// Viscous coefficient, N m s/rad or N s/m.
  double viscous;
  /// Coulomb friction, N m or N.
  double coulomb;
} lwFriction;

/// DC motor behind a gear. `given` is false if the description names none; the gear may still
/// be known, from a URDF transmission.
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

/// A joint that follows another one: q = multiplier times q of the leader + offset. It has no
/// degree of freedom of its own: torques, inertia and accelerations are those of the leader,
/// including what the followers add. A leader may itself follow another joint, but not in a
/// circle; a fixed leader stands at q = 0.
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

/// One shape of a link, with the origin in its middle and a cylinder along z.
/// It has no effect on the motion.
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
  /// (4) Red, green, blue and opacity, each from 0 to 1. Opacity 0: no colour is given.
  double color[4];
} lwShape;

/// Volume and inertia of all shapes of a link together; where they overlap,
/// the overlap counts twice.
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

/// A frame that a link carries: of a tool, a camera, a fingertip. Start from {.joint = i}:
/// the link's own frame.
typedef struct lwFrame
{
  /// Index in the description of the joint whose link carries it, LW_BASE, or, of a loop, LW_WORLD.
  int joint;
  /// (3) m, its origin in the frame of that link.
  double xyz[3];
  /// (3) rad, its axes in those of the link: Rz(yaw) Ry(pitch) Rx(roll).
  double rpy[3];
} lwFrame;

/// What a loop holds between two frames, or two joints.
typedef enum lwLoopType
{
  /// All six: the second frame stays where the first one is, with the same axes.
  LW_LOOP_FIXED,
  /// Three: the origins of the two frames coincide, as in a ball joint.
  LW_LOOP_POSITION,
  /// Five: the origins and the direction of `axis` in both frames coincide, as in a revolute joint.
  LW_LOOP_HINGE,
  /// Two: the origin of the second frame is on the line through the first origin along `axis`.
  LW_LOOP_LINE,
  /// One: q of the second joint is ratio times q of the first + offset.
  LW_LOOP_GEAR,
  /// The following hold velocities, not positions, of the link of `second` against the base; `first`
  /// is not used, and z is that of the base. One: the origin of the second frame does not move along
  /// `axis`, a direction of the link: the edge of a skate.
  LW_LOOP_SKATE,
  /// One: of a wheel of `radius` about `axis` through the second origin, the lowest point does not
  /// slip along the heading, axis x z.
  LW_LOOP_WHEEL,
  /// Two: nor across it, in the plane of x and y: a disc that rolls on the plane z = 0 at any lean.
  LW_LOOP_DISC,
  /// Three: the origin of the second frame does not move: a foot that stands.
  LW_LOOP_CONTACT,
  /// Number of these types.
  LW_LOOP_TYPE_COUNT
} lwLoopType;

/// Two links that are held together in addition to the tree of joints, which closes a loop. Start
/// from {0}, and set an axis if the type has one.
typedef struct lwLoopDef
{
  /// Its name, which no other loop has.
  const char* name;
  /// What it holds.
  lwLoopType type;
  /// The frame on one link, or on LW_WORLD. Of a gear, joint is the joint itself.
  lwFrame first;
  /// The frame on another link, or the other joint.
  lwFrame second;
  /// (3) Hinge and line: direction in the axes of each frame, of any length but 0. Skate: direction
  /// along which the point does not move; wheel and disc: of the axle; in the axes of `second`.
  double axis[3];
  /// Wheel and disc, m.
  double radius;
  /// Gear: q of the second joint per q of the first, not 0.
  double ratio;
  /// Gear: q of the second joint while that of the first is 0, rad or m.
  double offset;
  /// Where the file has it; {0, 0}: not known.
  lwPlace place;
} lwLoopDef;

/// A joint and the link it carries. Start from lw_joint_def().
typedef struct lwJointDef
{
  /// Its name, which no other joint has.
  const char* name;
  /// What it allows. Only joints with one freedom have limits, friction, a motor or mimic others,
  /// and only those are placed by DH parameters.
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
  /// (3) Origin: direction of the axis in the joint's own frame, of any length but 0. Ball and
  /// floating joints have none.
  double axis[3];
  /// (3) Second axis of a universal joint, not parallel to the first.
  double axis2[3];
  /// Motion of a screw along its axis per turn, m; negative: left-handed.
  double pitch;
  /// Its limits.
  lwLimits limits;
  /// Its friction.
  lwFriction friction;
  /// Inertia that the joint itself adds where rotors count, kg m^2 or kg: of a drive that is not
  /// described as a motor.
  double armature;
  /// Its motor.
  lwMotor motor;
  /// The joint that it follows, if any.
  lwMimic mimic;
  /// The link that it carries.
  lwLinkDef link;
  /// Where lw_joint_def_lock() has fixed it, if it has.
  lwLocked locked;
  /// No drive moves it: a loop does. Ignored in a robot without loops.
  bool passive;
  /// (7) The position near which loops are closed: as many entries of q as the type has. A
  /// quaternion of zeros means no rotation.
  double start[7];
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
  /// Number of loops.
  int loop_count;
  /// (loop_count) The loops, or NULL.
  const lwLoopDef* loops;
  /// The base floats: a model gets a first joint "base", floating, whose link is `base`.
  bool floating_base;
  /// (7) lwJointDef.start of that joint.
  double base_start[7];
  /// The file, for diagnostics, or NULL.
  const char* file;
  /// The text of that file, for the source lines of diagnostics, or NULL.
  const char* text;
  /// (count, LW_FIELD_COUNT) Where in the file each field of each joint is, or NULL.
  const lwPlace* places;
  /// (LW_FIELD_COUNT) Where in the file each field of the base is, or NULL.
  const lwPlace* base_places;
  /// What a reader left out and why, lines of text, or NULL.
  const char* notes;
  /// Warnings that are known and not reported, or NULL. A line for each: its id (lwMessage.id),
  /// alone or followed by a space and the name of a joint or link.
  const char* accept;
  /// Set by lw_robot_def(); leave it as it is.
  unsigned cookie;
} lwRobotDef;

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

/// How strictly a description is checked. The default is all false.
typedef struct lwLint
{
  /// Every warning is an error.
  bool strict;
  /// Also reports what is merely unusual; readers look for mesh files and read them.
  bool pedantic;
  /// An inertia that is not positive semidefinite is a warning instead of an error.
  bool allow_bad_inertia;
  /// A moving joint without inertia is a warning instead of an error.
  bool allow_inert;
  /// Further warnings that are known and not reported, besides those that the file
  /// accepts, or NULL; as lwRobotDef.accept.
  const char* accept;
} lwLint;

/// The id of a warning that can be accepted, by number from 0; NULL after the last one.
LW_API const char* lw_warning_id(int index);

/// Which joints move. All zero: every joint of the description, mimic joints with their leaders.
typedef struct lwJointChoice
{
  /// (free_count) Names of the joints that stay free while all others are held. NULL: all are free.
  const char* const* free;
  /// Number of names in `free`.
  int free_count;
  /// (hold_count) Where joints are held; those not named are held at zero. Refused without `free`.
  const lwHold* holds;
  /// Number of entries in `holds`.
  int hold_count;
  /// Joints that mimic others move by themselves.
  bool free_mimics;
} lwJointChoice;

/// What a file reader fills in or changes. lw_model_create() ignores it.
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

/// How the base is mounted: on a floor, a wall, a ceiling, the Moon.
/// Results stay in the base frame.
typedef struct lwMount
{
  /// (3) Gravity in m/s^2, in place of the robot's own; NULL: its own
  const double* gravity;
  /// (3) Roll, pitch and yaw of the base in the world, rad, Rz(yaw) Ry(pitch) Rx(roll).
  /// Gravity is then meant in the axes of the world and turned into those of the base. NULL:
  /// the axes of base and world agree
  const double* base_rpy;
  /// The base is not mounted at all: as lwRobotDef.floating_base
  bool floating;
  /// The base stands still, even where the description has it float
  bool fixed;
} lwMount;

/// How a model is made from a description or a file. The default is all zero.
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

/// Makes a moving joint a fixed one, at position q (rad or m), and
/// drops its limits, friction and motor.
/// The axis of an LW_PLACEMENT_ORIGIN_AXIS joint must not be zero.
LW_API void lw_joint_def_lock(lwJointDef* joint, double q);

/// Makes a body a rigid part of the link: a payload, a tool. mass in kg; com in m, from the link's
/// origin, link axes; inertia in kg m^2 about the body's own centre of mass, link axes, xx yy zz xy
/// xz yz. If both are massless, the link's centre of mass stays.
LW_API void lw_link_def_add(lwLinkDef* link, double mass, const double com[3],
                            const double inertia[6]);

/// Checks the description, reports everything wrong or doubtful in diag, and makes the
/// model if there is no error; *model is NULL otherwise. Everything is copied. options
/// NULL: all zero. diag may be NULL. With options->joints.free, the other joints are fixed
/// in the model and in its description; LW_ERROR_LOCK if that names unknown, fixed or
/// repeated joints, or impossible positions.
LW_API lwStatus lw_model_create(const lwRobotDef* robot, const lwModelOptions* options,
                                lwDiag* diag, lwModel** model);

/// Frees a model. NULL is allowed.
LW_API void lw_model_destroy(lwModel* model);

/// Armature plus gear^2 rotor_inertia of the motor, if there is one, kg m^2 or kg: what rotors add
/// to the inertia that the joint sees.
LW_API double lw_joint_rotor(const lwJointDef* joint);

/// A serial chain of n revolute joints without any special angle, length or inertia, the first axis
/// vertical, for operation counts and benchmarks. The same n gives the same robot on every machine.
LW_API lwStatus lw_model_create_generic(int n, lwModel** model);

/// Number of degrees of freedom: entries of qd, qdd and tau. Each independent joint, one that moves
/// and mimics no other, has one or more.
LW_API int lw_model_dof(const lwModel* model);

/// Number of positions: entries of q. Equal to lw_model_dof() for robots without ball and floating
/// joints, which have a quaternion.
LW_API int lw_model_nq(const lwModel* model);

/// Positions and velocities of a type of joint; 0 and 0 if there is no such type.
LW_API lwJointSize lw_joint_size(lwJointType type);

/// The word for a type of joint: "revolute", "ball", ... NULL if there is no such type.
LW_API const char* lw_joint_word(lwJointType type);

/// Number of all joints, fixed ones included.
LW_API int lw_model_joint_count(const lwModel* model);

/// Name of the robot, never NULL.
LW_API const char* lw_model_name(const lwModel* model);

/// The description that the model was made from. It belongs to the model.
LW_API const lwRobotDef* lw_model_robot(const lwModel* model);

/// Index in the description of the joint that has degree of freedom i, 0 <= i < lw_model_dof().
LW_API int lw_model_joint(const lwModel* model, int i);

/// Name of that joint, never NULL; the same for all freedoms of a joint.
LW_API const char* lw_model_joint_name(const lwModel* model, int i);

/// Type of that joint, any but LW_JOINT_FIXED.
LW_API lwJointType lw_model_joint_type(const lwModel* model, int i);

/// Description of that joint: limits, friction, motor, link.
LW_API const lwJointDef* lw_model_joint_def(const lwModel* model, int i);

/// One entry of q, qd or tau.
typedef struct lwCoordinate
{
  /// Index in the description of its joint.
  int joint;
  /// Which of the joint's entries it is, from 0.
  int part;
  /// The part of its column's name after the dot: the name of a joint with one freedom, as in
  /// q.elbow; for joints with several, joint and entry, as in base.x, base.vx or base.fx.
  const char* name;
  /// A length: in m, m/s or N. Otherwise an angle, in rad, rad/s or N m,
  /// or an entry of a quaternion.
  bool slides;
  /// An entry of a quaternion, without unit.
  bool quaternion;
  /// For a velocity its index in q, for a position its index in qd; -1 if no single entry
  /// corresponds to it.
  int other;
} lwCoordinate;

/// Entry i of q, 0 <= i < lw_model_nq(). The text belongs to the model.
LW_API lwCoordinate lw_model_position(const lwModel* model, int i);

/// Entry i of qd and qdd, 0 <= i < lw_model_dof().
LW_API lwCoordinate lw_model_velocity(const lwModel* model, int i);

/// Entry i of tau, 0 <= i < lw_model_dof().
LW_API lwCoordinate lw_model_effort(const lwModel* model, int i);

/// The position at zero: all entries 0 but the last of each quaternion, which is 1.
LW_API void lw_model_neutral(const lwModel* model, double* q);

/// Checks positions: all finite, quaternions within 1e-6 of length 1. LW_ERROR_INPUT, and in diag
/// (or NULL) which is wrong. Answers do not check: they take the direction of a quaternion.
LW_API lwStatus lw_model_check_positions(const lwModel* model, const double* q, lwDiag* diag);

/// Makes every quaternion of q one of length 1. This changes no rotation.
LW_API void lw_model_normalize(const lwModel* model, double* q);

/// qdot (nq), the time derivative of q (nq) at the velocity qd (dof): qd itself where the joint has
/// one freedom; R v for positions of floating joints; 1/2 q * (w, 0) for quaternions.
LW_API void lw_model_rates(const lwModel* model, const double* q, const double* qd, double* qdot);

/// The inverse of lw_model_rates(): qd (dof) from qdot (nq). The part of a quaternion's rate along
/// the quaternion is ignored.
LW_API void lw_model_velocities(const lwModel* model, const double* q, const double* qdot,
                                double* qd);

/// out (nq), which may be q itself: the position that the step v (dof) leads to from q (nq). Joints
/// with one freedom add v; positions of floating joints move by R v, and rotations by the rotation
/// vector w in axes of the link. For small steps v = qd dt.
LW_API void lw_model_integrate(const lwModel* model, const double* q, const double* v, double* out);

/// The step v (dof) from q0 to q1: lw_model_integrate(q0, v) is q1. Rotations go the shorter way.
LW_API void lw_model_difference(const lwModel* model, const double* q0, const double* q1,
                                double* v);

/// The link of that name, else the base of that name, else the link of the joint of that name;
/// "base" is the base unless something else has that name. *joint becomes the description's index
/// of the joint that carries it, or LW_BASE. LW_ERROR_FRAME: there is none.
LW_API lwStatus lw_model_find_link(const lwModel* model, const char* name, int* joint);

/// Description's index of the first moving joint without inertia, or -1. If there is one (only with
/// lwLint.allow_inert), forward dynamics is impossible: its answers are not finite.
LW_API int lw_model_inert(const lwModel* model);

/// As lw_model_inert(), with the rotors of the motors included, as with lwWorkspaceDef.rotors.
LW_API int lw_model_inert_driven(const lwModel* model);

/// True if every moving joint is carried by the one before it.
LW_API bool lw_model_is_serial(const lwModel* model);

#endif
