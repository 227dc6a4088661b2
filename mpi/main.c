// SPDX-License-Identifier: MIT
// linkwork-mpi study STUDY.yaml --out results.db: `linkwork study` on the ranks of MPI. A separate
// program, so that `linkwork` itself does not need MPI.
//
//   rank 0: writes the database and hands out samples; one of its threads computes, too
//   others: keep two chunks requested, so that the next is there when one is done
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app.h"
#include "io/note.h"
#include "io/progress.h"
#include "study/study_command.h"

enum
{
  TAG_ROWS   = 1,  // worker to master: a Head, then the rows; also requests more
  TAG_WORK   = 2,  // master to worker: a Head; count 0: no more work
  MOST       = 4096,
  IN_ADVANCE = 2  // chunks that a worker keeps requested
};

static const double CHUNK_SECONDS = 0.25;  // target time of a chunk

typedef struct Head
{
  long first;
  int count;
  int wanted;  // samples of the next chunk
} Head;

// The data of a rank.
typedef struct Rank
{
  int rank, ranks;
  lwStudy* study;
  lwStudyWorker* worker;
  char* message;  // a Head and MOST rows
  size_t bytes;   // of a row
} Rank;

static void* rows_of(const Rank* own)
{
  return own->message + sizeof(Head);
}

static int message_bytes(const Rank* own, int count)
{
  return (int)(sizeof(Head) + own->bytes * (size_t)count);
}

// Computes a chunk; returns how many samples take the given time.
static int compute(const Rank* own, const Head* head, void* rows, double seconds, lwStatus* status)
{
  int batch    = lw_study_worker_batch(own->worker);
  double began = clock_now();
  *status      = lw_study_work(own->worker, head->first, head->count, rows);
  double each  = (clock_now() - began) / head->count;
  double count = each > 0 ? seconds / each : MOST;
  if (count > 4.0 * head->count) count = 4.0 * head->count;
  if (count > MOST) count = MOST;
  int batches = (int)(count / batch);
  return batches > 1 ? batches * batch : batch;
}

// --- workers

static void work(const Rank* own)
{
  Head head = {.wanted = lw_study_worker_batch(own->worker)};
  int ended = 0;
  memcpy(own->message, &head, sizeof head);
  for (int i = 0; i < IN_ADVANCE; ++i)
    MPI_Send(own->message, message_bytes(own, 0), MPI_BYTE, 0, TAG_ROWS, MPI_COMM_WORLD);
  while (ended < IN_ADVANCE)
  {
    lwStatus status;
    MPI_Recv(&head, sizeof head, MPI_BYTE, 0, TAG_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ended += head.count == 0;
    if (head.count == 0) continue;
    head.wanted = compute(own, &head, rows_of(own), CHUNK_SECONDS, &status);
    if (status != LW_OK)
      MPI_Abort(MPI_COMM_WORLD, INPUT);  // the database is consistent and can be resumed
    memcpy(own->message, &head, sizeof head);
    MPI_Send(own->message, message_bytes(own, head.count), MPI_BYTE, 0, TAG_ROWS, MPI_COMM_WORLD);
  }
}

// --- the master: one thread talks to the other ranks and another computes, so that ranks never
// wait for rank 0 to finish a chunk

typedef struct Master
{
  const Rank* own;
  int waiting;  // requests not yet answered with "no more work"
  double began;
  char* rows;             // (MOST) computed by rank 0
  pthread_mutex_t mutex;  // guards everything below
  lwResults* results;
  lwDiag* diag;
  lwStatus status;
  long left;  // samples not handed out yet
  long goal;  // samples in total
  long computed;
} Master;

static void keep_rows(Master* master, const void* rows, int count)
{
  pthread_mutex_lock(&master->mutex);
  if (count > 0 && master->status == LW_OK)
  {
    master->status = lw_results_put(master->results, rows, count, master->diag);
    master->computed += count;
    double seconds = clock_now() - master->began;
    double rate    = seconds > 0 ? (double)master->computed / seconds : 0;
    long done      = lw_results_done(master->results);
    progress_show(-1, "%ld of %ld, %.4g/s, %.0f s left", done, master->goal, rate,
                  rate > 0 ? (double)(master->goal - done) / rate : 0);
  }
  pthread_mutex_unlock(&master->mutex);
}

// Hands out the next samples to a rank that wants so many: fewer towards the end, so that all ranks
// finish at about the same time, and none after a failure.
static int hand_out(Master* master, int wanted, long* first)
{
  int batch = lw_study_worker_batch(master->own->worker);
  pthread_mutex_lock(&master->mutex);
  long fair = master->left / (2L * master->own->ranks), least = wanted / 8;
  fair = (fair > least ? fair : least) / batch * batch;
  if (fair < batch) fair = batch;
  if (wanted > fair) wanted = (int)fair;
  int count = master->status == LW_OK ? lw_results_next(master->results, wanted, first) : 0;
  master->left -= count;
  pthread_mutex_unlock(&master->mutex);
  return count;
}

// Receives one message and answers it.
static void serve(Master* master)
{
  MPI_Status from;
  Head head, next = {0};
  MPI_Recv(master->own->message, message_bytes(master->own, MOST), MPI_BYTE, MPI_ANY_SOURCE,
           TAG_ROWS, MPI_COMM_WORLD, &from);
  memcpy(&head, master->own->message, sizeof head);
  keep_rows(master, rows_of(master->own), head.count);
  next.count = hand_out(master, head.wanted, &next.first);
  master->waiting -= next.count == 0;
  MPI_Send(&next, sizeof next, MPI_BYTE, from.MPI_SOURCE, TAG_WORK, MPI_COMM_WORLD);
}

// Probes and sleeps: a blocking MPI call would busy-wait and take the core from the thread that
// computes.
static void serve_all(Master* master)
{
  const struct timespec moment = {.tv_nsec = 500000};
  master->waiting              = IN_ADVANCE * (master->own->ranks - 1);
  while (master->waiting > 0)
  {
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_ROWS, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there)
      serve(master);
    else
      nanosleep(&moment, NULL);
  }
}

