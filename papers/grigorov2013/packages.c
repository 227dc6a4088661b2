// SPDX-License-Identifier: MIT
// Instead of the document's simulation package: every other formulation of the library, and MuJoCo
// and Orocos KDL where they can be loaded, compared on the torques of figure 4 and the
// accelerations of figure 5.
#include <math.h>

#include "peer_robot.h"
#include "peers.h"
#include "valves.h"

enum
{
  STATES  = 61,  // of the motion, and as many of the oscillation
  MESSAGE = 1000
};

// States with the answers of the closed form.
typedef struct Sample
{
  double q[JOINTS], qd[JOINTS];
  double x[JOINTS];       // qdd of the motion, torques of the oscillation
  double answer[JOINTS];  // torques of the motion, qdd of the oscillation
} Sample;

typedef struct PackageSamples
{
  Sample motion[STATES];
  Sample swing[STATES];
} PackageSamples;

static lwStates state_of(const Sample* sample)
{
  return (lwStates){.q = sample->q, .qd = sample->qd, .qdd = sample->x, .tau = sample->x};
}

static void take_motion(const Manipulator* manipulator, Sample* samples)
{
  for (int k = 0; k < STATES; ++k)
  {
    Sample* sample = &samples[k];
    double t       = lw_trajectory_duration(manipulator->trajectory) * k / (STATES - 1);
    lw_trajectory_at(manipulator->trajectory, t, sample->q, sample->qd, sample->x);
    lwStates state = state_of(sample);
    lw_answer(manipulator->model, manipulator->closed_form, LW_QUESTION_INVERSE, &state,
              sample->answer);
  }
}

static void take_swing(Page* page, const Manipulator* manipulator, Sample* samples)
{
  Valves valves;
  lwIntegratorDef def = lw_integrator_def();
  def.method          = "bogacki-shampine";
  def.relative = def.absolute = page_number(page, "figure-tolerance");
  if (!valves_read(&valves, page, manipulator)) return;
  lwArmRun* run = valves_close(&valves, page, manipulator, SIGN_CORRECTED, &def);
  for (int k = 0; k < STATES && page->status == DONE; ++k)
  {
    Sample* sample = &samples[k];
    if (!valves_advance(run, page, valves.duration * k / (STATES - 1) / 10)) break;
    lwArmSample now = lw_arm_run_sample(run);
    for (int j = 0; j < JOINTS; ++j)
    {
      sample->q[j]  = now.q[j];
      sample->qd[j] = now.qd[j];
      sample->x[j]  = now.tau[j];
    }
    lwStates state = state_of(sample);
    lw_answer(manipulator->model, manipulator->closed_form, LW_QUESTION_FORWARD, &state,
              sample->answer);
  }
  lw_arm_run_destroy(run);
}

// The largest difference of an answer over all samples, relative to the largest answer.
typedef struct Difference
{
  double most, size;
} Difference;

static void note_difference(Difference* difference, const Sample* sample, const double* other)
{
  double found     = largest_difference(JOINTS, sample->answer, other);
  difference->size = fmax(difference->size, largest(JOINTS, sample->answer));
  if (!(found <= difference->most)) difference->most = found;
}

// --- other formulations

static double other_methods(Page* page, const lwModel* model, const Sample* samples,
                            lwQuestion question)
{
  double most = 0;
  for (int m = 0; m < lw_method_count() && page->status == DONE; ++m)
  {
    lwWorkspace* ws       = NULL;
    lwWorkspaceDef def    = lw_workspace_def();
    Difference difference = {0};
    if (lw_method(m)->question != question) continue;
    *(question == LW_QUESTION_INVERSE ? &def.inverse : &def.forward) = lw_method(m)->name;
    page_check(page, lw_workspace_create(model, &def, NULL, &ws));
    for (int k = 0; k < STATES && page->status == DONE; ++k)
    {
      double out[JOINTS];
      lwStates state = state_of(&samples[k]);
      lw_answer(model, ws, question, &state, out);
      note_difference(&difference, &samples[k], out);
    }
    lw_workspace_destroy(ws);
    most = fmax(most, difference.most / difference.size);
  }
  return most;
}

// --- other programs

static double peer_difference(const PeerMethod* method, void* arm, const Sample* samples)
{
  Difference difference = {0};
  for (int k = 0; k < STATES; ++k)
  {
    double out[JOINTS] = {0};
    method->run(arm, samples[k].q, samples[k].qd, samples[k].x, out);
    if (method->read) method->read(arm, out);
    note_difference(&difference, &samples[k], out);
  }
  return difference.most / difference.size;
}

static void write_peer(Page* page, const Peer* peer, const PeerRobot* robot,
                       const PackageSamples* samples)
{
  char message[MESSAGE] = "";
  PaperText lines       = {0};
  void* arm             = peer->create(robot, message, sizeof message);
  if (!arm)
  {
    page_note(page, "verification", "%s %s cannot load this arm: %s", peer->program, peer->version,
              message);
    return;
  }
  for (int m = 0; m < peer->method_count; ++m)
  {
    const PeerMethod* method = &peer->methods[m];
    if (method->question == PEER_INVERSE)
      text_add(&lines, "%storques of figure 4 by %s differ by %.1e", lines.length ? ", " : "",
               method->name, peer_difference(method, arm, samples->motion));
    if (method->question == PEER_FORWARD)
      text_add(&lines, "%saccelerations of figure 5 by %s by %.1e", lines.length ? ", " : "",
               method->name, peer_difference(method, arm, samples->swing));
  }
  page_note(page, "verification", "%s %s: %s, relative to the largest.", peer->program,
            peer->version, lines.at);
  peer->destroy(arm);
}

static void write_peers(Page* page, const lwModel* model, const PackageSamples* samples)
{
  Peers peers     = {0};
  PeerRobot robot = {0};
  peers_find(&peers);
  if (peers.count == 0)
    page_note(page, "verification",
              "No other multibody program was installed where this page was made; "
              "`bench/peers/setup` installs MuJoCo and "
              "Orocos KDL, and they are then compared here.");
  else if (!peer_robot_make(model, &robot))
    page_check(page, LW_ERROR_MEMORY);
  else
    for (int i = 0; i < peers.count; ++i) write_peer(page, peers.peer[i], &robot, samples);
  peer_robot_free(&robot);
  peers_unload(&peers);
}

void write_packages(Page* page, const Manipulator* manipulator)
{
  PackageSamples samples = {0};
  const lwModel* model   = manipulator->model;
  take_motion(manipulator, samples.motion);
  take_swing(page, manipulator, samples.swing);
  if (page->status != DONE) return;
  page_measure_one(page, "verification/torques",
                   other_methods(page, model, samples.motion, LW_QUESTION_INVERSE));
  page_measure_one(page, "verification/accelerations",
                   other_methods(page, model, samples.swing, LW_QUESTION_FORWARD));
  if (page->status == DONE) write_peers(page, model, &samples);
}
