// SPDX-License-Identifier: MIT
// The registry: the methods that answer questions.
#include "kernels/registry.h"

#include <string.h>

#include "kernels/constrained/formulation.h"
#include "linkwork/loop.h"
#include "linkwork/snake.h"

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
   source "; L^T D L: Featherstone 2008, tables 6.3-6.5, from 25 joints on table 7.1, n^2",        \
   "n^3",                                                                                          \
   LW_NOT_PRINTED},
#define SNAKE(id, name, aliases, source, order, ...)                                               \
  {LW_QUESTION_SNAKE, name, aliases, source, order, __VA_ARGS__},
#define FURTHER(id, name, aliases, source, order, printed, question)                               \
  {question, name, aliases, source, order, printed},

static const lwMethod methods[LW_METHOD_COUNT] = {
    LW_INVERSE_METHODS(INVERSE) LW_INERTIA_METHODS(INERTIA) LW_FORWARD_METHODS(FORWARD)
        LW_INERTIA_METHODS(THROUGH) LW_DERIVATIVE_METHODS(SLOPES)
            LW_DERIVATIVE_METHODS(FORWARD_SLOPES) LW_FURTHER_METHODS(FURTHER)};

static const lwMethod snake_methods[LW_SNAKE_METHOD_COUNT] = {LW_SNAKE_METHODS(SNAKE)};

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

#define FORMULATION(id, name, aliases, source, order)                                              \
  {LW_QUESTION_FORWARD, name, aliases, source, order, LW_NOT_PRINTED},
static const lwMethod formulations[LW_FORMULATION_COUNT] = {LW_FORMULATIONS(FORMULATION)};

int lw_formulation_count(void)
{
  return LW_FORMULATION_COUNT;
}

const lwMethod* lw_formulation(int i)
{
  return &formulations[i];
}

bool lw_formulation_takes_redundant(int i)
{
  return !strcmp(formulations[i].name, "proximal");
}

int lw_snake_method_count(void)
{
  return LW_SNAKE_METHOD_COUNT;
}

const lwMethod* lw_snake_method(int i)
{
  return &snake_methods[i];
}

int lw_snake_method_find(const char* name)
{
  for (int i = 0; i < LW_SNAKE_METHOD_COUNT; ++i)
    if (lw_method_is(&snake_methods[i], name)) return i;
  return -1;
}

// Joints side by side are padded to whole vectors of at most this many.
enum
{
  MOST_BESIDE = 16
};

size_t lw_kernel_bytes(const lwKernel* kernel, int n)
{
  size_t joints   = (size_t)n + 1;
  size_t in_block = (joints + MOST_BESIDE - 1) / MOST_BESIDE * MOST_BESIDE;
  size_t most     = 0;
  for (int k = 0; k < 4; ++k)
  {
    size_t bytes = kernel->uses[k] ? lw_kernel_bytes(kernel->uses[k], n) : 0;
    if (bytes > most) most = bytes;
  }
  return lw_lines(in_block, kernel->per_joint) + lw_lines(joints * joints, kernel->per_pair) + most;
}
