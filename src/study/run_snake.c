// SPDX-License-Identifier: MIT
// Simulation of a snake whose numbers vary, driven by a law of torques.
#include <math.h>
#include <stdlib.h>

#include "linkwork/arm.h"
#include "linkwork/read.h"
#include "study/study_internal.h"

static const double PI = 3.14159265358979323846;

typedef struct SnakeJob
{
  lwTextFile file;
  int n;
  lwLaw* law;
  double duration, record;  // s
  lwIntegratorDef integrator;
  int u;  // column of u1; u2, x, y, kinetic and work follow
} SnakeJob;

typedef struct SnakeOwn
{
  double* theta;  // (n)
} SnakeOwn;

// --- reading

typedef struct StudySnakeText
{
  const char* file;
  lwNode* torque;
  double duration, record, step;
  lwPlace places[5];
} StudySnakeText;

enum
{
  AT_FILE = 1,
  AT_DURATION,
  AT_RECORD,
  AT_STEP
};

#define SECONDS(key, at)                                                                           \
  {                                                                                                \
    .name = #key, .kind = LW_VALUE_NUMBER, .offset = offsetof(StudySnakeText, key), .unit = "s",   \
    .slot = at                                                                                     \
  }
static const lwKey snake_run_keys[] = {
    {.name     = "file",
     .kind     = LW_VALUE_NAME,
     .required = true,
     .offset   = offsetof(StudySnakeText, file),
     .slot     = AT_FILE},
    {.name     = "torque",
     .kind     = LW_VALUE_NODE,
     .required = true,
     .offset   = offsetof(StudySnakeText, torque)},
    SECONDS(duration, AT_DURATION),
    SECONDS(record, AT_RECORD),
    SECONDS(step, AT_STEP),
};
static const lwTable snake_run_table = LW_TABLE("a run of a snake", snake_run_keys);

static void destroy_torque(void* law)
{
  lw_law_destroy(law);
}

static void read_torque(lwStudyReader* reader, const lwNode* node, SnakeJob* job)
{
  lwKey key        = {.name = "torque", .kind = LW_VALUE_NAME};
  const char* text = lw_node_text(&reader->document, node, &key);
  if (!text) return;
  lwLawText from = {.source = reader->document.source, .place = node->place, .text = text};
  if (!node->plain) ++from.place.column;
  lwStatus status = lw_law_read(&from, reader->diag, &job->law);
  if (status == LW_ERROR_INPUT) ++reader->document.errors;
  if (status == LW_ERROR_MEMORY) reader->no_memory = true;
  if (job->law) lw_study_own(reader, job->law, destroy_torque);
}

static void snake_run_columns(lwStudyReader* reader, SnakeJob* job)
{
  static const char* const singles[] = {"x", "y", "kinetic", "work"};
  lw_study_columns(reader, "theta", job->n);
  job->u = reader->study->column_count;
  lw_study_columns(reader, "u", 2);
  for (int i = 0; i < 4; ++i) lw_study_column(reader, singles[i]);
}

static void read_snake_run(lwStudyReader* reader, lwNode* node)
{
  lwStudy* study      = reader->study;
  StudySnakeText text = {.duration = 10, .record = 0.01, .step = 1e-3};
  lwSnake* snake      = NULL;
  if (!lw_document_fill(&reader->document, node, &snake_run_table, &text, text.places)) return;
  const double seconds[] = {text.duration, text.record, text.step};
  for (int i = 0; i < 3; ++i)
    if (!(seconds[i] > 0) || !(text.duration / seconds[i] <= 1e9))
      lw_document_error(
          &reader->document, text.places[AT_DURATION + i], NULL,
          "expected a time above 0 of which at most 1e9 make the duration, found %g s", seconds[i]);
  SnakeJob* job    = lw_study_take(reader, 1, sizeof *job);
  const char* path = lw_study_path(reader, text.file);
  if (!job || !lw_study_text_file(reader, path, text.places[AT_FILE], &job->file)) return;
  lwStatus status = lw_snake_read_file(path, NULL, reader->diag, &snake);
  if (!lw_study_file_read(reader, status, path, text.places[AT_FILE])) return;
  job->n = lw_snake_count(snake);
  lw_snake_destroy(snake);
  read_torque(reader, text.torque, job);
  job->duration        = text.duration;
  job->record          = text.record;
  job->integrator      = lw_integrator_def();
  job->integrator.step = text.step;
  study->band_end      = text.duration;
  study->job           = job;
  snake_run_columns(reader, job);
}

const lwTextFile* lw_study_text_of(const lwStudy* study, const char** prefix)
{
  *prefix = study->run == &LW_RUN_SNAKE      ? "snake."
            : study->run == &LW_RUN_SIMULATE ? "scenario."
                                             : "file.";
  if (!study->run || !study->job || study->run == &LW_RUN_INVERSE) return NULL;
  const lwTextFile* file = study->job;  // the first member of these jobs
  return file->root ? file : NULL;
}

// --- running

// The torques of a run.
typedef struct Drive
{
  const lwLaw* law;
  int n;
} Drive;

static void law_torques(void* context, double t, const double* theta, const double u[2],
                        double* torque)
{
  const Drive* drive = context;
  (void)theta;
  (void)u;
  lw_law_values(drive->law, t, drive->n, drive->n - 1, torque);
}

