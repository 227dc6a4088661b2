// SPDX-License-Identifier: MIT
// Inverse dynamics along a trajectory, and what it asks of the drives: states in lanes, another
// robot in every sample.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/dynamics.h"
#include "linkwork/read.h"
#include "linkwork/trajectory.h"
#include "read/csv_series.h"
#include "study/study_internal.h"
#include "trajectory/samples.h"

// The trajectory, the same for all samples but for its time. Entry i of row k is at [i * rows + k].
typedef struct InverseRun
{
  int n;
  long rows;
  double *t, *q, *qd, *qdd;
  int tau, first[8];  // columns of joint 1: rotor friction torque power .. headroom
} InverseRun;

enum
{
  ROTOR,
  FRICTION,
  TORQUE,
  POWER,
  CURRENT,
  VOLTAGE,
  ELECTRIC,
  HEADROOM,
  LOADS
};

typedef struct Inverse
{
  double *tau, *t, *qd, *qdd;  // of a sample; the last three only where time varies
  double* torque;              // (rows) of a joint
  double* current;             // (rows)
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
    {.name     = "robot",
     .kind     = LW_VALUE_NAME,
     .required = true,
     .offset   = offsetof(InverseText, robot),
     .slot     = AT_ROBOT},
    {.name   = "trajectory",
     .kind   = LW_VALUE_NAME,
     .offset = offsetof(InverseText, trajectory),
     .slot   = AT_TRAJECTORY},
    {.name = "waypoints", .kind = LW_VALUE_NODE, .offset = offsetof(InverseText, waypoints)},
    {.name   = "profile",
     .kind   = LW_VALUE_CHOICE,
     .offset = offsetof(InverseText, profile),
     .words  = profile_words},
    {.name   = "duration",
     .kind   = LW_VALUE_NUMBER,
     .offset = offsetof(InverseText, duration),
     .unit   = "s",
     .slot   = AT_DURATION},
    {.name   = "dt",
     .kind   = LW_VALUE_NUMBER,
     .offset = offsetof(InverseText, dt),
     .unit   = "s",
     .slot   = AT_DT},
};
static const lwTable inverse_table = LW_TABLE("an inverse run", inverse_keys);

static bool take_states(lwStudyReader* reader, InverseRun* motion, long rows)
{
  size_t size  = (size_t)motion->n * (size_t)rows;
  motion->rows = rows;
  motion->t    = lw_study_take(reader, (size_t)rows, sizeof(double));
  motion->q    = lw_study_take(reader, size, sizeof(double));
  motion->qd   = lw_study_take(reader, size, sizeof(double));
  motion->qdd  = lw_study_take(reader, size, sizeof(double));
  return motion->t && motion->q && motion->qd && motion->qdd;
}

static void put_state(InverseRun* motion, long k, double t, const double* q, const double* qd,
                      const double* qdd)
{
  motion->t[k] = t;
  for (int i = 0; i < motion->n; ++i)
  {
    motion->q[i * motion->rows + k]   = q[i];
    motion->qd[i * motion->rows + k]  = qd[i];
    motion->qdd[i * motion->rows + k] = qdd[i];
  }
}

enum
{
  MOST_ROWS = 2000000
};

static long rows_of(lwStudyReader* reader, double duration, double dt, lwPlace place)
{
  double rows = dt > 0 ? floor(duration / dt + 1e-9) + 1 : 0;
  if (rows >= 1 && rows <= MOST_ROWS) return (long)rows;
  lw_document_error(&reader->document, place, NULL,
                    "'dt' of %g s makes %g states of %g s, expected 1 to %d", dt, rows, duration,
                    MOST_ROWS);
  return 0;
}

static bool sample_trajectory(lwStudyReader* reader, InverseRun* motion,
                              const lwTrajectory* trajectory, double dt, lwPlace place)
{
  long rows   = rows_of(reader, lw_trajectory_duration(trajectory), dt, place);
  double* row = lw_study_take(reader, 3 * (size_t)motion->n, sizeof *row);
  double *qd = row + motion->n, *qdd = qd + motion->n;
  if (rows == 0 || !row || !take_states(reader, motion, rows)) return false;
  for (long k = 0; k < rows; ++k)
  {
    double t = dt * (double)k;
    lw_trajectory_at(trajectory, t, row, qd, qdd);
    put_state(motion, k, t, row, qd, qdd);
  }
  return true;
}

