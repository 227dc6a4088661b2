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
#include "generate/rewrite.h"
#include "kernels/registry.h"
#include "linkwork/loop.h"
#include "model/model_internal.h"

static const int LARGEST_FOR_CUBIC = 8;  // joints up to which methods of n^3 and n^4 are tried

// What a program costs. Multiplications count more, as in the literature: they take more power, and
// more time where nothing is fused.
static long operation_cost(lwCount count)
{
  return 8 * count.mul + 5 * count.add + 40 * count.div;
}

// Operations of a program; false if memory ran out.
static bool count_operations(const lwProgram* program, lwCount* count)
{
  int32_t* uses;
  if (!lw_program_uses(program, &uses)) return false;
  *count = lw_program_count(program, uses);
  free(uses);
  return true;
}

// --- comparison with the library

bool lw_answers_agree(const double* found, const double* expected, size_t count, double tolerance)
{
  double scale = 0, worst = 0;
  for (size_t i = 0; i < count; ++i)
  {
    double off = fabs(found[i] - expected[i]);
    scale      = fmax(scale, fabs(expected[i]));
    worst      = isfinite(off) ? fmax(worst, off) : INFINITY;
  }
  return worst <= tolerance * scale + 1e-300;
}

// A state near the one in the file that keeps the loops closed; qd may be NULL.
lwStatus lw_close_state(const lwModel* model, double* q, double* qd)
{
  lwLoops* loops     = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  double* start      = malloc((size_t)model->nq * sizeof *start + 1);
  def.questions      = LW_ASKS(LW_QUESTION_POSE);
  lwStatus status    = start ? lw_loops_create(model, &def, NULL, &loops) : LW_ERROR_MEMORY;
  if (status == LW_OK) lw_model_start(model, start);
  for (int i = 0; i < model->nq && status == LW_OK; ++i)
  {
    int entry  = lw_model_position(model, i).other;
    bool moves = entry >= 0 && lw_model_is_driven(model, entry);
    q[i]       = start[i] + (moves ? 0.05 * q[i] : 0);
  }
  if (status == LW_OK) status = lw_loops_close(loops, q, NULL);
  if (status == LW_OK && qd) status = lw_loops_velocity(loops, q, qd);
  lw_loops_destroy(loops);
  free(start);
  return status;
}

// lw_library_answers() of a robot with loops.
static lwStatus closed_answers(const lwModel* model, const lwResult* results, int count,
                               const lwStates* state, double* out)
{
  lwLoops* loops  = NULL;
  lwStatus status = lw_loops_create(model, NULL, NULL, &loops);
  for (int k = 0; k < count && status == LW_OK; ++k)
  {
    status = lw_loops_answer(loops, results[k].question, state, out, NULL);
    out += lw_result_size(&results[k]);
  }
  lw_loops_destroy(loops);
  return status;
}

lwStatus lw_library_answers(const lwModel* model, const lwSnake* snake, const lwResult* results,
                            int count, const double* const* in, double* out)
{
  lwWorkspace* ws            = NULL;
  lwSnakeWorkspace* snake_ws = NULL;
  lwStates state = {in[LW_ARGUMENT_Q], in[LW_ARGUMENT_QD], in[LW_ARGUMENT_QDD], in[LW_ARGUMENT_TAU],
                    in[LW_ARGUMENT_WRENCH]};
  if (model && model->loops) return closed_answers(model, results, count, &state, out);
  lwStatus status = snake ? lw_snake_workspace_create(snake, NULL, NULL, &snake_ws)
                          : lw_workspace_create(model, NULL, NULL, &ws);
  for (int k = 0; k < count && status == LW_OK; ++k)
  {
    if (snake)
      lw_snake_library_answer(snake, snake_ws, &results[k], in, out);
    else
      lw_answer(model, ws, results[k].question, &state, out);
    out += lw_result_size(&results[k]);
  }
  lw_workspace_destroy(ws);
  lw_snake_workspace_destroy(snake_ws);
  return status;
}

