// SPDX-License-Identifier: MIT
// Arbitrary sequences of calls. A workspace that has answered anything before, with frames and
// wrenches set and taken away, answers as a new one. Runs that were saved, restored, copied and
// sampled at any times have the bits of one that was not.
#include "bytes.h"
#include "checks.h"
#include "linkwork/read.h"
#include "linkwork/scenario.h"

enum
{
  JOINTS     = 2,
  PLACES     = 2,
  MOST       = 256,  // numbers of an answer
  SLOTS      = 3,
  MOST_STATE = 1 << 16,
  RUNS       = 3,
  MOST_CALLS = 40
};

// --- answers

typedef struct Setting
{
  lwFrame frame;
  int places;
  lwWrenchPlace place[PLACES];
  bool pushed;
  double wrench[6 * PLACES], q[JOINTS], qd[JOINTS], qdd[JOINTS], tau[JOINTS];
} Setting;

static lwModel* rods(void)
{
  static lwModel* model;
  if (!model) lw_robot_read_file(FUZZ_FOLDER "/robots/rods.yaml", NULL, NULL, &model);
  require(model != NULL && lw_model_dof(model) == JOINTS);
  return model;
}

static void take_setting(Bytes* bytes, Setting* setting)
{
  double* const all[] = {setting->q, setting->qd, setting->qdd, setting->tau};
  *setting            = (Setting){.frame = {.joint = take_int(bytes, -1, JOINTS - 1)}};
  for (int i = 0; i < 3; ++i) setting->frame.xyz[i] = take_share(bytes);
  for (int i = 0; i < 3; ++i) setting->frame.rpy[i] = take_share(bytes);
  setting->places = take_int(bytes, 0, PLACES);
  setting->pushed = take_flag(bytes);
  for (int i = 0; i < PLACES; ++i)
    setting->place[i] = (lwWrenchPlace){.joint = take_int(bytes, 0, JOINTS - 1),
                                        .xyz   = {take_share(bytes), take_share(bytes), 0},
                                        .axes  = take_flag(bytes) ? LW_AXES_BASE : LW_AXES_LINK};
  for (int i = 0; i < 6 * PLACES; ++i) setting->wrench[i] = take_share(bytes);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < JOINTS; ++k) all[i][k] = 4 * take_share(bytes) - 2;
}

static void ask(lwWorkspace* ws, const Setting* setting, lwQuestion question, double* out)
{
  lwStates state = {setting->q, setting->qd, setting->qdd, setting->tau, NULL};
  require(lw_workspace_set_frame(ws, rods(), &setting->frame, NULL) == LW_OK);
  require(lw_workspace_set_wrench_places(ws, rods(), setting->places, setting->place, NULL) ==
          LW_OK);
  lw_workspace_set_wrench(ws, setting->pushed ? setting->wrench : NULL);
  require(lw_question_outputs(rods(), question) <= MOST);
  memset(out, 0, MOST * sizeof *out);
  lw_answer(rods(), ws, question, &state, out);
}

// The last answer of a workspace that gave many is that of a new one.
static void ask_many(Bytes* bytes)
{
  static lwWorkspace* used;
  lwWorkspace* fresh = NULL;
  double out[MOST], expected[MOST];
  Setting setting;
  lwQuestion question;
  if (!used) require(lw_workspace_create(rods(), NULL, NULL, &used) == LW_OK);
  do
  {
    question = (lwQuestion)take_int(bytes, 0, LW_QUESTION_COUNT - 1);
    take_setting(bytes, &setting);
    ask(used, &setting, question, out);
  } while (bytes->left > 0);
  require(lw_workspace_create(rods(), NULL, NULL, &fresh) == LW_OK);
  ask(fresh, &setting, question, expected);
  require(!memcmp(out, expected, sizeof out));
  lw_workspace_destroy(fresh);
}

// --- runs

static const char* const texts[RUNS] = {
    "linkwork: 1\nrobot: rods.yaml\ninitial: {q: {shoulder: -90 deg, elbow: 0.5}}\nduration: 1\n"
    "controller: {kind: pd-gravity, kp: 100, kd: [20, 5], reference: {q: [0.1*t, sin(3*t)]}}\n"
    "wrench: {force: [0, 0, -20], frame: base, from: 0.1, to: 0.2}\n"
    "integrator: {method: rk4, step: 1e-2}\n",
    "linkwork: 1\nrobot: slides.yaml\ninitial: {qd: [1.2, 0]}\nduration: 1\nlimits: hold\n"
    "drives: {a: {torque: 2.4}, b: {torque: -2.8}}\nintegrator: {method: bdf, rtol: 1e-3}\n",
    "linkwork: 1\nrobot: slides.yaml\ninitial: {q: [0.9, -0.9]}\nduration: 1\nlimits: hold\n"
    "friction: full\ndrives:\n  a: {torque: 3*sin(9*t) - 0.1*qd}\n  b: {voltage: 2*cos(t), dac: "
    "{period: 0.05, bits: 6, range: 5}}\nevents:\n  - {at: 0.05, drives: {b: {spring: {stiffness: "
    "50, damping: 1, rest: here, preload: here}}}}\nintegrator: {method: dopri, rtol: 1e-4}\n",
};

