// SPDX-License-Identifier: MIT
// Equations (1) to (10) and (13) to (26): each as printed and as
// corrected, against independent references.
//
//   (1)-(5)    velocities from the Jacobian of every link, accelerations from their differences
//   (6)-(10)   torques of Lagrange's equations
//   (16)-(26)  H from torques of Lagrange's equations, column by column
#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "swartz1982.h"

// --- motion of links, from positions alone

// A point of a link: its velocity and the link's angular velocity, base axes.
static void twist_at(const SwartzArm* arm, const lwFrame* point, const double* q, const double* qd,
                     double twist[6])
{
  double J[6 * JOINTS];
  lw_workspace_set_frame(arm->ws, arm->model, point, NULL);
  lw_jacobian(arm->model, arm->ws, q, J);
  lw_workspace_set_frame(arm->ws, arm->model, NULL, NULL);
  for (int i = 0; i < 6; ++i)
  {
    twist[i] = 0;
    for (int k = 0; k < JOINTS; ++k) twist[i] += J[i * JOINTS + k] * qd[k];
  }
}

// (twist(t + e) - twist(t - e)) / 2e along the motion that has these accelerations
static void twist_difference(const SwartzArm* arm, const lwFrame* point, const State* state,
                             double e, double rate[6])
{
  double before[6], after[6], q[JOINTS], qd[JOINTS];
  for (int side = -1; side <= 1; side += 2)
  {
    double t = side * e;
    for (int k = 0; k < JOINTS; ++k)
    {
      q[k]  = state->q[k] + t * (state->qd[k] + t / 2 * state->qdd[k]);
      qd[k] = state->qd[k] + t * state->qdd[k];
    }
    twist_at(arm, point, q, qd, side < 0 ? before : after);
  }
  for (int i = 0; i < 6; ++i) rate[i] = (after[i] - before[i]) / (2 * e);
}

// Two differences, extrapolated: errors of fourth order in e.
static void twist_rate(const SwartzArm* arm, const lwFrame* point, const State* state,
                       double rate[6])
{
  const double e = 1e-3;
  double whole[6], half[6];
  twist_difference(arm, point, state, e, whole);
  twist_difference(arm, point, state, e / 2, half);
  for (int i = 0; i < 6; ++i) rate[i] = half[i] + (half[i] - whole[i]) / 3;
}

// Reference motion of a point of a link, in the link's frame.
typedef struct PointTruth
{
  double v[3], w[3], vd[3], wd[3];
} PointTruth;

static PointTruth truth_at(const SwartzArm* arm, int k, const double* point, const State* state)
{
  PointTruth truth;
  lwFrame frame = {.joint = k};
  double p[3], R[9], twist[6], rate[6];
  if (point) memcpy(frame.xyz, point, sizeof frame.xyz);
  lw_workspace_set_frame(arm->ws, arm->model, &frame, NULL);
  lw_pose(arm->model, arm->ws, state->q, p, R);
  twist_at(arm, &frame, state->q, state->qd, twist);
  twist_rate(arm, &frame, state, rate);
  for (int i = 0; i < 3; ++i) rate[i] -= arm_robot(arm)->gravity[i];
  lw_rotate_back(R, twist, truth.v);
  lw_rotate_back(R, twist + 3, truth.w);
  lw_rotate_back(R, rate, truth.vd);
  lw_rotate_back(R, rate + 3, truth.wd);
  return truth;
}

// The frames themselves: A and p.
static double pose_error(const SwartzArm* arm, const State* state, unsigned printed, int unused)
{
  double worst = 0;
  (void)printed;
  (void)unused;
  for (int k = 0; k < JOINTS; ++k)
  {
    double got[12], truth[12];
    lwFrame frame = {.joint = k};
    literal_pose(arm_robot(arm), state->q, k, got, got + 3);
    lw_workspace_set_frame(arm->ws, arm->model, &frame, NULL);
    lw_pose(arm->model, arm->ws, state->q, truth, truth + 3);
    lw_workspace_set_frame(arm->ws, arm->model, NULL, NULL);
    worst = fmax(worst, largest_difference(12, got, truth));
  }
  return worst;
}

