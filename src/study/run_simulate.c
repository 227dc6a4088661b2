// SPDX-License-Identifier: MIT
// Simulation of a scenario: arm by arm with everything that a scenario can have, or in lanes.
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "linkwork/fleet.h"
#include "study/study_internal.h"

// Columns of a simulation: of joint 1, or single ones.
typedef struct SimulateColumns
{
  int q, qd, qdd, tau, v, i, friction, q_ref, q_err, x, kinetic, potential, work, S;
} SimulateColumns;

typedef struct SimulateJob
{
  lwTextFile file;
  int n, nq;
  bool lanes;  // arms side by side
  SimulateColumns at;
} SimulateJob;

// What a thread keeps.
typedef struct SimulateThread
{
  double* reference;  // (3 nq)
  double pose[12];
} SimulateThread;

// Whether lanes can do what the scenario asks for: fixed steps, no events, torques and springs.
static bool lanes_can(const lwScenario* scenario)
{
  const lwArmDef* arm              = lw_scenario_arm(scenario);
  const lwIntegratorMethod* method = lw_integrator_method_find(arm->integrator.method);
  const lwModel* model             = lw_scenario_model(scenario);
  bool can = method && !method->adaptive && arm->integrator.most_steps == 0 &&
             arm->event_count == 0 && arm->load_count == 0 && !arm->torques &&
             arm->controller.kind == LW_CONTROL_NONE && arm->friction != LW_FRICTION_MODEL_FULL &&
             arm->limits == LW_LIMIT_MODE_NOTE && lw_model_nq(model) == lw_model_dof(model);
  for (int k = 0; can && k < lw_model_dof(model); ++k)
  {
    const lwJointDrive* drive = &arm->drives[k];
    can                       = !drive->voltage && !drive->converted && !drive->preload_here &&
          drive->signal != LW_SIGNAL_SCHEDULE;  // which jumps within steps
  }
  lwFleetDef def = lw_fleet_def();
  lwFleet* fleet = NULL;
  def.count      = 1;
  def.model      = model;
  def.rotors     = arm->rotors;
  def.threads    = 1;
  if (can) can = lw_fleet_create(&def, NULL, &fleet) == LW_OK;
  lw_fleet_destroy(fleet);
  return can;
}

// --- reading

typedef struct SimulateText
{
  const char* scenario;
  int lanes;
  lwPlace places[2];
} SimulateText;

static const char* const lanes_words[] = {"false", "true", "auto", NULL};

static const lwKey simulate_keys[] = {
    LW_KEY(SimulateText, scenario, .kind = LW_VALUE_NAME, .required = true, .slot = 1),
    LW_CHOICE_KEY(SimulateText, lanes, lanes_words),
};
static const lwTable simulate_table = LW_TABLE("a simulation", simulate_keys);

static void simulate_columns(lwStudyReader* reader, SimulateJob* job)
{
  SimulateColumns* at = &job->at;
  at->q               = lw_study_columns(reader, "q", job->nq);
  at->qd              = lw_study_columns(reader, "qd", job->n);
  at->qdd             = lw_study_columns(reader, "qdd", job->n);
  at->tau             = lw_study_columns(reader, "tau", job->n);
  at->v               = lw_study_columns(reader, "v", job->n);
  at->i               = lw_study_columns(reader, "i", job->n);
  at->friction        = lw_study_columns(reader, "friction", job->n);
  at->q_ref           = lw_study_columns(reader, "q_ref", job->nq);
  at->q_err           = lw_study_columns(reader, "q_err", job->nq);
  at->x               = lw_study_column(reader, "x");
  lw_study_column(reader, "y");
  lw_study_column(reader, "z");
  at->kinetic   = lw_study_column(reader, "kinetic");
  at->potential = lw_study_column(reader, "potential");
  at->work      = lw_study_column(reader, "work");
  at->S         = lw_study_column(reader, "S");
}

