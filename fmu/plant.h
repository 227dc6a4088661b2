// SPDX-License-Identifier: MIT
// An arm over time as numbered variables, which is what a functional mock-up unit (FMU) is made of.
// The program lists them in modelDescription.xml, the unit (fmu.c) gets and sets them by their
// places in the list.
#ifndef LW_FMU_PLANT_H
#define LW_FMU_PLANT_H

#include "arm/arm_internal.h"
#include "linkwork/scenario.h"

// What the inputs of a unit are.
typedef enum PlantInputs
{
  PLANT_TORQUE,     // torques or forces of all freedoms, added to those of the drives
  PLANT_VOLTAGE,    // voltages of joints with a motor, torques of others, instead of the drives
  PLANT_REFERENCE,  // the motion that the controller follows
  PLANT_INPUTS
} PlantInputs;

extern const char* const PLANT_INPUT_WORDS[PLANT_INPUTS + 1];  // ended by NULL

typedef enum PlantKind
{
  PLANT_TIME,
  PLANT_STATE,      // an entry of the state
  PLANT_RATE,       // its derivative
  PLANT_INPUT,      // an entry of `input`
  PLANT_PARAMETER,  // an entry of `parameter`
  PLANT_ANSWER  // computed from the state: accelerations, torques, pose of the last link, energies
} PlantKind;

enum
{
  PLANT_NAME     = 200,
  PLANT_ENERGIES = 3,
  PLANT_POSE     = 6,
  PLANT_PAYLOAD  = 4  // parameters: its mass, and x, y, z of its centre of mass
};

typedef struct PlantVariable
{
  char name[PLANT_NAME];
  const char* unit;   // or NULL
  const char* about;  // what it is
  PlantKind kind;
  int index;
  double start;
  bool output;
} PlantVariable;

typedef struct Plant
{
  lwScenario* scenario;  // owned
  PlantInputs inputs;
  int n, nq, size;  // freedoms, entries of q and of the state
  int input_count, parameter_count, answer_count;
  int masses, gains;  // the first parameters of these kinds, -1: there are none
  PlantVariable* variables;
  int count;
  double *input, *parameter, *start;  // start: (size) the state at t = 0
  double* answer;                     // (answer_count)
  double* rates;                      // (size)
  double* current;                    // (n) at t = 0
  lwJointDrive* drives;               // (n)
  lwArmDef def;
  lwModel* changed;  // the robot with other masses, or NULL
  lwArmRun* run;
  bool begun;    // the run has left t = 0: its state can no longer be set by name
  bool stale;    // answers and rates are not those of the state
  bool rebuild;  // masses or the start have changed since the run was made
  bool tuned;    // gains have
  bool jumped;   // inputs have
  lwArena arena;
} Plant;

// Takes over the scenario, also if it fails. LW_ERROR_INPUT, and in diag why: there are no such
// inputs.
lwStatus plant_create(lwScenario* scenario, PlantInputs inputs, lwDiag* diag, Plant** plant);
void plant_destroy(Plant* plant);

double plant_get(Plant* plant, int variable);

// False: the variable cannot be set, or the number is not finite.
bool plant_set(Plant* plant, int variable, double value);

// Makes what was set count: the run at t = 0, or from here on with other masses, gains and inputs.
lwStatus plant_update(Plant* plant, lwDiag* diag);

// Rates and answers of the state as it is; closed: the state is one that the run itself has
// reached, so its loops may be closed and its quaternions normalised.
void plant_evaluate(Plant* plant, bool closed);

#endif
