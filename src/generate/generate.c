// SPDX-License-Identifier: MIT
// From a robot and the options to the text of files.
#include "linkwork/generate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/constraints.h"
#include "base/text.h"
#include "generate/casadi.h"
#include "generate/choose.h"
#include "generate/emit.h"
#include "generate/latex.h"
#include "kernels/questions.h"
#include "linkwork/loop.h"
#include "model/loops.h"

static const char* const LANGUAGES[LW_LANGUAGE_COUNT] = {"c",          "python", "matlab",
                                                         "javascript", "rust",   "latex"};

int lw_language_find(const char* name)
{
  for (int k = 0; k < LW_LANGUAGE_COUNT; ++k)
    if (!strcmp(LANGUAGES[k], name)) return k;
  return -1;
}

const char* lw_language_name(lwLanguage language)
{
  return (unsigned)language < LW_LANGUAGE_COUNT ? LANGUAGES[language] : NULL;
}

lwGenerateDef lw_generate_def(void)
{
  return (lwGenerateDef){
      .questions = "inverse", .method = "best", .lanes = 1, .name = "arm", .cookie = LW_COOKIE};
}

// --- what is asked for

static bool is_identifier(const char* name)
{
  static const char* const taken[] = {
      "auto",    "break",  "case",     "char",   "const",    "continue", "default",
      "do",      "double", "else",     "enum",   "extern",   "float",    "for",
      "goto",    "if",     "inline",   "int",    "long",     "register", "restrict",
      "return",  "short",  "signed",   "sizeof", "static",   "struct",   "switch",
      "typedef", "union",  "unsigned", "void",   "volatile", "while"};
  if (!isalpha((unsigned char)name[0]) && name[0] != '_') return false;
  for (const char* c = name; *c; ++c)
    if (!isalnum((unsigned char)*c) && *c != '_') return false;
  for (size_t k = 0; k < sizeof taken / sizeof *taken; ++k)
    if (!strcmp(name, taken[k])) return false;
  return strlen(name) <= 48;
}

// Checks that language, prefix, lanes and precision are compatible.
static lwStatus generate_def_validate(const lwGenerateDef* def, lwDiag* diag)
{
  lwStatus status = lw_def_check(def->cookie, "lw_generate_def()", diag);
  if (status != LW_OK) return status;
  bool power   = def->lanes >= 1 && def->lanes <= 16 && (def->lanes & (def->lanes - 1)) == 0;
  bool in_c    = def->language == LW_LANGUAGE_C;
  bool in_rust = def->language == LW_LANGUAGE_RUST;
  if ((unsigned)def->language >= LW_LANGUAGE_COUNT)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "no such language");
  if (!is_identifier(def->name))
    return lw_refuse(
        diag, LW_ERROR_INPUT, NULL,
        "'%.60s' cannot begin the names of functions: expected letters, digits and _, at most "
        "48, no digit first, no word of the language",
        def->name);
  if (!power)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "%d lanes are not possible, expected 1, 2, 4, 8 or 16", def->lanes);
  if (!in_c && (def->lanes > 1 || def->test_states || def->sines == LW_SINES_VECTOR))
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "lanes, vectors of sines and test programs are made in C only");
  if (def->precision == LW_PRECISION_SINGLE && !in_c && !in_rust)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s has no single precision; expected c or rust",
                     lw_language_name(def->language));
  if (def->fused && ((!in_c && !in_rust) || def->lanes > 1))
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "fused multiply-adds are written in c, without lanes, and in rust");
  if (def->arguments & LW_GENERATE_ARGUMENT_CASADI &&
      (!in_c || def->lanes > 1 || def->precision == LW_PRECISION_SINGLE ||
       def->sines == LW_SINES_GIVEN))
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "CasADi takes c in double precision, without lanes and given sines");
  if (def->symbols && def->language != LW_LANGUAGE_LATEX)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "numbers as letters are for latex only");
  return LW_OK;
}

// What can be asked about an arm or a snake.
typedef struct Questions
{
  const lwModel* model;
  const lwSnake* snake;
  int count;
  lwResult result[LW_QUESTION_COUNT];
} Questions;