// The robot as it is, for targets, with the payload of the scenario.
static lwStatus copy_robot(lwStudy* study)
{
  lwModelOptions tolerant = {.lint.accept = "density"};
  return lw_model_create(lw_model_robot(lw_scenario_model(study->scenario)), &tolerant, NULL,
                         &study->robot);
}

static void read_simulate(lwStudyReader* reader, lwNode* node)
{
  lwStudy* study    = reader->study;
  SimulateText text = {.lanes = 2};
  if (!lw_document_fill(&reader->document, node, &simulate_table, &text, text.places)) return;
  SimulateJob* job = lw_keep_take(reader->keep, 1, sizeof *job);
  const char* path = lw_keep_path(reader->keep, &reader->document, text.scenario);
  if (!job || !lw_study_text_file(reader, path, text.places[1], &job->file)) return;
  lwStatus status = lw_scenario_read_file(path, NULL, reader->diag, &study->scenario);
  if (!lw_keep_file(reader->keep, &reader->document, status, path, text.places[1])) return;
  if (copy_robot(study) != LW_OK) reader->keep->failed = true;
  study->job      = job;
  job->n          = lw_model_dof(lw_scenario_model(study->scenario));
  job->nq         = lw_model_nq(lw_scenario_model(study->scenario));
  study->band_end = lw_scenario_duration(study->scenario);
  job->lanes      = text.lanes > 0 && lanes_can(study->scenario);
  if (text.lanes == 1 && !job->lanes)
    lw_document_error(&reader->document, text.places[1],
                      "rk4 or kutta3, torques and springs, friction none or viscous, no events",
                      "this scenario cannot be run in lanes");
  simulate_columns(reader, job);
}

// --- the scenario and the robot of a sample

static lwStatus read_sample(const char* name, const char* text, size_t length, lwDiag* diag,
                            void** made)
{
  lwScenario* scenario = NULL;
  lwStatus status      = lw_scenario_read_text(name, text, length, NULL, diag, &scenario);
  *made                = scenario;
  return status;
}

// The scenario of a sample, to be destroyed if it is not that of the study. NULL: the row says why;
// or out of memory.
static lwScenario* sample_scenario(lwStudyWorker* worker, lwStudyRow* row, lwStatus* status)
{
  const lwStudy* study   = worker->study;
  const SimulateJob* job = study->job;
  *status                = LW_OK;
  return study->text_varies ? lw_sample_read(worker, &job->file, row, read_sample, status)
                            : study->scenario;
}

// The model of a sample, to be destroyed if it is not that of the scenario; NULL: the row says why.
static const lwModel* sample_model(lwStudyWorker* worker, const lwScenario* scenario,
                                   lwStudyRow* row)
{
  const lwModel* model = lw_scenario_model(scenario);
  return (worker->study->payload_joint >= 0 ||
          lw_study_varies(worker->study, LW_PATCH_FIELD, LW_PATCH_TIME - 1))
             ? lw_study_model(worker, lw_model_robot(model), row)
             : model;
}

static void end_sample(lwStudyWorker* worker, lwScenario* scenario, const lwModel* model)
{
  if (scenario && model != lw_scenario_model(scenario)) lw_model_destroy((lwModel*)model);
  if (scenario != worker->study->scenario) lw_scenario_destroy(scenario);
}

// --- one arm

// The reference and the pose, where a column asks for them.
static void put_derived(lwStudyWorker* worker, const lwArmDef* arm, lwWorkspace* ws,
                        const lwArmSample* s)
{
  const SimulateJob* job    = worker->study->job;
  const SimulateColumns* at = &job->at;
  lwRecord* record          = &worker->record;
  SimulateThread* thread    = worker->state;
  if (arm->controller.reference)
    arm->controller.reference(arm->controller.context, s->t, thread->reference,
                              thread->reference + job->nq, thread->reference + 2 * job->nq);
  for (int k = 0; k < job->nq; ++k)
  {
    double wanted = arm->controller.reference ? thread->reference[k] : arm->q[k];
    lw_record_put(record, at->q_ref + k, wanted);
    lw_record_put(record, at->q_err + k, wanted - s->q[k]);
  }
  if (!ws) return;
  lw_pose(arm->model, ws, s->q, thread->pose, thread->pose + 3);
  for (int k = 0; k < 3; ++k) lw_record_put(record, at->x + k, thread->pose[k]);
}

