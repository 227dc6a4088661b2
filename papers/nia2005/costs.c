// SPDX-License-Identifier: MIT
#include "costs.h"

#include <string.h>

static lwPolynomial fit_member(const lwCount counts[COSTS_SNAKES], size_t member)
{
  long values[COSTS_SNAKES];
  for (int i = 0; i < COSTS_SNAKES; ++i)
    memcpy(&values[i], (const char*)&counts[i] + member, sizeof values[i]);
  return lw_polynomial_fit(COSTS_FEWEST, COSTS_SNAKES, values);
}

Costs costs_fit(const lwCount counts[COSTS_SNAKES])
{
  return (Costs){fit_member(counts, offsetof(lwCount, mul)),
                 fit_member(counts, offsetof(lwCount, add)),
                 fit_member(counts, offsetof(lwCount, div))};
}

double costs_at(const lwPolynomial* polynomial, int n)
{
  double sum = 0;
  for (int k = polynomial->degree; k >= 0; --k) sum = sum * n + (double)polynomial->numerator[k];
  return sum / LW_POLYNOMIAL_DENOMINATOR;
}

void costs_powers(const lwPolynomial* polynomial, double powers[COSTS_POWERS])
{
  for (int k = 0; k < COSTS_POWERS; ++k)
    powers[COSTS_POWERS - 1 - k] = (double)polynomial->numerator[k] / LW_POLYNOMIAL_DENOMINATOR;
}

int costs_of_method(Page* page, const char* method, Costs* costs)
{
  lwCount counts[COSTS_SNAKES] = {{0}};
  int index                    = lw_snake_method_find(method);
  for (int i = 0; i < COSTS_SNAKES && page->status == DONE; ++i)
  {
    lwSnake* snake;
    if (page_check(page, lw_snake_create_generic(COSTS_FEWEST + i, &snake)) != DONE) break;
    page_check(page, lw_snake_method_measure(snake, index, &counts[i]));
    lw_snake_destroy(snake);
  }
  *costs = costs_fit(counts);
  return page->status;
}

int costs_of_steps(Page* page, Costs costs[STEP_COUNT])
{
  lwCount counts[STEP_COUNT][COSTS_SNAKES] = {{{0}}};
  for (int i = 0; i < COSTS_SNAKES && page->status == DONE; ++i)
  {
    lwSnake* snake;
    lwCount of_n[STEP_COUNT] = {{0}};
    if (page_check(page, lw_snake_create_generic(COSTS_FEWEST + i, &snake)) != DONE) break;
    page_check(page, steps_count(snake, of_n));
    for (int s = 0; s < STEP_COUNT; ++s) counts[s][i] = of_n[s];
    lw_snake_destroy(snake);
  }
  for (int s = 0; s < STEP_COUNT; ++s) costs[s] = costs_fit(counts[s]);
  return page->status;
}

static void add_to(lwPolynomial* sum, const lwPolynomial* more)
{
  if (more->degree > sum->degree) sum->degree = more->degree;
  if (more->from > sum->from) sum->from = more->from;
  for (int k = 0; k <= more->degree; ++k) sum->numerator[k] += more->numerator[k];
}

Costs costs_sum(const Costs* costs, int count)
{
  Costs sum = {{0}, {0}, {0}};
  for (int i = 0; i < count; ++i)
  {
    add_to(&sum.mul, &costs[i].mul);
    add_to(&sum.add, &costs[i].add);
    add_to(&sum.div, &costs[i].div);
  }
  return sum;
}