static lwSnake* sample_snake(lwStudyWorker* worker, lwStudyRow* row, lwStatus* status)
{
  const SnakeJob* job = worker->study->job;
  lwSnake* snake      = NULL;
  size_t length;
  char* text   = lw_study_patched_text(worker->study, &job->file, lw_row_numbers(row), &length);
  lwDiag* diag = lw_diag_create();
  *status      = text && diag ? lw_snake_read_text(job->file.path, text, length, NULL, diag, &snake)
                              : LW_ERROR_MEMORY;
  if (*status != LW_OK && *status != LW_ERROR_MEMORY)
  {
    lw_row_fail(row, LW_SAMPLE_STATE_IMPOSSIBLE, "%s",
                lw_diag_size(diag) > 0 ? lw_diag_message(diag, 0)->text : "no such snake");
    *status = LW_OK;
  }
  if (snake && lw_snake_count(snake) != job->n)
  {
    lw_row_fail(row, LW_SAMPLE_STATE_IMPOSSIBLE, "another number of links");
    lw_snake_destroy(snake);
    snake = NULL;
  }
  free(text);
  lw_diag_destroy(diag);
  return snake;
}

static void put_snake(lwStudyWorker* worker, const lwSnake* snake, lwSnakeWorkspace* ws,
                      const lwSnakeSample* s)
{
  const SnakeJob* job   = worker->study->job;
  lwRecord* record      = &worker->record;
  double kinetic        = 0;
  lwSnakeStates state   = {.theta = s->theta, .u = s->u};
  lwSnakeAnswers answer = {.kinetic = &kinetic};
  if (worker->study->used[job->u + 4]) lw_snake_answer(snake, ws, &state, &answer);
  const double singles[] = {s->u[0], s->u[1], s->x, s->y, kinetic, s->work};
  lw_record_put(record, 0, s->t);
  for (int i = 0; i < job->n; ++i) lw_record_put(record, 1 + i, s->theta[i]);
  for (int i = 0; i < 6; ++i) lw_record_put(record, job->u + i, singles[i]);
  ++record->rows;
}

static void crawl(lwStudyWorker* worker, const lwSnake* snake, lwSnakeWorkspace* ws,
                  lwSnakeRun* run, lwStudyRow* row)
{
  const SnakeJob* job  = worker->study->job;
  SnakeOwn* own        = worker->own;
  long records         = (long)ceil(job->duration / job->record - 1e-9) + 1;
  lwSnakeSample sample = {.theta = own->theta};
  for (int k = 1; k <= job->n; ++k) own->theta[k - 1] = (k % 2 ? -PI : PI) / 6;
  lw_snake_run_start(run, &sample);
  for (long k = 0; k < records; ++k)
  {
    double t            = k < records - 1 ? job->record * (double)k : job->duration;
    lwProgress progress = lw_snake_run_to(run, t, &sample, worker->stop);
    if (progress != LW_PROGRESS_ARRIVED)
    {
      lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "t = %.6g s: the motion is not finite", sample.t);
      break;
    }
    put_snake(worker, snake, ws, &sample);
  }
  lw_study_measure(worker, row);
}

static lwStatus run_one_snake(lwStudyWorker* worker, lwStudyRow* row)
{
  const SnakeJob* job  = worker->study->job;
  lwSnakeWorkspace* ws = NULL;
  lwSnakeRun* run      = NULL;
  Drive drive          = {job->law, job->n};
  lwStatus status;
  lwSnake* snake = sample_snake(worker, row, &status);
  if (!snake) return status;
  status = lw_snake_workspace_create(snake, NULL, NULL, &ws);
  if (status == LW_OK)
    status = lw_snake_run_create(snake, ws, &job->integrator, law_torques, &drive, NULL, &run);
  if (status == LW_OK && !lw_record_room(worker, (long)ceil(job->duration / job->record) + 2))
    status = LW_ERROR_MEMORY;
  if (status == LW_OK) crawl(worker, snake, ws, run, row);
  lw_snake_run_destroy(run);
  lw_snake_workspace_destroy(ws);
  lw_snake_destroy(snake);
  return status;
}

static lwStatus run_snakes(lwStudyWorker* worker, int count, lwStudyRow* const* rows)
{
  lwStatus status = LW_OK;
  for (int i = 0; i < count && status == LW_OK; ++i) status = run_one_snake(worker, rows[i]);
  return status;
}

static lwStatus begin_snake(lwStudyWorker* worker)
{
  const SnakeJob* job = worker->study->job;
  SnakeOwn* own       = calloc(1, sizeof *own);
  worker->own         = own;
  if (own) own->theta = calloc((size_t)job->n, sizeof(double));
  return own && own->theta ? LW_OK : LW_ERROR_MEMORY;
}

static void end_snake(lwStudyWorker* worker)
{
  SnakeOwn* own = worker->own;
  free(own->theta);
  free(own);
  worker->own = NULL;
}

const lwRunKind LW_RUN_SNAKE = {.name  = "snake",
                                .read  = read_snake_run,
                                .begin = begin_snake,
                                .run   = run_snakes,
                                .end   = end_snake};
