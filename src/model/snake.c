// SPDX-License-Identifier: MIT
// Snakes: from a checked description to an immutable snake.
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/elementary.h"
#include "model/snake_internal.h"

#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/random.h"

typedef lwSnakePart64 Part;
#include "model/snake_derived.h"

lwSnakeLink lw_snake_link(void)
{
  return (lwSnakeLink){.friction_limit = INFINITY, .lower = -INFINITY, .upper = INFINITY};
}

lwSnakeDef lw_snake_def(void)
{
  return (lwSnakeDef){.name = "snake", .cookie = LW_COOKIE};
}

// --- constants of the links

static lwSnakePart64 given_part(const lwSnakeLink* link)
{
  return (lwSnakePart64){.mass    = link->mass,
                         .inertia = link->inertia,
                         .half    = link->length / 2,
                         .offset  = link->wheel_offset};
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

// A force between links passes link k with the factor -rear/front forwards and
// -front/rear backwards. The direction is the one in which the largest product of
// neighbouring factors is smaller.
static bool better_from_tip(const lwSnakePart64* part, int n)
{
  double forwards = 0, backwards = 0, most_forwards = 0, most_backwards = 0;
  for (int k = 0; k < n; ++k)
  {
    double factor  = lw_log(part[k].rear * part[k].over_front);
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
         a->wheel_offset == b->wheel_offset && a->friction_limit == b->friction_limit &&
         a->lower == b->lower && a->upper == b->upper;
}

static bool build(lwSnake* snake)
{
  size_t n              = (size_t)snake->n;
  lwSnakePart64* part64 = lw_arena_take(&snake->arena, n, sizeof *part64);
  lwSnakePart32* part32 = lw_arena_take(&snake->arena, n, sizeof *part32);
  int* chain            = lw_arena_take(&snake->arena, n + 2, sizeof *chain);
  if (!part64 || !part32 || !chain) return false;
  for (int k = 0; k < snake->n; ++k) part64[k] = given_part(&snake->links[k]);
  snake->sums.mass = derive_parts(part64, snake->n);
  snake->uniform = snake->centred = true;
  for (int k = snake->n - 1; k >= 0; --k)
  {
    const lwSnakeLink* link = &snake->links[k];
    part32[k]               = narrow(&part64[k]);
    snake->sums.rolling += part64[k].rolling;
    snake->uniform &= snake_link_is_same(link, &snake->links[0]);
    snake->centred &= link->wheel_offset == 0;
  }
  for (int i = 0; i < snake->n + 2; ++i) chain[i] = i - 1;
  snake->sums32.mass    = (float)snake->sums.mass;
  snake->sums32.rolling = (float)snake->sums.rolling;
  snake->part64         = part64;
  snake->part32         = part32;
  snake->chain          = chain;
  snake->from_tip       = better_from_tip(part64, snake->n);
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
    if (links[k].lower == 0 && links[k].upper == 0)  // not given
    {
      links[k].lower = -INFINITY;
      links[k].upper = INFINITY;
    }
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
  lwSnake* made = lw_memory_zeros(1, sizeof *made);
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
  lw_memory_give(snake);
}

lwStatus lw_snake_create_generic(int n, lwSnake** snake)
{
  *snake = NULL;
  if (n < 2 || n > LW_MAX_SNAKE_LINKS) return LW_ERROR_INPUT;
  lwSnakeLink* links = lw_memory_zeros((size_t)n, sizeof *links);
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
  lwSnakeDef def  = lw_snake_def();
  def.name        = "generic snake";
  def.count       = n;
  def.links       = links;
  lwStatus status = lw_snake_create(&def, NULL, NULL, snake);
  lw_memory_give(links);
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
  points[0]   = x - half * lw_cos(theta[0]);
  points[1]   = y - half * lw_sin(theta[0]);
  for (int k = 0; k < snake->n; ++k)
  {
    double length     = snake->links[k].length;
    points[2 * k + 2] = points[2 * k] + length * lw_cos(theta[k]);
    points[2 * k + 3] = points[2 * k + 1] + length * lw_sin(theta[k]);
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

int lw_snake_find_beyond(const lwSnake* snake, const double* theta)
{
  for (int k = 0; k < snake->n - 1; ++k)
  {
    double phi = theta[k + 1] - theta[k];
    if (phi < snake->links[k].lower || phi > snake->links[k].upper) return k;
  }
  return -1;
}
