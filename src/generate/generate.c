// SPDX-License-Identifier: MIT
// From a robot and the options to the text of files.
#include "linkwork/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/workspace.h"
#include "base/text.h"
#include "generate/choose.h"
#include "generate/emit.h"
#include "generate/latex.h"
#include "generate/make.h"
#include "model/model_internal.h"

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

static lwStatus refuse_question(const char* word, size_t length, lwDiag* diag)
{
  lwNearest nearest = lw_nearest_part(word, length);
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    lw_nearest_try(&nearest, lw_question_info((lwQuestion)k)->name);
  if (nearest.best)
    LW_REFUSE(diag, NULL, "no question '%.*s', did you mean '%s'?",
              (int)(length < 60 ? length : 60), word, nearest.best);
  else
    LW_REFUSE(diag, NULL,
              "no question '%.*s', expected inverse, forward, inertia, bias, gravity, coriolis, "
              "energy, pose, jacobian, reactions, gibbs, inverse-derivatives, forward-derivatives, "
              "inertia-inverse, coriolis-matrix, centroidal, jacobian-rate or regressor",
              (int)(length < 60 ? length : 60), word);
  return LW_ERROR_INPUT;
}

// "inertia+bias" up to a comma or the end; *word moves behind it.
static lwStatus read_questions(const char** word, lwChoice* choice, lwDiag* diag)
{
  choice->count = 0;
  for (;;)
  {
    size_t length = strcspn(*word, "+,");
    int found     = -1;
    for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    {
      const char* name = lw_question_info((lwQuestion)k)->name;
      if (strlen(name) == length && !strncmp(name, *word, length)) found = k;
    }
    if (found < 0) return refuse_question(*word, length, diag);
    for (int k = 0; k < choice->count; ++k)
      if ((int)choice->question[k] == found)
      {
        LW_REFUSE(diag, NULL, "the question '%s' is asked twice in one function",
                  lw_question_info((lwQuestion)found)->name);
        return LW_ERROR_INPUT;
      }
    if (choice->count == LW_QUESTIONS_AT_ONCE)
    {
      LW_REFUSE(diag, NULL, "one function answers %d questions at most", LW_QUESTIONS_AT_ONCE);
      return LW_ERROR_INPUT;
    }
    choice->question[choice->count++] = (lwQuestion)found;
    *word += length;
    if (**word != '+') break;
    ++*word;
  }
  if (**word == ',') ++*word;
  return LW_OK;
}

// Questions whose answers are those of kernels in other coordinates, and no derivatives by them.
static lwStatus check_ball_questions(const lwModel* model, const lwChoice* choice, lwDiag* diag)
{
  const unsigned taken =
      LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_FORWARD) | LW_ASKS(LW_QUESTION_INERTIA) |
      LW_ASKS(LW_QUESTION_BIAS) | LW_ASKS(LW_QUESTION_GRAVITY) | LW_ASKS(LW_QUESTION_CORIOLIS) |
      LW_ASKS(LW_QUESTION_ENERGY) | LW_ASKS(LW_QUESTION_POSE) | LW_ASKS(LW_QUESTION_JACOBIAN) |
      LW_ASKS(LW_QUESTION_REACTIONS) | LW_ASKS(LW_QUESTION_INERTIA_INVERSE);
  for (int k = 0; k < choice->count && model->ball_count > 0; ++k)
    if (!(taken & LW_ASKS(choice->question[k])))
    {
      LW_REFUSE(diag, NULL,
                "'%.60s' has ball or floating joints, for which no code is generated that answers "
                "'%s'",
                model->robot.name, lw_question_info(choice->question[k])->name);
      return LW_ERROR_INPUT;
    }
  return LW_OK;
}

