// SPDX-License-Identifier: MIT
#if defined(__linux__)
#define _GNU_SOURCE  // sched_getaffinity
#endif
#include "fleet/crew.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

enum
{
  LOOKS = 2000  // at what is awaited before a thread sleeps: a few microseconds
};

typedef struct CrewThread
{
  lwCrew* crew;
  pthread_t thread;
  int number;
} CrewThread;

struct lwCrew
{
  int size;  // threads, the caller's own included
  pthread_mutex_t lock;
  pthread_cond_t begun, done;
  atomic_int round;  // counts runs; a change wakes the hands
  atomic_int busy;   // hands that have not ended this round
  atomic_int next;   // piece
  bool over;
  int count;
  lwCrewWork* work;
  void* context;
  CrewThread hands[];  // (size), the first is the caller
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

// The next run of pieces: a share of what is left, so that all end at about the same time.
static int take_run(lwCrew* crew, int* first)
{
  int next = atomic_load_explicit(&crew->next, memory_order_relaxed), length;
  do
  {
    int left = crew->count - next;
    if (left <= 0) return 0;
    length = left / (2 * crew->size);
    if (length < 1) length = 1;
  } while (!atomic_compare_exchange_weak(&crew->next, &next, next + length));
  *first = next;
  return length;
}

static void do_share(lwCrew* crew, int hand)
{
  int first, length;
  while ((length = take_run(crew, &first)) > 0)
    for (int i = 0; i < length; ++i) crew->work(crew->context, first + i, hand);
}

// --- the hands

// Waits for the round after `seen`.
static int await_round(lwCrew* crew, int seen)
{
  for (int i = 0; i < LOOKS; ++i)
  {
    int round = atomic_load(&crew->round);
    if (round != seen) return round;
  }
  pthread_mutex_lock(&crew->lock);
  while (atomic_load(&crew->round) == seen) pthread_cond_wait(&crew->begun, &crew->lock);
  pthread_mutex_unlock(&crew->lock);
  return atomic_load(&crew->round);
}

static void* work_in_rounds(void* context)
{
  CrewThread* hand = context;
  lwCrew* crew     = hand->crew;
  for (int round = 0;;)
  {
    round = await_round(crew, round);
    if (crew->over) return NULL;
    do_share(crew, hand->number);
    if (atomic_fetch_sub(&crew->busy, 1) != 1) continue;
    pthread_mutex_lock(&crew->lock);
    pthread_cond_signal(&crew->done);
    pthread_mutex_unlock(&crew->lock);
  }
}

static void begin_round(lwCrew* crew)
{
  pthread_mutex_lock(&crew->lock);
  atomic_store(&crew->busy, crew->size - 1);
  atomic_fetch_add(&crew->round, 1);
  pthread_cond_broadcast(&crew->begun);
  pthread_mutex_unlock(&crew->lock);
}

static void end_round(lwCrew* crew)
{
  for (int i = 0; i < LOOKS; ++i)
    if (atomic_load(&crew->busy) == 0) return;
  pthread_mutex_lock(&crew->lock);
  while (atomic_load(&crew->busy) > 0) pthread_cond_wait(&crew->done, &crew->lock);
  pthread_mutex_unlock(&crew->lock);
}

void lw_crew_run(lwCrew* crew, int count, lwCrewWork* work, void* context)
{
  if (crew->size == 1 || count < 2)
  {
    for (int i = 0; i < count; ++i) work(context, i, 0);
    return;
  }
  crew->count   = count;
  crew->work    = work;
  crew->context = context;
  atomic_store(&crew->next, 0);
  begin_round(crew);
  do_share(crew, 0);
  end_round(crew);
}

// --- life

// The hands leave signals to the threads of the program.
static void start_hands(lwCrew* crew, int threads)
{
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  for (int i = 1; i < threads; ++i)
  {
    CrewThread* hand = &crew->hands[i];
    *hand            = (CrewThread){.crew = crew, .number = i};
    if (pthread_create(&hand->thread, NULL, work_in_rounds, hand) != 0) break;
    ++crew->size;
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

lwCrew* lw_crew_create(int threads)
{
  lwCrew* crew = calloc(1, sizeof *crew + (size_t)threads * sizeof *crew->hands);
  if (!crew) return NULL;
  crew->size = 1;
  pthread_mutex_init(&crew->lock, NULL);
  pthread_cond_init(&crew->begun, NULL);
  pthread_cond_init(&crew->done, NULL);
  start_hands(crew, threads);
  return crew;
}

void lw_crew_destroy(lwCrew* crew)
{
  if (!crew) return;
  crew->over = true;
  begin_round(crew);
  for (int i = 1; i < crew->size; ++i) pthread_join(crew->hands[i].thread, NULL);
  pthread_cond_destroy(&crew->done);
  pthread_cond_destroy(&crew->begun);
  pthread_mutex_destroy(&crew->lock);
  free(crew);
}

int lw_crew_size(const lwCrew* crew)
{
  return crew->size;
}
