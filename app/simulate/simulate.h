// SPDX-License-Identifier: MIT
// linkwork simulate: an arm over time.
//
//   scenario file --lw_scenario_read_file()--> lwArmDef --lw_arm_run_advance()--> moments --Rows--> t,q1..,qd1..,tau1..
#ifndef APP_SIMULATE_SIMULATE_H
#define APP_SIMULATE_SIMULATE_H

#include "app.h"
#include "io/course.h"
#include "io/rows.h"
#include "linkwork/scenario.h"
#include "plot_table.h"

typedef struct Simulation
{
  const Options* options;
  Format format;
  lwScenario* scenario;
  lwArmDef arm;
  Course course;
  lwArmRun* run;
  int n;
  lwOutcome outcome;
  double reached;  // s, simulated
  double seconds;  // by the clock
  Out out;
  Rows rows;
  double* values;  // one record
  PlotTable plot;  // of --plot
} Simulation;

// Whether the run was ended before its time, and not by what the scenario asks for.
bool simulation_is_partial(const Simulation* sim);

// How the run went, in words.
void audit_text(const Simulation* sim, void (*print)(void* to, const char* text), void* to);

// The same as json, into the file of --audit. Prints what is wrong and returns INPUT, or DONE.
int audit_write(const Simulation* sim, const char* path);

#endif
