// SPDX-License-Identifier: MIT
#include "measure.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/random.h"
#include "bench_states.h"
#include "linkwork/fleet.h"
#include "race.h"

enum
{
  BATCH_STATES = 1024,
  RING_STATES  = 64,
  BATCH_BYTES  = 256 << 10,  // states and answers of a batch fit into the second-level cache
  RING_BYTES =
      12 << 10,        // those of single calls fit into the first-level cache, beside the workspace
  FEWEST_STATES = 16,  // as many as the widest vector has lanes, if BYTES_MAX allows
  THREAD_STATES = 128,  // per thread, so that each has enough work, whatever the cache size
  BYTES_MAX     = 32 << 20
};

// Data of a running trial.
typedef struct MeasureCourse
{
  lwWorkspace* ws;               // NULL for a peer and for several threads
  lwBatch* batch;                // for several threads
  lwSnakeWorkspace* snake_ws;    // for a snake
  double* snake_values;          // theta of all its states, then u, then torques
  lwLoops* loops;                // with closed loops
  lwFormulations* formulations;  // of these
  lwQuestion question;
  int states;  // in the ring or the batch
  Ring ring;
  double* out;
  int next;  // next state of the ring
} MeasureCourse;

// Bytes of one state and its answer.
static size_t state_bytes(const lwModel* model, lwQuestion question)
{
  size_t inputs = 4 * (size_t)lw_model_dof(model);
  return (inputs + lw_question_outputs(model, question)) * sizeof(double);
}

static int state_count(const BenchTrial* trial, lwQuestion question)
{
  size_t bytes = trial->snake ? (3 * (size_t)lw_snake_count(trial->snake) + 3) * sizeof(double)
                              : state_bytes(trial->model, question);
  bool batch   = trial->mode == TRIAL_BATCH;
  size_t count = batch ? BATCH_STATES : RING_STATES;
  while (count > FEWEST_STATES && bytes * count > (batch ? BATCH_BYTES : RING_BYTES)) count /= 2;
  if (trial->threads > 1)
    count = (count > THREAD_STATES ? count : THREAD_STATES) * (size_t)trial->threads;
  while (count > 1 && bytes * count > BYTES_MAX) count /= 2;
  return (int)count;
}

static void call_batch(void* context, int calls)
{
  const BenchTrial* trial = context;
  MeasureCourse* course   = trial->course;
  for (int k = 0; k < calls; ++k)
    lw_answer_many(trial->model, course->ws, course->question, course->states,
                   &course->ring.states[0], course->out);
}

static void call_threads(void* context, int calls)
{
  const BenchTrial* trial = context;
  MeasureCourse* course   = trial->course;
  for (int k = 0; k < calls; ++k)
    lw_batch_answer(course->batch, course->question, course->states, &course->ring.states[0],
                    course->out);
}

static void next_state(MeasureCourse* course)
{
  course->next = course->next + 1 < course->states ? course->next + 1 : 0;
}

static void call_peer(void* context, int calls)
{
  const BenchTrial* trial = context;
  MeasureCourse* course   = trial->course;
  for (int k = 0; k < calls; ++k, next_state(course))
  {
    const lwStates* s = &course->ring.states[course->next];
    const double* x   = course->question == LW_QUESTION_FORWARD ? s->tau : s->qdd;
    trial->peer->run(trial->peer_arm, s->q, s->qd, x, course->out);
  }
}

// One state per call, in turn.
static void call_single(void* context, int calls)
{
  const BenchTrial* trial = context;
  MeasureCourse* course   = trial->course;
  for (int k = 0; k < calls; ++k, next_state(course))
    lw_answer(trial->model, course->ws, course->question, &course->ring.states[course->next],
              course->out);
}

static void call_packed(void* context, int calls)
{
  const BenchTrial* trial = context;
  MeasureCourse* course   = trial->course;
  for (int k = 0; k < calls; ++k, next_state(course))
    lw_inertia_matrix_packed(trial->model, course->ws, course->ring.states[course->next].q,
                             course->out);
}

// Generated code: states in turn, or many at once.
static void call_special_single(void* context, int calls)
{
  const BenchTrial* trial = context;
  MeasureCourse* course   = trial->course;
  for (int k = 0; k < calls; ++k, next_state(course))
    lw_specialised_answer(trial->special, course->question, &course->ring.states[course->next],
                          course->out);
}

static void call_special_batch(void* context, int calls)
{
  const BenchTrial* trial = context;
  MeasureCourse* course   = trial->course;
  for (int k = 0; k < calls; ++k)
    lw_specialised_answer_many(trial->special, course->question, course->states,
                               &course->ring.states[0], course->out);
}

// --- snakes: udot and omega, which a simulation needs

static lwSnakeStates snake_state(const BenchTrial* trial, int k)
{
  const MeasureCourse* course = trial->course;
  size_t n = (size_t)lw_snake_count(trial->snake), states = (size_t)course->states, at = (size_t)k;
  const double* u = course->snake_values + n * states;
  return (lwSnakeStates){course->snake_values + n * at, u + 2 * at, u + 2 * states + (n - 1) * at};
}

