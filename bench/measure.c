// SPDX-License-Identifier: MIT
#include "measure.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"

enum
{
  FEWEST_ROUNDS = 3,
  MAX_ROUNDS    = 1000,
  BATCH_STATES  = 1024,
  RING_STATES   = 64,
  BATCH_BYTES   = 256 << 10,  // states and answers of a batch stay in the second-level cache
  RING_BYTES    = 12 << 10,   // those of single calls in the first, beside the workspace
  FEWEST_STATES = 16,         // as many as the widest vector has lanes, unless BYTES_MAX forbids it
  BYTES_MAX     = 32 << 20
};

#define SAMPLE_SECONDS 100e-6  // long against reading the clock, short against a time slice

// What a running trial needs.
typedef struct Course
{
  lwWork* work;
  lwQuestion question;
  int states;      // in the ring or the batch
  double* values;  // q, qd, qdd, tau of all states
  double* out;
  lwStates* ring;         // (states) each state by itself
  int calls;              // of a sample
  int next;               // state of the ring
  double ns[MAX_ROUNDS];  // per state, one of each round
} Course;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Bytes of one state and its answer.
static size_t state_bytes(const lwModel* model, lwQuestion question)
{
  size_t inputs = 4 * (size_t)lw_model_dof(model);
  return (inputs + lw_question_outputs(model, question)) * sizeof(double);
}

static int state_count(const Trial* trial, lwQuestion question)
{
  size_t bytes = state_bytes(trial->model, question);
  bool batch   = trial->mode == TRIAL_BATCH;
  size_t count = batch ? BATCH_STATES : RING_STATES;
  while (count > FEWEST_STATES && bytes * count > (batch ? BATCH_BYTES : RING_BYTES)) count /= 2;
  while (count > 1 && bytes * count > BYTES_MAX) count /= 2;
  return (int)count;
}

// Calls per sample, states in turn.
static void call(const Trial* trial)
{
  Course* course = trial->course;
  if (trial->mode == TRIAL_BATCH)
  {
    for (int k = 0; k < course->calls; ++k)
      lw_answer_many(trial->model, course->work, course->question, course->states, &course->ring[0],
                     course->out);
    return;
  }
  for (int k = 0; k < course->calls; ++k)
  {
    lw_answer(trial->model, course->work, course->question, &course->ring[course->next],
              course->out);
    course->next = course->next + 1 < course->states ? course->next + 1 : 0;
  }
}

// Seconds of one sample.
static double sample(const Trial* trial)
{
  double start = now();
  call(trial);
  return now() - start;
}

static void close_course(Trial* trial)
{
  Course* course = trial->course;
  trial->course  = NULL;
  if (!course) return;
  lw_work_destroy(course->work);
  free(course->values);
  free(course->out);
  free(course->ring);
  free(course);
}

// States like any other: positions all around, velocities, accelerations and torques of a moving arm.
static void fill_states(const lwModel* model, Course* course)
{
  lwRandom random = {7};
  size_t n        = (size_t)lw_model_dof(model);
  size_t all      = n * (size_t)course->states;
  double* v       = course->values;
  for (size_t i = 0; i < all; ++i) v[i] = lw_random_between(&random, -3.14, 3.14);
  for (size_t i = all; i < 4 * all; ++i) v[i] = lw_random_between(&random, -2, 2);
  for (size_t k = 0; k < (size_t)course->states; ++k)
    course->ring[k] = (lwStates){.q   = v + k * n,
                                 .qd  = v + all + k * n,
                                 .qdd = v + 2 * all + k * n,
                                 .tau = v + 3 * all + k * n};
}

static lwWorkDef work_def(int method, lwPrecision precision)
{
  const lwMethod* named = lw_method(method);
  lwWorkDef def         = lw_work_def();
  def.precision         = precision;
  if (named->question == LW_INVERSE) def.inverse = named->name;
  if (named->question == LW_INERTIA) def.inertia = named->name;
  if (named->question == LW_FORWARD) def.forward = named->name;
  return def;
}

