// SPDX-License-Identifier: MIT
// How much the constants of a robot affect an answer, in one state or many.
#ifndef LW_COMPARE_SENSITIVITY_H
#define LW_COMPARE_SENSITIVITY_H

#include "linkwork/loop.h"
#include "linkwork/slopes.h"

// The largest effect of one parameter on one entry of the answer.
typedef struct lwEffect
{
  int parameter;  // index in the list
  int output;
  double slope;  // per unit of the parameter
  long state;    // counted from 1
  double t;      // s, of that state
} lwEffect;

// How far an entry of the answer may be off.
typedef struct lwBand
{
  double value;  // of the answer in that state
  double width;  // sum of |slope| tolerance over all parameters
  long state;    // in which the band is widest
  double t;
} lwBand;

typedef struct lwSensitivity
{
  const lwModel* model;
  lwQuestion question;
  int count;  // parameters
  const lwParameter* parameters;
  const double* tolerances;  // (count) how far each parameter may be off, in its own unit
  int outputs;
  lwDifferentiator** blocks;  // for LW_SENSITIVITY_BLOCK parameters each
  lwEffect* effects;          // (count, outputs)
  lwBand* bands;              // (outputs)
  double *value, *slopes, *width;
  long states;
  // with closed loops, in the speeds of lw_model_speed():
  lwLoops* loops;        // NULL: there are none
  double *qdd, *qdd_at;  // (dof) of the state, and that which slopes are taken at
  double *tree, *rest;   // (BLOCK, dof) slopes of the tree, twice
  double* W;             // (outputs, outputs) inverse of N^T M N
} lwSensitivity;

enum
{
  LW_SENSITIVITY_BLOCK = 8
};

// Parameters and tolerances must outlive it; tolerances NULL: zeros.
// To be destroyed in any case. As lw_differentiator_create(). With closed loops the speeds do not
// depend on mass properties and gravity; lengths and angles move the joints that follow, and are refused:
// LW_ERROR_METHOD.
lwStatus lw_sensitivity_create(lwSensitivity* s, const lwModel* model, const lwWorkspaceDef* def,
                               lwQuestion question, const lwParameter* parameters,
                               const double* tolerances, int count, lwDiag* diag);
void lw_sensitivity_destroy(lwSensitivity* s);

// Adds a state at time t, with loops a closed one. False: an answer or derivative is not finite.
bool lw_sensitivity_add(lwSensitivity* s, const lwStates* state, double t);

// Whether the bands are exact: answers linear in all parameters that have a tolerance, together.
// Others are of first order.
bool lw_sensitivity_is_exact(const lwSensitivity* s);

// Effects in descending order: by the effect of the tolerance if there are tolerances,
// else by that of one per cent, then by that of one unit. Zero effects are left out;
// returns how many there are, -1: out of memory.
int lw_sensitivity_sort(lwSensitivity* s);

// The effect of one per cent of the parameter, and that of its tolerance.
double lw_effect_per_cent(const lwSensitivity* s, const lwEffect* effect);
double lw_effect_of_tolerance(const lwSensitivity* s, const lwEffect* effect);

#endif
