// SPDX-License-Identifier: MIT
// The LaTeX document: its list of equations and its table of letters.
// generate/equation.c writes an equation.
#include "generate/latex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/workspace.h"
#include "base/diag.h"

// --- series of answers

static int first_variable(const lwLetters* letters)
{
  return letters ? letters->count : 0;
}

// Letters, q, qd, qdd
static int variable_of(const void* context, const lwGraphNode* input)
{
  const lwRecording* recording = context;
  if (lw_input_argument(input) == LW_ARGUMENT_LETTER) return lw_input_index(input);
  return first_variable(recording->letters) +
         (int)lw_input_argument(input) * recording->model->dof + lw_input_index(input);
}

int lw_latex_outputs(const lwModel* model, lwQuestion question)
{
  return question == LW_QUESTION_CORIOLIS ? model->dof * model->dof
                                          : (int)lw_question_outputs(model, question);
}

// A method that only multiplies and adds: any other gives the same series, if it does
static int kernel_of(const lwChoice* choice, lwQuestion question)
{
  lwQuestion asked  = lw_question_info(question)->methods;
  const char* usual = asked == LW_QUESTION_INVERSE   ? "newton-euler"
                      : asked == LW_QUESTION_INERTIA ? "composite-body"
                                                     : NULL;
  if (strcmp(choice->method, "best") != 0) usual = choice->method;
  return usual ? lw_method_find(asked, usual) : lw_kernel_index(choice->model, question, NULL);
}

static lwStatus record_question(const lwChoice* choice, lwQuestion question,
                                const lwLetters* letters, lwSeries* outputs)
{
  lwResult result       = {.rows     = (int)lw_question_outputs(choice->model, question),
                           .columns  = 1,
                           .question = question};
  lwRecording recording = {.model   = choice->model,
                           .count   = 1,
                           .result  = &result,
                           .kernel  = {kernel_of(choice, question)},
                           .letters = letters};
  lwProgram program;
  if (recording.kernel[0] < 0) return LW_ERROR_METHOD;
  lwStatus status = lw_record(&recording, &program);
  if (status != LW_OK) return status;
  status = lw_series_of_program(&program, variable_of, &recording, outputs);
  lw_program_close(&program);
  return status;
}

// Whether q_k is a length: that of the joint which it moves, or which others mimic
static bool slides_by(const lwModel* model, int k)
{
  for (int i = 0; i < model->n; ++i)
    if (model->dof == model->n ? i == k : model->leader[i] == k)
      return model->kind[i] & LW_KIND_PRISMATIC;
  return false;
}

// sum += factor dM/dq_k qd_l
static lwStatus add_christoffel(const lwModel* model, const lwLetters* letters, const lwSeries* M,
                                int k, int l, double factor, lwSeries* sum)
{
  lwSeries steep = {0}, rate = {0}, part = {0}, more = {0};
  bool slides = slides_by(model, k);
  lwStatus status =
      lw_series_slope(M, slides ? -1 : k, slides ? first_variable(letters) + k : -1, &steep);
  if (status == LW_OK) status = lw_series_variable(first_variable(letters) + model->dof + l, &rate);
  if (status == LW_OK) status = lw_series_multiply(&steep, &rate, &part);
  if (status == LW_OK) status = lw_series_add(sum, factor, &part, &more);
  lw_series_free(&steep), lw_series_free(&rate), lw_series_free(&part);
  if (status != LW_OK) return status;
  lw_series_free(sum);
  *sum = more;
  return LW_OK;
}

static void free_outputs(lwSeries* outputs, int count)
{
  for (int k = 0; outputs && k < count; ++k) lw_series_free(&outputs[k]);
  free(outputs);
}