static void call_snake(void* context, int calls)
{
  const BenchTrial* trial = context;
  MeasureCourse* course   = trial->course;
  for (int k = 0; k < calls; ++k, next_state(course))
  {
    lwSnakeStates state    = snake_state(trial, course->next);
    lwSnakeAnswers answers = {.udot = course->out, .omega = course->out + 2};
    lw_snake_answer(trial->snake, course->snake_ws, &state, &answers);
  }
}

static void call_snake_batch(void* context, int calls)
{
  const BenchTrial* trial = context;
  MeasureCourse* course   = trial->course;
  lwSnakeStates states    = snake_state(trial, 0);
  lwSnakeAnswers answers  = {.udot = course->out, .omega = course->out + 2 * course->states};
  for (int k = 0; k < calls; ++k)
    lw_snake_answer_many(trial->snake, course->snake_ws, course->states, &states, &answers);
}

static lwStatus open_snake(BenchTrial* trial)
{
  MeasureCourse* course   = trial->course;
  lwSnakeWorkspaceDef def = lw_snake_workspace_def();
  lwRandom random         = {7};
  size_t n                = (size_t)lw_snake_count(trial->snake);
  course->states          = state_count(trial, LW_QUESTION_SNAKE);
  size_t states = (size_t)course->states, values = (2 * n + 1) * states;
  course->snake_values = malloc(values * sizeof *course->snake_values);
  course->out          = malloc((n + 2) * states * sizeof *course->out);
  if (!course->snake_values || !course->out) return LW_ERROR_MEMORY;
  for (size_t i = 0; i < values; ++i) course->snake_values[i] = lw_random_between(&random, -1, 1);
  def.method    = lw_snake_method(trial->method)->name;
  def.precision = trial->precision;
  return lw_snake_workspace_create(trial->snake, &def, NULL, &course->snake_ws);
}

// --- closed loops

static void call_closed(void* context, int calls)
{
  const BenchTrial* trial = context;
  MeasureCourse* course   = trial->course;
  for (int k = 0; k < calls; ++k, next_state(course))
  {
    const lwStates* state = &course->ring.states[course->next];
    if (trial->method < 0)
      lw_loops_forward(course->loops, state, course->out, NULL);
    else
      lw_formulations_forward(course->formulations, trial->method, state, course->out, NULL);
  }
}

// Positions of the ring become closed ones near the file's, velocities such as keep them closed.
static void close_ring(const BenchTrial* trial, double* start, double* step)
{
  MeasureCourse* course = trial->course;
  size_t n = (size_t)lw_model_dof(trial->model), nq = (size_t)lw_model_nq(trial->model);
  lwRandom random = {7};
  lw_model_start(trial->model, start);
  for (size_t k = 0; k < (size_t)course->states; ++k)
  {
    double* q = course->ring.values + nq * k;
    for (size_t i = 0; i < n; ++i) step[i] = lw_random_between(&random, -0.05, 0.05);
    lw_model_integrate(trial->model, start, step, q);
    lw_loops_project(course->loops, q, course->ring.values + nq * (size_t)course->states + n * k);
  }
}

static lwStatus open_closed(BenchTrial* trial)
{
  MeasureCourse* course = trial->course;
  size_t n = (size_t)lw_model_dof(trial->model), nq = (size_t)lw_model_nq(trial->model);
  double* start   = malloc((n + nq) * sizeof *start);
  course->states  = state_count(trial, LW_QUESTION_FORWARD);
  course->out     = malloc(n * sizeof *course->out);
  lwStatus status = start && course->out ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK && !ring_fill(&course->ring, trial->model, course->states))
    status = LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_loops_create(trial->model, NULL, NULL, &course->loops);
  if (status == LW_OK && trial->method >= 0)
    status = lw_formulations_create(trial->model, false, NULL, &course->formulations);
  if (status == LW_OK) close_ring(trial, start, start + nq);
  free(start);
  return status;
}

static Racer racer_of(BenchTrial* trial)
{
  bool batch = trial->mode == TRIAL_BATCH;
  return (Racer){.run     = trial->closed    ? call_closed
                            : trial->snake   ? (batch ? call_snake_batch : call_snake)
                            : trial->special ? (batch ? call_special_batch : call_special_single)
                            : trial->peer    ? call_peer
                            : trial->threads > 1          ? call_threads
                            : trial->mode == TRIAL_PACKED ? call_packed
                            : batch                       ? call_batch
                                                          : call_single,
                 .context = trial,
                 .states  = batch ? trial->course->states : 1};
}

static void close_run_loop(BenchTrial* trial)
{
  MeasureCourse* course = trial->course;
  trial->course         = NULL;
  if (!course) return;
  lw_workspace_destroy(course->ws);
  lw_batch_destroy(course->batch);
  lw_snake_workspace_destroy(course->snake_ws);
  lw_formulations_destroy(course->formulations);
  lw_loops_destroy(course->loops);
  free(course->snake_values);
  ring_free(&course->ring);
  free(course->out);
  free(course);
}

