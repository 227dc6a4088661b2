// SPDX-License-Identifier: MIT
// Inverse dynamics along a trajectory, and what it asks of the drives: states in lanes, another
// robot in every sample.
#include <math.h>
#include <string.h>

#include "linkwork/drive.h"
#include "linkwork/dynamics.h"
#include "linkwork/loop.h"
#include "linkwork/read.h"
#include "linkwork/trajectory.h"
#include "study/study_internal.h"
#include "trajectory/samples.h"

// The trajectory, the same for all samples but for its time. Entry i of row k is at [i * rows + k].
typedef struct InverseRun
{
  int n, nq;  // velocities, positions
  long rows;
  double *t, *q, *qd, *qdd;
  int tau, first[8];  // columns of joint 1: of LOADS, headroom
} InverseRun;

// What a drive must supply, as `drives` has it.
static const struct
{
  const char* name;
  lwLoad load;
} LOADS[] = {{"rotor", LW_LOAD_ROTOR},      {"friction", LW_LOAD_FRICTION},
             {"torque", LW_LOAD_TORQUE},    {"power", LW_LOAD_POWER},
             {"current", LW_LOAD_CURRENT},  {"voltage", LW_LOAD_VOLTAGE},
             {"electric", LW_LOAD_ELECTRIC}};

enum
{
  LOAD_COUNT = sizeof LOADS / sizeof LOADS[0],
  HEADROOM   = LOAD_COUNT
};

typedef struct Inverse
{
  double *tau, *t, *qd, *qdd;  // of a sample; t, and without loops qd and qdd, where time varies
  double *q, *row;             // with loops: of a sample; a state and its torques, (nq + 5 n)
  lwJointSample* samples;      // (rows) of a joint
  double* rates;               // (rows) of its current
} Inverse;

// --- reading

typedef struct InverseText
{
  const char *robot, *trajectory;
  lwNode* waypoints;
  int profile;
  double duration, dt;
  lwPlace places[5];
} InverseText;

enum
{
  AT_ROBOT = 1,
  AT_TRAJECTORY,
  AT_DURATION,
  AT_DT
};

static const char* const profile_words[] = {"quintic", "cubic", NULL};

static const lwKey inverse_keys[] = {
    LW_KEY(InverseText, robot, .kind = LW_VALUE_NAME, .required = true, .slot = AT_ROBOT),
    LW_KEY(InverseText, trajectory, .kind = LW_VALUE_NAME, .slot = AT_TRAJECTORY),
    LW_NODE_KEY(InverseText, waypoints),
    LW_CHOICE_KEY(InverseText, profile, profile_words),
    LW_KEY(InverseText, duration, .unit = "s", .slot = AT_DURATION),
    LW_KEY(InverseText, dt, .unit = "s", .slot = AT_DT),
};
static const lwTable inverse_table = LW_TABLE("an inverse run", inverse_keys);

static const int MOST_ROWS = 2000000;

static long rows_of(lwStudyReader* reader, double duration, double dt, lwPlace place)
{
  double rows = dt > 0 ? floor(duration / dt + 1e-9) + 1 : 0;
  if (rows >= 1 && rows <= MOST_ROWS) return (long)rows;
  lw_study_error(reader, place, "'dt' of %g s makes %g states of %g s, expected 1 to %d", dt, rows,
                 duration, MOST_ROWS);
  return 0;
}