static lwStatus refuse_question(const Questions* questions, const char* word, size_t length,
                                lwDiag* diag)
{
  char expected[400] = "";
  const char* about  = questions->snake ? " about snakes" : "";
  int shown          = (int)(length < 60 ? length : 60);
  lwNearest nearest  = lw_nearest_part(word, length);
  for (int k = 0; k < questions->count; ++k)
  {
    lw_nearest_try(&nearest, questions->result[k].word);
    size_t used = strlen(expected);
    snprintf(expected + used, sizeof expected - used, "%s%s",
             k == 0                     ? ""
             : k + 1 < questions->count ? ", "
                                        : " or ",
             questions->result[k].word);
  }
  return nearest.best
             ? lw_refuse(diag, LW_ERROR_INPUT, NULL, "no question '%.*s'%s, did you mean '%s'?",
                         shown, word, about, nearest.best)
             : lw_refuse(diag, LW_ERROR_INPUT, NULL, "no question '%.*s'%s, expected %s", shown,
                         word, about, expected);
}

// "inertia+bias" up to a comma or the end; *word moves behind it.
static lwStatus read_questions(const Questions* questions, const char** word, lwChoice* choice,
                               lwDiag* diag)
{
  for (choice->count = 0;; ++*word)
  {
    size_t length         = strcspn(*word, "+,");
    const lwResult* found = NULL;
    for (int k = 0; k < questions->count; ++k)
    {
      const lwResult* result = &questions->result[k];
      if (strlen(result->word) == length && !strncmp(result->word, *word, length)) found = result;
    }
    if (!found) return refuse_question(questions, *word, length, diag);
    for (int k = 0; k < choice->count; ++k)
      if (choice->result[k].word == found->word)
        return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                         "the question '%s' is asked twice in one function", found->word);
    if (choice->count == LW_QUESTIONS_AT_ONCE)
      return lw_refuse(diag, LW_ERROR_INPUT, NULL, "one function answers %d questions at most",
                       LW_QUESTIONS_AT_ONCE);
    choice->result[choice->count++] = *found;
    *word += length;
    if (**word != '+') break;
  }
  if (**word == ',') ++*word;
  return LW_OK;
}

static lwStatus check_arm(const lwChoice* choice, lwDiag* diag)
{
  const lwModel* model = lw_model_native(choice->model);
  if (model->n > LW_GENERATE_MAX_JOINTS)
    return lw_refuse(
        diag, LW_ERROR_INPUT, "lw_answer() and lw_answer_many() take robots of any size",
        "'%s' has %d moving joints; straight-line code is made for %d at most, beyond them "
        "the library's kernels are faster",
        model->robot.name, model->n, LW_GENERATE_MAX_JOINTS);
  for (int k = 0; k < choice->count; ++k)
  {
    lwQuestion question = choice->result[k].question;
    if (model->loops && !scalar_closed_takes(question))
      return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                       "no code is generated for '%s' with closed loops, and '%s' has some",
                       choice->result[k].word, model->robot.name);
    if (question == LW_QUESTION_FORWARD && model->inert >= 0 && !model->loops)
      return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                       "nothing resists joint '%s', so it has no acceleration: no forward "
                       "dynamics of '%s'",
                       model->robot.joints[model->inert].name, model->robot.name);
  }
  return LW_OK;
}

// --- arguments and results

void lw_function_take(lwFunction* function, const lwOptionalTaken* list, int count)
{
  for (int k = 0; k < count; ++k)
    if (list[k].chosen) function->parameter[function->parameters++] = list[k].taken;
}

