// SPDX-License-Identifier: MIT
// Outboard inertia depends on the configuration of what is outboard, so it is looked at in a few arbitrary ones: an
// inertia that is zero by construction is zero in all of them, any other is zero in none.
#include "model/inert.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/random.h"
#include "model/transform.h"

enum
{
  CONFIGURATIONS = 3
};

// Rounding of the largest moment of the composite body; an inertia below is zero.
static const double ROUNDING = 1e-13;

static lwTransform place_of(const lwLink64* link, bool prismatic, double q)
{
  lwTransform gamma = lw_identity, alpha = lw_identity, theta;
  gamma.R[0][0] = gamma.R[1][1] = link->cos_gamma;
  gamma.R[1][0]                 = link->sin_gamma;
  gamma.R[0][1]                 = -link->sin_gamma;
  alpha.R[1][1] = alpha.R[2][2] = link->cos_alpha;
  alpha.R[2][1]                 = link->sin_alpha;
  alpha.R[1][2]                 = -link->sin_alpha;
  for (int i = 0; i < 3; ++i) gamma.p[i] = link->arm[i];
  theta = prismatic ? lw_screw_z(0, link->d + q) : lw_screw_z(q, link->d);
  alpha = lw_compose(&alpha, &theta);
  return lw_compose(&gamma, &alpha);
}

static bool resists(const lwInertial* body, bool prismatic)
{
  const double* I = body->inertia;
  return prismatic ? body->mass > 0 : I[2] > ROUNDING * (I[0] + I[1] + I[2]);
}

// Marks the joints that have something to move in one configuration.
static void mark(const lwModel* model, lwRandom* random, lwInertial* bodies, bool* moves_something)
{
  for (int i = 0; i < model->n; ++i)
  {
    const lwLink64* link = &model->link64[i];
    bodies[i]            = (lwInertial){.mass = link->mass};
    for (int k = 0; k < 3; ++k) bodies[i].moment[k] = link->moment[k];
    for (int k = 0; k < 6; ++k) bodies[i].inertia[k] = link->inertia[k];
  }
  for (int i = model->n - 1; i >= 0; --i)
  {
    bool prismatic = model->kind[i] & LW_JOINT_PRISMATIC;
    if (resists(&bodies[i], prismatic)) moves_something[i] = true;
    if (model->parent[i] == LW_BASE) continue;
    lwTransform place =
        place_of(&model->link64[i], prismatic, lw_random_between(random, -1.5, 1.5));
    lwInertial moved = lw_inertial_move(&bodies[i], &place);
    lw_inertial_add(&bodies[model->parent[i]], &moved);
  }
}

int lw_model_find_inert(const lwModel* model)
{
  lwRandom random       = {1};
  int found             = LW_NO_INERT_JOINT;
  lwArena temporary     = {0};
  lwInertial* bodies    = lw_arena_take(&temporary, (size_t)model->n, sizeof *bodies);
  bool* moves_something = lw_arena_take(&temporary, (size_t)model->n, sizeof *moves_something);
  if (bodies && moves_something)
  {
    for (int k = 0; k < CONFIGURATIONS; ++k) mark(model, &random, bodies, moves_something);
    for (int i = model->n - 1; i >= 0; --i)
      if (!moves_something[i]) found = i;
  }
  else
    found = LW_INERT_NO_MEMORY;
  lw_arena_free(&temporary);
  return found;
}
