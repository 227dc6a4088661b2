// SPDX-License-Identifier: MIT
/// @file proof.h Formulations proven equal: all methods evaluated exactly, over integers modulo the
/// prime 2^61 - 1.
///
/// The numbers of the robot and of its state are replaced by random elements of the field, angles
/// by the tangent of half the angle. Two methods that agree at a random point are the same rational
/// function, except with probability at most degree / p (Schwartz, Zippel). See docs/proof.md.
#ifndef LINKWORK_PROOF_H
#define LINKWORK_PROOF_H

#include "linkwork/model.h"
#include "linkwork/snake.h"

/// How to prove. Start from lw_proof_def().
typedef struct lwProofDef
{
  /// Random points at which every identity is evaluated, 1 or more
  int points;
  /// Other points for every seed
  unsigned long long seed;
  /// Set by lw_proof_def(); leave it as it is.
  unsigned cookie;
} lwProofDef;

/// One identity, left = right, and what became of it.
typedef struct lwIdentity
{
  /// What it is about: "inverse", "inertia", "power", ..
  const char* about;
  /// The left side, the name of a method or a formula
  const char* left;
  /// The right side
  const char* right;
  /// Numbers that were compared at every point
  int entries;
  /// Points at which both sides were evaluated
  int points;
  /// A bound of the degree of the polynomial that is zero if the identity holds
  double degree;
  /// A bound of the probability that a false identity was overlooked at all points
  double probability;
  /// True if both sides were equal at every point
  bool holds;
  /// The first point at which they differ, counted from 0, or -1
  int witness;
  /// The first entry that differs there, counted from 0, or -1
  int entry;
} lwIdentity;

/// The identities of one robot or snake.
typedef struct lwProof lwProof;

/// One point and seed 1.
LW_API lwProofDef lw_proof_def(void);

/// Evaluates all identities for the structure of the model: its tree and its kinds of joints,
/// with unknowns for its numbers. Joints that mimic others count as joints of their own. NULL
/// as def: the defaults. LW_ERROR_INPUT if points is not positive, LW_ERROR_DEF,
/// LW_ERROR_MEMORY; *proof is NULL then.
LW_API lwStatus lw_proof_create(const lwModel* model, const lwProofDef* def, lwProof** proof);

/// Evaluates all identities for a snake with as many links.
LW_API lwStatus lw_proof_create_snake(const lwSnake* snake, const lwProofDef* def, lwProof** proof);

/// Frees a proof. NULL is allowed.
LW_API void lw_proof_destroy(lwProof* proof);

/// The number of identities.
LW_API int lw_proof_count(const lwProof* proof);

/// Identity i, 0 <= i < lw_proof_count(). Its strings live as long as the proof.
LW_API const lwIdentity* lw_proof_identity(const lwProof* proof, int i);

#endif
