// SPDX-License-Identifier: MIT
// Forward dynamics with closed loops, ours and that of peers, in the same rounds.
//
// MuJoCo's equality constraints are soft, and leave out dJ/dt qd. So answers are compared at rest;
// they differ by what softness allows, which is shown. Times are of moving states.
#include <math.h>
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

#define SOFTEST 1e-2  // of the largest acceleration, that a peer may be off

static const PeerMethod OURS = {PEER_FORWARD, "lw_loops_forward", NULL, NULL};

bool is_ours_with_loops(const BenchTrial* trial)
{
  return trial->peer == &OURS;
}

// Closed states, and who answers about them.
typedef struct LoopCourse
{
  lwLoops* loops;
  const PeerMethod* peer;  // NULL: ours
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
    if (course->peer)
      course->peer->run(course->arm, q, qd, tau, course->out);
    else
      lw_loops_forward(course->loops, &(lwStates){.q = q, .qd = qd, .tau = tau}, course->out, NULL);
  }
}

// Driven joints a little off the file's position, moving and pushing; the others closed.
static bool fill_states(LoopCourse* course, const lwModel* model)
{
  lwRandom random = {1};
  for (int k = 0; k < STATES; ++k)
  {
    double *q   = course->q + (size_t)k * (size_t)course->nq,
           *qd  = course->qd + (size_t)k * (size_t)course->dof,
           *tau = course->tau + (size_t)k * (size_t)course->dof;
    lw_model_start(model, q);
    for (int i = 0; i < course->dof; ++i)
    {
      int at = lw_model_velocity(model, i).other;
      if (!lw_model_is_driven(model, i) || at < 0) continue;
      q[at] += lw_random_between(&random, -0.05, 0.05);
      qd[i]  = lw_random_between(&random, -0.2, 0.2);
      tau[i] = lw_random_between(&random, -100, 100);
    }
    if (lw_loops_close(course->loops, q, NULL) != LW_OK) return false;
    if (lw_loops_velocity(course->loops, q, qd) != LW_OK) return false;
  }
  return true;
}

// The largest difference of accelerations at rest, of the largest one.
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

static bool open_loop_course(LoopCourse* course, const lwModel* model)
{
  size_t nq = (size_t)lw_model_nq(model), dof = (size_t)lw_model_dof(model);
  *course   = (LoopCourse){.nq = (int)nq, .dof = (int)dof};
  course->q = calloc(STATES * (nq + 2 * dof) + 2 * dof, sizeof(double));
  if (!course->q || lw_loops_create(model, NULL, NULL, &course->loops) != LW_OK) return false;
  course->qd  = course->q + STATES * nq;
  course->tau = course->qd + STATES * dof;
  course->out = course->tau + STATES * dof;
  return fill_states(course, model);
}

static int race_with_loops(Peers* peers, const lwModel* model, const LoopCourse* ours,
                           const PeerLinkage* linkage)
{
  LoopCourse courses[1 + MAX_PEERS] = {*ours};
  Racer racers[1 + MAX_PEERS]       = {{.run = call_with_loops, .context = courses, .states = 1}};
  double differences[1 + MAX_PEERS] = {NAN};
  int count                         = 1,
      method = lw_method_find(LW_QUESTION_FORWARD, lw_method_auto(model, LW_QUESTION_FORWARD));
  int status = DONE;
  for (int i = 0; i < peers->count && status == DONE; ++i)
  {
    char message[MESSAGE]  = "it has no loops";
    const PeerMethod* peer = peers->peer[i]->with_loops;
    void* arm = peer ? peers->peer[i]->create_linkage(linkage, message, sizeof message) : NULL;
    message[strcspn(message, "\n")] = 0;
    if (!arm)
    {
      note("bench: %s is skipped on %s: %s", peers->peer[i]->program, lw_model_name(model),
           message);
      continue;
    }
    differences[count]  = soft_difference(ours, peer, arm);
    courses[count]      = *ours;
    courses[count].peer = peer;
    courses[count].arm  = arm;
    racers[count]       = (Racer){.run = call_with_loops, .context = &courses[count], .states = 1};
    if (!(differences[count++] <= SOFTEST))
      status =
          fail(NO, "bench: %s and linkwork disagree about %s at rest by %.2g, expected at most %g",
               peers->peer[i]->program, lw_model_name(model), differences[count - 1], SOFTEST);
  }
  if (status == DONE && race_run(peers->bench.limits.seconds, count, racers) != LW_OK)
    status = no_memory();
  for (int k = 0; k < count && status == DONE; ++k)
    add_peer_row(peers,
                 (BenchTrial){.model   = model,
                              .method  = method,
                              .threads = 1,
                              .peer    = k == 0 ? &OURS : courses[k].peer,
                              .best    = racers[k].best,
                              .median  = racers[k].median,
                              .rounds  = racers[k].rounds},
                 differences[k]);
  for (int k = 1; k < count; ++k)
    for (int i = 0; i < peers->count; ++i)
      if (peers->peer[i]->with_loops == courses[k].peer) peers->peer[i]->destroy(courses[k].arm);
  return status;
}

int peers_with_loops(Peers* peers, const lwModel* model)
{
  LoopCourse course   = {0};
  PeerLinkage linkage = {0};
  int status          = DONE;
  if (peers->bench.question >= 0 && peers->bench.question != (int)LW_QUESTION_FORWARD) return DONE;
  if (!peer_linkage_make(model, &linkage))
    status =
        fail(INPUT, "bench: --peers takes loops that hold positions, and joints of type revolute, "
                    "prismatic, universal, ball or fixed");
  else if (!open_loop_course(&course, model))
    status = fail(INPUT, "bench: no states of %s were found", lw_model_name(model));
  else
    status = race_with_loops(peers, model, &course, &linkage);
  lw_loops_destroy(course.loops);
  free(course.q);
  peer_linkage_free(&linkage);
  return status;
}
