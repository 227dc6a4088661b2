// SPDX-License-Identifier: MIT
// Wraps one version of the library in the table of side.h. Compiled once with the headers of each
// version; -DSIDE_OLD_NAMES is for versions before the renaming of 0.2.
#include "side.h"

#include <stdlib.h>
#include <string.h>

#include "linkwork/linkwork.h"
#include "linkwork/methods.h"
#include "linkwork/read.h"

#if !defined(SIDE_OLD_NAMES)
#include "linkwork/generate.h"
#include "linkwork/loop.h"
#endif

#if defined(SIDE_OLD_NAMES)
#define LW_PRECISION_SINGLE           LW_SINGLE
#define LW_LAYOUT_BY_ENTRY            LW_BY_ENTRY
#define LW_QUESTION_INVERSE           LW_INVERSE
#define LW_QUESTION_INERTIA           LW_INERTIA
#define LW_QUESTION_FORWARD           LW_FORWARD
#define lwWorkspace                   lwWork
#define lwWorkspaceDef                lwWorkDef
#define lw_workspace_def              lw_work_def
#define lw_workspace_destroy          lw_work_destroy
#define side_workspace(m, def, where) lw_work_create(m, def, where)
#define lw_model_nq                   lw_model_dof
// versions without closed loops refuse such robots when they read them
typedef struct lwLoops lwLoops;
#define lw_model_loop_count(m)               ((void)(m), 0)
#define lw_loops_create(m, def, diag, where) ((void)(where), LW_OK)
#define lw_loops_destroy(l)                  ((void)(l))
#define lw_model_start(m, q)                 ((void)(q))
#define lw_loops_close(l, q, gap)            ((void)(gap), LW_OK)
#define lw_loops_velocity(l, q, qd)          LW_OK
#define lw_loops_forward(l, state, qdd, f)   ((void)(state))
#define lw_loops_inverse(l, state, tau, f)   ((void)(state))
#define lw_loops_acceleration(l, q, qd, qdd) LW_OK
// versions without generated code answer by their kernels
typedef struct lwSpecialised lwSpecialised;
#define lw_model_specialise(m, questions, diag, where)       (*(where) = NULL, LW_OK)
#define lw_specialised_destroy(s)                            ((void)(s))
#define lw_specialised_reason(s, question)                   ((void)(s), (const char*)NULL)
#define lw_specialised_answer(s, question, state, out)       ((void)(s))
#define lw_specialised_answer_many(s, question, n, all, out) ((void)(s))
#define side_read_floating(path, where)                      ((void)(path), (void)(where))
#else
#define side_read_floating(path, where)                                                            \
  lw_robot_read_file(path, &(lwModelOptions){.mount.floating = true}, NULL, where)
#define side_workspace(m, def, where) lw_workspace_create(m, def, NULL, where)
#endif

struct Timed
{
  lwModel* model;
  lwWorkspace* ws;
  lwSpecialised* special;  // NULL: the kernels answer
  lwLoops* loops;          // of a robot with closed loops, or NULL
  lwQuestion question;
  int states, next, nq, dof;
  double* in[4];             // q, qd, qdd, tau
  lwStates ring[SIDE_RING];  // states of single calls, or in the first place those of all lanes
  double* out;
};

static lwQuestion question_of(const char* name)
{
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    if (!strcmp(lw_question_info((lwQuestion)k)->name, name)) return (lwQuestion)k;
  return LW_QUESTION_COUNT;
}

static lwModel* model_of(const Case* wanted)
{
  lwModel* model = NULL;
  if (wanted->robot && wanted->floating)
    side_read_floating(wanted->robot, &model);
  else if (wanted->robot)
    lw_robot_read_file(wanted->robot, NULL, NULL, &model);
  else
    lw_model_create_generic(wanted->joints, &model);
  return model;
}

static bool workspace_of(Timed* timed, const Case* wanted)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(timed->question);
  if (wanted->single_precision) def.precision = LW_PRECISION_SINGLE;
  if (wanted->by_entry) def.layout = LW_LAYOUT_BY_ENTRY;
  if (wanted->method && timed->question == LW_QUESTION_INERTIA) def.inertia = wanted->method;
  if (wanted->method && timed->question == LW_QUESTION_FORWARD) def.forward = wanted->method;
  if (wanted->method && timed->question == LW_QUESTION_INVERSE) def.inverse = wanted->method;
  return side_workspace(timed->model, &def, &timed->ws) == LW_OK;
}

// Loops are answered about one state per call, forward and inverse.
static bool loops_of(Timed* timed, const Case* wanted)
{
  bool answers = timed->question == LW_QUESTION_FORWARD || timed->question == LW_QUESTION_INVERSE;
  if (!answers || wanted->states || wanted->single_precision || wanted->method) return false;
  return lw_loops_create(timed->model, NULL, NULL, &timed->loops) == LW_OK;
}