// C_ij = 1/2 sum over k of (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) qd_k, so that dM/dt - 2 C is skew
static lwStatus coriolis_series(const lwChoice* choice, const lwLetters* letters, lwSeries* C)
{
  const lwModel* model = choice->model;
  int n                = model->dof;
  lwSeries* M          = calloc((size_t)(n * n) + 1, sizeof *M);
  lwStatus status = M ? record_question(choice, LW_QUESTION_INERTIA, letters, M) : LW_ERROR_MEMORY;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n && status == LW_OK; ++j)
    {
      lwSeries* sum = &C[i * n + j];
      status        = lw_series_constant(0, sum);
      for (int k = 0; k < n && status == LW_OK; ++k)
      {
        status = add_christoffel(model, letters, &M[i * n + j], k, k, 0.5, sum);
        if (status == LW_OK)
          status = add_christoffel(model, letters, &M[i * n + k], j, k, 0.5, sum);
        if (status == LW_OK)
          status = add_christoffel(model, letters, &M[j * n + k], i, k, -0.5, sum);
      }
    }
  free_outputs(M, n * n);
  return status;
}

lwStatus lw_latex_series(const lwChoice* choice, lwQuestion question, const lwLetters* letters,
                         lwDiag* diag, lwSeries** outputs)
{
  const char* name = lw_question_info(question)->name;
  int count        = lw_latex_outputs(choice->model, question);
  *outputs         = calloc((size_t)count + 1, sizeof **outputs);
  if (!*outputs) return LW_ERROR_MEMORY;
  lwStatus status = question == LW_QUESTION_CORIOLIS
                        ? coriolis_series(choice, letters, *outputs)
                        : record_question(choice, question, letters, *outputs);
  if (status == LW_OK) return LW_OK;
  free_outputs(*outputs, count);
  *outputs = NULL;
  if (status == LW_ERROR_INPUT)
    return lw_refuse(
        diag, LW_ERROR_INPUT, NULL,
        "the equations of '%s' have more than %d terms, which is nothing to read: generate c "
        "or another language of numbers",
        name, LW_SERIES_TERMS);
  if (status != LW_ERROR_METHOD) return status;
  return lw_refuse(
      diag, LW_ERROR_INPUT, NULL,
      "'%s' by this method cannot be written in products and sums of sines: it divides, or "
      "a joint mimics another by a part of its angle",
      name);
}

// --- the document

// Characters that mean something to LaTeX, in names of robots
static void put_plain_name(lwOut* text, const char* name)
{
  for (const char* c = name; *c; ++c)
    if (strchr("&%$#_{}", *c))
      lw_out_format(text, "\\%c", *c);
    else if (*c == '\\')
      lw_out_text(text, "\\textbackslash{}");
    else if (*c == '~' || *c == '^')
      lw_out_format(text, "\\%c{}", *c);
    else if ((unsigned char)*c >= ' ')
      lw_out_char(text, *c);
}

void lw_latex_open(const lwModel* model, const lwLetters* letters, lwOut* text)
{
  lw_out_format(text, "%% Made by linkwork %s: the equations of motion of one robot.\n",
                lw_version());
  lw_out_text(text, "\\documentclass{article}\n\\usepackage{amsmath}\n\\allowdisplaybreaks\n"
                    "\\begin{document}\n\\noindent\\textbf{");
  put_plain_name(text, model->robot.name);
  lw_out_format(text, "}%s\n", letters ? "" : ", in SI units");
}

typedef struct Heading
{
  lwQuestion question;
  const char* words;
  const char* entry;  // with two indices of a matrix or one of a vector
} Heading;

static const Heading HEADINGS[] = {
    {LW_QUESTION_INERTIA, "The inertia matrix, symmetric", "M"},
    {LW_QUESTION_CORIOLIS,
     "The matrix of Coriolis and centrifugal torques, of Christoffel's symbols", "C"},
    {LW_QUESTION_GRAVITY, "Torques that hold the arm against gravity", "g"},
    {LW_QUESTION_BIAS, "Torques of velocity and gravity", "b"},
    {LW_QUESTION_INVERSE, "Torques of a motion", "\\tau"},
    {LW_QUESTION_ENERGY, "Kinetic and potential energy", NULL},
    {LW_QUESTION_POSE, "Where the last link is, and its axes in the base frame", NULL},
    {LW_QUESTION_JACOBIAN, "The Jacobian: velocity of the last link, then angular velocity", "J"}};

