// SPDX-License-Identifier: MIT
// The dynamics of a robot by every method there is, side by side, at one state.
//
//   inverse   tau = M(q) qdd + b(q, qd)    b = C qd + g, the bias
//             tau = M (qdd - qdd0)         qdd0: what the arm does without any torque
//   inertia   M e_j = tau(q, 0, e_j)       column j: a unit acceleration, weightless
//   forward   qdd = M^-1 (tau - b)         gives back the qdd that tau was made for
#include <math.h>
#include <stdio.h>

#include "linkwork/linkwork.h"
#include "linkwork/read.h"

#define MOST 7  // joints that fit a line
static double q[MOST] = {0.1, -0.8, 0.6, 0.3, 0.9, -0.4, 0.7}, qd[MOST] = {0.5, -0.3, 0.8, 1.0, -0.6, 0.2, -0.9};
static double qdd[MOST] = {1.0, 0.5, -0.7, 0.4, 0.9, -1.2, 0.3}, tau[MOST], M[MOST * MOST];
static double bias[MOST], qdd0[MOST], x[MOST * MOST], worst;
static int n;

// A line with a name and values, and how far x is off the first answer, relative to the size of that.
static void line(const char* name, const double* values, const double* first, int count)
{
  double size = 1, off = 0;
  printf("\n  %-23s", name);
  for (int i = 0; i < n && values; ++i) printf("%*.4f", n < 7 ? 11 : 9, values[i]);
  for (int i = 0; i < count; ++i) size = fmax(size, fabs(first[i]));
  for (int i = 0; i < count; ++i) off = fmax(off, fabs(x[i] - first[i]) / size);
  if (count > 0) printf("%9.1e", off);
  worst = fmax(worst, off);
}

// Every method of the registry that answers the question.
static void ask(const lwModel* model, lwQuestion question, const lwStates* state, double* first)
{
  int asked = 0, count = (int)lw_question_outputs(model, question);
  for (int i = 0; i < lw_method_count(); ++i)
  {
    const char* name = lw_method(i)->name;
    lwWorkDef def    = lw_work_def();
    lwWork* work     = NULL;
    if (lw_method(i)->question != question) continue;
    if (question == LW_INVERSE) def.inverse = name;
    if (question == LW_INERTIA) def.inertia = name;
    if (question == LW_FORWARD) def.forward = name;
    lw_work_create(model, &def, &work);
    lw_answer(model, work, question, state, x);
    for (int k = 0; k < count && !asked; ++k) first[k] = x[k];
    line(name, question == LW_INERTIA ? NULL : x, first, count);
    lw_work_destroy(work);
    ++asked;
  }
}

static void multiply(const double* v, const double* v0, const double* add)  // x = M (v - v0) + add
{
  for (int i = 0; i < n; ++i)
  {
    x[i] = add ? add[i] : 0;
    for (int j = 0; j < n; ++j) x[i] += M[i * n + j] * (v[j] - (v0 ? v0[j] : 0));
  }
}