static void read_waypoints(lwStudyReader* reader, const InverseText* text, InverseRun* motion)
{
  lwWaypointsDef def = lw_waypoints_def();
  const lwNode* node = text->waypoints;
  lwKey key          = {.name    = "waypoints",
                        .kind    = LW_VALUE_NUMBERS,
                        .size    = motion->n,
                        .measure = LW_MEASURE_ANGLE,
                        .unit    = "rad"};
  int count = node->kind == LW_NODE_LIST ? node->count : 0, k = 0;
  double* q = lw_study_take(reader, (size_t)(count + 1) * (size_t)motion->n, sizeof *q);
  lwTrajectory* trajectory = NULL;
  if (!q) return;
  for (const lwItem* item = count > 0 ? node->items : NULL; item; item = item->next, ++k)
  {
    int i     = 0;
    bool list = item->value->kind == LW_NODE_LIST && item->value->count == motion->n;
    if (!list)
      lw_document_error(&reader->document, item->value->place, NULL,
                        "a waypoint must be a list of %d positions", motion->n);
    for (const lwItem* x = list ? item->value->items : NULL; x; x = x->next, ++i)
      lw_node_number(&reader->document, x->value, &key, i + 1, &q[k * motion->n + i]);
  }
  if (reader->document.errors > 0) return;
  def.count    = count;
  def.q        = q;
  def.duration = text->duration;
  lwStatus status =
      (text->profile == 0 ? lw_trajectory_create_quintic : lw_trajectory_create_cubic)(
          reader->study->robot, &def, reader->diag, &trajectory);
  if (status != LW_OK)
    lw_document_error(&reader->document, node->place, NULL, "there is no such trajectory");
  else
    sample_trajectory(reader, motion, trajectory, text->dt > 0 ? text->dt : 1e-3,
                      text->places[AT_DT]);
  lw_trajectory_destroy(trajectory);
}

static void take_samples(lwStudyReader* reader, const InverseText* text, const lwSamples* samples,
                         InverseRun* motion)
{
  double begin = samples->t[0], end = samples->t[samples->rows - 1];
  long rows =
      text->dt > 0 ? rows_of(reader, end - begin, text->dt, text->places[AT_DT]) : samples->rows;
  double* row = lw_study_take(reader, 3 * (size_t)motion->n, sizeof *row);
  if (rows == 0 || !row || !take_states(reader, motion, rows)) return;
  for (long k = 0; k < rows; ++k)
  {
    double t = text->dt > 0 ? begin + text->dt * (double)k : samples->t[k];
    lw_samples_at(samples, t, row, row + motion->n, row + 2 * motion->n);
    put_state(motion, k, t, row, row + motion->n, row + 2 * motion->n);
  }
}

static void read_motion_file(lwStudyReader* reader, const InverseText* text, InverseRun* motion)
{
  const char* path    = lw_study_path(reader, text->trajectory);
  const char** names  = lw_study_take(reader, (size_t)motion->n, sizeof *names);
  lwCsvGroup groups[] = {
      {.columns = {.symbol = "t", .single = true, .width = 1}, .increasing = true},
      {.columns = {.symbol = "q", .need = LW_COLUMNS_ALL}},
      {.columns = {.symbol = "qd", .need = LW_COLUMNS_ALL_OR_NONE}},
      {.columns = {.symbol = "qdd", .need = LW_COLUMNS_ALL_OR_NONE}}};
  lwSamples samples = {.n = motion->n};
  lwDocument document;
  if (!names) return;
  for (int i = 0; i < motion->n; ++i) names[i] = lw_model_velocity(reader->study->robot, i).name;
  for (int i = 1; i < 4; ++i)
  {
    groups[i].columns.width = motion->n;
    groups[i].columns.names = names;
  }
  lwStatus status = lw_document_open_file(&document, path, reader->diag);
  if (status == LW_OK)
    status = lw_csv_read(&document, groups, 4, &reader->study->arena, &samples.rows);
  if (status == LW_OK && samples.rows == 0)
  {
    lw_document_error(&document, ((lwPlace){1, 1}), NULL, "no motion below the header");
    status = LW_ERROR_INPUT;
  }
  lw_document_free(&document);
  lw_study_file_read(reader, status, path, text->places[AT_TRAJECTORY]);
  if (status != LW_OK) return;
  samples.t   = groups[0].values;
  samples.q   = groups[1].values;
  samples.qd  = groups[2].values;
  samples.qdd = groups[3].values;
  take_samples(reader, text, &samples, motion);
}

