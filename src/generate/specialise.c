// SPDX-License-Identifier: MIT
// Generated code, compiled and loaded while the program runs.
//
//   model --generate--> temporary folder --compiler--> shared object
//     --load--> compared with the kernels --> answers
#define _GNU_SOURCE  // environ, mkdtemp, posix_spawnp
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "generate/function.h"
#include "model/model_internal.h"

enum
{
  SPECIAL_LANES   = 4,   // states side by side
  SPECIAL_STATES  = 24,  // compared with the kernels
  SPECIAL_NUMBERS = LW_GENERATE_MAX_JOINTS
};

// Up to four arrays go in, in the order of the arguments of generated functions.
typedef void OneFn(const double*, const double*, const double*, double*);

struct lwSpecialised
{
  const lwModel* model;
  lwWorkspace* ws;
  void* code;                             // of dlopen()
  void* one[LW_QUESTION_COUNT];           // functions of one state
  void* many[LW_QUESTION_COUNT];          // of SPECIAL_LANES states
  const char* reason[LW_QUESTION_COUNT];  // why the kernels answer, or NULL
  double* packed;                         // (nq + 2 dof, lanes), aligned
  double* answers;                        // (outputs, lanes), aligned
};

static const char NO_COMPILER[] = "no C compiler works here";
static const char TOO_LARGE[]   = "the robot is too large for straight-line code";
static const char NO_MEMORY[] = "there is no memory to compare the compiled code with the kernels";
static const char DIFFERS[]   = "the compiled code gives other answers than the kernels";
static const char NOT_ASKED[] = "no code was generated for this question";

// --- calls

static const double* special_third(lwQuestion question, const lwStates* state)
{
  return lw_question_info(question)->inputs & LW_INPUT_TAU ? state->tau : state->qdd;
}

// Functions differ in how many arrays they take.
static void call_special(void* function, lwQuestion question, const double* q, const double* qd,
                         const double* third, double* out)
{
  typedef void Q1(const double*, double*);
  typedef void Q2(const double*, const double*, double*);
  unsigned inputs = lw_question_info(question)->inputs;
  union
  {
    void* object;
    OneFn* three;
    Q2* two;
    Q1* one;
  } at = {function};
  if (inputs & (LW_INPUT_QDD | LW_INPUT_TAU))
    at.three(q, qd, third, out);
  else if (inputs & LW_INPUT_QD)
    at.two(q, qd, out);
  else
    at.one(q, out);
}

void lw_specialised_answer(lwSpecialised* specialised, lwQuestion question, const lwStates* state,
                           double* out)
{
  if (specialised->reason[question] || !state->q)
  {
    lw_answer(specialised->model, specialised->ws, question, state, out);
    return;
  }
  static const double none[SPECIAL_NUMBERS] = {0};
  const double* third                       = special_third(question, state);
  call_special(specialised->one[question], question, state->q, state->qd ? state->qd : none,
               third ? third : none, out);
}

// Numbers (size) of SPECIAL_LANES states, a state per lane.
static void pack_special(const double* from, size_t size, double* to)
{
  for (size_t i = 0; i < size; ++i)
    for (size_t lane = 0; lane < SPECIAL_LANES; ++lane)
      to[i * SPECIAL_LANES + lane] = from ? from[lane * size + i] : 0;
}

void lw_specialised_answer_many(lwSpecialised* specialised, lwQuestion question, int count,
                                const lwStates* states, double* out)
{
  const lwModel* model = specialised->model;
  if (specialised->reason[question] || !states->q)
  {
    lw_answer_many(model, specialised->ws, question, count, states, out);
    return;
  }
  size_t nq = (size_t)model->nq, dof = (size_t)model->dof;
  size_t outputs      = lw_question_outputs(model, question);
  const double* third = special_third(question, states);
  double* packed[3]   = {specialised->packed, specialised->packed + nq * SPECIAL_LANES,
                         specialised->packed + (nq + dof) * SPECIAL_LANES};
  unsigned inputs     = lw_question_info(question)->inputs;
  int done            = 0;
  for (; done + SPECIAL_LANES <= count; done += SPECIAL_LANES)
  {
    size_t at = (size_t)done * dof;
    pack_special(states->q + (size_t)done * nq, nq, packed[0]);
    if (inputs & LW_INPUT_QD) pack_special(states->qd ? states->qd + at : NULL, dof, packed[1]);
    if (inputs & (LW_INPUT_QDD | LW_INPUT_TAU))
      pack_special(third ? third + at : NULL, dof, packed[2]);
    call_special(specialised->many[question], question, packed[0], packed[1], packed[2],
                 specialised->answers);
    for (size_t lane = 0; lane < SPECIAL_LANES; ++lane)
      for (size_t i = 0; i < outputs; ++i)
        out[((size_t)done + lane) * outputs + i] = specialised->answers[i * SPECIAL_LANES + lane];
  }
  for (; done < count; ++done)
  {
    size_t at      = (size_t)done * dof;
    lwStates state = {states->q + (size_t)done * nq, states->qd ? states->qd + at : NULL,
                      states->qdd ? states->qdd + at : NULL, states->tau ? states->tau + at : NULL,
                      NULL};
    lw_specialised_answer(specialised, question, &state, out + (size_t)done * outputs);
  }
}