static void put_sample(lwStudyWorker* worker, const lwArmDef* arm, lwWorkspace* ws,
                       const lwArmSample* s)
{
  const SimulateJob* job    = worker->study->job;
  const SimulateColumns* at = &job->at;
  lwRecord* record          = &worker->record;
  const int joint[]         = {at->qd, at->qdd, at->tau, at->v, at->i, at->friction};
  const double* values[]    = {s->qd, s->qdd, s->tau, s->voltage, s->current, s->friction};
  lw_record_put(record, 0, s->t);
  for (int k = 0; k < job->nq; ++k) lw_record_put(record, at->q + k, s->q[k]);
  for (int c = 0; c < 6; ++c)
    for (int k = 0; k < job->n; ++k) lw_record_put(record, joint[c] + k, values[c][k]);
  lw_record_put(record, at->kinetic, s->kinetic);
  lw_record_put(record, at->potential, s->potential);
  lw_record_put(record, at->work, s->work);
  lw_record_put(record, at->S, s->S);
  put_derived(worker, arm, ws, s);
  ++record->rows;
}

static bool run_ended(lwOutcome outcome)
{
  return outcome == LW_OUTCOME_CONDITION || outcome == LW_OUTCOME_LIMIT;
}

static void drive_arm(lwStudyWorker* worker, const lwScenario* scenario, const lwArmDef* arm,
                      lwWorkspace* ws, lwArmRun* run, lwStudyRow* row)
{
  double duration = lw_scenario_duration(scenario), interval = lw_scenario_record(scenario);
  long records      = (long)lw_clock_records(duration, interval);
  lwOutcome outcome = LW_OUTCOME_ARRIVED;
  for (long k = 0; k < records && outcome == LW_OUTCOME_ARRIVED; ++k)
  {
    outcome = lw_arm_run_advance(run, lw_clock_record(k, duration, interval), worker->stop);
    if (outcome != LW_OUTCOME_ARRIVED && !run_ended(outcome)) break;
    lwArmSample sample = lw_arm_run_sample(run);
    put_sample(worker, arm, ws, &sample);
  }
  lwAudit audit = lw_arm_run_audit(run);
  bool ended    = outcome == LW_OUTCOME_ARRIVED || run_ended(outcome);
  if (ended && !audit.trusted) lw_row_distrust(row, audit.worst_S, audit.bound);
  if (ended) return;
  char why[LW_SAMPLE_WHY - 40];
  lw_arm_run_why(run, why, sizeof why);
  lw_row_fail(row, LW_SAMPLE_STATE_FAILED, "t = %.6g s: %s%s", lw_arm_run_time(run),
              outcome == LW_OUTCOME_BUDGET ? "the budget is used up: " : "", why);
}

static lwStatus simulate_arm(lwStudyWorker* worker, const lwScenario* scenario,
                             const lwModel* model, lwStudyRow* row)
{
  const lwStudy* study   = worker->study;
  const SimulateJob* job = study->job;
  lwArmDef arm           = *lw_scenario_arm(scenario);
  lwArmRun* run          = NULL;
  lwWorkspace* ws        = NULL;
  lwDiag* diag           = lw_diag_create();
  lwWorkspaceDef def     = lw_workspace_def();
  bool pose = study->used[job->at.x] || study->used[job->at.x + 1] || study->used[job->at.x + 2];
  long records =
      (long)lw_clock_records(lw_scenario_duration(scenario), lw_scenario_record(scenario));
  arm.model          = model;
  arm.integrator.end = lw_scenario_duration(scenario);
  def.questions      = LW_ASKS(LW_QUESTION_POSE);
  lwStatus status    = lw_arm_run_create(&arm, diag, &run);
  if (status != LW_OK && status != LW_ERROR_MEMORY)
  {
    lw_row_refuse(row, diag);
    status = LW_OK;
  }
  if (run && pose) status = lw_workspace_create(model, &def, NULL, &ws);
  if (run && status == LW_OK && !lw_record_reserve(worker, records)) status = LW_ERROR_MEMORY;
  if (run && status == LW_OK)
  {
    drive_arm(worker, scenario, &arm, ws, run, row);
    lw_study_measure(worker, row);
  }
  lw_workspace_destroy(ws);
  lw_arm_run_destroy(run);
  lw_diag_destroy(diag);
  return status;
}