// The states of a trajectory, or of samples (the other is NULL), every dt. Samples without a dt are
// taken as they are.
static void take_states(lwStudyReader* reader, const InverseText* text,
                        const lwTrajectory* trajectory, const lwSamples* samples,
                        InverseRun* motion)
{
  double dt    = samples || text->dt > 0 ? text->dt : 1e-3;
  double begin = samples ? samples->t[0] : 0;
  double end   = samples ? samples->t[samples->rows - 1] : lw_trajectory_duration(trajectory);
  long rows    = samples ? samples->rows : 0;
  if (dt > 0) rows = rows_of(reader, end - begin, dt, text->places[AT_DT]);
  size_t n = (size_t)motion->n, nq = (size_t)motion->nq, states = (size_t)rows;
  double* row = lw_keep_take(reader->keep, nq + 2 * n, sizeof *row);
  if (rows == 0 || !row) return;
  double *qd = row + nq, *qdd = qd + n;
  motion->rows = rows;
  motion->q    = lw_keep_take(reader->keep, nq * states, sizeof(double));
  motion->qd   = lw_keep_take(reader->keep, n * states, sizeof(double));
  motion->qdd  = lw_keep_take(reader->keep, n * states, sizeof(double));
  motion->t    = lw_keep_take(reader->keep, states, sizeof(double));
  if (reader->keep->failed) motion->t = NULL;
  for (long k = 0; k < rows && motion->t; ++k)
  {
    double t     = samples && !(dt > 0) ? samples->t[k] : begin + dt * (double)k;
    motion->t[k] = t;
    if (samples)  // behind the end they are at rest
      lw_samples_at(samples, fmin(t, nextafter(end, begin)), row, qd, qdd);
    else
      lw_trajectory_at(trajectory, t, row, qd, qdd);
    for (int i = 0; i < motion->nq; ++i) motion->q[i * rows + k] = row[i];
    for (int i = 0; i < motion->n; ++i)
    {
      motion->qd[i * rows + k]  = qd[i];
      motion->qdd[i * rows + k] = qdd[i];
    }
  }
}

static void read_waypoints(lwStudyReader* reader, const InverseText* text, InverseRun* motion)
{
  lwWaypointsDef def = lw_waypoints_def();
  const lwNode* node = text->waypoints;
  lwKey key          = {.name = "waypoints", .size = motion->nq, .measure = LW_MEASURE_ANGLE};
  int count = node->kind == LW_NODE_LIST ? node->count : 0, k = 0;
  double* q = lw_keep_take(reader->keep, (size_t)(count + 1) * (size_t)motion->nq, sizeof *q);
  lwTrajectory* trajectory = NULL;
  if (!q) return;
  for (const lwItem* item = count > 0 ? node->items : NULL; item; item = item->next, ++k)
  {
    int i     = 0;
    bool list = item->value->kind == LW_NODE_LIST && item->value->count == motion->nq;
    if (!list)
      lw_study_error(reader, item->value->place, "a waypoint must be a list of %d positions",
                     motion->nq);
    for (const lwItem* x = list ? item->value->items : NULL; x; x = x->next, ++i)
      lw_node_number(&reader->document, x->value, &key, i + 1, &q[k * motion->nq + i]);
  }
  if (reader->document.errors > 0) return;
  def.count    = count;
  def.q        = q;
  def.duration = text->duration;
  lwStatus status =
      (text->profile == 0 ? lw_trajectory_create_quintic : lw_trajectory_create_cubic)(
          reader->study->robot, &def, reader->diag, &trajectory);
  if (status != LW_OK)
    lw_study_error(reader, node->place, "there is no such trajectory");
  else
    take_states(reader, text, trajectory, NULL, motion);
  lw_trajectory_destroy(trajectory);
}

static void read_motion_file(lwStudyReader* reader, const InverseText* text, InverseRun* motion)
{
  const char* path = lw_keep_path(reader->keep, &reader->document, text->trajectory);
  lwSamples samples;
  lwStatus status = lw_samples_read(path, reader->study->robot, &reader->study->keep.arena,
                                    reader->diag, &samples);
  if (lw_keep_file(reader->keep, &reader->document, status, path, text->places[AT_TRAJECTORY]))
    take_states(reader, text, NULL, &samples, motion);
}