// Whether the program gives the library's answers in a state; gravity is that of the robot, and
// there is no payload. *status becomes LW_ERROR_MEMORY if that cannot be determined.
static bool agrees(const lwChoice* choice, const lwProgram* program, lwStatus* status)
{
  const double tolerance = 1e-8;  // far above rounding, far below any mistake
  const lwModel* model   = choice->model;
  size_t size            = 16 + (size_t)(choice->snake ? choice->snake->n : model->nq + model->dof);
  size_t inputs = LW_ARGUMENT_COUNT * size, outputs = (size_t)program->output_count;
  double* memory  = malloc((inputs + 2 * outputs + 1) * sizeof *memory);
  lwRandom random = {17};
  *status         = memory ? LW_OK : LW_ERROR_MEMORY;
  if (!memory) return false;
  double *in[LW_ARGUMENT_COUNT], *found = memory + inputs, *expected = found + outputs;
  for (size_t i = 0; i < inputs; ++i) memory[i] = lw_random_between(&random, -1, 1);
  for (size_t k = 0; k < LW_ARGUMENT_COUNT; ++k) in[k] = memory + k * size;
  if (model) memcpy(in[LW_ARGUMENT_GRAVITY], model->robot.gravity, 3 * sizeof(double));
  memset(in[LW_ARGUMENT_PAYLOAD], 0, 10 * sizeof(double));
  if (!(choice->arguments & (1u << LW_ARGUMENT_WRENCH)))
    memset(in[LW_ARGUMENT_WRENCH], 0, 6 * sizeof(double));
  if (model && model->loops) *status = lw_close_state(model, in[LW_ARGUMENT_Q], in[LW_ARGUMENT_QD]);
  bool agree = *status == LW_OK &&
               lw_library_answers(model, choice->snake, choice->result, choice->count,
                                  (const double* const*)in, expected) == LW_OK &&
               lw_program_evaluate(program, (const double* const*)in, found);
  if (!agree) *status = LW_ERROR_MEMORY;
  for (int k = 0; agree && k < choice->count; ++k)
  {
    size_t count = (size_t)lw_result_size(&choice->result[k]);
    agree        = lw_answers_agree(found, expected, count, tolerance);
    found += count, expected += count;
  }
  free(memory);
  return agree;
}

// --- methods

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

// Records one way to answer one question, and keeps it if it is among the cheapest.
static lwStatus try_recording(const lwChoice* choice, const lwRecording* recording,
                              Candidates* candidates)
{
  lwProgram program;
  lwStatus status = lw_record(recording, &program);
  if (status != LW_OK) return status;
  if (!lw_program_compact(&program)) status = LW_ERROR_MEMORY;
  lwCount count;
  if (status == LW_OK && !count_operations(&program, &count)) status = LW_ERROR_MEMORY;
  Candidate made = {recording->kernel[0], recording->grouped[0],
                    status == LW_OK ? operation_cost(count) : 0};
  bool cheap     = candidates->count < KEPT || made.cost < candidates->at[KEPT - 1].cost;
  if (status == LW_OK && cheap && agrees(choice, &program, &status))
  {
    int at = candidates->count < KEPT ? candidates->count++ : KEPT - 1;
    for (; at > 0 && candidates->at[at - 1].cost > made.cost; --at)
      candidates->at[at] = candidates->at[at - 1];
    candidates->at[at] = made;
  }
  lw_program_close(&program);
  return status;
}

// Ball and floating joints are recorded as wide ones.
static bool takes_joints(const lwModel* model, int kernel)
{
  return !model->native || lw_symbol_variant()->kernels[kernel]->flags & LW_KERNEL_WIDE;
}

static bool is_tried(const lwChoice* choice, int method, lwQuestion question)
{
  const lwMethod* info = lw_method(method);
  bool best            = !strcmp(choice->method, "best");
  bool coupled         = choice->model->coupled;
  if (info->question != lw_question_info(question)->methods) return false;
  if (choice->model->loops && question == LW_QUESTION_FORWARD)  // one way, by N^T M N
    return lw_method_is(info, "composite-body");
  if (!takes_joints(choice->model, method)) return false;
  if (coupled && question == LW_QUESTION_FORWARD &&
      lw_method_find(LW_QUESTION_INERTIA, info->name) < 0)
    return false;
  if (best && !strcmp(info->name, "walker-orin-4")) return false;  // 2 n inverse dynamics: never
  bool steep = !strcmp(info->order, "n^4") || strstr(info->name, "closed-form");
  if (best && steep && choice->model->n > LARGEST_FOR_CUBIC) return false;
  return best || lw_method_is(info, choice->method);
}

// Whether a method of the chosen name answers the question.
static bool has_method(const lwChoice* choice, lwQuestion question)
{
  for (int i = 0; i < lw_method_count(); ++i)
    if (is_tried(choice, i, question)) return true;
  return false;
}

