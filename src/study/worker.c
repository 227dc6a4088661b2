// SPDX-License-Identifier: MIT
// The share of one thread in a study: from parameters to rows.
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fleet/thread_pool.h"
#include "study/study_internal.h"

enum
{
  MOST_LANES = 64
};

bool lw_record_reserve(lwStudyWorker* worker, long rows)
{
  lwRecord* record = &worker->record;
  record->rows     = 0;
  if (rows <= record->capacity) return true;
  for (int c = 0; c < worker->study->column_count; ++c)
  {
    if (!worker->study->used[c]) continue;
    double* larger = realloc(record->column[c], (size_t)rows * sizeof *larger);
    if (!larger) return false;
    record->column[c] = larger;
  }
  record->capacity = rows;
  return true;
}

static void take_worker(lwStudyWorker* worker)
{
  const lwStudy* study  = worker->study;
  int names             = study->column_count + study->parameter_count + study->measure_count;
  int joints            = study->robot ? lw_model_robot(study->robot)->count : 0;
  lwKeep* keep          = &worker->keep;
  worker->record.column = lw_keep_take(keep, (size_t)study->column_count, sizeof(double*));
  worker->stack         = lw_keep_take(keep, LW_LAW_MAX_STACK * LW_STUDY_BLOCK, sizeof(double));
  worker->names         = lw_keep_take(keep, (size_t)names, sizeof(double*));
  worker->scalar        = lw_keep_take(keep, (size_t)names, sizeof(bool));
  worker->joints        = lw_keep_take(keep, (size_t)joints + 1, sizeof *worker->joints);
  for (int i = study->column_count; worker->scalar && i < names; ++i) worker->scalar[i] = true;
}

lwStatus lw_study_worker_create(const lwStudy* study, const volatile sig_atomic_t* stop,
                                lwDiag* diag, lwStudyWorker** worker)
{
  *worker         = NULL;
  lwStatus status = lw_study_check_commands(study, diag);
  if (status != LW_OK) return status;
  lwStudyWorker* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  made->study = study;
  made->stop  = stop;
  take_worker(made);
  if (!made->keep.failed && study->run) study->run->begin(made);
  if (!made->keep.failed) *worker = made;
  if (!*worker) lw_study_worker_destroy(made);
  return *worker ? LW_OK : LW_ERROR_MEMORY;
}

void lw_study_worker_destroy(lwStudyWorker* worker)
{
  if (!worker) return;
  if (worker->state && worker->study->run->end) worker->study->run->end(worker);
  for (int c = 0; worker->record.column && c < worker->study->column_count; ++c)
    free(worker->record.column[c]);
  free(worker->values);
  lw_keep_free(&worker->keep);
  free(worker);
}

int lw_study_worker_batch(const lwStudyWorker* worker)
{
  const lwRunKind* run = worker->study->run;
  int batch            = run && run->batch ? run->batch(worker->study) : 1;
  return batch < MOST_LANES ? batch : MOST_LANES;
}

static void begin_row(const lwStudy* study, long sample, lwStudyRow* row)
{
  memset(row, 0, sizeof *row);
  row->sample = sample;
  lw_study_draw(study, sample, lw_row_numbers(row));
  for (int i = study->parameter_count; i < lw_study_numbers(study); ++i)
    lw_row_numbers(row)[i] = NAN;
}

// Without a run, the parameters alone are measured.
static lwStatus run_rows(lwStudyWorker* worker, int count, lwStudyRow* const* rows)
{
  const lwRunKind* run = worker->study->run;
  lwStatus status      = LW_OK;
  if (lw_study_worker_batch(worker) > 1) return run->run_batch(worker, count, rows);
  for (int i = 0; i < count && status == LW_OK && !lw_study_stopped(worker); ++i)
    if (run)
      status = run->run(worker, rows[i]);
    else
      lw_study_measure(worker, rows[i]);
  return status;
}

lwStatus lw_study_work(lwStudyWorker* worker, long first, int count, void* rows)
{
  size_t bytes    = lw_study_row_bytes(worker->study);
  int batch       = lw_study_worker_batch(worker);
  lwStatus status = LW_OK;
  for (int i = 0; i < count && status == LW_OK; i += batch)
  {
    lwStudyRow* together[MOST_LANES];
    int n = count - i < batch ? count - i : batch;
    for (int k = 0; k < n; ++k)
    {
      together[k] = (lwStudyRow*)((char*)rows + bytes * (size_t)(i + k));
      begin_row(worker->study, first + i + k, together[k]);
    }
    status = run_rows(worker, n, together);
  }
  return status;
}

