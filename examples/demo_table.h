// SPDX-License-Identifier: MIT
// The table of demo.c: one line per answer, with its difference from the first of its kind.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linkwork/linkwork.h"

#define MOST 7  // joints that fit on a line of 100 characters

static int n;         // joints
static double worst;  // difference of any answer from the first of its kind, relative to its size

static void print_names(const lwModel* model)
{
  const lwJointDef* joints = lw_model_robot(model)->joints;
  printf("%-25s", lw_model_name(model));
  for (int i = 0; i < n; ++i)
    printf("%*.10s", n < 7 ? 11 : 9, joints[lw_model_joint(model, i)].name);
  printf("  differs\n");
}

static void print(const char* name, const double* values)
{
  printf("  %-23s", name);
  for (int i = 0; i < n; ++i)
    values ? printf(" %*.*g", n < 7 ? 10 : 8, n < 7 ? 4 : 3, values[i])
           : printf(" %*s", n < 7 ? 10 : 8, "");
}

static void print_rows(const char* name, const double* values, int rows)
{
  for (int i = 0; i < rows; ++i)
  {
    print(i ? "" : name, values + i * n);
    printf("\n");
  }
}

// Ends the line with the largest difference from the first answer, relative to its size.
static void compare(const double* x, const double* first, size_t count)
{
  double size = 1, off = 0;
  for (size_t i = 0; i < count; ++i) size = fmax(size, fabs(first[i]));
  for (size_t i = 0; i < count; ++i)
    off = isfinite(x[i]) ? fmax(off, fabs(x[i] - first[i]) / size) : INFINITY;
  worst = fmax(worst, off);
  printf("  %7.1e\n", off);
}

// Prints the answer of every method for this question. Keeps the first answer.
static void ask(const lwModel* model, lwQuestion question, const lwStates* state, double* first)
{
  int asked    = 0;
  size_t count = lw_question_outputs(model, question);
  for (int i = 0; i < lw_method_count(); ++i)
  {
    double next[MOST * MOST], *x = asked ? next : first;
    const lwMethod* method = lw_method(i);
    lwWorkspaceDef def     = lw_workspace_def();
    lwWorkspace* ws        = NULL;
    if (method->question != question) continue;
    if (question == LW_QUESTION_INVERSE) def.inverse = method->name;
    if (question == LW_QUESTION_INERTIA) def.inertia = method->name;
    if (question == LW_QUESTION_FORWARD) def.forward = method->name;
    if (lw_workspace_create(model, &def, NULL, &ws) != LW_OK) continue;
    lw_answer(model, ws, question, state, x);
    lw_workspace_destroy(ws);
    if (!asked) print_rows(method->name, x, (int)count / n);
    if (asked)
      print(method->name, question == LW_QUESTION_INERTIA ? NULL : x), compare(x, first, count);
    ++asked;
  }
}