static lwStatus run_simulate(lwStudyWorker* worker, lwStudyRow* row)
{
  lwStatus status;
  lwScenario* scenario = sample_scenario(worker, row, &status);
  const lwModel* model = scenario ? sample_model(worker, scenario, row) : NULL;
  if (model) status = simulate_arm(worker, scenario, model, row);
  end_sample(worker, scenario, model);
  return status;
}

// --- an arm in every lane: torques by laws, springs, viscous friction, fixed steps

// One arm of a batch.
typedef struct LaneArm
{
  lwScenario* scenario;
  const lwArmDef* def;
  lwStudyRow* row;
} LaneArm;

// The arms of a batch, those that can be run.
typedef struct Lanes
{
  int n;
  long records;
  LaneArm* arms;           // (batch)
  const lwModel** models;  // (batch) theirs
  double *q, *qd;          // (batch, n)
  double* recorded;        // (batch, records, 3 n)
} Lanes;

static double drive_torque(const lwArmDef* def, double t, int k, int n, double q, double qd)
{
  const lwJointDrive* drive = &def->drives[k];
  double tau                = 0;
  if (drive->signal == LW_SIGNAL_LAW)
    tau = lw_law_at(drive->law, &(lwLawPoint){t, k + 1, n, q, qd});
  if (!drive->sprung) return tau;
  lwSpring spring = drive->spring;
  if (drive->rest_here) spring.rest = def->q[k];
  return tau + lw_spring_torque(&spring, q, qd);
}

static void lane_torques(void* context, const lwFleetBlock* block)
{
  const Lanes* lanes = context;
  for (int k = 0; k < block->joints; ++k)
    for (int lane = 0; lane < block->count; ++lane)
    {
      int at                    = k * block->stride + lane;
      const lwArmDef* def       = lanes->arms[block->arm[lane]].def;
      const lwJointDrive* drive = &def->drives[k];
      if (drive->signal == LW_SIGNAL_NONE && !drive->sprung) continue;
      block->tau[at] += drive_torque(def, block->t, k, block->joints, block->q[at], block->qd[at]);
    }
}

static bool has_torques(const Lanes* lanes, int count)
{
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < lanes->n; ++k)
    {
      const lwJointDrive* drive = &lanes->arms[i].def->drives[k];
      if (drive->signal != LW_SIGNAL_NONE || drive->sprung) return true;
    }
  return false;
}

static void begin_lanes(lwStudyWorker* worker)
{
  lwKeep* keep               = &worker->keep;
  const lwScenario* scenario = worker->study->scenario;
  size_t batch               = (size_t)lw_study_worker_batch(worker);
  Lanes* lanes = worker->state = lw_keep_take(keep, 1, sizeof *lanes);
  if (!lanes) return;
  lanes->n = ((const SimulateJob*)worker->study->job)->n;
  lanes->records =
      (long)lw_clock_records(lw_scenario_duration(scenario), lw_scenario_record(scenario));
  size_t size     = batch * (size_t)lanes->n;
  lanes->arms     = lw_keep_take(keep, batch, sizeof *lanes->arms);
  lanes->models   = lw_keep_take(keep, batch, sizeof(void*));
  lanes->q        = lw_keep_take(keep, size, sizeof *lanes->q);
  lanes->qd       = lw_keep_take(keep, size, sizeof *lanes->qd);
  lanes->recorded = lw_keep_take(keep, (size_t)lanes->records * 3 * size, sizeof *lanes->recorded);
  keep->failed    = !lw_record_reserve(worker, lanes->records) || keep->failed;
}

