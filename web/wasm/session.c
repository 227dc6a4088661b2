// SPDX-License-Identifier: MIT
// The functions that the page calls. A session is a scenario file and everything made from it; a
// changed setting in the page makes a new scenario text and a new session.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "link_places.h"
#include "linkwork/linkwork.h"
#include "linkwork/loop.h"
#include "linkwork/read.h"
#include "linkwork/scenario.h"
#include "math/svd.h"
#include "message.h"
#include "report/page/page_columns.h"

typedef struct Session
{
  lwScenario* scenario;
  const lwModel* model;
  lwWorkspace* ws;     // its frame is the tool
  lwWorkspace* sweep;  // its frame is set to each link in turn
  lwLoops* loops;      // or NULL: the robot has none
  lwIk* ik;
  struct
  {
    lwWorkspace* ws;
    int method;
  } by[2];  // what answers by a method that is chosen
  lwArmRun* run;
  LinkPlace* links;  // (count)
  double* q;         // (nq) at which the links were placed
  double* trial;     // (nq)
  double* jacobian;  // (6 dof)
} Session;

void* EXPORT(take_memory)(size_t size)
{
  return malloc(size);
}

void EXPORT(give_memory)(void* memory)
{
  free(memory);
}

// --- sessions

void EXPORT(session_close)(Session* session)
{
  if (!session) return;
  lw_arm_run_destroy(session->run);
  lw_ik_destroy(session->ik);
  lw_loops_destroy(session->loops);
  lw_workspace_destroy(session->ws);
  lw_workspace_destroy(session->sweep);
  for (int k = 0; k < 2; ++k) lw_workspace_destroy(session->by[k].ws);
  lw_scenario_destroy(session->scenario);
  free(session->links);
  free(session->q);
  free(session->trial);
  free(session->jacobian);
  free(session);
}

static lwStatus prepare(Session* session)
{
  const lwModel* model = session->model = lw_scenario_model(session->scenario);
  size_t count = (size_t)lw_model_joint_count(model) + 1, dof = (size_t)lw_model_dof(model) + 1;
  size_t nq         = (size_t)lw_model_nq(model) + 1;
  lwIkDef ik        = lw_ik_def();
  ik.restarts       = 0;  // the arm follows the pointer and must not jump
  session->links    = calloc(count, sizeof *session->links);
  session->q        = calloc(nq, sizeof *session->q);
  session->trial    = calloc(nq, sizeof *session->trial);
  session->jacobian = calloc(6 * dof, sizeof *session->jacobian);
  if (!session->links || !session->q || !session->trial || !session->jacobian)
    return LW_ERROR_MEMORY;
  lwWorkspaceDef base = lw_workspace_def();
  base.open_tree      = true;  // session_answer() refuses what would be that of an open tree
  lwStatus status     = lw_workspace_create(model, &base, NULL, &session->ws);
  base.axes           = LW_AXES_BASE;
  if (status == LW_OK) status = lw_workspace_create(model, &base, NULL, &session->sweep);
  if (status == LW_OK) status = lw_ik_create(model, session->ws, &ik, NULL, &session->ik);
  if (status == LW_OK && lw_model_loop_count(model) > 0)
    status = lw_loops_create(model, NULL, NULL, &session->loops);
  return status;
}

// Opens a scenario file of the page. NULL: failed, see session_message().
Session* EXPORT(session_open)(const char* path)
{
  // the program has checked this robot; do not refuse here what it accepted
  const lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  Session* session              = calloc(1, sizeof *session);
  lwDiag* diag                  = lw_diag_create();
  lwStatus status               = LW_ERROR_MEMORY;
  if (session && diag) status = lw_scenario_read_file(path, &tolerate, diag, &session->scenario);
  if (status == LW_OK) status = prepare(session);
  if (status != LW_OK)
  {
    message_keep(diag, status);
    session_close(session);
    session = NULL;
  }
  lw_diag_destroy(diag);
  return session;
}

int EXPORT(session_dof)(const Session* session)
{
  return lw_model_dof(session->model);
}

int EXPORT(session_nq)(const Session* session)
{
  return lw_model_nq(session->model);
}

int EXPORT(session_count)(const Session* session)
{
  return lw_model_joint_count(session->model);
}

double EXPORT(session_duration)(const Session* session)
{
  return lw_scenario_duration(session->scenario);
}

double EXPORT(session_record)(const Session* session)
{
  return lw_scenario_record(session->scenario);
}

// --- questions about a state

// Sets the tool link, used for pose, Jacobian and inverse kinematics: a joint of the description.
int EXPORT(session_tool)(Session* session, int joint)
{
  const lwFrame frame = {.joint = joint};
  return lw_workspace_set_frame(session->ws, session->model, &frame, NULL) == LW_OK;
}

// Number of the question with this name, or -1.
int EXPORT(question_find)(const char* name)
{
  for (int i = 0; i < LW_QUESTION_COUNT; ++i)
    if (!strcmp(lw_question_info((lwQuestion)i)->name, name)) return i;
  return -1;
}

