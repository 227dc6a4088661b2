// SPDX-License-Identifier: MIT
// linkwork simulate: an arm over time.
//
//   scenario file --lw_scenario_read_file()--> lwArmDef
//     --lw_arm_run_advance()--> samples --Rows--> t,q1..,qd1..,tau1..
#ifndef APP_SIMULATE_SIMULATE_H
#define APP_SIMULATE_SIMULATE_H

#include "app.h"
#include "io/csv.h"
#include "io/run_loop.h"
#include "linkwork/scenario.h"
#include "report/audit/audit.h"
#include "report/plot/plot_table.h"

// What a column of a recording holds.
typedef struct RecordColumn
{
  int part;
  int index;  // of the joint, the energy, the coordinate
} RecordColumn;

typedef struct Simulation
{
  const Options* options;
  Format format;
  lwScenario* scenario;  // NULL: the run is described by arm alone
  const lwModel* model;
  const char* name;  // of the scenario
  lwArmDef arm;
  RunLoop run_loop;
  lwArmRun* run;
  int n;
  lwOutcome outcome;
  int output_error;  // errno, where the output could not be written; EPIPE: its reader closed it
  double reached;    // s, simulated
  double seconds;    // by the clock
  lwOut out;
  lwRows rows;
  unsigned parts;  // set of what is recorded; 0: state and energies
  bool names;      // columns are named by joint
  size_t columns;
  RecordColumn* column;  // (columns)
  double* values;        // (columns) one record
  double* reference;     // (nq + 2 n) q*, qd*, qdd* then
  double* error;         // (n) from the position to q*
  double pose[6];        // x, y, z, roll, pitch, yaw then, m and rad
  lwWorkspace* ws;       // for the pose
  long kept;             // records
  void (*keep)(void* to, const double* values);
  void* to;
  lwPlotTable plot;  // of --plot
} Simulation;

#define SIMULATION_PANELS "q,q_err,qd,tau,v,S"  // of a picture, as far as there are any

// Reads a scenario file. Prints what is wrong and returns INPUT, or DONE.
int scenario_load(const Options* options, const char* path, lwScenario** scenario);

// Chooses what is recorded: "q,tau,pose", NULL is everything.
// Prints what is wrong and returns USAGE, or DONE.
int simulation_choose_columns(Simulation* sim, const char* list);

// Adds the wrenches of --wrench to sim->arm.
// Prints what is wrong and returns USAGE or INPUT, or DONE.
int simulation_push(Simulation* sim);

// The run of sim->arm, which options, model and the like describe, from its beginning to its
// output. The exit code.
int simulation_run(Simulation* sim);

// Makes the run of sim->arm; `about` stands before what is wrong. INPUT or DONE.
int simulation_begin(Simulation* sim, const char* about);
void simulation_end(Simulation* sim);

// Goes on to time t and keeps the sample: a RunLoopStep. DONE,
// or why the run ends, which is printed.
int simulation_step(void* context, double t);

// Keeps the sample that was reached; false if its energy is not finite.
bool simulation_record(Simulation* sim);

// The name of column c of a Simulation: t q1.. qd1.. qdd1.. tau1.. v1.. i1.., of a controlled arm
// q_ref1.. qd_ref1.. q_err1.., x y z roll pitch yaw, kinetic potential work S.
void simulation_column(const void* context, size_t c, char name[LW_ROW_NAME]);
const char* simulation_unit(const void* context, size_t c);
bool simulation_column_shown(const void* context, size_t c);  // in a table
// For units and limits of curves; NULL where positions and velocities are not numbered alike.
static inline const lwModel* plotted_model(const lwModel* model)
{
  return model && lw_model_nq(model) == lw_model_dof(model) ? model : NULL;
}
int simulation_joint(const Simulation* sim, size_t c);  // -1: of no joint

// Names the columns, with the joints in the legend; false after reporting that memory ran out.
bool simulation_plot_names(const Simulation* sim, lwPlotTable* plot);

// Whether the run ended early, other than as the scenario asks.
bool simulation_is_partial(const Simulation* sim);

// How the run went, in words.
void audit_text(const Simulation* sim, lwPrint* print, void* to);

// The same as json, into the file of --audit. Prints what is wrong and returns INPUT, or DONE.
int audit_write(const Simulation* sim, const char* path);

#endif
