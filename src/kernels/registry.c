// SPDX-License-Identifier: MIT
// The registry: questions, and the methods that answer them.
#include "kernels/registry.h"

#include <string.h>

#define INVERSE(id, name, aliases, source, order, ...)                                             \
  {LW_QUESTION_INVERSE, name, aliases, source, order, __VA_ARGS__},
#define INERTIA(id, name, aliases, source, order, ...)                                             \
  {LW_QUESTION_INERTIA, name, aliases, source, order, __VA_ARGS__},
#define FORWARD(id, name, aliases, source, order, ...)                                             \
  {LW_QUESTION_FORWARD, name, aliases, source, order, __VA_ARGS__},
#define THROUGH(id, name, aliases, source, order, ...)                                             \
  {LW_QUESTION_FORWARD,                                                                            \
   name,                                                                                           \
   aliases,                                                                                        \
   source "; L^T D L: Featherstone 2008, tables 6.3-6.5",                                          \
   "n^3",                                                                                          \
   LW_PRINTED_THROUGH_##id},

#define SLOPES(id, name, aliases, source, order, ...)                                              \
  {LW_QUESTION_INVERSE_DERIVATIVES, name, aliases, source, order, __VA_ARGS__},
#define FORWARD_SLOPES(id, name, aliases, source, order, ...)                                      \
  {LW_QUESTION_FORWARD_DERIVATIVES,                                                                \
   name,                                                                                           \
   aliases,                                                                                        \
   source "; L^T D L: Featherstone 2008, tables 6.3-6.5",                                          \
   "n^3",                                                                                          \
   LW_NOT_PRINTED},
#define FURTHER(id, name, aliases, source, order, printed, question)                               \
  {question, name, aliases, source, order, printed},

static const lwMethod methods[LW_METHOD_COUNT] = {
    LW_INVERSE_METHODS(INVERSE) LW_INERTIA_METHODS(INERTIA) LW_FORWARD_METHODS(FORWARD)
        LW_INERTIA_METHODS(THROUGH) LW_DERIVATIVE_METHODS(SLOPES)
            LW_DERIVATIVE_METHODS(FORWARD_SLOPES) LW_FURTHER_METHODS(FURTHER)};

enum
{
  STATE = LW_INPUT_Q | LW_INPUT_QD
};

static const lwQuestionInfo questions[LW_QUESTION_COUNT + 1] = {
    [LW_QUESTION_INVERSE]  = {"inverse", "tau", STATE | LW_INPUT_QDD | LW_INPUT_WRENCH, "N m | N",
                              "torques that a motion needs"},
    [LW_QUESTION_FORWARD]  = {"forward", "qdd", STATE | LW_INPUT_TAU | LW_INPUT_WRENCH,
                              "rad/s^2 | m/s^2", "accelerations that torques cause"},
    [LW_QUESTION_INERTIA]  = {"inertia", "M", LW_INPUT_Q, "kg m^2 | kg | kg m",
                              "the inertia matrix"},
    [LW_QUESTION_BIAS]     = {"bias", "b", STATE, "N m | N", "torques of velocity and gravity"},
    [LW_QUESTION_GRAVITY]  = {"gravity", "g", LW_INPUT_Q, "N m | N",
                              "torques that hold the arm at rest"},
    [LW_QUESTION_CORIOLIS] = {"coriolis", "c", STATE, "N m | N", "torques of velocity alone"},
    [LW_QUESTION_ENERGY]   = {"energy", "", STATE, "J", "kinetic and potential energy"},
    [LW_QUESTION_POSE] = {"pose", "", LW_INPUT_Q, "m", "pose of the last link in the base frame"},
    [LW_QUESTION_JACOBIAN]  = {"jacobian", "J", LW_INPUT_Q, "m | 1",
                               "Jacobian of the last link in the base frame"},
    [LW_QUESTION_REACTIONS] = {"reactions", "", STATE | LW_INPUT_QDD | LW_INPUT_WRENCH, "N | N m",
                               "force and moment that every joint transmits"},
    [LW_QUESTION_GIBBS]     = {"gibbs", "H", STATE | LW_INPUT_QDD, "J/s^2 | kg m^2 | kg | kg m",
                               "the Gibbs function and its Hessian in the accelerations"},
    [LW_QUESTION_INVERSE_DERIVATIVES] = {"inverse-derivatives", "dtau",
                                         STATE | LW_INPUT_QDD | LW_INPUT_WRENCH,
                                         "N m/rad | N m s/rad | N | N/m | N s | N s/m",
                                         "derivatives of torques by positions and velocities"},
    [LW_QUESTION_FORWARD_DERIVATIVES] =
        {"forward-derivatives", "dqdd", STATE | LW_INPUT_TAU | LW_INPUT_WRENCH,
         "1/s^2 | 1/s | 1/(kg m^2) | 1/(kg m) | 1/kg | m/s^2 | m/s | 1/(m s^2) | 1/(m s)",
         "derivatives of accelerations by positions, velocities and torques"},
    [LW_QUESTION_INERTIA_INVERSE] = {"inertia-inverse", "W", LW_INPUT_Q,
                                     "1/(kg m^2) | 1/kg | 1/(kg m)",
                                     "the inverse of the inertia matrix"},
    [LW_QUESTION_CORIOLIS_MATRIX] = {"coriolis-matrix", "C", STATE, "kg m^2/s | kg/s | kg m/s",
                                     "the Coriolis matrix of Christoffel's symbols"},
    [LW_QUESTION_CENTROIDAL]      = {"centroidal", "", STATE | LW_INPUT_QDD,
                                     "m | kg m/s | kg m^2/s | N | N m",
                                     "centre of mass, momentum about it and its rate"},
    [LW_QUESTION_JACOBIAN_RATE]   = {"jacobian-rate", "", STATE, "m/s | rad/s | m/s^2 | rad/s^2",
                                     "velocity of the last link, and dJ/dt qd of its Jacobian"},
    [LW_QUESTION_REGRESSOR] = {"regressor", "Y", STATE | LW_INPUT_QDD, "m/s^2 | 1/s^2 | m^2/s^2",
                               "torques as a linear function of the links' mass parameters"},
    [LW_QUESTION_SNAKE]     = {"snake", "udot", 0, "m/s^2 | rad/s^2",
                               "accelerations of a snake on wheels"},
};

const lwQuestionInfo* lw_question_info(lwQuestion question)
{
  return &questions[question];
}

bool lw_question_takes(const lwModel* model, lwQuestion question)
{
  switch (question)
  {
    case LW_QUESTION_INVERSE_DERIVATIVES:
    case LW_QUESTION_FORWARD_DERIVATIVES:
    case LW_QUESTION_CORIOLIS_MATRIX:
      return model->ball_count == 0;
    default:
      return true;
  }
}

int lw_method_count(void)
{
  return LW_METHOD_COUNT;
}

const lwMethod* lw_method(int i)
{
  return &methods[i];
}

bool lw_method_is(const lwMethod* method, const char* name)
{
  for (const char* const* alias = method->aliases; *alias; ++alias)
    if (!strcmp(*alias, name)) return true;
  return !strcmp(method->name, name);
}

int lw_method_find(lwQuestion question, const char* name)
{
  for (int i = 0; i < LW_METHOD_COUNT; ++i)
    if (methods[i].question == question && lw_method_is(&methods[i], name)) return i;
  return -1;
}

// From this many joints on a method is faster than composite bodies, measured on generic chains:
// `linkwork bench --crossover`, and `linkwork bench --question inertia --dof 16,20,24,28`.
enum
{
  GROUPED_FROM      = 2,  // faster than newton-euler
  ARTICULATED_FROM  = 2,
  COMMON_FRAME_FROM = 24
};

// Trees keep composite bodies: the common frame is as accurate for one branch only.
static const char* auto_inertia(const lwModel* model)
{
  return model->chain && model->n >= COMMON_FRAME_FROM ? "common-frame" : "composite-body";
}

static const char* auto_inverse(const lwModel* model)
{
  return model->n < GROUPED_FROM ? "newton-euler" : "newton-euler-grouped";
}

// Articulated bodies cannot couple mimic joints and screws.
static const char* auto_forward(const lwModel* model)
{
  bool whole = model->coupled || model->n < ARTICULATED_FROM;
  return whole ? auto_inertia(model) : "articulated-body";
}

const char* lw_method_auto(const lwModel* model, lwQuestion question)
{
  switch (question)
  {
    case LW_QUESTION_INVERSE:
    case LW_QUESTION_BIAS:
    case LW_QUESTION_CORIOLIS:
      return auto_inverse(model);
    case LW_QUESTION_GRAVITY:
      return "newton-euler";  // which has a kernel of its own for it
    case LW_QUESTION_INERTIA:
      return auto_inertia(model);
    case LW_QUESTION_FORWARD:
      return auto_forward(model);
    default:
      return NULL;
  }
}

// Joints side by side are padded to whole vectors of at most this many.
enum
{
  MOST_BESIDE = 16
};

size_t lw_kernel_bytes(const lwKernel* kernel, int n)
{
  size_t joints = (size_t)n + 1;
  size_t beside = (joints + MOST_BESIDE - 1) / MOST_BESIDE * MOST_BESIDE;
  size_t most   = 0;
  for (int k = 0; k < 4; ++k)
  {
    size_t bytes = kernel->uses[k] ? lw_kernel_bytes(kernel->uses[k], n) : 0;
    if (bytes > most) most = bytes;
  }
  return lw_lines(beside, kernel->per_joint) + lw_lines(joints * joints, kernel->per_pair) + most;
}