// Puts samples that can be run into lanes; returns how many there are.
static int take_arms(lwStudyWorker* worker, int count, lwStudyRow* const* rows, lwStatus* status)
{
  Lanes* lanes = worker->state;
  int running  = 0;
  *status      = LW_OK;
  for (int i = 0; i < count && *status == LW_OK; ++i)
  {
    lwScenario* scenario = sample_scenario(worker, rows[i], status);
    const lwModel* model = scenario ? sample_model(worker, scenario, rows[i]) : NULL;
    if (!model) end_sample(worker, scenario, NULL);
    if (!model) continue;
    const lwArmDef* arm    = lw_scenario_arm(scenario);
    lanes->arms[running]   = (LaneArm){scenario, arm, rows[i]};
    lanes->models[running] = model;
    memcpy(lanes->q + running * lanes->n, arm->q, (size_t)lanes->n * sizeof *lanes->q);
    memcpy(lanes->qd + running * lanes->n, arm->qd, (size_t)lanes->n * sizeof *lanes->qd);
    ++running;
  }
  return running;
}

static void keep_states(Lanes* lanes, lwFleet* fleet, int running, long k, double t)
{
  size_t n = (size_t)lanes->n;
  lw_fleet_states(fleet, lanes->q, lanes->qd);
  for (int i = 0; i < running; ++i)
  {
    double* to = lanes->recorded + ((size_t)i * (size_t)lanes->records + (size_t)k) * 3 * n;
    memcpy(to, lanes->q + (size_t)i * n, n * sizeof *to);
    memcpy(to + n, lanes->qd + (size_t)i * n, n * sizeof *to);
    for (int j = 0; j < lanes->n; ++j)
      to[2 * n + (size_t)j] =
          drive_torque(lanes->arms[i].def, t, j, lanes->n, to[j], to[n + (size_t)j]);
  }
}

static void record_arm(lwStudyWorker* worker, int i, double duration, double interval)
{
  const SimulateColumns* at = &((const SimulateJob*)worker->study->job)->at;
  const Lanes* lanes        = worker->state;
  lwRecord* record          = &worker->record;
  size_t n                  = (size_t)lanes->n;
  const double* from        = lanes->recorded + (size_t)i * (size_t)lanes->records * 3 * n;
  for (record->rows = 0; record->rows < lanes->records; ++record->rows, from += 3 * n)
  {
    lw_record_put(record, 0, lw_clock_record(record->rows, duration, interval));
    for (int j = 0; j < lanes->n; ++j)
    {
      lw_record_put(record, at->q + j, from[j]);
      lw_record_put(record, at->qd + j, from[n + (size_t)j]);
      lw_record_put(record, at->tau + j, from[2 * n + (size_t)j]);
    }
  }
}