static void inverse_columns(lwStudyReader* reader, InverseRun* motion)
{
  lw_study_columns(reader, "q", motion->nq);
  lw_study_columns(reader, "qd", motion->n);
  lw_study_columns(reader, "qdd", motion->n);
  motion->tau = lw_study_columns(reader, "tau", motion->n);
  for (int c = 0; c <= LOAD_COUNT; ++c)
    motion->first[c] =
        lw_study_columns(reader, c == HEADROOM ? "headroom" : LOADS[c].name, motion->n);
}

// Speeds that are rounding become 0.
static void settle_speeds(InverseRun* motion)
{
  long rows = motion->rows, size = rows * motion->n;
  double fastest = 0, farthest = 0, span = motion->t[rows - 1] - motion->t[0];
  for (long k = 0; k < size; ++k) fastest = fmax(fastest, fabs(motion->qd[k]));
  for (long k = 0; k < rows * motion->nq; ++k) farthest = fmax(farthest, fabs(motion->q[k]));
  double rest = lw_rest_speed(fastest, farthest, rows > 1 ? span / (double)(rows - 1) : 0);
  for (long k = 0; k < size; ++k)
    if (fabs(motion->qd[k]) <= rest) motion->qd[k] = 0;
}

static void read_inverse(lwStudyReader* reader, lwNode* node)
{
  lwStudy* study   = reader->study;
  InverseText text = {0};
  if (!lw_document_fill(&reader->document, node, &inverse_table, &text, text.places)) return;
  const char* path = lw_keep_path(reader->keep, &reader->document, text.robot);
  lwStatus status  = lw_robot_read_file(path, NULL, reader->diag, &study->robot);
  if (!lw_keep_file(reader->keep, &reader->document, status, path, text.places[AT_ROBOT])) return;
  InverseRun* motion = lw_keep_take(reader->keep, 1, sizeof *motion);
  if (!motion) return;
  motion->n  = lw_model_dof(study->robot);
  motion->nq = lw_model_nq(study->robot);
  if ((text.trajectory != NULL) == (text.waypoints != NULL))
    lw_study_error(reader, node->place,
                   "an inverse run has either 'trajectory', a file, or 'waypoints'");
  else if (text.trajectory)
    read_motion_file(reader, &text, motion);
  else
    read_waypoints(reader, &text, motion);
  if (!motion->t) return;
  settle_speeds(motion);
  inverse_columns(reader, motion);
  study->job      = motion;
  study->band_end = motion->t[motion->rows - 1];
}

// --- running

static void begin_inverse(lwStudyWorker* worker)
{
  const InverseRun* motion = worker->study->job;
  lwKeep* keep             = &worker->keep;
  size_t rows = (size_t)motion->rows, size = rows * (size_t)motion->n;
  Inverse* state = worker->state = lw_keep_take(keep, 1, sizeof *state);
  if (!state) return;
  state->tau     = lw_keep_take(keep, size, sizeof(double));
  state->samples = lw_keep_take(keep, rows, sizeof *state->samples);
  state->rates   = lw_keep_take(keep, rows, sizeof(double));
  bool closes    = lw_model_loop_count(worker->study->robot) > 0;
  if (closes || lw_study_varies(worker->study, LW_PATCH_TIME, LW_PATCH_TIME))
  {
    state->t   = lw_keep_take(keep, rows, sizeof(double));
    state->qd  = lw_keep_take(keep, size, sizeof(double));
    state->qdd = lw_keep_take(keep, size, sizeof(double));
  }
  if (closes)
  {
    size_t nq  = (size_t)motion->nq;
    state->q   = lw_keep_take(keep, rows * nq, sizeof(double));
    state->row = lw_keep_take(keep, nq + 5 * (size_t)motion->n, sizeof(double));
  }
  keep->failed = !lw_record_reserve(worker, motion->rows) || keep->failed;
}

