// SPDX-License-Identifier: MIT
// Descriptions as a program fills them in, with arbitrary numbers, names and indices: a robot or a
// run is refused with a message, or can be asked everything, and runs.
#include "bytes.h"
#include "checks.h"
#include "linkwork/arm.h"
#include "linkwork/express.h"
#include "linkwork/loop.h"

enum
{
  MOST_JOINTS      = 5,
  MOST_NUMBERS     = 4096,
  MOST_EVALUATIONS = 100
};

static const char* take_name(Bytes* bytes)
{
  static const char* const names[] = {"a", "b",  "c",   "d",        "e",   "a",
                                      "",  NULL, "j\n", "\xff\xfe", "a b", "q1"};
  return names[take_byte(bytes) % (sizeof names / sizeof *names)];
}

static void take_numbers(Bytes* bytes, double* numbers, int count)
{
  for (int i = 0; i < count; ++i) numbers[i] = take_number(bytes);
}

static lwLinkDef take_link(Bytes* bytes)
{
  lwLinkDef link = {.name = take_flag(bytes) ? take_name(bytes) : NULL};
  link.mass      = take_number(bytes);
  take_numbers(bytes, link.com, 3);
  for (int i = 0; i < 3; ++i) link.inertia[i] = 1;
  if (take_byte(bytes) > 127) take_numbers(bytes, link.inertia, 6);
  return link;
}

static lwJointDef take_joint(Bytes* bytes, int i)
{
  static const char* const names[MOST_JOINTS] = {"a", "b", "c", "d", "e"};
  lwJointDef joint                            = lw_joint_def();
  uint8_t odd                                 = take_byte(bytes);
  joint.name = odd > 240 ? take_name(bytes) : names[i % MOST_JOINTS];
  joint.type = (lwJointType)take_int(bytes, odd > 230 ? -1 : 0, LW_JOINT_TYPE_COUNT - (odd < 250));
  joint.parent = odd & 1 ? i - 1 : take_int(bytes, odd > 245 ? -2 : -1, odd > 245 ? i + 1 : i - 1);
  joint.placement = (lwPlacement)take_int(bytes, 0, odd > 235 ? 3 : 2);
  if (joint.type >= LW_JOINT_BALL && odd < 200) joint.placement = LW_PLACEMENT_ORIGIN_AXIS;
  double* const numbers[] = {&joint.alpha, &joint.a, &joint.d, &joint.theta, &joint.pitch};
  for (int k = 0; k < 5; ++k) *numbers[k] = take_number(bytes);
  take_numbers(bytes, joint.xyz, 3);
  take_numbers(bytes, joint.rpy, 3);
  take_numbers(bytes, joint.axis, 3);
  take_numbers(bytes, joint.axis2, 3);
  joint.link  = take_link(bytes);
  uint8_t has = take_byte(bytes);
  if (has & 1) joint.limits.lower = take_number(bytes), joint.limits.upper = take_number(bytes);
  if (has & 2) take_numbers(bytes, &joint.friction.viscous, 1);
  if (has & 2) take_numbers(bytes, &joint.friction.coulomb, 1);
  if (has & 4)
  {
    lwMotor* motor      = &joint.motor;
    double* const all[] = {&motor->resistance,    &motor->torque_constant, &motor->gear,
                           &motor->rotor_inertia, &motor->inductance,      &motor->efficiency};
    motor->given        = true;
    for (int k = 0; k < 6; ++k) *all[k] = take_number(bytes);
  }
  if (has & 8) joint.armature = take_number(bytes);
  if ((has & 0x30) == 0x30)
    joint.mimic =
        (lwMimic){true, take_int(bytes, -2, MOST_JOINTS), take_number(bytes), take_number(bytes)};
  joint.passive = has & 64;
  if (has & 128) take_numbers(bytes, joint.start, 7);
  return joint;
}

static lwLoopDef take_loop(Bytes* bytes)
{
  lwLoopDef loop = {.name = take_name(bytes)};
  loop.type      = (lwLoopType)take_int(bytes, -1, LW_LOOP_TYPE_COUNT);
  loop.first     = (lwFrame){.joint = take_int(bytes, -3, MOST_JOINTS)};
  loop.second    = (lwFrame){.joint = take_int(bytes, -3, MOST_JOINTS)};
  take_numbers(bytes, loop.first.xyz, 3);
  take_numbers(bytes, loop.second.xyz, 3);
  take_numbers(bytes, loop.axis, 3);
  loop.radius = take_number(bytes);
  loop.ratio  = take_number(bytes);
  loop.offset = take_number(bytes);
  return loop;
}

// --- what can be done with a model

// Everything is asked in a state of moderate numbers; the answers need not be finite.
static void ask_all(Bytes* bytes, const lwModel* model)
{
  static double out[MOST_NUMBERS];
  double q[7 * MOST_JOINTS + 7], x[3][6 * MOST_JOINTS + 6];
  lwWorkspace* ws    = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  def.open_tree      = true;
  def.rotors         = take_flag(bytes);
  def.refine         = take_int(bytes, 0, 2);
  def.precision      = take_flag(bytes) ? LW_PRECISION_SINGLE : LW_PRECISION_DOUBLE;
  if (lw_workspace_create(model, &def, NULL, &ws) != LW_OK) return;
  lw_model_neutral(model, q);
  for (int i = 0; i < lw_model_nq(model); ++i) q[i] += take_share(bytes);
  for (int i = 0; i < 3 * (6 * MOST_JOINTS + 6); ++i)
    x[i / (6 * MOST_JOINTS + 6)][i % (6 * MOST_JOINTS + 6)] = take_share(bytes);
  lw_model_normalize(model, q);
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    if (lw_question_outputs(model, (lwQuestion)k) <= MOST_NUMBERS)
      lw_answer(model, ws, (lwQuestion)k, &(lwStates){q, x[0], x[1], x[2], NULL}, out);
  lw_workspace_destroy(ws);
}