// The frames by the description, motion after motion: theta about Z, r along Z,
// a along X, alpha about X.
static double description_error(const SwartzArm* arm, const State* state, unsigned printed,
                                int unused)
{
  double p[3] = {0, 0, 0}, R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, worst = 0;
  (void)printed;
  (void)unused;
  for (int k = 0; k < JOINTS; ++k)
  {
    const lwJointDef* joint = &arm_robot(arm)->joints[k];
    lwFrame frame           = {.joint = k};
    double about_z[3] = {0, 0, joint->theta + state->q[k]}, about_x[3] = {joint->alpha, 0, 0},
           turn[9], truth[12], got[12];
    for (int c = 0; c < 3; ++c) p[c] += joint->d * R[3 * c + 2];
    lw_rotation_exp(about_z, turn);
    lw_rotation_product(R, turn, got);
    memcpy(R, got, sizeof R);
    for (int c = 0; c < 3; ++c) p[c] += joint->a * R[3 * c];
    lw_rotation_exp(about_x, turn);
    lw_rotation_product(R, turn, got);
    memcpy(R, got, sizeof R);
    lw_workspace_set_frame(arm->ws, arm->model, &frame, NULL);
    lw_pose(arm->model, arm->ws, state->q, truth, truth + 3);
    lw_workspace_set_frame(arm->ws, arm->model, NULL, NULL);
    memcpy(got, p, sizeof p);
    memcpy(got + 3, R, sizeof R);
    worst = fmax(worst, largest_difference(12, got, truth));
  }
  return worst;
}

// --- errors: of a vector relative to its length, or to 1 where that is less

static double error_of_equation(const double got[3], const double truth[3])
{
  double error[3];
  for (int i = 0; i < 3; ++i) error[i] = got[i] - truth[i];
  return lw_length(error) / fmax(1, lw_length(truth));
}

typedef enum CheckedQuantity
{
  ANGULAR_VELOCITY,
  ANGULAR_ACCELERATION,
  VELOCITY,
  ACCELERATION,
  CENTRE
} CheckedQuantity;

// The worst error of all links.
static double motion_error(const SwartzArm* arm, const State* state, unsigned printed, int quantity)
{
  LinkMotion got;
  double tau[JOINTS], worst = 0;
  literal_inverse_arm(arm_robot(arm), printed, state, &got, tau);
  for (int k = 0; k < JOINTS; ++k)
  {
    const double* centre     = arm_robot(arm)->joints[k].link.com;
    PointTruth truth         = truth_at(arm, k, quantity == CENTRE ? centre : NULL, state);
    const double* pairs[][2] = {[ANGULAR_VELOCITY]     = {got.w[k], truth.w},
                                [ANGULAR_ACCELERATION] = {got.wd[k], truth.wd},
                                [VELOCITY]             = {got.v[k], truth.v},
                                [ACCELERATION]         = {got.vd[k], truth.vd},
                                [CENTRE]               = {got.vd_centre[k], truth.vd}};
    worst = fmax(worst, error_of_equation(pairs[quantity][0], pairs[quantity][1]));
  }
  return worst;
}

// Torques relative to the largest of them.
static double torque_error(const SwartzArm* arm, const State* given, unsigned printed, int hand)
{
  State state = *given;
  double tau[JOINTS], truth[JOINTS];
  if (!hand) memset(state.hand, 0, sizeof state.hand);
  literal_inverse_arm(arm_robot(arm), printed, &state, NULL, tau);
  lw_workspace_set_wrench(arm->lagrange, state.hand);
  lw_inverse_dynamics(arm->model, arm->lagrange, state.q, state.qd, state.qdd, truth);
  lw_workspace_set_wrench(arm->lagrange, NULL);
  return largest_difference(JOINTS, tau, truth) / largest(JOINTS, truth);
}

// --- the H matrix

// The torques of unit acceleration of one joint after the other,
// less those of gravity: by Lagrange.
static void true_h_matrix(const SwartzArm* arm, const double* q, double H[JOINTS * JOINTS])
{
  double gravity[JOINTS], tau[JOINTS];
  lw_inverse_dynamics(arm->model, arm->lagrange, q, NULL, NULL, gravity);
  for (int j = 0; j < JOINTS; ++j)
  {
    double unit[JOINTS] = {0};
    unit[j]             = 1;
    lw_inverse_dynamics(arm->model, arm->lagrange, q, NULL, unit, tau);
    for (int i = 0; i < JOINTS; ++i) H[i * JOINTS + j] = tau[i] - gravity[i];
  }
}

static double matrix_error(const double* got, const double* truth)
{
  return largest_difference(JOINTS * JOINTS, got, truth) / largest(JOINTS * JOINTS, truth);
}

static double h_error(const SwartzArm* arm, const State* state, unsigned printed, int unused)
{
  (void)unused;
  double H[JOINTS * JOINTS], truth[JOINTS * JOINTS];
  literal_h_matrix(arm_robot(arm), printed, state->q, H);
  true_h_matrix(arm, state->q, truth);
  return matrix_error(H, truth);
}

