// SPDX-License-Identifier: MIT
// linkwork prove: checks the formulations of one robot, one snake or many random structures as
// exact identities.
//
//   ROBOT, --dof N    one structure    --lw_proof_create()--> identities --> table
//   --random K        K structures     --lw_proof_create()--> the worst of each identity --> table
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "io/note.h"
#include "io/progress.h"
#include "linkwork/loop.h"
#include "snake/snake_command.h"

enum
{
  MAX_DOF        = 100,
  MAX_POINTS     = 1000,
  MAX_STRUCTURES = 100000,
  MAX_SEED       = 2147483647
};

// An identity over all structures.
typedef struct Proven
{
  lwIdentity identity;  // points: of all structures; degree and probability: the largest
  int structure;        // the first for which it does not hold, counted from 0, or -1
} Proven;

typedef struct Proofs
{
  const Options* options;
  lwFormat format;
  const char* name;  // of the robot or the snake; NULL: random structures
  int moving;        // joints of the robot, or links of the snake
  bool snake;
  lwProofDef def;
  int structures;
  int count;       // of identities
  Proven* proven;  // (count)
} Proofs;

enum
{
  MOST_RANDOM_JOINTS = 8
};

// --- random structures: their numbers do not matter, a proof replaces them

// One of three joints is prismatic; in a tree every third joint stands on any joint before,
// not on the last.
static void random_joint(lwRandom* random, bool tree, int i, lwJointDef* joint)
{
  bool branch      = tree && i > 0 && lw_random_bits(random) % 3 == 0;
  joint->type      = lw_random_bits(random) % 3 ? LW_JOINT_REVOLUTE : LW_JOINT_PRISMATIC;
  joint->parent    = branch ? (int)(lw_random_bits(random) % (uint64_t)(i + 1)) - 1 : i - 1;
  joint->alpha     = lw_random_between(random, -1.5, 1.5);
  joint->a         = lw_random_between(random, 0.1, 0.5);
  joint->d         = lw_random_between(random, 0.1, 0.5);
  joint->link.mass = lw_random_between(random, 1, 2);
  for (int k = 0; k < 3; ++k) joint->link.inertia[k] = lw_random_between(random, 0.1, 0.15);
}

// Structure k of a seed: a chain or a tree of 1 to MOST_RANDOM_JOINTS joints, revolute or
// prismatic.
static lwModel* structure_make(unsigned long long seed, int k)
{
  lwRandom random = {seed * 0x9E3779B97F4A7C15u + (uint64_t)k};
  lwJointDef joints[MOST_RANDOM_JOINTS];
  char names[MOST_RANDOM_JOINTS][16];
  int n     = 1 + (int)(lw_random_bits(&random) % MOST_RANDOM_JOINTS);
  bool tree = lw_random_bits(&random) % 2;
  for (int i = 0; i < n; ++i)
  {
    snprintf(names[i], sizeof names[i], "joint %d", i + 1);
    joints[i]      = lw_joint_def();
    joints[i].name = names[i];
    random_joint(&random, tree, i, &joints[i]);
  }
  lwRobotDef robot = lw_robot_def();
  robot.name       = "random structure";
  robot.count      = n;
  robot.joints     = joints;
  lwModel* model   = NULL;
  need_ok(lw_model_create(&robot, NULL, NULL, &model));
  return hold_model(model);
}

// "joint 1 revolute on the base, joint 2 prismatic on 1, .."
static void structure_text(const lwModel* model, char* text, size_t size)
{
  const lwRobotDef* robot = lw_model_robot(model);
  text[0]                 = 0;
  for (int i = 0; i < robot->count; ++i)
  {
    char joint[64], on[16] = "the base";
    int parent = robot->joints[i].parent;
    if (parent != LW_BASE) snprintf(on, sizeof on, "%d", parent + 1);
    snprintf(joint, sizeof joint, "joint %d %s on %s", i + 1,
             robot->joints[i].type == LW_JOINT_PRISMATIC ? "prismatic" : "revolute", on);
    lw_text_append(text, size, i > 0 ? ", " : "", joint);
  }
}

// --- the identities as people and programs read them

static const char COLUMNS[] =
    "about,left,right,points,degree,probability,holds,structure,witness,entry";

static lwCell cell_ordinal(int i)
{
  return i < 0 ? lw_cell_text(NULL) : lw_cell_number(i + 1);
}

