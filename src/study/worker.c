// SPDX-License-Identifier: MIT
// The share of one thread in a study: from parameters to rows.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/study_internal.h"

enum
{
  MOST_LANES = 64
};

bool lw_record_room(lwStudyWorker* worker, long rows)
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
  if (worker->own && worker->study->run->end) worker->study->run->end(worker);
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