static void inverse_columns(lwStudyReader* reader, InverseRun* motion)
{
  static const char* const names[] = {"rotor",   "friction", "torque",   "power",
                                      "current", "voltage",  "electric", "headroom"};
  const lwStudy* study             = reader->study;
  lw_study_columns(reader, "q", motion->n);
  lw_study_columns(reader, "qd", motion->n);
  lw_study_columns(reader, "qdd", motion->n);
  motion->tau = study->column_count;
  lw_study_columns(reader, "tau", motion->n);
  for (int i = 0; i < LOADS; ++i)
  {
    motion->first[i] = study->column_count;
    lw_study_columns(reader, names[i], motion->n);
  }
}

static void read_inverse(lwStudyReader* reader, lwNode* node)
{
  lwStudy* study   = reader->study;
  InverseText text = {0};
  if (!lw_document_fill(&reader->document, node, &inverse_table, &text, text.places)) return;
  const char* path = lw_study_path(reader, text.robot);
  lwStatus status  = lw_robot_read_file(path, NULL, reader->diag, &study->robot);
  if (!lw_study_file_read(reader, status, path, text.places[AT_ROBOT])) return;
  InverseRun* motion = lw_study_take(reader, 1, sizeof *motion);
  if (!motion) return;
  motion->n = lw_model_dof(study->robot);
  if (lw_model_nq(study->robot) != motion->n)
  {
    lw_document_error(&reader->document, text.places[AT_ROBOT], NULL,
                      "a robot with ball or floating joints cannot follow a trajectory here");
    return;
  }
  if ((text.trajectory != NULL) == (text.waypoints != NULL))
    lw_document_error(&reader->document, node->place, NULL,
                      "an inverse run has either 'trajectory', a file, or 'waypoints'");
  else if (text.trajectory)
    read_motion_file(reader, &text, motion);
  else
    read_waypoints(reader, &text, motion);
  if (!motion->t) return;
  inverse_columns(reader, motion);
  study->job      = motion;
  study->band_end = motion->t[motion->rows - 1];
}

// --- running

static bool time_varies(const lwStudy* study)
{
  for (int k = 0; k < study->patch_count; ++k)
    if (study->patches[k].where == LW_PATCH_TIME) return true;
  return false;
}

static void end_inverse(lwStudyWorker* worker)
{
  Inverse* own = worker->own;
  free(own->tau);
  free(own->t);
  free(own->qd);
  free(own->qdd);
  free(own->torque);
  free(own->current);
  free(own);
  worker->own = NULL;
}

static lwStatus begin_inverse(lwStudyWorker* worker)
{
  const InverseRun* motion = worker->study->job;
  size_t rows = (size_t)motion->rows, size = rows * (size_t)motion->n;
  Inverse* own = calloc(1, sizeof *own);
  if (!own) return LW_ERROR_MEMORY;
  worker->own  = own;
  own->tau     = malloc(size * sizeof(double));
  own->torque  = malloc(rows * sizeof(double));
  own->current = malloc(rows * sizeof(double));
  bool enough  = own->tau && own->torque && own->current;
  if (time_varies(worker->study))
  {
    own->t   = malloc(rows * sizeof(double));
    own->qd  = malloc(size * sizeof(double));
    own->qdd = malloc(size * sizeof(double));
    enough   = enough && own->t && own->qd && own->qdd;
  }
  return enough && lw_record_room(worker, motion->rows) ? LW_OK : LW_ERROR_MEMORY;
}

