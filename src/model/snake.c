// SPDX-License-Identifier: MIT
// Snakes: from a checked description to an immutable snake.
#include "model/snake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

lwSnakeLink lw_snake_link(void)
{
  return (lwSnakeLink){.friction_limit = INFINITY};
}

lwSnakeDef lw_snake_def(void)
{
  return (lwSnakeDef){.name = "snake"};
}

// --- constants of the links

// What depends on link k alone.
static lwSnakePart64 own_part(const lwSnakeLink* link)
{
  lwSnakePart64 part = {.mass    = link->mass,
                        .inertia = link->inertia,
                        .half    = link->length / 2,
                        .offset  = link->wheel_offset};
  part.first_moment  = part.mass * part.offset;
  part.axle_inertia  = part.inertia + part.first_moment * part.offset;
  part.front         = part.half - part.offset;
  part.rear          = part.half + part.offset;
  part.over_front    = 1 / part.front;
  part.over_rear     = 1 / part.rear;
  part.rolling       = part.axle_inertia * part.over_rear * part.over_rear;
  part.mass_less_J   = part.mass - part.rolling;
  return part;
}

// What depends on the mass ahead of it, and on whether x and y are in its middle (link 1).
static void carried_part(lwSnakePart64* part, bool first, double mass_ahead)
{
  double arm    = first ? 0 : part->half;
  part->reach   = arm + part->half;
  part->carried = arm * part->mass + part->reach * mass_ahead;
  part->own     = part->inertia + arm * arm * part->mass + part->reach * part->reach * mass_ahead;
  part->ahead   = part->mass + mass_ahead;
  part->ahead_share   = mass_ahead / part->ahead;
  part->ahead_reduced = part->mass * part->ahead_share;
}

static lwSnakePart32 narrow(const lwSnakePart64* part)
{
  double wide[sizeof *part / sizeof(double)];
  float narrowed[sizeof(lwSnakePart32) / sizeof(float)];
  memcpy(wide, part, sizeof wide);
  for (size_t i = 0; i < sizeof wide / sizeof *wide; ++i) narrowed[i] = (float)wide[i];
  lwSnakePart32 out;
  memcpy(&out, narrowed, sizeof out);
  return out;
}

// A force between links passes link k with the factor -rear/front forwards and -front/rear backwards. The direction is
// the one in which the largest product of neighbouring factors is smaller.
static bool better_from_tip(const lwSnakePart64* part, int n)
{
  double forwards = 0, backwards = 0, most_forwards = 0, most_backwards = 0;
  for (int k = 0; k < n; ++k)
  {
    double factor  = log(part[k].rear * part[k].over_front);
    forwards       = fmax(0, forwards + factor);
    backwards      = fmax(0, backwards - factor);
    most_forwards  = fmax(most_forwards, forwards);
    most_backwards = fmax(most_backwards, backwards);
  }
  return most_forwards > most_backwards;
}

static bool snake_link_is_same(const lwSnakeLink* a, const lwSnakeLink* b)
{
  return a->length == b->length && a->mass == b->mass && a->inertia == b->inertia &&
         a->wheel_offset == b->wheel_offset && a->friction_limit == b->friction_limit;
}

static bool build(lwSnake* snake)
{
  size_t n              = (size_t)snake->n;
  lwSnakePart64* part64 = lw_arena_take(&snake->arena, n, sizeof *part64);
  lwSnakePart32* part32 = lw_arena_take(&snake->arena, n, sizeof *part32);
  int* chain            = lw_arena_take(&snake->arena, n + 2, sizeof *chain);
  if (!part64 || !part32 || !chain) return false;
  double ahead   = 0;
  snake->uniform = snake->centred = true;
  for (int k = snake->n - 1; k >= 0; --k)
  {
    const lwSnakeLink* link = &snake->links[k];
    part64[k]               = own_part(link);
    carried_part(&part64[k], k == 0, ahead);
    part32[k] = narrow(&part64[k]);
    ahead += link->mass;
    snake->sum_rolling += part64[k].rolling;
    snake->uniform &= snake_link_is_same(link, &snake->links[0]);
    snake->centred &= link->wheel_offset == 0;
  }
  for (int i = 0; i < snake->n + 2; ++i) chain[i] = i - 1;
  snake->sum_mass      = ahead;
  snake->sum_mass32    = (float)ahead;
  snake->sum_rolling32 = (float)snake->sum_rolling;
  snake->part64        = part64;
  snake->part32        = part32;
  snake->chain         = chain;
  snake->from_tip      = better_from_tip(part64, snake->n);
  return true;
}