// H by the Inverse Arm, without velocity, gravity and load:
// column j is what unit acceleration of joint j takes.
static void method_1(const SwartzArm* arm, const State* state, double H[JOINTS * JOINTS])
{
  lwRobotDef robot = *arm_robot(arm);
  double tau[JOINTS];
  memset(robot.gravity, 0, sizeof robot.gravity);
  for (int j = 0; j < JOINTS; ++j)
  {
    State unit = {.qdd = {0}};
    memcpy(unit.q, state->q, sizeof unit.q);
    unit.qdd[j] = 1;
    literal_inverse_arm(&robot, 0, &unit, NULL, tau);
    for (int i = 0; i < JOINTS; ++i) H[i * JOINTS + j] = tau[i];
  }
}

static double method_1_error(const SwartzArm* arm, const State* state, unsigned printed, int unused)
{
  (void)printed;
  (void)unused;
  double H[JOINTS * JOINTS], truth[JOINTS * JOINTS];
  method_1(arm, state, H);
  true_h_matrix(arm, state->q, truth);
  return matrix_error(H, truth);
}

// The two methods of the library against each other.
static double methods_error(const SwartzArm* arm, const State* state, unsigned printed, int unused)
{
  (void)printed;
  (void)unused;
  double H1[JOINTS * JOINTS], H3[JOINTS * JOINTS];
  lw_inertia_matrix(arm->model, arm->columns, state->q, H1);
  lw_inertia_matrix(arm->model, arm->ws, state->q, H3);
  return matrix_error(H3, H1);
}

// Method 1 computes the columns independently, so nothing enforces the symmetry.
static double symmetry_error(const SwartzArm* arm, const State* state, unsigned printed, int unused)
{
  (void)printed;
  (void)unused;
  double H[JOINTS * JOINTS], turned[JOINTS * JOINTS];
  method_1(arm, state, H);
  for (int i = 0; i < JOINTS; ++i)
    for (int j = 0; j < JOINTS; ++j) turned[j * JOINTS + i] = H[i * JOINTS + j];
  return matrix_error(H, turned);
}

// --- (13) to (15)

// tau - H alpha - B, the bias being InvArm without acceleration
static double motion_equation_error(const SwartzArm* arm, const State* state, unsigned printed,
                                    int hand)
{
  State still = *state;
  double H[JOINTS * JOINTS], B[JOINTS], tau[JOINTS], sum[JOINTS];
  memset(still.qdd, 0, sizeof still.qdd);
  literal_h_matrix(arm_robot(arm), 0, state->q, H);
  literal_inverse_arm(arm_robot(arm), printed, &still, NULL, B);
  lw_workspace_set_wrench(arm->lagrange, hand ? state->hand : NULL);
  lw_inverse_dynamics(arm->model, arm->lagrange, state->q, state->qd, state->qdd, tau);
  lw_workspace_set_wrench(arm->lagrange, NULL);
  for (int i = 0; i < JOINTS; ++i)
  {
    sum[i] = B[i];
    for (int j = 0; j < JOINTS; ++j) sum[i] += H[i * JOINTS + j] * state->qdd[j];
  }
  return largest_difference(JOINTS, sum, tau) / largest(JOINTS, tau);
}

// ForArm of the torques of InvArm gives back the acceleration.
static double inverse_error(const SwartzArm* arm, const State* state, unsigned printed, int unused)
{
  (void)printed;
  (void)unused;
  double tau[JOINTS], qdd[JOINTS];
  lw_inverse_dynamics(arm->model, arm->ws, state->q, state->qd, state->qdd, tau);
  lw_forward_dynamics(arm->model, arm->ws, state->q, state->qd, tau, qdd);
  return largest_difference(JOINTS, qdd, state->qdd) / largest(JOINTS, state->qdd);
}

// inverse_error() with friction that is not linear in the velocity, viscous and Coulomb friction.
// The torque of InvArm and what friction takes of it drive an arm that has that friction.
static double friction_error(const SwartzArm* arm, const State* state, unsigned printed, int unused)
{
  lwRobotDef robot = *arm_robot(arm);
  lwJointDef joints[JOINTS];
  lwModel* model = NULL;
  lwArmRun* run  = NULL;
  lwArmDef def   = lw_arm_def();
  double tau[JOINTS], error = INFINITY;
  const double zero  = 0;
  lwScheduleDef held = {.symbol = "tau", .width = JOINTS, .between = LW_BETWEEN_HELD};
  lwJointDrive drives[JOINTS];
  lwSchedule* schedule = NULL;
  (void)printed;
  (void)unused;
  lw_inverse_dynamics(arm->model, arm->ws, state->q, state->qd, state->qdd, tau);
  for (int k = 0; k < JOINTS; ++k)
  {
    double b = 0.2 + 0.1 * k, c = 1.5 + k;
    joints[k]          = robot.joints[k];
    joints[k].motor    = lw_joint_def().motor;  // torques drive it, no rotor
    joints[k].limits   = lw_joint_def().limits;
    joints[k].friction = (lwFriction){.viscous = b, .coulomb = c};
    tau[k] += b * state->qd[k] + (state->qd[k] > 0 ? c : -c);
    drives[k] = (lwJointDrive){.signal = LW_SIGNAL_SCHEDULE, .column = k};
  }
  robot.joints = joints;
  robot.places = NULL;
  if (lw_model_create(&robot, NULL, NULL, &model) == LW_OK &&
      lw_schedule_create(&held, 1, &zero, tau, NULL, &schedule) == LW_OK)
  {
    for (int k = 0; k < JOINTS; ++k) drives[k].schedule = schedule;
    def.model  = model;
    def.q      = state->q;
    def.qd     = state->qd;
    def.drives = drives;
    if (lw_arm_run_create(&def, NULL, &run) == LW_OK)
      error = largest_difference(JOINTS, lw_arm_run_sample(run).qdd, state->qdd) /
              largest(JOINTS, state->qdd);
  }
  lw_arm_run_destroy(run);
  lw_schedule_destroy(schedule);
  lw_model_destroy(model);
  return error;
}

