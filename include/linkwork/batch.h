// SPDX-License-Identifier: MIT
/// @file batch.h  Many states at once: lanes times threads. Uses OpenMP where the build had it; not part of the core library.
#ifndef LINKWORK_BATCH_H
#define LINKWORK_BATCH_H

#include "linkwork/dynamics.h"

/// The workspaces of several threads for one model, which must live as long.
typedef struct lwBatch lwBatch;

/// Makes workspaces for so many threads; 0: as many as the machine has for this process. A build without OpenMP has one.
/// def as for lw_work_create(); its layout is that of the arrays. LW_ERROR_INPUT for a negative number.
LW_API lwStatus lw_batch_create(const lwModel* model, const lwWorkDef* def, int threads,
                                lwBatch** batch);
LW_API void lw_batch_destroy(lwBatch* batch);

LW_API int lw_batch_threads(const lwBatch* batch);

/// Workspace of thread i, to ask it for its methods or to set it up like the others.
LW_API lwWork* lw_batch_work(lwBatch* batch, int i);

/// Answers one question about count states. Every answer is equal to the last bit to that of lw_answer(), whatever the
/// number of threads, the place in the arrays and the count. Allocates nothing.
LW_API void lw_batch_answer(lwBatch* batch, lwQuestion question, int count, const lwStates* states,
                            double* out);

#endif
