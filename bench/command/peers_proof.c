// SPDX-License-Identifier: MIT
// Checks that a peer's answers agree with ours.
#include <math.h>
#include <stdlib.h>

#include "bench_states.h"
#include "peers.h"

enum
{
  STATES = 5
};

// Memory for a comparison.
typedef struct Proof
{
  const BenchTrial* trial;
  lwQuestion question;
  int n;
  lwWorkspace* ws;
  double *ours, *theirs;  // the answer to one state
  double* M;              // (n n) inertia matrix, for accelerations
  double* torque;         // (2 n)
} Proof;

static double largest_entry(size_t count, const double* v)
{
  double most = 0;
  for (size_t i = 0; i < count; ++i)
    if (!(fabs(v[i]) <= most)) most = isfinite(v[i]) ? fabs(v[i]) : INFINITY;
  return most;
}

static void multiply_matrix(int n, const double* M, const double* x, double* y)
{
  for (int i = 0; i < n; ++i)
  {
    y[i] = 0;
    for (int j = 0; j < n; ++j) y[i] += M[(size_t)i * (size_t)n + (size_t)j] * x[j];
  }
}

// max |theirs - ours| / max |ours|; overwrites theirs
static double relative_difference(size_t count, const double* ours, double* theirs)
{
  for (size_t i = 0; i < count; ++i) theirs[i] -= ours[i];
  return largest_entry(count, theirs) / largest_entry(count, ours);
}

// A long chain amplifies rounding errors of its torques, so accelerations are compared by the
// torque M qdd that they need.
static double relative_acceleration(Proof* proof, const lwStates* state)
{
  int n = proof->n;
  lw_inertia_matrix(proof->trial->model, proof->ws, state->q, proof->M);
  multiply_matrix(n, proof->M, proof->ours, proof->torque);
  multiply_matrix(n, proof->M, proof->theirs, proof->torque + n);
  return relative_difference((size_t)n, proof->torque, proof->torque + n);
}

static double compare_state(Proof* proof, const lwStates* state)
{
  const BenchTrial* trial = proof->trial;
  const double* x         = proof->question == LW_QUESTION_FORWARD ? state->tau : state->qdd;
  lw_answer(trial->model, proof->ws, proof->question, state, proof->ours);
  trial->peer->run(trial->peer_arm, state->q, state->qd, x, proof->theirs);
  if (trial->peer->read) trial->peer->read(trial->peer_arm, proof->theirs);
  if (proof->question == LW_QUESTION_FORWARD) return relative_acceleration(proof, state);
  return relative_difference(lw_question_outputs(trial->model, proof->question), proof->ours,
                             proof->theirs);
}

double peers_difference(const BenchTrial* trial)
{
  Proof proof  = {.trial = trial, .question = trial_question(trial), .n = trial_joints(trial)};
  Ring ring    = {0};
  size_t n     = (size_t)proof.n;
  size_t size  = lw_question_outputs(trial->model, proof.question);
  proof.ours   = malloc(size * sizeof(double));
  proof.theirs = malloc(size * sizeof(double));
  proof.M      = malloc(n * n * sizeof(double));
  proof.torque = malloc(2 * n * sizeof(double));
  bool enough  = proof.ours && proof.theirs && proof.M && proof.torque;
  double most  = -1;
  if (enough && ring_fill(&ring, trial->model, STATES) &&
      lw_workspace_create(trial->model, NULL, NULL, &proof.ws) == LW_OK)
    for (int k = 0; k < STATES; ++k)
    {
      double difference = compare_state(&proof, &ring.states[k]);
      if (!(difference <= most)) most = isnan(difference) ? INFINITY : difference;
    }
  lw_workspace_destroy(proof.ws);
  ring_free(&ring);
  free(proof.ours);
  free(proof.theirs);
  free(proof.M);
  free(proof.torque);
  return most;
}
