// SPDX-License-Identifier: MIT
// Times forward dynamics with closed loops, ours and the peers', in the same rounds.
//
// MuJoCo's equality constraints are soft and leave out dJ/dt qd. So answers are compared at rest;
// they differ because the constraints are soft, and the difference is printed. Times are for moving
// states.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "io/note.h"
#include "linkwork/loop.h"
#include "peer_robot.h"
#include "peers.h"
#include "race.h"

enum
{
  STATES  = 16,
  MESSAGE = 1000
};

#define SOFTEST 1e-2  // largest difference of a peer, relative to the largest acceleration

static const PeerMethod OURS      = {PEER_FORWARD, "lw_loops_forward", NULL, NULL};
static const PeerMethod OPEN_TREE = {PEER_FORWARD, "open tree", NULL, NULL};

bool is_ours_with_loops(const BenchTrial* trial)
{
  return trial->peer == &OURS;
}

// States with closed loops, and the program that answers.
typedef struct LoopCourse
{
  const lwModel* model;
  lwLoops* loops;
  lwWorkspace* tree;  // of the robot with its loops cut
  const PeerMethod* peer;
  void* arm;
  int nq, dof, next;
  double *q, *qd, *tau, *out;  // (STATES, nq), (STATES, dof) twice, (2, dof)
} LoopCourse;

static void call_with_loops(void* context, int calls)
{
  LoopCourse* course = context;
  for (int k = 0; k < calls; ++k, course->next = (course->next + 1) % STATES)
  {
    const double* q   = course->q + (size_t)course->next * (size_t)course->nq;
    const double* qd  = course->qd + (size_t)course->next * (size_t)course->dof;
    const double* tau = course->tau + (size_t)course->next * (size_t)course->dof;
    if (course->peer == &OURS)
      lw_loops_forward(course->loops, &(lwStates){.q = q, .qd = qd, .tau = tau}, course->out, NULL);
    else if (course->peer == &OPEN_TREE)
      lw_forward_dynamics(course->model, course->tree, q, qd, tau, course->out);
    else
      course->peer->run(course->arm, q, qd, tau, course->out);
  }
}

// Driven joints up to `off` from the file's position, with velocity and torque; the others close
// the loops.
static bool fill_closed_state(const LoopCourse* course, lwRandom* random, double off, double* q,
                              double* qd, double* tau)
{
  lw_model_start(course->model, q);
  for (int i = 0; i < course->dof; ++i)
  {
    int at = lw_model_velocity(course->model, i).other;
    if (!lw_model_is_driven(course->model, i) || at < 0) continue;
    q[at] += lw_random_between(random, -off, off);
    qd[i]  = lw_random_between(random, -0.2, 0.2);
    tau[i] = lw_random_between(random, -100, 100);
  }
  return lw_loops_close(course->loops, q, NULL) == LW_OK &&
         lw_loops_velocity(course->loops, q, qd) == LW_OK;
}

// Fills all states, each with a displacement for which the loops can be closed.
static bool fill_states(LoopCourse* course)
{
  lwRandom random = {1};
  bool closed     = true;
  for (size_t k = 0; k < STATES && closed; ++k)
  {
    double* qd  = course->qd + k * (size_t)course->dof;
    double* tau = course->tau + k * (size_t)course->dof;
    closed      = false;
    for (double off = 0.05; off > 1e-4 && !closed; off /= 2)
      closed = fill_closed_state(course, &random, off, course->q + k * (size_t)course->nq, qd, tau);
  }
  return closed;
}

// The largest difference of accelerations at rest, relative to the largest acceleration.
static double soft_difference(const LoopCourse* course, const PeerMethod* peer, void* arm)
{
  double most = 0, size = 0, *ours = course->out, *theirs = course->out + course->dof;
  double* rest = calloc((size_t)course->dof, sizeof *rest);
  for (int k = 0; k < STATES && rest; ++k)
  {
    const double* q   = course->q + (size_t)k * (size_t)course->nq;
    const double* tau = course->tau + (size_t)k * (size_t)course->dof;
    lw_loops_forward(course->loops, &(lwStates){.q = q, .qd = rest, .tau = tau}, ours, NULL);
    peer->run(arm, q, rest, tau, theirs);
    for (int i = 0; i < course->dof; ++i)
    {
      most = fmax(most, isfinite(theirs[i]) ? fabs(theirs[i] - ours[i]) : INFINITY);
      size = fmax(size, fabs(ours[i]));
    }
  }
  free(rest);
  return most / size;
}