static void proven_row(const void* context, int i, lwCell* cells)
{
  const Proofs* proofs       = context;
  const Proven* proven       = &proofs->proven[i];
  const lwIdentity* identity = &proven->identity;
  cells[0]                   = lw_cell_text(identity->about);
  cells[1]                   = lw_cell_text(identity->left);
  cells[2]                   = lw_cell_text(identity->right);
  cells[3]                   = lw_cell_number(identity->points);
  cells[4]                   = lw_cell_number(identity->degree);
  cells[5]                   = lw_cell_number(identity->probability);
  cells[6]                   = lw_cell_flag(identity->holds);
  cells[7]                   = cell_ordinal(proven->structure);
  cells[8]                   = cell_ordinal(identity->witness);
  cells[9]                   = cell_ordinal(identity->entry);
}

// Where to look: the seed and the number of the point determine it.
static void report_witness(const Proofs* proofs, const Proven* proven)
{
  const lwIdentity* identity = &proven->identity;
  char structure[640]        = "";
  if (!proofs->name)
    structure_text(structure_make(proofs->def.seed, proven->structure), structure,
                   sizeof structure);
  fprintf(
      stderr,
      "linkwork: %s: %s is not %s: seed %llu, point %d, entry %d of %d; of a true identity this "
      "cannot be\n",
      identity->about, identity->left, identity->right, proofs->def.seed, identity->witness + 1,
      identity->entry + 1, identity->entries);
  if (structure[0]) say("linkwork: structure %d: %s\n", proven->structure + 1, structure);
}

// Writes the table; NO if an identity does not hold.
static int proofs_print(const Proofs* proofs)
{
  int failed    = 0;
  lwOut* out    = output_of(proofs->options);
  bool table    = proofs->format == LW_FORMAT_TABLE;
  lwSheet sheet = {.columns = COLUMNS,
                   .most    = table ? 7 : 0,  // the witness stands below
                   .rows    = proofs->count,
                   .row     = proven_row,
                   .context = proofs};
  for (int i = 0; i < proofs->count; ++i) failed += !proofs->proven[i].identity.holds;
  if (table && proofs->name)
    lw_out_format(out, "%s, %d %s: its structure, with unknowns for its numbers\n", proofs->name,
                  proofs->moving, proofs->snake ? "links" : "moving joints");
  else if (table)
    lw_out_format(out, "%d random structures of 1 to %d joints, seed %llu\n", proofs->structures,
                  MOST_RANDOM_JOINTS, proofs->def.seed);
  lw_sheet_write(out, proofs->format, &sheet);
  if (table && failed == 0)
    lw_out_format(out,
                  "all %d identities hold; probability: that a false one was overlooked. Proven "
                  "are the formulas, not their rounding.\n",
                  proofs->count);
  for (int i = 0; i < proofs->count; ++i)
    if (!proofs->proven[i].identity.holds) report_witness(proofs, &proofs->proven[i]);
  return output_end(out, failed == 0 ? DONE : NO);
}

// --- the proofs

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

// The heading of wheels and discs needs a root.
static void check_rational(const lwRobotDef* robot)
{
  for (int k = 0; k < robot->loop_count; ++k)
    if (robot->loops[k].type == LW_LOOP_WHEEL || robot->loops[k].type == LW_LOOP_DISC)
      stop(USAGE,
           "%s: proofs are about rational functions, and the heading of '%s', which rolls, needs a "
           "root",
           robot->name, robot->loops[k].name);
}

static void prove_model(Proofs* proofs, const lwModel* model)
{
  int moving = moving_joints(lw_model_robot(model));
  if (moving > MAX_DOF)
    stop(USAGE, "%s: %d moving joints are too many, at most %d can be proven", lw_model_name(model),
         moving, MAX_DOF);
  check_rational(lw_model_robot(model));
  lwProof* proof       = NULL;
  lwFormulations* made = NULL;
  lwDiag* diag         = hold_messages();
  if (lw_model_loop_count(model) > 0)
    need_made(lw_formulations_create(model, false, diag, &made), proofs->options->operand, diag);
  lw_formulations_destroy(made);
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
  lwModel* chain = NULL;
  int dof        = (int)integer_of(options, OPTION_DOF, 1, MAX_DOF, 0);
  int random     = (int)integer_of(options, OPTION_RANDOM, 1, MAX_STRUCTURES, 0);
  if ((options->operand != NULL) + (dof > 0) + (random > 0) != 1)
    stop(USAGE, "prove: give one of ROBOT, --dof N and --random K");
  if (dof > 0) need_ok(lw_model_create_generic(dof, &chain));
  if (random > 0)
    prove_random(&proofs, random);
  else if (dof > 0)
    prove_one(&proofs, hold_model(chain));
  else if (kind_is_snake(options->operand))
    prove_snake(&proofs, options);
  else
    prove_one(&proofs, robot_of(options));
  return proofs_print(&proofs);
}
