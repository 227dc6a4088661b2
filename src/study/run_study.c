// SPDX-License-Identifier: MIT
// A study on the threads of one machine: each takes the next samples, computes and stores them.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "fleet/thread_pool.h"
#include "study/study_internal.h"

static const double CHUNK_SECONDS =
    0.25;  // what a chunk should take: few transactions, little to lose

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