static bool open_loop_run(LoopCourse* course, const lwModel* model)
{
  size_t nq = (size_t)lw_model_nq(model), dof = (size_t)lw_model_dof(model);
  *course   = (LoopCourse){.model = model, .nq = (int)nq, .dof = (int)dof};
  course->q = calloc(STATES * (nq + 2 * dof) + 2 * dof, sizeof(double));
  if (!course->q || lw_loops_create(model, NULL, NULL, &course->loops) != LW_OK) return false;
  lwWorkspaceDef tree = lw_workspace_def();
  tree.open_tree      = true;
  if (lw_workspace_create(model, &tree, NULL, &course->tree) != LW_OK) return false;
  course->qd  = course->q + STATES * nq;
  course->tau = course->qd + STATES * dof;
  course->out = course->tau + STATES * dof;
  return fill_states(course);
}

// The competitors: our dynamics with loops, the robot with its loops cut, then the peers.
typedef struct LoopRace
{
  int count;
  LoopCourse courses[2 + MAX_PEERS];
  Racer racers[2 + MAX_PEERS];
  double differences[2 + MAX_PEERS];
} LoopRace;

static void enter_race(LoopRace* race, const LoopCourse* course, const PeerMethod* way, void* arm,
                       double difference)
{
  LoopCourse* own                = &race->courses[race->count];
  *own                           = *course;
  own->peer                      = way;
  own->arm                       = arm;
  race->racers[race->count]      = (Racer){.run = call_with_loops, .context = own, .states = 1};
  race->differences[race->count] = difference;
  ++race->count;
}

// linkage NULL: this robot cannot be described to peers.
static int enter_peer(LoopRace* race, const LoopCourse* course, const Peer* peer,
                      const PeerLinkage* linkage)
{
  char message[MESSAGE] = "it has no loops";
  if (peer->with_loops && !linkage)
    snprintf(message, sizeof message, "%s",
             "it is told of loops that hold positions, and of joints of type revolute, prismatic, "
             "universal, ball or fixed");
  void* arm =
      peer->with_loops && linkage ? peer->create_linkage(linkage, message, sizeof message) : NULL;
  message[strcspn(message, "\n")] = 0;
  if (!arm)
    note("bench: %s is skipped on %s: %s", peer->program, lw_model_name(course->model), message);
  if (!arm) return DONE;
  double difference = soft_difference(course, peer->with_loops, arm);
  enter_race(race, course, peer->with_loops, arm, difference);
  if (difference <= SOFTEST) return DONE;
  return fail(NO, "bench: %s and linkwork disagree about %s at rest by %.2g, expected at most %g",
              peer->program, lw_model_name(course->model), difference, SOFTEST);
}

static int race_with_loops(Peers* peers, const LoopCourse* course, const PeerLinkage* linkage)
{
  const lwModel* model = course->model;
  LoopRace race        = {0};
  int status           = DONE;
  int method = lw_method_find(LW_QUESTION_FORWARD, lw_method_auto(model, LW_QUESTION_FORWARD));
  enter_race(&race, course, &OURS, NULL, NAN);
  enter_race(&race, course, &OPEN_TREE, NULL, NAN);
  for (int i = 0; i < peers->count && status == DONE; ++i)
    status = enter_peer(&race, course, peers->peer[i], linkage);
  if (status == DONE && race_run(peers->bench.limits.seconds, race.count, race.racers) != LW_OK)
    status = no_memory();
  for (int k = 0; k < race.count && status == DONE; ++k)
    add_peer_row(peers,
                 (BenchTrial){.model   = model,
                              .method  = method,
                              .threads = 1,
                              .peer    = race.courses[k].peer,
                              .best    = race.racers[k].best,
                              .median  = race.racers[k].median,
                              .rounds  = race.racers[k].rounds},
                 race.differences[k]);
  for (int k = 2; k < race.count; ++k)
    for (int i = 0; i < peers->count; ++i)
      if (peers->peer[i]->with_loops == race.courses[k].peer)
        peers->peer[i]->destroy(race.courses[k].arm);
  return status;
}

int peers_with_loops(Peers* peers, const lwModel* model)
{
  LoopCourse course   = {0};
  PeerLinkage linkage = {0};
  int status          = DONE;
  if (peers->bench.question >= 0 && peers->bench.question != (int)LW_QUESTION_FORWARD) return DONE;
  bool told = peer_linkage_make(model, &linkage);
  if (!open_loop_run(&course, model))
    status = fail(INPUT, "bench: no states of %s were found", lw_model_name(model));
  else
    status = race_with_loops(peers, &course, told ? &linkage : NULL);
  lw_loops_destroy(course.loops);
  lw_workspace_destroy(course.tree);
  free(course.q);
  peer_linkage_free(&linkage);
  return status;
}