static void set_parameters(const lwGenerateDef* def, const lwChoice* choice, lwFunction* function)
{
  const lwModel* model = choice->model;
  unsigned needed = 0, given = def->arguments;
  int nq = model->nq, dof = model->dof;
  for (int k = 0; k < choice->count; ++k)
    needed |= lw_question_info(choice->result[k].question)->inputs;
  bool sines = def->sines == LW_SINES_GIVEN, slides = model->ball_count > 0;
  for (int i = 0; i < model->n; ++i) slides = slides || model->kind[i] & LW_KIND_PRISMATIC;
  const lwOptionalTaken list[] = {
      {!sines || slides,
       {LW_ARGUMENT_Q, "q", nq,
        model->ball_count > 0 ? "positions, rad or m; orientations as quaternions x y z w"
                              : "positions, rad or m"}},
      {sines, {LW_ARGUMENT_COSINE, "cosine", nq, "cosines of q"}},
      {sines, {LW_ARGUMENT_SINE, "sine", nq, "sines of q"}},
      {needed & LW_INPUT_QD, {LW_ARGUMENT_QD, "qd", dof, "velocities, rad/s or m/s"}},
      {needed & LW_INPUT_QDD, {LW_ARGUMENT_QDD, "qdd", dof, "accelerations, rad/s^2 or m/s^2"}},
      {needed & LW_INPUT_TAU, {LW_ARGUMENT_TAU, "tau", dof, "torques or forces, N m or N"}},
      {needed & LW_INPUT_WRENCH && given & LW_GENERATE_ARGUMENT_WRENCH,
       {LW_ARGUMENT_WRENCH, "wrench", 6,
        "on the last link, at the origin and in the axes of its frame, N, N m"}},
      {given & LW_GENERATE_ARGUMENT_GRAVITY,
       {LW_ARGUMENT_GRAVITY, "gravity", 3, "in the base frame, m/s^2"}},
      {given & LW_GENERATE_ARGUMENT_PAYLOAD,
       {LW_ARGUMENT_PAYLOAD, "payload", 10,
        "on the last link: mass, kg; centre of mass, m; inertia about it, kg m^2, xx yy zz xy xz "
        "yz"}}};
  lw_function_take(function, list, sizeof list / sizeof *list);
}

// Columns of an answer as one array: 1, if its quantities differ in shape.
static int answer_columns(const lwModel* model, lwQuestion question)
{
  int n                   = lw_model_mobility(model);
  const lwQuantity *first = lw_question_info(question)->quantities, *part = NULL;
  while ((part = lw_quantity_next(question, part)))
    if (part->shape != first->shape) return 1;
  const int columns[] = {[LW_QUANTITY_SHAPE_NUMBERS]    = 1,
                         [LW_QUANTITY_SHAPE_VECTOR]     = 1,
                         [LW_QUANTITY_SHAPE_SQUARE]     = n,
                         [LW_QUANTITY_SHAPE_ROWS]       = n,
                         [LW_QUANTITY_SHAPE_JOINTS]     = first->count,
                         [LW_QUANTITY_SHAPE_LINKS]      = first->count,
                         [LW_QUANTITY_SHAPE_PARAMETERS] = first->count * model->robot.count};
  return columns[first->shape];
}

// What can be asked about an arm: at most LW_QUESTION_COUNT; returns how many.
static int arm_results(const lwModel* model, lwResult* out)
{
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    const lwQuestionInfo* info = lw_question_info((lwQuestion)k);
    int size                   = (int)lw_loops_outputs(model, (lwQuestion)k);
    int columns                = answer_columns(model, (lwQuestion)k);
    out[k]                     = (lwResult){.word     = info->name,
                                            .name     = info->symbol,
                                            .rows     = columns > 0 ? size / columns : 0,
                                            .columns  = columns,
                                            .meaning  = info->answer,
                                            .question = (lwQuestion)k};
  }
  return LW_QUESTION_COUNT;
}

// Names of results differ from those of arguments.
static void set_results(const lwChoice* choice, lwFunction* function)
{
  function->results = choice->count;
  for (int k = 0; k < choice->count; ++k)
  {
    lwResult* result = &function->result[k];
    *result          = choice->result[k];
    for (int i = 0; i < function->parameters; ++i)
      if (!strcmp(function->parameter[i].name, result->name))
        result->name = result->question == LW_QUESTION_INVERSE ? "torque" : "acceleration";
  }
}

// --- functions

