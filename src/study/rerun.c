// SPDX-License-Identifier: MIT
#include "study/rerun.h"

#include <stdlib.h>
#include <string.h>

#include "linkwork/read.h"
#include "study/study_internal.h"

// Whether a column is one of a state: those of an arm that a page plays, all of a snake.
static bool is_shown(const lwStudy* study, const char* name)
{
  static const char* const symbols[] = {"q", "qd", "qdd", "tau"};
  bool found                         = !study->robot || !strcmp(name, "t");
  for (int i = 0; i < 4; ++i)
  {
    size_t length = strlen(symbols[i]);
    found =
        found || (!strncmp(name, symbols[i], length) && name[length] >= '1' && name[length] <= '9');
  }
  return found;
}

static lwStatus read_scenario(const char* name, const char* text, size_t length, lwDiag* diag,
                              void** made)
{
  lwScenario* scenario = NULL;
  lwStatus status      = lw_scenario_read_text(name, text, length, NULL, diag, &scenario);
  *made                = scenario;
  return status;
}

static lwStatus read_snake(const char* name, const char* text, size_t length, lwDiag* diag,
                           void** made)
{
  lwSnake* snake  = NULL;
  lwStatus status = lw_snake_read_text(name, text, length, NULL, diag, &snake);
  *made           = snake;
  return status;
}

// The robot or snake of the sample; that of a scenario has what the scenario adds to it.
static lwStatus take_body(lwStudyWorker* worker, lwStudyRow* row, lwRerun* rerun)
{
  const lwStudy* study   = worker->study;
  const lwTextFile* file = study->job;
  lwScenario* scenario   = NULL;
  lwStatus status        = LW_OK;
  if (study->run == &LW_RUN_SNAKE)
  {
    rerun->snake = lw_sample_read(worker, file, row, read_snake, &status);
    return status;
  }
  if (study->scenario) scenario = lw_sample_read(worker, file, row, read_scenario, &status);
  const lwModel* base =
      study->scenario ? scenario ? lw_scenario_model(scenario) : NULL : study->robot;
  if (base) rerun->model = lw_study_model(worker, lw_model_robot(base), row);
  lw_scenario_destroy(scenario);
  return status;
}

static bool rerun_columns(const lwStudyWorker* worker, lwRerun* rerun)
{
  const lwStudy* study   = worker->study;
  const lwRecord* record = &worker->record;
  size_t most            = (size_t)study->column_count;
  rerun->rows            = (size_t)record->rows;
  rerun->names           = calloc(most, sizeof *rerun->names);
  rerun->values          = calloc(most * rerun->rows + 1, sizeof *rerun->values);
  if (!rerun->names || !rerun->values) return false;
  for (int c = 0; c < study->column_count; ++c)
    if (study->used[c]) rerun->names[rerun->width++] = study->columns[c];
  size_t to = 0;
  for (int c = 0; c < study->column_count; ++c)
  {
    if (!study->used[c]) continue;
    for (size_t k = 0; k < rerun->rows; ++k)
      rerun->values[k * rerun->width + to] = record->column[c][k];
    ++to;
  }
  return true;
}

lwStatus lw_rerun_make(lwStudy* study, long sample, const volatile sig_atomic_t* stop, lwDiag* diag,
                       lwRerun* rerun)
{
  *rerun = (lwRerun){0};
  if (!study->run || study->run == &LW_RUN_COMMAND)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "the samples of this study move no robot");
  if (sample < 0 || sample >= study->samples)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "there is no sample %ld, expected 0 to %ld",
                     sample, study->samples - 1);
  lwStudyWorker* worker = NULL;
  for (int c = 0; c < study->column_count; ++c) study->used[c] = is_shown(study, study->columns[c]);
  study->measure_count = study->band_count = 0;  // what is asked of the run does not matter
  lwStudyRow* row                          = calloc(1, lw_study_row_bytes(study));
  lwStatus status = row ? lw_study_worker_create(study, stop, diag, &worker) : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_study_work(worker, sample, 1, row);
  if (status == LW_OK && row->state == LW_SAMPLE_STATE_DONE) status = take_body(worker, row, rerun);
  if (status == LW_OK && row->state != LW_SAMPLE_STATE_DONE)
    status = lw_refuse(diag, LW_ERROR_INPUT, NULL, "sample %ld: %s: %s", sample,
                       lw_sample_word((lwSampleState)row->state), row->why);
  if (status == LW_OK && !rerun_columns(worker, rerun)) status = LW_ERROR_MEMORY;
  lw_study_worker_destroy(worker);
  free(row);
  return status;
}

void lw_rerun_free(lwRerun* rerun)
{
  lw_model_destroy(rerun->model);
  lw_snake_destroy(rerun->snake);
  free((void*)rerun->names);
  free(rerun->values);
  *rerun = (lwRerun){0};
}