static lwStatus open_course(Trial* trial)
{
  Course* course = trial->course = calloc(1, sizeof *course);
  if (!course) return LW_ERROR_MEMORY;
  course->question = lw_method(trial->method)->question;
  course->states   = state_count(trial, course->question);
  course->calls    = 1;
  size_t states    = (size_t)course->states;
  size_t inputs    = states * 4 * (size_t)lw_model_dof(trial->model);
  size_t rows      = trial->mode == TRIAL_BATCH ? states : 1;
  course->values   = malloc(inputs * sizeof *course->values);
  course->ring     = malloc(states * sizeof *course->ring);
  course->out =
      malloc(rows * lw_question_outputs(trial->model, course->question) * sizeof *course->out);
  if (!course->values || !course->ring || !course->out) return LW_ERROR_MEMORY;
  fill_states(trial->model, course);
  lwWorkDef def = work_def(trial->method, trial->precision);
  return lw_work_create(trial->model, &def, &course->work);
}

// Warms up, then makes a sample long enough to be timed, and a batch short enough to be waited for.
static void calibrate(Trial* trial, const BenchLimits* limits)
{
  Course* course = trial->course;
  trial->isa     = lw_work_isa(course->work);
  if (trial->mode == TRIAL_BATCH)
  {
    int states     = course->states;
    course->states = states < FEWEST_STATES ? states : FEWEST_STATES;
    double each    = sample(trial) / course->states;
    course->states = states;
    while (course->states > 1 && each * course->states > 4 * limits->call) course->states /= 2;
  }
  double seconds = sample(trial);
  while (seconds < SAMPLE_SECONDS / 2)
  {
    course->calls *= 2;
    seconds = sample(trial);
  }
}

static int ascending(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void summarise(Trial* trial)
{
  double* ns = trial->course->ns;
  int rounds = trial->rounds;
  qsort(ns, (size_t)rounds, sizeof *ns, ascending);
  trial->best   = ns[0];
  trial->median = (ns[(rounds - 1) / 2] + ns[rounds / 2]) / 2;
}

// Rounds until the time is over.
static void race(const BenchLimits* limits, int count, Trial* trials)
{
  double end = now() + limits->seconds;
  for (int round = 0; round < FEWEST_ROUNDS || (round < MAX_ROUNDS && now() < end); ++round)
    for (int i = 0; i < count; ++i)
    {
      Course* course    = trials[i].course;
      int states        = course->calls * (trials[i].mode == TRIAL_BATCH ? course->states : 1);
      course->ns[round] = 1e9 * sample(&trials[i]) / states;
      trials[i].rounds  = round + 1;
    }
}

lwStatus bench_run(const BenchLimits* limits, int count, Trial* trials)
{
  lwStatus status = LW_OK;
  for (int i = 0; i < count; ++i) trials[i].course = NULL;
  for (int i = 0; i < count && status == LW_OK; ++i) status = open_course(&trials[i]);
  for (int i = 0; i < count && status == LW_OK; ++i) calibrate(&trials[i], limits);
  if (status == LW_OK) race(limits, count, trials);
  for (int i = 0; i < count && status == LW_OK; ++i) summarise(&trials[i]);
  for (int i = 0; i < count; ++i) close_course(&trials[i]);
  return status;
}

// True if one call on this robot takes longer than allowed, also if there is no memory for it.
static bool too_slow(const BenchLimits* limits, const lwModel* model, int method)
{
  Trial trial = {.model = model, .method = method, .precision = LW_DOUBLE, .mode = TRIAL_SINGLE};
  bool slow   = open_course(&trial) != LW_OK;
  if (!slow && sample(&trial) > limits->call) slow = sample(&trial) > limits->call;
  close_course(&trial);
  return slow;
}

int bench_too_slow_from(const BenchLimits* limits, const lwModel* model, int method)
{
  int n = lw_model_dof(model);
  for (int m = 8; m < n; m *= 2)
  {
    lwModel* chain = NULL;
    if (lw_model_create_generic(m, &chain) != LW_OK) return m;
    bool slow = too_slow(limits, chain, method);
    lw_model_destroy(chain);
    if (slow) return m;
  }
  return too_slow(limits, model, method) ? n : 0;
}