// The motion of this sample.
static InverseRun sample_motion(const InverseRun* motion, Inverse* state, double factor)
{
  InverseRun mine = *motion;
  if (!state->t) return mine;
  size_t rows = (size_t)motion->rows, size = rows * (size_t)motion->n;
  for (size_t k = 0; k < rows; ++k) state->t[k] = motion->t[k] * factor;
  for (size_t k = 0; k < size; ++k) state->qd[k] = motion->qd[k] / factor;
  for (size_t k = 0; k < size; ++k) state->qdd[k] = motion->qdd[k] / (factor * factor);
  mine.t   = state->t;
  mine.qd  = state->qd;
  mine.qdd = state->qdd;
  return mine;
}

static void copy_column(lwRecord* record, int column, const double* values, long rows)
{
  if (record->column[column]) memcpy(record->column[column], values, (size_t)rows * sizeof *values);
}

// What is left of the limits, as a part of them: negative beyond; 1 where there are none.
static double least_headroom(const lwJointDef* joint, const double* loads)
{
  static const lwLoad limited[] = {LW_LOAD_TORQUE, LW_LOAD_SPEED, LW_LOAD_VOLTAGE, LW_LOAD_CURRENT};
  double least                  = 1;
  for (int k = 0; k < (int)(sizeof limited / sizeof limited[0]); ++k)
  {
    double limit = lw_joint_limit(joint, limited[k]);
    if (isfinite(limit)) least = fmin(least, 1 - fabs(loads[limited[k]]) / limit);
  }
  return least;
}

// Of velocity i. A ball or floating joint has no drive that looks at its position.
static void load_columns(const InverseRun* m, Inverse* state, const lwModel* model, int i,
                         lwRecord* record)
{
  const lwJointDef* joint = lw_model_joint_def(model, i);
  int at                  = lw_model_velocity(model, i).other;
  const double* q         = at >= 0 ? m->q + at * m->rows : NULL;
  const double *qd = m->qd + i * m->rows, *qdd = m->qdd + i * m->rows,
               *tau = state->tau + i * m->rows;
  double* capacity  = record->column[m->first[HEADROOM] + i];
  for (long k = 0; k < m->rows; ++k)
    state->samples[k] = (lwJointSample){m->t[k], q ? q[k] : 0, qd[k], qdd[k], tau[k]};
  lw_current_rates(joint, m->rows, state->samples, state->rates);
  for (long k = 0; k < m->rows; ++k)
  {
    double loads[LW_LOAD_COUNT];
    lw_joint_loads(joint, &state->samples[k], state->rates[k], loads);
    for (int c = 0; c < LOAD_COUNT; ++c)
    {
      double* column = record->column[m->first[c] + i];
      if (column) column[k] = loads[LOADS[c].load];
    }
    if (capacity) capacity[k] = least_headroom(joint, loads);
  }
}

static bool joint_is_used(const lwStudy* study, const InverseRun* m, int i)
{
  bool used = false;
  for (int c = 0; c <= LOAD_COUNT; ++c) used = used || study->used[m->first[c] + i];
  return used;
}

// Torques of an open tree, states in lanes.
static lwStatus tree_torques(const lwModel* model, const InverseRun* m, Inverse* state)
{
  lwWorkspace* ws    = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  def.layout         = LW_LAYOUT_BY_ENTRY;
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE);
  lwStatus status    = lw_workspace_create(model, &def, NULL, &ws);
  lwStates states    = {.q = m->q, .qd = m->qd, .qdd = m->qdd};
  if (status == LW_OK)
    lw_answer_many(model, ws, LW_QUESTION_INVERSE, (int)m->rows, &states, state->tau);
  lw_workspace_destroy(ws);
  return status;
}