// Nothing that ends a comment or a string of any language, no lines of its own.
static void copy_title(const char* name, char title[LW_FUNCTION_TITLE])
{
  size_t length = 0;
  for (; *name && length + 1 < LW_FUNCTION_TITLE; ++name)
  {
    bool control    = (unsigned char)*name < ' ' || *name == 127;
    bool slash      = *name == '/' || *name == '\\';
    bool comment    = slash && length > 0 && title[length - 1] == '*';
    bool opens      = *name == '*' && length > 0 && title[length - 1] == '/';
    char safe       = *name == '"' ? '\'' : slash ? '/' : *name;
    title[length++] = (char)(control || comment || opens ? ' ' : safe);
  }
  bool cut = *name != 0;  // no part of a character of UTF-8 stays
  while (cut && length > 0 && ((unsigned char)title[length - 1] & 0xC0) == 0x80) --length;
  if (cut && length > 0 && (unsigned char)title[length - 1] >= 0xC0) --length;
  title[length] = 0;
}

// An empty result with these options; NULL if memory ran out.
static lwGenerated* open_generated(const lwGenerateDef* def, const char* title)
{
  lwGenerated* made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->def = *def;
  for (int i = 0; i < LW_GENERATED_FILES; ++i) made->file[i].text.in_memory = true;
  copy_title(title, made->title);
  snprintf(made->name, sizeof made->name, "%s", def->name);
  snprintf(made->lanes, sizeof made->lanes, "%s_lanes", def->name);
  return made;
}

// One more function, named PREFIX_word_word after `words` ("inertia+bias") up to a comma or the
// end.
static lwStatus open_function(lwGenerated* made, const char* words, lwDiag* diag,
                              lwFunction** function)
{
  size_t capacity   = (size_t)(made->functions + 1) * sizeof *made->function;
  lwFunction* grown = realloc(made->function, capacity);
  if (!grown) return LW_ERROR_MEMORY;
  made->function   = grown;
  lwFunction* next = &grown[made->functions];
  *next            = (lwFunction){.program = {.graph = {.failed = true}}};
  size_t length = strcspn(words, ","), used = strlen(made->name);
  memcpy(next->name, made->name, used);
  next->name[used++] = '_';
  if (length > sizeof next->name - used - 1) length = sizeof next->name - used - 1;
  memcpy(next->name + used, words, length);
  for (char* c = next->name; *c; ++c)
    if (*c == '-' || *c == '+') *c = '_';
  if (made->def.arguments & LW_GENERATE_ARGUMENT_CASADI &&
      strlen(next->name) + sizeof LW_CASADI_VALUES <= sizeof next->name)
    memcpy(next->name + strlen(next->name), LW_CASADI_VALUES, sizeof LW_CASADI_VALUES);
  for (int i = 0; i < made->functions; ++i)
    if (!strcmp(grown[i].name, next->name))
      return lw_refuse(diag, LW_ERROR_INPUT, NULL, "the function '%s' is asked for twice",
                       next->name);
  *function = next;
  return LW_OK;
}

// Sines that are given are those of q, and of nothing else.
static lwStatus check_given_sines(const lwFunction* function, lwDiag* diag)
{
  for (int k = 0; k < function->angles; ++k)
    if (lw_expr_kind(&function->program.graph, function->angle[k].expr) != LW_GRAPH_NODE_INPUT)
      return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                       "sines cannot be given: a joint mimics another with a gain, so the "
                       "sine of a multiple of its angle is needed");
  return LW_OK;
}

// LW_GENERATE_ARGUMENT_.. are in the order of LW_ARGUMENT_..
_Static_assert(LW_GENERATE_ARGUMENT_GRAVITY == 1 << (LW_ARGUMENT_GRAVITY - LW_ARGUMENT_WRENCH) &&
                   LW_GENERATE_ARGUMENT_PAYLOAD == 1 << (LW_ARGUMENT_PAYLOAD - LW_ARGUMENT_WRENCH),
               "same order");

