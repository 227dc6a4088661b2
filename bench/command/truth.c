// SPDX-License-Identifier: MIT
// linkwork bench --truth: motions whose truth is known, simulated here and by MuJoCo from the same
// model text, with its settings as they come and with careful ones.
//
//   MJCF --both--> steps --watch--> one number, which is 0 for the true motion
//
// The careful settings are those that MuJoCo's documentation names for the effect: a twentieth of
// the step, RK4, many iterations, the constraint at its hardest, no slip.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/note.h"
#include "linkwork/arm.h"
#include "linkwork/read.h"
#include "math/elementary.h"
#include "peers.h"

enum
{
  MOST_JOINTS = 3,
  SETTINGS    = 2,
  RESULTS     = 1 + SETTINGS
};

typedef struct Truth Truth;

// What a run is judged by, so far.
typedef struct Watched
{
  const Truth* truth;
  bool started;
  double energy;  // at the start, J
  double worst;
} Watched;

struct Truth
{
  const char *name, *measures, *unit;
  const char* body;     // MJCF: inside <worldbody>
  const char* rest;     // MJCF: after it
  const char* careful;  // MJCF: <default> of the careful settings
  double end;           // s
  int joints;
  double q[MOST_JOINTS], qd[MOST_JOINTS], force[MOST_JOINTS];
  bool motor;  // the joint has the MOTOR below at full voltage
  double (*measure)(const Watched* watched, double t, const double* q, const double* qd,
                    double energy);
};

// A motor of a robot's wrist: V = R i + K qd, tau = K i
static const double RESISTANCE = 2, CONSTANT = 0.5, VOLTAGE = 12, INERTIA = 0.01;

static const double CRANK = 0.2, COUPLER = 0.5, ROCKER = 0.4, GROUND = 0.5;  // m

static double creep(const Watched* watched, double t, const double* q, const double* qd,
                    double energy)
{
  (void)t, (void)qd, (void)energy;
  return fabs(q[0] - watched->truth->q[0]);
}

static double energy_gained(const Watched* watched, double t, const double* q, const double* qd,
                            double energy)
{
  (void)t, (void)q, (void)qd;
  return fabs(energy - watched->energy);
}

static double beyond(const Watched* watched, double t, const double* q, const double* qd,
                     double energy)
{
  (void)watched, (void)t, (void)qd, (void)energy;
  return fmax(q[0] - 0.1, 0);
}

// qd = V / K (1 - exp(-K^2 t / (R J)))
static double speed_error(const Watched* watched, double t, const double* q, const double* qd,
                          double energy)
{
  (void)watched, (void)q, (void)energy;
  double rate = CONSTANT * CONSTANT / (RESISTANCE * INERTIA);
  return fabs(qd[0] - VOLTAGE / CONSTANT * (1 - lw_exp(-rate * t)));
}

// In the plane of x and z, closed as it is written, by the law of cosines; joint angles count from
// there.
#define FOUR_BAR                                                                                   \
  "<body name='crank' euler='0 -1.5707963267948966 0'><joint name='a' axis='0 -1 0'/>"             \
  "<inertial pos='0.1 0 0' mass='1' diaginertia='1e-3 4e-3 4e-3'/>"                                \
  "<body name='coupler' pos='0.2 0 0' euler='0 1.1638355690882252 0'>"                             \
  "<joint name='b' axis='0 -1 0'/>"                                                                \
  "<inertial pos='0.25 0 0' mass='2' diaginertia='1e-3 4e-2 4e-2'/></body></body>"                 \
  "<body name='rocker' pos='0.5 0 0' euler='0 -1.6730644304861704 0'>"                             \
  "<joint name='c' axis='0 -1 0'/>"                                                                \
  "<inertial pos='0.2 0 0' mass='1.5' diaginertia='1e-3 2e-2 2e-2'/></body>"

static const double CRANK_AT = 1.5707963267948966, COUPLER_AT = -1.1638355690882252,
                    ROCKER_AT = 1.6730644304861704;  // rad