static volatile sig_atomic_t enough;
static int evaluations;

static void evaluated(void* context, double t, const double* q, const double* qd, double* tau)
{
  (void)context, (void)t, (void)q, (void)qd, (void)tau;
  if (++evaluations > MOST_EVALUATIONS) enough = 1;
}

static void take_drive(Bytes* bytes, lwJointDrive* drive, const lwLaw* law)
{
  uint8_t has       = take_byte(bytes);
  drive->signal     = (lwSignal)take_int(bytes, 0, has > 250 ? 4 : LW_SIGNAL_CONTROL);
  drive->voltage    = has & 1;
  drive->law        = has & 2 ? law : NULL;
  drive->column     = take_int(bytes, -1, 1);
  drive->converted  = has & 4;
  drive->dac.period = take_number(bytes);
  drive->dac.bits   = take_int(bytes, -1, 80);
  drive->dac.range  = take_number(bytes);
  drive->sprung     = has & 8;
  take_numbers(bytes, &drive->spring.stiffness, 1);
  take_numbers(bytes, &drive->spring.damping, 1);
  drive->rest_here    = has & 16;
  drive->preload_here = has & 32;
}

static void run_arm(Bytes* bytes, const lwModel* model)
{
  static const char* const methods[] = {"rk4", "kutta3",           "dopri",      "dop853",
                                        "bdf", "bogacki-shampine", "fehlberg45", "none"};
  double q[7 * MOST_JOINTS + 7], qd[6 * MOST_JOINTS + 6], gains[6 * MOST_JOINTS + 6];
  lwJointDrive drives[6 * MOST_JOINTS + 6] = {0};
  lwLaw* law                               = NULL;
  lwArmDef def                             = lw_arm_def();
  lwDiag* diag                             = lw_diag_create();
  lwArmRun* run                            = NULL;
  int n                                    = lw_model_dof(model);
  uint8_t has                              = take_byte(bytes);
  require(lw_law_create_joint("law", "sin(t) - 0.1*q - qd", NULL, &law) == LW_OK);
  lw_model_neutral(model, q);
  if (has & 1)
    for (int i = 0; i < lw_model_nq(model); ++i) q[i] = take_number(bytes);
  for (int i = 0; i < n; ++i) qd[i] = has & 2 ? take_number(bytes) : 0;
  for (int i = 0; i < n; ++i) gains[i] = has & 4 ? take_number(bytes) : 1;
  for (int i = 0; i < n; ++i) take_drive(bytes, &drives[i], law);
  def.model                 = model;
  def.q                     = q;
  def.qd                    = qd;
  def.drives                = drives;
  def.rotors                = has & 8;
  def.friction              = (lwFrictionModel)take_int(bytes, 0, 2);
  def.limits                = (lwLimitMode)take_int(bytes, 0, 2);
  def.controller.kind       = (lwControl)take_int(bytes, 0, 3);
  def.controller.kp         = gains;
  def.controller.kd         = gains;
  def.integrator.method     = methods[take_byte(bytes) % 8];
  def.integrator.step       = 0.01;
  def.integrator.relative   = 1e-3;
  def.integrator.absolute   = 1e-3;
  def.integrator.most_steps = MOST_EVALUATIONS;
  if (has & 16) def.integrator.step = take_number(bytes);
  if (has & 32) def.integrator.relative = take_number(bytes);
  if (has & 64) def.integrator.longest = take_number(bytes);
  if (has & 128) def.integrator.end = take_number(bytes);
  def.torques     = evaluated;
  enough          = 0;
  evaluations     = 0;
  lwStatus status = lw_arm_run_create(&def, diag, &run);
  check_reading(status, run != NULL, diag);
  if (run)
  {
    lw_arm_run_advance(run, 0.1, &enough);
    require(lw_arm_run_time(run) <= 0.1);
    lw_arm_run_sample(run);
    lw_arm_run_audit(run);
  }
  lw_arm_run_destroy(run);
  lw_law_destroy(law);
  lw_diag_destroy(diag);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  lwJointDef joints[MOST_JOINTS];
  lwLoopDef loops[2];
  Bytes bytes    = {data, size};
  lwRobotDef def = lw_robot_def();
  lwModel* model = NULL;
  lwDiag* diag   = lw_diag_create();
  uint8_t has    = take_byte(&bytes);
  int made       = take_int(&bytes, 1, MOST_JOINTS);
  if (!diag) return 0;
  for (int i = 0; i < made; ++i) joints[i] = take_joint(&bytes, i);
  def.name          = has & 1 ? "r" : take_name(&bytes);
  def.joints        = joints;
  def.count         = has > 252 ? take_int(&bytes, -1, made) : made;
  def.floating_base = (has & 6) == 6;
  if (def.floating_base) def.base = take_link(&bytes);
  if ((has & 24) == 24) def.loop_count = take_int(&bytes, 1, 2);
  for (int i = 0; i < def.loop_count; ++i) loops[i] = take_loop(&bytes);
  def.loops = loops;
  if (has & 32) take_numbers(&bytes, def.gravity, 3);
  lwModelOptions options = {.lint.allow_bad_inertia = has & 64, .lint.allow_inert = has & 128};
  lwStatus status        = lw_model_create(&def, &options, diag, &model);
  check_reading(status, model != NULL, diag);
  if (model)
  {
    ask_all(&bytes, model);
    run_arm(&bytes, model);
  }
  lw_model_destroy(model);
  lw_diag_destroy(diag);
  return 0;
}
