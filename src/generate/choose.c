// SPDX-License-Identifier: MIT
// Every method is recorded with the links' own parameters and with grouped ones. The
// cheapest graph whose answers agree with the library is kept: some methods divide by a
// mass, and grouped links may be massless.
#include "generate/choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/workspace.h"
#include "base/random.h"
#include "generate/simplify.h"
#include "kernels/registry.h"
#include "model/model_internal.h"

enum
{
  LARGEST_FOR_CUBIC = 8  // joints up to which methods of n^3 and n^4 are tried
};

static long operation_cost(lwCount count)
{
  return 8 * count.mul + 5 * count.add + 40 * (count.div + count.sqrt);
}

long lw_program_cost(const lwProgram* program)
{
  int32_t* uses;
  if (!lw_program_uses(program, &uses)) return -1;
  lwCount count = lw_program_count(program, uses);
  free(uses);
  return operation_cost(count);
}

// --- comparison with the library

typedef struct Trial
{
  double* in[LW_ARGUMENT_COUNT];
  double* out;       // of the program
  double* expected;  // of the library
} Trial;

static void free_trial(Trial* trial)
{
  for (int k = 0; k < LW_ARGUMENT_COUNT; ++k) free(trial->in[k]);
  free(trial->out);
  free(trial->expected);
}

// A state; gravity is that of the robot, and there is no payload.
static bool take_trial(const lwChoice* choice, int outputs, Trial* trial)
{
  const lwModel* model = choice->model;
  size_t size          = (size_t)model->nq + (size_t)model->dof + 16;
  lwRandom random      = {17};
  bool enough          = true;
  for (int k = 0; k < LW_ARGUMENT_COUNT; ++k)
  {
    trial->in[k] = calloc(size, sizeof(double));
    enough       = enough && trial->in[k];
    for (size_t i = 0; trial->in[k] && i < size; ++i)
      trial->in[k][i] = lw_random_between(&random, -1, 1);
  }
  trial->out      = calloc((size_t)outputs + 1, sizeof(double));
  trial->expected = calloc((size_t)outputs + 1, sizeof(double));
  if (!enough || !trial->out || !trial->expected) return false;
  memcpy(trial->in[LW_ARGUMENT_GRAVITY], model->robot.gravity, 3 * sizeof(double));
  memset(trial->in[LW_ARGUMENT_PAYLOAD], 0, 10 * sizeof(double));
  if (!(choice->arguments & (1u << LW_ARGUMENT_WRENCH)))
    memset(trial->in[LW_ARGUMENT_WRENCH], 0, 6 * sizeof(double));
  lwStates state = {trial->in[LW_ARGUMENT_Q], trial->in[LW_ARGUMENT_QD], trial->in[LW_ARGUMENT_QDD],
                    trial->in[LW_ARGUMENT_TAU], trial->in[LW_ARGUMENT_WRENCH]};
  double* to     = trial->expected;
  for (int k = 0; k < choice->count; ++k)
  {
    lw_answer(model, choice->ws, choice->question[k], &state, to);
    to += lw_question_outputs(model, choice->question[k]);
  }
  return true;
}

// Far above rounding, far below any mistake.
static const double tolerance = 1e-8;

// Whether the program gives the library's answers; *status becomes
// LW_ERROR_MEMORY if that cannot be determined.
static bool agrees(const lwChoice* choice, const lwProgram* program, lwStatus* status)
{
  Trial trial = {.out = NULL};
  bool agree  = take_trial(choice, program->output_count, &trial) &&
               lw_program_evaluate(program, (const double* const*)trial.in, trial.out);
  int first = 0;
  if (!agree) *status = LW_ERROR_MEMORY;
  for (int k = 0; agree && k < choice->count; ++k)
  {
    int size     = (int)lw_question_outputs(choice->model, choice->question[k]);
    double scale = 0, worst = 0;
    for (int i = first; i < first + size; ++i)
    {
      scale      = fmax(scale, fabs(trial.expected[i]));
      double off = fabs(trial.out[i] - trial.expected[i]);
      worst      = isfinite(off) ? fmax(worst, off) : INFINITY;
    }
    agree = worst <= tolerance * scale + 1e-300;
    first += size;
  }
  free_trial(&trial);
  return agree;
}

// --- methods

lwQuestion lw_question_of_methods(lwQuestion question)
{
  bool torque = question == LW_QUESTION_BIAS || question == LW_QUESTION_GRAVITY ||
                question == LW_QUESTION_CORIOLIS;
  return torque ? LW_QUESTION_INVERSE : question;
}

static bool has_methods(lwQuestion question)
{
  question = lw_question_of_methods(question);
  for (int i = 0; i < lw_method_count(); ++i)
    if (lw_method(i)->question == question) return true;
  return false;
}