const char* lw_specialised_reason(const lwSpecialised* specialised, lwQuestion question)
{
  return specialised->reason[question];
}

// --- compiling

// Exit code of a command whose output nobody sees, or -1.
static int run_quietly(char* const arguments[])
{
  pid_t child;
  int status = -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) == 0)
    if (waitpid(child, &status, 0) != child) status = -1;
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

// With the first compiler that can.
static bool compile_special(char* source, char* object)
{
  char* chosen       = getenv("CC");
  char* compilers[3] = {chosen && *chosen ? chosen : "clang", "gcc", "cc"};
  for (size_t k = 0; k < 3; ++k)
  {
    char* const arguments[] = {
        compilers[k], "-std=c99", "-O3", "-march=native", "-ffp-contract=fast",
        "-shared",    "-fPIC",    "-o",  object,          source,
        "-lm",        NULL};
    if (run_quietly(arguments) == 0) return true;
  }
  return false;
}

static bool write_special(const char* path, const lwGenerated* one, const lwGenerated* many)
{
  FILE* file = fopen(path, "w");
  if (!file) return false;
  bool done =
      fputs(lw_generated_text(one, 0), file) >= 0 && fputs(lw_generated_text(many, 0), file) >= 0;
  return fclose(file) == 0 && done;
}

static void* load_special(const lwGenerated* one, const lwGenerated* many)
{
  const char* temporary = getenv("TMPDIR");
  char folder[256], source[300], object[300];
  void* code = NULL;
  int length = snprintf(folder, sizeof folder, "%s/linkwork.XXXXXX",
                        temporary && *temporary ? temporary : "/tmp");
  if (length >= (int)sizeof folder || !mkdtemp(folder)) return NULL;
  snprintf(source, sizeof source, "%s/arm.c", folder);
  snprintf(object, sizeof object, "%s/arm.so", folder);
  if (write_special(source, one, many) && compile_special(source, object))
    code = dlopen(object, RTLD_NOW | RTLD_LOCAL);
  unlink(source);
  unlink(object);
  rmdir(folder);
  return code;
}

// --- comparison

// Why the compiled code is not used: it differs, or no memory is
// left to compare it; NULL if it agrees.
static const char* special_objection(lwSpecialised* specialised, lwQuestion question)
{
  const lwModel* model = specialised->model;
  size_t nq = (size_t)model->nq, dof = (size_t)model->dof;
  size_t outputs = lw_question_outputs(model, question);
  size_t inputs = (nq + 2 * dof) * SPECIAL_STATES, answers = outputs * SPECIAL_STATES;
  double* memory  = malloc((inputs + 2 * answers) * sizeof *memory);
  lwRandom random = {4};
  if (!memory) return NO_MEMORY;
  for (size_t i = 0; i < inputs; ++i) memory[i] = lw_random_between(&random, -2, 2);
  const double *q = memory, *qd = q + nq * SPECIAL_STATES, *third = qd + dof * SPECIAL_STATES;
  double *found = memory + inputs, *expected = found + answers;
  lwStates states = {q, qd, third, third, NULL};
  bool agree      = true;
  lw_answer_many(model, specialised->ws, question, SPECIAL_STATES, &states, expected);
  for (int many = 0; many < 2 && agree; ++many)
  {
    double scale = 0, worst = 0;
    if (many)
      lw_specialised_answer_many(specialised, question, SPECIAL_STATES, &states, found);
    else
      for (size_t k = 0; k < SPECIAL_STATES; ++k)
        lw_specialised_answer(
            specialised, question,
            &(lwStates){q + k * nq, qd + k * dof, third + k * dof, third + k * dof, NULL},
            found + k * outputs);
    for (size_t i = 0; i < answers; ++i)
    {
      double off = fabs(found[i] - expected[i]);
      scale      = fmax(scale, fabs(expected[i]));
      worst      = isfinite(off) ? fmax(worst, off) : INFINITY;
    }
    agree = worst <= 1e-9 * scale;
  }
  free(memory);
  return agree ? NULL : DIFFERS;
}

