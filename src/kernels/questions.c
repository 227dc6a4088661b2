// SPDX-License-Identifier: MIT
// The table of questions: what each reads and answers, and its units.
#include "kernels/questions.h"

#include <string.h>

#include "kernels/method_list.h"
#include "model/loops.h"
#include "model/model_internal.h"

// --- names and units of quantities

static const char* const ENERGIES[]   = {"kinetic", "potential"};
static const char* const GIBBS[]      = {"gibbs"};
static const char* const POSITION[]   = {"x", "y", "z"};
static const char* const ROTATION[]   = {"r11", "r12", "r13", "r21", "r22",
                                         "r23", "r31", "r32", "r33"};
static const char* const RPY[]        = {"roll", "pitch", "yaw"};
static const char* const QUATERNION[] = {"qx", "qy", "qz", "qw"};
static const char* const CENTRE[]     = {"cx", "cy", "cz"};
static const char* const MOMENTUM[]   = {"px", "py", "pz", "kx", "ky", "kz"};
static const char* const FORCE[]      = {"pdx", "pdy", "pdz", "kdx", "kdy", "kdz"};
static const char* const VELOCITY[]   = {"vx", "vy", "vz", "wx", "wy", "wz"};
static const char* const RATE[]       = {"ax", "ay", "az", "wdx", "wdy", "wdz"};
static const char* const POSE[]       = {"x",   "y",   "z",   "r11", "r12", "r13",
                                         "r21", "r22", "r23", "r31", "r32", "r33"};
static const char* const REACTION[]   = {"rfx", "rfy", "rfz", "rnx", "rny", "rnz"};
static const char* const PARAMETER[]  = {"m", "mx", "my", "mz", "xx", "yy", "zz", "xy", "xz", "yz"};