static lwStatus run_fleet(lwStudyWorker* worker, const lwScenario* scenario, int running)
{
  Lanes* lanes        = worker->state;
  const lwArmDef* arm = lw_scenario_arm(scenario);
  lwFleetDef def      = lw_fleet_def();
  lwFleet* fleet      = NULL;
  double duration = lw_scenario_duration(scenario), interval = lw_scenario_record(scenario);
  def.count       = running;
  def.models      = lanes->models;
  def.method      = arm->integrator.method;
  def.step        = arm->integrator.step;
  def.end         = duration;
  def.threads     = 1;
  def.viscous     = arm->friction == LW_FRICTION_MODEL_VISCOUS;
  def.rotors      = arm->rotors;
  def.torques     = has_torques(lanes, running) ? lane_torques : NULL;
  def.context     = lanes;
  lwStatus status = lw_fleet_create(&def, NULL, &fleet);
  if (status == LW_OK) status = lw_fleet_start(fleet, 0, lanes->q, lanes->qd);
  for (long k = 0; k < lanes->records && status == LW_OK && !lw_study_stopped(worker); ++k)
  {
    double t = lw_clock_record(k, duration, interval);
    if (k > 0) lw_fleet_advance(fleet, t);
    keep_states(lanes, fleet, running, k, t);
  }
  for (int i = 0; i < running && status == LW_OK; ++i)
  {
    lwFleetArm end = lw_fleet_arm(fleet, i);
    if (end.progress != LW_PROGRESS_ARRIVED)
      lw_row_fail(lanes->arms[i].row, LW_SAMPLE_STATE_FAILED,
                  "t = %.6g s: the motion is not finite", end.t);
    else if (!end.trusted)
      lw_row_distrust(lanes->arms[i].row, end.worst_S, end.bound);
    record_arm(worker, i, duration, interval);
    lw_study_measure(worker, lanes->arms[i].row);
  }
  lw_fleet_destroy(fleet);
  return status;
}

static lwStatus run_lanes(lwStudyWorker* worker, int count, lwStudyRow* const* rows)
{
  Lanes* lanes = worker->state;
  lwStatus status;
  int running = take_arms(worker, count, rows, &status);
  if (running > 0 && status == LW_OK) status = run_fleet(worker, worker->study->scenario, running);
  for (int i = 0; i < running; ++i) end_sample(worker, lanes->arms[i].scenario, lanes->models[i]);
  return status;
}

// --- arm by arm, or in lanes

// Columns that lanes know: the state and the torques of the drives.
static bool lanes_know(const lwStudy* study)
{
  const SimulateJob* job    = study->job;
  const SimulateColumns* at = &job->at;
  for (int c = 1; c < study->column_count; ++c)
  {
    bool known = c < at->qdd || (c >= at->tau && c < at->v);
    if (study->used[c] && !known) return false;
  }
  return true;
}

// Numbers that may differ between lanes.
static bool lanes_may_vary(const lwStudy* study)
{
  const SimulateJob* job               = study->job;
  static const char* const free_keys[] = {"initial", "drives", "payload", "gravity"};
  for (int k = 0; k < study->patch_count; ++k)
  {
    if (study->patches[k].where != LW_PATCH_TEXT) continue;
    bool inside = false;
    for (const lwItem* item = job->file.root->items; item; item = item->next)
    {
      size_t length;
      const char* line =
          lw_text_line(job->file.text, job->file.length, item->key->place.line, &length);
      if (line && (size_t)(line - job->file.text) > study->patches[k].offset) break;
      inside = false;
      for (int i = 0; i < 4; ++i) inside = inside || lw_node_is_word(item->key, free_keys[i]);
    }
    if (!inside) return false;
  }
  return true;
}

// Arms of a fleet: several vectors, so that making it costs little.
static const int LANES_AT_ONCE = 32;

static int simulate_batch(const lwStudy* study)
{
  const SimulateJob* job = study->job;
  return job->lanes && lanes_know(study) && lanes_may_vary(study) ? LANES_AT_ONCE : 1;
}

static void begin_simulate(lwStudyWorker* worker)
{
  const SimulateJob* job = worker->study->job;
  if (simulate_batch(worker->study) > 1) return begin_lanes(worker);
  SimulateThread* thread = worker->state = lw_keep_take(&worker->keep, 1, sizeof *thread);
  if (thread)
    thread->reference = lw_keep_take(&worker->keep, 3 * (size_t)job->nq + 1, sizeof(double));
}

const lwRunKind LW_RUN_SIMULATE = {.text      = "scenario.",
                                   .read      = read_simulate,
                                   .begin     = begin_simulate,
                                   .run       = run_simulate,
                                   .run_batch = run_lanes,
                                   .batch     = simulate_batch};