enum
{
  KEPT        = 24,    // candidates of a question
  SIMPLIFIED  = 4,     // of them, those that are simplified and compared once more
  SMALL_PAIRS = 4,     // of each of two questions of a small robot
  SMALL_COST  = 4000,  // of a candidate; all that cost less are simplified
  LARGE_COST  = 25000  // of the cheapest; then no other is simplified
};

// A way to answer one question, and what it costs before it is simplified.
typedef struct Candidate
{
  int kernel;
  bool grouped;
  long cost;
} Candidate;

typedef struct Candidates
{
  Candidate at[KEPT];  // the cheapest first
  int count;
} Candidates;

static void keep_cheapest(Candidates* candidates, Candidate made)
{
  int at = candidates->count < KEPT ? candidates->count++ : KEPT;
  for (; at > 0 && candidates->at[at - 1].cost > made.cost; --at)
    if (at < KEPT) candidates->at[at] = candidates->at[at - 1];
  if (at < KEPT) candidates->at[at] = made;
}

static bool is_cheap_enough(const Candidates* candidates, long cost)
{
  return candidates->count < KEPT || cost < candidates->at[KEPT - 1].cost;
}

// Records one way to answer one question.
static lwStatus try_recording(const lwChoice* choice, const lwRecording* recording,
                              Candidates* candidates)
{
  lwProgram program;
  lwStatus status = lw_record(recording, &program);
  if (status != LW_OK) return status;
  if (!lw_program_compact(&program)) status = LW_ERROR_MEMORY;
  long cost = lw_program_cost(&program);
  if (cost < 0) status = LW_ERROR_MEMORY;
  if (status == LW_OK && is_cheap_enough(candidates, cost) && agrees(choice, &program, &status))
    keep_cheapest(candidates, (Candidate){recording->kernel[0], recording->grouped[0], cost});
  lw_program_close(&program);
  return status;
}

static bool is_tried(const lwChoice* choice, int method, lwQuestion question)
{
  const lwMethod* info = lw_method(method);
  bool best            = !strcmp(choice->method, "best");
  bool coupled         = choice->model->coupled;
  if (info->question != lw_question_of_methods(question)) return false;
  if (coupled && question == LW_QUESTION_FORWARD &&
      lw_method_find(LW_QUESTION_INERTIA, info->name) < 0)
    return false;
  if (best && !strcmp(info->name, "walker-orin-4")) return false;  // 2 n inverse dynamics: never
  bool steep = !strcmp(info->order, "n^4") || strstr(info->name, "closed-form");
  if (best && steep && choice->model->n > LARGEST_FOR_CUBIC) return false;
  return best || lw_method_is(info, choice->method);
}

// The named method answers only another question of the function: any method may answer this one.
static bool is_named_elsewhere(const lwChoice* choice, lwQuestion question)
{
  for (int i = 0; i < lw_method_count(); ++i)
    if (is_tried(choice, i, question)) return false;
  return true;
}

static lwStatus choose_one(const lwChoice* choice, int k, const lwRecording* base,
                           Candidates* candidates)
{
  lwQuestion question = choice->question[k];
  lwChoice alone      = *choice;
  alone.count         = 1;
  alone.question[0]   = question;
  if (has_methods(question) && is_named_elsewhere(choice, question)) alone.method = "best";
  lwRecording recording = *base;
  recording.count       = 1;
  recording.question[0] = question;
  lwStatus status       = LW_OK;
  if (!has_methods(question))
  {
    recording.kernel[0] = lw_kernel_index(choice->model, question, NULL);
    return try_recording(&alone, &recording, candidates);
  }
  for (int i = 0; i < lw_method_count() && status == LW_OK; ++i)
  {
    if (!is_tried(&alone, i, question)) continue;
    recording.kernel[0] = i;
    for (int grouped = 1; grouped >= 0 && status == LW_OK; --grouped)
    {
      recording.grouped[0] = grouped;
      status               = try_recording(&alone, &recording, candidates);
    }
  }
  return status;
}

static void describe_methods(const lwRecording* recording, char* methods, size_t size)
{
  size_t used = 0;
  *methods    = 0;
  for (int k = 0; k < recording->count && used < size; ++k)
  {
    int kernel = recording->kernel[k];
    bool named = kernel < LW_METHOD_COUNT;
    int length =
        snprintf(methods + used, size - used, "%s%s%s", k ? "; " : "",
                 named ? lw_method(kernel)->name : lw_question_info(recording->question[k])->name,
                 recording->grouped[k] ? ", grouped parameters" : "");
    if (length > 0) used += (size_t)length;
  }
}