static lwStatus check_robot(const lwModel* model, const lwChoice* choice, lwDiag* diag)
{
  if (model->n > LW_GENERATE_MAX_JOINTS)
  {
    LW_REFUSE(diag, "lw_answer() and lw_answer_many() take robots of any size",
              "'%s' has %d moving joints; straight-line code is made for %d at most, beyond them "
              "the library's kernels are faster",
              model->robot.name, model->n, LW_GENERATE_MAX_JOINTS);
    return LW_ERROR_INPUT;
  }
  lwStatus status = check_ball_questions(model, choice, diag);
  if (status != LW_OK) return status;
  for (int k = 0; k < choice->count; ++k)
    if (choice->question[k] == LW_QUESTION_FORWARD && model->inert >= 0)
    {
      LW_REFUSE(diag, NULL,
                "nothing resists joint '%s', so it has no acceleration: no forward "
                "dynamics of '%s'",
                model->robot.joints[model->inert].name, model->robot.name);
      return LW_ERROR_INPUT;
    }
  return LW_OK;
}

// --- arguments and results

static bool asks(const lwChoice* choice, lwQuestion question)
{
  for (int k = 0; k < choice->count; ++k)
    if (choice->question[k] == question) return true;
  return false;
}

// The angles themselves are inputs of the graph even where their sines are given.
static bool reads_slide(const lwModel* model)
{
  if (model->ball_count > 0) return true;
  for (int i = 0; i < model->n; ++i)
    if (model->kind[i] & LW_KIND_PRISMATIC) return true;
  return false;
}

static void set_parameters(const lwModel* model, const lwGenerateDef* def, const lwChoice* choice,
                           lwFunction* function)
{
  unsigned needed = 0;
  int dof         = model->dof;
  for (int k = 0; k < choice->count; ++k) needed |= lw_question_info(choice->question[k])->inputs;
  bool given = def->sines == LW_SINES_GIVEN;
  if (!given || reads_slide(model))
    lw_function_take(function, LW_ARGUMENT_Q, "q", model->nq,
                     model->ball_count > 0
                         ? "positions, rad or m; orientations as quaternions x y z w"
                         : "positions, rad or m");
  if (given)
  {
    lw_function_take(function, LW_ARGUMENT_COSINE, "cosine", model->nq, "cosines of q");
    lw_function_take(function, LW_ARGUMENT_SINE, "sine", model->nq, "sines of q");
  }
  if (needed & LW_INPUT_QD)
    lw_function_take(function, LW_ARGUMENT_QD, "qd", dof, "velocities, rad/s or m/s");
  if (needed & LW_INPUT_QDD)
    lw_function_take(function, LW_ARGUMENT_QDD, "qdd", dof, "accelerations, rad/s^2 or m/s^2");
  if (needed & LW_INPUT_TAU)
    lw_function_take(function, LW_ARGUMENT_TAU, "tau", dof, "torques or forces, N m or N");
  if (needed & LW_INPUT_WRENCH && def->arguments & LW_GENERATE_ARGUMENT_WRENCH)
    lw_function_take(function, LW_ARGUMENT_WRENCH, "wrench", 6,
                     "on the last link, at the origin and in the axes of its frame, N, N m");
  if (def->arguments & LW_GENERATE_ARGUMENT_GRAVITY)
    lw_function_take(function, LW_ARGUMENT_GRAVITY, "gravity", 3, "in the base frame, m/s^2");
  if (def->arguments & LW_GENERATE_ARGUMENT_PAYLOAD)
    lw_function_take(
        function, LW_ARGUMENT_PAYLOAD, "payload", 10,
        "on the last link: mass, kg; centre of mass, m; inertia about it, kg m^2, xx yy "
        "zz xy xz yz");
}