// Makes a state one in which the loops are closed and stay so: near the first one that closes.
static bool close_timed(const Timed* timed, int k)
{
  double gap[2], *q = timed->in[0] + (size_t)k * (size_t)timed->nq;
  double* first = calloc((size_t)timed->nq + 1, sizeof *first);
  if (!first) return false;
  lw_model_start(timed->model, first);
  for (int i = 0; i < timed->nq; ++i) q[i] = first[i] + 0.01 * q[i];
  free(first);
  double *qd  = timed->in[1] + (size_t)k * (size_t)timed->dof,
         *qdd = timed->in[2] + (size_t)k * (size_t)timed->dof;
  return lw_loops_close(timed->loops, q, gap) == LW_OK &&
         lw_loops_velocity(timed->loops, q, qd) == LW_OK &&
         lw_loops_acceleration(timed->loops, q, qd, qdd) == LW_OK;
}

// False if the code does not compile here.
static bool special_of(Timed* timed, const Case* wanted)
{
  if (!wanted->generated) return true;
  lwStatus status =
      lw_model_specialise(timed->model, LW_ASKS(timed->question), NULL, &timed->special);
  return status == LW_OK &&
         (!timed->special || !lw_specialised_reason(timed->special, timed->question));
}

// Arrays of both versions begin with a page: differences in alignment cost up to a tenth.
static double* array(size_t count)
{
  enum
  {
    PAGE = 4096
  };
  return aligned_alloc(PAGE, (count * sizeof(double) + PAGE) / PAGE * PAGE);
}

// Numbers from -limit to limit, the same for both versions.
static double* numbers(size_t count, double limit, unsigned long long seed)
{
  double* x = array(count);
  for (size_t i = 0; x && i < count; ++i)
  {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    x[i] = limit * ((double)(seed >> 11) * 0x1p-52 - 1);
  }
  return x;
}

static int states_held(const Timed* timed)
{
  return timed->states ? timed->states : SIDE_RING;
}

static long outputs_of(const Timed* timed)
{
  return (long)lw_question_outputs(timed->model, timed->question) * states_held(timed);
}

static void close_side(Timed* timed)
{
  if (!timed) return;
  lw_specialised_destroy(timed->special);
  lw_loops_destroy(timed->loops);
  lw_workspace_destroy(timed->ws);
  lw_model_destroy(timed->model);
  for (int k = 0; k < 4; ++k) free(timed->in[k]);
  free(timed->out);
  free(timed);
}

static lwStates side_state(const Timed* timed, int k)
{
  size_t at = (size_t)k * (size_t)timed->dof;
  return (lwStates){.q   = timed->in[0] + (size_t)k * (size_t)timed->nq,
                    .qd  = timed->in[1] + at,
                    .qdd = timed->in[2] + at,
                    .tau = timed->in[3] + at};
}

static Timed* open_side(const Case* wanted)
{
  Timed* timed = calloc(1, sizeof *timed);
  if (!timed) return NULL;
  timed->question = question_of(wanted->question);
  timed->states   = wanted->states;
  timed->model    = model_of(wanted);
  timed->dof      = timed->model ? lw_model_dof(timed->model) : 0;
  timed->nq       = timed->model ? lw_model_nq(timed->model) : 0;
  bool closed     = timed->model && lw_model_loop_count(timed->model) > 0;
  bool made =
      timed->model && timed->question != LW_QUESTION_COUNT &&
      (closed ? loops_of(timed, wanted) : workspace_of(timed, wanted) && special_of(timed, wanted));
  for (int k = 0; k < 4 && made; ++k)
  {
    size_t count = (size_t)states_held(timed) * (size_t)(k ? timed->dof : timed->nq);
    timed->in[k] = numbers(count, k ? 2 : 3.14, 7 + (unsigned long long)k);
    made         = timed->in[k];
  }
  for (int k = 0; k < SIDE_RING && made && closed; ++k) made = close_timed(timed, k);
  if (made) timed->out = array((size_t)outputs_of(timed));
  for (int k = 0; k < (timed->states ? 1 : SIDE_RING) && made; ++k)
    timed->ring[k] = side_state(timed, k);
  if (made && timed->out) return timed;
  close_side(timed);
  return NULL;
}

static void answer_side(const Timed* timed, const lwStates* states, double* out)
{
  if (timed->loops && timed->question == LW_QUESTION_FORWARD)
    lw_loops_forward(timed->loops, states, out, NULL);
  else if (timed->loops)
    lw_loops_inverse(timed->loops, states, out, NULL);
  else if (timed->special && timed->states)
    lw_specialised_answer_many(timed->special, timed->question, timed->states, states, out);
  else if (timed->special)
    lw_specialised_answer(timed->special, timed->question, states, out);
  else if (timed->states)
    lw_answer_many(timed->model, timed->ws, timed->question, timed->states, states, out);
  else
    lw_answer(timed->model, timed->ws, timed->question, states, out);
}

static void run_side(Timed* timed, int calls)
{
  for (int k = 0; k < calls; ++k)
  {
    answer_side(timed, &timed->ring[timed->next], timed->out);
    if (!timed->states) timed->next = (timed->next + 1) % SIDE_RING;
  }
}

static void answers_of(Timed* timed, double* out)
{
  size_t each = lw_question_outputs(timed->model, timed->question);
  for (int k = 0; k < (timed->states ? 1 : SIDE_RING); ++k)
    answer_side(timed, &timed->ring[k], out + (size_t)k * each);
}

__attribute__((visibility("default"))) extern const Side side;
const Side side = {open_side, run_side, outputs_of, answers_of, close_side};