static lwArmRun* new_run(int which)
{
  static lwScenario* scenarios[RUNS];
  lwArmRun* run = NULL;
  if (!scenarios[which])
    require(lw_scenario_read_text(FUZZ_FOLDER "/robots/calls.yaml", texts[which],
                                  strlen(texts[which]), NULL, NULL, &scenarios[which]) == LW_OK);
  require(lw_arm_run_create(lw_scenario_arm(scenarios[which]), NULL, &run) == LW_OK);
  return run;
}

typedef struct Slot
{
  uint8_t state[MOST_STATE];
  size_t size;
} Slot;

static void keep(Slot* slot, const lwArmRun* run)
{
  slot->size = lw_arm_run_save(run, slot->state, sizeof slot->state);
  require(slot->size <= sizeof slot->state);
}

// One call; the run, or another one in its place.
static lwArmRun* call(Bytes* bytes, int which, lwArmRun* run, Slot* slots)
{
  Slot* slot     = &slots[take_int(bytes, 0, SLOTS - 1)];
  lwArmRun* copy = NULL;
  char text[100];
  switch (take_int(bytes, 0, 7))
  {
    case 0:
      keep(slot, run);
      break;
    case 1:
      if (slot->size > 0) require(lw_arm_run_restore(run, slot->state, slot->size, NULL) == LW_OK);
      break;
    case 2:
      require(lw_arm_run_clone(run, NULL, &copy) == LW_OK);
      lw_arm_run_destroy(run);
      return copy;
    case 3:
      if (slot->size == 0) break;
      copy = new_run(which);
      require(lw_arm_run_restore(copy, slot->state, slot->size, NULL) == LW_OK);
      lw_arm_run_destroy(run);
      return copy;
    case 4:
      lw_arm_run_sample(run);
      break;
    case 5:
      lw_arm_run_why(run, text, sizeof text);
      break;
    case 6:
      lw_arm_run_audit(run);
      break;
    default:
      lw_arm_run_advance(run, take_share(bytes), NULL);
  }
  return run;
}

// After any calls the run arrives at 1 s with the bits of one that went there at once.
static void run_with_calls(Bytes* bytes, int which)
{
  static Slot direct[RUNS], slots[SLOTS], end;
  lwArmRun* run = new_run(which);
  if (direct[which].size == 0)
  {
    lwArmRun* at_once = new_run(which);
    lw_arm_run_advance(at_once, 1, NULL);
    keep(&direct[which], at_once);
    lw_arm_run_destroy(at_once);
  }
  for (int i = 0; i < SLOTS; ++i) slots[i].size = 0;
  for (int i = 0; i < MOST_CALLS && bytes->left > 0; ++i) run = call(bytes, which, run, slots);
  lw_arm_run_advance(run, 1, NULL);
  keep(&end, run);
  lwArmSample at = lw_arm_run_sample(run);
  require(at.t == 1);
  lw_arm_run_destroy(run);
  lwArmRun* other = new_run(which);
  require(lw_arm_run_restore(other, direct[which].state, direct[which].size, NULL) == LW_OK);
  double q[JOINTS], qd[JOINTS];
  lwArmSample expected = lw_arm_run_sample(other);
  memcpy(q, expected.q, sizeof q);
  memcpy(qd, expected.qd, sizeof qd);
  double S = expected.S, worst = lw_arm_run_audit(other).worst_S;
  require(lw_arm_run_restore(other, end.state, end.size, NULL) == LW_OK);
  at = lw_arm_run_sample(other);
  require(!memcmp(q, at.q, sizeof q) && !memcmp(qd, at.qd, sizeof qd));
  require(S == at.S && worst == lw_arm_run_audit(other).worst_S);
  lw_arm_run_destroy(other);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  Bytes bytes = {data, size};
  int way     = take_int(&bytes, 0, RUNS);
  if (way == RUNS)
    ask_many(&bytes);
  else
    run_with_calls(&bytes, way);
  return 0;
}
