// SPDX-License-Identifier: MIT
// linkwork prove: what is to be proven, and all proofs of it.
#include "prove_command.h"

#include <math.h>

#include "command/file_kind.h"
#include "io/note.h"
#include "io/progress.h"
#include "snake/snake_command.h"

enum
{
  MAX_DOF        = 100,
  MAX_POINTS     = 1000,
  MAX_STRUCTURES = 100000,
  MAX_SEED       = 2147483647
};

// Adds an identity of one more structure: the worst of all is kept, and the first witness.
static void add_identity(Proven* proven, const lwIdentity* next, int structure)
{
  lwIdentity* worst = &proven->identity;
  if (proven->structure < 0 && !next->holds)
  {
    proven->structure = structure;
    worst->holds      = false;
    worst->witness    = next->witness;
    worst->entry      = next->entry;
  }
  worst->points += next->points;
  worst->entries     = next->entries > worst->entries ? next->entries : worst->entries;
  worst->degree      = fmax(worst->degree, next->degree);
  worst->probability = fmax(worst->probability, next->probability);
}

// All structures have the same list of identities.
// Its texts are the library's own and outlive the proof.
static void add_proof(Proofs* proofs, lwProof* proof)
{
  hold_proof(proof);
  if (!proofs->proven)
  {
    proofs->count  = lw_proof_count(proof);
    proofs->proven = allocate((size_t)proofs->count, sizeof *proofs->proven);
    for (int i = 0; i < proofs->count; ++i)
    {
      const lwIdentity* first = lw_proof_identity(proof, i);
      proofs->proven[i]       = (Proven){.identity  = {.about   = first->about,
                                                       .left    = first->left,
                                                       .right   = first->right,
                                                       .holds   = true,
                                                       .witness = -1,
                                                       .entry   = -1},
                                         .structure = -1};
    }
  }
  for (int i = 0; i < proofs->count; ++i)
    add_identity(&proofs->proven[i], lw_proof_identity(proof, i), proofs->structures);
  ++proofs->structures;
  unhold(proof);
  lw_proof_destroy(proof);
}

// --- what is to be proven

static int moving_joints(const lwRobotDef* robot)
{
  int moving = 0;
  for (int i = 0; i < robot->count; ++i) moving += robot->joints[i].type != LW_JOINT_FIXED;
  return moving;
}

static void prove_model(Proofs* proofs, const lwModel* model)
{
  int moving = moving_joints(lw_model_robot(model));
  if (moving > MAX_DOF)
    stop(USAGE, "%s: %d moving joints are too many, at most %d can be proven", lw_model_name(model),
         moving, MAX_DOF);
  lwProof* proof = NULL;
  if (proofs->name) progress_wait("evaluating all methods for %s", proofs->name);
  need_ok(lw_proof_create(model, &proofs->def, &proof));
  add_proof(proofs, proof);
}

static void prove_random(Proofs* proofs, int count)
{
  for (int k = 0; k < count; ++k)
  {
    progress_show((double)k / count, "structure %d of %d", k + 1, count);
    lwModel* model = structure_make(proofs->def.seed, k);
    prove_model(proofs, model);
    unhold(model);
    lw_model_destroy(model);
  }
}

static void prove_one(Proofs* proofs, const lwModel* model)
{
  proofs->name   = lw_model_name(model);
  proofs->moving = moving_joints(lw_model_robot(model));
  if (lw_model_dof(model) < proofs->moving)
    note("%s: joints that mimic others count as independent ones", proofs->options->operand);
  prove_model(proofs, model);
}

static void prove_chain(Proofs* proofs, int n)
{
  lwModel* model;
  need_ok(lw_model_create_generic(n, &model));
  prove_one(proofs, hold_model(model));
}

static void prove_snake(Proofs* proofs, const Options* options)
{
  const lwSnake* snake = snake_of(options);
  lwProof* proof       = NULL;
  proofs->name         = lw_snake_name(snake);
  proofs->moving       = lw_snake_count(snake);
  proofs->snake        = true;
  if (proofs->moving > MAX_DOF)
    stop(USAGE, "%s: %d links are too many, at most %d can be proven", options->operand,
         proofs->moving, MAX_DOF);
  need_ok(lw_proof_create_snake(snake, &proofs->def, &proof));
  add_proof(proofs, proof);
}

int cmd_prove(const Options* options)
{
  Proofs proofs     = {.options = options, .def = lw_proof_def(), .format = format_of(options)};
  proofs.def.points = (int)integer_of(options, OPTION_POINTS, 1, MAX_POINTS, proofs.def.points);
  proofs.def.seed =
      (unsigned long long)integer_of(options, OPTION_SEED, 0, MAX_SEED, (long)proofs.def.seed);
  int dof    = (int)integer_of(options, OPTION_DOF, 1, MAX_DOF, 0);
  int random = (int)integer_of(options, OPTION_RANDOM, 1, MAX_STRUCTURES, 0);
  if ((options->operand != NULL) + (dof > 0) + (random > 0) != 1)
    stop(USAGE, "prove: give one of ROBOT, --dof N and --random K");
  if (random > 0)
    prove_random(&proofs, random);
  else if (dof > 0)
    prove_chain(&proofs, dof);
  else if (kind_is_snake(options->operand))
    prove_snake(&proofs, options);
  else
    prove_one(&proofs, robot_of(options));
  return proofs_print(&proofs);
}