// The motion of this sample.
static InverseRun own_motion(const InverseRun* motion, Inverse* own, double factor)
{
  InverseRun mine = *motion;
  if (!own->t) return mine;
  size_t rows = (size_t)motion->rows, size = rows * (size_t)motion->n;
  for (size_t k = 0; k < rows; ++k) own->t[k] = motion->t[k] * factor;
  for (size_t k = 0; k < size; ++k) own->qd[k] = motion->qd[k] / factor;
  for (size_t k = 0; k < size; ++k) own->qdd[k] = motion->qdd[k] / (factor * factor);
  mine.t   = own->t;
  mine.qd  = own->qd;
  mine.qdd = own->qdd;
  return mine;
}

static void copy_column(lwRecord* record, int column, const double* values, long rows)
{
  if (record->column[column]) memcpy(record->column[column], values, (size_t)rows * sizeof *values);
}

// The current, then with its slope the voltage; see lw_sizing_add().
static double current_slope(const double* t, const double* current, long k, long rows)
{
  if (rows < 2) return 0;
  if (k == 0) return (current[1] - current[0]) / (t[1] - t[0]);
  double h0 = t[k] - t[k - 1], s0 = (current[k] - current[k - 1]) / h0;
  if (k == rows - 1) return s0;
  double h = t[k + 1] - t[k], slope = (current[k + 1] - current[k]) / h;
  return (s0 * h + slope * h0) / (h0 + h);
}

// What is left of a limit, as a part of it: negative beyond; 1 where there is none.
static double headroom_of(double limit, double value)
{
  return isfinite(limit) ? 1 - fabs(value) / limit : 1;
}

static double least_headroom(const lwJointDef* joint, double torque, double qd, double voltage,
                             double current)
{
  double mechanical = fmin(headroom_of(lw_joint_limit(joint, LW_LOAD_TORQUE), torque),
                           headroom_of(lw_joint_limit(joint, LW_LOAD_SPEED), qd));
  double electrical = fmin(headroom_of(lw_joint_limit(joint, LW_LOAD_VOLTAGE), voltage),
                           headroom_of(lw_joint_limit(joint, LW_LOAD_CURRENT), current));
  return fmin(mechanical, electrical);
}

// The currents of all states, as lw_motor_need() has them.
static void motor_currents(const lwMotor* motor, const double* qd, const double* torque, long rows,
                           double* current)
{
  double gear = motor->gear, K = motor->torque_constant;
  if (!motor->given)
    memset(current, 0, (size_t)rows * sizeof *current);
  else if (motor->efficiency == 1)  // by far the most common, and fit for vectors
    for (long k = 0; k < rows; ++k) current[k] = torque[k] / gear / K;
  else
    for (long k = 0; k < rows; ++k) current[k] = lw_motor_need(motor, qd[k], torque[k], 0).current;
}

static void motor_columns(const InverseRun* m, Inverse* own, const lwJointDef* joint, int i,
                          const double* torque, lwRecord* record)
{
  const lwMotor* motor = &joint->motor;
  const double* qd     = m->qd + i * m->rows;
  double* currents     = record->column[m->first[CURRENT] + i];
  double *voltages     = record->column[m->first[VOLTAGE] + i],
         *powers       = record->column[m->first[ELECTRIC] + i],
         *room         = record->column[m->first[HEADROOM] + i];
  if (!currents && !voltages && !powers && !room) return;
  if (!currents) currents = own->current;
  motor_currents(motor, qd, torque, m->rows, currents);
  if (!voltages && !powers && !room) return;
  for (long k = 0; k < m->rows; ++k)
  {
    double slope   = motor->inductance != 0 ? current_slope(m->t, currents, k, m->rows) : 0;
    double voltage = motor->resistance * currents[k] + motor->inductance * slope +
                     motor->torque_constant * motor->gear * qd[k];
    if (!motor->given) voltage = 0;
    if (voltages) voltages[k] = voltage;
    if (powers) powers[k] = voltage * currents[k];
    if (room) room[k] = least_headroom(joint, torque[k], qd[k], voltage, currents[k]);
  }
}

