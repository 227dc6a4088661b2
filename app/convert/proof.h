// SPDX-License-Identifier: MIT
// Whether two descriptions are of the same robot: random states through both.
#ifndef APP_CONVERT_PROOF_H
#define APP_CONVERT_PROOF_H

#include "app.h"

typedef enum Quantity
{
  PROOF_TORQUE,
  PROOF_INERTIA,
  PROOF_ACCELERATION,
  PROOF_ENERGY,
  PROOF_POSE,
  PROOF_COUNT
} Quantity;

// The worst difference in one quantity.
typedef struct ProofRow
{
  double worst;     // relative to `size`
  double absolute;  // SI
  double size;      // of the quantity, the largest in any state
  long state;       // from 1; 0: no difference at all
  bool left_out;    // not compared
} ProofRow;

typedef struct Proof
{
  const lwModel* in;
  const lwModel* out;
  const bool* keeps_frame;  // (joints of `written`) whose links' frames are compared
  const lwRobotDef* written;
  long states, seed;
  double bound;    // of all quantities
  bool reordered;  // the moving joints of out come in another order
  int frames;      // compared
  ProofRow rows[PROOF_COUNT];
} Proof;

extern const char* const PROOF_NAMES[PROOF_COUNT];

// Compares. DONE, also when they differ; or why not.
int proof_run(Proof* proof);
bool proof_holds(const Proof* proof);

#endif