static lwStatus make_function(lwGenerated* made, const char* words, const lwChoice* choice,
                              lwDiag* diag)
{
  lwFunction* function = NULL;
  lwStatus status      = open_function(made, words, diag, &function);
  if (status != LW_OK || !function) return status;
  status = lw_choose(choice, diag, &function->program, function->method, sizeof function->method);
  if (status != LW_OK) return status;
  if (choice->snake)
    lw_snake_parameters(choice, made->def.sines == LW_SINES_GIVEN, function);
  else
    set_parameters(&made->def, choice, function);
  set_results(choice, function);
  ++made->functions;
  if (!lw_plan_create(&function->program, &function->plan) ||
      !lw_function_find_angles(function, made->nq))
    return LW_ERROR_MEMORY;
  return made->def.sines == LW_SINES_GIVEN ? check_given_sines(function, diag) : LW_OK;
}

static lwStatus write_sources(lwGenerated* made)
{
  lw_emit(made);
  if (made->def.arguments & LW_GENERATE_ARGUMENT_CASADI &&
      !lw_emit_casadi(made, &made->file[0].text))
    return LW_ERROR_MEMORY;
  if (made->def.language == LW_LANGUAGE_C && made->def.file)
  {
    lw_emit_header(made, &made->file[made->files].text);
    made->file[made->files++].suffix = ".h";
  }
  if (made->def.test_states > 0 && made->def.file)
  {
    if (!lw_emit_test(made, &made->file[made->files].text)) return LW_ERROR_MEMORY;
    made->file[made->files++].suffix = "_test.c";
  }
  for (int i = 0; i < made->files; ++i)
    if (!lw_out_finish(&made->file[i].text)) return LW_ERROR_MEMORY;
  return LW_OK;
}

static lwStatus write_functions(lwGenerated* made, const Questions* questions, lwDiag* diag)
{
  const lwGenerateDef* def = &made->def;
  const char* word         = def->questions;
  lwStatus status          = *word ? LW_OK : refuse_question(questions, word, 0, diag);
  while (*word && status == LW_OK)
  {
    lwChoice choice   = {.model     = made->model,
                         .snake     = made->snake,
                         .method    = def->method,
                         .arguments = (def->arguments & ~(unsigned)LW_GENERATE_ARGUMENT_CASADI)
                                      << LW_ARGUMENT_WRENCH,
                         .split = def->sines == LW_SINES_GIVEN};
    const char* words = word;
    status            = read_questions(questions, &word, &choice, diag);
    if (status == LW_OK)
      status = made->snake ? lw_snake_check_choice(&choice, diag) : check_arm(&choice, diag);
    if (status == LW_OK) status = make_function(made, words, &choice, diag);
  }
  return status == LW_OK ? write_sources(made) : status;
}

// --- equations

static lwStatus check_latex(const lwModel* model, const lwGenerateDef* def, lwDiag* diag)
{
  if (model->n > LW_SERIES_ANGLES)
    return lw_refuse(
        diag, LW_ERROR_INPUT, NULL,
        "'%.60s' has %d moving joints; equations are written for %d at most: generate c or "
        "another language of numbers",
        model->robot.name, model->n, LW_SERIES_ANGLES);
  if (def->arguments || def->sines == LW_SINES_GIVEN)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "equations have no arguments and no given sines");
  if (model->ball_count > 0)
    return lw_refuse(
        diag, LW_ERROR_INPUT, NULL,
        "'%.60s' has ball or floating joints, for which no equations are written: generate c "
        "or another language of numbers",
        model->robot.name);
  return LW_OK;
}