static lwWorkspaceDef work_def(int method, lwPrecision precision)
{
  const lwMethod* named = lw_method(method);
  lwWorkspaceDef def    = lw_workspace_def();
  def.precision         = precision;
  def.questions         = LW_ASKS(named->question);
  lw_workspace_def_set_method(&def, named->question, named->name);
  return def;
}

static lwStatus open_run_loop(BenchTrial* trial)
{
  MeasureCourse* course = trial->course = calloc(1, sizeof *course);
  if (!course) return LW_ERROR_MEMORY;
  if (trial->snake) return open_snake(trial);
  if (trial->closed) return open_closed(trial);
  course->question = lw_method(trial->method)->question;
  course->states   = state_count(trial, course->question);
  size_t rows      = trial->mode == TRIAL_BATCH ? (size_t)course->states : 1;
  course->out =
      malloc(rows * lw_question_outputs(trial->model, course->question) * sizeof *course->out);
  if (!ring_fill(&course->ring, trial->model, course->states) || !course->out)
    return LW_ERROR_MEMORY;
  lwWorkspaceDef def = work_def(trial->method, trial->precision);
  if (trial->peer) return LW_OK;
  if (trial->threads > 1)
    return lw_batch_create(trial->model, &def, trial->threads, NULL, &course->batch);
  return lw_workspace_create(trial->model, &def, NULL, &course->ws);
}

// Shortens a batch whose calls would take too long.
static void shorten_batch(BenchTrial* trial, const BenchLimits* limits)
{
  MeasureCourse* course = trial->course;
  if (trial->mode != TRIAL_BATCH) return;
  int states     = course->states;
  course->states = states < FEWEST_STATES ? states : FEWEST_STATES;
  Racer racer    = racer_of(trial);
  double each    = race_sample(&racer, 1) / course->states;
  course->states = states;
  while (course->states > 1 && each * course->states > 4 * limits->call) course->states /= 2;
}

static const char* isa_of(const MeasureCourse* course)
{
  if (course->batch) return lw_workspace_isa(lw_batch_workspace(course->batch, 0));
  if (course->snake_ws) return lw_snake_workspace_isa(course->snake_ws);
  if (course->loops) return lw_workspace_isa(lw_loops_workspace(course->loops));
  return course->ws ? lw_workspace_isa(course->ws) : NULL;
}

// Races the single-threaded trials, or the others.
static lwStatus race_trials(double seconds, bool threads, int count, BenchTrial* trials)
{
  Racer* racers        = calloc((size_t)count + 1, sizeof *racers);
  BenchTrial** runners = calloc((size_t)count + 1, sizeof(BenchTrial*));
  int running          = 0;
  for (int i = 0; i < count && racers && runners; ++i)
    if (threads == (trials[i].threads > 1))
    {
      runners[running]  = &trials[i];
      racers[running++] = racer_of(&trials[i]);
    }
  lwStatus status = racers && runners ? race_run(seconds, running, racers) : LW_ERROR_MEMORY;
  for (int i = 0; i < running; ++i)
  {
    runners[i]->isa    = isa_of(runners[i]->course);
    runners[i]->best   = racers[i].best;
    runners[i]->median = racers[i].median;
    runners[i]->rounds = racers[i].rounds;
  }
  free(racers);
  free(runners);
  return status;
}

lwStatus bench_run(const BenchLimits* limits, int count, BenchTrial* trials)
{
  lwStatus status = LW_OK;
  for (int i = 0; i < count; ++i) trials[i].course = NULL;
  for (int i = 0; i < count && status == LW_OK; ++i) status = open_run_loop(&trials[i]);
  for (int i = 0; i < count && status == LW_OK; ++i) shorten_batch(&trials[i], limits);
  if (status == LW_OK) status = race_trials(limits->seconds, false, count, trials);
  if (status == LW_OK) status = race_trials(limits->seconds, true, count, trials);
  for (int i = 0; i < count; ++i) close_run_loop(&trials[i]);
  return status;
}

double bench_call_seconds(BenchTrial* trial)
{
  double best = -1;
  if (open_run_loop(trial) == LW_OK)
  {
    Racer racer  = racer_of(trial);
    double first = race_sample(&racer, 1), second = race_sample(&racer, 1);
    best = first < second ? first : second;
  }
  close_run_loop(trial);
  return best;
}

// True if one call on this robot takes longer than allowed, or if memory runs out.
static bool too_slow(const BenchLimits* limits, const lwModel* model, int method)
{
  BenchTrial trial = {
      .model = model, .method = method, .precision = LW_PRECISION_DOUBLE, .mode = TRIAL_SINGLE};
  double s = bench_call_seconds(&trial);
  return s < 0 || s > limits->call;
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

int bench_threads(void)
{
  lwModel* model = NULL;
  lwBatch* batch = NULL;
  int threads    = 1;
  if (lw_model_create_generic(1, &model) == LW_OK &&
      lw_batch_create(model, NULL, 0, NULL, &batch) == LW_OK)
    threads = lw_batch_threads(batch);
  lw_batch_destroy(batch);
  lw_model_destroy(model);
  return threads;
}
