// SPDX-License-Identifier: MIT
// linkwork prove: checks the formulations of one robot, one snake or many
// random structures as exact identities.
//
//   ROBOT, --dof N    one structure    --lw_proof_create()--> identities --> table
//   --random K        K structures     --lw_proof_create()--> the worst of each identity --> table
#ifndef APP_PROVE_PROVE_COMMAND_H
#define APP_PROVE_PROVE_COMMAND_H

#include "app.h"
#include "linkwork/proof.h"

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

// Structure k of a seed: a chain or a tree of 1 to MOST_RANDOM_JOINTS joints, revolute or
// prismatic.
lwModel* structure_make(unsigned long long seed, int k);

// "joint 1 revolute on the base, joint 2 prismatic on 1, .."
void structure_text(const lwModel* model, char* text, size_t size);

// Writes the table; NO if an identity does not hold.
int proofs_print(const Proofs* proofs);

#endif