// One document with the equations of every question.
static lwStatus write_latex(lwGenerated* made, const Questions* questions, lwDiag* diag)
{
  const lwModel* model = made->model;
  const char* word     = made->def.questions;
  lwOut* text          = &made->file[0].text;
  lwLetters* letters   = calloc(1, sizeof *letters);
  lwLetters* used      = made->def.symbols ? letters : NULL;
  lwStatus status      = letters ? check_latex(model, &made->def, diag) : LW_ERROR_MEMORY;
  if (status == LW_OK && !*word) status = refuse_question(questions, word, 0, diag);
  if (status == LW_OK) lw_letters_of(model, letters);
  if (status == LW_OK) lw_latex_open(model, used, text);
  while (*word && status == LW_OK)
  {
    lwChoice choice = {.model = model, .method = made->def.method};
    status          = read_questions(questions, &word, &choice, diag);
    for (int k = 0; k < choice.count && status == LW_OK; ++k)
      status = lw_latex_question(&choice, choice.result[k].question, used, diag, text);
  }
  if (status == LW_OK) lw_latex_close(model, used, text);
  if (status == LW_OK && !lw_out_finish(text)) status = LW_ERROR_MEMORY;
  made->file[made->files++].suffix = ".tex";
  free(letters);
  return status;
}

// Which robots with loops code is generated for.
static lwStatus check_code_of_loops(const lwModel* model, const lwGenerateDef* def, lwDiag* diag)
{
  lwArena arena             = {0};
  lwConstraints constraints = {0};
  if (!model->loops) return LW_OK;
  if (def->language == LW_LANGUAGE_LATEX) return lw_tree_check(model, "latex", diag);
  if (def->lanes > 1 && lw_constraints_rational(model, NULL) != LW_OK)
    return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                     "no code is generated for several states at once of '%s', whose wheels need "
                     "roots",
                     model->robot.name);
  lwStatus status = lw_constraints_build(model, false, &arena, &constraints, diag);
  lw_arena_free(&arena);
  return status;
}

static lwStatus generate(Questions* questions, const lwGenerateDef* def, lwDiag* diag,
                         lwGenerated** generated)
{
  const lwModel* model = questions->model;
  const lwSnake* snake = questions->snake;
  lwStatus status      = model || snake ? generate_def_validate(def, diag) : LW_ERROR_INPUT;
  *generated           = NULL;
  if (status == LW_OK)
    status = snake ? lw_snake_check(snake, def, diag) : check_code_of_loops(model, def, diag);
  if (status != LW_OK) return status;
  lwGenerated* made = open_generated(def, snake ? snake->name : model->robot.name);
  if (!made) return LW_ERROR_MEMORY;
  made->model  = model;
  made->snake  = snake;
  made->joints = snake ? snake->n : lw_model_native(model)->n;
  made->nq     = snake ? snake->n : model->nq;
  questions->count =
      snake ? lw_snake_results(snake, questions->result) : arm_results(model, questions->result);
  status = model && def->language == LW_LANGUAGE_LATEX ? write_latex(made, questions, diag)
                                                       : write_functions(made, questions, diag);
  if (status == LW_OK)
    *generated = made;
  else
    lw_generated_destroy(made);
  return status;
}

lwStatus lw_generate(const lwModel* model, const lwGenerateDef* def, lwDiag* diag,
                     lwGenerated** generated)
{
  return generate(&(Questions){.model = model}, def, diag, generated);
}

lwStatus lw_generate_snake(const lwSnake* snake, const lwGenerateDef* def, lwDiag* diag,
                           lwGenerated** generated)
{
  return generate(&(Questions){.snake = snake}, def, diag, generated);
}

void lw_generated_destroy(lwGenerated* generated)
{
  if (!generated) return;
  for (int i = 0; i < generated->functions; ++i) lw_function_free(&generated->function[i]);
  for (int i = 0; i < LW_GENERATED_FILES; ++i) lw_out_free(&generated->file[i].text);
  free(generated->function);
  free(generated);
}

// --- answers

int lw_generated_files(const lwGenerated* generated)
{
  return generated->files;
}

const char* lw_generated_suffix(const lwGenerated* generated, int i)
{
  return generated->file[i].suffix;
}

const char* lw_generated_text(const lwGenerated* generated, int i)
{
  return generated->file[i].text.text;
}

int lw_generated_functions(const lwGenerated* generated)
{
  return generated->functions;
}

lwCount lw_generated_count(const lwGenerated* generated, int i)
{
  const lwFunction* function = &generated->function[i];
  return lw_program_count(&function->program, function->plan.uses);
}

int lw_generated_sines(const lwGenerated* generated, int i)
{
  return generated->function[i].angles;
}
