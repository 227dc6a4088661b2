// SPDX-License-Identifier: MIT
// Reading scenario files.
//
//   scenario.c            the keys of the file, the robot, creating and destroying it
//   scenario_values.c     numbers and laws for each joint
//   scenario_drive.c      drives
//   scenario_forces.c     forces along combinations of joints
//   scenario_control.c    controller, loads
//   scenario_reference.c  what the controller follows
//   scenario_events.c     events
#ifndef LW_SIMULATE_SCENARIO_INTERNAL_H
#define LW_SIMULATE_SCENARIO_INTERNAL_H

#include "linkwork/scenario.h"
#include "scenario/keep.h"

struct lwScenario
{
  const char* name;
  lwModel* model;
  int n;
  lwArmDef arm;
  double duration, record;  // s
  lwKeep keep;
};

// A file while it is being read.
typedef struct lwScenarioReader
{
  lwDocument document;
  lwScenario* scenario;
  lwKeep* keep;            // of the scenario
  const char* robot;       // path of its file
  lwCylinders* cylinders;  // of the robot, once they are asked for
} lwScenarioReader;

// The names of the moving joints, (n); NULL: no memory.
const char* const* lw_scenario_names(lwScenarioReader* reader);

// Refuses an interval in s, under this key, that is so short that the run would never end.
void lw_scenario_check_steps(lwScenarioReader* reader, const char* key, double length,
                             lwPlace place);

// --- scenario_values.c

typedef enum lwPerJoint
{
  LW_PER_JOINT_POSITION,  // rad or m, '90 deg' may be written
  LW_PER_JOINT_VELOCITY,  // rad/s or m/s
  LW_PER_JOINT_PLAIN
} lwPerJoint;

// The moving joint of a name, -1 after reporting that there is none.
int lw_scenario_joint(lwScenarioReader* reader, const lwNode* name);

// One number for all joints, a list of n, or a mapping by name; values that are not given stay.
void lw_scenario_values(lwScenarioReader* reader, const char* key, lwNode* node, lwPerJoint kind,
                        double* values);

// A law; NULL after reporting what is wrong. state: it may name q and qd.
const lwLaw* lw_scenario_law(lwScenarioReader* reader, const char* key, const lwNode* node,
                             bool state);

// One law for all joints, a list of n, or a mapping by name; a position may be written '90 deg'.
// NULL where none is given.
void lw_scenario_laws(lwScenarioReader* reader, const char* key, lwNode* node, const lwLaw** laws);

// --- parts of the file; node may be NULL where it says so

// Reads the mapping `drives` into drives (n); changed (n), if not NULL: those that are mentioned.
void lw_scenario_drives(lwScenarioReader* reader, lwNode* node, lwJointDrive* drives,
                        bool* changed);
void lw_scenario_events(lwScenarioReader* reader, lwNode* node);      // or NULL
void lw_scenario_controller(lwScenarioReader* reader, lwNode* node);  // or NULL
void lw_scenario_sensors(lwScenarioReader* reader, lwNode* node);     // or NULL
void lw_scenario_reference(lwScenarioReader* reader, lwNode* node);
void lw_scenario_loads(lwScenarioReader* reader, lwNode* node);   // or NULL
void lw_scenario_forces(lwScenarioReader* reader, lwNode* node);  // or NULL

#endif