// --- the claims

typedef struct EquationCheck
{
  const char* claim;
  double (*error)(const SwartzArm* arm, const State* state, unsigned printed, int what);
  int what;
  unsigned printed;     // what the first column takes as printed
  const char* erratum;  // whose cost that column is, or NULL
} EquationCheck;

// Of equations that are damaged in our copy: nobody knows what was printed.
static const unsigned DAMAGED = ~0u;

static const EquationCheck CHECKS[] = {
    {"inverse-arm/description", description_error, 0, DAMAGED, NULL},
    {"inverse-arm/given", pose_error, 0, 0, NULL},
    {"inverse-arm/equation-1", motion_error, ANGULAR_VELOCITY, 0, NULL},
    {"inverse-arm/equation-2", motion_error, ANGULAR_ACCELERATION, 0, NULL},
    {"inverse-arm/equation-3", motion_error, VELOCITY, PRINTED_VELOCITY, "3-2"},
    {"inverse-arm/equation-4", motion_error, ACCELERATION, 0, NULL},
    {"inverse-arm/equation-5", motion_error, CENTRE, 0, NULL},
    {"inverse-arm/equation-5-summary", motion_error, CENTRE, DAMAGED, NULL},
    {"inverse-arm/equations-6-9", torque_error, 0, 0, NULL},
    {"inverse-arm/equation-10", torque_error, 0, PRINTED_LAST_TORQUE, "3-9"},
    {"inverse-arm/hand", torque_error, 1, PRINTED_HAND, "3-7"},
    {"forward-arm/equation-13", motion_equation_error, 1, PRINTED_HAND, NULL},
    {"forward-arm/inverse", inverse_error, 0, 0, NULL},
    {"forward-arm/friction", friction_error, 0, 0, NULL},
    {"h-matrix/method-1", method_1_error, 0, DAMAGED, NULL},
    {"h-matrix/symmetric", symmetry_error, 0, 0, NULL},
    {"h-matrix/methods", methods_error, 0, 0, NULL},
    {"h-matrix/main-text", h_error, 0, PRINTED_OFF_DIAGONAL, "3-16"},
    {"h-matrix/equation-18-summary", h_error, 0, DAMAGED, NULL},
    {"h-matrix/axis-summary", h_error, 0, PRINTED_AXIS, "3-12"},
    {"h-matrix/range-summary", h_error, 0, PRINTED_LAST_DIAGONAL, "3-13"},
    {"h-matrix/equation-25-text", h_error, 0, PRINTED_LEVER, "3-15"},
};

// The worst of both arms over all states.
static double worst_error(const SwartzStudy* study, const EquationCheck* check, unsigned printed)
{
  double worst = 0;
  int states   = (int)page_number(study->page, "states");
  for (int a = 0; a < 2; ++a)
  {
    lwRandom random      = {1982};
    const SwartzArm* arm = a == 0 ? &study->arm : &study->general;
    for (int i = 0; i < states; ++i)
    {
      State state = state_draw(&random);
      worst       = fmax(worst, check->error(arm, &state, printed, check->what));
    }
  }
  return worst;
}

void report_equations(SwartzStudy* study)
{
  page_progress(study->page, "equations");
  for (size_t i = 0; i < sizeof CHECKS / sizeof *CHECKS; ++i)
  {
    const EquationCheck* check = &CHECKS[i];
    bool damaged               = check->printed == DAMAGED;
    double errors[2]           = {damaged ? NAN : worst_error(study, check, check->printed),
                        worst_error(study, check, 0)};
    page_measure(study->page, check->claim, 2, errors);
    if (check->erratum)
      page_fact(study->page, check->erratum, "costs up to %.2g times the largest value", errors[0]);
  }
}
