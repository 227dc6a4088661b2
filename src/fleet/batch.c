// SPDX-License-Identifier: MIT
// Lanes times threads. States are independent, so it does not matter which thread answers which.
// Pieces are handed out in runs of shrinking length: handing them out one by one would add a
// seventh to the time of cheap states.
#include "linkwork/fleet.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "answer/workspace.h"
#include "base/number.h"
#include "fleet/crew.h"

enum
{
  // states that a thread takes at a time: whole vectors of every variant, microseconds of work
  PIECE = 64,
};

struct lwBatch
{
  const lwModel* model;
  lwCrew* crew;
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
  bool packed;         // inertia matrices as packed triangles
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
  {
    LW_REFUSE(diag, NULL, "%d threads, expected 0 to %d", given, LW_MAX_THREADS);
    return LW_ERROR_INPUT;
  }
  lwBatch* made = calloc(1, sizeof *made + (size_t)threads * sizeof(lwWorkspace*));
  if (!made) return LW_ERROR_MEMORY;
  made->model     = model;
  made->crew      = lw_crew_create(threads);
  lwStatus status = made->crew ? LW_OK : LW_ERROR_MEMORY;
  threads         = made->crew ? lw_crew_size(made->crew) : 0;
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
  lw_crew_destroy(batch->crew);
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

static void answer_piece(void* context, int piece, int hand)
{
  const BatchJob* job = context;
  int first           = piece * PIECE;
  lwRange range   = {job->count, first, job->count - first < PIECE ? job->count - first : PIECE};
  lwWorkspace* ws = job->batch->works[hand];
  if (job->packed)
    lw_packed_range(job->batch->model, ws, range, job->states->q, job->out);
  else
    lw_answer_range(job->batch->model, ws, job->question, range, job->states, job->out);
  if (job->outputs) look_at_answers(job, range);
}

static void run_job(BatchJob* job)
{
  lw_crew_run(job->batch->crew, job->count / PIECE + (job->count % PIECE != 0), answer_piece, job);
}

void lw_batch_answer(lwBatch* batch, lwQuestion question, int count, const lwStates* states,
                     double* out)  // NOLINT(readability-non-const-parameter): written through job
{
  BatchJob job = {
      .batch = batch, .question = question, .count = count, .states = states, .out = out};
  run_job(&job);
}

void lw_batch_inertia_packed(lwBatch* batch, int count, const double* q,
                             double* packed)  // NOLINT(readability-non-const-parameter): as above
{
  lwStates states = {.q = q};
  BatchJob job = {.batch = batch, .count = count, .states = &states, .out = packed, .packed = true};
  run_job(&job);
}

int lw_batch_answer_checked(lwBatch* batch, lwQuestion question, int count, const lwStates* states,
                            double* out)  // NOLINT(readability-non-const-parameter): as above
{
  atomic_int broken = INT_MAX;
  BatchJob job      = {.batch    = batch,
                       .question = question,
                       .count    = count,
                       .states   = states,
                       .out      = out,
                       .outputs  = lw_question_outputs(batch->model, question),
                       .broken   = &broken};
  run_job(&job);
  int first = atomic_load(&broken);
  return first == INT_MAX ? -1 : first;
}
