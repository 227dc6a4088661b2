// SPDX-License-Identifier: MIT
// Formulas of snakes over the integers modulo 2^61 - 1, against the kernels there.
#include "formula_prime.h"

#include "answer/scalar_snake.h"

static void give_snake(FormulaValues* values, const OwnSnake* own)
{
  formula_integer(values, "n", JOINTS);
  for (int i = 0; i < JOINTS; ++i)
  {
    formula_set(values, "m", i + 1, 0, scalar_value(own->parts[i].mass));
    formula_set(values, "I", i + 1, 0, scalar_value(own->parts[i].inertia));
    formula_set(values, "h", i + 1, 0, scalar_value(own->parts[i].half));
    if (i + 1 == JOINTS) break;
    REAL s, c;
    r_sincos(lw_prime_angle_difference(own->theta[i + 1], own->theta[i]), &s, &c);
    formula_set(values, "C", i + 1, 0, scalar_value(c));
    formula_set(values, "S", i + 1, 0, scalar_value(s));
    formula_set(values, "T", i + 1, 0, scalar_value(own->torque[i]));
  }
  for (int k = 0; k < 2; ++k) formula_set(values, "u", k + 1, 0, scalar_value(own->u[k]));
}

bool prime_snake(lwRandom* random, FormulaValues* values, FormulaFrames frames,
                 PrimeAnswers* answers)
{
  (void)frames;
  lwSnake* snake = NULL;
  if (lw_snake_create_generic(JOINTS, &snake) != LW_OK) return false;
  OwnSnake own = {.snake = *snake, .method = LW_KERNEL_snake_kane_linear};
  bool enough  = scalar_snake_memory(&own, lw_prime_variant());
  if (enough)
  {
    lwSnakeState state = {own.theta, own.u, own.torque};
    lwSnakeOut out;
    lw_prime_start(JOINTS);
    for (int k = 0; k < JOINTS; ++k)
      own.parts[k] = (Part){.mass    = lw_prime_random(random),
                            .inertia = lw_prime_random(random),
                            .half    = lw_prime_random(random)};
    scalar_snake_derive(&own);
    lw_prime_keep();
    random_numbers(random, own.theta, JOINTS);
    random_numbers(random, own.u, 2);
    random_numbers(random, own.torque, JOINTS - 1);
    for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k) out.to[k] = own.out[k];
    lw_prime_restart();
    lw_prime_variant()->snake[own.method]->run(&own.snake, own.scratch, &state, &out);
    memcpy(answers->ud, own.out[LW_SNAKE_OUT_UDOT], sizeof answers->ud);
    memcpy(answers->V, own.out[LW_SNAKE_OUT_V], sizeof answers->V);
    memcpy(answers->w, own.out[LW_SNAKE_OUT_OMEGA], sizeof answers->w);
    lw_prime_restart();
    give_snake(values, &own);
  }
  lw_arena_free(&own.arena);
  lw_snake_destroy(snake);
  return enough;
}