// --- life

static lwStatus generate_special(const lwModel* model, const char* questions, lwDiag* diag,
                                 lwGenerated** one, lwGenerated** many)
{
  lwGenerateDef def = lw_generate_def();
  def.questions     = questions;
  def.sines         = LW_SINES_VECTOR;
  def.name          = "one";
  lwStatus status   = lw_generate(model, &def, diag, one);
  def.name          = "many";
  def.lanes         = SPECIAL_LANES;
  if (status == LW_OK) status = lw_generate(model, &def, diag, many);
  return status;
}

// Names of functions have _ where those of questions have -.
static void* find_function(void* code, const char* prefix, lwQuestion question)
{
  char name[64];
  snprintf(name, sizeof name, "%s_%s", prefix, lw_question_info(question)->name);
  for (char* c = name; *c; ++c)
    if (*c == '-') *c = '_';
  return dlsym(code, name);
}

static void load_questions(lwSpecialised* specialised, unsigned questions, lwDiag* diag)
{
  char list[32 * LW_QUESTION_COUNT] = "";
  lwGenerated *one = NULL, *many = NULL;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    if (!(questions & LW_ASKS(k))) continue;
    specialised->reason[k] =
        specialised->model->n > LW_GENERATE_MAX_JOINTS ? TOO_LARGE : NO_COMPILER;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? "," : "",
             lw_question_info((lwQuestion)k)->name);
  }
  if (generate_special(specialised->model, list, diag, &one, &many) == LW_OK)
    specialised->code = load_special(one, many);
  for (int k = 0; k < LW_QUESTION_COUNT && specialised->code; ++k)
  {
    if (!(questions & LW_ASKS(k))) continue;
    specialised->one[k]    = find_function(specialised->code, "one", (lwQuestion)k);
    specialised->many[k]   = find_function(specialised->code, "many", (lwQuestion)k);
    specialised->reason[k] = NULL;  // the comparison asks the compiled code
    specialised->reason[k] = specialised->one[k] && specialised->many[k]
                                 ? special_objection(specialised, (lwQuestion)k)
                                 : DIFFERS;
  }
  lw_generated_destroy(one);
  lw_generated_destroy(many);
}

lwStatus lw_model_specialise(const lwModel* model, unsigned questions, lwDiag* diag,
                             lwSpecialised** specialised)
{
  lwSpecialised* made = calloc(1, sizeof *made);
  *specialised        = NULL;
  if (!made) return LW_ERROR_MEMORY;
  if (!questions)
    questions = LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_INERTIA) |
                (model->inert < 0 ? LW_ASKS(LW_QUESTION_FORWARD) : 0);
  size_t nq = (size_t)model->nq, dof = (size_t)model->dof, outputs = 0;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    size_t size = lw_question_outputs(model, (lwQuestion)k);
    outputs     = size > outputs ? size : outputs;
  }
  made->model   = model;
  made->packed  = aligned_alloc(64, lw_lines((nq + 2 * dof) * SPECIAL_LANES + 8, sizeof(double)));
  made->answers = aligned_alloc(64, lw_lines(outputs * SPECIAL_LANES + 8, sizeof(double)));
  for (int k = 0; k < LW_QUESTION_COUNT; ++k) made->reason[k] = NOT_ASKED;
  lwStatus status = made->packed && made->answers ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_workspace_create(model, NULL, diag, &made->ws);
  if (status == LW_OK) load_questions(made, questions, NULL);
  if (status == LW_OK)
    *specialised = made;
  else
    lw_specialised_destroy(made);
  return status;
}

void lw_specialised_destroy(lwSpecialised* specialised)
{
  if (!specialised) return;
  if (specialised->code) dlclose(specialised->code);
  lw_workspace_destroy(specialised->ws);
  free(specialised->packed);
  free(specialised->answers);
  free(specialised);
}