static void* compute_own(void* context)
{
  Master* master  = context;
  const Rank* own = master->own;
  Head head       = {.wanted = lw_study_worker_batch(own->worker)};
  while ((head.count = hand_out(master, head.wanted, &head.first)) > 0)
  {
    lwStatus status;
    head.wanted = compute(own, &head, master->rows, CHUNK_SECONDS, &status);
    if (status == LW_OK)
      keep_rows(master, master->rows, head.count);
    else
    {
      pthread_mutex_lock(&master->mutex);
      master->status = status;
      pthread_mutex_unlock(&master->mutex);
    }
  }
  return NULL;
}

static void lead(Master* master)
{
  pthread_t thread;
  if (pthread_create(&thread, NULL, compute_own, master) != 0)
    MPI_Abort(MPI_COMM_WORLD, no_memory());
  serve_all(master);
  pthread_join(thread, NULL);
}

static int lead_study(const Rank* own, const Options* options, const int part[2])
{
  const char* path = options->value[OPTION_OUT];
  Master master    = {.own   = own,
                      .diag  = lw_diag_create(),
                      .began = clock_now(),
                      .mutex = PTHREAD_MUTEX_INITIALIZER};
  master.rows      = malloc(own->bytes * MOST);
  if (!master.diag || !master.rows) MPI_Abort(MPI_COMM_WORLD, no_memory());
  master.status = lw_results_open(own->study, path, options->value[OPTION_RESUME] != NULL,
                                  master.diag, &master.results);
  if (master.status == LW_OK)
    master.status = lw_results_only(master.results, part[0], part[1], master.diag);
  int go = master.status == LW_OK;
  if (go) master.goal = lw_results_goal(master.results);
  if (go) master.left = master.goal - lw_results_done(master.results);
  MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (go) lead(&master);
  progress_clear();
  int status = study_refused(master.diag, path, master.status);
  if (status == DONE) warn_faults(master.results, path);
  if (status == DONE)
    note("%ld samples in %s, %ld of them now, on %d ranks in %.3g s",
         lw_results_done(master.results), path, master.computed, own->ranks,
         clock_now() - master.began);
  lw_results_close(master.results);
  lw_diag_destroy(master.diag);
  free(master.rows);
  return status;
}

static int follow(const Rank* own)
{
  int go = 0;
  MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (go) work(own);
  return DONE;
}

// The program linkwork in the folder of this one; NULL: there is none.
static const char* companion(char path[PATH_MAX])
{
  char* slash = own_program(path) ? strrchr(path, '/') : NULL;
  if (!slash || slash + sizeof "/linkwork" > path + PATH_MAX) return NULL;
  strcpy(slash, "/linkwork");
  return access(path, X_OK) == 0 ? path : NULL;
}

// The worst exit code of all ranks: none goes on alone.
static int agree(int status)
{
  int worst = status;
  MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

static Rank this_rank;
static bool agreed;  // that all ranks have what they need

static int run_rank(const Options* options)
{
  Rank* own = &this_rank;
  int part[2];
  char program[PATH_MAX];
  if (options->value[OPTION_SAMPLE] || options->value[OPTION_THREADS])
    stop(USAGE, "--sample and --threads are for 'linkwork study': here a rank is a thread");
  if (!options->value[OPTION_OUT])
    stop(USAGE, "study: --out FILE names the database of the results");
  part_of(options, part);
  own->study = study_of(options, companion(program));
  need_ok(lw_study_worker_create(own->study, NULL, NULL, &own->worker));
  hold_worker(own->worker);
  own->bytes   = lw_study_row_bytes(own->study);
  own->message = allocate(sizeof(Head) + own->bytes * MOST, 1);
  agreed       = true;
  need(agree(DONE));
  return own->rank == 0 ? lead_study(own, options, part) : follow(own);
}

int main(int count, char** arguments)
{
  int threads = 0, status = USAGE;
  // waiting ranks yield their core; by default Open MPI busy-waits
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &this_rank.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &this_rank.ranks);
  if (this_rank.rank > 0 && !freopen("/dev/null", "w", stderr))
    MPI_Abort(MPI_COMM_WORLD, INPUT);  // rank 0 prints the error
  commands_open();
  if (count < 2 || strcmp(arguments[1], "study") != 0)
    fail(USAGE, "expected linkwork-mpi study STUDY --out FILE; 'linkwork help study' says more");
  else
    status = command_line_run(command_find("study"), count - 2, arguments + 2, run_rank);
  if (!agreed) status = agree(status);
  MPI_Finalize();
  return status;
}
