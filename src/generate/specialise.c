// SPDX-License-Identifier: MIT
// Generated code, compiled and loaded while the program runs.
//
//   model --generate--> temporary folder --compiler--> shared object
//     --load--> compared with the kernels --> answers
#define _GNU_SOURCE  // environ, mkdtemp, posix_spawnp
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "generate/choose.h"
#include "model/loops.h"

enum
{
  SPECIAL_NAME    = 64,  // of a function
  SPECIAL_STATES  = 24,  // compared with the kernels
  SPECIAL_NUMBERS = LW_GENERATE_MAX_JOINTS
};

// --- functions of lanes made into functions of rows: states one after the other, as
// lw_answer_many() takes them

enum
{
  ROWS_LANES      = 4,  // doubles side by side
  ROWS_PARAMETERS = 3
};

typedef struct PackedRows
{
  const char* name;   // of the function that is written
  const char* lanes;  // of the function that it calls
  int parameters;     // of that one, 1 to 3: positions, velocities, and one more
  int nq, dof, outputs;
} PackedRows;

// The function that is written, for a multiple of ROWS_LANES states. An array that is NULL is
// taken as zeros. capacity: for nq + 2 dof + outputs vectors of doubles, aligned as these.
typedef void PackedRowsFn(long count, const double* q, const double* qd, const double* third,
                          double* out, double* capacity);

// packed_rows.c.txt: what all functions of rows share, once at the begin of a file. Two neighbours
// in the rows of four states are transposed by shuffles, as in math/transpose.h; with the sizes
// known, the compiler leaves no loops over entries.
extern const char lw_packed_rows_text[];

// The parameters of the function of lanes, with the size of each.
static const char* const PARAMETERS[ROWS_PARAMETERS] = {"q", "qd", "third"};

static void emit_rows(const PackedRows* rows, lwOut* text)
{
  const int sizes[ROWS_PARAMETERS] = {rows->nq, rows->dof, rows->dof};
  int count = rows->parameters < ROWS_PARAMETERS ? rows->parameters : ROWS_PARAMETERS;
  int used  = 0;
  lw_out_format(
      text,
      "void %s(long count, const double* q, const double* qd, const double* third, double* "
      "out, double* room)\n{\n",
      rows->name);
  for (int k = 0; k < count; ++k)
  {
    lw_out_format(text, "  rows_lanes* const %s_lanes = (rows_lanes*)room + %d;\n", PARAMETERS[k],
                  used);
    used += sizes[k];
  }
  lw_out_format(text, "  rows_lanes* const answers = (rows_lanes*)room + %d;\n", used);
  if (rows->parameters < 3) lw_out_text(text, "  (void)third;\n");
  if (rows->parameters < 2) lw_out_text(text, "  (void)qd;\n");
  lw_out_format(text, "  for (long i = 0; i < count; i += %d)\n  {\n", ROWS_LANES);
  for (int k = 0; k < count; ++k)
    lw_out_format(text, "    rows_pack(%s ? %s + i * %d : 0, %d, %s_lanes);\n", PARAMETERS[k],
                  PARAMETERS[k], sizes[k], sizes[k], PARAMETERS[k]);
  lw_out_format(text, "    %s(", rows->lanes);
  for (int k = 0; k < count; ++k) lw_out_format(text, "%s_lanes, ", PARAMETERS[k]);
  lw_out_format(text, "answers);\n    rows_unpack(answers, %d, out + i * %d);\n  }\n}\n",
                rows->outputs, rows->outputs);
}

// --- compiled code

struct lwSpecialised
{
  const lwModel* model;
  lwWorkspace* ws;
  void* code;                             // of dlopen()
  unsigned inputs[LW_QUESTION_COUNT];     // sum of LW_INPUT_..
  void* one[LW_QUESTION_COUNT];           // functions of one state; NULL: the kernels answer
  void* many[LW_QUESTION_COUNT];          // of ROWS_LANES states and multiples, PackedRowsFn
  const char* reason[LW_QUESTION_COUNT];  // why the kernels answer, or NULL
  double* capacity;                       // of functions of many states, aligned
};

static const char NO_COMPILER[] = "no C compiler works here";
static const char TOO_LARGE[]   = "the robot is too large for straight-line code";
static const char NO_MEMORY[] =
    "there is no memory to generate code or to compare it with the kernels";
static const char DIFFERS[]   = "the compiled code gives other answers than the kernels";
static const char NOT_ASKED[] = "no code was generated for this question";
static const char REFUSED[]   = "no code can be generated that answers this for this robot";

// --- calls