static void set_results(const lwModel* model, const lwChoice* choice, lwFunction* function)
{
  int dof      = model->dof;
  bool has_qdd = asks(choice, LW_QUESTION_INVERSE), has_tau = asks(choice, LW_QUESTION_FORWARD);
  for (int k = 0; k < choice->count; ++k)
  {
    const struct
    {
      const char* name;
      int rows, columns;
      const char* meaning;
    } results[LW_QUESTION_COUNT] = {
        [LW_QUESTION_INVERSE] = {has_tau ? "torque" : "tau", dof, 1, "torques or forces, N m or N"},
        [LW_QUESTION_FORWARD] = {has_qdd ? "acceleration" : "qdd", dof, 1,
                                 "accelerations, rad/s^2 or m/s^2"},
        [LW_QUESTION_INERTIA] = {"M", dof, dof, "the inertia matrix, kg m^2, kg m or kg"},
        [LW_QUESTION_BIAS]    = {"b", dof, 1, "torques of velocity and gravity, N m or N"},
        [LW_QUESTION_GRAVITY] = {"g", dof, 1, "torques that hold the arm at rest, N m or N"},
        [LW_QUESTION_CORIOLIS]  = {"c", dof, 1, "torques of velocity alone, N m or N"},
        [LW_QUESTION_ENERGY]    = {"energy", 2, 1, "kinetic and potential energy, J"},
        [LW_QUESTION_POSE]      = {"pose", 12, 1,
                                   "of the last link in the base frame: x y z, m, then its "
                                        "rotation row by row"},
        [LW_QUESTION_JACOBIAN]  = {"J", 6, dof,
                                   "Jacobian of the last link in the base frame: velocity of its "
                                    "origin, then angular velocity"},
        [LW_QUESTION_REACTIONS] = {"wrenches", model->robot.count, 6,
                                   "force and moment that each joint of the description "
                                   "transmits, in the frame of its link, N, N m"},
        [LW_QUESTION_GIBBS] =
            {"gibbs", 1 + dof * dof, 1,
             "Gibbs' function, J/s^2, then its Hessian in the accelerations row by "
             "row"},
        [LW_QUESTION_INVERSE_DERIVATIVES] = {"dtau", 2 * dof, dof, "d tau/dq, then d tau/dqd"},
        [LW_QUESTION_FORWARD_DERIVATIVES] = {"dqdd", 3 * dof, dof,
                                             "d qdd/dq, d qdd/dqd, d qdd/d tau"},
        [LW_QUESTION_INERTIA_INVERSE]     = {"W", dof, dof, "the inverse of the inertia matrix"},
        [LW_QUESTION_CORIOLIS_MATRIX]     = {"C", dof, dof,
                                             "the Coriolis matrix of Christoffel's symbols"},
        [LW_QUESTION_CENTROIDAL]          = {"centroid", 15, 1,
                                             "centre of mass, momentum about it and its rate, in the base "
                                                      "frame"},
        [LW_QUESTION_JACOBIAN_RATE] =
            {"rate", 12, 1, "velocity of the last link, linear and angular, then dJ/dt qd"},
        [LW_QUESTION_REGRESSOR] = {"Y", dof, 10 * model->robot.count,
                                   "tau = Y pi; m, mx my mz, xx yy zz xy xz yz of each link"}};
    lwQuestion question                   = choice->question[k];
    function->result[function->results++] = (lwResult){.name     = results[question].name,
                                                       .rows     = results[question].rows,
                                                       .columns  = results[question].columns,
                                                       .meaning  = results[question].meaning,
                                                       .question = question};
  }
}

// --- functions

static unsigned recorded_arguments(unsigned flags)
{
  return (flags & LW_GENERATE_ARGUMENT_WRENCH ? 1u << LW_ARGUMENT_WRENCH : 0) |
         (flags & LW_GENERATE_ARGUMENT_GRAVITY ? 1u << LW_ARGUMENT_GRAVITY : 0) |
         (flags & LW_GENERATE_ARGUMENT_PAYLOAD ? 1u << LW_ARGUMENT_PAYLOAD : 0);
}

static lwStatus make_function(lwGenerated* made, const char* words, const lwChoice* choice,
                              lwDiag* diag)
{
  lwFunction* function;
  lwStatus status = lw_function_open(made, words, diag, &function);
  if (status == LW_OK)
    status = lw_choose(choice, diag, &function->program, function->method, sizeof function->method);
  if (status != LW_OK) return status;
  set_parameters(choice->model, &made->def, choice, function);
  set_results(choice->model, choice, function);
  return lw_function_finish(made, function, choice->model->nq, diag);
}

static lwStatus make_functions(lwGenerated* made, const lwModel* model, lwWorkspace* ws,
                               lwDiag* diag)
{
  const lwGenerateDef* def = &made->def;
  const char* word         = def->questions;
  lwStatus status          = LW_OK;
  if (!*word) return refuse_question(word, 0, diag);
  while (*word && status == LW_OK)
  {
    lwChoice choice   = {.model     = model,
                         .ws        = ws,
                         .method    = def->method,
                         .arguments = recorded_arguments(def->arguments),
                         .split     = def->sines == LW_SINES_GIVEN};
    const char* words = word;
    status            = read_questions(&word, &choice, diag);
    if (status == LW_OK) status = check_robot(model, &choice, diag);
    if (status == LW_OK) status = make_function(made, words, &choice, diag);
  }
  return status;
}