int EXPORT(session_outputs)(const Session* session, int question)
{
  return (int)lw_question_outputs(session->model, (lwQuestion)question);
}

// Answers to questions that cannot be asked of this robot are NaN.
void EXPORT(session_answer)(Session* session, int question, const double* q, const double* qd,
                            const double* qdd, const double* tau, double* out)
{
  const lwStates state = {.q = q, .qd = qd, .qdd = qdd, .tau = tau};
  size_t outputs       = lw_question_outputs(session->model, (lwQuestion)question);
  if (lw_question_check(session->model, (lwQuestion)question, false, NULL) == LW_OK)
    lw_answer(session->model, session->ws, (lwQuestion)question, &state, out);
  else
    for (size_t i = 0; i < outputs; ++i) out[i] = NAN;
}

// Method i of the registry and the number of its question; NULL: there are no more.
const char* EXPORT(method_name)(int i)
{
  return i < lw_method_count() ? lw_method(i)->name : NULL;
}

int EXPORT(method_question)(int i)
{
  return (int)lw_method(i)->question;
}

// Answers the question of a method by it, as often as told; `slot` 0 or 1 remembers the method.
// 0: it cannot be asked of this robot.
int EXPORT(session_by_method)(Session* session, int slot, int method, int times, const double* q,
                              const double* qd, const double* qdd, const double* tau, double* out)
{
  const lwMethod* of   = lw_method(method);
  const lwStates state = {.q = q, .qd = qd, .qdd = qdd, .tau = tau};
  lwWorkspace** ws     = &session->by[slot].ws;
  lwWorkspaceDef def   = lw_workspace_def();
  def.questions        = LW_ASKS(of->question);
  if (*ws && session->by[slot].method != method)
  {
    lw_workspace_destroy(*ws);
    *ws = NULL;
  }
  session->by[slot].method = method;
  if (!*ws && (!lw_workspace_def_set_method(&def, of->question, of->name) ||
               lw_workspace_create(session->model, &def, NULL, ws) != LW_OK))
    return 0;
  for (int k = 0; k < times; ++k) lw_answer(session->model, *ws, of->question, &state, out);
  return 1;
}

// Poses of all links, as LinkPlace (18 numbers each).
const LinkPlace* EXPORT(session_links)(Session* session, const double* q)
{
  links_place(session->model, session->sweep, q, session->links);
  memcpy(session->q, q, (size_t)lw_model_nq(session->model) * sizeof *q);
  return session->links;
}

// Reactions (count) for a motion of the links placed last; NaN with closed loops.
void EXPORT(session_reactions)(Session* session, const double* qd, const double* qdd,
                               Reaction* reactions)
{
  size_t numbers =
      (size_t)lw_model_joint_count(session->model) * sizeof *reactions / sizeof(double);
  if (lw_question_check(session->model, LW_QUESTION_REACTIONS, false, NULL) != LW_OK)
    for (size_t i = 0; i < numbers; ++i) ((double*)reactions)[i] = NAN;
  else
    links_react(session->model, session->sweep, session->links, session->q, qd, qdd, reactions);
}

// The smallest singular value of the tool's Jacobian.
double EXPORT(session_singular)(Session* session, const double* q)
{
  lwSvd svd = {.rows = 6, .columns = lw_model_dof(session->model), .B = session->jacobian};
  lw_jacobian(session->model, session->ws, q, session->jacobian);
  lw_svd(&svd);
  return lw_svd_smallest(&svd);
}

// Moves the tool to a position, with this rotation (9), or any if NULL. Returns the remaining
// distance, m. Loops stay closed.
double EXPORT(session_reach)(Session* session, const double* position, const double* rotation,
                             double* q)
{
  lwTarget target = rotation ? lw_target_pose() : lw_target_position();
  memcpy(target.position, position, sizeof target.position);
  if (rotation) memcpy(target.rotation, rotation, sizeof target.rotation);
  return lw_ik_solve(session->ik, &target, q).position_error;
}

// --- robots with loops

int EXPORT(session_has_loops)(const Session* session)
{
  return session->loops != NULL;
}

// Whether a joint of the description is driven; without loops all are.
int EXPORT(session_is_driven)(const Session* session, int joint)
{
  for (int i = 0; i < lw_model_dof(session->model); ++i)
    if (lw_model_velocity(session->model, i).joint == joint)
      return lw_model_is_driven(session->model, i);
  return 0;
}

// The file's configuration, with its loops closed, to q (nq).
void EXPORT(session_start)(const Session* session, double* q)
{
  lw_model_start(session->model, q);
}

