// SPDX-License-Identifier: MIT
/// @file scenario.h Scenario files: a robot, its payload, its run and how long it lasts. Not part
/// of the core library.
#ifndef LINKWORK_SCENARIO_H
#define LINKWORK_SCENARIO_H

#include "linkwork/arm.h"

/// Everything that a scenario file says: the robot with its payload, the run, how long it lasts.
/// Owns all of it.
typedef struct lwScenario lwScenario;

/// Reads a scenario file (YAML or JSON, see docs/formats.md) and the files that it names, whose
/// paths are relative to its own folder. Everything wrong is in diag, with file, line and column;
/// *scenario is NULL unless the status is LW_OK. options: of the robot, NULL: all false.
LW_API lwStatus lw_scenario_read_file(const char* path, const lwModelOptions* options, lwDiag* diag,
                                      lwScenario** scenario);

/// Reads a scenario from text in memory; name stands for the file in diagnostics,
/// and its folder for that of the file.
LW_API lwStatus lw_scenario_read_text(const char* name, const char* text, size_t length,
                                      const lwModelOptions* options, lwDiag* diag,
                                      lwScenario** scenario);

/// Frees a scenario and everything in it. NULL is allowed.
LW_API void lw_scenario_destroy(lwScenario* scenario);

/// Its name, never NULL.
LW_API const char* lw_scenario_name(const lwScenario* scenario);

/// The robot with its payload. It belongs to the scenario.
LW_API const lwModel* lw_scenario_model(const lwScenario* scenario);

/// Replaces the robot, which is freed, by another model, for example the same joints with
/// other loads. The scenario owns the new one. LW_ERROR_INPUT, and nothing changes, if
/// the number of moving joints differs.
LW_API lwStatus lw_scenario_set_model(lwScenario* scenario, lwModel* model);

/// The run, for lw_arm_run_create(). It belongs to the scenario.
LW_API const lwArmDef* lw_scenario_arm(const lwScenario* scenario);

/// The springs and dampers of the joints, into springs (dof): for each joint the last one that its
/// drives or events give it, all zero if there is none. Returns how many joints have one.
LW_API int lw_scenario_springs(const lwScenario* scenario, lwSpring* springs);

/// The cylinders whose valves an event closes, which belong to the scenario; NULL: none.
LW_API lwCylinders* lw_scenario_cylinders(const lwScenario* scenario);

/// Duration of the run, s.
LW_API double lw_scenario_duration(const lwScenario* scenario);

/// Time from one record to the next, s.
LW_API double lw_scenario_record(const lwScenario* scenario);

#endif