// What a question takes besides positions and velocities.
static const double* special_third(unsigned inputs, const lwStates* state)
{
  return inputs & LW_INPUT_TAU ? state->tau : state->qdd;
}

// Functions differ in how many arrays they take.
void lw_specialised_answer(lwSpecialised* specialised, lwQuestion question, const lwStates* state,
                           double* out)
{
  static const double none[SPECIAL_NUMBERS] = {0};
  typedef void One(const double*, double*);
  typedef void Two(const double*, const double*, double*);
  typedef void Three(const double*, const double*, const double*, double*);
  union
  {
    void* object;
    One* one;
    Two* two;
    Three* three;
  } at = {specialised->one[question]};
  if (!at.object || !state->q)
    return lw_answer(specialised->model, specialised->ws, question, state, out);
  unsigned inputs     = specialised->inputs[question];
  const double* qd    = state->qd ? state->qd : none;
  const double* third = special_third(inputs, state);
  if (inputs & (LW_INPUT_QDD | LW_INPUT_TAU))
    at.three(state->q, qd, third ? third : none, out);
  else if (inputs & LW_INPUT_QD)
    at.two(state->q, qd, out);
  else
    at.one(state->q, out);
}

void lw_specialised_answer_many(lwSpecialised* specialised, lwQuestion question, int count,
                                const lwStates* states, double* out)
{
  const lwModel* model = specialised->model;
  if (!specialised->many[question] || !states->q)
    return lw_answer_many(model, specialised->ws, question, count, states, out);
  size_t nq = (size_t)model->nq, dof = (size_t)model->dof;
  size_t outputs = lw_question_outputs(model, question);
  int whole      = count > 0 ? count / ROWS_LANES * ROWS_LANES : 0;
  union
  {
    void* object;
    PackedRowsFn* rows;
  } at = {specialised->many[question]};
  if (whole > 0)
    at.rows(whole, states->q, states->qd, special_third(specialised->inputs[question], states), out,
            specialised->capacity);
  for (int k = whole; k < count; ++k)
  {
    size_t first   = (size_t)k * dof;
    lwStates state = {states->q + (size_t)k * nq, states->qd ? states->qd + first : NULL,
                      states->qdd ? states->qdd + first : NULL,
                      states->tau ? states->tau + first : NULL, NULL};
    lw_specialised_answer(specialised, question, &state, out + (size_t)k * outputs);
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

// For the instruction set that the kernels use.
static void choose_target(const char* isa, char* options[3])
{
  int count = 0;
#if defined(__x86_64__)
  bool plain = !strcmp(isa, "baseline"), avx2 = !strcmp(isa, "avx2");
  if (plain) options[count++] = "-march=x86-64";
  if (avx2) options[count++] = "-mavx2";
  if (avx2) options[count++] = "-mfma";
#else
  (void)isa;
#endif
  if (count == 0) options[count++] = "-march=native";
  while (count < 3) options[count++] = "-mtune=native";
}

// With the first compiler that can.
static bool compile_special(char* source, char* object, const char* isa)
{
  char* chosen       = getenv("CC");
  char* compilers[3] = {chosen && *chosen ? chosen : "clang", "gcc", "cc"};
  char* target[3];
  choose_target(isa, target);
  for (size_t k = 0; k < 3; ++k)
  {
    char* const arguments[] = {
        compilers[k], "-std=c99", "-O3", target[0], target[1], target[2], "-ffp-contract=fast",
        "-shared",    "-fPIC",    "-o",  object,    source,    "-lm",     NULL};
    if (run_quietly(arguments) == 0) return true;
  }
  return false;
}

static void* load_special(const lwOut* text, const char* isa)
{
  const char* temporary = getenv("TMPDIR");
  char folder[256], source[300], object[300];
  void* code = NULL;
  int length = snprintf(folder, sizeof folder, "%s/linkwork.XXXXXX",
                        temporary && *temporary ? temporary : "/tmp");
  if (length >= (int)sizeof folder || !mkdtemp(folder)) return NULL;
  snprintf(source, sizeof source, "%s/arm.c", folder);
  snprintf(object, sizeof object, "%s/arm.so", folder);
  FILE* file   = fopen(source, "w");
  bool written = file && fputs(text->text, file) >= 0;
  written      = file && fclose(file) == 0 && written;
  if (written && compile_special(source, object, isa)) code = dlopen(object, RTLD_NOW | RTLD_LOCAL);
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
    if (many)
      lw_specialised_answer_many(specialised, question, SPECIAL_STATES, &states, found);
    else
      for (size_t k = 0; k < SPECIAL_STATES; ++k)
        lw_specialised_answer(
            specialised, question,
            &(lwStates){q + k * nq, qd + k * dof, third + k * dof, third + k * dof, NULL},
            found + k * outputs);
    agree = lw_answers_agree(found, expected, answers, 1e-9);
  }
  free(memory);
  return agree ? NULL : DIFFERS;
}

// --- life

// "one_inverse": names of functions have _ where those of questions have -.
static void name_special(const char* prefix, lwQuestion question, char name[SPECIAL_NAME])
{
  snprintf(name, SPECIAL_NAME, "%s_%s", prefix, lw_question_info(question)->name);
  for (char* c = name; *c; ++c)
    if (*c == '-') *c = '_';
}

static lwStatus generate_special(const lwModel* model, lwQuestion question, const char* name,
                                 int lanes, lwOut* text)
{
  lwGenerated* generated = NULL;
  lwGenerateDef def      = lw_generate_def();
  def.questions          = lw_question_info(question)->name;
  def.sines              = LW_SINES_VECTOR;
  def.name               = name;
  def.lanes              = lanes;
  lwStatus status        = lw_generate(model, &def, NULL, &generated);
  if (status == LW_OK) lw_out_text(text, lw_generated_text(generated, 0));
  lw_generated_destroy(generated);
  return status;
}

// A function of one state, one of lanes, and one that calls it for rows.
static lwStatus write_question(const lwModel* model, lwQuestion question, lwOut* text)
{
  char one[SPECIAL_NAME], many[SPECIAL_NAME], name[SPECIAL_NAME], lanes[2 * SPECIAL_NAME];
  unsigned inputs = lw_question_info(question)->inputs;
  name_special("one", question, one);
  name_special("many", question, many);
  name_special("rows", question, name);
  snprintf(lanes, sizeof lanes, "%s%s", many, name + strlen("rows"));
  PackedRows rows = {.name       = name,
                     .lanes      = lanes,
                     .parameters = inputs & (LW_INPUT_QDD | LW_INPUT_TAU) ? 3
                                   : inputs & LW_INPUT_QD                 ? 2
                                                                          : 1,
                     .nq         = model->nq,
                     .dof        = model->dof,
                     .outputs    = (int)lw_question_outputs(model, question)};
  lwStatus status = generate_special(model, question, one, 1, text);
  if (status == LW_OK) status = generate_special(model, question, many, ROWS_LANES, text);
  if (status == LW_OK) emit_rows(&rows, text);
  return status;
}

static void load_questions(lwSpecialised* specialised, unsigned questions)
{
  lwOut text = {.in_memory = true};
  lw_out_text(&text, lw_packed_rows_text);
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    if (!(questions & LW_ASKS(k))) continue;
    lwStatus status        = write_question(specialised->model, (lwQuestion)k, &text);
    bool large             = specialised->model->n > LW_GENERATE_MAX_JOINTS;
    specialised->reason[k] = status == LW_OK             ? NO_COMPILER
                             : large                     ? TOO_LARGE
                             : status == LW_ERROR_MEMORY ? NO_MEMORY
                                                         : REFUSED;
  }
  if (lw_out_finish(&text))
    specialised->code = load_special(&text, lw_workspace_isa(specialised->ws));
  for (int k = 0; k < LW_QUESTION_COUNT && specialised->code; ++k)
  {
    if (specialised->reason[k] != NO_COMPILER) continue;
    char name[SPECIAL_NAME], function[2 * SPECIAL_NAME];
    name_special("one", (lwQuestion)k, name);
    snprintf(function, sizeof function, "%s%s", name, name + strlen("one"));
    specialised->one[k] = dlsym(specialised->code, function);
    name_special("rows", (lwQuestion)k, name);
    specialised->many[k]   = dlsym(specialised->code, name);
    specialised->reason[k] = specialised->one[k] && specialised->many[k]
                                 ? special_objection(specialised, (lwQuestion)k)
                                 : DIFFERS;
    if (specialised->reason[k]) specialised->one[k] = specialised->many[k] = NULL;
  }
  lw_out_free(&text);
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
  made->model = model;
  made->capacity =
      aligned_alloc(64, lw_lines((nq + 2 * dof + outputs) * ROWS_LANES + 8, sizeof(double)));
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    made->reason[k] = NOT_ASKED;
    made->inputs[k] = lw_question_info((lwQuestion)k)->inputs;
  }
  lwStatus status = made->capacity ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_tree_check(model, "specialised code", diag);
  if (status == LW_OK) status = lw_workspace_create(model, NULL, diag, &made->ws);
  if (status == LW_OK) load_questions(made, questions);
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
  free(specialised->capacity);
  free(specialised);
}