static lwStatus check_method(const lwChoice* choice, lwDiag* diag)
{
  if (!strcmp(choice->method, "best")) return LW_OK;
  for (int k = 0; k < choice->count; ++k)
    for (int i = 0; i < lw_method_count(); ++i)
      if (is_tried(choice, i, choice->question[k])) return LW_OK;
  LW_REFUSE(diag, NULL, "no method '%.60s' for the question '%s'", choice->method,
            lw_question_info(choice->question[0])->name);
  return LW_ERROR_METHOD;
}

// Candidates of each question, the first of which is in `all`.
static lwStatus find_candidates(const lwChoice* choice, lwDiag* diag, lwRecording* all,
                                Candidates* candidates)
{
  lwStatus status = check_method(choice, diag);
  for (int k = 0; k < choice->count && status == LW_OK; ++k)
  {
    status = choose_one(choice, k, all, &candidates[k]);
    if (status == LW_OK && !candidates[k].count)
    {
      LW_REFUSE(diag, NULL, "no method gives the answers of the library to '%s'",
                lw_question_info(choice->question[k])->name);
      status = LW_ERROR_METHOD;
    }
  }
  return status;
}

// A choice of one candidate for each question.
typedef struct Selection
{
  bool taken;    // it is worth simplifying
  bool unusual;  // not one of those that are simplified for robots of any size
} Selection;

// Choice number `number` of candidates: all of a single question, some each of two, the first ones
// of more. False: no more.
static bool select_candidates(const Candidates* candidates, int number, lwRecording* all,
                              Selection* selection)
{
  int each   = all->count == 1 ? KEPT : all->count == 2 ? SMALL_PAIRS : 1;
  int many   = all->count == 1 ? SIMPLIFIED : 2;
  *selection = (Selection){.taken = true};
  for (int k = 0; k < all->count; ++k, number /= each)
  {
    int which = number % each;
    bool none = which >= candidates[k].count;
    if (none) which = 0;
    const Candidate* candidate = &candidates[k].at[which];
    bool unusual               = which >= many;
    all->kernel[k]             = candidate->kernel;
    all->grouped[k]            = candidate->grouped;
    selection->unusual         = selection->unusual || unusual;
    if (none || (unusual && candidate->cost > SMALL_COST)) selection->taken = false;
    if (which > 0 && candidates[k].at[0].cost > LARGE_COST) selection->taken = false;
  }
  return number == 0;
}

// Which of two programs is kept: the cheaper one. An unusual way must not take more of any
// operation, so that small robots do not gain multiplications for additions.
static bool is_preferred(const lwProgram* made, const lwProgram* kept, bool unusual,
                         lwStatus* status)
{
  lwCount count[2];
  const lwProgram* programs[2] = {made, kept};
  for (int k = 0; k < 2; ++k)
  {
    int32_t* uses;
    if (!lw_program_uses(programs[k], &uses))
    {
      *status = LW_ERROR_MEMORY;
      return false;
    }
    count[k] = lw_program_count(programs[k], uses);
    free(uses);
  }
  bool more = count[0].mul > count[1].mul || count[0].add > count[1].add ||
              count[0].div > count[1].div || count[0].sqrt > count[1].sqrt;
  return operation_cost(count[0]) < operation_cost(count[1]) && !(unusual && more);
}

lwStatus lw_choose(const lwChoice* choice, lwDiag* diag, lwProgram* program, char* methods,
                   size_t size)
{
  Candidates candidates[LW_QUESTIONS_AT_ONCE] = {{.count = 0}};
  lwRecording all                             = {.model     = choice->model,
                                                 .count     = choice->count,
                                                 .arguments = choice->arguments,
                                                 .split     = choice->split,
                                                 .view      = &choice->ws->view};
  memcpy(all.question, choice->question, sizeof all.question);
  lwStatus status = find_candidates(choice, diag, &all, candidates);
  bool found      = false;
  Selection selection;
  for (int number = 0; status == LW_OK && select_candidates(candidates, number, &all, &selection);
       ++number)
  {
    lwProgram made;
    if (!selection.taken) continue;
    status = lw_record(&all, &made);
    if (status != LW_OK) break;
    if (!lw_simplify(&made)) status = LW_ERROR_MEMORY;
    bool better = status == LW_OK && agrees(choice, &made, &status) &&
                  (!found || is_preferred(&made, program, selection.unusual, &status));
    if (better && found) lw_program_close(program);
    if (better) *program = made;
    if (better) describe_methods(&all, methods, size);
    if (!better) lw_program_close(&made);
    found = found || better;
  }
  if (status != LW_OK && found) lw_program_close(program);
  if (status == LW_OK && !found)
  {
    LW_REFUSE(diag, NULL, "no simplified program gives the answers of the library");
    status = LW_ERROR_METHOD;
  }
  return status;
}