// The driven joints at the fraction `part` of the way to q, the others where loops close near
// `at`; false if they cannot be closed, or only by a leap to another branch.
static bool step_closed(Session* session, const double* from, const double* q, double part,
                        const double* at)
{
  const double LEAP = 0.3;  // rad or m in one step
  double* trial     = session->trial;
  int nq            = lw_model_nq(session->model);
  for (int k = 0; k < nq; ++k)
  {
    bool driven = session_is_driven(session, lw_model_position(session->model, k).joint);
    trial[k]    = driven ? from[k] + part * (q[k] - from[k]) : at[k];
  }
  if (lw_loops_close(session->loops, trial, NULL) != LW_OK) return false;
  for (int k = 0; k < nq; ++k)
    if (fabs(trial[k] - at[k]) > LEAP) return false;
  return true;
}

// Moves the driven joints from a closed configuration towards q (nq), in steps short enough for
// the others to follow on the same branch. q becomes the last configuration that can be closed;
// returns the part of the way that was gone.
double EXPORT(session_follow)(Session* session, const double* from, double* q)
{
  const double STEP = 0.05, LEAST = 1e-9;  // rad or m of the driven joints; part of the way
  int nq     = lw_model_nq(session->model);
  double* at = session->q;  // links are placed anew after this
  double far = 0, part = 0;
  for (int k = 0; k < nq; ++k) far = fmax(far, fabs(q[k] - from[k]));
  double first = far > STEP ? STEP / far : 1, step = first;
  memcpy(at, from, (size_t)nq * sizeof *at);
  while (part < 1 && step > LEAST)
  {
    double next = fmin(part + step, 1);
    if (!step_closed(session, from, q, next, at))
    {
      step /= 2;
      continue;
    }
    memcpy(at, session->trial, (size_t)nq * sizeof *at);
    part = next;
    step = fmin(2 * step, first);
  }
  memcpy(q, at, (size_t)nq * sizeof *q);
  return part;
}

// The torques of the drives that hold the robot at rest at q, with its loops closed, to tau (dof).
// 1: done; 0: its loops are open there; -1: its drives cannot hold it.
int EXPORT(session_hold)(Session* session, const double* q, double* tau)
{
  if (lw_loops_check(session->loops, q, NULL, NULL, NULL) != LW_OK) return 0;
  return lw_loops_inverse(session->loops, &(lwStates){.q = q}, tau, NULL) == LW_OK ? 1 : -1;
}

// --- the scenario over time

// The controller's reference at time t: q (nq), qd, qdd (dof each). 0: there is none.
int EXPORT(session_reference)(const Session* session, double t, double* q, double* qd, double* qdd)
{
  const lwControllerDef* controller = &lw_scenario_arm(session->scenario)->controller;
  if (controller->kind == LW_CONTROL_NONE || !controller->reference) return 0;
  controller->reference(controller->context, t, q, qd, qdd);
  return 1;
}

// Starts the scenario's run, from the given state unless q is NULL. 0: see session_message().
int EXPORT(run_begin)(Session* session, const double* q, const double* qd)
{
  lwArmDef def = *lw_scenario_arm(session->scenario);
  lw_arm_run_destroy(session->run);
  session->run = NULL;
  if (q) def.q = q;
  if (qd) def.qd = qd;
  lwDiag* diag    = lw_diag_create();
  lwStatus status = diag ? lw_arm_run_create(&def, diag, &session->run) : LW_ERROR_MEMORY;
  message_keep(diag, status);
  lw_diag_destroy(diag);
  return status == LW_OK;
}

// Continues to time t; returns an lwOutcome.
int EXPORT(run_advance)(Session* session, double t)
{
  return (int)lw_arm_run_advance(session->run, t, NULL);
}

// The current sample: t kinetic potential work S, then q (nq), then qd qdd tau voltage current
// friction (dof each).
void EXPORT(run_sample)(Session* session, double* out)
{
  const lwArmSample sample = lw_arm_run_sample(session->run);
  const double single[]    = {sample.t, sample.kinetic, sample.potential, sample.work, sample.S};
  const double* arrays[]   = {sample.qd,      sample.qdd,     sample.tau,
                              sample.voltage, sample.current, sample.friction};
  size_t n = (size_t)lw_model_dof(session->model), nq = (size_t)lw_model_nq(session->model);
  memcpy(out, single, sizeof single);
  memcpy(out + 5, sample.q, nq * sizeof *out);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
    memcpy(out + 5 + nq + i * n, arrays[i], n * sizeof *out);
}

// Notes of the audit from number `first` on, as t, kind, which; returns their count.
int EXPORT(run_notes)(const Session* session, int first, int room, double* out)
{
  const lwAudit audit = lw_arm_run_audit(session->run);
  for (int i = first; i < audit.note_count && i - first < room; ++i)
  {
    *out++ = audit.notes[i].t;
    *out++ = audit.notes[i].kind;
    *out++ = audit.notes[i].which;
  }
  return audit.note_count;
}

// --- recordings

void EXPORT(column_decode)(const unsigned char* planes, size_t rows, double first, double quantum,
                           double* values)
{
  lw_page_column_decode(planes, rows, first, quantum, values);
}