static const char* const TORQUE[]       = {"N m", "N"};
static const char* const ACCELERATION[] = {"rad/s^2", "m/s^2"};
static const char* const INERTIA[]      = {"kg m^2", "kg m", "kg m", "kg"};
static const char* const INVERSE[]      = {"1/(kg m^2)", "1/(kg m)", "1/(kg m)", "1/kg"};
static const char* const CORIOLIS[]     = {"kg m^2/s", "kg m/s", "kg m/s", "kg/s"};
static const char* const TAU_BY_Q[]     = {"N m/rad", "N", "N/rad", "N/m"};
static const char* const TAU_BY_QD[]    = {"N m s/rad", "N s", "N s/rad", "N s/m"};
static const char* const QDD_BY_Q[]     = {"1/s^2", "rad/(m s^2)", "m/(rad s^2)", "1/s^2"};
static const char* const QDD_BY_QD[]    = {"1/s", "rad/(m s)", "m/(rad s)", "1/s"};
static const char* const LINEAR[]       = {"m", "1"};
static const char* const ANGULAR[]      = {"1", "m"};
static const char* const WRENCH[]       = {"N", "N", "N", "N m", "N m", "N m"};
static const char* const PLACE[] = {"m", "m", "m", "1", "1", "1", "1", "1", "1", "1", "1", "1"};
static const char* const SPEED[] = {"m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};
static const char* const SPEED_RATE[] = {"m/s^2",   "m/s^2",   "m/s^2",
                                         "rad/s^2", "rad/s^2", "rad/s^2"};
static const char* const PER_UNIT[]   = {
      "m^2/s^2", "m/s^2", "m/s^2", "1/s^2", "m/s^2", "1/s^2", "m/s^2", "1/s^2", "1/s^2", "1",
      "1/s^2",   "1",     "1/s^2", "1",     "1/s^2", "1",     "1/s^2", "1",     "1/s^2", "1"};

#define BETWEEN_JOINTS                                                                             \
  "kg m^2 between revolute joints, kg between prismatic ones, kg m between one of each"

#define PUMA "robots/puma560.yaml --q 0,0.1,0,0,0,0"

// --- automatic methods

// From this many joints on a method is faster than composite bodies, measured on generic chains:
// `linkwork bench --crossover`, and `linkwork bench --question inertia --dof 16,20,24,28`.
enum
{
  GROUPED_FROM      = 2,  // faster than newton-euler
  ARTICULATED_FROM  = 2,
  COMMON_FRAME_FROM = 24
};

// Trees keep composite bodies: the common frame is as accurate for one branch only.
static const char* auto_inertia(const lwModel* model)
{
  bool common = model->chain && model->n >= COMMON_FRAME_FROM && model->wide_count == 0;
  return common ? "common-frame" : "composite-body";
}

static const char* auto_inverse(const lwModel* model)
{
  return model->n < GROUPED_FROM ? "newton-euler" : "newton-euler-grouped";
}

// Articulated bodies cannot couple mimic joints and screws.
static const char* auto_forward(const lwModel* model)
{
  bool whole = model->coupled || model->n < ARTICULATED_FROM;
  return whole ? auto_inertia(model) : "articulated-body";
}

// Forward derivatives have the same inverse.
static const char* auto_inertia_inverse(const lwModel* model)
{
  return model->n < LW_PANELS_FROM ? "composite-body" : "articulated-body";
}

// It has a kernel of its own for a robot at rest.
static const char* auto_gravity(const lwModel* model)
{
  (void)model;
  return "newton-euler";
}

// --- quantities: symbol, shape, count, names, units, meaning, label, by, is_motion, is_form

#define NUMBERS(count, names, unit, about, ...)                                                    \
  {                                                                                                \
    "", LW_QUANTITY_SHAPE_NUMBERS, count, names, (const char* const[]){unit}, .meaning = about,    \
                                                                              __VA_ARGS__          \
  }
#define VECTOR(symbol, units, about, ...)                                                          \
  {                                                                                                \
    symbol, LW_QUANTITY_SHAPE_VECTOR, 0, NULL, units, .meaning = about, __VA_ARGS__                \
  }
#define SQUARE(symbol, units, about, ...)                                                          \
  {                                                                                                \
    symbol, LW_QUANTITY_SHAPE_SQUARE, 0, NULL, units, .meaning = about, __VA_ARGS__                \
  }

static const lwQuantity tau[] = {VECTOR("tau", TORQUE, "torque or force of each joint", NULL), {0}};
static const lwQuantity qdd[] = {
    VECTOR("qdd", ACCELERATION, "acceleration of each joint", .is_motion = true), {0}};
static const lwQuantity M[] = {SQUARE("M", INERTIA, "inertia matrix", BETWEEN_JOINTS), {0}};
static const lwQuantity b[] = {VECTOR("b", TORQUE, "torques of velocity and gravity", NULL), {0}};
static const lwQuantity g[] = {VECTOR("g", TORQUE, "torques that hold the arm at rest", NULL), {0}};
static const lwQuantity c[] = {VECTOR("c", TORQUE, "torques of velocity alone", NULL), {0}};
static const lwQuantity energy[] = {NUMBERS(2, ENERGIES, "J", "kinetic and potential energy", NULL),
                                    {0}};
static const lwQuantity pose[]   = {
      NUMBERS(3, POSITION, "m", "origin of the frame", "position x y z"),
      NUMBERS(9, ROTATION, "1", "axes of the frame, row by row", "rotation"),
      NUMBERS(3, RPY, "rad", "rotation as Rz(yaw) Ry(pitch) Rx(roll)", "roll pitch yaw",
              .is_form = true),
      NUMBERS(4, QUATERNION, "1", "rotation as a quaternion", "quaternion x y z w", .is_form = true),
      {0}};
static const lwQuantity J[]         = {{"J", LW_QUANTITY_SHAPE_ROWS, 3, VELOCITY, LINEAR,
                                        .meaning = "velocity of the frame's origin", .is_motion = true},
                                       {"J", LW_QUANTITY_SHAPE_ROWS, 3, VELOCITY + 3, ANGULAR,
                                        .meaning = "angular velocity of the frame", .is_motion = true},
                                       {0}};
static const lwQuantity reactions[] = {
    {"", LW_QUANTITY_SHAPE_JOINTS, 6, REACTION, WRENCH, .meaning = "force and moment on each link"},
    {0}};
static const lwQuantity gibbs[] = {
    NUMBERS(1, GIBBS, "J/s^2", "Gibbs' function", NULL),
    SQUARE("H", INERTIA, "its Hessian in the accelerations",
           "Hessian with respect to the accelerations: " BETWEEN_JOINTS),
    {0}};
static const lwQuantity dtau[] = {
    SQUARE("dtau", TAU_BY_Q, "d tau/dq", "by the position of", "q"),
    SQUARE("dtau", TAU_BY_QD, "d tau/dqd", "by the velocity of", "qd"),
    {0}};
static const lwQuantity dqdd[] = {
    SQUARE("dqdd", QDD_BY_Q, "d qdd/dq", "by the position of", "q", true),
    SQUARE("dqdd", QDD_BY_QD, "d qdd/dqd", "by the velocity of", "qd", true),
    SQUARE("dqdd", INVERSE, "d qdd/d tau", "by the torque of", "tau", true),
    {0}};
static const lwQuantity W[] = {SQUARE("W", INVERSE, "inverse of the inertia matrix", NULL), {0}};
static const lwQuantity C[] = {SQUARE("C", CORIOLIS, "Coriolis matrix", NULL), {0}};
static const lwQuantity centroid[] = {
    NUMBERS(3, CENTRE, "m", "centre of mass of all links", NULL),
    NUMBERS(3, MOMENTUM, "kg m/s", "momentum", NULL),
    NUMBERS(3, MOMENTUM + 3, "kg m^2/s", "angular momentum about the centre of mass", NULL),
    NUMBERS(3, FORCE, "N", "rate of the momentum", NULL),
    NUMBERS(3, FORCE + 3, "N m", "rate of the angular momentum", NULL),
    {0}};
static const lwQuantity rate[] = {
    NUMBERS(3, VELOCITY, "m/s", "velocity of the frame's origin", NULL),
    NUMBERS(3, VELOCITY + 3, "rad/s", "angular velocity of the frame", NULL),
    NUMBERS(3, RATE, "m/s^2", "acceleration that velocities cause", NULL),
    NUMBERS(3, RATE + 3, "rad/s^2", "angular acceleration that velocities cause", NULL),
    {0}};
#define LINKS(count, names, units, about)                                                          \
  {                                                                                                \
    "", LW_QUANTITY_SHAPE_LINKS, count, names, units, .meaning = about                             \
  }
static const lwQuantity poses[] = {
    LINKS(12, POSE, PLACE, "origin and axes of each link, m, in the base frame"), {0}};
static const lwQuantity velocities[] = {
    LINKS(6, VELOCITY, SPEED, "velocity of each link, v m/s, w rad/s, in the base frame"), {0}};
static const lwQuantity accelerations[] = {
    LINKS(6, RATE, SPEED_RATE, "acceleration of each link, a m/s^2, wd rad/s^2, in the base frame"),
    {0}};
static const lwQuantity control[] = {
    VECTOR("b", TORQUE, "torques of velocity and gravity", NULL),
    VECTOR("g", TORQUE, "torques that hold the arm at rest", NULL),
    NUMBERS(3, RATE, "m/s^2", "acceleration that velocities cause", NULL),
    NUMBERS(3, RATE + 3, "rad/s^2", "angular acceleration that velocities cause", NULL),
    NUMBERS(3, POSITION, "m", "origin of the frame", NULL),
    NUMBERS(9, ROTATION, "1", "axes of the frame, row by row", NULL),
    {"J", LW_QUANTITY_SHAPE_ROWS, 3, VELOCITY, LINEAR, .meaning = "velocity of the frame's origin",
     .is_motion = true},
    {"J", LW_QUANTITY_SHAPE_ROWS, 3, VELOCITY + 3, ANGULAR,
     .meaning = "angular velocity of the frame", .is_motion = true},
    SQUARE("M", INERTIA, "inertia matrix", BETWEEN_JOINTS),
    {0}};
static const lwQuantity Y[] = {{"Y", LW_QUANTITY_SHAPE_PARAMETERS, 10, PARAMETER, PER_UNIT,
                                .meaning = "torque of each joint per unit of each parameter"},
                               {0}};

// --- questions: name, symbol, inputs, takes, chooses, methods, summary, answer, formula, example,
// quantities; then how it is answered

enum
{
  STATE  = LW_INPUT_Q | LW_INPUT_QD,
  MOTION = STATE | LW_INPUT_QDD,
  FORCED = MOTION | LW_INPUT_WRENCH,
  DRIVEN = STATE | LW_INPUT_TAU | LW_INPUT_WRENCH
};

static const lwQuestionRow rows[LW_QUESTION_COUNT + 1] = {
    [LW_QUESTION_INVERSE]  = {{"inverse", "tau", FORCED, LW_TAKES_CLOSING, 0, LW_QUESTION_INVERSE,
                               "joint torques for a motion: inverse dynamics (RNEA)",
                               "torques or forces, N m or N",
                               "tau = M(q) qdd + C(q, qd) qd + g(q) - J^T w",
                               "linkwork inverse " PUMA " --qdd 1,0,0,0,0,0", tau},
                              .automatic = auto_inverse},
    [LW_QUESTION_FORWARD]  = {{"forward", "qdd", DRIVEN, LW_TAKES_CLOSING,
                               LW_CHOOSES_ROTORS | LW_CHOOSES_REFINEMENT, LW_QUESTION_FORWARD,
                               "joint accelerations from torques: forward dynamics (ABA)",
                               "accelerations, rad/s^2 or m/s^2",
                               "M(q) qdd = tau - C(q, qd) qd - g(q) + J^T w",
                               "linkwork forward " PUMA " --tau 1,0,0,0,0,0", qdd},
                              .automatic = auto_forward},
    [LW_QUESTION_INERTIA]  = {{"inertia", "M", LW_INPUT_Q, LW_TAKES_CLOSING, 0, LW_QUESTION_INERTIA,
                               "the joint-space inertia matrix (CRBA)",
                               "the inertia matrix, kg m^2, kg m or kg", NULL,
                               "linkwork inertia " PUMA, M},
                              .automatic = auto_inertia},
    [LW_QUESTION_BIAS]     = {{"bias", "b", STATE, LW_TAKES_CLOSING, 0, LW_QUESTION_INVERSE,
                               "velocity and gravity torques, C qd + g",
                               "torques of velocity and gravity, N m or N",
                               "C(q, qd) qd + g(q), without a wrench",
                               "linkwork bias " PUMA " --qd 1,0,0,0,0,0", b},
                              .automatic = auto_inverse},
    [LW_QUESTION_GRAVITY]  = {{"gravity", "g", LW_INPUT_Q, LW_TAKES_CLOSING, 0, LW_QUESTION_INVERSE,
                               "torques that hold the arm at rest",
                               "torques that hold the arm at rest, N m or N", "g(q)",
                               "linkwork gravity " PUMA, g},
                              .automatic = auto_gravity,
                              .kernel    = LW_KERNEL_gravity,
                              .replaced  = "newton-euler"},
    [LW_QUESTION_CORIOLIS] = {{"coriolis", "c", STATE, LW_TAKES_CLOSING, 0, LW_QUESTION_INVERSE,
                               "velocity torques, C qd", "torques of velocity alone, N m or N",
                               "C(q, qd) qd", "linkwork coriolis " PUMA " --qd 1,0,0,0,0,0", c},
                              .automatic  = auto_inverse,
                              .weightless = true},
    [LW_QUESTION_ENERGY]   = {{"energy", "energy", STATE, LW_TAKES_LOOPS, 0, LW_QUESTION_ENERGY,
                               "kinetic and potential energy", "kinetic and potential energy, J",
                               "the potential is zero at the origin of the base frame",
                               "linkwork energy " PUMA " --qd 1,0,0,0,0,0", energy},
                              .kernel = LW_KERNEL_energy},
    [LW_QUESTION_POSE] =
        {{"pose", "pose", LW_INPUT_Q, LW_TAKES_LOOPS, LW_CHOOSES_FRAME, LW_QUESTION_POSE,
          "position and orientation of the last link, or of another frame",
          "of the last link in the base frame: x y z, m, then its rotation row by row", NULL,
          "linkwork pose " PUMA, pose},
         .kernel = LW_KERNEL_pose},
    [LW_QUESTION_JACOBIAN] =
        {{"jacobian", "J", LW_INPUT_Q, LW_TAKES_CLOSING, LW_CHOOSES_FRAME, LW_QUESTION_JACOBIAN,
          "velocity of the last link, or of another frame, from joint velocities",
          "Jacobian of the last link in the base frame: velocity of its origin, then angular "
          "velocity",
          "J qd is the velocity (m/s) and the angular velocity (rad/s)", "linkwork jacobian " PUMA,
          J},
         .kernel = LW_KERNEL_jacobian},
    [LW_QUESTION_REACTIONS] =
        {{"reactions", "wrenches", FORCED, LW_TAKES_CLOSING, LW_CHOOSES_AXES, LW_QUESTION_REACTIONS,
          "force and moment that every joint transmits",
          "force and moment that each joint of the description transmits, in the frame of its "
          "link, N, N m",
          NULL, "linkwork reactions " PUMA " --qdd 1,0,0,0,0,0", reactions},
         .kernel = LW_KERNEL_reactions},
    [LW_QUESTION_GIBBS] =
        {{"gibbs", "gibbs", MOTION, LW_TAKES_CLOSING, 0, LW_QUESTION_GIBBS,
          "Gibbs function of a motion, and its Hessian with respect to accelerations",
          "Gibbs' function, J/s^2, then its Hessian in the accelerations row by row", NULL,
          "linkwork gibbs " PUMA " --qdd 1,0,0,0,0,0", gibbs},
         .kernel = LW_KERNEL_gibbs},
    [LW_QUESTION_INVERSE_DERIVATIVES] =
        {{"inverse-derivatives", "dtau", FORCED, LW_TAKES_CLOSING, 0,
          LW_QUESTION_INVERSE_DERIVATIVES,
          "derivatives of torques with respect to positions and velocities",
          "d tau/dq, then d tau/dqd", NULL,
          "linkwork inverse-derivatives " PUMA " --qd 1,0,0,0,0,0", dtau},
         .kernel = 0},
    [LW_QUESTION_FORWARD_DERIVATIVES] =
        {{"forward-derivatives", "dqdd", DRIVEN, LW_TAKES_CLOSING, LW_CHOOSES_ROTORS,
          LW_QUESTION_FORWARD_DERIVATIVES,
          "derivatives of accelerations with respect to positions, velocities, torques",
          "d qdd/dq, d qdd/dqd, d qdd/d tau", NULL,
          "linkwork forward-derivatives " PUMA " --tau 1,0,0,0,0,0", dqdd},
         .kernel = 0},
    [LW_QUESTION_INERTIA_INVERSE] = {{"inertia-inverse", "W", LW_INPUT_Q, LW_TAKES_CLOSING,
                                      LW_CHOOSES_ROTORS, LW_QUESTION_INERTIA_INVERSE,
                                      "the inverse of the inertia matrix",
                                      "the inverse of the inertia matrix", NULL,
                                      "linkwork inertia-inverse " PUMA, W},
                                     .automatic = auto_inertia_inverse},
    [LW_QUESTION_CORIOLIS_MATRIX] = {{"coriolis-matrix", "C", STATE, LW_TAKES_CLOSING, 0,
                                      LW_QUESTION_CORIOLIS_MATRIX,
                                      "the Coriolis matrix, from Christoffel symbols",
                                      "the Coriolis matrix of Christoffel's symbols",
                                      "C qd is coriolis(q, qd), and dM/dt - 2 C is antisymmetric",
                                      "linkwork coriolis-matrix " PUMA " --qd 1,0,0,0,0,0", C},
                                     .kernel = LW_KERNEL_coriolis_matrix},
    [LW_QUESTION_CENTROIDAL] =
        {{"centroidal", "centroid", MOTION, LW_TAKES_CLOSING, 0, LW_QUESTION_CENTROIDAL,
          "centre of mass, momentum about it and its rate",
          "centre of mass, momentum about it and its rate, in the base frame", NULL,
          "linkwork centroidal " PUMA " --qd 1,0,0,0,0,0", centroid},
         .kernel = LW_KERNEL_centroidal},
    [LW_QUESTION_JACOBIAN_RATE] = {{"jacobian-rate", "rate", STATE, LW_TAKES_CLOSING,
                                    LW_CHOOSES_FRAME, LW_QUESTION_JACOBIAN_RATE,
                                    "velocity of the last link, or of another frame, and dJ/dt qd",
                                    "velocity of the last link, linear and angular, then dJ/dt qd",
                                    NULL, "linkwork jacobian-rate " PUMA " --qd 1,0,0,0,0,0", rate},
                                   .kernel = LW_KERNEL_jacobian_rate},
    [LW_QUESTION_REGRESSOR]     = {{"regressor", "Y", MOTION, LW_TAKES_CLOSING, LW_CHOOSES_TERMS,
                                    LW_QUESTION_REGRESSOR,
                                    "torques as a linear function of the links' mass parameters",
                                    "tau = Y pi; m, mx my mz, xx yy zz xy xz yz of each link", NULL,
                                    "linkwork regressor " PUMA " --qdd 1,0,0,0,0,0", Y},
                                   .kernel = LW_KERNEL_regressor},
    [LW_QUESTION_POSES] =
        {{"poses", "poses", LW_INPUT_Q, LW_TAKES_LOOPS, 0, LW_QUESTION_POSES,
          "position and orientation of every link",
          "of the link of each joint of the description, in the base frame: x y z, m, then its "
          "rotation row by row",
          NULL, "linkwork poses " PUMA, poses},
         .kernel = LW_KERNEL_poses},
    [LW_QUESTION_VELOCITIES] =
        {{"velocities", "velocities", STATE, LW_TAKES_CLOSING, 0, LW_QUESTION_VELOCITIES,
          "velocity and angular velocity of every link",
          "of the link of each joint of the description, in the base frame: velocity of its "
          "origin, m/s, angular velocity, rad/s",
          NULL, "linkwork velocities " PUMA " --qd 1,0,0,0,0,0", velocities},
         .kernel = LW_KERNEL_velocities},
    [LW_QUESTION_ACCELERATIONS] =
        {{"accelerations", "accelerations", MOTION, LW_TAKES_CLOSING, 0, LW_QUESTION_ACCELERATIONS,
          "acceleration and angular acceleration of every link",
          "of the link of each joint of the description, in the base frame: acceleration of its "
          "origin, m/s^2, angular acceleration, rad/s^2",
          NULL, "linkwork accelerations " PUMA " --qdd 1,0,0,0,0,0", accelerations},
         .kernel = LW_KERNEL_accelerations},
    [LW_QUESTION_CONTROL] =
        {{"control", "control", STATE, LW_TAKES_CLOSING, LW_CHOOSES_FRAME, LW_QUESTION_CONTROL,
          "inertia matrix, torques, and Jacobian of a tool, from one pass",
          "bias, gravity torques, dJ/dt qd, pose (x y z, rotation) and Jacobian of the last link, "
          "inertia matrix; as each by its own question",
          "M qdd + b = tau and J qdd + dJ/dt qd = the acceleration of the frame",
          "linkwork control " PUMA " --qd 1,0,0,0,0,0", control},
         .kernel = LW_KERNEL_control},
    [LW_QUESTION_SNAKE] = {{"snake", "udot", 0, 0, 0, LW_QUESTION_SNAKE,
                            "accelerations of a snake on wheels",
                            "accelerations, m/s^2 and rad/s^2", NULL, NULL,
                            (const lwQuantity[]){{0}}},
                           .kernel = 0},
};

const lwQuestionRow* lw_question_row(lwQuestion question)
{
  return &rows[question];
}

const lwQuestionInfo* lw_question_info(lwQuestion question)
{
  return &rows[question].info;
}

lwStatus lw_question_check(const lwModel* model, lwQuestion question, bool open_tree, lwDiag* diag)
{
  const lwQuestionInfo* info = &rows[question].info;
  return info->takes & LW_TAKES_LOOPS || open_tree ? LW_OK : lw_tree_check(model, info->name, diag);
}

bool lw_question_has_methods(lwQuestion question)
{
  return !rows[question].kernel || rows[question].replaced ||
         rows[question].kernel < LW_METHOD_COUNT;
}

// --- quantities

const lwQuantity* lw_quantity_next(lwQuestion question, const lwQuantity* quantity)
{
  quantity = quantity ? quantity + 1 : rows[question].info.quantities;
  while (quantity->symbol && quantity->is_form) ++quantity;
  return quantity->symbol ? quantity : NULL;
}

int lw_quantity_columns(const lwModel* model, int joints, const lwQuantity* quantity)
{
  bool by_position = quantity->by && strcmp(quantity->by, "q") == 0;
  return by_position && joints < model->dof && model->loops &&
                 model->loops->shut < model->loops->rows
             ? model->dof
             : joints;
}

size_t lw_quantity_size(const lwModel* model, int joints, const lwQuantity* quantity)
{
  size_t n = (size_t)joints, across = (size_t)lw_quantity_columns(model, joints, quantity);
  size_t count = (size_t)quantity->count, links = (size_t)model->robot.count;
  const size_t sizes[] = {[LW_QUANTITY_SHAPE_NUMBERS]    = count,
                          [LW_QUANTITY_SHAPE_VECTOR]     = n,
                          [LW_QUANTITY_SHAPE_SQUARE]     = n * across,
                          [LW_QUANTITY_SHAPE_ROWS]       = count * n,
                          [LW_QUANTITY_SHAPE_JOINTS]     = links * count,
                          [LW_QUANTITY_SHAPE_LINKS]      = links * count,
                          [LW_QUANTITY_SHAPE_PARAMETERS] = n * links * count};
  return sizes[quantity->shape];
}

const char* lw_quantity_owner(const lwModel* model, const lwQuantity* quantity, int j)
{
  const lwJointDef* joint = &model->robot.joints[j];
  bool of_link            = quantity->shape == LW_QUANTITY_SHAPE_LINKS && joint->link.name;
  return of_link ? joint->link.name : joint->name;
}

const char* lw_method_auto(const lwModel* model, lwQuestion question)
{
  return rows[question].automatic ? rows[question].automatic(model) : NULL;
}
