// SPDX-License-Identifier: MIT
// linkwork prove: what is to be proven, and all proofs of it.
#include "prove_command.h"

#include <math.h>
#include <stdlib.h>

#include "check/check_command.h"
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

static int prove_no_memory(void)
{
  return no_memory();
}

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
static int add_proof(Proofs* proofs, lwProof* proof)
{
  if (!proofs->proven)
  {
    proofs->count  = lw_proof_count(proof);
    proofs->proven = calloc((size_t)proofs->count, sizeof *proofs->proven);
    for (int i = 0; proofs->proven && i < proofs->count; ++i)
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
  for (int i = 0; proofs->proven && i < proofs->count; ++i)
    add_identity(&proofs->proven[i], lw_proof_identity(proof, i), proofs->structures);
  ++proofs->structures;
  lw_proof_destroy(proof);
  return proofs->proven ? DONE : prove_no_memory();
}

// --- what is to be proven

static int moving_joints(const lwRobotDef* robot)
{
  int moving = 0;
  for (int i = 0; i < robot->count; ++i) moving += robot->joints[i].type != LW_JOINT_FIXED;
  return moving;
}

static int prove_model(Proofs* proofs, const lwModel* model)
{
  int moving = moving_joints(lw_model_robot(model));
  if (moving > MAX_DOF)
    return fail(INPUT, "%s: %d moving joints are too many, at most %d can be proven",
                lw_model_name(model), moving, MAX_DOF);
  lwProof* proof = NULL;
  if (proofs->name) progress_wait("evaluating all methods for %s", proofs->name);
  lwStatus status = lw_proof_create(model, &proofs->def, &proof);
  return status == LW_OK ? add_proof(proofs, proof) : fail(INPUT, "%s", lw_status_text(status));
}

static int prove_random(Proofs* proofs, int count)
{
  int status = DONE;
  for (int k = 0; k < count && status == DONE; ++k)
  {
    lwModel* model = NULL;
    progress_show((double)k / count, "structure %d of %d", k + 1, count);
    status = structure_make(proofs->def.seed, k, &model);
    if (status == DONE) status = prove_model(proofs, model);
    lw_model_destroy(model);
  }
  return status == DONE ? proofs_print(proofs) : status;
}

static int prove_chain(Proofs* proofs, int n)
{
  lwModel* model;
  lwStatus made = lw_model_create_generic(n, &model);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  proofs->name   = lw_model_name(model);
  proofs->moving = n;
  int status     = prove_model(proofs, model);
  if (status == DONE) status = proofs_print(proofs);
  lw_model_destroy(model);
  return status;
}

static int prove_robot(Proofs* proofs, const Options* options)
{
  lwModel* model = NULL;
  int status     = robot_load(options, options->operand, &model);
  if (status != DONE) return status;
  proofs->name   = lw_model_name(model);
  proofs->moving = moving_joints(lw_model_robot(model));
  if (lw_model_dof(model) < proofs->moving)
    note("%s: joints that mimic others count as independent ones", options->operand);
  status = prove_model(proofs, model);
  if (status == DONE) status = proofs_print(proofs);
  lw_model_destroy(model);
  return status;
}

static int prove_snake(Proofs* proofs, const Options* options)
{
  lwSnake* snake = NULL;
  lwProof* proof = NULL;
  int status     = snake_load(options, &snake);
  if (status != DONE) return status;
  proofs->name   = lw_snake_name(snake);
  proofs->moving = lw_snake_count(snake);
  proofs->snake  = true;
  if (proofs->moving > MAX_DOF)
    status = fail(INPUT, "%s: %d links are too many, at most %d can be proven", options->operand,
                  proofs->moving, MAX_DOF);
  lwStatus proven =
      status == DONE ? lw_proof_create_snake(snake, &proofs->def, &proof) : LW_ERROR_INPUT;
  if (status == DONE && proven != LW_OK) status = fail(INPUT, "%s", lw_status_text(proven));
  if (status == DONE) status = add_proof(proofs, proof);
  if (status == DONE) status = proofs_print(proofs);
  lw_snake_destroy(snake);
  return status;
}

// --- the command

static int read_prove_numbers(const Options* options, Proofs* proofs, long* dof, long* random)
{
  long points = proofs->def.points, seed = (long)proofs->def.seed;
  int status = check_integer(options, OPTION_POINTS, 1, MAX_POINTS, &points);
  if (status == DONE) status = check_integer(options, OPTION_SEED, 0, MAX_SEED, &seed);
  if (status == DONE) status = check_integer(options, OPTION_DOF, 1, MAX_DOF, dof);
  if (status == DONE) status = check_integer(options, OPTION_RANDOM, 1, MAX_STRUCTURES, random);
  proofs->def.points = (int)points;
  proofs->def.seed   = (unsigned long long)seed;
  return status;
}

static int prove_chosen(Proofs* proofs, const Options* options, int dof, int random)
{
  int chosen = (options->operand != NULL) + (dof > 0) + (random > 0);
  if (chosen != 1) return fail(USAGE, "prove: give one of ROBOT, --dof N and --random K");
  if (random > 0) return prove_random(proofs, random);
  if (dof > 0) return prove_chain(proofs, dof);
  return kind_is_snake(options->operand) ? prove_snake(proofs, options)
                                         : prove_robot(proofs, options);
}

int cmd_prove(const Command* command, const Options* options)
{
  (void)command;
  Proofs proofs = {.options = options, .def = lw_proof_def()};
  long dof = 0, random = 0;
  int status = format_choose(options, &proofs.format);
  if (status == DONE) status = read_prove_numbers(options, &proofs, &dof, &random);
  if (status == DONE) status = prove_chosen(&proofs, options, (int)dof, (int)random);
  free(proofs.proven);
  return status;
}