// --- equations

static lwStatus check_latex(const lwModel* model, const lwGenerateDef* def, lwDiag* diag)
{
  lwStatus status = LW_ERROR_INPUT;
  if (model->n > LW_SERIES_ANGLES)
    LW_REFUSE(diag, NULL,
              "'%.60s' has %d moving joints; equations are written for %d at most: generate c or "
              "another language of numbers",
              model->robot.name, model->n, LW_SERIES_ANGLES);
  else if (def->arguments || def->sines == LW_SINES_GIVEN)
    LW_REFUSE(diag, NULL, "equations have no arguments and no given sines");
  else if (model->ball_count > 0)
    LW_REFUSE(diag, NULL,
              "'%.60s' has ball or floating joints, for which no equations are written: generate c "
              "or another language of numbers",
              model->robot.name);
  else
    status = LW_OK;
  return status;
}

// One document with the equations of every question.
static lwStatus write_latex(lwGenerated* made, const lwModel* model, lwWorkspace* ws, lwDiag* diag)
{
  const char* word   = made->def.questions;
  lwCodeText* text   = &made->file[0].text;
  lwLetters* letters = calloc(1, sizeof *letters);
  lwLetters* used    = made->def.symbols ? letters : NULL;
  lwStatus status    = letters ? check_latex(model, &made->def, diag) : LW_ERROR_MEMORY;
  if (status == LW_OK && !*word) status = refuse_question(word, 0, diag);
  if (status == LW_OK) lw_letters_of(model, letters);
  if (status == LW_OK) lw_latex_open(model, used, text);
  while (*word && status == LW_OK)
  {
    lwChoice choice = {.model = model, .ws = ws, .method = made->def.method};
    status          = read_questions(&word, &choice, diag);
    for (int k = 0; k < choice.count && status == LW_OK; ++k)
      status = lw_latex_question(&choice, choice.question[k], used, diag, text);
  }
  if (status == LW_OK) lw_latex_close(model, used, text);
  if (status == LW_OK && text->failed) status = LW_ERROR_MEMORY;
  made->file[made->files++].suffix = ".tex";
  free(letters);
  return status;
}

static lwStatus write_functions(lwGenerated* made, const lwModel* model, lwWorkspace* ws,
                                lwDiag* diag)
{
  lwStatus status = make_functions(made, model, ws, diag);
  return status == LW_OK ? lw_write_sources(made) : status;
}

lwStatus lw_generate(const lwModel* model, const lwGenerateDef* def, lwDiag* diag,
                     lwGenerated** generated)
{
  *generated      = NULL;
  lwStatus status = lw_check_wishes(def, diag);
  if (status != LW_OK) return status;
  lwWorkspace* ws   = NULL;
  lwGenerated* made = lw_generated_open(def, model->robot.name);
  if (!made) return LW_ERROR_MEMORY;
  made->model  = model;
  made->joints = model->n;
  made->nq     = model->nq;
  status       = lw_workspace_create(model, NULL, diag, &ws);
  if (status == LW_OK && def->language == LW_LANGUAGE_LATEX)
    status = write_latex(made, model, ws, diag);
  else if (status == LW_OK)
    status = write_functions(made, model, ws, diag);
  lw_workspace_destroy(ws);
  if (status == LW_OK)
    *generated = made;
  else
    lw_generated_destroy(made);
  return status;
}

void lw_generated_destroy(lwGenerated* generated)
{
  if (!generated) return;
  for (int i = 0; i < generated->functions; ++i) lw_function_free(&generated->function[i]);
  for (int i = 0; i < LW_GENERATED_FILES; ++i) lw_code_free(&generated->file[i].text);
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
  return generated->file[i].text.at;
}

int lw_generated_functions(const lwGenerated* generated)
{
  return generated->functions;
}

const char* lw_generated_name(const lwGenerated* generated, int i)
{
  return generated->function[i].name;
}

const char* lw_generated_method(const lwGenerated* generated, int i)
{
  return generated->function[i].method;
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