// The pin between coupler and rocker: how far its two halves are from each other.
static double gap(const Watched* watched, double t, const double* q, const double* qd,
                  double energy)
{
  (void)watched, (void)t, (void)qd, (void)energy;
  double a = CRANK_AT + q[0], b = a + COUPLER_AT + q[1], c = ROCKER_AT + q[2];
  double x = CRANK * lw_cos(a) + COUPLER * lw_cos(b) - GROUND - ROCKER * lw_cos(c);
  double y = CRANK * lw_sin(a) + COUPLER * lw_sin(b) - ROCKER * lw_sin(c);
  return lw_hypot(x, y);
}

static const Truth TRUTHS[] = {
    {"stiction",
     "creep under 0.9 of the friction that holds, 60 s",
     "m",
     "<body name='cart'><joint name='x' type='slide' axis='1 0 0' frictionloss='1'/>"
     "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>",
     "",
     "<default><joint solreffriction='0.0002 1' solimpfriction='0.9999 0.9999 0.001 0.5 "
     "2'/></default>",
     60,
     1,
     {0},
     {0},
     {0.9},
     false,
     creep},
    {"double pendulum",
     "energy gained or lost in 60 s, of 29.43 J",
     "J",
     "<body name='upper'><joint name='a' axis='0 1 0'/><inertial pos='0 0 -0.5' mass='1' "
     "diaginertia='0.1 0.1 0.01'/>"
     "<body name='lower' pos='0 0 -1'><joint name='b' axis='0 1 0'/>"
     "<inertial pos='0 0 -0.5' mass='1' diaginertia='0.1 0.1 0.01'/></body></body>",
     "",
     "",
     60,
     2,
     {1.5707963267948966, 0.5},
     {0},
     {0},
     false,
     energy_gained},
    {"end stop",
     "penetration of a stop, 1 kg at 1 m/s, 10 N behind it",
     "m",
     "<body name='cart'><joint name='x' type='slide' axis='1 0 0' range='-1 0.1' limited='true'/>"
     "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>",
     "",
     "<default><joint solreflimit='0.0002 1' solimplimit='0.9999 0.9999 0.001 0.5 2'/></default>",
     2,
     1,
     {0},
     {1},
     {10},
     false,
     beyond},
    {"four-bar",
     "largest gap of the pin in 60 s",
     "m",
     FOUR_BAR,
     "<equality><connect body1='coupler' body2='rocker' anchor='0.5 0 0'/></equality>",
     "<default><equality solref='0.0002 1' solimp='0.9999 0.9999 0.001 0.5 2'/></default>",
     60,
     3,
     {0},
     {0},
     {0},
     false,
     gap},
    {"four-bar",
     "energy gained or lost in 60 s",
     "J",
     FOUR_BAR,
     "<equality><connect body1='coupler' body2='rocker' anchor='0.5 0 0'/></equality>",
     "<default><equality solref='0.0002 1' solimp='0.9999 0.9999 0.001 0.5 2'/></default>",
     60,
     3,
     {0},
     {0},
     {0},
     false,
     energy_gained},
    {"voltage step",
     "error of the speed of a motor at 12 V, of 24 rad/s",
     "rad/s",
     "<body name='wheel'><joint name='a' axis='0 0 1'/>"
     "<inertial pos='0 0 0' mass='1' diaginertia='0.01 0.01 0.01'/></body>",
     "<actuator><general joint='a' gainprm='0.25' biastype='affine' biasprm='0 0 "
     "-0.125'/></actuator>",
     "",
     0.5,
     1,
     {0},
     {0},
     {0},
     true,
     speed_error},
};

enum
{
  TRUTH_COUNT = sizeof TRUTHS / sizeof *TRUTHS
};

// Keeps the largest measure, at every step.
static void watch(void* context, double t, const double* q, const double* qd, double energy)
{
  Watched* watched = context;
  if (!watched->started) watched->energy = energy;
  watched->started = true;
  watched->worst   = fmax(watched->worst, watched->truth->measure(watched, t, q, qd, energy));
}

