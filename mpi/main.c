// SPDX-License-Identifier: MIT
// linkwork-mpi study STUDY.yaml --out results.db: `linkwork study` on the ranks of MPI. A program
// of its own, so that the plain one does not need MPI.
//
//   rank 0: database, hands out samples, computes small chunks between messages
//   others: always have two chunks asked for, so that one is there when the other is done
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app.h"
#include "io/note.h"
#include "io/progress.h"
#include "study/study_command.h"

enum
{
  TAG_ROWS   = 1,  // worker to master: a Head, then the rows; it asks for more
  TAG_WORK   = 2,  // master to worker: a Head; count 0: there is no more
  MOST       = 4096,
  IN_ADVANCE = 2  // chunks that a worker has asked for
};

static const double WORKER_SECONDS = 0.25, MASTER_SECONDS = 0.03;  // what chunks should take

typedef struct Head
{
  long first;
  int count;
  int wanted;  // samples of the next chunk
} Head;

// What a rank has.
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
    head.wanted = compute(own, &head, rows_of(own), WORKER_SECONDS, &status);
    if (status != LW_OK)
      MPI_Abort(MPI_COMM_WORLD, INPUT);  // the database is whole, and can be resumed
    memcpy(own->message, &head, sizeof head);
    MPI_Send(own->message, message_bytes(own, head.count), MPI_BYTE, 0, TAG_ROWS, MPI_COMM_WORLD);
  }
}

// --- the master

typedef struct Master
{
  const Rank* own;
  lwResults* results;
  lwDiag* diag;
  lwStatus status;
  int waiting;  // requests that have not been answered with the end
  long computed;
  double began;
  char* rows;  // (MOST) that rank 0 has computed and not yet put into the database
  int count;
  double kept;  // when it last did
} Master;

static void keep_rows(Master* master, const void* rows, int count)
{
  if (count == 0 || master->status != LW_OK) return;
  master->status = lw_results_put(master->results, rows, count, master->diag);
  master->computed += count;
  double seconds = clock_now() - master->began;
  long done = lw_results_done(master->results), all = lw_study_samples(master->own->study);
  double rate = seconds > 0 ? (double)master->computed / seconds : 0;
  progress_show(-1, "%ld of %ld, %.4g/s, %.0f s left", done, all, rate,
                rate > 0 ? (double)(all - done) / rate : 0);
}

// Takes one message and answers it.
static void serve(Master* master)
{
  MPI_Status from;
  Head head;
  MPI_Recv(master->own->message, message_bytes(master->own, MOST), MPI_BYTE, MPI_ANY_SOURCE,
           TAG_ROWS, MPI_COMM_WORLD, &from);
  memcpy(&head, master->own->message, sizeof head);
  keep_rows(master, rows_of(master->own), head.count);
  Head next = {0};
  next.count =
      master->status == LW_OK ? lw_results_next(master->results, head.wanted, &next.first) : 0;
  master->waiting -= next.count == 0;
  MPI_Send(&next, sizeof next, MPI_BYTE, from.MPI_SOURCE, TAG_WORK, MPI_COMM_WORLD);
}

static void serve_waiting(Master* master)
{
  int there = 1;
  while (there && master->waiting > 0)
  {
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_ROWS, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there) serve(master);
  }
}

// Own rows go into the database as often as those of others.
static void keep_own(Master* master)
{
  keep_rows(master, master->rows, master->count);
  master->count = 0;
  master->kept  = clock_now();
}

static void lead(Master* master)
{
  const Rank* own = master->own;
  Head head       = {.wanted = lw_study_worker_batch(own->worker)};
  master->waiting = IN_ADVANCE * (own->ranks - 1);
  while (master->status == LW_OK)
  {
    serve_waiting(master);
    if (head.wanted > MOST - master->count) keep_own(master);
    head.count = lw_results_next(master->results, head.wanted, &head.first);
    if (head.count == 0) break;
    void* rows  = master->rows + own->bytes * (size_t)master->count;
    head.wanted = compute(own, &head, rows, MASTER_SECONDS, &master->status);
    master->count += head.count;
    if (clock_now() - master->kept > WORKER_SECONDS) keep_own(master);
  }
  keep_own(master);
  while (master->waiting > 0) serve(master);
}

static int lead_study(const Rank* own, const Options* options)
{
  const char* path = options->value[OPTION_OUT];
  Master master    = {.own = own, .diag = lw_diag_create(), .began = clock_now()};
  master.rows      = malloc(own->bytes * MOST);
  if (!master.diag || !master.rows) MPI_Abort(MPI_COMM_WORLD, no_memory());
  master.status = lw_results_open(own->study, path, options->value[OPTION_RESUME] != NULL,
                                  master.diag, &master.results);
  int go        = master.status == LW_OK;
  MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (go) lead(&master);
  progress_clear();
  int status = study_refused(master.diag, path, master.status);
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

static int run_rank(Rank* own, const Options* options)
{
  int status = study_load(options, &own->study);
  lwStatus made =
      status == DONE ? lw_study_worker_create(own->study, NULL, NULL, &own->worker) : LW_OK;
  own->bytes = status == DONE ? lw_study_row_bytes(own->study) : 0;
  if (status == DONE) own->message = malloc(sizeof(Head) + own->bytes * MOST);
  if (status == DONE && (made != LW_OK || !own->message))
    status = fail(INPUT, "%s", lw_status_text(made != LW_OK ? made : LW_ERROR_MEMORY));
  int worst = status;
  MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (worst == DONE) status = own->rank == 0 ? lead_study(own, options) : follow(own);
  free(own->message);
  lw_study_worker_destroy(own->worker);
  lw_study_destroy(own->study);
  return worst == DONE ? status : worst;
}

static int run_ranks(Rank* own, int count, char** arguments)
{
  Options options        = {0};
  const Command* command = command_find("study");
  if (count < 2 || strcmp(arguments[1], "study") != 0)
    return fail(USAGE,
                "expected linkwork-mpi study STUDY --out FILE; 'linkwork help study' says more");
  int status = options_parse(command, count - 2, arguments + 2, &options);
  if (status == DONE && (options.value[OPTION_SAMPLE] || options.value[OPTION_THREADS]))
    status =
        fail(USAGE, "--sample and --threads are for 'linkwork study': here a rank is a thread");
  if (status == DONE && !options.value[OPTION_OUT])
    status = fail(USAGE, "study: --out FILE names the database of the results");
  if (status == DONE) status = run_rank(own, &options);
  options_free(&options);
  return status;
}

int main(int count, char** arguments)
{
  Rank own = {0};
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &own.ranks);
  if (own.rank > 0 && !freopen("/dev/null", "w", stderr))
    MPI_Abort(MPI_COMM_WORLD, INPUT);  // rank 0 speaks
  int status = run_ranks(&own, count, arguments);
  MPI_Finalize();
  return status;
}
