// SPDX-License-Identifier: MIT
// Lanes times threads. States are independent, so it does not matter which thread answers which.
// Pieces are handed out in shrinking runs: one by one, asking for the next costs cheap states a seventh of their time.
#include "linkwork/fleet.h"

#include <stdlib.h>

#include "answer/workspace.h"
#include "fleet/threads.h"

enum
{
  PIECE =
      64,  // states that a thread takes at a time: whole vectors of every variant, microseconds of work
};

struct lwBatch
{
  const lwModel* model;
  int threads;
  lwWorkspace* works[];  // (threads)
};

lwStatus lw_batch_create(const lwModel* model, const lwWorkspaceDef* def, int threads,
                         lwBatch** batch)
{
  *batch  = NULL;
  threads = lw_thread_count(threads);
  if (threads < 1) return LW_ERROR_INPUT;
  lwBatch* made = calloc(1, sizeof *made + (size_t)threads * sizeof(lwWorkspace*));
  if (!made) return LW_ERROR_MEMORY;
  made->model     = model;
  lwStatus status = LW_OK;
  while (made->threads < threads && status == LW_OK)
  {
    status = lw_workspace_create(model, def, &made->works[made->threads]);
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

void lw_batch_answer(lwBatch* batch, lwQuestion question, int count, const lwStates* states,
                     double* out)
{
  int pieces = count / PIECE + (count % PIECE != 0);
#if defined(_OPENMP)
#pragma omp parallel for schedule(guided) num_threads(batch->threads) if (pieces > 1)
#endif
  for (int i = 0; i < pieces; ++i)
  {
    int first     = i * PIECE;
    lwRange range = {count, first, count - first < PIECE ? count - first : PIECE};
    lw_answer_range(batch->model, batch->works[omp_get_thread_num()], question, range, states, out);
  }
}