static void write_truth(const Truth* truth, bool careful, char* text, size_t size)
{
  snprintf(text, size,
           "<mujoco><compiler angle='radian'/><option %s><flag contact='disable' "
           "energy='enable'/></option>%s<worldbody>%s</worldbody>%s</mujoco>",
           careful ? "timestep='1e-4' integrator='RK4' iterations='200' tolerance='1e-15' "
                     "noslip_iterations='100'"
                   : "",
           careful ? truth->careful : "", truth->body, truth->rest);
}

// --- ours

static void constant_force(void* context, double t, const double* q, const double* qd, double* tau)
{
  const Truth* truth = context;
  (void)t, (void)q, (void)qd;
  for (int k = 0; k < truth->joints; ++k) tau[k] = truth->force[k];
}

// The model of the text, with the motor, which the text has as an actuator.
static lwStatus truth_model(const Truth* truth, lwModel** model)
{
  char text[4096];
  lwModel* bare    = NULL;
  lwDiag* diag     = lw_diag_create();
  lwJointDef joint = lw_joint_def();
  write_truth(truth, false, text, sizeof text);
  lwStatus status = lw_robot_read_text("truth.xml", text, strlen(text), NULL, diag, &bare);
  if (status == LW_OK && truth->motor)
  {
    lwRobotDef robot = *lw_model_robot(bare);
    joint            = robot.joints[0];
    joint.motor      = (lwMotor){.given           = true,
                                 .resistance      = RESISTANCE,
                                 .torque_constant = CONSTANT,
                                 .gear            = 1,
                                 .efficiency      = 1,
                                 .voltage         = INFINITY,
                                 .current         = INFINITY};
    robot.joints     = &joint;
    robot.count      = 1;
    status           = lw_model_create(&robot, NULL, diag, model);
    lw_model_destroy(bare);
  }
  else
    *model = bare;
  if (status != LW_OK && lw_diag_size(diag) > 0)
    note("bench: %s: %s", truth->name, lw_diag_message(diag, 0)->text);
  lw_diag_destroy(diag);
  return status;
}

static bool advance_watched(lwArmRun* run, const Truth* truth, Watched* watched)
{
  int steps = (int)(truth->end * 1000);
  for (int i = 0; i <= steps; ++i)
  {
    if (lw_arm_run_advance(run, 0.001 * i, NULL) != LW_OUTCOME_ARRIVED) return false;
    lwArmSample at = lw_arm_run_sample(run);
    watch(watched, at.t, at.q, at.qd, at.kinetic + at.potential);
  }
  return true;
}

// The worst of our run, NAN if it cannot be made.
static double our_truth(const Truth* truth)
{
  lwModel* model          = NULL;
  lwArmRun* run           = NULL;
  lwLaw* law              = NULL;
  Watched watched         = {.truth = truth};
  lwJointDrive drive      = {.signal = LW_SIGNAL_LAW, .voltage = true};
  lwArmDef def            = lw_arm_def();
  def.limits              = LW_LIMIT_MODE_HOLD;
  def.q                   = truth->q;
  def.qd                  = truth->qd;
  def.torques             = constant_force;
  def.context             = (void*)(uintptr_t)truth;
  def.integrator.method   = "dop853";
  def.integrator.relative = 1e-10;
  def.integrator.absolute = 1e-12;
  lwStatus status         = truth_model(truth, &model);
  if (status == LW_OK && truth->motor) status = lw_law_create_joint("voltage", "12", NULL, &law);
  def.model = model;
  drive.law = law;
  if (truth->motor) def.drives = &drive;
  if (status == LW_OK) status = lw_arm_run_create(&def, NULL, &run);
  bool ended = status == LW_OK && advance_watched(run, truth, &watched);
  lw_arm_run_destroy(run);
  lw_law_destroy(law);
  lw_model_destroy(model);
  return ended ? watched.worst : NAN;
}