static void load_columns(const InverseRun* m, Inverse* own, const lwJointDef* joint, int i,
                         lwRecord* record)
{
  const double *tau = own->tau + i * m->rows, *qd = m->qd + i * m->rows,
               *qdd = m->qdd + i * m->rows;
  double rotor = lw_motor_rotor(&joint->motor), viscous = joint->friction.viscous,
         coulomb = joint->friction.coulomb;
  double *rotors = record->column[m->first[ROTOR] + i],
         *powers = record->column[m->first[POWER] + i],
         *rubs   = record->column[m->first[FRICTION] + i],
         *torque = record->column[m->first[TORQUE] + i];
  if (!torque) torque = own->torque;
  for (long k = 0; k < m->rows; ++k)
  {
    double rub = (qd[k] > 0 ? coulomb : 0) - (qd[k] < 0 ? coulomb : 0);
    torque[k]  = tau[k] + rotor * qdd[k] + (viscous * qd[k] + rub);
  }
  for (long k = 0; rotors && k < m->rows; ++k) rotors[k] = rotor * qdd[k];
  for (long k = 0; rubs && k < m->rows; ++k) rubs[k] = lw_friction_torque(&joint->friction, qd[k]);
  for (long k = 0; powers && k < m->rows; ++k) powers[k] = torque[k] * qd[k];
  motor_columns(m, own, joint, i, torque, record);
}

static bool joint_is_used(const lwStudy* study, const InverseRun* m, int i)
{
  bool used = false;
  for (int c = 0; c < LOADS; ++c) used = used || study->used[m->first[c] + i];
  return used;
}

static void inverse_record(lwStudyWorker* worker, const InverseRun* m, const lwModel* model)
{
  lwRecord* record = &worker->record;
  Inverse* own     = worker->own;
  record->rows     = m->rows;
  copy_column(record, 0, m->t, m->rows);
  for (int i = 0; i < m->n; ++i)
  {
    copy_column(record, 1 + i, m->q + i * m->rows, m->rows);
    copy_column(record, 1 + m->n + i, m->qd + i * m->rows, m->rows);
    copy_column(record, 1 + 2 * m->n + i, m->qdd + i * m->rows, m->rows);
    copy_column(record, m->tau + i, own->tau + i * m->rows, m->rows);
    if (joint_is_used(worker->study, m, i))
      load_columns(m, own, lw_model_joint_def(model, i), i, record);
  }
}

static lwStatus run_one_inverse(lwStudyWorker* worker, lwStudyRow* row)
{
  const lwStudy* study = worker->study;
  Inverse* own         = worker->own;
  double factor        = lw_study_time(study, lw_row_numbers(row));
  lwWorkspaceDef def   = lw_workspace_def();
  lwWorkspace* ws      = NULL;
  if (!(factor > 0))
    lw_row_fail(row, LW_SAMPLE_STATE_IMPOSSIBLE, "a trajectory that lasts %g times as long",
                factor);
  lwModel* model = row->state == LW_SAMPLE_STATE_DONE
                       ? lw_study_model(worker, lw_model_robot(study->robot), row)
                       : NULL;
  if (!model) return LW_OK;
  def.layout      = LW_LAYOUT_BY_ENTRY;
  def.questions   = LW_ASKS(LW_QUESTION_INVERSE);
  lwStatus status = lw_workspace_create(model, &def, NULL, &ws);
  if (status == LW_OK)
  {
    InverseRun m    = own_motion(study->job, own, factor);
    lwStates states = {.q = m.q, .qd = m.qd, .qdd = m.qdd};
    lw_answer_many(model, ws, LW_QUESTION_INVERSE, (int)m.rows, &states, own->tau);
    inverse_record(worker, &m, model);
    lw_study_measure(worker, row);
  }
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  return status;
}

static lwStatus run_inverse(lwStudyWorker* worker, int count, lwStudyRow* const* rows)
{
  lwStatus status = LW_OK;
  for (int i = 0; i < count && status == LW_OK; ++i) status = run_one_inverse(worker, rows[i]);
  return status;
}

const lwRunKind LW_RUN_INVERSE = {.name  = "inverse",
                                  .read  = read_inverse,
                                  .begin = begin_inverse,
                                  .run   = run_inverse,
                                  .end   = end_inverse};