static lwStatus choose_one(const lwChoice* choice, int k, const lwRecording* base,
                           Candidates* candidates)
{
  lwQuestion question = choice->result[k].question;
  lwChoice alone      = *choice;
  alone.count         = 1;
  alone.result[0]     = choice->result[k];
  if (lw_question_has_methods(question) && !has_method(choice, question))
    alone.method = "best";  // the named method answers another question of the function
  lwRecording recording = *base;
  recording.count       = 1;
  recording.result      = alone.result;
  lwStatus status       = LW_OK;
  if (!lw_question_has_methods(question))
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

// A method answers one question about an arm, and all about a snake.
static int groups_of(const lwRecording* recording)
{
  return recording->snake ? 1 : recording->count;
}

static void describe_methods(const lwRecording* recording, char* methods, size_t size)
{
  size_t used = 0;
  *methods    = 0;
  for (int k = 0; k < groups_of(recording) && used < size; ++k)
  {
    int kernel       = recording->kernel[k];
    bool named       = kernel < LW_METHOD_COUNT;
    const char* name = recording->snake ? lw_snake_method(kernel)->name
                       : named          ? lw_method(kernel)->name
                                        : recording->result[k].word;
    int length       = snprintf(methods + used, size - used, "%s%s%s", k ? "; " : "", name,
                          recording->grouped[k] ? ", grouped parameters" : "");
    if (length > 0) used += (size_t)length;
  }
}

static lwStatus check_method(const lwChoice* choice, lwDiag* diag)
{
  if (!strcmp(choice->method, "best")) return LW_OK;
  for (int k = 0; k < choice->count; ++k)
    if (has_method(choice, choice->result[k].question)) return LW_OK;
  for (int k = 0; k < choice->count && choice->model->native; ++k)
  {
    int method =
        lw_method_find(lw_question_info(choice->result[k].question)->methods, choice->method);
    if (method >= 0 && !takes_joints(choice->model, method))
      return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                       "no code is generated by '%.60s' for ball and floating joints, and '%.60s' "
                       "has some",
                       choice->method, choice->model->robot.name);
  }
  return lw_refuse(diag, LW_ERROR_METHOD, NULL, "no method '%.60s' for the question '%s'",
                   choice->method, choice->result[0].word);
}

// Candidates of each question. About a snake, every method that may be used, in their order.
static lwStatus find_candidates(const lwChoice* choice, lwDiag* diag, const lwRecording* all,
                                Candidates* candidates)
{
  for (int i = 0; choice->snake && i < lw_snake_method_count(); ++i)
    if (!strcmp(choice->method, "best") || lw_method_is(lw_snake_method(i), choice->method))
      candidates->at[candidates->count++] = (Candidate){.kernel = i};
  if (choice->snake) return LW_OK;
  lwStatus status = check_method(choice, diag);
  for (int k = 0; k < choice->count && status == LW_OK; ++k)
  {
    status = choose_one(choice, k, all, &candidates[k]);
    if (status == LW_OK && !candidates[k].count)
      status =
          lw_refuse(diag, LW_ERROR_METHOD, NULL,
                    "no method gives the answers of the library to '%s'", choice->result[k].word);
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
  int groups = groups_of(all);
  int each   = groups == 1 ? KEPT : groups == 2 ? SMALL_PAIRS : 1;
  int many   = all->snake ? KEPT : groups == 1 ? SIMPLIFIED : 2;
  *selection = (Selection){.taken = true};
  for (int k = 0; k < groups; ++k, number /= each)
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
  lwCount new, old;
  if (!count_operations(made, &new) || !count_operations(kept, &old))
  {
    *status = LW_ERROR_MEMORY;
    return false;
  }
  bool more = new.mul > old.mul || new.add > old.add || new.div > old.div;
  return operation_cost(new) < operation_cost(old) && !(unusual && more);
}

lwStatus lw_choose(const lwChoice* choice, lwDiag* diag, lwProgram* program, char* methods,
                   size_t size)
{
  Candidates candidates[LW_QUESTIONS_AT_ONCE] = {{.count = 0}};
  lwRecording all                             = {.model     = choice->model,
                                                 .snake     = choice->snake,
                                                 .count     = choice->count,
                                                 .result    = choice->result,
                                                 .arguments = choice->arguments,
                                                 .split     = choice->split};
  lwStatus status                             = find_candidates(choice, diag, &all, candidates);
  bool found                                  = false;
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
  if (status != LW_OK || found) return status;
  return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                   "no simplified program gives the answers of the library");
}
