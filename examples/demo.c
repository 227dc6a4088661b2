// SPDX-License-Identifier: MIT
// The dynamics of a robot by every method there is, side by side, at one state.
//
//   inverse   tau = M(q) qdd + b(q, qd)          b = C qd + g, the bias; also
//             tau = M (qdd - qdd0)               qdd0: the accelerations without any torque
//   inertia   M e_j = tau(q, 0, e_j)             column j: a unit acceleration, weightless
//   forward   qdd = M^-1 (tau - b)               must give back the qdd that tau was made for
#include <math.h>
#include <stdio.h>

#include "linkwork/linkwork.h"
#include "linkwork/read.h"

enum { MOST = 8 };  // joints that fit a line

static const double q[MOST]   = {0.1, -0.8, 0.6, 0.3, 0.9, -0.4, 0.7, -0.2};   // rad, m
static const double qd[MOST]  = {0.5, -0.3, 0.8, 1.0, -0.6, 0.2, -0.9, 0.4};   // rad/s, m/s
static const double qdd[MOST] = {1.0, 0.5, -0.7, 0.4, 0.9, -1.2, 0.3, -0.8};   // rad/s^2, m/s^2
static int n;         // moving joints
static double worst;  // difference of any answer from the first of its kind, scaled

// One line: a name, values if any, and, given the first answer of the kind, the difference from it.
static void row(const char* name, const double* values, const double* first, const double* x, int count)
{
  double size = 1, difference = 0;
  printf("  %-24.24s", name);
  for (int i = 0; i < n; ++i) values ? printf("%9.4f", values[i]) : printf("%9s", "");
  for (int i = 0; first && i < count; ++i) size = fmax(size, fabs(first[i]));
  for (int i = 0; first && i < count; ++i)
    difference = fmax(difference, fabs(x[i] - first[i]) / size);
  first ? printf("  %8.1e\n", difference) : printf("\n");
  worst = fmax(worst, isnan(difference) ? INFINITY : difference);
}

// Every method of the registry that answers the question; the answer of the first is left in `first`.
static void ask_all(const lwModel* model, lwQuestion question, const lwStates* state, double* first)
{
  double next[MOST * MOST];
  int count = (int)lw_question_outputs(model, question);
  for (int i = 0, asked = 0; i < lw_method_count(); ++i)
  {
    lwWorkDef def   = lw_work_def();
    const char** by = question == LW_INVERSE ? &def.inverse : question == LW_INERTIA ? &def.inertia : &def.forward;
    double* out     = asked ? next : first;
    lwWork* work    = NULL;
    if (lw_method(i)->question != question) continue;
    *by = lw_method(i)->name;
    if (lw_work_create(model, &def, &work) != LW_OK) continue;
    lw_answer(model, work, question, state, out);
    for (int j = 0; !asked && question == LW_INERTIA && j < n; ++j)
      row(lw_model_robot(model)->joints[lw_model_joint(model, j)].name, first + j * n, NULL, NULL, 0);
    row(*by, question == LW_INERTIA ? NULL : out, asked++ ? first : NULL, out, count);
    lw_work_destroy(work);
  }
}
