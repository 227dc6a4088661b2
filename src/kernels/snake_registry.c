// SPDX-License-Identifier: MIT
// The methods that answer about snakes.
#include "kernels/registry.h"
#include "linkwork/snake.h"

#define SNAKE(id, name, aliases, source, order, ...)                                               \
  {LW_QUESTION_SNAKE, name, aliases, source, order, __VA_ARGS__},

static const lwMethod methods[LW_SNAKE_METHOD_COUNT] = {LW_SNAKE_METHODS(SNAKE)};

int lw_snake_method_count(void)
{
  return LW_SNAKE_METHOD_COUNT;
}

const lwMethod* lw_snake_method(int i)
{
  return &methods[i];
}

int lw_snake_method_find(const char* name)
{
  for (int i = 0; i < LW_SNAKE_METHOD_COUNT; ++i)
    if (lw_method_is(&methods[i], name)) return i;
  return -1;
}
