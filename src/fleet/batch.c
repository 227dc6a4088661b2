// SPDX-License-Identifier: MIT
// Lanes times threads. States are independent, so it does not matter which thread answers which.
// Tasks are handed out in runs of shrinking length: handing them out one by one would add a
// seventh to the time of cheap states.
#include "linkwork/fleet.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "answer/workspace.h"
#include "base/number.h"
#include "fleet/thread_pool.h"

// states that a thread takes at a time: whole vectors of every variant, microseconds of work
static const int TASK = 64;

struct lwBatch
{
  const lwModel* model;
  lwThreadPool* pool;
  int threads;
  lwWorkspace* works[];  // (threads)
};

// What a batch is asked.
typedef struct BatchJob
{
  lwBatch* batch;
  lwQuestion question;
  int count;
  const lwStates* states;
  double* out;
  size_t outputs;      // entries of an answer; 0: answers are not looked at
  atomic_int* broken;  // the first state whose answer is not finite, or INT_MAX
} BatchJob;

lwStatus lw_batch_create(const lwModel* model, const lwWorkspaceDef* def, int threads, lwDiag* diag,
                         lwBatch** batch)
{
  *batch    = NULL;
  int given = threads;
  threads   = lw_thread_count(threads);
  if (threads < 1)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%d threads, expected 0 to %d", given,
                     LW_MAX_THREADS);
  lwBatch* made = calloc(1, sizeof *made + (size_t)threads * sizeof(lwWorkspace*));
  if (!made) return LW_ERROR_MEMORY;
  made->model     = model;
  made->pool      = lw_pool_create(threads);
  lwStatus status = made->pool ? LW_OK : LW_ERROR_MEMORY;
  threads         = made->pool ? lw_pool_size(made->pool) : 0;
  while (made->threads < threads && status == LW_OK)
  {
    status = lw_workspace_create(model, def, diag, &made->works[made->threads]);
    made->threads += status == LW_OK;
  }
  if (status == LW_OK)
    *batch = made;
  else
    lw_batch_destroy(made);
  return status;
}

void lw_batch_destroy(lwBatch* batch)
{
  if (!batch) return;
  lw_pool_destroy(batch->pool);
  for (int i = 0; i < batch->threads; ++i) lw_workspace_destroy(batch->works[i]);
  free(batch);
}

int lw_batch_threads(const lwBatch* batch)
{
  return batch->threads;
}

lwWorkspace* lw_batch_workspace(lwBatch* batch, int i)
{
  return batch->works[i];
}

static bool answer_is_finite(const BatchJob* job, int state)
{
  if (job->batch->works[0]->layout == LW_LAYOUT_BY_STATE)
    return lw_all_finite(job->out + (size_t)state * job->outputs, job->outputs);
  bool finite = true;
  for (size_t i = 0; i < job->outputs; ++i)
    finite = finite && lw_all_finite(job->out + i * (size_t)job->count + state, 1);
  return finite;
}

// Looks at the answers while they are in the cache.
static void look_at_answers(const BatchJob* job, lwRange range)
{
  bool by_state = job->batch->works[0]->layout == LW_LAYOUT_BY_STATE;
  if (by_state && lw_all_finite(job->out + (size_t)range.first * job->outputs,
                                (size_t)range.count * job->outputs))
    return;
  for (int k = range.first; k < range.first + range.count; ++k)
  {
    if (answer_is_finite(job, k)) continue;
    int first = atomic_load(job->broken);
    while (k < first && !atomic_compare_exchange_weak(job->broken, &first, k))
    {
    }
    return;
  }
}

static void answer_task(void* context, int task, int worker)
{
  const BatchJob* job = context;
  int first           = task * TASK;
  lwRange range       = {job->count, first, job->count - first < TASK ? job->count - first : TASK};
  lw_answer_range(job->batch->model, job->batch->works[worker], job->question, range, job->states,
                  job->out);
  if (job->outputs) look_at_answers(job, range);
}

// The first state whose answer is not finite, -1: none; checked unless outputs is 0.
static int run_job(BatchJob job)
{
  atomic_int broken = INT_MAX;
  job.broken        = &broken;
  lw_pool_run(job.batch->pool, job.count / TASK + (job.count % TASK != 0), answer_task, &job);
  int first = atomic_load(&broken);
  return first == INT_MAX ? -1 : first;
}

void lw_batch_answer(lwBatch* batch, lwQuestion question, int count, const lwStates* states,
                     double* out)  // NOLINT(readability-non-const-parameter): written through job
{
  run_job((BatchJob){batch, question, count, states, out, 0, NULL});
}

int lw_batch_answer_checked(lwBatch* batch, lwQuestion question, int count, const lwStates* states,
                            double* out)  // NOLINT(readability-non-const-parameter): as above
{
  size_t outputs = lw_question_outputs(batch->model, question);
  return run_job((BatchJob){batch, question, count, states, out, outputs, NULL});
}