// --- theirs

static double their_truth(const Peer* peer, const Truth* truth, bool careful)
{
  char text[4096], message[256];
  double command  = VOLTAGE;
  Watched watched = {.truth = truth};
  PeerRun run     = {.model   = text,
                     .end     = truth->end,
                     .q       = truth->q,
                     .qd      = truth->qd,
                     .force   = truth->force,
                     .command = truth->motor ? &command : NULL,
                     .watch   = watch,
                     .context = &watched};
  write_truth(truth, careful, text, sizeof text);
  if (peer->run(&run, message, sizeof message)) return watched.worst;
  note("bench: %s: %s: %s", peer->program, truth->name, message);
  return NAN;
}

typedef struct Truths
{
  Peers peers;
  const Peer* peer;  // that simulates, or NULL
  double result[TRUTH_COUNT][RESULTS];
} Truths;

static const char TRUTH_COLUMN[] = "motion,what,linkwork,peer_defaults,peer_careful,unit,program";

static void truth_row(const void* context, int i, lwCell* cells)
{
  const Truths* truths = context;
  lwCell row[]         = {lw_cell_text(TRUTHS[i].name),
                          lw_cell_text(TRUTHS[i].measures),
                          lw_cell_number(truths->result[i][0]),
                          lw_cell_number(truths->result[i][1]),
                          lw_cell_number(truths->result[i][2]),
                          lw_cell_text(TRUTHS[i].unit),
                          lw_cell_text(truths->peer ? truths->peer->program : NULL)};
  memcpy(cells, row, sizeof row);
}

static void write_truths(lwOut* out, const Truths* truths)
{
  lw_out_format(out, "%-16s %-54s %10s", "motion", "what is 0 in truth", "linkwork");
  if (truths->peer) lw_out_format(out, " %10s %10s", truths->peer->program, "careful");
  lw_out_text(out, "\n");
  for (int i = 0; i < TRUTH_COUNT; ++i)
  {
    lw_out_format(out, "%-16s %-54s", TRUTHS[i].name, TRUTHS[i].measures);
    for (int k = 0; k < (truths->peer ? RESULTS : 1); ++k)
      lw_out_format(out, " %10.1e", truths->result[i][k]);
    lw_out_format(out, " %s\n", TRUTHS[i].unit);
  }
  if (truths->peer)
    lw_out_format(out, "%s %s; careful: RK4 with 0.1 ms, constraints at their hardest, no slip\n",
                  truths->peer->program, truths->peer->version);
}

static void release_truths(void* context)
{
  Truths* truths = context;
  peers_unload(&truths->peers);
}

int bench_truth(const Options* options)
{
  lwFormat format = format_of(options);
  Truths* truths  = hold(allocate(1, sizeof *truths), release_truths);
  if (options->operand) return fail(USAGE, "bench: --truth takes no ROBOT");
  peers_find(&truths->peers);
  for (int i = 0; i < truths->peers.count && !truths->peer; ++i)
    if (truths->peers.peer[i]->run) truths->peer = truths->peers.peer[i];
  if (!truths->peer) note("bench: MuJoCo is missing; 'bench/peers/setup' installs it");
  lwOut* out = output_of(options);
  for (int i = 0; i < TRUTH_COUNT; ++i)
  {
    truths->result[i][0] = our_truth(&TRUTHS[i]);
    for (int k = 0; k < SETTINGS; ++k)
      truths->result[i][1 + k] = truths->peer ? their_truth(truths->peer, &TRUTHS[i], k > 0) : NAN;
  }
  const lwSheet sheet = {
      .columns = TRUTH_COLUMN, .rows = TRUTH_COUNT, .row = truth_row, .context = truths};
  if (format == LW_FORMAT_TABLE)
    write_truths(out, truths);
  else
    lw_sheet_write(out, format, &sheet);
  return output_end(out, DONE);
}