// Name of entry k; false: it is not written, as it is another's mirror image.
static bool name_entry(const lwModel* model, const Heading* heading, int k, char* name, size_t size)
{
  static const char* const poses[] = {"x",      "y",      "z",      "R_{11}", "R_{12}", "R_{13}",
                                      "R_{21}", "R_{22}", "R_{23}", "R_{31}", "R_{32}", "R_{33}"};
  int n = model->dof, row = k / n, column = k % n;
  lwQuestion question = heading->question;
  bool square         = question == LW_QUESTION_INERTIA;
  bool matrix = square || question == LW_QUESTION_CORIOLIS || question == LW_QUESTION_JACOBIAN;
  if (!heading->entry)
    snprintf(name, size, "%s", question == LW_QUESTION_POSE ? poses[k] : k == 0 ? "T" : "V");
  else if (matrix)
    snprintf(name, size, "%s_{%d%d}", heading->entry, row + 1, column + 1);
  else
    snprintf(name, size, "%s_{%d}", heading->entry, k + 1);
  return !square || column >= row;
}

static void put_equations(const lwChoice* choice, const Heading* heading, lwLetters* letters,
                          const lwSeries* outputs, lwOut* text)
{
  int count         = lw_latex_outputs(choice->model, heading->question);
  lwEquation layout = {letters, choice->model->dof};
  int written = 0, zeros = 0;
  lw_out_format(text, "\n\\noindent %s:\n", heading->words);
  for (int k = 0; k < count; ++k)
  {
    char name[32];
    if (!name_entry(choice->model, heading, k, name, sizeof name)) continue;
    zeros += outputs[k].count == 0;
    if (outputs[k].count == 0) continue;
    lw_out_format(text, "%s  %s &= ", written++ ? " \\\\\n" : "\\begin{align*}\n", name);
    lw_equation_put(&layout, &outputs[k], text);
  }
  if (written) lw_out_text(text, "\n\\end{align*}\n");
  if (zeros) lw_out_text(text, written ? "All others are zero.\n" : "all are zero.\n");
}

lwStatus lw_latex_question(const lwChoice* choice, lwQuestion question, lwLetters* letters,
                           lwDiag* diag, lwOut* text)
{
  const Heading* heading = NULL;
  lwSeries* outputs      = NULL;
  for (size_t k = 0; k < sizeof HEADINGS / sizeof *HEADINGS; ++k)
    if (HEADINGS[k].question == question) heading = &HEADINGS[k];
  if (!heading)
    return lw_refuse(
        diag, LW_ERROR_INPUT, NULL,
        "no equations of '%s', expected inertia, coriolis, gravity, bias, inverse, energy, "
        "pose or jacobian",
        lw_question_info(question)->name);
  if (kernel_of(choice, question) < 0)
    return lw_refuse(diag, LW_ERROR_METHOD, NULL, "no method '%.60s' for the question '%s'",
                     choice->method, lw_question_info(question)->name);
  lwStatus status = lw_latex_series(choice, question, letters, diag, &outputs);
  if (status != LW_OK) return status;
  put_equations(choice, heading, letters, outputs, text);
  free_outputs(outputs, lw_latex_outputs(choice->model, question));
  return LW_OK;
}

static void put_letters(const lwModel* model, const lwLetters* letters, lwOut* text)
{
  lw_out_text(text, "\n\\noindent Letters, in the canonical frames of the links:\n\n"
                    "\\noindent\\begin{tabular}{lrll}\n");
  for (int k = 0; k < letters->count; ++k)
  {
    const lwLetter* letter = &letters->letter[k];
    if (!letter->used) continue;
    lw_out_format(text, "$%s$ & %.7g & $\\mathrm{", letter->name, letter->value);
    for (const char* c = letter->unit; *c; ++c)
      lw_out_format(text, "%s%c", *c == ' ' ? "\\," : "", *c);
    lw_out_format(text, "}$ & %s", letter->meaning);
    if (letter->link != LW_BASE)
    {
      lw_out_text(text, ", joint ");
      put_plain_name(text, model->robot.joints[model->joint[letter->link]].name);
    }
    lw_out_text(text, " \\\\\n");
  }
  lw_out_text(text, "\\end{tabular}\n");
}

void lw_latex_close(const lwModel* model, const lwLetters* letters, lwOut* text)
{
  if (letters) put_letters(model, letters, text);
  lw_out_text(text, "\\end{document}\n");
}