// --- making one

static bool snake_copy(lwSnake* snake, const lwSnakeDef* def)
{
  const char* name   = def->name ? def->name : "snake";
  lwSnakeLink* links = lw_arena_take(&snake->arena, (size_t)def->count, sizeof *links);
  if (!links) return false;
  for (int k = 0; k < def->count; ++k)
  {
    links[k] = def->links[def->alike ? 0 : k];
    links[k].wheel_offset += 0.0;  // -0 is 0, so that alike links have the same bits
    links[k].inertia += 0.0;
  }
  snake->n     = def->count;
  snake->links = links;
  snake->name  = lw_arena_text(&snake->arena, name, strlen(name));
  if (def->origin) snake->origin = lw_arena_text(&snake->arena, def->origin, strlen(def->origin));
  return snake->name && (snake->origin || !def->origin);
}

lwStatus lw_snake_create(const lwSnakeDef* def, const lwLint* lint, lwDiag* diag, lwSnake** snake)
{
  *snake          = NULL;
  lwStatus status = lw_snake_validate(def, lint, diag);
  if (status != LW_OK) return status;
  lwSnake* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  if (snake_copy(made, def) && build(made))
  {
    *snake = made;
    return LW_OK;
  }
  lw_snake_destroy(made);
  return LW_ERROR_MEMORY;
}

void lw_snake_destroy(lwSnake* snake)
{
  if (!snake) return;
  lw_arena_free(&snake->arena);
  free(snake);
}

lwStatus lw_snake_create_generic(int n, lwSnake** snake)
{
  *snake = NULL;
  if (n < 2 || n > LW_MAX_SNAKE_LINKS) return LW_ERROR_INPUT;
  lwSnakeLink* links = malloc((size_t)n * sizeof *links);
  if (!links) return LW_ERROR_MEMORY;
  lwRandom random = {2005};
  for (int k = 0; k < n; ++k)
  {
    links[k]        = lw_snake_link();
    links[k].length = lw_random_between(&random, 0.15, 0.25);
    links[k].mass   = lw_random_between(&random, 0.7, 1.3);
    links[k].inertia =
        lw_random_between(&random, 0.08, 0.12) * links[k].mass * links[k].length * links[k].length;
  }
  lwSnakeDef def  = {.name = "generic snake", .count = n, .links = links};
  lwStatus status = lw_snake_create(&def, NULL, NULL, snake);
  free(links);
  return status;
}

// --- what it is

int lw_snake_count(const lwSnake* snake)
{
  return snake->n;
}

const char* lw_snake_name(const lwSnake* snake)
{
  return snake->name;
}

const char* lw_snake_origin(const lwSnake* snake)
{
  return snake->origin;
}

lwSnakeLink lw_snake_get(const lwSnake* snake, int k)
{
  return snake->links[k];
}

bool lw_snake_is_uniform(const lwSnake* snake)
{
  return snake->uniform;
}

double lw_snake_length(const lwSnake* snake)
{
  double sum = 0;
  for (int k = 0; k < snake->n; ++k) sum += snake->links[k].length;
  return sum;
}

void lw_snake_points(const lwSnake* snake, const double* theta, double x, double y, double* points)
{
  double half = snake->part64[0].half;
  points[0]   = x - half * cos(theta[0]);
  points[1]   = y - half * sin(theta[0]);
  for (int k = 0; k < snake->n; ++k)
  {
    double length     = snake->links[k].length;
    points[2 * k + 2] = points[2 * k] + length * cos(theta[k]);
    points[2 * k + 3] = points[2 * k + 1] + length * sin(theta[k]);
  }
}

int lw_snake_check_slip(const lwSnake* snake, const double* lambda, bool* slips)
{
  int count = 0;
  for (int k = 0; k < snake->n; ++k)
  {
    bool slip = !(fabs(lambda[k]) <= snake->links[k].friction_limit);
    if (slips) slips[k] = slip;
    count += slip;
  }
  return count;
}