// Row k of the motion: driven joints as in the trajectory, the others follow; and its torques.
static lwStatus closed_row(lwLoops* loops, const InverseRun* m, Inverse* state, long k)
{
  double *q = state->row, *qd = q + m->nq, *qdd = qd + m->n, *tau = qdd + m->n;
  double* work = tau + m->n;
  for (int i = 0; i < m->nq; ++i) q[i] = m->q[i * m->rows + k];
  for (int i = 0; i < m->n; ++i) qd[i] = m->qd[i * m->rows + k];
  for (int i = 0; i < m->n; ++i) qdd[i] = m->qdd[i * m->rows + k];
  lwStatus status = lw_loops_close(loops, q, NULL);
  if (status == LW_OK) status = lw_loops_velocity(loops, q, qd);
  if (status == LW_OK) status = lw_loops_acceleration(loops, q, qd, qdd);
  lwStates at = {.q = q, .qd = qd, .qdd = qdd};
  if (status == LW_OK) status = lw_loops_drive_torques(loops, &at, work, tau);
  for (int i = 0; i < m->nq; ++i) state->q[i * m->rows + k] = q[i];
  for (int i = 0; i < m->n; ++i)
  {
    state->qd[i * m->rows + k]  = qd[i];
    state->qdd[i * m->rows + k] = qdd[i];
    state->tau[i * m->rows + k] = tau[i];
  }
  return status;
}

// The motion of this robot, whose joints that follow may be elsewhere, and its torques.
static lwStatus closed_torques(const lwModel* model, InverseRun* m, Inverse* state, lwStudyRow* row)
{
  lwLoops* loops     = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE);
  lwStatus status    = lw_loops_create(model, &def, NULL, &loops);
  for (long k = 0; k < m->rows && status == LW_OK; ++k)
  {
    if (closed_row(loops, m, state, k) == LW_OK) continue;
    lw_row_fail(row, LW_SAMPLE_STATE_IMPOSSIBLE,
                "no motion of the joints that are not driven closes the loops at t = %g s",
                m->t[k]);
    break;
  }
  lw_loops_destroy(loops);
  m->q = state->q, m->qd = state->qd, m->qdd = state->qdd;
  return status;
}

static void record_motion(lwStudyWorker* worker, const lwModel* model, const InverseRun* m,
                          Inverse* state)
{
  lwRecord* record = &worker->record;
  record->rows     = m->rows;
  copy_column(record, 0, m->t, m->rows);
  for (int i = 0; i < m->nq; ++i) copy_column(record, 1 + i, m->q + i * m->rows, m->rows);
  for (int i = 0; i < m->n; ++i)
  {
    copy_column(record, 1 + m->nq + i, m->qd + i * m->rows, m->rows);
    copy_column(record, 1 + m->nq + m->n + i, m->qdd + i * m->rows, m->rows);
    copy_column(record, m->tau + i, state->tau + i * m->rows, m->rows);
    if (joint_is_used(worker->study, m, i)) load_columns(m, state, model, i, record);
  }
}

static lwStatus run_inverse(lwStudyWorker* worker, lwStudyRow* row)
{
  const lwStudy* study = worker->study;
  Inverse* state       = worker->state;
  double factor        = lw_study_time(study, lw_row_numbers(row));
  if (!(factor > 0))
    lw_row_fail(row, LW_SAMPLE_STATE_IMPOSSIBLE, "a trajectory that lasts %g times as long",
                factor);
  lwModel* model = row->state == LW_SAMPLE_STATE_DONE
                       ? lw_study_model(worker, lw_model_robot(study->robot), row)
                       : NULL;
  if (!model) return LW_OK;
  InverseRun m = sample_motion(study->job, state, factor);
  lwStatus status =
      state->row ? closed_torques(model, &m, state, row) : tree_torques(model, &m, state);
  if (status == LW_OK && row->state == LW_SAMPLE_STATE_DONE)
  {
    record_motion(worker, model, &m, state);
    lw_study_measure(worker, row);
  }
  lw_model_destroy(model);
  return status;
}

const lwRunKind LW_RUN_INVERSE = {.read = read_inverse, .begin = begin_inverse, .run = run_inverse};