// --- on the threads of one machine

// What a chunk should take: few transactions, little to lose.
static const double CHUNK_SECONDS = 0.25;

static const int MOST_IN_CHUNK = 4096;

typedef struct Shared
{
  const lwStudy* study;
  lwResults* results;
  const volatile sig_atomic_t* stop;
  lwStudyTell* tell;
  void* context;
  lwDiag* diag;
  pthread_mutex_t mutex;  // of everything below, and of results
  lwStatus status;
  long computed, goal;
} Shared;

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_stopped(const Shared* shared)
{
  return shared->stop && *shared->stop;
}

static int take_chunk(Shared* shared, int most, long* first)
{
  pthread_mutex_lock(&shared->mutex);
  bool on   = shared->status == LW_OK && !is_stopped(shared);
  int count = on ? lw_results_next(shared->results, most, first) : 0;
  pthread_mutex_unlock(&shared->mutex);
  return count;
}

static void give_chunk(Shared* shared, lwStatus status, const void* rows, int count)
{
  pthread_mutex_lock(&shared->mutex);
  if (status == LW_OK && shared->status == LW_OK && !is_stopped(shared))
  {
    status = lw_results_put(shared->results, rows, count, shared->diag);
    if (status == LW_OK) shared->computed += count;
    lwStudyProgress progress = {lw_results_done(shared->results), shared->goal, shared->computed};
    if (status == LW_OK && shared->tell) shared->tell(shared->context, &progress);
  }
  if (shared->status == LW_OK) shared->status = status;
  pthread_mutex_unlock(&shared->mutex);
}

// How many samples the next chunk has: as many as take the time meant, a multiple of the batch.
static int next_size(int count, int batch, double seconds)
{
  double wanted = seconds > 0 ? count * CHUNK_SECONDS / seconds : 2.0 * count;
  if (wanted > 4.0 * count) wanted = 4.0 * count;
  if (wanted > MOST_IN_CHUNK) wanted = MOST_IN_CHUNK;
  int batches = (int)(wanted / batch);
  return batches > 1 ? batches * batch : batch;
}

static void share_study(void* context, int task, int thread)
{
  Shared* shared        = context;
  lwStudyWorker* worker = NULL;
  void* rows            = NULL;
  int size              = 0, count, batch;
  long first;
  (void)task;
  (void)thread;
  lwStatus status = lw_study_worker_create(shared->study, shared->stop, NULL, &worker);
  batch = size = worker ? lw_study_worker_batch(worker) : 1;
  if (status == LW_OK) rows = malloc(lw_study_row_bytes(shared->study) * MOST_IN_CHUNK);
  if (!rows) give_chunk(shared, status == LW_OK ? LW_ERROR_MEMORY : status, NULL, 0);
  while (rows && (count = take_chunk(shared, size, &first)) > 0)
  {
    double began = seconds_now();
    status       = lw_study_work(worker, first, count, rows);
    size         = next_size(count, batch, seconds_now() - began);
    give_chunk(shared, status, rows, count);
  }
  free(rows);
  lw_study_worker_destroy(worker);
}

lwStatus lw_study_run(const lwStudy* study, lwResults* results, int threads,
                      const volatile sig_atomic_t* stop, lwStudyTell* tell, void* context,
                      lwDiag* diag)
{
  Shared shared = {.study   = study,
                   .results = results,
                   .stop    = stop,
                   .tell    = tell,
                   .context = context,
                   .diag    = diag,
                   .goal    = lw_results_goal(results),
                   .mutex   = PTHREAD_MUTEX_INITIALIZER};
  int count     = lw_thread_count(threads);
  if (lw_study_check_commands(study, diag) != LW_OK) return LW_ERROR_INPUT;
  if (count == 0)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%d threads, expected 0 to %d", threads,
                     LW_MAX_THREADS);
  lwThreadPool* pool = lw_pool_create(count);
  if (!pool) return LW_ERROR_MEMORY;
  lw_pool_run(pool, lw_pool_size(pool), share_study, &shared);
  lw_pool_destroy(pool);
  return shared.status;
}
