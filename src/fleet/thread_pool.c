// SPDX-License-Identifier: MIT
#if defined(__linux__)
#define _GNU_SOURCE  // sched_getaffinity
#endif
#include "fleet/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static const int LOOKS = 2000;  // at what is awaited before a thread sleeps: a few microseconds

typedef struct PoolThread
{
  lwThreadPool* pool;
  pthread_t thread;
  int number;
} PoolThread;

struct lwThreadPool
{
  int size;  // threads, the caller's own included
  pthread_mutex_t lock;
  pthread_cond_t begun, done;
  atomic_int round;  // counts runs; a change wakes the workers
  atomic_int busy;   // workers that have not ended this round
  atomic_int next;   // task
  bool over;
  int count;
  lwPoolTask* work;
  void* context;
  PoolThread workers[];  // (size), the first is the caller
};

int lw_thread_count(int asked)
{
  if (asked < 0 || asked > LW_MAX_THREADS) return 0;
  if (asked > 0) return asked;
  long count = sysconf(_SC_NPROCESSORS_ONLN);
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
#endif
  return count < 1 ? 1 : count > LW_MAX_THREADS ? LW_MAX_THREADS : (int)count;
}

// --- work

// Takes runs of tasks: a share of what is left, so that all workers end at about the same time.
static void do_share(lwThreadPool* pool, int worker)
{
  int next = atomic_load_explicit(&pool->next, memory_order_relaxed);
  for (int left; (left = pool->count - next) > 0;)
  {
    int length = left < 4 * pool->size ? 1 : left / (2 * pool->size);
    if (!atomic_compare_exchange_weak(&pool->next, &next, next + length)) continue;
    for (int i = 0; i < length; ++i) pool->work(pool->context, next + i, worker);
    next = atomic_load_explicit(&pool->next, memory_order_relaxed);
  }
}

// --- the workers

// Waits for the round after `seen`.
static int await_round(lwThreadPool* pool, int seen)
{
  for (int i = 0; i < LOOKS; ++i)
  {
    int round = atomic_load(&pool->round);
    if (round != seen) return round;
  }
  pthread_mutex_lock(&pool->lock);
  while (atomic_load(&pool->round) == seen) pthread_cond_wait(&pool->begun, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
  return atomic_load(&pool->round);
}

static void* work_in_rounds(void* context)
{
  PoolThread* worker = context;
  lwThreadPool* pool = worker->pool;
  for (int round = 0;;)
  {
    round = await_round(pool, round);
    if (pool->over) return NULL;
    do_share(pool, worker->number);
    if (atomic_fetch_sub(&pool->busy, 1) != 1) continue;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->lock);
  }
}

static void begin_round(lwThreadPool* pool)
{
  pthread_mutex_lock(&pool->lock);
  atomic_store(&pool->busy, pool->size - 1);
  atomic_fetch_add(&pool->round, 1);
  pthread_cond_broadcast(&pool->begun);
  pthread_mutex_unlock(&pool->lock);
}

void lw_pool_run(lwThreadPool* pool, int count, lwPoolTask* work, void* context)
{
  if (pool->size == 1 || count < 2)
  {
    for (int i = 0; i < count; ++i) work(context, i, 0);
    return;
  }
  pool->count   = count;
  pool->work    = work;
  pool->context = context;
  atomic_store(&pool->next, 0);
  begin_round(pool);
  do_share(pool, 0);
  for (int i = 0; i < LOOKS; ++i)
    if (atomic_load(&pool->busy) == 0) return;
  pthread_mutex_lock(&pool->lock);
  while (atomic_load(&pool->busy) > 0) pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

// --- life

// Worker threads leave signals to the other threads of the program.
static void start_workers(lwThreadPool* pool, int threads)
{
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  for (int i = 1; i < threads; ++i)
  {
    PoolThread* worker = &pool->workers[i];
    *worker            = (PoolThread){.pool = pool, .number = i};
    if (pthread_create(&worker->thread, NULL, work_in_rounds, worker) != 0) break;
    ++pool->size;
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

lwThreadPool* lw_pool_create(int threads)
{
  lwThreadPool* pool = calloc(1, sizeof *pool + (size_t)threads * sizeof *pool->workers);
  if (!pool) return NULL;
  pool->size = 1;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->begun, NULL);
  pthread_cond_init(&pool->done, NULL);
  start_workers(pool, threads);
  return pool;
}

void lw_pool_destroy(lwThreadPool* pool)
{
  if (!pool) return;
  pool->over = true;
  begin_round(pool);
  for (int i = 1; i < pool->size; ++i) pthread_join(pool->workers[i].thread, NULL);
  pthread_cond_destroy(&pool->done);
  pthread_cond_destroy(&pool->begun);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

int lw_pool_size(const lwThreadPool* pool)
{
  return pool->size;
}
