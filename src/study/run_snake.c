// SPDX-License-Identifier: MIT
// Simulation of a snake whose numbers vary, driven by a law of torques.

#include "arm/snake_record.h"
#include "base/clock.h"
#include "base/units.h"
#include "linkwork/read.h"
#include "study/study_internal.h"

typedef struct SnakeJob
{
  lwTextFile file;
  int n;
  double duration, record;  // s
  lwSnakeRunDef def;        // but for snake and workspace
} SnakeJob;

// What a thread keeps.
typedef struct SnakeThread
{
  double* theta;   // (n)
  double* values;  // (columns) of a record
} SnakeThread;

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

static const lwKey snake_run_keys[] = {
    LW_KEY(StudySnakeText, file, .kind = LW_VALUE_NAME, .required = true, .slot = AT_FILE),
    LW_KEY(StudySnakeText, torque, .kind = LW_VALUE_NODE, .required = true),
    LW_KEY(StudySnakeText, duration, .unit = "s", .slot = AT_DURATION),
    LW_KEY(StudySnakeText, record, .unit = "s", .slot = AT_RECORD),
    LW_KEY(StudySnakeText, step, .unit = "s", .slot = AT_STEP),
};
static const lwTable snake_run_table = LW_TABLE("a run of a snake", snake_run_keys);

static void read_snake_run(lwStudyReader* reader, lwNode* node)
{
  lwStudy* study      = reader->study;
  StudySnakeText text = {.duration = 10, .record = 0.01, .step = 1e-3};
  lwSnake* snake      = NULL;
  if (!lw_document_fill(&reader->document, node, &snake_run_table, &text, text.places)) return;
  const double seconds[] = {text.duration, text.record, text.step};
  for (int i = 0; i < 3; ++i)
    if (!(seconds[i] > 0) || !(text.duration / seconds[i] <= 1e9))
      lw_study_error(reader, text.places[AT_DURATION + i],
                     "expected a time above 0 of which at most 1e9 make the duration, found %g s",
                     seconds[i]);
  SnakeJob* job    = lw_keep_take(reader->keep, 1, sizeof *job);
  const char* path = lw_keep_path(reader->keep, &reader->document, text.file);
  if (!job || !lw_study_text_file(reader, path, text.places[AT_FILE], &job->file)) return;
  lwStatus status = lw_snake_read_file(path, NULL, reader->diag, &snake);
  if (!lw_keep_file(reader->keep, &reader->document, status, path, text.places[AT_FILE])) return;
  job->n = lw_snake_count(snake);
  lw_snake_destroy(snake);
  job->def = lw_snake_run_def();
  job->def.law =
      lw_keep_law(reader->keep, &reader->document, "torque", text.torque, (lwLawText){0});
  job->duration            = text.duration;
  job->record              = text.record;
  job->def.integrator.step = text.step;
  job->def.integrator.end  = text.duration;
  study->band_end          = text.duration;
  study->job               = job;
  lwColumnGroup groups[LW_SNAKE_GROUPS];
  lw_snake_record_groups(job->n, false, groups);
  for (const lwColumnGroup* group = groups + 1; group->symbol; ++group)  // t is there
    if (group->single && group->width > 0)
      lw_study_column(reader, group->symbol);
    else
      lw_study_columns(reader, group->symbol, group->width);
}

// --- running

static lwStatus read_sample(const char* name, const char* text, size_t length, lwDiag* diag,
                            void** made)
{
  lwSnake* snake  = NULL;
  lwStatus status = lw_snake_read_text(name, text, length, NULL, diag, &snake);
  *made           = snake;
  return status;
}

static void crawl(lwStudyWorker* worker, lwSnakeRun* run, lwStudyRow* row)
{
  const SnakeJob* job       = worker->study->job;
  const SnakeThread* thread = worker->state;
  lwRecord* record          = &worker->record;
  long records              = (long)lw_clock_records(job->duration, job->record);
  lwSnakeSample sample      = {.theta = thread->theta};
  for (int k = 1; k <= job->n; ++k) sample.theta[k - 1] = (k % 2 ? -LW_PI : LW_PI) / 6;
  lw_snake_run_start(run, &sample);
  for (long k = 0; k < records; ++k, ++record->rows)
  {
    double t            = lw_clock_record(k, job->duration, job->record);
    lwProgress progress = lw_snake_run_to(run, t, &sample, worker->stop);
    if (progress != LW_PROGRESS_ARRIVED)
    {
      lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "t = %.6g s: %s", sample.t,
                  lw_snake_run_why(run, progress));
      break;
    }
    lw_snake_record_values(job->n, false, &sample, thread->values);
    for (int c = 0; c < worker->study->column_count; ++c)
      lw_record_put(record, c, thread->values[c]);
  }
  lwAudit audit = lw_snake_run_audit(run);
  if (row->state == LW_SAMPLE_STATE_DONE && !audit.trusted)
    lw_row_distrust(row, audit.worst_S, audit.bound);
  lw_study_measure(worker, row);
}

static lwStatus run_snake_sample(lwStudyWorker* worker, lwStudyRow* row)
{
  const SnakeJob* job = worker->study->job;
  lwSnakeRunDef def   = job->def;
  lwSnakeRun* run     = NULL;
  lwStatus status;
  lwSnake* snake = lw_sample_read(worker, &job->file, row, read_sample, &status);
  if (!snake) return status;
  if (lw_snake_count(snake) != job->n)
    lw_row_fail(row, LW_SAMPLE_STATE_IMPOSSIBLE, "another number of links");
  def.snake = snake;
  status    = lw_snake_workspace_create(snake, NULL, NULL, &def.ws);
  if (status == LW_OK) status = lw_snake_run_create(&def, NULL, &run);
  if (status == LW_OK &&
      !lw_record_reserve(worker, (long)lw_clock_records(job->duration, job->record)))
    status = LW_ERROR_MEMORY;
  if (status == LW_OK && row->state == LW_SAMPLE_STATE_DONE) crawl(worker, run, row);
  lw_snake_run_destroy(run);
  lw_snake_workspace_destroy(def.ws);
  lw_snake_destroy(snake);
  return status;
}

static void begin_snake(lwStudyWorker* worker)
{
  const SnakeJob* job = worker->study->job;
  SnakeThread* thread = worker->state = lw_keep_take(&worker->keep, 1, sizeof *thread);
  if (!thread) return;
  thread->theta  = lw_keep_take(&worker->keep, (size_t)job->n, sizeof(double));
  thread->values = lw_keep_take(&worker->keep, (size_t)worker->study->column_count, sizeof(double));
}

const lwRunKind LW_RUN_SNAKE = {
    .text = "snake.", .read = read_snake_run, .begin = begin_snake, .run = run_snake_sample};
