// SPDX-License-Identifier: MIT
#include "measure.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/random.h"
#include "race.h"

enum
{
  BATCH_STATES  = 1024,
  RING_STATES   = 64,
  BATCH_BYTES   = 256 << 10,  // states and answers of a batch stay in the second-level cache
  RING_BYTES    = 12 << 10,   // those of single calls in the first, beside the workspace
  FEWEST_STATES = 16,         // as many as the widest vector has lanes, unless BYTES_MAX forbids it
  BYTES_MAX     = 32 << 20
};

// What a running trial needs.
typedef struct Course
{
  lwWork* work;
  lwQuestion question;
  int states;      // in the ring or the batch
  double* values;  // q, qd, qdd, tau of all states
  double* out;
  lwStates* ring;  // (states) each state by itself
  int next;        // state of the ring
} Course;

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

static void call_batch(void* context, int calls)
{
  const Trial* trial = context;
  Course* course     = trial->course;
  for (int k = 0; k < calls; ++k)
    lw_answer_many(trial->model, course->work, course->question, course->states, &course->ring[0],
                   course->out);
}

// States in turn.
static void call_single(void* context, int calls)
{
  const Trial* trial = context;
  Course* course     = trial->course;
  for (int k = 0; k < calls; ++k)
  {
    lw_answer(trial->model, course->work, course->question, &course->ring[course->next],
              course->out);
    course->next = course->next + 1 < course->states ? course->next + 1 : 0;
  }
}

static Racer racer_of(Trial* trial)
{
  bool batch = trial->mode == TRIAL_BATCH;
  return (Racer){.run     = batch ? call_batch : call_single,
                 .context = trial,
                 .states  = batch ? trial->course->states : 1};
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
  def.questions         = LW_ASKS(named->question);
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

// Makes a batch short enough to be waited for.
static void shorten_batch(Trial* trial, const BenchLimits* limits)
{
  Course* course = trial->course;
  if (trial->mode != TRIAL_BATCH) return;
  int states     = course->states;
  course->states = states < FEWEST_STATES ? states : FEWEST_STATES;
  Racer racer    = racer_of(trial);
  double each    = race_sample(&racer, 1) / course->states;
  course->states = states;
  while (course->states > 1 && each * course->states > 4 * limits->call) course->states /= 2;
}

static lwStatus race_trials(const BenchLimits* limits, int count, Trial* trials)
{
  Racer* racers = calloc((size_t)count + 1, sizeof *racers);
  if (!racers) return LW_ERROR_MEMORY;
  for (int i = 0; i < count; ++i)
  {
    shorten_batch(&trials[i], limits);
    racers[i] = racer_of(&trials[i]);
  }
  lwStatus status = race_run(limits->seconds, count, racers);
  for (int i = 0; i < count; ++i)
  {
    trials[i].isa    = lw_work_isa(trials[i].course->work);
    trials[i].best   = racers[i].best;
    trials[i].median = racers[i].median;
    trials[i].rounds = racers[i].rounds;
  }
  free(racers);
  return status;
}

lwStatus bench_run(const BenchLimits* limits, int count, Trial* trials)
{
  lwStatus status = LW_OK;
  for (int i = 0; i < count; ++i) trials[i].course = NULL;
  for (int i = 0; i < count && status == LW_OK; ++i) status = open_course(&trials[i]);
  if (status == LW_OK) status = race_trials(limits, count, trials);
  for (int i = 0; i < count; ++i) close_course(&trials[i]);
  return status;
}

// True if one call on this robot takes longer than allowed, also if there is no memory for it.
static bool too_slow(const BenchLimits* limits, const lwModel* model, int method)
{
  Trial trial = {.model = model, .method = method, .precision = LW_DOUBLE, .mode = TRIAL_SINGLE};
  bool slow   = open_course(&trial) != LW_OK;
  Racer racer = slow ? (Racer){0} : racer_of(&trial);
  if (!slow && race_sample(&racer, 1) > limits->call) slow = race_sample(&racer, 1) > limits->call;
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
